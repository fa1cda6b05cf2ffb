/* SPDX-License-Identifier: MIT */
/*
 * test-sync.c: whole graphs joined: simulated hosts whose clocks are known, so that every map
 * and every bound can be held against the truth.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include "base/error.h"
#include "lib/packet-host.h"
#include "sync/sync.h"

#define BEGIN G_GINT64_CONSTANT(1772442049000000000)

/* A host's clock: how far it is ahead of the true time, in us, after t seconds. */
typedef struct {
	gdouble ahead, drift; /* us, ppm */
	gdouble swing, period; /* ppm, seconds */
	gdouble step, step_at; /* ppm more from then on */
	gdouble jump, jump_at; /* us ahead at once */
} Clock;

typedef struct {
	guint n;
	gdouble seconds;
	Clock *clocks; /* owned */
	PacketHost **hosts; /* owned, until joined */
	gchar **addresses; /* owned */
	GRand *rand; /* owned */
	guint number; /* of packets so far */
	WpGraph *graph; /* owned, once joined */
	WpSyncReport *report; /* owned */
} World;

static World *world_new(guint n, gdouble seconds, guint32 seed)
{
	World *w = g_new0(World, 1);

	w->n = n;
	w->seconds = seconds;
	w->clocks = g_new0(Clock, n);
	w->hosts = g_new0(PacketHost *, n);
	w->addresses = g_new0(gchar *, n + 1);
	w->rand = g_rand_new_with_seed(seed);
	for (guint i = 0; i < n; i++) {
		g_autofree gchar *name = g_strdup_printf("host%u", i);

		w->addresses[i] = g_strdup_printf("10.0.%u.%u", i / 250, 1 + i % 250);
		w->hosts[i] = packet_host_new(name, w->addresses[i]);
		if (i > 0)
			w->clocks[i] = (Clock){g_rand_double_range(w->rand, -4e10, 4e10),
					       g_rand_double_range(w->rand, -90, 90),
					       g_rand_double_range(w->rand, 0, 0.5),
					       g_rand_double_range(w->rand, 100, 1000),
					       0,
					       0};
	}
	return w;
}

static void world_free(World *w)
{
	wp_graph_free(w->graph);
	wp_sync_report_free(w->report);
	for (guint i = 0; w->hosts && i < w->n; i++)
		wp_host_free(packet_host_finish(w->hosts[i], 0, 1));
	g_free(w->hosts);
	g_free(w->clocks);
	g_strfreev(w->addresses);
	g_rand_free(w->rand);
	g_free(w);
}

/* A host's clock at a true time in seconds after the begin. */
static WpTime clock_at(const World *w, guint host, gdouble t)
{
	const Clock *c = &w->clocks[host];
	gdouble ahead = c->ahead + c->drift * t;

	if (c->swing > 0)
		ahead += c->swing * c->period / (2 * G_PI) * sin(2 * G_PI * t / c->period);
	if (c->step_at > 0 && t > c->step_at)
		ahead += c->step * (t - c->step_at);
	if (c->jump_at > 0 && t > c->jump_at)
		ahead += c->jump;
	return BEGIN + (WpTime)(t * 1e9) + (WpTime)(ahead * 1e3);
}

/* One packet, under way for 100 us and more; shift moves its reception (seconds). */
static void send_packet(World *w, guint from, guint to, gdouble t, gdouble shift)
{
	const gdouble delay = 100e-6 - 80e-6 * log(1 - g_rand_double(w->rand));
	const PacketSpec spec = {.protocol = PACKET_TCP,
				 .src = w->addresses[from],
				 .dst = w->addresses[to],
				 .sport = (guint16)(1000 + to),
				 .dport = (guint16)(1000 + from),
				 .seq = 100 * ++w->number,
				 .length = 100,
				 .id = (guint16)w->number,
				 .flags = PACKET_ACK};

	packet_host_send(w->hosts[from], clock_at(w, from, t), &spec, w->number);
	packet_host_receive(w->hosts[to], clock_at(w, to, t + delay + shift), &spec, w->number);
}

/* Calls between two hosts, so many a second, from one time to another. */
static void call(World *w, guint a, guint b, gdouble begin, gdouble end, gdouble rate)
{
	for (gdouble t = begin; t < end - 0.01; t -= log(1 - g_rand_double(w->rand)) / rate) {
		send_packet(w, a, b, t, 0);
		send_packet(w, b, a, t + 0.003, 0);
	}
}

static gboolean try_join(World *w, const WpSyncOptions *options, WpCancel *cancellable,
			 GError **error)
{
	if (w->hosts) {
		g_autofree WpHost **hosts = g_new0(WpHost *, w->n);

		for (guint i = 0; i < w->n; i++)
			hosts[i] = packet_host_finish(w->hosts[i], clock_at(w, i, 0),
						      clock_at(w, i, w->seconds));
		w->graph = wp_graph_new(hosts, w->n);
		g_clear_pointer(&w->hosts, g_free);
	}
	g_clear_pointer(&w->report, wp_sync_report_free);
	return wp_sync_join(w->graph, options, &w->report, cancellable, error);
}

static void join(World *w, guint reference)
{
	const WpSyncOptions options = {.reference = reference};
	g_autoptr(GError) error = NULL;

	g_assert_true(try_join(w, &options, NULL, &error));
	g_assert_no_error(error);
	g_assert_cmpuint(w->graph->reference, ==, reference);
}

/* The mean rate of a clock that was not set lies within what is told of it. */
static void check_drift(const World *w, guint h)
{
	const WpHostReport *row = &w->report->hosts[h];
	const guint r = w->graph->reference;
	const gdouble past = (gdouble)(clock_at(w, h, w->seconds) - clock_at(w, h, 0));
	const gdouble gained = (gdouble)(clock_at(w, r, w->seconds) - clock_at(w, r, 0)) - past;

	if (row->connected && w->clocks[h].jump_at <= 0 && w->clocks[r].jump_at <= 0)
		g_assert_cmpfloat(fabs(row->drift_ppm - gained * 1e6 / past), <=,
				  row->drift_bound_ppm + 4e6 / past);
}

/* Every host of the reference's island is within its bound all the time, and every pair. */
static void check_truth(const World *w, gdouble step)
{
	const guint r = w->graph->reference;

	for (guint h = 0; h < w->n; h++)
		check_drift(w, h);
	for (gdouble t = 0; t <= w->seconds; t += step) {
		const WpTime now = clock_at(w, r, t);

		for (guint h = 0; h < w->n; h++) {
			const WpTime at = clock_at(w, h, t);
			const WpTime bound = wp_clock_map_bound(w->graph->joins[h].map, at);
			const WpTime off = wp_graph_time(w->graph, h, at) - now;

			if (!w->report->hosts[h].connected)
				continue;
			if (ABS(off) > bound + 2)
				g_error("host%u errs at %.3f s by %" G_GINT64_FORMAT
					" ns, bound %" G_GINT64_FORMAT,
					h, t, off, bound);
			for (guint k = 0; k < h; k++) {
				const WpTime other = wp_graph_time(w->graph, k, clock_at(w, k, t));
				const WpTime error = wp_graph_clock_error(w->graph, h, k, now);

				if (!w->report->hosts[k].connected)
					continue;
				g_assert_cmpint(ABS(wp_graph_time(w->graph, h, at) - other), <=,
						error + 3);
				g_assert_cmpint(error, ==,
						wp_graph_clock_error(w->graph, k, h, now));
			}
		}
	}
}

static const WpFinding *find_finding(const WpGraph *graph, const gchar *code)
{
	for (guint i = 0; i < wp_findings_n(graph->findings); i++) {
		const WpFinding *finding = wp_findings_get(graph->findings, i);

		if (g_str_equal(finding->code, code))
			return finding;
	}
	return NULL;
}

static const WpPairReport *find_pair(const World *w, guint a, guint b)
{
	for (guint i = 0; i < w->report->pairs->len; i++) {
		const WpPairReport *row = &g_array_index(w->report->pairs, WpPairReport, i);

		if (row->a == a && row->b == b)
			return row;
	}
	return NULL;
}

static void check_joined(const World *w)
{
	for (guint h = 0; h < w->n; h++) {
		const WpHost *host = w->graph->hosts[h];
		guint n;
		const WpClockKnot *knots = wp_clock_map_get_knots(w->graph->joins[h].map, &n);

		g_assert_true(w->report->hosts[h].connected);
		g_assert_cmpuint(n, >=, 2);
		g_assert_cmpint(knots[0].host, <=, host->begin);
		g_assert_cmpint(knots[n - 1].host, >=, host->end);
	}
	for (guint i = 0; i < w->report->pairs->len; i++) {
		const WpPairReport *row = &g_array_index(w->report->pairs, WpPairReport, i);

		g_assert_cmpint(row->quality, ==, WP_PAIR_BOTH_WAYS);
		g_assert_cmpuint(row->inversions_after, ==, 0);
		g_assert_cmpuint(row->unmatched, ==, 0);
	}
}

static void test_two_hosts(void)
{
	World *w = world_new(2, 20, 1);

	call(w, 0, 1, 1, 19, 50);
	join(w, 0);
	check_joined(w);
	check_truth(w, 0.01);
	g_assert_cmpint(w->report->hosts[1].bound_min, <, 130000);
	g_assert_cmpfloat(fabs(w->report->hosts[1].drift_ppm + w->clocks[1].drift), <,
			  2e-3 * (gdouble)w->report->hosts[1].bound_max / w->seconds);
	g_assert_cmpuint(find_pair(w, 0, 1)->inversions_before, >, 0);
	world_free(w);
}

/*
 * The same three hosts on each one's clock: what is one moment for two of them does not depend
 * on whose clock all times are given.
 */
static void test_reference(void)
{
	World *w = world_new(3, 10, 2);
	WpTime b_of_a[101], c_of_a[101], bound[101];

	call(w, 0, 1, 0, 10, 20);
	call(w, 1, 2, 0, 10, 20);
	call(w, 0, 2, 4, 5, 20);
	for (guint r = 0; r < 3; r++) {
		join(w, r);
		check_joined(w);
		check_truth(w, 0.05);
		for (guint i = 0; i <= 100; i++) {
			const WpTime now = wp_graph_time(w->graph, 0, clock_at(w, 0, i * 0.1));
			const WpTime b = wp_clock_map_invert(w->graph->joins[1].map, now);
			const WpTime c = wp_clock_map_invert(w->graph->joins[2].map, now);
			const WpTime error = wp_graph_clock_error(w->graph, 1, 2, now);

			if (r == 0) {
				b_of_a[i] = b;
				c_of_a[i] = c;
				bound[i] = error;
			}
			g_assert_cmpint(ABS(b - b_of_a[i]), <=, 3);
			g_assert_cmpint(ABS(c - c_of_a[i]), <=, 3);
			g_assert_cmpint(ABS(error - bound[i]), <=, 3);
		}
	}
	world_free(w);
}

static void test_ring(void)
{
	World *w = world_new(64, 20, 3);

	for (guint i = 0; i < 64; i++)
		call(w, i, (i + 1) % 64, 0, 20, 5);
	join(w, 5);
	check_joined(w);
	check_truth(w, 1);
	/* Half round the ring are 32 pairs. */
	g_assert_cmpint(w->report->hosts[37].bound_median, >, w->report->hosts[6].bound_median);
	g_assert_cmpint(w->report->hosts[37].bound_median, <, 32 * 250000);
	world_free(w);
}

static void test_star(void)
{
	World *w = world_new(64, 20, 4);

	for (guint i = 1; i < 64; i++)
		call(w, 0, i, 0, 20, 5);
	join(w, 9);
	check_joined(w);
	check_truth(w, 1);
	world_free(w);
}

/* A third host ties two together better than the few packets that they exchange. */
static void test_tightening(void)
{
	World *w = world_new(3, 20, 5);
	WpTime alone;

	call(w, 0, 1, 10, 10.1, 50);
	join(w, 0);
	g_assert_false(w->report->hosts[2].connected);
	g_assert_nonnull(find_finding(w->graph, "hosts-not-joined"));
	g_assert_nonnull(find_finding(w->graph, "drift-unknown"));
	check_truth(w, 0.1);
	alone = w->report->hosts[1].bound_max;
	world_free(w);

	w = world_new(3, 20, 5);
	call(w, 0, 1, 10, 10.1, 50);
	call(w, 0, 2, 0, 20, 50);
	call(w, 1, 2, 0, 20, 50);
	join(w, 0);
	check_joined(w);
	check_truth(w, 0.05);
	g_assert_cmpint(w->report->hosts[1].bound_max, <, alone / 2);
	world_free(w);
}

/* All agree but for one pair, whose packets are 5 ms off: it is named, and spoils nothing. */
static void test_contradictory_pair(void)
{
	World *w = world_new(6, 10, 6);
	const WpFinding *finding;

	for (guint a = 0; a < 6; a++) {
		for (guint b = a + 1; b < 6; b++) {
			for (gdouble t = 0.1; t < 9.9; t += 0.1) {
				const gboolean bad = a == 2 && b == 4;

				send_packet(w, a, b, t, bad ? 5e-3 : 0);
				send_packet(w, b, a, t + 0.02, bad ? -5e-3 : 0);
			}
		}
	}
	join(w, 0);
	for (guint i = 0; i < w->report->pairs->len; i++) {
		const WpPairReport *row = &g_array_index(w->report->pairs, WpPairReport, i);
		const gboolean bad = row->a == 2 && row->b == 4;

		g_assert_cmpint(row->quality, ==, bad ? WP_PAIR_CONTRADICTORY : WP_PAIR_BOTH_WAYS);
		g_assert_cmpuint(row->inversions_after, ==, bad ? row->b_to_a : 0);
	}
	finding = find_finding(w->graph, "contradictory-pair");
	g_assert_nonnull(finding);
	g_assert_nonnull(strstr(finding->text, "host2 and host4"));
	g_assert_nonnull(find_finding(w->graph, "packets-inverted"));
	check_truth(w, 0.1);
	world_free(w);
}

/* Packets of only two hosts that no clocks explain: round trips of less than no time. */
static void test_contradictory_alone(void)
{
	World *w = world_new(2, 10, 7);

	for (gdouble t = 0.1; t < 9.9; t += 0.1) {
		send_packet(w, 0, 1, t, -2e-3);
		send_packet(w, 1, 0, t + 0.02, -2e-3);
	}
	join(w, 0);
	g_assert_cmpint(find_pair(w, 0, 1)->quality, ==, WP_PAIR_CONTRADICTORY);
	g_assert_nonnull(find_finding(w->graph, "contradictory-pair"));
	/* Still joined, with a bound that covers what does not fit. */
	g_assert_true(w->report->hosts[1].connected);
	check_truth(w, 0.1);
	world_free(w);
}

static WpTime bound_at(const World *w, guint host, gdouble t)
{
	return wp_clock_map_bound(w->graph->joins[host].map, clock_at(w, host, t));
}

/*
 * A clock that jumps: set by somebody, or stopped while its machine was suspended. What is before
 * and what is behind are each known as well as ever; between, the bound covers both. A clock that
 * is set back by more than a second can't be followed, which is said.
 */
static void test_jumps(void)
{
	static const gdouble jumps[] = {300,  -300,  1e3, -1e3, 20e3,   -20e3,
					80e3, -80e3, 5e6, -5e6, 3600e6, -3600e6};

	for (guint i = 0; i < 4 * G_N_ELEMENTS(jumps); i++) {
		const gdouble jump = jumps[i / 4];
		World *w = world_new(2, 40, 20 + i);

		w->clocks[1] = (Clock){.ahead = 7e6, .drift = 20, .jump = jump, .jump_at = 20};
		call(w, 0, 1, 0.5, 39.5, 20);
		join(w, 0);
		if (jump < -1e6) {
			g_assert_nonnull(find_finding(w->graph, "contradictory-pair"));
		} else {
			check_truth(w, 0.01);
			check_joined(w);
			g_assert_nonnull(find_finding(w->graph, "clock-stepped"));
			g_assert_cmpint(bound_at(w, 1, 10), <, 150000);
			g_assert_cmpint(bound_at(w, 1, 30), <, 150000);
			g_assert_cmpfloat(fabs(w->report->hosts[1].drift_ppm + 20), <, 25);
		}
		world_free(w);
	}
}

/*
 * A jump of more than the packets' delays hide, anywhere: the bounds hold before, behind and
 * between; or, where hardly a packet follows it, something is said.
 */
static void test_jumps_anywhere(void)
{
	guint n_followed = 0;

	for (guint i = 0; i < 100; i++) {
		World *w = world_new(2, 30, 1000 + i);
		const gdouble jump = exp(g_rand_double_range(w->rand, log(400), log(900e3)));

		w->clocks[1].jump = g_rand_boolean(w->rand) ? jump : -jump;
		w->clocks[1].jump_at = g_rand_double_range(w->rand, 1, 29);
		call(w, 0, 1, 0, 30, exp(g_rand_double_range(w->rand, log(3), log(100))));
		join(w, 0);
		if (find_finding(w->graph, "clock-stepped")) {
			n_followed++;
			check_truth(w, 0.01);
			check_joined(w);
		} else {
			g_assert_true(find_finding(w->graph, "contradictory-pair") ||
				      find_finding(w->graph, "packets-left-out"));
		}
		world_free(w);
	}
	g_assert_cmpuint(n_followed, >=, 95);
}

/* Two of four hosts are stepped, at different times: all pairs know, whichever is the reference. */
static void test_jumps_of_many(void)
{
	for (guint i = 0; i < 8; i++) {
		World *w = world_new(4, 40, 70 + i);
		guint n_steps = 0;

		w->clocks[2].jump = g_rand_double_range(w->rand, 500, 200e3);
		w->clocks[2].jump_at = g_rand_double_range(w->rand, 5, 15);
		w->clocks[1].jump = -g_rand_double_range(w->rand, 500, 200e3);
		w->clocks[1].jump_at = g_rand_double_range(w->rand, 20, 35);
		for (guint a = 0; a < 4; a++) {
			for (guint b = a + 1; b < 4; b++)
				call(w, a, b, 0, 40, 10);
		}
		join(w, i % 4);
		check_truth(w, 0.01);
		check_joined(w);
		for (guint k = 0; k < wp_findings_n(w->graph->findings); k++) {
			const WpFinding *finding = wp_findings_get(w->graph->findings, k);

			if (!g_str_equal(finding->code, "clock-stepped"))
				continue;
			n_steps++;
			g_assert_nonnull(strstr(finding->text, g_str_equal(finding->host, "host2")
								       ? "host2 gained"
								       : "host1 lost"));
		}
		g_assert_cmpuint(n_steps, ==, 2);
		g_assert_cmpint(bound_at(w, (i + 1) % 4, 38), <, 200000);
		world_free(w);
	}
}

/* The middle of a star is stepped: the others, which exchange nothing, stay related. */
static void test_jump_of_star(void)
{
	World *w = world_new(16, 20, 90);

	w->clocks[0] = (Clock){.jump = 30e3, .jump_at = 9};
	for (guint i = 1; i < 16; i++)
		call(w, 0, i, 0, 20, 10);
	join(w, 3);
	check_truth(w, 0.05);
	check_joined(w);
	world_free(w);
}

/* NTP slews a clock by 500 ppm from the middle of the trace on: every bound holds. */
static void test_slew(void)
{
	World *w = world_new(2, 60, 30);

	w->clocks[1] = (Clock){.ahead = -3e6, .drift = -30, .step = 500, .step_at = 30};
	call(w, 0, 1, 0.5, 59.5, 20);
	join(w, 0);
	check_joined(w);
	check_truth(w, 0.01);
	world_free(w);
}

static void test_one_way(void)
{
	World *w = world_new(2, 10, 8);
	const WpFinding *finding;

	for (gdouble t = 0.1; t < 9.9; t += 0.05)
		send_packet(w, 1, 0, t, 0);
	join(w, 0);
	g_assert_cmpint(find_pair(w, 0, 1)->quality, ==, WP_PAIR_ONE_WAY);
	finding = find_finding(w->graph, "one-way-pair");
	g_assert_nonnull(finding);
	g_assert_nonnull(strstr(finding->text, "from host1 to host0"));
	g_assert_true(w->report->hosts[1].connected);
	/* As if the fastest packet took no time: that is off by its delay, 100 us. */
	for (gdouble t = 0.5; t < 9.5; t += 0.1) {
		const WpTime off = wp_graph_time(w->graph, 1, clock_at(w, 1, t)) -
				   clock_at(w, 0, t);

		g_assert_cmpint(off, >=, 0);
		g_assert_cmpint(off, <=, 200000);
	}
	g_assert_cmpint(w->report->hosts[1].bound_min, >=, WP_NS_PER_S / 2);
	g_assert_cmpuint(find_pair(w, 0, 1)->inversions_after, ==, 0);
	world_free(w);
}

/* Two one-way pairs in opposite directions by way of a third host bound each other. */
static void test_one_way_round(void)
{
	World *w = world_new(3, 10, 9);

	for (gdouble t = 0.1; t < 9.9; t += 0.05) {
		send_packet(w, 0, 1, t, 0);
		send_packet(w, 1, 2, t + 0.01, 0);
		send_packet(w, 2, 0, t + 0.02, 0);
	}
	join(w, 0);
	check_truth(w, 0.05);
	for (guint h = 1; h < 3; h++)
		g_assert_cmpint(w->report->hosts[h].bound_median, <, 400000);
	world_free(w);
}

static void test_islands(void)
{
	World *w = world_new(5, 10, 10);
	guint n_findings = 0;

	call(w, 0, 3, 0, 10, 20);
	call(w, 1, 2, 0, 10, 20);
	join(w, 3);
	g_assert_cmpuint(w->graph->joins[0].island, ==, w->graph->joins[3].island);
	g_assert_cmpuint(w->graph->joins[1].island, ==, w->graph->joins[2].island);
	g_assert_cmpuint(w->graph->joins[1].island, !=, w->graph->joins[3].island);
	g_assert_cmpuint(w->graph->joins[4].island, !=, w->graph->joins[1].island);
	g_assert_cmpuint(w->graph->joins[4].island, !=, w->graph->joins[3].island);
	for (guint h = 0; h < 5; h++)
		g_assert_cmpint(w->report->hosts[h].connected, ==, h == 0 || h == 3);
	for (guint i = 0; i < wp_findings_n(w->graph->findings); i++) {
		const WpFinding *finding = wp_findings_get(w->graph->findings, i);

		if (!g_str_equal(finding->code, "hosts-not-joined"))
			continue;
		n_findings++;
		g_assert_true(g_str_equal(finding->host, "host1") ||
			      g_str_equal(finding->host, "host2") ||
			      g_str_equal(finding->host, "host4"));
	}
	g_assert_cmpuint(n_findings, ==, 3);
	/* The other island is in order in itself, on the clock of its first host. */
	for (gdouble t = 0; t <= 10; t += 0.1) {
		const WpTime one = wp_graph_time(w->graph, 1, clock_at(w, 1, t));
		const WpTime two = wp_graph_time(w->graph, 2, clock_at(w, 2, t));

		g_assert_cmpint(one, ==, clock_at(w, 1, t));
		g_assert_cmpint(ABS(one - two), <=, wp_graph_clock_error(w->graph, 1, 2, one) + 2);
	}
	/* Nothing is known between them: more than a year. */
	g_assert_cmpint(wp_graph_clock_error(w->graph, 0, 1, clock_at(w, 3, 5)) / WP_NS_PER_S, >,
			365 * 24 * 3600);
	check_truth(w, 0.1);
	world_free(w);
}

/* What the user says of a clock holds; packets join the rest. */
static void test_offsets(void)
{
	World *w = world_new(3, 10, 11);
	gint64 offsets[3] = {G_MININT64, G_MININT64, G_MININT64};
	WpSyncOptions options = {.reference = 0, .offsets = offsets};

	w->clocks[1] = (Clock){5e6, 0, 0, 0, 0, 0};
	call(w, 1, 2, 0, 10, 20);
	offsets[1] = -5 * WP_NS_PER_S;
	g_assert_true(try_join(w, &options, NULL, NULL));
	g_assert_true(w->report->hosts[1].connected);
	g_assert_true(w->report->hosts[2].connected);
	g_assert_cmpint(w->report->hosts[1].offset, ==, -5 * WP_NS_PER_S);
	g_assert_cmpint(w->report->hosts[1].bound_max, <=, 4);
	check_truth(w, 0.05);

	/* On another clock the same. */
	offsets[1] = G_MININT64;
	offsets[0] = 5 * WP_NS_PER_S;
	options.reference = 1;
	g_assert_true(try_join(w, &options, NULL, NULL));
	g_assert_cmpint(w->report->hosts[0].offset, ==, 5 * WP_NS_PER_S);
	check_truth(w, 0.05);
	world_free(w);

	/* A wrong word is kept to, and told by what then comes before it was sent. */
	w = world_new(2, 10, 11);
	call(w, 0, 1, 0, 10, 20);
	options.reference = 0;
	offsets[0] = G_MININT64;
	offsets[1] = clock_at(w, 0, 5) - clock_at(w, 1, 5) + 50 * WP_NS_PER_MS;
	g_assert_true(try_join(w, &options, NULL, NULL));
	g_assert_cmpint(w->report->hosts[1].offset, ==, offsets[1]);
	g_assert_cmpuint(find_pair(w, 0, 1)->inversions_after, >=, find_pair(w, 0, 1)->b_to_a);
	g_assert_nonnull(find_finding(w->graph, "packets-inverted"));
	world_free(w);
}

/* An hour with two rates and a correction, slewed or set at once, every second of it. */
static void test_hour(void)
{
	static const gdouble jumps[] = {0, -2e3, 128e3};

	for (guint i = 0; i < G_N_ELEMENTS(jumps); i++) {
		World *w = world_new(2, 3600, 12);

		w->clocks[1] = (Clock){37e6, 18, 0.2, 900, 22, 1500, jumps[i], 2200.3};
		/* A correction by a time daemon: the rate of the other host for the last quarter. */
		w->clocks[0] = (Clock){0, 0, 0, 0, 4, 2700, 0, 0};
		call(w, 0, 1, 0, 3600, 4);
		join(w, 0);
		check_joined(w);
		check_truth(w, 1);
		g_assert_cmpint(w->report->hosts[1].bound_median, <, 400000);
		g_assert_cmpint(!find_finding(w->graph, "clock-stepped"), ==, jumps[i] == 0);
		world_free(w);
	}
}

static gchar *temporary_file(gchar **ret_dir)
{
	*ret_dir = g_dir_make_tmp("waitpath-test-XXXXXX", NULL);
	g_assert_nonnull(*ret_dir);
	return g_build_filename(*ret_dir, "clocks.json", NULL);
}

/* Saved clocks give the same times without packets, and on another reference too. */
static void test_saved(void)
{
	World *w = world_new(4, 10, 13);
	World *other = world_new(4, 10, 13);
	g_autofree gchar *dir = NULL, *path = temporary_file(&dir);
	WpSyncOptions options = {.reference = 1, .sync_file = path};
	g_autoptr(GError) error = NULL;

	call(w, 0, 1, 0, 10, 20);
	call(w, 1, 2, 0, 10, 20);
	join(w, 1);
	g_assert_true(wp_sync_save(w->graph, w->report, path, &error));
	g_assert_no_error(error);
	g_assert_true(try_join(other, &options, NULL, &error));
	g_assert_no_error(error);
	for (guint h = 0; h < 3; h++) {
		for (gdouble t = -1; t <= 11; t += 0.1) {
			const WpTime at = clock_at(w, h, t);

			g_assert_cmpint(wp_graph_time(w->graph, h, at), ==,
					wp_graph_time(other->graph, h, at));
		}
	}
	g_assert_true(other->report->hosts[0].connected);
	g_assert_true(other->report->hosts[2].connected);
	g_assert_false(other->report->hosts[3].connected);
	check_truth(other, 0.1);

	options.reference = 2;
	g_assert_true(try_join(other, &options, NULL, &error));
	check_truth(other, 0.1);

	/* The file does not know host3: the others stay together, apart from it. */
	options.reference = 3;
	g_assert_true(try_join(other, &options, NULL, &error));
	g_assert_cmpuint(other->graph->joins[0].island, ==, other->graph->joins[2].island);
	g_assert_cmpuint(other->graph->joins[0].island, !=, other->graph->joins[3].island);
	g_assert_false(other->report->hosts[0].connected);

	g_assert_cmpint(g_unlink(path), ==, 0);
	g_assert_cmpint(g_rmdir(dir), ==, 0);
	world_free(w);
	world_free(other);
}

/* Files that are none: an error that names the file, and nothing worse. */
static void test_broken_files(void)
{
	static const gchar *const broken[] = {
		"",
		"{",
		"[]",
		"{}",
		"{\"schema\": \"waitpath-sync/2\"}",
		"{\"schema\": 1}",
		"{\"schema\": \"waitpath-sync/1\", \"hosts\": [{}]}",
		"{\"schema\": \"waitpath-sync/1\", \"hosts\": [{\"host\": \"host1\", \"knots\": "
		"[[1]]}]}",
		"{\"schema\": \"waitpath-sync/1\", \"hosts\": [{\"host\": \"host1\", \"knots\": "
		"[[1, 2, 3.5]]}]}",
		"{\"schema\": \"waitpath-sync/1\", \"hosts\": [{\"host\": \"host1\", \"knots\": "
		"[[2, 2, 3], [1, 2, 3]]}]}",
		"{\"schema\": \"waitpath-sync/1\", \"hosts\": [{\"host\": \"\\ud800\\u12\"}",
		"{\"schema\": \"waitpath-sync/1\" \"hosts\": []}",
		"{\"schema\": \"waitpath-sync/1\", \"x\": "
		"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"
		"}",
		"{\"schema\": \"waitpath-sync/1\", \"x\": ",
		"{\"schema\": \"waitpath-sync/1\", \"x\": \"",
		"{\"schema\": \"waitpath-sync/1\", \"x\": \"\\",
	};
	World *w = world_new(2, 10, 14);
	g_autofree gchar *dir = NULL, *path = temporary_file(&dir);
	const WpSyncOptions options = {.reference = 0, .sync_file = path};
	g_autoptr(GError) error = NULL;

	g_assert_false(try_join(w, &options, NULL, &error));
	g_assert_nonnull(error);
	for (guint i = 0; i < G_N_ELEMENTS(broken); i++) {
		g_clear_error(&error);
		g_assert_true(g_file_set_contents(path, broken[i], -1, NULL));
		g_assert_false(try_join(w, &options, NULL, &error));
		g_assert_error(error, WP_ERROR, WP_ERROR_FAILED);
		g_assert_nonnull(strstr(error->message, path));
	}

	/* What is not known is passed over; names may be written in any way that JSON allows. */
	g_clear_error(&error);
	g_assert_true(g_file_set_contents(
		path,
		"{\"more\": {\"a\": [1, -2.5e3, true, null, \"\\\"\\n\\u00e9\"], \"b\": {}},\n"
		" \"schema\": \"waitpath-sync/1\", \"reference\": \"host0\", \"hosts\": [\n"
		" {\"host\": \"host0\", \"connected\": true, \"knots\": []},\n"
		" {\"knots\": [[1772442049000000000, -7, 3], [1772442050000000000, -9, 3]],"
		" \"connected\": true, \"host\": \"h\\u006fst1\"}], \"pairs\": []}",
		-1, NULL));
	g_assert_true(try_join(w, &options, NULL, &error));
	g_assert_no_error(error);
	g_assert_true(w->report->hosts[1].connected);
	g_assert_cmpint(wp_graph_time(w->graph, 1, BEGIN + WP_NS_PER_S / 2), ==,
			BEGIN + WP_NS_PER_S / 2 - 8);
	g_assert_cmpint(g_unlink(path), ==, 0);
	g_assert_cmpint(g_rmdir(dir), ==, 0);
	world_free(w);
}

/* Every cut of a saved file fails, and none crashes. */
static void test_cut_files(void)
{
	World *w = world_new(2, 10, 15);
	g_autofree gchar *dir = NULL, *path = temporary_file(&dir);
	g_autofree gchar *whole = NULL;
	const WpSyncOptions options = {.reference = 0, .sync_file = path};
	gsize length;

	call(w, 0, 1, 5, 5.1, 20);
	join(w, 0);
	g_assert_true(wp_sync_save(w->graph, w->report, path, NULL));
	g_assert_true(g_file_get_contents(path, &whole, &length, NULL));
	for (gsize cut = 0; cut < length - 2; cut += 1 + cut / 200) {
		g_autoptr(GError) error = NULL;

		g_assert_true(g_file_set_contents(path, whole, (gssize)cut, NULL));
		g_assert_false(try_join(w, &options, NULL, &error));
		g_assert_error(error, WP_ERROR, WP_ERROR_FAILED);
	}
	g_assert_cmpint(g_unlink(path), ==, 0);
	g_assert_cmpint(g_rmdir(dir), ==, 0);
	world_free(w);
}

static void test_cancelled(void)
{
	World *w = world_new(2, 10, 16);
	const WpSyncOptions options = {.reference = 0};
	g_autoptr(WpCancel) cancellable = wp_cancel_new();
	g_autoptr(GError) error = NULL;

	call(w, 0, 1, 0, 10, 20);
	wp_cancel_set(cancellable);
	g_assert_false(try_join(w, &options, cancellable, &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_CANCELLED);
	/* And can be joined after that. */
	join(w, 0);
	check_joined(w);
	world_free(w);
}

/* Hosts without packets, without flows, of one moment. */
static void test_empty(void)
{
	World *w = world_new(3, 0, 17);

	join(w, 2);
	g_assert_cmpuint(w->report->pairs->len, ==, 0);
	g_assert_true(w->report->hosts[2].connected);
	g_assert_false(w->report->hosts[0].connected);
	world_free(w);

	w = world_new(1, 10, 18);
	join(w, 0);
	g_assert_cmpuint(wp_findings_n(w->graph->findings), ==, 0);
	g_assert_cmpint(wp_graph_time(w->graph, 0, BEGIN + 5), ==, BEGIN + 5);
	world_free(w);
}

/* Clocks at the ends of time, and packets between them: no overflow (by the sanitizers). */
static void test_extremes(void)
{
	static const WpTime times[] = {WP_TIME_MIN, WP_TIME_MIN / 2, -1,         0,
				       1,           WP_TIME_MAX / 2, WP_TIME_MAX};
	const WpSyncOptions options = {.reference = 0};

	for (guint i = 0; i < G_N_ELEMENTS(times); i++) {
		for (guint j = 0; j < G_N_ELEMENTS(times); j++) {
			PacketHost *a = packet_host_new("hosta", "10.0.0.1");
			PacketHost *b = packet_host_new("hostb", "10.0.0.2");
			PacketSpec spec = {PACKET_TCP, "10.0.0.1", "10.0.0.2", 1, 2,
					   5,          5,          5,          5, 16};
			PacketSpec back = {PACKET_TCP, "10.0.0.2", "10.0.0.1", 2, 1,
					   5,          5,          5,          5, 16};
			g_autoptr(WpSyncReport) report = NULL;
			g_autoptr(WpGraph) graph = NULL;

			packet_host_send(a, times[i], &spec, 1);
			packet_host_receive(b, times[j], &spec, 1);
			packet_host_send(b, times[j], &back, 2);
			packet_host_receive(a, times[i], &back, 2);

			WpHost *hosts[2] = {packet_host_finish(a, times[i], times[i]),
					    packet_host_finish(b, times[j], times[j])};

			graph = wp_graph_new(hosts, 2);
			g_assert_true(wp_sync_join(graph, &options, &report, NULL, NULL));
			for (guint k = 0; k < G_N_ELEMENTS(times); k++)
				wp_graph_time(graph, 1, times[k]);
		}
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/sync/two-hosts", test_two_hosts);
	g_test_add_func("/sync/reference", test_reference);
	g_test_add_func("/sync/ring", test_ring);
	g_test_add_func("/sync/star", test_star);
	g_test_add_func("/sync/tightening", test_tightening);
	g_test_add_func("/sync/contradictory-pair", test_contradictory_pair);
	g_test_add_func("/sync/contradictory-alone", test_contradictory_alone);
	g_test_add_func("/sync/jumps", test_jumps);
	g_test_add_func("/sync/jumps-anywhere", test_jumps_anywhere);
	g_test_add_func("/sync/jumps-of-many", test_jumps_of_many);
	g_test_add_func("/sync/jump-of-star", test_jump_of_star);
	g_test_add_func("/sync/slew", test_slew);
	g_test_add_func("/sync/one-way", test_one_way);
	g_test_add_func("/sync/one-way-round", test_one_way_round);
	g_test_add_func("/sync/islands", test_islands);
	g_test_add_func("/sync/offsets", test_offsets);
	g_test_add_func("/sync/hour", test_hour);
	g_test_add_func("/sync/saved", test_saved);
	g_test_add_func("/sync/broken-files", test_broken_files);
	g_test_add_func("/sync/cut-files", test_cut_files);
	g_test_add_func("/sync/cancelled", test_cancelled);
	g_test_add_func("/sync/empty", test_empty);
	g_test_add_func("/sync/extremes", test_extremes);
	return g_test_run();
}
