/* SPDX-License-Identifier: MIT */
/*
 * layout.c: event layouts, from the elements of a file to rules.
 *
 * The built-in file's elements are tables in the library (layouts.awk), a user's come from
 * layout-xml.c; both are loaded alike. Each file becomes a *layer*: its rules by exact event
 * name in a hash table, and its patterns in a list. Layers are asked from the last to the
 * first, so that a user's file wins over the built-in one. A name whose pattern's match fills a
 * slot gets an event of its own, which is kept, so that a reader gets the same pointer each
 * time.
 */
#include "config.h"

#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/thread.h"
#include "event/layout.h"
#include "event/layout-elements.h"
#include "event/layouts-built-in.h"

/* What to do with the events of one name. */
typedef struct {
	WpLayoutEvent event; /* slots point into the array below */
	GArray *slots; /* owned: WpLayoutSlot */
	gboolean needs_match; /* a slot holds what the pattern's * matched */
	GHashTable *by_name; /* owned: event name to WpLayoutEvent made of this; NULL: none yet */
} Rule;

typedef struct {
	const gchar *prefix, *suffix; /* borrowed of the layer's words: around the * */
	gsize prefix_length, suffix_length;
	Rule *rule; /* owned by the layer */
} Pattern;

typedef struct {
	GPtrArray *rules; /* owned: Rule */
	WpArena words; /* what rules and names point to */
	GHashTable *exact; /* owned: event name (of words) to Rule (of rules) */
	GArray *patterns; /* owned: Pattern, in the order of the file */
} Layer;

struct WpLayout {
	gint n_refs; /* atomic */
	GPtrArray *layers; /* owned: Layer, later ones win */
	Layer *markers; /* owned */
	GPtrArray *cpu_fields; /* owned: gchar *, ends with NULL */
	WpArena memory; /* constants, and events made for one name */
	guint32 left_out[WP_EV_N]; /* slots of each kind that nobody looks at */
	WpMutex mutex; /* guards what is made while finding: memory and the rules' by_name */
};

static Rule *rule_new(WpEventKind kind)
{
	Rule *rule = g_new0(Rule, 1);

	rule->event.kind = kind;
	rule->slots = g_array_new(FALSE, TRUE, sizeof(WpLayoutSlot));
	return rule;
}

static void rule_free(gpointer data)
{
	Rule *rule = data;

	if (!rule)
		return;
	g_array_unref(rule->slots);
	g_clear_pointer(&rule->by_name, g_hash_table_unref);
	g_free(rule);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rule, rule_free)

/* Call when all slots are in. */
static void rule_seal(Rule *rule)
{
	rule->event.slots = (const WpLayoutSlot *)(gconstpointer)rule->slots->data;
	rule->event.n_slots = rule->slots->len;
}

static Layer *layer_new(void)
{
	Layer *layer = g_new0(Layer, 1);

	layer->rules = g_ptr_array_new_with_free_func(rule_free);
	layer->exact = g_hash_table_new(g_str_hash, g_str_equal);
	layer->patterns = g_array_new(FALSE, FALSE, sizeof(Pattern));
	return layer;
}

static void layer_free(gpointer data)
{
	Layer *layer = data;

	g_hash_table_unref(layer->exact);
	g_array_unref(layer->patterns);
	g_ptr_array_unref(layer->rules);
	wp_arena_clear(&layer->words);
	g_free(layer);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Layer, layer_free)

/* Whether c stands between words. */
static gboolean is_blank(gchar c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The words of text, NULL behind the last, kept with the layer. */
static gchar **layer_add_words(Layer *layer, const gchar *text)
{
	const gsize size = strlen(text) + 1;
	gsize n = 0;
	gchar **words, *copy;

	for (gsize i = 0; text[i]; i++)
		n += !is_blank(text[i]) && (i == 0 || is_blank(text[i - 1]));
	words = wp_arena_alloc0(&layer->words, (n + 1) * sizeof(*words));
	copy = wp_arena_copy(&layer->words, text, size);
	for (gsize i = size - 1; i-- > 0;)
		if (is_blank(copy[i]))
			copy[i] = '\0';
		else if (i == 0 || is_blank(copy[i - 1]))
			words[--n] = copy + i;
	return words;
}

/* Text as the only word, whatever it holds; the rest as above. */
static gchar **layer_add_word(Layer *layer, const gchar *text)
{
	gchar **words = wp_arena_alloc0(&layer->words, 2 * sizeof(*words));

	words[0] = wp_arena_copy_text(&layer->words, text, strlen(text));
	return words;
}

/* FALSE when the layer has this exact name already. Name and rule are the layer's. */
static gboolean layer_add_name(Layer *layer, const gchar *name, Rule *rule)
{
	const gchar *star = strchr(name, '*');

	if (!star)
		return g_hash_table_insert(layer->exact, (gpointer)name, rule);

	Pattern pattern = {
		.prefix = name,
		.suffix = star + 1,
		.prefix_length = (gsize)(star - name),
		.suffix_length = strlen(star + 1),
		.rule = rule,
	};
	g_array_append_val(layer->patterns, pattern);
	return TRUE;
}

static gboolean pattern_fits(const Pattern *pattern, const gchar *name, gsize length)
{
	const gsize prefix = pattern->prefix_length, suffix = pattern->suffix_length;

	/* Most differ in the first character. */
	return (*name == *pattern->prefix || !prefix) && length >= prefix + suffix &&
	       memcmp(name, pattern->prefix, prefix) == 0 &&
	       memcmp(name + length - suffix, pattern->suffix, suffix) == 0;
}

/* The rule for a name; the pattern that it fits, if it has none of its own, goes to *ret_pattern. */
static Rule *layer_find(const Layer *layer, const gchar *name, const Pattern **ret_pattern)
{
	const gsize length = strlen(name);
	Rule *rule;

	*ret_pattern = NULL;
	if (!layer->rules->len)
		return NULL;
	rule = g_hash_table_lookup(layer->exact, name);
	for (guint i = 0; !rule && i < layer->patterns->len; i++) {
		const Pattern *pattern = &g_array_index(layer->patterns, Pattern, i);

		if (!pattern_fits(pattern, name, length))
			continue;
		rule = pattern->rule;
		*ret_pattern = pattern;
	}
	return rule;
}

/* What a file holds, all borrowed. */
typedef struct {
	const gchar *path; /* for messages */
	const gchar *texts; /* what elements' attributes point into */
	const WpLayoutElement *elements;
	guint n;
} Document;

/* One file while it is turned into a layer. */
typedef struct {
	WpLayout *layout; /* borrowed */
	const Document *document; /* borrowed */
	Layer *layer; /* borrowed */
	GHashTable *groups; /* borrowed: name (of the document) to number of its <slots> + 1 */
	GPtrArray *cpu_fields; /* borrowed */
} Loading;

G_GNUC_PRINTF(4, 5)
static gboolean fail(const Loading *loading, guint at, GError **error, const gchar *format, ...)
{
	g_autofree gchar *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(error, WP_ERROR, WP_ERROR_USAGE, "%s, line %u: %s.", loading->document->path,
		    loading->document->elements[at].line, text);
	return FALSE;
}

/* What an attribute of element number at says, NULL when it is absent; of the document. */
static const gchar *attribute(const Loading *loading, guint at, WpAttribute which)
{
	const guint32 offset = loading->document->elements[at].attributes[which];

	return offset ? loading->document->texts + offset : NULL;
}

static gboolean is_element(const Loading *loading, guint at, WpElement element)
{
	return at < loading->document->n && loading->document->elements[at].element == element;
}

/* Takes the slot's source from the attributes of the element. */
static gboolean load_source(const Loading *loading, guint at, const gchar *name, Rule *rule,
			    WpLayoutSlot *slot, GError **error)
{
	const gchar *as = attribute(loading, at, WP_ATTRIBUTE_AS);
	const gchar *beside = attribute(loading, at, WP_ATTRIBUTE_BESIDE);
	const gchar *field = attribute(loading, at, WP_ATTRIBUTE_FIELD);
	const gchar *match = attribute(loading, at, WP_ATTRIBUTE_MATCH);
	const gchar *value = attribute(loading, at, WP_ATTRIBUTE_VALUE);

	if ((field != NULL) + (value != NULL) + (match != NULL) != 1)
		return fail(loading, at, error,
			    "slot \"%s\" needs exactly one of field, value and match", name);
	if (field) {
		slot->source = g_strcmp0(as, "label") == 0 ? WP_LAYOUT_LABEL : WP_LAYOUT_FIELD;
		if (slot->source == WP_LAYOUT_LABEL && slot->type != WP_SLOT_STRING)
			return fail(loading, at, error,
				    "slot \"%s\" holds no text, so it can't take a label", name);
		slot->paths = layer_add_words(loading->layer, field);
		slot->beside = beside ? *layer_add_word(loading->layer, beside) : NULL;
		return TRUE;
	}
	slot->source = WP_LAYOUT_CONSTANT;
	if (slot->type == WP_SLOT_ADDRESS || (match && slot->type != WP_SLOT_STRING))
		return fail(loading, at, error, "slot \"%s\" can't hold a constant text", name);
	if (match) {
		rule->needs_match = TRUE;
		return TRUE;
	}
	if (slot->type == WP_SLOT_INTEGER &&
	    !g_ascii_string_to_signed(value, 10, G_MININT64, G_MAXINT64, NULL, NULL))
		return fail(loading, at, error, "slot \"%s\" needs a number, not \"%s\"", name,
			    value);
	slot->constant = wp_arena_copy_text(&loading->layout->memory, value, strlen(value));
	return TRUE;
}

/* Adds the slots behind element number at to the rule. */
static gboolean load_slots(const Loading *loading, guint at, Rule *rule, GError **error)
{
	while (is_element(loading, ++at, WP_ELEMENT_SLOT)) {
		const gchar *name = attribute(loading, at, WP_ATTRIBUTE_NAME);
		WpLayoutSlot slot = {0};
		gint number = wp_event_slot_from_name(rule->event.kind, name, &slot.type);

		if (number < 0)
			return fail(loading, at, error, "events of kind %s have no slot \"%s\"",
				    wp_event_kind_name(rule->event.kind), name);
		slot.slot = (guint)number;
		for (guint i = 0; i < rule->slots->len; i++)
			if (g_array_index(rule->slots, WpLayoutSlot, i).slot == slot.slot)
				return fail(loading, at, error, "slot \"%s\" is filled twice",
					    name);
		if (!load_source(loading, at, name, rule, &slot, error))
			return FALSE;
		g_array_append_val(rule->slots, slot);
	}
	return TRUE;
}

/* The slots of the group that an event asks for. */
static gboolean load_group(const Loading *loading, guint at, Rule *rule, GError **error)
{
	const gchar *name = attribute(loading, at, WP_ATTRIBUTE_SLOTS);
	const guint group = name ? GPOINTER_TO_UINT(g_hash_table_lookup(loading->groups, name)) : 0;

	if (name && !group)
		return fail(loading, at, error, "there are no <slots> called \"%s\"", name);
	return !group || load_slots(loading, group - 1, rule, error);
}

static gboolean load_event(const Loading *loading, guint at, GError **error)
{
	const gchar *kind_name = attribute(loading, at, WP_ATTRIBUTE_KIND);
	WpEventKind kind = wp_event_kind_from_name(kind_name);
	gchar **names;
	Rule *rule;

	/* The readers make LOST themselves, and markers are asked for by the caller. */
	if (kind == WP_EV_N || kind == WP_EV_LOST || kind == WP_EV_MARKER)
		return fail(loading, at, error, "\"%s\" is no kind of event", kind_name);
	rule = rule_new(kind);
	g_ptr_array_add(loading->layer->rules, rule);
	if (!load_group(loading, at, rule, error) || !load_slots(loading, at, rule, error))
		return FALSE;
	rule_seal(rule);
	names = layer_add_words(loading->layer, attribute(loading, at, WP_ATTRIBUTE_NAME));
	for (guint i = 0; names[i]; i++) {
		if (rule->needs_match && !strchr(names[i], '*'))
			return fail(loading, at, error,
				    "\"%s\" has no * for the slot with match to take", names[i]);
		if (!layer_add_name(loading->layer, names[i], rule))
			return fail(loading, at, error, "event \"%s\" is described twice",
				    names[i]);
	}
	return TRUE;
}

/* The elements of a valid document. */
static gboolean load_elements(const Loading *loading, GError **error)
{
	const guint n = loading->document->n;

	for (guint at = 0; at < n; at++)
		if (is_element(loading, at, WP_ELEMENT_SLOTS))
			g_hash_table_insert(loading->groups,
					    (gpointer)attribute(loading, at, WP_ATTRIBUTE_NAME),
					    GUINT_TO_POINTER(at + 1));
	for (guint at = 0; at < n; at++) {
		if (is_element(loading, at, WP_ELEMENT_EVENT) && !load_event(loading, at, error))
			return FALSE;
		if (is_element(loading, at, WP_ELEMENT_CPU)) {
			gchar **fields = layer_add_words(
				loading->layer, attribute(loading, at, WP_ATTRIBUTE_FIELD));

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

static gboolean layout_add_document(WpLayout *layout, const Document *document, GError **error)
{
	g_autoptr(Layer) layer = layer_new();
	g_autoptr(GHashTable) groups = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) cpu_fields = g_ptr_array_new_with_free_func(g_free);
	const Loading loading = {layout, document, layer, groups, cpu_fields};

	if (!load_elements(&loading, error))
		return FALSE;
	layout_set_cpu_fields(layout, cpu_fields);
	g_ptr_array_add(layout->layers, g_steal_pointer(&layer));
	return TRUE;
}

WpLayout *wp_layout_new(GError **error)
{
	g_autoptr(WpLayout) layout = g_new0(WpLayout, 1);
	const Document document = {
		.path = "built-in layouts",
		.texts = built_in_texts,
		.elements = built_in_elements,
		.n = G_N_ELEMENTS(built_in_elements),
	};

	layout->n_refs = 1;
	layout->layers = g_ptr_array_new_with_free_func(layer_free);
	layout->markers = layer_new();
	layout->cpu_fields = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(layout->cpu_fields, NULL);
	wp_mutex_init(&layout->mutex);
	if (!layout_add_document(layout, &document, error))
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
	g_ptr_array_unref(layout->layers);
	layer_free(layout->markers);
	g_ptr_array_unref(layout->cpu_fields);
	wp_arena_clear(&layout->memory);
	wp_mutex_clear(&layout->mutex);
	g_free(layout);
}

gboolean wp_layout_add_file(WpLayout *layout, const gchar *path, GError **error)
{
	g_autoptr(GArray) elements = g_array_new(FALSE, FALSE, sizeof(WpLayoutElement));
	g_autoptr(GString) texts = g_string_new(NULL);
	Document document = {.path = path};

	if (!wp_layout_xml_read(path, elements, texts, error))
		return FALSE;
	document.texts = texts->str;
	document.elements = (const WpLayoutElement *)(gconstpointer)elements->data;
	document.n = elements->len;
	return layout_add_document(layout, &document, error);
}

/* path: a word of the layer's, NULL for a constant. */
static void marker_add_slot(Rule *rule, guint number, WpSlotType type, WpLayoutSource source,
			    gchar **path)
{
	const WpLayoutSlot slot = {
		.slot = number,
		.type = type,
		.source = source,
		.paths = path,
	};

	g_array_append_val(rule->slots, slot);
}

void wp_layout_add_marker(WpLayout *layout, const gchar *name, const gchar *id_field)
{
	Layer *layer = layout->markers;
	Rule *rule = rule_new(WP_EV_MARKER);

	marker_add_slot(rule, WP_MARKER_NAME, WP_SLOT_STRING, WP_LAYOUT_CONSTANT, NULL);
	marker_add_slot(rule, WP_MARKER_VTID, WP_SLOT_INTEGER, WP_LAYOUT_FIELD,
			layer_add_word(layer, "vtid"));
	if (id_field) {
		gchar **path = layer_add_word(layer, id_field);

		marker_add_slot(rule, WP_MARKER_ID, WP_SLOT_INTEGER, WP_LAYOUT_FIELD, path);
		marker_add_slot(rule, WP_MARKER_ID_TEXT, WP_SLOT_STRING, WP_LAYOUT_FIELD, path);
	}
	rule->needs_match = TRUE;
	rule_seal(rule);
	g_ptr_array_add(layer->rules, rule);
	layer_add_name(layer, *layer_add_word(layer, name), rule);
}

/* An event like a rule's, whose slots without a source hold text. Call with the lock held. */
static const WpLayoutEvent *make_event(WpLayout *layout, const Rule *rule, const gchar *text)
{
	WpArena *memory = &layout->memory;
	WpLayoutEvent *event = wp_arena_copy(memory, &rule->event, sizeof(*event));
	WpLayoutSlot *slots = wp_arena_copy(memory, rule->event.slots,
					    rule->event.n_slots * sizeof(*slots));

	for (guint i = 0; i < event->n_slots; i++)
		if (slots[i].source == WP_LAYOUT_CONSTANT && !slots[i].constant)
			slots[i].constant = text;
	event->slots = slots;
	return event;
}

/* The event of a rule that text of length bytes, a part of name, completes. */
static const WpLayoutEvent *complete(WpLayout *layout, Rule *rule, const gchar *name,
				     const gchar *text, gsize length)
{
	const WpLayoutEvent *event;

	wp_mutex_lock(&layout->mutex);
	if (!rule->by_name)
		rule->by_name = g_hash_table_new(g_str_hash, g_str_equal);
	event = g_hash_table_lookup(rule->by_name, name);
	if (!event) {
		gchar *key = wp_arena_copy_text(&layout->memory, name, strlen(name));

		/* Mostly the text is how the name ends. */
		text = text[length] ? wp_arena_copy_text(&layout->memory, text, length)
				    : key + (text - name);
		event = make_event(layout, rule, text);
		g_hash_table_insert(rule->by_name, key, (gpointer)event);
	}
	wp_mutex_unlock(&layout->mutex);
	return event;
}

const WpLayoutEvent *wp_layout_find(WpLayout *layout, const gchar *event_name,
				    const WpLayoutEvent **ret_marker)
{
	const gsize length = strlen(event_name);
	const Pattern *pattern = NULL;
	Rule *rule = NULL;

	if (ret_marker) {
		Rule *marker = layer_find(layout->markers, event_name, &pattern);

		/* A marker's text is its whole name. */
		*ret_marker = marker ? complete(layout, marker, event_name, event_name, length)
				     : NULL;
	}
	for (guint i = layout->layers->len; !rule && i-- > 0;)
		rule = layer_find(layout->layers->pdata[i], event_name, &pattern);
	/* Such a rule has no names but patterns. */
	if (rule && rule->needs_match)
		return complete(layout, rule, event_name, event_name + pattern->prefix_length,
				length - pattern->prefix_length - pattern->suffix_length);
	return rule ? &rule->event : NULL;
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
