/* SPDX-License-Identifier: MIT */
/* csv-views.c: requests, comparisons and blockers as tables after RFC 4180. */
#include "config.h"

#include "export/describe.h"
#include "export/format-private.h"

static void put_task(WpOut *out, gboolean first, const WpGraph *graph, guint32 host, WpId task)
{
	WpActor actor;

	wp_actor_init(&actor, graph, host, task, WP_TIME_MAX);
	wp_csv_put_text(out, first, actor.host_name);
	if (actor.task != WP_NONE)
		wp_csv_put_int(out, actor.tid);
	else
		wp_csv_put_text(out, FALSE, NULL);
	wp_csv_put_text(out, FALSE, actor.comm);
}

void wp_csv_write_requests(WpOut *out, const WpRequestsReport *report,
			   G_GNUC_UNUSED const WpTextStyle *style)
{
	const WpRequests *requests = report->requests;

	wp_out_put(out, "host,tid,comm,begin,end,duration");
	for (guint s = 0; s < WP_STATE_N; s++)
		wp_csv_put_text(out, FALSE, wp_state_key(s));
	wp_out_put(out, "\r\n");
	for (guint i = 0; i < requests->requests->len && !wp_out_is_failed(out); i++) {
		const WpRequest *request = &g_array_index(requests->requests, WpRequest, i);
		WpTime by_state[WP_STATE_N] = {0};

		for (guint j = 0; j < request->n_amounts; j++) {
			guint32 group = wp_breakdown_row(
						requests->breakdown,
						wp_request_amount(requests, request, j)->row)
						->group;

			by_state[wp_breakdown_group(requests->breakdown, group)->state] +=
				wp_request_amount(requests, request, j)->time;
		}
		put_task(out, TRUE, report->graph, request->host, request->task);
		wp_csv_put_int(out, request->begin);
		wp_csv_put_int(out, request->end);
		wp_csv_put_int(out, wp_request_duration(request));
		for (guint s = 0; s < WP_STATE_N; s++)
			wp_csv_put_int(out, by_state[s]);
		wp_out_put(out, "\r\n");
	}
}

void wp_csv_write_compare(WpOut *out, const WpCompareReport *report,
			  G_GNUC_UNUSED const WpTextStyle *style)
{
	const GArray *rows = report->comparison->rows;

	wp_out_put(out, "host,comm,state,cause,a,b,difference\r\n");
	for (guint i = 0; i < rows->len; i++) {
		const WpComparisonRow *row = &g_array_index(rows, WpComparisonRow, i);

		wp_csv_put_text(out, TRUE, row->host);
		wp_csv_put_text(out, FALSE, row->comm);
		wp_csv_put_text(out, FALSE, wp_state_key(row->state));
		wp_csv_put_text(out, FALSE, row->cause);
		wp_csv_put_int(out, row->a);
		wp_csv_put_int(out, row->b);
		wp_csv_put_int(out, row->b - row->a);
		wp_out_put(out, "\r\n");
	}
}

void wp_csv_write_blockers(WpOut *out, const WpBlockersReport *report,
			   G_GNUC_UNUSED const WpTextStyle *style)
{
	const GArray *edges = report->blockers->edges;

	wp_out_put(out, "waiter_host,waiter_tid,waiter_comm,holder_host,holder_tid,holder_comm,"
			"cause,time,count\r\n");
	for (guint i = 0; i < edges->len; i++) {
		const WpBlockEdge *edge = &g_array_index(edges, WpBlockEdge, i);

		put_task(out, TRUE, report->graph, edge->waiter.host, edge->waiter.task);
		put_task(out, FALSE, report->graph, edge->holder.host, edge->holder.task);
		wp_csv_put_text(out, FALSE, edge->cause);
		wp_csv_put_int(out, edge->time);
		wp_csv_put_int(out, (gint64)edge->count);
		wp_out_put(out, "\r\n");
	}
}
