#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cli-clocks.sh: traces whose clocks or names lie: two hosts of one name, one host traced twice,
# clocks hours apart, traces of other times, a host without packets, a clock that is stepped. Each
# gives the path of the honest traces, or says that it can't be known, and why.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
waitpath=$top_builddir/waitpath
samples=$top_srcdir/traces/samples
good=$samples/tier3
task=hosta:$(sed -n 's/.*"tid": *\([0-9]*\).*/\1/p' "$good/hosta/truth.jsonl" | head -n 1)

# path OUT TRACE...: by state, and by host where that is the same in all cases.
path() {
	out=$tap_dir/path-$1
	shift
	"$waitpath" path -t "$task" --format json "$@" >"$out" 2>"$out.err"
	status=$?
	sed -n '/"by_state": {/,/}/p' "$out" | sed '/}/q' >"$out.states"
}

# says FILE CODE...: the findings must be there.
says() {
	file=$1
	shift
	for code; do
		grep -q "\"code\": \"$code\"" "$file" || echo "no finding $code" >>"$tap_dir/wrong"
	done
}

same_path() {
	[ "$status" -eq 0 ] || cat "$out.err" >>"$tap_dir/wrong"
	diff "$tap_dir/path-honest.states" "$out.states" >>"$tap_dir/wrong"
}

path honest "$good/hosta/trace" "$good/hostb/trace" "$good/hostc/trace"
: >"$tap_dir/wrong"
[ "$status" -eq 0 ] || cat "$out.err" >>"$tap_dir/wrong"
[ -s "$tap_dir/path-honest.states" ] || echo "no path" >>"$tap_dir/wrong"
check "the honest traces of $task" "$tap_dir/wrong"

# Another host that calls itself hosta, too.
cp -R "$good/hostb" "$tap_dir/twin"
chmod -R u+w "$tap_dir/twin"
LC_ALL=C sed 's/hostname = "hostb"/hostname = "hosta"/' "$good/hostb/trace/kernel/metadata" \
	>"$tap_dir/twin/trace/kernel/metadata"
path twin "$good/hosta/trace" "$tap_dir/twin/trace" "$good/hostc/trace"
: >"$tap_dir/wrong"
same_path
says "$out" host-name-twice
grep -q '"host": "hosta#2"' "$out" || echo "no host hosta#2" >>"$tap_dir/wrong"
check "two hosts of one name" "$tap_dir/wrong"

# One host's trace twice: a copy of it, as if two sessions had recorded at once.
cp -R "$good/hosta" "$tap_dir/copy"
path copy "$good/hosta/trace" "$tap_dir/copy/trace" "$good/hostb/trace" "$good/hostc/trace"
: >"$tap_dir/wrong"
same_path
says "$out" traced-twice
check "one host traced twice" "$tap_dir/wrong"

# A clock that is a day and a bit off.
cp -R "$good/hostb" "$tap_dir/apart"
chmod -R u+w "$tap_dir/apart"
LC_ALL=C sed 's/offset = 17724/offset = 17725/' "$good/hostb/trace/kernel/metadata" \
	>"$tap_dir/apart/trace/kernel/metadata"
cmp -s "$good/hostb/trace/kernel/metadata" "$tap_dir/apart/trace/kernel/metadata" &&
	fail "the offset is changed" "$tap_dir/wrong"
path apart "$good/hosta/trace" "$tap_dir/apart/trace" "$good/hostc/trace"
: >"$tap_dir/wrong"
same_path
check "clocks a day apart" "$tap_dir/wrong"

# Hosts that were recorded at other times: nothing joins them, and no packet is made up.
path other "$good/hosta/trace" "$samples/rpc-lossy/hostb/trace"
: >"$tap_dir/wrong"
[ "$status" -eq 0 ] || cat "$out.err" >>"$tap_dir/wrong"
says "$out" hosts-not-joined
grep '"host": "hostb", "tid"' "$out" >>"$tap_dir/wrong"
check "traces that do not overlap" "$tap_dir/wrong"

# A host that has seen no packets at all.
path mute "$good/hosta/trace" "$good/hostb/trace" "$good/hostc/trace" \
	"mute=$samples/local-mutex/hosta/trace"
: >"$tap_dir/wrong"
same_path
says "$out" hosts-not-joined
check "a host without packets" "$tap_dir/wrong"
"$waitpath" sync "$good/hosta/trace" "mute=$samples/local-mutex/hosta/trace" >"$tap_dir/out" 2>&1
status=$?
: >"$tap_dir/wrong"
[ $status -eq 3 ] || echo "sync ends with $status, not 3" >>"$tap_dir/wrong"
check "sync says so by its status" "$tap_dir/wrong"

# calls NAME -v VARIABLE=VALUE...: made-up hosts with a clock that lies.
calls() {
	calls=$tap_dir/calls-$1
	shift
	awk "$@" -f "$top_srcdir/tests/lib/stepped-calls.awk" >"$calls.txt"
	"$top_builddir/tests/fixture2ctf" "$calls.txt" "$calls" >/dev/null
}

# share_is BEGIN END NS WITHIN: what hostb has of the path in a window, to some ns.
share_is() {
	"$waitpath" path -t hosta:101 --begin "$1" --end "$2" --format json "$calls"/* \
		>"$tap_dir/out" 2>>"$tap_dir/wrong"
	awk -v want="$3" -v within="$4" -F '[:,}]' '/"by_host": {"hosta"/ {
			off = $NF == "" ? $(NF - 1) - want : $NF - want; exit
		}
		END { if (off == "" || off > within || off < -within)
			print "hostb has", want + off, "ns of the path, not", want }' \
		"$tap_dir/out" >>"$tap_dir/wrong"
}

# Calls are 20 ms apart, and in each 5.69 ms are the server's or on the way to it: whoever counts
# those of a window knows the answer. 35 are in the time well before, 37 in that well behind.
calls stepped -v N=100 -v STEP=80000
: >"$tap_dir/wrong"
share_is +0.1 +0.8 199150000 1000
share_is +1.25 +2 210530000 1000
says "$tap_dir/out" clock-stepped
check "a clock that is stepped: the path before and behind" "$tap_dir/wrong"
"$waitpath" sync "$calls"/* >"$tap_dir/out" 2>&1
status=$?
: >"$tap_dir/wrong"
[ $status -eq 0 ] || echo "sync ends with $status" >>"$tap_dir/wrong"
grep -q 'The clock of hostb gained 80.000 ms against that of hosta' "$tap_dir/out" ||
	cat "$tap_dir/out" >>"$tap_dir/wrong"
check "sync says by how much" "$tap_dir/wrong"

# A clock that is slewed by 500 ppm for four seconds: 2 ms in all, ten times the 213 us that the
# packets of a call leave open. That much it may be wrong by in each of the 600 calls, or the 190.
calls slewed -v N=600 -v SLEW=500
: >"$tap_dir/wrong"
share_is +0 +12.02 3414000000 127800000
share_is +0.1 +3.9 1081100000 40470000
share_is +4.1 +7.9 1081100000 40470000
share_is +8.1 +11.9 1081100000 40470000
"$waitpath" sync --format json "$calls"/* >"$tap_dir/out" 2>>"$tap_dir/wrong" ||
	echo "sync ends with $?" >>"$tap_dir/wrong"
grep -q '"inversions_after": 0, "quality": "both-ways"' "$tap_dir/out" || cat "$tap_dir/out" >>"$tap_dir/wrong"
check "a clock that is slewed" "$tap_dir/wrong"

# A machine that is suspended while its server computes: half a second, and five.
for seconds in 0.5 5; do
	calls suspended -v N=200 -v SUSPEND="$(awk "BEGIN { print $seconds * 1000000 }")"
	: >"$tap_dir/wrong"
	share_is +0.1 +0.8 199150000 1000
	share_is "$(awk "BEGIN { print \"+\" 3 + $seconds }")" "$(awk "BEGIN { print \"+\" 3.7 + $seconds }")" \
		199150000 1000
	says "$tap_dir/out" clock-stepped
	grep -q "stood still with its machine" "$tap_dir/out" || echo "nothing of why" >>"$tap_dir/wrong"
	check "a machine suspended for $seconds s: the path before and behind" "$tap_dir/wrong"
done

# A server that computes longer than its client waits: there is no such pair of clocks.
calls contradictory -v N=200 -v SPREAD=2000
: >"$tap_dir/wrong"
"$waitpath" path -t hosta:101 --format json "$calls"/* >"$tap_dir/out" 2>>"$tap_dir/wrong"
says "$tap_dir/out" contradictory-pair
"$waitpath" sync "$calls"/* >"$tap_dir/out" 2>>"$tap_dir/wrong"
grep -q "packets contradict each other" "$tap_dir/out" || cat "$tap_dir/out" >>"$tap_dir/wrong"
check "a contradictory pair" "$tap_dir/wrong"
tap_done
