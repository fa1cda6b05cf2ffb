/* SPDX-License-Identifier: MIT */
/* report.c: what the reports own. */
#include "config.h"

#include "export/report.h"

void wp_trace_report_free(WpTraceReport *trace)
{
	if (!trace)
		return;
	g_free(trace->path);
	g_free(trace->tracer);
	g_free(trace->domain);
	wp_findings_free(trace->findings);
	for (guint i = 0; i < trace->missing->len; i++)
		g_free(g_array_index(trace->missing, WpMissing, i).enable);
	g_array_unref(trace->missing);
	g_free(trace);
}
