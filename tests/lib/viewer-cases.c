/* SPDX-License-Identifier: MIT */
/* viewer-cases.c: what several tests of the viewer ask, and do, again and again. */
#include "config.h"

#include "tests/lib/viewer-cases.h"

/* ns of a pixel and a half: as exact as a pointer can be. */
WpTime case_tolerance(Driver *driver)
{
	WpTime begin, end;

	wpv_session_get_visible(driver->session, &begin, &end);
	return (end - begin) * 3 / 2 / gtk_widget_get_width(GTK_WIDGET(driver->canvas)) + 1;
}

void case_assert_near(WpTime value, WpTime expected, WpTime within)
{
	g_assert_cmpint(value, >=, expected - within);
	g_assert_cmpint(value, <=, expected + within);
}

WpTime case_visible_begin(Driver *driver)
{
	WpTime begin, end;

	wpv_session_get_visible(driver->session, &begin, &end);
	return begin;
}

WpTime case_visible_width(Driver *driver)
{
	WpTime begin, end;

	wpv_session_get_visible(driver->session, &begin, &end);
	return end - begin;
}

void case_assert_visible(Driver *driver, WpTime begin, WpTime width)
{
	g_assert_cmpint(case_visible_begin(driver), ==, begin);
	g_assert_cmpint(case_visible_width(driver), ==, width);
}

void case_assert_item(Driver *driver, guint32 host, WpId task, gint begin, gint end)
{
	const WpvItem *item = wpv_session_get_item(driver->session);

	g_assert_cmpuint(item->row.kind, ==, WPV_ROW_THREAD);
	g_assert_cmpuint(item->row.host, ==, host);
	g_assert_cmpuint(item->row.id, ==, task);
	g_assert_cmpint(item->begin, ==, AT(begin));
	g_assert_cmpint(item->end, ==, AT(end));
}

void case_show_all_tasks(Driver *driver)
{
	WpvRowFilter filter = {.all_tasks = TRUE};

	wpv_session_set_filter(driver->session, &filter);
	driver_settle(driver);
}

/* The main menu, by its keys: one letter for each level. */
void case_choose_in_menu(Driver *driver, const gchar *letters)
{
	/* A menu takes the focus along when it goes, where no window manager gives it back. */
	driver_focus(driver, GTK_WIDGET(driver->canvas));
	driver_do(driver, "key F10");
	for (; *letters; letters++)
		driver_do(driver, "key %c", *letters);
}

WpId case_asked_task(Driver *driver, guint32 *ret_host)
{
	const WpvQuestion *question = wpv_answer_get_question(
		wpv_session_get_answer(driver->session));

	*ret_host = question->host;
	return question->task;
}

int case_run(int argc, char **argv, const gchar *area, const DriverCase *cases, guint n_cases)
{
	g_autofree gchar *home = driver_make_home();
	Driver *driver = NULL;
	int status;

	g_test_init(&argc, &argv, NULL);
	for (guint i = 0; i < n_cases; i++) {
		g_autofree gchar *path = g_strdup_printf("/viewer/%s/%s", area, cases[i].name);

		driver_add_case(&driver, TRUE, path, cases[i].func);
	}
	status = g_test_run();
	driver_free(driver);
	driver_remove_home(home);
	return status;
}
