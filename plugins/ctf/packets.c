/* SPDX-License-Identifier: MIT */
/* packets.c: the packets and events of a stream as messages. */
#include "config.h"

#include <string.h>
#include <sys/stat.h>

#include "plugins/ctf/packets.h"

typedef enum {
	STATE_STREAM_BEGIN,
	STATE_OPEN, /* the next packet */
	STATE_LOST_PACKETS, /* in front of it */
	STATE_LOST_EVENTS,
	STATE_PACKET_BEGIN,
	STATE_EVENTS,
	STATE_PACKET_END,
	STATE_GIVEN_UP, /* behind a packet that could not be read to its end */
	STATE_STREAM_END,
	STATE_ENDED
} State;

struct WpCtfPackets {
	WpCtfTraceIr *ir; /* borrowed */
	bt_self_message_iterator *iterator; /* borrowed */
	const WpCtfIndexStream *stream; /* borrowed of the index */
	const WpCtfStreamPlan *plan; /* borrowed of the program */
	const WpCtfStreamIr *klass; /* borrowed of ir */
	bt_stream *out; /* borrowed of ir */
	WpFindings *findings; /* owned */
	WpCtfTimescale scale;
	WpCtfMachine machine;
	WpCtfPacketFrame frame;
	WpCtfPacketHead head; /* of the packet at hand */
	WpFieldCursor cursor;
	State state;
	guint next; /* packet, behind the one at hand */
	bt_packet *packet; /* reference, NULL */
	guint64 last; /* ticks of the last message that has a time */
	gboolean given_up; /* the packet at hand */
	/* Of the packet before. */
	gboolean has_before;
	guint64 number_before, discarded_before, end_before;
};

WpCtfPackets *wp_ctf_packets_new(WpCtfTraceIr *ir, guint stream, bt_self_message_iterator *iterator)
{
	WpCtfPackets *packets = g_new0(WpCtfPackets, 1);

	packets->ir = ir;
	packets->iterator = iterator;
	packets->stream = ir->index->streams->pdata[stream];
	packets->plan = &ir->program->streams[packets->stream->plan];
	packets->klass = &ir->classes[packets->stream->plan];
	packets->out = ir->streams->pdata[stream];
	packets->findings = wp_findings_new();
	wp_ctf_timescale_init(&packets->scale, packets->plan->clock);
	packets->machine.program = ir->program;
	packets->frame.stream = packets->plan;
	packets->frame.scale = &packets->scale;
	wp_ctf_packets_rewind(packets);
	return packets;
}

void wp_ctf_packets_free(WpCtfPackets *packets)
{
	if (!packets)
		return;
	bt_packet_put_ref(packets->packet);
	wp_findings_free(packets->findings);
	g_free(packets);
}

void wp_ctf_packets_rewind(WpCtfPackets *packets)
{
	packets->state = STATE_STREAM_BEGIN;
	packets->next = 0;
	packets->last = 0;
	packets->has_before = FALSE;
	packets->machine.ticks = packets->machine.largest = 0;
	BT_PACKET_PUT_REF_AND_RESET(packets->packet);
}

const WpFindings *wp_ctf_packets_get_findings(const WpCtfPackets *packets)
{
	return packets->findings;
}

static gboolean has(const WpCtfPackets *packets, WpCtfSpecial special)
{
	return (packets->head.has & WP_CTF_HAS(special)) != 0;
}

static const WpCtfPacket *packet_at_hand(const WpCtfPackets *packets)
{
	return &g_array_index(packets->stream->packets, WpCtfPacket, packets->next - 1);
}

static const WpCtfFile *file_at_hand(const WpCtfPackets *packets)
{
	return &g_array_index(packets->ir->index->files, WpCtfFile, packet_at_hand(packets)->file);
}

static void tell_damage(WpCtfPackets *packets, const gchar *why)
{
	wp_findings_add(packets->findings, "damaged-packet", WP_SEVERITY_ERROR, NULL,
			wp_ctf_timescale_apply(&packets->scale, packets->last), 1,
			"%s: the packet at byte %" G_GUINT64_FORMAT
			" is damaged from its byte %" G_GUINT64_FORMAT
			" on (%s); its events from there on are missing.",
			file_at_hand(packets)->path, packet_at_hand(packets)->offset,
			packets->machine.pos / 8, why);
}

/* ---- a packet ---- */

/* A file that has become shorter since it was mapped would end the process. */
static gboolean is_still_there(WpCtfPackets *packets)
{
	const WpCtfPacket *packet = packet_at_hand(packets);
	const WpCtfFile *file = file_at_hand(packets);
	struct stat st;

	if (stat(file->path, &st) != 0 || !S_ISREG(st.st_mode) ||
	    (guint64)st.st_size >= packet->offset + packet->size)
		return TRUE;
	wp_findings_add(packets->findings, "cut-stream", WP_SEVERITY_ERROR, NULL, WP_TIME_MIN, 1,
			"%s has become shorter while it was read; its packet at byte "
			"%" G_GUINT64_FORMAT " is missing.",
			file->path, packet->offset);
	return FALSE;
}

static gboolean read_head(WpCtfPackets *packets)
{
	const WpCtfPacket *packet = packet_at_hand(packets);
	WpCtfHeadStatus status;

	if (!is_still_there(packets))
		return FALSE;
	status = wp_ctf_packet_read_head(&packets->machine,
					 file_at_hand(packets)->data + packet->offset, packet->size,
					 &packets->head);
	if ((status != WP_CTF_HEAD_OK && status != WP_CTF_HEAD_UUID) ||
	    packets->head.stream != packets->stream->plan)
		return FALSE;
	packets->machine.end = MIN(packets->head.content, packet->size * 8);
	packets->cursor.data = packets->machine.data;
	packets->cursor.end = packets->machine.end;
	packets->given_up = FALSE;
	wp_ctf_packet_set_bounds(&packets->head, packets->plan, &packets->scale, &packets->frame);
	return TRUE;
}

/* Its context, and what later fields need of it. */
static WpFieldStatus decode_context(WpCtfPackets *packets)
{
	WpFieldStatus status = WP_FIELD_OK;

	packets->cursor.pos = 0;
	if (packets->klass->header)
		status = wp_field_plan_decode(packets->klass->header, &packets->cursor, NULL);
	if (status == WP_FIELD_OK && packets->klass->context)
		status = wp_field_plan_decode(packets->klass->context, &packets->cursor,
					      bt_packet_borrow_context_field(packets->packet));
	return status;
}

/* The time at which the packet at hand begins: no later than its first event. */
static guint64 find_begin(WpCtfPackets *packets)
{
	WpCtfMachine *machine = &packets->machine;
	const guint64 pos = machine->pos, ticks = machine->ticks;
	guint64 begin = has(packets, WP_CTF_BEGIN) ? packets->head.begin : G_MAXUINT64, content;
	const WpCtfEventPlan *plan;

	if (packets->plan->has_ticks && pos < machine->end &&
	    wp_ctf_machine_pass(machine, &packets->frame, &plan, &content) == WP_CTF_OK)
		begin = MIN(begin, machine->ticks);
	machine->pos = pos;
	machine->ticks = ticks;
	return begin == G_MAXUINT64 ? packets->last : MAX(begin, packets->last);
}

/* The time at which it ends: no later than the next begins, nor earlier than its last event. */
static guint64 find_end(const WpCtfPackets *packets)
{
	const GArray *all = packets->stream->packets;
	guint64 end = has(packets, WP_CTF_END_TIME) ? packets->head.end : packets->last;

	if (packets->next < all->len && has(packets, WP_CTF_BEGIN))
		end = MIN(end, g_array_index(all, WpCtfPacket, packets->next).begin);
	return MAX(end, packets->last);
}

/* ---- messages ---- */

static guint64 missing_packets(const WpCtfPackets *packets)
{
	if (!packets->has_before || !packets->klass->has_numbers ||
	    packets->head.number <= packets->number_before + 1)
		return 0;
	return packets->head.number - packets->number_before - 1;
}

/* Since the packet before; a counter that went back counts anew. */
static guint64 discarded_events(const WpCtfPackets *packets)
{
	if (!packets->klass->has_discarded)
		return 0;
	if (!packets->has_before || packets->head.discarded < packets->discarded_before)
		return packets->head.discarded;
	return packets->head.discarded - packets->discarded_before;
}

static guint64 loss_begin(const WpCtfPackets *packets)
{
	return packets->has_before ? packets->end_before : MAX(packets->head.begin, packets->last);
}

static bt_message *tell_lost_packets(const WpCtfPackets *packets, guint64 n)
{
	const guint64 begin = loss_begin(packets);
	bt_message *message =
		packets->klass->has_begin && packets->klass->has_end
			? bt_message_discarded_packets_create_with_default_clock_snapshots(
				  packets->iterator, packets->out, begin,
				  MAX(begin, packets->head.begin))
			: bt_message_discarded_packets_create(packets->iterator, packets->out);

	if (message)
		bt_message_discarded_packets_set_count(message, n);
	return message;
}

/* n: 0 when the number is not known. */
static bt_message *tell_lost_events(const WpCtfPackets *packets, guint64 begin, guint64 end,
				    guint64 n)
{
	bt_message *message =
		packets->klass->has_begin && packets->klass->has_end
			? bt_message_discarded_events_create_with_default_clock_snapshots(
				  packets->iterator, packets->out, begin, MAX(begin, end))
			: bt_message_discarded_events_create(packets->iterator, packets->out);

	if (message && n)
		bt_message_discarded_events_set_count(message, n);
	return message;
}

static bt_message *begin_packet(WpCtfPackets *packets)
{
	packets->last = find_begin(packets);
	return packets->klass->has_begin
		       ? bt_message_packet_beginning_create_with_default_clock_snapshot(
				 packets->iterator, packets->packet, packets->last)
		       : bt_message_packet_beginning_create(packets->iterator, packets->packet);
}

static bt_message *end_packet(WpCtfPackets *packets)
{
	bt_message *message;

	/* what could not be read of it follows as a loss */
	if (!packets->given_up || !packets->klass->has_discarded)
		packets->last = find_end(packets);
	message = packets->klass->has_end
			  ? bt_message_packet_end_create_with_default_clock_snapshot(
				    packets->iterator, packets->packet, packets->last)
			  : bt_message_packet_end_create(packets->iterator, packets->packet);
	BT_PACKET_PUT_REF_AND_RESET(packets->packet);
	packets->has_before = TRUE;
	packets->number_before = packets->head.number;
	packets->discarded_before = packets->head.discarded;
	packets->end_before = packets->last;
	return message;
}

static WpFieldStatus decode_event(WpCtfPackets *packets, const WpCtfEventIr *klass, guint64 header,
				  guint64 content, bt_event *event)
{
	WpFieldCursor *cursor = &packets->cursor;
	WpFieldStatus status = WP_FIELD_OK;

	cursor->pos = header;
	if (packets->klass->event_header)
		status = wp_field_plan_decode(packets->klass->event_header, cursor, NULL);
	cursor->pos = content;
	if (status == WP_FIELD_OK && packets->klass->event_context)
		status = wp_field_plan_decode(packets->klass->event_context, cursor,
					      bt_event_borrow_common_context_field(event));
	if (status == WP_FIELD_OK && klass->context)
		status = wp_field_plan_decode(klass->context, cursor,
					      bt_event_borrow_specific_context_field(event));
	if (status == WP_FIELD_OK && klass->payload)
		status = wp_field_plan_decode(klass->payload, cursor,
					      bt_event_borrow_payload_field(event));
	return status;
}

static bt_message *create_event(WpCtfPackets *packets, const WpCtfEventIr *klass)
{
	/* one that goes back in time is as late as the message before it */
	packets->last = MAX(packets->last, packets->machine.ticks);
	return packets->klass->has_clock
		       ? bt_message_event_create_with_packet_and_default_clock_snapshot(
				 packets->iterator, klass->klass, packets->packet, packets->last)
		       : bt_message_event_create_with_packet(packets->iterator, klass->klass,
							     packets->packet);
}

/* The next event of the packet at hand; NULL at its end, or when memory is out. */
static bt_message *next_event(WpCtfPackets *packets, gboolean *no_memory)
{
	const guint64 begin = packets->machine.pos;
	const WpCtfEventPlan *plan;
	const WpCtfEventIr *klass;
	WpFieldStatus decoded;
	bt_message *message;
	WpCtfStatus status;
	guint64 content;

	if (begin >= packets->machine.end)
		return NULL;
	status = wp_ctf_machine_pass(&packets->machine, &packets->frame, &plan, &content);
	if (status != WP_CTF_OK) {
		packets->given_up = TRUE;
		tell_damage(packets, wp_ctf_status_reason(status));
		return NULL;
	}
	klass = &packets->klass->events[plan - packets->plan->plans];
	message = create_event(packets, klass);
	decoded = message ? decode_event(packets, klass, begin, content,
					 bt_message_event_borrow_event(message))
			  : WP_FIELD_NO_MEMORY;
	if (decoded == WP_FIELD_OK)
		return message;
	bt_message_put_ref(message);
	*no_memory = decoded == WP_FIELD_NO_MEMORY;
	packets->given_up = TRUE;
	if (!*no_memory)
		tell_damage(packets, "an array is longer than it can be");
	return NULL;
}

/* ---- one after the other ---- */

/* Opens the next packet that can be read. */
static void open_packet(WpCtfPackets *packets, gboolean *no_memory)
{
	WpFieldStatus status;

	if (packets->next == packets->stream->packets->len) {
		packets->state = STATE_STREAM_END;
		return;
	}
	packets->next++;
	if (!read_head(packets))
		return;
	packets->packet = bt_packet_create(packets->out);
	status = packets->packet ? decode_context(packets) : WP_FIELD_NO_MEMORY;
	*no_memory = status == WP_FIELD_NO_MEMORY;
	if (status == WP_FIELD_OK) {
		packets->state = STATE_LOST_PACKETS;
		return;
	}
	BT_PACKET_PUT_REF_AND_RESET(packets->packet);
	if (!*no_memory)
		tell_damage(packets, "its context is longer than it can be");
}

/* NULL and no *no_memory: nothing to be told, the state has changed. */
static bt_message *step(WpCtfPackets *packets, gboolean *no_memory)
{
	bt_message *message = NULL;
	guint64 n, end;

	switch (packets->state) {
	case STATE_STREAM_BEGIN:
		packets->state = STATE_OPEN;
		message = bt_message_stream_beginning_create(packets->iterator, packets->out);
		break;
	case STATE_OPEN:
		open_packet(packets, no_memory);
		return NULL;
	case STATE_LOST_PACKETS:
		packets->state = STATE_LOST_EVENTS;
		n = missing_packets(packets);
		if (!n)
			return NULL;
		message = tell_lost_packets(packets, n);
		break;
	case STATE_LOST_EVENTS:
		packets->state = STATE_PACKET_BEGIN;
		n = discarded_events(packets);
		if (!n)
			return NULL;
		message = tell_lost_events(packets, loss_begin(packets), packets->head.end, n);
		break;
	case STATE_PACKET_BEGIN:
		packets->state = STATE_EVENTS;
		message = begin_packet(packets);
		break;
	case STATE_EVENTS:
		message = next_event(packets, no_memory);
		if (!message)
			packets->state = STATE_PACKET_END;
		return message;
	case STATE_PACKET_END:
		packets->state = packets->given_up ? STATE_GIVEN_UP : STATE_OPEN;
		message = end_packet(packets);
		break;
	case STATE_GIVEN_UP:
		packets->state = STATE_OPEN;
		end = find_end(packets);
		if (!packets->klass->has_discarded || end <= packets->last)
			return NULL;
		message = tell_lost_events(packets, packets->last, end, 0);
		packets->end_before = packets->last = end;
		break;
	case STATE_STREAM_END:
		packets->state = STATE_ENDED;
		message = bt_message_stream_end_create(packets->iterator, packets->out);
		break;
	case STATE_ENDED:
		return NULL;
	}
	*no_memory = !message;
	return message;
}

bt_message *wp_ctf_packets_next(WpCtfPackets *packets, gboolean *ret_no_memory)
{
	bt_message *message = NULL;

	*ret_no_memory = FALSE;
	while (!message && !*ret_no_memory && packets->state != STATE_ENDED)
		message = step(packets, ret_no_memory);
	return message;
}
