/* SPDX-License-Identifier: MIT */
/*
 * wpv-painter.c: from levels of detail to render nodes.
 *
 * A row is asked for its columns, one a device pixel, and neighbours of equal looks are
 * joined. Few of them become coloured rectangles; many, as in a row that is seen as a
 * whole, one texture of the row's size, which costs the same however many there are.
 *
 * A bar stands on the row's lower edge, as tall as its state is active (wpv-style.h). With
 * the path highlighted the row's own states are drawn faint and the path's pieces
 * strong above them, at least a pixel wide each.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "viewer/view/wpv-painter.h"

#define PAD 2 /* above and below a row's bars */
#define LABEL_MIN 40 /* narrower bars have no label */
#define TEXTS_MAX 5000u /* labels that are kept */
#define LABEL_SIZE 0.85 /* of the widgets' font */
#define RECTANGLES_MAX 160u /* more joined columns become a texture */
#define FAINT 0.32f /* of states that are not on the path, or dimmed */
#define BAND_NAMES_MAX 50000u /* segments that are looked through for names on the band */
#define STRETCH_MAX 64 /* of what is not up to date yet */
#define IDLE_FRAMES 120u /* a node that is not used for so long is dropped */

/* What a row's node depends on besides the row. */
typedef struct {
	WpTime begin, end;
	gint width, scale, row_height;
	guint style;
	guint32 dimmed;
	gboolean highlight;
	gboolean open; /* the row's own rows follow it */
	guint generation; /* of the session's document and path */
} Look;

typedef struct {
	guint64 key; /* packed row key, or BAND_KEY */
	Look look;
	GskRenderNode *node; /* owned; NULL: nothing to draw */
	GskRenderNode *labels; /* owned, NULL: none; over it, but never moved or stretched */
	guint used; /* frame */
	gboolean complete; /* FALSE: the row's level of detail was not there yet */
} Cached;

/* A label, shaped once. */
typedef struct {
	GskRenderNode *node; /* owned, NULL: nothing to see; its top left corner at 0 */
	gint width, height;
} Text;

struct WpvPainter {
	WpvSession *session; /* borrowed */
	PangoLayout *layout; /* owned, NULL: no text */
	GHashTable *texts; /* owned: owned gchar *, colour and label -> owned Text */
	GHashTable *cache; /* owned: &cached->key -> owned Cached */
	gint64 budget;
	guint frame;
	guint resume; /* the first row for which the budget of the last frame was not enough */
	/* Of the frame being drawn. */
	Look look;
	WpvAnswer *answer; /* borrowed, NULL */
	WpTime *bounds; /* owned: of columns, on the reference clock */
	WpTime *host_bounds; /* owned: the same on the clock of a host */
	guint32 bounds_host;
	guint n_columns;
	WpLodColumn *columns; /* owned */
	WpLodRun *runs, *own_runs; /* owned */
	guint8 *taken; /* owned: columns in which the path has a piece */
	GArray *arrows; /* owned: WpvArrow */
	gboolean more_arrows;
};

static void cached_free(gpointer data)
{
	Cached *cached = data;

	g_clear_pointer(&cached->node, gsk_render_node_unref);
	g_clear_pointer(&cached->labels, gsk_render_node_unref);
	g_free(cached);
}

static void text_free(gpointer data)
{
	Text *text = data;

	g_clear_pointer(&text->node, gsk_render_node_unref);
	g_free(text);
}

WpvPainter *wpv_painter_new(WpvSession *session)
{
	WpvPainter *painter = g_new0(WpvPainter, 1);

	painter->session = session;
	painter->cache = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, cached_free);
	painter->texts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, text_free);
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

static const GdkRGBA *colour(WpvPainter *painter, WpvColour which)
{
	return wpv_colour(wpv_session_get_style(painter->session), which);
}

static void fill(GtkSnapshot *snapshot, const GdkRGBA *rgba, gdouble x, gdouble y, gdouble width,
		 gdouble height)
{
	graphene_rect_t rect = GRAPHENE_RECT_INIT((float)x, (float)y, (float)width, (float)height);

	if (width > 0 && height > 0)
		gtk_snapshot_append_color(snapshot, rgba, &rect);
}

/* ---- one frame ---- */

/* Column bounds for this viewport; kept while it stays the same. */
static void begin_frame(WpvPainter *painter, const WpvViewport *viewport)
{
	guint n = (guint)MAX(viewport->width * viewport->scale, 1);
	WpvStyle *style = wpv_session_get_style(painter->session);

	painter->frame++;
	painter->look = (Look){.begin = viewport->begin,
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

static gboolean look_equal(const Look *a, const Look *b)
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

/* ---- bars ---- */

/* Where bars are drawn: a row's own coordinates, its top at 0. */
typedef struct {
	gint height; /* of the row */
	gboolean full; /* all bars as tall as the row */
	gboolean faint;
} BarStyle;

static gfloat opacity(WpvPainter *painter, const BarStyle *bars, guint8 state)
{
	return bars->faint || (painter->look.dimmed & 1u << state) ? FAINT : 1.0f;
}

static gint bar_height(const BarStyle *bars, guint8 state)
{
	gint room = MAX(bars->height - 2 * PAD, 1);

	return bars->full ? room : MAX((gint)(wpv_state_height(state) * room + 0.5), 2);
}

static void draw_rectangles(WpvPainter *painter, GtkSnapshot *snapshot, const WpLodRun *runs,
			    guint n_runs, const BarStyle *bars)
{
	WpvStyle *style = wpv_session_get_style(painter->session);
	gdouble pixel = 1.0 / painter->look.scale;

	for (guint i = 0; i < n_runs; i++) {
		const WpLodRun *run = &runs[i];
		gint height = run->state == WP_SERIES_EMPTY ? 0 : bar_height(bars, run->state);
		GdkRGBA rgba;

		if (height == 0)
			continue;
		rgba = *wpv_style_get_colour(style, run->state);
		rgba.alpha = opacity(painter, bars, run->state);
		fill(snapshot, &rgba, run->first * pixel, bars->height - PAD - height,
		     (run->end - run->first) * pixel, height);
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
			 guint n_runs, const BarStyle *bars)
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
					      opacity(painter, bars, state));
	for (guint i = 0; i < n_runs; i++) {
		const WpLodRun *run = &runs[i];
		gint bottom = (bars->height - PAD) * scale;

		if (run->state != WP_SERIES_EMPTY)
			fill_pixels(pixels, width, run,
				    bottom - bar_height(bars, run->state) * scale, bottom,
				    values[run->state]);
	}
	texture = gdk_memory_texture_new((gint)width, height, GDK_MEMORY_DEFAULT, bytes,
					 width * sizeof(guint32));
	gtk_snapshot_append_texture(
		snapshot, texture,
		&GRAPHENE_RECT_INIT(0, 0, (float)painter->look.width, (float)bars->height));
}

/* Dots along the lower edge where there is more than pixels can show. */
static void draw_dots(WpvPainter *painter, GtkSnapshot *snapshot, const WpLodRun *runs,
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
		fill(snapshot, colour(painter, WPV_COLOUR_FAINT), first * pixel, row_height - 1, 1,
		     1);
		gtk_snapshot_pop(snapshot);
	}
}

/* Draws a level of detail and leaves its joined columns in runs. Returns their number. */
static guint draw_lod(WpvPainter *painter, GtkSnapshot *snapshot, const WpLod *lod,
		      const WpTime *bounds, const BarStyle *bars, WpLodRun *runs)
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

/* ---- labels ---- */

/* A label, and a shorter one for where it does not fit. */
typedef struct {
	const gchar *full, *brief; /* borrowed, each may be NULL */
} Words;

/* What labels of a row are made from. */
typedef struct Labels Labels;
typedef Words (*LabelFunc)(const Labels *labels, guint64 segment, guint8 state);
struct Labels {
	WpvPainter *painter; /* borrowed */
	WpvRowKey key;
	const WpLod *lod; /* borrowed */
	const WpTime *bounds; /* borrowed */
	const BarStyle *bars; /* borrowed */
	LabelFunc words;
	gboolean keep_off; /* columns that are taken */
};

/* The label in a colour; shaping one takes longer than anything else of a row. */
static const Text *get_text(WpvPainter *painter, const gchar *words, const GdkRGBA *rgba)
{
	g_autofree gchar *valid = NULL;
	g_autofree gchar *key = g_strdup_printf("%02x%02x%02x%s", (guint)(rgba->red * 255),
						(guint)(rgba->green * 255),
						(guint)(rgba->blue * 255), words);
	Text *text = g_hash_table_lookup(painter->texts, key);
	GtkSnapshot *snapshot;

	if (text)
		return text;
	if (g_hash_table_size(painter->texts) >= TEXTS_MAX)
		g_hash_table_remove_all(painter->texts);
	valid = wpv_take_text(g_strdup(words));
	text = g_new0(Text, 1);
	snapshot = gtk_snapshot_new();
	pango_layout_set_text(painter->layout, valid, -1);
	pango_layout_get_pixel_size(painter->layout, &text->width, &text->height);
	gtk_snapshot_append_layout(snapshot, painter->layout, rgba);
	text->node = gtk_snapshot_free_to_node(snapshot);
	g_hash_table_insert(painter->texts, g_steal_pointer(&key), text);
	return text;
}

/* Draws it in the middle of the height, if the width is enough. */
static gboolean draw_text(WpvPainter *painter, GtkSnapshot *snapshot, const gchar *words,
			  const GdkRGBA *rgba, const graphene_rect_t *room)
{
	const Text *text = words ? get_text(painter, words, rgba) : NULL;

	if (!text || !text->node || text->width > (gint)room->size.width)
		return FALSE;
	gtk_snapshot_save(snapshot);
	gtk_snapshot_translate(
		snapshot,
		&GRAPHENE_POINT_INIT(room->origin.x,
				     (float)(gint)(room->origin.y +
						   (room->size.height - (float)text->height) / 2)));
	gtk_snapshot_append_node(snapshot, text->node);
	gtk_snapshot_restore(snapshot);
	return TRUE;
}

static void draw_words(WpvPainter *painter, GtkSnapshot *snapshot, Words words, const GdkRGBA *rgba,
		       const graphene_rect_t *room)
{
	if (!draw_text(painter, snapshot, words.full, rgba, room))
		draw_text(painter, snapshot, words.brief, rgba, room);
}

/* The segment that alone fills joined columns, but for their edges; FALSE: there are several. */
static gboolean is_one_segment(const Labels *labels, const WpLodRun *run, guint64 *ret_segment)
{
	const WpTime *bounds = labels->bounds;
	WpTime begin, end;
	gint64 i = wp_lod_find(labels->lod, bounds[(run->first + run->end) / 2]);
	guint8 state;

	if (i < 0 || (guint64)i >= wp_lod_get_series(labels->lod)->n)
		return FALSE;
	wp_lod_segment(labels->lod, (guint64)i, &begin, &end, &state);
	*ret_segment = (guint64)i;
	return begin <= bounds[run->first + 1] && end >= bounds[run->end - 1];
}

/* The first columns of the run that nothing is drawn over; FALSE when they are too few. */
static gboolean find_room(const Labels *labels, const WpLodRun *run, gdouble *ret_x,
			  gdouble *ret_width)
{
	const guint8 *taken = labels->painter->taken;
	gdouble pixel = 1.0 / labels->painter->look.scale;
	guint32 first = run->first, end = run->end;

	if (labels->keep_off) {
		while (first < run->end && taken[first])
			first++;
		for (end = first; end < run->end && !taken[end];)
			end++;
	}
	*ret_x = first * pixel + 4;
	*ret_width = (end - first) * pixel - 6;
	return *ret_width >= LABEL_MIN - 6;
}

static void draw_label(const Labels *labels, GtkSnapshot *snapshot, Words words, guint8 state,
		       gdouble x, gdouble width)
{
	WpvPainter *painter = labels->painter;
	WpvStyle *style = wpv_session_get_style(painter->session);
	const BarStyle *bars = labels->bars;
	gint height = bar_height(bars, state), room = bars->height - 2 * PAD;
	const GdkRGBA *rgba = colour(painter, bars->faint ? WPV_COLOUR_FAINT : WPV_COLOUR_TEXT);

	/* In a bar that is tall enough, or else above it. */
	if (height < room - 1) {
		draw_words(painter, snapshot, words, rgba,
			   &GRAPHENE_RECT_INIT((float)x, 0, (float)width,
					       (float)(bars->height - PAD - height)));
		return;
	}
	if (opacity(painter, bars, state) > FAINT)
		rgba = wpv_style_get_text_colour(style, state);
	draw_words(painter, snapshot, words, rgba,
		   &GRAPHENE_RECT_INIT((float)x, PAD, (float)width, (float)room));
}

static void draw_labels(const Labels *labels, GtkSnapshot *snapshot, const WpLodRun *runs,
			guint n_runs)
{
	gdouble pixel = 1.0 / labels->painter->look.scale;

	for (guint i = 0; labels->painter->layout && i < n_runs; i++) {
		const WpLodRun *run = &runs[i];
		gdouble x, width;
		guint64 segment;

		if ((run->end - run->first) * pixel < LABEL_MIN || run->state == WP_SERIES_EMPTY ||
		    run->flags & WP_LOD_MIXED || !is_one_segment(labels, run, &segment) ||
		    !find_room(labels, run, &x, &width))
			continue;
		draw_label(labels, snapshot, labels->words(labels, segment, run->state), run->state,
			   x, width);
	}
}

static Words state_words(const Labels *labels, guint64 segment, guint8 state)
{
	return (Words){wp_state_words(state), wp_state_key(state)};
}

static Words task_words(const WpvPainter *painter, guint32 host, WpId task)
{
	WpvDocument *document = wpv_session_get_document(painter->session);
	WpHost *h = wpv_document_get_host(document, host);

	return (Words){wp_strings_get(h->strings, wp_host_task(h, task)->comm), NULL};
}

/* On a CPU it matters who runs. */
static Words cpu_words(const Labels *labels, guint64 segment, guint8 state)
{
	WpvDocument *document = wpv_session_get_document(labels->painter->session);
	WpHost *host = wpv_document_get_host(document, labels->key.host);
	WpId vertex = wp_series_item(wp_lod_get_series(labels->lod), segment);

	if (vertex == WP_NONE)
		return (Words){NULL, NULL};
	return task_words(labels->painter, labels->key.host, wp_host_vertex(host, vertex)->task);
}

/* Whose piece of the path it is; while that task waits, for what. */
static Words piece_words(const Labels *labels, guint64 segment, guint8 state)
{
	WpId piece = wp_series_item(wp_lod_get_series(labels->lod), segment);
	const WpSegment *s;

	if (piece == WP_NONE)
		return (Words){NULL, NULL};
	s = wpv_answer_get_segment(labels->painter->answer, piece);
	return wpv_state_height(state) < 0.5 ? state_words(labels, segment, state)
					     : task_words(labels->painter, s->host, s->task);
}

/* ---- a row's node ---- */

static gboolean is_cpu(WpvRowKey key)
{
	return key.kind == WPV_ROW_CPU || key.kind == WPV_ROW_INTERRUPTS;
}

/* The row's own states; returns the number of painter->own_runs. */
static guint draw_own(WpvPainter *painter, GtkSnapshot *snapshot, WpvRowKey key, const WpLod *own,
		      const BarStyle *bars)
{
	const WpTime *bounds = bounds_of_host(painter, key.host);
	guint n = draw_lod(painter, snapshot, own, bounds, bars, painter->own_runs);

	draw_dots(painter, snapshot, painter->own_runs, n, bars->height);
	return n;
}

/* The path's pieces on the row, with their labels; notes the columns that they take. */
static void draw_path(WpvPainter *painter, GtkSnapshot *snapshot, GtkSnapshot *texts, WpvRowKey key,
		      const WpLod *path, const BarStyle *bars, LabelFunc words)
{
	Labels labels = {painter, key, path, painter->bounds, bars, words, FALSE};
	guint n = draw_lod(painter, snapshot, path, painter->bounds, bars, painter->runs);

	for (guint i = 0; i < n; i++)
		memset(painter->taken + painter->runs[i].first,
		       painter->runs[i].state != WP_SERIES_EMPTY,
		       painter->runs[i].end - painter->runs[i].first);
	draw_labels(&labels, texts, painter->runs, n);
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
	BarStyle own_bars = {height, FALSE, painter->answer && painter->look.highlight};
	BarStyle path_bars = {height, FALSE, FALSE};
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
			  key.kind == WPV_ROW_THREAD ? state_words : piece_words);
	if (own) {
		Labels labels = {painter,     key,
				 own,         bounds_of_host(painter, key.host),
				 &own_bars,   is_cpu(key) ? cpu_words : state_words,
				 path != NULL};

		draw_labels(&labels, texts, painter->own_runs, n_own);
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
	const Look *was = &cached->look, *now = &painter->look;
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
	const Look *was = &cached->look, *now = &painter->look;

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

/* ---- marks ---- */

static void draw_line(GtkSnapshot *snapshot, const GdkRGBA *rgba, gdouble x, gint height)
{
	fill(snapshot, rgba, (gint)x, 0, 1, height);
}

static void draw_range(WpvPainter *painter, GtkSnapshot *snapshot, const WpvViewport *viewport,
		       WpTime begin, WpTime end, WpvColour which, gfloat alpha)
{
	gdouble from = CLAMP(wpv_viewport_x(viewport, begin), -1, viewport->width + 1);
	gdouble to = CLAMP(wpv_viewport_x(viewport, end), -1, viewport->width + 1);
	GdkRGBA rgba = *colour(painter, which);

	rgba.alpha = alpha;
	fill(snapshot, &rgba, from, 0, to - from, viewport->height);
	draw_line(snapshot, colour(painter, which), from, viewport->height);
	draw_line(snapshot, colour(painter, which), to, viewport->height);
}

void wpv_painter_marks(WpvPainter *painter, GtkSnapshot *snapshot, const WpvViewport *viewport)
{
	const GArray *bookmarks = wpv_session_get_bookmarks(painter->session);
	WpTime begin, end, time[2];
	gboolean has[2];

	if (wpv_session_get_selection(painter->session, &begin, &end))
		draw_range(painter, snapshot, viewport, begin, end, WPV_COLOUR_ACCENT, 0.13f);
	for (guint i = 0; i < 2; i++)
		has[i] = wpv_session_get_marker(painter->session, i, &time[i]);
	if (has[0] && has[1])
		draw_range(painter, snapshot, viewport, MIN(time[0], time[1]),
			   MAX(time[0], time[1]), WPV_COLOUR_MARK, 0.08f);
	for (guint i = 0; i < 2; i++)
		if (has[i])
			draw_line(snapshot, colour(painter, WPV_COLOUR_MARK),
				  wpv_viewport_x(viewport, time[i]), viewport->height);
	for (guint i = 0; i < bookmarks->len; i++) {
		gdouble x = wpv_viewport_x(viewport, g_array_index(bookmarks, WpvBookmark, i).time);

		if (x >= 0 && x <= viewport->width)
			draw_line(snapshot, colour(painter, WPV_COLOUR_MARK), x, viewport->height);
	}
}

/* The segment that was chosen, outlined on its row. */
static void draw_item(WpvPainter *painter, GtkSnapshot *snapshot, const WpvViewport *viewport)
{
	const WpvItem *item = wpv_session_get_item(painter->session);
	guint32 place = wpv_row_list_find(wpv_session_get_rows(painter->session), item->row);
	gint height = painter->look.row_height;
	const GdkRGBA *rgba = colour(painter, WPV_COLOUR_ACCENT);
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
				      : colour(painter, WPV_COLOUR_FAINT);

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

static void draw_arrows(WpvPainter *painter, GtkSnapshot *snapshot, const WpvViewport *viewport)
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

/* ---- all rows ---- */

static void draw_row_background(WpvPainter *painter, GtkSnapshot *snapshot, const WpvRow *row,
				gint width, gboolean hover)
{
	gint height = painter->look.row_height;
	const WpvItem *item = wpv_session_get_item(painter->session);
	GdkRGBA accent = *colour(painter, WPV_COLOUR_ACCENT);

	if (row->key.kind == WPV_ROW_HOST)
		fill(snapshot, colour(painter, WPV_COLOUR_HOST), 0, 0, width, height);
	accent.alpha = 0.08f;
	if (wpv_row_key_equal(item->row, row->key))
		fill(snapshot, &accent, 0, 0, width, height);
	accent.alpha = 0.05f;
	if (hover)
		fill(snapshot, &accent, 0, 0, width, height);
	fill(snapshot, colour(painter, WPV_COLOUR_LINE), 0, height - 1, width, 1);
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
	draw_arrows(painter, snapshot, viewport);
	draw_item(painter, snapshot, viewport);
	if (on_top) {
		gtk_snapshot_pop(snapshot);
		fill(snapshot, colour(painter, WPV_COLOUR_FAINT), 0, top - 1, width, 1);
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
		draw_words(painter, snapshot, task_words(painter, s->host, s->task),
			   wpv_style_get_text_colour(style, order[0]),
			   &GRAPHENE_RECT_INIT((float)from + 3, 0,
					       (float)(MIN(to, viewport->width) - from) - 5,
					       (float)viewport->height));
	}
}

void wpv_painter_band(WpvPainter *painter, GtkSnapshot *snapshot, const WpvViewport *viewport)
{
	BarStyle bars = {viewport->height, TRUE, FALSE};
	const WpvItem *item = wpv_session_get_item(painter->session);
	WpLod *band;
	guint n;

	if (!wpv_session_get_answer(painter->session))
		return;
	begin_frame(painter, viewport);
	band = wpv_answer_get_band(painter->answer);
	gtk_snapshot_push_clip(snapshot, &GRAPHENE_RECT_INIT(0, 0, (float)viewport->width,
							     (float)viewport->height));
	n = draw_lod(painter, snapshot, band, painter->bounds, &bars, painter->runs);
	draw_dots(painter, snapshot, painter->runs, n, viewport->height);
	draw_band_names(painter, snapshot, viewport);
	if (item->piece != WP_NONE)
		draw_range(painter, snapshot, viewport, item->begin, item->end, WPV_COLOUR_ACCENT,
			   0.25f);
	wpv_painter_marks(painter, snapshot, viewport);
	gtk_snapshot_pop(snapshot);
}
