/* SPDX-License-Identifier: MIT */
/*
 * export-timeline.c: the window as a picture: on top the path, below the tasks on it, by host,
 * each in its states, with a line under those stretches that the path lies on; at the bottom the
 * time. A column of pixels shows the state with most time in it.
 */
#include "config.h"

#include <string.h>

#include "export/exporter-private.h"
#include "export/svg-private.h"
#include "export/totals.h"
#include "export/units.h"
#include "timeline/lod.h"

#define LABEL_WIDTH 190
#define COLUMNS (WP_SVG_WIDTH - 2 * WP_SVG_MARGIN - LABEL_WIDTH)
#define ROWS_MAX 60
#define TICKS_MAX 10

typedef struct {
	WpXml *xml; /* borrowed */
	const WpExportJob *job; /* borrowed */
	guint32 states; /* that occur */
	WpTime bounds[COLUMNS + 1]; /* of the columns, reference clock */
} Picture;

static gdouble column_x(guint column)
{
	return WP_SVG_MARGIN + LABEL_WIDTH + (gdouble)column;
}

/*
 * Draws a series, which is taken over, at y: as boxes of the states' colours, or as a black line
 * where it shows anything. bounds are those of the columns on the series' clock.
 */
static void draw_series(Picture *picture, WpSeries *series, const WpTime *bounds, gdouble y,
			gdouble height, gboolean coloured)
{
	g_autoptr(WpLod) lod = wp_lod_new(series, NULL, NULL);
	g_autofree WpLodColumn *columns = g_new0(WpLodColumn, COLUMNS);
	g_autofree WpLodRun *runs = g_new0(WpLodRun, COLUMNS);
	guint n;

	if (!lod)
		return;
	wp_lod_query(lod, bounds, COLUMNS, columns, NULL);
	n = wp_lod_join(columns, COLUMNS, runs);
	for (guint i = 0; i < n; i++) {
		const WpLodRun *run = &runs[i];
		gdouble width = (gdouble)(run->end - run->first);

		if (run->state == WP_SERIES_EMPTY)
			continue;
		if (coloured)
			picture->states |= 1u << run->state;
		wp_svg_box(picture->xml, column_x(run->first), y, width, height,
			   coloured ? wp_state_colour(run->state, FALSE) : "#000000", NULL,
			   coloured ? wp_state_key(run->state) : NULL);
	}
}

/* The pieces of the path that lie on a task. */
static WpSeries *pieces_of(const WpPath *path, guint32 host, WpId task)
{
	g_autoptr(GArray) pieces = g_array_new(FALSE, FALSE, sizeof(guint32));

	for (guint32 i = 0; i < path->segments.n; i++) {
		const WpSegment *s = wp_path_segment(path, i);

		if (s->host == host && s->task == task)
			g_array_append_val(pieces, i);
	}
	return wp_series_new_path(path, (const guint32 *)(gpointer)pieces->data, pieces->len);
}

static void draw_task(Picture *picture, const WpTaskTotal *total, gdouble y)
{
	const WpExportJob *job = picture->job;
	const WpClockMap *map = job->graph->joins[total->host].map;
	g_autofree WpTime *bounds = g_new(WpTime, COLUMNS + 1);
	WpActor actor;

	wp_actor_init(&actor, job->graph, total->host, total->task, WP_TIME_MAX);

	g_autofree gchar *label = g_strdup_printf("  %s %d", actor.comm, actor.tid);

	wp_svg_words(picture->xml, WP_SVG_MARGIN, y, label);
	for (guint i = 0; i <= COLUMNS; i++)
		bounds[i] = wp_clock_map_invert(map, picture->bounds[i]);
	draw_series(picture, wp_series_new_task(job->graph->hosts[total->host], total->task),
		    bounds, y + 3, WP_SVG_ROW - 8, TRUE);
	draw_series(picture, pieces_of(job->path, total->host, total->task), picture->bounds,
		    y + WP_SVG_ROW - 4, 2, FALSE);
}

/* The least step of 1, 2 or 5 times a power of ten of which at most TICKS_MAX fit in. */
static WpTime tick_step(WpTime length)
{
	static const gint64 factors[] = {2, 5, 10};
	WpTime power = 1, step = 1;

	for (guint i = 0; length / step > TICKS_MAX; i++) {
		step = power * factors[i % G_N_ELEMENTS(factors)];
		if (i % G_N_ELEMENTS(factors) == G_N_ELEMENTS(factors) - 1)
			power *= 10;
	}
	return step;
}

/* Lines through all rows down to y, and under them the time since the window's begin. */
static void draw_axis(Picture *picture, gdouble top, gdouble y)
{
	const WpPath *path = picture->job->path;
	WpTime length = path->end - path->begin, step = tick_step(length);

	/* Unsigned: the step behind the last may be beyond all times. */
	for (guint64 time = 0; time <= (guint64)length; time += (guint64)step) {
		gdouble x = column_x(0) + (gdouble)COLUMNS * ((gdouble)time / (gdouble)length);
		WpText text;
		g_autofree gchar *label = time ? g_strconcat("+",
							     wp_duration_text(&text, (WpTime)time),
							     NULL)
					       : g_strdup("0");

		wp_svg_line(picture->xml, x, top, x, y + 2, 0.3);
		const gdouble width = WP_SVG_LETTER * (gdouble)strlen(label);

		/* The last one may have no room to its right. */
		wp_svg_words(picture->xml, x + width <= WP_SVG_WIDTH ? x + 2 : x - width, y, label);
	}
}

static gint compare_by_host(gconstpointer a, gconstpointer b)
{
	const WpTaskTotal *x = a, *y = b;

	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	return x->time > y->time ? -1 : x->time < y->time;
}

/* The tasks with most of the path, sorted by host. */
static GArray *choose_rows(const WpTotals *totals)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(WpTaskTotal));
	g_autoptr(GPtrArray) tasks = wp_totals_tasks_by_time(totals);

	for (guint i = 0; i < MIN(tasks->len, ROWS_MAX); i++)
		g_array_append_vals(rows, tasks->pdata[i], 1);
	g_array_sort(rows, compare_by_host);
	return rows;
}

static guint count_hosts(const GArray *rows)
{
	guint n = 0;

	for (guint i = 0; i < rows->len; i++)
		n += i == 0 || g_array_index(rows, WpTaskTotal, i).host !=
				       g_array_index(rows, WpTaskTotal, i - 1).host;
	return n;
}

void wp_timeline_write(WpOut *out, const WpExportJob *job)
{
	const WpPath *path = job->path;
	g_autoptr(WpTotals) totals = wp_totals_new(path, job->graph);
	g_autoptr(GArray) rows = choose_rows(totals);
	guint height = (rows->len + count_hosts(rows) + 7) * WP_SVG_ROW + 2 * WP_SVG_MARGIN;
	g_autofree Picture *picture = g_new0(Picture, 1);
	g_autofree gchar *task = wp_export_dup_title(job);
	WpText begin, time;
	const gdouble top = WP_SVG_MARGIN + 1.5 * WP_SVG_ROW;
	gdouble y = top;
	g_autofree gchar *title = g_strdup_printf("critical path of %s, from %s for %s", task,
						  wp_date_text(&begin, path->begin),
						  wp_duration_text(&time, path->end - path->begin));

	picture->job = job;
	picture->xml = wp_svg_new(out, height, title);
	for (guint i = 0; i <= COLUMNS; i++)
		picture->bounds[i] = wp_lod_bound(path->begin, path->end, COLUMNS, i);
	wp_svg_words(picture->xml, WP_SVG_MARGIN, y, "path");
	draw_series(picture, wp_series_new_path(path, NULL, 0), picture->bounds, y + 3,
		    WP_SVG_ROW - 5, TRUE);
	for (guint i = 0; i < rows->len; i++) {
		const WpTaskTotal *total = &g_array_index(rows, WpTaskTotal, i);

		if (i == 0 || total[-1].host != total->host) {
			y += WP_SVG_ROW;
			wp_svg_words(picture->xml, WP_SVG_MARGIN, y,
				     job->graph->hosts[total->host]->name);
		}
		y += WP_SVG_ROW;
		draw_task(picture, total, y);
	}
	y += WP_SVG_ROW;
	draw_axis(picture, top, y);
	y += 1.5 * WP_SVG_ROW;
	wp_svg_legend(picture->xml, y, picture->states);
	y += __builtin_popcount(picture->states) > WP_SVG_LEGEND_COLUMNS ? 2 * WP_SVG_ROW
									 : WP_SVG_ROW;
	wp_svg_box(picture->xml, WP_SVG_MARGIN, y + WP_SVG_ROW / 2, 12, 2, "#000000", NULL, NULL);
	wp_svg_words(picture->xml, WP_SVG_MARGIN + 16, y, "below a task: the path lies on it");
	wp_svg_free(picture->xml);
}
