/* SPDX-License-Identifier: MIT */
/*
 * bt2-stream.c: the messages of one Babeltrace stream to records.
 *
 * Events go through the decoder; packet messages give the CPU; messages of discarded
 * events and packets become LOST records.
 *
 * A tracer counts lost events by packet: those of a packet were lost before its first or
 * behind its last event, for a ring buffer loses nothing inside. Babeltrace's own
 * interval, the end of the packet before to the end of this one, is far too wide and
 * need not even hold them (the last may be lost after the packet is closed). So the
 * record goes to the longer of the two gaps, which needs the packet's events to be held
 * in one batch until the event behind them is known.
 */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "bt2/bt2-clock.h"
#include "bt2/bt2-stream.h"

void wp_bt2_stream_init(WpBt2Stream *stream, guint number)
{
	*stream = (WpBt2Stream){.number = number, .cpu = WP_NONE, .latest = WP_TIME_MIN};
}

void wp_bt2_stream_clear(WpBt2Stream *stream)
{
	g_clear_pointer(&stream->name, g_free);
}

static void set_lost(WpEvent *record, WpBt2Stream *stream, WpTime begin, WpTime end,
		     guint64 n_events, guint64 n_packets)
{
	stream->n_losses++;
	stream->latest = MAX(stream->latest, end);
	record->kind = WP_EV_LOST;
	record->n_values = (guint8)wp_event_kind_n_values(WP_EV_LOST);
	record->time = end;
	record->cpu = stream->cpu;
	record->stream = stream->number;
	record->present = 1u << WP_LOST_BEGIN | 1u << WP_LOST_COUNT | 1u << WP_LOST_PACKETS;
	record->v[WP_LOST_BEGIN].i = MIN(begin, end);
	record->v[WP_LOST_COUNT].u = n_events;
	record->v[WP_LOST_PACKETS].u = n_packets;
}

/*
 * Puts the waiting LOST record into the batch: in front of its packet's events, or behind
 * them if the gap to next (where the next packet begins) is longer.
 */
static void stream_close_loss(WpBt2Stream *stream, WpTime next, WpBatch *batch)
{
	WpBt2Loss *loss = &stream->loss;
	WpEvent *record = wp_batch_push(batch, WP_EV_LOST);
	gsize size = wp_event_size(record);

	/* Neither is negative; their differences may exceed the range of signed ones. */
	if ((guint64)next - (guint64)stream->time > (guint64)loss->end - (guint64)loss->begin) {
		set_lost(record, stream, stream->time, next, loss->n_events, 0);
	} else {
		guint8 *at = batch->records->data + loss->at;

		memmove(at + size, at, batch->records->len - size - loss->at);
		stream->moved_at = loss->at;
		stream->moved_by = size;
		set_lost((WpEvent *)(gpointer)at, stream, loss->begin, loss->end, loss->n_events,
			 0);
	}
	*loss = (WpBt2Loss){0};
}

static void find_lost(const WpBt2Stream *stream, const WpBt2Context *context, const gchar *code,
		      WpTime time, guint64 n, const gchar *what)
{
	wp_findings_add(context->findings, code, WP_SEVERITY_WARNING, context->host, time, n,
			"%s: %s.", stream->name ? stream->name : context->path, what);
}

/* A packet that begins at time: closes the loss of the one before, opens its own. */
static void stream_lose(WpBt2Stream *stream, const WpBt2Context *context, WpTime time,
			WpBatch *batch)
{
	if (stream->loss.open)
		stream_close_loss(stream, time, batch);
	if (stream->n_lost_packets > 0) {
		set_lost(wp_batch_push(batch, WP_EV_LOST), stream,
			 MAX(stream->packet_end, stream->time), time, 0, stream->n_lost_packets);
		find_lost(stream, context, "lost-packets", time, stream->n_lost_packets,
			  "packets of this stream are missing");
	}
	if (stream->n_lost_events > 0) {
		stream->loss.open = TRUE;
		stream->loss.n_events = stream->n_lost_events;
		stream->loss.begin = stream->time;
		stream->loss.end = time;
		stream->loss.at = batch->records->len;
		find_lost(stream, context, "lost-events", time, stream->n_lost_events,
			  "the tracer discarded events");
	}
	stream->n_lost_events = stream->n_lost_packets = 0;
}

/* No packet follows: the end of the last one takes its place. */
void wp_bt2_stream_end(WpBt2Stream *stream, const WpBt2Context *context, WpBatch *batch)
{
	WpTime end = MAX(stream->packet_end, stream->time);

	stream->moved_at = stream->moved_by = 0;
	if (stream->n_lost_events > 0 || stream->n_lost_packets > 0)
		stream_lose(stream, context, end, batch);
	if (stream->loss.open)
		stream_close_loss(stream, end, batch);
}

/* The snapshot in ns since the epoch; FALSE, with a finding, when that is out of range. */
static inline gboolean get_time(const WpBt2Context *context, const bt_clock_snapshot *snapshot,
				WpTime *ret_time)
{
	if (wp_bt2_snapshot_time(snapshot, ret_time))
		return TRUE;
	wp_findings_add(context->findings, "time-overflow", WP_SEVERITY_WARNING, NULL, WP_TIME_MIN,
			1, "%s has times further than 292 years from 1970; they are left out.",
			context->path);
	return FALSE;
}

static inline void stream_add_event(WpBt2Stream *stream, const WpBt2Context *context,
				    const bt_message *message, WpBatch *batch)
{
	WpTime time;

	batch->n_seen++;
	if (!get_time(context, bt_message_event_borrow_default_clock_snapshot_const(message),
		      &time))
		return;
	stream->has_time = TRUE;
	stream->time = time;
	if (!wp_bt2_decoder_add(context->decoder, bt_message_event_borrow_event_const(message),
				time, stream->cpu, stream->number, batch))
		return;
	stream->went_back |= time < stream->latest;
	stream->latest = time;
}

guint64 wp_bt2_stream_take_events(WpBt2Stream *stream, const WpBt2Context *context,
				  bt_message_array_const messages, guint64 n, WpBatch *batch)
{
	guint64 i;

	for (i = 0; i < n && bt_message_get_type(messages[i]) == BT_MESSAGE_TYPE_EVENT; i++) {
		stream_add_event(stream, context, messages[i], batch);
		bt_message_put_ref(messages[i]);
	}
	return i;
}

static void stream_begin_packet(WpBt2Stream *stream, const WpBt2Context *context,
				const bt_message *message, WpBatch *batch)
{
	const bt_packet *packet = bt_message_packet_beginning_borrow_packet_const(message);
	WpTime time = stream->time;

	stream->cpu = wp_bt2_decoder_packet_cpu(context->decoder, packet);
	if (bt_stream_class_packets_have_beginning_default_clock_snapshot(
		    bt_stream_borrow_class_const(bt_packet_borrow_stream_const(packet))) &&
	    get_time(context,
		     bt_message_packet_beginning_borrow_default_clock_snapshot_const(message),
		     &time)) {
		if (!stream->has_time)
			stream->time = time;
		stream->has_time = TRUE;
	}
	time = MAX(time, stream->time);
	stream_lose(stream, context, time, batch);
	stream->time = time;
}

static void stream_set_name(WpBt2Stream *stream, const bt_message *message)
{
	g_free(stream->name);
	stream->name = g_strdup(
		bt_stream_get_name(bt_message_stream_beginning_borrow_stream_const(message)));
}

static void stream_end_packet(WpBt2Stream *stream, const WpBt2Context *context,
			      const bt_message *message)
{
	const bt_packet *packet = bt_message_packet_end_borrow_packet_const(message);
	WpTime time;

	if (bt_stream_class_packets_have_end_default_clock_snapshot(
		    bt_stream_borrow_class_const(bt_packet_borrow_stream_const(packet))) &&
	    get_time(context, bt_message_packet_end_borrow_default_clock_snapshot_const(message),
		     &time))
		stream->packet_end = time;
}

/* A counter of the tracer that goes back comes as a loss of nearly 2^64. */
static void stream_add_lost_events(WpBt2Stream *stream, const WpBt2Context *context, guint64 n)
{
	if (n <= G_MAXINT64)
		stream->n_lost_events += n;
	else
		wp_findings_add(context->findings, "lost-counter-went-back", WP_SEVERITY_WARNING,
				NULL, stream->time, 1,
				"Stream %u of %s counts fewer lost events than before; what was "
				"lost there is not known.",
				stream->number, context->path);
}

static gboolean has_packets(const bt_message *discarded)
{
	return bt_stream_class_supports_packets(bt_stream_borrow_class_const(
		bt_message_discarded_events_borrow_stream_const(discarded)));
}

/* Where there are no packets a loss lies in front of the event that follows. */
static void stream_lose_now(WpBt2Stream *stream, const WpBt2Context *context,
			    const bt_message *message, WpBatch *batch)
{
	const bt_stream_class *klass = bt_stream_borrow_class_const(
		bt_message_discarded_events_borrow_stream_const(message));
	WpTime time = stream->time;

	if (bt_stream_class_discarded_events_have_default_clock_snapshots(klass))
		(void)get_time(context,
			       bt_message_discarded_events_borrow_end_default_clock_snapshot_const(
				       message),
			       &time);
	if (stream->n_lost_events > 0) {
		find_lost(stream, context, "lost-events", time, stream->n_lost_events,
			  "the tracer discarded events");
		set_lost(wp_batch_push(batch, WP_EV_LOST), stream, stream->time,
			 MAX(time, stream->time), stream->n_lost_events, 0);
	}
	stream->n_lost_events = 0;
}

void wp_bt2_stream_take(WpBt2Stream *stream, const WpBt2Context *context, const bt_message *message,
			WpBatch *batch)
{
	guint64 n;

	stream->moved_at = stream->moved_by = 0;
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		stream_add_event(stream, context, message, batch);
		break;
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		stream_set_name(stream, message);
		break;
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		stream_begin_packet(stream, context, message, batch);
		break;
	case BT_MESSAGE_TYPE_PACKET_END:
		stream_end_packet(stream, context, message);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		if (stream->losses_are_known)
			break;
		if (bt_message_discarded_events_get_count(message, &n) ==
		    BT_PROPERTY_AVAILABILITY_AVAILABLE)
			stream_add_lost_events(stream, context, n);
		if (!has_packets(message))
			stream_lose_now(stream, context, message, batch);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		if (!stream->losses_are_known &&
		    bt_message_discarded_packets_get_count(message, &n) ==
			    BT_PROPERTY_AVAILABILITY_AVAILABLE)
			stream->n_lost_packets += n;
		break;
	default:
		break;
	}
}

void wp_bt2_stream_give_up(WpBt2Stream *stream, WpBatch *batch)
{
	stream->moved_at = stream->moved_by = 0;
	if (!stream->loss.open)
		return;
	/* a gap behind that is none */
	stream_close_loss(stream, stream->time, batch);
}

/* An entry of the trace's environment as text; NULL when there is none. */
static gchar *env_text(const bt_trace *trace, const gchar *name)
{
	const bt_value *value = bt_trace_borrow_environment_entry_value_by_name_const(trace, name);

	if (!value)
		return NULL;
	if (bt_value_is_string(value))
		return g_strdup(bt_value_string_get(value));
	return g_strdup_printf("%" G_GINT64_FORMAT, bt_value_integer_signed_get(value));
}

/* An entry that is a small number, or text that is one; -1 otherwise. */
static gint env_number(const bt_trace *trace, const gchar *name)
{
	g_autofree gchar *text = env_text(trace, name);
	gint64 number;

	return text && g_ascii_string_to_signed(text, 10, 0, G_MAXINT, &number, NULL) ? (gint)number
										      : -1;
}

static void set_clock(WpTraceInfo *info, const bt_clock_class *clock)
{
	bt_uuid uuid = bt_clock_class_get_uuid(clock);
	GString *text;

	if (!wp_bt2_clock_zero(clock, &info->clock_offset))
		info->clock_offset = 0;
	if (!uuid)
		return;
	text = g_string_new(NULL);
	for (guint i = 0; i < 16; i++)
		g_string_append_printf(
			text, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", uuid[i]);
	info->clock_uuid = g_string_free(text, FALSE);
}

/* FALSE when some stream class has no clock: its events would have no time. */
static gboolean set_classes(WpTraceInfo *info, const bt_trace_class *trace, WpLayout *layout,
			    GError **error)
{
	for (guint64 i = 0; i < bt_trace_class_get_stream_class_count(trace); i++) {
		const bt_stream_class *stream = bt_trace_class_borrow_stream_class_by_index_const(
			trace, i);
		const bt_clock_class *clock = bt_stream_class_borrow_default_clock_class_const(
			stream);

		if (!clock) {
			g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
				    "%s has events without times, since its metadata names no "
				    "clock for them.",
				    info->path);
			return FALSE;
		}
		if (i == 0)
			set_clock(info, clock);
		for (guint64 e = 0; e < bt_stream_class_get_event_class_count(stream); e++) {
			const gchar *name = bt_event_class_get_name(
				bt_stream_class_borrow_event_class_by_index_const(stream, e));

			if (name)
				wp_trace_info_add_event(info, wp_layout_find(layout, name, NULL));
		}
	}
	return TRUE;
}

/* perf's export says "host" and "release" where LTTng says "hostname" and "kernel_release". */
static void set_environment(WpTraceInfo *info, const bt_trace *trace)
{
	info->host = env_text(trace, "hostname");
	if (!info->host)
		info->host = env_text(trace, "host");
	info->kernel_release = env_text(trace, "kernel_release");
	if (!info->kernel_release)
		info->kernel_release = env_text(trace, "release");
	info->domain = env_text(trace, "domain");
	info->tracer = env_text(trace, "tracer_name");
	info->tracer_major = env_number(trace, "tracer_major");
	info->tracer_minor = env_number(trace, "tracer_minor");
}

gboolean wp_bt2_info_fill(WpTraceInfo *info, const bt_trace *trace, WpLayout *layout,
			  GError **error)
{
	if (!set_classes(info, bt_trace_borrow_class_const(trace), layout, error))
		return FALSE;
	set_environment(info, trace);
	return TRUE;
}
