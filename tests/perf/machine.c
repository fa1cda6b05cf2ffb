/* SPDX-License-Identifier: MIT */
/*
 * machine.c: scripts of CPUs, and turns.
 *
 * Packets on the wire lie in a heap; one that is due interrupts its receiver's CPU when that can
 * be interrupted and the receiver waits already.
 */
#include "config.h"

#include "machine-private.h"

/* ns: between two events of a CPU, on average. */
#define PACE 1000u
/* ns: the least that a packet is under way, and how much longer it may be. */
#define WIRE 25000
#define WIRE_MORE 20000u
/* ns after which a packet whose receiver is not yet ready is tried again. */
#define AGAIN 2000
/* One turn in so many of a busy CPU is a timer's interrupt; and of an idle one. */
#define BUSY_TICKS 35u
#define IDLE_TICKS 8u
#define VECTOR_TIMER 1u
#define VECTOR_NET_RX 3u

/* xorshift64* */
guint machine_chance(Machine *machine, guint n)
{
	guint64 x = machine->chance;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	machine->chance = x;
	return (guint)((x * G_GUINT64_CONSTANT(0x2545f4914f6cdd1d) >> 32) * n >> 32);
}

/* ---- packets on the wire ---- */

static void flights_push(GArray *flights, const Flight *flight)
{
	guint at = flights->len;

	g_array_append_val(flights, *flight);
	for (; at > 0; at = (at - 1) / 2) {
		Flight *up = &g_array_index(flights, Flight, (at - 1) / 2);
		Flight *here = &g_array_index(flights, Flight, at);
		const Flight swap = *up;

		if (up->time <= here->time)
			break;
		*up = *here;
		*here = swap;
	}
}

static Flight flights_pop(GArray *flights)
{
	const Flight first = g_array_index(flights, Flight, 0);
	const guint n = flights->len - 1;
	guint at = 0;

	g_array_index(flights, Flight, 0) = g_array_index(flights, Flight, n);
	g_array_set_size(flights, n);
	while (2 * at + 1 < n) {
		Flight *here = &g_array_index(flights, Flight, at), *down;
		guint child = 2 * at + 1;
		Flight swap;

		if (child + 1 < n && g_array_index(flights, Flight, child + 1).time <
					     g_array_index(flights, Flight, child).time)
			child++;
		down = &g_array_index(flights, Flight, child);
		if (here->time <= down->time)
			break;
		swap = *here;
		*here = *down;
		*down = swap;
		at = child;
	}
	return first;
}

/* The next packet of the CPU's task, which is about to be sent. */
static void make_flight(Machine *machine, Cpu *cpu)
{
	const Task *task = machine_task(machine, cpu->current);
	Connection *connection = machine_connection(machine, task->connection);
	const guint from = task->kind == TASK_CLIENT ? 0 : 1;
	Flight *flight = &cpu->sent;

	flight->connection = task->connection;
	flight->end = 1 - from;
	flight->length = 64 + machine_chance(machine, 1200);
	flight->seq = connection->sent[from];
	flight->ack = connection->sent[1 - from];
	flight->ip_id = connection->ip_id[from]++;
	connection->sent[from] += flight->length;
}

/* ---- scripts ---- */

static void script_add(const Machine *machine, Script *script, Operation op, guint arg)
{
	const gboolean scheduling = op == OP_SWITCH || op == OP_WAKING || op == OP_WAKEUP;

	if (machine->config.mix == MIX_SCHED && !scheduling)
		return;
	g_assert(script->n < SCRIPT_MAX);
	script->steps[script->n++] = (Step){op, arg};
}

static void add_wake(const Machine *machine, Script *script, guint task)
{
	script_add(machine, script, OP_WAKING, task);
	script_add(machine, script, OP_WAKEUP, task);
}

static void add_send(const Machine *machine, Script *script)
{
	script_add(machine, script, OP_WRITE_IN, 0);
	script_add(machine, script, OP_QUEUE, 0);
	script_add(machine, script, OP_XMIT, 0);
	script_add(machine, script, OP_WRITE_OUT, 0);
}

static void add_sleep(const Machine *machine, Script *script, guint task)
{
	script_add(machine, script, OP_SLEEP_IN, 0);
	script_add(machine, script, OP_HRTIMER_START, task);
	script_add(machine, script, OP_SWITCH, NO_TASK);
}

/* Some system calls that do not wait. */
static void add_work(Machine *machine, Script *script)
{
	for (guint n = machine_chance(machine, 3); n > 0; n--) {
		const guint kind = machine_chance(machine, 10);
		const Operation in = kind == 0 ? OP_FUTEX_IN : kind < 6 ? OP_READ_IN : OP_WRITE_IN;
		const Operation out = kind == 0  ? OP_FUTEX_OUT
				      : kind < 6 ? OP_READ_OUT
						 : OP_WRITE_OUT;

		script_add(machine, script, in, n);
		script_add(machine, script, out, n);
	}
}

/* What a task does from its switch-in to its switch-out. */
static void write_task_script(Machine *machine, Cpu *cpu)
{
	const Task *task = machine_task(machine, cpu->current);
	Script *script = &cpu->script;

	switch (task->kind) {
	case TASK_PAIR:
		script_add(machine, script, OP_READ_OUT, 0);
		add_work(machine, script);
		script_add(machine, script, OP_WRITE_IN, 0);
		add_wake(machine, script, task->partner);
		script_add(machine, script, OP_WRITE_OUT, 0);
		script_add(machine, script, OP_READ_IN, 0);
		script_add(machine, script, OP_SWITCH, NO_TASK);
		break;
	case TASK_CLIENT:
	case TASK_SERVER:
		script_add(machine, script, OP_READ_OUT, 0);
		add_work(machine, script);
		add_send(machine, script);
		script_add(machine, script, OP_READ_IN, 0);
		script_add(machine, script, OP_SWITCH, NO_TASK);
		break;
	case TASK_SLEEPER:
	case TASK_IDLE:
	default:
		script_add(machine, script, OP_SLEEP_OUT, 0);
		add_work(machine, script);
		add_sleep(machine, script, cpu->current);
		break;
	}
}

/* The task that a timer of the CPU may wake, NO_TASK. */
static guint choose_sleeper(Machine *machine, const Cpu *cpu)
{
	Host *host = &machine->hosts[cpu->host];

	if (host->next_idle < host->end_idle && machine_chance(machine, 8) == 0) {
		machine_task(machine, host->next_idle)->cpu = (guint)(cpu - machine->cpus);
		return host->next_idle++;
	}
	if (cpu->sleeper != NO_TASK && machine_task(machine, cpu->sleeper)->waits)
		return cpu->sleeper;
	return NO_TASK;
}

static void write_timer_interrupt(Machine *machine, Cpu *cpu)
{
	Script *script = &cpu->interrupt;
	const guint task = choose_sleeper(machine, cpu);

	script_add(machine, script, OP_HRTIMER_IN, task);
	if (task != NO_TASK) {
		add_wake(machine, script, task);
		script_add(machine, script, OP_HRTIMER_OUT, task);
		return;
	}
	script_add(machine, script, OP_RAISE, VECTOR_TIMER);
	script_add(machine, script, OP_HRTIMER_OUT, task);
	script_add(machine, script, OP_HRTIMER_START, task);
	script_add(machine, script, OP_SOFTIRQ_IN, VECTOR_TIMER);
	if (machine_chance(machine, 8) == 0) {
		script_add(machine, script, OP_TIMER_IN, cpu->number);
		script_add(machine, script, OP_TIMER_OUT, cpu->number);
	}
	script_add(machine, script, OP_SOFTIRQ_OUT, VECTOR_TIMER);
}

static void write_packet_interrupt(const Machine *machine, Cpu *cpu)
{
	Script *script = &cpu->interrupt;
	const Flight *flight = &cpu->arrived;

	script_add(machine, script, OP_IRQ_IN, 0);
	script_add(machine, script, OP_RAISE, VECTOR_NET_RX);
	script_add(machine, script, OP_IRQ_OUT, 0);
	script_add(machine, script, OP_SOFTIRQ_IN, VECTOR_NET_RX);
	script_add(machine, script, OP_RECEIVE, 0);
	add_wake(machine, script,
		 machine_connection(machine, flight->connection)->ends[flight->end]);
	script_add(machine, script, OP_SOFTIRQ_OUT, VECTOR_NET_RX);
}

/* ---- turns ---- */

/* Whether an interrupt may come: none at hand, and interrupts are on. */
static gboolean can_interrupt(const Cpu *cpu)
{
	const Script *script = &cpu->script;

	return cpu->interrupt.n == 0 &&
	       (script->n == 0 || script->steps[script->next].op != OP_WAKEUP);
}

/* Gives packets that are due to their CPUs. */
static void deliver(Machine *machine)
{
	while (machine->flights->len > 0 &&
	       g_array_index(machine->flights, Flight, 0).time <= machine->now) {
		Flight flight = flights_pop(machine->flights);
		const guint end = machine_connection(machine, flight.connection)->ends[flight.end];
		const Task *receiver = machine_task(machine, end);
		Cpu *cpu = &machine->cpus[receiver->cpu];

		if (receiver->waits && can_interrupt(cpu)) {
			cpu->arrived = flight;
			write_packet_interrupt(machine, cpu);
		} else {
			flight.time = machine->now + AGAIN;
			flights_push(machine->flights, &flight);
		}
	}
}

/* The task that comes next on the CPU, NO_TASK: none. */
static guint take_next(Cpu *cpu)
{
	return g_queue_is_empty(&cpu->queue) ? NO_TASK
					     : GPOINTER_TO_UINT(g_queue_pop_head(&cpu->queue));
}

/* What the event that is about to be written changes. */
static void step_effect(Machine *machine, const Step *step)
{
	Task *task;

	if (step->op != OP_WAKEUP)
		return;
	task = machine_task(machine, step->arg);
	task->waits = FALSE;
	g_queue_push_tail(&machine->cpus[task->cpu].queue, GUINT_TO_POINTER(step->arg));
}

static gboolean run_switch(Machine *machine, Cpu *cpu, GError **error)
{
	const Step step = {OP_SWITCH, take_next(cpu)};

	if (!machine_emit(machine, cpu, &step, error))
		return FALSE;
	if (cpu->current != NO_TASK)
		machine_task(machine, cpu->current)->waits = TRUE;
	cpu->current = step.arg;
	return TRUE;
}

/* Writes the next event of a script, unless its time has not come. */
static gboolean run_step(Machine *machine, Cpu *cpu, Script *script, GError **error)
{
	const Step step = script->steps[script->next];

	/* Its partner is on the way to sleep, on another CPU. */
	if (step.op == OP_WAKING && !machine_task(machine, step.arg)->waits)
		return TRUE;
	if (++script->next == script->n)
		script->next = script->n = 0;
	if (step.op == OP_SWITCH)
		return run_switch(machine, cpu, error);
	if (step.op == OP_QUEUE)
		make_flight(machine, cpu);
	if (!machine_emit(machine, cpu, &step, error))
		return FALSE;
	if (step.op == OP_QUEUE) {
		cpu->sent.time = machine->now + WIRE + machine_chance(machine, WIRE_MORE);
		flights_push(machine->flights, &cpu->sent);
		machine->count.n_packets++;
	}
	step_effect(machine, &step);
	return TRUE;
}

static gboolean run_turn(Machine *machine, Cpu *cpu, GError **error)
{
	const gboolean idle = cpu->current == NO_TASK;

	if (cpu->interrupt.n > 0)
		return run_step(machine, cpu, &cpu->interrupt, error);
	if (machine->config.mix != MIX_PACKETS && can_interrupt(cpu) &&
	    machine_chance(machine, idle ? IDLE_TICKS : BUSY_TICKS) == 0) {
		write_timer_interrupt(machine, cpu);
		return TRUE;
	}
	if (idle)
		return g_queue_is_empty(&cpu->queue) || run_switch(machine, cpu, error);
	if (cpu->script.n == 0)
		write_task_script(machine, cpu);
	return run_step(machine, cpu, &cpu->script, error);
}

static gboolean is_done(const Machine *machine)
{
	const MachineConfig *config = &machine->config;

	return config->n_packets ? machine->count.n_packets >= config->n_packets
				 : machine->count.n_events >= config->n_events;
}

static gboolean run(Machine *machine, GError **error)
{
	const guint pace = MAX(2 * PACE / machine->n_cpus, 2);

	while (!is_done(machine)) {
		machine->now += 1 + machine_chance(machine, pace);
		deliver(machine);
		if (!run_turn(machine, &machine->cpus[machine_chance(machine, machine->n_cpus)],
			      error))
			return FALSE;
	}
	return TRUE;
}

/*
 * A staircase: each task wakes the next and waits for it, down to the last, which ends its wait
 * for nothing but the work of one event; and all the way up again. Over and over.
 */
static gboolean run_staircase(Machine *machine, GError **error)
{
	const guint depth = machine->config.depth;
	Cpu *cpu = &machine->cpus[0];
	guint at = 0;
	gboolean down = TRUE;

	cpu->current = 0;
	/* To the end of a round, so that no wait is left open. */
	while (!is_done(machine) || at != 0) {
		const guint next = down ? at + 1 : at - 1;
		const Step steps[] = {{OP_WAKING, next}, {OP_WAKEUP, next}};

		for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
			machine->now += PACE;
			if (!machine_emit(machine, cpu, &steps[i], error))
				return FALSE;
		}
		machine->now += PACE;
		g_queue_push_tail(&cpu->queue, GUINT_TO_POINTER(next));
		if (!run_switch(machine, cpu, error))
			return FALSE;
		at = next;
		if (at == 0 || at == depth - 1)
			down = at == 0;
	}
	return TRUE;
}

/* ---- making the machine ---- */

static guint add_task(Machine *machine, guint cpu, TaskKind kind, const gchar *comm)
{
	Host *host = &machine->hosts[machine->cpus[cpu].host];
	Task task = {.tid = (gint32)(100 + host->n_events++), /* counts its tasks meanwhile */
		     .host = machine->cpus[cpu].host,
		     .cpu = cpu,
		     .kind = kind,
		     .waits = TRUE};

	g_snprintf(task.comm, sizeof(task.comm), "%s", comm);
	g_array_append_val(machine->tasks, task);
	return machine->tasks->len - 1;
}

static void make_runnable(Machine *machine, guint number)
{
	Task *task = machine_task(machine, number);

	task->waits = FALSE;
	g_queue_push_tail(&machine->cpus[task->cpu].queue, GUINT_TO_POINTER(number));
}

/* Two tasks at the ends of two pipes; every fourth pair is on two CPUs. */
static void add_pair(Machine *machine, guint cpu, guint number)
{
	const guint per_host = machine->config.n_cpus, base = cpu - cpu % per_host;
	const guint other = number % 4 == 3 ? base + (cpu + 1) % per_host : cpu;
	const guint a = add_task(machine, cpu, TASK_PAIR, "ping");
	const guint b = add_task(machine, other, TASK_PAIR, "pong");

	machine_task(machine, a)->partner = b;
	machine_task(machine, b)->partner = a;
	make_runnable(machine, a);
}

/* A client here, its server at the same place of the next host. */
static void add_connection(Machine *machine, guint cpu)
{
	const guint server_cpu = (cpu + machine->config.n_cpus) % machine->n_cpus;
	Connection connection = {.sent = {1, 1}};
	const guint number = machine->connections->len;

	connection.ends[0] = add_task(machine, cpu, TASK_CLIENT, "client");
	connection.ends[1] = add_task(machine, server_cpu, TASK_SERVER, "server");
	for (guint i = 0; i < 2; i++)
		machine_task(machine, connection.ends[i])->connection = number;
	g_array_append_val(machine->connections, connection);
	make_runnable(machine, connection.ends[0]);
}

static void populate_cpu(Machine *machine, guint cpu)
{
	const MachineConfig *config = &machine->config;
	guint left = config->n_tasks;

	machine->cpus[cpu].sleeper = NO_TASK;
	if (config->mix == MIX_PACKETS) {
		for (; left >= 2; left -= 2)
			add_connection(machine, cpu);
		return;
	}
	if (config->mix == MIX_FULL && config->n_hosts > 1 && left >= 4) {
		add_connection(machine, cpu);
		left -= 2;
	}
	if (config->mix == MIX_FULL || left % 2) {
		machine->cpus[cpu].sleeper = add_task(machine, cpu, TASK_SLEEPER, "sleeper");
		left--;
	}
	for (; left >= 2; left -= 2)
		add_pair(machine, cpu, left / 2);
}

static void populate(Machine *machine)
{
	const MachineConfig *config = &machine->config;

	if (config->depth) {
		for (guint i = 0; i < MAX(config->depth, 2); i++)
			add_task(machine, 0, TASK_PAIR, i ? "stair" : "top");
		machine_task(machine, 0)->waits = FALSE;
		return;
	}
	for (guint cpu = 0; cpu < machine->n_cpus; cpu++)
		populate_cpu(machine, cpu);
	for (guint i = 0; i < config->n_hosts; i++) {
		machine->hosts[i].next_idle = machine->tasks->len;
		for (guint n = 0; n < config->n_idle; n++)
			add_task(machine, i * config->n_cpus, TASK_IDLE, "idler");
		machine->hosts[i].end_idle = machine->tasks->len;
	}
}

/* Clocks apart by a quarter of a second a host, and drifting by up to 60 parts in a million. */
static void make_hosts(Machine *machine)
{
	const MachineConfig *config = &machine->config;

	machine->hosts = g_new0(Host, config->n_hosts);
	machine->n_cpus = config->n_hosts * config->n_cpus;
	machine->cpus = g_new0(Cpu, machine->n_cpus);
	for (guint i = 0; i < config->n_hosts; i++) {
		Host *host = &machine->hosts[i];

		host->boot = G_GINT64_CONSTANT(1000000000000) + G_GINT64_CONSTANT(777000000000) * i;
		host->ahead = G_GINT64_CONSTANT(250000000) * i;
		host->drift = (gint64)(i * 37 % 121) * 1000 - (i ? 60000 : 0);
		host->address[0] = 10;
		host->address[2] = (guint8)(i >> 8);
		host->address[3] = (guint8)(i + 1);
	}
	for (guint i = 0; i < machine->n_cpus; i++) {
		machine->cpus[i].host = i / config->n_cpus;
		machine->cpus[i].number = i % config->n_cpus;
		machine->cpus[i].current = NO_TASK;
		g_queue_init(&machine->cpus[i].queue);
	}
}

/* Each host's list of its tasks, in front of all else. */
static gboolean dump_state(Machine *machine, GError **error)
{
	const Step start = {OP_DUMP_START, 0}, end = {OP_DUMP_END, 0};

	for (guint i = 0; i < machine->config.n_hosts; i++) {
		Cpu *cpu = &machine->cpus[i * machine->config.n_cpus];

		machine->hosts[i].n_events = 0;
		if (!machine_emit(machine, cpu, &start, error))
			return FALSE;
		for (guint t = 0; t < machine->tasks->len; t++) {
			const Step step = {OP_DUMP_TASK, t};

			machine->now += 10;
			if (machine_task(machine, t)->host == i &&
			    !machine_emit(machine, cpu, &step, error))
				return FALSE;
		}
		if (!machine_emit(machine, cpu, &end, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean machine_close(Machine *machine, GError **error)
{
	gboolean ok = TRUE;

	for (guint i = 0; i < machine->config.n_hosts; i++)
		if (machine->hosts[i].writer &&
		    !wp_ctf_writer_close(machine->hosts[i].writer, ok ? error : NULL))
			ok = FALSE;
	for (guint i = 0; i < machine->n_cpus; i++)
		g_queue_clear(&machine->cpus[i].queue);
	g_free(machine->hosts);
	g_free(machine->cpus);
	g_array_unref(machine->tasks);
	g_array_unref(machine->connections);
	g_array_unref(machine->flights);
	return ok;
}

gboolean machine_write(const gchar *directory, const MachineConfig *config, MachineCount *ret_count,
		       GError **error)
{
	Machine machine = {
		.config = *config,
		.chance = config->seed * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15) | 1,
		.tasks = g_array_new(FALSE, FALSE, sizeof(Task)),
		.connections = g_array_new(FALSE, FALSE, sizeof(Connection)),
		.flights = g_array_new(FALSE, FALSE, sizeof(Flight)),
	};
	gboolean ok;

	make_hosts(&machine);
	populate(&machine);
	ok = machine_open(&machine, directory, error) && dump_state(&machine, error) &&
	     (config->depth ? run_staircase(&machine, error) : run(&machine, error)) &&
	     machine_write_truth(&machine, directory, error);
	*ret_count = machine.count;
	return machine_close(&machine, ok ? error : NULL) && ok;
}
