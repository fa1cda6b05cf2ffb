/* SPDX-License-Identifier: MIT */
/*
 * whole-file.h: a file that appears under its name when it is complete, and not before.
 *
 * It is written without a name where the file system can do that, so that nothing is left
 * behind whatever happens; else under a temporary name beside its own. What is no regular
 * file (a device, a pipe) is written in place.
 */
#ifndef WP_BASE_WHOLE_FILE_H
#define WP_BASE_WHOLE_FILE_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct WpWholeFile WpWholeFile;

/* NULL with WP_ERROR_FAILED. */
WpWholeFile *wp_whole_file_new(const gchar *path, GError **error);
/* To write to; the file keeps it. */
int wp_whole_file_get_fd(const WpWholeFile *file);
/* TRUE for a device or a pipe: what is written has gone. */
gboolean wp_whole_file_is_in_place(const WpWholeFile *file);
/* Gives the file its name, in place of what had it; durable: when it is on the disk. */
gboolean wp_whole_file_commit(WpWholeFile *file, gboolean durable, GError **error);
/* What was not committed is gone. */
void wp_whole_file_free(WpWholeFile *file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpWholeFile, wp_whole_file_free)

G_END_DECLS

#endif
