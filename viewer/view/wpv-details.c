/* SPDX-License-Identifier: MIT */
/* wpv-details.c: facts as lines of a grid; those that lead somewhere are buttons. */
#include "config.h"

#include "viewer/model/wpv-facts.h"
#include "viewer/view/wpv-details.h"

struct _WpvDetails {
	GtkWidget parent;
	WpvSession *session; /* reference */
	GtkWidget *scroller; /* owned child */
	GtkWidget *box, *grid, *events; /* borrowed from the scroller */
	GPtrArray *facts; /* owned: those that are shown */
};

G_DEFINE_FINAL_TYPE(WpvDetails, wpv_details, GTK_TYPE_WIDGET)

static void wpv_details_dispose(GObject *object)
{
	WpvDetails *details = WPV_DETAILS(object);

	/* From here on nothing that the session tells is listened to. */
	if (details->session)
		g_signal_handlers_disconnect_by_data(details->session, details);
	g_clear_pointer(&details->scroller, gtk_widget_unparent);
	g_clear_pointer(&details->facts, g_ptr_array_unref);
	g_clear_object(&details->session);
	G_OBJECT_CLASS(wpv_details_parent_class)->dispose(object);
}

static void wpv_details_class_init(WpvDetailsClass *klass)
{
	G_OBJECT_CLASS(klass)->dispose = wpv_details_dispose;
	gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(klass), GTK_TYPE_BIN_LAYOUT);
	gtk_widget_class_set_css_name(GTK_WIDGET_CLASS(klass), "details");
	gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void wpv_details_init(WpvDetails *details)
{
	gtk_widget_set_focusable(GTK_WIDGET(details), TRUE);
	details->grid = gtk_grid_new();
	gtk_grid_set_column_spacing(GTK_GRID(details->grid), 10);
	gtk_grid_set_row_spacing(GTK_GRID(details->grid), 3);
	details->scroller = gtk_scrolled_window_new();
	details->box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 10);
	gtk_box_append(GTK_BOX(details->box), details->grid);
	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(details->scroller), details->box);
	gtk_widget_set_parent(details->scroller, GTK_WIDGET(details));
}

static void on_clicked(GtkButton *button, WpvDetails *details)
{
	guint i = GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(button), "fact"));
	g_autoptr(GPtrArray) facts = g_ptr_array_ref(details->facts);

	/* Following it fills the pane anew: the facts are held until that is done. */
	wpv_fact_follow(details->session, g_ptr_array_index(facts, i));
}

static GtkWidget *text_label(const gchar *text)
{
	GtkWidget *label = gtk_label_new(text);

	gtk_label_set_xalign(GTK_LABEL(label), 0);
	gtk_label_set_wrap(GTK_LABEL(label), TRUE);
	gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
	gtk_widget_set_hexpand(label, TRUE);
	return label;
}

static GtkWidget *link_button(WpvDetails *details, const gchar *text, guint i)
{
	GtkWidget *button = gtk_button_new();

	gtk_button_set_child(GTK_BUTTON(button), text_label(text));
	gtk_widget_add_css_class(button, "flat");
	gtk_widget_add_css_class(button, "fact");
	g_object_set_data(G_OBJECT(button), "fact", GUINT_TO_POINTER(i));
	g_signal_connect(button, "clicked", G_CALLBACK(on_clicked), details);
	return button;
}

static void add_fact(WpvDetails *details, guint i)
{
	const WpvFact *fact = g_ptr_array_index(details->facts, i);
	GtkWidget *name = gtk_label_new(fact->label), *value;

	gtk_label_set_xalign(GTK_LABEL(name), 0);
	gtk_label_set_yalign(GTK_LABEL(name), 0);
	gtk_widget_add_css_class(name, "dim-label");
	if (fact->link == WPV_LINK_NONE) {
		value = text_label(fact->text);
		gtk_label_set_selectable(GTK_LABEL(value), TRUE);
	} else {
		value = link_button(details, fact->text, i);
	}
	gtk_accessible_update_relation(GTK_ACCESSIBLE(value), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
				       name, NULL, -1);
	gtk_grid_attach(GTK_GRID(details->grid), name, 0, (gint)i, 1, 1);
	gtk_grid_attach(GTK_GRID(details->grid), value, 1, (gint)i, 1, 1);
}

/* Does something in the pane have the focus? */
static gboolean has_focus_inside(WpvDetails *details)
{
	GtkRoot *root = gtk_widget_get_root(GTK_WIDGET(details));
	GtkWidget *focus = root ? gtk_root_get_focus(root) : NULL;

	return focus && gtk_widget_is_ancestor(focus, GTK_WIDGET(details));
}

static void fill(WpvDetails *details)
{
	gboolean focused = has_focus_inside(details);
	GtkWidget *child;

	/* It stays in the pane: what has it goes away. */
	if (focused)
		gtk_widget_grab_focus(GTK_WIDGET(details));
	while ((child = gtk_widget_get_first_child(details->grid)))
		gtk_grid_remove(GTK_GRID(details->grid), child);
	g_clear_pointer(&details->facts, g_ptr_array_unref);
	details->facts = wpv_facts_of_item(details->session,
					   wpv_session_get_item(details->session));
	for (guint i = 0; i < details->facts->len; i++)
		add_fact(details, i);
	if (details->facts->len == 0) {
		child = text_label(
			"Choose a segment to see what it is and why the path goes there.");
		gtk_widget_add_css_class(child, "dim-label");
		gtk_grid_attach(GTK_GRID(details->grid), child, 0, 0, 2, 1);
	}
	if (focused)
		gtk_widget_child_focus(details->grid, GTK_DIR_TAB_FORWARD);
}

static void on_changed(WpvDetails *details, guint what)
{
	if (what & (WPV_CHANGED_ITEM | WPV_CHANGED_DOCUMENT | WPV_CHANGED_ANSWER))
		fill(details);
}

WpvEventsView *wpv_details_get_events(WpvDetails *details)
{
	return WPV_EVENTS_VIEW(details->events);
}

GtkWidget *wpv_details_new(WpvSession *session)
{
	WpvDetails *details = g_object_new(WPV_TYPE_DETAILS, NULL);

	details->session = g_object_ref(session);
	details->events = wpv_events_view_new(session);
	gtk_box_append(GTK_BOX(details->box), details->events);
	gtk_accessible_update_property(GTK_ACCESSIBLE(details), GTK_ACCESSIBLE_PROPERTY_LABEL,
				       "Details", -1);
	g_signal_connect_object(session, "changed", G_CALLBACK(on_changed), details,
				G_CONNECT_SWAPPED);
	fill(details);
	return GTK_WIDGET(details);
}
