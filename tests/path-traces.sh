#!/bin/sh
# SPDX-License-Identifier: MIT
#
# path-traces.sh: paths in other people's traces, whose length and shares are known: from the
# times of their scheduling events, added up by hand, and from what Trace Compass's tests say.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
traces=${WAITPATH_SHARED:-$top_srcdir/../shared}/traces/public
[ -d "$traces/wget-115406" ] || skip_all "no traces in \$WAITPATH_SHARED"
command -v python3 >/dev/null || skip_all "no python3"

cat >"$tap_dir/path.py" <<'END'
"""path.py CHECK WAITPATH ARGUMENT...: what is wrong with that path, a line each."""
import collections
import json
import subprocess
import sys

check, command = sys.argv[1], sys.argv[2:]
run = subprocess.run(command[:1] + ["path", "-q", "--format", "json"] + command[1:],
                     capture_output=True, text=True)
if not run.stdout:
    sys.exit("exit %d: %s" % (run.returncode, run.stderr))
path = json.loads(run.stdout)
segments = path["segments"]
own = path["task"]["tid"]
time = lambda keep: sum(s["end"] - s["begin"] for s in segments if keep(s))
near = lambda what, got, want, may: abs(got - want) <= may or print(
    "%s: %.6f ms, not %.3f" % (what, got / 1e6, want / 1e6))

# wget asks the name service of its host by packets over loopback: what systemd-resolve does for
# it is a part of its waits for the network.
waited = lambda s: s["state"] == "network" or s["tid"] != own

if check == "wget-14312":
    near("whole", time(lambda s: True), 23568378, 0)
    near("network", time(waited), 20300000, 5000)
    near("others", time(lambda s: s["tid"] != own and s["comm"] != "systemd-resolve"), 0, 0)
elif check == "wget-12243":
    near("whole", time(lambda s: True), 235324244, 0)
    near("disk", time(lambda s: s["state"] == "disk"), 45980000, 10000)
    near("network", time(waited), 185130000, 10000)
    near("others", time(lambda s: s["tid"] != own and s["comm"] != "systemd-resolve"), 0, 0)
    first = next(s["state"] for s in segments if s["state"] in ("disk", "network") and
                 s["end"] - s["begin"] > 1000000)
    if first != "disk":
        print("the first long wait is for " + first)
elif check == "many-threads":
    others = collections.Counter(s["tid"] for s in segments if s["tid"] != own)
    if not 5400 <= len(others) <= 5500:
        print("%d other tasks, not about 5473" % len(others))
elif check == "weston":
    at = 1412670963793673139
    if not any(s["tid"] == 6 and abs(s["begin"] - at) < 1000000 for s in segments):
        print("no kworker/u16:0 near the hand-over")
elif check == "no-wakeups":
    kinds = collections.Counter(s["state"] for s in segments)
    waits = time(lambda s: s["state"] == "blocked")
    if len({s["tid"] for s in segments}) != 1 or waits == 0:
        print("without wake-ups a wait leads nowhere: %s" % kinds)
    if any("from" in s.get("cause", {}) for s in segments if s["state"] == "blocked"):
        print("a wait has a cause that the trace can't tell")
else:
    print("no such check")
END

# path CHECK ARGUMENT...
path() {
	check=$1
	shift
	python3 "$tap_dir/path.py" "$check" "$top_builddir/waitpath" "$@" >"$tap_dir/wrong" 2>&1
	check "$check" "$tap_dir/wrong"
}
# From sched_wakeup_new to the last switch-out.
path wget-14312 -t 14312 --begin 1533225246.728244614 --end 1533225246.751812992 \
	"$traces/wget-115406"
path wget-12243 -t 12243 --begin 1533225044.156404126 --end 1533225044.391728370 \
	"$traces/wget-115043"
path many-threads -t 2673 "$traces/many-threads"
path weston -t 338 --begin 1412670963.78 --end 1412670963.80 "$traces/bug446190"
path no-wakeups -t "$("$top_builddir/waitpath" tasks -q --format json --top 1 \
	"$traces/flipping-endianness" 2>/dev/null |
	python3 -c 'import json, sys; print(json.load(sys.stdin)["tasks"][0]["tid"])')" \
	"$traces/flipping-endianness"
tap_done
