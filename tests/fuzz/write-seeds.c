/* SPDX-License-Identifier: MIT */
/*
 * write-seeds DIRECTORY: good inputs to begin with, one folder for each fuzz target:
 * the fixtures as traces, a random graph saved, the built-in layouts; streams of every
 * construct with their descriptions; and for the plugin whatever its sources read.
 */
#include "config.h"

#include <glib/gstdio.h>

#include "fuzz/ctf-descriptions.h"
#include "graph/file.h"
#include "lib/fixture.h"
#include "lib/random-graph.h"
#include "session/session.h"

static const gchar *const fixtures[] = {"irq-names", "net-call", "states-raw-old", "work-item",
					"ksoftirqd"};

static gchar *seed_folder(const gchar *directory, const gchar *target)
{
	gchar *folder = g_build_filename(directory, target, NULL);

	g_assert_cmpint(g_mkdir_with_parents(folder, 0777), ==, 0);
	return folder;
}

static void join_files(const gchar *trace, const gchar *to)
{
	g_autofree gchar *metadata = g_build_filename(trace, "metadata", NULL);
	g_autofree gchar *stream = g_build_filename(trace, "channel0_0", NULL);
	g_autofree gchar *first = NULL, *second = NULL;
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	gsize n_first, n_second;

	g_assert_true(g_file_get_contents(metadata, &first, &n_first, NULL));
	g_assert_true(g_file_get_contents(stream, &second, &n_second, NULL));
	g_byte_array_append(bytes, (const guint8 *)first, (guint)n_first);
	g_byte_array_append(bytes, (const guint8 *)second, (guint)n_second);
	g_assert_true(g_file_set_contents(to, (const gchar *)bytes->data, bytes->len, NULL));
}

static void write_traces(const gchar *directory)
{
	g_autofree gchar *folder = seed_folder(directory, "trace");

	for (guint i = 0; i < G_N_ELEMENTS(fixtures); i++) {
		g_autofree gchar *events = g_test_build_filename(G_TEST_DIST, "fixtures",
								 fixtures[i], "events.txt", NULL);
		g_autofree gchar *traces = g_build_filename(directory, fixtures[i], NULL);
		g_autofree gchar *host = NULL, *seed = g_build_filename(folder, fixtures[i], NULL);
		g_autoptr(GError) error = NULL;
		g_auto(GStrv) hosts = NULL;

		g_assert_cmpint(g_mkdir_with_parents(traces, 0777), ==, 0);
		hosts = wp_fixture_write(events, traces, &error);
		g_assert_no_error(error);
		host = g_build_filename(traces, hosts[0], NULL);
		join_files(host, seed);
	}
}

/* The streams that are seeds of their own, each behind its description. */
static void write_constructs(const gchar *directory)
{
	g_autofree gchar *from = g_test_build_filename(G_TEST_DIST, "fuzz", "ctf-packets", NULL);
	g_autofree gchar *folder = seed_folder(directory, "trace");
	g_autoptr(GDir) dir = g_dir_open(from, 0, NULL);
	const gchar *name;

	g_assert_nonnull(dir);
	while ((name = g_dir_read_name(dir))) {
		g_autofree gchar *path = g_build_filename(from, name, NULL);
		g_autofree gchar *to = g_strdup_printf("%s/packets-%s", folder, name);
		g_autoptr(GString) bytes = g_string_new(NULL);
		g_autofree gchar *stream = NULL;
		gsize n;

		g_assert_true(g_file_get_contents(path, &stream, &n, NULL) && n > 0);
		g_string_append(bytes, descriptions[(guint8)stream[0] % N_DESCRIPTIONS]);
		g_string_append_len(bytes, stream + 1, (gssize)n - 1);
		g_assert_true(g_file_set_contents(to, bytes->str, (gssize)bytes->len, NULL));
	}
}

static void copy_for_plugin(const gchar *directory, const gchar *from)
{
	g_autofree gchar *folder = seed_folder(directory, "plugin");
	g_autofree gchar *prefix = g_path_get_basename(from);
	g_autoptr(GDir) dir = g_dir_open(from, 0, NULL);
	const gchar *name;

	g_assert_nonnull(dir);
	while ((name = g_dir_read_name(dir))) {
		g_autofree gchar *path = g_build_filename(from, name, NULL);
		g_autofree gchar *to = g_strdup_printf("%s/%s-%s", folder, prefix, name);
		g_autofree gchar *bytes = NULL;
		gsize n;

		g_assert_true(g_file_get_contents(path, &bytes, &n, NULL));
		g_assert_true(g_file_set_contents(to, bytes, (gssize)n, NULL));
	}
}

static void write_for_plugin(const gchar *directory)
{
	g_autofree gchar *files = g_test_build_filename(G_TEST_DIST, "fuzz", "trace-dat", NULL);
	g_autofree gchar *traces = g_build_filename(directory, "trace", NULL);

	copy_for_plugin(directory, files);
	copy_for_plugin(directory, traces);
}

/* Graphs of those traces, of all their hosts. */
static void write_saved(const gchar *directory, const gchar *folder, const gchar *fixture)
{
	g_autofree gchar *trace = g_build_filename(directory, fixture, NULL);
	g_autofree gchar *path = g_build_filename(folder, fixture, NULL);
	g_autoptr(WpAnalysis) analysis = NULL;
	g_autoptr(GError) error = NULL;
	WpOptions options;

	wp_options_init(&options);
	g_ptr_array_add(options.traces, g_strdup(trace));
	g_ptr_array_add(options.markers, g_strdup("sched_waking"));
	analysis = wp_session_load(&options, NULL, NULL, NULL, &error);
	wp_options_clear(&options);
	g_assert_no_error(error);
	wp_graph_file_save(analysis->graph->hosts, analysis->graph->n_hosts, path, NULL, &error);
	g_assert_no_error(error);
}

static void write_graphs(const gchar *directory)
{
	g_autofree gchar *folder = seed_folder(directory, "graph");
	g_autofree gchar *path = g_build_filename(folder, "random", NULL);
	g_autoptr(WpGraph) graph = wp_random_graph_new(1, 40, WP_RANDOM_WORK);
	g_autoptr(GError) error = NULL;

	wp_graph_file_save(graph->hosts, graph->n_hosts, path, NULL, &error);
	g_assert_no_error(error);
	for (guint i = 0; i < G_N_ELEMENTS(fixtures); i++)
		write_saved(directory, folder, fixtures[i]);
}

static void write_layouts(const gchar *directory)
{
	g_autofree gchar *folder = seed_folder(directory, "layout");
	g_autofree gchar *to = g_build_filename(folder, "built-in", NULL);
	g_autofree gchar *from = g_test_build_filename(G_TEST_DIST, "..", "src", "event",
						       "layouts.xml", NULL);
	g_autofree gchar *text = NULL;
	gsize length;

	g_assert_true(g_file_get_contents(from, &text, &length, NULL));
	g_assert_true(g_file_set_contents(to, text, (gssize)length, NULL));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	if (argc != 2) {
		g_printerr("usage: write-seeds DIRECTORY\n");
		return 2;
	}
	write_traces(argv[1]);
	write_constructs(argv[1]);
	write_for_plugin(argv[1]);
	write_graphs(argv[1]);
	write_layouts(argv[1]);
	return 0;
}
