/* SPDX-License-Identifier: MIT */
/*
 * hand-graph.h: small graphs written down by hand, for tests that know the answer.
 */
#ifndef WP_TESTS_HAND_GRAPH_H
#define WP_TESTS_HAND_GRAPH_H

#include "graph/graph.h"

G_BEGIN_DECLS

/* A host whose trace lasts from begin to end, with two CPUs. */
WpHost *wp_hand_host(const gchar *name, WpTime begin, WpTime end);
/* Task ids count from 0; the tid is 100 more. It lives as long as the trace. */
WpId wp_hand_task(WpHost *host, const gchar *comm);
/* Vertices are to be added in time order. cpu is 0 for states that hold one. */
WpId wp_hand_vertex(WpHost *host, WpId task, WpTime time, WpState state);
/* The cause of a vertex's segment; source is the vertex of who acted, WP_NONE: not a task. */
WpCause *wp_hand_cause(WpHost *host, WpId vertex, WpCauseKind kind, WpId source, WpTime time);
/* Gives a cause of the host its names, NULL for none. */
void wp_hand_detail(WpHost *host, WpCause *cause, const gchar *name, const gchar *syscall);
/* source (a vertex) wakes a task that is blocked: it is runnable from then on. */
void wp_hand_wake(WpHost *host, WpId task, WpTime time, WpId source);
/* Flows 0 and 1 of a host, each the other's way back: TCP with ports sport and dport. */
void wp_hand_ports(WpHost *host, guint16 sport, guint16 dport);
/*
 * A packet of 100 bytes sent by a vertex of one host and received by another; over flow
 * 0 of the sender and 1 of the receiver. Its id there; packets come in time order.
 */
WpId wp_hand_packet(WpGraph *graph, guint from, WpId sender, WpTime sent, guint to,
		    WpTime received);
/* Takes the hosts; all of one clock. */
WpGraph *wp_hand_graph(WpHost *first, ...) G_GNUC_NULL_TERMINATED;

G_END_DECLS

#endif
