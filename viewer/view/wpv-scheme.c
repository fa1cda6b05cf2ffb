/* SPDX-License-Identifier: MIT */
/*
 * wpv-scheme.c: the setting "color-scheme" of the desktop portal (1: dark), without which the
 * name of the theme tells. Who has set GTK_THEME has that theme, whatever the desktop says.
 */
#include "config.h"

#include <string.h>

#include "viewer/view/wpv-scheme.h"

#define APPEARANCE "org.freedesktop.appearance"
#define COLOR_SCHEME "color-scheme"
#define PREFERS_DARK 1u

struct _WpvSchemeMonitor {
	GObject parent;
	GDBusProxy *portal; /* reference, NULL */
	GCancellable *cancellable; /* reference */
	gboolean known; /* the portal has answered */
	guint32 scheme;
};

G_DEFINE_FINAL_TYPE(WpvSchemeMonitor, wpv_scheme_monitor, G_TYPE_OBJECT)

static void wpv_scheme_monitor_dispose(GObject *object)
{
	WpvSchemeMonitor *monitor = WPV_SCHEME_MONITOR(object);

	g_cancellable_cancel(monitor->cancellable);
	g_clear_object(&monitor->portal);
	G_OBJECT_CLASS(wpv_scheme_monitor_parent_class)->dispose(object);
}

static void wpv_scheme_monitor_finalize(GObject *object)
{
	g_object_unref(WPV_SCHEME_MONITOR(object)->cancellable);
	G_OBJECT_CLASS(wpv_scheme_monitor_parent_class)->finalize(object);
}

static void wpv_scheme_monitor_class_init(WpvSchemeMonitorClass *klass)
{
	G_OBJECT_CLASS(klass)->dispose = wpv_scheme_monitor_dispose;
	G_OBJECT_CLASS(klass)->finalize = wpv_scheme_monitor_finalize;
	g_signal_new("changed", G_TYPE_FROM_CLASS(klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
		     G_TYPE_NONE, 0);
}

static void wpv_scheme_monitor_init(WpvSchemeMonitor *monitor)
{
	monitor->cancellable = g_cancellable_new();
}

static void take_scheme(WpvSchemeMonitor *monitor, GVariant *value)
{
	/* Some portals wrap the value once more than others. */
	while (g_variant_is_of_type(value, G_VARIANT_TYPE_VARIANT)) {
		GVariant *inner = g_variant_get_variant(value);

		g_variant_unref(value);
		value = inner;
	}
	if (g_variant_is_of_type(value, G_VARIANT_TYPE_UINT32)) {
		monitor->known = TRUE;
		monitor->scheme = g_variant_get_uint32(value);
		g_signal_emit_by_name(monitor, "changed");
	}
	g_variant_unref(value);
}

static void on_signal(GDBusProxy *proxy, const gchar *sender, const gchar *name,
		      GVariant *parameters, WpvSchemeMonitor *monitor)
{
	const gchar *group, *key;
	GVariant *value;

	if (!g_str_equal(name, "SettingChanged") ||
	    !g_variant_is_of_type(parameters, G_VARIANT_TYPE("(ssv)")))
		return;
	g_variant_get(parameters, "(&s&sv)", &group, &key, &value);
	if (g_str_equal(group, APPEARANCE) && g_str_equal(key, COLOR_SCHEME))
		take_scheme(monitor, value);
	else
		g_variant_unref(value);
}

static void on_read(GObject *source, GAsyncResult *result, gpointer data)
{
	g_autoptr(WpvSchemeMonitor) monitor = data;
	g_autoptr(GVariant) answer = g_dbus_proxy_call_finish(G_DBUS_PROXY(source), result, NULL);

	if (answer && g_variant_is_of_type(answer, G_VARIANT_TYPE("(v)")))
		take_scheme(monitor, g_variant_get_child_value(answer, 0));
}

static void on_portal(GObject *source, GAsyncResult *result, gpointer data)
{
	g_autoptr(WpvSchemeMonitor) monitor = data;
	GDBusProxy *portal = g_dbus_proxy_new_for_bus_finish(result, NULL);

	if (!portal)
		return;
	monitor->portal = portal;
	g_signal_connect_object(portal, "g-signal", G_CALLBACK(on_signal), monitor, 0);
	g_dbus_proxy_call(portal, "Read", g_variant_new("(ss)", APPEARANCE, COLOR_SCHEME),
			  G_DBUS_CALL_FLAGS_NO_AUTO_START, 1000, monitor->cancellable, on_read,
			  g_object_ref(monitor));
}

WpvSchemeMonitor *wpv_scheme_monitor_new(void)
{
	WpvSchemeMonitor *monitor = g_object_new(WPV_TYPE_SCHEME_MONITOR, NULL);

	g_dbus_proxy_new_for_bus(G_BUS_TYPE_SESSION, G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES,
				 NULL, "org.freedesktop.portal.Desktop",
				 "/org/freedesktop/portal/desktop",
				 "org.freedesktop.portal.Settings", monitor->cancellable, on_portal,
				 g_object_ref(monitor));
	return monitor;
}

gboolean wpv_scheme_monitor_is_dark(WpvSchemeMonitor *monitor)
{
	const gchar *forced = g_getenv("GTK_THEME");
	g_autofree gchar *theme = NULL;

	if (forced && *forced)
		return strstr(forced, "dark") != NULL;
	if (monitor->known)
		return monitor->scheme == PREFERS_DARK;
	g_object_get(gtk_settings_get_default(), "gtk-theme-name", &theme, NULL);
	return theme && strstr(theme, "dark");
}
