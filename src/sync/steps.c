/* SPDX-License-Identifier: MIT */
/* steps.c: where the packets of a pair fall apart, and when that was for all hosts. */
#include "config.h"

#include <stdlib.h>

#include "sync/steps.h"

/* Clocks that nobody slews do not leave their mean rate by this. */
#define DRIFT_USUAL (20 * WP_RATE_PPM)
/* So few steps are the better explanation of a small drift to and fro than a slew is. */
#define STEPS_FEW 2u
/* A clock may be set back by so much; by more it would be its own past for too long. */
#define SET_BACK_MAX WP_NS_PER_S
/* Packets of the two directions are neighbours within this. */
#define NEAR WP_NS_PER_S

gboolean wp_steps_suspected(const WpPair *pair)
{
	return pair->measured && !pair->straight &&
	       (pair->quality == WP_PAIR_CONTRADICTORY || pair->fit.rate > 2 * DRIFT_USUAL);
}

/* A packet of either direction: the offset was at most, or at least, this. */
typedef struct {
	gint64 t, offset;
	gboolean ceiling;
} Mark;

static gint compare_marks(gconstpointer a, gconstpointer b)
{
	const Mark *x = a, *y = b;

	return (x->t > y->t) - (x->t < y->t);
}

static GArray *marks_of(const WpPair *pair, gint64 slope)
{
	GArray *marks = g_array_new(FALSE, FALSE, sizeof(Mark));

	for (guint side = 0; side < 2; side++) {
		const GArray *points = side ? pair->lower.kept : pair->upper.kept;

		for (guint i = 0; i < points->len; i++) {
			const WpPoint *point = &g_array_index(points, WpPoint, i);
			const Mark mark = {.t = point->t,
					   .offset = (side ? -point->v : point->v) -
						     wp_rate_times(slope, point->t),
					   .ceiling = side == 0};

			g_array_append_val(marks, mark);
		}
	}
	g_array_sort(marks, compare_marks);
	return marks;
}

/* What the packets of one part leave open at the time of the last one looked at. */
typedef struct {
	gint64 t, low, high;
} Corridor;

static gboolean corridor_take(Corridor *corridor, const Mark *mark, gint64 rate)
{
	const gint64 drift = wp_rate_times(rate, ABS(mark->t - corridor->t));
	const gint64 low = MAX(corridor->low - drift, -WP_OFFSET_FAR);
	const gint64 high = MIN(corridor->high + drift, WP_OFFSET_FAR);

	corridor->t = mark->t;
	corridor->low = mark->ceiling ? low : MAX(low, mark->offset);
	corridor->high = mark->ceiling ? MIN(high, mark->offset) : high;
	return corridor->low <= corridor->high;
}

/*
 * The times (gint64) of the marks that, in the order of time or against it, can't be of one
 * part with those before. NULL when they are too many.
 */
static GArray *fall_apart(const GArray *marks, gint64 rate, guint max, gboolean backwards)
{
	g_autoptr(GArray) times = g_array_new(FALSE, FALSE, sizeof(gint64));
	Corridor corridor = {0, -WP_OFFSET_FAR, WP_OFFSET_FAR};

	for (guint i = 0; i < marks->len; i++) {
		const Mark *mark = &g_array_index(marks, Mark, backwards ? marks->len - 1 - i : i);

		if (corridor_take(&corridor, mark, rate))
			continue;
		g_array_append_val(times, mark->t);
		if (times->len > max)
			return NULL;
		corridor = (Corridor){mark->t, -WP_OFFSET_FAR, WP_OFFSET_FAR};
		corridor_take(&corridor, mark, rate);
	}
	return g_steal_pointer(&times);
}

/* The nearest point on one side of a time; one at the time itself is on both. */
static const WpPoint *beside(const GArray *points, gint64 t, gboolean behind)
{
	guint i = wp_points_behind(points, t);

	if (i > 0 && (!behind || g_array_index(points, WpPoint, i - 1).t == t))
		i--;
	else if (!behind)
		return NULL;
	return i < points->len ? &g_array_index(points, WpPoint, i) : NULL;
}

/*
 * The offset on one side of a time, as the nearest packets have it; *ret_reach is raised by
 * how far it may be off at most, as long as packets take less than WP_STEP_MARGIN.
 */
static gboolean offset_beside(const WpPair *pair, gint64 t, gboolean behind, gint64 *ret_offset,
			      gint64 *ret_reach)
{
	const WpPoint *upper = beside(pair->upper.kept, t, behind);
	const WpPoint *lower = beside(pair->lower.kept, t, behind);
	gint64 away = 0;

	if (!upper && !lower)
		return FALSE;
	if (upper && lower && ABS(upper->t - lower->t) <= NEAR) {
		*ret_offset = upper->v - (upper->v + lower->v) / 2;
		*ret_reach += ABS(upper->v + lower->v);
		away = MAX(ABS(upper->t - t), ABS(lower->t - t));
	} else if (!lower || (upper && ABS(upper->t - t) < ABS(lower->t - t))) {
		*ret_offset = upper->v;
		away = ABS(upper->t - t);
	} else {
		*ret_offset = -lower->v;
		away = ABS(lower->t - t);
	}
	*ret_reach += wp_rate_times(WP_PRIOR_RATE_MAX, away);
	return TRUE;
}

static WpCut cut_around(WpTime from, WpTime to, gint64 reach)
{
	return (WpCut){wp_clock_add(from, -reach), wp_clock_add(to, reach)};
}

/*
 * A step between two of the pair's times. Which of the two clocks was stepped does not show, and
 * one that was set back shows some times twice: so the cut has room for that.
 */
static gboolean make_step(const WpPair *pair, gint64 from, gint64 to, WpStep *step)
{
	gint64 before, after, reach = 0;

	if (from >= to || !offset_beside(pair, from, FALSE, &before, &reach) ||
	    !offset_beside(pair, to, TRUE, &after, &reach))
		return FALSE;
	step->a = pair->a;
	step->b = pair->b;
	step->jump = after - before;
	if (ABS(step->jump) <= SET_BACK_MAX)
		reach += ABS(step->jump);
	step->at_a = cut_around(pair->t0 + from, pair->t0 + to, reach);
	step->at_b = cut_around(wp_clock_add(pair->t0 + from, pair->v0 + before),
				wp_clock_add(pair->t0 + to, pair->v0 + after), reach);
	return step->at_b.from < step->at_b.to;
}

static gboolean find_at_rate(const WpPair *pair, gint64 slope, gint64 rate, guint max,
			     GArray *steps)
{
	g_autoptr(GArray) marks = marks_of(pair, slope);
	g_autoptr(GArray) latest = fall_apart(marks, rate, max, FALSE);
	g_autoptr(GArray) earliest = fall_apart(marks, rate, max, TRUE);

	if (!latest || !earliest || latest->len == 0 || latest->len != earliest->len)
		return FALSE;
	for (guint i = 0; i < latest->len; i++) {
		const gint64 from = g_array_index(earliest, gint64, earliest->len - 1 - i);
		WpStep step;

		if (!make_step(pair, from, g_array_index(latest, gint64, i), &step))
			return FALSE;
		g_array_append_val(steps, step);
	}
	return TRUE;
}

gboolean wp_steps_find(const WpPair *pair, gint64 line, gint64 centre, GArray *steps)
{
	const struct {
		gint64 slope, rate;
		guint max;
	} ways[] = {{line, DRIFT_USUAL, STEPS_FEW},
		    {line, 2 * DRIFT_USUAL, STEPS_FEW},
		    {line, 4 * DRIFT_USUAL, STEPS_FEW},
		    {centre, WP_PRIOR_RATE, WP_STEPS_MAX},
		    {centre, WP_PRIOR_RATE_MAX, WP_STEPS_MAX}};
	/* A line through what was stepped far leans so much that it is none of the clocks'. */
	const guint first = ABS(line - centre) <= WP_PRIOR_RATE ? 0 : 3;
	g_autoptr(GArray) fewest = NULL;

	/* What explains it with the fewest steps. */
	for (guint i = first; i < G_N_ELEMENTS(ways); i++) {
		g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(WpStep));

		if (find_at_rate(pair, ways[i].slope, ways[i].rate, ways[i].max, found) &&
		    (!fewest || found->len < fewest->len)) {
			g_clear_pointer(&fewest, g_array_unref);
			fewest = g_steal_pointer(&found);
		}
	}
	if (fewest)
		g_array_append_vals(steps, fewest->data, fewest->len);
	return fewest != NULL;
}

/* A cut of which nothing is known yet, and which any other one widens. */
static const WpCut nowhere = {G_MAXINT64, G_MININT64};

static void widen(WpCut *cut, const WpCut *by)
{
	cut->from = MIN(cut->from, by->from);
	cut->to = MAX(cut->to, by->to);
}

static gboolean overlap(const WpCut *x, const WpCut *y)
{
	return x->from - WP_STEP_MARGIN <= y->to && y->from <= x->to + WP_STEP_MARGIN;
}

static gboolean is_known(const WpCut *cut)
{
	return cut->from <= cut->to;
}

/* One step, or some that are too near to each other, as every host sees it: by host. */
typedef struct {
	WpCut *at; /* owned */
} Row;

static void row_clear(gpointer row)
{
	g_free(((Row *)row)->at);
}

static void row_take(Row *row, const WpStep *step)
{
	widen(&row->at[step->a], &step->at_a);
	widen(&row->at[step->b], &step->at_b);
}

static Row *row_for(GArray *rows, guint n_all, const WpStep *step)
{
	Row row;

	for (guint r = 0; r < rows->len; r++) {
		Row *old = &g_array_index(rows, Row, r);

		if ((is_known(&old->at[step->a]) && overlap(&old->at[step->a], &step->at_a)) ||
		    (is_known(&old->at[step->b]) && overlap(&old->at[step->b], &step->at_b)))
			return old;
	}
	row.at = g_new(WpCut, n_all);
	for (guint h = 0; h < n_all; h++)
		row.at[h] = nowhere;
	g_array_append_val(rows, row);
	return &g_array_index(rows, Row, rows->len - 1);
}

/* A cut of one of a pair's hosts on the other's clock. */
static gboolean on_other_clock(const WpPair *pair, guint of, const WpCut *cut, WpCut *ret_cut)
{
	const gint64 sign = of == pair->a ? 1 : -1;
	const WpTime times[] = {cut->from, cut->to};
	WpTime images[2];
	gint64 reach = 0;

	for (guint k = 0; k < 2; k++) {
		WpTime at_a = sign > 0 ? times[k] : wp_clock_add(times[k], -pair->v0);
		gint64 offset;

		/* Offsets go by a's time, which is found from b's by trying. */
		for (guint step = 0; step < 4; step++) {
			if (!offset_beside(pair, at_a - pair->t0, k == 1, &offset, &reach))
				return FALSE;
			if (sign < 0)
				at_a = wp_clock_add(times[k], -(pair->v0 + offset));
		}
		images[k] = wp_clock_add(times[k], sign * (pair->v0 + offset));
	}
	*ret_cut = cut_around(images[0], images[1], reach);
	return TRUE;
}

/* Finds a row's cut for all hosts, round by round from those that have it. */
static gboolean row_spread(Row *row, WpPair *const *pairs, guint n_all, const guint *hosts, guint n)
{
	g_autofree WpCut *fresh = g_new(WpCut, n);
	guint n_unknown = 0;

	for (guint before = n + 1;; before = n_unknown) {
		n_unknown = 0;
		for (guint i = 0; i < n; i++) {
			fresh[i] = row->at[hosts[i]];
			if (is_known(&fresh[i]))
				continue;
			n_unknown++;
			for (guint k = 0; k < n; k++) {
				const guint a = MIN(hosts[i], hosts[k]),
					    b = MAX(hosts[i], hosts[k]);
				const WpPair *pair = pairs[(gsize)a * n_all + b];
				WpCut image;

				if (pair && is_known(&row->at[hosts[k]]) &&
				    on_other_clock(pair, hosts[k], &row->at[hosts[k]], &image))
					widen(&fresh[i], &image);
			}
		}
		for (guint i = 0; i < n; i++)
			row->at[hosts[i]] = fresh[i];
		if (n_unknown == 0)
			return TRUE;
		if (n_unknown >= before)
			return FALSE;
	}
}

/* Rows in order; such as can't be told apart on some host's clock are one. */
static void join_rows(GArray *rows, const guint *hosts, guint n)
{
	for (guint r = 0; r + 1 < rows->len;) {
		Row *row = &g_array_index(rows, Row, r), *next = row + 1;
		gboolean apart = TRUE;

		if (next->at[hosts[0]].from < row->at[hosts[0]].from) {
			Row moved = *row;

			*row = *next;
			*next = moved;
			r = 0;
			continue;
		}
		for (guint i = 0; i < n; i++)
			apart = apart && next->at[hosts[i]].from > row->at[hosts[i]].to &&
				!overlap(&row->at[hosts[i]], &next->at[hosts[i]]);
		if (apart) {
			r++;
			continue;
		}
		for (guint i = 0; i < n; i++)
			widen(&row->at[hosts[i]], &next->at[hosts[i]]);
		g_array_remove_index(rows, r + 1);
		r = 0;
	}
}

/* The row that a step went into. */
static guint row_of(const GArray *rows, const WpStep *step)
{
	guint r = 0;

	while (r + 1 < rows->len && !overlap(&g_array_index(rows, Row, r).at[step->a], &step->at_a))
		r++;
	return r;
}

gboolean wp_steps_cut(GArray *steps, WpPair *const *pairs, guint n_all, const guint *hosts, guint n,
		      GArray *const *cuts)
{
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(Row));

	g_array_set_clear_func(rows, row_clear);
	for (guint s = 0; s < steps->len; s++) {
		const WpStep *step = &g_array_index(steps, WpStep, s);

		row_take(row_for(rows, n_all, step), step);
		if (rows->len > 4 * WP_STEPS_MAX)
			return FALSE;
	}
	for (guint r = 0; r < rows->len; r++) {
		if (!row_spread(&g_array_index(rows, Row, r), pairs, n_all, hosts, n))
			return FALSE;
	}
	join_rows(rows, hosts, n);
	if (rows->len > WP_STEPS_MAX)
		return FALSE;
	for (guint s = 0; s < steps->len; s++) {
		WpStep *step = &g_array_index(steps, WpStep, s);

		step->cut = row_of(rows, step);
	}
	for (guint r = 0; r < rows->len; r++) {
		for (guint i = 0; i < n; i++)
			g_array_append_val(cuts[hosts[i]],
					   g_array_index(rows, Row, r).at[hosts[i]]);
	}
	return TRUE;
}

guint wp_steps_part(const GArray *cuts, WpTime time)
{
	for (guint k = 0; cuts && k < cuts->len; k++) {
		const WpCut *cut = &g_array_index(cuts, WpCut, k);

		if (time <= cut->from - WP_STEP_MARGIN)
			return k;
		if (time < cut->to + WP_STEP_MARGIN)
			return WP_NONE;
	}
	return cuts ? cuts->len : 0;
}
