/* SPDX-License-Identifier: MIT */
/*
 * followed.h: for some tasks, on which tasks their paths rest and for how long: the sums that
 * rests.c adds up.
 *
 * At any moment the chains of those that wait for each other are trees, and the path of each
 * task rests on the root of its tree: with it the *set* of followed tasks that are in it, a bit
 * each. There are few different pairs of root and set, whatever the number of waits.
 */
#ifndef WP_PATH_FOLLOWED_H
#define WP_PATH_FOLLOWED_H

#include "base/types.h"

G_BEGIN_DECLS

#define WP_FOLLOWED_MAX 256u
#define WP_FOLLOWED_WORDS_MAX (WP_FOLLOWED_MAX / 64)

typedef struct WpFollowed WpFollowed;

/* Time of the path of a followed task on another row. */
typedef struct {
	WpTime time;
	guint32 holder; /* row */
	guint32 number; /* of the waiter, among the followed */
} WpFollowedTime;

/* Of some rows, all different, at most WP_FOLLOWED_MAX; NULL when memory is out. */
WpFollowed *wp_followed_new(guint32 n_rows, const guint32 *followed, guint n_followed);
void wp_followed_free(WpFollowed *followed);
/* The number of words of a set of so many, at least one. */
guint wp_followed_n_words(guint n_followed);
/* The paths of all in a set have rested on holder for so long. */
void wp_followed_rest(WpFollowed *followed, const guint64 *set, guint32 holder, WpTime time);
/* All that was put down: WpFollowedTime by number, the longest first. Owned by the caller. */
GArray *wp_followed_finish(WpFollowed *followed);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpFollowed, wp_followed_free)

G_END_DECLS

#endif
