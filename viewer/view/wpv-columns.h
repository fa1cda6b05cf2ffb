/* SPDX-License-Identifier: MIT */
/* wpv-columns.h: columns of text for tables, without a factory written out for each. */
#ifndef WPV_COLUMNS_H
#define WPV_COLUMNS_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The text of a cell, owned by the caller; column is what was given with the column. */
typedef gchar *(*WpvCellFunc)(gpointer item, gint column);

typedef struct {
	gint column;
	const gchar *title;
	gint width; /* pixels at first; 0: what the text needs */
	gfloat xalign;
	gboolean expand;
} WpvColumnSpec;

/* Appends a column to the view, which keeps it; its cells are made by func. */
GtkColumnViewColumn *wpv_columns_add(GtkColumnView *view, const WpvColumnSpec *spec,
				     WpvCellFunc func);

/* Draws one cell: a share or a colour. */
typedef void (*WpvDrawFunc)(GtkSnapshot *snapshot, gpointer item, gint width, gint height,
			    gpointer data);

/* Appends a column that draws; data must outlive the view. */
void wpv_columns_add_drawn(GtkColumnView *view, const WpvColumnSpec *spec, WpvDrawFunc func,
			   gpointer data);
/* All that the view's drawn cells show has changed. */
void wpv_columns_redraw(GtkColumnView *view);

/* A table in a scroller: both new; *ret_view is borrowed from the scroller. */
GtkWidget *wpv_table_new(GtkSelectionModel *model, const gchar *label, GtkColumnView **ret_view);

G_END_DECLS

#endif
