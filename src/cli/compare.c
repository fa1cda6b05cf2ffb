/* SPDX-License-Identifier: MIT */
/*
 * compare.c: `waitpath compare`: two paths, of one task in two runs (traces or saved
 * graphs) or in two windows of one, or results that were saved as JSON, and what their
 * difference is made of.
 *
 * Both sides are results of one kind: paths, or lists of tasks. A trace can be either.
 */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/cli.h"
#include "export/describe.h"
#include "export/saved.h"

/* What is compared. */
typedef struct {
	WpProfile *profiles[WP_STACKS_SIDES]; /* owned */
	WpStacks *stacks; /* owned */
	WpSavedKind kind;
} Compared;

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
static gboolean add_path(const CliOptions *options, const WpAnalysis *analysis, const gchar *window,
			 Compared *compared, guint side, GError **error)
{
	WpTime begin = WP_TIME_MIN, end = WP_TIME_MAX;
	WpSelection selection;

	if ((window && !parse_window(window, analysis, &begin, &end, error)) ||
	    !wp_analysis_select_task(analysis, options->session.task, begin, end, &selection,
				     error) ||
	    !cli_check_life(analysis, &selection, begin, end, error) ||
	    !wp_analysis_check_host(analysis, selection.host, error))
		return FALSE;

	g_autoptr(WpPath) path = wp_path_compute(
		analysis->graph, selection.host, selection.task, window ? begin : selection.begin,
		window ? end : selection.end, options->mode, cli_cancellable(options), error);

	if (!path)
		return FALSE;
	wp_profile_add_path(compared->profiles[side], analysis->graph, path);
	wp_stacks_add_path(compared->stacks, side, analysis->graph, path);
	return TRUE;
}

/* All tasks, or those that are asked for, each by the states of its path. */
static gboolean add_tasks(const CliOptions *options, const WpAnalysis *analysis,
			  const gchar *window, Compared *compared, guint side, GError **error)
{
	WpTime begin, end, from, to;
	g_autoptr(GArray) rows = NULL;

	wp_analysis_get_span(analysis, &begin, &end);
	if (!wp_analysis_check_any_host(analysis, error) ||
	    (window && !parse_window(window, analysis, &from, &to, error)))
		return FALSE;
	if (window) {
		begin = MAX(begin, from);
		end = MIN(end, to);
	}

	g_autoptr(WpPrefix) prefix = wp_prefix_compute(analysis->graph, begin, end, options->mode,
						       cli_cancellable(options), error);

	if (!prefix)
		return FALSE;
	rows = cli_find_rows(options, analysis, prefix);
	for (guint i = 0; i < rows->len; i++) {
		const WpPrefixTask *task = g_array_index(rows, WpTaskRow, i).task;
		WpActor actor;

		wp_actor_init(&actor, analysis->graph, task->host, task->task, WP_TIME_MAX);
		wp_profile_add_states(compared->profiles[side], compared->stacks, side,
				      actor.host_name, actor.comm, task->by_state);
	}
	return TRUE;
}

static gboolean add_analysis(const CliOptions *options, const WpAnalysis *analysis,
			     const gchar *window, Compared *compared, guint side, GError **error)
{
	if (compared->kind == WP_SAVED_TASKS)
		return add_tasks(options, analysis, window, compared, side, error) &&
		       wp_analysis_check_damage(analysis, error);
	return add_path(options, analysis, window, compared, side, error) &&
	       wp_analysis_check_damage(analysis, error);
}

/* Traces (owned gchar *), all of one run; one after the other, so that only one graph is in memory. */
static gboolean add_run(CliOptions *options, const GPtrArray *traces, const gchar *window,
			Compared *compared, guint side, GError **error)
{
	g_autoptr(WpAnalysis) analysis = NULL;

	g_ptr_array_set_size(options->session.traces, 0);
	for (guint i = 0; i < traces->len; i++)
		g_ptr_array_add(options->session.traces, g_strdup(traces->pdata[i]));
	analysis = cli_load(options, error);
	return analysis && add_analysis(options, analysis, window, compared, side, error);
}

/* Two windows of the traces, which are all of one run. */
static gboolean compare_windows(const CliOptions *options, Compared *compared, GError **error)
{
	g_autoptr(WpAnalysis) analysis = cli_load(options, error);

	if (!analysis)
		return FALSE;
	for (guint i = 0; i < WP_STACKS_SIDES; i++)
		if (!add_analysis(options, analysis, options->windows->pdata[i], compared, i,
				  error))
			return FALSE;
	return TRUE;
}

/* What the command line gives as one of the two sides. */
typedef struct {
	const gchar *name; /* borrowed */
	WpSaved *saved; /* owned, NULL: traces */
	GPtrArray *traces; /* owned; borrowed gchar * */
	const gchar *window; /* borrowed, NULL */
} Side;

static void side_clear(Side *side)
{
	g_clear_pointer(&side->saved, wp_saved_free);
	g_clear_pointer(&side->traces, g_ptr_array_unref);
}

/*
 * X and Y; or, with one window, a saved result and traces of one run, in either order. The
 * number of arguments has been looked at.
 */
static gboolean find_sides(const CliOptions *options, const GPtrArray *arguments,
			   Side sides[WP_STACKS_SIDES], GError **error)
{
	gboolean window = options->windows->len > 0;
	guint saved_side = window && !wp_saved_is(arguments->pdata[0]);

	for (guint i = 0; i < WP_STACKS_SIDES; i++)
		sides[i].traces = g_ptr_array_new();
	for (guint i = 0; i < arguments->len; i++) {
		const gchar *name = arguments->pdata[i];
		gboolean is_saved = wp_saved_is(name);
		Side *side = &sides[!window ? i : is_saved ? saved_side : !saved_side];

		if (window && is_saved && side->saved) {
			g_set_error_literal(error, WP_ERROR, WP_ERROR_USAGE,
					    "A saved result has no windows: --window goes with "
					    "traces.");
			return FALSE;
		}
		if (is_saved && !(side->saved = wp_saved_read(name, error)))
			return FALSE;
		if (!is_saved) {
			g_ptr_array_add(side->traces, (gpointer)name);
			side->window = window ? options->windows->pdata[0] : NULL;
		}
		side->name = side->window ? side->window : name;
	}
	if (window && (!sides[saved_side].saved || !sides[!saved_side].traces->len)) {
		g_set_error_literal(error, WP_ERROR, WP_ERROR_USAGE,
				    "With one --window compare takes a saved result and traces; "
				    "without one, give --window twice.");
		return FALSE;
	}
	return TRUE;
}

/* Both sides are paths, or both are lists of tasks. */
static gboolean choose_kind(const CliOptions *options, const Side sides[WP_STACKS_SIDES],
			    Compared *compared, GError **error)
{
	const WpSaved *a = sides[0].saved, *b = sides[1].saved;

	compared->kind = a ? wp_saved_get_kind(a) : b ? wp_saved_get_kind(b) : WP_SAVED_PATH;
	if (a && b && wp_saved_get_kind(a) != wp_saved_get_kind(b)) {
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
			    "One of %s and %s is the path of a task, the other a list of tasks: "
			    "they can't be compared.",
			    sides[0].name, sides[1].name);
		return FALSE;
	}
	if (compared->kind == WP_SAVED_PATH && !(a && b) && !options->session.task) {
		g_set_error_literal(error, WP_ERROR, WP_ERROR_USAGE,
				    "Whose time? Name a task with -t.");
		return FALSE;
	}
	return TRUE;
}

static gboolean compare_sides(CliOptions *options, Side sides[WP_STACKS_SIDES], Compared *compared,
			      GError **error)
{
	for (guint i = 0; i < WP_STACKS_SIDES; i++) {
		const Side *side = &sides[i];

		if (side->saved ? !wp_saved_add(side->saved, options->session.task,
						compared->profiles[i], compared->stacks, i, error)
				: !add_run(options, side->traces, side->window, compared, i, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean check_options(const CliOptions *options, GError **error)
{
	const gchar *fault = NULL;
	guint n_windows = options->windows->len, n = options->session.traces->len;

	if (n_windows == 2 && !options->session.task)
		fault = "Whose time? Name a task with -t.";
	else if (n_windows > 2)
		fault = "There are two sides to compare, and so at most two of --window.";
	else if (n_windows == 0 && n != 2)
		fault = "Compare takes two runs, X and Y, each a directory of traces, a file of "
			"\"waitpath graph\", or a result saved as JSON; or two --window of one.";
	else if (n_windows == 1 && n < 2)
		fault = "With one --window compare takes a saved result and traces; without one, "
			"give --window twice.";
	if (fault)
		g_set_error_literal(error, WP_ERROR, WP_ERROR_USAGE, fault);
	return !fault;
}

static gboolean write_report(const CliOptions *options, const Compared *compared, const gchar *a,
			     const gchar *b, GError **error)
{
	WpTextStyle style = cli_get_style(options);
	WpComparison *comparison = wp_compare(compared->profiles[0], compared->profiles[1]);
	WpCompareReport report = {a, b, comparison, compared->stacks,
				  compared->kind == WP_SAVED_TASKS};
	g_autoptr(WpOut) out = cli_out_new(options, STDOUT_FILENO);
	gboolean done;

	cli_get_format(options)->compare(out, &report, &style);
	done = cli_finish(options, out, NULL, error);
	wp_comparison_free(comparison);
	return done;
}

static gboolean compare(CliOptions *options, Compared *compared, GError **error)
{
	g_autoptr(GPtrArray) arguments = NULL;
	Side sides[WP_STACKS_SIDES] = {{0}};
	gboolean done;

	if (options->windows->len == WP_STACKS_SIDES)
		return compare_windows(options, compared, error) &&
		       write_report(options, compared, options->windows->pdata[0],
				    options->windows->pdata[1], error);
	arguments = g_steal_pointer(&options->session.traces);
	options->session.traces = g_ptr_array_new_with_free_func(g_free);
	done = find_sides(options, arguments, sides, error) &&
	       choose_kind(options, sides, compared, error) &&
	       compare_sides(options, sides, compared, error) &&
	       write_report(options, compared, sides[0].name, sides[1].name, error);
	for (guint i = 0; i < WP_STACKS_SIDES; i++)
		side_clear(&sides[i]);
	return done;
}

gint cli_compare(CliOptions *options, GError **error)
{
	Compared compared = {{NULL, NULL}, NULL, WP_SAVED_PATH};
	gboolean done;

	if (!check_options(options, error) ||
	    !cli_require_format(options, cli_get_format(options)->compare != NULL, "compare",
				error))
		return -1;
	compared.stacks = wp_stacks_new();
	for (guint i = 0; i < WP_STACKS_SIDES; i++)
		compared.profiles[i] = wp_profile_new();
	done = compare(options, &compared, error);
	for (guint i = 0; i < WP_STACKS_SIDES; i++)
		wp_profile_free(compared.profiles[i]);
	wp_stacks_free(compared.stacks);
	return done ? CLI_DONE : -1;
}
