/* SPDX-License-Identifier: MIT */
/*
 * fuzz-sync-file.c: any bytes as a file of saved clocks (JSON): refused with a sentence, or
 * taken; then its maps are asked at every kind of time and path, and saved once more.
 */
#include "config.h"

#include <stdlib.h>

#include "fuzz.h"
#include "graph/graph.h"
#include "sync/sync-file.h"

static WpGraph *make_graph(void)
{
	static const gchar *const names[] = {"hosta", "hostb", "hostc"};
	WpHost *hosts[G_N_ELEMENTS(names)];

	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		hosts[i] = wp_host_new(names[i], NULL);
		hosts[i]->begin = 1772442049000000000 + i;
		hosts[i]->end = 1772442050000000000 + i;
	}
	return wp_graph_new(hosts, G_N_ELEMENTS(names));
}

/* Whatever the file says, time goes on and there is no going outside of it. */
static void ask_map(const WpClockMap *map)
{
	static const WpTime times[] = {
		WP_TIME_MIN,         -1,         0, 1, 1772442049000000000, 1772442049500000000,
		1772442050000000000, WP_TIME_MAX};
	WpTime last = WP_TIME_MIN;

	for (guint i = 0; i < G_N_ELEMENTS(times); i++) {
		const WpTime time = wp_clock_map_apply(map, times[i]);

		if (time < last || wp_clock_map_bound(map, times[i]) < 0)
			abort();
		wp_clock_map_invert(map, times[i]);
		last = time;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const gchar *path = wp_fuzz_write("clocks", data, size);

	for (guint reference = 0; reference < 2; reference++) {
		g_autoptr(WpGraph) graph = make_graph();
		g_autoptr(GError) error = NULL;
		const gboolean loaded = wp_sync_file_load(graph, path, reference, &error);

		if (loaded == (error != NULL))
			abort();
		for (guint h = 0; loaded && h < graph->n_hosts; h++)
			ask_map(graph->joins[h].map);
	}
	return 0;
}
