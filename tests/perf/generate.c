/* SPDX-License-Identifier: MIT */
/*
 * generate DIRECTORY: writes traces of any size, as LTTng writes them, of machines that are made
 * up (machine.h). The same options give the same bytes.
 */
#include "config.h"

#include "machine.h"

static gboolean parse_mix(const gchar *option, const gchar *value, gpointer data, GError **error)
{
	static const gchar *const words[] = {
		[MIX_FULL] = "full",
		[MIX_SCHED] = "sched",
		[MIX_PACKETS] = "packets",
	};
	MachineConfig *config = data;

	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		if (g_str_equal(words[i], value)) {
			config->mix = (Mix)i;
			return TRUE;
		}
	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
		    "%s is full, sched or packets, not %s", option, value);
	return FALSE;
}

/* Adds the options; numbers (of seven) get what they say. */
static GOptionContext *make_options(MachineConfig *config, gint64 numbers[7])
{
	const GOptionEntry entries[] = {
		{"events", 0, 0, G_OPTION_ARG_INT64, &numbers[0], "of all hosts together", "N"},
		{"packets", 0, 0, G_OPTION_ARG_INT64, &numbers[1], "sent by all hosts", "N"},
		{"hosts", 0, 0, G_OPTION_ARG_INT64, &numbers[2], "1", "N"},
		{"cpus", 0, 0, G_OPTION_ARG_INT64, &numbers[3], "of each host, 4", "N"},
		{"tasks", 0, 0, G_OPTION_ARG_INT64, &numbers[4], "of each CPU, 8", "N"},
		{"idle-tasks", 0, 0, G_OPTION_ARG_INT64, &numbers[5], "of each host", "N"},
		{"staircase", 0, 0, G_OPTION_ARG_INT64, &numbers[6], "waits in each other", "N"},
		{"mix", 0, 0, G_OPTION_ARG_CALLBACK, (gpointer)parse_mix,
		 "of events, full; for measuring the state model alone, sched; for clocks, packets",
		 "full|sched|packets"},
		{"seed", 0, 0, G_OPTION_ARG_INT64, &config->seed, "of chance", "N"},
		{NULL},
	};
	GOptionContext *context = g_option_context_new("DIRECTORY");
	GOptionGroup *group = g_option_group_new("generate", "", "", config, NULL);

	g_option_group_add_entries(group, entries);
	g_option_context_set_main_group(context, group);
	return context;
}

int main(int argc, char **argv)
{
	MachineConfig config = {.seed = 1};
	MachineCount count;
	gint64 numbers[7] = {0, 0, 1, 4, 8, 0, 0};
	g_autoptr(GOptionContext) context = make_options(&config, numbers);
	g_autoptr(GError) error = NULL;

	if (!g_option_context_parse(context, &argc, &argv, &error)) {
		g_printerr("generate: %s\n", error->message);
		return 2;
	}
	if (argc != 2 || numbers[0] < 0 || numbers[1] < 0 || numbers[0] + numbers[1] == 0 ||
	    numbers[2] < 1 || numbers[2] > 1000 || numbers[3] < 1 || numbers[3] > 1000 ||
	    numbers[4] < 2 || numbers[4] > 100000 || numbers[5] < 0 || numbers[5] > 1000000 ||
	    numbers[6] < 0 || numbers[6] > 1000000) {
		g_printerr(
			"generate: --events or --packets and one DIRECTORY are needed; 1 to 1000 "
			"hosts and CPUs, 2 to 100000 tasks a CPU\n");
		return 2;
	}
	config.n_events = (guint64)numbers[0];
	config.n_packets = (guint64)numbers[1];
	config.n_hosts = (guint)numbers[2];
	config.n_cpus = (guint)numbers[3];
	config.n_tasks = (guint)numbers[4];
	config.n_idle = (guint)numbers[5];
	config.depth = (guint)numbers[6];
	if (!machine_write(argv[1], &config, &count, &error)) {
		g_printerr("generate: %s\n", error->message);
		return 1;
	}
	g_print("%" G_GUINT64_FORMAT " events, %" G_GUINT64_FORMAT " packets\n", count.n_events,
		count.n_packets);
	return 0;
}
