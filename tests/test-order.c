/* SPDX-License-Identifier: MIT */
/*
 * test-order.c: times of vertices, of which a vertex holds the lower half, and their order. A host is
 * made at random beside a plain list of what was put into it; gaps between vertices are of all
 * sizes up to minutes, so that many are far from the others of their block.
 */
#include "config.h"

#include <glib/gstdio.h>

#include "graph/file.h"
#include "kernel/model-private.h"
#include "lib/hand-graph.h"

#define N_TASKS 5u

/* What was put in. */
typedef struct {
	WpTime time;
	WpId task;
} Put;

typedef struct {
	WpHost *host; /* owned */
	GArray *puts; /* owned; Put: by the number that the vertex got */
	WpColumn late; /* WpId */
	WpHostEnds ends; /* that every vertex ends at its own time, and has a begin */
	WpTime now;
	WpTime last[N_TASKS]; /* time of each task's last vertex */
} Sample;

/* From nothing to minutes, each magnitude as likely as the next. */
static WpTime gap(GRand *random)
{
	const guint bits = (guint)g_rand_int_range(random, 0, 38);

	return (WpTime)(((guint64)g_rand_int(random) << 8 | (g_rand_int(random) & 255)) &
			((G_GUINT64_CONSTANT(1) << bits) - 1));
}

static void put(Sample *s, WpId task, WpTime time)
{
	const Put new = {time, task};
	const WpId number = s->puts->len;

	wp_hand_vertex(s->host, task, time, WP_STATE_RUNNING);
	g_array_append_val(s->puts, new);
	wp_host_ends_add_wait(&s->ends, number, WP_CAUSE_PACKET, time, NULL);
	wp_host_ends_add_begin(&s->ends, number, NULL);
	s->last[task] = time;
}

/* late: some vertices are of a time that is over. */
static void sample_init(Sample *s, GRand *random, guint n, gboolean late)
{
	const WpTime begin = g_rand_int_range(random, 0, 2) ? WP_TIME_EARLIEST / 2
							    : 1700 * WP_NS_PER_S;

	*s = (Sample){.host = wp_hand_host("host", begin, begin), .now = begin};
	s->puts = g_array_new(FALSE, FALSE, sizeof(Put));
	wp_column_init(&s->late, sizeof(WpId), NULL);
	wp_host_ends_init(&s->ends, NULL);
	for (guint i = 0; i < N_TASKS; i++) {
		wp_hand_task(s->host, "task");
		s->last[i] = WP_TIME_MIN;
	}
	for (guint i = 0; i < n; i++) {
		const WpId task = (WpId)g_rand_int_range(random, 0, N_TASKS);
		const WpTime back = gap(random);
		WpTime time = s->now += gap(random);

		if (s->last[task] == WP_TIME_MIN) {
			/* First seen waiting, it has done so from the begin on. */
			put(s, task, g_rand_int_range(random, 0, 2) ? begin : s->now);
			continue;
		}
		if (late && g_rand_int_range(random, 0, 4) == 0)
			time = MAX(s->last[task], s->now - back);
		if (time < s->now)
			*(WpId *)wp_column_push(&s->late, NULL) = i;
		put(s, task, time);
		if (g_rand_int_range(random, 0, 3) == 0)
			wp_hand_cause(s->host, i, WP_CAUSE_TASK,
				      (WpId)g_rand_int_range(random, 0, (gint32)i + 1), s->now);
	}
	s->host->end = s->now;
	for (guint i = 0; i < N_TASKS; i++)
		wp_host_task(s->host, i)->end = s->now;
}

static void sample_clear(Sample *s)
{
	wp_host_free(s->host);
	g_array_unref(s->puts);
	wp_column_clear(&s->late);
	wp_host_ends_clear(&s->ends);
}

static const Put *put_number(const Sample *s, guint64 i)
{
	return &g_array_index(s->puts, Put, i);
}

static void assert_times(const Sample *s, const WpHost *host)
{
	g_assert_cmpuint(host->vertices.n, ==, s->puts->len);
	for (guint i = 0; i < s->puts->len; i++) {
		g_assert_cmpint(wp_host_vertex_time(host, i), ==, put_number(s, i)->time);
		g_assert_cmpuint(wp_host_vertex(host, i)->task, ==, put_number(s, i)->task);
	}
}

static void test_times(void)
{
	guint64 n_far = 0;

	for (guint32 seed = 0; seed < 40; seed++) {
		g_autoptr(GRand) random = g_rand_new_with_seed(seed);
		Sample s;

		sample_init(&s, random, (guint)g_rand_int_range(random, 0, 3000), seed & 1);
		assert_times(&s, s.host);
		n_far += s.host->far_times.n;
		sample_clear(&s);
	}
	g_assert_cmpuint(n_far, >, 1000);
}

/* They are the same in a file. */
static void test_times_saved(void)
{
	g_autofree gchar *path = g_strdup_printf("%s/waitpath-order-%d", g_get_tmp_dir(),
						 (gint)getpid());
	g_autoptr(GRand) random = g_rand_new_with_seed(7);
	g_autoptr(GPtrArray) hosts = NULL;
	g_autoptr(GError) error = NULL;
	Sample s;

	sample_init(&s, random, 3000, FALSE);
	wp_graph_file_save(&s.host, 1, path, NULL, &error);
	g_assert_no_error(error);
	hosts = wp_graph_file_open(path, &error);
	g_assert_no_error(error);
	assert_times(&s, g_ptr_array_index(hosts, 0));
	wp_host_check(g_ptr_array_index(hosts, 0), &error);
	g_assert_no_error(error);
	wp_host_free(g_ptr_array_index(hosts, 0));
	g_unlink(path);
	sample_clear(&s);
}

static gint compare_puts(gconstpointer a, gconstpointer b, gpointer data)
{
	const guint i = *(const guint *)a, j = *(const guint *)b;
	const WpTime x = put_number(data, i)->time, y = put_number(data, j)->time;

	return x != y ? (x < y ? -1 : 1) : (i < j ? -1 : i > j);
}

/* The first vertices of tasks taken out, the others are those of the list, sorted. */
static void assert_sorted(Sample *s)
{
	g_autoptr(GArray) order = g_array_new(FALSE, FALSE, sizeof(guint));
	g_autofree gboolean *seen = g_new0(gboolean, N_TASKS);
	guint at = 0;

	for (guint i = 0; i < s->puts->len; i++) {
		if (seen[put_number(s, i)->task])
			g_array_append_val(order, i);
		seen[put_number(s, i)->task] = TRUE;
	}
	g_array_sort_with_data(order, compare_puts, s);
	for (WpId id = 0; id < s->host->vertices.n; id++) {
		const Put *right;

		if (wp_host_vertex(s->host, id)->prev == WP_NONE)
			continue;
		right = put_number(s, g_array_index(order, guint, at++));
		g_assert_cmpint(wp_host_vertex_time(s->host, id), ==, right->time);
		g_assert_cmpuint(wp_host_vertex(s->host, id)->task, ==, right->task);
	}
	g_assert_cmpuint(at, ==, order->len);
}

/* Who caused what has got another number, but is the same one. */
static void assert_sources(const Sample *s, const GArray *sources)
{
	for (guint i = 0; i < sources->len; i++) {
		const WpId source = wp_host_cause(s->host, i)->source;
		const Put *right = put_number(s, g_array_index(sources, WpId, i));

		g_assert_cmpint(wp_host_vertex_time(s->host, source), ==, right->time);
		g_assert_cmpuint(wp_host_vertex(s->host, source)->task, ==, right->task);
	}
}

/* What was told of a vertex is told of the same one. */
static void assert_ends(Sample *s)
{
	for (guint i = 0; i < s->puts->len; i++) {
		const WpWaitEnd *end = &WP_AT(&s->ends.waits, WpWaitEnd, i);

		g_assert_cmpint(wp_host_vertex_time(s->host, end->vertex), ==, end->time);
		g_assert_cmpuint(wp_host_vertex(s->host, end->vertex)->task, ==,
				 put_number(s, i)->task);
		g_assert_cmpuint(WP_AT(&s->ends.begins, WpId, i), ==, end->vertex);
	}
	wp_host_ends_sort(&s->ends, NULL);
	for (guint i = 0; i < s->puts->len; i++) {
		g_assert_cmpuint(WP_AT(&s->ends.waits, WpWaitEnd, i).vertex, ==, i);
		g_assert_cmpuint(WP_AT(&s->ends.begins, WpId, i), ==, i);
		g_assert_cmpint(wp_host_ends_look_up(&s->ends, i, WP_TIME_MAX), ==,
				wp_host_vertex_time(s->host, i));
	}
}

static void test_ordered(void)
{
	guint64 n_late = 0;

	for (guint32 seed = 100; seed < 160; seed++) {
		g_autoptr(GRand) random = g_rand_new_with_seed(seed);
		g_autoptr(GArray) sources = g_array_new(FALSE, FALSE, sizeof(WpId));
		g_autoptr(GError) error = NULL;
		Sample s;

		sample_init(&s, random, (guint)g_rand_int_range(random, 1, 3000), TRUE);
		n_late += s.late.n;
		for (WpId i = 0; i < s.host->causes.n; i++)
			g_array_append_val(sources, wp_host_cause(s.host, i)->source);
		wp_order_vertices(s.host, &s.late, &s.ends, &error);
		g_assert_no_error(error);
		assert_sorted(&s);
		assert_sources(&s, sources);
		assert_ends(&s);
		/* A source may be a vertex of a time that the late one lies in front of. */
		for (WpId i = 0; i < s.host->causes.n; i++)
			wp_host_cause(s.host, i)->source = WP_NONE;
		wp_host_check(s.host, &error);
		g_assert_no_error(error);
		sample_clear(&s);
	}
	g_assert_cmpuint(n_late, >, 1000);
}

gint main(gint argc, gchar **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/order/times", test_times);
	g_test_add_func("/order/times-saved", test_times_saved);
	g_test_add_func("/order/ordered", test_ordered);
	return g_test_run();
}
