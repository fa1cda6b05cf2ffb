/* SPDX-License-Identifier: MIT */
/*
 * layout-elements.h: a layout file between its XML and its rules: a list of elements in the order
 * of the file, with what their attributes say. Whose child an element is needs no saying: a slot
 * belongs to the <event> or <slots> before it. The built-in layouts are such a list from the
 * start, made from layouts.xml when the library is built; a user's file becomes one when it has
 * been read and validated (layout-xml.c).
 */
#ifndef WP_EVENT_LAYOUT_ELEMENTS_H
#define WP_EVENT_LAYOUT_ELEMENTS_H

#include "event/event.h"

G_BEGIN_DECLS

typedef enum {
	WP_ELEMENT_CPU,
	WP_ELEMENT_EVENT,
	WP_ELEMENT_SLOT,
	WP_ELEMENT_SLOTS,
	WP_ELEMENT_N
} WpElement;

typedef enum {
	WP_ATTRIBUTE_AS,
	WP_ATTRIBUTE_BESIDE,
	WP_ATTRIBUTE_FIELD,
	WP_ATTRIBUTE_KIND,
	WP_ATTRIBUTE_MATCH,
	WP_ATTRIBUTE_NAME,
	WP_ATTRIBUTE_SLOTS,
	WP_ATTRIBUTE_VALUE,
	WP_ATTRIBUTE_N
} WpAttribute;

typedef struct {
	WpElement element;
	guint line; /* in the file, from 1 */
	guint32 attributes[WP_ATTRIBUTE_N]; /* where in the texts its value begins, 0: absent */
} WpLayoutElement;

/*
 * Reads a user's file, which is validated against the schema (no network, no external entities,
 * no document type, at most 1 MiB). Elements (WpLayoutElement) and texts, empty before, get what
 * the file holds, FALSE and nothing when it is refused; the error names file and line.
 */
gboolean wp_layout_xml_read(const gchar *path, GArray *elements, GString *texts, GError **error);

G_END_DECLS

#endif
