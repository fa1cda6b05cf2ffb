/* SPDX-License-Identifier: MIT */
/*
 * points.h: what the packets of one direction say about two clocks.
 *
 * The offset of clock B to clock A, as a function of A's time t, is at most v at the
 * t at which a packet left A (v: its reception on B minus t), and at least v at the t at
 * which a packet of B came to A. So that one code serves both sides, the points of the
 * second are kept with v negated: a point is always a ceiling.
 *
 * Clocks don't differ in rate by more than WP_RATE_LIMIT, so a point above the cone of that
 * slope over another one says nothing that the other does not. Only the points under all
 * cones are kept: none that could matter is lost, and far fewer remain than there are packets.
 */
#ifndef WP_SYNC_POINTS_H
#define WP_SYNC_POINTS_H

#include "base/types.h"

G_BEGIN_DECLS

/*
 * Rates and slopes are dimensionless, in units of 2^-40 (a millionth is about 1.1 million
 * units): over a day one unit is less than a tenth of a microsecond.
 */
#define WP_RATE_SHIFT 40
#define WP_RATE_ONE (G_GINT64_CONSTANT(1) << WP_RATE_SHIFT)
#define WP_RATE_PPM G_GINT64_CONSTANT(1099512)
/* What two clocks may differ by at all: one percent. */
#define WP_RATE_LIMIT (10000 * WP_RATE_PPM)
/* Times and values are kept within this of 0 (36 years). */
#define WP_POINT_MAX (G_GINT64_CONSTANT(1) << 60)

/*
 * Clocks are believed when they show less than this (109 years around the epoch): then no
 * difference of two times leaves 64 bits.
 */
#define WP_CLOCK_MAX (G_GINT64_CONSTANT(3) << 60)

static inline WpTime wp_clock_clamp(WpTime time)
{
	return CLAMP(time, -WP_CLOCK_MAX, WP_CLOCK_MAX);
}

/* A time and a difference, within these limits. */
static inline WpTime wp_clock_add(WpTime time, gint64 difference)
{
	const __int128 sum = (__int128)time + difference;

	return (WpTime)CLAMP(sum, (__int128)-WP_CLOCK_MAX, (__int128)WP_CLOCK_MAX);
}

typedef struct {
	gint64 t, v; /* ns */
} WpPoint;

typedef struct {
	GArray *kept; /* owned: WpPoint, sorted, under the cones of all others */
	WpPoint *fresh; /* owned: not yet looked at */
	guint n_fresh, max_fresh; /* in use, and allocated */
	guint64 n; /* points added */
	gint64 block; /* ns: only points of one such stretch of time are held against each other; 0: all */
	gboolean coarse; /* some that could matter were left out, there were too many */
} WpPoints;

void wp_points_init(WpPoints *points);
void wp_points_clear(WpPoints *points);
void wp_points_reset(WpPoints *points);
void wp_points_add(WpPoints *points, gint64 t, gint64 v);
/* After the last addition: `kept` is complete. */
void wp_points_finish(WpPoints *points);

/* How far a line of this slope (or a cone's side) is from its value at distance 0. */
static inline gint64 wp_rate_times(gint64 rate, gint64 distance)
{
	return (gint64)(((__int128)distance * rate) >> WP_RATE_SHIFT);
}

/* The number of points, sorted, that are not behind a time: the index of the first one that is. */
guint wp_points_behind(const GArray *points, gint64 t);
/* Sorts points by time and leaves only those under the cones of this rate of all others. */
void wp_points_thin(GArray *points, gint64 rate);
/*
 * The lowest of the cones of this rate over thinned points at a time, or G_MAXINT64
 * when there are none. Logarithmic.
 */
gint64 wp_points_ceiling(const GArray *points, gint64 rate, gint64 t);

G_END_DECLS

#endif
