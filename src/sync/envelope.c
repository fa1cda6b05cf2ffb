/* SPDX-License-Identifier: MIT */
/* envelope.c: cones over and under a line. */
#include "config.h"

#include "sync/envelope.h"

/* What is left of points above a line; sign -1 for negated ones. */
static GArray *rest_of(const GArray *points, gint64 slope, gint sign, gint64 slack)
{
	GArray *rest = g_array_sized_new(FALSE, FALSE, sizeof(WpPoint), points->len);

	for (guint i = 0; i < points->len; i++) {
		WpPoint point = g_array_index(points, WpPoint, i);

		point.v += slack - sign * wp_rate_times(slope, point.t);
		g_array_append_val(rest, point);
	}
	return rest;
}

void wp_envelope_init(WpEnvelope *envelope, const GArray *upper, const GArray *lower, gint64 slope,
		      gint64 rate, gint64 slack)
{
	envelope->slope = slope;
	envelope->rate = rate;
	envelope->upper = rest_of(upper, slope, 1, slack);
	envelope->lower = rest_of(lower, slope, -1, slack);
	wp_points_thin(envelope->upper, rate);
	wp_points_thin(envelope->lower, rate);
}

void wp_envelope_clear(WpEnvelope *envelope)
{
	if (envelope->upper)
		g_array_free(envelope->upper, TRUE);
	if (envelope->lower)
		g_array_free(envelope->lower, TRUE);
	envelope->upper = envelope->lower = NULL;
}

/* Both sides are kept as ceilings, so they overlap where their sum is below 0. */
gint64 wp_envelope_overlap(const WpEnvelope *envelope)
{
	const GArray *upper = envelope->upper, *lower = envelope->lower;
	gint64 overlap = -WP_OFFSET_FAR;
	guint j = 0;

	for (guint i = 0; i < upper->len && lower->len > 0; i++) {
		const WpPoint *u = &g_array_index(upper, WpPoint, i);

		while (j < lower->len && g_array_index(lower, WpPoint, j).t <= u->t)
			j++;
		if (j > 0) {
			const WpPoint *l = &g_array_index(lower, WpPoint, j - 1);

			overlap = MAX(overlap,
				      -(u->v + l->v + wp_rate_times(envelope->rate, u->t - l->t)));
		}
		if (j < lower->len) {
			const WpPoint *l = &g_array_index(lower, WpPoint, j);

			overlap = MAX(overlap,
				      -(u->v + l->v + wp_rate_times(envelope->rate, l->t - u->t)));
		}
	}
	return overlap;
}

void wp_envelope_at(const WpEnvelope *envelope, gint64 t, gint64 *ret_low, gint64 *ret_high)
{
	const gint64 line = wp_rate_times(envelope->slope, t);
	const gint64 above = wp_points_ceiling(envelope->upper, envelope->rate, t);
	const gint64 below = wp_points_ceiling(envelope->lower, envelope->rate, t);

	*ret_high = above >= WP_OFFSET_FAR ? WP_OFFSET_FAR : line + above;
	*ret_low = below >= WP_OFFSET_FAR ? -WP_OFFSET_FAR : line - below;
}
