/* SPDX-License-Identifier: MIT */
/*
 * breakdown.c: names are interned once for the whole breakdown, so that a group is
 * four numbers in a hash table, and a row a task and a group.
 */
#include "config.h"

#include <stdlib.h>

#include "base/intmap.h"
#include "base/strings.h"
#include "path/breakdown.h"
#include "path/edge.h"

typedef struct {
	WpId host, comm, cause; /* strings */
	guint32 state;
} Key;

struct WpBreakdown {
	WpStrings *strings; /* owned */
	GHashTable *group_of; /* owned: owned Key * -> group + 1 */
	GArray *groups; /* owned: WpBreakdownGroup */
	WpIntMap row_of; /* task << 32 | group -> row */
	GArray *rows; /* owned: WpBreakdownRow */
	GArray *sums; /* owned: WpTime, by row; zero between two paths */
};

static guint hash_key(gconstpointer data)
{
	const Key *key = data;
	guint hash = key->host;

	hash = hash * 31 + key->comm;
	hash = hash * 31 + key->cause;
	return hash * 31 + key->state;
}

static gboolean equal_keys(gconstpointer a, gconstpointer b)
{
	const Key *x = a, *y = b;

	return x->host == y->host && x->comm == y->comm && x->cause == y->cause &&
	       x->state == y->state;
}

WpBreakdown *wp_breakdown_new(void)
{
	WpBreakdown *breakdown = g_new0(WpBreakdown, 1);

	breakdown->strings = wp_strings_new();
	breakdown->group_of = g_hash_table_new_full(hash_key, equal_keys, g_free, NULL);
	breakdown->groups = g_array_new(FALSE, FALSE, sizeof(WpBreakdownGroup));
	wp_intmap_init(&breakdown->row_of);
	breakdown->rows = g_array_new(FALSE, FALSE, sizeof(WpBreakdownRow));
	breakdown->sums = g_array_new(FALSE, TRUE, sizeof(WpTime));
	return breakdown;
}

void wp_breakdown_free(WpBreakdown *breakdown)
{
	if (!breakdown)
		return;
	wp_strings_free(breakdown->strings);
	g_hash_table_destroy(breakdown->group_of);
	g_array_unref(breakdown->groups);
	wp_intmap_clear(&breakdown->row_of);
	g_array_unref(breakdown->rows);
	g_array_unref(breakdown->sums);
	g_free(breakdown);
}

guint32 wp_breakdown_n_rows(const WpBreakdown *breakdown)
{
	return breakdown->rows->len;
}

guint32 wp_breakdown_n_groups(const WpBreakdown *breakdown)
{
	return breakdown->groups->len;
}

const WpBreakdownRow *wp_breakdown_row(const WpBreakdown *breakdown, guint32 row)
{
	return &g_array_index(breakdown->rows, WpBreakdownRow, row);
}

const WpBreakdownGroup *wp_breakdown_group(const WpBreakdown *breakdown, guint32 group)
{
	return &g_array_index(breakdown->groups, WpBreakdownGroup, group);
}

guint32 wp_breakdown_add_group(WpBreakdown *breakdown, const gchar *host, const gchar *comm,
			       WpState state, const gchar *cause)
{
	Key key = {wp_strings_intern(breakdown->strings, host),
		   wp_strings_intern(breakdown->strings, comm),
		   wp_strings_intern(breakdown->strings, cause), state};
	guint32 found = GPOINTER_TO_UINT(g_hash_table_lookup(breakdown->group_of, &key));

	if (found)
		return found - 1;

	WpBreakdownGroup group = {.host = wp_strings_get(breakdown->strings, key.host),
				  .comm = wp_strings_get(breakdown->strings, key.comm),
				  .cause = wp_strings_get(breakdown->strings, key.cause),
				  .state = state,
				  .host_id = WP_NONE,
				  .task = WP_NONE};

	g_array_append_val(breakdown->groups, group);
	g_hash_table_insert(breakdown->group_of, g_memdup2(&key, sizeof(key)),
			    GUINT_TO_POINTER(breakdown->groups->len));
	return breakdown->groups->len - 1;
}

static guint32 add_row(WpBreakdown *breakdown, guint32 host, WpId task, guint32 group)
{
	guint64 key = (guint64)task << 32 | group;
	guint32 row = wp_intmap_get(&breakdown->row_of, key);

	if (row != WP_NONE)
		return row;

	WpBreakdownGroup *g = &g_array_index(breakdown->groups, WpBreakdownGroup, group);
	WpBreakdownRow new = {host, task, group};

	/* host_id tells a group without tasks from one with several. */
	g->task = g->host_id == WP_NONE ? task : WP_NONE;
	g->host_id = host;
	row = breakdown->rows->len;
	g_array_append_val(breakdown->rows, new);
	g_array_set_size(breakdown->sums, row + 1);
	wp_intmap_set(&breakdown->row_of, key, row);
	return row;
}

const gchar *wp_cause_name(const WpHost *host, const WpCause *cause)
{
	const gchar *name = wp_strings_get(host->strings, wp_host_cause_detail(host, cause)->name);

	/* An address. */
	return g_str_has_prefix(name, "0x") ? "" : name;
}

void wp_segment_cause_text(const WpGraph *graph, const WpSegment *segment, gchar *buffer,
			   gsize size)
{
	const WpHost *host = graph->hosts[segment->host];
	const WpCause *cause;
	const gchar *detail = NULL;

	*buffer = '\0';
	if (segment->cause >= host->causes.n)
		return;
	cause = wp_host_cause(host, segment->cause);
	/* A parent, or a waker, is no reason of what is done after that. */
	if (!wp_state_is_wait(segment->state) && cause->kind != WP_CAUSE_WORKQUEUE &&
	    cause->kind != WP_CAUSE_THROTTLED)
		return;
	if (cause->kind == WP_CAUSE_NONE)
		return;
	if (cause->kind == WP_CAUSE_PACKET)
		detail = segment->flags & WP_SEGMENT_LOCAL    ? "local"
			 : cause->flags & WP_CAUSE_FLAG_SPACE ? "space"
							      : wp_part_key(segment->part);
	else
		detail = wp_cause_name(host, cause);
	if (detail && *detail)
		g_snprintf(buffer, size, "%s %s", wp_cause_kind_key(cause->kind), detail);
	else
		g_strlcpy(buffer, wp_cause_kind_key(cause->kind), size);
}

static guint32 row_of_segment(WpBreakdown *breakdown, const WpGraph *graph, const WpSegment *s)
{
	const WpHost *host = graph->hosts[s->host];
	WpTime time = wp_clock_map_invert(graph->joins[s->host].map, s->begin);
	gchar cause[256];
	guint32 group;

	wp_segment_cause_text(graph, s, cause, sizeof(cause));
	group = wp_breakdown_add_group(breakdown, host->name,
				       wp_host_task_comm(host, s->task, time), s->state, cause);
	return add_row(breakdown, s->host, s->task, group);
}

static gint compare_rows(gconstpointer a, gconstpointer b)
{
	guint32 x = ((const WpAmount *)a)->row, y = ((const WpAmount *)b)->row;

	return x < y ? -1 : x > y;
}

void wp_breakdown_add_path(WpBreakdown *breakdown, const WpGraph *graph, const WpPath *path,
			   GArray *amounts)
{
	guint first = amounts->len;

	for (guint i = 0; i < path->segments.n; i++) {
		const WpSegment *s = wp_path_segment(path, i);
		guint32 row = row_of_segment(breakdown, graph, s);
		WpTime *sum = &g_array_index(breakdown->sums, WpTime, row);

		if (*sum == 0) {
			WpAmount amount = {.row = row};

			g_array_append_val(amounts, amount);
		}
		*sum += s->end - s->begin;
	}
	for (guint i = first; i < amounts->len; i++) {
		WpAmount *amount = &g_array_index(amounts, WpAmount, i);
		WpTime *sum = &g_array_index(breakdown->sums, WpTime, amount->row);

		amount->time = *sum;
		*sum = 0;
	}
	if (amounts->len > first)
		qsort(&g_array_index(amounts, WpAmount, first), amounts->len - first,
		      sizeof(WpAmount), compare_rows);
}
