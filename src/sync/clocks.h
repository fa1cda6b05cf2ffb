/* SPDX-License-Identifier: MIT */
/*
 * clocks.h: all pairs and islands of a graph: from matches to clock maps.
 */
#ifndef WP_SYNC_CLOCKS_H
#define WP_SYNC_CLOCKS_H

#include "base/cancel.h"
#include "sync/island.h"
#include "sync/match.h"
#include "sync/steps.h"

G_BEGIN_DECLS

typedef struct {
	guint n; /* hosts */
	WpPair **pairs; /* owned: n * n, of (a, b) with a < b; NULL: no packets */
	GArray **cuts; /* owned: by host, WpCut; as many for all hosts of an island */
	GArray *steps; /* owned: WpStep, what the cuts are made from */
	WpPair ***parts; /* owned: the same as pairs, of the time before, between and after cuts */
	guint n_parts; /* 0: no clock was stepped */
	guint8 *best; /* owned: n * n, from and to: the evidence that is used, NULL at first */
	guint64 n_points; /* packets used */
	GPtrArray *islands; /* owned WpIsland *, of hosts that are joined */
	guint *island; /* owned: by host, in islands */
	guint *member; /* owned: by host, its number in its island */
	guint reference;
	gboolean placed; /* some hosts by the user's word */
} WpClocks;

WpClocks *wp_clocks_new(guint n);
void wp_clocks_free(WpClocks *clocks);
/* NULL when the two exchanged no packet that says something about their clocks. */
WpPair *wp_clocks_pair(const WpClocks *clocks, guint a, guint b);
/*
 * Finds the clocks from the matches and from offsets (by host: reference minus host, or
 * G_MININT64; may be NULL). May be called again when there are better matches.
 */
gboolean wp_clocks_solve(WpClocks *clocks, const WpGraph *graph, const WpMatcher *matcher,
			 guint reference, const gint64 *offsets, WpCancel *cancellable,
			 GError **error);
/* The map of a host on its own clock, with knots at both ends of its trace. */
WpClockMap *wp_clocks_own_map(const WpHost *host);
/* Sets the graph's maps and islands. */
void wp_clocks_apply(const WpClocks *clocks, WpGraph *graph);
/* A WpGraph's pair_bound; data is a WpClocks. */
WpTime wp_clocks_bound(gpointer data, guint a, guint b, WpTime time);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpClocks, wp_clocks_free)

G_END_DECLS

#endif
