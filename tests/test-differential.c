/* SPDX-License-Identifier: MIT */
/*
 * test-differential.c: every trace at hand through both readers. Babeltrace is the
 * reference: what a trace says of itself, every event and every value of it must be the
 * same. Of losses the counts must be: where they lie the direct reader tells from the
 * sizes of packets, of which Babeltrace knows nothing.
 */
#include "config.h"

#include <string.h>

#include "bt2/bt2-reader.h"
#include "ctf/ctf-reader.h"
#include "lib/event-text.h"

/* The streams of one reader, an event at a time. */
typedef struct {
	WpReader *reader; /* borrowed */
	WpBatch batch;
	const guint8 *at; /* in the batch */
	guint n_left;
	guint64 n_lost; /* events, in all LOST records so far */
} Cursor;

static void cursor_init(Cursor *cursor, WpReader *reader)
{
	cursor->reader = reader;
	wp_batch_init(&cursor->batch);
	cursor->at = NULL;
	cursor->n_left = 0;
	cursor->n_lost = 0;
}

static const WpEvent *cursor_next_record(Cursor *cursor, guint stream)
{
	const WpEvent *event;

	while (cursor->n_left == 0) {
		g_autoptr(GError) error = NULL;
		guint64 n_bytes = 0;

		wp_batch_reset(&cursor->batch);
		wp_reader_next(cursor->reader, stream, &cursor->batch, &n_bytes, &error);
		g_assert_no_error(error);
		cursor->at = cursor->batch.records->data;
		cursor->n_left = cursor->batch.n;
		if (cursor->n_left == 0 && !cursor->batch.more)
			return NULL;
	}
	event = (const WpEvent *)(gconstpointer)cursor->at;
	cursor->at += wp_event_size(event);
	cursor->n_left--;
	return event;
}

/* The stream's next event, NULL at its end; losses are counted. */
static const WpEvent *cursor_next(Cursor *cursor, guint stream)
{
	const WpEvent *event;

	while ((event = cursor_next_record(cursor, stream)) && event->kind == WP_EV_LOST)
		cursor->n_lost += event->v[WP_LOST_COUNT].u;
	return event;
}

static gboolean values_equal(const WpEvent *a, const WpEvent *b)
{
	for (guint slot = 0; slot < a->n_values; slot++) {
		WpSlotType type = WP_SLOT_INTEGER;

		wp_event_slot_name(a->kind, slot, &type);
		if (!WP_EVENT_HAS(a, slot))
			continue;
		if (type == WP_SLOT_STRING ? !g_str_equal(a->v[slot].s, b->v[slot].s)
					   : a->v[slot].u != b->v[slot].u)
			return FALSE;
	}
	return TRUE;
}

static gboolean events_equal(const WpEvent *a, const WpEvent *b)
{
	return a && b && a->time == b->time && a->cpu == b->cpu && a->kind == b->kind &&
	       a->present == b->present && a->n_values == b->n_values && values_equal(a, b);
}

/* Fails with both events as text. */
static void assert_equal(const gchar *path, guint stream, guint64 n, const WpEvent *direct,
			 const WpEvent *reference)
{
	g_autoptr(GString) a = g_string_new(NULL), b = g_string_new(NULL);

	if (events_equal(direct, reference))
		return;
	if (direct)
		wp_event_append_text(direct, a);
	if (reference)
		wp_event_append_text(reference, b);
	g_test_message("%s, stream %u, event %" G_GUINT64_FORMAT ": direct %s, Babeltrace %s", path,
		       stream, n, direct ? a->str : "has ended", reference ? b->str : "has ended");
	g_assert_cmpstr(a->str, ==, b->str);
	g_assert_not_reached();
}

static guint64 compare_streams(const gchar *path, WpReader *direct, WpReader *reference)
{
	Cursor a, b;
	guint64 total = 0;

	cursor_init(&a, direct);
	cursor_init(&b, reference);
	for (guint stream = 0; stream < direct->info.n_streams; stream++) {
		for (guint64 n = 0;; n++, total++) {
			const WpEvent *x = cursor_next(&a, stream);
			const WpEvent *y = cursor_next(&b, stream);

			if (!x && !y)
				break;
			assert_equal(path, stream, n, x, y);
		}
		g_assert_cmpuint(a.n_lost, ==, b.n_lost);
	}
	wp_batch_clear(&a.batch);
	wp_batch_clear(&b.batch);
	return total;
}

static void compare_info(const WpTraceInfo *a, const WpTraceInfo *b)
{
	g_assert_cmpstr(a->host, ==, b->host);
	g_assert_cmpstr(a->domain, ==, b->domain);
	g_assert_cmpstr(a->tracer, ==, b->tracer);
	g_assert_cmpint(a->tracer_major, ==, b->tracer_major);
	g_assert_cmpint(a->tracer_minor, ==, b->tracer_minor);
	g_assert_cmpstr(a->kernel_release, ==, b->kernel_release);
	g_assert_cmpstr(a->clock_uuid, ==, b->clock_uuid);
	g_assert_cmpint(a->clock_offset, ==, b->clock_offset);
	g_assert_cmpuint(a->n_streams, ==, b->n_streams);
	g_assert_cmpuint(a->n_bytes, ==, b->n_bytes);
	g_assert_cmphex(a->kinds, ==, b->kinds);
}

static void compare_trace(const gchar *path)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(WpLayout) layout = wp_layout_new(&error);
	g_autoptr(WpReader) direct = NULL;
	g_autoptr(WpReader) reference = NULL;
	guint64 n;

	/* Every event, also those that no layout knows, if by its name only. */
	wp_layout_add_marker(layout, "*", NULL);
	direct = wp_ctf_reader_open(path, layout, &error);
	g_assert_no_error(error);
	reference = wp_bt2_reader_open(path, layout, &error);
	g_assert_no_error(error);
	compare_info(&direct->info, &reference->info);
	n = compare_streams(path, direct, reference);
	g_test_message("%s: %" G_GUINT64_FORMAT " records", path, n);
}

/* Adds the directories below path that hold a trace. */
static void find_traces(const gchar *path, GPtrArray *traces)
{
	g_autofree gchar *metadata = g_build_filename(path, "metadata", NULL);
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const gchar *name;

	if (g_file_test(metadata, G_FILE_TEST_IS_REGULAR))
		g_ptr_array_add(traces, g_strdup(path));
	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree gchar *child = g_build_filename(path, name, NULL);

		if (g_file_test(child, G_FILE_TEST_IS_DIR))
			find_traces(child, traces);
	}
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const gchar *const *)a, *(const gchar *const *)b);
}

static void test_traces(gconstpointer data)
{
	g_autoptr(GPtrArray) traces = g_ptr_array_new_with_free_func(g_free);

	find_traces(data, traces);
	if (traces->len == 0)
		g_test_skip("no traces here");
	g_ptr_array_sort(traces, compare_names);
	for (guint i = 0; i < traces->len; i++)
		compare_trace(traces->pdata[i]);
}

int main(int argc, char **argv)
{
	const gchar *top = g_getenv("top_srcdir"), *shared = g_getenv("WAITPATH_SHARED");
	g_autofree gchar *samples = g_build_filename(top ? top : "..", "traces", "samples", NULL);
	g_autofree gchar *others = g_build_filename(shared ? shared : "../../shared", "traces",
						    NULL);

	g_test_init(&argc, &argv, NULL);
	/* A trace for a person to compare, in place of all. */
	if (argc == 2) {
		compare_trace(argv[1]);
		return 0;
	}
	g_test_add_data_func("/differential/samples", samples, test_traces);
	g_test_add_data_func("/differential/shared", others, test_traces);
	return g_test_run();
}
