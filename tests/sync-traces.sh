#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sync-traces.sh: the clocks of two hosts that exchanged packets during 118 ms of a trace, whose
# relation there is known from elsewhere: the offset, what is matched, and that the bound grows
# away from where packets are instead of a drift being made up. Saved clocks give the same.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
waitpath=$top_builddir/waitpath
traces=${WAITPATH_SHARED:-}/traces/public
[ -d "$traces/scp_src" ] || skip_all "no traces in \$WAITPATH_SHARED"
python3=/usr/bin/python3
[ -x "$python3" ] || skip_all "no $python3"

cat >"$tap_dir/look.py" <<'END'
import json, sys
a = json.load(open(sys.argv[1]))
reference, sign = sys.argv[2], int(sys.argv[3])
burst = 1361214092855000000  # on VM1's clock, amid the packets
def wrong(what): print(what)
if a["reference"] != reference: wrong("reference " + a["reference"])
other = next(h for h in a["hosts"] if h["host"] != reference)
k = other["knots"]
t = burst + (0 if other["host"] == "VM1" else -80567000)
def at(t, i):
    for x, y in zip(k, k[1:]):
        if x[0] <= t <= y[0]: return x[i] + (y[i] - x[i]) * (t - x[0]) / (y[0] - x[0])
    return wrong("the knots don't hold %d" % t) or 0
offset, bound = sign * at(t, 1), at(t, 2)
if not 80430683 <= offset <= 80703584: wrong("an offset of %d" % offset)
if not 136450 <= bound <= 170000: wrong("a bound of %d amid the packets" % bound)
if k[0][2] < 2000000 or k[-1][2] < 1000000: wrong("bounds of %d and %d at the ends" % (k[0][2], k[-1][2]))
if abs(other["drift_ppm"]) > 1: wrong("a drift of %g ppm, of which nothing is known" % other["drift_ppm"])
for p in a["pairs"]:
    if (p["a_to_b"], p["b_to_a"]) != (24, 22): wrong("%d and %d matches" % (p["a_to_b"], p["b_to_a"]))
    if p["inversions_after"]: wrong("%d inversions" % p["inversions_after"])
    if p["quality"] != "both-ways": wrong(p["quality"])
END

"$waitpath" sync --format json --save "$tap_dir/saved" "$traces/scp_src" "$traces/scp_dest" \
	>"$tap_dir/src" 2>"$tap_dir/wrong"
"$python3" "$tap_dir/look.py" "$tap_dir/src" VM1 1 >>"$tap_dir/wrong" 2>&1
check "on the clock of the first" "$tap_dir/wrong"

"$waitpath" sync --format json --reference VM3 "$traces/scp_src" "$traces/scp_dest" \
	>"$tap_dir/dest" 2>"$tap_dir/wrong"
"$python3" "$tap_dir/look.py" "$tap_dir/dest" VM3 -1 >>"$tap_dir/wrong" 2>&1
check "on the clock of the other" "$tap_dir/wrong"

"$waitpath" sync "$traces/scp_src" "$traces/scp_dest" >"$tap_dir/text" 2>"$tap_dir/wrong"
# Its bounds grow by 200 us a second to both ends, so the drift is open by that.
{ grep -q 'drift-unknown' "$tap_dir/text" && grep -q 'drift not known (-21[0-9] to +21[0-9] ppm)' "$tap_dir/text"; } ||
	cat "$tap_dir/text" >>"$tap_dir/wrong"
check "that the drift is unknown is said" "$tap_dir/wrong"

"$waitpath" sync --format json --sync-file "$tap_dir/saved" "$traces/scp_src" "$traces/scp_dest" \
	>"$tap_dir/again" 2>"$tap_dir/wrong"
"$python3" "$tap_dir/look.py" "$tap_dir/again" VM1 1 >>"$tap_dir/wrong" 2>&1
check "by saved clocks" "$tap_dir/wrong"
tap_done
