# SPDX-License-Identifier: MIT
#
# stepped-calls.awk, with N and STEP: a fixture (tests/fixtures/README.md) of N calls, one each 20 ms,
# of a client on hosta to a server on hostb, whose clock gains STEP us in the middle.
# The client is on the path but from 110 us to 5.8 ms of a call: then the request is under way,
# and the server computes.
function out(t, s) { printf "%d 0 %s\n", t, s }
BEGIN {
	print "host hosta"; print "task 101 client"
	out(0, "lttng_statedump_network_interface name=eth0 address_ipv4=0x0a000001")
	out(1, "sched_switch prev_tid=0 next_tid=101")
	for (i = 0; i < N; i++) {
		t = 20000 * (i + 1)
		q = sprintf("tcp 10.0.0.1:1000>10.0.0.2:80 seq=%d ack=%d len=100 id=%d flags=PA", 1 + 100 * i, 1 + 200 * i, 5 + i)
		r = sprintf("tcp 10.0.0.2:80>10.0.0.1:1000 seq=%d ack=%d len=200 id=%d flags=PA", 1 + 200 * i, 101 + 100 * i, 9 + i)
		out(t, "net_dev_queue skbaddr=0x1 name=eth0 " q)
		out(t + 10, "sched_switch prev_tid=101 prev_state=1 next_tid=0")
		out(t + 5900, "irq_handler_entry irq=24 name=eth0"); out(t + 5902, "irq_softirq_raise vec=3")
		out(t + 5904, "irq_handler_exit irq=24"); out(t + 5905, "irq_softirq_entry vec=3")
		out(t + 5910, "net_if_receive_skb skbaddr=0x2 name=eth0 " r)
		out(t + 5915, "sched_waking tid=101"); out(t + 5918, "irq_softirq_exit vec=3")
		out(t + 5930, "sched_switch prev_tid=0 next_tid=101")
	}
	out(t + 20000, "sched_switch prev_tid=101 prev_state=1 next_tid=0")
	print "host hostb"; print "task 201 server"
	out(0, "lttng_statedump_network_interface name=eth0 address_ipv4=0x0a000002")
	out(1, "sched_switch prev_tid=0 next_tid=201"); out(10, "sched_switch prev_tid=201 prev_state=1 next_tid=0")
	for (i = 0; i < N; i++) {
		t = 20000 * (i + 1) + (i >= N / 2 ? STEP : 0)
		q = sprintf("tcp 10.0.0.1:1000>10.0.0.2:80 seq=%d ack=%d len=100 id=%d flags=PA", 1 + 100 * i, 1 + 200 * i, 5 + i)
		r = sprintf("tcp 10.0.0.2:80>10.0.0.1:1000 seq=%d ack=%d len=200 id=%d flags=PA", 1 + 200 * i, 101 + 100 * i, 9 + i)
		out(t + 300, "irq_handler_entry irq=24 name=eth0"); out(t + 302, "irq_softirq_raise vec=3")
		out(t + 304, "irq_handler_exit irq=24"); out(t + 305, "irq_softirq_entry vec=3")
		out(t + 310, "net_if_receive_skb skbaddr=0x8 name=eth0 " q)
		out(t + 315, "sched_waking tid=201"); out(t + 318, "irq_softirq_exit vec=3")
		out(t + 330, "sched_switch prev_tid=0 next_tid=201")
		out(t + 5800, "net_dev_queue skbaddr=0x9 name=eth0 " r)
		out(t + 5820, "sched_switch prev_tid=201 prev_state=1 next_tid=0")
	}
	out(t + 20000, "lttng_statedump_end")
}
