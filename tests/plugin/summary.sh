#!/bin/sh
# SPDX-License-Identifier: MIT
#
# summary.sh: sink.waitpath.summary says, to the byte, what `waitpath path` says of the same
# traces, in both forms of babeltrace2; and what it says to what can't be answered.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/lib/plugin.sh"
waitpath=$top_builddir/waitpath

"$top_builddir/tests/fixture2ctf" "$top_srcdir/tests/fixtures/net-call/events.txt" "$tap_dir/call" \
	>"$tap_dir/out" || exit 99
a=$tap_dir/call/hosta
b=$tap_dir/call/hostb

# run_form OUT PARAMETERS: each host to an input of its own.
run_form() {
	bt2 run --retry-duration=1000 -c "a:source.ctf.fs" -p "inputs=[\"$a\"]" -c "b:source.ctf.fs" \
		-p "inputs=[\"$b\"]" -c summary:sink.waitpath.summary -p "$2" \
		-x a:summary -x b:summary >"$1" 2>"$1-err"
}

for format in text json csv folded; do
	"$waitpath" path -t client --format "$format" "$tap_dir/call" >"$tap_dir/x" 2>&1
	bt2 "$tap_dir/call" -c sink.waitpath.summary -p "task=\"client\",format=\"$format\"" \
		>"$tap_dir/y" 2>&1
	same "$format, convert" "$tap_dir/x" "$tap_dir/y"
	run_form "$tap_dir/y" "task=\"client\",format=\"$format\""
	same "$format, run" "$tap_dir/x" "$tap_dir/y"
done
"$waitpath" path -v -t client "$tap_dir/call" >"$tap_dir/x" 2>&1
run_form "$tap_dir/y" 'task="client",verbose=1'
same "more of it" "$tap_dir/x" "$tap_dir/y"
run_form "$tap_dir/z" "task=\"client\",verbose=1,path=\"$tap_dir/file\""
same "to a file" "$tap_dir/x" "$tap_dir/file"
check "and nowhere else" "$tap_dir/z"

# The window, the mode, the reference and the clocks are those of the command line.
"$waitpath" sync -q --save "$tap_dir/clocks" "$tap_dir/call" >"$tap_dir/out" 2>&1
while IFS='|' read -r options params; do
	# shellcheck disable=SC2086
	"$waitpath" path -t client --format json $options "$tap_dir/call" >"$tap_dir/x" 2>&1
	run_form "$tap_dir/y" "task=\"client\",format=\"json\",$params"
	same "$options" "$tap_dir/x" "$tap_dir/y"
done <<END
--begin +0.0002|begin="+0.0002"
--begin +0.0002 --end +0.0005|begin="+0.0002",end="+0.0005"
--mode causal|mode="causal"
--reference hostb|reference="hostb"
--offset hostb=1000|offsets={hostb=1000}
--sync-file $tap_dir/clocks|sync-file="$tap_dir/clocks"
END

# refused WORDS PARAMETERS
refused() {
	run_form "$tap_dir/out" "$2"
	if [ ! -s "$tap_dir/out" ] && tr -s ' \n' ' ' <"$tap_dir/out-err" | grep -qF -e "$1"; then
		pass "refused: $1"
	else
		fail "refused: $1" "$tap_dir/out-err"
	fi
}
refused "The parameter 'task' is needed: a string or an integer." 'format="text"'
refused "The parameter 'task' must be a string or an integer." 'task=[1]'
refused "There is no parameter 'file'; there are: task, begin, end, mode, reference, offsets, sync-file, layouts, format, path, verbose." \
	'task="client",file="x"'
refused "The parameter 'format' must be one of text, json, csv, folded." 'task="client",format="xml"'
refused "The parameter 'format' must be one of text, json, csv, folded." 'task="client",format=1'
refused "The parameter 'path' must be a string." 'task="client",path=1'
refused "The parameter 'mode' must be one of active, causal." 'task="client",mode="other"'
refused "The parameter 'begin' must be a time:" 'task="client",begin=1.5'
refused "The parameter 'end' must be a time:" 'task="client",end=[]'
refused "The parameter 'reference' must be a string." 'task="client",reference=1'
refused "The parameter 'offsets' must be a map of integers, as {hosta=-1200}." 'task="client",offsets=1'
refused "The parameter 'sync-file' must be a string." 'task="client",sync-file=yes'
refused "The parameter 'layouts' must be an array of strings." 'task="client",layouts="x"'
refused "The parameter 'verbose' must be an integer." 'task="client",verbose="x"'
refused "The parameter 'verbose' must be 0, 1 or 2, not 7." 'task="client",verbose=7'
refused "/nowhere" 'task="client",layouts=["/nowhere"]'
refused "/nowhere/x can't be written" 'task="client",path="/nowhere/x"'
refused 'No task is called nobody' 'task="nobody"'
refused 'The window ends (1) before it begins (2).' 'task="client",begin=2,end=1'
refused "No host is called hostx" 'task="client",reference="hostx"'

# Streams without an event; a user who stops it; one host.
bt2 "$a" -c sink.waitpath.summary -p 'task="client"' --begin 1 --end 2 >"$tap_dir/y" 2>"$tap_dir/y-err"
if [ ! -s "$tap_dir/y" ] &&
	tr -s ' \n' ' ' <"$tap_dir/y-err" | grep -q 'There are no events that say anything'; then
	pass "no events"
else
	fail "no events" "$tap_dir/y-err"
fi
bt2 run --retry-duration=1000 -c "a:source.ctf.fs" -p "inputs=[\"$a\"]" -c la:filter.waitpath-test.live -p endless=1 \
	-c summary:sink.waitpath.summary -p 'task="client"' -x a:la -x la:summary \
	>"$tap_dir/y" 2>"$tap_dir/y-err"
check "stopped by the user: no report" "$tap_dir/y"
bt2 run --retry-duration=1000 -c "a:source.ctf.fs" -p "inputs=[\"$a\"]" -c la:filter.waitpath-test.live \
	-p every=1,inactivity=1 -c summary:sink.waitpath.summary -p 'task="client"' \
	-x a:la -x la:summary >"$tap_dir/y" 2>&1
"$waitpath" path -t client "$a" >"$tap_dir/x" 2>&1
same "an input that has nothing now and then" "$tap_dir/x" "$tap_dir/y"

# Recordings, behind one muxed port and one port a host.
for scenario in rpc-udp local-disk tier3 bsp rpc-drift; do
	if [ ! -d "$traces/recorded/$scenario" ]; then
		skip "$scenario" "not here"
		continue
	fi
	# shellcheck disable=SC2046
	set -- $(ls -d "$traces/recorded/$scenario"/host*/trace/kernel)
	task=$("$waitpath" tasks -q --format csv "$@" | sed -n 2p | cut -d, -f1,2 | tr , :)
	"$waitpath" path -q --format json -t "$task" "$@" >"$tap_dir/x" 2>&1
	bt2 "$@" -c sink.waitpath.summary -p "task=\"$task\",format=\"json\"" >"$tap_dir/y" 2>&1
	same "$scenario, $task" "$tap_dir/x" "$tap_dir/y"
done

# Where events were lost, and where files are damaged: behind source.waitpath.ctf still to the byte
# what the command line says; behind source.ctf.fs what it says by Babeltrace.
# ours TASK WORD...: what comes through the sink, of source.waitpath.ctf and filters.
ours() {
	ours_task=$1 ours_trace=$2
	shift 2
	bt2 run -c "in:source.waitpath.ctf" -p "inputs=[\"$ours_trace\"]" "$@" -c summary:sink.waitpath.summary \
		-p "task=\"$ours_task\",format=\"json\""
}
# find_task DIRECTORY: one that has something to tell; nothing when there is none.
find_task() {
	"$waitpath" tasks -q --format csv "$1" 2>"$tap_dir/err" | sed -n 3p | cut -d, -f1,2 | tr , :
}
for fixture in lost-many lost-one lost-send lost-wakeup missing-stream; do
	"$top_builddir/tests/fixture2ctf" "$top_srcdir/tests/fixtures/$fixture/events.txt" "$tap_dir/$fixture" \
		>"$tap_dir/out" || exit 99
	task=$(find_task "$tap_dir/$fixture")
	"$waitpath" path --format json -t "$task" "$tap_dir/$fixture" >"$tap_dir/x" 2>"$tap_dir/err"
	ours "$task" "$tap_dir/$fixture" -x in:summary >"$tap_dir/y" 2>&1
	same "$fixture, $task" "$tap_dir/x" "$tap_dir/y"
done
cp -r "$top_srcdir/traces/samples/local-chain/hosta/trace/kernel" "$tap_dir/cut"
chmod -R u+w "$tap_dir/cut"
rm -rf "$tap_dir/cut/index"
size=$(wc -c <"$tap_dir/cut/ch_0")
dd if="$top_srcdir/traces/samples/local-chain/hosta/trace/kernel/ch_0" of="$tap_dir/cut/ch_0" \
	bs=1 count=$((size - 5001)) 2>/dev/null
echo "no stream, but a note left by a person" >"$tap_dir/cut/notes.txt"
task=$(find_task "$tap_dir/cut")
"$waitpath" path --format json -t "$task" "$tap_dir/cut" >"$tap_dir/x" 2>"$tap_dir/err"
ours "$task" "$tap_dir/cut" -x in:summary >"$tap_dir/y" 2>"$tap_dir/err"
same "a cut stream and a stray file, $task" "$tap_dir/x" "$tap_dir/y"
ours "$task" "$tap_dir/cut" -c sync:filter.waitpath.sync -x in:sync -x sync:summary \
	>"$tap_dir/y" 2>"$tap_dir/err"
same "the same behind filter.waitpath.sync" "$tap_dir/x" "$tap_dir/y"
if [ -d "$traces/recorded/local-lost" ]; then
	lost=$(cd "$traces/recorded/local-lost/hosta/trace/kernel" && pwd)
	task=$(find_task "$lost")
	"$waitpath" path --format json -t "$task" "$lost" >"$tap_dir/x" 2>"$tap_dir/err"
	ours "$task" "$lost" -x in:summary >"$tap_dir/y" 2>"$tap_dir/err"
	same "local-lost, $task" "$tap_dir/x" "$tap_dir/y"
	"$waitpath" path --reader babeltrace --format json -t "$task" "$lost" >"$tap_dir/x" 2>"$tap_dir/err"
	bt2 "$lost" -c sink.waitpath.summary -p "task=\"$task\",format=\"json\"" >"$tap_dir/y" 2>"$tap_dir/err"
	same "local-lost, behind source.ctf.fs" "$tap_dir/x" "$tap_dir/y"
else
	skip "local-lost" "not here"
fi
if [ -f "$traces/make-malformed.py" ] && command -v python3 >/dev/null; then
	mkdir "$tap_dir/bad"
	python3 "$traces/make-malformed.py" "$traces/public/wget-115406" "$traces/public/scp_src" \
		"$tap_dir/bad" >"$tap_dir/log" 2>&1
	: >"$tap_dir/wrong"
	n=0
	for trace in "$tap_dir/bad"/*; do
		task=$(find_task "$trace")
		[ -n "$task" ] || continue
		"$waitpath" path --format json -t "$task" "$trace" >"$tap_dir/x" 2>"$tap_dir/err"
		ours "$task" "$trace" -x in:summary >"$tap_dir/y" 2>"$tap_dir/err"
		cmp -s "$tap_dir/x" "$tap_dir/y" || echo "${trace##*/}" >>"$tap_dir/wrong"
		n=$((n + 1))
	done
	[ "$n" -ge 20 ] || echo "only $n traces" >>"$tap_dir/wrong"
	check "malformed traces" "$tap_dir/wrong"
else
	skip "malformed traces" "not here"
fi
tap_done
