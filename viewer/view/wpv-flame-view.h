/* SPDX-License-Identifier: MIT */
/*
 * wpv-flame-view.h: the chain of waits as a flame graph, of the selected range or of the
 * whole path. A click shows a frame in full width and where the path first was on it.
 */
#ifndef WPV_FLAME_VIEW_H
#define WPV_FLAME_VIEW_H

#include <gtk/gtk.h>

#include "viewer/model/wpv-flame.h"
#include "viewer/model/wpv-session.h"

G_BEGIN_DECLS

#define WPV_TYPE_FLAME_VIEW (wpv_flame_view_get_type())
G_DECLARE_FINAL_TYPE(WpvFlameView, wpv_flame_view, WPV, FLAME_VIEW, GtkWidget)

GtkWidget *wpv_flame_view_new(WpvSession *session);
/* Borrowed; NULL without a path and while it is being computed. */
const WpvFlame *wpv_flame_view_get(WpvFlameView *view);
/* The frame that is shown in full width; WP_NONE: all. */
guint32 wpv_flame_view_get_zoomed(WpvFlameView *view);

G_END_DECLS

#endif
