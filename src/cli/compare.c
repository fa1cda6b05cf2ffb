/* SPDX-License-Identifier: MIT */
/*
 * compare.c: `waitpath compare`: two paths, of one task in two runs (traces or saved
 * graphs) or in two windows of one, and what their difference is made of.
 */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/cli.h"

/* "BEGIN,END". */
static gboolean parse_window(const gchar *text, const WpAnalysis *analysis, WpTime *ret_begin,
			     WpTime *ret_end, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(text, ",", 2);
	WpTime first, last;

	wp_analysis_get_span(analysis, &first, &last);
	if (!parts[0] || !parts[1]) {
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
			    "--window takes two times, BEGIN,END, not \"%s\".", text);
		return FALSE;
	}
	if (!wp_time_parse(parts[0], first, ret_begin, error) ||
	    !wp_time_parse(parts[1], first, ret_end, error))
		return FALSE;
	if (*ret_begin < *ret_end)
		return TRUE;
	g_set_error(error, WP_ERROR, WP_ERROR_USAGE, "The window %s ends before it begins.", text);
	return FALSE;
}

/* The path of the task in an analysis, in a window or over its life. */
static WpProfile *profile_of(const CliOptions *options, const WpAnalysis *analysis,
			     const gchar *window, GError **error)
{
	WpTime begin = WP_TIME_MIN, end = WP_TIME_MAX;
	WpSelection selection;

	if ((window && !parse_window(window, analysis, &begin, &end, error)) ||
	    !wp_analysis_select_task(analysis, options->session.task, begin, end, &selection,
				     error) ||
	    !wp_analysis_check_host(analysis, selection.host, error))
		return NULL;

	g_autoptr(WpPath) path = wp_path_compute(
		analysis->graph, selection.host, selection.task, window ? begin : selection.begin,
		window ? end : selection.end, options->mode, NULL, error);

	if (!path)
		return NULL;

	WpProfile *profile = wp_profile_new();

	wp_profile_add_path(profile, analysis->graph, path);
	return profile;
}

/* Two windows of the traces, which are all of one run. */
static gboolean compare_windows(const CliOptions *options, WpProfile *sides[2], GError **error)
{
	g_autoptr(WpAnalysis) analysis = cli_load(options, error);

	if (!analysis || !cli_check_graph(options, analysis, error))
		return FALSE;
	for (guint i = 0; i < 2; i++) {
		sides[i] = profile_of(options, analysis, options->windows->pdata[i], error);
		if (!sides[i])
			return FALSE;
	}
	return wp_analysis_check_damage(analysis, error);
}

/* One after the other, so that only one graph is in memory. */
static gboolean compare_runs(CliOptions *options, WpProfile *sides[2], GError **error)
{
	g_autoptr(GPtrArray) runs = g_steal_pointer(&options->session.traces);

	options->session.traces = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < 2; i++) {
		g_ptr_array_set_size(options->session.traces, 0);
		g_ptr_array_add(options->session.traces, g_strdup(runs->pdata[i]));

		g_autoptr(WpAnalysis) analysis = cli_load(options, error);

		if (!analysis || !cli_check_graph(options, analysis, error) ||
		    !(sides[i] = profile_of(options, analysis, NULL, error)) ||
		    !wp_analysis_check_damage(analysis, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean check_options(const CliOptions *options, GError **error)
{
	const gchar *fault = NULL;
	guint n_windows = options->windows->len;

	if (!options->session.task)
		fault = "Whose time? Name a task with -t.";
	else if (n_windows != 0 && n_windows != 2)
		fault = "--window is to be given twice, once for each side.";
	else if (n_windows == 0 && options->session.traces->len != 2)
		fault = "Compare takes two runs, X and Y, each a directory of traces or a file of "
			"\"waitpath graph\"; or two --window of one.";
	if (fault)
		g_set_error_literal(error, WP_ERROR, WP_ERROR_USAGE, fault);
	return !fault;
}

gint cli_compare(CliOptions *options, GError **error)
{
	const WpFormat *format = cli_get_format(options);
	WpTextStyle style = cli_get_style(options);
	WpProfile *sides[2] = {NULL, NULL};
	g_autofree gchar *a = NULL, *b = NULL;
	gboolean windows = options->windows->len == 2, done;

	if (!check_options(options, error) ||
	    !cli_require_format(options, format->compare != NULL, "compare", error))
		return -1;
	a = g_strdup(windows ? options->windows->pdata[0] : options->session.traces->pdata[0]);
	b = g_strdup(windows ? options->windows->pdata[1] : options->session.traces->pdata[1]);
	done = windows ? compare_windows(options, sides, error)
		       : compare_runs(options, sides, error);
	if (done) {
		g_autoptr(WpComparison) comparison = wp_compare(sides[0], sides[1]);
		WpCompareReport report = {a, b, comparison};
		g_autoptr(WpOut) out = wp_out_new_fd(STDOUT_FILENO);

		format->compare(out, &report, &style);
		done = cli_finish(out, NULL, error);
	}
	wp_profile_free(sides[0]);
	wp_profile_free(sides[1]);
	return done ? CLI_DONE : -1;
}
