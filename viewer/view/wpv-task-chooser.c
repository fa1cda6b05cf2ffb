/* SPDX-License-Identifier: MIT */
/* wpv-task-chooser.c: a search entry over a table of tasks. */
#include "config.h"

#include "export/units.h"
#include "viewer/view/wpv-columns.h"
#include "viewer/view/wpv-task-chooser.h"

enum { CELL_NAME, CELL_OTHERS, CELL_TIME };

static gchar *cell_text(gpointer data, gint column)
{
	WpvTaskItem *item = data;
	WpText text;

	switch (column) {
	case CELL_NAME:
		return wpv_task_item_dup_name(item);
	case CELL_OTHERS:
		return g_strdup(wp_duration_text(&text, wpv_task_item_get_others(item)));
	default:
		return g_strdup(wp_duration_text(&text, wpv_task_item_get_time(item)));
	}
}

static void on_search(GtkSearchEntry *entry, WpvTaskList *list)
{
	wpv_task_list_set_text(list, gtk_editable_get_text(GTK_EDITABLE(entry)));
}

static void choose(GtkWidget *popover, GListModel *list, guint position)
{
	WpvSession *session = g_object_get_data(G_OBJECT(popover), "session");
	g_autoptr(WpvTaskItem) item = g_list_model_get_item(list, position);

	if (!item)
		return;
	gtk_popover_popdown(GTK_POPOVER(popover));
	wpv_session_follow_row(session, wpv_task_item_get_row(item));
}

static void on_activated(GtkColumnView *view, guint position, GtkWidget *popover)
{
	choose(popover, G_LIST_MODEL(gtk_column_view_get_model(view)), position);
}

static void on_entry_activated(GtkSearchEntry *entry, GtkWidget *popover)
{
	choose(popover, g_object_get_data(G_OBJECT(popover), "list"), 0);
}

static void on_shown(GtkWidget *popover, GtkWidget *entry)
{
	gtk_editable_set_text(GTK_EDITABLE(entry), "");
	gtk_widget_grab_focus(entry);
}

GtkWidget *wpv_task_chooser_new(WpvSession *session, WpvTaskList *list)
{
	static const WpvColumnSpec name = {CELL_NAME, "Task", 0, 0, TRUE};
	static const WpvColumnSpec others = {CELL_OTHERS, "Waits for Others", 150, 1, FALSE};
	static const WpvColumnSpec time = {CELL_TIME, "Lives", 90, 1, FALSE};
	GtkWidget *popover = gtk_popover_new(), *table;
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
	GtkWidget *entry = gtk_search_entry_new();
	GtkSingleSelection *selection = gtk_single_selection_new(g_object_ref(G_LIST_MODEL(list)));
	GtkColumnView *view;

	gtk_single_selection_set_autoselect(selection, FALSE);
	table = wpv_table_new(GTK_SELECTION_MODEL(selection), "Tasks", &view);
	wpv_columns_add(view, &name, cell_text);
	wpv_columns_add(view, &others, cell_text);
	wpv_columns_add(view, &time, cell_text);
	gtk_column_view_set_single_click_activate(view, TRUE);
	gtk_widget_set_size_request(table, 540, 320);
	g_object_set(entry, "placeholder-text", "Name, host or id of a task", NULL);
	gtk_box_append(GTK_BOX(box), entry);
	gtk_box_append(GTK_BOX(box), table);
	gtk_popover_set_child(GTK_POPOVER(popover), box);
	g_object_set_data(G_OBJECT(popover), "session", session);
	g_object_set_data(G_OBJECT(popover), "list", list);
	g_signal_connect(entry, "search-changed", G_CALLBACK(on_search), list);
	g_signal_connect(entry, "activate", G_CALLBACK(on_entry_activated), popover);
	g_signal_connect(view, "activate", G_CALLBACK(on_activated), popover);
	g_signal_connect(popover, "show", G_CALLBACK(on_shown), entry);
	return popover;
}
