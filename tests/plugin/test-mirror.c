/* SPDX-License-Identifier: MIT */
/*
 * test-mirror.c: filter.waitpath-test.mirror: passes everything through a mirror. With
 * `beta-offset` (ns) the times of the host beta are corrected by it, with `passes` 2 the upstream
 * is read to its end and sent back first.
 */
#include "config.h"

#include "plugins/mirror/mirror.h"
#include "tests/plugin/test-plugin.h"

typedef struct {
	WpClockMap *map; /* owned or NULL */
	gboolean twice;
} MirrorFilter;

typedef struct {
	MirrorFilter *filter; /* weak */
	bt_message_iterator *upstream; /* reference */
	WpMirror *mirror; /* owned */
	bt_message_array_const pending; /* borrowed from upstream until its next */
	guint64 n_pending, next;
	gboolean sent_back;
} MirrorIterator;

bt_component_class_initialize_method_status
test_mirror_init(bt_self_component_filter *self, bt_self_component_filter_configuration *config,
		 const bt_value *params, void *data)
{
	MirrorFilter *filter = g_new0(MirrorFilter, 1);
	const bt_value *passes = bt_value_map_borrow_entry_value_const(params, "passes");
	const bt_value *offset = bt_value_map_borrow_entry_value_const(params, "beta-offset");

	(void)config;
	(void)data;
	if (offset) {
		WpClockKnot knot = {.offset = bt_value_integer_signed_get(offset)};

		filter->map = wp_clock_map_new(&knot, 1, 0);
	}
	filter->twice = passes && bt_value_integer_signed_get(passes) == 2;
	bt_self_component_set_data(bt_self_component_filter_as_self_component(self), filter);
	bt_self_component_filter_add_input_port(self, "in", NULL, NULL);
	bt_self_component_filter_add_output_port(self, "out", NULL, NULL);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void test_mirror_finalize(bt_self_component_filter *self)
{
	MirrorFilter *filter = bt_self_component_get_data(
		bt_self_component_filter_as_self_component(self));

	wp_clock_map_free(filter->map);
	g_free(filter);
}

static const WpClockMap *map_of_trace(const bt_trace *trace, gpointer data)
{
	MirrorFilter *filter = data;
	const bt_value *host = bt_trace_borrow_environment_entry_value_by_name_const(trace,
										     "hostname");

	return host && g_str_equal(bt_value_string_get(host), "beta") ? filter->map : NULL;
}

bt_message_iterator_class_initialize_method_status
test_mirror_iterator_init(bt_self_message_iterator *self,
			  bt_self_message_iterator_configuration *config,
			  bt_self_component_port_output *port)
{
	bt_self_component *component = bt_self_message_iterator_borrow_component(self);
	MirrorIterator *it = g_new0(MirrorIterator, 1);

	(void)config;
	(void)port;
	bt_self_message_iterator_set_data(self, it);
	it->filter = bt_self_component_get_data(component);
	it->mirror = wp_mirror_new(component, map_of_trace, it->filter);
	if (bt_message_iterator_create_from_message_iterator(
		    self,
		    bt_self_component_filter_borrow_input_port_by_name(
			    (bt_self_component_filter *)component, "in"),
		    &it->upstream) != BT_MESSAGE_ITERATOR_CREATE_FROM_MESSAGE_ITERATOR_STATUS_OK)
		return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static void drop_pending(MirrorIterator *it)
{
	while (it->next < it->n_pending)
		bt_message_put_ref(it->pending[it->next++]);
}

void test_mirror_iterator_finalize(bt_self_message_iterator *self)
{
	MirrorIterator *it = bt_self_message_iterator_get_data(self);

	drop_pending(it);
	wp_mirror_free(it->mirror);
	bt_message_iterator_put_ref(it->upstream);
	g_free(it);
}

/* TRUE: copy is the next one, or NULL at the end. */
static gboolean next_copy(MirrorIterator *it, bt_self_message_iterator *self, bt_message **copy,
			  GError **error)
{
	for (*copy = NULL; !*copy; it->next++) {
		if (it->next == it->n_pending) {
			bt_message_iterator_next_status status = bt_message_iterator_next(
				it->upstream, &it->pending, &it->n_pending);

			it->next = 0;
			if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK) {
				it->n_pending = 0;
				return status == BT_MESSAGE_ITERATOR_NEXT_STATUS_END;
			}
		}
		if (!wp_mirror_message(it->mirror, self, it->pending[it->next], copy, NULL, error))
			return FALSE;
		bt_message_put_ref(it->pending[it->next]);
	}
	return TRUE;
}

static gboolean send_back(MirrorIterator *it, bt_self_message_iterator *self, GError **error)
{
	bt_message *copy;

	it->sent_back = TRUE;
	do {
		if (!next_copy(it, self, &copy, error))
			return FALSE;
		bt_message_put_ref(copy);
	} while (copy);
	wp_mirror_rewind(it->mirror);
	return bt_message_iterator_seek_beginning(it->upstream) ==
	       BT_MESSAGE_ITERATOR_SEEK_BEGINNING_STATUS_OK;
}

bt_message_iterator_class_next_method_status
test_mirror_iterator_next(bt_self_message_iterator *self, bt_message_array_const messages,
			  uint64_t capacity, uint64_t *count)
{
	MirrorIterator *it = bt_self_message_iterator_get_data(self);
	g_autoptr(GError) error = NULL;
	bt_message *copy = NULL;

	if ((it->filter->twice && !it->sent_back && !send_back(it, self, &error)) ||
	    !next_copy(it, self, &copy, &error)) {
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_MESSAGE_ITERATOR(
			self, "%s", error ? error->message : "the upstream failed");
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR;
	}
	(void)capacity;
	if (!copy)
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END;
	messages[0] = copy;
	*count = 1;
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
}
