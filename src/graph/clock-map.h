/* SPDX-License-Identifier: MIT */
/*
 * clock-map.h: how one host's clock relates to the reference clock: an offset
 * and an error bound at every time, linear between knots.
 *
 * The map is exact in integers (128-bit intermediate), the same for the same
 * timestamp always, and non-decreasing; where its slope is below one some
 * neighbouring nanoseconds coincide. Immutable once made.
 */
#ifndef WP_GRAPH_CLOCK_MAP_H
#define WP_GRAPH_CLOCK_MAP_H

#include "base/types.h"

G_BEGIN_DECLS

typedef struct {
	WpTime host; /* host time of the knot */
	WpTime offset; /* reference time minus host time there, ns */
	WpTime bound; /* the true offset lies within +- this, ns */
} WpClockKnot;

typedef struct WpClockMap WpClockMap;

/*
 * knots (copied) with increasing host times; no knots: the identity with bound
 * 0. Before the first and behind the last knot the map goes on with the slope of
 * the nearest interval, and the bound grows by growth parts in 10^9 of the distance.
 */
WpClockMap *wp_clock_map_new(const WpClockKnot *knots, guint n_knots, gint64 growth_ppb);
WpClockMap *wp_clock_map_dup(const WpClockMap *map);
void wp_clock_map_free(WpClockMap *map);

gboolean wp_clock_map_is_identity(const WpClockMap *map);
WpTime wp_clock_map_apply(const WpClockMap *map, WpTime host_time);
/*
 * The same, quicker for times that come one near the other: *place, 0 at first, is where the
 * time before was found.
 */
WpTime wp_clock_map_apply_near(const WpClockMap *map, WpTime host_time, guint *place);
/* The smallest host time whose image is not before reference_time. */
WpTime wp_clock_map_invert(const WpClockMap *map, WpTime reference_time);
WpTime wp_clock_map_bound(const WpClockMap *map, WpTime host_time);
const WpClockKnot *wp_clock_map_get_knots(const WpClockMap *map, guint *ret_n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpClockMap, wp_clock_map_free)

G_END_DECLS

#endif
