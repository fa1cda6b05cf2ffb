/* SPDX-License-Identifier: MIT */
/* exporter.c: the table of exporters. */
#include "config.h"

#include "export/exporter-private.h"
#include "export/format-private.h"

gchar *wp_export_dup_title(const WpExportJob *job)
{
	WpActor actor;

	wp_actor_init(&actor, job->graph, job->path->host, job->path->task, WP_TIME_MAX);
	return g_strdup_printf("%s@%s (%d)", actor.comm, actor.host_name, actor.tid);
}

static void write_folded(WpOut *out, const WpExportJob *job)
{
	WpPathReport report = {.graph = job->graph, .path = job->path};

	wp_folded_write_path(out, &report, NULL);
}

static void write_csv(WpOut *out, const WpExportJob *job)
{
	WpPathReport report = {.graph = job->graph, .path = job->path};

	wp_csv_write_path(out, &report, NULL);
}

static const WpExporter perfetto = {
	.name = "perfetto",
	.help = "a trace for ui.perfetto.dev",
	.binary = TRUE,
	.write = wp_perfetto_write,
};
static const WpExporter chrome = {
	.name = "chrome",
	.help = "JSON trace events, for chrome://tracing and many others",
	.write = wp_chrome_write,
};
static const WpExporter speedscope = {
	.name = "speedscope",
	.help = "a profile for speedscope.app",
	.write = wp_speedscope_write,
};
static const WpExporter folded = {
	.name = "folded",
	.help = "stacks for flame graph tools",
	.write = write_folded,
};
static const WpExporter svg = {
	.name = "svg",
	.help = "a flame graph as a picture",
	.write = wp_flame_write,
};
static const WpExporter timeline = {
	.name = "timeline",
	.help = "the tasks over time as a picture",
	.write = wp_timeline_write,
};
static const WpExporter graphml = {
	.name = "graphml",
	.help = "the execution graph",
	.write = wp_graphml_write,
};
static const WpExporter xml = {
	.name = "xml",
	.help = "the path, for XML tools",
	.write = wp_xml_write,
};
static const WpExporter csv = {
	.name = "csv",
	.help = "the path as a table",
	.write = write_csv,
};
static const WpExporter otlp = {
	.name = "otlp",
	.help = "OpenTelemetry spans, a line for each host",
	.write = wp_otlp_write,
};
#ifdef HAVE_SQLITE
static const WpExporter sqlite = {
	.name = "sqlite",
	.help = "a database",
	.binary = TRUE,
	.save = wp_sqlite_save,
};
#endif

static const WpExporter *const exporters[] = {
	&perfetto, &chrome, &speedscope, &folded, &svg, &timeline, &graphml, &xml, &csv, &otlp,
#ifdef HAVE_SQLITE
	&sqlite,
#endif
	NULL,
};

const WpExporter *const *wp_exporter_list(void)
{
	return exporters;
}
