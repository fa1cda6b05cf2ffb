/* SPDX-License-Identifier: MIT */
/* graph.c: `waitpath graph`: saves what was made of the traces, for later commands. */
#include "config.h"

#include "base/error.h"
#include "cli/cli.h"
#include "graph/file.h"

gint cli_graph(CliOptions *options, GError **error)
{
	if (!options->output) {
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
			    "Where to? Name the file with -o FILE.");
		return -1;
	}

	g_autoptr(WpAnalysis) analysis = cli_load(options, error);

	if (!analysis || !wp_graph_file_save(analysis->graph->hosts, analysis->graph->n_hosts,
					     options->output, cli_cancellable(options), error))
		return -1;
	return CLI_DONE;
}
