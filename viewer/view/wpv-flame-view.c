/* SPDX-License-Identifier: MIT */
/*
 * wpv-flame-view.c: frames as boxes, parents above. The boxes are one node that is kept;
 * what is under the pointer or has the keyboard's focus is drawn over it.
 */
#include "config.h"

#include "export/units.h"
#include "viewer/view/wpv-flame-view.h"
#include "viewer/view/wpv-painter.h"

#define LEVEL_HEIGHT 20
#define WIDTH_MIN 1.0 /* narrower boxes are left out */
#define TEXT_MIN 30
#define DEBOUNCE 60 /* ms that the selection is left to settle */

struct _WpvFlameView {
	GtkWidget parent;
	WpvSession *session; /* reference */
	WpvFlame *flame; /* owned, NULL */
	GCancellable *cancellable; /* reference: of the one on its way, NULL */
	guint timeout; /* until the next one is begun, 0 */
	GskRenderNode *node; /* owned, NULL: to be drawn anew */
	gint node_width;
	PangoLayout *layout; /* owned */
	guint32 zoomed; /* frame in full width; WP_NONE */
	guint32 hover, focus; /* frames, WP_NONE */
};

G_DEFINE_FINAL_TYPE(WpvFlameView, wpv_flame_view, GTK_TYPE_WIDGET)

static void stop(WpvFlameView *view)
{
	if (view->cancellable)
		g_cancellable_cancel(view->cancellable);
	g_clear_object(&view->cancellable);
}

static const WpvFrame *frame_at(WpvFlameView *view, guint32 i)
{
	return &g_array_index(view->flame->frames, WpvFrame, i);
}

/* What is shown over the full width. */
static void get_range(WpvFlameView *view, WpTime *begin, WpTime *time)
{
	*begin = view->zoomed == WP_NONE ? 0 : frame_at(view, view->zoomed)->begin;
	*time = view->zoomed == WP_NONE ? view->flame->time : frame_at(view, view->zoomed)->time;
}

static graphene_rect_t frame_box(WpvFlameView *view, guint32 i)
{
	const WpvFrame *frame = frame_at(view, i);
	gint width = gtk_widget_get_width(GTK_WIDGET(view));
	WpTime begin, time;
	gdouble from, to;

	get_range(view, &begin, &time);
	from = (gdouble)(frame->begin - begin) * width / (gdouble)time;
	to = (gdouble)(frame->begin + frame->time - begin) * width / (gdouble)time;
	from = CLAMP(from, 0, width);
	to = CLAMP(to, 0, width);
	return GRAPHENE_RECT_INIT((float)from, (float)(frame->depth * LEVEL_HEIGHT),
				  (float)(to - from), LEVEL_HEIGHT - 1);
}

/* A frame that is a task has the colour of the wait that it stands in: what is below it. */
static const GdkRGBA *frame_colour(WpvFlameView *view, const WpvFrame *frame)
{
	WpvStyle *style = wpv_session_get_style(view->session);

	if (frame->state != WP_SERIES_EMPTY)
		return wpv_style_get_colour(style, frame->state);
	return wpv_colour(style, WPV_COLOUR_HOST);
}

static void draw_frame(WpvFlameView *view, GtkSnapshot *snapshot, guint32 i)
{
	const WpvFrame *frame = frame_at(view, i);
	WpvStyle *style = wpv_session_get_style(view->session);
	graphene_rect_t box = frame_box(view, i);
	g_autofree gchar *name = NULL;
	g_autofree gchar *label = NULL;
	const GdkRGBA *text;
	WpText share;

	if ((gdouble)box.size.width < WIDTH_MIN)
		return;
	gtk_snapshot_append_color(snapshot, frame_colour(view, frame), &box);
	if (box.size.width < TEXT_MIN)
		return;
	name = wpv_flame_dup_name(view->flame, i,
				  wpv_document_get_graph(wpv_session_get_document(view->session)));
	label = g_strdup_printf("%s  %s", name,
				wp_share_words(&share, frame->time, view->flame->time));
	text = frame->state == WP_SERIES_EMPTY ? wpv_colour(style, WPV_COLOUR_TEXT)
					       : wpv_style_get_text_colour(style, frame->state);
	pango_layout_set_width(view->layout, (gint)((box.size.width - 6) * PANGO_SCALE));
	pango_layout_set_text(view->layout, label, -1);
	gtk_snapshot_save(snapshot);
	gtk_snapshot_translate(snapshot, &GRAPHENE_POINT_INIT(box.origin.x + 4, box.origin.y + 2));
	gtk_snapshot_append_layout(snapshot, view->layout, text);
	gtk_snapshot_restore(snapshot);
}

static void draw_outline(WpvFlameView *view, GtkSnapshot *snapshot, guint32 i, float width)
{
	const GdkRGBA *rgba = wpv_colour(wpv_session_get_style(view->session), WPV_COLOUR_ACCENT);
	const GdkRGBA colours[4] = {*rgba, *rgba, *rgba, *rgba};
	const float widths[4] = {width, width, width, width};
	graphene_rect_t box;
	GskRoundedRect outline;

	if (i == WP_NONE || i >= view->flame->frames->len)
		return;
	box = frame_box(view, i);
	gsk_rounded_rect_init_from_rect(&outline, &box, 0);
	gtk_snapshot_append_border(snapshot, &outline, widths, colours);
}

static void wpv_flame_view_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
	WpvFlameView *view = WPV_FLAME_VIEW(widget);
	gint width = gtk_widget_get_width(widget);

	if (!view->flame)
		return;
	if (!view->node || view->node_width != width) {
		GtkSnapshot *boxes = gtk_snapshot_new();

		for (guint32 i = 0; i < view->flame->frames->len; i++)
			draw_frame(view, boxes, i);
		g_clear_pointer(&view->node, gsk_render_node_unref);
		view->node = gtk_snapshot_free_to_node(boxes);
		view->node_width = width;
	}
	if (view->node)
		gtk_snapshot_append_node(snapshot, view->node);
	draw_outline(view, snapshot, view->hover, 1);
	if (gtk_widget_has_focus(widget))
		draw_outline(view, snapshot, view->focus, 2);
}

static void wpv_flame_view_measure(GtkWidget *widget, GtkOrientation orientation, int for_size,
				   int *minimum, int *natural, int *minimum_baseline,
				   int *natural_baseline)
{
	WpvFlameView *view = WPV_FLAME_VIEW(widget);
	guint levels = view->flame ? view->flame->n_levels : 1;

	*minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL
				      ? 100
				      : (gint)levels * LEVEL_HEIGHT;
}

static void wpv_flame_view_dispose(GObject *object)
{
	WpvFlameView *view = WPV_FLAME_VIEW(object);

	/* From here on nothing that the session tells is listened to. */
	if (view->session)
		g_signal_handlers_disconnect_by_data(view->session, view);
	g_clear_handle_id(&view->timeout, g_source_remove);
	stop(view);
	g_clear_pointer(&view->node, gsk_render_node_unref);
	g_clear_pointer(&view->flame, wpv_flame_free);
	g_clear_object(&view->layout);
	g_clear_object(&view->session);
	G_OBJECT_CLASS(wpv_flame_view_parent_class)->dispose(object);
}

static void wpv_flame_view_class_init(WpvFlameViewClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	G_OBJECT_CLASS(klass)->dispose = wpv_flame_view_dispose;
	widget_class->snapshot = wpv_flame_view_snapshot;
	widget_class->measure = wpv_flame_view_measure;
	gtk_widget_class_set_css_name(widget_class, "flame");
	gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

/* ---- use ---- */

static gchar *frame_words(WpvFlameView *view, guint32 i)
{
	const WpvFrame *frame = frame_at(view, i);
	g_autofree gchar *name = wpv_flame_dup_name(
		view->flame, i, wpv_document_get_graph(wpv_session_get_document(view->session)));
	WpText time, share;

	return g_strdup_printf("%s, %s, %s", name, wp_duration_text(&time, frame->time),
			       wp_share_words(&share, frame->time, view->flame->time));
}

static guint32 find_frame(WpvFlameView *view, gdouble x, gdouble y)
{
	gint width = MAX(gtk_widget_get_width(GTK_WIDGET(view)), 1);
	WpTime begin, time;

	if (!view->flame || y < 0)
		return WP_NONE;
	get_range(view, &begin, &time);
	return wpv_flame_find(view->flame, (guint)(y / LEVEL_HEIGHT),
			      begin + (WpTime)(x * (gdouble)time / width));
}

static void redraw(WpvFlameView *view)
{
	g_clear_pointer(&view->node, gsk_render_node_unref);
	gtk_widget_queue_draw(GTK_WIDGET(view));
}

static void set_focus_frame(WpvFlameView *view, guint32 i)
{
	g_autofree gchar *words = NULL;

	view->focus = i;
	if (i != WP_NONE)
		words = frame_words(view, i);
	gtk_accessible_update_property(GTK_ACCESSIBLE(view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
				       words ? words : "", -1);
	gtk_widget_queue_draw(GTK_WIDGET(view));
}

/* Full width for it, or for all when it had that already; and the path's first moment on it. */
static void open_frame(WpvFlameView *view, guint32 i)
{
	WpvRowKey none = WPV_ROW_KEY_NONE;

	if (i == WP_NONE)
		return;
	view->zoomed = view->zoomed == i ? WP_NONE : i;
	set_focus_frame(view, i);
	redraw(view);
	wpv_session_select_at(view->session, none, frame_at(view, i)->first);
	wpv_session_reveal(view->session);
}

static void on_pressed(GtkGestureClick *gesture, gint n_press, gdouble x, gdouble y,
		       WpvFlameView *view)
{
	gtk_widget_grab_focus(GTK_WIDGET(view));
	open_frame(view, find_frame(view, x, y));
}

static void on_motion(WpvFlameView *view, gdouble x, gdouble y)
{
	guint32 hover = find_frame(view, x, y);

	if (hover != view->hover)
		gtk_widget_queue_draw(GTK_WIDGET(view));
	view->hover = hover;
}

static void on_leave(WpvFlameView *view)
{
	view->hover = WP_NONE;
	gtk_widget_queue_draw(GTK_WIDGET(view));
}

static gboolean on_query_tooltip(GtkWidget *widget, gint x, gint y, gboolean keyboard,
				 GtkTooltip *tooltip, gpointer data)
{
	WpvFlameView *view = WPV_FLAME_VIEW(widget);
	guint32 i = find_frame(view, x, y);
	g_autofree gchar *words = NULL;

	if (keyboard || i == WP_NONE)
		return FALSE;
	words = frame_words(view, i);
	gtk_tooltip_set_text(tooltip, words);
	return TRUE;
}

/* The frame beside (dx) or above or below (dy) the one in focus; itself when there is none. */
static guint32 neighbour(WpvFlameView *view, gint dx, gint dy)
{
	const WpvFrame *frame = frame_at(view, view->focus);
	guint32 i = view->focus;

	if (dy < 0)
		return frame->parent == WP_NONE ? i : frame->parent;
	if (dy > 0) {
		guint32 below = wpv_flame_find(view->flame, frame->depth + 1u, frame->begin);

		return below == WP_NONE ? i : below;
	}
	i += (guint32)dx;
	if (i >= view->flame->frames->len || frame_at(view, i)->depth != frame->depth)
		return view->focus;
	return i;
}

static gboolean on_key_pressed(GtkEventControllerKey *controller, guint keyval, guint keycode,
			       GdkModifierType state, WpvFlameView *view)
{
	if (!view->flame || view->flame->frames->len == 0)
		return GDK_EVENT_PROPAGATE;
	if (view->focus == WP_NONE)
		view->focus = 0;
	switch (keyval) {
	case GDK_KEY_Left:
		set_focus_frame(view, neighbour(view, -1, 0));
		return GDK_EVENT_STOP;
	case GDK_KEY_Right:
		set_focus_frame(view, neighbour(view, 1, 0));
		return GDK_EVENT_STOP;
	case GDK_KEY_Up:
		set_focus_frame(view, neighbour(view, 0, -1));
		return GDK_EVENT_STOP;
	case GDK_KEY_Down:
		set_focus_frame(view, neighbour(view, 0, 1));
		return GDK_EVENT_STOP;
	case GDK_KEY_Return:
	case GDK_KEY_KP_Enter:
	case GDK_KEY_space:
		open_frame(view, view->focus);
		return GDK_EVENT_STOP;
	case GDK_KEY_Escape:
		view->zoomed = WP_NONE;
		redraw(view);
		return GDK_EVENT_STOP;
	default:
		return GDK_EVENT_PROPAGATE;
	}
}

static void wpv_flame_view_init(WpvFlameView *view)
{
	GtkGesture *click = gtk_gesture_click_new();
	GtkEventController *motion = gtk_event_controller_motion_new();
	GtkEventController *key = gtk_event_controller_key_new();
	PangoAttrList *attributes = pango_attr_list_new();

	view->zoomed = view->hover = view->focus = WP_NONE;
	view->layout = gtk_widget_create_pango_layout(GTK_WIDGET(view), NULL);
	pango_layout_set_ellipsize(view->layout, PANGO_ELLIPSIZE_END);
	pango_attr_list_insert(attributes, pango_attr_scale_new(0.85));
	pango_layout_set_attributes(view->layout, attributes);
	pango_attr_list_unref(attributes);
	gtk_widget_set_focusable(GTK_WIDGET(view), TRUE);
	gtk_widget_set_has_tooltip(GTK_WIDGET(view), TRUE);
	g_signal_connect(view, "query-tooltip", G_CALLBACK(on_query_tooltip), NULL);
	g_signal_connect(click, "pressed", G_CALLBACK(on_pressed), view);
	g_signal_connect_swapped(motion, "motion", G_CALLBACK(on_motion), view);
	g_signal_connect_swapped(motion, "leave", G_CALLBACK(on_leave), view);
	g_signal_connect(key, "key-pressed", G_CALLBACK(on_key_pressed), view);
	gtk_widget_add_controller(GTK_WIDGET(view), GTK_EVENT_CONTROLLER(click));
	gtk_widget_add_controller(GTK_WIDGET(view), motion);
	gtk_widget_add_controller(GTK_WIDGET(view), key);
}

static void take_flame(WpvFlameView *view, WpvFlame *flame)
{
	g_clear_pointer(&view->flame, wpv_flame_free);
	view->flame = flame;
	view->zoomed = view->hover = view->focus = WP_NONE;
	gtk_widget_queue_resize(GTK_WIDGET(view));
	redraw(view);
}

static void on_done(GObject *source, GAsyncResult *result, gpointer data)
{
	g_autoptr(WpvFlameView) view = data;
	WpvFlame *flame = wpv_flame_new_finish(result);

	if (g_task_get_cancellable(G_TASK(result)) != view->cancellable) {
		wpv_flame_free(flame);
		return;
	}
	g_clear_object(&view->cancellable);
	take_flame(view, flame);
}

static gboolean update(gpointer data)
{
	WpvFlameView *view = data;
	WpvAnswer *answer = wpv_session_get_answer(view->session);
	WpTime begin, end;

	view->timeout = 0;
	stop(view);
	if (!answer) {
		take_flame(view, NULL);
		return G_SOURCE_REMOVE;
	}
	if (!wpv_session_get_selection(view->session, &begin, &end)) {
		begin = wpv_answer_get_path(answer)->begin;
		end = wpv_answer_get_path(answer)->end;
	}
	view->cancellable = g_cancellable_new();
	wpv_flame_new_async(answer, begin, end, view->cancellable, on_done, g_object_ref(view));
	return G_SOURCE_REMOVE;
}

static void on_changed(WpvFlameView *view, guint what)
{
	if (what & (WPV_CHANGED_DOCUMENT | WPV_CHANGED_ANSWER)) {
		/* Frames name tasks of the document that is gone: not one moment longer. */
		take_flame(view, NULL);
		g_clear_handle_id(&view->timeout, g_source_remove);
		update(view);
	} else if (what & WPV_CHANGED_SELECTION && !view->timeout) {
		view->timeout = g_timeout_add(DEBOUNCE, update, view);
	} else if (what & WPV_CHANGED_STYLE) {
		redraw(view);
	}
}

GtkWidget *wpv_flame_view_new(WpvSession *session)
{
	WpvFlameView *view = g_object_new(WPV_TYPE_FLAME_VIEW, NULL);

	view->session = g_object_ref(session);
	gtk_accessible_update_property(GTK_ACCESSIBLE(view), GTK_ACCESSIBLE_PROPERTY_LABEL,
				       "Flame graph of who waited for whom", -1);
	g_signal_connect_object(session, "changed", G_CALLBACK(on_changed), view,
				G_CONNECT_SWAPPED);
	update(view);
	return GTK_WIDGET(view);
}

const WpvFlame *wpv_flame_view_get(WpvFlameView *view)
{
	return view->flame;
}

guint32 wpv_flame_view_get_zoomed(WpvFlameView *view)
{
	return view->zoomed;
}
