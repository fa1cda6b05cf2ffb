/* SPDX-License-Identifier: MIT */
/*
 * order.c: puts the vertices of a host in the order of time.
 *
 * The model appends them in that order but for those that tell of lost events: that a
 * wake-up was lost is learnt later. Those few are sorted by themselves and merged with the
 * rest into a new column, and every reference to a vertex is renumbered.
 */
#include "config.h"

#include "base/error.h"
#include "kernel/model-private.h"

typedef struct {
	WpHost *host; /* borrowed */
	GArray *late; /* owned; WpId: vertices before the time of one in front of them */
	WpColumn sorted; /* owned: becomes the host's */
	WpId *renumbered; /* borrowed from a block: by old number */
} Order;

static gint compare_late(gconstpointer a, gconstpointer b, gpointer data)
{
	const WpHost *host = data;
	WpId x = *(const WpId *)a, y = *(const WpId *)b;
	WpTime s = wp_host_vertex(host, x)->time, t = wp_host_vertex(host, y)->time;

	return s != t ? (s < t ? -1 : 1) : x < y ? -1 : x > y;
}

static void find_late(Order *o)
{
	WpTime latest = WP_TIME_MIN;

	for (guint64 i = 0; i < o->host->vertices.n; i++) {
		WpTime time = wp_host_vertex(o->host, i)->time;
		WpId id = (WpId)i;

		if (time < latest)
			g_array_append_val(o->late, id);
		latest = MAX(latest, time);
	}
	g_array_sort_with_data(o->late, compare_late, o->host);
}

static gboolean take(Order *o, WpId id, GError **error)
{
	WpVertex *v = wp_column_push(&o->sorted, error);

	if (!v)
		return FALSE;
	*v = *wp_host_vertex(o->host, id);
	o->renumbered[id] = (WpId)(o->sorted.n - 1);
	return TRUE;
}

/* Of equal times the one that was appended first comes first. */
static gboolean late_is_next(const Order *o, guint late, WpId id)
{
	WpId other;

	if (late >= o->late->len)
		return FALSE;
	other = g_array_index(o->late, WpId, late);
	return compare_late(&other, &id, o->host) < 0;
}

static gboolean merge(Order *o, GError **error)
{
	WpTime latest = WP_TIME_MIN;
	guint late = 0;

	for (guint64 i = 0; i < o->host->vertices.n; i++) {
		WpTime time = wp_host_vertex(o->host, i)->time;

		if (time < latest)
			continue;
		latest = time;
		while (late_is_next(o, late, (WpId)i))
			if (!take(o, g_array_index(o->late, WpId, late++), error))
				return FALSE;
		if (!take(o, (WpId)i, error))
			return FALSE;
	}
	while (late < o->late->len)
		if (!take(o, g_array_index(o->late, WpId, late++), error))
			return FALSE;
	return TRUE;
}

static void renumber(const Order *o, WpId *id)
{
	if (*id != WP_NONE)
		*id = o->renumbered[*id];
}

static void renumber_all(Order *o)
{
	WpHost *host = o->host;

	for (guint64 i = 0; i < o->sorted.n; i++)
		renumber(o, &WP_AT(&o->sorted, WpVertex, i).prev);
	for (guint64 i = 0; i < host->causes.n; i++) {
		renumber(o, &wp_host_cause(host, i)->source);
		renumber(o, &wp_host_cause(host, i)->origin);
	}
	for (guint64 i = 0; i < host->tasks.n; i++) {
		renumber(o, &wp_host_task(host, i)->first);
		renumber(o, &wp_host_task(host, i)->last);
	}
	for (guint64 i = 0; i < host->packets.n; i++)
		renumber(o, &wp_host_packet(host, i)->vertex);
}

gboolean wp_order_vertices(WpHost *host, GError **error)
{
	Order o = {.host = host};
	WpBlock renumbered;
	gboolean ordered = FALSE;

	if (!wp_block_init(&renumbered, host->vertices.n * sizeof(WpId), host->vertices.memory,
			   error))
		return FALSE;
	o.renumbered = renumbered.data;
	o.late = g_array_new(FALSE, FALSE, sizeof(WpId));
	wp_column_init(&o.sorted, sizeof(WpVertex), host->vertices.memory);
	find_late(&o);
	if (merge(&o, error)) {
		renumber_all(&o);

		WpColumn old = host->vertices;

		host->vertices = o.sorted;
		o.sorted = old;
		ordered = TRUE;
	}
	wp_column_clear(&o.sorted);
	g_array_free(o.late, TRUE);
	wp_block_clear(&renumbered);
	return ordered;
}
