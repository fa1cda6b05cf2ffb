#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A stand-in for lttng-relayd that serves one recorded trace by the live protocol of LTTng.

usage: live-server.py TRACE PORT-FILE [--retry N] [--inactive] [--late STREAM] [--hang-up N]

Serves a trace that tests/fixture2ctf wrote to one viewer, then ends. The port goes to PORT-FILE.

--retry N      each request for the next packet is first answered N times with "later"
--inactive     in front of each packet the stream is told to be quiet until just before it
--late STREAM  this file is a stream that appears when the others have come to its begin
--hang-up N    the connection is closed behind so many packets, in the middle of everything
"""
import argparse
import os
import socket
import struct

CONNECT, LIST, ATTACH, NEXT_INDEX, PACKET, METADATA, NEW_STREAMS, CREATE, DETACH = range(1, 10)
INDEX_OK, INDEX_RETRY, INDEX_HUP, INDEX_ERROR, INDEX_INACTIVE = range(1, 6)
NEW_STREAM = 2  # flag of an index
HEAD = struct.Struct('<I16sIQQQQQQQI')  # of a packet, as fixture2ctf writes it


class HungUp(Exception):
    pass


class Stream:
    def __init__(self, number, path):
        self.number, self.path = number, path
        self.data = open(path, 'rb').read()
        self.packets, self.next, self.retries, self.quiet = [], 0, 0, False
        at = 0
        while at < len(self.data):
            (_, _, klass, _, begin, end, content, size, _, discarded, _) = \
                HEAD.unpack_from(self.data, at)
            self.packets.append((at, size, content, begin, end, discarded, klass))
            at += size // 8

    def index(self, status, packet=None, flags=0, until=0):
        at, size, content, begin, end, discarded, klass = packet or (0, 0, 0, 0, until, 0, 0)
        return struct.pack('>QQQQQQQII', at, size, content, begin, end, discarded, klass, status,
                           flags)

    def describe(self, metadata=0):
        return struct.pack('>QQI4096s255s', self.number, 1, metadata, b'trace',
                           os.path.basename(self.path).encode())


class Server:
    def __init__(self, options):
        names = sorted(n for n in os.listdir(options.trace) if not n.startswith('.'))
        self.options = options
        self.streams, self.late, self.given = {}, None, 0
        self.metadata_sent = False
        for number, name in enumerate(names, 10):
            path = os.path.join(options.trace, name)
            if name == 'metadata':
                self.metadata = path
            elif name == options.late:
                self.late = Stream(number, path)
            else:
                self.streams[number] = Stream(number, path)

    def new_streams_flag(self, stream):
        """A viewer must know of a stream before it gives anything that is later than its begin: so
        it is told with the packet in front of the one that reaches behind that."""
        ahead = stream.packets[min(stream.next, len(stream.packets) - 1)]
        due = self.late and ahead[4] >= self.late.packets[0][3]
        return NEW_STREAM if due else 0

    def metadata_stream(self):
        return struct.pack('>QQI4096s255s', 1, 1, 1, b'trace', b'metadata')

    def next_index(self, number):
        stream = self.streams[number]
        if stream.retries < self.options.retry:
            stream.retries += 1
            return stream.index(INDEX_RETRY)
        stream.retries = 0
        if stream.next == len(stream.packets):
            return stream.index(INDEX_HUP)
        packet = stream.packets[stream.next]
        if self.options.inactive and not stream.quiet:
            stream.quiet = True
            return stream.index(INDEX_INACTIVE, until=packet[3] - 1)
        stream.quiet = False
        stream.next += 1
        return stream.index(INDEX_OK, packet, flags=self.new_streams_flag(stream))

    def packet(self, number, offset, length):
        self.given += 1
        if self.options.hang_up and self.given > self.options.hang_up:
            raise HungUp
        data = self.streams[number].data[offset:offset + length]
        return struct.pack('>III', 1, len(data), 0) + data

    def get_metadata(self):
        data = b'' if self.metadata_sent else open(self.metadata, 'rb').read()
        self.metadata_sent = True
        return struct.pack('>QI', len(data), 1 if data else 2) + data

    def get_new_streams(self):
        if not self.late:
            done = all(s.next == len(s.packets) for s in self.streams.values())
            return struct.pack('>II', 4 if done else 2, 0)
        stream, self.late = self.late, None
        self.streams[stream.number] = stream
        return struct.pack('>II', 1, 1) + stream.describe()

    def answer(self, command, data):
        if command == CONNECT:
            return data
        if command == LIST:
            return struct.pack('>IQIII64s255s', 1, 1, 1000, 0, len(self.streams), b'hosta', b's')
        if command == CREATE:
            return struct.pack('>I', 1)
        if command == ATTACH:
            streams = b''.join(s.describe() for s in self.streams.values())
            return struct.pack('>II', 1, len(self.streams) + 1) + self.metadata_stream() + streams
        if command == NEXT_INDEX:
            return self.next_index(*struct.unpack('>Q', data))
        if command == PACKET:
            return self.packet(*struct.unpack('>QQI', data))
        if command == METADATA:
            return self.get_metadata()
        if command == NEW_STREAMS:
            return self.get_new_streams()
        return struct.pack('>I', 1)

    def serve(self, connection):
        def take(n):
            data = b''
            while len(data) < n:
                part = connection.recv(n - len(data))
                if not part:
                    raise HungUp
                data += part
            return data
        try:
            while True:
                size, command, _ = struct.unpack('>QII', take(16))
                connection.sendall(self.answer(command, take(size)))
        except (HungUp, ConnectionError):
            connection.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('trace')
    parser.add_argument('port_file')
    parser.add_argument('--retry', type=int, default=0)
    parser.add_argument('--inactive', action='store_true')
    parser.add_argument('--late')
    parser.add_argument('--hang-up', type=int, default=0)
    options = parser.parse_args()
    listener = socket.create_server(('127.0.0.1', 0))
    listener.settimeout(120)
    with open(options.port_file + '.tmp', 'w') as f:
        f.write('%d\n' % listener.getsockname()[1])
    os.rename(options.port_file + '.tmp', options.port_file)
    connection, _ = listener.accept()
    Server(options).serve(connection)


main()
