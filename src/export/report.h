/* SPDX-License-Identifier: MIT */
/*
 * report.h: what each command has to tell, apart from how it is written. The
 * formats (format.h) take these; everything in them is borrowed unless it says
 * otherwise.
 */
#ifndef WP_EXPORT_REPORT_H
#define WP_EXPORT_REPORT_H

#include "export/totals.h"
#include "sync/sync.h"

G_BEGIN_DECLS

typedef struct {
	WpGraph *graph;
	const WpPath *path;
	const WpFindings *findings; /* of the traces, the hosts and the join */
} WpPathReport;

/* A task's own life: where its time went without following its waits. */
typedef struct {
	guint32 host;
	WpId task;
	WpTime begin, end; /* reference clock, cut to the window */
	WpTime time;
	WpTime by_state[WP_STATE_N];
} WpTaskLife;

typedef struct {
	WpGraph *graph;
	WpTime begin, end; /* window, reference clock */
	const WpTaskLife *tasks;
	guint n_tasks;
	const WpFindings *findings;
} WpTasksReport;

typedef struct {
	const WpGraph *graph;
	const WpSyncReport *sync;
	const WpFindings *findings;
} WpSyncView;

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
	guint32 host; /* of the graph */
	const gchar *reader; /* static: "direct", "babeltrace" */
	guint n_cpus; /* 0 unknown */
	guint64 n_events; /* of the kinds that the analysis uses */
	WpTime begin, end; /* host clock; WP_TIME_MAX and _MIN when there are no events */
	guint64 lost_events; /* events whose number is known */
	guint64 lost_packets; /* packets of events, their number unknown */
	WpFindings *findings; /* owned */
	GArray *missing; /* owned: WpMissing */
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
