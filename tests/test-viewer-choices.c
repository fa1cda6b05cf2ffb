/* SPDX-License-Identifier: MIT */
/*
 * test-viewer-choices.c: choosing the path and how it is shown, with menus and keys; the links of
 * the answer, the clipboard, the window of shortcuts.
 */
#include "config.h"

#include <string.h>

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
	};

	return case_run(argc, argv, "choices", cases, G_N_ELEMENTS(cases));
}
