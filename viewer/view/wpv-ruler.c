/* SPDX-License-Identifier: MIT */
/* wpv-ruler.c: ticks at round times, with labels where there is room. */
#include "config.h"

#include "export/units.h"
#include "viewer/view/wpv-painter.h"
#include "viewer/view/wpv-ruler.h"

#define LABEL_ROOM 110 /* pixels between labels at least */
#define HEIGHT 24
#define DRAG_MIN 4
#define NAME_WIDTH 160 /* pixels of a bookmark's name */

struct _WpvRuler {
	GtkWidget parent;
	WpvSession *session; /* reference */
	PangoLayout *layout; /* owned */
	gboolean absolute;
	WpTime drag_from;
};

G_DEFINE_FINAL_TYPE(WpvRuler, wpv_ruler, GTK_TYPE_WIDGET)

WpTime wpv_ruler_step(WpTime at_least)
{
	WpTime power = 1;

	while (power < G_MAXINT64 / 20 && power * 10 <= at_least)
		power *= 10;
	if (power >= at_least)
		return power;
	if (power * 2 >= at_least)
		return power * 2;
	return power * (power * 5 >= at_least ? 5 : 10);
}

/* Decimals that a unit needs for multiples of step to differ. */
static guint decimals_for(WpTime step, WpTime unit)
{
	guint decimals = 0;

	while (unit > 1 && step % unit) {
		unit /= 10;
		decimals++;
	}
	return decimals;
}

static gchar *relative_label(WpTime offset, WpTime step)
{
	static const struct {
		WpTime ns;
		const gchar *name;
	} units[] = {{WP_NS_PER_S, "s"}, {WP_NS_PER_MS, "ms"}, {WP_NS_PER_US, "us"}, {1, "ns"}};
	WpTime size = MAX(ABS(offset), step);
	guint u = 0;

	while (u + 1 < G_N_ELEMENTS(units) && size < units[u].ns)
		u++;

	guint decimals = decimals_for(step, units[u].ns);
	WpTime whole = ABS(offset) / units[u].ns, part = ABS(offset) % units[u].ns;
	const gchar *sign = offset < 0 ? "-" : "";

	for (WpTime scale = units[u].ns, i = decimals; scale > 1; scale /= 10, i--)
		if (i <= 0)
			part /= 10;
	if (decimals == 0)
		return g_strdup_printf("%s%" G_GINT64_FORMAT " %s", sign, whole, units[u].name);
	return g_strdup_printf("%s%" G_GINT64_FORMAT ".%0*" G_GINT64_FORMAT " %s", sign, whole,
			       (gint)decimals, part, units[u].name);
}

gchar *wpv_ruler_dup_label(WpTime time, WpTime origin, WpTime step, gboolean absolute)
{
	guint decimals = decimals_for(step, WP_NS_PER_S);
	WpText text;

	if (!absolute)
		return relative_label(time - origin, step);
	/* "09:00:49.100000000": cut behind the decimals that matter. */
	return g_strndup(wp_clock_text(&text, time), decimals ? 9 + decimals : 8);
}

WpTime wpv_session_get_origin(WpvSession *session)
{
	WpvAnswer *answer = wpv_session_get_answer(session);
	WpTime origin = 0, unused;

	if (answer)
		return wpv_answer_get_path(answer)->begin;
	if (wpv_session_get_document(session))
		wpv_document_get_span(wpv_session_get_document(session), &origin, &unused);
	return origin;
}

static void get_viewport(WpvRuler *ruler, WpvViewport *viewport)
{
	*viewport = (WpvViewport){.width = MAX(gtk_widget_get_width(GTK_WIDGET(ruler)), 1),
				  .height = gtk_widget_get_height(GTK_WIDGET(ruler)),
				  .scale = gtk_widget_get_scale_factor(GTK_WIDGET(ruler))};
	wpv_session_get_visible(ruler->session, &viewport->begin, &viewport->end);
}

static void draw_tick(WpvRuler *ruler, GtkSnapshot *snapshot, const WpvViewport *viewport,
		      WpTime time, const gchar *label)
{
	WpvStyle *style = wpv_session_get_style(ruler->session);
	gdouble x = wpv_viewport_x(viewport, time);
	gint height = label ? 8 : 4;

	gtk_snapshot_append_color(snapshot, wpv_colour(style, WPV_COLOUR_FAINT),
				  &GRAPHENE_RECT_INIT((float)(gint)x,
						      (float)(viewport->height - height), 1,
						      (float)height));
	if (!label)
		return;
	pango_layout_set_text(ruler->layout, label, -1);
	gtk_snapshot_save(snapshot);
	gtk_snapshot_translate(snapshot, &GRAPHENE_POINT_INIT((float)(gint)x + 4, 2));
	gtk_snapshot_append_layout(snapshot, ruler->layout, wpv_colour(style, WPV_COLOUR_TEXT));
	gtk_snapshot_restore(snapshot);
}

/* A flag with the bookmark's name, over the labels of times. */
static void draw_bookmark(WpvRuler *ruler, GtkSnapshot *snapshot, const WpvViewport *viewport,
			  const WpvBookmark *bookmark)
{
	WpvStyle *style = wpv_session_get_style(ruler->session);
	gdouble x = wpv_viewport_x(viewport, bookmark->time);
	gint width, height;

	if (x < -NAME_WIDTH || x > viewport->width)
		return;
	pango_layout_set_text(ruler->layout, bookmark->name, -1);
	pango_layout_set_width(ruler->layout, NAME_WIDTH * PANGO_SCALE);
	pango_layout_set_ellipsize(ruler->layout, PANGO_ELLIPSIZE_END);
	pango_layout_get_pixel_size(ruler->layout, &width, &height);
	gtk_snapshot_append_color(snapshot, wpv_colour(style, WPV_COLOUR_MARK),
				  &GRAPHENE_RECT_INIT((float)(gint)x, 1,
						      (float)(*bookmark->name ? width + 8 : 6),
						      (float)height));
	gtk_snapshot_append_color(
		snapshot, wpv_colour(style, WPV_COLOUR_MARK),
		&GRAPHENE_RECT_INIT((float)(gint)x, 1, 1, (float)viewport->height - 1));
	gtk_snapshot_save(snapshot);
	gtk_snapshot_translate(snapshot, &GRAPHENE_POINT_INIT((float)(gint)x + 4, 1));
	gtk_snapshot_append_layout(snapshot, ruler->layout,
				   wpv_colour(style, WPV_COLOUR_BACKGROUND));
	gtk_snapshot_restore(snapshot);
	pango_layout_set_width(ruler->layout, -1);
}

static void wpv_ruler_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
	WpvRuler *ruler = WPV_RULER(widget);
	WpTime origin = wpv_session_get_origin(ruler->session), step, first;
	const GArray *bookmarks;
	WpvViewport viewport;

	if (!wpv_session_get_document(ruler->session))
		return;
	get_viewport(ruler, &viewport);
	gtk_snapshot_append_color(
		snapshot, wpv_colour(wpv_session_get_style(ruler->session), WPV_COLOUR_LINE),
		&GRAPHENE_RECT_INIT(0, (float)(viewport.height - 1), (float)viewport.width, 1));
	step = wpv_ruler_step((viewport.end - viewport.begin) * LABEL_ROOM / viewport.width + 1);
	if (ruler->absolute)
		origin = 0;
	/* The last tick before what is visible, so that its label can reach into it. */
	first = viewport.begin - ((viewport.begin - origin) % step + step) % step;
	for (WpTime time = first; time < viewport.end; time += step) {
		g_autofree gchar *label = wpv_ruler_dup_label(time, origin, step, ruler->absolute);

		draw_tick(ruler, snapshot, &viewport, time, label);
		for (guint i = 1; i < 5 && step % 5 == 0; i++)
			draw_tick(ruler, snapshot, &viewport, time + step / 5 * i, NULL);
	}
	bookmarks = wpv_session_get_bookmarks(ruler->session);
	for (guint i = 0; i < bookmarks->len; i++)
		draw_bookmark(ruler, snapshot, &viewport,
			      &g_array_index(bookmarks, WpvBookmark, i));
}

static void wpv_ruler_measure(GtkWidget *widget, GtkOrientation orientation, int for_size,
			      int *minimum, int *natural, int *minimum_baseline,
			      int *natural_baseline)
{
	*minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 100 : HEIGHT;
}

static void wpv_ruler_dispose(GObject *object)
{
	WpvRuler *ruler = WPV_RULER(object);

	/* From here on nothing that the session tells is listened to. */
	if (ruler->session)
		g_signal_handlers_disconnect_by_data(ruler->session, ruler);
	g_clear_object(&ruler->layout);
	g_clear_object(&ruler->session);
	G_OBJECT_CLASS(wpv_ruler_parent_class)->dispose(object);
}

static void wpv_ruler_class_init(WpvRulerClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	G_OBJECT_CLASS(klass)->dispose = wpv_ruler_dispose;
	widget_class->snapshot = wpv_ruler_snapshot;
	widget_class->measure = wpv_ruler_measure;
	gtk_widget_class_set_css_name(widget_class, "ruler");
	gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static WpTime time_at(WpvRuler *ruler, gdouble x)
{
	WpvViewport viewport;

	get_viewport(ruler, &viewport);
	return wpv_viewport_time(&viewport, x);
}

static void on_pressed(GtkGestureClick *gesture, gint n_press, gdouble x, gdouble y,
		       WpvRuler *ruler)
{
	if (n_press == 2)
		wpv_session_show_all(ruler->session);
	else
		wpv_session_set_cursor(ruler->session, time_at(ruler, x));
}

static void on_drag_begin(GtkGestureDrag *gesture, gdouble x, gdouble y, WpvRuler *ruler)
{
	ruler->drag_from = time_at(ruler, x);
}

static void on_drag_update(GtkGestureDrag *gesture, gdouble dx, gdouble dy, WpvRuler *ruler)
{
	gdouble x, y;

	if (ABS(dx) < DRAG_MIN || !gtk_gesture_drag_get_start_point(gesture, &x, &y))
		return;
	gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
	wpv_session_set_selection(ruler->session, ruler->drag_from, time_at(ruler, x + dx));
}

static void wpv_ruler_init(WpvRuler *ruler)
{
	GtkGesture *click = gtk_gesture_click_new(), *drag = gtk_gesture_drag_new();
	PangoAttrList *attributes = pango_attr_list_new();

	ruler->layout = gtk_widget_create_pango_layout(GTK_WIDGET(ruler), NULL);
	pango_attr_list_insert(attributes, pango_attr_scale_new(0.85));
	pango_layout_set_attributes(ruler->layout, attributes);
	pango_attr_list_unref(attributes);
	gtk_widget_set_overflow(GTK_WIDGET(ruler), GTK_OVERFLOW_HIDDEN);
	g_signal_connect(click, "pressed", G_CALLBACK(on_pressed), ruler);
	g_signal_connect(drag, "drag-begin", G_CALLBACK(on_drag_begin), ruler);
	g_signal_connect(drag, "drag-update", G_CALLBACK(on_drag_update), ruler);
	gtk_widget_add_controller(GTK_WIDGET(ruler), GTK_EVENT_CONTROLLER(click));
	gtk_widget_add_controller(GTK_WIDGET(ruler), GTK_EVENT_CONTROLLER(drag));
}

static void on_changed(WpvRuler *ruler, guint what)
{
	if (what & (WPV_CHANGED_VISIBLE | WPV_CHANGED_DOCUMENT | WPV_CHANGED_ANSWER |
		    WPV_CHANGED_STYLE | WPV_CHANGED_MARKS))
		gtk_widget_queue_draw(GTK_WIDGET(ruler));
}

GtkWidget *wpv_ruler_new(WpvSession *session)
{
	WpvRuler *ruler = g_object_new(WPV_TYPE_RULER, NULL);

	ruler->session = g_object_ref(session);
	g_signal_connect_object(session, "changed", G_CALLBACK(on_changed), ruler,
				G_CONNECT_SWAPPED);
	return GTK_WIDGET(ruler);
}

gboolean wpv_ruler_get_absolute(WpvRuler *ruler)
{
	return ruler->absolute;
}

void wpv_ruler_set_absolute(WpvRuler *ruler, gboolean absolute)
{
	ruler->absolute = !!absolute;
	gtk_widget_queue_draw(GTK_WIDGET(ruler));
}
