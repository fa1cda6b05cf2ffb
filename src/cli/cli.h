/* SPDX-License-Identifier: MIT */
/*
 * cli.h: the command line: one file a command, one table of commands, one table of
 * options (options.c), from which parsing, help and completion come.
 */
#ifndef WP_CLI_CLI_H
#define WP_CLI_CLI_H

#include "base/interrupt.h"
#include "export/format.h"
#include "path/path.h"
#include "path/prefix.h"
#include "session/session.h"

G_BEGIN_DECLS

/* The contract's exit statuses. */
enum { CLI_DONE, CLI_FAILED, CLI_USAGE, CLI_CANNOT_ANSWER, CLI_WEAK };

/* One bit each: which commands an option belongs to. */
#define CLI_PATH 1u
#define CLI_TASKS 2u
#define CLI_SYNC 4u
#define CLI_CHECK 8u
#define CLI_GRAPH 16u
#define CLI_REQUESTS 32u
#define CLI_BLOCKERS 64u
#define CLI_RECORD 128u
#define CLI_COMPARE 256u
#define CLI_EXPORT 512u
#define CLI_VIEW 1024u
#define CLI_REPORTS                                                                                \
	(CLI_PATH | CLI_TASKS | CLI_REQUESTS | CLI_COMPARE | CLI_BLOCKERS | CLI_SYNC | CLI_CHECK)
/* Those that end in their own way when they are interrupted. */
#define CLI_INTERRUPTED (CLI_REPORTS | CLI_GRAPH | CLI_EXPORT)
/* Those that tell what they do on a terminal. */
#define CLI_TALKS (CLI_REPORTS | CLI_GRAPH | CLI_EXPORT | CLI_RECORD)
#define CLI_READS (CLI_REPORTS | CLI_GRAPH | CLI_EXPORT | CLI_VIEW)
#define CLI_ALL (CLI_READS | CLI_RECORD)

/* The order of tasks: rows of a table in options.c. */
typedef enum { CLI_SORT_OTHERS, CLI_SORT_OWN, CLI_SORT_TIME, CLI_SORT_RUNNING } CliSort;

/* How requests are told apart: rows of a table in options.c. */
typedef enum { CLI_EACH_MARKERS, CLI_EACH_NETWORK, CLI_EACH_CONNECTION } CliEach;

typedef struct {
	WpOptions session;
	gchar *begin, *end; /* owned, NULL: not given */
	gchar *save; /* owned, NULL */
	gchar *from, *to,
		*id; /* owned, NULL: events that begin and end requests; a field of both */
	guint each; /* CliEach */
	gchar *split; /* owned, NULL */
	gchar *without; /* owned, NULL */
	GPtrArray *windows; /* owned: owned gchar *: BEGIN,END */
	guint mode; /* WpPathMode */
	guint format; /* row of wp_format_list() */
	guint exporter; /* row of wp_exporter_list(), G_MAXUINT: not given */
	gboolean all;
	gchar *output; /* owned, NULL */
	guint sort; /* CliSort */
	guint top; /* G_MAXUINT: the report's own default */
	guint profile; /* LttngProfile */
	gchar *user_events, *rotate, *lttng_session; /* owned, NULL */
	guint64 buffer; /* bytes, 0: not given */
	gboolean snapshot, dry_run;
	guint verbose;
	gboolean quiet, no_progress, strict, check, help, version;
	WpInterrupt *interrupt; /* owned by main.c, NULL: signals do what they always do */
	gchar **arguments; /* borrowed: all of them as they were given, behind the command */
} CliOptions;

typedef struct {
	const gchar *name;
	guint bit; /* CLI_... */
	const gchar *usage; /* behind the name */
	const gchar *summary; /* half a sentence */
	const gchar *more; /* paragraphs for --help, NULL */
	/* The exit status, or -1 with an error. */
	gint (*run)(CliOptions *options, GError **error);
} CliCommand;

/* ---- commands ---- */

gint cli_path(CliOptions *options, GError **error);
gint cli_tasks(CliOptions *options, GError **error);
gint cli_requests(CliOptions *options, GError **error);
gint cli_compare(CliOptions *options, GError **error);
gint cli_blockers(CliOptions *options, GError **error);
gint cli_sync(CliOptions *options, GError **error);
gint cli_check(CliOptions *options, GError **error);
gint cli_graph(CliOptions *options, GError **error);
gint cli_export(CliOptions *options, GError **error);
gint cli_record(CliOptions *options, GError **error);
gint cli_view(CliOptions *options, GError **error);

/* ---- path.c ---- */

/* WP_ERROR_USAGE when no task is asked for. */
gboolean cli_require_task(const CliOptions *options, GError **error);
/* The path of the one task that is asked for, in the window that is. Owned by the caller. */
WpPath *cli_compute_path(const CliOptions *options, const WpAnalysis *analysis, GError **error);

/* ---- tasks.c ---- */

/*
 * The tasks that are asked for, ranked: WpTaskRow without `top`; idle tasks are nobody's
 * concern. Owned by the caller.
 */
GArray *cli_find_rows(const CliOptions *options, const WpAnalysis *analysis,
		      const WpPrefix *prefix);

/* ---- options.c ---- */

void cli_options_init(CliOptions *options);
void cli_options_clear(CliOptions *options);
/*
 * Reads the arguments behind the command's name; what is no option is a trace.
 * WP_ERROR_USAGE, with a near option for a mistyped one.
 */
gboolean cli_options_parse(CliOptions *options, const CliCommand *command, gchar **arguments,
			   GError **error);
/* The options of a command as lines of help. */
void cli_options_print_help(WpOut *out, const CliCommand *command);

/* ---- common.c ---- */

/*
 * Loads the traces, with a progress line on a terminal's stderr; with --check verifies the graphs of
 * all hosts.
 */
WpAnalysis *cli_load(const CliOptions *options, GError **error);
/* The window that --begin and --end give; WP_TIME_MIN and _MAX where they do not. */
gboolean cli_get_window(const CliOptions *options, const WpAnalysis *analysis, WpTime *ret_begin,
			WpTime *ret_end, GError **error);
/*
 * WP_ERROR_USAGE for a window (reference clock; open ends allowed) that lies wholly outside the
 * trace, or outside what of a task's life is in it, which is told.
 */
gboolean cli_check_window(const WpAnalysis *analysis, WpTime begin, WpTime end, GError **error);
gboolean cli_check_life(const WpAnalysis *analysis, const WpSelection *selection, WpTime begin,
			WpTime end, GError **error);
const WpFormat *cli_get_format(const CliOptions *options);
/* WP_ERROR_USAGE: the command has no report in this format. */
gboolean cli_require_format(const CliOptions *options, gboolean there, const gchar *command,
			    GError **error);
WpTextStyle cli_get_style(const CliOptions *options);
/* What Ctrl+C sets; borrowed, may be NULL. */
WpCancel *cli_cancellable(const CliOptions *options);
/* An output to a descriptor, which an interrupt ends; owned by the caller. */
WpOut *cli_out_new(const CliOptions *options, int fd);
/*
 * Ends the output, of which a reader that has gone is no error; FALSE also when it came from a
 * damaged graph (analysis, NULL: from none). When some of it is out that is noted as left (options, NULL: nowhere).
 */
gboolean cli_finish(const CliOptions *options, WpOut *out, const WpAnalysis *analysis,
		    GError **error);
/*
 * The tasks that a list of TASKs, separated by commas, names: WpTaskRef, by host and task;
 * WP_ERROR_USAGE when one of them names none. Owned by the caller.
 */
GArray *cli_find_group(const WpAnalysis *analysis, const gchar *text, GError **error);

G_END_DECLS

#endif
