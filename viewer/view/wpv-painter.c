/* SPDX-License-Identifier: MIT */
/*
 * wpv-painter.c: rows as render nodes, kept from frame to frame, and the frame that they
 * make up.
 *
 * With the path highlighted the row's own states are drawn faint and the path's pieces
 * strong above them, at least a pixel wide each.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "viewer/view/wpv-painter-private.h"

#define LABEL_SIZE 0.85 /* of the widgets' font */
#define BAND_NAMES_MAX 50000u /* segments that are looked through for names on the band */
#define STRETCH_MAX 64 /* of what is not up to date yet */
#define IDLE_FRAMES 120u /* a node that is not used for so long is dropped */

typedef struct {
	guint64 key; /* packed row key, or BAND_KEY */
	WpvLook look;
	GskRenderNode *node; /* owned; NULL: nothing to draw */
	GskRenderNode *labels; /* owned, NULL: none; over it, but never moved or stretched */
	guint used; /* frame */
	gboolean complete; /* FALSE: the row's level of detail was not there yet */
} Cached;

static void cached_free(gpointer data)
{
	Cached *cached = data;

	g_clear_pointer(&cached->node, gsk_render_node_unref);
	g_clear_pointer(&cached->labels, gsk_render_node_unref);
	g_free(cached);
}

WpvPainter *wpv_painter_new(WpvSession *session)
{
	WpvPainter *painter = g_new0(WpvPainter, 1);

	painter->session = session;
	painter->cache = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, cached_free);
	painter->texts = wpv_painter_texts_new();
	painter->arrows = g_array_new(FALSE, FALSE, sizeof(WpvArrow));
	return painter;
}

void wpv_painter_free(WpvPainter *painter)
{
	if (!painter)
		return;
	wpv_painter_set_pango(painter, NULL);
	g_hash_table_destroy(painter->cache);
	g_hash_table_destroy(painter->texts);
	g_array_unref(painter->arrows);
	g_free(painter->bounds);
	g_free(painter->host_bounds);
	g_free(painter->columns);
	g_free(painter->runs);
	g_free(painter->own_runs);
	g_free(painter->taken);
	g_free(painter);
}

void wpv_painter_set_pango(WpvPainter *painter, PangoContext *context)
{
	PangoFontDescription *font;

	g_clear_object(&painter->layout);
	g_hash_table_remove_all(painter->cache);
	g_hash_table_remove_all(painter->texts);
	if (!context)
		return;
	painter->layout = pango_layout_new(context);
	font = pango_font_description_copy(pango_context_get_font_description(context));
	pango_font_description_set_size(font,
					(gint)(pango_font_description_get_size(font) * LABEL_SIZE));
	pango_layout_set_font_description(painter->layout, font);
	pango_font_description_free(font);
	pango_layout_set_single_paragraph_mode(painter->layout, TRUE);
}

void wpv_painter_set_budget(WpvPainter *painter, gint64 budget)
{
	painter->budget = budget;
}

gdouble wpv_viewport_x(const WpvViewport *viewport, WpTime time)
{
	return (gdouble)(time - viewport->begin) * viewport->width /
	       (gdouble)(viewport->end - viewport->begin);
}

WpTime wpv_viewport_time(const WpvViewport *viewport, gdouble x)
{
	return viewport->begin +
	       (WpTime)(x * (gdouble)(viewport->end - viewport->begin) / MAX(viewport->width, 1));
}

guint wpv_rows_on_top(WpvSession *session, gint height)
{
	guint n = wpv_row_list_get_n_pinned(wpv_session_get_rows(session));

	return MIN(n, (guint)(MAX(height, 0) / 2 / wpv_session_get_row_height(session)));
}

gdouble wpv_painter_row_top(WpvPainter *painter, const WpvViewport *viewport, guint32 place)
{
	guint on_top = wpv_rows_on_top(painter->session, viewport->height);

	return (gdouble)place * wpv_session_get_row_height(painter->session) -
	       (place < on_top ? 0 : viewport->scroll);
}

guint32 wpv_painter_row_at(WpvPainter *painter, const WpvViewport *viewport, gdouble y)
{
	gint height = wpv_session_get_row_height(painter->session);
	guint on_top = wpv_rows_on_top(painter->session, viewport->height);
	gdouble row = (y < on_top * height ? y : viewport->scroll + y) / height;
	guint n = wpv_row_list_get_n(wpv_session_get_rows(painter->session));

	return row >= 0 && row < n ? (guint32)row : WP_NONE;
}

const GdkRGBA *wpv_colour(WpvStyle *style, WpvColour colour)
{
	static const GdkRGBA light[WPV_COLOUR_N] = {
		[WPV_COLOUR_BACKGROUND] = {1.0f, 1.0f, 1.0f, 1.0f},
		[WPV_COLOUR_HOST] = {0.93f, 0.94f, 0.955f, 1.0f},
		[WPV_COLOUR_LINE] = {0.0f, 0.0f, 0.0f, 0.09f},
		[WPV_COLOUR_TEXT] = {0.1f, 0.1f, 0.12f, 1.0f},
		[WPV_COLOUR_FAINT] = {0.36f, 0.36f, 0.4f, 1.0f},
		[WPV_COLOUR_ACCENT] = {0.11f, 0.44f, 0.85f, 1.0f},
		[WPV_COLOUR_MARK] = {0.75f, 0.1f, 0.45f, 1.0f},
	};
	static const GdkRGBA dark[WPV_COLOUR_N] = {
		[WPV_COLOUR_BACKGROUND] = {0.12f, 0.12f, 0.13f, 1.0f},
		[WPV_COLOUR_HOST] = {0.18f, 0.185f, 0.205f, 1.0f},
		[WPV_COLOUR_LINE] = {1.0f, 1.0f, 1.0f, 0.1f},
		[WPV_COLOUR_TEXT] = {0.93f, 0.93f, 0.94f, 1.0f},
		[WPV_COLOUR_FAINT] = {0.68f, 0.68f, 0.7f, 1.0f},
		[WPV_COLOUR_ACCENT] = {0.42f, 0.68f, 1.0f, 1.0f},
		[WPV_COLOUR_MARK] = {1.0f, 0.5f, 0.78f, 1.0f},
	};

	return wpv_style_get_dark(style) ? &dark[colour] : &light[colour];
}

/* ---- one frame ---- */

/* Column bounds for this viewport; kept while it stays the same. */
static void begin_frame(WpvPainter *painter, const WpvViewport *viewport)
{
	guint n = (guint)MAX(viewport->width * viewport->scale, 1);
	WpvStyle *style = wpv_session_get_style(painter->session);

	painter->frame++;
	painter->look = (WpvLook){.begin = viewport->begin,
				  .end = viewport->end,
				  .width = viewport->width,
				  .scale = viewport->scale,
				  .row_height = wpv_session_get_row_height(painter->session),
				  .style = wpv_style_get_generation(style),
				  .dimmed = wpv_session_get_dimmed(painter->session),
				  .highlight = wpv_session_get_highlight(painter->session),
				  .generation = wpv_session_get_generation(painter->session)};
	painter->answer = wpv_session_get_answer(painter->session);
	if (n != painter->n_columns) {
		painter->n_columns = n;
		painter->bounds = g_renew(WpTime, painter->bounds, n + 1);
		painter->host_bounds = g_renew(WpTime, painter->host_bounds, n + 1);
		painter->columns = g_renew(WpLodColumn, painter->columns, n);
		painter->runs = g_renew(WpLodRun, painter->runs, n);
		painter->own_runs = g_renew(WpLodRun, painter->own_runs, n);
		painter->taken = g_renew(guint8, painter->taken, n);
	}
	for (guint i = 0; i <= n; i++)
		painter->bounds[i] = wp_lod_bound(viewport->begin, viewport->end, n, i);
	painter->bounds_host = WP_NONE;
}

/* The same bounds on a host's clock. */
static const WpTime *bounds_of_host(WpvPainter *painter, guint32 host)
{
	WpvDocument *document = wpv_session_get_document(painter->session);
	const WpClockMap *map = wpv_document_get_graph(document)->joins[host].map;

	if (wp_clock_map_is_identity(map))
		return painter->bounds;
	if (painter->bounds_host != host)
		for (guint i = 0; i <= painter->n_columns; i++)
			painter->host_bounds[i] = wp_clock_map_invert(map, painter->bounds[i]);
	painter->bounds_host = host;
	return painter->host_bounds;
}

static gboolean look_equal(const WpvLook *a, const WpvLook *b)
{
	return a->begin == b->begin && a->end == b->end && a->width == b->width &&
	       a->scale == b->scale && a->row_height == b->row_height && a->style == b->style &&
	       a->dimmed == b->dimmed && a->highlight == b->highlight && a->open == b->open &&
	       a->generation == b->generation;
}

static void drop_unused(WpvPainter *painter)
{
	GHashTableIter iter;
	Cached *cached;

	if (painter->frame % IDLE_FRAMES)
		return;
	g_hash_table_iter_init(&iter, painter->cache);
	while (g_hash_table_iter_next(&iter, NULL, (gpointer *)&cached))
		if (painter->frame - cached->used > IDLE_FRAMES)
			g_hash_table_iter_remove(&iter);
}

/* ---- a row's node ---- */

static gboolean is_cpu(WpvRowKey key)
{
	return key.kind == WPV_ROW_CPU || key.kind == WPV_ROW_INTERRUPTS;
}

/* The row's own states; returns the number of painter->own_runs. */
static guint draw_own(WpvPainter *painter, GtkSnapshot *snapshot, WpvRowKey key, const WpLod *own,
		      const WpvBars *bars)
{
	const WpTime *bounds = bounds_of_host(painter, key.host);
	guint n = wpv_painter_draw_lod(painter, snapshot, own, bounds, bars, painter->own_runs);

	wpv_painter_draw_dots(painter, snapshot, painter->own_runs, n, bars->height);
	return n;
}

/* The path's pieces on the row, with their labels; notes the columns that they take. */
static void draw_path(WpvPainter *painter, GtkSnapshot *snapshot, GtkSnapshot *texts, WpvRowKey key,
		      const WpLod *path, const WpvBars *bars, WpvLabelFunc words)
{
	WpvLabels labels = {painter, key, path, painter->bounds, bars, words, FALSE};
	guint n = wpv_painter_draw_lod(painter, snapshot, path, painter->bounds, bars,
				       painter->runs);

	for (guint i = 0; i < n; i++)
		memset(painter->taken + painter->runs[i].first,
		       painter->runs[i].state != WP_SERIES_EMPTY,
		       painter->runs[i].end - painter->runs[i].first);
	wpv_painter_draw_labels(&labels, texts, painter->runs, n);
}

static gboolean has_own_states(WpvRowKey key)
{
	return key.kind != WPV_ROW_HOST && key.kind != WPV_ROW_KERNEL && key.kind != WPV_ROW_CPUS;
}

/* The part of the path that a row shows; NULL: none. */
static WpLod *path_of_row(WpvPainter *painter, WpvRowKey key)
{
	if (!painter->answer || (has_own_states(key) && !painter->look.highlight))
		return NULL;
	return wpv_answer_get_lod(painter->answer, key);
}

/*
 * Draws the row into what is kept of it, its top at 0; nothing when its own rows follow it, since
 * they show the same. It is not complete while the row's own states are still being prepared.
 */
static void draw_row(WpvPainter *painter, Cached *cached, WpvRowKey key)
{
	WpvDocument *document = wpv_session_get_document(painter->session);
	gint height = painter->look.row_height;
	WpvBars own_bars = {height, FALSE, painter->answer && painter->look.highlight};
	WpvBars path_bars = {height, FALSE, FALSE};
	GtkSnapshot *snapshot, *texts;
	WpLod *own, *path;
	guint n_own = 0;

	cached->complete = TRUE;
	if (painter->look.open)
		return;
	snapshot = gtk_snapshot_new();
	texts = gtk_snapshot_new();
	own = wpv_document_get_lod(document, key, FALSE);
	path = path_of_row(painter, key);
	cached->complete = own || !has_own_states(key);
	if (own)
		n_own = draw_own(painter, snapshot, key, own, &own_bars);
	if (path)
		draw_path(painter, snapshot, texts, key, path, &path_bars,
			  key.kind == WPV_ROW_THREAD ? wpv_painter_state_words
						     : wpv_painter_piece_words);
	if (own) {
		WpvLabels labels = {
			painter,     key,
			own,         bounds_of_host(painter, key.host),
			&own_bars,   is_cpu(key) ? wpv_painter_cpu_words : wpv_painter_state_words,
			path != NULL};

		wpv_painter_draw_labels(&labels, texts, painter->own_runs, n_own);
	}
	cached->node = gtk_snapshot_free_to_node(snapshot);
	cached->labels = gtk_snapshot_free_to_node(texts);
}

static Cached *find_cached(WpvPainter *painter, guint64 key)
{
	Cached *cached = g_hash_table_lookup(painter->cache, &key);

	if (!cached) {
		cached = g_new0(Cached, 1);
		cached->key = key;
		g_hash_table_insert(painter->cache, &cached->key, cached);
	}
	cached->used = painter->frame;
	return cached;
}

static gboolean is_fresh(WpvPainter *painter, const Cached *cached)
{
	return cached->complete && look_equal(&cached->look, &painter->look);
}

static void refresh(WpvPainter *painter, Cached *cached, WpvRowKey key)
{
	g_clear_pointer(&cached->node, gsk_render_node_unref);
	g_clear_pointer(&cached->labels, gsk_render_node_unref);
	draw_row(painter, cached, key);
	cached->look = painter->look;
}

/* What is kept of a row that is not as it was: where its times lie now, moved and stretched. */
static void append_stale(WpvPainter *painter, GtkSnapshot *snapshot, const Cached *cached)
{
	const WpvLook *was = &cached->look, *now = &painter->look;
	gdouble stretch, shift;

	stretch = (gdouble)(was->end - was->begin) / (gdouble)(now->end - now->begin) * now->width /
		  was->width;
	shift = (gdouble)(was->begin - now->begin) / (gdouble)(now->end - now->begin) * now->width;
	/* Too far away to tell anything, and beyond what can be drawn. */
	if (stretch > STRETCH_MAX || stretch < 1.0 / STRETCH_MAX)
		return;
	gtk_snapshot_save(snapshot);
	gtk_snapshot_translate(snapshot, &GRAPHENE_POINT_INIT((float)shift, 0));
	gtk_snapshot_scale(snapshot, (float)stretch, 1);
	gtk_snapshot_append_node(snapshot, cached->node);
	gtk_snapshot_restore(snapshot);
}

static void append_cached(WpvPainter *painter, GtkSnapshot *snapshot, const Cached *cached)
{
	const WpvLook *was = &cached->look, *now = &painter->look;

	if (!cached->node)
		return;
	if (was->begin != now->begin || was->end != now->end || was->width != now->width) {
		append_stale(painter, snapshot, cached);
		return;
	}
	gtk_snapshot_append_node(snapshot, cached->node);
	if (cached->labels)
		gtk_snapshot_append_node(snapshot, cached->labels);
}

/* ---- all rows ---- */

static void draw_row_background(WpvPainter *painter, GtkSnapshot *snapshot, const WpvRow *row,
				gint width, gboolean hover)
{
	gint height = painter->look.row_height;
	const WpvItem *item = wpv_session_get_item(painter->session);
	GdkRGBA accent = *wpv_painter_colour(painter, WPV_COLOUR_ACCENT);

	if (row->key.kind == WPV_ROW_HOST)
		wpv_painter_fill(snapshot, wpv_painter_colour(painter, WPV_COLOUR_HOST), 0, 0,
				 width, height);
	accent.alpha = 0.08f;
	if (wpv_row_key_equal(item->row, row->key))
		wpv_painter_fill(snapshot, &accent, 0, 0, width, height);
	accent.alpha = 0.05f;
	if (hover)
		wpv_painter_fill(snapshot, &accent, 0, 0, width, height);
	wpv_painter_fill(snapshot, wpv_painter_colour(painter, WPV_COLOUR_LINE), 0, height - 1,
			 width, 1);
}

static Cached *cached_row(WpvPainter *painter, const WpvRow *row)
{
	painter->look.open = row->expandable && row->expanded;
	return find_cached(painter, wpv_row_key_pack(row->key));
}

/*
 * Draws rows [first, end) anew, beginning with the one at which the last frame ended: while one
 * moves on, each has its turn. FALSE: not all of them are up to date when the deadline comes.
 */
static gboolean refresh_rows(WpvPainter *painter, guint first, guint end, gint64 deadline)
{
	WpvRowList *rows = wpv_session_get_rows(painter->session);
	guint start = painter->resume >= first && painter->resume < end ? painter->resume : first;
	gboolean complete = TRUE;

	for (guint i = 0; first < end && i < end - first; i++) {
		guint place = first + (start - first + i) % (end - first);
		const WpvRow *row = wpv_row_list_get(rows, place);
		Cached *cached = cached_row(painter, row);

		if (is_fresh(painter, cached))
			continue;
		if (!cached->node || g_get_monotonic_time() < deadline) {
			refresh(painter, cached, row->key);
		} else if (complete) {
			complete = FALSE;
			painter->resume = place;
		}
	}
	return complete;
}

static void append_rows(WpvPainter *painter, GtkSnapshot *snapshot, const WpvViewport *viewport,
			guint first, guint end, guint32 hover)
{
	WpvRowList *rows = wpv_session_get_rows(painter->session);

	for (guint i = first; i < end; i++) {
		const WpvRow *row = wpv_row_list_get(rows, i);

		gtk_snapshot_save(snapshot);
		gtk_snapshot_translate(
			snapshot,
			&GRAPHENE_POINT_INIT(0, (float)wpv_painter_row_top(painter, viewport, i)));
		draw_row_background(painter, snapshot, row, viewport->width, i == hover);
		append_cached(painter, snapshot, cached_row(painter, row));
		gtk_snapshot_restore(snapshot);
	}
}

gboolean wpv_painter_rows(WpvPainter *painter, GtkSnapshot *snapshot, const WpvViewport *viewport,
			  guint32 hover)
{
	gint64 deadline = painter->budget ? g_get_monotonic_time() + painter->budget : G_MAXINT64;
	gint height = wpv_session_get_row_height(painter->session);
	guint n = wpv_row_list_get_n(wpv_session_get_rows(painter->session));
	guint on_top = wpv_rows_on_top(painter->session, viewport->height);
	guint first = on_top + (guint)(MAX(viewport->scroll, 0) / height);
	guint end = MIN(n, (guint)ceil((viewport->scroll + viewport->height) / height));
	gfloat top = (gfloat)(on_top * (guint)height), width = (gfloat)viewport->width;
	gboolean complete;

	if (!wpv_session_get_document(painter->session))
		return TRUE;
	begin_frame(painter, viewport);
	complete = refresh_rows(painter, 0, on_top, deadline);
	complete &= refresh_rows(painter, first, end, deadline);
	gtk_snapshot_push_clip(snapshot, &GRAPHENE_RECT_INIT(0, 0, width, (float)viewport->height));
	append_rows(painter, snapshot, viewport, 0, on_top, hover);
	if (on_top)
		gtk_snapshot_push_clip(
			snapshot,
			&GRAPHENE_RECT_INIT(0, top, width, (float)viewport->height - top));
	append_rows(painter, snapshot, viewport, first, end, hover);
	wpv_painter_draw_arrows(painter, snapshot, viewport);
	wpv_painter_draw_item(painter, snapshot, viewport);
	if (on_top) {
		gtk_snapshot_pop(snapshot);
		wpv_painter_fill(snapshot, wpv_painter_colour(painter, WPV_COLOUR_FAINT), 0,
				 top - 1, width, 1);
	}
	wpv_painter_marks(painter, snapshot, viewport);
	gtk_snapshot_pop(snapshot);
	drop_unused(painter);
	return complete;
}

/* The name of each task over all of its neighbouring pieces, whatever their states. */
static void draw_band_names(WpvPainter *painter, GtkSnapshot *snapshot, const WpvViewport *viewport)
{
	WpvStyle *style = wpv_session_get_style(painter->session);
	const WpPath *path = wpv_answer_get_path(painter->answer);
	guint32 first, last;

	if (!painter->layout || viewport->begin >= path->end || viewport->end <= path->begin)
		return;
	first = wpv_answer_find(painter->answer, MAX(viewport->begin, path->begin));
	last = wpv_answer_find(painter->answer, MIN(viewport->end, path->end) - 1);
	if (last - first > BAND_NAMES_MAX)
		return;
	for (guint32 i = first, next; i <= last; i = next) {
		const WpSegment *s = wpv_answer_get_segment(painter->answer, i);
		gdouble from = MAX(wpv_viewport_x(viewport, s->begin), 0), to;
		WpTime by_state[WP_STATE_N] = {0};
		WpState order[WP_STATE_N];

		for (next = i; next <= last; next++) {
			const WpSegment *t = wpv_answer_get_segment(painter->answer, next);

			if (t->host != s->host || t->task != s->task)
				break;
			by_state[t->state] += t->end - t->begin;
		}
		to = wpv_viewport_x(viewport,
				    wpv_answer_get_segment(painter->answer, next - 1)->end);
		wp_states_by_time(by_state, order);
		wpv_painter_draw_words(
			painter, snapshot, wpv_painter_task_words(painter, s->host, s->task),
			wpv_style_get_text_colour(style, order[0]),
			&GRAPHENE_RECT_INIT((float)from + 3, 0,
					    (float)(MIN(to, viewport->width) - from) - 5,
					    (float)viewport->height));
	}
}

void wpv_painter_band(WpvPainter *painter, GtkSnapshot *snapshot, const WpvViewport *viewport)
{
	WpvBars bars = {viewport->height, TRUE, FALSE};
	const WpvItem *item = wpv_session_get_item(painter->session);
	WpLod *band;
	guint n;

	if (!wpv_session_get_answer(painter->session))
		return;
	begin_frame(painter, viewport);
	band = wpv_answer_get_band(painter->answer);
	gtk_snapshot_push_clip(snapshot, &GRAPHENE_RECT_INIT(0, 0, (float)viewport->width,
							     (float)viewport->height));
	n = wpv_painter_draw_lod(painter, snapshot, band, painter->bounds, &bars, painter->runs);
	wpv_painter_draw_dots(painter, snapshot, painter->runs, n, viewport->height);
	draw_band_names(painter, snapshot, viewport);
	if (item->piece != WP_NONE)
		wpv_painter_draw_range(painter, snapshot, viewport, item->begin, item->end,
				       WPV_COLOUR_ACCENT, 0.25f);
	wpv_painter_marks(painter, snapshot, viewport);
	gtk_snapshot_pop(snapshot);
}
