/* SPDX-License-Identifier: MIT */
/* machine-private.h: the parts of a made-up machine, and how its events are written. */
#ifndef WP_TESTS_PERF_MACHINE_PRIVATE_H
#define WP_TESTS_PERF_MACHINE_PRIVATE_H

#include "lib/ctf-writer.h"
#include "machine.h"

G_BEGIN_DECLS

/* What a CPU can do: an event each. X(name, event, whether it is in a trace of sched events) */
#define OPERATIONS(X)                                                                              \
	X(SWITCH, "sched_switch", TRUE)                                                            \
	X(WAKING, "sched_waking", TRUE)                                                            \
	X(WAKEUP, "sched_wakeup", TRUE)                                                            \
	X(READ_IN, "syscall_entry_read", FALSE)                                                    \
	X(READ_OUT, "syscall_exit_read", FALSE)                                                    \
	X(WRITE_IN, "syscall_entry_write", FALSE)                                                  \
	X(WRITE_OUT, "syscall_exit_write", FALSE)                                                  \
	X(FUTEX_IN, "syscall_entry_futex", FALSE)                                                  \
	X(FUTEX_OUT, "syscall_exit_futex", FALSE)                                                  \
	X(SLEEP_IN, "syscall_entry_clock_nanosleep", FALSE)                                        \
	X(SLEEP_OUT, "syscall_exit_clock_nanosleep", FALSE)                                        \
	X(HRTIMER_START, "timer_hrtimer_start", FALSE)                                             \
	X(HRTIMER_IN, "timer_hrtimer_expire_entry", FALSE)                                         \
	X(HRTIMER_OUT, "timer_hrtimer_expire_exit", FALSE)                                         \
	X(TIMER_IN, "timer_expire_entry", FALSE)                                                   \
	X(TIMER_OUT, "timer_expire_exit", FALSE)                                                   \
	X(RAISE, "irq_softirq_raise", FALSE)                                                       \
	X(SOFTIRQ_IN, "irq_softirq_entry", FALSE)                                                  \
	X(SOFTIRQ_OUT, "irq_softirq_exit", FALSE)                                                  \
	X(IRQ_IN, "irq_handler_entry", FALSE)                                                      \
	X(IRQ_OUT, "irq_handler_exit", FALSE)                                                      \
	X(QUEUE, "net_dev_queue", FALSE)                                                           \
	X(XMIT, "net_dev_xmit", FALSE)                                                             \
	X(RECEIVE, "net_if_receive_skb", FALSE)                                                    \
	X(DUMP_START, "lttng_statedump_start", TRUE)                                               \
	X(DUMP_TASK, "lttng_statedump_process_state", TRUE)                                        \
	X(DUMP_END, "lttng_statedump_end", TRUE)

typedef enum {
#define X(name, event, sched) OP_##name,
	OPERATIONS(X)
#undef X
		N_OPERATIONS
} Operation;

/* A task that runs once and then waits for its timer belongs to no CPU: TASK_IDLE. */
typedef enum { TASK_PAIR, TASK_SLEEPER, TASK_CLIENT, TASK_SERVER, TASK_IDLE } TaskKind;

typedef struct {
	gint32 tid;
	guint host; /* of all */
	guint cpu; /* of all CPUs of all hosts: where it runs */
	TaskKind kind;
	guint partner; /* PAIR: the task at the pipe's other end */
	guint connection; /* CLIENT, SERVER */
	gboolean waits; /* it has left its CPU and was not woken since */
	gchar comm[16];
} Task;

typedef struct {
	guint ends[2]; /* tasks: client and server */
	guint32 sent[2]; /* bytes that each has sent */
	guint16 ip_id[2];
} Connection;

/* A packet on the wire. */
typedef struct {
	gint64 time; /* of its arrival, at the earliest */
	guint connection, end; /* which of the two receives it */
	guint32 seq, ack, length;
	guint16 ip_id;
} Flight;

typedef struct {
	Operation op;
	guint arg; /* a task, a vector, a number */
} Step;

#define SCRIPT_MAX 32u

typedef struct {
	Step steps[SCRIPT_MAX];
	guint next, n;
} Script;

typedef struct {
	guint host, number; /* of the host's */
	guint current; /* task, NO_TASK: it is idle */
	guint sleeper; /* its task that waits for timers, NO_TASK */
	GQueue queue; /* of tasks that wait for it, as GUINT_TO_POINTER() */
	Script script, interrupt;
	Flight arrived; /* the packet of the interrupt at hand */
	Flight sent; /* the packet of the script at hand */
} Cpu;

#define NO_TASK G_MAXUINT

typedef struct {
	WpCtfWriter *writer; /* owned */
	gint64 boot; /* ns: what its clock showed at the beginning */
	gint64 drift; /* parts in 10^9 that its clock is faster than true time */
	gint64 ahead; /* ns that its time of day was ahead at the beginning */
	guint64 n_events;
	guint next_idle; /* the first of its idle tasks that has not run; among all tasks */
	guint end_idle;
	guint8 address[4];
} Host;

typedef struct {
	MachineConfig config;
	guint64 chance; /* the state of the random numbers */
	gint64 now; /* true time, ns since the beginning */
	Host *hosts; /* owned: config.n_hosts */
	Cpu *cpus; /* owned: config.n_hosts * config.n_cpus */
	guint n_cpus;
	GArray *tasks; /* owned: Task */
	GArray *connections; /* owned: Connection */
	GArray *flights; /* owned: Flight, a heap, the earliest first */
	guint class_ids[N_OPERATIONS];
	MachineCount count;
} Machine;

#define machine_task(machine, i) (&g_array_index((machine)->tasks, Task, (i)))
#define machine_connection(machine, i) (&g_array_index((machine)->connections, Connection, (i)))

/* A number from 0 to n - 1. */
guint machine_chance(Machine *machine, guint n);

/* ---- machine-emit.c ---- */

/* Makes the hosts' directories and writers. */
gboolean machine_open(Machine *machine, const gchar *directory, GError **error);
/* Writes truth.json. */
gboolean machine_write_truth(const Machine *machine, const gchar *directory, GError **error);
/* Writes the event of a step, which changes nothing of the machine. */
gboolean machine_emit(Machine *machine, Cpu *cpu, const Step *step, GError **error);

G_END_DECLS

#endif
