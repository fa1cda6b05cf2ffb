/* SPDX-License-Identifier: MIT */
/*
 * send-index.h: sends, flow by flow, to be looked up by what is received.
 *
 * TCP data is found by byte: `ranges` holds the sends of a flow by their first byte, each
 * with the furthest end of all up to it, so that a look-up walks back only over sends that
 * may hold the byte. Sequence numbers are 32 bits: they are kept with 2^32 added, and a
 * range that runs over the end is held twice. All else is found by a key of two words:
 * `keys`, by key, then host and packet, so that the sends of one key are in the order of
 * time. Each flow has a region of both arrays.
 */
#ifndef WP_SYNC_SEND_INDEX_H
#define WP_SYNC_SEND_INDEX_H

#include "graph/host.h"

G_BEGIN_DECLS

/* WpFlow.protocol */
#define WP_PROTOCOL_ICMP 1
#define WP_PROTOCOL_TCP 6
#define WP_PROTOCOL_ICMPV6 58

typedef struct {
	guint64 a, b; /* the key; ranges: first byte, and the furthest end so far */
	guint32 host;
	WpId packet;
	guint32 length; /* ranges: bytes */
	guint16 ip_id; /* 0: none */
} WpSend;

/* Entries of one flow. */
typedef struct {
	guint32 first_range, n_ranges;
	guint32 first_key, n_keys;
	guint32 hint; /* range that was found last: receives come in the order of sends */
} WpSendRegion;

/* A look-up yields so many at most. */
#define WP_FOUND_MAX 64u

typedef struct {
	WpSend *ranges, *keys; /* borrowed from the blocks */
	WpBlock range_block, key_block;
	guint32 max_ranges, max_keys; /* allocated */
	guint32 n_found;
	WpSend found[WP_FOUND_MAX]; /* of the latest look-up */
	guint64 n_steps; /* entries looked at, ever: what tests of the cost count */
} WpSendIndex;

/* The sends that a receive may be of: by host, then in the order of time. */
typedef struct {
	const WpSend *sends; /* borrowed from the index, good until the next look-up */
	guint n;
	gboolean proved; /* their IPv4 ids fit */
	gboolean mismatch; /* both sides have ids, and none fits */
} WpSendRun;

void wp_send_index_init(WpSendIndex *index);
void wp_send_index_clear(WpSendIndex *index);
/*
 * Makes room for so many entries; all regions are forgotten. memory, which may be NULL: of which it
 * is. FALSE with WP_ERROR_LIMIT or _FAILED when memory or disk is out.
 */
gboolean wp_send_index_reserve(WpSendIndex *index, guint32 n_ranges, guint32 n_keys,
			       WpMemory *memory, GError **error);
/* How many entries a send takes. */
void wp_send_index_count(const WpFlow *flow, const WpPacket *send, guint32 *ret_n_ranges,
			 guint32 *ret_n_keys);
/* Adds a send to a region, which must have room behind its last entry. */
void wp_send_index_add(WpSendIndex *index, WpSendRegion *region, guint host, WpId id,
		       const WpFlow *flow, const WpPacket *send);
/* After the last addition, before the first look-up. */
void wp_send_index_sort(WpSendIndex *index, WpSendRegion *region);
/* What a received packet (of whatever flow) may have been sent by; of very many, a part. */
WpSendRun wp_send_index_find(WpSendIndex *index, WpSendRegion *region, const WpFlow *flow,
			     const WpPacket *receive);
/*
 * Calls func for the sends of the same host whose bytes a receive holds in front of
 * those of the send that it matches: what the receiver merged.
 */
void wp_send_index_foreach_merged(WpSendIndex *index, WpSendRegion *region, const WpFlow *flow,
				  const WpPacket *receive, const WpSend *match,
				  void (*func)(gpointer data, guint host, WpId packet),
				  gpointer data);

/* A packet's IPv4 id where it says something: 0 is what the kernel writes when it has none. */
static inline gboolean wp_packet_has_id(const WpPacket *packet)
{
	return (packet->flags & WP_PACKET_HAS_ID) != 0 && packet->ip_id != 0;
}

G_END_DECLS

#endif
