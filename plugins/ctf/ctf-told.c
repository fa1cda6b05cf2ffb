/* SPDX-License-Identifier: MIT */
/*
 * ctf-told.c: what our reader makes of a flawed trace.
 *
 * The reader passes an event in a few nanoseconds, so that to read a trace once more costs some
 * percent of what the pipeline will.
 */
#include "config.h"

#include "base/error.h"
#include "ctf/ctf-reader.h"
#include "plugins/common/told.h"
#include "plugins/ctf/ctf-told.h"

/* Batches read between two looks at whether the user wants to stop. */
#define INTERRUPT_INTERVAL 64

static void add_losses(const WpBatch *batch, WpTime shift, GArray *losses)
{
	const guint8 *at = batch->records->data;

	for (guint i = 0; i < batch->n; i++) {
		const WpEvent *event = (const WpEvent *)(gconstpointer)at;
		WpToldLoss loss;

		at += wp_event_size(event);
		if (event->kind != WP_EV_LOST)
			continue;
		loss = (WpToldLoss){.begin = event->v[WP_LOST_BEGIN].i + shift,
				    .end = event->time + shift,
				    .n_events = event->v[WP_LOST_COUNT].u,
				    .n_packets = event->v[WP_LOST_PACKETS].u};
		g_array_append_val(losses, loss);
	}
}

/* What a reading is about. */
typedef struct {
	WpReader *reader; /* owned by the caller */
	bt_self_message_iterator *iterator; /* borrowed */
	guint n_batches;
	gboolean stopped;
} Reading;

/* Reads a stream to its end, or until the user wants to stop. */
static gboolean find_losses(Reading *reading, guint stream, WpTime shift, GArray *losses,
			    GError **error)
{
	WpBatch batch;
	guint64 n_bytes = 0;
	gboolean ok;

	wp_batch_init(&batch);
	do {
		wp_batch_reset(&batch);
		ok = wp_reader_next(reading->reader, stream, &batch, &n_bytes, error);
		if (ok)
			add_losses(&batch, shift, losses);
		if (++reading->n_batches % INTERRUPT_INTERVAL == 0)
			reading->stopped = bt_self_message_iterator_is_interrupted(
				reading->iterator);
	} while (ok && !reading->stopped && (batch.n || batch.more));
	wp_batch_clear(&batch);
	return ok;
}

static gboolean tell_losses(WpCtfTraceIr *ir, Reading *reading, GError **error)
{
	for (guint i = 0; i < ir->streams->len; i++) {
		g_autoptr(GArray) losses = g_array_new(FALSE, FALSE, sizeof(WpToldLoss));

		if (!find_losses(reading, i, ir->shift, losses, error))
			return FALSE;
		if (reading->stopped)
			return TRUE;
		if (losses->len > WP_TOLD_LOSSES_MAX)
			continue;
		if (!wp_told_set_losses(ir->streams->pdata[i], losses)) {
			g_set_error_literal(error, WP_ERROR, WP_ERROR_FAILED, "Out of memory.");
			return FALSE;
		}
	}
	return TRUE;
}

gboolean wp_ctf_tell(WpCtfTraceIr *ir, bt_self_message_iterator *iterator, gboolean *ret_stopped,
		     GError **error)
{
	g_autoptr(WpLayout) layout = NULL;
	g_autoptr(WpReader) reader = NULL;
	Reading reading = {.iterator = iterator};

	*ret_stopped = FALSE;
	if (ir->told)
		return TRUE;
	layout = wp_layout_new(error);
	reader = layout ? wp_ctf_reader_open(ir->directory, layout, error) : NULL;
	if (!reader)
		return FALSE;
	reading.reader = reader;
	/* of a trace that has changed since it was opened nothing is told */
	if (reader->info.n_streams == ir->streams->len && !tell_losses(ir, &reading, error))
		return FALSE;
	*ret_stopped = reading.stopped;
	ir->told = !reading.stopped;
	if (reading.stopped || wp_told_set_findings(ir->ir, reader->findings))
		return TRUE;
	g_set_error_literal(error, WP_ERROR, WP_ERROR_FAILED, "Out of memory.");
	return FALSE;
}
