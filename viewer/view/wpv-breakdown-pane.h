/* SPDX-License-Identifier: MIT */
/*
 * wpv-breakdown-pane.h: where the time of the path went, as a table with bars: of the
 * selected range, or of all of it; and the difference to another range.
 */
#ifndef WPV_BREAKDOWN_PANE_H
#define WPV_BREAKDOWN_PANE_H

#include <gtk/gtk.h>

#include "viewer/model/wpv-breakdown.h"
#include "viewer/model/wpv-session.h"

G_BEGIN_DECLS

#define WPV_TYPE_BREAKDOWN_PANE (wpv_breakdown_pane_get_type())
G_DECLARE_FINAL_TYPE(WpvBreakdownPane, wpv_breakdown_pane, WPV, BREAKDOWN_PANE, GtkWidget)

GtkWidget *wpv_breakdown_pane_new(WpvSession *session);
void wpv_breakdown_pane_set_by(WpvBreakdownPane *pane, WpvBy by);
/* Keeps the selected range to compare with; FALSE when nothing is selected. */
gboolean wpv_breakdown_pane_keep(WpvBreakdownPane *pane);
void wpv_breakdown_pane_drop_kept(WpvBreakdownPane *pane);
/* What is shown; borrowed, NULL while it is being computed. */
const WpvBreakdown *wpv_breakdown_pane_get(WpvBreakdownPane *pane);

G_END_DECLS

#endif
