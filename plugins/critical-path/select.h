/* SPDX-License-Identifier: MIT */
/*
 * select.h: which events happen on a path: those that its task of the moment executes, or
 * that interrupts over it do, on the CPU that it holds.
 *
 * The segments of a path partition its window, so at any time there is one to look at. An event
 * at the very time at which one segment ends and the next begins is the first one's: a task
 * switch, and a waking, are the doing of the task that was on the CPU until then.
 */
#ifndef WP_PLUGINS_CRITICAL_PATH_SELECT_H
#define WP_PLUGINS_CRITICAL_PATH_SELECT_H

#include "path/path.h"

G_BEGIN_DECLS

typedef struct WpPathSelection WpPathSelection;

/* Copies what it needs. */
WpPathSelection *wp_path_selection_new(const WpPath *path, const WpGraph *graph);
void wp_path_selection_free(WpPathSelection *selection);
/* host is the graph's number, time on its clock, cpu the number of the CPU. */
gboolean wp_path_selection_has(const WpPathSelection *selection, guint32 host, guint32 cpu,
			       WpTime time);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpPathSelection, wp_path_selection_free)

G_END_DECLS

#endif
