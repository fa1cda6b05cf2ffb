/* SPDX-License-Identifier: MIT */
/* session-private.h: the steps that wp_session_load() takes, one file each. */
#ifndef WP_SESSION_SESSION_PRIVATE_H
#define WP_SESSION_SESSION_PRIVATE_H

#include "event/reader.h"
#include "kernel/model.h"
#include "session/discover.h"
#include "session/session.h"

G_BEGIN_DECLS

/* ---- hosts.c: which traces are of one host ---- */

/* What a host is made from: a trace that is to be read, or a host of a saved graph. */
typedef struct {
	gchar *path; /* owned */
	gchar *given; /* owned: the host's name that the user gave, NULL */
	WpReader *reader; /* owned, NULL */
	WpHost *saved; /* owned, NULL */
} WpInput;

void wp_input_free(gpointer input);

typedef struct {
	gchar *name; /* owned */
	const gchar *uuid; /* borrowed from an input, NULL */
	GPtrArray *readers; /* owned; borrowed WpReader, in order */
	GArray *indexes; /* owned: guint, of its inputs among all */
	gint64 clock_offset; /* of its clock to the epoch, that all its readers share */
	gboolean named; /* by the user */
	gboolean saved; /* of one input, which is a saved host */
} WpHostGroup;

/*
 * Sorts the inputs (WpInput) by host, in the order of each host's first; readers of one host
 * get the clock offset of its first kernel trace. Owned by the caller, with owned groups.
 */
GPtrArray *wp_hosts_group(const GPtrArray *inputs, WpFindings *findings);
/* The group of an input that came when the others were read already: one of groups, or a new one. */
WpHostGroup *wp_hosts_add(GPtrArray *groups, const GPtrArray *inputs, guint index,
			  WpFindings *findings);

/* ---- needs.c: which events are there ---- */

/* The info's kinds, and what they make up together. */
guint64 wp_needs_kinds(const WpTraceInfo *info);
/*
 * What a host with these kinds lacks, appended to missing (WpMissing). info is of its kernel
 * trace: the command depends on the tracer's age.
 */
void wp_needs_add_missing(GArray *missing, guint64 kinds, const WpTraceInfo *info);

/* ---- making.c: a host in the making ---- */

typedef struct {
	const WpHostGroup *group; /* borrowed */
	WpHost *host; /* owned; NULL once it is in an analysis */
	WpModel *model; /* owned, while events come */
} WpMaking;

void wp_making_init(WpMaking *making, const WpHostGroup *group, const GPtrArray *inputs,
		    WpMemory *memory);
void wp_making_clear(WpMaking *making);
/* Makes the model; not of a saved host. */
void wp_making_begin(WpMaking *making);
gboolean wp_making_finish(WpMaking *making, GError **error);

/* All hosts, as they are made. */
typedef struct {
	WpMaking *const *makings; /* borrowed */
	guint n_makings;
	const GPtrArray *inputs; /* borrowed: WpInput */
	const WpFindings *findings; /* borrowed */
	WpMemory *memory; /* borrowed */
} WpMade;

/*
 * Takes the hosts that have events; not yet joined. Reports of all inputs, in their order.
 * Owned by the caller.
 */
WpAnalysis *wp_made_analysis(const WpMade *made);

/* ---- session.c ---- */

WpLayout *wp_options_make_layout(const WpOptions *options, GError **error);
/* Joins the hosts as the options ask for. */
gboolean wp_analysis_join(WpAnalysis *analysis, const WpOptions *options, WpCancel *cancellable,
			  GError **error);

/* ---- load.c: hosts, not yet joined ---- */

WpAnalysis *wp_load_hosts(const WpOptions *options, WpSessionProgressFunc progress,
			  gpointer progress_data, WpCancel *cancellable, GError **error);

/* ---- select.c ---- */

/* The host of all tasks that fit a text, WP_NONE when there are none or they are of several. */
guint32 wp_selection_host(const WpAnalysis *analysis, const gchar *text);

G_END_DECLS

#endif
