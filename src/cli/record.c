/* SPDX-License-Identifier: MIT */
/*
 * record.c: `waitpath record`: records with LTTng the events that the analysis
 * needs, on the machine at hand.
 *
 * It only runs the lttng program, and shows each command line before it does. The
 * traced command, or the wait for Ctrl+C, lies between two lists of them (lttng.h).
 * SIGINT, SIGTERM, SIGHUP and SIGCHLD are blocked meanwhile and taken one by one, so that
 * a session is always ended by the same lines, whatever ends the run.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/lttng.h"

#define BUFFER_DEFAULT (G_GUINT64_CONSTANT(8) << 20)
/* The group whose members may trace the kernel. */
#define TRACING_GROUP "tracing"

/* ---- why it can't be ---- */

static gboolean may_trace_kernel(void)
{
	const struct group *group;
	gid_t gids[256];
	gint n;

	if (geteuid() == 0)
		return TRUE;
	group = getgrnam(TRACING_GROUP);
	n = getgroups(G_N_ELEMENTS(gids), gids);
	for (gint i = 0; group && i < n; i++)
		if (gids[i] == group->gr_gid)
			return TRUE;
	return group && getegid() == group->gr_gid;
}

/* What lttng's last line says, without its "Error: ". */
static gchar *last_line(const gchar *output)
{
	g_auto(GStrv) lines = g_strsplit(output, "\n", -1);

	for (guint i = g_strv_length(lines); i-- > 0;) {
		gchar *line = g_strstrip(lines[i]);

		if (g_str_has_prefix(line, "Error: "))
			return g_strdup(line + strlen("Error: "));
		if (*line)
			return g_strdup(line);
	}
	return g_strdup("it says nothing");
}

/* Why the kernel can't be traced, as far as this program can tell. */
static void kernel_problem(const gchar *says, GError **error)
{
	struct utsname machine;

	if (!may_trace_kernel()) {
		g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
			    "Only root and members of the group \"" TRACING_GROUP
			    "\" may trace the kernel: run this with sudo, or join the group "
			    "(lttng: %s).",
			    says);
		return;
	}
	if (uname(&machine) < 0)
		g_strlcpy(machine.release, "this kernel", sizeof(machine.release));
	g_set_error(
		error, WP_ERROR, WP_ERROR_FAILED,
		"The kernel can't be traced: LTTng's modules for %s must be installed (Debian and "
		"Ubuntu: lttng-modules-dkms) and the root session daemon must run (lttng: %s).",
		machine.release, says);
}

/* ---- running lttng ---- */

static void show(const CliOptions *options, const LttngStep *step)
{
	g_autofree gchar *line = lttng_step_to_string(step);

	if (!options->quiet)
		fprintf(stderr, "+ %s\n", line);
}

static void step_failed(const LttngStep *step, const gchar *output, GError **error)
{
	g_autofree gchar *says = last_line(output);

	/* Who may not trace the kernel needs the daemon of root: one of their own would not help. */
	if (step->first_of_kernel || (!may_trace_kernel() && strstr(says, "session daemon"))) {
		kernel_problem(says, error);
	} else {
		g_autofree gchar *line = lttng_step_to_string(step);

		g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "\"%s\" failed: %s.", line, says);
	}
}

/* A step that is not needed may fail: it is said what will be missed. */
static gboolean run_step(const CliOptions *options, const LttngStep *step, GError **error)
{
	g_autofree gchar *out = NULL, *err = NULL, *all = NULL;
	g_autoptr(GError) problem = NULL;
	gint status;

	show(options, step);
	if (!g_spawn_sync(NULL, step->arguments, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &err,
			  &status, &problem)) {
		if (g_error_matches(problem, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT))
			g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
				    "There is no program lttng in PATH: install LTTng's tools and "
				    "modules (Debian and Ubuntu: lttng-tools lttng-modules-dkms).");
		else
			g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "lttng can't be run: %s.",
				    problem->message);
		return FALSE;
	}
	if (options->verbose)
		fprintf(stderr, "%s%s", out, err);
	if (g_spawn_check_wait_status(status, NULL))
		return TRUE;
	all = g_strconcat(out, "\n", err, NULL);
	if (step->missed) {
		g_autofree gchar *says = last_line(all);

		fprintf(stderr, "waitpath: not recorded, so not seen: %s (lttng: %s)\n",
			step->missed, says);
		return TRUE;
	}
	step_failed(step, all, error);
	return FALSE;
}

static gboolean run_plan(const CliOptions *options, const GPtrArray *plan, GError **error)
{
	for (guint i = 0; i < plan->len; i++)
		if (!run_step(options, plan->pdata[i], error))
			return FALSE;
	return TRUE;
}

/* FALSE when Ctrl+C, or what means the same, came while nothing was recorded yet. */
static gboolean check_interrupted(GError **error)
{
	sigset_t pending;

	if (sigpending(&pending) != 0 ||
	    !(sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM) ||
	      sigismember(&pending, SIGHUP)))
		return TRUE;
	g_set_error_literal(error, WP_ERROR, WP_ERROR_CANCELLED, "Stopped: nothing was recorded.");
	return FALSE;
}

/* The same for what sets up, which an interrupt ends between two steps. */
static gboolean set_up(const CliOptions *options, const GPtrArray *plan, GError **error)
{
	for (guint i = 0; i < plan->len; i++)
		if (!check_interrupted(error) || !run_step(options, plan->pdata[i], error))
			return FALSE;
	return TRUE;
}

/* ---- what is traced ---- */

static void get_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
	sigaddset(set, SIGCHLD);
}

/* In the child, before its program: it starts with the signals as this program found them. */
static void restore_signals(gpointer data)
{
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, data, NULL);
}

static void tell_end(const CliOptions *options, const gchar *name, gint status)
{
	if (options->quiet)
		return;
	if (WIFSIGNALED(status))
		fprintf(stderr, "waitpath: %s was ended by signal %d\n", name, WTERMSIG(status));
	else if (WEXITSTATUS(status))
		fprintf(stderr, "waitpath: %s ended with status %d\n", name, WEXITSTATUS(status));
}

/* Until the command has ended. Ctrl+C reaches it by the terminal; what else asks is passed on. */
static void wait_for_command(const CliOptions *options, const gchar *name, GPid pid,
			     const sigset_t *signals)
{
	gint status = 0;

	for (;;) {
		gint number = sigwaitinfo(signals, NULL);

		if (number == SIGTERM || number == SIGHUP)
			kill(pid, number);
		if (number == SIGCHLD && waitpid(pid, &status, WNOHANG) == pid)
			break;
	}
	tell_end(options, name, status);
}

/* The lttng programs that ended before have left a SIGCHLD. */
static void wait_for_interrupt(const CliOptions *options, const sigset_t *signals)
{
	gint number;

	if (!options->quiet)
		fprintf(stderr, "waitpath: recording; Ctrl+C ends it\n");
	do {
		number = sigwaitinfo(signals, NULL);
	} while (number != SIGINT && number != SIGTERM && number != SIGHUP);
}

static gboolean run_traced(const CliOptions *options, gchar **command, const sigset_t *signals,
			   sigset_t *before, GPid *ret_pid, GError **error)
{
	g_autoptr(GError) problem = NULL;

	*ret_pid = 0;
	if (!*command) {
		wait_for_interrupt(options, signals);
		return TRUE;
	}
	if (!check_interrupted(error))
		return FALSE;
	if (!g_spawn_async(NULL, command, NULL,
			   G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD |
				   G_SPAWN_CHILD_INHERITS_STDIN,
			   restore_signals, before, ret_pid, &problem)) {
		if (g_error_matches(problem, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT))
			g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
				    "There is no program %s: nothing was recorded.", command[0]);
		else
			g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "%s can't be run: %s.",
				    command[0], problem->message);
		return FALSE;
	}
	wait_for_command(options, command[0], *ret_pid, signals);
	return TRUE;
}

/* Sets up, runs, ends; whatever fails, no session is left behind. */
static gboolean record(CliOptions *options, const LttngRecording *recording, gchar **command,
		       GPid *ret_pid, GError **error)
{
	g_autoptr(GPtrArray) begin = lttng_plan_begin(recording);
	g_autoptr(GPtrArray) end = lttng_plan_end(recording);
	g_autoptr(GPtrArray) abandon = lttng_plan_abandon(recording);
	sigset_t signals, before;
	gboolean created, done;

	get_signals(&signals);
	sigprocmask(SIG_BLOCK, &signals, &before);
	created = run_step(options, begin->pdata[0], error);
	g_ptr_array_remove_index(begin, 0);
	done = created && set_up(options, begin, error) &&
	       run_traced(options, command, &signals, &before, ret_pid, error) &&
	       run_plan(options, end, error);
	/* A session of this name that is not ours is left alone. */
	if (created && !done)
		run_plan(options, abandon, NULL);
	/*
	 * From here on an interrupt is what it is for every command; one that waits already is
	 * taken now. That SIGCHLD stays blocked is nothing to anybody: no program is run any more.
	 */
	options->interrupt = wp_interrupt_begin();
	if (done)
		wp_interrupt_note(options->interrupt,
				  "the recording in %s is whole, but not checked",
				  recording->directory);
	else
		wp_interrupt_note(options->interrupt, "nothing was recorded");
	return done;
}

/* ---- before and after ---- */

static void print_plan(WpOut *out, const GPtrArray *plan)
{
	for (guint i = 0; i < plan->len; i++) {
		g_autofree gchar *line = lttng_step_to_string(plan->pdata[i]);

		wp_out_printf(out, "%s\n", line);
	}
}

static gint dry_run(const CliOptions *options, const LttngRecording *recording, gchar **command,
		    GError **error)
{
	g_autoptr(GPtrArray) begin = lttng_plan_begin(recording);
	g_autoptr(GPtrArray) end = lttng_plan_end(recording);
	g_autoptr(WpOut) out = cli_out_new(options, STDOUT_FILENO);

	print_plan(out, begin);
	if (*command) {
		LttngStep traced = {.arguments = command};
		g_autofree gchar *line = lttng_step_to_string(&traced);

		wp_out_printf(out, "%s\n", line);
	} else {
		wp_out_put(out, "# until Ctrl+C\n");
	}
	print_plan(out, end);
	return cli_finish(options, out, NULL, error) ? CLI_DONE : -1;
}

static gboolean check_rotate(const gchar *rotate, GError **error)
{
	if (!rotate || g_regex_match_simple("^[1-9][0-9]*([kKMG]|us|ms|s|m|h)?$", rotate, 0, 0))
		return TRUE;
	g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
		    "--rotate takes a period such as 10m or a size such as 1G, not \"%s\".",
		    rotate);
	return FALSE;
}

/* The absolute folder to record to: what was asked for, which must be new or empty. */
static gchar *get_directory(const CliOptions *options, GError **error)
{
	g_autoptr(GDateTime) now = g_date_time_new_now_local();
	g_autofree gchar *fresh = g_date_time_format(now, "waitpath-%Y%m%d-%H%M%S");
	g_autofree gchar *directory = g_canonicalize_filename(
		options->output ? options->output : fresh, NULL);
	g_autoptr(GDir) there = g_dir_open(directory, 0, NULL);

	if (!g_file_test(directory, G_FILE_TEST_EXISTS) || (there && !g_dir_read_name(there)))
		return g_steal_pointer(&directory);
	g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
		    "%s is there already; record to a folder of its own.", directory);
	return NULL;
}

/* `waitpath check` on what was recorded, and what to type next. */
static gint check_and_tell(const CliOptions *options, const gchar *directory, gchar **command,
			   GPid pid, GError **error)
{
	CliOptions of_check;
	gint status;

	cli_options_init(&of_check);
	g_ptr_array_add(of_check.session.traces, g_strdup(directory));
	of_check.quiet = options->quiet;
	of_check.no_progress = options->no_progress;
	of_check.interrupt = options->interrupt;
	status = cli_check(&of_check, error);
	cli_options_clear(&of_check);
	if (status < 0 || options->quiet)
		return status;

	g_autofree gchar *quoted = g_shell_quote(directory);
	g_autoptr(WpOut) out = cli_out_new(options, STDOUT_FILENO);

	wp_out_printf(out, "\nNext:\n  waitpath tasks %s\n", quoted);
	if (*command)
		wp_out_printf(out, "  waitpath path -t %d %s\n", (gint)pid, quoted);
	return cli_finish(options, out, NULL, error) ? status : -1;
}

gint cli_record(CliOptions *options, GError **error)
{
	g_autofree gchar *directory = NULL;
	GPid pid;

	g_ptr_array_add(options->session.traces, NULL);

	gchar **command = (gchar **)options->session.traces->pdata;

	if (!check_rotate(options->rotate, error))
		return -1;
	if (options->rotate && options->snapshot) {
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
			    "--snapshot keeps the last of a run and --rotate all of it: take one.");
		return -1;
	}
	directory = get_directory(options, error);
	if (!directory)
		return -1;

	LttngRecording recording = {
		.session = options->lttng_session ? options->lttng_session : "waitpath",
		.directory = directory,
		.profile = options->profile,
		.user_events = options->user_events,
		.rotate = options->rotate,
		.snapshot = options->snapshot,
		.buffer = options->buffer ? options->buffer : BUFFER_DEFAULT,
	};

	if (options->dry_run)
		return dry_run(options, &recording, command, error);
	if (!record(options, &recording, command, &pid, error))
		return -1;
	return check_and_tell(options, directory, command, pid, error);
}
