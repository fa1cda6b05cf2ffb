/* SPDX-License-Identifier: MIT */
/*
 * test-recorded-tasks.c: the totals of all tasks of the recorded and public traces, from
 * one pass, and whom they waited for, against the path of each task; and the same in random
 * windows, more than ten thousand over all traces, half of which end in the midst of a wait.
 */
#include "config.h"

#include <math.h>

#include "path/edge.h"
#include "path/prefix.h"
#include "session/session.h"

#define N_WINDOWS 300 /* of each trace */
#define TASKS_A_WINDOW 8

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
	for (guint i = 0; i < path->segments.n; i++) {
		const WpSegment *s = wp_path_segment(path, i);

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

/* Whom a task waited for is what its path says. */
static void check_waited(WpGraph *graph, const GArray *all, const WpPrefixTask *task)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(WpPath) path = wp_path_compute(graph, task->host, task->task, task->begin,
						 task->end, WP_PATH_ACTIVE, NULL, &error);
	WpTime sum = 0, others = 0;
	guint n;
	const WpWaited *waited = wp_waited_find(all, (WpTaskRef){task->host, task->task}, &n);

	g_assert_no_error(error);
	for (guint i = 0; i < path->segments.n; i++) {
		const WpSegment *s = wp_path_segment(path, i);

		if (s->host != task->host || s->task != task->task)
			others += s->end - s->begin;
	}
	for (guint i = 0; i < n; i++) {
		WpTime right = 0;

		for (guint j = 0; j < path->segments.n; j++) {
			const WpSegment *s = wp_path_segment(path, j);

			if (s->host == waited[i].holder.host && s->task == waited[i].holder.task)
				right += s->end - s->begin;
		}
		g_assert_cmpint(waited[i].time, ==, right);
		sum += right;
	}
	g_assert_cmpint(sum, ==, others);
}

/* Of very many tasks some are looked at, a different part each time. */
static void check_window(WpGraph *graph, WpTime begin, WpTime end, guint64 at_most, guint offset)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(WpPrefix) prefix = wp_prefix_compute_rests(graph, begin, end, NULL, &error);
	g_autoptr(GArray) refs = g_array_new(FALSE, FALSE, sizeof(WpTaskRef));
	guint64 step;

	g_assert_no_error(error);
	step = prefix->n_tasks / at_most + 1;
	for (guint64 i = offset % step; i < prefix->n_tasks; i += step) {
		WpTaskRef ref = {prefix->tasks[i].host, prefix->tasks[i].task};

		g_array_append_val(refs, ref);
	}

	g_autoptr(GArray) waited = wp_prefix_find_waited(
		prefix, (const WpTaskRef *)(gpointer)refs->data, refs->len, NULL, &error);

	g_assert_no_error(error);
	for (guint64 i = offset % step; i < prefix->n_tasks; i += step) {
		check_task(graph, &prefix->tasks[i]);
		check_waited(graph, waited, &prefix->tasks[i]);
	}
}

/* A moment within a random wait of a random host; WP_TIME_MIN where there is none near. */
static WpTime within_wait(WpGraph *graph, GRand *random)
{
	guint h = (guint)g_rand_int_range(random, 0, (gint32)graph->n_hosts);
	const WpHost *host = graph->hosts[h];
	guint64 n = MIN(host->vertices.n, G_MAXINT32);

	for (guint tries = 0; n > 0 && tries < 1000; tries++) {
		const WpId next = (WpId)g_rand_int_range(random, 0, (gint32)n);
		const WpId id = wp_host_vertex(host, next)->prev;
		const WpVertex *v = id < host->vertices.n ? wp_host_vertex(host, id) : NULL;
		WpTime begin, end;

		if (!v || v->cause == WP_NONE || !wp_state_is_wait(v->state))
			continue;
		begin = wp_host_vertex_time(host, id);
		end = wp_host_vertex_time(host, next);
		if (end > begin)
			return wp_graph_time(
				graph, h,
				begin + (WpTime)(g_rand_double(random) * (gdouble)(end - begin)));
	}
	return WP_TIME_MIN;
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
	check_window(analysis->graph, begin, end, 2000, 0);
	for (guint i = 0; i < N_WINDOWS && !g_test_failed(); i++) {
		/* As many short ones as long ones. */
		gdouble length = pow(0.5, 10 * g_rand_double(random)) * (gdouble)(end - begin);
		WpTime to = begin + 1 + (WpTime)(g_rand_double(random) * (gdouble)(end - begin));
		WpTime wait = i % 2 ? within_wait(analysis->graph, random) : WP_TIME_MIN;

		if (wait > begin)
			to = wait;
		check_window(analysis->graph, to - 1 - (WpTime)length, to, TASKS_A_WINDOW, i);
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
