/* SPDX-License-Identifier: MIT */
/* wpv-search-line.h: what is in the search bar: an entry, how many matches, and the way between. */
#ifndef WPV_SEARCH_LINE_H
#define WPV_SEARCH_LINE_H

#include <gtk/gtk.h>

#include "viewer/model/wpv-search.h"

G_BEGIN_DECLS

/* *ret_entry: for the search bar to connect to; borrowed. */
GtkWidget *wpv_search_line_new(WpvSearch *search, GtkWidget **ret_entry);

G_END_DECLS

#endif
