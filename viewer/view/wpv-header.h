/* SPDX-License-Identifier: MIT */
/*
 * wpv-header.h: the names of the rows, beside the timeline and scrolled with it. Only as
 * many widgets as are seen, used again for other rows; so that a screen reader finds a
 * tree of them.
 */
#ifndef WPV_HEADER_H
#define WPV_HEADER_H

#include <gtk/gtk.h>

#include "viewer/model/wpv-session.h"

G_BEGIN_DECLS

#define WPV_TYPE_HEADER (wpv_header_get_type())
G_DECLARE_FINAL_TYPE(WpvHeader, wpv_header, WPV, HEADER, GtkWidget)

/* vadjustment is that of the timeline, which configures it. menu: as of the timeline. */
GtkWidget *wpv_header_new(WpvSession *session, GtkAdjustment *vadjustment, GMenuModel *menu);

G_END_DECLS

#endif
