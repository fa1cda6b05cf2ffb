/* SPDX-License-Identifier: MIT */
/*
 * series-host.c: series of a host's tasks and CPUs.
 *
 * A task's series is a view of its vertices, 4 bytes a segment that the host keeps
 * anyway. A CPU's is an array, since the idle time between its running segments is
 * nowhere in the graph.
 */
#include "config.h"

#include "timeline/series.h"

typedef struct {
	WpSeries head;
	WpHost *host; /* borrowed */
	const WpId *vertices; /* borrowed from the host */
} TaskSeries;

static guint8 shown_state(const WpVertex *vertex)
{
	if (vertex->flags & WP_VERTEX_DEAD)
		return WP_SERIES_EMPTY;
	return vertex->state < WP_STATE_N ? vertex->state : WP_STATE_UNKNOWN;
}

static void task_read(const WpSeries *series, guint64 first, guint n, WpTime *times, guint8 *states)
{
	const TaskSeries *self = (const TaskSeries *)series;

	for (guint i = 0; i < n; i++) {
		const WpVertex *vertex = wp_host_vertex(self->host, self->vertices[first + i]);

		times[i] = wp_host_time_of(self->host, vertex, self->vertices[first + i]);
		states[i] = shown_state(vertex);
	}
}

static WpId task_item(const WpSeries *series, guint64 i)
{
	return ((const TaskSeries *)series)->vertices[i];
}

static void task_free(WpSeries *series)
{
	g_free(series);
}

static const WpSeriesClass task_class = {task_read, task_item, task_free};

WpSeries *wp_series_new_task(WpHost *host, WpId task)
{
	TaskSeries *self = g_new0(TaskSeries, 1);

	self->head.klass = &task_class;
	self->host = host;
	self->head.n = wp_host_task_vertices(host, task, &self->vertices);
	self->head.end = self->head.n ? wp_host_vertex_end(host, self->vertices[self->head.n - 1])
				      : 0;
	return &self->head;
}

/* Nothing from time on, unless that is so already. */
static void append_gap(GArray *entries, WpTime time)
{
	WpSeriesEntry gap = {time, WP_NONE, WP_SERIES_EMPTY};

	if (entries->len == 0 ||
	    g_array_index(entries, WpSeriesEntry, entries->len - 1).item != WP_NONE)
		g_array_append_val(entries, gap);
}

WpSeries *wp_series_new_cpu(WpHost *host, guint cpu, gboolean only_interrupts)
{
	const WpId *vertices;
	guint32 n = wp_host_cpu_vertices(host, cpu, &vertices);
	GArray *entries = g_array_new(FALSE, FALSE, sizeof(WpSeriesEntry));
	WpTime end = host->begin;

	for (guint32 i = 0; i < n; i++) {
		const WpVertex *vertex = wp_host_vertex(host, vertices[i]);
		const WpTime time = wp_host_time_of(host, vertex, vertices[i]);
		WpSeriesEntry entry = {MAX(time, end), vertices[i], vertex->state};

		if (only_interrupts && vertex->state != WP_STATE_IRQ &&
		    vertex->state != WP_STATE_SOFTIRQ)
			continue;
		if (entry.time > end)
			append_gap(entries, end);
		g_array_append_val(entries, entry);
		end = MAX(entry.time, wp_host_vertex_end(host, vertices[i]));
	}
	if (host->end > end)
		append_gap(entries, end);
	return wp_series_new_entries(entries, MAX(host->end, end));
}
