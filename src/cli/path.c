/* SPDX-License-Identifier: MIT */
/* path.c: `waitpath path`: the critical path of one task. */
#include "config.h"

#include <unistd.h>

#include "base/error.h"
#include "cli/cli.h"
#include "session/question.h"

WpPath *cli_compute_path(const CliOptions *options, const WpAnalysis *analysis, GError **error)
{
	WpQuestion question = {.task = options->session.task,
			       .begin = options->begin,
			       .end = options->end,
			       .mode = options->mode,
			       .cancellable = cli_cancellable(options)};
	WpSelection selection;
	WpTime begin, end;

	if (!cli_get_window(options, analysis, &begin, &end, error) ||
	    !wp_question_select(&question, analysis, &selection, error) ||
	    !cli_check_life(analysis, &selection, begin, end, error))
		return NULL;
	return wp_question_answer(&question, analysis, error);
}

gboolean cli_require_task(const CliOptions *options, GError **error)
{
	if (!options->session.task)
		g_set_error(
			error, WP_ERROR, WP_ERROR_USAGE,
			"Whose path? Name a task with -t; \"waitpath tasks TRACE\" lists them.");
	return options->session.task != NULL;
}

gint cli_path(CliOptions *options, GError **error)
{
	const WpFormat *format = cli_get_format(options);
	WpTextStyle style = cli_get_style(options);
	g_autoptr(WpCauseFilter) filter = NULL;

	if (!cli_require_task(options, error) ||
	    !cli_require_format(options, format->path != NULL, "path", error))
		return -1;
	if (options->without && !(filter = wp_cause_filter_new(options->without, error)))
		return -1;

	g_autoptr(WpAnalysis) analysis = cli_load(options, error);

	if (!analysis)
		return -1;

	g_autoptr(WpPath) path = cli_compute_path(options, analysis, error);

	if (!path)
		return -1;

	g_autoptr(WpTotals) totals = wp_totals_new(path, analysis->graph);
	WpQuality quality;
	WpPathReport report = {.graph = analysis->graph,
			       .path = path,
			       .totals = totals,
			       .quality = &quality,
			       .findings = analysis->all_findings};
	WpWithout without;

	wp_quality_compute(&quality, path, analysis->graph);

	if (filter) {
		wp_without_compute(&without, analysis->graph, path, filter);
		report.without = &without;
		report.without_text = options->without;
	}

	g_autoptr(WpOut) out = cli_out_new(options, STDOUT_FILENO);

	format->path(out, &report, &style);
	if (!cli_finish(options, out, analysis, error))
		return -1;
	return wp_quality_is_weak(&quality, totals, options->strict) ? CLI_WEAK : CLI_DONE;
}
