/* SPDX-License-Identifier: MIT */
/*
 * wpv-band.h: the path as one band: over the visible time, where a click selects a piece
 * of it; or, as the overview, over all of the trace, where the visible window can be
 * dragged, its edges too.
 */
#ifndef WPV_BAND_H
#define WPV_BAND_H

#include <gtk/gtk.h>

#include "viewer/model/wpv-session.h"

G_BEGIN_DECLS

#define WPV_TYPE_BAND (wpv_band_get_type())
G_DECLARE_FINAL_TYPE(WpvBand, wpv_band, WPV, BAND, GtkWidget)

GtkWidget *wpv_band_new(WpvSession *session, gboolean overview);

G_END_DECLS

#endif
