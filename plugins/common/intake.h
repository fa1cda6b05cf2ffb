/* SPDX-License-Identifier: MIT */
/*
 * intake.h: messages of a pipeline to an analysis: which trace and host a message is of, and
 * its event to the model of that host.
 *
 * Messages may come of all streams of all hosts at once; those of one host in time order.
 * While a stream's loss waits for its place (bt2/bt2-stream.h) the host's records wait with
 * it, in order, in a queue.
 */
#ifndef WP_PLUGINS_COMMON_INTAKE_H
#define WP_PLUGINS_COMMON_INTAKE_H

#include <babeltrace2/babeltrace.h>

#include "plugins/common/lanes.h"
#include "session/feed.h"

G_BEGIN_DECLS

typedef struct WpIntake WpIntake;

/*
 * options (borrowed) must outlive the intake. Where all traces that were looked at say that
 * their times are corrected (mirror/mirror.h), and options have no sync file and no offsets,
 * they get an offset of 0 for each host.
 */
WpIntake *wp_intake_new(WpOptions *options, GError **error);
void wp_intake_free(WpIntake *intake);
/* Borrowed. */
WpFeed *wp_intake_get_feed(WpIntake *intake);

/*
 * Looks at a message that begins a lane, and, when all lanes were looked at, makes their traces
 * known, in the order of hosts' names: neither what a muxer does with messages that have no time
 * nor the order in which ports are connected decides anything.
 */
void wp_intake_look(WpIntake *intake, const bt_message *message);
gboolean wp_intake_look_done(WpIntake *intake, GError **error);
/*
 * Makes a message's trace known, if it is not, without taking anything else from it. A trace
 * is known by its own words: host name, clock, tracer.
 */
gboolean wp_intake_announce(WpIntake *intake, const bt_message *message, GError **error);
/* Takes what a message tells. */
gboolean wp_intake_message(WpIntake *intake, const bt_message *message, GError **error);
/* Gives what still waits: no message follows. */
gboolean wp_intake_end(WpIntake *intake, GError **error);

/*
 * Takes the next message of lanes (which were made with the intake as data, and no function):
 * all that begins the lanes is looked at first. *ret_time (may be NULL) is the message's, as
 * of wp_lanes_next(). At WP_LANES_END what waited was given.
 */
WpLanesStatus wp_intake_pull(WpIntake *intake, WpLanes *lanes, WpTime *ret_time, GError **error);

/*
 * For hosts that are live and whose clocks are not known: what comes by different lanes is put in
 * order by the time since each host's first message instead of by clocks that may be hours apart,
 * of which one host would have to wait for the other. To be called before the first pull, whose
 * lanes must have been made with wp_intake_on_lane; *ret_time is then such a time.
 */
void wp_intake_set_live(WpIntake *intake);
gboolean wp_intake_on_lane(guint lane, const bt_message **message, WpTime *time, gpointer intake,
			   GError **error);
/* The time (host clock) up to which all of a host has been pulled, WP_TIME_MIN: not known. */
WpTime wp_intake_get_reached(const WpIntake *intake, guint host);

/*
 * For a second pass over messages that wp_intake_message() took: where an event happened, its
 * time being on the host's clock. FALSE for another message, or when that is not known. All
 * messages of a stream must be shown, in order.
 */
typedef struct {
	guint host; /* number of the feed */
	guint32 cpu;
	WpTime time;
} WpPlace;
gboolean wp_intake_locate(WpIntake *intake, const bt_message *message, WpPlace *ret_place);

/* The number of the host (of the feed) that a trace is of, WP_NONE when it is not known. */
guint32 wp_intake_find_host(WpIntake *intake, const bt_trace *trace);
/* What is to be added to a trace's times so that they are on its host's clock. */
WpTime wp_intake_get_shift(WpIntake *intake, const bt_trace *trace);
/* The trace whose streams have this clock, borrowed; NULL. */
const bt_trace *wp_intake_find_trace_of_clock(WpIntake *intake, const bt_clock_class *clock);
/* The trace of a number (of the feed), borrowed; NULL when there is none, or it is gone. */
const bt_trace *wp_intake_get_trace(WpIntake *intake, guint number);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpIntake, wp_intake_free)

G_END_DECLS

#endif
