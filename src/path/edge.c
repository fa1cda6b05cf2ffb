/* SPDX-License-Identifier: MIT */
/* edge.c: causes of segments resolved to who acted, through packets where need be. */
#include "config.h"

#include "path/edge.h"

/* Packets that cause each other on the way of one message; beyond it something goes in circles. */
#define HOPS_MAX 100000u

static const WpCause *cause_of(const WpHost *host, const WpVertex *v)
{
	return v->cause < host->causes.n ? wp_host_cause(host, v->cause) : NULL;
}

/*
 * A packet was sent by a host before a reference time, nobody knows when and by whom. If the
 * host lost events by then, its send may be among them: it was under way when the last loss ended.
 */
static WpEdgeStatus lost_send(const WpGraph *graph, guint host, WpTime before, WpEdge *edge)
{
	const WpHost *h = graph->hosts[host];
	const WpTime time = wp_clock_map_invert(graph->joins[host].map, before);
	guint64 low = 0, high = h->losses.n;

	while (low < high) { /* the first that ends at that time or later */
		const guint64 middle = low + (high - low) / 2;

		if (WP_AT(&h->losses, WpLoss, middle).end < time)
			low = middle + 1;
		else
			high = middle;
	}
	edge->host = host;
	edge->time = before;
	if (low < h->losses.n && WP_AT(&h->losses, WpLoss, low).begin < time)
		return WP_EDGE_LOST;
	if (low == 0)
		return WP_EDGE_NONE;
	edge->time = MIN(before,
			 wp_graph_time(graph, host, WP_AT(&h->losses, WpLoss, low - 1).end));
	return WP_EDGE_LOST;
}

/*
 * The task's send that a received packet goes back to. A send in an interrupt has a
 * parent: a packet that was received before, whose sender is looked for in turn, or
 * an earlier send of the same bytes.
 */
static WpEdgeStatus find_sender(const WpGraph *graph, guint host, WpId packet, WpTime low,
				WpEdge *edge, WpTime *ret_acted)
{
	const guint receiver = host;

	edge->local = TRUE;
	for (guint hops = 0; hops < HOPS_MAX; hops++) {
		const WpHost *h = graph->hosts[host];
		const WpColumn *matches = &graph->joins[host].matches;

		if (packet >= h->packets.n)
			return packet == WP_NONE ? WP_EDGE_NONE : WP_EDGE_INCONSISTENT;
		const WpPacket *p = wp_host_packet(h, packet);
		if (p->flags & WP_PACKET_SEND) {
			edge->host = host;
			edge->vertex = p->vertex;
			edge->time = wp_graph_time(graph, host, p->time);
			*ret_acted = p->time;
			edge->sent = hops == 1 ? packet : WP_NONE;
			if (p->vertex != WP_NONE || edge->time <= low)
				return WP_EDGE_FOLLOWED;
			if (p->flags & WP_PACKET_NO_SENDER)
				return WP_EDGE_LOST;
			packet = p->parent;
			continue;
		}
		if (packet >= matches->n)
			return WP_EDGE_NONE;
		const WpMatch *match = &WP_AT(matches, WpMatch, packet);
		if (match->host >= graph->n_hosts)
			return match->host == WP_NONE ? WP_EDGE_NONE : WP_EDGE_INCONSISTENT;
		if (match->packet == WP_NONE)
			return lost_send(graph, match->host, wp_graph_time(graph, host, p->time),
					 edge);
		host = match->host;
		packet = match->packet;
		edge->local &= host == receiver;
	}
	return WP_EDGE_INCONSISTENT;
}

/* A cause comes before its effect; where clocks differ, as far as they are known. */
static WpEdgeStatus check_order(const WpGraph *graph, guint host, WpTime end, WpEdge *edge)
{
	edge->clamped = edge->time > end;
	if (!edge->clamped)
		return WP_EDGE_FOLLOWED;
	if (edge->time - end > wp_graph_clock_error(graph, host, edge->host, end))
		return WP_EDGE_INCONSISTENT;
	edge->time = end;
	return WP_EDGE_FOLLOWED;
}

/* The actor is there, and was in that segment when it acted, which was at acted on its clock. */
static gboolean source_exists(const WpGraph *graph, const WpEdge *edge, WpTime acted, WpTime low)
{
	const WpHost *host = graph->hosts[edge->host];
	const WpVertex *v;
	WpTime begin;

	if (edge->vertex == WP_NONE)
		return edge->time <= low;
	if (edge->vertex >= host->vertices.n)
		return FALSE;
	v = wp_host_vertex(host, edge->vertex);
	if (v->task >= host->tasks.n)
		return FALSE;
	begin = wp_host_time_of(host, v, edge->vertex);
	/* Clocks keep the order; where it is another one, the two may still coincide. */
	return begin <= acted || edge->clamped ||
	       wp_graph_time(graph, edge->host, begin) <= edge->time;
}

WpEdgeStatus wp_edge_of_wait(const WpGraph *graph, guint host, const WpVertex *v, WpTime host_end,
			     WpTime end, WpTime low, WpEdge *ret_edge)
{
	const WpCause *cause = cause_of(graph->hosts[host], v);
	WpEdge edge = {.host = host, .sent = WP_NONE};
	WpEdgeStatus status = WP_EDGE_NONE;
	WpTime acted = WP_TIME_MAX;

	/* Whoever lets a stopped task go on is not what it was stopped for. */
	if (!cause || v->state == WP_STATE_STOPPED)
		return WP_EDGE_NONE;
	if (cause->kind == WP_CAUSE_PACKET) {
		status = find_sender(graph, host, cause->packet, low, &edge, &acted);
	} else if ((cause->kind == WP_CAUSE_TASK || cause->kind == WP_CAUSE_WORKQUEUE ||
		    cause->kind == WP_CAUSE_SIGNAL) &&
		   cause->source != WP_NONE) {
		status = WP_EDGE_FOLLOWED;
		edge.vertex = cause->source;
		acted = cause->time;
		edge.time = cause->time == host_end ? end : wp_graph_time(graph, host, cause->time);
	}
	if (status == WP_EDGE_FOLLOWED)
		status = check_order(graph, host, end, &edge);
	if (status == WP_EDGE_FOLLOWED && !source_exists(graph, &edge, acted, low))
		status = WP_EDGE_INCONSISTENT;
	if (status == WP_EDGE_LOST) {
		edge.time = MIN(edge.time, end);
		status = edge.time > low ? WP_EDGE_LOST : WP_EDGE_NONE;
	}
	if (status == WP_EDGE_FOLLOWED || status == WP_EDGE_LOST)
		*ret_edge = edge;
	return status;
}

WpEdgeStatus wp_edge_of_begin(const WpGraph *graph, guint host, const WpVertex *v, WpTime begin,
			      WpEdge *ret_edge)
{
	const WpCause *cause = cause_of(graph->hosts[host], v);

	if (!cause || wp_state_is_wait((WpState)v->state) ||
	    (cause->kind != WP_CAUSE_WORKQUEUE && cause->kind != WP_CAUSE_FORK) ||
	    cause->source == WP_NONE)
		return WP_EDGE_NONE;

	WpEdge edge = {.host = host, .vertex = cause->source};
	edge.time = wp_graph_time(graph, host, cause->time);
	if (edge.time > begin || !source_exists(graph, &edge, cause->time, WP_TIME_MIN))
		return WP_EDGE_INCONSISTENT;
	*ret_edge = edge;
	return WP_EDGE_FOLLOWED;
}

gboolean wp_wait_deferral(const WpGraph *graph, guint host, const WpVertex *v, WpTime host_end,
			  WpTime *ret_raised, WpTime *ret_entered)
{
	const WpCause *cause = cause_of(graph->hosts[host], v);

	const WpDeferral *deferral = cause && (cause->flags & WP_CAUSE_FLAG_DEFERRED)
					     ? wp_host_deferral(graph->hosts[host], v->cause)
					     : NULL;

	if (!deferral || deferral->raised <= deferral->entered)
		return FALSE;
	*ret_raised = wp_graph_time(graph, host, host_end - deferral->raised);
	*ret_entered = wp_graph_time(graph, host, host_end - deferral->entered);
	return TRUE;
}
