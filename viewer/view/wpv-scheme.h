/* SPDX-License-Identifier: MIT */
/* wpv-scheme.h: whether the desktop wants dark windows. */
#ifndef WPV_SCHEME_H
#define WPV_SCHEME_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define WPV_TYPE_SCHEME_MONITOR (wpv_scheme_monitor_get_type())
G_DECLARE_FINAL_TYPE(WpvSchemeMonitor, wpv_scheme_monitor, WPV, SCHEME_MONITOR, GObject)

/* Signal "changed". Asks the desktop portal; until it answers, and without one, the theme tells. */
WpvSchemeMonitor *wpv_scheme_monitor_new(void);
gboolean wpv_scheme_monitor_is_dark(WpvSchemeMonitor *monitor);

G_END_DECLS

#endif
