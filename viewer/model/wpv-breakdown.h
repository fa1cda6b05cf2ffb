/* SPDX-License-Identifier: MIT */
/*
 * wpv-breakdown.h: where the time of a path, or of a part of it, went: by task, state,
 * host or cause; and the same of two parts beside each other.
 */
#ifndef WPV_BREAKDOWN_H
#define WPV_BREAKDOWN_H

#include "viewer/model/wpv-answer.h"

G_BEGIN_DECLS

/* Rows beyond are put together in one. */
#define WPV_BREAKDOWN_MAX 500

typedef enum { WPV_BY_TASK, WPV_BY_STATE, WPV_BY_HOST, WPV_BY_CAUSE, WPV_BY_N } WpvBy;

/* "Task", "State", "Host", "Cause". */
const gchar *wpv_by_words(WpvBy by);

typedef struct {
	gchar *name; /* owned: "back 305 @ hostc", "running", "disk vda" */
	WpTime time, other; /* of the part; of the one that it is compared with */
	WpTime by_state[WP_STATE_N]; /* of time */
	guint64 count; /* segments */
	WpTime first; /* reference clock: where the first of them begins */
	guint8 state; /* that most of it is in */
} WpvBreakdownRow;

typedef struct {
	WpvBy by;
	WpTime time, other; /* of all */
	gboolean compared;
	GArray *rows; /* owned: WpvBreakdownRow, the most first; compared: the greatest change first */
} WpvBreakdown;

/*
 * other: the part to compare with, NULL. By cause it takes about a microsecond a segment,
 * else a fraction of that. NULL with WP_ERROR_CANCELLED.
 */
WpvBreakdown *wpv_breakdown_new(WpGraph *graph, const WpPath *part, const WpPath *other, WpvBy by,
				GCancellable *cancellable, GError **error);
void wpv_breakdown_free(WpvBreakdown *breakdown);

/*
 * The same by a thread, over [begin, end) of an answer; the other part likewise, begin = end:
 * none.
 */
void wpv_breakdown_new_async(WpvDocument *document, WpvAnswer *answer, WpvBy by, WpTime begin,
			     WpTime end, WpTime other_begin, WpTime other_end,
			     GCancellable *cancellable, GAsyncReadyCallback callback,
			     gpointer data);
/* NULL without an error: none of the path lies there. */
WpvBreakdown *wpv_breakdown_new_finish(GAsyncResult *result, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpvBreakdown, wpv_breakdown_free)

G_END_DECLS

#endif
