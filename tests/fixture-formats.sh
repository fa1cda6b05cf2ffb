#!/bin/sh
# SPDX-License-Identifier: MIT
#
# fixture-formats.sh: the same events in every format that fixture2ctf writes; Babeltrace
# must read the same from each, and what the text says.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
command -v babeltrace2 >/dev/null || skip_all "no babeltrace2"

cat >"$tap_dir/events" <<'END'
task 101 client
task 102 server pid=100
1 0 sched_switch prev_tid=0 next_tid=101
110.5 1 sched_switch prev_tid=102 prev_state=1 next_tid=0
300 1 lost 12
305 1 sched_process_fork parent_tid=102 child_tid=105
310 0 net_dev_queue skbaddr=0xff name=eth0 tcp 10.0.0.1:1000>10.0.0.2:80 seq=1 ack=2 len=100 id=5 flags=PA
320 0 net_if_receive_skb name=eth0 udp [fd00::1]:1000>[fd00::2]:80 len=10
330 0 net_if_receive_skb name=eth0 icmp 10.0.0.1>10.0.0.2 type=8 echo=3:4 len=10
340 0 net_dev_queue name=eth0 len=42
350 0 irq_handler_entry irq=25 name=virtio0-req.0
6000000000 0 irq_handler_exit irq=25
END
# Many small packets, too: the events above over and over, a second apart.
i=0
while [ $i -lt 300 ]; do
	echo "$((6000000001 + i)) 1 timer_hrtimer_start hrtimer=0xc000000$((i % 10)) expires=$i"
	i=$((i + 1))
done >>"$tap_dir/events"

first=
for format in '' order=be layout=aligned header=compact packet=4096 \
	'layout=aligned header=compact' 'order=be layout=aligned header=compact packet=4096'; do
	{ echo "host hosta cpus=2 $format" && cat "$tap_dir/events"; } >"$tap_dir/text"
	rm -rf "$tap_dir/out"
	"$top_builddir/tests/fixture2ctf" "$tap_dir/text" "$tap_dir/out" >"$tap_dir/log" 2>&1 &&
		babeltrace2 --clock-seconds "$tap_dir/out" >"$tap_dir/read" 2>"$tap_dir/log"
	if [ -z "$first" ]; then
		first=written
		cp "$tap_dir/read" "$tap_dir/first"
		cp "$tap_dir/log" "$tap_dir/first-log"
	fi
	cmp "$tap_dir/first" "$tap_dir/read" >"$tap_dir/wrong" 2>&1
	check "the same events with ${format:-packed, little-endian, large headers}" "$tap_dir/wrong"
done

# holds TEXT: one of the lines that Babeltrace printed holds it.
holds() {
	if grep -qF -e "$1" "$tap_dir/first"; then pass "reads $1"; else fail "reads $1" "$tap_dir/first"; fi
}
holds '[1700001000.000001000]'
holds 'prev_comm = "swapper/0", prev_tid = 0, prev_prio = 20, prev_state = 0, next_comm = "client", next_tid = 101'
holds '[1700001000.000110500] (+0.000109500) hosta sched_switch: { cpu_id = 1 }'
holds 'parent_tid = 102, parent_pid = 100'
holds 'len = 154, name = "eth0", network_header_type = ( "_ipv4" : container = 1 ), network_header = { { version = 4, ihl = 5, tos = 0, tot_len = 140, id = 0x5'
holds 'source_port = 1000, dest_port = 80, seq = 1, ack_seq = 2, data_offset = 5, reserved = 0, flags = 0x18'
holds 'payload_len = 18, nexthdr = ( "_udp" : container = 17 )'
holds 'type = 8, code = 0, checksum = 0, gateway = 196612'
holds '[1700007000.000000000]'
if grep -q 'discarded 12 events between .*000110500. and .*000300000.' "$tap_dir/first-log"; then
	pass "tells of lost events"
else
	fail "tells of lost events" "$tap_dir/first-log"
fi

for wrong in 'host a
1 0 sched_swich' 'host a
1 0 sched_switch prev=1' 'host a
2 0 sched_switch
1 0 sched_switch' 'host a
1 7 sched_switch' '1 0 sched_switch' 'host a tracer=2.5
1 0 sched_waking' 'host a
1 0 net_dev_queue tcp 10.0.0.1:1'; do
	printf '%s\n' "$wrong" >"$tap_dir/text"
	if "$top_builddir/tests/fixture2ctf" "$tap_dir/text" "$tap_dir/out" >/dev/null 2>"$tap_dir/log"; then
		fail "refuses a wrong text" "$tap_dir/text"
	else
		line=$(wc -l <"$tap_dir/text")
		grep -v ":$line:" "$tap_dir/log" >"$tap_dir/wrong"
		check "names the wrong line" "$tap_dir/wrong"
	fi
done
tap_done
