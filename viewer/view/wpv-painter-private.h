/* SPDX-License-Identifier: MIT */
/*
 * wpv-painter-private.h: the painter's members, and what the files that make it up do for each
 * other: wpv-painter.c keeps rows and puts them together, -bars.c draws levels of detail,
 * -labels.c what stands in them, -marks.c what lies over them.
 */
#ifndef WPV_PAINTER_PRIVATE_H
#define WPV_PAINTER_PRIVATE_H

#include "viewer/view/wpv-painter.h"

G_BEGIN_DECLS

#define WPV_PAD 2 /* above and below a row's bars */
#define WPV_FAINT 0.32f /* of states that are not on the path, or dimmed */

/* What a row's node depends on besides the row. */
typedef struct {
	WpTime begin, end;
	gint width, scale, row_height;
	guint style;
	guint32 dimmed;
	gboolean highlight;
	gboolean open; /* the row's own rows follow it */
	guint generation; /* of the session's document and path */
} WpvLook;

struct WpvPainter {
	WpvSession *session; /* borrowed */
	PangoLayout *layout; /* owned, NULL: no text */
	GHashTable *texts; /* owned: owned gchar *, colour and label -> owned Text */
	GHashTable *cache; /* owned: &cached->key -> owned Cached */
	gint64 budget;
	guint frame;
	guint resume; /* the first row for which the budget of the last frame was not enough */
	/* Of the frame being drawn. */
	WpvLook look;
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

static inline const GdkRGBA *wpv_painter_colour(WpvPainter *painter, WpvColour which)
{
	return wpv_colour(wpv_session_get_style(painter->session), which);
}

static inline void wpv_painter_fill(GtkSnapshot *snapshot, const GdkRGBA *rgba, gdouble x,
				    gdouble y, gdouble width, gdouble height)
{
	graphene_rect_t rect = GRAPHENE_RECT_INIT((float)x, (float)y, (float)width, (float)height);

	if (width > 0 && height > 0)
		gtk_snapshot_append_color(snapshot, rgba, &rect);
}

/* ---- bars ---- */

/* Where bars are drawn: a row's own coordinates, its top at 0. */
typedef struct {
	gint height; /* of the row */
	gboolean full; /* all bars as tall as the row */
	gboolean faint;
} WpvBars;

/* How strong a state's bar is drawn, and how tall. */
gfloat wpv_painter_bar_opacity(WpvPainter *painter, const WpvBars *bars, guint8 state);
gint wpv_painter_bar_height(const WpvBars *bars, guint8 state);
/* Draws a level of detail and leaves its joined columns in runs. Returns their number. */
guint wpv_painter_draw_lod(WpvPainter *painter, GtkSnapshot *snapshot, const WpLod *lod,
			   const WpTime *bounds, const WpvBars *bars, WpLodRun *runs);
/* Dots along the lower edge where there is more than pixels can show. */
void wpv_painter_draw_dots(WpvPainter *painter, GtkSnapshot *snapshot, const WpLodRun *runs,
			   guint n_runs, gint row_height);

/* ---- labels ---- */

/* A label, and a shorter one for where it does not fit. */
typedef struct {
	const gchar *full, *brief; /* borrowed, each may be NULL */
} WpvWords;

/* What labels of a row are made from. */
typedef struct WpvLabels WpvLabels;
typedef WpvWords (*WpvLabelFunc)(const WpvLabels *labels, guint64 segment, guint8 state);
struct WpvLabels {
	WpvPainter *painter; /* borrowed */
	WpvRowKey key;
	const WpLod *lod; /* borrowed */
	const WpTime *bounds; /* borrowed */
	const WpvBars *bars; /* borrowed */
	WpvLabelFunc words;
	gboolean keep_off; /* columns that are taken */
};

/* For painter->texts. */
GHashTable *wpv_painter_texts_new(void);
/* The labels of joined columns, where they fit. */
void wpv_painter_draw_labels(const WpvLabels *labels, GtkSnapshot *snapshot, const WpLodRun *runs,
			     guint n_runs);
/* The words, or the shorter ones, in the middle of the room's height; nothing if they don't fit. */
void wpv_painter_draw_words(WpvPainter *painter, GtkSnapshot *snapshot, WpvWords words,
			    const GdkRGBA *rgba, const graphene_rect_t *room);
WpvWords wpv_painter_task_words(const WpvPainter *painter, guint32 host, WpId task);
/* WpvLabelFunc: the state; on a CPU who runs; whose piece of the path, or for what that waits. */
WpvWords wpv_painter_state_words(const WpvLabels *labels, guint64 segment, guint8 state);
WpvWords wpv_painter_cpu_words(const WpvLabels *labels, guint64 segment, guint8 state);
WpvWords wpv_painter_piece_words(const WpvLabels *labels, guint64 segment, guint8 state);

/* ---- marks ---- */

/* A stretch of time, over the whole height. */
void wpv_painter_draw_range(WpvPainter *painter, GtkSnapshot *snapshot, const WpvViewport *viewport,
			    WpTime begin, WpTime end, WpvColour which, gfloat alpha);
/* The segment that was chosen, outlined on its row. */
void wpv_painter_draw_item(WpvPainter *painter, GtkSnapshot *snapshot, const WpvViewport *viewport);
void wpv_painter_draw_arrows(WpvPainter *painter, GtkSnapshot *snapshot,
			     const WpvViewport *viewport);

G_END_DECLS

#endif
