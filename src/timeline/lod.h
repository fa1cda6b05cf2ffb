/* SPDX-License-Identifier: MIT */
/*
 * lod.h: level of detail: what a series looks like in a given number of pixel
 * columns, exactly, at a cost that depends on the columns and not on the segments.
 *
 * Every WP_LOD_BLOCK segments there is a checkpoint: the time, and how much time the
 * row has spent in each state until then. The time per state in a column is the
 * difference of two such sums, each a checkpoint and the part of one block.
 *
 * All times are on the series' clock (series.h).
 */
#ifndef WP_TIMELINE_LOD_H
#define WP_TIMELINE_LOD_H

#include "timeline/series.h"

G_BEGIN_DECLS

#define WP_LOD_BLOCK 32

typedef struct WpLod WpLod;

typedef struct {
	/*
	 * The state with most time in the column (of equals the first of WpState); in a
	 * column without width the one there. WP_SERIES_EMPTY only where no other is.
	 */
	guint8 state;
	guint8 flags; /* WP_LOD_... */
} WpLodColumn;

#define WP_LOD_MIXED 1u /* the column holds more than one state */
#define WP_LOD_DENSE                                                                               \
	2u /* more segments begin in the column than a pixel can show: three or more               \
	    */

/* Columns of equal looks, next to each other. */
typedef struct {
	guint32 first, end; /* columns */
	guint8 state;
	guint8 flags;
} WpLodRun;

/* What a query took, for tests and the benchmark. */
typedef struct {
	guint64 blocks_read; /* of WP_LOD_BLOCK segments */
	guint64 steps; /* of searches for a checkpoint */
} WpLodCost;

/*
 * Takes the series. Linear in its segments. NULL with WP_ERROR_CANCELLED, or
 * WP_ERROR_LIMIT when memory for the checkpoints is out.
 */
WpLod *wp_lod_new(WpSeries *series, WpCancel *cancellable, GError **error);
void wp_lod_free(WpLod *lod);
/* Borrowed. */
const WpSeries *wp_lod_get_series(const WpLod *lod);
/* Bytes that the checkpoints take. */
gsize wp_lod_get_size(const WpLod *lod);

/* Begin of column i of n over [begin, end): the same for all rows. */
WpTime wp_lod_bound(WpTime begin, WpTime end, guint n, guint i);

/*
 * Fills n columns over bounds[0] <= ... <= bounds[n]. cost (may be NULL) is added to.
 * Time n (log of the series' length + WP_LOD_BLOCK).
 */
void wp_lod_query(const WpLod *lod, const WpTime *bounds, guint n, WpLodColumn *columns,
		  WpLodCost *cost);
/* Joins n columns to runs; returns their number, at most n. */
guint wp_lod_join(const WpLodColumn *columns, guint n, WpLodRun *runs);

/*
 * Nanoseconds per state in [begin, end), and the number of segments that touch it;
 * where the series has not begun or has ended counts as WP_SERIES_EMPTY.
 */
guint64 wp_lod_times(const WpLod *lod, WpTime begin, WpTime end,
		     guint64 ret_times[WP_SERIES_STATES]);

/*
 * The segment that holds time (of several that begin there the last), -1 before the
 * first, n at or behind the end.
 */
gint64 wp_lod_find(const WpLod *lod, WpTime time);
/* Begin, end and state of segment i < n. */
void wp_lod_segment(const WpLod *lod, guint64 i, WpTime *ret_begin, WpTime *ret_end,
		    guint8 *ret_state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpLod, wp_lod_free)

G_END_DECLS

#endif
