/* SPDX-License-Identifier: MIT */
/* wpv-legend.c: a grid of a line for each state, in a box. */
#include "config.h"

#include "viewer/view/wpv-legend.h"

/* What the widgets of a line are found by. */
typedef struct {
	WpvSession *session; /* borrowed: the window keeps it as long as its widgets */
	GtkWidget *colours[WP_STATE_N], *names[WP_STATE_N]; /* borrowed from the grid */
	GtkWidget *palette; /* borrowed */
	gboolean filling;
} Legend;

static void on_name_toggled(GtkToggleButton *button, Legend *legend)
{
	guint state = GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(button), "state"));
	guint32 dimmed = wpv_session_get_dimmed(legend->session);

	if (!legend->filling)
		wpv_session_set_dimmed(legend->session, gtk_toggle_button_get_active(button)
								? dimmed & ~(1u << state)
								: dimmed | 1u << state);
}

static void on_colour_set(GtkColorButton *button, Legend *legend)
{
	guint state = GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(button), "state"));
	GdkRGBA colour;

	gtk_color_chooser_get_rgba(GTK_COLOR_CHOOSER(button), &colour);
	wpv_style_set_own_colour(wpv_session_get_style(legend->session), state, &colour);
}

static void on_palette(GtkDropDown *palette, GParamSpec *pspec, Legend *legend)
{
	if (!legend->filling)
		wpv_style_set_palette(wpv_session_get_style(legend->session),
				      gtk_drop_down_get_selected(palette));
}

static void on_reset(Legend *legend)
{
	for (guint state = 0; state < WP_STATE_N; state++)
		if (wpv_style_get_own_colour(wpv_session_get_style(legend->session), state))
			wpv_style_set_own_colour(wpv_session_get_style(legend->session), state,
						 NULL);
	wpv_session_set_dimmed(legend->session, 0);
}

static void fill(Legend *legend)
{
	WpvStyle *style = wpv_session_get_style(legend->session);
	guint32 dimmed = wpv_session_get_dimmed(legend->session);

	legend->filling = TRUE;
	for (guint state = 0; state < WP_STATE_N; state++) {
		gtk_color_chooser_set_rgba(GTK_COLOR_CHOOSER(legend->colours[state]),
					   wpv_style_get_colour(style, state));
		gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(legend->names[state]),
					     !(dimmed & 1u << state));
	}
	gtk_drop_down_set_selected(GTK_DROP_DOWN(legend->palette), wpv_style_get_palette(style));
	legend->filling = FALSE;
}

static void on_changed(GtkWidget *box, guint what)
{
	if (what & (WPV_CHANGED_STYLE | WPV_CHANGED_FILTER))
		fill(g_object_get_data(G_OBJECT(box), "legend"));
}

static void add_state(Legend *legend, GtkGrid *grid, guint state)
{
	g_autofree gchar *title = g_strdup_printf("Colour of \"%s\"", wp_state_words(state));
	GtkWidget *colour = gtk_color_button_new();
	GtkWidget *name = gtk_toggle_button_new_with_label(wp_state_words(state));
	/* In two halves beside each other. */
	gint row = (gint)state % (WP_STATE_N / 2), column = (gint)state / (WP_STATE_N / 2) * 2;

	gtk_color_button_set_title(GTK_COLOR_BUTTON(colour), title);
	gtk_color_chooser_set_use_alpha(GTK_COLOR_CHOOSER(colour), FALSE);
	gtk_accessible_update_property(GTK_ACCESSIBLE(colour), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
				       -1);
	gtk_widget_set_tooltip_text(colour, title);
	gtk_widget_add_css_class(name, "flat");
	gtk_widget_set_halign(gtk_button_get_child(GTK_BUTTON(name)), GTK_ALIGN_START);
	gtk_widget_set_tooltip_text(name, "Dims this state, or shows it again");
	g_object_set_data(G_OBJECT(colour), "state", GUINT_TO_POINTER(state));
	g_object_set_data(G_OBJECT(name), "state", GUINT_TO_POINTER(state));
	g_signal_connect(colour, "color-set", G_CALLBACK(on_colour_set), legend);
	g_signal_connect(name, "toggled", G_CALLBACK(on_name_toggled), legend);
	gtk_grid_attach(grid, colour, column, row, 1, 1);
	gtk_grid_attach(grid, name, column + 1, row, 1, 1);
	legend->colours[state] = colour;
	legend->names[state] = name;
}

static GtkWidget *make_line(Legend *legend)
{
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
	GtkWidget *reset = gtk_button_new_with_label("Reset");
	const gchar *names[WPV_PALETTE_N + 1] = {NULL};

	for (guint i = 0; i < WPV_PALETTE_N; i++)
		names[i] = wpv_palette_words(i);
	legend->palette = gtk_drop_down_new_from_strings(names);
	gtk_widget_set_hexpand(legend->palette, TRUE);
	gtk_accessible_update_property(GTK_ACCESSIBLE(legend->palette),
				       GTK_ACCESSIBLE_PROPERTY_LABEL, "Palette", -1);
	gtk_widget_set_tooltip_text(reset, "All colours as they were, and no state dimmed");
	g_signal_connect(legend->palette, "notify::selected", G_CALLBACK(on_palette), legend);
	g_signal_connect_swapped(reset, "clicked", G_CALLBACK(on_reset), legend);
	gtk_box_append(GTK_BOX(box), legend->palette);
	gtk_box_append(GTK_BOX(box), reset);
	return box;
}

GtkWidget *wpv_legend_new(WpvSession *session)
{
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6), *grid = gtk_grid_new();
	Legend *legend = g_new0(Legend, 1);

	legend->session = session;
	gtk_widget_add_css_class(box, "legend");
	g_object_set_data_full(G_OBJECT(box), "legend", legend, g_free);
	gtk_grid_set_column_spacing(GTK_GRID(grid), 4);
	for (guint state = 0; state < WP_STATE_N; state++)
		add_state(legend, GTK_GRID(grid), state);
	gtk_box_append(GTK_BOX(box), grid);
	gtk_box_append(GTK_BOX(box), make_line(legend));
	fill(legend);
	g_signal_connect_object(session, "changed", G_CALLBACK(on_changed), box, G_CONNECT_SWAPPED);
	return box;
}
