/* SPDX-License-Identifier: MIT */
/*
 * wpv-findings-pane.h: what is odd in the traces, in the words of the command line; and how
 * the hosts' clocks were brought together.
 */
#ifndef WPV_FINDINGS_PANE_H
#define WPV_FINDINGS_PANE_H

#include <gtk/gtk.h>

#include "viewer/model/wpv-session.h"

G_BEGIN_DECLS

/* A list; an activated line leads to the time of its finding. */
GtkWidget *wpv_findings_pane_new(WpvSession *session);
/* The hosts' clocks; empty for one host. */
GtkWidget *wpv_clocks_pane_new(WpvSession *session);

/*
 * How good the clocks are, for a badge: "clocks \302\2610.3 ms", "hostc is not joined"; NULL for one
 * host. *ret_good: nothing to worry about. Owned by the caller.
 */
gchar *wpv_clocks_dup_badge(WpvDocument *document, gboolean *ret_good);

G_END_DECLS

#endif
