/* SPDX-License-Identifier: MIT */
/* blockers.c: `waitpath blockers`: who waits for whom, over all tasks or a group. */
#include "config.h"

#include <unistd.h>

#include "cli/cli.h"

gint cli_blockers(CliOptions *options, GError **error)
{
	const WpFormat *format = cli_get_format(options);
	WpTextStyle style = cli_get_style(options);
	WpTime begin, end, first, last;

	if (!cli_require_format(options, format->blockers != NULL, "blockers", error))
		return -1;

	g_autoptr(WpAnalysis) analysis = cli_load(options, error);
	g_autoptr(GArray) group = NULL;

	if (!analysis || !cli_get_window(options, analysis, &begin, &end, error) ||
	    !wp_analysis_check_any_host(analysis, error))
		return -1;
	if (options->session.task &&
	    !(group = cli_find_group(analysis, options->session.task, error)))
		return -1;
	wp_analysis_get_span(analysis, &first, &last);

	g_autoptr(WpBlockers) blockers = wp_blockers_compute(
		analysis->graph, group ? (const WpTaskRef *)(gconstpointer)group->data : NULL,
		group ? group->len : 0, MAX(begin, first), MIN(end, last), cli_cancellable(options),
		error);

	if (!blockers)
		return -1;

	WpBlockersReport report = {
		.graph = analysis->graph, .blockers = blockers, .findings = analysis->all_findings};
	g_autoptr(WpOut) out = cli_out_new(options, STDOUT_FILENO);

	format->blockers(out, &report, &style);
	return cli_finish(options, out, analysis, error) ? CLI_DONE : -1;
}
