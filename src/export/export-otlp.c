/* SPDX-License-Identifier: MIT */
/*
 * export-otlp.c: the path as OpenTelemetry spans, OTLP's JSON: a line for each host, as the
 * collector's file receiver takes them.
 *
 * One trace for the whole path. Its root is a span over the window, on the task's own host;
 * every segment is a child of it, with a link to the segment before wherever the path goes over
 * to another task. Ids follow from what is exported, so the same path gives the same ids.
 */
#include "config.h"

#include <string.h>

#include "base/json.h"
#include "export/exporter-private.h"

#define ROOT_SPAN G_GUINT64_CONSTANT(0)

typedef struct {
	WpJson json;
	const WpExportJob *job; /* borrowed */
	gchar trace_id[33];
	gchar prefix[9]; /* of span ids */
} Otlp;

static void make_ids(Otlp *otlp)
{
	const WpPath *path = otlp->job->path;
	g_autofree gchar *title = wp_export_dup_title(otlp->job);
	g_autofree gchar *seed = g_strdup_printf("%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %d",
						 title, path->begin, path->end, (gint)path->mode);
	g_autofree gchar *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, seed, -1);

	memcpy(otlp->trace_id, sum, 32);
	otlp->trace_id[32] = '\0';
	memcpy(otlp->prefix, sum + 32, 8);
	otlp->prefix[8] = '\0';
}

static void put_span_id(Otlp *otlp, const gchar *key, guint64 span)
{
	gchar id[17];

	g_snprintf(id, sizeof(id), "%s%08x", otlp->prefix, (guint)span);
	wp_json_string(&otlp->json, key, id);
}

static void put_text(WpJson *json, const gchar *key, const gchar *value)
{
	wp_json_begin_object(json, NULL, WP_JSON_LINE);
	wp_json_string(json, "key", key);
	wp_json_begin_object(json, "value", WP_JSON_LINE);
	wp_json_string(json, "stringValue", value);
	wp_json_end_object(json);
	wp_json_end_object(json);
}

/* In JSON, 64-bit numbers are decimal text. */
static void put_decimal(WpJson *json, const gchar *key, gint64 value)
{
	gchar text[24];

	g_snprintf(text, sizeof(text), "%" G_GINT64_FORMAT, value);
	wp_json_string(json, key, text);
}

static void put_number(WpJson *json, const gchar *key, gint64 value)
{
	wp_json_begin_object(json, NULL, WP_JSON_LINE);
	wp_json_string(json, "key", key);
	wp_json_begin_object(json, "value", WP_JSON_LINE);
	put_decimal(json, "intValue", value);
	wp_json_end_object(json);
	wp_json_end_object(json);
}

static void begin_span(Otlp *otlp, guint64 span, const gchar *name, WpTime begin, WpTime end)
{
	WpJson *json = &otlp->json;

	wp_json_begin_object(json, NULL, WP_JSON_LINE);
	wp_json_string(json, "traceId", otlp->trace_id);
	put_span_id(otlp, "spanId", span);
	if (span != ROOT_SPAN)
		put_span_id(otlp, "parentSpanId", ROOT_SPAN);
	wp_json_string(json, "name", name);
	wp_json_int(json, "kind", 1); /* internal */
	put_decimal(json, "startTimeUnixNano", begin);
	put_decimal(json, "endTimeUnixNano", end);
}

/* Segment i, as span i + 1. */
static void put_segment(Otlp *otlp, guint i, WpCauseInfo *info)
{
	const GArray *segments = otlp->job->path->segments;
	const WpSegment *s = &g_array_index(segments, WpSegment, i);
	WpGraph *graph = otlp->job->graph;
	WpJson *json = &otlp->json;
	WpActor actor;

	wp_actor_init(&actor, graph, s->host, s->task, s->begin);
	wp_cause_info_fill(info, graph, s);

	g_autofree gchar *name = g_strdup_printf("%s %s", actor.comm, wp_state_key(s->state));
	g_autofree gchar *cause = wp_cause_info_dup_text(info, graph, s);

	begin_span(otlp, (guint64)i + 1, name, s->begin, s->end);
	wp_json_begin_array(json, "attributes", WP_JSON_LINE);
	put_text(json, "waitpath.state", wp_state_key(s->state));
	put_number(json, "waitpath.depth", s->depth);
	put_number(json, "thread.id", actor.tid);
	put_text(json, "thread.name", actor.comm);
	if (cause)
		put_text(json, "waitpath.cause", cause);
	wp_json_end_array(json);
	if (i > 0 && (s[-1].host != s->host || s[-1].task != s->task)) {
		wp_json_begin_array(json, "links", WP_JSON_LINE);
		wp_json_begin_object(json, NULL, WP_JSON_LINE);
		wp_json_string(json, "traceId", otlp->trace_id);
		put_span_id(otlp, "spanId", i);
		wp_json_end_object(json);
		wp_json_end_array(json);
	}
	wp_json_end_object(json);
}

static void put_root(Otlp *otlp)
{
	g_autofree gchar *title = wp_export_dup_title(otlp->job);
	g_autofree gchar *name = g_strdup_printf("critical path of %s", title);

	begin_span(otlp, ROOT_SPAN, name, otlp->job->path->begin, otlp->job->path->end);
	wp_json_end_object(&otlp->json);
}

static void put_host(Otlp *otlp, guint host)
{
	const WpPath *path = otlp->job->path;
	WpJson *json = &otlp->json;
	WpCauseInfo info;

	wp_json_begin_object(json, NULL, WP_JSON_LINE);
	wp_json_begin_array(json, "resourceSpans", WP_JSON_LINE);
	wp_json_begin_object(json, NULL, WP_JSON_LINE);
	wp_json_begin_object(json, "resource", WP_JSON_LINE);
	wp_json_begin_array(json, "attributes", WP_JSON_LINE);
	put_text(json, "service.name", "kernel");
	put_text(json, "host.name", otlp->job->graph->hosts[host]->name);
	wp_json_end_array(json);
	wp_json_end_object(json);
	wp_json_begin_array(json, "scopeSpans", WP_JSON_LINE);
	wp_json_begin_object(json, NULL, WP_JSON_LINE);
	wp_json_begin_object(json, "scope", WP_JSON_LINE);
	wp_json_string(json, "name", "waitpath");
	wp_json_string(json, "version", PACKAGE_VERSION);
	wp_json_end_object(json);
	wp_json_begin_array(json, "spans", WP_JSON_LINE);
	if (host == path->host)
		put_root(otlp);
	wp_cause_info_init(&info);
	for (guint i = 0; i < path->segments->len && !wp_out_is_failed(otlp->json.out); i++)
		if (g_array_index(path->segments, WpSegment, i).host == host)
			put_segment(otlp, i, &info);
	wp_cause_info_clear(&info);
	wp_json_end_array(json);
	wp_json_end_object(json);
	wp_json_end_array(json);
	wp_json_end_object(json);
	wp_json_end_array(json);
	wp_json_end_object(json);
	wp_json_finish(json);
}

static gboolean has_segments(const WpPath *path, guint host)
{
	for (guint i = 0; i < path->segments->len; i++)
		if (g_array_index(path->segments, WpSegment, i).host == host)
			return TRUE;
	return FALSE;
}

void wp_otlp_write(WpOut *out, const WpExportJob *job)
{
	Otlp otlp = {.job = job};

	make_ids(&otlp);
	wp_json_init(&otlp.json, out);
	for (guint host = 0; host < job->graph->n_hosts; host++)
		if (host == job->path->host || has_segments(job->path, host))
			put_host(&otlp, host);
}
