/* SPDX-License-Identifier: MIT */
/* wpv-search-line.c: Return goes to the next match, with Shift to the one before. */
#include "config.h"

#include "viewer/view/wpv-search-line.h"

static void on_search_changed(GtkSearchEntry *entry, WpvSearch *search)
{
	wpv_search_set_text(search, gtk_editable_get_text(GTK_EDITABLE(entry)));
}

static void on_next(WpvSearch *search)
{
	wpv_search_step(search, 1);
}

static void on_previous(WpvSearch *search)
{
	wpv_search_step(search, -1);
}

static gboolean on_key_pressed(GtkEventControllerKey *controller, guint keyval, guint keycode,
			       GdkModifierType state, WpvSearch *search)
{
	if (keyval != GDK_KEY_Return && keyval != GDK_KEY_KP_Enter)
		return GDK_EVENT_PROPAGATE;
	wpv_search_step(search, state & GDK_SHIFT_MASK ? -1 : 1);
	return GDK_EVENT_STOP;
}

static void on_matches(WpvSearch *search, GtkLabel *label)
{
	guint n = wpv_search_get_n(search);
	guint32 at = wpv_search_get_at(search);
	g_autofree gchar *text = NULL;

	if (wpv_search_is_running(search))
		text = g_strdup("searching\342\200\246");
	else if (n == 0)
		text = g_strdup("no match");
	else if (at == WP_NONE)
		text = g_strdup_printf("%u%s matches", n, n >= WPV_SEARCH_MAX ? " or more" : "");
	else
		text = g_strdup_printf("%u of %u", at + 1, n);
	gtk_label_set_text(label, text);
}

static GtkWidget *step_button(const gchar *icon, const gchar *words, GCallback callback,
			      WpvSearch *search)
{
	GtkWidget *button = gtk_button_new_from_icon_name(icon);

	gtk_widget_set_tooltip_text(button, words);
	g_signal_connect_swapped(button, "clicked", callback, search);
	return button;
}

GtkWidget *wpv_search_line_new(WpvSearch *search, GtkWidget **ret_entry)
{
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
	GtkWidget *entry = gtk_search_entry_new(), *label = gtk_label_new(NULL);
	GtkEventController *key = gtk_event_controller_key_new();

	g_object_set(entry, "placeholder-text", "Task, state or cause", NULL);
	gtk_editable_set_width_chars(GTK_EDITABLE(entry), 40);
	gtk_event_controller_set_propagation_phase(key, GTK_PHASE_CAPTURE);
	gtk_widget_add_controller(entry, key);
	gtk_box_append(GTK_BOX(box), entry);
	gtk_box_append(GTK_BOX(box), step_button("go-up-symbolic", "The match before",
						 G_CALLBACK(on_previous), search));
	gtk_box_append(GTK_BOX(box), step_button("go-down-symbolic", "The next match",
						 G_CALLBACK(on_next), search));
	gtk_box_append(GTK_BOX(box), label);
	g_signal_connect(key, "key-pressed", G_CALLBACK(on_key_pressed), search);
	g_signal_connect(entry, "search-changed", G_CALLBACK(on_search_changed), search);
	g_signal_connect_object(search, "changed", G_CALLBACK(on_matches), label, 0);
	*ret_entry = entry;
	return box;
}
