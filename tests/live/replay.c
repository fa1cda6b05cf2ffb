/* SPDX-License-Identifier: MIT */
/*
 * replay.c: gives what a kernel did once as events of LTTng's user-space tracer.
 *
 * Reads lines of CPU, event and fields, with tabs between, and gives each as an event, now, on the
 * CPU that the line names, whichever it runs on: the tracer asks us. Behind each EVENTS_BETWEEN of
 * them it sleeps for so many microseconds as the argument says, so that they take some time.
 */
#include "config.h"

#include <glib.h>
#include <lttng/ust-getcpu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "tests/live/replay-events.h"

#define FIELDS_MAX 8
#define EVENTS_BETWEEN 20

/* The tracer's callback has no argument. */
static int cpu_now;

static int get_cpu(void)
{
	return cpu_now;
}

static int number(gchar *const *fields, guint i)
{
	return atoi(fields[i]);
}

static void give(gchar *const *fields, guint n)
{
	const gchar *name = fields[1];

	cpu_now = number(fields, 0);
	if (n == 7 && g_str_equal(name, "sched_switch"))
		lttng_ust_tracepoint(replay, sched_switch, fields[2], number(fields, 3),
				     atol(fields[4]), fields[5], number(fields, 6));
	else if (n == 5 && g_str_equal(name, "sched_waking"))
		lttng_ust_tracepoint(replay, sched_waking, fields[2], number(fields, 3),
				     number(fields, 4));
	else if (n == 3 && g_str_equal(name, "irq_entry"))
		lttng_ust_tracepoint(replay, irq_entry, number(fields, 2));
	else if (n == 3 && g_str_equal(name, "irq_exit"))
		lttng_ust_tracepoint(replay, irq_exit, number(fields, 2));
	else if (n == 3 && g_str_equal(name, "softirq_entry"))
		lttng_ust_tracepoint(replay, softirq_entry, number(fields, 2));
	else if (n == 3 && g_str_equal(name, "softirq_exit"))
		lttng_ust_tracepoint(replay, softirq_exit, number(fields, 2));
}

int main(int argc, char **argv)
{
	const gulong pause = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	gchar line[512];
	guint n_given = 0;

	if (lttng_ust_getcpu_override(get_cpu) != 0) {
		fprintf(stderr, "the tracer takes no other CPU numbers\n");
		return 1;
	}
	while (fgets(line, sizeof(line), stdin)) {
		g_auto(GStrv) fields = g_strsplit(g_strchomp(line), "\t", FIELDS_MAX);
		guint n = g_strv_length(fields);

		if (n >= 3)
			give(fields, n);
		if (pause && ++n_given % EVENTS_BETWEEN == 0)
			g_usleep(pause);
	}
	return 0;
}
