/* SPDX-License-Identifier: MIT */
/* lanes.c: messages of several upstream iterators in time order. */
#include "config.h"

#include "bt2/bt2-clock.h"
#include "plugins/common/cause.h"
#include "plugins/common/lanes.h"

/* Messages that may wait in a lane while another one that shares its iterator has none. */
#define WAITING_MAX (1u << 15)

/* Messages that are shown in advance, of an input which is quiet from its beginning on. */
#define PRIMED_MAX 4096

/* An iterator that is read. */
typedef struct {
	guint lane; /* that it was opened for */
	bt_message_iterator *upstream; /* reference */
	bt_message_array_const messages; /* borrowed from upstream; those from next on are owned */
	guint64 next, n_messages;
	GQueue primed; /* const bt_message * (references): shown, not yet in order */
	gboolean is_primed;
	gboolean ended;
} Input;

typedef struct {
	guint number;
	Input *input; /* borrowed */
	GQueue waiting; /* const bt_message * (references): came while another lane was filled */
	guint64 n_routed, n_skip; /* messages that came for it; that are still to be left out */
	const bt_message *head; /* reference, NULL: it is still to be found */
	WpTime time; /* of head; without one, what it will have at least */
} Lane;

struct WpLanes {
	WpLanesFunc func;
	WpLanesRoute route;
	WpLanesBound bound;
	WpLanesOpen open;
	gpointer data; /* borrowed */
	GPtrArray *inputs; /* owned: Input * (owned) */
	GPtrArray *lanes; /* owned: Lane * (owned) */
	GPtrArray *heap; /* owned: Lane * (borrowed), the earliest first */
	GPtrArray *added; /* owned: Lane * (borrowed) that are not in the heap yet */
};

static void drop_queue(GQueue *queue)
{
	while (!g_queue_is_empty(queue))
		bt_message_put_ref(g_queue_pop_head(queue));
}

static void input_drop(Input *input)
{
	while (input->next < input->n_messages)
		bt_message_put_ref(input->messages[input->next++]);
	input->next = input->n_messages = 0;
	drop_queue(&input->primed);
}

static void input_free(gpointer data)
{
	Input *input = data;

	input_drop(input);
	bt_message_iterator_put_ref(input->upstream);
	g_free(input);
}

static void lane_drop(Lane *lane)
{
	drop_queue(&lane->waiting);
	BT_MESSAGE_PUT_REF_AND_RESET(lane->head);
	lane->n_routed = lane->n_skip = 0;
}

static void lane_free(gpointer data)
{
	Lane *lane = data;

	lane_drop(lane);
	g_free(lane);
}

WpLanes *wp_lanes_new(WpLanesFunc func, gpointer data)
{
	WpLanes *lanes = g_new0(WpLanes, 1);

	lanes->func = func;
	lanes->data = data;
	lanes->inputs = g_ptr_array_new_with_free_func(input_free);
	lanes->lanes = g_ptr_array_new_with_free_func(lane_free);
	lanes->heap = g_ptr_array_new();
	lanes->added = g_ptr_array_new();
	return lanes;
}

void wp_lanes_free(WpLanes *lanes)
{
	if (!lanes)
		return;
	g_ptr_array_unref(lanes->heap);
	g_ptr_array_unref(lanes->added);
	g_ptr_array_unref(lanes->lanes);
	g_ptr_array_unref(lanes->inputs);
	g_free(lanes);
}

static Input *add_input(WpLanes *lanes, guint lane, bt_message_iterator *upstream)
{
	Input *input = g_new0(Input, 1);

	input->lane = lane;
	input->upstream = upstream;
	g_queue_init(&input->primed);
	g_ptr_array_add(lanes->inputs, input);
	return input;
}

static guint add_lane(WpLanes *lanes, Input *input)
{
	Lane *lane = g_new0(Lane, 1);

	lane->input = input;
	lane->number = lanes->lanes->len;
	lane->time = WP_TIME_MIN;
	g_queue_init(&lane->waiting);
	g_ptr_array_add(lanes->lanes, lane);
	g_ptr_array_add(lanes->added, lane);
	return lane->number;
}

guint wp_lanes_add(WpLanes *lanes, bt_message_iterator *upstream)
{
	return add_lane(lanes, add_input(lanes, lanes->lanes->len, upstream));
}

guint wp_lanes_add_beside(WpLanes *lanes, guint lane)
{
	return add_lane(lanes, ((const Lane *)lanes->lanes->pdata[lane])->input);
}

void wp_lanes_set_route(WpLanes *lanes, WpLanesRoute route, WpLanesBound bound, WpLanesOpen open)
{
	lanes->route = route;
	lanes->bound = bound;
	lanes->open = open;
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

static WpLanesStatus input_pull(Input *input)
{
	bt_message_iterator_next_status status;

	input->next = input->n_messages = 0;
	status = bt_message_iterator_next(input->upstream, &input->messages, &input->n_messages);
	/*
	 * source.ctf.fs may fail, say so in the log, and then that it gave all; with the error that
	 * the thread still has any further call would end the program.
	 */
	if (status >= 0)
		bt_current_thread_clear_error();
	switch (status) {
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
		return WP_LANES_OK;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
		input->n_messages = 0;
		return WP_LANES_AGAIN;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
		input->n_messages = 0;
		input->ended = TRUE;
		return WP_LANES_END;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_MEMORY_ERROR:
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_ERROR:
		break;
	}
	input->n_messages = 0;
	return WP_LANES_ERROR;
}

/* The input's next message as it comes in. */
static WpLanesStatus input_take(Input *input, const bt_message **ret_message)
{
	WpLanesStatus status;

	while (input->next == input->n_messages) {
		if (input->ended)
			return WP_LANES_END;
		status = input_pull(input);
		if (status != WP_LANES_OK)
			return status;
	}
	*ret_message = input->messages[input->next++];
	return WP_LANES_OK;
}

static WpLanesStatus input_prime(const WpLanes *lanes, Input *input, WpLanesVisit visit,
				 GError **error)
{
	while (!input->is_primed) {
		const bt_message *message;
		WpTime time;
		WpLanesStatus status = input_take(input, &message);

		if (status == WP_LANES_END) {
			input->is_primed = TRUE;
			return WP_LANES_OK;
		}
		if (status != WP_LANES_OK)
			return status;
		g_queue_push_tail(&input->primed, (gpointer)message);
		input->is_primed = (wp_message_get_stream(message) &&
				    wp_message_get_time(message, &time)) ||
				   input->primed.length == PRIMED_MAX;
		if (visit && !visit(input->lane, message, lanes->data, error))
			return WP_LANES_ERROR;
	}
	return WP_LANES_OK;
}

WpLanesStatus wp_lanes_prime(WpLanes *lanes, WpLanesVisit visit, GError **error)
{
	WpLanesStatus all = WP_LANES_OK;

	for (guint i = 0; i < lanes->inputs->len; i++) {
		WpLanesStatus status = input_prime(lanes, lanes->inputs->pdata[i], visit, error);

		if (status == WP_LANES_ERROR)
			return status;
		if (status == WP_LANES_AGAIN)
			all = WP_LANES_AGAIN;
	}
	return all;
}

static WpLanesStatus input_next(Input *input, const bt_message **ret_message)
{
	if (input->primed.length) {
		*ret_message = g_queue_pop_head(&input->primed);
		return WP_LANES_OK;
	}
	return input_take(input, ret_message);
}

/* Gives a lane, for which nothing comes while much does for others, an iterator of its own. */
static gboolean lane_split(WpLanes *lanes, Lane *lane, GError **error)
{
	bt_message_iterator *upstream = lanes->open(lane->number, lanes->data, error);

	if (!upstream)
		return FALSE;
	lane->input = add_input(lanes, lane->number, upstream);
	/* it begins anew */
	lane->n_skip = lane->n_routed;
	return TRUE;
}

/* What came for another lane waits there, and says that nothing of before can follow. */
static WpLanesStatus lane_hand_over(WpLanes *lanes, Lane *lane, Lane *target,
				    const bt_message *message, GError **error)
{
	WpTime time;

	if (wp_message_get_time(message, &time))
		lane->time = MAX(lane->time, lanes->bound(lane->number, time, lanes->data));
	g_queue_push_tail(&target->waiting, (gpointer)message);
	if (target->waiting.length < WAITING_MAX)
		return WP_LANES_OK;
	return lane_split(lanes, lane, error) ? WP_LANES_OK : WP_LANES_ERROR;
}

/* Takes a message that came while a lane is to be filled; *ret_message NULL: it is not this lane's. */
static WpLanesStatus lane_route(WpLanes *lanes, Lane *lane, const bt_message *message,
				const bt_message **ret_message, GError **error)
{
	guint number;
	Lane *target;

	if (!lanes->route(lane->input->lane, message, lanes->data, &number, error)) {
		bt_message_put_ref(message);
		return WP_LANES_ERROR;
	}
	target = lanes->lanes->pdata[number];
	/* one that has an iterator of its own gets nothing from another any more */
	if (target->input != lane->input || target->n_skip) {
		if (target->input == lane->input)
			target->n_skip--;
		bt_message_put_ref(message);
		return WP_LANES_OK;
	}
	target->n_routed++;
	if (target != lane)
		return lane_hand_over(lanes, lane, target, message, error);
	*ret_message = message;
	return WP_LANES_OK;
}

/* The lane's next message as it comes in; NULL when one for another came instead. */
static WpLanesStatus lane_take(WpLanes *lanes, Lane *lane, const bt_message **ret_message,
			       GError **error)
{
	const bt_message *message;
	WpLanesStatus status;

	*ret_message = NULL;
	if (lane->waiting.length) {
		*ret_message = g_queue_pop_head(&lane->waiting);
		return WP_LANES_OK;
	}
	status = input_next(lane->input, &message);
	if (status == WP_LANES_OK && lanes->route)
		return lane_route(lanes, lane, message, ret_message, error);
	if (status == WP_LANES_OK)
		*ret_message = message;
	return status;
}

/* Looks for the lane's next message; OK without a head: it will be later than others' perhaps. */
static WpLanesStatus lane_fill(WpLanes *lanes, Lane *lane, GError **error)
{
	WpTime time = WP_TIME_MIN;
	WpLanesStatus status = lane_take(lanes, lane, &lane->head, error);

	if (status != WP_LANES_OK || !lane->head)
		return status;
	if (lanes->func && !lanes->func(lane->number, &lane->head, &time, lanes->data, error))
		return WP_LANES_ERROR;
	if (!lane->head)
		return WP_LANES_OK;
	if (time != WP_TIME_MIN)
		lane->time = time;
	else
		(void)wp_message_get_time(lane->head, &lane->time);
	return WP_LANES_OK;
}

static void push_added(WpLanes *lanes)
{
	for (guint i = 0; i < lanes->added->len; i++)
		heap_push(lanes->heap, lanes->added->pdata[i]);
	g_ptr_array_set_size(lanes->added, 0);
}

/* The first lane has nothing now: what is there for the others is fetched, so as not to be late. */
static WpLanesStatus poll_others(WpLanes *lanes, GError **error)
{
	WpLanesStatus status = WP_LANES_AGAIN;

	for (guint i = 1; i < lanes->heap->len; i++) {
		Lane *lane = lanes->heap->pdata[i];

		if (!lane->head && lane_fill(lanes, lane, error) == WP_LANES_ERROR)
			status = WP_LANES_ERROR;
		if (status == WP_LANES_ERROR)
			break;
	}
	for (guint i = 0; i < lanes->heap->len; i++)
		g_ptr_array_add(lanes->added, lanes->heap->pdata[i]);
	g_ptr_array_set_size(lanes->heap, 0);
	return status;
}

WpLanesStatus wp_lanes_next(WpLanes *lanes, const bt_message **ret_message, guint *ret_lane,
			    WpTime *ret_time, GError **error)
{
	for (;;) {
		Lane *lane;

		if (lanes->added->len)
			push_added(lanes);
		if (!lanes->heap->len)
			return WP_LANES_END;
		lane = lanes->heap->pdata[0];
		if (lane->head) {
			*ret_message = g_steal_pointer(&lane->head);
			*ret_lane = lane->number;
			*ret_time = lane->time;
			return WP_LANES_OK;
		}
		switch (lane_fill(lanes, lane, error)) {
		case WP_LANES_OK:
			heap_sink(lanes->heap);
			break;
		case WP_LANES_END:
			heap_pop(lanes->heap);
			break;
		case WP_LANES_AGAIN:
			return poll_others(lanes, error);
		case WP_LANES_ERROR:
			return WP_LANES_ERROR;
		}
	}
}

static gboolean input_can_rewind(const Input *input, gboolean *ret_can)
{
	bt_bool can = BT_FALSE;

	if (bt_message_iterator_can_seek_beginning(input->upstream, &can) !=
	    BT_MESSAGE_ITERATOR_CAN_SEEK_BEGINNING_STATUS_OK)
		return FALSE;
	*ret_can = can != BT_FALSE;
	return TRUE;
}

gboolean wp_lanes_can_rewind(WpLanes *lanes, gboolean *ret_can)
{
	*ret_can = TRUE;
	for (guint i = 0; i < lanes->inputs->len && *ret_can; i++)
		if (!input_can_rewind(lanes->inputs->pdata[i], ret_can))
			return FALSE;
	return TRUE;
}

static WpLanesStatus input_rewind(Input *input)
{
	input_drop(input);
	input->ended = FALSE;
	switch (bt_message_iterator_seek_beginning(input->upstream)) {
	case BT_MESSAGE_ITERATOR_SEEK_BEGINNING_STATUS_OK:
		return WP_LANES_OK;
	case BT_MESSAGE_ITERATOR_SEEK_BEGINNING_STATUS_AGAIN:
		return WP_LANES_AGAIN;
	default:
		return WP_LANES_ERROR;
	}
}

WpLanesStatus wp_lanes_rewind(WpLanes *lanes)
{
	g_ptr_array_set_size(lanes->heap, 0);
	g_ptr_array_set_size(lanes->added, 0);
	for (guint i = 0; i < lanes->lanes->len; i++) {
		Lane *lane = lanes->lanes->pdata[i];

		lane_drop(lane);
		lane->time = WP_TIME_MIN;
		g_ptr_array_add(lanes->added, lane);
	}
	for (guint i = 0; i < lanes->inputs->len; i++) {
		WpLanesStatus status = input_rewind(lanes->inputs->pdata[i]);

		if (status != WP_LANES_OK)
			return status;
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
	return snapshot && wp_bt2_snapshot_time(snapshot, ret_time);
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
