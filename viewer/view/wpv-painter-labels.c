/* SPDX-License-Identifier: MIT */
/*
 * wpv-painter-labels.c: what stands in bars, or above those that are too low: the state, or
 * whose it is. Each text is shaped once, since that takes longer than all else of a row.
 */
#include "config.h"

#include "viewer/view/wpv-painter-private.h"

#define LABEL_MIN 40 /* narrower bars have no label */
#define TEXTS_MAX 5000u /* labels that are kept */

/* A label, shaped once. */
typedef struct {
	GskRenderNode *node; /* owned, NULL: nothing to see; its top left corner at 0 */
	gint width, height;
} Text;

static void text_free(gpointer data)
{
	Text *text = data;

	g_clear_pointer(&text->node, gsk_render_node_unref);
	g_free(text);
}

GHashTable *wpv_painter_texts_new(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, text_free);
}

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

void wpv_painter_draw_words(WpvPainter *painter, GtkSnapshot *snapshot, WpvWords words,
			    const GdkRGBA *rgba, const graphene_rect_t *room)
{
	if (!draw_text(painter, snapshot, words.full, rgba, room))
		draw_text(painter, snapshot, words.brief, rgba, room);
}

/* The segment that alone fills joined columns, but for their edges; FALSE: there are several. */
static gboolean is_one_segment(const WpvLabels *labels, const WpLodRun *run, guint64 *ret_segment)
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
static gboolean find_room(const WpvLabels *labels, const WpLodRun *run, gdouble *ret_x,
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

static void draw_label(const WpvLabels *labels, GtkSnapshot *snapshot, WpvWords words, guint8 state,
		       gdouble x, gdouble width)
{
	WpvPainter *painter = labels->painter;
	WpvStyle *style = wpv_session_get_style(painter->session);
	const WpvBars *bars = labels->bars;
	gint height = wpv_painter_bar_height(bars, state), room = bars->height - 2 * WPV_PAD;
	const GdkRGBA *rgba = wpv_painter_colour(painter,
						 bars->faint ? WPV_COLOUR_FAINT : WPV_COLOUR_TEXT);

	/* In a bar that is tall enough, or else above it. */
	if (height < room - 1) {
		wpv_painter_draw_words(
			painter, snapshot, words, rgba,
			&GRAPHENE_RECT_INIT((float)x, 0, (float)width,
					    (float)(bars->height - WPV_PAD - height)));
		return;
	}
	if (wpv_painter_bar_opacity(painter, bars, state) > WPV_FAINT)
		rgba = wpv_style_get_text_colour(style, state);
	wpv_painter_draw_words(painter, snapshot, words, rgba,
			       &GRAPHENE_RECT_INIT((float)x, WPV_PAD, (float)width, (float)room));
}

void wpv_painter_draw_labels(const WpvLabels *labels, GtkSnapshot *snapshot, const WpLodRun *runs,
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

WpvWords wpv_painter_state_words(const WpvLabels *labels, guint64 segment, guint8 state)
{
	return (WpvWords){wp_state_words(state), wp_state_key(state)};
}

WpvWords wpv_painter_task_words(const WpvPainter *painter, guint32 host, WpId task)
{
	WpvDocument *document = wpv_session_get_document(painter->session);
	WpHost *h = wpv_document_get_host(document, host);

	return (WpvWords){wp_strings_get(h->strings, wp_host_task(h, task)->comm), NULL};
}

/* On a CPU it matters who runs. */
WpvWords wpv_painter_cpu_words(const WpvLabels *labels, guint64 segment, guint8 state)
{
	WpvDocument *document = wpv_session_get_document(labels->painter->session);
	WpHost *host = wpv_document_get_host(document, labels->key.host);
	WpId vertex = wp_series_item(wp_lod_get_series(labels->lod), segment);

	if (vertex == WP_NONE)
		return (WpvWords){NULL, NULL};
	return wpv_painter_task_words(labels->painter, labels->key.host,
				      wp_host_vertex(host, vertex)->task);
}

/* Whose piece of the path it is; while that task waits, for what. */
WpvWords wpv_painter_piece_words(const WpvLabels *labels, guint64 segment, guint8 state)
{
	WpId piece = wp_series_item(wp_lod_get_series(labels->lod), segment);
	const WpSegment *s;

	if (piece == WP_NONE)
		return (WpvWords){NULL, NULL};
	s = wpv_answer_get_segment(labels->painter->answer, piece);
	return wpv_state_height(state) < 0.5
		       ? wpv_painter_state_words(labels, segment, state)
		       : wpv_painter_task_words(labels->painter, s->host, s->task);
}
