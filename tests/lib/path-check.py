#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks what filter.waitpath.critical-path gave, in the text of `babeltrace2 --clock-seconds
--no-delta`.

usage: path-check.py segments SEGMENTS PATH
       path-check.py prefix SEGMENTS PATH
       path-check.py begun SEGMENTS PATH ALL DELAY
       path-check.py agree SEGMENTS PATH SHARE [LEAST]
       path-check.py select ALL SELECTED PATH [LEAST]

segments: the events are the segments of PATH (`waitpath path --format json`), one for one.
prefix: they are its first ones.
begun: so they are; those that are missing had not ended, or the path's own task was
not yet put on a CPU behind them, DELAY milliseconds before the last event of ALL.
agree: they follow one another without a gap from the begin of PATH on, to its end or, with LEAST,
at least to that share of its window; and in all of that time, but for a share of at most
1 - SHARE, the host, task, state and depth are those of PATH.
select: SELECTED are those events of ALL that the path's task of the moment executes: which task a
CPU executes is worked out here, from the task switches alone. At least LEAST of them.
"""
import json
import re
import sys

LINE = re.compile(r'\[(-?)(\d+)\.(\d{9})\] (?:(\S+) )?([\w:]+): (.*)')


def read(path):
    for line in open(path, errors='replace'):
        sign, seconds, ns, host, name, rest = LINE.match(line).groups()
        time = int(seconds) * 1000000000 + int(ns)
        yield -time if sign else time, host, name, rest, line


def text(rest, name):
    return re.search(r'\b%s = "((?:[^"\\]|\\.)*)"' % name, rest).group(1)


def number(rest, name):
    return int(re.search(r'\b%s = (-?\d+)' % name, rest).group(1))


def segment(time, rest):
    cpu = number(rest, 'cpu')
    return (time, time + number(rest, 'duration'), text(rest, 'host'), number(rest, 'tid'),
            text(rest, 'comm'), text(rest, 'state'), text(rest, 'cause'), number(rest, 'depth'),
            None if cpu < 0 else cpu)


def compare_segments(given, path):
    """The number of segments given, of which each must be that of the path."""
    wanted = [(s['begin'], s['end'], s['host'], s['tid'], s['comm'], s['state'],
               s.get('cause', {}).get('kind', 'none'), s['depth'], s.get('cpu'))
              for s in path['segments']]
    given = [segment(time, rest) for time, _, _, rest, _ in read(given)]
    assert len(given) <= len(wanted), '%d segments, not %d' % (len(given), len(wanted))
    for a, b in zip(given, wanted):
        assert a == b, 'given %s, path %s' % (a, b)
    print('%d of %d segments' % (len(given), len(wanted)))
    return len(given)


def check_segments(given, path):
    path = json.load(open(path))
    n = compare_segments(given, path)
    assert n == len(path['segments']), '%d segments, not %d' % (n, len(path['segments']))


def check_begun(given, path, everything, delay):
    path = json.load(open(path))
    n = compare_segments(given, path)
    last = max(time for time, _, _, _, _ in read(everything))
    final = 0
    for i, s in enumerate(path['segments']):
        own = (s['host'], s['tid']) == (path['task']['host'], path['task']['tid'])
        if own and s['depth'] == 0 and s['state'] == 'running' and i and \
                path['segments'][i - 1]['state'] in ('runnable', 'preempted') and \
                s['begin'] < last - delay * 1000000:
            final = i
    assert n >= final, 'only %d of %d' % (n, final)


def check_agree(given, path, share, least):
    path = json.load(open(path))
    begin, end = path['window']['begin'], path['window']['end']
    given = [segment(time, rest) for time, _, _, rest, _ in read(given)]
    assert given and given[0][0] == begin, 'no segment at the begin'
    for a, b in zip(given, given[1:]):
        assert a[1] == b[0], 'given %s, then %s' % (a, b)
    told = given[-1][1]
    assert told == end if least is None else told - begin >= least * (end - begin), \
        'told to %.3f of the window' % ((told - begin) / (end - begin))
    wanted, at, same = path['segments'], 0, 0
    for a in given:
        while at and wanted[at]['begin'] > a[0]:
            at -= 1
        while at < len(wanted) and wanted[at]['begin'] < a[1]:
            w = wanted[at]
            if (w['host'], w['tid'], w['state'], w['depth']) == (a[2], a[3], a[5], a[7]):
                same += max(0, min(a[1], w['end']) - max(a[0], w['begin']))
            at += 1
        at = max(0, at - 1)
    print('%d segments, %.5f of the time alike' % (len(given), same / (told - begin)))
    assert same >= share * (told - begin), 'too little'


def executed(path):
    """Each event with the thread that executes it, None where that is not known."""
    current = {}
    for time, host, name, rest, line in read(path):
        cpu = (host, number(rest, 'cpu_id'))
        if name == 'sched_switch':
            current[cpu] = number(rest, 'prev_tid')
        yield time, host, current.get(cpu), line
        if name == 'sched_switch':
            current[cpu] = number(rest, 'next_tid')


def check_select(everything, selected, path, least):
    segments, at = json.load(open(path))['segments'], 0
    first, expected = {}, []
    for time, host, name, rest, _ in read(everything):
        cpu = (host, number(rest, 'cpu_id'))
        if name == 'sched_switch' and cpu not in first:
            first[cpu] = time
    for time, host, tid, line in executed(everything):
        while at < len(segments) and segments[at]['end'] < time:
            at += 1
        if at == len(segments) or not segments[at]['begin'] < time:
            continue
        if segments[at]['host'] == host and segments[at]['tid'] == tid:
            expected.append(line)
    # before a CPU's first switch its task follows from that switch, which is behind
    given = [line for time, host, _, rest, line in read(selected)
             if time >= first.get((host, number(rest, 'cpu_id')), time)]
    assert given == expected, 'differ: %s' % next(
        (pair for pair in zip(given, expected) if pair[0] != pair[1]), (len(given), len(expected)))
    print('%d events' % len(given))
    assert len(given) >= least, 'too few'


if sys.argv[1] == 'segments':
    check_segments(*sys.argv[2:4])
elif sys.argv[1] == 'prefix':
    compare_segments(sys.argv[2], json.load(open(sys.argv[3])))
elif sys.argv[1] == 'begun':
    check_begun(*sys.argv[2:5], int(sys.argv[5]))
elif sys.argv[1] == 'agree':
    check_agree(*sys.argv[2:4], float(sys.argv[4]),
                float(sys.argv[5]) if len(sys.argv) > 5 else None)
else:
    check_select(*sys.argv[2:5], int(sys.argv[5]) if len(sys.argv) > 5 else 1)
