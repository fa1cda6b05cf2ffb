/* SPDX-License-Identifier: MIT */
/*
 * wpv-export.c: a widget's render nodes, drawn by Cairo: into pixels or, since nodes are
 * vectors, into an SVG.
 */
#include "config.h"

#include <cairo-svg.h>

#include "base/error.h"
#include "base/out.h"
#include "base/whole-file.h"
#include "viewer/view/wpv-export.h"

GskRenderNode *wpv_export_dup_node(GtkWidget *widget)
{
	g_autoptr(GdkPaintable) paintable = gtk_widget_paintable_new(widget);
	GtkSnapshot *snapshot = gtk_snapshot_new();
	GskRenderNode *node;

	gdk_paintable_snapshot(paintable, snapshot, gtk_widget_get_width(widget),
			       gtk_widget_get_height(widget));
	node = gtk_snapshot_free_to_node(snapshot);
	if (node)
		return node;
	/* It is about to be drawn anew: done here, but for its own background. */
	snapshot = gtk_snapshot_new();
	GTK_WIDGET_GET_CLASS(widget)->snapshot(widget, snapshot);
	return gtk_snapshot_free_to_node(snapshot);
}

static void draw(cairo_t *cr, GskRenderNode *node, const GdkRGBA *background)
{
	gdk_cairo_set_source_rgba(cr, background);
	cairo_paint(cr);
	if (node)
		gsk_render_node_draw(node, cr);
}

static gboolean check(cairo_status_t status, const gchar *path, GError **error)
{
	if (status == CAIRO_STATUS_SUCCESS)
		return TRUE;
	g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "The picture %s cannot be written: %s.", path,
		    cairo_status_to_string(status));
	return FALSE;
}

/* An error sticks to the output, and is asked for at the end. */
static cairo_status_t put(void *out, const unsigned char *bytes, unsigned int n)
{
	wp_out_put_len(out, (const gchar *)bytes, n);
	return CAIRO_STATUS_SUCCESS;
}

/* Draws on the surface, which is taken, writes it as a PNG unless png is NULL, reports. */
static gboolean draw_on(cairo_surface_t *surface, GtkWidget *widget, const GdkRGBA *background,
			WpOut *png, const gchar *path, GError **error)
{
	cairo_status_t status = cairo_surface_status(surface);
	GskRenderNode *node = wpv_export_dup_node(widget);
	cairo_t *cr;

	if (status == CAIRO_STATUS_SUCCESS) {
		cr = cairo_create(surface);
		draw(cr, node, background);
		status = cairo_status(cr);
		cairo_destroy(cr);
	}
	g_clear_pointer(&node, gsk_render_node_unref);
	if (status == CAIRO_STATUS_SUCCESS && png)
		status = cairo_surface_write_to_png_stream(surface, put, png);
	cairo_surface_finish(surface);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_status(surface);
	cairo_surface_destroy(surface);
	return check(status, path, error);
}

/* The picture appears under its name when it is complete. */
static gboolean finish(WpWholeFile *whole, WpOut *out, GError **error)
{
	return wp_out_finish(out, error) && wp_whole_file_commit(whole, FALSE, error);
}

gboolean wpv_export_png(GtkWidget *widget, const GdkRGBA *background, const gchar *path,
			GError **error)
{
	g_autoptr(WpWholeFile) whole = wp_whole_file_new(path, error);
	g_autoptr(WpOut) out = whole ? wp_out_new_fd(wp_whole_file_get_fd(whole)) : NULL;
	gint scale = gtk_widget_get_scale_factor(widget);
	cairo_surface_t *surface;

	if (!whole)
		return FALSE;
	surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32,
					     MAX(gtk_widget_get_width(widget), 1) * scale,
					     MAX(gtk_widget_get_height(widget), 1) * scale);
	cairo_surface_set_device_scale(surface, scale, scale);
	return draw_on(surface, widget, background, out, path, error) && finish(whole, out, error);
}

gboolean wpv_export_svg(GtkWidget *widget, const GdkRGBA *background, const gchar *path,
			GError **error)
{
	g_autoptr(WpWholeFile) whole = wp_whole_file_new(path, error);
	g_autoptr(WpOut) out = whole ? wp_out_new_fd(wp_whole_file_get_fd(whole)) : NULL;
	cairo_surface_t *surface;

	if (!whole)
		return FALSE;
	surface = cairo_svg_surface_create_for_stream(put, out,
						      MAX(gtk_widget_get_width(widget), 1),
						      MAX(gtk_widget_get_height(widget), 1));
	return draw_on(surface, widget, background, NULL, path, error) && finish(whole, out, error);
}
