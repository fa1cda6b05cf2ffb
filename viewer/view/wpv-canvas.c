/* SPDX-License-Identifier: MIT */
/*
 * wpv-canvas.c: pointer, wheel and keys over the painter (wpv-painter.h).
 *
 * A drag has one of a few meanings, decided when it begins by its button and modifiers:
 * to select a range, to pan, or to zoom to a range. What it means is kept until it ends.
 */
#include "config.h"

#include <math.h>

#include "viewer/model/wpv-facts.h"
#include "viewer/view/wpv-canvas.h"

#define DRAG_MIN 4 /* pixels: less is a click */
#define SNAP_REACH 12 /* pixels */
#define PAN_STEP 0.25 /* of what is visible */
#define ZOOM_STEP 1.3
/* Positions of W, A, S and D whatever the letters on them (evdev codes and 8). */
#define KEYCODE_W 25u
#define KEYCODE_A 38u
#define KEYCODE_S 39u
#define KEYCODE_D 40u

typedef enum { DRAG_NONE, DRAG_SELECT, DRAG_PAN, DRAG_ZOOM } Drag;

struct _WpvCanvas {
	GtkWidget parent;
	WpvSession *session; /* reference */
	WpvPainter *painter; /* owned */
	GtkAdjustment *hadjustment, *vadjustment; /* references */
	GtkWidget *menu; /* owned child */
	guint tick; /* of a movement, 0 */
	gdouble pointer_x, pointer_y; /* -1: outside */
	guint32 hover;
	Drag drag;
	gdouble drag_x, drag_y;
	WpTime drag_begin, drag_end; /* what was visible when it began */
	WpTime zoom_from, zoom_to; /* the range of DRAG_ZOOM */
	guint held; /* repeats of the key that is held */
	guint held_keycode;
};

enum { PROP_0, PROP_HADJUSTMENT, PROP_VADJUSTMENT, PROP_HSCROLL_POLICY, PROP_VSCROLL_POLICY };

G_DEFINE_FINAL_TYPE_WITH_CODE(WpvCanvas, wpv_canvas, GTK_TYPE_WIDGET,
			      G_IMPLEMENT_INTERFACE(GTK_TYPE_SCROLLABLE, NULL))

/* ---- geometry ---- */

void wpv_canvas_get_viewport(WpvCanvas *canvas, WpvViewport *ret_viewport)
{
	GtkWidget *widget = GTK_WIDGET(canvas);

	*ret_viewport = (WpvViewport){
		.width = MAX(gtk_widget_get_width(widget), 1),
		.height = MAX(gtk_widget_get_height(widget), 1),
		.scale = gtk_widget_get_scale_factor(widget),
		.scroll = canvas->vadjustment ? floor(gtk_adjustment_get_value(canvas->vadjustment))
					      : 0};
	wpv_session_get_visible(canvas->session, &ret_viewport->begin, &ret_viewport->end);
}

static WpTime time_at(WpvCanvas *canvas, gdouble x)
{
	WpvViewport viewport;

	wpv_canvas_get_viewport(canvas, &viewport);
	return wpv_viewport_time(&viewport, x);
}

/* The row at y; WPV_ROW_KEY_NONE below the last. */
static WpvRowKey row_at(WpvCanvas *canvas, gdouble y, guint32 *ret_place)
{
	WpvRowKey none = WPV_ROW_KEY_NONE;
	WpvViewport viewport;
	guint32 place;

	wpv_canvas_get_viewport(canvas, &viewport);
	place = wpv_painter_row_at(canvas->painter, &viewport, y);
	if (ret_place)
		*ret_place = place;
	return place == WP_NONE
		       ? none
		       : wpv_row_list_get(wpv_session_get_rows(canvas->session), place)->key;
}

WpTime wpv_canvas_get_pointer_time(WpvCanvas *canvas)
{
	return canvas->pointer_x >= 0 ? time_at(canvas, canvas->pointer_x)
				      : wpv_session_get_cursor(canvas->session);
}

static void configure_adjustment(WpvCanvas *canvas)
{
	gint height = gtk_widget_get_height(GTK_WIDGET(canvas));
	gint row_height = wpv_session_get_row_height(canvas->session);
	gdouble upper = (gdouble)wpv_row_list_get_n(wpv_session_get_rows(canvas->session)) *
			row_height;

	if (canvas->vadjustment)
		gtk_adjustment_configure(canvas->vadjustment,
					 gtk_adjustment_get_value(canvas->vadjustment), 0,
					 MAX(upper, height), row_height, height * 0.9, height);
	if (canvas->hadjustment)
		gtk_adjustment_configure(canvas->hadjustment, 0, 0, 1, 1, 1, 1);
}

static void scroll_to_row(WpvCanvas *canvas, guint place)
{
	gint row_height = wpv_session_get_row_height(canvas->session);
	guint on_top = wpv_rows_on_top(canvas->session, gtk_widget_get_height(GTK_WIDGET(canvas)));

	configure_adjustment(canvas);
	if (canvas->vadjustment)
		gtk_adjustment_clamp_page(canvas->vadjustment,
					  ((gdouble)place - on_top) * row_height,
					  ((gdouble)place + 1) * row_height);
}

/* ---- drawing ---- */

static gboolean on_tick(GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
	WpvCanvas *canvas = WPV_CANVAS(widget);

	if (wpv_session_tick(canvas->session, gdk_frame_clock_get_frame_time(clock)))
		return G_SOURCE_CONTINUE;
	canvas->tick = 0;
	return G_SOURCE_REMOVE;
}

static gboolean draw_again(gpointer canvas)
{
	gtk_widget_queue_draw(canvas);
	return G_SOURCE_REMOVE;
}

static void draw_zoom_range(WpvCanvas *canvas, GtkSnapshot *snapshot, const WpvViewport *viewport)
{
	GdkRGBA rgba = *wpv_colour(wpv_session_get_style(canvas->session), WPV_COLOUR_ACCENT);
	gdouble from = wpv_viewport_x(viewport, MIN(canvas->zoom_from, canvas->zoom_to));
	gdouble to = wpv_viewport_x(viewport, MAX(canvas->zoom_from, canvas->zoom_to));

	rgba.alpha = 0.25f;
	gtk_snapshot_append_color(
		snapshot, &rgba,
		&GRAPHENE_RECT_INIT((float)from, 0, (float)(to - from), (float)viewport->height));
}

static void wpv_canvas_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
	WpvCanvas *canvas = WPV_CANVAS(widget);
	WpvViewport viewport;

	wpv_canvas_get_viewport(canvas, &viewport);
	gtk_snapshot_append_color(
		snapshot, wpv_colour(wpv_session_get_style(canvas->session), WPV_COLOUR_BACKGROUND),
		&GRAPHENE_RECT_INIT(0, 0, (float)viewport.width, (float)viewport.height));
	if (!wpv_painter_rows(canvas->painter, snapshot, &viewport, canvas->hover))
		g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, draw_again, g_object_ref(canvas),
				g_object_unref);
	if (canvas->drag == DRAG_ZOOM)
		draw_zoom_range(canvas, snapshot, &viewport);
	GTK_WIDGET_CLASS(wpv_canvas_parent_class)->snapshot(widget, snapshot);
}

GskRenderNode *wpv_canvas_dup_node(WpvCanvas *canvas)
{
	GtkSnapshot *snapshot = gtk_snapshot_new();

	wpv_painter_set_budget(canvas->painter, 0);
	wpv_canvas_snapshot(GTK_WIDGET(canvas), snapshot);
	wpv_painter_set_budget(canvas->painter, WPV_CANVAS_BUDGET);
	return gtk_snapshot_free_to_node(snapshot);
}

WpvPainter *wpv_canvas_get_painter(WpvCanvas *canvas)
{
	return canvas->painter;
}

static void describe_item(WpvCanvas *canvas)
{
	g_autofree gchar *words = wpv_item_dup_words(canvas->session,
						     wpv_session_get_item(canvas->session));

	gtk_accessible_update_property(GTK_ACCESSIBLE(canvas), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
				       words, -1);
}

static void on_changed(WpvCanvas *canvas, guint what)
{
	if (what & WPV_CHANGED_ROWS) {
		canvas->hover = WP_NONE;
		configure_adjustment(canvas);
	}
	if (what & (WPV_CHANGED_ITEM | WPV_CHANGED_DOCUMENT))
		describe_item(canvas);
	if (what & WPV_CHANGED_VISIBLE && !canvas->tick &&
	    gtk_widget_get_mapped(GTK_WIDGET(canvas)))
		canvas->tick = gtk_widget_add_tick_callback(GTK_WIDGET(canvas), on_tick, NULL,
							    NULL);
	gtk_widget_queue_draw(GTK_WIDGET(canvas));
}

/* ---- pointer ---- */

static void set_hover(WpvCanvas *canvas, guint32 hover)
{
	if (canvas->hover == hover)
		return;
	canvas->hover = hover;
	gtk_widget_queue_draw(GTK_WIDGET(canvas));
}

static void on_motion(WpvCanvas *canvas, gdouble x, gdouble y)
{
	guint32 place;

	canvas->pointer_x = x;
	canvas->pointer_y = y;
	row_at(canvas, y, &place);
	set_hover(canvas, place);
}

static void on_leave(WpvCanvas *canvas)
{
	canvas->pointer_x = canvas->pointer_y = -1;
	set_hover(canvas, WP_NONE);
}

static void on_pressed(GtkGestureClick *gesture, gint n_press, gdouble x, gdouble y,
		       WpvCanvas *canvas)
{
	GdkModifierType state = gtk_event_controller_get_current_event_state(
		GTK_EVENT_CONTROLLER(gesture));

	gtk_widget_grab_focus(GTK_WIDGET(canvas));
	if (state & GDK_SHIFT_MASK) {
		wpv_session_extend_selection(canvas->session, time_at(canvas, x));
		return;
	}
	if (state & GDK_CONTROL_MASK)
		return;
	wpv_session_select_at(canvas->session, row_at(canvas, y, NULL), time_at(canvas, x));
	if (n_press == 2)
		wpv_session_follow_row(canvas->session, row_at(canvas, y, NULL));
}

static void show_menu(WpvCanvas *canvas, gdouble x, gdouble y)
{
	gtk_popover_set_pointing_to(GTK_POPOVER(canvas->menu),
				    &(GdkRectangle){(gint)x, (gint)y, 1, 1});
	gtk_popover_popup(GTK_POPOVER(canvas->menu));
}

/* A click without a drag; the press alone may still become one. */
static void on_menu_released(GtkGestureClick *gesture, gint n_press, gdouble x, gdouble y,
			     WpvCanvas *canvas)
{
	wpv_session_select_at(canvas->session, row_at(canvas, y, NULL), time_at(canvas, x));
	show_menu(canvas, x, y);
}

static void on_drag_begin(GtkGestureDrag *gesture, gdouble x, gdouble y, WpvCanvas *canvas)
{
	guint button = gtk_gesture_single_get_current_button(GTK_GESTURE_SINGLE(gesture));
	GdkModifierType state = gtk_event_controller_get_current_event_state(
		GTK_EVENT_CONTROLLER(gesture));

	canvas->drag_x = x;
	canvas->drag_y = y;
	wpv_session_get_visible(canvas->session, &canvas->drag_begin, &canvas->drag_end);
	if (button == GDK_BUTTON_SECONDARY)
		canvas->drag = DRAG_ZOOM;
	else if (button == GDK_BUTTON_MIDDLE || state & GDK_CONTROL_MASK)
		canvas->drag = DRAG_PAN;
	else
		canvas->drag = state & GDK_SHIFT_MASK ? DRAG_NONE : DRAG_SELECT;
	canvas->zoom_from = canvas->zoom_to = time_at(canvas, x);
}

/* With Alt to the nearest border of a segment on the row. */
static WpTime snapped(WpvCanvas *canvas, GtkGesture *gesture, gdouble x, gdouble y)
{
	GdkModifierType state = gtk_event_controller_get_current_event_state(
		GTK_EVENT_CONTROLLER(gesture));
	WpTime time = time_at(canvas, x);
	WpvRowKey row = row_at(canvas, y, NULL);

	if (!(state & GDK_ALT_MASK) || wpv_row_key_is_none(row))
		return time;
	return wpv_session_snap(canvas->session, row, time, time_at(canvas, x + SNAP_REACH) - time);
}

static void on_drag_update(GtkGestureDrag *gesture, gdouble dx, gdouble dy, WpvCanvas *canvas)
{
	gint width = MAX(gtk_widget_get_width(GTK_WIDGET(canvas)), 1);
	WpTime shift;

	if (fabs(dx) < DRAG_MIN && fabs(dy) < DRAG_MIN)
		return;
	switch (canvas->drag) {
	case DRAG_SELECT:
		gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
		wpv_session_set_selection(
			canvas->session,
			snapped(canvas, GTK_GESTURE(gesture), canvas->drag_x, canvas->drag_y),
			snapped(canvas, GTK_GESTURE(gesture), canvas->drag_x + dx,
				canvas->drag_y + dy));
		break;
	case DRAG_PAN:
		gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
		shift = (WpTime)(dx * (gdouble)(canvas->drag_end - canvas->drag_begin) / width);
		wpv_session_show(canvas->session, canvas->drag_begin - shift,
				 canvas->drag_end - shift, WPV_STEP_PAN);
		break;
	case DRAG_ZOOM:
		gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
		canvas->zoom_to = time_at(canvas, canvas->drag_x + dx);
		gtk_widget_queue_draw(GTK_WIDGET(canvas));
		break;
	case DRAG_NONE:
		break;
	}
}

static void on_drag_end(GtkGestureDrag *gesture, gdouble dx, gdouble dy, WpvCanvas *canvas)
{
	WpTime from = MIN(canvas->zoom_from, canvas->zoom_to);
	WpTime to = MAX(canvas->zoom_from, canvas->zoom_to);

	if (canvas->drag == DRAG_ZOOM && fabs(dx) >= DRAG_MIN && from < to)
		wpv_session_show(canvas->session, from, to, WPV_STEP_ALONE);
	canvas->drag = DRAG_NONE;
	gtk_widget_queue_draw(GTK_WIDGET(canvas));
}

static gboolean on_scroll(GtkEventControllerScroll *controller, gdouble dx, gdouble dy,
			  WpvCanvas *canvas)
{
	GdkModifierType state = gtk_event_controller_get_current_event_state(
		GTK_EVENT_CONTROLLER(controller));
	gboolean control = state & GDK_CONTROL_MASK, shift = state & GDK_SHIFT_MASK;
	/* Some systems turn a wheel with Shift into a horizontal one. */
	gdouble by = dy != 0 ? dy : dx;

	if (control && shift)
		wpv_session_set_row_height(canvas->session,
					   wpv_session_get_row_height(canvas->session) -
						   (gint)(by > 0 ? ceil(by) : floor(by)) * 2);
	else if (control)
		wpv_session_zoom(canvas->session, pow(ZOOM_STEP, by),
				 wpv_canvas_get_pointer_time(canvas), WPV_STEP_ZOOM);
	else if (shift || (dx != 0 && dy == 0))
		wpv_session_pan(canvas->session, by * 0.1, WPV_STEP_PAN);
	else
		return GDK_EVENT_PROPAGATE;
	return GDK_EVENT_STOP;
}

static gboolean on_query_tooltip(GtkWidget *widget, gint x, gint y, gboolean keyboard,
				 GtkTooltip *tooltip, gpointer data)
{
	WpvCanvas *canvas = WPV_CANVAS(widget);
	WpvRowKey row = row_at(canvas, y, NULL);
	g_autofree gchar *text = NULL;

	if (keyboard || wpv_row_key_is_none(row) || canvas->drag != DRAG_NONE)
		return FALSE;
	text = wpv_tooltip_text(canvas->session, row, time_at(canvas, x), time_at(canvas, x + 1));
	if (text)
		gtk_tooltip_set_text(tooltip, text);
	return text != NULL;
}

/* ---- keys ---- */

/* The step grows while the key is held. */
static gdouble held_step(WpvCanvas *canvas)
{
	return PAN_STEP * MIN(1 + canvas->held / 4.0, 8);
}

static gboolean on_key_pressed(GtkEventControllerKey *controller, guint keyval, guint keycode,
			       GdkModifierType state, WpvCanvas *canvas)
{
	WpTime pointer = wpv_canvas_get_pointer_time(canvas);

	if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK))
		return GDK_EVENT_PROPAGATE;
	canvas->held = canvas->held_keycode == keycode ? canvas->held + 1 : 0;
	canvas->held_keycode = keycode;
	switch (keycode) {
	case KEYCODE_W:
		wpv_session_zoom(canvas->session, 1 / (1 + 2 * held_step(canvas)), pointer,
				 canvas->held ? WPV_STEP_ZOOM : WPV_STEP_ALONE);
		return GDK_EVENT_STOP;
	case KEYCODE_S:
		wpv_session_zoom(canvas->session, 1 + 2 * held_step(canvas), pointer,
				 canvas->held ? WPV_STEP_ZOOM : WPV_STEP_ALONE);
		return GDK_EVENT_STOP;
	case KEYCODE_A:
		wpv_session_pan(canvas->session, -held_step(canvas),
				canvas->held ? WPV_STEP_PAN : WPV_STEP_ALONE);
		return GDK_EVENT_STOP;
	case KEYCODE_D:
		wpv_session_pan(canvas->session, held_step(canvas),
				canvas->held ? WPV_STEP_PAN : WPV_STEP_ALONE);
		return GDK_EVENT_STOP;
	default:
		return GDK_EVENT_PROPAGATE;
	}
}

static void on_key_released(GtkEventControllerKey *controller, guint keyval, guint keycode,
			    GdkModifierType state, WpvCanvas *canvas)
{
	canvas->held = 0;
	canvas->held_keycode = 0;
}

static gboolean open_menu_by_key(GtkWidget *widget, GVariant *args, gpointer data)
{
	WpvCanvas *canvas = WPV_CANVAS(widget);
	const WpvItem *item = wpv_session_get_item(canvas->session);
	guint32 place = wpv_row_list_find(wpv_session_get_rows(canvas->session), item->row);
	gint height = wpv_session_get_row_height(canvas->session);
	WpvViewport viewport;

	if (wpv_row_key_is_none(item->row) || place == WP_NONE)
		return FALSE;
	wpv_canvas_get_viewport(canvas, &viewport);
	show_menu(canvas, CLAMP(wpv_viewport_x(&viewport, item->begin), 0, viewport.width - 1),
		  wpv_painter_row_top(canvas->painter, &viewport, place) + 0.5 * height);
	return TRUE;
}

/* ---- the widget ---- */

static void wpv_canvas_measure(GtkWidget *widget, GtkOrientation orientation, int for_size,
			       int *minimum, int *natural, int *minimum_baseline,
			       int *natural_baseline)
{
	gboolean horizontal = orientation == GTK_ORIENTATION_HORIZONTAL;

	*minimum = horizontal ? 160 : 60;
	*natural = horizontal ? 700 : 300;
}

static void wpv_canvas_size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
	configure_adjustment(WPV_CANVAS(widget));
	gtk_popover_present(GTK_POPOVER(WPV_CANVAS(widget)->menu));
}

static void set_adjustment(WpvCanvas *canvas, GtkAdjustment **member, GtkAdjustment *adjustment)
{
	if (*member == adjustment)
		return;
	if (*member)
		g_signal_handlers_disconnect_by_data(*member, canvas);
	g_set_object(member, adjustment);
	if (adjustment)
		g_signal_connect_swapped(adjustment, "value-changed",
					 G_CALLBACK(gtk_widget_queue_draw), canvas);
}

static void wpv_canvas_set_property(GObject *object, guint id, const GValue *value,
				    GParamSpec *pspec)
{
	WpvCanvas *canvas = WPV_CANVAS(object);

	switch (id) {
	case PROP_HADJUSTMENT:
		set_adjustment(canvas, &canvas->hadjustment, g_value_get_object(value));
		break;
	case PROP_VADJUSTMENT:
		set_adjustment(canvas, &canvas->vadjustment, g_value_get_object(value));
		break;
	case PROP_HSCROLL_POLICY:
	case PROP_VSCROLL_POLICY:
		/* It always takes what it is given. */
		break;
	default:
		G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
	}
}

static void wpv_canvas_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
	WpvCanvas *canvas = WPV_CANVAS(object);

	switch (id) {
	case PROP_HADJUSTMENT:
		g_value_set_object(value, canvas->hadjustment);
		break;
	case PROP_VADJUSTMENT:
		g_value_set_object(value, canvas->vadjustment);
		break;
	case PROP_HSCROLL_POLICY:
	case PROP_VSCROLL_POLICY:
		g_value_set_enum(value, GTK_SCROLL_MINIMUM);
		break;
	default:
		G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
	}
}

static void wpv_canvas_dispose(GObject *object)
{
	WpvCanvas *canvas = WPV_CANVAS(object);

	/* From here on nothing that the session tells is listened to. */
	if (canvas->session)
		g_signal_handlers_disconnect_by_data(canvas->session, canvas);
	set_adjustment(canvas, &canvas->hadjustment, NULL);
	set_adjustment(canvas, &canvas->vadjustment, NULL);
	g_clear_pointer(&canvas->menu, gtk_widget_unparent);
	g_clear_pointer(&canvas->painter, wpv_painter_free);
	g_clear_object(&canvas->session);
	G_OBJECT_CLASS(wpv_canvas_parent_class)->dispose(object);
}

static void add_binding(GtkWidgetClass *klass, guint keyval, GdkModifierType modifiers,
			const gchar *action, const gchar *format, gint value)
{
	if (format)
		gtk_widget_class_add_binding_action(klass, keyval, modifiers, action, format,
						    value);
	else
		gtk_widget_class_add_binding_action(klass, keyval, modifiers, action, NULL);
}

/* What the keys do while the timeline has the focus. */
static void add_bindings(GtkWidgetClass *klass)
{
	static const struct {
		guint keyval;
		GdkModifierType modifiers;
		const gchar *action, *format;
		gint value;
	} keys[] = {
		{GDK_KEY_plus, 0, "win.zoom", "i", 1},
		{GDK_KEY_equal, 0, "win.zoom", "i", 1},
		{GDK_KEY_KP_Add, 0, "win.zoom", "i", 1},
		{GDK_KEY_minus, 0, "win.zoom", "i", -1},
		{GDK_KEY_KP_Subtract, 0, "win.zoom", "i", -1},
		{GDK_KEY_Page_Up, 0, "win.scroll-page", "i", -1},
		{GDK_KEY_Page_Down, 0, "win.scroll-page", "i", 1},
		{GDK_KEY_Right, GDK_SHIFT_MASK, "win.step-selection", "i", 1},
		{GDK_KEY_Left, GDK_SHIFT_MASK, "win.step-selection", "i", -1},
		{GDK_KEY_z, 0, "win.zoom-selection", NULL, 0},
		{GDK_KEY_BackSpace, 0, "win.zoom-back", NULL, 0},
		{GDK_KEY_Return, 0, "win.show-details", NULL, 0},
		{GDK_KEY_KP_Enter, 0, "win.show-details", NULL, 0},
		{GDK_KEY_Right, 0, "win.step-segment", "i", 1},
		{GDK_KEY_Left, 0, "win.step-segment", "i", -1},
		{GDK_KEY_Down, 0, "win.step-row", "i", 1},
		{GDK_KEY_Up, 0, "win.step-row", "i", -1},
		{GDK_KEY_Home, 0, "win.select-row", "i", 0},
		{GDK_KEY_End, 0, "win.select-row", "i", -1},
		{GDK_KEY_bracketright, 0, "win.step-path", "i", 1},
		{GDK_KEY_bracketleft, 0, "win.step-path", "i", -1},
		{GDK_KEY_bracketright, GDK_CONTROL_MASK, "win.follow-arrow", "i", 1},
		{GDK_KEY_bracketleft, GDK_CONTROL_MASK, "win.follow-arrow", "i", -1},
		{GDK_KEY_p, 0, "win.follow-task", NULL, 0},
		{GDK_KEY_m, 0, "win.set-marker", "i", 0},
		{GDK_KEY_m, GDK_SHIFT_MASK, "win.set-marker", "i", 1},
		{GDK_KEY_slash, 0, "win.search", NULL, 0},
		{GDK_KEY_question, GDK_SHIFT_MASK, "win.show-help-overlay", NULL, 0},
		{GDK_KEY_question, 0, "win.show-help-overlay", NULL, 0},
		{GDK_KEY_asterisk, GDK_SHIFT_MASK, "win.expand-all", NULL, 0},
		{GDK_KEY_asterisk, 0, "win.expand-all", NULL, 0},
		{GDK_KEY_KP_Multiply, 0, "win.expand-all", NULL, 0},
		{GDK_KEY_space, 0, "win.toggle-row", NULL, 0},
		{GDK_KEY_Escape, 0, "win.select-none", NULL, 0},
	};

	for (guint i = 0; i < G_N_ELEMENTS(keys); i++)
		add_binding(klass, keys[i].keyval, keys[i].modifiers, keys[i].action,
			    keys[i].format, keys[i].value);
	gtk_widget_class_add_binding(klass, GDK_KEY_Menu, 0, open_menu_by_key, NULL);
	gtk_widget_class_add_binding(klass, GDK_KEY_F10, GDK_SHIFT_MASK, open_menu_by_key, NULL);
}

static void wpv_canvas_class_init(WpvCanvasClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);
	GObjectClass *object_class = G_OBJECT_CLASS(klass);

	object_class->dispose = wpv_canvas_dispose;
	object_class->set_property = wpv_canvas_set_property;
	object_class->get_property = wpv_canvas_get_property;
	g_object_class_override_property(object_class, PROP_HADJUSTMENT, "hadjustment");
	g_object_class_override_property(object_class, PROP_VADJUSTMENT, "vadjustment");
	g_object_class_override_property(object_class, PROP_HSCROLL_POLICY, "hscroll-policy");
	g_object_class_override_property(object_class, PROP_VSCROLL_POLICY, "vscroll-policy");
	widget_class->snapshot = wpv_canvas_snapshot;
	widget_class->measure = wpv_canvas_measure;
	widget_class->size_allocate = wpv_canvas_size_allocate;
	gtk_widget_class_set_css_name(widget_class, "timeline");
	gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
	add_bindings(widget_class);
}

static void add_drag(WpvCanvas *canvas, guint button)
{
	GtkGesture *drag = gtk_gesture_drag_new();

	gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(drag), button);
	g_signal_connect(drag, "drag-begin", G_CALLBACK(on_drag_begin), canvas);
	g_signal_connect(drag, "drag-update", G_CALLBACK(on_drag_update), canvas);
	g_signal_connect(drag, "drag-end", G_CALLBACK(on_drag_end), canvas);
	gtk_widget_add_controller(GTK_WIDGET(canvas), GTK_EVENT_CONTROLLER(drag));
}

static void add_click(WpvCanvas *canvas, guint button, const gchar *signal, GCallback callback)
{
	GtkGesture *click = gtk_gesture_click_new();

	gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(click), button);
	g_signal_connect(click, signal, callback, canvas);
	gtk_widget_add_controller(GTK_WIDGET(canvas), GTK_EVENT_CONTROLLER(click));
}

static void add_controllers(WpvCanvas *canvas)
{
	GtkEventController *motion = gtk_event_controller_motion_new();
	GtkEventController *key = gtk_event_controller_key_new();
	GtkEventController *scroll = gtk_event_controller_scroll_new(
		GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);

	g_signal_connect_swapped(motion, "enter", G_CALLBACK(on_motion), canvas);
	g_signal_connect_swapped(motion, "motion", G_CALLBACK(on_motion), canvas);
	g_signal_connect_swapped(motion, "leave", G_CALLBACK(on_leave), canvas);
	g_signal_connect(key, "key-pressed", G_CALLBACK(on_key_pressed), canvas);
	g_signal_connect(key, "key-released", G_CALLBACK(on_key_released), canvas);
	g_signal_connect(scroll, "scroll", G_CALLBACK(on_scroll), canvas);
	gtk_widget_add_controller(GTK_WIDGET(canvas), motion);
	gtk_widget_add_controller(GTK_WIDGET(canvas), key);
	gtk_widget_add_controller(GTK_WIDGET(canvas), scroll);
	add_click(canvas, GDK_BUTTON_PRIMARY, "pressed", G_CALLBACK(on_pressed));
	add_click(canvas, GDK_BUTTON_SECONDARY, "released", G_CALLBACK(on_menu_released));
	add_drag(canvas, GDK_BUTTON_PRIMARY);
	add_drag(canvas, GDK_BUTTON_MIDDLE);
	add_drag(canvas, GDK_BUTTON_SECONDARY);
}

static void wpv_canvas_init(WpvCanvas *canvas)
{
	canvas->hover = WP_NONE;
	canvas->pointer_x = canvas->pointer_y = -1;
	gtk_widget_set_focusable(GTK_WIDGET(canvas), TRUE);
	gtk_widget_set_overflow(GTK_WIDGET(canvas), GTK_OVERFLOW_HIDDEN);
	gtk_widget_set_has_tooltip(GTK_WIDGET(canvas), TRUE);
	g_signal_connect(canvas, "query-tooltip", G_CALLBACK(on_query_tooltip), NULL);
	add_controllers(canvas);
}

GtkWidget *wpv_canvas_new(WpvSession *session, GMenuModel *menu)
{
	WpvCanvas *canvas = g_object_new(WPV_TYPE_CANVAS, NULL);
	PangoContext *pango = gtk_widget_get_pango_context(GTK_WIDGET(canvas));

	canvas->session = g_object_ref(session);
	canvas->painter = wpv_painter_new(session);
	wpv_painter_set_pango(canvas->painter, pango);
	wpv_painter_set_budget(canvas->painter, WPV_CANVAS_BUDGET);
	canvas->menu = gtk_popover_menu_new_from_model(menu);
	gtk_widget_set_parent(canvas->menu, GTK_WIDGET(canvas));
	gtk_popover_set_has_arrow(GTK_POPOVER(canvas->menu), FALSE);
	gtk_accessible_update_property(GTK_ACCESSIBLE(canvas), GTK_ACCESSIBLE_PROPERTY_LABEL,
				       "Timeline", -1);
	describe_item(canvas);
	g_signal_connect_object(session, "changed", G_CALLBACK(on_changed), canvas,
				G_CONNECT_SWAPPED);
	g_signal_connect_object(session, "reveal", G_CALLBACK(scroll_to_row), canvas,
				G_CONNECT_SWAPPED);
	return GTK_WIDGET(canvas);
}
