/* SPDX-License-Identifier: MIT */
/*
 * test-graph-file.c: what is saved comes back as it was; what was cut or changed is
 * refused, or known to be damaged once it has been used.
 */
#include "config.h"

#include <string.h>

#include <glib/gstdio.h>

#include "base/error.h"
#include "graph/file.h"
#include "graph/graph.h"
#include "lib/random-graph.h"
#include "path/path.h"

static gchar *directory; /* owned, for the run of this program */

static gchar *save(WpGraph *graph, const gchar *name)
{
	g_autoptr(GError) error = NULL;
	gchar *path = g_build_filename(directory, name, NULL);

	wp_graph_file_save(graph->hosts, graph->n_hosts, path, NULL, &error);
	g_assert_no_error(error);
	return path;
}

static void assert_same_column(const WpColumn *a, const WpColumn *b)
{
	g_assert_cmpuint(a->n, ==, b->n);
	g_assert_cmpuint(a->element, ==, b->element);
	for (guint64 i = 0; i < a->n; i++)
		g_assert_cmpmem(wp_column_at(a, i, a->element), a->element,
				wp_column_at(b, i, b->element), b->element);
}

static void test_round_trip(void)
{
	g_autoptr(WpGraph) graph = wp_random_graph_new(3, 2000, WP_RANDOM_WORK);
	g_autofree gchar *path = NULL;
	g_autoptr(GPtrArray) hosts = NULL;
	g_autoptr(GError) error = NULL;
	const GArray *traces;

	wp_findings_add(graph->hosts[0]->findings, "lost-events", WP_SEVERITY_WARNING, "h", 5, 7,
			"text");
	g_free(graph->hosts[0]->clock_uuid);
	graph->hosts[0]->clock_uuid = g_strdup("uuid");
	wp_host_add_trace(graph->hosts[0], "/traces/\377/kernel", 11, -5);
	path = save(graph, "round-trip");
	g_assert_true(wp_graph_file_probe(path));
	hosts = wp_graph_file_open(path, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(hosts->len, ==, graph->n_hosts);
	for (guint i = 0; i < hosts->len; i++) {
		WpHost *a = graph->hosts[i], *b = g_ptr_array_index(hosts, i);

		g_assert_cmpstr(a->name, ==, b->name);
		g_assert_cmpstr(a->clock_uuid, ==, b->clock_uuid);
		g_assert_cmpint(a->begin, ==, b->begin);
		g_assert_cmpint(a->end, ==, b->end);
		g_assert_cmpuint(a->n_events, ==, b->n_events);
		assert_same_column(&a->vertices, &b->vertices);
		assert_same_column(&a->bases, &b->bases);
		assert_same_column(&a->far_times, &b->far_times);
		assert_same_column(&a->causes, &b->causes);
		assert_same_column(&a->details, &b->details);
		assert_same_column(&a->tasks, &b->tasks);
		assert_same_column(&a->comms, &b->comms);
		assert_same_column(&a->flows, &b->flows);
		assert_same_column(&a->packets, &b->packets);
		assert_same_column(&a->losses, &b->losses);
		assert_same_column(&a->cpus, &b->cpus);
		assert_same_column(&a->addresses, &b->addresses);
		g_assert_cmpuint(wp_strings_n(a->strings), ==, wp_strings_n(b->strings));
		for (guint32 s = 0; s < wp_strings_n(a->strings); s++)
			g_assert_cmpstr(wp_strings_get(a->strings, s), ==,
					wp_strings_get(b->strings, s));
		g_assert_true(wp_host_check(b, &error));
		g_assert_no_error(error);
	}
	traces = ((const WpHost *)hosts->pdata[0])->traces;
	g_assert_cmpuint(traces->len, ==, 1);
	g_assert_cmpstr(g_array_index(traces, WpHostTrace, 0).path, ==, "/traces/\377/kernel");
	g_assert_cmpint(g_array_index(traces, WpHostTrace, 0).clock_offset, ==, 11);
	g_assert_cmpint(g_array_index(traces, WpHostTrace, 0).clock_shift, ==, -5);
	g_assert_cmpuint(((const WpHost *)hosts->pdata[1])->traces->len, ==, 0);
	g_assert_cmpuint(wp_findings_n(((WpHost *)hosts->pdata[0])->findings), ==, 1);
	g_assert_cmpuint(wp_findings_get(((WpHost *)hosts->pdata[0])->findings, 0)->count, ==, 7);
	g_ptr_array_set_free_func(hosts, (GDestroyNotify)wp_host_free);
	g_unlink(path);
}

/* Everything of a graph is used; TRUE when it was found damaged. Must not crash. */
static gboolean use(GPtrArray *hosts)
{
	g_autoptr(WpGraph) graph = wp_graph_new((WpHost **)hosts->pdata, hosts->len);
	gboolean damaged = FALSE;

	for (guint i = 0; i < graph->n_hosts; i++) {
		WpHost *host = graph->hosts[i];

		for (WpId task = 0; task < host->tasks.n; task++) {
			g_autoptr(WpPath)
				path = wp_path_compute(graph, i, task, host->begin, host->end + 1,
						       WP_PATH_ACTIVE, NULL, NULL);

			g_assert_nonnull(path);
		}
		damaged |= !wp_host_check(host, NULL);
	}
	return damaged;
}

static void test_changed(void)
{
	g_autoptr(WpGraph) graph = wp_random_graph_new(5, 200, WP_RANDOM_WORK);
	g_autofree gchar *path = save(graph, "changed");
	g_autofree gchar *data = NULL;
	gsize size;

	g_assert_true(g_file_get_contents(path, &data, &size, NULL));
	for (gsize i = 0; i < size; i += 7) {
		gsize old = (guchar)data[i];
		g_autoptr(GError) error = NULL;
		g_autoptr(GPtrArray) hosts = NULL;

		data[i] = (gchar)(old ^ 0x55);
		g_assert_true(g_file_set_contents(path, data, (gssize)size, NULL));
		data[i] = (gchar)old;
		hosts = wp_graph_file_open(path, &error);
		g_assert_true((hosts == NULL) == (error != NULL));
		/* Only the padding between sections may differ and be no matter. */
		if (hosts && !use(hosts))
			g_assert_cmpuint(old, ==, 0);
	}
	g_unlink(path);
}

static void test_cut(void)
{
	g_autoptr(WpGraph) graph = wp_random_graph_new(7, 200, 0);
	g_autofree gchar *path = save(graph, "cut");
	g_autofree gchar *data = NULL;
	gsize size;

	g_assert_true(g_file_get_contents(path, &data, &size, NULL));
	for (gsize n = 0; n < size; n += 13) {
		g_autoptr(GError) error = NULL;

		g_assert_true(g_file_set_contents(path, data, (gssize)n, NULL));
		g_assert_null(wp_graph_file_open(path, &error));
		g_assert_error(error, WP_ERROR, WP_ERROR_FAILED);
	}
	g_unlink(path);
}

/* Sums that fit do not make nonsense of an index: it is found where it is used. */
static void test_forged(void)
{
	g_autoptr(WpGraph) graph = wp_random_graph_new(9, 200, 0);
	g_autofree gchar *path = NULL;
	g_autoptr(GPtrArray) hosts = NULL;
	g_autoptr(GError) error = NULL;

	wp_host_vertex(graph->hosts[0], 3)->task = 4000000000u;
	path = save(graph, "forged");
	hosts = wp_graph_file_open(path, &error);
	g_assert_no_error(error);
	g_assert_true(use(hosts));
	g_unlink(path);
}

static void test_nothing_left_behind(void)
{
	g_autoptr(WpGraph) graph = wp_random_graph_new(1, 50, 0);
	g_autofree gchar *path = g_build_filename(directory, "no", "such", "place", NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(GDir) dir = NULL;

	g_assert_false(wp_graph_file_save(graph->hosts, graph->n_hosts, path, NULL, &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_FAILED);
	dir = g_dir_open(directory, 0, NULL);
	g_assert_null(g_dir_read_name(dir));
	g_assert_false(wp_graph_file_probe(path));
}

gint main(gint argc, gchar **argv)
{
	gint status;

	g_test_init(&argc, &argv, NULL);
	directory = g_dir_make_tmp("waitpath-test-XXXXXX", NULL);
	g_assert_nonnull(directory);
	g_test_add_func("/graph-file/round-trip", test_round_trip);
	g_test_add_func("/graph-file/changed", test_changed);
	g_test_add_func("/graph-file/cut", test_cut);
	g_test_add_func("/graph-file/forged", test_forged);
	g_test_add_func("/graph-file/nothing-left-behind", test_nothing_left_behind);
	status = g_test_run();
	g_rmdir(directory);
	g_free(directory);
	return status;
}
