/* SPDX-License-Identifier: MIT */
/* mirror.c: copies of traces, streams, packets and messages; the tables are in mirror-private.h. */
#include "config.h"

#include <string.h>

#include "plugins/common/told.h"
#include "plugins/mirror/mirror-private.h"

static void stream_free(gpointer data)
{
	MirrorStream *stream = data;

	bt_stream_put_ref(stream->out);
	g_free(stream);
}

static void trace_free(gpointer data)
{
	MirrorTrace *trace = data;

	/* removing fails only when memory is out; the listener itself can't outlive the trace */
	if (trace->in)
		(void)bt_trace_remove_destruction_listener(trace->in, trace->listener);
	if (trace->streams)
		g_hash_table_destroy(trace->streams);
	bt_trace_put_ref(trace->out);
	g_free(trace);
}

WpMirror *wp_mirror_new(bt_self_component *component, WpMirrorMapFunc func, gpointer data)
{
	WpMirror *mirror = g_new0(WpMirror, 1);

	mirror->component = component;
	mirror->map_func = func;
	mirror->map_data = data;
	mirror->traces = g_hash_table_new_full(NULL, NULL, NULL, trace_free);
	mirror->classes = g_ptr_array_new_with_free_func((GDestroyNotify)wp_mirror_class_free);
	mirror->clocks = g_ptr_array_new();
	mirror->packets = g_hash_table_new_full(NULL, NULL, (GDestroyNotify)bt_packet_put_ref,
						(GDestroyNotify)bt_packet_put_ref);
	return mirror;
}

void wp_mirror_free(WpMirror *mirror)
{
	if (!mirror)
		return;
	g_hash_table_destroy(mirror->packets);
	g_hash_table_destroy(mirror->traces);
	g_ptr_array_unref(mirror->classes);
	g_ptr_array_unref(mirror->clocks);
	g_free(mirror);
}

void wp_mirror_set_corrected(WpMirror *mirror)
{
	mirror->corrected = TRUE;
}

static void forget_packets(MirrorTrace *trace)
{
	GHashTableIter iter;
	gpointer stream;

	g_hash_table_iter_init(&iter, trace->streams);
	while (g_hash_table_iter_next(&iter, NULL, &stream))
		((MirrorStream *)stream)->packet_in = NULL;
}

void wp_mirror_rewind(WpMirror *mirror)
{
	GHashTableIter iter;
	gpointer trace;

	g_hash_table_iter_init(&iter, mirror->traces);
	while (g_hash_table_iter_next(&iter, NULL, &trace))
		forget_packets(trace);
	g_hash_table_remove_all(mirror->packets);
}

static void trace_destroyed(const bt_trace *in, void *data)
{
	MirrorTrace *trace = data;

	trace->in = NULL;
	memset(trace->mirror->recent, 0, sizeof(trace->mirror->recent));
	g_hash_table_remove(trace->mirror->traces, in);
}

static gboolean copy_environment(const bt_trace *in, bt_trace *out)
{
	guint64 n = bt_trace_get_environment_entry_count(in);
	bt_trace_set_environment_entry_status status = BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK;

	for (guint64 i = 0; i < n && status == BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK; i++) {
		const gchar *name;
		const bt_value *value;

		bt_trace_borrow_environment_entry_by_index_const(in, i, &name, &value);
		if (bt_value_is_string(value))
			status = bt_trace_set_environment_entry_string(out, name,
								       bt_value_string_get(value));
		else
			status = bt_trace_set_environment_entry_integer(
				out, name, bt_value_integer_signed_get(value));
	}
	return status == BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK;
}

static gboolean fill_trace(const WpMirror *mirror, const bt_trace *in, bt_trace *out)
{
	const gchar *name = bt_trace_get_name(in);
	bt_uuid uuid = bt_trace_get_uuid(in);

	if (name && bt_trace_set_name(out, name) != BT_TRACE_SET_NAME_STATUS_OK)
		return FALSE;
	if (uuid)
		bt_trace_set_uuid(out, uuid);
	bt_trace_set_user_attributes(out, bt_trace_borrow_user_attributes_const(in));
	if (mirror->corrected && !wp_told_set_corrected(out))
		return FALSE;
	return copy_environment(in, out);
}

/* Losses that a stream is told to have are where the copied clock says. */
static gboolean correct_losses(const MirrorStream *stream)
{
	g_autoptr(GArray) losses = wp_told_get_losses(stream->in);
	const WpClockMap *map = stream->clock ? stream->clock->map : NULL;

	if (!losses || !map)
		return TRUE;
	for (guint i = 0; i < losses->len; i++) {
		WpToldLoss *loss = &g_array_index(losses, WpToldLoss, i);

		loss->begin = wp_clock_map_apply(map, loss->begin);
		loss->end = wp_clock_map_apply(map, loss->end);
	}
	return wp_told_set_losses(stream->out, losses);
}

static MirrorStream *stream_new(MirrorTrace *trace, const bt_stream *in, GError **error)
{
	const bt_stream_class *in_class = bt_stream_borrow_class_const(in);
	bt_stream_class *out_class = wp_mirror_class_get_stream_class(trace->klass, in_class,
								      error);
	const gchar *name = bt_stream_get_name(in);
	MirrorStream *stream;
	bt_stream *out;

	if (!out_class)
		return NULL;
	out = bt_stream_create_with_id(out_class, trace->out, bt_stream_get_id(in));
	if (!out || (name && bt_stream_set_name(out, name) != BT_STREAM_SET_NAME_STATUS_OK)) {
		bt_stream_put_ref(out);
		wp_mirror_no_memory(error);
		return NULL;
	}
	bt_stream_set_user_attributes(out, bt_stream_borrow_user_attributes_const(in));
	stream = g_new0(MirrorStream, 1);
	stream->in = in;
	stream->out = out;
	stream->trace = trace;
	stream->has_packets = bt_stream_class_supports_packets(in_class);
	stream->clock = wp_mirror_class_get_clock(trace->klass, in_class);
	if (!correct_losses(stream)) {
		stream_free(stream);
		wp_mirror_no_memory(error);
		return NULL;
	}
	g_hash_table_insert(trace->streams, (gpointer)in, stream);
	return stream;
}

/* Copies a trace and the streams that it has by now; later ones are copied when they appear. */
static MirrorTrace *trace_new(WpMirror *mirror, const bt_trace *in, GError **error)
{
	const WpClockMap *map = mirror->map_func ? mirror->map_func(in, mirror->map_data) : NULL;
	MirrorClass *klass = wp_mirror_class_get(mirror, bt_trace_borrow_class_const(in), map,
						 error);
	MirrorTrace *trace;

	if (!klass)
		return NULL;
	trace = g_new0(MirrorTrace, 1);
	trace->mirror = mirror;
	trace->klass = klass;
	trace->out = bt_trace_create(klass->out);
	if (!trace->out || !fill_trace(mirror, in, trace->out) ||
	    bt_trace_add_destruction_listener(in, trace_destroyed, trace, &trace->listener) !=
		    BT_TRACE_ADD_LISTENER_STATUS_OK) {
		trace_free(trace);
		wp_mirror_no_memory(error);
		return NULL;
	}
	trace->in = in;
	trace->streams = g_hash_table_new_full(NULL, NULL, NULL, stream_free);
	for (guint64 i = 0; i < bt_trace_get_stream_count(in); i++) {
		if (!stream_new(trace, bt_trace_borrow_stream_by_index_const(in, i), error)) {
			trace_free(trace);
			return NULL;
		}
	}
	g_hash_table_insert(mirror->traces, (gpointer)in, trace);
	return trace;
}

static MirrorTrace *get_trace(WpMirror *mirror, const bt_trace *in, GError **error)
{
	MirrorTrace *trace = g_hash_table_lookup(mirror->traces, in);

	return trace ?: trace_new(mirror, in, error);
}

static MirrorStream *find_stream(WpMirror *mirror, const bt_stream *in, GError **error)
{
	MirrorTrace *trace = get_trace(mirror, bt_stream_borrow_trace_const(in), error);
	MirrorStream *stream = trace ? g_hash_table_lookup(trace->streams, in) : NULL;

	return stream || !trace ? stream : stream_new(trace, in, error);
}

/* What an upstream stream became. Streams live as long as their trace. */
static MirrorStream *get_stream(WpMirror *mirror, const bt_stream *in, GError **error)
{
	MirrorStream **recent = &mirror->recent[wp_recent_slot(in)];

	if (!*recent || (*recent)->in != in)
		*recent = find_stream(mirror, in, error);
	return *recent;
}

static bt_packet *get_packet(WpMirror *mirror, const bt_packet *in, GError **error)
{
	bt_packet *out = g_hash_table_lookup(mirror->packets, in);
	const bt_field *context = bt_packet_borrow_context_field_const(in);
	MirrorStream *stream;

	if (out)
		return out;
	stream = get_stream(mirror, bt_packet_borrow_stream_const(in), error);
	if (!stream)
		return NULL;
	out = bt_packet_create(stream->out);
	if (!out) {
		wp_mirror_no_memory(error);
		return NULL;
	}
	if (context && !wp_mirror_field_copy(context, bt_packet_borrow_context_field(out), error)) {
		bt_packet_put_ref(out);
		return NULL;
	}
	bt_packet_get_ref(in);
	g_hash_table_insert(mirror->packets, (gpointer)in, out);
	return out;
}

static bt_message *copy_stream_beginning(WpMirror *mirror, bt_self_message_iterator *iterator,
					 const bt_message *in, GError **error)
{
	const bt_clock_snapshot *snapshot;
	MirrorStream *stream = get_stream(
		mirror, bt_message_stream_beginning_borrow_stream_const(in), error);
	bt_message *out;
	guint64 value;

	if (!stream)
		return NULL;
	out = bt_message_stream_beginning_create(iterator, stream->out);
	if (out && stream->clock &&
	    bt_message_stream_beginning_borrow_default_clock_snapshot_const(in, &snapshot) ==
		    BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN) {
		if (!wp_mirror_clock_value(stream->clock, snapshot, &value, NULL, error))
			BT_MESSAGE_PUT_REF_AND_RESET(out);
		else
			bt_message_stream_beginning_set_default_clock_snapshot(out, value);
	}
	return out;
}

static bt_message *copy_stream_end(WpMirror *mirror, bt_self_message_iterator *iterator,
				   const bt_message *in, GError **error)
{
	const bt_clock_snapshot *snapshot;
	MirrorStream *stream = get_stream(mirror, bt_message_stream_end_borrow_stream_const(in),
					  error);
	bt_message *out;
	guint64 value;

	if (!stream)
		return NULL;
	out = bt_message_stream_end_create(iterator, stream->out);
	if (out && stream->clock &&
	    bt_message_stream_end_borrow_default_clock_snapshot_const(in, &snapshot) ==
		    BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN) {
		if (!wp_mirror_clock_value(stream->clock, snapshot, &value, NULL, error))
			BT_MESSAGE_PUT_REF_AND_RESET(out);
		else
			bt_message_stream_end_set_default_clock_snapshot(out, value);
	}
	return out;
}

static bt_message *copy_packet_beginning(WpMirror *mirror, bt_self_message_iterator *iterator,
					 const bt_message *in, GError **error)
{
	const bt_packet *in_packet = bt_message_packet_beginning_borrow_packet_const(in);
	const bt_stream *in_stream = bt_packet_borrow_stream_const(in_packet);
	MirrorStream *stream = get_stream(mirror, in_stream, error);
	bt_packet *packet = stream ? get_packet(mirror, in_packet, error) : NULL;
	guint64 value;

	if (!packet)
		return NULL;
	if (!bt_stream_class_packets_have_beginning_default_clock_snapshot(
		    bt_stream_borrow_class_const(in_stream)))
		return bt_message_packet_beginning_create(iterator, packet);
	if (!wp_mirror_clock_value(
		    stream->clock,
		    bt_message_packet_beginning_borrow_default_clock_snapshot_const(in), &value,
		    NULL, error))
		return NULL;
	return bt_message_packet_beginning_create_with_default_clock_snapshot(iterator, packet,
									      value);
}

static bt_message *copy_packet_end(WpMirror *mirror, bt_self_message_iterator *iterator,
				   const bt_message *in, GError **error)
{
	const bt_packet *in_packet = bt_message_packet_end_borrow_packet_const(in);
	const bt_stream *in_stream = bt_packet_borrow_stream_const(in_packet);
	MirrorStream *stream = get_stream(mirror, in_stream, error);
	bt_packet *packet = stream ? get_packet(mirror, in_packet, error) : NULL;
	bt_message *out;
	guint64 value;

	if (!packet)
		return NULL;
	if (!bt_stream_class_packets_have_end_default_clock_snapshot(
		    bt_stream_borrow_class_const(in_stream)))
		out = bt_message_packet_end_create(iterator, packet);
	else if (!wp_mirror_clock_value(
			 stream->clock,
			 bt_message_packet_end_borrow_default_clock_snapshot_const(in), &value,
			 NULL, error))
		return NULL;
	else
		out = bt_message_packet_end_create_with_default_clock_snapshot(iterator, packet,
									       value);
	stream->packet_in = NULL;
	g_hash_table_remove(mirror->packets, in_packet);
	return out;
}

static bt_message *new_event_message(bt_self_message_iterator *iterator,
				     const bt_event_class *event_class, MirrorStream *stream,
				     bt_packet *packet, const guint64 *value)
{
	if (packet && value)
		return bt_message_event_create_with_packet_and_default_clock_snapshot(
			iterator, event_class, packet, *value);
	if (packet)
		return bt_message_event_create_with_packet(iterator, event_class, packet);
	if (value)
		return bt_message_event_create_with_default_clock_snapshot(iterator, event_class,
									   stream->out, *value);
	return bt_message_event_create(iterator, event_class, stream->out);
}

static gboolean copy_event_fields(const MirrorEventClass *klass, const bt_event *in, bt_event *out,
				  GError **error)
{
	if (klass->common &&
	    !wp_mirror_plan_copy(klass->common, bt_event_borrow_common_context_field_const(in),
				 bt_event_borrow_common_context_field(out), error))
		return FALSE;
	if (klass->specific &&
	    !wp_mirror_plan_copy(klass->specific, bt_event_borrow_specific_context_field_const(in),
				 bt_event_borrow_specific_context_field(out), error))
		return FALSE;
	return !klass->payload ||
	       wp_mirror_plan_copy(klass->payload, bt_event_borrow_payload_field_const(in),
				   bt_event_borrow_payload_field(out), error);
}

/* The copy of an event's packet; NULL with an error. */
static bt_packet *get_event_packet(WpMirror *mirror, MirrorStream *stream, const bt_packet *in,
				   GError **error)
{
	if (stream->packet_in != in) {
		stream->packet = get_packet(mirror, in, error);
		stream->packet_in = stream->packet ? in : NULL;
	}
	return stream->packet;
}

static bt_message *copy_event(WpMirror *mirror, bt_self_message_iterator *iterator,
			      const bt_message *in, WpTime *ret_time, GError **error)
{
	const bt_event *event = bt_message_event_borrow_event_const(in);
	MirrorStream *stream = get_stream(mirror, bt_event_borrow_stream_const(event), error);
	const MirrorEventClass *klass = stream ? wp_mirror_class_get_event_class(
							 stream->trace->klass,
							 bt_event_borrow_class_const(event), error)
					       : NULL;
	bt_packet *packet = NULL;
	bt_message *out;
	guint64 value;

	if (!klass)
		return NULL;
	if (stream->has_packets) {
		packet = get_event_packet(mirror, stream, bt_event_borrow_packet_const(event),
					  error);
		if (!packet)
			return NULL;
	}
	if (stream->clock &&
	    !wp_mirror_clock_value(stream->clock,
				   bt_message_event_borrow_default_clock_snapshot_const(in), &value,
				   ret_time, error))
		return NULL;
	out = new_event_message(iterator, klass->out, stream, packet,
				stream->clock ? &value : NULL);
	if (out && !copy_event_fields(klass, event, bt_message_event_borrow_event(out), error))
		BT_MESSAGE_PUT_REF_AND_RESET(out);
	return out;
}

static gboolean convert_span(const MirrorStream *stream, const bt_clock_snapshot *begin,
			     const bt_clock_snapshot *end, guint64 *ret_span, GError **error)
{
	return wp_mirror_clock_value(stream->clock, begin, &ret_span[0], NULL, error) &&
	       wp_mirror_clock_value(stream->clock, end, &ret_span[1], NULL, error);
}

static bt_message *copy_discarded_events(WpMirror *mirror, bt_self_message_iterator *iterator,
					 const bt_message *in, GError **error)
{
	const bt_stream *in_stream = bt_message_discarded_events_borrow_stream_const(in);
	MirrorStream *stream = get_stream(mirror, in_stream, error);
	bt_message *out;
	guint64 span[2], count;

	if (!stream)
		return NULL;
	if (!bt_stream_class_discarded_events_have_default_clock_snapshots(
		    bt_stream_borrow_class_const(in_stream)))
		out = bt_message_discarded_events_create(iterator, stream->out);
	else if (!convert_span(
			 stream,
			 bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(
				 in),
			 bt_message_discarded_events_borrow_end_default_clock_snapshot_const(in),
			 span, error))
		return NULL;
	else
		out = bt_message_discarded_events_create_with_default_clock_snapshots(
			iterator, stream->out, span[0], span[1]);
	if (out &&
	    bt_message_discarded_events_get_count(in, &count) == BT_PROPERTY_AVAILABILITY_AVAILABLE)
		bt_message_discarded_events_set_count(out, count);
	return out;
}

static bt_message *copy_discarded_packets(WpMirror *mirror, bt_self_message_iterator *iterator,
					  const bt_message *in, GError **error)
{
	const bt_stream *in_stream = bt_message_discarded_packets_borrow_stream_const(in);
	MirrorStream *stream = get_stream(mirror, in_stream, error);
	bt_message *out;
	guint64 span[2], count;

	if (!stream)
		return NULL;
	if (!bt_stream_class_discarded_packets_have_default_clock_snapshots(
		    bt_stream_borrow_class_const(in_stream)))
		out = bt_message_discarded_packets_create(iterator, stream->out);
	else if (!convert_span(
			 stream,
			 bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(
				 in),
			 bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(in),
			 span, error))
		return NULL;
	else
		out = bt_message_discarded_packets_create_with_default_clock_snapshots(
			iterator, stream->out, span[0], span[1]);
	if (out && bt_message_discarded_packets_get_count(in, &count) ==
			   BT_PROPERTY_AVAILABILITY_AVAILABLE)
		bt_message_discarded_packets_set_count(out, count);
	return out;
}

/* Such a message belongs to a clock, not to a stream: any copy of that clock will do. */
static gboolean copy_inactivity(WpMirror *mirror, bt_self_message_iterator *iterator,
				const bt_message *in, bt_message **ret_copy, GError **error)
{
	const bt_clock_snapshot *snapshot =
		bt_message_message_iterator_inactivity_borrow_clock_snapshot_const(in);
	const bt_clock_class *clock_class = bt_clock_snapshot_borrow_clock_class_const(snapshot);
	MirrorClock *clock = NULL;
	guint64 value;

	for (guint i = 0; i < mirror->clocks->len && !clock; i++) {
		MirrorClock *candidate = g_ptr_array_index(mirror->clocks, i);

		if (candidate->in == clock_class)
			clock = candidate;
	}
	if (!clock) {
		*ret_copy = NULL;
		return TRUE;
	}
	if (!wp_mirror_clock_value(clock, snapshot, &value, NULL, error))
		return FALSE;
	*ret_copy = bt_message_message_iterator_inactivity_create(iterator, clock->out, value);
	return *ret_copy || wp_mirror_no_memory(error);
}

gboolean wp_mirror_message(WpMirror *mirror, bt_self_message_iterator *iterator,
			   const bt_message *message, bt_message **ret_copy, WpTime *ret_time,
			   GError **error)
{
	g_autoptr(GError) failed = NULL;
	bt_message *copy = NULL;

	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		copy = copy_event(mirror, iterator, message, ret_time, &failed);
		break;
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		copy = copy_packet_beginning(mirror, iterator, message, &failed);
		break;
	case BT_MESSAGE_TYPE_PACKET_END:
		copy = copy_packet_end(mirror, iterator, message, &failed);
		break;
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		copy = copy_stream_beginning(mirror, iterator, message, &failed);
		break;
	case BT_MESSAGE_TYPE_STREAM_END:
		copy = copy_stream_end(mirror, iterator, message, &failed);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		copy = copy_discarded_events(mirror, iterator, message, &failed);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		copy = copy_discarded_packets(mirror, iterator, message, &failed);
		break;
	case BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY:
		return copy_inactivity(mirror, iterator, message, ret_copy, error);
	}
	if (copy) {
		*ret_copy = copy;
		return TRUE;
	}
	/* a NULL without an error is Babeltrace's: out of memory */
	if (!failed)
		wp_mirror_no_memory(&failed);
	g_propagate_error(error, g_steal_pointer(&failed));
	return FALSE;
}
