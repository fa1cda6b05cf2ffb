/* SPDX-License-Identifier: MIT */
/* closure.c: shortest paths between clocks. */
#include "config.h"

#include "sync/closure.h"

#define AT(matrix, i, j) ((matrix)[(gsize)(i)*n + (j)])

void wp_closure_reset(gdouble *matrix, guint n)
{
	for (gsize i = 0; i < (gsize)n * n; i++)
		matrix[i] = WP_CLOSURE_FAR;
	for (guint i = 0; i < n; i++)
		AT(matrix, i, i) = 0;
}

static gboolean has_negative_cycle(const gdouble *matrix, guint n, gdouble tolerance)
{
	for (guint i = 0; i < n; i++) {
		if (AT(matrix, i, i) < -tolerance)
			return TRUE;
	}
	return FALSE;
}

gboolean wp_closure_close(gdouble *matrix, guint n)
{
	for (guint k = 0; k < n; k++) {
		const gdouble *via = &AT(matrix, k, 0);

		for (guint i = 0; i < n; i++) {
			gdouble *row = &AT(matrix, i, 0);
			const gdouble first = row[k];

			if (first >= WP_CLOSURE_FAR || i == k)
				continue;
			for (guint j = 0; j < n; j++)
				row[j] = MIN(row[j], first + via[j]);
		}
	}
	if (has_negative_cycle(matrix, n, WP_CLOSURE_TOLERANCE))
		return FALSE;
	for (guint i = 0; i < n; i++)
		AT(matrix, i, i) = 0;
	return TRUE;
}

gboolean wp_closure_close_interval(gdouble *begin, gdouble *end, gdouble *sums, guint n)
{
	for (gsize i = 0; i < (gsize)n * n; i++)
		sums[i] = begin[i] + end[i];
	for (guint k = 0; k < n; k++) {
		for (guint i = 0; i < n; i++) {
			const gsize to = (gsize)i * n, via = (gsize)k * n;
			const gdouble sum = sums[to + k];

			if (sum >= WP_CLOSURE_FAR || i == k)
				continue;
			for (guint j = 0; j < n; j++) {
				if (sum + sums[via + j] >= sums[to + j])
					continue;
				sums[to + j] = sum + sums[via + j];
				begin[to + j] = begin[to + k] + begin[via + j];
				end[to + j] = end[to + k] + end[via + j];
			}
		}
	}
	if (has_negative_cycle(sums, n, 2 * WP_CLOSURE_TOLERANCE))
		return FALSE;
	for (guint i = 0; i < n; i++)
		AT(begin, i, i) = AT(end, i, i) = 0;
	return TRUE;
}

void wp_closure_middle(const gdouble *matrix, guint n, const guint *component, gdouble *ret_x)
{
	for (guint i = 0; i < n; i++) {
		gdouble sum = 0;
		guint members = 0;

		/*
		 * Seen from any one clock the middles of the closed constraints satisfy all of
		 * them; so does the mean of what is seen from each.
		 */
		for (guint r = 0; r < n; r++) {
			if (component[r] != component[i])
				continue;
			sum += (AT(matrix, r, i) - AT(matrix, i, r)) / 2;
			members++;
		}
		ret_x[i] = sum / members;
	}
}

/* In how many triangles that can't be each pair takes part. */
static gboolean count_triangles(const gdouble *matrix, guint n, guint *counts)
{
	gboolean any = FALSE;

	for (guint i = 0; i < n; i++) {
		for (guint j = 0; j < n; j++) {
			if (j == i || AT(matrix, i, j) >= WP_CLOSURE_FAR)
				continue;
			for (guint k = 0; k < n; k++) {
				if (k == i || k == j ||
				    AT(matrix, i, j) + AT(matrix, j, k) + AT(matrix, k, i) >=
					    -WP_CLOSURE_TOLERANCE)
					continue;
				AT(counts, i, j)++;
				AT(counts, j, i)++;
				any = TRUE;
			}
		}
	}
	return any;
}

/* Marks the pairs of one negative cycle (Bellman and Ford, from everywhere at once). */
static void mark_cycle(const gdouble *matrix, guint n, guint *counts)
{
	g_autofree gdouble *distance = g_new0(gdouble, n);
	g_autofree guint *from = g_new0(guint, n);
	guint last = n;

	for (guint round = 0; round < n; round++) {
		last = n;
		for (guint i = 0; i < n; i++) {
			for (guint j = 0; j < n; j++) {
				if (i == j || AT(matrix, i, j) >= WP_CLOSURE_FAR ||
				    distance[i] + AT(matrix, i, j) >= distance[j])
					continue;
				distance[j] = distance[i] + AT(matrix, i, j);
				from[j] = i;
				last = j;
			}
		}
		if (last == n)
			return;
	}
	/* Going back as many steps as there are clocks leads into the cycle. */
	for (guint step = 0; step < n; step++)
		last = from[last];
	for (guint j = last, i = from[j];; j = i, i = from[j]) {
		AT(counts, i, j)++;
		AT(counts, j, i)++;
		if (i == last)
			return;
	}
}

gboolean wp_closure_blame(const gdouble *matrix, guint n, const gdouble *weights, guint *ret_i,
			  guint *ret_j)
{
	g_autofree guint *counts = g_new0(guint, (gsize)n * n);
	guint best_count = 0;
	gdouble best_weight = 0;

	if (!count_triangles(matrix, n, counts))
		mark_cycle(matrix, n, counts);
	for (guint i = 0; i < n; i++) {
		for (guint j = i + 1; j < n; j++) {
			const guint count = AT(counts, i, j);
			const gdouble weight = AT(weights, i, j);

			if (weight <= 0 || count < best_count ||
			    (count == best_count && (count == 0 || weight >= best_weight)))
				continue;
			best_count = count;
			best_weight = weight;
			*ret_i = i;
			*ret_j = j;
		}
	}
	return best_count > 0;
}
