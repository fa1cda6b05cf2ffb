#!/bin/sh
# SPDX-License-Identifier: MIT
#
# mirror.sh: what passes through a mirror is the same afterwards, to the last detail
# that sink.text.details knows; with a clock map only the times differ, by what the map says.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/lib/plugin.sh"

bt2 run -c every:source.waitpath-test.every -c out:sink.text.details -x every:out \
	>"$tap_dir/every" 2>&1
for passes in 1 2; do
	bt2 run -c every:source.waitpath-test.every -c mirror:filter.waitpath-test.mirror \
		-p "passes=$passes" -c out:sink.text.details -x every:mirror -x mirror:out \
		>"$tap_dir/mirrored" 2>&1
	same "everything that the trace IR knows, read in $passes passes" \
		"$tap_dir/every" "$tap_dir/mirrored"
done

# The times of beta (the second trace) move by the offset, nothing else changes. Its class is
# copied once for each host's clock, so only what follows the classes is compared.
messages() {
	sed -n '/^\[.*ns from origin\]/,$p' "$1" | sed '/^Trace class:/,/^$/d; s/,//g'
}
offset=36000000000123
bt2 run -c every:source.waitpath-test.every -c mirror:filter.waitpath-test.mirror \
	-p "beta-offset=$offset" -c out:sink.text.details -x every:mirror -x mirror:out \
	>"$tap_dir/mirrored" 2>&1
messages "$tap_dir/every" >"$tap_dir/a"
messages "$tap_dir/mirrored" >"$tap_dir/b"
strip() {
	sed 's/^\[[0-9]* cycles [0-9]* ns from origin\]/[TIME]/; s/^\[[0-9]* cycles [0-9]* ns.*/[TIMES]/' "$1"
}
strip "$tap_dir/a" >"$tap_dir/a-rest"
strip "$tap_dir/b" >"$tap_dir/b-rest"
same "a clock map changes nothing but times" "$tap_dir/a-rest" "$tap_dir/b-rest"

# TIME TRACE of each message that has one time.
times_of() {
	awk '/ ns from origin\]$/ && NF == 6 { t = $3 }
	     /^{Trace/ && t { sub(/,/, "", $2); print t, $2 + 0; t = 0 }' "$1"
}
times_of "$tap_dir/a" >"$tap_dir/a-times"
times_of "$tap_dir/b" >"$tap_dir/b-times"
paste -d ' ' "$tap_dir/a-times" "$tap_dir/b-times" >"$tap_dir/both"
n_beta=0
: >"$tap_dir/wrong"
while read -r a trace_a b trace_b; do
	moved=0
	[ "$trace_a" = 0 ] || { moved=$offset; n_beta=$((n_beta + 1)); }
	if [ "$trace_a" != "$trace_b" ] || [ $((b - a)) != "$moved" ]; then
		echo "trace $trace_a: $a became $b, expected $moved more" >>"$tap_dir/wrong"
	fi
done <"$tap_dir/both"
[ "$n_beta" -ge 10 ] || echo "only $n_beta times of beta" >>"$tap_dir/wrong"
check "a clock map moves the times of its host, and those only" "$tap_dir/wrong"

# Real traces: all tracers and versions at hand, and streams with losses. Names of files are
# left out: where one is empty, Babeltrace 2.0 prints what its field held before.
n=0
for trace in "$traces"/public/wget-115406 "$traces"/public/bug446190 "$traces"/public/lttng-2.0.0 \
	"$traces"/public/flipping-endianness "$traces"/public/perf-taskset2 \
	"$traces"/recorded/local-lost/hosta "$traces"/recorded/rpc-ipv6/hostb; do
	metadata=$(find "$trace" -name metadata 2>/dev/null)
	[ -n "$metadata" ] || continue
	set -- -c "in:source.ctf.fs" -p "inputs=[\"${metadata%/metadata}\"]" \
		-c muxer:filter.utils.muxer -c out:sink.text.details -x in:muxer
	bt2 run "$@" -x muxer:out 2>&1 | grep -v " filename: " | cksum >"$tap_dir/a"
	bt2 run "$@" -c mirror:filter.waitpath-test.mirror -x muxer:mirror -x mirror:out 2>&1 |
		grep -v " filename: " | cksum >"$tap_dir/b"
	same "${trace#"$traces"/}" "$tap_dir/a" "$tap_dir/b"
	n=$((n + 1))
done
[ "$n" -gt 0 ] || skip "real traces" "not here"
tap_done
