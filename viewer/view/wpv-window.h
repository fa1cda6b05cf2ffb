/* SPDX-License-Identifier: MIT */
/*
 * wpv-window.h: the window: the answer on top, the timeline under it, the panes below.
 * What it can do is a "win." action; its keys are in wpv-application.c and wpv-canvas.c.
 */
#ifndef WPV_WINDOW_H
#define WPV_WINDOW_H

#include <gtk/gtk.h>

#include "viewer/model/wpv-loader.h"
#include "viewer/model/wpv-state.h"
#include "viewer/view/wpv-breakdown-pane.h"
#include "viewer/view/wpv-canvas.h"
#include "viewer/view/wpv-flame-view.h"
#include "viewer/view/wpv-requests-pane.h"
#include "viewer/view/wpv-segments-pane.h"

G_BEGIN_DECLS

#define WPV_TYPE_WINDOW (wpv_window_get_type())
G_DECLARE_FINAL_TYPE(WpvWindow, wpv_window, WPV, WINDOW, GtkApplicationWindow)

/*
 * With keep_state the window's settings are read and written, and each document's last
 * view; without, as in tests, it begins afresh and leaves nothing behind.
 */
WpvWindow *wpv_window_new(GtkApplication *application, gboolean keep_state);

/* Loads in the background; what was open is closed when that is done. */
void wpv_window_load(WpvWindow *window, WpvLoader *loader);
/* Shows a document that is there already; question: the path to show, NULL: chosen by the window. */
void wpv_window_show_document(WpvWindow *window, WpvDocument *document,
			      const WpvQuestion *question);
void wpv_window_set_scheme(WpvWindow *window, WpvScheme scheme);
/* A sentence across the window's top, until it is closed. */
void wpv_window_complain(WpvWindow *window, const gchar *text);

/* FALSE while something is on its way that will change what is seen. */
gboolean wpv_window_is_settled(WpvWindow *window);

/* All borrowed: for tests and exports. */
WpvSession *wpv_window_get_session(WpvWindow *window);
WpvCanvas *wpv_window_get_canvas(WpvWindow *window);
WpvSegmentsPane *wpv_window_get_segments(WpvWindow *window);
WpvBreakdownPane *wpv_window_get_breakdown(WpvWindow *window);
WpvFlameView *wpv_window_get_flame(WpvWindow *window);
WpvRequestsPane *wpv_window_get_requests(WpvWindow *window);
/* A child of the template, or one named in wpv-window.c: "band", "overview", "ruler", "header". */
GtkWidget *wpv_window_get_part(WpvWindow *window, const gchar *name);

G_END_DECLS

#endif
