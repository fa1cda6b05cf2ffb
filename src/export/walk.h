/* SPDX-License-Identifier: MIT */
/*
 * walk.h: the execution in a window, task by task: what the exports to timeline viewers
 * and databases are made of. Nothing is kept: each slice is given when it is met.
 */
#ifndef WP_EXPORT_WALK_H
#define WP_EXPORT_WALK_H

#include "path/path.h"

G_BEGIN_DECLS

/* Somebody who ended a wait: when, and by what. */
typedef struct {
	guint32 host;
	WpId task;
	WpTime time; /* reference clock */
	gboolean packet; /* else a wake-up */
} WpHandover;

/* A stretch of a task's life in one state, cut to the window. */
typedef struct {
	guint32 host;
	WpId task;
	WpId vertex;
	WpTime begin, end; /* reference clock, begin < end */
	WpState state;
	WpHandover by; /* what ended the wait in front of it; host WP_NONE: nothing that is known */
} WpSlice;

typedef struct {
	/* Before the slices of a task; may be NULL. */
	void (*task)(gpointer data, guint32 host, WpId task);
	void (*slice)(gpointer data, const WpSlice *slice);
	/* Whether all further slices are in vain; asked before each task. */
	gboolean (*is_over)(gpointer data);
} WpWalkFuncs;

/*
 * Walks the tasks of the graph that live in the path's window, by host and task; only those that
 * lie on the path, and the path's own, unless all is set. Hand-overs by tasks that are not
 * walked are left out. Idle tasks are.
 */
void wp_walk(WpGraph *graph, const WpPath *path, gboolean all, const WpWalkFuncs *funcs,
	     gpointer data);

/*
 * Who waits for whom at each segment of a path: its *chain*, from the path's own task down to the
 * one that the segment lies on. A chain deeper than WP_CHAIN_MAX is cut in front of its end.
 */
#define WP_CHAIN_MAX 128u

typedef struct WpChains WpChains;

WpChains *wp_chains_new(const WpPath *path);
void wp_chains_free(WpChains *chains);
/* The chain of a segment; its length, from 1 to WP_CHAIN_MAX. */
guint wp_chains_get(const WpChains *chains, guint segment, WpTaskRef ret_tasks[WP_CHAIN_MAX]);
/* Whether two segments have one and the same chain. */
gboolean wp_chains_equal(const WpChains *chains, guint a, guint b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpChains, wp_chains_free)

G_END_DECLS

#endif
