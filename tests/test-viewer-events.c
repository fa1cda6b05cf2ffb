/* SPDX-License-Identifier: MIT */
/*
 * test-viewer-events.c: the traces' events around a segment: which of them, where they are
 * marked, in which words; and that there are none where no trace is at hand. What the fields of
 * an event are is for raw-events.sh to compare with babeltrace2.
 */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "tests/lib/sample-graph.h"
#include "viewer/model/wpv-events.h"
#include "viewer/model/wpv-facts.h"
#include "viewer/model/wpv-loader.h"
#include "viewer/model/wpv-segment-list.h"

/* ---- words ---- */

static WpRawEvent *event_new(const gchar *name, const gchar *fields)
{
	WpRawEvent *event = wp_raw_event_new(0, 0, name);
	g_auto(GStrv) pairs = g_strsplit(fields, " ", -1);

	for (guint i = 0; pairs[i]; i++) {
		gchar *equals = strchr(pairs[i], '=');

		*equals = '\0';
		wp_raw_event_add(event, pairs[i], g_strdup(equals + 1));
	}
	return event;
}

static void test_brief(void)
{
	static const struct {
		const gchar *name, *fields, *brief;
	} rows[] = {
		{"sched_switch",
		 "prev_comm=\"swapper/0\" prev_tid=0 prev_state=0 next_comm=\"cat\" next_tid=7",
		 "swapper/0 0 \342\206\222 cat 7"},
		/* perf's names */
		{"sched:sched_switch",
		 "prev_comm=\"ls\" prev_pid=3 prev_state=1 next_comm=\"cat\" next_pid=7",
		 "ls 3 \342\206\222 cat 7"},
		{"sched_waking", "comm=\"cat\" tid=7 prio=20 target_cpu=2", "cat 7, for CPU 2"},
		{"irq_handler_entry", "irq=32 name=\"virtio1-output.0\"",
		 "interrupt 32, virtio1-output.0"},
		{"irq_softirq_entry", "vec=3", "NET_RX"},
		{"irq_softirq_entry", "vec=77", "vec=77"},
		{"net_dev_queue", "skbaddr=0xff len=130 name=\"eth0\" network_header={}",
		 "eth0, 130 bytes"},
		/* what is not known, or lacks a field, is told in full */
		{"kmem_kfree", "call_site=0xff ptr=0x1", "call_site=0xff ptr=0x1"},
		{"sched_waking", "comm=\"cat\" prio=20", "comm=\"cat\" prio=20"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(WpRawEvent) event = event_new(rows[i].name, rows[i].fields);
		g_autofree gchar *brief = wpv_event_dup_brief(event);

		g_assert_cmpstr(brief, ==, rows[i].brief);
	}
}

static void test_mentions(void)
{
	g_autoptr(WpRawEvent)
		event = event_new("sched_switch", "prev_tid=12 next_tid=-1 prev_prio=20 vpid=9");

	g_assert_true(wp_raw_event_mentions(event, 12));
	g_assert_true(wp_raw_event_mentions(event, 9));
	g_assert_false(wp_raw_event_mentions(event, 20));
	g_assert_false(wp_raw_event_mentions(event, 1));
}

/* ---- reading ---- */

static void on_read(GObject *source, GAsyncResult *result, gpointer data)
{
	*(GAsyncResult **)data = g_object_ref(result);
}

/* NULL with an error. */
static WpvEvents *read_piece(WpvSession *session, guint piece, gboolean cancel, GError **error)
{
	g_autoptr(GCancellable) cancellable = g_cancellable_new();
	g_autoptr(GAsyncResult) result = NULL;
	const WpvItem *item;

	wpv_session_select_piece(session, piece);
	item = wpv_session_get_item(session);
	wpv_events_read_async(session, item, cancellable, on_read, &result);
	if (cancel)
		g_cancellable_cancel(cancellable);
	while (!result)
		g_main_context_iteration(NULL, TRUE);
	return wpv_events_read_finish(result, error);
}

static WpvSession *session_of(WpvDocument *document, const WpvQuestion *question)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(WpvAnswer) answer = wpv_answer_new(document, question, NULL, &error);
	WpvSession *session = wpv_session_new();

	g_assert_no_error(error);
	wpv_session_set_document(session, document);
	wpv_session_set_answer(session, answer);
	return session;
}

static WpvSession *load_sample(const gchar *name, const gchar *task)
{
	g_autofree gchar *path = g_test_build_filename(G_TEST_DIST, "..", "traces", "samples", name,
						       NULL);
	WpvWanted wanted = {.task = task};
	g_autoptr(WpvLoader) loader = NULL;
	g_autoptr(WpvDocument) document = NULL;
	g_autoptr(GError) error = NULL;
	WpvQuestion question;
	WpOptions options;

	wp_options_init(&options);
	g_ptr_array_add(options.traces, g_strdup(path));
	loader = wpv_loader_new(&options, &wanted);
	wp_options_clear(&options);
	document = wpv_loader_run(loader, NULL, &error);
	g_assert_no_error(error);
	g_assert_true(wpv_loader_get_question(loader, &question));
	return session_of(document, &question);
}

static const WpvEventLine *line_at(const WpvEventGroup *group, guint i)
{
	return g_ptr_array_index(group->lines, i);
}

/* The line whose event is called so and lies there; WP_NONE. */
static guint find_line(const WpvEventGroup *group, const gchar *name, WpTime offset)
{
	for (guint i = 0; i < group->lines->len; i++)
		if (g_strcmp0(line_at(group, i)->name, name) == 0 &&
		    line_at(group, i)->offset == offset)
			return i;
	return WP_NONE;
}

static guint find_mark(const WpvEventGroup *group, const gchar *words)
{
	for (guint i = 0; i < group->lines->len; i++)
		if (!line_at(group, i)->name && g_str_equal(line_at(group, i)->brief, words))
			return i;
	return WP_NONE;
}

static void assert_in_order(const WpvEventGroup *group)
{
	for (guint i = 1; i < group->lines->len; i++)
		g_assert_cmpint(line_at(group, i - 1)->offset, <=, line_at(group, i)->offset);
}

/* The match of the packet that ended a segment that was in flight between two hosts. */
static const WpMatch *match_of(WpGraph *graph, const WpSegment *segment)
{
	const WpHost *host = graph->hosts[segment->host];
	const WpCause *cause = segment->cause == WP_NONE ? NULL
							 : wp_host_cause(host, segment->cause);
	const WpMatch *match;

	if (segment->state != WP_STATE_NETWORK || !cause || cause->packet == WP_NONE)
		return NULL;
	match = &WP_AT(&graph->joins[segment->host].matches, WpMatch, cause->packet);
	return match->host != WP_NONE && match->packet != WP_NONE && match->host != segment->host
		       ? match
		       : NULL;
}

/* Of a packet's flight: the sending on its host, at its time; the waking where it ends. */
static void test_of_a_packet(void)
{
	g_autoptr(WpvSession) session = load_sample("tier3", "hosta:cli-fe");
	WpvAnswer *answer = wpv_session_get_answer(session);
	WpGraph *graph = wpv_document_get_graph(wpv_session_get_document(session));
	guint n_flights = 0;

	for (guint i = 0; i < wpv_answer_get_n_segments(answer) && n_flights < 5; i++) {
		const WpSegment *segment = wpv_answer_get_segment(answer, i);
		const WpMatch *match = match_of(graph, segment);
		g_autoptr(WpvEvents) events = NULL;
		g_autoptr(GError) error = NULL;
		const WpvEventGroup *own, *send;
		WpTime sent;
		guint at;

		if (!match)
			continue;
		n_flights++;
		events = read_piece(session, i, FALSE, &error);
		g_assert_no_error(error);
		g_assert_cmpuint(events->groups->len, ==, 2);
		own = g_ptr_array_index(events->groups, 0);
		send = g_ptr_array_index(events->groups, 1);
		assert_in_order(own);
		assert_in_order(send);
		g_assert_true(g_str_has_suffix(own->title, graph->hosts[segment->host]->name));
		g_assert_true(g_str_has_suffix(send->title, graph->hosts[match->host]->name));
		g_assert_cmpuint(own->lines->len, <=,
				 2 * (WPV_EVENTS_BEFORE + WPV_EVENTS_AFTER) + 3);
		g_assert_cmpuint(send->lines->len, <=, WPV_EVENTS_BEFORE + WPV_EVENTS_AFTER);

		sent = wp_graph_time(
			       graph, match->host,
			       wp_host_packet(graph->hosts[match->host], match->packet)->time) -
		       segment->end;
		at = find_line(send, "net_dev_queue", sent);
		g_assert_cmpuint(at, !=, WP_NONE);
		g_assert_nonnull(strstr(line_at(send, at)->brief, "bytes"));

		at = find_mark(own, "here it ends");
		g_assert_cmpuint(at, !=, WP_NONE);
		g_assert_cmpint(line_at(own, at)->offset, ==, 0);
		at = find_mark(own, "here it begins");
		g_assert_cmpuint(at, !=, WP_NONE);
		g_assert_cmpint(line_at(own, at)->offset, ==, segment->begin - segment->end);
	}
	g_assert_cmpuint(n_flights, ==, 5);
}

/* A wait for a lock ends with the waking, by the holder, which is among the events. */
static void test_of_a_waking(void)
{
	g_autoptr(WpvSession) session = load_sample("local-mutex", "mx-1");
	WpvDocument *document = wpv_session_get_document(session);
	WpHost *host = wpv_document_get_host(document, 0);
	const WpvQuestion *question = wpv_answer_get_question(wpv_session_get_answer(session));
	WpvRowKey row = wpv_row_key_thread(0, question->task);
	gint32 tid = wp_host_task(host, question->task)->tid;
	g_autofree gchar *names_it = g_strdup_printf(" tid=%d ", tid);
	guint n_waits = 0;
	WpSegment segment;

	for (guint64 i = 0; n_waits < 3; i++) {
		g_autoptr(GAsyncResult) result = NULL;
		g_autoptr(WpvEvents) events = NULL;
		g_autoptr(GError) error = NULL;
		const WpvEventGroup *own;
		gboolean woken = FALSE;

		g_assert_true(wpv_document_get_segment(document, row, i, &segment));
		if (segment.cause == WP_NONE ||
		    wp_host_cause(host, segment.cause)->kind != WP_CAUSE_TASK)
			continue;
		n_waits++;
		wpv_session_select_at(session, row, segment.begin);
		wpv_events_read_async(session, wpv_session_get_item(session), NULL, on_read,
				      &result);
		while (!result)
			g_main_context_iteration(NULL, TRUE);
		events = wpv_events_read_finish(result, &error);
		g_assert_no_error(error);
		own = g_ptr_array_index(events->groups, 0);
		for (guint l = find_mark(own, "here it ends"); l < own->lines->len; l++)
			woken |= line_at(own, l)->offset == 0 &&
				 g_strcmp0(line_at(own, l)->name, "sched_waking") == 0 &&
				 strstr(line_at(own, l)->text, names_it);
		g_assert_true(woken);
	}
}

static void test_cancelled(void)
{
	g_autoptr(WpvSession) session = load_sample("local-mutex", "mx-1");
	g_autoptr(GError) error = NULL;

	g_assert_null(read_piece(session, 1, TRUE, &error));
	g_assert_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void graph_free(gpointer graph)
{
	wp_graph_free(graph);
}

static void test_no_trace(void)
{
	WpGraph *graph = wp_sample_graph_new();
	g_autoptr(WpvDocument) document = wpv_document_new("sample", graph, graph->findings, NULL,
							   graph, graph_free);
	WpvQuestion question = {SAMPLE_HOSTA, SAMPLE_CLIENT, WP_TIME_MIN, WP_TIME_MAX,
				WP_PATH_ACTIVE};
	g_autoptr(WpvSession) session = session_of(document, &question);
	g_autoptr(GError) error = NULL;

	g_assert_null(read_piece(session, 0, FALSE, &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_CANNOT_ANSWER);
	g_assert_cmpstr(error->message, ==, "The graph does not say where the trace of hosta is.");
	g_clear_error(&error);
	wp_host_add_trace(graph->hosts[SAMPLE_HOSTA], "/nonexistent/trace", 0, 0);
	g_assert_null(read_piece(session, 0, FALSE, &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_CANNOT_ANSWER);
	g_assert_cmpstr(error->message, ==,
			"The trace of hosta is not at hand: there is no /nonexistent/trace.");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/viewer/events/brief", test_brief);
	g_test_add_func("/viewer/events/mentions", test_mentions);
	g_test_add_func("/viewer/events/of-a-packet", test_of_a_packet);
	g_test_add_func("/viewer/events/of-a-waking", test_of_a_waking);
	g_test_add_func("/viewer/events/cancelled", test_cancelled);
	g_test_add_func("/viewer/events/no-trace", test_no_trace);
	return g_test_run();
}
