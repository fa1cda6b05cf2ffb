/* SPDX-License-Identifier: MIT */
/*
 * test-path.c: the path of one task against its oracle, over random executions and
 * windows that begin and end anywhere.
 */
#include "config.h"

#include "base/error.h"
#include "lib/hand-graph.h"
#include "lib/path-oracle.h"
#include "lib/random-graph.h"
#include "path/path.h"

#define N_GRAPHS 500
#define N_WINDOWS 30 /* of each graph */

/* What the windows of a run met, so that a test that stops seeing something fails. */
typedef struct {
	guint n, nested, network, deferred, unknown, within_wait;
} Seen;

/* Segments partition the window; neighbours that agree are one piece. Latest first, owned. */
static GArray *pieces_of(const WpGraph *graph, const WpPath *path)
{
	GArray *pieces = g_array_new(FALSE, FALSE, sizeof(WpOraclePiece));
	WpTime time = path->end;

	for (guint i = path->segments.n; i-- > 0;) {
		const WpSegment *s = wp_path_segment(path, i);
		WpOraclePiece *last = pieces->len ? &g_array_index(pieces, WpOraclePiece,
								   pieces->len - 1)
						  : NULL;

		g_assert_cmpint(s->begin, <, s->end);
		g_assert_cmpint(s->end, ==, time);
		time = s->begin;
		if (s->vertex != WP_NONE)
			g_assert_cmpuint(wp_host_vertex(graph->hosts[s->host], s->vertex)->task, ==,
					 s->task);
		if (last && last->host == s->host && last->task == s->task &&
		    last->state == s->state && last->depth == s->depth) {
			last->begin = s->begin;
			continue;
		}
		WpOraclePiece piece = {s->begin, s->end, s->host, s->task, s->depth, s->state};
		g_array_append_val(pieces, piece);
	}
	g_assert_cmpint(time, ==, path->begin);
	return pieces;
}

static void print_pieces(const gchar *title, const GArray *pieces)
{
	g_test_message("%s", title);
	for (guint i = pieces->len; i-- > 0;) {
		const WpOraclePiece *p = &g_array_index(pieces, WpOraclePiece, i);

		g_test_message("  %" G_GINT64_FORMAT " .. %" G_GINT64_FORMAT
			       " host %u task %u depth %u %s",
			       p->begin, p->end, p->host, p->task, p->depth,
			       wp_state_key(p->state));
	}
}

static gboolean same_pieces(const GArray *a, const GArray *b, WpPathMode mode)
{
	if (a->len != b->len)
		return FALSE;
	for (guint i = 0; i < a->len; i++) {
		const WpOraclePiece *x = &g_array_index(a, WpOraclePiece, i);
		const WpOraclePiece *y = &g_array_index(b, WpOraclePiece, i);

		if (x->begin != y->begin || x->end != y->end || x->host != y->host ||
		    x->task != y->task || x->state != y->state)
			return FALSE;
		if (mode == WP_PATH_ACTIVE && x->depth != y->depth)
			return FALSE;
	}
	return TRUE;
}

static void look(Seen *seen, const GArray *pieces)
{
	gboolean nested = FALSE, network = FALSE, deferred = FALSE, unknown = FALSE;

	for (guint i = 0; i < pieces->len; i++) {
		const WpOraclePiece *p = &g_array_index(pieces, WpOraclePiece, i);

		nested |= p->depth >= 2;
		network |= p->depth && p->state == WP_STATE_NETWORK;
		deferred |= p->state == WP_STATE_DEFERRED;
		unknown |= p->depth && p->state == WP_STATE_UNKNOWN;
	}
	seen->n++;
	seen->nested += nested;
	seen->network += network;
	seen->deferred += deferred;
	seen->unknown += unknown;
	seen->within_wait += g_array_index(pieces, WpOraclePiece, 0).state >= WP_STATE_BLOCKED;
}

static gboolean same_segment(const WpSegment *a, const WpSegment *b)
{
	return a->begin == b->begin && a->end == b->end && a->host == b->host &&
	       a->task == b->task && a->vertex == b->vertex && a->cause == b->cause &&
	       a->cpu == b->cpu && a->depth == b->depth && a->state == b->state &&
	       a->part == b->part && a->flags == b->flags && a->clock_error == b->clock_error;
}

/* The path is the same when parts of its window are walked side by side. */
static void check_parts(WpGraph *graph, const WpPath *whole)
{
	for (guint n_parts = 2; n_parts < 6; n_parts++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(WpPath) path = wp_path_compute_in_parts(
			graph, whole->host, whole->task, whole->begin, whole->end, whole->mode,
			n_parts, NULL, &error);

		g_assert_no_error(error);
		g_assert_cmpuint(path->n_inconsistent, ==, whole->n_inconsistent);
		g_assert_cmpint(path->max_clock_error, ==, whole->max_clock_error);
		g_assert_cmpuint(path->segments.n, ==, whole->segments.n);
		for (guint i = 0; i < path->segments.n; i++)
			g_assert_true(
				same_segment(wp_path_segment(path, i), wp_path_segment(whole, i)));
	}
}

static void check_window(WpGraph *graph, guint host, WpId task, WpTime begin, WpTime end,
			 WpPathMode mode, Seen *seen)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(WpPath) path = wp_path_compute(graph, host, task, begin, end, mode, NULL, &error);

	g_assert_no_error(error);
	g_autoptr(GArray) told = pieces_of(graph, path);
	g_autoptr(GArray) right = wp_oracle_path(graph, host, task, begin, end, mode);
	look(seen, right);
	check_parts(graph, path);
	if (same_pieces(told, right, mode))
		return;
	print_pieces("the path says", told);
	print_pieces("the oracle says", right);
	g_test_fail_printf("task %u of host %u, %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, task,
			   host, begin, end);
}

static void check_graphs(WpRandomFlags flags, WpPathMode mode)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(flags * 2 + mode);
	Seen seen = {0};

	for (guint seed = 0; seed < N_GRAPHS && !g_test_failed(); seed++) {
		g_autoptr(WpGraph) graph = wp_random_graph_new(seed, 400, flags);
		g_autoptr(GError) error = NULL;

		for (guint h = 0; h < graph->n_hosts; h++)
			wp_host_check(graph->hosts[h], &error);
		g_assert_no_error(error);
		for (guint i = 0; i < N_WINDOWS && !g_test_failed(); i++) {
			guint h = (guint)g_rand_int_range(random, 0, (gint32)graph->n_hosts);
			WpHost *host = graph->hosts[h];
			WpId task = (WpId)g_rand_int_range(random, 0, (gint32)host->tasks.n);
			WpTime first = wp_graph_time(graph, h, host->begin);
			gint32 span = (gint32)(wp_graph_time(graph, h, host->end) - first);
			WpTime begin = first + g_rand_int_range(random, -5, span);
			WpTime end = begin + g_rand_int_range(random, 1,
							      (gint32)(first + span + 6 - begin));

			check_window(graph, h, task, begin, end, mode, &seen);
		}
	}
	if (g_test_failed())
		return;
	g_assert_cmpuint(seen.n, ==, N_GRAPHS * N_WINDOWS);
	g_assert_cmpuint(seen.within_wait, >, seen.n / 10);
	g_assert_cmpuint(seen.deferred, >, seen.n / 100);
	if (mode == WP_PATH_CAUSAL)
		return;
	g_assert_cmpuint(seen.nested, >, seen.n / 20);
	g_assert_cmpuint(seen.network, >, seen.n / 30);
	g_assert_cmpuint(seen.unknown, >, seen.n / 200);
}

static void test_active(gconstpointer flags)
{
	check_graphs(GPOINTER_TO_UINT(flags), WP_PATH_ACTIVE);
}

static void test_causal(gconstpointer flags)
{
	check_graphs(GPOINTER_TO_UINT(flags), WP_PATH_CAUSAL);
}

/* One task that runs and is preempted in turn, 10 ns each: so many segments has its path. */
static WpGraph *large_graph(guint n, WpMemory *memory)
{
	WpHost *host = wp_hand_host("host", 0, 10 * (WpTime)n);
	const WpId task = wp_hand_task(host, "task");

	wp_host_set_memory(host, memory);
	for (guint i = 0; i < n; i++)
		wp_hand_vertex(host, task, 10 * (WpTime)i,
			       i % 2 ? WP_STATE_PREEMPTED : WP_STATE_RUNNING);
	return wp_hand_graph(host, NULL);
}

#define LARGE 100000u /* segments */
/* 48 bytes each but for the first, which are few: 4.8 MB. */
#define LARGE_BYTES ((LARGE - WP_SEGMENTS_NEAR) * (guint64)48)

/*
 * A path that is longer than memory may be lies in a file, and is the same, also when it was walked
 * in several parts.
 */
static void test_limit(gconstpointer n_parts)
{
	const guint64 limit = 1 << 20;
	WpMemory *memory = wp_memory_new(limit, g_get_tmp_dir());
	g_autoptr(WpGraph) graph = large_graph(LARGE, memory);
	const guint64 before = wp_memory_get_total(memory);
	g_autoptr(GError) error = NULL;
	WpPath *path = wp_path_compute_in_parts(graph, 0, 0, 0, 10 * LARGE, WP_PATH_ACTIVE,
						GPOINTER_TO_UINT(n_parts), NULL, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(path->segments.n, ==, LARGE);
	for (guint i = 0; i < LARGE; i++) {
		const WpSegment *s = wp_path_segment(path, i);

		g_assert_cmpint(s->begin, ==, 10 * (WpTime)i);
		g_assert_cmpint(s->end, ==, 10 * (WpTime)(i + 1));
		g_assert_cmpuint(s->state, ==, i % 2 ? WP_STATE_PREEMPTED : WP_STATE_RUNNING);
	}
	/* All of it is counted, and no more of it is in memory than may be. */
	g_assert_cmpuint(wp_memory_get_total(memory), >=, LARGE_BYTES);
	g_assert_cmpuint(wp_memory_get_total(memory) - wp_memory_get_spilled(memory), <=, limit);
	wp_path_free(path);
	g_assert_cmpuint(wp_memory_get_total(memory), <=, before + LARGE * sizeof(WpId));
	wp_memory_unref(memory);
}

/* Where no such file can be made, a sentence says so. */
static void test_limit_without_file(void)
{
	WpMemory *memory = wp_memory_new(1 << 20, "/dev/null/cache");
	g_autoptr(WpGraph) graph = large_graph(LARGE, memory);
	g_autoptr(GError) error = NULL;

	g_assert_null(wp_path_compute(graph, 0, 0, 0, 10 * LARGE, WP_PATH_ACTIVE, NULL, &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_FAILED);
	g_assert_true(g_str_has_prefix(error->message,
				       "Cannot make a file for large graphs in /dev/null/cache: "));
	wp_memory_unref(memory);
}

gint main(gint argc, gchar **argv)
{
	static const struct {
		const gchar *name;
		WpRandomFlags flags;
	} runs[] = {
		{"one-clock", 0},
		{"clocks", WP_RANDOM_CLOCKS},
		{"work", WP_RANDOM_WORK},
		{"ties", WP_RANDOM_TIES},
		{"all", WP_RANDOM_CLOCKS | WP_RANDOM_TIES | WP_RANDOM_WORK},
	};

	g_test_init(&argc, &argv, NULL);
	for (guint i = 0; i < G_N_ELEMENTS(runs); i++) {
		g_autofree gchar *active = g_strconcat("/path/active/", runs[i].name, NULL);
		g_autofree gchar *causal = g_strconcat("/path/causal/", runs[i].name, NULL);

		g_test_add_data_func(active, GUINT_TO_POINTER(runs[i].flags), test_active);
		g_test_add_data_func(causal, GUINT_TO_POINTER(runs[i].flags), test_causal);
	}
	g_test_add_data_func("/path/limit", GUINT_TO_POINTER(1), test_limit);
	g_test_add_data_func("/path/limit-in-parts", GUINT_TO_POINTER(4), test_limit);
	g_test_add_func("/path/limit-without-file", test_limit_without_file);
	return g_test_run();
}
