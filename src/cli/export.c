/* SPDX-License-Identifier: MIT */
/* export.c: `waitpath export`: a path, and the execution around it, for other tools. */
#include "config.h"

#include <unistd.h>

#include "base/error.h"
#include "base/whole-file.h"
#include "cli/cli.h"
#include "export/exporter.h"

static const WpExporter *get_exporter(const CliOptions *options, GError **error)
{
	const WpExporter *const *list = wp_exporter_list();
	g_autoptr(GString) names = g_string_new(NULL);

	if (options->exporter != G_MAXUINT)
		return list[options->exporter];
	for (guint i = 0; list[i]; i++)
		g_string_append_printf(names, "\n  %-10s  %s", list[i]->name, list[i]->help);
	g_set_error(error, WP_ERROR, WP_ERROR_USAGE, "For which tool? Name a --format:%s",
		    names->str);
	return NULL;
}

/* stdout will do, unless it is a terminal that bytes would garble, or a file is a must. */
static gboolean check_output(const CliOptions *options, const WpExporter *exporter, GError **error)
{
	if (options->output || (exporter->write && !exporter->binary) ||
	    (exporter->write && !isatty(STDOUT_FILENO)))
		return TRUE;
	g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
		    exporter->write ? "%s is nothing for a terminal: name a file with -o FILE."
				    : "%s needs a file: name it with -o FILE.",
		    exporter->name);
	return FALSE;
}

static gboolean write_to_fd(int fd, const CliOptions *options, const WpExporter *exporter,
			    const WpExportJob *job, const WpAnalysis *analysis, GError **error)
{
	g_autoptr(WpOut) out = cli_out_new(options, fd);

	exporter->write(out, job);
	return cli_finish(options, out, analysis, error);
}

static gboolean write_to_file(const CliOptions *options, const WpExporter *exporter,
			      const WpExportJob *job, const WpAnalysis *analysis, GError **error)
{
	g_autoptr(WpWholeFile) whole = NULL;

	if (exporter->save)
		return exporter->save(options->output, job, error);
	whole = wp_whole_file_new(options->output, error);
	if (whole &&
	    write_to_fd(wp_whole_file_get_fd(whole), options, exporter, job, analysis, error) &&
	    wp_whole_file_commit(whole, FALSE, error))
		return TRUE;
	if (whole && !wp_whole_file_is_in_place(whole))
		wp_interrupt_note(options->interrupt, "nothing was written");
	return FALSE;
}

gint cli_export(CliOptions *options, GError **error)
{
	const WpExporter *exporter = get_exporter(options, error);

	if (!exporter || !cli_require_task(options, error) ||
	    !check_output(options, exporter, error))
		return -1;

	g_autoptr(WpAnalysis) analysis = cli_load(options, error);

	if (!analysis)
		return -1;

	g_autoptr(WpPath) path = cli_compute_path(options, analysis, error);

	if (!path)
		return -1;

	/* An export is long, and goes out while it is made: a damaged graph has to be known before. */
	for (guint i = 0; i < analysis->graph->n_hosts; i++)
		if (!wp_host_load(analysis->graph->hosts[i], error))
			return -1;

	WpExportJob job = {analysis->graph, path, options->all, cli_cancellable(options)};

	if (options->output ? write_to_file(options, exporter, &job, analysis, error)
			    : write_to_fd(STDOUT_FILENO, options, exporter, &job, analysis, error))
		return CLI_DONE;
	return -1;
}
