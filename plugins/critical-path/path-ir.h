/* SPDX-License-Identifier: MIT */
/*
 * path-ir.h: the segments of a path as trace IR: one trace, one stream, an event `segment`
 * for each, at the time at which it begins, in packets that follow each other.
 *
 * Fields: host, tid, comm, state, cause (as the JSON reports name them; "none"), detail (the
 * cause in words, or "-"), cpu (-1: holds none, or not known), depth, duration (ns).
 */
#ifndef WP_PLUGINS_CRITICAL_PATH_PATH_IR_H
#define WP_PLUGINS_CRITICAL_PATH_PATH_IR_H

#include <babeltrace2/babeltrace.h>

#include "export/describe.h"

G_BEGIN_DECLS

typedef struct WpPathIr WpPathIr;

/*
 * For paths of a task in a graph, none of whose segments begins before begin. component owns the
 * IR. NULL: out of memory.
 */
WpPathIr *wp_path_ir_new(bt_self_component *component, const WpGraph *graph, guint32 host,
			 WpId task, WpPathMode mode, WpTime begin);
void wp_path_ir_free(WpPathIr *ir);

/* All give the caller's reference; NULL: out of memory. */
bt_message *wp_path_ir_begin_stream(WpPathIr *ir, bt_self_message_iterator *iterator);
/*
 * What is next to be given of a segment: the packet that is full ends, one begins, and at last the
 * segment itself: then *ret_given is set, and else it is to be asked for again.
 */
bt_message *wp_path_ir_give_segment(WpPathIr *ir, bt_self_message_iterator *iterator,
				    WpGraph *graph, const WpSegment *segment, gboolean *ret_given);
/* Whether a packet is open: it must end before the stream does. */
gboolean wp_path_ir_has_packet(const WpPathIr *ir);
bt_message *wp_path_ir_end_packet(WpPathIr *ir, bt_self_message_iterator *iterator);
bt_message *wp_path_ir_end_stream(WpPathIr *ir, bt_self_message_iterator *iterator);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpPathIr, wp_path_ir_free)

G_END_DECLS

#endif
