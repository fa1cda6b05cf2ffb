/* SPDX-License-Identifier: MIT */
/*
 * test-merge.c: the merge of streams against a stable sort, and by hand where time
 * goes back, with a reader whose streams lie in memory.
 */
#include "config.h"

#include "base/error.h"
#include "event/merge.h"

#define BYTES_PER_EVENT 10
#define BATCH_MAX 7
#define SHARES_MAX 4u

/* A reader of streams in memory; each event's vec is its number in its stream. */
typedef struct {
	WpReader head;
	GArray **streams; /* owned: WpTime */
	guint *done; /* owned: events given, by stream */
	guint *calls; /* owned: of next, by stream */
	gint busy[SHARES_MAX]; /* atomic: calls of next that are going on, by share */
	guint fail_stream, fail_at; /* an error instead of this event; fail_at 0: none */
} Fake;

static gboolean fake_fill(WpReader *reader, guint stream, WpBatch *batch, guint64 *ret_bytes,
			  GError **error)
{
	Fake *fake = (Fake *)reader;
	GArray *times = fake->streams[stream];

	/* Some are empty at first, and not the end. */
	fake->calls[stream]++;
	if (fake->calls[stream] % 3 == 0) {
		batch->more = TRUE;
		return TRUE;
	}
	/* Batches of several sizes. */
	for (guint n = 1 + fake->done[stream] % BATCH_MAX; n > 0; n--) {
		guint i = fake->done[stream];

		if (fake->fail_at && stream == fake->fail_stream && i >= fake->fail_at) {
			if (batch->n > 0)
				return TRUE;
			g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "Event %u is bad.", i);
			return FALSE;
		}
		if (i == times->len)
			break;

		WpEvent *event = wp_batch_push(batch, WP_EV_SOFTIRQ_RAISE);

		event->time = g_array_index(times, WpTime, i);
		event->cpu = stream;
		event->stream = stream;
		event->v[WP_SOFTIRQ_RAISE_VEC].i = i;
		event->present = 1u << WP_SOFTIRQ_RAISE_VEC;
		fake->done[stream]++;
		*ret_bytes += BYTES_PER_EVENT;
	}
	return TRUE;
}

static gboolean fake_next(WpReader *reader, guint stream, WpBatch *batch, guint64 *ret_bytes,
			  GError **error)
{
	gint *busy = reader->n_shares ? &((Fake *)reader)->busy[stream % reader->n_shares] : NULL;
	gboolean ok;

	/* Some take so long that another thread would come meanwhile, if one may. */
	if (busy) {
		g_assert_cmpint(g_atomic_int_add(busy, 1), ==, 0);
		if (((Fake *)reader)->calls[stream] % 8 == 1)
			g_usleep(100);
	}
	ok = fake_fill(reader, stream, batch, ret_bytes, error);
	if (busy)
		g_atomic_int_add(busy, -1);
	return ok;
}

static gboolean fake_rewind(WpReader *reader, GError **error)
{
	for (guint i = 0; i < reader->info.n_streams; i++)
		((Fake *)reader)->done[i] = 0;
	return TRUE;
}

static void fake_free(WpReader *reader)
{
	Fake *fake = (Fake *)reader;

	for (guint i = 0; i < reader->info.n_streams; i++)
		g_array_unref(fake->streams[i]);
	g_free(fake->streams);
	g_free(fake->done);
	g_free(fake->calls);
	wp_reader_clear(reader);
	g_free(fake);
}

static const WpReaderClass fake_class = {"fake", fake_next, fake_rewind, fake_free, FALSE};
static const WpReaderClass fake_class_threads = {"fake", fake_next, fake_rewind, fake_free, TRUE};

static WpReader *fake_new(WpLayout *layout, guint n_streams, gboolean threads)
{
	Fake *fake = g_new0(Fake, 1);

	wp_reader_init(&fake->head, threads ? &fake_class_threads : &fake_class, layout, "fake");
	fake->head.info.n_streams = n_streams;
	fake->streams = g_new(GArray *, n_streams);
	fake->done = g_new0(guint, n_streams);
	fake->calls = g_new0(guint, n_streams);
	for (guint i = 0; i < n_streams; i++)
		fake->streams[i] = g_array_new(FALSE, FALSE, sizeof(WpTime));
	return &fake->head;
}

static void fake_add(WpReader *reader, guint stream, WpTime time)
{
	g_array_append_val(((Fake *)reader)->streams[stream], time);
}

/* What the merge gave, one line an event: "time stream number". */
typedef struct {
	GString *text; /* owned */
	guint n, fail_at;
	WpCancel *cancel; /* borrowed: cancelled at the third event, NULL */
	guint64 n_bytes;
	guint n_progress;
} Got;

static gboolean got_event(const WpEvent *event, gpointer data, GError **error)
{
	Got *got = data;

	if (++got->n == got->fail_at) {
		g_set_error(error, WP_ERROR, WP_ERROR_LIMIT, "Enough.");
		return FALSE;
	}
	if (got->cancel && got->n == 3)
		wp_cancel_set(got->cancel);
	g_string_append_printf(got->text, "%" G_GINT64_FORMAT " %u %" G_GINT64_FORMAT "\n",
			       event->time, event->stream, event->v[WP_SOFTIRQ_RAISE_VEC].i);
	return TRUE;
}

static void got_progress(guint64 n_bytes, guint64 n_events, gpointer data)
{
	Got *got = data;

	g_assert_cmpuint(n_bytes, >=, got->n_bytes);
	g_assert_cmpuint(n_events, <=, n_bytes / BYTES_PER_EVENT);
	got->n_bytes = n_bytes;
	got->n_progress++;
}

/* Merges from the begin; *ret_text gets what came. */
static gboolean run(WpReader *const *readers, guint n_readers, guint jobs, Got *got,
		    WpFindings *findings, GError **error)
{
	for (guint i = 0; i < n_readers; i++)
		g_assert_true(readers[i]->klass->rewind(readers[i], NULL));
	got->n = got->n_progress = 0;
	got->n_bytes = 0;
	if (got->text)
		g_string_truncate(got->text, 0);
	else
		got->text = g_string_new(NULL);
	return wp_merge_run(readers, n_readers, jobs, got_event, got, got_progress, got, findings,
			    got->cancel, error);
}

static WpLayout *layout_new(void)
{
	g_autoptr(GError) error = NULL;
	WpLayout *layout = wp_layout_new(&error);

	g_assert_no_error(error);
	return layout;
}

typedef struct {
	WpTime time;
	guint stream, number;
} Row;

static gint row_compare(gconstpointer a, gconstpointer b)
{
	const Row *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->stream != y->stream)
		return x->stream < y->stream ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

/*
 * Random streams with many ties, over two readers, of one of which not all streams may be asked at
 * once; the oracle sorts all of them.
 */
static void test_against_sort(void)
{
	g_autoptr(WpLayout) layout = layout_new();
	g_autoptr(GRand) rand = g_rand_new_with_seed(3);

	for (guint round = 0; round < 30; round++) {
		g_autoptr(WpReader) a = fake_new(layout, 1 + round % 9, TRUE);
		g_autoptr(WpReader) b = fake_new(layout, 3, round % 2);
		WpReader *readers[] = {a, b};
		g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(Row));
		g_autoptr(GString) want = g_string_new(NULL);
		g_autoptr(WpFindings) findings = wp_findings_new();
		Got got = {0};

		a->n_shares = round / 2 % (SHARES_MAX + 1);
		for (guint r = 0, stream = 0; r < 2; r++)
			for (guint s = 0; s < readers[r]->info.n_streams; s++, stream++) {
				WpTime time = g_rand_int_range(rand, -50, 50);
				guint n = g_rand_int_range(rand, 0, 200);

				for (guint i = 0; i < n; i++) {
					Row row = {time += g_rand_int_range(rand, 0, 3), stream, i};

					fake_add(readers[r], s, time);
					g_array_append_val(rows, row);
				}
			}
		g_array_sort(rows, row_compare);
		for (guint i = 0; i < rows->len; i++) {
			Row *row = &g_array_index(rows, Row, i);

			g_string_append_printf(want, "%" G_GINT64_FORMAT " %u %u\n", row->time,
					       row->stream, row->number);
		}
		for (guint jobs = 1; jobs <= 4; jobs++) {
			g_autoptr(GError) error = NULL;

			g_assert_true(run(readers, 2, jobs, &got, findings, &error));
			g_assert_no_error(error);
			g_assert_cmpstr(got.text->str, ==, want->str);
			g_assert_cmpuint(got.n_progress, >, 0);
			g_assert_cmpuint(got.n_bytes, <=, rows->len * BYTES_PER_EVENT);
		}
		g_assert_cmpuint(wp_findings_n(findings), ==, 0);
		g_string_free(got.text, TRUE);
	}
}

/*
 * Stream 0: 10 30 20 25 40; stream 1: 15 28. 20 and 25 lie before 30, which was
 * given: they come at once, as 30. 28 of the other stream was given in order.
 * Only 20 is before the event in front of it.
 */
static void test_time_went_back(void)
{
	static const WpTime zero[] = {10, 30, 20, 25, 40}, one[] = {15, 28};
	g_autoptr(WpLayout) layout = layout_new();
	g_autoptr(WpReader) reader = fake_new(layout, 2, TRUE);
	Got got = {0};

	for (guint i = 0; i < G_N_ELEMENTS(zero); i++)
		fake_add(reader, 0, zero[i]);
	for (guint i = 0; i < G_N_ELEMENTS(one); i++)
		fake_add(reader, 1, one[i]);
	for (guint jobs = 1; jobs <= 3; jobs++) {
		g_autoptr(WpFindings) findings = wp_findings_new();
		const WpFinding *finding;

		g_assert_true(run(&reader, 1, jobs, &got, findings, NULL));
		g_assert_cmpstr(got.text->str, ==,
				"10 0 0\n15 1 0\n28 1 1\n30 0 1\n30 0 2\n30 0 3\n40 0 4\n");
		g_assert_cmpuint(wp_findings_n(findings), ==, 1);
		finding = wp_findings_get(findings, 0);
		g_assert_cmpstr(finding->code, ==, "time-went-back");
		g_assert_cmpuint(finding->count, ==, 1);
		g_assert_cmpint(finding->time, ==, 20);
	}
	g_string_free(got.text, TRUE);
}

/* Two traces of one host, the second with a clock that lacks 5. */
static void test_clock_shift(void)
{
	g_autoptr(WpLayout) layout = layout_new();
	g_autoptr(WpReader) a = fake_new(layout, 1, TRUE);
	g_autoptr(WpReader) b = fake_new(layout, 1, FALSE);
	WpReader *readers[] = {a, b};
	g_autoptr(WpFindings) findings = wp_findings_new();
	Got got = {0};

	for (WpTime time = 10; time < 40; time += 10) {
		fake_add(a, 0, time);
		fake_add(b, 0, time);
	}
	b->clock_shift = 5;
	for (guint jobs = 1; jobs <= 3; jobs++) {
		g_assert_true(run(readers, 2, jobs, &got, findings, NULL));
		g_assert_cmpstr(got.text->str, ==,
				"10 0 0\n15 1 0\n20 0 1\n25 1 1\n30 0 2\n35 1 2\n");
	}
	g_string_free(got.text, TRUE);
}

/* An error comes at the same event, with the same events before it, for any jobs. */
static void test_reader_fails(void)
{
	g_autoptr(WpLayout) layout = layout_new();
	g_autoptr(WpReader) reader = fake_new(layout, 3, TRUE);
	g_autoptr(WpFindings) findings = wp_findings_new();
	g_autofree gchar *first = NULL;
	Got got = {0};

	for (guint i = 0; i < 600; i++)
		fake_add(reader, i % 3, i);
	((Fake *)reader)->fail_stream = 1;
	((Fake *)reader)->fail_at = 100;
	for (guint jobs = 1; jobs <= 4; jobs++) {
		g_autoptr(GError) error = NULL;

		g_assert_false(run(&reader, 1, jobs, &got, findings, &error));
		g_assert_error(error, WP_ERROR, WP_ERROR_FAILED);
		g_assert_cmpstr(error->message, ==, "Event 100 is bad.");
		/* The 100th event of stream 1 is i = 298, its last before the error. */
		g_assert_cmpuint(got.n, ==, 299);
		if (!first)
			first = g_strdup(got.text->str);
		g_assert_cmpstr(got.text->str, ==, first);
	}
	g_string_free(got.text, TRUE);
}

static void test_function_fails(void)
{
	g_autoptr(WpLayout) layout = layout_new();
	g_autoptr(WpReader) reader = fake_new(layout, 2, TRUE);
	g_autoptr(WpFindings) findings = wp_findings_new();
	Got got = {.fail_at = 50};

	for (guint i = 0; i < 1000; i++)
		fake_add(reader, i % 2, i);
	for (guint jobs = 1; jobs <= 4; jobs++) {
		g_autoptr(GError) error = NULL;

		g_assert_false(run(&reader, 1, jobs, &got, findings, &error));
		g_assert_error(error, WP_ERROR, WP_ERROR_LIMIT);
		g_assert_cmpuint(got.n, ==, 50);
	}
	g_string_free(got.text, TRUE);
}

/* A cancelled merge stops within the batches at hand. */
static void test_cancel(void)
{
	g_autoptr(WpLayout) layout = layout_new();
	g_autoptr(WpReader) reader = fake_new(layout, 2, TRUE);
	g_autoptr(WpFindings) findings = wp_findings_new();
	Got got = {0};

	for (guint i = 0; i < 1000; i++)
		fake_add(reader, i % 2, i);
	for (guint jobs = 1; jobs <= 4; jobs++) {
		g_autoptr(WpCancel) cancellable = wp_cancel_new();
		g_autoptr(GError) error = NULL;

		got.cancel = cancellable;
		g_assert_false(run(&reader, 1, jobs, &got, findings, &error));
		g_assert_error(error, WP_ERROR, WP_ERROR_CANCELLED);
		g_assert_cmpuint(got.n, >=, 3);
		g_assert_cmpuint(got.n, <=, 3 + 2 * BATCH_MAX);
	}
	g_string_free(got.text, TRUE);
}

static void test_nothing(void)
{
	g_autoptr(WpLayout) layout = layout_new();
	g_autoptr(WpReader) none = fake_new(layout, 0, TRUE);
	g_autoptr(WpReader) empty = fake_new(layout, 4, TRUE);
	WpReader *readers[] = {none, empty};
	g_autoptr(WpFindings) findings = wp_findings_new();
	Got got = {0};

	for (guint jobs = 1; jobs <= 4; jobs++) {
		g_assert_true(run(readers, 0, jobs, &got, findings, NULL));
		g_assert_true(run(readers, 1, jobs, &got, findings, NULL));
		g_assert_true(run(readers, 2, jobs, &got, findings, NULL));
		g_assert_cmpuint(got.n, ==, 0);
	}
	g_string_free(got.text, TRUE);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/merge/against-sort", test_against_sort);
	g_test_add_func("/merge/time-went-back", test_time_went_back);
	g_test_add_func("/merge/clock-shift", test_clock_shift);
	g_test_add_func("/merge/reader-fails", test_reader_fails);
	g_test_add_func("/merge/function-fails", test_function_fails);
	g_test_add_func("/merge/cancel", test_cancel);
	g_test_add_func("/merge/nothing", test_nothing);
	return g_test_run();
}
