/* SPDX-License-Identifier: MIT */
/*
 * prefix.h: what the path of every task consists of, for all tasks at once: the
 * prefix form of the path.
 *
 * Where wp_path_compute() walks backwards from one task, this goes forwards once
 * over the vertices of all hosts and keeps for each task T the vector A(T, t): the
 * time that T's path from the window's begin to t spends in each state. While T does
 * not wait, A grows in T's state; a wait from b to w that was ended by W at u adds
 * A(W, u) - A(W, b) and the transit from u to w. The graph tells at b already what
 * will end the wait, so both terms are taken in passing and no history is kept:
 * memory is one vector for each task and one for each open wait.
 */
#ifndef WP_PATH_PREFIX_H
#define WP_PATH_PREFIX_H

#include "path/path.h"

G_BEGIN_DECLS

typedef struct {
	guint32 host;
	WpId task;
	WpTime begin, end; /* its life in the window, reference clock */
	WpTime by_state[WP_STATE_N]; /* of its path over its life; sums to end - begin */
	WpTime own; /* path time on the task itself */
	WpTime others; /* the rest: it waited for others */
	/*
	 * Asked for with the holders: time that paths of other tasks lay on this one, all
	 * of them together, so it may be longer than the window.
	 */
	WpTime held;
	/* Asked for with the followed: its lines in `waited` are all there are. */
	gboolean followed;
} WpPrefixTask;

/* How long the path of a task lay on another one. */
typedef struct {
	WpTaskRef waiter, holder;
	WpTime time;
} WpWaited;

typedef struct {
	WpTime begin, end;
	WpPathMode mode;
	guint64 n_tasks;
	WpPrefixTask *tasks; /* owned: those that live in the window, by host, then task */
	GArray *waited; /* owned: WpWaited by waiter, the longest first; NULL: not asked for */
	guint64 n_inconsistent; /* causes that could not be followed */
	guint64 n_steps; /* of work: vertices taken and vectors added, for tests of its growth */
} WpPrefix;

/* Tasks whose waiting is asked for. */
typedef struct {
	const WpTaskRef *tasks; /* borrowed, NULL: all */
	guint n_tasks;
} WpWaiters;

/*
 * The path totals of all tasks over [begin, end] (reference clock, begin < end), each
 * equal to those of wp_path_compute() over the task's life in it. WP_PATH_ACTIVE is
 * one pass, linear in the vertices of the window and the lengths of chains of open
 * waits; WP_PATH_CAUSAL walks each task's path. The caller owns the result. Fails when
 * cancelled, on a window that is none, or when memory is out.
 */
WpPrefix *wp_prefix_compute(WpGraph *graph, WpTime begin, WpTime end, WpPathMode mode,
			    GCancellable *cancellable, GError **error);
/* The same, active, with each task's `held`. */
WpPrefix *wp_prefix_compute_holders(WpGraph *graph, WpTime begin, WpTime end,
				    const WpWaiters *waiters, GCancellable *cancellable,
				    GError **error);
/*
 * The same, active, with `waited` for at most WP_PREFIX_FOLLOWED_MAX tasks: those that are asked
 * for, or when these are all, those that wait first; a task that never waits for another is
 * followed anyway. One pass like the others, plus one step for each time that the task changes
 * on which their paths rest.
 */
#define WP_PREFIX_FOLLOWED_MAX 256u
WpPrefix *wp_prefix_compute_followed(WpGraph *graph, WpTime begin, WpTime end,
				     const WpWaiters *waiters, GCancellable *cancellable,
				     GError **error);
/* The first of a task's lines in `waited`, and their number. Borrowed. */
const WpWaited *wp_prefix_get_waited(const WpPrefix *prefix, const WpPrefixTask *task,
				     guint *ret_n);
void wp_prefix_free(WpPrefix *prefix);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpPrefix, wp_prefix_free)

G_END_DECLS

#endif
