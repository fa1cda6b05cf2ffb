/* SPDX-License-Identifier: MIT */
/*
 * pollers.c: patterns of running and waiting. One walk over each task's segments counts
 * what it does; a few thresholds tell polling from work. They are far from what tasks
 * do that are woken when there is something to do: the table below has them all.
 */
#include "config.h"

#include "base/error.h"
#include "path/edge.h"
#include "path/pollers.h"

#define LIFE_MIN (100 * WP_NS_PER_MS) /* less tells nothing */

#define TIMER_PER_SECOND 100.0 /* sleeps */
#define TIMER_SHARE 0.9 /* of all waits that a timer ends */
#define TIMER_RUN_MAX WP_NS_PER_MS /* on the CPU between two sleeps, mean */

#define YIELD_PER_SECOND 1000.0 /* times that it gave up the CPU */
#define YIELD_RUN_MAX (200 * WP_NS_PER_US) /* on the CPU between, mean */
#define YIELD_PER_WAIT 20 /* times for each wait */

#define NETWORK_PER_SECOND 10.0 /* packets heard */
#define NETWORK_CPU_SHARE 0.5

#define BUSY_SHARE 0.99 /* of its life on a CPU or wanting one */
#define BUSY_CPU_SHARE 0.5

/* What a task did. */
/* So many of a task's vertices in front of it one is asked for. */
#define AHEAD 8u

typedef struct {
	WpTime life, on_cpu, waiting; /* ns */
	guint64 n_waits, n_timers, n_preempted, n_for_packets;
	guint64 n_heard; /* packets on flows that only it sends to */
} Pattern;

static void count_segment(Pattern *p, const WpHost *host, const WpVertex *v, WpTime time)
{
	const WpCause *cause = v->cause < host->causes.n ? wp_host_cause(host, v->cause) : NULL;

	if (v->state == WP_STATE_RUNNING || v->state == WP_STATE_IRQ ||
	    v->state == WP_STATE_SOFTIRQ)
		p->on_cpu += time;
	p->n_preempted += v->state == WP_STATE_PREEMPTED;
	if (!wp_state_is_wait(v->state))
		return;
	p->waiting += time;
	p->n_waits++;
	p->n_timers += cause && cause->kind == WP_CAUSE_TIMER;
	p->n_for_packets += cause && cause->kind == WP_CAUSE_PACKET;
}

static WpTime time_of(const WpGraph *graph, guint h, WpId vertex)
{
	return wp_graph_time(graph, h, wp_host_vertex_time(graph->hosts[h], vertex));
}

static void look_at(Pattern *p, WpGraph *graph, guint h, WpId task, WpTime begin, WpTime end)
{
	WpHost *host = graph->hosts[h];
	const WpTask *t = wp_host_task(host, task);
	const WpId *vertices;
	guint32 n = wp_host_task_vertices(host, task, &vertices);
	WpTime from = MAX(begin, wp_graph_time(graph, h, t->begin));
	WpTime to = MIN(end, wp_graph_time(graph, h, t->end));
	WpTime next = 0; /* begin of the next segment */

	p->life = to - from;
	for (guint32 i = 0; i < n; i++) {
		const WpVertex *v = wp_host_vertex(host, vertices[i]);
		const WpTime first = i > 0 ? next : time_of(graph, h, vertices[0]);

		/* They lie far apart, and nothing else is done with them. */
		if (i + AHEAD < n)
			__builtin_prefetch(wp_host_vertex(host, vertices[i + AHEAD]));
		next = i + 1 < n ? time_of(graph, h, vertices[i + 1])
				 : wp_graph_time(graph, h, host->end);
		if (MAX(from, first) < MIN(to, next) && v->state != WP_STATE_UNKNOWN)
			count_segment(p, host, v, MIN(to, next) - MAX(from, first));
	}
}

/* How many packets each task got on flows that it alone sends on. Owned by the caller. */
static guint64 *count_heard(const WpGraph *graph, guint h, WpTime begin, WpTime end)
{
	const WpHost *host = graph->hosts[h];
	guint64 *heard = g_new0(guint64, host->tasks.n);
	g_autofree WpId *user = g_new(WpId, host->flows.n);
	const WpId many = WP_NONE - 1;

	for (guint64 i = 0; i < host->flows.n; i++)
		user[i] = WP_NONE;
	for (guint64 i = 0; i < host->packets.n; i++) {
		const WpPacket *p = wp_host_packet(host, i);

		if ((p->flags & WP_PACKET_SEND) && p->vertex < host->vertices.n) {
			WpId task = wp_host_vertex(host, p->vertex)->task;

			user[p->flow] = user[p->flow] == WP_NONE || user[p->flow] == task ? task
											  : many;
		}
	}
	for (guint64 i = 0; i < host->packets.n; i++) {
		const WpPacket *p = wp_host_packet(host, i);
		WpId reverse = wp_host_flow(host, p->flow)->reverse;
		WpTime time = wp_graph_time(graph, h, p->time);

		if (!(p->flags & WP_PACKET_SEND) && p->length && reverse < host->flows.n &&
		    user[reverse] < many && time >= begin && time <= end)
			heard[user[reverse]]++;
	}
	return heard;
}

static gboolean is_poller(const Pattern *p, WpPoller *poller)
{
	gdouble seconds = (gdouble)p->life / WP_NS_PER_S;
	guint64 n_slices = p->n_waits + p->n_preempted + 1;
	WpTime slice = p->on_cpu / (WpTime)n_slices;

	if (p->life < LIFE_MIN)
		return FALSE;
	poller->cpu_share = (gdouble)p->on_cpu / (gdouble)p->life;
	poller->kind = WP_POLL_TIMER;
	poller->per_second = (gdouble)p->n_timers / seconds;
	if (poller->per_second >= TIMER_PER_SECOND && slice <= TIMER_RUN_MAX &&
	    (gdouble)p->n_timers >= TIMER_SHARE * (gdouble)p->n_waits)
		return TRUE;
	poller->kind = WP_POLL_YIELD;
	poller->per_second = (gdouble)p->n_preempted / seconds;
	if (poller->per_second >= YIELD_PER_SECOND && slice <= YIELD_RUN_MAX &&
	    p->n_preempted >= YIELD_PER_WAIT * p->n_waits)
		return TRUE;
	poller->kind = WP_POLL_NETWORK;
	poller->per_second = (gdouble)p->n_heard / seconds;
	if (poller->per_second >= NETWORK_PER_SECOND && p->n_for_packets == 0 &&
	    poller->cpu_share >= NETWORK_CPU_SHARE)
		return TRUE;
	poller->kind = WP_POLL_BUSY;
	poller->per_second = 0;
	return (gdouble)p->waiting <= (1 - BUSY_SHARE) * (gdouble)p->life &&
	       poller->cpu_share >= BUSY_CPU_SHARE;
}

static void consider(WpGraph *graph, guint h, WpId task, guint64 n_heard, WpTime begin, WpTime end,
		     GArray *pollers)
{
	Pattern pattern = {.n_heard = n_heard};
	WpPoller poller = {.task = {h, task}};

	look_at(&pattern, graph, h, task, begin, end);
	if (is_poller(&pattern, &poller))
		g_array_append_val(pollers, poller);
}

static gint compare_pollers(gconstpointer a, gconstpointer b)
{
	const WpPoller *x = a, *y = b;

	if (x->cpu_share != y->cpu_share)
		return x->cpu_share > y->cpu_share ? -1 : 1;
	if (x->task.host != y->task.host)
		return x->task.host < y->task.host ? -1 : 1;
	return x->task.task < y->task.task ? -1 : x->task.task > y->task.task;
}

gboolean wp_pollers_find(WpGraph *graph, const WpTaskRef *tasks, guint n_tasks, WpTime begin,
			 WpTime end, GArray *pollers, WpCancel *cancellable, GError **error)
{
	for (guint h = 0; h < graph->n_hosts; h++) {
		g_autofree guint64 *heard = count_heard(graph, h, begin, end);
		guint64 n = tasks ? n_tasks : graph->hosts[h]->tasks.n;

		for (guint64 i = 0; i < n; i++) {
			WpId task = tasks ? tasks[i].task : (WpId)i;

			if (wp_cancel_is_cancelled(cancellable)) {
				g_set_error_literal(error, WP_ERROR, WP_ERROR_CANCELLED,
						    "The analysis was cancelled.");
				return FALSE;
			}
			if (!tasks || tasks[i].host == h)
				consider(graph, h, task, heard[task], begin, end, pollers);
		}
	}
	g_array_sort(pollers, compare_pollers);
	return TRUE;
}

const gchar *wp_poll_kind_key(WpPollKind kind)
{
	static const gchar *const keys[] = {"timer", "yield", "network", "busy"};

	return kind <= WP_POLL_BUSY ? keys[kind] : "unknown";
}

const gchar *wp_poll_kind_words(WpPollKind kind)
{
	static const gchar *const words[] = {
		"sleeps for moments, and looks again",
		"gives up the CPU, and looks again",
		"hears from its peers without waiting for them",
		"never waits: it computes, or spins",
	};

	return kind <= WP_POLL_BUSY ? words[kind] : "unknown";
}
