/* SPDX-License-Identifier: MIT */
/* tail.c: the path of a task while its traces are still growing. */
#include "config.h"

#include "plugins/critical-path/tail.h"

/*
 * Between hosts a packet may come before it was sent, as far as their clocks are off: so far
 * behind the latest event nothing is told yet.
 */
#define MARGIN (10 * WP_NS_PER_MS)

void wp_path_tail_init(WpPathTail *tail, WpFeed *feed, const WpQuestion *question)
{
	*tail = (WpPathTail){.feed = feed, .question = *question};
}

/* The number of a host of the feed in an analysis, WP_NONE: it has no events. */
static guint32 find_analysed(const WpPathTail *tail)
{
	return wp_feed_find_host(tail->feed, tail->feed_host);
}

static void set_selection(WpPathTail *tail, const WpSelection *selection)
{
	for (guint i = 0; i < wp_feed_get_n_hosts(tail->feed); i++)
		if (wp_feed_find_host(tail->feed, i) == selection->host)
			tail->feed_host = i;
	tail->task = selection->task;
	tail->begin = tail->told = selection->begin;
	tail->end = tail->question.end ? selection->end : WP_TIME_MAX;
	tail->selected = TRUE;
}

static gboolean select_only(WpPathTail *tail, const WpAnalysis *analysis, GError **error)
{
	g_autoptr(GArray) found = wp_analysis_find_tasks(analysis, tail->question.task);
	WpSelection selection;
	WpTime begin, end;

	if (!wp_analysis_parse_window(analysis, tail->question.begin, tail->question.end, &begin,
				      &end, error))
		return FALSE;
	if (found->len != 1)
		return TRUE;
	selection = g_array_index(found, WpSelection, 0);
	if (tail->question.begin)
		selection.begin = begin;
	if (tail->question.end)
		selection.end = end;
	set_selection(tail, &selection);
	return TRUE;
}

/* The time (reference clock) before which no host's graph will change. */
static WpTime get_settled(const WpPathTail *tail, const WpAnalysis *analysis, WpTime now)
{
	WpTime settled = now > WP_TIME_MIN + MARGIN ? now - MARGIN : WP_TIME_MIN;

	for (guint i = 0; i < wp_feed_get_n_hosts(tail->feed); i++) {
		guint32 host = wp_feed_find_host(tail->feed, i);
		WpTime own = wp_feed_get_settled(tail->feed, i);

		/* a host that is quiet is as far as the others: messages come in order */
		if (host != WP_NONE && own < wp_feed_get_time(tail->feed, i))
			settled = MIN(settled, wp_graph_time(analysis->graph, host, own));
	}
	return settled;
}

/* The same of the task's own host alone, for a path that no other host has to do with. */
static WpTime get_own_settled(const WpPathTail *tail, const WpAnalysis *analysis, guint32 host)
{
	WpTime own = MIN(wp_feed_get_settled(tail->feed, tail->feed_host),
			 wp_feed_get_time(tail->feed, tail->feed_host));

	return wp_graph_time(analysis->graph, host, own);
}

/*
 * The time (reference clock) before which no host's graph will change, when each has come as far as
 * reached; WP_TIME_MIN: their clocks are not known.
 */
static WpTime get_found_settled(const WpPathTail *tail, const WpAnalysis *analysis,
				const WpTime *reached)
{
	const WpGraph *graph = analysis->graph;
	WpTime settled = WP_TIME_MAX;

	for (guint i = 0; i < wp_feed_get_n_hosts(tail->feed); i++) {
		const guint32 host = wp_feed_find_host(tail->feed, i);
		WpTime own = MIN(wp_feed_get_settled(tail->feed, i), reached[i]);

		if (host == WP_NONE || own == WP_TIME_MIN ||
		    graph->joins[host].island != graph->joins[graph->reference].island)
			return WP_TIME_MIN;
		/* a host that is quiet is as far as it has come */
		if (own >= wp_feed_get_time(tail->feed, i))
			own = reached[i];
		settled = MIN(settled, wp_graph_time(graph, host, own));
	}
	return settled > WP_TIME_MIN + MARGIN ? settled - MARGIN : WP_TIME_MIN;
}

/*
 * The begin of the first segment that another host has to do with and that is not before known, or
 * whose clocks are not known well; WP_TIME_MAX: none.
 */
static WpTime find_unknown(const WpPath *path, guint32 host, WpTime known)
{
	for (guint i = 0; i < path->segments.n; i++) {
		const WpSegment *segment = wp_path_segment(path, i);

		if (segment->clock_error > MARGIN)
			return segment->begin;
		if (segment->end > known && (segment->host != host || segment->clock_error ||
					     segment->state == WP_STATE_NETWORK))
			return segment->begin;
	}
	return WP_TIME_MAX;
}

/* The latest time, not after limit, at which the task was put on a CPU; WP_TIME_MIN: none. */
static WpTime find_edge(const WpPathTail *tail, const WpGraph *graph, guint32 host, WpTime limit)
{
	const WpHost *h = graph->hosts[host];

	for (WpId i = wp_host_task(h, tail->task)->last; i != WP_NONE;) {
		const WpVertex *v = wp_host_vertex(h, i);
		WpTime time = wp_graph_time(graph, host, wp_host_time_of(h, v, i));

		if (time <= tail->told)
			break;
		if (v->state == WP_STATE_RUNNING && time <= limit)
			return time;
		i = v->prev;
	}
	return WP_TIME_MIN;
}

static WpPath *take(WpPathTail *tail, const WpAnalysis *analysis, guint32 host, WpTime end,
		    GError **error)
{
	WpPath *path;

	/* a window that is none is an error, but not if it was told already */
	if (end <= tail->told && tail->told > tail->begin)
		return NULL;
	path = wp_path_compute(analysis->graph, host, tail->task, tail->told, end,
			       tail->question.mode, NULL, error);
	tail->told = end;
	return path;
}

/* A piece up to the last edge at or before limit. */
static WpPath *take_to_edge(WpPathTail *tail, const WpAnalysis *analysis, guint32 host,
			    WpTime limit, GError **error)
{
	WpTime edge = MIN(find_edge(tail, analysis->graph, host, limit), tail->end);

	return edge > tail->told ? take(tail, analysis, host, edge, error) : NULL;
}

/* The task's host, WP_NONE: not known yet, or the path is one that is found from its end on. */
static guint32 find_host(WpPathTail *tail, const WpAnalysis *analysis, GError **error)
{
	if (tail->question.mode == WP_PATH_CAUSAL ||
	    (!tail->selected && !select_only(tail, analysis, error)))
		return WP_NONE;
	return tail->selected ? find_analysed(tail) : WP_NONE;
}

WpPath *wp_path_tail_next(WpPathTail *tail, const WpAnalysis *analysis, WpTime now, GError **error)
{
	const guint32 host = find_host(tail, analysis, error);

	if (host == WP_NONE)
		return NULL;
	return take_to_edge(tail, analysis, host, get_settled(tail, analysis, now), error);
}

WpPath *wp_path_tail_next_found(WpPathTail *tail, const WpAnalysis *analysis, const WpTime *reached,
				GError **error)
{
	const guint32 host = find_host(tail, analysis, error);
	WpTime unknown, told, known;
	WpPath *path;

	if (host == WP_NONE || host != analysis->graph->reference)
		return NULL;
	told = tail->told;
	known = get_found_settled(tail, analysis, reached);
	path = take_to_edge(tail, analysis, host, get_own_settled(tail, analysis, host), error);
	unknown = path ? find_unknown(path, host, known) : WP_TIME_MAX;
	if (unknown == WP_TIME_MAX)
		return path;
	wp_path_free(path);
	tail->told = told;
	return take_to_edge(tail, analysis, host, unknown, error);
}

WpPath *wp_path_tail_last(WpPathTail *tail, const WpAnalysis *analysis, GError **error)
{
	WpSelection selection;
	guint32 host;
	WpTime end = tail->end;

	if (!tail->selected) {
		if (!wp_question_select(&tail->question, analysis, &selection, error))
			return NULL;
		set_selection(tail, &selection);
		end = selection.end;
	}
	host = find_analysed(tail);
	if (end == WP_TIME_MAX)
		end = wp_graph_time(analysis->graph, host,
				    wp_host_task(analysis->graph->hosts[host], tail->task)->end);
	tail->end = end;
	return take(tail, analysis, host, end, error);
}

gboolean wp_path_tail_is_done(const WpPathTail *tail)
{
	return tail->selected && tail->told >= tail->end;
}
