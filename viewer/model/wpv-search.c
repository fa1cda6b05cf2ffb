/* SPDX-License-Identifier: MIT */
/* wpv-search.c: matches are tasks first, by host, then segments of the path in time. */
#include "config.h"

#include <string.h>

#include "export/describe.h"
#include "viewer/model/wpv-search.h"

typedef struct {
	WpvRowKey row; /* of a task */
	WpTime time;
	guint32 piece; /* of a segment; WP_NONE: the match is a task */
} Match;

struct _WpvSearch {
	GObject parent;
	WpvSession *session; /* weak: the window that owns both frees this first */
	gulong handler;
	gchar *text; /* owned, case-folded; NULL: nothing is looked for */
	GCancellable *cancellable; /* reference: of the thread at work, NULL */
	GArray *matches; /* owned: Match */
	guint32 at;
};

G_DEFINE_FINAL_TYPE(WpvSearch, wpv_search, G_TYPE_OBJECT)

static void stop(WpvSearch *search)
{
	if (search->cancellable)
		g_cancellable_cancel(search->cancellable);
	g_clear_object(&search->cancellable);
}

static void wpv_search_dispose(GObject *object)
{
	WpvSearch *search = WPV_SEARCH(object);

	stop(search);
	if (search->session)
		g_clear_signal_handler(&search->handler, search->session);
	g_clear_weak_pointer(&search->session);
	G_OBJECT_CLASS(wpv_search_parent_class)->dispose(object);
}

static void wpv_search_finalize(GObject *object)
{
	WpvSearch *search = WPV_SEARCH(object);

	g_array_unref(search->matches);
	g_free(search->text);
	G_OBJECT_CLASS(wpv_search_parent_class)->finalize(object);
}

static void wpv_search_class_init(WpvSearchClass *klass)
{
	G_OBJECT_CLASS(klass)->dispose = wpv_search_dispose;
	G_OBJECT_CLASS(klass)->finalize = wpv_search_finalize;
	g_signal_new("changed", G_TYPE_FROM_CLASS(klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
		     G_TYPE_NONE, 0);
}

static void wpv_search_init(WpvSearch *search)
{
	search->matches = g_array_new(FALSE, FALSE, sizeof(Match));
	search->at = WP_NONE;
}

/* ---- looking ---- */

typedef struct {
	WpvDocument *document; /* reference */
	WpvAnswer *answer; /* reference, NULL */
	gchar *text; /* owned */
} Job;

static void job_free(gpointer data)
{
	Job *job = data;

	g_object_unref(job->document);
	g_clear_object(&job->answer);
	g_free(job->text);
	g_free(job);
}

static gboolean contains(const gchar *text, const gchar *wanted)
{
	g_autofree gchar *folded = text ? g_utf8_casefold(text, -1) : NULL;

	return folded && strstr(folded, wanted);
}

/* Any name that the task ever had, with its tid and host. */
static gboolean task_matches(WpHost *host, WpId task, const gchar *wanted)
{
	const WpTask *t = wp_host_task(host, task);
	WpId change = t->renamed;
	g_autofree gchar *name = g_strdup_printf(
		"%s %d @ %s", wp_strings_get(host->strings, t->comm), t->tid, host->name);

	if (contains(name, wanted))
		return TRUE;
	for (; change < host->comms.n; change = WP_AT(&host->comms, WpCommChange, change).prev)
		if (contains(wp_strings_get(host->strings,
					    WP_AT(&host->comms, WpCommChange, change).comm),
			     wanted))
			return TRUE;
	return FALSE;
}

static void find_tasks(const Job *job, GArray *matches, GCancellable *cancellable)
{
	WpGraph *graph = wpv_document_get_graph(job->document);

	for (guint32 h = 0; h < graph->n_hosts; h++) {
		WpHost *host = graph->hosts[h];

		for (WpId task = 0; task < host->tasks.n; task++) {
			Match match = {wpv_row_key_thread(h, task), 0, WP_NONE};
			guint32 piece = WP_NONE;

			if (matches->len >= WPV_SEARCH_MAX ||
			    g_cancellable_is_cancelled(cancellable))
				return;
			if (wp_host_task(host, task)->tid == 0 ||
			    !task_matches(host, task, job->text))
				continue;
			if (job->answer)
				piece = wpv_answer_get_first_piece(job->answer, h, task);
			match.time = piece == WP_NONE
					     ? wp_graph_time(graph, h,
							     wp_host_task(host, task)->begin)
					     : wpv_answer_get_segment(job->answer, piece)->begin;
			g_array_append_val(matches, match);
		}
	}
}

static void find_segments(const Job *job, GArray *matches, GCancellable *cancellable)
{
	WpGraph *graph = wpv_document_get_graph(job->document);
	guint n = job->answer ? wpv_answer_get_n_segments(job->answer) : 0;
	WpCauseInfo info;

	wp_cause_info_init(&info);
	for (guint32 i = 0; i < n && matches->len < WPV_SEARCH_MAX; i++) {
		const WpSegment *segment = wpv_answer_get_segment(job->answer, i);
		g_autofree gchar *cause = NULL;
		Match match = {WPV_ROW_KEY_NONE, segment->begin, i};

		if (g_cancellable_is_cancelled(cancellable))
			break;
		wp_cause_info_fill(&info, graph, segment);
		cause = wp_cause_info_dup_text(&info, graph, segment);
		if (contains(wp_state_words(segment->state), job->text) ||
		    contains(cause, job->text))
			g_array_append_val(matches, match);
	}
	wp_cause_info_clear(&info);
}

static void search_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
	GArray *matches = g_array_new(FALSE, FALSE, sizeof(Match));

	find_tasks(data, matches, cancellable);
	find_segments(data, matches, cancellable);
	g_task_return_pointer(task, matches, (GDestroyNotify)g_array_unref);
}

static void search_done(GObject *source, GAsyncResult *result, gpointer data)
{
	WpvSearch *search = WPV_SEARCH(source);
	GArray *matches = g_task_propagate_pointer(G_TASK(result), NULL);

	if (g_task_get_cancellable(G_TASK(result)) != search->cancellable) {
		g_clear_pointer(&matches, g_array_unref);
		return;
	}
	g_clear_object(&search->cancellable);
	g_array_unref(search->matches);
	search->matches = matches;
	g_signal_emit_by_name(search, "changed");
}

static void start(WpvSearch *search)
{
	WpvDocument *document = search->session ? wpv_session_get_document(search->session) : NULL;
	WpvAnswer *answer;

	stop(search);
	g_array_set_size(search->matches, 0);
	search->at = WP_NONE;
	if (document && search->text && *search->text) {
		g_autoptr(GTask) task = NULL;
		Job *job = g_new0(Job, 1);

		answer = wpv_session_get_answer(search->session);
		search->cancellable = g_cancellable_new();
		task = g_task_new(search, search->cancellable, search_done, NULL);
		job->document = g_object_ref(document);
		job->answer = answer ? g_object_ref(answer) : NULL;
		job->text = g_strdup(search->text);
		g_task_set_task_data(task, job, job_free);
		g_task_run_in_thread(task, search_thread);
	}
	g_signal_emit_by_name(search, "changed");
}

/* ---- public ---- */

static void on_session_changed(WpvSearch *search, guint what)
{
	if (search->text && (what & (WPV_CHANGED_DOCUMENT | WPV_CHANGED_ANSWER)))
		start(search);
}

WpvSearch *wpv_search_new(WpvSession *session)
{
	WpvSearch *search = g_object_new(WPV_TYPE_SEARCH, NULL);

	g_set_weak_pointer(&search->session, session);
	search->handler = g_signal_connect_swapped(session, "changed",
						   G_CALLBACK(on_session_changed), search);
	return search;
}

void wpv_search_set_text(WpvSearch *search, const gchar *text)
{
	g_free(search->text);
	search->text = text && *text ? g_utf8_casefold(text, -1) : NULL;
	start(search);
}

gboolean wpv_search_is_running(WpvSearch *search)
{
	return search->cancellable != NULL;
}

guint wpv_search_get_n(WpvSearch *search)
{
	return search->matches->len;
}

guint32 wpv_search_get_at(WpvSearch *search)
{
	return search->at;
}

gboolean wpv_search_step(WpvSearch *search, gint direction)
{
	guint n = search->matches->len;
	const Match *match;

	if (n == 0 || !search->session)
		return FALSE;
	if (search->at == WP_NONE)
		search->at = direction > 0 ? 0 : n - 1;
	else
		search->at = (guint32)((search->at + n + (guint)direction) % n);
	match = &g_array_index(search->matches, Match, search->at);
	if (match->piece != WP_NONE) {
		wpv_session_select_piece(search->session, match->piece);
	} else {
		wpv_session_select_at(search->session, match->row, match->time);
		wpv_session_reveal(search->session);
	}
	g_signal_emit_by_name(search, "changed");
	return TRUE;
}
