/* SPDX-License-Identifier: MIT */
/*
 * bt2-decode.h: Babeltrace's events to WpEvent, by an event layout.
 *
 * For each event class a plan is made once: which fields, by index, fill which
 * slots. No name is looked up per event.
 */
#ifndef WP_BT2_DECODE_H
#define WP_BT2_DECODE_H

#include <babeltrace2/babeltrace.h>

#include "event/layout.h"

G_BEGIN_DECLS

typedef struct WpBt2Decoder WpBt2Decoder;

/* The layout gets a reference. Not thread-safe: one decoder per thread. */
WpBt2Decoder *wp_bt2_decoder_new(WpLayout *layout);
void wp_bt2_decoder_free(WpBt2Decoder *decoder);

/* The CPU that the packet's context names, or WP_NONE. */
guint32 wp_bt2_decoder_packet_cpu(WpBt2Decoder *decoder, const bt_packet *packet);

/* The CPU that an event's own fields name, or WP_NONE. */
guint32 wp_bt2_decoder_event_cpu(WpBt2Decoder *decoder, const bt_event *event);

/*
 * Adds a record for the event to the batch if the layout knows it, and another one
 * behind it if it is a marker; whether it added any. cpu: the packet's; with WP_NONE the
 * event's own fields are asked. stream: the records'. Texts are copied into the batch, but
 * for constants and labels: those are good as long as the layout and the event's class.
 */
gboolean wp_bt2_decoder_add(WpBt2Decoder *decoder, const bt_event *event, WpTime time, guint32 cpu,
			    guint32 stream, WpBatch *batch);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpBt2Decoder, wp_bt2_decoder_free)

G_END_DECLS

#endif
