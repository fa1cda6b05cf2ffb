#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes SCENARIO/README.md: what ran, from the workloads' own logs.

usage: describe.py SCENARIO [VERSIONS]

VERSIONS is a file that says of what the guests were made.
"""
import collections
import json
import os
import sys


def read_log(scenario, host):
    rows = []
    for name in sorted(os.listdir(os.path.join(scenario, host))):
        if name.endswith('.jsonl') and not name.startswith('clock-truth'):
            with open(os.path.join(scenario, host, name)) as lines:
                rows += [json.loads(line) for line in lines if line.strip()]
    return rows


def durations(rows):
    """(what, list of ms) of everything that the log times."""
    found = collections.defaultdict(list)
    for r in rows:
        if r['ev'] == 'phase':
            found[f"tid {r['tid']} {r['what']}"].append(r['ms'])
        elif r['ev'] == 'call':
            for key, words in (('pre_ms', 'computes before a call'), ('wait_ms', 'waits in a call'),
                               ('think_ms', 'sleeps after a call')):
                found[f"tid {r['tid']} {words}"].append(r[key])
        elif r['ev'] == 'served':
            for key in ('lock_wait_ms', 'compute_ms', 'nested_wait_ms', 'post_ms', 'fsync_ms'):
                if r[key] > 0.01:
                    found[f"tid {r['tid']} serving: {key}"].append(r[key])
        elif r['ev'] == 'iter':
            found[f"tid {r['tid']} computes in a round"].append(r['compute_ms'])
            found[f"tid {r['tid']} waits at the barrier"].append(r['barrier_ms'])
        elif r['ev'] == 'bulk':
            found[f"tid {r['tid']} transfers {r['bytes']} bytes"].append(r['ms'])
    return found


def describe_host(out, scenario, host):
    rows = read_log(scenario, host)
    out.write(f'\n## {host}\n\n')
    for r in rows:
        if r['ev'] == 'start':
            out.write(f"- `{r.get('args', r['what'])}`, pid {r['pid']}\n")
        elif r['ev'] == 'task':
            out.write(f"- task {r['role']}: pid {r['pid']}, tid {r['tid']}\n")
        elif r['ev'] == 'connect':
            out.write(f"- tid {r['tid']} connects to {r['to']} port {r['port']} ({r['type']}) "
                      f"from port {r['local_port']}\n")
    table = durations(rows)
    if table:
        out.write('\n| what | times | total ms | least | most |\n|---|---|---|---|---|\n')
    for what, ms in table.items():
        out.write(f'| {what} | {len(ms)} | {sum(ms):.1f} | {min(ms):.2f} | {max(ms):.2f} |\n')


def describe_clocks(out, scenario):
    with open(os.path.join(scenario, 'clock-truth.json')) as file:
        truth = json.load(file)
    out.write('\n## Clocks\n\nMeasured through memory that the guests share:\n\n')
    for host, line in truth['hosts'].items():
        out.write(f"- {host}'s trace clock minus hosta's: {line.get('trace_offset_ns')} ns "
                  f"(+-{line['offset_uncertainty_ns']} ns), drift {line['drift_ppm']} ppm\n")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    scenario = sys.argv[1].rstrip('/')
    hosts = sorted(h for h in os.listdir(scenario) if os.path.isdir(os.path.join(scenario, h)))
    with open(os.path.join(scenario, 'README.md'), 'w') as out:
        out.write(f'# {os.path.basename(scenario)}\n')
        for host in hosts:
            describe_host(out, scenario, host)
        if os.path.exists(os.path.join(scenario, 'clock-truth.json')):
            describe_clocks(out, scenario)
        if len(sys.argv) > 2:
            with open(sys.argv[2]) as versions:
                out.write('\n## Recorded with\n\n' + ''.join('- ' + line for line in versions))


if __name__ == '__main__':
    main()
