/* SPDX-License-Identifier: MIT */
/*
 * series.h: what one row of a timeline shows: segments in time order, without
 * holes, each with a state.
 *
 * Where the row shows nothing (a task that does not live, an idle CPU, a stretch
 * of the path that lies elsewhere) the segment has the state WP_SERIES_EMPTY. A
 * segment ends where the next one begins. A series of a task reads the host's
 * columns in place; the others are arrays made when the row is first shown.
 *
 * Times are those of the row's own clock: of a host, or the reference clock for
 * what comes from a path.
 */
#ifndef WP_TIMELINE_SERIES_H
#define WP_TIMELINE_SERIES_H

#include "path/path.h"

G_BEGIN_DECLS

/* A state behind the last one: nothing to show. */
#define WP_SERIES_EMPTY WP_STATE_N
#define WP_SERIES_STATES (WP_STATE_N + 1)

typedef struct WpSeries WpSeries;

typedef struct {
	/*
	 * Begin and state of n segments from first on (first + n <= series->n). Called
	 * for a block at a time, so that the cost of the indirect call does not count.
	 */
	void (*read)(const WpSeries *series, guint64 first, guint n, WpTime *times, guint8 *states);
	/* What segment i shows: a vertex, or an index into a path's segments; WP_NONE: nothing. */
	WpId (*item)(const WpSeries *series, guint64 i);
	void (*free)(WpSeries *series);
} WpSeriesClass;

/* The head of every implementation's own struct. */
struct WpSeries {
	const WpSeriesClass *klass;
	guint64 n; /* segments */
	WpTime end; /* of the last one */
};

static inline void wp_series_read(const WpSeries *series, guint64 first, guint n, WpTime *times,
				  guint8 *states)
{
	series->klass->read(series, first, n, times, states);
}

static inline WpId wp_series_item(const WpSeries *series, guint64 i)
{
	return series->klass->item(series, i);
}

void wp_series_free(WpSeries *series);

/* A segment of a series that is kept as an array. */
typedef struct {
	WpTime time; /* begin */
	WpId item; /* WP_NONE: nothing */
	guint8 state; /* WpState or WP_SERIES_EMPTY */
} WpSeriesEntry;

/* Takes the array of WpSeriesEntry, whose times do not decrease and lie before end. */
WpSeries *wp_series_new_entries(GArray *entries, WpTime end);

/*
 * Pieces of a path, and nothing between them: n indexes of its segments in ascending
 * order; or with pieces NULL all of it. Items are indexes of its segments.
 */
WpSeries *wp_series_new_path(const WpPath *path, const guint32 *pieces, guint n);

/* A task's life; reads the host's columns, which must outlive it. Times are the host's. */
WpSeries *wp_series_new_task(WpHost *host, WpId task);
/*
 * What runs on a CPU (dense index); where it is idle: nothing. With only_interrupts
 * only the time that interrupts and softirqs take. n log n in the CPU's segments.
 */
WpSeries *wp_series_new_cpu(WpHost *host, guint cpu, gboolean only_interrupts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpSeries, wp_series_free)

G_END_DECLS

#endif
