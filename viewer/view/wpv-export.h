/* SPDX-License-Identifier: MIT */
/* wpv-export.h: what is seen, as a picture. */
#ifndef WPV_EXPORT_H
#define WPV_EXPORT_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* All that a widget shows; NULL: nothing. Owned by the caller. */
GskRenderNode *wpv_export_dup_node(GtkWidget *widget);
/*
 * background: what lies under it. Both fail with WP_ERROR_FAILED, and then leave no file.
 */
gboolean wpv_export_png(GtkWidget *widget, const GdkRGBA *background, const gchar *path,
			GError **error);
gboolean wpv_export_svg(GtkWidget *widget, const GdkRGBA *background, const gchar *path,
			GError **error);

G_END_DECLS

#endif
