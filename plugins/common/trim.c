/* SPDX-License-Identifier: MIT */
/*
 * trim.c: messages between two times.
 *
 * Before the begin, only streams begin and end for those downstream; packets that begin are
 * kept in mind, and at the first message that is in they begin, all at the edge. At the first
 * message behind the end all that is open ends at that edge.
 */
#include "config.h"

#include "bt2/bt2-clock.h"
#include "plugins/common/lanes.h"
#include "plugins/common/trim.h"

typedef enum { PHASE_BEFORE, PHASE_INSIDE, PHASE_AFTER } Phase;

typedef struct {
	const bt_stream *stream; /* reference */
	const bt_packet *packet; /* reference: the one that is open, NULL */
	guint order; /* in which they began */
} Open;

struct WpTrim {
	WpTime begin, end;
	Phase phase;
	GHashTable *open; /* owned: const bt_stream * -> Open * (owned) */
	guint n_begun;
};

static void open_free(gpointer data)
{
	Open *open = data;

	bt_packet_put_ref(open->packet);
	bt_stream_put_ref(open->stream);
	g_free(open);
}

WpTrim *wp_trim_new(WpTime begin, WpTime end)
{
	WpTrim *trim = g_new0(WpTrim, 1);

	trim->begin = begin;
	trim->end = end;
	trim->phase = begin == WP_TIME_MIN ? PHASE_INSIDE : PHASE_BEFORE;
	trim->open = g_hash_table_new_full(NULL, NULL, NULL, open_free);
	return trim;
}

void wp_trim_free(WpTrim *trim)
{
	if (!trim)
		return;
	g_hash_table_destroy(trim->open);
	g_free(trim);
}

guint64 wp_clock_class_value_at(const bt_clock_class *clock_class, WpTime time)
{
	guint64 frequency = bt_clock_class_get_frequency(clock_class);
	gint64 seconds;
	guint64 cycles;
	__int128 value;

	bt_clock_class_get_offset(clock_class, &seconds, &cycles);
	value = ((__int128)time - (__int128)seconds * WP_NS_PER_S) * frequency;
	if (value < 0)
		return 0;
	value = (value + WP_NS_PER_S - 1) / WP_NS_PER_S - cycles;
	return value < 0 ? 0 : (guint64)MIN(value, (__int128)G_MAXUINT64);
}

static guint64 stream_value_at(const bt_stream *stream, WpTime time)
{
	return wp_clock_class_value_at(bt_stream_class_borrow_default_clock_class_const(
					       bt_stream_borrow_class_const(stream)),
				       time);
}

static gint compare_open(gconstpointer a, gconstpointer b)
{
	const Open *x = *(const Open *const *)a, *y = *(const Open *const *)b;

	return x->order < y->order ? -1 : x->order > y->order;
}

/* The open streams in the order in which they began. */
static GPtrArray *list_open(const WpTrim *trim)
{
	GPtrArray *list = g_ptr_array_new();
	GHashTableIter iter;
	gpointer open;

	g_hash_table_iter_init(&iter, trim->open);
	while (g_hash_table_iter_next(&iter, NULL, &open))
		g_ptr_array_add(list, open);
	g_ptr_array_sort(list, compare_open);
	return list;
}

static bt_message *new_packet_beginning(const Open *open, bt_self_message_iterator *iterator,
					WpTime time)
{
	return bt_stream_class_packets_have_beginning_default_clock_snapshot(
		       bt_stream_borrow_class_const(open->stream))
		       ? bt_message_packet_beginning_create_with_default_clock_snapshot(
				 iterator, open->packet, stream_value_at(open->stream, time))
		       : bt_message_packet_beginning_create(iterator, open->packet);
}

static bt_message *new_packet_end(const Open *open, bt_self_message_iterator *iterator, WpTime time)
{
	return bt_stream_class_packets_have_end_default_clock_snapshot(
		       bt_stream_borrow_class_const(open->stream))
		       ? bt_message_packet_end_create_with_default_clock_snapshot(
				 iterator, open->packet, stream_value_at(open->stream, time))
		       : bt_message_packet_end_create(iterator, open->packet);
}

static gboolean push(GQueue *out, bt_message *message)
{
	if (message)
		g_queue_push_tail(out, message);
	return message != NULL;
}

static gboolean begin_packets(WpTrim *trim, bt_self_message_iterator *iterator, GQueue *out)
{
	g_autoptr(GPtrArray) list = list_open(trim);

	for (guint i = 0; i < list->len; i++) {
		const Open *open = list->pdata[i];

		if (open->packet && !push(out, new_packet_beginning(open, iterator, trim->begin)))
			return FALSE;
	}
	return TRUE;
}

static gboolean end_all(WpTrim *trim, bt_self_message_iterator *iterator, GQueue *out)
{
	g_autoptr(GPtrArray) list = list_open(trim);

	for (guint i = 0; i < list->len; i++) {
		const Open *open = list->pdata[i];

		if (open->packet && !push(out, new_packet_end(open, iterator, trim->end)))
			return FALSE;
		if (!push(out, bt_message_stream_end_create(iterator, open->stream)))
			return FALSE;
	}
	g_hash_table_remove_all(trim->open);
	return TRUE;
}

static void track_packet(WpTrim *trim, const bt_stream *stream, const bt_packet *packet)
{
	Open *open = g_hash_table_lookup(trim->open, stream);

	if (!open)
		return;
	BT_PACKET_PUT_REF_AND_RESET(open->packet);
	if (packet) {
		bt_packet_get_ref(packet);
		open->packet = packet;
	}
}

static void track_stream(WpTrim *trim, const bt_stream *stream)
{
	Open *open = g_new0(Open, 1);

	bt_stream_get_ref(stream);
	open->stream = stream;
	open->order = trim->n_begun++;
	g_hash_table_insert(trim->open, (gpointer)stream, open);
}

/* Keeps in mind what is open. */
static void track(WpTrim *trim, const bt_message *message)
{
	const bt_stream *stream = wp_message_get_stream(message);

	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		track_stream(trim, stream);
		break;
	case BT_MESSAGE_TYPE_STREAM_END:
		g_hash_table_remove(trim->open, stream);
		break;
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		track_packet(trim, stream,
			     bt_message_packet_beginning_borrow_packet_const(message));
		break;
	case BT_MESSAGE_TYPE_PACKET_END:
		track_packet(trim, stream, NULL);
		break;
	default:
		break;
	}
}

/* A stream that begins or ends before the begin does so at it, if it says when. */
static void clamp_stream(const WpTrim *trim, const bt_message *message, WpTime time)
{
	const bt_stream *stream = wp_message_get_stream(message);
	WpTime own;

	if (!wp_message_get_time(message, &own) || time >= trim->begin)
		return;
	if (bt_message_get_type(message) == BT_MESSAGE_TYPE_STREAM_BEGINNING)
		bt_message_stream_beginning_set_default_clock_snapshot(
			(bt_message *)message, stream_value_at(stream, trim->begin));
	else
		bt_message_stream_end_set_default_clock_snapshot(
			(bt_message *)message, stream_value_at(stream, trim->begin));
}

static gboolean pass_before(WpTrim *trim, const bt_message *message, WpTime time, GQueue *out)
{
	bt_message_type type = bt_message_get_type(message);

	track(trim, message);
	if (type != BT_MESSAGE_TYPE_STREAM_BEGINNING && type != BT_MESSAGE_TYPE_STREAM_END) {
		bt_message_put_ref(message);
		return TRUE;
	}
	clamp_stream(trim, message, time);
	return push(out, (bt_message *)message);
}

/* A loss that goes on behind the end: the part of it that is in, its number not known. */
static const bt_message *cut_loss(const WpTrim *trim, bt_self_message_iterator *iterator,
				  const bt_message *message)
{
	const bt_stream *stream = wp_message_get_stream(message);
	const bt_clock_snapshot *begin, *end;
	bt_message *cut;
	WpTime time;

	if (bt_message_get_type(message) != BT_MESSAGE_TYPE_DISCARDED_EVENTS ||
	    !bt_stream_class_discarded_events_have_default_clock_snapshots(
		    bt_stream_borrow_class_const(stream)))
		return message;
	begin = bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(message);
	end = bt_message_discarded_events_borrow_end_default_clock_snapshot_const(message);
	if (!wp_bt2_snapshot_time(end, &time) || time <= trim->end)
		return message;
	cut = bt_message_discarded_events_create_with_default_clock_snapshots(
		iterator, stream, bt_clock_snapshot_get_value(begin),
		stream_value_at(stream, trim->end));
	bt_message_put_ref(message);
	return cut;
}

static gboolean pass_inside(WpTrim *trim, bt_self_message_iterator *iterator,
			    const bt_message *message, GQueue *out)
{
	track(trim, message);
	if (trim->end != WP_TIME_MAX)
		message = cut_loss(trim, iterator, message);
	return push(out, (bt_message *)message);
}

gboolean wp_trim_message(WpTrim *trim, bt_self_message_iterator *iterator,
			 const bt_message *message, WpTime time, GQueue *out, gboolean *ret_ended)
{
	*ret_ended = trim->phase == PHASE_AFTER;
	if (trim->phase == PHASE_AFTER) {
		bt_message_put_ref(message);
		return TRUE;
	}
	if (trim->phase == PHASE_BEFORE && time < trim->begin)
		return pass_before(trim, message, time, out);
	if (time > trim->end) {
		*ret_ended = TRUE;
		bt_message_put_ref(message);
		if (trim->phase == PHASE_BEFORE && !begin_packets(trim, iterator, out))
			return FALSE;
		trim->phase = PHASE_AFTER;
		return end_all(trim, iterator, out);
	}
	if (trim->phase == PHASE_BEFORE) {
		trim->phase = PHASE_INSIDE;
		if (!begin_packets(trim, iterator, out)) {
			bt_message_put_ref(message);
			return FALSE;
		}
	}
	return pass_inside(trim, iterator, message, out);
}
