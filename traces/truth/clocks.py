# SPDX-License-Identifier: MIT
"""The true relation of the hosts' clocks.

A workload's log has CLOCK_MONOTONIC of its host; a trace's clock is that plus an offset in
the trace's metadata. clock-truth.json relates the CLOCK_MONOTONICs, on a line for each host:

    host(t) = t + mono_offset_ns + drift_ppm * 1e-6 * (t - t_mid_ns), t on the first host's
"""
import json
import os
import re
import struct

INDEX_MAGIC = 0xC1F1DCC1


def metadata_of(trace):
    """The text of the first metadata file below a trace."""
    for directory, _, files in sorted(os.walk(trace)):
        if 'metadata' in files:
            with open(os.path.join(directory, 'metadata'), 'rb') as file:
                return file.read().decode('latin1')
    raise NotRecorded(f'{trace}: no trace')


def clock_offset(metadata):
    """Trace clock minus CLOCK_MONOTONIC, in ns."""
    ns = re.search(r'\boffset = (\d+);', metadata)
    s = re.search(r'\boffset_s = (\d+);', metadata)
    return (int(ns.group(1)) if ns else 0) + (int(s.group(1)) * 10**9 if s else 0)


def first_packet(index):
    """When the first packet of an LTTng index file begins, or None."""
    with open(index, 'rb') as file:
        data = file.read(16 + 32)
    if len(data) < 48 or struct.unpack('>I', data[:4])[0] != INDEX_MAGIC:
        return None
    return struct.unpack('>Q', data[40:48])[0]


class NotRecorded(Exception):
    """A folder is no recording that can be checked, and why."""


class Clocks:
    """CLOCK_MONOTONIC of a host -> trace time on the reference host."""

    def __init__(self, directory, hosts, reference):
        path = os.path.join(directory, 'clock-truth.json')
        self.truth = None
        if os.path.exists(path):
            with open(path) as file:
                self.truth = json.load(file)
        elif len(hosts) > 1:
            raise NotRecorded('no clock-truth.json')
        self.reference = reference if reference in hosts else hosts[0]
        self.offset, self.events = {}, set()
        for host in hosts:
            metadata = metadata_of(os.path.join(directory, host, 'trace'))
            self.offset[host] = clock_offset(metadata)
            self.events |= set(re.findall(r'\bname = "?(\w+)"?;', metadata))
        # When the first trace was created.
        self.created = min((self.to_reference(host, begin)
                            for host in hosts
                            for begin in self.first_packets(directory, host)), default=0)

    @staticmethod
    def first_packets(directory, host):
        for folder, _, files in os.walk(os.path.join(directory, host, 'trace')):
            for name in files:
                begin = first_packet(os.path.join(folder, name)) if name.endswith('.idx') else None
                if begin is not None:
                    yield begin

    def first_to_mono(self, host, t):
        """The first host's CLOCK_MONOTONIC -> that of `host`."""
        if not self.truth or host == self.truth['reference']:
            return t
        line = self.truth['hosts'][host]
        return t + line['mono_offset_ns'] + round(line['drift_ppm'] * 1e-6 * (t - line['t_mid_ns']))

    def mono_to_first(self, host, mono):
        if not self.truth or host == self.truth['reference']:
            return mono
        line = self.truth['hosts'][host]
        x = mono - line['mono_offset_ns'] - line['t_mid_ns']
        drift = line['drift_ppm'] * 1e-6
        return line['t_mid_ns'] + round(x - x * drift / (1 + drift))

    def to_reference(self, host, mono):
        if host != self.reference:
            mono = self.first_to_mono(self.reference, self.mono_to_first(host, mono))
        return mono + self.offset[self.reference]

    def trace_to_reference(self, host, ts):
        return self.to_reference(host, ts - self.offset[host])

    def reference_to_trace(self, host, t):
        x = t
        for _ in range(6):
            x -= self.trace_to_reference(host, x) - t
        return x
