# SPDX-License-Identifier: MIT
"""One scenario: the workload's log, the tool's answers, and the results of the checks."""
import collections
import glob
import json
import os
import shlex
import subprocess
import time

from truth import calls, phases, sync
from truth.answer import KERNEL, MS, Path, who
from truth.clocks import Clocks, NotRecorded

TIMES = ('begin', 'end', 'sent', 'replied', 'computed', 'mono')
TIMED_EVENTS = ('phase', 'call', 'served', 'iter', 'bulk')


class Share:
    """Of path time whose truth is known: how much is where it belongs, in ns."""

    def __init__(self):
        self.known = self.host = self.task = self.state = 0

    def add(self, other):
        for name in ('known', 'host', 'task', 'state'):
            setattr(self, name, getattr(self, name) + getattr(other, name))


class Scenario:
    def __init__(self, directory, tool, reference):
        self.directory = directory.rstrip('/')
        self.name = os.path.basename(self.directory)
        self.command = shlex.split(tool)
        names = os.listdir(self.directory) if os.path.isdir(self.directory) else []
        self.hosts = sorted(h for h in names if os.path.isdir(self.trace_of(h)))
        if not self.hosts:
            raise NotRecorded('no HOST/trace')
        self.clocks = Clocks(self.directory, self.hosts, reference)
        self.rows = []
        for host in self.hosts:
            for file in sorted(glob.glob(os.path.join(self.directory, host, '*.jsonl'))):
                if not os.path.basename(file).startswith('clock-truth'):
                    self.rows += self.read_log(host, file)
        # The workload ran before tracing did.
        self.midway = any(r.get('begin', r.get('mono', 1 << 63)) < self.clocks.created
                          for r in self.rows)
        self.args = ' '.join(r.get('args', '') for r in self.rows if r['ev'] == 'start')
        self.results = {}  # kind -> list of (deviation, limit, text), ns
        self.shares = collections.defaultdict(Share)  # kind -> Share
        self.clock_errors = []  # (error, bound), ns
        self.paths = {}  # task -> Path
        self.runtime = 0.0
        # A trace without timer events cannot tell what ended a sleep.
        self.timer = {'timer'}
        if 'timer_hrtimer_expire_entry' not in self.clocks.events:
            self.timer |= {'unknown', 'blocked'}

    def trace_of(self, host):
        return os.path.join(self.directory, host, 'trace')

    def read_log(self, host, file):
        """The rows of one log, with times on the reference host's trace clock."""
        with open(file) as lines:
            rows = [json.loads(line) for line in lines if line.strip()]
        for i, r in enumerate(rows):
            r['host'], r['task'] = host, (host, r.get('tid'))
            if r['ev'] == 'phase' and r['what'] == 'fork_exec_wait':
                r['child'] = next((x['tid'] for x in rows[i + 1:i + 3] if x['ev'] == 'child'), None)
            for key in TIMES:
                if isinstance(r.get(key), int):
                    r[key] = self.clocks.to_reference(host, r[key])
            if 'reply_at' in r:
                r['reply_at'] = [self.clocks.to_reference(host, t) for t in r['reply_at']]
        return rows

    def of(self, *events):
        return [r for r in self.rows if r['ev'] in events]

    def process_of(self, task):
        """(host, pid) of a task of the workload."""
        return next(((r['host'], r['pid']) for r in self.of('task') if r['task'] == task), None)

    # ---- results ----

    def note(self, kind, deviation, limit, text):
        """One check: it fails when the deviation is above the limit."""
        self.results.setdefault(kind, []).append((deviation, limit, text))

    def expect(self, kind, path, begin, end, tasks, states, kernel=False):
        """The truth of [begin, end]: on one of `tasks`, in one of `states`. `kernel`: also on
        kernel threads of these hosts."""
        share, hosts = Share(), {host for host, _ in tasks}
        if end <= begin:
            return
        share.known = end - begin
        for s, length in path.cut(begin, end):
            helper = kernel and KERNEL.match(s['comm'])
            on_host = s['host'] in hosts
            on_task = on_host and (who(s) in tasks or bool(helper))
            share.host += length if on_host else 0
            share.task += length if on_task else 0
            share.state += length if on_task and s['state'] in states else 0
        self.shares[kind].add(share)

    # ---- running the tool ----

    def tool(self, *args):
        start = time.time()
        command = self.command + list(args) + ['--reference', self.clocks.reference,
                                               '--format', 'json']
        done = subprocess.run(command + [self.trace_of(h) for h in self.hosts],
                              capture_output=True, text=True, check=False)
        self.runtime += time.time() - start
        return done

    def ask_path(self, task, *window):
        done = self.tool('path', '-t', f'{task[0]}:{task[1]}', *window)
        try:
            return Path(json.loads(done.stdout)), done.returncode
        except ValueError:
            raise RuntimeError(f'path of {task[0]}:{task[1]}: exit {done.returncode}, '
                               f'{done.stderr.strip()[-300:]}') from None

    def check_path(self, task, window):
        """Asks for the path of a task in a window (None: its life) and checks it in itself."""
        args = ('--begin', str(window[0]), '--end', str(window[1])) if window else ()
        try:
            path, status = self.ask_path(task, *args)
        except RuntimeError as problem:
            self.note('invariants', 1, 0, str(problem))
            return None
        told = path.answer['window']
        bad = path.wrong(*(window or (told['begin'], told['end'])), task)
        if status not in (0, 4):
            bad.append(f'exit status {status}')
        self.note('invariants', len(bad), 0, f'{task[0]}:{task[1]} ' + '; '.join(bad))
        return path

    def drop_what_was_not_traced(self):
        """Leaves out what the log tells of when a trace was not running, or had just begun."""
        tasks = sorted({r['task'] for r in self.of('task')})
        lives = [self.ask_path(task)[0].answer['window'] for task in tasks]
        begin = max(w['begin'] for w in lives) + 50 * MS
        end = min(w['end'] for w in lives)
        self.rows = [r for r in self.rows
                     if 'begin' not in r or r['begin'] >= begin and r['end'] <= end]

    def windows(self):
        """task -> from the first to the last thing that the log says of it."""
        windows = {}
        for r in self.of(*TIMED_EVENTS):
            if r['end'] > r['begin']:
                begin, end = windows.get(r['task'], (r['begin'], r['end']))
                windows[r['task']] = min(begin, r['begin']), max(end, r['end'])
        return windows

    def run(self):
        if self.midway:
            try:
                self.drop_what_was_not_traced()
            except RuntimeError as problem:
                self.note('invariants', 1, 0, str(problem))
                return self
        windows = self.windows()
        for task, window in sorted(windows.items()):
            path = self.check_path(task, window)
            if path:
                self.paths[task] = path
        # Nothing known of these but that they were.
        for task in sorted({r['task'] for r in self.of('task')} - set(windows)):
            self.check_path(task, None)
        phases.check(self)
        calls.check(self)
        if len(self.hosts) > 1:
            sync.check(self)
        return self
