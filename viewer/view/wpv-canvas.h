/* SPDX-License-Identifier: MIT */
/*
 * wpv-canvas.h: the timeline: one widget for all rows, scrolled vertically by whoever
 * holds it, horizontally by the session's visible range.
 *
 * Keys with a letter work only while it has the focus. Actions that it does not do itself
 * are those of the window ("win.").
 */
#ifndef WPV_CANVAS_H
#define WPV_CANVAS_H

#include <gtk/gtk.h>

#include "viewer/model/wpv-session.h"
#include "viewer/view/wpv-painter.h"

G_BEGIN_DECLS

/* us of a frame for rows drawn anew */
#define WPV_CANVAS_BUDGET 9000

#define WPV_TYPE_CANVAS (wpv_canvas_get_type())
G_DECLARE_FINAL_TYPE(WpvCanvas, wpv_canvas, WPV, CANVAS, GtkWidget)

/* session is shared; menu is shown by a click with the other button or the menu key. */
GtkWidget *wpv_canvas_new(WpvSession *session, GMenuModel *menu);
/* Where the pointer is in time, or else the cursor. */
WpTime wpv_canvas_get_pointer_time(WpvCanvas *canvas);
/* What is seen now. */
void wpv_canvas_get_viewport(WpvCanvas *canvas, WpvViewport *ret_viewport);
/* All that is drawn, as one node; NULL: nothing. Owned by the caller. */
GskRenderNode *wpv_canvas_dup_node(WpvCanvas *canvas);
WpvPainter *wpv_canvas_get_painter(WpvCanvas *canvas);

G_END_DECLS

#endif
