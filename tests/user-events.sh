#!/bin/sh
# SPDX-License-Identifier: MIT
#
# user-events.sh: requests between user-space events, whose names hold a colon, in a recording of
# waitpath by itself: as many, as long and where babeltrace2 says that they are.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
sample=$top_srcdir/traces/samples/itself/hosta

python3=/usr/bin/python3
[ -x "$python3" ] || skip_all "no $python3"

cat >"$tap_dir/compare" <<'END'
import json, re, subprocess, sys

waitpath, sample = sys.argv[1:]
metadata = open(sample + "/trace/kernel/metadata", "rb").read()
offset = int(re.search(rb"\boffset = (\d+);", metadata).group(1))
rows = [json.loads(line) for line in open(sample + "/truth.jsonl")]
for tid in sorted({r["tid"] for r in rows if r["ev"] == "mark"}):
    told = [(r["what"], r["begin"], r["end"]) for r in rows
            if r["ev"] == "mark" and r["tid"] == tid]
    done = subprocess.run(
        [waitpath, "requests", "-t", f"hosta:{tid}", "--from", "waitpath:phase_begin",
         "--to", "waitpath:phase_end", "--id", "name", "-f", "json", sample + "/trace"],
        capture_output=True, text=True)
    try:
        found = sorted(json.loads(done.stdout)["requests"], key=lambda r: r["begin"])
    except (ValueError, KeyError):
        print(f"{tid}: exit status {done.returncode}: {done.stderr} {done.stdout[:200]}")
        continue
    if len(found) != len(told):
        print(f"{tid}: {len(found)} requests, not {len(told)}")
    for (what, begin, end), r in zip(told, found):
        # Both traces measured the offset of the one clock, at different times.
        if r["id"] != what or r["duration"] != end - begin or \
                abs(r["begin"] - offset - begin) > 20000:
            print(f"{tid}: {what} from {begin} to {end}, found {r['id']} from "
                  f"{r['begin'] - offset} for {r['duration']} ns")
        if sum(r["by_state"].values()) != r["duration"]:
            print(f"{tid}: {what}: states are not all of it")
END
"$python3" "$tap_dir/compare" "$top_builddir/waitpath" "$sample" >"$tap_dir/wrong" 2>&1
check "phases of waitpath, as user-space events tell them" "$tap_dir/wrong"
tap_done
