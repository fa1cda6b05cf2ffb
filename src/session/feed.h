/* SPDX-License-Identifier: MIT */
/*
 * feed.h: an analysis of events that somebody else brings, one by one: for components of
 * a pipeline, where wp_session_load() pulls events out of traces itself.
 *
 * Traces are announced as they appear, and sorted by host as everywhere; each host has a
 * model of its own. Of one host the events must come in time order; one that goes back is
 * counted and taken for as late as the one before it. Not thread-safe.
 */
#ifndef WP_SESSION_FEED_H
#define WP_SESSION_FEED_H

#include "event/reader.h"
#include "session/session.h"

G_BEGIN_DECLS

typedef struct WpFeed WpFeed;

/* options (borrowed; its traces are not looked at) must outlive the feed. */
WpFeed *wp_feed_new(const WpOptions *options, GError **error);
void wp_feed_free(WpFeed *feed);
/* Borrowed. */
WpLayout *wp_feed_get_layout(const WpFeed *feed);

/*
 * Announces a trace and returns its number. info is taken over: its members become the
 * feed's. Until the first event hosts are in the order in which their traces came.
 */
guint wp_feed_add_trace(WpFeed *feed, WpTraceInfo *info);
/* Borrowed: what was odd in a trace goes there. */
WpFindings *wp_feed_get_findings(WpFeed *feed, guint trace);
/* Counts events of a trace that its layout knows nothing of, too. */
void wp_feed_count(WpFeed *feed, guint trace, guint64 n_events);
/* The host of a trace; after the first event it stays the same. */
guint wp_feed_get_host(WpFeed *feed, guint trace);
/*
 * Gives an event, whose time is of its trace; its stream should be a number that no other
 * stream of the host has. The time is changed to that of the host.
 */
gboolean wp_feed_event(WpFeed *feed, guint trace, WpEvent *event, GError **error);
guint wp_feed_get_n_hosts(WpFeed *feed);
/* Borrowed. */
const gchar *wp_feed_get_host_name(WpFeed *feed, guint host);
/*
 * The time (host clock) before which what a host's events say is settled, WP_TIME_MIN before
 * the first: see kernel/model.h.
 */
WpTime wp_feed_get_settled(const WpFeed *feed, guint host);
/* A time of a trace on its host's clock, which all of the host's traces share. */
WpTime wp_feed_get_host_time(WpFeed *feed, guint trace, WpTime time);
/* The time of a host's last event, WP_TIME_MIN before the first. */
WpTime wp_feed_get_time(const WpFeed *feed, guint host);

/*
 * The hosts as far as they are known, joined as the options ask for; the caller's. last: no
 * event will follow, which closes what is open, and only then reports say what is missing.
 * WP_ERROR_CANNOT_ANSWER when no event has come, or none of the reference host that the options
 * name. An analysis that is not the last is to be given to wp_feed_resume() before the next event.
 */
WpAnalysis *wp_feed_analyse(WpFeed *feed, gboolean last, WpCancel *cancellable, GError **error);
/*
 * Whether the clocks of the hosts can only be told from their packets: the options give
 * neither a sync file nor an offset for each host but the reference.
 */
gboolean wp_feed_needs_packets(WpFeed *feed);
/*
 * Clock maps (owned) of all hosts, by their number, as the options give them, without any event.
 * WP_ERROR_USAGE for a host that is not there. Hosts of which nothing is said get an identity.
 */
gboolean wp_feed_get_clocks(WpFeed *feed, GPtrArray **ret_maps, GError **error);

/* Takes the hosts back from an analysis, which is freed. */
void wp_feed_resume(WpFeed *feed, WpAnalysis *analysis);
/* The host's number in the last analysis, WP_NONE when it had no events. */
guint32 wp_feed_find_host(const WpFeed *feed, guint host);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpFeed, wp_feed_free)

G_END_DECLS

#endif
