/* SPDX-License-Identifier: MIT */
/*
 * without.h: what if something took no time: a path with that time taken out where it
 * lies on the path.
 *
 * The result is a lower bound of the time that would remain. Without the cause,
 * something else may be waited for instead, which the trace cannot tell; the task can
 * not become faster than that by removing this cause alone.
 */
#ifndef WP_PATH_WITHOUT_H
#define WP_PATH_WITHOUT_H

#include "path/path.h"

G_BEGIN_DECLS

/* What is to take no time. */
typedef struct WpCauseFilter WpCauseFilter;

/*
 * KIND[:NAME][@HOST]. KIND is a state or a kind of cause as in JSON ("disk", "network",
 * "preempted", "packet"), or "task": time on other tasks. NAME, one `*` allowed, is the
 * cause's name (device, interrupt, function), or for tasks their name or number; HOST is
 * where the time is spent. WP_ERROR_USAGE with the words that are known.
 */
WpCauseFilter *wp_cause_filter_new(const gchar *text, GError **error);
void wp_cause_filter_free(WpCauseFilter *filter);
gboolean wp_cause_filter_matches(const WpCauseFilter *filter, const WpGraph *graph,
				 const WpPath *path, const WpSegment *segment);

typedef struct {
	WpTime time; /* of the path */
	WpTime removed;
	WpTime remaining; /* at least */
	guint64 n_segments; /* removed */
} WpWithout;

void wp_without_compute(WpWithout *without, const WpGraph *graph, const WpPath *path,
			const WpCauseFilter *filter);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpCauseFilter, wp_cause_filter_free)

G_END_DECLS

#endif
