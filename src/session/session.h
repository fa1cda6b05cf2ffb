/* SPDX-License-Identifier: MIT */
/*
 * session.h: from options to an analysis: the one way in for the command line, the
 * viewer and everybody else who wants an answer from traces.
 *
 * Traces are found below the given directories and sorted by host (one clock uuid
 * is one host); every host is read and its graph built by a thread of its own;
 * then the hosts are joined. Hosts come in the order of the traces on the command
 * line, so nothing depends on the number of threads.
 */
#ifndef WP_SESSION_SESSION_H
#define WP_SESSION_SESSION_H

#include "base/cancel.h"
#include "export/report.h"
#include "path/path.h"

G_BEGIN_DECLS

typedef enum {
	WP_READER_AUTO, /* our own, and Babeltrace for what it declines */
	WP_READER_DIRECT,
	WP_READER_BABELTRACE
} WpReaderChoice;

typedef struct {
	GPtrArray *traces; /* owned: owned gchar *: DIR or saved graph, NAME=DIR names its host */
	gchar *reference; /* owned: a host, NULL: see wp_session_load() */
	gchar *task; /* owned: a task whose host is the reference by default, NULL */
	GPtrArray *offsets; /* owned: owned gchar *: HOST=NS, reference clock minus host's */
	gchar *sync_file; /* owned, NULL */
	GPtrArray *layouts; /* owned: owned gchar *: files of further event layouts */
	GPtrArray *markers; /* owned: owned gchar *: EVENT or "EVENT FIELD", kept as markers */
	WpReaderChoice reader;
	guint jobs; /* threads, 0: one for each CPU of this machine */
	guint64 max_memory; /* bytes of anonymous memory for the graph, 0: no limit */
	gchar *cache_dir; /* owned: where it goes beyond that, NULL: the user's cache */
} WpOptions;

void wp_options_init(WpOptions *options);
void wp_options_clear(WpOptions *options);

typedef struct {
	gdouble share; /* of the bytes, 0 to 1 */
	guint64 n_events;
	gint64 elapsed; /* us since the beginning */
} WpProgress;

/*
 * Called about ten times a second while traces are read, from any of the threads but never from
 * two at once.
 */
typedef void (*WpSessionProgressFunc)(const WpProgress *progress, gpointer data);

typedef struct {
	WpGraph *graph; /* owned */
	WpSyncReport *sync; /* owned */
	WpTraceReport **traces; /* owned, each owned: in the order in which they were found */
	guint n_traces;
	WpFindings *findings; /* owned: of finding and reading the traces */
	WpFindings *all_findings; /* owned: these, the hosts' and those of the join */
	GArray *offsets; /* owned: gint64 a host, G_MININT64 for none */
	gchar *sync_file; /* owned, NULL */
	WpMemory *memory; /* reference */
	guint n_threads; /* that an answer may take; of one made of messages 0: its caller's only */
} WpAnalysis;

/*
 * Reads everything. The reference host is options->reference, else the host of the task
 * options->task, else that of the first trace. WP_ERROR_USAGE for what was asked wrongly,
 * WP_ERROR_CANNOT_ANSWER when there are no events at all or the task's host lacks the
 * events to know a task by, WP_ERROR_CANCELLED.
 */
WpAnalysis *wp_session_load(const WpOptions *options, WpSessionProgressFunc progress,
			    gpointer progress_data, WpCancel *cancellable, GError **error);
void wp_analysis_free(WpAnalysis *analysis);

/* Gives all times on another host's clock; graph->joins and ->sync are made anew. */
gboolean wp_analysis_set_reference(WpAnalysis *analysis, guint host, WpCancel *cancellable,
				   GError **error);
/* WP_NONE when no host has this name. */
guint32 wp_analysis_find_host(const WpAnalysis *analysis, const gchar *name);
/* The first and last event of all hosts, on the reference clock. */
void wp_analysis_get_span(const WpAnalysis *analysis, WpTime *ret_begin, WpTime *ret_end);
/*
 * WP_ERROR_CANNOT_ANSWER, with the command that records them, when a host lacks needed events, or
 * when its trace lasts no time.
 */
gboolean wp_analysis_check_host(const WpAnalysis *analysis, guint32 host, GError **error);
/* The same, only when all hosts do. */
gboolean wp_analysis_check_any_host(const WpAnalysis *analysis, GError **error);

/* A task that was asked for, and the window of its life. */
typedef struct {
	guint32 host;
	WpId task;
	WpTime begin, end; /* reference clock */
} WpSelection;

/*
 * Finds the one task that text names: TID, HOST:TID, NAME or HOST:NAME; NAME is the comm,
 * `*` stands for anything. begin and end (reference clock; WP_TIME_MIN and _MAX: open)
 * bound the window; where several match, those with life in it are considered.
 * WP_ERROR_USAGE when none matches, or with the list of candidates when several do.
 */
gboolean wp_analysis_select_task(const WpAnalysis *analysis, const gchar *text, WpTime begin,
				 WpTime end, WpSelection *ret_selection, GError **error);

/*
 * All tasks that text fits, by host and task: WpSelection, owned by the caller. Idle tasks are
 * found by number only.
 */
GArray *wp_analysis_find_tasks(const WpAnalysis *analysis, const gchar *text);
/* wp_graph_check_damage() of its graph. */
gboolean wp_analysis_check_damage(const WpAnalysis *analysis, GError **error);

/*
 * A time as people write it: nanoseconds, or SECONDS.frac, since the epoch; HH:MM:SS.frac
 * in the local time zone, on the day of begin, or on the next when that is nearer to begin; a
 * full ISO date; or +SECONDS from begin. WP_ERROR_USAGE with what is accepted.
 */
gboolean wp_time_parse(const gchar *text, WpTime begin, WpTime *ret_time, GError **error);
/* "256M", "4G", "1000000": bytes. */
gboolean wp_size_parse(const gchar *text, guint64 *ret_bytes, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpAnalysis, wp_analysis_free)

G_END_DECLS

#endif
