/* SPDX-License-Identifier: MIT */
/*
 * test-viewer-dialogs.c: what goes by dialogs of GTK, or between programs: opening, exporting, a
 * dropped folder, a colour.
 */
#include "config.h"

#include <string.h>

#include <gdk/x11/gdkx.h>
#include <glib/gstdio.h>

#include "tests/lib/viewer-cases.h"

static gboolean file_is_there(Driver *driver, gpointer path)
{
	g_autofree gchar *text = NULL;
	gsize length = 0;

	return g_file_get_contents(path, &text, &length, NULL) && length > 100;
}

/* Writes the view to a file that is named in the dialog. */
static gchar *export_to(Driver *driver, gchar letter, const gchar *name)
{
	g_autofree gchar *folder = g_dir_make_tmp("waitpath-test-XXXXXX", NULL);
	g_autofree gchar *path = g_build_filename(folder, name, NULL);
	const gchar letters[] = {letter, 0};
	gchar *text = NULL;

	case_choose_in_menu(driver, letters);
	driver_dialog(driver);
	driver_do(driver, "key ctrl+a type --delay 5 %s", path);
	driver_do(driver, "key Return");
	driver_wait(driver, file_is_there, path, "a file");
	g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
	g_unlink(path);
	g_rmdir(folder);
	return text;
}

static void test_export(Driver *driver)
{
	g_autofree gchar *svg = export_to(driver, 'v', "view.svg");
	g_autofree gchar *png = export_to(driver, 'n', "view.png");

	g_assert_nonnull(strstr(svg, "<svg"));
	g_assert_true(g_str_has_prefix(png, "\211PNG"));
}

static gboolean shows_tier3(Driver *driver, gpointer data)
{
	return wpv_session_get_document(driver->session) &&
	       g_str_equal(wpv_document_get_title(wpv_session_get_document(driver->session)),
			   "tier3") &&
	       wpv_window_is_settled(driver->window);
}

static gchar *tier3_path(void)
{
	g_autofree gchar *path = g_test_build_filename(G_TEST_DIST, "..", "traces", "samples",
						       "tier3", NULL);

	return g_canonicalize_filename(path, NULL);
}

static void test_open_recent(Driver *driver)
{
	GtkWidget *button = wpv_window_get_part(driver->window, "recent_button");
	g_autofree gchar *path = tier3_path();

	driver_load(driver, path, NULL);
	driver_show_sample(driver);
	g_assert_false(shows_tier3(driver, NULL));
	driver_point(driver, button, 8, 8);
	driver_do(driver, "click 1");
	driver_point(
		driver,
		driver_find(GTK_WIDGET(gtk_menu_button_get_popover(GTK_MENU_BUTTON(button))), path),
		5, 5);
	driver_do(driver, "click 1");
	driver_wait(driver, shows_tier3, NULL, "what was open before");
}

static void test_open_by_dialog(Driver *driver)
{
	g_autofree gchar *path = tier3_path();

	driver_do(driver, "key ctrl+o");
	driver_dialog(driver);
	/* A slash begins a path. */
	driver_do(driver, "type --delay 10 %s", path);
	driver_do(driver, "key Return");
	driver_wait(driver, shows_tier3, NULL, "what was chosen");
}

static GdkContentProvider *on_prepare(GtkDragSource *source, gdouble x, gdouble y, gpointer path)
{
	g_autoptr(GFile) file = g_file_new_for_path(path);
	GSList list = {file, NULL};
	GValue value = G_VALUE_INIT;
	GdkContentProvider *provider;

	g_value_init(&value, GDK_TYPE_FILE_LIST);
	g_value_set_boxed(&value, &list);
	provider = gdk_content_provider_new_for_value(&value);
	g_value_unset(&value);
	return provider;
}

/* From another window, below the viewer's, as from a file manager. */
static void test_drag_and_drop(Driver *driver)
{
	g_autofree gchar *path = tier3_path();
	GtkWidget *window = gtk_window_new(), *label = gtk_label_new("tier3");
	GtkDragSource *source = gtk_drag_source_new();
	GtkWidget *other;

	gtk_widget_add_controller(label, GTK_EVENT_CONTROLLER(source));
	g_signal_connect(source, "prepare", G_CALLBACK(on_prepare), path);
	gtk_window_set_child(GTK_WINDOW(window), label);
	gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
	gtk_window_set_default_size(GTK_WINDOW(window), 200, 100);
	gtk_window_present(GTK_WINDOW(window));
	other = driver_dialog(driver);
	g_assert_true(other == window);
	driver_do(driver, "windowmove --sync %lu 100 800",
		  gdk_x11_surface_get_xid(gtk_native_get_surface(GTK_NATIVE(window))));
	driver_do(driver, "mousemove 200 850");
	driver_do(driver, "mousedown 1");
	for (gint y = 840; y >= 300; y -= 60)
		driver_do(driver, "mousemove 300 %d", y);
	driver_do(driver, "mousemove 310 300");
	driver_do(driver, "mouseup 1");
	driver_wait(driver, shows_tier3, NULL, "what was dropped");
	gtk_window_destroy(GTK_WINDOW(window));
}

static GtkWidget *find_type(GtkWidget *widget, const gchar *type)
{
	if (g_str_equal(G_OBJECT_TYPE_NAME(widget), type) && gtk_widget_get_mapped(widget))
		return widget;
	for (GtkWidget *child = gtk_widget_get_first_child(widget); child;
	     child = gtk_widget_get_next_sibling(child)) {
		GtkWidget *found = find_type(child, type);

		if (found)
			return found;
	}
	return NULL;
}

static void test_edit_colour(Driver *driver)
{
	WpvStyle *style = wpv_session_get_style(driver->session);
	GtkWidget *button = wpv_window_get_part(driver->window, "legend_button"), *dialog;

	driver_point(driver, button, 20, 10);
	driver_do(driver, "click 1");
	/* Beside its name. */
	driver_point(driver,
		     gtk_widget_get_prev_sibling(gtk_widget_get_parent(
			     driver_find(button, wp_state_words(WP_STATE_RUNNING)))),
		     10, 10);
	driver_do(driver, "click 1");
	dialog = driver_dialog(driver);
	driver_point(driver, find_type(dialog, "GtkColorSwatch"), 10, 10);
	driver_do(driver, "click 1");
	driver_point(driver, driver_find(dialog, "Select"), 5, 5);
	driver_do(driver, "click 1");
	g_assert_nonnull(wpv_style_get_own_colour(style, WP_STATE_RUNNING));
	/* And back. */
	driver_focus(driver, GTK_WIDGET(driver->canvas));
	driver_point(driver, button, 20, 10);
	if (!driver_find(button, "Reset"))
		driver_do(driver, "click 1");
	driver_point(driver, driver_find(button, "Reset"), 5, 5);
	driver_do(driver, "click 1");
	g_assert_null(wpv_style_get_own_colour(style, WP_STATE_RUNNING));
	driver_do(driver, "key Escape");
}

int main(int argc, char **argv)
{
	static const DriverCase cases[] = {
		{"export", test_export},
		{"open-recent", test_open_recent},
		{"open-by-dialog", test_open_by_dialog},
		{"drag-and-drop", test_drag_and_drop},
		{"edit-colour", test_edit_colour},
	};

	return case_run(argc, argv, "dialogs", cases, G_N_ELEMENTS(cases));
}
