/* SPDX-License-Identifier: MIT */
/* test-viewer-data.c: what the viewer's panes show, on an execution known by hand. */
#include "config.h"

#include <string.h>

#include <glib/gstdio.h>

#include "base/error.h"
#include "tests/lib/random-graph.h"
#include "tests/lib/sample-graph.h"
#include "viewer/model/wpv-breakdown.h"
#include "viewer/model/wpv-facts.h"
#include "viewer/model/wpv-flame.h"
#include "viewer/model/wpv-search.h"
#include "viewer/model/wpv-segment-list.h"
#include "viewer/model/wpv-state.h"
#include "viewer/model/wpv-task-list.h"

#define MS SAMPLE_MS
#define AT(ms) SAMPLE_AT(ms)

static void graph_free(gpointer graph)
{
	wp_graph_free(graph);
}

static WpvDocument *document_new(WpGraph *graph)
{
	return wpv_document_new("sample", graph, graph->findings, NULL, graph, graph_free);
}

static WpvAnswer *answer_new(WpvDocument *document, guint32 host, WpId task)
{
	g_autoptr(GError) error = NULL;
	WpvQuestion question = {host, task, WP_TIME_MIN, WP_TIME_MAX, WP_PATH_ACTIVE};
	WpvAnswer *answer = wpv_answer_new(document, &question, NULL, &error);

	g_assert_no_error(error);
	return answer;
}

static WpvSession *session_new(void)
{
	g_autoptr(WpvDocument) document = document_new(wp_sample_graph_new());
	g_autoptr(WpvAnswer) answer = answer_new(document, SAMPLE_HOSTA, SAMPLE_CLIENT);
	WpvSession *session = wpv_session_new();

	wpv_session_set_document(session, document);
	wpv_session_set_answer(session, answer);
	return session;
}

/* ---- segments ---- */

static void assert_cell(WpvSegmentList *list, guint i, WpvColumn column, const gchar *expected)
{
	g_autoptr(WpvSegmentItem) item = g_list_model_get_item(G_LIST_MODEL(list), i);
	g_autofree gchar *text = wpv_segment_item_dup_text(item, column);

	g_assert_cmpstr(text, ==, expected);
}

static void on_items_changed(guint *n_signals)
{
	(*n_signals)++;
}

static void test_segments_of_path(void)
{
	g_autoptr(WpvSession) session = session_new();
	WpvAnswer *answer = wpv_session_get_answer(session);
	WpvDocument *document = wpv_session_get_document(session);
	g_autoptr(WpvSegmentList) list = wpv_segment_list_new();
	guint n, n_signals = 0;

	g_signal_connect_swapped(list, "items-changed", G_CALLBACK(on_items_changed), &n_signals);
	wpv_segment_list_set(list, document, answer, WPV_ROW_KEY_NONE, AT(0), AT(100));
	n = g_list_model_get_n_items(G_LIST_MODEL(list));
	g_assert_cmpuint(n, ==, wpv_answer_get_n_segments(answer));
	assert_cell(list, 0, WPV_COLUMN_BEGIN, "+0.000000000");
	assert_cell(list, 0, WPV_COLUMN_DURATION, "10.0 ms");
	assert_cell(list, 0, WPV_COLUMN_STATE, "running");
	assert_cell(list, 0, WPV_COLUMN_TASK, "client 183");
	assert_cell(list, 0, WPV_COLUMN_HOST, "hosta");
	assert_cell(list, 0, WPV_COLUMN_CPU, "0");
	assert_cell(list, n - 1, WPV_COLUMN_BEGIN, "+0.091000000");
	g_assert_null(g_list_model_get_item(G_LIST_MODEL(list), n));

	/* A part: from the one that holds 21 to the one that holds 79. */
	wpv_segment_list_set(list, document, answer, WPV_ROW_KEY_NONE, AT(21), AT(79));
	assert_cell(list, 0, WPV_COLUMN_HOST, "hostc");
	g_assert_cmpuint(wpv_segment_list_find(list, 0), ==, WP_NONE);
	g_autoptr(WpvSegmentItem) first = g_list_model_get_item(G_LIST_MODEL(list), 0);

	g_assert_cmpuint(wpv_segment_list_find(list, wpv_segment_item_get_index(first)), ==, 0);
	g_assert_cmpuint(n_signals, ==, 2);
	/* The same again is no change. */
	wpv_segment_list_set(list, document, answer, WPV_ROW_KEY_NONE, AT(21), AT(79));
	g_assert_cmpuint(n_signals, ==, 2);
	wpv_segment_list_set(list, document, answer, WPV_ROW_KEY_NONE, AT(200), AT(300));
	g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(list)), ==, 0);
	wpv_segment_list_set(list, NULL, NULL, WPV_ROW_KEY_NONE, AT(0), AT(100));
	g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(list)), ==, 0);
}

static void test_segments_of_row(void)
{
	g_autoptr(WpvSession) session = session_new();
	g_autoptr(WpvSegmentList) list = wpv_segment_list_new();
	const WpvRowKey cpu = {SAMPLE_HOSTA, 1, WPV_ROW_CPU};

	wpv_segment_list_set(list, wpv_session_get_document(session),
			     wpv_session_get_answer(session), cpu, AT(0), AT(100));
	/* Idle, the kernel thread, the worker in three parts, idle. */
	g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(list)), ==, 6);
	assert_cell(list, 0, WPV_COLUMN_STATE, "nothing");
	assert_cell(list, 0, WPV_COLUMN_DURATION, "30.0 ms");
	assert_cell(list, 0, WPV_COLUMN_TASK, "");
	assert_cell(list, 1, WPV_COLUMN_TASK, "kworker/1:0 17");
	assert_cell(list, 3, WPV_COLUMN_STATE, "interrupted");
	assert_cell(list, 5, WPV_COLUMN_BEGIN, "+0.050000000");

	g_autofree gchar *text = wpv_segment_list_dup_text(list, 2);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	g_assert_cmpstr(lines[0], ==, "Begin\tDuration\tState\tTask\tHost\tCPU\tCause");
	g_assert_true(g_str_has_prefix(lines[2], "+0.030000000\t4.00 ms\trunning\tkworker/1:0 17"));
	g_assert_cmpstr(lines[3], ==, "(4 more)");
}

/* ---- flame ---- */

static void assert_frame(const WpvFlame *flame, WpGraph *graph, guint depth, WpTime at,
			 const gchar *name, WpTime time)
{
	guint32 i = wpv_flame_find(flame, depth, at);

	g_assert_cmpuint(i, !=, WP_NONE);
	g_autofree gchar *found = wpv_flame_dup_name(flame, i, graph);

	g_assert_cmpstr(found, ==, name);
	g_assert_cmpint(g_array_index(flame->frames, WpvFrame, i).time, ==, time);
}

static void test_flame(void)
{
	g_autoptr(WpvSession) session = session_new();
	WpGraph *graph = wpv_document_get_graph(wpv_session_get_document(session));
	g_autoptr(WpvFlame)
		flame = wpv_flame_new(wpv_answer_get_path(wpv_session_get_answer(session)));

	/* client waits for front, which waits for back; the greatest lies first. */
	g_assert_cmpuint(flame->n_levels, ==, 4);
	assert_frame(flame, graph, 0, 0, "client@hosta", 100 * MS);
	assert_frame(flame, graph, 1, 0, "front@hostb", 78 * MS);
	assert_frame(flame, graph, 2, 0, "back@hostc", 58 * MS);
	assert_frame(flame, graph, 3, 0, "running", 56 * MS);
	assert_frame(flame, graph, 3, 56 * MS, "waiting for the network", 2 * MS);
	assert_frame(flame, graph, 2, 58 * MS, "running", 16 * MS);
	assert_frame(flame, graph, 1, 78 * MS, "running", 19 * MS);
	g_assert_cmpuint(wpv_flame_find(flame, 3, 60 * MS), ==, WP_NONE);
	g_assert_cmpuint(wpv_flame_find(flame, 4, 0), ==, WP_NONE);
	g_assert_cmpuint(wpv_flame_find(flame, 0, 100 * MS), ==, WP_NONE);
	g_assert_cmpint(g_array_index(flame->frames, WpvFrame, wpv_flame_find(flame, 2, 0)).first,
			==, AT(20));
}

/* On random paths: children lie inside their parents, side by side; tips add up to the whole. */
static void test_flame_of_random_graphs(void)
{
	for (guint32 seed = 1; seed <= 30; seed++) {
		g_autoptr(WpvDocument)
			document = document_new(wp_random_graph_new(seed, 300, WP_RANDOM_WORK));
		g_autoptr(WpvAnswer) answer = answer_new(document, 0, 0);
		g_autoptr(WpvFlame) flame = wpv_flame_new(wpv_answer_get_path(answer));
		WpTime tips = 0;

		for (guint i = 0; i < flame->frames->len; i++) {
			const WpvFrame *frame = &g_array_index(flame->frames, WpvFrame, i);
			const WpvFrame *before = i ? frame - 1 : NULL;

			g_assert_cmpint(frame->time, >, 0);
			if (frame->state != WP_SERIES_EMPTY)
				tips += frame->time;
			if (before && before->depth == frame->depth)
				g_assert_cmpint(before->begin + before->time, <=, frame->begin);
			if (frame->parent == WP_NONE)
				continue;
			const WpvFrame *parent = &g_array_index(flame->frames, WpvFrame,
								frame->parent);

			g_assert_cmpuint(frame->parent, <, i);
			g_assert_cmpuint(parent->depth + 1, ==, frame->depth);
			g_assert_cmpint(frame->begin, >=, parent->begin);
			g_assert_cmpint(frame->begin + frame->time, <=,
					parent->begin + parent->time);
		}
		g_assert_cmpint(tips, ==, flame->time);
	}
}

/* ---- breakdown ---- */

static WpvBreakdown *breakdown_new(WpvSession *session, WpvBy by, gint begin, gint end,
				   gint other_begin, gint other_end)
{
	WpvAnswer *answer = wpv_session_get_answer(session);
	WpGraph *graph = wpv_document_get_graph(wpv_session_get_document(session));
	g_autoptr(WpPath) part = wpv_answer_dup_part(answer, AT(begin), AT(end));
	g_autoptr(WpPath) other = wpv_answer_dup_part(answer, AT(other_begin), AT(other_end));
	WpvBreakdown *breakdown = wpv_breakdown_new(graph, part, other, by, NULL, NULL);

	g_assert_nonnull(breakdown);
	return breakdown;
}

static void assert_row(const WpvBreakdown *breakdown, guint i, const gchar *name, WpTime time,
		       WpTime other)
{
	const WpvBreakdownRow *row = &g_array_index(breakdown->rows, WpvBreakdownRow, i);

	g_assert_cmpstr(row->name, ==, name);
	g_assert_cmpint(row->time, ==, time);
	g_assert_cmpint(row->other, ==, other);
}

static void test_breakdown(void)
{
	g_autoptr(WpvSession) session = session_new();
	g_autoptr(WpvBreakdown) tasks = breakdown_new(session, WPV_BY_TASK, 0, 100, 0, 0);
	g_autoptr(WpvBreakdown) states = breakdown_new(session, WPV_BY_STATE, 0, 100, 0, 0);
	g_autoptr(WpvBreakdown) hosts = breakdown_new(session, WPV_BY_HOST, 20, 80, 0, 0);
	g_autoptr(WpvBreakdown) causes = breakdown_new(session, WPV_BY_CAUSE, 0, 100, 0, 0);
	const WpvBreakdownRow *row;
	WpTime sum = 0;

	g_assert_cmpuint(tasks->rows->len, ==, 3);
	assert_row(tasks, 0, "back 305 @ hostc", 58 * MS, 0);
	assert_row(tasks, 1, "client 183 @ hosta", 22 * MS, 0);
	assert_row(tasks, 2, "front 201 @ hostb", 20 * MS, 0);
	row = &g_array_index(tasks->rows, WpvBreakdownRow, 0);
	g_assert_cmpuint(row->state, ==, WP_STATE_RUNNING);
	g_assert_cmpint(row->by_state[WP_STATE_NETWORK], ==, 2 * MS);
	g_assert_cmpint(row->first, ==, AT(20));

	assert_row(states, 0, "running", 91 * MS, 0);
	assert_row(states, 1, "waiting for the network", 8 * MS, 0);
	assert_row(states, 2, "woken, waiting for a CPU", 1 * MS, 0);
	/* Of 20 to 80 all but the last flight is hostc's. */
	assert_row(hosts, 0, "hostc", 58 * MS, 0);
	assert_row(hosts, 1, "hostb", 2 * MS, 0);

	for (guint i = 0; i < causes->rows->len; i++)
		sum += g_array_index(causes->rows, WpvBreakdownRow, i).time;
	g_assert_cmpint(sum, ==, 100 * MS);
	/* What front waited for: its request's answer came from back. */
	gboolean found = FALSE;

	for (guint i = 0; i < causes->rows->len; i++) {
		row = &g_array_index(causes->rows, WpvBreakdownRow, i);
		found |= g_str_equal(row->name, "packets from back@hostc") && row->time == 2 * MS;
	}
	g_assert_true(found);
}

static void test_breakdown_compares(void)
{
	g_autoptr(WpvSession) session = session_new();
	g_autoptr(WpvBreakdown) tasks = breakdown_new(session, WPV_BY_TASK, 0, 40, 60, 100);

	g_assert_true(tasks->compared);
	g_assert_cmpint(tasks->other, ==, 40 * MS);
	/* client: 10 against 12; front: 10 against 10; back: 20 against 18. */
	assert_row(tasks, 0, "back 305 @ hostc", 20 * MS, 18 * MS);
	assert_row(tasks, 1, "client 183 @ hosta", 10 * MS, 12 * MS);
	assert_row(tasks, 2, "front 201 @ hostb", 10 * MS, 10 * MS);
}

static void on_breakdown(GObject *source, GAsyncResult *result, gpointer data)
{
	WpvBreakdown **breakdown = data;
	g_autoptr(GError) error = NULL;

	*breakdown = wpv_breakdown_new_finish(result, &error);
	g_assert_no_error(error);
}

static void test_breakdown_by_a_thread(void)
{
	g_autoptr(WpvSession) session = session_new();
	g_autoptr(WpvBreakdown) breakdown = NULL;

	wpv_breakdown_new_async(wpv_session_get_document(session), wpv_session_get_answer(session),
				WPV_BY_HOST, AT(0), AT(100), 0, 0, NULL, on_breakdown, &breakdown);
	while (!breakdown)
		g_main_context_iteration(NULL, TRUE);
	assert_row(breakdown, 0, "hostc", 58 * MS, 0);
}

/* More rows than are shown are put together, and nothing is lost. */
static void test_breakdown_is_bounded(void)
{
	const guint n = 2000;
	g_autoptr(WpvDocument) document = document_new(wp_large_graph_new(n, n));
	WpPath path = {.begin = 0, .end = n};
	g_autoptr(WpvBreakdown) breakdown = NULL;
	WpTime sum = 0;

	wp_segments_init(&path.segments, NULL);
	for (guint i = 0; i < n; i++) {
		WpSegment segment = {.begin = i,
				     .end = i + 1,
				     .task = i,
				     .cause = WP_NONE,
				     .state = WP_STATE_RUNNING};

		g_assert_true(wp_segments_add(&path.segments, &segment, NULL));
	}
	breakdown = wpv_breakdown_new(wpv_document_get_graph(document), &path, NULL, WPV_BY_TASK,
				      NULL, NULL);
	g_assert_cmpuint(breakdown->rows->len, ==, WPV_BREAKDOWN_MAX);
	for (guint i = 0; i < breakdown->rows->len; i++)
		sum += g_array_index(breakdown->rows, WpvBreakdownRow, i).time;
	g_assert_cmpint(sum, ==, n);
	assert_row(breakdown, WPV_BREAKDOWN_MAX - 1, "1501 others", 1501, 0);
	wp_segments_clear(&path.segments);
}

/* ---- facts ---- */

static const WpvFact *find_fact(GPtrArray *facts, const gchar *label)
{
	for (guint i = 0; i < facts->len; i++) {
		const WpvFact *fact = g_ptr_array_index(facts, i);

		if (g_str_equal(fact->label, label))
			return fact;
	}
	g_assert_not_reached();
}

static void test_facts(void)
{
	g_autoptr(WpvSession) session = session_new();
	g_autoptr(GPtrArray) facts = NULL;
	const WpvFact *fact;

	/* back running, for front and so for client. */
	wpv_session_select_at(session, WPV_ROW_KEY_NONE, AT(50));
	facts = wpv_facts_of_item(session, wpv_session_get_item(session));
	g_assert_cmpstr(find_fact(facts, "State")->text, ==, "running, 56.0 ms, 56 % of the path");
	g_assert_cmpstr(find_fact(facts, "Task")->text, ==, "back 305 on hostc");
	g_assert_cmpstr(find_fact(facts, "CPU")->text, ==, "0");
	g_assert_cmpstr(find_fact(facts, "Time")->text, ==, "+0.022000000 to +0.078000000 s");
	fact = find_fact(facts, "Waited for by");
	g_assert_cmpstr(fact->text, ==, "front 201 on hostb");
	fact = find_fact(facts, "");
	g_assert_cmpstr(fact->text, ==, "client 183 on hosta");
	/* The link leads there. */
	fact = find_fact(facts, "After");
	g_assert_nonnull(strstr(fact->text, "front 201 on hostb, waiting for the network"));
	wpv_fact_follow(session, fact);
	g_assert_cmpuint(wpv_session_get_item(session)->row.host, ==, SAMPLE_HOSTB);
	g_assert_cmpint(wpv_session_get_item(session)->begin, ==, AT(78));

	g_ptr_array_unref(facts);
	facts = wpv_facts_of_item(session, wpv_session_get_item(session));
	fact = find_fact(facts, "Why");
	g_assert_nonnull(strstr(fact->text, "back@hostc"));
	g_assert_cmpstr(find_fact(facts, "Flow")->text, ==, "tcp 10.0.0.3:5300 > 10.0.0.2:53000");
	g_assert_cmpstr(find_fact(facts, "Packet")->text, ==, "64 bytes");
	wpv_fact_follow(session, fact);
	g_assert_cmpuint(wpv_session_get_item(session)->row.host, ==, SAMPLE_HOSTC);
}

static void test_facts_off_the_path(void)
{
	g_autoptr(WpvSession) session = session_new();
	g_autoptr(GPtrArray) facts = NULL;

	wpv_session_select_at(session, wpv_row_key_thread(SAMPLE_HOSTA, SAMPLE_POOL_WORKER),
			      AT(10));
	facts = wpv_facts_of_item(session, wpv_session_get_item(session));
	g_assert_cmpstr(find_fact(facts, "State")->text, ==, "blocked, 32.0 ms");
	g_assert_nonnull(strstr(find_fact(facts, "Why")->text, "woken by kworker/1:0"));
	g_assert_cmpstr(find_fact(facts, "After")->text, ==,
			"pool-worker 401 on hosta, woken, waiting for a CPU, 2.00 ms");
	g_ptr_array_unref(facts);
	wpv_session_select_none(session);
	facts = wpv_facts_of_item(session, wpv_session_get_item(session));
	g_assert_cmpuint(facts->len, ==, 0);
}

static void test_tooltips(void)
{
	g_autoptr(WpvSession) session = session_new();
	const WpvRowKey worker = wpv_row_key_thread(SAMPLE_HOSTA, SAMPLE_POOL_WORKER);
	g_autofree gchar *one = wpv_tooltip_text(session, worker, AT(36), AT(37));
	g_autofree gchar *many = wpv_tooltip_text(session, worker, AT(30), AT(45));
	g_autofree gchar *band = wpv_tooltip_text(session, WPV_ROW_KEY_NONE, AT(50), AT(51));
	g_autofree gchar *none = wpv_tooltip_text(
		session, (WpvRowKey){SAMPLE_HOSTA, 0, WPV_ROW_CPUS}, AT(50), AT(51));
	g_autofree gchar *words = NULL;

	g_assert_true(g_str_has_prefix(one, "pool-worker 401 on hosta\nrunning, 6.00 ms"));
	g_assert_cmpstr(many, ==,
			"pool-worker 401: 5 segments here\nrunning 10.0 ms\ninterrupted 1.00 ms\n"
			"woken, waiting for a CPU 2.00 ms\nblocked 2.00 ms");
	g_assert_true(
		g_str_has_prefix(band, "back 305 on hostc\nrunning, 56.0 ms, 56 % of the path"));
	g_assert_null(none);

	wpv_session_select_at(session, WPV_ROW_KEY_NONE, AT(50));
	words = wpv_item_dup_words(session, wpv_session_get_item(session));
	g_assert_cmpstr(words, ==, "running, 56.0 ms, back 305 on hostc, on the path");
}

/* ---- search, tasks ---- */

static void search_for(WpvSearch *search, const gchar *text)
{
	wpv_search_set_text(search, text);
	while (wpv_search_is_running(search))
		g_main_context_iteration(NULL, TRUE);
}

static void test_search(void)
{
	g_autoptr(WpvSession) session = session_new();
	g_autoptr(WpvSearch) search = wpv_search_new(session);

	search_for(search, "POOL");
	g_assert_cmpuint(wpv_search_get_n(search), ==, 3);
	g_assert_true(wpv_search_step(search, 1));
	g_assert_cmpuint(wpv_session_get_item(session)->row.id, ==, SAMPLE_POOL);
	g_assert_true(wpv_search_step(search, -1));
	g_assert_cmpuint(wpv_session_get_item(session)->row.id, ==, SAMPLE_POOL_IDLE);
	g_assert_true(wpv_search_step(search, 1));
	g_assert_cmpuint(wpv_search_get_at(search), ==, 0);

	/* The name of a task, and the segments that wait for its packets. */
	search_for(search, "back");
	g_assert_cmpuint(wpv_search_get_n(search), >, 1);
	g_assert_true(wpv_search_step(search, 1));
	g_assert_cmpuint(wpv_session_get_item(session)->row.host, ==, SAMPLE_HOSTC);
	g_assert_true(wpv_search_step(search, 1));
	g_assert_cmpuint(wpv_session_get_item(session)->piece, !=, WP_NONE);

	search_for(search, "no such thing");
	g_assert_cmpuint(wpv_search_get_n(search), ==, 0);
	g_assert_false(wpv_search_step(search, 1));
	search_for(search, "");
	g_assert_cmpuint(wpv_search_get_n(search), ==, 0);
}

static void test_tasks(void)
{
	g_autoptr(WpvDocument) document = document_new(wp_sample_graph_new());
	g_autoptr(WpvTaskList) list = wpv_task_list_new();
	g_autoptr(WpvTaskItem) item = NULL;
	g_autofree gchar *name = NULL;
	WpvRowKey row;

	g_assert_false(wpv_task_list_guess(list, &row));
	wpv_task_list_set_document(list, document);
	while (!wpv_task_list_is_ready(list))
		g_main_context_iteration(NULL, TRUE);
	g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(list)), ==, 8);
	/* Of the client's time 78 ms lie on others, more than of any other task's. */
	g_assert_true(wpv_task_list_guess(list, &row));
	g_assert_true(wpv_row_key_equal(row, wpv_row_key_thread(SAMPLE_HOSTA, SAMPLE_CLIENT)));
	item = g_list_model_get_item(G_LIST_MODEL(list), 0);
	name = wpv_task_item_dup_name(item);
	g_assert_cmpstr(name, ==, "client (183) @ hosta");
	g_assert_cmpint(wpv_task_item_get_time(item), ==, 100 * MS);
	g_assert_cmpint(wpv_task_item_get_others(item), ==, 78 * MS);
	wpv_task_list_set_text(list, "hostC");
	g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(list)), ==, 1);
	wpv_task_list_set_document(list, NULL);
	g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(list)), ==, 0);
}

/* ---- states ---- */

static gchar *temporary_path(const gchar *name)
{
	g_autofree gchar *folder = g_dir_make_tmp("waitpath-test-XXXXXX", NULL);

	return g_build_filename(folder, "below", name, NULL);
}

static void remove_path(const gchar *path)
{
	g_autofree gchar *below = g_path_get_dirname(path);
	g_autofree gchar *folder = g_path_get_dirname(below);

	g_unlink(path);
	g_rmdir(below);
	g_rmdir(folder);
}

static void test_view_is_kept(void)
{
	g_autoptr(WpvSession) session = session_new();
	g_autoptr(WpvSession) again = session_new();
	g_autofree gchar *path = temporary_path("view.xml");
	g_autoptr(GError) error = NULL;
	WpvRowFilter filter = {
		.all_tasks = TRUE, .cpus = TRUE, .sort = WPV_SORT_NAME, .text = (gchar *)"<&\"o"};
	WpTime begin, end, time;
	WpvQuestion question;
	gboolean has;

	wpv_session_set_filter(session, &filter);
	wpv_session_show(session, AT(20), AT(40), WPV_STEP_ALONE);
	wpv_session_set_selection(session, AT(25), AT(30));
	wpv_session_set_marker(session, 1, AT(27));
	wpv_session_add_bookmark(session, AT(28), "here & <there>");
	wpv_session_set_dimmed(session, 1u << WP_STATE_DISK);
	wpv_session_set_row_height(session, 40);
	wpv_session_set_arrows(session, WPV_ARROWS_NONE);
	wpv_row_list_set_pinned(wpv_session_get_rows(session),
				(WpvRowKey){SAMPLE_HOSTA, 2, WPV_ROW_PROCESS}, TRUE);
	wpv_row_list_set_pinned(wpv_session_get_rows(session),
				(WpvRowKey){SAMPLE_HOSTB, 1, WPV_ROW_CPU}, TRUE);
	wpv_state_save_view(session, path, &error);
	g_assert_no_error(error);

	g_assert_true(wpv_state_load_view(again, path, &question, &has));
	g_assert_true(has);
	g_assert_cmpuint(question.task, ==, SAMPLE_CLIENT);
	g_assert_cmpint(question.end, ==, AT(100));
	g_assert_true(wpv_row_filter_equal(wpv_session_get_filter(again), &filter));
	wpv_session_get_visible(again, &begin, &end);
	g_assert_cmpint(begin, ==, AT(20));
	g_assert_cmpint(end, ==, AT(40));
	g_assert_true(wpv_session_get_selection(again, &begin, &end));
	g_assert_cmpint(begin, ==, AT(25));
	g_assert_true(wpv_session_get_marker(again, 1, &time));
	g_assert_false(wpv_session_get_marker(again, 0, &time));
	g_assert_cmpstr(g_array_index(wpv_session_get_bookmarks(again), WpvBookmark, 0).name, ==,
			"here & <there>");
	g_assert_cmpuint(wpv_session_get_dimmed(again), ==, 1u << WP_STATE_DISK);
	g_assert_cmpint(wpv_session_get_row_height(again), ==, 40);
	g_assert_cmpint(wpv_session_get_arrows(again), ==, WPV_ARROWS_NONE);
	g_assert_true(wpv_row_list_is_pinned(wpv_session_get_rows(again),
					     (WpvRowKey){SAMPLE_HOSTA, 2, WPV_ROW_PROCESS}));
	g_assert_true(wpv_row_list_is_pinned(wpv_session_get_rows(again),
					     (WpvRowKey){SAMPLE_HOSTB, 1, WPV_ROW_CPU}));
	remove_path(path);
}

static void test_settings_are_kept(void)
{
	g_autoptr(WpvSession) session = wpv_session_new();
	g_autoptr(WpvSession) again = wpv_session_new();
	g_autofree gchar *path = temporary_path("viewer.xml");
	WpvSettings settings, read;
	const gchar *const one[] = {"/a <b>", "/c", NULL}, *const two[] = {"/d", NULL};
	GdkRGBA colour = {0.0f, 1.0f, 0.0f, 1.0f};

	wpv_settings_init(&settings);
	wpv_settings_init(&read);
	settings.width = 1234;
	settings.height = 777;
	settings.maximized = TRUE;
	settings.scheme = WPV_SCHEME_DARK;
	for (guint i = 0; i < 2; i++) {
		wpv_settings_add_recent(&settings, one);
		wpv_settings_add_recent(&settings, two);
	}
	wpv_style_set_palette(wpv_session_get_style(session), WPV_PALETTE_COLOUR_BLIND);
	wpv_style_set_own_colour(wpv_session_get_style(session), WP_STATE_TIMER, &colour);
	g_assert_true(wpv_state_save_settings(&settings, session, path, NULL));
	wpv_state_load_settings(&read, again, path);
	g_assert_cmpint(read.width, ==, 1234);
	g_assert_cmpint(read.height, ==, 777);
	g_assert_true(read.maximized);
	g_assert_cmpint(read.scheme, ==, WPV_SCHEME_DARK);
	/* The latest first, and none twice. */
	g_assert_cmpuint(read.recent->len, ==, 2);
	g_assert_cmpstrv(g_ptr_array_index(read.recent, 0), two);
	g_assert_cmpstrv(g_ptr_array_index(read.recent, 1), one);
	wpv_settings_clear(&settings);
	wpv_settings_clear(&read);
	g_assert_cmpint(wpv_style_get_palette(wpv_session_get_style(again)), ==,
			WPV_PALETTE_COLOUR_BLIND);
	g_assert_true(gdk_rgba_equal(
		wpv_style_get_own_colour(wpv_session_get_style(again), WP_STATE_TIMER), &colour));
	remove_path(path);
}

/* Whatever is in the file, nothing breaks; what makes no sense is left out. */
static void test_damaged_states(void)
{
	static const gchar *const texts[] = {
		"",
		"<view",
		"<other version=\"1\"/>",
		"<view version=\"2\"><visible begin=\"1\" end=\"2\"/></view>",
		"<view version=\"1\"><visible begin=\"x\" end=\"\"/><visible/><task/><pin/>"
		"<pin kind=\"cpu\" host=\"hosta\" id=\"99\"/>"
		"<pin kind=\"cpu\" host=\"hosta\" id=\"-1\"/>"
		"<pin kind=\"thread\" host=\"hosta\" tid=\"1\" generation=\"0\"/>"
		"<pin kind=\"process\" host=\"hosta\" tid=\"17\" generation=\"0\"/>"
		"<bookmark time=\"99999999999999999999\" name=\"x\"/><marker which=\"7\" "
		"time=\"1772442049010000000\"/><dimmed state=\"none\"/><dimmed/>"
		"<task host=\"nowhere\" tid=\"183\" generation=\"0\" begin=\"1\" end=\"2\"/>"
		"<filter sort=\"none\"/><display row-height=\"-5\"/>"
		"<selection begin=\"5\" end=\"5\"/></view>",
	};
	g_autofree gchar *path = temporary_path("view.xml");
	g_autofree gchar *folder = g_path_get_dirname(path);

	g_mkdir(folder, 0700);
	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(WpvSession) session = session_new();
		WpvSettings settings;
		WpvQuestion question;
		WpTime begin, end;
		gboolean has;

		g_assert_true(g_file_set_contents(path, texts[i], -1, NULL));
		g_assert_cmpint(wpv_state_load_view(session, path, &question, &has), ==,
				i + 1 == G_N_ELEMENTS(texts));
		g_assert_false(has);
		wpv_session_get_visible(session, &begin, &end);
		g_assert_cmpint(begin, ==, AT(0));
		g_assert_cmpuint(wpv_row_list_get_pinned(wpv_session_get_rows(session))->len, ==,
				 0);
		g_assert_cmpuint(wpv_session_get_bookmarks(session)->len, ==, 0);
		wpv_settings_init(&settings);
		wpv_state_load_settings(&settings, session, path);
		g_assert_cmpint(settings.width, ==, 1200);
		wpv_settings_clear(&settings);
	}
	remove_path(path);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/viewer/data/segments-of-path", test_segments_of_path);
	g_test_add_func("/viewer/data/segments-of-row", test_segments_of_row);
	g_test_add_func("/viewer/data/flame", test_flame);
	g_test_add_func("/viewer/data/flame-of-random-graphs", test_flame_of_random_graphs);
	g_test_add_func("/viewer/data/breakdown", test_breakdown);
	g_test_add_func("/viewer/data/breakdown-compares", test_breakdown_compares);
	g_test_add_func("/viewer/data/breakdown-by-a-thread", test_breakdown_by_a_thread);
	g_test_add_func("/viewer/data/breakdown-is-bounded", test_breakdown_is_bounded);
	g_test_add_func("/viewer/data/facts", test_facts);
	g_test_add_func("/viewer/data/facts-off-the-path", test_facts_off_the_path);
	g_test_add_func("/viewer/data/tooltips", test_tooltips);
	g_test_add_func("/viewer/data/search", test_search);
	g_test_add_func("/viewer/data/tasks", test_tasks);
	g_test_add_func("/viewer/data/view-is-kept", test_view_is_kept);
	g_test_add_func("/viewer/data/settings-are-kept", test_settings_are_kept);
	g_test_add_func("/viewer/data/damaged-states", test_damaged_states);
	return g_test_run();
}
