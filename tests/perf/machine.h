/* SPDX-License-Identifier: MIT */
/*
 * machine.h: machines that are made up, and traced: hosts with CPUs, tasks that write to
 * each other through pipes, wait for timers, and call a server on the next host.
 *
 * Every CPU has a *script*: the events that it will emit next, one each time it gets its turn. A
 * script is written when the one before has ended, from what the CPU's task is; interrupts have
 * a script of their own that goes first. What an event does to a task happens when it is emitted,
 * so that hosts and CPUs may be interleaved in any order and the whole remains possible: nobody
 * runs on two CPUs, nobody is woken before it waits, no packet arrives before it was sent.
 */
#ifndef WP_TESTS_PERF_MACHINE_H
#define WP_TESTS_PERF_MACHINE_H

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
	MIX_FULL, /* as a recorded host with system calls, timers, interrupts, some packets */
	MIX_SCHED, /* sched_switch, sched_waking and sched_wakeup alone */
	MIX_PACKETS /* calls between hosts, and nothing else */
} Mix;

typedef struct {
	guint64 n_events; /* of all hosts together, about; 0: as many as n_packets need */
	guint64 n_packets; /* sent, of all hosts; 0: as n_events allow */
	guint n_hosts;
	guint n_cpus; /* each */
	guint n_tasks; /* a CPU, that take turns */
	guint n_idle; /* tasks of each host that run once */
	guint depth; /* of a staircase of waits; 0: none, else nothing but it */
	guint64 seed;
	Mix mix;
} MachineConfig;

/* What was written, to be held against what is read. */
typedef struct {
	guint64 n_events, n_packets;
} MachineCount;

/*
 * Writes the trace of each host to directory/hostN/kernel, and what is true of them to
 * directory/truth.json. directory must not be there.
 */
gboolean machine_write(const gchar *directory, const MachineConfig *config, MachineCount *ret_count,
		       GError **error);

G_END_DECLS

#endif
