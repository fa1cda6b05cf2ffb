/* SPDX-License-Identifier: MIT */
/*
 * packet-host.h: hosts that hold nothing but packets, written by hand or made at random.
 *
 * Packets may be added in any order; finishing sorts them by time. Each has a number by
 * which it is found again, kept where its `lag` is.
 */
#ifndef WP_TESTS_PACKET_HOST_H
#define WP_TESTS_PACKET_HOST_H

#include "graph/graph.h"

G_BEGIN_DECLS

#define PACKET_TCP 6
#define PACKET_UDP 17
#define PACKET_ICMP 1
#define PACKET_SYN 2u
#define PACKET_FIN 1u
#define PACKET_PSH 8u
#define PACKET_ACK 16u

typedef struct {
	WpHost *host; /* owned until finished */
	GArray *packets; /* owned: WpPacket */
} PacketHost;

/* Everything of a packet but its time and its side. */
typedef struct {
	guint8 protocol;
	const gchar *src, *dst; /* addresses as text; NULL: a socket without addresses */
	guint16 sport, dport;
	guint32 seq, ack, length;
	guint16 id; /* 0: none */
	guint8 flags;
} PacketSpec;

PacketHost *packet_host_new(const gchar *name, const gchar *address);
void packet_host_add_address(PacketHost *ph, const gchar *address);
/* number: by which the packet is found again, above 0. */
void packet_host_send(PacketHost *ph, WpTime time, const PacketSpec *spec, guint32 number);
void packet_host_receive(PacketHost *ph, WpTime time, const PacketSpec *spec, guint32 number);
/* Sorts; the host's trace is from begin to end. Frees all but the host, which it gives up. */
WpHost *packet_host_finish(PacketHost *ph, WpTime begin, WpTime end);

/* The packet with a number, received or sent; WP_NONE. */
WpId packet_host_find(WpHost *host, guint32 number, gboolean sent);
/* The number of the send that a received packet was matched with, 0 for none. */
guint32 packet_graph_match(const WpGraph *graph, guint host, guint32 number);

G_END_DECLS

#endif
