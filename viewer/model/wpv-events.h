/* SPDX-License-Identifier: MIT */
/*
 * wpv-events.h: the events of the traces around the segment that is chosen, read by a thread:
 * those on its CPU and its waker's, and those that name either task, where it begins and ends,
 * and where what it waited for was sent.
 */
#ifndef WPV_EVENTS_H
#define WPV_EVENTS_H

#include "event/raw-event.h"
#include "viewer/model/wpv-session.h"

G_BEGIN_DECLS

/* So many are shown at most. */
#define WPV_EVENTS_BEFORE 6
#define WPV_EVENTS_AFTER 4

typedef struct {
	WpTime offset; /* since the segment's end, on the reference clock */
	guint32 cpu; /* its number, WP_NONE */
	gchar *name; /* owned: "sched_switch"; NULL: what lies here is no event, brief says it */
	gchar *brief; /* owned: what matters of it: "swapper/0 0 \342\206\222 client 183" */
	gchar *text; /* owned: all of its fields */
} WpvEventLine;

/* One host that is looked at; in the first group are marks where the segment begins and ends. */
typedef struct {
	gchar *title; /* owned: "On hosta" */
	GPtrArray *lines; /* owned: owned WpvEventLine, by time */
} WpvEventGroup;

typedef struct {
	GPtrArray *groups; /* owned: owned WpvEventGroup */
	gboolean fine; /* offsets are best given in us: else in ms */
} WpvEvents;

/* Reads for an item. Cancel it when something else is chosen. */
void wpv_events_read_async(WpvSession *session, const WpvItem *item, GCancellable *cancellable,
			   GAsyncReadyCallback callback, gpointer data);
/* NULL with the errors of wp_event_source_read(), whose message is for the user. */
WpvEvents *wpv_events_read_finish(GAsyncResult *result, GError **error);
void wpv_events_free(WpvEvents *events);

/* The fields of an event that matter most, in few words; owned by the caller. */
gchar *wpv_event_dup_brief(const WpRawEvent *event);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpvEvents, wpv_events_free)

G_END_DECLS

#endif
