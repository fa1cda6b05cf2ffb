/* SPDX-License-Identifier: MIT */
/* clocks.c: points from matches, a prior for each pair, islands. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sync/clocks.h"

#define POLL_EVERY 65536u
/* A pair whose rate is known to this tells of the clocks of its hosts. */
#define RATE_KNOWN (50 * WP_RATE_PPM)
/* So many other pairs make a median. */
#define MEDIAN_MIN 3u
/* One in so many packets may contradict all others without spoiling them. */
#define OUTLIERS_SHARE 100u

WpClocks *wp_clocks_new(guint n)
{
	WpClocks *clocks = g_new0(WpClocks, 1);

	clocks->n = n;
	clocks->pairs = g_new0(WpPair *, (gsize)n * n);
	clocks->islands = g_ptr_array_new_with_free_func((GDestroyNotify)wp_island_free);
	clocks->island = g_new0(guint, n);
	clocks->member = g_new0(guint, n);
	return clocks;
}

static void drop_pairs(WpClocks *clocks)
{
	for (gsize i = 0; i < (gsize)clocks->n * clocks->n; i++) {
		if (clocks->pairs[i])
			wp_pair_clear(clocks->pairs[i]);
		g_clear_pointer(&clocks->pairs[i], g_free);
	}
}

void wp_clocks_free(WpClocks *clocks)
{
	if (!clocks)
		return;
	g_ptr_array_unref(clocks->islands);
	drop_pairs(clocks);
	g_free(clocks->pairs);
	g_free(clocks->best);
	g_free(clocks->island);
	g_free(clocks->member);
	g_free(clocks);
}

WpPair *wp_clocks_pair(const WpClocks *clocks, guint a, guint b)
{
	return clocks->pairs[(gsize)MIN(a, b) * clocks->n + MAX(a, b)];
}

/* Walks all received packets that another host sent. */
typedef struct {
	const WpGraph *graph; /* borrowed */
	const WpMatcher *matcher; /* borrowed */
	const guint8 *best; /* borrowed, n * n: worse evidence is passed over; NULL: none is */
	guint host;
	guint64 packet; /* next */
	/* the present one */
	guint from, to;
	WpEvidence evidence;
	WpTime sent, received;
} Walk;

static guint8 rank(WpEvidence evidence)
{
	return (guint8)(evidence == WP_EVIDENCE_BEFORE ? WP_EVIDENCE_UNIQUE : evidence);
}

static gboolean walk_next(Walk *walk)
{
	for (; walk->host < walk->graph->n_hosts; walk->host++, walk->packet = 0) {
		WpHost *host = walk->graph->hosts[walk->host];
		const WpColumn *matches = &walk->graph->joins[walk->host].matches;

		while (walk->packet < matches->n) {
			const WpId id = (WpId)walk->packet++;
			const WpMatch *match = &WP_AT(matches, WpMatch, id);
			const gsize pair = (gsize)match->host * walk->graph->n_hosts + walk->host;

			if (match->host == WP_NONE || match->host == walk->host)
				continue;
			walk->evidence = wp_matcher_evidence(walk->matcher, walk->host, id);
			if (walk->best && rank(walk->evidence) > walk->best[pair])
				continue;
			walk->from = match->host;
			walk->to = walk->host;
			walk->sent = wp_host_packet(walk->graph->hosts[match->host], match->packet)
					     ->time;
			walk->received = wp_host_packet(host, id)->time;
			return TRUE;
		}
	}
	return FALSE;
}

/*
 * The best evidence that there is by direction: worse is left aside. What it was at first
 * stays, since of what was doubtful then just the slow packets become certain.
 */
static void find_best_evidence(WpClocks *clocks, const WpGraph *graph, const WpMatcher *matcher)
{
	clocks->best = g_new(guint8, (gsize)clocks->n * clocks->n);
	memset(clocks->best, 0xff, (gsize)clocks->n * clocks->n);
	for (guint h = 0; h < clocks->n; h++) {
		const WpColumn *matches = &graph->joins[h].matches;

		for (guint64 i = 0; i < matches->n; i++) {
			const guint32 from = WP_AT(matches, WpMatch, i).host;
			guint8 *best;

			if (from == WP_NONE || from == h)
				continue;
			best = &clocks->best[(gsize)from * clocks->n + h];
			*best = MIN(*best, rank(wp_matcher_evidence(matcher, h, (WpId)i)));
		}
	}
}

static gboolean gather(WpClocks *clocks, const WpGraph *graph, const WpMatcher *matcher,
		       GCancellable *cancellable, GError **error)
{
	Walk walk = {.graph = graph, .matcher = matcher};

	if (!clocks->best)
		find_best_evidence(clocks, graph, matcher);
	walk.best = clocks->best;
	drop_pairs(clocks);
	clocks->n_points = 0;
	while (walk_next(&walk)) {
		const guint a = MIN(walk.from, walk.to), b = MAX(walk.from, walk.to);
		WpPair **pair = &clocks->pairs[(gsize)a * clocks->n + b];

		if (++clocks->n_points % POLL_EVERY == 0 &&
		    g_cancellable_is_cancelled(cancellable)) {
			g_set_error(error, WP_ERROR, WP_ERROR_CANCELLED,
				    "The synchronisation of clocks was cancelled.");
			return FALSE;
		}
		if (!*pair) {
			*pair = g_new(WpPair, 1);
			wp_pair_init(*pair, a, b, graph->hosts[a]->begin);
		}
		wp_pair_add(*pair, walk.from == a, walk.sent, walk.received);
	}
	for (gsize i = 0; i < (gsize)clocks->n * clocks->n; i++) {
		if (clocks->pairs[i])
			wp_pair_measure(clocks->pairs[i]);
	}
	return TRUE;
}

static gint compare_rates(gconstpointer a, gconstpointer b)
{
	const gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;

	return (x > y) - (x < y);
}

/* The rate of one clock against another's, where their own packets tell it. */
static gboolean known_rate(const WpClocks *clocks, guint of, guint against, gint64 *ret_rate)
{
	const WpPair *pair = of == against ? NULL : wp_clocks_pair(clocks, of, against);

	if (!pair || !pair->measured || pair->max - pair->min > RATE_KNOWN)
		return FALSE;
	*ret_rate = pair->min + (pair->max - pair->min) / 2;
	if (of == pair->a)
		*ret_rate = -*ret_rate;
	return TRUE;
}

/*
 * What other pairs of the two hosts tell of their rate: by their median, once there are
 * enough. A single odd one may be either host's, so both must then be allowed.
 */
static WpPrior make_prior(const WpClocks *clocks, guint a, guint b)
{
	g_autoptr(GArray) rates = g_array_new(FALSE, FALSE, sizeof(gint64));
	WpPrior prior = {0, 0, 0};
	gint64 rate;

	for (guint c = 0; c < clocks->n; c++) {
		if (c != b && known_rate(clocks, c, a, &rate))
			g_array_append_val(rates, rate);
		if (c != a && known_rate(clocks, b, c, &rate))
			g_array_append_val(rates, rate);
	}
	g_array_sort(rates, compare_rates);
	if (rates->len >= MEDIAN_MIN) {
		prior.low = prior.high = prior.centre = g_array_index(rates, gint64,
								      rates->len / 2);
	} else if (rates->len > 0) {
		prior.low = MIN(0, g_array_index(rates, gint64, 0));
		prior.high = MAX(0, g_array_index(rates, gint64, rates->len - 1));
	}
	prior.low -= WP_PRIOR_RATE;
	prior.high += WP_PRIOR_RATE;
	return prior;
}

/* Collects a pair anew, without the packets of one direction that all of the other contradict. */
static guint64 collect_without(WpPair *pair, const Walk *start, gboolean from_a, WpPair *ret_pair)
{
	const GArray *other = from_a ? pair->lower.kept : pair->upper.kept;
	Walk walk = *start;
	guint64 n_left_out = 0;

	wp_pair_init(ret_pair, pair->a, pair->b, pair->t0);
	while (walk_next(&walk)) {
		const gboolean this_way = walk.from == pair->a && walk.to == pair->b;
		WpPoint point;

		if (!this_way && !(walk.from == pair->b && walk.to == pair->a))
			continue;
		if (this_way == from_a &&
		    wp_pair_point(pair, this_way, walk.sent, walk.received, &point) &&
		    point.v < -wp_points_ceiling(other, WP_RATE_LIMIT, point.t))
			n_left_out++;
		else
			wp_pair_add(ret_pair, this_way, walk.sent, walk.received);
	}
	wp_pair_measure(ret_pair);
	return n_left_out;
}

/*
 * A few packets that contradict all those of the other direction are of sends that the
 * trace does not hold (its copy was sent later): the pair goes without them.
 */
static void leave_out_few(WpPair *pair, const WpGraph *graph, const WpMatcher *matcher,
			  const guint8 *best_evidence, const WpPrior *prior)
{
	const Walk start = {.graph = graph, .matcher = matcher, .best = best_evidence};
	WpPair without[2];
	guint64 n[2];

	for (guint k = 0; k < 2; k++)
		n[k] = collect_without(pair, &start, k == 0, &without[k]);

	const guint best = n[1] < n[0];
	const guint64 of = best == 0 ? pair->upper.n : pair->lower.n;

	if (n[best] != n[!best] && n[best] <= 1 + of / OUTLIERS_SHARE) {
		wp_pair_settle(&without[best], prior);
		wp_pair_clear(pair);
		*pair = without[best];
		wp_pair_clear(&without[!best]);
		return;
	}
	wp_pair_clear(&without[0]);
	wp_pair_clear(&without[1]);
}

static void settle(WpClocks *clocks, const WpGraph *graph, const WpMatcher *matcher)
{
	for (gsize i = 0; i < (gsize)clocks->n * clocks->n; i++) {
		WpPair *pair = clocks->pairs[i];
		WpPrior prior;

		if (!pair || pair->quality == WP_PAIR_NONE)
			continue;
		prior = make_prior(clocks, pair->a, pair->b);
		wp_pair_settle(pair, &prior);
		if (pair->quality == WP_PAIR_CONTRADICTORY)
			leave_out_few(pair, graph, matcher, clocks->best, &prior);
	}
}

static gboolean is_fixed(const WpClocks *clocks, const gint64 *offsets, guint host)
{
	return offsets && (host == clocks->reference || offsets[host] != G_MININT64);
}

/* Whether packets or the user's word join two hosts directly. */
static gboolean are_linked(const WpClocks *clocks, const gint64 *offsets, guint a, guint b)
{
	const WpPair *pair = wp_clocks_pair(clocks, a, b);

	if (is_fixed(clocks, offsets, a) && is_fixed(clocks, offsets, b))
		return TRUE;
	return pair && pair->quality != WP_PAIR_NONE;
}

/* Numbers the islands in the order of their first hosts: clocks->island. */
static guint find_islands(WpClocks *clocks, const gint64 *offsets)
{
	g_autofree guint *queue = g_new(guint, clocks->n);
	guint n_islands = 0;

	for (guint h = 0; h < clocks->n; h++)
		clocks->island[h] = WP_NONE;
	for (guint h = 0; h < clocks->n; h++) {
		guint head = 0, tail = 0;

		if (clocks->island[h] != WP_NONE)
			continue;
		clocks->island[h] = n_islands++;
		queue[tail++] = h;
		while (head < tail) {
			const guint a = queue[head++];

			for (guint b = 0; b < clocks->n; b++) {
				if (clocks->island[b] != WP_NONE || b == a ||
				    !are_linked(clocks, offsets, a, b))
					continue;
				clocks->island[b] = clocks->island[h];
				queue[tail++] = b;
			}
		}
	}
	return n_islands;
}

/* Every pair becomes an edge; those between hosts that the user placed are not asked. */
static void add_edges(WpClocks *clocks, const gint64 *offsets)
{
	for (guint a = 0; a < clocks->n; a++) {
		WpIsland *island = g_ptr_array_index(clocks->islands, clocks->island[a]);

		for (guint b = a + 1; b < clocks->n; b++) {
			WpPair *pair = wp_clocks_pair(clocks, a, b);

			if (is_fixed(clocks, offsets, a) && is_fixed(clocks, offsets, b))
				continue;
			if (pair && pair->quality != WP_PAIR_NONE)
				wp_island_add_pair(island, clocks->member[a], clocks->member[b],
						   pair);
		}
		if (a != clocks->reference && is_fixed(clocks, offsets, a))
			wp_island_add_fixed(island, clocks->member[a],
					    clocks->member[clocks->reference], offsets[a]);
	}
}

gboolean wp_clocks_solve(WpClocks *clocks, const WpGraph *graph, const WpMatcher *matcher,
			 guint reference, const gint64 *offsets, GCancellable *cancellable,
			 GError **error)
{
	guint n_islands;

	clocks->reference = reference;
	clocks->placed = FALSE;
	for (guint h = 0; offsets && h < clocks->n; h++)
		clocks->placed |= h != reference && offsets[h] != G_MININT64;
	if (!gather(clocks, graph, matcher, cancellable, error))
		return FALSE;
	settle(clocks, graph, matcher);
	g_ptr_array_set_size(clocks->islands, 0);
	n_islands = find_islands(clocks, offsets);
	for (guint i = 0; i < n_islands; i++)
		g_ptr_array_add(clocks->islands, wp_island_new());
	for (guint h = 0; h < clocks->n; h++)
		clocks->member[h] = wp_island_add_host(
			g_ptr_array_index(clocks->islands, clocks->island[h]), h,
			graph->hosts[h]->begin, graph->hosts[h]->end);
	add_edges(clocks, offsets);
	for (guint i = 0; i < n_islands; i++) {
		WpIsland *island = g_ptr_array_index(clocks->islands, i);

		if (island->n > 1 && !wp_island_solve(island, cancellable, error))
			return FALSE;
	}
	return TRUE;
}

WpClockMap *wp_clocks_own_map(const WpHost *host)
{
	const WpClockKnot ends[] = {{host->begin, 0, 0}, {host->end, 0, 0}};

	return wp_clock_map_new(ends, G_N_ELEMENTS(ends), 0);
}

void wp_clocks_apply(const WpClocks *clocks, WpGraph *graph)
{
	const guint home = clocks->island[clocks->reference];

	for (guint h = 0; h < clocks->n; h++) {
		const WpIsland *island = g_ptr_array_index(clocks->islands, clocks->island[h]);
		const guint reference = clocks->island[h] == home
						? clocks->member[clocks->reference]
						: 0;

		wp_clock_map_free(graph->joins[h].map);
		graph->joins[h].map = clocks->member[h] == reference
					      ? wp_clocks_own_map(graph->hosts[h])
					      : wp_island_map(island, clocks->member[h], reference);
		graph->joins[h].island = clocks->island[h];
	}
}

WpTime wp_clocks_bound(gpointer data, guint a, guint b, WpTime time)
{
	const WpClocks *clocks = data;
	const WpIsland *island = g_ptr_array_index(clocks->islands, clocks->island[a]);
	const gboolean home = clocks->island[a] == clocks->island[clocks->reference];

	/* Nothing is known of clocks that nothing joins. */
	if (clocks->island[a] != clocks->island[b])
		return WP_TIME_MAX / 4;
	return wp_island_bound(island, clocks->member[a], clocks->member[b],
			       home ? clocks->member[clocks->reference] : 0, time);
}
