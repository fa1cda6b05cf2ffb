/* SPDX-License-Identifier: MIT */
/* inputs.c: input ports, as many as are connected. */
#include "config.h"

#include "base/error.h"
#include "plugins/common/cause.h"
#include "plugins/common/inputs.h"

static gboolean added(bt_self_component *self, bt_self_component_add_port_status status,
		      const gchar *name)
{
	if (status == BT_SELF_COMPONENT_ADD_PORT_STATUS_OK)
		return TRUE;
	return wp_cause_from_component(self, g_error_new(WP_ERROR, WP_ERROR_FAILED,
							 "Can't add the input port '%s'.", name));
}

gboolean wp_inputs_add_to_filter(bt_self_component_filter *self)
{
	const bt_component_filter *filter = bt_self_component_filter_as_component_filter(self);
	g_autofree gchar *name = g_strdup_printf("in%" G_GUINT64_FORMAT,
						 bt_component_filter_get_input_port_count(filter));

	return added(bt_self_component_filter_as_self_component(self),
		     bt_self_component_filter_add_input_port(self, name, NULL, NULL), name);
}

gboolean wp_inputs_add_to_sink(bt_self_component_sink *self)
{
	const bt_component_sink *sink = bt_self_component_sink_as_component_sink(self);
	g_autofree gchar *name = g_strdup_printf("in%" G_GUINT64_FORMAT,
						 bt_component_sink_get_input_port_count(sink));

	return added(bt_self_component_sink_as_self_component(self),
		     bt_self_component_sink_add_input_port(self, name, NULL, NULL), name);
}

static gboolean is_connected(const bt_self_component_port_input *port)
{
	return bt_port_is_connected(
		bt_port_input_as_port_const(bt_self_component_port_input_as_port_input(port)));
}

/* The port of the lane-th connected one; NULL when there are fewer. */
static bt_self_component_port_input *find_filter_port(bt_self_component_filter *self, guint lane)
{
	guint64 n = bt_component_filter_get_input_port_count(
		bt_self_component_filter_as_component_filter(self));

	for (guint64 i = 0; i < n; i++) {
		bt_self_component_port_input *port =
			bt_self_component_filter_borrow_input_port_by_index(self, i);

		if (is_connected(port) && !lane--)
			return port;
	}
	return NULL;
}

bt_message_iterator *wp_inputs_open_again(bt_self_component_filter *self,
					  bt_self_message_iterator *iterator, guint lane)
{
	bt_self_component_port_input *port = find_filter_port(self, lane);
	bt_message_iterator *upstream = NULL;

	if (!port || bt_message_iterator_create_from_message_iterator(iterator, port, &upstream) !=
			     BT_MESSAGE_ITERATOR_CREATE_FROM_MESSAGE_ITERATOR_STATUS_OK)
		return NULL;
	return upstream;
}

gboolean wp_inputs_open_filter(bt_self_component_filter *self, bt_self_message_iterator *iterator,
			       WpLanes *lanes)
{
	for (guint lane = 0; find_filter_port(self, lane); lane++) {
		bt_message_iterator *upstream = wp_inputs_open_again(self, iterator, lane);

		if (!upstream)
			return FALSE;
		wp_lanes_add(lanes, upstream);
	}
	return TRUE;
}

gboolean wp_inputs_open_sink(bt_self_component_sink *self, WpLanes *lanes)
{
	guint64 n = bt_component_sink_get_input_port_count(
		bt_self_component_sink_as_component_sink(self));

	for (guint64 i = 0; i < n; i++) {
		bt_self_component_port_input *port =
			bt_self_component_sink_borrow_input_port_by_index(self, i);
		bt_message_iterator *upstream = NULL;

		if (!is_connected(port))
			continue;
		if (bt_message_iterator_create_from_sink_component(self, port, &upstream) !=
		    BT_MESSAGE_ITERATOR_CREATE_FROM_SINK_COMPONENT_STATUS_OK)
			return FALSE;
		wp_lanes_add(lanes, upstream);
	}
	return TRUE;
}
