/* SPDX-License-Identifier: MIT */
/*
 * test-ctf-traces.c: whole traces through our own CTF reader. What is known of them
 * comes from elsewhere: babeltrace2's counts of events, noted in shared/traces/README.md,
 * and the table of malformed traces there.
 *
 * Every event is made a marker, so that the number of markers is that of events.
 */
#include "config.h"

#include <string.h>

#include <glib/gstdio.h>

#include "base/error.h"
#include "ctf/ctf-reader.h"

typedef struct {
	guint64 n_events, n_lost_records, lost_events, lost_packets, n_back, bytes;
} Counts;

static gchar *shared(const gchar *name)
{
	const gchar *root = g_getenv("WAITPATH_SHARED");
	gchar *path = root ? g_build_filename(root, "traces", name, NULL) : NULL;

	if (path && g_file_test(path, G_FILE_TEST_EXISTS))
		return path;
	g_free(path);
	return NULL;
}

static void count_batch(const WpBatch *batch, WpTime *last, Counts *counts)
{
	const guint8 *at = batch->records->data, *end = at + batch->records->len;
	guint n = 0;

	for (; at < end; n++) {
		const WpEvent *event = (const WpEvent *)(gconstpointer)at;

		if (event->kind == WP_EV_MARKER)
			counts->n_events++;
		if (event->kind == WP_EV_LOST) {
			counts->n_lost_records++;
			counts->lost_events += event->v[WP_LOST_COUNT].u;
			counts->lost_packets += event->v[WP_LOST_PACKETS].u;
			g_assert_cmpint(event->v[WP_LOST_BEGIN].i, <=, event->time);
		}
		counts->n_back += event->time < *last;
		*last = event->time;
		at += wp_event_size(event);
	}
	g_assert_true(at == end);
	g_assert_cmpuint(n, ==, batch->n);
}

static Counts count_all(WpReader *reader)
{
	g_autoptr(GError) error = NULL;
	Counts counts = {0};
	WpBatch batch;

	wp_batch_init(&batch);
	for (guint stream = 0; stream < reader->info.n_streams; stream++) {
		WpTime last = WP_TIME_MIN;

		do {
			g_assert_true(
				wp_reader_next(reader, stream, &batch, &counts.bytes, &error));
			g_assert_no_error(error);
			count_batch(&batch, &last, &counts);
		} while (batch.n || batch.more);
	}
	wp_batch_clear(&batch);
	return counts;
}

static WpReader *open_trace(const gchar *path, GError **error)
{
	g_autoptr(WpLayout) layout = wp_layout_new(NULL);

	g_assert_nonnull(layout);
	wp_layout_add_marker(layout, "*", NULL);
	return wp_ctf_reader_open(path, layout, error);
}

static gboolean found(const WpReader *reader, const gchar *code, const gchar *text)
{
	for (guint i = 0; i < wp_findings_n(reader->findings); i++) {
		const WpFinding *finding = wp_findings_get(reader->findings, i);

		if (g_str_equal(finding->code, code) && strstr(finding->text, text))
			return TRUE;
	}
	return FALSE;
}

/* ---- public traces ---- */

typedef struct {
	const gchar *name;
	guint64 n_events;
	guint n_streams;
} Public;

static const Public publics[] = {
	{"bug446190", 31556, 4},         {"flipping-endianness", 14310, 1},
	{"many-threads", 240644, 8},     {"perf-taskset2", 1500, 1},
	{"scp_src", 110771, 1},          {"scp_dest", 85729, 1},
	{"wget-115043", 28383, 4},       {"wget-115406", 17702, 4},
	{"uneven-streams", 50618, 1},    {"tracefile-rotation", 12305, 4},
	{"lttng-2.0.0/kernel", 9881, 2},
};

static void test_public(gconstpointer data)
{
	const Public *trace = data;
	g_autofree gchar *name = g_build_filename("public", trace->name, NULL);
	g_autofree gchar *path = shared(name);
	g_autoptr(GError) error = NULL;

	if (!path) {
		g_test_skip("the shared traces are not there");
		return;
	}

	g_autoptr(WpReader) reader = open_trace(path, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(reader->info.n_streams, ==, trace->n_streams);
	for (guint round = 0; round < 2; round++) {
		Counts counts = count_all(reader);

		g_assert_cmpuint(counts.n_events, ==, trace->n_events);
		g_assert_cmpuint(counts.bytes, ==, reader->info.n_bytes);
		g_assert_cmpuint(counts.n_back, ==, 0);
		g_assert_cmpuint(counts.n_lost_records, ==, 0);
		g_assert_true(reader->klass->rewind(reader, &error));
	}
}

/* ---- lost events ---- */

typedef struct {
	WpTime begin, end;
} Interval;

static gboolean overlaps(const GArray *intervals, WpTime begin, WpTime end)
{
	for (guint i = 0; i < intervals->len; i++) {
		const Interval *one = &g_array_index(intervals, Interval, i);

		if (one->begin <= end && one->end >= begin)
			return TRUE;
	}
	return FALSE;
}

/* The switches of one stream that do not continue the ones before, and its losses. */
static void read_breaks(WpReader *reader, guint stream, GArray *breaks, GArray *losses,
			guint64 *lost_events)
{
	WpBatch batch;
	gint64 current = -1;
	WpTime last = 0;

	wp_batch_init(&batch);
	do {
		guint64 bytes = 0;

		g_assert_true(wp_reader_next(reader, stream, &batch, &bytes, NULL));
		for (guint at = 0; at < batch.records->len;) {
			const WpEvent *event =
				(const WpEvent *)(gconstpointer)(batch.records->data + at);
			Interval one = {last, event->time};

			at += (guint)wp_event_size(event);
			if (event->kind == WP_EV_LOST) {
				one.begin = event->v[WP_LOST_BEGIN].i;
				*lost_events += event->v[WP_LOST_COUNT].u;
				g_array_append_val(losses, one);
			}
			if (event->kind != WP_EV_SCHED_SWITCH)
				continue;
			if (current >= 0 && event->v[WP_SCHED_SWITCH_PREV_TID].i != current)
				g_array_append_val(breaks, one);
			current = event->v[WP_SCHED_SWITCH_NEXT_TID].i;
			last = event->time;
		}
	} while (batch.n || batch.more);
	wp_batch_clear(&batch);
}

/*
 * What a CPU switches away from is what it switched to before: where it is not, a switch
 * was lost. All such places overlap an interval that the reader says lost events; and
 * that is not because it says so everywhere: in the rest of the time, which is most of
 * it, hundreds of switches are consistent.
 */
static void test_losses(void)
{
	g_autofree gchar *path = shared("recorded/local-lost/hosta/trace/kernel");
	g_autoptr(GError) error = NULL;
	guint64 lost_events = 0;
	guint n_breaks = 0;

	if (!path) {
		g_test_skip("the shared traces are not there");
		return;
	}

	g_autoptr(WpReader) reader = open_trace(path, &error);

	g_assert_no_error(error);
	for (guint stream = 0; stream < reader->info.n_streams; stream++) {
		g_autoptr(GArray) breaks = g_array_new(FALSE, FALSE, sizeof(Interval));
		g_autoptr(GArray) losses = g_array_new(FALSE, FALSE, sizeof(Interval));

		read_breaks(reader, stream, breaks, losses, &lost_events);
		for (guint i = 0; i < breaks->len; i++) {
			const Interval *one = &g_array_index(breaks, Interval, i);

			g_assert_true(overlaps(losses, one->begin, one->end));
		}
		n_breaks += breaks->len;
	}
	/* 158,681 of the recorder's own count (events discarded), 40 breaks by hand. */
	g_assert_cmpuint(lost_events, ==, 158681);
	g_assert_cmpuint(n_breaks, ==, 40);
}

/* ---- malformed traces ---- */

typedef struct {
	const gchar *name;
	guint64 least, most; /* events */
	const gchar *code, *text; /* of a finding, or NULL */
	guint64 lost_events;
} Malformed;

/* Where the table names a least number, the most is that of the trace unharmed. */
static const Malformed malformed[] = {
	{"00-control", 17702, 17702, NULL, NULL, 0},
	{"01-control-index", 17702, 17702, NULL, NULL, 0},
	{"02-cut-in-packet", 12930, 17701, "cut-stream", "k_1", 0},
	{"03-cut-in-packet-index", 12930, 17701, "cut-stream", "k_1", 0},
	{"04-cut-in-packet-header", 12929, 12929, "cut-stream", "k_1", 0},
	{"05-empty-stream", 13551, 13551, "empty-stream", "k_2", 0},
	{"06-all-streams-empty", 0, 0, "empty-stream", "k_3", 0},
	{"07-missing-stream", 15018, 15018, NULL, NULL, 0},
	{"08-metadata-only", 0, 0, NULL, NULL, 0},
	{"09-metadata-cut", 0, 17702, "cut-metadata", "metadata", 0},
	{"12-bad-magic", 11608, 17701, "foreign-file", "k_0", 0},
	{"13-uuid-mismatch", 11608, 17702, "foreign-uuid", "k_0", 0},
	{"14-garbage-in-packet", 11609, 17701, "damaged-packet", "k_0", 0},
	{"15-trailing-garbage", 17702, 17702, "skipped-bytes", "k_1", 0},
	{"16-stale-index", 17702, 17702, "stale-index", "k_1.idx", 0},
	{"17-duplicate-stream", 17702, 17702, "repeated-packets", "k_1", 0},
	{"18-stray-file", 17702, 17702, "foreign-file", "notes.txt", 0},
	{"19-hidden-and-subfolder", 17702, 17702, NULL, NULL, 0},
	{"21-huge-packet-size", 11608, 17702, "damaged-packet", "k_0", 0},
	{"30-packet-lost", 98778, 98778, "lost-packets", "channel0_0", 0},
	{"31-packets-swapped", 110771, 110771, "packets-out-of-order", "channel0_0", 0},
	{"32-packet-twice", 110771, 110771, "repeated-packets", "channel0_0", 0},
	{"33-last-packet-cut", 108368, 110770, "cut-stream", "channel0_0", 0},
	{"34-discarded-12345", 110771, 110771, "lost-events", "channel0_0", 12345},
	{"35-content-larger-than-packet", 98778, 110771, "damaged-packet", "channel0_0", 0},
	{"36-packet-size-zero", 98778, 110771, "damaged-packet", "channel0_0", 0},
};

/* The folder of malformed traces, made once; NULL when that cannot be done here. */
static const gchar *make_malformed(void)
{
	static gchar *folder;
	g_autofree gchar *script = shared("make-malformed.py");
	g_autofree gchar *wget = shared("public/wget-115406");
	g_autofree gchar *scp = shared("public/scp_src");
	g_autofree gchar *python = g_find_program_in_path("python3");
	gint status = -1;

	if (folder || !script || !wget || !scp || !python)
		return folder;

	g_autofree gchar *made = g_dir_make_tmp("waitpath-malformed-XXXXXX", NULL);
	gchar *argv[] = {python, script, wget, scp, made, NULL};

	if (g_spawn_sync(NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status,
			 NULL) &&
	    g_spawn_check_wait_status(status, NULL))
		folder = g_steal_pointer(&made);
	return folder;
}

static void test_malformed(gconstpointer data)
{
	const Malformed *trace = data;
	const gchar *folder = make_malformed();
	g_autoptr(GError) error = NULL;

	if (!folder) {
		g_test_skip("the shared traces are not there, or python3 is not");
		return;
	}

	g_autofree gchar *path = g_build_filename(folder, trace->name, NULL);
	g_autoptr(WpReader) reader = open_trace(path, &error);

	g_assert_no_error(error);

	Counts counts = count_all(reader);

	g_assert_cmpuint(counts.n_events, >=, trace->least);
	g_assert_cmpuint(counts.n_events, <=, trace->most);
	g_assert_cmpuint(counts.lost_events, ==, trace->lost_events);
	g_assert_cmpuint(counts.bytes, ==, reader->info.n_bytes);
	g_assert_cmpuint(counts.n_back, ==, 0);
	if (trace->code)
		g_assert_true(found(reader, trace->code, trace->text));
	g_assert_cmpint(found(reader, "stale-index", ""), ==,
			g_str_equal(trace->name, "16-stale-index") ||
				g_str_equal(trace->name, "03-cut-in-packet-index"));
}

/* Metadata that does not suffice: an error that names the file, and never one that sends on. */
static void test_no_metadata(gconstpointer data)
{
	const gchar *folder = make_malformed();
	g_autoptr(GError) error = NULL;

	if (!folder) {
		g_test_skip("the shared traces are not there, or python3 is not");
		return;
	}

	g_autofree gchar *path = g_build_filename(folder, data, NULL);

	g_assert_null(open_trace(path, &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_FAILED);
	g_assert_nonnull(strstr(error->message, "metadata"));
}

static void remove_malformed(void)
{
	const gchar *folder = make_malformed();
	g_autofree gchar *command = NULL;

	if (!folder)
		return;
	command = g_strdup_printf("chmod -R u+w %s && rm -rf %s", folder, folder);
	g_assert_cmpint(system(command), ==, 0);
}

gint main(gint argc, gchar **argv)
{
	static const gchar *const none[] = {"10-metadata-empty", "11-metadata-missing",
					    "20-metadata-cut-in-packet"};

	g_test_init(&argc, &argv, NULL);
	for (guint i = 0; i < G_N_ELEMENTS(publics); i++) {
		g_autofree gchar *name = g_strconcat("/ctf/public/", publics[i].name, NULL);

		g_test_add_data_func(name, &publics[i], test_public);
	}
	for (guint i = 0; i < G_N_ELEMENTS(malformed); i++) {
		g_autofree gchar *name = g_strconcat("/ctf/malformed/", malformed[i].name, NULL);

		g_test_add_data_func(name, &malformed[i], test_malformed);
	}
	for (guint i = 0; i < G_N_ELEMENTS(none); i++) {
		g_autofree gchar *name = g_strconcat("/ctf/malformed/", none[i], NULL);

		g_test_add_data_func(name, none[i], test_no_metadata);
	}

	g_test_add_func("/ctf/losses", test_losses);

	gint status = g_test_run();

	remove_malformed();
	return status;
}
