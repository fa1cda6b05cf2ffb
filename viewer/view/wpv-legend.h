/* SPDX-License-Identifier: MIT */
/*
 * wpv-legend.h: what the colours mean. A click on a state's name dims it in the rows; its
 * colour can be chosen; palettes.
 */
#ifndef WPV_LEGEND_H
#define WPV_LEGEND_H

#include <gtk/gtk.h>

#include "viewer/model/wpv-session.h"

G_BEGIN_DECLS

GtkWidget *wpv_legend_new(WpvSession *session);

G_END_DECLS

#endif
