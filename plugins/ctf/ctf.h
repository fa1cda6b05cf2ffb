/* SPDX-License-Identifier: MIT */
/* ctf.h: the methods of source.waitpath.ctf. */
#ifndef WP_PLUGINS_CTF_CTF_H
#define WP_PLUGINS_CTF_CTF_H

#include <babeltrace2/babeltrace.h>

bt_component_class_initialize_method_status
wp_ctf_init(bt_self_component_source *self, bt_self_component_source_configuration *config,
	    const bt_value *params, void *data);
void wp_ctf_finalize(bt_self_component_source *self);
bt_message_iterator_class_initialize_method_status
wp_ctf_iterator_init(bt_self_message_iterator *self, bt_self_message_iterator_configuration *config,
		     bt_self_component_port_output *port);
void wp_ctf_iterator_finalize(bt_self_message_iterator *self);
bt_message_iterator_class_next_method_status wp_ctf_iterator_next(bt_self_message_iterator *self,
								  bt_message_array_const messages,
								  uint64_t capacity,
								  uint64_t *count);
bt_message_iterator_class_seek_beginning_method_status
wp_ctf_iterator_seek_beginning(bt_self_message_iterator *self);

#endif
