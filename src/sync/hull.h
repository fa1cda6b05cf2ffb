/* SPDX-License-Identifier: MIT */
/*
 * hull.h: the lines that pass under all points of one side and above all of the other.
 *
 * After Poirier's hull method (LTTV): only the corners of the two convex hulls that face
 * each other can touch such a line. The steepest and the flattest of the lines bound the
 * difference in rate of the two clocks, as far as one line describes them.
 */
#ifndef WP_SYNC_HULL_H
#define WP_SYNC_HULL_H

#include "sync/points.h"

G_BEGIN_DECLS

/* A slope as a fraction; run is above 0. */
typedef struct {
	gint64 rise, run;
} WpSlope;

/* The lower convex hull of points sorted by time (none of one time). The caller owns it. */
GArray *wp_hull_new(const GArray *points);
/*
 * The flattest and the steepest slope, within +-WP_RATE_LIMIT, of the lines that pass
 * under the ceilings of one side and above those of the other, which are negated
 * (points.h). FALSE when there is no such line. Exact. Hulls may be empty.
 */
gboolean wp_hull_slopes(const GArray *upper, const GArray *lower, WpSlope *ret_min,
			WpSlope *ret_max);
/*
 * The slope (units of 2^-WP_RATE_SHIFT) that leaves the widest corridor between the two
 * sides, or where they cross overlaps them least.
 */
gint64 wp_hull_widest(const GArray *upper, const GArray *lower);
/* The slope (same units) of a hull's edge over the middle of its time; 0 for a single corner. */
gint64 wp_hull_edge(const GArray *hull);
gint64 wp_slope_to_rate(const WpSlope *slope);

G_END_DECLS

#endif
