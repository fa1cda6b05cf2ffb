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

#include "base/bus.h"
#include "base/error.h"
#include "base/phase.h"
#include "base/thread.h"
#include "bt2/bt2-reader.h"
#include "ctf/ctf-reader.h"
#include "event/merge.h"
#include "ftrace/ftrace-reader.h"
#include "ftrace/trace-dat.h"
#include "graph/file.h"
#include "session/session-private.h"

typedef struct Load Load;

typedef struct {
	Load *load; /* borrowed */
	WpMaking making;
	GError *error; /* owned: what ended it, NULL */
	guint n_threads; /* for the merge of this host */
	guint64 n_bytes, n_events; /* guarded by the lock: read so far */
} Job;

struct Load {
	const WpOptions *options; /* borrowed */
	GPtrArray *inputs; /* owned: WpInput */
	GPtrArray *groups; /* owned: WpHostGroup */
	WpLayout *layout; /* reference */
	WpFindings *findings; /* owned */
	WpMemory *memory; /* reference */
	Job *jobs; /* owned */
	guint n_jobs;
	WpCancel *cancellable; /* borrowed, NULL */
	WpSessionProgressFunc progress; /* NULL */
	gpointer progress_data; /* borrowed */
	gint64 begin; /* monotonic us */
	guint64 n_bytes_all;
	WpMutex lock;
	guint next_job; /* guarded by the lock */
	gboolean failed; /* guarded by the lock: no further job is begun */
};

/* Threads that the analysis may have. */
static guint count_threads(const WpOptions *options)
{
	glong n = sysconf(_SC_NPROCESSORS_ONLN);

	if (options->jobs > 0)
		return options->jobs;
	return n > 0 ? (guint)MIN(n, 1024) : 1;
}

/* ---- opening ---- */

/* All threads may read this trace, each from a graph of its own. */
static WpReader *open_by_babeltrace(const Load *load, const gchar *path, GError **error)
{
	return wp_bt2_reader_open_parallel(path, load->layout, count_threads(load->options),
					   load->progress != NULL, error);
}

static WpReader *open_reader(Load *load, const gchar *path, GError **error)
{
	g_autoptr(GError) declined = NULL, problem = NULL;
	WpReader *reader;

	/* a CTF trace is a directory */
	if (wp_trace_dat_probe(path))
		return wp_ftrace_reader_open(path, load->layout, error);
	if (load->options->reader == WP_READER_BABELTRACE)
		return wp_ctf_reader_may_try(path, error) ? open_by_babeltrace(load, path, error)
							  : NULL;
	reader = wp_ctf_reader_open(path, load->layout, &declined);
	if (reader)
		return reader;
	if (load->options->reader == WP_READER_DIRECT ||
	    !g_error_matches(declined, WP_ERROR, WP_ERROR_DECLINED)) {
		g_propagate_error(error, g_steal_pointer(&declined));
		return NULL;
	}
	reader = open_by_babeltrace(load, path, &problem);
	if (!reader)
		g_set_error(error, WP_ERROR, (gint)problem->code,
			    "%s The reader of waitpath itself declines it: %s", problem->message,
			    declined->message);
	else
		wp_findings_add(reader->findings, "read-by-babeltrace", WP_SEVERITY_INFO, NULL,
				WP_TIME_MIN, 1,
				"%s was read through Babeltrace, which is slower: %s", path,
				declined->message);
	return reader;
}

static WpInput *add_input(Load *load, const WpSource *source)
{
	WpInput *input = g_new0(WpInput, 1);

	input->path = g_strdup(source->path);
	input->given = g_strdup(source->name);
	g_ptr_array_add(load->inputs, input);
	return input;
}

/*
 * Where a trace of a saved graph lies now: where it did, or, if that is no more, at the end of
 * its path below the graph's own folder, since both may have been moved together. NULL: nowhere.
 */
static gchar *find_again(const gchar *trace, const gchar *graph)
{
	g_autofree gchar *folder = g_path_get_dirname(graph);

	if (g_file_test(trace, G_FILE_TEST_EXISTS))
		return NULL;
	for (const gchar *end = strchr(trace, '/'); end; end = strchr(end + 1, '/')) {
		g_autofree gchar *path = g_build_filename(folder, end + 1, NULL);

		if (end[1] && g_file_test(path, G_FILE_TEST_EXISTS))
			return g_steal_pointer(&path);
	}
	return NULL;
}

static void find_traces_again(WpHost *host, const gchar *graph)
{
	for (guint i = 0; i < host->traces->len; i++) {
		WpHostTrace *trace = &g_array_index(host->traces, WpHostTrace, i);
		g_autofree gchar *found = find_again(trace->path, graph);

		if (!found)
			continue;
		g_free(trace->path);
		trace->path = g_canonicalize_filename(found, NULL);
	}
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
		for (guint i = 0; i < hosts->len; i++) {
			wp_host_set_memory(hosts->pdata[i], load->memory);
			find_traces_again(hosts->pdata[i], source->path);
			add_input(load, source)->saved = hosts->pdata[i];
		}
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

static gboolean on_events(const WpEvent *const *events, guint n, gpointer data, GError **error)
{
	return wp_model_events(data, events, n, FALSE, error);
}

static gboolean on_far_events(const WpEvent *const *events, guint n, gpointer data, GError **error)
{
	return wp_model_events(data, events, n, TRUE, error);
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

static gboolean job_run(Job *job, GError **error)
{
	WpMaking *making = &job->making;
	const GPtrArray *readers = making->group->readers;
	Load *load = job->load;
	WP_PHASE(WP_PHASE_MODEL);

	if (making->group->saved)
		return TRUE;
	for (guint i = 0; i < readers->len; i++) {
		const WpReader *reader = readers->pdata[i];

		wp_host_add_trace(making->host, reader->info.path, reader->info.clock_offset,
				  reader->clock_shift);
	}
	wp_making_begin(making);
	return wp_merge_run_many((WpReader *const *)readers->pdata, readers->len, job->n_threads,
				 job->n_threads > 1 ? on_far_events : on_events, making->model,
				 load->progress ? on_progress : NULL, job, making->host->findings,
				 load->cancellable, error) &&
	       wp_making_finish(making, error);
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

/*
 * Runs all jobs by as many threads as there are hosts, at most options->jobs; the threads left
 * over go to the merges. Jobs are begun in order, so the error of the first that failed is the
 * same whatever their number.
 */
static gboolean run_all(Load *load, GError **error)
{
	guint n_threads = count_threads(load->options);
	guint n_runners = CLAMP(load->n_jobs, 1, n_threads), n_started = 0;
	g_autofree pthread_t *threads = g_new(pthread_t, n_runners);

	for (guint i = 0; i < load->n_jobs; i++)
		load->jobs[i].n_threads = n_threads / n_runners +
					  (i < n_threads % n_runners ? 1 : 0);
	if (n_threads > 1)
		wp_memory_start_ahead(load->memory);
	while (n_started + 1 < n_runners && wp_thread_start(&threads[n_started], run_jobs, load))
		n_started++;
	run_jobs(load);
	for (guint i = 0; i < n_started; i++)
		pthread_join(threads[i], NULL);
	wp_memory_stop_ahead(load->memory);
	for (guint i = 0; i < load->n_jobs; i++)
		if (load->jobs[i].error) {
			g_propagate_error(error, g_steal_pointer(&load->jobs[i].error));
			return FALSE;
		}
	return TRUE;
}

/* ---- all of it ---- */

static void load_clear(Load *load)
{
	for (guint i = 0; i < load->n_jobs; i++) {
		wp_making_clear(&load->jobs[i].making);
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
	load->layout = wp_options_make_layout(load->options, error);
	if (!load->layout)
		return FALSE;

	g_autoptr(GPtrArray)
		sources = wp_sources_find(load->options->traces, load->findings, error);

	if (!sources || !open_sources(load, sources, error))
		return FALSE;
	load->groups = wp_hosts_group(load->inputs, load->findings);
	load->n_jobs = load->groups->len;
	load->jobs = g_new0(Job, load->n_jobs);
	for (guint i = 0; i < load->n_jobs; i++) {
		load->jobs[i].load = load;
		wp_making_init(&load->jobs[i].making, load->groups->pdata[i], load->inputs,
			       load->memory);
	}
	return run_all(load, error);
}

static WpAnalysis *make_analysis(const Load *load)
{
	g_autofree WpMaking **makings = g_new(WpMaking *, MAX(load->n_jobs, 1));
	WpMade made = {.makings = makings,
		       .n_makings = load->n_jobs,
		       .inputs = load->inputs,
		       .findings = load->findings,
		       .memory = load->memory};
	WpAnalysis *analysis;

	for (guint i = 0; i < load->n_jobs; i++)
		makings[i] = &load->jobs[i].making;
	analysis = wp_made_analysis(&made);
	analysis->n_threads = count_threads(load->options);
	return analysis;
}

WpAnalysis *wp_load_hosts(const WpOptions *options, WpSessionProgressFunc progress,
			  gpointer progress_data, WpCancel *cancellable, GError **error)
{
	Load load = {.options = options,
		     .cancellable = cancellable,
		     .progress = progress,
		     .progress_data = progress_data,
		     .begin = g_get_monotonic_time()};
	const guint n_faults = wp_bus_n_faults();
	WpAnalysis *analysis = NULL;

	wp_mutex_init(&load.lock);
	load.findings = wp_findings_new();
	load.inputs = g_ptr_array_new_with_free_func(wp_input_free);
	load.memory = wp_memory_new(options->max_memory, options->cache_dir);
	if (load_run(&load, error) && wp_bus_check(n_faults, error))
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
