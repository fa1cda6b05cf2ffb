/* SPDX-License-Identifier: MIT */
/*
 * report.h: what each command has to tell, apart from how it is written. The
 * formats (format.h) take these; everything in them is borrowed unless it says
 * otherwise.
 */
#ifndef WP_EXPORT_REPORT_H
#define WP_EXPORT_REPORT_H

#include "export/stacks.h"
#include "export/totals.h"
#include "path/prefix.h"
#include "path/blockers.h"
#include "path/compare.h"
#include "path/reasons.h"
#include "path/without.h"
#include "sync/sync.h"

G_BEGIN_DECLS

typedef struct {
	WpGraph *graph;
	const WpPath *path;
	const WpTotals *totals; /* of the path, as is quality: of csv and folded NULL will do */
	const WpQuality *quality;
	const WpFindings *findings; /* of the traces, the hosts and the join */
	const WpWithout *without; /* NULL: not asked for */
	const gchar *without_text; /* what was left out */
} WpPathReport;

/* A task, what its path consists of, and where it was looked for, on whom. */
typedef struct {
	const WpPrefixTask *task;
	/* Other tasks with most of its path, the longest first; NULL: not looked for, or none. */
	const WpWaited *top;
	guint n_top;
	gboolean has_top; /* was looked for */
} WpTaskRow;

typedef struct {
	WpGraph *graph;
	WpTime begin, end; /* window, reference clock */
	const WpTaskRow *rows; /* ranked */
	guint n_rows;
	const WpFindings *findings;
} WpTasksReport;

typedef struct {
	const WpGraph *graph;
	const WpSyncReport *sync;
	const WpFindings *findings;
} WpSyncView;

typedef struct {
	WpGraph *graph;
	const WpRequestsOptions *options;
	const gchar *id; /* the field that requests are matched by, NULL */
	const WpRequests *requests;
	const WpReasons *reasons; /* NULL: all requests are alike */
	const WpFindings *findings;
} WpRequestsReport;

typedef struct {
	const gchar *a, *b; /* what the sides are called */
	const WpComparison *comparison;
	const WpStacks *stacks; /* of both sides */
	gboolean of_tasks; /* lists of tasks are compared, not paths */
} WpCompareReport;

typedef struct {
	WpGraph *graph;
	const WpBlockers *blockers;
	const WpFindings *findings;
} WpBlockersReport;

/* Events that a trace lacks, and what that costs. */
typedef struct {
	const gchar *role; /* static: "wake-ups" */
	const gchar *needed_for; /* static: half a sentence */
	gchar *enable; /* owned: the lttng command line */
	gboolean required; /* nothing can be answered without */
} WpMissing;

/* One trace as `check` tells of it. */
typedef struct {
	gchar *path; /* owned */
	gchar *tracer; /* owned: "lttng-modules 2.13", NULL unknown */
	gchar *domain; /* owned: "kernel", "ust", NULL */
	guint32 host; /* of the graph, WP_NONE: it has no events */
	gchar *host_name; /* owned */
	const gchar *reader; /* static: "direct", "babeltrace" */
	guint n_cpus; /* 0 unknown */
	guint64 n_events; /* read, of whatever kind */
	WpTime begin, end; /* host clock; of what is used; WP_TIME_MAX and _MIN: none */
	guint64 lost_events; /* events whose number is known */
	guint64 lost_packets; /* packets of events, their number unknown */
	WpFindings *findings; /* owned */
	GArray *missing; /* owned: WpMissing, cleared by the array */
} WpTraceReport;

void wp_trace_report_free(WpTraceReport *trace);

typedef struct {
	const WpGraph *graph;
	const WpSyncReport *sync; /* NULL */
	WpTraceReport *const *traces;
	guint n_traces;
	const WpFindings *findings; /* those of no single trace */
} WpCheckReport;

G_END_DECLS

#endif
