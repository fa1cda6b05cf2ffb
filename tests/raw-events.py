# SPDX-License-Identifier: MIT
#
# raw-events.py RAW_EVENTS TRACE: compares what raw-events prints around some times of a trace
# with what babeltrace2 prints of all of it: the same events, in the same order, each with the
# same fields and values. Prints what differs.
import random
import re
import subprocess
import sys

LOOKS = 256  # of one stream on each side: src/ctf/excerpt.h
LINE = re.compile(r"\[(-?\d+)\.(\d{9})\] (?:\S+ )?([\w:.-]+): ((?:\{|$).*)$")
# texts, enumerations of both writers, names, numbers, empty values; what groups them is left out
THEIRS = re.compile(
    r'"(?P<text>(?:[^"\\]|\\.)*)"|\( (?P<labels>(?:"[^"]*"(?:, )?)+|<unknown>) : container = (?P<value>\S+) \)'
    r'|\[\d+\] =|(?P<name>[A-Za-z_]\w*) =|(?P<number>-?(?:0x[0-9A-Fa-f]+|[0-9][0-9.e+-]*))'
)
OURS = re.compile(
    r'"(?P<text>(?:[^"\\]|\\.)*)"|(?P<name>[A-Za-z_]\w*)=|(?P<option>[A-Za-z_]\w*):'
    r'|(?P<label>[^\s={}\[\]()"]+)\((?P<value>[^)]+)\)|(?P<number>-?(?:0x[0-9a-f]+|[0-9][0-9.e+-]*))'
)


def number(text):
    if re.fullmatch("-?0[0-7]+", text):
        return int(text, 8)
    try:
        return int(text, 0)
    except ValueError:
        return float(f"{float(text):.6g}")


def parts(expression, text):
    """Names and values in their order."""
    found = []
    for match in expression.finditer(text):
        kind = match.groupdict()
        if kind["text"] is not None:
            found.append(kind["text"])
        elif kind["value"] is not None:
            found.append(number(kind["value"]))
        elif kind["name"] is not None:
            found.append("." + kind["name"].lstrip("_"))
        elif kind["number"] is not None:
            found.append(number(kind["number"]))
    return found


def cpu_of(values):
    for name in (".cpu_id", ".perf_cpu"):
        if name in values:
            return values[values.index(name) + 1]
    return -1


def read_theirs(trace):
    text = subprocess.run(
        ["babeltrace2", "--no-delta", "--clock-seconds", trace],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True,
    ).stdout.decode("utf-8", "replace")
    events = []
    for line in text.splitlines():
        match = LINE.match(line)
        if not match:
            continue
        context, _, rest = match[4].partition(" }, ")
        context, rest = parts(THEIRS, context), parts(THEIRS, rest)
        cpu = cpu_of(context)
        # where there is no packet context the first braces are the event's own
        if ".cpu_id" not in context:
            rest = context + rest
        events.append((int(match[1] + match[2]), cpu, match[3], rest))
    return sorted(events, key=lambda event: event[:2])


def read_ours(program, trace, n_before, n_after, cpu, tid, times):
    text = subprocess.run(
        [program, trace, str(n_before), str(n_after), str(cpu), str(tid)] + [str(t) for t in times],
        stdout=subprocess.PIPE, check=True,
    ).stdout.decode("utf-8")
    answers, cost = [], None
    for line in text.splitlines():
        if line.startswith("= "):
            answers.append([])
        elif line.startswith("packets "):
            cost = [int(n) for n in line.split()[1:]]
        else:
            time, number_of_cpu, name, rest = (line + " ").split(" ", 3)
            answers[-1].append((int(time), int(number_of_cpu), name, parts(OURS, rest)))
    return answers, cost


def wanted(event, cpu, tid):
    if cpu == "-" and tid == "-":
        return True
    if event[1] == cpu:
        return True
    values = event[3]
    return any(
        isinstance(name, str) and name.startswith(".") and name.endswith(("tid", "pid")) and value == tid
        for name, value in zip(values, values[1:])
    )


def expected(events, time, n_before, n_after, cpu, tid):
    before, after = [], []
    for of_cpu in sorted({event[1] for event in events}):
        mine = [event for event in events if event[1] == of_cpu]
        before += [event for event in mine if event[0] <= time][-LOOKS:]
        after += [event for event in mine if event[0] > time][:LOOKS]
    before = sorted((e for e in before if wanted(e, cpu, tid)), key=lambda event: event[:2])
    after = sorted((e for e in after if wanted(e, cpu, tid)), key=lambda event: event[:2])
    return before[max(0, len(before) - n_before):] + after[:n_after]


def main():
    program, trace = sys.argv[1:]
    events = read_theirs(trace)
    if not events:
        print("babeltrace2 gives no events")
        return
    chance = random.Random(7)
    times = [chance.choice(events)[0] + chance.choice((0, -1, 1, 50000)) for _ in range(12)]
    times += [events[0][0] - 1, events[0][0], events[-1][0], events[-1][0] + 1]
    times.append(events[len(events) // 2][0])
    tids = []
    for event in chance.sample(events, min(200, len(events))):
        tids += [v for n, v in zip(event[3], event[3][1:]) if n in (".tid", ".next_tid") and v]
    for n_before, n_after, cpu, tid in (
        (9, 5, "-", "-"),
        (4, 4, max(event[1] for event in events), "-"),
        (6, 3, "-", tids[0] if tids else "-"),
    ):
        answers, cost = read_ours(program, trace, n_before, n_after, cpu, tid, times)
        for time, answer in zip(times, answers):
            right = expected(events, time, n_before, n_after, cpu, tid)
            if answer == right:
                continue
            print(f"around {time}, CPU {cpu}, tid {tid}: {len(answer)} events, not {len(right)}")
            for ours, theirs in zip(answer, right):
                if ours != theirs:
                    print(f"  {ours}\n  is, in the trace,\n  {theirs}")
                    break
        if len(answers) != len(times):
            print(f"{len(answers)} answers to {len(times)} questions")
    # of each stream one packet, once for each side, and at most the ones beside it
    n_streams = len({event[1] for event in events})
    if cost is None or cost[0] > 10 * n_streams:
        print(f"{cost} packets were read of {n_streams} streams")


main()
