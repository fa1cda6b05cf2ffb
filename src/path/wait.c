/* SPDX-License-Identifier: MIT */
/*
 * wait.c: waits as pieces. They are found from the wait's end to its begin, as the
 * path would walk, and turned round at the end.
 */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "path/wait.h"

#define STILL_MAX 1000

void wp_rows_clear(WpRows *rows)
{
	g_clear_pointer(&rows->ends, g_free);
	g_clear_pointer(&rows->first_row, g_free);
	g_clear_pointer(&rows->first_begin, g_free);
	wp_block_clear(&rows->block);
	rows->begins = NULL;
}

static gboolean number_rows(WpRows *rows, GError **error)
{
	const WpGraph *graph = rows->graph;
	guint64 n = 0;

	rows->first_row = g_new(guint32, graph->n_hosts + 1);
	for (guint h = 0; h < graph->n_hosts; h++) {
		rows->first_row[h] = (guint32)n;
		n += graph->hosts[h]->tasks.n;
		if (n >= WP_NONE) {
			g_set_error_literal(error, WP_ERROR, WP_ERROR_LIMIT,
					    "The traces have more than 2^32 tasks together; "
					    "analyse fewer hosts at a time.");
			return FALSE;
		}
	}
	rows->first_row[graph->n_hosts] = rows->n_rows = (guint32)n;
	rows->first_begin = g_try_new0(guint32, n + 2);
	if (!rows->first_begin)
		g_set_error(error, WP_ERROR, WP_ERROR_LIMIT,
			    "Out of memory for %" G_GUINT64_FORMAT " tasks.", n);
	return rows->first_begin != NULL;
}

/* A begin before they are sorted by row. */
typedef struct {
	WpBegin begin;
	guint32 row;
} Found;

/* Appends a begin and its row, which is counted. */
static gboolean add_begin(WpRows *rows, guint h, WpId id, const WpVertex *v, WpColumn *found,
			  GError **error)
{
	const WpTime time = wp_host_time_of(rows->graph->hosts[h], v, id);
	WpBegin begin = {.vertex = id, .time = wp_graph_time(rows->graph, h, time)};
	WpEdgeStatus status = wp_edge_of_begin(rows->graph, h, v, begin.time, &begin.edge);
	guint32 row = rows->first_row[h] + v->task;
	Found *new;

	rows->n_inconsistent += status == WP_EDGE_INCONSISTENT;
	if (status != WP_EDGE_FOLLOWED)
		return TRUE;
	new = wp_column_push(found, error);
	if (!new)
		return FALSE;
	*new = (Found){begin, row};
	rows->first_begin[row + 1]++;
	return TRUE;
}

/* The begins among a host's vertices first to last (exclusive), from the last to the first. */
static gboolean collect_host(WpRows *rows, guint h, guint64 first, guint64 last, WpColumn *found,
			     GError **error)
{
	const WpHost *host = rows->graph->hosts[h];
	const WpColumn *begins = &rows->ends[h]->begins;
	WpId before = WP_NONE;

	for (guint64 i = begins->n; i-- > 0;) {
		const WpId id = WP_AT(begins, WpId, i);
		const WpVertex *v = id < last ? wp_host_vertex(host, id) : NULL;

		if (id < first)
			break;
		if (v && id != before && v->task < host->tasks.n &&
		    !add_begin(rows, h, id, v, found, error))
			return FALSE;
		before = id;
	}
	return TRUE;
}

/* A counting sort by row, from the end of each row on; it moves the ends to the firsts. */
static gboolean sort_begins(WpRows *rows, const WpColumn *found, GError **error)
{
	guint32 *ends = rows->first_begin + 1;

	if (!wp_block_init(&rows->block, found->n * sizeof(WpBegin), found->memory, error))
		return FALSE;
	rows->begins = rows->block.data;
	for (guint32 row = 1; row < rows->n_rows; row++)
		ends[row] += ends[row - 1];
	for (guint64 i = 0; i < found->n; i++) {
		const Found *f = &WP_AT(found, Found, i);

		rows->begins[--ends[f->row]] = f->begin;
	}
	for (guint32 row = 0; row < rows->n_rows; row++)
		rows->first_begin[row] = ends[row];
	rows->first_begin[rows->n_rows] = (guint32)found->n;
	return TRUE;
}

gboolean wp_rows_init(WpRows *rows, WpGraph *graph, const guint64 *first, const guint64 *last,
		      GError **error)
{
	WpColumn found;
	gboolean done = TRUE;

	*rows = (WpRows){.graph = graph};
	if (!number_rows(rows, error))
		return FALSE;
	wp_column_init(&found, sizeof(Found), wp_graph_memory(graph));
	rows->ends = g_new0(const WpHostEnds *, graph->n_hosts);
	for (guint h = 0; done && h < graph->n_hosts; h++) {
		rows->ends[h] = wp_host_get_ends(graph->hosts[h], error);
		done = rows->ends[h] && collect_host(rows, h, first[h], last[h], &found, error);
	}
	done = done && sort_begins(rows, &found, error);
	wp_column_clear(&found);
	return done;
}

void wp_plan_clear(WpPlan *plan)
{
	g_clear_pointer(&plan->pieces, g_free);
	plan->n = plan->n_allocated = 0;
}

/* Pieces are pushed from the latest to the earliest; *high is where the next one ends. */
static void push(WpPlan *plan, WpTime *high, WpTime begin, guint32 row, WpState state)
{
	if (begin >= *high)
		return;
	if (plan->n == plan->n_allocated) {
		plan->n_allocated = MAX(4, 2 * plan->n_allocated);
		plan->pieces = g_renew(WpPiece, plan->pieces, plan->n_allocated);
	}
	plan->pieces[plan->n++] = (WpPiece){*high, row, state};
	*high = begin;
}

/* Time from begin to *high, shown on row, in a wait that is not followed there. */
static void push_wait(WpPlan *plan, const WpGraph *graph, guint host, const WpVertex *v,
		      WpTime host_end, WpTime begin, guint32 row, WpTime *high)
{
	WpTime raised, entered;

	if (begin >= *high)
		return;
	if (wp_wait_deferral(graph, host, v, host_end, &raised, &entered)) {
		push(plan, high, MAX(begin, entered), row, (WpState)v->state);
		push(plan, high, MAX(begin, raised), row, WP_STATE_DEFERRED);
	}
	push(plan, high, begin, row, (WpState)v->state);
}

/* The last caused begin of a row among its vertices up to `vertex` and times up to high. */
static const WpBegin *find_begin(const WpRows *rows, guint32 row, WpId vertex, WpTime high)
{
	guint32 first = rows->first_begin[row], low = first, end = rows->first_begin[row + 1];

	while (low < end) {
		guint32 middle = low + (end - low) / 2;

		if (rows->begins[middle].vertex <= vertex && rows->begins[middle].time <= high)
			low = middle + 1;
		else
			end = middle;
	}
	return low > first ? &rows->begins[low - 1] : NULL;
}

/*
 * An actor runs when it acts. Where clocks err, or events are missing, it may be seen to
 * act when it still waited: that wait is cut, as at a window's end. On return *vertex is the
 * segment in which the path meets the actor at *high, WP_NONE when it had no history
 * by then.
 */
static void cut_wait(WpPlan *plan, const WpRows *rows, guint host, WpTime low, WpId *vertex,
		     WpTime *high)
{
	WpGraph *graph = rows->graph;
	const WpId *vertices;
	guint32 n = wp_host_task_vertices(
		graph->hosts[host], wp_host_vertex(graph->hosts[host], *vertex)->task, &vertices);
	guint32 from = 0, to = n;

	/* The number of vertices up to *vertex that begin at or before *high. */
	while (from < to) {
		guint32 middle = from + (to - from) / 2;
		const WpVertex *v = wp_host_vertex(graph->hosts[host], vertices[middle]);

		if (vertices[middle] <= *vertex &&
		    wp_graph_time(graph, host,
				  wp_host_time_of(graph->hosts[host], v, vertices[middle])) <=
			    *high)
			from = middle + 1;
		else
			to = middle;
	}
	if (from == 0) {
		*vertex = WP_NONE;
		return;
	}
	*vertex = vertices[from - 1];

	const WpVertex *v = wp_host_vertex(graph->hosts[host], *vertex);
	WpTime host_end = from < n ? wp_host_vertex_time(graph->hosts[host], vertices[from])
				   : graph->hosts[host]->end;
	WpTime begin = wp_graph_time(graph, host, wp_host_time_of(graph->hosts[host], v, *vertex));
	if (!wp_state_is_wait((WpState)v->state) || *high >= wp_graph_time(graph, host, host_end) ||
	    begin == *high)
		return;
	push_wait(plan, graph, host, v, host_end, MAX(low, begin), rows->first_row[host] + v->task,
		  high);
	*vertex = v->prev;
}

/* The histories behind an edge, from its time (*high) to low. */
static void push_histories(WpPlan *plan, const WpRows *rows, WpEdge edge, WpTime low, WpTime *high)
{
	guint still = 0; /* hops without progress in time: damaged graphs go in circles */

	while (*high > low) {
		const WpHost *host = rows->graph->hosts[edge.host];
		const WpVertex *v = wp_host_vertex(host, edge.vertex);
		guint32 row = rows->first_row[edge.host] + v->task;

		if (G_UNLIKELY(edge.clamped || wp_state_is_wait((WpState)v->state)))
			cut_wait(plan, rows, edge.host, low, &edge.vertex, high);
		const WpBegin *begin = edge.vertex == WP_NONE
					       ? NULL
					       : find_begin(rows, row, edge.vertex, *high);
		if (!begin || begin->time <= low || still == STILL_MAX) {
			push(plan, high, low, row, WP_STATE_N);
			return;
		}
		still = begin->time < *high ? 0 : still + 1;
		push(plan, high, begin->time, row, WP_STATE_N);
		edge = begin->edge;
		push(plan, high, MAX(edge.time, low), row, WP_STATE_DEFERRED);
	}
}

static void reverse(WpPlan *plan)
{
	for (guint i = 0, j = plan->n; i + 1 < j; i++) {
		WpPiece piece = plan->pieces[--j];

		plan->pieces[j] = plan->pieces[i];
		plan->pieces[i] = piece;
	}
}

gboolean wp_plan_wait(WpPlan *plan, const WpRows *rows, guint host, const WpVertex *v,
		      WpTime host_end, WpTime low, WpTime end, gboolean followed,
		      guint64 *inconsistent)
{
	WpEdge edge;
	WpEdgeStatus status = WP_EDGE_NONE;
	WpTime high = end;

	plan->n = 0;
	plan->arrival = low;
	if (v->cause == WP_NONE || low >= end)
		return FALSE;
	if (followed) {
		status = wp_edge_of_wait(rows->graph, host, v, host_end, end, low, &edge);
		*inconsistent += status == WP_EDGE_INCONSISTENT;
	}
	if (status == WP_EDGE_FOLLOWED && edge.time > low) {
		plan->arrival = edge.time;
		push_wait(plan, rows->graph, host, v, host_end, edge.time, WP_NONE, &high);
		push_histories(plan, rows, edge, low, &high);
	} else {
		if (status == WP_EDGE_LOST)
			push_wait(plan, rows->graph, host, v, host_end, edge.time, WP_NONE, &high);
		if (status == WP_EDGE_LOST)
			push(plan, &high, low, WP_NONE, WP_STATE_LOST);
		push_wait(plan, rows->graph, host, v, host_end, low, WP_NONE, &high);
		if (plan->n == 1 && plan->pieces[0].state == (WpState)v->state)
			return FALSE;
	}
	reverse(plan);
	return TRUE;
}
