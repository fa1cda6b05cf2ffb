/* SPDX-License-Identifier: MIT */
/*
 * rests.h: where the paths of all tasks rested at any time: what the sweep over all tasks
 * (prefix.c) writes down when it is asked to, and what follows from it.
 *
 * A row waits for another one, or it does not: then the paths of all that wait for it, directly or
 * not, *rest* on it, or on the row that is to blame for its state. Each change of that is a record
 * of 16 bytes, at most two for each wait, in the order of time. So the tasks whose holders are
 * asked for need not be known before the sweep has said which of them are worth it, and finding
 * them takes no second one.
 */
#ifndef WP_PATH_RESTS_H
#define WP_PATH_RESTS_H

#include "base/cancel.h"
#include "base/column.h"
#include "base/types.h"

G_BEGIN_DECLS

/* Rows that there may be; the number itself stands for none. */
#define WP_REST_NONE 0x7fffffffu

typedef struct {
	WpTime time; /* from then on */
	guint32 row;
	guint32 other : 31; /* row, WP_REST_NONE: it rests on itself */
	guint32 waits : 1; /* for other's history; else other is to blame for the row's state */
} WpRest;

typedef struct {
	WpColumn records; /* WpRest */
	guint32 n_rows;
	WpTime begin, end; /* of the window: at its begin each row rests on itself */
	guint64 n_steps; /* of work, for tests of its growth */
} WpRests;

/* FALSE, with an error, when memory is out or n_rows too many. */
gboolean wp_rests_init(WpRests *rests, guint32 n_rows, WpTime begin, WpTime end, WpMemory *memory,
		       GError **error);
void wp_rests_clear(WpRests *rests);

/* Takes down a change, not before the last one; of several at one time the last counts. */
static inline gboolean wp_rests_add(WpRests *rests, WpTime time, guint32 row, guint32 other,
				    gboolean waits, GError **error)
{
	WpRest *rest = wp_column_push(&rests->records, error);

	if (G_UNLIKELY(!rest))
		return FALSE;
	*rest = (WpRest){time, row, other & WP_REST_NONE, waits != 0};
	return TRUE;
}

/*
 * held[row] (zeroed by the caller) becomes the time that paths of other tasks rested on it, all
 * together; of the tasks only whose rows have a weight of 1. weights: of 0 or 1, by row.
 */
gboolean wp_rests_find_held(WpRests *rests, const guint8 *weights, WpTime *held,
			    WpCancel *cancellable, GError **error);
/*
 * On whom the paths of some rows, all different and at most WP_FOLLOWED_MAX, rested, other than
 * themselves: WpFollowedTime (followed.h), by the number of the waiter, the longest first. Owned
 * by the caller; NULL with an error when memory is out or when cancelled.
 */
GArray *wp_rests_find_holders(WpRests *rests, const guint32 *rows, guint n, WpCancel *cancellable,
			      GError **error);

G_END_DECLS

#endif
