/* SPDX-License-Identifier: MIT */
/*
 * wpv-painter-marks.c: what lies over the rows and changes with every movement: the selected
 * range and segment, markers, bookmarks, and arrows. Nothing of it is kept.
 */
#include "config.h"

#include <math.h>

#include "viewer/view/wpv-painter-private.h"

/* ---- marks ---- */

static void draw_line(GtkSnapshot *snapshot, const GdkRGBA *rgba, gdouble x, gint height)
{
	wpv_painter_fill(snapshot, rgba, (gint)x, 0, 1, height);
}

void wpv_painter_draw_range(WpvPainter *painter, GtkSnapshot *snapshot, const WpvViewport *viewport,
			    WpTime begin, WpTime end, WpvColour which, gfloat alpha)
{
	gdouble from = CLAMP(wpv_viewport_x(viewport, begin), -1, viewport->width + 1);
	gdouble to = CLAMP(wpv_viewport_x(viewport, end), -1, viewport->width + 1);
	GdkRGBA rgba = *wpv_painter_colour(painter, which);

	rgba.alpha = alpha;
	wpv_painter_fill(snapshot, &rgba, from, 0, to - from, viewport->height);
	draw_line(snapshot, wpv_painter_colour(painter, which), from, viewport->height);
	draw_line(snapshot, wpv_painter_colour(painter, which), to, viewport->height);
}

void wpv_painter_marks(WpvPainter *painter, GtkSnapshot *snapshot, const WpvViewport *viewport)
{
	const GArray *bookmarks = wpv_session_get_bookmarks(painter->session);
	WpTime begin, end, time[2];
	gboolean has[2];

	if (wpv_session_get_selection(painter->session, &begin, &end))
		wpv_painter_draw_range(painter, snapshot, viewport, begin, end, WPV_COLOUR_ACCENT,
				       0.13f);
	for (guint i = 0; i < 2; i++)
		has[i] = wpv_session_get_marker(painter->session, i, &time[i]);
	if (has[0] && has[1])
		wpv_painter_draw_range(painter, snapshot, viewport, MIN(time[0], time[1]),
				       MAX(time[0], time[1]), WPV_COLOUR_MARK, 0.08f);
	for (guint i = 0; i < 2; i++)
		if (has[i])
			draw_line(snapshot, wpv_painter_colour(painter, WPV_COLOUR_MARK),
				  wpv_viewport_x(viewport, time[i]), viewport->height);
	for (guint i = 0; i < bookmarks->len; i++) {
		gdouble x = wpv_viewport_x(viewport, g_array_index(bookmarks, WpvBookmark, i).time);

		if (x >= 0 && x <= viewport->width)
			draw_line(snapshot, wpv_painter_colour(painter, WPV_COLOUR_MARK), x,
				  viewport->height);
	}
}

/* The segment that was chosen, outlined on its row. */
void wpv_painter_draw_item(WpvPainter *painter, GtkSnapshot *snapshot, const WpvViewport *viewport)
{
	const WpvItem *item = wpv_session_get_item(painter->session);
	guint32 place = wpv_row_list_find(wpv_session_get_rows(painter->session), item->row);
	gint height = painter->look.row_height;
	const GdkRGBA *rgba = wpv_painter_colour(painter, WPV_COLOUR_ACCENT);
	const GdkRGBA colours[4] = {*rgba, *rgba, *rgba, *rgba};
	const float widths[4] = {2, 2, 2, 2};
	gdouble from, to;
	GskRoundedRect outline;

	if (wpv_row_key_is_none(item->row) || place == WP_NONE)
		return;
	from = CLAMP(wpv_viewport_x(viewport, item->begin), -4, viewport->width + 4);
	to = CLAMP(wpv_viewport_x(viewport, item->end), -4, viewport->width + 4);
	gsk_rounded_rect_init_from_rect(
		&outline,
		&GRAPHENE_RECT_INIT((float)(from - 2),
				    (float)wpv_painter_row_top(painter, viewport, place),
				    (float)MAX(to - from + 4, 5), (float)height),
		3);
	gtk_snapshot_append_border(snapshot, &outline, widths, colours);
}

/* ---- arrows ---- */

/* Both its rows are there, and not the same. */
static gboolean is_drawn(const WpvArrow *arrow, gpointer data)
{
	WpvRowList *rows = wpv_session_get_rows(((WpvPainter *)data)->session);
	guint32 from = wpv_row_list_find_nearest(
		rows, wpv_row_key_thread(arrow->from_host, arrow->from_task));
	guint32 to = wpv_row_list_find_nearest(rows,
					       wpv_row_key_thread(arrow->to_host, arrow->to_task));

	return from != WP_NONE && to != WP_NONE && from != to;
}

static void collect_arrows(WpvPainter *painter, const WpvViewport *viewport)
{
	WpvArrows which = wpv_session_get_arrows(painter->session);
	WpvAnswer *answer = painter->answer;
	const WpvArrowIndex *index = wpv_session_get_arrow_index(painter->session);

	g_array_set_size(painter->arrows, 0);
	painter->more_arrows = FALSE;
	if (which == WPV_ARROWS_ALL && index) {
		painter->more_arrows = !wpv_arrow_index_query(index, viewport->begin, viewport->end,
							      is_drawn, painter, painter->arrows);
		if (painter->more_arrows)
			g_array_set_size(painter->arrows, 0);
	}
	if (which != WPV_ARROWS_NONE && answer)
		painter->more_arrows |= !wpv_arrows_of_path(answer, viewport->begin, viewport->end,
							    painter->arrows);
}

static gdouble row_middle(WpvPainter *painter, const WpvViewport *viewport, guint32 host, WpId task)
{
	guint32 place = wpv_row_list_find_nearest(wpv_session_get_rows(painter->session),
						  wpv_row_key_thread(host, task));

	return wpv_painter_row_top(painter, viewport, place) + 0.5 * painter->look.row_height;
}

static void stroke_arrow(cairo_t *cr, gdouble x0, gdouble y0, gdouble x1, gdouble y1)
{
	gdouble angle = atan2(y1 - y0, x1 - x0);

	cairo_move_to(cr, x0, y0);
	cairo_line_to(cr, x1, y1);
	cairo_stroke(cr);
	cairo_move_to(cr, x1, y1);
	cairo_line_to(cr, x1 - 7 * cos(angle - 0.4), y1 - 7 * sin(angle - 0.4));
	cairo_line_to(cr, x1 - 7 * cos(angle + 0.4), y1 - 7 * sin(angle + 0.4));
	cairo_close_path(cr);
	cairo_fill(cr);
}

static void draw_arrow(WpvPainter *painter, cairo_t *cr, const WpvViewport *viewport,
		       const WpvArrow *arrow)
{
	static const double dashes[] = {3, 3};
	WpvStyle *style = wpv_session_get_style(painter->session);
	gdouble y0 = row_middle(painter, viewport, arrow->from_host, arrow->from_task);
	gdouble y1 = row_middle(painter, viewport, arrow->to_host, arrow->to_task);
	const GdkRGBA *rgba = arrow->kind == WPV_ARROW_PACKET
				      ? wpv_style_get_colour(style, WP_STATE_NETWORK)
				      : wpv_painter_colour(painter, WPV_COLOUR_FAINT);

	if ((y0 < 0 && y1 < 0) || (y0 > viewport->height && y1 > viewport->height))
		return;
	/* Towards the middle of the row, so that the bar's edge stays visible. */
	y0 += y1 > y0 ? painter->look.row_height * 0.3 : -painter->look.row_height * 0.3;
	y1 += y1 > y0 ? -painter->look.row_height * 0.3 : painter->look.row_height * 0.3;
	cairo_set_dash(cr, dashes, arrow->kind == WPV_ARROW_ENTER ? 2 : 0, 0);
	gdk_cairo_set_source_rgba(cr, rgba);
	stroke_arrow(cr, CLAMP(wpv_viewport_x(viewport, arrow->from), -50, viewport->width + 50),
		     y0, CLAMP(wpv_viewport_x(viewport, arrow->to), -50, viewport->width + 50), y1);
}

void wpv_painter_draw_arrows(WpvPainter *painter, GtkSnapshot *snapshot,
			     const WpvViewport *viewport)
{
	cairo_t *cr;

	collect_arrows(painter, viewport);
	if (painter->arrows->len == 0)
		return;
	cr = gtk_snapshot_append_cairo(snapshot, &GRAPHENE_RECT_INIT(0, 0, (float)viewport->width,
								     (float)viewport->height));
	cairo_set_line_width(cr, 1.5);
	for (guint i = 0; i < painter->arrows->len; i++) {
		const WpvArrow *arrow = &g_array_index(painter->arrows, WpvArrow, i);

		if (is_drawn(arrow, painter))
			draw_arrow(painter, cr, viewport, arrow);
	}
	cairo_destroy(cr);
}

guint wpv_painter_get_n_arrows(WpvPainter *painter, gboolean *ret_more)
{
	if (ret_more)
		*ret_more = painter->more_arrows;
	return painter->arrows->len;
}
