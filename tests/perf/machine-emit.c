/* SPDX-License-Identifier: MIT */
/* machine-emit.c: what a made-up machine does, as events of lttng-modules 2.13. */
#include "config.h"

#include <errno.h>
#include <string.h>

#include <glib/gstdio.h>

#include "lib/fixture-classes.h"
#include "machine-private.h"

/* Time of day at the beginning, ns since the epoch. */
#define BEGIN G_GINT64_CONSTANT(1772442000000000000)
#define PACKET_SIZE 262144u
/* SCHED_OTHER without nice, as the events have it. */
#define PRIORITY 20
#define WAITS_INTERRUPTIBLE 1
#define ADDRESS_BASE G_GINT64_CONSTANT(0x7fff00000000)
#define ETHERNET_HEADER 14u
#define IP_TCP_HEADERS 40u

static const struct {
	const gchar *event;
	gboolean in_sched;
} operations[] = {
#define X(name, event, sched) [OP_##name] = {event, sched},
	OPERATIONS(X)
#undef X
};

/* The event classes of the trace, and their numbers to the machine. */
static GArray *choose_classes(Machine *machine)
{
	GArray *classes = g_array_new(FALSE, FALSE, sizeof(WpCtfClass));

	for (guint c = 0; c < G_N_ELEMENTS(wp_fixture_new_classes); c++) {
		guint op = 0;

		while (op < N_OPERATIONS &&
		       !g_str_equal(operations[op].event, wp_fixture_new_classes[c].name))
			op++;
		if (op < N_OPERATIONS)
			machine->class_ids[op] = classes->len;
		/* A trace of few classes gets the compact headers of such a session. */
		if (machine->config.mix != MIX_SCHED ||
		    (op < N_OPERATIONS && operations[op].in_sched))
			g_array_append_val(classes, wp_fixture_new_classes[c]);
	}
	return classes;
}

static gboolean open_host(Machine *machine, guint number, const gchar *directory,
			  const GArray *classes, GError **error)
{
	Host *host = &machine->hosts[number];
	g_autofree gchar *name = g_strdup_printf("host%u", number);
	g_autofree gchar *path = g_build_filename(directory, name, NULL);
	g_autofree gchar *kernel = g_build_filename(path, "kernel", NULL);
	g_autofree gchar *env = g_strdup_printf(
		"	hostname = \"%s\";\n	domain = \"kernel\";\n"
		"	sysname = \"Linux\";\n"
		"	kernel_release = \"6.1.0\";\n"
		"	tracer_name = \"lttng-modules\";\n"
		"	tracer_major = 2;\n	tracer_minor = 13;\n"
		"	tracer_patchlevel = 0;\n",
		name);
	WpCtfConfig config = {
		.n_cpus = machine->config.n_cpus,
		.compact = machine->config.mix == MIX_SCHED,
		.packet_size = PACKET_SIZE,
		.clock_offset = BEGIN + host->ahead - host->boot,
		.env = env,
	};

	for (guint i = 0; i < sizeof(config.uuid); i++)
		config.uuid[i] = (guint8)(number >> (i % 4 * 8) ^ 17 * i);
	if (g_mkdir(path, 0777) != 0) {
		g_set_error(error, G_FILE_ERROR, (gint)g_file_error_from_errno(errno), "%s: %s",
			    path, g_strerror(errno));
		return FALSE;
	}
	host->writer = wp_ctf_writer_new(kernel, &config,
					 (const WpCtfClass *)(gconstpointer)classes->data,
					 classes->len, error);
	return host->writer != NULL;
}

gboolean machine_open(Machine *machine, const gchar *directory, GError **error)
{
	g_autoptr(GArray) classes = choose_classes(machine);

	if (g_mkdir(directory, 0777) != 0) {
		g_set_error(error, G_FILE_ERROR, (gint)g_file_error_from_errno(errno), "%s: %s",
			    directory, g_strerror(errno));
		return FALSE;
	}
	for (guint i = 0; i < machine->config.n_hosts; i++)
		if (!open_host(machine, i, directory, classes, error))
			return FALSE;
	return TRUE;
}

gboolean machine_write_truth(const Machine *machine, const gchar *directory, GError **error)
{
	g_autofree gchar *path = g_build_filename(directory, "truth.json", NULL);
	g_autoptr(GString) text = g_string_new(NULL);

	g_string_append_printf(
		text,
		"{\"events\": %" G_GUINT64_FORMAT ", \"packets\": %" G_GUINT64_FORMAT
		", \"begin\": %" G_GINT64_FORMAT ", \"length\": %" G_GINT64_FORMAT ", \"hosts\": [",
		machine->count.n_events, machine->count.n_packets, BEGIN, machine->now);
	for (guint i = 0; i < machine->config.n_hosts; i++)
		g_string_append_printf(text,
				       "%s\n {\"host\": \"host%u\", \"events\": %" G_GUINT64_FORMAT
				       ", \"ahead\": %" G_GINT64_FORMAT
				       ", \"drift_ppb\": %" G_GINT64_FORMAT "}",
				       i ? "," : "", i, machine->hosts[i].n_events,
				       machine->hosts[i].ahead, machine->hosts[i].drift);
	g_string_append(text, "\n]}\n");
	return g_file_set_contents(path, text->str, (gssize)text->len, error);
}

/* ---- events ---- */

/* What the host's clock shows. */
static guint64 clock_value(const Machine *machine, const Host *host)
{
	return (guint64)(host->boot + machine->now +
			 (gint64)((__int128)machine->now * host->drift / 1000000000));
}

/* A kernel address that belongs to a number. */
static gint64 address(guint number)
{
	return ADDRESS_BASE + (gint64)number * 256;
}

static void put_waking(WpCtfValue *values, const Machine *machine, guint number)
{
	const Task *task = machine_task(machine, number);

	values[0].s = task->comm;
	values[1].i = task->tid;
	values[2].i = PRIORITY;
	values[3].i = machine->cpus[task->cpu].number;
}

/* To the task of the step, or NO_TASK: the idle one. */
static void put_switch(WpCtfValue *values, const Machine *machine, const Cpu *cpu, guint next,
		       gchar idle[16])
{
	const Task *from = cpu->current == NO_TASK ? NULL : machine_task(machine, cpu->current);
	const Task *to = next == NO_TASK ? NULL : machine_task(machine, next);

	g_snprintf(idle, 16, "swapper/%u", cpu->number);
	values[0].s = from ? from->comm : idle;
	values[1].i = from ? from->tid : 0;
	values[2].i = PRIORITY;
	values[3].i = from ? WAITS_INTERRUPTIBLE : 0;
	values[4].s = to ? to->comm : idle;
	values[5].i = to ? to->tid : 0;
	values[6].i = PRIORITY;
}

/* As the statedump tells a user task, waiting or about to run. */
static void put_dump(WpCtfValue *values, const Machine *machine, guint number)
{
	const Task *task = machine_task(machine, number);

	values[0].i = values[1].i = task->tid;
	values[2].i = 1;
	values[3].s = task->comm;
	values[4].i = 0; /* a user's thread */
	values[5].i = 2; /* in a system call */
	values[6].i = 0;
	values[7].i = task->waits ? 5 : 2;
	values[8].i = machine->cpus[task->cpu].number;
	values[9].i = address(number);
}

static void make_packet(WpCtfPacket *packet, const Machine *machine, const Flight *flight)
{
	const Connection *connection = machine_connection(machine, flight->connection);
	const guint to = flight->end, from = 1 - to;
	const Task *ends[2] = {machine_task(machine, connection->ends[0]),
			       machine_task(machine, connection->ends[1])};
	const guint16 ports[2] = {(guint16)(32768 + flight->connection % 28000), 5200};

	*packet = (WpCtfPacket){.version = 4,
				.protocol = 6,
				.tot_len = (guint16)(IP_TCP_HEADERS + flight->length),
				.ip_id = flight->ip_id,
				.frag_off = 0x4000,
				.sport = ports[from],
				.dport = ports[to],
				.seq = flight->seq,
				.ack = flight->ack,
				.flags = 0x18,
				.window = 502};
	memcpy(packet->source, machine->hosts[ends[from]->host].address, 4);
	memcpy(packet->destination, machine->hosts[ends[to]->host].address, 4);
}

static void put_packet_values(WpCtfValue *values, const Machine *machine, const Flight *flight,
			      guint more, WpCtfPacket *packet)
{
	make_packet(packet, machine, flight);
	values[0].i = address(flight->connection);
	values[1].i = packet->tot_len + more;
	values[2].s = "eth0";
	values[3].packet = packet;
}

/* An hrtimer of the task, or of a CPU's tick: NO_TASK. */
static gint64 timer_address(const Cpu *cpu, guint task)
{
	return address(task == NO_TASK ? 1000000 + cpu->number : 2000000 + task);
}

gboolean machine_emit(Machine *machine, Cpu *cpu, const Step *step, GError **error)
{
	Host *host = &machine->hosts[cpu->host];
	const guint64 time = clock_value(machine, host);
	WpCtfValue values[10] = {{0}};
	WpCtfPacket packet;
	gchar idle[16];

	switch (step->op) {
	case OP_SWITCH:
		put_switch(values, machine, cpu, step->arg, idle);
		break;
	case OP_WAKING:
	case OP_WAKEUP:
		put_waking(values, machine, step->arg);
		break;
	case OP_READ_IN:
	case OP_WRITE_IN:
		values[0].i = 3;
		values[1].i = values[2].i = 64;
		break;
	case OP_READ_OUT:
	case OP_WRITE_OUT:
		values[0].i = 64;
		break;
	case OP_FUTEX_IN:
		values[0].i = address(step->arg);
		values[1].i = 129;
		values[2].i = 1;
		break;
	case OP_HRTIMER_START:
		values[0].i = timer_address(cpu, step->arg);
		values[1].i = address(step->arg == NO_TASK ? 1 : 2);
		values[2].i = values[3].i = (gint64)time + 1000000;
		break;
	case OP_HRTIMER_IN:
		values[0].i = timer_address(cpu, step->arg);
		values[1].i = (gint64)time;
		values[2].i = address(step->arg == NO_TASK ? 1 : 2);
		break;
	case OP_HRTIMER_OUT:
		values[0].i = timer_address(cpu, step->arg);
		break;
	case OP_TIMER_IN:
		values[0].i = address(step->arg);
		values[1].i = values[3].i = (gint64)(time / 4000000);
		values[2].i = address(3);
		break;
	case OP_TIMER_OUT:
		values[0].i = address(step->arg);
		break;
	case OP_RAISE:
	case OP_SOFTIRQ_IN:
	case OP_SOFTIRQ_OUT:
		values[0].i = step->arg;
		break;
	case OP_IRQ_IN:
		values[0].i = 24;
		values[1].s = "virtio0-input.0";
		break;
	case OP_IRQ_OUT:
		values[0].i = 24;
		values[1].i = 1;
		break;
	case OP_QUEUE:
		put_packet_values(values, machine, &cpu->sent, ETHERNET_HEADER, &packet);
		break;
	case OP_XMIT:
		values[0].i = address(cpu->sent.connection);
		values[2].i = cpu->sent.length + IP_TCP_HEADERS + ETHERNET_HEADER;
		values[3].s = "eth0";
		break;
	case OP_RECEIVE:
		put_packet_values(values, machine, &cpu->arrived, 0, &packet);
		break;
	case OP_DUMP_TASK:
		put_dump(values, machine, step->arg);
		break;
	case OP_FUTEX_OUT:
	case OP_SLEEP_IN:
	case OP_SLEEP_OUT:
	case OP_DUMP_START:
	case OP_DUMP_END:
	case N_OPERATIONS:
	default:
		break;
	}
	host->n_events++;
	machine->count.n_events++;
	return wp_ctf_writer_event(host->writer, cpu->number, time, machine->class_ids[step->op],
				   values, error);
}
