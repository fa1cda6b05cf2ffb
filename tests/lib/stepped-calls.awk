# SPDX-License-Identifier: MIT
#
# stepped-calls.awk: a fixture (tests/fixtures/README.md) of N calls, one each 20 ms, of a client on
# hosta to a server on hostb, whose clock lies:
#   STEP us are gained in the middle;
#   SLEW ppm it is too fast in the middle third;
#   SUSPEND us its machine is suspended for, and the clock with it, while the server computes in
#     the call in the middle: that, and what follows, is later by so much on hosta;
#   SPREAD us more it gives the server to compute than the client waits for.
# The client is on the path but from 110 us to 5.8 ms of a call: then the request is under way,
# and the server computes.
function out(t, s) { printf "%d 0 %s\n", t, s }
# When, on hosta, is what would be at t?
function real(t) { return t + (t > HALF ? SUSPEND : 0) }
# And on hostb?
function b(t,  slewed) {
	slewed = t - THIRD < 0 ? 0 : t - THIRD < THIRD ? t - THIRD : THIRD
	return t + SLEW * slewed / 1000000 + (t > HALF ? STEP : 0)
}
BEGIN {
	THIRD = N * 20000 / 3
	HALF = 20000 * (int(N / 2) + 1) + (SUSPEND ? 3000 : -1)
	print "host hosta"; print "task 101 client"
	out(0, "lttng_statedump_network_interface name=eth0 address_ipv4=0x0a000001")
	out(1, "sched_switch prev_tid=0 next_tid=101")
	for (i = 0; i < N; i++) {
		t = 20000 * (i + 1)
		q = sprintf("tcp 10.0.0.1:1000>10.0.0.2:80 seq=%d ack=%d len=100 id=%d flags=PA", 1 + 100 * i, 1 + 200 * i, 5 + i)
		r = sprintf("tcp 10.0.0.2:80>10.0.0.1:1000 seq=%d ack=%d len=200 id=%d flags=PA", 1 + 200 * i, 101 + 100 * i, 9 + i)
		out(real(t), "net_dev_queue skbaddr=0x1 name=eth0 " q)
		out(real(t + 10), "sched_switch prev_tid=101 prev_state=1 next_tid=0")
		out(real(t + 5900), "irq_handler_entry irq=24 name=eth0"); out(real(t + 5902), "irq_softirq_raise vec=3")
		out(real(t + 5904), "irq_handler_exit irq=24"); out(real(t + 5905), "irq_softirq_entry vec=3")
		out(real(t + 5910), "net_if_receive_skb skbaddr=0x2 name=eth0 " r)
		out(real(t + 5915), "sched_waking tid=101"); out(real(t + 5918), "irq_softirq_exit vec=3")
		out(real(t + 5930), "sched_switch prev_tid=0 next_tid=101")
	}
	out(real(t + 20000), "sched_switch prev_tid=101 prev_state=1 next_tid=0")
	print "host hostb"; print "task 201 server"
	out(0, "lttng_statedump_network_interface name=eth0 address_ipv4=0x0a000002")
	out(1, "sched_switch prev_tid=0 next_tid=201"); out(10, "sched_switch prev_tid=201 prev_state=1 next_tid=0")
	for (i = 0; i < N; i++) {
		t = 20000 * (i + 1)
		q = sprintf("tcp 10.0.0.1:1000>10.0.0.2:80 seq=%d ack=%d len=100 id=%d flags=PA", 1 + 100 * i, 1 + 200 * i, 5 + i)
		r = sprintf("tcp 10.0.0.2:80>10.0.0.1:1000 seq=%d ack=%d len=200 id=%d flags=PA", 1 + 200 * i, 101 + 100 * i, 9 + i)
		out(b(t + 300), "irq_handler_entry irq=24 name=eth0"); out(b(t + 302), "irq_softirq_raise vec=3")
		out(b(t + 304), "irq_handler_exit irq=24"); out(b(t + 305), "irq_softirq_entry vec=3")
		out(b(t + 310), "net_if_receive_skb skbaddr=0x8 name=eth0 " q)
		out(b(t + 315), "sched_waking tid=201"); out(b(t + 318), "irq_softirq_exit vec=3")
		out(b(t + 330), "sched_switch prev_tid=0 next_tid=201")
		out(b(t + 5800) + SPREAD, "net_dev_queue skbaddr=0x9 name=eth0 " r)
		out(b(t + 5820) + SPREAD, "sched_switch prev_tid=201 prev_state=1 next_tid=0")
	}
	out(b(t + 20000), "lttng_statedump_end")
}
