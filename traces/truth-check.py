#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Checks waitpath against what recorded workloads wrote about themselves.

A scenario directory holds one directory a host, with the LTTng trace (HOST/trace) and the
workload's own log (HOST/*.jsonl), and for several hosts clock-truth.json, the measured relation
of their clocks. For every task of the workload the tool is run once over the task's life,

    COMMAND path -t HOST:TID --begin NS --end NS --reference HOST --format json HOST/trace...

(COMMAND is `waitpath` unless given; it may hold arguments), and the segments that it returns
are cut at the phases that the log tells of. A phase begins and ends while its task runs, so
the cut equals a run over that phase alone. `COMMAND sync` is checked against clock-truth.json.

Each line of output is one kind of check in one scenario: ok or FAIL, the number of checks, and
the largest time that was not where it belongs beside what is tolerated. Kinds:
  invariants  the segments partition the window, totals are their sums, states are allowed ones
  cpu         computing: only the task itself, running, interrupted or waiting for a CPU
  cputime     computing for a given CPU time: running and interrupted time is that time
  timer       sleeps and time-outs: the task's own timer wait, at least as long as asked
  disk        direct reads and writes, fsync: what is not the task's own CPU time is disk, or
              spent in kernel threads that work for it
  lock        waits for a lock: on the tasks that held it meanwhile
  inversion   while one of middle priority computes, the holder of a lock that one of high priority
              wants is kept from running; when it inherits the priority it is not
  interrupts  of a task that watches its clock: no longer than the gaps that it saw, and some in
              each burst of packets
  handoff     waits for another task (pipe, condition variable, chain, child): on that task
              while it says that it computes or sleeps
  child       fork, exec, wait: on parent and child only, on the child as long as it computes
  join        waits for threads and processes: nothing unexplained
  rpc         a call over the network: while a server says that it works for this call the path
              is on the server, and on it for as long in all
  rpc-rest    the rest of the call: network and CPU time of the tasks that take part, nothing
              unexplained, no more than the log leaves room for
  rpc-timer, rpc-disk, rpc-lock
              what a server slept, waited for its disk, or for a lock (of 1 ms and more), on
              behalf of a call
  pool        waits for a connection that other threads have: on their calls only, and on the
              server while it works for the one that gives its connection back
  fanout      two calls at once: on the server whose answer comes next
  bsp         a barrier over three hosts: on the slowest rank
  bulk        a bulk transfer: network and CPU time only
  sync        clock offset and drift of each host: within the bound that the tool claims, at 41
              times over the trace, no inversions
  bound       the claimed bound amid the calls: at most 1 ms (7 ms where the link is delayed)

With --log nothing is asked of the tool: the arguments are logs, and each is read for what a check
could not use (lines that are not understood, phases of unknown name, times out of order).

The exit status is 0 if something was checked and nothing failed.
"""
import argparse
import concurrent.futures
import json
import os
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

from truth import log, report, sync  # noqa: E402
from truth.answer import MS  # noqa: E402
from truth.clocks import NotRecorded  # noqa: E402
from truth.scenario import Scenario  # noqa: E402


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tool', default='waitpath', metavar='COMMAND')
    parser.add_argument('--reference', default='hosta', metavar='HOST')
    parser.add_argument('-j', type=int, default=1, metavar='N', help='scenarios at a time')
    parser.add_argument('--json', action='store_true', help='print all of it as one JSON object')
    parser.add_argument('--report', metavar='FILE', help='write the accuracy report too')
    parser.add_argument('-v', action='store_true', help='up to eight failing phases a check')
    parser.add_argument('--log', action='store_true', help='read logs only: DIR is a log')
    parser.add_argument('scenario', nargs='+', metavar='DIR')
    return parser.parse_args()


def worst_of(results):
    """The check furthest above its limit, else the one nearest to it."""
    return max(results, key=lambda r: (r[0] > r[1],
                                       r[0] - r[1] if r[0] > r[1] else r[0] / max(r[1], 1)))


def print_kind(scenario, kind, results, verbose):
    bad = [r for r in results if r[0] > r[1]]
    deviation, limit, what = worst_of(results)
    unit, name = {'invariants': (1, ''), 'sync': (1000, ' us')}.get(kind, (MS, ' ms'))
    print(f"{'FAIL' if bad else 'ok  '} {scenario.name:24} {kind:10} n={len(results):<4} "
          + (f'{len(bad)} fail, ' if bad else '')
          + f'worst {deviation / unit:.3f}{name} (may {limit / unit:.3f})'
          + (': ' + what if bad or kind == 'sync' else ''), flush=True)
    if kind == 'sync' and not bad:
        for _, _, text in results:
            if 'drift' in text:
                print('       ' + text)
    for d, l, text in bad[:8] if verbose else []:
        print(f'       {d / unit:.3f} > {l / unit:.3f}{name} {text}')


def row_of(scenario, kind, results):
    bad = sum(r[0] > r[1] for r in results)
    deviation, limit, what = worst_of(results)
    return {'scenario': scenario.name, 'check': kind, 'ok': not bad, 'n': len(results),
            'failed': bad, 'worst': {'deviation': deviation, 'limit': limit, 'what': what},
            'seconds': round(scenario.runtime, 1)}


def check_logs(files):
    failed = 0
    for name in files:
        n, tasks, problems = log.check(name)
        failed += bool(problems)
        print(f"{'FAIL' if problems else 'ok  '} {name}: {n} lines, {tasks} tasks"
              + ''.join('\n       ' + text for text in problems[:8]))
    return failed > 0


def main():
    options = parse_arguments()
    if options.log:
        return check_logs(options.scenario)
    command = shlex.split(options.tool)
    if not shutil.which(command[0]):
        sys.exit(f'truth-check.py: no command {command[0]}')

    def run(directory):
        try:
            return Scenario(directory, options.tool, options.reference).run()
        except NotRecorded as problem:
            return os.path.basename(directory.rstrip('/')), str(problem)

    rows, done = [], []
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        for scenario in pool.map(run, options.scenario):
            if isinstance(scenario, tuple):
                if not options.json:
                    print(f'skip {scenario[0]}: {scenario[1]}')
                continue
            done.append(scenario)
            for kind, results in scenario.results.items():
                rows.append(row_of(scenario, kind, results))
                if not options.json:
                    print_kind(scenario, kind, results, options.v)
    failed = sum(not row['ok'] for row in rows)
    if options.json:
        print(json.dumps({'passed': len(rows) - failed, 'failed': failed, 'checks': rows},
                         indent=1))
    else:
        print(f'{len(rows) - failed} passed, {failed} failed')
    if options.report:
        version = subprocess.run(command + ['--version'], capture_output=True, text=True,
                                 check=False).stdout.strip()
        with open(options.report, 'w') as file:
            report.write(done, 'make truth', version, sync.PLACES, file)
    return failed > 0 or not rows


if __name__ == '__main__':
    sys.exit(main())
