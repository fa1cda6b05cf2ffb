/* SPDX-License-Identifier: MIT */
/*
 * bt2-stream.h: the messages of one Babeltrace stream to records, and what a Babeltrace trace
 * says of itself: shared by the reader, which pulls streams one by one, and by components of
 * a pipeline, through which the streams of all hosts pass at once.
 */
#ifndef WP_BT2_STREAM_H
#define WP_BT2_STREAM_H

#include "bt2/bt2-decode.h"
#include "event/reader.h"

G_BEGIN_DECLS

/* Losses that a packet tells of and that wait for their place. */
typedef struct {
	gboolean open;
	guint64 n_events;
	WpTime begin, end; /* the gap in front of the packet */
	gsize at; /* byte of the batch where its record goes */
} WpBt2Loss;

/* What a stream needs of its trace. All borrowed. */
typedef struct {
	WpBt2Decoder *decoder;
	WpFindings *findings;
	const gchar *path, *host; /* for findings; host may be NULL */
} WpBt2Context;

typedef struct {
	guint number; /* of its records, and in findings */
	guint32 cpu; /* of the packet */
	gchar *name; /* owned: as Babeltrace calls the stream, its file */
	WpTime time; /* of the last event or, in front of a packet's first, of its begin */
	gboolean has_time;
	gboolean went_back; /* some record was of an earlier time than one in front of it */
	WpTime latest; /* of its last record, or of a loss that is later; WP_TIME_MIN: none */
	guint64 n_losses; /* records of these */
	WpTime packet_end; /* of the last whole packet */
	guint64 n_lost_events, n_lost_packets; /* told in front of the packet at hand */
	WpBt2Loss loss;
	gboolean losses_are_known; /* from elsewhere: messages of discarded things tell nothing */
	gsize moved_at, moved_by; /* the last call put so many bytes in at this byte, 0: none */
} WpBt2Stream;

void wp_bt2_stream_init(WpBt2Stream *stream, guint number);
void wp_bt2_stream_clear(WpBt2Stream *stream);

/*
 * Adds to the batch what a message tells. While `loss` is open its record may yet be put
 * in at `loss.at`: the batch must be kept from there on.
 */
void wp_bt2_stream_take(WpBt2Stream *stream, const WpBt2Context *context, const bt_message *message,
			WpBatch *batch);
/*
 * The same for messages of events alone: takes the first of n messages, up to one of another type,
 * and their references; returns how many.
 */
guint64 wp_bt2_stream_take_events(WpBt2Stream *stream, const WpBt2Context *context,
				  bt_message_array_const messages, guint64 n, WpBatch *batch);
/* No message follows. */
void wp_bt2_stream_end(WpBt2Stream *stream, const WpBt2Context *context, WpBatch *batch);
/* Closes an open loss in front of its packet's events, for who can't wait. */
void wp_bt2_stream_give_up(WpBt2Stream *stream, WpBatch *batch);

/*
 * Fills the members of an info that a trace and its classes tell: all but path, n_bytes,
 * n_streams and n_cpus, the kinds under a layout (borrowed). WP_ERROR_FAILED when events of the trace have no time.
 */
gboolean wp_bt2_info_fill(WpTraceInfo *info, const bt_trace *trace, WpLayout *layout,
			  GError **error);

G_END_DECLS

#endif
