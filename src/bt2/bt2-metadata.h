/* SPDX-License-Identifier: MIT */
/* bt2-metadata.h: what must be known of a trace's metadata before Babeltrace gets it. */
#ifndef WP_BT2_METADATA_H
#define WP_BT2_METADATA_H

#include <glib.h>

G_BEGIN_DECLS

/*
 * Refuses a trace whose metadata file is missing, empty, ends inside one of its packets
 * (Babeltrace 2.0.4 waits for the rest of it for ever), or says so much that Babeltrace would
 * take hours or more memory than there is. The error, WP_ERROR_FAILED, names the file.
 */
gboolean wp_bt2_metadata_check(const gchar *directory, GError **error);

G_END_DECLS

#endif
