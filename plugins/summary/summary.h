/* SPDX-License-Identifier: MIT */
/* summary.h: the methods of sink.waitpath.summary. */
#ifndef WP_PLUGINS_SUMMARY_SUMMARY_H
#define WP_PLUGINS_SUMMARY_SUMMARY_H

#include <babeltrace2/babeltrace.h>

bt_component_class_initialize_method_status
wp_summary_init(bt_self_component_sink *self, bt_self_component_sink_configuration *config,
		const bt_value *params, void *data);
void wp_summary_finalize(bt_self_component_sink *self);
bt_component_class_port_connected_method_status
wp_summary_input_port_connected(bt_self_component_sink *self, bt_self_component_port_input *port,
				const bt_port_output *other);
bt_component_class_sink_graph_is_configured_method_status
wp_summary_graph_is_configured(bt_self_component_sink *self);
bt_component_class_sink_consume_method_status wp_summary_consume(bt_self_component_sink *self);

#endif
