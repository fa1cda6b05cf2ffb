#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
ctf-strict.py DIRECTORY: reads a CTF 1.8 trace on its own, as strictly as the strictest of the
readers that people open traces with, and prints its events as `babeltrace2 --clock-seconds
--no-delta` does.

What it insists on is what the CTF reader of Trace Compass needs to open a trace and to go about in
it (its packages org.eclipse.tracecompass.ctf.core and ...internal.ctf.core), or refuses otherwise.
In parentheses stands the class of it that does:

- one trace block, with major 1, minor 8, byte_order and a uuid of 36 characters, before all else;
  byte_order in front of packet.header, whose types are made by what is known then
  (TraceDeclarationParser);
- packet.header, packet.context and event.header are structures; the header has magic, uuid and
  stream_id; the context has packet_size, content_size, timestamp_begin and timestamp_end: where
  the last two are missing a packet begins in 1970 and never ends;
- an event header has id, and a timestamp that is mapped to a clock that was declared before;
- ids of streams and events are there and differ; an event names a stream that was declared, has a
  name, and an id from 0 to 2^31 - 1 (EventParser, EventDeclarationParser);
- integers of 1 to 64 bits, alignments that are powers of two, strings, structures with at least
  one member, and arrays of a fixed length: nothing else is needed here;
- nothing is called by a word of TSDL itself (CTFParser);
- environment entries are integers or texts in quotes (EnvironmentParser), the numbers of clocks not
  negative (ClockParser takes others for texts), and none has an offset in seconds, of which
  nothing is known there (CTFClock): its times would lie near 1970, far from those of the hosts;
- in the files: magic and uuid in every packet; content no larger than the packet, the packet not
  larger than what is left of the file, and more in it than its headers (others are passed over);
  packets begin no earlier than the one before, end no earlier than they begin, hold their events,
  and events do not go back (CTFStreamInput, StreamInputPacketIndex, CTFPacketReader);
- sizes and times are below 2^63: numbers there are signed, and an end of all ones is none
  (StreamInputPacketIndexEntry);
- all files beside the metadata but hidden ones are streams, of one declared id in all of a file, and
  the first header lies in its first 4 KiB (CTFTrace, CTFStreamInput).
"""

import os
import re
import sys
import uuid

TOKEN = re.compile(r'\s+|/\*.*?\*/|("(?:[^"\\]|\\.)*"|[A-Za-z_][\w.]*|-?\d+|:=|[{}\[\]();=])', re.S)
MAGIC = 0xC1FC1FC1
WORDS = set('align callsite char clock const double enum env event float floating_point int integer '
            'long short signed stream string struct trace typealias typedef unsigned variant void '
            '_Bool _Complex _Imaginary'.split())


class Wrong(Exception):
    pass


def need(condition, text):
    if not condition:
        raise Wrong(text)


def tokens_of(text):
    tokens, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        need(match, 'metadata: %r is not understood' % text[at:at + 40])
        if match.group(1):
            tokens.append(match.group(1))
        at = match.end()
    return tokens


class Parser:
    def __init__(self, text):
        self.tokens = tokens_of(text)
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self, expected=None):
        token = self.peek()
        need(token is not None, 'metadata: it ends too early')
        need(expected is None or token == expected, 'metadata: %s where %s belongs' % (token, expected))
        self.at += 1
        return token

    def attributes(self):
        """{ key = value; ... }"""
        result = {}
        self.take('{')
        while self.peek() != '}':
            key = self.take()
            need(key not in result, 'metadata: %s is there twice' % key)
            if self.peek() == ':=':
                self.take()
                result[key] = self.type()
                need(result[key][0] == 'struct', '%s is no structure' % key)
            else:
                self.take('=')
                result[key] = self.take()
            self.take(';')
        self.take('}')
        return result

    def alignment(self):
        if self.peek() != 'align':
            return 1
        self.take()
        self.take('(')
        value = int(self.take())
        self.take(')')
        need(value > 0 and value & (value - 1) == 0, 'an alignment of %d' % value)
        return value

    def type(self):
        kind = self.take()
        if kind == 'integer':
            what = self.attributes()
            size, align = int(what.get('size', 0)), int(what.get('align', 1))
            need(1 <= size <= 64, 'an integer of %d bits' % size)
            need(align > 0 and align & (align - 1) == 0, 'an alignment of %d' % align)
            return (kind, align, size, what.get('signed') == 'true', what.get('map'))
        if kind == 'string':
            if self.peek() == '{':
                need(self.attributes().get('encoding') in ('UTF8', 'ASCII', None), 'an encoding')
            return (kind, 8)
        need(kind == 'struct', 'a type that needs more than this: %s' % kind)
        members = []
        self.take('{')
        while self.peek() != '}':
            inner = self.type()
            name = self.take()
            need(re.fullmatch(r'[A-Za-z_]\w*', name) and name not in WORDS,
                 'a field called %s' % name)
            need(name not in (m[0] for m in members), 'a field %s twice' % name)
            if self.peek() == '[':
                self.take()
                n = self.take()
                need(n.isdigit() and int(n) > 0, 'an array of length %s' % n)
                self.take(']')
                inner = ('array', inner[1], int(n), inner)
            self.take(';')
            members.append((name, inner))
        self.take('}')
        need(members, 'a structure without members')
        return (kind, max([self.alignment()] + [m[1][1] for m in members]), members)


class Trace:
    def __init__(self, text):
        parser = Parser(text)
        self.trace, self.clocks, self.streams, self.events = None, {}, {}, {}
        while parser.peek():
            block = parser.take()
            need(block in ('trace', 'env', 'clock', 'stream', 'event'), 'a block %s' % block)
            need((self.trace is None) == (block == 'trace'), 'not one trace block, in front')
            getattr(self, 'add_' + block)(parser.attributes())
            parser.take(';')
        need(self.streams and self.events, 'no streams or no events')

    def add_trace(self, what):
        need(what.get('major') == '1' and what.get('minor') == '8', 'not CTF 1.8')
        need(what.get('byte_order') in ('le', 'be'), 'no byte order')
        need(len(what.get('uuid', '')) == 38, 'no uuid of 36 characters')
        keys = list(what)
        need('packet.header' in what and keys.index('byte_order') < keys.index('packet.header'),
             'no packet header behind the byte order')
        names = [name for name, _ in what['packet.header'][2]]
        need({'magic', 'uuid', 'stream_id'} <= set(names), 'the packet header lacks something')
        self.trace = what
        self.order = 'little' if what['byte_order'] == 'le' else 'big'
        self.uuid = uuid.UUID(what['uuid'].strip('"'))

    def add_env(self, what):
        for key, value in what.items():
            need(re.fullmatch(r'-?\d+|".*"', value, re.S) and key not in WORDS,
                 'an environment entry %s' % key)

    def add_clock(self, what):
        for key in ('freq', 'offset_s', 'offset', 'precision'):
            need(0 <= int(what.get(key, 0)) < 2 ** 63, 'a clock with %s' % key)
        need(int(what.get('offset_s', 0)) == 0, 'a clock with an offset in seconds')
        self.clocks['clock.%s.value' % what['name']] = what

    def add_stream(self, what):
        context = {name for name, _ in what['packet.context'][2]}
        need({'packet_size', 'content_size', 'timestamp_begin', 'timestamp_end'} <= context,
             'the packet context lacks something: it has %s' % ', '.join(sorted(context)))
        header = dict(what['event.header'][2])
        need('id' in header and 'timestamp' in header, 'the event header lacks something')
        need(header['timestamp'][4] in self.clocks, 'times without a clock')
        need(what['id'] not in self.streams, 'two streams with one id')
        what['clock'] = self.clocks[header['timestamp'][4]]
        self.streams[what['id']] = what

    def add_event(self, what):
        need(what['stream_id'] in self.streams, 'an event of no stream')
        need(re.fullmatch(r'"[^"]+"', what.get('name', '')), 'an event without a name')
        need(0 <= int(what.get('id', -1)) < 2 ** 31, 'an event with an id that is none')
        key = (int(what['stream_id']), int(what['id']))
        need(key not in self.events, 'two events with one id')
        self.events[key] = what


class Reader:
    """Fields of a packet."""

    def __init__(self, trace, data):
        self.order, self.data, self.pos = trace.order, data, 0

    def read(self, kind):
        self.pos = -(-self.pos // kind[1]) * kind[1]
        if kind[0] == 'struct':
            return {name: self.read(inner) for name, inner in kind[2]}
        if kind[0] == 'array':
            return [self.read(kind[3]) for _ in range(kind[2])]
        need(self.pos % 8 == 0, 'a field that does not begin with a byte')
        begin = self.pos // 8
        if kind[0] == 'string':
            end = self.data.index(b'\0', begin)
            self.pos = 8 * (end + 1)
            return self.data[begin:end].decode()
        need(kind[2] % 8 == 0, 'a field that does not end with a byte')
        self.pos += kind[2]
        need(self.pos <= 8 * len(self.data), 'a field behind the end')
        return int.from_bytes(self.data[begin:self.pos // 8], self.order, signed=kind[3])


def print_event(stream, event, time, values):
    clock = stream['clock']
    need(clock['freq'] == '1000000000', 'a clock that does not count nanoseconds')
    ns = int(clock.get('offset', 0)) + time
    fields = ', '.join('%s = %s' % (name[1:] if name.startswith('_') else name,
                                    '"%s"' % value if isinstance(value, str) else value)
                       for name, value in values.items())
    print('[%d.%09d] %s: { %s }' % (ns // 10 ** 9, ns % 10 ** 9, event['name'].strip('"'), fields))


def read_packet(trace, data, first, before):
    """A packet, where first is the header of the file's first one and before the begin of the last."""
    reader = Reader(trace, data)
    header = reader.read(trace.trace['packet.header'])
    need(header['magic'] == MAGIC and bytes(header['uuid']) == trace.uuid.bytes, 'magic or uuid')
    need(str(header['stream_id']) in trace.streams, 'a stream that was not declared')
    need(first or reader.pos <= 8 * 4096, 'a header of more than 4 KiB')
    need(not first or header['stream_id'] == first['stream_id'], 'two streams in one file')
    stream = trace.streams[str(header['stream_id'])]
    context = reader.read(stream['packet.context'])
    size, content = context['packet_size'], context['content_size']
    begin, end = context['timestamp_begin'], context['timestamp_end']
    need(reader.pos < content <= size <= 8 * len(data) and size % 8 == 0, 'sizes of a packet')
    need(before <= begin <= end < 2 ** 63, 'times of a packet')
    time = begin
    while reader.pos < content:
        head = reader.read(stream['event.header'])
        need(time <= head['timestamp'] <= end, 'the time of an event')
        time = head['timestamp']
        need((header['stream_id'], head['id']) in trace.events, 'an event that was not declared')
        event = trace.events[header['stream_id'], head['id']]
        print_event(stream, event, time, reader.read(event['fields']))
    need(reader.pos == content, 'an event behind the end')
    return size // 8, first or header, begin


def main():
    directory = sys.argv[1]
    with open(os.path.join(directory, 'metadata'), encoding='utf-8') as f:
        text = f.read()
    need(text.startswith('/* CTF 1.8 */'), 'the first line does not say CTF 1.8')
    trace = Trace(text)
    n = 0
    for name in sorted(set(os.listdir(directory)) - {'metadata'}):
        if name.startswith('.') or os.path.isdir(os.path.join(directory, name)):
            continue
        with open(os.path.join(directory, name), 'rb') as f:
            data = f.read()
        first, begin = None, 0
        while data:
            size, first, begin = read_packet(trace, data, first, begin)
            data = data[size:]
            n += 1
    print('%d packets' % n, file=sys.stderr)


try:
    main()
except Wrong as wrong:
    sys.exit('%s: %s' % (sys.argv[1], wrong))
