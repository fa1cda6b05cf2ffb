/* SPDX-License-Identifier: MIT */
/*
 * tasks.c: `waitpath tasks`: what the path of every task consists of, ranked. All tasks' sums come
 * from one pass; whom those waited for that are listed, from what it has written down.
 */
#include "config.h"

#include <unistd.h>

#include "cli/cli.h"

#define TOP_DEFAULT 50

static WpTime rank(const WpPrefixTask *task, CliSort sort)
{
	switch (sort) {
	case CLI_SORT_OTHERS:
		return task->others;
	case CLI_SORT_OWN:
		return task->own;
	case CLI_SORT_TIME:
		return task->end - task->begin;
	case CLI_SORT_RUNNING:
		break;
	}
	return task->by_state[WP_STATE_RUNNING];
}

/* Equals: those that did more; then in the order of hosts and tasks, as the pass gives them. */
static gint compare_rows(gconstpointer a, gconstpointer b, gpointer data)
{
	const WpPrefixTask *x = ((const WpTaskRow *)a)->task, *y = ((const WpTaskRow *)b)->task;
	WpTime rank_x = rank(x, GPOINTER_TO_UINT(data)), rank_y = rank(y, GPOINTER_TO_UINT(data));

	if (rank_x != rank_y)
		return rank_x > rank_y ? -1 : 1;
	rank_x = rank(x, CLI_SORT_RUNNING);
	rank_y = rank(y, CLI_SORT_RUNNING);
	if (rank_x != rank_y)
		return rank_x > rank_y ? -1 : 1;
	return x < y ? -1 : x > y;
}

static gboolean is_among(const GArray *wanted, const WpPrefixTask *task)
{
	for (guint i = 0; i < wanted->len; i++) {
		const WpSelection *s = &g_array_index(wanted, WpSelection, i);

		if (s->host == task->host && s->task == task->task)
			return TRUE;
	}
	return FALSE;
}

GArray *cli_find_rows(const CliOptions *options, const WpAnalysis *analysis, const WpPrefix *prefix)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(WpTaskRow));
	g_autoptr(GArray) wanted = options->session.task
					   ? wp_analysis_find_tasks(analysis, options->session.task)
					   : NULL;

	for (guint64 i = 0; i < prefix->n_tasks; i++) {
		const WpPrefixTask *task = &prefix->tasks[i];
		WpTaskRow row = {.task = task};

		if (wanted ? is_among(wanted, task)
			   : wp_host_task(analysis->graph->hosts[task->host], task->task)->tid != 0)
			g_array_append_val(rows, row);
	}
	g_array_sort_with_data(rows, compare_rows, GUINT_TO_POINTER(options->sort));
	return rows;
}

/* ---- whom they waited for ---- */

/* From the path itself, where that has no floors: appends WpWaited. */
static gboolean walk_task(WpGraph *graph, const WpPrefixTask *task, GArray *waited,
			  WpCancel *cancellable, GError **error)
{
	g_autoptr(WpPath) path = wp_path_compute(graph, task->host, task->task, task->begin,
						 task->end, WP_PATH_CAUSAL, cancellable, error);

	if (!path)
		return FALSE;

	g_autoptr(WpTotals) totals = wp_totals_new(path, graph);
	g_autoptr(GPtrArray) tasks = wp_totals_tasks_by_time(totals);

	for (guint i = 0; i < tasks->len; i++) {
		const WpTaskTotal *total = tasks->pdata[i];
		WpWaited line = {{task->host, task->task}, {total->host, total->task}, total->time};

		if (total->host != task->host || total->task != task->task)
			g_array_append_val(waited, line);
	}
	return TRUE;
}

static gint compare_waiters(gconstpointer a, gconstpointer b)
{
	const WpPrefixTask *x = ((const WpTaskRow *)a)->task, *y = ((const WpTaskRow *)b)->task;

	return x < y ? -1 : x > y;
}

/* One walk for each of the first n rows. Owned by the caller, as below. */
static GArray *walk_tasks(const WpPrefix *prefix, const GArray *rows, guint n,
			  WpCancel *cancellable, GError **error)
{
	g_autoptr(GArray) waited = g_array_new(FALSE, FALSE, sizeof(WpWaited));
	g_autoptr(GArray) listed = g_array_new(FALSE, FALSE, sizeof(WpTaskRow));

	if (n)
		g_array_append_vals(listed, rows->data, n);
	g_array_sort(listed, compare_waiters);
	for (guint i = 0; i < n; i++)
		if (!walk_task(prefix->graph, g_array_index(listed, WpTaskRow, i).task, waited,
			       cancellable, error))
			return NULL;
	return g_steal_pointer(&waited);
}

/* Whom the first n rows waited for: WpWaited by waiter. Owned by the caller. */
static GArray *find_waited(const WpPrefix *prefix, const GArray *rows, guint n,
			   WpCancel *cancellable, GError **error)
{
	g_autoptr(GArray) refs = g_array_new(FALSE, FALSE, sizeof(WpTaskRef));

	for (guint i = 0; i < n; i++) {
		const WpPrefixTask *task = g_array_index(rows, WpTaskRow, i).task;
		WpTaskRef ref = {task->host, task->task};

		g_array_append_val(refs, ref);
	}

	const WpTaskRef *tasks = (const WpTaskRef *)(gconstpointer)refs->data;

	return prefix->mode == WP_PATH_CAUSAL
		       ? walk_tasks(prefix, rows, n, cancellable, error)
		       : wp_prefix_find_waited(prefix, tasks, n, cancellable, error);
}

static gboolean write_report(const CliOptions *options, const WpAnalysis *analysis,
			     const WpPrefix *prefix, GError **error)
{
	guint n_exact = options->top == G_MAXUINT ? TOP_DEFAULT : options->top;
	WpTextStyle style = cli_get_style(options);
	g_autoptr(WpOut) out = cli_out_new(options, STDOUT_FILENO);
	g_autoptr(GArray) rows = cli_find_rows(options, analysis, prefix);
	guint n = MIN(n_exact, rows->len);
	g_autoptr(GArray) waited = n ? find_waited(prefix, rows, n, cli_cancellable(options), error)
				     : NULL;

	if (n && !waited)
		return FALSE;
	for (guint i = 0; i < n; i++) {
		WpTaskRow *row = &g_array_index(rows, WpTaskRow, i);

		row->has_top = TRUE;
		row->top = wp_waited_find(waited, (WpTaskRef){row->task->host, row->task->task},
					  &row->n_top);
	}
	/* None looked at exactly is no reason to list none. */
	style.top = n_exact ? n_exact : TOP_DEFAULT;

	WpTasksReport report = {
		.graph = analysis->graph,
		.begin = prefix->begin,
		.end = prefix->end,
		.rows = (const WpTaskRow *)(gpointer)rows->data,
		.n_rows = rows->len,
		.findings = analysis->all_findings,
	};

	cli_get_format(options)->tasks(out, &report, &style);
	return cli_finish(options, out, analysis, error);
}

gint cli_tasks(CliOptions *options, GError **error)
{
	const WpFormat *format = cli_get_format(options);
	WpTime begin, end, first, last;

	if (!cli_require_format(options, format->tasks != NULL, "tasks", error))
		return -1;

	g_autoptr(WpAnalysis) analysis = cli_load(options, error);

	if (!analysis || !cli_get_window(options, analysis, &begin, &end, error) ||
	    !wp_analysis_check_any_host(analysis, error))
		return -1;
	wp_analysis_get_span(analysis, &first, &last);
	begin = MAX(begin, first);
	end = MIN(end, last);

	g_autoptr(WpPrefix)
		prefix = options->top == 0 || options->mode == WP_PATH_CAUSAL
				 ? wp_prefix_compute(analysis->graph, begin, end, options->mode,
						     cli_cancellable(options), error)
				 : wp_prefix_compute_rests(analysis->graph, begin, end, NULL,
							   error);

	return prefix && write_report(options, analysis, prefix, error) ? CLI_DONE : -1;
}
