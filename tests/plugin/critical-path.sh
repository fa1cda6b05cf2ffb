#!/bin/sh
# SPDX-License-Identifier: MIT
#
# critical-path.sh: filter.waitpath.critical-path gives the segments of the path that
# `waitpath path` finds, also piece by piece from what may never end, and the events on it.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/lib/plugin.sh"
waitpath=$top_builddir/waitpath
lines='--clock-seconds --no-delta'
pretty='clock-seconds=yes,no-delta=yes'

command -v python3 >/dev/null || skip_all "no python3"

# checked NAME segments|select FILE...: passes when path-check.py finds nothing.
checked() {
	name=$1
	shift
	if python3 "$top_srcdir/tests/lib/path-check.py" "$@" >"$tap_dir/checked" 2>&1; then
		pass "$name"
	else
		tail -n 3 "$tap_dir/checked" | cut -c 1-500 >"$tap_dir/checked-end"
		fail "$name" "$tap_dir/checked-end"
	fi
}

"$top_builddir/tests/fixture2ctf" "$top_srcdir/tests/fixtures/net-call/events.txt" "$tap_dir/call" \
	>"$tap_dir/out" || exit 99
a=$tap_dir/call/hosta
b=$tap_dir/call/hostb

# run_form OUT PARAMETERS: each host to an input of its own.
run_form() {
	bt2 run -c "a:source.ctf.fs" -p "inputs=[\"$a\"]" -c "b:source.ctf.fs" \
		-p "inputs=[\"$b\"]" -c cp:filter.waitpath.critical-path -p "$2" \
		-c text:sink.text.pretty -p "$pretty" -x a:cp -x b:cp -x cp:text \
		>"$1" 2>"$1-err"
}

"$waitpath" path -q -t client --format json "$tap_dir/call" >"$tap_dir/path" 2>&1
# shellcheck disable=SC2086
bt2 $lines "$tap_dir/call" -c filter.waitpath.critical-path -p 'task="client"' \
	>"$tap_dir/convert" 2>"$tap_dir/convert-err"
checked "the segments are those of the path" segments "$tap_dir/convert" "$tap_dir/path"
run_form "$tap_dir/run" 'task="client"'
same "convert and run forms give the same" "$tap_dir/convert" "$tap_dir/run"
"$waitpath" path -q -t client --mode causal --format json "$tap_dir/call" >"$tap_dir/causal" 2>&1
run_form "$tap_dir/run" 'task="client",mode="causal"'
checked "causal" segments "$tap_dir/run" "$tap_dir/causal"
"$waitpath" path -q -t client --reference hostb --begin +0.0002 --end +0.0005 --format json \
	"$tap_dir/call" >"$tap_dir/window" 2>&1
run_form "$tap_dir/run" 'task="client",reference="hostb",begin="+0.0002",end="+0.0005"'
checked "a window, on the other host's clock" segments "$tap_dir/run" "$tap_dir/window"

# A CTF trace of the path, and back.
bt2 "$tap_dir/call" -c filter.waitpath.critical-path -p 'task="client"' -o ctf -w "$tap_dir/ctf" \
	>"$tap_dir/out" 2>&1
# shellcheck disable=SC2086
bt2 $lines "$tap_dir/ctf" >"$tap_dir/back" 2>&1
same "through sink.ctf.fs and back" "$tap_dir/convert" "$tap_dir/back"
if grep -q 'task = "hosta:' "$tap_dir/ctf/critical-path/metadata" &&
	grep -q 'mode = "active"' "$tap_dir/ctf/critical-path/metadata"; then
	pass "whose path it is stands in the environment"
else
	fail "whose path it is stands in the environment" "$tap_dir/ctf/critical-path/metadata"
fi

# other_readers NAME DIRECTORY: a CTF trace of segments is what readers that are stricter than
# Babeltrace 2 open, and means the same to them.
other_readers() {
	# shellcheck disable=SC2086
	bt2 $lines "$2" >"$tap_dir/bt2" 2>&1
	python3 "$top_srcdir/tests/lib/ctf-strict.py" "$2" >"$tap_dir/strict" 2>"$tap_dir/strict-err" ||
		cp "$tap_dir/strict-err" "$tap_dir/strict"
	same "$1: by the strictest of rules" "$tap_dir/bt2" "$tap_dir/strict"
	if command -v babeltrace >/dev/null; then
		# shellcheck disable=SC2086
		babeltrace $lines "$2" 2>&1 | sed 's/: { }, {/: {/' >"$tap_dir/bt1"
		same "$1: by Babeltrace 1" "$tap_dir/bt2" "$tap_dir/bt1"
	else
		skip "$1: by Babeltrace 1" "not here"
	fi
}
other_readers "the path" "$tap_dir/ctf/critical-path"
# not_strict NAME SED WORDS: the rules would tell so of such a description, in these words.
not_strict() {
	rm -rf "$tap_dir/bad"
	cp -r "$tap_dir/ctf/critical-path" "$tap_dir/bad"
	sed -i "$2" "$tap_dir/bad/metadata"
	if python3 "$top_srcdir/tests/lib/ctf-strict.py" "$tap_dir/bad" >"$tap_dir/strict" 2>&1 ||
		! grep -qF "$3" "$tap_dir/strict"; then
		fail "$1 would be told" "$tap_dir/strict"
	else
		pass "$1 would be told"
	fi
}
not_strict "packets without times" '/timestamp_begin/d' 'the packet context lacks something'
not_strict "a clock with an offset in seconds" 's/offset_s = 0/offset_s = 5/' 'an offset in seconds'
not_strict "a field called by a word of the language" 's/ _state;/ event;/' 'a field called event'
not_strict "an event without a name" '/name = "segment"/d' 'an event without a name'
not_strict "a byte order behind the packets' header" '/byte_order/d; s/} align(8);/&\n\tbyte_order = le;/' \
	'no packet header behind the byte order'
not_strict "a stream that was not declared" 's/stream_id = 0;/stream_id = 1;/; s/id = 0;/id = 1;/' \
	'a stream that was not declared'

# The events on the path, behind filter.waitpath.sync: its times are taken as they are.
# shellcheck disable=SC2086
bt2 $lines "$tap_dir/call" -c filter.waitpath.sync >"$tap_dir/all" 2>&1
# shellcheck disable=SC2086
bt2 $lines "$tap_dir/call" -c filter.waitpath.sync -c filter.waitpath.critical-path \
	-p 'task="client",output="select"' >"$tap_dir/selected" 2>&1
checked "the events on the path" select "$tap_dir/all" "$tap_dir/selected" "$tap_dir/path"
# shellcheck disable=SC2086
bt2 $lines "$tap_dir/call" -c filter.waitpath.sync -c filter.waitpath.critical-path \
	-p 'task="client"' >"$tap_dir/run" 2>&1
checked "the segments behind filter.waitpath.sync" segments "$tap_dir/run" "$tap_dir/path"
bt2 "$tap_dir/call" -c filter.waitpath.critical-path -p 'task="client",output="select"' \
	-o ctf -w "$tap_dir/select" >"$tap_dir/out" 2>&1
bt2 "$tap_dir/select" 2>/dev/null | wc -l >"$tap_dir/x"
wc -l <"$tap_dir/selected" >"$tap_dir/y"
same "the events on the path through sink.ctf.fs and back" "$tap_dir/y" "$tap_dir/x"
if command -v babeltrace >/dev/null; then
	babeltrace "$tap_dir/select" 2>&1 | wc -l >"$tap_dir/x"
	same "and by Babeltrace 1" "$tap_dir/y" "$tap_dir/x"
else
	skip "and by Babeltrace 1" "not here"
fi

# live OUT LIVE-PARAMETERS SYNC-PARAMETERS PARAMETERS DIRECTORY...: behind what is like a live
# source, hosts with the clocks that filter.waitpath.sync gives them.
live() {
	out=$1 like=$2 sync=$3 params=$4
	shift 4
	n=0
	for trace in "$@"; do
		shift
		set -- "$@" -c "in$n:source.ctf.fs" -p "inputs=[\"$trace\"]" -x "in$n:sync"
		n=$((n + 1))
	done
	bt2 run --retry-duration=1000 "$@" -c sync:filter.waitpath.sync -p "$sync" \
		-c like:filter.waitpath-test.live -p "$like" -c cp:filter.waitpath.critical-path \
		-p "$params" -c text:sink.text.pretty -p "$pretty" -x sync:like -x like:cp \
		-x cp:text >"$out" 2>"$out-err"
}
for like in every=7 every=1,inactivity=1; do
	live "$tap_dir/live" "$like" 'reference="hosta"' 'task="client",period=1' "$a" "$b"
	checked "piece by piece ($like)" segments "$tap_dir/live" "$tap_dir/path"
done
live "$tap_dir/live" every=7 'reference="hosta"' 'task="client",output="select"' "$a" "$b"
if tr -s ' \n' ' ' <"$tap_dir/live-err" | grep -q "What comes in can't be read twice .* output=\"segments\""; then
	pass "what is live can't be selected from, and what to do"
else
	fail "what is live can't be selected from, and what to do" "$tap_dir/live-err"
fi
bt2 run --retry-duration=1000 -c "a:source.ctf.fs" -p "inputs=[\"$a\"]" -c "b:source.ctf.fs" \
	-p "inputs=[\"$b\"]" -c la:filter.waitpath-test.live -p every=7 \
	-c lb:filter.waitpath-test.live -p every=7 -c cp:filter.waitpath.critical-path \
	-p 'task="client",period=1' -c text:sink.text.pretty -p "$pretty" -x a:la -x b:lb \
	-x la:cp -x lb:cp -x cp:text >"$tap_dir/live" 2>"$tap_dir/live-err"
checked "clocks that packets tell" segments "$tap_dir/live" "$tap_dir/path"
if grep -q "clocks of the hosts are found from their packets as these come" "$tap_dir/live-err"; then
	pass "and that is told"
else
	fail "and that is told" "$tap_dir/live-err"
fi

# Of two hosts whose clocks are not known, what only the task's own host has to do with comes
# early: a client takes turns with a helper on its host 40 times, calls a server on another, and takes
# turns again; neither input ends.
awk 'function turns(t,   i) {
	for (i = 0; i < 40; i++) {
		print t + 1000 * i + 100, 0, "sched_waking tid=102 target_cpu=0"
		print t + 1000 * i + 150, 0, "sched_switch prev_tid=101 prev_state=1 next_tid=102"
		print t + 1000 * i + 400, 0, "sched_waking tid=101 target_cpu=0"
		print t + 1000 * i + 460, 0, "sched_switch prev_tid=102 prev_state=1 next_tid=101"
	}
}
BEGIN { shift = 41000 }
/^host hostb/ { turns(42000); other = 1 }
/^host/ { print; if (!other) print "task 102 helper"; next }
/^[0-9]/ && $1 > 1 {
	if (!other && !begun) { turns(0); begun = 1 }
	# the client goes on where it went to sleep at the end of the call
	if (!other && $1 == 1000) next
	$1 += shift
}
{ print }' "$top_srcdir/tests/fixtures/net-call/events.txt" >"$tap_dir/own.txt"
"$top_builddir/tests/fixture2ctf" "$tap_dir/own.txt" "$tap_dir/own" >"$tap_dir/out" || exit 99
"$waitpath" path -q -t client --format json "$tap_dir/own" >"$tap_dir/own-path" 2>&1
for like in every=7 every=7,endless=1; do
	bt2 run --retry-duration=1000 -c "a:source.ctf.fs" -p "inputs=[\"$tap_dir/own/hosta\"]" \
		-c "b:source.ctf.fs" -p "inputs=[\"$tap_dir/own/hostb\"]" \
		-c la:filter.waitpath-test.live -p "$like" -c lb:filter.waitpath-test.live -p "$like" \
		-c cp:filter.waitpath.critical-path -p 'task="client",period=1' -c text:sink.text.pretty \
		-p "$pretty" -x a:la -x b:lb -x la:cp -x lb:cp -x cp:text >"$tap_dir/live" 2>"$tap_dir/live-err"
	mode=segments
	[ "$like" = every=7 ] || mode=prefix
	checked "own segments before the clocks are known ($like)" "$mode" "$tap_dir/live" "$tap_dir/own-path"
done
# 40 turns of three segments each; the call comes at 41.100 ms
n=$(wc -l <"$tap_dir/live")
last=$(sed -n '$s/^\[[0-9]*\.0*\([0-9]*\)\].*/\1/p' "$tap_dir/live")
if [ "$n" -ge 120 ] && [ "$last" -ge 39000000 ] && [ "$last" -le 41100000 ]; then
	pass "$n of them up to the call, and none behind it"
else
	echo "last $last" >>"$tap_dir/live-err"
	fail "$n of them up to the call, and none behind it" "$tap_dir/live-err"
fi

# unknown OUT LIVE-PARAMETERS TASK DIRECTORY...: live hosts, each by a port of its own, whose clocks
# nothing tells but their packets.
unknown() {
	out=$1 like=$2 task=$3
	shift 3
	n=0
	for trace in "$@"; do
		shift
		set -- "$@" -c "in$n:source.ctf.fs" -p "inputs=[\"$trace\"]" -c "mux$n:filter.utils.muxer" \
			-c "like$n:filter.waitpath-test.live" -p "$like" -x "in$n:mux$n" \
			-x "mux$n:like$n" -x "like$n:cp"
		n=$((n + 1))
	done
	bt2 run --retry-duration=1000 "$@" -c cp:filter.waitpath.critical-path \
		-p "task=\"$task\",period=100" -c text:sink.text.pretty -p "$pretty" -x cp:text \
		>"$out" 2>"$out-err"
}
# A recording of two hosts 38 s apart, whose packets are lost and sent again: nearly all
# that is told of both while they run is what is known at the end.
lossy=$top_srcdir/traces/samples/rpc-lossy
set -- "$lossy/hosta/trace/kernel" "$lossy/hostb/trace/kernel"
"$waitpath" path -q -t cli-lossy --format json "$@" >"$tap_dir/path-lossy" 2>&1
unknown "$tap_dir/live" every=10 cli-lossy "$@"
checked "clocks that packets tell as they come" agree "$tap_dir/live" "$tap_dir/path-lossy" 0.99
unknown "$tap_dir/live" every=10,endless=1 cli-lossy "$@"
checked "and what is told before the end" agree "$tap_dir/live" "$tap_dir/path-lossy" 0.99 0.9

# Each parameter wrong once: refused WORDS PARAMETERS
refused() {
	run_form "$tap_dir/out" "$2"
	if [ ! -s "$tap_dir/out" ] && tr -s ' \n' ' ' <"$tap_dir/out-err" | grep -qF -e "$1"; then
		pass "refused: $1"
	else
		fail "refused: $1" "$tap_dir/out-err"
	fi
}
refused "The parameter 'task' is needed: a string or an integer." 'mode="active"'
refused "The parameter 'task' must be a string or an integer." 'task=yes'
refused "There is no parameter 'tid'; there are: task, begin, end, mode, reference, offsets, sync-file, layouts, output, period." \
	'task="client",tid=1'
refused "The parameter 'mode' must be one of active, causal." 'task="client",mode=1'
refused "The parameter 'output' must be one of segments, select." 'task="client",output="both"'
refused "The parameter 'output' must be one of segments, select." 'task="client",output=[]'
refused "The parameter 'period' must be an integer." 'task="client",period="x"'
refused "The parameter 'period' must be a number of milliseconds, 1 to 86400000, not 0." \
	'task="client",period=0'
refused "The parameter 'begin' must be a time:" 'task="client",begin=1.5'
refused "The parameter 'end' must be a time:" 'task="client",end=no'
refused "The parameter 'reference' must be a string." 'task="client",reference=1'
refused "The parameter 'offsets' must be a map of integers, as {hosta=-1200}." 'task="client",offsets=1'
refused "The parameter 'sync-file' must be a string." 'task="client",sync-file=1'
refused "The parameter 'layouts' must be an array of strings." 'task="client",layouts=1'
refused 'No task is called nobody' 'task="nobody"'
refused 'The window ends (1) before it begins (2).' 'task="client",begin=2,end=1'
refused '"soon" is no time' 'task="client",begin="soon"'
refused "No host is called hostx" 'task="client",reference="hostx"'

# No events; one stream; a user who stops it.
bt2 "$a" -c filter.waitpath.critical-path -p 'task="client"' --begin 1 --end 2 >"$tap_dir/y" \
	2>"$tap_dir/y-err"
if [ ! -s "$tap_dir/y" ] &&
	tr -s ' \n' ' ' <"$tap_dir/y-err" | grep -q 'There are no events that say anything'; then
	pass "no events"
else
	fail "no events" "$tap_dir/y-err"
fi
"$waitpath" path -q -t client --format json "$a" >"$tap_dir/path-a" 2>&1
# shellcheck disable=SC2086
bt2 $lines "$a" -c filter.waitpath.critical-path -p 'task="client"' >"$tap_dir/y" 2>&1
checked "one host" segments "$tap_dir/y" "$tap_dir/path-a"

# Recordings: whole, piece by piece, and what is known of one that never ends.
for scenario in rpc-udp local-disk bsp rpc-drift tier3-smp2; do
	if [ ! -d "$traces/recorded/$scenario" ]; then
		skip "$scenario" "not here"
		continue
	fi
	# shellcheck disable=SC2046
	set -- $(ls -d "$traces/recorded/$scenario"/host*/trace/kernel)
	task=$("$waitpath" tasks -q --format csv "$@" | sed -n 3p | cut -d, -f1,2 | tr , :)
	"$waitpath" path -q --reference hosta --format json -t "$task" "$@" >"$tap_dir/path" 2>&1
	# shellcheck disable=SC2086
	bt2 $lines "$@" -c filter.waitpath.critical-path -p "task=\"$task\",reference=\"hosta\"" \
		>"$tap_dir/y" 2>&1
	checked "$scenario: segments of $task" segments "$tap_dir/y" "$tap_dir/path"
	bt2 "$@" -c filter.waitpath.critical-path -p "task=\"$task\",reference=\"hosta\"" \
		-o ctf -w "$tap_dir/$scenario" >"$tap_dir/out" 2>&1
	other_readers "$scenario" "$tap_dir/$scenario/critical-path"
	unknown "$tap_dir/live" every=10 "$task" "$@"
	"$waitpath" path -q --format json -t "$task" "$@" >"$tap_dir/own-path" 2>&1
	checked "$scenario: by clocks as they are known then" agree "$tap_dir/live" "$tap_dir/own-path" 0.99
	live "$tap_dir/live" every=10 'reference="hosta"' "task=\"$task\",period=100" "$@"
	checked "$scenario: piece by piece" segments "$tap_dir/live" "$tap_dir/path"
	# shellcheck disable=SC2086
	bt2 $lines "$@" -c filter.waitpath.sync -p 'reference="hosta"' >"$tap_dir/all" 2>&1
	# shellcheck disable=SC2086
	bt2 $lines "$@" -c filter.waitpath.sync -p 'reference="hosta"' \
		-c filter.waitpath.critical-path -p "task=\"$task\",output=\"select\"" \
		>"$tap_dir/selected" 2>&1
	checked "$scenario: events on the path" select "$tap_dir/all" "$tap_dir/selected" \
		"$tap_dir/path" 40
	live "$tap_dir/endless" every=10,endless=1 'reference="hosta"' "task=\"$task\",period=100" "$@"
	checked "$scenario: what is final before the end" begun "$tap_dir/endless" "$tap_dir/path" \
		"$tap_dir/all" 1000
done
tap_done
