/* SPDX-License-Identifier: MIT */
/*
 * xml.c: see xml-private.h. A line and a blank more of indentation for each element; one with text
 * is on one line. What XML can't hold becomes U+FFFD: control characters, bad UTF-8.
 */
#include "config.h"

#include "export/xml-private.h"

/* How far the element begun last has come. */
typedef enum {
	IN_TAG, /* > is not written yet */
	IN_TEXT,
	IN_ELEMENTS
} State;

struct WpXml {
	WpOut *out; /* borrowed */
	GPtrArray *open; /* owned: names (borrowed) of elements that have begun */
	State state;
};

WpXml *wp_xml_new(WpOut *out)
{
	WpXml *xml = g_new0(WpXml, 1);

	xml->out = out;
	xml->open = g_ptr_array_new();
	xml->state = IN_ELEMENTS;
	wp_out_put(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	return xml;
}

void wp_xml_free(WpXml *xml)
{
	while (xml->open->len)
		wp_xml_end(xml);
	g_ptr_array_unref(xml->open);
	g_free(xml);
}

void wp_xml_begin(WpXml *xml, const gchar *element)
{
	if (xml->state == IN_TAG)
		wp_out_put(xml->out, ">\n");
	wp_out_repeat(xml->out, " ", xml->open->len);
	wp_out_putc(xml->out, '<');
	wp_out_put(xml->out, element);
	g_ptr_array_add(xml->open, (gpointer)element);
	xml->state = IN_TAG;
}

/* What stands for c, NULL: itself. A reader would take blanks of an attribute for spaces. */
static const gchar *stand_in(gunichar c, gboolean in_attribute)
{
	switch (c) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '"':
		return "&quot;";
	case '\t':
		return in_attribute ? "&#9;" : NULL;
	case '\n':
		return in_attribute ? "&#10;" : NULL;
	default:
		return c < 0x20 || c == 0xfffe || c == 0xffff ? "\357\277\275" : NULL;
	}
}

static void put_text(WpXml *xml, const gchar *text, gboolean in_attribute)
{
	g_autofree gchar *valid = g_utf8_make_valid(text, -1);
	const gchar *begin = valid, *next;

	for (const gchar *at = valid; *at; at = next) {
		const gchar *instead = stand_in(g_utf8_get_char(at), in_attribute);

		next = g_utf8_next_char(at);
		if (!instead)
			continue;
		wp_out_put_len(xml->out, begin, (gsize)(at - begin));
		wp_out_put(xml->out, instead);
		begin = next;
	}
	wp_out_put(xml->out, begin);
}

void wp_xml_attribute(WpXml *xml, const gchar *name, const gchar *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree gchar *text = g_strdup_vprintf(format, args);
	va_end(args);

	wp_out_putc(xml->out, ' ');
	wp_out_put(xml->out, name);
	wp_out_put(xml->out, "=\"");
	put_text(xml, text, TRUE);
	wp_out_putc(xml->out, '"');
}

void wp_xml_text(WpXml *xml, const gchar *text)
{
	if (xml->state == IN_TAG)
		wp_out_putc(xml->out, '>');
	xml->state = IN_TEXT;
	put_text(xml, text, FALSE);
}

void wp_xml_end(WpXml *xml)
{
	const gchar *element = g_ptr_array_steal_index(xml->open, xml->open->len - 1);

	if (xml->state == IN_TAG) {
		wp_out_put(xml->out, "/>\n");
	} else {
		if (xml->state == IN_ELEMENTS)
			wp_out_repeat(xml->out, " ", xml->open->len);
		wp_out_put(xml->out, "</");
		wp_out_put(xml->out, element);
		wp_out_put(xml->out, ">\n");
	}
	xml->state = IN_ELEMENTS;
}
