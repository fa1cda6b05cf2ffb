/* SPDX-License-Identifier: MIT */
/*
 * totals.h: the sums of a path by state, task and host, and how far it can be
 * trusted. One pass over the segments.
 */
#ifndef WP_EXPORT_TOTALS_H
#define WP_EXPORT_TOTALS_H

#include "path/path.h"

G_BEGIN_DECLS

typedef struct {
	guint32 host;
	WpId task;
	WpTime time; /* ns of the path on this task */
	WpTime by_state[WP_STATE_N];
} WpTaskTotal;

typedef struct {
	WpTime time; /* of the window */
	WpTime by_state[WP_STATE_N];
	GArray *tasks; /* owned: WpTaskTotal, in the order in which the path comes to them */
	WpTime *by_host; /* owned: one for each host of the graph */
	guint n_hosts;
} WpTotals;

WpTotals *wp_totals_new(const WpPath *path, const WpGraph *graph);
void wp_totals_free(WpTotals *totals);
/* Which one comes first: that with more time; of equals by host and task. */
gint wp_task_total_compare(const WpTaskTotal *x, const WpTaskTotal *y);
/* The same for all tasks of its name on its host, and for no others. */
static inline guint64 wp_task_total_group(const WpTaskTotal *total, const WpGraph *graph)
{
	return (guint64)total->host << 32 |
	       wp_host_task(graph->hosts[total->host], total->task)->comm;
}
/* The tasks (WpTaskTotal, borrowed from totals) in that order; owned by the caller. */
GPtrArray *wp_totals_tasks_by_time(const WpTotals *totals);
/* The states that have time, the most first (at most WP_STATE_N into ret_states); their number. */
guint wp_states_by_time(const WpTime by_state[WP_STATE_N], WpState ret_states[WP_STATE_N]);
/* The hosts that have time, the most first; owned by the caller. */
guint *wp_totals_hosts_by_time(const WpTotals *totals, guint *ret_n);

typedef struct {
	guint64 lost_events; /* in all traces */
	WpTime lost_ns; /* of the window: times in which a host lost events, summed over hosts */
	WpTime unknown_ns; /* of the path */
	WpTime path_in_lost; /* of the path: lost, or on a CPU that lost events then */
	WpTime below_clock_error_ns; /* of the path: flights shorter than their clock error */
	guint64 missing_wakeups; /* in all traces */
	WpTime max_clock_error; /* of the path */
} WpQuality;

void wp_quality_compute(WpQuality *quality, const WpPath *path, WpGraph *graph);
/*
 * Whether the answer is too weak to build on (exit status 4): more than 5 % of the path,
 * with strict any of it, is lost or in flights shorter than their clock error.
 */
gboolean wp_quality_is_weak(const WpQuality *quality, const WpTotals *totals, gboolean strict);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpTotals, wp_totals_free)

G_END_DECLS

#endif
