/* SPDX-License-Identifier: MIT */
/*
 * tail.h: the path of a task while its traces are still growing, a piece at a time: what
 * can no longer change.
 *
 * A piece ends where the task was put on a CPU. What is before that is settled: the task's waits
 * have ended, so what ended each is known, and whoever did was running then, so its waits
 * before that have ended, too. Closed segments of the graph do not change (kernel/model.h). What
 * the task waits for now is told when the wait is over.
 *
 * The pieces together are the path that is computed when all is there, but where events
 * turn out to be lost behind what was told already, and where later packets tell more of the
 * clocks: what was told stays. A path in
 * causal mode has no such pieces: each wait changes all before it.
 */
#ifndef WP_PLUGINS_CRITICAL_PATH_TAIL_H
#define WP_PLUGINS_CRITICAL_PATH_TAIL_H

#include "session/feed.h"
#include "session/question.h"

G_BEGIN_DECLS

typedef struct {
	WpFeed *feed; /* borrowed */
	WpQuestion question; /* its texts are borrowed */
	gboolean selected; /* the following is known */
	guint feed_host; /* number of the feed */
	WpId task;
	WpTime begin, end; /* of the window; WP_TIME_MAX: open */
	WpTime told; /* up to here pieces were given */
} WpPathTail;

void wp_path_tail_init(WpPathTail *tail, WpFeed *feed, const WpQuestion *question);

/*
 * The next piece in an analysis of the feed that is not its last, up to now at most: the time
 * (reference clock) before which no event will come; NULL without an error when there is none
 * yet. A task is taken when it is the only one that fits.
 */
WpPath *wp_path_tail_next(WpPathTail *tail, const WpAnalysis *analysis, WpTime now, GError **error);
/*
 * The same while clocks are found from the packets that have come so far: reached (host clocks, by
 * the feed's hosts) is before which no event will come. What no other host has to do with is told as
 * soon as it is settled; the rest when the clocks of all hosts are known to a few milliseconds, by
 * these. The task's own host must be the reference: so pieces join, however the clocks of the
 * others are known later.
 */
WpPath *wp_path_tail_next_found(WpPathTail *tail, const WpAnalysis *analysis, const WpTime *reached,
				GError **error);
/* The rest, in the last analysis; NULL without an error when all was told. */
WpPath *wp_path_tail_last(WpPathTail *tail, const WpAnalysis *analysis, GError **error);
/* Whether all of the window was told. */
gboolean wp_path_tail_is_done(const WpPathTail *tail);

G_END_DECLS

#endif
