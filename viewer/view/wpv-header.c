/* SPDX-License-Identifier: MIT */
/* wpv-header.c: a pool of row widgets, filled and placed whenever rows or scrolling change. */
#include "config.h"

#include <math.h>

#include "export/units.h"
#include "viewer/view/wpv-header.h"
#include "viewer/view/wpv-painter.h"

#define INDENT 14

/* ---- the name of one row ---- */

#define WPV_TYPE_HEADER_ROW (wpv_header_row_get_type())
G_DECLARE_FINAL_TYPE(WpvHeaderRow, wpv_header_row, WPV, HEADER_ROW, GtkWidget)

struct _WpvHeaderRow {
	GtkWidget parent;
	WpvSession *session; /* borrowed from the header, its parent */
	GtkWidget *expander, *pin, *name, *share; /* owned children */
	guint place; /* in the row list */
};

G_DEFINE_FINAL_TYPE(WpvHeaderRow, wpv_header_row, GTK_TYPE_WIDGET)

static void wpv_header_row_dispose(GObject *object)
{
	GtkWidget *child;

	while ((child = gtk_widget_get_first_child(GTK_WIDGET(object))))
		gtk_widget_unparent(child);
	G_OBJECT_CLASS(wpv_header_row_parent_class)->dispose(object);
}

static void wpv_header_row_class_init(WpvHeaderRowClass *klass)
{
	G_OBJECT_CLASS(klass)->dispose = wpv_header_row_dispose;
	gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(klass), GTK_TYPE_BOX_LAYOUT);
	gtk_widget_class_set_css_name(GTK_WIDGET_CLASS(klass), "headerrow");
	gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(klass),
					     GTK_ACCESSIBLE_ROLE_TREE_ITEM);
}

static void on_expander_clicked(WpvHeaderRow *self)
{
	WpvRowList *rows = wpv_session_get_rows(self->session);
	WpvRow row;

	if (self->place >= wpv_row_list_get_n(rows))
		return;
	row = *wpv_row_list_get(rows, self->place);
	wpv_row_list_set_expanded(rows, row.key, !row.expanded);
}

static void wpv_header_row_init(WpvHeaderRow *self)
{
	GtkWidget *widget = GTK_WIDGET(self);

	self->expander = gtk_button_new_from_icon_name("pan-down-symbolic");
	gtk_widget_add_css_class(self->expander, "flat");
	gtk_widget_set_focusable(self->expander, FALSE);
	gtk_widget_set_valign(self->expander, GTK_ALIGN_CENTER);
	gtk_widget_set_parent(self->expander, widget);
	self->pin = gtk_image_new_from_icon_name("view-pin-symbolic");
	gtk_widget_set_parent(self->pin, widget);
	self->name = gtk_label_new(NULL);
	gtk_label_set_xalign(GTK_LABEL(self->name), 0);
	gtk_label_set_ellipsize(GTK_LABEL(self->name), PANGO_ELLIPSIZE_END);
	gtk_widget_set_hexpand(self->name, TRUE);
	gtk_widget_set_parent(self->name, widget);
	self->share = gtk_label_new(NULL);
	gtk_widget_add_css_class(self->share, "share");
	gtk_widget_set_parent(self->share, widget);
	g_signal_connect_swapped(self->expander, "clicked", G_CALLBACK(on_expander_clicked), self);
}

static gchar *row_label(WpvSession *session, const WpvRow *row)
{
	WpvDocument *document = wpv_session_get_document(session);
	gchar *name = wpv_document_dup_row_name(document, row->key);
	gchar *with_host;

	if (!row->pinned || row->key.kind == WPV_ROW_HOST)
		return name;
	/* Out of its tree it must say where it belongs. */
	with_host = g_strdup_printf("%s @ %s", name,
				    wpv_document_get_host(document, row->key.host)->name);
	g_free(name);
	return with_host;
}

static void show_share(WpvHeaderRow *self, const WpvRow *row)
{
	WpvAnswer *answer = wpv_session_get_answer(self->session);
	WpText text;

	if (answer && row->time > 0)
		gtk_label_set_text(
			GTK_LABEL(self->share),
			wp_share_words(&text, row->time, wpv_answer_get_totals(answer)->time));
	else
		gtk_label_set_text(GTK_LABEL(self->share), "");
}

static void set_class(GtkWidget *widget, const gchar *name, gboolean on)
{
	if (on)
		gtk_widget_add_css_class(widget, name);
	else
		gtk_widget_remove_css_class(widget, name);
}

static void fill_row(WpvHeaderRow *self, guint place)
{
	const WpvRow *row = wpv_row_list_get(wpv_session_get_rows(self->session), place);
	gboolean selected = wpv_row_key_equal(wpv_session_get_item(self->session)->row, row->key);
	g_autofree gchar *name = row_label(self->session, row);

	self->place = place;
	gtk_label_set_text(GTK_LABEL(self->name), name);
	gtk_widget_set_tooltip_text(GTK_WIDGET(self), name);
	show_share(self, row);
	gtk_widget_set_visible(self->expander, row->expandable);
	gtk_widget_set_visible(self->pin, row->pinned);
	gtk_button_set_icon_name(GTK_BUTTON(self->expander),
				 row->expanded ? "pan-down-symbolic" : "pan-end-symbolic");
	gtk_widget_set_margin_start(row->expandable ? self->expander : self->name,
				    row->depth * INDENT + (row->expandable ? 0 : 6));
	if (row->expandable)
		gtk_widget_set_margin_start(self->name, 2);
	set_class(GTK_WIDGET(self), "host", row->key.kind == WPV_ROW_HOST);
	set_class(GTK_WIDGET(self), "pinned", row->pinned);
	set_class(GTK_WIDGET(self), "selected", selected);
	gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
				       GTK_ACCESSIBLE_PROPERTY_LEVEL, row->depth + 1, -1);
	gtk_accessible_update_state(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_STATE_SELECTED, selected,
				    -1);
	if (row->expandable)
		gtk_accessible_update_state(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_STATE_EXPANDED,
					    row->expanded, -1);
	else
		gtk_accessible_reset_state(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_STATE_EXPANDED);
}

/* ---- all of them ---- */

struct _WpvHeader {
	GtkWidget parent;
	WpvSession *session; /* reference */
	GtkAdjustment *vadjustment; /* reference */
	GtkWidget *menu; /* owned child */
	/* Owned rows, children; the first so many of each show rows. Those on top are above. */
	GPtrArray *pool, *top_pool;
	guint n_used, n_on_top;
	guint first; /* place of the first row in the pool */
	guint idle; /* an update that is on its way, 0 */
};

G_DEFINE_FINAL_TYPE(WpvHeader, wpv_header, GTK_TYPE_WIDGET)

static gdouble scroll_of(WpvHeader *header)
{
	return floor(gtk_adjustment_get_value(header->vadjustment));
}

static WpvHeaderRow *get_row(WpvHeader *header, GPtrArray *pool, guint i)
{
	WpvHeaderRow *row;

	if (i < pool->len)
		return g_ptr_array_index(pool, i);
	row = g_object_new(WPV_TYPE_HEADER_ROW, NULL);
	row->session = header->session;
	/* Later children lie above earlier ones. */
	if (pool == header->pool)
		gtk_widget_insert_after(GTK_WIDGET(row), GTK_WIDGET(header), NULL);
	else
		gtk_widget_set_parent(GTK_WIDGET(row), GTK_WIDGET(header));
	g_ptr_array_add(pool, row);
	return row;
}

/* Rows that are seen from one on, also in part. */
static guint count_seen(WpvHeader *header, guint first)
{
	guint n = wpv_row_list_get_n(wpv_session_get_rows(header->session));
	gint height = gtk_widget_get_height(GTK_WIDGET(header));

	return MIN((guint)(height / wpv_session_get_row_height(header->session)) + 2, n - first);
}

static void fill_pool(WpvHeader *header, GPtrArray *pool, guint first, guint n)
{
	for (guint i = 0; i < n; i++)
		fill_row(get_row(header, pool, i), first + i);
	for (guint i = 0; i < pool->len; i++)
		gtk_widget_set_child_visible(g_ptr_array_index(pool, i), i < n);
}

static void update(WpvHeader *header)
{
	gint row_height = wpv_session_get_row_height(header->session);
	guint n = wpv_row_list_get_n(wpv_session_get_rows(header->session));

	/* One that is on its way must not come when the header is gone. */
	g_clear_handle_id(&header->idle, g_source_remove);
	header->n_on_top = wpv_rows_on_top(header->session,
					   gtk_widget_get_height(GTK_WIDGET(header)));
	header->first = MIN(header->n_on_top + (guint)(scroll_of(header) / row_height), n);
	header->n_used = count_seen(header, header->first);
	fill_pool(header, header->top_pool, 0, header->n_on_top);
	fill_pool(header, header->pool, header->first, header->n_used);
	gtk_widget_queue_allocate(GTK_WIDGET(header));
}

static gboolean update_idly(gpointer data)
{
	WpvHeader *header = data;

	header->idle = 0;
	update(header);
	return G_SOURCE_REMOVE;
}

/* As narrow as it must be, it is cut rather than spread over its neighbours. */
static void allocate_row(WpvHeader *header, GtkWidget *row, gdouble top, gint width)
{
	gint row_height = wpv_session_get_row_height(header->session);
	GtkAllocation place = {0, (gint)top, width, row_height};
	int minimum;

	gtk_widget_measure(row, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
	place.width = MAX(width, minimum);
	gtk_widget_measure(row, GTK_ORIENTATION_VERTICAL, place.width, &minimum, NULL, NULL, NULL);
	place.height = MAX(row_height, minimum);
	gtk_widget_size_allocate(row, &place, -1);
}

static void wpv_header_size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
	WpvHeader *header = WPV_HEADER(widget);
	gint row_height = wpv_session_get_row_height(header->session);
	gdouble top = header->first * (gdouble)row_height - scroll_of(header);

	for (guint i = 0; i < header->n_on_top; i++)
		allocate_row(header, g_ptr_array_index(header->top_pool, i),
			     (gdouble)i * row_height, width);
	for (guint i = 0; i < header->n_used; i++)
		allocate_row(header, g_ptr_array_index(header->pool, i), top + i * row_height,
			     width);
	gtk_popover_present(GTK_POPOVER(header->menu));
	/* Children are not made in the middle of a layout. */
	if (!header->idle && (header->n_used < count_seen(header, header->first) ||
			      header->n_on_top != wpv_rows_on_top(header->session, height)))
		header->idle = g_idle_add(update_idly, header);
}

/* A line below each row, as on the timeline. */
static void wpv_header_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
	WpvHeader *header = WPV_HEADER(widget);
	gint row_height = wpv_session_get_row_height(header->session);
	gdouble top = header->first * (gdouble)row_height - scroll_of(header);

	GTK_WIDGET_CLASS(wpv_header_parent_class)->snapshot(widget, snapshot);
	for (guint i = 0; i < header->n_used; i++)
		gtk_snapshot_append_color(
			snapshot,
			wpv_colour(wpv_session_get_style(header->session), WPV_COLOUR_LINE),
			&GRAPHENE_RECT_INIT(0, (float)(top + (i + 1) * row_height - 1),
					    (float)gtk_widget_get_width(widget), 1));
}

static void wpv_header_measure(GtkWidget *widget, GtkOrientation orientation, int for_size,
			       int *minimum, int *natural, int *minimum_baseline,
			       int *natural_baseline)
{
	gboolean horizontal = orientation == GTK_ORIENTATION_HORIZONTAL;

	*minimum = horizontal ? 80 : 0;
	*natural = horizontal ? 220 : 0;
}

static void wpv_header_dispose(GObject *object)
{
	WpvHeader *header = WPV_HEADER(object);

	/* From here on nothing that the session tells is listened to. */
	if (header->session)
		g_signal_handlers_disconnect_by_data(header->session, header);
	g_clear_handle_id(&header->idle, g_source_remove);
	g_clear_pointer(&header->pool, g_ptr_array_unref);
	g_clear_pointer(&header->top_pool, g_ptr_array_unref);
	g_clear_pointer(&header->menu, gtk_widget_unparent);
	g_clear_object(&header->vadjustment);
	g_clear_object(&header->session);
	G_OBJECT_CLASS(wpv_header_parent_class)->dispose(object);
}

static void wpv_header_class_init(WpvHeaderClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	G_OBJECT_CLASS(klass)->dispose = wpv_header_dispose;
	widget_class->measure = wpv_header_measure;
	widget_class->snapshot = wpv_header_snapshot;
	widget_class->size_allocate = wpv_header_size_allocate;
	gtk_widget_class_set_css_name(widget_class, "rowheader");
	gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_TREE);
}

/* The place of the row at y; WP_NONE below the last. */
static guint32 place_at(WpvHeader *header, gdouble y)
{
	gint row_height = wpv_session_get_row_height(header->session);
	gdouble scroll = y < header->n_on_top * row_height ? 0 : scroll_of(header);
	gdouble place = (scroll + y) / row_height;

	return place < wpv_row_list_get_n(wpv_session_get_rows(header->session)) ? (guint32)place
										 : WP_NONE;
}

static void on_pressed(GtkGestureClick *gesture, gint n_press, gdouble x, gdouble y,
		       WpvHeader *header)
{
	guint button = gtk_gesture_single_get_current_button(GTK_GESTURE_SINGLE(gesture));
	guint32 place = place_at(header, y);
	WpvRowKey key;

	if (place == WP_NONE)
		return;
	key = wpv_row_list_get(wpv_session_get_rows(header->session), place)->key;
	wpv_session_select_row(header->session, place);
	if (button == GDK_BUTTON_SECONDARY) {
		gtk_popover_set_pointing_to(GTK_POPOVER(header->menu),
					    &(GdkRectangle){(gint)x, (gint)y, 1, 1});
		gtk_popover_popup(GTK_POPOVER(header->menu));
	} else if (n_press == 2) {
		wpv_session_follow_row(header->session, key);
	}
}

static gboolean on_scroll(GtkEventControllerScroll *controller, gdouble dx, gdouble dy,
			  WpvHeader *header)
{
	gtk_adjustment_set_value(header->vadjustment,
				 gtk_adjustment_get_value(header->vadjustment) +
					 dy * 3 * wpv_session_get_row_height(header->session));
	return GDK_EVENT_STOP;
}

static void wpv_header_init(WpvHeader *header)
{
	GtkGesture *click = gtk_gesture_click_new();
	GtkEventController *scroll = gtk_event_controller_scroll_new(
		GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);

	header->pool = g_ptr_array_new_with_free_func((GDestroyNotify)gtk_widget_unparent);
	header->top_pool = g_ptr_array_new_with_free_func((GDestroyNotify)gtk_widget_unparent);
	gtk_widget_set_overflow(GTK_WIDGET(header), GTK_OVERFLOW_HIDDEN);
	gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(click), 0);
	g_signal_connect(click, "pressed", G_CALLBACK(on_pressed), header);
	g_signal_connect(scroll, "scroll", G_CALLBACK(on_scroll), header);
	gtk_widget_add_controller(GTK_WIDGET(header), GTK_EVENT_CONTROLLER(click));
	gtk_widget_add_controller(GTK_WIDGET(header), scroll);
}

static void on_changed(WpvHeader *header, guint what)
{
	if (what &
	    (WPV_CHANGED_ROWS | WPV_CHANGED_ITEM | WPV_CHANGED_DOCUMENT | WPV_CHANGED_ANSWER))
		update(header);
}

static void on_scrolled(WpvHeader *header)
{
	update(header);
}

GtkWidget *wpv_header_new(WpvSession *session, GtkAdjustment *vadjustment, GMenuModel *menu)
{
	WpvHeader *header = g_object_new(WPV_TYPE_HEADER, NULL);

	header->session = g_object_ref(session);
	header->vadjustment = g_object_ref(vadjustment);
	header->menu = gtk_popover_menu_new_from_model(menu);
	gtk_popover_set_has_arrow(GTK_POPOVER(header->menu), FALSE);
	gtk_widget_set_parent(header->menu, GTK_WIDGET(header));
	gtk_accessible_update_property(GTK_ACCESSIBLE(header), GTK_ACCESSIBLE_PROPERTY_LABEL,
				       "Rows", -1);
	g_signal_connect_object(session, "changed", G_CALLBACK(on_changed), header,
				G_CONNECT_SWAPPED);
	g_signal_connect_object(vadjustment, "value-changed", G_CALLBACK(on_scrolled), header,
				G_CONNECT_SWAPPED);
	return GTK_WIDGET(header);
}
