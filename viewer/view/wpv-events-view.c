/* SPDX-License-Identifier: MIT */
/*
 * wpv-events-view.c: reading begins a moment after the choice, so that who walks along the
 * path does not have each segment's events read; another choice cancels it.
 */
#include "config.h"

#include "base/error.h"
#include "viewer/view/wpv-events-view.h"

/* ms; less than a key's repeating. */
#define REST_MS 80u

struct _WpvEventsView {
	GtkWidget parent;
	WpvSession *session; /* reference */
	GtkWidget *title, *notice, *grid; /* owned children */
	WpvEvents *events; /* owned, NULL */
	GCancellable *reading; /* reference, NULL */
	guint timeout; /* source, 0 */
};

G_DEFINE_FINAL_TYPE(WpvEventsView, wpv_events_view, GTK_TYPE_WIDGET)

static void stop(WpvEventsView *view)
{
	g_clear_handle_id(&view->timeout, g_source_remove);
	if (view->reading)
		g_cancellable_cancel(view->reading);
	g_clear_object(&view->reading);
}

static void wpv_events_view_dispose(GObject *object)
{
	WpvEventsView *view = WPV_EVENTS_VIEW(object);

	stop(view);
	if (view->session)
		g_signal_handlers_disconnect_by_data(view->session, view);
	g_clear_pointer(&view->title, gtk_widget_unparent);
	g_clear_pointer(&view->notice, gtk_widget_unparent);
	g_clear_pointer(&view->grid, gtk_widget_unparent);
	g_clear_pointer(&view->events, wpv_events_free);
	g_clear_object(&view->session);
	G_OBJECT_CLASS(wpv_events_view_parent_class)->dispose(object);
}

static void wpv_events_view_class_init(WpvEventsViewClass *klass)
{
	G_OBJECT_CLASS(klass)->dispose = wpv_events_view_dispose;
	gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(klass), GTK_TYPE_BOX_LAYOUT);
	gtk_widget_class_set_css_name(GTK_WIDGET_CLASS(klass), "events");
	gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static GtkWidget *new_label(const gchar *text)
{
	GtkWidget *label = gtk_label_new(text);

	gtk_label_set_xalign(GTK_LABEL(label), 0);
	gtk_label_set_yalign(GTK_LABEL(label), 0);
	gtk_label_set_wrap(GTK_LABEL(label), TRUE);
	gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
	return label;
}

static void wpv_events_view_init(WpvEventsView *view)
{
	GtkLayoutManager *layout = gtk_widget_get_layout_manager(GTK_WIDGET(view));

	gtk_orientable_set_orientation(GTK_ORIENTABLE(layout), GTK_ORIENTATION_VERTICAL);
	gtk_box_layout_set_spacing(GTK_BOX_LAYOUT(layout), 3);
	view->title = new_label(NULL);
	gtk_widget_add_css_class(view->title, "heading");
	view->notice = new_label(NULL);
	gtk_widget_add_css_class(view->notice, "dim-label");
	view->grid = gtk_grid_new();
	gtk_grid_set_column_spacing(GTK_GRID(view->grid), 8);
	gtk_grid_set_row_spacing(GTK_GRID(view->grid), 1);
	gtk_widget_set_parent(view->title, GTK_WIDGET(view));
	gtk_widget_set_parent(view->notice, GTK_WIDGET(view));
	gtk_widget_set_parent(view->grid, GTK_WIDGET(view));
}

/* ---- what is shown ---- */

static void show_notice(WpvEventsView *view, const gchar *text)
{
	gtk_label_set_text(GTK_LABEL(view->notice), text ? text : "");
	gtk_widget_set_visible(view->notice, text != NULL);
}

static void clear(WpvEventsView *view)
{
	GtkWidget *child;

	while ((child = gtk_widget_get_first_child(view->grid)))
		gtk_grid_remove(GTK_GRID(view->grid), child);
	g_clear_pointer(&view->events, wpv_events_free);
	show_notice(view, NULL);
}

/* "+12.345" in us, or "-1.234567" in ms: to the nanosecond. */
static gchar *dup_offset(const WpvEvents *events, WpTime offset)
{
	const gint64 unit = events->fine ? WP_NS_PER_US : WP_NS_PER_MS;
	const guint64 size = offset < 0 ? -(guint64)offset : (guint64)offset;

	return g_strdup_printf("%s%" G_GUINT64_FORMAT ".%0*" G_GUINT64_FORMAT,
			       offset < 0 ? "\342\210\222" : "+", size / (guint64)unit,
			       events->fine ? 3 : 6, size % (guint64)unit);
}

static void add_mark(WpvEventsView *view, const WpvEventLine *line, gint row)
{
	GtkWidget *label = new_label(line->brief);

	gtk_widget_add_css_class(label, "event-mark");
	gtk_grid_attach(GTK_GRID(view->grid), label, 2, row, 1, 1);
}

static void add_line(WpvEventsView *view, const WpvEventLine *line, gint row)
{
	g_autofree gchar *offset = dup_offset(view->events, line->offset);
	g_autofree gchar *cpu = line->cpu == WP_NONE ? NULL : g_strdup_printf("%u", line->cpu);
	g_autofree gchar *markup = g_markup_printf_escaped("%s  <span alpha=\"75%%\">%s</span>",
							   line->name, line->brief);
	GtkWidget *when = new_label(offset), *where = new_label(cpu), *what = new_label(NULL);

	gtk_label_set_xalign(GTK_LABEL(when), 1);
	gtk_label_set_wrap(GTK_LABEL(when), FALSE);
	gtk_label_set_wrap(GTK_LABEL(where), FALSE);
	gtk_label_set_markup(GTK_LABEL(what), markup);
	gtk_widget_add_css_class(when, "numeric");
	gtk_widget_add_css_class(where, "numeric");
	gtk_widget_set_hexpand(what, TRUE);
	if (*line->text)
		gtk_widget_set_tooltip_text(what, line->text);
	gtk_grid_attach(GTK_GRID(view->grid), when, 0, row, 1, 1);
	gtk_grid_attach(GTK_GRID(view->grid), where, 1, row, 1, 1);
	gtk_grid_attach(GTK_GRID(view->grid), what, 2, row, 1, 1);
}

static gint add_group(WpvEventsView *view, const WpvEventGroup *group, gint row)
{
	GtkWidget *title = new_label(group->title);

	gtk_widget_add_css_class(title, "dim-label");
	gtk_widget_add_css_class(title, "event-group");
	gtk_grid_attach(GTK_GRID(view->grid), title, 0, row++, 3, 1);
	for (guint i = 0; i < group->lines->len; i++) {
		const WpvEventLine *line = group->lines->pdata[i];

		if (line->name)
			add_line(view, line, row++);
		else
			add_mark(view, line, row++);
	}
	return row;
}

static void show_events(WpvEventsView *view)
{
	gboolean any = FALSE;
	gint row = 0;

	gtk_label_set_text(GTK_LABEL(view->title),
			   view->events->fine ? "Events: us from its end, CPU, what happened"
					      : "Events: ms from its end, CPU, what happened");
	for (guint i = 0; i < view->events->groups->len; i++) {
		const WpvEventGroup *group = view->events->groups->pdata[i];

		any |= group->lines->len > 0;
		if (group->lines->len)
			row = add_group(view, group, row);
	}
	if (!any)
		show_notice(view, "The trace has none of its tasks and CPUs near by.");
}

/* ---- reading ---- */

static void on_read(GObject *source, GAsyncResult *result, gpointer data)
{
	g_autoptr(WpvEventsView) view = data;
	g_autoptr(GError) error = NULL;
	g_autoptr(WpvEvents) events = wpv_events_read_finish(result, &error);

	/* Something else was chosen in the meantime, or the window is gone. */
	if (g_task_get_cancellable(G_TASK(result)) != view->reading || !view->session)
		return;
	g_clear_object(&view->reading);
	clear(view);
	view->events = g_steal_pointer(&events);
	if (view->events)
		show_events(view);
	else
		show_notice(view, error->message);
}

static gboolean begin_reading(gpointer data)
{
	WpvEventsView *view = data;

	view->timeout = 0;
	view->reading = g_cancellable_new();
	wpv_events_read_async(view->session, wpv_session_get_item(view->session), view->reading,
			      on_read, g_object_ref(view));
	return G_SOURCE_REMOVE;
}

static void fill(WpvEventsView *view)
{
	const WpvItem *item = wpv_session_get_item(view->session);
	gboolean chosen = !wpv_row_key_is_none(item->row) &&
			  (item->piece != WP_NONE || item->index >= 0);

	stop(view);
	clear(view);
	gtk_widget_set_visible(GTK_WIDGET(view), chosen);
	gtk_label_set_text(GTK_LABEL(view->title), "Events");
	if (!chosen)
		return;
	show_notice(view, "Reading\342\200\246");
	view->timeout = g_timeout_add(REST_MS, begin_reading, view);
}

static void on_changed(WpvEventsView *view, guint what)
{
	if (what & (WPV_CHANGED_ITEM | WPV_CHANGED_DOCUMENT | WPV_CHANGED_ANSWER))
		fill(view);
}

const WpvEvents *wpv_events_view_get(WpvEventsView *view)
{
	return view->events;
}

const gchar *wpv_events_view_get_notice(WpvEventsView *view)
{
	return gtk_widget_get_visible(view->notice) ? gtk_label_get_text(GTK_LABEL(view->notice))
						    : NULL;
}

gboolean wpv_events_view_is_reading(WpvEventsView *view)
{
	return view->timeout || view->reading;
}

GtkWidget *wpv_events_view_new(WpvSession *session)
{
	WpvEventsView *view = g_object_new(WPV_TYPE_EVENTS_VIEW, NULL);

	view->session = g_object_ref(session);
	gtk_accessible_update_property(GTK_ACCESSIBLE(view), GTK_ACCESSIBLE_PROPERTY_LABEL,
				       "Events around it", -1);
	g_signal_connect_object(session, "changed", G_CALLBACK(on_changed), view,
				G_CONNECT_SWAPPED);
	fill(view);
	return GTK_WIDGET(view);
}
