/* SPDX-License-Identifier: MIT */
/*
 * lane.h: a stream on its way through the merge.
 *
 * Batches of a lane lie in a ring of places. From the oldest on come: the places that the
 * merge has passed but whose events are still in use, the one from which it takes events,
 * and those that a worker has filled ahead. Whatever concerns one stream alone is done when
 * a place is filled, by whoever fills it: times are brought to the clock of the host and kept
 * from going back, so that the merge need only compare them.
 */
#ifndef WP_EVENT_LANE_H
#define WP_EVENT_LANE_H

#include "base/thread.h"
#include "event/reader.h"

G_BEGIN_DECLS

/* Of a ring: more would not stay in the processor's cache until the merge comes to them. */
#define WP_LANE_PLACES 8u

/* One place of a ring. */
typedef struct {
	WpBatch batch; /* empty: the stream's end, unless there is more */
	guint64 n_bytes; /* of the trace, that the batch took */
	WpPassed passed; /* of the batch */
	GError *error; /* owned: what ended the stream, NULL */
} WpPlace;

typedef struct {
	WpReader *reader; /* borrowed */
	guint source; /* its number among the readers */
	guint stream; /* of the reader */
	guint32 number; /* among all lanes: breaks ties of time */
	guint n_places; /* of the ring that are used */
	/* Of who merges: */
	gboolean has_place; /* one is at hand */
	/* Of whoever fills its places, one after the other: */
	WpTime last; /* the trace's time of the event before */
	WpTime latest; /* that any event had */
	guint64 n_back; /* events with a time before that of the one before */
	WpTime first_back; /* the first of these */
	guint64 n_far; /* events before WP_TIME_EARLIEST or behind WP_TIME_LATEST */
	/* Guarded by the lock of the merge when there are threads: */
	guint first; /* the oldest place in use */
	guint n_taken; /* places, from first on, that the merge has got */
	guint n_filled; /* places, from first on */
	gboolean busy; /* a worker fills the next place */
	gboolean
		*share_busy; /* borrowed: so is a lane of its reader's share; NULL: there is none */
	gboolean ended; /* the last filled place is the stream's end */
	WpPlace ring[WP_LANE_PLACES];
} WpLane;

void wp_lane_init(WpLane *lane, WpReader *reader, guint source, guint stream, guint32 number);
void wp_lane_clear(WpLane *lane);

/* The place of the ring that is filled next: there is one while n_filled < n_places. */
static inline WpPlace *wp_lane_next_to_fill(WpLane *lane)
{
	return &lane->ring[(lane->first + lane->n_filled) % lane->n_places];
}

/* The place that the merge takes next: there is one while n_taken < n_filled. */
static inline WpPlace *wp_lane_next_to_take(WpLane *lane)
{
	return &lane->ring[(lane->first + lane->n_taken) % lane->n_places];
}

/* Fills a place from the lane's stream; changes nothing that the lock guards. */
void wp_lane_fill(WpLane *lane, WpPlace *place);

/* Whether nothing comes behind the place. */
static inline gboolean wp_place_is_end(const WpPlace *place)
{
	return place->batch.n == 0 && !place->batch.more;
}

G_END_DECLS

#endif
