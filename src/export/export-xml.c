/* SPDX-License-Identifier: MIT */
/* export-xml.c: the path as XML, with what the JSON report holds; schema waitpath-path-1.xsd. */
#include "config.h"

#include "export/exporter-private.h"
#include "export/totals.h"
#include "export/xml-private.h"

static void put_task(WpXml *xml, const WpGraph *graph, guint32 host, WpId task, WpTime time)
{
	WpActor actor;

	wp_actor_init(&actor, graph, host, task, time);
	wp_xml_attribute(xml, "host", "%s", actor.host_name);
	wp_xml_attribute(xml, "tid", "%d", actor.tid);
	wp_xml_attribute(xml, "comm", "%s", actor.comm);
}

static void put_optional(WpXml *xml, const gchar *name, const gchar *value)
{
	if (value && *value)
		wp_xml_attribute(xml, name, "%s", value);
}

static void put_from(WpXml *xml, const WpActor *from)
{
	wp_xml_begin(xml, "from");
	wp_xml_attribute(xml, "host", "%s", from->host_name);
	if (from->task != WP_NONE) {
		wp_xml_attribute(xml, "tid", "%d", from->tid);
		wp_xml_attribute(xml, "comm", "%s", from->comm);
	}
	wp_xml_end(xml);
}

static void put_cause(WpXml *xml, const WpGraph *graph, const WpSegment *s, const WpCauseInfo *info)
{
	wp_xml_begin(xml, "cause");
	wp_xml_attribute(xml, "kind", "%s", wp_cause_kind_key(info->kind));
	put_optional(xml, "name", info->name);
	put_optional(xml, "device", info->device);
	put_optional(xml, "function", info->function);
	if (info->number >= 0)
		wp_xml_attribute(xml, "number", "%d", info->number);
	put_optional(xml, "flow", info->flow);
	put_optional(xml, "peer", info->peer);
	put_optional(xml, "part", wp_part_key(info->part));
	if (info->clock_error > 0)
		wp_xml_attribute(xml, "clock_error", "%" G_GINT64_FORMAT, info->clock_error);
	if (info->local)
		wp_xml_attribute(xml, "local", "true");
	if (info->space)
		wp_xml_attribute(xml, "space", "true");
	put_optional(xml, "syscall", info->syscall);
	if (info->from.host != WP_NONE)
		put_from(xml, &info->from);
	for (guint i = 0; i < info->preemptors->len; i++) {
		const WpPreemptor *p = &g_array_index(info->preemptors, WpPreemptor, i);

		wp_xml_begin(xml, "preemptor");
		put_task(xml, graph, s->host, p->task, s->begin);
		wp_xml_attribute(xml, "time", "%" G_GINT64_FORMAT, p->time);
		wp_xml_end(xml);
	}
	wp_xml_end(xml);
}

static void put_segment(WpXml *xml, WpGraph *graph, const WpSegment *s, WpCauseInfo *info)
{
	guint32 cpu = wp_segment_cpu(graph, s);

	wp_xml_begin(xml, "segment");
	put_task(xml, graph, s->host, s->task, s->begin);
	if (cpu != WP_NONE)
		wp_xml_attribute(xml, "cpu", "%u", cpu);
	wp_xml_attribute(xml, "begin", "%" G_GINT64_FORMAT, s->begin);
	wp_xml_attribute(xml, "end", "%" G_GINT64_FORMAT, s->end);
	wp_xml_attribute(xml, "state", "%s", wp_state_key(s->state));
	wp_xml_attribute(xml, "depth", "%u", s->depth);
	wp_cause_info_fill(info, graph, s);
	if (info->kind != WP_CAUSE_NONE)
		put_cause(xml, graph, s, info);
	wp_xml_end(xml);
}

static void put_states(WpXml *xml, const WpTime by_state[WP_STATE_N])
{
	WpState order[WP_STATE_N];
	guint n = wp_states_by_time(by_state, order);

	for (guint i = 0; i < n; i++) {
		wp_xml_begin(xml, "state");
		wp_xml_attribute(xml, "name", "%s", wp_state_key(order[i]));
		wp_xml_attribute(xml, "time", "%" G_GINT64_FORMAT, by_state[order[i]]);
		wp_xml_end(xml);
	}
}

static void put_totals(WpXml *xml, const WpExportJob *job)
{
	g_autoptr(WpTotals) totals = wp_totals_new(job->path, job->graph);
	g_autoptr(GPtrArray) tasks = wp_totals_tasks_by_time(totals);

	wp_xml_begin(xml, "totals");
	put_states(xml, totals->by_state);
	for (guint i = 0; i < tasks->len; i++) {
		const WpTaskTotal *task = tasks->pdata[i];

		wp_xml_begin(xml, "task");
		put_task(xml, job->graph, task->host, task->task, WP_TIME_MAX);
		wp_xml_attribute(xml, "time", "%" G_GINT64_FORMAT, task->time);
		put_states(xml, task->by_state);
		wp_xml_end(xml);
	}
	wp_xml_end(xml);
}

void wp_xml_write(WpOut *out, const WpExportJob *job)
{
	const WpPath *path = job->path;
	WpXml *xml = wp_xml_new(out);
	WpCauseInfo info;

	wp_xml_begin(xml, "path");
	wp_xml_attribute(xml, "schema", "waitpath-path/1");
	put_task(xml, job->graph, path->host, path->task, WP_TIME_MAX);
	wp_xml_attribute(xml, "mode", "%s", path->mode == WP_PATH_CAUSAL ? "causal" : "active");
	wp_xml_attribute(xml, "reference", "%s", job->graph->hosts[job->graph->reference]->name);
	wp_xml_attribute(xml, "begin", "%" G_GINT64_FORMAT, path->begin);
	wp_xml_attribute(xml, "end", "%" G_GINT64_FORMAT, path->end);
	wp_xml_begin(xml, "segments");
	wp_cause_info_init(&info);
	for (guint i = 0; i < path->segments.n && !wp_out_is_failed(out); i++)
		put_segment(xml, job->graph, wp_path_segment(path, i), &info);
	wp_cause_info_clear(&info);
	wp_xml_end(xml);
	put_totals(xml, job);
	wp_xml_end(xml);
	wp_xml_free(xml);
}
