#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes traces that no tracer writes: hostile.py FOLDER makes one folder for each."""
import os
import struct
import sys

TYPES = '''typealias integer { size = 8; align = 8; } := u8;
typealias integer { size = 32; align = 8; } := u32;
typealias integer { size = 64; align = 8; } := u64;
typealias integer { size = 32; align = 8; signed = 1; } := s32;
typealias integer { size = 8; align = 8; encoding = UTF8; } := ch;
'''
HEAD = '/* CTF 1.8 */\n' + TYPES + '''
trace { major = 1; minor = 8; byte_order = le;
 packet.header := struct { u32 magic; u32 stream_id; }; };
env { hostname = "hosta"; domain = "kernel"; tracer_name = "lttng-modules";
 tracer_major = 2; tracer_minor = 13; };
clock { name = mono; uuid = "11111111-2222-3333-4444-555555555555"; freq = 1000000000;
 offset = 1772442049000000000; };
stream { id = 0;
 packet.context := struct { integer { size = 64; align = 8; map = clock.mono.value; } timestamp_begin;
 integer { size = 64; align = 8; map = clock.mono.value; } timestamp_end;
 u64 content_size; u64 packet_size; u32 cpu_id; };
 event.header := struct { u32 id; integer { size = 64; align = 8; map = clock.mono.value; } timestamp; };
};
'''
EVENTS = '''event { name = sched_switch; id = 0; stream_id = 0; fields := struct { ch prev_comm[4];
 s32 prev_tid; s32 prev_prio; u64 prev_state; ch next_comm[4]; s32 next_tid; s32 next_prio; }; };
event { name = sched_waking; id = 1; stream_id = 0; fields := struct { ch comm[4]; s32 tid; s32 prio;
 s32 target_cpu; }; };
event { name = texts; id = 2; stream_id = 0; fields := struct { string a; string b; }; };
'''


def switch(time, prev, nxt, state=1):
    return struct.pack('<IQ4siiq4sii', 0, time, b'a', prev, 20, state, b'b', nxt, 20)


def waking(time, tid, cpu=0):
    return struct.pack('<IQ4siii', 1, time, b'a', tid, 20, cpu)


def packet(events, cpu=0, begin=0, end=0, size=None):
    body = b''.join(events)
    bits = (44 + len(body)) * 8
    return struct.pack('<IIQQQQI', 0xc1fc1fc1, 0, begin, end, bits, size or bits, cpu) + body


def write(folder, name, metadata, *streams):
    path = os.path.join(folder, name)
    os.makedirs(path)
    with open(os.path.join(path, 'metadata'), 'w', encoding='utf-8') as file:
        file.write(metadata)
    for i, data in enumerate(streams):
        with open(os.path.join(path, 'ch_%d' % i), 'wb') as file:
            file.write(data)


def calm(n, step=1000):
    """Two tasks that take turns, each waking the other."""
    events = []
    for i in range(n):
        a, b = (101, 102) if i % 2 == 0 else (102, 101)
        events += [waking(i * step, b), switch(i * step + step // 2, a, b)]
    return events


def main(folder):
    good = HEAD + EVENTS
    nest = 'struct { ' * 1000 + 'u8 x; ' + '} y; ' * 999 + '}'
    write(folder, 'nested', good + 'event { name = n; id = 9; stream_id = 0; fields := %s; };' % nest,
          packet(calm(10)))
    write(folder, 'classes', good + ''.join('event{name=e%d;id=%d;stream_id=0;fields:=struct{u8 a;};};\n'
                                            % (i, i) for i in range(3, 1000003)), packet(calm(10)))
    text = struct.pack('<IQ', 2, 5) + b'x' * (1 << 22)
    labels = 'enum tag : u32 { ' + ', '.join('o%d' % i for i in range(4000)) + ' };\n'
    variant = labels + ('struct s { enum tag t; variant <t> { ' +
                        ' '.join('u8 o%d;' % i for i in range(4000)) + ' } v; };\n')
    use = 'event { name = e%d; id = %d; stream_id = 0; fields := struct s; };\n'
    write(folder, 'options', good + variant + ''.join(use % (i, i) for i in range(3, 303)),
          packet(calm(10)))
    write(folder, 'many-options', good + variant + ''.join(use % (i, i) for i in range(3, 3003)),
          packet(calm(10)))
    write(folder, 'square', good + variant.replace(' } v; }', ''.join(
        ' u8 p%d;' % i for i in range(4000)) + ' } v; }').replace(' };\nstruct', ', ' + ', '.join(
            'p%d' % i for i in range(4000)) + ' };\nstruct') + use % (3, 3), packet(calm(10)))
    doubled = 'struct d0 { u8 a; };\n' + ''.join(
        'struct d%d { struct d%d a; struct d%d b; };\n' % (i, i - 1, i - 1) for i in range(1, 32))
    write(folder, 'doubled', good + doubled + 'event { name = e; id = 3; stream_id = 0; '
          'fields := struct d31; };\n', packet(calm(10)))
    write(folder, 'endless', good, packet(calm(10) + [text]))
    write(folder, 'huge-packet', good, packet(calm(10), size=1 << 62))
    century = 100 * 366 * 86400 * 10**9
    write(folder, 'centuries', good,
          packet([e for i in range(100) for e in (waking(i % 2 * century, 102),
                                                  switch(i % 2 * century + 1, 101, 102))]))
    write(folder, 'farthest', good, packet([waking(0, 102), switch((1 << 63) - 1, 101, 102),
                                            switch((1 << 64) - 1, 102, 101)]))
    write(folder, 'standing', good, packet(calm(100000, 0)))
    write(folder, 'cycles', good,
          packet([e for i in range(50000) for e in (waking(7, 101 + i % 3, i % 3), switch(
              7, 101 + i % 3, 101 + (i + 1) % 3))]))
    write(folder, 'tids', good, packet([e for i in range(100000) for e in (
        waking(i * 10, (1 << 22) + i * 7), switch(i * 10 + 5, 0, (1 << 22) + i * 7),
        switch(i * 10 + 7, (1 << 22) + i * 7, 0))]))
    write(folder, 'far-tids', good, packet([waking(0, 0x7fffffff), switch(1, 0, 0x7fffffff),
                                            waking(2, -5), switch(3, 0x7fffffff, -0x80000000)]))
    write(folder, 'cpus', good, b''.join(packet([switch(i, 101, 102)], i, i, i)
                                         for i in range(100000)))
    write(folder, 'one-event', good, packet([switch(5, 101, 102)]))
    write(folder, 'no-event', good, packet([]))
    write(folder, 'files', good, *[packet([switch(i, 101, 102)], i % 8, i, i) for i in range(10000)])
    for n, name in ((20000, 'small'), (80000, 'large')):
        write(folder, name, good, packet(calm(n)))


main(sys.argv[1])
