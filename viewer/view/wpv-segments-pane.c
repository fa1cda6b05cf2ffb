/* SPDX-License-Identifier: MIT */
/*
 * wpv-segments-pane.c: a table over a lazy list; its selection and the session's item
 * follow each other.
 */
#include "config.h"

#include "viewer/view/wpv-columns.h"
#include "viewer/view/wpv-painter.h"
#include "viewer/view/wpv-segments-pane.h"

struct _WpvSegmentsPane {
	GtkWidget parent;
	WpvSession *session; /* reference */
	GtkWidget *box; /* owned child */
	GtkWidget *of_row; /* borrowed: the switch between path and row */
	GtkColumnView *view; /* borrowed */
	WpvSegmentList *list; /* reference */
	GtkSingleSelection *selection; /* reference */
	gboolean following; /* one of both is being brought after the other */
	guint idle; /* an update on its way, 0 */
};

G_DEFINE_FINAL_TYPE(WpvSegmentsPane, wpv_segments_pane, GTK_TYPE_WIDGET)

static void wpv_segments_pane_dispose(GObject *object)
{
	WpvSegmentsPane *pane = WPV_SEGMENTS_PANE(object);

	/* From here on nothing that the session tells is listened to. */
	if (pane->session)
		g_signal_handlers_disconnect_by_data(pane->session, pane);
	g_clear_pointer(&pane->box, gtk_widget_unparent);
	/* Only now: the switch between path and row tells of its own end. */
	g_clear_handle_id(&pane->idle, g_source_remove);
	g_clear_object(&pane->selection);
	g_clear_object(&pane->list);
	g_clear_object(&pane->session);
	G_OBJECT_CLASS(wpv_segments_pane_parent_class)->dispose(object);
}

static void wpv_segments_pane_class_init(WpvSegmentsPaneClass *klass)
{
	G_OBJECT_CLASS(klass)->dispose = wpv_segments_pane_dispose;
	gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(klass), GTK_TYPE_BIN_LAYOUT);
}

static void wpv_segments_pane_init(WpvSegmentsPane *pane)
{
}

static gboolean shows_row(WpvSegmentsPane *pane)
{
	return gtk_check_button_get_active(GTK_CHECK_BUTTON(pane->of_row));
}

/* ---- following ---- */

static void scroll_to(WpvSegmentsPane *pane, guint place)
{
	GtkWidget *list = gtk_widget_get_last_child(GTK_WIDGET(pane->view));

	gtk_widget_activate_action(list, "list.scroll-to-item", "u", place);
}

static void select_item_in_table(WpvSegmentsPane *pane)
{
	const WpvItem *item = wpv_session_get_item(pane->session);
	guint32 place = WP_NONE;

	if (shows_row(pane)) {
		if (item->index >= 0)
			place = wpv_segment_list_find(pane->list, (guint32)item->index);
	} else if (item->piece != WP_NONE) {
		place = wpv_segment_list_find(pane->list, item->piece);
	}
	pane->following = TRUE;
	gtk_single_selection_set_selected(pane->selection,
					  place == WP_NONE ? GTK_INVALID_LIST_POSITION : place);
	pane->following = FALSE;
	if (place != WP_NONE)
		scroll_to(pane, place);
}

static void on_selected(WpvSegmentsPane *pane)
{
	WpvSegmentItem *item = gtk_single_selection_get_selected_item(pane->selection);

	if (!item || pane->following)
		return;
	pane->following = TRUE;
	if (shows_row(pane)) {
		wpv_session_select_at(pane->session, wpv_session_get_item(pane->session)->row,
				      wpv_segment_item_get_begin(item));
		wpv_session_reveal(pane->session);
	} else {
		wpv_session_select_piece(pane->session, wpv_segment_item_get_index(item));
	}
	pane->following = FALSE;
}

/* ---- content ---- */

static void update(WpvSegmentsPane *pane)
{
	WpvRowKey none = WPV_ROW_KEY_NONE;
	WpvDocument *document = wpv_session_get_document(pane->session);
	WpTime begin = 0, end = 0;

	/* One that is on its way is not needed any more, and must not come when the pane is gone. */
	g_clear_handle_id(&pane->idle, g_source_remove);
	/* Of what is selected, or else of all of it: a table is scrolled, not zoomed. */
	if (!wpv_session_get_selection(pane->session, &begin, &end) && document)
		wpv_document_get_span(document, &begin, &end);
	wpv_segment_list_set(pane->list, document, wpv_session_get_answer(pane->session),
			     shows_row(pane) ? wpv_session_get_item(pane->session)->row : none,
			     begin, end);
	select_item_in_table(pane);
}

static gboolean update_idly(gpointer data)
{
	WpvSegmentsPane *pane = data;

	pane->idle = 0;
	update(pane);
	return G_SOURCE_REMOVE;
}

/* Not for the switch between path and row, which may outlive the pane's session. */
static void update_later(WpvSegmentsPane *pane)
{
	if (!pane->idle && pane->session)
		pane->idle = g_idle_add(update_idly, pane);
}

static void on_changed(WpvSegmentsPane *pane, guint what)
{
	if (what & (WPV_CHANGED_DOCUMENT | WPV_CHANGED_ANSWER | WPV_CHANGED_SELECTION))
		update(pane);
	else if (what & WPV_CHANGED_ITEM && !pane->following)
		update_later(pane);
	if (what & WPV_CHANGED_STYLE)
		wpv_columns_redraw(pane->view);
}

static gchar *cell_text(gpointer item, gint column)
{
	return wpv_segment_item_dup_text(item, (WpvColumn)column);
}

static void draw_state(GtkSnapshot *snapshot, gpointer item, gint width, gint height, gpointer data)
{
	WpvStyle *style = data;
	guint8 state = wpv_segment_item_get_state(item);
	gint size = MIN(MIN(width, height), 12);

	if (state != WP_SERIES_EMPTY)
		gtk_snapshot_append_color(snapshot, wpv_style_get_colour(style, state),
					  &GRAPHENE_RECT_INIT(0, (float)((height - size) / 2),
							      (float)size, (float)size));
}

static void add_columns(WpvSegmentsPane *pane)
{
	static const WpvColumnSpec chip = {0, "", 28, 0, FALSE};
	static const struct {
		WpvColumn column;
		gint width;
		gfloat xalign;
	} columns[] = {{WPV_COLUMN_BEGIN, 118, 1}, {WPV_COLUMN_DURATION, 78, 1},
		       {WPV_COLUMN_STATE, 174, 0}, {WPV_COLUMN_TASK, 118, 0},
		       {WPV_COLUMN_HOST, 62, 0},   {WPV_COLUMN_CPU, 42, 1},
		       {WPV_COLUMN_CAUSE, 0, 0}};

	wpv_columns_add_drawn(pane->view, &chip, draw_state, wpv_session_get_style(pane->session));
	for (guint i = 0; i < G_N_ELEMENTS(columns); i++) {
		WpvColumnSpec spec = {(gint)columns[i].column, wpv_column_title(columns[i].column),
				      columns[i].width, columns[i].xalign, columns[i].width == 0};

		wpv_columns_add(pane->view, &spec, cell_text);
	}
}

static GtkWidget *make_switch(WpvSegmentsPane *pane)
{
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
	GtkWidget *of_path = gtk_check_button_new_with_label("Of the path");

	pane->of_row = gtk_check_button_new_with_label("Of the selected row");
	gtk_check_button_set_group(GTK_CHECK_BUTTON(pane->of_row), GTK_CHECK_BUTTON(of_path));
	gtk_check_button_set_active(GTK_CHECK_BUTTON(of_path), TRUE);
	gtk_widget_add_css_class(box, "switch-line");
	gtk_box_append(GTK_BOX(box), of_path);
	gtk_box_append(GTK_BOX(box), pane->of_row);
	g_signal_connect_swapped(pane->of_row, "toggled", G_CALLBACK(update_later), pane);
	return box;
}

GtkWidget *wpv_segments_pane_new(WpvSession *session)
{
	WpvSegmentsPane *pane = g_object_new(WPV_TYPE_SEGMENTS_PANE, NULL);
	GtkWidget *table;

	pane->session = g_object_ref(session);
	pane->list = wpv_segment_list_new();
	pane->selection = gtk_single_selection_new(g_object_ref(G_LIST_MODEL(pane->list)));
	gtk_single_selection_set_autoselect(pane->selection, FALSE);
	gtk_single_selection_set_can_unselect(pane->selection, TRUE);
	table = wpv_table_new(GTK_SELECTION_MODEL(g_object_ref(pane->selection)), "Segments",
			      &pane->view);
	pane->box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
	gtk_box_append(GTK_BOX(pane->box), make_switch(pane));
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

void wpv_segments_pane_set_row(WpvSegmentsPane *pane, gboolean row)
{
	GtkWidget *first = gtk_widget_get_prev_sibling(pane->of_row);

	gtk_check_button_set_active(GTK_CHECK_BUTTON(row ? pane->of_row : first), TRUE);
	update(pane);
}

void wpv_segments_pane_focus(WpvSegmentsPane *pane)
{
	gtk_widget_grab_focus(GTK_WIDGET(pane->view));
}

WpvSegmentList *wpv_segments_pane_get_list(WpvSegmentsPane *pane)
{
	return pane->list;
}
