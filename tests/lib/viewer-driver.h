/* SPDX-License-Identifier: MIT */
/*
 * viewer-driver.h: a window of the viewer, and real events for it: keys, buttons and wheel
 * go through the X server with xdotool, so that they take the way of a user's.
 *
 * There is no window manager: the window lies at the screen's origin and is given the
 * focus by hand.
 */
#ifndef WP_TESTS_VIEWER_DRIVER_H
#define WP_TESTS_VIEWER_DRIVER_H

#include "viewer/view/wpv-application.h"

G_BEGIN_DECLS

typedef struct {
	WpvApplication *application; /* borrowed: there is one */
	WpvWindow *window; /* owned by GTK until driver_free() destroys it */
	WpvSession *session; /* borrowed */
	WpvCanvas *canvas; /* borrowed */
} Driver;

/*
 * Whatever the viewer and GTK keep for a user goes below a new folder, from before anything else
 * is called until it is removed. The name is owned by the caller.
 */
gchar *driver_make_home(void);
void driver_remove_home(const gchar *home);
/* FALSE when there is no display or, if events are wanted, no xdotool: the test is skipped then. */
gboolean driver_can_run(gboolean events);
/* A window without content, of 1200x700, shown. */
Driver *driver_new(void);
/*
 * Shows the sample execution (sample-graph.h) and the path of its client, with all else as in
 * a new window: a window takes so long that tests share one.
 */
void driver_show_sample(Driver *driver);
/* Loads traces as a user would, and waits for the path of the task, NULL: of any. */
void driver_load(Driver *driver, const gchar *path, const gchar *task);
void driver_free(Driver *driver);

/* Iterates the main loop until the condition holds; fails the test after a long time. */
typedef gboolean (*DriverFunc)(Driver *driver, gpointer data);
void driver_wait(Driver *driver, DriverFunc condition, gpointer data, const gchar *what);
/* Until nothing is on its way any more and what is seen has been drawn. */
void driver_settle(Driver *driver);

/* xdotool with these words; then all events that came of it are handled. */
void driver_do(Driver *driver, const gchar *format, ...) G_GNUC_PRINTF(2, 3);
/* Moves the pointer to a place of a widget. */
void driver_point(Driver *driver, GtkWidget *widget, gdouble x, gdouble y);
/* To a time on a row of the timeline (its place in the list). */
void driver_point_at(Driver *driver, WpTime time, guint row);
/* Presses a button there, moves by so many pixels and lets it go. */
void driver_drag(Driver *driver, guint button, gint dx, gint dy);
/* Until a further click is one of its own: no double click with the one before, wherever that was. */
void driver_rest(Driver *driver);
void driver_focus(Driver *driver, GtkWidget *widget);
/* Waits for another window than the viewer's, a dialog of it, and gives it the focus. Borrowed. */
GtkWidget *driver_dialog(Driver *driver);
/* The pixels of a time on the timeline. */
gdouble driver_x(Driver *driver, WpTime time);
/* A descendant that shows this text (button or label), NULL. */
GtkWidget *driver_find(GtkWidget *widget, const gchar *text);

/*
 * A test case on the sample, in the one window that all cases share: *driver, made by the first
 * that can run (driver_can_run()).
 */
typedef void (*DriverCaseFunc)(Driver *driver);
void driver_add_case(Driver **driver, gboolean events, const gchar *path, DriverCaseFunc func);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Driver, driver_free)

G_END_DECLS

#endif
