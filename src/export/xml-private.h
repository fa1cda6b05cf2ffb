/* SPDX-License-Identifier: MIT */
/* xml-private.h: XML written as a stream onto a WpOut. */
#ifndef WP_EXPORT_XML_PRIVATE_H
#define WP_EXPORT_XML_PRIVATE_H

#include "base/out.h"

G_BEGIN_DECLS

typedef struct WpXml WpXml;

/* Begins a document. */
WpXml *wp_xml_new(WpOut *out);
/* Ends it, and what has not ended yet. */
void wp_xml_free(WpXml *xml);
/* The name is borrowed until the element ends. It may hold elements or text, not both. */
void wp_xml_begin(WpXml *xml, const gchar *element);
/* Of the element begun last, before its text. */
void wp_xml_attribute(WpXml *xml, const gchar *name, const gchar *format, ...) G_GNUC_PRINTF(3, 4);
void wp_xml_text(WpXml *xml, const gchar *text);
void wp_xml_end(WpXml *xml);

G_END_DECLS

#endif
