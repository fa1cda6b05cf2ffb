/* SPDX-License-Identifier: MIT */
/*
 * test-blockers.c: who waits for whom, against sums over everybody's path and over
 * every wait, one at a time; knots against the reachability of each node from each;
 * pollers by hand.
 */
#include "config.h"

#include "base/error.h"
#include "lib/hand-graph.h"
#include "lib/path-oracle.h"
#include "lib/random-graph.h"
#include "path/blockers.h"

#define N_GRAPHS 120

static void random_window(GRand *random, WpGraph *graph, WpTime *begin, WpTime *end)
{
	WpTime first = WP_TIME_MAX, last = WP_TIME_MIN;

	for (guint h = 0; h < graph->n_hosts; h++) {
		first = MIN(first, wp_graph_time(graph, h, graph->hosts[h]->begin));
		last = MAX(last, wp_graph_time(graph, h, graph->hosts[h]->end));
	}
	*begin = first + g_rand_int_range(random, 0, (gint32)(last - first));
	*end = *begin + g_rand_int_range(random, 1, (gint32)(last - *begin) + 1);
}

/* A third of all tasks, or NULL: all of them. Owned by the caller. */
static GArray *random_group(GRand *random, const WpGraph *graph)
{
	GArray *group = g_array_new(FALSE, FALSE, sizeof(WpTaskRef));

	if (g_rand_boolean(random))
		return group;
	for (guint h = 0; h < graph->n_hosts; h++)
		for (WpId task = 0; task < graph->hosts[h]->tasks.n; task++) {
			WpTaskRef ref = {h, task};

			if (g_rand_int_range(random, 0, 3) == 0)
				g_array_append_val(group, ref);
		}
	return group;
}

static gboolean in_group(const GArray *group, guint h, WpId task)
{
	for (guint i = 0; i < group->len; i++) {
		const WpTaskRef *ref = &g_array_index(group, WpTaskRef, i);

		if (ref->host == h && ref->task == task)
			return TRUE;
	}
	return group->len == 0;
}

/* Time that the paths of a group lay on a task, by walking them all. */
static WpTime held_by(WpGraph *graph, const GArray *group, guint host, WpId task, WpTime begin,
		      WpTime end)
{
	WpTime time = 0;

	for (guint h = 0; h < graph->n_hosts; h++)
		for (WpId t = 0; t < graph->hosts[h]->tasks.n; t++) {
			if ((h == host && t == task) || !in_group(group, h, t))
				continue;
			g_autoptr(GArray)
				pieces = wp_oracle_path(graph, h, t, begin, end, WP_PATH_ACTIVE);

			for (guint i = 0; i < pieces->len; i++) {
				const WpOraclePiece *p = &g_array_index(pieces, WpOraclePiece, i);

				if (p->host == host && p->task == task)
					time += p->end - p->begin;
			}
		}
	return time;
}

static void check_holders(WpGraph *graph, const WpBlockers *blockers, const GArray *group)
{
	guint n = 0;

	for (guint i = 0; i < blockers->holders->len; i++) {
		const WpBlockHolder *holder = &g_array_index(blockers->holders, WpBlockHolder, i);
		WpTime right = held_by(graph, group, holder->task.host, holder->task.task,
				       blockers->begin, blockers->end);

		if (holder->time != right)
			g_test_fail_printf("task %u of host %u holds others for %" G_GINT64_FORMAT
					   ", not %" G_GINT64_FORMAT,
					   holder->task.task, holder->task.host, holder->time,
					   right);
		if (i)
			g_assert_cmpint(holder[-1].time, >=, holder->time);
	}
	for (guint h = 0; h < graph->n_hosts; h++)
		for (WpId task = 0; task < graph->hosts[h]->tasks.n; task++)
			n += held_by(graph, group, h, task, blockers->begin, blockers->end) > 0;
	if (!g_test_failed())
		g_assert_cmpuint(blockers->holders->len, ==, n);
}

static void test_holders(gconstpointer data)
{
	WpRandomFlags flags = GPOINTER_TO_UINT(data);
	g_autoptr(GRand) random = g_rand_new_with_seed(flags);
	guint n_chains = 0;

	for (guint seed = 0; seed < N_GRAPHS && !g_test_failed(); seed++) {
		g_autoptr(WpGraph) graph = wp_random_graph_new(seed, 400, flags);
		g_autoptr(GArray) group = random_group(random, graph);
		g_autoptr(GError) error = NULL;
		WpTime begin, end;

		random_window(random, graph, &begin, &end);
		g_autoptr(WpBlockers) blockers = wp_blockers_compute(
			graph, group->len ? (const WpTaskRef *)(gconstpointer)group->data : NULL,
			group->len, begin, end, NULL, &error);
		g_assert_no_error(error);
		check_holders(graph, blockers, group);
		n_chains += blockers->holders->len;
	}
	if (!g_test_failed())
		g_assert_cmpuint(n_chains, >, N_GRAPHS);
}

/* ---------------------------------------------------------------- edges */

/* Where a packet's way back from a host leads to, no further than low. */
static WpTaskRef sender_of(const WpGraph *graph, guint h, WpId packet, WpTime low)
{
	const WpTaskRef nobody = {WP_NONE, WP_NONE};

	while (packet != WP_NONE) {
		const WpHost *host = graph->hosts[h];
		const WpPacket *p = wp_host_packet(host, packet);

		if (!(p->flags & WP_PACKET_SEND)) {
			WpMatch match = WP_AT(&graph->joins[h].matches, WpMatch, packet);

			if (match.host == WP_NONE)
				return nobody;
			h = match.host;
			packet = match.packet;
		} else if (p->vertex != WP_NONE) {
			return (WpTaskRef){h, wp_host_vertex(host, p->vertex)->task};
		} else if (wp_graph_time(graph, h, p->time) <= low) {
			return nobody;
		} else {
			packet = p->parent;
		}
	}
	return nobody;
}

static WpTaskRef holder_of(const WpGraph *graph, guint h, const WpVertex *v, WpTime low)
{
	const WpHost *host = graph->hosts[h];
	const WpCause *cause = v->cause == WP_NONE ? NULL : wp_host_cause(host, v->cause);

	if (cause && cause->kind == WP_CAUSE_PACKET)
		return sender_of(graph, h, cause->packet, low);
	if (cause && (cause->kind == WP_CAUSE_TASK || cause->kind == WP_CAUSE_WORKQUEUE) &&
	    cause->source != WP_NONE)
		return (WpTaskRef){h, wp_host_vertex(host, cause->source)->task};
	return (WpTaskRef){WP_NONE, WP_NONE};
}

/* Sums up the waits of one task for one holder and kind of cause. */
static WpTime waited(WpGraph *graph, const WpBlockEdge *edge, WpTime begin, WpTime end,
		     guint64 *count)
{
	guint h = edge->waiter.host;
	WpHost *host = graph->hosts[h];
	const WpId *vertices;
	guint32 n = wp_host_task_vertices(host, edge->waiter.task, &vertices);
	WpTime time = 0;

	*count = 0;
	for (guint32 i = 0; i + 1 < n; i++) {
		const WpVertex *v = wp_host_vertex(host, vertices[i]);
		const gchar *cause = v->cause == WP_NONE ? "unknown"
				     : wp_host_cause(host, v->cause)->kind == WP_CAUSE_NONE
					     ? "unknown"
					     : wp_cause_kind_key(
						       wp_host_cause(host, v->cause)->kind);
		WpTime from = MAX(begin,
				  wp_graph_time(graph, h, wp_host_vertex_time(host, vertices[i])));
		WpTime to = wp_graph_time(graph, h, wp_host_vertex_time(host, vertices[i + 1]));
		WpTaskRef holder = holder_of(graph, h, v, from);

		if (v->state < WP_STATE_BLOCKED || v->state == WP_STATE_UNKNOWN ||
		    MIN(to, end) <= from || !g_str_equal(cause, edge->cause) ||
		    holder.host != edge->holder.host || holder.task != edge->holder.task)
			continue;
		time += MIN(to, end) - from;
		++*count;
	}
	return time;
}

static void test_edges(void)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(9);
	WpTime all = 0, right_all = 0;

	for (guint seed = 0; seed < 100; seed++) {
		/* Without clocks apart no cause is dropped for coming after its effect. */
		g_autoptr(WpGraph) graph = wp_random_graph_new(seed, 600, WP_RANDOM_WORK);
		g_autoptr(GError) error = NULL;
		WpTime begin, end;

		random_window(random, graph, &begin, &end);
		g_autoptr(WpBlockers)
			blockers = wp_blockers_compute(graph, NULL, 0, begin, end, NULL, &error);
		g_assert_no_error(error);
		for (guint i = 0; i < blockers->edges->len; i++) {
			const WpBlockEdge *edge = &g_array_index(blockers->edges, WpBlockEdge, i);
			guint64 count;

			g_assert_cmpint(edge->time, ==, waited(graph, edge, begin, end, &count));
			g_assert_cmpuint(edge->count, ==, count);
			all += edge->time;
		}
		/* Every wait is on some edge. */
		for (guint h = 0; h < graph->n_hosts; h++) {
			WpHost *host = graph->hosts[h];

			for (WpId i = 0; i < host->vertices.n; i++) {
				const WpVertex *v = wp_host_vertex(host, i);
				WpTime from = MAX(
					begin,
					wp_graph_time(graph, h, wp_host_vertex_time(host, i)));
				WpTime to = MIN(
					end, wp_graph_time(graph, h, wp_host_vertex_end(host, i)));

				if (v->state >= WP_STATE_BLOCKED && v->state != WP_STATE_UNKNOWN &&
				    wp_host_task(host, v->task)->last != i && from < to)
					right_all += to - from;
			}
		}
	}
	g_assert_cmpint(all, ==, right_all);
	g_assert_cmpint(all, >, 0);
}

/* ---------------------------------------------------------------- knots */

#define NODES_MAX 12

/* Warshall's transitive closure, then the definition. */
static void check_knots(guint32 n, const guint32 *from, const guint32 *to, guint32 n_edges)
{
	gboolean reach[NODES_MAX][NODES_MAX] = {{FALSE}};
	guint32 n_knots, n_right = 0;
	g_autofree guint32 *knot = wp_knots_find(n, from, to, n_edges, &n_knots);

	for (guint32 i = 0; i < n_edges; i++)
		reach[from[i]][to[i]] = TRUE;
	for (guint32 k = 0; k < n; k++)
		for (guint32 i = 0; i < n; i++)
			for (guint32 j = 0; j < n; j++)
				reach[i][j] |= reach[i][k] && reach[k][j];
	for (guint32 i = 0; i < n; i++) {
		gboolean returns = TRUE, others = FALSE, first = TRUE;

		for (guint32 j = 0; j < n; j++) {
			gboolean mutual = reach[i][j] && reach[j][i];

			returns &= !reach[i][j] || reach[j][i];
			others |= j != i && mutual;
			first &= !(j < i && mutual);
			if (j != i && mutual && knot[i] != WP_NONE)
				g_assert_cmpuint(knot[i], ==, knot[j]);
			else if (j != i && knot[i] != WP_NONE)
				g_assert_cmpuint(knot[i], !=, knot[j]);
		}
		g_assert_true((knot[i] != WP_NONE) == (returns && others));
		n_right += returns && others && first;
	}
	g_assert_cmpuint(n_knots, ==, n_right);
}

static void test_knots(void)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(4);
	guint n_knotted = 0;

	for (guint i = 0; i < 5000; i++) {
		guint32 from[3 * NODES_MAX], to[3 * NODES_MAX], n_knots;
		guint32 n = (guint32)g_rand_int_range(random, 1, NODES_MAX + 1);
		guint32 n_edges = (guint32)g_rand_int_range(random, 0, 2 * (gint32)n + 1);

		for (guint32 j = 0; j < n_edges; j++) {
			from[j] = (guint32)g_rand_int_range(random, 0, (gint32)n);
			to[j] = (guint32)g_rand_int_range(random, 0, (gint32)n);
		}
		check_knots(n, from, to, n_edges);
		g_free(wp_knots_find(n, from, to, n_edges, &n_knots));
		n_knotted += n_knots > 0;
	}
	g_assert_cmpuint(n_knotted, >, 500);
	g_assert_cmpuint(n_knotted, <, 4500);
}

/* A ring of a million: what recursion would not survive. */
static void test_long_ring(void)
{
	const guint32 n = 1000000;
	g_autofree guint32 *from = g_new(guint32, n), *to = g_new(guint32, n), *knot = NULL;
	guint32 n_knots;

	for (guint32 i = 0; i < n; i++) {
		from[i] = i;
		to[i] = (i + 1) % n;
	}
	knot = wp_knots_find(n, from, to, n, &n_knots);
	g_assert_cmpuint(n_knots, ==, 1);
	g_assert_cmpuint(knot[n / 2], ==, 0);
}

/*
 * Two tasks take turns, a third waits for one of them: the two are a knot, the third is
 * not in it. A moment's wait for a fourth does not count as a way out.
 */
static void test_knot_of_tasks(void)
{
	WpHost *host = wp_hand_host("hosta", 0, 4000);
	WpId a = wp_hand_task(host, "a"), b = wp_hand_task(host, "b"), c = wp_hand_task(host, "c");
	WpId d = wp_hand_task(host, "d");
	WpId a_runs = wp_hand_vertex(host, a, 0, WP_STATE_RUNNING), b_runs, d_runs;

	wp_hand_vertex(host, b, 0, WP_STATE_BLOCKED);
	wp_hand_vertex(host, c, 0, WP_STATE_BLOCKED);
	d_runs = wp_hand_vertex(host, d, 0, WP_STATE_RUNNING);
	wp_hand_wake(host, b, 1000, a_runs);
	b_runs = wp_hand_vertex(host, b, 1000, WP_STATE_RUNNING);
	wp_hand_vertex(host, a, 1001, WP_STATE_BLOCKED);
	wp_hand_wake(host, a, 2000, b_runs);
	a_runs = wp_hand_vertex(host, a, 2001, WP_STATE_RUNNING);
	wp_hand_vertex(host, b, 2100, WP_STATE_BLOCKED);
	wp_hand_wake(host, b, 2110, d_runs);
	wp_hand_vertex(host, b, 2110, WP_STATE_RUNNING);
	wp_hand_wake(host, c, 3000, a_runs);

	g_autoptr(WpGraph) graph = wp_hand_graph(host, NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(WpBlockers) blockers = wp_blockers_compute(graph, NULL, 0, 0, 4000, NULL, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(blockers->knots->len, ==, 1);
	const WpBlockKnot *knot = &g_array_index(blockers->knots, WpBlockKnot, 0);
	g_assert_cmpuint(knot->tasks->len, ==, 2);
	g_assert_cmpuint(g_array_index(knot->tasks, WpTaskRef, 0).task, ==, a);
	g_assert_cmpuint(g_array_index(knot->tasks, WpTaskRef, 1).task, ==, b);
	g_assert_cmpint(knot->time, ==, 1000 + 999);
	/* c waits for a for 3000, but from 1001 to 2000 the path is on b. */
	const WpBlockEdge *longest = &g_array_index(blockers->edges, WpBlockEdge, 0);
	g_assert_cmpuint(longest->waiter.task, ==, c);
	g_assert_cmpuint(longest->holder.task, ==, a);
	g_assert_cmpstr(longest->cause, ==, "task");
	g_assert_cmpint(longest->time, ==, 3000);
	const WpBlockHolder *first = &g_array_index(blockers->holders, WpBlockHolder, 0);
	g_assert_cmpuint(first->task.task, ==, a);
	g_assert_cmpint(first->time, ==, 1000 + (1001 + 1000));
	const WpBlockHolder *second = &g_array_index(blockers->holders, WpBlockHolder, 1);
	g_assert_cmpuint(second->task.task, ==, b);
	g_assert_cmpint(second->time, ==, 999 + 999);
}

/* ---------------------------------------------------------------- pollers */

/* A task that repeats two states for a second. */
static WpId repeat(WpHost *host, const gchar *comm, WpTime run, WpState rest, WpTime resting)
{
	WpId task = wp_hand_task(host, comm);

	for (WpTime time = 0; time < WP_NS_PER_S; time += run + resting) {
		wp_hand_vertex(host, task, time, WP_STATE_RUNNING);
		WpId v = wp_hand_vertex(host, task, time + run, rest);

		if (rest == WP_STATE_TIMER)
			wp_hand_cause(host, v, WP_CAUSE_TIMER, WP_NONE, time + run + resting);
	}
	return task;
}

static const WpPoller *poller_of(const WpBlockers *blockers, WpId task)
{
	for (guint i = 0; i < blockers->pollers->len; i++)
		if (g_array_index(blockers->pollers, WpPoller, i).task.task == task)
			return &g_array_index(blockers->pollers, WpPoller, i);
	return NULL;
}

static void test_pollers(void)
{
	WpHost *host = wp_hand_host("hosta", 0, WP_NS_PER_S);
	WpId sleeper = repeat(host, "sleeper", 20000, WP_STATE_TIMER, 80000);
	WpId yielder = repeat(host, "yielder", 5000, WP_STATE_PREEMPTED, 5000);
	WpId spinner = wp_hand_task(host, "spinner");
	WpId ticker = repeat(host, "ticker", 20000, WP_STATE_TIMER, 20 * WP_NS_PER_MS);
	WpId worker = repeat(host, "worker", 3 * WP_NS_PER_MS, WP_STATE_DISK, WP_NS_PER_MS);
	WpId sharer = repeat(host, "sharer", 4 * WP_NS_PER_MS, WP_STATE_PREEMPTED,
			     12 * WP_NS_PER_MS);

	wp_hand_vertex(host, spinner, 0, WP_STATE_RUNNING);
	g_autoptr(WpGraph) graph = wp_hand_graph(host, NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(WpBlockers)
		blockers = wp_blockers_compute(graph, NULL, 0, 0, WP_NS_PER_S, NULL, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(blockers->pollers->len, ==, 3);
	g_assert_cmpint(poller_of(blockers, sleeper)->kind, ==, WP_POLL_TIMER);
	g_assert_cmpfloat_with_epsilon(poller_of(blockers, sleeper)->cpu_share, 0.2, 1e-6);
	g_assert_cmpfloat_with_epsilon(poller_of(blockers, sleeper)->per_second, 10000, 1e-6);
	g_assert_cmpint(poller_of(blockers, yielder)->kind, ==, WP_POLL_YIELD);
	g_assert_cmpint(poller_of(blockers, spinner)->kind, ==, WP_POLL_BUSY);
	g_assert_cmpfloat_with_epsilon(poller_of(blockers, spinner)->cpu_share, 1, 1e-6);
	g_assert_null(poller_of(blockers, ticker));
	g_assert_null(poller_of(blockers, worker));
	g_assert_null(poller_of(blockers, sharer));
}

/* Hears from a peer twenty times, and is never seen to wait. */
static void test_network_poller(void)
{
	WpHost *a = wp_hand_host("hosta", 0, WP_NS_PER_S);
	WpHost *b = wp_hand_host("hostb", 0, WP_NS_PER_S);
	WpId poller = wp_hand_task(a, "poller"), peer = wp_hand_task(b, "peer");
	WpId polls = wp_hand_vertex(a, poller, 0, WP_STATE_RUNNING);
	WpId sends = wp_hand_vertex(b, peer, 0, WP_STATE_RUNNING);
	g_autoptr(WpGraph) graph = wp_hand_graph(a, b, NULL);
	g_autoptr(GError) error = NULL;

	wp_hand_ports(a, 40000, 80);
	wp_hand_ports(b, 80, 40000);
	for (guint i = 0; i < 20; i++) {
		wp_hand_packet(graph, 0, polls, i * WP_NS_PER_MS, 1, i * WP_NS_PER_MS + 10);
		wp_hand_packet(graph, 1, sends, i * WP_NS_PER_MS + 20, 0, i * WP_NS_PER_MS + 30);
	}
	g_autoptr(WpBlockers)
		blockers = wp_blockers_compute(graph, NULL, 0, 0, WP_NS_PER_S, NULL, &error);
	g_assert_no_error(error);
	g_assert_cmpint(poller_of(blockers, poller)->kind, ==, WP_POLL_NETWORK);
	g_assert_cmpfloat_with_epsilon(poller_of(blockers, poller)->per_second, 20, 1e-6);
}

gint main(gint argc, gchar **argv)
{
	static const struct {
		const gchar *name;
		WpRandomFlags flags;
	} runs[] = {
		{"one-clock", 0},
		{"clocks", WP_RANDOM_CLOCKS},
		{"work", WP_RANDOM_WORK},
		{"all", WP_RANDOM_CLOCKS | WP_RANDOM_TIES | WP_RANDOM_WORK},
	};

	g_test_init(&argc, &argv, NULL);
	for (guint i = 0; i < G_N_ELEMENTS(runs); i++) {
		g_autofree gchar *name = g_strconcat("/blockers/holders/", runs[i].name, NULL);

		g_test_add_data_func(name, GUINT_TO_POINTER(runs[i].flags), test_holders);
	}
	g_test_add_func("/blockers/edges", test_edges);
	g_test_add_func("/blockers/knots", test_knots);
	g_test_add_func("/blockers/long-ring", test_long_ring);
	g_test_add_func("/blockers/knot-of-tasks", test_knot_of_tasks);
	g_test_add_func("/blockers/pollers", test_pollers);
	g_test_add_func("/blockers/network-poller", test_network_poller);
	return g_test_run();
}
