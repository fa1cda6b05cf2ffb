/* SPDX-License-Identifier: MIT */
/* check.c: `waitpath check`: is this trace fit for the analysis? */
#include "config.h"

#include <unistd.h>

#include "cli/cli.h"

gint cli_check(CliOptions *options, GError **error)
{
	const WpFormat *format = cli_get_format(options);
	WpTextStyle style = cli_get_style(options);
	gint status = CLI_DONE;

	if (!cli_require_format(options, format->check != NULL, "check", error))
		return -1;

	g_autoptr(WpAnalysis) analysis = cli_load(options, error);

	if (!analysis)
		return -1;

	g_autoptr(WpFindings) rest = wp_findings_new();

	wp_findings_merge(rest, analysis->findings, NULL);
	for (guint i = 0; i < analysis->graph->n_hosts; i++)
		wp_findings_merge(rest, analysis->graph->hosts[i]->findings,
				  analysis->graph->hosts[i]->name);
	wp_findings_merge(rest, analysis->graph->findings, NULL);

	WpCheckReport report = {
		.graph = analysis->graph,
		.sync = analysis->sync,
		.traces = analysis->traces,
		.n_traces = analysis->n_traces,
		.findings = rest,
	};
	g_autoptr(WpOut) out = cli_out_new(options, STDOUT_FILENO);

	format->check(out, &report, &style);
	if (!cli_finish(options, out, analysis, error))
		return -1;
	for (guint i = 0; i < analysis->graph->n_hosts; i++)
		if (!wp_analysis_check_host(analysis, i, NULL))
			status = CLI_CANNOT_ANSWER;
	return status;
}
