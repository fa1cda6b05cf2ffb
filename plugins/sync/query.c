/* SPDX-License-Identifier: MIT */
/*
 * query.c: the query object `sync` of filter.waitpath.sync: the report of the clocks of the
 * traces that its parameter `inputs` names, as `waitpath sync --format json` gives it.
 */
#include "config.h"

#include "base/error.h"
#include "base/out.h"
#include "plugins/common/cause.h"
#include "plugins/common/json-value.h"
#include "plugins/common/params.h"
#include "plugins/sync/sync.h"
#include "session/session.h"

static const WpParam params_table[] = {
	{"inputs", WP_PARAM_STRINGS, TRUE, G_STRUCT_OFFSET(WpOptions, traces), NULL},
	{"reference", WP_PARAM_STRING, FALSE, G_STRUCT_OFFSET(WpOptions, reference), NULL},
	{"offsets", WP_PARAM_OFFSETS, FALSE, G_STRUCT_OFFSET(WpOptions, offsets), NULL},
	{"sync-file", WP_PARAM_STRING, FALSE, G_STRUCT_OFFSET(WpOptions, sync_file), NULL},
	{"layouts", WP_PARAM_STRINGS, FALSE, G_STRUCT_OFFSET(WpOptions, layouts), NULL},
};

static bt_value *make_report(const WpOptions *options, GError **error)
{
	g_autoptr(WpAnalysis) analysis = wp_session_load(options, NULL, NULL, NULL, error);
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(WpOut) out = wp_out_new_string(text);

	if (!analysis)
		return NULL;
	wp_sync_write(out, analysis->graph, analysis->sync);
	return wp_out_finish(out, error) ? wp_json_to_value(text->str, error) : NULL;
}

static bt_value *query_sync(const bt_value *params, GError **error)
{
	bt_value *report = NULL;
	WpOptions options;

	if (!bt_value_is_map(params)) {
		g_set_error_literal(error, WP_ERROR, WP_ERROR_USAGE,
				    "The query needs the parameter 'inputs': an array of strings.");
		return NULL;
	}
	wp_options_init(&options);
	if (wp_params_read(params, params_table, G_N_ELEMENTS(params_table), &options, error))
		report = make_report(&options, error);
	wp_options_clear(&options);
	return report;
}

bt_component_class_query_method_status wp_sync_filter_query(bt_self_component_class_filter *self,
							    bt_private_query_executor *executor,
							    const char *object,
							    const bt_value *params, void *data,
							    const bt_value **result)
{
	GError *error = NULL;

	(void)executor;
	(void)data;
	if (!g_str_equal(object, "sync"))
		return BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_UNKNOWN_OBJECT;
	*result = query_sync(params, &error);
	if (*result)
		return BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_OK;
	wp_cause_from_class(bt_self_component_class_filter_as_self_component_class(self), error);
	return BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_ERROR;
}
