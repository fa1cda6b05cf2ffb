/* SPDX-License-Identifier: MIT */
/*
 * test-viewer-scheme.c: dark or light as the desktop says it: a bus of the test's own, on which
 * the test answers as the desktop's portal does.
 */
#include "config.h"

#include <gtk/gtk.h>

#include "viewer/view/wpv-scheme.h"

#define PORTAL "org.freedesktop.portal.Desktop"
#define SETTINGS "org.freedesktop.portal.Settings"
#define PATH "/org/freedesktop/portal/desktop"
#define GROUP "org.freedesktop.appearance"
#define KEY "color-scheme"

static const gchar interface_xml[] =
	"<node><interface name='" SETTINGS "'>"
	"<method name='Read'>"
	"<arg type='s' direction='in'/><arg type='s' direction='in'/>"
	"<arg type='v' direction='out'/>"
	"</method>"
	"<signal name='SettingChanged'><arg type='s'/><arg type='s'/><arg type='v'/></signal>"
	"</interface></node>";

typedef struct {
	guint32 scheme; /* what it says */
	gboolean owned, lost;
	guint n_changed; /* what the monitor told */
} Portal;

static void on_call(GDBusConnection *bus, const gchar *sender, const gchar *path,
		    const gchar *interface, const gchar *method, GVariant *parameters,
		    GDBusMethodInvocation *invocation, gpointer data)
{
	const Portal *portal = data;
	const gchar *group, *key;

	g_variant_get(parameters, "(&s&s)", &group, &key);
	g_assert_cmpstr(group, ==, GROUP);
	g_assert_cmpstr(key, ==, KEY);
	/* Wrapped twice, as portals of version 1 do. */
	g_dbus_method_invocation_return_value(
		invocation,
		g_variant_new("(v)", g_variant_new_variant(g_variant_new_uint32(portal->scheme))));
}

static void on_owned(GDBusConnection *bus, const gchar *name, gpointer portal)
{
	((Portal *)portal)->owned = TRUE;
}

static void on_lost(GDBusConnection *bus, const gchar *name, gpointer portal)
{
	((Portal *)portal)->lost = TRUE;
}

static void on_changed(WpvSchemeMonitor *monitor, Portal *portal)
{
	portal->n_changed++;
}

static void wait_for(const guint *value, guint at_least)
{
	while (*value < at_least)
		g_main_context_iteration(NULL, TRUE);
}

/* A call of it is answered by nobody else than this program: its answer comes from the loop. */
static void test_follows_portal(GDBusConnection *bus, Portal *portal)
{
	g_autoptr(WpvSchemeMonitor) monitor = wpv_scheme_monitor_new();

	g_signal_connect(monitor, "changed", G_CALLBACK(on_changed), portal);
	g_assert_false(wpv_scheme_monitor_is_dark(monitor));
	wait_for(&portal->n_changed, 1);
	g_assert_true(wpv_scheme_monitor_is_dark(monitor));
	/* Later on it tells when that changes. */
	g_assert_true(g_dbus_connection_emit_signal(
		bus, NULL, PATH, SETTINGS, "SettingChanged",
		g_variant_new("(ssv)", GROUP, KEY, g_variant_new_uint32(2)), NULL));
	wait_for(&portal->n_changed, 2);
	g_assert_false(wpv_scheme_monitor_is_dark(monitor));
	/* Of other settings nothing. */
	g_assert_true(g_dbus_connection_emit_signal(
		bus, NULL, PATH, SETTINGS, "SettingChanged",
		g_variant_new("(ssv)", GROUP, "accent-color", g_variant_new_uint32(1)), NULL));
	g_assert_true(g_dbus_connection_emit_signal(
		bus, NULL, PATH, SETTINGS, "SettingChanged",
		g_variant_new("(ssv)", GROUP, KEY, g_variant_new_uint32(1)), NULL));
	wait_for(&portal->n_changed, 3);
	g_assert_cmpuint(portal->n_changed, ==, 3);
	g_assert_true(wpv_scheme_monitor_is_dark(monitor));
}

static void test_portal(void)
{
	static const GDBusInterfaceVTable table = {.method_call = on_call};
	g_autofree gchar *daemon = g_find_program_in_path("dbus-daemon");
	g_autofree gchar *display = g_strdup(g_getenv("DISPLAY"));
	g_autoptr(GTestDBus) test_bus = NULL;
	g_autoptr(GDBusNodeInfo) node = NULL;
	g_autoptr(GError) error = NULL;
	GDBusConnection *bus;
	Portal portal = {.scheme = 1};
	guint owner;

	if (!daemon) {
		g_test_skip("no dbus-daemon");
		return;
	}
	test_bus = g_test_dbus_new(G_TEST_DBUS_NONE);
	g_test_dbus_up(test_bus);
	/* Which it takes away, lest a bus be found by way of it. */
	if (display)
		g_setenv("DISPLAY", display, TRUE);
	if (!gtk_init_check()) {
		g_test_dbus_down(test_bus);
		g_test_skip("no display");
		return;
	}
	bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, &error);
	g_assert_no_error(error);
	node = g_dbus_node_info_new_for_xml(interface_xml, &error);
	g_assert_no_error(error);
	g_dbus_connection_register_object(bus, PATH, node->interfaces[0], &table, &portal, NULL,
					  &error);
	g_assert_no_error(error);
	owner = g_bus_own_name_on_connection(bus, PORTAL, G_BUS_NAME_OWNER_FLAGS_NONE, on_owned,
					     on_lost, &portal, NULL);
	while (!portal.owned && !portal.lost)
		g_main_context_iteration(NULL, TRUE);
	g_assert_true(portal.owned);
	test_follows_portal(bus, &portal);
	g_bus_unown_name(owner);
	g_dbus_connection_set_exit_on_close(bus, FALSE);
	g_object_unref(bus);
	/* GTK keeps the connection: it is stopped, and not waited for. */
	g_test_dbus_stop(test_bus);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/viewer/scheme/portal", test_portal);
	return g_test_run();
}
