/* SPDX-License-Identifier: MIT */
/*
 * island-rows.c: the moments at which an island's clocks are compared.
 *
 * Rows begin with the ends of all traces and of what the pairs exchange. An interval in
 * which some envelope leaves the straight line by more than it matters is split where it
 * does so most, and in the middle, the worst intervals first, as long as rows are left.
 */
#include "config.h"

#include <stdlib.h>

#include "base/error.h"
#include "sync/island-private.h"

/* An envelope may leave the straight line by this, and by this share of its width. */
#define STRAIGHT_MIN 300
#define STRAIGHT_SHARE 64
#define STRAIGHT_ONE_WAY (10 * WP_NS_PER_US)
/* Intervals below this are not split. */
#define INTERVAL_MIN (20 * WP_NS_PER_US)

/* Best edges first: the user's word, then both ways, then the most packets. */
static gint compare_edges(const WpEdge *a, const WpEdge *b)
{
	if (!a->pair || !b->pair)
		return (b->pair == NULL) - (a->pair == NULL);

	const guint64 n_a = MIN(a->pair->upper.n, a->pair->lower.n);
	const guint64 n_b = MIN(b->pair->upper.n, b->pair->lower.n);

	if (n_a != n_b)
		return n_a > n_b ? -1 : 1;

	const guint64 all_a = a->pair->upper.n + a->pair->lower.n;
	const guint64 all_b = b->pair->upper.n + b->pair->lower.n;

	return (all_b > all_a) - (all_b < all_a);
}

gboolean wp_island_tree_init(WpIslandTree *tree, const WpIsland *island)
{
	const guint n = island->n;
	g_autofree gboolean *joined = g_new0(gboolean, n);

	tree->island = island;
	tree->order = g_new0(guint, n);
	tree->parent = g_new0(guint, n);
	tree->edge = g_new0(const WpEdge *, n);
	joined[0] = TRUE;
	for (guint done = 1; done < n; done++) {
		const WpEdge *best = NULL;

		for (guint e = 0; e < island->edges->len; e++) {
			const WpEdge *edge = &g_array_index(island->edges, WpEdge, e);

			if (!edge->dropped && joined[edge->i] != joined[edge->j] &&
			    (!best || compare_edges(edge, best) < 0))
				best = edge;
		}
		if (!best)
			return FALSE;

		const guint child = joined[best->i] ? best->j : best->i;

		joined[child] = TRUE;
		tree->order[done] = child;
		tree->parent[child] = child == best->i ? best->j : best->i;
		tree->edge[child] = best;
	}
	return TRUE;
}

void wp_island_tree_clear(WpIslandTree *tree)
{
	g_free(tree->order);
	g_free(tree->parent);
	g_free(tree->edge);
}

/* The offset of an edge's j to its i at a time of i; one way: as if the fastest took no time. */
static gint64 edge_offset(const WpEdge *edge, WpTime time)
{
	gint64 low, high;

	if (!edge->pair)
		return edge->offset;
	wp_pair_at(edge->pair, &edge->pair->fit, time, &low, &high);
	if (high == G_MAXINT64)
		return low;
	return low == G_MININT64 ? high : low + (high - low) / 2;
}

/* A time of an edge's i from one of its j: the offset drifts so slowly that this converges. */
static WpTime edge_invert(const WpEdge *edge, WpTime time)
{
	WpTime guess = wp_clock_add(time, -edge_offset(edge, edge->pair ? edge->pair->t0 : 0));

	for (guint step = 0; step < 10; step++) {
		const WpTime better = wp_clock_add(time, -edge_offset(edge, guess));

		if (better == guess)
			break;
		guess = better;
	}
	return guess;
}

WpTime wp_island_tree_to_root(const WpIslandTree *tree, guint member, WpTime time)
{
	while (tree->edge[member]) {
		const WpEdge *edge = tree->edge[member];

		time = edge->i == member ? wp_clock_add(time, edge_offset(edge, time))
					 : edge_invert(edge, time);
		member = tree->parent[member];
	}
	return time;
}

void wp_island_tree_row(const WpIslandTree *tree, WpTime root, WpTime *ret_row)
{
	ret_row[0] = root;
	for (guint k = 1; k < tree->island->n; k++) {
		const guint member = tree->order[k];
		const WpEdge *edge = tree->edge[member];
		const WpTime time = ret_row[tree->parent[member]];

		ret_row[member] = edge->j == member ? wp_clock_add(time, edge_offset(edge, time))
						    : edge_invert(edge, time);
	}
}

/* What wp_island_bulge() has found so far. */
typedef struct {
	gint64 begin, end;
	gint64 low, high; /* values at both */
	gint64 bulge, far, at;
} Bulge;

static void look_at(Bulge *bulge, gint64 t, gint64 value)
{
	if (t <= bulge->begin || t >= bulge->end)
		return;

	const gint64 straight = bulge->low +
				(gint64)((__int128)(bulge->high - bulge->low) * (t - bulge->begin) /
					 (bulge->end - bulge->begin));

	bulge->bulge = MAX(bulge->bulge, value - straight);
	if (ABS(value - straight) > bulge->far) {
		bulge->far = ABS(value - straight);
		bulge->at = t;
	}
}

gint64 wp_island_bulge(const GArray *points, gint64 rate, gint64 begin, gint64 end, gint64 *ret_far,
		       gint64 *ret_at)
{
	Bulge bulge = {.begin = begin, .end = end};

	if (points->len > 0 && end > begin) {
		guint i = wp_points_behind(points, begin);

		bulge.low = wp_points_ceiling(points, rate, begin);
		bulge.high = wp_points_ceiling(points, rate, end);
		for (i = i ? i - 1 : 0; i < points->len; i++) {
			const WpPoint *p = &g_array_index(points, WpPoint, i), *q = p + 1;

			if (p->t >= end)
				break;
			look_at(&bulge, p->t, p->v);
			if (i + 1 == points->len)
				break;

			/* Where the two cones meet: they are thinned, so that is between them. */
			const gint64 run = q->t - p->t, climb = wp_rate_times(rate, run);
			const gint64 shift = climb ? (gint64)((__int128)(q->v - p->v) * run /
							      climb / 2)
						   : 0;

			look_at(&bulge, p->t + run / 2 + shift, (p->v + q->v + climb) / 2 + 1);
		}
	}
	if (ret_far)
		*ret_far = bulge.far;
	if (ret_at)
		*ret_at = bulge.at;
	return bulge.bulge;
}

typedef struct {
	gdouble badness; /* how far the worst envelope is off, as a multiple of what is allowed */
	WpTime split; /* root time */
	guint row; /* the one at its begin */
} Interval;

static void judge_curve(const WpIslandTree *tree, const WpEdge *edge, const GArray *points,
			gint64 rate, const WpTime *begin, const WpTime *end, Interval *interval)
{
	const WpPair *pair = edge->pair;
	const gint64 allowed = pair->quality == WP_PAIR_ONE_WAY
				       ? STRAIGHT_ONE_WAY
				       : MAX(STRAIGHT_MIN, pair->width / STRAIGHT_SHARE);
	gint64 far, at;

	wp_island_bulge(points, rate, begin[edge->i] - pair->t0, end[edge->i] - pair->t0, &far,
			&at);
	if ((gdouble)far / (gdouble)allowed <= interval->badness)
		return;
	interval->badness = (gdouble)far / (gdouble)allowed;
	interval->split = wp_island_tree_to_root(tree, edge->i, wp_clock_add(pair->t0, at));
}

static Interval judge(const WpIslandTree *tree, const WpTime *begin, const WpTime *end)
{
	Interval interval = {.split = begin[0] + (end[0] - begin[0]) / 2};

	if (end[0] - begin[0] < INTERVAL_MIN)
		return interval;
	for (guint e = 0; e < tree->island->edges->len; e++) {
		const WpEdge *edge = &g_array_index(tree->island->edges, WpEdge, e);

		if (!edge->pair || edge->dropped)
			continue;
		for (guint k = 0; k < 2; k++) {
			const WpEnvelope *envelope = k ? &edge->pair->bound : &edge->pair->fit;

			judge_curve(tree, edge, envelope->upper, envelope->rate, begin, end,
				    &interval);
			judge_curve(tree, edge, envelope->lower, envelope->rate, begin, end,
				    &interval);
		}
	}
	return interval;
}

static gint compare_rows(gconstpointer a, gconstpointer b)
{
	const WpTime *x = *(WpTime *const *)a, *y = *(WpTime *const *)b;

	return (x[0] > y[0]) - (x[0] < y[0]);
}

static void add_row(GPtrArray *rows, const WpIslandTree *tree, WpTime root)
{
	WpTime *row = g_new(WpTime, tree->island->n);

	wp_island_tree_row(tree, root, row);
	g_ptr_array_add(rows, row);
}

/* Sorts the rows and leaves out those in which some clock does not go forward. */
static void order_rows(GPtrArray *rows, guint n)
{
	guint kept = 0;

	g_ptr_array_sort(rows, compare_rows);
	for (guint k = 0; k < rows->len; k++) {
		WpTime *row = g_ptr_array_index(rows, k);
		const WpTime *last = kept ? g_ptr_array_index(rows, kept - 1) : NULL;
		gboolean forward = TRUE;

		for (guint i = 0; last && i < n; i++)
			forward = forward && row[i] > last[i];
		if (forward) {
			g_ptr_array_index(rows, k) = g_ptr_array_index(rows, kept);
			g_ptr_array_index(rows, kept++) = row;
		}
	}
	g_ptr_array_set_size(rows, (gint)kept);
}

/* By how much the solution may move a clock away from its row near a time: the widths there. */
static gint64 reach_at(const WpIslandTree *tree, const WpTime *row)
{
	gint64 reach = 0;

	for (guint e = 0; e < tree->island->edges->len; e++) {
		const WpEdge *edge = &g_array_index(tree->island->edges, WpEdge, e);
		gint64 low, high;

		if (!edge->pair || edge->dropped)
			continue;
		wp_pair_at(edge->pair, &edge->pair->bound, row[edge->i], &low, &high);
		if (low != G_MININT64 && high != G_MAXINT64)
			reach += MIN(high - low, WP_NS_PER_S);
	}
	return MIN(reach, 10 * WP_NS_PER_S) + WP_NS_PER_MS;
}

static void add_first_rows(GPtrArray *rows, const WpIslandTree *tree)
{
	const WpIsland *island = tree->island;
	g_autofree WpTime *row = g_new(WpTime, island->n);
	WpTime begin = WP_TIME_MAX, end = WP_TIME_MIN;

	for (guint i = 0; i < island->n; i++) {
		begin = MIN(begin, wp_island_tree_to_root(tree, i, island->begin[i]));
		end = MAX(end, wp_island_tree_to_root(tree, i, island->end[i]));
	}
	wp_island_tree_row(tree, begin, row);
	add_row(rows, tree, wp_clock_add(begin, -reach_at(tree, row)));
	wp_island_tree_row(tree, end, row);
	add_row(rows, tree, wp_clock_add(end, reach_at(tree, row)));
	for (guint e = 0; e < island->edges->len; e++) {
		const WpEdge *edge = &g_array_index(island->edges, WpEdge, e);
		gint64 first, last;

		if (!edge->pair || edge->dropped || !wp_pair_span(edge->pair, &first, &last))
			continue;
		add_row(rows, tree,
			wp_island_tree_to_root(tree, edge->i, wp_clock_add(edge->pair->t0, first)));
		add_row(rows, tree,
			wp_island_tree_to_root(tree, edge->i, wp_clock_add(edge->pair->t0, last)));
	}
	order_rows(rows, island->n);
}

static gint compare_intervals(gconstpointer a, gconstpointer b)
{
	const Interval *x = a, *y = b;

	if (x->badness != y->badness)
		return x->badness > y->badness ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

/* Splits the worst of the fresh intervals; FALSE when there is nothing more to split. */
static gboolean refine(GPtrArray *rows, const WpIslandTree *tree, GHashTable *done, guint max)
{
	g_autoptr(GArray) bad = g_array_new(FALSE, FALSE, sizeof(Interval));
	guint room = max > rows->len ? max - rows->len : 0;

	for (guint k = 0; k + 1 < rows->len; k++) {
		WpTime *begin = g_ptr_array_index(rows, k);
		const WpTime *end = g_ptr_array_index(rows, k + 1);

		/* An interval found good stays so until one of its rows has another neighbour. */
		if (g_hash_table_lookup(done, begin) == end)
			continue;

		Interval interval = judge(tree, begin, end);

		interval.row = k;
		if (interval.badness > 1)
			g_array_append_val(bad, interval);
		else
			g_hash_table_insert(done, begin, (gpointer)end);
	}
	g_array_sort(bad, compare_intervals);
	for (guint b = 0; b < bad->len && room > 0; b++) {
		const Interval *interval = &g_array_index(bad, Interval, b);
		const WpTime *begin = g_ptr_array_index(rows, interval->row);
		const WpTime *end = g_ptr_array_index(rows, interval->row + 1);
		const WpTime middle = begin[0] + (end[0] - begin[0]) / 2;

		add_row(rows, tree, interval->split);
		room--;
		/* A split near an end leaves nearly all to do again. */
		if (room > 0 && ABS(interval->split - middle) > (end[0] - begin[0]) / 8 * 3) {
			add_row(rows, tree, middle);
			room--;
		}
	}
	return bad->len > 0;
}

GPtrArray *wp_island_rows(const WpIslandTree *tree, guint max, WpCancel *cancellable,
			  GError **error)
{
	g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GHashTable) done = g_hash_table_new(NULL, NULL);
	guint before;

	add_first_rows(rows, tree);
	do {
		if (wp_cancel_is_cancelled(cancellable)) {
			g_set_error(error, WP_ERROR, WP_ERROR_CANCELLED,
				    "The synchronisation of clocks was cancelled.");
			return NULL;
		}
		before = rows->len;
		if (!refine(rows, tree, done, max))
			break;
		order_rows(rows, tree->island->n);
	} while (rows->len > before && rows->len < max);
	return g_steal_pointer(&rows);
}
