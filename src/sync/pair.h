/* SPDX-License-Identifier: MIT */
/*
 * pair.h: two clocks and what the packets between them say.
 *
 * All is about the offset of clock b to clock a (b's time minus a's) as a function of
 * a's time. It is kept in two envelopes. The estimate's uses the least drift rate that the
 * packets allow, and half as much again; the bound's a rate that the clocks may well have
 * had without the packets showing it, since the least that fits is no upper limit.
 */
#ifndef WP_SYNC_PAIR_H
#define WP_SYNC_PAIR_H

#include "sync/envelope.h"
#include "sync/hull.h"
#include "sync/sync.h"

G_BEGIN_DECLS

typedef struct {
	guint a, b; /* hosts, a < b */
	WpTime t0; /* a's time that the points count from */
	gint64 v0; /* offset that the points' values count from */
	WpPoints upper, lower; /* from a to b, from b to a (negated) */
	guint64 n_left_out; /* packets that contradict all others */
	guint hull_upper, hull_lower; /* corners */
	gboolean measured; /* min and max are set: both sides have points */
	gboolean straight; /* one line passes between all points */
	gint64 min, max; /* rates of these lines; not straight: of the best one, twice */
	gint64 edge; /* rate of the line along the fastest packets of the first direction that has any */
	gint64 overlap; /* ns: what had to be added to both sides of a contradictory pair */
	WpEnvelope fit, bound; /* after wp_pair_settle() */
	gint64 width; /* ns: between the two sides where they are nearest; 0 one way */
	WpPairQuality quality;
} WpPair;

/* Which rates are believed of two clocks before their packets are looked at. */
typedef struct {
	gint64 low, high; /* units of 2^-WP_RATE_SHIFT */
	gint64 centre;
} WpPrior;

void wp_pair_init(WpPair *pair, guint a, guint b, WpTime t0);
void wp_pair_clear(WpPair *pair);
/* A packet that left at a time of its sender's clock and came at a time of the receiver's. */
void wp_pair_add(WpPair *pair, gboolean from_a, WpTime sent, WpTime received);
/* The same as a point; FALSE when the times are a lifetime apart. */
gboolean wp_pair_point(const WpPair *pair, gboolean from_a, WpTime sent, WpTime received,
		       WpPoint *ret_point);
/* Hulls, quality and range of rates; after the last packet. */
void wp_pair_measure(WpPair *pair);
/* The times (points.h) between which both directions have packets; FALSE when there are none. */
gboolean wp_pair_span(const WpPair *pair, gint64 *ret_begin, gint64 *ret_end);
/* Line, rates and envelopes. */
void wp_pair_settle(WpPair *pair, const WpPrior *prior);
/* The least and greatest offset at a time of a; G_MININT64, G_MAXINT64: unknown. */
void wp_pair_at(const WpPair *pair, const WpEnvelope *envelope, WpTime time, gint64 *ret_low,
		gint64 *ret_high);

/* Clocks are believed to differ by this (hardware, and what slews it) ... */
#define WP_PRIOR_RATE (200 * WP_RATE_PPM)
/* ... and at most by this, two hosts being slewed by up to 500 ppm each. */
#define WP_PRIOR_RATE_MAX (1000 * WP_RATE_PPM)

G_END_DECLS

#endif
