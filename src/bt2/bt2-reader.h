/* SPDX-License-Identifier: MIT */
/*
 * bt2-reader.h: a trace read through Babeltrace 2: `source.ctf.fs` without the
 * stock muxer, each stream's port pulled on its own.
 */
#ifndef WP_BT2_READER_H
#define WP_BT2_READER_H

#include "event/reader.h"

G_BEGIN_DECLS

/*
 * Opens the CTF trace in directory. All graphs of one reader are created and
 * freed on the calling thread. WP_ERROR_FAILED with Babeltrace's own causes, in
 * one sentence, when it refuses the trace.
 */
WpReader *wp_bt2_reader_open(const gchar *directory, WpLayout *layout, GError **error);
/*
 * The same, for n_workers threads at once: the streams are shared out over as many graphs, at least
 * one, each of which parses the metadata anew. has_progress: bytes are told as they are read; else
 * all of a stream at its end, which spares one parse more.
 */
WpReader *wp_bt2_reader_open_parallel(const gchar *directory, WpLayout *layout, guint n_workers,
				      gboolean has_progress, GError **error);

G_END_DECLS

#endif
