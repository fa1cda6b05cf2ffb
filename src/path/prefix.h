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
#include "path/rests.h"

G_BEGIN_DECLS

typedef struct {
	guint32 host;
	WpId task;
	WpTime begin, end; /* its life in the window, reference clock */
	WpTime by_state[WP_STATE_N]; /* of its path over its life; sums to end - begin */
	WpTime own; /* path time on the task itself */
	WpTime others; /* the rest: it waited for others */
} WpPrefixTask;

typedef struct {
	WpGraph *graph; /* borrowed */
	WpTime begin, end;
	WpPathMode mode;
	guint64 n_tasks;
	WpPrefixTask *tasks; /* owned: those that live in the window, by host, then task */
	WpRests *rests; /* owned: where paths rested, NULL: not asked for */
	guint64 n_inconsistent; /* causes that could not be followed */
	guint64 n_steps; /* of work: vertices taken and vectors added, for tests of its growth */
} WpPrefix;

/*
 * The path totals of all tasks over [begin, end] (reference clock, begin < end), each
 * equal to those of wp_path_compute() over the task's life in it. WP_PATH_ACTIVE is
 * one pass, linear in the vertices of the window and the lengths of chains of open
 * waits; WP_PATH_CAUSAL walks each task's path. The caller owns the result, which borrows the
 * graph. Fails when cancelled, on a window that is none, or when memory is out.
 */
WpPrefix *wp_prefix_compute(WpGraph *graph, WpTime begin, WpTime end, WpPathMode mode,
			    WpCancel *cancellable, GError **error);
/* The same, active, and ready for the questions below. */
WpPrefix *wp_prefix_compute_rests(WpGraph *graph, WpTime begin, WpTime end, WpCancel *cancellable,
				  GError **error);
void wp_prefix_free(WpPrefix *prefix);

/* How long the path of a task lay on another one. */
typedef struct {
	WpTaskRef waiter, holder;
	WpTime time;
} WpWaited;

/*
 * On whom the paths of n tasks lay besides themselves, each exactly: WpWaited by waiter (host, then
 * task), the longest first. prefix is of wp_prefix_compute_rests(), whose changes are played back
 * once for every WP_FOLLOWED_MAX tasks. Owned by the caller; NULL with an error when memory is out or
 * when cancelled.
 */
GArray *wp_prefix_find_waited(const WpPrefix *prefix, const WpTaskRef *tasks, guint n,
			      WpCancel *cancellable, GError **error);
/* The first of a waiter's lines in such an array, and their number. Borrowed. */
const WpWaited *wp_waited_find(const GArray *waited, WpTaskRef waiter, guint *ret_n);
/*
 * How long the paths of n tasks (tasks NULL: of all) lay on each of prefix->tasks, all of them
 * together, so it may be longer than the window; n_tasks times. Else as above.
 */
WpTime *wp_prefix_find_held(const WpPrefix *prefix, const WpTaskRef *tasks, guint n,
			    WpCancel *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpPrefix, wp_prefix_free)

G_END_DECLS

#endif
