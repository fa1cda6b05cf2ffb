#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs waitpath with random traces, options and windows and checks every answer in itself.

usage: soak.py [--tool WAITPATH] [--runs N] [--seed N] [--keep DIR] [--schemas DIR] TRACE_DIR...

Below each TRACE_DIR every folder with a trace, or with one folder a host, is a subject; now
and then a file of it is cut, emptied or filled with noise in a copy. Whatever the command, it
must end by itself with a status of its contract, say one sentence when it fails, and where it
answers in JSON the answer must fit its schema, its segments must partition the window, its
totals must be their sums, and two runs with other numbers of jobs must agree to the byte.
"""
import argparse
import collections
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

TIMEOUT = 120  # seconds: only to end what hangs
STATUSES = {0, 1, 2, 3, 4}


def subjects_of(top):
    """Folders that hold traces, at any depth, and those above them."""
    found = set()
    for directory, _, files in os.walk(top):
        if 'metadata' in files:
            while len(directory) >= len(top):
                found.add(directory)
                directory = os.path.dirname(directory)
    found.discard(top)
    return sorted(found)


class Soak:
    def __init__(self, options):
        self.tool, self.random = options.tool, random.Random(options.seed)
        self.keep = options.keep
        self.subjects = [s for top in options.trace_dir for s in subjects_of(top.rstrip('/'))]
        self.schemas = self.load_schemas(options.schemas)
        self.faults, self.counts = [], collections.Counter()
        self.tasks = {}

    @staticmethod
    def load_schemas(directory):
        try:
            import jsonschema
        except ImportError:
            return {}
        found = {}
        for name in os.listdir(directory) if directory else []:
            if name.endswith('.json'):
                with open(os.path.join(directory, name), encoding='utf-8') as file:
                    schema = json.load(file)
                key = name[:-len('.json')].rsplit('-', 1)
                found['/'.join(key)] = jsonschema.Draft7Validator(schema)
        return found

    def fault(self, command, text):
        self.faults.append((' '.join(command), text))
        subject = command[-1]
        if self.keep and os.path.isdir(subject):
            kept = os.path.join(self.keep, str(len(self.faults)))
            shutil.copytree(subject, kept, symlinks=True)
            text += f'\n      kept: {kept}'
        print('FAULT', ' '.join(command), '\n     ', text, flush=True)

    def run(self, command):
        try:
            process = subprocess.run(command, capture_output=True, timeout=TIMEOUT, check=False,
                                     stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            self.fault(command, f'still running after {TIMEOUT} s')
            return None
        if process.returncode not in STATUSES:
            self.fault(command, f'ends with {process.returncode}: '
                       + process.stderr.decode(errors='replace')[-500:])
            return None
        # A report that can't relate all clocks says so itself, and ends with 3.
        words = process.stderr.strip() or (process.returncode == 3 and process.stdout.strip())
        if process.returncode in (1, 2, 3) and not words:
            self.fault(command, f'ends with {process.returncode} and no word')
        self.counts[f'status {process.returncode}'] += 1
        return process

    # ------------------------------------------------------------ subjects
    def damaged(self, subject, directory):
        """A copy of a subject in which one file is not what it was."""
        copy = os.path.join(directory, 'copy')
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(subject, copy, symlinks=True)
        for path, _, _ in os.walk(copy):
            os.chmod(path, 0o755)
        files = [os.path.join(d, f) for d, _, fs in os.walk(copy) for f in fs
                 if not f.endswith(('.jsonl', '.md', '.json', '.txt'))]
        victim = self.random.choice(files)
        os.chmod(victim, 0o644)
        size = os.path.getsize(victim)
        how = self.random.choice(('cut', 'empty', 'noise', 'remove', 'grow'))
        with open(victim, 'r+b') as file:
            if how == 'cut' and size:
                file.truncate(self.random.randrange(size))
            elif how == 'empty':
                file.truncate(0)
            elif how == 'noise' and size:
                for _ in range(self.random.randint(1, 50)):
                    file.seek(self.random.randrange(size))
                    file.write(bytes([self.random.randrange(256)]))
            elif how == 'grow':
                file.seek(0, os.SEEK_END)
                file.write(self.random.randbytes(self.random.randint(1, 5000)))
        if how == 'remove':
            os.remove(victim)
        self.counts['damaged: ' + how] += 1
        return copy

    def tasks_of(self, subject):
        if subject not in self.tasks:
            process = self.run([self.tool, 'tasks', '--format', 'json', subject])
            self.tasks[subject] = []
            if process and process.returncode == 0:
                self.tasks[subject] = json.loads(process.stdout)['tasks']
        return self.tasks[subject]

    # ------------------------------------------------------------ checks
    def check_schema(self, command, answer):
        schema = self.schemas.get(answer.get('schema'))
        if schema:
            error = next(schema.iter_errors(answer), None)
            if error:
                self.fault(command, f'does not fit its schema: {error.message[:300]}')

    def check_path(self, command, answer):
        window, segments = answer['window'], answer['segments']
        time, states, hosts = window['begin'], collections.Counter(), collections.Counter()
        for segment in segments:
            if segment['begin'] != time or segment['end'] <= time:
                self.fault(command, f'no partition at {time}')
                return
            time = segment['end']
            states[segment['state']] += segment['end'] - segment['begin']
            hosts[segment['host']] += segment['end'] - segment['begin']
        if time != window['end']:
            self.fault(command, f'ends at {time}, not at {window["end"]}')
        totals = answer['totals']
        for name, told, right in (('state', totals['by_state'], states),
                                  ('host', totals['by_host'], hosts)):
            if {k: v for k, v in told.items() if v} != dict(right):
                self.fault(command, f'the totals by {name} are not the sums of the segments')
        if sum(t['time'] for t in totals['by_task']) != time - window['begin']:
            self.fault(command, 'the totals by task do not add up to the window')

    def check_tasks(self, command, answer):
        for task in answer['tasks']:
            if task['time'] != task['end'] - task['begin'] or \
               sum(task['by_state'].values()) != task['time'] or \
               task['own'] + task['others'] != task['time']:
                self.fault(command, f'task {task["tid"]} does not add up')
                return

    # ------------------------------------------------------------ one run
    def command(self, subject, name):
        command = [self.tool, name, '--format', self.random.choice(('json', 'json', 'text'))]
        if self.random.random() < 0.3:
            command += ['--reader', self.random.choice(('auto', 'direct', 'babeltrace'))]
        if self.random.random() < 0.2:
            command += ['--max-memory', self.random.choice(('1M', '64M'))]
        tasks = self.tasks_of(subject) if name in ('path', 'tasks') else []
        if name == 'path':
            if self.random.random() < 0.3:
                command += ['--mode', 'causal']
            if self.random.random() < 0.2:
                command += ['--strict']
            task = self.random.choice(tasks) if tasks else {'host': 'h', 'tid': 1, 'begin': 0, 'end': 9}
            command += ['-t', f"{task['host']}:{task['tid']}"]
            if self.random.random() < 0.8 and task['end'] > task['begin']:
                spread = task['end'] - task['begin']
                a, b = sorted(task['begin'] + self.random.randint(-spread // 8, spread + spread // 8)
                              for _ in range(2))
                command += ['--begin', str(a), '--end', str(b + 1), '--reference', task['host']]
        return command

    def once(self, directory):
        subject = self.random.choice(self.subjects)
        name = self.random.choice(('path', 'path', 'path', 'tasks', 'check', 'sync'))
        command = self.command(subject, name)
        if self.random.random() < 0.3:
            subject = self.damaged(subject, directory)
        first = self.run(command + ['--jobs', '1', subject])
        second = self.run(command + ['--jobs', str(self.random.randint(2, 8)), subject])
        self.counts[name] += 1
        if not first or not second:
            return
        if (first.stdout, first.stderr, first.returncode) != \
           (second.stdout, second.stderr, second.returncode):
            self.fault(command + [subject], 'differs with the number of jobs')
        if 'json' not in command or first.returncode not in (0, 3, 4) or not first.stdout:
            return
        try:
            answer = json.loads(first.stdout)
        except ValueError as error:
            self.fault(command + [subject], f'no JSON: {error}')
            return
        self.check_schema(command + [subject], answer)
        if name == 'path':
            self.check_path(command + [subject], answer)
        elif name == 'tasks':
            self.check_tasks(command + [subject], answer)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument('--tool', default='./waitpath')
    parser.add_argument('--runs', type=int, default=1000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--keep', metavar='DIR', help='folder for subjects that show faults')
    parser.add_argument('--schemas', default=os.path.join(here, '..', '..', 'doc', 'schema'))
    parser.add_argument('trace_dir', nargs='+')
    options = parser.parse_args()
    soak = Soak(options)
    if not soak.subjects:
        sys.exit('soak.py: no trace below ' + ', '.join(options.trace_dir))
    with tempfile.TemporaryDirectory(prefix='waitpath-soak-') as directory:
        for _ in range(options.runs):
            soak.once(directory)
    for key, n in sorted(soak.counts.items()):
        print(f'{n:8} {key}')
    print(f'{options.runs} runs, {len(soak.faults)} faults')
    return 1 if soak.faults else 0


if __name__ == '__main__':
    sys.exit(main())
