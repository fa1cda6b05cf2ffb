/* SPDX-License-Identifier: MIT */
/*
 * test-requests.c: tasks' lives split into requests, against the definition told by
 * simpler means; what their paths consist of, against each path summed up by itself;
 * and what sets slow ones apart.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "lib/hand-graph.h"
#include "lib/random-graph.h"
#include "path/compare.h"
#include "path/reasons.h"
#include "path/requests.h"
#include "path/without.h"

static WpRequests *compute(WpGraph *graph, const WpRequestsOptions *options)
{
	g_autoptr(GError) error = NULL;
	WpRequests *requests = wp_requests_compute(graph, options, NULL, &error);

	g_assert_no_error(error);
	return requests;
}

static WpRequestsOptions options_for(WpRequestsRule rule, const WpTaskRef *tasks, guint n_tasks)
{
	return (WpRequestsOptions){.rule = rule,
				   .tasks = tasks,
				   .n_tasks = n_tasks,
				   .begin = WP_TIME_MIN,
				   .end = WP_TIME_MAX};
}

static const WpRequest *request_at(const WpRequests *requests, guint i)
{
	return &g_array_index(requests->requests, WpRequest, i);
}

/* ---------------------------------------------------------------- markers */

#define N_MARKERS 60

typedef struct {
	WpTime time;
	WpId task;
	gint64 id;
	gboolean text;
	gchar what; /* b(egin), e(nd), x: something else */
} Mark;

static void push_marker(WpHost *host, const Mark *mark)
{
	WpMarker *marker = wp_column_push(&host->markers, NULL);
	g_autofree gchar *text = g_strdup_printf("id-%d", (gint)mark->id);

	marker->time = mark->time;
	marker->task = mark->task;
	marker->has_id = mark->id >= 0;
	if (mark->id >= 0 && mark->text)
		marker->id_text = wp_strings_intern(host->strings, text);
	else
		marker->id = mark->id;
	marker->name = wp_strings_intern(host->strings, mark->what == 'b'   ? "app:begin"
							: mark->what == 'e' ? "app:end"
									    : "app:other");
}

/* Two markers, or two times. */
typedef struct {
	gint64 begin, end;
} Pair;

static gboolean belongs(const Mark *a, const Mark *b, gboolean by_id)
{
	if (by_id)
		return a->id >= 0 && a->id == b->id && a->text == b->text;
	return a->task == b->task;
}

/*
 * An end closes the latest begin that belongs to it, if there is one behind the last end
 * that belongs to it. Owned by the caller: pairs of positions.
 */
static GArray *pair_up(const Mark *marks, gboolean by_id, gboolean to_next)
{
	GArray *pairs = g_array_new(FALSE, FALSE, sizeof(Pair));

	for (guint i = 0; i < N_MARKERS; i++) {
		if (marks[i].what != (to_next ? 'b' : 'e') || (by_id && marks[i].id < 0))
			continue;
		for (guint j = i; j-- > 0;) {
			if (!belongs(&marks[j], &marks[i], by_id) || marks[j].what == 'x')
				continue;
			Pair pair = {j, i};

			if (marks[j].what == 'b')
				g_array_append_val(pairs, pair);
			if (marks[j].what == 'b' || !to_next)
				break;
		}
	}
	return pairs;
}

static void check_markers(GRand *random, gboolean by_id, gboolean to_next, guint *n_found)
{
	WpHost *host = wp_hand_host("hosta", 0, 10 * N_MARKERS);
	Mark marks[N_MARKERS];
	const WpTaskRef tasks[] = {{0, 0}, {0, 2}};

	for (guint i = 0; i < 3; i++)
		wp_hand_vertex(host, wp_hand_task(host, "task"), 0, WP_STATE_RUNNING);
	for (guint i = 0; i < N_MARKERS; i++) {
		marks[i].time = 10 * i;
		marks[i].task = (WpId)g_rand_int_range(random, 0, 3);
		marks[i].id = g_rand_int_range(random, -1, 4);
		marks[i].text = g_rand_boolean(random);
		marks[i].what = "bex"[g_rand_int_range(random, 0, 3)];
		push_marker(host, &marks[i]);
	}
	g_autoptr(WpGraph) graph = wp_hand_graph(host, NULL);
	WpRequestsOptions options = options_for(WP_REQUESTS_MARKERS, tasks, 2);
	options.from = "app:b*";
	options.to = to_next ? NULL : "app:end";
	options.by_id = by_id;
	g_autoptr(WpRequests) requests = compute(graph, &options);
	g_autoptr(GArray) pairs = pair_up(marks, by_id, to_next);
	guint n = 0;

	for (guint i = 0; i < pairs->len; i++) {
		const Pair *pair = &g_array_index(pairs, Pair, i);
		const Mark *begin = &marks[pair->begin], *end = &marks[pair->end];
		gboolean found = FALSE;

		if (end->task == 1)
			continue;
		for (guint j = 0; j < requests->requests->len; j++) {
			const WpRequest *r = request_at(requests, j);

			found |= r->begin == begin->time && r->end == end->time &&
				 r->task == end->task && r->has_id == (end->id >= 0) &&
				 (r->id_text != NULL) == (end->id >= 0 && end->text);
		}
		g_assert_true(found);
		n++;
	}
	g_assert_cmpuint(requests->requests->len, ==, n);
	*n_found += n;
}

static void test_markers(void)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(11);
	guint n_found = 0;

	for (guint i = 0; i < 400; i++)
		check_markers(random, i & 1, i & 2, &n_found);
	g_assert_cmpuint(n_found, >, 2000);
}

/* ---------------------------------------------------------------- packets */

/*
 * A host with a task that talks to two peers of another host: a move is a letter. 'S' and
 * 'T' say something to the first and second, 'H' and 'I' hear from them, 'w' and 'v'
 * hear from them after having waited, '.' waits for a timer.
 */
typedef struct {
	WpGraph *graph;
	WpHost *host, *other; /* borrowed: the graph's */
	WpId task, runs; /* its latest running segment */
	WpTime now;
	WpTime *times; /* of each move */
} Talk;

static void add_flows(WpHost *host, guint16 here, gboolean first)
{
	for (guint i = 0; i < 4; i++) {
		WpFlow *flow = i < host->flows.n ? wp_host_flow(host, i)
						 : wp_column_push(&host->flows, NULL);
		guint16 local = first ? here : (guint16)(here + i / 2);
		guint16 peer = first ? (guint16)(80 + i / 2) : 40000;

		flow->protocol = 6;
		flow->version = 4;
		flow->sport = i % 2 ? peer : local;
		flow->dport = i % 2 ? local : peer;
		flow->reverse = i ^ 1;
	}
}

static WpPacket *last_packet(WpHost *host)
{
	return wp_host_packet(host, host->packets.n - 1);
}

static void hear(Talk *talk, WpId peer, gboolean waits)
{
	WpId packet;

	if (waits) {
		wp_hand_vertex(talk->host, talk->task, talk->now, WP_STATE_NETWORK);
		talk->now += 50;
	}
	packet = wp_hand_packet(talk->graph, 1, peer, talk->now - 5, 0, talk->now);
	last_packet(talk->host)->flow = 2 * peer + 1;
	last_packet(talk->other)->flow = 2 * peer;
	if (waits) {
		WpId v = wp_host_task(talk->host, talk->task)->last;
		WpCause *cause = wp_hand_cause(talk->host, v, WP_CAUSE_PACKET, WP_NONE, talk->now);

		cause->packet = packet;
		talk->now += 3;
		wp_hand_vertex(talk->host, talk->task, talk->now, WP_STATE_RUNNABLE);
		talk->now += 4;
		talk->runs = wp_hand_vertex(talk->host, talk->task, talk->now, WP_STATE_RUNNING);
	}
}

static void say(Talk *talk, WpId peer)
{
	wp_hand_packet(talk->graph, 0, talk->runs, talk->now, 1, talk->now + 5);
	last_packet(talk->host)->flow = 2 * peer;
	last_packet(talk->other)->flow = 2 * peer + 1;
}

static void rest(Talk *talk)
{
	WpId v = wp_hand_vertex(talk->host, talk->task, talk->now, WP_STATE_TIMER);

	wp_hand_cause(talk->host, v, WP_CAUSE_TIMER, WP_NONE, talk->now + 20);
	talk->now += 20;
	talk->runs = wp_hand_vertex(talk->host, talk->task, talk->now, WP_STATE_RUNNING);
}

static void talk_free(Talk *talk)
{
	wp_graph_free(talk->graph);
	g_free(talk->times);
	g_free(talk);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Talk, talk_free)

static Talk *talk_new(const gchar *moves, gboolean serves)
{
	Talk *talk = g_new0(Talk, 1);

	talk->host = wp_hand_host("hosta", 0, 1000000);
	talk->other = wp_hand_host("hostb", 0, 1000000);
	talk->graph = wp_hand_graph(talk->host, talk->other, NULL);
	talk->task = wp_hand_task(talk->host, "talker");
	talk->runs = wp_hand_vertex(talk->host, talk->task, 0, WP_STATE_RUNNING);
	for (guint i = 0; i < 2; i++)
		wp_hand_vertex(talk->other, wp_hand_task(talk->other, "peer"), 0, WP_STATE_RUNNING);
	/* The servers have the lower ports. */
	add_flows(talk->host, serves ? 80 : 40000, !serves);
	add_flows(talk->other, serves ? 40000 : 80, serves);
	talk->times = g_new(WpTime, strlen(moves));
	talk->now = 100;
	for (guint i = 0; moves[i]; i++) {
		talk->now += 100;
		talk->times[i] = talk->now;
		switch (moves[i]) {
		case 'S':
		case 'T':
			say(talk, moves[i] == 'T');
			break;
		case 'H':
		case 'I':
			hear(talk, moves[i] == 'I', FALSE);
			break;
		case 'w':
		case 'v':
			hear(talk, moves[i] == 'v', TRUE);
			break;
		default:
			rest(talk);
			break;
		}
	}
	return talk;
}

static gboolean says(gchar move)
{
	return move == 'S' || move == 'T';
}

/* When a move is over. */
static WpTime end_of(const Talk *talk, const gchar *moves, guint i)
{
	return talk->times[i] + (moves[i] == 'w' || moves[i] == 'v' ? 57 : 0);
}

/* When a move begins to count for who answers it: a packet that is waited for comes later. */
static WpTime begin_of(const Talk *talk, const gchar *moves, guint i)
{
	return talk->times[i] + (moves[i] == 'w' || moves[i] == 'v' ? 50 : 0);
}

/*
 * Requests are matches of a regular expression over the moves: for a client asks+
 * answers+ in whatever order its peers take part, each as long as it can be.
 */
static void check_client(const gchar *moves)
{
	g_autoptr(Talk) talk = talk_new(moves, FALSE);
	const WpTaskRef task = {0, talk->task};
	WpRequestsOptions options = options_for(WP_REQUESTS_NETWORK, &task, 1);
	g_autoptr(WpRequests) requests = compute(talk->graph, &options);
	g_autoptr(GRegex) regex = g_regex_new("[ST][ST.]*[HIwv](?:[HIwv.]*[HIwv])?", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	guint n = 0;

	for (g_regex_match(regex, moves, 0, &match); g_match_info_matches(match);
	     g_match_info_next(match, NULL), n++) {
		gint first, behind;

		g_match_info_fetch_pos(match, 0, &first, &behind);
		g_assert_cmpuint(n, <, requests->requests->len);
		g_assert_cmpint(request_at(requests, n)->begin, ==, talk->times[first]);
		g_assert_cmpint(request_at(requests, n)->end, ==,
				end_of(talk, moves, (guint)behind - 1));
	}
	g_assert_cmpuint(n, ==, requests->requests->len);
}

/* The moves that concern one peer, the others as rests, which they are for it. */
static gchar *only_peer(const gchar *moves, gboolean second)
{
	gchar *own = g_strdup(moves);

	for (guint i = 0; own[i]; i++)
		if (!strchr(second ? "TIv" : "SHw", own[i]))
			own[i] = '.';
	return own;
}

static gint compare_begins(gconstpointer a, gconstpointer b)
{
	const Pair *x = a, *y = b;

	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static void check_server(const gchar *moves)
{
	g_autoptr(Talk) talk = talk_new(moves, TRUE);
	const WpTaskRef task = {0, talk->task};
	WpRequestsOptions options = options_for(WP_REQUESTS_NETWORK, &task, 1);
	g_autoptr(WpRequests) requests = compute(talk->graph, &options);
	g_autoptr(GArray) right = g_array_new(FALSE, FALSE, sizeof(Pair));
	gboolean answers = FALSE;

	for (guint peer = 0; peer < 2; peer++) {
		g_autofree gchar *own = only_peer(moves, peer);
		g_autoptr(GRegex)
			regex = g_regex_new("[HIwv][HIwv.]*[ST](?:[ST.]*[ST])?", 0, 0, NULL);
		g_autoptr(GMatchInfo) match = NULL;

		for (g_regex_match(regex, own, 0, &match); g_match_info_matches(match);
		     g_match_info_next(match, NULL)) {
			gint first, behind;

			g_match_info_fetch_pos(match, 0, &first, &behind);
			Pair pair = {begin_of(talk, own, (guint)first), talk->times[behind - 1]};
			g_array_append_val(right, pair);
		}
	}
	for (guint i = 0; moves[i]; i++)
		answers |= says(moves[i]);
	g_array_sort(right, compare_begins);
	g_assert_cmpuint(requests->requests->len, ==, right->len);
	for (guint i = 0; i < right->len; i++) {
		g_assert_cmpint(request_at(requests, i)->begin, ==,
				g_array_index(right, Pair, i).begin);
		g_assert_cmpint(request_at(requests, i)->end, ==,
				g_array_index(right, Pair, i).end);
	}
	if (!answers)
		g_assert_cmpuint(right->len, ==, 0);
}

/* One request for each peer: from its first move to the end of its last one. */
static void check_connections(const gchar *moves)
{
	g_autoptr(Talk) talk = talk_new(moves, FALSE);
	const WpTaskRef task = {0, talk->task};
	WpRequestsOptions options = options_for(WP_REQUESTS_CONNECTION, &task, 1);
	g_autoptr(WpRequests) requests = compute(talk->graph, &options);
	guint n = 0;

	for (guint peer = 0; peer < 2; peer++) {
		g_autofree gchar *own = only_peer(moves, peer);
		gboolean found = FALSE, any = FALSE;
		WpTime begin = WP_TIME_MAX, end = 0;

		for (guint i = 0; own[i]; i++) {
			/* What a task never speaks on is told by its waits alone. */
			if (own[i] == '.' || (!strpbrk(own, "ST") && strchr("HI", own[i])))
				continue;
			any = TRUE;
			begin = MIN(begin, begin_of(talk, own, i));
			end = end_of(talk, own, i);
		}
		if (!any || begin >= end)
			continue;
		for (guint i = 0; i < requests->requests->len; i++)
			found |= request_at(requests, i)->begin <= begin &&
				 request_at(requests, i)->end == end &&
				 request_at(requests, i)->flow == 2 * peer;
		g_assert_true(found);
		n++;
	}
	g_assert_cmpuint(requests->requests->len, ==, n);
}

static void test_packets(void)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(5);

	for (guint i = 0; i < 2000; i++) {
		gchar moves[25] = "";
		guint n = (guint)g_rand_int_range(random, 1, 24);

		for (guint j = 0; j < n; j++)
			moves[j] = "STHIwv.wS"[g_rand_int_range(random, 0, 9)];
		/* Hearing without waiting is known to be a task's own once it has spoken there. */
		if (!strchr(moves, 'S') || !strchr(moves, 'T'))
			continue;
		check_client(moves);
		check_server(moves);
		check_connections(moves);
	}
}

/* Handshakes, bare acknowledgements, repetitions and packets that pass through are no moves. */
static void test_no_moves(void)
{
	static const struct {
		guint8 flags, tcp_flags;
		guint32 length;
	} packets[] = {
		{WP_PACKET_SEND, 0x02, 0}, /* SYN */
		{WP_PACKET_SEND, 0x10, 0}, /* ACK */
		{WP_PACKET_SEND | WP_PACKET_RESENT, 0x18, 9}, /* again */
		{WP_PACKET_SEND | WP_PACKET_HOP, 0x18, 9}, /* passes */
		{0, 0x12, 0}, /* SYN, ACK */
		{0, 0x18, 9}, /* had before */
	};
	g_autoptr(Talk) talk = talk_new("SHTI", FALSE);
	const WpTaskRef task = {0, talk->task};
	WpRequestsOptions options = options_for(WP_REQUESTS_NETWORK, &task, 1);
	guint n;

	g_autoptr(WpRequests) before = compute(talk->graph, &options);
	for (guint i = 0; i < G_N_ELEMENTS(packets); i++) {
		WpPacket *packet = wp_column_push(&talk->host->packets, NULL);
		WpMatch *match = wp_column_push(&talk->graph->joins[0].matches, NULL);

		*packet = (WpPacket){.time = talk->now + 10 * i,
				     .flow = !(packets[i].flags & WP_PACKET_SEND),
				     .length = packets[i].length,
				     .vertex = talk->runs,
				     .parent = WP_NONE,
				     .tcp_flags = packets[i].tcp_flags,
				     .flags = packets[i].flags};
		*match = (WpMatch){WP_NONE, WP_NONE};
	}
	g_autoptr(WpRequests) after = compute(talk->graph, &options);
	n = before->requests->len;
	g_assert_cmpuint(n, ==, 2);
	g_assert_cmpuint(after->requests->len, ==, n);
	g_assert_cmpint(request_at(after, 1)->end, ==, request_at(before, 1)->end);
}

/* Who opened the connection is the client, whatever the ports are. */
static void test_who_opened(void)
{
	g_autoptr(Talk) talk = talk_new("SHS", FALSE);
	const WpTaskRef task = {0, talk->task};
	WpRequestsOptions options = options_for(WP_REQUESTS_NETWORK, &task, 1);
	WpPacket *first = wp_host_packet(talk->host, 0);

	g_autoptr(WpRequests) asked = compute(talk->graph, &options);
	g_assert_cmpuint(asked->requests->len, ==, 1);
	g_assert_cmpint(request_at(asked, 0)->begin, ==, talk->times[0]);

	*first = (WpPacket){.time = first->time,
			    .flow = 1,
			    .vertex = WP_NONE,
			    .parent = WP_NONE,
			    .tcp_flags = 0x02};
	g_autoptr(WpRequests) served = compute(talk->graph, &options);
	g_assert_cmpuint(served->requests->len, ==, 1);
	g_assert_cmpint(request_at(served, 0)->begin, ==, talk->times[1]);
	g_assert_cmpint(request_at(served, 0)->end, ==, talk->times[2]);
}

/* ---------------------------------------------------------------- what they consist of */

/* The requests of a random graph: marks at random times. */
static WpGraph *graph_with_marks(guint seed, guint n_marks)
{
	WpGraph *graph = wp_random_graph_new(seed, 600, WP_RANDOM_CLOCKS);
	g_autoptr(GRand) random = g_rand_new_with_seed(seed);

	for (guint h = 0; h < graph->n_hosts; h++) {
		WpHost *host = graph->hosts[h];

		for (guint i = 0; i < n_marks; i++) {
			Mark mark = {.id = -1, .what = "be"[g_rand_int_range(random, 0, 2)]};

			mark.time = host->begin + (host->end - host->begin) * i / n_marks;
			mark.task = (WpId)g_rand_int_range(random, 0, (gint32)host->tasks.n);
			push_marker(host, &mark);
		}
	}
	return graph;
}

static GArray *all_tasks(const WpGraph *graph)
{
	GArray *tasks = g_array_new(FALSE, FALSE, sizeof(WpTaskRef));

	for (guint h = 0; h < graph->n_hosts; h++)
		for (WpId task = 0; task < graph->hosts[h]->tasks.n; task++) {
			WpTaskRef ref = {h, task};

			g_array_append_val(tasks, ref);
		}
	return tasks;
}

static WpRequests *marked_requests(WpGraph *graph)
{
	g_autoptr(GArray) tasks = all_tasks(graph);
	WpRequestsOptions options = options_for(
		WP_REQUESTS_MARKERS, (const WpTaskRef *)(gconstpointer)tasks->data, tasks->len);

	options.from = "app:begin";
	options.to = "app:end";
	return compute(graph, &options);
}

static WpTime amount_of(const WpRequests *requests, const WpRequest *r, const WpGraph *graph,
			const WpSegment *s)
{
	WpTime time = 0;
	gchar cause[256];

	wp_segment_cause_text(graph, s, cause, sizeof(cause));
	for (guint i = 0; i < r->n_amounts; i++) {
		const WpAmount *amount = wp_request_amount(requests, r, i);
		const WpBreakdownRow *row = wp_breakdown_row(requests->breakdown, amount->row);
		const WpBreakdownGroup *group = wp_breakdown_group(requests->breakdown, row->group);

		if (row->host == s->host && row->task == s->task && group->state == s->state &&
		    g_str_equal(group->cause, cause)) {
			g_assert_cmpstr(group->host, ==, graph->hosts[s->host]->name);
			time += amount->time;
		}
	}
	return time;
}

static void check_amounts(WpGraph *graph, const WpRequests *requests, const WpRequest *r)
{
	g_autoptr(WpPath) path = wp_path_compute(graph, r->host, r->task, r->begin, r->end,
						 WP_PATH_ACTIVE, NULL, NULL);
	WpTime sum = 0;

	for (guint i = 0; i < r->n_amounts; i++)
		sum += wp_request_amount(requests, r, i)->time;
	g_assert_cmpint(sum, ==, wp_request_duration(r));
	for (guint i = 0; i < path->segments.n; i++) {
		const WpSegment *s = wp_path_segment(path, i);
		gchar cause[256], other[256];
		WpTime time = 0;

		wp_segment_cause_text(graph, s, cause, sizeof(cause));
		for (guint j = 0; j < path->segments.n; j++) {
			const WpSegment *t = wp_path_segment(path, j);

			wp_segment_cause_text(graph, t, other, sizeof(other));
			if (t->host == s->host && t->task == s->task && t->state == s->state &&
			    g_str_equal(cause, other))
				time += t->end - t->begin;
		}
		g_assert_cmpint(amount_of(requests, r, graph, s), ==, time);
	}
}

static void test_amounts(void)
{
	guint n = 0;

	for (guint seed = 0; seed < 60; seed++) {
		g_autoptr(WpGraph) graph = graph_with_marks(seed, 80);
		g_autoptr(WpRequests) requests = marked_requests(graph);

		for (guint i = 0; i < requests->requests->len; i++, n++)
			check_amounts(graph, requests, request_at(requests, i));
		g_assert_cmpuint(requests->distribution.n, ==, requests->requests->len);
	}
	g_assert_cmpuint(n, >, 500);
}

/* Requests outside of the window, or partly, are none. */
static void test_window(void)
{
	g_autoptr(Talk) talk = talk_new("SHSHSHSHSHTI", FALSE);
	const WpTaskRef task = {0, talk->task};
	WpRequestsOptions options = options_for(WP_REQUESTS_NETWORK, &task, 1);

	options.begin = talk->times[2];
	options.end = talk->times[7] - 1;
	g_autoptr(WpRequests) requests = compute(talk->graph, &options);
	g_assert_cmpuint(requests->requests->len, ==, 2);
	g_assert_cmpint(request_at(requests, 0)->begin, ==, talk->times[2]);
}

static void test_distribution(void)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(3);
	WpDistribution d;

	wp_distribution_compute(&d, NULL, 0);
	g_assert_cmpuint(d.n, ==, 0);
	for (guint n = 1; n < 300; n++) {
		g_autofree WpTime *times = g_new(WpTime, n);
		const WpTime *told[] = {&d.p50, &d.p90, &d.p99};
		const guint percent[] = {50, 90, 99};
		gdouble sum = 0;

		for (guint i = 0; i < n; i++)
			sum += (gdouble)(times[i] = g_rand_int_range(random, 0, 1000));
		wp_distribution_compute(&d, times, n);
		g_assert_cmpfloat_with_epsilon(d.mean, sum / n, 1e-9);
		for (guint k = 0; k < G_N_ELEMENTS(told); k++) {
			guint below = 0, up_to = 0;

			for (guint i = 0; i < n; i++) {
				below += times[i] < *told[k];
				up_to += times[i] <= *told[k];
			}
			g_assert_cmpuint(up_to * 100, >=, n * percent[k]);
			g_assert_cmpuint(below * 100, <, n * percent[k]);
		}
	}
}

/* ---------------------------------------------------------------- slow against fast */

static gdouble variance_within(const WpRequests *requests, WpTime split)
{
	gdouble sum[2] = {0}, squares[2] = {0};
	guint n[2] = {0};

	for (guint i = 0; i < requests->requests->len; i++) {
		gdouble time = (gdouble)wp_request_duration(request_at(requests, i));
		guint class = time > (gdouble)split;

		n[class]++;
		sum[class] += time;
		squares[class] += time * time;
	}
	return (n[0] ? squares[0] - sum[0] * sum[0] / n[0] : 0) +
	       (n[1] ? squares[1] - sum[1] * sum[1] / n[1] : 0);
}

static void test_split(void)
{
	for (guint seed = 0; seed < 40; seed++) {
		g_autoptr(WpGraph) graph = graph_with_marks(seed, 80);
		g_autoptr(WpRequests) requests = marked_requests(graph);
		WpTime split;

		if (!wp_requests_find_split(requests, &split))
			continue;
		gdouble told = variance_within(requests, split);
		for (guint i = 0; i < requests->requests->len; i++)
			g_assert_cmpfloat(told, <=,
					  variance_within(requests, wp_request_duration(request_at(
									    requests, i))) *
							  (1 + 1e-9) +
						  1e-6);
	}
}

static gdouble mean_of(const WpRequests *requests, guint32 group, gboolean slow, WpTime split,
		       gdouble *square_error)
{
	gdouble sum = 0, squares = 0;
	guint n = 0;

	for (guint i = 0; i < requests->requests->len; i++) {
		const WpRequest *r = request_at(requests, i);
		gdouble time = 0;

		if ((wp_request_duration(r) > split) != slow)
			continue;
		for (guint j = 0; j < r->n_amounts; j++) {
			const WpAmount *amount = wp_request_amount(requests, r, j);

			if (wp_breakdown_row(requests->breakdown, amount->row)->group == group)
				time += (gdouble)amount->time;
		}
		sum += time;
		squares += time * time;
		n++;
	}
	*square_error += (squares / n - (sum / n) * (sum / n)) / n;
	return sum / n;
}

/* The interval of a mean's difference is about 1.96 standard errors on either side. */
static void check_reason(const WpRequests *requests, const WpReasons *reasons,
			 const WpReason *reason, guint *n_intervals)
{
	gdouble square_error = 0;
	gdouble slow = mean_of(requests, reason->group, TRUE, reasons->split, &square_error);
	gdouble fast = mean_of(requests, reason->group, FALSE, reasons->split, &square_error);
	gdouble width = 2 * 1.96 * sqrt(square_error);

	g_assert_cmpfloat_with_epsilon(reason->slow, slow, 1e-6 * (1 + slow));
	g_assert_cmpfloat_with_epsilon(reason->fast, fast, 1e-6 * (1 + fast));
	g_assert_cmpfloat_with_epsilon(reason->difference, slow - fast, 1e-6 * (1 + slow + fast));
	g_assert_cmpfloat_with_epsilon(reason->share * reasons->difference, reason->difference,
				       1e-6 * (1 + fabs(reason->difference)));
	g_assert_cmpfloat(reason->low, <=, reason->high);
	if (reasons->n_slow < 30 || reasons->n_fast < 30)
		return;
	g_assert_cmpfloat(fabs(reason->high - reason->low - width), <=, 0.25 * width + 1e-3);
	++*n_intervals;
}

static void test_reasons(void)
{
	guint n_intervals = 0;

	for (guint seed = 0; seed < 40; seed++) {
		g_autoptr(WpGraph) graph = graph_with_marks(seed, 1500);
		g_autoptr(WpRequests) requests = marked_requests(graph);
		WpTime split = requests->distribution.p50;
		g_autoptr(WpReasons) reasons = wp_reasons_compute(requests, split);

		if (!reasons)
			continue;
		g_assert_cmpuint(reasons->n_slow + reasons->n_fast, ==, requests->requests->len);
		for (guint i = 0; i < reasons->reasons->len && i < 10; i++)
			check_reason(requests, reasons,
				     &g_array_index(reasons->reasons, WpReason, i), &n_intervals);

		/* The same again, to the last bit. */
		g_autoptr(WpReasons) again = wp_reasons_compute(requests, split);
		g_assert_cmpuint(again->reasons->len, ==, reasons->reasons->len);
		for (guint i = 0; i < reasons->reasons->len; i++) {
			const WpReason *x = &g_array_index(reasons->reasons, WpReason, i);
			const WpReason *y = &g_array_index(again->reasons, WpReason, i);

			g_assert_cmpuint(x->group, ==, y->group);
			g_assert_cmpmem(&x->low, sizeof(x->low), &y->low, sizeof(y->low));
			g_assert_cmpmem(&x->high, sizeof(x->high), &y->high, sizeof(y->high));
		}
	}
	g_assert_cmpuint(n_intervals, >, 50);
}

/* ---------------------------------------------------------------- two sides */

static void test_compare(void)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(8);

	for (guint round = 0; round < 100; round++) {
		WpTime right[2][3][3][WP_STATE_N] = {0}, sums[2] = {0};
		WpProfile *profiles[2] = {wp_profile_new(), wp_profile_new()};
		guint n = 0;

		for (guint i = 0; i < 40; i++) {
			guint side = (guint)g_rand_int_range(random, 0, 2);
			guint host = (guint)g_rand_int_range(random, 0, 3);
			guint comm = (guint)g_rand_int_range(random, 0, 3);
			guint state = (guint)g_rand_int_range(random, 0, WP_STATE_N);
			WpTime time = g_rand_int_range(random, 1, 1000);
			const gchar *names[] = {"x", "y", "z"};

			wp_profile_add(profiles[side], names[host], names[comm], state,
				       state % 2 ? "disk vda" : "", time);
			right[side][host][comm][state] += time;
			sums[side] += time;
		}
		g_autoptr(WpComparison) comparison = wp_compare(profiles[0], profiles[1]);
		for (guint i = 0; i < comparison->rows->len; i++) {
			const WpComparisonRow *row = &g_array_index(comparison->rows,
								    WpComparisonRow, i);
			guint host = (guint)(*row->host - 'x'), comm = (guint)(*row->comm - 'x');

			g_assert_cmpint(row->a, ==, right[0][host][comm][row->state]);
			g_assert_cmpint(row->b, ==, right[1][host][comm][row->state]);
			g_assert_cmpstr(row->cause, ==, row->state % 2 ? "disk vda" : "");
			if (i)
				g_assert_cmpint(ABS(row[-1].b - row[-1].a), >=,
						ABS(row->b - row->a));
		}
		for (guint i = 0; i < 3 * 3 * WP_STATE_N; i++)
			n += right[0][i / (3 * WP_STATE_N)][i / WP_STATE_N % 3][i % WP_STATE_N] ||
			     right[1][i / (3 * WP_STATE_N)][i / WP_STATE_N % 3][i % WP_STATE_N];
		g_assert_cmpuint(comparison->rows->len, ==, n);
		g_assert_cmpint(comparison->a, ==, sums[0]);
		g_assert_cmpint(comparison->b, ==, sums[1]);
		wp_profile_free(profiles[0]);
		wp_profile_free(profiles[1]);
	}
}

/* ---------------------------------------------------------------- what if */

static WpTime removed(const WpGraph *graph, const WpPath *path, const gchar *cause)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(WpCauseFilter) filter = wp_cause_filter_new(cause, &error);
	WpWithout without;

	g_assert_no_error(error);
	wp_without_compute(&without, graph, path, filter);
	g_assert_cmpint(without.removed + without.remaining, ==, path->end - path->begin);
	return without.removed;
}

static void test_without(void)
{
	WpHost *host = wp_hand_host("hosta", 0, 1000);
	WpId main_task = wp_hand_task(host, "main"), helper = wp_hand_task(host, "helper");
	WpId v;

	wp_hand_vertex(host, main_task, 0, WP_STATE_RUNNING);
	wp_hand_vertex(host, helper, 0, WP_STATE_RUNNING);
	v = wp_hand_vertex(host, main_task, 100, WP_STATE_DISK);
	wp_hand_detail(host, wp_hand_cause(host, v, WP_CAUSE_DISK, WP_NONE, 300), "vda", NULL);
	wp_hand_vertex(host, main_task, 300, WP_STATE_RUNNABLE);
	wp_hand_vertex(host, main_task, 310, WP_STATE_RUNNING);
	wp_hand_vertex(host, main_task, 400, WP_STATE_BLOCKED);
	wp_hand_vertex(host, helper, 500, WP_STATE_PREEMPTED);
	v = wp_hand_vertex(host, helper, 650, WP_STATE_RUNNING);
	wp_hand_wake(host, main_task, 800, v);
	wp_hand_vertex(host, main_task, 800, WP_STATE_RUNNING);

	g_autoptr(WpGraph) graph = wp_hand_graph(host, NULL);
	g_autoptr(WpPath)
		path = wp_path_compute(graph, 0, main_task, 0, 1000, WP_PATH_ACTIVE, NULL, NULL);
	g_autoptr(GError) error = NULL;

	g_assert_cmpint(removed(graph, path, "disk"), ==, 200);
	g_assert_cmpint(removed(graph, path, "disk:vd*"), ==, 200);
	g_assert_cmpint(removed(graph, path, "disk:vdb"), ==, 0);
	g_assert_cmpint(removed(graph, path, "disk@hosta"), ==, 200);
	g_assert_cmpint(removed(graph, path, "disk@hostb"), ==, 0);
	g_assert_cmpint(removed(graph, path, "preempted"), ==, 150);
	g_assert_cmpint(removed(graph, path, "runnable"), ==, 10);
	g_assert_cmpint(removed(graph, path, "task"), ==, 400);
	g_assert_cmpint(removed(graph, path, "task:helper"), ==, 400);
	g_assert_cmpint(removed(graph, path, "task:101"), ==, 400);
	g_assert_cmpint(removed(graph, path, "task:main"), ==, 0);
	g_assert_null(wp_cause_filter_new("disc", &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_USAGE);
}

gint main(gint argc, gchar **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/requests/markers", test_markers);
	g_test_add_func("/requests/packets", test_packets);
	g_test_add_func("/requests/no-moves", test_no_moves);
	g_test_add_func("/requests/who-opened", test_who_opened);
	g_test_add_func("/requests/amounts", test_amounts);
	g_test_add_func("/requests/window", test_window);
	g_test_add_func("/requests/distribution", test_distribution);
	g_test_add_func("/requests/split", test_split);
	g_test_add_func("/requests/reasons", test_reasons);
	g_test_add_func("/compare", test_compare);
	g_test_add_func("/without", test_without);
	return g_test_run();
}
