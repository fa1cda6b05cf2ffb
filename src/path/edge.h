/* SPDX-License-Identifier: MIT */
/*
 * edge.h: where a path goes on from a segment: the one place that says which causes
 * are followed, to whom and to when. The cursor (path.c), the totals of all tasks and
 * the views on them all ask here.
 *
 * Graphs may come from files whose indexes are verified where they are used: a
 * reference out of range gives no edge.
 */
#ifndef WP_PATH_EDGE_H
#define WP_PATH_EDGE_H

#include "graph/graph.h"

G_BEGIN_DECLS

/* Who acted: the path goes on there, at that time. */
typedef struct {
	guint host;
	WpId vertex; /* the actor's segment at that time */
	WpTime time; /* reference clock, not after the effect */
	gboolean clamped; /* time was after the effect, within the clocks' error */
	gboolean local; /* a packet that never left the host */
	WpId sent; /* the very packet that was received, if the actor sent it itself, or WP_NONE */
} WpEdge;

typedef enum {
	WP_EDGE_NONE, /* nothing to follow: a device, or nobody knows */
	WP_EDGE_FOLLOWED,
	WP_EDGE_LOST, /* a packet whose sender's host lost events: not known until a time */
	WP_EDGE_INCONSISTENT /* a cause later than its effect, or a damaged reference: not followed */
} WpEdgeStatus;

/*
 * What ended the wait that vertex v of a host is, host_end on the host's clock and
 * end on the reference clock. A packet's way is followed back through the packets
 * that made interrupts send, but no further than low: what was under way then was
 * so before the wait began or the path wants to know. *ret_edge is set when followed; when
 * lost, its host and its time: by then the packet was under way, before nothing is known.
 */
WpEdgeStatus wp_edge_of_wait(const WpGraph *graph, guint host, const WpVertex *v, WpTime host_end,
			     WpTime end, WpTime low, WpEdge *ret_edge);

/*
 * Who caused the begin of segment v (a work item, a fork), at reference time begin:
 * paths of others that reach it from behind go on there, not in the task's own past.
 */
WpEdgeStatus wp_edge_of_begin(const WpGraph *graph, guint host, const WpVertex *v, WpTime begin,
			      WpEdge *ret_edge);

/*
 * The part of the wait v, host_end on the host's clock, in which a softirq that was
 * to end it had been raised and did not run: from *ret_raised to *ret_entered
 * (reference clock). FALSE when there is none.
 */
gboolean wp_wait_deferral(const WpGraph *graph, guint host, const WpVertex *v, WpTime host_end,
			  WpTime *ret_raised, WpTime *ret_entered);

G_END_DECLS

#endif
