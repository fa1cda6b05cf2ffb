/* SPDX-License-Identifier: MIT */
/*
 * test-envelope.c: two simulated clocks and the packets between them: the true offset must
 * lie within the stated bound at every moment, not only where packets are.
 *
 * Clock a runs true; clock b is ahead of it by offset(t). Delays are a least one plus
 * an exponentially distributed rest. Seeds are fixed.
 */
#include "config.h"

#include <math.h>

#include "sync/island.h"

#define BEGIN G_GINT64_CONSTANT(1772442049100000000)

typedef struct {
	const gchar *name;
	gdouble seconds;
	gdouble (*offset)(gdouble t); /* us, after t seconds */
	gdouble rate; /* packets a second and direction */
	gdouble least_there, least_back; /* us */
	gdouble jitter; /* us, mean */
	gdouble begin, end; /* share of the time in which there are packets */
	gdouble tight; /* most that the bound may be within it, in least delays' half sum; 0: no matter */
	gdouble error; /* us: most that the estimate may err on average within it */
} Case;

static gdouble constant(gdouble t)
{
	return 37e6 + 12.5 * t;
}

static gdouble swing_300(gdouble t)
{
	/* 0.3 ppm to both sides, over ten minutes. */
	return -5000 + 3 * t + 0.3 * 600 / (2 * G_PI) * sin(2 * G_PI * t / 600);
}

static gdouble swing_1000(gdouble t)
{
	return 4e10 - 40 * t + 1.0 * 1200 / (2 * G_PI) * sin(2 * G_PI * t / 1200);
}

static gdouble step_5(gdouble t)
{
	return 100 + 8 * t + (t > 300 ? 5 * (t - 300) : 0);
}

/* 61 us to and fro in 10 s: hidden in the corridor that delays of 30 us leave. */
static gdouble zigzag(gdouble t)
{
	const gdouble phase = fmod(t, 10) / 10;

	return 700 + 2 * t + 61 * (phase < 0.5 ? 2 * phase : 2 - 2 * phase);
}

/* Two rates, one after the other, and a correction by the time daemon in between. */
static gdouble two_rates(gdouble t)
{
	const gdouble slewed = CLAMP(t - 2400, 0, 60);

	return -12e6 + 18 * t + (t > 1500 ? 25 * (t - 1500) : 0) - 50 * slewed;
}

static const Case cases[] = {
	{"constant", 60, constant, 100, 30, 30, 40, 0, 1, 1.5, 2},
	{"thermal-swing", 600, swing_300, 100, 30, 30, 40, 0, 1, 1.5, 2},
	{"large-swing", 3600, swing_1000, 50, 30, 30, 40, 0, 1, 2, 3},
	{"rate-step", 600, step_5, 100, 30, 30, 40, 0, 1, 1.5, 3},
	{"sparse", 600, constant, 2, 30, 30, 200, 0, 1, 0, 30},
	{"sparse-swing", 600, swing_300, 2, 30, 30, 200, 0, 1, 0, 30},
	{"asymmetric", 60, constant, 100, 50, 30, 40, 0, 1, 1.5, 12},
	{"asymmetric-much", 60, constant, 50, 6556, 1574, 300, 0, 1, 1.5, 2600},
	{"zigzag", 600, zigzag, 100, 30, 30, 40, 0, 1, 0, 15},
	{"zigzag-sparse", 600, zigzag, 10, 30, 30, 40, 0, 1, 0, 25},
	{"two-rates", 3600, two_rates, 20, 30, 30, 40, 0, 1, 0, 10},
	{"middle-only", 60, constant, 100, 30, 30, 40, 0.3, 0.6, 1.5, 2},
	{"begin-only", 120, swing_300, 100, 30, 30, 40, 0, 0.1, 1.5, 4},
	{"one-call", 20, constant, 20, 200, 250, 100, 0.5, 0.6, 0, 400},
};

static gint64 after(gdouble seconds)
{
	return BEGIN + (gint64)(seconds * 1e9);
}

/* Clock b's time when a's is a number of seconds after the begin. */
static WpTime clock_b(const Case *c, gdouble t)
{
	return after(t) + (gint64)(c->offset(t) * 1e3);
}

static gdouble random_delay(GRand *rand, gdouble least, gdouble jitter)
{
	return (least - jitter * log(1 - g_rand_double(rand))) * 1e-6;
}

static void send_packets(const Case *c, WpPair *pair, GRand *rand)
{
	const gdouble end = c->seconds * c->end;

	for (guint way = 0; way < 2; way++) {
		gdouble t = c->seconds * c->begin;

		for (;;) {
			const gdouble delay = random_delay(
				rand, way ? c->least_back : c->least_there, c->jitter);

			t -= log(1 - g_rand_double(rand)) / c->rate;
			if (t + delay > end)
				break;
			if (way == 0)
				wp_pair_add(pair, TRUE, after(t), clock_b(c, t + delay));
			else
				wp_pair_add(pair, FALSE, clock_b(c, t), after(t + delay));
		}
	}
}

static void run_case(gconstpointer data)
{
	const Case *c = data;
	g_autoptr(GRand) rand = g_rand_new_with_seed(4711);
	const WpPrior prior = {-WP_PRIOR_RATE, WP_PRIOR_RATE, 0};
	const gdouble half_sum = (c->least_there + c->least_back) / 2;
	WpIsland *island = wp_island_new();
	g_autoptr(GError) error = NULL;
	gdouble sum = 0, worst = 0, widest = 0, bounds = 0;
	guint n = 0;
	WpPair pair;

	wp_pair_init(&pair, 0, 1, BEGIN);
	send_packets(c, &pair, rand);
	wp_pair_measure(&pair);
	wp_pair_settle(&pair, &prior);
	g_assert_cmpint(pair.quality, ==, WP_PAIR_BOTH_WAYS);
	wp_island_add_host(island, 0, BEGIN, after(c->seconds));
	wp_island_add_host(island, 1, clock_b(c, 0), clock_b(c, c->seconds));
	wp_island_add_pair(island, 0, 1, &pair);
	g_assert_true(wp_island_solve(island, NULL, &error));
	g_assert_no_error(error);

	g_autoptr(WpClockMap) map = wp_island_map(island, 1, 0);
	guint n_knots;
	const WpClockKnot *knots = wp_clock_map_get_knots(map, &n_knots);

	g_assert_cmpint(knots[0].host, <=, clock_b(c, 0));
	g_assert_cmpint(knots[n_knots - 1].host, >=, clock_b(c, c->seconds));
	for (gdouble t = 0; t <= c->seconds; t += 0.01) {
		const WpTime b = clock_b(c, t);
		const gdouble off = (gdouble)ABS(wp_clock_map_apply(map, b) - after(t)) / 1e3;
		const gdouble bound = (gdouble)wp_clock_map_bound(map, b) / 1e3;

		if (off > bound + 0.002)
			g_error("%s: at %.2f s the offset errs by %.3f us, with a bound of %.3f",
				c->name, t, off, bound);
		if (t < c->seconds * c->begin + 0.2 || t > c->seconds * c->end - 0.2)
			continue;
		worst = MAX(worst, off);
		widest = MAX(widest, bound);
		bounds += bound;
		sum += off;
		n++;
	}
	n = MAX(n, 1);
	g_test_message("%s: errs by %.2f us, at most %.2f; bound %.2f us, at most %.2f; "
		       "rates %.3g and %.3g ppm; %u knots",
		       c->name, sum / n, worst, bounds / n, widest,
		       (gdouble)pair.fit.rate / (gdouble)WP_RATE_PPM,
		       (gdouble)pair.bound.rate / (gdouble)WP_RATE_PPM, n_knots);
	g_assert_cmpfloat(sum / n, <=, c->error);
	if (c->tight > 0)
		g_assert_cmpfloat(widest, <=, c->tight * half_sum);
	g_assert_cmpuint(n_knots, <=, 2000);
	wp_island_free(island);
	wp_pair_clear(&pair);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree gchar *path = g_strconcat("/envelope/", cases[i].name, NULL);

		g_test_add_data_func(path, &cases[i], run_case);
	}
	return g_test_run();
}
