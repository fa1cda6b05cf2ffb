# SPDX-License-Identifier: MIT
"""Checks of the clocks: what the tool says of them against what was measured."""
import json

from truth.answer import MS

PLACES = 40  # at which a trace's clock is looked at, from its begin to its end
# The bound can't be below half the sum of the least delays both ways: 1.5 times that where the
# link is delayed, 1 ms elsewhere.
BOUND_MOST = {'rpc-asym-delay': 7 * MS}


def between(knots, ts):
    """Offset and bound at a time, linear between knots."""
    for (t0, offset0, bound0), (t1, offset1, bound1) in zip(knots, knots[1:]):
        if t0 <= ts <= t1:
            x = (ts - t0) / max(1, t1 - t0)
            return offset0 + (offset1 - offset0) * x, bound0 + (bound1 - bound0) * x
    return knots[0][1:] if ts <= knots[0][0] else knots[-1][1:]


def log_span(scenario, host):
    """First and last trace time of a host at which the log says that its trace was on."""
    rows = [r for r in scenario.rows if 'begin' in r and 'end' in r]
    rows = [r for r in rows if r['host'] == host] or rows
    to_trace = scenario.clocks.reference_to_trace
    return to_trace(host, min(r['begin'] for r in rows)), to_trace(host, max(r['end'] for r in rows))


def check(scenario):
    done = scenario.tool('sync')
    if done.returncode == 3 and not scenario.of('call', 'iter'):
        return  # a transfer recorded without packet headers cannot be matched
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        scenario.note('sync', 1, 0, f'exit status {done.returncode}, {done.stderr.strip()[-200:]}')
        return
    if done.returncode:
        scenario.note('sync', 1, 0, f'exit status {done.returncode}')
    if answer.get('reference') != scenario.clocks.reference:
        scenario.note('sync', 1, 0, f"reference {answer.get('reference')}")
    told = {h['host']: h for h in answer['hosts']}
    for host in scenario.hosts:
        if host != scenario.clocks.reference:
            check_host(scenario, host, told.get(host))
    for pair in answer['pairs']:
        scenario.note('sync', pair['inversions_after'], 0,
                      f"{pair['a']} and {pair['b']}: {pair['inversions_after']} inversions")


def check_host(scenario, host, told):
    if not told or not told.get('connected') or not told.get('knots'):
        scenario.note('sync', 1, 0, f'{host} is not connected')
        return
    knots, (begin, end) = told['knots'], log_span(scenario, host)
    if knots[0][0] > begin or knots[-1][0] < end:
        scenario.note('sync', 1, 0, f'{host}: knots from {knots[0][0]} to {knots[-1][0]} do not '
                                    f'cover the trace ({begin} to {end} at least)')
        return

    def true_offset(ts):
        return scenario.clocks.trace_to_reference(host, ts) - ts

    for i in range(PLACES + 1):  # everywhere, not only where the tool put its knots
        ts = begin + (end - begin) * i // PLACES
        offset, bound = between(knots, ts)
        error = offset - true_offset(ts)
        scenario.clock_errors.append((abs(error), bound + 1000))
        scenario.note('sync', abs(error), bound + 1000,
                      f'{host} at {i / PLACES:.0%}: error {error / 1e3:+.2f} us, claimed '
                      f'+-{bound / 1e3:.2f} us')
    calls = [r for r in scenario.of('call', 'iter') if r['end'] > r['begin']]
    if calls:  # an honest bound is also a tight one where packets are
        ts = scenario.clocks.reference_to_trace(host, calls[len(calls) // 2]['begin'])
        bound = between(knots, ts)[1]
        scenario.note('bound', bound, BOUND_MOST.get(scenario.name, MS),
                      f'{host}: claims +-{bound / 1e3:.0f} us amid its calls')
    check_drift(scenario, host, told, true_offset)


def check_drift(scenario, host, told, true_offset):
    (first, _, bound0), (last, _, bound1) = told['knots'][0], told['knots'][-1]
    span, rate = max(1, last - first), told['drift_ppm']
    if last > first:
        rate = (true_offset(last) - true_offset(first)) / span * 1e6
    middle = told['offset'] - true_offset((first + last) // 2)
    scenario.note('sync', abs(told['drift_ppm'] - rate) * 1e3, (bound0 + bound1) / span * 1e9 + 100,
                  f"{host}: drift {told['drift_ppm']:+.3f} ppm, true {rate:+.3f} (deviation in "
                  f'ppb); the offset at the middle errs by {middle / 1e3:+.2f} us')
