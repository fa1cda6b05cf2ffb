/* SPDX-License-Identifier: MIT */
/* text-check.c: is the trace fit: a verdict, then each trace with what it lacks. */
#include "config.h"

#include "export/text-private.h"

typedef struct {
	guint n_required, n_missing; /* roles that are not filled */
	guint64 lost_events, lost_packets;
	gboolean joined; /* all hosts are on one clock */
} Verdict;

static void judge(Verdict *verdict, const WpCheckReport *report)
{
	*verdict = (Verdict){.joined = TRUE};
	for (guint i = 0; i < report->n_traces; i++) {
		const WpTraceReport *trace = report->traces[i];

		verdict->lost_events += trace->lost_events;
		verdict->lost_packets += trace->lost_packets;
		for (guint j = 0; j < trace->missing->len; j++) {
			verdict->n_missing++;
			verdict->n_required += g_array_index(trace->missing, WpMissing, j).required
						       ? 1
						       : 0;
		}
	}
	for (guint i = 0; report->sync && i < report->sync->n_hosts; i++)
		if (!report->sync->hosts[i].connected)
			verdict->joined = FALSE;
}

static void put_verdict(WpOut *out, const WpTextStyle *style, const WpCheckReport *report)
{
	const gchar *what = report->n_traces > 1 ? "These traces" : "This trace";
	const gchar *s = report->n_traces > 1 ? "" : "s";
	Verdict v;

	judge(&v, report);
	if (v.n_required > 0)
		wp_text_heading(out, style, "%s can't answer: needed events are missing.", what);
	else if (v.lost_events > 0 || v.lost_packets > 0)
		wp_text_heading(out, style,
				"%s answer%s with gaps: events were lost while recording.", what,
				s);
	else if (!v.joined)
		wp_text_heading(out, style,
				"%s answer%s for each host alone: the hosts' clocks can't be "
				"related.",
				what, s);
	else if (v.n_missing > 0)
		wp_text_heading(out, style, "%s will do; some events would tell more.", what);
	else
		wp_text_heading(out, style, "%s will do.", what);
}

static void put_trace(WpOut *out, const WpTextStyle *style, const WpCheckReport *report,
		      const WpTraceReport *trace)
{
	g_autofree gchar *path = wp_text_dup_safe(trace->path);
	g_autofree gchar *host = wp_text_dup_safe(trace->host_name);
	WpText count, begin, life;

	wp_out_putc(out, '\n');
	wp_text_heading(out, style, "%s", path);
	wp_out_printf(out, "  host %s", host);
	if (trace->tracer)
		wp_out_printf(out, ", %s", trace->tracer);
	if (trace->domain)
		wp_out_printf(out, ", %s", trace->domain);
	if (trace->n_cpus > 0)
		wp_out_printf(out, ", %u CPU%s", trace->n_cpus, trace->n_cpus > 1 ? "s" : "");
	wp_out_printf(out, ", reader: %s\n", trace->reader);
	wp_out_printf(out, "  %s events", wp_count_text(&count, trace->n_events));
	if (trace->host != WP_NONE && trace->begin <= trace->end)
		wp_out_printf(out, ", from %s for %s",
			      wp_date_text(&begin,
					   wp_graph_time(report->graph, trace->host, trace->begin)),
			      wp_duration_text(&life, trace->end - trace->begin));
	wp_out_putc(out, '\n');
	if (trace->lost_events > 0 || trace->lost_packets > 0)
		wp_out_printf(out, "  lost: %s events", wp_count_text(&count, trace->lost_events));
	if (trace->lost_packets > 0)
		wp_out_printf(out, " and %s packets of them",
			      wp_count_text(&count, trace->lost_packets));
	if (trace->lost_events > 0 || trace->lost_packets > 0)
		wp_out_put(out, "; larger or more sub-buffers keep them\n");
	for (guint i = 0; i < trace->missing->len; i++) {
		const WpMissing *m = &g_array_index(trace->missing, WpMissing, i);

		wp_out_printf(out, "  no %s, %s for %s:\n      %s\n", m->role,
			      m->required ? "needed" : "good", m->needed_for, m->enable);
	}
	if (!style->quiet)
		wp_text_findings(out, style, trace->findings);
}

static void put_clocks(WpOut *out, const WpTextStyle *style, const WpCheckReport *report)
{
	const WpSyncReport *sync = report->sync;
	WpText offset, bound;

	if (!sync || sync->n_hosts < 2)
		return;
	wp_out_putc(out, '\n');
	wp_text_heading(out, style, "Clocks");
	for (guint i = 0; i < sync->n_hosts; i++) {
		const WpHostReport *host = &sync->hosts[i];
		const gchar *name = report->graph->hosts[host->host]->name;

		if (i == sync->reference)
			wp_out_printf(out, "  %s: the reference\n", name);
		else if (!host->connected)
			wp_out_printf(out, "  %s: not related to %s; no packets join them\n", name,
				      report->graph->hosts[sync->reference]->name);
		else
			wp_out_printf(out, "  %s: %s s to be added, +-%s\n", name,
				      wp_offset_text(&offset, host->offset),
				      wp_duration_text(&bound, host->bound_median));
	}
}

void wp_text_write_check(WpOut *out, const WpCheckReport *report, const WpTextStyle *style)
{
	put_verdict(out, style, report);
	for (guint i = 0; i < report->n_traces; i++)
		put_trace(out, style, report, report->traces[i]);
	put_clocks(out, style, report);
	if (!style->quiet)
		wp_text_findings(out, style, report->findings);
}
