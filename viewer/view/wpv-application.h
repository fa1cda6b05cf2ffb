/* SPDX-License-Identifier: MIT */
/* wpv-application.h: the application: keys of the window's actions, style, icon. */
#ifndef WPV_APPLICATION_H
#define WPV_APPLICATION_H

#include "viewer/view/wpv-window.h"

G_BEGIN_DECLS

#define WPV_TYPE_APPLICATION (wpv_application_get_type())
G_DECLARE_FINAL_TYPE(WpvApplication, wpv_application, WPV, APPLICATION, GtkApplication)

/* Opens a window when activated; loader (taken, NULL: none): what it is to load. */
WpvApplication *wpv_application_new(WpvLoader *loader);
/*
 * Instead of staying: draws the window, of this size, to a PNG once it is settled, and
 * quits. dark: the dark scheme, else the light one.
 */
void wpv_application_set_render(WpvApplication *application, const gchar *path, gint width,
				gint height, gboolean dark);
/* Whether the picture was drawn and written. */
gboolean wpv_application_has_picture(WpvApplication *application);
/* Why there is no picture; NULL: there is one, or the window was closed before. Borrowed. */
const gchar *wpv_application_get_error(WpvApplication *application);

G_END_DECLS

#endif
