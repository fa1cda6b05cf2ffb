/* SPDX-License-Identifier: MIT */
/* xml.c: see xml-private.h. What XML can't hold becomes U+FFFD: control characters, bad UTF-8. */
#include "config.h"

#include <libxml/xmlwriter.h>

#include "export/xml-private.h"

struct WpXml {
	xmlTextWriterPtr writer; /* owned */
	WpOut *out; /* borrowed */
};

static int on_write(void *context, const char *bytes, int n)
{
	wp_out_put_len(context, bytes, (gsize)n);
	return n;
}

static int on_close(void *context)
{
	(void)context;
	return 0;
}

WpXml *wp_xml_new(WpOut *out)
{
	WpXml *xml = g_new0(WpXml, 1);

	xml->out = out;
	/* Both allocate little; without memory GLib would have ended us already. */
	xml->writer = xmlNewTextWriter(xmlOutputBufferCreateIO(on_write, on_close, out, NULL));
	g_assert(xml->writer);
	xmlTextWriterSetIndent(xml->writer, 1);
	xmlTextWriterStartDocument(xml->writer, NULL, "UTF-8", NULL);
	return xml;
}

void wp_xml_free(WpXml *xml)
{
	xmlTextWriterEndDocument(xml->writer);
	xmlFreeTextWriter(xml->writer);
	g_free(xml);
}

void wp_xml_begin(WpXml *xml, const gchar *element)
{
	xmlTextWriterStartElement(xml->writer, BAD_CAST element);
}

/* Owned by the caller. */
static gchar *dup_clean(const gchar *text)
{
	g_autoptr(GString) clean = g_string_new(NULL);
	g_autofree gchar *valid = g_utf8_make_valid(text, -1);

	for (const gchar *at = valid; *at; at = g_utf8_next_char(at)) {
		gunichar c = g_utf8_get_char(at);

		if ((c < 0x20 && c != '\t' && c != '\n') || c == 0xfffe || c == 0xffff)
			c = 0xfffd;
		g_string_append_unichar(clean, c);
	}
	return g_string_free(g_steal_pointer(&clean), FALSE);
}

void wp_xml_attribute(WpXml *xml, const gchar *name, const gchar *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree gchar *text = g_strdup_vprintf(format, args);
	va_end(args);
	g_autofree gchar *clean = dup_clean(text);

	xmlTextWriterWriteAttribute(xml->writer, BAD_CAST name, BAD_CAST clean);
}

void wp_xml_text(WpXml *xml, const gchar *text)
{
	g_autofree gchar *clean = dup_clean(text);

	xmlTextWriterWriteString(xml->writer, BAD_CAST clean);
}

void wp_xml_end(WpXml *xml)
{
	xmlTextWriterEndElement(xml->writer);
}
