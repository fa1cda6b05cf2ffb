/* SPDX-License-Identifier: MIT */
/*
 * ftrace-reader.h: a file of trace-cmd as events: each CPU of each buffer is a stream.
 */
#ifndef WP_FTRACE_READER_H
#define WP_FTRACE_READER_H

#include "event/reader.h"

G_BEGIN_DECLS

/*
 * Opens a trace.dat file (trace-dat.h says what fails). Its formats describe every event
 * of the kernel, recorded or not, so the file is read through once: the trace's info names
 * those that were. The layout gets a reference.
 */
WpReader *wp_ftrace_reader_open(const gchar *path, WpLayout *layout, GError **error);

G_END_DECLS

#endif
