/* SPDX-License-Identifier: MIT */
/*
 * graph.h: the graphs of all hosts, joined.
 *
 * Hosts share nothing but packets: a graph is its hosts, a clock map for each,
 * and for each received packet the send that it matches. Vertices keep the time of
 * their host; they are translated where they are read, so that the hosts stay
 * immutable (and may be mapped files), and another reference is another set of maps.
 */
#ifndef WP_GRAPH_GRAPH_H
#define WP_GRAPH_GRAPH_H

#include "graph/clock-map.h"
#include "graph/host.h"

G_BEGIN_DECLS

/* For a received packet: where it was sent. */
typedef struct {
	guint32 host; /* WP_NONE: by no traced host */
	WpId packet; /* WP_NONE, with a host: its send may be among the events that the host lost */
} WpMatch;

typedef struct {
	WpClockMap *map; /* owned: this host's clock to the reference clock */
	guint island; /* hosts of one number are joined by packets or by the user's word */
	WpColumn matches; /* WpMatch, one for each of the host's packets (sends: WP_NONE) */
} WpHostJoin;

typedef struct {
	guint n_hosts;
	WpHost **hosts; /* owned array of owned hosts */
	WpHostJoin *joins; /* owned, one each */
	guint reference; /* host whose clock all times are given on */
	WpFindings *findings; /* owned: of the join */
	/*
	 * Half width of what is known of the difference of two hosts' clocks at a
	 * reference time; set by src/sync. NULL: the sum of both maps' bounds.
	 */
	WpTime (*pair_bound)(gpointer data, guint a, guint b, WpTime time);
	gpointer pair_data; /* owned: freed with pair_free */
	GDestroyNotify pair_free;
	guint n_faults; /* of mapped files (bus.h), by then when the graph was made */
} WpGraph;

/* Takes the hosts (array copied, hosts stolen); identity maps, each host an island. */
WpGraph *wp_graph_new(WpHost **hosts, guint n_hosts);
void wp_graph_free(WpGraph *graph);
/*
 * WP_ERROR_FAILED when a part of a saved graph that was used so far is damaged: what was
 * computed from it is not to be told.
 */
gboolean wp_graph_check_damage(const WpGraph *graph, GError **error);

static inline WpTime wp_graph_time(const WpGraph *graph, guint host, WpTime host_time)
{
	return wp_clock_map_apply(graph->joins[host].map, host_time);
}

/* Where what is made of the graph gets its memory: as its hosts do; NULL: no limit. Borrowed. */
static inline WpMemory *wp_graph_memory(const WpGraph *graph)
{
	return graph->n_hosts ? graph->hosts[0]->memory : NULL;
}

/* ns: how far times of host a may be off against those of host b around a reference time; 0 if a == b. */
WpTime wp_graph_clock_error(const WpGraph *graph, guint a, guint b, WpTime time);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpGraph, wp_graph_free)

G_END_DECLS

#endif
