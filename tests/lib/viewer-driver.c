/* SPDX-License-Identifier: MIT */
/* viewer-driver.c: see viewer-driver.h. */
#include "config.h"

#include <gdk/x11/gdkx.h>

#include "tests/lib/sample-graph.h"
#include "tests/lib/viewer-driver.h"

/* Longer than the slowest machine under the slowest checker takes for anything. */
#define PATIENCE (120 * G_USEC_PER_SEC)

gchar *driver_make_home(void)
{
	static const gchar *const names[] = {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME",
					     "XDG_CACHE_HOME"};
	gchar *home = g_dir_make_tmp("waitpath-test-XXXXXX", NULL);

	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		g_setenv(names[i], home, TRUE);
	return home;
}

void driver_remove_home(const gchar *home)
{
	g_autofree gchar *command = g_strdup_printf("rm -rf '%s'", home);

	g_assert_true(g_spawn_command_line_sync(command, NULL, NULL, NULL, NULL));
}

gboolean driver_can_run(gboolean events)
{
	g_autofree gchar *tool = g_find_program_in_path("xdotool");

	/* No session bus: there may be none, and one that goes away takes its clients along. */
	g_setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", TRUE);
	/* Dialogs keep their settings, which needs it, or memory. */
	g_setenv("GSETTINGS_BACKEND", "memory", TRUE);
	if (!gtk_init_check()) {
		g_test_skip("no display");
		return FALSE;
	}
	if (events && (!tool || !GDK_IS_X11_DISPLAY(gdk_display_get_default()))) {
		g_test_skip("no xdotool, or no X display");
		return FALSE;
	}
	return TRUE;
}

void driver_wait(Driver *driver, DriverFunc condition, gpointer data, const gchar *what)
{
	gint64 end = g_get_monotonic_time() + PATIENCE;

	while (!condition(driver, data)) {
		if (g_get_monotonic_time() > end)
			g_error("waited in vain for: %s", what);
		if (!g_main_context_iteration(NULL, FALSE))
			g_usleep(1000);
	}
}

static gboolean count_frames(GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
	(*(guint *)data)++;
	return G_SOURCE_CONTINUE;
}

static gboolean have_frame(Driver *driver, gpointer data)
{
	return *(guint *)data >= 2;
}

/* The next tick may be the end of a frame that had begun before: the second is a whole one later. */
static void wait_for_frame(Driver *driver)
{
	guint frames = 0, id;

	id = gtk_widget_add_tick_callback(GTK_WIDGET(driver->window), count_frames, &frames, NULL);
	driver_wait(driver, have_frame, &frames, "frames");
	gtk_widget_remove_tick_callback(GTK_WIDGET(driver->window), id);
}

static gboolean is_settled(Driver *driver, gpointer data)
{
	return wpv_window_is_settled(driver->window);
}

/* Events are handled with frames; what they set going is awaited; that is drawn. */
void driver_settle(Driver *driver)
{
	wait_for_frame(driver);
	while (g_main_context_iteration(NULL, FALSE))
		;
	if (is_settled(driver, NULL))
		return;
	driver_wait(driver, is_settled, NULL, "a settled window");
	wait_for_frame(driver);
}

static gboolean is_mapped(Driver *driver, gpointer data)
{
	return gtk_widget_get_mapped(GTK_WIDGET(driver->window)) &&
	       gtk_widget_get_width(GTK_WIDGET(driver->window)) > 0;
}

Driver *driver_new(void)
{
	Driver *driver = g_new0(Driver, 1);
	g_autoptr(GError) error = NULL;

	/* A jump in time is a jump. */
	g_object_set(gtk_settings_get_default(), "gtk-enable-animations", FALSE, NULL);
	/* One for all: a process has one name on the bus. */
	driver->application = (WpvApplication *)g_application_get_default();
	if (!driver->application) {
		driver->application = wpv_application_new(NULL);
		g_application_register(G_APPLICATION(driver->application), NULL, &error);
		g_assert_no_error(error);
	}
	driver->window = wpv_window_new(GTK_APPLICATION(driver->application), FALSE);
	driver->session = wpv_window_get_session(driver->window);
	driver->canvas = wpv_window_get_canvas(driver->window);
	wpv_window_set_scheme(driver->window, WPV_SCHEME_LIGHT);
	gtk_window_set_default_size(GTK_WINDOW(driver->window), 1200, 700);
	gtk_window_present(GTK_WINDOW(driver->window));
	driver_wait(driver, is_mapped, NULL, "a window");
	return driver;
}

static void graph_free(gpointer graph)
{
	wp_graph_free(graph);
}

void driver_show_sample(Driver *driver)
{
	WpGraph *graph = wp_sample_graph_new();
	g_autoptr(WpvDocument) document = wpv_document_new("sample", graph, graph->findings, NULL,
							   graph, graph_free);
	WpvQuestion question = {SAMPLE_HOSTA, SAMPLE_CLIENT, SAMPLE_AT(0), SAMPLE_AT(100),
				WP_PATH_ACTIVE};
	WpvRowFilter filter = {0};

	wpv_session_set_filter(driver->session, &filter);
	wpv_session_set_dimmed(driver->session, 0);
	wpv_session_set_arrows(driver->session, WPV_ARROWS_PATH);
	wpv_session_set_row_height(driver->session, WPV_ROW_HEIGHT_DEFAULT);
	gtk_widget_activate_action(GTK_WIDGET(driver->window), "win.show-pane", "s", "breakdown");
	wpv_window_show_document(driver->window, document, &question);
	driver_settle(driver);
	driver_focus(driver, GTK_WIDGET(driver->canvas));
	driver_settle(driver);
}

static gboolean is_loaded(Driver *driver, gpointer data)
{
	GtkStack *pages = GTK_STACK(wpv_window_get_part(driver->window, "pages"));

	return !g_str_equal(gtk_stack_get_visible_child_name(pages), "loading") &&
	       wpv_window_is_settled(driver->window);
}

void driver_load(Driver *driver, const gchar *path, const gchar *task)
{
	WpvWanted wanted = {.task = task};
	g_autoptr(WpvLoader) loader = NULL;
	WpOptions options;

	wp_options_init(&options);
	g_ptr_array_add(options.traces, g_strdup(path));
	options.task = g_strdup(task);
	loader = wpv_loader_new(&options, &wanted);
	wpv_window_load(driver->window, loader);
	driver_wait(driver, is_loaded, NULL, "traces");
	driver_settle(driver);
}

static gboolean has_gone(Driver *driver, gpointer data)
{
	return driver->window == NULL;
}

void driver_free(Driver *driver)
{
	if (!driver)
		return;
	g_object_add_weak_pointer(G_OBJECT(driver->window), (gpointer *)&driver->window);
	gtk_window_destroy(GTK_WINDOW(driver->window));
	driver_wait(driver, has_gone, NULL, "the window's end: somebody keeps it");
	g_free(driver);
}

/* ---- events ---- */

static void spawn(const gchar *line)
{
	g_autoptr(GError) error = NULL;
	g_autofree gchar *command = g_strdup_printf("xdotool %s", line);
	gint status;

	g_spawn_command_line_sync(command, NULL, NULL, &status, &error);
	g_assert_no_error(error);
	g_spawn_check_wait_status(status, &error);
	g_assert_no_error(error);
}

void driver_do(Driver *driver, const gchar *format, ...)
{
	g_autofree gchar *line = NULL;
	va_list args;

	va_start(args, format);
	line = g_strdup_vprintf(format, args);
	va_end(args);
	spawn(line);
	/* The server has handled all before it answers this: then they are in our queue. */
	gdk_display_sync(gdk_display_get_default());
	driver_settle(driver);
}

/* A popover has a surface of its own, placed relative to its parent's. */
static void screen_position(Driver *driver, GtkWidget *widget, gdouble x, gdouble y, gint *ret_x,
			    gint *ret_y)
{
	GtkNative *native = gtk_widget_get_native(widget);
	graphene_point_t point;
	gdouble dx, dy;

	g_assert_true(gtk_widget_compute_point(widget, GTK_WIDGET(native),
					       &GRAPHENE_POINT_INIT((float)x, (float)y), &point));
	gtk_native_get_surface_transform(native, &dx, &dy);
	*ret_x = (gint)(point.x + (float)dx);
	*ret_y = (gint)(point.y + (float)dy);
	for (GdkSurface *surface = gtk_native_get_surface(native); GDK_IS_POPUP(surface);
	     surface = gdk_popup_get_parent(GDK_POPUP(surface))) {
		*ret_x += gdk_popup_get_position_x(GDK_POPUP(surface));
		*ret_y += gdk_popup_get_position_y(GDK_POPUP(surface));
	}
}

void driver_point(Driver *driver, GtkWidget *widget, gdouble x, gdouble y)
{
	gint screen_x, screen_y;

	screen_position(driver, widget, x, y, &screen_x, &screen_y);
	driver_do(driver, "mousemove %d %d", screen_x, screen_y);
}

gdouble driver_x(Driver *driver, WpTime time)
{
	WpvViewport viewport;

	wpv_canvas_get_viewport(driver->canvas, &viewport);
	return wpv_viewport_x(&viewport, time);
}

void driver_point_at(Driver *driver, WpTime time, guint row)
{
	gint height = wpv_session_get_row_height(driver->session);

	driver_point(driver, GTK_WIDGET(driver->canvas), driver_x(driver, time),
		     (row + 0.5) * height);
}

void driver_drag(Driver *driver, guint button, gint dx, gint dy)
{
	/* In steps, as a hand does it: a drag begins only beyond some pixels. */
	driver_do(driver, "mousedown %u", button);
	driver_do(driver, "mousemove_relative -- %d %d", dx / 2, dy / 2);
	driver_do(driver, "mousemove_relative -- %d %d", dx - dx / 2, dy - dy / 2);
	driver_do(driver, "mouseup %u", button);
}

static gboolean has_focus(Driver *driver, gpointer widget)
{
	return gtk_widget_has_focus(widget) && gtk_window_is_active(GTK_WINDOW(driver->window));
}

static gboolean is_past(Driver *driver, gpointer end)
{
	return g_get_monotonic_time() > *(gint64 *)end;
}

void driver_rest(Driver *driver)
{
	gint time;
	gint64 end;

	g_object_get(gtk_settings_get_default(), "gtk-double-click-time", &time, NULL);
	end = g_get_monotonic_time() + (time + 100) * 1000;
	driver_wait(driver, is_past, &end, "time to pass");
}

void driver_focus(Driver *driver, GtkWidget *widget)
{
	GdkSurface *surface = gtk_native_get_surface(GTK_NATIVE(driver->window));
	g_autofree gchar *tool = g_find_program_in_path("xdotool");

	if (!GDK_IS_X11_SURFACE(surface) || !tool)
		return;
	gtk_widget_grab_focus(widget);
	driver_do(driver, "windowfocus %lu", gdk_x11_surface_get_xid(surface));
	driver_wait(driver, has_focus, widget, "the focus");
}

static GtkWidget *other_window(Driver *driver)
{
	GListModel *windows = gtk_window_get_toplevels();

	for (guint i = 0; i < g_list_model_get_n_items(windows); i++) {
		g_autoptr(GtkWidget) window = g_list_model_get_item(windows, i);

		if (window != GTK_WIDGET(driver->window) && gtk_widget_get_mapped(window) &&
		    gtk_widget_get_width(window) > 0)
			return window;
	}
	return NULL;
}

static gboolean has_other_window(Driver *driver, gpointer data)
{
	return other_window(driver) != NULL;
}

GtkWidget *driver_dialog(Driver *driver)
{
	GtkWidget *window;

	driver_wait(driver, has_other_window, NULL, "a dialog");
	window = other_window(driver);
	driver_settle(driver);
	driver_do(driver, "windowfocus %lu",
		  gdk_x11_surface_get_xid(gtk_native_get_surface(GTK_NATIVE(window))));
	return window;
}

GtkWidget *driver_find(GtkWidget *widget, const gchar *text)
{
	const gchar *shown = NULL;

	if (GTK_IS_LABEL(widget))
		shown = gtk_label_get_text(GTK_LABEL(widget));
	if (shown && g_str_equal(shown, text) && gtk_widget_get_mapped(widget))
		return widget;
	for (GtkWidget *child = gtk_widget_get_first_child(widget); child;
	     child = gtk_widget_get_next_sibling(child)) {
		GtkWidget *found = driver_find(child, text);

		if (found)
			return found;
	}
	return NULL;
}

/* ---- cases ---- */

typedef struct {
	DriverCaseFunc func;
	gboolean events;
	Driver **driver; /* borrowed: shared by all cases */
} Case;

static void run_case(gconstpointer data)
{
	const Case *c = data;

	if (!driver_can_run(c->events))
		return;
	if (!*c->driver)
		*c->driver = driver_new();
	driver_show_sample(*c->driver);
	c->func(*c->driver);
}

void driver_add_case(Driver **driver, gboolean events, const gchar *path, DriverCaseFunc func)
{
	Case *c = g_new(Case, 1);

	*c = (Case){func, events, driver};
	g_test_add_data_func_full(path, c, run_case, g_free);
}
