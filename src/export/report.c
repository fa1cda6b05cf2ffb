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
	g_free(trace->host_name);
	wp_findings_free(trace->findings);
	g_array_unref(trace->missing);
	g_free(trace);
}
