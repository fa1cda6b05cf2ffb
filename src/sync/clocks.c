/* SPDX-License-Identifier: MIT */
/*
 * clocks.c: points from matches, a prior for each pair, islands.
 *
 * Where a clock was stepped (steps.h) the packets of an island are gathered once more, by the
 * part of the time that they lie in, each part is solved alone, and the parts are put together.
 */
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
/* Packets each way without which a pair tells nothing of what was before or after a step. */
#define PART_MIN 2u

static WpPair **pairs_new(guint n)
{
	return g_new0(WpPair *, (gsize)n * n);
}

static void pairs_free(WpPair **pairs, guint n)
{
	for (gsize i = 0; pairs && i < (gsize)n * n; i++) {
		if (pairs[i])
			wp_pair_clear(pairs[i]);
		g_free(pairs[i]);
	}
	g_free(pairs);
}

static WpPair **pair_place(WpPair **pairs, guint n, guint a, guint b)
{
	return &pairs[(gsize)MIN(a, b) * n + MAX(a, b)];
}

WpClocks *wp_clocks_new(guint n)
{
	WpClocks *clocks = g_new0(WpClocks, 1);

	clocks->n = n;
	clocks->pairs = pairs_new(n);
	clocks->cuts = g_new0(GArray *, n);
	for (guint h = 0; h < n; h++)
		clocks->cuts[h] = g_array_new(FALSE, FALSE, sizeof(WpCut));
	clocks->steps = g_array_new(FALSE, FALSE, sizeof(WpStep));
	clocks->islands = g_ptr_array_new_with_free_func((GDestroyNotify)wp_island_free);
	clocks->island = g_new0(guint, n);
	clocks->member = g_new0(guint, n);
	return clocks;
}

static void drop_parts(WpClocks *clocks)
{
	for (guint part = 0; part < clocks->n_parts; part++)
		pairs_free(clocks->parts[part], clocks->n);
	g_clear_pointer(&clocks->parts, g_free);
	clocks->n_parts = 0;
	for (guint h = 0; h < clocks->n; h++)
		g_array_set_size(clocks->cuts[h], 0);
	g_array_set_size(clocks->steps, 0);
}

void wp_clocks_free(WpClocks *clocks)
{
	if (!clocks)
		return;
	g_ptr_array_unref(clocks->islands);
	drop_parts(clocks);
	for (guint h = 0; h < clocks->n; h++)
		g_array_free(clocks->cuts[h], TRUE);
	g_array_free(clocks->steps, TRUE);
	pairs_free(clocks->pairs, clocks->n);
	g_free(clocks->cuts);
	g_free(clocks->best);
	g_free(clocks->island);
	g_free(clocks->member);
	g_free(clocks);
}

WpPair *wp_clocks_pair(const WpClocks *clocks, guint a, guint b)
{
	return *pair_place(clocks->pairs, clocks->n, a, b);
}

/* Walks all received packets that another host sent. */
typedef struct {
	const WpGraph *graph; /* borrowed */
	const WpMatcher *matcher; /* borrowed */
	const guint8 *best; /* borrowed, n * n: worse evidence is passed over; NULL: none is */
	GArray *const *cuts; /* borrowed, by host; NULL: all is one part */
	guint only; /* part whose packets are passed on, WP_NONE: all that are of one part */
	guint n_begun; /* hosts */
	WpPick pick; /* what the last of them received */
	/* the present one */
	guint from, to, part;
	WpEvidence evidence;
	WpTime sent, received;
} Walk;

static guint8 rank(WpEvidence evidence)
{
	return (guint8)(evidence == WP_EVIDENCE_BEFORE ? WP_EVIDENCE_UNIQUE : evidence);
}

/* Whether a packet was sent and received in one part of the time, and that is wanted. */
static gboolean find_part(Walk *walk)
{
	if (!walk->cuts)
		return TRUE;
	walk->part = wp_steps_part(walk->cuts[walk->from], walk->sent);
	return walk->part != WP_NONE &&
	       wp_steps_part(walk->cuts[walk->to], walk->received) == walk->part &&
	       (walk->only == WP_NONE || walk->only == walk->part);
}

/* The next received packet, of the host walk->to. */
static gboolean next_receive(Walk *walk, WpId *ret_id)
{
	while (!wp_pick_next(&walk->pick, ret_id)) {
		if (walk->n_begun == walk->graph->n_hosts)
			return FALSE;
		walk->to = walk->n_begun++;
		wp_pick_init(&walk->pick, walk->matcher, walk->to, WP_NOTE_SEND, 0, TRUE);
	}
	return TRUE;
}

static gboolean walk_next(Walk *walk)
{
	const WpGraph *graph = walk->graph;
	WpId id;

	while (next_receive(walk, &id)) {
		const guint32 to = walk->to;
		const WpMatch *match = &WP_AT(&graph->joins[to].matches, WpMatch, id);

		if (match->host == WP_NONE || match->host == to)
			continue;
		walk->evidence = wp_note_evidence(
			WP_AT(wp_matcher_get_notes(walk->matcher, to), guint8, id));
		if (walk->best &&
		    rank(walk->evidence) > walk->best[(gsize)match->host * graph->n_hosts + to])
			continue;
		walk->from = match->host;
		walk->sent = wp_host_packet(graph->hosts[match->host], match->packet)->time;
		walk->received = wp_host_packet(graph->hosts[to], id)->time;
		if (find_part(walk))
			return TRUE;
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
		const WpColumn *notes = wp_matcher_get_notes(matcher, h);
		WpPick pick;
		WpId id;

		wp_pick_init(&pick, matcher, h, WP_NOTE_SEND, 0, FALSE);
		while (wp_pick_next(&pick, &id)) {
			const guint32 from = WP_AT(matches, WpMatch, id).host;
			guint8 *best;

			if (from == WP_NONE || from == h)
				continue;
			best = &clocks->best[(gsize)from * clocks->n + h];
			*best = MIN(*best, rank(wp_note_evidence(WP_AT(notes, guint8, id))));
		}
	}
}

/* Adds the packets of a walk to the pairs of their part; block: of their points (points.h). */
static gboolean gather(WpClocks *clocks, Walk walk, WpPair ***parts, guint n_parts, gint64 block,
		       WpCancel *cancellable, GError **error)
{
	guint64 n_points = 0;

	while (walk_next(&walk)) {
		WpPair **pair = pair_place(parts[walk.part], clocks->n, walk.from, walk.to);
		const guint a = MIN(walk.from, walk.to), b = MAX(walk.from, walk.to);

		if (++n_points % POLL_EVERY == 0 && wp_cancel_is_cancelled(cancellable)) {
			g_set_error(error, WP_ERROR, WP_ERROR_CANCELLED,
				    "The synchronisation of clocks was cancelled.");
			return FALSE;
		}
		if (!*pair) {
			*pair = g_new(WpPair, 1);
			wp_pair_init(*pair, a, b, walk.graph->hosts[a]->begin);
			(*pair)->upper.block = (*pair)->lower.block = block;
		}
		wp_pair_add(*pair, walk.from == a, walk.sent, walk.received);
	}
	clocks->n_points = MAX(clocks->n_points, n_points);
	for (guint part = 0; part < n_parts; part++) {
		for (gsize i = 0; i < (gsize)clocks->n * clocks->n; i++) {
			if (parts[part][i])
				wp_pair_measure(parts[part][i]);
		}
	}
	return TRUE;
}

static gint compare_rates(gconstpointer a, gconstpointer b)
{
	const gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;

	return (x > y) - (x < y);
}

/* The rate of one clock against another's, where their own packets tell it. */
static gboolean known_rate(WpPair **pairs, guint n, guint of, guint against, gint64 *ret_rate)
{
	const WpPair *pair = of == against ? NULL : *pair_place(pairs, n, of, against);

	if (!pair || !pair->measured || pair->max - pair->min > RATE_KNOWN ||
	    wp_steps_suspected(pair))
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
static WpPrior make_prior(WpPair **pairs, guint n, guint a, guint b)
{
	g_autoptr(GArray) rates = g_array_new(FALSE, FALSE, sizeof(gint64));
	WpPrior prior = {0, 0, 0};
	gint64 rate;

	for (guint c = 0; c < n; c++) {
		if (c != b && known_rate(pairs, n, c, a, &rate))
			g_array_append_val(rates, rate);
		if (c != a && known_rate(pairs, n, b, c, &rate))
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
static void leave_out_few(WpPair *pair, const Walk *start, const WpPrior *prior)
{
	WpPair without[2];
	guint64 n[2];

	for (guint k = 0; k < 2; k++)
		n[k] = collect_without(pair, start, k == 0, &without[k]);

	const guint best = n[1] < n[0];
	const guint64 of = best == 0 ? pair->upper.n : pair->lower.n;

	if (n[best] != n[!best] && n[best] <= 1 + of / OUTLIERS_SHARE) {
		without[best].n_left_out = n[best];
		wp_pair_settle(&without[best], prior);
		wp_pair_clear(pair);
		*pair = without[best];
		wp_pair_clear(&without[!best]);
		return;
	}
	wp_pair_clear(&without[0]);
	wp_pair_clear(&without[1]);
}

static void settle(WpClocks *clocks, WpPair **pairs)
{
	for (gsize i = 0; i < (gsize)clocks->n * clocks->n; i++) {
		WpPair *pair = pairs[i];
		WpPrior prior;

		if (!pair || pair->quality == WP_PAIR_NONE)
			continue;
		prior = make_prior(pairs, clocks->n, pair->a, pair->b);
		wp_pair_settle(pair, &prior);
	}
}

/* Those of an island that contradict themselves. */
static void settle_contradictory(WpClocks *clocks, WpPair **pairs, const Walk *walk, guint island)
{
	for (gsize i = 0; i < (gsize)clocks->n * clocks->n; i++) {
		WpPair *pair = pairs[i];
		WpPrior prior;

		if (!pair || pair->quality != WP_PAIR_CONTRADICTORY ||
		    clocks->island[pair->a] != island)
			continue;
		prior = make_prior(pairs, clocks->n, pair->a, pair->b);
		leave_out_few(pair, walk, &prior);
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
static void add_edges(const WpClocks *clocks, WpIsland *island, WpPair **pairs,
		      const gint64 *offsets)
{
	for (guint i = 0; i < island->n; i++) {
		const guint a = island->hosts[i];

		for (guint j = i + 1; j < island->n; j++) {
			const guint b = island->hosts[j];
			WpPair *pair = *pair_place(pairs, clocks->n, a, b);

			if (is_fixed(clocks, offsets, a) && is_fixed(clocks, offsets, b))
				continue;
			if (pair && pair->quality != WP_PAIR_NONE)
				wp_island_add_pair(island, i, j, pair);
		}
		if (a != clocks->reference && is_fixed(clocks, offsets, a))
			wp_island_add_fixed(island, i, clocks->member[clocks->reference],
					    offsets[a]);
	}
}

/* The times between which a host's clock is asked for in a part. */
static void find_span(const WpClocks *clocks, const WpHost *host, guint h, guint part,
		      WpTime *ret_begin, WpTime *ret_end)
{
	const GArray *cuts = clocks->cuts[h];

	*ret_begin = host->begin;
	*ret_end = host->end;
	if (part < cuts->len) {
		*ret_end = g_array_index(cuts, WpCut, part).from - WP_STEP_MARGIN;
		*ret_begin = MIN(*ret_begin, *ret_end);
	}
	if (part > 0) {
		*ret_begin = g_array_index(cuts, WpCut, part - 1).to + WP_STEP_MARGIN;
		*ret_end = MAX(*ret_begin, *ret_end);
	}
}

/* An island, not yet solved, as it was in a part of its time. */
static WpIsland *make_island(const WpClocks *clocks, const WpGraph *graph, guint number, guint part,
			     WpPair **pairs, const gint64 *offsets)
{
	WpIsland *island = wp_island_new();

	for (guint h = 0; h < clocks->n; h++) {
		WpTime begin, end;

		if (clocks->island[h] != number)
			continue;
		find_span(clocks, graph->hosts[h], h, part, &begin, &end);
		wp_island_add_host(island, h, begin, end);
	}
	add_edges(clocks, island, pairs, offsets);
	return island;
}

/*
 * Finds the steps of an island's clocks; where the user placed them his word stands. blocks: all
 * pairs with their points in blocks.
 */
static void cut_island(WpClocks *clocks, guint number, WpPair **blocks, const gint64 *offsets)
{
	g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(WpStep));
	g_autoptr(GArray) hosts = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint a = 0; a < clocks->n; a++) {
		if (clocks->island[a] != number)
			continue;
		if (clocks->placed && is_fixed(clocks, offsets, a))
			return;
		g_array_append_val(hosts, a);
		for (guint b = a + 1; b < clocks->n; b++) {
			const WpPair *pair = wp_clocks_pair(clocks, a, b);

			if (pair && wp_steps_suspected(pair))
				wp_steps_find(*pair_place(blocks, clocks->n, a, b), pair->fit.slope,
					      make_prior(clocks->pairs, clocks->n, a, b).centre,
					      steps);
		}
	}
	if (steps->len > 0 &&
	    wp_steps_cut(steps, blocks, clocks->n, (const guint *)(gpointer)hosts->data, hosts->len,
			 clocks->cuts))
		g_array_append_vals(clocks->steps, steps->data, steps->len);
}

/* Whether each part of an island's time has all hosts joined, and the pairs that fell apart whole. */
static gboolean parts_hold(const WpClocks *clocks, const WpGraph *graph, guint number,
			   guint n_parts)
{
	for (guint part = 0; part < n_parts; part++) {
		g_autoptr(WpIsland) island = make_island(clocks, graph, number, part,
							 clocks->parts[part], NULL);

		if (!wp_island_is_joined(island))
			return FALSE;
		for (guint s = 0; s < clocks->steps->len; s++) {
			const WpStep *step = &g_array_index(clocks->steps, WpStep, s);
			const WpPair *pair;

			if (clocks->island[step->a] != number)
				continue;
			pair = *pair_place(clocks->parts[part], clocks->n, step->a, step->b);
			if (!pair || pair->quality != WP_PAIR_BOTH_WAYS ||
			    pair->upper.n < PART_MIN || pair->lower.n < PART_MIN)
				return FALSE;
		}
	}
	return TRUE;
}

/* Takes an island's cuts back. */
static void mend_island(WpClocks *clocks, guint number)
{
	for (guint s = clocks->steps->len; s-- > 0;) {
		if (clocks->island[g_array_index(clocks->steps, WpStep, s).a] == number)
			g_array_remove_index(clocks->steps, s);
	}
	for (guint h = 0; h < clocks->n; h++) {
		if (clocks->island[h] == number)
			g_array_set_size(clocks->cuts[h], 0);
	}
}

static guint n_parts_of(const WpClocks *clocks, guint number)
{
	for (guint h = 0; h < clocks->n; h++) {
		if (clocks->island[h] == number)
			return clocks->cuts[h]->len + 1;
	}
	return 1;
}

static gboolean is_any_suspected(const WpClocks *clocks)
{
	for (gsize i = 0; i < (gsize)clocks->n * clocks->n; i++) {
		if (clocks->pairs[i] && wp_steps_suspected(clocks->pairs[i]))
			return TRUE;
	}
	return FALSE;
}

/* Finds the steps of all islands; *ret_n_parts: of the one that has most. */
static gboolean find_cuts(WpClocks *clocks, const Walk *walk, guint n_islands,
			  const gint64 *offsets, guint *ret_n_parts, WpCancel *cancellable,
			  GError **error)
{
	WpPair **blocks;
	gboolean gathered;

	*ret_n_parts = 1;
	if (!is_any_suspected(clocks))
		return TRUE;
	blocks = pairs_new(clocks->n);
	gathered = gather(clocks, *walk, &blocks, 1, WP_STEP_BLOCK, cancellable, error);
	for (guint i = 0; gathered && i < n_islands; i++) {
		cut_island(clocks, i, blocks, offsets);
		*ret_n_parts = MAX(*ret_n_parts, n_parts_of(clocks, i));
	}
	pairs_free(blocks, clocks->n);
	return gathered;
}

/* Finds steps, and the pairs of the parts between them. */
static gboolean find_parts(WpClocks *clocks, Walk walk, guint n_islands, const gint64 *offsets,
			   WpCancel *cancellable, GError **error)
{
	guint n_parts;

	if (!find_cuts(clocks, &walk, n_islands, offsets, &n_parts, cancellable, error))
		return FALSE;
	if (n_parts == 1)
		return TRUE;
	clocks->n_parts = n_parts;
	clocks->parts = g_new(WpPair **, n_parts);
	for (guint part = 0; part < n_parts; part++)
		clocks->parts[part] = pairs_new(clocks->n);
	walk.cuts = clocks->cuts;
	if (!gather(clocks, walk, clocks->parts, n_parts, 0, cancellable, error))
		return FALSE;
	for (guint part = 0; part < n_parts; part++)
		settle(clocks, clocks->parts[part]);
	for (guint i = 0; i < n_islands; i++) {
		const guint n = n_parts_of(clocks, i);

		for (walk.only = 0; n > 1 && walk.only < n; walk.only++)
			settle_contradictory(clocks, clocks->parts[walk.only], &walk, i);
		if (n > 1 && !parts_hold(clocks, walk.graph, i, n))
			mend_island(clocks, i);
	}
	return TRUE;
}

/* What is told of a pair whose time was cut: the worst of its parts. */
static void sum_up_parts(WpClocks *clocks, guint number)
{
	for (gsize i = 0; i < (gsize)clocks->n * clocks->n; i++) {
		WpPair *pair = clocks->pairs[i];

		if (!pair || clocks->island[pair->a] != number)
			continue;
		pair->quality = pair->measured ? WP_PAIR_BOTH_WAYS : pair->quality;
		pair->fit.rate = pair->bound.rate = 0;
		pair->n_left_out = 0;
		for (guint part = 0; part < n_parts_of(clocks, number); part++) {
			const WpPair *of_part = clocks->parts[part][i];

			if (!of_part)
				continue;
			pair->fit.rate = MAX(pair->fit.rate, of_part->fit.rate);
			pair->bound.rate = MAX(pair->bound.rate, of_part->bound.rate);
			pair->n_left_out += of_part->n_left_out;
			if (of_part->quality == WP_PAIR_CONTRADICTORY)
				pair->quality = WP_PAIR_CONTRADICTORY;
		}
	}
}

/* Solves an island that was stepped, part by part. */
static gboolean solve_parts(WpClocks *clocks, const WpGraph *graph, guint number,
			    WpIsland **ret_island, WpCancel *cancellable, GError **error)
{
	const guint n_parts = n_parts_of(clocks, number);
	g_autoptr(WpIsland) whole = NULL;

	for (guint part = 0; part < n_parts; part++) {
		g_autoptr(WpIsland) island = make_island(clocks, graph, number, part,
							 clocks->parts[part], NULL);

		if (!wp_island_solve(island, cancellable, error))
			return FALSE;
		if (!whole) {
			whole = g_steal_pointer(&island);
			continue;
		}

		g_autofree WpCut *cuts = g_new(WpCut, island->n);

		for (guint i = 0; i < island->n; i++)
			cuts[i] = g_array_index(clocks->cuts[island->hosts[i]], WpCut, part - 1);
		wp_island_append(whole, island, cuts);
	}
	sum_up_parts(clocks, number);
	*ret_island = g_steal_pointer(&whole);
	return TRUE;
}

static gboolean solve_island(WpClocks *clocks, const WpGraph *graph, guint number,
			     const gint64 *offsets, WpIsland **ret_island, WpCancel *cancellable,
			     GError **error)
{
	if (n_parts_of(clocks, number) > 1)
		return solve_parts(clocks, graph, number, ret_island, cancellable, error);
	*ret_island = make_island(clocks, graph, number, 0, clocks->pairs, offsets);
	return (*ret_island)->n == 1 || wp_island_solve(*ret_island, cancellable, error);
}

/* Numbers the hosts of each island. */
static void number_members(WpClocks *clocks)
{
	for (guint h = 0; h < clocks->n; h++) {
		clocks->member[h] = 0;
		for (guint k = 0; k < h; k++)
			clocks->member[h] += clocks->island[k] == clocks->island[h];
	}
}

gboolean wp_clocks_solve(WpClocks *clocks, const WpGraph *graph, const WpMatcher *matcher,
			 guint reference, const gint64 *offsets, WpCancel *cancellable,
			 GError **error)
{
	Walk walk = {.graph = graph, .matcher = matcher, .only = WP_NONE};
	guint n_islands;

	clocks->reference = reference;
	clocks->placed = FALSE;
	for (guint h = 0; offsets && h < clocks->n; h++)
		clocks->placed |= h != reference && offsets[h] != G_MININT64;
	if (!clocks->best)
		find_best_evidence(clocks, graph, matcher);
	walk.best = clocks->best;
	g_ptr_array_set_size(clocks->islands, 0);
	drop_parts(clocks);
	pairs_free(clocks->pairs, clocks->n);
	clocks->pairs = pairs_new(clocks->n);
	clocks->n_points = 0;
	if (!gather(clocks, walk, &clocks->pairs, 1, 0, cancellable, error))
		return FALSE;
	settle(clocks, clocks->pairs);
	n_islands = find_islands(clocks, offsets);
	number_members(clocks);
	if (!find_parts(clocks, walk, n_islands, offsets, cancellable, error))
		return FALSE;
	for (guint i = 0; i < n_islands; i++) {
		WpIsland *island = NULL;

		if (n_parts_of(clocks, i) == 1)
			settle_contradictory(clocks, clocks->pairs, &walk, i);
		if (!solve_island(clocks, graph, i, offsets, &island, cancellable, error)) {
			wp_island_free(island);
			return FALSE;
		}
		g_ptr_array_add(clocks->islands, island);
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
