/* SPDX-License-Identifier: MIT */
/*
 * merge.c: the events of all streams of a host in time order, in chunks.
 *
 * A chunk is a list of events, in order, that lie in places of lanes (lane.h). It is filled
 * from the lanes by a tournament (tournament.h), and then given to the caller's function.
 * With one job both are done in turn. With more a thread, the *merger*, fills chunks ahead,
 * while the calling thread gives them; with more than two, *workers* fill the places ahead of
 * the merger. So reading, merging and what the caller does with the events overlap. Reading is
 * what anyone can do: the merger and the calling thread fill places whenever they would have
 * to wait for the other, so that two threads share the work evenly whatever takes more of it.
 *
 * A place that the merge has passed is filled again when the chunk that holds the last of its
 * events was given. One lock guards the counts of all rings, of places and of chunks; it is
 * taken once a place or chunk, not once an event. Who waits is woken when there is work for a
 * while, not for each bit of it. An error travels in the rings like events, so that it comes
 * up at the same one whatever the number of jobs.
 */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "base/thread.h"
#include "event/lane.h"
#include "event/merge.h"
#include "event/tournament.h"

/* Places of a lane when the calling thread does all: one in use, one to go on with. */
#define PLACES_ALONE 2u
/* Lanes among which the one to fill is picked. */
#define LANES_LOOKED_AT 64u
#define CHUNK_EVENTS 1024u
/* Places that are passed in one chunk. */
#define CHUNK_PASSED 64u
#define CHUNKS 16u
#define CHUNKS_HALF (CHUNKS / 2)
/* Events of a lane in a row from which on it is worth looking for more of them. */
#define RUN_LONG 4u
#define PROGRESS_INTERVAL_US (G_USEC_PER_SEC / 10)

typedef struct {
	guint n;
	guint n_passed;
	gboolean is_last;
	guint64 n_bytes, n_events; /* of all readers, up to its end */
	GError *error; /* owned: what came behind its events, NULL */
	guint32 passed
		[CHUNK_PASSED]; /* lanes, by number: a place of each is free when it was given */
	const WpEvent *events[CHUNK_EVENTS]; /* borrowed of places */
} Chunk;

/*
 * Of a lane, what the merge looks at for each event. Who is next depends on the winner's next key,
 * which is why that is made one event ahead.
 */
typedef struct {
	const WpEvent *event; /* borrowed of the place at hand: the next one */
	const WpEvent *after; /* borrowed: the one behind it, or the last */
	guint64 key_after; /* of that */
	guint n_left; /* events of the place, from event on */
} Head;

/*
 * One host traced by two sessions at once (or one trace given twice): each event comes twice, some
 * nanoseconds apart. Of each kind only those of one reader count, until that is at its end.
 */
typedef struct {
	guint n_kernel; /* readers of kernel traces: with one, nothing comes twice */
	guint *n_live; /* owned: lanes of each reader that are not at their end */
	guint owner[WP_EV_N]; /* reader of each kind, WP_NONE */
	guint64 *n_copies; /* owned: events of each reader that another has, too */
	WpTime first; /* of them */
} Copies;

typedef struct {
	WpLane *lanes; /* owned */
	guint n_lanes;
	gboolean *shares_busy; /* owned: of all readers' shares; the lanes point to them */
	WpReader *const *readers; /* borrowed */
	guint n_readers;
	/* Of who merges: */
	WpTournament tournament;
	Head *heads; /* owned: of each lane */
	gboolean has_runs; /* the last lane that had events in a row had many */
	Copies copies;
	guint n_live; /* lanes that are not at their end */
	guint64 n_events, n_bytes;
	/* Of the calling thread: */
	WpEventsFunc func;
	gpointer func_data; /* borrowed */
	WpProgressFunc progress; /* may be NULL */
	gpointer progress_data; /* borrowed */
	gint64 next_progress; /* monotonic microseconds */
	WpCancel *cancellable; /* borrowed, may be NULL */
	Chunk *chunks; /* owned: a ring, of one when the calling thread does all */
	guint n_chunks_made; /* of the ring */
	/* Threads: */
	pthread_t merger;
	gboolean has_merger;
	pthread_t *workers; /* owned */
	guint n_workers;
	WpMutex lock; /* of the lanes' counts and of what follows */
	/* Lanes that any thread may fill and that are not known to have ended. */
	guint32 *open; /* owned */
	guint n_open, next_open; /* next_open: where they are looked at next */
	guint first_chunk; /* the oldest that is not given */
	guint n_chunks; /* that are filled */
	gboolean is_complete; /* no chunk will be added */
	gboolean is_short; /* the merger waits for places: chunks are to be given, however few */
	gboolean stop;
	WpCond wanted; /* a lane has few places left, or stop was set */
	WpCond filled; /* a place was filled */
	WpCond ready; /* chunks are to be given */
	WpCond given; /* chunks were given, or stop was set */
} Merge;

/* ---- places are filled ---- */

/* Of the lanes that may be filled the one at a place; NULL: it has ended, another is there now. */
static WpLane *merge_open_lane(Merge *merge, guint at)
{
	WpLane *lane = &merge->lanes[merge->open[at]];

	if (!lane->ended)
		return lane;
	merge->open[at] = merge->open[--merge->n_open];
	return NULL;
}

static gboolean lane_is_busy(const WpLane *lane)
{
	return lane->busy || (lane->share_busy && *lane->share_busy);
}

static gboolean lane_has_room(const WpLane *lane)
{
	return !lane_is_busy(lane) && lane->n_filled < lane->n_places;
}

/*
 * The lane that has the fewest places filled ahead of the merge, of as many as are looked at;
 * NULL: none needs any.
 */
static WpLane *merge_pick_lane(Merge *merge)
{
	WpLane *picked = NULL;

	for (guint looked = 0; looked < merge->n_open && !(picked && looked >= LANES_LOOKED_AT);) {
		const guint at = merge->next_open < merge->n_open ? merge->next_open : 0;
		WpLane *lane = merge_open_lane(merge, at);

		if (!lane)
			continue;
		merge->next_open = at + 1;
		looked++;
		if (lane_has_room(lane) && (!picked || lane->n_filled - lane->n_taken <
							       picked->n_filled - picked->n_taken))
			picked = lane;
	}
	return picked;
}

/*
 * The one for the calling thread: always the last that has room, since what a lane is read by stays
 * in the cache of the core that does it again and again. NULL: none of as many as are looked at.
 */
static WpLane *merge_pick_last_lane(Merge *merge)
{
	for (guint looked = 0; looked < MIN(merge->n_open, LANES_LOOKED_AT);) {
		WpLane *lane = merge_open_lane(merge, merge->n_open - 1 - looked);

		if (!lane)
			continue;
		if (lane_has_room(lane))
			return lane;
		looked++;
	}
	return NULL;
}

/* Fills the lane's next place and tells so; called, and left, with the lock. */
static void merge_fill_place(Merge *merge, WpLane *lane)
{
	WpPlace *place = wp_lane_next_to_fill(lane);

	lane->busy = TRUE;
	if (lane->share_busy)
		*lane->share_busy = TRUE;
	wp_mutex_unlock(&merge->lock);
	wp_lane_fill(lane, place);
	wp_mutex_lock(&merge->lock);
	lane->busy = FALSE;
	if (lane->share_busy) {
		*lane->share_busy = FALSE;
		wp_cond_signal(&merge->wanted);
	}
	lane->n_filled++;
	lane->ended = wp_place_is_end(place);
	wp_cond_signal(&merge->filled);
}

/* What there is to do for who would have to wait; FALSE: nothing. With the lock. */
static gboolean merge_fill_any(Merge *merge)
{
	WpLane *lane = merge_pick_lane(merge);

	if (lane)
		merge_fill_place(merge, lane);
	return lane != NULL;
}

static void *worker_run(void *data)
{
	Merge *merge = data;

	wp_mutex_lock(&merge->lock);
	while (!merge->stop)
		if (!merge_fill_any(merge))
			wp_cond_wait(&merge->wanted, &merge->lock);
	wp_mutex_unlock(&merge->lock);
	return NULL;
}

/*
 * The place that the lane goes on with, filled here or waited for. NULL when there is none
 * before the chunk at hand is given (can_give: it holds some), or at the stop.
 */
static WpPlace *lane_next_place(Merge *merge, WpLane *lane, gboolean can_give)
{
	WpPlace *place = NULL;

	wp_mutex_lock(&merge->lock);
	while (lane->n_taken == lane->n_places && !can_give && !merge->stop) {
		merge->is_short = TRUE;
		wp_cond_signal(&merge->ready);
		wp_cond_wait(&merge->given, &merge->lock);
	}
	merge->is_short = FALSE;
	if (lane->n_taken < lane->n_places) {
		while (lane->n_taken == lane->n_filled && !merge->stop)
			if (!lane_is_busy(lane))
				merge_fill_place(merge, lane);
			else if (!merge_fill_any(merge))
				wp_cond_wait(&merge->filled, &merge->lock);
	}
	if (lane->n_taken < lane->n_filled) {
		place = wp_lane_next_to_take(lane);
		lane->n_taken++;
	}
	wp_mutex_unlock(&merge->lock);
	return place;
}

/* The places that were passed within a chunk, now that its events were given. */
static void merge_free_places(Merge *merge, const Chunk *chunk)
{
	gboolean is_wanted = FALSE;

	for (guint i = 0; i < chunk->n_passed; i++) {
		WpLane *lane = &merge->lanes[chunk->passed[i]];

		lane->first = (lane->first + 1) % lane->n_places;
		lane->n_taken--;
		/* Workers that have filled all rings sleep until one is half empty. */
		is_wanted |= --lane->n_filled == lane->n_places / 2;
	}
	if (is_wanted)
		wp_cond_broadcast(&merge->wanted);
}

/* ---- chunks are filled ---- */

typedef enum {
	LANE_GOES_ON,
	LANE_ENDS,
	LANE_WAITS /* this chunk can't go on: there is an error, or it must be given first */
} LaneStep;

static inline const WpEvent *event_after(const WpEvent *event)
{
	return (const WpEvent *)(gconstpointer)((const guint8 *)event + wp_event_size(event));
}

static inline void head_look_ahead(Head *head, const WpTournament *tournament, guint32 lane)
{
	head->after = head->n_left > 1 ? event_after(head->event) : head->event;
	head->key_after = wp_tournament_key(tournament, lane, head->after->time);
}

/* Passes the lane's place at hand, if there is one, and takes the next. */
static LaneStep lane_step(Merge *merge, WpLane *lane, Chunk *chunk)
{
	WpPlace *place;
	Head *head;

	if (wp_cancel_is_cancelled(merge->cancellable)) {
		g_set_error(&chunk->error, WP_ERROR, WP_ERROR_CANCELLED, "Reading was cancelled.");
		return LANE_WAITS;
	}
	if (lane->has_place)
		chunk->passed[chunk->n_passed++] = lane->number;
	lane->has_place = FALSE;
	place = lane_next_place(merge, lane, chunk->n_passed > 0);
	if (!place)
		return LANE_WAITS;
	lane->has_place = TRUE;
	merge->n_bytes += place->n_bytes;
	lane->reader->n_events += place->batch.n_seen;
	wp_passed_add(&lane->reader->passed, &place->passed);
	if (place->error) {
		g_propagate_error(&chunk->error, g_steal_pointer(&place->error));
		return LANE_WAITS;
	}
	if (place->batch.n > 0) {
		head = &merge->heads[lane->number];
		head->event = (const WpEvent *)(gconstpointer)place->batch.records->data;
		head->n_left = place->batch.n;
		head_look_ahead(head, &merge->tournament, lane->number);
		return LANE_GOES_ON;
	}
	/* Without events there is a chunk all the same, so that progress is told. */
	return wp_place_is_end(place) ? LANE_ENDS : LANE_WAITS;
}

/* What says of itself to whom it belongs, or may well be said twice. */
static gboolean may_come_twice(guint16 kind)
{
	return kind == WP_EV_MARKER || kind == WP_EV_LOST || kind >= WP_EV_N ||
	       (kind >= WP_EV_DUMP_PROCESS && kind <= WP_EV_DUMP_END);
}

static gboolean is_kernel_reader(const WpReader *reader)
{
	return reader->info.domain && g_str_equal(reader->info.domain, "kernel");
}

/* Whether the event is one that another trace of the host has brought. */
static gboolean is_copy(Merge *merge, const WpEvent *event)
{
	Copies *copies = &merge->copies;
	const WpLane *lane = &merge->lanes[event->stream];
	guint owner;

	if (may_come_twice(event->kind) || !is_kernel_reader(lane->reader))
		return FALSE;
	owner = copies->owner[event->kind];
	if (owner == lane->source)
		return FALSE;
	if (owner == WP_NONE || copies->n_live[owner] == 0) {
		copies->owner[event->kind] = lane->source;
		return FALSE;
	}
	if (copies->n_copies[lane->source]++ == 0)
		copies->first = event->time;
	return TRUE;
}

static void chunk_drop_copies(Merge *merge, Chunk *chunk)
{
	guint n = 0;

	for (guint i = 0; i < chunk->n; i++)
		if (!is_copy(merge, chunk->events[i]))
			chunk->events[n++] = chunk->events[i];
	chunk->n = n;
}

/* Takes the first, and those behind it that are before a time, at most n; returns how many. */
static inline guint head_take_run(Head *head, WpTime until, const WpEvent **events, guint n)
{
	const WpEvent *event = head->event;
	const guint n_most = MIN(n, head->n_left);
	guint i = 0;

	do {
		events[i++] = event;
		event = event_after(event);
	} while (i < n_most && event->time < until);
	head->event = event;
	head->n_left -= i;
	return i;
}

/*
 * Takes events until the chunk is full (FALSE), or the earliest lane has none at hand. Lanes either
 * take turns, or one has many events in a row, which then need no matches. Where they take turns,
 * one that happens to win twice is not looked at for more: that branch would be guessed wrong.
 */
static gboolean chunk_take_at_hand(Merge *merge, Chunk *chunk)
{
	WpTournament at = merge->tournament; /* a copy that nothing points to stays in registers */
	Head *const heads = merge->heads;
	gboolean has_runs = merge->has_runs, again = FALSE;
	guint n = chunk->n;

	/* Later no other can win that has none: it has not begun, or ended. */
	if (heads[wp_tournament_winner(&at)].n_left == 0)
		return n < CHUNK_EVENTS;
	while (n < CHUNK_EVENTS && !wp_tournament_is_far(&at)) {
		const guint32 lane = wp_tournament_winner(&at);
		const gboolean before = again;
		Head *head = &heads[lane];
		guint64 key = head->key_after;
		guint n_run;

		chunk->events[n++] = head->event;
		if (G_UNLIKELY(--head->n_left == 0))
			break;
		head->event = head->after;
		head_look_ahead(head, &at, lane);
		wp_tournament_set_winner(&at, key);
		again = wp_tournament_winner(&at) == lane;
		if (!(again & (has_runs | before)) || n == CHUNK_EVENTS)
			continue;
		n_run = head_take_run(head, wp_tournament_until(&at), &chunk->events[n],
				      CHUNK_EVENTS - n);
		n += n_run;
		has_runs = n_run >= RUN_LONG;
		again = FALSE;
		if (head->n_left == 0)
			break;
		key = wp_tournament_key(&at, lane, head->event->time);
		head_look_ahead(head, &at, lane);
		wp_tournament_set_winner(&at, key);
	}
	merge->tournament.winner = at.winner;
	merge->has_runs = has_runs;
	chunk->n = n;
	return n < CHUNK_EVENTS;
}

/* The base becomes the earliest time that there is, when all are far from it. */
static void merge_move_base(Merge *merge)
{
	WpTournament *tournament = &merge->tournament;
	g_autofree guint64 *keys = g_new(guint64, tournament->n_leaves);

	tournament->base = WP_TIME_MAX;
	for (guint32 i = 0; i < merge->n_lanes; i++)
		if (merge->heads[i].n_left > 0)
			tournament->base = MIN(tournament->base, merge->heads[i].event->time);
	for (guint32 i = 0; i < tournament->n_leaves; i++) {
		Head *head = i < merge->n_lanes ? &merge->heads[i] : NULL;

		if (!head || head->n_left == 0) {
			keys[i] = wp_tournament_never(tournament, i);
			continue;
		}
		keys[i] = wp_tournament_key(tournament, i, head->event->time);
		head_look_ahead(head, tournament, i);
	}
	wp_tournament_play(tournament, keys);
}

/*
 * Takes events in order until the chunk is full, has to be given first, or a lane ends, which is
 * returned. A lane whose first place is yet to be taken has the earliest time there is, and so
 * comes first.
 */
static const WpLane *chunk_take_events(Merge *merge, Chunk *chunk)
{
	WpTournament *tournament = &merge->tournament;
	LaneStep step = LANE_GOES_ON;

	while (step == LANE_GOES_ON && chunk->n_passed < CHUNK_PASSED &&
	       chunk_take_at_hand(merge, chunk)) {
		const guint32 number = wp_tournament_winner(tournament);
		const Head *head = &merge->heads[number];

		if (head->n_left > 0) {
			merge_move_base(merge);
			continue;
		}
		step = lane_step(merge, &merge->lanes[number], chunk);
		if (step == LANE_GOES_ON)
			wp_tournament_set_winner(tournament, wp_tournament_key(tournament, number,
									       head->event->time));
		if (step == LANE_ENDS) {
			wp_tournament_set_winner(tournament,
						 wp_tournament_never(tournament, number));
			return &merge->lanes[number];
		}
	}
	return NULL;
}

/* No lane ends within a chunk, only with one: so a copy's original is known. */
static void merge_fill_chunk(Merge *merge, Chunk *chunk)
{
	const WpLane *ended = NULL;

	chunk->n = chunk->n_passed = 0;
	if (merge->n_live > 0)
		ended = chunk_take_events(merge, chunk);
	merge->n_events += chunk->n;
	if (merge->copies.n_kernel > 1)
		chunk_drop_copies(merge, chunk);
	if (ended) {
		merge->n_live--;
		merge->copies.n_live[ended->source]--;
	}
	chunk->n_events = merge->n_events;
	chunk->n_bytes = merge->n_bytes;
	chunk->is_last = chunk->error || merge->n_live == 0;
}

/* ---- chunks are given ---- */

static void merge_tell_progress(Merge *merge, const Chunk *chunk)
{
	gint64 now = g_get_monotonic_time();

	if (!merge->progress || now < merge->next_progress)
		return;
	merge->next_progress = now + PROGRESS_INTERVAL_US;
	merge->progress(chunk->n_bytes, chunk->n_events, merge->progress_data);
}

static gboolean merge_give_chunk(Merge *merge, Chunk *chunk, GError **error)
{
	if (wp_cancel_is_cancelled(merge->cancellable)) {
		g_set_error(error, WP_ERROR, WP_ERROR_CANCELLED, "Reading was cancelled.");
		return FALSE;
	}
	if (chunk->n > 0 && !merge->func(chunk->events, chunk->n, merge->func_data, error))
		return FALSE;
	merge_tell_progress(merge, chunk);
	if (chunk->error) {
		g_propagate_error(error, g_steal_pointer(&chunk->error));
		return FALSE;
	}
	return TRUE;
}

/* All in the calling thread. */
static gboolean merge_run_alone(Merge *merge, GError **error)
{
	Chunk *chunk = &merge->chunks[0];

	do {
		merge_fill_chunk(merge, chunk);
		if (!merge_give_chunk(merge, chunk, error))
			return FALSE;
		merge_free_places(merge, chunk);
	} while (!chunk->is_last);
	return TRUE;
}

static void *merger_run(void *data)
{
	Merge *merge = data;
	gboolean is_last = FALSE;

	wp_mutex_lock(&merge->lock);
	while (!is_last && !merge->stop) {
		Chunk *chunk = &merge->chunks[(merge->first_chunk + merge->n_chunks) % CHUNKS];

		if (merge->n_chunks == CHUNKS)
			while (merge->n_chunks > CHUNKS_HALF && !merge->stop)
				if (!merge_fill_any(merge))
					wp_cond_wait(&merge->given, &merge->lock);
		wp_mutex_unlock(&merge->lock);
		merge_fill_chunk(merge, chunk);
		is_last = chunk->is_last;
		wp_mutex_lock(&merge->lock);
		merge->n_chunks++;
		merge->is_complete = is_last;
		if (merge->n_chunks == CHUNKS_HALF || is_last)
			wp_cond_signal(&merge->ready);
	}
	wp_mutex_unlock(&merge->lock);
	return NULL;
}

/* The oldest chunk; while there is none places are filled, and then several chunks waited for. */
static Chunk *merge_next_chunk(Merge *merge)
{
	Chunk *chunk;
	WpLane *lane;

	wp_mutex_lock(&merge->lock);
	while (merge->n_chunks == 0 && (lane = merge_pick_last_lane(merge)))
		merge_fill_place(merge, lane);
	if (merge->n_chunks == 0)
		while (merge->n_chunks < CHUNKS_HALF &&
		       (merge->n_chunks == 0 || !(merge->is_short || merge->is_complete)))
			wp_cond_wait(&merge->ready, &merge->lock);
	chunk = &merge->chunks[merge->first_chunk];
	wp_mutex_unlock(&merge->lock);
	return chunk;
}

static void merge_free_chunk(Merge *merge, const Chunk *chunk)
{
	wp_mutex_lock(&merge->lock);
	merge_free_places(merge, chunk);
	merge->first_chunk = (merge->first_chunk + 1) % CHUNKS;
	merge->n_chunks--;
	if (merge->n_chunks == CHUNKS_HALF || merge->is_short)
		wp_cond_signal(&merge->given);
	wp_mutex_unlock(&merge->lock);
}

/* What the merger fills. */
static gboolean merge_run_ahead(Merge *merge, GError **error)
{
	gboolean is_last;

	do {
		Chunk *chunk = merge_next_chunk(merge);

		is_last = chunk->is_last;
		if (!merge_give_chunk(merge, chunk, error))
			return FALSE;
		merge_free_chunk(merge, chunk);
	} while (!is_last);
	return TRUE;
}

/* ---- begin and end ---- */

static void merge_init_lanes(Merge *merge)
{
	WpTournament *tournament = &merge->tournament;
	g_autofree guint64 *keys = NULL;
	gboolean *shares_busy;
	guint32 number = 0;
	guint n_shares = 0;

	for (guint i = 0; i < merge->n_readers; i++) {
		merge->n_lanes += merge->readers[i]->info.n_streams;
		n_shares += merge->readers[i]->n_shares;
	}
	merge->shares_busy = shares_busy = g_new0(gboolean, n_shares);
	merge->n_live = merge->n_lanes;
	merge->lanes = g_new(WpLane, merge->n_lanes);
	merge->open = g_new(guint32, merge->n_lanes);
	merge->heads = g_new0(Head, merge->n_lanes);
	wp_tournament_init(tournament, merge->n_lanes);
	keys = g_new(guint64, tournament->n_leaves);
	for (guint i = 0; i < merge->n_readers; i++) {
		WpReader *reader = merge->readers[i];

		for (guint stream = 0; stream < reader->info.n_streams; stream++) {
			WpLane *lane = &merge->lanes[number];

			wp_lane_init(lane, reader, i, stream, number);
			if (reader->n_shares > 0)
				lane->share_busy = &shares_busy[stream % reader->n_shares];
			keys[number] = wp_tournament_key(tournament, number, tournament->base);
			merge->copies.n_live[i]++;
			number++;
		}
		shares_busy += reader->n_shares;
	}
	for (; number < tournament->n_leaves; number++)
		keys[number] = wp_tournament_never(tournament, number);
	wp_tournament_play(tournament, keys);
}

static void merge_init(Merge *merge, WpReader *const *readers, guint n_readers, guint jobs)
{
	*merge = (Merge){
		.readers = readers, .n_readers = n_readers, .n_chunks_made = jobs > 1 ? CHUNKS : 1};
	merge->copies.n_live = g_new0(guint, n_readers);
	merge->copies.n_copies = g_new0(guint64, n_readers);
	memset(merge->copies.owner, 0xff, sizeof(merge->copies.owner));
	for (guint i = 0; i < n_readers; i++)
		merge->copies.n_kernel += is_kernel_reader(readers[i]) ? 1 : 0;
	merge_init_lanes(merge);
	merge->chunks = g_new(Chunk, merge->n_chunks_made);
	for (guint i = 0; i < merge->n_chunks_made; i++)
		merge->chunks[i].error = NULL;
	wp_mutex_init(&merge->lock);
	wp_cond_init(&merge->wanted);
	wp_cond_init(&merge->filled);
	wp_cond_init(&merge->ready);
	wp_cond_init(&merge->given);
}

static void merge_clear(Merge *merge)
{
	for (guint i = 0; i < merge->n_lanes; i++)
		wp_lane_clear(&merge->lanes[i]);
	for (guint i = 0; i < merge->n_chunks_made; i++)
		g_clear_error(&merge->chunks[i].error);
	wp_cond_clear(&merge->given);
	wp_cond_clear(&merge->ready);
	wp_cond_clear(&merge->filled);
	wp_cond_clear(&merge->wanted);
	wp_mutex_clear(&merge->lock);
	wp_tournament_clear(&merge->tournament);
	g_free(merge->copies.n_live);
	g_free(merge->copies.n_copies);
	g_free(merge->workers);
	g_free(merge->chunks);
	g_free(merge->heads);
	g_free(merge->open);
	g_free(merge->shares_busy);
	g_free(merge->lanes);
}

/* Starts up to n workers, as many as there are lanes for and the system gives; with the lock. */
static void merge_start_workers(Merge *merge, guint n)
{
	n = MIN(n, merge->n_open);
	merge->workers = g_new(pthread_t, n);
	while (merge->n_workers < n &&
	       wp_thread_start(&merge->workers[merge->n_workers], worker_run, merge))
		merge->n_workers++;
}

/* Starts the threads of so many jobs, of which the calling one is one. */
static void merge_start_threads(Merge *merge, guint jobs)
{
	/* They wait for the lock until the lanes are ready for them. */
	wp_mutex_lock(&merge->lock);
	merge->has_merger = jobs > 1 && merge->n_lanes > 0 &&
			    wp_thread_start(&merge->merger, merger_run, merge);
	for (guint i = 0; i < merge->n_lanes; i++) {
		WpLane *lane = &merge->lanes[i];

		if (merge->has_merger && lane->reader->klass->threads)
			merge->open[merge->n_open++] = i;
		lane->n_places = merge->has_merger ? WP_LANE_PLACES : PLACES_ALONE;
	}
	if (merge->has_merger && jobs > 2)
		merge_start_workers(merge, jobs - 2);
	wp_mutex_unlock(&merge->lock);
}

static void merge_stop_threads(Merge *merge)
{
	wp_mutex_lock(&merge->lock);
	merge->stop = TRUE;
	wp_cond_broadcast(&merge->wanted);
	wp_cond_signal(&merge->given);
	wp_cond_signal(&merge->filled);
	wp_mutex_unlock(&merge->lock);
	if (merge->has_merger)
		pthread_join(merge->merger, NULL);
	for (guint i = 0; i < merge->n_workers; i++)
		pthread_join(merge->workers[i], NULL);
}

static void merge_tell_findings(const Merge *merge, WpFindings *findings)
{
	for (guint i = 0; i < merge->n_readers; i++)
		if (merge->copies.n_copies[i] > 0)
			wp_findings_add(findings, "traced-twice", WP_SEVERITY_WARNING, NULL,
					merge->copies.first, merge->copies.n_copies[i],
					"%s holds events that another trace of this host has, too: "
					"those are used, these are not.",
					merge->readers[i]->info.path);
	for (guint i = 0; i < merge->n_lanes; i++) {
		const WpLane *lane = &merge->lanes[i];

		if (lane->n_back > 0)
			wp_findings_add(findings, "time-went-back", WP_SEVERITY_WARNING, NULL,
					lane->first_back, lane->n_back,
					"Stream %u of %s has events with a time before that of "
					"the event in front of them.",
					lane->stream, lane->reader->info.path);
		if (lane->n_far > 0)
			wp_findings_add(findings, "time-too-far", WP_SEVERITY_WARNING, NULL,
					WP_TIME_MIN, lane->n_far,
					"Stream %u of %s has events with a time more than 146 "
					"years from 1970: they are taken to be of then.",
					lane->stream, lane->reader->info.path);
	}
}

gboolean wp_merge_run_many(WpReader *const *readers, guint n_readers, guint jobs, WpEventsFunc func,
			   gpointer func_data, WpProgressFunc progress, gpointer progress_data,
			   WpFindings *findings, WpCancel *cancellable, GError **error)
{
	Merge merge;
	gboolean ok;

	merge_init(&merge, readers, n_readers, jobs);
	merge.func = func;
	merge.func_data = func_data;
	merge.progress = progress;
	merge.progress_data = progress_data;
	merge.cancellable = cancellable;
	merge_start_threads(&merge, jobs);
	ok = merge.has_merger ? merge_run_ahead(&merge, error) : merge_run_alone(&merge, error);
	merge_stop_threads(&merge);
	merge_tell_findings(&merge, findings);
	merge_clear(&merge);
	return ok;
}

typedef struct {
	WpEventFunc func;
	gpointer data; /* borrowed */
} Each;

static gboolean give_each(const WpEvent *const *events, guint n, gpointer data, GError **error)
{
	const Each *each = data;

	for (guint i = 0; i < n; i++)
		if (!each->func(events[i], each->data, error))
			return FALSE;
	return TRUE;
}

gboolean wp_merge_run(WpReader *const *readers, guint n_readers, guint jobs, WpEventFunc func,
		      gpointer func_data, WpProgressFunc progress, gpointer progress_data,
		      WpFindings *findings, WpCancel *cancellable, GError **error)
{
	Each each = {func, func_data};

	return wp_merge_run_many(readers, n_readers, jobs, give_each, &each, progress,
				 progress_data, findings, cancellable, error);
}
