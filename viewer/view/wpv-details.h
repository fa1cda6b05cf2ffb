/* SPDX-License-Identifier: MIT */
/* wpv-details.h: the pane that tells all about the segment that was chosen. */
#ifndef WPV_DETAILS_H
#define WPV_DETAILS_H

#include <gtk/gtk.h>

#include "viewer/model/wpv-session.h"
#include "viewer/view/wpv-events-view.h"

G_BEGIN_DECLS

#define WPV_TYPE_DETAILS (wpv_details_get_type())
G_DECLARE_FINAL_TYPE(WpvDetails, wpv_details, WPV, DETAILS, GtkWidget)

GtkWidget *wpv_details_new(WpvSession *session);
/* Below them; borrowed. */
WpvEventsView *wpv_details_get_events(WpvDetails *details);

G_END_DECLS

#endif
