/* SPDX-License-Identifier: MIT */
/*
 * blockers.h: whom everybody waits for, over all tasks or a group of them.
 *
 * Three views: the direct wait-for relation, summed up by waiter, holder and cause;
 * the holders, by how long the paths of all waiters lay on each, however long the
 * chain of waits to it; and knots, groups of tasks that wait for each other and for
 * no one else (after Zhou, Gan, Ma and Wang, "wPerf: Generic Off-CPU Analysis to
 * Identify Bottleneck Waiting Events", OSDI 2018). Tasks that poll instead of
 * waiting are named, since no analysis of waits can see what they wait for.
 */
#ifndef WP_PATH_BLOCKERS_H
#define WP_PATH_BLOCKERS_H

#include "path/path.h"

G_BEGIN_DECLS

typedef struct {
	WpTaskRef waiter;
	WpTaskRef holder; /* host and task WP_NONE: no task, see the cause */
	const gchar *cause; /* borrowed from the result: "task in futex", "disk vda", "unknown" */
	WpTime time; /* waited, in the window */
	guint64 count; /* waits */
} WpBlockEdge;

typedef struct {
	WpTaskRef task;
	WpTime time; /* the paths of all waiters lay on it, together */
} WpBlockHolder;

typedef struct {
	GArray *tasks; /* owned: WpTaskRef by host, then task */
	WpTime time; /* that they waited for each other, together */
} WpBlockKnot;

typedef enum {
	WP_POLL_TIMER, /* sleeps for moments and looks again */
	WP_POLL_YIELD, /* gives up the CPU and looks again */
	WP_POLL_NETWORK, /* hears from its peers without ever waiting for them */
	WP_POLL_BUSY /* never waits at all: computes, or spins */
} WpPollKind;

typedef struct {
	WpTaskRef task;
	WpPollKind kind;
	gdouble cpu_share; /* of its life in the window */
	gdouble per_second; /* looks: sleeps, yields, packets; 0 when busy */
} WpPoller;

typedef struct {
	WpTime begin, end;
	GArray *edges; /* owned: WpBlockEdge by time, descending */
	GArray *holders; /* owned: WpBlockHolder by time, descending */
	GArray *knots; /* owned: WpBlockKnot by time, descending */
	GArray *pollers; /* owned: WpPoller by share of CPU, descending */
	WpStrings *causes; /* owned */
	guint64 n_inconsistent;
} WpBlockers;

/*
 * tasks: whose waits; NULL: everybody's. Edges that make up less than 1 % of a waiter's
 * life don't keep a group from being a knot. The caller owns the result. Fails when
 * cancelled, on a window that is none, or when memory is out.
 */
WpBlockers *wp_blockers_compute(WpGraph *graph, const WpTaskRef *tasks, guint n_tasks, WpTime begin,
				WpTime end, WpCancel *cancellable, GError **error);
void wp_blockers_free(WpBlockers *blockers);

/* "timer", "yield", "network", "busy"; and half a sentence that tells the pattern. */
const gchar *wp_poll_kind_key(WpPollKind kind);
const gchar *wp_poll_kind_words(WpPollKind kind);

/*
 * Groups of nodes that reach each other and nobody else, of two nodes or more, from
 * edges (from[i], to[i]) between nodes 0 to n_nodes - 1. Returns for each node the
 * number of its group, or WP_NONE; groups are numbered from 0. Owned by the caller.
 */
guint32 *wp_knots_find(guint32 n_nodes, const guint32 *from, const guint32 *to, guint32 n_edges,
		       guint32 *ret_n_knots);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpBlockers, wp_blockers_free)

G_END_DECLS

#endif
