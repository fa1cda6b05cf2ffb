/* SPDX-License-Identifier: MIT */
/*
 * tasks.c: `waitpath tasks`: what the path of every task consists of, ranked. All
 * tasks' sums come from one pass, and with them whom those waited for that wait first; where
 * others are listed, or there are very many tasks, these are followed in a pass of their own.
 */
#include "config.h"

#include <unistd.h>

#include "cli/cli.h"

#define TOP_DEFAULT 50
/* Of more tasks than that, those that wait first are hardly those that are listed. */
#define TASKS_MANY (4 * WP_PREFIX_FOLLOWED_MAX)

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

/* ---- whom they waited for ---- */

/* From the path itself, where that has no floors. Owned by the caller: WpTaskTotal. */
static GArray *find_top(WpGraph *graph, const WpPrefixTask *task, guint mode,
			GCancellable *cancellable, GError **error)
{
	g_autoptr(WpPath) path = wp_path_compute(graph, task->host, task->task, task->begin,
						 task->end, mode, cancellable, error);

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

/* From a pass that followed the task. Owned by the caller: WpTaskTotal. */
static GArray *get_top(const WpPrefix *prefix, const WpPrefixTask *task)
{
	GArray *top = g_array_new(FALSE, FALSE, sizeof(WpTaskTotal));
	guint n;
	const WpWaited *waited = wp_prefix_get_waited(prefix, task, &n);

	for (guint i = 0; i < n; i++) {
		WpTaskTotal total = {.host = waited[i].holder.host,
				     .task = waited[i].holder.task,
				     .time = waited[i].time};

		g_array_append_val(top, total);
	}
	return top;
}

/* What is being made: rows, and the lists that they borrow. */
typedef struct {
	WpGraph *graph; /* borrowed */
	const WpPrefix *prefix; /* borrowed */
	GArray *rows; /* owned: WpTaskRow */
	GPtrArray *tops; /* owned; owned GArray * */
	GCancellable *cancellable; /* borrowed, NULL */
} Table;

static void set_top(Table *table, WpTaskRow *row, GArray *top)
{
	g_ptr_array_add(table->tops, top);
	row->top = top;
}

/*
 * The rows from `first` on, up to n, that the pass over all tasks did not follow: as many as one
 * more pass can. *ret_next is where to go on.
 */
static gboolean follow_some(Table *table, guint first, guint n, guint *ret_next, GError **error)
{
	g_autoptr(GArray) refs = g_array_new(FALSE, FALSE, sizeof(WpTaskRef));
	guint end;

	for (end = first; end < n && refs->len < WP_PREFIX_FOLLOWED_MAX; end++) {
		const WpTaskRow *row = &g_array_index(table->rows, WpTaskRow, end);
		WpTaskRef ref = {row->task->host, row->task->task};

		if (!row->top)
			g_array_append_val(refs, ref);
	}
	*ret_next = end;
	if (refs->len == 0)
		return TRUE;

	WpWaiters waiters = {(const WpTaskRef *)(gconstpointer)refs->data, refs->len};
	g_autoptr(WpPrefix) more = wp_prefix_compute_followed(table->graph, table->prefix->begin,
							      table->prefix->end, &waiters,
							      table->cancellable, error);

	for (guint i = first; more && i < end; i++) {
		WpTaskRow *row = &g_array_index(table->rows, WpTaskRow, i);

		if (!row->top)
			set_top(table, row, get_top(more, row->task));
	}
	return more != NULL;
}

/* Finds whom the first n rows waited for. */
static gboolean find_tops(Table *table, guint n, GError **error)
{
	for (guint i = 0; i < n; i++) {
		WpTaskRow *row = &g_array_index(table->rows, WpTaskRow, i);
		GArray *top = NULL;

		if (table->prefix->mode == WP_PATH_CAUSAL) {
			top = find_top(table->graph, row->task, WP_PATH_CAUSAL, table->cancellable,
				       error);
			if (!top)
				return FALSE;
		} else if (row->task->followed) {
			top = get_top(table->prefix, row->task);
		}
		if (top)
			set_top(table, row, top);
	}
	for (guint i = 0; i < n;)
		if (!follow_some(table, i, n, &i, error))
			return FALSE;
	return TRUE;
}

static WpPrefix *compute(const CliOptions *options, WpGraph *graph, WpTime begin, WpTime end,
			 GError **error)
{
	static const WpWaiters all = {NULL, 0};

	guint64 n_tasks = 0;

	for (guint i = 0; i < graph->n_hosts; i++)
		n_tasks += graph->hosts[i]->tasks.n;
	if (options->top == 0 || options->mode == WP_PATH_CAUSAL || n_tasks > TASKS_MANY)
		return wp_prefix_compute(graph, begin, end, options->mode, cli_cancellable(options),
					 error);
	return wp_prefix_compute_followed(graph, begin, end, &all, cli_cancellable(options), error);
}

static gboolean write_report(const CliOptions *options, const WpAnalysis *analysis, Table *table,
			     GError **error)
{
	guint n_exact = options->top == G_MAXUINT ? TOP_DEFAULT : options->top;
	WpTextStyle style = cli_get_style(options);
	g_autoptr(WpOut) out = cli_out_new(options, STDOUT_FILENO);

	/* None looked at exactly is no reason to list none. */
	style.top = n_exact ? n_exact : TOP_DEFAULT;
	if (!find_tops(table, MIN(n_exact, table->rows->len), error))
		return FALSE;

	WpTasksReport report = {
		.graph = analysis->graph,
		.begin = table->prefix->begin,
		.end = table->prefix->end,
		.rows = (const WpTaskRow *)(gpointer)table->rows->data,
		.n_rows = table->rows->len,
		.findings = analysis->all_findings,
	};

	cli_get_format(options)->tasks(out, &report, &style);
	return cli_finish(options, out, analysis, error);
}

gint cli_tasks(CliOptions *options, GError **error)
{
	const WpFormat *format = cli_get_format(options);
	WpTime begin, end, first, last;
	gboolean done;

	if (!cli_require_format(options, format->tasks != NULL, "tasks", error))
		return -1;

	g_autoptr(WpAnalysis) analysis = cli_load(options, error);

	if (!analysis || !cli_check_graph(options, analysis, error) ||
	    !cli_get_window(options, analysis, &begin, &end, error) ||
	    !wp_analysis_check_any_host(analysis, error))
		return -1;
	wp_analysis_get_span(analysis, &first, &last);

	g_autoptr(WpPrefix) prefix = compute(options, analysis->graph, MAX(begin, first),
					     MIN(end, last), error);

	if (!prefix)
		return -1;

	Table table = {analysis->graph, prefix, cli_find_rows(options, analysis, prefix),
		       g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref),
		       cli_cancellable(options)};

	done = write_report(options, analysis, &table, error);
	g_array_unref(table.rows);
	g_ptr_array_unref(table.tops);
	return done ? CLI_DONE : -1;
}
