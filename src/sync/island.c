/* SPDX-License-Identifier: MIT */
/*
 * island.c: the clocks of an island from the constraints of all its pairs.
 *
 * Let x_i be by how much clock i is ahead of its time in a row. A pair whose offset lies in
 * [low, high] at the row's time of its first host bounds the difference of two x. For the
 * estimate the constraints of a row are closed and the middle is taken. For the bound whole
 * intervals are closed, with what the envelopes bulge between two rows added, so that it
 * holds between rows too.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "sync/closure.h"
#include "sync/island-private.h"

/* Rows: enough to follow any clock, but no more than so many steps of closing and limits. */
#define ROWS_MAX 2000u
#define ROWS_MIN 24u
#define STEPS_MAX 100000000u
#define LIMITS_MAX (1u << 19)

WpIsland *wp_island_new(void)
{
	WpIsland *island = g_new0(WpIsland, 1);

	island->edges = g_array_new(FALSE, TRUE, sizeof(WpEdge));
	return island;
}

void wp_island_free(WpIsland *island)
{
	if (!island)
		return;
	g_array_free(island->edges, TRUE);
	g_free(island->hosts);
	g_free(island->begin);
	g_free(island->end);
	g_free(island->times);
	g_free(island->bounds);
	g_free(island);
}

guint wp_island_add_host(WpIsland *island, guint host, WpTime begin, WpTime end)
{
	const guint member = island->n++;

	island->hosts = g_renew(guint, island->hosts, island->n);
	island->begin = g_renew(WpTime, island->begin, island->n);
	island->end = g_renew(WpTime, island->end, island->n);
	island->hosts[member] = host;
	island->begin[member] = wp_clock_clamp(begin);
	island->end[member] = wp_clock_clamp(end);
	return member;
}

void wp_island_add_pair(WpIsland *island, guint i, guint j, WpPair *pair)
{
	const WpEdge edge = {.i = i, .j = j, .pair = pair};

	g_array_append_val(island->edges, edge);
}

void wp_island_add_fixed(WpIsland *island, guint i, guint j, gint64 offset)
{
	const WpEdge edge = {.i = i, .j = j, .offset = offset};

	g_array_append_val(island->edges, edge);
}

/*
 * What an edge says at a row: j's x minus i's is within these, by the envelopes of the estimate
 * and of the bound; and how much further the bound's reach somewhere before the next row.
 */
typedef struct {
	gdouble fit_low, fit_high;
	gdouble low, high;
	gdouble low_bulge, high_bulge;
} Limits;

/* The numbers at work while an island is solved; all arrays are owned. */
typedef struct {
	WpIsland *island; /* borrowed */
	WpIslandTree tree;
	GPtrArray *rows;
	guint n;
	Limits *limits; /* by row, then edge */
	gdouble *begin, *end, *sums; /* matrices */
	gdouble *weights; /* matrix: packets of each pair, for blame */
	gdouble *x; /* by row, then member */
	guint *component; /* members that bound each other on both sides */
	guint n_components;
} Solver;

static void solver_init(Solver *solver, WpIsland *island)
{
	const gsize n = island->n;

	memset(solver, 0, sizeof(*solver));
	solver->island = island;
	solver->n = island->n;
	solver->begin = g_new0(gdouble, n * n);
	solver->end = g_new0(gdouble, n * n);
	solver->sums = g_new0(gdouble, n * n);
	solver->weights = g_new0(gdouble, n * n);
	solver->component = g_new0(guint, n);
}

static void solver_clear(Solver *solver)
{
	wp_island_tree_clear(&solver->tree);
	if (solver->rows)
		g_ptr_array_unref(solver->rows);
	g_free(solver->limits);
	g_free(solver->begin);
	g_free(solver->end);
	g_free(solver->sums);
	g_free(solver->weights);
	g_free(solver->x);
	g_free(solver->component);
}

static WpTime *row_at(const Solver *solver, guint k)
{
	return g_ptr_array_index(solver->rows, k);
}

/* Members that can be reached from each other by constraints are one component. */
static void find_components(Solver *solver)
{
	const guint n = solver->n;

	wp_closure_reset(solver->sums, n);
	for (guint e = 0; e < solver->island->edges->len; e++) {
		const WpEdge *edge = &g_array_index(solver->island->edges, WpEdge, e);

		if (edge->dropped)
			continue;
		if (!edge->pair || edge->pair->upper.n)
			solver->sums[edge->i * n + edge->j] = 0;
		if (!edge->pair || edge->pair->lower.n)
			solver->sums[edge->j * n + edge->i] = 0;
	}
	wp_closure_close(solver->sums, n);
	solver->n_components = 0;
	for (guint i = 0; i < n; i++) {
		guint j = 0;

		while (j < i && (solver->sums[i * n + j] >= WP_CLOSURE_FAR ||
				 solver->sums[j * n + i] >= WP_CLOSURE_FAR))
			j++;
		solver->component[i] = j < i ? solver->component[j] : solver->n_components++;
	}
}

static void tighten(gdouble *matrix, guint n, guint i, guint j, gdouble low, gdouble high)
{
	matrix[i * n + j] = MIN(matrix[i * n + j], high);
	matrix[j * n + i] = MIN(matrix[j * n + i], -low);
}

static void edge_limits(const WpEdge *edge, const WpEnvelope *envelope, const WpTime *row,
			gdouble *ret_low, gdouble *ret_high)
{
	const gint64 ahead = row[edge->i] - row[edge->j];
	gint64 low = edge->offset, high = edge->offset;

	if (edge->pair)
		wp_pair_at(edge->pair, envelope, row[edge->i], &low, &high);
	*ret_low = low == G_MININT64 ? -WP_CLOSURE_FAR : (gdouble)((__int128)low + ahead);
	*ret_high = high == G_MAXINT64 ? WP_CLOSURE_FAR : (gdouble)((__int128)high + ahead);
}

/*
 * The offset is that of i's moment, and the row's may be another by as much as the clocks are
 * off: then the rates of the two add to the difference.
 */
static gdouble slant(const WpEdge *edge, gdouble difference)
{
	const WpEnvelope *bound = &edge->pair->bound;

	return fabs(difference) * (gdouble)(ABS(bound->slope) + bound->rate) / (gdouble)WP_RATE_ONE;
}

static void find_edge_limits(const WpEdge *edge, const WpTime *row, const WpTime *next,
			     Limits *limits)
{
	const WpPair *pair = edge->pair;
	const WpEnvelope *bound = pair ? &pair->bound : NULL;

	edge_limits(edge, pair ? &pair->fit : NULL, row, &limits->fit_low, &limits->fit_high);
	edge_limits(edge, bound, row, &limits->low, &limits->high);
	if (!pair)
		return;
	if (limits->low > -WP_CLOSURE_FAR)
		limits->low -= slant(edge, limits->low) + 1;
	if (limits->high < WP_CLOSURE_FAR)
		limits->high += slant(edge, limits->high) + 1;
	if (next) {
		const gint64 begin = row[edge->i] - pair->t0, end = next[edge->i] - pair->t0;

		limits->low_bulge = (gdouble)wp_island_bulge(bound->lower, bound->rate, begin, end,
							     NULL, NULL);
		limits->high_bulge = (gdouble)wp_island_bulge(bound->upper, bound->rate, begin, end,
							      NULL, NULL);
	}
}

static void find_limits(Solver *solver)
{
	const guint n_rows = solver->rows->len, n_edges = solver->island->edges->len;

	g_free(solver->limits);
	solver->limits = g_new0(Limits, (gsize)n_rows * n_edges);
	for (guint e = 0; e < n_edges; e++) {
		const WpEdge *edge = &g_array_index(solver->island->edges, WpEdge, e);

		for (guint k = 0; !edge->dropped && k < n_rows; k++)
			find_edge_limits(edge, row_at(solver, k),
					 k + 1 < n_rows ? row_at(solver, k + 1) : NULL,
					 &solver->limits[(gsize)k * n_edges + e]);
	}
}

/* The matrix of a row: between the estimate's envelopes (share 0) and the bound's (1). */
static void fill_row(const Solver *solver, guint k, gdouble share, gdouble *matrix)
{
	const guint n_edges = solver->island->edges->len;

	wp_closure_reset(matrix, solver->n);
	for (guint e = 0; e < n_edges; e++) {
		const WpEdge *edge = &g_array_index(solver->island->edges, WpEdge, e);
		const Limits *l = &solver->limits[(gsize)k * n_edges + e];

		if (!edge->dropped)
			tighten(matrix, solver->n, edge->i, edge->j,
				l->fit_low + share * (l->low - l->fit_low),
				l->fit_high + share * (l->high - l->fit_high));
	}
}

/* The matrices of both ends of the interval behind a row, for the bound. */
static void fill_interval(const Solver *solver, guint k)
{
	const guint n_edges = solver->island->edges->len, n = solver->n;

	wp_closure_reset(solver->begin, n);
	wp_closure_reset(solver->end, n);
	for (guint e = 0; e < n_edges; e++) {
		const WpEdge *edge = &g_array_index(solver->island->edges, WpEdge, e);
		const Limits *l = &solver->limits[(gsize)k * n_edges + e], *next = l + n_edges;

		if (edge->dropped)
			continue;
		tighten(solver->begin, n, edge->i, edge->j, l->low - l->low_bulge,
			l->high + l->high_bulge);
		tighten(solver->end, n, edge->i, edge->j, next->low - l->low_bulge,
			next->high + l->high_bulge);
	}
}

gboolean wp_island_is_joined(const WpIsland *island)
{
	WpIslandTree tree;
	const gboolean joined = wp_island_tree_init(&tree, island);

	wp_island_tree_clear(&tree);
	return joined;
}

/* Members still joined when an edge is left out? */
static gboolean is_spare(Solver *solver, WpEdge *edge)
{
	gboolean spare;

	edge->dropped = TRUE;
	spare = wp_island_is_joined(solver->island);
	edge->dropped = FALSE;
	return spare;
}

/* A pair that contradicts itself says nothing where others join its hosts. */
static void drop_contradictory(Solver *solver)
{
	for (guint e = 0; e < solver->island->edges->len; e++) {
		WpEdge *edge = &g_array_index(solver->island->edges, WpEdge, e);

		if (edge->pair && edge->pair->quality == WP_PAIR_CONTRADICTORY)
			edge->dropped = is_spare(solver, edge);
	}
}

/*
 * Whether all pairs can be true together; if not, the one to blame is dropped. The interval's
 * matrices hold what can't be.
 */
static gboolean drop_blamed(Solver *solver, guint k)
{
	const guint n = solver->n;
	guint i, j;

	memset(solver->weights, 0, (gsize)n * n * sizeof(gdouble));
	for (guint e = 0; e < solver->island->edges->len; e++) {
		WpEdge *edge = &g_array_index(solver->island->edges, WpEdge, e);

		if (edge->pair && !edge->dropped)
			solver->weights[edge->i * n + edge->j] =
				solver->weights[edge->j * n + edge->i] =
					(gdouble)(edge->pair->upper.n + edge->pair->lower.n);
	}
	fill_interval(solver, k);
	for (gsize c = 0; c < (gsize)n * n; c++)
		solver->sums[c] = solver->begin[c] + solver->end[c];
	if (!wp_closure_blame(solver->sums, n, solver->weights, &i, &j))
		return FALSE;
	for (guint e = 0; e < solver->island->edges->len; e++) {
		WpEdge *edge = &g_array_index(solver->island->edges, WpEdge, e);

		if (edge->pair && MIN(edge->i, edge->j) == i && MAX(edge->i, edge->j) == j) {
			edge->dropped = TRUE;
			edge->pair->quality = WP_PAIR_CONTRADICTORY;
		}
	}
	return TRUE;
}

static guint rows_max(const WpIsland *island)
{
	const guint64 cube = (guint64)island->n * island->n * island->n;

	return (guint)CLAMP(MIN(STEPS_MAX / cube, LIMITS_MAX / MAX(island->edges->len, 1)),
			    ROWS_MIN, ROWS_MAX);
}

/* Rows on which all pairs that are left can be true. */
static gboolean find_rows(Solver *solver, WpCancel *cancellable, GError **error)
{
	drop_contradictory(solver);
	for (;;) {
		gboolean agree = TRUE;

		wp_island_tree_clear(&solver->tree);
		wp_island_tree_init(&solver->tree, solver->island);
		g_clear_pointer(&solver->rows, g_ptr_array_unref);
		solver->rows = wp_island_rows(&solver->tree, rows_max(solver->island), cancellable,
					      error);
		if (!solver->rows)
			return FALSE;
		find_limits(solver);
		for (guint k = 0; agree && k + 1 < solver->rows->len; k++) {
			fill_interval(solver, k);
			agree = wp_closure_close_interval(solver->begin, solver->end, solver->sums,
							  solver->n) ||
				!drop_blamed(solver, k);
		}
		if (agree)
			return TRUE;
	}
}

/*
 * Components that bound each other on one side only are put where the fastest packet took no
 * time, one by one, beginning with that of the first member.
 */
static void place_components(const Solver *solver, const gdouble *matrix, gdouble *x)
{
	const guint n = solver->n;
	g_autofree gboolean *placed = g_new0(gboolean, solver->n_components);

	placed[solver->component[0]] = TRUE;
	for (guint done = 1; done < solver->n_components; done++) {
		gdouble low = -WP_CLOSURE_FAR, high = WP_CLOSURE_FAR;
		guint component = solver->n_components;

		for (guint i = 0; i < n; i++) {
			for (guint j = 0; j < n; j++) {
				const gdouble up = matrix[i * n + j], down = matrix[j * n + i];

				if (!placed[solver->component[i]] || placed[solver->component[j]] ||
				    (up >= WP_CLOSURE_FAR && down >= WP_CLOSURE_FAR))
					continue;
				if (component == solver->n_components)
					component = solver->component[j];
				if (component != solver->component[j])
					continue;
				if (up < WP_CLOSURE_FAR)
					high = MIN(high, up + x[i] - x[j]);
				if (down < WP_CLOSURE_FAR)
					low = MAX(low, -down + x[i] - x[j]);
			}
		}
		if (component == solver->n_components)
			return;

		const gdouble shift = high >= WP_CLOSURE_FAR   ? low
				      : low <= -WP_CLOSURE_FAR ? high
							       : (low + high) / 2;

		for (guint j = 0; j < n; j++)
			x[j] += solver->component[j] == component ? shift : 0;
		placed[component] = TRUE;
	}
}

/* The estimate at each row, with the envelopes as narrow as all pairs allow together. */
static void find_middles(Solver *solver)
{
	static const gdouble shares[] = {0, 0.125, 0.25, 0.5, 1};

	solver->x = g_new0(gdouble, (gsize)solver->rows->len * solver->n);
	for (guint k = 0; k < solver->rows->len; k++) {
		gdouble *x = solver->x + (gsize)k * solver->n;

		for (guint s = 0; s < G_N_ELEMENTS(shares); s++) {
			fill_row(solver, k, shares[s], solver->sums);
			if (!wp_closure_close(solver->sums, solver->n))
				continue;
			wp_closure_middle(solver->sums, solver->n, solver->component, x);
			if (solver->n_components > 1)
				place_components(solver, solver->sums, x);
			break;
		}
	}
}

static gsize pair_index(guint n, guint i, guint j)
{
	const gsize low = MIN(i, j), high = MAX(i, j);

	return low * (2 * (gsize)n - low - 1) / 2 + high - low - 1;
}

static gsize n_pairs(guint n)
{
	return (gsize)n * (n - 1) / 2;
}

static void raise_bound(WpIsland *island, guint k, guint i, guint j, gdouble bound)
{
	gfloat *stored = &island->bounds[k * n_pairs(island->n) + pair_index(island->n, i, j)];
	const gdouble capped = bound >= WP_CLOSURE_FAR / 2 ? (gdouble)WP_BOUND_ONE_WAY : bound;

	*stored = MAX(*stored, nextafterf((gfloat)capped, INFINITY));
}

/* The bounds of an interval's ends: what its closed matrices leave open around the estimate. */
static void find_bounds(Solver *solver, guint k)
{
	const guint n = solver->n;
	const gdouble *x = solver->x + (gsize)k * n, *next = x + n;

	fill_interval(solver, k);
	wp_closure_close_interval(solver->begin, solver->end, solver->sums, n);
	for (guint i = 0; i < n; i++) {
		for (guint j = i + 1; j < n; j++) {
			const gsize up = (gsize)i * n + j, down = (gsize)j * n + i;
			const gdouble here = x[j] - x[i], there = next[j] - next[i];

			raise_bound(solver->island, k, i, j,
				    MAX(solver->begin[up] - here, solver->begin[down] + here) + 2);
			raise_bound(solver->island, k + 1, i, j,
				    MAX(solver->end[up] - there, solver->end[down] + there) + 2);
		}
	}
}

/* Moves the rows by the estimate; no clock may stand still. */
static void store_times(Solver *solver)
{
	WpIsland *island = solver->island;
	const guint n = solver->n;

	for (guint k = 0; k < island->n_rows; k++) {
		for (guint i = 0; i < n; i++) {
			WpTime *time = &island->times[(gsize)k * n + i];
			const gdouble x = solver->x[(gsize)k * n + i];

			*time = wp_clock_add(row_at(solver, k)[i], (gint64)floor(x));
			if (k == 0 || *time > time[-(gssize)n])
				continue;
			for (guint j = 0; j < n; j++) {
				if (j != i)
					raise_bound(island, k, i, j,
						    (gdouble)(time[-(gssize)n] + 1 - *time) +
							    (gdouble)island
								    ->bounds[k * n_pairs(n) +
									     pair_index(n, i, j)]);
			}
			*time = time[-(gssize)n] + 1;
		}
	}
}

gboolean wp_island_solve(WpIsland *island, WpCancel *cancellable, GError **error)
{
	Solver solver;

	solver_init(&solver, island);
	if (!find_rows(&solver, cancellable, error)) {
		solver_clear(&solver);
		return FALSE;
	}
	find_components(&solver);
	find_middles(&solver);
	island->n_rows = solver.rows->len;
	island->times = g_new0(WpTime, (gsize)island->n_rows * island->n);
	island->bounds = g_new0(gfloat, island->n_rows * n_pairs(island->n));
	for (guint k = 0; k + 1 < island->n_rows; k++)
		find_bounds(&solver, k);
	store_times(&solver);
	for (guint e = 0; e < island->edges->len; e++) {
		const WpEdge *edge = &g_array_index(island->edges, WpEdge, e);

		if (edge->pair && !edge->dropped)
			island->rate = MAX(island->rate, edge->pair->bound.rate);
	}
	solver_clear(&solver);
	return TRUE;
}

static gboolean is_before(const WpTime *row, const WpCut *cuts, guint n)
{
	for (guint i = 0; i < n; i++) {
		if (row[i] >= cuts[i].from)
			return FALSE;
	}
	return TRUE;
}

static gboolean is_behind(const WpTime *row, const WpCut *cuts, guint n)
{
	for (guint i = 0; i < n; i++) {
		if (row[i] <= cuts[i].to)
			return FALSE;
	}
	return TRUE;
}

/*
 * Bounds of the times between the last row before a step and the first behind it: of each pair as
 * much more than at either as its offset differs between them, and as drift may have added.
 */
static void bridge_bounds(WpIsland *island, guint last)
{
	const guint n = island->n, first = last + 3;
	const WpTime *before = island->times + (gsize)last * n;
	const WpTime *behind = island->times + (gsize)first * n;

	for (guint i = 0; i < n; i++) {
		for (guint j = i + 1; j < n; j++) {
			const gsize pair = pair_index(n, i, j);
			const gdouble run = (gdouble)(behind[i] - before[i]);
			const gdouble jump = (gdouble)(behind[j] - before[j]) - run;
			const gdouble bound = (gdouble)MAX(
				island->bounds[last * n_pairs(n) + pair],
				island->bounds[first * n_pairs(n) + pair]);
			const gdouble drift = run * (gdouble)island->rate / (gdouble)WP_RATE_ONE;

			for (guint k = last + 1; k < first; k++)
				raise_bound(island, k, i, j, bound + fabs(jump) + drift + 2);
		}
	}
}

void wp_island_append(WpIsland *island, const WpIsland *next, const WpCut *cuts)
{
	const guint n = island->n;
	guint last = island->n_rows - 1, skip = 0;

	while (last > 0 && !is_before(island->times + (gsize)last * n, cuts, n))
		last--;
	while (skip + 1 < next->n_rows && !is_behind(next->times + (gsize)skip * n, cuts, n))
		skip++;

	const guint first = last + 3, n_rows = first + next->n_rows - skip;

	island->times = g_renew(WpTime, island->times, (gsize)n_rows * n);
	island->bounds = g_renew(gfloat, island->bounds, n_rows * n_pairs(n));
	memcpy(island->times + (gsize)first * n, next->times + (gsize)skip * n,
	       (gsize)(n_rows - first) * n * sizeof(WpTime));
	memcpy(island->bounds + first * n_pairs(n), next->bounds + skip * n_pairs(n),
	       (n_rows - first) * n_pairs(n) * sizeof(gfloat));
	/* The bridge stands a nanosecond beside its ends, so that their bounds are not raised. */
	for (guint i = 0; i < n; i++) {
		WpTime *time = island->times + i;

		time[(gsize)(last + 1) * n] = time[(gsize)last * n] + 1;
		time[(gsize)(last + 2) * n] = time[(gsize)first * n] - 1;
	}
	memset(island->bounds + (last + 1) * n_pairs(n), 0, 2 * n_pairs(n) * sizeof(gfloat));
	island->n_rows = n_rows;
	island->rate = MAX(island->rate, next->rate);
	bridge_bounds(island, last);
}

WpClockMap *wp_island_map(const WpIsland *island, guint member, guint reference)
{
	const gint64 growth = (gint64)(((__int128)island->rate * WP_NS_PER_S >> WP_RATE_SHIFT)) + 1;
	g_autofree WpClockKnot *knots = g_new0(WpClockKnot, island->n_rows);

	for (guint k = 0; k < island->n_rows; k++) {
		const WpTime *row = island->times + (gsize)k * island->n;

		knots[k].host = row[member];
		knots[k].offset = row[reference] - row[member];
		knots[k].bound = (WpTime)ceilf(
			island->bounds[k * n_pairs(island->n) +
				       pair_index(island->n, member, reference)]);
	}
	return wp_clock_map_new(knots, island->n_rows, growth);
}

WpTime wp_island_bound(const WpIsland *island, guint i, guint j, guint reference, WpTime time)
{
	const guint n = island->n;
	const gfloat *bounds = island->bounds + pair_index(n, i, j);
	const WpTime *times = island->times + reference;
	guint low = 0, high = island->n_rows;

	if (i == j || n == 1)
		return 0;
	while (high - low > 1) {
		const guint middle = low + (high - low) / 2;

		if (times[(gsize)middle * n] <= time)
			low = middle;
		else
			high = middle;
	}

	const gdouble here = (gdouble)bounds[low * n_pairs(n)];
	const gdouble away = (gdouble)time - (gdouble)times[(gsize)low * n];

	if (away < 0 || low + 1 == island->n_rows)
		return (WpTime)ceil(here +
				    fabs(away) * (gdouble)island->rate / (gdouble)WP_RATE_ONE);

	const gdouble run = (gdouble)(times[(gsize)(low + 1) * n] - times[(gsize)low * n]);

	return (WpTime)ceil(here + ((gdouble)bounds[(low + 1) * n_pairs(n)] - here) * away / run);
}
