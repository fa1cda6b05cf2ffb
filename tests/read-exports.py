#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
read-exports.py FORMAT FILE PATH.json: reads an export by other means than the program's, and
compares it with the segments of the path's JSON report. Prints what is wrong, a line each.

The decoder of protocol buffers knows the wire format only, and Perfetto's numbers of fields.
"""
import collections
import csv
import json
import re
import sqlite3
import struct
import sys
import xml.etree.ElementTree as ET


def complain(*words):
    print(*words)


def expect(what, got, wanted):
    if got != wanted:
        complain(f"{what}: {str(got)[:200]}, not {str(wanted)[:200]}")


class Answer:
    """The JSON report: segments as (begin, end, state, host, tid)."""

    def __init__(self, file):
        report = json.load(open(file))
        self.begin, self.end = report["window"]["begin"], report["window"]["end"]
        self.segments = [(s["begin"], s["end"], s["state"], s["host"], s["tid"])
                         for s in report["segments"]]
        self.depths = [s["depth"] for s in report["segments"]]
        self.by_state = report["totals"]["by_state"]
        self.flows = [s.get("cause", {}).get("flow") for s in report["segments"]]


# ---- protocol buffers

def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return value, at


def fields(data):
    """A message as {field: [values]}."""
    at, found = 0, collections.defaultdict(list)
    while at < len(data):
        tag, at = varint(data, at)
        wire = tag & 7
        if wire == 0:
            value, at = varint(data, at)
        elif wire == 1:
            value, at = struct.unpack_from("<Q", data, at)[0], at + 8
        elif wire == 2:
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
            if len(value) < length:
                complain("a message is cut")
        else:
            complain("wire type", wire)
            return found
        found[tag >> 3].append(value)
    return found


def read_perfetto(file, answer):
    tracks, open_slices, slices, started, ended = {}, {}, collections.defaultdict(list), {}, {}
    causes = []
    top = fields(open(file, "rb").read())
    expect("fields of the trace", list(top), [1])
    for i, packet in enumerate(top[1]):
        packet = fields(packet)
        expect("sequence", packet[10], [1])
        expect("flags", packet.get(13, []), [1] if i == 0 else [])
        for descriptor in packet.get(60, []):
            d = fields(descriptor)
            if d.get(5) and d[5][0] not in tracks:
                complain("a track before its parent")
            tracks[d[1][0]] = (d[2][0].decode(), d.get(5, [None])[0])
        for event in packet.get(11, []):
            e, time = fields(event), packet[8][0]
            track, kind = e[11][0], e[9][0]
            if track not in tracks:
                complain("an event on a track that is not described")
            if kind == 1:
                open_slices[track] = (time, e[23][0].decode())
                if e[22] == [b"path"]:
                    causes.append([fields(a) for a in e.get(4, [])])
                for flow in e.get(48, []):
                    ended[flow] = time
            elif kind == 2:
                begin, name = open_slices.pop(track)
                slices[track].append((begin, time, name))
            else:
                for flow in e[47]:
                    started[flow] = time
    expect("open slices", open_slices, {})
    expect("flows", sorted(started), sorted(ended))
    for flow in started:
        if flow in ended and ended[flow] < started[flow]:
            complain("a flow goes back in time")
    path = [t for t, (name, parent) in tracks.items()
            if name.startswith("critical path of") and parent is None]
    expect("tracks of the path", len(path), 1)
    expect("path", [(b, e, n.rsplit(": ", 1)[1]) for b, e, n in slices[path[0]]],
           [s[:3] for s in answer.segments])
    for cause, flow in zip(causes, answer.flows):
        if flow and not (cause and cause[0][10] == [b"cause"] and flow in cause[0][6][0].decode()):
            complain("a packet's flow is not said:", cause)
    for track, found in slices.items():
        for a, b in zip(found, found[1:]):
            if b[0] < a[1]:
                complain("slices overlap on", tracks[track][0])


def read_chrome(file, answer):
    trace = json.load(open(file))
    expect("begin", trace["otherData"]["begin_ns"], answer.begin)
    named, slices, last_end = set(), collections.defaultdict(list), {}
    arrows = collections.defaultdict(dict)
    for e in trace["traceEvents"]:
        if e["ph"] == "M":
            named.add((e["name"], e["pid"], e.get("tid")))
        elif e["ph"] in "BE":
            if ("process_name", e["pid"], None) not in named:
                complain("a process without a name")
            if ("thread_name", e["pid"], e["tid"]) not in named:
                complain("a thread without a name")
            time = answer.begin + round(e["ts"] * 1000)
            thread = slices[e["pid"], e["tid"]]
            if e["ph"] == "E":
                thread[-1][1] = time
                expect("name at the end", e["name"].rsplit(": ", 1)[-1], thread[-1][2])
            else:
                # As doubles: readers compare what they have read.
                if thread and (thread[-1][1] is None or e["ts"] < last_end[e["pid"], e["tid"]]):
                    complain("slices overlap on thread", e["pid"], e["tid"])
                thread.append([time, None, e["name"].rsplit(": ", 1)[-1]])
            last_end[e["pid"], e["tid"]] = e["ts"]
        else:
            arrows[e["id"]][e["ph"]] = e
    expect("path", [tuple(s) for s in slices[0, 0]], [s[:3] for s in answer.segments])
    for arrow in arrows.values():
        expect("ends of an arrow", sorted(arrow), ["f", "s"])
        if arrow["f"]["ts"] < arrow["s"]["ts"]:
            complain("an arrow goes back in time")


def read_speedscope(file, answer):
    profile = json.load(open(file))
    frames = [f["name"] for f in profile["shared"]["frames"]]
    profile = profile["profiles"][0]
    stack, last, found = [], 0, []
    for e in profile["events"]:
        if e["at"] < last:
            complain("time goes back")
        if e["at"] > last and stack:
            found.append((answer.begin + last, answer.begin + e["at"], frames[stack[-1]]))
        last = e["at"]
        if e["type"] == "O":
            stack.append(e["frame"])
        elif not stack or stack.pop() != e["frame"]:
            complain("a frame is closed that is not the innermost")
    expect("open frames", stack, [])
    expect("end", profile["endValue"], answer.end - answer.begin)
    # Neighbours of one chain and state are one there.
    joined = []
    for (begin, end, state, host, tid), depth in zip(answer.segments, answer.depths):
        if joined and joined[-1][2:] == [state, host, tid, depth]:
            joined[-1][1] = end
        else:
            joined.append([begin, end, state, host, tid, depth])
    expect("time", sum(e - b for b, e, _ in found), answer.end - answer.begin)
    if len(found) > len(joined):
        complain(len(found), "stretches, at most", len(joined))
    by_state = collections.Counter()
    for b, e, state in found:
        by_state[state] += e - b
    expect("states", dict(by_state), answer.by_state)


def read_folded(file, answer):
    by_state = collections.Counter()
    for line in open(file):
        stack, time = line.rstrip("\n").rsplit(" ", 1)
        by_state[stack.rsplit(";", 1)[1]] += int(time)
    expect("states", dict(by_state), answer.by_state)


def read_csv(file, answer):
    rows = list(csv.DictReader(open(file, newline="")))
    expect("path", [(int(r["begin"]), int(r["end"]), r["state"], r["host"], int(r["tid"]))
                    for r in rows], answer.segments)


def check_value(value):
    """An AnyValue: one of its kinds; 64-bit integers are strings in the JSON of protocol buffers."""
    (kind, content), = value.items()
    if kind == "arrayValue":
        for element in content["values"]:
            check_value(element)
    elif not (kind == "stringValue" and isinstance(content, str) or
              kind == "intValue" and re.fullmatch("-?[0-9]+", content) or
              kind == "boolValue" and isinstance(content, bool) or
              kind == "doubleValue" and isinstance(content, float)):
        complain("no AnyValue:", value)


def check_attributes(attributes):
    keys = [a["key"] for a in attributes]
    expect("keys", len(set(keys)), len(keys))
    for attribute in attributes:
        expect("attribute", set(attribute), {"key", "value"})
        check_value(attribute["value"])


OTLP_SPAN = {"traceId", "spanId", "parentSpanId", "name", "kind", "startTimeUnixNano",
             "endTimeUnixNano", "attributes", "links", "status", "events", "traceState", "flags"}
OTLP_NEEDED = {"traceId", "spanId", "name", "kind", "startTimeUnixNano", "endTimeUnixNano"}


def check_otlp(request):
    """The shape of an ExportTraceServiceRequest, as opentelemetry-proto and its JSON mapping say."""
    expect("request", set(request), {"resourceSpans"})
    for resource in request["resourceSpans"]:
        expect("resource spans", set(resource), {"resource", "scopeSpans"})
        check_attributes(resource["resource"]["attributes"])
        if "service.name" not in [a["key"] for a in resource["resource"]["attributes"]]:
            complain("a resource without service.name")
        for scope in resource["scopeSpans"]:
            expect("scope spans", set(scope), {"scope", "spans"})
            for span in scope["spans"]:
                if not OTLP_NEEDED <= set(span) <= OTLP_SPAN:
                    complain("keys of a span", sorted(span))
                if not 1 <= span["kind"] <= 5 or not span["name"]:
                    complain("kind or name", span["kind"], span["name"])
                times = span["startTimeUnixNano"], span["endTimeUnixNano"]
                if not all(isinstance(t, str) and re.fullmatch("[0-9]{1,20}", t) for t in times) \
                        or int(times[0]) > int(times[1]):
                    complain("times of a span", times)
                check_attributes(span.get("attributes", []))
                for link in [span] + span.get("links", []):
                    for key, digits in (("traceId", 32), ("spanId", 16)):
                        if not re.fullmatch("[0-9a-f]{%d}" % digits, link[key]) or \
                                not int(link[key], 16):
                            complain(key, link[key])
                for link in span.get("links", []):
                    check_attributes(link.get("attributes", []))


def read_otlp(file, answer):
    spans, hosts = {}, {}
    for line in open(file):
        check_otlp(json.loads(line))
        for resource in json.loads(line)["resourceSpans"]:
            host = [a["value"]["stringValue"] for a in resource["resource"]["attributes"]
                    if a["key"] == "host.name"][0]
            for scope in resource["scopeSpans"]:
                for span in scope["spans"]:
                    if span["spanId"] in spans:
                        complain("a span twice", span["spanId"])
                    spans[span["spanId"]], hosts[span["spanId"]] = span, host
    roots = [s for s in spans.values() if "parentSpanId" not in s]
    expect("roots", len(roots), 1)
    found, chains = [], []
    for id, span in spans.items():
        values = {a["key"]: a["value"] for a in span["attributes"]}
        if "waitpath.state" not in values:
            continue
        for link in span.get("links", []):
            if link["spanId"] not in spans:
                complain("a link to nowhere")
            elif spans[link["spanId"]]["endTimeUnixNano"] != span["startTimeUnixNano"]:
                complain("a link to what was not before")
        found.append((int(span["startTimeUnixNano"]), int(span["endTimeUnixNano"]),
                      values["waitpath.state"]["stringValue"], hosts[id],
                      int(values["thread.id"]["intValue"])))
        # Outwards: each lies within the next, and as many of them are waits as the path says.
        depth, inner = 0, span
        while "parentSpanId" in inner:
            outer = spans[inner["parentSpanId"]]
            if int(outer["startTimeUnixNano"]) > int(inner["startTimeUnixNano"]) or \
                    int(outer["endTimeUnixNano"]) < int(inner["endTimeUnixNano"]):
                complain("a span is not within its parent:", inner["name"])
            depth, inner = depth + 1, outer
        chains.append((found[-1], depth - 1))
    expect("path", sorted(found), answer.segments)
    expect("depths", [depth for _, depth in sorted(chains)], answer.depths)


def read_sqlite(file, answer):
    db = sqlite3.connect(file)
    expect("integrity", db.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
    expect("foreign keys", db.execute("PRAGMA foreign_key_check").fetchall(), [])
    expect("path", db.execute(
        "SELECT p.begin, p.end, p.state, h.name, t.tid FROM path p JOIN host h ON h.id = p.host "
        "JOIN task t ON t.host = p.host AND t.id = p.task ORDER BY seq").fetchall(),
        answer.segments)
    # What one would ask: of which states, and who has most.
    expect("states", dict(db.execute("SELECT state, SUM(end - begin) FROM path GROUP BY state")),
           answer.by_state)
    by_task = collections.Counter()
    for begin, end, _, host, tid in answer.segments:
        by_task[host, tid] += end - begin
    expect("tasks", {(host, tid): time for host, tid, time in db.execute(
        "SELECT h.name, t.tid, SUM(p.end - p.begin) FROM path p JOIN host h ON h.id = p.host "
        "JOIN task t ON t.host = p.host AND t.id = p.task GROUP BY p.host, p.task")}, by_task)
    # Who woke whom was there to do so, and the woken one's slice begins then.
    expect("hand-overs to nobody's begin", db.execute(
        "SELECT count(*) FROM handover o WHERE NOT EXISTS (SELECT 1 FROM slice s WHERE "
        "s.host = o.to_host AND s.task = o.to_task AND s.begin = o.to_time)").fetchone()[0], 0)
    expect("late hand-overs", db.execute(
        "SELECT count(*) FROM handover WHERE from_time > to_time").fetchone()[0], 0)


def read_graphml(file, answer):
    ns = "{http://graphml.graphdrawing.org/xmlns}"
    graph = ET.parse(file).getroot().find(ns + "graph")
    try:
        import networkx
        # A program that is no XML reader only.
        read = networkx.read_graphml(file, force_multigraph=True)
        expect("nodes and edges in networkx",
               (read.number_of_nodes(), read.number_of_edges(), read.is_directed()),
               (len(graph.findall(ns + "node")), len(graph.findall(ns + "edge")), True))
        for a, b, edge in read.edges(data=True):
            if read.nodes[a]["begin"] > read.nodes[b]["begin"]:
                complain("an edge goes back in time:", a, b, edge)
    except ImportError:
        pass
    nodes = {n.get("id"): {d.get("key"): d.text for d in n} for n in graph.findall(ns + "node")}
    expect("ids", len(nodes), len(graph.findall(ns + "node")))
    for e in graph.findall(ns + "edge"):
        if e.get("source") not in nodes or e.get("target") not in nodes:
            complain("an edge to nowhere")
    # Whatever the path shows as running ran: there is a node of that task around it.
    ran = collections.defaultdict(list)
    for n in nodes.values():
        ran[n["host"], int(n["tid"])].append((int(n["begin"]), int(n["end"]), n["state"]))
    for begin, end, state, host, tid in answer.segments:
        if state == "running" and not any(b <= begin and e >= end and s == state
                                          for b, e, s in ran[host, tid]):
            complain("no node for", begin, end, host, tid)


def read_xml(file, answer):
    root = ET.parse(file).getroot()
    expect("path", [(int(s.get("begin")), int(s.get("end")), s.get("state"), s.get("host"),
                     int(s.get("tid"))) for s in root.find("segments")], answer.segments)
    expect("states", {s.get("name"): int(s.get("time"))
                      for s in root.find("totals").findall("state")}, answer.by_state)


def read_svg(file, answer):
    ns = "{http://www.w3.org/2000/svg}"
    root = ET.parse(file).getroot()
    expect("root", root.tag, ns + "svg")
    widest = max(float(r.get("width")) for g in root.iter(ns + "g") for r in g.findall(ns + "rect"))
    width, height = (int(root.get(k)) for k in ("width", "height"))
    for g in root.iter(ns + "g"):
        r = g.find(ns + "rect")
        if float(r.get("x")) + float(r.get("width")) > width or \
                float(r.get("y")) + float(r.get("height")) > height:
            complain("a box outside the picture")
    return widest


def read_flame(file, answer):
    expect("width of the path's own task", read_svg(file, answer), 1179.5)


def read_timeline(file, answer):
    read_svg(file, answer)


READERS = {"svg": read_flame}
if __name__ == "__main__":
    reader = READERS.get(sys.argv[1]) or globals()["read_" + sys.argv[1]]
    reader(sys.argv[2], Answer(sys.argv[3]))
