/* SPDX-License-Identifier: MIT */
/* test-hull.c: thinned points, hulls and the lines between them, against all pairs of points. */
#include "config.h"

#include "sync/envelope.h"
#include "sync/hull.h"

typedef __int128 Wide;

static gint64 between(GRand *rand, gint64 low, gint64 high)
{
	const guint64 bits = ((guint64)g_rand_int(rand) << 32) | g_rand_int(rand);

	return low + (gint64)(bits % (guint64)(high - low + 1));
}

static void add(GArray *points, gint64 t, gint64 v)
{
	const WpPoint point = {t, v};

	g_array_append_val(points, point);
}

static WpPoint at(const GArray *points, guint i)
{
	return g_array_index(points, WpPoint, i);
}

/* The lowest cone at a time, by looking at all. */
static gint64 brute_ceiling(const GArray *points, gint64 rate, gint64 t)
{
	gint64 ceiling = G_MAXINT64;

	for (guint i = 0; i < points->len; i++)
		ceiling = MIN(ceiling,
			      at(points, i).v + wp_rate_times(rate, ABS(t - at(points, i).t)));
	return ceiling;
}

static void test_ceiling(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);

	for (guint round = 0; round < 500; round++) {
		g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(WpPoint));
		g_autoptr(GArray) thin = g_array_new(FALSE, FALSE, sizeof(WpPoint));
		const gint64 span = G_GINT64_CONSTANT(1) << between(rand, 4, 40);
		const gint64 rate = between(rand, 1, WP_RATE_LIMIT);
		const gint64 noise = 1 + wp_rate_times(rate, span) / between(rand, 1, 100);

		for (gint64 n = between(rand, 1, 120); n > 0; n--) {
			const gint64 t = between(rand, -span, span);

			add(all, t, between(rand, -noise, noise));
		}
		g_array_append_vals(thin, all->data, all->len);
		wp_points_thin(thin, rate);
		g_assert_cmpuint(thin->len, >=, 1);
		for (guint i = 1; i < thin->len; i++) {
			g_assert_cmpint(at(thin, i - 1).t, <, at(thin, i).t);
			g_assert_cmpint(ABS(at(thin, i).v - at(thin, i - 1).v), <=,
					wp_rate_times(rate, at(thin, i).t - at(thin, i - 1).t));
		}
		for (guint i = 0; i < 50; i++) {
			const gint64 t = between(rand, -2 * span, 2 * span);
			const gint64 right = brute_ceiling(all, rate, t);
			const gint64 ceiling = wp_points_ceiling(thin, rate, t);

			/*
			 * Cones are cut to whole nanoseconds: one that gave way to another may have
			 * been lower by one, and that one gives way again.
			 */
			g_assert_cmpint(ceiling, >=, right);
			g_assert_cmpint(ceiling, <=, right + 4);
		}
	}
}

/* Points come in any order, in pieces larger than what is collected at a time. */
static void test_collecting(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(2);
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(WpPoint));
	WpPoints points;

	wp_points_init(&points);
	for (guint i = 0; i < 300000; i++) {
		const gint64 t = i * 20000 + between(rand, -100000, 100000);
		const gint64 v = 30000 + between(rand, 0, 200000);

		wp_points_add(&points, t, v);
		add(all, t, v);
	}
	wp_points_add(&points, WP_POINT_MAX + 1, 0);
	wp_points_add(&points, 0, G_MININT64 + 1);
	wp_points_finish(&points);
	g_assert_cmpuint(points.n, ==, 300000);
	g_assert_false(points.coarse);
	g_assert_cmpuint(points.kept->len, <, 100000);
	wp_points_thin(all, WP_RATE_LIMIT);
	g_assert_cmpuint(all->len, ==, points.kept->len);
	for (guint i = 0; i < all->len; i++) {
		g_assert_cmpint(at(all, i).t, ==, at(points.kept, i).t);
		g_assert_cmpint(at(all, i).v, ==, at(points.kept, i).v);
	}
	wp_points_clear(&points);
}

/* More points that all matter than are kept: some go, and that is told. */
static void test_too_many(void)
{
	WpPoints points;

	wp_points_init(&points);
	for (gint64 i = 0; i < 3000000; i++)
		wp_points_add(&points, i * 1000000, i % 2 * 100);
	wp_points_finish(&points);
	g_assert_true(points.coarse);
	g_assert_cmpuint(points.kept->len, <=, 1u << 20);
	/* What is left are the lower ones. */
	for (guint i = 0; i < points.kept->len / 2; i++)
		g_assert_cmpint(at(points.kept, i).v, ==, 0);
	wp_points_clear(&points);
}

/* a/b < c/d, b and d above 0 */
static gboolean less(Wide a, Wide b, Wide c, Wide d)
{
	return a * d < c * b;
}

/*
 * The same from all pairs: a ceiling to the right of a floor limits the slope from above, one to
 * the left from below. Floors are negated.
 */
static gboolean brute_slopes(const GArray *upper, const GArray *lower, WpSlope *min, WpSlope *max)
{
	const gint64 one = WP_RATE_ONE;

	*max = (WpSlope){WP_RATE_LIMIT, one};
	*min = (WpSlope){-WP_RATE_LIMIT, one};
	for (guint i = 0; i < upper->len; i++) {
		for (guint j = 0; j < lower->len; j++) {
			const gint64 run = at(upper, i).t - at(lower, j).t;
			const gint64 rise = at(upper, i).v + at(lower, j).v;

			if (run == 0 && rise < 0)
				return FALSE;
			if (run > 0 && less(rise, run, max->rise, max->run))
				*max = (WpSlope){rise, run};
			if (run < 0 && less(min->rise, min->run, -rise, -run))
				*min = (WpSlope){-rise, -run};
		}
	}
	return !less(max->rise, max->run, min->rise, min->run);
}

static void fill_random(GRand *rand, GArray *upper, GArray *lower)
{
	const gint64 span = G_GINT64_CONSTANT(1) << between(rand, 3, 45);
	const gint64 slope = between(rand, -WP_RATE_LIMIT, WP_RATE_LIMIT);
	const gint64 noise = G_GINT64_CONSTANT(1) << between(rand, 0, 24);
	const gint64 overlap = between(rand, 0, 3) == 0 ? noise / 8 : 0;

	for (gint64 n = between(rand, 0, 60); n > 0; n--) {
		const gint64 t = between(rand, 0, span);

		add(upper, t, wp_rate_times(slope, t) + between(rand, -overlap, noise));
	}
	for (gint64 n = between(rand, 0, 60); n > 0; n--) {
		const gint64 t = between(rand, 0, span);

		add(lower, t, -wp_rate_times(slope, t) + between(rand, -overlap, noise));
	}
	wp_points_thin(upper, WP_RATE_LIMIT);
	wp_points_thin(lower, WP_RATE_LIMIT);
}

static void test_slopes(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(3);
	guint n_fit = 0, n_none = 0;

	for (guint round = 0; round < 5000; round++) {
		g_autoptr(GArray) upper = g_array_new(FALSE, FALSE, sizeof(WpPoint));
		g_autoptr(GArray) lower = g_array_new(FALSE, FALSE, sizeof(WpPoint));
		WpSlope min, max, right_min, right_max;

		fill_random(rand, upper, lower);

		g_autoptr(GArray) upper_hull = wp_hull_new(upper);
		g_autoptr(GArray) lower_hull = wp_hull_new(lower);
		const gboolean fits = brute_slopes(upper, lower, &right_min, &right_max);

		g_assert_cmpint(wp_hull_slopes(upper_hull, lower_hull, &min, &max), ==, fits);
		n_fit += fits;
		n_none += !fits;
		if (!fits)
			continue;
		g_assert_true((Wide)min.rise * right_min.run == (Wide)right_min.rise * min.run);
		g_assert_true((Wide)max.rise * right_max.run == (Wide)right_max.rise * max.run);
	}
	g_assert_cmpuint(n_fit, >, 1000);
	g_assert_cmpuint(n_none, >, 500);
}

static void test_hull(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(4);

	for (guint round = 0; round < 500; round++) {
		g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(WpPoint));
		g_autoptr(GArray) hull = NULL;
		guint corners = 0;

		for (gint64 n = between(rand, 1, 50), t = 0; n > 0; n--)
			add(points, t += between(rand, 1, 20), between(rand, 0, 30));
		hull = wp_hull_new(points);
		/* A corner is a point that lies below every line between one left and one right of it. */
		for (guint i = 0; i < points->len; i++) {
			const WpPoint p = at(points, i);
			gboolean corner = TRUE;

			for (guint l = 0; l < i; l++) {
				for (guint r = i + 1; r < points->len; r++) {
					const WpPoint a = at(points, l), b = at(points, r);

					corner = corner && (p.v - a.v) * (b.t - a.t) <
								   (b.v - a.v) * (p.t - a.t);
				}
			}
			if (!corner)
				continue;
			g_assert_cmpuint(corners, <, hull->len);
			g_assert_cmpint(at(hull, corners).t, ==, p.t);
			corners++;
		}
		g_assert_cmpuint(corners, ==, hull->len);
	}
}

/* How far apart the two sides are when a slope is taken off them. */
static gdouble brute_width(const GArray *upper, const GArray *lower, gint64 slope)
{
	gint64 low = G_MAXINT64, high = G_MAXINT64;

	for (guint i = 0; i < upper->len; i++)
		low = MIN(low, at(upper, i).v - wp_rate_times(slope, at(upper, i).t));
	for (guint i = 0; i < lower->len; i++)
		high = MIN(high, at(lower, i).v + wp_rate_times(slope, at(lower, i).t));
	return (gdouble)low + (gdouble)high;
}

static void test_widest(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(5);

	for (guint round = 0; round < 500; round++) {
		g_autoptr(GArray) upper = g_array_new(FALSE, FALSE, sizeof(WpPoint));
		g_autoptr(GArray) lower = g_array_new(FALSE, FALSE, sizeof(WpPoint));

		fill_random(rand, upper, lower);
		if (!upper->len || !lower->len)
			continue;

		g_autoptr(GArray) upper_hull = wp_hull_new(upper);
		g_autoptr(GArray) lower_hull = wp_hull_new(lower);
		const gint64 best = wp_hull_widest(upper_hull, lower_hull);
		const gdouble width = brute_width(upper, lower, best);
		/* One unit of the slope, over the times that there are. */
		const gdouble unit = 100;

		for (guint i = 0; i < 200; i++) {
			const gint64 slope = i < 100 ? between(rand, -WP_RATE_LIMIT, WP_RATE_LIMIT)
						     : best + between(rand, -1000, 1000);

			g_assert_cmpfloat(brute_width(upper, lower, slope), <=, width + unit);
		}
	}
}

/* The greatest overlap of the two sides' cones is that of some pair of points. */
static void test_overlap(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(6);

	for (guint round = 0; round < 500; round++) {
		g_autoptr(GArray) upper = g_array_new(FALSE, FALSE, sizeof(WpPoint));
		g_autoptr(GArray) lower = g_array_new(FALSE, FALSE, sizeof(WpPoint));
		const gint64 rate = between(rand, 1, WP_RATE_LIMIT);
		const gint64 slope = between(rand, -WP_RATE_LIMIT, WP_RATE_LIMIT) / 2;
		const gint64 slack = between(rand, 0, 1000);
		gint64 overlap = -WP_OFFSET_FAR;
		WpEnvelope envelope;

		fill_random(rand, upper, lower);
		for (guint i = 0; i < upper->len; i++) {
			for (guint j = 0; j < lower->len; j++) {
				const WpPoint u = at(upper, i), l = at(lower, j);
				const gint64 high = u.v - wp_rate_times(slope, u.t) + slack;
				const gint64 low = -(l.v + wp_rate_times(slope, l.t) + slack);

				overlap = MAX(overlap,
					      low - high - wp_rate_times(rate, ABS(u.t - l.t)));
			}
		}
		wp_envelope_init(&envelope, upper, lower, slope, rate, slack);
		g_assert_cmpint(ABS(wp_envelope_overlap(&envelope) - overlap), <=, 3);
		wp_envelope_clear(&envelope);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/points/ceiling", test_ceiling);
	g_test_add_func("/points/collecting", test_collecting);
	g_test_add_func("/points/too-many", test_too_many);
	g_test_add_func("/hull/corners", test_hull);
	g_test_add_func("/hull/slopes", test_slopes);
	g_test_add_func("/hull/widest", test_widest);
	g_test_add_func("/envelope/overlap", test_overlap);
	return g_test_run();
}
