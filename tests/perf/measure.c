/* SPDX-License-Identifier: MIT */
/*
 * measure WHAT FILE [N]: measures a step of an analysis inside of this process, where the program
 * as a whole can't tell it from the rest, and prints numbers as "name value" lines. Times are ns
 * of CPU of the process, which is what a person waits for where nothing else runs; of an opening,
 * which may wait for the disk, of the wall, too.
 *
 *   decode TRACE   reading all events and putting them in order, by one thread
 *   load TRACE     that and the model of the hosts and the joining, by one thread
 *   open GRAPH N   opening a saved graph, N times: the shortest
 *   join GRAPH N   the packets matched and the clocks found in a graph that is loaded: the shortest
 *   path GRAPH N   the paths of N tasks over their lives in a graph that is loaded
 *   peak COMMAND.. the most memory that a command had in use at once, bytes. The system counts for
 *                  a process what it was before it became the command, too: who asks must be small.
 */
#include "config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "ctf/ctf-reader.h"
#include "event/merge.h"
#include "session/session.h"

static gint64 clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (gint64)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void print(const gchar *name, gint64 value)
{
	g_print("%s %" G_GINT64_FORMAT "\n", name, value);
}

static gboolean count_event(const WpEvent *event, gpointer data, GError **error)
{
	(*(guint64 *)data)++;
	return TRUE;
}

static gboolean measure_decode(const gchar *trace, GError **error)
{
	const gint64 begin = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	g_autoptr(WpLayout) layout = wp_layout_new(error);
	g_autoptr(WpReader) reader = layout ? wp_ctf_reader_open(trace, layout, error) : NULL;
	g_autoptr(WpFindings) findings = wp_findings_new();
	guint64 n = 0;

	if (!reader ||
	    !wp_merge_run(&reader, 1, 1, count_event, &n, NULL, NULL, findings, NULL, error))
		return FALSE;
	print("cpu", clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begin);
	print("records", (gint64)n);
	return TRUE;
}

static WpAnalysis *load(const gchar *file, GError **error)
{
	WpAnalysis *analysis;
	WpOptions options;

	wp_options_init(&options);
	options.jobs = 1;
	g_ptr_array_add(options.traces, g_strdup(file));
	analysis = wp_session_load(&options, NULL, NULL, NULL, error);
	wp_options_clear(&options);
	return analysis;
}

static void print_sizes(const WpAnalysis *analysis)
{
	guint64 n_events = 0, n_vertices = 0, n_packets = 0;

	for (guint h = 0; h < analysis->graph->n_hosts; h++) {
		n_events += analysis->graph->hosts[h]->n_events;
		n_vertices += analysis->graph->hosts[h]->vertices.n;
		n_packets += analysis->graph->hosts[h]->packets.n;
	}
	print("events", (gint64)n_events);
	print("vertices", (gint64)n_vertices);
	print("packets", (gint64)n_packets);
}

static gboolean measure_load(const gchar *file, guint n_times, GError **error)
{
	gint64 cpu = G_MAXINT64, wall = G_MAXINT64;

	for (guint i = 0; i < n_times; i++) {
		const gint64 cpu_begin = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
		const gint64 wall_begin = clock_ns(CLOCK_MONOTONIC);
		g_autoptr(WpAnalysis) analysis = load(file, error);

		if (!analysis)
			return FALSE;
		cpu = MIN(cpu, clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_begin);
		wall = MIN(wall, clock_ns(CLOCK_MONOTONIC) - wall_begin);
		if (i + 1 == n_times)
			print_sizes(analysis);
	}
	print("cpu", cpu);
	print("wall", wall);
	return TRUE;
}

static gboolean measure_join(const gchar *file, guint n_times, GError **error)
{
	g_autoptr(WpAnalysis) analysis = load(file, error);
	gint64 cpu = G_MAXINT64;

	if (!analysis)
		return FALSE;
	for (guint i = 0; i < n_times; i++) {
		const gint64 begin = clock_ns(CLOCK_PROCESS_CPUTIME_ID);

		if (!wp_analysis_set_reference(analysis, analysis->graph->reference, NULL, error))
			return FALSE;
		cpu = MIN(cpu, clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begin);
	}
	print("cpu", cpu);
	return TRUE;
}

static gint compare_times(gconstpointer a, gconstpointer b)
{
	const gint64 *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* One path over the task's life, -1 when it has none. */
static gint64 time_path(const WpAnalysis *analysis, guint host, WpId task, GError **error)
{
	const WpHost *h = analysis->graph->hosts[host];
	const WpTask *t = wp_host_task(h, task);
	const WpTime begin = wp_graph_time(analysis->graph, host, t->begin);
	const WpTime end = wp_graph_time(analysis->graph, host, t->end);
	const gint64 cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	g_autoptr(WpPath) path = NULL;

	if (t->tid == 0 || end <= begin)
		return -1;
	path = wp_path_compute(analysis->graph, host, task, begin, end, WP_PATH_ACTIVE, NULL,
			       error);
	return path ? clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu : -1;
}

static gboolean measure_path(const gchar *file, guint n_paths, GError **error)
{
	g_autoptr(WpAnalysis) analysis = load(file, error);
	g_autoptr(GArray) times = g_array_new(FALSE, FALSE, sizeof(gint64));
	guint64 n_tasks;

	if (!analysis)
		return FALSE;
	n_tasks = analysis->graph->hosts[0]->tasks.n;
	for (guint i = 0; i < n_paths; i++) {
		g_autoptr(GError) problem = NULL;
		const gint64 time = time_path(analysis, 0, (WpId)(i * n_tasks / n_paths), &problem);

		if (problem) {
			g_propagate_error(error, g_steal_pointer(&problem));
			return FALSE;
		}
		if (time < 0)
			continue;
		if (times->len == 0)
			print("first", time);
		g_array_append_val(times, time);
	}
	if (times->len == 0) {
		g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "No task of %s has a path.", file);
		return FALSE;
	}
	print("paths", times->len);
	g_array_sort(times, compare_times);
	print("median", g_array_index(times, gint64, times->len / 2));
	print("longest", g_array_index(times, gint64, times->len - 1));
	return TRUE;
}

G_NORETURN static void run_quietly(char **command)
{
	const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (null >= 0 && dup2(null, STDOUT_FILENO) >= 0)
		execvp(command[0], command);
	_exit(127);
}

static gboolean measure_peak(char **command, GError **error)
{
	struct rusage usage;
	gint status = -1;
	const pid_t pid = fork();

	if (pid == 0)
		run_quietly(command);
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || !WIFEXITED(status) ||
	    (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 4)) {
		g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "%s can't be run (status %d).",
			    command[0], status);
		return FALSE;
	}
	print("peak", (gint64)usage.ru_maxrss * 1024);
	return TRUE;
}

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	const gchar *what = argc > 1 ? argv[1] : "";
	const guint n = argc > 3 ? (guint)MAX(atoi(argv[3]), 1) : 1;
	gboolean ok = FALSE;

	if (argc < 3) {
		g_printerr("usage: measure decode|load|open|join|path FILE [N]\n"
			   "       measure peak COMMAND [ARGUMENT...]\n");
		return 2;
	}
	if (g_str_equal(what, "peak"))
		ok = measure_peak(argv + 2, &error);
	else if (g_str_equal(what, "decode"))
		ok = measure_decode(argv[2], &error);
	else if (g_str_equal(what, "load") || g_str_equal(what, "open"))
		ok = measure_load(argv[2], n, &error);
	else if (g_str_equal(what, "join"))
		ok = measure_join(argv[2], n, &error);
	else if (g_str_equal(what, "path"))
		ok = measure_path(argv[2], n, &error);
	else
		g_set_error(&error, WP_ERROR, WP_ERROR_USAGE, "Nothing is called %s.", what);
	if (!ok)
		g_printerr("measure: %s\n", error->message);
	return ok ? 0 : 1;
}
