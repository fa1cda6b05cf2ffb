/* SPDX-License-Identifier: MIT */
/* match-private.h: what match.c and match-nat.c share. */
#ifndef WP_SYNC_MATCH_PRIVATE_H
#define WP_SYNC_MATCH_PRIVATE_H

#include "sync/match.h"
#include "sync/send-index.h"

G_BEGIN_DECLS

/* A note is a byte a packet: of a received one its WpEvidence and flags, of a send a flag. */
#define WP_NOTE_EVIDENCE 0x07u
#define WP_NOTE_OPEN 0x20u /* received: sent by one of several hosts */
#define WP_NOTE_PROVED 0x40u /* received: the IPv4 ids agree */
#define WP_NOTE_RECEIVED 0x80u /* sent: and received by a traced host */

#define WP_ROLE_SENDS 1u
#define WP_ROLE_RECEIVES 2u

/* A flow of one host, in a group of equal ones. */
typedef struct {
	guint64 hash;
	guint32 host;
	WpId flow;
} WpFlowMember;

typedef struct {
	guint32 first, n; /* members */
	guint32 receiver; /* host that receives what others send, WP_NONE */
	gboolean open; /* has doubtful matches */
} WpFlowGroup;

/* What one group sent arrives as the other: addresses were translated between. */
typedef struct {
	guint32 senders, receivers;
} WpFlowAlias;

typedef struct {
	WpColumn order; /* WpId: the packets by flow, then time */
	WpColumn notes; /* guint8, one a packet */
	guint32 *first; /* owned: by flow, its first in order; one more at the end */
	guint32 *group; /* owned: by flow */
} WpHostPackets;

struct WpMatcher {
	WpGraph *graph; /* borrowed */
	const WpAddresses *addresses; /* borrowed */
	guint slice; /* sends indexed at a time */
	WpHostPackets *packets; /* owned: one a host */
	GArray *members; /* owned: WpFlowMember by group */
	GArray *groups; /* owned: WpFlowGroup */
	GArray *aliases; /* owned: WpFlowAlias */
	WpSendIndex index; /* of the group at work */
	guint8 *roles; /* owned: WP_ROLE_... by host, in the group at work */
};

/* Finds translated flows: TCP packets that nobody else can have sent, by numbers alone. */
void wp_matcher_find_aliases(WpMatcher *matcher);

G_END_DECLS

#endif
