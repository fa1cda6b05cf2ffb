/* SPDX-License-Identifier: MIT */
/* totals.c: a path summed up; see totals.h. */
#include "config.h"

#include "base/intmap.h"
#include "export/totals.h"

/* Tasks that there is room for at first; a path of fewer segments has no more than these. */
#define TASKS_ROOM 16384u

gint wp_task_total_compare(const WpTaskTotal *x, const WpTaskTotal *y)
{
	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	return x->task < y->task ? -1 : x->task > y->task;
}

WpTotals *wp_totals_new(const WpPath *path, const WpGraph *graph)
{
	WpTotals *totals = g_new0(WpTotals, 1);
	/* Room is not touched before it is used, while an array that grows is copied. */
	GArray *tasks = g_array_sized_new(FALSE, TRUE, sizeof(WpTaskTotal),
					  MIN((guint)path->segments.n, TASKS_ROOM));
	WpIntMap rows; /* host and task -> row of tasks */

	totals->time = path->end - path->begin;
	totals->tasks = tasks;
	totals->n_hosts = graph->n_hosts;
	totals->by_host = g_new0(WpTime, graph->n_hosts);
	wp_intmap_init(&rows);
	for (guint i = 0; i < path->segments.n; i++) {
		const WpSegment *s = wp_path_segment(path, i);
		WpTime time = s->end - s->begin;
		guint64 key = (guint64)s->host << 32 | s->task;
		guint32 row = wp_intmap_add(&rows, key, tasks->len);

		if (row == tasks->len)
			g_array_set_size(tasks, row + 1);

		WpTaskTotal *task = &g_array_index(tasks, WpTaskTotal, row);

		task->host = s->host;
		task->task = s->task;
		task->time += time;
		task->by_state[s->state] += time;
		totals->by_state[s->state] += time;
		totals->by_host[s->host] += time;
	}
	wp_intmap_clear(&rows);
	return totals;
}

void wp_totals_free(WpTotals *totals)
{
	if (!totals)
		return;
	g_array_unref(totals->tasks);
	g_free(totals->by_host);
	g_free(totals);
}

static gint compare_pointed(gconstpointer a, gconstpointer b)
{
	return wp_task_total_compare(*(const WpTaskTotal *const *)a,
				     *(const WpTaskTotal *const *)b);
}

GPtrArray *wp_totals_tasks_by_time(const WpTotals *totals)
{
	GPtrArray *tasks = g_ptr_array_sized_new(totals->tasks->len);

	for (guint i = 0; i < totals->tasks->len; i++)
		g_ptr_array_add(tasks, &g_array_index(totals->tasks, WpTaskTotal, i));
	g_ptr_array_sort(tasks, compare_pointed);
	return tasks;
}

guint wp_states_by_time(const WpTime by_state[WP_STATE_N], WpState ret_states[WP_STATE_N])
{
	guint n = 0;

	for (guint state = 0; state < WP_STATE_N; state++) {
		guint at = n;

		if (by_state[state] <= 0)
			continue;
		/* Insertion: equal times stay in the order of the table. */
		for (; at > 0 && by_state[ret_states[at - 1]] < by_state[state]; at--)
			ret_states[at] = ret_states[at - 1];
		ret_states[at] = state;
		n++;
	}
	return n;
}

guint *wp_totals_hosts_by_time(const WpTotals *totals, guint *ret_n)
{
	guint *hosts = g_new(guint, MAX(totals->n_hosts, 1));
	guint n = 0;

	for (guint host = 0; host < totals->n_hosts; host++) {
		guint at = n;

		if (totals->by_host[host] <= 0)
			continue;
		for (; at > 0 && totals->by_host[hosts[at - 1]] < totals->by_host[host]; at--)
			hosts[at] = hosts[at - 1];
		hosts[at] = host;
		n++;
	}
	*ret_n = n;
	return hosts;
}

/* ---- quality ---- */

typedef struct {
	WpTime begin, end;
} Interval;

/*
 * When a host lost events, on the reference clock: for each CPU, and at n_cpus for any of
 * them, intervals in order that do not touch.
 */
typedef struct {
	GArray **by_cpu; /* owned array of owned arrays of Interval; NULL: none */
	guint n_cpus;
} Losses;

static gint compare_intervals(gconstpointer a, gconstpointer b)
{
	const Interval *x = a, *y = b;

	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* Sorts and puts together what overlaps. */
static void unite(GArray *intervals)
{
	guint n = 0;

	g_array_sort(intervals, compare_intervals);
	for (guint i = 0; i < intervals->len; i++) {
		Interval in = g_array_index(intervals, Interval, i);
		Interval *last = n > 0 ? &g_array_index(intervals, Interval, n - 1) : NULL;

		if (last && in.begin <= last->end)
			last->end = MAX(last->end, in.end);
		else
			g_array_index(intervals, Interval, n++) = in;
	}
	g_array_set_size(intervals, n);
}

static void add_interval(GArray **intervals, const Interval *in)
{
	if (!*intervals)
		*intervals = g_array_new(FALSE, FALSE, sizeof(Interval));
	g_array_append_vals(*intervals, in, 1);
}

static void losses_init(Losses *losses, const WpGraph *graph, guint host)
{
	const WpHost *h = graph->hosts[host];

	losses->n_cpus = (guint)h->cpus.n;
	losses->by_cpu = g_new0(GArray *, losses->n_cpus + 1);
	for (guint64 i = 0; i < h->losses.n; i++) {
		const WpLoss *l = &WP_AT(&h->losses, WpLoss, i);
		const Interval in = {wp_graph_time(graph, host, l->begin),
				     wp_graph_time(graph, host, l->end)};

		if (l->cpu < losses->n_cpus)
			add_interval(&losses->by_cpu[l->cpu], &in);
		add_interval(&losses->by_cpu[losses->n_cpus], &in);
	}
	for (guint cpu = 0; cpu <= losses->n_cpus; cpu++)
		if (losses->by_cpu[cpu])
			unite(losses->by_cpu[cpu]);
}

static void losses_clear(Losses *losses)
{
	for (guint cpu = 0; cpu <= losses->n_cpus; cpu++)
		if (losses->by_cpu[cpu])
			g_array_unref(losses->by_cpu[cpu]);
	g_free(losses->by_cpu);
}

/* How much of a window a CPU (dense index; out of range: any) lost events in. */
static WpTime lost_within(const Losses *losses, guint cpu, WpTime begin, WpTime end)
{
	const GArray *intervals = losses->by_cpu[MIN(cpu, losses->n_cpus)];
	guint low = 0, high = intervals ? intervals->len : 0;
	WpTime lost = 0;

	while (low < high) { /* the first that ends after begin */
		guint middle = low + (high - low) / 2;

		if (g_array_index(intervals, Interval, middle).end <= begin)
			low = middle + 1;
		else
			high = middle;
	}
	for (guint i = low; intervals && i < intervals->len; i++) {
		const Interval *in = &g_array_index(intervals, Interval, i);

		if (in->begin >= end)
			break;
		lost += MIN(in->end, end) - MAX(in->begin, begin);
	}
	return lost;
}

/* The time of a segment that is lost, or in which its CPU lost events. */
static WpTime segment_in_lost(const WpSegment *s, const Losses *losses)
{
	if (s->state == WP_STATE_LOST)
		return s->end - s->begin;
	if (!(s->flags & WP_SEGMENT_LOST))
		return 0;
	return lost_within(losses, s->cpu, s->begin, s->end);
}

void wp_quality_compute(WpQuality *quality, const WpPath *path, WpGraph *graph)
{
	Losses *losses = g_new(Losses, MAX(graph->n_hosts, 1));

	*quality = (WpQuality){.max_clock_error = path->max_clock_error};
	for (guint i = 0; i < graph->n_hosts; i++) {
		losses_init(&losses[i], graph, i);
		quality->lost_events += graph->hosts[i]->n_lost;
		quality->missing_wakeups += graph->hosts[i]->n_missing_wakeups;
		quality->lost_ns += lost_within(&losses[i], G_MAXUINT, path->begin, path->end);
	}
	for (guint i = 0; i < path->segments.n; i++) {
		const WpSegment *s = wp_path_segment(path, i);

		if (s->state == WP_STATE_UNKNOWN)
			quality->unknown_ns += s->end - s->begin;
		if (s->flags & WP_SEGMENT_BELOW_ERROR)
			quality->below_clock_error_ns += s->end - s->begin;
		quality->path_in_lost += segment_in_lost(s, &losses[s->host]);
	}
	for (guint i = 0; i < graph->n_hosts; i++)
		losses_clear(&losses[i]);
	g_free(losses);
}

gboolean wp_quality_is_weak(const WpQuality *quality, const WpTotals *totals, gboolean strict)
{
	WpTime weak = totals->by_state[WP_STATE_LOST] + quality->below_clock_error_ns;

	return strict ? weak > 0 : weak > totals->time / 20;
}
