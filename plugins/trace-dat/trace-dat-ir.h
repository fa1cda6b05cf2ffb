/* SPDX-License-Identifier: MIT */
/*
 * trace-dat-ir.h: trace.dat's events as trace IR: classes, streams, fields.
 *
 * One trace with a stream for each CPU of each buffer; one stream class a buffer, since a
 * buffer has a clock of its own. The packet context tells the CPU (`cpu_id`, as LTTng's
 * does), the common context holds what all events of ftrace have (common_pid and so on),
 * the payload an event's own fields by their names. Event classes are made when their first
 * event comes: the file describes all events of the kernel, recorded or not.
 */
#ifndef WP_PLUGINS_TRACE_DAT_IR_H
#define WP_PLUGINS_TRACE_DAT_IR_H

#include <babeltrace2/babeltrace.h>

#include "ftrace/trace-dat.h"

G_BEGIN_DECLS

typedef struct WpTraceDatIr WpTraceDatIr;

typedef struct {
	gint64 offset; /* ns, added to the offset of all clocks */
	gboolean force_epoch; /* the clocks' origin is the Unix epoch whatever the file says */
} WpTraceDatClock;

/* component owns the IR; file gets a reference. NULL: out of memory. */
WpTraceDatIr *wp_trace_dat_ir_new(bt_self_component *component, WpTraceDat *file,
				  const WpTraceDatClock *clock);
void wp_trace_dat_ir_free(WpTraceDatIr *ir);

/* All borrowed. */
bt_stream *wp_trace_dat_ir_get_stream(WpTraceDatIr *ir, guint stream);
/* The value of the stream's clock at a time of the file. */
guint64 wp_trace_dat_ir_clock_value(const WpTraceDatIr *ir, WpTime time);

/* A packet of the stream with its context; the caller's reference. NULL: out of memory. */
bt_packet *wp_trace_dat_ir_create_packet(WpTraceDatIr *ir, guint stream);
/*
 * The record as a message in packet; the caller's reference. NULL: out of memory, or, with
 * *ret_unknown set, the file has no format for this event.
 */
bt_message *wp_trace_dat_ir_create_event(WpTraceDatIr *ir, bt_self_message_iterator *iterator,
					 guint stream, bt_packet *packet,
					 const WpFtraceRecord *record, gboolean *ret_unknown);

G_END_DECLS

#endif
