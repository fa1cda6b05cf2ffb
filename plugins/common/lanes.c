/* SPDX-License-Identifier: MIT */
/* lanes.c: messages of several upstream iterators in time order. */
#include "config.h"

#include "plugins/common/cause.h"
#include "plugins/common/lanes.h"

typedef struct {
	bt_message_iterator *upstream; /* reference */
	guint number;
	bt_message_array_const messages; /* borrowed from upstream; those from next on are owned */
	guint64 next, n_messages;
	GQueue primed; /* const bt_message * (references): shown, not yet in order */
	gboolean is_primed;
	const bt_message *head; /* reference: what waits in the heap */
	WpTime time; /* of head, or of the message before it */
	gboolean ended;
} Lane;

struct WpLanes {
	WpLanesFunc func;
	gpointer data; /* borrowed */
	GPtrArray *lanes; /* owned: Lane * (owned) */
	/*
	 * owned: Lane * (borrowed) with a head, the earliest first; the first one's may have been
	 * given away: then its next one is found, and the lane moved, before anything else is done
	 */
	GPtrArray *heap;
	GPtrArray *empty; /* owned: other Lane * (borrowed) without one */
};

static void lane_drop(Lane *lane)
{
	while (lane->next < lane->n_messages)
		bt_message_put_ref(lane->messages[lane->next++]);
	lane->next = lane->n_messages = 0;
	while (!g_queue_is_empty(&lane->primed))
		bt_message_put_ref(g_queue_pop_head(&lane->primed));
	BT_MESSAGE_PUT_REF_AND_RESET(lane->head);
}

static void lane_free(gpointer data)
{
	Lane *lane = data;

	lane_drop(lane);
	bt_message_iterator_put_ref(lane->upstream);
	g_free(lane);
}

WpLanes *wp_lanes_new(WpLanesFunc func, gpointer data)
{
	WpLanes *lanes = g_new0(WpLanes, 1);

	lanes->func = func;
	lanes->data = data;
	lanes->lanes = g_ptr_array_new_with_free_func(lane_free);
	lanes->heap = g_ptr_array_new();
	lanes->empty = g_ptr_array_new();
	return lanes;
}

void wp_lanes_free(WpLanes *lanes)
{
	if (!lanes)
		return;
	g_ptr_array_unref(lanes->heap);
	g_ptr_array_unref(lanes->empty);
	g_ptr_array_unref(lanes->lanes);
	g_free(lanes);
}

guint wp_lanes_add(WpLanes *lanes, bt_message_iterator *upstream)
{
	Lane *lane = g_new0(Lane, 1);

	lane->upstream = upstream;
	lane->number = lanes->lanes->len;
	lane->time = WP_TIME_MIN;
	g_queue_init(&lane->primed);
	g_ptr_array_add(lanes->lanes, lane);
	g_ptr_array_add(lanes->empty, lane);
	return lane->number;
}

guint wp_lanes_get_n(const WpLanes *lanes)
{
	return lanes->lanes->len;
}

static gboolean is_before(const Lane *a, const Lane *b)
{
	return a->time != b->time ? a->time < b->time : a->number < b->number;
}

static void heap_push(GPtrArray *heap, Lane *lane)
{
	guint at = heap->len;

	g_ptr_array_add(heap, lane);
	while (at && is_before(lane, heap->pdata[(at - 1) / 2])) {
		heap->pdata[at] = heap->pdata[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap->pdata[at] = lane;
}

/* Moves the first lane to where it belongs. */
static void heap_sink(GPtrArray *heap)
{
	Lane *lane = heap->pdata[0];
	guint n = heap->len, at = 0;

	for (;;) {
		guint child = 2 * at + 1;

		if (child >= n)
			break;
		if (child + 1 < n && is_before(heap->pdata[child + 1], heap->pdata[child]))
			child++;
		if (!is_before(heap->pdata[child], lane))
			break;
		heap->pdata[at] = heap->pdata[child];
		at = child;
	}
	heap->pdata[at] = lane;
}

static void heap_pop(GPtrArray *heap)
{
	heap->pdata[0] = heap->pdata[heap->len - 1];
	g_ptr_array_set_size(heap, (gint)heap->len - 1);
	if (heap->len)
		heap_sink(heap);
}

static WpLanesStatus lane_pull(Lane *lane)
{
	lane->next = lane->n_messages = 0;
	switch (bt_message_iterator_next(lane->upstream, &lane->messages, &lane->n_messages)) {
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
		return WP_LANES_OK;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
		lane->n_messages = 0;
		return WP_LANES_AGAIN;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
		lane->n_messages = 0;
		lane->ended = TRUE;
		return WP_LANES_END;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_MEMORY_ERROR:
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_ERROR:
		break;
	}
	lane->n_messages = 0;
	return WP_LANES_ERROR;
}

/* The lane's next message as it comes in. */
static WpLanesStatus lane_take(Lane *lane, const bt_message **ret_message)
{
	WpLanesStatus status;

	while (lane->next == lane->n_messages) {
		if (lane->ended)
			return WP_LANES_END;
		status = lane_pull(lane);
		if (status != WP_LANES_OK)
			return status;
	}
	*ret_message = lane->messages[lane->next++];
	return WP_LANES_OK;
}

static WpLanesStatus lane_prime(const WpLanes *lanes, Lane *lane, WpLanesVisit visit,
				GError **error)
{
	while (!lane->is_primed) {
		const bt_message *message;
		WpTime time;
		WpLanesStatus status = lane_take(lane, &message);

		if (status == WP_LANES_END) {
			lane->is_primed = TRUE;
			return WP_LANES_OK;
		}
		if (status != WP_LANES_OK)
			return status;
		g_queue_push_tail(&lane->primed, (gpointer)message);
		lane->is_primed = wp_message_get_time(message, &time);
		if (visit && !visit(lane->number, message, lanes->data, error))
			return WP_LANES_ERROR;
	}
	return WP_LANES_OK;
}

WpLanesStatus wp_lanes_prime(WpLanes *lanes, WpLanesVisit visit, GError **error)
{
	WpLanesStatus all = WP_LANES_OK;

	for (guint i = 0; i < lanes->lanes->len; i++) {
		WpLanesStatus status = lane_prime(lanes, lanes->lanes->pdata[i], visit, error);

		if (status == WP_LANES_ERROR)
			return status;
		if (status == WP_LANES_AGAIN)
			all = WP_LANES_AGAIN;
	}
	return all;
}

/* Finds the lane's next message. */
static WpLanesStatus lane_fill(const WpLanes *lanes, Lane *lane, GError **error)
{
	WpTime time = WP_TIME_MIN;

	while (!lane->head) {
		WpLanesStatus status;

		lane->head = lane->primed.length ? g_queue_pop_head(&lane->primed) : NULL;
		if (!lane->head) {
			status = lane_take(lane, &lane->head);
			if (status != WP_LANES_OK)
				return status;
		}
		if (lanes->func &&
		    !lanes->func(lane->number, &lane->head, &time, lanes->data, error))
			return WP_LANES_ERROR;
	}
	if (time != WP_TIME_MIN)
		lane->time = time;
	else
		(void)wp_message_get_time(lane->head, &lane->time);
	return WP_LANES_OK;
}

/*
 * Gives the first lane of the heap its next head, if it has none, and moves it to where it
 * belongs. AGAIN: it is in *ret_dry, and in the heap no longer.
 */
static WpLanesStatus fill_first(const WpLanes *lanes, Lane **ret_dry, GError **error)
{
	Lane *lane = lanes->heap->len ? lanes->heap->pdata[0] : NULL;
	WpLanesStatus status;

	if (!lane || lane->head)
		return WP_LANES_OK;
	status = lane_fill(lanes, lane, error);
	if (status == WP_LANES_OK)
		heap_sink(lanes->heap);
	else
		heap_pop(lanes->heap);
	if (status == WP_LANES_AGAIN)
		*ret_dry = lane;
	return status;
}

/* Gives every lane a head that can have one; AGAIN when one has none for now. */
static WpLanesStatus fill(WpLanes *lanes, GError **error)
{
	gboolean again = FALSE;
	Lane *dry = NULL;

	if (fill_first(lanes, &dry, error) == WP_LANES_ERROR)
		return WP_LANES_ERROR;
	for (guint i = 0; i < lanes->empty->len;) {
		Lane *lane = lanes->empty->pdata[i];

		switch (lane_fill(lanes, lane, error)) {
		case WP_LANES_OK:
			g_ptr_array_remove_index_fast(lanes->empty, i);
			heap_push(lanes->heap, lane);
			break;
		case WP_LANES_END:
			g_ptr_array_remove_index_fast(lanes->empty, i);
			break;
		case WP_LANES_AGAIN:
			again = TRUE;
			i++;
			break;
		case WP_LANES_ERROR:
			return WP_LANES_ERROR;
		}
	}
	/* it has just been asked */
	if (dry)
		g_ptr_array_add(lanes->empty, dry);
	return again || dry ? WP_LANES_AGAIN : WP_LANES_OK;
}

WpLanesStatus wp_lanes_next(WpLanes *lanes, const bt_message **ret_message, guint *ret_lane,
			    WpTime *ret_time, GError **error)
{
	WpLanesStatus status = fill(lanes, error);
	Lane *lane;

	if (status != WP_LANES_OK)
		return status;
	if (!lanes->heap->len)
		return WP_LANES_END;
	lane = lanes->heap->pdata[0];
	*ret_message = g_steal_pointer(&lane->head);
	*ret_lane = lane->number;
	*ret_time = lane->time;
	return WP_LANES_OK;
}

gboolean wp_lanes_can_rewind(WpLanes *lanes, gboolean *ret_can)
{
	*ret_can = TRUE;
	for (guint i = 0; i < lanes->lanes->len && *ret_can; i++) {
		Lane *lane = lanes->lanes->pdata[i];
		bt_bool can = BT_FALSE;

		if (bt_message_iterator_can_seek_beginning(lane->upstream, &can) !=
		    BT_MESSAGE_ITERATOR_CAN_SEEK_BEGINNING_STATUS_OK)
			return FALSE;
		*ret_can = can != BT_FALSE;
	}
	return TRUE;
}

WpLanesStatus wp_lanes_rewind(WpLanes *lanes)
{
	g_ptr_array_set_size(lanes->heap, 0);
	g_ptr_array_set_size(lanes->empty, 0);
	for (guint i = 0; i < lanes->lanes->len; i++) {
		Lane *lane = lanes->lanes->pdata[i];

		lane_drop(lane);
		lane->ended = FALSE;
		lane->time = WP_TIME_MIN;
		g_ptr_array_add(lanes->empty, lane);
		switch (bt_message_iterator_seek_beginning(lane->upstream)) {
		case BT_MESSAGE_ITERATOR_SEEK_BEGINNING_STATUS_OK:
			break;
		case BT_MESSAGE_ITERATOR_SEEK_BEGINNING_STATUS_AGAIN:
			return WP_LANES_AGAIN;
		default:
			return WP_LANES_ERROR;
		}
	}
	return WP_LANES_OK;
}

const bt_stream *wp_message_get_stream(const bt_message *message)
{
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		return bt_event_borrow_stream_const(bt_message_event_borrow_event_const(message));
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		return bt_message_stream_beginning_borrow_stream_const(message);
	case BT_MESSAGE_TYPE_STREAM_END:
		return bt_message_stream_end_borrow_stream_const(message);
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		return bt_packet_borrow_stream_const(
			bt_message_packet_beginning_borrow_packet_const(message));
	case BT_MESSAGE_TYPE_PACKET_END:
		return bt_packet_borrow_stream_const(
			bt_message_packet_end_borrow_packet_const(message));
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return bt_message_discarded_events_borrow_stream_const(message);
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return bt_message_discarded_packets_borrow_stream_const(message);
	case BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY:
		break;
	}
	return NULL;
}

/* The snapshot of a message, NULL when it has none. The stream's class says which have. */
static const bt_clock_snapshot *get_snapshot(const bt_message *message,
					     const bt_stream_class *klass)
{
	const bt_clock_snapshot *snapshot = NULL;

	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		return bt_message_event_borrow_default_clock_snapshot_const(message);
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		return bt_message_stream_beginning_borrow_default_clock_snapshot_const(
			       message, &snapshot) == BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN
			       ? snapshot
			       : NULL;
	case BT_MESSAGE_TYPE_STREAM_END:
		return bt_message_stream_end_borrow_default_clock_snapshot_const(
			       message, &snapshot) == BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN
			       ? snapshot
			       : NULL;
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		return bt_stream_class_packets_have_beginning_default_clock_snapshot(klass)
			       ? bt_message_packet_beginning_borrow_default_clock_snapshot_const(
					 message)
			       : NULL;
	case BT_MESSAGE_TYPE_PACKET_END:
		return bt_stream_class_packets_have_end_default_clock_snapshot(klass)
			       ? bt_message_packet_end_borrow_default_clock_snapshot_const(message)
			       : NULL;
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return bt_stream_class_discarded_events_have_default_clock_snapshots(klass)
			       ? bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(
					 message)
			       : NULL;
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return bt_stream_class_discarded_packets_have_default_clock_snapshots(klass)
			       ? bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(
					 message)
			       : NULL;
	case BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY:
		break;
	}
	return NULL;
}

gboolean wp_message_get_time(const bt_message *message, WpTime *ret_time)
{
	const bt_stream *stream = wp_message_get_stream(message);
	const bt_clock_snapshot *snapshot;

	if (!stream) {
		snapshot = bt_message_message_iterator_inactivity_borrow_clock_snapshot_const(
			message);
	} else {
		const bt_stream_class *klass = bt_stream_borrow_class_const(stream);

		/* without a clock there is no time, and asking for it is an error */
		if (!bt_stream_class_borrow_default_clock_class_const(klass))
			return FALSE;
		snapshot = get_snapshot(message, klass);
	}
	return snapshot && bt_clock_snapshot_get_ns_from_origin(snapshot, ret_time) ==
				   BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK;
}

bt_message_iterator_class_next_method_status
wp_lanes_end_next(WpLanesStatus status, bt_self_message_iterator *self,
		  bt_message_array_const messages, guint64 n, uint64_t *count, GError *error)
{
	if (status == WP_LANES_ERROR) {
		while (n)
			bt_message_put_ref(messages[--n]);
		if (error)
			wp_cause_from_iterator(self, error);
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR;
	}
	if (n) {
		*count = n;
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
	}
	return status == WP_LANES_AGAIN ? BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_AGAIN
					: BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END;
}

bt_message_iterator_class_can_seek_beginning_method_status wp_lanes_end_can_seek(WpLanes *lanes,
										 bt_bool *can)
{
	gboolean all;

	if (!wp_lanes_can_rewind(lanes, &all))
		return BT_MESSAGE_ITERATOR_CLASS_CAN_SEEK_BEGINNING_METHOD_STATUS_ERROR;
	*can = all;
	return BT_MESSAGE_ITERATOR_CLASS_CAN_SEEK_BEGINNING_METHOD_STATUS_OK;
}
