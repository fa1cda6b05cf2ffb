/* SPDX-License-Identifier: MIT */
/*
 * lttng.c: the events of each profile as a table, and the command lines made of it.
 *
 * Events that are no use to the analysis are not recorded: they cost time and
 * buffers on the machine that is looked at. What belongs together is enabled by one
 * command, so that a kernel without some of it says which part is missed.
 */
#include "config.h"

#include <stdarg.h>
#include <string.h>

#include "cli/lttng.h"

#define CHANNEL "waitpath"
#define USER_CHANNEL "waitpath-user"
/* A buffer is divided in so many: one is written while the others are filled. */
#define N_SUB_BUFFERS 8
#define SUB_BUFFER_MIN 4096

typedef struct {
	LttngProfile from; /* the least profile that has it */
	const gchar *events; /* NULL: all system calls */
	const gchar *missed; /* without it; NULL: it must be there */
} Group;

/* clang-format off */
static const Group groups[] = {
	{LTTNG_MINIMAL, "sched_switch,sched_wakeup,sched_wakeup_new", NULL},
	{LTTNG_MINIMAL, "sched_waking",
	 "the waker of a task on another CPU (kernels before 4.3 do not tell it)"},
	{LTTNG_MINIMAL, "sched_process_fork,sched_process_exec,sched_process_exit,sched_process_free",
	 "children and names of tasks"},
	{LTTNG_MINIMAL, "lttng_statedump_*",
	 "tasks and interrupts that were there before the trace began"},
	{LTTNG_MINIMAL, "net_dev_queue,net_if_receive_skb", "waits for other hosts"},
	{LTTNG_DEFAULT, "sched_migrate_task", "tasks that change CPU while they wait for one"},
	{LTTNG_DEFAULT, "irq_handler_entry,irq_handler_exit",
	 "waits for devices, and the time that interrupts take"},
	{LTTNG_DEFAULT, "irq_softirq_raise,irq_softirq_entry,irq_softirq_exit",
	 "waits for the network and for timers"},
	{LTTNG_DEFAULT, "timer_hrtimer_start,timer_hrtimer_expire_entry,timer_hrtimer_expire_exit,"
			"timer_start,timer_expire_entry,timer_expire_exit",
	 "telling sleeps and time-outs from other waits"},
	{LTTNG_DEFAULT, "net_dev_xmit", "how long packets wait to be sent"},
	{LTTNG_DEFAULT, "block_rq_insert,block_rq_issue,block_rq_complete", "waits for disks"},
	{LTTNG_DEFAULT, "workqueue_queue_work,workqueue_execute_start,workqueue_execute_end",
	 "whom a kernel worker works for"},
	{LTTNG_FULL, "signal_generate", "signals that end a wait"},
	{LTTNG_FULL, "napi_poll", "how long packets wait to be received"},
	{LTTNG_FULL, "x86_irq_vectors_*", "interrupts between CPUs (x86 only)"},
	{LTTNG_FULL, NULL, "the system call that a wait sits in"},
};
/* clang-format on */

static void step_free(gpointer data)
{
	LttngStep *step = data;

	g_strfreev(step->arguments);
	g_free(step);
}

static GPtrArray *plan_new(void)
{
	return g_ptr_array_new_with_free_func(step_free);
}

/* The arguments behind "lttng": strings, up to NULL. */
static LttngStep *add_step(GPtrArray *plan, const gchar *argument, ...) G_GNUC_NULL_TERMINATED;
static LttngStep *add_step(GPtrArray *plan, const gchar *argument, ...)
{
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	LttngStep *step = g_new0(LttngStep, 1);
	va_list rest;

	g_strv_builder_add(builder, "lttng");
	va_start(rest, argument);
	for (; argument; argument = va_arg(rest, const gchar *))
		g_strv_builder_add(builder, argument);
	va_end(rest);
	step->arguments = g_strv_builder_end(builder);
	g_ptr_array_add(plan, step);
	return step;
}

/* The largest power of two that lets N_SUB_BUFFERS of it fit in the buffer. */
static guint64 sub_buffer_size(guint64 buffer)
{
	guint64 size = SUB_BUFFER_MIN;

	while (size * 2 * N_SUB_BUFFERS <= buffer)
		size *= 2;
	return size;
}

static void add_kernel(GPtrArray *plan, const LttngRecording *recording, const gchar *session)
{
	g_autofree gchar *size = g_strdup_printf("--subbuf-size=%" G_GUINT64_FORMAT,
						 sub_buffer_size(recording->buffer));
	g_autofree gchar *number = g_strdup_printf("--num-subbuf=%d", N_SUB_BUFFERS);
	LttngStep *channel;

	channel = add_step(plan, "enable-channel", "--kernel", session, size, number, CHANNEL,
			   NULL);
	channel->first_of_kernel = TRUE;
	for (guint i = 0; i < G_N_ELEMENTS(groups); i++) {
		LttngStep *step;

		if (groups[i].from > recording->profile)
			continue;
		if (groups[i].events)
			step = add_step(plan, "enable-event", "--kernel", session,
					"--channel=" CHANNEL, groups[i].events, NULL);
		else
			step = add_step(plan, "enable-event", "--kernel", session,
					"--channel=" CHANNEL, "--syscall", "--all", NULL);
		step->missed = groups[i].missed;
	}
}

static void add_user(GPtrArray *plan, const LttngRecording *recording, const gchar *session)
{
	add_step(plan, "enable-channel", "--userspace", session, USER_CHANNEL, NULL);
	add_step(plan, "enable-event", "--userspace", session, "--channel=" USER_CHANNEL,
		 recording->user_events, NULL);
	/* By these an event is put on its thread. */
	add_step(plan, "add-context", "--userspace", session, "--channel=" USER_CHANNEL,
		 "--type=vpid", "--type=vtid", "--type=procname", NULL);
}

static void add_rotation(GPtrArray *plan, const LttngRecording *recording, const gchar *session)
{
	gchar unit = recording->rotate[strlen(recording->rotate) - 1];
	gboolean is_size = g_ascii_isdigit(unit) || strchr("kKMG", unit);
	g_autofree gchar *when = g_strdup_printf("--%s=%s", is_size ? "size" : "timer",
						 recording->rotate);

	add_step(plan, "enable-rotation", session, when, NULL);
}

GPtrArray *lttng_plan_begin(const LttngRecording *recording)
{
	g_autofree gchar *session = g_strdup_printf("--session=%s", recording->session);
	g_autofree gchar *output = g_strdup_printf("--output=%s", recording->directory);
	GPtrArray *plan = plan_new();

	add_step(plan, "create", recording->session, output,
		 recording->snapshot ? "--snapshot" : NULL, NULL);
	add_kernel(plan, recording, session);
	if (recording->user_events)
		add_user(plan, recording, session);
	if (recording->rotate)
		add_rotation(plan, recording, session);
	add_step(plan, "start", recording->session, NULL);
	return plan;
}

GPtrArray *lttng_plan_end(const LttngRecording *recording)
{
	g_autofree gchar *session = g_strdup_printf("--session=%s", recording->session);
	GPtrArray *plan = plan_new();

	add_step(plan, "stop", recording->session, NULL);
	if (recording->snapshot)
		add_step(plan, "snapshot", "record", session, NULL);
	add_step(plan, "destroy", recording->session, NULL);
	return plan;
}

GPtrArray *lttng_plan_abandon(const LttngRecording *recording)
{
	GPtrArray *plan = plan_new();

	add_step(plan, "destroy", recording->session, NULL);
	return plan;
}

gchar *lttng_step_to_string(const LttngStep *step)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; step->arguments[i]; i++) {
		const gchar *argument = step->arguments[i];
		g_autofree gchar *quoted = g_shell_quote(argument);

		if (i)
			g_string_append_c(text, ' ');
		/* What a shell leaves alone is easier to read without quotes. */
		if (*argument && strspn(argument, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUV"
						  "WXYZ0123456789_-=,./:@%+") == strlen(argument))
			g_string_append(text, argument);
		else
			g_string_append(text, quoted);
	}
	return g_string_free(text, FALSE);
}
