/* SPDX-License-Identifier: MIT */
/*
 * mirror.h: a copy of everything that flows past, with corrected times.
 *
 * A Babeltrace event can't be re-stamped: who corrects times must build the whole
 * trace IR anew (trace, stream and event classes, field classes with their lengths
 * and selectors, clock classes, streams, packets, messages). A mirror does that,
 * once for all components that need it: message in, message out.
 */
#ifndef WP_PLUGINS_MIRROR_H
#define WP_PLUGINS_MIRROR_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>

#include "graph/clock-map.h"

G_BEGIN_DECLS

typedef struct WpMirror WpMirror;

/*
 * The map by which the times of a trace are corrected; NULL: they are right as they
 * are. Called once for each trace, when its first message comes. The map must outlive
 * the mirror.
 */
typedef const WpClockMap *(*WpMirrorMapFunc)(const bt_trace *trace, gpointer data);

/* component owns the copies; data is borrowed. func NULL: all times are kept. */
WpMirror *wp_mirror_new(bt_self_component *component, WpMirrorMapFunc func, gpointer data);
void wp_mirror_free(WpMirror *mirror);

/* Copies of traces say (common/told.h) that their times are corrected. */
void wp_mirror_set_corrected(WpMirror *mirror);

/* Forgets the packets that have begun: to be called when the upstream was sent back. */
void wp_mirror_rewind(WpMirror *mirror);

/*
 * The copy of message, for iterator to return: a new reference of the caller's in
 * *ret_copy. An inactivity message of a clock that no stream has used yet tells
 * nothing that the mirror could translate: its copy is NULL. *ret_time (may be NULL) is the
 * corrected time of an event, and left alone otherwise. FALSE with WP_ERROR_FAILED when
 * memory is out or a time can't be represented.
 */
gboolean wp_mirror_message(WpMirror *mirror, bt_self_message_iterator *iterator,
			   const bt_message *message, bt_message **ret_copy, WpTime *ret_time,
			   GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpMirror, wp_mirror_free)

G_END_DECLS

#endif
