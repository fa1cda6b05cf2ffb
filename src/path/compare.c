/* SPDX-License-Identifier: MIT */
/* compare.c: both sides' groups are added to one table, which matches them. */
#include "config.h"

#include <string.h>

#include "path/compare.h"

WpProfile *wp_profile_new(void)
{
	WpProfile *profile = g_new0(WpProfile, 1);

	profile->breakdown = wp_breakdown_new();
	profile->times = g_array_new(FALSE, TRUE, sizeof(WpTime));
	return profile;
}

void wp_profile_free(WpProfile *profile)
{
	if (!profile)
		return;
	wp_breakdown_free(profile->breakdown);
	g_array_unref(profile->times);
	g_free(profile);
}

static WpTime *time_of(WpProfile *profile, guint32 group)
{
	if (profile->times->len <= group)
		g_array_set_size(profile->times, group + 1);
	return &g_array_index(profile->times, WpTime, group);
}

void wp_profile_add(WpProfile *profile, const gchar *host, const gchar *comm, WpState state,
		    const gchar *cause, WpTime time)
{
	*time_of(profile,
		 wp_breakdown_add_group(profile->breakdown, host, comm, state, cause)) += time;
}

void wp_profile_add_path(WpProfile *profile, const WpGraph *graph, const WpPath *path)
{
	g_autoptr(GArray) amounts = g_array_new(FALSE, FALSE, sizeof(WpAmount));

	wp_breakdown_add_path(profile->breakdown, graph, path, amounts);
	for (guint i = 0; i < amounts->len; i++) {
		const WpAmount *amount = &g_array_index(amounts, WpAmount, i);

		*time_of(profile,
			 wp_breakdown_row(profile->breakdown, amount->row)->group) += amount->time;
	}
}

static void add_side(WpComparison *comparison, WpBreakdown *both, const WpProfile *side,
		     gboolean is_b)
{
	for (guint32 i = 0; i < side->times->len; i++) {
		const WpBreakdownGroup *group = wp_breakdown_group(side->breakdown, i);
		WpTime time = g_array_index(side->times, WpTime, i);
		guint32 at = wp_breakdown_add_group(both, group->host, group->comm, group->state,
						    group->cause);
		WpComparisonRow *row;

		if (comparison->rows->len <= at) {
			WpComparisonRow new = {group->host,  group->comm, group->cause,
					       group->state, 0,           0};

			g_array_append_val(comparison->rows, new);
		}
		row = &g_array_index(comparison->rows, WpComparisonRow, at);
		*(is_b ? &row->b : &row->a) += time;
		*(is_b ? &comparison->b : &comparison->a) += time;
	}
}

static gint compare_rows(gconstpointer a, gconstpointer b)
{
	const WpComparisonRow *x = a, *y = b;
	WpTime dx = ABS(x->b - x->a), dy = ABS(y->b - y->a);
	gint order;

	if (dx != dy)
		return dx > dy ? -1 : 1;
	if (x->a + x->b != y->a + y->b)
		return x->a + x->b > y->a + y->b ? -1 : 1;
	order = strcmp(x->host, y->host);
	order = order ? order : strcmp(x->comm, y->comm);
	order = order ? order : (gint)x->state - (gint)y->state;
	return order ? order : strcmp(x->cause, y->cause);
}

WpComparison *wp_compare(const WpProfile *a, const WpProfile *b)
{
	WpComparison *comparison = g_new0(WpComparison, 1);
	g_autoptr(WpBreakdown) both = wp_breakdown_new();

	comparison->rows = g_array_new(FALSE, FALSE, sizeof(WpComparisonRow));
	add_side(comparison, both, a, FALSE);
	add_side(comparison, both, b, TRUE);
	g_array_sort(comparison->rows, compare_rows);
	return comparison;
}

void wp_comparison_free(WpComparison *comparison)
{
	if (!comparison)
		return;
	g_array_unref(comparison->rows);
	g_free(comparison);
}
