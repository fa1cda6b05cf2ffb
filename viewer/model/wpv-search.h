/* SPDX-License-Identifier: MIT */
/*
 * wpv-search.h: finds a text in the names of tasks, and in the states and causes of the
 * path's segments, by a thread; then goes from match to match.
 */
#ifndef WPV_SEARCH_H
#define WPV_SEARCH_H

#include "viewer/model/wpv-session.h"

G_BEGIN_DECLS

/* The search stops at so many matches, and says so. */
#define WPV_SEARCH_MAX 10000

#define WPV_TYPE_SEARCH (wpv_search_get_type())
G_DECLARE_FINAL_TYPE(WpvSearch, wpv_search, WPV, SEARCH, GObject)

/* Signal "changed": there are other matches, or the place among them is another. */
WpvSearch *wpv_search_new(WpvSession *session);
/* NULL or "": nothing is looked for. Starts anew also when the path is another. */
void wpv_search_set_text(WpvSearch *search, const gchar *text);
gboolean wpv_search_is_running(WpvSearch *search);
guint wpv_search_get_n(WpvSearch *search);
/* The match that was gone to last, WP_NONE before. */
guint32 wpv_search_get_at(WpvSearch *search);
/* Selects the next (1) or previous (-1) match, around the end. FALSE: there is none. */
gboolean wpv_search_step(WpvSearch *search, gint direction);

G_END_DECLS

#endif
