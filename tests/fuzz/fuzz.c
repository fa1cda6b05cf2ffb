/* SPDX-License-Identifier: MIT */
/* fuzz.c: a folder for the files of one input, and the use of a graph. */
#include "config.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/merge.h"
#include "fuzz.h"
#include "kernel/model.h"
#include "path/path.h"
#include "path/prefix.h"

#define TASKS_MAX 8u

static gchar *directory; /* owned, made at the first use */

/* Some targets have a folder in it. */
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

static void remove_directory(void)
{
	remove_tree(directory);
	g_clear_pointer(&directory, g_free);
}

const gchar *wp_fuzz_directory(void)
{
	if (!directory) {
		directory = g_strdup("/dev/shm/waitpath-fuzz-XXXXXX");
		if (!g_mkdtemp(directory)) {
			g_free(directory);
			directory = g_dir_make_tmp("waitpath-fuzz-XXXXXX", NULL);
		}
		g_assert_nonnull(directory);
		atexit(remove_directory);
	}
	return directory;
}

const gchar *wp_fuzz_write(const gchar *name, const void *data, size_t size)
{
	g_autofree gchar *path = g_build_filename(wp_fuzz_directory(), name, NULL);
	FILE *file = g_fopen(path, "wb");

	g_assert_nonnull(file);
	g_assert_true(size == 0 || fwrite(data, size, 1, file) == 1);
	fclose(file);
	return g_intern_string(path);
}

static void use_task(WpGraph *graph, guint host, WpId task, WpTime begin, WpTime end)
{
	for (guint mode = WP_PATH_ACTIVE; mode <= WP_PATH_CAUSAL; mode++) {
		/* It checks itself that it covers the window, and fails for nothing else. */
		g_autoptr(WpPath)
			path = wp_path_compute(graph, host, task, begin, end, mode, NULL, NULL);

		g_assert_nonnull(path);
	}
}

void wp_fuzz_use_hosts(WpHost **hosts, guint n_hosts)
{
	g_autoptr(WpGraph) graph = wp_graph_new(hosts, n_hosts);

	for (guint h = 0; h < n_hosts; h++) {
		const WpHost *host = hosts[h];
		g_autoptr(WpPrefix) prefix = NULL;

		if (host->begin >= host->end)
			continue;
		for (guint64 t = 0; t < MIN(host->tasks.n, TASKS_MAX); t++)
			use_task(graph, h, (WpId)t, host->begin, host->end);
		prefix = wp_prefix_compute(graph, host->begin, host->end, WP_PATH_ACTIVE, NULL,
					   NULL);
		g_assert_nonnull(prefix);
	}
}

void wp_fuzz_use_trace(WpReader *reader)
{
	WpHost *host = wp_host_new("host", NULL);
	const WpTraceInfo *info = &reader->info;
	g_autoptr(WpModel) model = wp_model_new(host, &info, 1);
	g_autoptr(WpFindings) findings = wp_findings_new();
	g_autoptr(GError) error = NULL;

	/* Either may fail, when a limit is reached; what there is must be sound all the same. */
	if (wp_merge_run(&reader, 1, 1, wp_model_event, model, NULL, NULL, findings, NULL,
			 &error) &&
	    wp_model_finish(model, &error)) {
		wp_host_check(host, &error);
		g_assert_no_error(error);
		wp_fuzz_use_hosts(&host, 1);
		return;
	}
	g_assert_nonnull(error);
	wp_host_free(host);
}

size_t wp_fuzz_find_stream(const uint8_t *data, size_t size)
{
	static const uint8_t le[] = {0xc1, 0x1f, 0xfc, 0xc1}, be[] = {0xc1, 0xfc, 0x1f, 0xc1};

	for (size_t i = 0; i + 4 <= size; i++)
		if (!memcmp(data + i, le, 4) || !memcmp(data + i, be, 4))
			return i;
	return size;
}
