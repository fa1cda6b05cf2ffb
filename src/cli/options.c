/* SPDX-License-Identifier: MIT */
/*
 * options.c: the table of options. A row says what an option is called, what it
 * takes, where that goes in CliOptions and which commands know it.
 *
 * --name VALUE, --name=VALUE, -n VALUE, -nVALUE; flags of one letter may be joined;
 * options and traces may be mixed; behind -- all are traces. What record takes is no
 * trace but a command line: it goes to the same list, and ends the options.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/words.h"
#include "cli/cli.h"
#include "export/exporter.h"
#include "cli/lttng.h"

typedef enum {
	TAKES_NOTHING, /* gboolean becomes TRUE */
	TAKES_NOTHING_COUNTED, /* guint goes up */
	TAKES_TEXT, /* gchar *, owned */
	TAKES_TEXTS, /* GPtrArray * of owned gchar * */
	TAKES_NUMBER, /* guint, 1 or more */
	TAKES_COUNT, /* guint, 0 or more */
	TAKES_SIZE, /* guint64 bytes */
	TAKES_CHOICE, /* guint: the place in choices */
	TAKES_FORMAT, /* guint: the place in wp_format_list() */
	TAKES_EXPORTER /* guint: the place in wp_exporter_list() */
} Takes;

typedef struct {
	gchar letter; /* '\0' for none */
	const gchar *name;
	const gchar *value; /* what --help calls it, NULL for a flag */
	const gchar *help;
	guint commands; /* CLI_... */
	Takes takes;
	gsize offset; /* in CliOptions */
	const gchar *const *choices; /* NULL-terminated */
} Option;

static const gchar *const sorts[] = {"others", "own", "time", "running", NULL}; /* CliSort */
static const gchar *const each_rules[] = {"events", "network", "connection", NULL}; /* CliEach */
static const gchar *const modes[] = {"active", "causal", NULL};
static const gchar *const profiles[] = {"minimal", "default", "full", NULL}; /* LttngProfile */
static const gchar *const readers[] = {"auto", "direct", "babeltrace", NULL};

#define AT(member) G_STRUCT_OFFSET(CliOptions, member)

#define REPORTS_WINDOW (CLI_PATH | CLI_TASKS | CLI_REQUESTS | CLI_BLOCKERS | CLI_EXPORT)
#define WINDOWED (REPORTS_WINDOW | CLI_VIEW)
#define OF_TASKS (REPORTS_WINDOW | CLI_COMPARE)

/* clang-format off */
static const Option options_table[] = {
	{'t', "task", "TASK", "TID, HOST:TID, NAME or HOST:NAME; * in a NAME fits anything",
	 OF_TASKS | CLI_VIEW, TAKES_TEXT, AT(session.task), NULL},
	{0, "begin", "TIME", "begin of the window: ns, HH:MM:SS.frac, ISO date, or +SECONDS",
	 WINDOWED, TAKES_TEXT, AT(begin), NULL},
	{0, "end", "TIME", "end of the window",
	 WINDOWED, TAKES_TEXT, AT(end), NULL},
	{0, "mode", "MODE", "active (default) or causal",
	 CLI_PATH | CLI_TASKS | CLI_REQUESTS | CLI_COMPARE | CLI_EXPORT | CLI_VIEW, TAKES_CHOICE,
	 AT(mode), modes},
	{0, "without", "CAUSE", "what if that took no time: KIND[:NAME][@HOST]",
	 CLI_PATH, TAKES_TEXT, AT(without), NULL},
	{0, "from", "EVENT", "requests begin at this event; * fits anything",
	 CLI_REQUESTS, TAKES_TEXT, AT(from), NULL},
	{0, "to", "EVENT", "and end at this one (default: at the next --from)",
	 CLI_REQUESTS, TAKES_TEXT, AT(to), NULL},
	{0, "id", "FIELD", "a field of both events that tells which belong together",
	 CLI_REQUESTS, TAKES_TEXT, AT(id), NULL},
	{0, "each", "RULE", "network: question and answer; connection: all of one",
	 CLI_REQUESTS, TAKES_CHOICE, AT(each), each_rules},
	{0, "split", "TIME", "longer ones are slow: ns, us, ms or s, or a percentile: p90",
	 CLI_REQUESTS, TAKES_TEXT, AT(split), NULL},
	{0, "window", "BEGIN,END", "compare this part with another; to be given twice",
	 CLI_COMPARE, TAKES_TEXTS, AT(windows), NULL},
	{0, "strict", NULL, "exit with 4 when any of the path is lost or below the clock error",
	 CLI_PATH, TAKES_NOTHING, AT(strict), NULL},
	{0, "sort", "KEY", "rank by others (default), own, time or running",
	 CLI_TASKS, TAKES_CHOICE, AT(sort), sorts},
	{0, "top", "N", "list that many (default: 50); 0: none with whom it waited for",
	 CLI_TASKS, TAKES_COUNT, AT(top), NULL},
	{0, "top", "N", "list that many",
	 OF_TASKS & ~(CLI_TASKS | CLI_EXPORT), TAKES_NUMBER, AT(top), NULL},
	{'o', "output", "FILE", "the file to write",
	 CLI_GRAPH | CLI_EXPORT, TAKES_TEXT, AT(output), NULL},
	{'o', "output", "DIR", "the folder to record to (default: waitpath-DATE-TIME)",
	 CLI_RECORD, TAKES_TEXT, AT(output), NULL},
	{0, "profile", "PROFILE", "minimal, default, or full: with system calls",
	 CLI_RECORD, TAKES_CHOICE, AT(profile), profiles},
	{0, "ust", "EVENTS", "these user-space events too, as lttng enable-event takes them",
	 CLI_RECORD, TAKES_TEXT, AT(user_events), NULL},
	{0, "buffer", "SIZE", "buffers for each CPU (default: 8M)",
	 CLI_RECORD, TAKES_SIZE, AT(buffer), NULL},
	{0, "rotate", "WHEN", "begin a new part after each such period (10m) or size (1G)",
	 CLI_RECORD, TAKES_TEXT, AT(rotate), NULL},
	{0, "snapshot", NULL, "keep only the last of it in memory; write that at the end",
	 CLI_RECORD, TAKES_NOTHING, AT(snapshot), NULL},
	{0, "session", "NAME", "the name of LTTng's session (default: waitpath)",
	 CLI_RECORD, TAKES_TEXT, AT(lttng_session), NULL},
	{0, "dry-run", NULL, "print the command lines of lttng, run none",
	 CLI_RECORD, TAKES_NOTHING, AT(dry_run), NULL},
	{0, "save", "FILE", "save the relation of the clocks, for --sync-file",
	 CLI_SYNC, TAKES_TEXT, AT(save), NULL},
	{'f', "format", "FORMAT", "text (default), json, csv or folded",
	 CLI_REPORTS & ~CLI_COMPARE, TAKES_FORMAT, AT(format), NULL},
	{'f', "format", "FORMAT", "text (default), json, csv, folded or svg",
	 CLI_COMPARE, TAKES_FORMAT, AT(format), NULL},
	{'f', "format", "FORMAT", "perfetto, chrome, speedscope, svg, ...: see the manual page",
	 CLI_EXPORT, TAKES_EXPORTER, AT(exporter), NULL},
	{0, "all", NULL, "all tasks over time, not only those on the path",
	 CLI_EXPORT, TAKES_NOTHING, AT(all), NULL},
	{0, "reference", "HOST", "give all times on the clock of this host",
	 CLI_READS, TAKES_TEXT, AT(session.reference), NULL},
	{0, "offset", "HOST=NS", "what to add to the times of a host; may be repeated",
	 CLI_READS, TAKES_TEXTS, AT(session.offsets), NULL},
	{0, "sync-file", "FILE", "take the relation of the clocks from a file of sync --save",
	 CLI_READS, TAKES_TEXT, AT(session.sync_file), NULL},
	{0, "layout", "FILE", "further event layouts; may be repeated",
	 CLI_READS, TAKES_TEXTS, AT(session.layouts), NULL},
	{0, "reader", "READER", "auto (default), direct or babeltrace",
	 CLI_READS, TAKES_CHOICE, AT(session.reader), readers},
	{'j', "jobs", "N", "threads (default: one for each CPU)",
	 CLI_READS, TAKES_NUMBER, AT(session.jobs), NULL},
	{0, "max-memory", "SIZE", "bytes (or K, M, G) in memory; the graph's rest goes to disk",
	 CLI_READS, TAKES_SIZE, AT(session.max_memory), NULL},
	{0, "cache-dir", "DIR", "where on disk (default: the user's cache)",
	 CLI_READS, TAKES_TEXT, AT(session.cache_dir), NULL},
	{0, "check", NULL, "verify the whole graph first",
	 OF_TASKS | CLI_GRAPH, TAKES_NOTHING, AT(check), NULL},
	{0, "no-progress", NULL, "no progress line",
	 CLI_TALKS, TAKES_NOTHING, AT(no_progress), NULL},
	{'q', "quiet", NULL, "only the answer: no progress, no findings",
	 CLI_TALKS, TAKES_NOTHING, AT(quiet), NULL},
	{'v', "verbose", NULL, "tell more; twice: all",
	 CLI_TALKS, TAKES_NOTHING_COUNTED, AT(verbose), NULL},
	{'h', "help", NULL, "this help",
	 CLI_ALL, TAKES_NOTHING, AT(help), NULL},
};
/* clang-format on */

void cli_options_init(CliOptions *options)
{
	*options = (CliOptions){.exporter = G_MAXUINT, .top = G_MAXUINT};
	options->profile = LTTNG_DEFAULT;
	wp_options_init(&options->session);
	options->windows = g_ptr_array_new_with_free_func(g_free);
}

void cli_options_clear(CliOptions *options)
{
	wp_options_clear(&options->session);
	g_free(options->begin);
	g_free(options->end);
	g_free(options->save);
	g_free(options->from);
	g_free(options->to);
	g_free(options->id);
	g_free(options->split);
	g_free(options->without);
	g_ptr_array_unref(options->windows);
	g_free(options->output);
	g_free(options->user_events);
	g_free(options->rotate);
	g_free(options->lttng_session);
}

/* ---- parsing ---- */

static gboolean set_choice(guint *target, const Option *option, const gchar *value, GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new(); /* borrowed texts */

	for (guint i = 0; option->takes == TAKES_CHOICE && option->choices[i]; i++)
		g_ptr_array_add(names, (gpointer)option->choices[i]);
	for (guint i = 0; option->takes == TAKES_FORMAT && wp_format_list()[i]; i++)
		g_ptr_array_add(names, (gpointer)wp_format_list()[i]->name);
	for (guint i = 0; option->takes == TAKES_EXPORTER && wp_exporter_list()[i]; i++)
		g_ptr_array_add(names, (gpointer)wp_exporter_list()[i]->name);
	for (guint i = 0; i < names->len; i++)
		if (g_str_equal(names->pdata[i], value)) {
			*target = i;
			return TRUE;
		}
	g_ptr_array_add(names, NULL);

	g_autofree gchar *all = g_strjoinv(", ", (gchar **)names->pdata);

	g_set_error(error, WP_ERROR, WP_ERROR_USAGE, "--%s can't be \"%s\"; it is one of %s.",
		    option->name, value, all);
	return FALSE;
}

static gboolean set_number(guint *target, const Option *option, const gchar *value, GError **error)
{
	guint least = option->takes == TAKES_COUNT ? 0 : 1;
	guint64 number;

	if (!g_ascii_string_to_unsigned(value, 10, least, 1000000, &number, NULL)) {
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
			    "--%s takes a number from %u to 1000000, not \"%s\".", option->name,
			    least, value);
		return FALSE;
	}
	*target = (guint)number;
	return TRUE;
}

/* value is NULL for a flag. */
static gboolean set_option(CliOptions *options, const Option *option, const gchar *value,
			   GError **error)
{
	gpointer target = (guint8 *)options + option->offset;

	switch (option->takes) {
	case TAKES_NOTHING:
		*(gboolean *)target = TRUE;
		return TRUE;
	case TAKES_NOTHING_COUNTED:
		++*(guint *)target;
		return TRUE;
	case TAKES_TEXT:
		g_free(*(gchar **)target);
		*(gchar **)target = g_strdup(value);
		return TRUE;
	case TAKES_TEXTS:
		g_ptr_array_add(*(GPtrArray **)target, g_strdup(value));
		return TRUE;
	case TAKES_NUMBER:
	case TAKES_COUNT:
		return set_number(target, option, value, error);
	case TAKES_SIZE:
		return wp_size_parse(value, target, error);
	case TAKES_CHOICE:
	case TAKES_FORMAT:
	case TAKES_EXPORTER:
		break;
	}
	return set_choice(target, option, value, error);
}

static gboolean unknown_option(const gchar *name, const CliCommand *command, GError **error)
{
	const gchar *names[G_N_ELEMENTS(options_table)], *near;
	guint n = 0;

	for (guint i = 0; i < G_N_ELEMENTS(options_table); i++)
		if (options_table[i].commands & command->bit)
			names[n++] = options_table[i].name;
	near = wp_nearest_word(name, names, n);
	if (near)
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE, "%s has no option --%s; is it --%s?",
			    command->name, name, near);
	else
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
			    "%s has no option --%s; see \"waitpath help %s\".", command->name, name,
			    command->name);
	return FALSE;
}

static gboolean no_value(const Option *option, GError **error)
{
	g_set_error(error, WP_ERROR, WP_ERROR_USAGE, "--%s needs a value: --%s %s.", option->name,
		    option->name, option->value);
	return FALSE;
}

/* argument begins with two dashes; *next is the one behind it, taken when it is the value. */
static gboolean parse_long(CliOptions *options, const CliCommand *command, const gchar *argument,
			   gchar ***next, GError **error)
{
	const gchar *equals = strchr(argument, '=');
	g_autofree gchar *name = equals ? g_strndup(argument + 2, (gsize)(equals - argument - 2))
					: g_strdup(argument + 2);

	for (guint i = 0; i < G_N_ELEMENTS(options_table); i++) {
		const Option *option = &options_table[i];

		if (!(option->commands & command->bit) || !g_str_equal(option->name, name))
			continue;
		if (!option->value && equals) {
			g_set_error(error, WP_ERROR, WP_ERROR_USAGE, "--%s takes no value.", name);
			return FALSE;
		}
		if (!option->value)
			return set_option(options, option, NULL, error);
		if (equals)
			return set_option(options, option, equals + 1, error);
		if (!**next)
			return no_value(option, error);
		return set_option(options, option, *(*next)++, error);
	}
	return unknown_option(name, command, error);
}

/* argument begins with one dash: letters of flags, the last may take a value. */
static gboolean parse_letters(CliOptions *options, const CliCommand *command, const gchar *argument,
			      gchar ***next, GError **error)
{
	for (const gchar *at = argument + 1; *at; at++) {
		const Option *option = NULL;

		for (guint i = 0; i < G_N_ELEMENTS(options_table); i++)
			if (options_table[i].letter == *at &&
			    options_table[i].commands & command->bit)
				option = &options_table[i];
		if (!option) {
			g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
				    "%s has no option -%c; see \"waitpath help %s\".",
				    command->name, *at, command->name);
			return FALSE;
		}
		if (!option->value) {
			if (!set_option(options, option, NULL, error))
				return FALSE;
			continue;
		}
		if (at[1])
			return set_option(options, option, at + 1, error);
		if (!**next)
			return no_value(option, error);
		return set_option(options, option, *(*next)++, error);
	}
	return TRUE;
}

gboolean cli_options_parse(CliOptions *options, const CliCommand *command, gchar **arguments,
			   GError **error)
{
	gboolean only_traces = FALSE;

	options->arguments = arguments;
	while (*arguments) {
		const gchar *argument = *arguments++;

		if (only_traces || argument[0] != '-' || !argument[1]) {
			g_ptr_array_add(options->session.traces, g_strdup(argument));
			/* The rest of the line is the command's own. */
			only_traces = only_traces || command->bit == CLI_RECORD;
		} else if (g_str_equal(argument, "--")) {
			only_traces = TRUE;
		} else if (argument[1] == '-') {
			if (!parse_long(options, command, argument, &arguments, error))
				return FALSE;
		} else if (!parse_letters(options, command, argument, &arguments, error)) {
			return FALSE;
		}
	}
	return TRUE;
}

void cli_options_print_help(WpOut *out, const CliCommand *command)
{
	for (guint i = 0; i < G_N_ELEMENTS(options_table); i++) {
		const Option *option = &options_table[i];
		g_autofree gchar *names = NULL;
		gchar letter[] = "-x, ";

		if (!(option->commands & command->bit))
			continue;
		letter[1] = option->letter;
		names = g_strdup_printf("%s--%s%s%s", option->letter ? letter : "    ",
					option->name, option->value ? " " : "",
					option->value ? option->value : "");
		wp_out_printf(out, "  %-24s  %s\n", names, option->help);
	}
}
