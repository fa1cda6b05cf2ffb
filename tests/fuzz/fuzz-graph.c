/* SPDX-License-Identifier: MIT */
/*
 * fuzz-graph.c: any bytes as a saved graph, and everything that is asked of what opens: all
 * reports in all formats, all exports, all rows of the viewer, and the graph saved again.
 *
 * Each input is used as it is and once more with its checksums put right: they keep damage out,
 * but not forgery, and would keep the fuzzer from all that lies behind them.
 */
#include "config.h"

#include <string.h>

#include "base/column.h"
#include "export/exporter.h"
#include "export/format.h"
#include "fuzz.h"
#include "graph/file.h"
#include "session/session.h"
#include "timeline/lod.h"

#define TASKS_MAX 4u
#define ROWS_MAX 16u

/* ---- checksums ---- */

/* As in src/graph/file.c, which has the last word; doc/graph-file.md tells of it. */
typedef struct {
	gchar magic[8];
	guint32 version, byte_order;
	guint64 size, outline, n_sums;
	guint32 n_sections, n_hosts;
	guint64 sum, unused;
} Header;

typedef struct {
	guint32 host, kind;
	guint64 offset, n, first_sum;
	guint32 element, unused;
} Section;

/* Sums of sections that lie within the file; longer ones than a chunk are not met here. */
static void repair_section(guint8 *bytes, const Header *h, const Section *s)
{
	guint64 sum;

	if (s->offset > h->outline || !s->element || s->first_sum >= h->n_sums ||
	    s->n > (h->outline - s->offset) / s->element)
		return;
	sum = wp_checksum(bytes + s->offset, s->n * s->element);
	memcpy(bytes + h->outline + s->first_sum * sizeof(sum), &sum, sizeof(sum));
}

static void repair(guint8 *bytes, gsize size)
{
	guint64 outline_size;
	Header h, bare;
	Section s;

	if (size < sizeof(h))
		return;
	memcpy(&h, bytes, sizeof(h));
	h.size = size;
	if (h.outline < sizeof(h) || h.outline > size)
		return;
	outline_size = size - h.outline;
	if (outline_size / sizeof(s) < h.n_sections)
		return;
	h.n_sums = (outline_size - h.n_sections * sizeof(s)) / sizeof(guint64);
	for (guint i = 0; i < h.n_sections; i++) {
		memcpy(&s, bytes + h.outline + h.n_sums * sizeof(guint64) + i * sizeof(s),
		       sizeof(s));
		repair_section(bytes, &h, &s);
	}
	bare = h;
	bare.sum = 0;
	h.sum = wp_checksum(&bare, sizeof(bare)) ^ wp_checksum(bytes + h.outline, outline_size);
	memcpy(bytes, &h, sizeof(h));
}

/* ---- use ---- */

static gboolean drop(gpointer data, const gchar *bytes, gsize n, GError **error)
{
	(void)data;
	(void)bytes;
	(void)n;
	(void)error;
	return TRUE;
}

static void ask_for_path(const WpAnalysis *analysis, const WpPath *path)
{
	g_autoptr(WpTotals) totals = wp_totals_new(path, analysis->graph);
	WpQuality quality;
	const WpPathReport report = {.graph = analysis->graph,
				     .path = path,
				     .totals = totals,
				     .quality = &quality,
				     .findings = analysis->all_findings};
	const WpExportJob job = {.graph = analysis->graph, .path = path, .all = TRUE};
	const WpTextStyle style = {.verbose = 2};
	g_autoptr(WpOut) out = wp_out_new(drop, NULL);

	wp_quality_compute(&quality, path, analysis->graph);
	for (const WpFormat *const *format = wp_format_list(); *format; format++)
		if ((*format)->path)
			(*format)->path(out, &report, &style);
	for (const WpExporter *const *exporter = wp_exporter_list(); *exporter; exporter++)
		if ((*exporter)->write)
			(*exporter)->write(out, &job);
	wp_out_finish(out, NULL);
}

static void ask_for_paths(const WpAnalysis *analysis, guint h)
{
	WpHost *host = analysis->graph->hosts[h];
	const WpTime begin = wp_graph_time(analysis->graph, h, host->begin);
	const WpTime end = wp_graph_time(analysis->graph, h, host->end);

	for (guint64 t = 0; begin < end && t < MIN(host->tasks.n, TASKS_MAX); t++)
		for (guint mode = WP_PATH_ACTIVE; mode <= WP_PATH_CAUSAL; mode++) {
			g_autoptr(WpPath) path = wp_path_compute(analysis->graph, h, (WpId)t, begin,
								 end, mode, NULL, NULL);

			g_assert_nonnull(path);
			ask_for_path(analysis, path);
		}
}

static void ask_for_requests(const WpAnalysis *analysis, WpTime begin, WpTime end)
{
	static const WpTaskRef tasks[] = {{0, 0}, {0, 1}};
	const WpTextStyle style = {.verbose = 1};
	g_autoptr(WpOut) out = wp_out_new(drop, NULL);

	if (analysis->graph->hosts[0]->tasks.n < G_N_ELEMENTS(tasks))
		return;
	for (guint rule = WP_REQUESTS_MARKERS; rule <= WP_REQUESTS_CONNECTION; rule++) {
		const WpRequestsOptions options = {.rule = rule,
						   .from = "*",
						   .tasks = tasks,
						   .n_tasks = G_N_ELEMENTS(tasks),
						   .begin = begin,
						   .end = end};
		g_autoptr(WpRequests)
			requests = wp_requests_compute(analysis->graph, &options, NULL, NULL);
		g_autoptr(WpReasons) reasons = NULL;
		WpTime split;

		if (requests && wp_requests_find_split(requests, &split))
			reasons = wp_reasons_compute(requests, split);

		const WpRequestsReport report = {.graph = analysis->graph,
						 .options = &options,
						 .requests = requests,
						 .reasons = reasons,
						 .findings = analysis->all_findings};

		for (const WpFormat *const *format = wp_format_list(); requests && *format;
		     format++)
			if ((*format)->requests)
				(*format)->requests(out, &report, &style);
	}
}

/* The reports on all tasks, and on the hosts. */
static void ask_for_tables(const WpAnalysis *analysis, WpTime begin, WpTime end)
{
	const WpSyncView sync = {analysis->graph, analysis->sync, analysis->all_findings};
	const WpCheckReport check = {.graph = analysis->graph,
				     .sync = analysis->sync,
				     .traces = analysis->traces,
				     .n_traces = analysis->n_traces,
				     .findings = analysis->all_findings};
	g_autoptr(WpBlockers)
		blockers = wp_blockers_compute(analysis->graph, NULL, 0, begin, end, NULL, NULL);
	g_autoptr(WpPrefix)
		prefix = wp_prefix_compute(analysis->graph, begin, end, WP_PATH_ACTIVE, NULL, NULL);
	const WpBlockersReport who = {analysis->graph, blockers, analysis->all_findings};
	const WpTextStyle style = {.verbose = 1};
	g_autoptr(WpOut) out = wp_out_new(drop, NULL);

	for (const WpFormat *const *format = wp_format_list(); *format; format++) {
		if ((*format)->sync)
			(*format)->sync(out, &sync, &style);
		if ((*format)->check)
			(*format)->check(out, &check, &style);
		if ((*format)->blockers && blockers)
			(*format)->blockers(out, &who, &style);
	}
	g_assert_true(!prefix || prefix->n_tasks <= G_MAXUINT32);
}

/* A row of the viewer, at a few pixels of all its time. */
static void look_at(WpSeries *series, WpTime begin, WpTime end)
{
	g_autoptr(WpLod) lod = wp_lod_new(series, NULL, NULL);
	WpTime bounds[9];
	WpLodColumn columns[G_N_ELEMENTS(bounds) - 1];

	for (guint i = 0; i < G_N_ELEMENTS(bounds); i++)
		bounds[i] = wp_lod_bound(begin, end, G_N_ELEMENTS(columns), i);
	if (lod)
		wp_lod_query(lod, bounds, G_N_ELEMENTS(columns), columns, NULL);
}

static void look_at_rows(WpHost *host)
{
	for (guint64 t = 0; t < MIN(host->tasks.n, ROWS_MAX); t++)
		look_at(wp_series_new_task(host, (WpId)t), host->begin, host->end);
	for (guint cpu = 0; cpu < MIN(host->cpus.n, ROWS_MAX); cpu++)
		for (guint only = 0; only < 2; only++)
			look_at(wp_series_new_cpu(host, cpu, only), host->begin, host->end);
}

/* What there is of an analysis without traces; graph is taken. NULL when it can't be joined. */
static WpAnalysis *analyse(WpGraph *graph)
{
	const WpSyncOptions options = {.reference = 0};
	WpAnalysis *analysis = g_new0(WpAnalysis, 1);

	analysis->graph = graph;
	analysis->findings = wp_findings_new();
	analysis->all_findings = wp_findings_new();
	if (wp_sync_join(graph, &options, &analysis->sync, NULL, NULL))
		return analysis;
	wp_analysis_free(analysis);
	return NULL;
}

static void use(const guint8 *bytes, gsize size)
{
	const gchar *path = wp_fuzz_write("graph", bytes, size);
	g_autofree gchar *again = g_build_filename(wp_fuzz_directory(), "again", NULL);
	g_autoptr(WpAnalysis) analysis = NULL;
	g_autoptr(GPtrArray) hosts = NULL;
	g_autoptr(GError) error = NULL;
	WpTime begin, end;

	wp_graph_file_probe(path);
	hosts = wp_graph_file_open(path, &error);
	g_assert_true((hosts == NULL) == (error != NULL));
	if (!hosts || !hosts->len)
		return;
	analysis = analyse(wp_graph_new((WpHost **)hosts->pdata, hosts->len));
	if (!analysis)
		return;
	wp_analysis_get_span(analysis, &begin, &end);
	for (guint h = 0; h < analysis->graph->n_hosts; h++) {
		ask_for_paths(analysis, h);
		look_at_rows(analysis->graph->hosts[h]);
	}
	ask_for_tables(analysis, begin, end);
	ask_for_requests(analysis, begin, end);
	wp_graph_file_save(analysis->graph->hosts, analysis->graph->n_hosts, again, NULL, NULL);
	/* A flaw may be found, or not; nobody is told anything when there was one. */
	for (guint h = 0; h < analysis->graph->n_hosts; h++)
		wp_host_check(analysis->graph->hosts[h], NULL);
	wp_analysis_check_damage(analysis, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree guint8 *repaired = g_memdup2(data, size);

	use(data, size);
	repair(repaired, size);
	if (size && memcmp(repaired, data, size) != 0)
		use(repaired, size);
	return 0;
}
