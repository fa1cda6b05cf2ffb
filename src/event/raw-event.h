/* SPDX-License-Identifier: MIT */
/*
 * raw-event.h: an event as it lies in the trace, whole and in words: for people who want to
 * see what an answer rests on. The analysis has WpEvent instead.
 */
#ifndef WP_EVENT_RAW_EVENT_H
#define WP_EVENT_RAW_EVENT_H

#include "base/types.h"

G_BEGIN_DECLS

/* Longer values are cut there. */
#define WP_RAW_VALUE_MAX 4096u

typedef struct {
	gchar *name; /* owned */
	gchar *value; /* owned: valid UTF-8; texts in quotes, structures in braces */
} WpRawField;

typedef struct {
	WpTime time; /* host clock */
	guint32 cpu; /* its number; WP_NONE: the trace does not say */
	gchar *name; /* owned, valid UTF-8: as the tracer calls it */
	GArray *fields; /* owned: WpRawField: contexts, then the payload */
	gboolean damaged; /* its bytes could not be read to their end */
} WpRawEvent;

WpRawEvent *wp_raw_event_new(WpTime time, guint32 cpu, const gchar *name);
void wp_raw_event_free(WpRawEvent *event);
/* Adds a field, whose value (of any bytes) is taken over. */
void wp_raw_event_add(WpRawEvent *event, const gchar *name, gchar *value);
/* The value of a field; NULL: there is none. Borrowed. */
const gchar *wp_raw_event_find(const WpRawEvent *event, const gchar *name);
/* Whether a field that holds a task's number (its name ends in tid or pid) holds this one. */
gboolean wp_raw_event_mentions(const WpRawEvent *event, gint32 tid);
/* "prev_comm=\"back\" prev_tid=305 ..."; owned by the caller. */
gchar *wp_raw_event_dup_text(const WpRawEvent *event);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpRawEvent, wp_raw_event_free)

G_END_DECLS

#endif
