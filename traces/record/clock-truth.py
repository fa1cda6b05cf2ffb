#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The true relation of the clocks of a scenario: writes SCENARIO/clock-truth.json.

usage: clock-truth.py SCENARIO [SCENARIO OF THE SAME BOOT...]

HOST/clock-truth.jsonl holds what `shared clock` measured: at many times a lower bound of a
peer's clock minus the own one. With both sides' bounds the offset lies between two sets of
points; drift and offset are those of the line in the middle of the widest gap between them.
Scenarios of one boot share their clocks, so the bounds of all are used where one line fits
them, else the scenario's own.
"""
import json
import os
import re
import sys

HOSTS = ['hosta', 'hostb', 'hostc']


def rows_of(scenario, host):
    try:
        with open(os.path.join(scenario, host, 'clock-truth.jsonl')) as lines:
            return [json.loads(line) for line in lines]
    except OSError:
        return []


def metadata_offset(scenario, host):
    """Trace clock minus CLOCK_MONOTONIC, or None."""
    for folder, _, files in os.walk(os.path.join(scenario, host, 'trace')):
        if 'metadata' in files:
            with open(os.path.join(folder, 'metadata'), 'rb') as file:
                found = re.search(rb'offset = (\d+);', file.read())
            return int(found.group(1)) if found else None
    return None


class Gap:
    """Points that are below a line and points that are above it, as (seconds, ns)."""

    def __init__(self, below, above):
        self.below, self.above = below, above

    def width(self, drift):
        """Between the points along lines of this drift (ns a second): width, low, high."""
        low = max(b - drift * t for t, b in self.below)
        high = min(b - drift * t for t, b in self.above)
        return high - low, low, high

    def best(self):
        """The drift of the widest gap: the width is concave in the drift."""
        x, y = -1e6, 1e6
        for _ in range(200):
            first, second = x + (y - x) / 3, y - (y - x) / 3
            if self.width(first)[0] < self.width(second)[0]:
                x = first
            else:
                y = second
        return (x + y) / 2

    def edge(self, outside, inside):
        """The drift between these two at which the gap closes."""
        for _ in range(100):
            middle = (outside + inside) / 2
            if self.width(middle)[0] > 0:
                inside = middle
            else:
                outside = middle
        return inside


def fit(rank, scenario, boot):
    """The line of one host against the first, or None."""
    below, above, own = [], [], []
    for other in boot:
        for row in rows_of(other, HOSTS[0]):
            below += row['lower_bounds'].get(f'{rank}_minus_0', [])
        for row in rows_of(other, HOSTS[rank]):
            above += [(t + b, -b) for t, b in row['lower_bounds'].get(f'0_minus_{rank}', [])]
    for row in rows_of(scenario, HOSTS[0]):
        own += [t for t, _ in row['lower_bounds'].get(f'{rank}_minus_0', [])]
    if not below or not above or not own:
        return None
    middle, base = (min(own) + max(own)) // 2, below[0][1]
    gap = Gap([((t - middle) / 1e9, b - base) for t, b in below],
              [((t - middle) / 1e9, b - base) for t, b in above])
    drift = gap.best()
    width, low, high = gap.width(drift)
    if width <= 0:
        return None
    return {'t_mid_ns': middle,
            'mono_offset_ns': round(base + (low + high) / 2),
            'offset_uncertainty_ns': round(width / 2),
            'drift_ppm': round(drift / 1e3, 4),
            'drift_ppm_range': [round(gap.edge(drift - 1e6, drift) / 1e3, 4),
                                round(gap.edge(drift + 1e6, drift) / 1e3, 4)],
            'bounds_used': len(below) + len(above), 'scenarios_used': len(boot)}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    scenario, boot = sys.argv[1], sys.argv[2:] or [sys.argv[1]]
    hosts = [h for h in HOSTS if os.path.isdir(os.path.join(scenario, h))]
    offsets = {h: metadata_offset(scenario, h) for h in hosts}
    truth = {'reference': HOSTS[0],
             'real_minus_mono_ns': {h: (rows_of(scenario, h) or [{}])[-1].get('real_minus_mono')
                                    for h in hosts},
             'metadata_clock_offset_ns': offsets, 'hosts': {}}
    for rank, host in enumerate(hosts[1:], 1):
        line = fit(rank, scenario, boot) or fit(rank, scenario, [scenario])
        if not line:
            print(f'clock-truth: {scenario}: no line fits the bounds of {host}', file=sys.stderr)
            continue
        if offsets[host] and offsets[HOSTS[0]]:
            line['trace_offset_ns'] = line['mono_offset_ns'] + offsets[host] - offsets[HOSTS[0]]
        truth['hosts'][host] = line
    with open(os.path.join(scenario, 'clock-truth.json'), 'w') as file:
        json.dump(truth, file, indent=1)
        file.write('\n')


if __name__ == '__main__':
    main()
