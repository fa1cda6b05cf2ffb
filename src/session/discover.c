/* SPDX-License-Identifier: MIT */
/*
 * discover.c: the directories below the arguments that hold a trace. A directory is
 * visited once, whatever links lead to it; depth and number are bounded.
 */
#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "base/error.h"
#include "ftrace/trace-dat.h"
#include "graph/file.h"
#include "session/session-private.h"

#define DEPTH_MAX 16u
#define DIRECTORIES_MAX 100000u

typedef struct {
	GPtrArray *sources; /* borrowed: what was found */
	WpFindings *findings; /* borrowed */
	GHashTable *visited; /* owned set of owned gchar *: device and inode */
	guint argument;
	const gchar *name; /* borrowed: of the argument, NULL */
	gboolean full; /* DIRECTORIES_MAX was reached, and told */
	gboolean again; /* the argument leads to a directory that was visited */
} Walk;

static void source_free(gpointer data)
{
	WpSource *source = data;

	g_free(source->path);
	g_free(source->name);
	g_free(source);
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const gchar *const *)a, *(const gchar *const *)b);
}

/* The names in a directory, sorted, without hidden ones. NULL when it can't be read. */
static GPtrArray *list_directory(const gchar *path)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	GPtrArray *names;
	const gchar *name;

	if (!dir)
		return NULL;
	names = g_ptr_array_new_with_free_func(g_free);
	while ((name = g_dir_read_name(dir)))
		if (*name != '.')
			g_ptr_array_add(names, g_strdup(name));
	g_ptr_array_sort(names, compare_names);
	return names;
}

/* TRUE when the directory is new, and is now marked. */
static gboolean visit(Walk *walk, const GStatBuf *st)
{
	gchar *key = g_strdup_printf("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT,
				     (guint64)st->st_dev, (guint64)st->st_ino);

	if (g_hash_table_size(walk->visited) >= DIRECTORIES_MAX) {
		if (!walk->full)
			wp_findings_add(walk->findings, "too-many-directories", WP_SEVERITY_WARNING,
					NULL, WP_TIME_MIN, 1,
					"More than %u directories lie below the given ones; "
					"traces in the others were not looked for.",
					DIRECTORIES_MAX);
		walk->full = TRUE;
		g_free(key);
		return FALSE;
	}
	return g_hash_table_add(walk->visited, key);
}

static WpSource *add_source(Walk *walk, const gchar *path)
{
	WpSource *source = g_new0(WpSource, 1);

	source->path = g_strdup(path);
	source->name = g_strdup(walk->name);
	source->argument = walk->argument;
	g_ptr_array_add(walk->sources, source);
	return source;
}

static void walk_directory(Walk *walk, const gchar *path, guint depth)
{
	g_autoptr(GPtrArray) names = NULL;
	g_autofree gchar *metadata = g_build_filename(path, "metadata", NULL);
	GStatBuf st;

	if (g_stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
		return;
	if (!visit(walk, &st)) {
		walk->again = depth == 0;
		return;
	}
	if (g_file_test(metadata, G_FILE_TEST_IS_REGULAR))
		add_source(walk, path);
	if (depth == DEPTH_MAX) {
		wp_findings_add(walk->findings, "too-deep", WP_SEVERITY_INFO, NULL, WP_TIME_MIN, 1,
				"Traces more than %u directories below an argument were not "
				"looked for.",
				DEPTH_MAX);
		return;
	}
	names = list_directory(path);
	if (!names) {
		wp_findings_add(walk->findings, "directory-unreadable", WP_SEVERITY_WARNING, NULL,
				WP_TIME_MIN, 1, "%s can't be read: %s.", path, g_strerror(errno));
		return;
	}
	for (guint i = 0; i < names->len; i++) {
		g_autofree gchar *below = g_build_filename(path, names->pdata[i], NULL);

		walk_directory(walk, below, depth + 1);
	}
}

/* Splits NAME=DIR, unless there is a file of the whole name. */
static const gchar *split_name(const gchar *argument, gchar **ret_name)
{
	const gchar *equals = strchr(argument, '=');

	*ret_name = NULL;
	if (!equals || equals == argument || g_file_test(argument, G_FILE_TEST_EXISTS) ||
	    memchr(argument, '/', (gsize)(equals - argument)))
		return argument;
	*ret_name = g_strndup(argument, (gsize)(equals - argument));
	return equals + 1;
}

static gboolean walk_argument(Walk *walk, const gchar *argument, GError **error)
{
	g_autofree gchar *name = NULL;
	const gchar *path = split_name(argument, &name);
	guint n_before = walk->sources->len;
	GStatBuf st;

	if (g_stat(path, &st) != 0) {
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE, "%s can't be opened: %s.", path,
			    g_strerror(errno));
		return FALSE;
	}
	walk->name = name;
	if (!S_ISDIR(st.st_mode)) {
		if (wp_graph_file_probe(path)) {
			add_source(walk, path)->saved = TRUE;
			return TRUE;
		}
		if (wp_trace_dat_probe(path)) {
			add_source(walk, path);
			return TRUE;
		}
		g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
			    "%s is neither a saved graph nor a file of trace-cmd; of an LTTng "
			    "trace give the directory that holds it.",
			    path);
		return FALSE;
	}
	walk->again = FALSE;
	walk_directory(walk, path, 0);
	if (walk->sources->len == n_before && !walk->again) {
		g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
			    "%s holds no trace: neither it nor any directory below has a file "
			    "called metadata.",
			    path);
		return FALSE;
	}
	return TRUE;
}

GPtrArray *wp_sources_find(const GPtrArray *arguments, WpFindings *findings, GError **error)
{
	g_autoptr(GPtrArray) sources = g_ptr_array_new_with_free_func(source_free);
	g_autoptr(GHashTable)
		visited = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	Walk walk = {.sources = sources, .findings = findings, .visited = visited};

	if (arguments->len == 0) {
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
			    "No trace is given: name the directory that holds it.");
		return NULL;
	}
	for (guint i = 0; i < arguments->len; i++) {
		walk.argument = i;
		if (!walk_argument(&walk, arguments->pdata[i], error))
			return NULL;
	}
	return g_steal_pointer(&sources);
}
