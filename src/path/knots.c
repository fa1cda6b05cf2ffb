/* SPDX-License-Identifier: MIT */
/*
 * knots.c: strongly connected groups that nobody leaves: Tarjan's algorithm ("Depth-first
 * search and linear graph algorithms", SIAM J. Comput. 1972), with a stack of its own
 * instead of recursion, and a look at the edges between the groups.
 */
#include "config.h"

#include "path/blockers.h"

typedef struct {
	guint32 node;
	guint32 edge; /* the next one to look at, in targets */
} Visit;

typedef struct {
	guint32 n;
	guint32 *first; /* owned: n + 1: where each node's targets begin */
	guint32 *targets; /* owned */
	guint32 *number; /* owned: order of discovery from 1, 0: not yet found */
	guint32 *low; /* owned: the lowest number reached from below */
	guint32 *group; /* owned: WP_NONE until it is known */
	GArray *path; /* owned: Visit */
	GArray *open; /* owned: guint32: nodes found whose group is not known */
	guint32 n_found, n_groups;
} Search;

/* Edges by node: a counting sort. */
static void search_init(Search *s, guint32 n, const guint32 *from, const guint32 *to,
			guint32 n_edges)
{
	s->n = n;
	s->first = g_new0(guint32, (gsize)n + 2);
	s->targets = g_new(guint32, n_edges);
	s->number = g_new0(guint32, n);
	s->low = g_new0(guint32, n);
	s->group = g_new(guint32, n);
	s->path = g_array_new(FALSE, FALSE, sizeof(Visit));
	s->open = g_array_new(FALSE, FALSE, sizeof(guint32));
	s->n_found = s->n_groups = 0;
	for (guint32 i = 0; i < n; i++)
		s->group[i] = WP_NONE;
	for (guint32 i = 0; i < n_edges; i++)
		s->first[from[i] + 2]++;
	for (guint32 i = 0; i < n; i++)
		s->first[i + 2] += s->first[i + 1];
	/* first[node + 1] is where the next target of node goes; in the end it is its end. */
	for (guint32 i = 0; i < n_edges; i++)
		s->targets[s->first[from[i] + 1]++] = to[i];
}

static void search_clear(Search *s)
{
	g_free(s->first);
	g_free(s->targets);
	g_free(s->number);
	g_free(s->low);
	g_array_unref(s->path);
	g_array_unref(s->open);
}

static void find(Search *s, guint32 node)
{
	Visit visit = {node, s->first[node]};

	s->number[node] = s->low[node] = ++s->n_found;
	g_array_append_val(s->path, visit);
	g_array_append_val(s->open, node);
}

/* All that was found since a node belongs to its group, if it reaches nothing found before. */
static void close_group(Search *s, guint32 node)
{
	guint32 member;

	if (s->low[node] != s->number[node])
		return;
	do {
		member = g_array_index(s->open, guint32, s->open->len - 1);
		g_array_set_size(s->open, s->open->len - 1);
		s->group[member] = s->n_groups;
	} while (member != node);
	s->n_groups++;
}

static void step(Search *s)
{
	Visit *visit = &g_array_index(s->path, Visit, s->path->len - 1);
	guint32 node = visit->node, target;

	if (visit->edge == s->first[node + 1]) {
		close_group(s, node);
		g_array_set_size(s->path, s->path->len - 1);
		if (s->path->len) {
			guint32 above = g_array_index(s->path, Visit, s->path->len - 1).node;

			s->low[above] = MIN(s->low[above], s->low[node]);
		}
		return;
	}
	target = s->targets[visit->edge++];
	if (s->number[target] == 0)
		find(s, target);
	else if (s->group[target] == WP_NONE)
		s->low[node] = MIN(s->low[node], s->number[target]);
}

/* Numbers those groups anew that have two members or more, and that no edge leaves. */
static void keep_knots(Search *s, guint32 *ret_n_knots)
{
	g_autofree guint32 *members = g_new0(guint32, s->n_groups);
	g_autofree guint32 *knot = g_new(guint32, s->n_groups);
	guint32 n_knots = 0;

	for (guint32 i = 0; i < s->n; i++)
		members[s->group[i]]++;
	for (guint32 i = 0; i < s->n; i++)
		for (guint32 j = s->first[i]; j < s->first[i + 1]; j++)
			if (s->group[s->targets[j]] != s->group[i])
				members[s->group[i]] = 0;
	for (guint32 i = 0; i < s->n_groups; i++)
		knot[i] = WP_NONE;
	for (guint32 i = 0; i < s->n; i++) {
		guint32 group = s->group[i];

		if (members[group] >= 2 && knot[group] == WP_NONE)
			knot[group] = n_knots++;
		s->group[i] = knot[group];
	}
	*ret_n_knots = n_knots;
}

guint32 *wp_knots_find(guint32 n_nodes, const guint32 *from, const guint32 *to, guint32 n_edges,
		       guint32 *ret_n_knots)
{
	Search s;

	search_init(&s, n_nodes, from, to, n_edges);
	for (guint32 i = 0; i < n_nodes; i++) {
		if (s.number[i])
			continue;
		find(&s, i);
		while (s.path->len)
			step(&s);
	}
	keep_knots(&s, ret_n_knots);
	search_clear(&s);
	return s.group;
}
