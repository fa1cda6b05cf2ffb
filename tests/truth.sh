#!/bin/sh
# SPDX-License-Identifier: MIT
#
# truth.sh: the paths and clocks of recorded samples against what their workloads wrote about
# themselves, and the checker itself against answers that are wrong.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
samples=$top_srcdir/traces/samples
checker=$top_srcdir/traces/truth-check.py
waitpath=$top_builddir/waitpath

python3=/usr/bin/python3
[ -x "$python3" ] || skip_all "no $python3"

# Each line of a check becomes a test.
for scenario in "$samples"/*/; do
	"$python3" "$checker" -v --tool "$waitpath" "$scenario" >"$tap_dir/told" 2>&1 ||
		grep -q '^FAIL' "$tap_dir/told" || fail "${scenario%/}" "$tap_dir/told"
	while read -r word name kind rest; do
		echo "$rest" >"$tap_dir/rest"
		case $word in
		ok) pass "$name $kind" ;;
		FAIL) fail "$name $kind" "$tap_dir/rest" ;;
		skip) skip "$name" "$kind $rest" ;;
		esac
	done <"$tap_dir/told"
done

# must_fail NAME SCENARIO KIND FILTER: the checker finds fault with answers that FILTER, in
# Python with the answer in a, has bent.
must_fail() {
	cat >"$tap_dir/bent" <<-END
		#!$python3
		import json, subprocess, sys
		done = subprocess.run(["$waitpath"] + sys.argv[1:], capture_output=True, text=True)
		a = json.loads(done.stdout)
		if sys.argv[1] == "$5":
		    $4
		print(json.dumps(a))
		sys.exit(done.returncode)
	END
	chmod +x "$tap_dir/bent"
	"$python3" "$checker" --tool "$tap_dir/bent" "$samples/$2" >"$tap_dir/told" 2>&1
	if grep -q "^FAIL $2 *$3 " "$tap_dir/told"; then pass "$1"; else fail "$1" "$tap_dir/told"; fi
}

must_fail "a gap between segments is found" local-chain invariants \
	"a['segments'][3]['begin'] += 1" path
must_fail "totals that are no sums are found" local-chain invariants \
	"a['totals']['by_host']['hosta'] += 1" path
must_fail "time on the wrong task is found" local-mutex lock \
	"[s.update(tid=1) for s in a['segments'] if s['depth'] > 0]" path
must_fail "time in the wrong state is found" local-contention timer \
	"[s.update(state='blocked') for s in a['segments'] if s['state'] == 'timer']" path
must_fail "time on the wrong host is found" tier3 rpc \
	"[s.update(host='hostb') for s in a['segments'] if s['host'] == 'hostc']" path
must_fail "a clock outside of its bound is found" tier3 sync \
	"[k.__setitem__(1, k[1] + k[2] + 2000) for h in a['hosts'] for k in h['knots']]" sync
must_fail "an idle bound is found" tier3 bound \
	"[k.__setitem__(2, 2e6) for h in a['hosts'] for k in h['knots']]" sync

# The report too: the last filter moves a third of the path to another host.
must_fail "a report of wrong paths is made" tier3 rpc \
	"[s.update(host='hostb', tid=1) for s in a['segments'] if s['host'] == 'hostc']" path
"$python3" "$checker" --tool "$tap_dir/bent" --report "$tap_dir/report" "$samples/tier3" >/dev/null
awk -F'|' '/^. \*\*all/ { n++; if ($5 + 0 > 95 || $6 + 0 > 95 || $7 + 0 > 95) print }
	END { if (n != 1) print "no sum" }' "$tap_dir/report" >"$tap_dir/wrong"
check "and says so" "$tap_dir/wrong"
tap_done
