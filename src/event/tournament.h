/* SPDX-License-Identifier: MIT */
/*
 * tournament.h: which of many streams has the earliest next event, kept by a tournament.
 *
 * Each stream is a leaf of a binary tree, and each node above holds the loser of the match
 * between the winners of its two halves (Knuth, The Art of Computer Programming, vol. 3,
 * 5.4.1, "tree of losers"). When the winner gets a later event it plays again against the
 * losers on its way up, and nobody else.
 *
 * What plays is a *key*: the time since a base and, in its lowest bits, the number of the leaf,
 * which also decides between equal times. So a match is a minimum and a maximum of two words,
 * without a branch that a processor would have to guess, which with streams that take turns is
 * wrong half the time. Times too far from the base for the bits that are left have all the same
 * time; when one of these wins the base is moved (wp_tournament_play()).
 */
#ifndef WP_EVENT_TOURNAMENT_H
#define WP_EVENT_TOURNAMENT_H

#include "base/types.h"

G_BEGIN_DECLS

typedef struct {
	guint64 *losers; /* owned: keys, by node; the root is 1 */
	guint64 winner; /* key */
	WpTime base; /* no time is before it */
	guint64 far; /* times so long after the base, or longer, are not told apart */
	guint32 n_leaves; /* a power of two */
	guint bits; /* of a key, for the leaf */
} WpTournament;

/* For at least n leaves; to be played first. */
void wp_tournament_init(WpTournament *tournament, guint32 n);
void wp_tournament_clear(WpTournament *tournament);
/* Plays all matches anew; keys: of the n_leaves leaves. */
void wp_tournament_play(WpTournament *tournament, const guint64 *keys);

static inline guint32 wp_tournament_winner(const WpTournament *tournament)
{
	return (guint32)tournament->winner & (tournament->n_leaves - 1);
}

static inline gboolean wp_tournament_is_far(const WpTournament *tournament)
{
	return tournament->winner >= tournament->far << tournament->bits;
}

static inline guint64 wp_tournament_key(const WpTournament *tournament, guint32 leaf, WpTime time)
{
	const guint64 since = (guint64)time - (guint64)tournament->base;

	return MIN(since, tournament->far) << tournament->bits | leaf;
}

/* Of a leaf that has no more events: behind all times. */
static inline guint64 wp_tournament_never(const WpTournament *tournament, guint32 leaf)
{
	return (tournament->far + 1) << tournament->bits | leaf;
}

/* The winner's key is this from now on. */
static inline void wp_tournament_set_winner(WpTournament *tournament, guint64 key)
{
	guint64 *const losers = tournament->losers;

	for (guint32 at = (tournament->n_leaves | wp_tournament_winner(tournament)) / 2; at > 0;
	     at /= 2) {
		const guint64 other = losers[at];

		losers[at] = MAX(key, other);
		key = MIN(key, other);
	}
	tournament->winner = key;
}

/* The time before which the winner still wins: for one who has many early events in a row. */
static inline WpTime wp_tournament_until(const WpTournament *tournament)
{
	const guint32 winner = wp_tournament_winner(tournament);
	guint64 limit = tournament->far << tournament->bits, since;

	for (guint32 at = (tournament->n_leaves | winner) / 2; at > 0; at /= 2)
		limit = MIN(limit, tournament->losers[at]);
	/* With the time of the limit the winner still wins if its number is the lower one. */
	since = (limit - winner + tournament->n_leaves - 1) >> tournament->bits;
	return (WpTime)((guint64)tournament->base +
			MIN(since, (guint64)WP_TIME_MAX - (guint64)tournament->base));
}

G_END_DECLS

#endif
