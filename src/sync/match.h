/* SPDX-License-Identifier: MIT */
/*
 * match.h: which send each received packet is of.
 *
 * Hosts are in clocks of their own, hours apart, so time can't tell at first. The first
 * round matches by what the packets hold alone: what is unique is certain, and of several
 * candidates the earliest makes a delay longer, never impossible. When the clocks are
 * known, the second round gives the doubtful ones the nearest earlier send.
 *
 * Equal flows of all hosts form a group. The sends of as many groups as fit are put into an
 * index (send-index.h); then what each host received is looked up in the order in which it
 * came. So all is read from one end to the other, and the memory beside the packets' own
 * is bounded.
 */
#ifndef WP_SYNC_MATCH_H
#define WP_SYNC_MATCH_H

#include <gio/gio.h>

#include "graph/graph.h"
#include "sync/addresses.h"

G_BEGIN_DECLS

/* How sure a match is, from best to worst. */
typedef enum {
	WP_EVIDENCE_NONE,
	WP_EVIDENCE_LOCAL, /* sent on the same host: no clocks are between */
	WP_EVIDENCE_UNIQUE, /* no other send could it be */
	WP_EVIDENCE_BEFORE, /* one of several, known to have been sent before it was received */
	WP_EVIDENCE_GUESS, /* one of several */
	WP_EVIDENCE_WEAK /* the only one, but for its IPv4 id */
} WpEvidence;

typedef struct WpMatcher WpMatcher;

/* graph (borrowed): its joins' matches are filled. slice: entries indexed at a time, 0: a good number. */
WpMatcher *wp_matcher_new(WpGraph *graph, const WpAddresses *addresses, guint32 slice);
void wp_matcher_free(WpMatcher *matcher);
/* The first round. Fails when cancelled or out of memory. */
gboolean wp_matcher_run(WpMatcher *matcher, GCancellable *cancellable, GError **error);
/*
 * The second round, by the graph's clock maps; it may be run again when these are better,
 * the last time as the final one. *ret_n is the number of doubtful matches that are now
 * known to have been sent before they were received.
 */
gboolean wp_matcher_resolve(WpMatcher *matcher, gboolean final, guint64 *ret_n,
			    GCancellable *cancellable, GError **error);
/* Of a received packet. */
WpEvidence wp_matcher_evidence(const WpMatcher *matcher, guint host, WpId packet);
/* The IPv4 ids of a received packet and its match agree. */
gboolean wp_matcher_is_proved(const WpMatcher *matcher, guint host, WpId packet);
/* Whether a send was received by a traced host. */
gboolean wp_matcher_is_received(const WpMatcher *matcher, guint host, WpId packet);
/* A match that can't be: the packet is then of no traced send. */
void wp_matcher_drop(WpMatcher *matcher, guint host, WpId packet);
/* The traced host at the other end of a flow of a host, or WP_NONE: by address, or by who received. */
guint32 wp_matcher_peer(const WpMatcher *matcher, guint host, WpId flow);
/* Entries of indexes looked at so far: the cost, for tests. */
guint64 wp_matcher_n_steps(const WpMatcher *matcher);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpMatcher, wp_matcher_free)

G_END_DECLS

#endif
