#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns the text of `babeltrace2 --no-delta --clock-seconds KERNEL-TRACE` into the input of replay."""
import re
import sys

LINE = re.compile(r'\[\S+\] \S+ (\w+): \{ cpu_id = (\d+) \}, \{(.*)\}')
EVENTS = {
    'sched_switch': ('sched_switch', 'prev_comm', 'prev_tid', 'prev_state', 'next_comm', 'next_tid'),
    'sched_waking': ('sched_waking', 'comm', 'tid', 'target_cpu'),
    'irq_handler_entry': ('irq_entry', 'irq'),
    'irq_handler_exit': ('irq_exit', 'irq'),
    'irq_softirq_entry': ('softirq_entry', 'vec'),
    'irq_softirq_exit': ('softirq_exit', 'vec'),
}


def field(rest, name):
    # an enumeration shows its labels in front of its number
    match = re.search(r'\b%s = (?:"((?:[^"\\]|\\.)*)"|\( .*?: container = (-?\d+) \)|(-?\d+))' % name,
                      rest)
    return next(group for group in match.groups() if group is not None)


for line in sys.stdin:
    match = LINE.match(line)
    if match and match.group(1) in EVENTS:
        name, *fields = EVENTS[match.group(1)]
        print(match.group(2), name, *(field(match.group(3), f) for f in fields), sep='\t')
