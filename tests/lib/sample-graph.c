/* SPDX-License-Identifier: MIT */
/* sample-graph.c: the execution of sample-graph.h, written out by hand. */
#include "config.h"

#include "tests/lib/sample-graph.h"

const WpSamplePiece wp_sample_path[] = {
	{0, 10, SAMPLE_HOSTA, SAMPLE_CLIENT, WP_STATE_RUNNING, 0},
	{10, 12, SAMPLE_HOSTB, 0, WP_STATE_NETWORK, 1},
	{12, 20, SAMPLE_HOSTB, 0, WP_STATE_RUNNING, 1},
	{20, 22, SAMPLE_HOSTC, 0, WP_STATE_NETWORK, 2},
	{22, 78, SAMPLE_HOSTC, 0, WP_STATE_RUNNING, 2},
	{78, 80, SAMPLE_HOSTB, 0, WP_STATE_NETWORK, 1},
	{80, 88, SAMPLE_HOSTB, 0, WP_STATE_RUNNING, 1},
	{88, 90, SAMPLE_HOSTA, SAMPLE_CLIENT, WP_STATE_NETWORK, 0},
	{90, 91, SAMPLE_HOSTA, SAMPLE_CLIENT, WP_STATE_RUNNABLE, 0},
	{91, 100, SAMPLE_HOSTA, SAMPLE_CLIENT, WP_STATE_RUNNING, 0},
};
const guint wp_sample_path_n = G_N_ELEMENTS(wp_sample_path);

static gpointer push(WpColumn *column)
{
	gpointer element = wp_column_push(column, NULL);

	g_assert_nonnull(element);
	return element;
}

static WpHost *host_new(const gchar *name, guint n_cpus, WpTime begin, WpTime end)
{
	WpHost *host = wp_host_new(name, NULL);

	host->begin = begin;
	host->end = end;
	host->has_waking = host->has_packets = host->has_softirqs = host->has_timers = TRUE;
	for (guint cpu = 0; cpu < n_cpus; cpu++)
		*(guint32 *)push(&host->cpus) = cpu;
	return host;
}

static WpId add_task(WpHost *host, const gchar *comm, gint32 tid, gint32 pid, WpTaskKind kind)
{
	WpId id = (WpId)host->tasks.n;
	WpTask *task = push(&host->tasks);

	*task = (WpTask){.tid = tid,
			 .pid = pid,
			 .ppid = -1,
			 .comm = wp_strings_intern(host->strings, comm),
			 .renamed = WP_NONE,
			 .parent = WP_NONE,
			 .first = WP_NONE,
			 .last = WP_NONE,
			 .begin = host->begin,
			 .end = host->end,
			 .kind = (guint8)kind};
	return id;
}

static WpId add_vertex(WpHost *host, WpTime time, WpId task, WpState state, guint16 cpu)
{
	WpTask *t = wp_host_task(host, task);
	g_autoptr(GError) error = NULL;

	wp_host_add_vertex(
		host, t, time,
		(WpVertex){.task = task, .cause = WP_NONE, .cpu = cpu, .state = (guint8)state},
		&error);
	g_assert_no_error(error);
	host->n_events++;
	return t->last;
}

static void add_cause(WpHost *host, WpId waiting, WpCause cause)
{
	wp_host_vertex(host, waiting)->cause = (WpId)host->causes.n;
	/* Without names: all have the same detail. */
	cause.detail = wp_host_add_detail(host, &(WpCauseDetail){.name = 0}, NULL) & 0xffffff;
	*(WpCause *)push(&host->causes) = cause;
}

static WpCause cause_task(WpTime time, WpId source)
{
	return (WpCause){.time = time, .source = source, .kind = WP_CAUSE_TASK};
}

static WpCause cause_packet(WpTime time, WpId packet)
{
	return (WpCause){.time = time, .packet = packet, .kind = WP_CAUSE_PACKET};
}

/* A flow of tcp between 10.0.0.(a+1) and 10.0.0.(b+1). */
static WpId add_flow(WpHost *host, guint a, guint b, guint16 sport, guint16 dport)
{
	WpId id = (WpId)host->flows.n;
	WpFlow *flow = push(&host->flows);

	*flow = (WpFlow){
		.sport = sport, .dport = dport, .protocol = 6, .version = 4, .reverse = WP_NONE};
	flow->src[10] = flow->src[11] = flow->dst[10] = flow->dst[11] = 0xff;
	flow->src[12] = flow->dst[12] = 10;
	flow->src[15] = (guint8)(a + 1);
	flow->dst[15] = (guint8)(b + 1);
	return id;
}

static WpId add_packet(WpHost *host, WpTime time, WpId flow, WpId sender)
{
	WpId id = (WpId)host->packets.n;
	WpPacket *packet = push(&host->packets);

	*packet = (WpPacket){.time = time,
			     .flow = flow,
			     .length = 64,
			     .vertex = sender,
			     .parent = WP_NONE,
			     .flags = sender == WP_NONE ? WP_PACKET_NEXT : WP_PACKET_SEND};
	return id;
}

static void match(WpGraph *graph, guint host, WpId packet, guint from, WpId sent)
{
	WpColumn *matches = &graph->joins[host].matches;

	while (matches->n <= packet)
		*(WpMatch *)push(matches) = (WpMatch){WP_NONE, WP_NONE};
	WP_AT(matches, WpMatch, packet) = (WpMatch){from, sent};
}

/* The daemon, the pool and the kernel thread of hosta: all wait at first. */
static WpId add_bystanders(WpHost *host)
{
	WpId worker;

	add_vertex(host, SAMPLE_AT(0), SAMPLE_DAEMON, WP_STATE_BLOCKED, G_MAXUINT16);
	add_vertex(host, SAMPLE_AT(0), SAMPLE_POOL, WP_STATE_BLOCKED, G_MAXUINT16);
	worker = add_vertex(host, SAMPLE_AT(0), SAMPLE_POOL_WORKER, WP_STATE_BLOCKED, G_MAXUINT16);
	add_vertex(host, SAMPLE_AT(0), SAMPLE_POOL_IDLE, WP_STATE_BLOCKED, G_MAXUINT16);
	add_vertex(host, SAMPLE_AT(0), SAMPLE_KWORKER, WP_STATE_BLOCKED, G_MAXUINT16);
	return worker;
}

/* The kernel thread wakes the worker, and both have run. */
static void run_worker(WpHost *host, WpId waiting)
{
	WpId work = add_vertex(host, SAMPLE_AT(30), SAMPLE_KWORKER, WP_STATE_RUNNING, 1);

	add_cause(host, waiting, cause_task(SAMPLE_AT(32), work));
	add_vertex(host, SAMPLE_AT(32), SAMPLE_POOL_WORKER, WP_STATE_RUNNABLE, 1);
	add_vertex(host, SAMPLE_AT(34), SAMPLE_KWORKER, WP_STATE_BLOCKED, G_MAXUINT16);
	add_vertex(host, SAMPLE_AT(34), SAMPLE_POOL_WORKER, WP_STATE_RUNNING, 1);
	add_vertex(host, SAMPLE_AT(40), SAMPLE_POOL_WORKER, WP_STATE_IRQ, 1);
	add_vertex(host, SAMPLE_AT(41), SAMPLE_POOL_WORKER, WP_STATE_RUNNING, 1);
	add_vertex(host, SAMPLE_AT(50), SAMPLE_POOL_WORKER, WP_STATE_BLOCKED, G_MAXUINT16);
}

static WpHost *make_hosta(void)
{
	WpHost *host = host_new("hosta", 2, SAMPLE_AT(0), SAMPLE_AT(100));
	WpId request, reply, run, waiting, worker;

	add_task(host, "client", 183, 183, WP_TASK_USER);
	add_task(host, "daemon", 90, 90, WP_TASK_USER);
	add_task(host, "pool", 400, 400, WP_TASK_USER);
	add_task(host, "pool-worker", 401, 400, WP_TASK_USER);
	add_task(host, "pool-idle", 402, 400, WP_TASK_USER);
	add_task(host, "kworker/1:0", 17, 17, WP_TASK_KERNEL);
	request = add_flow(host, 0, 1, 54770, 5200);
	reply = add_flow(host, 1, 0, 5200, 54770);

	run = add_vertex(host, SAMPLE_AT(0), SAMPLE_CLIENT, WP_STATE_RUNNING, 0);
	add_packet(host, SAMPLE_AT(9), request, run);
	add_packet(host, SAMPLE_AT(89), reply, WP_NONE);
	worker = add_bystanders(host);
	waiting = add_vertex(host, SAMPLE_AT(10), SAMPLE_CLIENT, WP_STATE_NETWORK, G_MAXUINT16);
	run_worker(host, worker);
	add_cause(host, waiting, cause_packet(SAMPLE_AT(90), 1));
	add_vertex(host, SAMPLE_AT(90), SAMPLE_CLIENT, WP_STATE_RUNNABLE, 0);
	add_vertex(host, SAMPLE_AT(91), SAMPLE_CLIENT, WP_STATE_RUNNING, 0);
	return host;
}

static WpHost *make_hostb(void)
{
	WpHost *host = host_new("hostb", 2, SAMPLE_AT(0), SAMPLE_AT(100));
	WpId front = add_task(host, "front", 201, 201, WP_TASK_USER);
	WpId first, run, second, last;

	add_flow(host, 0, 1, 54770, 5200);
	add_flow(host, 1, 2, 53000, 5300);
	add_flow(host, 2, 1, 5300, 53000);
	add_flow(host, 1, 0, 5200, 54770);
	first = add_vertex(host, SAMPLE_AT(0), front, WP_STATE_NETWORK, G_MAXUINT16);
	run = add_vertex(host, SAMPLE_AT(12), front, WP_STATE_RUNNING, 0);
	second = add_vertex(host, SAMPLE_AT(20), front, WP_STATE_NETWORK, G_MAXUINT16);
	last = add_vertex(host, SAMPLE_AT(80), front, WP_STATE_RUNNING, 1);
	add_vertex(host, SAMPLE_AT(89), front, WP_STATE_NETWORK, G_MAXUINT16);
	add_packet(host, SAMPLE_AT(11), 0, WP_NONE);
	add_packet(host, SAMPLE_AT(19), 1, run);
	add_packet(host, SAMPLE_AT(79), 2, WP_NONE);
	add_packet(host, SAMPLE_AT(88), 3, last);
	add_cause(host, first, cause_packet(SAMPLE_AT(12), 0));
	add_cause(host, second, cause_packet(SAMPLE_AT(80), 2));
	return host;
}

static WpHost *make_hostc(void)
{
	WpHost *host = host_new("hostc", 1, SAMPLE_AT(0), SAMPLE_AT(100));
	WpId back = add_task(host, "back", 305, 305, WP_TASK_USER);
	WpId first, run;

	add_flow(host, 1, 2, 53000, 5300);
	add_flow(host, 2, 1, 5300, 53000);
	first = add_vertex(host, SAMPLE_AT(0), back, WP_STATE_NETWORK, G_MAXUINT16);
	run = add_vertex(host, SAMPLE_AT(22), back, WP_STATE_RUNNING, 0);
	add_vertex(host, SAMPLE_AT(79), back, WP_STATE_NETWORK, G_MAXUINT16);
	add_packet(host, SAMPLE_AT(21), 0, WP_NONE);
	add_packet(host, SAMPLE_AT(78), 1, run);
	add_cause(host, first, cause_packet(SAMPLE_AT(22), 0));
	return host;
}

WpGraph *wp_sample_graph_new(void)
{
	WpHost *hosts[SAMPLE_HOSTS] = {make_hosta(), make_hostb(), make_hostc()};
	WpGraph *graph = wp_graph_new(hosts, SAMPLE_HOSTS);

	match(graph, SAMPLE_HOSTA, 1, SAMPLE_HOSTB, 3);
	match(graph, SAMPLE_HOSTB, 0, SAMPLE_HOSTA, 0);
	match(graph, SAMPLE_HOSTB, 2, SAMPLE_HOSTC, 1);
	match(graph, SAMPLE_HOSTC, 0, SAMPLE_HOSTB, 1);
	return graph;
}

WpGraph *wp_large_graph_new(guint n_tasks, guint64 n)
{
	static const guint8 states[] = {WP_STATE_RUNNING, WP_STATE_SOFTIRQ, WP_STATE_RUNNABLE,
					WP_STATE_BLOCKED, WP_STATE_NETWORK};
	WpHost *host = host_new("host", 8, SAMPLE_BEGIN, G_MAXINT64);
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);
	WpTime time = SAMPLE_BEGIN;
	g_autofree WpId *last_running = g_new(WpId, n_tasks);

	for (guint i = 0; i < n_tasks; i++) {
		g_autofree gchar *comm = g_strdup_printf("task-%u", i);

		add_task(host, comm, (gint32)(1000 + i), (gint32)(1000 + i), WP_TASK_USER);
		last_running[i] = WP_NONE;
	}
	for (guint64 i = 0; i < n; i++) {
		WpId task = g_rand_int(rand) % n_tasks, waker = g_rand_int(rand) % n_tasks;
		const WpTask *t = wp_host_task(host, task);
		guint8 state = states[(g_rand_int(rand) >> 8) % G_N_ELEMENTS(states)];
		WpId last = t->last;

		time += 1 + g_rand_int(rand) % 2000;
		/* The wait that ends here was ended by a task that runs, if there is one. */
		if (last != WP_NONE && wp_host_vertex(host, last)->state >= WP_STATE_BLOCKED &&
		    waker != task && last_running[waker] != WP_NONE)
			add_cause(host, last, cause_task(time, last_running[waker]));
		last = add_vertex(host, time, task, state, (guint16)(task % 8));
		last_running[task] = state == WP_STATE_RUNNING ? last : WP_NONE;
	}
	host->end = time + 1;
	for (guint i = 0; i < n_tasks; i++)
		wp_host_task(host, i)->end = host->end;
	return wp_graph_new(&host, 1);
}
