/* SPDX-License-Identifier: MIT */
/*
 * test-viewer-input.c: every way to use the timeline with keys, buttons and wheel: the real
 * event, and what it does to the session. On the execution of sample-graph.h, of which 100 ms
 * are visible.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include <gdk/x11/gdkx.h>
#include <glib/gstdio.h>

#include "tests/lib/sample-graph.h"
#include "tests/lib/viewer-driver.h"
#include "viewer/view/wpv-ruler.h"

#define MS SAMPLE_MS
#define AT(ms) SAMPLE_AT(ms)
/* Places of rows at first: hosta, client, hostb, front, hostc, back. */
enum { ROW_CLIENT = 1, ROW_FRONT = 3, ROW_BACK = 5 };

/* ns of a pixel and a half: as exact as a pointer can be. */
static WpTime tolerance(Driver *driver)
{
	WpTime begin, end;

	wpv_session_get_visible(driver->session, &begin, &end);
	return (end - begin) * 3 / 2 / gtk_widget_get_width(GTK_WIDGET(driver->canvas)) + 1;
}

static void assert_near(WpTime value, WpTime expected, WpTime within)
{
	g_assert_cmpint(value, >=, expected - within);
	g_assert_cmpint(value, <=, expected + within);
}

static WpTime visible_begin(Driver *driver)
{
	WpTime begin, end;

	wpv_session_get_visible(driver->session, &begin, &end);
	return begin;
}

static WpTime visible_width(Driver *driver)
{
	WpTime begin, end;

	wpv_session_get_visible(driver->session, &begin, &end);
	return end - begin;
}

static void assert_visible(Driver *driver, WpTime begin, WpTime width)
{
	g_assert_cmpint(visible_begin(driver), ==, begin);
	g_assert_cmpint(visible_width(driver), ==, width);
}

static void assert_item(Driver *driver, guint32 host, WpId task, gint begin, gint end)
{
	const WpvItem *item = wpv_session_get_item(driver->session);

	g_assert_cmpuint(item->row.kind, ==, WPV_ROW_THREAD);
	g_assert_cmpuint(item->row.host, ==, host);
	g_assert_cmpuint(item->row.id, ==, task);
	g_assert_cmpint(item->begin, ==, AT(begin));
	g_assert_cmpint(item->end, ==, AT(end));
}

static void show_all_tasks(Driver *driver)
{
	WpvRowFilter filter = {.all_tasks = TRUE};

	wpv_session_set_filter(driver->session, &filter);
	driver_settle(driver);
}

/* ---- zooming ---- */

static void test_zoom_at_pointer(Driver *driver)
{
	driver_point_at(driver, AT(30), ROW_CLIENT);
	driver_do(driver, "keydown ctrl click 4 keyup ctrl");
	assert_near(visible_width(driver), (WpTime)(100 * MS / 1.3), 2);
	/* What was under the pointer still is. */
	assert_near(visible_begin(driver), AT(30) - (WpTime)(30 * MS / 1.3), tolerance(driver));
	driver_do(driver, "keydown ctrl click 5 click 5 keyup ctrl");
	assert_visible(driver, AT(0), 100 * MS);
}

static void test_zoom_keys(Driver *driver)
{
	driver_point_at(driver, AT(60), ROW_CLIENT);
	driver_do(driver, "key w");
	assert_near(visible_width(driver), (WpTime)(100 * MS / 1.5), 2);
	assert_near(visible_begin(driver), AT(60) - (WpTime)(60 * MS / 1.5), tolerance(driver));
	driver_do(driver, "key s");
	assert_near(visible_width(driver), 100 * MS, 2);

	/* At what is selected: the middle of 10 to 30. */
	wpv_session_set_selection(driver->session, AT(10), AT(30));
	driver_do(driver, "key plus");
	assert_visible(driver, AT(10), 50 * MS);
	driver_do(driver, "key minus");
	assert_visible(driver, AT(0), 100 * MS);
}

static void test_zoom_to_range(Driver *driver)
{
	wpv_session_set_selection(driver->session, AT(20), AT(45));
	driver_do(driver, "key z");
	assert_visible(driver, AT(20), 25 * MS);
	driver_do(driver, "key BackSpace");
	assert_visible(driver, AT(0), 100 * MS);

	/* With the button in it. */
	wpv_session_set_selection(driver->session, AT(30), AT(70));
	driver_settle(driver);
	driver_point(driver, driver_find(GTK_WIDGET(driver->window), "Zoom Here"), 5, 5);
	driver_do(driver, "click 1");
	assert_visible(driver, AT(30), 40 * MS);
	driver_do(driver, "key BackSpace");
	/* With the right button, without a menu at its end. */
	driver_point_at(driver, AT(40), ROW_CLIENT);
	driver_drag(driver, 3, (gint)(driver_x(driver, AT(60)) - driver_x(driver, AT(40))), 0);
	assert_near(visible_begin(driver), AT(40), 150 * WP_NS_PER_US);
	assert_near(visible_width(driver), 20 * MS, 300 * WP_NS_PER_US);
}

static void test_everything_and_back(Driver *driver)
{
	GtkWidget *ruler = wpv_window_get_part(driver->window, "ruler");

	wpv_session_show(driver->session, AT(20), AT(30), WPV_STEP_ALONE);
	driver_point(driver, ruler, 300, 10);
	driver_do(driver, "click --repeat 2 --delay 30 1");
	assert_visible(driver, AT(0), 100 * MS);
	driver_do(driver, "key BackSpace");
	assert_visible(driver, AT(20), 10 * MS);
	driver_do(driver, "key ctrl+Home");
	assert_visible(driver, AT(0), 100 * MS);
	driver_do(driver, "key BackSpace key BackSpace key BackSpace");
	assert_visible(driver, AT(0), 100 * MS);
}

static void test_undo(Driver *driver)
{
	wpv_session_show(driver->session, AT(20), AT(30), WPV_STEP_ALONE);
	show_all_tasks(driver);
	driver_do(driver, "key alt+Left");
	g_assert_false(wpv_session_get_filter(driver->session)->all_tasks);
	assert_visible(driver, AT(20), 10 * MS);
	driver_do(driver, "key alt+Left");
	assert_visible(driver, AT(0), 100 * MS);
	driver_do(driver, "key alt+Right key alt+Right");
	g_assert_true(wpv_session_get_filter(driver->session)->all_tasks);
	assert_visible(driver, AT(20), 10 * MS);
}

/* ---- panning ---- */

static void test_pan_keys(Driver *driver)
{
	wpv_session_show(driver->session, AT(40), AT(60), WPV_STEP_ALONE);
	driver_do(driver, "key d");
	assert_visible(driver, AT(45), 20 * MS);
	driver_do(driver, "key a key a");
	assert_visible(driver, AT(35), 20 * MS);
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
	assert_visible(driver, AT(45), 20 * MS);
}

static void test_pan_by_mouse(Driver *driver)
{
	gint quarter = gtk_widget_get_width(GTK_WIDGET(driver->canvas)) / 4;

	wpv_session_show(driver->session, AT(40), AT(60), WPV_STEP_ALONE);
	driver_point_at(driver, AT(50), ROW_CLIENT);
	driver_do(driver, "keydown shift click 5 keyup shift");
	assert_visible(driver, AT(42), 20 * MS);
	driver_do(driver, "keydown shift click 4 keyup shift");
	assert_visible(driver, AT(40), 20 * MS);
	driver_drag(driver, 2, quarter, 0);
	assert_near(visible_begin(driver), AT(35), 2 * tolerance(driver));
	driver_do(driver, "keydown ctrl");
	driver_drag(driver, 1, -quarter, 0);
	driver_do(driver, "keyup ctrl");
	assert_near(visible_begin(driver), AT(40), 2 * tolerance(driver));
	g_assert_cmpint(visible_width(driver), ==, 20 * MS);
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
	show_all_tasks(driver);
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
	assert_item(driver, SAMPLE_HOSTA, SAMPLE_CLIENT, 10, 90);
	driver_do(driver, "key End");
	assert_item(driver, SAMPLE_HOSTC, 0, 22, 78);
	driver_do(driver, "key Up key Up");
	assert_item(driver, SAMPLE_HOSTB, 0, 20, 80);
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
	assert_visible(driver, AT(0), 100 * MS);
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
	show_all_tasks(driver);
	wpv_session_set_row_height(driver->session, WPV_ROW_HEIGHT_MAX);
	driver_settle(driver);
	driver_point_at(driver, AT(50), 0);
	driver_do(driver, "click --repeat 9 --delay 5 5");
	g_assert_cmpfloat(scrolled(driver), >=, WPV_ROW_HEIGHT_MAX);
	driver_do(driver, "click 1");
	assert_item(driver, SAMPLE_HOSTC, 0, 22, 78);
	driver_point(driver, wpv_window_get_part(driver->window, "header"), 60, 10);
	driver_do(driver, "click 1");
	g_assert_cmpuint(wpv_session_get_item(driver->session)->row.host, ==, SAMPLE_HOSTC);
	/* From the other menu, of the name, it goes. */
	driver_do(driver, "click 3");
	driver_do(driver, "key i");
	g_assert_false(wpv_row_list_get(rows, 0)->pinned);
}

/* The main menu, by its keys: one letter for each level. */
static void choose_in_menu(Driver *driver, const gchar *letters)
{
	/* A menu takes the focus along when it goes, where no window manager gives it back. */
	driver_focus(driver, GTK_WIDGET(driver->canvas));
	driver_do(driver, "key F10");
	for (; *letters; letters++)
		driver_do(driver, "key %c", *letters);
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
	choose_in_menu(driver, "rk");
	g_assert_cmpuint(count_rows(driver, WPV_ROW_KERNEL), ==, 1);
	choose_in_menu(driver, "rc");
	g_assert_cmpuint(count_rows(driver, WPV_ROW_CPU), >, 2);
	g_assert_cmpuint(count_rows(driver, WPV_ROW_INTERRUPTS), ==, 0);
	choose_in_menu(driver, "ri");
	g_assert_cmpuint(count_rows(driver, WPV_ROW_INTERRUPTS), >, 0);
	choose_in_menu(driver, "rc");
	g_assert_cmpuint(count_rows(driver, WPV_ROW_CPU), ==, 0);
}

static void test_filter_by_window(Driver *driver)
{
	guint n;

	show_all_tasks(driver);
	n = wpv_row_list_get_n(wpv_session_get_rows(driver->session));
	/* The daemon, the pool's idle thread and others stay in one state from 60 to 70. */
	wpv_session_show(driver->session, AT(60), AT(70), WPV_STEP_ALONE);
	choose_in_menu(driver, "ro");
	g_assert_true(wpv_session_get_filter(driver->session)->only_active);
	g_assert_cmpuint(wpv_row_list_get_n(wpv_session_get_rows(driver->session)), <, n);
	choose_in_menu(driver, "ro");
	choose_in_menu(driver, "re");
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

	show_all_tasks(driver);
	by_share = name_of_row(driver, 1);
	g_assert_cmpstr(by_share, ==, "client 183");
	choose_in_menu(driver, "rd");
	by_id = name_of_row(driver, 1);
	g_assert_cmpint(wpv_session_get_filter(driver->session)->sort, ==, WPV_SORT_ID);
	g_assert_cmpstr(by_id, !=, "client 183");
	choose_in_menu(driver, "rs");
	g_assert_cmpint(wpv_session_get_filter(driver->session)->sort, ==, WPV_SORT_SHARE);
}

/* ---- ranges ---- */

static void assert_selection(Driver *driver, WpTime begin, WpTime end, WpTime within)
{
	WpTime b, e;

	g_assert_true(wpv_session_get_selection(driver->session, &b, &e));
	assert_near(b, begin, within);
	assert_near(e, end, within);
}

static void test_select_range(Driver *driver)
{
	gint width = (gint)(driver_x(driver, AT(55)) - driver_x(driver, AT(25)));

	driver_point_at(driver, AT(25), ROW_CLIENT);
	driver_drag(driver, 1, width, 0);
	assert_selection(driver, AT(25), AT(55), 2 * tolerance(driver));
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
	assert_selection(driver, AT(60), AT(70), 2 * tolerance(driver));
	driver_do(driver, "key Escape");
	WpTime begin, end;

	g_assert_false(wpv_session_get_selection(driver->session, &begin, &end));
}

static void test_extend_range(Driver *driver)
{
	wpv_session_set_selection(driver->session, AT(20), AT(30));
	driver_point_at(driver, AT(70), ROW_CLIENT);
	driver_do(driver, "keydown shift click 1 keyup shift");
	assert_selection(driver, AT(20), AT(70), tolerance(driver));
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
	assert_item(driver, SAMPLE_HOSTC, 0, 22, 78);
	g_assert_nonnull(driver_find(details, "back 305 on hostc"));
	driver_do(driver, "key Return");
	focus = gtk_window_get_focus(GTK_WINDOW(driver->window));
	g_assert_true(gtk_widget_is_ancestor(focus, details));
	/* On the band: the task that the path is on. */
	driver_point(driver, wpv_window_get_part(driver->window, "band"), driver_x(driver, AT(15)),
		     10);
	driver_do(driver, "click 1");
	assert_item(driver, SAMPLE_HOSTB, 0, 12, 20);
}

static void test_step_segments(Driver *driver)
{
	wpv_session_select_at(driver->session, wpv_row_key_thread(SAMPLE_HOSTA, SAMPLE_CLIENT),
			      AT(50));
	driver_do(driver, "key Right");
	assert_item(driver, SAMPLE_HOSTA, SAMPLE_CLIENT, 90, 91);
	driver_do(driver, "key Left key Left");
	assert_item(driver, SAMPLE_HOSTA, SAMPLE_CLIENT, 0, 10);
}

static void test_walk_along_path(Driver *driver)
{
	wpv_session_select_at(driver->session, WPV_ROW_KEY_NONE, AT(15));
	driver_do(driver, "key bracketright");
	g_assert_cmpuint(wpv_session_get_item(driver->session)->row.host, ==, SAMPLE_HOSTC);
	driver_do(driver, "key bracketleft");
	assert_item(driver, SAMPLE_HOSTB, 0, 12, 20);
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
	assert_item(driver, SAMPLE_HOSTA, SAMPLE_KWORKER, 30, 34);
}

static WpId asked_task(Driver *driver, guint32 *ret_host)
{
	const WpvQuestion *question = wpv_answer_get_question(
		wpv_session_get_answer(driver->session));

	*ret_host = question->host;
	return question->task;
}

static void test_path_of_task(Driver *driver)
{
	guint32 host;

	driver_point_at(driver, AT(50), ROW_FRONT);
	driver_do(driver, "click 1 key p");
	asked_task(driver, &host);
	g_assert_cmpuint(host, ==, SAMPLE_HOSTB);
	/* Of that path too all three rows are there. */
	driver_point_at(driver, AT(50), ROW_BACK);
	driver_rest(driver);
	driver_do(driver, "click --repeat 2 --delay 30 1");
	asked_task(driver, &host);
	g_assert_cmpuint(host, ==, SAMPLE_HOSTC);
	/* Over the selected range, from the menu of the row. */
	wpv_session_set_selection(driver->session, AT(5), AT(60));
	driver_point(driver, wpv_window_get_part(driver->window, "header"), 60,
		     1.5 * WPV_ROW_HEIGHT_DEFAULT);
	driver_do(driver, "click 3");
	g_assert_nonnull(driver_find(wpv_window_get_part(driver->window, "header"),
				     "Critical Path of This Task"));
	driver_do(driver, "key p");
	g_assert_cmpuint(asked_task(driver, &host), ==, SAMPLE_CLIENT);
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
	choose_in_menu(driver, "ra");
	g_assert_true(wpv_session_get_filter(driver->session)->all_tasks);
	choose_in_menu(driver, "wa");
	g_assert_cmpint(wpv_session_get_arrows(driver->session), ==, WPV_ARROWS_ALL);
	choose_in_menu(driver, "wp");
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
	assert_near(a, AT(20), tolerance(driver));
	assert_near(b, AT(70), tolerance(driver));
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
	assert_near(g_array_index(bookmarks, WpvBookmark, 0).time, AT(40), tolerance(driver));
	/* The menu leads to it. */
	wpv_session_show(driver->session, AT(60), AT(70), WPV_STEP_ALONE);
	choose_in_menu(driver, "g");
	driver_do(driver, "key Down key Return");
	assert_near(visible_begin(driver), AT(35), tolerance(driver) + MS);
	g_assert_cmpint(visible_width(driver), ==, 10 * MS);
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
	assert_near(visible_begin(driver), AT(60), 300 * WP_NS_PER_US);
	g_assert_cmpint(visible_width(driver), ==, 20 * MS);
	wpv_session_show(driver->session, AT(40), AT(60), WPV_STEP_ALONE);
	driver_point(driver, overview, width * 0.4, 10);
	driver_drag(driver, 1, -width / 5, 0);
	assert_near(visible_begin(driver), AT(20), 300 * WP_NS_PER_US);
	assert_near(visible_width(driver), 40 * MS, 300 * WP_NS_PER_US);
	driver_point(driver, overview, width * 0.6, 10);
	driver_drag(driver, 1, width / 5, 0);
	assert_near(visible_width(driver), 60 * MS, 600 * WP_NS_PER_US);
	/* Beside it: a click brings it there. */
	wpv_session_show(driver->session, AT(0), AT(20), WPV_STEP_ALONE);
	driver_point(driver, overview, width * 0.7, 10);
	driver_do(driver, "click 1");
	assert_near(visible_begin(driver), AT(60), 300 * WP_NS_PER_US);
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
	assert_near(breakdown->time, 50 * MS, 2 * tolerance(driver));
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
	g_assert_cmpuint(asked_task(driver, &host), ==, 0);
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
	assert_item(driver, SAMPLE_HOSTA, SAMPLE_CLIENT, 0, 10);
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
	choose_in_menu(driver, "ad");
	g_assert_true(wpv_style_get_dark(style));
	g_object_get(gtk_settings_get_default(), "gtk-application-prefer-dark-theme", &dark, NULL);
	g_assert_true(dark);
	choose_in_menu(driver, "al");
	g_assert_false(wpv_style_get_dark(style));
}

static void test_ruler_of_day(Driver *driver)
{
	WpvRuler *ruler = WPV_RULER(wpv_window_get_part(driver->window, "ruler"));

	choose_in_menu(driver, "at");
	g_assert_true(wpv_ruler_get_absolute(ruler));
	choose_in_menu(driver, "at");
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

	choose_in_menu(driver, letters);
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
	assert_item(driver, SAMPLE_HOSTC, 0, 20, 21);
	driver_point(driver, driver_find(GTK_WIDGET(driver->window), "Why"), 5, 5);
	driver_do(driver, "click 1");
	assert_item(driver, SAMPLE_HOSTC, 0, 22, 78);
}

static void add(Driver **driver, const gchar *name, DriverCaseFunc func)
{
	g_autofree gchar *path = g_strdup_printf("/viewer/input/%s", name);

	driver_add_case(driver, TRUE, path, func);
}

int main(int argc, char **argv)
{
	g_autofree gchar *home = driver_make_home();
	Driver *driver = NULL;
	int status;

	g_test_init(&argc, &argv, NULL);
	add(&driver, "zoom-at-pointer", test_zoom_at_pointer);
	add(&driver, "zoom-keys", test_zoom_keys);
	add(&driver, "zoom-to-range", test_zoom_to_range);
	add(&driver, "everything-and-back", test_everything_and_back);
	add(&driver, "undo", test_undo);
	add(&driver, "pan-keys", test_pan_keys);
	add(&driver, "pan-accelerates", test_pan_accelerates);
	add(&driver, "pan-by-mouse", test_pan_by_mouse);
	add(&driver, "scroll-rows", test_scroll_rows);
	add(&driver, "row-height", test_row_height);
	add(&driver, "open-and-close-rows", test_open_and_close_rows);
	add(&driver, "rows-by-key", test_rows_by_key);
	add(&driver, "filter-rows", test_filter_rows);
	add(&driver, "pin", test_pin);
	add(&driver, "select-range", test_select_range);
	add(&driver, "extend-range", test_extend_range);
	add(&driver, "select-segment", test_select_segment);
	add(&driver, "step-segments", test_step_segments);
	add(&driver, "walk-along-path", test_walk_along_path);
	add(&driver, "follow-arrows", test_follow_arrows);
	add(&driver, "path-of-task", test_path_of_task);
	add(&driver, "arrows-on-and-off", test_arrows_on_and_off);
	add(&driver, "markers", test_markers);
	add(&driver, "bookmarks", test_bookmarks);
	add(&driver, "search", test_search);
	add(&driver, "tooltip", test_tooltip);
	add(&driver, "legend", test_legend);
	add(&driver, "overview", test_overview);
	add(&driver, "aggregates-of-selection", test_aggregates_of_selection);
	add(&driver, "linked-table", test_linked_table);
	add(&driver, "linked-flame", test_linked_flame);
	add(&driver, "shortcuts-window", test_shortcuts_window);
	add(&driver, "full-screen", test_full_screen);
	add(&driver, "dark", test_dark);
	add(&driver, "copy", test_copy);
	add(&driver, "links-of-answer", test_links_of_answer);
	add(&driver, "further-rows", test_further_rows);
	add(&driver, "filter-by-window", test_filter_by_window);
	add(&driver, "sort", test_sort);
	add(&driver, "ruler-of-day", test_ruler_of_day);
	add(&driver, "highlight", test_highlight);
	add(&driver, "choose-task", test_choose_task);
	add(&driver, "choose-window", test_choose_window);
	add(&driver, "compare-ranges", test_compare_ranges);
	add(&driver, "breakdown-by-state", test_breakdown_by_state);
	add(&driver, "open-request", test_open_request);
	add(&driver, "export", test_export);
	add(&driver, "open-recent", test_open_recent);
	add(&driver, "open-by-dialog", test_open_by_dialog);
	add(&driver, "drag-and-drop", test_drag_and_drop);
	add(&driver, "edit-colour", test_edit_colour);
	status = g_test_run();
	driver_free(driver);
	driver_remove_home(home);
	return status;
}
