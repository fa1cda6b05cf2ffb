/* SPDX-License-Identifier: MIT */
/*
 * feed.c: hosts made of events that are brought.
 *
 * Each trace is an input with a reader that only carries what the trace says of itself, so
 * that hosts are sorted and reported on as if their traces had been read here.
 */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "session/feed.h"
#include "session/session-private.h"

typedef struct {
	WpMaking making;
	WpTime time; /* of the last event, WP_TIME_MIN */
	guint64 n_back; /* events that went back in time */
	guint32 analysed; /* number in the last analysis, WP_NONE */
} Host;

typedef struct {
	WpReader *reader; /* borrowed from its input */
	Host *host; /* borrowed; NULL before the first event of the feed */
	guint index; /* of the host */
} Trace;

struct WpFeed {
	const WpOptions *options; /* borrowed */
	WpLayout *layout; /* reference */
	WpFindings *findings; /* owned */
	WpMemory *memory; /* reference */
	GPtrArray *inputs; /* owned: WpInput, a trace each */
	GPtrArray *groups; /* owned: WpHostGroup; NULL before the first event */
	GPtrArray *hosts; /* owned: Host (owned), a group each */
	GArray *traces; /* owned: Trace */
};

static void fed_free(WpReader *reader)
{
	wp_reader_clear(reader);
	g_free(reader);
}

/* Nobody pulls from such a reader. */
static const WpReaderClass fed_reader_class = {.name = "pipeline", .free = fed_free};

static void host_free(gpointer data)
{
	Host *host = data;

	wp_making_clear(&host->making);
	g_free(host);
}

WpFeed *wp_feed_new(const WpOptions *options, GError **error)
{
	g_autoptr(WpLayout) layout = wp_options_make_layout(options, error);
	WpFeed *feed;

	if (!layout)
		return NULL;
	feed = g_new0(WpFeed, 1);
	feed->options = options;
	feed->layout = g_steal_pointer(&layout);
	feed->findings = wp_findings_new();
	feed->memory = wp_memory_new(options->max_memory, options->cache_dir);
	feed->inputs = g_ptr_array_new_with_free_func(wp_input_free);
	feed->hosts = g_ptr_array_new_with_free_func(host_free);
	feed->traces = g_array_new(FALSE, TRUE, sizeof(Trace));
	return feed;
}

void wp_feed_free(WpFeed *feed)
{
	if (!feed)
		return;
	g_array_unref(feed->traces);
	g_ptr_array_unref(feed->hosts);
	g_clear_pointer(&feed->groups, g_ptr_array_unref);
	g_ptr_array_unref(feed->inputs);
	wp_memory_unref(feed->memory);
	wp_findings_free(feed->findings);
	wp_layout_unref(feed->layout);
	g_free(feed);
}

WpLayout *wp_feed_get_layout(const WpFeed *feed)
{
	return feed->layout;
}

static void add_host(WpFeed *feed, const WpHostGroup *group)
{
	Host *host = g_new0(Host, 1);

	wp_making_init(&host->making, group, feed->inputs, feed->memory);
	host->time = WP_TIME_MIN;
	host->analysed = WP_NONE;
	g_ptr_array_add(feed->hosts, host);
}

/* Ties the traces of a group to their host. */
static void tie_traces(WpFeed *feed, guint index)
{
	Host *host = feed->hosts->pdata[index];
	const GArray *indexes = host->making.group->indexes;

	for (guint i = 0; i < indexes->len; i++) {
		Trace *trace = &g_array_index(feed->traces, Trace,
					      g_array_index(indexes, guint, i));

		trace->host = host;
		trace->index = index;
	}
}

static void begin(WpFeed *feed)
{
	if (feed->groups)
		return;
	feed->groups = wp_hosts_group(feed->inputs, feed->findings);
	for (guint i = 0; i < feed->groups->len; i++) {
		add_host(feed, feed->groups->pdata[i]);
		tie_traces(feed, i);
	}
}

/* A trace that appears when events have come already. */
static void add_late(WpFeed *feed, guint index)
{
	const WpHostGroup *group = wp_hosts_add(feed->groups, feed->inputs, index, feed->findings);
	guint host;

	if (!g_ptr_array_find(feed->groups, group, &host))
		return;
	if (host == feed->hosts->len)
		add_host(feed, group);
	tie_traces(feed, host);
}

guint wp_feed_add_trace(WpFeed *feed, WpTraceInfo *info)
{
	WpReader *reader = g_new0(WpReader, 1);
	WpInput *input = g_new0(WpInput, 1);
	Trace trace = {.reader = reader};

	wp_reader_init(reader, &fed_reader_class, feed->layout, info->path);
	wp_trace_info_clear(&reader->info);
	reader->info = *info;
	*info = (WpTraceInfo){0};
	input->path = g_strdup(reader->info.path);
	input->reader = reader;
	g_ptr_array_add(feed->inputs, input);
	g_array_append_val(feed->traces, trace);
	if (feed->groups)
		add_late(feed, feed->inputs->len - 1);
	return feed->inputs->len - 1;
}

WpFindings *wp_feed_get_findings(WpFeed *feed, guint trace)
{
	return g_array_index(feed->traces, Trace, trace).reader->findings;
}

void wp_feed_count(WpFeed *feed, guint trace, guint64 n_events)
{
	g_array_index(feed->traces, Trace, trace).reader->n_events += n_events;
}

guint wp_feed_get_n_hosts(WpFeed *feed)
{
	begin(feed);
	return feed->hosts->len;
}

const gchar *wp_feed_get_host_name(WpFeed *feed, guint host)
{
	begin(feed);
	return ((const WpHostGroup *)feed->groups->pdata[host])->name;
}

static gboolean has_offset(const WpFeed *feed, const gchar *host)
{
	const GPtrArray *offsets = feed->options->offsets;

	for (guint i = 0; i < offsets->len; i++)
		if (g_str_has_prefix(offsets->pdata[i], host) &&
		    ((const gchar *)offsets->pdata[i])[strlen(host)] == '=')
			return TRUE;
	return FALSE;
}

gboolean wp_feed_needs_packets(WpFeed *feed)
{
	guint n_without = 0, n = wp_feed_get_n_hosts(feed);

	if (n < 2 || feed->options->sync_file)
		return FALSE;
	for (guint i = 0; i < n; i++) {
		const gchar *name = wp_feed_get_host_name(feed, i);
		const gchar *reference = feed->options->reference ?: wp_feed_get_host_name(feed, 0);

		n_without += !g_str_equal(name, reference) && !has_offset(feed, name);
	}
	return n_without > 0;
}

/* An analysis of hosts that have a name and no events. */
static WpAnalysis *analyse_names(WpFeed *feed, GError **error)
{
	guint n = wp_feed_get_n_hosts(feed);
	g_autofree WpHost **hosts = g_new(WpHost *, MAX(n, 1));
	g_autoptr(WpAnalysis) analysis = g_new0(WpAnalysis, 1);

	for (guint i = 0; i < n; i++)
		hosts[i] = wp_host_new(wp_feed_get_host_name(feed, i), feed->memory);
	analysis->graph = wp_graph_new(hosts, n);
	analysis->findings = wp_findings_new();
	analysis->memory = wp_memory_ref(feed->memory);
	if (n && !wp_analysis_join(analysis, feed->options, NULL, error))
		return NULL;
	return g_steal_pointer(&analysis);
}

gboolean wp_feed_get_clocks(WpFeed *feed, GPtrArray **ret_maps, GError **error)
{
	g_autoptr(WpAnalysis) analysis = analyse_names(feed, error);

	if (!analysis)
		return FALSE;
	*ret_maps = g_ptr_array_new_with_free_func((GDestroyNotify)wp_clock_map_free);
	for (guint i = 0; i < analysis->graph->n_hosts; i++)
		g_ptr_array_add(*ret_maps, wp_clock_map_dup(analysis->graph->joins[i].map));
	return TRUE;
}

guint wp_feed_get_host(WpFeed *feed, guint trace)
{
	begin(feed);
	return g_array_index(feed->traces, Trace, trace).index;
}

WpTime wp_feed_get_time(const WpFeed *feed, guint host)
{
	return host < feed->hosts->len ? ((const Host *)feed->hosts->pdata[host])->time
				       : WP_TIME_MIN;
}

WpTime wp_feed_get_settled(const WpFeed *feed, guint index)
{
	const Host *host = index < feed->hosts->len ? feed->hosts->pdata[index] : NULL;

	return host && host->making.model ? wp_model_get_settled(host->making.model) : WP_TIME_MIN;
}

WpTime wp_feed_get_host_time(WpFeed *feed, guint trace, WpTime time)
{
	begin(feed);
	return time + g_array_index(feed->traces, Trace, trace).reader->clock_shift;
}

gboolean wp_feed_event(WpFeed *feed, guint index, WpEvent *event, GError **error)
{
	Trace *trace;
	Host *host;

	begin(feed);
	trace = &g_array_index(feed->traces, Trace, index);
	host = trace->host;
	event->time += trace->reader->clock_shift;
	if (event->time < host->time) {
		host->n_back++;
		event->time = host->time;
	}
	host->time = event->time;
	if (!host->making.model)
		wp_making_begin(&host->making);
	wp_passed_event(&trace->reader->passed, event);
	return wp_model_event(event, host->making.model, error);
}

static gboolean finish_hosts(WpFeed *feed, GError **error)
{
	for (guint i = 0; i < feed->hosts->len; i++) {
		Host *host = feed->hosts->pdata[i];

		if (host->n_back)
			wp_findings_add(host->making.host->findings, "time-went-back",
					WP_SEVERITY_WARNING, NULL, WP_TIME_MIN, host->n_back,
					"Events came with a time before that of an event in front "
					"of them.");
		host->n_back = 0;
		if (host->making.model && !wp_making_finish(&host->making, error))
			return FALSE;
	}
	return TRUE;
}

/* Tasks that live on have lived till now. */
static void extend_tasks(WpFeed *feed)
{
	for (guint i = 0; i < feed->hosts->len; i++) {
		WpHost *host = ((Host *)feed->hosts->pdata[i])->making.host;

		for (guint64 task = 0; task < host->tasks.n; task++)
			if (!wp_host_task(host, task)->exited)
				wp_host_task(host, task)->end = host->end;
	}
}

static void number_hosts(WpFeed *feed)
{
	guint32 n = 0;

	for (guint i = 0; i < feed->hosts->len; i++) {
		Host *host = feed->hosts->pdata[i];

		/* those that were not taken have no events */
		host->analysed = host->making.host ? WP_NONE : n++;
	}
}

/* Whether a host of the feed, which must be called so, has had no events yet. */
static gboolean is_silent(const WpFeed *feed, const gchar *name, gsize length)
{
	for (guint i = 0; i < feed->hosts->len; i++) {
		const gchar *own = ((const WpHostGroup *)feed->groups->pdata[i])->name;

		if (strlen(own) == length && !memcmp(own, name, length))
			return ((const Host *)feed->hosts->pdata[i])->analysed == WP_NONE;
	}
	return FALSE;
}

/*
 * Joins the hosts that have events. While more may come the options may speak of others, too:
 * the offset of such a host waits, and so does all, for a reference.
 */
static gboolean join(WpFeed *feed, WpAnalysis *analysis, gboolean last, WpCancel *cancellable,
		     GError **error)
{
	g_autoptr(GPtrArray) offsets = g_ptr_array_new();
	WpOptions options = *feed->options;

	if (last)
		return wp_analysis_join(analysis, feed->options, cancellable, error);
	for (guint i = 0; i < options.offsets->len; i++) {
		const gchar *offset = options.offsets->pdata[i], *equals = strrchr(offset, '=');

		if (!equals || !is_silent(feed, offset, (gsize)(equals - offset)))
			g_ptr_array_add(offsets, (gpointer)offset);
	}
	options.offsets = offsets;
	if (options.reference && is_silent(feed, options.reference, strlen(options.reference))) {
		g_set_error(error, WP_ERROR, WP_ERROR_CANNOT_ANSWER,
			    "There are no events of the reference host %s yet.", options.reference);
		return FALSE;
	}
	return wp_analysis_join(analysis, &options, cancellable, error);
}

WpAnalysis *wp_feed_analyse(WpFeed *feed, gboolean last, WpCancel *cancellable, GError **error)
{
	g_autofree WpMaking **makings = NULL;
	WpMade made = {.inputs = feed->inputs, .findings = feed->findings, .memory = feed->memory};
	WpAnalysis *analysis;

	begin(feed);
	if (last && !finish_hosts(feed, error))
		return NULL;
	if (!last)
		extend_tasks(feed);
	makings = g_new(WpMaking *, MAX(feed->hosts->len, 1));
	for (guint i = 0; i < feed->hosts->len; i++)
		makings[i] = &((Host *)feed->hosts->pdata[i])->making;
	made.makings = makings;
	made.n_makings = feed->hosts->len;
	analysis = wp_made_analysis(&made);
	number_hosts(feed);
	if (!analysis->graph->n_hosts)
		g_set_error(error, WP_ERROR, WP_ERROR_CANNOT_ANSWER,
			    "There are no events that say anything in what came in.");
	if (analysis->graph->n_hosts && join(feed, analysis, last, cancellable, error))
		return analysis;
	wp_feed_resume(feed, analysis);
	return NULL;
}

void wp_feed_resume(WpFeed *feed, WpAnalysis *analysis)
{
	for (guint i = 0; i < feed->hosts->len; i++) {
		Host *host = feed->hosts->pdata[i];

		if (host->analysed == WP_NONE)
			continue;
		host->making.host = g_steal_pointer(&analysis->graph->hosts[host->analysed]);
		wp_host_drop_index(host->making.host);
		host->analysed = WP_NONE;
	}
	wp_analysis_free(analysis);
}

guint32 wp_feed_find_host(const WpFeed *feed, guint host)
{
	return ((const Host *)feed->hosts->pdata[host])->analysed;
}
