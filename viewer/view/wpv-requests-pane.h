/* SPDX-License-Identifier: MIT */
/*
 * wpv-requests-pane.h: the requests of the task, how long they take, and the slowest of
 * them; an activated one is opened: its path instead of the task's.
 */
#ifndef WPV_REQUESTS_PANE_H
#define WPV_REQUESTS_PANE_H

#include <gtk/gtk.h>

#include "viewer/model/wpv-requests.h"
#include "viewer/model/wpv-session.h"

G_BEGIN_DECLS

#define WPV_TYPE_REQUESTS_PANE (wpv_requests_pane_get_type())
G_DECLARE_FINAL_TYPE(WpvRequestsPane, wpv_requests_pane, WPV, REQUESTS_PANE, GtkWidget)

/* Looks for requests when it is first seen. */
GtkWidget *wpv_requests_pane_new(WpvSession *session);
/* Borrowed. */
WpvRequests *wpv_requests_pane_get(WpvRequestsPane *pane);
void wpv_requests_pane_open(WpvRequestsPane *pane, guint position);

G_END_DECLS

#endif
