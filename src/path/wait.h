/* SPDX-License-Identifier: MIT */
/*
 * wait.h: what the path shows for one wait, as pieces of other tasks' histories.
 *
 * Seen from the wait's owner, a wait that was ended by somebody is a chain: the
 * waker's own history back to the wait's begin, or to the begin of a work item or
 * of the waker's life that somebody else caused, then that one's history, and so on;
 * and at the end the transit from the waker to the owner. Tasks are numbered
 * through over all hosts: a *row*.
 */
#ifndef WP_PATH_WAIT_H
#define WP_PATH_WAIT_H

#include "graph/ends.h"
#include "path/edge.h"

G_BEGIN_DECLS

/* A segment whose begin was caused by somebody. */
typedef struct {
	WpId vertex;
	WpTime time; /* reference clock: of its begin */
	WpEdge edge;
} WpBegin;

/* Rows, and the caused begins of each. */
typedef struct {
	WpGraph *graph; /* borrowed */
	guint32 n_rows;
	guint32 *first_row; /* owned: of each host, and n_rows */
	guint32 *first_begin; /* owned: of each row, and their number */
	WpBegin *begins; /* borrowed from the block: by row, then vertex */
	WpBlock block;
	const WpHostEnds **ends; /* owned array of borrowed: of each host */
	guint64 n_inconsistent;
} WpRows;

/*
 * With the caused begins among the vertices first to last (exclusive) of each host.
 * FALSE when memory is out. rows is to be cleared in any case.
 */
gboolean wp_rows_init(WpRows *rows, WpGraph *graph, const guint64 *first, const guint64 *last,
		      GError **error);
void wp_rows_clear(WpRows *rows);

/* Part of a wait, from the end of the piece before it. */
typedef struct {
	WpTime end;
	guint32 row; /* who it is shown on; WP_NONE: the owner of the wait */
	WpState state; /* WP_STATE_N: that row's own history, else time in one state */
} WpPiece;

static inline gboolean wp_piece_is_history(const WpPiece *piece)
{
	return piece->state == WP_STATE_N;
}

typedef struct {
	WpPiece *pieces; /* owned: in time order, without gaps, none of them empty */
	guint n, n_allocated;
	WpTime arrival; /* where the last other task's piece ends; behind it all is the owner's */
} WpPlan;

void wp_plan_clear(WpPlan *plan);

/*
 * What the path shows for the wait v of a host from low (at or after its begin) to its
 * end, host_end on the host's clock and end on the reference clock; followed unless
 * the wait is cut before its end. FALSE when it is all in the state of v: then the
 * plan is not filled. *inconsistent grows by causes that can't be followed.
 */
gboolean wp_plan_wait(WpPlan *plan, const WpRows *rows, guint host, const WpVertex *v,
		      WpTime host_end, WpTime low, WpTime end, gboolean followed,
		      guint64 *inconsistent);

G_END_DECLS

#endif
