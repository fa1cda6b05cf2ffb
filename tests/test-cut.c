/* SPDX-License-Identifier: MIT */
/*
 * test-cut.c: traces and graphs that are cut, grow or are deleted while they are mapped: a cut
 * is told and nothing crashes; the others change nothing. And files that appear when whole.
 */
#include "config.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "base/bus.h"
#include "base/error.h"
#include "base/whole-file.h"
#include "ctf/ctf-reader.h"
#include "event/merge.h"
#include "graph/file.h"
#include "lib/fixture.h"
#include "lib/random-graph.h"

static gchar *make_folder(void)
{
	g_autoptr(GError) error = NULL;
	gchar *folder = g_dir_make_tmp("waitpath-cut-XXXXXX", &error);

	g_assert_no_error(error);
	return folder;
}

static void remove_tree(const gchar *path)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const gchar *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree gchar *below = g_build_filename(path, name, NULL);

		remove_tree(below);
	}
	g_remove(path);
}

static gboolean count_event(const WpEvent *event, gpointer data, GError **error)
{
	(void)event;
	(void)error;
	++*(guint *)data;
	return TRUE;
}

typedef enum { LEAVE, CUT, CUT_ALL, GROW, DELETE } Change;

static void change_file(const gchar *path, Change change)
{
	struct stat st;

	g_assert_cmpint(stat(path, &st), ==, 0);
	switch (change) {
	case LEAVE:
		break;
	case CUT:
		g_assert_cmpint(truncate(path, 4096), ==, 0);
		break;
	case CUT_ALL:
		g_assert_cmpint(truncate(path, 0), ==, 0);
		break;
	case GROW:
		g_assert_cmpint(truncate(path, st.st_size * 2), ==, 0);
		break;
	case DELETE:
		g_assert_cmpint(g_remove(path), ==, 0);
		break;
	}
}

/* Opens a trace, changes its stream, reads: how many events come, and whether a cut is told. */
static guint read_changed(Change change, guint jobs, gboolean *ret_cut)
{
	g_autofree gchar *folder = make_folder();
	g_autofree gchar *events = g_test_build_filename(G_TEST_DIST, "fixtures", "net-call",
							 "events.txt", NULL);
	g_autoptr(GError) error = NULL;
	g_auto(GStrv) hosts = wp_fixture_write(events, folder, &error);
	g_autoptr(WpLayout) layout = wp_layout_new(NULL);
	g_autoptr(WpFindings) findings = wp_findings_new();
	const guint n_before = wp_bus_n_faults();
	guint n = 0;

	g_assert_no_error(error);

	g_autofree gchar *trace = g_build_filename(folder, hosts[0], NULL);
	g_autofree gchar *stream = g_build_filename(trace, "channel0_0", NULL);
	g_autoptr(WpReader) reader = wp_ctf_reader_open(trace, layout, &error);

	g_assert_no_error(error);
	change_file(stream, change);
	/* It may fail, or find what is flawed; it may not crash or go on for ever. */
	wp_merge_run(&reader, 1, jobs, count_event, &n, NULL, NULL, findings, NULL, NULL);
	*ret_cut = !wp_bus_check(n_before, &error);
	g_assert_true(*ret_cut == (error != NULL));
	if (error)
		g_assert_error(error, WP_ERROR, WP_ERROR_FAILED);
	/* The reader may have seen it first. */
	*ret_cut = *ret_cut || wp_findings_n(reader->findings) > 0;
	remove_tree(folder);
	return n;
}

static void test_trace(void)
{
	gboolean cut;
	const guint n = read_changed(LEAVE, 1, &cut);

	g_assert_cmpuint(n, >, 10);
	g_assert_false(cut);
	for (guint jobs = 1; jobs <= 2; jobs++) {
		g_assert_cmpuint(read_changed(GROW, jobs, &cut), ==, n);
		g_assert_false(cut);
		g_assert_cmpuint(read_changed(DELETE, jobs, &cut), ==, n);
		g_assert_false(cut);
		g_assert_cmpuint(read_changed(CUT_ALL, jobs, &cut), <, n);
		g_assert_true(cut);
		read_changed(CUT, jobs, &cut);
	}
}

/* A saved graph that is cut after it was opened: what was computed of it is not to be told. */
static void test_graph(void)
{
	g_autofree gchar *folder = make_folder();
	g_autofree gchar *path = g_build_filename(folder, "graph", NULL);
	g_autoptr(WpGraph) made = wp_random_graph_new(1, 4000, WP_RANDOM_WORK);
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) hosts = NULL;

	g_assert_true(wp_graph_file_save(made->hosts, made->n_hosts, path, NULL, &error));
	hosts = wp_graph_file_open(path, &error);
	g_assert_no_error(error);

	g_autoptr(WpGraph) graph = wp_graph_new((WpHost **)hosts->pdata, hosts->len);

	change_file(path, CUT_ALL);
	for (guint h = 0; h < graph->n_hosts; h++)
		for (guint64 i = 0; i < graph->hosts[h]->vertices.n; i++)
			wp_host_vertex(graph->hosts[h], i);
	g_assert_false(wp_graph_check_damage(graph, &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_FAILED);
	remove_tree(folder);
}

static void assert_contents(const gchar *path, const gchar *expected)
{
	g_autofree gchar *text = NULL;

	g_file_get_contents(path, &text, NULL, NULL);
	g_assert_cmpstr(text, ==, expected);
}

static guint count_files(const gchar *folder)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	guint n = 0;

	while (g_dir_read_name(dir))
		n++;
	return n;
}

static void test_whole_file(void)
{
	g_autofree gchar *folder = make_folder();
	g_autofree gchar *path = g_build_filename(folder, "file", NULL);
	g_autofree gchar *nowhere = g_build_filename(folder, "none", "file", NULL);
	g_autoptr(GError) error = NULL;

	for (guint i = 0; i < 2; i++) {
		g_autoptr(WpWholeFile) file = wp_whole_file_new(path, &error);
		const gchar *text = i ? "two" : "one";

		g_assert_no_error(error);
		g_assert_cmpint(write(wp_whole_file_get_fd(file), text, 3), ==, 3);
		/* Not there, or still the old one. */
		assert_contents(path, i ? "one" : NULL);
		g_assert_true(wp_whole_file_commit(file, i > 0, &error));
		assert_contents(path, text);
		g_assert_cmpuint(count_files(folder), ==, 1);
	}
	{
		g_autoptr(WpWholeFile) dropped = wp_whole_file_new(path, &error);

		g_assert_cmpint(write(wp_whole_file_get_fd(dropped), "three", 5), ==, 5);
	}
	assert_contents(path, "two");
	g_assert_cmpuint(count_files(folder), ==, 1);
	g_assert_null(wp_whole_file_new(nowhere, &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_FAILED);
	g_assert_nonnull(strstr(error->message, nowhere));
	g_clear_error(&error);

	g_autoptr(WpWholeFile) device = wp_whole_file_new("/dev/null", &error);

	g_assert_true(wp_whole_file_commit(device, TRUE, &error));
	g_assert_true(g_file_test("/dev/null", G_FILE_TEST_EXISTS));
	remove_tree(folder);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	wp_bus_guard();
	g_test_add_func("/cut/trace", test_trace);
	g_test_add_func("/cut/graph", test_graph);
	g_test_add_func("/cut/whole-file", test_whole_file);
	return g_test_run();
}
