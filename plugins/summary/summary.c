/* SPDX-License-Identifier: MIT */
/*
 * summary.c: sink.waitpath.summary: the report of `waitpath path` at the end of a pipeline.
 *
 * Everything that comes in goes to an analysis; at the end the path is computed and written
 * by the same writers as those of the command line.
 */
#include "config.h"

#include <unistd.h>

#include "base/error.h"
#include "base/whole-file.h"
#include "export/format.h"
#include "plugins/common/ask.h"
#include "plugins/common/cause.h"
#include "plugins/common/inputs.h"
#include "plugins/common/intake.h"
#include "plugins/summary/summary.h"

/* Messages taken in one call: between two the graph looks whether the user wants to stop. */
#define MESSAGES_MAX 4096

typedef struct {
	WpAsk ask;
	guint format; /* of wp_format_list() */
	gchar *file; /* owned: to write to, NULL: stdout */
	gint64 verbose;
	WpIntake *intake; /* owned */
	WpLanes *lanes; /* owned */
} Summary;

/* The formats that have a report of a path, as wp_format_list() has them. */
static const gchar *const formats[] = {"text", "json", "csv", "folded", NULL};

static const WpParam params_table[] = {
	WP_ASK_PARAMS(Summary),
	{"format", WP_PARAM_CHOICE, FALSE, G_STRUCT_OFFSET(Summary, format), formats},
	{"path", WP_PARAM_STRING, FALSE, G_STRUCT_OFFSET(Summary, file), NULL},
	{"verbose", WP_PARAM_INTEGER, FALSE, G_STRUCT_OFFSET(Summary, verbose), NULL},
};

static void summary_free(Summary *summary)
{
	wp_lanes_free(summary->lanes);
	wp_intake_free(summary->intake);
	wp_params_clear(params_table, G_N_ELEMENTS(params_table), summary);
	wp_ask_clear(&summary->ask);
	g_free(summary);
}

static gboolean read_params(Summary *summary, const bt_value *params, GError **error)
{
	if (!wp_params_read(params, params_table, G_N_ELEMENTS(params_table), summary, error))
		return FALSE;
	if (summary->verbose >= 0 && summary->verbose <= 2)
		return TRUE;
	g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
		    "The parameter 'verbose' must be 0, 1 or 2, not %" G_GINT64_FORMAT ".",
		    summary->verbose);
	return FALSE;
}

bt_component_class_initialize_method_status
wp_summary_init(bt_self_component_sink *self, bt_self_component_sink_configuration *config,
		const bt_value *params, void *data)
{
	bt_self_component *component = bt_self_component_sink_as_self_component(self);
	Summary *summary = g_new0(Summary, 1);
	GError *error = NULL;

	(void)config;
	(void)data;
	wp_ask_init(&summary->ask);
	if (read_params(summary, params, &error))
		summary->intake = wp_intake_new(&summary->ask.options, &error);
	if (!summary->intake)
		wp_cause_from_component(component, error);
	if (!summary->intake || !wp_inputs_add_to_sink(self)) {
		summary_free(summary);
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	summary->lanes = wp_lanes_new(NULL, summary->intake);
	bt_self_component_set_data(component, summary);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static Summary *get_summary(bt_self_component_sink *self)
{
	return bt_self_component_get_data(bt_self_component_sink_as_self_component(self));
}

void wp_summary_finalize(bt_self_component_sink *self)
{
	summary_free(get_summary(self));
}

bt_component_class_port_connected_method_status
wp_summary_input_port_connected(bt_self_component_sink *self, bt_self_component_port_input *port,
				const bt_port_output *other)
{
	(void)port;
	(void)other;
	return wp_inputs_add_to_sink(self) ? BT_COMPONENT_CLASS_PORT_CONNECTED_METHOD_STATUS_OK
					   : BT_COMPONENT_CLASS_PORT_CONNECTED_METHOD_STATUS_ERROR;
}

bt_component_class_sink_graph_is_configured_method_status
wp_summary_graph_is_configured(bt_self_component_sink *self)
{
	return wp_inputs_open_sink(self, get_summary(self)->lanes)
		       ? BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK
		       : BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_ERROR;
}

static gboolean write_to_fd(const Summary *summary, int fd, const WpPathReport *report,
			    GError **error)
{
	const WpFormat *format = wp_format_find(formats[summary->format]);
	WpTextStyle style = {.utf8 = wp_text_locale_is_utf8(), .verbose = (guint)summary->verbose};
	g_autoptr(WpOut) out = wp_out_new_fd(fd);
	g_autoptr(GError) problem = NULL;

	format->path(out, report, &style);
	if (wp_out_finish(out, &problem) ||
	    g_error_matches(problem, WP_ERROR, WP_ERROR_BROKEN_PIPE))
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&problem));
	return FALSE;
}

static gboolean write_report(const Summary *summary, const WpPathReport *report, GError **error)
{
	g_autoptr(WpWholeFile) whole = NULL;

	if (!summary->file)
		return write_to_fd(summary, STDOUT_FILENO, report, error);
	whole = wp_whole_file_new(summary->file, error);
	return whole && write_to_fd(summary, wp_whole_file_get_fd(whole), report, error) &&
	       wp_whole_file_commit(whole, FALSE, error);
}

static gboolean report(const Summary *summary, GError **error)
{
	WpQuestion question = wp_ask_question(&summary->ask);
	g_autoptr(WpAnalysis)
		analysis = wp_feed_analyse(wp_intake_get_feed(summary->intake), TRUE, NULL, error);
	g_autoptr(WpPath) path = analysis ? wp_question_answer(&question, analysis, error) : NULL;
	g_autoptr(WpTotals) totals = path ? wp_totals_new(path, analysis->graph) : NULL;
	WpPathReport report;
	WpQuality quality;

	if (!path)
		return FALSE;
	wp_quality_compute(&quality, path, analysis->graph);
	report = (WpPathReport){.graph = analysis->graph,
				.path = path,
				.totals = totals,
				.quality = &quality,
				.findings = analysis->all_findings};
	return write_report(summary, &report, error);
}

bt_component_class_sink_consume_method_status wp_summary_consume(bt_self_component_sink *self)
{
	Summary *summary = get_summary(self);
	WpLanesStatus status = WP_LANES_OK;
	GError *error = NULL;

	for (guint i = 0; i < MESSAGES_MAX && status == WP_LANES_OK; i++)
		status = wp_intake_pull(summary->intake, summary->lanes, NULL, &error);
	if (status == WP_LANES_END && !report(summary, &error))
		status = WP_LANES_ERROR;
	switch (status) {
	case WP_LANES_OK:
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK;
	case WP_LANES_AGAIN:
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_AGAIN;
	case WP_LANES_END:
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END;
	case WP_LANES_ERROR:
		break;
	}
	if (error)
		wp_cause_from_component(bt_self_component_sink_as_self_component(self), error);
	return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_ERROR;
}
