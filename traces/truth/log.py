# SPDX-License-Identifier: MIT
"""What a workload's log has to be for the checks to use it."""
import json

from truth.phases import ALL_PHASES

# What each kind of line holds besides `ev`.
KEYS = {
    'start': {'what', 'pid', 'mono', 'real', 'args'},
    'end': {'what', 'pid', 'mono', 'real', 'wall_ms', 'proc_cpu_ms'},
    'task': {'role', 'pid', 'tid', 'mono'},
    'phase': {'tid', 'what', 'asked_ms', 'begin', 'end', 'ms'},
    'child': {'tid', 'burn_ms'},
    'gaps': {'tid', 'begin', 'end', 'gaps_ms'},
    'count': {'tid', 'roundtrips'},
    'connect': {'tid', 'to', 'local_port'},
    'accept': {'tid', 'peer_port'},
    'sent': {'tid', 'seq', 'server', 'asked_us', 'mono'},
    'call': {'tid', 'seq', 'begin', 'sent', 'replied', 'end', 'pre_ms', 'wait_ms', 'think_ms'},
    'served': {'how', 'tid', 'seq', 'peer_port', 'begin', 'end', 'lock_wait_ms', 'compute_ms',
               'nested_wait_ms', 'post_ms', 'fsync_ms', 'cpu_ms'},
    'iter': {'tid', 'begin', 'computed', 'end'},
    'bulk': {'tid', 'seq', 'bytes', 'begin', 'sent', 'end', 'ms'},
    'sunk': {'tid', 'bytes', 'ms'},
}


def check(name):
    """(lines, tasks, problems) of one log."""
    rows, problems = [], []
    with open(name) as lines:
        for n, line in enumerate(lines, 1):
            try:
                rows.append((n, json.loads(line)))
            except ValueError as problem:
                problems.append(f'line {n}: {problem}')
    tasks = {r.get('tid') for _, r in rows if r.get('ev') == 'task'}
    if not rows or rows[0][1].get('ev') != 'start':
        problems.append('it does not begin with a line that says what was started')
    if not tasks:
        problems.append('it names no task')
    for n, r in rows:
        problems += [f'line {n}: {text}' for text in wrong(r, tasks)]
    return len(rows), len(tasks), problems


def wrong(r, tasks):
    kind = r.get('ev')
    if kind not in KEYS:
        yield f'no check reads {kind}'
        return
    if KEYS[kind] - set(r):
        yield f"{kind} lacks {' '.join(sorted(KEYS[kind] - set(r)))}"
        return
    if kind == 'phase' and r['what'] not in ALL_PHASES:
        yield f"no check knows the phase {r['what']}"
    if kind not in ('start', 'end', 'child') and r['tid'] not in tasks:
        yield f"{kind} of {r['tid']}, which is no task"
    times = [r[key] for key in ('begin', 'computed', 'sent', 'replied', 'end')
             if isinstance(r.get(key), int)]
    if times != sorted(times):
        yield f'{kind}: times out of order'
