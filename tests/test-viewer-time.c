/* SPDX-License-Identifier: MIT */
/*
 * test-viewer-time.c: moving in time and among the rows with keys, buttons and wheel: the
 * real event, and what it does to the session. Of the execution of sample-graph.h 100 ms are
 * visible.
 */
#include "config.h"

#include "tests/lib/viewer-cases.h"

/* ---- zooming ---- */

static void test_zoom_at_pointer(Driver *driver)
{
	driver_point_at(driver, AT(30), ROW_CLIENT);
	driver_do(driver, "keydown ctrl click 4 keyup ctrl");
	case_assert_near(case_visible_width(driver), (WpTime)(100 * MS / 1.3), 2);
	/* What was under the pointer still is. */
	case_assert_near(case_visible_begin(driver), AT(30) - (WpTime)(30 * MS / 1.3),
			 case_tolerance(driver));
	driver_do(driver, "keydown ctrl click 5 click 5 keyup ctrl");
	case_assert_visible(driver, AT(0), 100 * MS);
}

static void test_zoom_keys(Driver *driver)
{
	driver_point_at(driver, AT(60), ROW_CLIENT);
	driver_do(driver, "key w");
	case_assert_near(case_visible_width(driver), (WpTime)(100 * MS / 1.5), 2);
	case_assert_near(case_visible_begin(driver), AT(60) - (WpTime)(60 * MS / 1.5),
			 case_tolerance(driver));
	driver_do(driver, "key s");
	case_assert_near(case_visible_width(driver), 100 * MS, 2);

	/* At what is selected: the middle of 10 to 30. */
	wpv_session_set_selection(driver->session, AT(10), AT(30));
	driver_do(driver, "key plus");
	case_assert_visible(driver, AT(10), 50 * MS);
	driver_do(driver, "key minus");
	case_assert_visible(driver, AT(0), 100 * MS);
}

static void test_zoom_to_range(Driver *driver)
{
	wpv_session_set_selection(driver->session, AT(20), AT(45));
	driver_do(driver, "key z");
	case_assert_visible(driver, AT(20), 25 * MS);
	driver_do(driver, "key BackSpace");
	case_assert_visible(driver, AT(0), 100 * MS);

	/* With the button in it. */
	wpv_session_set_selection(driver->session, AT(30), AT(70));
	driver_settle(driver);
	driver_point(driver, driver_find(GTK_WIDGET(driver->window), "Zoom Here"), 5, 5);
	driver_do(driver, "click 1");
	case_assert_visible(driver, AT(30), 40 * MS);
	driver_do(driver, "key BackSpace");
	/* With the right button, without a menu at its end. */
	driver_point_at(driver, AT(40), ROW_CLIENT);
	driver_drag(driver, 3, (gint)(driver_x(driver, AT(60)) - driver_x(driver, AT(40))), 0);
	case_assert_near(case_visible_begin(driver), AT(40), 150 * WP_NS_PER_US);
	case_assert_near(case_visible_width(driver), 20 * MS, 300 * WP_NS_PER_US);
}

static void test_everything_and_back(Driver *driver)
{
	GtkWidget *ruler = wpv_window_get_part(driver->window, "ruler");

	wpv_session_show(driver->session, AT(20), AT(30), WPV_STEP_ALONE);
	driver_point(driver, ruler, 300, 10);
	driver_do(driver, "click --repeat 2 --delay 30 1");
	case_assert_visible(driver, AT(0), 100 * MS);
	driver_do(driver, "key BackSpace");
	case_assert_visible(driver, AT(20), 10 * MS);
	driver_do(driver, "key ctrl+Home");
	case_assert_visible(driver, AT(0), 100 * MS);
	driver_do(driver, "key BackSpace key BackSpace key BackSpace");
	case_assert_visible(driver, AT(0), 100 * MS);
}

static void test_undo(Driver *driver)
{
	wpv_session_show(driver->session, AT(20), AT(30), WPV_STEP_ALONE);
	case_show_all_tasks(driver);
	driver_do(driver, "key alt+Left");
	g_assert_false(wpv_session_get_filter(driver->session)->all_tasks);
	case_assert_visible(driver, AT(20), 10 * MS);
	driver_do(driver, "key alt+Left");
	case_assert_visible(driver, AT(0), 100 * MS);
	driver_do(driver, "key alt+Right key alt+Right");
	g_assert_true(wpv_session_get_filter(driver->session)->all_tasks);
	case_assert_visible(driver, AT(20), 10 * MS);
}

/* ---- panning ---- */

static void test_pan_keys(Driver *driver)
{
	wpv_session_show(driver->session, AT(40), AT(60), WPV_STEP_ALONE);
	driver_do(driver, "key d");
	case_assert_visible(driver, AT(45), 20 * MS);
	driver_do(driver, "key a key a");
	case_assert_visible(driver, AT(35), 20 * MS);
}

static void note_begin(WpvSession *session, guint what, GArray *begins)
{
	WpTime begin, end;

	wpv_session_get_visible(session, &begin, &end);
	if (what & WPV_CHANGED_VISIBLE)
		g_array_append_val(begins, begin);
}

static gboolean have_ten(Driver *driver, gpointer begins)
{
	return ((GArray *)begins)->len >= 10;
}

/* The server repeats a key that is held; each turn goes at least as far as the one before. */
static void test_pan_accelerates(Driver *driver)
{
	g_autoptr(GArray) begins = g_array_new(FALSE, FALSE, sizeof(WpTime));
	WpTime first, last;

	wpv_session_show(driver->session, AT(0), AT(0) + MS, WPV_STEP_ALONE);
	g_signal_connect(driver->session, "changed", G_CALLBACK(note_begin), begins);
	driver_do(driver, "keydown d");
	driver_wait(driver, have_ten, begins, "ten repeats of a key");
	driver_do(driver, "keyup d");
	g_signal_handlers_disconnect_by_data(driver->session, begins);
	first = g_array_index(begins, WpTime, 1) - g_array_index(begins, WpTime, 0);
	last = g_array_index(begins, WpTime, 9) - g_array_index(begins, WpTime, 8);
	g_assert_cmpint(last, >, first);
	/* The next press is a step of the usual size. */
	wpv_session_show(driver->session, AT(40), AT(60), WPV_STEP_ALONE);
	driver_do(driver, "key d");
	case_assert_visible(driver, AT(45), 20 * MS);
}

static void test_pan_by_mouse(Driver *driver)
{
	gint quarter = gtk_widget_get_width(GTK_WIDGET(driver->canvas)) / 4;

	wpv_session_show(driver->session, AT(40), AT(60), WPV_STEP_ALONE);
	driver_point_at(driver, AT(50), ROW_CLIENT);
	driver_do(driver, "keydown shift click 5 keyup shift");
	case_assert_visible(driver, AT(42), 20 * MS);
	driver_do(driver, "keydown shift click 4 keyup shift");
	case_assert_visible(driver, AT(40), 20 * MS);
	driver_drag(driver, 2, quarter, 0);
	case_assert_near(case_visible_begin(driver), AT(35), 2 * case_tolerance(driver));
	driver_do(driver, "keydown ctrl");
	driver_drag(driver, 1, -quarter, 0);
	driver_do(driver, "keyup ctrl");
	case_assert_near(case_visible_begin(driver), AT(40), 2 * case_tolerance(driver));
	g_assert_cmpint(case_visible_width(driver), ==, 20 * MS);
}

/* ---- rows ---- */

static gdouble scrolled(Driver *driver)
{
	GtkAdjustment *adjustment;
	gdouble value;

	g_object_get(driver->canvas, "vadjustment", &adjustment, NULL);
	value = gtk_adjustment_get_value(adjustment);
	g_object_unref(adjustment);
	return value;
}

static void test_scroll_rows(Driver *driver)
{
	case_show_all_tasks(driver);
	wpv_session_set_row_height(driver->session, WPV_ROW_HEIGHT_MAX);
	driver_settle(driver);
	driver_point_at(driver, AT(50), 1);
	driver_do(driver, "click 5");
	g_assert_cmpfloat(scrolled(driver), >, 0);
	driver_do(driver, "click 4");
	g_assert_cmpfloat(scrolled(driver), ==, 0);
	driver_do(driver, "key Page_Down");
	g_assert_cmpfloat(scrolled(driver), >, WPV_ROW_HEIGHT_MAX);
	driver_do(driver, "key Page_Up");
	g_assert_cmpfloat(scrolled(driver), ==, 0);
	/* The names go along. */
	driver_point(driver, wpv_window_get_part(driver->window, "header"), 60, 60);
	driver_do(driver, "click 5");
	g_assert_cmpfloat(scrolled(driver), >, 0);
}

static void test_row_height(Driver *driver)
{
	driver_point_at(driver, AT(50), ROW_CLIENT);
	driver_do(driver, "keydown ctrl keydown shift click 4 click 4 keyup shift keyup ctrl");
	g_assert_cmpint(wpv_session_get_row_height(driver->session), ==,
			WPV_ROW_HEIGHT_DEFAULT + 4);
	driver_do(driver, "keydown ctrl keydown shift click 5 keyup shift keyup ctrl");
	g_assert_cmpint(wpv_session_get_row_height(driver->session), ==,
			WPV_ROW_HEIGHT_DEFAULT + 2);
	driver_do(driver, "key ctrl+0");
	g_assert_cmpint(wpv_session_get_row_height(driver->session), ==, WPV_ROW_HEIGHT_DEFAULT);
}

static void test_open_and_close_rows(Driver *driver)
{
	WpvRowList *rows = wpv_session_get_rows(driver->session);
	GtkWidget *header = wpv_window_get_part(driver->window, "header");

	/* The arrow of the first row. */
	driver_point(driver, header, 11, WPV_ROW_HEIGHT_DEFAULT / 2);
	driver_do(driver, "click 1");
	g_assert_false(wpv_row_list_get(rows, 0)->expanded);
	g_assert_cmpuint(wpv_row_list_get_n(rows), ==, 5);
	driver_focus(driver, GTK_WIDGET(driver->canvas));
	driver_do(driver, "key asterisk");
	g_assert_cmpuint(wpv_row_list_get_n(rows), ==, 6);
	driver_do(driver, "key Home key space");
	g_assert_false(wpv_row_list_get(rows, 0)->expanded);
	driver_do(driver, "key space");
	g_assert_true(wpv_row_list_get(rows, 0)->expanded);
}

static void test_rows_by_key(Driver *driver)
{
	const WpvItem *item = wpv_session_get_item(driver->session);

	wpv_session_set_cursor(driver->session, AT(50));
	driver_do(driver, "key Home");
	g_assert_cmpuint(item->row.kind, ==, WPV_ROW_HOST);
	driver_do(driver, "key Down");
	case_assert_item(driver, SAMPLE_HOSTA, SAMPLE_CLIENT, 10, 90);
	driver_do(driver, "key End");
	case_assert_item(driver, SAMPLE_HOSTC, 0, 22, 78);
	driver_do(driver, "key Up key Up");
	case_assert_item(driver, SAMPLE_HOSTB, 0, 20, 80);
}

static void test_filter_rows(Driver *driver)
{
	GtkWidget *entry = wpv_window_get_part(driver->window, "filter");
	WpvRowList *rows = wpv_session_get_rows(driver->session);

	driver_focus(driver, GTK_WIDGET(driver->canvas));
	gtk_widget_grab_focus(entry);
	/* Letters are letters there, and no keys of the timeline. */
	driver_do(driver, "type --delay 5 dampz");
	g_assert_cmpstr(gtk_editable_get_text(GTK_EDITABLE(entry)), ==, "dampz");
	case_assert_visible(driver, AT(0), 100 * MS);
	driver_do(driver, "key ctrl+a key f");
	while (g_strcmp0(wpv_session_get_filter(driver->session)->text, "f") != 0)
		g_main_context_iteration(NULL, TRUE);
	/* hosta, hostb with front, hostc. */
	g_assert_cmpuint(wpv_row_list_get_n(rows), ==, 4);
	driver_do(driver, "key BackSpace");
	while (*wpv_session_get_filter(driver->session)->text)
		g_main_context_iteration(NULL, TRUE);
	/* The switch beside it. */
	driver_point(driver, driver_find(GTK_WIDGET(driver->window), "All"), 5, 5);
	driver_do(driver, "click 1");
	g_assert_true(wpv_session_get_filter(driver->session)->all_tasks);
	g_assert_cmpuint(wpv_row_list_get_n(rows), ==, 11);
}

static void test_pin(Driver *driver)
{
	WpvRowList *rows = wpv_session_get_rows(driver->session);

	/* From the menu of the row, by keys. */
	driver_point_at(driver, AT(50), ROW_BACK);
	driver_do(driver, "click 3");
	GtkWidget *pin = driver_find(GTK_WIDGET(driver->canvas), "Pin or Unpin Row");

	g_assert_nonnull(pin);
	driver_do(driver, "key i");
	g_assert_true(wpv_row_list_get(rows, 0)->pinned);
	g_assert_cmpuint(wpv_row_list_get(rows, 0)->key.host, ==, SAMPLE_HOSTC);
	/* It stays on top while the others are scrolled, and is hit there. */
	case_show_all_tasks(driver);
	wpv_session_set_row_height(driver->session, WPV_ROW_HEIGHT_MAX);
	driver_settle(driver);
	driver_point_at(driver, AT(50), 0);
	driver_do(driver, "click --repeat 9 --delay 5 5");
	g_assert_cmpfloat(scrolled(driver), >=, WPV_ROW_HEIGHT_MAX);
	driver_do(driver, "click 1");
	case_assert_item(driver, SAMPLE_HOSTC, 0, 22, 78);
	driver_point(driver, wpv_window_get_part(driver->window, "header"), 60, 10);
	driver_do(driver, "click 1");
	g_assert_cmpuint(wpv_session_get_item(driver->session)->row.host, ==, SAMPLE_HOSTC);
	/* From the other menu, of the name, it goes. */
	driver_do(driver, "click 3");
	driver_do(driver, "key i");
	g_assert_false(wpv_row_list_get(rows, 0)->pinned);
}

static guint count_rows(Driver *driver, WpvRowKind kind)
{
	WpvRowList *rows = wpv_session_get_rows(driver->session);
	guint n = 0;

	for (guint i = 0; i < wpv_row_list_get_n(rows); i++)
		n += wpv_row_list_get(rows, i)->key.kind == kind;
	return n;
}

static void test_further_rows(Driver *driver)
{
	g_assert_cmpuint(count_rows(driver, WPV_ROW_KERNEL), ==, 0);
	case_choose_in_menu(driver, "rk");
	g_assert_cmpuint(count_rows(driver, WPV_ROW_KERNEL), ==, 1);
	case_choose_in_menu(driver, "rc");
	g_assert_cmpuint(count_rows(driver, WPV_ROW_CPU), >, 2);
	g_assert_cmpuint(count_rows(driver, WPV_ROW_INTERRUPTS), ==, 0);
	case_choose_in_menu(driver, "ri");
	g_assert_cmpuint(count_rows(driver, WPV_ROW_INTERRUPTS), >, 0);
	case_choose_in_menu(driver, "rc");
	g_assert_cmpuint(count_rows(driver, WPV_ROW_CPU), ==, 0);
}

static void test_filter_by_window(Driver *driver)
{
	guint n;

	case_show_all_tasks(driver);
	n = wpv_row_list_get_n(wpv_session_get_rows(driver->session));
	/* The daemon, the pool's idle thread and others stay in one state from 60 to 70. */
	wpv_session_show(driver->session, AT(60), AT(70), WPV_STEP_ALONE);
	case_choose_in_menu(driver, "ro");
	g_assert_true(wpv_session_get_filter(driver->session)->only_active);
	g_assert_cmpuint(wpv_row_list_get_n(wpv_session_get_rows(driver->session)), <, n);
	case_choose_in_menu(driver, "ro");
	case_choose_in_menu(driver, "re");
	g_assert_true(wpv_session_get_filter(driver->session)->hide_empty);
}

static gchar *name_of_row(Driver *driver, guint place)
{
	WpvRowList *rows = wpv_session_get_rows(driver->session);

	return wpv_document_dup_row_name(wpv_session_get_document(driver->session),
					 wpv_row_list_get(rows, place)->key);
}

static void test_sort(Driver *driver)
{
	g_autofree gchar *by_share = NULL;
	g_autofree gchar *by_id = NULL;

	case_show_all_tasks(driver);
	by_share = name_of_row(driver, 1);
	g_assert_cmpstr(by_share, ==, "client 183");
	case_choose_in_menu(driver, "rd");
	by_id = name_of_row(driver, 1);
	g_assert_cmpint(wpv_session_get_filter(driver->session)->sort, ==, WPV_SORT_ID);
	g_assert_cmpstr(by_id, !=, "client 183");
	case_choose_in_menu(driver, "rs");
	g_assert_cmpint(wpv_session_get_filter(driver->session)->sort, ==, WPV_SORT_SHARE);
}

int main(int argc, char **argv)
{
	static const DriverCase cases[] = {
		{"zoom-at-pointer", test_zoom_at_pointer},
		{"zoom-keys", test_zoom_keys},
		{"zoom-to-range", test_zoom_to_range},
		{"everything-and-back", test_everything_and_back},
		{"undo", test_undo},
		{"pan-keys", test_pan_keys},
		{"pan-accelerates", test_pan_accelerates},
		{"pan-by-mouse", test_pan_by_mouse},
		{"scroll-rows", test_scroll_rows},
		{"row-height", test_row_height},
		{"open-and-close-rows", test_open_and_close_rows},
		{"rows-by-key", test_rows_by_key},
		{"filter-rows", test_filter_rows},
		{"pin", test_pin},
		{"further-rows", test_further_rows},
		{"filter-by-window", test_filter_by_window},
		{"sort", test_sort},
	};

	return case_run(argc, argv, "time", cases, G_N_ELEMENTS(cases));
}
