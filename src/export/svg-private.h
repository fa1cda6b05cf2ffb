/* SPDX-License-Identifier: MIT */
/* svg-private.h: what the two pictures share: frame, boxes with words, legend. */
#ifndef WP_EXPORT_SVG_PRIVATE_H
#define WP_EXPORT_SVG_PRIVATE_H

#include "base/types.h"
#include "export/xml-private.h"

G_BEGIN_DECLS

#define WP_SVG_WIDTH 1200
#define WP_SVG_MARGIN 10
#define WP_SVG_ROW 20 /* of boxes and lines of text */
#define WP_SVG_LEGEND_COLUMNS 11
#define WP_SVG_LETTER 6.7 /* width of one, at most */

/* Begins a picture of that height with a title. */
WpXml *wp_svg_new(WpOut *out, guint height, const gchar *title);
/*
 * A box with its words in it, as far as they fit, and a tooltip; all in pixels. colour is
 * "#rrggbb".
 */
void wp_svg_box(WpXml *xml, gdouble x, gdouble y, gdouble width, gdouble height,
		const gchar *colour, const gchar *words, const gchar *tooltip);
void wp_svg_words(WpXml *xml, gdouble x, gdouble y, const gchar *words);
void wp_svg_line(WpXml *xml, gdouble x1, gdouble y1, gdouble x2, gdouble y2, gdouble width);
/* The colours of the states that have a bit in the mask. */
void wp_svg_legend(WpXml *xml, gdouble y, guint32 states);
void wp_svg_free(WpXml *xml);

G_END_DECLS

#endif
