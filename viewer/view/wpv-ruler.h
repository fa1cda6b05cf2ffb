/* SPDX-License-Identifier: MIT */
/*
 * wpv-ruler.h: the scale of time above the rows, counted from the begin of the path or in
 * the hours of the day. A drag selects a range, a double click shows everything.
 */
#ifndef WPV_RULER_H
#define WPV_RULER_H

#include <gtk/gtk.h>

#include "viewer/model/wpv-session.h"

G_BEGIN_DECLS

#define WPV_TYPE_RULER (wpv_ruler_get_type())
G_DECLARE_FINAL_TYPE(WpvRuler, wpv_ruler, WPV, RULER, GtkWidget)

GtkWidget *wpv_ruler_new(WpvSession *session);
gboolean wpv_ruler_get_absolute(WpvRuler *ruler);
void wpv_ruler_set_absolute(WpvRuler *ruler, gboolean absolute);

/* A round distance of ticks (1, 2 or 5 times a power of ten ns) of at least so many ns. */
WpTime wpv_ruler_step(WpTime at_least);
/* The label of a tick, as precise as its step asks for; owned by the caller. */
gchar *wpv_ruler_dup_label(WpTime time, WpTime origin, WpTime step, gboolean absolute);
/* What ruler times count from: the path's begin, or the trace's. */
WpTime wpv_session_get_origin(WpvSession *session);

G_END_DECLS

#endif
