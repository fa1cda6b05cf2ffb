/* SPDX-License-Identifier: MIT */
/* without.c: a filter on the segments of a path. */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "path/without.h"

typedef enum { BY_STATE, BY_CAUSE, BY_TASK } By;

struct WpCauseFilter {
	By by;
	WpState state;
	WpCauseKind cause;
	GPatternSpec *name; /* owned, NULL: any */
	gchar *host; /* owned, NULL: any */
};

static gboolean parse_kind(WpCauseFilter *filter, const gchar *kind)
{
	if (g_str_equal(kind, "task")) {
		filter->by = BY_TASK;
		return TRUE;
	}
	filter->by = BY_STATE;
	filter->state = wp_state_from_key(kind);
	if (filter->state < WP_STATE_N)
		return TRUE;
	filter->by = BY_CAUSE;
	for (guint i = WP_CAUSE_NONE + 1; i < WP_CAUSE_N; i++) {
		filter->cause = i;
		if (g_str_equal(kind, wp_cause_kind_key(i)))
			return TRUE;
	}
	return FALSE;
}

static gchar *known_kinds(void)
{
	GString *kinds = g_string_new("task");

	for (guint i = 0; i < WP_STATE_N; i++)
		g_string_append_printf(kinds, ", %s", wp_state_key(i));
	for (guint i = WP_CAUSE_NONE + 1; i < WP_CAUSE_N; i++)
		if (wp_state_from_key(wp_cause_kind_key(i)) == WP_STATE_N && i != WP_CAUSE_TASK)
			g_string_append_printf(kinds, ", %s", wp_cause_kind_key(i));
	return g_string_free(kinds, FALSE);
}

WpCauseFilter *wp_cause_filter_new(const gchar *text, GError **error)
{
	g_autoptr(WpCauseFilter) filter = g_new0(WpCauseFilter, 1);
	g_autofree gchar *kind = g_strdup(text);
	gchar *host = strrchr(kind, '@'), *name;

	if (host)
		*host++ = '\0';
	name = strchr(kind, ':');
	if (name)
		*name++ = '\0';
	if (!parse_kind(filter, kind)) {
		g_autofree gchar *known = known_kinds();

		g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
			    "There is no cause \"%s\" to leave out; KIND[:NAME][@HOST] takes as "
			    "its kind one of %s.",
			    kind, known);
		return NULL;
	}
	if (name && *name)
		filter->name = g_pattern_spec_new(name);
	if (host && *host)
		filter->host = g_strdup(host);
	return g_steal_pointer(&filter);
}

void wp_cause_filter_free(WpCauseFilter *filter)
{
	if (!filter)
		return;
	g_clear_pointer(&filter->name, g_pattern_spec_free);
	g_free(filter->host);
	g_free(filter);
}

static gboolean task_matches(const WpCauseFilter *filter, const WpGraph *graph, const WpPath *path,
			     const WpSegment *segment)
{
	const WpHost *host = graph->hosts[segment->host];
	gchar tid[16];

	if (segment->host == path->host && segment->task == path->task)
		return FALSE;
	if (!filter->name)
		return TRUE;
	g_snprintf(tid, sizeof(tid), "%d", wp_host_task(host, segment->task)->tid);
	return g_pattern_spec_match_string(filter->name, tid) ||
	       g_pattern_spec_match_string(
		       filter->name,
		       wp_host_task_comm(host, segment->task,
					 wp_clock_map_invert(graph->joins[segment->host].map,
							     segment->begin)));
}

gboolean wp_cause_filter_matches(const WpCauseFilter *filter, const WpGraph *graph,
				 const WpPath *path, const WpSegment *segment)
{
	const WpHost *host = graph->hosts[segment->host];
	const WpCause *cause = segment->cause < host->causes.n ? wp_host_cause(host, segment->cause)
							       : NULL;

	if (filter->host && !g_str_equal(filter->host, host->name))
		return FALSE;
	if (filter->by == BY_TASK)
		return task_matches(filter, graph, path, segment);
	if (filter->by == BY_STATE && segment->state != filter->state)
		return FALSE;
	if (filter->by == BY_CAUSE && (!cause || cause->kind != filter->cause))
		return FALSE;
	if (!filter->name)
		return TRUE;
	return cause &&
	       g_pattern_spec_match_string(
		       filter->name,
		       wp_strings_get(host->strings, wp_host_cause_detail(host, cause)->name));
}

void wp_without_compute(WpWithout *without, const WpGraph *graph, const WpPath *path,
			const WpCauseFilter *filter)
{
	*without = (WpWithout){.time = path->end - path->begin};
	for (guint i = 0; i < path->segments.n; i++) {
		const WpSegment *s = wp_path_segment(path, i);

		if (!wp_cause_filter_matches(filter, graph, path, s))
			continue;
		without->removed += s->end - s->begin;
		without->n_segments++;
	}
	without->remaining = without->time - without->removed;
}
