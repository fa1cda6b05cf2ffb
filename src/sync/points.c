/* SPDX-License-Identifier: MIT */
/* points.c: ceilings and the cones over them. */
#include "config.h"

#include <stdlib.h>

#include "sync/points.h"

/* So many points are collected before they are sorted and thinned. */
#define FRESH_MAX (1u << 16)
/* Room for so many is made first: most pairs of a large trace have few. */
#define FRESH_FIRST 64u
/* Moves for each point that sorting by insertion may take. */
#define MOVES_MAX 8u
/* More are not kept: then every second one goes. */
#define KEPT_MAX (1u << 20)

void wp_points_init(WpPoints *points)
{
	points->kept = g_array_new(FALSE, FALSE, sizeof(WpPoint));
	points->fresh = NULL;
	points->n_fresh = points->max_fresh = 0;
	points->n = 0;
	points->block = 0;
	points->coarse = FALSE;
}

void wp_points_clear(WpPoints *points)
{
	g_array_free(points->kept, TRUE);
	g_free(points->fresh);
}

void wp_points_reset(WpPoints *points)
{
	wp_points_clear(points);
	wp_points_init(points);
}

static gint compare_points(gconstpointer a, gconstpointer b)
{
	const WpPoint *x = a, *y = b;

	if (x->t != y->t)
		return x->t < y->t ? -1 : 1;
	return (x->v > y->v) - (x->v < y->v);
}

/* Packets arrive nearly in the order in which they were sent, so few have far to go. */
static void sort(WpPoint *all, guint n)
{
	guint64 moves = (guint64)n * MOVES_MAX;

	for (guint i = 1; i < n; i++) {
		const WpPoint point = all[i];
		guint to = i;

		for (; to > 0 && compare_points(&all[to - 1], &point) > 0 && moves > 0; moves--) {
			all[to] = all[to - 1];
			to--;
		}
		all[to] = point;
		if (moves == 0) {
			qsort(all, n, sizeof(WpPoint), compare_points);
			return;
		}
	}
}

static gboolean are_of_one_block(const WpPoint *x, const WpPoint *y, gint64 block)
{
	return block == 0 || x->t / block == y->t / block;
}

/* Sorts n points and leaves only those under all cones: how many these are. */
static guint thin(WpPoint *points, guint n_points, gint64 rate, gint64 block)
{
	guint n = 0;

	sort(points, n_points);
	for (guint i = 0; i < n_points; i++) {
		const WpPoint point = points[i];
		const WpPoint *last = n ? &points[n - 1] : NULL;

		/* Right of the last one kept its cone is the lowest of all so far. */
		if (last && are_of_one_block(last, &point, block) &&
		    point.v >= last->v + wp_rate_times(rate, point.t - last->t))
			continue;
		while (n > 0) {
			last = &points[n - 1];
			if (!are_of_one_block(last, &point, block) ||
			    last->v < point.v + wp_rate_times(rate, point.t - last->t))
				break;
			n--;
		}
		points[n++] = point;
	}
	return n;
}

static void thin_array(GArray *points, gint64 rate, gint64 block)
{
	g_array_set_size(points, thin((WpPoint *)(void *)points->data, points->len, rate, block));
}

void wp_points_thin(GArray *points, gint64 rate)
{
	thin_array(points, rate, 0);
}

static void absorb(WpPoints *points)
{
	GArray *kept = points->kept;

	points->n_fresh = thin(points->fresh, points->n_fresh, WP_RATE_LIMIT, points->block);
	if (points->n_fresh > 0)
		g_array_append_vals(kept, points->fresh, points->n_fresh);
	points->n_fresh = 0;
	if (kept->len > KEPT_MAX) {
		guint n = 0;

		thin_array(kept, WP_RATE_LIMIT, points->block);
		/* Of two neighbours the lower one says more. */
		for (guint i = 0; kept->len > KEPT_MAX / 2 && i + 1 < kept->len; i += 2) {
			const WpPoint *a = &g_array_index(kept, WpPoint, i), *b = a + 1;

			g_array_index(kept, WpPoint, n++) = a->v < b->v ? *a : *b;
		}
		if (n > 0) {
			points->coarse = TRUE;
			g_array_set_size(kept, n);
		}
	}
}

void wp_points_add(WpPoints *points, gint64 t, gint64 v)
{
	const WpPoint point = {t, v};

	if (ABS(t) > WP_POINT_MAX || ABS(v) > WP_POINT_MAX)
		return;
	points->n++;
	if (points->n_fresh == points->max_fresh) {
		points->max_fresh = MAX(2 * points->max_fresh, FRESH_FIRST);
		points->fresh = g_renew(WpPoint, points->fresh, points->max_fresh);
	}
	points->fresh[points->n_fresh++] = point;
	if (points->n_fresh == FRESH_MAX)
		absorb(points);
}

void wp_points_finish(WpPoints *points)
{
	absorb(points);
	thin_array(points->kept, WP_RATE_LIMIT, points->block);
}

guint wp_points_behind(const GArray *points, gint64 t)
{
	guint low = 0, high = points->len;

	while (low < high) {
		const guint middle = low + (high - low) / 2;

		if (g_array_index(points, WpPoint, middle).t <= t)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

gint64 wp_points_ceiling(const GArray *points, gint64 rate, gint64 t)
{
	const guint behind = wp_points_behind(points, t);
	gint64 ceiling = G_MAXINT64;

	if (behind > 0) {
		const WpPoint *left = &g_array_index(points, WpPoint, behind - 1);

		ceiling = left->v + wp_rate_times(rate, t - left->t);
	}
	if (behind < points->len) {
		const WpPoint *right = &g_array_index(points, WpPoint, behind);

		ceiling = MIN(ceiling, right->v + wp_rate_times(rate, right->t - t));
	}
	return ceiling;
}
