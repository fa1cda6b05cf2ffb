/* SPDX-License-Identifier: MIT */
/*
 * segments.h: the segments of a path, which may be as many as a trace has events.
 *
 * The first of them lie on the heap: most paths have no more, and there may be a path for each of a
 * million requests. What is behind those is a column, so it grows without copying, counts
 * against the limit of memory, and beyond that lies in a file.
 */
#ifndef WP_PATH_SEGMENTS_H
#define WP_PATH_SEGMENTS_H

#include "base/column.h"
#include "base/types.h"

G_BEGIN_DECLS

typedef struct {
	WpTime begin, end; /* reference clock */
	guint32 host;
	WpId task;
	WpId vertex; /* the segment of the graph that this shows (part of) */
	WpId cause; /* of that host, WP_NONE */
	guint16 cpu; /* dense index of that host, G_MAXUINT16 */
	guint16 depth; /* waits that this is nested in (at most G_MAXUINT16) */
	guint8 state; /* WpState */
	guint8 part; /* WpPart of a network segment */
	guint8 flags; /* WP_SEGMENT_... */
	WpTime clock_error; /* of a segment between two hosts, else 0 */
} WpSegment;

#define WP_SEGMENT_LOST 1u /* overlaps lost events */
#define WP_SEGMENT_BELOW_ERROR 2u /* a flight shorter than its clock error */
#define WP_SEGMENT_LOCAL 4u /* a packet that stayed on the host */
#define WP_SEGMENT_OUTSIDE 8u /* before the task was first seen, or after its host's trace */

#define WP_SEGMENTS_NEAR 256u

typedef struct {
	guint n;
	guint n_allocated; /* of near */
	WpSegment *near; /* owned: the first ones */
	WpColumn rest; /* WpSegment: those from WP_SEGMENTS_NEAR on */
} WpSegments;

/* memory: of which the rest is, NULL: of none that is limited. */
void wp_segments_init(WpSegments *segments, WpMemory *memory);
void wp_segments_clear(WpSegments *segments);
/* FALSE with WP_ERROR_LIMIT or _FAILED when memory or disk is out. */
gboolean wp_segments_add(WpSegments *segments, const WpSegment *segment, GError **error);
/* Those of others, from the last to the first. Fails as wp_segments_add() does. */
gboolean wp_segments_add_reversed(WpSegments *segments, const WpSegments *others, GError **error);
/* The last becomes the first. */
void wp_segments_reverse(WpSegments *segments);

static inline WpSegment *wp_segments_get(const WpSegments *segments, guint i)
{
	return i < WP_SEGMENTS_NEAR ? &segments->near[i]
				    : &WP_AT(&segments->rest, WpSegment, i - WP_SEGMENTS_NEAR);
}

G_END_DECLS

#endif
