/* SPDX-License-Identifier: MIT */
/* wpv-breakdown-pane.c: a table over a breakdown that a thread computes anew for each selection. */
#include "config.h"

#include "base/error.h"
#include "export/units.h"
#include "viewer/view/wpv-breakdown-pane.h"
#include "viewer/view/wpv-columns.h"
#include "viewer/view/wpv-painter.h"

#define DEBOUNCE 60 /* ms that the selection is left to settle */

/* ---- an item: a row of the breakdown ---- */

#define WPV_TYPE_BREAKDOWN_ITEM (wpv_breakdown_item_get_type())
G_DECLARE_FINAL_TYPE(WpvBreakdownItem, wpv_breakdown_item, WPV, BREAKDOWN_ITEM, GObject)

struct _WpvBreakdownItem {
	GObject parent;
	WpvBreakdownRow row; /* its name owned */
	WpTime whole, other_whole, largest;
	gboolean compared;
};

G_DEFINE_FINAL_TYPE(WpvBreakdownItem, wpv_breakdown_item, G_TYPE_OBJECT)

static void wpv_breakdown_item_finalize(GObject *object)
{
	g_free(WPV_BREAKDOWN_ITEM(object)->row.name);
	G_OBJECT_CLASS(wpv_breakdown_item_parent_class)->finalize(object);
}

static void wpv_breakdown_item_class_init(WpvBreakdownItemClass *klass)
{
	G_OBJECT_CLASS(klass)->finalize = wpv_breakdown_item_finalize;
}

static void wpv_breakdown_item_init(WpvBreakdownItem *item)
{
}

enum { CELL_NAME, CELL_SHARE, CELL_TIME, CELL_COUNT, CELL_OTHER, CELL_DIFFERENCE };

static gchar *cell_text(gpointer data, gint column)
{
	WpvBreakdownItem *item = data;
	WpText text;

	switch (column) {
	case CELL_NAME:
		return g_strdup(item->row.name);
	case CELL_SHARE:
		return g_strdup(wp_share_words(&text, item->row.time, item->whole));
	case CELL_TIME:
		return g_strdup(wp_duration_text(&text, item->row.time));
	case CELL_COUNT:
		return g_strdup(wp_count_text(&text, item->row.count));
	case CELL_OTHER:
		return item->compared ? g_strdup(wp_duration_text(&text, item->row.other))
				      : g_strdup("");
	default:
		return item->compared
			       ? g_strdup_printf(
					 "%s%s", item->row.time > item->row.other ? "+" : "",
					 wp_duration_text(&text, item->row.time - item->row.other))
			       : g_strdup("");
	}
}

/* The time of a row by state, against the longest row. */
static void draw_bar(GtkSnapshot *snapshot, gpointer data, gint width, gint height, gpointer style)
{
	WpvBreakdownItem *item = data;
	gdouble x = 0, scale = item->largest > 0 ? (gdouble)width / (gdouble)item->largest : 0;
	const gint bar = MIN(height, 12);

	for (guint state = 0; state < WP_STATE_N; state++) {
		gdouble length = (gdouble)item->row.by_state[state] * scale;

		if (length <= 0)
			continue;
		gtk_snapshot_append_color(snapshot, wpv_style_get_colour(style, state),
					  &GRAPHENE_RECT_INIT((float)x, (float)((height - bar) / 2),
							      (float)length, (float)bar));
		x += length;
	}
}

/* ---- the pane ---- */

struct _WpvBreakdownPane {
	GtkWidget parent;
	WpvSession *session; /* reference */
	GtkWidget *box; /* owned child */
	GtkDropDown *by; /* borrowed, as the widgets below */
	GtkLabel *about;
	GtkWidget *keep, *drop;
	GtkColumnView *view;
	GtkColumnViewColumn *other, *difference; /* references: in the view only while comparing */
	GListStore *store; /* reference: WpvBreakdownItem */
	GtkSingleSelection *selection; /* reference */
	WpvBreakdown *breakdown; /* owned, NULL */
	GCancellable *cancellable; /* reference: of the one on its way, NULL */
	guint timeout; /* until the next one is begun, 0 */
	gboolean has_kept;
	WpTime kept_begin, kept_end;
};

G_DEFINE_FINAL_TYPE(WpvBreakdownPane, wpv_breakdown_pane, GTK_TYPE_WIDGET)

static void stop(WpvBreakdownPane *pane)
{
	if (pane->cancellable)
		g_cancellable_cancel(pane->cancellable);
	g_clear_object(&pane->cancellable);
}

static void wpv_breakdown_pane_dispose(GObject *object)
{
	WpvBreakdownPane *pane = WPV_BREAKDOWN_PANE(object);

	/* From here on nothing that the session tells is listened to. */
	if (pane->session)
		g_signal_handlers_disconnect_by_data(pane->session, pane);
	g_clear_handle_id(&pane->timeout, g_source_remove);
	stop(pane);
	g_clear_pointer(&pane->box, gtk_widget_unparent);
	g_clear_pointer(&pane->breakdown, wpv_breakdown_free);
	g_clear_object(&pane->other);
	g_clear_object(&pane->difference);
	g_clear_object(&pane->selection);
	g_clear_object(&pane->store);
	g_clear_object(&pane->session);
	G_OBJECT_CLASS(wpv_breakdown_pane_parent_class)->dispose(object);
}

static void wpv_breakdown_pane_class_init(WpvBreakdownPaneClass *klass)
{
	G_OBJECT_CLASS(klass)->dispose = wpv_breakdown_pane_dispose;
	gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(klass), GTK_TYPE_BIN_LAYOUT);
}

static void wpv_breakdown_pane_init(WpvBreakdownPane *pane)
{
}

static WpTime largest_time(const WpvBreakdown *breakdown)
{
	WpTime largest = 0;

	for (guint i = 0; i < breakdown->rows->len; i++)
		largest = MAX(largest, g_array_index(breakdown->rows, WpvBreakdownRow, i).time);
	return largest;
}

static void fill(WpvBreakdownPane *pane)
{
	const WpvBreakdown *breakdown = pane->breakdown;
	g_autoptr(GPtrArray) items = g_ptr_array_new_with_free_func(g_object_unref);
	WpTime largest = breakdown ? largest_time(breakdown) : 0;

	for (guint i = 0; breakdown && i < breakdown->rows->len; i++) {
		WpvBreakdownItem *item = g_object_new(WPV_TYPE_BREAKDOWN_ITEM, NULL);

		item->row = g_array_index(breakdown->rows, WpvBreakdownRow, i);
		item->row.name = g_strdup(item->row.name);
		item->whole = breakdown->time;
		item->other_whole = breakdown->other;
		item->largest = largest;
		item->compared = breakdown->compared;
		g_ptr_array_add(items, item);
	}
	g_list_store_splice(pane->store, 0, g_list_model_get_n_items(G_LIST_MODEL(pane->store)),
			    items->pdata, items->len);
}

/* A column that is invisible still takes its width: it is taken out. */
static void show_columns(WpvBreakdownPane *pane, gboolean show)
{
	gboolean shown = gtk_column_view_column_get_column_view(pane->other) != NULL;

	if (show && !shown) {
		gtk_column_view_append_column(pane->view, pane->other);
		gtk_column_view_append_column(pane->view, pane->difference);
	} else if (!show && shown) {
		gtk_column_view_remove_column(pane->view, pane->other);
		gtk_column_view_remove_column(pane->view, pane->difference);
	}
}

static void tell_what(WpvBreakdownPane *pane, gboolean selected, WpTime begin, WpTime end)
{
	WpText a, b;
	g_autofree gchar *text = NULL;

	if (pane->has_kept)
		text = g_strdup_printf("%s against %s of the range that was kept",
				       wp_duration_text(&a, end - begin),
				       wp_duration_text(&b, pane->kept_end - pane->kept_begin));
	else if (selected)
		text = g_strdup_printf("the selected %s", wp_duration_text(&a, end - begin));
	else
		text = g_strdup_printf("the whole path, %s", wp_duration_text(&a, end - begin));
	gtk_label_set_text(pane->about, text);
	gtk_widget_set_sensitive(pane->keep, selected);
	gtk_widget_set_visible(pane->drop, pane->has_kept);
	show_columns(pane, pane->has_kept);
}

static void on_done(GObject *source, GAsyncResult *result, gpointer data)
{
	g_autoptr(WpvBreakdownPane) pane = data;
	g_autoptr(GError) error = NULL;
	WpvBreakdown *breakdown = wpv_breakdown_new_finish(result, &error);

	if (g_task_get_cancellable(G_TASK(result)) != pane->cancellable) {
		wpv_breakdown_free(breakdown);
		return;
	}
	g_clear_object(&pane->cancellable);
	g_clear_pointer(&pane->breakdown, wpv_breakdown_free);
	pane->breakdown = breakdown;
	fill(pane);
}

static void update(WpvBreakdownPane *pane)
{
	WpvDocument *document;
	WpvAnswer *answer;
	WpTime begin, end;
	gboolean selected;

	/* The choice of what is summed up by may outlive it. */
	if (!pane->session)
		return;
	document = wpv_session_get_document(pane->session);
	answer = wpv_session_get_answer(pane->session);
	stop(pane);
	if (!document || !answer) {
		g_clear_pointer(&pane->breakdown, wpv_breakdown_free);
		fill(pane);
		gtk_label_set_text(pane->about, "");
		return;
	}
	selected = wpv_session_get_selection(pane->session, &begin, &end);
	if (!selected) {
		begin = wpv_answer_get_path(answer)->begin;
		end = wpv_answer_get_path(answer)->end;
	}
	tell_what(pane, selected, begin, end);
	pane->cancellable = g_cancellable_new();
	wpv_breakdown_new_async(document, answer, gtk_drop_down_get_selected(pane->by), begin, end,
				pane->has_kept ? pane->kept_begin : 0,
				pane->has_kept ? pane->kept_end : 0, pane->cancellable, on_done,
				g_object_ref(pane));
}

static gboolean update_late(gpointer data)
{
	WpvBreakdownPane *pane = data;

	pane->timeout = 0;
	update(pane);
	return G_SOURCE_REMOVE;
}

static void on_changed(WpvBreakdownPane *pane, guint what)
{
	if (what & WPV_CHANGED_DOCUMENT)
		pane->has_kept = FALSE;
	if (what & (WPV_CHANGED_DOCUMENT | WPV_CHANGED_ANSWER))
		update(pane);
	else if (what & WPV_CHANGED_SELECTION && !pane->timeout)
		pane->timeout = g_timeout_add(DEBOUNCE, update_late, pane);
	if (what & WPV_CHANGED_STYLE)
		wpv_columns_redraw(pane->view);
}

/* Goes to the first of the row's segments. */
static void on_selected(WpvBreakdownPane *pane)
{
	WpvBreakdownItem *item = gtk_single_selection_get_selected_item(pane->selection);
	WpvRowKey none = WPV_ROW_KEY_NONE;

	if (!item || item->row.count == 0)
		return;
	wpv_session_select_at(pane->session, none, item->row.first);
	wpv_session_reveal(pane->session);
}

static void add_columns(WpvBreakdownPane *pane)
{
	static const WpvColumnSpec name = {CELL_NAME, "Name", 0, 0, TRUE};
	static const WpvColumnSpec share = {CELL_SHARE, "Share", 70, 1, FALSE};
	static const WpvColumnSpec time = {CELL_TIME, "Time", 80, 1, FALSE};
	static const WpvColumnSpec bar = {0, "States", 0, 0, TRUE};
	static const WpvColumnSpec count = {CELL_COUNT, "Segments", 100, 1, FALSE};
	static const WpvColumnSpec other = {CELL_OTHER, "Kept", 80, 1, FALSE};
	static const WpvColumnSpec difference = {CELL_DIFFERENCE, "Change", 90, 1, FALSE};

	wpv_columns_add(pane->view, &name, cell_text);
	wpv_columns_add(pane->view, &share, cell_text);
	wpv_columns_add(pane->view, &time, cell_text);
	wpv_columns_add_drawn(pane->view, &bar, draw_bar, wpv_session_get_style(pane->session));
	wpv_columns_add(pane->view, &count, cell_text);
	pane->other = g_object_ref(wpv_columns_add(pane->view, &other, cell_text));
	pane->difference = g_object_ref(wpv_columns_add(pane->view, &difference, cell_text));
	show_columns(pane, FALSE);
}

static GtkWidget *make_line(WpvBreakdownPane *pane)
{
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
	const gchar *names[WPV_BY_N + 1] = {NULL};
	GtkWidget *by, *about = gtk_label_new(NULL);

	for (guint i = 0; i < WPV_BY_N; i++)
		names[i] = wpv_by_words(i);
	by = gtk_drop_down_new_from_strings(names);
	pane->by = GTK_DROP_DOWN(by);
	pane->about = GTK_LABEL(about);
	gtk_accessible_update_property(GTK_ACCESSIBLE(by), GTK_ACCESSIBLE_PROPERTY_LABEL,
				       "Sum up by", -1);
	gtk_label_set_xalign(pane->about, 0);
	gtk_label_set_ellipsize(pane->about, PANGO_ELLIPSIZE_END);
	gtk_widget_set_hexpand(about, TRUE);
	pane->keep = gtk_button_new_with_label("Keep to Compare");
	gtk_widget_set_tooltip_text(
		pane->keep, "Keeps the selected range; what is selected next is compared with it");
	pane->drop = gtk_button_new_with_label("Stop Comparing");
	gtk_widget_add_css_class(box, "switch-line");
	gtk_box_append(GTK_BOX(box), by);
	gtk_box_append(GTK_BOX(box), about);
	gtk_box_append(GTK_BOX(box), pane->drop);
	gtk_box_append(GTK_BOX(box), pane->keep);
	g_signal_connect_swapped(by, "notify::selected", G_CALLBACK(update), pane);
	g_signal_connect_swapped(pane->keep, "clicked", G_CALLBACK(wpv_breakdown_pane_keep), pane);
	g_signal_connect_swapped(pane->drop, "clicked", G_CALLBACK(wpv_breakdown_pane_drop_kept),
				 pane);
	return box;
}

GtkWidget *wpv_breakdown_pane_new(WpvSession *session)
{
	WpvBreakdownPane *pane = g_object_new(WPV_TYPE_BREAKDOWN_PANE, NULL);
	GtkWidget *table;

	pane->session = g_object_ref(session);
	pane->store = g_list_store_new(WPV_TYPE_BREAKDOWN_ITEM);
	pane->selection = gtk_single_selection_new(g_object_ref(G_LIST_MODEL(pane->store)));
	gtk_single_selection_set_autoselect(pane->selection, FALSE);
	gtk_single_selection_set_can_unselect(pane->selection, TRUE);
	table = wpv_table_new(GTK_SELECTION_MODEL(g_object_ref(pane->selection)), "Breakdown",
			      &pane->view);
	pane->box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
	gtk_box_append(GTK_BOX(pane->box), make_line(pane));
	gtk_box_append(GTK_BOX(pane->box), table);
	gtk_widget_set_parent(pane->box, GTK_WIDGET(pane));
	add_columns(pane);
	g_signal_connect_object(pane->selection, "notify::selected", G_CALLBACK(on_selected), pane,
				G_CONNECT_SWAPPED);
	g_signal_connect_object(session, "changed", G_CALLBACK(on_changed), pane,
				G_CONNECT_SWAPPED);
	update(pane);
	return GTK_WIDGET(pane);
}

void wpv_breakdown_pane_set_by(WpvBreakdownPane *pane, WpvBy by)
{
	gtk_drop_down_set_selected(pane->by, by);
}

gboolean wpv_breakdown_pane_keep(WpvBreakdownPane *pane)
{
	pane->has_kept = wpv_session_get_selection(pane->session, &pane->kept_begin,
						   &pane->kept_end);
	update(pane);
	return pane->has_kept;
}

void wpv_breakdown_pane_drop_kept(WpvBreakdownPane *pane)
{
	pane->has_kept = FALSE;
	update(pane);
}

const WpvBreakdown *wpv_breakdown_pane_get(WpvBreakdownPane *pane)
{
	return pane->cancellable || pane->timeout ? NULL : pane->breakdown;
}
