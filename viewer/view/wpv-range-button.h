/* SPDX-License-Identifier: MIT */
/*
 * wpv-range-button.h: the button in a selected range that zooms to it.
 */
#ifndef WPV_RANGE_BUTTON_H
#define WPV_RANGE_BUTTON_H

#include <gtk/gtk.h>

#include "viewer/model/wpv-session.h"

G_BEGIN_DECLS

/* Lays it over the overlay's child, which shows the visible range in its full width. */
void wpv_range_button_add(GtkOverlay *overlay, WpvSession *session);

G_END_DECLS

#endif
