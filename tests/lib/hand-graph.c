/* SPDX-License-Identifier: MIT */
/* hand-graph.c: the columns of a host, one element at a time. */
#include "config.h"

#include <stdarg.h>

#include "hand-graph.h"

/* Tests have memory. */
static gpointer push(WpColumn *column)
{
	g_autoptr(GError) error = NULL;
	gpointer element = wp_column_push(column, &error);

	g_assert_no_error(error);
	return element;
}

WpHost *wp_hand_host(const gchar *name, WpTime begin, WpTime end)
{
	WpHost *host = wp_host_new(name, NULL);

	host->begin = begin;
	host->end = end;
	for (guint32 cpu = 0; cpu < 2; cpu++)
		*(guint32 *)push(&host->cpus) = cpu;
	((WpFlow *)push(&host->flows))->reverse = WP_NONE;
	return host;
}

WpId wp_hand_task(WpHost *host, const gchar *comm)
{
	WpTask *t = push(&host->tasks);

	t->tid = t->pid = 100 + (gint32)(host->tasks.n - 1);
	t->ppid = 1;
	t->comm = wp_strings_intern(host->strings, comm);
	t->renamed = t->parent = t->first = t->last = WP_NONE;
	t->begin = host->begin;
	t->end = host->end;
	return (WpId)(host->tasks.n - 1);
}

WpId wp_hand_vertex(WpHost *host, WpId task, WpTime time, WpState state)
{
	WpTask *t = wp_host_task(host, task);
	g_autoptr(GError) error = NULL;
	const guint16 cpu = state <= WP_STATE_SOFTIRQ ? 0 : G_MAXUINT16;

	wp_host_add_vertex(
		host, t, time,
		(WpVertex){.task = task, .cause = WP_NONE, .cpu = cpu, .state = (guint8)state},
		&error);
	g_assert_no_error(error);
	return t->last;
}

WpCause *wp_hand_cause(WpHost *host, WpId vertex, WpCauseKind kind, WpId source, WpTime time)
{
	WpCause *cause = push(&host->causes);

	cause->time = time;
	cause->source = source;
	cause->kind = kind;
	wp_hand_detail(host, cause, NULL, NULL);
	wp_host_vertex(host, vertex)->cause = (WpId)(host->causes.n - 1);
	return cause;
}

void wp_hand_detail(WpHost *host, WpCause *cause, const gchar *name, const gchar *syscall)
{
	const WpCauseDetail detail = {.name = wp_strings_intern(host->strings, name),
				      .syscall = wp_strings_intern(host->strings, syscall)};
	g_autoptr(GError) error = NULL;

	cause->detail = wp_host_add_detail(host, &detail, &error) & (WP_CAUSE_DETAILS_MAX - 1);
	g_assert_no_error(error);
}

void wp_hand_wake(WpHost *host, WpId task, WpTime time, WpId source)
{
	wp_hand_cause(host, wp_host_task(host, task)->last, WP_CAUSE_TASK, source, time);
	wp_hand_vertex(host, task, time, WP_STATE_RUNNABLE);
}

void wp_hand_ports(WpHost *host, guint16 sport, guint16 dport)
{
	if (host->flows.n == 1)
		push(&host->flows);
	for (guint i = 0; i < 2; i++) {
		WpFlow *flow = wp_host_flow(host, i);

		flow->protocol = 6;
		flow->version = 4;
		flow->sport = i ? dport : sport;
		flow->dport = i ? sport : dport;
		flow->reverse = 1 - i;
	}
}

static WpPacket *push_packet(WpGraph *graph, guint host, WpTime time, const WpMatch *match)
{
	WpPacket *packet = push(&graph->hosts[host]->packets);

	*packet = (WpPacket){.time = time, .length = 100, .vertex = WP_NONE, .parent = WP_NONE};
	*(WpMatch *)push(&graph->joins[host].matches) = *match;
	return packet;
}

WpId wp_hand_packet(WpGraph *graph, guint from, WpId sender, WpTime sent, guint to, WpTime received)
{
	const WpMatch none = {WP_NONE, WP_NONE};
	WpPacket *packet = push_packet(graph, from, sent, &none);
	WpMatch match = {from, (WpId)(graph->hosts[from]->packets.n - 1)};

	packet->vertex = sender;
	packet->flags = WP_PACKET_SEND;
	packet = push_packet(graph, to, received, &match);
	packet->flags = WP_PACKET_NEXT;
	packet->flow = graph->hosts[to]->flows.n > 1;
	return (WpId)(graph->hosts[to]->packets.n - 1);
}

WpGraph *wp_hand_graph(WpHost *first, ...)
{
	g_autoptr(GPtrArray) hosts = g_ptr_array_new();
	va_list list;

	va_start(list, first);
	for (WpHost *host = first; host; host = va_arg(list, WpHost *))
		g_ptr_array_add(hosts, host);
	va_end(list);
	return wp_graph_new((WpHost **)hosts->pdata, hosts->len);
}
