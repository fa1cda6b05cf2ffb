/* SPDX-License-Identifier: MIT */
/* packet-host.c: hosts made of packets. */
#include "config.h"

#include <arpa/inet.h>
#include <string.h>

#include "lib/packet-host.h"

static void push(WpColumn *column, gconstpointer element)
{
	gpointer slot = wp_column_push(column, NULL);

	g_assert_nonnull(slot);
	memcpy(slot, element, column->element);
}

static void parse_address(const gchar *text, guint8 *ret_address)
{
	memset(ret_address, 0, 16);
	if (strchr(text, ':')) {
		g_assert_cmpint(inet_pton(AF_INET6, text, ret_address), ==, 1);
		return;
	}
	ret_address[10] = ret_address[11] = 0xff;
	g_assert_cmpint(inet_pton(AF_INET, text, ret_address + 12), ==, 1);
}

PacketHost *packet_host_new(const gchar *name, const gchar *address)
{
	PacketHost *ph = g_new0(PacketHost, 1);

	ph->host = wp_host_new(name, NULL);
	ph->packets = g_array_new(FALSE, TRUE, sizeof(WpPacket));
	if (address)
		packet_host_add_address(ph, address);
	return ph;
}

void packet_host_add_address(PacketHost *ph, const gchar *address)
{
	guint8 bytes[16];

	parse_address(address, bytes);
	push(&ph->host->addresses, bytes);
}

/* Most packets are of the flows made last. */
static WpId find_flow(PacketHost *ph, const PacketSpec *spec)
{
	WpFlow flow = {.protocol = spec->protocol,
		       .sport = spec->sport,
		       .dport = spec->dport,
		       .reverse = WP_NONE};

	if (spec->src) {
		flow.version = strchr(spec->src, ':') ? 6 : 4;
		parse_address(spec->src, flow.src);
		parse_address(spec->dst, flow.dst);
	} else {
		flow.sk = 0xffff0000u + spec->sport;
		flow.sport = flow.dport = 0;
	}
	for (guint64 f = ph->host->flows.n; f-- > 0;) {
		if (memcmp(wp_host_flow(ph->host, f), &flow, sizeof(flow)) == 0)
			return (WpId)f;
	}
	push(&ph->host->flows, &flow);
	return (WpId)(ph->host->flows.n - 1);
}

static void add(PacketHost *ph, WpTime time, const PacketSpec *spec, guint32 number, guint8 side)
{
	WpPacket packet = {.time = time,
			   .flow = find_flow(ph, spec),
			   .seq = spec->seq,
			   .ack = spec->ack,
			   .length = spec->length,
			   .vertex = WP_NONE,
			   .parent = WP_NONE,
			   .lag = number,
			   .ip_id = spec->id,
			   .tcp_flags = spec->flags,
			   .flags = side};

	if (spec->src && !strchr(spec->src, ':'))
		packet.flags |= WP_PACKET_HAS_ID;
	g_array_append_val(ph->packets, packet);
}

void packet_host_send(PacketHost *ph, WpTime time, const PacketSpec *spec, guint32 number)
{
	add(ph, time, spec, number, WP_PACKET_SEND);
}

void packet_host_receive(PacketHost *ph, WpTime time, const PacketSpec *spec, guint32 number)
{
	add(ph, time, spec, number, 0);
}

static gint compare_packets(gconstpointer a, gconstpointer b)
{
	const WpPacket *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

WpHost *packet_host_finish(PacketHost *ph, WpTime begin, WpTime end)
{
	WpHost *host = ph->host;

	/* Stable: those of one time stay in their order. */
	g_array_sort(ph->packets, compare_packets);
	for (guint i = 0; i < ph->packets->len; i++)
		push(&host->packets, &g_array_index(ph->packets, WpPacket, i));
	host->begin = begin;
	host->end = end;
	host->has_packets = TRUE;
	g_array_free(ph->packets, TRUE);
	g_free(ph);
	return host;
}

WpId packet_host_find(WpHost *host, guint32 number, gboolean sent)
{
	for (guint64 i = 0; i < host->packets.n; i++) {
		const WpPacket *packet = wp_host_packet(host, i);

		if (packet->lag == number && !!(packet->flags & WP_PACKET_SEND) == sent)
			return (WpId)i;
	}
	return WP_NONE;
}

guint32 packet_graph_match(const WpGraph *graph, guint host, guint32 number)
{
	const WpId id = packet_host_find(graph->hosts[host], number, FALSE);
	const WpMatch *match;

	g_assert_cmpuint(id, !=, WP_NONE);
	match = &WP_AT(&graph->joins[host].matches, WpMatch, id);
	if (match->host == WP_NONE)
		return 0;
	return wp_host_packet(graph->hosts[match->host], match->packet)->lag;
}
