/* SPDX-License-Identifier: MIT */
/* test-timeline.c: the level of detail against a walk over all segments. */
#include "config.h"

#include "base/error.h"
#include "timeline/lod.h"

/* A random series: a few states, gaps, segments without length, now and then a long one. */
static GArray *random_entries(GRand *rand, guint n, WpTime scale, WpTime *ret_end)
{
	GArray *entries = g_array_new(FALSE, FALSE, sizeof(WpSeriesEntry));
	WpTime time = g_rand_int_range(rand, -1000, 1000) * scale;

	for (guint i = 0; i < n; i++) {
		gboolean gap = g_rand_int_range(rand, 0, 5) == 0;
		WpSeriesEntry entry = {time, gap ? WP_NONE : i,
				       gap ? WP_SERIES_EMPTY
					   : (guint8)g_rand_int_range(rand, 0, WP_STATE_N)};

		g_array_append_val(entries, entry);
		time += g_rand_int_range(rand, 0, g_rand_int_range(rand, 0, 50) ? 8 : 5000) * scale;
	}
	*ret_end = time;
	return entries;
}

typedef struct {
	guint64 times[WP_SERIES_STATES];
	guint64 n_touching, n_begin;
} Truth;

static WpTime entry_end(const GArray *entries, guint i, WpTime end)
{
	return i + 1 < entries->len ? g_array_index(entries, WpSeriesEntry, i + 1).time : end;
}

/* What lies in [begin, end): times per state, segments that overlap it or begin in (begin, end]. */
static Truth walk(const GArray *entries, WpTime series_end, WpTime begin, WpTime end)
{
	Truth truth = {0};
	guint64 shown = 0;

	for (guint i = 0; i < entries->len; i++) {
		const WpSeriesEntry *entry = &g_array_index(entries, WpSeriesEntry, i);
		WpTime e = entry_end(entries, i, series_end);
		WpTime from = MAX(entry->time, begin), to = MIN(e, end);

		if (to > from) {
			truth.times[entry->state] += (guint64)(to - from);
			shown += (guint64)(to - from);
		}
		truth.n_begin += entry->time > begin && entry->time <= end;
	}
	/* The nothing behind the end counts as one more that begins. */
	truth.n_begin += entries->len && series_end > begin && series_end <= end;
	truth.times[WP_SERIES_EMPTY] += (guint64)(end - begin) - shown;
	return truth;
}

static guint8 state_at(const GArray *entries, WpTime series_end, WpTime time)
{
	guint8 state = WP_SERIES_EMPTY;

	for (guint i = 0; i < entries->len; i++)
		if (g_array_index(entries, WpSeriesEntry, i).time <= time)
			state = g_array_index(entries, WpSeriesEntry, i).state;
	return time >= series_end ? WP_SERIES_EMPTY : state;
}

static WpLodColumn expected_column(const GArray *entries, WpTime series_end, WpTime begin,
				   WpTime end)
{
	WpLodColumn column = {WP_SERIES_EMPTY, 0};
	guint n_states = 0;

	if (begin == end)
		return (WpLodColumn){state_at(entries, series_end, begin), 0};
	Truth truth = walk(entries, series_end, begin, end);
	guint64 most = 0;

	for (guint8 state = 0; state < WP_STATE_N; state++) {
		n_states += truth.times[state] > 0;
		if (truth.times[state] > most) {
			most = truth.times[state];
			column.state = state;
		}
	}
	if (n_states > 1)
		column.flags |= WP_LOD_MIXED;
	if (truth.n_begin >= 3)
		column.flags |= WP_LOD_DENSE;
	return column;
}

static WpLod *lod_new(GArray *entries, WpTime end)
{
	g_autoptr(GError) error = NULL;
	WpLod *lod = wp_lod_new(wp_series_new_entries(g_array_ref(entries), end), NULL, &error);

	g_assert_no_error(error);
	return lod;
}

static void check_window(const WpLod *lod, const GArray *entries, WpTime series_end, WpTime begin,
			 WpTime end, guint n)
{
	g_autofree WpTime *bounds = g_new(WpTime, n + 1);
	g_autofree WpLodColumn *columns = g_new(WpLodColumn, n);
	g_autofree WpLodRun *runs = g_new(WpLodRun, n);
	guint n_runs, next = 0;

	for (guint i = 0; i <= n; i++)
		bounds[i] = wp_lod_bound(begin, end, n, i);
	g_assert_cmpint(bounds[0], ==, begin);
	g_assert_cmpint(bounds[n], ==, end);
	wp_lod_query(lod, bounds, n, columns, NULL);
	for (guint i = 0; i < n; i++) {
		WpLodColumn expected = expected_column(entries, series_end, bounds[i],
						       bounds[i + 1]);

		g_assert_cmpuint(columns[i].state, ==, expected.state);
		g_assert_cmpuint(columns[i].flags, ==, expected.flags);
	}

	n_runs = wp_lod_join(columns, n, runs);
	for (guint r = 0; r < n_runs; r++) {
		g_assert_cmpuint(runs[r].first, ==, next);
		g_assert_cmpuint(runs[r].end, >, next);
		for (; next < runs[r].end; next++) {
			g_assert_cmpuint(runs[r].state, ==, columns[next].state);
			g_assert_cmpuint(runs[r].flags, ==, columns[next].flags);
		}
	}
	g_assert_cmpuint(next, ==, n);
}

static void check_times(const WpLod *lod, const GArray *entries, WpTime series_end, WpTime begin,
			WpTime end)
{
	guint64 times[WP_SERIES_STATES], n_touching = 0;
	Truth truth = walk(entries, series_end, begin, end);
	guint64 n = wp_lod_times(lod, begin, end, times);

	for (guint s = 0; s < WP_SERIES_STATES; s++)
		g_assert_cmpuint(times[s], ==, truth.times[s]);
	/* Those from the one that holds begin to the last that begins before the end. */
	for (guint i = 0; i < entries->len; i++) {
		WpTime b = g_array_index(entries, WpSeriesEntry, i).time;

		n_touching += b < MAX(end, begin + 1) && begin < series_end &&
			      (b > begin || entry_end(entries, i, series_end) > begin);
	}
	g_assert_cmpuint(n, ==, n_touching);
}

static void test_query_is_exact(void)
{
	for (guint32 seed = 1; seed <= 60; seed++) {
		g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
		/* In every other round most blocks last longer than 2^32 ns. */
		WpTime end, scale = seed & 1 ? 1 : 700000000;
		g_autoptr(GArray) entries = random_entries(
			rand, (guint)g_rand_int_range(rand, 0, seed % 10 ? 300 : 4000), scale,
			&end);
		g_autoptr(WpLod) lod = lod_new(entries, end);

		for (guint round = 0; round < 30; round++) {
			WpTime a = g_rand_int_range(rand, -2000, 20000) * scale;
			WpTime b = a + g_rand_int_range(rand, 1, round & 1 ? 60 : 20000) *
					       (round & 2 ? scale : 1);

			check_window(lod, entries, end, a, b, (guint)g_rand_int_range(rand, 1, 90));
			check_times(lod, entries, end, a, b);
		}
	}
}

static void test_find(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(7);
	WpTime end;
	g_autoptr(GArray) entries = random_entries(rand, 500, 1, &end);
	g_autoptr(WpLod) lod = lod_new(entries, end);
	WpTime begin = g_array_index(entries, WpSeriesEntry, 0).time;

	for (WpTime time = begin - 3; time < end + 3; time++) {
		gint64 expected = -1;

		for (guint i = 0; i < entries->len; i++)
			if (g_array_index(entries, WpSeriesEntry, i).time <= time)
				expected = i;
		if (time >= end)
			expected = (gint64)entries->len;
		g_assert_cmpint(wp_lod_find(lod, time), ==, expected);
	}
	for (guint i = 0; i < entries->len; i++) {
		WpTime b, e;
		guint8 state;

		wp_lod_segment(lod, i, &b, &e, &state);
		g_assert_cmpint(b, ==, g_array_index(entries, WpSeriesEntry, i).time);
		g_assert_cmpint(e, ==, entry_end(entries, i, end));
		g_assert_cmpuint(state, ==, g_array_index(entries, WpSeriesEntry, i).state);
	}
}

static void test_empty(void)
{
	g_autoptr(GArray) entries = g_array_new(FALSE, FALSE, sizeof(WpSeriesEntry));
	g_autoptr(WpLod) lod = lod_new(entries, 0);
	guint64 times[WP_SERIES_STATES];
	WpLodColumn columns[4];
	const WpTime bounds[5] = {0, 1, 2, 3, 4};

	wp_lod_query(lod, bounds, 4, columns, NULL);
	for (guint i = 0; i < 4; i++)
		g_assert_cmpuint(columns[i].state, ==, WP_SERIES_EMPTY);
	g_assert_cmpuint(wp_lod_times(lod, 5, 9, times), ==, 0);
	g_assert_cmpuint(times[WP_SERIES_EMPTY], ==, 4);
}

static WpPath *path_new(const WpSegment *segments, guint n)
{
	WpPath *path = g_new0(WpPath, 1);

	wp_segments_init(&path->segments, NULL);
	for (guint i = 0; i < n; i++)
		g_assert_true(wp_segments_add(&path->segments, &segments[i], NULL));
	path->begin = segments[0].begin;
	path->end = segments[n - 1].end;
	return path;
}

static void path_clear(WpPath *path)
{
	wp_segments_clear(&path->segments);
	g_free(path);
}

/*
 * A piece of a path of one nanosecond in a second keeps its column on its task's row,
 * whatever the zoom.
 */
static void test_path_never_vanishes(void)
{
	const WpTime s = WP_NS_PER_S;
	const WpSegment segments[] = {
		{.begin = 0, .end = s / 2, .host = 0, .task = 1, .state = WP_STATE_RUNNING},
		{.begin = s / 2, .end = s / 2 + 1, .host = 1, .task = 1, .state = WP_STATE_DISK},
		{.begin = s / 2 + 1, .end = s, .host = 0, .task = 2, .state = WP_STATE_RUNNING},
	};
	WpPath *path = path_new(segments, G_N_ELEMENTS(segments));

	for (guint n = 1; n < 3000; n = n * 3 / 2 + 1) {
		const guint32 piece = 1;
		WpSeries *series = wp_series_new_path(path, &piece, 1);
		g_autoptr(WpLod) lod = wp_lod_new(series, NULL, NULL);
		g_autofree WpTime *bounds = g_new(WpTime, n + 1);
		g_autofree WpLodColumn *columns = g_new(WpLodColumn, n);
		guint n_shown = 0;

		g_assert_cmpuint(series->n, ==, 2);
		g_assert_cmpuint(wp_series_item(series, 1), ==, 1);
		for (guint i = 0; i <= n; i++)
			bounds[i] = wp_lod_bound(0, s, n, i);
		wp_lod_query(lod, bounds, n, columns, NULL);
		for (guint i = 0; i < n; i++)
			n_shown += columns[i].state == WP_STATE_DISK;
		g_assert_cmpuint(n_shown, ==, 1);
	}
	path_clear(path);
}

static void test_path_series(void)
{
	const WpSegment segments[] = {
		{.begin = 0, .end = 5, .host = 0, .task = 1, .state = WP_STATE_RUNNING},
		{.begin = 5, .end = 6, .host = 1, .task = 1, .state = WP_STATE_DISK},
		{.begin = 6, .end = 8, .host = 1, .task = 4, .state = WP_STATE_DISK},
		{.begin = 8, .end = 9, .host = 0, .task = 1, .state = WP_STATE_IRQ},
	};
	WpPath *path = path_new(segments, G_N_ELEMENTS(segments));
	const guint32 pieces[] = {0, 3}, second[] = {1, 2};
	g_autoptr(WpSeries) task = wp_series_new_path(path, pieces, 2);
	g_autoptr(WpSeries) host = wp_series_new_path(path, second, 2);
	g_autoptr(WpSeries) all = wp_series_new_path(path, NULL, 0);
	WpTime times[4];
	guint8 states[4];

	g_assert_cmpuint(task->n, ==, 3);
	wp_series_read(task, 0, 3, times, states);
	g_assert_cmpint(times[0], ==, 0);
	g_assert_cmpint(times[1], ==, 5);
	g_assert_cmpint(times[2], ==, 8);
	g_assert_cmpuint(states[1], ==, WP_SERIES_EMPTY);
	g_assert_cmpuint(wp_series_item(task, 1), ==, WP_NONE);
	g_assert_cmpuint(wp_series_item(task, 2), ==, 3);
	g_assert_cmpint(task->end, ==, 9);
	/* Nothing before its first piece, and nothing behind its last. */
	g_assert_cmpuint(host->n, ==, 3);
	wp_series_read(host, 0, 1, times, states);
	g_assert_cmpint(times[0], ==, 0);
	g_assert_cmpuint(states[0], ==, WP_SERIES_EMPTY);
	g_assert_cmpint(host->end, ==, 8);
	g_assert_cmpuint(all->n, ==, 4);
	g_assert_cmpint(all->end, ==, 9);
	path_clear(path);
}

/* The work is bounded by the columns: one block each, and a search from the last one. */
static void test_cost_is_bounded(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(3);
	WpTime end;
	g_autoptr(GArray) entries = random_entries(rand, 400000, 1, &end);
	g_autoptr(WpLod) lod = lod_new(entries, end);
	const guint n = 1000;
	g_autofree WpTime *bounds = g_new(WpTime, n + 1);
	g_autofree WpLodColumn *columns = g_new(WpLodColumn, n);

	for (WpTime width = end; width > 100; width /= 3) {
		WpLodCost cost = {0};
		WpTime begin = (end - width) / 2;

		for (guint i = 0; i <= n; i++)
			bounds[i] = wp_lod_bound(begin, begin + width, n, i);
		wp_lod_query(lod, bounds, n, columns, &cost);
		g_assert_cmpuint(cost.blocks_read, <=, n + 1);
		/* Each column twice from the last one: doublings out, halvings back. */
		g_assert_cmpuint(cost.steps, <=,
				 2 * (n + 64) * (2 * g_bit_storage(400000 / 32 / n) + 2));
	}
	/* 5 bytes a segment; 16 states and nothing: 17 sums and a time in 32 segments. */
	g_assert_cmpuint(wp_lod_get_size(lod), ==, 400000 * 5 + 400000 / 32 * 18 * 8);
}

static void test_cancel(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(3);
	g_autoptr(WpCancel) cancellable = wp_cancel_new();
	g_autoptr(GError) error = NULL;
	WpTime end;
	GArray *entries = random_entries(rand, 100, 1, &end);

	wp_cancel_set(cancellable);
	g_assert_null(wp_lod_new(wp_series_new_entries(entries, end), cancellable, &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_CANCELLED);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/timeline/query-is-exact", test_query_is_exact);
	g_test_add_func("/timeline/find", test_find);
	g_test_add_func("/timeline/empty", test_empty);
	g_test_add_func("/timeline/path-never-vanishes", test_path_never_vanishes);
	g_test_add_func("/timeline/path-series", test_path_series);
	g_test_add_func("/timeline/cost-is-bounded", test_cost_is_bounded);
	g_test_add_func("/timeline/cancel", test_cancel);
	return g_test_run();
}
