#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds `waitpath requests` and `blockers` (lock holders, pollers) against what recorded workloads wrote down.

usage: requests-truth.py WAITPATH SCENARIO_DIR

A `call` of the log begins to be sent between begin + pre_ms and `sent`, and is answered
at `replied` (CLOCK_MONOTONIC of its host; trace time is that plus the clock's offset in
the metadata). Prints a line for each fault; nothing when all is right.
"""
import collections, glob, json, os, re, subprocess, sys

MS = 1_000_000
ON_CPU = {"running", "irq", "softirq"}


def offset_of(trace):
    for folder, _, files in os.walk(trace):
        if "metadata" in files:
            text = open(os.path.join(folder, "metadata"), "rb").read()
            ns, s = re.search(rb"\boffset = (\d+);", text), re.search(rb"\boffset_s = (\d+);", text)
            return (int(ns.group(1)) if ns else 0) + (int(s.group(1)) * 10**9 if s else 0)
    raise SystemExit(f"{trace}: no metadata")


def log_of(host):
    return [json.loads(line) for line in open(os.path.join(host, "truth.jsonl")) if line.strip()]


def run(waitpath, *arguments):
    p = subprocess.run([waitpath, *arguments, "--format", "json"], capture_output=True, text=True)
    if p.returncode:
        raise SystemExit(f"exit status {p.returncode}: {p.stderr.strip()}")
    return json.loads(p.stdout)


def on_cpu(waitpath, name, tid, begin, end, traces):
    """Had the task its CPU, or wanted it, all the time from when it was answered until it wrote that down? Then
    its machine was slow, and no event tells when it saw the answer."""
    if begin >= end:
        return False
    path = run(waitpath, "path", "-t", f"{name}:{tid}", "--reference", name,
               "--begin", str(begin), "--end", str(end), *traces)
    states = ON_CPU | {"runnable", "preempted"}
    return all(s["state"] in states and s["depth"] == 0 for s in path["segments"])


def check_calls(waitpath, scenario, host, tid, calls, servers):
    traces = sorted(glob.glob(os.path.join(scenario, "host*", "trace")))
    name = os.path.basename(host)
    answer = run(waitpath, "requests", "-t", f"{name}:{tid}", "--each", "network",
                 "--reference", name, *traces)
    requests, offset = answer["requests"], offset_of(os.path.join(host, "trace"))
    first, last = calls[0]["begin"] + offset, calls[-1]["replied"] + offset
    matched = []
    for call in calls:
        sent_from = call["begin"] + round(call["pre_ms"] * MS) + offset
        sent, replied = call["sent"] + offset, call["replied"] + offset
        fit = [r for r in requests if sent_from - MS <= r["begin"] <= sent + MS
               and (abs(r["end"] - replied) <= MS or on_cpu(waitpath, name, tid, r["end"], replied, traces))]
        what = f"call {call['seq']} of {name}:{tid}"
        if len(fit) != 1:
            near = [((r["begin"] - sent_from) / MS, (r["end"] - replied) / MS) for r in requests
                    if r["begin"] < replied and r["end"] > sent_from]
            print(f"{what}: {len(fit)} requests, those that overlap are off by {near} ms")
            continue
        duration = fit[0]["duration"]
        # It may have left at any time while it was being sent.
        end = min(fit[0]["end"], replied)
        wrong = max(end - sent - duration, duration - (replied - sent_from), 0)
        if wrong > MS:
            print(f"{what}: duration {duration / MS} ms is off by {wrong / MS} ms")
        if sum(fit[0]["by_state"].values()) != duration:
            print(f"{what}: by_state is not its duration")
        matched.append((call, fit[0]))
    others = [r for r in requests if r["end"] > first and r["begin"] < last]
    if len(others) != len(calls):
        print(f"{name}:{tid}: {len(others)} requests amid {len(calls)} calls")
    check_servers(name, tid, matched, servers)
    return answer


def check_servers(name, tid, matched, servers):
    """Over all calls, the path is on servers for as long as they say that they worked; a caller
    that is late to wait makes that less, never more than their CPU time and a little."""
    told = sum(t["time"] for _, r in matched for t in r["by_task"] if (t["host"], t["tid"]) in servers)
    worked = sum(servers.values())
    whole = sum(r["duration"] for _, r in matched)
    if servers and told > whole:
        print(f"{name}:{tid}: servers have more than all")
    if len(matched) and servers and told < 0.5 * worked / max(1, len(servers)):
        print(f"{name}:{tid}: servers have {told / MS} ms, and worked {worked / MS} ms")


def check_alternating(answer):
    """Odd calls compute twice as long: that is the reason, and nearly all of it."""
    reasons = answer["slow_against_fast"]
    server = sum(r["difference"] for r in reasons["reasons"]
                 if r["host"] == "hostb" and r["comm"] == "srv-rpc" and r["state"] in ON_CPU)
    if server < 0.9 * reasons["difference"]:
        print(f"server compute is {server} of {reasons['difference']}")
    top = reasons["reasons"][0]
    if (top["host"], top["comm"], top["state"]) != ("hostb", "srv-rpc", "running") or top["low"] <= 0:
        print(f"the first reason is {top}")
    slow = [r for r in answer["requests"] if r["duration"] > reasons["split"]]
    if len(slow) != reasons["n_slow"]:
        print("n_slow is not the number of requests above the split")


def check_classes(answer, calls, host):
    """Slow are the odd ones; an even one only if the log has it as long."""
    offset, split = offset_of(os.path.join(host, "trace")), answer["slow_against_fast"]["split"]
    for r in answer["requests"]:
        for call in calls:
            if abs(r["end"] - call["replied"] - offset) > MS:
                continue
            slow = r["duration"] > split
            as_long = call["replied"] - call["begin"] - call["pre_ms"] * MS > split
            if slow != (call["seq"] % 2 == 1) and not (slow and as_long):
                print(f"call {call['seq']} is {'slow' if slow else 'fast'}: {r['duration'] / MS} ms")


def check_markers(waitpath, host, tid, calls):
    """The same calls from the system calls that begin and end them."""
    name, trace = os.path.basename(host), os.path.join(host, "trace")
    offset = offset_of(trace)
    answer = run(waitpath, "requests", "-t", f"{name}:{tid}", "--from", "syscall_entry_write",
                 "--to", "syscall_exit_read", trace)
    for call in calls:
        sent_from = call["begin"] + round(call["pre_ms"] * MS) + offset
        sent, replied = call["sent"] + offset, call["replied"] + offset
        fit = [r for r in answer["requests"]
               if sent_from - MS <= r["begin"] <= sent + MS and abs(r["end"] - replied) <= MS]
        if len(fit) != 1:
            print(f"call {call['seq']} of {name}:{tid}: {len(fit)} requests between its system calls")


def check_blockers(waitpath, scenario):
    """Threads that share a lock: who holds others, for as long as it held it while they waited."""
    host = os.path.join(scenario, "hosta")
    phases = [r for r in log_of(host) if r["ev"] == "phase"]
    holds = [r for r in phases if r["what"] == "holding_cpu"]
    waits = [r for r in phases if r["what"] == "lock_wait"]
    right = collections.Counter()
    for w in waits:
        for h in holds:
            if h["tid"] != w["tid"]:
                right[h["tid"]] += max(0, min(w["end"], h["end"]) - max(w["begin"], h["begin"]))
    group = ",".join(str(tid) for tid in sorted(right))
    answer = run(waitpath, "blockers", "-t", group, os.path.join(host, "trace"))
    told = {h["tid"]: h["time"] for h in answer["holders"]}
    order = [h["tid"] for h in answer["holders"]][:len(right)]
    if set(order) != set(right):
        print(f"the holders are {order}, not {sorted(right)}")
    for tid, time in right.items():
        if not 0.9 * time <= told.get(tid, 0) <= 1.25 * time:
            print(f"{tid} holds others for {told.get(tid, 0) / MS} ms, in truth {time / MS} ms")
    # In the order of the truth, where that is further apart than handing over the lock takes.
    for a in right:
        for b in right:
            if right[a] > 1.1 * right[b] and order.index(a) > order.index(b):
                print(f"{a} holds others longer than {b}, and comes later")


def check_pool(waitpath, scenario):
    """One task of a pool hears, others answer: named together they serve each request once."""
    log = log_of(os.path.join(scenario, "hostb"))
    served = [r for r in log if r["ev"] == "served"]
    answer = run(waitpath, "requests", "-t", "hostb:srv-*", "--each", "network",
                 *sorted(glob.glob(os.path.join(scenario, "host*", "trace"))))
    by_task = collections.Counter(r["tid"] for r in answer["requests"])
    # The last connection only asks them to stop, which the main task does.
    workers = collections.Counter(r["tid"] for r in served)
    for tid, n in workers.items():
        if by_task[tid] != n:
            print(f"{tid} served {n} requests, and is told {by_task[tid]}")
    if len(answer["requests"]) > len(served) + 1:
        print(f"{len(answer['requests'])} requests were told, and {len(served)} served")


def check_pollers(waitpath, scenario):
    """Who spins is flagged, with a CPU of its own; who waits properly is not, nor who computes
    between waits."""
    host = os.path.join(scenario, "hosta")
    log = log_of(host)
    spinners = {r["tid"] for r in log if r["ev"] == "phase" and r["what"].startswith("spin")}
    others = {r["tid"] for r in log if r["ev"] == "task"} - spinners
    answer = run(waitpath, "blockers", os.path.join(host, "trace"))
    flagged = {p["tid"]: p for p in answer["pollers"]}
    for tid in spinners:
        if tid not in flagged or flagged[tid]["cpu_share"] < 0.9:
            print(f"{tid} spins, and is told as {flagged.get(tid)}")
    for tid in others & set(flagged):
        print(f"{tid} does not spin, and is told as {flagged[tid]}")


def main():
    waitpath, scenario = sys.argv[1], sys.argv[2].rstrip("/")
    if os.path.basename(scenario) == "local-mutex":
        check_blockers(waitpath, scenario)
        return
    if os.path.basename(scenario) == "local-spin":
        check_pollers(waitpath, scenario)
        return
    if os.path.basename(scenario) == "rpc-pool-lock":
        check_pool(waitpath, scenario)
    hosts = sorted(glob.glob(os.path.join(scenario, "host*")))
    logs = {host: log_of(host) for host in hosts}
    servers = collections.Counter()
    for host, log in logs.items():
        for r in log:
            if r["ev"] == "served":
                servers[os.path.basename(host), r["tid"]] += round(r["compute_ms"] * MS)
    for host, log in logs.items():
        calls = collections.defaultdict(list)
        for r in log:
            if r["ev"] == "call":
                calls[r["tid"]].append(r)
        for tid, own in calls.items():
            answer = check_calls(waitpath, scenario, host, tid, own, servers)
            if os.path.basename(scenario) == "rpc-alternating":
                check_alternating(answer)
                check_classes(answer, own, host)
            if os.path.basename(scenario) == "rpc-alternating-sys":
                check_markers(waitpath, host, tid, own)


main()
