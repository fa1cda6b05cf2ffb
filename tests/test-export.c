/* SPDX-License-Identifier: MIT */
/*
 * test-export.c: what a report says of a graph and a path that were written down by
 * hand: words, sums, sentences, and every byte of the machine formats.
 */
#include "config.h"

#include <string.h>

#include "export/describe.h"
#include "export/format.h"
#include "export/sentence.h"
#include "export/totals.h"
#include "export/units.h"
#include "lib/hand-graph.h"

/* 2026-03-02 09:00:49.1 UTC. */
#define T0 G_GINT64_CONSTANT(1772442049100000000)
#define US WP_NS_PER_US
#define MS WP_NS_PER_MS

/* ---- units ---- */

static void test_durations(void)
{
	static const struct {
		WpTime ns;
		const gchar *text;
	} rows[] = {
		{0, "0 ns"},
		{1, "1 ns"},
		{999, "999 ns"},
		{1000, "1.00 us"},
		{1204, "1.20 us"},
		{1205, "1.21 us"}, /* half up */
		{9994, "9.99 us"},
		{9995, "10.0 us"},
		{99949, "99.9 us"},
		{99950, "100 us"},
		{999499, "999 us"},
		{999500, "1.00 ms"},
		{566 * MS, "566 ms"},
		{23568378, "23.6 ms"},
		{-23568378, "-23.6 ms"},
		{999500000, "1.00 s"},
		{83 * WP_NS_PER_S, "83.0 s"},
		{1000 * WP_NS_PER_S, "16.7 min"},
		{3600 * 24 * WP_NS_PER_S, "24.0 h"},
		{3600 * 2400 * WP_NS_PER_S, "2400 h"},
		{G_MININT64, "-2562048 h"},
	};
	WpText text;

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		g_assert_cmpstr(wp_duration_text(&text, rows[i].ns), ==, rows[i].text);
}

static void test_shares_and_counts(void)
{
	WpText text;

	g_assert_cmpstr(wp_share_text(&text, 71, 100), ==, "71.0 %");
	g_assert_cmpstr(wp_share_text(&text, 1, 3), ==, "33.3 %");
	g_assert_cmpstr(wp_share_text(&text, 5, 0), ==, "0.0 %");
	g_assert_cmpstr(wp_share_text(&text, G_MAXINT64, G_MAXINT64), ==, "100.0 %");
	g_assert_cmpstr(wp_share_words(&text, 7123, 10000), ==, "71 %");
	g_assert_cmpstr(wp_share_words(&text, 712, 10000), ==, "7.1 %");
	g_assert_cmpstr(wp_share_words(&text, 42, 10000), ==, "0.42 %");
	g_assert_cmpstr(wp_share_words(&text, 9960, 10000), ==, "99.6 %");
	g_assert_cmpstr(wp_share_words(&text, 1, 1), ==, "100 %");
	g_assert_cmpstr(wp_count_text(&text, 0), ==, "0");
	g_assert_cmpstr(wp_count_text(&text, 999), ==, "999");
	g_assert_cmpstr(wp_count_text(&text, 158681), ==, "158,681");
	g_assert_cmpstr(wp_count_text(&text, G_MAXUINT64), ==, "18,446,744,073,709,551,615");
	g_assert_cmpstr(wp_offset_text(&text, 200000), ==, "+0.000200000");
	g_assert_cmpstr(wp_offset_text(&text, -37000000001), ==, "-37.000000001");
	g_assert_cmpstr(wp_clock_text(&text, T0), ==, "09:00:49.100000000");
	g_assert_cmpstr(wp_date_text(&text, T0 + 1), ==, "2026-03-02 09:00:49.100000001");
	g_assert_cmpstr(wp_date_text(&text, -1), ==, "1969-12-31 23:59:59.999999999");
}

static void test_flows(void)
{
	WpFlow flow = {.protocol = 6, .version = 4, .sport = 5200, .dport = 59286};
	gchar text[128];

	memcpy(flow.src + 12, (guint8[]){10, 0, 0, 2}, 4);
	memcpy(flow.dst + 12, (guint8[]){10, 0, 0, 1}, 4);
	wp_flow_text(&flow, text, sizeof(text));
	g_assert_cmpstr(text, ==, "tcp 10.0.0.2:5200 > 10.0.0.1:59286");
	flow.protocol = 1;
	wp_flow_text(&flow, text, sizeof(text));
	g_assert_cmpstr(text, ==, "icmp 10.0.0.2 > 10.0.0.1");
	flow.protocol = 132;
	wp_flow_text(&flow, text, sizeof(text));
	g_assert_cmpstr(text, ==, "protocol 132 10.0.0.2 > 10.0.0.1");

	flow = (WpFlow){.protocol = 17, .version = 6, .sport = 53, .dport = 1024};
	flow.src[0] = flow.dst[0] = 0xfd;
	flow.src[15] = 2;
	flow.dst[15] = 1;
	wp_flow_text(&flow, text, sizeof(text));
	g_assert_cmpstr(text, ==, "udp [fd00::2]:53 > [fd00::1]:1024");

	flow = (WpFlow){.protocol = 6, .sk = G_GUINT64_CONSTANT(0xffff888012345678)};
	wp_flow_text(&flow, text, sizeof(text));
	g_assert_cmpstr(text, ==, "tcp socket 0xffff888012345678");
}

/* ---- a graph and a path ---- */

typedef struct {
	WpGraph *graph; /* owned */
	WpPath *path; /* owned */
} Fixture;

static WpPath *new_path(guint host, WpId task)
{
	WpPath *path = g_new0(WpPath, 1);

	path->host = host;
	path->task = task;
	path->mode = WP_PATH_ACTIVE;
	path->begin = path->end = T0;
	wp_segments_init(&path->segments, NULL);
	return path;
}

static WpSegment *add_segment(WpPath *path, guint host, WpId task, WpTime time, WpState state,
			      guint depth, WpId cause)
{
	WpSegment s = {.begin = path->end,
		       .end = path->end + time,
		       .host = host,
		       .task = task,
		       .vertex = WP_NONE,
		       .cause = cause,
		       .cpu = G_MAXUINT16,
		       .depth = (guint16)depth,
		       .state = (guint8)state};

	path->end = s.end;
	g_assert_true(wp_segments_add(&path->segments, &s, NULL));
	return wp_path_segment(path, path->segments.n - 1);
}

static void fixture_clear(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	wp_path_free(f->path);
	wp_graph_free(f->graph);
}

static WpId intern(WpHost *host, const gchar *text)
{
	return wp_strings_intern(host->strings, text);
}

/*
 * The call that the documentation of the machine format shows: a client computes for 200 us and
 * waits 700 us for a server, whose answer takes 300 us of that.
 */
static void setup_call(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	WpHost *a = wp_hand_host("hosta", T0, T0 + MS), *b = wp_hand_host("hostb", T0, T0 + MS);
	WpId client = wp_hand_task(a, "client"), server = wp_hand_task(b, "server"), wait, packet;
	WpFlow *flow = wp_host_flow(a, 0);
	WpSegment *s;

	wp_host_task(a, client)->tid = wp_host_task(a, client)->pid = 183;
	wp_host_task(b, server)->tid = wp_host_task(b, server)->pid = 201;
	*flow = (WpFlow){.protocol = 6, .version = 4, .sport = 5200, .dport = 59286};
	flow->reverse = WP_NONE;
	memcpy(flow->src + 12, (guint8[]){10, 0, 0, 2}, 4);
	memcpy(flow->dst + 12, (guint8[]){10, 0, 0, 1}, 4);
	wp_hand_vertex(a, client, T0, WP_STATE_RUNNING);
	wait = wp_hand_vertex(a, client, T0 + 200 * US, WP_STATE_NETWORK);
	wp_hand_vertex(b, server, T0, WP_STATE_RUNNING);
	f->graph = wp_hand_graph(a, b, NULL);
	packet = wp_hand_packet(f->graph, 1, 0, T0 + 600 * US, 0, T0 + 900 * US);
	wp_host_packet(a, packet)->length = 64;
	wp_hand_cause(a, wait, WP_CAUSE_PACKET, WP_NONE, T0 + 900 * US)->packet = packet;

	f->path = new_path(0, client);
	add_segment(f->path, 0, client, 200 * US, WP_STATE_RUNNING, 0, WP_NONE)->cpu = 0;
	add_segment(f->path, 1, server, 400 * US, WP_STATE_RUNNING, 1, WP_NONE)->cpu = 1;
	s = add_segment(f->path, 0, client, 300 * US, WP_STATE_NETWORK, 0, 0);
	s->part = WP_PART_WIRE;
	s->clock_error = 205000;
	f->path->max_clock_error = 205000;
}

static gchar *write_path(Fixture *f, const gchar *format, const WpFindings *findings)
{
	g_autoptr(WpTotals) totals = wp_totals_new(f->path, f->graph);
	WpQuality quality;
	WpPathReport report = {.graph = f->graph,
			       .path = f->path,
			       .totals = totals,
			       .quality = &quality,
			       .findings = findings};
	WpTextStyle style = {0};
	GString *text = g_string_new(NULL);
	g_autoptr(WpOut) out = wp_out_new_string(text);

	wp_quality_compute(&quality, f->path, f->graph);
	wp_format_find(format)->path(out, &report, &style);
	g_assert_true(wp_out_finish(out, NULL));
	return g_string_free(text, FALSE);
}

static void test_json(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	g_autoptr(WpFindings) findings = wp_findings_new();

	wp_findings_add(findings, "made-up", WP_SEVERITY_WARNING, "hostb", T0, 3, "Not so.");

	g_autofree gchar *text = write_path(f, "json", findings);

	g_assert_cmpstr(
		text, ==,
		"{\n"
		"  \"schema\": \"waitpath-path/1\",\n"
		"  \"task\": {\"host\": \"hosta\", \"tid\": 183, \"pid\": 183, \"comm\": "
		"\"client\"},\n"
		"  \"mode\": \"active\",\n"
		"  \"reference\": \"hosta\",\n"
		"  \"window\": {\"begin\": 1772442049100000000, \"end\": 1772442049100900000},\n"
		"  \"segments\": [\n"
		"    {\"host\": \"hosta\", \"tid\": 183, \"comm\": \"client\", \"cpu\": 0, "
		"\"begin\": 1772442049100000000, \"end\": 1772442049100200000, \"state\": "
		"\"running\", \"depth\": 0},\n"
		"    {\"host\": \"hostb\", \"tid\": 201, \"comm\": \"server\", \"cpu\": 1, "
		"\"begin\": 1772442049100200000, \"end\": 1772442049100600000, \"state\": "
		"\"running\", \"depth\": 1},\n"
		"    {\"host\": \"hosta\", \"tid\": 183, \"comm\": \"client\", \"begin\": "
		"1772442049100600000, \"end\": 1772442049100900000, \"state\": \"network\", "
		"\"depth\": 0, \"cause\": {\"kind\": \"packet\", \"from\": {\"host\": \"hostb\", "
		"\"tid\": 201, \"comm\": \"server\"}, \"flow\": \"tcp 10.0.0.2:5200 > "
		"10.0.0.1:59286\", \"bytes\": 64, \"part\": \"wire\", \"clock_error\": 205000}}\n"
		"  ],\n"
		"  \"totals\": {\n"
		"    \"by_state\": {\"running\": 600000, \"network\": 300000},\n"
		"    \"by_task\": [\n"
		"      {\"host\": \"hosta\", \"tid\": 183, \"comm\": \"client\", \"time\": 500000, "
		"\"share\": 0.5555555555555556, \"by_state\": {\"network\": 300000, \"running\": "
		"200000}},\n"
		"      {\"host\": \"hostb\", \"tid\": 201, \"comm\": \"server\", \"time\": 400000, "
		"\"share\": 0.4444444444444444, \"by_state\": {\"running\": 400000}}\n"
		"    ],\n"
		"    \"by_host\": {\"hosta\": 500000, \"hostb\": 400000}\n"
		"  },\n"
		"  \"quality\": {\n"
		"    \"lost_events\": 0,\n"
		"    \"lost_ns\": 0,\n"
		"    \"unknown_ns\": 0,\n"
		"    \"path_in_lost\": 0,\n"
		"    \"below_clock_error_ns\": 0,\n"
		"    \"missing_wakeups\": 0,\n"
		"    \"max_clock_error\": 205000,\n"
		"    \"findings\": [\n"
		"      {\"code\": \"made-up\", \"severity\": \"warning\", \"host\": \"hostb\", "
		"\"text\": \"Not so.\", \"count\": 3}\n"
		"    ]\n"
		"  }\n"
		"}\n");
}

static void test_csv(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	g_autoptr(WpFindings) findings = wp_findings_new();
	WpTask *server = wp_host_task(f->graph->hosts[1], 0);

	server->comm = intern(f->graph->hosts[1], "a,\"b\"");

	g_autofree gchar *text = write_path(f, "csv", findings);

	g_assert_cmpstr(
		text, ==,
		"begin,end,duration,host,tid,comm,cpu,state,depth,cause,cause_name,from_host,"
		"from_tid,from_comm,flow,part,clock_error,syscall\r\n"
		"1772442049100000000,1772442049100200000,200000,hosta,183,client,0,running,0,,,,,,"
		",,,\r\n"
		"1772442049100200000,1772442049100600000,400000,hostb,201,\"a,\"\"b\"\"\",1,"
		"running,1,,,,,,,,,\r\n"
		"1772442049100600000,1772442049100900000,300000,hosta,183,client,,network,0,packet,"
		",hostb,201,\"a,\"\"b\"\"\",tcp 10.0.0.2:5200 > 10.0.0.1:59286,wire,205000,\r\n");
}

static void test_folded(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	g_autoptr(WpFindings) findings = wp_findings_new();
	g_autofree gchar *text = NULL;

	/* A second call: its times are added to the first one's. */
	add_segment(f->path, 1, 0, 50 * US, WP_STATE_RUNNING, 1, WP_NONE);
	add_segment(f->path, 0, 0, 10 * US, WP_STATE_RUNNING, 0, WP_NONE);
	wp_host_task(f->graph->hosts[1], 0)->comm = intern(f->graph->hosts[1], "a;b");
	text = write_path(f, "folded", findings);
	g_assert_cmpstr(text, ==,
			"client@hosta;a:b@hostb;running 450000\n"
			"client@hosta;network 300000\n"
			"client@hosta;running 210000\n");
}

/* ---- totals and quality ---- */

static void test_quality(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	WpHost *a = f->graph->hosts[0];
	static const struct {
		WpTime begin, end;
		guint32 cpu;
	} losses[] = {
		/* Of CPU 0: 50 to 150 us, in pieces that overlap; of CPU 1: another 100 us. */
		{50, 100, 0}, {90, 150, 0}, {140, 145, 0}, {120, 220, 1}, {5000, 6000, 0},
	};
	WpQuality quality;

	for (guint i = 0; i < G_N_ELEMENTS(losses); i++) {
		WpLoss *loss = wp_column_push(&a->losses, NULL);

		*loss = (WpLoss){T0 + losses[i].begin * US, T0 + losses[i].end * US, 1,
				 losses[i].cpu};
	}
	a->n_lost = 5;
	a->n_missing_wakeups = 2;
	wp_path_segment(f->path, 0)->flags = WP_SEGMENT_LOST;
	wp_path_segment(f->path, 2)->flags = WP_SEGMENT_BELOW_ERROR;
	add_segment(f->path, 0, 0, 7 * US, WP_STATE_LOST, 0, WP_NONE);
	add_segment(f->path, 0, 0, 8 * US, WP_STATE_UNKNOWN, 0, WP_NONE);
	wp_quality_compute(&quality, f->path, f->graph);
	g_assert_cmpuint(quality.lost_events, ==, 5);
	g_assert_cmpuint(quality.missing_wakeups, ==, 2);
	g_assert_cmpint(quality.lost_ns, ==, 170 * US); /* 50 to 220 */
	g_assert_cmpint(quality.path_in_lost, ==, 107 * US); /* CPU 0 alone, and what is lost */
	g_assert_cmpint(quality.unknown_ns, ==, 8 * US);
	g_assert_cmpint(quality.below_clock_error_ns, ==, 300 * US);
	g_assert_cmpint(quality.max_clock_error, ==, 205000);
}

static void test_weak(void)
{
	WpTotals totals = {.time = 1000};
	WpQuality quality = {.below_clock_error_ns = 20};

	totals.by_state[WP_STATE_LOST] = 30;
	g_assert_false(wp_quality_is_weak(&quality, &totals, FALSE)); /* just 5 % */
	g_assert_true(wp_quality_is_weak(&quality, &totals, TRUE));
	totals.by_state[WP_STATE_LOST] = 31;
	g_assert_true(wp_quality_is_weak(&quality, &totals, FALSE));
	totals.by_state[WP_STATE_LOST] = quality.below_clock_error_ns = 0;
	g_assert_false(wp_quality_is_weak(&quality, &totals, TRUE));
}

static void test_totals_order(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	g_autoptr(WpTotals) totals = wp_totals_new(f->path, f->graph);
	WpState order[WP_STATE_N];
	guint n;
	g_autofree guint *hosts = wp_totals_hosts_by_time(totals, &n);
	g_autoptr(GPtrArray) tasks = wp_totals_tasks_by_time(totals);

	g_assert_cmpint(totals->time, ==, 900 * US);
	g_assert_cmpuint(tasks->len, ==, 2);
	g_assert_cmpuint(((const WpTaskTotal *)tasks->pdata[0])->host, ==, 0);
	g_assert_cmpuint(n, ==, 2);
	g_assert_cmpuint(hosts[0], ==, 0);
	g_assert_cmpuint(wp_states_by_time(totals->by_state, order), ==, 2);
	g_assert_cmpuint(order[0], ==, WP_STATE_RUNNING);
	g_assert_cmpuint(order[1], ==, WP_STATE_NETWORK);
}

/* ---- who had the CPU ---- */

/*
 * A task waits from 10 to 20 ms for CPU 0, on which one (8 to 14), another (14 to 16, of which
 * an interrupt took the end) and nobody (16 to 20) run.
 */
static void test_preemptors(void)
{
	WpHost *host = wp_hand_host("hosta", T0, T0 + 100 * MS);
	WpId victim = wp_hand_task(host, "victim"), one = wp_hand_task(host, "one");
	WpId two = wp_hand_task(host, "two");
	WpCauseInfo info;
	Fixture f;

	wp_hand_vertex(host, one, T0 + 8 * MS, WP_STATE_RUNNING);
	wp_hand_vertex(host, victim, T0 + 10 * MS, WP_STATE_RUNNABLE);
	wp_hand_vertex(host, one, T0 + 14 * MS, WP_STATE_BLOCKED);
	wp_hand_vertex(host, two, T0 + 14 * MS, WP_STATE_RUNNING);
	wp_hand_vertex(host, two, T0 + 15 * MS, WP_STATE_IRQ);
	wp_hand_vertex(host, two, T0 + 16 * MS, WP_STATE_BLOCKED);
	wp_hand_vertex(host, victim, T0 + 20 * MS, WP_STATE_RUNNING);
	f.graph = wp_hand_graph(host, NULL);
	f.path = new_path(0, victim);
	add_segment(f.path, 0, victim, 10 * MS, WP_STATE_RUNNING, 0, WP_NONE);
	add_segment(f.path, 0, victim, 10 * MS, WP_STATE_RUNNABLE, 0, WP_NONE);

	wp_cause_info_init(&info);
	wp_cause_info_fill(&info, f.graph, wp_path_segment(f.path, 1));
	g_assert_cmpuint(info.kind, ==, WP_CAUSE_PREEMPTOR);
	g_assert_cmpuint(info.cpu, ==, 0);
	g_assert_cmpuint(info.preemptors->len, ==, 2);
	g_assert_cmpuint(g_array_index(info.preemptors, WpPreemptor, 0).task, ==, one);
	g_assert_cmpint(g_array_index(info.preemptors, WpPreemptor, 0).time, ==, 4 * MS);
	g_assert_cmpuint(g_array_index(info.preemptors, WpPreemptor, 1).task, ==, two);
	g_assert_cmpint(g_array_index(info.preemptors, WpPreemptor, 1).time, ==, 2 * MS);
	g_assert_cmpint(info.idle, ==, 4 * MS);
	g_assert_cmpint(info.unseen, ==, 0);

	g_autofree gchar *text = wp_cause_info_dup_text(&info, f.graph, wp_path_segment(f.path, 1));

	g_assert_cmpstr(text, ==, "CPU 0: one (101) 4.00 ms, two (102) 2.00 ms, idle 4.00 ms");
	wp_cause_info_clear(&info);
	fixture_clear(&f, NULL);
}

/* ---- sentences ---- */

static void assert_sentence(Fixture *f, const gchar *expected)
{
	g_autoptr(WpTotals) totals = wp_totals_new(f->path, f->graph);
	g_autofree gchar *sentence = wp_path_dup_sentence(f->path, f->graph, totals);

	g_assert_cmpstr(sentence, ==, expected);
}

/* Three hosts, each with a task. */
static void setup_tiers(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	static const gchar *const names[][2] = {
		{"hosta", "client"}, {"hostb", "front"}, {"hostc", "back"}};
	WpHost *hosts[3];

	for (guint i = 0; i < 3; i++) {
		hosts[i] = wp_hand_host(names[i][0], T0, T0 + WP_NS_PER_S);
		wp_hand_task(hosts[i], names[i][1]);
	}
	f->graph = wp_hand_graph(hosts[0], hosts[1], hosts[2], NULL);
	f->path = new_path(0, 0);
}

static void test_sentence_other_host(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	add_segment(f->path, 0, 0, 34 * MS, WP_STATE_RUNNING, 0, WP_NONE);
	add_segment(f->path, 1, 0, 79 * MS, WP_STATE_RUNNING, 1, WP_NONE);
	add_segment(f->path, 2, 0, 402 * MS, WP_STATE_RUNNING, 2, WP_NONE);
	add_segment(f->path, 0, 0, 51 * MS, WP_STATE_NETWORK, 0, WP_NONE);
	assert_sentence(f, "client spent 71 % of 566 ms waiting for back@hostc, which was running "
			   "for 402 ms; then front@hostb (14 %) and the network (9.0 %).");
}

/* One host: a task, a disk, a timer, a peer that is not traced, tasks of one name. */
static void setup_one(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	WpHost *host = wp_hand_host("hosta", T0, T0 + WP_NS_PER_S);

	wp_hand_task(host, "victim");
	for (guint i = 0; i < 3; i++)
		wp_hand_task(host, "worker");
	f->graph = wp_hand_graph(host, NULL);
	f->path = new_path(0, 0);
}

static WpId add_cause(Fixture *f, WpCauseKind kind, const gchar *name, const gchar *syscall)
{
	WpHost *host = f->graph->hosts[0];
	WpCause *cause = wp_column_push(&host->causes, NULL);

	*cause = (WpCause){.kind = kind};
	cause->source = WP_NONE;
	wp_hand_detail(host, cause, name, syscall);
	return (WpId)(host->causes.n - 1);
}

static void test_sentence_own_cpu(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	add_segment(f->path, 0, 0, 96 * MS, WP_STATE_RUNNING, 0, WP_NONE);
	add_segment(f->path, 0, 0, 1 * MS, WP_STATE_IRQ, 0, WP_NONE);
	add_segment(f->path, 0, 0, 3 * MS, WP_STATE_TIMER, 0, WP_NONE);
	assert_sentence(f, "victim spent 97 % of 100 ms running itself.");
	add_segment(f->path, 0, 0, 20 * MS, WP_STATE_SOFTIRQ, 0, WP_NONE);
	assert_sentence(f, "victim spent 98 % of 120 ms on a CPU itself, 21.0 ms of it taken by "
			   "interrupts.");
}

static void test_sentence_disk(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	WpId vda = add_cause(f, WP_CAUSE_DISK, "vda", NULL);
	WpId vdb = add_cause(f, WP_CAUSE_DISK, "vdb", NULL);

	add_segment(f->path, 0, 0, 30 * MS, WP_STATE_DISK, 0, vda);
	add_segment(f->path, 0, 0, 10 * MS, WP_STATE_RUNNING, 0, WP_NONE);
	assert_sentence(f,
			"victim spent 75 % of 40.0 ms waiting for the disk vda; then its own CPU "
			"time (25 %).");
	add_segment(f->path, 0, 0, 10 * MS, WP_STATE_DISK, 0, vdb);
	assert_sentence(f, "victim spent 80 % of 50.0 ms waiting for a disk, 30.0 ms of it for the "
			   "disk vda; then its own CPU time (20 %).");
}

static void test_sentence_timer(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	WpId nap = add_cause(f, WP_CAUSE_TIMER, "hrtimer_wakeup", "clock_nanosleep");

	add_segment(f->path, 0, 0, 40 * MS, WP_STATE_TIMER, 0, nap);
	assert_sentence(f, "victim spent 100 % of 40.0 ms asleep until a timer in "
			   "clock_nanosleep().");
}

static void test_sentence_untraced_peer(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	WpHost *host = f->graph->hosts[0];
	WpFlow *flow = wp_host_flow(host, 0);
	WpId packet = wp_hand_packet(f->graph, 0, WP_NONE, T0, 0, T0 + MS);
	WpId cause = add_cause(f, WP_CAUSE_PACKET, NULL, NULL);

	*flow = (WpFlow){.protocol = 6, .version = 4, .sport = 443, .dport = 40000};
	flow->reverse = WP_NONE;
	memcpy(flow->src + 12, (guint8[]){93, 184, 216, 34}, 4);
	WP_AT(&f->graph->joins[0].matches, WpMatch, packet) = (WpMatch){WP_NONE, WP_NONE};
	wp_host_cause(host, cause)->packet = packet;
	add_segment(f->path, 0, 0, 40 * MS, WP_STATE_NETWORK, 0, cause);
	assert_sentence(f,
			"victim spent 100 % of 40.0 ms waiting for 93.184.216.34:443, whose host "
			"is not traced.");

	/* An address of the host itself is not a peer that is not traced. */
	memcpy(wp_column_push(&host->addresses, NULL), flow->src, 16);
	assert_sentence(f, "victim spent 100 % of 40.0 ms waiting for packets from hosta.");
}

static void test_sentence_cpu_wait(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	WpHost *host = f->graph->hosts[0];

	wp_hand_vertex(host, 1, T0, WP_STATE_RUNNING);
	wp_hand_vertex(host, 0, T0, WP_STATE_PREEMPTED);
	wp_hand_vertex(host, 1, T0 + 26 * MS, WP_STATE_BLOCKED);
	wp_hand_vertex(host, 0, T0 + 30 * MS, WP_STATE_RUNNING);
	add_segment(f->path, 0, 0, 30 * MS, WP_STATE_PREEMPTED, 0, WP_NONE);
	add_segment(f->path, 0, 0, 10 * MS, WP_STATE_RUNNING, 0, WP_NONE);
	assert_sentence(f, "victim spent 75 % of 40.0 ms waiting for a CPU, which worker (101) had "
			   "for 26.0 ms; then its own CPU time (25 %).");
}

static void test_sentence_many(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	for (WpId i = 1; i <= 3; i++)
		add_segment(f->path, 0, i, 20 * MS, WP_STATE_DISK, 1, WP_NONE);
	add_segment(f->path, 0, 0, 40 * MS, WP_STATE_BLOCKED, 0, WP_NONE);
	assert_sentence(f, "victim spent 60 % of 100 ms waiting for 3 tasks called worker, which "
			   "waited 60.0 ms for a disk; then unexplained waits (40 %).");
}

static void test_sentence_unknown_and_lost(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	add_segment(f->path, 0, 0, 60 * MS, WP_STATE_UNKNOWN, 0, WP_NONE);
	add_segment(f->path, 0, 0, 40 * MS, WP_STATE_LOST, 0, WP_NONE);
	assert_sentence(f, "victim spent 60 % of 100 ms in a state that the trace does not tell; "
			   "then lost events (40 %).");
}

static void test_sentence_grace_period(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	WpId rcu = add_cause(f, WP_CAUSE_SOFTIRQ, "RCU", NULL);

	add_segment(f->path, 0, 0, 10 * MS, WP_STATE_BLOCKED, 0, rcu);
	assert_sentence(f, "victim spent 100 % of 10.0 ms blocked until the softirq RCU.");
}

#define ADD_FIXTURE(path, setup, test) g_test_add(path, Fixture, NULL, setup, test, fixture_clear)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/export/durations", test_durations);
	g_test_add_func("/export/shares-and-counts", test_shares_and_counts);
	g_test_add_func("/export/flows", test_flows);
	ADD_FIXTURE("/export/json", setup_call, test_json);
	ADD_FIXTURE("/export/csv", setup_call, test_csv);
	ADD_FIXTURE("/export/folded", setup_call, test_folded);
	ADD_FIXTURE("/export/quality", setup_call, test_quality);
	ADD_FIXTURE("/export/totals-order", setup_call, test_totals_order);
	g_test_add_func("/export/weak", test_weak);
	g_test_add_func("/export/preemptors", test_preemptors);
	ADD_FIXTURE("/export/sentence/other-host", setup_tiers, test_sentence_other_host);
	ADD_FIXTURE("/export/sentence/own-cpu", setup_one, test_sentence_own_cpu);
	ADD_FIXTURE("/export/sentence/disk", setup_one, test_sentence_disk);
	ADD_FIXTURE("/export/sentence/timer", setup_one, test_sentence_timer);
	ADD_FIXTURE("/export/sentence/untraced-peer", setup_one, test_sentence_untraced_peer);
	ADD_FIXTURE("/export/sentence/cpu-wait", setup_one, test_sentence_cpu_wait);
	ADD_FIXTURE("/export/sentence/many", setup_one, test_sentence_many);
	ADD_FIXTURE("/export/sentence/unknown-and-lost", setup_one, test_sentence_unknown_and_lost);
	ADD_FIXTURE("/export/sentence/grace-period", setup_one, test_sentence_grace_period);
	return g_test_run();
}
