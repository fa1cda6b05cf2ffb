/* SPDX-License-Identifier: MIT */
/* walk.c: see walk.h. */
#include "config.h"

#include "export/walk.h"
#include "path/edge.h"

typedef struct {
	WpGraph *graph; /* borrowed */
	const WpPath *path; /* borrowed */
	gboolean all;
	GHashTable *chosen; /* owned set of gint64 *: host and task; NULL when all are */
	const WpWalkFuncs *funcs; /* borrowed */
	gpointer data; /* borrowed */
} Walk;

static gint64 key_of(guint32 host, WpId task)
{
	return (gint64)((guint64)host << 32 | task);
}

static GHashTable *tasks_of_path(const WpPath *path)
{
	GHashTable *tasks = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	gint64 key = key_of(path->host, path->task);

	g_hash_table_add(tasks, g_memdup2(&key, sizeof(key)));
	for (guint i = 0; i < path->segments.n; i++) {
		const WpSegment *s = wp_path_segment(path, i);

		key = key_of(s->host, s->task);
		if (!g_hash_table_contains(tasks, &key))
			g_hash_table_add(tasks, g_memdup2(&key, sizeof(key)));
	}
	return tasks;
}

static gboolean is_chosen(const Walk *walk, guint32 host, WpId task)
{
	const WpTask *t = wp_host_task(walk->graph->hosts[host], task);
	gint64 key = key_of(host, task);

	return t->tid != 0 && (walk->all || g_hash_table_contains(walk->chosen, &key));
}

/* Who ended the wait that the task's vertex in front of a slice is. */
static void find_handover(const Walk *walk, const WpSlice *slice, WpId wait, WpTime host_end,
			  WpHandover *by)
{
	WpHost *host = walk->graph->hosts[slice->host];
	const WpVertex *v = wp_host_vertex(host, wait);
	WpEdge edge;

	*by = (WpHandover){.host = WP_NONE, .task = WP_NONE};
	if (!wp_state_is_wait(v->state) ||
	    wp_edge_of_wait(walk->graph, slice->host, v, host_end, slice->begin, WP_TIME_MIN,
			    &edge) != WP_EDGE_FOLLOWED)
		return;

	WpId task = wp_host_vertex(walk->graph->hosts[edge.host], edge.vertex)->task;

	if (!is_chosen(walk, edge.host, task) || edge.time < walk->path->begin)
		return;
	by->host = edge.host;
	by->task = task;
	by->time = edge.time;
	by->packet = wp_host_cause(host, v->cause)->kind == WP_CAUSE_PACKET;
}

static void walk_task(const Walk *walk, guint32 host, WpId task)
{
	WpHost *h = walk->graph->hosts[host];
	const WpId *vertices;
	guint32 n = wp_host_task_vertices(h, task, &vertices);
	WpTime first = wp_clock_map_invert(walk->graph->joins[host].map, walk->path->begin);
	gint64 from = MAX(wp_host_task_find(h, task, first), 0);

	if (walk->funcs->task)
		walk->funcs->task(walk->data, host, task);
	for (guint64 i = (guint64)from; i < n; i++) {
		const WpVertex *v = wp_host_vertex(h, vertices[i]);
		WpTime end = i + 1 < n ? wp_host_vertex_time(h, vertices[i + 1]) : h->end;
		WpSlice slice = {.host = host,
				 .task = task,
				 .vertex = vertices[i],
				 .state = v->state,
				 .by = {.host = WP_NONE, .task = WP_NONE}};
		const WpTime host_begin = wp_host_time_of(h, v, vertices[i]);
		WpTime begin = wp_graph_time(walk->graph, host, host_begin);

		if (begin >= walk->path->end)
			break;
		slice.begin = MAX(begin, walk->path->begin);
		slice.end = MIN(wp_graph_time(walk->graph, host, end), walk->path->end);
		if (slice.end <= slice.begin || v->flags & WP_VERTEX_DEAD)
			continue;
		if (i > 0 && begin >= walk->path->begin)
			find_handover(walk, &slice, vertices[i - 1], host_begin, &slice.by);
		walk->funcs->slice(walk->data, &slice);
	}
}

void wp_walk(WpGraph *graph, const WpPath *path, gboolean all, const WpWalkFuncs *funcs,
	     gpointer data)
{
	Walk walk = {.graph = graph, .path = path, .all = all, .funcs = funcs, .data = data};

	walk.chosen = tasks_of_path(path);
	for (guint host = 0; host < graph->n_hosts; host++)
		for (guint64 i = 0; i < graph->hosts[host]->tasks.n && !funcs->is_over(data); i++) {
			const WpTask *t = wp_host_task(graph->hosts[host], i);

			if (is_chosen(&walk, host, (WpId)i) &&
			    wp_graph_time(graph, host, t->begin) < path->end &&
			    wp_graph_time(graph, host, t->end) > path->begin)
				walk_task(&walk, host, (WpId)i);
		}
	g_hash_table_destroy(walk.chosen);
}

/* ---- chains ---- */

/* A task that is waited for, and the node of who waits for it. */
typedef struct {
	guint32 parent; /* node, WP_NONE */
	WpTaskRef task;
} Node;

struct WpChains {
	WpBlock node_block, leaf_block;
	Node *nodes; /* borrowed from a block: at most one for each segment */
	guint n_nodes;
	guint32 *leaves; /* borrowed from a block: node of each segment */
};

/* The node of a task below a parent: the one at hand when it is that, else a new one. */
static guint32 node_below(WpChains *chains, guint32 at_hand, guint32 parent, const WpSegment *s)
{
	const Node new = {parent, {s->host, s->task}};

	if (at_hand != WP_NONE) {
		const Node *node = &chains->nodes[at_hand];

		if (node->parent == parent && node->task.host == s->host &&
		    node->task.task == s->task)
			return at_hand;
	}
	chains->nodes[chains->n_nodes] = new;
	return chains->n_nodes++;
}

/*
 * A path's segments tell only their own task and depth. Read backwards in time they tell the
 * chain too: a segment at depth d lies in the wait of the task that goes on, at a lower depth,
 * behind it. Where the path jumps over a depth nobody is seen to wait there.
 */
WpChains *wp_chains_new(const WpPath *path)
{
	WpChains *chains = g_new0(WpChains, 1);
	guint n = path->segments.n, length = 0;
	guint32 chain[WP_CHAIN_MAX]; /* nodes by depth, WP_NONE where nobody is known */

	chains->nodes = wp_block_need(&chains->node_block, n * sizeof(Node), wp_path_memory(path));
	chains->leaves = wp_block_need(&chains->leaf_block, n * sizeof(guint32),
				       wp_path_memory(path));
	for (guint i = n; i-- > 0;) {
		const WpSegment *s = wp_path_segment(path, i);
		guint depth = MIN(s->depth, WP_CHAIN_MAX - 1);
		guint32 parent = WP_NONE;

		while (length <= depth)
			chain[length++] = WP_NONE;
		for (guint above = depth; parent == WP_NONE && above-- > 0;)
			parent = chain[above];
		chain[depth] = node_below(chains, chain[depth], parent, s);
		length = depth + 1;
		chains->leaves[i] = chain[depth];
	}
	return chains;
}

void wp_chains_free(WpChains *chains)
{
	if (!chains)
		return;
	wp_block_clear(&chains->node_block);
	wp_block_clear(&chains->leaf_block);
	g_free(chains);
}

guint wp_chains_get(const WpChains *chains, guint segment, WpTaskRef ret_tasks[WP_CHAIN_MAX])
{
	guint n = 0, at;

	for (guint32 i = chains->leaves[segment]; i != WP_NONE; i = chains->nodes[i].parent)
		n++;
	at = n;
	for (guint32 i = chains->leaves[segment]; i != WP_NONE; i = chains->nodes[i].parent)
		ret_tasks[--at] = chains->nodes[i].task;
	return n;
}

gboolean wp_chains_equal(const WpChains *chains, guint a, guint b)
{
	return chains->leaves[a] == chains->leaves[b];
}
