/* SPDX-License-Identifier: MIT */
/* wpv-findings-pane.c: lists that are filled anew with each document. */
#include "config.h"

#include "export/units.h"
#include "viewer/view/wpv-findings-pane.h"

/* More are counted, not listed. */
#define LINES_MAX 1000u

static GtkWidget *text_label(const gchar *text)
{
	GtkWidget *label = gtk_label_new(text);

	gtk_label_set_xalign(GTK_LABEL(label), 0);
	gtk_label_set_wrap(GTK_LABEL(label), TRUE);
	gtk_label_set_selectable(GTK_LABEL(label), TRUE);
	gtk_widget_set_hexpand(label, TRUE);
	return label;
}

static const gchar *severity_icon(WpSeverity severity)
{
	switch (severity) {
	case WP_SEVERITY_INFO:
		return "dialog-information-symbolic";
	case WP_SEVERITY_WARNING:
		return "dialog-warning-symbolic";
	case WP_SEVERITY_ERROR:
		break;
	}
	return "dialog-error-symbolic";
}

static GtkWidget *finding_line(const WpFinding *finding)
{
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
	GtkWidget *icon = gtk_image_new_from_icon_name(severity_icon(finding->severity));
	g_autofree gchar *text = NULL;
	WpText count;

	text = wpv_take_text(g_strdup_printf("%s%s%s", finding->host ? finding->host : "",
					     finding->host ? ": " : "", finding->text));
	gtk_widget_set_valign(icon, GTK_ALIGN_START);
	gtk_accessible_update_property(GTK_ACCESSIBLE(icon), GTK_ACCESSIBLE_PROPERTY_LABEL,
				       wp_severity_key(finding->severity), -1);
	gtk_box_append(GTK_BOX(box), icon);
	gtk_box_append(GTK_BOX(box), text_label(text));
	if (finding->count > 1) {
		g_autofree gchar *times = g_strdup_printf("%s times",
							  wp_count_text(&count, finding->count));

		gtk_box_append(GTK_BOX(box), gtk_label_new(times));
	}
	return box;
}

static void clear_list(GtkWidget *list)
{
	GtkWidget *child;

	while ((child = gtk_widget_get_first_child(list)))
		gtk_list_box_remove(GTK_LIST_BOX(list), child);
}

static void fill_findings(GtkWidget *list, WpvDocument *document)
{
	const WpFindings *findings = document ? wpv_document_get_findings(document) : NULL;
	guint n = findings ? wp_findings_n(findings) : 0;

	clear_list(list);
	for (guint i = 0; i < MIN(n, LINES_MAX); i++)
		gtk_list_box_append(GTK_LIST_BOX(list), finding_line(wp_findings_get(findings, i)));
	if (n > LINES_MAX) {
		g_autofree gchar *more = g_strdup_printf("%u more are not listed.", n - LINES_MAX);

		gtk_list_box_append(GTK_LIST_BOX(list), text_label(more));
	}
	if (document && n == 0)
		gtk_list_box_append(GTK_LIST_BOX(list),
				    text_label("Nothing is odd in these traces."));
}

static void on_activated(GtkListBox *list, GtkListBoxRow *row, WpvSession *session)
{
	WpvDocument *document = wpv_session_get_document(session);
	gint i = gtk_list_box_row_get_index(row);
	const WpFinding *finding;
	WpTime begin, end;

	if (!document || i < 0 || (guint)i >= wp_findings_n(wpv_document_get_findings(document)))
		return;
	finding = wp_findings_get(wpv_document_get_findings(document), (guint)i);
	wpv_document_get_span(document, &begin, &end);
	if (finding->time < begin || finding->time > end)
		return;
	wpv_session_set_cursor(session, finding->time);
	wpv_session_show(session, finding->time - (end - begin) / 200,
			 finding->time + (end - begin) / 200, WPV_STEP_ALONE);
}

static GtkWidget *list_new(GtkWidget **ret_list, const gchar *label)
{
	GtkWidget *scroller = gtk_scrolled_window_new();
	GtkWidget *list = gtk_list_box_new();

	gtk_list_box_set_selection_mode(GTK_LIST_BOX(list), GTK_SELECTION_NONE);
	gtk_list_box_set_show_separators(GTK_LIST_BOX(list), TRUE);
	gtk_accessible_update_property(GTK_ACCESSIBLE(list), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
				       -1);
	gtk_widget_add_css_class(list, "findings");
	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), list);
	gtk_widget_set_vexpand(scroller, TRUE);
	*ret_list = list;
	return scroller;
}

typedef struct {
	GtkWidget *list; /* borrowed from the pane that owns this */
	WpvSession *session; /* borrowed */
	void (*fill)(GtkWidget *list, WpvDocument *document);
} Pane;

static void on_changed(GtkWidget *scroller, guint what)
{
	const Pane *pane = g_object_get_data(G_OBJECT(scroller), "pane");

	if (what & WPV_CHANGED_DOCUMENT)
		pane->fill(pane->list, wpv_session_get_document(pane->session));
}

static GtkWidget *pane_new(WpvSession *session, const gchar *label,
			   void (*fill)(GtkWidget *, WpvDocument *), GtkWidget **ret_list)
{
	GtkWidget *scroller = list_new(ret_list, label);
	Pane *pane = g_new0(Pane, 1);

	*pane = (Pane){*ret_list, session, fill};
	g_object_set_data_full(G_OBJECT(scroller), "pane", pane, g_free);
	g_signal_connect_object(session, "changed", G_CALLBACK(on_changed), scroller,
				G_CONNECT_SWAPPED);
	fill(*ret_list, wpv_session_get_document(session));
	return scroller;
}

GtkWidget *wpv_findings_pane_new(WpvSession *session)
{
	GtkWidget *list, *pane = pane_new(session, "Findings", fill_findings, &list);

	g_signal_connect(list, "row-activated", G_CALLBACK(on_activated), session);
	return pane;
}

/* ---- clocks ---- */

static gchar *host_text(const WpGraph *graph, const WpSyncReport *sync, const WpHostReport *host)
{
	const gchar *name = graph->hosts[host->host]->name;
	WpText offset, bound, drift;

	if (host->host == sync->reference)
		return g_strdup_printf("%s: the reference of all times", name);
	if (!host->connected)
		return g_strdup_printf("%s: no packets join it to %s; its own clock is shown", name,
				       graph->hosts[sync->reference]->name);
	return g_strdup_printf("%s: offset %s s, known to within \302\261%s; %s", name,
			       wp_offset_text(&offset, host->offset),
			       wp_duration_text(&bound, host->bound_median),
			       wp_drift_text(&drift, host));
}

static gchar *pair_text(const WpGraph *graph, const WpPairReport *pair)
{
	WpText there, back, before, after;

	return g_strdup_printf(
		"%s and %s: %s packets there, %s back; %s; received before sent: "
		"%s, after correction %s",
		graph->hosts[pair->a]->name, graph->hosts[pair->b]->name,
		wp_count_text(&there, pair->a_to_b), wp_count_text(&back, pair->b_to_a),
		wp_pair_quality_key(pair->quality), wp_count_text(&before, pair->inversions_before),
		wp_count_text(&after, pair->inversions_after));
}

static void add_line(GtkWidget *list, gchar *text)
{
	g_autofree gchar *valid = wpv_take_text(text);

	gtk_list_box_append(GTK_LIST_BOX(list), text_label(valid));
}

static void fill_clocks(GtkWidget *list, WpvDocument *document)
{
	const WpSyncReport *sync = document ? wpv_document_get_sync(document) : NULL;
	const WpGraph *graph = document ? wpv_document_get_graph(document) : NULL;

	clear_list(list);
	if (!sync || graph->n_hosts < 2) {
		add_line(list, g_strdup("There is one clock only."));
		return;
	}
	for (guint i = 0; i < MIN(sync->n_hosts, LINES_MAX); i++)
		add_line(list, host_text(graph, sync, &sync->hosts[i]));
	for (guint i = 0; i < MIN(sync->pairs->len, LINES_MAX); i++)
		add_line(list, pair_text(graph, &g_array_index(sync->pairs, WpPairReport, i)));
}

GtkWidget *wpv_clocks_pane_new(WpvSession *session)
{
	GtkWidget *list;

	return pane_new(session, "Clocks", fill_clocks, &list);
}

gchar *wpv_clocks_dup_badge(WpvDocument *document, gboolean *ret_good)
{
	const WpSyncReport *sync = wpv_document_get_sync(document);
	const WpGraph *graph = wpv_document_get_graph(document);
	WpTime bound = 0;
	guint n_apart = 0;
	WpText text;

	*ret_good = TRUE;
	if (!sync || graph->n_hosts < 2)
		return NULL;
	for (guint i = 0; i < sync->n_hosts; i++) {
		n_apart += !sync->hosts[i].connected;
		if (sync->hosts[i].connected)
			bound = MAX(bound, sync->hosts[i].bound_median);
	}
	for (guint i = 0; i < sync->pairs->len; i++)
		if (g_array_index(sync->pairs, WpPairReport, i).quality == WP_PAIR_CONTRADICTORY)
			*ret_good = FALSE;
	if (n_apart) {
		*ret_good = FALSE;
		return g_strdup_printf("%u of %u hosts not joined", n_apart, sync->n_hosts);
	}
	return g_strdup_printf("clocks \302\261%s", wp_duration_text(&text, bound));
}
