/* SPDX-License-Identifier: MIT */
/*
 * needs.c: what the analysis needs a trace to hold, as a table of roles: the kinds
 * of events that fill the role, what is missed without them, and what to say to
 * LTTng to have them.
 */
#include "config.h"

#include <stdlib.h>

#include "session/session-private.h"

G_STATIC_ASSERT(WP_EV_N <= 64);

#define KIND(kind) (G_GUINT64_CONSTANT(1) << WP_EV_##kind)

typedef enum {
	NEED_ALWAYS,
	NEED_SINCE_4_3, /* of kernels that have the event */
} NeedWhen;

typedef struct {
	const gchar *role, *needed_for;
	guint64 any; /* one of these kinds is enough */
	guint64 all; /* these are all needed */
	const gchar *events; /* as LTTng 2.6 and later calls them */
	const gchar *old_events; /* LTTng before 2.6; NULL: the same */
	const gchar *ftrace; /* options of trace-cmd; NULL: it has nothing of the kind */
	NeedWhen when;
	gboolean required;
} Need;

static const Need needs[] = {
	{"task switches", "knowing what any task does", 0, KIND(SCHED_SWITCH), "sched_switch", NULL,
	 "-e sched:sched_switch", NEED_ALWAYS, TRUE},
	{"wake-ups", "knowing who or what ended a wait", KIND(SCHED_WAKING) | KIND(SCHED_WAKEUP), 0,
	 "sched_waking,sched_wakeup,sched_wakeup_new", "sched_wakeup,sched_wakeup_new",
	 "-e sched:sched_wak*", NEED_ALWAYS, FALSE},
	{"wakers", "telling the waker when it wakes a task on another CPU", 0, KIND(SCHED_WAKING),
	 "sched_waking", NULL, "-e sched:sched_waking", NEED_SINCE_4_3, FALSE},
	{"task life", "children, names, and telling tasks with the same number apart", 0,
	 KIND(SCHED_FORK) | KIND(SCHED_EXIT),
	 "sched_process_fork,sched_process_exec,sched_process_exit,sched_process_free", NULL,
	 "-e sched:sched_process_*", NEED_ALWAYS, FALSE},
	{"state dump", "tasks and interrupts that were there before the trace began",
	 KIND(DUMP_PROCESS), 0, NULL, NULL, NULL, NEED_ALWAYS, FALSE},
	{"interrupts", "waits for disks and other devices, and time that interrupts take", 0,
	 KIND(IRQ_ENTRY) | KIND(IRQ_EXIT), "irq_handler_entry,irq_handler_exit", NULL,
	 "-e irq:irq_handler_*", NEED_ALWAYS, FALSE},
	{"softirqs", "waits for the network and for timers", 0,
	 KIND(SOFTIRQ_RAISE) | KIND(SOFTIRQ_ENTRY) | KIND(SOFTIRQ_EXIT),
	 "irq_softirq_raise,irq_softirq_entry,irq_softirq_exit",
	 "softirq_raise,softirq_entry,softirq_exit", "-e irq:softirq_*", NEED_ALWAYS, FALSE},
	{"timers", "telling sleeps and time-outs from other waits", 0,
	 KIND(HRTIMER_ENTRY) | KIND(HRTIMER_EXIT),
	 "timer_hrtimer_expire_entry,timer_hrtimer_expire_exit,timer_expire_entry,"
	 "timer_expire_exit",
	 "hrtimer_expire_entry,hrtimer_expire_exit,timer_expire_entry,timer_expire_exit",
	 "-e timer:hrtimer_* -e timer:timer_*", NEED_ALWAYS, FALSE},
	{"packets", "following a wait to another host", KIND(SOCK_IN), 0,
	 "net_dev_queue,net_if_receive_skb,net_dev_xmit",
	 "net_dev_queue,netif_receive_skb,net_dev_xmit", NULL, NEED_ALWAYS, FALSE},
	{"disk requests", "naming the disk that a wait is for, and whose request it was", 0,
	 KIND(BLOCK_ISSUE) | KIND(BLOCK_COMPLETE),
	 "block_rq_insert,block_rq_issue,block_rq_complete", NULL, "-e block:block_rq_*",
	 NEED_ALWAYS, FALSE},
	{"work items", "telling whom a kernel worker works for", 0,
	 KIND(WORK_QUEUE) | KIND(WORK_START) | KIND(WORK_END),
	 "workqueue_queue_work,workqueue_execute_start,workqueue_execute_end", NULL, "-e workqueue",
	 NEED_ALWAYS, FALSE},
	{"system calls", "naming the system call that a wait sits in (optional)",
	 KIND(SYSCALL_ENTRY), 0, NULL, NULL, "-e raw_syscalls", NEED_ALWAYS, FALSE},
};

static gboolean is_ftrace(const WpTraceInfo *info)
{
	return !g_strcmp0(info->tracer, "trace-cmd");
}

guint64 wp_needs_kinds(const WpTraceInfo *info)
{
	guint64 kinds = info->kinds;

	/* Packets are there with headers (which ftrace has not), or as what sockets saw. */
	if (!is_ftrace(info) && kinds & KIND(NET_QUEUE) && kinds & KIND(NET_RECEIVE))
		kinds |= KIND(SOCK_IN);
	return kinds;
}

/* Whether a kernel has sched_waking, which came with 4.3; one that is not known may. */
static gboolean is_since_4_3(const gchar *release)
{
	gchar *end;
	glong major, minor;

	if (!release)
		return FALSE;
	major = strtol(release, &end, 10);
	minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
	return major > 4 || (major == 4 && minor >= 3);
}

static gboolean is_filled(const Need *need, guint64 kinds)
{
	return (kinds & need->all) == need->all && (!need->any || kinds & need->any);
}

static const gchar *needed_for(const Need *need, const WpTraceInfo *info)
{
	if (is_ftrace(info) && need->any & KIND(SOCK_IN))
		return "following a wait to another host (trace-cmd records no headers, so hosts "
		       "can't be joined by packets)";
	return need->needed_for;
}

static gchar *enable_line(const Need *need, const WpTraceInfo *info)
{
	gboolean old = info->tracer_major == 2 && info->tracer_minor >= 0 && info->tracer_minor < 6;

	/* what ftrace does not have, LTTng has */
	if (is_ftrace(info))
		return need->ftrace ? g_strdup_printf("trace-cmd record -C mono %s", need->ftrace)
				    : g_strdup("waitpath record");
	if (need->any & KIND(SYSCALL_ENTRY))
		return g_strdup("lttng enable-event --kernel --syscall --all");
	if (!need->events)
		return g_strdup("lttng regenerate statedump");
	return g_strdup_printf("lttng enable-event --kernel %s",
			       old && need->old_events ? need->old_events : need->events);
}

void wp_needs_add_missing(GArray *missing, guint64 kinds, const WpTraceInfo *info)
{
	for (guint i = 0; i < G_N_ELEMENTS(needs); i++) {
		const Need *need = &needs[i];

		if (is_filled(need, kinds))
			continue;
		if (need->when == NEED_SINCE_4_3 &&
		    (!is_since_4_3(info->kernel_release) || !(kinds & KIND(SCHED_WAKEUP))))
			continue;

		WpMissing row = {need->role, needed_for(need, info), enable_line(need, info),
				 need->required};

		g_array_append_val(missing, row);
	}
}
