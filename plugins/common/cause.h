/* SPDX-License-Identifier: MIT */
/*
 * cause.h: what the library says, told the way of Babeltrace: an error as a cause on the
 * current thread's error, a finding as a line of the component's log.
 */
#ifndef WP_PLUGINS_COMMON_CAUSE_H
#define WP_PLUGINS_COMMON_CAUSE_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>

#include "base/finding.h"

G_BEGIN_DECLS

/* All take the error over and return FALSE, so that a method can end with them. */
gboolean wp_cause_from_component(bt_self_component *self, GError *error);
gboolean wp_cause_from_iterator(bt_self_message_iterator *self, GError *error);
gboolean wp_cause_from_class(bt_self_component_class *self, GError *error);

/* Writes findings from index first on to stderr, as far as the component's log level wants them. */
void wp_log_findings(bt_self_component *self, const WpFindings *findings, guint first);

G_END_DECLS

#endif
