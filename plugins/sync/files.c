/* SPDX-License-Identifier: MIT */
/*
 * files.c: the first pass of filter.waitpath.sync without the pipeline.
 *
 * Which files messages come from is told by the graph and by the streams: a filter can look at the
 * components in front of it, and both sources of CTF call a stream by the path of its first file.
 * The messages must be all of these files and nothing else, or the clocks would be those of
 * something else. So nothing but muxers may lie between, all streams must be connected and known,
 * and a directory that looks like a further piece of the same trace (LTTng's rotations and
 * snapshots, which source.ctf.fs joins when it is given several) rules it out.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include <glib/gstdio.h>

#include "base/error.h"
#include "bt2/bt2-clock.h"
#include "plugins/sync/files.h"

/* Levels above a trace at which a folder may hold pieces of it: archives/PIECE/ust/uid/0/64-bit. */
#define LEVELS_MAX 5
/* Muxers behind one another; and neighbours of a trace that are looked at. */
#define DEPTH_MAX 16
#define NEIGHBOURS_MAX 8192
/* Bytes of a metadata file within which its trace's uuid stands. */
#define HEAD_SIZE 4096

/* Whether what comes in by a port comes out of files; adds its streams to *n_streams. */
static gboolean port_is_of_files(const bt_port_input *port, guint depth, guint64 *n_streams)
{
	const bt_connection *connection = bt_port_borrow_connection_const(
		bt_port_input_as_port_const(port));
	const bt_component *upstream;
	const bt_component_filter *muxer;
	const gchar *name;

	if (!connection)
		return TRUE;
	upstream = bt_port_borrow_component_const(
		bt_port_output_as_port_const(bt_connection_borrow_upstream_port_const(connection)));
	name = bt_component_class_get_name(bt_component_borrow_class_const(upstream));
	if (bt_component_is_source(upstream)) {
		(*n_streams)++;
		return g_str_equal(name, "fs") || g_str_equal(name, "ctf");
	}
	if (!bt_component_is_filter(upstream) || !g_str_equal(name, "muxer") || depth == DEPTH_MAX)
		return FALSE;
	muxer = (const bt_component_filter *)upstream;
	for (guint64 i = 0; i < bt_component_filter_get_input_port_count(muxer); i++)
		if (!port_is_of_files(
			    bt_component_filter_borrow_input_port_by_index_const(muxer, i),
			    depth + 1, n_streams))
			return FALSE;
	return TRUE;
}

static gboolean filter_is_of_files(const bt_component_filter *filter, guint64 *n_streams)
{
	for (guint64 i = 0; i < bt_component_filter_get_input_port_count(filter); i++)
		if (!port_is_of_files(
			    bt_component_filter_borrow_input_port_by_index_const(filter, i), 0,
			    n_streams))
			return FALSE;
	return TRUE;
}

/* The directory that all streams of a trace are called by; NULL: there is no such one. */
static gchar *dup_directory(const bt_trace *trace)
{
	g_autofree gchar *directory = NULL;

	for (guint64 i = 0; i < bt_trace_get_stream_count(trace); i++) {
		const gchar *name = bt_stream_get_name(
			bt_trace_borrow_stream_by_index_const(trace, i));
		g_autofree gchar *own = name && g_file_test(name, G_FILE_TEST_IS_REGULAR)
						? g_path_get_dirname(name)
						: NULL;

		if (!own || (directory && !g_str_equal(directory, own)))
			return NULL;
		if (!directory)
			directory = g_steal_pointer(&own);
	}
	return directory ? g_canonicalize_filename(directory, NULL) : NULL;
}

/* What a file begins with, NULL: it can't be read. */
static GBytes *read_head(const gchar *path)
{
	FILE *file = g_fopen(path, "rbe");
	gchar head[HEAD_SIZE];
	gboolean failed;
	gsize n;

	if (!file)
		return NULL;
	n = fread(head, 1, sizeof(head), file);
	failed = ferror(file) != 0;
	fclose(file);
	return failed ? NULL : g_bytes_new(head, n);
}

/* Where the head of a metadata file says the uuid of its trace; NULL: it says none. */
static const gchar *find_uuid(GBytes *head, gsize *ret_length)
{
	gsize size;
	const gchar *text = g_bytes_get_data(head, &size);
	const gchar *begin = memmem(text, size, "uuid", 4);
	const gchar *end = begin ? memchr(begin, ';', size - (gsize)(begin - text)) : NULL;

	*ret_length = end ? (gsize)(end - begin) : 0;
	return end ? begin : NULL;
}

static gboolean has_uuid(const gchar *metadata, const gchar *uuid, gsize length)
{
	g_autoptr(GBytes) head = read_head(metadata);
	gsize size;
	const gchar *text = head ? g_bytes_get_data(head, &size) : NULL;

	return text && memmem(text, size, uuid, length);
}

/* Whether a folder holds, beside that called own, one with a trace of this uuid at path below it. */
static gboolean has_piece(const gchar *folder, const gchar *own, const gchar *path,
			  const gchar *uuid, gsize length)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const gchar *name;
	guint n = 0;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree gchar *other = NULL;

		if (g_str_equal(name, own))
			continue;
		if (++n > NEIGHBOURS_MAX)
			return TRUE;
		other = g_build_filename(folder, name, path, "metadata", NULL);
		if (g_file_test(other, G_FILE_TEST_IS_REGULAR) && has_uuid(other, uuid, length))
			return TRUE;
	}
	return FALSE;
}

/*
 * Whether a directory looks like one piece of a trace of several. Pieces have one uuid, and lie at
 * the same place below folders that lie beside one another.
 */
static gboolean is_piece(const gchar *directory)
{
	g_autofree gchar *metadata = g_build_filename(directory, "metadata", NULL);
	g_autoptr(GBytes) head = read_head(metadata);
	g_autofree gchar *whole = g_strdup(directory), *path = g_strdup("");
	gsize length = 0;
	const gchar *uuid = head ? find_uuid(head, &length) : NULL;

	if (!uuid)
		return TRUE;
	for (guint level = 0; level < LEVELS_MAX; level++) {
		g_autofree gchar *own = g_path_get_basename(whole);
		gchar *folder = g_path_get_dirname(whole),
		      *below = g_build_filename(own, path, NULL);
		const gboolean found = has_piece(folder, own, path, uuid, length);

		g_free(whole);
		g_free(path);
		whole = folder;
		path = below;
		if (found)
			return TRUE;
	}
	return FALSE;
}

GPtrArray *wp_sync_files_find(const bt_component_filter *filter, WpIntake *intake)
{
	g_autoptr(GPtrArray) directories = g_ptr_array_new_with_free_func(g_free);
	guint64 n_connected = 0, n_streams = 0;
	const bt_trace *trace;

	if (!filter_is_of_files(filter, &n_connected))
		return NULL;
	for (guint i = 0; (trace = wp_intake_get_trace(intake, i)); i++) {
		gchar *directory = dup_directory(trace);

		if (!directory)
			return NULL;
		n_streams += bt_trace_get_stream_count(trace);
		g_ptr_array_add(directories, directory);
	}
	if (n_streams != n_connected)
		return NULL;
	for (guint i = 0; i < directories->len; i++)
		if (is_piece(directories->pdata[i]))
			return NULL;
	return g_steal_pointer(&directories);
}

/* ---- reading them ---- */

typedef struct {
	bt_self_message_iterator *iterator; /* weak */
	WpCancel *cancellable; /* borrowed */
} Watch;

static void on_progress(const WpProgress *progress, gpointer data)
{
	const Watch *watch = data;

	(void)progress;
	if (bt_self_message_iterator_is_interrupted(watch->iterator))
		wp_cancel_set(watch->cancellable);
}

static WpAnalysis *load(const GPtrArray *directories, const WpOptions *options,
			bt_self_message_iterator *iterator, GError **error)
{
	g_autoptr(WpCancel) cancellable = wp_cancel_new();
	Watch watch = {.iterator = iterator, .cancellable = cancellable};
	WpOptions own = *options;

	/* all but these is borrowed */
	own.traces = (GPtrArray *)directories;
	own.reader = WP_READER_DIRECT;
	return wp_session_load(&own, on_progress, &watch, cancellable, error);
}

/* The offset of the clock by which a trace's messages have their times. */
static gboolean get_clock_offset(const bt_trace *trace, gint64 *ret_offset)
{
	const bt_trace_class *klass = bt_trace_borrow_class_const(trace);
	const bt_clock_class *clock =
		bt_trace_class_get_stream_class_count(klass)
			? bt_stream_class_borrow_default_clock_class_const(
				  bt_trace_class_borrow_stream_class_by_index_const(klass, 0))
			: NULL;

	return clock && wp_bt2_clock_zero(clock, ret_offset);
}

/* Whether a trace of the analysis has the clock that messages have (a source may shift it). */
static gboolean has_clock(const WpAnalysis *analysis, guint number, const gchar *directory,
			  gint64 offset)
{
	const guint32 host = analysis->traces[number]->host;
	const GArray *traces = host != WP_NONE ? analysis->graph->hosts[host]->traces : NULL;

	for (guint i = 0; traces && i < traces->len; i++) {
		const WpHostTrace *trace = &g_array_index(traces, WpHostTrace, i);

		if (g_str_equal(trace->path, directory))
			return trace->clock_offset == offset;
	}
	/* without events times of it matter to nobody */
	return !traces;
}

static gboolean is_of_messages(const WpAnalysis *analysis, const GPtrArray *directories,
			       WpIntake *intake)
{
	if (analysis->n_traces != directories->len)
		return FALSE;
	for (guint i = 0; i < directories->len; i++) {
		gint64 offset;

		if (!g_str_equal(analysis->traces[i]->path, directories->pdata[i]) ||
		    !get_clock_offset(wp_intake_get_trace(intake, i), &offset) ||
		    !has_clock(analysis, i, directories->pdata[i], offset))
			return FALSE;
	}
	return TRUE;
}

WpAnalysis *wp_sync_files_load(const GPtrArray *directories, const WpOptions *options,
			       WpIntake *intake, bt_self_message_iterator *iterator, GError **error)
{
	g_autoptr(WpAnalysis) analysis = load(directories, options, iterator, error);

	if (!analysis || is_of_messages(analysis, directories, intake))
		return g_steal_pointer(&analysis);
	g_set_error_literal(error, WP_ERROR, WP_ERROR_DECLINED,
			    "The messages are not those of the files.");
	return NULL;
}
