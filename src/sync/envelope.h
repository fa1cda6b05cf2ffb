/* SPDX-License-Identifier: MIT */
/*
 * envelope.h: what is known of the offset of two clocks at every time, given how fast
 * it may drift.
 *
 * A line of the clocks' mean rate is taken off the points of both directions; what is
 * left may change by at most `rate`. So over each point stands a cone, and the offset
 * lies between the lowest of the cones over the ceilings and the highest of those under
 * the floors: close where packets are, opening in every gap and outside.
 */
#ifndef WP_SYNC_ENVELOPE_H
#define WP_SYNC_ENVELOPE_H

#include "sync/points.h"

G_BEGIN_DECLS

typedef struct {
	gint64 slope; /* of the line through (0, 0), units of 2^-WP_RATE_SHIFT */
	gint64 rate; /* that the rest may drift at, same units */
	GArray *upper; /* owned: WpPoint, above the line, thinned at rate */
	GArray *lower; /* owned: the same of the other direction, negated */
} WpEnvelope;

/* An offset on a side of which nothing is known. */
#define WP_OFFSET_FAR (G_GINT64_CONSTANT(1) << 61)

/*
 * upper, lower: thinned points (points.h), lower ones negated; slack is added to both.
 * Linear. The envelope is to be cleared.
 */
void wp_envelope_init(WpEnvelope *envelope, const GArray *upper, const GArray *lower, gint64 slope,
		      gint64 rate, gint64 slack);
void wp_envelope_clear(WpEnvelope *envelope);
/*
 * By how much the floors reach above the ceilings at most: above 0 when the offset would
 * have to drift faster than the rate. -WP_OFFSET_FAR when one side has no points. Linear.
 */
gint64 wp_envelope_overlap(const WpEnvelope *envelope);
/* The least and greatest offset at a time; -+WP_OFFSET_FAR or beyond: unknown. Logarithmic. */
void wp_envelope_at(const WpEnvelope *envelope, gint64 t, gint64 *ret_low, gint64 *ret_high);

G_END_DECLS

#endif
