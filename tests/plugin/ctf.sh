#!/bin/sh
# SPDX-License-Identifier: MIT
#
# ctf.sh: source.waitpath.ctf against source.ctf.fs where that can read a trace, to the last
# detail that sink.text.details knows, and against the reader of waitpath where it can't.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/lib/plugin.sh"
command -v python3 >/dev/null || skip_all "no python3"
waitpath=$top_builddir/waitpath

# Where a text is empty, Babeltrace 2.0 prints what its field held before: both sides without
# file names, which are what that happens with.
details() {
	grep -v -e '^ *filename: ' -e '^ *name: '
}
theirs() {
	bt2 "$1" -c sink.text.details 2>&1 | details
}
ours() {
	bt2 -c source.waitpath.ctf -p "inputs=[\"$1\"]" -c sink.text.details 2>&1 | details
}

# like_theirs NAME DIRECTORY
like_theirs() {
	theirs "$2" >"$tap_dir/x"
	ours "$2" >"$tap_dir/y"
	same "$1" "$tap_dir/x" "$tap_dir/y"
}

# All formats that fixtures are written in: byte orders, alignments, event headers, small packets.
for format in '' order=be layout=aligned header=compact packet=4096 \
	'order=be layout=aligned header=compact packet=4096'; do
	{ echo "host hosta cpus=2 $format" && sed '/^host /d' "$top_srcdir/tests/fixtures/handoff/events.txt"; } \
		>"$tap_dir/text"
	rm -rf "$tap_dir/out"
	"$top_builddir/tests/fixture2ctf" "$tap_dir/text" "$tap_dir/out" >"$tap_dir/log" 2>&1
	like_theirs "fixture${format:+ $format}" "$(dirname "$(find "$tap_dir/out" -name metadata)")"
done

# Random descriptions: all types, sizes, alignments, lengths and tags.
mkdir "$tap_dir/random"
WAITPATH_RANDOM_KEEP=$tap_dir/random WAITPATH_RANDOM_TRACES=40 \
	"$top_builddir/tests/test-ctf-random" >"$tap_dir/log" 2>&1
: >"$tap_dir/wrong"
n=0
for trace in "$tap_dir/random"/*; do
	[ -d "$trace" ] || continue
	bt2 --clock-cycles --no-delta "$trace" >"$tap_dir/x" 2>"$tap_dir/x-err"
	bt2 --clock-cycles --no-delta -c source.waitpath.ctf -p "inputs=[\"$trace\"]" \
		>"$tap_dir/y" 2>"$tap_dir/y-err"
	python3 "$top_srcdir/tests/lib/same-fields.py" "$tap_dir/x" "$tap_dir/y" >"$tap_dir/log" 2>&1 ||
		sed "s/^/trace ${trace##*/}: /" "$tap_dir/log" >>"$tap_dir/wrong"
	[ -s "$tap_dir/x" ] && n=$((n + 1))
done
[ "$n" -ge 20 ] || echo "only $n traces with events" >>"$tap_dir/wrong"
check "random descriptions" "$tap_dir/wrong"

# Real traces: several tracers and versions, both byte orders, streams with losses.
n=0
for trace in "$traces"/public/wget-115406 "$traces"/public/bug446190 "$traces"/public/lttng-2.0.0 \
	"$traces"/public/flipping-endianness "$traces"/public/perf-taskset2 \
	"$traces"/recorded/local-lost/hosta "$traces"/recorded/rpc-ipv6/hostb; do
	metadata=$(find "$trace" -name metadata 2>/dev/null)
	[ -n "$metadata" ] || continue
	theirs "${metadata%/metadata}" | sed "s/^  Trace \`\`:/  Trace \`$(basename "${metadata%/metadata}")\`:/" |
		cksum >"$tap_dir/x"
	ours "${metadata%/metadata}" | cksum >"$tap_dir/y"
	same "${trace#"$traces"/}" "$tap_dir/x" "$tap_dir/y"
	n=$((n + 1))
done
[ "$n" -gt 0 ] || skip "real traces" "not here"

# Both passes of filter.waitpath.sync, which sends its inputs back; a directory above traces.
if [ -d "$traces/recorded/rpc-udp" ]; then
	bt2 "$traces/recorded/rpc-udp" -c filter.waitpath.sync 2>&1 | cksum >"$tap_dir/x"
	bt2 -c source.waitpath.ctf -p "inputs=[\"$traces/recorded/rpc-udp\"]" \
		-c filter.waitpath.sync 2>&1 | cksum >"$tap_dir/y"
	same "two hosts, read twice" "$tap_dir/x" "$tap_dir/y"
else
	skip "two hosts, read twice" "not here"
fi

# Clocks moved as those of source.ctf.fs can be.
out=$(dirname "$(find "$tap_dir/out" -name metadata)")
for params in clock-class-offset-ns=-1500000000 clock-class-offset-s=86400 \
	clock-class-offset-s=+3,clock-class-offset-ns=+999999999; do
	bt2 --clock-seconds -c source.ctf.fs -p "inputs=[\"$out\"],$(echo "$params" | tr -d +)" \
		>"$tap_dir/x" 2>&1
	bt2 --clock-seconds -c source.waitpath.ctf -p "inputs=[\"$out\"],$params" >"$tap_dir/y" 2>&1
	same "$params" "$tap_dir/x" "$tap_dir/y"
done

# count_events DIRECTORY: those that waitpath's reader finds in it, whether it knows them or not.
count_events() {
	"$waitpath" check --reader direct --format json "$1" 2>/dev/null |
		sed -n 's/^ *"events": \([0-9]*\),*$/\1/p' | head -n 1
}

# salvaged NAME DIRECTORY: as many events as waitpath's own reader gets, and no error.
salvaged() {
	bt2 -c source.waitpath.ctf -p "inputs=[\"$2\"]" 2>"$tap_dir/err" | wc -l >"$tap_dir/y"
	count_events "$2" >"$tap_dir/x"
	if grep -q 'CAUSED BY' "$tap_dir/err"; then
		fail "$1" "$tap_dir/err"
	else
		tr -d ' ' <"$tap_dir/y" >"$tap_dir/n"
		same "$1" "$tap_dir/x" "$tap_dir/n"
	fi
}

# A stream that is cut in a packet, a file that is none: the rest is there.
cp -r "$top_srcdir/traces/samples/local-chain/hosta/trace/kernel" "$tap_dir/cut"
chmod -R u+w "$tap_dir/cut"
rm -rf "$tap_dir/cut/index"
whole=$(bt2 "$tap_dir/cut" | wc -l)
size=$(wc -c <"$tap_dir/cut/ch_0")
dd if="$top_srcdir/traces/samples/local-chain/hosta/trace/kernel/ch_0" of="$tap_dir/cut/ch_0" \
	bs=1 count=$((size - 5001)) 2>/dev/null
echo "no stream, but a note left by a person" >"$tap_dir/cut/notes.txt"
salvaged "a cut stream and a stray file" "$tap_dir/cut"
n=$(cat "$tap_dir/n")
if [ "$n" -gt $((whole / 2)) ] && [ "$n" -lt "$whole" ] && grep -q 'ends within its packet' "$tap_dir/err"; then
	pass "$n of $whole events, and what is missing is told"
else
	fail "$n of $whole events, and what is missing is told" "$tap_dir/err"
fi

if [ -d "$traces/public/scp_src" ]; then
	salvaged "scp_src" "$traces/public/scp_src"
	n=$(bt2 "$traces/public/scp_src" 2>/dev/null | wc -l)
	if [ "$n" -lt "$(cat "$tap_dir/x")" ]; then
		pass "of which source.ctf.fs and the muxer gave $n"
	else
		fail "of which source.ctf.fs and the muxer gave $n"
	fi
else
	skip "scp_src" "not here"
fi
if [ -f "$traces/make-malformed.py" ]; then
	mkdir "$tap_dir/bad"
	python3 "$traces/make-malformed.py" "$traces/public/wget-115406" "$traces/public/scp_src" \
		"$tap_dir/bad" >"$tap_dir/log" 2>&1
	: >"$tap_dir/wrong"
	for trace in "$tap_dir/bad"/*; do
		n=$(bt2 -c source.waitpath.ctf -p "inputs=[\"$trace\"]" 2>"$tap_dir/err" | wc -l)
		expected=$(count_events "$trace")
		[ "$n" -eq "${expected:-0}" ] || echo "${trace##*/}: $n events, not $expected" >>"$tap_dir/wrong"
		if [ -n "$expected" ] && grep -q 'CAUSED BY' "$tap_dir/err"; then
			echo "${trace##*/}: $(tail -n 1 "$tap_dir/err")" >>"$tap_dir/wrong"
		fi
	done
	check "malformed traces give what the reader of waitpath gets" "$tap_dir/wrong"
else
	skip "malformed traces" "not here"
fi

# refused WORDS PARAMETERS
refused() {
	bt2 -c source.waitpath.ctf -p "$2" >"$tap_dir/out-text" 2>"$tap_dir/err"
	if [ ! -s "$tap_dir/out-text" ] && tr -s ' \n' ' ' <"$tap_dir/err" | grep -qF -e "$1"; then
		pass "refused: $1"
	else
		fail "refused: $1" "$tap_dir/err"
	fi
}
refused "The parameter 'inputs' is needed: an array of strings." 'clock-class-offset-s=1'
refused "The parameter 'inputs' must be an array of strings." "inputs=\"$out\""
refused "The parameter 'inputs' names no directory." 'inputs=[]'
refused "There is no parameter 'input'; there are: inputs, clock-class-offset-ns, clock-class-offset-s, force-clock-class-origin-unix-epoch." \
	"inputs=[\"$out\"],input=1"
refused "The parameter 'clock-class-offset-ns' must be an integer." "inputs=[\"$out\"],clock-class-offset-ns=1.5"
refused "The parameter 'clock-class-offset-s' must be an integer." "inputs=[\"$out\"],clock-class-offset-s=yes"
refused "The parameter 'force-clock-class-origin-unix-epoch' must be \`yes\` or \`no\`." \
	"inputs=[\"$out\"],force-clock-class-origin-unix-epoch=1"
refused "/nowhere" 'inputs=["/nowhere"]'
tap_done
