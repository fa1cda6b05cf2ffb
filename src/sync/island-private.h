/* SPDX-License-Identifier: MIT */
/* island-private.h: the steps of solving an island. */
#ifndef WP_SYNC_ISLAND_PRIVATE_H
#define WP_SYNC_ISLAND_PRIVATE_H

#include "sync/island.h"

G_BEGIN_DECLS

/*
 * A tree over the members, along the pairs that know most: what is taken for one moment
 * before the constraints of all pairs are put together.
 */
typedef struct {
	const WpIsland *island; /* borrowed */
	guint *order; /* owned: members, parents before children; 0 is the root */
	guint *parent; /* owned: by member */
	const WpEdge **edge; /* owned: by member, the edge to its parent (borrowed) */
} WpIslandTree;

/* FALSE when the edges that are not dropped do not join all members. */
gboolean wp_island_tree_init(WpIslandTree *tree, const WpIsland *island);
void wp_island_tree_clear(WpIslandTree *tree);
/* The root's time at a time of a member. */
WpTime wp_island_tree_to_root(const WpIslandTree *tree, guint member, WpTime time);
/* Fills a row of times, one a member, from a time of the root. */
void wp_island_tree_row(const WpIslandTree *tree, WpTime root, WpTime *ret_row);

/*
 * The rows (owned WpTime *, sorted; at most max), put so that the envelopes of all edges
 * are nearly straight between them and all traces are covered. NULL when cancelled.
 */
GPtrArray *wp_island_rows(const WpIslandTree *tree, guint max, WpCancel *cancellable,
			  GError **error);

/*
 * How far cones over thinned points rise above the straight line between their values at
 * two times, at most; ret_far: the same up or down, and ret_at where (may both be NULL).
 */
gint64 wp_island_bulge(const GArray *points, gint64 rate, gint64 begin, gint64 end, gint64 *ret_far,
		       gint64 *ret_at);

G_END_DECLS

#endif
