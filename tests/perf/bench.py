#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""bench.py: measures waitpath and prints what is to be reached and what was: `make bench`.

Everything is a ratio of two things measured in this run, one after the other and several times,
of which the least counts: so a busy machine and a slow one say the same. CPU is user and system
time of a process with its threads. Traces are generated below --dir once and kept.

Rows that others measure come from programs that print lines of "what TAB target TAB reached TAB
yes|no": sync-filter.sh and viewer-frames, when they are there.
"""

import argparse
import fnmatch
import json
import os
import shlex
import subprocess
import sys
import tarfile
import time

DUMMY = 'babeltrace2 -o dummy'
# A virtual machine gives memory back that lies idle for seconds, as while something else is
# measured: who touches it first then pays for the host. So nothing is measured by a first run.
# And what is short is run for a while, since a machine may be slow for that long.
IN_A_ROW = 3
SPELL = 1  # seconds
LONG = 10  # seconds


class Failed(Exception):
    """A command did not do what is measured."""


class Cost:
    """What one run of a command cost: seconds of CPU, those of it in the kernel, and of the wall."""

    def __init__(self, cpu, kernel, wall, output):
        self.cpu, self.kernel, self.wall, self.output = cpu, kernel, wall, output


def run(command, log):
    """Runs a command whose output goes to a file, and returns its cost."""
    with open(log, 'wb') as out:
        begin = time.monotonic()
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT,
                                 stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 4):
        with open(log, errors='replace') as text:
            raise Failed(f"{' '.join(command)}: exit {child.returncode}: {text.read(500)}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_stime, wall, log)


class Bench:
    """The table, and the means to fill it."""

    def __init__(self, options):
        self.options = options
        self.dir = options.dir
        self.large = options.large
        self.rows = []
        self.waitpath = os.path.join(options.builddir, 'waitpath')
        os.makedirs(self.dir, exist_ok=True)

    # ---- measuring ----

    def best(self, commands, times=3):
        """
        The least costs of several commands, run in turn, each IN_A_ROW times and for a SPELL or, if
        it takes long, once.
        """
        least = [None] * len(commands)
        for _ in range(times):
            for i, command in enumerate(commands):
                n, spent = 0, 0
                while n < IN_A_ROW or spent < SPELL:
                    cost = run(command, os.path.join(self.dir, f'out{i}'))
                    is_long = cost.wall > LONG
                    n, spent = n + 1, spent + cost.wall
                    if least[i]:
                        cost.cpu, cost.kernel = min((cost.cpu, cost.kernel),
                                                    (least[i].cpu, least[i].kernel))
                        cost.wall = min(cost.wall, least[i].wall)
                    least[i] = cost
                    if is_long:
                        break
        return least

    def numbers(self, *arguments, times=1):
        """What the tool `measure` prints; of several runs the least of each."""
        found = {}
        tool = os.path.join(self.options.builddir, 'tests/perf/measure')
        for _ in range(times):
            cost = run([tool, *map(str, arguments)], os.path.join(self.dir, 'numbers'))
            with open(cost.output) as text:
                for line in text:
                    name, value = line.split()
                    found[name] = min(int(value), found.get(name, int(value)))
        return found

    # ---- what is measured ----

    def generate(self, name, *arguments):
        """A generated trace, made when it is not there, and what is true of it."""
        path = os.path.join(self.dir, name)
        if not os.path.exists(os.path.join(path, 'truth.json')):
            subprocess.run(['rm', '-rf', path], check=True)
            self.say(f"generating {name}: {' '.join(map(str, arguments))}")
            run([os.path.join(self.options.builddir, 'tests/perf/generate'),
                 *map(str, arguments), path], os.path.join(self.dir, 'generated'))
        with open(os.path.join(path, 'truth.json')) as text:
            return path, json.load(text)

    def mixed(self, millions):
        """The mix of events of a recorded host, on 8 CPUs."""
        return self.generate(f'full-{millions}M', '--events', millions * 1000000, '--cpus', 8)

    def graph(self, trace):
        """The saved graph of a trace, by the program as it is now."""
        path = trace + '.wpg'
        if not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(self.waitpath):
            run([self.waitpath, 'graph', '-q', '-o', path, trace],
                os.path.join(self.dir, 'generated'))
        return path

    def task(self, trace):
        """The task of a trace that waited for others most."""
        cost = run([self.waitpath, 'tasks', '-q', '--format', 'json', trace],
                   os.path.join(self.dir, 'tasks'))
        with open(cost.output) as text:
            tasks = json.load(text)['tasks']
        most = max(tasks, key=lambda task: task['others'])
        return f"{most['host']}:{most['tid']}"

    def path(self, trace, *options, task=None):
        """The command for a path."""
        return [self.waitpath, 'path', '-q', '-t', task or self.task(trace), *options, trace]

    def recorded(self):
        """Recorded traces at hand: (name, directory)."""
        shared = os.path.join(os.environ.get('WAITPATH_SHARED', ''), 'traces')
        archive = os.path.join(shared, 'recorded/big.tar.xz')
        if os.path.exists(archive):
            if not os.path.exists(os.path.join(self.dir, 'big')):
                with tarfile.open(archive) as tar:
                    tar.extractall(self.dir)
            yield 'recorded: big', os.path.join(self.dir, 'big/hosta')
        threads = os.path.join(shared, 'public/many-threads')
        if os.path.exists(threads):
            yield 'recorded: many-threads', threads

    # ---- the table ----

    def say(self, text):
        """To who waits."""
        print(f'# {text}', file=sys.stderr, flush=True)

    def row(self, what, target, reached, good):
        """A line of the table; good: None when there is no target."""
        self.rows.append((what, target, reached, {True: 'yes', False: 'no', None: ''}[good]))
        self.say(' | '.join(self.rows[-1]))

    def print_table(self):
        """All rows, as people read them, and so that they may be pasted into a page."""
        rows = [('what', 'target', 'reached', 'reached?')] + self.rows
        widths = [max(len(row[i]) for row in rows) for i in range(4)]
        for n, row in enumerate(rows):
            print('| ' + ' | '.join(cell.ljust(width) for cell, width in zip(row, widths)) + ' |')
            if n == 0:
                print('|' + '|'.join('-' * (width + 2) for width in widths) + '|')


# ---- one function for each group of rows ----

def bench_cpu(bench):
    """
    CPU of the whole analysis against decoding by Babeltrace alone; with the kernel's share of it,
    which is clearing memory for the graph: by far the most where a virtual machine's is taken back.
    """
    traces = list(bench.recorded())
    traces += [(f'{n} M events', bench.mixed(n)[0]) for n in (1, 10) + (100,) * bench.large]
    costs = bench.best([command for _, trace in traces
                        for command in (bench.path(trace, '--jobs', '1'),
                                        ['babeltrace2', trace, '-o', 'dummy'])], 4)
    for (name, _), ours, dummy in zip(traces, costs[::2], costs[1::2]):
        bench.row(f'waitpath path, CPU against {DUMMY}; {name}', '<= 1/12, aim 1/25',
                  f'1/{dummy.cpu / ours.cpu:.1f} ({ours.kernel / ours.cpu:.0%} in the kernel)',
                  ours.cpu * 12 <= dummy.cpu)


def bench_babeltrace(bench):
    """The same through Babeltrace."""
    for n_cpus in (4, 8, 32):
        trace, _ = bench.generate(f'full-1M-{n_cpus}', '--events', 1000000, '--cpus', n_cpus)
        one, two = [bench.path(trace, '--reader', 'babeltrace', '--jobs', jobs, task='101')
                    for jobs in '12']
        ours, parallel, dummy = bench.best([one, two, ['babeltrace2', trace, '-o', 'dummy']], 5)
        bench.row(f'--reader babeltrace, CPU against {DUMMY}; {n_cpus} streams', '<= 0.95',
                  f'{ours.cpu / dummy.cpu:.2f}', ours.cpu <= 0.95 * dummy.cpu)
        bench.row(f'--reader babeltrace, wall, 2 workers against 1; {n_cpus} streams', '',
                  f'{parallel.wall / ours.wall:.2f}', None)


def bench_model(bench):
    """What state model and graph cost beyond reading."""
    trace, truth = bench.mixed(10)
    decode = bench.numbers('decode', os.path.join(trace, 'host0/kernel'), times=3)['cpu']
    load = bench.numbers('load', trace, times=3)['cpu']
    each = (load - decode) / truth['events']
    bench.row('reading and merging, CPU an event', '', f"{decode / truth['events']:.0f} ns", None)
    bench.row('state model and graph, CPU an event beyond reading', '<= 40 ns', f'{each:.0f} ns',
              each <= 40)


def bench_workers(bench):
    """
    Two workers against one; and how much of two CPUs this machine gives at that time to two runs
    that have nothing to do with each other.
    """
    if len(os.sched_getaffinity(0)) < 2:
        bench.row('wall, 2 workers against 1, 8 streams', '<= 0.6', 'one CPU only', None)
        return
    trace, _ = bench.mixed(10)
    one, two = [bench.path(trace, '--jobs', jobs, task='101') for jobs in '12']
    at_once = ['sh', '-c', f'{shlex.join(one)} & {shlex.join(one)}; s=$?; wait $! && exit $s']
    one, two, at_once = bench.best([one, two, at_once], 15)
    bench.row('wall, 2 workers against 1, 8 streams', '<= 0.6', f'{two.wall / one.wall:.2f}',
              two.wall <= 0.6 * one.wall)
    bench.row('wall, half of two runs at once against one alone', '',
              f'{at_once.wall / one.wall / 2:.2f}', None)


def bench_growth(bench):
    """Ten times the events."""
    sizes = (1, 10) + (100,) * bench.large
    costs = bench.best([bench.path(bench.mixed(n)[0], '--jobs', '1', task='101') for n in sizes], 4)
    for i in range(len(sizes) - 1):
        ratio = costs[i + 1].cpu / costs[i].cpu
        bench.row(f'growth of CPU, {sizes[i]} M to {sizes[i + 1]} M events', '10 within 10 %',
                  f'{ratio:.2f}', ratio <= 11)


def bench_memory(bench):
    """
    Peak of resident memory, without what a trace of no size takes; with the pages of the trace that
    are mapped at that moment, which are a megabyte or two for each stream.
    """
    for mix, target in (('full', 12), ('sched', 30)):
        trace, truth = bench.generate(f'{mix}-10M', '--events', 10000000, '--cpus', 8, '--mix', mix)
        small, few = bench.generate(f'{mix}-10k', '--events', 10000, '--cpus', 8, '--mix', mix)
        large, base = (bench.numbers('peak', *bench.path(path, task='101'), times=3)['peak']
                       for path in (trace, small))
        each = (large - base) / (truth['events'] - few['events'])
        bench.row(f'peak memory an event, 10 M events, {mix} mix', f'<= {target} bytes',
                  f'{each:.1f} bytes', each <= target)


def bench_limit(bench):
    """--max-memory, by its own test."""
    what, target = '--max-memory 256M in a memory cgroup of 320 MB, 20 M events', 'same answers'
    os.environ['G_TEST_BUILDDIR'] = bench.dir
    cost = run([os.path.join(bench.options.srcdir, 'tests/max-memory.sh'), '256', '20'],
               os.path.join(bench.dir, 'limit'))
    with open(cost.output) as text:
        said = text.read()
    if '# SKIP' in said:
        bench.row(what, target, said.strip().split('# SKIP ')[1], None)
    else:
        wrong = said.count('not ok')
        bench.row(what, target, 'others' if wrong else target, wrong == 0)


def bench_path(bench):
    """Paths in a graph that is there."""
    trace, _ = bench.mixed(10)
    found = bench.numbers('path', bench.graph(trace), 50, times=3)
    bench.row('path of a task in a loaded graph of 10 M events, CPU, median of 50 tasks',
              '<= 50 ms', f"{found['median'] / 1e6:.1f} ms", found['median'] <= 50e6)
    bench.row('the same, the first in this graph', '', f"{found['first'] / 1e6:.1f} ms", None)


def bench_tasks(bench):
    """All tasks' paths at once."""
    trace, _ = bench.mixed(10)
    tasks = [bench.waitpath, 'tasks', '-q', '--jobs', '1']
    one, every, top = bench.best([bench.path(trace, '--jobs', '1', task='101'),
                                  [*tasks, '--top', '0', trace], [*tasks, trace]], 15)
    bench.row('waitpath tasks, CPU against waitpath path', '<= 1.3',
              f'{top.cpu / one.cpu:.2f}', top.cpu <= 1.3 * one.cpu)
    bench.row('waitpath tasks --top 0: not whom the first 50 waited for', '',
              f'{every.cpu / one.cpu:.2f}', None)
    few, _ = bench.generate('few-idle', '--events', 3000000, '--cpus', 8)
    many, _ = bench.generate('many-idle', '--events', 3000000, '--cpus', 8, '--idle-tasks', 1000)
    few, many = bench.best([[*tasks, few], [*tasks, many]], 7)
    change = many.cpu / few.cpu - 1
    bench.row('1,000 idle tasks more, CPU of waitpath tasks', '< 10 %', f'{change * 100:+.0f} %',
              change < 0.1)


def bench_staircase(bench):
    """Waits in waits in waits."""
    traces = [bench.generate(f'stairs-{depth}', '--staircase', depth, '--events', depth * 1000,
                             '--cpus', 1)[0] for depth in (300, 3000)]
    for command in ('tasks', 'path'):
        less, more = bench.best([[bench.waitpath, command, '-q', '--jobs', '1', trace] +
                                 ['-t', 'top'] * (command == 'path') for trace in traces], 5)
        bench.row(f'staircase of waits, 300 to 3,000 deep, waitpath {command}', '10 within 20 %',
                  f'{more.cpu / less.cpu:.2f}', more.cpu <= 12 * less.cpu)


def bench_open(bench):
    """A saved graph."""
    millions = 100 if bench.large else 10
    trace, _ = bench.generate(f'sched-{millions}M', '--events', millions * 1000000, '--cpus', 8,
                              '--mix', 'sched')
    found = bench.numbers('open', bench.graph(trace), 5)
    bench.row(f"opening a saved graph of {found['vertices'] / 1e6:.0f} M vertices",
              '<= 0.2 s for 100 M', f"{found['wall'] / 1e9:.4f} s", found['wall'] <= 0.2e9)


def bench_sync(bench):
    """Packets of eight hosts: the join alone against all that the command does."""
    sizes = (1000000, 4000000)  # more than caches hold
    joins = []
    for n_packets in sizes:
        trace, truth = bench.generate(f'packets-{n_packets}', '--packets', n_packets,
                                      '--hosts', 8, '--cpus', 2, '--mix', 'packets')
        whole = bench.best([[bench.waitpath, 'sync', '-q', '--jobs', '1', trace]], 3)[0]
        joins.append(bench.numbers('join', bench.graph(trace), 3)['cpu'] / 1e9)
        check_clocks(bench, trace, truth)
        share = joins[-1] / whole.cpu
        bench.row(f'matching and clocks, share of the run; {n_packets / 1e6:g} M packets, 8 hosts',
                  '<= 20 %', f'{share * 100:.0f} %', share <= 0.2)
    for i in range(len(sizes) - 1):
        ratio = joins[i + 1] / joins[i]
        bench.row(f'growth of it, {sizes[i] / 1e6:g} M to {sizes[i + 1] / 1e6:g} M packets',
                  '4 within 20 %', f'{ratio:.2f}', ratio <= 4.8)


def check_clocks(bench, trace, truth):
    """A fast answer must be the right one: the true offset lies within the bound."""
    cost = run([bench.waitpath, 'sync', '-q', '--format', 'json', trace],
               os.path.join(bench.dir, 'sync'))
    assert len(truth['hosts']) > 1
    with open(cost.output) as text:
        hosts = {host['host']: host for host in json.load(text)['hosts']}
    for host in truth['hosts']:
        for time_, offset, bound in hosts[host['host']]['knots']:
            since = (time_ - truth['begin'] - host['ahead']) / (1 + host['drift_ppb'] / 1e9)
            true = -host['ahead'] - since * host['drift_ppb'] / 1e9
            if abs(offset - true) > bound + 2:
                raise Failed(f"{trace}: {host['host']} is {offset - true:.0f} ns off the truth, "
                             f'which its bound of {bound} ns does not allow')


def bench_others(bench):
    """What measures itself."""
    for name in (os.path.join(bench.options.srcdir, 'tests/perf/sync-filter.sh'),
                 os.path.join(bench.options.builddir, 'tests/perf/viewer-frames')):
        if not os.access(name, os.X_OK):
            bench.say(f'{name} is not there')
            continue
        cost = run([name], os.path.join(bench.dir, 'others'))
        with open(cost.output) as text:
            for line in text:
                cells = line.rstrip('\n').split('\t')
                if len(cells) == 4 and cells[3] in ('yes', 'no', ''):
                    bench.row(*cells[:3], {'yes': True, 'no': False, '': None}[cells[3]])


GROUPS = (bench_cpu, bench_babeltrace, bench_model, bench_workers, bench_growth, bench_memory,
          bench_limit, bench_path, bench_tasks, bench_staircase, bench_open, bench_sync, bench_others)


def main():
    """All groups, or those that are asked for; a group that fails is a row that says so."""
    parser = argparse.ArgumentParser(description='Measures waitpath.')
    parser.add_argument('--dir', required=True, help='for traces and graphs')
    parser.add_argument('--builddir', required=True)
    parser.add_argument('--srcdir', required=True)
    parser.add_argument('--large', action='store_true', help='up to 100 M events')
    parser.add_argument('--clocks', metavar='TRACE',
                        help='only compare the clocks of a generated trace with the truth')
    parser.add_argument('--only', default='', help='groups, by pattern: cpu, growth, ...')
    bench = Bench(parser.parse_args())
    failed = False
    if bench.options.clocks:
        with open(os.path.join(bench.options.clocks, 'truth.json')) as text:
            check_clocks(bench, bench.options.clocks, json.load(text))
        return 0
    for group in GROUPS:
        name = group.__name__[len('bench_'):]
        if bench.options.only and not any(fnmatch.fnmatch(name, pattern)
                                          for pattern in bench.options.only.split()):
            continue
        try:
            group(bench)
        except Failed as problem:
            bench.row(name, '', str(problem), False)
            failed = True
    bench.print_table()
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
