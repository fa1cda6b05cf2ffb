/* SPDX-License-Identifier: MIT */
/*
 * wpv-requests-pane.c: a table, a histogram and a line of figures over the requests. They
 * are those of the task that was asked for last other than from here: opening one of them
 * does not look for the requests of that request.
 */
#include "config.h"

#include "export/units.h"
#include "viewer/view/wpv-columns.h"
#include "viewer/view/wpv-painter.h"
#include "viewer/view/wpv-requests-pane.h"
#include "viewer/view/wpv-ruler.h"

#define BARS_HEIGHT 30

struct _WpvRequestsPane {
	GtkWidget parent;
	WpvSession *session; /* reference */
	WpvRequests *requests; /* reference */
	GtkWidget *box; /* owned child */
	GtkDropDown *rule; /* borrowed, as the widgets below */
	GtkLabel *figures;
	GtkWidget *histogram;
	GtkColumnView *view;
	WpvDocument *document; /* weak: only compared */
	guint32 host; /* and task: whose requests are shown; WP_NONE: nobody's yet */
	WpId task;
	WpRequestsRule shown_rule;
};

G_DEFINE_FINAL_TYPE(WpvRequestsPane, wpv_requests_pane, GTK_TYPE_WIDGET)

static void wpv_requests_pane_dispose(GObject *object)
{
	WpvRequestsPane *pane = WPV_REQUESTS_PANE(object);

	/* From here on nothing that the session tells is listened to. */
	if (pane->session)
		g_signal_handlers_disconnect_by_data(pane->session, pane);
	g_clear_pointer(&pane->box, gtk_widget_unparent);
	g_clear_object(&pane->requests);
	g_clear_object(&pane->session);
	G_OBJECT_CLASS(wpv_requests_pane_parent_class)->dispose(object);
}

/* ---- what is looked for ---- */

static WpRequestsRule chosen_rule(WpvRequestsPane *pane)
{
	return gtk_drop_down_get_selected(pane->rule) == 0 ? WP_REQUESTS_NETWORK
							   : WP_REQUESTS_CONNECTION;
}

static void update(WpvRequestsPane *pane)
{
	WpvDocument *document;
	WpvAnswer *answer;
	const WpvQuestion *question;

	/* The choice of a rule may outlive it. */
	if (!pane->session)
		return;
	document = wpv_session_get_document(pane->session);
	answer = wpv_session_get_answer(pane->session);
	question = answer ? wpv_answer_get_question(answer) : NULL;
	if (!document || !question) {
		if (pane->host != WP_NONE)
			wpv_requests_set(pane->requests, NULL, 0, 0, WP_REQUESTS_NETWORK);
		pane->host = WP_NONE;
		return;
	}
	if (!gtk_widget_get_mapped(GTK_WIDGET(pane)) ||
	    (pane->document == document && pane->host == question->host &&
	     pane->task == question->task && pane->shown_rule == chosen_rule(pane)))
		return;
	pane->document = document;
	pane->host = question->host;
	pane->task = question->task;
	pane->shown_rule = chosen_rule(pane);
	wpv_requests_set(pane->requests, document, pane->host, pane->task, pane->shown_rule);
}

static void wpv_requests_pane_map(GtkWidget *widget)
{
	GTK_WIDGET_CLASS(wpv_requests_pane_parent_class)->map(widget);
	update(WPV_REQUESTS_PANE(widget));
}

static void on_changed(WpvRequestsPane *pane, guint what)
{
	if (what & (WPV_CHANGED_DOCUMENT | WPV_CHANGED_ANSWER))
		update(pane);
	if (what & WPV_CHANGED_STYLE)
		gtk_widget_queue_draw(pane->histogram);
}

/* ---- what is shown ---- */

static gchar *figures_text(WpvRequestsPane *pane)
{
	const WpDistribution *d = wpv_requests_get_distribution(pane->requests);
	WpText n, p50, p90, p99;

	if (wpv_requests_is_running(pane->requests))
		return g_strdup("Looking for requests\342\200\246");
	if (wpv_requests_get_error(pane->requests))
		return g_strdup(wpv_requests_get_error(pane->requests));
	if (!d)
		return g_strdup("");
	if (d->n == 0)
		return g_strdup("This task has no requests: it sends nothing that is answered, and "
				"answers nothing.");
	/* Nothing that follows from the list below, whose first one is the longest. */
	return g_strdup_printf("%s requests, median %s, 90 %% within %s, 99 %% within %s",
			       wp_count_text(&n, d->n), wp_duration_text(&p50, d->p50),
			       wp_duration_text(&p90, d->p90), wp_duration_text(&p99, d->p99));
}

static void show_requests(WpvRequestsPane *pane)
{
	g_autofree gchar *text = figures_text(pane);

	gtk_label_set_text(pane->figures, text);
	gtk_widget_set_tooltip_text(GTK_WIDGET(pane->figures), text);
	gtk_widget_queue_draw(pane->histogram);
}

/* x is where the text begins (share 0) or ends (1). */
static void draw_label(GtkWidget *widget, cairo_t *cr, const gchar *text, gint x, gint share,
		       gint y)
{
	g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout(widget, text);
	gint width;

	pango_layout_get_pixel_size(layout, &width, NULL);
	cairo_move_to(cr, x - share * width, y);
	pango_cairo_show_layout(cr, layout);
}

/* Numbers of requests over their duration, from 0 to the longest. */
static void draw_histogram(GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
	WpvRequestsPane *pane = data;
	const guint *bins = wpv_requests_get_bins(pane->requests);
	WpvStyle *style = wpv_session_get_style(pane->session);
	const WpDistribution *d = wpv_requests_get_distribution(pane->requests);
	gdouble step = (gdouble)width / WPV_REQUESTS_BINS;
	const gint foot = height - 16;
	guint most = 0;
	WpText longest;

	if (!bins || !d || d->n == 0)
		return;
	for (guint i = 0; i < WPV_REQUESTS_BINS; i++)
		most = MAX(most, bins[i]);
	gdk_cairo_set_source_rgba(cr, wpv_colour(style, WPV_COLOUR_ACCENT));
	for (guint i = 0; i < WPV_REQUESTS_BINS && most > 0; i++) {
		gdouble bar = bins[i] ? MAX((gdouble)bins[i] * foot / most, 2) : 0;

		cairo_rectangle(cr, i * step, foot - bar, MAX(step - 1, 1), bar);
	}
	cairo_fill(cr);
	gdk_cairo_set_source_rgba(cr, wpv_colour(style, WPV_COLOUR_LINE));
	cairo_rectangle(cr, 0, foot, width, 1);
	cairo_fill(cr);
	gdk_cairo_set_source_rgba(cr, wpv_colour(style, WPV_COLOUR_TEXT));
	draw_label(GTK_WIDGET(area), cr, "0", 0, 0, foot + 1);
	draw_label(GTK_WIDGET(area), cr, wp_duration_text(&longest, d->max), width, 1, foot + 1);
}

enum { CELL_BEGIN, CELL_DURATION, CELL_MOST };

static gchar *cell_text(gpointer data, gint column)
{
	WpvRequestItem *item = data;
	WpText text;

	switch (column) {
	case CELL_BEGIN:
		return g_strdup(wp_clock_text(&text, wpv_request_item_get_question(item)->begin));
	case CELL_DURATION:
		return g_strdup(wp_duration_text(&text, wpv_request_item_get_duration(item)));
	default:
		return wpv_request_item_dup_most(item);
	}
}

void wpv_requests_pane_open(WpvRequestsPane *pane, guint position)
{
	g_autoptr(WpvRequestItem)
		item = g_list_model_get_item(G_LIST_MODEL(pane->requests), position);
	const WpvQuestion *question;
	WpTime room;

	if (!item)
		return;
	question = wpv_request_item_get_question(item);
	room = (question->end - question->begin) / 50;
	/* It stays in this list when it belongs to another thread of the process. */
	pane->host = question->host;
	pane->task = question->task;
	wpv_session_show(pane->session, question->begin - room, question->end + room,
			 WPV_STEP_ALONE);
	wpv_session_ask(pane->session, question);
}

/* ---- making ---- */

static void wpv_requests_pane_class_init(WpvRequestsPaneClass *klass)
{
	G_OBJECT_CLASS(klass)->dispose = wpv_requests_pane_dispose;
	GTK_WIDGET_CLASS(klass)->map = wpv_requests_pane_map;
	gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(klass), GTK_TYPE_BIN_LAYOUT);
}

static void wpv_requests_pane_init(WpvRequestsPane *pane)
{
	pane->host = WP_NONE;
}

static GtkWidget *make_line(WpvRequestsPane *pane)
{
	static const gchar *const rules[] = {"Question and answer", "Whole connections", NULL};
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
	GtkWidget *rule = gtk_drop_down_new_from_strings(rules), *figures = gtk_label_new(NULL);

	pane->rule = GTK_DROP_DOWN(rule);
	pane->figures = GTK_LABEL(figures);
	gtk_accessible_update_property(GTK_ACCESSIBLE(rule), GTK_ACCESSIBLE_PROPERTY_LABEL,
				       "A request is", -1);
	gtk_widget_set_valign(rule, GTK_ALIGN_CENTER);
	gtk_label_set_xalign(pane->figures, 0);
	gtk_label_set_wrap(pane->figures, TRUE);
	gtk_widget_set_hexpand(figures, TRUE);
	pane->histogram = gtk_drawing_area_new();
	gtk_widget_set_size_request(pane->histogram, 220, BARS_HEIGHT + 16);
	gtk_widget_set_valign(pane->histogram, GTK_ALIGN_CENTER);
	gtk_accessible_update_property(GTK_ACCESSIBLE(pane->histogram),
				       GTK_ACCESSIBLE_PROPERTY_LABEL, "Durations of the requests",
				       -1);
	gtk_widget_add_css_class(pane->histogram, "small");
	gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(pane->histogram), draw_histogram, pane,
				       NULL);
	gtk_widget_add_css_class(box, "switch-line");
	gtk_box_append(GTK_BOX(box), rule);
	gtk_box_append(GTK_BOX(box), figures);
	gtk_box_append(GTK_BOX(box), pane->histogram);
	g_signal_connect_swapped(rule, "notify::selected", G_CALLBACK(update), pane);
	return box;
}

static void on_activated(GtkColumnView *view, guint position, WpvRequestsPane *pane)
{
	wpv_requests_pane_open(pane, position);
}

GtkWidget *wpv_requests_pane_new(WpvSession *session)
{
	static const WpvColumnSpec begin = {CELL_BEGIN, "Begin", 160, 1, FALSE};
	static const WpvColumnSpec duration = {CELL_DURATION, "Duration", 90, 1, FALSE};
	static const WpvColumnSpec most = {CELL_MOST, "Most of It", 0, 0, TRUE};
	WpvRequestsPane *pane = g_object_new(WPV_TYPE_REQUESTS_PANE, NULL);
	GtkSingleSelection *selection;
	GtkWidget *table;

	pane->session = g_object_ref(session);
	pane->requests = wpv_requests_new();
	selection = gtk_single_selection_new(g_object_ref(G_LIST_MODEL(pane->requests)));
	gtk_single_selection_set_autoselect(selection, FALSE);
	table = wpv_table_new(GTK_SELECTION_MODEL(selection), "Requests, the slowest first",
			      &pane->view);
	gtk_column_view_set_single_click_activate(pane->view, TRUE);
	pane->box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
	gtk_box_append(GTK_BOX(pane->box), make_line(pane));
	gtk_box_append(GTK_BOX(pane->box), table);
	gtk_widget_set_parent(pane->box, GTK_WIDGET(pane));
	wpv_columns_add(pane->view, &begin, cell_text);
	wpv_columns_add(pane->view, &duration, cell_text);
	wpv_columns_add(pane->view, &most, cell_text);
	g_signal_connect_object(pane->view, "activate", G_CALLBACK(on_activated), pane, 0);
	g_signal_connect_object(pane->requests, "changed", G_CALLBACK(show_requests), pane,
				G_CONNECT_SWAPPED);
	g_signal_connect_object(session, "changed", G_CALLBACK(on_changed), pane,
				G_CONNECT_SWAPPED);
	return GTK_WIDGET(pane);
}

WpvRequests *wpv_requests_pane_get(WpvRequestsPane *pane)
{
	return pane->requests;
}
