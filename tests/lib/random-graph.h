/* SPDX-License-Identifier: MIT */
/*
 * random-graph.h: random executions of several hosts, built straight into the
 * columns of a WpGraph: what the property tests of paths, totals and the views on
 * them run on.
 *
 * Everything that a model may write occurs: tasks that wake each other, packets in
 * flight between hosts and within one, sends without a sender that another packet
 * explains, packets that nobody sent or received, timers, disks, deferred softirqs,
 * wake-ups without a cause, lost events, interrupts and preemption, work items, forks and exits,
 * tasks seen late, equal times, flights that end before they begin.
 */
#ifndef WP_TESTS_RANDOM_GRAPH_H
#define WP_TESTS_RANDOM_GRAPH_H

#include "graph/graph.h"

G_BEGIN_DECLS

typedef enum {
	WP_RANDOM_CLOCKS = 1 << 0, /* the hosts' clocks differ in offset and rate */
	WP_RANDOM_TIES = 1 << 1, /* many things happen at the same time */
	WP_RANDOM_WORK = 1 << 2 /* work items (segments whose begin has a cause) */
} WpRandomFlags;

/*
 * n_steps things happen in a graph of at most 3 hosts with up to 8 tasks each. The same arguments give the same graph. Owned by the caller.
 */
WpGraph *wp_random_graph_new(guint32 seed, guint n_steps, WpRandomFlags flags);

G_END_DECLS

#endif
