/* SPDX-License-Identifier: MIT */
/*
 * wpv-events-view.h: the traces' events around the segment that is chosen, as a list below its
 * details; or, in one line, why there are none.
 */
#ifndef WPV_EVENTS_VIEW_H
#define WPV_EVENTS_VIEW_H

#include <gtk/gtk.h>

#include "viewer/model/wpv-events.h"

G_BEGIN_DECLS

#define WPV_TYPE_EVENTS_VIEW (wpv_events_view_get_type())
G_DECLARE_FINAL_TYPE(WpvEventsView, wpv_events_view, WPV, EVENTS_VIEW, GtkWidget)

GtkWidget *wpv_events_view_new(WpvSession *session);
/* Borrowed; NULL when nothing is chosen, while they are read, and when there are none. */
const WpvEvents *wpv_events_view_get(WpvEventsView *view);
/* Why there are none; NULL: there is no reason. Borrowed. */
const gchar *wpv_events_view_get_notice(WpvEventsView *view);
gboolean wpv_events_view_is_reading(WpvEventsView *view);

G_END_DECLS

#endif
