/* SPDX-License-Identifier: MIT */
/*
 * tasks.c: `waitpath tasks`: what the path of every task consists of, ranked. All
 * tasks' sums come from one pass; whom the listed ones waited for, from their paths.
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
		WpTaskRow row = {task, NULL};

		if (wanted ? is_among(wanted, task)
			   : wp_host_task(analysis->graph->hosts[task->host], task->task)->tid != 0)
			g_array_append_val(rows, row);
	}
	g_array_sort_with_data(rows, compare_rows, GUINT_TO_POINTER(options->sort));
	return rows;
}

/* Other tasks with most of a task's path, from the path itself where there are any. */
static GArray *find_top(WpGraph *graph, const WpPrefixTask *task, guint mode, GError **error)
{
	if (task->others == 0)
		return g_array_new(FALSE, FALSE, sizeof(WpTaskTotal));

	g_autoptr(WpPath) path = wp_path_compute(graph, task->host, task->task, task->begin,
						 task->end, mode, NULL, error);

	if (!path)
		return NULL;

	g_autoptr(WpTotals) totals = wp_totals_new(path, graph);
	GArray *top = g_array_new(FALSE, FALSE, sizeof(WpTaskTotal));

	for (guint i = 0; i < totals->tasks->len; i++) {
		const WpTaskTotal *total = &g_array_index(totals->tasks, WpTaskTotal, i);

		if (total->host != task->host || total->task != task->task)
			g_array_append_val(top, *total);
	}
	return top;
}

gint cli_tasks(CliOptions *options, GError **error)
{
	const WpFormat *format = cli_get_format(options);
	WpTextStyle style = cli_get_style(options);
	guint n_exact = options->top == G_MAXUINT ? TOP_DEFAULT : options->top;
	WpTime begin, end, first, last;

	/* None looked at exactly is no reason to list none. */
	style.top = n_exact ? n_exact : TOP_DEFAULT;
	if (!cli_require_format(options, format->tasks != NULL, "tasks", error))
		return -1;

	g_autoptr(WpAnalysis) analysis = cli_load(options, error);

	if (!analysis || !cli_check_graph(options, analysis, error) ||
	    !cli_get_window(options, analysis, &begin, &end, error) ||
	    !wp_analysis_check_any_host(analysis, error))
		return -1;
	wp_analysis_get_span(analysis, &first, &last);
	begin = MAX(begin, first);
	end = MIN(end, last);

	g_autoptr(WpPrefix)
		prefix = wp_prefix_compute(analysis->graph, begin, end, options->mode, NULL, error);

	if (!prefix)
		return -1;

	g_autoptr(GArray) rows = cli_find_rows(options, analysis, prefix);
	g_autoptr(GPtrArray) tops = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);

	for (guint i = 0; i < MIN(n_exact, rows->len); i++) {
		WpTaskRow *row = &g_array_index(rows, WpTaskRow, i);
		GArray *top = find_top(analysis->graph, row->task, options->mode, error);

		if (!top)
			return -1;
		g_ptr_array_add(tops, top);
		row->top = top;
	}

	WpTasksReport report = {
		.graph = analysis->graph,
		.begin = begin,
		.end = end,
		.rows = (const WpTaskRow *)(gpointer)rows->data,
		.n_rows = rows->len,
		.findings = analysis->all_findings,
	};
	g_autoptr(WpOut) out = wp_out_new_fd(STDOUT_FILENO);

	format->tasks(out, &report, &style);
	return cli_finish(out, analysis, error) ? CLI_DONE : -1;
}
