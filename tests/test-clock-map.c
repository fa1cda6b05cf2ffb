/* SPDX-License-Identifier: MIT */
/* test-clock-map.c: clock maps against plain 128-bit fractions. */
#include "config.h"

#include "graph/clock-map.h"

typedef __int128 Wide;

static void test_identity(void)
{
	g_autoptr(WpClockMap) map = wp_clock_map_new(NULL, 0, 0);
	const WpTime times[] = {WP_TIME_MIN, -1, 0, 1, G_GINT64_CONSTANT(1772442049100000000),
				WP_TIME_MAX};
	guint n;

	g_assert_true(wp_clock_map_is_identity(map));
	for (guint i = 0; i < G_N_ELEMENTS(times); i++) {
		g_assert_cmpint(wp_clock_map_apply(map, times[i]), ==, times[i]);
		g_assert_cmpint(wp_clock_map_invert(map, times[i]), ==, times[i]);
		g_assert_cmpint(wp_clock_map_bound(map, times[i]), ==, 0);
	}
	wp_clock_map_get_knots(map, &n);
	g_assert_cmpuint(n, ==, 0);
}

/* By hand: ten hours off, 60 ppm fast, three knots of which the middle one lies off the line. */
static void test_by_hand(void)
{
	const WpTime t = G_GINT64_CONSTANT(1772442049100000000);
	const WpTime off = 36000 * WP_NS_PER_S;
	const WpClockKnot knots[] = {{t, off, 1000},
				     {t + WP_NS_PER_S, off - 60000, 2000},
				     {t + 2 * WP_NS_PER_S, off - 130000, 2000}};
	g_autoptr(WpClockMap) map = wp_clock_map_new(knots, 3, 200000);

	g_assert_false(wp_clock_map_is_identity(map));
	g_assert_cmpint(wp_clock_map_apply(map, t), ==, t + off);
	g_assert_cmpint(wp_clock_map_apply(map, t + WP_NS_PER_S / 2), ==,
			t + WP_NS_PER_S / 2 + off - 30000);
	/* A third of a second: 20000 ns less. */
	g_assert_cmpint(wp_clock_map_apply(map, t + 333333333), ==, t + 333333333 + off - 20000);
	g_assert_cmpint(wp_clock_map_apply(map, t + 333333334), ==, t + 333333334 + off - 20001);
	/* The first slope goes on to the left, the last one to the right. */
	g_assert_cmpint(wp_clock_map_apply(map, t - WP_NS_PER_S), ==,
			t - WP_NS_PER_S + off + 60000);
	g_assert_cmpint(wp_clock_map_apply(map, t + 4 * WP_NS_PER_S), ==,
			t + 4 * WP_NS_PER_S + off - 130000 - 140000);
	g_assert_cmpint(wp_clock_map_invert(map, t + off), ==, t);
	g_assert_cmpint(wp_clock_map_invert(map, t + WP_NS_PER_S + off - 60000), ==,
			t + WP_NS_PER_S);

	g_assert_cmpint(wp_clock_map_bound(map, t), ==, 1000);
	g_assert_cmpint(wp_clock_map_bound(map, t + WP_NS_PER_S / 4), ==, 1250);
	g_assert_cmpint(wp_clock_map_bound(map, t + WP_NS_PER_S / 4 + 1), ==, 1251);
	g_assert_cmpint(wp_clock_map_bound(map, t + 3 * WP_NS_PER_S / 2), ==, 2000);
	/* 200 ppm of a second are 200 us. */
	g_assert_cmpint(wp_clock_map_bound(map, t - WP_NS_PER_S), ==, 201000);
	g_assert_cmpint(wp_clock_map_bound(map, t + 3 * WP_NS_PER_S), ==, 202000);
}

static void test_one_knot(void)
{
	const WpClockKnot knot = {1000, 500, 7};
	g_autoptr(WpClockMap) map = wp_clock_map_new(&knot, 1, 1);

	g_assert_cmpint(wp_clock_map_apply(map, -5000), ==, -4500);
	g_assert_cmpint(wp_clock_map_apply(map, 5000), ==, 5500);
	g_assert_cmpint(wp_clock_map_invert(map, 5500), ==, 5000);
	g_assert_cmpint(wp_clock_map_bound(map, 1000), ==, 7);
	g_assert_cmpint(wp_clock_map_bound(map, 1001), ==, 8);
}

/* The image by the definition; the knots as the map holds them, at least two. */
static WpTime oracle(const WpClockKnot *knots, guint n, WpTime time)
{
	guint i = 0;

	while (i + 2 < n && knots[i + 1].host <= time)
		i++;

	const Wide run = (Wide)knots[i + 1].host - knots[i].host;
	const Wide rise = run + knots[i + 1].offset - knots[i].offset;
	const Wide product = ((Wide)time - knots[i].host) * rise;
	Wide quotient = product / run;

	if (product % run != 0 && product < 0)
		quotient--;
	return (WpTime)(knots[i].host + (Wide)knots[i].offset + quotient);
}

static gint64 between(GRand *rand, gint64 low, gint64 high)
{
	const guint64 bits = ((guint64)g_rand_int(rand) << 32) | g_rand_int(rand);

	return low + (gint64)(bits % (guint64)(high - low + 1));
}

static void check_time(const WpClockMap *map, const WpClockKnot *knots, guint n, WpTime time)
{
	const WpTime image = wp_clock_map_apply(map, time);

	g_assert_cmpint(image, ==, oracle(knots, n, time));
	g_assert_cmpint(wp_clock_map_apply(map, time + 1), >=, image);

	const WpTime back = wp_clock_map_invert(map, image);

	g_assert_cmpint(back, <=, time);
	g_assert_cmpint(wp_clock_map_apply(map, back), ==, image);
	g_assert_cmpint(wp_clock_map_apply(map, back - 1), <, image);

	const WpTime up = wp_clock_map_invert(map, image + 1);

	g_assert_cmpint(wp_clock_map_apply(map, up), >=, image + 1);
	g_assert_cmpint(wp_clock_map_apply(map, up - 1), <, image + 1);
}

/* Random maps of any steepness and size, every property at random times and at the knots. */
static void test_random(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(20260114);

	for (guint round = 0; round < 2000; round++) {
		const gint64 step = G_GINT64_CONSTANT(1) << between(rand, 1, 45);
		const gint64 steep = MAX(step >> between(rand, 0, 20), 1);
		const guint n = (guint)between(rand, 2, 12);
		WpClockKnot knots[12];

		knots[0].host = between(rand, -step * 100, step * 100);
		knots[0].offset = between(rand, -step * 100, step * 100);
		knots[0].bound = between(rand, 0, 1000);
		for (guint i = 1; i < n; i++) {
			const gint64 run = between(rand, 1, step);

			knots[i].host = knots[i - 1].host + run;
			knots[i].offset = knots[i - 1].offset +
					  between(rand, MAX(-run + 1, -steep), steep);
			knots[i].bound = between(rand, 0, 1000);
		}

		g_autoptr(WpClockMap) map = wp_clock_map_new(knots, n, between(rand, 0, 1000000));
		g_autoptr(WpClockMap) copy = wp_clock_map_dup(map);

		guint place = (guint)between(rand, 0, 20); /* where it is left does not matter */

		for (guint i = 0; i < n; i++)
			check_time(map, knots, n, knots[i].host);
		for (guint i = 0; i < 30; i++) {
			const WpTime time = between(rand, knots[0].host - step,
						    knots[n - 1].host + step);

			check_time(map, knots, n, time);
			g_assert_cmpint(wp_clock_map_apply_near(map, time, &place), ==,
					oracle(knots, n, time));
			g_assert_cmpint(wp_clock_map_apply(copy, time), ==,
					wp_clock_map_apply(map, time));
			g_assert_cmpint(wp_clock_map_bound(copy, time), ==,
					wp_clock_map_bound(map, time));
		}
	}
}

/* Pieces of years, in which little is gained: the products leave 64 bits, what they differ by not. */
static void test_long_pieces(void)
{
	const gint64 gains[] = {1, -1, 1000003, -1000003, (G_GINT64_CONSTANT(1) << 49) + 1};
	g_autoptr(GRand) rand = g_rand_new_with_seed(20261130);

	for (guint shift = 57; shift <= 61; shift++) {
		const WpTime far = G_GINT64_CONSTANT(1) << shift;

		for (guint g = 0; g < G_N_ELEMENTS(gains); g++) {
			const WpClockKnot knots[] = {{-far, 5, 0}, {far, 5 + gains[g], 0}};
			g_autoptr(WpClockMap) map = wp_clock_map_new(knots, 2, 0);

			check_time(map, knots, 2, -far);
			check_time(map, knots, 2, far);
			for (guint i = 0; i < 200; i++)
				check_time(map, knots, 2, between(rand, -far, far));
		}
	}
}

/* Knots that go back, coincide, stand still, or lie at the ends of time. */
static void test_odd_knots(void)
{
	const WpClockKnot turning[] = {{0, 100, 1}, {0, 5, 1}, {10, 0, 1}, {5, 0, 1}, {20, 0, 1}};
	g_autoptr(WpClockMap) map = wp_clock_map_new(turning, 5, 0);
	guint n;
	const WpClockKnot *knots = wp_clock_map_get_knots(map, &n);

	/* The second and fourth are dropped; the others' images may not go back: 100, 100, 100. */
	g_assert_cmpuint(n, ==, 3);
	g_assert_cmpint(knots[1].host + knots[1].offset, ==, 100);
	for (WpTime t = -100; t < 100; t++)
		g_assert_cmpint(wp_clock_map_apply(map, t), <=, wp_clock_map_apply(map, t + 1));
	g_assert_cmpint(wp_clock_map_apply(map, 15), ==, 100);
	g_assert_cmpint(wp_clock_map_apply(map, wp_clock_map_invert(map, 101)), >=, 101);
	g_assert_cmpint(wp_clock_map_apply(map, wp_clock_map_invert(map, 100)), >=, 100);

	const WpClockKnot extreme[] = {{WP_TIME_MIN, WP_TIME_MAX, WP_TIME_MAX},
				       {0, WP_TIME_MIN, -5},
				       {WP_TIME_MAX, WP_TIME_MAX, 0}};
	const WpTime times[] = {WP_TIME_MIN, WP_TIME_MIN / 2, -1,         0,
				1,           WP_TIME_MAX / 2, WP_TIME_MAX};
	g_autoptr(WpClockMap) wide = wp_clock_map_new(extreme, 3, WP_TIME_MAX);

	for (guint i = 0; i < G_N_ELEMENTS(times); i++) {
		g_assert_cmpint(wp_clock_map_bound(wide, times[i]), >=, 0);
		for (guint j = 0; j <= i; j++) {
			g_assert_cmpint(wp_clock_map_apply(wide, times[j]), <=,
					wp_clock_map_apply(wide, times[i]));
			g_assert_cmpint(wp_clock_map_invert(wide, times[j]), <=,
					wp_clock_map_invert(wide, times[i]));
		}
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/clock-map/identity", test_identity);
	g_test_add_func("/clock-map/by-hand", test_by_hand);
	g_test_add_func("/clock-map/one-knot", test_one_knot);
	g_test_add_func("/clock-map/random", test_random);
	g_test_add_func("/clock-map/long-pieces", test_long_pieces);
	g_test_add_func("/clock-map/odd-knots", test_odd_knots);
	return g_test_run();
}
