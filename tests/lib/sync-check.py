#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks what filter.waitpath.sync gave, in the text of `babeltrace2 --clock-seconds --no-delta`.

usage: sync-check.py times BEFORE AFTER REPORT
       sync-check.py packets AFTER LEAST

times: each host's events are the same, in the same order, and their times are those of the clock
maps in REPORT (`waitpath sync --format json`) to the nanosecond; all together are in order.
packets: no TCP or UDP packet was received before it was sent; at least LEAST can be told.
"""
import bisect
import json
import re
import sys

LINE = re.compile(r'\[(-?)(\d+)\.(\d{9})\] (\S+) (.*)')


def read(path):
    for line in open(path):
        sign, seconds, ns, host, rest = LINE.match(line).groups()
        time = int(seconds) * 1000000000 + int(ns)
        yield -time if sign else time, host, rest


def by_host(path):
    hosts = {}
    for time, host, rest in read(path):
        hosts.setdefault(host, []).append((time, rest))
    return hosts


def expected_offset(knots, time):
    """Twice: the offset between knots, exactly, as a fraction (numerator, denominator)."""
    if not knots:
        return 0, 1
    at = bisect.bisect([knot[0] for knot in knots], time)
    at = max(1, min(len(knots) - 1, at))
    if len(knots) == 1:
        return knots[0][1], 1
    (t0, o0, _), (t1, o1, _) = knots[at - 1], knots[at]
    return o0 * (t1 - t0) + (o1 - o0) * (time - t0), t1 - t0


def check_times(before, after, report):
    knots = {host['host']: host['knots'] for host in json.load(open(report))['hosts']}
    before, after = by_host(before), by_host(after)
    assert sorted(before) == sorted(after), 'other hosts'
    moved = 0
    for host in before:
        assert len(before[host]) == len(after[host]), host + ': other number of events'
        for (time, event), (corrected, same) in zip(before[host], after[host]):
            assert event == same, '%s: %s became %s' % (host, event, same)
            numerator, denominator = expected_offset(knots[host], time)
            # the map rounds to a nanosecond
            assert abs((corrected - time) * denominator - numerator) <= denominator, \
                '%s: %d became %d' % (host, time, corrected)
            moved += corrected != time
    print('%d events, %d with another time' % (sum(map(len, before.values())), moved))


def check_order(path):
    last = None
    for time, _, _ in read(path):
        assert last is None or time >= last, 'out of order at %d' % time
        last = time


def numbers(text, *names):
    found = [re.search(r'\b%s = (\w+)' % name, text) for name in names]
    return tuple(match.group(1) for match in found) if all(found) else None


def packet_key(rest):
    if '"_tcp"' not in rest and '"_udp"' not in rest:
        return None
    addresses = re.findall(r'[sd]addr = (\[(?: \[\d+\] = \w+,?)+ \]|\w+)', rest)
    ports = numbers(rest, 'source_port', 'dest_port')
    # IPv6 has no number of the packet: in TCP what it brings tells it
    ids = numbers(rest, 'id', 'tot_len') or numbers(rest, 'payload_len', 'flags')
    seq = numbers(rest, 'seq', 'ack_seq') or ()
    return (tuple(addresses), ports, ids, seq) if ids and ports else None


def check_packets(path, least):
    sent, n = {}, 0
    check_order(path)
    for time, host, rest in read(path):
        if rest.startswith('net_dev_queue:'):
            key = packet_key(rest)
            if key:
                sent.setdefault(key, (time, host))
    for time, host, rest in read(path):
        if not rest.startswith('net_if_receive_skb:'):
            continue
        key = packet_key(rest)
        if key in sent and sent[key][1] != host:
            assert time >= sent[key][0], 'received before it was sent: %s' % rest
            n += 1
    print('%d packets' % n)
    assert n >= least, 'too few'


if sys.argv[1] == 'times':
    check_times(*sys.argv[2:5])
    check_order(sys.argv[3])
else:
    check_packets(sys.argv[2], int(sys.argv[3]))
