/* SPDX-License-Identifier: MIT */
/*
 * test-prefix.c: the totals of all tasks' paths, taken in one pass, against the sums
 * of each task's path by its oracle, over random executions and windows; and how the
 * work grows on graphs that are hard on it.
 */
#include "config.h"

#include "base/error.h"
#include "lib/hand-graph.h"
#include "lib/path-oracle.h"
#include "lib/random-graph.h"
#include "path/followed.h"
#include "path/prefix.h"

#define N_GRAPHS 300
#define N_WINDOWS 8 /* of each graph; each has about ten tasks */

static void check_task(WpGraph *graph, const WpPrefixTask *task, WpPathMode mode, guint *n_deep)
{
	WpTime right[WP_STATE_N] = {0}, own = 0;
	g_autoptr(GArray) pieces = wp_oracle_path(graph, task->host, task->task, task->begin,
						  task->end, mode);

	for (guint i = 0; i < pieces->len; i++) {
		const WpOraclePiece *p = &g_array_index(pieces, WpOraclePiece, i);

		right[p->state] += p->end - p->begin;
		if (p->host == task->host && p->task == task->task)
			own += p->end - p->begin;
		if (n_deep)
			*n_deep += p->depth >= 2;
	}
	for (guint i = 0; i < WP_STATE_N; i++)
		if (task->by_state[i] != right[i])
			g_test_fail_printf("task %u of host %u, %" G_GINT64_FORMAT
					   " to %" G_GINT64_FORMAT ": %s is %" G_GINT64_FORMAT
					   ", not %" G_GINT64_FORMAT,
					   task->task, task->host, task->begin, task->end,
					   wp_state_key(i), task->by_state[i], right[i]);
	if (task->own != own || task->own + task->others != task->end - task->begin)
		g_test_fail_printf("task %u of host %u: own %" G_GINT64_FORMAT
				   ", not %" G_GINT64_FORMAT,
				   task->task, task->host, task->own, own);
}

static WpTaskRef ref_of(const WpPrefixTask *task)
{
	return (WpTaskRef){task->host, task->task};
}

/* Whom all tasks waited for: WpWaited. */
static GArray *find_all_waited(const WpPrefix *prefix)
{
	g_autoptr(GArray) refs = g_array_new(FALSE, FALSE, sizeof(WpTaskRef));
	g_autoptr(GError) error = NULL;
	GArray *waited;

	/* In no order that would help. */
	for (guint64 i = prefix->n_tasks; i > 0; i--) {
		WpTaskRef ref = ref_of(&prefix->tasks[i - 1]);

		g_array_append_val(refs, ref);
	}
	waited = wp_prefix_find_waited(prefix, (const WpTaskRef *)(gpointer)refs->data, refs->len,
				       NULL, &error);
	g_assert_no_error(error);
	return waited;
}

/* Whom a task waited for, and that there is no more than that. */
static void check_waited(WpGraph *graph, const GArray *waited_by_all, const WpPrefixTask *task)
{
	g_autoptr(GArray) pieces = wp_oracle_path(graph, task->host, task->task, task->begin,
						  task->end, WP_PATH_ACTIVE);
	WpTime sum = 0, last = WP_TIME_MAX;
	guint n;
	const WpWaited *waited = wp_waited_find(waited_by_all, ref_of(task), &n);

	for (guint i = 0; i < n; i++) {
		WpTime right = 0;

		for (guint j = 0; j < pieces->len; j++) {
			const WpOraclePiece *p = &g_array_index(pieces, WpOraclePiece, j);

			if (p->host == waited[i].holder.host && p->task == waited[i].holder.task)
				right += p->end - p->begin;
		}
		if (waited[i].time != right || right > last)
			g_test_fail_printf("task %u of host %u waited %" G_GINT64_FORMAT
					   " for %u of %u, not %" G_GINT64_FORMAT,
					   task->task, task->host, waited[i].time,
					   waited[i].holder.task, waited[i].holder.host, right);
		g_assert_true(waited[i].holder.host != task->host ||
			      waited[i].holder.task != task->task);
		last = right;
		sum += right;
	}
	g_assert_cmpint(sum, ==, task->others);
}

/* Few of the tasks are asked for, some of them perhaps twice. */
static void check_some_waited(WpGraph *graph, const WpPrefix *prefix, GRand *random)
{
	const WpPrefixTask *tasks[3];
	WpTaskRef refs[3];
	g_autoptr(GError) error = NULL;
	guint n = 0;

	if (prefix->n_tasks == 0)
		return;
	for (guint i = 0; i < G_N_ELEMENTS(refs); i++) {
		tasks[i] = &prefix->tasks[g_rand_int_range(random, 0, (gint32)prefix->n_tasks)];
		refs[i] = ref_of(tasks[i]);
	}

	g_autoptr(GArray)
		waited = wp_prefix_find_waited(prefix, refs, G_N_ELEMENTS(refs), NULL, &error);

	g_assert_no_error(error);
	for (guint i = 0; i < G_N_ELEMENTS(refs); i++)
		check_waited(graph, waited, tasks[i]);
	for (guint64 i = 0; i < prefix->n_tasks; i++) {
		const WpPrefixTask *task = &prefix->tasks[i];
		gboolean is_asked_for = task == tasks[0] || task == tasks[1] || task == tasks[2];

		wp_waited_find(waited, ref_of(task), &n);
		g_assert_true(is_asked_for || n == 0);
	}
}

/* The window's end, or that of the host's trace or the task. */
static WpTime life_end(const WpGraph *graph, guint h, WpId task, WpTime end)
{
	return MIN(end, wp_graph_time(graph, h, wp_host_task(graph->hosts[h], task)->end));
}

static guint count_tasks(const WpGraph *graph, WpTime begin, WpTime end)
{
	guint n = 0;

	for (guint h = 0; h < graph->n_hosts; h++) {
		WpHost *host = graph->hosts[h];

		for (WpId task = 0; task < host->tasks.n; task++)
			n += life_end(graph, h, task, end) >
			     MAX(begin, wp_graph_time(graph, h, wp_host_task(host, task)->begin));
	}
	return n;
}

static void get_span(const WpGraph *graph, WpTime *begin, WpTime *end)
{
	*begin = WP_TIME_MAX;
	*end = WP_TIME_MIN;
	for (guint h = 0; h < graph->n_hosts; h++) {
		*begin = MIN(*begin, wp_graph_time(graph, h, graph->hosts[h]->begin));
		*end = MAX(*end, wp_graph_time(graph, h, graph->hosts[h]->end));
	}
}

static void test_random(gconstpointer data)
{
	WpRandomFlags flags = GPOINTER_TO_UINT(data);
	g_autoptr(GRand) random = g_rand_new_with_seed(flags);
	guint n = 0, n_deep = 0;
	guint64 n_alone = 0, n_carried = 0;

	for (guint seed = 0; seed < N_GRAPHS && !g_test_failed(); seed++) {
		g_autoptr(WpGraph) graph = wp_random_graph_new(seed, 800, flags);
		WpTime first, last;

		get_span(graph, &first, &last);
		for (guint i = 0; i < N_WINDOWS && !g_test_failed(); i++) {
			gint32 span = (gint32)(last - first);
			WpTime begin = i ? first + g_rand_int_range(random, -5, span) : first;
			WpTime end = i ? begin + g_rand_int_range(random, 1, span + 6) : last;
			g_autoptr(GError) error = NULL;
			g_autoptr(WpPrefix)
				prefix = i % 2 ? wp_prefix_compute(graph, begin, end,
								   WP_PATH_ACTIVE, NULL, &error)
					       : wp_prefix_compute_rests(graph, begin, end, NULL,
									 &error);

			g_assert_no_error(error);
			g_assert_cmpuint(prefix->n_tasks, ==, count_tasks(graph, begin, end));

			g_autoptr(GArray) waited = i % 2 ? NULL : find_all_waited(prefix);

			for (guint64 j = 0; j < prefix->n_tasks; j++, n++) {
				check_task(graph, &prefix->tasks[j], WP_PATH_ACTIVE, &n_deep);
				if (waited)
					check_waited(graph, waited, &prefix->tasks[j]);
			}
			if (i == 2)
				check_some_waited(graph, prefix, random);
			if (waited) {
				n_alone += prefix->rests->alone.n;
				n_carried += prefix->rests->n_steps;
			}
		}
	}
	g_test_message("%u windows of tasks, %u deep pieces", n, n_deep);
	if (g_test_failed())
		return;
	g_assert_cmpuint(n, >, 10000);
	g_assert_cmpuint(n_deep, >, 1000);
	/* Waits of either kind, those that concern nobody else and others. */
	g_assert_cmpuint(n_alone, >, 1000);
	g_assert_cmpuint(n_carried, >, 1000);
}

/* What a causal path consists of is the sum of that task's path, too. */
static void test_causal(void)
{
	for (guint seed = 0; seed < 50 && !g_test_failed(); seed++) {
		g_autoptr(WpGraph) graph = wp_random_graph_new(seed, 800, WP_RANDOM_CLOCKS);
		g_autoptr(GError) error = NULL;
		WpTime begin, end;

		get_span(graph, &begin, &end);
		g_autoptr(WpPrefix)
			prefix = wp_prefix_compute(graph, begin, end, WP_PATH_CAUSAL, NULL, &error);
		g_assert_no_error(error);
		g_assert_cmpuint(prefix->n_tasks, ==, count_tasks(graph, begin, end));
		for (guint64 i = 0; i < prefix->n_tasks; i++)
			check_task(graph, &prefix->tasks[i], WP_PATH_CAUSAL, NULL);
	}
}

static WpPrefix *compute(WpGraph *graph)
{
	g_autoptr(GError) error = NULL;
	WpTime begin, end;

	get_span(graph, &begin, &end);
	WpPrefix *prefix = wp_prefix_compute_rests(graph, begin, end, NULL, &error);
	g_assert_no_error(error);
	return prefix;
}

/*
 * Each task blocks on the next one, a moment after the one before it did; the last one
 * wakes its waiter, who wakes its own, and so on.
 */
static WpGraph *staircase(guint n, gboolean downwards)
{
	WpHost *host = wp_hand_host("hosta", 0, 10 * n);
	WpId *running = g_new(WpId, n);

	for (guint i = 0; i < n; i++)
		running[i] = wp_hand_vertex(host, wp_hand_task(host, "stair"), 0, WP_STATE_RUNNING);
	for (guint i = 0; i + 1 < n; i++)
		wp_hand_vertex(host, downwards ? i : n - 2 - i, 1 + i, WP_STATE_BLOCKED);
	for (guint i = n - 1; i > 0; i--) {
		WpTime time = 5 * n + 2 * (n - i);

		wp_hand_wake(host, i - 1, time, running[i]);
		running[i - 1] = wp_hand_vertex(host, i - 1, time + 1, WP_STATE_RUNNING);
	}
	g_free(running);
	return wp_hand_graph(host, NULL);
}

static guint64 steps(WpGraph *graph)
{
	g_autoptr(WpPrefix) prefix = compute(graph);

	return prefix->n_steps;
}

static void test_staircase(void)
{
	g_autoptr(WpGraph) small = staircase(20, TRUE), large = staircase(2000, TRUE);
	g_autoptr(WpPrefix) prefix = compute(small);
	guint n_deep = 0;

	for (guint64 i = 0; i < prefix->n_tasks; i++)
		check_task(small, &prefix->tasks[i], WP_PATH_ACTIVE, &n_deep);
	/* Every stair runs its own ticks; the first one waits for all others. */
	g_assert_cmpuint(n_deep, >, 100);
	g_assert_cmpint(prefix->tasks[0].others, ==, 5 * 20 + 2 * 19 - 1);
	g_assert_cmpuint(steps(large), <, 8 * 4 * 2000);
}

/* The other way round every wait begins within the one that it waits for: a chain at each begin. */
static void test_convoy(void)
{
	g_autoptr(WpGraph) small = staircase(20, FALSE), large = staircase(2000, FALSE);
	g_autoptr(WpPrefix) prefix = compute(small);

	for (guint64 i = 0; i < prefix->n_tasks; i++)
		check_task(small, &prefix->tasks[i], WP_PATH_ACTIVE, NULL);
	/* The sum of the chains' lengths, each once. */
	g_assert_cmpuint(steps(large), <, 2000 * 2000 / 2 + 8 * 4 * 2000);
}

/* Many wait all the time for one task that does many things. */
static WpGraph *herd(guint n_waiters, guint n_segments)
{
	WpHost *host = wp_hand_host("hosta", 0, 4 * n_segments + 10);
	WpId server = wp_hand_task(host, "server"), vertex;

	vertex = wp_hand_vertex(host, server, 0, WP_STATE_RUNNING);
	for (guint i = 0; i < n_waiters; i++)
		wp_hand_vertex(host, wp_hand_task(host, "waiter"), 0, WP_STATE_RUNNING);
	for (guint i = 0; i < n_waiters; i++)
		wp_hand_vertex(host, i + 1, 1, WP_STATE_BLOCKED);
	for (guint i = 0; i < n_segments; i++) {
		wp_hand_vertex(host, server, 4 * i + 2, WP_STATE_PREEMPTED);
		vertex = wp_hand_vertex(host, server, 4 * i + 4, WP_STATE_RUNNING);
	}
	for (guint i = 0; i < n_waiters; i++)
		wp_hand_wake(host, i + 1, 4 * n_segments + 2, vertex);
	return wp_hand_graph(host, NULL);
}

static void test_herd(void)
{
	g_autoptr(WpGraph) graph = herd(1000, 20000);
	g_autoptr(WpPrefix) prefix = compute(graph);

	g_assert_cmpint(prefix->tasks[1].by_state[WP_STATE_PREEMPTED], ==, 40000);
	g_assert_cmpint(prefix->tasks[1].by_state[WP_STATE_RUNNING], ==, 40002);
	g_assert_cmpint(prefix->tasks[1].others, ==, 80001);
	g_assert_cmpuint(prefix->n_steps, <, 2 * (2 * 20000 + 3 * 1000) + 8 * 1000);
}

/* Of a herd each is told whom it waited for, however many they are. */
static void test_herd_waited(void)
{
	g_autoptr(WpGraph) graph = herd(1000, 20000);
	g_autoptr(GError) error = NULL;
	WpTime begin, end;

	get_span(graph, &begin, &end);

	g_autoptr(WpPrefix) prefix = wp_prefix_compute_rests(graph, begin, end, NULL, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(prefix->tasks[0].others, ==, 0); /* the server */

	g_autoptr(GArray) waited = find_all_waited(prefix);

	g_assert_cmpuint(waited->len, ==, 1000);
	for (guint i = 1; i <= 1000; i++) {
		guint n;
		const WpWaited *line = wp_waited_find(waited, ref_of(&prefix->tasks[i]), &n);

		g_assert_cmpuint(n, ==, 1);
		g_assert_cmpint(line->time, ==, 80001);
		g_assert_cmpuint(line->holder.task, ==, 0);
	}
	/* Once for each of them, when it begins to wait, and when it ends; not for what the server did. */
	g_assert_cmpuint(prefix->rests->n_steps, <=, 4 * 2 * 1000);
}

/* Sums of so many different sets that they are put together from parts. */
static void test_followed(void)
{
	enum { N_ROWS = 60, N_FOLLOWED = 70, N_RESTS = 500000 };
	g_autoptr(GRand) random = g_rand_new_with_seed(5);
	guint32 rows[N_FOLLOWED];
	g_autofree WpTime *right = g_new0(WpTime, (gsize)N_FOLLOWED * N_ROWS);
	guint n_right = 0;
	WpTime last = WP_TIME_MAX;

	for (guint i = 0; i < N_FOLLOWED; i++)
		rows[i] = i; /* some of them are holders, too */

	g_autoptr(WpFollowed) followed = wp_followed_new(N_FOLLOWED, rows, N_FOLLOWED);

	for (guint i = 0; i < N_RESTS; i++) {
		guint64 set[2] = {(guint64)g_rand_int(random) << 32 | g_rand_int(random),
				  g_rand_int(random) % 64};
		guint32 holder = (guint32)g_rand_int_range(random, 0, N_ROWS);
		WpTime time = g_rand_int_range(random, 0, 100000);

		wp_followed_rest(followed, set, holder, time);
		for (guint j = 0; j < N_FOLLOWED; j++)
			if (set[j / 64] >> j % 64 & 1)
				right[j * N_ROWS + holder] += time;
	}

	g_autoptr(GArray) times = wp_followed_finish(followed);

	for (guint i = 0; i < times->len; i++) {
		const WpFollowedTime *time = &g_array_index(times, WpFollowedTime, i);

		g_assert_cmpint(time->time, ==, right[time->number * N_ROWS + time->holder]);
		if (i == 0 || time[-1].number != time->number)
			last = WP_TIME_MAX;
		g_assert_true(i == 0 || time[-1].number <= time->number);
		g_assert_cmpint(time->time, <=, last);
		last = time->time;
	}
	for (guint j = 0; j < N_FOLLOWED; j++)
		for (guint holder = 0; holder < N_ROWS; holder++)
			n_right += j != holder && right[j * N_ROWS + holder] > 0;
	g_assert_cmpuint(times->len, ==, n_right);
}

static void test_idle_tasks(void)
{
	g_autoptr(WpGraph) graph = wp_random_graph_new(3, 100000, WP_RANDOM_CLOCKS);
	guint64 before = steps(graph);
	WpHost *host = graph->hosts[0];

	for (guint i = 0; i < 1000; i++)
		wp_hand_vertex(host, wp_hand_task(host, "idle"), host->begin, WP_STATE_BLOCKED);
	g_assert_cmpuint(steps(graph), <, before + before / 10);
}

static void check_holder(const GArray *holders, guint i, guint32 holder, WpTime time)
{
	const WpFollowedTime *line = &g_array_index(holders, WpFollowedTime, i);

	g_assert_cmpuint(line->number, ==, 0);
	g_assert_cmpuint(line->holder, ==, holder);
	g_assert_cmpint(line->time, ==, time);
}

/*
 * Of as many rows as given the last three: a waits for c from 1 to 2, where at first it is said to
 * wait for b, and what it does from 3 to 5 is c's fault; from 6 to 7 it waits for b, from 8 to 10 and
 * from 11 to 12 for c, and nobody for it; each time is so many times `unit`.
 */
static void check_rests(guint32 n_rows, WpTime unit)
{
	const guint32 a = n_rows - 3, b = n_rows - 2, c = n_rows - 1;
	const struct {
		WpTime begin, time;
		guint32 other;
	} alone[] = {{6 * unit, unit, b}, {8 * unit, 2 * unit, c}, {11 * unit, unit, c}};
	const guint32 rows[] = {a, b};
	g_autofree guint8 *weights = g_new0(guint8, n_rows);
	g_autofree WpTime *held = g_new0(WpTime, n_rows);
	g_autoptr(GError) error = NULL;
	WpRests rests;

	g_assert_true(wp_rests_init(&rests, n_rows, -unit, 13 * unit, NULL, &error));
	g_assert_true(wp_rests_add(&rests, unit, a, b, TRUE, &error));
	g_assert_true(wp_rests_add(&rests, unit, a, c, TRUE, &error));
	g_assert_true(wp_rests_add(&rests, 2 * unit, a, WP_NONE, FALSE, &error));
	g_assert_true(wp_rests_add(&rests, 3 * unit, a, c, FALSE, &error));
	g_assert_true(wp_rests_add(&rests, 5 * unit, a, WP_NONE, FALSE, &error));
	for (guint i = 0; i < G_N_ELEMENTS(alone); i++) {
		guint32 other = alone[i].other;

		g_assert_true(wp_rests_add(&rests, alone[i].begin, a, other, TRUE, &error));
		g_assert_true(wp_rests_settle(&rests, rests.records.n - 1, a, other, alone[i].time,
					      &error));
	}
	weights[a] = 1;
	g_assert_true(wp_rests_find_held(&rests, weights, held, NULL, &error));
	g_assert_no_error(error);
	g_assert_cmpint(held[c], ==, 6 * unit);
	g_assert_cmpint(held[b], ==, unit);
	for (guint32 row = 0; row < b; row++)
		g_assert_cmpint(held[row], ==, 0);

	g_autoptr(GArray) holders = wp_rests_find_holders(&rests, rows, 2, NULL, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(holders->len, ==, 2);
	check_holder(holders, 0, c, 6 * unit);
	check_holder(holders, 1, b, unit);
	wp_rests_clear(&rests);
}

/* Records have room for short and long times, and for few and many rows. */
static void test_rests(void)
{
	for (guint bits = 0; bits < 60; bits++)
		for (guint32 n_rows = 3; n_rows <= 1u << 17; n_rows *= 6)
			check_rests(n_rows, (WpTime)1 << bits);
	/* The number of a row must differ from what stands for none. */
	for (guint32 n_rows = 3; n_rows < 70; n_rows++)
		check_rests(n_rows, 1000);
}

static WpId any(GRand *random, guint64 n)
{
	return g_rand_int_range(random, 0, 10) ? (WpId)g_rand_int_range(random, 0, (gint32)n + 1)
					       : g_rand_int(random);
}

/* Puts something wrong into a host; what task a vertex is of remains, as wp_host_check() sees to. */
static void damage(WpGraph *graph, guint h, GRand *random)
{
	WpHost *host = graph->hosts[h];

	if (!host->causes.n || !host->packets.n)
		return;
	WpVertex *v = wp_host_vertex(host, g_rand_int_range(random, 0, (gint32)host->vertices.n));
	WpCause *c = wp_host_cause(host, g_rand_int_range(random, 0, (gint32)host->causes.n));
	guint64 p = (guint64)g_rand_int_range(random, 0, (gint32)host->packets.n);
	WpPacket *packet = wp_host_packet(host, p);
	WpMatch *match = &WP_AT(&graph->joins[h].matches, WpMatch, p);
	WpTime time = host->begin + g_rand_int_range(random, 0, (gint32)(host->end - host->begin));

	switch (g_rand_int_range(random, 0, 12)) {
	case 0:
		v->clock = (guint32)time;
		v->flags &= (guint8)~WP_VERTEX_AT_BEGIN;
		break;
	case 1:
		v->state = (guint8)g_rand_int_range(random, 0, WP_STATE_N);
		break;
	case 2:
		v->cause = any(random, host->causes.n);
		break;
	case 3:
	case 4:
		c->source = any(random, host->vertices.n);
		break;
	case 5:
		c->time = time;
		break;
	case 6:
		c->kind = (guint32)g_rand_int_range(random, 0, WP_CAUSE_N) & 15;
		break;
	case 7:
		c->packet = any(random, host->packets.n);
		break;
	case 8:
		packet->time = time;
		break;
	case 9:
		packet->vertex = any(random, host->vertices.n);
		packet->parent = any(random, host->packets.n);
		break;
	case 10:
		packet->flags ^= WP_PACKET_SEND;
		break;
	default:
		match->host = any(random, graph->n_hosts);
		match->packet = any(random, host->packets.n);
		break;
	}
}

/* Nobody waited for somebody longer than it lived, whatever is in the graph. */
static void check_damaged_waited(const WpPrefix *prefix)
{
	g_autoptr(GArray) waited = find_all_waited(prefix);

	for (guint64 i = 0; i < prefix->n_tasks; i++) {
		const WpPrefixTask *task = &prefix->tasks[i];
		guint n;
		const WpWaited *lines = wp_waited_find(waited, ref_of(task), &n);

		for (guint j = 0; j < n; j++)
			g_assert_cmpint(lines[j].time, <=, prefix->end - prefix->begin);
	}
	g_assert_cmpuint(prefix->rests->n_steps, <, 100000);
}

/* Whatever is in a graph: an answer, soon, and all of each life accounted for. */
static void test_damaged(void)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(1);

	for (guint seed = 0; seed < 500; seed++) {
		g_autoptr(WpGraph) graph = wp_random_graph_new(seed, 800, seed % 8);

		for (guint i = 0; i < 2 * seed / 10; i++)
			damage(graph, i % graph->n_hosts, random);
		g_autoptr(WpPrefix) prefix = compute(graph);
		for (guint64 i = 0; i < prefix->n_tasks; i++) {
			const WpPrefixTask *task = &prefix->tasks[i];
			WpTime sum = 0;

			for (guint j = 0; j < WP_STATE_N; j++)
				sum += task->by_state[j];
			g_assert_cmpint(sum, ==, task->end - task->begin);
		}
		g_assert_cmpuint(prefix->n_steps, <, 100000);
		check_damaged_waited(prefix);
	}
}

static void test_cancel(void)
{
	g_autoptr(WpGraph) graph = wp_random_graph_new(3, 800, 0);
	g_autoptr(WpCancel) cancellable = wp_cancel_new();
	g_autoptr(GError) error = NULL;

	wp_cancel_set(cancellable);
	g_assert_null(
		wp_prefix_compute(graph, 0, WP_TIME_MAX, WP_PATH_ACTIVE, cancellable, &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_CANCELLED);
	g_clear_error(&error);
	g_assert_null(wp_prefix_compute(graph, 5, 5, WP_PATH_ACTIVE, NULL, &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_USAGE);
	g_clear_error(&error);

	/* Nothing happens before 1000000. */
	g_autoptr(WpPrefix) none = wp_prefix_compute(graph, 0, 1000, WP_PATH_ACTIVE, NULL, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(none->n_tasks, ==, 0);
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
		{"ties", WP_RANDOM_TIES},
		{"all", WP_RANDOM_CLOCKS | WP_RANDOM_TIES | WP_RANDOM_WORK},
	};

	g_test_init(&argc, &argv, NULL);
	for (guint i = 0; i < G_N_ELEMENTS(runs); i++) {
		g_autofree gchar *name = g_strconcat("/prefix/random/", runs[i].name, NULL);

		g_test_add_data_func(name, GUINT_TO_POINTER(runs[i].flags), test_random);
	}
	g_test_add_func("/prefix/causal", test_causal);
	g_test_add_func("/prefix/staircase", test_staircase);
	g_test_add_func("/prefix/convoy", test_convoy);
	g_test_add_func("/prefix/herd", test_herd);
	g_test_add_func("/prefix/herd-waited", test_herd_waited);
	g_test_add_func("/prefix/followed", test_followed);
	g_test_add_func("/prefix/idle-tasks", test_idle_tasks);
	g_test_add_func("/prefix/rests", test_rests);
	g_test_add_func("/prefix/damaged", test_damaged);
	g_test_add_func("/prefix/cancel", test_cancel);
	return g_test_run();
}
