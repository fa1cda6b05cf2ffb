/* SPDX-License-Identifier: MIT */
/*
 * layout.c: event layouts, from XML to rules.
 *
 * Each file becomes a *layer*: its rules by exact event name in a hash table, and
 * its patterns in a list. Layers are asked from the last to the first, so that a
 * user's file wins over the built-in one. What an event name comes to is kept, so
 * that a reader gets the same pointer each time; names whose pattern's match fills
 * a slot get a rule of their own then.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <glib/gstdio.h>
#include <libxml/parser.h>
#include <libxml/xmlschemas.h>

#include "base/error.h"
#include "base/thread.h"
#include "event/layout.h"
#include "event/layouts-resource.h"

#define LAYOUT_FILE_MAX (1024 * 1024)
#define LAYOUT_XML "/waitpath/event/layouts.xml"
#define LAYOUT_XSD "/waitpath/event/layouts.xsd"

/* What to do with the events of one name. */
typedef struct {
	WpLayoutEvent event; /* slots point into the array below */
	GArray *slots; /* owned: WpLayoutSlot */
	gboolean needs_match; /* a slot holds what the pattern's * matched */
} Rule;

typedef struct {
	gchar *prefix, *suffix; /* owned: around the * */
	gsize prefix_length, suffix_length;
	Rule *rule; /* owned by the layer */
} Pattern;

typedef struct {
	GPtrArray *rules; /* owned: Rule */
	GHashTable *exact; /* owned: event name (owned) to Rule (of rules) */
	GArray *patterns; /* owned: Pattern, in the order of the file */
} Layer;

/* What an event name came to. */
typedef struct {
	const WpLayoutEvent *event, *marker; /* of a rule below or of a layer, NULL: nothing */
	Rule *made[2]; /* owned: rules made for this name, NULL */
} Found;

struct WpLayout {
	gint n_refs; /* atomic */
	GPtrArray *layers; /* owned: Layer, later ones win */
	Layer *markers; /* owned */
	GPtrArray *cpu_fields; /* owned: gchar *, ends with NULL */
	GStringChunk *texts; /* owned: constants */
	guint32 left_out[WP_EV_N]; /* slots of each kind that nobody looks at */
	WpMutex mutex; /* guards found and texts while finding */
	GHashTable *found; /* owned: event name to Found */
};

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

static void slot_clear(gpointer data)
{
	WpLayoutSlot *slot = data;

	g_strfreev(slot->paths);
	g_free(slot->beside);
}

static Rule *rule_new(WpEventKind kind)
{
	Rule *rule = g_new0(Rule, 1);

	rule->event.kind = kind;
	rule->slots = g_array_new(FALSE, TRUE, sizeof(WpLayoutSlot));
	g_array_set_clear_func(rule->slots, slot_clear);
	return rule;
}

static void rule_free(gpointer data)
{
	Rule *rule = data;

	if (!rule)
		return;
	g_array_unref(rule->slots);
	g_free(rule);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rule, rule_free)

/* Call when all slots are in. */
static void rule_seal(Rule *rule)
{
	rule->event.slots = (const WpLayoutSlot *)(gconstpointer)rule->slots->data;
	rule->event.n_slots = rule->slots->len;
}

static void rule_add_slot(Rule *rule, const WpLayoutSlot *from)
{
	WpLayoutSlot slot = *from;

	slot.paths = g_strdupv(from->paths);
	slot.beside = g_strdup(from->beside);
	g_array_append_val(rule->slots, slot);
}

static void pattern_clear(gpointer data)
{
	Pattern *pattern = data;

	g_free(pattern->prefix);
	g_free(pattern->suffix);
}

static Layer *layer_new(void)
{
	Layer *layer = g_new0(Layer, 1);

	layer->rules = g_ptr_array_new_with_free_func(rule_free);
	layer->exact = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	layer->patterns = g_array_new(FALSE, FALSE, sizeof(Pattern));
	g_array_set_clear_func(layer->patterns, pattern_clear);
	return layer;
}

static void layer_free(gpointer data)
{
	Layer *layer = data;

	g_hash_table_unref(layer->exact);
	g_array_unref(layer->patterns);
	g_ptr_array_unref(layer->rules);
	g_free(layer);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Layer, layer_free)

/* FALSE when the layer has this exact name already. The rule is the layer's. */
static gboolean layer_add_name(Layer *layer, const gchar *name, Rule *rule)
{
	const gchar *star = strchr(name, '*');

	if (!star)
		return g_hash_table_insert(layer->exact, g_strdup(name), rule);

	Pattern pattern = {
		.prefix = g_strndup(name, (gsize)(star - name)),
		.suffix = g_strdup(star + 1),
		.prefix_length = (gsize)(star - name),
		.suffix_length = strlen(star + 1),
		.rule = rule,
	};
	g_array_append_val(layer->patterns, pattern);
	return TRUE;
}

/* The rule for a name; what a pattern's * matched goes to *ret_match (owned), or NULL. */
static Rule *layer_find(Layer *layer, const gchar *name, gchar **ret_match)
{
	Rule *rule = g_hash_table_lookup(layer->exact, name);
	gsize length = strlen(name);

	*ret_match = NULL;
	for (guint i = 0; !rule && i < layer->patterns->len; i++) {
		const Pattern *pattern = &g_array_index(layer->patterns, Pattern, i);
		const gsize prefix = pattern->prefix_length, suffix = pattern->suffix_length;

		if (length < prefix + suffix || memcmp(name, pattern->prefix, prefix) != 0 ||
		    memcmp(name + length - suffix, pattern->suffix, suffix) != 0)
			continue;
		rule = pattern->rule;
		*ret_match = g_strndup(name + prefix, length - prefix - suffix);
	}
	return rule;
}

/* One file while it is turned into a layer. */
typedef struct {
	WpLayout *layout; /* borrowed */
	const gchar *path; /* borrowed: for messages */
	Layer *layer; /* borrowed */
	GHashTable *groups; /* borrowed: name to xmlNode of <slots> */
	GPtrArray *cpu_fields; /* borrowed */
} Loading;

G_GNUC_PRINTF(4, 5)
static gboolean fail(Loading *loading, xmlNode *node, GError **error, const gchar *format, ...)
{
	g_autofree gchar *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(error, WP_ERROR, WP_ERROR_USAGE, "%s, line %ld: %s.", loading->path,
		    xmlGetLineNo(node), text);
	return FALSE;
}

static gchar *attribute(xmlNode *node, const gchar *name)
{
	xmlChar *value = xmlGetNoNsProp(node, (const xmlChar *)name);
	gchar *copy = g_strdup((const gchar *)value);

	xmlFree(value);
	return copy;
}

/* The words of an attribute, NULL when it is absent. */
static gchar **attribute_words(xmlNode *node, const gchar *name)
{
	g_autofree gchar *value = attribute(node, name);
	g_autoptr(GPtrArray) words = NULL;
	g_auto(GStrv) parts = NULL;

	if (!value)
		return NULL;
	words = g_ptr_array_new();
	parts = g_strsplit_set(value, " \t\r\n", -1);
	for (guint i = 0; parts[i]; i++)
		if (parts[i][0])
			g_ptr_array_add(words, g_strdup(parts[i]));
	g_ptr_array_add(words, NULL);
	return (gchar **)g_ptr_array_free(g_steal_pointer(&words), FALSE);
}

static gboolean is_element(xmlNode *node, const gchar *name)
{
	return node->type == XML_ELEMENT_NODE && g_str_equal((const gchar *)node->name, name);
}

/* Takes the slot's source from the element's attributes. */
static gboolean load_source(Loading *loading, xmlNode *node, const gchar *name, Rule *rule,
			    WpLayoutSlot *slot, GError **error)
{
	g_autofree gchar *as = attribute(node, "as");
	g_autofree gchar *value = attribute(node, "value");
	g_autofree gchar *match = attribute(node, "match");
	g_auto(GStrv) paths = attribute_words(node, "field");

	if ((paths != NULL) + (value != NULL) + (match != NULL) != 1)
		return fail(loading, node, error,
			    "slot \"%s\" needs exactly one of field, value and match", name);
	if (paths) {
		slot->source = g_strcmp0(as, "label") == 0 ? WP_LAYOUT_LABEL : WP_LAYOUT_FIELD;
		if (slot->source == WP_LAYOUT_LABEL && slot->type != WP_SLOT_STRING)
			return fail(loading, node, error,
				    "slot \"%s\" holds no text, so it can't take a label", name);
		slot->paths = g_steal_pointer(&paths);
		slot->beside = attribute(node, "beside");
		return TRUE;
	}
	slot->source = WP_LAYOUT_CONSTANT;
	if (slot->type == WP_SLOT_ADDRESS || (match && slot->type != WP_SLOT_STRING))
		return fail(loading, node, error, "slot \"%s\" can't hold a constant text", name);
	if (match) {
		rule->needs_match = TRUE;
		return TRUE;
	}
	if (slot->type == WP_SLOT_INTEGER &&
	    !g_ascii_string_to_signed(value, 10, G_MININT64, G_MAXINT64, NULL, NULL))
		return fail(loading, node, error, "slot \"%s\" needs a number, not \"%s\"", name,
			    value);
	slot->constant = g_string_chunk_insert_const(loading->layout->texts, value);
	return TRUE;
}

/* Adds the <slot> elements below node to the rule. */
static gboolean load_slots(Loading *loading, xmlNode *node, Rule *rule, GError **error)
{
	for (xmlNode *child = node->children; child; child = child->next) {
		g_autofree gchar *name = NULL;
		WpLayoutSlot slot = {0};
		gint number;

		if (!is_element(child, "slot"))
			continue;
		name = attribute(child, "name");
		number = wp_event_slot_from_name(rule->event.kind, name, &slot.type);
		if (number < 0)
			return fail(loading, child, error, "events of kind %s have no slot \"%s\"",
				    wp_event_kind_name(rule->event.kind), name);
		slot.slot = (guint)number;
		for (guint i = 0; i < rule->slots->len; i++)
			if (g_array_index(rule->slots, WpLayoutSlot, i).slot == slot.slot)
				return fail(loading, child, error, "slot \"%s\" is filled twice",
					    name);
		if (!load_source(loading, child, name, rule, &slot, error))
			return FALSE;
		g_array_append_val(rule->slots, slot);
	}
	return TRUE;
}

static gboolean load_event(Loading *loading, xmlNode *node, GError **error)
{
	g_autofree gchar *kind_name = attribute(node, "kind");
	g_autofree gchar *group = attribute(node, "slots");
	g_auto(GStrv) names = attribute_words(node, "name");
	WpEventKind kind = wp_event_kind_from_name(kind_name);

	/* The readers make LOST themselves, and markers are asked for by the caller. */
	if (kind == WP_EV_N || kind == WP_EV_LOST || kind == WP_EV_MARKER)
		return fail(loading, node, error, "\"%s\" is no kind of event", kind_name);

	Rule *rule = rule_new(kind);
	g_ptr_array_add(loading->layer->rules, rule);
	if (group && !load_slots(loading, g_hash_table_lookup(loading->groups, group), rule, error))
		return FALSE;
	if (!load_slots(loading, node, rule, error))
		return FALSE;
	rule_seal(rule);
	for (guint i = 0; names[i]; i++) {
		if (rule->needs_match && !strchr(names[i], '*'))
			return fail(loading, node, error,
				    "\"%s\" has no * for the slot with match to take", names[i]);
		if (!layer_add_name(loading->layer, names[i], rule))
			return fail(loading, node, error, "event \"%s\" is described twice",
				    names[i]);
	}
	return TRUE;
}

/* The elements below <layouts>: a valid document's. */
static gboolean load_elements(Loading *loading, xmlNode *root, GError **error)
{
	for (xmlNode *node = root->children; node; node = node->next)
		if (is_element(node, "slots"))
			g_hash_table_insert(loading->groups, attribute(node, "name"), node);
	for (xmlNode *node = root->children; node; node = node->next) {
		if (is_element(node, "event") && !load_event(loading, node, error))
			return FALSE;
		if (is_element(node, "cpu")) {
			g_auto(GStrv) fields = attribute_words(node, "field");

			for (guint i = 0; fields[i]; i++)
				g_ptr_array_add(loading->cpu_fields, g_strdup(fields[i]));
		}
	}
	return TRUE;
}

/* Fields of a later file come before those of the earlier ones. */
static void layout_set_cpu_fields(WpLayout *layout, GPtrArray *fields)
{
	g_ptr_array_extend_and_steal(fields, g_steal_pointer(&layout->cpu_fields));
	layout->cpu_fields = g_ptr_array_ref(fields);
}

static void layout_forget(WpLayout *layout)
{
	wp_mutex_lock(&layout->mutex);
	g_hash_table_remove_all(layout->found);
	wp_mutex_unlock(&layout->mutex);
}

static gboolean layout_add_document(WpLayout *layout, const gchar *path, xmlDoc *document,
				    GError **error)
{
	g_autoptr(Layer) layer = layer_new();
	g_autoptr(GHashTable) groups = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GPtrArray) cpu_fields = g_ptr_array_new_with_free_func(g_free);
	Loading loading = {layout, path, layer, groups, cpu_fields};

	if (!load_elements(&loading, xmlDocGetRootElement(document), error))
		return FALSE;
	layout_forget(layout);
	layout_set_cpu_fields(layout, cpu_fields);
	g_ptr_array_add(layout->layers, g_steal_pointer(&layer));
	return TRUE;
}

/* Whether document conforms to the schema; the first complaint otherwise. */
static gboolean validate(xmlDoc *document, Complaint *complaint)
{
	g_autoptr(GBytes)
		resource = g_resource_lookup_data(wp_layouts_get_resource(), LAYOUT_XSD, 0, NULL);
	gsize size = 0;
	const gchar *text = resource ? g_bytes_get_data(resource, &size) : NULL;
	xmlSchemaParserCtxt *parser = text ? xmlSchemaNewMemParserCtxt(text, (gint)size) : NULL;
	xmlSchema *schema = NULL;
	xmlSchemaValidCtxt *validator = NULL;
	gboolean valid = FALSE;

	if (parser) {
		xmlSchemaSetParserStructuredErrors(parser, complain, complaint);
		schema = xmlSchemaParse(parser);
		xmlSchemaFreeParserCtxt(parser);
	}
	if (schema)
		validator = xmlSchemaNewValidCtxt(schema);
	if (validator) {
		xmlSchemaSetValidStructuredErrors(validator, complain, complaint);
		valid = xmlSchemaValidateDoc(validator, document) == 0;
		xmlSchemaFreeValidCtxt(validator);
	}
	xmlSchemaFree(schema);
	return valid;
}

/* Without network, external entities and a document type; NULL with a complaint. */
static xmlDoc *parse(const gchar *text, gsize size, const gchar *path, Complaint *complaint)
{
	xmlParserCtxt *parser = xmlNewParserCtxt();
	xmlDoc *document = NULL;

	if (!parser)
		return NULL;
	document = xmlCtxtReadMemory(parser, text, (gint)size, path, NULL,
				     XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
					     XML_PARSE_COMPACT);
	if (!document)
		complain(complaint, xmlCtxtGetLastError(parser));
	xmlFreeParserCtxt(parser);
	if (document && document->intSubset) {
		complaint->text = g_strdup("a layout has no document type declaration");
		complaint->line = 1;
		g_clear_pointer(&document, xmlFreeDoc);
	}
	return document;
}

/* is_valid: it is known to conform to the schema, as the built-in one is by a test. */
static gboolean layout_add_text(WpLayout *layout, const gchar *path, const gchar *text, gsize size,
				gboolean is_valid, GError **error)
{
	Complaint complaint = {NULL, 0};
	xmlDoc *document = parse(text, size, path, &complaint);
	gboolean ok = FALSE;

	if (document && (is_valid || validate(document, &complaint)))
		ok = layout_add_document(layout, path, document, error);
	else
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE, "%s, line %d: %s%s", path,
			    complaint.line, complaint.text ? complaint.text : "no valid layout",
			    complaint.text && g_str_has_suffix(complaint.text, ".") ? "" : ".");
	if (document)
		xmlFreeDoc(document);
	g_free(complaint.text);
	return ok;
}

static void found_free(gpointer data)
{
	Found *found = data;

	rule_free(found->made[0]);
	rule_free(found->made[1]);
	g_free(found);
}

WpLayout *wp_layout_new(GError **error)
{
	g_autoptr(WpLayout) layout = g_new0(WpLayout, 1);
	g_autoptr(GBytes) text = NULL;

	xmlInitParser();
	layout->n_refs = 1;
	layout->layers = g_ptr_array_new_with_free_func(layer_free);
	layout->markers = layer_new();
	layout->cpu_fields = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(layout->cpu_fields, NULL);
	layout->texts = g_string_chunk_new(1024);
	wp_mutex_init(&layout->mutex);
	layout->found = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, found_free);

	text = g_resource_lookup_data(wp_layouts_get_resource(), LAYOUT_XML, 0, error);
	if (!text || !layout_add_text(layout, "built-in layouts", g_bytes_get_data(text, NULL),
				      g_bytes_get_size(text), TRUE, error))
		return NULL;
	return g_steal_pointer(&layout);
}

WpLayout *wp_layout_ref(WpLayout *layout)
{
	g_atomic_int_inc(&layout->n_refs);
	return layout;
}

void wp_layout_unref(WpLayout *layout)
{
	if (!layout || !g_atomic_int_dec_and_test(&layout->n_refs))
		return;
	g_hash_table_unref(layout->found);
	g_ptr_array_unref(layout->layers);
	layer_free(layout->markers);
	g_ptr_array_unref(layout->cpu_fields);
	g_string_chunk_free(layout->texts);
	wp_mutex_clear(&layout->mutex);
	g_free(layout);
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

gboolean wp_layout_add_file(WpLayout *layout, const gchar *path, GError **error)
{
	gsize size;
	g_autofree gchar *text = read_file(path, &size, error);

	if (!text)
		return FALSE;
	if (size > LAYOUT_FILE_MAX) {
		g_set_error(error, WP_ERROR, WP_ERROR_LIMIT,
			    "%s is longer than 1 MiB, so it is no event layout.", path);
		return FALSE;
	}
	return layout_add_text(layout, path, text, size, FALSE, error);
}

static void marker_add_slot(Rule *rule, guint number, WpSlotType type, WpLayoutSource source,
			    const gchar *path)
{
	const gchar *paths[] = {path, NULL};
	WpLayoutSlot slot = {
		.slot = number,
		.type = type,
		.source = source,
		.paths = path ? (gchar **)(gpointer)paths : NULL,
	};

	rule_add_slot(rule, &slot);
}

void wp_layout_add_marker(WpLayout *layout, const gchar *name, const gchar *id_field)
{
	Rule *rule = rule_new(WP_EV_MARKER);

	layout_forget(layout);
	marker_add_slot(rule, WP_MARKER_NAME, WP_SLOT_STRING, WP_LAYOUT_CONSTANT, NULL);
	marker_add_slot(rule, WP_MARKER_VTID, WP_SLOT_INTEGER, WP_LAYOUT_FIELD, "vtid");
	if (id_field) {
		marker_add_slot(rule, WP_MARKER_ID, WP_SLOT_INTEGER, WP_LAYOUT_FIELD, id_field);
		marker_add_slot(rule, WP_MARKER_ID_TEXT, WP_SLOT_STRING, WP_LAYOUT_FIELD, id_field);
	}
	rule->needs_match = TRUE;
	rule_seal(rule);
	g_ptr_array_add(layout->markers->rules, rule);
	layer_add_name(layout->markers, name, rule);
}

/* A copy of rule whose slots without a source hold text. Call with the lock held. */
static Rule *rule_with_text(WpLayout *layout, const Rule *rule, const gchar *text)
{
	Rule *copy = rule_new(rule->event.kind);

	for (guint i = 0; i < rule->event.n_slots; i++) {
		WpLayoutSlot slot = rule->event.slots[i];

		if (slot.source == WP_LAYOUT_CONSTANT && !slot.constant)
			slot.constant = g_string_chunk_insert_const(layout->texts, text);
		rule_add_slot(copy, &slot);
	}
	rule_seal(copy);
	return copy;
}

static Found *layout_find_anew(WpLayout *layout, const gchar *name)
{
	Found *found = g_new0(Found, 1);
	Rule *rule = NULL;
	g_autofree gchar *match = NULL;
	g_autofree gchar *unused = NULL;

	for (guint i = layout->layers->len; !rule && i-- > 0;)
		rule = layer_find(layout->layers->pdata[i], name, &match);
	if (rule && rule->needs_match)
		rule = found->made[0] = rule_with_text(layout, rule, match);
	found->event = rule ? &rule->event : NULL;

	/* A marker's text is its whole name. */
	rule = layer_find(layout->markers, name, &unused);
	if (rule)
		rule = found->made[1] = rule_with_text(layout, rule, name);
	found->marker = rule ? &rule->event : NULL;
	return found;
}

const WpLayoutEvent *wp_layout_find(WpLayout *layout, const gchar *event_name,
				    const WpLayoutEvent **ret_marker)
{
	const WpLayoutEvent *event;
	Found *found;

	wp_mutex_lock(&layout->mutex);
	found = g_hash_table_lookup(layout->found, event_name);
	if (!found) {
		found = layout_find_anew(layout, event_name);
		g_hash_table_insert(layout->found, g_strdup(event_name), found);
	}
	event = found->event;
	if (ret_marker)
		*ret_marker = found->marker;
	wp_mutex_unlock(&layout->mutex);
	return event;
}

void wp_layout_leave_out(WpLayout *layout, WpEventKind kind, guint slot)
{
	layout->left_out[kind] |= 1u << slot;
}

gboolean wp_layout_is_left_out(const WpLayout *layout, WpEventKind kind, guint slot)
{
	return (layout->left_out[kind] >> slot) & 1u;
}

const gchar *const *wp_layout_get_cpu_fields(WpLayout *layout)
{
	return (const gchar *const *)layout->cpu_fields->pdata;
}
