/* SPDX-License-Identifier: MIT */
/*
 * wpv-painter-bars.c: a level of detail as bars.
 *
 * A row is asked for its columns, one a device pixel, and neighbours of equal looks are
 * joined. Few of them become coloured rectangles; many, as in a row that is seen as a
 * whole, one texture of the row's size, which costs the same however many there are.
 *
 * A bar stands on the row's lower edge, as tall as its state is active (wpv-style.h).
 */
#include "config.h"

#include <string.h>

#include "viewer/view/wpv-painter-private.h"

#define RECTANGLES_MAX 160u /* more joined columns become a texture */

gfloat wpv_painter_bar_opacity(WpvPainter *painter, const WpvBars *bars, guint8 state)
{
	return bars->faint || (painter->look.dimmed & 1u << state) ? WPV_FAINT : 1.0f;
}

gint wpv_painter_bar_height(const WpvBars *bars, guint8 state)
{
	gint room = MAX(bars->height - 2 * WPV_PAD, 1);

	return bars->full ? room : MAX((gint)(wpv_state_height(state) * room + 0.5), 2);
}

static void draw_rectangles(WpvPainter *painter, GtkSnapshot *snapshot, const WpLodRun *runs,
			    guint n_runs, const WpvBars *bars)
{
	WpvStyle *style = wpv_session_get_style(painter->session);
	gdouble pixel = 1.0 / painter->look.scale;

	for (guint i = 0; i < n_runs; i++) {
		const WpLodRun *run = &runs[i];
		gint height = run->state == WP_SERIES_EMPTY
				      ? 0
				      : wpv_painter_bar_height(bars, run->state);
		GdkRGBA rgba;

		if (height == 0)
			continue;
		rgba = *wpv_style_get_colour(style, run->state);
		rgba.alpha = wpv_painter_bar_opacity(painter, bars, run->state);
		wpv_painter_fill(snapshot, &rgba, run->first * pixel,
				 bars->height - WPV_PAD - height, (run->end - run->first) * pixel,
				 height);
	}
}

static guint32 premultiplied(const GdkRGBA *rgba, gfloat alpha)
{
	guint a = (guint)(alpha * 255.0f + 0.5f);
	guint r = (guint)(rgba->red * alpha * 255.0f + 0.5f);
	guint g = (guint)(rgba->green * alpha * 255.0f + 0.5f);
	guint b = (guint)(rgba->blue * alpha * 255.0f + 0.5f);

	return a << 24 | r << 16 | g << 8 | b;
}

/* Fills the device pixels of one joined column's bar. */
static void fill_pixels(guint32 *pixels, guint stride, const WpLodRun *run, gint top, gint bottom,
			guint32 value)
{
	for (gint y = top; y < bottom; y++)
		for (guint32 x = run->first; x < run->end; x++)
			pixels[(guint)y * stride + x] = value;
}

static void draw_texture(WpvPainter *painter, GtkSnapshot *snapshot, const WpLodRun *runs,
			 guint n_runs, const WpvBars *bars)
{
	WpvStyle *style = wpv_session_get_style(painter->session);
	gint scale = painter->look.scale, height = bars->height * scale;
	guint width = painter->n_columns;
	gsize size = (gsize)width * (gsize)height * sizeof(guint32);
	guint32 *pixels = g_malloc0(size), values[WP_STATE_N];
	g_autoptr(GBytes) bytes = g_bytes_new_take(pixels, size);
	g_autoptr(GdkTexture) texture = NULL;

	for (guint8 state = 0; state < WP_STATE_N; state++)
		values[state] = premultiplied(wpv_style_get_colour(style, state),
					      wpv_painter_bar_opacity(painter, bars, state));
	for (guint i = 0; i < n_runs; i++) {
		const WpLodRun *run = &runs[i];
		gint bottom = (bars->height - WPV_PAD) * scale;

		if (run->state != WP_SERIES_EMPTY)
			fill_pixels(pixels, width, run,
				    bottom - wpv_painter_bar_height(bars, run->state) * scale,
				    bottom, values[run->state]);
	}
	texture = gdk_memory_texture_new((gint)width, height, GDK_MEMORY_DEFAULT, bytes,
					 width * sizeof(guint32));
	gtk_snapshot_append_texture(
		snapshot, texture,
		&GRAPHENE_RECT_INIT(0, 0, (float)painter->look.width, (float)bars->height));
}

/* Dots along the lower edge where there is more than pixels can show. */
void wpv_painter_draw_dots(WpvPainter *painter, GtkSnapshot *snapshot, const WpLodRun *runs,
			   guint n_runs, gint row_height)
{
	gdouble pixel = 1.0 / painter->look.scale;

	for (guint i = 0; i < n_runs; i++) {
		guint32 first = runs[i].first;
		graphene_rect_t bounds, tile;

		if (!(runs[i].flags & WP_LOD_DENSE))
			continue;
		while (i + 1 < n_runs && runs[i + 1].flags & WP_LOD_DENSE)
			i++;
		graphene_rect_init(&bounds, (float)(first * pixel), (float)(row_height - 1),
				   (float)((runs[i].end - first) * pixel), 1.0f);
		graphene_rect_init(&tile, (float)(first * pixel), (float)(row_height - 1), 3.0f,
				   1.0f);
		gtk_snapshot_push_repeat(snapshot, &bounds, &tile);
		wpv_painter_fill(snapshot, wpv_painter_colour(painter, WPV_COLOUR_FAINT),
				 first * pixel, row_height - 1, 1, 1);
		gtk_snapshot_pop(snapshot);
	}
}

/* Draws a level of detail and leaves its joined columns in runs. Returns their number. */
guint wpv_painter_draw_lod(WpvPainter *painter, GtkSnapshot *snapshot, const WpLod *lod,
			   const WpTime *bounds, const WpvBars *bars, WpLodRun *runs)
{
	guint n_runs;

	wp_lod_query(lod, bounds, painter->n_columns, painter->columns, NULL);
	n_runs = wp_lod_join(painter->columns, painter->n_columns, runs);
	if (n_runs <= RECTANGLES_MAX)
		draw_rectangles(painter, snapshot, runs, n_runs, bars);
	else
		draw_texture(painter, snapshot, runs, n_runs, bars);
	return n_runs;
}
