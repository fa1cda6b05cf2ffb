/* SPDX-License-Identifier: MIT */
/* ends.c: waits that end at another time than their cause's, and begins, in sorted columns. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "graph/ends.h"

void wp_host_ends_init(WpHostEnds *ends, WpMemory *memory)
{
	wp_column_init(&ends->waits, sizeof(WpWaitEnd), memory);
	wp_column_init(&ends->begins, sizeof(WpId), memory);
	ends->wait_kinds = 0;
}

void wp_host_ends_clear(WpHostEnds *ends)
{
	wp_column_clear(&ends->waits);
	wp_column_clear(&ends->begins);
}

gboolean wp_host_ends_add_wait(WpHostEnds *ends, WpId vertex, WpCauseKind kind, WpTime time,
			       GError **error)
{
	WpWaitEnd *end = wp_column_push(&ends->waits, error);

	if (!end)
		return FALSE;
	*end = (WpWaitEnd){.time = time, .vertex = vertex};
	ends->wait_kinds |= 1u << kind;
	return TRUE;
}

gboolean wp_host_ends_add_begin(WpHostEnds *ends, WpId vertex, GError **error)
{
	WpId *begin = wp_column_push(&ends->begins, error);

	if (!begin)
		return FALSE;
	*begin = vertex;
	return TRUE;
}

static int compare_waits(const void *a, const void *b)
{
	const WpWaitEnd *x = a, *y = b;

	return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

static int compare_ids(const void *a, const void *b)
{
	const WpId *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static gboolean is_sorted(const WpColumn *column, int (*compare)(const void *, const void *))
{
	for (guint64 i = 1; i < column->n; i++)
		if (compare(wp_column_at(column, i - 1, column->element),
			    wp_column_at(column, i, column->element)) > 0)
			return FALSE;
	return TRUE;
}

/* By way of a copy in one piece: the chunks of a column do not lie side by side. */
static gboolean sort(WpColumn *column, int (*compare)(const void *, const void *), GError **error)
{
	const gsize element = column->element;
	WpBlock block;
	guint8 *copy;

	if (is_sorted(column, compare))
		return TRUE;
	if (!wp_block_init(&block, column->n * element, column->memory, error))
		return FALSE;
	copy = block.data;
	for (guint64 i = 0; i < column->n; i++)
		memcpy(copy + i * element, wp_column_at(column, i, element), element);
	qsort(copy, column->n, element, compare);
	for (guint64 i = 0; i < column->n; i++)
		memcpy(wp_column_at(column, i, element), copy + i * element, element);
	wp_block_clear(&block);
	return TRUE;
}

gboolean wp_host_ends_sort(WpHostEnds *ends, GError **error)
{
	return sort(&ends->waits, compare_waits, error) && sort(&ends->begins, compare_ids, error);
}

/* Whether somebody may be shown who made the segment begin. */
static gboolean has_begin(const WpCause *cause)
{
	return cause->kind == WP_CAUSE_WORKQUEUE || cause->kind == WP_CAUSE_FORK;
}

/* Adds what is to be told of a vertex that has a cause and ends at a time. */
static gboolean find_one(WpHostEnds *ends, WpId id, const WpVertex *v, const WpCause *cause,
			 WpTime end, GError **error)
{
	if (wp_state_is_wait((WpState)v->state))
		return cause->time == end ||
		       wp_host_ends_add_wait(ends, id, (WpCauseKind)cause->kind, end, error);
	return !has_begin(cause) || wp_host_ends_add_begin(ends, id, error);
}

gboolean wp_host_ends_find(WpHostEnds *ends, const WpHost *host, GError **error)
{
	const guint64 n_tasks = host->tasks.n;
	g_autofree WpTime *later = g_try_new(WpTime, n_tasks + 1); /* when the next one begins */
	const WpVertex *v = NULL;

	if (!later) {
		g_set_error(error, WP_ERROR, WP_ERROR_LIMIT,
			    "Out of memory for %" G_GUINT64_FORMAT " tasks of host %s.", n_tasks,
			    host->name);
		return FALSE;
	}
	for (guint64 i = 0; i < n_tasks; i++)
		later[i] = host->end;
	for (guint64 i = host->vertices.n; i-- > 0; v--) {
		/* They lie side by side in a chunk. */
		if ((i + 1) % WP_COLUMN_CHUNK_ELEMENTS == 0 || !v)
			v = wp_host_vertex(host, i);
		if (G_UNLIKELY(v->task >= n_tasks))
			continue;
		if (v->cause < host->causes.n &&
		    !find_one(ends, (WpId)i, v, wp_host_cause(host, v->cause), later[v->task],
			      error))
			return FALSE;
		later[v->task] = wp_host_time_of(host, v, (WpId)i);
	}
	return wp_host_ends_sort(ends, error);
}

WpTime wp_host_ends_look_up(const WpHostEnds *ends, WpId vertex, WpTime otherwise)
{
	const guint64 at = wp_column_find_number(&ends->waits, offsetof(WpWaitEnd, vertex), vertex);

	if (at == ends->waits.n || WP_AT(&ends->waits, WpWaitEnd, at).vertex != vertex)
		return otherwise;
	return WP_AT(&ends->waits, WpWaitEnd, at).time;
}

/* The number of a host's first begin from a place of the list on; where the list ends, WP_NONE. */
static WpId next_begin(const WpHostEnds *ends, const WpHost *host, guint64 *at)
{
	const WpColumn *begins = &ends->begins;

	for (; *at < begins->n; ++*at) {
		const WpId id = WP_AT(begins, WpId, *at);
		const WpVertex *v = wp_host_vertex(host, id);

		if ((*at == 0 || WP_AT(begins, WpId, *at - 1) != id) &&
		    !wp_state_is_wait((WpState)v->state) && v->cause < host->causes.n &&
		    has_begin(wp_host_cause(host, v->cause)))
			return WP_AT(begins, WpId, (*at)++);
	}
	return WP_NONE;
}

gboolean wp_host_ends_agree(const WpHostEnds *a, const WpHostEnds *b, const WpHost *host)
{
	guint64 at_a = 0, at_b = 0;
	WpId begin;

	if (a->waits.n != b->waits.n || a->wait_kinds != b->wait_kinds)
		return FALSE;
	for (guint64 i = 0; i < a->waits.n; i++) {
		const WpWaitEnd *x = &WP_AT(&a->waits, WpWaitEnd, i);
		const WpWaitEnd *y = &WP_AT(&b->waits, WpWaitEnd, i);

		if (x->vertex != y->vertex || x->time != y->time)
			return FALSE;
	}
	do {
		begin = next_begin(a, host, &at_a);
		if (begin != next_begin(b, host, &at_b))
			return FALSE;
	} while (begin != WP_NONE);
	return TRUE;
}
