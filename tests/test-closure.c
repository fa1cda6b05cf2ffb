/* SPDX-License-Identifier: MIT */
/* test-closure.c: difference constraints against all paths, written out. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "sync/closure.h"

#define N_MAX 6u

typedef struct {
	guint n;
	gdouble x[N_MAX]; /* a solution */
	gdouble begin[N_MAX * N_MAX], end[N_MAX * N_MAX];
} Problem;

/* Constraints around a solution that holds at both ends of an interval; some are missing. */
static void make_problem(Problem *problem, GRand *rand)
{
	const guint n = problem->n = (guint)g_rand_int_range(rand, 2, N_MAX + 1);

	for (guint i = 0; i < n; i++)
		problem->x[i] = g_rand_int_range(rand, -1000, 1000);
	wp_closure_reset(problem->begin, n);
	wp_closure_reset(problem->end, n);
	for (guint i = 0; i < n; i++) {
		for (guint j = 0; j < n; j++) {
			if (i == j || g_rand_int_range(rand, 0, 3) == 0)
				continue;
			problem->begin[i * n + j] = problem->x[j] - problem->x[i] +
						    g_rand_int_range(rand, 0, 300);
			problem->end[i * n + j] = problem->x[j] - problem->x[i] +
						  g_rand_int_range(rand, 0, 300);
		}
	}
}

/* The shortest of all paths without a loop, from i to j by any of the unused. */
static gdouble shortest(const gdouble *matrix, guint n, guint i, guint j, guint used)
{
	gdouble best = i == j ? 0 : matrix[i * n + j];

	used |= 1u << i;
	for (guint k = 0; k < n; k++) {
		if (!(used & 1u << k) && matrix[i * n + k] < WP_CLOSURE_FAR)
			best = MIN(best, matrix[i * n + k] + shortest(matrix, n, k, j, used));
	}
	return best;
}

static void test_close(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);

	for (guint round = 0; round < 1000; round++) {
		gdouble matrix[N_MAX * N_MAX];
		Problem p;

		make_problem(&p, rand);
		memcpy(matrix, p.begin, sizeof(matrix));
		g_assert_true(wp_closure_close(matrix, p.n));
		for (guint i = 0; i < p.n; i++) {
			for (guint j = 0; j < p.n; j++) {
				const gdouble right = shortest(p.begin, p.n, i, j, 0);

				if (right >= WP_CLOSURE_FAR)
					g_assert_cmpfloat(matrix[i * p.n + j], >=, WP_CLOSURE_FAR);
				else
					g_assert_cmpfloat(matrix[i * p.n + j], ==, right);
			}
		}
	}
}

/* What is closed over an interval holds at every moment of it, and is nobody's invention. */
static void test_close_interval(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(2);

	for (guint round = 0; round < 1000; round++) {
		gdouble begin[N_MAX * N_MAX], end[N_MAX * N_MAX], sums[N_MAX * N_MAX];
		Problem p;

		make_problem(&p, rand);
		memcpy(begin, p.begin, sizeof(begin));
		memcpy(end, p.end, sizeof(end));
		g_assert_true(wp_closure_close_interval(begin, end, sums, p.n));
		for (guint i = 0; i < p.n; i++) {
			for (guint j = 0; j < p.n; j++) {
				const guint at = i * p.n + j;
				gdouble both[N_MAX * N_MAX];

				if (i == j || begin[at] >= WP_CLOSURE_FAR)
					continue;
				/* No path is shorter than the closed one at its own end. */
				g_assert_cmpfloat(begin[at], >=, shortest(p.begin, p.n, i, j, 0));
				g_assert_cmpfloat(end[at], >=, shortest(p.end, p.n, i, j, 0));
				/* The sum of both ends is that of the path that is shortest by it. */
				for (guint k = 0; k < p.n * p.n; k++)
					both[k] = p.begin[k] + p.end[k];
				g_assert_cmpfloat(begin[at] + end[at], ==,
						  shortest(both, p.n, i, j, 0));
			}
		}
	}
}

/* The middle satisfies every constraint, and does not change with the order of the clocks. */
static void test_middle(void)
{
	static const guint together[N_MAX] = {0};
	g_autoptr(GRand) rand = g_rand_new_with_seed(3);
	guint n_tested = 0;

	while (n_tested < 500) {
		gdouble matrix[N_MAX * N_MAX], turned[N_MAX * N_MAX], x[N_MAX], y[N_MAX];
		gboolean joined = TRUE;
		Problem p;

		make_problem(&p, rand);
		memcpy(matrix, p.begin, sizeof(matrix));
		g_assert_true(wp_closure_close(matrix, p.n));
		for (guint k = 0; k < p.n * p.n; k++)
			joined = joined && matrix[k] < WP_CLOSURE_FAR;
		if (!joined)
			continue;
		n_tested++;
		wp_closure_middle(matrix, p.n, together, x);
		for (guint i = 0; i < p.n; i++) {
			for (guint j = 0; j < p.n; j++)
				turned[(p.n - 1 - i) * p.n + (p.n - 1 - j)] = matrix[i * p.n + j];
		}
		wp_closure_middle(turned, p.n, together, y);
		for (guint i = 0; i < p.n; i++) {
			g_assert_cmpfloat(fabs((x[i] - x[0]) - (y[p.n - 1 - i] - y[p.n - 1])), <,
					  1e-6);
			for (guint j = 0; j < p.n; j++)
				g_assert_cmpfloat(x[j] - x[i], <=, p.begin[i * p.n + j] + 1e-6);
		}
	}
}

/* Ten clocks that agree but for one pair: in a mesh by triangles, in a ring by weight. */
static void test_blame(void)
{
	const guint n = 10;
	gdouble matrix[100], closed[100], weights[100];

	for (guint bad = 0; bad < n - 1; bad++) {
		guint i, j;

		wp_closure_reset(matrix, n);
		for (guint k = 0; k < n * n; k++) {
			weights[k] = k / n == k % n ? 0 : 100;
			matrix[k] = k / n == k % n ? 0 : 50;
		}
		matrix[bad * n + bad + 1] = 450;
		matrix[(bad + 1) * n + bad] = -350;
		memcpy(closed, matrix, sizeof(closed));
		g_assert_false(wp_closure_close(closed, n));
		g_assert_true(wp_closure_blame(matrix, n, weights, &i, &j));
		g_assert_cmpuint(i, ==, bad);
		g_assert_cmpuint(j, ==, bad + 1);
	}

	/* In a ring each is as suspect as any other: the one with the fewest packets it is. */
	for (guint weak = 0; weak < n; weak++) {
		guint i, j;

		wp_closure_reset(matrix, n);
		for (guint k = 0; k < n * n; k++)
			weights[k] = 0;
		for (guint k = 0; k < n; k++) {
			const guint next = (k + 1) % n;

			matrix[k * n + next] = k == 3 ? 5000 : 50;
			matrix[next * n + k] = k == 3 ? -4000 : 50;
			weights[k * n + next] = weights[next * n + k] = k == weak ? 5 : 100;
		}
		g_assert_true(wp_closure_blame(matrix, n, weights, &i, &j));
		g_assert_cmpuint(i, ==, weak == n - 1 ? 0 : weak);
		g_assert_cmpuint(j, ==, weak == n - 1 ? n - 1 : weak + 1);
	}

	/* Nobody is to blame where nobody may be, or where there is no fault. */
	guint i, j;

	for (guint k = 0; k < n * n; k++)
		weights[k] = 0;
	g_assert_false(wp_closure_blame(matrix, n, weights, &i, &j));
	wp_closure_reset(matrix, n);
	weights[1] = weights[n] = 1;
	g_assert_false(wp_closure_blame(matrix, n, weights, &i, &j));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/closure/close", test_close);
	g_test_add_func("/closure/interval", test_close_interval);
	g_test_add_func("/closure/middle", test_middle);
	g_test_add_func("/closure/blame", test_blame);
	return g_test_run();
}
