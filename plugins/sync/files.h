/* SPDX-License-Identifier: MIT */
/*
 * files.h: the first pass of filter.waitpath.sync without the pipeline. Where all that comes in is
 * what lies in trace directories, our own reader finds the clocks in these: it reads a trace ten
 * and more times as fast as messages of it come.
 */
#ifndef WP_PLUGINS_SYNC_FILES_H
#define WP_PLUGINS_SYNC_FILES_H

#include "plugins/common/intake.h"

G_BEGIN_DECLS

/*
 * The directories of the intake's traces, in the order of their numbers (owned gchar *, owned by
 * the caller); NULL when what comes in may be anything else: when a component other than
 * source.ctf.fs, source.waitpath.ctf and muxers is in front of the filter, or not all of their
 * streams are connected, or a trace may be spread over several directories.
 */
GPtrArray *wp_sync_files_find(const bt_component_filter *filter, WpIntake *intake);

/*
 * The analysis of these directories by our own reader, whose traces are in their order. NULL with
 * WP_ERROR_CANCELLED when the iterator was interrupted, and with another error when the messages
 * have to be asked: our reader declines the files, or messages have times of other clocks than
 * they have.
 */
WpAnalysis *wp_sync_files_load(const GPtrArray *directories, const WpOptions *options,
			       WpIntake *intake, bt_self_message_iterator *iterator,
			       GError **error);

G_END_DECLS

#endif
