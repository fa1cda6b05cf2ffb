/* SPDX-License-Identifier: MIT */
/*
 * island.h: the clocks of hosts that packets join, solved together.
 *
 * The solution is a table: row k has a time of each host's clock, all of them one moment,
 * and the clocks run evenly from row to row. Which host is looked from makes no difference
 * to it. For every two hosts and row there is a bound: how far the two times may be from
 * one moment; between rows it is linear too.
 *
 * Rows are put where the envelopes of the pairs bend. At each the constraints of all pairs
 * are closed (closure.h), so that every pair tightens every other, and the middle of what
 * they leave open is taken.
 */
#ifndef WP_SYNC_ISLAND_H
#define WP_SYNC_ISLAND_H

#include "base/cancel.h"
#include "graph/clock-map.h"
#include "sync/pair.h"
#include "sync/steps.h"

G_BEGIN_DECLS

/* What joins two members. */
typedef struct {
	guint i, j;
	WpPair *pair; /* borrowed; NULL: by the user's word */
	gint64 offset; /* by the user's word: j's time minus i's */
	gboolean dropped; /* contradicts what the others say together */
} WpEdge;

typedef struct {
	guint n; /* members */
	guint *hosts; /* owned: their numbers */
	WpTime *begin, *end; /* owned: of their traces */
	GArray *edges; /* owned: WpEdge */
	gint64 rate; /* that bounds grow at outside, units of 2^-WP_RATE_SHIFT */
	guint n_rows;
	WpTime *times; /* owned: n_rows * n */
	gfloat *bounds; /* owned: n_rows * n * (n - 1) / 2, ns */
} WpIsland;

/* Half of what is left open on a side of which nothing is known. */
#define WP_BOUND_ONE_WAY WP_NS_PER_S

WpIsland *wp_island_new(void);
void wp_island_free(WpIsland *island);
/* The member's number. */
guint wp_island_add_host(WpIsland *island, guint host, WpTime begin, WpTime end);
void wp_island_add_pair(WpIsland *island, guint i, guint j, WpPair *pair);
void wp_island_add_fixed(WpIsland *island, guint i, guint j, gint64 offset);
gboolean wp_island_is_joined(const WpIsland *island);
/*
 * All members must be joined. Marks as contradictory (in edge and pair) what can't hold
 * beside all the rest. Fails only when cancelled.
 */
gboolean wp_island_solve(WpIsland *island, WpCancel *cancellable, GError **error);
/*
 * Puts the solution of the time behind a step, of the same hosts, behind that of the time before
 * it. cuts: by member; the clocks between are as before or as after, and the bound covers both.
 */
void wp_island_append(WpIsland *island, const WpIsland *next, const WpCut *cuts);
/* A member's clock to that of another one. The caller owns it. */
WpClockMap *wp_island_map(const WpIsland *island, guint member, guint reference);
/* How far two members may be off at a time of a third one's clock. */
WpTime wp_island_bound(const WpIsland *island, guint i, guint j, guint reference, WpTime time);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpIsland, wp_island_free)

G_END_DECLS

#endif
