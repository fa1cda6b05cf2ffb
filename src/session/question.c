/* SPDX-License-Identifier: MIT */
/* question.c: from a question about a path to its answer. */
#include "config.h"

#include "base/error.h"
#include "session/question.h"

/* So many segments of its task are worth a thread. */
#define PART_SEGMENTS 4096u

gboolean wp_analysis_parse_window(const WpAnalysis *analysis, const gchar *begin, const gchar *end,
				  WpTime *ret_begin, WpTime *ret_end, GError **error)
{
	WpTime first, last, from = WP_TIME_MIN, to = WP_TIME_MAX;

	wp_analysis_get_span(analysis, &first, &last);
	if (begin && !wp_time_parse(begin, first, &from, error))
		return FALSE;
	if (end && !wp_time_parse(end, first, &to, error))
		return FALSE;
	if (from >= to) {
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
			    "The window ends (%s) before it begins (%s).", end, begin);
		return FALSE;
	}
	*ret_begin = from;
	*ret_end = to;
	return TRUE;
}

/* The task; or, where it can't be known because events are missing, that. */
static gboolean select_task(const WpQuestion *question, const WpAnalysis *analysis, WpTime begin,
			    WpTime end, WpSelection *selection, GError **error)
{
	g_autoptr(GError) problem = NULL;

	if (wp_analysis_select_task(analysis, question->task, begin, end, selection, &problem))
		return wp_analysis_check_host(analysis, selection->host, error);
	if (!wp_analysis_check_any_host(analysis, error))
		return FALSE;
	g_propagate_error(error, g_steal_pointer(&problem));
	return FALSE;
}

gboolean wp_question_select(const WpQuestion *question, const WpAnalysis *analysis,
			    WpSelection *ret_selection, GError **error)
{
	WpSelection selection;
	WpTime begin, end;

	if (!wp_analysis_parse_window(analysis, question->begin, question->end, &begin, &end,
				      error) ||
	    !select_task(question, analysis, begin, end, &selection, error))
		return FALSE;
	if (question->begin)
		selection.begin = begin;
	if (question->end)
		selection.end = end;
	*ret_selection = selection;
	return TRUE;
}

/* As many as there are threads for, of long paths. */
static guint count_parts(const WpAnalysis *analysis, const WpSelection *selection)
{
	const WpHost *host = analysis->graph->hosts[selection->host];
	const guint64 n_segments = wp_host_task(host, selection->task)->n_segments;

	return (guint)MIN(analysis->n_threads, MAX(n_segments / PART_SEGMENTS, 1));
}

WpPath *wp_question_answer(const WpQuestion *question, const WpAnalysis *analysis, GError **error)
{
	WpSelection selection;
	g_autoptr(WpPath) path = NULL;

	if (!wp_question_select(question, analysis, &selection, error))
		return NULL;
	path = wp_path_compute_in_parts(
		analysis->graph, selection.host, selection.task, selection.begin, selection.end,
		question->mode, count_parts(analysis, &selection), question->cancellable, error);
	/* An answer from a damaged graph is not begun. */
	if (!path || !wp_analysis_check_damage(analysis, error))
		return NULL;
	return g_steal_pointer(&path);
}
