/* SPDX-License-Identifier: MIT */
/* pollers.h: which tasks look again and again instead of waiting. */
#ifndef WP_PATH_POLLERS_H
#define WP_PATH_POLLERS_H

#include "path/blockers.h"

G_BEGIN_DECLS

/*
 * Appends those of the tasks asked for (NULL: all) that poll to pollers (WpPoller), by
 * share of CPU, descending. FALSE when cancelled.
 */
gboolean wp_pollers_find(WpGraph *graph, const WpTaskRef *tasks, guint n_tasks, WpTime begin,
			 WpTime end, GArray *pollers, WpCancel *cancellable, GError **error);

G_END_DECLS

#endif
