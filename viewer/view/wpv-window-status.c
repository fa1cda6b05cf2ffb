/* SPDX-License-Identifier: MIT */
/* wpv-window-status.c: the lines of text around the timeline: the answer, badges, the status. */
#include "config.h"

#include <string.h>

#include "export/describe.h"
#include "export/units.h"
#include "viewer/view/wpv-findings-pane.h"
#include "viewer/view/wpv-painter.h"
#include "viewer/view/wpv-ruler.h"
#include "viewer/view/wpv-window-private.h"

/* Tasks that the sentence may name. */
#define LINKS_MAX 20u

/* ---- the sentence ---- */

/* May the byte belong to the name of a task, so that a name which ends before it is another's? */
static gboolean is_of_name(gchar c)
{
	return g_ascii_isalnum(c) || (c && strchr("-_/:", c));
}

/* The first place of a name in text from which on nothing is linked yet; NULL: nowhere. */
static gchar *find_name(const gchar *text, const gchar *name)
{
	gsize length = strlen(name);
	const gchar *at = text;

	while (length && (at = strstr(at, name))) {
		gboolean begins = at == text || !is_of_name(at[-1]);
		gboolean ends = !is_of_name(at[length]) && at[length] != '@';

		if (begins && ends)
			return (gchar *)at;
		at += length;
	}
	return NULL;
}

typedef struct {
	const gchar *at; /* in the sentence */
	gsize length;
	guint32 host;
	WpId task;
} Link;

static gint compare_links(gconstpointer a, gconstpointer b)
{
	const Link *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* Where the sentence names tasks of the path. Owned array of Link, in order, not overlapping. */
static GArray *find_links(WpvWindow *window, const gchar *sentence)
{
	WpvAnswer *answer = wpv_session_get_answer(window->session);
	WpGraph *graph = wpv_document_get_graph(wpv_session_get_document(window->session));
	g_autoptr(GPtrArray) tasks = wp_totals_tasks_by_time(wpv_answer_get_totals(answer));
	GArray *links = g_array_new(FALSE, FALSE, sizeof(Link));

	for (guint i = 0; i < MIN(tasks->len, LINKS_MAX); i++) {
		const WpTaskTotal *total = tasks->pdata[i];
		g_autofree gchar *name = NULL;
		WpActor actor;
		Link link = {.host = total->host, .task = total->task};
		gboolean own = total->host == wpv_answer_get_question(answer)->host &&
			       total->task == wpv_answer_get_question(answer)->task;

		wp_actor_init(&actor, graph, total->host, total->task, WP_TIME_MAX);
		/* The task itself is called by its name alone. */
		name = own ? g_strdup(actor.comm) : wp_actor_dup_text(&actor, graph);
		link.at = find_name(sentence, name);
		link.length = strlen(name);
		if (link.at)
			g_array_append_val(links, link);
	}
	g_array_sort(links, compare_links);
	for (guint i = 1; i < links->len; i++) {
		const Link *before = &g_array_index(links, Link, i - 1);

		if (g_array_index(links, Link, i).at < before->at + before->length)
			g_array_remove_index(links, i--);
	}
	return links;
}

gchar *wpv_window_dup_sentence_markup(WpvWindow *window)
{
	WpvAnswer *answer = wpv_session_get_answer(window->session);
	const gchar *at = wpv_answer_get_sentence(answer);
	g_autoptr(GArray) links = find_links(window, at);
	GString *markup = g_string_new(NULL);

	for (guint i = 0; i < links->len; i++) {
		const Link *link = &g_array_index(links, Link, i);
		g_autofree gchar *plain = g_markup_escape_text(at, link->at - at);
		g_autofree gchar *name = g_markup_escape_text(link->at, (gssize)link->length);

		g_string_append_printf(markup, "%s<a href=\"row:%u:%u\">%s</a>", plain, link->host,
				       link->task, name);
		at = link->at + link->length;
	}
	g_autofree gchar *rest = g_markup_escape_text(at, -1);

	g_string_append(markup, rest);
	if (window->guessed)
		g_string_append(markup, "\n<small>No task was asked for: this one waits for others "
					"most. Choose another one above.</small>");
	/* A number and its percent sign stay on one line. */
	g_string_replace(markup, " %", "\302\240%", 0);
	return g_string_free(markup, FALSE);
}

gboolean wpv_window_follow_link(WpvWindow *window, const gchar *uri)
{
	WpvAnswer *answer = wpv_session_get_answer(window->session);
	g_auto(GStrv) parts = g_strsplit(uri, ":", 3);
	guint64 host, task;
	guint32 piece;

	if (!answer || g_strv_length(parts) != 3 ||
	    !g_ascii_string_to_unsigned(parts[1], 10, 0, G_MAXUINT32, &host, NULL) ||
	    !g_ascii_string_to_unsigned(parts[2], 10, 0, G_MAXUINT32, &task, NULL))
		return FALSE;
	piece = wpv_answer_get_first_piece(answer, (guint32)host, (WpId)task);
	if (piece != WP_NONE)
		wpv_session_select_piece(window->session, piece);
	return piece != WP_NONE;
}

void wpv_window_update_answer(WpvWindow *window)
{
	WpvDocument *document = wpv_session_get_document(window->session);
	WpvAnswer *answer = wpv_session_get_answer(window->session);
	gboolean asking = wpv_session_is_asking(window->session) || window->guessing;
	g_autofree gchar *markup = NULL;

	gtk_widget_set_visible(GTK_WIDGET(window->spinner), asking);
	gtk_spinner_set_spinning(window->spinner, asking);
	gtk_widget_set_sensitive(GTK_WIDGET(window->why_button), answer != NULL);
	gtk_widget_set_visible(GTK_WIDGET(window->task_button), document != NULL);
	gtk_widget_set_visible(GTK_WIDGET(window->window_button), answer != NULL);
	if (answer) {
		const WpvQuestion *question = wpv_answer_get_question(answer);
		g_autofree gchar *name = wpv_document_dup_task_name(document, question->host,
								    question->task);
		g_autofree gchar *label = NULL;
		WpText text;

		label = g_strdup_printf("%s window",
					wp_duration_text(&text, question->end - question->begin));
		gtk_label_set_text(window->task_label, name);
		gtk_label_set_text(window->window_label, label);
		markup = wpv_window_dup_sentence_markup(window);
		gtk_label_set_markup(window->sentence, markup);
	} else {
		gtk_label_set_text(window->task_label, "Choose a Task");
		gtk_label_set_text(window->sentence,
				   asking ? "Looking for the path\342\200\246"
					  : "Choose a task to see what it waited for.");
	}
}

/* ---- badges ---- */

/* "3 findings", with a sign when one of them is no mere note. */
static gchar *dup_findings_badge(const WpFindings *findings)
{
	const guint n = findings ? wp_findings_n(findings) : 0;
	gboolean bad = FALSE;

	for (guint i = 0; i < n && !bad; i++)
		bad = wp_findings_get(findings, i)->severity != WP_SEVERITY_INFO;
	return g_strdup_printf("%s%u finding%s", bad ? "\342\232\240 " : "", n, n == 1 ? "" : "s");
}

void wpv_window_update_badges(WpvWindow *window)
{
	WpvDocument *document = wpv_session_get_document(window->session);
	const WpFindings *all = document ? wpv_document_get_findings(document) : NULL;
	g_autofree gchar *clocks = NULL;
	g_autofree gchar *findings = dup_findings_badge(all);
	gboolean good = TRUE;

	if (document)
		clocks = wpv_clocks_dup_badge(document, &good);
	gtk_widget_set_visible(GTK_WIDGET(window->clocks_button), clocks != NULL);
	if (clocks)
		gtk_label_set_text(window->clocks_label, clocks);
	if (good)
		gtk_widget_remove_css_class(GTK_WIDGET(window->clocks_button), "warning");
	else
		gtk_widget_add_css_class(GTK_WIDGET(window->clocks_button), "warning");
	gtk_widget_set_visible(GTK_WIDGET(window->findings_button), all && wp_findings_n(all) > 0);
	gtk_button_set_label(window->findings_button, findings);
	gtk_label_set_text(window->title, document ? wpv_document_get_title(document) : "Waitpath");
	gtk_window_set_title(GTK_WINDOW(window),
			     document ? wpv_document_get_title(document) : "Waitpath");
}

/* ---- the status line ---- */

static void append_markers(WpvWindow *window, GString *text)
{
	WpTime origin = wpv_session_get_origin(window->session), time[2];
	WpText buffer;
	gboolean has[2];

	for (guint i = 0; i < 2; i++) {
		has[i] = wpv_session_get_marker(window->session, i, &time[i]);
		if (has[i])
			g_string_append_printf(text, "  \302\267  %c %s s", i ? 'B' : 'A',
					       wp_offset_text(&buffer, time[i] - origin));
	}
	if (has[0] && has[1])
		g_string_append_printf(text, ", B\342\210\222A %s",
				       wp_duration_text(&buffer, time[1] - time[0]));
}

static void append_arrows(WpvWindow *window, GString *text)
{
	gboolean more;

	wpv_painter_get_n_arrows(wpv_canvas_get_painter(WPV_CANVAS(window->canvas)), &more);
	if (more)
		g_string_append(text, "  \302\267  more arrows than can be drawn: zoom in");
}

void wpv_window_update_status(WpvWindow *window)
{
	g_autoptr(GString) text = g_string_new(NULL);
	WpTime begin, end, origin;
	WpText buffer, other;

	if (!wpv_session_get_document(window->session)) {
		gtk_label_set_text(window->status, "");
		return;
	}
	origin = wpv_session_get_origin(window->session);
	wpv_session_get_visible(window->session, &begin, &end);
	g_string_append_printf(text, "%s visible from %s s", wp_duration_text(&buffer, end - begin),
			       wp_offset_text(&other, begin - origin));
	if (wpv_session_get_selection(window->session, &begin, &end))
		g_string_append_printf(text, "  \302\267  %s selected from %s s",
				       wp_duration_text(&buffer, end - begin),
				       wp_offset_text(&other, begin - origin));
	append_markers(window, text);
	append_arrows(window, text);
	gtk_label_set_text(window->status, text->str);
}
