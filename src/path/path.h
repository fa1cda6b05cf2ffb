/* SPDX-License-Identifier: MIT */
/*
 * path.h: the critical (active) path of one task over one window: backwards from
 * the end, from each wait to what ended it and on from there, until the wait's
 * begin; then on with the task itself.
 *
 * After Giraldeau and Dagenais, "Wait Analysis of Distributed Systems Using Kernel
 * Tracing" (IEEE TPDS 2016), as an iterative cursor with a stack of (owner, floor).
 * Its segments partition the window exactly. Work is linear in their number.
 */
#ifndef WP_PATH_PATH_H
#define WP_PATH_PATH_H

#include <gio/gio.h>

#include "graph/graph.h"

G_BEGIN_DECLS

typedef enum {
	WP_PATH_ACTIVE, /* bounded: behind an explained wait the task's own history goes on */
	WP_PATH_CAUSAL /* unbounded: behind a wait's cause the cause's own history goes on */
} WpPathMode;

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

/* A task of the graph. */
typedef struct {
	guint32 host;
	WpId task;
} WpTaskRef;

typedef struct {
	guint host;
	WpId task;
	WpPathMode mode;
	WpTime begin, end; /* reference clock */
	GArray *segments; /* owned: WpSegment in time order */
	guint64 n_inconsistent; /* causes that could not be followed (later than their effect) */
	WpTime max_clock_error; /* largest of the segments' */
} WpPath;

/*
 * The path of a task over [begin, end] (reference clock, begin < end). The caller
 * owns the result. Fails only when cancelled or on a window that is none; times of the
 * window in which the task does not live are `unknown`.
 */
WpPath *wp_path_compute(WpGraph *graph, guint host, WpId task, WpTime begin, WpTime end,
			WpPathMode mode, GCancellable *cancellable, GError **error);
void wp_path_free(WpPath *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpPath, wp_path_free)

G_END_DECLS

#endif
