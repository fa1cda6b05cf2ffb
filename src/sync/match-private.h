/* SPDX-License-Identifier: MIT */
/* match-private.h: what the parts of the matcher share. */
#ifndef WP_SYNC_MATCH_PRIVATE_H
#define WP_SYNC_MATCH_PRIVATE_H

#include "base/intmap.h"
#include "sync/match.h"
#include "sync/send-index.h"

G_BEGIN_DECLS

/* A flow of one host, in a group of equal ones. */
typedef struct {
	guint64 hash;
	guint32 host;
	WpId flow;
} WpFlowMember;

typedef struct {
	guint32 first, n; /* members */
	guint32 n_ranges, n_keys; /* entries that all sends take in the index */
	guint32 n_receives;
	guint32 n_proved; /* matches by IPv4 id */
	guint32 receiver; /* host that receives what others send, WP_NONE */
	guint32 batch; /* in which its sends are in the index, 0: in none so far */
	guint32 src_owner; /* host that has the sender's address, WP_NONE, WP_ADDRESS_SHARED */
	gboolean open; /* has doubtful matches */
	gboolean aliased; /* is the senders of some alias */
	WpSendRegion region;
} WpFlowGroup;

/* What one group sent arrives as the other: addresses were translated between. */
typedef struct {
	guint32 senders, receivers;
} WpFlowAlias;

typedef struct {
	WpColumn notes; /* guint8, one a packet */
	guint32 *n_sends; /* owned: by flow */
	guint32 *n_ranges, *n_keys; /* owned: by flow, entries that these take in the index */
	guint32 *n_receives; /* owned: by flow */
	guint32 *group; /* owned: by flow */
	/* of datagrams that only their order tells apart, by flow and length: */
	WpIntMap n_counted; /* receives */
	WpIntMap n_seen; /* of these, matched so far */
} WpHostPackets;

struct WpMatcher {
	WpGraph *graph; /* borrowed */
	const WpAddresses *addresses; /* borrowed */
	guint32 slice; /* entries in the index at a time */
	WpHostPackets *packets; /* owned: one a host */
	GArray *members; /* owned: WpFlowMember by group */
	GArray *groups; /* owned: WpFlowGroup */
	GArray *aliases; /* owned: WpFlowAlias, by receivers */
	WpSendIndex index;
	guint32 batch; /* whose groups are in the index now */
};

static inline guint8 *wp_matcher_note(const WpMatcher *matcher, guint host, WpId packet)
{
	return &WP_AT(&matcher->packets[host].notes, guint8, packet);
}

static inline WpMatch *wp_matcher_match(const WpMatcher *matcher, guint host, WpId packet)
{
	return &WP_AT(&matcher->graph->joins[host].matches, WpMatch, packet);
}

static inline WpFlowGroup *wp_matcher_group(const WpMatcher *matcher, guint32 group)
{
	return &g_array_index(matcher->groups, WpFlowGroup, group);
}

/* What is looked for when all packets are gone through. */
typedef struct {
	gboolean second; /* round: by the clocks */
	gboolean final; /* there will be no other */
	gboolean aliases; /* between translated flows */
	guint64 n_before; /* counted: doubtful ones known to have been sent before */
	WpCancel *cancellable; /* borrowed, NULL */
} WpMatchPass;

/* A received packet to be matched with what a group sent. */
typedef struct {
	WpMatcher *matcher; /* borrowed */
	WpMatchPass *pass; /* borrowed */
	WpFlowGroup *senders, *receivers; /* borrowed */
	gboolean sliced; /* the index holds a part of the sends */
	guint32 host;
	WpId id;
	const WpFlow *flow; /* borrowed */
	const WpPacket *packet; /* borrowed */
} WpReceive;

/* Looks one packet up (match-packet.c). */
void wp_matcher_match_packet(const WpReceive *receive);
/* Datagrams without an id are told apart by their order alone. */
gboolean wp_packet_is_counted(const WpFlow *flow, const WpPacket *packet);
guint64 wp_counted_key(const WpPacket *packet);

/* Finds translated flows: TCP packets that nobody else can have sent, by numbers alone. */
void wp_matcher_find_aliases(WpMatcher *matcher);

G_END_DECLS

#endif
