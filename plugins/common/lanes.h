/* SPDX-License-Identifier: MIT */
/*
 * lanes.h: messages of several upstream iterators in time order.
 *
 * Each iterator is a lane; a binary heap holds the next message of each, ordered by time,
 * then lane. A message that has no time goes with the one before it in its lane. What
 * comes in may be replaced or dropped before it is put in order, so that a filter which
 * corrects times orders by the corrected ones.
 *
 * One iterator may bring messages in an order that is not the wanted one, of several hosts: then
 * a lane for each takes its own out of it, and what comes for the others waits in theirs, till the
 * time is known that its next message can have at least. When too much waits, the lane for which
 * nothing came gets an iterator of its own.
 */
#ifndef WP_PLUGINS_COMMON_LANES_H
#define WP_PLUGINS_COMMON_LANES_H

#include <babeltrace2/babeltrace.h>

#include "base/types.h"

G_BEGIN_DECLS

typedef struct WpLanes WpLanes;

typedef enum {
	WP_LANES_OK,
	WP_LANES_AGAIN, /* a lane has nothing now: nothing can be said to be the next */
	WP_LANES_END,
	/* the error says why; NULL when the cause is the upstream's, already on the thread's error */
	WP_LANES_ERROR
} WpLanesStatus;

/*
 * Takes the reference of *message over and gives back another one of what is to take its
 * place, or NULL to drop it; and its time, if that is at hand: else *time is left as it is.
 */
typedef gboolean (*WpLanesFunc)(guint lane, const bt_message **message, WpTime *time, gpointer data,
				GError **error);

/* func may be NULL. */
WpLanes *wp_lanes_new(WpLanesFunc func, gpointer data);

/*
 * The lane that a message belongs to which came by the iterator of lane (the first one on it, that
 * was given to it, or that got it): one that shares this iterator; WP_NONE: nobody's. It may add lanes.
 */
typedef gboolean (*WpLanesRoute)(guint lane, const bt_message *message, gpointer data,
				 guint *ret_lane, GError **error);
/* A further iterator on the input of a lane, at its beginning (a reference); NULL with an error. */
typedef bt_message_iterator *(*WpLanesOpen)(guint lane, gpointer data, GError **error);
/*
 * The least time that a message of a lane can have, once one of this time, as it came, has come by
 * its iterator for another one; WP_TIME_MIN: not known. Messages come in order of their times.
 */
typedef WpTime (*WpLanesBound)(guint lane, WpTime time, gpointer data);
/* From now on, until the lanes go, messages are routed. */
void wp_lanes_set_route(WpLanes *lanes, WpLanesRoute route, WpLanesBound bound, WpLanesOpen open);
/* Adds a lane that shares the iterator of another. Returns it. */
guint wp_lanes_add_beside(WpLanes *lanes, guint lane);
void wp_lanes_free(WpLanes *lanes);
/* Takes the reference of upstream over. May be called at any time. Returns the lane. */
guint wp_lanes_add(WpLanes *lanes, bt_message_iterator *upstream);
guint wp_lanes_get_n(const WpLanes *lanes);
/*
 * Shows each lane's messages, as they come in, up to the first of a stream that has a time (but
 * no more than a few thousand), before they are put in order: visit (may be NULL) may look at them. AGAIN: to be called again; END is none here.
 */
typedef gboolean (*WpLanesVisit)(guint lane, const bt_message *message, gpointer data,
				 GError **error);
WpLanesStatus wp_lanes_prime(WpLanes *lanes, WpLanesVisit visit, GError **error);
/* The next message, the caller's reference; its time, WP_TIME_MIN while none is known. */
WpLanesStatus wp_lanes_next(WpLanes *lanes, const bt_message **ret_message, guint *ret_lane,
			    WpTime *ret_time, GError **error);
/* Whether all lanes can be sent back to their beginning. FALSE when the upstream failed. */
gboolean wp_lanes_can_rewind(WpLanes *lanes, gboolean *ret_can);
WpLanesStatus wp_lanes_rewind(WpLanes *lanes);

/*
 * What an iterator that fills messages from lanes returns: they are given when there are any (n, to
 * *count), and put when it failed; then error (taken over, may be NULL) becomes a cause.
 */
bt_message_iterator_class_next_method_status
wp_lanes_end_next(WpLanesStatus status, bt_self_message_iterator *self,
		  bt_message_array_const messages, guint64 n, uint64_t *count, GError *error);
/* The can-seek-beginning method of an iterator over lanes. */
bt_message_iterator_class_can_seek_beginning_method_status wp_lanes_end_can_seek(WpLanes *lanes,
										 bt_bool *can);

/*
 * The time of a message, ns from its clock's origin (the begin of a span). FALSE when it has
 * none, or one that is out of range.
 */
gboolean wp_message_get_time(const bt_message *message, WpTime *ret_time);
/* The stream that a message belongs to, borrowed; NULL for one that belongs to none. */
const bt_stream *wp_message_get_stream(const bt_message *message);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpLanes, wp_lanes_free)

G_END_DECLS

#endif
