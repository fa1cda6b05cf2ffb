/* SPDX-License-Identifier: MIT */
/*
 * merge.h: the events of all streams of one host, in time order.
 *
 * A tournament of the streams' next events gives the earliest; of equal ones that of the first stream.
 * A stream whose time goes back is told and counted ("time-went-back"); its events
 * are given with their own time unless that lies before an event already given,
 * then with the time of that one: what the model sees never goes back.
 * Where two kernel traces of the host bring the same kinds of events at the same time, those of
 * the one that brought a kind first are given, until that trace ends; the others are told and
 * counted ("traced-twice").
 * With jobs > 1 other threads read and merge ahead of the one that calls the function; the result
 * does not depend on their number.
 */
#ifndef WP_EVENT_MERGE_H
#define WP_EVENT_MERGE_H

#include "base/cancel.h"
#include "event/reader.h"

G_BEGIN_DECLS

/* Called for each event, in order, on the thread that called wp_merge_run(). */
typedef gboolean (*WpEventFunc)(const WpEvent *event, gpointer data, GError **error);
/* The same for n events at a time, for who counts each call. */
typedef gboolean (*WpEventsFunc)(const WpEvent *const *events, guint n, gpointer data,
				 GError **error);
/* Called at most ten times a second with bytes read so far of all readers of this merge. */
typedef void (*WpProgressFunc)(guint64 n_bytes, guint64 n_events, gpointer data);

/*
 * Reads all streams of the readers (of one host) to their end. findings gets what is odd in the
 * order of events. FALSE when a reader, the function, or the cancellable failed.
 */
gboolean wp_merge_run_many(WpReader *const *readers, guint n_readers, guint jobs, WpEventsFunc func,
			   gpointer func_data, WpProgressFunc progress, gpointer progress_data,
			   WpFindings *findings, WpCancel *cancellable, GError **error);
/* The same, event by event. */
gboolean wp_merge_run(WpReader *const *readers, guint n_readers, guint jobs, WpEventFunc func,
		      gpointer func_data, WpProgressFunc progress, gpointer progress_data,
		      WpFindings *findings, WpCancel *cancellable, GError **error);

G_END_DECLS

#endif
