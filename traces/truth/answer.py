# SPDX-License-Identifier: MIT
"""The tool's answer for one task, with times on the reference host's clock."""
import bisect
import collections
import re

MS = 1_000_000
STATES = {'running', 'irq', 'softirq', 'runnable', 'preempted', 'blocked', 'timer', 'disk',
          'network', 'input', 'ipi', 'signal', 'stopped', 'deferred', 'lost', 'unknown'}
ON_CPU = {'running', 'irq', 'softirq'}
CPU = ON_CPU | {'runnable', 'preempted'}  # has the CPU or wants it
NET = {'network', 'deferred'}
UNEXPLAINED = {'blocked', 'unknown', 'lost', 'stopped', 'signal', 'input', 'ipi'}
# Kernel threads that work for others.
KERNEL = re.compile(r'kworker|jbd2|ksoftirqd|kcompactd|khugepaged|napi')


def who(segment):
    return segment['host'], segment['tid']


class Path:
    def __init__(self, answer):
        self.answer = answer
        self.segments = answer['segments']
        self.ends = [s['end'] for s in self.segments]
        # How far times on other hosts may be off, as the tool says.
        error = answer.get('quality', {}).get('max_clock_error') or 0
        self.slack = min(error, 10 * MS)

    def cut(self, begin, end):
        """The segments within [begin, end], each with how long it is in there."""
        for i in range(bisect.bisect_right(self.ends, begin), len(self.segments)):
            s = self.segments[i]
            if s['begin'] >= end:
                break
            yield s, min(s['end'], end) - max(s['begin'], begin)

    def time(self, begin, end, tasks=None, states=None, but=None):
        """ns within [begin, end] on `tasks`, in `states`; `but`: not on these tasks."""
        return sum(time for s, time in self.cut(begin, end)
                   if (tasks is None or who(s) in tasks)
                   and (states is None or s['state'] in states)
                   and (but is None or who(s) not in but))

    def kernel_time(self, begin, end, host=None, states=None):
        """ns on kernel threads that work for others."""
        return sum(time for s, time in self.cut(begin, end)
                   if KERNEL.match(s['comm']) and (host is None or s['host'] == host)
                   and (states is None or s['state'] in states))

    def leaves(self, begin, end, tasks):
        """When the path first is anything else than one of `tasks` with or wanting a CPU."""
        for s, _ in self.cut(begin, end):
            if who(s) not in tasks or s['state'] not in CPU:
                return max(begin, s['begin'])
        return end

    def wrong(self, begin, end, task):
        """What is wrong with the answer in itself, as a list of words."""
        answer, out = self.answer, []
        if answer.get('schema') != 'waitpath-path/1':
            out.append(f"schema {answer.get('schema')}")
        if who(answer['task']) != task:
            out.append(f"task {answer['task']}")
        if (answer['window']['begin'], answer['window']['end']) != (begin, end):
            out.append(f"window {answer['window']} not {begin} {end}")
        return out + self.wrong_segments(begin, end) + self.wrong_totals()

    def wrong_segments(self, begin, end):
        segments, out = self.segments, []
        if not segments or segments[0]['begin'] != begin or segments[-1]['end'] != end:
            out.append('segments do not cover the window')
        for x, y in zip(segments, segments[1:]):
            if x['end'] != y['begin']:
                out.append(f"segment ends at {x['end']}, the next begins at {y['begin']}")
                break
        for s in segments:
            depth = s.get('depth')
            if s['begin'] >= s['end']:
                out.append(f"empty segment at {s['begin']}")
            elif s['state'] not in STATES:
                out.append(f"state {s['state']}")
            elif not isinstance(depth, int) or depth < 0:
                out.append(f'depth {depth}')
            else:
                continue
            break
        return out

    def wrong_totals(self):
        state, host, task = (collections.Counter() for _ in range(3))
        for s in self.segments:
            time = s['end'] - s['begin']
            state[s['state']] += time
            host[s['host']] += time
            task[who(s) + (s['state'],)] += time
        totals, told, out = self.answer['totals'], collections.Counter(), []
        for row in totals['by_task']:
            if sum(row['by_state'].values()) != row['time']:
                out.append(f"by_task {row['tid']}: time is not the sum of its states")
            for name, time in row['by_state'].items():
                told[who(row) + (name,)] += time
        times = [row['time'] for row in totals['by_task']]
        if +collections.Counter(totals['by_state']) != state:
            out.append('by_state is not the sum of the segments')
        if +collections.Counter(totals['by_host']) != host:
            out.append('by_host is not the sum of the segments')
        if +told != task:
            out.append('by_task is not the sum of the segments')
        if times != sorted(times, reverse=True):
            out.append('by_task is not sorted')
        return out
