/* SPDX-License-Identifier: MIT */
/*
 * clock-map.c: piecewise linear clock maps in exact integers.
 *
 * A map is a sorted array of knots. Between two of them the image of a time is
 * floor(reference + distance * rise / run), which no rounding of a slope enters: a
 * floating point estimate of the quotient is corrected by one multiplication, so
 * that the costly 128-bit division is left out of the inner loops of the path.
 */
#include "config.h"

#include <math.h>

#include "graph/clock-map.h"

/*
 * Times are mapped within 146 years around the epoch, so that no product of two
 * differences leaves 128 bits; beyond, a time is its own image.
 */
#define LIMIT WP_TIME_LATEST
/* Quotients below this are estimated to within one by a double. */
#define ESTIMATE_MAX ((gdouble)(G_GINT64_CONSTANT(1) << 50))
/* Of a piece longer than this two runs don't fit into 64 bits. */
#define RUN_MAX (G_GINT64_CONSTANT(1) << 61)

typedef __int128 Wide;

typedef struct {
	WpTime host, reference; /* the knot */
	WpTime bound;
	gint64 run; /* host time to the next knot, above 0 */
	gint64 lead; /* what the reference clock gains on the host's meanwhile, at least -run */
	gdouble slope; /* lead / run */
} Piece;

struct WpClockMap {
	Piece *pieces; /* owned: one a knot; the last goes on as the one before it */
	WpClockKnot *knots; /* owned */
	guint n;
	gboolean is_still; /* no knot has an offset: a time is its own image */
	gint64 growth; /* of the bound outside the knots, parts in 10^9 */
};

static WpTime saturate(Wide time)
{
	return (WpTime)CLAMP(time, -(Wide)LIMIT, (Wide)LIMIT);
}

static Wide floor_div(Wide numerator, Wide denominator)
{
	Wide quotient = numerator / denominator;

	return quotient - (numerator % denominator < 0);
}

/* Fills the slopes; a knot that would turn the clock back is moved to where it stands still. */
static void link_pieces(WpClockMap *map)
{
	for (guint i = 1; i < map->n; i++) {
		Piece *piece = &map->pieces[i - 1], *next = &map->pieces[i];

		next->reference = MAX(next->reference, piece->reference);
		piece->run = next->host - piece->host;
		piece->lead = (next->reference - piece->reference) - piece->run;
		piece->slope = (gdouble)piece->lead / (gdouble)piece->run;
	}
	if (map->n == 0)
		return;

	Piece *last = &map->pieces[map->n - 1];

	last->run = map->n > 1 ? last[-1].run : 1;
	last->lead = map->n > 1 ? last[-1].lead : 0;
	last->slope = map->n > 1 ? last[-1].slope : 0;
}

WpClockMap *wp_clock_map_new(const WpClockKnot *knots, guint n_knots, gint64 growth_ppb)
{
	WpClockMap *map = g_new0(WpClockMap, 1);

	map->growth = CLAMP(growth_ppb, 0, WP_NS_PER_S);
	map->pieces = g_new0(Piece, n_knots);
	map->knots = g_new0(WpClockKnot, n_knots);
	for (guint i = 0; i < n_knots; i++) {
		Piece *piece = &map->pieces[map->n];
		WpTime host = saturate(knots[i].host);

		if (map->n > 0 && host <= piece[-1].host)
			continue;
		piece->host = host;
		piece->reference = saturate((Wide)host + knots[i].offset);
		piece->bound = CLAMP(knots[i].bound, 0, LIMIT);
		map->n++;
	}
	link_pieces(map);
	map->is_still = TRUE;
	for (guint i = 0; i < map->n; i++) {
		const Piece *piece = &map->pieces[i];

		map->knots[i].host = piece->host;
		map->knots[i].offset = piece->reference - piece->host;
		map->knots[i].bound = piece->bound;
		map->is_still &= map->knots[i].offset == 0;
	}
	return map;
}

WpClockMap *wp_clock_map_dup(const WpClockMap *map)
{
	return wp_clock_map_new(map->knots, map->n, map->growth);
}

void wp_clock_map_free(WpClockMap *map)
{
	if (!map)
		return;
	g_free(map->pieces);
	g_free(map->knots);
	g_free(map);
}

gboolean wp_clock_map_is_identity(const WpClockMap *map)
{
	for (guint i = 0; i < map->n; i++) {
		if (map->knots[i].offset != 0 || map->knots[i].bound != 0)
			return FALSE;
	}
	return map->n == 0 || map->growth == 0;
}

/* The last piece that begins at or before time; the first one for a time before all. */
static const Piece *find(const WpClockMap *map, WpTime time)
{
	guint low = 0, high = map->n;

	while (high - low > 1) {
		guint middle = low + (high - low) / 2;

		if (map->pieces[middle].host <= time)
			low = middle;
		else
			high = middle;
	}
	return &map->pieces[low];
}

/* The same, for quotients that a double is not fit to estimate. */
static Wide gain_exact(const Piece *piece, gint64 distance)
{
	return floor_div((Wide)distance * piece->lead, piece->run);
}

/* floor(distance * lead / run), exact. */
static inline Wide gain(const Piece *piece, gint64 distance)
{
	gdouble estimate;
	gint64 quotient, rest;

	if (piece->lead == 0)
		return 0;
	estimate = (gdouble)distance * piece->slope;
	if (G_UNLIKELY(fabs(estimate) > ESTIMATE_MAX || piece->run > RUN_MAX))
		return gain_exact(piece, distance);
	/*
	 * It is off by less than two, so what it leaves over is less than two runs: that is right
	 * even where the products themselves don't fit.
	 */
	quotient = (gint64)estimate;
	rest = (gint64)((guint64)distance * (guint64)piece->lead -
			(guint64)quotient * (guint64)piece->run);
	for (; rest < 0; rest += piece->run)
		quotient--;
	for (; rest >= piece->run; rest -= piece->run)
		quotient++;
	return quotient;
}

static WpTime apply(const Piece *piece, WpTime host_time)
{
	const gint64 distance = host_time - piece->host;

	return saturate((Wide)piece->reference + distance + gain(piece, distance));
}

static gboolean is_identical(const WpClockMap *map, WpTime host_time)
{
	return map->is_still || host_time > LIMIT || host_time < -LIMIT;
}

WpTime wp_clock_map_apply(const WpClockMap *map, WpTime host_time)
{
	return is_identical(map, host_time) ? host_time : apply(find(map, host_time), host_time);
}

WpTime wp_clock_map_apply_near(const WpClockMap *map, WpTime host_time, guint *place)
{
	const Piece *piece;

	if (is_identical(map, host_time))
		return host_time;
	piece = &map->pieces[MIN(*place, map->n - 1)];
	if (host_time < piece->host ||
	    (piece < &map->pieces[map->n - 1] && host_time >= piece[1].host))
		piece = find(map, host_time);
	*place = (guint)(piece - map->pieces);
	return apply(piece, host_time);
}

/* The last piece whose knot's image is before time; the first one if there is none. */
static const Piece *find_image(const WpClockMap *map, WpTime time)
{
	guint low = 0, high = map->n;

	while (high - low > 1) {
		guint middle = low + (high - low) / 2;

		if (map->pieces[middle].reference < time)
			low = middle;
		else
			high = middle;
	}
	return &map->pieces[low];
}

WpTime wp_clock_map_invert(const WpClockMap *map, WpTime reference_time)
{
	if (is_identical(map, reference_time))
		return reference_time;
	if (reference_time == -LIMIT)
		return -LIMIT;

	/*
	 * floor(x) is not before a whole number exactly where x is not, so the answer is
	 * the distance at which the line itself reaches the time, rounded up.
	 */
	const Piece *piece = find_image(map, reference_time);
	const Wide rise = (Wide)piece->run + piece->lead;
	const Wide wanted = (Wide)reference_time - piece->reference;

	if (rise == 0) /* a clock that stands still before the first or behind the last knot */
		return wanted > 0 ? LIMIT + 1 : -LIMIT;

	const Wide distance = -floor_div(-(wanted * piece->run), rise);

	return (WpTime)CLAMP((Wide)piece->host + distance, -(Wide)LIMIT, (Wide)LIMIT + 1);
}

/* The bound at a distance outside the knots, rounded up. */
static WpTime grown(const WpClockMap *map, WpTime bound, Wide distance)
{
	return saturate(bound - floor_div(-distance * map->growth, WP_NS_PER_S));
}

WpTime wp_clock_map_bound(const WpClockMap *map, WpTime host_time)
{
	if (map->n == 0)
		return 0;

	const WpTime time = saturate(host_time);
	const Piece *piece = find(map, time);
	const Wide distance = (Wide)time - piece->host;

	if (distance < 0)
		return grown(map, piece->bound, -distance);
	if (piece == &map->pieces[map->n - 1])
		return grown(map, piece->bound, distance);

	const Wide change = (Wide)piece[1].bound - piece->bound;

	return (WpTime)(piece->bound - floor_div(-change * distance, piece->run));
}

const WpClockKnot *wp_clock_map_get_knots(const WpClockMap *map, guint *ret_n)
{
	*ret_n = map->n;
	return map->knots;
}
