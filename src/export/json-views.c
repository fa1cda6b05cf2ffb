/* SPDX-License-Identifier: MIT */
/* json-views.c: requests, comparisons and blockers as JSON. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "export/json-private.h"

/* ---- requests ---- */

static const gchar *each_of(WpRequestsRule rule)
{
	return rule == WP_REQUESTS_NETWORK      ? "network"
	       : rule == WP_REQUESTS_CONNECTION ? "connection"
						: NULL;
}

static void put_rule(WpJson *json, const WpRequestsReport *report)
{
	const WpRequestsOptions *options = report->options;
	const gchar *each = each_of(options->rule);

	wp_json_begin_object(json, "rule", WP_JSON_LINE);
	if (each) {
		wp_json_string(json, "each", each);
	} else {
		wp_json_string(json, "from", options->from);
		if (options->to)
			wp_json_string(json, "to", options->to);
		if (report->id)
			wp_json_string(json, "id", report->id);
	}
	wp_json_end_object(json);
}

/* The tasks whose requests they are: one, or a group. */
static void put_tasks(WpJson *json, const WpRequestsReport *report)
{
	const WpRequestsOptions *options = report->options;

	if (options->n_tasks == 1) {
		wp_json_begin_object(json, "task", WP_JSON_LINE);
		wp_json_put_task_members(json, report->graph, options->tasks[0].host,
					 options->tasks[0].task, TRUE);
		wp_json_end_object(json);
		return;
	}
	wp_json_begin_array(json, "group", WP_JSON_BLOCK);
	for (guint i = 0; i < options->n_tasks; i++) {
		wp_json_begin_object(json, NULL, WP_JSON_LINE);
		wp_json_put_task_members(json, report->graph, options->tasks[i].host,
					 options->tasks[i].task, TRUE);
		wp_json_end_object(json);
	}
	wp_json_end_array(json);
}

static gint compare_totals(gconstpointer a, gconstpointer b)
{
	const WpTaskTotal *x = a, *y = b;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	return x->task < y->task ? -1 : x->task > y->task;
}

/* What a request consists of, by task. Owned by the caller: WpTaskTotal. */
static GArray *total_request(const WpRequests *requests, const WpRequest *request)
{
	GArray *totals = g_array_new(FALSE, FALSE, sizeof(WpTaskTotal));

	for (guint i = 0; i < request->n_amounts; i++) {
		const WpBreakdownRow *row = wp_breakdown_row(
			requests->breakdown, wp_request_amount(requests, request, i)->row);
		WpState state = wp_breakdown_group(requests->breakdown, row->group)->state;
		WpTaskTotal *total = NULL;

		for (guint j = 0; j < totals->len && !total; j++) {
			total = &g_array_index(totals, WpTaskTotal, j);
			if (total->host != row->host || total->task != row->task)
				total = NULL;
		}
		if (!total) {
			WpTaskTotal new = {.host = row->host, .task = row->task};

			g_array_append_val(totals, new);
			total = &g_array_index(totals, WpTaskTotal, totals->len - 1);
		}
		total->time += wp_request_amount(requests, request, i)->time;
		total->by_state[state] += wp_request_amount(requests, request, i)->time;
	}
	g_array_sort(totals, compare_totals);
	return totals;
}

static void put_id(WpJson *json, const WpRequest *request, guint number)
{
	if (request->id_text)
		wp_json_string(json, "id", request->id_text);
	else
		wp_json_int(json, "id", request->has_id ? request->id : (gint64)number);
}

static void put_by_host(WpJson *json, const WpGraph *graph, const GArray *totals)
{
	g_autofree WpTime *by_host = g_new0(WpTime, graph->n_hosts);

	for (guint i = 0; i < totals->len; i++)
		by_host[g_array_index(totals, WpTaskTotal, i).host] +=
			g_array_index(totals, WpTaskTotal, i).time;
	wp_json_begin_object(json, "by_host", WP_JSON_LINE);
	for (guint i = 0; i < graph->n_hosts; i++)
		if (by_host[i])
			wp_json_int(json, graph->hosts[i]->name, by_host[i]);
	wp_json_end_object(json);
}

static void put_request(WpJson *json, const WpRequestsReport *report, guint number)
{
	const WpGraph *graph = report->graph;
	const WpRequest *request = &g_array_index(report->requests->requests, WpRequest, number);
	g_autoptr(GArray) totals = total_request(report->requests, request);
	WpTime by_state[WP_STATE_N] = {0};
	gchar flow[128];

	wp_json_begin_object(json, NULL, WP_JSON_LINE);
	put_id(json, request, number);
	wp_json_put_task_members(json, graph, request->host, request->task, FALSE);
	wp_json_int(json, "begin", request->begin);
	wp_json_int(json, "end", request->end);
	wp_json_int(json, "duration", wp_request_duration(request));
	if (request->flow != WP_NONE) {
		wp_flow_text(wp_host_flow(graph->hosts[request->host], request->flow), flow,
			     sizeof(flow));
		wp_json_string(json, "flow", flow);
	}
	for (guint i = 0; i < totals->len; i++)
		for (guint s = 0; s < WP_STATE_N; s++)
			by_state[s] += g_array_index(totals, WpTaskTotal, i).by_state[s];
	wp_json_put_states(json, by_state);
	wp_json_begin_array(json, "by_task", WP_JSON_LINE);
	for (guint i = 0; i < totals->len; i++) {
		const WpTaskTotal *total = &g_array_index(totals, WpTaskTotal, i);

		wp_json_begin_object(json, NULL, WP_JSON_LINE);
		wp_json_put_task_members(json, graph, total->host, total->task, FALSE);
		wp_json_int(json, "time", total->time);
		wp_json_put_states(json, total->by_state);
		wp_json_end_object(json);
	}
	wp_json_end_array(json);
	put_by_host(json, graph, totals);
	wp_json_end_object(json);
}

static void put_distribution(WpJson *json, const WpDistribution *d)
{
	wp_json_begin_object(json, "distribution", WP_JSON_LINE);
	wp_json_uint(json, "n", d->n);
	if (d->n) {
		wp_json_int(json, "min", d->min);
		wp_json_int(json, "p50", d->p50);
		wp_json_int(json, "p90", d->p90);
		wp_json_int(json, "p99", d->p99);
		wp_json_int(json, "max", d->max);
		wp_json_int(json, "mean", llround(d->mean));
	}
	wp_json_end_object(json);
}

static void put_reason(WpJson *json, const WpRequestsReport *report, const WpReason *reason)
{
	const WpBreakdownGroup *group = wp_breakdown_group(report->requests->breakdown,
							   reason->group);

	wp_json_begin_object(json, NULL, WP_JSON_LINE);
	wp_json_string(json, "host", group->host);
	if (group->task != WP_NONE)
		wp_json_int(json, "tid",
			    wp_host_task(report->graph->hosts[group->host_id], group->task)->tid);
	wp_json_string(json, "comm", group->comm);
	wp_json_string(json, "state", wp_state_key(group->state));
	if (*group->cause)
		wp_json_string(json, "cause", group->cause);
	wp_json_int(json, "difference", llround(reason->difference));
	wp_json_double(json, "share", reason->share);
	wp_json_int(json, "low", llround(reason->low));
	wp_json_int(json, "high", llround(reason->high));
	wp_json_end_object(json);
}

static void put_reasons(WpJson *json, const WpRequestsReport *report)
{
	const WpReasons *reasons = report->reasons;

	wp_json_begin_object(json, "slow_against_fast", WP_JSON_BLOCK);
	wp_json_int(json, "split", reasons->split);
	wp_json_uint(json, "n_slow", reasons->n_slow);
	wp_json_uint(json, "n_fast", reasons->n_fast);
	wp_json_int(json, "difference", llround(reasons->difference));
	wp_json_begin_array(json, "reasons", WP_JSON_BLOCK);
	for (guint i = 0; i < reasons->reasons->len; i++)
		put_reason(json, report, &g_array_index(reasons->reasons, WpReason, i));
	wp_json_end_array(json);
	wp_json_end_object(json);
}

void wp_json_write_requests(WpOut *out, const WpRequestsReport *report,
			    G_GNUC_UNUSED const WpTextStyle *style)
{
	WpJson json;

	wp_json_init(&json, out);
	wp_json_begin_object(&json, NULL, WP_JSON_BLOCK);
	wp_json_string(&json, "schema", "waitpath-requests/1");
	put_tasks(&json, report);
	put_rule(&json, report);
	wp_json_begin_array(&json, "requests", WP_JSON_BLOCK);
	for (guint i = 0; i < report->requests->requests->len && !wp_out_is_failed(out); i++)
		put_request(&json, report, i);
	wp_json_end_array(&json);
	wp_json_uint(&json, "unfinished", report->requests->n_unfinished);
	put_distribution(&json, &report->requests->distribution);
	if (report->reasons)
		put_reasons(&json, report);
	wp_json_put_trace_quality(&json, report->graph, report->findings);
	wp_json_end_object(&json);
	wp_json_finish(&json);
}

/* ---- compare ---- */

void wp_json_write_compare(WpOut *out, const WpCompareReport *report,
			   G_GNUC_UNUSED const WpTextStyle *style)
{
	const WpComparison *comparison = report->comparison;
	WpJson json;

	wp_json_init(&json, out);
	wp_json_begin_object(&json, NULL, WP_JSON_BLOCK);
	wp_json_string(&json, "schema", "waitpath-compare/1");
	wp_json_string(&json, "a", report->a);
	wp_json_string(&json, "b", report->b);
	wp_json_begin_array(&json, "rows", WP_JSON_BLOCK);
	for (guint i = 0; i < comparison->rows->len; i++) {
		const WpComparisonRow *row = &g_array_index(comparison->rows, WpComparisonRow, i);

		wp_json_begin_object(&json, NULL, WP_JSON_LINE);
		wp_json_string(&json, "host", row->host);
		wp_json_string(&json, "comm", row->comm);
		wp_json_string(&json, "state", wp_state_key(row->state));
		if (*row->cause)
			wp_json_string(&json, "cause", row->cause);
		wp_json_int(&json, "a", row->a);
		wp_json_int(&json, "b", row->b);
		wp_json_int(&json, "difference", row->b - row->a);
		wp_json_end_object(&json);
	}
	wp_json_end_array(&json);
	wp_json_begin_object(&json, "total", WP_JSON_LINE);
	wp_json_int(&json, "a", comparison->a);
	wp_json_int(&json, "b", comparison->b);
	wp_json_int(&json, "difference", comparison->b - comparison->a);
	wp_json_end_object(&json);
	wp_json_end_object(&json);
	wp_json_finish(&json);
}

/* ---- blockers ---- */

static void put_ref(WpJson *json, const gchar *key, const WpGraph *graph, const WpTaskRef *ref)
{
	if (ref->task == WP_NONE) {
		wp_json_null(json, key);
		return;
	}
	wp_json_begin_object(json, key, WP_JSON_LINE);
	wp_json_put_task_members(json, graph, ref->host, ref->task, FALSE);
	wp_json_end_object(json);
}

static void put_edges(WpJson *json, const WpBlockersReport *report)
{
	wp_json_begin_array(json, "edges", WP_JSON_BLOCK);
	for (guint i = 0; i < report->blockers->edges->len; i++) {
		const WpBlockEdge *edge = &g_array_index(report->blockers->edges, WpBlockEdge, i);

		wp_json_begin_object(json, NULL, WP_JSON_LINE);
		put_ref(json, "waiter", report->graph, &edge->waiter);
		put_ref(json, "holder", report->graph, &edge->holder);
		wp_json_string(json, "cause", edge->cause);
		wp_json_int(json, "time", edge->time);
		wp_json_uint(json, "count", edge->count);
		wp_json_end_object(json);
	}
	wp_json_end_array(json);
}

static void put_holders(WpJson *json, const WpBlockersReport *report)
{
	wp_json_begin_array(json, "holders", WP_JSON_BLOCK);
	for (guint i = 0; i < report->blockers->holders->len; i++) {
		const WpBlockHolder *holder = &g_array_index(report->blockers->holders,
							     WpBlockHolder, i);

		wp_json_begin_object(json, NULL, WP_JSON_LINE);
		wp_json_put_task_members(json, report->graph, holder->task.host, holder->task.task,
					 FALSE);
		wp_json_int(json, "time", holder->time);
		wp_json_end_object(json);
	}
	wp_json_end_array(json);
}

static void put_knots(WpJson *json, const WpBlockersReport *report)
{
	wp_json_begin_array(json, "knots", WP_JSON_BLOCK);
	for (guint i = 0; i < report->blockers->knots->len; i++) {
		const WpBlockKnot *knot = &g_array_index(report->blockers->knots, WpBlockKnot, i);

		wp_json_begin_array(json, NULL, WP_JSON_LINE);
		for (guint j = 0; j < knot->tasks->len; j++)
			put_ref(json, NULL, report->graph,
				&g_array_index(knot->tasks, WpTaskRef, j));
		wp_json_end_array(json);
	}
	wp_json_end_array(json);
}

static void put_pollers(WpJson *json, const WpBlockersReport *report)
{
	wp_json_begin_array(json, "pollers", WP_JSON_BLOCK);
	for (guint i = 0; i < report->blockers->pollers->len; i++) {
		const WpPoller *poller = &g_array_index(report->blockers->pollers, WpPoller, i);

		wp_json_begin_object(json, NULL, WP_JSON_LINE);
		wp_json_put_task_members(json, report->graph, poller->task.host, poller->task.task,
					 FALSE);
		wp_json_double(json, "cpu_share", poller->cpu_share);
		wp_json_string(json, "why", wp_poll_kind_key(poller->kind));
		if (poller->per_second > 0)
			wp_json_double(json, "per_second", poller->per_second);
		wp_json_end_object(json);
	}
	wp_json_end_array(json);
}

void wp_json_write_blockers(WpOut *out, const WpBlockersReport *report,
			    G_GNUC_UNUSED const WpTextStyle *style)
{
	WpJson json;

	wp_json_init(&json, out);
	wp_json_begin_object(&json, NULL, WP_JSON_BLOCK);
	wp_json_string(&json, "schema", "waitpath-blockers/1");
	wp_json_put_window(&json, report->blockers->begin, report->blockers->end);
	put_holders(&json, report);
	put_edges(&json, report);
	put_knots(&json, report);
	put_pollers(&json, report);
	wp_json_put_trace_quality(&json, report->graph, report->findings);
	wp_json_end_object(&json);
	wp_json_finish(&json);
}
