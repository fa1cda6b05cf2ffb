/* SPDX-License-Identifier: MIT */
/* pair.c: the line between two clocks, and how much they may drift besides. */
#include "config.h"

#include <stdlib.h>

#include "sync/pair.h"

/* Clocks of one hour may well drift by this against their mean. */
#define FIT_RATE_MIN WP_RATE_PPM
/* A drift that turns back within less than this is not reckoned with unless packets show it. */
#define TURN_MIN (10 * WP_NS_PER_S)
/* The bound's envelope should mostly not be wider than the narrowest place by one in so many. */
#define WIDER_SHARE 8
/* Times at which widths are looked at. */
#define N_SAMPLES 512

void wp_pair_init(WpPair *pair, guint a, guint b, WpTime t0)
{
	*pair = (WpPair){.a = a, .b = b, .t0 = wp_clock_clamp(t0), .quality = WP_PAIR_NONE};
	wp_points_init(&pair->upper);
	wp_points_init(&pair->lower);
}

void wp_pair_clear(WpPair *pair)
{
	wp_points_clear(&pair->upper);
	wp_points_clear(&pair->lower);
	wp_envelope_clear(&pair->fit);
	wp_envelope_clear(&pair->bound);
}

gboolean wp_pair_point(const WpPair *pair, gboolean from_a, WpTime sent, WpTime received,
		       WpPoint *ret_point)
{
	const WpTime at_a = from_a ? sent : received, at_b = from_a ? received : sent;
	gint64 t, v;

	/* The difference of two times within WP_CLOCK_MAX fits; that of two differences may not. */
	if (wp_clock_clamp(at_a) != at_a || wp_clock_clamp(at_b) != at_b ||
	    __builtin_sub_overflow(at_b - at_a, pair->v0, &v))
		return FALSE;
	t = at_a - pair->t0;
	if (t > WP_POINT_MAX || t < -WP_POINT_MAX || v > WP_POINT_MAX || v < -WP_POINT_MAX)
		return FALSE;
	ret_point->t = t;
	ret_point->v = from_a ? v : -v;
	return TRUE;
}

void wp_pair_add(WpPair *pair, gboolean from_a, WpTime sent, WpTime received)
{
	WpPoint point;

	if (pair->upper.n + pair->lower.n == 0)
		pair->v0 = from_a ? wp_clock_clamp(received) - wp_clock_clamp(sent)
				  : wp_clock_clamp(sent) - wp_clock_clamp(received);
	if (wp_pair_point(pair, from_a, sent, received, &point))
		wp_points_add(from_a ? &pair->upper : &pair->lower, point.t, point.v);
}

void wp_pair_measure(WpPair *pair)
{
	g_autoptr(GArray) upper = NULL, lower = NULL;
	WpSlope min, max;

	wp_points_finish(&pair->upper);
	wp_points_finish(&pair->lower);
	upper = wp_hull_new(pair->upper.kept);
	lower = wp_hull_new(pair->lower.kept);
	pair->hull_upper = upper->len;
	pair->hull_lower = lower->len;
	pair->measured = upper->len && lower->len;
	pair->quality = pair->measured             ? WP_PAIR_BOTH_WAYS
			: upper->len || lower->len ? WP_PAIR_ONE_WAY
						   : WP_PAIR_NONE;
	pair->edge = wp_hull_edge(upper->len ? upper : lower) * (upper->len ? 1 : -1);
	pair->straight = wp_hull_slopes(upper, lower, &min, &max);
	if (pair->straight) {
		pair->min = wp_slope_to_rate(&min);
		pair->max = wp_slope_to_rate(&max);
	} else {
		pair->min = pair->max = wp_hull_widest(upper, lower);
	}
}

/*
 * The rate of the line, and how far the true one may be from it: of what both packets
 * and prior allow, what lies nearest to the prior's centre, but not in the outer quarters,
 * which only the slowest of packets would allow. The prior is taken at its widest where the
 * middle of what the packets allow is outside it: then they rather speak against it. Where
 * the two exclude each other the packets win. One way it is the line along the fastest
 * packets (Moon, Skelly and Towsley, INFOCOM 1999), within the prior.
 */
static gint64 choose_slope(const WpPair *pair, const WpPrior *prior, gint64 *ret_reach)
{
	const gint64 middle = pair->min + (pair->max - pair->min) / 2;
	const gint64 wider = middle < prior->low || middle > prior->high
				     ? WP_PRIOR_RATE_MAX - WP_PRIOR_RATE
				     : 0;
	gint64 low = MAX(pair->min, prior->low - wider);
	gint64 high = MIN(pair->max, prior->high + wider);
	gint64 quarter, slope;

	if (!pair->measured) {
		*ret_reach = prior->high - prior->low;
		return CLAMP(pair->edge, prior->low, prior->high);
	}
	if (low > high) {
		low = pair->min;
		high = pair->max;
	}
	quarter = (high - low) / 4;
	slope = CLAMP(prior->centre, low + quarter, high - quarter);
	*ret_reach = MAX(high - slope, slope - low);
	return slope;
}

/*
 * The least rate, by doubling, at which the two sides don't overlap, and half as much again; 0 when
 * that is more than clocks drift.
 */
static gint64 find_fit_rate(const WpPair *pair, gint64 slope)
{
	for (gint64 rate = FIT_RATE_MIN; rate < 2 * WP_PRIOR_RATE_MAX; rate *= 2) {
		WpEnvelope envelope;
		gint64 overlap;

		wp_envelope_init(&envelope, pair->upper.kept, pair->lower.kept, slope, rate, 0);
		overlap = wp_envelope_overlap(&envelope);
		wp_envelope_clear(&envelope);
		if (overlap <= 0)
			return rate + rate / 2;
	}
	return 0;
}

static gint compare_widths(gconstpointer a, gconstpointer b)
{
	const gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;

	return (x > y) - (x < y);
}

gboolean wp_pair_span(const WpPair *pair, gint64 *ret_begin, gint64 *ret_end)
{
	const GArray *upper = pair->upper.kept, *lower = pair->lower.kept;

	if (upper->len == 0 || lower->len == 0)
		return FALSE;
	*ret_begin = MAX(g_array_index(upper, WpPoint, 0).t, g_array_index(lower, WpPoint, 0).t);
	*ret_end = MIN(g_array_index(upper, WpPoint, upper->len - 1).t,
		       g_array_index(lower, WpPoint, lower->len - 1).t);
	return *ret_begin < *ret_end;
}

/* What an envelope is at most as wide as during 95 % of a time. */
static gint64 usual_width(const WpEnvelope *envelope, gint64 begin, gint64 end)
{
	gint64 widths[N_SAMPLES];

	for (guint i = 0; i < N_SAMPLES; i++) {
		const gint64 t = begin + (gint64)((__int128)(end - begin) * i / (N_SAMPLES - 1));
		gint64 low, high;

		wp_envelope_at(envelope, t, &low, &high);
		widths[i] = high - low;
	}
	qsort(widths, N_SAMPLES, sizeof(widths[0]), compare_widths);
	return widths[(N_SAMPLES - 1) * 95 / 100];
}

/*
 * The rate that the bound reckons with. The least one that fits is no upper limit: a
 * drift that turns back before it has crossed the corridor between the two sides shows
 * nowhere. So the rate is what can cross it, and back, within the time between packets
 * (or ten seconds, if they are denser); and it is raised as far as the packets are dense
 * enough to tell, so that the bound stays near to what their delays alone leave open.
 */
static gint64 find_bound_rate(WpPair *pair, gint64 slope, gint64 reach)
{
	const gint64 most = MAX(MAX(WP_PRIOR_RATE, reach), pair->fit.rate);
	gint64 least = MAX(reach, pair->fit.rate), rate, begin, end;
	guint n_points;
	WpEnvelope envelope;

	wp_envelope_init(&envelope, pair->upper.kept, pair->lower.kept, slope, most, pair->overlap);
	pair->width = MAX(-wp_envelope_overlap(&envelope), 0);
	n_points = MIN(envelope.upper->len, envelope.lower->len);
	wp_envelope_clear(&envelope);
	if (!wp_pair_span(pair, &begin, &end))
		return most;

	const gint64 turn = MAX(TURN_MIN, (end - begin) / n_points);

	least = MAX(least, (gint64)(((__int128)2 * pair->width * WP_RATE_ONE) / turn));
	for (rate = most; rate > least; rate /= 2) {
		gint64 wide;

		wp_envelope_init(&envelope, pair->upper.kept, pair->lower.kept, slope, rate,
				 pair->overlap);
		wide = usual_width(&envelope, begin, end);
		wp_envelope_clear(&envelope);
		if (wide <= pair->width + pair->width / WIDER_SHARE)
			break;
	}
	return MIN(MAX(rate, least), most);
}

void wp_pair_settle(WpPair *pair, const WpPrior *prior)
{
	const GArray *upper = pair->upper.kept, *lower = pair->lower.kept;
	gint64 reach, rate;
	const gint64 slope = choose_slope(pair, prior, &reach);

	wp_envelope_clear(&pair->fit);
	wp_envelope_clear(&pair->bound);
	rate = find_fit_rate(pair, slope);
	if (rate == 0) {
		rate = WP_PRIOR_RATE;
		wp_envelope_init(&pair->fit, upper, lower, slope, rate, 0);
		pair->overlap = wp_envelope_overlap(&pair->fit);
		pair->quality = WP_PAIR_CONTRADICTORY;
		wp_envelope_clear(&pair->fit);
	}
	wp_envelope_init(&pair->fit, upper, lower, slope, rate, pair->overlap);
	rate = find_bound_rate(pair, slope, reach);
	wp_envelope_init(&pair->bound, upper, lower, slope, rate, pair->overlap);
}

void wp_pair_at(const WpPair *pair, const WpEnvelope *envelope, WpTime time, gint64 *ret_low,
		gint64 *ret_high)
{
	wp_envelope_at(envelope, time - pair->t0, ret_low, ret_high);
	*ret_high = *ret_high < WP_OFFSET_FAR ? *ret_high + pair->v0 : G_MAXINT64;
	*ret_low = *ret_low > -WP_OFFSET_FAR ? *ret_low + pair->v0 : G_MININT64;
}
