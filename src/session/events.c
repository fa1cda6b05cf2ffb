/* SPDX-License-Identifier: MIT */
/*
 * events.c: of each trace of the host the events around the time, put together, and the
 * nearest of those that are asked for.
 */
#include "config.h"

#include "base/bus.h"
#include "base/error.h"
#include "base/thread.h"
#include "ctf/excerpt.h"
#include "ftrace/trace-dat.h"
#include "session/events.h"

/* Traces that are kept open; the one opened first is closed for another. */
#define OPEN_MAX 256u

typedef struct {
	gchar *path; /* owned */
	WpCtfExcerpt *excerpt; /* owned */
} OpenTrace;

struct WpEventSource {
	WpMutex lock; /* of the next */
	GPtrArray *open; /* owned: OpenTrace */
};

static void open_trace_free(gpointer data)
{
	OpenTrace *trace = data;

	wp_ctf_excerpt_free(trace->excerpt);
	g_free(trace->path);
	g_free(trace);
}

WpEventSource *wp_event_source_new(void)
{
	WpEventSource *source = g_new0(WpEventSource, 1);

	source->open = g_ptr_array_new_with_free_func(open_trace_free);
	wp_mutex_init(&source->lock);
	return source;
}

void wp_event_source_free(WpEventSource *source)
{
	if (!source)
		return;
	g_ptr_array_unref(source->open);
	wp_mutex_clear(&source->lock);
	g_free(source);
}

/* ---- traces ---- */

static gboolean check_trace(const WpHost *host, const gchar *path, GError **error)
{
	if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
		g_set_error(error, WP_ERROR, WP_ERROR_CANNOT_ANSWER,
			    "The trace of %s is not at hand: there is no %s.", host->name, path);
		return FALSE;
	}
	if (wp_trace_dat_probe(path)) {
		g_set_error(error, WP_ERROR, WP_ERROR_CANNOT_ANSWER,
			    "Of %s, a file of trace-cmd, no part can be read alone.", path);
		return FALSE;
	}
	return TRUE;
}

/* Another machine at the same place, another boot of the same, or another session. */
static gboolean check_clock(const WpHost *host, const WpHostTrace *from,
			    const WpCtfExcerpt *excerpt, GError **error)
{
	const gchar *uuid = wp_ctf_excerpt_get_clock_uuid(excerpt);

	if ((!uuid || !host->clock_uuid || g_str_equal(uuid, host->clock_uuid)) &&
	    wp_ctf_excerpt_get_clock_offset(excerpt) == from->clock_offset)
		return TRUE;
	g_set_error(error, WP_ERROR, WP_ERROR_CANNOT_ANSWER,
		    "The trace of %s is not at hand: %s is of another recording.", host->name,
		    from->path);
	return FALSE;
}

static WpCtfExcerpt *open_trace(WpEventSource *source, const WpHost *host, const WpHostTrace *from,
				GError **error)
{
	const gchar *path = from->path;
	g_autoptr(WpCtfExcerpt) excerpt = NULL;
	g_autoptr(WpLayout) layout = NULL;
	g_autoptr(GError) cause = NULL;
	OpenTrace *trace;

	for (guint i = 0; i < source->open->len; i++) {
		trace = source->open->pdata[i];
		if (g_str_equal(trace->path, path))
			return trace->excerpt;
	}
	layout = check_trace(host, path, error) ? wp_layout_new(error) : NULL;
	if (!layout)
		return NULL;
	excerpt = wp_ctf_excerpt_open(path, layout, &cause);
	if (g_error_matches(cause, WP_ERROR, WP_ERROR_DECLINED)) {
		g_set_error(error, WP_ERROR, WP_ERROR_CANNOT_ANSWER,
			    "No part of it can be read alone: %s", cause->message);
		return NULL;
	}
	if (!excerpt) {
		g_propagate_error(error, g_steal_pointer(&cause));
		return NULL;
	}
	if (!check_clock(host, from, excerpt, error))
		return NULL;
	if (source->open->len == OPEN_MAX)
		g_ptr_array_remove_index(source->open, 0);
	trace = g_new0(OpenTrace, 1);
	trace->path = g_strdup(path);
	trace->excerpt = g_steal_pointer(&excerpt);
	g_ptr_array_add(source->open, trace);
	return trace->excerpt;
}

/* ---- events ---- */

/* The CPU of the nearest event that concerns a task: where it was woken, or switched. */
static guint32 find_cpu_beside(const GPtrArray *events, WpTime time, gint32 tid)
{
	guint64 nearest = G_MAXUINT64;
	guint32 cpu = WP_NONE;

	for (guint i = 0; i < events->len; i++) {
		const WpRawEvent *event = events->pdata[i];
		const guint64 distance = event->time < time ? (guint64)time - (guint64)event->time
							    : (guint64)event->time - (guint64)time;

		if (distance >= nearest || !wp_raw_event_mentions(event, tid))
			continue;
		nearest = distance;
		cpu = event->cpu;
	}
	return cpu;
}

static gboolean is_wanted(const WpRawEvent *event, const WpEventsQuery *query, guint32 beside)
{
	gboolean any = beside == WP_NONE;

	if (beside != WP_NONE && event->cpu == beside)
		return TRUE;

	for (guint i = 0; i < G_N_ELEMENTS(query->cpus); i++) {
		if (query->cpus[i] == WP_NONE)
			continue;
		any = FALSE;
		if (event->cpu == query->cpus[i])
			return TRUE;
	}
	for (guint i = 0; i < G_N_ELEMENTS(query->tids); i++) {
		if (query->tids[i] < 0)
			continue;
		any = FALSE;
		if (wp_raw_event_mentions(event, query->tids[i]))
			return TRUE;
	}
	return any;
}

/* The sort is stable: events of one stream at the same time stay as they lie there. */
static gint by_time(gconstpointer a, gconstpointer b)
{
	const WpRawEvent *x = *(const WpRawEvent *const *)a, *y = *(const WpRawEvent *const *)b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

/* Leaves of what was read the nearest that are wanted, in order. */
static void choose(GPtrArray *events, const WpEventsQuery *query)
{
	const guint32 beside = query->beside && query->tids[0] >= 0
				       ? find_cpu_beside(events, query->time, query->tids[0])
				       : WP_NONE;
	guint n_wanted = 0, n_before = 0, first, end;

	/* What is wanted comes to the front, in its order. */
	for (guint i = 0; i < events->len; i++)
		if (is_wanted(events->pdata[i], query, beside)) {
			gpointer other = events->pdata[n_wanted];

			events->pdata[n_wanted++] = events->pdata[i];
			events->pdata[i] = other;
		}
	g_ptr_array_set_size(events, (gint)n_wanted);
	g_ptr_array_sort(events, by_time);
	while (n_before < events->len &&
	       ((const WpRawEvent *)events->pdata[n_before])->time <= query->time)
		n_before++;
	first = n_before - MIN(n_before, query->n_before);
	end = n_before + MIN(events->len - n_before, query->n_after);
	if (end < events->len)
		g_ptr_array_remove_range(events, end, events->len - end);
	if (first)
		g_ptr_array_remove_range(events, 0, first);
}

static gboolean read_trace(WpEventSource *source, const WpHost *host, const WpHostTrace *trace,
			   const WpEventsQuery *query, GPtrArray *events, WpCancel *cancellable,
			   GError **error)
{
	const guint n_before = events->len;
	const WpTime time = (WpTime)((guint64)query->time - (guint64)trace->clock_shift);
	WpCtfExcerpt *excerpt = open_trace(source, host, trace, error);

	if (!excerpt ||
	    !wp_ctf_excerpt_read(excerpt, time, WP_EXCERPT_LOOKS_MAX, events, cancellable, error))
		return FALSE;
	for (guint i = n_before; i < events->len; i++) {
		WpRawEvent *event = events->pdata[i];

		event->time = (WpTime)((guint64)event->time + (guint64)trace->clock_shift);
	}
	return TRUE;
}

GPtrArray *wp_event_source_read(WpEventSource *source, const WpHost *host,
				const WpEventsQuery *query, WpCancel *cancellable, GError **error)
{
	g_autoptr(GPtrArray)
		events = g_ptr_array_new_with_free_func((GDestroyNotify)wp_raw_event_free);
	const guint n_faults = wp_bus_n_faults();
	gboolean ok = host->traces->len > 0;

	if (!ok)
		g_set_error(error, WP_ERROR, WP_ERROR_CANNOT_ANSWER,
			    "The graph does not say where the trace of %s is.", host->name);
	wp_mutex_lock(&source->lock);
	for (guint i = 0; ok && i < host->traces->len; i++)
		ok = read_trace(source, host, &g_array_index(host->traces, WpHostTrace, i), query,
				events, cancellable, error);
	wp_mutex_unlock(&source->lock);
	if (!ok || !wp_bus_check(n_faults, error))
		return NULL;
	choose(events, query);
	return g_steal_pointer(&events);
}
