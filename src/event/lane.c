/* SPDX-License-Identifier: MIT */
/* lane.c: places are filled. */
#include "config.h"

#include "base/phase.h"
#include "event/lane.h"
#include "event/tournament.h"

void wp_lane_init(WpLane *lane, WpReader *reader, guint source, guint stream, guint32 number)
{
	*lane = (WpLane){.reader = reader,
			 .source = source,
			 .stream = stream,
			 .number = number,
			 .last = WP_TIME_MIN,
			 .latest = WP_TIME_EARLIEST};
	for (guint i = 0; i < WP_LANE_PLACES; i++)
		wp_batch_init(&lane->ring[i].batch);
}

void wp_lane_clear(WpLane *lane)
{
	for (guint i = 0; i < WP_LANE_PLACES; i++) {
		wp_batch_clear(&lane->ring[i].batch);
		g_clear_error(&lane->ring[i].error);
	}
}

/* Unsigned: whatever a trace's times are, the sum is defined. */
static inline WpTime shifted(WpTime time, gint64 shift)
{
	return (WpTime)((guint64)time + (guint64)shift);
}

static void note_back(WpLane *lane, WpTime time)
{
	if (lane->n_back++ == 0)
		lane->first_back = time;
}

static WpTime first_time(const WpBatch *batch)
{
	return ((const WpEvent *)(gconstpointer)batch->records->data)->time;
}

/* Whether the events of a batch can stay as the reader gave them. */
static gboolean is_in_order(const WpLane *lane, const WpBatch *batch)
{
	return batch->ordered_to > WP_TIME_MIN && batch->ordered_to <= WP_TIME_LATEST && batch->n &&
	       first_time(batch) >= WP_TIME_EARLIEST && lane->reader->clock_shift == 0 &&
	       lane->number == lane->stream;
}

/*
 * Numbers the events for the host. One whose time went back gets that of the latest one: so what
 * the model sees never does.
 */
static void put_in_order(WpLane *lane, const WpBatch *batch, WpPassed *passed)
{
	const gint64 shift = lane->reader->clock_shift;
	WpEvent *event = (WpEvent *)(gpointer)batch->records->data;
	WpTime last = lane->last, latest = lane->latest;

	for (guint i = 0; i < batch->n; i++) {
		const WpTime time = shifted(event->time, shift);

		if (G_UNLIKELY(time < last))
			note_back(lane, time);
		last = time;
		if (G_UNLIKELY(time > WP_TIME_LATEST || time < WP_TIME_EARLIEST))
			lane->n_far++;
		latest = MAX(latest, MIN(time, WP_TIME_LATEST));
		event->time = latest;
		event->stream = lane->number;
		if (G_UNLIKELY(event->kind == WP_EV_LOST) && WP_EVENT_HAS(event, WP_LOST_BEGIN))
			event->v[WP_LOST_BEGIN].i = shifted(event->v[WP_LOST_BEGIN].i, shift);
		wp_passed_event(passed, event);
		event = (WpEvent *)(gpointer)((guint8 *)event + wp_event_size(event));
	}
	lane->last = last;
	lane->latest = latest;
}

void wp_lane_fill(WpLane *lane, WpPlace *place)
{
	WP_PHASE(WP_PHASE_READ);

	wp_batch_reset(&place->batch);
	place->n_bytes = 0;
	place->passed = WP_PASSED_NOTHING;
	if (!wp_reader_next(lane->reader, lane->stream, &place->batch, &place->n_bytes,
			    &place->error)) {
		wp_batch_reset(&place->batch);
	} else if (is_in_order(lane, &place->batch)) {
		lane->last = lane->latest = place->batch.ordered_to;
		place->passed.begin = first_time(&place->batch);
		place->passed.end = lane->latest;
	} else {
		put_in_order(lane, &place->batch, &place->passed);
	}
}
