# SPDX-License-Identifier: MIT
"""Checks of what happens between hosts: calls, barriers, transfers.

A call is known from both sides: the caller's row tells when it sent and had its reply, the
servers' rows what they did for it and when.
"""
import collections
import re

from truth.answer import CPU, MS, NET, UNEXPLAINED, who

ELSEWHERE = UNEXPLAINED | {'timer', 'disk'}
FLAG_SLEEP = 8


def check(scenario):
    check_calls(scenario)
    check_barriers(scenario)
    for r in scenario.of('bulk'):
        path, begin, end = scenario.paths.get(r['task']), r['begin'], r['end']
        if path:
            scenario.note('bulk', path.time(begin, end, states=ELSEWHERE), 0.01 * (end - begin),
                          f"transfer {r['seq']} of {r['host']}:{r['tid']}, {r['bytes']} bytes, "
                          f'{(end - begin) / MS:.3f} ms')


def stages(served):
    """What a server says that it did for a request: [(kind, begin, end)]."""
    def ns(key):
        return round(served[key] * MS)

    begin, end, out = served['begin'], served['end'], []
    computing = begin + ns('lock_wait_ms')
    writing = end - ns('fsync_ms')
    if served['lock_wait_ms'] >= 1:
        out.append(('lock', begin, computing))
    out.append(('timer' if served['sleeps'] else 'cpu', computing, computing + ns('compute_ms')))
    out.append(('cpu', writing - ns('post_ms'), writing))
    if served['fsync_ms'] > 0:
        out.append(('disk', writing, end))
    return [stage for stage in out if stage[2] > stage[1]]


def callers_of(scenario):
    """(server host, peer port) -> the task that connected from there."""
    return {(r['to'], r['local_port']): r['task'] for r in scenario.of('connect')}


def serves(scenario, callers, served, call, by):
    """Whether a request may have been served for this call."""
    if served['seq'] != call['seq'] or served['begin'] < call['from'] or \
            served['end'] > call['replied'] + 1000:
        return False
    if not served.get('peer_port'):
        return True
    if call.get('local_port'):
        return served['peer_port'] == call['local_port']
    # It says which connection it came by: the caller's own, or one of a process that serves the
    # call already.
    connected = {task for (_, port), task in callers.items() if port == served['peer_port']}
    processes = {scenario.process_of(s['task']) for s in by}
    return call['task'] in connected or \
        any(scenario.process_of(task) in processes for task in connected)


def match(scenario, calls, all_served):
    """Gives each call the requests served for it: the last that fits on each host."""
    callers, free = callers_of(scenario), list(all_served)
    for c in calls:
        c['from'], c['by'] = c['begin'] + round(c['pre_ms'] * MS), []
        for host in scenario.hosts:
            fit = [s for s in free
                   if s['host'] == host and serves(scenario, callers, s, c, c['by'])]
            if fit:
                last = max(fit, key=lambda s: s['end'])
                free.remove(last)
                c['by'].append(last)


def check_calls(scenario):
    calls = sorted(scenario.of('call'), key=lambda c: c['replied'])
    all_served = scenario.of('served')
    flags = {int(x) for x in re.findall(r'flags=(\d+)', scenario.args)}
    for s in all_served:
        s['sleeps'] = FLAG_SLEEP in flags
    match(scenario, calls, all_served)
    nested, late = [], []
    for c in calls:
        path = scenario.paths.get(c['task'])
        if path is None:
            continue
        text = f"call {c['seq']} of {c['host']}:{c['tid']} at {c['from']}, " \
               f"{(c['replied'] - c['from']) / MS:.3f} ms"
        check_around(scenario, path, c, text)
        if c['by'] and 'reply_at' in c:
            check_fan_out(scenario, path, c, text)
        elif c['by']:
            left = check_call(scenario, path, c, text, all_served, nested)
            late.append((left - c['sent'], c['replied'] - c['sent']))
    # On the caller's CPU well after the request had gone: a client of a busy machine may be late
    # to wait, but not always.
    for rows, what in ((nested, 'time on a server while the one that it calls works already'),
                       (late, 'time on the caller after the request had been sent')):
        if rows:
            scenario.note('rpc-rest', sum(x for x, _ in rows) - 0.25 * sum(n for _, n in rows), 0,
                          'all calls: ' + what)
    for s in all_served:
        check_server(scenario, s, all_served)
    for r in scenario.of('phase'):
        if r['what'] == 'pool_wait' and r['end'] - r['begin'] >= MS and r['task'] in scenario.paths:
            check_pool_wait(scenario, r, calls, all_served)


def check_around(scenario, path, c, text):
    """What the caller does before and after."""
    begin, end, me = c['begin'], c['from'], {c['task']}
    scenario.note('cpu', end - begin - path.time(begin, end, me, CPU),
                  0.002 * (end - begin) + 2 * path.slack, text + ', computing before it')
    scenario.expect('cpu', path, begin, end, me, CPU)
    begin, end = c['replied'], c['end']
    known = path.time(begin, end, me, scenario.timer | CPU)
    scenario.note('timer', end - begin - known, 0.005 * (end - begin) + 2 * path.slack,
                  text + ', thinking after it')
    scenario.expect('timer', path, begin, end, me, CPU | scenario.timer)


def check_call(scenario, path, c, text, all_served, nested):
    """Returns when the path leaves the caller."""
    begin, end, me = c['from'], c['replied'], {c['task']}
    # Until it has sent, the caller's time is its own.
    left, inside = path.leaves(c['sent'], end, me), 0
    for s in c['by']:
        outer = {x['task'] for x in c['by']
                 if x is not s and x['begin'] <= s['begin'] and x['end'] >= s['end']}
        check_computed(scenario, path, c, s, outer, left, text)
        for kind, b, e in stages(s):
            inside += e - b
            b, e = max(b + path.slack, left), min(e - path.slack, end)
            if outer and e - b >= MS:  # a server that calls another may itself be late to wait
                waits = path.leaves(b, e, outer)
                nested.append((waits - b, e - b))
                b = waits
            if e - b >= MS // 10:
                at = f"{text}, {kind} {(e - b) / MS:.3f} ms at {s['host']}:{s['tid']}"
                check_stage(scenario, path, s, (kind, b, e), at, all_served, 'rpc')
    check_rest(scenario, path, c, text, inside)
    return left


def check_computed(scenario, path, c, s, outer, left, text):
    """How long a server computed for this call, apart from when the caller, or a server before
    it, had not begun to wait."""
    computing = [x for x in stages(s) if x[0] == 'cpu']
    if not computing:
        return
    first, last = computing[0][1], computing[-1][2]
    waits = path.leaves(max(first, left), last, outer) if outer else left
    want = sum(max(0, e - max(b, waits)) for _, b, e in computing)
    if first < waits + path.slack or outer:
        want -= 2 * path.slack
    have = path.time(c['from'], c['replied'], {s['task']}, CPU)
    scenario.note('rpc', want - have, 0.005 * max(want, 0) + 0.05 * MS,
                  text + f', in all {have / MS:.3f} of {want / MS:.3f} ms at '
                         f"{s['host']}:{s['tid']}")


def check_stage(scenario, path, s, stage, text, all_served, prefix):
    """One stage of a served request. prefix: 'rpc' on the caller's path, '' on the server's."""
    kind, begin, end = stage
    length, me = end - begin, {s['task']}
    own = path.time(begin, end, me, CPU)
    name = {'rpc': {'cpu': 'rpc'}.get(kind, 'rpc-' + kind), 'pool': 'pool', '': kind}[prefix]
    if kind == 'cpu':
        scenario.note(name, length - own, 0.005 * length + 0.02 * MS, text)
        scenario.expect(name, path, begin, end, me, CPU)
    elif kind == 'timer':
        timer = path.time(begin, end, me, scenario.timer)
        wrong = length - own - timer
        if prefix:
            wrong = max(wrong, 0.7 * length - timer)
        scenario.note(name, wrong, 0.005 * length + 0.02 * MS, text)
        scenario.expect(name, path, begin, end, me, CPU | scenario.timer)
    elif kind == 'disk':
        kernel = path.kernel_time(begin, end, s['host'])
        disk = path.time(begin, end, me, {'disk'})
        scenario.note(name, length - own - kernel - disk, 0.01 * length + 0.02 * MS, text)
        scenario.expect(name, path, begin, end, me, CPU | {'disk', 'deferred'}, kernel=True)
    else:
        others = {x['task'] for x in all_served
                  if x['host'] == s['host'] and x['begin'] < end and x['end'] > begin} - me
        scenario.note(name, length - own - path.time(begin, end, others),
                      0.02 * length + 0.05 * MS, text)
        scenario.expect(name, path, begin, end, others | me, CPU | {'deferred'})


def check_pool_wait(scenario, r, calls, all_served):
    """All connections are taken: what the call does that gives one back, and nothing else."""
    path, begin, end = scenario.paths[r['task']], r['begin'], r['end']
    users = {c['task'] for c in calls} | {s['task'] for s in all_served}
    text = f"wait of {r['host']}:{r['tid']} for a connection at {begin}, " \
           f'{(end - begin) / MS:.3f} ms'
    allowed = path.time(begin, end, states=NET) + path.kernel_time(begin, end) + \
        path.time(begin, end, users, CPU) + path.time(begin, end, server_tasks(scenario), CPU)
    scenario.note('pool', end - begin - allowed, 0.01 * (end - begin) + 0.05 * MS,
                  text + ', unexplained or elsewhere')
    freed = [c for c in calls if c['task'] != r['task'] and begin < c['end'] <= end]
    if not freed:
        return
    last = max(freed, key=lambda c: c['end'])
    # A connection may be taken by another before the one that is woken for it has a CPU: it waits
    # anew from then on.
    left = max((s['end'] for s, _ in path.cut(begin, last['end']) if who(s) == r['task']),
               default=begin)
    left = path.leaves(max(left, last['sent']), end, {last['task']})
    for s in last['by']:
        for kind, b, e in stages(s):
            b, e = max(b + path.slack, left), min(e - path.slack, end)
            if kind == 'cpu' and e - b >= MS // 10:
                check_stage(scenario, path, s, (kind, b, e),
                            f"{text}, {(e - b) / MS:.3f} ms at {s['host']}:{s['tid']}",
                            all_served, 'pool')


def server_tasks(scenario):
    return {s['task'] for s in scenario.of('served')} | \
        {r['task'] for r in scenario.of('task') if r['role'].startswith('srv')}


def check_rest(scenario, path, c, text, inside):
    """The rest of a call: network, and CPU time of the caller and the servers; other tasks only
    as wakers and for a moment."""
    begin, end = c['from'], c['replied']
    servers = server_tasks(scenario)
    allowed = path.time(begin, end, states=NET) + path.kernel_time(begin, end) + \
        path.time(begin, end, servers | {c['task']}, CPU | {'timer', 'disk'})
    scenario.note('rpc-rest', end - begin - allowed, 0.005 * (end - begin) + 0.05 * MS,
                  text + ', unexplained or elsewhere')
    scenario.note('rpc-rest', path.time(begin, end, states=NET) - max(0, end - begin - inside),
                  0.005 * (end - begin) + 2 * path.slack,
                  text + ', more network than there is room for')


def check_server(scenario, s, all_served):
    """The server's own path while it works for a request."""
    path = scenario.paths.get(s['task'])
    if path is None:
        return
    for kind, begin, end in stages(s):
        begin, end = begin + path.slack, end - path.slack
        if end > begin:
            text = f"request {s['seq']} at {s['host']}:{s['tid']}, {kind} " \
                   f'{(end - begin) / MS:.3f} ms'
            check_stage(scenario, path, s, (kind, begin, end), text, all_served, '')


def replies_of(scenario, c):
    """[(when it came, the request served)] of a call of several servers, in the order of coming."""
    by = {s.get('peer_port'): s for s in c['by']}
    if None in by:  # logs of an older kind: the one that ended nearest to it
        return sorted(((at, min(c['by'], key=lambda s, at=at: abs(s['end'] - at)))
                       for at in c['reply_at']), key=lambda reply: reply[0])
    ports = {f"{r['to']}/{r['port']}": r['local_port'] for r in scenario.of('connect')
             if r['task'] == c['task']}
    servers = [r['server'] for r in scenario.of('sent')
               if r['task'] == c['task'] and r['seq'] == c['seq']]
    replies = [(at, by[ports[server]]) for at, server in zip(c['reply_at'], servers)
               if ports.get(server) in by]
    return sorted(replies, key=lambda reply: reply[0])


def check_fan_out(scenario, path, c, text):
    """Two calls at once: the path is on the server whose answer comes next."""
    end, replies = c['replied'], replies_of(scenario, c)
    if len(replies) != len(c['reply_at']):
        return
    left, answered = path.leaves(c['sent'], end, {c['task']}), 0
    for at, s in replies:
        for kind, b, e in stages(s):
            b, e = max(b + path.slack, left, answered), min(e - path.slack, at)
            if e - b < MS // 10:
                continue
            tasks = {s['task'], c['task']}
            scenario.note('fanout', e - b - path.time(b, e, tasks, CPU),
                          0.01 * (e - b) + 0.05 * MS,
                          f"{text}, {kind} {(e - b) / MS:.3f} ms at {s['host']}")
            scenario.expect('fanout', path, b, e, tasks, CPU)
        answered = at
    begin = c['from']
    scenario.note('rpc-rest', path.time(begin, end, states=ELSEWHERE),
                  0.005 * (end - begin) + 0.05 * MS, text + ', unexplained')


def check_barriers(scenario):
    rounds = collections.defaultdict(list)
    for r in scenario.of('iter'):
        rounds[r['i']].append(r)
    for number, rows in sorted(rounds.items()):
        slow = next((r for r in rows if r['rank'] == r['slow_rank']), None)
        others = [r for r in rows if r is not slow]
        for r in rows if slow and others else []:
            path = scenario.paths.get(r['task'])
            if path:
                text = f"round {number} of {r['host']}:{r['tid']}, slow {slow['host']}"
                check_round(scenario, path, r, slow, others, text)


def check_round(scenario, path, r, slow, others, text):
    begin, computed, end, me = r['begin'], r['computed'], r['end'], {r['task']}
    scenario.note('cpu', computed - begin - path.time(begin, computed, me, CPU),
                  0.005 * (computed - begin) + 2 * path.slack, text)
    scenario.expect('cpu', path, begin, computed, me, CPU)
    scenario.note('bsp', path.time(begin, end, states=ELSEWHERE),
                  0.005 * (end - begin) + 0.05 * MS, text + ', unexplained')
    if r is slow:
        return
    # From when the last of the others has computed, and its word has come to the root: the first
    # time that the path is on the slow rank.
    b, e = max(x['computed'] for x in others), min(slow['computed'], end)
    first = min((max(s['begin'], b) for s, _ in path.cut(b, e)
                 if (s['host'], s['tid']) == slow['task']), default=e)
    if e - b >= 2 * MS:
        scenario.note('bsp', e - first - path.time(first, e, {slow['task']}, CPU),
                      0.005 * (e - first) + 2 * path.slack, text)
        scenario.note('bsp', first - b - 0.5 * (e - b), 6 * MS, text + ', comes to the slow rank late')
        scenario.expect('bsp', path, first, e, {slow['task']}, CPU)
