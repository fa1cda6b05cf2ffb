/* SPDX-License-Identifier: MIT */
/*
 * breakdown.h: the time of paths by who, in which state and for what reason: what
 * requests are compared by, and two runs.
 *
 * A *row* is a task in a state for a reason; a *group* is all rows whose names agree
 * (host, task name, state, reason), whatever their ids are, so that groups of
 * different traces can be matched. Both are numbered from 0 in the order in which
 * they were first seen.
 */
#ifndef WP_PATH_BREAKDOWN_H
#define WP_PATH_BREAKDOWN_H

#include "path/path.h"

G_BEGIN_DECLS

typedef struct {
	const gchar *host; /* borrowed, like all texts here: good as long as the breakdown */
	const gchar *comm;
	const gchar *cause; /* "" for none: see wp_segment_cause_text() */
	WpState state;
	/* Its only task, or WP_NONE when there are several. */
	guint32 host_id;
	WpId task;
} WpBreakdownGroup;

typedef struct {
	guint32 host;
	WpId task;
	guint32 group;
} WpBreakdownRow;

/* Time of one row. */
typedef struct {
	guint32 row;
	WpTime time;
} WpAmount;

typedef struct WpBreakdown WpBreakdown;

WpBreakdown *wp_breakdown_new(void);
void wp_breakdown_free(WpBreakdown *breakdown);
guint32 wp_breakdown_n_rows(const WpBreakdown *breakdown);
guint32 wp_breakdown_n_groups(const WpBreakdown *breakdown);
const WpBreakdownRow *wp_breakdown_row(const WpBreakdown *breakdown, guint32 row);
const WpBreakdownGroup *wp_breakdown_group(const WpBreakdown *breakdown, guint32 group);

/* The group of these names, made when there is none. */
guint32 wp_breakdown_add_group(WpBreakdown *breakdown, const gchar *host, const gchar *comm,
			       WpState state, const gchar *cause);

/*
 * Appends what a path consists of to amounts (WpAmount): one element a row, by row.
 * All paths of a breakdown are of one graph.
 */
void wp_breakdown_add_path(WpBreakdown *breakdown, const WpGraph *graph, const WpPath *path,
			   GArray *amounts);

/* What a cause is called; "" when it has no name that means the same in another trace. Borrowed. */
const gchar *wp_cause_name(const WpHost *host, const WpCause *cause);

/*
 * A segment's reason as a short text that is the same in every trace: the kind of
 * cause and, where known, its name: "disk vda", "timer hrtimer_wakeup", "packet wire",
 * "softirq RCU", "workqueue flush"; "" for none.
 */
void wp_segment_cause_text(const WpGraph *graph, const WpSegment *segment, gchar *buffer,
			   gsize size);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpBreakdown, wp_breakdown_free)

G_END_DECLS

#endif
