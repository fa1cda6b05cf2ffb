/* SPDX-License-Identifier: MIT */
/*
 * export-otlp.c: the path as OpenTelemetry spans, OTLP's JSON: a line for each task, as the
 * collector's file receiver takes them.
 *
 * One trace for the whole path. Its root is a span over the window, of the path's own task; for
 * each time that a task is waited for there is a span of that task, within that of the one who
 * waits, and in it the segments of the path, each with a link to the segment before wherever the
 * path goes over to another task. A task's spans are of a service of its name on its host. Ids
 * follow from what is exported, so the same path gives the same ids.
 */
#include "config.h"

#include <string.h>

#include "base/json.h"
#include "export/exporter-private.h"

#define ROOT_SPAN 0u

/* A span is numbered by its place. */
typedef struct {
	WpTaskRef task;
	WpTime begin, end;
	guint32 parent;
	guint32 segment; /* WP_NONE: one that is made of others */
} Span;

typedef struct {
	WpJson json;
	const WpExportJob *job; /* borrowed */
	GArray *spans; /* owned: Span */
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

static void begin_span(Otlp *otlp, guint32 number, const gchar *name)
{
	const Span *span = &g_array_index(otlp->spans, Span, number);
	WpJson *json = &otlp->json;

	wp_json_begin_object(json, NULL, WP_JSON_LINE);
	wp_json_string(json, "traceId", otlp->trace_id);
	put_span_id(otlp, "spanId", number);
	if (number != ROOT_SPAN)
		put_span_id(otlp, "parentSpanId", span->parent);
	wp_json_string(json, "name", name);
	wp_json_int(json, "kind", 1); /* internal */
	put_decimal(json, "startTimeUnixNano", span->begin);
	put_decimal(json, "endTimeUnixNano", span->end);
}

/* previous is the span of the segment before, ROOT_SPAN for the first. */
static void put_segment(Otlp *otlp, guint32 number, guint32 previous, WpCauseInfo *info)
{
	const guint32 at = g_array_index(otlp->spans, Span, number).segment;
	const WpSegment *s = wp_path_segment(otlp->job->path, at);
	const WpSegment *before = at > 0 ? wp_path_segment(otlp->job->path, at - 1) : s;
	WpGraph *graph = otlp->job->graph;
	WpJson *json = &otlp->json;
	WpActor actor;

	wp_actor_init(&actor, graph, s->host, s->task, s->begin);
	wp_cause_info_fill(info, graph, s);

	g_autofree gchar *name = g_strdup_printf("%s %s", actor.comm, wp_state_key(s->state));
	g_autofree gchar *cause = wp_cause_info_dup_text(info, graph, s);

	begin_span(otlp, number, name);
	wp_json_begin_array(json, "attributes", WP_JSON_LINE);
	put_text(json, "waitpath.state", wp_state_key(s->state));
	put_number(json, "waitpath.depth", s->depth);
	put_number(json, "thread.id", actor.tid);
	put_text(json, "thread.name", actor.comm);
	if (cause)
		put_text(json, "waitpath.cause", cause);
	wp_json_end_array(json);
	if (previous != ROOT_SPAN && (before->host != s->host || before->task != s->task)) {
		wp_json_begin_array(json, "links", WP_JSON_LINE);
		wp_json_begin_object(json, NULL, WP_JSON_LINE);
		wp_json_string(json, "traceId", otlp->trace_id);
		put_span_id(otlp, "spanId", previous);
		wp_json_end_object(json);
		wp_json_end_array(json);
	}
	wp_json_end_object(json);
}

/* A span that is made of others: the root, or a time that a task is waited for. */
static void put_whole(Otlp *otlp, guint32 number, const WpActor *actor)
{
	g_autofree gchar *title = wp_export_dup_title(otlp->job);
	g_autofree gchar *name = number == ROOT_SPAN ? g_strdup_printf("critical path of %s", title)
						     : wp_actor_dup_text(actor, otlp->job->graph);

	begin_span(otlp, number, name);
	wp_json_begin_array(&otlp->json, "attributes", WP_JSON_LINE);
	put_number(&otlp->json, "thread.id", actor->tid);
	put_text(&otlp->json, "thread.name", actor->comm);
	wp_json_end_array(&otlp->json);
	wp_json_end_object(&otlp->json);
}

/* The numbers of some spans of one task. */
static void put_task(Otlp *otlp, const guint32 *numbers, guint n, const guint32 *segment_spans)
{
	const Span *spans = (const Span *)(gconstpointer)otlp->spans->data;
	const WpTaskRef task = spans[numbers[0]].task;
	WpJson *json = &otlp->json;
	WpCauseInfo info;
	WpActor actor;

	wp_actor_init(&actor, otlp->job->graph, task.host, task.task, WP_TIME_MAX);
	wp_json_begin_object(json, NULL, WP_JSON_LINE);
	wp_json_begin_array(json, "resourceSpans", WP_JSON_LINE);
	wp_json_begin_object(json, NULL, WP_JSON_LINE);
	wp_json_begin_object(json, "resource", WP_JSON_LINE);
	wp_json_begin_array(json, "attributes", WP_JSON_LINE);
	put_text(json, "service.name", actor.comm);
	put_text(json, "host.name", actor.host_name);
	put_number(json, "process.pid", actor.pid >= 0 ? actor.pid : actor.tid);
	wp_json_end_array(json);
	wp_json_end_object(json);
	wp_json_begin_array(json, "scopeSpans", WP_JSON_LINE);
	wp_json_begin_object(json, NULL, WP_JSON_LINE);
	wp_json_begin_object(json, "scope", WP_JSON_LINE);
	wp_json_string(json, "name", "waitpath");
	wp_json_string(json, "version", PACKAGE_VERSION);
	wp_json_end_object(json);
	wp_json_begin_array(json, "spans", WP_JSON_LINE);
	wp_cause_info_init(&info);
	for (guint i = 0; i < n && !wp_out_is_failed(json->out); i++) {
		guint32 segment = spans[numbers[i]].segment;

		if (segment == WP_NONE)
			put_whole(otlp, numbers[i], &actor);
		else
			put_segment(otlp, numbers[i],
				    segment ? segment_spans[segment - 1] : ROOT_SPAN, &info);
	}
	wp_cause_info_clear(&info);
	wp_json_end_array(json);
	wp_json_end_object(json);
	wp_json_end_array(json);
	wp_json_end_object(json);
	wp_json_end_array(json);
	wp_json_end_object(json);
	wp_json_finish(json);
}

static guint32 add_span(Otlp *otlp, WpTaskRef task, WpTime begin, WpTime end, guint32 parent,
			guint32 segment)
{
	Span span = {task, begin, end, parent, segment};

	g_array_append_val(otlp->spans, span);
	return otlp->spans->len - 1;
}

/* Finds all spans; those of the segments by segment. */
static void find_spans(Otlp *otlp, guint32 *segment_spans)
{
	const WpPath *path = otlp->job->path;
	g_autoptr(WpChains) chains = wp_chains_new(path);
	guint32 open[WP_CHAIN_MAX];
	guint n_open = 1;

	open[0] = add_span(otlp, (WpTaskRef){path->host, path->task}, path->begin, path->end,
			   ROOT_SPAN, WP_NONE);
	for (guint i = 0; i < path->segments.n; i++) {
		const WpSegment *s = wp_path_segment(path, i);
		WpTaskRef tasks[WP_CHAIN_MAX];
		guint n = wp_chains_get(chains, i, tasks), same = 1;

		for (; same < MIN(n, n_open); same++) {
			WpTaskRef task = g_array_index(otlp->spans, Span, open[same]).task;

			if (task.host != tasks[same].host || task.task != tasks[same].task)
				break;
		}
		for (n_open = same; n_open < n; n_open++)
			open[n_open] = add_span(otlp, tasks[n_open], s->begin, s->end,
						open[n_open - 1], WP_NONE);
		for (guint j = 1; j < n_open; j++)
			g_array_index(otlp->spans, Span, open[j]).end = s->end;
		segment_spans[i] = add_span(otlp, (WpTaskRef){s->host, s->task}, s->begin, s->end,
					    open[n_open - 1], i);
	}
}

/* By task, in the order of their numbers. */
static gint compare_numbers(gconstpointer a, gconstpointer b, gpointer spans)
{
	const guint32 x = *(const guint32 *)a, y = *(const guint32 *)b;
	const WpTaskRef *of_x = &((const Span *)spans)[x].task,
			*of_y = &((const Span *)spans)[y].task;

	if (of_x->host != of_y->host)
		return of_x->host < of_y->host ? -1 : 1;
	if (of_x->task != of_y->task)
		return of_x->task < of_y->task ? -1 : 1;
	return x < y ? -1 : x > y;
}

void wp_otlp_write(WpOut *out, const WpExportJob *job)
{
	Otlp otlp = {.job = job, .spans = g_array_new(FALSE, FALSE, sizeof(Span))};
	g_autofree guint32 *segment_spans = g_new(guint32, job->path->segments.n);
	g_autofree guint32 *numbers = NULL;
	guint n;

	make_ids(&otlp);
	wp_json_init(&otlp.json, out);
	find_spans(&otlp, segment_spans);

	const Span *spans = (const Span *)(gconstpointer)otlp.spans->data;

	n = otlp.spans->len;
	numbers = g_new(guint32, n);
	for (guint32 i = 0; i < n; i++)
		numbers[i] = i;
	g_qsort_with_data(numbers, (gint)n, sizeof(guint32), compare_numbers, otlp.spans->data);
	for (guint first = 0, i = 1; i <= n; i++) {
		if (i < n && spans[numbers[i]].task.host == spans[numbers[first]].task.host &&
		    spans[numbers[i]].task.task == spans[numbers[first]].task.task)
			continue;
		put_task(&otlp, &numbers[first], i - first, segment_spans);
		first = i;
	}
	g_array_unref(otlp.spans);
}
