/* SPDX-License-Identifier: MIT */
/* test-plugin.h: the methods of the component classes that the tests of the plugin use. */
#ifndef TESTS_PLUGIN_TEST_PLUGIN_H
#define TESTS_PLUGIN_TEST_PLUGIN_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>

/* source.waitpath-test.every */
bt_component_class_initialize_method_status
test_every_init(bt_self_component_source *self, bt_self_component_source_configuration *config,
		const bt_value *params, void *data);
void test_every_finalize(bt_self_component_source *self);
bt_message_iterator_class_initialize_method_status
test_every_iterator_init(bt_self_message_iterator *self,
			 bt_self_message_iterator_configuration *config,
			 bt_self_component_port_output *port);
void test_every_iterator_rewind(bt_self_message_iterator *self);
void test_every_iterator_finalize(bt_self_message_iterator *self);
bt_message_iterator_class_next_method_status
test_every_iterator_next(bt_self_message_iterator *self, bt_message_array_const messages,
			 uint64_t capacity, uint64_t *count);

/* filter.waitpath-test.mirror */
bt_component_class_initialize_method_status
test_mirror_init(bt_self_component_filter *self, bt_self_component_filter_configuration *config,
		 const bt_value *params, void *data);
void test_mirror_finalize(bt_self_component_filter *self);
bt_message_iterator_class_initialize_method_status
test_mirror_iterator_init(bt_self_message_iterator *self,
			  bt_self_message_iterator_configuration *config,
			  bt_self_component_port_output *port);
void test_mirror_iterator_finalize(bt_self_message_iterator *self);
bt_message_iterator_class_next_method_status
test_mirror_iterator_next(bt_self_message_iterator *self, bt_message_array_const messages,
			  uint64_t capacity, uint64_t *count);

/* filter.waitpath-test.live */
bt_component_class_initialize_method_status
test_live_init(bt_self_component_filter *self, bt_self_component_filter_configuration *config,
	       const bt_value *params, void *data);
void test_live_finalize(bt_self_component_filter *self);
bt_message_iterator_class_initialize_method_status
test_live_iterator_init(bt_self_message_iterator *self,
			bt_self_message_iterator_configuration *config,
			bt_self_component_port_output *port);
void test_live_iterator_finalize(bt_self_message_iterator *self);
bt_message_iterator_class_next_method_status
test_live_iterator_next(bt_self_message_iterator *self, bt_message_array_const messages,
			uint64_t capacity, uint64_t *count);
bt_message_iterator_class_can_seek_beginning_method_status
test_live_iterator_can_seek(bt_self_message_iterator *self, bt_bool *can);
bt_message_iterator_class_seek_beginning_method_status
test_live_iterator_seek(bt_self_message_iterator *self);

#endif
