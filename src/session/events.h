/* SPDX-License-Identifier: MIT */
/*
 * events.h: the events of a host around a time, as they lie in its traces: for people who
 * want to see what an answer rests on. Only the packets around that time are read.
 */
#ifndef WP_SESSION_EVENTS_H
#define WP_SESSION_EVENTS_H

#include "base/cancel.h"
#include "event/raw-event.h"
#include "graph/host.h"

G_BEGIN_DECLS

/* The traces that events were read from, kept open. Thread-safe: one read at a time. */
typedef struct WpEventSource WpEventSource;

typedef struct {
	WpTime time; /* host clock */
	guint n_before, n_after; /* at most: at or before the time, and behind it */
	/*
	 * Only what happened on one of these CPUs (their numbers), or concerns one of these
	 * tasks (their tids): WP_NONE, -1: none. All of them none: everything.
	 */
	guint32 cpus[2];
	gint32 tids[2];
	/* And what happened on the CPU of the event, the nearest, that concerns the first task. */
	gboolean beside;
} WpEventsQuery;

WpEventSource *wp_event_source_new(void);
void wp_event_source_free(WpEventSource *source);

/*
 * The nearest events, in the order of time (owned by the caller; WpRawEvent, times on the host's
 * clock). WP_ERROR_CANNOT_ANSWER when a trace of the host is not at hand, or of a kind of which
 * no part can be read alone; WP_ERROR_FAILED; WP_ERROR_CANCELLED.
 */
GPtrArray *wp_event_source_read(WpEventSource *source, const WpHost *host,
				const WpEventsQuery *query, WpCancel *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpEventSource, wp_event_source_free)

G_END_DECLS

#endif
