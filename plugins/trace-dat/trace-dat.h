/* SPDX-License-Identifier: MIT */
/* trace-dat.h: the methods of source.waitpath.trace-dat. */
#ifndef WP_PLUGINS_TRACE_DAT_TRACE_DAT_H
#define WP_PLUGINS_TRACE_DAT_TRACE_DAT_H

#include <babeltrace2/babeltrace.h>

bt_component_class_initialize_method_status
wp_trace_dat_init(bt_self_component_source *self, bt_self_component_source_configuration *config,
		  const bt_value *params, void *data);
void wp_trace_dat_finalize(bt_self_component_source *self);
bt_component_class_query_method_status
wp_trace_dat_query(bt_self_component_class_source *self, bt_private_query_executor *executor,
		   const char *object, const bt_value *params, void *data, const bt_value **result);
bt_message_iterator_class_initialize_method_status
wp_trace_dat_iterator_init(bt_self_message_iterator *self,
			   bt_self_message_iterator_configuration *config,
			   bt_self_component_port_output *port);
void wp_trace_dat_iterator_finalize(bt_self_message_iterator *self);
bt_message_iterator_class_next_method_status
wp_trace_dat_iterator_next(bt_self_message_iterator *self, bt_message_array_const messages,
			   uint64_t capacity, uint64_t *count);
bt_message_iterator_class_seek_beginning_method_status
wp_trace_dat_iterator_seek_beginning(bt_self_message_iterator *self);

#endif
