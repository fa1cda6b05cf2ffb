/* SPDX-License-Identifier: MIT */
/* graph.c: hosts put together, before src/sync joins them. */
#include "config.h"

#include "base/bus.h"
#include "base/error.h"
#include "graph/graph.h"

WpGraph *wp_graph_new(WpHost **hosts, guint n_hosts)
{
	WpGraph *graph = g_new0(WpGraph, 1);

	graph->n_hosts = n_hosts;
	graph->n_faults = wp_bus_n_faults();
	graph->hosts = g_memdup2(hosts, n_hosts * sizeof(*hosts));
	graph->joins = g_new0(WpHostJoin, n_hosts);
	graph->findings = wp_findings_new();
	for (guint i = 0; i < n_hosts; i++) {
		graph->joins[i].map = wp_clock_map_new(NULL, 0, 0);
		graph->joins[i].island = i;
		wp_column_init(&graph->joins[i].matches, sizeof(WpMatch), NULL);
	}
	return graph;
}

void wp_graph_free(WpGraph *graph)
{
	if (!graph)
		return;
	for (guint i = 0; i < graph->n_hosts; i++) {
		wp_host_free(graph->hosts[i]);
		wp_clock_map_free(graph->joins[i].map);
		wp_column_clear(&graph->joins[i].matches);
	}
	if (graph->pair_free)
		graph->pair_free(graph->pair_data);
	wp_findings_free(graph->findings);
	g_free(graph->hosts);
	g_free(graph->joins);
	g_free(graph);
}

gboolean wp_graph_check_damage(const WpGraph *graph, GError **error)
{
	if (!wp_bus_check(graph->n_faults, error))
		return FALSE;
	for (guint i = 0; i < graph->n_hosts; i++)
		if (!wp_host_check_damage(graph->hosts[i], error))
			return FALSE;
	return TRUE;
}

WpTime wp_graph_clock_error(const WpGraph *graph, guint a, guint b, WpTime time)
{
	if (a == b)
		return 0;
	if (graph->pair_bound)
		return graph->pair_bound(graph->pair_data, a, b, time);

	const WpClockMap *map_a = graph->joins[a].map, *map_b = graph->joins[b].map;

	return wp_clock_map_bound(map_a, wp_clock_map_invert(map_a, time)) +
	       wp_clock_map_bound(map_b, wp_clock_map_invert(map_b, time));
}
