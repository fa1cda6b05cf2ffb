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

# checked NAME MODE [SHARE...]: what path-check.py says of the segments.
checked() {
	name=$1 mode=$2
	shift 2
	if python3 "$top_srcdir/tests/lib/path-check.py" "$mode" "$tap_dir/live" "$tap_dir/path" "$@" \
		>"$tap_dir/checked" 2>&1; then
		pass "$name"
	else
		cat "$tap_dir/live-err" "$tap_dir/server" >>"$tap_dir/checked"
		tail -n 12 "$tap_dir/checked" >"$tap_dir/end"
		fail "$name" "$tap_dir/end"
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

# As the manual page has it, but for the words in capital letters, and the port.
rm -f "$tap_dir/port"
python3 "$top_srcdir/tests/live/live-server.py" "$tap_dir/trace/hosta" "$tap_dir/port" >"$tap_dir/server" 2>&1 &
server=$!
while [ ! -s "$tap_dir/port" ] && kill -0 "$server" 2>/dev/null; do sleep 0.1; done
bt2 --clock-seconds --no-delta -i lttng-live "net://localhost:$(cat "$tap_dir/port")/host/hosta/s" \
	-c filter.waitpath.critical-path -p 'task="client"' >"$tap_dir/live" 2>"$tap_dir/live-err"
wait "$server"
checked "babeltrace2 -i lttng-live" segments

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

# Two live hosts whose clocks are 30 s apart and not known: a client that calls a server over TCP 400
# times in 400 ms. One is quiet at the end, the other's connection breaks at three quarters; by then
# all but the last of what happened on both has been told, as the clocks were known.
awk 'function packet(t, from, to, seq, ack, len, id, skb) {
	print t, 0, "net_dev_queue skbaddr=" skb, "name=eth0 tcp", from ">" to, "seq=" seq, "ack=" ack, \
		"len=" len, "id=" id, "flags=PA"
	print t + 4, 0, "net_dev_xmit skbaddr=" skb, "len=" len + 54, "name=eth0"
}
function arrival(t, from, to, seq, ack, len, id, skb, tid) {
	print t, 0, "irq_handler_entry irq=24 name=eth0"
	print t + 2, 0, "irq_softirq_raise vec=3"
	print t + 4, 0, "irq_handler_exit irq=24"
	print t + 5, 0, "irq_softirq_entry vec=3"
	print t + 10, 0, "net_if_receive_skb skbaddr=" skb, "name=eth0 tcp", from ">" to, "seq=" seq, \
		"ack=" ack, "len=" len, "id=" id, "flags=PA"
	print t + 15, 0, "sched_waking tid=" tid
	print t + 18, 0, "irq_softirq_exit vec=3"
	print t + 30, 0, "sched_switch prev_tid=0 next_tid=" tid
}
BEGIN {
	a = "10.0.0.1:1000"
	b = "10.0.0.2:80"
	print "host hosta header=compact packet=4096"
	print "task 101 client"
	print "0 0 lttng_statedump_network_interface name=eth0 address_ipv4=0x0a000001"
	print "1 0 sched_switch prev_tid=0 next_tid=101"
	for (i = 0; i < 400; i++) {
		t = 1000 * i
		packet(t + 100, a, b, 1 + 100 * i, 1 + 200 * i, 100, 5 + i, "0x1")
		print t + 110, 0, "sched_switch prev_tid=101 prev_state=1 next_tid=0"
		arrival(t + 860 + i * 7 % 50, b, a, 1 + 200 * i, 101 + 100 * i, 200, 9 + i, "0x2", 101)
	}
	print "host hostb header=compact packet=4096"
	print "task 201 server"
	print 30000000, 0, "lttng_statedump_network_interface name=eth0 address_ipv4=0x0a000002"
	print 30000001, 0, "sched_switch prev_tid=0 next_tid=201"
	print 30000010, 0, "sched_switch prev_tid=201 prev_state=1 next_tid=0"
	for (i = 0; i < 400; i++) {
		t = 30000000 + 1000 * i
		arrival(t + 300 + i * 11 % 50, a, b, 1 + 100 * i, 1 + 200 * i, 100, 5 + i, "0x8", 201)
		packet(t + 650, b, a, 1 + 200 * i, 101 + 100 * i, 200, 9 + i, "0x9")
		print t + 660, 0, "sched_switch prev_tid=201 prev_state=1 next_tid=0"
	}
}' >"$tap_dir/events"
"$top_builddir/tests/fixture2ctf" "$tap_dir/events" "$tap_dir/two" >"$tap_dir/log" || exit 99
"$waitpath" path -q -t client --format json "$tap_dir/two" >"$tap_dir/path" 2>&1

# two OUT OPTIONS-A OPTIONS-B
two() {
	out=$1
	: >"$tap_dir/server"
	set -- -- "$2" "$3"
	servers=
	for host in hosta hostb; do
		shift
		rm -f "$tap_dir/port-$host"
		# shellcheck disable=SC2086
		python3 "$top_srcdir/tests/live/live-server.py" "$tap_dir/two/$host" \
			"$tap_dir/port-$host" $1 >>"$tap_dir/server" 2>&1 &
		servers="$servers $!"
		while [ ! -s "$tap_dir/port-$host" ] && kill -0 "$!" 2>/dev/null; do sleep 0.1; done
	done
	bt2 run --retry-duration=1000 -c a:source.ctf.lttng-live \
		-p "inputs=[\"net://127.0.0.1:$(cat "$tap_dir/port-hosta")/host/hosta/s\"],session-not-found-action=\"end\"" \
		-c b:source.ctf.lttng-live \
		-p "inputs=[\"net://127.0.0.1:$(cat "$tap_dir/port-hostb")/host/hosta/s\"],session-not-found-action=\"end\"" \
		-c cp:filter.waitpath.critical-path -p 'task="client",period=10' -c text:sink.text.pretty \
		-p clock-seconds=yes,no-delta=yes -x a:cp -x b:cp -x cp:text >"$out" 2>"$out-err"
	for server in $servers; do kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; done
}
n_packets=$(($(wc -c <"$tap_dir/two/hostb/channel0_0") / 4096))
for options in "|" "--retry 2|--inactive" "--inactive|--retry 1"; do
	two "$tap_dir/live" "${options%|*}" "${options#*|}"
	checked "two hosts whose clocks are not known ($options)" agree 0.99
done
two "$tap_dir/live" "--retry 1" "--hang-up $((n_packets * 3 / 4))"
checked "what is told of both before the connection breaks" agree 0.99 0.6
grep -q 'closed connection' "$tap_dir/live-err" || cp "$tap_dir/live-err" "$tap_dir/wrong"
touch "$tap_dir/wrong"
check "it did break" "$tap_dir/wrong"
tap_done
