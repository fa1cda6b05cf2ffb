/* SPDX-License-Identifier: MIT */
/* segments.c: segments that are added and turned round. */
#include "config.h"

#include "path/segments.h"

#define NEAR_FIRST 16u

void wp_segments_init(WpSegments *segments, WpMemory *memory)
{
	*segments = (WpSegments){.n = 0};
	wp_column_init(&segments->rest, sizeof(WpSegment), memory);
}

void wp_segments_clear(WpSegments *segments)
{
	g_clear_pointer(&segments->near, g_free);
	wp_column_clear(&segments->rest);
	segments->n = segments->n_allocated = 0;
}

gboolean wp_segments_add(WpSegments *segments, const WpSegment *segment, GError **error)
{
	WpSegment *new;

	if (segments->n >= WP_SEGMENTS_NEAR) {
		new = wp_column_push(&segments->rest, error);
		if (!new)
			return FALSE;
	} else {
		if (segments->n == segments->n_allocated) {
			segments->n_allocated = MAX(NEAR_FIRST, 2 * segments->n_allocated);
			segments->near = g_renew(WpSegment, segments->near, segments->n_allocated);
		}
		new = &segments->near[segments->n];
	}
	*new = *segment;
	segments->n++;
	return TRUE;
}

gboolean wp_segments_add_reversed(WpSegments *segments, const WpSegments *others, GError **error)
{
	for (guint i = others->n; i-- > 0;)
		if (!wp_segments_add(segments, wp_segments_get(others, i), error))
			return FALSE;
	return TRUE;
}

void wp_segments_reverse(WpSegments *segments)
{
	for (guint i = 0, j = segments->n; i + 1 < j; i++, j--) {
		WpSegment *a = wp_segments_get(segments, i);
		WpSegment *b = wp_segments_get(segments, j - 1), swap = *a;

		*a = *b;
		*b = swap;
	}
}
