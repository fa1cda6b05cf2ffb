/* SPDX-License-Identifier: MIT */
/*
 * tournament.h: which of many streams has the earliest next event, kept by a tournament.
 *
 * Each stream is a leaf of a binary tree, and each node above holds the loser of the match
 * between the winners of its two halves (Knuth, The Art of Computer Programming, vol. 3,
 * 5.4.1, "tree of losers"). When the winner gets a later event it plays again against the
 * losers on its way up, and nobody else: one comparison a level, without a branch that a
 * processor would have to guess, which with streams that take turns is wrong half the time.
 */
#ifndef WP_EVENT_TOURNAMENT_H
#define WP_EVENT_TOURNAMENT_H

#include "base/types.h"

G_BEGIN_DECLS

/* Of a stream that has no more events; all times of events are less than it. */
#define WP_TOURNAMENT_NEVER (WP_TIME_MAX - 1)

typedef struct {
	WpTime *times; /* owned: of each leaf */
	guint32 *losers; /* owned: leaves, by node; the root is 1 */
	guint32 n_leaves; /* a power of two */
	guint32 winner; /* the leaf with the least time; of several, the lowest */
} WpTournament;

/* All leaves have WP_TOURNAMENT_NEVER; at least n of them. */
void wp_tournament_init(WpTournament *tournament, guint32 n);
void wp_tournament_clear(WpTournament *tournament);
/* Plays all matches, when times was written to. */
void wp_tournament_play(WpTournament *tournament);

/* The winner's time is this from now on. */
static inline void wp_tournament_set_winner_time(WpTournament *tournament, WpTime time)
{
	WpTime *const times = tournament->times;
	guint32 *const losers = tournament->losers, leaf = tournament->winner;

	times[leaf] = time;
	for (guint32 at = tournament->n_leaves + leaf; at > 1; at /= 2) {
		const guint32 other = losers[at / 2];
		const WpTime other_time = times[other];
		/* Of two that are equal the left one wins: whoever comes from an odd node loses. */
		const guint32 lost = other_time < time + (WpTime)(at & 1);
		/* All bits, or none: compilers make branches of what is written as a choice. */
		const guint32 swap = (leaf ^ other) & -lost;
		const guint64 swap_time = ((guint64)time ^ (guint64)other_time) & -(guint64)lost;

		losers[at / 2] = other ^ swap;
		leaf ^= swap;
		time = (WpTime)((guint64)time ^ swap_time);
	}
	tournament->winner = leaf;
}

/* The latest time with which the winner would still win: for one who has many early events in a row. */
static inline WpTime wp_tournament_get_limit(const WpTournament *tournament)
{
	WpTime limit = WP_TOURNAMENT_NEVER;

	/* The winner won on the way up, from an odd node only by being earlier: nothing underflows. */
	for (guint32 at = tournament->n_leaves + tournament->winner; at > 1; at /= 2)
		limit = MIN(limit,
			    tournament->times[tournament->losers[at / 2]] - (WpTime)(at & 1));
	return limit;
}

G_END_DECLS

#endif
