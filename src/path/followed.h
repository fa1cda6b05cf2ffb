/* SPDX-License-Identifier: MIT */
/*
 * followed.h: for some tasks, on which tasks their paths rest and for how long: what the sweep
 * over all tasks (prefix.c) keeps when it is asked to.
 *
 * At any moment the chains of those that wait for each other are trees, and the path of each
 * task rests on the root of its tree. So each row knows the *set* of followed tasks in its tree
 * below it, a bit each, and whenever a root or its set changes, the time since is put down for
 * (root, set): there are few different ones, whatever the number of waits.
 */
#ifndef WP_PATH_FOLLOWED_H
#define WP_PATH_FOLLOWED_H

#include "base/types.h"

G_BEGIN_DECLS

#define WP_FOLLOWED_WORDS 4u
#define WP_FOLLOWED_MAX (64u * WP_FOLLOWED_WORDS)

typedef struct {
	guint64 words[WP_FOLLOWED_WORDS];
} WpFollowedSet;

typedef struct WpFollowed WpFollowed;

/* Time of the path of a followed task on another row. */
typedef struct {
	guint32 waiter, holder; /* rows */
	WpTime time;
} WpFollowedTime;

/* NULL when memory is out. */
WpFollowed *wp_followed_new(guint32 n_rows);
void wp_followed_free(WpFollowed *followed);
/* Follows a row from now on; FALSE when that would be too many. */
gboolean wp_followed_add(WpFollowed *followed, guint32 row);
gboolean wp_followed_has(const WpFollowed *followed, guint32 row);
/* The followed in a row's tree below it, itself among them. Borrowed. */
const WpFollowedSet *wp_followed_get(const WpFollowed *followed, guint32 row);
/* Puts a set that is not there into a row's, or takes out one that is. */
void wp_followed_flip(WpFollowed *followed, guint32 row, const WpFollowedSet *set);
/* The paths of all in a row's set have rested on holder for so long. */
void wp_followed_rest(WpFollowed *followed, guint32 row, guint32 holder, WpTime time);
/* All that was put down: WpFollowedTime by waiter, the longest first. Owned by the caller. */
GArray *wp_followed_finish(WpFollowed *followed);

static inline gboolean wp_followed_set_is_empty(const WpFollowedSet *set)
{
	guint64 any = 0;

	for (guint i = 0; i < WP_FOLLOWED_WORDS; i++)
		any |= set->words[i];
	return any == 0;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpFollowed, wp_followed_free)

G_END_DECLS

#endif
