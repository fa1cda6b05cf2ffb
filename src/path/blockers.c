/* SPDX-License-Identifier: MIT */
/*
 * blockers.c: all waits of all tasks, summed up in a hash table of edges; a task is
 * its row (wait.h) in there.
 */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "base/intmap.h"
#include "path/blockers.h"
#include "path/breakdown.h"
#include "path/edge.h"
#include "path/pollers.h"
#include "path/prefix.h"

/* Edges below this share of the waiter's life are no reason to call a group connected. */
#define KNOT_SHARE 0.01

typedef struct {
	guint32 waiter, holder; /* rows; holder WP_NONE: no task */
	WpId cause; /* string */
} Key;

typedef struct {
	WpBlockers *blockers; /* borrowed */
	WpGraph *graph; /* borrowed */
	guint32 *first_row; /* owned: of each host, and their number */
	guint8 *selected; /* owned: by row */
	GHashTable *edge_of; /* owned: owned Key * -> edge + 1 */
	GArray *keys; /* owned: Key, by edge */
	WpIntMap causes; /* (kind, name, system call) of one host -> string */
} Collector;

static guint hash_key(gconstpointer data)
{
	const Key *key = data;

	return (key->waiter * 31 + key->holder) * 31 + key->cause;
}

static gboolean equal_keys(gconstpointer a, gconstpointer b)
{
	const Key *x = a, *y = b;

	return x->waiter == y->waiter && x->holder == y->holder && x->cause == y->cause;
}

/* What a wait was for: the cause's kind and name, and the system call that it sits in. */
static WpId intern_cause(const Collector *c, const WpHost *host, const WpCause *cause)
{
	const gchar *name = cause ? wp_cause_name(host, cause) : "";
	const gchar *syscall = wp_strings_get(
		host->strings, cause ? wp_host_cause_detail(host, cause)->syscall : 0);
	g_autofree gchar *text = g_strdup_printf(
		"%s%s%s%s%s",
		!cause || cause->kind == WP_CAUSE_NONE ? "unknown" : wp_cause_kind_key(cause->kind),
		*name ? " " : "", name, *syscall ? " in " : "", syscall);

	return wp_strings_intern(c->blockers->causes, text);
}

static WpId cause_of_wait(Collector *c, const WpHost *host, const WpVertex *v)
{
	const WpCause *cause = v->cause < host->causes.n ? wp_host_cause(host, v->cause) : NULL;
	const guint64 key = cause ? ((guint64)cause->kind << 24 | cause->detail) + 1 : 0;
	WpId text = wp_intmap_get(&c->causes, key);

	if (text == WP_NONE) {
		text = intern_cause(c, host, cause);
		wp_intmap_set(&c->causes, key, text);
	}
	return text;
}

static void add_wait(Collector *c, const Key *key, WpTime time)
{
	GArray *edges = c->blockers->edges;
	guint32 found = GPOINTER_TO_UINT(g_hash_table_lookup(c->edge_of, key));
	WpBlockEdge *edge;

	if (!found) {
		WpBlockEdge new = {.cause = wp_strings_get(c->blockers->causes, key->cause)};

		g_array_append_val(edges, new);
		g_array_append_val(c->keys, *key);
		found = edges->len;
		g_hash_table_insert(c->edge_of, g_memdup2(key, sizeof(*key)),
				    GUINT_TO_POINTER(found));
	}
	edge = &g_array_index(edges, WpBlockEdge, found - 1);
	edge->time += time;
	edge->count++;
}

/* A wait of a host, the vertex id, that ends at host_end. */
static void take_wait(Collector *c, guint h, WpId id, WpTime host_end)
{
	const WpHost *host = c->graph->hosts[h];
	WpBlockers *blockers = c->blockers;
	const WpVertex *v = wp_host_vertex(host, id);
	WpTime end = wp_graph_time(c->graph, h, host_end);
	WpTime begin = MAX(wp_graph_time(c->graph, h, wp_host_time_of(host, v, id)),
			   blockers->begin);
	Key key = {c->first_row[h] + v->task, WP_NONE, 0};
	WpEdge edge;
	WpEdgeStatus status;

	if (begin >= MIN(end, blockers->end) || !c->selected[key.waiter])
		return;
	status = wp_edge_of_wait(c->graph, h, v, host_end, end, begin, &edge);
	blockers->n_inconsistent += status == WP_EDGE_INCONSISTENT;
	if (status == WP_EDGE_FOLLOWED && edge.vertex != WP_NONE)
		key.holder = c->first_row[edge.host] +
			     wp_host_vertex(c->graph->hosts[edge.host], edge.vertex)->task;
	key.cause = cause_of_wait(c, host, v);
	add_wait(c, &key, MIN(end, blockers->end) - begin);
}

static gboolean take_host(Collector *c, guint h, WpCancel *cancellable, GError **error)
{
	const WpHost *host = c->graph->hosts[h];
	gboolean cancelled = FALSE;

	wp_intmap_init(&c->causes);
	for (guint64 i = 0; i < host->vertices.n; i++) {
		const WpVertex *next = wp_host_vertex(host, i);

		if ((i & 0xffff) == 0 && wp_cancel_is_cancelled(cancellable)) {
			g_set_error_literal(error, WP_ERROR, WP_ERROR_CANCELLED,
					    "The analysis was cancelled.");
			cancelled = TRUE;
			break;
		}
		if (next->prev >= i)
			continue;
		const WpVertex *v = wp_host_vertex(host, next->prev);
		if (wp_state_is_wait(v->state) && v->state != WP_STATE_UNKNOWN)
			take_wait(c, h, next->prev, wp_host_time_of(host, next, (WpId)i));
	}
	wp_intmap_clear(&c->causes);
	return !cancelled;
}

static WpTaskRef task_of_row(const Collector *c, guint32 row)
{
	guint32 h = 0;

	if (row == WP_NONE)
		return (WpTaskRef){WP_NONE, WP_NONE};
	while (c->first_row[h + 1] <= row)
		h++;
	return (WpTaskRef){h, row - c->first_row[h]};
}

static gint compare_tasks(const WpTaskRef *x, const WpTaskRef *y)
{
	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	return x->task < y->task ? -1 : x->task > y->task;
}

static gint compare_edges(gconstpointer a, gconstpointer b)
{
	const WpBlockEdge *x = a, *y = b;
	gint order;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	order = compare_tasks(&x->waiter, &y->waiter);
	order = order ? order : compare_tasks(&x->holder, &y->holder);
	return order ? order : strcmp(x->cause, y->cause);
}

static gint compare_holders(gconstpointer a, gconstpointer b)
{
	const WpBlockHolder *x = a, *y = b;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	return compare_tasks(&x->task, &y->task);
}

static gint compare_knots(gconstpointer a, gconstpointer b)
{
	const WpBlockKnot *x = a, *y = b;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	return compare_tasks(&g_array_index(x->tasks, WpTaskRef, 0),
			     &g_array_index(y->tasks, WpTaskRef, 0));
}

/* ---------------------------------------------------------------- the three views */

static gboolean find_holders(Collector *c, const WpTaskRef *tasks, guint n_tasks,
			     WpCancel *cancellable, GError **error)
{
	WpBlockers *blockers = c->blockers;
	g_autoptr(WpPrefix) prefix = wp_prefix_compute_rests(c->graph, blockers->begin,
							     blockers->end, cancellable, error);
	g_autofree WpTime *held = prefix ? wp_prefix_find_held(prefix, tasks, n_tasks, cancellable,
							       error)
					 : NULL;

	if (!held)
		return FALSE;
	for (guint64 i = 0; i < prefix->n_tasks; i++) {
		const WpPrefixTask *task = &prefix->tasks[i];
		WpBlockHolder holder = {{task->host, task->task}, held[i]};

		if (held[i] > 0)
			g_array_append_val(blockers->holders, holder);
	}
	g_array_sort(blockers->holders, compare_holders);
	return TRUE;
}

/* A task's life in the window. */
static WpTime life_of(const Collector *c, guint32 row)
{
	WpTaskRef ref = task_of_row(c, row);
	const WpTask *task = wp_host_task(c->graph->hosts[ref.host], ref.task);
	WpTime begin = wp_graph_time(c->graph, ref.host, task->begin);
	WpTime end = wp_graph_time(c->graph, ref.host, task->end);

	return MIN(end, c->blockers->end) - MAX(begin, c->blockers->begin);
}

static gboolean ties(const Collector *c, guint edge)
{
	const Key *key = &g_array_index(c->keys, Key, edge);
	WpTime time = g_array_index(c->blockers->edges, WpBlockEdge, edge).time;

	return key->holder != WP_NONE && key->holder != key->waiter &&
	       (gdouble)time >= KNOT_SHARE * (gdouble)life_of(c, key->waiter);
}

static void collect_knots(Collector *c, const guint32 *knot, guint32 n_knots)
{
	GArray *knots = c->blockers->knots;

	for (guint32 i = 0; i < n_knots; i++) {
		WpBlockKnot new = {g_array_new(FALSE, FALSE, sizeof(WpTaskRef)), 0};

		g_array_append_val(knots, new);
	}
	for (guint32 row = 0; row < c->first_row[c->graph->n_hosts]; row++) {
		WpTaskRef task = task_of_row(c, row);

		if (knot[row] != WP_NONE)
			g_array_append_val(g_array_index(knots, WpBlockKnot, knot[row]).tasks,
					   task);
	}
	for (guint i = 0; i < c->keys->len; i++) {
		const Key *key = &g_array_index(c->keys, Key, i);

		if (ties(c, i) && knot[key->waiter] != WP_NONE)
			g_array_index(knots, WpBlockKnot, knot[key->waiter]).time +=
				g_array_index(c->blockers->edges, WpBlockEdge, i).time;
	}
	g_array_sort(knots, compare_knots);
}

static void find_knots(Collector *c)
{
	g_autoptr(GArray) from = g_array_new(FALSE, FALSE, sizeof(guint32));
	g_autoptr(GArray) to = g_array_new(FALSE, FALSE, sizeof(guint32));
	g_autofree guint32 *knot = NULL;
	guint32 n_knots;

	for (guint i = 0; i < c->keys->len; i++) {
		const Key *key = &g_array_index(c->keys, Key, i);

		if (!ties(c, i))
			continue;
		g_array_append_val(from, key->waiter);
		g_array_append_val(to, key->holder);
	}
	knot = wp_knots_find(c->first_row[c->graph->n_hosts],
			     (const guint32 *)(gconstpointer)from->data,
			     (const guint32 *)(gconstpointer)to->data, from->len, &n_knots);
	collect_knots(c, knot, n_knots);
}

/* Names the tasks of edges and sorts them; edges and keys part ways here. */
static void finish_edges(Collector *c)
{
	for (guint i = 0; i < c->keys->len; i++) {
		const Key *key = &g_array_index(c->keys, Key, i);
		WpBlockEdge *edge = &g_array_index(c->blockers->edges, WpBlockEdge, i);

		edge->waiter = task_of_row(c, key->waiter);
		edge->holder = task_of_row(c, key->holder);
	}
	g_array_sort(c->blockers->edges, compare_edges);
}

/* ---------------------------------------------------------------- in all */

static gboolean collector_init(Collector *c, WpGraph *graph, const WpTaskRef *tasks, guint n_tasks,
			       GError **error)
{
	guint64 n = 0;

	c->graph = graph;
	c->edge_of = g_hash_table_new_full(hash_key, equal_keys, g_free, NULL);
	c->keys = g_array_new(FALSE, FALSE, sizeof(Key));
	c->first_row = g_new(guint32, graph->n_hosts + 1);
	for (guint h = 0; h < graph->n_hosts; h++) {
		c->first_row[h] = (guint32)MIN(n, WP_NONE);
		n += graph->hosts[h]->tasks.n;
	}
	c->first_row[graph->n_hosts] = (guint32)MIN(n, WP_NONE);
	c->selected = n < WP_NONE ? g_try_malloc(n + 1) : NULL;
	if (!c->selected) {
		g_set_error(error, WP_ERROR, WP_ERROR_LIMIT,
			    "There are too many tasks (%" G_GUINT64_FORMAT
			    ") to look at together; analyse fewer hosts at a time.",
			    n);
		return FALSE;
	}
	memset(c->selected, !tasks, n);
	for (guint i = 0; tasks && i < n_tasks; i++)
		c->selected[c->first_row[tasks[i].host] + tasks[i].task] = TRUE;
	return TRUE;
}

static void collector_clear(Collector *c)
{
	g_hash_table_destroy(c->edge_of);
	g_array_unref(c->keys);
	g_free(c->first_row);
	g_free(c->selected);
}

static void clear_knot(gpointer data)
{
	g_array_unref(((WpBlockKnot *)data)->tasks);
}

static WpBlockers *blockers_new(WpTime begin, WpTime end)
{
	WpBlockers *blockers = g_new0(WpBlockers, 1);

	blockers->begin = begin;
	blockers->end = end;
	blockers->edges = g_array_new(FALSE, FALSE, sizeof(WpBlockEdge));
	blockers->holders = g_array_new(FALSE, FALSE, sizeof(WpBlockHolder));
	blockers->knots = g_array_new(FALSE, FALSE, sizeof(WpBlockKnot));
	blockers->pollers = g_array_new(FALSE, FALSE, sizeof(WpPoller));
	blockers->causes = wp_strings_new();
	g_array_set_clear_func(blockers->knots, clear_knot);
	return blockers;
}

static gboolean compute(Collector *c, const WpTaskRef *tasks, guint n_tasks, WpCancel *cancellable,
			GError **error)
{
	WpBlockers *b = c->blockers;

	for (guint h = 0; h < c->graph->n_hosts; h++)
		if (!take_host(c, h, cancellable, error))
			return FALSE;
	find_knots(c);
	finish_edges(c);
	return find_holders(c, tasks, n_tasks, cancellable, error) &&
	       wp_pollers_find(c->graph, tasks, n_tasks, b->begin, b->end, b->pollers, cancellable,
			       error);
}

WpBlockers *wp_blockers_compute(WpGraph *graph, const WpTaskRef *tasks, guint n_tasks, WpTime begin,
				WpTime end, WpCancel *cancellable, GError **error)
{
	g_autoptr(WpBlockers) blockers = blockers_new(begin, end);
	Collector c = {.blockers = blockers};
	gboolean done = collector_init(&c, graph, tasks, n_tasks, error) &&
			compute(&c, tasks, n_tasks, cancellable, error);

	collector_clear(&c);
	return done ? g_steal_pointer(&blockers) : NULL;
}

void wp_blockers_free(WpBlockers *blockers)
{
	if (!blockers)
		return;
	g_array_unref(blockers->edges);
	g_array_unref(blockers->holders);
	g_array_unref(blockers->knots);
	g_array_unref(blockers->pollers);
	wp_strings_free(blockers->causes);
	g_free(blockers);
}
