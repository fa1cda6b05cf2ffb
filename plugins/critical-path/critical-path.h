/* SPDX-License-Identifier: MIT */
/* critical-path.h: the methods of filter.waitpath.critical-path. */
#ifndef WP_PLUGINS_CRITICAL_PATH_CRITICAL_PATH_H
#define WP_PLUGINS_CRITICAL_PATH_CRITICAL_PATH_H

#include <babeltrace2/babeltrace.h>

bt_component_class_initialize_method_status
wp_critical_path_init(bt_self_component_filter *self,
		      bt_self_component_filter_configuration *config, const bt_value *params,
		      void *data);
void wp_critical_path_finalize(bt_self_component_filter *self);
bt_component_class_port_connected_method_status
wp_critical_path_input_port_connected(bt_self_component_filter *self,
				      bt_self_component_port_input *port,
				      const bt_port_output *other);
bt_message_iterator_class_initialize_method_status
wp_critical_path_iterator_init(bt_self_message_iterator *self,
			       bt_self_message_iterator_configuration *config,
			       bt_self_component_port_output *port);
void wp_critical_path_iterator_finalize(bt_self_message_iterator *self);
bt_message_iterator_class_next_method_status
wp_critical_path_iterator_next(bt_self_message_iterator *self, bt_message_array_const messages,
			       uint64_t capacity, uint64_t *count);
bt_message_iterator_class_can_seek_beginning_method_status
wp_critical_path_iterator_can_seek_beginning(bt_self_message_iterator *self, bt_bool *can);
bt_message_iterator_class_seek_beginning_method_status
wp_critical_path_iterator_seek_beginning(bt_self_message_iterator *self);

#endif
