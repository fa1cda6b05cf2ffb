/* SPDX-License-Identifier: MIT */
/* main.c: finds the command, runs it, and turns errors into exit statuses. */
#include "config.h"

#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/bus.h"
#include "base/error.h"
#include "base/words.h"
#include "cli/cli.h"

static const CliCommand commands[] = {
	{"path", CLI_PATH, "-t TASK [OPTION...] TRACE...",
	 "the critical (active) path of one task: where its time went, across hosts",
	 "The answer begins with one sentence; then come the shares by task, state and host, and\n"
	 "how far they can be trusted. -v adds the segments of the path as a timeline.\n",
	 cli_path},
	{"tasks", CLI_TASKS, "[OPTION...] TRACE...",
	 "what the path of every task consists of, ranked", NULL, cli_tasks},
	{"requests", CLI_REQUESTS,
	 "-t TASK (--each RULE | --from EVENT [--to EVENT]) [OPTION...] TRACE...",
	 "a task's life split into requests, and what slow ones have that fast ones don't", NULL,
	 cli_requests},
	{"compare", CLI_COMPARE, "-t TASK [OPTION...] X Y",
	 "what the difference in time of two runs, or two windows, is made of",
	 "X and Y are directories of traces, files of \"waitpath graph\", or results that path or\n"
	 "tasks wrote with --format json.\n",
	 cli_compare},
	{"blockers", CLI_BLOCKERS, "[OPTION...] TRACE...",
	 "who waits for whom, for what and how long, over all tasks", NULL, cli_blockers},
	{"sync", CLI_SYNC, "[OPTION...] TRACE...",
	 "how the clocks of the hosts relate, found from the packets between them", NULL, cli_sync},
	{"check", CLI_CHECK, "[OPTION...] TRACE...",
	 "is this trace fit: events that are missing or lost, clocks", NULL, cli_check},
	{"export", CLI_EXPORT, "--format FORMAT -t TASK [OPTION...] TRACE...",
	 "a path, and the tasks on it over time, for other tools", NULL, cli_export},
	{"graph", CLI_GRAPH, "-o FILE [OPTION...] TRACE...",
	 "saves the analysed graph; every command takes FILE instead of traces", NULL, cli_graph},
	{"record", CLI_RECORD, "[-o DIR] [OPTION...] [--] [COMMAND...]",
	 "records with LTTng what the analysis needs",
	 "Runs COMMAND, or waits for Ctrl+C, while the whole machine is recorded; then checks "
	 "what\n"
	 "was recorded and says what to type next. Each command line of lttng is shown.\n",
	 cli_record},
	{"view", CLI_VIEW, "[-t TASK] [OPTION...] [TRACE...]",
	 "opens the viewer, waitpath-viewer, on the same arguments", NULL, cli_view},
};

static const CliCommand *find_command(const gchar *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(commands); i++)
		if (g_str_equal(commands[i].name, name))
			return &commands[i];
	return NULL;
}

static void unknown_command(const gchar *name, GError **error)
{
	const gchar *names[G_N_ELEMENTS(commands)], *near;

	for (guint i = 0; i < G_N_ELEMENTS(commands); i++)
		names[i] = commands[i].name;
	near = wp_nearest_word(name, names, G_N_ELEMENTS(names));
	if (near)
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
			    "There is no command \"%s\"; is it %s?", name, near);
	else
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
			    "There is no command \"%s\"; see \"waitpath help\".", name);
}

static void print_overview(WpOut *out)
{
	wp_out_put(out,
		   "usage: waitpath COMMAND [OPTION...] TRACE...\n"
		   "\n"
		   "Finds where the time of a task went, from kernel traces of one or more hosts.\n"
		   "\n"
		   "Commands:\n");
	for (guint i = 0; i < G_N_ELEMENTS(commands); i++)
		wp_out_printf(out, "  %-10s  %s\n", commands[i].name, commands[i].summary);
	wp_out_put(out,
		   "\n"
		   "TRACE is a directory, below which every CTF trace is read, or a file of "
		   "\"waitpath graph\".\nNAME=TRACE names its "
		   "host.\n"
		   "\n"
		   "\"waitpath help COMMAND\" tells of one of them; \"waitpath --version\" which "
		   "this is.\n");
}

static void print_command(WpOut *out, const CliCommand *command)
{
	wp_out_printf(out, "usage: waitpath %s %s\n\n%c%s.\n", command->name, command->usage,
		      g_ascii_toupper(*command->summary), command->summary + 1);
	if (command->more)
		wp_out_put(out, command->more);
	wp_out_put(out, "\nOptions:\n");
	cli_options_print_help(out, command);
}

/* "help [COMMAND]"; arguments is what follows the word help. */
static gint help(gchar **arguments, GError **error)
{
	g_autoptr(WpOut) out = wp_out_new_fd(STDOUT_FILENO);
	const CliCommand *command = NULL;

	if (*arguments) {
		command = find_command(*arguments);
		if (!command) {
			unknown_command(*arguments, error);
			return -1;
		}
	}
	if (command)
		print_command(out, command);
	else
		print_overview(out);
	return cli_finish(NULL, out, NULL, error) ? CLI_DONE : -1;
}

static gint print_version(GError **error)
{
	g_autoptr(WpOut) out = wp_out_new_fd(STDOUT_FILENO);

	wp_out_printf(out, "waitpath %s\n", PACKAGE_VERSION);
	return cli_finish(NULL, out, NULL, error) ? CLI_DONE : -1;
}

/* Where an interrupt has ended the command: says what there is now, and ends as by the signal. */
G_NORETURN static void end_interrupted(gint number, const gchar *left)
{
	fprintf(stderr, "waitpath: interrupted; %s.\n", left ? left : "nothing was written");
	wp_interrupt_die(number);
}

static gint run_command(const CliCommand *command, gchar **arguments, GError **error)
{
	g_autofree gchar *left = NULL;
	CliOptions options;
	gint status = -1, number;

	cli_options_init(&options);
	if (cli_options_parse(&options, command, arguments, error)) {
		gchar *name[] = {(gchar *)command->name, NULL};

		if (command->bit & CLI_INTERRUPTED)
			options.interrupt = wp_interrupt_begin();
		status = options.help ? help(name, error) : command->run(&options, error);
	}
	number = wp_interrupt_end(options.interrupt, &left);
	cli_options_clear(&options);
	/* What was done all the same is done; another error is told as such. */
	if (number && status < 0 && g_error_matches(*error, WP_ERROR, WP_ERROR_CANCELLED))
		end_interrupted(number, left);
	return status;
}

static gint run(gchar **arguments, GError **error)
{
	const gchar *word = arguments[0];
	const CliCommand *command;

	if (!word) {
		g_set_error(
			error, WP_ERROR, WP_ERROR_USAGE,
			"What is to be done? waitpath COMMAND TRACE...; see \"waitpath help\".");
		return -1;
	}
	if (g_str_equal(word, "help") || g_str_equal(word, "--help") || g_str_equal(word, "-h"))
		return help(arguments + 1, error);
	if (g_str_equal(word, "--version") || g_str_equal(word, "-V"))
		return print_version(error);
	command = find_command(word);
	if (!command) {
		unknown_command(word, error);
		return -1;
	}
	return run_command(command, arguments + 1, error);
}

static gint status_of_error(const GError *error)
{
	if (g_error_matches(error, WP_ERROR, WP_ERROR_USAGE))
		return CLI_USAGE;
	if (g_error_matches(error, WP_ERROR, WP_ERROR_CANNOT_ANSWER))
		return CLI_CANNOT_ANSWER;
	return CLI_FAILED;
}

/*
 * What was freed is used again: a page that goes back to the kernel between reading and answering
 * costs a fault when it is needed once more, 5 % of the time that a small trace takes. What a
 * trace makes large lies in columns, which do give back.
 */
static void keep_freed_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, 32 << 20);
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	gint status;

	(void)argc;
	keep_freed_memory();
	/* Letters and the system's messages are the user's; numbers are the same everywhere. */
	setlocale(LC_CTYPE, "");
	setlocale(LC_MESSAGES, "");
	/* A reader that goes, a file that may not grow: seen as a failed write. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	wp_bus_guard();
	status = run(argc > 0 ? argv + 1 : argv, &error);
	if (status >= 0)
		return status;
	fprintf(stderr, "waitpath: %s\n", error->message);
	return status_of_error(error);
}
