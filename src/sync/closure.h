/* SPDX-License-Identifier: MIT */
/*
 * closure.h: difference constraints between many clocks, at one moment.
 *
 * Entry (i, j) of a matrix says that x_j - x_i is at most that, x_i being by how much clock
 * i is ahead of where it was put. Closing the matrix (Floyd and Warshall) lets every pair
 * tighten every other; constraints that can't all hold show as a cycle of negative
 * length.
 */
#ifndef WP_SYNC_CLOSURE_H
#define WP_SYNC_CLOSURE_H

#include <glib.h>

G_BEGIN_DECLS

/* Nothing is known. Sums of it stay out of the way of what is. */
#define WP_CLOSURE_FAR 1e30
/* Rounding to nanoseconds may break a tight cycle by this. */
#define WP_CLOSURE_TOLERANCE 4.0

/* All matrices are n * n, row by row; 0 on the diagonal. */
void wp_closure_reset(gdouble *matrix, guint n);
/* FALSE when there is a negative cycle (the matrix is then of no use). */
gboolean wp_closure_close(gdouble *matrix, guint n);
/*
 * Closes constraints over an interval at once: each has a value at its begin and one at
 * its end and is linear between, and so are the sums that replace them. What is shortest is
 * decided by the sum of both, so that all hold over the whole interval. sums is scratch.
 */
gboolean wp_closure_close_interval(gdouble *begin, gdouble *end, gdouble *sums, guint n);
/*
 * A solution that satisfies all constraints of a closed matrix, in the middle of what it
 * leaves open and the same whichever clock is looked from: of hosts with one component
 * number, which must bound each other on both sides.
 */
void wp_closure_middle(const gdouble *matrix, guint n, const guint *component, gdouble *ret_x);
/*
 * Of constraints that can't all hold, as they were before closing, the pair to blame: that
 * which takes part in most of the contradictory triangles; failing that, of one negative
 * cycle; of several the one with the least weight (n * n, symmetric; 0: not to be blamed).
 * FALSE when there is none.
 */
gboolean wp_closure_blame(const gdouble *matrix, guint n, const gdouble *weights, guint *ret_i,
			  guint *ret_j);

G_END_DECLS

#endif
