/* SPDX-License-Identifier: MIT */
/* test-viewer-model.c: the viewer without widgets, on an execution known by hand. */
#include "config.h"

#include <math.h>

#include "base/error.h"
#include "tests/lib/random-graph.h"
#include "tests/lib/sample-graph.h"
#include "viewer/model/wpv-session.h"

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

static WpvDocument *sample_new(void)
{
	g_autoptr(GError) error = NULL;
	WpGraph *graph = wp_sample_graph_new();

	for (guint h = 0; h < graph->n_hosts; h++) {
		wp_host_check(graph->hosts[h], &error);
		g_assert_no_error(error);
	}
	return document_new(graph);
}

static WpvAnswer *answer_new(WpvDocument *document, guint32 host, WpId task)
{
	g_autoptr(GError) error = NULL;
	WpvQuestion question = {host, task, WP_TIME_MIN, WP_TIME_MAX, WP_PATH_ACTIVE};
	WpvAnswer *answer;

	wpv_document_get_span(document, &question.begin, &question.end);
	answer = wpv_answer_new(document, &question, NULL, &error);
	g_assert_no_error(error);
	return answer;
}

/* A session with the path of the client. */
static WpvSession *session_new(void)
{
	g_autoptr(WpvDocument) document = sample_new();
	g_autoptr(WpvAnswer) answer = answer_new(document, SAMPLE_HOSTA, SAMPLE_CLIENT);
	WpvSession *session = wpv_session_new();

	wpv_session_set_document(session, document);
	wpv_session_set_answer(session, answer);
	return session;
}

/* "host" or "name", one a row, indented by depth, to be compared as a whole. */
static gchar *rows_text(WpvSession *session)
{
	WpvRowList *rows = wpv_session_get_rows(session);
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < wpv_row_list_get_n(rows); i++) {
		const WpvRow *row = wpv_row_list_get(rows, i);
		g_autofree gchar *name = wpv_document_dup_row_name(
			wpv_session_get_document(session), row->key);

		g_string_append_printf(text, "%*s%s%s%s\n", row->depth, "", row->pinned ? "^" : "",
				       row->expandable && !row->expanded ? "+" : "", name);
	}
	return g_string_free(text, FALSE);
}

static void assert_rows(WpvSession *session, const gchar *expected)
{
	g_autofree gchar *text = rows_text(session);

	g_assert_cmpstr(text, ==, expected);
}

/* ---- document ---- */

static void test_document(void)
{
	g_autoptr(WpvDocument) document = sample_new();
	WpTime begin, end;

	wpv_document_get_span(document, &begin, &end);
	g_assert_cmpint(begin, ==, AT(0));
	g_assert_cmpint(end, ==, AT(100));

	const GArray *processes = wpv_document_get_processes(document, SAMPLE_HOSTA);
	const WpvProcess *pool = wpv_document_get_process(document, SAMPLE_HOSTA, 2);

	/* By their pid: daemon, client, pool. */
	g_assert_cmpuint(processes->len, ==, 3);
	g_assert_cmpint(wpv_document_get_process(document, SAMPLE_HOSTA, 0)->pid, ==, 90);
	g_assert_cmpint(pool->pid, ==, 400);
	g_assert_cmpuint(pool->n, ==, 3);
	g_assert_cmpuint(pool->leader, ==, SAMPLE_POOL);
	g_assert_cmpuint(wpv_document_find_process(document, SAMPLE_HOSTA, SAMPLE_POOL_IDLE), ==,
			 2);
	g_assert_cmpuint(wpv_document_find_process(document, SAMPLE_HOSTA, SAMPLE_KWORKER), ==,
			 WP_NONE);
	g_assert_cmpuint(wpv_document_get_kernel_threads(document, SAMPLE_HOSTA)->len, ==, 1);
}

static void assert_times(const WpLod *lod, WpTime begin, WpTime end, WpState state, WpTime expected)
{
	guint64 times[WP_SERIES_STATES];

	wp_lod_times(lod, begin, end, times);
	g_assert_cmpint((WpTime)times[state], ==, expected);
}

static void test_rows_of_cpus(void)
{
	g_autoptr(WpvDocument) document = sample_new();
	const WpvRowKey cpu = {SAMPLE_HOSTA, 1, WPV_ROW_CPU};
	const WpvRowKey interrupts = {SAMPLE_HOSTA, 1, WPV_ROW_INTERRUPTS};
	const WpvRowKey thread = {SAMPLE_HOSTA, SAMPLE_POOL_WORKER, WPV_ROW_THREAD};
	WpLod *lod = wpv_document_get_lod(document, thread, FALSE);

	/* Short rows come at once. */
	g_assert_nonnull(lod);
	assert_times(lod, AT(0), AT(100), WP_STATE_BLOCKED, 82 * MS);
	assert_times(lod, AT(0), AT(100), WP_STATE_RUNNING, 15 * MS);
	assert_times(lod, AT(30), AT(33), WP_STATE_RUNNABLE, 1 * MS);

	/* On CPU 1 the kernel thread runs from 30 to 34, then the worker to 50. */
	lod = wpv_document_get_lod(document, cpu, TRUE);
	g_assert_nonnull(lod);
	assert_times(lod, AT(0), AT(100), WP_STATE_RUNNING, 19 * MS);
	assert_times(lod, AT(0), AT(100), WP_STATE_IRQ, 1 * MS);
	assert_times(lod, AT(0), AT(100), (WpState)WP_SERIES_EMPTY, 80 * MS);
	lod = wpv_document_get_lod(document, interrupts, TRUE);
	assert_times(lod, AT(0), AT(100), WP_STATE_RUNNING, 0);
	assert_times(lod, AT(0), AT(100), WP_STATE_IRQ, 1 * MS);
	g_assert_null(
		wpv_document_get_lod(document, (WpvRowKey){SAMPLE_HOSTA, 0, WPV_ROW_HOST}, TRUE));
	g_assert_cmpuint(wpv_document_get_lod_bytes(document), >, 0);
}

static void on_flag(gboolean *flag)
{
	*flag = TRUE;
}

static void test_rows_come_later(void)
{
	g_autoptr(WpvDocument) document = document_new(wp_large_graph_new(2, 100000));
	const WpvRowKey row = {0, 0, WPV_ROW_THREAD};
	gboolean ready = FALSE;
	WpTime begin, end;

	g_signal_connect_swapped(document, "lod-ready", G_CALLBACK(on_flag), &ready);
	g_assert_null(wpv_document_get_lod(document, row, FALSE));
	while (!ready)
		g_main_context_iteration(NULL, TRUE);
	WpLod *lod = wpv_document_get_lod(document, row, FALSE);

	g_assert_nonnull(lod);
	wpv_document_get_span(document, &begin, &end);
	guint64 times[WP_SERIES_STATES], sum = 0;

	g_assert_cmpuint(wp_lod_times(lod, begin, end, times), ==, wp_lod_get_series(lod)->n);
	for (guint state = 0; state < WP_SERIES_STATES; state++)
		sum += times[state];
	g_assert_cmpint((WpTime)sum, ==, end - begin);
}

/* ---- the path ---- */

static void test_answer(void)
{
	g_autoptr(WpvDocument) document = sample_new();
	g_autoptr(WpvAnswer) answer = answer_new(document, SAMPLE_HOSTA, SAMPLE_CLIENT);
	guint i = 0;

	/* Parts of one flight are pieces of their own; joined they are the known path. */
	for (guint p = 0; p < wp_sample_path_n; p++) {
		const WpSamplePiece *expected = &wp_sample_path[p];
		WpTime at = AT(expected->begin);

		while (at < AT(expected->end)) {
			const WpSegment *segment = wpv_answer_get_segment(answer, i++);

			g_assert_cmpint(segment->begin, ==, at);
			g_assert_cmpuint(segment->host, ==, expected->host);
			g_assert_cmpuint(segment->task, ==, expected->task);
			g_assert_cmpuint(segment->state, ==, expected->state);
			g_assert_cmpuint(segment->depth, ==, expected->depth);
			at = segment->end;
		}
		g_assert_cmpint(at, ==, AT(expected->end));
	}
	g_assert_cmpuint(i, ==, wpv_answer_get_n_segments(answer));
	g_assert_cmpint(wpv_answer_get_time(answer, (WpvRowKey){SAMPLE_HOSTC, 0, WPV_ROW_THREAD}),
			==, 58 * MS);
	g_assert_cmpint(wpv_answer_get_time(answer, (WpvRowKey){SAMPLE_HOSTA, 0, WPV_ROW_HOST}), ==,
			22 * MS);
	g_assert_cmpint(wpv_answer_get_time(answer, (WpvRowKey){SAMPLE_HOSTA, 2, WPV_ROW_PROCESS}),
			==, 0);
	/* On CPU 0 of hostb it runs from 12 to 20, on CPU 1 from 80 to 88. */
	g_assert_cmpint(wpv_answer_get_time(answer, (WpvRowKey){SAMPLE_HOSTB, 1, WPV_ROW_CPU}), ==,
			8 * MS);
	g_assert_true(g_str_has_prefix(wpv_answer_get_sentence(answer), "client "));
	g_assert_nonnull(strstr(wpv_answer_get_sentence(answer), "back@hostc"));
}

static void test_answer_rows(void)
{
	g_autoptr(WpvDocument) document = sample_new();
	g_autoptr(WpvAnswer) answer = answer_new(document, SAMPLE_HOSTA, SAMPLE_CLIENT);
	WpLod *lod = wpv_answer_get_lod(answer, wpv_row_key_thread(SAMPLE_HOSTB, 0));

	g_assert_nonnull(lod);
	assert_times(lod, AT(0), AT(100), WP_STATE_RUNNING, 16 * MS);
	assert_times(lod, AT(0), AT(100), WP_STATE_NETWORK, 4 * MS);
	g_assert_null(wpv_answer_get_lod(answer, wpv_row_key_thread(SAMPLE_HOSTA, SAMPLE_DAEMON)));
	lod = wpv_answer_get_band(answer);
	assert_times(lod, AT(0), AT(100), (WpState)WP_SERIES_EMPTY, 0);
	assert_times(lod, AT(0), AT(100), WP_STATE_RUNNING, (19 + 16 + 56) * MS);
}

/* The parts of a path add up to it, wherever it is cut. */
static void test_answer_part(void)
{
	g_autoptr(WpvDocument) document = sample_new();
	g_autoptr(WpvAnswer) answer = answer_new(document, SAMPLE_HOSTA, SAMPLE_CLIENT);

	g_assert_null(wpv_answer_dup_part(answer, AT(100), AT(120)));
	for (gint cut = 1; cut < 100; cut++) {
		g_autoptr(WpPath) left = wpv_answer_dup_part(answer, AT(-5), AT(cut));
		g_autoptr(WpPath) right = wpv_answer_dup_part(answer, AT(cut), AT(130));
		WpTime sum = 0;

		for (guint side = 0; side < 2; side++) {
			const WpPath *part = side ? right : left;
			WpTime at = part->begin;

			for (guint i = 0; i < part->segments.n; i++) {
				const WpSegment *s = wp_path_segment(part, i);

				g_assert_cmpint(s->begin, ==, at);
				at = s->end;
				if (s->host == SAMPLE_HOSTC)
					sum += s->end - s->begin;
			}
			g_assert_cmpint(at, ==, part->end);
		}
		g_assert_cmpint(left->end, ==, right->begin);
		g_assert_cmpint(sum, ==, 58 * MS);
	}
}

static void test_answer_errors(void)
{
	g_autoptr(WpvDocument) document = sample_new();
	g_autoptr(WpCancel) cancellable = wp_cancel_new();
	g_autoptr(GError) error = NULL;
	WpvQuestion question = {SAMPLE_HOSTA, 0, AT(200), AT(300), WP_PATH_ACTIVE};

	g_assert_null(wpv_answer_new(document, &question, NULL, &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_USAGE);
	g_clear_error(&error);
	question.begin = AT(0);
	wp_cancel_set(cancellable);
	g_assert_null(wpv_answer_new(document, &question, cancellable, &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_CANCELLED);
}

/* ---- rows ---- */

static void test_rows_of_path(void)
{
	g_autoptr(WpvSession) session = session_new();
	WpvRowList *rows = wpv_session_get_rows(session);

	assert_rows(session, "hosta\n client 183\nhostb\n front 201\nhostc\n back 305\n");
	g_assert_cmpuint(wpv_row_list_find(rows, wpv_row_key_thread(SAMPLE_HOSTC, 0)), ==, 5);
	g_assert_cmpint(wpv_row_list_get(rows, 5)->time, ==, 58 * MS);
	/* Not shown, but its host is. */
	WpvRowKey idle = wpv_row_key_thread(SAMPLE_HOSTA, SAMPLE_POOL_IDLE);

	g_assert_cmpuint(wpv_row_list_find(rows, idle), ==, WP_NONE);
	g_assert_cmpuint(wpv_row_list_find_nearest(rows, idle), ==, 0);
}

static void set_filter(WpvSession *session, WpvRowFilter filter)
{
	wpv_session_set_filter(session, &filter);
}

static void test_rows_of_all(void)
{
	g_autoptr(WpvSession) session = session_new();

	set_filter(session, (WpvRowFilter){.all_tasks = TRUE});
	assert_rows(session, "hosta\n client 183\n daemon 90\n pool 400\n  pool 400\n"
			     "  pool-worker 401\n  pool-idle 402\nhostb\n front 201\n"
			     "hostc\n back 305\n");
	set_filter(session, (WpvRowFilter){.all_tasks = TRUE, .sort = WPV_SORT_NAME});
	assert_rows(session, "hosta\n client 183\n daemon 90\n pool 400\n  pool 400\n"
			     "  pool-idle 402\n  pool-worker 401\nhostb\n front 201\n"
			     "hostc\n back 305\n");
	set_filter(session, (WpvRowFilter){.all_tasks = TRUE, .sort = WPV_SORT_ID});
	assert_rows(session, "hosta\n daemon 90\n client 183\n pool 400\n  pool 400\n"
			     "  pool-worker 401\n  pool-idle 402\nhostb\n front 201\n"
			     "hostc\n back 305\n");
	set_filter(session, (WpvRowFilter){.all_tasks = TRUE, .text = (gchar *)"POOL-"});
	assert_rows(session,
		    "hosta\n pool 400\n  pool-worker 401\n  pool-idle 402\nhostb\nhostc\n");
	set_filter(session, (WpvRowFilter){.kernel = TRUE, .text = (gchar *)"kw"});
	assert_rows(session, "hosta\n kernel threads\n  kworker/1:0 17\nhostb\nhostc\n");
	set_filter(session,
		   (WpvRowFilter){.cpus = TRUE, .interrupts = TRUE, .text = (gchar *)"CPU 1"});
	assert_rows(session, "hosta\n CPUs\n  CPU 1\n  CPU 1 interrupts\nhostb\n CPUs\n  CPU 1\n"
			     "  CPU 1 interrupts\nhostc\n CPUs\n");
}

static void test_rows_by_window(void)
{
	g_autoptr(WpvSession) session = session_new();

	wpv_session_show(session, AT(35), AT(45), WPV_STEP_ALONE);
	set_filter(session, (WpvRowFilter){.all_tasks = TRUE, .only_active = TRUE});
	assert_rows(session, "hosta\n pool-worker 401\nhostb\nhostc\n");
	/* The rows follow the window. */
	wpv_session_show(session, AT(85), AT(95), WPV_STEP_ALONE);
	assert_rows(session, "hosta\n client 183\nhostb\n front 201\nhostc\n");
	set_filter(session,
		   (WpvRowFilter){.all_tasks = TRUE, .hide_empty = TRUE, .text = (gchar *)"da"});
	assert_rows(session, "hosta\n daemon 90\nhostb\nhostc\n");
}

static void test_rows_open_and_close(void)
{
	g_autoptr(WpvSession) session = session_new();
	WpvRowList *rows = wpv_session_get_rows(session);
	const WpvRowKey hosta = {SAMPLE_HOSTA, 0, WPV_ROW_HOST};
	const WpvRowKey pool = {SAMPLE_HOSTA, 2, WPV_ROW_PROCESS};

	set_filter(session, (WpvRowFilter){.all_tasks = TRUE, .text = (gchar *)"pool"});
	wpv_row_list_set_expanded(rows, pool, FALSE);
	assert_rows(session, "hosta\n +pool 400\nhostb\nhostc\n");
	wpv_row_list_set_expanded(rows, hosta, FALSE);
	assert_rows(session, "+hosta\nhostb\nhostc\n");
	wpv_row_list_expand_all(rows);
	assert_rows(session, "hosta\n pool 400\n  pool 400\n  pool-worker 401\n  pool-idle 402\n"
			     "hostb\nhostc\n");
	wpv_row_list_set_pinned(rows, wpv_row_key_thread(SAMPLE_HOSTA, SAMPLE_POOL_IDLE), TRUE);
	wpv_row_list_set_expanded(rows, hosta, FALSE);
	assert_rows(session, "^pool-idle 402\n+hosta\nhostb\nhostc\n");
	wpv_row_list_set_pinned(rows, wpv_row_key_thread(SAMPLE_HOSTA, SAMPLE_POOL_IDLE), FALSE);
	assert_rows(session, "+hosta\nhostb\nhostc\n");
}

/* ---- time ---- */

static void assert_visible(WpvSession *session, WpTime begin, WpTime end)
{
	WpTime b, e;

	wpv_session_get_visible(session, &b, &e);
	g_assert_cmpint(b, ==, begin);
	g_assert_cmpint(e, ==, end);
}

static void test_zoom_and_history(void)
{
	g_autoptr(WpvSession) session = session_new();

	assert_visible(session, AT(0), AT(100));
	g_assert_false(wpv_session_can_undo(session));
	wpv_session_zoom(session, 0.5, AT(20), WPV_STEP_ALONE);
	assert_visible(session, AT(10), AT(60));
	/* Three turns of a wheel are one step back. */
	for (guint i = 0; i < 3; i++)
		wpv_session_zoom(session, 0.5, AT(10), WPV_STEP_ZOOM);
	assert_visible(session, AT(10), AT(10) + 6250 * WP_NS_PER_US);
	wpv_session_pan(session, 4, WPV_STEP_PAN);
	assert_visible(session, AT(35), AT(35) + 6250 * WP_NS_PER_US);
	set_filter(session, (WpvRowFilter){.all_tasks = TRUE});

	g_assert_true(wpv_session_undo(session));
	g_assert_false(wpv_session_get_filter(session)->all_tasks);
	assert_visible(session, AT(35), AT(35) + 6250 * WP_NS_PER_US);
	g_assert_true(wpv_session_zoom_back(session));
	assert_visible(session, AT(10), AT(10) + 6250 * WP_NS_PER_US);
	g_assert_true(wpv_session_zoom_back(session));
	assert_visible(session, AT(10), AT(60));
	g_assert_true(wpv_session_redo(session));
	g_assert_true(wpv_session_redo(session));
	assert_visible(session, AT(35), AT(35) + 6250 * WP_NS_PER_US);
	g_assert_true(wpv_session_redo(session));
	g_assert_true(wpv_session_get_filter(session)->all_tasks);
	g_assert_false(wpv_session_redo(session));
	while (wpv_session_undo(session))
		;
	assert_visible(session, AT(0), AT(100));
	g_assert_false(wpv_session_zoom_back(session));
}

static void test_zoom_limits(void)
{
	g_autoptr(WpvSession) session = session_new();
	WpTime begin, end;

	for (guint i = 0; i < 200; i++)
		wpv_session_zoom(session, 0.1, AT(50), WPV_STEP_ZOOM);
	wpv_session_get_visible(session, &begin, &end);
	g_assert_cmpint(end - begin, ==, WPV_VISIBLE_MIN);
	g_assert_cmpint(begin, <=, AT(50));
	g_assert_cmpint(end, >=, AT(50));
	wpv_session_pan(session, 1e12, WPV_STEP_PAN);
	assert_visible(session, AT(100) - WPV_VISIBLE_MIN, AT(100));
	for (guint i = 0; i < 100; i++)
		wpv_session_zoom(session, 1000, AT(100), WPV_STEP_ZOOM);
	assert_visible(session, AT(0), AT(100));
	wpv_session_pan(session, -0.25, WPV_STEP_PAN);
	assert_visible(session, AT(0), AT(100));
}

static void test_motion(void)
{
	g_autoptr(WpvSession) session = session_new();
	WpTime begin, end, last = AT(0);

	wpv_session_set_motion_time(session, 1000);
	wpv_session_show(session, AT(40), AT(60), WPV_STEP_ALONE);
	assert_visible(session, AT(0), AT(100));
	wpv_session_get_target(session, &begin, &end);
	g_assert_cmpint(begin, ==, AT(40));
	for (gint64 now = 5000; now < 6000; now += 100) {
		g_assert_true(wpv_session_tick(session, now));
		wpv_session_get_visible(session, &begin, &end);
		g_assert_cmpint(begin, >=, last);
		g_assert_cmpint(begin, <, AT(40));
		last = begin;
	}
	g_assert_false(wpv_session_tick(session, 6000));
	assert_visible(session, AT(40), AT(60));
	/* A turn of the wheel does not wait. */
	wpv_session_zoom(session, 0.5, AT(50), WPV_STEP_ZOOM);
	assert_visible(session, AT(45), AT(55));
}

static void assert_selection(WpvSession *session, WpTime begin, WpTime end)
{
	WpTime b, e;

	g_assert_true(wpv_session_get_selection(session, &b, &e));
	g_assert_cmpint(b, ==, begin);
	g_assert_cmpint(e, ==, end);
}

static void test_selection(void)
{
	g_autoptr(WpvSession) session = session_new();
	const WpvRowKey worker = wpv_row_key_thread(SAMPLE_HOSTA, SAMPLE_POOL_WORKER);
	WpTime begin, end;

	g_assert_false(wpv_session_get_selection(session, &begin, &end));
	wpv_session_set_selection(session, AT(60), AT(30));
	assert_selection(session, AT(30), AT(60));
	/* The end that was moved is the one at 30. */
	wpv_session_extend_selection(session, AT(80));
	assert_selection(session, AT(60), AT(80));
	g_assert_true(wpv_session_show_selection(session));
	assert_visible(session, AT(60), AT(80));
	wpv_session_set_selection(session, AT(5), AT(5));
	g_assert_false(wpv_session_get_selection(session, &begin, &end));

	/* By the borders of the worker's segments: 34, 40, 41. */
	wpv_session_select_at(session, worker, AT(36));
	wpv_session_step_selection(session, 1);
	assert_selection(session, AT(36), AT(40));
	wpv_session_step_selection(session, 1);
	assert_selection(session, AT(36), AT(41));
	wpv_session_step_selection(session, -1);
	wpv_session_step_selection(session, -1);
	assert_selection(session, AT(34), AT(36));

	g_assert_cmpint(wpv_session_snap(session, worker, AT(39), 2 * MS), ==, AT(40));
	g_assert_cmpint(wpv_session_snap(session, worker, AT(37), 2 * MS), ==, AT(37));
}

/* ---- items ---- */

static void assert_item(WpvSession *session, guint32 host, WpId task, gint begin, gint end,
			WpState state)
{
	const WpvItem *item = wpv_session_get_item(session);

	g_assert_cmpuint(item->row.host, ==, host);
	g_assert_cmpuint(item->row.id, ==, task);
	g_assert_cmpint(item->begin, ==, AT(begin));
	g_assert_cmpint(item->end, ==, AT(end));
	g_assert_cmpuint(item->state, ==, state);
}

static void test_select_at(void)
{
	g_autoptr(WpvSession) session = session_new();

	/* The row waits there, and the path is elsewhere. */
	wpv_session_select_at(session, wpv_row_key_thread(SAMPLE_HOSTA, SAMPLE_CLIENT), AT(50));
	assert_item(session, SAMPLE_HOSTA, SAMPLE_CLIENT, 10, 90, WP_STATE_NETWORK);
	g_assert_cmpuint(wpv_session_get_item(session)->piece, ==, WP_NONE);
	/* The path's piece is shorter than the row's segment. */
	wpv_session_select_at(session, wpv_row_key_thread(SAMPLE_HOSTB, 0), AT(80));
	assert_item(session, SAMPLE_HOSTB, 0, 80, 88, WP_STATE_RUNNING);
	g_assert_cmpuint(wpv_session_get_item(session)->piece, !=, WP_NONE);
	/* On the band: the row of the task that the path is on. */
	wpv_session_select_at(session, WPV_ROW_KEY_NONE, AT(50));
	assert_item(session, SAMPLE_HOSTC, 0, 22, 78, WP_STATE_RUNNING);
	wpv_session_select_none(session);
	g_assert_true(wpv_row_key_is_none(wpv_session_get_item(session)->row));
}

static void test_steps(void)
{
	g_autoptr(WpvSession) session = session_new();
	const WpvRowKey worker = wpv_row_key_thread(SAMPLE_HOSTA, SAMPLE_POOL_WORKER);

	wpv_session_select_at(session, worker, AT(10));
	g_assert_true(wpv_session_step_segment(session, 1));
	assert_item(session, SAMPLE_HOSTA, SAMPLE_POOL_WORKER, 32, 34, WP_STATE_RUNNABLE);
	g_assert_true(wpv_session_step_segment(session, -1));
	assert_item(session, SAMPLE_HOSTA, SAMPLE_POOL_WORKER, 0, 32, WP_STATE_BLOCKED);
	g_assert_false(wpv_session_step_segment(session, -1));

	/* Rows: hosta, client, hostb, front, hostc, back. */
	g_assert_true(wpv_session_select_row(session, 3));
	g_assert_true(wpv_session_step_row(session, 1));
	g_assert_true(wpv_session_step_row(session, 1));
	g_assert_cmpuint(wpv_session_get_item(session)->row.host, ==, SAMPLE_HOSTC);
	g_assert_cmpuint(wpv_session_get_item(session)->row.kind, ==, WPV_ROW_THREAD);
	g_assert_false(wpv_session_step_row(session, 1));

	/* What woke the worker, and what the kernel thread woke. */
	wpv_session_select_at(session, worker, AT(36));
	g_assert_true(wpv_session_follow_arrow(session, -1));
	assert_item(session, SAMPLE_HOSTA, SAMPLE_KWORKER, 30, 34, WP_STATE_RUNNING);
	g_assert_false(wpv_session_follow_arrow(session, -1));
}

static void test_path_steps(void)
{
	g_autoptr(WpvSession) session = session_new();
	guint n = 1;

	wpv_session_set_cursor(session, AT(0));
	g_assert_true(wpv_session_step_path(session, 1));
	assert_item(session, SAMPLE_HOSTA, SAMPLE_CLIENT, 0, 10, WP_STATE_RUNNING);
	g_assert_true(wpv_session_step_path(session, 1));
	g_assert_cmpuint(wpv_session_get_item(session)->row.host, ==, SAMPLE_HOSTB);
	while (wpv_session_step_path(session, 1))
		n++;
	g_assert_cmpuint(n + 1, ==, wpv_answer_get_n_segments(wpv_session_get_answer(session)));
	assert_item(session, SAMPLE_HOSTA, SAMPLE_CLIENT, 91, 100, WP_STATE_RUNNING);
	g_assert_true(wpv_session_step_path(session, -1));
	assert_item(session, SAMPLE_HOSTA, SAMPLE_CLIENT, 90, 91, WP_STATE_RUNNABLE);

	/* Zoomed in elsewhere, a step brings the time along. */
	wpv_session_show(session, AT(0), AT(1), WPV_STEP_ALONE);
	g_assert_true(wpv_session_step_path(session, 1));
	WpTime begin, end;

	wpv_session_get_visible(session, &begin, &end);
	g_assert_cmpint(end - begin, ==, 1 * MS);
	g_assert_cmpint(begin, <=, AT(91));
	g_assert_cmpint(end, >, AT(91));
}

static void on_changed(guint *changes, guint what)
{
	*changes |= what;
}

static void wait_for_path(WpvSession *session)
{
	while (wpv_session_is_asking(session))
		g_main_context_iteration(NULL, TRUE);
}

static void test_follow(void)
{
	g_autoptr(WpvSession) session = session_new();
	const WpvQuestion *question;
	guint changes = 0;
	WpTime begin, end;

	g_signal_connect_swapped(session, "changed", G_CALLBACK(on_changed), &changes);
	g_assert_false(wpv_session_follow_row(session, (WpvRowKey){SAMPLE_HOSTA, 0, WPV_ROW_HOST}));
	g_assert_true(wpv_session_follow_row(session, wpv_row_key_thread(SAMPLE_HOSTB, 0)));
	g_assert_true(wpv_session_is_asking(session));
	wait_for_path(session);
	question = wpv_answer_get_question(wpv_session_get_answer(session));
	g_assert_cmpuint(question->host, ==, SAMPLE_HOSTB);
	g_assert_cmpint(question->begin, ==, AT(0));
	g_assert_cmpuint(changes & WPV_CHANGED_ANSWER, !=, 0);

	/* The window is the selection; of two requests the later one counts. */
	wpv_session_follow_row(session, wpv_row_key_thread(SAMPLE_HOSTA, SAMPLE_DAEMON));
	wpv_session_set_selection(session, AT(40), AT(95));
	wpv_session_follow_row(session, wpv_row_key_thread(SAMPLE_HOSTA, SAMPLE_CLIENT));
	g_assert_false(wpv_session_get_selection(session, &begin, &end));
	wait_for_path(session);
	question = wpv_answer_get_question(wpv_session_get_answer(session));
	g_assert_cmpuint(question->task, ==, SAMPLE_CLIENT);
	g_assert_cmpint(question->begin, ==, AT(40));
	g_assert_cmpint(question->end, ==, AT(95));
	/* From 40 on back runs until 78. */
	g_assert_cmpint(wpv_answer_get_time(wpv_session_get_answer(session),
					    (WpvRowKey){SAMPLE_HOSTC, 0, WPV_ROW_HOST}),
			==, 38 * MS);
	while (g_main_context_iteration(NULL, FALSE))
		;
	g_assert_cmpuint(wpv_answer_get_question(wpv_session_get_answer(session))->task, ==,
			 SAMPLE_CLIENT);
}

/* ---- arrows ---- */

static gboolean any(const WpvArrow *arrow, gpointer data)
{
	return TRUE;
}

static void test_arrows(void)
{
	g_autoptr(WpvDocument) document = sample_new();
	g_autoptr(WpvArrowIndex) index = wpv_arrow_index_new(document, NULL, NULL);
	g_autoptr(GArray) arrows = g_array_new(FALSE, FALSE, sizeof(WpvArrow));
	WpvArrow arrow;

	/* Four packets and one waking. */
	g_assert_cmpuint(wpv_arrow_index_get_n(index), ==, 5);
	g_assert_true(wpv_arrow_index_query(index, AT(0), AT(100), any, NULL, arrows));
	g_assert_cmpuint(arrows->len, ==, 5);
	g_array_set_size(arrows, 0);
	/* One that ends behind the window but began in it. */
	g_assert_true(wpv_arrow_index_query(index, AT(85), AT(89), any, NULL, arrows));
	g_assert_cmpuint(arrows->len, ==, 1);
	arrow = g_array_index(arrows, WpvArrow, 0);
	g_assert_cmpint(arrow.from, ==, AT(88));
	g_assert_cmpint(arrow.to, ==, AT(90));
	g_assert_cmpuint(arrow.from_host, ==, SAMPLE_HOSTB);
	g_assert_cmpuint(arrow.to_host, ==, SAMPLE_HOSTA);
	g_assert_cmpuint(arrow.kind, ==, WPV_ARROW_PACKET);

	g_assert_true(wpv_arrow_index_next(index, SAMPLE_HOSTA, SAMPLE_KWORKER, AT(0), &arrow));
	g_assert_cmpuint(arrow.to_task, ==, SAMPLE_POOL_WORKER);
	g_assert_cmpint(arrow.to, ==, AT(32));
	g_assert_false(wpv_arrow_index_next(index, SAMPLE_HOSTA, SAMPLE_KWORKER, AT(33), &arrow));
	g_assert_true(wpv_arrow_index_next(index, SAMPLE_HOSTB, 0, AT(10), &arrow));
	g_assert_cmpuint(arrow.to_host, ==, SAMPLE_HOSTC);
}

static void test_path_arrows(void)
{
	g_autoptr(WpvDocument) document = sample_new();
	g_autoptr(WpvAnswer) answer = answer_new(document, SAMPLE_HOSTA, SAMPLE_CLIENT);
	g_autoptr(GArray) arrows = g_array_new(FALSE, FALSE, sizeof(WpvArrow));
	static const struct {
		gint from, to;
		guint from_host, to_host;
	} expected[] = {{10, 12, SAMPLE_HOSTA, SAMPLE_HOSTB},
			{20, 22, SAMPLE_HOSTB, SAMPLE_HOSTC},
			{78, 80, SAMPLE_HOSTC, SAMPLE_HOSTB},
			{88, 90, SAMPLE_HOSTB, SAMPLE_HOSTA}};

	g_assert_true(wpv_arrows_of_path(answer, AT(0), AT(100), arrows));
	g_assert_cmpuint(arrows->len, ==, G_N_ELEMENTS(expected));
	for (guint i = 0; i < arrows->len; i++) {
		const WpvArrow *arrow = &g_array_index(arrows, WpvArrow, i);

		g_assert_cmpint(arrow->from, ==, AT(expected[i].from));
		g_assert_cmpint(arrow->to, ==, AT(expected[i].to));
		g_assert_cmpuint(arrow->from_host, ==, expected[i].from_host);
		g_assert_cmpuint(arrow->to_host, ==, expected[i].to_host);
		g_assert_cmpuint(arrow->kind, ==, WPV_ARROW_PACKET);
	}
	g_array_set_size(arrows, 0);
	g_assert_true(wpv_arrows_of_path(answer, AT(79), AT(81), arrows));
	g_assert_cmpuint(arrows->len, ==, 1);
	g_array_set_size(arrows, 0);
	g_assert_true(wpv_arrows_of_path(answer, AT(100), AT(101), arrows));
	g_assert_cmpuint(arrows->len, ==, 0);
}

/* The index against a look at every wait, on random executions with clocks that differ. */
static void test_arrows_of_random_graphs(void)
{
	for (guint32 seed = 1; seed <= 20; seed++) {
		WpGraph *graph = wp_random_graph_new(seed, 400,
						     seed & 1 ? WP_RANDOM_CLOCKS : WP_RANDOM_TIES);
		g_autoptr(WpvDocument) document = document_new(graph);
		g_autoptr(WpvArrowIndex) index = wpv_arrow_index_new(document, NULL, NULL);
		g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(WpvArrow));
		g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
		WpTime begin, end;

		wpv_document_get_span(document, &begin, &end);
		g_assert_true(wpv_arrow_index_query(index, begin, end + 1, any, NULL, all));
		g_assert_cmpuint(all->len, ==, wpv_arrow_index_get_n(index));
		for (guint round = 0; round < 20; round++) {
			g_autoptr(GArray) some = g_array_new(FALSE, FALSE, sizeof(WpvArrow));
			WpTime a = begin + (WpTime)(g_rand_double(rand) * (gdouble)(end - begin));
			WpTime b = a + 1 + (WpTime)(g_rand_double(rand) * (gdouble)(end - a));
			guint expected = 0;

			for (guint i = 0; i < all->len; i++) {
				const WpvArrow *arrow = &g_array_index(all, WpvArrow, i);

				expected += arrow->to >= a && arrow->from < b;
			}
			g_assert_true(wpv_arrow_index_query(index, a, b, any, NULL, some));
			g_assert_cmpuint(some->len, ==, expected);
		}
	}
}

static void test_arrows_are_capped(void)
{
	g_autoptr(WpvDocument) document = document_new(wp_large_graph_new(10, 60000));
	g_autoptr(WpvArrowIndex) index = wpv_arrow_index_new(document, NULL, NULL);
	g_autoptr(GArray) arrows = g_array_new(FALSE, FALSE, sizeof(WpvArrow));
	WpTime begin, end;

	wpv_document_get_span(document, &begin, &end);
	g_assert_cmpuint(wpv_arrow_index_get_n(index), >, WPV_ARROWS_MAX);
	g_assert_false(wpv_arrow_index_query(index, begin, end, any, NULL, arrows));
	g_assert_cmpuint(arrows->len, ==, WPV_ARROWS_MAX);
}

/* ---- marks, styles ---- */

static void test_marks(void)
{
	g_autoptr(WpvSession) session = session_new();
	WpTime time;

	g_assert_false(wpv_session_get_marker(session, 0, &time));
	wpv_session_set_marker(session, 0, AT(10));
	wpv_session_set_marker(session, 1, AT(90));
	g_assert_true(wpv_session_get_marker(session, 1, &time));
	g_assert_cmpint(time, ==, AT(90));
	wpv_session_clear_markers(session);
	g_assert_false(wpv_session_get_marker(session, 0, &time));

	g_assert_true(wpv_session_add_bookmark(session, AT(50), "later"));
	g_assert_true(wpv_session_add_bookmark(session, AT(20), "sooner"));
	const GArray *bookmarks = wpv_session_get_bookmarks(session);

	g_assert_cmpuint(bookmarks->len, ==, 2);
	g_assert_cmpstr(g_array_index(bookmarks, WpvBookmark, 0).name, ==, "sooner");
	wpv_session_remove_bookmark(session, 0);
	g_assert_cmpstr(g_array_index(bookmarks, WpvBookmark, 0).name, ==, "later");
	for (guint i = 1; i < WPV_BOOKMARKS_MAX; i++)
		g_assert_true(wpv_session_add_bookmark(session, AT(60), "x"));
	g_assert_false(wpv_session_add_bookmark(session, AT(60), "one too many"));
}

static gdouble contrast(const GdkRGBA *a, const GdkRGBA *b)
{
	gdouble l[2];

	for (guint i = 0; i < 2; i++) {
		const GdkRGBA *c = i ? b : a;
		gdouble v[3] = {(gdouble)c->red, (gdouble)c->green, (gdouble)c->blue};

		for (guint j = 0; j < 3; j++)
			v[j] = v[j] <= 0.03928 ? v[j] / 12.92 : pow((v[j] + 0.055) / 1.055, 2.4);
		l[i] = 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2];
	}
	return (MAX(l[0], l[1]) + 0.05) / (MIN(l[0], l[1]) + 0.05);
}

/* Text on every state's colour reads (WCAG AA for text), in all palettes; no two are the same. */
static void test_styles(void)
{
	g_autoptr(WpvStyle) style = wpv_style_new();

	for (guint i = 0; i < 2 * WPV_PALETTE_N; i++) {
		wpv_style_set_palette(style, i / 2);
		wpv_style_set_dark(style, i & 1);
		g_assert_cmpuint(wpv_palette_from_key(wpv_palette_key(i / 2)), ==, i / 2);
		for (WpState a = 0; a < WP_STATE_N; a++) {
			g_assert_cmpfloat(contrast(wpv_style_get_colour(style, a),
						   wpv_style_get_text_colour(style, a)),
					  >=, 4.5);
			for (WpState b = 0; b < a; b++)
				g_assert_false(gdk_rgba_equal(wpv_style_get_colour(style, a),
							      wpv_style_get_colour(style, b)));
		}
	}

	GdkRGBA own = {1.0f, 0.0f, 0.5f, 1.0f};
	guint generation = wpv_style_get_generation(style);

	wpv_style_set_own_colour(style, WP_STATE_DISK, &own);
	g_assert_true(gdk_rgba_equal(wpv_style_get_colour(style, WP_STATE_DISK), &own));
	g_assert_cmpuint(wpv_style_get_generation(style), >, generation);
	wpv_style_set_own_colour(style, WP_STATE_DISK, NULL);
	g_assert_false(gdk_rgba_equal(wpv_style_get_colour(style, WP_STATE_DISK), &own));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/viewer/model/document", test_document);
	g_test_add_func("/viewer/model/rows-of-cpus", test_rows_of_cpus);
	g_test_add_func("/viewer/model/rows-come-later", test_rows_come_later);
	g_test_add_func("/viewer/model/answer", test_answer);
	g_test_add_func("/viewer/model/answer-rows", test_answer_rows);
	g_test_add_func("/viewer/model/answer-part", test_answer_part);
	g_test_add_func("/viewer/model/answer-errors", test_answer_errors);
	g_test_add_func("/viewer/model/rows-of-path", test_rows_of_path);
	g_test_add_func("/viewer/model/rows-of-all", test_rows_of_all);
	g_test_add_func("/viewer/model/rows-by-window", test_rows_by_window);
	g_test_add_func("/viewer/model/rows-open-and-close", test_rows_open_and_close);
	g_test_add_func("/viewer/model/zoom-and-history", test_zoom_and_history);
	g_test_add_func("/viewer/model/zoom-limits", test_zoom_limits);
	g_test_add_func("/viewer/model/motion", test_motion);
	g_test_add_func("/viewer/model/selection", test_selection);
	g_test_add_func("/viewer/model/select-at", test_select_at);
	g_test_add_func("/viewer/model/steps", test_steps);
	g_test_add_func("/viewer/model/path-steps", test_path_steps);
	g_test_add_func("/viewer/model/follow", test_follow);
	g_test_add_func("/viewer/model/arrows", test_arrows);
	g_test_add_func("/viewer/model/path-arrows", test_path_arrows);
	g_test_add_func("/viewer/model/arrows-of-random-graphs", test_arrows_of_random_graphs);
	g_test_add_func("/viewer/model/arrows-are-capped", test_arrows_are_capped);
	g_test_add_func("/viewer/model/marks", test_marks);
	g_test_add_func("/viewer/model/styles", test_styles);
	return g_test_run();
}
