/* SPDX-License-Identifier: MIT */
/*
 * export-chrome.c: trace events as JSON, for chrome://tracing, Perfetto and the many
 * tools that take them.
 *
 * The format has processes and threads by number, but no hosts: each process of each host
 * gets a number of its own; threads keep theirs. Process 0 is the path. Times are
 * microseconds in doubles, so they count from the begin of the window.
 */
#include "config.h"

#include "base/json.h"
#include "export/exporter-private.h"
#include "export/units.h"

typedef struct {
	WpJson json;
	const WpExportJob *job; /* borrowed */
	GHashTable *processes; /* owned: owned gint64 * (host and pid) to number */
	guint n_handovers;
} Chrome;

/* Microseconds of the window with three decimals, in integers. */
static void put_time(WpJson *json, const gchar *key, WpTime ns)
{
	gchar text[32];

	g_snprintf(text, sizeof(text), "%" G_GINT64_FORMAT ".%03d", ns / 1000, (gint)(ns % 1000));
	wp_json_number(json, key, text);
}

static void put_name(Chrome *chrome, const gchar *what, guint pid, gint tid, const gchar *name)
{
	WpJson *json = &chrome->json;

	wp_json_begin_object(json, NULL, WP_JSON_LINE);
	wp_json_string(json, "ph", "M");
	wp_json_string(json, "name", what);
	wp_json_uint(json, "pid", pid);
	if (tid >= 0)
		wp_json_int(json, "tid", tid);
	wp_json_begin_object(json, "args", WP_JSON_LINE);
	wp_json_string(json, "name", name);
	wp_json_end_object(json);
	wp_json_end_object(json);
}

/* The number of a task's process; announced when it is new. */
static guint process_of(Chrome *chrome, guint32 host, WpId task)
{
	const WpGraph *graph = chrome->job->graph;
	WpActor actor;

	wp_actor_init(&actor, graph, host, task, WP_TIME_MAX);

	gint32 pid = actor.pid >= 0 ? actor.pid : actor.tid;
	gint64 key = (gint64)((guint64)host << 32 | (guint32)pid);
	gpointer found = g_hash_table_lookup(chrome->processes, &key);

	if (!found) {
		g_autofree gchar *name = g_strdup_printf("%s: %s (%d)", actor.host_name, actor.comm,
							 pid);

		found = GUINT_TO_POINTER(g_hash_table_size(chrome->processes) + 1);
		g_hash_table_insert(chrome->processes, g_memdup2(&key, sizeof(key)), found);
		put_name(chrome, "process_name", GPOINTER_TO_UINT(found), -1, name);
	}
	return GPOINTER_TO_UINT(found);
}

static void on_task(gpointer data, guint32 host, WpId task)
{
	Chrome *chrome = data;
	WpActor actor;

	wp_actor_init(&actor, chrome->job->graph, host, task, WP_TIME_MAX);
	put_name(chrome, "thread_name", process_of(chrome, host, task), actor.tid, actor.comm);
}

/* One end of an arrow; phase is "s" or "f". */
static void put_arrow(Chrome *chrome, const gchar *phase, guint id, guint32 host, WpId task,
		      WpTime time, gboolean packet)
{
	const WpGraph *graph = chrome->job->graph;
	WpJson *json = &chrome->json;
	guint pid = process_of(chrome, host, task);

	wp_json_begin_object(json, NULL, WP_JSON_LINE);
	wp_json_string(json, "ph", phase);
	if (*phase == 'f')
		wp_json_string(json, "bp", "e");
	wp_json_string(json, "name", packet ? "packet" : "wake-up");
	wp_json_string(json, "cat", "handover");
	wp_json_uint(json, "id", id);
	wp_json_uint(json, "pid", pid);
	wp_json_int(json, "tid", wp_host_task(graph->hosts[host], task)->tid);
	put_time(json, "ts", time - chrome->job->path->begin);
	wp_json_end_object(json);
}

/* One end of a slice: phase is "B" or "E". Some readers match the two by name and arguments. */
static void put_end(WpJson *json, const gchar *phase, guint pid, gint tid, const gchar *name,
		    const gchar *cause, WpTime time)
{
	wp_json_begin_object(json, NULL, WP_JSON_LINE);
	wp_json_string(json, "ph", phase);
	wp_json_string(json, "name", name);
	wp_json_string(json, "cat", pid == 0 ? "path" : "state");
	wp_json_uint(json, "pid", pid);
	wp_json_int(json, "tid", tid);
	put_time(json, "ts", time);
	if (cause) {
		wp_json_begin_object(json, "args", WP_JSON_LINE);
		wp_json_string(json, "cause", cause);
		wp_json_end_object(json);
	}
	wp_json_end_object(json);
}

/*
 * Begin and end are two events: a duration would have to be added to the begin by the reader, in
 * doubles, and then a slice may seem to end after the next one begins, and that to lie in it.
 */
static void put_slice(Chrome *chrome, guint pid, gint tid, const gchar *name, const gchar *cause,
		      WpTime begin, WpTime end)
{
	const WpTime origin = chrome->job->path->begin;

	put_end(&chrome->json, "B", pid, tid, name, cause, begin - origin);
	put_end(&chrome->json, "E", pid, tid, name, cause, end - origin);
}

static void on_slice(gpointer data, const WpSlice *slice)
{
	Chrome *chrome = data;
	const WpGraph *graph = chrome->job->graph;
	guint pid = process_of(chrome, slice->host, slice->task);

	put_slice(chrome, pid, wp_host_task(graph->hosts[slice->host], slice->task)->tid,
		  wp_state_key(slice->state), NULL, slice->begin, slice->end);
	if (slice->by.host == WP_NONE)
		return;
	chrome->n_handovers++;
	put_arrow(chrome, "s", chrome->n_handovers, slice->by.host, slice->by.task, slice->by.time,
		  slice->by.packet);
	put_arrow(chrome, "f", chrome->n_handovers, slice->host, slice->task, slice->begin,
		  slice->by.packet);
}

static gboolean is_over(gpointer data)
{
	return wp_out_is_failed(((const Chrome *)data)->json.out);
}

static void put_path(Chrome *chrome)
{
	const WpPath *path = chrome->job->path;
	WpGraph *graph = chrome->job->graph;
	g_autofree gchar *title = wp_export_dup_title(chrome->job);
	g_autofree gchar *name = g_strdup_printf("critical path of %s", title);
	WpCauseInfo info;

	put_name(chrome, "process_name", 0, -1, name);
	put_name(chrome, "thread_name", 0, 0, "path");
	wp_cause_info_init(&info);
	for (guint i = 0; i < path->segments.n && !is_over(chrome); i++) {
		const WpSegment *s = wp_path_segment(path, i);
		WpActor actor;

		wp_actor_init(&actor, graph, s->host, s->task, s->begin);
		wp_cause_info_fill(&info, graph, s);

		g_autofree gchar *who = wp_actor_dup_text(&actor, graph);
		g_autofree gchar *what = g_strdup_printf("%s: %s", who, wp_state_key(s->state));
		g_autofree gchar *cause = wp_cause_info_dup_text(&info, graph, s);

		put_slice(chrome, 0, 0, what, cause, s->begin, s->end);
	}
	wp_cause_info_clear(&info);
}

void wp_chrome_write(WpOut *out, const WpExportJob *job)
{
	static const WpWalkFuncs funcs = {.task = on_task, .slice = on_slice, .is_over = is_over};
	Chrome chrome = {.job = job};

	wp_json_init(&chrome.json, out);
	chrome.processes = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	wp_json_begin_object(&chrome.json, NULL, WP_JSON_BLOCK);
	wp_json_string(&chrome.json, "displayTimeUnit", "ns");
	wp_json_begin_object(&chrome.json, "otherData", WP_JSON_LINE);
	wp_json_int(&chrome.json, "begin_ns", job->path->begin);
	wp_json_int(&chrome.json, "end_ns", job->path->end);
	wp_json_end_object(&chrome.json);
	wp_json_begin_array(&chrome.json, "traceEvents", WP_JSON_BLOCK);
	put_path(&chrome);
	wp_walk(job->graph, job->path, job->all, &funcs, &chrome);
	wp_json_end_array(&chrome.json);
	wp_json_end_object(&chrome.json);
	wp_json_finish(&chrome.json);
	g_hash_table_destroy(chrome.processes);
}
