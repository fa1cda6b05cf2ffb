/* SPDX-License-Identifier: MIT */
/* session.c: options, the join with the reference that they ask for, and the analysis. */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "session/session-private.h"

void wp_options_init(WpOptions *options)
{
	*options = (WpOptions){0};
	options->traces = g_ptr_array_new_with_free_func(g_free);
	options->offsets = g_ptr_array_new_with_free_func(g_free);
	options->layouts = g_ptr_array_new_with_free_func(g_free);
	options->markers = g_ptr_array_new_with_free_func(g_free);
}

void wp_options_clear(WpOptions *options)
{
	g_clear_pointer(&options->traces, g_ptr_array_unref);
	g_clear_pointer(&options->offsets, g_ptr_array_unref);
	g_clear_pointer(&options->layouts, g_ptr_array_unref);
	g_clear_pointer(&options->markers, g_ptr_array_unref);
	g_clear_pointer(&options->reference, g_free);
	g_clear_pointer(&options->task, g_free);
	g_clear_pointer(&options->sync_file, g_free);
	g_clear_pointer(&options->cache_dir, g_free);
}

WpLayout *wp_options_make_layout(const WpOptions *options, GError **error)
{
	g_autoptr(WpLayout) layout = wp_layout_new(error);

	if (!layout)
		return NULL;
	for (guint i = 0; i < options->layouts->len; i++)
		if (!wp_layout_add_file(layout, options->layouts->pdata[i], error))
			return NULL;
	for (guint i = 0; i < options->markers->len; i++) {
		/* Not a colon: names of user-space events hold one. */
		g_auto(GStrv) parts = g_strsplit(options->markers->pdata[i], " ", 2);

		wp_layout_add_marker(layout, parts[0], parts[1]);
	}
	wp_model_trim_layout(layout);
	return g_steal_pointer(&layout);
}

void wp_analysis_free(WpAnalysis *analysis)
{
	if (!analysis)
		return;
	wp_sync_report_free(analysis->sync);
	wp_graph_free(analysis->graph);
	for (guint i = 0; i < analysis->n_traces; i++)
		wp_trace_report_free(analysis->traces[i]);
	g_free(analysis->traces);
	g_clear_pointer(&analysis->findings, wp_findings_free);
	g_clear_pointer(&analysis->all_findings, wp_findings_free);
	g_clear_pointer(&analysis->offsets, g_array_unref);
	g_free(analysis->sync_file);
	g_clear_pointer(&analysis->memory, wp_memory_unref);
	g_free(analysis);
}

guint32 wp_analysis_find_host(const WpAnalysis *analysis, const gchar *name)
{
	for (guint i = 0; i < analysis->graph->n_hosts; i++)
		if (g_str_equal(analysis->graph->hosts[i]->name, name))
			return i;
	return WP_NONE;
}

static gboolean require_host(const WpAnalysis *analysis, const gchar *name, guint32 *ret_host,
			     GError **error)
{
	g_autoptr(GString) names = g_string_new(NULL);

	*ret_host = wp_analysis_find_host(analysis, name);
	if (*ret_host != WP_NONE)
		return TRUE;
	for (guint i = 0; i < analysis->graph->n_hosts; i++)
		g_string_append_printf(names, "%s%s", i > 0 ? ", " : "",
				       analysis->graph->hosts[i]->name);
	g_set_error(error, WP_ERROR, WP_ERROR_USAGE, "No host is called %s; the traces are of %s.",
		    name, names->str);
	return FALSE;
}

/* HOST=NS for each host, G_MININT64 where nothing is given. */
static gboolean parse_offsets(WpAnalysis *analysis, const WpOptions *options, GError **error)
{
	const gint64 none = G_MININT64;

	analysis->offsets = g_array_new(FALSE, FALSE, sizeof(gint64));
	for (guint i = 0; i < analysis->graph->n_hosts; i++)
		g_array_append_val(analysis->offsets, none);
	for (guint i = 0; i < options->offsets->len; i++) {
		const gchar *text = options->offsets->pdata[i], *equals = strrchr(text, '=');
		g_autofree gchar *name = equals ? g_strndup(text, (gsize)(equals - text)) : NULL;
		gint64 ns;
		guint32 host;

		if (!equals || !g_ascii_string_to_signed(equals + 1, 10, G_MININT64 + 1, G_MAXINT64,
							 &ns, NULL)) {
			g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
				    "\"%s\" is no offset: write HOST=NANOSECONDS, what is to be "
				    "added to the host's times.",
				    text);
			return FALSE;
		}
		if (!require_host(analysis, name, &host, error))
			return FALSE;
		g_array_index(analysis->offsets, gint64, host) = ns;
	}
	return TRUE;
}

static void collect_findings(WpAnalysis *analysis)
{
	const WpGraph *graph = analysis->graph;

	g_clear_pointer(&analysis->all_findings, wp_findings_free);
	analysis->all_findings = wp_findings_new();
	wp_findings_merge(analysis->all_findings, analysis->findings, NULL);
	for (guint i = 0; i < analysis->n_traces; i++)
		wp_findings_merge(analysis->all_findings, analysis->traces[i]->findings,
				  analysis->traces[i]->host_name);
	for (guint i = 0; i < graph->n_hosts; i++)
		wp_findings_merge(analysis->all_findings, graph->hosts[i]->findings,
				  graph->hosts[i]->name);
	wp_findings_merge(analysis->all_findings, graph->findings, NULL);
}

gboolean wp_analysis_set_reference(WpAnalysis *analysis, guint host, WpCancel *cancellable,
				   GError **error)
{
	WpSyncOptions options = {
		.reference = host,
		.offsets = (const gint64 *)(gpointer)analysis->offsets->data,
		.sync_file = analysis->sync_file,
	};
	WpSyncReport *report;

	if (!wp_sync_join(analysis->graph, &options, &report, cancellable, error))
		return FALSE;
	wp_sync_report_free(analysis->sync);
	analysis->sync = report;
	collect_findings(analysis);
	return TRUE;
}

void wp_analysis_get_span(const WpAnalysis *analysis, WpTime *ret_begin, WpTime *ret_end)
{
	const WpGraph *graph = analysis->graph;

	*ret_begin = WP_TIME_MAX;
	*ret_end = WP_TIME_MIN;
	for (guint i = 0; i < graph->n_hosts; i++) {
		*ret_begin = MIN(*ret_begin, wp_graph_time(graph, i, graph->hosts[i]->begin));
		*ret_end = MAX(*ret_end, wp_graph_time(graph, i, graph->hosts[i]->end));
	}
}

gboolean wp_analysis_check_host(const WpAnalysis *analysis, guint32 host, GError **error)
{
	const WpHost *h = analysis->graph->hosts[host];

	if (h->begin >= h->end) {
		g_set_error(error, WP_ERROR, WP_ERROR_CANNOT_ANSWER,
			    "All events of %s have the same time, so there is no time to tell of.",
			    h->name);
		return FALSE;
	}
	for (guint i = 0; i < analysis->n_traces; i++) {
		const WpTraceReport *trace = analysis->traces[i];

		for (guint j = 0; trace->host == host && j < trace->missing->len; j++) {
			const WpMissing *m = &g_array_index(trace->missing, WpMissing, j);

			if (!m->required)
				continue;
			g_set_error(error, WP_ERROR, WP_ERROR_CANNOT_ANSWER,
				    "The traces of %s have no %s, which are needed for %s: record "
				    "them with \"%s\".",
				    trace->host_name, m->role, m->needed_for, m->enable);
			return FALSE;
		}
	}
	return TRUE;
}

gboolean wp_analysis_check_damage(const WpAnalysis *analysis, GError **error)
{
	return wp_graph_check_damage(analysis->graph, error);
}

gboolean wp_analysis_check_any_host(const WpAnalysis *analysis, GError **error)
{
	for (guint i = 0; i < analysis->graph->n_hosts; i++)
		if (wp_analysis_check_host(analysis, i, NULL))
			return TRUE;
	return wp_analysis_check_host(analysis, 0, error);
}

/* The reference that the options ask for. */
static gboolean choose_reference(const WpAnalysis *analysis, const WpOptions *options,
				 guint32 *ret_host, GError **error)
{
	if (options->reference)
		return require_host(analysis, options->reference, ret_host, error);
	*ret_host = 0;
	/* A task that can't be told yet is complained of when it is asked for. */
	if (options->task && analysis->graph->n_hosts > 1)
		*ret_host = wp_selection_host(analysis, options->task);
	if (*ret_host == WP_NONE)
		*ret_host = 0;
	return TRUE;
}

/* The reference is what the offsets refer to: its own can't be anything but 0. */
static gboolean check_offset(const WpAnalysis *analysis, guint32 reference, GError **error)
{
	gint64 offset = g_array_index(analysis->offsets, gint64, reference);

	if (offset == G_MININT64 || offset == 0)
		return TRUE;
	g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
		    "%s is the reference, so it has no offset: give those of the other hosts, or "
		    "another --reference.",
		    analysis->graph->hosts[reference]->name);
	return FALSE;
}

gboolean wp_analysis_join(WpAnalysis *analysis, const WpOptions *options, WpCancel *cancellable,
			  GError **error)
{
	guint32 reference;

	g_free(analysis->sync_file);
	analysis->sync_file = g_strdup(options->sync_file);
	g_clear_pointer(&analysis->offsets, g_array_unref);
	return parse_offsets(analysis, options, error) &&
	       choose_reference(analysis, options, &reference, error) &&
	       check_offset(analysis, reference, error) &&
	       wp_analysis_set_reference(analysis, reference, cancellable, error);
}

WpAnalysis *wp_session_load(const WpOptions *options, WpSessionProgressFunc progress,
			    gpointer progress_data, WpCancel *cancellable, GError **error)
{
	g_autoptr(WpAnalysis)
		analysis = wp_load_hosts(options, progress, progress_data, cancellable, error);

	if (!analysis || !wp_analysis_join(analysis, options, cancellable, error))
		return NULL;
	return g_steal_pointer(&analysis);
}
