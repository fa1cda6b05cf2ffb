/* SPDX-License-Identifier: MIT */
/* format-csv.c: reports as tables after RFC 4180: one header line, then a record a line. */
#include "config.h"

#include <string.h>

#include "export/describe.h"
#include "export/format-private.h"

/* One field, behind a comma unless it is the first of its record. */
void wp_csv_put_text(WpOut *out, gboolean first, const gchar *text)
{
	if (!first)
		wp_out_putc(out, ',');
	if (!text)
		return;
	if (!strpbrk(text, ",\"\r\n")) {
		wp_out_put(out, text);
		return;
	}
	wp_out_putc(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			wp_out_putc(out, '"');
		wp_out_putc(out, *text);
	}
	wp_out_putc(out, '"');
}

void wp_csv_put_int(WpOut *out, gint64 value)
{
	wp_out_putc(out, ',');
	wp_out_int(out, value);
}

/* Nothing for a negative number. */
static void put_known(WpOut *out, gint64 value)
{
	if (value >= 0)
		wp_csv_put_int(out, value);
	else
		wp_out_putc(out, ',');
}

/* The one name that says most: of a device, a function, or who had the CPU longest. */
static const gchar *cause_name(const WpCauseInfo *info, const WpGraph *graph, const WpSegment *s)
{
	WpActor actor;

	if (info->preemptors->len > 0) {
		wp_actor_init(&actor, graph, s->host,
			      g_array_index(info->preemptors, WpPreemptor, 0).task, s->begin);
		return actor.comm;
	}
	return info->device ? info->device : info->function ? info->function : info->name;
}

static void put_segment(WpOut *out, WpGraph *graph, const WpSegment *s, WpCauseInfo *info)
{
	guint32 cpu = wp_segment_cpu(graph, s);
	WpActor actor;

	wp_actor_init(&actor, graph, s->host, s->task, s->begin);
	wp_cause_info_fill(info, graph, s);
	wp_out_int(out, s->begin);
	wp_csv_put_int(out, s->end);
	wp_csv_put_int(out, s->end - s->begin);
	wp_csv_put_text(out, FALSE, actor.host_name);
	wp_csv_put_int(out, actor.tid);
	wp_csv_put_text(out, FALSE, actor.comm);
	put_known(out, cpu == WP_NONE ? -1 : (gint64)cpu);
	wp_csv_put_text(out, FALSE, wp_state_key(s->state));
	wp_csv_put_int(out, s->depth);
	wp_csv_put_text(out, FALSE,
			info->kind != WP_CAUSE_NONE ? wp_cause_kind_key(info->kind) : NULL);
	wp_csv_put_text(out, FALSE, cause_name(info, graph, s));
	wp_csv_put_text(out, FALSE, info->from.host_name);
	put_known(out, info->from.tid);
	wp_csv_put_text(out, FALSE, info->from.comm);
	wp_csv_put_text(out, FALSE, info->flow);
	wp_csv_put_text(out, FALSE, wp_part_key(info->part));
	put_known(out, info->clock_error > 0 ? info->clock_error : -1);
	wp_csv_put_text(out, FALSE, info->syscall);
	wp_out_put(out, "\r\n");
}

void wp_csv_write_path(WpOut *out, const WpPathReport *report,
		       G_GNUC_UNUSED const WpTextStyle *style)
{
	const WpPath *path = report->path;
	WpCauseInfo info;

	wp_out_put(out, "begin,end,duration,host,tid,comm,cpu,state,depth,cause,cause_name,"
			"from_host,from_tid,from_comm,flow,part,clock_error,syscall\r\n");
	wp_cause_info_init(&info);
	for (guint i = 0; i < path->segments.n && !wp_out_is_failed(out); i++)
		put_segment(out, report->graph, wp_path_segment(path, i), &info);
	wp_cause_info_clear(&info);
}

void wp_csv_write_tasks(WpOut *out, const WpTasksReport *report,
			G_GNUC_UNUSED const WpTextStyle *style)
{
	wp_out_put(out, "host,tid,pid,comm,begin,end,time,own,others");
	for (guint state = 0; state < WP_STATE_N; state++)
		wp_csv_put_text(out, FALSE, wp_state_key(state));
	wp_out_put(out, "\r\n");
	for (guint i = 0; i < report->n_rows && !wp_out_is_failed(out); i++) {
		const WpPrefixTask *task = report->rows[i].task;
		WpActor actor;

		wp_actor_init(&actor, report->graph, task->host, task->task, WP_TIME_MAX);
		wp_csv_put_text(out, TRUE, actor.host_name);
		wp_csv_put_int(out, actor.tid);
		put_known(out, actor.pid);
		wp_csv_put_text(out, FALSE, actor.comm);
		wp_csv_put_int(out, task->begin);
		wp_csv_put_int(out, task->end);
		wp_csv_put_int(out, task->end - task->begin);
		wp_csv_put_int(out, task->own);
		wp_csv_put_int(out, task->others);
		for (guint state = 0; state < WP_STATE_N; state++)
			wp_csv_put_int(out, task->by_state[state]);
		wp_out_put(out, "\r\n");
	}
}
