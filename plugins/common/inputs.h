/* SPDX-License-Identifier: MIT */
/*
 * inputs.h: input ports, as many as are connected: whenever one is, another one is added, so
 * that there is always one to connect to; the last one stays unconnected. in0, in1, ...
 */
#ifndef WP_PLUGINS_COMMON_INPUTS_H
#define WP_PLUGINS_COMMON_INPUTS_H

#include "plugins/common/lanes.h"

G_BEGIN_DECLS

/* Add the next input port; FALSE, with a cause, when that fails. */
gboolean wp_inputs_add_to_filter(bt_self_component_filter *self);
gboolean wp_inputs_add_to_sink(bt_self_component_sink *self);

/* Iterators on all connected input ports, a lane each in the order of ports. FALSE: the upstream
 * failed and said why. */
gboolean wp_inputs_open_filter(bt_self_component_filter *self, bt_self_message_iterator *iterator,
			       WpLanes *lanes);
gboolean wp_inputs_open_sink(bt_self_component_sink *self, WpLanes *lanes);
/* One more iterator on the port of a lane that wp_inputs_open_filter() made; NULL: failed. */
bt_message_iterator *wp_inputs_open_again(bt_self_component_filter *self,
					  bt_self_message_iterator *iterator, guint lane);

G_END_DECLS

#endif
