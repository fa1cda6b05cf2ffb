/* SPDX-License-Identifier: MIT */
/* wpv-application.c: see wpv-application.h; a picture is taken when nothing moves any more. */
#include "config.h"

#include "viewer/view/wpv-application.h"
#include "viewer/view/wpv-export.h"
#include "viewer/wpv-resource.h"

#define RESIZES_MAX 4 /* a window manager may have its own mind */
#define STYLE "/org/waitpath/Viewer/wpv-style.css"

struct _WpvApplication {
	GtkApplication parent;
	WpvLoader *loader; /* reference, NULL */
	WpvWindow *window; /* weak, NULL */
	gchar *render_path; /* owned, NULL */
	gint width, height;
	gboolean dark;
	guint settled; /* frames since the window is */
	guint n_resized;
	gboolean has_picture;
	gchar *error; /* owned, NULL */
};

G_DEFINE_FINAL_TYPE(WpvApplication, wpv_application, GTK_TYPE_APPLICATION)

/* Keys with the focus anywhere; those of the timeline alone are in wpv-canvas.c. */
static const struct {
	const gchar *action, *keys[3];
} keys[] = {
	{"win.open-folder", {"<Control>o", NULL}},
	{"win.open", {"<Control><Shift>o", NULL}},
	{"win.reload", {"<Control>r", "F5", NULL}},
	{"win.search", {"<Control>f", NULL}},
	{"win.show-all", {"<Control>Home", NULL}},
	{"win.show-path", {"<Control>End", NULL}},
	{"win.undo", {"<Alt>Left", NULL}},
	{"win.redo", {"<Alt>Right", NULL}},
	{"win.row-height(0)", {"<Control>0", NULL}},
	{"win.bookmark", {"<Control>b", NULL}},
	{"win.toggle-arrows", {"<Control>j", NULL}},
	{"win.table", {"F6", NULL}},
	{"win.fullscreen", {"F11", NULL}},
	{"win.copy-answer", {"<Control><Shift>c", NULL}},
	{"win.show-help-overlay", {"<Control>question", NULL}},
	{"window.close", {"<Control>w", "<Control>q", NULL}},
};

static void add_style(void)
{
	g_autoptr(GtkCssProvider) provider = gtk_css_provider_new();

	gtk_css_provider_load_from_resource(provider, STYLE);
	gtk_style_context_add_provider_for_display(gdk_display_get_default(),
						   GTK_STYLE_PROVIDER(provider),
						   GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

static void wpv_application_startup(GApplication *application)
{
	wpv_register_resource();
	G_APPLICATION_CLASS(wpv_application_parent_class)->startup(application);
	/* Texts that can be copied are not marked before somebody marks them. */
	g_object_set(gtk_settings_get_default(), "gtk-label-select-on-focus", FALSE, NULL);
	add_style();
	gtk_window_set_default_icon_name("org.waitpath.Viewer");
	for (guint i = 0; i < G_N_ELEMENTS(keys); i++)
		gtk_application_set_accels_for_action(GTK_APPLICATION(application), keys[i].action,
						      keys[i].keys);
}

/* ---- a picture ---- */

static void fail(WpvApplication *self, const gchar *text)
{
	g_free(self->error);
	self->error = g_strdup(text);
}

static gboolean take_picture(gpointer data)
{
	WpvApplication *self = data;
	WpvSession *session = wpv_window_get_session(self->window);
	GtkStack *pages = GTK_STACK(wpv_window_get_part(self->window, "pages"));
	g_autoptr(GError) error = NULL;

	if (g_str_equal(gtk_stack_get_visible_child_name(pages), "error"))
		fail(self, gtk_label_get_text(
				   GTK_LABEL(wpv_window_get_part(self->window, "error_label"))));
	else if (wpv_export_png(GTK_WIDGET(self->window),
				wpv_colour(wpv_session_get_style(session), WPV_COLOUR_BACKGROUND),
				self->render_path, &error))
		self->has_picture = TRUE;
	else
		fail(self, error->message);
	gtk_window_destroy(GTK_WINDOW(self->window));
	return G_SOURCE_REMOVE;
}

/* A frame around the window takes of the size that was asked for. FALSE: it has that size. */
static gboolean resize(WpvApplication *self)
{
	gint dx = self->width - gtk_widget_get_width(GTK_WIDGET(self->window));
	gint dy = self->height - gtk_widget_get_height(GTK_WIDGET(self->window));
	gint width, height;

	if (dx == 0 && dy == 0)
		return FALSE;
	gtk_window_get_default_size(GTK_WINDOW(self->window), &width, &height);
	gtk_window_set_default_size(GTK_WINDOW(self->window), width + dx, height + dy);
	return TRUE;
}

/* Some frames after all is there: layout follows content, and tables fill late. */
static gboolean on_tick(GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
	WpvApplication *self = data;

	self->settled = wpv_window_is_settled(self->window) ? self->settled + 1 : 0;
	if (self->settled == 6 && self->n_resized < RESIZES_MAX && resize(self)) {
		self->n_resized++;
		self->settled = 0;
	}
	if (self->settled < 12)
		return G_SOURCE_CONTINUE;
	/* When this frame has been drawn, since what waits to be drawn has no picture. */
	g_idle_add(take_picture, self);
	return G_SOURCE_REMOVE;
}

static void prepare_picture(WpvApplication *self)
{
	g_object_set(gtk_settings_get_default(), "gtk-enable-animations", FALSE, NULL);
	wpv_window_set_scheme(self->window, self->dark ? WPV_SCHEME_DARK : WPV_SCHEME_LIGHT);
	gtk_window_set_default_size(GTK_WINDOW(self->window), self->width, self->height);
	gtk_widget_add_tick_callback(GTK_WIDGET(self->window), on_tick, self, NULL);
}

static void wpv_application_activate(GApplication *application)
{
	WpvApplication *self = WPV_APPLICATION(application);

	g_set_weak_pointer(&self->window,
			   wpv_window_new(GTK_APPLICATION(application), self->render_path == NULL));
	if (self->render_path)
		prepare_picture(self);
	gtk_window_present(GTK_WINDOW(self->window));
	if (self->loader)
		wpv_window_load(self->window, self->loader);
	g_clear_object(&self->loader);
}

static void wpv_application_finalize(GObject *object)
{
	WpvApplication *self = WPV_APPLICATION(object);

	g_clear_weak_pointer(&self->window);
	g_clear_object(&self->loader);
	g_free(self->render_path);
	g_free(self->error);
	G_OBJECT_CLASS(wpv_application_parent_class)->finalize(object);
}

static void wpv_application_class_init(WpvApplicationClass *klass)
{
	G_OBJECT_CLASS(klass)->finalize = wpv_application_finalize;
	G_APPLICATION_CLASS(klass)->startup = wpv_application_startup;
	G_APPLICATION_CLASS(klass)->activate = wpv_application_activate;
}

static void wpv_application_init(WpvApplication *self)
{
}

WpvApplication *wpv_application_new(WpvLoader *loader)
{
	WpvApplication *self = g_object_new(
		WPV_TYPE_APPLICATION, "application-id", "org.waitpath.Viewer", "flags",
		G_APPLICATION_NON_UNIQUE, "resource-base-path", "/org/waitpath/Viewer", NULL);

	self->loader = loader;
	return self;
}

void wpv_application_set_render(WpvApplication *self, const gchar *path, gint width, gint height,
				gboolean dark)
{
	g_free(self->render_path);
	self->render_path = g_strdup(path);
	self->width = width;
	self->height = height;
	self->dark = dark;
}

gboolean wpv_application_has_picture(WpvApplication *self)
{
	return self->has_picture;
}

const gchar *wpv_application_get_error(WpvApplication *self)
{
	return self->error;
}
