/* SPDX-License-Identifier: MIT */
/* common.c: loading with a progress line, windows, and the way to stdout. */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/cli.h"
#include "export/describe.h"
#include "export/units.h"
#include "session/question.h"

/* A line that would show for less than this is not begun. */
#define PROGRESS_AFTER_US (G_USEC_PER_SEC / 2)

typedef struct {
	gboolean shown;
} ProgressLine;

static void on_progress(const WpProgress *progress, gpointer data)
{
	ProgressLine *line = data;
	gdouble seconds = (gdouble)progress->elapsed / G_USEC_PER_SEC;
	gdouble left = progress->share > 0.0 ? seconds / progress->share - seconds : 0.0;

	if (progress->elapsed < PROGRESS_AFTER_US)
		return;
	line->shown = TRUE;
	fprintf(stderr, "\r\033[Kreading: %3.0f %%, %.1f M events/s, %.0f s left",
		100.0 * progress->share, (gdouble)progress->n_events / seconds / 1e6, left);
	fflush(stderr);
}

/* With --check: verifies the graphs of all hosts. */
static gboolean check_graph(const CliOptions *options, const WpAnalysis *analysis, GError **error)
{
	for (guint i = 0; options->check && i < analysis->graph->n_hosts; i++)
		if (!wp_host_check(analysis->graph->hosts[i], error))
			return FALSE;
	return TRUE;
}

WpAnalysis *cli_load(const CliOptions *options, GError **error)
{
	gboolean wanted = !options->quiet && !options->no_progress && isatty(STDERR_FILENO);
	ProgressLine line = {FALSE};
	g_autoptr(WpAnalysis)
		analysis = wp_session_load(&options->session, wanted ? on_progress : NULL, &line,
					   cli_cancellable(options), error);

	if (line.shown)
		fputs("\r\033[K", stderr);
	return analysis && check_graph(options, analysis, error) ? g_steal_pointer(&analysis)
								 : NULL;
}

/* Whether a window touches [first, last], else says from when to when `what` is. */
static gboolean check_touches(const WpAnalysis *analysis, const gchar *what, WpTime first,
			      WpTime last, WpTime begin, WpTime end, GError **error)
{
	WpText from, to;

	if (begin < last && end > first)
		return TRUE;
	g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
		    "The window lies wholly %s %s: that is from %s (%" G_GINT64_FORMAT
		    ") to %s (%" G_GINT64_FORMAT ") on the clock of %s.",
		    begin > last ? "behind" : "before", what, wp_date_text(&from, first), first,
		    wp_date_text(&to, last), last,
		    analysis->graph->hosts[analysis->graph->reference]->name);
	return FALSE;
}

gboolean cli_check_window(const WpAnalysis *analysis, WpTime begin, WpTime end, GError **error)
{
	WpTime first, last;

	wp_analysis_get_span(analysis, &first, &last);
	return check_touches(analysis, "the trace", first, last, begin, end, error);
}

gboolean cli_check_life(const WpAnalysis *analysis, const WpSelection *selection, WpTime begin,
			WpTime end, GError **error)
{
	const WpGraph *graph = analysis->graph;
	const WpTask *task = wp_host_task(graph->hosts[selection->host], selection->task);
	WpActor actor;

	wp_actor_init(&actor, graph, selection->host, selection->task, WP_TIME_MAX);

	g_autofree gchar *what = g_strdup_printf("the life of %s (%d)", actor.comm, actor.tid);

	return check_touches(analysis, what, wp_graph_time(graph, selection->host, task->begin),
			     wp_graph_time(graph, selection->host, task->end), begin, end, error);
}

gboolean cli_get_window(const CliOptions *options, const WpAnalysis *analysis, WpTime *ret_begin,
			WpTime *ret_end, GError **error)
{
	return wp_analysis_parse_window(analysis, options->begin, options->end, ret_begin, ret_end,
					error) &&
	       cli_check_window(analysis, *ret_begin, *ret_end, error);
}

const WpFormat *cli_get_format(const CliOptions *options)
{
	return wp_format_list()[options->format];
}

gboolean cli_require_format(const CliOptions *options, gboolean there, const gchar *command,
			    GError **error)
{
	if (!there)
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE, "%s has no --format %s.", command,
			    cli_get_format(options)->name);
	return there;
}

static gboolean wants_colour(void)
{
	const gchar *no = g_getenv("NO_COLOR"), *term = g_getenv("TERM");

	return isatty(STDOUT_FILENO) && (!no || !*no) && term && !g_str_equal(term, "dumb");
}

WpTextStyle cli_get_style(const CliOptions *options)
{
	const gchar *depth = g_getenv("COLORTERM");
	WpTextStyle style = {
		.colour = wants_colour(),
		.truecolour = depth && (strstr(depth, "truecolor") || strstr(depth, "24bit")),
		.utf8 = wp_text_locale_is_utf8(),
		.verbose = options->verbose,
		.quiet = options->quiet,
		.top = options->top == G_MAXUINT ? 0 : options->top,
	};

	return style;
}

WpCancel *cli_cancellable(const CliOptions *options)
{
	return wp_interrupt_get_cancellable(options->interrupt);
}

WpOut *cli_out_new(const CliOptions *options, int fd)
{
	WpOut *out = wp_out_new_fd(fd);

	wp_out_set_cancellable(out, cli_cancellable(options));
	return out;
}

gboolean cli_finish(const CliOptions *options, WpOut *out, const WpAnalysis *analysis,
		    GError **error)
{
	g_autoptr(GError) problem = NULL;

	/* What the buffer still holds of an answer from a damaged graph is not printed. */
	if (analysis && !wp_analysis_check_damage(analysis, error))
		return FALSE;
	if (wp_out_finish(out, &problem) ||
	    g_error_matches(problem, WP_ERROR, WP_ERROR_BROKEN_PIPE))
		return TRUE;
	if (options && wp_out_has_begun(out))
		wp_interrupt_note(options->interrupt, "the output is not complete");
	g_propagate_error(error, g_steal_pointer(&problem));
	return FALSE;
}

static gint compare_refs(gconstpointer a, gconstpointer b)
{
	const WpTaskRef *x = a, *y = b;

	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	return x->task < y->task ? -1 : x->task > y->task;
}

GArray *cli_find_group(const WpAnalysis *analysis, const gchar *text, GError **error)
{
	g_autoptr(GArray) group = g_array_new(FALSE, FALSE, sizeof(WpTaskRef));
	g_auto(GStrv) names = g_strsplit(text, ",", -1);

	for (guint i = 0; names[i]; i++) {
		g_autoptr(GArray) found = wp_analysis_find_tasks(analysis, names[i]);

		if (found->len == 0) {
			g_set_error(
				error, WP_ERROR, WP_ERROR_USAGE,
				"There is no task \"%s\" in the trace; \"waitpath tasks TRACE\" "
				"lists them.",
				names[i]);
			return NULL;
		}
		for (guint j = 0; j < found->len; j++) {
			const WpSelection *s = &g_array_index(found, WpSelection, j);
			WpTaskRef ref = {s->host, s->task};

			g_array_append_val(group, ref);
		}
	}
	g_array_sort(group, compare_refs);
	/* One that two names fit is one. */
	for (guint i = 1; i < group->len;) {
		if (compare_refs(&g_array_index(group, WpTaskRef, i - 1),
				 &g_array_index(group, WpTaskRef, i)) == 0)
			g_array_remove_index(group, i);
		else
			i++;
	}
	return g_steal_pointer(&group);
}
