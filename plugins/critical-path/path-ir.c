/* SPDX-License-Identifier: MIT */
/*
 * path-ir.c: the segments of a path as trace IR.
 *
 * They lie in packets that tell when they begin and end, although no tracer ever filled a buffer
 * with them: of a packet without times the reader of CTF in Trace Compass takes that it begins in
 * 1970 and never ends, and readers look for a time packet by packet.
 */
#include "config.h"

#include "plugins/critical-path/path-ir.h"

/* Segments of a packet: some hundred kilobytes. */
#define PACKET_MAX 4096

typedef enum {
	FIELD_HOST,
	FIELD_TID,
	FIELD_COMM,
	FIELD_STATE,
	FIELD_CAUSE,
	FIELD_DETAIL,
	FIELD_CPU,
	FIELD_DEPTH,
	FIELD_DURATION,
	FIELD_N
} Field;

/* bits: 0 for a text. */
static const struct {
	const gchar *name;
	guint bits;
	gboolean is_signed;
} fields[FIELD_N] = {
	[FIELD_HOST] = {"host", 0, FALSE},
	[FIELD_TID] = {"tid", 32, TRUE},
	[FIELD_COMM] = {"comm", 0, FALSE},
	[FIELD_STATE] = {"state", 0, FALSE},
	[FIELD_CAUSE] = {"cause", 0, FALSE},
	[FIELD_DETAIL] = {"detail", 0, FALSE},
	[FIELD_CPU] = {"cpu", 32, TRUE},
	[FIELD_DEPTH] = {"depth", 16, FALSE},
	[FIELD_DURATION] = {"duration", 64, FALSE},
};

struct WpPathIr {
	bt_trace_class *trace_class; /* reference */
	bt_trace *trace; /* reference */
	bt_stream *stream; /* reference */
	bt_event_class *event_class; /* borrowed from the stream class */
	/*
	 * Value 0 of the clock, a whole second: the epoch itself, unless the path begins before. Then
	 * values are times, for who does not know of a clock's offset in seconds (Trace Compass).
	 */
	WpTime base;
	bt_packet *packet; /* reference: the open one, NULL */
	guint n_in_packet; /* segments */
	WpTime end; /* of the last segment */
	WpCauseInfo info;
};

static bt_field_class *create_field_class(bt_trace_class *trace_class, Field field)
{
	bt_field_class *klass;

	if (!fields[field].bits)
		return bt_field_class_string_create(trace_class);
	klass = fields[field].is_signed ? bt_field_class_integer_signed_create(trace_class)
					: bt_field_class_integer_unsigned_create(trace_class);
	if (klass)
		bt_field_class_integer_set_field_value_range(klass, fields[field].bits);
	return klass;
}

static bt_field_class *create_payload_class(bt_trace_class *trace_class)
{
	bt_field_class *payload = bt_field_class_structure_create(trace_class);

	for (guint i = 0; payload && i < FIELD_N; i++) {
		bt_field_class *klass = create_field_class(trace_class, i);

		if (!klass ||
		    bt_field_class_structure_append_member(payload, fields[i].name, klass) !=
			    BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK)
			BT_FIELD_CLASS_PUT_REF_AND_RESET(payload);
		bt_field_class_put_ref(klass);
	}
	return payload;
}

static bt_clock_class *create_clock(const WpPathIr *ir, bt_self_component *component,
				    const gchar *host)
{
	g_autofree gchar *text = g_strdup_printf("Clock of host %s", host);
	bt_clock_class *clock = bt_clock_class_create(component);

	if (!clock)
		return NULL;
	bt_clock_class_set_offset(clock, ir->base / WP_NS_PER_S, 0);
	if (bt_clock_class_set_name(clock, "reference") != BT_CLOCK_CLASS_SET_NAME_STATUS_OK ||
	    bt_clock_class_set_description(clock, text) != BT_CLOCK_CLASS_SET_DESCRIPTION_STATUS_OK)
		BT_CLOCK_CLASS_PUT_REF_AND_RESET(clock);
	return clock;
}

static gboolean set_event_class(WpPathIr *ir, bt_stream_class *stream_class)
{
	bt_field_class *payload = create_payload_class(ir->trace_class);
	gboolean ok = payload != NULL;

	ir->event_class = ok ? bt_event_class_create(stream_class) : NULL;
	ok = ir->event_class &&
	     bt_event_class_set_name(ir->event_class, "segment") ==
		     BT_EVENT_CLASS_SET_NAME_STATUS_OK &&
	     bt_event_class_set_payload_field_class(ir->event_class, payload) ==
		     BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK;
	/* the stream class owns it */
	bt_event_class_put_ref(ir->event_class);
	bt_field_class_put_ref(payload);
	return ok;
}

static gboolean set_stream(WpPathIr *ir, bt_self_component *component, const gchar *reference)
{
	bt_clock_class *clock = create_clock(ir, component, reference);
	bt_stream_class *stream_class = clock ? bt_stream_class_create(ir->trace_class) : NULL;
	gboolean ok = stream_class &&
		      bt_stream_class_set_default_clock_class(stream_class, clock) ==
			      BT_STREAM_CLASS_SET_DEFAULT_CLOCK_CLASS_STATUS_OK &&
		      set_event_class(ir, stream_class);

	if (ok)
		bt_stream_class_set_supports_packets(stream_class, BT_TRUE, BT_TRUE, BT_TRUE);
	ir->stream = ok ? bt_stream_create(stream_class, ir->trace) : NULL;
	bt_stream_class_put_ref(stream_class);
	bt_clock_class_put_ref(clock);
	return ir->stream &&
	       bt_stream_set_name(ir->stream, "critical-path") == BT_STREAM_SET_NAME_STATUS_OK;
}

static gboolean set_text(bt_trace *trace, const gchar *name, const gchar *value)
{
	return bt_trace_set_environment_entry_string(trace, name, value) ==
	       BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK;
}

static gboolean set_trace(WpPathIr *ir, const WpActor *actor, WpPathMode mode,
			  const gchar *reference)
{
	g_autofree gchar *task = g_strdup_printf("%s:%d", actor->host_name, actor->tid);

	return bt_trace_set_name(ir->trace, "critical-path") == BT_TRACE_SET_NAME_STATUS_OK &&
	       set_text(ir->trace, "tracer_name", "waitpath") &&
	       set_text(ir->trace, "task", task) && set_text(ir->trace, "comm", actor->comm) &&
	       set_text(ir->trace, "mode", mode == WP_PATH_CAUSAL ? "causal" : "active") &&
	       set_text(ir->trace, "reference", reference);
}

WpPathIr *wp_path_ir_new(bt_self_component *component, const WpGraph *graph, guint32 host,
			 WpId task, WpPathMode mode, WpTime begin)
{
	const gchar *reference = graph->hosts[graph->reference]->name;
	g_autoptr(WpPathIr) ir = g_new0(WpPathIr, 1);
	WpActor actor;

	wp_actor_init(&actor, graph, host, task, WP_TIME_MAX);
	wp_cause_info_init(&ir->info);
	ir->base = begin < 0 ? begin - (begin % WP_NS_PER_S + WP_NS_PER_S) % WP_NS_PER_S : 0;
	ir->trace_class = bt_trace_class_create(component);
	ir->trace = ir->trace_class ? bt_trace_create(ir->trace_class) : NULL;
	if (!ir->trace || !set_trace(ir, &actor, mode, reference) ||
	    !set_stream(ir, component, reference))
		return NULL;
	return g_steal_pointer(&ir);
}

void wp_path_ir_free(WpPathIr *ir)
{
	if (!ir)
		return;
	wp_cause_info_clear(&ir->info);
	bt_packet_put_ref(ir->packet);
	bt_stream_put_ref(ir->stream);
	bt_trace_put_ref(ir->trace);
	bt_trace_class_put_ref(ir->trace_class);
	g_free(ir);
}

bt_message *wp_path_ir_begin_stream(WpPathIr *ir, bt_self_message_iterator *iterator)
{
	return bt_message_stream_beginning_create(iterator, ir->stream);
}

bt_message *wp_path_ir_end_stream(WpPathIr *ir, bt_self_message_iterator *iterator)
{
	return bt_message_stream_end_create(iterator, ir->stream);
}

static bt_field *member(bt_field *payload, Field field)
{
	return bt_field_structure_borrow_member_field_by_index(payload, field);
}

/*
 * No text is left empty: of one that is, source.ctf.fs of Babeltrace 2.0 gives what the field held
 * before, so that a path read back would tell of causes that another segment had.
 */
static gboolean put_text(bt_field *payload, Field field, const gchar *text)
{
	return bt_field_string_set_value(member(payload, field), text && *text ? text : "-") ==
	       BT_FIELD_STRING_SET_VALUE_STATUS_OK;
}

static gboolean fill(WpPathIr *ir, bt_field *payload, WpGraph *graph, const WpSegment *segment)
{
	guint32 cpu = wp_segment_cpu(graph, segment);
	g_autofree gchar *detail = NULL;
	WpActor actor;

	wp_actor_init(&actor, graph, segment->host, segment->task, segment->begin);
	wp_cause_info_fill(&ir->info, graph, segment);
	detail = wp_cause_info_dup_text(&ir->info, graph, segment);
	bt_field_integer_signed_set_value(member(payload, FIELD_TID), actor.tid);
	bt_field_integer_signed_set_value(member(payload, FIELD_CPU),
					  cpu <= G_MAXINT32 ? (gint64)cpu : -1);
	bt_field_integer_unsigned_set_value(member(payload, FIELD_DEPTH), segment->depth);
	bt_field_integer_unsigned_set_value(member(payload, FIELD_DURATION),
					    (guint64)segment->end - (guint64)segment->begin);
	return put_text(payload, FIELD_HOST, actor.host_name) &&
	       put_text(payload, FIELD_COMM, actor.comm) &&
	       put_text(payload, FIELD_STATE, wp_state_key(segment->state)) &&
	       put_text(payload, FIELD_CAUSE, wp_cause_kind_key(ir->info.kind)) &&
	       put_text(payload, FIELD_DETAIL, detail);
}

static guint64 clock_value(const WpPathIr *ir, WpTime time)
{
	return (guint64)time - (guint64)ir->base;
}

static bt_message *begin_packet(WpPathIr *ir, bt_self_message_iterator *iterator, WpTime begin)
{
	ir->packet = bt_packet_create(ir->stream);
	ir->n_in_packet = 0;
	ir->end = begin;
	return ir->packet ? bt_message_packet_beginning_create_with_default_clock_snapshot(
				    iterator, ir->packet, clock_value(ir, begin))
			  : NULL;
}

gboolean wp_path_ir_has_packet(const WpPathIr *ir)
{
	return ir->packet != NULL;
}

bt_message *wp_path_ir_end_packet(WpPathIr *ir, bt_self_message_iterator *iterator)
{
	bt_message *message = bt_message_packet_end_create_with_default_clock_snapshot(
		iterator, ir->packet, clock_value(ir, ir->end));

	BT_PACKET_PUT_REF_AND_RESET(ir->packet);
	return message;
}

static bt_message *add_segment(WpPathIr *ir, bt_self_message_iterator *iterator, WpGraph *graph,
			       const WpSegment *segment)
{
	bt_message *message = bt_message_event_create_with_packet_and_default_clock_snapshot(
		iterator, ir->event_class, ir->packet, clock_value(ir, segment->begin));

	ir->n_in_packet++;
	ir->end = segment->end;
	if (message &&
	    !fill(ir, bt_event_borrow_payload_field(bt_message_event_borrow_event(message)), graph,
		  segment))
		BT_MESSAGE_PUT_REF_AND_RESET(message);
	return message;
}

bt_message *wp_path_ir_give_segment(WpPathIr *ir, bt_self_message_iterator *iterator,
				    WpGraph *graph, const WpSegment *segment, gboolean *ret_given)
{
	*ret_given = ir->packet && ir->n_in_packet < PACKET_MAX;
	if (*ret_given)
		return add_segment(ir, iterator, graph, segment);
	return ir->packet ? wp_path_ir_end_packet(ir, iterator)
			  : begin_packet(ir, iterator, segment->begin);
}
