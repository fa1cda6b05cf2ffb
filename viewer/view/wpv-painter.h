/* SPDX-License-Identifier: MIT */
/*
 * wpv-painter.h: draws rows, the path's band, arrows and marks into a snapshot. It is no
 * widget and needs no display: widgets, the tests' goldens and the benchmark call it.
 *
 * What a row looks like is kept as a render node for as long as nothing that it depends
 * on has changed. When many rows have changed at once, as while zooming, only as many are
 * drawn anew as the budget allows; the others are shown as they were, moved and
 * stretched to where they belong, and drawn anew in the next frame.
 */
#ifndef WPV_PAINTER_H
#define WPV_PAINTER_H

#include <gtk/gtk.h>

#include "viewer/model/wpv-session.h"

G_BEGIN_DECLS

/* What is seen: times over pixels, and rows from a number of pixels on. */
typedef struct {
	WpTime begin, end;
	gint width, height; /* logical pixels */
	gint scale; /* device pixels in one */
	gdouble scroll; /* pixels of rows above the first one that is seen */
} WpvViewport;

typedef struct WpvPainter WpvPainter;

/* session is borrowed and must outlive it. */
WpvPainter *wpv_painter_new(WpvSession *session);
void wpv_painter_free(WpvPainter *painter);
/* Without labels there is no font in the nodes: for goldens. NULL turns text off. */
void wpv_painter_set_pango(WpvPainter *painter, PangoContext *context);
/* us for drawing rows anew in one frame; 0, the default: as long as it takes. */
void wpv_painter_set_budget(WpvPainter *painter, gint64 budget);

/*
 * Rows that stay on top while the others are scrolled below them: the pinned ones, as far as they
 * take no more than half of the height.
 */
guint wpv_rows_on_top(WpvSession *session, gint height);

/* Where a time lies, in pixels. */
gdouble wpv_viewport_x(const WpvViewport *viewport, WpTime time);
WpTime wpv_viewport_time(const WpvViewport *viewport, gdouble x);
/* The upper edge of a row, by its place in the list. */
gdouble wpv_painter_row_top(WpvPainter *painter, const WpvViewport *viewport, guint32 place);
/* The place in the row list of what lies at y; WP_NONE below the last row. */
guint32 wpv_painter_row_at(WpvPainter *painter, const WpvViewport *viewport, gdouble y);

/*
 * The rows, with selection, arrows and marks. hover: the row under the pointer, WP_NONE.
 * FALSE: some rows are not up to date, draw another frame.
 */
gboolean wpv_painter_rows(WpvPainter *painter, GtkSnapshot *snapshot, const WpvViewport *viewport,
			  guint32 hover);
/* The path as one band that fills the viewport. */
void wpv_painter_band(WpvPainter *painter, GtkSnapshot *snapshot, const WpvViewport *viewport);
/* The selected range, markers and bookmarks alone: for what lies above the rows. */
void wpv_painter_marks(WpvPainter *painter, GtkSnapshot *snapshot, const WpvViewport *viewport);

/* Arrows of the last frame that were drawn, and whether there are more. */
guint wpv_painter_get_n_arrows(WpvPainter *painter, gboolean *ret_more);

/* Colours of everything but states. */
typedef enum {
	WPV_COLOUR_BACKGROUND,
	WPV_COLOUR_HOST, /* background of a host's row */
	WPV_COLOUR_LINE,
	WPV_COLOUR_TEXT,
	WPV_COLOUR_FAINT, /* text of less weight */
	WPV_COLOUR_ACCENT, /* what is selected */
	WPV_COLOUR_MARK,
	WPV_COLOUR_N
} WpvColour;

const GdkRGBA *wpv_colour(WpvStyle *style, WpvColour colour);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpvPainter, wpv_painter_free)

G_END_DECLS

#endif
