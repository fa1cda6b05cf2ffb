/* SPDX-License-Identifier: MIT */
/* wpv-window-private.h: the window's members, for the files that make it up. */
#ifndef WPV_WINDOW_PRIVATE_H
#define WPV_WINDOW_PRIVATE_H

#include "viewer/model/wpv-search.h"
#include "viewer/model/wpv-task-list.h"
#include "viewer/view/wpv-scheme.h"
#include "viewer/view/wpv-window.h"

G_BEGIN_DECLS

typedef enum { WPV_FIT_NOT, WPV_FIT_WANTED, WPV_FIT_DONE } WpvFit;

struct _WpvWindow {
	GtkApplicationWindow parent;

	/* Children of the template. */
	GtkLabel *title, *task_label, *window_label, *clocks_label, *sentence, *complaint_label,
		*error_label, *loading_title, *loading_text;
	GtkMenuButton *recent_button, *task_button, *window_button, *legend_button, *clocks_button;
	GtkMenuButton *menu_button;
	GtkToggleButton *search_button;
	GtkButton *findings_button, *why_button, *retry_button;
	GtkStack *pages, *tabs;
	GtkBox *recent_box, *left_box, *right_box, *details_box;
	GtkProgressBar *loading_bar;
	GtkSpinner *spinner;
	GtkInfoBar *complaint;
	GtkSearchBar *search_bar;
	GtkPaned *panes, *timeline_pane, *bottom_pane;
	GtkWidget *overview_label, *ruler_label, *band_label;
	GMenuModel *row_menu, *bookmarks_menu;

	/* Put into it by wpv-window.c: borrowed from their parents. */
	GtkWidget *overview, *ruler, *band, *canvas, *header;
	GtkWidget *breakdown, *segments, *flame, *requests, *details;
	GtkWidget *filter_entry;
	GtkLabel *status;

	WpvSession *session; /* reference */
	WpvTaskList *tasks; /* reference */
	WpvSearch *search; /* reference */
	WpvSchemeMonitor *monitor; /* reference */
	WpvSettings settings; /* its members owned */
	gboolean keep_state;
	WpvLoader *loader; /* reference: of what is open or on its way, NULL */
	GCancellable *loading; /* reference: while loading, NULL */
	gboolean guessing; /* the task will be chosen when the list of tasks is ready */
	gboolean guessed; /* the task was chosen so */
	gboolean show_path; /* the next path is brought into view */
	WpvFit fit; /* of the panes to the rows */
	gint fitted_at; /* the handle's place when that was done */
	GtkFileChooserNative *chooser; /* reference: while it is open, NULL */
};

/* wpv-window.c */
void wpv_window_open(WpvWindow *window, const gchar *const *traces);
void wpv_window_save_view(WpvWindow *window);
void wpv_window_update_scheme(WpvWindow *window);

/* wpv-window-actions.c */
void wpv_window_add_actions(WpvWindow *window);
/* Brings the actions' states after the session. */
void wpv_window_update_actions(WpvWindow *window, guint what);

/* wpv-window-status.c */
/* The sentence with links to the rows that it names; owned by the caller. */
gchar *wpv_window_dup_sentence_markup(WpvWindow *window);
gboolean wpv_window_follow_link(WpvWindow *window, const gchar *uri);
void wpv_window_update_status(WpvWindow *window);
void wpv_window_update_answer(WpvWindow *window);
void wpv_window_update_badges(WpvWindow *window);

G_END_DECLS

#endif
