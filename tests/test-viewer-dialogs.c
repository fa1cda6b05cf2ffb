/* SPDX-License-Identifier: MIT */
/*
 * test-viewer-dialogs.c: choosing the path, and what the window offers besides: menus, dialogs,
 * files, the clipboard.
 */
#include "config.h"

#include <string.h>

#include <gdk/x11/gdkx.h>
#include <glib/gstdio.h>

#include "tests/lib/viewer-cases.h"
#include "viewer/view/wpv-ruler.h"

/* ---- which path ---- */

static gboolean lists_one_task(Driver *driver, gpointer data)
{
	GtkWidget *button = wpv_window_get_part(driver->window, "task_button");
	GtkWidget *popover = GTK_WIDGET(gtk_menu_button_get_popover(GTK_MENU_BUTTON(button)));

	return driver_find(popover, "front (201) @ hostb") &&
	       !driver_find(popover, "client (183) @ hosta");
}

static void test_choose_task(Driver *driver)
{
	GtkWidget *button = wpv_window_get_part(driver->window, "task_button");
	guint32 host;

	driver_point(driver, button, 20, 10);
	driver_do(driver, "click 1");
	driver_do(driver, "type --delay 5 front");
	driver_wait(driver, lists_one_task, NULL, "one task");
	driver_do(driver, "key Return");
	g_assert_cmpuint(case_asked_task(driver, &host), ==, 0);
	g_assert_cmpuint(host, ==, SAMPLE_HOSTB);
}

static void choose_window(Driver *driver, gchar letter)
{
	driver_point(driver, wpv_window_get_part(driver->window, "window_button"), 20, 10);
	driver_do(driver, "click 1");
	driver_do(driver, "key %c", letter);
}

static const WpvQuestion *question(Driver *driver)
{
	return wpv_answer_get_question(wpv_session_get_answer(driver->session));
}

static void test_choose_window(Driver *driver)
{
	wpv_session_set_selection(driver->session, AT(30), AT(95));
	choose_window(driver, 's');
	g_assert_cmpint(question(driver)->begin, ==, AT(30));
	g_assert_cmpint(question(driver)->end, ==, AT(95));
	wpv_session_show(driver->session, AT(0), AT(50), WPV_STEP_ALONE);
	choose_window(driver, 'v');
	g_assert_cmpint(question(driver)->begin, ==, AT(0));
	g_assert_cmpint(question(driver)->end, ==, AT(50));
	choose_window(driver, 'c');
	g_assert_cmpint(question(driver)->mode, ==, WP_PATH_CAUSAL);
	choose_window(driver, 'e');
	g_assert_cmpint(question(driver)->mode, ==, WP_PATH_ACTIVE);
	choose_window(driver, 'l');
	g_assert_cmpint(question(driver)->end, ==, AT(100));
}

static void test_compare_ranges(Driver *driver)
{
	GtkWidget *pane = GTK_WIDGET(wpv_window_get_breakdown(driver->window));
	const WpvBreakdown *breakdown;
	const WpvBreakdownRow *row;

	/* back runs for 10 of the first 20 ms, and for 20 of the next. */
	wpv_session_set_selection(driver->session, AT(12), AT(32));
	driver_settle(driver);
	driver_point(driver, driver_find(pane, "Keep to Compare"), 5, 5);
	driver_do(driver, "click 1");
	wpv_session_set_selection(driver->session, AT(32), AT(52));
	driver_settle(driver);
	breakdown = wpv_breakdown_pane_get(wpv_window_get_breakdown(driver->window));
	g_assert_true(breakdown->compared);
	/* The greatest change first: front, which had 8 ms of the one and none of the other. */
	row = &g_array_index(breakdown->rows, WpvBreakdownRow, 0);
	g_assert_cmpint(ABS(row->time - row->other), ==, 8 * MS);
	g_assert_nonnull(driver_find(pane, "Change"));
	driver_point(driver, driver_find(pane, "Stop Comparing"), 5, 5);
	driver_do(driver, "click 1");
	breakdown = wpv_breakdown_pane_get(wpv_window_get_breakdown(driver->window));
	g_assert_false(breakdown->compared);
}

static void test_breakdown_by_state(Driver *driver)
{
	GtkWidget *pane = GTK_WIDGET(wpv_window_get_breakdown(driver->window));
	GtkWidget *by = driver_find(pane, "Task");
	const WpvBreakdown *breakdown;

	g_assert_nonnull(by);
	driver_point(driver, by, 5, 5);
	driver_do(driver, "click 1");
	driver_do(driver, "key Down key Return");
	breakdown = wpv_breakdown_pane_get(wpv_window_get_breakdown(driver->window));
	g_assert_cmpint(breakdown->by, ==, WPV_BY_STATE);
	g_assert_cmpstr(g_array_index(breakdown->rows, WpvBreakdownRow, 0).name, ==, "running");
	/* A line leads to the first segment of its kind. */
	driver_point(driver, driver_find(pane, "running"), 5, 5);
	driver_do(driver, "click 1");
	case_assert_item(driver, SAMPLE_HOSTA, SAMPLE_CLIENT, 0, 10);
	wpv_breakdown_pane_set_by(wpv_window_get_breakdown(driver->window), WPV_BY_TASK);
}

static gboolean has_requests(Driver *driver, gpointer data)
{
	return !wpv_requests_is_running(
		wpv_requests_pane_get(wpv_window_get_requests(driver->window)));
}

static void choose_pane(Driver *driver, const gchar *name)
{
	driver_point(driver, driver_find(GTK_WIDGET(driver->window), name), 5, 5);
	driver_do(driver, "click 1");
}

static void test_open_request(Driver *driver)
{
	g_autofree gchar *path = g_test_build_filename(G_TEST_DIST, "..", "traces", "samples",
						       "tier3", NULL);
	GtkWidget *pane = GTK_WIDGET(wpv_window_get_requests(driver->window));
	WpvRequests *requests = wpv_requests_pane_get(WPV_REQUESTS_PANE(pane));
	g_autoptr(WpvRequestItem) slowest = NULL;
	g_autofree gchar *most = NULL;

	driver_load(driver, path, "hosta:cli-fe");
	choose_pane(driver, "Requests");
	driver_wait(driver, has_requests, NULL, "requests");
	driver_settle(driver);
	g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(requests)), >, 0);
	slowest = g_list_model_get_item(G_LIST_MODEL(requests), 0);
	most = wpv_request_item_dup_most(slowest);
	driver_point(driver, driver_find(pane, most), 5, 5);
	driver_do(driver, "click 1");
	g_assert_cmpint(question(driver)->begin, ==, wpv_request_item_get_question(slowest)->begin);
	g_assert_cmpint(question(driver)->end, ==, wpv_request_item_get_question(slowest)->end);
}

/* ---- the window ---- */

static gboolean help_is_shown(Driver *driver, gpointer data)
{
	GtkShortcutsWindow *help = gtk_application_window_get_help_overlay(
		GTK_APPLICATION_WINDOW(driver->window));

	return help && gtk_widget_get_visible(GTK_WIDGET(help)) == GPOINTER_TO_INT(data);
}

static void test_shortcuts_window(Driver *driver)
{
	GtkShortcutsWindow *help = gtk_application_window_get_help_overlay(
		GTK_APPLICATION_WINDOW(driver->window));

	driver_do(driver, "key ctrl+question");
	driver_wait(driver, help_is_shown, GINT_TO_POINTER(TRUE), "the window of keys");
	gtk_window_close(GTK_WINDOW(help));
	driver_wait(driver, help_is_shown, GINT_TO_POINTER(FALSE), "its end");
	driver_focus(driver, GTK_WIDGET(driver->canvas));
	driver_do(driver, "key question");
	driver_wait(driver, help_is_shown, GINT_TO_POINTER(TRUE), "the window of keys");
	gtk_window_close(GTK_WINDOW(help));
	driver_wait(driver, help_is_shown, GINT_TO_POINTER(FALSE), "its end");
}

static gboolean get_flag(Driver *driver, const gchar *action)
{
	g_autoptr(GVariant)
		state = g_action_group_get_action_state(G_ACTION_GROUP(driver->window), action);

	return g_variant_get_boolean(state);
}

static void test_full_screen(Driver *driver)
{
	/* Without a window manager nothing grows; that it was asked for can be seen. */
	driver_do(driver, "key F11");
	g_assert_true(get_flag(driver, "fullscreen"));
	gtk_window_unfullscreen(GTK_WINDOW(driver->window));
}

static void test_dark(Driver *driver)
{
	WpvStyle *style = wpv_session_get_style(driver->session);
	gboolean dark;

	g_assert_false(wpv_style_get_dark(style));
	case_choose_in_menu(driver, "ad");
	g_assert_true(wpv_style_get_dark(style));
	g_object_get(gtk_settings_get_default(), "gtk-application-prefer-dark-theme", &dark, NULL);
	g_assert_true(dark);
	case_choose_in_menu(driver, "al");
	g_assert_false(wpv_style_get_dark(style));
}

static void test_ruler_of_day(Driver *driver)
{
	WpvRuler *ruler = WPV_RULER(wpv_window_get_part(driver->window, "ruler"));

	case_choose_in_menu(driver, "at");
	g_assert_true(wpv_ruler_get_absolute(ruler));
	case_choose_in_menu(driver, "at");
	g_assert_false(wpv_ruler_get_absolute(ruler));
}

static void test_highlight(Driver *driver)
{
	driver_point(driver, driver_find(GTK_WIDGET(driver->window), "Highlight"), 5, 5);
	driver_do(driver, "click 1");
	g_assert_false(wpv_session_get_highlight(driver->session));
	driver_do(driver, "click 1");
	g_assert_true(wpv_session_get_highlight(driver->session));
}

static void on_text(GObject *source, GAsyncResult *result, gpointer data)
{
	*(gchar **)data = gdk_clipboard_read_text_finish(GDK_CLIPBOARD(source), result, NULL);
}

static gchar *clipboard_text(Driver *driver)
{
	gchar *text = NULL;

	gdk_clipboard_read_text_async(gtk_widget_get_clipboard(GTK_WIDGET(driver->window)), NULL,
				      on_text, &text);
	while (!text)
		g_main_context_iteration(NULL, TRUE);
	return text;
}

static void test_copy(Driver *driver)
{
	g_autofree gchar *answer = NULL;
	g_autofree gchar *time = NULL;
	g_autofree gchar *row = NULL;

	driver_do(driver, "key ctrl+shift+c");
	answer = clipboard_text(driver);
	g_assert_cmpstr(answer, ==,
			wpv_answer_get_sentence(wpv_session_get_answer(driver->session)));
	wpv_session_select_at(driver->session, wpv_row_key_thread(SAMPLE_HOSTA, SAMPLE_CLIENT),
			      AT(50));
	/* From the menu of the row, which the menu key opens. */
	driver_focus(driver, GTK_WIDGET(driver->canvas));
	driver_do(driver, "key Menu");
	driver_do(driver, "key t");
	time = clipboard_text(driver);
	g_assert_cmpstr(time, ==, "1772442049050000000");
	driver_focus(driver, GTK_WIDGET(driver->canvas));
	driver_do(driver, "key Menu");
	driver_do(driver, "key c");
	row = clipboard_text(driver);
	g_assert_nonnull(strstr(row, "+0.010000000\t80.0 ms\twaiting for the network\tclient 183"));
}

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

static void test_links_of_answer(Driver *driver)
{
	GtkWidget *sentence = wpv_window_get_part(driver->window, "sentence");
	const gchar *markup = gtk_label_get_label(GTK_LABEL(sentence));
	gboolean followed = FALSE;

	g_assert_nonnull(strstr(markup, "<a href=\"row:2:0\">back@hostc</a>"));
	g_signal_emit_by_name(sentence, "activate-link", "row:2:0", &followed);
	g_assert_true(followed);
	case_assert_item(driver, SAMPLE_HOSTC, 0, 20, 21);
	driver_point(driver, driver_find(GTK_WIDGET(driver->window), "Why"), 5, 5);
	driver_do(driver, "click 1");
	case_assert_item(driver, SAMPLE_HOSTC, 0, 22, 78);
}

int main(int argc, char **argv)
{
	static const DriverCase cases[] = {
		{"shortcuts-window", test_shortcuts_window},
		{"full-screen", test_full_screen},
		{"dark", test_dark},
		{"copy", test_copy},
		{"links-of-answer", test_links_of_answer},
		{"ruler-of-day", test_ruler_of_day},
		{"highlight", test_highlight},
		{"choose-task", test_choose_task},
		{"choose-window", test_choose_window},
		{"compare-ranges", test_compare_ranges},
		{"breakdown-by-state", test_breakdown_by_state},
		{"open-request", test_open_request},
		{"export", test_export},
		{"open-recent", test_open_recent},
		{"open-by-dialog", test_open_by_dialog},
		{"drag-and-drop", test_drag_and_drop},
		{"edit-colour", test_edit_colour},
	};

	return case_run(argc, argv, "dialogs", cases, G_N_ELEMENTS(cases));
}
