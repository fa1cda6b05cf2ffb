/* SPDX-License-Identifier: MIT */
/* session-private.h: the steps that wp_session_load() takes, one file each. */
#ifndef WP_SESSION_SESSION_PRIVATE_H
#define WP_SESSION_SESSION_PRIVATE_H

#include "event/reader.h"
#include "session/session.h"

G_BEGIN_DECLS

/* ---- discover.c: where traces lie ---- */

typedef struct {
	gchar *path; /* owned: the directory that holds `metadata`, a trace.dat or a saved graph */
	gchar *name; /* owned: the host's name that the user gave, NULL */
	gboolean saved; /* it is a saved graph */
	guint argument; /* of the command line, from 0 */
} WpSource;

/*
 * The traces below each argument, in the order of arguments, then of names. Owned by the caller.
 * WP_ERROR_USAGE for what does not exist, WP_ERROR_FAILED where there is no trace.
 */
GPtrArray *wp_sources_find(const GPtrArray *arguments, WpFindings *findings, GError **error);

/* ---- hosts.c: which traces are of one host ---- */

/* What a host is made from: a trace that is to be read, or a host of a saved graph. */
typedef struct {
	gchar *path; /* owned */
	gchar *given; /* owned: the host's name that the user gave, NULL */
	WpReader *reader; /* owned, NULL */
	WpHost *saved; /* owned, NULL */
} WpInput;

typedef struct {
	gchar *name; /* owned */
	const gchar *uuid; /* borrowed from an input, NULL */
	GPtrArray *readers; /* owned; borrowed WpReader, in order */
	GArray *indexes; /* owned: guint, of its inputs among all */
	gboolean named; /* by the user */
	gboolean saved; /* of one input, which is a saved host */
} WpHostGroup;

/*
 * Sorts the inputs (WpInput) by host, in the order of each host's first; readers of one host
 * get the clock offset of its first kernel trace. Owned by the caller, with owned groups.
 */
GPtrArray *wp_hosts_group(const GPtrArray *inputs, WpFindings *findings);

/* ---- needs.c: which events are there ---- */

/* A bit for each WpEventKind that the trace's metadata declares. */
guint64 wp_needs_kinds(const WpTraceInfo *info, WpLayout *layout);
/*
 * What a host with these kinds lacks, appended to missing (WpMissing). info is of its kernel
 * trace: the command depends on the tracer's age.
 */
void wp_needs_add_missing(GArray *missing, guint64 kinds, const WpTraceInfo *info);

/* ---- load.c: hosts, not yet joined ---- */

WpAnalysis *wp_load_hosts(const WpOptions *options, WpSessionProgressFunc progress,
			  gpointer progress_data, GCancellable *cancellable, GError **error);

/* ---- select.c ---- */

/* The host of all tasks that fit a text, WP_NONE when there are none or they are of several. */
guint32 wp_selection_host(const WpAnalysis *analysis, const gchar *text);

G_END_DECLS

#endif
