/* SPDX-License-Identifier: MIT */
/*
 * test-match.c: which send a received packet is of: written by hand, with the answers.
 *
 * Two hosts whose clocks are an hour apart, unless a test says otherwise; packets take 1 ms.
 * A received packet has the number of the send that it is of, plus 1000 for each further
 * packet that the same send arrived as.
 */
#include "config.h"

#include "lib/packet-host.h"
#include "sync/match.h"
#include "sync/sync.h"

#define A_BEGIN G_GINT64_CONSTANT(1772442049000000000)
#define HOUR (3600 * WP_NS_PER_S)
#define A_AT(ms) (A_BEGIN + (WpTime)((ms)*1e6))
/* Host b's clock at the same moment. */
#define B_AT(ms) (A_AT(ms) + HOUR)

enum { A, B };

static const PacketSpec tcp = {PACKET_TCP, "10.0.0.1", "10.0.0.2", 40000, 80,
			       0,          0,          0,          0,     PACKET_ACK};
static const PacketSpec back = {PACKET_TCP, "10.0.0.2", "10.0.0.1", 80, 40000,
				0,          0,          0,          0,  PACKET_ACK};

typedef struct {
	PacketHost *a, *b;
	WpGraph *graph;
	WpSyncReport *report;
} Net;

static Net net_new(void)
{
	Net net = {packet_host_new("hosta", "10.0.0.1"), packet_host_new("hostb", "10.0.0.2"), NULL,
		   NULL};

	return net;
}

/* Exchanges that tie the clocks together, from a time on. */
static void add_calls(Net *net, gdouble ms, guint n)
{
	for (guint i = 0; i < n; i++) {
		PacketSpec there = tcp, reply = back;

		there.sport = reply.dport = 50000;
		there.seq = 7000000 + i * 10;
		reply.seq = 9000000 + i * 10;
		there.length = reply.length = 10;
		packet_host_send(net->a, A_AT(ms + i * 10), &there, 900000 + i);
		packet_host_receive(net->b, B_AT(ms + i * 10 + 1), &there, 900000 + i);
		packet_host_send(net->b, B_AT(ms + i * 10 + 3), &reply, 800000 + i);
		packet_host_receive(net->a, A_AT(ms + i * 10 + 4), &reply, 800000 + i);
	}
}

static void net_join(Net *net)
{
	WpHost *hosts[2] = {packet_host_finish(net->a, A_AT(-100), A_AT(10000)),
			    packet_host_finish(net->b, B_AT(-100), B_AT(10000))};
	const WpSyncOptions options = {.reference = 0};
	g_autoptr(GError) error = NULL;

	net->graph = wp_graph_new(hosts, 2);
	g_assert_true(wp_sync_join(net->graph, &options, &net->report, NULL, &error));
	g_assert_no_error(error);
}

static void net_free(Net *net)
{
	wp_graph_free(net->graph);
	wp_sync_report_free(net->report);
}

static const WpPairReport *net_pair(const Net *net)
{
	g_assert_cmpuint(net->report->pairs->len, ==, 1);
	return &g_array_index(net->report->pairs, WpPairReport, 0);
}

/* Every received packet is of the send with its number, without the thousands. */
static void check_all(const Net *net)
{
	for (guint h = 0; h < 2; h++) {
		WpHost *host = net->graph->hosts[h];

		for (guint64 i = 0; i < host->packets.n; i++) {
			const WpPacket *packet = wp_host_packet(host, i);

			if (!(packet->flags & WP_PACKET_SEND))
				g_assert_cmpuint(packet_graph_match(net->graph, h, packet->lag), ==,
						 packet->lag % 1000 +
							 packet->lag / 100000 * 100000);
		}
	}
}

static PacketSpec with(PacketSpec spec, guint32 seq, guint32 length, guint16 id)
{
	spec.seq = seq;
	spec.length = length;
	spec.id = id;
	return spec;
}

/* One send of 14,000 bytes arrives as ten packets, and a send of one as one. */
static void test_segmentation(gconstpointer data)
{
	const guint32 start = GPOINTER_TO_UINT(data);
	Net net = net_new();
	PacketSpec spec = with(tcp, start, 14480, 100);

	packet_host_send(net.a, A_AT(0), &spec, 1);
	for (guint i = 0; i < 10; i++) {
		spec = with(tcp, start + i * 1448, 1448, 100 + i);
		packet_host_receive(net.b, B_AT(1 + i * 0.01), &spec, 1 + i * 1000);
	}
	spec = with(tcp, start + 14480, 1, 110);
	packet_host_send(net.a, A_AT(5), &spec, 2);
	packet_host_receive(net.b, B_AT(6), &spec, 2);
	add_calls(&net, 100, 10);
	net_join(&net);
	check_all(&net);
	g_assert_cmpuint(net_pair(&net)->a_to_b, ==, 21);
	g_assert_cmpuint(net_pair(&net)->b_to_a, ==, 10);
	g_assert_cmpuint(net_pair(&net)->unmatched, ==, 0);
	net_free(&net);
}

/* Several sends arrive merged: the receive is of the send with its last byte. */
static void test_coalescing(void)
{
	Net net = net_new();
	PacketSpec spec;

	for (guint i = 0; i < 6; i++) {
		spec = with(tcp, 500 + i * 100, 100, 40 + i);
		packet_host_send(net.a, A_AT(i), &spec, i);
	}
	spec = with(tcp, 500, 300, 40);
	packet_host_receive(net.b, B_AT(3), &spec, 2);
	spec = with(tcp, 800, 300, 43);
	packet_host_receive(net.b, B_AT(6), &spec, 5);
	add_calls(&net, 100, 10);
	net_join(&net);
	check_all(&net);
	/* The sends in front of the last one were received too. */
	g_assert_cmpuint(net_pair(&net)->unmatched, ==, 0);
	net_free(&net);
}

/*
 * The first copy is lost, the second comes late, after the third was sent: ids tell. What
 * was lost counts as unmatched.
 */
static void test_retransmission(void)
{
	Net net = net_new();
	PacketSpec spec;

	for (guint i = 0; i < 3; i++) {
		spec = with(tcp, 1000, 1448, 0x6726 + i);
		packet_host_send(net.a, A_AT(i * 200), &spec, 1 + i);
	}
	spec = with(tcp, 1000, 1448, 0x6727);
	packet_host_receive(net.b, B_AT(450), &spec, 2);
	spec = with(tcp, 1000, 1448, 0x6728);
	packet_host_receive(net.b, B_AT(451), &spec, 3);
	/* A piece of a large send, resent by itself. */
	spec = with(tcp, 5000, 14480, 200);
	packet_host_send(net.a, A_AT(1000), &spec, 4);
	spec = with(tcp, 5000 + 4 * 1448, 1448, 231);
	packet_host_send(net.a, A_AT(1200), &spec, 5);
	packet_host_receive(net.b, B_AT(1201), &spec, 5);
	spec.id = 204;
	packet_host_receive(net.b, B_AT(1202), &spec, 1004);
	add_calls(&net, 100, 10);
	net_join(&net);
	check_all(&net);
	g_assert_cmpuint(net_pair(&net)->unmatched, ==, 1);
	g_assert_cmpuint(net_pair(&net)->inversions_after, ==, 0);
	net_free(&net);
}

/* Without ids (IPv6) the nearest earlier copy it is, once the clocks are known. */
static void test_retransmission_without_id(void)
{
	Net net = net_new();
	PacketSpec spec = {PACKET_TCP, "fd00::1", "fd00::2", 40000, 80, 77, 1, 500, 0, PACKET_ACK};

	for (guint i = 0; i < 3; i++)
		packet_host_send(net.a, A_AT(i * 200), &spec, 1 + i);
	packet_host_receive(net.b, B_AT(201), &spec, 2);
	packet_host_receive(net.b, B_AT(401), &spec, 3);
	add_calls(&net, 100, 40);
	net_join(&net);
	check_all(&net);
	net_free(&net);
}

/* Equal acknowledgements: by id, and without one by time; PSH does not matter, data does. */
static void test_acknowledgements(gconstpointer data)
{
	const gboolean ids = GPOINTER_TO_INT(data);
	Net net = net_new();
	PacketSpec ack = back;

	ack.seq = 333;
	ack.ack = 444;
	if (!ids) {
		ack.src = "fd00::2";
		ack.dst = "fd00::1";
	}
	for (guint i = 0; i < 5; i++) {
		ack.id = ids ? 700 + i : 0;
		ack.flags = PACKET_ACK;
		packet_host_send(net.b, B_AT(i * 50), &ack, 1 + i);
		ack.flags |= i == 2 ? PACKET_PSH : 0;
		packet_host_receive(net.a, A_AT(i * 50 + 1), &ack, 1 + i);
	}
	ack.flags = PACKET_ACK | PACKET_FIN;
	ack.id = ids ? 800 : 0;
	packet_host_send(net.b, B_AT(300), &ack, 6);
	packet_host_receive(net.a, A_AT(301), &ack, 6);
	/* The same numbers with data are another packet. */
	ack.length = 10;
	ack.flags = PACKET_ACK;
	ack.id = ids ? 801 : 0;
	packet_host_send(net.b, B_AT(400), &ack, 7);
	packet_host_receive(net.a, A_AT(401), &ack, 7);
	add_calls(&net, 0, 60);
	net_join(&net);
	check_all(&net);
	net_free(&net);
}

/* Datagrams by id and length, ids counting round; the reply's host writes none. */
static void test_udp(void)
{
	static const PacketSpec there = {PACKET_UDP, "10.0.0.1", "10.0.0.2", 5000, 53,
					 0,          0,          100,        0,    0};
	static const PacketSpec reply = {PACKET_UDP, "10.0.0.2", "10.0.0.1", 53, 5000,
					 0,          0,          40,         0,  0};
	Net net = net_new();

	for (guint i = 0; i < 100; i++) {
		PacketSpec spec = there;

		spec.id = (guint16)(65530 + i);
		spec.length = 100 + i % 3;
		packet_host_send(net.a, A_AT(i * 20), &spec, i);
		spec.id = spec.id ? spec.id : 0;
		/* Every tenth is lost. */
		if (i % 10 == 9)
			continue;
		packet_host_receive(net.b, B_AT(i * 20 + 1), &spec, i);
		packet_host_send(net.b, B_AT(i * 20 + 8), &reply, 100 + i);
		packet_host_receive(net.a, A_AT(i * 20 + 9), &reply, 100 + i);
	}
	net_join(&net);
	check_all(&net);
	g_assert_cmpuint(net_pair(&net)->a_to_b, ==, 90);
	g_assert_cmpuint(net_pair(&net)->b_to_a, ==, 90);
	g_assert_cmpuint(net_pair(&net)->unmatched, ==, 10);
	net_free(&net);
}

/* No ids at all, and nothing but datagrams of one length: the k-th is the k-th. */
static void test_udp_by_count(void)
{
	static const PacketSpec there = {PACKET_UDP, "fd00::1", "fd00::2", 5000, 53,
					 0,          0,         64,        0,    0};
	static const PacketSpec reply = {PACKET_UDP, "fd00::2", "fd00::1", 53, 5000,
					 0,          0,         64,        0,  0};
	Net net = net_new();

	for (guint i = 0; i < 50; i++) {
		packet_host_send(net.a, A_AT(i * 20), &there, i);
		packet_host_receive(net.b, B_AT(i * 20 + 1), &there, i);
		packet_host_send(net.b, B_AT(i * 20 + 8), &reply, 100 + i);
		packet_host_receive(net.a, A_AT(i * 20 + 9), &reply, 100 + i);
	}
	net_join(&net);
	check_all(&net);
	g_assert_cmpuint(net_pair(&net)->quality, ==, WP_PAIR_BOTH_WAYS);
	g_assert_cmpint(ABS(net.report->hosts[B].offset + HOUR), <=,
			net.report->hosts[B].bound_max);
	net_free(&net);
}

static void test_icmp(void)
{
	Net net = net_new();

	for (guint i = 0; i < 20; i++) {
		PacketSpec echo = {PACKET_ICMP,   "10.0.0.1", "10.0.0.2", 0, 0,
				   77u << 16 | i, 0,          56,         0, 8};
		PacketSpec reply = {PACKET_ICMP,   "10.0.0.2", "10.0.0.1", 0, 0,
				    77u << 16 | i, 0,          56,         0, 0};

		echo.id = 300 + i;
		packet_host_send(net.a, A_AT(i * 100), &echo, 2 * i);
		packet_host_receive(net.b, B_AT(i * 100 + 1), &echo, 2 * i);
		packet_host_send(net.b, B_AT(i * 100 + 1.2), &reply, 2 * i + 1);
		packet_host_receive(net.a, A_AT(i * 100 + 2.2), &reply, 2 * i + 1);
	}
	net_join(&net);
	check_all(&net);
	g_assert_cmpuint(net_pair(&net)->a_to_b, ==, 20);
	g_assert_cmpuint(net_pair(&net)->b_to_a, ==, 20);
	net_free(&net);
}

/* Sockets without addresses: numbers and the raw flags word, where only one has them. */
static void test_sockets(void)
{
	Net net = net_new();

	for (guint i = 0; i < 20; i++) {
		/* The upper half of the word is where the length is: 0x50 there is an offset. */
		PacketSpec there = {PACKET_TCP, NULL, NULL, 1, 0,
				    1000 + i,   5000, 0x50, 0, PACKET_ACK};
		PacketSpec reply = {PACKET_TCP, NULL,     NULL, 2, 0,
				    5000,       1001 + i, 0x50, 0, PACKET_ACK};

		packet_host_send(net.a, A_AT(i * 10), &there, i);
		there.sport = 7;
		packet_host_receive(net.b, B_AT(i * 10 + 1), &there, i);
		packet_host_send(net.b, B_AT(i * 10 + 2), &reply, 100 + i);
		reply.sport = 9;
		packet_host_receive(net.a, A_AT(i * 10 + 3), &reply, 100 + i);
	}
	/* Differs in the upper half of the flags only. */
	PacketSpec other = {PACKET_TCP, NULL, NULL, 1, 0, 1000, 5000, 0x80, 0, PACKET_ACK};

	packet_host_receive(net.b, B_AT(500), &other, 50);
	net_join(&net);
	for (guint i = 0; i < 20; i++) {
		g_assert_cmpuint(packet_graph_match(net.graph, B, i), ==, i);
		g_assert_cmpuint(packet_graph_match(net.graph, A, 100 + i), ==, 100 + i);
	}
	g_assert_cmpuint(packet_graph_match(net.graph, B, 50), ==, 0);
	net_free(&net);
}

/*
 * A router between translates a's address and port. Numbers that are unique show which flow
 * became which; then its data is matched by bytes, pieces and all.
 */
static void test_translation(void)
{
	Net net = net_new();

	for (guint i = 0; i < 10; i++) {
		PacketSpec spec = with(tcp, 70000 + i * 3000, 3000, 40 + 3 * i);

		spec.ack = 90000 + i * 100;
		packet_host_send(net.a, A_AT(i * 10), &spec, i);
		spec.src = "192.168.7.7";
		spec.sport = 61000;
		if (i % 2) {
			packet_host_receive(net.b, B_AT(i * 10 + 1), &spec, i);
		} else {
			spec.length = 1448;
			packet_host_receive(net.b, B_AT(i * 10 + 1), &spec, i);
			spec.seq += 1448;
			spec.length = 1552;
			spec.id++;
			packet_host_receive(net.b, B_AT(i * 10 + 1), &spec, i + 1000);
		}

		PacketSpec reply = with(back, 90000 + i * 100, 100, 500 + i);

		reply.ack = 73000 + i * 3000;
		reply.dst = "192.168.7.7";
		reply.dport = 61000;
		packet_host_send(net.b, B_AT(i * 10 + 3), &reply, 100 + i);
		reply.dst = "10.0.0.1";
		reply.dport = 40000;
		packet_host_receive(net.a, A_AT(i * 10 + 4), &reply, 100 + i);
	}
	net_join(&net);
	for (guint i = 0; i < 10; i++) {
		g_assert_cmpuint(packet_graph_match(net.graph, B, i), ==, i);
		if (i % 2 == 0)
			g_assert_cmpuint(packet_graph_match(net.graph, B, i + 1000), ==, i);
		g_assert_cmpuint(packet_graph_match(net.graph, A, 100 + i), ==, 100 + i);
	}
	g_assert_cmpuint(net_pair(&net)->quality, ==, WP_PAIR_BOTH_WAYS);
	net_free(&net);
}

/* Without addresses in common nothing is matched unless the numbers are unique on both sides. */
static void test_translation_not_unique(void)
{
	Net net = net_new();
	PacketSpec spec = with(tcp, 1000, 100, 0);

	spec.ack = 2000;
	packet_host_send(net.a, A_AT(0), &spec, 1);
	packet_host_send(net.a, A_AT(300), &spec, 2);
	spec.src = "192.168.7.7";
	packet_host_receive(net.b, B_AT(301), &spec, 3);
	/* A first SYN has one number only: a chance meeting. */
	spec = with(tcp, 4242, 0, 0);
	spec.flags = PACKET_SYN;
	spec.sport = 1;
	packet_host_send(net.a, A_AT(400), &spec, 4);
	spec.src = "192.168.7.9";
	packet_host_receive(net.b, B_AT(401), &spec, 5);
	net_join(&net);
	g_assert_cmpuint(packet_graph_match(net.graph, B, 3), ==, 0);
	g_assert_cmpuint(packet_graph_match(net.graph, B, 5), ==, 0);
	g_assert_cmpuint(net.graph->joins[A].island, !=, net.graph->joins[B].island);
	net_free(&net);
}

/* What stays on a host is no pair of clocks, even when another host has the same addresses. */
static void test_local(void)
{
	Net net = net_new();

	packet_host_add_address(net.a, "172.17.0.2");
	packet_host_add_address(net.a, "172.17.0.3");
	packet_host_add_address(net.b, "172.17.0.2");
	packet_host_add_address(net.b, "172.17.0.3");
	for (guint i = 0; i < 10; i++) {
		PacketSpec lo = {PACKET_TCP,  "127.0.0.1", "127.0.0.1", 4000, 80,
				 10 + i * 10, 1,           10,          0,    16};
		PacketSpec container = {
			PACKET_TCP, "172.17.0.2", "172.17.0.3", 4000, 80, 10 + i * 10, 1, 10, 0,
			16};

		lo.id = container.id = 1 + i;
		for (guint h = 0; h < 2; h++) {
			PacketHost *ph = h ? net.b : net.a;
			const WpTime t = h ? B_AT(i * 10 + 5) : A_AT(i * 10);

			packet_host_send(ph, t, &lo, 100 + i);
			packet_host_receive(ph, t + 1000, &lo, 100 + i);
			packet_host_send(ph, t + 2000, &container, 200 + i);
			packet_host_receive(ph, t + 3000, &container, 200 + i);
		}
	}
	add_calls(&net, 0, 20);
	net_join(&net);
	for (guint h = 0; h < 2; h++) {
		WpHost *host = net.graph->hosts[h];

		for (guint i = 0; i < 20; i++) {
			const guint32 number = i < 10 ? 100 + i : 190 + i;
			const WpId id = packet_host_find(host, number, FALSE);
			const WpMatch *match = &WP_AT(&net.graph->joins[h].matches, WpMatch, id);

			g_assert_cmpuint(match->host, ==, h);
			g_assert_cmpuint(match->packet, ==, packet_host_find(host, number, TRUE));
		}
	}
	g_assert_cmpuint(net_pair(&net)->a_to_b, ==, 20);
	g_assert_cmpuint(net_pair(&net)->unmatched, ==, 0);
	net_free(&net);
}

/* A packet passes a veth and a bridge before the wire, and again behind it: it is one packet. */
static void test_hops(void)
{
	Net net = net_new();

	for (guint i = 0; i < 10; i++) {
		PacketSpec spec = with(tcp, 1000 + i * 10, 10, 60 + i);

		packet_host_send(net.a, A_AT(i * 10), &spec, 500 + i);
		packet_host_receive(net.a, A_AT(i * 10 + 0.01), &spec, 600 + i);
		packet_host_send(net.a, A_AT(i * 10 + 0.02), &spec, i);
		packet_host_receive(net.b, B_AT(i * 10 + 1), &spec, i);
		packet_host_send(net.b, B_AT(i * 10 + 1.01), &spec, 300 + i);
		packet_host_receive(net.b, B_AT(i * 10 + 1.02), &spec, 400 + i);
	}
	add_calls(&net, 0, 20);
	net_join(&net);
	for (guint i = 0; i < 10; i++) {
		/* Of the two sends the one nearest to the wire; the last hop is local. */
		g_assert_cmpuint(packet_graph_match(net.graph, B, i), ==, i);
		g_assert_cmpuint(packet_graph_match(net.graph, B, 400 + i), ==, 300 + i);
		g_assert_cmpuint(packet_graph_match(net.graph, A, 600 + i), ==, 500 + i);
	}
	net_free(&net);
}

/*
 * The first send is not in the trace, its copy is, and was sent after it had been received:
 * by its id it is not the one; without an id the clocks tell.
 */
static void test_send_not_traced(gconstpointer data)
{
	const gboolean ids = GPOINTER_TO_INT(data);
	Net net = net_new();
	PacketSpec spec = with(tcp, 1000, 1448, ids ? 50 : 0);

	packet_host_receive(net.b, B_AT(-50), &spec, 1);
	spec.id = ids ? 51 : 0;
	packet_host_send(net.a, A_AT(150), &spec, 2);
	packet_host_receive(net.b, B_AT(151), &spec, 2);
	spec = with(tcp, 2448, 100, ids ? 52 : 0);
	packet_host_send(net.a, A_AT(200), &spec, 3);
	packet_host_receive(net.b, B_AT(201), &spec, 3);
	add_calls(&net, 0, 40);
	net_join(&net);
	g_assert_cmpuint(packet_graph_match(net.graph, B, 1), ==, 0);
	g_assert_cmpuint(packet_graph_match(net.graph, B, 2), ==, 2);
	g_assert_cmpuint(packet_graph_match(net.graph, B, 3), ==, 3);
	g_assert_cmpuint(net_pair(&net)->quality, ==, WP_PAIR_BOTH_WAYS);
	g_assert_cmpuint(net_pair(&net)->inversions_after, ==, 0);
	g_assert_cmpint(ABS(net.report->hosts[B].offset + HOUR), <=,
			net.report->hosts[B].bound_max);
	g_assert_cmpint(net.report->hosts[B].bound_max, <, 10 * WP_NS_PER_MS);
	net_free(&net);
}

/* The numbers run round more than once: the nearest earlier send of the byte. */
static void test_round(void)
{
	Net net = net_new();
	guint32 seq = 0xfffff000u;

	for (guint i = 0; i < 30; i++) {
		PacketSpec spec = {PACKET_TCP, "fd00::1", "fd00::2", 40000, 80,
				   seq,        1,         0,         0,     PACKET_ACK};

		spec.length = 1u << 29;
		packet_host_send(net.a, A_AT(i * 20), &spec, 1 + i);
		spec.seq = seq + spec.length - 1448;
		spec.length = 1448;
		packet_host_receive(net.b, B_AT(i * 20 + 2), &spec, 1 + i);
		seq += 1u << 29;
	}
	add_calls(&net, 0, 70);
	net_join(&net);
	check_all(&net);
	net_free(&net);
}

/* Sends to addresses that no traced host has are counted by address. */
static void test_not_traced(void)
{
	Net net = net_new();
	PacketSpec spec = with(tcp, 100, 10, 1);
	const guint64 *count;

	add_calls(&net, 0, 10);
	spec.dst = "10.9.9.9";
	packet_host_send(net.a, A_AT(0), &spec, 1);
	packet_host_send(net.a, A_AT(1), &spec, 2);
	packet_host_send(net.b, B_AT(1), &spec, 3);
	spec.dst = "224.0.0.251";
	packet_host_send(net.a, A_AT(1), &spec, 4);
	spec.dst = "10.0.0.2";
	spec.sport = 41000;
	packet_host_send(net.a, A_AT(2), &spec, 5);
	/* A receive from a traced host without its send. */
	spec.sport = 42000;
	packet_host_receive(net.b, B_AT(7), &spec, 6);
	net_join(&net);
	g_assert_cmpuint(g_hash_table_size(net.report->not_traced), ==, 1);
	count = g_hash_table_lookup(net.report->not_traced, "10.9.9.9");
	g_assert_nonnull(count);
	g_assert_cmpuint(*count, ==, 3);
	g_assert_cmpuint(net_pair(&net)->unmatched, ==, 2);
	net_free(&net);
}

/*
 * a sends through a traced router to b: b's receives are of the router, whose are of a, by the
 * same addresses and ids throughout.
 */
static void test_router(void)
{
	PacketHost *a = packet_host_new("hosta", "10.0.0.1");
	PacketHost *r = packet_host_new("router", "10.0.0.254");
	PacketHost *b = packet_host_new("hostb", "10.0.1.2");
	const WpSyncOptions options = {.reference = 0};
	g_autoptr(WpSyncReport) report = NULL;
	g_autoptr(WpGraph) graph = NULL;

	for (guint i = 0; i < 20; i++) {
		PacketSpec spec = with(tcp, 1000 + 10 * i, 10, 50 + i);
		PacketSpec reply = with(back, 2000 + 10 * i, 10, 90 + i);

		spec.dst = reply.src = "10.0.1.2";
		packet_host_send(a, A_AT(i * 20), &spec, i);
		packet_host_receive(r, A_AT(i * 20 + 1) - HOUR, &spec, i);
		packet_host_send(r, A_AT(i * 20 + 1.1) - HOUR, &spec, 100 + i);
		packet_host_receive(b, B_AT(i * 20 + 2), &spec, 100 + i);
		packet_host_send(b, B_AT(i * 20 + 4), &reply, 200 + i);
		packet_host_receive(r, A_AT(i * 20 + 5) - HOUR, &reply, 200 + i);
		packet_host_send(r, A_AT(i * 20 + 5.1) - HOUR, &reply, 300 + i);
		packet_host_receive(a, A_AT(i * 20 + 6), &reply, 300 + i);
	}

	WpHost *hosts[3] = {packet_host_finish(a, A_AT(-10), A_AT(500)),
			    packet_host_finish(r, A_AT(-10) - HOUR, A_AT(500) - HOUR),
			    packet_host_finish(b, B_AT(-10), B_AT(500))};

	graph = wp_graph_new(hosts, 3);
	g_assert_true(wp_sync_join(graph, &options, &report, NULL, NULL));
	for (guint i = 0; i < 20; i++) {
		g_assert_cmpuint(packet_graph_match(graph, 1, i), ==, i);
		g_assert_cmpuint(packet_graph_match(graph, 2, 100 + i), ==, 100 + i);
		g_assert_cmpuint(packet_graph_match(graph, 1, 200 + i), ==, 200 + i);
		g_assert_cmpuint(packet_graph_match(graph, 0, 300 + i), ==, 300 + i);
	}
	for (guint h = 1; h < 3; h++) {
		g_assert_true(report->hosts[h].connected);
		g_assert_cmpint(ABS(report->hosts[h].offset - (h == 1 ? HOUR : -HOUR)), <=,
				report->hosts[h].bound_max);
	}
}

/* Packets of one flow in slices much smaller than it, as if it were far larger. */
static void test_slices(void)
{
	Net net = net_new();
	WpAddresses *addresses;
	WpMatcher *matcher;

	for (guint i = 0; i < 300; i++) {
		PacketSpec spec = with(tcp, 1000 + 100 * i, 100, (guint16)(1 + i));

		packet_host_send(net.a, A_AT(i), &spec, 1 + i);
		packet_host_receive(net.b, B_AT(i + 1), &spec, 1 + i);
		/* Some are sent twice, far apart. */
		if (i % 7)
			continue;
		spec.id += 1000;
		packet_host_send(net.a, A_AT(400 + i), &spec, 500 + i);
		packet_host_receive(net.b, B_AT(401 + i), &spec, 500 + i);
	}

	WpHost *hosts[2] = {packet_host_finish(net.a, A_AT(0), A_AT(1000)),
			    packet_host_finish(net.b, B_AT(0), B_AT(1000))};

	net.graph = wp_graph_new(hosts, 2);
	addresses = wp_addresses_new(net.graph);
	matcher = wp_matcher_new(net.graph, addresses, 37);
	g_assert_true(wp_matcher_run(matcher, NULL, NULL));
	for (guint i = 0; i < 300; i++) {
		g_assert_cmpuint(packet_graph_match(net.graph, B, 1 + i), ==, 1 + i);
		if (i % 7 == 0)
			g_assert_cmpuint(packet_graph_match(net.graph, B, 500 + i), ==, 500 + i);
	}
	wp_matcher_free(matcher);
	wp_addresses_free(addresses);
	net_free(&net);
}

/* What is picked by its notes, against looking at each of them. */
static void check_pick(const WpMatcher *matcher, guint h, guint8 mask, guint8 value)
{
	const WpColumn *notes = wp_matcher_get_notes(matcher, h);

	for (guint ahead = 0; ahead < 2; ahead++) {
		WpPick pick;
		WpId id = WP_NONE;

		wp_pick_init(&pick, matcher, h, mask, value, ahead);
		for (guint64 i = 0; i < notes->n; i++) {
			if ((WP_AT(notes, guint8, i) & mask) != value)
				continue;
			g_assert_true(wp_pick_next(&pick, &id));
			g_assert_cmpuint(id, ==, i);
		}
		g_assert_false(wp_pick_next(&pick, &id));
		g_assert_false(wp_pick_next(&pick, &id));
	}
}

/* As many packets as make up blocks, and some more or less. */
static void test_picks(void)
{
	const guint sizes[] = {1, 7, 8, 9, 63, 64, 65, 127, 128, 300};

	for (guint s = 0; s < G_N_ELEMENTS(sizes); s++) {
		Net net = net_new();

		for (guint i = 0; i < sizes[s]; i++) {
			PacketSpec spec = with(tcp, 1000 + 100 * i, 100, (guint16)(1 + i));

			/* Of the same three after each other: lost, received, and not traced. */
			if (i % 3 < 2)
				packet_host_send(net.a, A_AT(i), &spec, 1 + i);
			if (i % 3 > 0)
				packet_host_receive(net.b, B_AT(i + 1), &spec, 1 + i);
			spec = with(back, 1000 + 100 * i, 100, (guint16)(1 + i));
			if (i % 5 == 0) {
				packet_host_send(net.b, B_AT(i + 2), &spec, 1000 + i);
				packet_host_receive(net.a, A_AT(i + 3), &spec, 1000 + i);
			}
		}

		WpHost *hosts[2] = {packet_host_finish(net.a, A_AT(0), A_AT(1000)),
				    packet_host_finish(net.b, B_AT(0), B_AT(1000))};

		net.graph = wp_graph_new(hosts, 2);

		g_autoptr(WpAddresses) addresses = wp_addresses_new(net.graph);
		g_autoptr(WpMatcher) matcher = wp_matcher_new(net.graph, addresses, 0);

		g_assert_true(wp_matcher_run(matcher, NULL, NULL));
		for (guint h = 0; h < 2; h++) {
			check_pick(matcher, h, WP_NOTE_SEND, WP_NOTE_SEND);
			check_pick(matcher, h, WP_NOTE_SEND, 0);
			check_pick(matcher, h, WP_NOTE_SEND | WP_NOTE_RECEIVED, WP_NOTE_SEND);
			check_pick(matcher, h, WP_NOTE_EVIDENCE, WP_EVIDENCE_UNIQUE);
			check_pick(matcher, h, 0xff, WP_NOTE_SEND | WP_NOTE_RECEIVED);
			check_pick(matcher, h, 0, 0);
		}
		g_clear_pointer(&matcher, wp_matcher_free);
		net_free(&net);
	}
}

/* The work grows with the packets, not faster: look-ups in a flow that is ten times longer. */
static guint64 steps_of(guint n)
{
	Net net = net_new();
	WpAddresses *addresses;
	WpMatcher *matcher;

	for (guint i = 0; i < n; i++) {
		/* A large send here and there, whose bytes reach far over the small ones' begins. */
		PacketSpec spec = with(tcp, 1000 + 100 * i, i % 100 ? 100 : 60000,
				       (guint16)(1 + i));

		packet_host_send(net.a, A_AT(i), &spec, 1 + i);
		spec.length = 100;
		packet_host_receive(net.b, B_AT(i + 1), &spec, 1 + i);
		spec = with(back, 5000, 0, 0);
		spec.ack = 1100 + 100 * (i / 2);
		packet_host_send(net.b, B_AT(i + 2), &spec, 1 + i);
		packet_host_receive(net.a, A_AT(i + 3), &spec, 1 + i);
	}

	WpHost *hosts[2] = {packet_host_finish(net.a, A_AT(0), A_AT(n)),
			    packet_host_finish(net.b, B_AT(0), B_AT(n))};

	net.graph = wp_graph_new(hosts, 2);
	addresses = wp_addresses_new(net.graph);
	matcher = wp_matcher_new(net.graph, addresses, 0);
	g_assert_true(wp_matcher_run(matcher, NULL, NULL));
	const guint64 steps = wp_matcher_n_steps(matcher);

	wp_matcher_free(matcher);
	wp_addresses_free(addresses);
	net_free(&net);
	return steps;
}

static void test_cost(void)
{
	const guint64 small = steps_of(2000), large = steps_of(20000);

	/* n log n: 4 bits more of 11. */
	g_assert_cmpuint(large, <=, small * 10 * 14 / 10);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_data_func("/match/segmentation", GUINT_TO_POINTER(1000), test_segmentation);
	/* The numbers run over their end in the middle of a piece. */
	g_test_add_data_func("/match/segmentation-round", GUINT_TO_POINTER(0xffffe000u),
			     test_segmentation);
	g_test_add_func("/match/coalescing", test_coalescing);
	g_test_add_func("/match/retransmission", test_retransmission);
	g_test_add_func("/match/retransmission-without-id", test_retransmission_without_id);
	g_test_add_data_func("/match/acknowledgements", GINT_TO_POINTER(TRUE),
			     test_acknowledgements);
	g_test_add_data_func("/match/acknowledgements-without-id", GINT_TO_POINTER(FALSE),
			     test_acknowledgements);
	g_test_add_func("/match/udp", test_udp);
	g_test_add_func("/match/udp-by-count", test_udp_by_count);
	g_test_add_func("/match/icmp", test_icmp);
	g_test_add_func("/match/sockets", test_sockets);
	g_test_add_func("/match/translation", test_translation);
	g_test_add_func("/match/translation-not-unique", test_translation_not_unique);
	g_test_add_func("/match/local", test_local);
	g_test_add_func("/match/hops", test_hops);
	g_test_add_data_func("/match/send-not-traced", GINT_TO_POINTER(TRUE), test_send_not_traced);
	g_test_add_data_func("/match/send-not-traced-without-id", GINT_TO_POINTER(FALSE),
			     test_send_not_traced);
	g_test_add_func("/match/round", test_round);
	g_test_add_func("/match/not-traced", test_not_traced);
	g_test_add_func("/match/router", test_router);
	g_test_add_func("/match/slices", test_slices);
	g_test_add_func("/match/picks", test_picks);
	g_test_add_func("/match/cost", test_cost);
	return g_test_run();
}
