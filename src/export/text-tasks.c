/* SPDX-License-Identifier: MIT */
/*
 * text-tasks.c: a line for each task: how long it lived, how much of its path was on
 * itself and how much on others, in which states, and who those others were.
 */
#include "config.h"

#include "export/describe.h"
#include "export/text-private.h"

#define NAME_COLUMNS_MAX 40
#define BAR_COLUMNS 20
#define TOP_SHOWN 3

static void put_task(WpOut *out, const WpTextStyle *style, const WpGraph *graph,
		     const WpTaskRow *row, const gchar *name, guint width)
{
	const WpPrefixTask *task = row->task;
	WpTime life = task->end - task->begin;
	WpText text;
	guint drawn;

	wp_out_put(out, "  ");
	wp_text_padded(out, name, width);
	wp_out_printf(out, "  %8s", wp_duration_text(&text, life));
	wp_out_printf(out, "  %8s", wp_duration_text(&text, task->own));
	wp_out_printf(out, "  %8s", wp_duration_text(&text, task->others));
	wp_out_printf(out, "  %7s", wp_share_text(&text, task->others, life));
	drawn = wp_text_bar(out, style, task->by_state, life, BAR_COLUMNS);
	if (row->n_top > 0)
		wp_out_repeat(out, " ", BAR_COLUMNS + 4 - drawn);
	for (guint i = 0; i < MIN(row->n_top, TOP_SHOWN); i++) {
		const WpTaskRef *holder = &row->top[i].holder;
		g_autofree gchar *other = wp_text_dup_task(graph, holder->host, holder->task);

		wp_out_printf(out, "%s%s %s", i > 0 ? ", " : "", other,
			      wp_duration_text(&text, row->top[i].time));
	}
	wp_out_putc(out, '\n');
}

static void put_table_head(WpOut *out, guint width, gboolean with_top)
{
	wp_out_put(out, "\n  ");
	wp_text_padded(out, "task", width);
	wp_out_printf(out, "  %8s  %8s  %8s  %7s  ", "life", "itself", "others", "of life");
	wp_text_padded(out, "its path", with_top ? BAR_COLUMNS : 8);
	wp_out_put(out, with_top ? "  waited for\n" : "\n");
}

static gboolean is_busy(const WpTaskRow *row)
{
	return row->task->others > 0 || row->task->by_state[WP_STATE_RUNNING] > 0;
}

/* The rows to show: without verbose none behind the last that did or waited for something. */
static guint count_busy(const WpTasksReport *report, guint top, guint verbose)
{
	while (!verbose && top > 1 && !is_busy(&report->rows[top - 1]))
		top--;
	return top;
}

/* "183 tasks in 3.47 s; bash (135) @ hostb waited longest for others, 3.23 s of its 3.46 s." */
static void put_answer(WpOut *out, const WpTasksReport *report, const WpTextStyle *style)
{
	const WpPrefixTask *most = NULL;
	g_autofree gchar *who = NULL;
	const gchar *n, *time;
	WpText window, count, others, life;

	for (guint i = 0; i < report->n_rows; i++)
		if (report->rows[i].task->others > (most ? most->others : 0))
			most = report->rows[i].task;
	n = wp_count_text(&count, report->n_rows);
	time = wp_duration_text(&window, report->end - report->begin);
	if (!most) {
		wp_text_heading(out, style, "%s task%s in %s; none waited for another.", n,
				report->n_rows == 1 ? "" : "s", time);
		return;
	}
	who = wp_text_dup_task(report->graph, most->host, most->task);
	wp_text_heading(out, style, "%s task%s in %s; %s waited longest for others, %s of its %s.",
			n, report->n_rows == 1 ? "" : "s", time, who,
			wp_duration_text(&others, most->others),
			wp_duration_text(&life, most->end - most->begin));
}

void wp_text_write_tasks(WpOut *out, const WpTasksReport *report, const WpTextStyle *style)
{
	guint top = style->top > 0 ? MIN(style->top, report->n_rows) : report->n_rows;
	guint n = count_busy(report, top, style->verbose), width = 16;
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < n; i++) {
		const WpPrefixTask *task = report->rows[i].task;
		gchar *name = wp_text_dup_task(report->graph, task->host, task->task);

		width = MAX(width, wp_text_columns(name));
		g_ptr_array_add(names, name);
	}
	width = MIN(width, NAME_COLUMNS_MAX);
	put_answer(out, report, style);
	put_table_head(out, width, n > 0 && report->rows[0].has_top);
	for (guint i = 0; i < n; i++)
		put_task(out, style, report->graph, &report->rows[i], names->pdata[i], width);
	if (style->quiet)
		return;
	if (n < report->n_rows)
		wp_out_printf(out, "  and %u more%s\n", report->n_rows - n,
			      n == top ? " (--top N lists N)" : " that did nothing");
	wp_text_legend(out, style);
	wp_text_findings(out, style, report->findings);
}
