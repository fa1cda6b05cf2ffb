/* SPDX-License-Identifier: MIT */
/* wpv-columns.c: one factory for all columns of text, one for all that are drawn. */
#include "config.h"

#include "viewer/view/wpv-columns.h"

/* ---- a cell that draws ---- */

#define WPV_TYPE_DRAWN_CELL (wpv_drawn_cell_get_type())
G_DECLARE_FINAL_TYPE(WpvDrawnCell, wpv_drawn_cell, WPV, DRAWN_CELL, GtkWidget)

struct _WpvDrawnCell {
	GtkWidget parent;
	WpvDrawFunc func;
	gpointer data; /* borrowed */
	gpointer item; /* reference, NULL */
};

G_DEFINE_FINAL_TYPE(WpvDrawnCell, wpv_drawn_cell, GTK_TYPE_WIDGET)

static void wpv_drawn_cell_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
	WpvDrawnCell *cell = WPV_DRAWN_CELL(widget);

	if (cell->item)
		cell->func(snapshot, cell->item, gtk_widget_get_width(widget),
			   gtk_widget_get_height(widget), cell->data);
}

static void wpv_drawn_cell_dispose(GObject *object)
{
	g_clear_object(&WPV_DRAWN_CELL(object)->item);
	G_OBJECT_CLASS(wpv_drawn_cell_parent_class)->dispose(object);
}

static void wpv_drawn_cell_class_init(WpvDrawnCellClass *klass)
{
	G_OBJECT_CLASS(klass)->dispose = wpv_drawn_cell_dispose;
	GTK_WIDGET_CLASS(klass)->snapshot = wpv_drawn_cell_snapshot;
	gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(klass),
					     GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void wpv_drawn_cell_init(WpvDrawnCell *cell)
{
	gtk_widget_set_size_request(GTK_WIDGET(cell), 12, 14);
}

/* ---- factories ---- */

typedef struct {
	WpvColumnSpec spec;
	WpvCellFunc text; /* NULL: drawn */
	WpvDrawFunc draw;
	gpointer data;
} Cells;

static void setup(GtkSignalListItemFactory *factory, GtkListItem *list_item, const Cells *cells)
{
	GtkWidget *child;

	if (cells->draw) {
		child = g_object_new(WPV_TYPE_DRAWN_CELL, NULL);
		WPV_DRAWN_CELL(child)->func = cells->draw;
		WPV_DRAWN_CELL(child)->data = cells->data;
		gtk_widget_set_hexpand(child, TRUE);
	} else {
		child = gtk_label_new(NULL);
		gtk_label_set_xalign(GTK_LABEL(child), cells->spec.xalign);
		if (cells->spec.expand || cells->spec.width)
			gtk_label_set_ellipsize(GTK_LABEL(child), PANGO_ELLIPSIZE_END);
	}
	gtk_list_item_set_child(list_item, child);
}

static void bind(GtkSignalListItemFactory *factory, GtkListItem *list_item, const Cells *cells)
{
	GtkWidget *child = gtk_list_item_get_child(list_item);
	gpointer item = gtk_list_item_get_item(list_item);

	if (cells->draw) {
		g_set_object(&WPV_DRAWN_CELL(child)->item, item);
		gtk_widget_queue_draw(child);
	} else {
		g_autofree gchar *text = cells->text(item, cells->spec.column);

		gtk_label_set_text(GTK_LABEL(child), text);
		if (cells->spec.expand || cells->spec.width)
			gtk_widget_set_tooltip_text(child, text);
	}
}

static GtkColumnViewColumn *add(GtkColumnView *view, Cells *cells)
{
	GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
	g_autoptr(GtkColumnViewColumn)
		column = gtk_column_view_column_new(cells->spec.title, factory);

	g_signal_connect(factory, "setup", G_CALLBACK(setup), cells);
	g_signal_connect(factory, "bind", G_CALLBACK(bind), cells);
	g_object_set_data_full(G_OBJECT(factory), "cells", cells, g_free);
	gtk_column_view_column_set_resizable(column, TRUE);
	gtk_column_view_column_set_expand(column, cells->spec.expand);
	if (cells->spec.width)
		gtk_column_view_column_set_fixed_width(column, cells->spec.width);
	gtk_column_view_append_column(view, column);
	return column;
}

GtkColumnViewColumn *wpv_columns_add(GtkColumnView *view, const WpvColumnSpec *spec,
				     WpvCellFunc func)
{
	Cells *cells = g_new0(Cells, 1);

	*cells = (Cells){.spec = *spec, .text = func};
	return add(view, cells);
}

void wpv_columns_add_drawn(GtkColumnView *view, const WpvColumnSpec *spec, WpvDrawFunc func,
			   gpointer data)
{
	Cells *cells = g_new0(Cells, 1);

	*cells = (Cells){.spec = *spec, .draw = func, .data = data};
	add(view, cells);
}

static void redraw_below(GtkWidget *widget)
{
	if (WPV_IS_DRAWN_CELL(widget))
		gtk_widget_queue_draw(widget);
	for (GtkWidget *child = gtk_widget_get_first_child(widget); child;
	     child = gtk_widget_get_next_sibling(child))
		redraw_below(child);
}

void wpv_columns_redraw(GtkColumnView *view)
{
	redraw_below(GTK_WIDGET(view));
}

GtkWidget *wpv_table_new(GtkSelectionModel *model, const gchar *label, GtkColumnView **ret_view)
{
	GtkWidget *scroller = gtk_scrolled_window_new();
	GtkWidget *view = gtk_column_view_new(model);

	gtk_column_view_set_show_row_separators(GTK_COLUMN_VIEW(view), FALSE);
	gtk_widget_add_css_class(view, "data-table");
	gtk_accessible_update_property(GTK_ACCESSIBLE(view), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
				       -1);
	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), view);
	gtk_widget_set_vexpand(scroller, TRUE);
	gtk_widget_set_hexpand(scroller, TRUE);
	*ret_view = GTK_COLUMN_VIEW(view);
	return scroller;
}
