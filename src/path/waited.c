/* SPDX-License-Identifier: MIT */
/*
 * waited.c: whom tasks waited for and who held them, from where their paths rested: rows, as
 * rests.c numbers them, as tasks again. Rows are the tasks of all hosts, one host after the other.
 */
#include "config.h"

#include "base/error.h"
#include "path/followed.h"
#include "path/prefix.h"

static guint32 row_of_task(const WpGraph *graph, WpTaskRef ref)
{
	guint32 row = ref.task;

	for (guint h = 0; h < ref.host; h++)
		row += (guint32)graph->hosts[h]->tasks.n;
	return row;
}

static WpTaskRef task_of_row(const WpGraph *graph, guint32 row)
{
	guint h = 0;

	for (; row >= graph->hosts[h]->tasks.n; h++)
		row -= (guint32)graph->hosts[h]->tasks.n;
	return (WpTaskRef){h, row};
}

static gint compare_rows(gconstpointer a, gconstpointer b)
{
	guint32 x = *(const guint32 *)a, y = *(const guint32 *)b;

	return x < y ? -1 : x > y;
}

/* Different ones, in order. guint32; owned by the caller. */
static GArray *sort_rows(const WpGraph *graph, const WpTaskRef *tasks, guint n)
{
	GArray *rows = g_array_sized_new(FALSE, FALSE, sizeof(guint32), n);
	guint n_different = 0;

	for (guint i = 0; i < n; i++) {
		guint32 row = row_of_task(graph, tasks[i]);

		g_array_append_val(rows, row);
	}
	g_array_sort(rows, compare_rows);
	for (guint i = 0; i < n; i++) {
		guint32 row = g_array_index(rows, guint32, i);

		if (n_different == 0 || g_array_index(rows, guint32, n_different - 1) != row)
			g_array_index(rows, guint32, n_different++) = row;
	}
	g_array_set_size(rows, n_different);
	return rows;
}

GArray *wp_prefix_find_waited(const WpPrefix *prefix, const WpTaskRef *tasks, guint n,
			      WpCancel *cancellable, GError **error)
{
	g_autoptr(GArray) waited = g_array_new(FALSE, FALSE, sizeof(WpWaited));
	g_autoptr(GArray) rows = sort_rows(prefix->graph, tasks, n);

	/* A window without events has no rows. */
	for (guint i = 0; prefix->rests->n_rows && i < rows->len; i += WP_FOLLOWED_MAX) {
		const guint32 *some = &g_array_index(rows, guint32, i);
		g_autoptr(GArray) times = wp_rests_find_holders(prefix->rests, some,
								MIN(rows->len - i, WP_FOLLOWED_MAX),
								cancellable, error);
		guint first = waited->len;

		if (!times)
			return NULL;
		g_array_set_size(waited, first + times->len);
		for (guint j = 0; j < times->len; j++) {
			const WpFollowedTime *time = &g_array_index(times, WpFollowedTime, j);

			g_array_index(waited, WpWaited, first + j) = (WpWaited){
				task_of_row(prefix->graph, some[time->number]),
				task_of_row(prefix->graph, time->holder), time->time};
		}
	}
	return g_steal_pointer(&waited);
}

static gboolean is_before(WpTaskRef a, WpTaskRef b)
{
	return a.host < b.host || (a.host == b.host && a.task < b.task);
}

const WpWaited *wp_waited_find(const GArray *waited, WpTaskRef waiter, guint *ret_n)
{
	const WpWaited *lines = (const WpWaited *)(gconstpointer)waited->data;
	guint low = 0, high = waited->len, end;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (is_before(lines[middle].waiter, waiter))
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < waited->len && !is_before(waiter, lines[end].waiter);)
		end++;
	*ret_n = end - low;
	return end > low ? &lines[low] : NULL;
}

WpTime *wp_prefix_find_held(const WpPrefix *prefix, const WpTaskRef *tasks, guint n,
			    WpCancel *cancellable, GError **error)
{
	WpRests *rests = prefix->rests;
	g_autofree guint8 *weights = g_new0(guint8, rests->n_rows);
	g_autofree WpTime *by_row = g_new0(WpTime, rests->n_rows);
	WpTime *held = g_new0(WpTime, prefix->n_tasks + 1);

	for (guint32 r = 0; r < rests->n_rows; r++)
		weights[r] = !tasks;
	for (guint i = 0; tasks && rests->n_rows && i < n; i++)
		weights[row_of_task(prefix->graph, tasks[i])] = 1;
	if (!wp_rests_find_held(rests, weights, by_row, cancellable, error)) {
		g_free(held);
		return NULL;
	}
	for (guint64 i = 0; i < prefix->n_tasks; i++)
		held[i] = by_row[row_of_task(
			prefix->graph, (WpTaskRef){prefix->tasks[i].host, prefix->tasks[i].task})];
	return held;
}
