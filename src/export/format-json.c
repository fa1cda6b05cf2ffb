/* SPDX-License-Identifier: MIT */
/* format-json.c: the reports as JSON, schemas waitpath-*.1 of doc/schema. */
#include "config.h"

#include "base/json.h"
#include "export/describe.h"
#include "export/json-private.h"

/* ---- what several reports have ---- */

void wp_json_put_actor(WpJson *json, const gchar *key, const WpActor *actor)
{
	wp_json_begin_object(json, key, WP_JSON_LINE);
	wp_json_string(json, "host", actor->host_name);
	if (actor->task != WP_NONE) {
		wp_json_int(json, "tid", actor->tid);
		wp_json_string(json, "comm", actor->comm);
	}
	wp_json_end_object(json);
}

/* host, tid, pid where known, comm: of a task's row. */
void wp_json_put_task_members(WpJson *json, const WpGraph *graph, guint32 host, WpId task,
			      gboolean with_pid)
{
	WpActor actor;

	wp_actor_init(&actor, graph, host, task, WP_TIME_MAX);
	wp_json_string(json, "host", actor.host_name);
	wp_json_int(json, "tid", actor.tid);
	if (with_pid && actor.pid >= 0)
		wp_json_int(json, "pid", actor.pid);
	wp_json_string(json, "comm", actor.comm);
}

void wp_json_put_window(WpJson *json, WpTime begin, WpTime end)
{
	wp_json_begin_object(json, "window", WP_JSON_LINE);
	wp_json_int(json, "begin", begin);
	wp_json_int(json, "end", end);
	wp_json_end_object(json);
}

void wp_json_put_states(WpJson *json, const WpTime by_state[WP_STATE_N])
{
	WpState order[WP_STATE_N];
	guint n = wp_states_by_time(by_state, order);

	wp_json_begin_object(json, "by_state", WP_JSON_LINE);
	for (guint i = 0; i < n; i++)
		wp_json_int(json, wp_state_key(order[i]), by_state[order[i]]);
	wp_json_end_object(json);
}

static void put_findings(WpJson *json, const WpFindings *findings, gboolean of_trace)
{
	wp_json_begin_array(json, "findings", WP_JSON_BLOCK);
	for (guint i = 0; i < wp_findings_n(findings); i++) {
		const WpFinding *f = wp_findings_get(findings, i);

		wp_json_begin_object(json, NULL, WP_JSON_LINE);
		wp_json_string(json, "code", f->code);
		wp_json_string(json, "severity", wp_severity_key(f->severity));
		if (!of_trace)
			wp_json_string(json, "host", f->host);
		wp_json_string(json, "text", f->text);
		wp_json_uint(json, "count", f->count);
		wp_json_end_object(json);
	}
	wp_json_end_array(json);
}

/* ---- path ---- */

static gdouble share(WpTime part, WpTime whole)
{
	return whole > 0 ? (gdouble)part / (gdouble)whole : 0.0;
}

static void put_preemptors(WpJson *json, const WpCauseInfo *info, const WpGraph *graph,
			   const WpSegment *segment)
{
	WpTime whole = segment->end - segment->begin;

	if (info->cpu != WP_NONE)
		wp_json_uint(json, "cpu", info->cpu);
	wp_json_begin_array(json, "preemptors", WP_JSON_LINE);
	for (guint i = 0; i < info->preemptors->len; i++) {
		const WpPreemptor *p = &g_array_index(info->preemptors, WpPreemptor, i);
		WpActor actor;

		wp_actor_init(&actor, graph, segment->host, p->task, segment->begin);
		wp_json_begin_object(json, NULL, WP_JSON_LINE);
		wp_json_int(json, "tid", actor.tid);
		wp_json_string(json, "comm", actor.comm);
		wp_json_int(json, "time", p->time);
		wp_json_double(json, "share", share(p->time, whole));
		wp_json_end_object(json);
	}
	wp_json_end_array(json);
	if (info->idle > 0)
		wp_json_int(json, "idle", info->idle);
	if (info->unseen > 0)
		wp_json_int(json, "unseen", info->unseen);
}

static void put_cause(WpJson *json, const WpCauseInfo *info, const WpGraph *graph,
		      const WpSegment *segment)
{
	gboolean cpu_wait = segment->state == WP_STATE_RUNNABLE ||
			    segment->state == WP_STATE_PREEMPTED;

	wp_json_begin_object(json, "cause", WP_JSON_LINE);
	wp_json_string(json, "kind", wp_cause_kind_key(info->kind));
	if (info->name)
		wp_json_string(json, "name", info->name);
	if (info->device)
		wp_json_string(json, "device", info->device);
	if (info->function)
		wp_json_string(json, "function", info->function);
	if (info->number >= 0)
		wp_json_int(json,
			    info->kind == WP_CAUSE_IRQ       ? "irq"
			    : info->kind == WP_CAUSE_SOFTIRQ ? "vector"
							     : "signal",
			    info->number);
	if (info->from.host != WP_NONE)
		wp_json_put_actor(json, "from", &info->from);
	if (*info->flow)
		wp_json_string(json, "flow", info->flow);
	if (*info->peer)
		wp_json_string(json, "peer", info->peer);
	if (info->kind == WP_CAUSE_PACKET && *info->flow)
		wp_json_uint(json, "bytes", info->bytes);
	if (info->part != WP_PART_NONE)
		wp_json_string(json, "part", wp_part_key(info->part));
	if (info->clock_error > 0)
		wp_json_int(json, "clock_error", info->clock_error);
	if (info->local)
		wp_json_bool(json, "local", TRUE);
	if (info->space)
		wp_json_bool(json, "space", TRUE);
	if (info->syscall)
		wp_json_string(json, "syscall", info->syscall);
	if (cpu_wait)
		put_preemptors(json, info, graph, segment);
	wp_json_end_object(json);
}

static void put_segment(WpJson *json, WpGraph *graph, const WpSegment *s, WpCauseInfo *info)
{
	guint32 cpu = wp_segment_cpu(graph, s);
	WpActor actor;

	wp_actor_init(&actor, graph, s->host, s->task, s->begin);
	wp_cause_info_fill(info, graph, s);
	wp_json_begin_object(json, NULL, WP_JSON_LINE);
	wp_json_string(json, "host", actor.host_name);
	wp_json_int(json, "tid", actor.tid);
	wp_json_string(json, "comm", actor.comm);
	if (cpu != WP_NONE)
		wp_json_uint(json, "cpu", cpu);
	wp_json_int(json, "begin", s->begin);
	wp_json_int(json, "end", s->end);
	wp_json_string(json, "state", wp_state_key(s->state));
	wp_json_uint(json, "depth", s->depth);
	if (info->kind != WP_CAUSE_NONE)
		put_cause(json, info, graph, s);
	wp_json_end_object(json);
}

static void put_segments(WpJson *json, WpGraph *graph, const WpPath *path)
{
	WpCauseInfo info;

	wp_cause_info_init(&info);
	wp_json_begin_array(json, "segments", WP_JSON_BLOCK);
	for (guint i = 0; i < path->segments.n && !wp_out_is_failed(json->out); i++)
		put_segment(json, graph, wp_path_segment(path, i), &info);
	wp_json_end_array(json);
	wp_cause_info_clear(&info);
}

static void put_totals(WpJson *json, const WpGraph *graph, const WpTotals *totals)
{
	guint n_hosts;
	g_autofree guint *hosts = wp_totals_hosts_by_time(totals, &n_hosts);
	g_autoptr(GPtrArray) tasks = wp_totals_tasks_by_time(totals);

	wp_json_begin_object(json, "totals", WP_JSON_BLOCK);
	wp_json_put_states(json, totals->by_state);
	wp_json_begin_array(json, "by_task", WP_JSON_BLOCK);
	for (guint i = 0; i < tasks->len; i++) {
		const WpTaskTotal *task = tasks->pdata[i];

		wp_json_begin_object(json, NULL, WP_JSON_LINE);
		wp_json_put_task_members(json, graph, task->host, task->task, FALSE);
		wp_json_int(json, "time", task->time);
		wp_json_double(json, "share", share(task->time, totals->time));
		wp_json_put_states(json, task->by_state);
		wp_json_end_object(json);
	}
	wp_json_end_array(json);
	wp_json_begin_object(json, "by_host", WP_JSON_LINE);
	for (guint i = 0; i < n_hosts; i++)
		wp_json_int(json, graph->hosts[hosts[i]]->name, totals->by_host[hosts[i]]);
	wp_json_end_object(json);
	wp_json_end_object(json);
}

static void put_quality(WpJson *json, const WpQuality *quality, const WpFindings *findings)
{
	wp_json_begin_object(json, "quality", WP_JSON_BLOCK);
	wp_json_uint(json, "lost_events", quality->lost_events);
	wp_json_int(json, "lost_ns", quality->lost_ns);
	wp_json_int(json, "unknown_ns", quality->unknown_ns);
	wp_json_int(json, "path_in_lost", quality->path_in_lost);
	wp_json_int(json, "below_clock_error_ns", quality->below_clock_error_ns);
	wp_json_uint(json, "missing_wakeups", quality->missing_wakeups);
	wp_json_int(json, "max_clock_error", quality->max_clock_error);
	put_findings(json, findings, FALSE);
	wp_json_end_object(json);
}

/* A lower bound of what would remain: see path/without.h. */
static void put_without(WpJson *json, const WpPathReport *report)
{
	wp_json_begin_object(json, "without", WP_JSON_LINE);
	wp_json_string(json, "cause", report->without_text);
	wp_json_int(json, "removed", report->without->removed);
	wp_json_int(json, "at_least", report->without->remaining);
	wp_json_end_object(json);
}

void wp_json_write_path(WpOut *out, const WpPathReport *report,
			G_GNUC_UNUSED const WpTextStyle *style)
{
	WpGraph *graph = report->graph;
	const WpPath *path = report->path;
	const WpTotals *totals = report->totals;
	WpJson json;

	wp_json_init(&json, out);
	wp_json_begin_object(&json, NULL, WP_JSON_BLOCK);
	wp_json_string(&json, "schema", "waitpath-path/1");
	wp_json_begin_object(&json, "task", WP_JSON_LINE);
	wp_json_put_task_members(&json, graph, path->host, path->task, TRUE);
	wp_json_end_object(&json);
	wp_json_string(&json, "mode", path->mode == WP_PATH_CAUSAL ? "causal" : "active");
	wp_json_string(&json, "reference", graph->hosts[graph->reference]->name);
	wp_json_put_window(&json, path->begin, path->end);
	put_segments(&json, graph, path);
	put_totals(&json, graph, totals);
	if (report->without)
		put_without(&json, report);
	put_quality(&json, report->quality, report->findings);
	wp_json_end_object(&json);
	wp_json_finish(&json);
}

/* ---- tasks ---- */

/* What of WpQuality concerns the traces as a whole. */
void wp_json_put_trace_quality(WpJson *json, const WpGraph *graph, const WpFindings *findings)
{
	guint64 lost_events = 0, missing_wakeups = 0;

	for (guint i = 0; i < graph->n_hosts; i++) {
		lost_events += graph->hosts[i]->n_lost;
		missing_wakeups += graph->hosts[i]->n_missing_wakeups;
	}
	wp_json_begin_object(json, "quality", WP_JSON_BLOCK);
	wp_json_uint(json, "lost_events", lost_events);
	wp_json_uint(json, "missing_wakeups", missing_wakeups);
	put_findings(json, findings, FALSE);
	wp_json_end_object(json);
}

static void put_task_row(WpJson *json, const WpGraph *graph, const WpTaskRow *row)
{
	const WpPrefixTask *task = row->task;

	wp_json_begin_object(json, NULL, WP_JSON_LINE);
	wp_json_put_task_members(json, graph, task->host, task->task, TRUE);
	wp_json_int(json, "begin", task->begin);
	wp_json_int(json, "end", task->end);
	wp_json_int(json, "time", task->end - task->begin);
	wp_json_put_states(json, task->by_state);
	wp_json_int(json, "own", task->own);
	wp_json_int(json, "others", task->others);
	if (row->has_top)
		wp_json_begin_array(json, "top", WP_JSON_LINE);
	for (guint i = 0; i < row->n_top; i++) {
		const WpWaited *waited = &row->top[i];

		wp_json_begin_object(json, NULL, WP_JSON_LINE);
		wp_json_put_task_members(json, graph, waited->holder.host, waited->holder.task,
					 FALSE);
		wp_json_int(json, "time", waited->time);
		wp_json_end_object(json);
	}
	if (row->has_top)
		wp_json_end_array(json);
	wp_json_end_object(json);
}

void wp_json_write_tasks(WpOut *out, const WpTasksReport *report,
			 G_GNUC_UNUSED const WpTextStyle *style)
{
	WpJson json;

	wp_json_init(&json, out);
	wp_json_begin_object(&json, NULL, WP_JSON_BLOCK);
	wp_json_string(&json, "schema", "waitpath-tasks/1");
	wp_json_put_window(&json, report->begin, report->end);
	wp_json_begin_array(&json, "tasks", WP_JSON_BLOCK);
	for (guint i = 0; i < report->n_rows && !wp_out_is_failed(out); i++)
		put_task_row(&json, report->graph, &report->rows[i]);
	wp_json_end_array(&json);
	wp_json_put_trace_quality(&json, report->graph, report->findings);
	wp_json_end_object(&json);
	wp_json_finish(&json);
}

/* ---- sync ---- */

/* The same that `sync --save` writes to a file. */
void wp_json_write_sync(WpOut *out, const WpSyncView *report,
			G_GNUC_UNUSED const WpTextStyle *style)
{
	wp_sync_write(out, report->graph, report->sync);
}

/* ---- check ---- */

static void put_trace(WpJson *json, const WpGraph *graph, const WpTraceReport *trace)
{
	wp_json_begin_object(json, NULL, WP_JSON_BLOCK);
	wp_json_string(json, "path", trace->path);
	wp_json_string(json, "host", trace->host_name);
	wp_json_string(json, "tracer", trace->tracer);
	wp_json_string(json, "reader", trace->reader);
	wp_json_uint(json, "cpus", trace->n_cpus);
	wp_json_uint(json, "events", trace->n_events);
	if (trace->host != WP_NONE && trace->begin <= trace->end) {
		wp_json_int(json, "begin", wp_graph_time(graph, trace->host, trace->begin));
		wp_json_int(json, "end", wp_graph_time(graph, trace->host, trace->end));
	} else {
		wp_json_null(json, "begin");
		wp_json_null(json, "end");
	}
	wp_json_uint(json, "lost_events", trace->lost_events);
	wp_json_uint(json, "lost_packets", trace->lost_packets);
	put_findings(json, trace->findings, TRUE);
	wp_json_begin_array(json, "missing", WP_JSON_BLOCK);
	for (guint i = 0; i < trace->missing->len; i++) {
		const WpMissing *missing = &g_array_index(trace->missing, WpMissing, i);

		wp_json_begin_object(json, NULL, WP_JSON_LINE);
		wp_json_string(json, "role", missing->role);
		wp_json_string(json, "needed_for", missing->needed_for);
		wp_json_string(json, "enable", missing->enable);
		wp_json_end_object(json);
	}
	wp_json_end_array(json);
	wp_json_end_object(json);
}

void wp_json_write_check(WpOut *out, const WpCheckReport *report,
			 G_GNUC_UNUSED const WpTextStyle *style)
{
	WpJson json;

	wp_json_init(&json, out);
	wp_json_begin_object(&json, NULL, WP_JSON_BLOCK);
	wp_json_string(&json, "schema", "waitpath-check/1");
	wp_json_begin_array(&json, "traces", WP_JSON_BLOCK);
	for (guint i = 0; i < report->n_traces; i++)
		put_trace(&json, report->graph, report->traces[i]);
	wp_json_end_array(&json);
	put_findings(&json, report->findings, FALSE);
	wp_json_end_object(&json);
	wp_json_finish(&json);
}
