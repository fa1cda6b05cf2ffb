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

#include "base/cancel.h"
#include "graph/graph.h"
#include "path/segments.h"

G_BEGIN_DECLS

typedef enum {
	WP_PATH_ACTIVE, /* bounded: behind an explained wait the task's own history goes on */
	WP_PATH_CAUSAL /* unbounded: behind a wait's cause the cause's own history goes on */
} WpPathMode;

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
	WpSegments segments; /* in time order */
	guint64 n_inconsistent; /* causes that could not be followed (later than their effect) */
	WpTime max_clock_error; /* largest of the segments' */
} WpPath;

/* The i-th segment, of path->segments.n. */
static inline WpSegment *wp_path_segment(const WpPath *path, guint i)
{
	return wp_segments_get(&path->segments, i);
}

/* Of which its segments are, for what is made of a path and is as long. Borrowed, may be NULL. */
static inline WpMemory *wp_path_memory(const WpPath *path)
{
	return path->segments.rest.memory;
}

/*
 * The path of a task over [begin, end] (reference clock, begin < end). The caller
 * owns the result. Fails only when cancelled, on a window that is none, or when neither memory
 * nor disk is left for its segments; times of the window in which the task does not live are `unknown`.
 */
WpPath *wp_path_compute(WpGraph *graph, guint host, WpId task, WpTime begin, WpTime end,
			WpPathMode mode, WpCancel *cancellable, GError **error);
/*
 * The same path, but up to n_parts parts of the window are walked side by side, each by a thread of
 * its own; a causal one, and one in a graph that lies in a file, has one part.
 */
WpPath *wp_path_compute_in_parts(WpGraph *graph, guint host, WpId task, WpTime begin, WpTime end,
				 WpPathMode mode, guint n_parts, WpCancel *cancellable,
				 GError **error);
void wp_path_free(WpPath *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpPath, wp_path_free)

G_END_DECLS

#endif
