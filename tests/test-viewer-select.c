/* SPDX-License-Identifier: MIT */
/*
 * test-viewer-select.c: choosing ranges, segments and marks with keys and buttons, looking for
 * things, and what the panes tell of what is chosen.
 */
#include "config.h"

#include <string.h>

#include "tests/lib/viewer-cases.h"

/* ---- ranges ---- */

static void assert_selection(Driver *driver, WpTime begin, WpTime end, WpTime within)
{
	WpTime b, e;

	g_assert_true(wpv_session_get_selection(driver->session, &b, &e));
	case_assert_near(b, begin, within);
	case_assert_near(e, end, within);
}

static void test_select_range(Driver *driver)
{
	gint width = (gint)(driver_x(driver, AT(55)) - driver_x(driver, AT(25)));

	driver_point_at(driver, AT(25), ROW_CLIENT);
	driver_drag(driver, 1, width, 0);
	assert_selection(driver, AT(25), AT(55), 2 * case_tolerance(driver));
	/* With Alt to borders: from the client's at 10 to the one at 91. */
	driver_point_at(driver, AT(10) + MS / 2, ROW_CLIENT);
	driver_do(driver, "keydown alt");
	driver_drag(driver, 1, (gint)(driver_x(driver, AT(91)) - driver_x(driver, AT(10))), 0);
	driver_do(driver, "keyup alt");
	assert_selection(driver, AT(10), AT(91), 0);
	/* On the ruler and on the band as well. */
	driver_point(driver, wpv_window_get_part(driver->window, "ruler"), driver_x(driver, AT(60)),
		     10);
	driver_drag(driver, 1, (gint)(driver_x(driver, AT(70)) - driver_x(driver, AT(60))), 0);
	assert_selection(driver, AT(60), AT(70), 2 * case_tolerance(driver));
	driver_do(driver, "key Escape");
	WpTime begin, end;

	g_assert_false(wpv_session_get_selection(driver->session, &begin, &end));
}

static void test_extend_range(Driver *driver)
{
	wpv_session_set_selection(driver->session, AT(20), AT(30));
	driver_point_at(driver, AT(70), ROW_CLIENT);
	driver_do(driver, "keydown shift click 1 keyup shift");
	assert_selection(driver, AT(20), AT(70), case_tolerance(driver));
	/* By a key to the next border on the selected row: the worker waits from 50 to the end. */
	wpv_session_set_selection(driver->session, AT(20), AT(70));
	wpv_session_select_at(driver->session, wpv_row_key_thread(SAMPLE_HOSTA, SAMPLE_POOL_WORKER),
			      AT(60));
	driver_do(driver, "key shift+Right");
	assert_selection(driver, AT(20), AT(100), 0);
	driver_do(driver, "key shift+Left");
	assert_selection(driver, AT(20), AT(50), 0);
}

/* ---- segments ---- */

static void test_select_segment(Driver *driver)
{
	GtkWidget *details = wpv_window_get_part(driver->window, "details_box");
	GtkWidget *focus;

	driver_point_at(driver, AT(50), ROW_BACK);
	driver_do(driver, "click 1");
	case_assert_item(driver, SAMPLE_HOSTC, 0, 22, 78);
	g_assert_nonnull(driver_find(details, "back 305 on hostc"));
	driver_do(driver, "key Return");
	focus = gtk_window_get_focus(GTK_WINDOW(driver->window));
	g_assert_true(gtk_widget_is_ancestor(focus, details));
	/* On the band: the task that the path is on. */
	driver_point(driver, wpv_window_get_part(driver->window, "band"), driver_x(driver, AT(15)),
		     10);
	driver_do(driver, "click 1");
	case_assert_item(driver, SAMPLE_HOSTB, 0, 12, 20);
}

static void test_step_segments(Driver *driver)
{
	wpv_session_select_at(driver->session, wpv_row_key_thread(SAMPLE_HOSTA, SAMPLE_CLIENT),
			      AT(50));
	driver_do(driver, "key Right");
	case_assert_item(driver, SAMPLE_HOSTA, SAMPLE_CLIENT, 90, 91);
	driver_do(driver, "key Left key Left");
	case_assert_item(driver, SAMPLE_HOSTA, SAMPLE_CLIENT, 0, 10);
}

static void test_walk_along_path(Driver *driver)
{
	wpv_session_select_at(driver->session, WPV_ROW_KEY_NONE, AT(15));
	driver_do(driver, "key bracketright");
	g_assert_cmpuint(wpv_session_get_item(driver->session)->row.host, ==, SAMPLE_HOSTC);
	driver_do(driver, "key bracketleft");
	case_assert_item(driver, SAMPLE_HOSTB, 0, 12, 20);
}

static gboolean has_index(Driver *driver, gpointer data)
{
	return wpv_session_get_arrow_index(driver->session) != NULL;
}

static void test_follow_arrows(Driver *driver)
{
	wpv_session_set_arrows(driver->session, WPV_ARROWS_ALL);
	driver_wait(driver, has_index, NULL, "an index of arrows");
	wpv_session_select_at(driver->session, wpv_row_key_thread(SAMPLE_HOSTA, SAMPLE_KWORKER),
			      AT(31));
	driver_do(driver, "key ctrl+bracketright");
	g_assert_cmpuint(wpv_session_get_item(driver->session)->row.id, ==, SAMPLE_POOL_WORKER);
	driver_do(driver, "key ctrl+bracketleft");
	case_assert_item(driver, SAMPLE_HOSTA, SAMPLE_KWORKER, 30, 34);
}

static void test_path_of_task(Driver *driver)
{
	guint32 host;

	driver_point_at(driver, AT(50), ROW_FRONT);
	driver_do(driver, "click 1 key p");
	case_asked_task(driver, &host);
	g_assert_cmpuint(host, ==, SAMPLE_HOSTB);
	/* Of that path too all three rows are there. */
	driver_point_at(driver, AT(50), ROW_BACK);
	driver_rest(driver);
	driver_do(driver, "click --repeat 2 --delay 30 1");
	case_asked_task(driver, &host);
	g_assert_cmpuint(host, ==, SAMPLE_HOSTC);
	/* Over the selected range, from the menu of the row. */
	wpv_session_set_selection(driver->session, AT(5), AT(60));
	driver_point(driver, wpv_window_get_part(driver->window, "header"), 60,
		     1.5 * WPV_ROW_HEIGHT_DEFAULT);
	driver_do(driver, "click 3");
	g_assert_nonnull(driver_find(wpv_window_get_part(driver->window, "header"),
				     "Critical Path of This Task"));
	driver_do(driver, "key p");
	g_assert_cmpuint(case_asked_task(driver, &host), ==, SAMPLE_CLIENT);
	g_assert_cmpuint(host, ==, SAMPLE_HOSTA);
	g_assert_cmpint(wpv_answer_get_question(wpv_session_get_answer(driver->session))->end, ==,
			AT(60));
}

static void test_arrows_on_and_off(Driver *driver)
{
	WpvPainter *painter = wpv_canvas_get_painter(driver->canvas);

	g_assert_cmpuint(wpv_painter_get_n_arrows(painter, NULL), ==, 4);
	driver_do(driver, "key ctrl+j");
	g_assert_cmpint(wpv_session_get_arrows(driver->session), ==, WPV_ARROWS_NONE);
	g_assert_cmpuint(wpv_painter_get_n_arrows(painter, NULL), ==, 0);
	driver_do(driver, "key ctrl+j");
	g_assert_cmpuint(wpv_painter_get_n_arrows(painter, NULL), ==, 4);
	/* The button below the timeline. */
	driver_point(driver, driver_find(GTK_WIDGET(driver->window), "Arrows"), 5, 5);
	driver_do(driver, "click 1");
	g_assert_cmpuint(wpv_painter_get_n_arrows(painter, NULL), ==, 0);
	driver_do(driver, "click 1");
	g_assert_cmpuint(wpv_painter_get_n_arrows(painter, NULL), ==, 4);
	/* And all of them, which is a menu's. */
	case_choose_in_menu(driver, "ra");
	g_assert_true(wpv_session_get_filter(driver->session)->all_tasks);
	case_choose_in_menu(driver, "wa");
	g_assert_cmpint(wpv_session_get_arrows(driver->session), ==, WPV_ARROWS_ALL);
	case_choose_in_menu(driver, "wp");
	g_assert_cmpint(wpv_session_get_arrows(driver->session), ==, WPV_ARROWS_PATH);
}

/* ---- marks ---- */

static void test_markers(Driver *driver)
{
	GtkLabel *status = GTK_LABEL(wpv_window_get_part(driver->window, "status"));
	WpTime a, b;

	driver_point_at(driver, AT(20), ROW_CLIENT);
	driver_do(driver, "key m");
	driver_point_at(driver, AT(70), ROW_CLIENT);
	driver_do(driver, "key shift+m");
	g_assert_true(wpv_session_get_marker(driver->session, 0, &a));
	g_assert_true(wpv_session_get_marker(driver->session, 1, &b));
	case_assert_near(a, AT(20), case_tolerance(driver));
	case_assert_near(b, AT(70), case_tolerance(driver));
	g_assert_nonnull(strstr(gtk_label_get_text(status), "B\342\210\222A 5"));
}

static void test_bookmarks(Driver *driver)
{
	const GArray *bookmarks = wpv_session_get_bookmarks(driver->session);

	driver_point_at(driver, AT(40), ROW_CLIENT);
	driver_do(driver, "key ctrl+b");
	driver_do(driver, "type --delay 5 here");
	driver_do(driver, "key Return");
	g_assert_cmpuint(bookmarks->len, ==, 1);
	g_assert_cmpstr(g_array_index(bookmarks, WpvBookmark, 0).name, ==, "here");
	case_assert_near(g_array_index(bookmarks, WpvBookmark, 0).time, AT(40),
			 case_tolerance(driver));
	/* The menu leads to it. */
	wpv_session_show(driver->session, AT(60), AT(70), WPV_STEP_ALONE);
	case_choose_in_menu(driver, "g");
	driver_do(driver, "key Down key Return");
	case_assert_near(case_visible_begin(driver), AT(35), case_tolerance(driver) + MS);
	g_assert_cmpint(case_visible_width(driver), ==, 10 * MS);
	/* Once more at the same place it is named anew; without a name it goes. */
	driver_focus(driver, GTK_WIDGET(driver->canvas));
	driver_point_at(driver, g_array_index(bookmarks, WpvBookmark, 0).time, ROW_CLIENT);
	driver_do(driver, "key ctrl+b");
	driver_do(driver, "type --delay 5 there");
	driver_do(driver, "key Return");
	g_assert_cmpuint(bookmarks->len, ==, 1);
	g_assert_cmpstr(g_array_index(bookmarks, WpvBookmark, 0).name, ==, "there");
	driver_focus(driver, GTK_WIDGET(driver->canvas));
	driver_do(driver, "key ctrl+b");
	driver_do(driver, "key ctrl+a key BackSpace");
	driver_do(driver, "key Return");
	g_assert_cmpuint(bookmarks->len, ==, 0);
}

/* ---- looking for things ---- */

static gboolean on_back(Driver *driver, gpointer data)
{
	return wpv_session_get_item(driver->session)->row.host == SAMPLE_HOSTC;
}

static gboolean counts_matches(Driver *driver, gpointer text)
{
	GtkWidget *bar = wpv_window_get_part(driver->window, "search_bar");

	return driver_find(bar, text) != NULL;
}

static void test_search(Driver *driver)
{
	GtkSearchBar *bar = GTK_SEARCH_BAR(wpv_window_get_part(driver->window, "search_bar"));

	driver_do(driver, "key ctrl+f");
	g_assert_true(gtk_search_bar_get_search_mode(bar));
	driver_do(driver, "type --delay 5 pool");
	driver_wait(driver, counts_matches, (gpointer) "3 matches", "three matches");
	driver_do(driver, "key Return");
	g_assert_cmpuint(wpv_session_get_item(driver->session)->row.id, ==, SAMPLE_POOL);
	driver_do(driver, "key Return");
	g_assert_cmpuint(wpv_session_get_item(driver->session)->row.id, ==, SAMPLE_POOL_WORKER);
	driver_do(driver, "key shift+Return");
	g_assert_cmpuint(wpv_session_get_item(driver->session)->row.id, ==, SAMPLE_POOL);
	driver_do(driver, "key Escape");
	g_assert_false(gtk_search_bar_get_search_mode(bar));

	driver_focus(driver, GTK_WIDGET(driver->canvas));
	driver_do(driver, "key slash");
	g_assert_true(gtk_search_bar_get_search_mode(bar));
	driver_do(driver, "type --delay 5 back");
	driver_wait(driver, counts_matches, (gpointer) "3 matches", "matches");
	driver_do(driver, "key Return");
	driver_wait(driver, on_back, NULL, "back");
}

static gboolean count_queries(GSignalInvocationHint *hint, guint n_values, const GValue *values,
			      gpointer count)
{
	*(guint *)count += WPV_IS_CANVAS(g_value_get_object(&values[0]));
	return TRUE;
}

static gboolean was_queried(Driver *driver, gpointer count)
{
	return *(guint *)count > 0;
}

/* What it says is tested with the model; here, that resting the pointer asks for it. */
static void test_tooltip(Driver *driver)
{
	guint count = 0, signal = g_signal_lookup("query-tooltip", GTK_TYPE_WIDGET);
	gulong hook = g_signal_add_emission_hook(signal, 0, count_queries, &count, NULL);

	driver_point_at(driver, AT(50), ROW_BACK);
	driver_do(driver, "mousemove_relative 1 0");
	driver_wait(driver, was_queried, &count, "a tooltip");
	g_signal_remove_emission_hook(signal, hook);
}

static void test_legend(Driver *driver)
{
	GtkWidget *button = wpv_window_get_part(driver->window, "legend_button");
	GtkWidget *running;

	driver_point(driver, button, 20, 10);
	driver_do(driver, "click 1");
	running = driver_find(button, "running");
	g_assert_nonnull(running);
	driver_point(driver, running, 5, 5);
	driver_do(driver, "click 1");
	g_assert_cmpuint(wpv_session_get_dimmed(driver->session), ==, 1u << WP_STATE_RUNNING);
	driver_do(driver, "click 1");
	g_assert_cmpuint(wpv_session_get_dimmed(driver->session), ==, 0);
	driver_do(driver, "key Escape");
}

/* ---- overview and panes ---- */

static void test_overview(Driver *driver)
{
	GtkWidget *overview = wpv_window_get_part(driver->window, "overview");
	gint width = gtk_widget_get_width(overview);

	wpv_session_show(driver->session, AT(40), AT(60), WPV_STEP_ALONE);
	/* By its middle, by its left edge, by its right one. */
	driver_point(driver, overview, width * 0.5, 10);
	driver_drag(driver, 1, width / 5, 0);
	case_assert_near(case_visible_begin(driver), AT(60), 300 * WP_NS_PER_US);
	g_assert_cmpint(case_visible_width(driver), ==, 20 * MS);
	wpv_session_show(driver->session, AT(40), AT(60), WPV_STEP_ALONE);
	driver_point(driver, overview, width * 0.4, 10);
	driver_drag(driver, 1, -width / 5, 0);
	case_assert_near(case_visible_begin(driver), AT(20), 300 * WP_NS_PER_US);
	case_assert_near(case_visible_width(driver), 40 * MS, 300 * WP_NS_PER_US);
	driver_point(driver, overview, width * 0.6, 10);
	driver_drag(driver, 1, width / 5, 0);
	case_assert_near(case_visible_width(driver), 60 * MS, 600 * WP_NS_PER_US);
	/* Beside it: a click brings it there. */
	wpv_session_show(driver->session, AT(0), AT(20), WPV_STEP_ALONE);
	driver_point(driver, overview, width * 0.7, 10);
	driver_do(driver, "click 1");
	case_assert_near(case_visible_begin(driver), AT(60), 300 * WP_NS_PER_US);
}

static void test_aggregates_of_selection(Driver *driver)
{
	const WpvBreakdown *breakdown;

	driver_point_at(driver, AT(25), ROW_CLIENT);
	driver_drag(driver, 1, (gint)(driver_x(driver, AT(75)) - driver_x(driver, AT(25))), 0);
	breakdown = wpv_breakdown_pane_get(wpv_window_get_breakdown(driver->window));
	/* In it there is nothing but back. */
	g_assert_cmpuint(breakdown->rows->len, ==, 1);
	g_assert_cmpstr(g_array_index(breakdown->rows, WpvBreakdownRow, 0).name, ==,
			"back 305 @ hostc");
	case_assert_near(breakdown->time, 50 * MS, 2 * case_tolerance(driver));
	/* And so with the flame graph, on its tip. */
	g_assert_cmpint(wpv_flame_view_get(wpv_window_get_flame(driver->window))->time, ==,
			breakdown->time);
}

static void test_linked_table(Driver *driver)
{
	WpvSegmentsPane *pane = wpv_window_get_segments(driver->window);
	GtkWidget *cell;

	/* F6 goes there and back. */
	driver_do(driver, "key F6");
	g_assert_true(gtk_widget_get_mapped(GTK_WIDGET(pane)));
	g_assert_false(gtk_widget_has_focus(GTK_WIDGET(driver->canvas)));
	cell = driver_find(GTK_WIDGET(pane), "front 201");
	g_assert_nonnull(cell);
	driver_point(driver, cell, 5, 5);
	driver_do(driver, "click 1");
	g_assert_cmpuint(wpv_session_get_item(driver->session)->row.host, ==, SAMPLE_HOSTB);
	driver_do(driver, "key Down");
	g_assert_cmpuint(wpv_session_get_item(driver->session)->piece, >, 1);
	driver_do(driver, "key F6");
	g_assert_true(gtk_widget_has_focus(GTK_WIDGET(driver->canvas)));
}

static void test_linked_flame(Driver *driver)
{
	GtkWidget *flame = GTK_WIDGET(wpv_window_get_flame(driver->window));
	gint width;

	gtk_widget_activate_action(GTK_WIDGET(driver->window), "win.show-pane", "s", "flame");
	driver_settle(driver);
	width = gtk_widget_get_width(flame);
	/* The third level begins with back. */
	driver_point(driver, flame, width * 0.2, 50);
	driver_do(driver, "click 1");
	g_assert_cmpuint(wpv_session_get_item(driver->session)->row.host, ==, SAMPLE_HOSTC);
	g_assert_cmpint(wpv_session_get_item(driver->session)->begin, ==, AT(20));
	g_assert_cmpuint(wpv_flame_view_get_zoomed(WPV_FLAME_VIEW(flame)), !=, WP_NONE);
	driver_do(driver, "key Up key Return");
	g_assert_cmpuint(wpv_session_get_item(driver->session)->row.host, ==, SAMPLE_HOSTB);
	driver_do(driver, "key Escape");
	g_assert_cmpuint(wpv_flame_view_get_zoomed(WPV_FLAME_VIEW(flame)), ==, WP_NONE);
}

int main(int argc, char **argv)
{
	static const DriverCase cases[] = {
		{"select-range", test_select_range},
		{"extend-range", test_extend_range},
		{"select-segment", test_select_segment},
		{"step-segments", test_step_segments},
		{"walk-along-path", test_walk_along_path},
		{"follow-arrows", test_follow_arrows},
		{"path-of-task", test_path_of_task},
		{"arrows-on-and-off", test_arrows_on_and_off},
		{"markers", test_markers},
		{"bookmarks", test_bookmarks},
		{"search", test_search},
		{"tooltip", test_tooltip},
		{"legend", test_legend},
		{"overview", test_overview},
		{"aggregates-of-selection", test_aggregates_of_selection},
		{"linked-table", test_linked_table},
		{"linked-flame", test_linked_flame},
	};

	return case_run(argc, argv, "select", cases, G_N_ELEMENTS(cases));
}
