/* SPDX-License-Identifier: MIT */
/*
 * reader.h: one trace, opened: what it says of itself, and its events in
 * batches, stream by stream.
 *
 * Two implementations: src/ctf (our own, on the mapped files) and src/bt2
 * (Babeltrace 2). Both give the same events. A stream's events come in the order
 * in which they lie in the file; merge.h puts the streams of a host in time order.
 */
#ifndef WP_EVENT_READER_H
#define WP_EVENT_READER_H

#include "base/finding.h"
#include "event/event.h"
#include "event/layout.h"

G_BEGIN_DECLS

typedef struct {
	gchar *path; /* owned: the directory or file */
	gchar *host; /* owned: environment `hostname`, or NULL */
	gchar *domain; /* owned: "kernel", "ust" or NULL */
	gchar *tracer; /* owned: tracer_name or NULL */
	gint tracer_major, tracer_minor; /* -1 unknown */
	gchar *kernel_release; /* owned or NULL */
	gchar *clock_uuid; /* owned or NULL: one per boot of a host */
	gint64 clock_offset; /* ns: value 0 of the clock is this after the epoch */
	guint64 n_bytes; /* of all streams, for progress */
	guint n_streams;
	guint n_cpus; /* distinct CPUs seen in packet contexts, 0 when unknown before reading */
	/*
	 * A bit, 1 << WpEventKind, for each kind that the layout makes of an event class which the
	 * metadata declares, whether the trace holds such an event or not. Markers are not counted.
	 */
	guint64 kinds;
} WpTraceInfo;

/* What passed of a trace, or of a part of it. */
typedef struct {
	WpTime begin, end; /* of its first and last event; WP_TIME_MAX, WP_TIME_MIN: it had none */
	guint64 lost_events, lost_packets; /* as its records of losses tell */
} WpPassed;

#define WP_PASSED_NOTHING ((WpPassed){.begin = WP_TIME_MAX, .end = WP_TIME_MIN})

/* For records of whatever kind; those of losses are not events of the trace. */
static inline void wp_passed_event(WpPassed *passed, const WpEvent *event)
{
	if (G_UNLIKELY(event->kind == WP_EV_LOST)) {
		if (WP_EVENT_HAS(event, WP_LOST_COUNT))
			passed->lost_events += event->v[WP_LOST_COUNT].u;
		if (WP_EVENT_HAS(event, WP_LOST_PACKETS))
			passed->lost_packets += event->v[WP_LOST_PACKETS].u;
		return;
	}
	passed->begin = MIN(passed->begin, event->time);
	passed->end = MAX(passed->end, event->time);
}

static inline void wp_passed_add(WpPassed *passed, const WpPassed *more)
{
	passed->begin = MIN(passed->begin, more->begin);
	passed->end = MAX(passed->end, more->end);
	passed->lost_events += more->lost_events;
	passed->lost_packets += more->lost_packets;
}

typedef struct WpReader WpReader;

typedef struct {
	const gchar *name; /* "direct" or "babeltrace" */
	/*
	 * Fills batch with the next events of a stream (all kinds that the layout
	 * knows, unordered events included) and adds to *ret_bytes what of n_bytes
	 * that took. An empty batch means the end, unless the reader set its `more`: it
	 * may, where it has passed many events that the layout does not know, so that
	 * the caller can tell progress and stop. Different streams may be read from
	 * different threads at once when threads is TRUE.
	 */
	gboolean (*next)(WpReader *reader, guint stream, WpBatch *batch, guint64 *ret_bytes,
			 GError **error);
	/* Back to the first event of every stream. */
	gboolean (*rewind)(WpReader *reader, GError **error);
	void (*free)(WpReader *reader);
	gboolean threads;
} WpReaderClass;

/* The head of every implementation's own struct. */
struct WpReader {
	const WpReaderClass *klass;
	WpTraceInfo info;
	WpFindings *findings; /* owned; complete when all streams are at their end */
	WpLayout *layout; /* reference */
	guint64 n_events; /* that a merge took from it, of whatever kind */
	WpPassed passed; /* of what a merge took, with the times that it gave them */
	/*
	 * Stream n is of share n % n_shares; of each only one stream may be asked at a time. 0: there
	 * are none, all may be asked at once.
	 */
	guint n_shares;
	gint64 clock_shift; /* ns that the merge adds to all times: 0, or to share a host's clock */
};

static inline gboolean wp_reader_next(WpReader *reader, guint stream, WpBatch *batch,
				      guint64 *ret_bytes, GError **error)
{
	return reader->klass->next(reader, stream, batch, ret_bytes, error);
}

void wp_reader_free(WpReader *reader);
/* Frees what an info owns. */
void wp_trace_info_clear(WpTraceInfo *info);
/* Counts what the layout makes of an event class (NULL: nothing) among the kinds. */
static inline void wp_trace_info_add_event(WpTraceInfo *info, const WpLayoutEvent *event)
{
	if (event)
		info->kinds |= G_GUINT64_CONSTANT(1) << event->kind;
}
/* For implementations: initialises and clears the head. */
void wp_reader_init(WpReader *reader, const WpReaderClass *klass, WpLayout *layout,
		    const gchar *path);
void wp_reader_clear(WpReader *reader);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpReader, wp_reader_free)

G_END_DECLS

#endif
