/* SPDX-License-Identifier: MIT */
/*
 * merge.c: the events of all streams of a host in time order, by a binary heap.
 *
 * A *lane* is a stream on its way through the merge. Its batches lie in a ring of
 * LANE_AHEAD places: the batch that the merge takes events from, and behind it those
 * that a worker has filled ahead. A lane without workers (one job, or a reader that
 * allows no threads) uses the ring's first place alone and fills it when it is empty.
 *
 * One lock guards the counts of all rings; it is taken once a batch, not once an
 * event. A filled place belongs to the merge until it moves on, an empty one to the
 * worker that fills the lane. A worker sleeps only when no lane has room, and is woken
 * when one has run down to LANE_LOW, which each does on its way from full to empty, so
 * that they do not wake each other for every batch. An error travels in the ring like a
 * batch, so that it comes up at the same event whatever the number of workers.
 */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "base/phase.h"
#include "base/thread.h"
#include "event/merge.h"

#define LANE_AHEAD 8u
/* Workers that have filled all rings sleep until one has as few batches left as this. */
#define LANE_LOW (LANE_AHEAD / 2)
#define PROGRESS_INTERVAL_US (G_USEC_PER_SEC / 10)

/* One place of a ring. */
typedef struct {
	WpBatch batch; /* empty: the stream's end, unless there is more */
	guint64 n_bytes; /* of the trace, that the batch took */
	GError *error; /* owned: what ended the stream, NULL */
} Place;

typedef struct {
	WpReader *reader; /* borrowed */
	guint source; /* its number among the readers */
	guint stream; /* of the reader */
	guint32 number; /* among all lanes: breaks ties of time */
	gboolean threaded; /* filled by workers */
	/* The merge's own: */
	WpEvent *event; /* borrowed from the current batch: the next event */
	guint n_left; /* events of the current batch from event on */
	WpTime last; /* the trace's time of the event before */
	guint64 n_back; /* events with a time before that of the one before */
	WpTime first_back; /* the first of these */
	/* Guarded by the lock when threaded: */
	guint first; /* place of the current batch */
	guint n_filled; /* places, from first on */
	gboolean busy; /* a worker fills the next place */
	gboolean ended; /* the last filled place is the stream's end */
	Place ring[LANE_AHEAD];
} Lane;

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
	Lane *lanes; /* owned */
	guint n_lanes;
	WpReader *const *readers; /* borrowed */
	guint n_readers;
	Copies copies;
	Lane **heap; /* owned: lanes (borrowed) with an event, the earliest first */
	guint n_heap;
	WpTime now; /* of the event given last */
	guint64 n_events, n_bytes;
	WpProgressFunc progress; /* may be NULL */
	gpointer progress_data; /* borrowed */
	gint64 next_progress; /* monotonic microseconds */
	GCancellable *cancellable; /* borrowed, may be NULL */
	pthread_t *workers; /* owned */
	guint n_workers;
	WpMutex lock;
	WpCond filled; /* a place was filled */
	WpCond wanted; /* a lane has few batches left, or stop was set */
	gboolean stop; /* guarded by the lock */
} Merge;

static void place_fill(Place *place, WpReader *reader, guint stream)
{
	WP_PHASE(WP_PHASE_READ);

	wp_batch_reset(&place->batch);
	place->n_bytes = 0;
	if (!wp_reader_next(reader, stream, &place->batch, &place->n_bytes, &place->error))
		wp_batch_reset(&place->batch);
}

/* Whether nothing comes behind the place. */
static gboolean place_is_end(const Place *place)
{
	return place->batch.n == 0 && !place->batch.more;
}

/* The lane that is furthest from having enough batches; NULL: none needs any. */
static Lane *merge_pick_lane(Merge *merge)
{
	Lane *picked = NULL;

	for (guint i = 0; i < merge->n_lanes; i++) {
		Lane *lane = &merge->lanes[i];

		if (!lane->threaded || lane->busy || lane->ended || lane->n_filled == LANE_AHEAD)
			continue;
		if (!picked || lane->n_filled < picked->n_filled)
			picked = lane;
	}
	return picked;
}

static void *worker_run(void *data)
{
	Merge *merge = data;

	wp_mutex_lock(&merge->lock);
	while (!merge->stop) {
		Lane *lane = merge_pick_lane(merge);

		if (!lane) {
			wp_cond_wait(&merge->wanted, &merge->lock);
			continue;
		}

		Place *place = &lane->ring[(lane->first + lane->n_filled) % LANE_AHEAD];

		lane->busy = TRUE;
		wp_mutex_unlock(&merge->lock);
		place_fill(place, lane->reader, lane->stream);
		wp_mutex_lock(&merge->lock);
		lane->busy = FALSE;
		lane->n_filled++;
		lane->ended = place_is_end(place);
		wp_cond_signal(&merge->filled);
	}
	wp_mutex_unlock(&merge->lock);
	return NULL;
}

/* The lane's next batch, waiting for a worker if there are any. */
static Place *lane_next_place(Merge *merge, Lane *lane, gboolean is_first)
{
	if (!lane->threaded) {
		place_fill(&lane->ring[0], lane->reader, lane->stream);
		return &lane->ring[0];
	}
	wp_mutex_lock(&merge->lock);
	if (!is_first) {
		lane->first = (lane->first + 1) % LANE_AHEAD;
		if (--lane->n_filled == LANE_LOW)
			wp_cond_signal(&merge->wanted);
	}
	while (lane->n_filled == 0)
		wp_cond_wait(&merge->filled, &merge->lock);
	wp_mutex_unlock(&merge->lock);
	return &lane->ring[lane->first];
}

static void merge_tell_progress(Merge *merge)
{
	gint64 now = g_get_monotonic_time();

	if (!merge->progress || now < merge->next_progress)
		return;
	merge->next_progress = now + PROGRESS_INTERVAL_US;
	merge->progress(merge->n_bytes, merge->n_events, merge->progress_data);
}

/* Brings the times of the lane's event, when there is one, to the clock of its host. */
static inline void lane_shift_event(Lane *lane)
{
	/* Unsigned: whatever a trace's times are, the sum is defined. */
	guint64 shift = (guint64)lane->reader->clock_shift;

	if (G_LIKELY(shift == 0) || !lane->event)
		return;
	lane->event->time = (WpTime)((guint64)lane->event->time + shift);
	if (lane->event->kind == WP_EV_LOST && WP_EVENT_HAS(lane->event, WP_LOST_BEGIN))
		lane->event->v[WP_LOST_BEGIN].u += shift;
}

/* Takes the lane's next batch; its event is NULL at the end. FALSE with an error. */
static gboolean lane_refill(Merge *merge, Lane *lane, gboolean is_first, GError **error)
{
	Place *place;

	do {
		if (g_cancellable_is_cancelled(merge->cancellable)) {
			g_set_error(error, WP_ERROR, WP_ERROR_CANCELLED, "Reading was cancelled.");
			return FALSE;
		}
		place = lane_next_place(merge, lane, is_first);
		if (place->error) {
			g_propagate_error(error, g_steal_pointer(&place->error));
			return FALSE;
		}
		merge->n_bytes += place->n_bytes;
		lane->reader->n_events += place->batch.n_seen;
		merge_tell_progress(merge);
		is_first = FALSE;
	} while (place->batch.n == 0 && !place_is_end(place));
	lane->n_left = place->batch.n;
	lane->event = lane->n_left ? (WpEvent *)(gpointer)place->batch.records->data : NULL;
	lane_shift_event(lane);
	return TRUE;
}

static inline gboolean lane_advance(Merge *merge, Lane *lane, GError **error)
{
	if (G_UNLIKELY(--lane->n_left == 0))
		return lane_refill(merge, lane, FALSE, error);
	lane->event = (WpEvent *)(gpointer)((guint8 *)lane->event + wp_event_size(lane->event));
	lane_shift_event(lane);
	return TRUE;
}

static inline gboolean lane_is_before(const Lane *a, const Lane *b)
{
	return a->event->time != b->event->time ? a->event->time < b->event->time
						: a->number < b->number;
}

/* Restores the heap's order after the lane at i has got a later event. */
static void heap_sink(Merge *merge, guint i)
{
	Lane **heap = merge->heap, *lane = heap[i];

	for (;;) {
		guint child = 2 * i + 1;

		if (child + 1 < merge->n_heap && lane_is_before(heap[child + 1], heap[child]))
			child++;
		if (child >= merge->n_heap || !lane_is_before(heap[child], lane))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = lane;
}

/* The first batch of each lane. */
static gboolean merge_begin(Merge *merge, GError **error)
{
	for (guint i = 0; i < merge->n_lanes; i++) {
		Lane *lane = &merge->lanes[i];

		if (!lane_refill(merge, lane, TRUE, error))
			return FALSE;
		if (!lane->event)
			continue;
		merge->heap[merge->n_heap++] = lane;
		merge->copies.n_live[lane->source]++;
	}
	for (guint i = merge->n_heap / 2; i-- > 0;)
		heap_sink(merge, i);
	return TRUE;
}

/* Numbers the event for the host and keeps time from going back, in the batch itself. */
static inline void lane_adjust_event(Merge *merge, Lane *lane)
{
	WpEvent *event = lane->event;

	if (G_UNLIKELY(event->time < lane->last)) {
		if (lane->n_back++ == 0)
			lane->first_back = event->time;
	}
	lane->last = event->time;
	if (G_UNLIKELY(event->time < merge->now))
		event->time = merge->now;
	merge->now = event->time;
	event->stream = lane->number;
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

/* Whether the lane's event is one that another trace of the host has brought. */
static gboolean lane_event_is_copy(Merge *merge, const Lane *lane)
{
	Copies *copies = &merge->copies;
	const guint16 kind = lane->event->kind;
	guint owner;

	if (may_come_twice(kind) || !is_kernel_reader(lane->reader))
		return FALSE;
	owner = copies->owner[kind];
	if (owner == lane->source)
		return FALSE;
	if (owner == WP_NONE || copies->n_live[owner] == 0) {
		copies->owner[kind] = lane->source;
		return FALSE;
	}
	if (copies->n_copies[lane->source]++ == 0)
		copies->first = lane->event->time;
	return TRUE;
}

/* The earliest lane but the first; NULL when that is the only one. */
static const Lane *heap_second(const Merge *merge)
{
	Lane *const *heap = merge->heap;

	if (merge->n_heap < 2)
		return NULL;
	return merge->n_heap > 2 && lane_is_before(heap[2], heap[1]) ? heap[2] : heap[1];
}

/*
 * The events of the earliest lane, up to the first that another lane has one before: a CPU
 * that is busy writes many in a row, and the heap is touched once for all of them.
 */
static gboolean merge_give_run(Merge *merge, WpEventFunc func, gpointer data, GError **error)
{
	Lane *lane = merge->heap[0];
	const Lane *second = heap_second(merge);

	do {
		lane_adjust_event(merge, lane);
		if (!(G_UNLIKELY(merge->copies.n_kernel > 1) && lane_event_is_copy(merge, lane)) &&
		    !func(lane->event, data, error))
			return FALSE;
		merge->n_events++;
		if (!lane_advance(merge, lane, error))
			return FALSE;
	} while (lane->event && (!second || lane_is_before(lane, second)));
	if (!lane->event) {
		merge->heap[0] = merge->heap[--merge->n_heap];
		merge->copies.n_live[lane->source]--;
	}
	if (merge->n_heap > 0)
		heap_sink(merge, 0);
	return TRUE;
}

static gboolean merge_give_all(Merge *merge, WpEventFunc func, gpointer data, GError **error)
{
	gboolean ok = merge_begin(merge, error);

	while (ok && merge->n_heap > 0)
		ok = merge_give_run(merge, func, data, error);
	return ok;
}

static void merge_init(Merge *merge, WpReader *const *readers, guint n_readers)
{
	*merge = (Merge){.now = WP_TIME_MIN, .readers = readers, .n_readers = n_readers};
	merge->copies.n_live = g_new0(guint, n_readers);
	merge->copies.n_copies = g_new0(guint64, n_readers);
	memset(merge->copies.owner, 0xff, sizeof(merge->copies.owner));
	for (guint i = 0; i < n_readers; i++)
		merge->copies.n_kernel += is_kernel_reader(readers[i]) ? 1 : 0;
	for (guint i = 0; i < n_readers; i++)
		merge->n_lanes += readers[i]->info.n_streams;
	merge->lanes = g_new0(Lane, merge->n_lanes);
	merge->heap = g_new(Lane *, merge->n_lanes);
	for (guint i = 0, number = 0; i < n_readers; i++)
		for (guint stream = 0; stream < readers[i]->info.n_streams; stream++, number++) {
			Lane *lane = &merge->lanes[number];

			lane->reader = readers[i];
			lane->source = i;
			lane->stream = stream;
			lane->number = number;
			lane->last = WP_TIME_MIN;
			for (guint place = 0; place < LANE_AHEAD; place++)
				wp_batch_init(&lane->ring[place].batch);
		}
	wp_mutex_init(&merge->lock);
	wp_cond_init(&merge->filled);
	wp_cond_init(&merge->wanted);
}

static void merge_clear(Merge *merge)
{
	for (guint i = 0; i < merge->n_lanes; i++)
		for (guint place = 0; place < LANE_AHEAD; place++) {
			wp_batch_clear(&merge->lanes[i].ring[place].batch);
			g_clear_error(&merge->lanes[i].ring[place].error);
		}
	wp_cond_clear(&merge->wanted);
	wp_cond_clear(&merge->filled);
	wp_mutex_clear(&merge->lock);
	g_free(merge->copies.n_live);
	g_free(merge->copies.n_copies);
	g_free(merge->workers);
	g_free(merge->heap);
	g_free(merge->lanes);
}

/* Starts up to n workers, as many as there are lanes for and the system gives. */
static void merge_start_workers(Merge *merge, guint n)
{
	guint n_threaded = 0;

	for (guint i = 0; i < merge->n_lanes; i++)
		n_threaded += merge->lanes[i].reader->klass->threads ? 1 : 0;
	n = MIN(n, n_threaded);
	merge->workers = g_new(pthread_t, n);
	/* They wait for the lock until it is known whether there are any. */
	wp_mutex_lock(&merge->lock);
	while (merge->n_workers < n &&
	       wp_thread_start(&merge->workers[merge->n_workers], worker_run, merge))
		merge->n_workers++;
	for (guint i = 0; merge->n_workers > 0 && i < merge->n_lanes; i++)
		merge->lanes[i].threaded = merge->lanes[i].reader->klass->threads;
	wp_mutex_unlock(&merge->lock);
}

static void merge_stop_workers(Merge *merge)
{
	wp_mutex_lock(&merge->lock);
	merge->stop = TRUE;
	wp_cond_broadcast(&merge->wanted);
	wp_mutex_unlock(&merge->lock);
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
		const Lane *lane = &merge->lanes[i];

		if (lane->n_back > 0)
			wp_findings_add(findings, "time-went-back", WP_SEVERITY_WARNING, NULL,
					lane->first_back, lane->n_back,
					"Stream %u of %s has events with a time before that of "
					"the event in front of them.",
					lane->stream, lane->reader->info.path);
	}
}

gboolean wp_merge_run(WpReader *const *readers, guint n_readers, guint jobs, WpEventFunc func,
		      gpointer func_data, WpProgressFunc progress, gpointer progress_data,
		      WpFindings *findings, GCancellable *cancellable, GError **error)
{
	Merge merge;
	gboolean ok;

	merge_init(&merge, readers, n_readers);
	merge.progress = progress;
	merge.progress_data = progress_data;
	merge.cancellable = cancellable;
	/* The calling thread is one of the jobs: it merges, and whatever func does. */
	if (jobs > 1)
		merge_start_workers(&merge, jobs - 1);
	ok = merge_give_all(&merge, func, func_data, error);
	merge_stop_workers(&merge);
	merge_tell_findings(&merge, findings);
	merge_clear(&merge);
	return ok;
}
