/* SPDX-License-Identifier: MIT */
/* wpv-band.c: the painter's band with two ways to use it. */
#include "config.h"

#include "viewer/model/wpv-facts.h"
#include "viewer/view/wpv-band.h"
#include "viewer/view/wpv-painter.h"

#define BAND_HEIGHT 30
#define OVERVIEW_HEIGHT 22
#define GRIP 6 /* pixels on either side of the window's edges */
#define DRAG_MIN 3

typedef enum { GRAB_NONE, GRAB_WINDOW, GRAB_BEGIN, GRAB_END, GRAB_NEW } Grab;

struct _WpvBand {
	GtkWidget parent;
	WpvSession *session; /* reference */
	WpvPainter *painter; /* owned */
	gboolean overview;
	Grab grab;
	gdouble drag_x;
	WpTime begin, end; /* of the window when it was grabbed */
};

G_DEFINE_FINAL_TYPE(WpvBand, wpv_band, GTK_TYPE_WIDGET)

static void get_viewport(WpvBand *band, WpvViewport *viewport)
{
	WpvDocument *document = wpv_session_get_document(band->session);

	*viewport = (WpvViewport){.width = MAX(gtk_widget_get_width(GTK_WIDGET(band)), 1),
				  .height = MAX(gtk_widget_get_height(GTK_WIDGET(band)), 1),
				  .scale = gtk_widget_get_scale_factor(GTK_WIDGET(band))};
	if (band->overview && document)
		wpv_document_get_span(document, &viewport->begin, &viewport->end);
	else
		wpv_session_get_visible(band->session, &viewport->begin, &viewport->end);
}

static void fill(GtkSnapshot *snapshot, const GdkRGBA *rgba, gdouble x, gdouble width, gint height)
{
	gtk_snapshot_append_color(snapshot, rgba,
				  &GRAPHENE_RECT_INIT((float)x, 0, (float)width, (float)height));
}

/* All but the visible window is shaded, and the window has edges to hold it by. */
static void draw_window(WpvBand *band, GtkSnapshot *snapshot, const WpvViewport *viewport)
{
	WpvStyle *style = wpv_session_get_style(band->session);
	const GdkRGBA *accent = wpv_colour(style, WPV_COLOUR_ACCENT);
	GdkRGBA shade = *wpv_colour(style, WPV_COLOUR_HOST);
	WpTime begin, end;
	gdouble from, to;

	wpv_session_get_visible(band->session, &begin, &end);
	from = wpv_viewport_x(viewport, begin);
	to = MAX(wpv_viewport_x(viewport, end), from + 2);
	shade.alpha = 0.7f;
	fill(snapshot, &shade, 0, from, viewport->height);
	fill(snapshot, &shade, to, viewport->width - to, viewport->height);
	fill(snapshot, accent, from - 1, 3, viewport->height);
	fill(snapshot, accent, to - 2, 3, viewport->height);
}

static void wpv_band_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
	WpvBand *band = WPV_BAND(widget);
	WpvStyle *style = wpv_session_get_style(band->session);
	WpvViewport viewport;

	get_viewport(band, &viewport);
	fill(snapshot, wpv_colour(style, WPV_COLOUR_BACKGROUND), 0, viewport.width,
	     viewport.height);
	if (!wpv_session_get_document(band->session))
		return;
	wpv_painter_band(band->painter, snapshot, &viewport);
	if (band->overview)
		draw_window(band, snapshot, &viewport);
	gtk_snapshot_append_color(
		snapshot, wpv_colour(style, WPV_COLOUR_LINE),
		&GRAPHENE_RECT_INIT(0, (float)(viewport.height - 1), (float)viewport.width, 1));
}

static void wpv_band_measure(GtkWidget *widget, GtkOrientation orientation, int for_size,
			     int *minimum, int *natural, int *minimum_baseline,
			     int *natural_baseline)
{
	if (orientation == GTK_ORIENTATION_HORIZONTAL)
		*minimum = *natural = 100;
	else
		*minimum = *natural = WPV_BAND(widget)->overview ? OVERVIEW_HEIGHT : BAND_HEIGHT;
}

static WpTime time_at(WpvBand *band, gdouble x)
{
	WpvViewport viewport;

	get_viewport(band, &viewport);
	return wpv_viewport_time(&viewport, x);
}

static void on_pressed(GtkGestureClick *gesture, gint n_press, gdouble x, gdouble y, WpvBand *band)
{
	WpvRowKey none = WPV_ROW_KEY_NONE;

	if (band->overview)
		return;
	wpv_session_select_at(band->session, none, time_at(band, x));
	if (n_press == 2)
		wpv_session_show_path(band->session);
	else
		wpv_session_reveal(band->session);
}

/* What of the overview's window lies at x. */
static Grab grab_at(WpvBand *band, gdouble x)
{
	WpvViewport viewport;
	WpTime begin, end;
	gdouble from, to;

	get_viewport(band, &viewport);
	wpv_session_get_visible(band->session, &begin, &end);
	from = wpv_viewport_x(&viewport, begin);
	to = wpv_viewport_x(&viewport, end);
	if (ABS(x - from) <= GRIP && x - from <= to - x)
		return GRAB_BEGIN;
	if (ABS(x - to) <= GRIP)
		return GRAB_END;
	return x > from && x < to ? GRAB_WINDOW : GRAB_NEW;
}

static void on_drag_begin(GtkGestureDrag *gesture, gdouble x, gdouble y, WpvBand *band)
{
	WpTime half;

	band->drag_x = x;
	wpv_session_get_visible(band->session, &band->begin, &band->end);
	band->grab = band->overview ? grab_at(band, x) : GRAB_NEW;
	if (!band->overview || band->grab != GRAB_NEW)
		return;
	/* A click beside the window brings it there; a drag from there makes another. */
	half = (band->end - band->begin) / 2;
	wpv_session_show(band->session, time_at(band, x) - half, time_at(band, x) + half,
			 WPV_STEP_ALONE);
}

static void on_drag_update(GtkGestureDrag *gesture, gdouble dx, gdouble dy, WpvBand *band)
{
	WpTime from = time_at(band, band->drag_x), to = time_at(band, band->drag_x + dx);

	if (ABS(dx) < DRAG_MIN)
		return;
	if (!band->overview) {
		gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
		wpv_session_set_selection(band->session, from, to);
		return;
	}
	switch (band->grab) {
	case GRAB_WINDOW:
		wpv_session_show(band->session, band->begin + to - from, band->end + to - from,
				 WPV_STEP_PAN);
		break;
	case GRAB_BEGIN:
		wpv_session_show(band->session, MIN(to, band->end - WPV_VISIBLE_MIN), band->end,
				 WPV_STEP_ZOOM);
		break;
	case GRAB_END:
		wpv_session_show(band->session, band->begin, MAX(to, band->begin + WPV_VISIBLE_MIN),
				 WPV_STEP_ZOOM);
		break;
	case GRAB_NEW:
		wpv_session_show(band->session, MIN(from, to), MAX(from, to), WPV_STEP_ZOOM);
		break;
	case GRAB_NONE:
		break;
	}
}

static void on_drag_end(GtkGestureDrag *gesture, gdouble dx, gdouble dy, WpvBand *band)
{
	band->grab = GRAB_NONE;
}

static void on_motion(WpvBand *band, gdouble x, gdouble y)
{
	Grab grab = band->overview ? grab_at(band, x) : GRAB_NONE;

	gtk_widget_set_cursor_from_name(GTK_WIDGET(band), grab == GRAB_BEGIN || grab == GRAB_END
								  ? "ew-resize"
							  : grab == GRAB_WINDOW ? "grab"
										: NULL);
}

static gboolean on_scroll(GtkEventControllerScroll *controller, gdouble dx, gdouble dy,
			  WpvBand *band)
{
	wpv_session_pan(band->session, (dy != 0 ? dy : dx) * 0.1, WPV_STEP_PAN);
	return GDK_EVENT_STOP;
}

static gboolean on_query_tooltip(GtkWidget *widget, gint x, gint y, gboolean keyboard,
				 GtkTooltip *tooltip, gpointer data)
{
	WpvBand *band = WPV_BAND(widget);
	WpvRowKey none = WPV_ROW_KEY_NONE;
	g_autofree gchar *text = NULL;

	if (keyboard || !wpv_session_get_answer(band->session))
		return FALSE;
	text = wpv_tooltip_text(band->session, none, time_at(band, x), time_at(band, x + 1));
	if (text)
		gtk_tooltip_set_text(tooltip, text);
	return text != NULL;
}

static void wpv_band_dispose(GObject *object)
{
	WpvBand *band = WPV_BAND(object);

	/* From here on nothing that the session tells is listened to. */
	if (band->session)
		g_signal_handlers_disconnect_by_data(band->session, band);
	g_clear_pointer(&band->painter, wpv_painter_free);
	g_clear_object(&band->session);
	G_OBJECT_CLASS(wpv_band_parent_class)->dispose(object);
}

static void wpv_band_class_init(WpvBandClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	G_OBJECT_CLASS(klass)->dispose = wpv_band_dispose;
	widget_class->snapshot = wpv_band_snapshot;
	widget_class->measure = wpv_band_measure;
	gtk_widget_class_set_css_name(widget_class, "band");
	gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void wpv_band_init(WpvBand *band)
{
	GtkGesture *click = gtk_gesture_click_new(), *drag = gtk_gesture_drag_new();
	GtkEventController *motion = gtk_event_controller_motion_new();
	GtkEventController *scroll = gtk_event_controller_scroll_new(
		GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);

	gtk_widget_set_overflow(GTK_WIDGET(band), GTK_OVERFLOW_HIDDEN);
	gtk_widget_set_has_tooltip(GTK_WIDGET(band), TRUE);
	g_signal_connect(band, "query-tooltip", G_CALLBACK(on_query_tooltip), NULL);
	g_signal_connect(click, "pressed", G_CALLBACK(on_pressed), band);
	g_signal_connect(drag, "drag-begin", G_CALLBACK(on_drag_begin), band);
	g_signal_connect(drag, "drag-update", G_CALLBACK(on_drag_update), band);
	g_signal_connect(drag, "drag-end", G_CALLBACK(on_drag_end), band);
	g_signal_connect_swapped(motion, "motion", G_CALLBACK(on_motion), band);
	g_signal_connect(scroll, "scroll", G_CALLBACK(on_scroll), band);
	gtk_widget_add_controller(GTK_WIDGET(band), GTK_EVENT_CONTROLLER(click));
	gtk_widget_add_controller(GTK_WIDGET(band), GTK_EVENT_CONTROLLER(drag));
	gtk_widget_add_controller(GTK_WIDGET(band), motion);
	gtk_widget_add_controller(GTK_WIDGET(band), scroll);
}

static void on_changed(WpvBand *band, guint what)
{
	if (what & WPV_CHANGED_ANSWER && !band->overview) {
		WpvAnswer *answer = wpv_session_get_answer(band->session);

		gtk_accessible_update_property(GTK_ACCESSIBLE(band),
					       GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
					       answer ? wpv_answer_get_sentence(answer) : "", -1);
	}
	gtk_widget_queue_draw(GTK_WIDGET(band));
}

GtkWidget *wpv_band_new(WpvSession *session, gboolean overview)
{
	WpvBand *band = g_object_new(WPV_TYPE_BAND, NULL);
	PangoContext *pango = gtk_widget_get_pango_context(GTK_WIDGET(band));

	band->session = g_object_ref(session);
	band->overview = overview;
	band->painter = wpv_painter_new(session);
	if (!overview)
		wpv_painter_set_pango(band->painter, pango);
	gtk_accessible_update_property(GTK_ACCESSIBLE(band), GTK_ACCESSIBLE_PROPERTY_LABEL,
				       overview ? "Overview" : "Path", -1);
	g_signal_connect_object(session, "changed", G_CALLBACK(on_changed), band,
				G_CONNECT_SWAPPED);
	return GTK_WIDGET(band);
}
