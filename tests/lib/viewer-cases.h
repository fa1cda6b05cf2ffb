/* SPDX-License-Identifier: MIT */
/*
 * viewer-cases.h: what several tests of the viewer ask, and do, again and again; on the
 * execution of sample-graph.h.
 */
#ifndef WP_TESTS_VIEWER_CASES_H
#define WP_TESTS_VIEWER_CASES_H

#include "tests/lib/sample-graph.h"
#include "tests/lib/viewer-driver.h"

G_BEGIN_DECLS

#define MS SAMPLE_MS
#define AT(ms) SAMPLE_AT(ms)
/* Places of rows at first: hosta, client, hostb, front, hostc, back. */
enum { ROW_CLIENT = 1, ROW_FRONT = 3, ROW_BACK = 5 };

/* ns of a pixel and a half: as exact as a pointer can be. */
WpTime case_tolerance(Driver *driver);
void case_assert_near(WpTime value, WpTime expected, WpTime within);
WpTime case_visible_begin(Driver *driver);
WpTime case_visible_width(Driver *driver);
void case_assert_visible(Driver *driver, WpTime begin, WpTime width);
void case_assert_item(Driver *driver, guint32 host, WpId task, gint begin, gint end);
void case_show_all_tasks(Driver *driver);
/* The main menu, by its keys: one letter for each level. */
void case_choose_in_menu(Driver *driver, const gchar *letters);
WpId case_asked_task(Driver *driver, guint32 *ret_host);

typedef struct {
	const gchar *name;
	DriverCaseFunc func;
} DriverCase;

/* Runs the cases /viewer/AREA/NAME with real events, in one window; returns the exit status. */
int case_run(int argc, char **argv, const gchar *area, const DriverCase *cases, guint n_cases);

G_END_DECLS

#endif
