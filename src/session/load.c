/* SPDX-License-Identifier: MIT */
/*
 * load.c: traces to a joined graph.
 *
 * All readers are opened, and in the end freed, on the calling thread (Babeltrace's
 * graphs want that). Each host is a *job*; threads take jobs in order until there
 * are none. What a job finds stays in it until all are done, so that nothing but
 * progress is shared.
 */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/thread.h"
#include "bt2/bt2-reader.h"
#include "ctf/ctf-reader.h"
#include "event/merge.h"
#include "ftrace/ftrace-reader.h"
#include "ftrace/trace-dat.h"
#include "graph/file.h"
#include "kernel/model.h"
#include "session/session-private.h"

/* Of one stream of a host, counted as its events pass. */
typedef struct {
	gboolean has_events;
	guint64 lost_events, lost_packets;
	WpTime begin, end;
} StreamCount;

typedef struct Load Load;

typedef struct {
	Load *load; /* borrowed */
	const WpHostGroup *group; /* borrowed */
	WpHost *host; /* owned */
	WpModel *model; /* owned while it runs */
	GArray *streams; /* owned: StreamCount, of all readers one behind the other */
	GError *error; /* owned: what ended it, NULL */
	guint n_threads; /* for the merge of this host */
	guint64 n_bytes, n_events; /* guarded by the lock: read so far */
} Job;

struct Load {
	const WpOptions *options; /* borrowed */
	GPtrArray *inputs; /* owned: WpInput */
	GPtrArray *groups; /* owned: WpHostGroup */
	WpLayout *layout; /* reference */
	WpFindings *findings; /* owned: passed on to the analysis */
	WpMemory *memory; /* reference */
	Job *jobs; /* owned */
	guint n_jobs;
	GCancellable *cancellable; /* borrowed, NULL */
	WpSessionProgressFunc progress; /* NULL */
	gpointer progress_data; /* borrowed */
	gint64 begin; /* monotonic us */
	guint64 n_bytes_all;
	WpMutex lock;
	guint next_job; /* guarded by the lock */
	gboolean failed; /* guarded by the lock: no further job is begun */
};

/* ---- opening ---- */

static WpLayout *make_layout(const WpOptions *options, GError **error)
{
	g_autoptr(WpLayout) layout = wp_layout_new(error);

	if (!layout)
		return NULL;
	for (guint i = 0; i < options->layouts->len; i++)
		if (!wp_layout_add_file(layout, options->layouts->pdata[i], error))
			return NULL;
	for (guint i = 0; i < options->markers->len; i++) {
		g_auto(GStrv) parts = g_strsplit(options->markers->pdata[i], ":", 2);

		wp_layout_add_marker(layout, parts[0], parts[1]);
	}
	return g_steal_pointer(&layout);
}

static WpReader *open_reader(Load *load, const gchar *path, GError **error)
{
	g_autoptr(GError) declined = NULL;
	WpReader *reader;

	/* a CTF trace is a directory */
	if (wp_trace_dat_probe(path))
		return wp_ftrace_reader_open(path, load->layout, error);
	if (load->options->reader == WP_READER_BABELTRACE)
		return wp_bt2_reader_open(path, load->layout, error);
	reader = wp_ctf_reader_open(path, load->layout, &declined);
	if (reader)
		return reader;
	if (load->options->reader == WP_READER_DIRECT ||
	    !g_error_matches(declined, WP_ERROR, WP_ERROR_DECLINED)) {
		g_propagate_error(error, g_steal_pointer(&declined));
		return NULL;
	}
	reader = wp_bt2_reader_open(path, load->layout, error);
	if (reader)
		wp_findings_add(reader->findings, "read-by-babeltrace", WP_SEVERITY_INFO, NULL,
				WP_TIME_MIN, 1,
				"%s was read through Babeltrace, which is slower: %s", path,
				declined->message);
	return reader;
}

static void input_free(gpointer data)
{
	WpInput *input = data;

	g_free(input->path);
	g_free(input->given);
	wp_reader_free(input->reader);
	wp_host_free(input->saved);
	g_free(input);
}

static WpInput *add_input(Load *load, const WpSource *source)
{
	WpInput *input = g_new0(WpInput, 1);

	input->path = g_strdup(source->path);
	input->given = g_strdup(source->name);
	g_ptr_array_add(load->inputs, input);
	return input;
}

/* One input for a trace, one for each host of a saved graph. */
static gboolean open_source(Load *load, const WpSource *source, GError **error)
{
	WpReader *reader;

	if (source->saved) {
		GPtrArray *hosts = wp_graph_file_open(source->path, error);

		if (!hosts)
			return FALSE;
		/* The hosts go over to the inputs. */
		for (guint i = 0; i < hosts->len; i++)
			add_input(load, source)->saved = hosts->pdata[i];
		g_ptr_array_set_free_func(hosts, NULL);
		g_ptr_array_unref(hosts);
		return TRUE;
	}
	reader = open_reader(load, source->path, error);
	if (!reader)
		return FALSE;
	load->n_bytes_all += reader->info.n_bytes;
	add_input(load, source)->reader = reader;
	return TRUE;
}

/*
 * Opens all sources. What can't be opened is an error when its argument has nothing else, and a
 * finding otherwise.
 */
static gboolean open_sources(Load *load, const GPtrArray *sources, GError **error)
{
	guint n_arguments = load->options->traces->len;
	g_autofree guint *n_open = g_new0(guint, n_arguments);
	g_autofree GError **problems = g_new0(GError *, n_arguments); /* the first of each */
	gboolean ok = TRUE;

	for (guint i = 0; i < sources->len; i++) {
		const WpSource *source = sources->pdata[i];
		g_autoptr(GError) problem = NULL;

		if (open_source(load, source, &problem)) {
			n_open[source->argument]++;
			continue;
		}
		wp_findings_add(load->findings, "trace-unreadable", WP_SEVERITY_ERROR, NULL,
				WP_TIME_MIN, 1, "%s", problem->message);
		if (!problems[source->argument])
			problems[source->argument] = g_steal_pointer(&problem);
	}
	for (guint i = 0; i < n_arguments; i++) {
		if (ok && problems[i] && n_open[i] == 0) {
			g_propagate_error(error, g_steal_pointer(&problems[i]));
			ok = FALSE;
		}
		g_clear_error(&problems[i]);
	}
	return ok;
}

/* ---- reading ---- */

static void count_event(StreamCount *count, const WpEvent *event)
{
	if (event->kind == WP_EV_LOST) {
		if (WP_EVENT_HAS(event, WP_LOST_COUNT))
			count->lost_events += event->v[WP_LOST_COUNT].u;
		if (WP_EVENT_HAS(event, WP_LOST_PACKETS))
			count->lost_packets += event->v[WP_LOST_PACKETS].u;
		return;
	}
	if (!count->has_events)
		count->begin = event->time;
	count->has_events = TRUE;
	count->end = event->time;
}

static gboolean on_event(const WpEvent *event, gpointer data, GError **error)
{
	Job *job = data;

	count_event(&g_array_index(job->streams, StreamCount, event->stream), event);
	return wp_model_event(event, job->model, error);
}

static void on_progress(guint64 n_bytes, guint64 n_events, gpointer data)
{
	Job *job = data;
	Load *load = job->load;
	WpProgress sum = {0};

	wp_mutex_lock(&load->lock);
	job->n_bytes = n_bytes;
	job->n_events = n_events;
	for (guint i = 0; i < load->n_jobs; i++) {
		sum.share += (gdouble)load->jobs[i].n_bytes;
		sum.n_events += load->jobs[i].n_events;
	}
	sum.share = load->n_bytes_all > 0 ? sum.share / (gdouble)load->n_bytes_all : 0.0;
	sum.elapsed = g_get_monotonic_time() - load->begin;
	load->progress(&sum, load->progress_data);
	wp_mutex_unlock(&load->lock);
}

static void job_init(Job *job, Load *load, const WpHostGroup *group)
{
	guint n_streams = 0;

	job->load = load;
	job->group = group;
	if (group->saved) {
		WpInput *input = load->inputs->pdata[g_array_index(group->indexes, guint, 0)];

		job->host = g_steal_pointer(&input->saved);
		g_free(job->host->name);
		job->host->name = g_strdup(group->name);
	} else {
		job->host = wp_host_new(group->name, load->memory);
		job->host->clock_uuid = g_strdup(group->uuid);
	}
	for (guint i = 0; i < group->readers->len; i++)
		n_streams += ((const WpReader *)group->readers->pdata[i])->info.n_streams;
	job->streams = g_array_sized_new(FALSE, TRUE, sizeof(StreamCount), n_streams);
	g_array_set_size(job->streams, n_streams);
}

static gboolean job_run(Job *job, GError **error)
{
	const WpHostGroup *group = job->group;
	Load *load = job->load;
	g_autofree const WpTraceInfo **infos = g_new(const WpTraceInfo *, group->readers->len);
	gboolean ok;

	if (group->saved)
		return TRUE;
	for (guint i = 0; i < group->readers->len; i++)
		infos[i] = &((const WpReader *)group->readers->pdata[i])->info;
	job->model = wp_model_new(job->host, infos, group->readers->len);
	ok = wp_merge_run((WpReader *const *)group->readers->pdata, group->readers->len,
			  job->n_threads, on_event, job, load->progress ? on_progress : NULL, job,
			  job->host->findings, load->cancellable, error) &&
	     wp_model_finish(job->model, error);
	g_clear_pointer(&job->model, wp_model_free);
	return ok;
}

static void *run_jobs(void *data)
{
	Load *load = data;

	for (;;) {
		Job *job = NULL;

		wp_mutex_lock(&load->lock);
		if (load->next_job < load->n_jobs && !load->failed)
			job = &load->jobs[load->next_job++];
		wp_mutex_unlock(&load->lock);
		if (!job)
			return NULL;
		if (job_run(job, &job->error))
			continue;
		wp_mutex_lock(&load->lock);
		load->failed = TRUE;
		wp_mutex_unlock(&load->lock);
	}
}

static guint count_cpus(void)
{
	glong n = sysconf(_SC_NPROCESSORS_ONLN);

	return n > 0 ? (guint)MIN(n, 1024) : 1;
}

/*
 * Runs all jobs by as many threads as there are hosts, at most options->jobs; the threads left
 * over go to the merges. Jobs are begun in order, so the error of the first that failed is the
 * same whatever their number.
 */
static gboolean run_all(Load *load, GError **error)
{
	guint n_threads = load->options->jobs > 0 ? load->options->jobs : count_cpus();
	guint n_runners = CLAMP(load->n_jobs, 1, n_threads), n_started = 0;
	g_autofree pthread_t *threads = g_new(pthread_t, n_runners);

	for (guint i = 0; i < load->n_jobs; i++)
		load->jobs[i].n_threads = n_threads / n_runners +
					  (i < n_threads % n_runners ? 1 : 0);
	while (n_started + 1 < n_runners && wp_thread_start(&threads[n_started], run_jobs, load))
		n_started++;
	run_jobs(load);
	for (guint i = 0; i < n_started; i++)
		pthread_join(threads[i], NULL);
	for (guint i = 0; i < load->n_jobs; i++)
		if (load->jobs[i].error) {
			g_propagate_error(error, g_steal_pointer(&load->jobs[i].error));
			return FALSE;
		}
	return TRUE;
}

/* ---- what came of it ---- */

static gchar *tracer_text(const WpTraceInfo *info)
{
	if (!info->tracer)
		return NULL;
	if (info->tracer_major < 0)
		return g_strdup(info->tracer);
	return g_strdup_printf("%s %d.%d", info->tracer, info->tracer_major,
			       MAX(info->tracer_minor, 0));
}

static void missing_clear(gpointer data)
{
	g_free(((WpMissing *)data)->enable);
}

static WpTraceReport *new_report(const gchar *path, const gchar *reader)
{
	WpTraceReport *report = g_new0(WpTraceReport, 1);

	report->path = g_strdup(path);
	report->reader = reader;
	report->host = WP_NONE;
	report->begin = WP_TIME_MAX;
	report->end = WP_TIME_MIN;
	report->findings = wp_findings_new();
	report->missing = g_array_new(FALSE, FALSE, sizeof(WpMissing));
	g_array_set_clear_func(report->missing, missing_clear);
	return report;
}

static WpTraceReport *report_trace(const WpReader *reader, const StreamCount *streams)
{
	const WpTraceInfo *info = &reader->info;
	WpTraceReport *report = new_report(info->path, reader->klass->name);

	report->tracer = tracer_text(info);
	report->domain = g_strdup(info->domain);
	report->n_cpus = info->n_cpus;
	report->n_events = reader->n_events;
	wp_findings_merge(report->findings, reader->findings, NULL);
	for (guint i = 0; i < info->n_streams; i++) {
		report->lost_events += streams[i].lost_events;
		report->lost_packets += streams[i].lost_packets;
		if (!streams[i].has_events)
			continue;
		report->begin = MIN(report->begin, streams[i].begin);
		report->end = MAX(report->end, streams[i].end);
	}
	return report;
}

static WpTraceReport *report_saved(const WpInput *input, const WpHost *host)
{
	WpTraceReport *report = new_report(input->path, "saved graph");

	report->n_cpus = (guint)host->cpus.n;
	report->n_events = host->n_events;
	report->lost_events = host->n_lost;
	report->begin = host->begin;
	report->end = host->end;
	return report;
}

/* What the host lacks is told of its first kernel trace: the others may fill the gap. */
static void report_missing(Load *load, const WpHostGroup *group, WpTraceReport **reports)
{
	guint64 kinds = 0;
	guint teller = G_MAXUINT;

	for (guint i = 0; i < group->readers->len; i++) {
		const WpReader *reader = group->readers->pdata[i];

		kinds |= wp_needs_kinds(&reader->info, load->layout);
		if (teller == G_MAXUINT && g_strcmp0(reader->info.domain, "ust"))
			teller = i;
	}
	if (teller == G_MAXUINT)
		teller = 0;

	const WpReader *reader = group->readers->pdata[teller];
	guint index = g_array_index(group->indexes, guint, teller);

	wp_needs_add_missing(reports[index]->missing, kinds, &reader->info);
}

static void report_job(Load *load, const Job *job, guint32 host, WpTraceReport **reports)
{
	const WpHostGroup *group = job->group;
	const StreamCount *streams = (const StreamCount *)(gpointer)job->streams->data;

	for (guint i = 0; i < group->indexes->len; i++) {
		guint index = g_array_index(group->indexes, guint, i);
		const WpInput *input = load->inputs->pdata[index];

		reports[index] = input->reader ? report_trace(input->reader, streams)
					       : report_saved(input, job->host);
		reports[index]->host = host;
		reports[index]->host_name = g_strdup(group->name);
		streams += input->reader ? input->reader->info.n_streams : 0;
	}
	if (!group->saved)
		report_missing(load, group, reports);
}

/* Reports of all inputs, in their order; hosts without events are left out. */
static WpAnalysis *make_analysis(Load *load)
{
	WpAnalysis *analysis = g_new0(WpAnalysis, 1);
	g_autofree WpHost **hosts = g_new(WpHost *, load->n_jobs);
	guint n_hosts = 0;

	analysis->n_traces = load->inputs->len;
	analysis->traces = g_new0(WpTraceReport *, analysis->n_traces);
	for (guint i = 0; i < load->n_jobs; i++) {
		Job *job = &load->jobs[i];
		gboolean empty = job->host->n_events == 0;

		report_job(load, job, empty ? WP_NONE : n_hosts, analysis->traces);
		if (empty)
			wp_findings_add(load->findings, "no-events", WP_SEVERITY_WARNING,
					job->group->name, WP_TIME_MIN, 1,
					"There are no events in the traces of this host.");
		else
			hosts[n_hosts++] = g_steal_pointer(&job->host);
	}
	analysis->graph = wp_graph_new(hosts, n_hosts);
	analysis->findings = g_steal_pointer(&load->findings);
	analysis->memory = wp_memory_ref(load->memory);
	return analysis;
}

static void load_clear(Load *load)
{
	for (guint i = 0; i < load->n_jobs; i++) {
		wp_host_free(load->jobs[i].host);
		g_array_unref(load->jobs[i].streams);
		g_clear_error(&load->jobs[i].error);
	}
	g_free(load->jobs);
	g_clear_pointer(&load->groups, g_ptr_array_unref);
	g_clear_pointer(&load->inputs, g_ptr_array_unref);
	g_clear_pointer(&load->layout, wp_layout_unref);
	g_clear_pointer(&load->findings, wp_findings_free);
	g_clear_pointer(&load->memory, wp_memory_unref);
	wp_mutex_clear(&load->lock);
}

static gboolean load_run(Load *load, GError **error)
{
	load->layout = make_layout(load->options, error);
	if (!load->layout)
		return FALSE;

	g_autoptr(GPtrArray)
		sources = wp_sources_find(load->options->traces, load->findings, error);

	if (!sources || !open_sources(load, sources, error))
		return FALSE;
	load->groups = wp_hosts_group(load->inputs, load->findings);
	load->n_jobs = load->groups->len;
	load->jobs = g_new0(Job, load->n_jobs);
	for (guint i = 0; i < load->n_jobs; i++)
		job_init(&load->jobs[i], load, load->groups->pdata[i]);
	return run_all(load, error);
}

WpAnalysis *wp_load_hosts(const WpOptions *options, WpSessionProgressFunc progress,
			  gpointer progress_data, GCancellable *cancellable, GError **error)
{
	Load load = {.options = options,
		     .cancellable = cancellable,
		     .progress = progress,
		     .progress_data = progress_data,
		     .begin = g_get_monotonic_time()};
	WpAnalysis *analysis = NULL;

	wp_mutex_init(&load.lock);
	load.findings = wp_findings_new();
	load.inputs = g_ptr_array_new_with_free_func(input_free);
	load.memory = wp_memory_new(options->max_memory, options->cache_dir);
	if (load_run(&load, error))
		analysis = make_analysis(&load);
	load_clear(&load);
	if (analysis && analysis->graph->n_hosts == 0) {
		g_set_error(error, WP_ERROR, WP_ERROR_CANNOT_ANSWER,
			    "There are no events that say anything in %s.",
			    (const gchar *)options->traces->pdata[0]);
		g_clear_pointer(&analysis, wp_analysis_free);
	}
	return analysis;
}
