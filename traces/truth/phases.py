# SPDX-License-Identifier: MIT
"""Checks of what happens within one host: phases of known begin, end and kind."""
from truth.answer import CPU, MS, NET, ON_CPU, STATES, UNEXPLAINED

HOLDING = {'holding_cpu', 'holder_cpu', 'holding_cputime'}
CPU_PHASES = HOLDING | {'cpu', 'parent_cpu', 'child_cpu', 'produce_cpu', 'consume_cpu',
                        'stage_cpu', 'hog_cputime', 'victim_cputime', 'quota_cputime', 'spin_cpu',
                        'victim_cpu', 'burst'}
CPUTIME_PHASES = {'hog_cputime', 'victim_cputime', 'quota_cputime', 'holding_cputime'}
TIMER_PHASES = {'nanosleep', 'poll_timeout', 'epoll_timeout', 'select_timeout', 'timerfd_read',
                'outside_sleep', 'child_sleep', 'victim_sleep'}
DISK_PHASES = {'odirect_write_64k', 'odirect_read_64k', 'aio_read_64k', 'uring_read_64k',
               'fsync'}
HANDOFF_PHASES = {'parent_wait_child', 'wait_ack', 'wait_item', 'waitpid'}
JOIN_PHASES = {'main_joins', 'main_waits', 'join', 'waitpid'}
# Checked by a function of their own, here or in calls.py.
OTHER_PHASES = {'lock_wait', 'fork_exec_wait', 'pool_wait'}
ALL_PHASES = CPU_PHASES | TIMER_PHASES | DISK_PHASES | HANDOFF_PHASES | JOIN_PHASES | OTHER_PHASES


class Sums:
    """What is only checked over all phases of a scenario."""

    def __init__(self):
        self.spent, self.slept = [], []
        self.computed = self.interrupts = 0
        self.kernel = self.kernel_preempted = 0


def check(scenario):
    sums = Sums()
    rows = scenario.of('phase')
    for r in rows:
        path = scenario.paths.get(r['task'])
        if path is None or r['end'] <= r['begin']:
            continue
        text = f"{r['what']} of {r['host']}:{r['tid']} at {r['begin']}, " \
               f"{(r['end'] - r['begin']) / MS:.3f} ms"
        what = r['what']
        if what in CPU_PHASES:
            check_cpu(scenario, path, r, text, sums)
        if what in TIMER_PHASES:
            check_timer(scenario, path, r, text, sums)
        if what in DISK_PHASES:
            check_disk(scenario, path, r, text, sums)
        if what == 'lock_wait' and r['end'] - r['begin'] >= MS:
            check_lock(scenario, path, r, text, rows)
            check_inversion(scenario, path, r, text, rows)
        if what in HANDOFF_PHASES:
            check_handoff(scenario, path, r, text, rows)
        if what == 'fork_exec_wait' and r.get('child'):
            check_child(scenario, path, r, text)
        if what in JOIN_PHASES:
            check_join(scenario, path, r, text)
    check_sums(scenario, sums)
    check_interrupts(scenario, rows)


def check_cpu(scenario, path, r, text, sums):
    begin, end, me = r['begin'], r['end'], {r['task']}
    length = end - begin
    own = path.time(begin, end, me, CPU)
    scenario.note('cpu', length - own, 0.002 * length + 2 * path.slack, text)
    scenario.expect('cpu', path, begin, end, me, CPU)
    sums.computed += length
    sums.interrupts += path.time(begin, end, me, {'irq', 'softirq'})
    if r['what'] in CPUTIME_PHASES:
        # A machine whose virtual CPU is taken away for a while reads too much, at times; too
        # little, never.
        on, asked = path.time(begin, end, me, ON_CPU), r['asked_ms'] * MS
        # Whether a kernel takes interrupts for CPU time of the task is its own matter.
        sums.spent.append(path.time(begin, end, me, {'running'}) / asked)
        scenario.note('cputime', asked - on, 0.005 * on + 0.05 * MS,
                      text + f", on CPU {on / MS:.3f} of {r['asked_ms']:.3f} ms")


def check_timer(scenario, path, r, text, sums):
    begin, end, me, asked = r['begin'], r['end'], {r['task']}, r['asked_ms'] * MS
    own = path.time(begin, end, me, CPU | {'deferred'})
    timer = path.time(begin, end, me, scenario.timer)
    sums.slept.append((timer, asked))
    last = max((min(s['end'], end) for s, _ in path.cut(begin, end)
                if s['state'] in scenario.timer and (s['host'], s['tid']) == r['task']),
               default=begin)
    # Not on the task itself, or ends before the time asked for; the time may be over before a task
    # that loses its CPU has gone to sleep.
    early = 0 if own >= asked else asked - (last - begin)
    scenario.note('timer', max(end - begin - own - timer, early),
                  0.005 * (end - begin) + 2 * path.slack,
                  text + f', timer {timer / MS:.3f} of {asked / MS:.3f} ms')
    scenario.expect('timer', path, begin, end, me, CPU | {'deferred'} | scenario.timer)


def check_disk(scenario, path, r, text, sums):
    begin, end, me = r['begin'], r['end'], {r['task']}
    states = CPU | {'disk', 'deferred'}
    kernel = path.kernel_time(begin, end, states=states)
    sums.kernel += kernel
    sums.kernel_preempted += path.kernel_time(begin, end, states={'preempted'})
    scenario.note('disk', end - begin - kernel - path.time(begin, end, me, states),
                  0.005 * (end - begin), text)
    scenario.expect('disk', path, begin, end, me, states, kernel=True)


def overlap(r, begin, end):
    return max(0, min(r['end'], end) - max(r['begin'], begin))


def check_lock(scenario, path, r, text, rows):
    begin, end, me = r['begin'], r['end'], {r['task']}
    length = end - begin
    held_by = [h for h in rows if h['what'] in HOLDING and h['host'] == r['host']
               and h['task'] not in me and overlap(h, begin, end)]
    holders = {h['task'] for h in held_by}
    own, on_holders = path.time(begin, end, me, CPU), path.time(begin, end, holders)
    scenario.note('lock', length - own - on_holders, 0.02 * length + 0.05 * MS,
                  text + f', holders {sorted(tid for _, tid in holders)}')
    scenario.expect('lock', path, begin, end, holders | me, CPU | {'deferred', 'timer'})
    held = length_of_union(held_by, begin, end)
    scenario.note('lock', held - own - on_holders, 0.02 * length + 0.05 * MS, text + ', time held')


def length_of_union(rows, begin, end):
    """How long at least one of the rows goes on within [begin, end]."""
    total, at = 0, begin
    for r in sorted(rows, key=lambda r: r['begin']):
        total += max(0, min(r['end'], end) - max(r['begin'], at))
        at = max(at, min(r['end'], end))
    return total


def check_inversion(scenario, path, r, text, rows):
    """While one of middle priority computes the holder of the lock is kept from running, unless it
    has inherited the priority of the one that waits."""
    low = {row['task'] for row in scenario.of('task') if row['role'] == 'pi-low'}
    if not low or r['task'] in low:
        return
    inherits = scenario.args == 'inheritance'
    for other in rows:
        b, e = max(other['begin'], r['begin']), min(other['end'], r['end'])
        if other['what'] != 'hog_cputime' or e - b < MS:
            continue
        kept = path.time(b, e, low, {'preempted', 'runnable'})
        scenario.note('inversion', kept if inherits else e - b - kept, 0.05 * (e - b) + 0.1 * MS,
                      f"{text}, while {other['tid']} computes for {(e - b) / MS:.3f} ms, holder "
                      f'kept from running for {kept / MS:.3f} ms')


def check_interrupts(scenario, rows):
    """A victim that watches its clock: what interrupts it are gaps, and each burst is one."""
    away = {'irq', 'softirq', 'preempted', 'runnable'}
    for r in scenario.of('gaps'):
        path, begin, end = scenario.paths.get(r['task']), r['begin'], r['end']
        if path:
            taken, gaps = path.time(begin, end, {r['task']}, away), r['gaps_ms'] * MS
            # Interrupts too short for a gap: 20 us, some hundred a second.
            scenario.note('interrupts', taken - gaps, 0.02 * (end - begin) + 0.05 * MS,
                          f"{r['host']}:{r['tid']} at {begin}, {(end - begin) / MS:.3f} ms, "
                          f'interrupted for {taken / MS:.3f} of {gaps / MS:.3f} ms')
    for task in {r['task'] for r in scenario.of('gaps')} & set(scenario.paths):
        ends = sorted(r['end'] for r in scenario.of('gaps') if r['task'] == task)
        for r in rows:
            # A virtual CPU that was taken away receives late; but before its task goes on.
            after = [end for end in ends if end > r['end']][:2]
            if r['what'] == 'burst' and len(after) == 2:
                taken = scenario.paths[task].time(r['begin'], after[1], states=away)
                scenario.note('interrupts', taken <= 0, 0,
                              f"burst at {r['begin']}: {taken / MS:.3f} ms of the victim")


def check_handoff(scenario, path, r, text, rows):
    begin, end, me = r['begin'], r['end'], {r['task']}
    left = path.leaves(begin, end, me)
    for other in rows:
        if other['task'] in me or other['host'] != r['host'] or \
                other['what'] not in CPU_PHASES | TIMER_PHASES:
            continue
        b, e = max(other['begin'], left), min(other['end'], end)
        if e - b < MS // 5:
            continue
        # A two-way wait ends with the waiter woken while the other still runs: what the waiter
        # itself does with a CPU is its own.
        states = CPU if other['what'] in CPU_PHASES else CPU | scenario.timer
        elsewhere = e - b - path.time(b, e, {other['task']}, states) - path.time(b, e, me, CPU)
        scenario.note('handoff', elsewhere, 0.01 * (e - b) + 0.05 * MS,
                      text + f", {other['what']} of {other['tid']}")
        scenario.expect('handoff', path, b, e, {other['task']} | me, states)
    if end - begin >= MS:
        scenario.note('handoff', left - begin - 0.5 * (end - begin), 0,
                      text + ', still on the waiting task itself')


def check_child(scenario, path, r, text):
    begin, end = r['begin'], r['end']
    child, states = {(r['host'], r['child'])}, CPU | {'disk'}
    on = path.time(begin, end, child)
    both = path.time(begin, end, child | {r['task']}, states)
    scenario.note('child', end - begin - both, 0.01 * (end - begin), text + f", child {r['child']}")
    scenario.note('child', r['asked_ms'] * MS - on, 0,
                  text + f", child {r['child']} {on / MS:.3f} of {r['asked_ms']:.3f} ms")
    scenario.expect('child', path, begin, end, child | {r['task']}, states)


def check_join(scenario, path, r, text):
    """Tasks of the workload may do anything that is explained; others compute, or use a disk."""
    begin, end = r['begin'], r['end']
    tids = {row['task'] for row in scenario.of('task')}
    alone = len(scenario.hosts) == 1
    wrong = UNEXPLAINED | ({'network'} if alone else set())
    of_others = CPU | {'disk'} | (set() if alone else NET)
    scenario.note('join', path.time(begin, end, states=wrong)
                  + path.time(begin, end, but=tids, states=STATES - wrong - of_others),
                  0.005 * (end - begin) + 0.02 * MS, text)


def check_sums(scenario, sums):
    # A kernel thread that waits for work (TASK_IDLE) is not preempted.
    if sums.kernel:
        scenario.note('disk', sums.kernel_preempted, 0.03 * sums.kernel + 0.01 * MS,
                      f'kernel threads: preempted {sums.kernel_preempted / MS:.3f} of '
                      f'{sums.kernel / MS:.3f} ms')
    if sums.computed > 50 * MS and \
            scenario.clocks.events & {'irq_handler_entry', 'timer_hrtimer_expire_entry'}:
        scenario.note('cpu', 0.001 * sums.computed - sums.interrupts, 0,
                      f'all: interrupts took {sums.interrupts / MS:.3f} of '
                      f'{sums.computed / MS:.1f} ms')
    # A busy machine may be late to go to sleep, once in a while.
    if sums.slept:
        timer, asked = (sum(column) for column in zip(*sums.slept))
        scenario.note('timer', 0.8 * asked - timer, 0,
                      f'all sleeps: timer {timer / MS:.1f} of {asked / MS:.1f} ms')
    if sums.spent:
        # Time that a virtual CPU loses only ever adds, and not to all of them.
        scenario.note('cputime', (min(sums.spent) - 1.1) * MS, 0,
                      f'all: least CPU time over what was asked {min(sums.spent):.3f}')
