#!/bin/sh
# SPDX-License-Identifier: MIT
#
# stand-in.sh: filter.waitpath.critical-path behind source.ctf.lttng-live, served by a stand-in
# for lttng-relayd: nothing now and then, quiet streams, a stream that appears late, a server that
# hangs up. The segments are those of the same trace read as files.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/lib/plugin.sh"
command -v python3 >/dev/null || skip_all "no python3"
waitpath=$top_builddir/waitpath

# A client and a server that take turns 400 times: at first on one CPU, and then on two, so that
# the second one has no events, and no stream, in the first half.
awk 'BEGIN {
	print "host hosta cpus=2 header=compact packet=4096"
	print "task 101 client"
	print "task 102 server"
	print "0 0 sched_switch prev_tid=0 next_tid=101"
	for (i = 0; i < 200; i++) {
		t = 1000 * i
		print t + 100, 0, "sched_waking tid=102 target_cpu=0"
		print t + 150, 0, "sched_switch prev_tid=101 prev_state=1 next_tid=102"
		print t + 400 + i, 0, "sched_waking tid=101 target_cpu=0"
		print t + 460 + i, 0, "sched_switch prev_tid=102 prev_state=1 next_tid=101"
	}
	for (; i < 400; i++) {
		t = 1000 * i
		print t + 100, 0, "sched_waking tid=102 target_cpu=1"
		print t + 110, 1, "sched_switch prev_tid=0 next_tid=102"
		print t + 150, 0, "sched_switch prev_tid=101 prev_state=1 next_tid=0"
		print t + 400 + i, 1, "sched_waking tid=101 target_cpu=0"
		print t + 450 + i, 0, "sched_switch prev_tid=0 next_tid=101"
		print t + 460 + i, 1, "sched_switch prev_tid=102 prev_state=1 next_tid=0"
	}
}' >"$tap_dir/events"
"$top_builddir/tests/fixture2ctf" "$tap_dir/events" "$tap_dir/trace" >"$tap_dir/log" || exit 99
"$waitpath" path -q -t client --format json "$tap_dir/trace" >"$tap_dir/path" 2>&1

# live OUT SERVER-OPTION...
live() {
	out=$1
	shift
	rm -f "$tap_dir/port"
	python3 "$top_srcdir/tests/live/live-server.py" "$tap_dir/trace/hosta" "$tap_dir/port" "$@" \
		>"$tap_dir/server" 2>&1 &
	server=$!
	while [ ! -s "$tap_dir/port" ] && kill -0 "$server" 2>/dev/null; do sleep 0.1; done
	bt2 run --retry-duration=1000 -c live:source.ctf.lttng-live \
		-p "inputs=[\"net://127.0.0.1:$(cat "$tap_dir/port")/host/hosta/s\"],session-not-found-action=\"end\"" \
		-c mux:filter.utils.muxer -c cp:filter.waitpath.critical-path \
		-p 'task="client",period=10' -c text:sink.text.pretty \
		-p clock-seconds=yes,no-delta=yes -x live:mux -x mux:cp -x cp:text \
		>"$out" 2>"$out-err"
	wait "$server"
}

# checked NAME MODE: what path-check.py says of the segments.
checked() {
	if python3 "$top_srcdir/tests/lib/path-check.py" "$2" "$tap_dir/live" "$tap_dir/path" \
		>"$tap_dir/checked" 2>&1; then
		pass "$1"
	else
		cat "$tap_dir/live-err" "$tap_dir/server" >>"$tap_dir/checked"
		tail -n 12 "$tap_dir/checked" >"$tap_dir/end"
		fail "$1" "$tap_dir/end"
	fi
}

live "$tap_dir/live"
checked "all at once" segments
live "$tap_dir/live" --retry 3
checked "nothing now and then" segments
live "$tap_dir/live" --inactive
checked "streams that are quiet" segments
live "$tap_dir/live" --late channel0_1
checked "a stream that appears late" segments
live "$tap_dir/live" --late channel0_1 --retry 1 --inactive
checked "all of it" segments

# The connection breaks: what was final by then has been given.
live "$tap_dir/live" --hang-up 12
checked "the segments until the server hangs up" prefix
n=$(wc -l <"$tap_dir/live")
if [ "$n" -ge 100 ] && grep -q 'closed connection' "$tap_dir/live-err"; then
	pass "$n of them, and an error"
else
	fail "$n of them, and an error" "$tap_dir/live-err"
fi

# The summary waits for the end, and says what the command line says.
"$waitpath" path -t client "$tap_dir/trace" >"$tap_dir/x" 2>&1
rm -f "$tap_dir/port"
python3 "$top_srcdir/tests/live/live-server.py" "$tap_dir/trace/hosta" "$tap_dir/port" --retry 1 \
	>"$tap_dir/server" 2>&1 &
server=$!
while [ ! -s "$tap_dir/port" ] && kill -0 "$server" 2>/dev/null; do sleep 0.1; done
bt2 run --retry-duration=1000 -c live:source.ctf.lttng-live \
	-p "inputs=[\"net://127.0.0.1:$(cat "$tap_dir/port")/host/hosta/s\"],session-not-found-action=\"end\"" \
	-c sum:sink.waitpath.summary -p 'task="client"' -x live:sum >"$tap_dir/y" 2>&1
wait "$server"
same "sink.waitpath.summary" "$tap_dir/x" "$tap_dir/y"
tap_done
