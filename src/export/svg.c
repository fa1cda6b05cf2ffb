/* SPDX-License-Identifier: MIT */
/* svg.c: see svg-private.h. */
#include "config.h"

#include "export/svg-private.h"

#define LEGEND_COLUMN 105

/* In hundredths, without regard to the locale. */
static void put_length(WpXml *xml, const gchar *name, gdouble value)
{
	gchar text[G_ASCII_DTOSTR_BUF_SIZE];

	wp_xml_attribute(xml, name, "%s", g_ascii_formatd(text, sizeof(text), "%.2f", value));
}

WpXml *wp_svg_new(WpOut *out, guint height, const gchar *title)
{
	WpXml *xml = wp_xml_new(out);

	wp_xml_begin(xml, "svg");
	wp_xml_attribute(xml, "xmlns", "http://www.w3.org/2000/svg");
	wp_xml_attribute(xml, "width", "%d", WP_SVG_WIDTH);
	wp_xml_attribute(xml, "height", "%u", height);
	wp_xml_attribute(xml, "viewBox", "0 0 %d %u", WP_SVG_WIDTH, height);
	wp_xml_attribute(xml, "font-family", "DejaVu Sans Mono, Liberation Mono, monospace");
	wp_xml_attribute(xml, "font-size", "11");
	wp_xml_begin(xml, "title");
	wp_xml_text(xml, title);
	wp_xml_end(xml);
	wp_xml_begin(xml, "rect");
	wp_xml_attribute(xml, "width", "100%%");
	wp_xml_attribute(xml, "height", "100%%");
	wp_xml_attribute(xml, "fill", "#ffffff");
	wp_xml_end(xml);
	wp_svg_words(xml, WP_SVG_MARGIN, WP_SVG_MARGIN, title);
	return xml;
}

void wp_svg_words(WpXml *xml, gdouble x, gdouble y, const gchar *words)
{
	wp_xml_begin(xml, "text");
	put_length(xml, "x", x);
	put_length(xml, "y", y + WP_SVG_ROW - 6);
	wp_xml_text(xml, words);
	wp_xml_end(xml);
}

/* At most so many characters, with dots where some were cut off. Owned by the caller. */
static gchar *dup_cut(const gchar *words, glong room)
{
	g_autofree gchar *valid = g_utf8_make_valid(words, -1);
	g_autofree gchar *begin = NULL;

	if (g_utf8_strlen(valid, -1) <= room)
		return g_steal_pointer(&valid);
	begin = g_utf8_substring(valid, 0, room - 2);
	return g_strconcat(begin, "..", NULL);
}

void wp_svg_box(WpXml *xml, gdouble x, gdouble y, gdouble width, gdouble height,
		const gchar *colour, const gchar *words, const gchar *tooltip)
{
	glong room = (glong)((width - 6) / WP_SVG_LETTER);

	wp_xml_begin(xml, "g");
	if (tooltip) {
		wp_xml_begin(xml, "title");
		wp_xml_text(xml, tooltip);
		wp_xml_end(xml);
	}
	wp_xml_begin(xml, "rect");
	put_length(xml, "x", x);
	put_length(xml, "y", y);
	put_length(xml, "width", width);
	put_length(xml, "height", height);
	wp_xml_attribute(xml, "fill", "%s", colour);
	wp_xml_end(xml);
	if (words && room >= 3) {
		g_autofree gchar *cut = dup_cut(words, room);

		wp_svg_words(xml, x + 3, y, cut);
	}
	wp_xml_end(xml);
}

void wp_svg_line(WpXml *xml, gdouble x1, gdouble y1, gdouble x2, gdouble y2, gdouble width)
{
	wp_xml_begin(xml, "line");
	put_length(xml, "x1", x1);
	put_length(xml, "y1", y1);
	put_length(xml, "x2", x2);
	put_length(xml, "y2", y2);
	put_length(xml, "stroke-width", width);
	wp_xml_attribute(xml, "stroke", "#000000");
	wp_xml_end(xml);
}

void wp_svg_legend(WpXml *xml, gdouble y, guint32 states)
{
	guint n = 0;

	for (guint state = 0; state < WP_STATE_N; state++) {
		gdouble x = WP_SVG_MARGIN + (gdouble)(n % WP_SVG_LEGEND_COLUMNS) * LEGEND_COLUMN;
		gdouble row = y + (gdouble)(n / WP_SVG_LEGEND_COLUMNS) * WP_SVG_ROW;

		if (!(states >> state & 1u))
			continue;
		wp_svg_box(xml, x, row + 4, 12, 12, wp_state_colour(state, FALSE), NULL, NULL);
		wp_svg_words(xml, x + 16, row, wp_state_key(state));
		n++;
	}
}

void wp_svg_free(WpXml *xml)
{
	wp_xml_end(xml);
	wp_xml_free(xml);
}
