/* SPDX-License-Identifier: MIT */
/*
 * layout-xml.c: a user's layout file, by libxml2: parsed, validated against layouts.xsd, and turned
 * into the list of elements that layout.c makes rules of.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <glib/gstdio.h>
#include <libxml/parser.h>
#include <libxml/xmlschemas.h>

#include "base/error.h"
#include "base/late-library.h"
#include "event/layout-elements.h"
#include "event/layouts-schema.h"

#define LAYOUT_FILE_MAX (1024 * 1024)

#define XML_FUNCTIONS(F)                                                                           \
	F(xmlCtxtGetLastError)                                                                     \
	F(xmlCtxtReadMemory)                                                                       \
	F(xmlDocGetRootElement)                                                                    \
	F(xmlFreeDoc)                                                                              \
	F(xmlFreeParserCtxt)                                                                       \
	F(xmlGetLineNo)                                                                            \
	F(xmlInitParser)                                                                           \
	F(xmlNewParserCtxt)                                                                        \
	F(xmlSchemaFree)                                                                           \
	F(xmlSchemaFreeParserCtxt)                                                                 \
	F(xmlSchemaFreeValidCtxt)                                                                  \
	F(xmlSchemaNewMemParserCtxt)                                                               \
	F(xmlSchemaNewValidCtxt)                                                                   \
	F(xmlSchemaParse)                                                                          \
	F(xmlSchemaSetParserStructuredErrors)                                                      \
	F(xmlSchemaSetValidStructuredErrors)                                                       \
	F(xmlSchemaValidateDoc)
WP_LATE_FUNCTIONS(XmlFunctions, get_xml, XML_FUNCTIONS, WP_SONAME_XML, "libxml2", "An event layout")

/* The first complaint of libxml2 about one document. */
typedef struct {
	gchar *text; /* owned */
	gint line;
} Complaint;

static void complain(void *data, xmlErrorPtr xml_error)
{
	Complaint *complaint = data;

	if (complaint->text || !xml_error || !xml_error->message)
		return;
	complaint->text = g_strchomp(g_strdup(xml_error->message));
	complaint->line = xml_error->line;
}

/* At most LAYOUT_FILE_MAX + 1 bytes, whatever kind of file it is; NULL with an error. */
static gchar *read_file(const gchar *path, gsize *ret_size, GError **error)
{
	g_autofree gchar *text = g_malloc(LAYOUT_FILE_MAX + 1);
	FILE *file = g_fopen(path, "rbe");
	gint saved;

	if (file) {
		*ret_size = fread(text, 1, LAYOUT_FILE_MAX + 1, file);
		saved = ferror(file) ? errno : 0;
		fclose(file);
		if (!saved)
			return g_steal_pointer(&text);
		errno = saved;
	}
	g_set_error(error, WP_ERROR, WP_ERROR_USAGE, "Can't read the event layout %s: %s.", path,
		    g_strerror(errno));
	return NULL;
}

/* Whether document conforms to the schema; the first complaint otherwise. */
static gboolean validate(const XmlFunctions *xml, xmlDoc *document, Complaint *complaint)
{
	xmlSchemaParserCtxt *parser = xml->xmlSchemaNewMemParserCtxt(
		layouts_schema, (gint)sizeof(layouts_schema) - 1);
	xmlSchema *schema = NULL;
	xmlSchemaValidCtxt *validator = NULL;
	gboolean valid = FALSE;

	if (parser) {
		xml->xmlSchemaSetParserStructuredErrors(parser, complain, complaint);
		schema = xml->xmlSchemaParse(parser);
		xml->xmlSchemaFreeParserCtxt(parser);
	}
	if (schema)
		validator = xml->xmlSchemaNewValidCtxt(schema);
	if (validator) {
		xml->xmlSchemaSetValidStructuredErrors(validator, complain, complaint);
		valid = xml->xmlSchemaValidateDoc(validator, document) == 0;
		xml->xmlSchemaFreeValidCtxt(validator);
	}
	xml->xmlSchemaFree(schema);
	return valid;
}

/* Without network, external entities and a document type; NULL with a complaint. */
static xmlDoc *parse(const XmlFunctions *xml, const gchar *text, gsize size, const gchar *path,
		     Complaint *complaint)
{
	xmlParserCtxt *parser = xml->xmlNewParserCtxt();
	xmlDoc *document = NULL;

	if (!parser)
		return NULL;
	document = xml->xmlCtxtReadMemory(parser, text, (gint)size, path, NULL,
					  XML_PARSE_NONET | XML_PARSE_NOERROR |
						  XML_PARSE_NOWARNING | XML_PARSE_COMPACT);
	if (!document)
		complain(complaint, xml->xmlCtxtGetLastError(parser));
	xml->xmlFreeParserCtxt(parser);
	if (document && document->intSubset) {
		complaint->text = g_strdup("a layout has no document type declaration");
		complaint->line = 1;
		g_clear_pointer(&document, xml->xmlFreeDoc);
	}
	return document;
}

/* Which of the names it is, n when none. */
static guint find_name(const xmlChar *name, const gchar *const *names, guint n)
{
	for (guint i = 0; i < n; i++)
		if (g_str_equal((const gchar *)name, names[i]))
			return i;
	return n;
}

/*
 * Adds an attribute's value to texts and returns where it begins. All but the value of a constant
 * are tokens, around which blanks mean nothing.
 */
static guint32 add_value(const xmlAttr *attribute, WpAttribute which, GString *texts)
{
	const gsize begin = texts->len;

	/* Without a document type there are no entities: a value is text. */
	for (const xmlNode *part = attribute->children; part; part = part->next)
		if (part->type == XML_TEXT_NODE)
			g_string_append(texts, (const gchar *)part->content);
	if (which != WP_ATTRIBUTE_VALUE) {
		g_strstrip(texts->str + begin);
		texts->len = begin + strlen(texts->str + begin);
	}
	g_string_append_c(texts, '\0');
	return (guint32)begin;
}

static void add_element(const XmlFunctions *xml, const xmlNode *node, GArray *elements,
			GString *texts)
{
	static const gchar *const names[] = {
		[WP_ELEMENT_CPU] = "cpu",
		[WP_ELEMENT_EVENT] = "event",
		[WP_ELEMENT_SLOT] = "slot",
		[WP_ELEMENT_SLOTS] = "slots",
	};
	static const gchar *const attributes[] = {
		[WP_ATTRIBUTE_AS] = "as",       [WP_ATTRIBUTE_BESIDE] = "beside",
		[WP_ATTRIBUTE_FIELD] = "field", [WP_ATTRIBUTE_KIND] = "kind",
		[WP_ATTRIBUTE_MATCH] = "match", [WP_ATTRIBUTE_NAME] = "name",
		[WP_ATTRIBUTE_SLOTS] = "slots", [WP_ATTRIBUTE_VALUE] = "value",
	};
	WpLayoutElement element = {.element = find_name(node->name, names, WP_ELEMENT_N)};

	G_STATIC_ASSERT(G_N_ELEMENTS(names) == WP_ELEMENT_N);
	G_STATIC_ASSERT(G_N_ELEMENTS(attributes) == WP_ATTRIBUTE_N);
	if (element.element == WP_ELEMENT_N)
		return;
	element.line = (guint)xml->xmlGetLineNo(node);
	for (const xmlAttr *attribute = node->properties; attribute; attribute = attribute->next) {
		guint which = find_name(attribute->name, attributes, WP_ATTRIBUTE_N);

		/* Those of another namespace are notes to other programs. */
		if (which < WP_ATTRIBUTE_N && !attribute->ns)
			element.attributes[which] = add_value(attribute, which, texts);
	}
	g_array_append_val(elements, element);
}

/* What is below the root of a valid document, slots behind what they belong to. */
static void add_elements(const XmlFunctions *xml, const xmlNode *root, GArray *elements,
			 GString *texts)
{
	/* Offset 0 is no text. */
	g_string_append_c(texts, '\0');
	for (const xmlNode *node = root->children; node; node = node->next) {
		if (node->type != XML_ELEMENT_NODE)
			continue;
		add_element(xml, node, elements, texts);
		for (const xmlNode *slot = node->children; slot; slot = slot->next)
			if (slot->type == XML_ELEMENT_NODE)
				add_element(xml, slot, elements, texts);
	}
}

gboolean wp_layout_xml_read(const gchar *path, GArray *elements, GString *texts, GError **error)
{
	gsize size;
	g_autofree gchar *text = read_file(path, &size, error);
	const XmlFunctions *xml;
	Complaint complaint = {NULL, 0};
	xmlDoc *document;
	gboolean ok = FALSE;

	if (!text)
		return FALSE;
	if (size > LAYOUT_FILE_MAX) {
		g_set_error(error, WP_ERROR, WP_ERROR_LIMIT,
			    "%s is longer than 1 MiB, so it is no event layout.", path);
		return FALSE;
	}
	xml = get_xml(error);
	if (!xml)
		return FALSE;
	xml->xmlInitParser();
	document = parse(xml, text, size, path, &complaint);
	if (document && validate(xml, document, &complaint)) {
		add_elements(xml, xml->xmlDocGetRootElement(document), elements, texts);
		ok = TRUE;
	} else {
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE, "%s, line %d: %s%s", path,
			    complaint.line, complaint.text ? complaint.text : "no valid layout",
			    complaint.text && g_str_has_suffix(complaint.text, ".") ? "" : ".");
	}
	if (document)
		xml->xmlFreeDoc(document);
	g_free(complaint.text);
	return ok;
}
