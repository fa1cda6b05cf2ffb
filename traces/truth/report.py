# SPDX-License-Identifier: MIT
"""The accuracy report: how much of the path time whose truth is known is right."""
from truth.answer import MS
from truth.scenario import Share

HEAD = """# Accuracy

What waitpath says of recorded runs, against what the workloads wrote about themselves and
against the clocks as measured through shared memory. `{command}` makes this file.

- *known*: path time whose truth the log tells: phases of known begin and end, on the path of
  every task of the workload.
- *host*, *task*, *state*: the share of it that the path has on the right host; on one of the
  right tasks; and there in one of the right states. What a truth allows is in
  `traces/truth/`: a phase of computing allows running, interrupts and waiting for a CPU, a
  sleep allows the timer besides, and so on.
- *clock*: the largest error of a clock offset at {places} places of each trace, and the bound
  that waitpath gave there; *inside*: the share of places where the error is within the bound.
- *checks*: groups of checks that pass, of all; `traces/truth-check.py --help` tells what each
  kind is.

Times around a change of host are known no better than the clocks are: they are left out, as
are the first and last moments of a wait, when caller and server both have a CPU. Transfers
(bulk-*) and local-lost, whose trace has lost most of its events, have no phases of which it is
known where they belong: there only the checks of the answer in itself, of what is unexplained
and of the clocks apply. `itself` has no log of its own (tests/user-events.sh checks it).

What a trace does not contain no answer can have. In local-spin a task waits by looking: the truth
that is held here is that it runs, for whom it waits is in no event. In local-quota the time in which a
task may not run is waiting for a CPU; that a quota is why is in no event either.

Samples are in the tree; the others are recorded by traces/record, and named to the command as
TRUTH='DIR/recorded/SCENARIO ...'.
"""


def percent(part, whole):
    return f'{100 * part / whole:.3f} %' if whole else '–'


def row(cells):
    return '| ' + ' | '.join(str(cell) for cell in cells) + ' |\n'


def share_cells(share):
    return [f'{share.known / MS:.0f} ms', percent(share.host, share.known),
            percent(share.task, share.known), percent(share.state, share.known)]


def clock_cells(scenario):
    if not scenario.clock_errors:
        return ['–', '–', '–']
    error, bound = max(scenario.clock_errors, key=lambda e: e[0])
    inside = sum(e <= b for e, b in scenario.clock_errors)
    return [f'{error / 1e3:.2f} µs', f'{bound / 1e3:.2f} µs',
            percent(inside, len(scenario.clock_errors))]


def total(scenarios, kind=None):
    share = Share()
    for scenario in scenarios:
        for name, part in scenario.shares.items():
            if kind in (None, name):
                share.add(part)
    return share


def failures(scenario):
    """[(kind, number of failed checks, number of checks, text of the worst)]."""
    out = []
    for kind, results in scenario.results.items():
        bad = [r for r in results if r[0] > r[1]]
        if bad:
            out.append((kind, len(bad), len(results), max(bad, key=lambda r: r[0] - r[1])[2]))
    return out


def write(scenarios, command, version, places, file):
    """scenarios: those that were checked, in order."""
    scenarios = [s for s in scenarios if s.results]
    file.write(HEAD.format(command=command, places=places + 1))
    file.write(f'\nMade with {version}.\n\n## By scenario\n\n')
    file.write(row(['scenario', 'hosts', 'known', 'host', 'task', 'state', 'clock error', 'bound',
                    'inside', 'checks']))
    file.write('|---|---|---|---|---|---|---|---|---|---|\n')
    for s in scenarios:
        bad = failures(s)
        file.write(row([s.name, len(s.hosts)] + share_cells(total([s])) + clock_cells(s)
                       + [f'{len(s.results) - len(bad)} of {len(s.results)}']))
    errors = [e for s in scenarios for e in s.clock_errors]
    inside = percent(sum(e <= b for e, b in errors), len(errors))
    groups = sum(len(s.results) for s in scenarios)
    passed = groups - sum(len(failures(s)) for s in scenarios)
    file.write(row(['**all**', ''] + share_cells(total(scenarios)) +
                   ['', '', inside, f'{passed} of {groups}']))
    file.write('\n## By kind\n\n')
    file.write(row(['kind', 'known', 'host', 'task', 'state']))
    file.write('|---|---|---|---|---|\n')
    for kind in sorted({kind for s in scenarios for kind in s.shares}):
        file.write(row([kind] + share_cells(total(scenarios, kind))))
    file.write('\n## Failed checks\n\n')
    lines = [f'- {s.name}, {kind}: {n} of {of}; the worst: {text}\n'
             for s in scenarios for kind, n, of, text in failures(s)]
    file.write(''.join(lines) or 'None.\n')
