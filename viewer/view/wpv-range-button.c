/* SPDX-License-Identifier: MIT */
/*
 * wpv-range-button.c: an overlay's child that stands in the middle of the part of the range
 * that is seen, and is gone where that part is too narrow for it.
 */
#include "config.h"

#include "viewer/view/wpv-painter.h"
#include "viewer/view/wpv-range-button.h"

#define TOP 3 /* pixels above it */

/* Where the selected range lies; FALSE: nothing of it is seen. */
static gboolean get_range(WpvSession *session, gint width, gdouble *ret_from, gdouble *ret_to)
{
	WpvViewport viewport = {.width = MAX(width, 1)};
	WpTime begin, end;

	if (!wpv_session_get_document(session) || !wpv_session_get_selection(session, &begin, &end))
		return FALSE;
	wpv_session_get_visible(session, &viewport.begin, &viewport.end);
	*ret_from = CLAMP(wpv_viewport_x(&viewport, begin), 0, width);
	*ret_to = CLAMP(wpv_viewport_x(&viewport, end), 0, width);
	return *ret_from < *ret_to;
}

/* What has no room is put outside, where it is cut off: hiding it would be another layout. */
static gboolean on_position(GtkOverlay *overlay, GtkWidget *child, GdkRectangle *place,
			    GtkWidget *button)
{
	WpvSession *session = g_object_get_data(G_OBJECT(button), "session");
	gint width = gtk_widget_get_width(GTK_WIDGET(overlay));
	GtkRequisition size;
	gdouble from, to;

	if (child != button)
		return FALSE;
	gtk_widget_get_preferred_size(button, &size, NULL);
	*place = (GdkRectangle){-2 * size.width, TOP, size.width, size.height};
	if (get_range(session, width, &from, &to) && to - from > size.width)
		place->x = (gint)((from + to - size.width) / 2);
	return TRUE;
}

static void on_changed(GtkWidget *button, guint what)
{
	WpvSession *session = g_object_get_data(G_OBJECT(button), "session");
	WpTime begin, end;

	if (!(what & (WPV_CHANGED_SELECTION | WPV_CHANGED_VISIBLE | WPV_CHANGED_DOCUMENT)))
		return;
	gtk_widget_set_visible(button, wpv_session_get_selection(session, &begin, &end));
	gtk_widget_queue_allocate(gtk_widget_get_parent(button));
}

void wpv_range_button_add(GtkOverlay *overlay, WpvSession *session)
{
	GtkWidget *button = gtk_button_new_with_label("Zoom Here");

	gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "win.zoom-selection");
	gtk_widget_set_tooltip_text(button, "Zooms to the selected range (Z)");
	gtk_widget_set_focus_on_click(button, FALSE);
	gtk_widget_set_visible(button, FALSE);
	gtk_widget_add_css_class(button, "range");
	g_object_set_data(G_OBJECT(button), "session", session);
	gtk_overlay_add_overlay(overlay, button);
	gtk_widget_set_overflow(GTK_WIDGET(overlay), GTK_OVERFLOW_HIDDEN);
	g_signal_connect_object(overlay, "get-child-position", G_CALLBACK(on_position), button, 0);
	g_signal_connect_object(session, "changed", G_CALLBACK(on_changed), button,
				G_CONNECT_SWAPPED);
}
