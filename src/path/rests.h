/* SPDX-License-Identifier: MIT */
/*
 * rests.h: where the paths of all tasks rested at any time: what the sweep over all tasks
 * (prefix.c) writes down when it is asked to, and what follows from it.
 *
 * A row waits for another one, or it does not: then the paths of all that wait for it, directly or
 * not, *rest* on it, or on the row that is to blame for its state. Each change of that is a record
 * of 8 bytes, at most two for each wait, in the order of time. So the tasks whose holders are
 * asked for need not be known before the sweep has said which of them are worth it, and finding
 * them takes no second one.
 *
 * Most waits are *alone*: nobody waits for who waits, and who is waited for does not. Then only one
 * path rests there, for as long as the wait takes, and no order of time is needed to tell: when
 * such a wait is over its record is made void, and its time is added to that of its pair of rows.
 *
 * A record has, from its lowest bit on: whether the row waits, the other row, the row, and the
 * time since the record before. Rows have as many bits as their number takes. Where the rest is
 * too little for a time, a *gap* goes before: its row is none, and all other bits are that time.
 */
#ifndef WP_PATH_RESTS_H
#define WP_PATH_RESTS_H

#include "base/cancel.h"
#include "base/column.h"
#include "base/intmap.h"
#include "base/types.h"

G_BEGIN_DECLS

/* The path of a row on another one, all waits together that were alone. */
typedef struct {
	WpTime time;
	guint32 row, other;
} WpRestAlone;

typedef struct {
	WpColumn records; /* guint64, as above */
	WpColumn alone; /* WpRestAlone: each pair of rows once */
	WpIntMap alone_index; /* row << 32 | other -> the pair's place in alone */
	guint32 *latest; /* owned: by row, the place of the pair that was added to last */
	guint32 n_rows;
	guint32 none; /* stands for no row, all ones */
	guint bits; /* of a row */
	WpTime last; /* of the last record */
	WpTime begin, end; /* of the window: at its begin each row rests on itself */
	guint64 n_steps; /* of work, for tests of its growth */
} WpRests;

/* FALSE, with an error, when memory is out or n_rows too many. */
gboolean wp_rests_init(WpRests *rests, guint32 n_rows, WpTime begin, WpTime end, WpMemory *memory,
		       GError **error);
void wp_rests_clear(WpRests *rests);

gboolean wp_rests_add_gap(WpRests *rests, guint64 time, GError **error);
/*
 * Takes down that a row rests from a time on, which is not before the last one, on another row,
 * WP_NONE: on itself; waits: for the other's history, which else is to blame for the row's state.
 * Of several changes at one time the last counts. FALSE with an error when memory is out.
 */
static inline gboolean wp_rests_add(WpRests *rests, WpTime time, guint32 row, guint32 other,
				    gboolean waits, GError **error)
{
	const guint bits = rests->bits;
	guint64 later = (guint64)time - (guint64)rests->last, *record;

	if (G_UNLIKELY(later >> (63 - 2 * bits))) {
		if (!wp_rests_add_gap(rests, later, error))
			return FALSE;
		later = 0;
	}
	record = wp_column_push(&rests->records, error);
	if (G_UNLIKELY(!record))
		return FALSE;
	*record = ((later << bits | row) << bits | (other & rests->none)) << 1 | (waits != 0);
	rests->last = time;
	return TRUE;
}

/*
 * The row's path was alone on the other one for so long: where this is not the pair that was the
 * row's last. FALSE with an error when memory is out.
 */
gboolean wp_rests_add_alone_to(WpRests *rests, guint32 row, guint32 other, WpTime time,
			       GError **error);
/*
 * What a row's last record, that with this number, says is over: it was alone, for so long. FALSE
 * with an error when memory is out.
 */
static inline gboolean wp_rests_settle(WpRests *rests, guint64 number, guint32 row, guint32 other,
				       WpTime time, GError **error)
{
	const guint32 latest = rests->latest[row];
	WpRestAlone *alone = latest == WP_NONE ? NULL : &WP_AT(&rests->alone, WpRestAlone, latest);
	guint64 *record = &WP_AT(&rests->records, guint64, number);

	*record = (*record | (guint64)rests->none << 1) & ~G_GUINT64_CONSTANT(1);
	if (G_UNLIKELY(!alone || alone->other != other))
		return wp_rests_add_alone_to(rests, row, other, time, error);
	alone->time += time;
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
