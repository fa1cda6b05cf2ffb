/* SPDX-License-Identifier: MIT */
/*
 * wpv-events.c: a segment gives two places to look at, or three, each a query of one host
 * (session/events.h); what comes of them is put in words by the same thread.
 */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "export/describe.h"
#include "viewer/model/wpv-cancel.h"
#include "viewer/model/wpv-events.h"
#include "viewer/model/wpv-facts.h"

#define PLACES_MAX 3u
/* Longer texts are cut in the tooltip. */
#define TEXT_MAX 2000u

/* ---- in few words ---- */

/*
 * For the event whose name ends so: fields in braces (alternatives of several tracers apart by
 * bars), all other characters as they stand. The first line that has all its fields is taken.
 */
static const struct {
	const gchar *name, *words;
} briefs[] = {
	{"sched_switch",
	 "{prev_comm} {prev_tid|prev_pid} \342\206\222 {next_comm} {next_tid|next_pid}"},
	{"sched_waking", "{comm} {tid|pid}, for CPU {target_cpu}"},
	{"sched_wakeup", "{comm} {tid|pid}, on CPU {target_cpu}"},
	{"sched_wakeup_new", "{comm} {tid|pid}, on CPU {target_cpu}"},
	{"sched_migrate_task", "{comm} {tid|pid}, to CPU {dest_cpu}"},
	{"sched_process_fork",
	 "{parent_comm} {parent_tid|parent_pid} \342\206\222 {child_comm} {child_tid|child_pid}"},
	{"sched_process_exit", "{comm} {tid|pid}"},
	{"sched_process_free", "{comm} {tid|pid}"},
	{"irq_handler_entry", "interrupt {irq}, {name}"},
	{"irq_handler_exit", "interrupt {irq}"},
	{"net_dev_queue", "{name}, {len} bytes"},
	{"net_dev_xmit", "{name}, {len} bytes"},
	{"net_if_receive_skb", "{name}, {len} bytes"},
	{"netif_receive_skb", "{name}, {len} bytes"},
	{"hrtimer_start", "timer {hrtimer}, for {expires}"},
	{"hrtimer_expire_entry", "timer {hrtimer}"},
	{"hrtimer_expire_exit", "timer {hrtimer}"},
	{"hrtimer_cancel", "timer {hrtimer}"},
	{"napi_poll", "{dev_name}, {work}"},
};

/* The kernel's softirqs, by their numbers (linux/interrupt.h). */
static const gchar *const softirqs[] = {"HI",       "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
					"IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU"};

/* Appends a value without its quotes; names: "prev_tid|prev_pid" of length n. */
static gboolean append_field(GString *text, const WpRawEvent *event, const gchar *names, gsize n)
{
	g_autofree gchar *copy = g_strndup(names, n);
	g_auto(GStrv) alternatives = g_strsplit(copy, "|", -1);

	for (guint i = 0; alternatives[i]; i++) {
		const gchar *value = wp_raw_event_find(event, alternatives[i]);
		gsize length = value ? strlen(value) : 0;

		if (!value)
			continue;
		if (length >= 2 && value[0] == '"')
			g_string_append_len(text, value + 1, (gssize)length - 2);
		else
			g_string_append(text, value);
		return TRUE;
	}
	return FALSE;
}

static gchar *fill_words(const WpRawEvent *event, const gchar *words)
{
	g_autoptr(GString) text = g_string_new(NULL);

	while (*words) {
		const gchar *close = *words == '{' ? strchr(words, '}') : NULL;

		if (!close) {
			g_string_append_c(text, *words++);
			continue;
		}
		if (!append_field(text, event, words + 1, (gsize)(close - words - 1)))
			return NULL;
		words = close + 1;
	}
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static gchar *softirq_words(const WpRawEvent *event)
{
	const gchar *value = strstr(event->name, "softirq_") ? wp_raw_event_find(event, "vec")
							     : NULL;
	guint64 vec;

	if (value &&
	    g_ascii_string_to_unsigned(value, 10, 0, G_N_ELEMENTS(softirqs) - 1, &vec, NULL))
		return g_strdup(softirqs[vec]);
	return NULL;
}

gchar *wpv_event_dup_brief(const WpRawEvent *event)
{
	for (guint i = 0; i < G_N_ELEMENTS(briefs); i++) {
		gchar *words = g_str_has_suffix(event->name, briefs[i].name)
				       ? fill_words(event, briefs[i].words)
				       : NULL;

		if (words)
			return words;
	}

	gchar *words = softirq_words(event);

	return words ? words : wp_raw_event_dup_text(event);
}

/* ---- where to look ---- */

typedef struct {
	gchar *title; /* owned */
	guint32 host;
	WpEventsQuery query;
} Look;

typedef struct {
	WpGraph *graph; /* of the document, which the task holds */
	WpEventSource *source; /* likewise */
	WpSegment segment;
	Look looks[PLACES_MAX];
	guint n_looks;
} Job;

static void job_free(gpointer data)
{
	Job *job = data;

	for (guint i = 0; i < job->n_looks; i++)
		g_free(job->looks[i].title);
	g_free(job);
}

/* Title taken over. */
static WpEventsQuery *add_look(Job *job, gchar *title, guint32 host, WpTime host_time)
{
	Look *look = &job->looks[job->n_looks++];

	look->title = wpv_take_text(title);
	look->host = host;
	look->query = (WpEventsQuery){.time = host_time,
				      .n_before = WPV_EVENTS_BEFORE,
				      .n_after = WPV_EVENTS_AFTER,
				      .cpus = {WP_NONE, WP_NONE},
				      .tids = {-1, -1}};
	return &look->query;
}

/* What a vertex says of who acted there: its CPU, its task. */
static void add_actor(WpEventsQuery *query, guint i, WpHost *host, WpId vertex)
{
	const WpVertex *v = vertex == WP_NONE ? NULL : wp_host_vertex(host, vertex);

	if (!v)
		return;
	if (v->cpu != G_MAXUINT16 && v->cpu < host->cpus.n)
		query->cpus[i] = wp_host_cpu(host, v->cpu);
	query->tids[i] = wp_host_task(host, v->task)->tid;
	/* The idle task is on every CPU. */
	if (query->tids[i] == 0)
		query->tids[i] = -1;
}

static void set_self(const Job *job, WpEventsQuery *query)
{
	WpHost *host = job->graph->hosts[job->segment.host];

	query->cpus[0] = wp_segment_cpu(job->graph, &job->segment);
	query->tids[0] = wp_host_task(host, job->segment.task)->tid;
	query->beside = TRUE;
}

/* Where the packet that ended the wait was sent, if that was on a traced host. */
static void add_send(Job *job, const WpCause *cause)
{
	const WpGraph *graph = job->graph;
	const WpColumn *matches = &graph->joins[job->segment.host].matches;
	const WpMatch *match = cause->packet != WP_NONE && cause->packet < matches->n
				       ? &WP_AT(matches, WpMatch, cause->packet)
				       : NULL;

	if (!match || match->host == WP_NONE || match->packet == WP_NONE)
		return;

	WpHost *host = graph->hosts[match->host];
	const WpPacket *send = wp_host_packet(host, match->packet);
	WpEventsQuery *query = add_look(job,
					g_strdup_printf("Where it was sent, on %s", host->name),
					match->host, send->time);

	add_actor(query, 0, host, send->vertex);
}

static void add_looks(Job *job)
{
	const WpSegment *segment = &job->segment;
	WpHost *host = job->graph->hosts[segment->host];
	const WpClockMap *map = job->graph->joins[segment->host].map;
	const WpCause *cause = segment->cause == WP_NONE ? NULL
							 : wp_host_cause(host, segment->cause);
	WpEventsQuery *query;

	query = add_look(job, g_strdup_printf("On %s", host->name), segment->host,
			 wp_clock_map_invert(map, segment->begin));
	set_self(job, query);
	query = add_look(job, NULL, segment->host, wp_clock_map_invert(map, segment->end));
	set_self(job, query);
	if (!cause)
		return;
	add_actor(query, 1, host, cause->source);
	add_send(job, cause);
}

/* ---- reading ---- */

static void line_free(gpointer data)
{
	WpvEventLine *line = data;

	g_free(line->name);
	g_free(line->brief);
	g_free(line->text);
	g_free(line);
}

static void group_free(gpointer data)
{
	WpvEventGroup *group = data;

	g_free(group->title);
	g_ptr_array_unref(group->lines);
	g_free(group);
}

void wpv_events_free(WpvEvents *events)
{
	if (!events)
		return;
	g_ptr_array_unref(events->groups);
	g_free(events);
}

static WpvEventLine *make_line(const Job *job, guint32 host, const WpRawEvent *event)
{
	WpvEventLine *line = g_new0(WpvEventLine, 1);

	line->offset = wp_graph_time(job->graph, host, event->time) - job->segment.end;
	line->cpu = event->cpu;
	line->name = g_strdup(event->name);
	line->brief = wpv_event_dup_brief(event);
	line->text = wp_raw_event_dup_text(event);
	if (strlen(line->text) > TEXT_MAX) {
		line->text[TEXT_MAX] = '\0';
		line->text = wpv_take_text(line->text);
	}
	return line;
}

static gboolean same_line(const WpvEventLine *a, const WpvEventLine *b)
{
	return a->offset == b->offset && a->cpu == b->cpu && g_str_equal(a->name, b->name) &&
	       g_str_equal(a->text, b->text);
}

/* Adds what is found there and not yet in the group. */
static gboolean read_look(WpvEventGroup *group, const Job *job, const Look *look, WpCancel *cancel,
			  guint *ret_n_known, GError **error)
{
	const guint n_before = group->lines->len;
	g_autoptr(GPtrArray) found = wp_event_source_read(
		job->source, job->graph->hosts[look->host], &look->query, cancel, error);

	*ret_n_known = 0;
	for (guint i = 0; found && i < found->len; i++) {
		WpvEventLine *line = make_line(job, look->host, found->pdata[i]);
		gboolean known = FALSE;

		for (guint j = 0; j < n_before && !known; j++)
			known = same_line(group->lines->pdata[j], line);
		*ret_n_known += known;
		if (known)
			line_free(line);
		else
			g_ptr_array_add(group->lines, line);
	}
	return found != NULL;
}

/* Before what happened at that very time: it is what began or ended the segment. */
static void add_mark(WpvEventGroup *group, WpTime offset, const gchar *words)
{
	WpvEventLine *line = g_new0(WpvEventLine, 1);
	guint at = 0;

	line->offset = offset;
	line->cpu = WP_NONE;
	line->brief = g_strdup(words);
	while (at < group->lines->len &&
	       ((const WpvEventLine *)group->lines->pdata[at])->offset < offset)
		at++;
	g_ptr_array_insert(group->lines, (gint)at, line);
}

static gint by_offset(gconstpointer a, gconstpointer b)
{
	const WpvEventLine *x = *(const WpvEventLine *const *)a,
			   *y = *(const WpvEventLine *const *)b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static WpvEventGroup *add_group(WpvEvents *events, const gchar *title)
{
	WpvEventGroup *group = g_new0(WpvEventGroup, 1);

	group->title = g_strdup(title);
	group->lines = g_ptr_array_new_with_free_func(line_free);
	g_ptr_array_add(events->groups, group);
	return group;
}

/* Begin and end in one list: of a short segment they are the same events. */
static gboolean read_own(WpvEvents *events, const Job *job, WpCancel *cancel, GError **error)
{
	const WpTime begin = job->segment.begin - job->segment.end;
	WpvEventGroup *group = add_group(events, job->looks[0].title);
	guint n_begin, n_known;

	if (!read_look(group, job, &job->looks[0], cancel, &n_known, error))
		return FALSE;
	n_begin = group->lines->len;
	if (!read_look(group, job, &job->looks[1], cancel, &n_known, error))
		return FALSE;
	g_ptr_array_sort(group->lines, by_offset);
	if (group->lines->len == 0)
		return TRUE;
	/* Where the two do not meet there may be others in between. */
	if (n_begin && n_begin < group->lines->len && n_known == 0)
		add_mark(group, ((const WpvEventLine *)group->lines->pdata[n_begin])->offset,
			 "\342\213\256");
	add_mark(group, 0, "here it ends");
	add_mark(group, begin, "here it begins");
	return TRUE;
}

static gboolean read_all(WpvEvents *events, const Job *job, WpCancel *cancel, GError **error)
{
	guint n_known;

	if (!read_own(events, job, cancel, error))
		return FALSE;
	for (guint i = 2; i < job->n_looks; i++)
		if (!read_look(add_group(events, job->looks[i].title), job, &job->looks[i], cancel,
			       &n_known, error))
			return FALSE;
	return TRUE;
}

static void read_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
	const Job *job = data;
	g_autoptr(WpCancel) cancel = wpv_cancel_new(cancellable);
	g_autoptr(WpvEvents) events = g_new0(WpvEvents, 1);
	g_autoptr(GError) error = NULL;

	events->groups = g_ptr_array_new_with_free_func(group_free);
	events->fine = job->segment.end - job->segment.begin < WP_NS_PER_MS * 10;
	if (read_all(events, job, cancel, &error))
		g_task_return_pointer(task, g_steal_pointer(&events),
				      (GDestroyNotify)wpv_events_free);
	else
		g_task_return_error(task, g_steal_pointer(&error));
}

void wpv_events_read_async(WpvSession *session, const WpvItem *item, GCancellable *cancellable,
			   GAsyncReadyCallback callback, gpointer data)
{
	WpvDocument *document = wpv_session_get_document(session);
	g_autoptr(GTask) task = g_task_new(document, cancellable, callback, data);
	Job *job = g_new0(Job, 1);

	g_task_set_task_data(task, job, job_free);
	if (!document || !wpv_item_get_segment(session, item, &job->segment)) {
		g_task_return_new_error(task, WP_ERROR, WP_ERROR_CANNOT_ANSWER,
					"Nothing is shown here.");
		return;
	}
	job->graph = wpv_document_get_graph(document);
	job->source = wpv_document_get_event_source(document);
	add_looks(job);
	g_task_run_in_thread(task, read_thread);
}

WpvEvents *wpv_events_read_finish(GAsyncResult *result, GError **error)
{
	return g_task_propagate_pointer(G_TASK(result), error);
}
