/* SPDX-License-Identifier: MIT */
/*
 * test-live.c: filter.waitpath-test.live: makes of any input what a live source is like: it
 * can't be sent back, has nothing to give every now and then, and need not end.
 *
 *   every=N       N messages at most at a time, and "try again" each second time (default 7)
 *   inactivity=1  in front of "try again", a message that tells the time reached
 *   endless=1     after the last message but the streams' ends "try again" for ever; the first
 *                 time the user interrupts babeltrace2
 *   seek=1        it can be sent back nevertheless
 */
#include "config.h"

#include <signal.h>

#include "plugins/common/lanes.h"
#include "tests/plugin/test-plugin.h"

typedef struct {
	guint64 every;
	gboolean inactivity, endless, seek;
} Live;

typedef struct {
	Live *live; /* weak */
	bt_message_iterator *upstream; /* reference */
	bt_message_array_const pending; /* borrowed from upstream; those from next on are owned */
	guint64 n_pending, next;
	gboolean again; /* the next call has nothing */
	gboolean interrupted;
	bt_clock_class *clock; /* reference: of the last message that had a time */
	guint64 value; /* of it */
} LiveIterator;

static gint64 get_number(const bt_value *params, const char *name, gint64 otherwise)
{
	const bt_value *value = bt_value_map_borrow_entry_value_const(params, name);

	return value ? bt_value_integer_signed_get(value) : otherwise;
}

bt_component_class_initialize_method_status
test_live_init(bt_self_component_filter *self, bt_self_component_filter_configuration *config,
	       const bt_value *params, void *data)
{
	Live *live = g_new0(Live, 1);

	(void)config;
	(void)data;
	live->every = (guint64)get_number(params, "every", 7);
	live->inactivity = get_number(params, "inactivity", 0) != 0;
	live->endless = get_number(params, "endless", 0) != 0;
	live->seek = get_number(params, "seek", 0) != 0;
	bt_self_component_set_data(bt_self_component_filter_as_self_component(self), live);
	bt_self_component_filter_add_input_port(self, "in", NULL, NULL);
	bt_self_component_filter_add_output_port(self, "out", NULL, NULL);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void test_live_finalize(bt_self_component_filter *self)
{
	g_free(bt_self_component_get_data(bt_self_component_filter_as_self_component(self)));
}

bt_message_iterator_class_initialize_method_status
test_live_iterator_init(bt_self_message_iterator *self,
			bt_self_message_iterator_configuration *config,
			bt_self_component_port_output *port)
{
	bt_self_component *component = bt_self_message_iterator_borrow_component(self);
	LiveIterator *it = g_new0(LiveIterator, 1);

	(void)config;
	(void)port;
	it->live = bt_self_component_get_data(component);
	bt_self_message_iterator_set_data(self, it);
	if (bt_message_iterator_create_from_message_iterator(
		    self,
		    bt_self_component_filter_borrow_input_port_by_name(
			    (bt_self_component_filter *)component, "in"),
		    &it->upstream) != BT_MESSAGE_ITERATOR_CREATE_FROM_MESSAGE_ITERATOR_STATUS_OK)
		return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void test_live_iterator_finalize(bt_self_message_iterator *self)
{
	LiveIterator *it = bt_self_message_iterator_get_data(self);

	while (it->next < it->n_pending)
		bt_message_put_ref(it->pending[it->next++]);
	bt_message_iterator_put_ref(it->upstream);
	bt_clock_class_put_ref(it->clock);
	g_free(it);
}

static void note_time(LiveIterator *it, const bt_message *message)
{
	const bt_clock_snapshot *snapshot;

	if (bt_message_get_type(message) != BT_MESSAGE_TYPE_EVENT)
		return;
	snapshot = bt_message_event_borrow_default_clock_snapshot_const(message);
	bt_clock_class_put_ref(it->clock);
	it->clock = (bt_clock_class *)bt_clock_snapshot_borrow_clock_class_const(snapshot);
	bt_clock_class_get_ref(it->clock);
	it->value = bt_clock_snapshot_get_value(snapshot);
}

/* The next message as it comes in; NULL: *ret_status says why. */
static const bt_message *take(LiveIterator *it, bt_message_iterator_next_status *ret_status)
{
	const bt_message *message;

	if (it->next == it->n_pending) {
		it->next = it->n_pending = 0;
		*ret_status = bt_message_iterator_next(it->upstream, &it->pending, &it->n_pending);
		if (*ret_status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK) {
			it->n_pending = 0;
			return NULL;
		}
	}
	message = it->pending[it->next];
	if (it->live->endless && bt_message_get_type(message) == BT_MESSAGE_TYPE_STREAM_END) {
		*ret_status = BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN;
		if (!it->interrupted)
			raise(SIGINT);
		it->interrupted = TRUE;
		return NULL;
	}
	it->next++;
	note_time(it, message);
	return message;
}

bt_message_iterator_class_next_method_status
test_live_iterator_next(bt_self_message_iterator *self, bt_message_array_const messages,
			uint64_t capacity, uint64_t *count)
{
	LiveIterator *it = bt_self_message_iterator_get_data(self);
	bt_message_iterator_next_status status = BT_MESSAGE_ITERATOR_NEXT_STATUS_OK;
	guint64 n = 0, most = MIN(capacity - 1, it->live->every);

	it->again = !it->again;
	if (!it->again)
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_AGAIN;
	while (n < most) {
		const bt_message *message = take(it, &status);

		if (!message)
			break;
		messages[n++] = message;
	}
	if (n && it->live->inactivity && it->clock)
		messages[n++] = bt_message_message_iterator_inactivity_create(self, it->clock,
									      it->value);
	if (!n)
		return (bt_message_iterator_class_next_method_status)(int)status;
	*count = n;
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
}

bt_message_iterator_class_can_seek_beginning_method_status
test_live_iterator_can_seek(bt_self_message_iterator *self, bt_bool *can)
{
	LiveIterator *it = bt_self_message_iterator_get_data(self);

	*can = it->live->seek;
	return BT_MESSAGE_ITERATOR_CLASS_CAN_SEEK_BEGINNING_METHOD_STATUS_OK;
}

bt_message_iterator_class_seek_beginning_method_status
test_live_iterator_seek(bt_self_message_iterator *self)
{
	LiveIterator *it = bt_self_message_iterator_get_data(self);

	while (it->next < it->n_pending)
		bt_message_put_ref(it->pending[it->next++]);
	it->next = it->n_pending = 0;
	BT_CLOCK_CLASS_PUT_REF_AND_RESET(it->clock);
	return bt_message_iterator_seek_beginning(it->upstream) ==
			       BT_MESSAGE_ITERATOR_SEEK_BEGINNING_STATUS_OK
		       ? BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_OK
		       : BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_ERROR;
}
