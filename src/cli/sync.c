/* SPDX-License-Identifier: MIT */
/* sync.c: `waitpath sync`: how the clocks of the hosts relate. */
#include "config.h"

#include <stdio.h>
#include <unistd.h>

#include "cli/cli.h"

/* The machine formats hold no findings: why hosts are not joined is told beside them. */
static void tell_not_joined(const WpFindings *findings)
{
	for (guint i = 0; i < wp_findings_n(findings); i++) {
		const WpFinding *finding = wp_findings_get(findings, i);

		if (g_str_equal(finding->code, "hosts-not-joined"))
			fprintf(stderr, "waitpath: %s\n", finding->text);
	}
}

gint cli_sync(CliOptions *options, GError **error)
{
	const WpFormat *format = cli_get_format(options);
	WpTextStyle style = cli_get_style(options);

	if (!cli_require_format(options, format->sync != NULL, "sync", error))
		return -1;

	g_autoptr(WpAnalysis) analysis = cli_load(options, error);

	if (!analysis ||
	    (options->save && !wp_sync_save(analysis->graph, analysis->sync, options->save, error)))
		return -1;

	if (options->save)
		wp_interrupt_note(options->interrupt, "%s was written, the report was not",
				  options->save);

	WpSyncView report = {analysis->graph, analysis->sync, analysis->all_findings};
	g_autoptr(WpOut) out = cli_out_new(options, STDOUT_FILENO);

	format->sync(out, &report, &style);
	if (!cli_finish(options, out, analysis, error))
		return -1;
	for (guint i = 0; i < analysis->sync->n_hosts; i++) {
		if (analysis->sync->hosts[i].connected)
			continue;
		if (!g_str_equal(format->name, "text"))
			tell_not_joined(analysis->all_findings);
		return CLI_CANNOT_ANSWER;
	}
	return CLI_DONE;
}
