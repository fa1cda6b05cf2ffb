/* SPDX-License-Identifier: MIT */
/*
 * trim.h: messages between two times: what is outside is left out, and the streams and
 * packets that are open at the edges begin and end there.
 */
#ifndef WP_PLUGINS_COMMON_TRIM_H
#define WP_PLUGINS_COMMON_TRIM_H

#include <babeltrace2/babeltrace.h>

#include "base/types.h"

G_BEGIN_DECLS

typedef struct WpTrim WpTrim;

/* begin and end are in; WP_TIME_MIN and WP_TIME_MAX: no edge. */
WpTrim *wp_trim_new(WpTime begin, WpTime end);
void wp_trim_free(WpTrim *trim);
/*
 * Takes a message over, in order of time, and appends to out (of references) what is to be
 * passed on. It must be the caller's own, not yet passed on to anybody, for its time may be
 * changed. *ret_ended: all that follows would be left out. FALSE: out of memory.
 */
gboolean wp_trim_message(WpTrim *trim, bt_self_message_iterator *iterator,
			 const bt_message *message, WpTime time, GQueue *out, gboolean *ret_ended);

/* The value of a clock at a time, rounded up; 0 or the largest when it is out of range. */
guint64 wp_clock_class_value_at(const bt_clock_class *clock_class, WpTime time);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpTrim, wp_trim_free)

G_END_DECLS

#endif
