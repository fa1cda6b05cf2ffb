/* SPDX-License-Identifier: MIT */
/*
 * split-markers.c: requests between events that the user named. Markers are taken in
 * time order; those that began a request wait in a map, by task or by id, for the one
 * that ends it.
 */
#include "config.h"

#include "base/intmap.h"
#include "path/split.h"

typedef struct {
	WpIntMap by_task, by_number, by_text; /* -> marker */
	GPatternSpec *from, *to; /* owned; to: NULL when a request ends where the next begins */
	const guint8 *selected; /* borrowed */
} Open;

static void open_init(Open *open, const WpRequestsOptions *options)
{
	wp_intmap_init(&open->by_task);
	wp_intmap_init(&open->by_number);
	wp_intmap_init(&open->by_text);
	open->from = g_pattern_spec_new(options->from);
	open->to = options->to ? g_pattern_spec_new(options->to) : NULL;
}

static void open_clear(Open *open)
{
	wp_intmap_clear(&open->by_task);
	wp_intmap_clear(&open->by_number);
	wp_intmap_clear(&open->by_text);
	g_pattern_spec_free(open->from);
	g_clear_pointer(&open->to, g_pattern_spec_free);
}

/* Where a marker's request waits, and under which key; NULL: it has neither task nor id. */
static WpIntMap *map_of(Open *open, const WpMarker *marker, gboolean by_id, guint64 *ret_key)
{
	if (!by_id) {
		*ret_key = marker->task;
		return marker->task == WP_NONE ? NULL : &open->by_task;
	}
	if (!marker->has_id)
		return NULL;
	if (marker->id_text) {
		*ret_key = marker->id_text;
		return &open->by_text;
	}
	*ret_key = (guint64)marker->id;
	return &open->by_number;
}

static void take(WpSplit *split, guint h, Open *open, WpId i)
{
	const WpHost *host = split->graph->hosts[h];
	const WpMarker *marker = wp_host_marker(host, i);
	const gchar *name = wp_strings_get(host->strings, marker->name);
	gboolean begins = g_pattern_spec_match_string(open->from, name);
	gboolean ends = open->to ? g_pattern_spec_match_string(open->to, name) : begins;
	guint64 key;
	WpIntMap *map = map_of(open, marker, split->options->by_id, &key);

	if (!map || (!begins && !ends))
		return;
	if (ends) {
		WpId first = wp_intmap_remove(map, key);

		if (first != WP_NONE && marker->task != WP_NONE && open->selected[marker->task])
			wp_split_add(split, h, marker->task, wp_host_marker(host, first)->time,
				     marker->time, WP_NONE, marker);
	}
	if (begins && (split->options->by_id || open->selected[marker->task])) {
		split->n_unfinished += wp_intmap_get(map, key) != WP_NONE;
		wp_intmap_set(map, key, i);
	}
}

void wp_split_by_markers(WpSplit *split, guint h)
{
	const WpHost *host = split->graph->hosts[h];
	g_autofree guint8 *selected = wp_split_selected(split, h);
	Open open = {.selected = selected};

	open_init(&open, split->options);
	for (guint64 i = 0; i < host->markers.n; i++)
		take(split, h, &open, (WpId)i);
	split->n_unfinished += open.by_task.n + open.by_number.n + open.by_text.n;
	open_clear(&open);
}
