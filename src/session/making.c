/* SPDX-License-Identifier: MIT */
/*
 * making.c: a host in the making, and what is told of its traces: shared by those who
 * pull events out of traces (load.c) and those whom they are brought (feed.c).
 */
#include "config.h"

#include "session/session-private.h"

void wp_input_free(gpointer data)
{
	WpInput *input = data;

	g_free(input->path);
	g_free(input->given);
	wp_reader_free(input->reader);
	wp_host_free(input->saved);
	g_free(input);
}

void wp_making_init(WpMaking *making, const WpHostGroup *group, const GPtrArray *inputs,
		    WpMemory *memory)
{

	*making = (WpMaking){.group = group};
	if (group->saved) {
		WpInput *input = inputs->pdata[g_array_index(group->indexes, guint, 0)];

		making->host = g_steal_pointer(&input->saved);
		g_free(making->host->name);
		making->host->name = g_strdup(group->name);
	} else {
		making->host = wp_host_new(group->name, memory);
		making->host->clock_uuid = g_strdup(group->uuid);
	}
}

void wp_making_begin(WpMaking *making)
{
	const GPtrArray *readers = making->group->readers;
	g_autofree const WpTraceInfo **infos = g_new(const WpTraceInfo *, readers->len);

	for (guint i = 0; i < readers->len; i++)
		infos[i] = &((const WpReader *)readers->pdata[i])->info;
	making->model = wp_model_new(making->host, infos, readers->len);
}

gboolean wp_making_finish(WpMaking *making, GError **error)
{
	gboolean ok = wp_model_finish(making->model, error);

	g_clear_pointer(&making->model, wp_model_free);
	return ok;
}

void wp_making_clear(WpMaking *making)
{
	g_clear_pointer(&making->model, wp_model_free);
	g_clear_pointer(&making->host, wp_host_free);
}

/* ---- what came of it ---- */

static gchar *tracer_text(const WpTraceInfo *info)
{
	if (!info->tracer)
		return NULL;
	if (info->tracer_major < 0)
		return g_strdup(info->tracer);
	return g_strdup_printf("%s %d.%d", info->tracer, info->tracer_major,
			       MAX(info->tracer_minor, 0));
}

static void missing_clear(gpointer data)
{
	g_free(((WpMissing *)data)->enable);
}

static WpTraceReport *new_report(const gchar *path, const gchar *reader)
{
	WpTraceReport *report = g_new0(WpTraceReport, 1);

	report->path = g_strdup(path);
	report->reader = reader;
	report->host = WP_NONE;
	report->begin = WP_TIME_MAX;
	report->end = WP_TIME_MIN;
	report->findings = wp_findings_new();
	report->missing = g_array_new(FALSE, FALSE, sizeof(WpMissing));
	g_array_set_clear_func(report->missing, missing_clear);
	return report;
}

static WpTraceReport *report_trace(const WpReader *reader)
{
	const WpTraceInfo *info = &reader->info;
	WpTraceReport *report = new_report(info->path, reader->klass->name);

	report->tracer = tracer_text(info);
	report->domain = g_strdup(info->domain);
	report->n_cpus = info->n_cpus;
	report->n_events = reader->n_events;
	report->begin = reader->passed.begin;
	report->end = reader->passed.end;
	report->lost_events = reader->passed.lost_events;
	report->lost_packets = reader->passed.lost_packets;
	/* What was lost the host tells, by CPU, and not each stream of it again. */
	wp_findings_merge_others(report->findings, reader->findings, NULL, "lost-events");
	return report;
}

static WpTraceReport *report_saved(const WpInput *input, const WpHost *host)
{
	WpTraceReport *report = new_report(input->path, "saved graph");

	report->n_cpus = (guint)host->cpus.n;
	report->n_events = host->n_events;
	report->lost_events = host->n_lost;
	report->begin = host->begin;
	report->end = host->end;
	return report;
}

/* What the host lacks is told of its first kernel trace: the others may fill the gap. */
static void report_missing(const WpMade *made, const WpHostGroup *group, WpTraceReport **reports)
{
	guint64 kinds = 0;
	guint teller = G_MAXUINT;

	for (guint i = 0; i < group->readers->len; i++) {
		const WpReader *reader = group->readers->pdata[i];

		kinds |= wp_needs_kinds(&reader->info);
		if (teller == G_MAXUINT && g_strcmp0(reader->info.domain, "ust"))
			teller = i;
	}
	if (teller == G_MAXUINT)
		teller = 0;

	const WpReader *reader = group->readers->pdata[teller];
	guint index = g_array_index(group->indexes, guint, teller);

	wp_needs_add_missing(reports[index]->missing, kinds, &reader->info);
}

static void report_host(const WpMade *made, const WpMaking *making, guint32 host,
			WpTraceReport **reports)
{
	const WpHostGroup *group = making->group;

	for (guint i = 0; i < group->indexes->len; i++) {
		guint index = g_array_index(group->indexes, guint, i);
		const WpInput *input = made->inputs->pdata[index];

		reports[index] = input->reader ? report_trace(input->reader)
					       : report_saved(input, making->host);
		reports[index]->host = host;
		reports[index]->host_name = g_strdup(group->name);
	}
	if (!group->saved)
		report_missing(made, group, reports);
}

WpAnalysis *wp_made_analysis(const WpMade *made)
{
	WpAnalysis *analysis = g_new0(WpAnalysis, 1);
	g_autofree WpHost **hosts = g_new(WpHost *, MAX(made->n_makings, 1));
	guint n_hosts = 0;

	analysis->n_traces = made->inputs->len;
	analysis->traces = g_new0(WpTraceReport *, analysis->n_traces);
	analysis->findings = wp_findings_new();
	wp_findings_merge(analysis->findings, made->findings, NULL);
	for (guint i = 0; i < made->n_makings; i++) {
		WpMaking *making = made->makings[i];
		gboolean empty = making->host->n_events == 0;

		report_host(made, making, empty ? WP_NONE : n_hosts, analysis->traces);
		if (empty)
			wp_findings_add(analysis->findings, "no-events", WP_SEVERITY_WARNING,
					making->group->name, WP_TIME_MIN, 1,
					"There are no events in the traces of this host.");
		else
			hosts[n_hosts++] = g_steal_pointer(&making->host);
	}
	analysis->graph = wp_graph_new(hosts, n_hosts);
	analysis->memory = wp_memory_ref(made->memory);
	return analysis;
}
