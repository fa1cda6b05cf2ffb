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

G_END_DECLS

#endif
