/* SPDX-License-Identifier: MIT */
/*
 * random-graph.c: a simulation with one global time. Each step lets a moment pass
 * and does one thing on one host; what it means for the graph is written down as a
 * model would, in the host's own time.
 */
#include "config.h"

#include "random-graph.h"

#define N_CPUS 2
#define TASKS_MAX 8
#define ORIGIN G_GINT64_CONSTANT(1000000) /* reference time of the first step */

/* What a task is doing, as the simulation sees it. */
typedef enum { UNSEEN, RUNNING, INTERRUPTED, RUNNABLE, WAITING, LOSING, GONE } Activity;

typedef struct {
	Activity activity;
	guint16 cpu; /* while it runs */
	gboolean worker; /* executes work items, waits for nothing else */
	WpId vertex; /* its latest */
	WpId before_loss; /* while its events are lost: the segment before that */
	/* A work item that waits for this worker. */
	gboolean has_work;
	WpId work_source;
	WpTime work_time;
} Task;

typedef struct {
	WpHost *host; /* borrowed: the graph's */
	WpColumn *matches; /* borrowed: the graph's */
	Task tasks[TASKS_MAX];
	guint n_tasks;
	guint first_step, last_step; /* of its trace */
	gboolean recording;
	WpId on_cpu[N_CPUS]; /* task, WP_NONE: idle */
} Host;

/* A packet under way. */
typedef struct {
	WpTime due;
	guint host, task; /* where it goes */
	WpMatch send; /* host WP_NONE: nobody knows where it comes from */
	gboolean received; /* and waits only for the wake-up */
	WpId packet; /* of host, once received */
} Flight;

typedef struct {
	GRand *random; /* owned */
	WpGraph *graph; /* borrowed */
	WpRandomFlags flags;
	WpTime now; /* reference */
	Host hosts[3];
	guint n_hosts;
	GArray *flights; /* owned: Flight */
} Simulation;

static guint below(Simulation *s, guint n)
{
	return (guint)g_rand_int_range(s->random, 0, (gint32)n);
}

static gboolean chance(Simulation *s, guint percent)
{
	return below(s, 100) < percent;
}

/* Tests have memory. */
static gpointer push(WpColumn *column)
{
	g_autoptr(GError) error = NULL;
	gpointer element = wp_column_push(column, &error);

	g_assert_no_error(error);
	return element;
}

static WpTime host_now(Simulation *s, guint h)
{
	return wp_clock_map_invert(s->graph->joins[h].map, s->now);
}

static void push_vertex_at(Simulation *s, guint h, guint task, WpState state, WpTime time)
{
	WpHost *host = s->hosts[h].host;
	WpTask *t = wp_host_task(host, task);
	Task *sim = &s->hosts[h].tasks[task];
	g_autoptr(GError) error = NULL;
	const gboolean on_cpu = sim->activity == RUNNING || sim->activity == INTERRUPTED;

	wp_host_add_vertex(host, t, time,
			   (WpVertex){.task = task,
				      .cause = WP_NONE,
				      .cpu = on_cpu ? sim->cpu : G_MAXUINT16,
				      .state = (guint8)state},
			   &error);
	g_assert_no_error(error);
	sim->vertex = t->last;
}

static void push_vertex(Simulation *s, guint h, guint task, WpState state)
{
	push_vertex_at(s, h, task, state, host_now(s, h));
}

/* The cause of a task's latest segment. */
static WpCause *push_cause(Simulation *s, guint h, guint task, WpCauseKind kind)
{
	WpHost *host = s->hosts[h].host;
	WpCause *cause = push(&host->causes);

	cause->time = host_now(s, h);
	cause->source = WP_NONE;
	cause->kind = kind;
	/* Numbers tell one from another. */
	cause->detail = wp_host_add_detail(
				host, &(WpCauseDetail){.number = (guint16)(host->causes.n % 3)},
				NULL) &
			(WP_CAUSE_DETAILS_MAX - 1);
	wp_host_vertex(host, s->hosts[h].tasks[task].vertex)->cause = (WpId)(host->causes.n - 1);
	return cause;
}

/* The softirq behind the latest cause may have been deferred. */
static void maybe_defer(Simulation *s, guint h)
{
	WpHost *host = s->hosts[h].host;
	const WpId cause = (WpId)(host->causes.n - 1);
	WpDeferral *deferral;

	if (!chance(s, 30))
		return;
	deferral = push(&host->deferrals);
	deferral->cause = cause;
	deferral->raised = 1 + below(s, 12);
	deferral->entered = below(s, deferral->raised);
	wp_host_cause(host, cause)->flags |= WP_CAUSE_FLAG_DEFERRED;
}

static guint add_task(Simulation *s, guint h)
{
	Host *host = &s->hosts[h];
	WpTask *t = push(&host->host->tasks);
	guint task = host->n_tasks++;
	g_autofree gchar *name = g_strdup_printf("task-%u", task % 5);

	t->tid = t->pid = 100 + (gint32)task;
	t->ppid = 1;
	t->comm = wp_strings_intern(host->host->strings, name);
	t->renamed = t->parent = t->first = t->last = WP_NONE;
	t->begin = host->host->begin;
	t->kind = WP_TASK_USER;
	host->tasks[task] = (Task){.activity = UNSEEN, .cpu = G_MAXUINT16, .vertex = WP_NONE};
	return task;
}

/* A random task of a host in that state; G_MAXUINT when there is none. */
static guint pick(Simulation *s, guint h, Activity activity)
{
	Host *host = &s->hosts[h];
	guint start = below(s, host->n_tasks);

	for (guint i = 0; i < host->n_tasks; i++)
		if (host->tasks[(start + i) % host->n_tasks].activity == activity)
			return (start + i) % host->n_tasks;
	return G_MAXUINT;
}

/* The same, but the one that has been in that state for the shortest time. */
static guint pick_latest(Simulation *s, guint h, Activity activity)
{
	Host *host = &s->hosts[h];
	guint latest = G_MAXUINT;

	for (guint i = 0; i < host->n_tasks; i++)
		if (host->tasks[i].activity == activity && host->tasks[i].vertex != WP_NONE &&
		    (latest == G_MAXUINT || host->tasks[i].vertex > host->tasks[latest].vertex))
			latest = i;
	return latest;
}

/* A task that was not seen before shows up: some have waited all the time, of some nothing is known. */
static void appear(Simulation *s, guint h, guint task)
{
	Task *t = &s->hosts[h].tasks[task];
	WpTime begin = s->hosts[h].host->begin;

	if (t->activity != UNSEEN)
		return;
	switch (below(s, 3)) {
	case 0: /* has waited since the trace began */
		push_vertex_at(s, h, task, WP_STATE_BLOCKED, begin);
		break;
	case 1: /* no proof of anything before */
		push_vertex_at(s, h, task, WP_STATE_UNKNOWN, begin);
		push_vertex(s, h, task, WP_STATE_BLOCKED);
		break;
	default: /* no history at all before its first wait */
		push_vertex(s, h, task, WP_STATE_BLOCKED);
		break;
	}
	t->activity = WAITING;
}

static void leave_cpu(Simulation *s, guint h, guint task)
{
	Task *t = &s->hosts[h].tasks[task];

	s->hosts[h].on_cpu[t->cpu] = WP_NONE;
	t->cpu = G_MAXUINT16;
}

static void block(Simulation *s, guint h, guint task)
{
	if (task == G_MAXUINT || s->hosts[h].tasks[task].has_work)
		return;
	leave_cpu(s, h, task);
	s->hosts[h].tasks[task].activity = WAITING;
	push_vertex(s, h, task, WP_STATE_BLOCKED);
}

static void switch_in(Simulation *s, guint h)
{
	Host *host = &s->hosts[h];
	guint task = pick(s, h, RUNNABLE), cpu = below(s, N_CPUS);

	if (task == G_MAXUINT)
		return;
	if (host->on_cpu[cpu] != WP_NONE) {
		guint victim = host->on_cpu[cpu];

		if (host->tasks[victim].activity != RUNNING || !chance(s, 30))
			return;
		leave_cpu(s, h, victim);
		host->tasks[victim].activity = RUNNABLE;
		push_vertex(s, h, victim, WP_STATE_PREEMPTED);
	}
	host->on_cpu[cpu] = task;
	host->tasks[task].cpu = (guint16)cpu;
	host->tasks[task].activity = RUNNING;
	push_vertex(s, h, task, WP_STATE_RUNNING);
}

/* An interrupt begins over a running task, or ends. */
static void interrupt(Simulation *s, guint h)
{
	guint task = pick(s, h, chance(s, 60) ? INTERRUPTED : RUNNING);

	if (task == G_MAXUINT)
		return;
	Task *t = &s->hosts[h].tasks[task];
	if (t->activity == INTERRUPTED && chance(s, 70)) {
		t->activity = RUNNING;
		push_vertex(s, h, task, WP_STATE_RUNNING);
	} else {
		t->activity = INTERRUPTED;
		push_vertex(s, h, task, chance(s, 50) ? WP_STATE_IRQ : WP_STATE_SOFTIRQ);
	}
}

/* Ends a task's wait, of which state is known now. */
static WpCause *wake(Simulation *s, guint h, guint task, WpState state, WpCauseKind kind)
{
	Host *host = &s->hosts[h];
	WpCause *cause;

	appear(s, h, task);
	cause = push_cause(s, h, task, kind);
	wp_host_vertex(host->host, host->tasks[task].vertex)->state = (guint8)state;
	host->tasks[task].activity = RUNNABLE;
	push_vertex(s, h, task, WP_STATE_RUNNABLE);
	return cause;
}

/*
 * A task that waits, or that has not been seen yet; not a worker. Often the one
 * that has waited the shortest time: so waits nest.
 */
static guint pick_waiting(Simulation *s, guint h)
{
	guint task = chance(s, 60) ? pick_latest(s, h, WAITING)
				   : pick(s, h, chance(s, 90) ? WAITING : UNSEEN);

	return task != G_MAXUINT && s->hosts[h].tasks[task].worker ? G_MAXUINT : task;
}

static void wake_by_task(Simulation *s, guint h)
{
	guint waker = chance(s, 60) ? pick_latest(s, h, RUNNING) : pick(s, h, RUNNING);
	guint task = pick_waiting(s, h), lost = chance(s, 10) ? pick(s, h, LOSING) : G_MAXUINT;
	WpId source;

	/* That much was seen of it, in a segment that is told to have ended before. */
	if (lost != G_MAXUINT)
		source = s->hosts[h].tasks[lost].before_loss;
	else if (waker != G_MAXUINT)
		source = s->hosts[h].tasks[waker].vertex;
	else
		return;
	if (task != G_MAXUINT)
		wake(s, h, task, WP_STATE_BLOCKED, WP_CAUSE_TASK)->source = source;
}

static void wake_by_device(Simulation *s, guint h)
{
	static const struct {
		WpState state;
		WpCauseKind kind;
	} devices[] = {
		{WP_STATE_TIMER, WP_CAUSE_TIMER},    {WP_STATE_DISK, WP_CAUSE_DISK},
		{WP_STATE_INPUT, WP_CAUSE_IRQ},      {WP_STATE_BLOCKED, WP_CAUSE_SOFTIRQ},
		{WP_STATE_IPI, WP_CAUSE_IPI},        {WP_STATE_SIGNAL, WP_CAUSE_SIGNAL},
		{WP_STATE_NETWORK, WP_CAUSE_PACKET}, {WP_STATE_BLOCKED, WP_CAUSE_TASK},
		{WP_STATE_BLOCKED, WP_CAUSE_NONE},   {WP_STATE_LOST, WP_CAUSE_LOST},
		{WP_STATE_STOPPED, WP_CAUSE_NONE},
	};
	guint task = pick_waiting(s, h), device = below(s, G_N_ELEMENTS(devices));

	if (task == G_MAXUINT)
		return;
	wake(s, h, task, devices[device].state, devices[device].kind);
	maybe_defer(s, h);
}

/* A wake-up that is missing: the task is seen to run, and nobody knows why. */
static void wake_by_nothing(Simulation *s, guint h)
{
	guint task = pick_waiting(s, h);

	if (task == G_MAXUINT)
		return;
	appear(s, h, task);
	wp_host_vertex(s->hosts[h].host, s->hosts[h].tasks[task].vertex)->flags |=
		WP_VERTEX_NO_WAKEUP;
	s->hosts[h].tasks[task].activity = RUNNABLE;
	push_vertex(s, h, task, WP_STATE_RUNNABLE);
}

static WpPacket *push_packet(Simulation *s, guint h, guint8 flags, const WpMatch *match)
{
	WpPacket *packet = push(&s->hosts[h].host->packets);
	WpMatch *m = push(s->hosts[h].matches);

	packet->time = host_now(s, h);
	packet->flow = 0;
	packet->length = 100;
	packet->vertex = packet->parent = WP_NONE;
	packet->flags = flags;
	*m = match ? *match : (WpMatch){WP_NONE, WP_NONE};
	return packet;
}

static void send_packet(Simulation *s, guint h)
{
	Host *host = &s->hosts[h];
	guint sender = pick(s, h, RUNNING), to = below(s, s->n_hosts);
	guint target = s->hosts[to].n_tasks ? below(s, s->hosts[to].n_tasks) : 0;
	guint64 n_before = host->host->packets.n;

	if (sender == G_MAXUINT || s->hosts[to].tasks[target].worker)
		return;
	WpPacket *packet = push_packet(s, h, WP_PACKET_SEND, NULL);
	if (chance(s, 70))
		packet->vertex = host->tasks[sender].vertex;
	else if (n_before && chance(s, 80)) /* an interrupt sends, because of that packet */
		packet->parent = (WpId)(n_before - 1 - below(s, MIN(n_before, 5)));
	else if (chance(s, 50)) /* by whom is lost */
		packet->flags |= WP_PACKET_NO_SENDER;
	packet->lag = below(s, 4);

	Flight flight = {.due = s->now + below(s, 12), .host = to, .task = target};
	flight.send = (WpMatch){h, (WpId)n_before};
	if (chance(s, 10)) /* its send is not in the trace, of a host that is, or of another */
		flight.send = (WpMatch){chance(s, 50) ? h : WP_NONE, WP_NONE};
	g_array_append_val(s->flights, flight);
}

/* First the reception, then, maybe later, the wake-up of who waits for it. */
static gboolean land(Simulation *s, Flight *flight)
{
	Host *to = &s->hosts[flight->host];
	Task *target = &to->tasks[flight->task];

	if (!flight->received) {
		push_packet(s, flight->host, 0, &flight->send)->lag = below(s, 3);
		flight->received = TRUE;
		flight->packet = (WpId)(to->host->packets.n - 1);
		flight->due = s->now + (chance(s, 50) ? 0 : below(s, 6));
		if (flight->due > s->now)
			return FALSE;
	}
	if (target->activity != WAITING && target->activity != UNSEEN)
		return TRUE;
	WpTime received = wp_host_packet(to->host, flight->packet)->time;
	WpCause *cause = wake(s, flight->host, flight->task, WP_STATE_NETWORK, WP_CAUSE_PACKET);
	cause->time = received;
	cause->packet = flight->packet;
	maybe_defer(s, flight->host);
	return TRUE;
}

static void land_flights(Simulation *s)
{
	for (guint i = 0; i < s->flights->len;) {
		Flight *flight = &g_array_index(s->flights, Flight, i);

		if (!s->hosts[flight->host].recording || (flight->due <= s->now && land(s, flight)))
			g_array_remove_index(s->flights, i);
		else
			i++;
	}
}

static void fork_child(Simulation *s, guint h)
{
	Host *host = &s->hosts[h];
	guint parent = pick(s, h, RUNNING);

	if (parent == G_MAXUINT || host->n_tasks == TASKS_MAX)
		return;
	guint child = add_task(s, h);
	WpTask *t = wp_host_task(host->host, child);
	t->parent = parent;
	t->begin = host_now(s, h);
	host->tasks[child].activity = RUNNABLE;
	push_vertex(s, h, child, WP_STATE_RUNNABLE);
	if (chance(s, 90))
		push_cause(s, h, child, WP_CAUSE_FORK)->source = host->tasks[parent].vertex;
}

static void end_task(Simulation *s, guint h)
{
	guint task = pick(s, h, RUNNING);

	/* Only while there may be new ones, lest a long execution dies out. */
	if (task == G_MAXUINT || s->hosts[h].tasks[task].worker || s->hosts[h].n_tasks == TASKS_MAX)
		return;
	leave_cpu(s, h, task);
	s->hosts[h].tasks[task].activity = GONE;
	push_vertex(s, h, task, WP_STATE_UNKNOWN);
	WpTask *t = wp_host_task(s->hosts[h].host, task);
	wp_host_vertex(s->hosts[h].host, t->last)->flags |= WP_VERTEX_DEAD;
	t->end = host_now(s, h);
	t->exited = TRUE;
}

/* Events are lost: of what a task does nothing is known for a while. */
static void lose_events(Simulation *s, guint h)
{
	Host *host = &s->hosts[h];
	guint task = pick(s, h, chance(s, 50) ? LOSING : RUNNING);

	if (task == G_MAXUINT)
		return;

	Task *t = &host->tasks[task];

	if (t->worker)
		return;
	if (t->activity == LOSING) {
		t->activity = WAITING;
		push_vertex(s, h, task, WP_STATE_UNKNOWN);
		return;
	}
	leave_cpu(s, h, task);
	t->activity = LOSING;
	t->before_loss = t->vertex;
	*(WpLoss *)push(&host->host->losses) = (WpLoss){host_now(s, h), host_now(s, h), 1, 0};
	push_vertex(s, h, task, WP_STATE_LOST);
}

/* A running task queues work; an idle worker is woken for it. */
static void queue_work(Simulation *s, guint h)
{
	Host *host = &s->hosts[h];
	guint by = pick(s, h, RUNNING);

	if (by == G_MAXUINT || !(s->flags & WP_RANDOM_WORK))
		return;
	for (guint i = 0; i < host->n_tasks; i++) {
		Task *worker = &host->tasks[i];

		if (!worker->worker || worker->has_work)
			continue;
		worker->has_work = TRUE;
		worker->work_source = host->tasks[by].vertex;
		worker->work_time = host_now(s, h);
		if (worker->activity == WAITING)
			wake(s, h, i, WP_STATE_BLOCKED,
			     chance(s, 50) ? WP_CAUSE_WORKQUEUE : WP_CAUSE_TASK)
				->source = worker->work_source;
		return;
	}
}

/* A worker that runs begins its item; the segment's begin has the item's cause. */
static void begin_work(Simulation *s, guint h)
{
	Host *host = &s->hosts[h];

	for (guint i = 0; i < host->n_tasks; i++) {
		Task *worker = &host->tasks[i];

		if (!worker->worker || !worker->has_work || worker->activity != RUNNING)
			continue;
		push_vertex(s, h, i, WP_STATE_RUNNING);
		WpCause *cause = push_cause(s, h, i, WP_CAUSE_WORKQUEUE);
		cause->time = worker->work_time;
		cause->source = chance(s, 95) ? worker->work_source : WP_NONE;
		worker->has_work = FALSE;
		return;
	}
}

static void step(Simulation *s, guint h)
{
	guint what = below(s, 100), task = pick(s, h, RUNNING);

	if (what < 14)
		block(s, h, task);
	else if (what < 30)
		wake_by_task(s, h);
	else if (what < 40) /* hands over */
		wake_by_task(s, h), block(s, h, task);
	else if (what < 52)
		send_packet(s, h);
	else if (what < 58) /* asks, and waits for the answer */
		send_packet(s, h), block(s, h, task);
	else if (what < 80)
		switch_in(s, h);
	else if (what < 83)
		interrupt(s, h);
	else if (what < 86)
		wake_by_device(s, h);
	else if (what < 87)
		wake_by_nothing(s, h);
	else if (what < 88)
		fork_child(s, h);
	else if (what < 89)
		lose_events(s, h);
	else if (what < 90)
		end_task(s, h);
	else if (what < 95)
		queue_work(s, h);
	else
		begin_work(s, h);
}

/* A clock some hours off and up to 0.1 % fast or slow, known to a few ns. */
static void set_clock(Simulation *s, guint h, guint n_steps)
{
	WpTime span = 6 * (WpTime)n_steps;
	WpTime host = ORIGIN + (WpTime)below(s, 1000000), drift = (WpTime)below(s, 3) - 1;
	WpClockKnot knots[2] = {
		{host, ORIGIN - host, below(s, 6)},
		{host + span, ORIGIN - host + drift * span / 1000, below(s, 6)},
	};

	wp_clock_map_free(s->graph->joins[h].map);
	s->graph->joins[h].map = wp_clock_map_new(knots, 2, 0);
}

/* Before the first step: most tasks are known from a state dump, the others appear later. */
static void start_host(Simulation *s, guint h)
{
	Host *host = &s->hosts[h];
	guint n_tasks = 3 + below(s, 4);

	host->recording = TRUE;
	host->host->begin = host_now(s, h);
	push(&host->host->flows);
	wp_host_flow(host->host, 0)->reverse = WP_NONE;
	for (guint cpu = 0; cpu < N_CPUS; cpu++) {
		*(guint32 *)push(&host->host->cpus) = cpu;
		host->on_cpu[cpu] = WP_NONE;
	}
	for (guint i = 0; i < n_tasks; i++) {
		guint task = add_task(s, h);
		Task *t = &host->tasks[task];

		t->worker = (s->flags & WP_RANDOM_WORK) && i == 1;
		if (!t->worker && chance(s, 20))
			continue;
		t->activity = i == 0 || chance(s, 50) ? WAITING : RUNNABLE;
		push_vertex(s, h, task,
			    t->activity == WAITING ? WP_STATE_BLOCKED : WP_STATE_RUNNABLE);
	}
}

static void end_host(Simulation *s, guint h)
{
	WpHost *host = s->hosts[h].host;

	host->end = host_now(s, h);
	for (guint64 i = 0; i < host->tasks.n; i++)
		if (!wp_host_task(host, i)->exited)
			wp_host_task(host, i)->end = host->end;
	s->hosts[h].recording = FALSE;
}

/* A moment passes; traces begin and end; something happens on one of the hosts. */
static void for_all_hosts(Simulation *s, guint i)
{
	guint h = below(s, s->n_hosts);

	s->now += s->flags & WP_RANDOM_TIES ? below(s, 3) : 1 + below(s, 5);
	land_flights(s);
	for (guint j = 0; j < s->n_hosts; j++) {
		if (i == s->hosts[j].first_step)
			start_host(s, j);
		if (i == s->hosts[j].last_step)
			end_host(s, j);
	}
	if (s->hosts[h].recording)
		step(s, h);
}

WpGraph *wp_random_graph_new(guint32 seed, guint n_steps, WpRandomFlags flags)
{
	Simulation s = {.random = g_rand_new_with_seed(seed), .flags = flags, .now = ORIGIN};
	WpHost *hosts[3];

	s.n_hosts = 1 + below(&s, 3);
	for (guint h = 0; h < s.n_hosts; h++) {
		g_autofree gchar *name = g_strdup_printf("host%c", 'a' + (gint)h);

		hosts[h] = s.hosts[h].host = wp_host_new(name, NULL);
	}
	s.graph = wp_graph_new(hosts, s.n_hosts);
	s.flights = g_array_new(FALSE, FALSE, sizeof(Flight));
	for (guint h = 0; h < s.n_hosts; h++) {
		s.hosts[h].matches = &s.graph->joins[h].matches;
		s.graph->joins[h].island = 0;
		if (flags & WP_RANDOM_CLOCKS)
			set_clock(&s, h, n_steps);
		s.hosts[h].first_step = below(&s, n_steps / 8 + 1);
		s.hosts[h].last_step = n_steps - 1 - below(&s, n_steps / 8 + 1);
	}
	for (guint i = 0; i < n_steps; i++)
		for_all_hosts(&s, i);
	for (guint h = 0; h < s.n_hosts; h++)
		if (s.hosts[h].recording)
			end_host(&s, h);
	g_array_unref(s.flights);
	g_rand_free(s.random);
	return s.graph;
}
