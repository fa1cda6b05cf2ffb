/* SPDX-License-Identifier: MIT */
/*
 * json-value.h: what the library writes as JSON, as Babeltrace values: the result of a query
 * has the keys of the machine format, from the one writer of it.
 */
#ifndef WP_PLUGINS_COMMON_JSON_VALUE_H
#define WP_PLUGINS_COMMON_JSON_VALUE_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>

G_BEGIN_DECLS

/*
 * A new reference; integers are signed. NULL with WP_ERROR_FAILED when text is no JSON, nests
 * deeper than the writer does, or memory is out.
 */
bt_value *wp_json_to_value(const gchar *text, GError **error);

G_END_DECLS

#endif
