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

#include "base/cancel.h"
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

/* What is noted of a packet is a byte: of a received one its WpEvidence and flags, of a send flags. */
#define WP_NOTE_EVIDENCE 0x07u
#define WP_NOTE_SEND 0x10u
#define WP_NOTE_OPEN 0x20u /* received: sent by one of several hosts */
#define WP_NOTE_PROVED 0x40u /* received: the IPv4 ids of it and its match agree */
#define WP_NOTE_RECEIVED 0x80u /* sent: and received by a traced host */

typedef struct WpMatcher WpMatcher;

/* graph (borrowed): its joins' matches are filled. slice: entries indexed at a time, 0: a good number. */
WpMatcher *wp_matcher_new(WpGraph *graph, const WpAddresses *addresses, guint32 slice);
void wp_matcher_free(WpMatcher *matcher);
/* The first round. Fails when cancelled or out of memory. */
gboolean wp_matcher_run(WpMatcher *matcher, WpCancel *cancellable, GError **error);
/*
 * The second round, by the graph's clock maps; it may be run again when these are better,
 * the last time as the final one. *ret_n is the number of doubtful matches that are now
 * known to have been sent before they were received.
 */
gboolean wp_matcher_resolve(WpMatcher *matcher, gboolean final, guint64 *ret_n,
			    WpCancel *cancellable, GError **error);
/* The notes of a host's packets: guint8, one each. Borrowed. */
const WpColumn *wp_matcher_get_notes(const WpMatcher *matcher, guint host);

static inline WpEvidence wp_note_evidence(guint8 note)
{
	return (WpEvidence)(note & WP_NOTE_EVIDENCE);
}

/*
 * Goes through those of a host's packets whose notes are as asked, by blocks. Sends and receives
 * follow each other as they like, so that a branch on which of the two a packet is would often be
 * guessed wrongly: of a block it is found out without one, and for several packets at once.
 */
#define WP_PICK_BLOCK 64u /* packets; a chunk of a column is a whole number of blocks */

typedef struct {
	const WpMatcher *matcher; /* borrowed */
	guint host;
	guint8 mask, value; /* wanted are notes that are this value under the mask */
	gboolean ahead; /* the sends that are matched are asked for ahead */
	guint64 next, end; /* packets not yet looked at */
	WpId first; /* of the present block */
	guint64 wanted; /* those of the block that are still to come, a bit each */
} WpPick;

/*
 * What is picked is found out a block ahead, so no note under the mask may change meanwhile but
 * those of packets that were picked. ahead: for who looks at the sends that packets match, which
 * lie all over the memory of the other hosts.
 */
void wp_pick_init(WpPick *pick, const WpMatcher *matcher, guint host, guint8 mask, guint8 value,
		  gboolean ahead);
/* Goes to the next block in which some are picked; FALSE: there is none. */
gboolean wp_pick_block(WpPick *pick);

/* The next packet, in their order. FALSE at the end, and of a pick that is all zero. */
static inline gboolean wp_pick_next(WpPick *pick, WpId *ret_id)
{
	if (!pick->wanted && !wp_pick_block(pick))
		return FALSE;
	*ret_id = pick->first + (guint)__builtin_ctzll(pick->wanted);
	pick->wanted &= pick->wanted - 1;
	return TRUE;
}

/* A match that can't be: the packet is then of no traced send. */
void wp_matcher_drop(WpMatcher *matcher, guint host, WpId packet);
/* The traced host at the other end of a flow of a host, or WP_NONE: by address, or by who received. */
guint32 wp_matcher_peer(const WpMatcher *matcher, guint host, WpId flow);
/* Entries of indexes looked at so far: the cost, for tests. */
guint64 wp_matcher_n_steps(const WpMatcher *matcher);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpMatcher, wp_matcher_free)

G_END_DECLS

#endif
