/* SPDX-License-Identifier: MIT */
/*
 * test-recorded-tasks.c: the totals of all tasks of the recorded and public traces, from
 * one pass, against the path of each task, and against those of windows of it.
 */
#include "config.h"

#include "path/prefix.h"
#include "session/session.h"

/* The traces of one scenario: its hosts' folders, or the folder itself. */
static WpAnalysis *load(const gchar *folder, GError **error)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	WpOptions options;
	WpAnalysis *analysis;
	const gchar *name;

	wp_options_init(&options);
	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree gchar *trace = g_build_filename(folder, name, "trace", NULL);

		if (g_file_test(trace, G_FILE_TEST_IS_DIR))
			g_ptr_array_add(options.traces, g_steal_pointer(&trace));
	}
	if (options.traces->len == 0)
		g_ptr_array_add(options.traces, g_strdup(folder));
	analysis = wp_session_load(&options, NULL, NULL, NULL, error);
	wp_options_clear(&options);
	return analysis;
}

static void check_task(WpGraph *graph, const WpPrefixTask *task)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(WpPath) path = wp_path_compute(graph, task->host, task->task, task->begin,
						 task->end, WP_PATH_ACTIVE, NULL, &error);
	WpTime right[WP_STATE_N] = {0}, own = 0, top = 0;

	g_assert_no_error(error);
	for (guint i = 0; i < path->segments->len; i++) {
		const WpSegment *s = &g_array_index(path->segments, WpSegment, i);

		right[s->state] += s->end - s->begin;
		if (s->host == task->host && s->task == task->task)
			own += s->end - s->begin;
		if (s->depth == 0)
			top += s->end - s->begin;
	}
	/*
	 * Where events were lost, those that a task waits for may be seen to wait for it: then
	 * the path comes back to it, and only that of its own level is told as its own.
	 */
	if (graph->hosts[task->host]->losses.n)
		own = top;
	for (guint i = 0; i < WP_STATE_N; i++)
		if (task->by_state[i] != right[i])
			g_test_fail_printf("task %u of %s, %" G_GINT64_FORMAT
					   " to %" G_GINT64_FORMAT ": %s is %" G_GINT64_FORMAT
					   ", not %" G_GINT64_FORMAT,
					   task->task, graph->hosts[task->host]->name, task->begin,
					   task->end, wp_state_key(i), task->by_state[i], right[i]);
	if (task->own != own)
		g_test_fail_printf("task %u of %s: own is %" G_GINT64_FORMAT
				   ", not %" G_GINT64_FORMAT,
				   task->task, graph->hosts[task->host]->name, task->own, own);
}

/* Of very many tasks some are looked at; the window too then is not walked by each. */
static void check_window(WpGraph *graph, WpTime begin, WpTime end, guint64 at_most)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(WpPrefix)
		prefix = wp_prefix_compute(graph, begin, end, WP_PATH_ACTIVE, NULL, &error);
	guint64 step;

	g_assert_no_error(error);
	step = prefix->n_tasks / at_most + 1;
	for (guint64 i = 0; i < prefix->n_tasks; i += step)
		check_task(graph, &prefix->tasks[i]);
}

static void test_scenario(gconstpointer data)
{
	const gchar *folder = data;
	g_autoptr(GError) error = NULL;
	g_autoptr(WpAnalysis) analysis = load(folder, &error);
	g_autoptr(GRand) random = g_rand_new_with_seed(1);
	WpTime begin, end;

	g_assert_no_error(error);
	wp_analysis_get_span(analysis, &begin, &end);
	check_window(analysis->graph, begin, end, 400);
	for (guint i = 0; i < 5; i++) {
		WpTime from = begin + (WpTime)(g_rand_double(random) * (gdouble)(end - begin));
		WpTime to = from + 1 + (WpTime)(g_rand_double(random) * (gdouble)(end - from));

		check_window(analysis->graph, from, MIN(to, end), 100);
	}
}

static void add_scenarios(const gchar *shared, const gchar *kind)
{
	g_autofree gchar *parent = g_build_filename(shared, "traces", kind, NULL);
	g_autoptr(GDir) dir = g_dir_open(parent, 0, NULL);
	const gchar *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree gchar *test = g_strdup_printf("/recorded-tasks/%s/%s", kind, name);
		gchar *folder = g_build_filename(parent, name, NULL);

		if (g_file_test(folder, G_FILE_TEST_IS_DIR))
			g_test_add_data_func_full(test, folder, test_scenario, g_free);
		else
			g_free(folder);
	}
}

static void test_none(void)
{
	g_test_skip("there are no shared traces (WAITPATH_SHARED)");
}

gint main(gint argc, gchar **argv)
{
	const gchar *shared = g_getenv("WAITPATH_SHARED");
	g_autofree gchar *recorded = NULL;

	g_test_init(&argc, &argv, NULL);
	if (shared)
		recorded = g_build_filename(shared, "traces", "recorded", NULL);
	if (recorded && g_file_test(recorded, G_FILE_TEST_IS_DIR)) {
		add_scenarios(shared, "recorded");
		add_scenarios(shared, "public");
	} else {
		g_test_add_func("/recorded-tasks/none", test_none);
	}
	return g_test_run();
}
