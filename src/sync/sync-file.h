/* SPDX-License-Identifier: MIT */
/*
 * sync-file.h: clock maps saved by one run and used by others (JSON, schema
 * waitpath-sync/1).
 */
#ifndef WP_SYNC_SYNC_FILE_H
#define WP_SYNC_SYNC_FILE_H

#include "graph/graph.h"

G_BEGIN_DECLS

/*
 * Sets the graph's maps and islands from a file, on the clock of a reference host that
 * need not be the file's. Hosts that the file does not join keep a clock of their own.
 * WP_ERROR_FAILED when it can't be read or is none.
 */
gboolean wp_sync_file_load(WpGraph *graph, const gchar *path, guint reference, GError **error);

G_END_DECLS

#endif
