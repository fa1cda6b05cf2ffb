/* SPDX-License-Identifier: MIT */
/*
 * select.c: the task that a user means by TID, HOST:TID, NAME or HOST:NAME.
 *
 * All tasks that fit are candidates. A name is first looked for among the names
 * that tasks have at last, then among those they ever had (what a shell forks is
 * called like the shell for a while). A number may have been several tasks' in
 * turn: those whose life touches the window are left.
 */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "base/words.h"
#include "export/describe.h"
#include "export/units.h"
#include "session/session-private.h"

#define CANDIDATES_SHOWN 12

typedef struct {
	guint32 host;
	WpId task;
	WpTime begin, end; /* reference clock */
	WpTime running;
} Candidate;

/* What the text asks for. */
typedef struct {
	guint32 host; /* WP_NONE: any */
	gboolean by_tid;
	gint32 tid;
	const gchar *name; /* borrowed: a comm with * */
} Wanted;

static void parse_wanted(const WpAnalysis *analysis, const gchar *text, Wanted *wanted)
{
	const gchar *colon = strchr(text, ':');
	gint64 tid;

	*wanted = (Wanted){.host = WP_NONE, .name = text};
	/* Names of tasks have colons too ("kworker/0:1"): it is a host's only if there is one. */
	for (; colon && wanted->host == WP_NONE; colon = strchr(colon + 1, ':')) {
		g_autofree gchar *name = g_strndup(text, (gsize)(colon - text));

		wanted->host = wp_analysis_find_host(analysis, name);
		if (wanted->host != WP_NONE)
			wanted->name = colon + 1;
	}
	if (g_ascii_string_to_signed(wanted->name, 10, 0, G_MAXINT32, &tid, NULL)) {
		wanted->by_tid = TRUE;
		wanted->tid = (gint32)tid;
	}
}

static gboolean fits(const WpHost *host, WpId task, const Wanted *wanted)
{
	const WpTask *t = wp_host_task(host, task);

	if (wanted->by_tid)
		return t->tid == wanted->tid;
	/* Idle tasks are no tasks that one waits for. */
	return t->tid != 0 && wp_word_matches(wanted->name, wp_strings_get(host->strings, t->comm));
}

static void add_candidate(GArray *candidates, const WpAnalysis *analysis, guint32 host, WpId task)
{
	const WpTask *t = wp_host_task(analysis->graph->hosts[host], task);
	Candidate new = {host, task, wp_graph_time(analysis->graph, host, t->begin),
			 wp_graph_time(analysis->graph, host, t->end), 0};

	g_array_append_val(candidates, new);
}

/* Whether a task had the name at any time. */
static gboolean had_name(const WpHost *host, WpId task, const Wanted *wanted)
{
	WpId change = wp_host_task(host, task)->renamed;

	while (change < host->comms.n) {
		const WpCommChange *c = &WP_AT(&host->comms, WpCommChange, change);

		if (wp_word_matches(wanted->name, wp_strings_get(host->strings, c->comm)))
			return TRUE;
		change = c->prev < change ? c->prev : WP_NONE;
	}
	return FALSE;
}

static GArray *find_candidates(const WpAnalysis *analysis, const Wanted *wanted)
{
	const WpGraph *graph = analysis->graph;
	GArray *candidates = g_array_new(FALSE, FALSE, sizeof(Candidate));
	gboolean (*const tests[])(const WpHost *, WpId,
				  const Wanted *) = {fits, wanted->by_tid ? NULL : had_name};

	for (guint t = 0; t < G_N_ELEMENTS(tests) && tests[t] && candidates->len == 0; t++)
		for (guint h = 0; h < graph->n_hosts; h++)
			for (guint64 i = 0; i < graph->hosts[h]->tasks.n; i++)
				if ((wanted->host == WP_NONE || wanted->host == h) &&
				    tests[t](graph->hosts[h], (WpId)i, wanted))
					add_candidate(candidates, analysis, h, (WpId)i);
	return candidates;
}

GArray *wp_analysis_find_tasks(const WpAnalysis *analysis, const gchar *text)
{
	GArray *found = g_array_new(FALSE, FALSE, sizeof(WpSelection));
	Wanted wanted;

	parse_wanted(analysis, text, &wanted);

	g_autoptr(GArray) candidates = find_candidates(analysis, &wanted);

	for (guint i = 0; i < candidates->len; i++) {
		const Candidate *c = &g_array_index(candidates, Candidate, i);
		WpSelection selection = {c->host, c->task, c->begin, c->end};

		g_array_append_val(found, selection);
	}
	return found;
}

guint32 wp_selection_host(const WpAnalysis *analysis, const gchar *text)
{
	Wanted wanted;

	parse_wanted(analysis, text, &wanted);
	if (wanted.host != WP_NONE)
		return wanted.host;

	g_autoptr(GArray) candidates = find_candidates(analysis, &wanted);
	guint32 host = candidates->len > 0 ? g_array_index(candidates, Candidate, 0).host : WP_NONE;

	for (guint i = 1; i < candidates->len; i++)
		if (g_array_index(candidates, Candidate, i).host != host)
			return WP_NONE;
	return host;
}

/* ---- none, or too many ---- */

static void set_none(const WpAnalysis *analysis, const gchar *text, const Wanted *wanted,
		     GError **error)
{
	const WpGraph *graph = analysis->graph;
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const gchar *near = NULL;

	for (guint h = 0; !wanted->by_tid && h < graph->n_hosts; h++)
		for (guint64 i = 0; i < graph->hosts[h]->tasks.n; i++)
			g_ptr_array_add(names, (gpointer)wp_strings_get(
						       graph->hosts[h]->strings,
						       wp_host_task(graph->hosts[h], i)->comm));
	if (names->len > 0)
		near = wp_nearest_word(wanted->name, (const gchar *const *)names->pdata,
				       names->len);
	if (near)
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
			    "No task is called %s; there is one called %s.", text, near);
	else
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
			    wanted->by_tid ? "No task %s is in the trace; \"waitpath tasks\" lists "
					     "those that are."
					   : "No task is called %s; \"waitpath tasks\" lists those "
					     "that there are.",
			    text);
}

static void sum_running(const WpAnalysis *analysis, Candidate *candidate)
{
	const WpHost *host = analysis->graph->hosts[candidate->host];
	WpTime end = host->end;

	for (WpId id = wp_host_task(host, candidate->task)->last; id != WP_NONE;) {
		const WpVertex *v = wp_host_vertex(host, id);

		const WpTime begin = wp_host_time_of(host, v, id);

		if (v->state == WP_STATE_RUNNING)
			candidate->running += end - begin;
		end = begin;
		id = v->prev;
	}
}

static gint compare_candidates(gconstpointer a, gconstpointer b)
{
	const Candidate *x = a, *y = b;

	if (x->running != y->running)
		return x->running > y->running ? -1 : 1;
	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	return x->task < y->task ? -1 : x->task > y->task;
}

static gboolean is_one_number(const WpAnalysis *analysis, const GArray *candidates)
{
	const Candidate *first = &g_array_index(candidates, Candidate, 0);
	gint32 tid = wp_host_task(analysis->graph->hosts[first->host], first->task)->tid;

	for (guint i = 1; i < candidates->len; i++) {
		const Candidate *c = &g_array_index(candidates, Candidate, i);

		if (c->host != first->host ||
		    wp_host_task(analysis->graph->hosts[c->host], c->task)->tid != tid)
			return FALSE;
	}
	return TRUE;
}

static void set_many(const WpAnalysis *analysis, const gchar *text, GArray *candidates,
		     GError **error)
{
	const WpGraph *graph = analysis->graph;
	g_autoptr(GString) list = g_string_new(NULL);

	for (guint i = 0; i < candidates->len; i++)
		sum_running(analysis, &g_array_index(candidates, Candidate, i));
	g_array_sort(candidates, compare_candidates);
	for (guint i = 0; i < MIN(candidates->len, CANDIDATES_SHOWN); i++) {
		const Candidate *c = &g_array_index(candidates, Candidate, i);
		WpText begin, life, share;
		WpActor actor;

		wp_actor_init(&actor, graph, c->host, c->task, WP_TIME_MAX);
		g_string_append_printf(list, "\n  %s:%d  %s, from %s for %s, %s of it on a CPU",
				       actor.host_name, actor.tid, actor.comm,
				       wp_clock_text(&begin, c->begin),
				       wp_duration_text(&life, c->end - c->begin),
				       wp_share_words(&share, c->running, c->end - c->begin));
	}
	if (candidates->len > CANDIDATES_SHOWN)
		g_string_append_printf(list, "\n  and %u more", candidates->len - CANDIDATES_SHOWN);
	g_set_error(
		error, WP_ERROR, WP_ERROR_USAGE, "%u tasks fit %s; %s:%s", candidates->len, text,
		is_one_number(analysis, candidates)
			? "the number was used again, so bound the window with --begin and --end"
			: "name one of them",
		list->str);
}

gboolean wp_analysis_select_task(const WpAnalysis *analysis, const gchar *text, WpTime begin,
				 WpTime end, WpSelection *ret_selection, GError **error)
{
	Wanted wanted;

	parse_wanted(analysis, text, &wanted);

	g_autoptr(GArray) candidates = find_candidates(analysis, &wanted);

	if (candidates->len == 0) {
		set_none(analysis, text, &wanted, error);
		return FALSE;
	}
	/* The window decides only where it is needed: a single task is taken as it is. */
	for (guint i = candidates->len; candidates->len > 1 && i-- > 0;) {
		const Candidate *c = &g_array_index(candidates, Candidate, i);

		if (c->end <= begin || c->begin >= end)
			g_array_remove_index(candidates, i);
	}
	if (candidates->len > 1) {
		set_many(analysis, text, candidates, error);
		return FALSE;
	}

	const Candidate *c = &g_array_index(candidates, Candidate, 0);

	*ret_selection = (WpSelection){c->host, c->task, c->begin, c->end};
	return TRUE;
}
