/* SPDX-License-Identifier: MIT */
/* select.c: which events happen on a path. */
#include "config.h"

#include "export/describe.h"
#include "plugins/critical-path/select.h"

/* A segment that holds a CPU. */
typedef struct {
	WpTime begin, end; /* reference clock */
	guint32 host, cpu;
} Stretch;

struct WpPathSelection {
	GArray *stretches; /* owned: Stretch, by time, not overlapping */
	GPtrArray *maps; /* owned: WpClockMap * (owned), a host each */
};

WpPathSelection *wp_path_selection_new(const WpPath *path, const WpGraph *graph)
{
	WpPathSelection *selection = g_new0(WpPathSelection, 1);

	selection->stretches = g_array_new(FALSE, FALSE, sizeof(Stretch));
	selection->maps = g_ptr_array_new_with_free_func((GDestroyNotify)wp_clock_map_free);
	for (guint i = 0; i < graph->n_hosts; i++)
		g_ptr_array_add(selection->maps, wp_clock_map_dup(graph->joins[i].map));
	for (guint i = 0; i < path->segments.n; i++) {
		const WpSegment *segment = wp_path_segment(path, i);
		Stretch stretch = {segment->begin, segment->end, segment->host,
				   wp_segment_cpu(graph, segment)};

		if (stretch.cpu != WP_NONE)
			g_array_append_val(selection->stretches, stretch);
	}
	return selection;
}

void wp_path_selection_free(WpPathSelection *selection)
{
	if (!selection)
		return;
	g_array_unref(selection->stretches);
	g_ptr_array_unref(selection->maps);
	g_free(selection);
}

gboolean wp_path_selection_has(const WpPathSelection *selection, guint32 host, guint32 cpu,
			       WpTime time)
{
	guint low = 0, high = selection->stretches->len;
	const Stretch *stretch;

	if (host >= selection->maps->len)
		return FALSE;
	time = wp_clock_map_apply(selection->maps->pdata[host], time);
	/* the first that ends at or behind time */
	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (g_array_index(selection->stretches, Stretch, middle).end < time)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == selection->stretches->len)
		return FALSE;
	stretch = &g_array_index(selection->stretches, Stretch, low);
	return stretch->begin < time && stretch->host == host && stretch->cpu == cpu;
}
