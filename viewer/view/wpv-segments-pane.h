/* SPDX-License-Identifier: MIT */
/*
 * wpv-segments-pane.h: the segments of the path or of the chosen row as a table: what the
 * timeline shows for those who do not see it, and for everybody who wants figures.
 */
#ifndef WPV_SEGMENTS_PANE_H
#define WPV_SEGMENTS_PANE_H

#include <gtk/gtk.h>

#include "viewer/model/wpv-segment-list.h"
#include "viewer/model/wpv-session.h"

G_BEGIN_DECLS

#define WPV_TYPE_SEGMENTS_PANE (wpv_segments_pane_get_type())
G_DECLARE_FINAL_TYPE(WpvSegmentsPane, wpv_segments_pane, WPV, SEGMENTS_PANE, GtkWidget)

GtkWidget *wpv_segments_pane_new(WpvSession *session);
/* FALSE: those of the path. */
void wpv_segments_pane_set_row(WpvSegmentsPane *pane, gboolean row);
void wpv_segments_pane_focus(WpvSegmentsPane *pane);
/* Borrowed. */
WpvSegmentList *wpv_segments_pane_get_list(WpvSegmentsPane *pane);

G_END_DECLS

#endif
