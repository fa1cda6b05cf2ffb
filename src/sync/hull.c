/* SPDX-License-Identifier: MIT */
/*
 * hull.c: convex hulls and the lines between them.
 *
 * For a slope k let g(k) be how far the upper side's lowest line of that slope lies above
 * the lower side's highest: it is concave, and a line of slope k fits where g(k) >= 0. The
 * steepest is found by Newton's method from the steep end: each step takes the pair
 * of corners that k overlaps most to the slope at which this pair just touches. All is in
 * whole numbers: values are below 2^61, slopes fractions of numbers below 2^62.
 */
#include "config.h"

#include "sync/hull.h"

typedef __int128 Wide;

/* The turn from a by b to c: below 0 when b lies above the line from a to c. */
static Wide turn(const WpPoint *a, const WpPoint *b, const WpPoint *c)
{
	return (Wide)(b->t - a->t) * (c->v - a->v) - (Wide)(c->t - a->t) * (b->v - a->v);
}

GArray *wp_hull_new(const GArray *points)
{
	GArray *hull = g_array_new(FALSE, FALSE, sizeof(WpPoint));

	for (guint i = 0; i < points->len; i++) {
		const WpPoint *point = &g_array_index(points, WpPoint, i);

		while (hull->len >= 2 &&
		       turn(&g_array_index(hull, WpPoint, hull->len - 2),
			    &g_array_index(hull, WpPoint, hull->len - 1), point) <= 0)
			g_array_set_size(hull, hull->len - 1);
		g_array_append_vals(hull, point, 1);
	}
	return hull;
}

/* The corner that the lowest line of slope rise/run touches. */
static const WpPoint *touched(const GArray *hull, gint64 rise, gint64 run)
{
	guint low = 0, high = hull->len - 1;

	/* The first corner whose edge to the right is steeper than the line. */
	while (low < high) {
		const guint middle = low + (high - low) / 2;
		const WpPoint *a = &g_array_index(hull, WpPoint, middle), *b = a + 1;

		if ((Wide)(b->v - a->v) * run < (Wide)(b->t - a->t) * rise)
			low = middle + 1;
		else
			high = middle;
	}
	return &g_array_index(hull, WpPoint, low);
}

/*
 * One end of the slopes that fit; sign 1: the steepest, -1: the flattest (mirrored in time,
 * so that it is the steepest of the mirror image).
 */
static gboolean find_end(const GArray *upper, const GArray *lower, gint sign, WpSlope *ret_slope)
{
	WpSlope slope = {WP_RATE_LIMIT * sign, WP_RATE_ONE};

	while (upper->len && lower->len) {
		const WpPoint *u = touched(upper, slope.rise, slope.run);
		const WpPoint *l = touched(lower, -slope.rise, slope.run);
		const Wide gap = (Wide)(u->v + l->v) * slope.run - (Wide)(u->t - l->t) * slope.rise;
		const gint64 run = sign * (u->t - l->t);

		if (gap >= 0)
			break;
		/* No slope on this side of the present one helps this pair. */
		if (run <= 0)
			return FALSE;
		slope.rise = sign * (u->v + l->v);
		slope.run = run;
	}
	*ret_slope = slope;
	return TRUE;
}

gboolean wp_hull_slopes(const GArray *upper, const GArray *lower, WpSlope *ret_min,
			WpSlope *ret_max)
{
	const Wide limit = (Wide)WP_RATE_LIMIT;
	WpSlope min, max;

	if (!find_end(upper, lower, 1, &max) || !find_end(upper, lower, -1, &min))
		return FALSE;
	/* Lines that fit may all be steeper, or flatter, than clocks can be. */
	if (((Wide)max.rise * WP_RATE_ONE) < -limit * max.run ||
	    ((Wide)min.rise * WP_RATE_ONE) > limit * min.run)
		return FALSE;
	*ret_min = min;
	*ret_max = max;
	return TRUE;
}

gint64 wp_hull_widest(const GArray *upper, const GArray *lower)
{
	gint64 low = -WP_RATE_LIMIT, high = WP_RATE_LIMIT;

	if (!upper->len || !lower->len)
		return 0;
	while (low < high) {
		const gint64 middle = low + ((high - low) >> 1);
		const WpPoint *u = touched(upper, middle, WP_RATE_ONE);
		const WpPoint *l = touched(lower, -middle, WP_RATE_ONE);

		/* The corridor grows with the slope while its upper corner is on the left. */
		if (u->t < l->t)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

gint64 wp_hull_edge(const GArray *hull)
{
	gint64 middle;
	guint i = 0;

	if (hull->len < 2)
		return 0;
	middle = (g_array_index(hull, WpPoint, 0).t +
		  g_array_index(hull, WpPoint, hull->len - 1).t) /
		 2;
	while (i + 2 < hull->len && g_array_index(hull, WpPoint, i + 1).t <= middle)
		i++;

	const WpPoint *a = &g_array_index(hull, WpPoint, i), *b = a + 1;
	const WpSlope slope = {b->v - a->v, b->t - a->t};

	return CLAMP(wp_slope_to_rate(&slope), -WP_RATE_LIMIT, WP_RATE_LIMIT);
}

gint64 wp_slope_to_rate(const WpSlope *slope)
{
	return (gint64)(((Wide)slope->rise * WP_RATE_ONE) / slope->run);
}
