/* SPDX-License-Identifier: MIT */
/*
 * tsdl-type.c: parses types by recursive descent, at most WP_CTF_DEPTH_MAX deep,
 * and works out their size, alignment and depth as they are made.
 */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "ctf/tsdl-parser.h"

#define WORDS_MAX 16u
#define DIMENSIONS_MAX 8u
#define MEMBERS_MAX 65536u

void wp_tsdl_scope_clear(WpTsdlScope *scope)
{
	g_clear_pointer(&scope->types, g_hash_table_unref);
}

static const WpCtfType *find_type(WpTsdlParser *parser, const WpTsdlScope *scope, const gchar *name)
{
	const WpCtfType *type = NULL;

	parser->n_names++;
	for (; scope && !type; scope = scope->up)
		if (scope->types)
			type = g_hash_table_lookup(scope->types, name);
	return type;
}

/* A later definition of the same name in the same braces wins. */
static void name_type(WpTsdlParser *parser, WpTsdlScope *scope, const gchar *name,
		      const WpCtfType *type)
{
	gchar *key = wp_arena_copy_text(&parser->trace->memory, name, strlen(name));

	if (!scope->types)
		scope->types = g_hash_table_new(g_str_hash, g_str_equal);
	g_hash_table_insert(scope->types, key, (gpointer)type);
}

static WpCtfType *new_type(WpTsdlParser *parser, WpCtfKind kind)
{
	if (parser->n_made >= WP_CTF_TYPES_MAX) {
		wp_tsdl_refuse(parser, "there are more than %u types", WP_CTF_TYPES_MAX);
		return NULL;
	}

	WpCtfType *type = wp_arena_new0(&parser->trace->memory, WpCtfType);

	parser->n_made++;
	type->kind = kind;
	type->align = 1;
	type->n_places = 1;
	type->fixed = WP_CTF_DYNAMIC;
	return type;
}

static void add_places(WpCtfType *type, const WpCtfType *below)
{
	type->n_places = (guint32)MIN((guint64)type->n_places + below->n_places, G_MAXUINT32);
	type->n_labels = (guint32)MIN((guint64)type->n_labels + below->n_labels, G_MAXUINT32);
}

static gboolean nest(WpTsdlParser *parser)
{
	if (++parser->nesting > WP_CTF_DEPTH_MAX)
		return wp_tsdl_refuse(parser, "types are nested more than %u deep",
				      WP_CTF_DEPTH_MAX);
	return TRUE;
}

/* ---- attributes: integer { size = 8; ... } ---- */

static gboolean to_number(WpTsdlParser *parser, const gchar *key, const WpTsdlValue *value,
			  guint64 max, guint64 *ret)
{
	return wp_tsdl_value_to_unsigned(value, max, ret) ||
	       wp_tsdl_decline(parser, "%s cannot be %s", key, wp_tsdl_value_text(parser, value));
}

static gboolean set_align(WpTsdlParser *parser, WpCtfType *type, guint64 align)
{
	if (align == 0 || align > WP_CTF_ALIGN_MAX || (align & (align - 1)) != 0)
		return wp_tsdl_decline(parser, "an alignment cannot be %" G_GUINT64_FORMAT " bits",
				       align);
	type->align = (guint32)align;
	return TRUE;
}

static gboolean set_boolean(WpTsdlParser *parser, const gchar *value, gboolean *ret)
{
	if (g_ascii_strcasecmp(value, "true") == 0 || g_str_equal(value, "1"))
		*ret = TRUE;
	else if (g_ascii_strcasecmp(value, "false") == 0 || g_str_equal(value, "0"))
		*ret = FALSE;
	else
		return wp_tsdl_decline(parser, "%s is neither true nor false", value);
	return TRUE;
}

static gboolean set_order(WpTsdlParser *parser, const gchar *value, WpCtfOrder *ret)
{
	if (g_str_equal(value, "native"))
		*ret = WP_CTF_ORDER_NATIVE;
	else if (g_str_equal(value, "le"))
		*ret = WP_CTF_ORDER_LE;
	else if (g_str_equal(value, "be") || g_str_equal(value, "network"))
		*ret = WP_CTF_ORDER_BE;
	else
		return wp_tsdl_decline(parser, "the byte order %s is not known", value);
	return TRUE;
}

static gboolean set_text(WpTsdlParser *parser, const gchar *value, gboolean *ret)
{
	if (g_ascii_strcasecmp(value, "none") == 0)
		*ret = FALSE;
	else if (g_ascii_strcasecmp(value, "UTF8") == 0 ||
		 g_ascii_strcasecmp(value, "UTF-8") == 0 || g_ascii_strcasecmp(value, "ASCII") == 0)
		*ret = TRUE;
	else
		return wp_tsdl_decline(parser, "the encoding %s is not known", value);
	return TRUE;
}

/* clock.NAME.value, or a bare name: the clock's name. */
static const gchar *mapped_clock(WpTsdlParser *parser, const gchar *value)
{
	const gchar *begin = g_str_has_prefix(value, "clock.") ? value + 6 : value;
	gsize length = strlen(begin);

	if (g_str_has_suffix(begin, ".value"))
		length -= 6;
	return wp_arena_copy_text(&parser->trace->memory, begin, length);
}

/* What braces may say of an integer, a float or a string. */
typedef struct {
	guint64 size, exp, mant;
	guint64 align; /* 0: not said */
	WpCtfType *type; /* borrowed */
} Attributes;

/* 0 for what is none: nothing but how people see it depends on it. */
static guint8 to_base(const gchar *value)
{
	static const struct {
		const gchar *word;
		guint8 base;
	} words[] = {
		{"2", 2},        {"b", 2},    {"binary", 2},       {"8", 8},
		{"o", 8},        {"oct", 8},  {"octal", 8},        {"10", 10},
		{"d", 10},       {"i", 10},   {"u", 10},           {"dec", 10},
		{"decimal", 10}, {"16", 16},  {"x", 16},           {"X", 16},
		{"p", 16},       {"hex", 16}, {"hexadecimal", 16},
	};

	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		if (g_str_equal(words[i].word, value))
			return words[i].base;
	return 0;
}

static gboolean set_attribute(WpTsdlParser *parser, Attributes *attributes, const WpTsdlSpan *key,
			      const WpTsdlValue *value)
{
	WpCtfType *type = attributes->type;
	const gchar *text;

	if (wp_tsdl_span_is(key, "align"))
		return to_number(parser, "align", value, WP_CTF_ALIGN_MAX, &attributes->align) &&
		       set_align(parser, type, attributes->align);
	if (wp_tsdl_span_is(key, "size"))
		return to_number(parser, "size", value, 64, &attributes->size);
	if (wp_tsdl_span_is(key, "exp_dig"))
		return to_number(parser, "exp_dig", value, 64, &attributes->exp);
	if (wp_tsdl_span_is(key, "mant_dig"))
		return to_number(parser, "mant_dig", value, 64, &attributes->mant);
	text = wp_tsdl_value_text(parser, value);
	if (wp_tsdl_span_is(key, "byte_order"))
		return set_order(parser, text, &type->order);
	if (wp_tsdl_span_is(key, "encoding"))
		return set_text(parser, text, &type->text);
	if (wp_tsdl_span_is(key, "signed"))
		return set_boolean(parser, text, &type->is_signed);
	if (wp_tsdl_span_is(key, "map")) {
		type->clock = mapped_clock(parser, text);
		return TRUE;
	}
	if (wp_tsdl_span_is(key, "base")) {
		type->base = to_base(text);
		return TRUE;
	}
	return wp_tsdl_decline(parser, "the attribute %.*s of a type is not known",
			       (gint)key->length, key->text);
}

static gboolean parse_attributes(WpTsdlParser *parser, Attributes *attributes)
{
	if (!wp_tsdl_expect(parser, '{'))
		return FALSE;
	while (!wp_tsdl_accept(&parser->lexer, '}')) {
		const WpTsdlSpan key = parser->lexer.token.span;
		WpTsdlValue value;

		if (parser->lexer.token.kind != WP_TSDL_WORD)
			return wp_tsdl_unexpected(parser, "an attribute");
		wp_tsdl_lexer_advance(&parser->lexer);
		if (!wp_tsdl_expect(parser, '=') || !wp_tsdl_parse_value(parser, &value) ||
		    !wp_tsdl_expect(parser, ';') ||
		    !set_attribute(parser, attributes, &key, &value))
			return FALSE;
	}
	return TRUE;
}

static gboolean finish_scalar(WpTsdlParser *parser, Attributes *attributes, guint64 size)
{
	WpCtfType *type = attributes->type;

	if (size == 0 || size > 64)
		return wp_tsdl_decline(parser, "a number cannot have %" G_GUINT64_FORMAT " bits",
				       size);
	type->size = (guint32)size;
	type->fixed = size;
	if (!attributes->align)
		type->align = size % 8 == 0 ? 8 : 1;
	return TRUE;
}

static gboolean parse_new_scalar(WpTsdlParser *parser, WpCtfKind kind, const WpCtfType **ret_type)
{
	Attributes attributes = {.type = new_type(parser, kind)};

	if (!attributes.type)
		return FALSE;
	*ret_type = attributes.type;
	if (kind == WP_CTF_STRING) {
		attributes.type->align = 8;
		return !wp_tsdl_is_char(&parser->lexer, '{') ||
		       parse_attributes(parser, &attributes);
	}
	return parse_attributes(parser, &attributes) &&
	       finish_scalar(parser, &attributes,
			     kind == WP_CTF_FLOAT ? attributes.exp + attributes.mant
						  : attributes.size);
}

/* ---- types by their text ---- */

/*
 * LTTng writes out the attributes of each field's integer, tens of thousands of times the same
 * few texts, and most system calls have the fields of many others: that is most of the
 * metadata. What stands between the braces of an integer or a struct means the same wherever
 * it stands, as long as it uses no name of a type. So it is parsed once.
 */
typedef struct {
	WpCtfKind kind; /* integer or struct */
	WpTsdlSpan body; /* of the source: what is between the braces, and the closing one */
	guint nesting, n_names; /* the parser's at the opening brace */
	guint n_made; /* what parsing it adds to the parser's */
	const WpCtfType *type; /* borrowed of the trace */
} Known;

/* Longer ones are hardly ever repeated; and to look for their ends must take little time. */
#define BODY_MAX 4096u
#define BODY_BRACES_MAX 64u

static guint known_hash(gconstpointer data)
{
	const WpTsdlSpan *body = &((const Known *)data)->body;
	const gchar *at = body->text, *const end = at + body->length;
	guint64 hash = body->length, word;

	for (; (gsize)(end - at) >= sizeof(word); at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash = (hash ^ word) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
	}
	for (; at < end; at++)
		hash = hash * 33 + (guchar)*at;
	return (guint)(hash >> 32 ^ hash);
}

static gboolean known_equal(gconstpointer a, gconstpointer b)
{
	const Known *ka = a, *kb = b;

	return ka->kind == kb->kind && ka->body.length == kb->body.length &&
	       memcmp(ka->body.text, kb->body.text, ka->body.length) == 0;
}

GHashTable *wp_tsdl_known_new(void)
{
	return g_hash_table_new(known_hash, known_equal);
}

/*
 * Where the body that begins at the lexer's place seems to end: that of a struct at a brace with
 * a semicolon behind it. Its length is 0 if it is not to be remembered.
 */
static WpTsdlSpan find_body(const WpTsdlLexer *lexer, WpCtfKind kind)
{
	const gchar *const begin = lexer->at, *at = begin;
	const gchar *const end = begin + MIN((gsize)(lexer->end - begin), BODY_MAX);

	for (guint i = 0; i < BODY_BRACES_MAX && at < end; i++) {
		const gchar *brace = memchr(at, '}', (gsize)(end - at));

		if (!brace)
			break;
		at = brace + 1;
		if (kind == WP_CTF_INTEGER || (at < end && *at == ';'))
			return (WpTsdlSpan){begin, (gsize)(at - begin)};
	}
	return (WpTsdlSpan){begin, 0};
}

/* The look-ahead is an opening brace. TRUE, and behind the body, if that was parsed before. */
static gboolean recall(WpTsdlParser *parser, WpCtfKind kind, Known *ret_known)
{
	WpTsdlLexer *lexer = &parser->lexer;
	const Known *known;

	*ret_known = (Known){.kind = kind,
			     .body = find_body(lexer, kind),
			     .nesting = parser->nesting,
			     .n_names = parser->n_names,
			     .n_made = parser->n_made};
	known = ret_known->body.length ? g_hash_table_lookup(parser->known, ret_known) : NULL;
	/*
	 * Where there are more braces around it than there were, it may be too deep. A struct
	 * counts each time, so that a limit is not a matter of how different its texts are.
	 */
	if (!known || known->nesting < parser->nesting ||
	    parser->n_made + known->n_made > WP_CTF_TYPES_MAX)
		return FALSE;
	parser->n_made += known->n_made;
	ret_known->type = known->type;
	wp_tsdl_lexer_go_to(lexer, lexer->at + known->body.length);
	return TRUE;
}

/* What recall() did not know was parsed as type. */
static void remember(WpTsdlParser *parser, Known *known, const WpCtfType *type)
{
	const WpTsdlLexer *lexer = &parser->lexer;

	/* The brace that seemed to be the last one may lie in a comment. */
	if (!known->body.length || lexer->behind != known->body.text + known->body.length ||
	    parser->n_names != known->n_names)
		return;
	known->n_made = known->kind == WP_CTF_STRUCT ? parser->n_made - known->n_made : 0;
	known->type = type;
	g_hash_table_add(parser->known, wp_arena_copy(&parser->memory, known, sizeof(*known)));
}

static gboolean parse_integer(WpTsdlParser *parser, const WpCtfType **ret_type)
{
	Known known = {.kind = WP_CTF_INTEGER};

	if (wp_tsdl_is_char(&parser->lexer, '{') && recall(parser, WP_CTF_INTEGER, &known)) {
		*ret_type = known.type;
		return TRUE;
	}
	if (!parse_new_scalar(parser, WP_CTF_INTEGER, ret_type))
		return FALSE;
	remember(parser, &known, *ret_type);
	return TRUE;
}

static gboolean parse_scalar(WpTsdlParser *parser, WpCtfKind kind, const WpCtfType **ret_type)
{
	return kind == WP_CTF_INTEGER ? parse_integer(parser, ret_type)
				      : parse_new_scalar(parser, kind, ret_type);
}

/* ---- arrays and sequences ---- */

static guint64 round_up(guint64 value, guint64 align)
{
	return (value + align - 1) & ~(align - 1);
}

static WpCtfType *new_compound(WpTsdlParser *parser, WpCtfKind kind, const WpCtfType *element)
{
	WpCtfType *type = new_type(parser, kind);

	if (!type)
		return NULL;
	type->element = element;
	type->align = element->align;
	type->depth = element->depth + 1;
	if (element->fixed == WP_CTF_DYNAMIC)
		add_places(type, element);
	if (type->depth > WP_CTF_DEPTH_MAX) {
		wp_tsdl_refuse(parser, "types are nested more than %u deep", WP_CTF_DEPTH_MAX);
		return NULL;
	}
	return type;
}

static gboolean make_array(WpTsdlParser *parser, const WpCtfType *element, guint64 length,
			   const WpCtfType **ret_type)
{
	WpCtfType *type = new_compound(parser, WP_CTF_ARRAY, element);
	guint64 size = 0;

	if (!type)
		return FALSE;
	type->length = length;
	*ret_type = type;
	if (length && element->fixed == WP_CTF_DYNAMIC)
		return TRUE;
	if (length &&
	    (!g_uint64_checked_mul(&size, length - 1, round_up(element->fixed, element->align)) ||
	     !g_uint64_checked_add(&size, size, element->fixed) || size > WP_CTF_SIZE_MAX))
		return wp_tsdl_decline(parser, "an array of %" G_GUINT64_FORMAT " is too long",
				       length);
	type->fixed = size;
	return TRUE;
}

typedef struct {
	guint64 length;
	const gchar *path; /* owned by the trace, NULL: a constant length */
} Dimension;

/* A path that a type keeps: the name of a field. */
static gboolean parse_field_path(WpTsdlParser *parser, const gchar **ret_path)
{
	WpTsdlSpan path;

	if (!wp_tsdl_parse_path(parser, "a field", &path))
		return FALSE;
	*ret_path = wp_tsdl_keep(parser, &path);
	return TRUE;
}

static gboolean parse_dimension(WpTsdlParser *parser, Dimension *dimension)
{
	dimension->path = NULL;
	if (parser->lexer.token.kind == WP_TSDL_NUMBER) {
		dimension->length = parser->lexer.token.number;
		wp_tsdl_lexer_advance(&parser->lexer);
	} else if (!parse_field_path(parser, &dimension->path)) {
		return FALSE;
	}
	return wp_tsdl_expect(parser, ']');
}

/* The brackets behind a name: the last is the innermost, as in C. */
static gboolean parse_dimensions(WpTsdlParser *parser, const WpCtfType **type)
{
	Dimension dimensions[DIMENSIONS_MAX];
	guint n = 0;

	while (wp_tsdl_accept(&parser->lexer, '[')) {
		if (n == DIMENSIONS_MAX)
			return wp_tsdl_decline(parser, "an array has more than %u dimensions",
					       DIMENSIONS_MAX);
		if (!parse_dimension(parser, &dimensions[n++]))
			return FALSE;
	}
	while (n-- > 0) {
		if (dimensions[n].path) {
			WpCtfType *sequence = new_compound(parser, WP_CTF_SEQUENCE, *type);

			if (!sequence)
				return FALSE;
			sequence->path = dimensions[n].path;
			*type = sequence;
		} else if (!make_array(parser, *type, dimensions[n].length, type)) {
			return FALSE;
		}
	}
	return TRUE;
}

/* ---- names of types: one or several words ---- */

typedef struct {
	WpTsdlSpan words[WORDS_MAX];
	guint n;
} Words;

static gboolean parse_words(WpTsdlParser *parser, Words *words)
{
	for (words->n = 0;;) {
		gboolean star = wp_tsdl_is_char(&parser->lexer, '*');

		if (!star && parser->lexer.token.kind != WP_TSDL_WORD)
			break;
		if (wp_tsdl_is_word(&parser->lexer, "const")) {
			wp_tsdl_lexer_advance(&parser->lexer);
			continue;
		}
		if (words->n == WORDS_MAX)
			return wp_tsdl_decline(parser, "a type's name has more than %u words",
					       WORDS_MAX);
		words->words[words->n++] = parser->lexer.token.span;
		wp_tsdl_lexer_advance(&parser->lexer);
	}
	return words->n || wp_tsdl_unexpected(parser, "a type");
}

/* The name of the first n words; good until the next one. */
static const gchar *join_words(WpTsdlParser *parser, const Words *words, guint n)
{
	GString *name = parser->words;

	g_string_truncate(name, 0);
	for (guint i = 0; i < n; i++) {
		if (i > 0)
			g_string_append_c(name, ' ');
		g_string_append_len(name, words->words[i].text, (gssize)words->words[i].length);
	}
	return name->str;
}

/* The last name of a text that was cut may be half of one. */
static gboolean unknown_type(WpTsdlParser *parser, const gchar *name)
{
	parser->at_end |= parser->lexer.token.kind == WP_TSDL_END;
	return wp_tsdl_decline(parser, "there is no type %s", name);
}

static gboolean lookup_words(WpTsdlParser *parser, const WpTsdlScope *scope, const Words *words,
			     guint n, const WpCtfType **ret_type)
{
	const gchar *name = join_words(parser, words, n);

	*ret_type = find_type(parser, scope, name);
	return *ret_type || unknown_type(parser, name);
}

/* The last elements of an array, from first on, as the trace's own; NULL if there are none. */
static gpointer keep_members(WpTsdlParser *parser, GArray *array, guint first, guint32 *ret_n)
{
	const gsize size = g_array_get_element_size(array);

	*ret_n = array->len - first;
	if (!*ret_n)
		return NULL;
	parser->n_made++;
	return wp_arena_copy(&parser->trace->memory, array->data + first * size, *ret_n * size);
}

/* ---- enumerations ---- */

static gboolean parse_mapping(WpTsdlParser *parser, guint64 *next, WpCtfMapping *mapping)
{
	const WpTsdlKind kind = parser->lexer.token.kind;

	if (kind != WP_TSDL_WORD && kind != WP_TSDL_TEXT)
		return wp_tsdl_unexpected(parser, "a label");
	mapping->label = wp_tsdl_take_text(parser);
	mapping->low = mapping->high = *next;
	if (wp_tsdl_accept(&parser->lexer, '=')) {
		if (!wp_tsdl_parse_number(parser, &mapping->low, NULL))
			return FALSE;
		mapping->high = mapping->low;
		if (parser->lexer.token.kind == WP_TSDL_ELLIPSIS) {
			wp_tsdl_lexer_advance(&parser->lexer);
			if (!wp_tsdl_parse_number(parser, &mapping->high, NULL))
				return FALSE;
		}
	}
	*next = mapping->high + 1;
	return TRUE;
}

static gboolean parse_mappings(WpTsdlParser *parser, WpCtfType *type)
{
	g_autoptr(GArray) mappings = g_array_new(FALSE, FALSE, sizeof(WpCtfMapping));
	guint64 next = 0;

	if (!wp_tsdl_expect(parser, '{'))
		return FALSE;
	while (!wp_tsdl_accept(&parser->lexer, '}')) {
		WpCtfMapping mapping;

		if (!parse_mapping(parser, &next, &mapping))
			return FALSE;
		if (mappings->len >= MEMBERS_MAX)
			return wp_tsdl_refuse(parser, "an enumeration has more than %u labels",
					      MEMBERS_MAX);
		g_array_append_val(mappings, mapping);
		if (!wp_tsdl_accept(&parser->lexer, ',') && !wp_tsdl_is_char(&parser->lexer, '}'))
			return wp_tsdl_unexpected(parser, "a comma");
	}
	type->mappings = keep_members(parser, mappings, 0, &type->n_mappings);
	type->n_labels = type->n_mappings;
	return TRUE;
}

static gboolean parse_container(WpTsdlParser *parser, WpTsdlScope *scope, WpCtfType *type)
{
	const WpCtfType *container = find_type(parser, scope, "int");

	if (wp_tsdl_accept(&parser->lexer, ':') && !wp_tsdl_parse_type(parser, scope, &container))
		return FALSE;
	if (!container || container->kind != WP_CTF_INTEGER)
		return wp_tsdl_decline(parser, "an enumeration lies in no integer");
	type->order = container->order;
	type->is_signed = container->is_signed;
	type->size = container->size;
	type->align = container->align;
	type->fixed = container->fixed;
	type->clock = container->clock;
	return TRUE;
}

/* ---- structures and variants ---- */

static gboolean parse_field_type(WpTsdlParser *parser, WpTsdlScope *scope,
				 const WpCtfType **ret_type, const gchar **ret_name);

/* One entry between the braces of a struct whose fields begin at first of the parser's. */
static gboolean add_fields(WpTsdlParser *parser, WpTsdlScope *scope, guint first)
{
	const WpCtfType *type;
	const gchar *name;

	if (!parse_field_type(parser, scope, &type, &name))
		return FALSE;
	for (;;) {
		WpCtfField field = {.name = name, .type = type};

		if (!field.name) {
			if (parser->lexer.token.kind != WP_TSDL_WORD)
				return wp_tsdl_unexpected(parser, "a field's name");
			field.name = wp_tsdl_take_text(parser);
		}
		if (!parse_dimensions(parser, &field.type))
			return FALSE;
		if (parser->fields->len - first >= MEMBERS_MAX)
			return wp_tsdl_refuse(parser, "a structure has more than %u fields",
					      MEMBERS_MAX);
		g_array_append_val(parser->fields, field);
		name = NULL;
		if (!wp_tsdl_accept(&parser->lexer, ','))
			return wp_tsdl_expect(parser, ';');
	}
}

static gboolean parse_fields(WpTsdlParser *parser, const WpTsdlScope *up, WpCtfType *type)
{
	const guint first = parser->fields->len;
	g_auto(WpTsdlScope) scope = {.up = up};

	if (!wp_tsdl_expect(parser, '{') || !nest(parser))
		return FALSE;
	while (!wp_tsdl_accept(&parser->lexer, '}')) {
		gboolean was = FALSE;

		if (wp_tsdl_is_word(&parser->lexer, "typealias") ||
		    wp_tsdl_is_word(&parser->lexer, "typedef")) {
			if (!wp_tsdl_parse_definition(parser, &scope, &was))
				return FALSE;
		} else if (!add_fields(parser, &scope, first)) {
			return FALSE;
		}
	}
	parser->nesting--;
	type->fields = keep_members(parser, parser->fields, first, &type->n_fields);
	g_array_set_size(parser->fields, first);
	for (guint i = 0; i < type->n_fields; i++) {
		type->depth = MAX(type->depth, type->fields[i].type->depth + 1);
		add_places(type, type->fields[i].type);
	}
	if (type->depth > WP_CTF_DEPTH_MAX)
		return wp_tsdl_refuse(parser, "types are nested more than %u deep",
				      WP_CTF_DEPTH_MAX);
	return TRUE;
}

static gboolean parse_struct_align(WpTsdlParser *parser, WpCtfType *type)
{
	if (!wp_tsdl_is_word(&parser->lexer, "align"))
		return TRUE;
	wp_tsdl_lexer_advance(&parser->lexer);
	if (!wp_tsdl_expect(parser, '('))
		return FALSE;
	if (parser->lexer.token.kind != WP_TSDL_NUMBER)
		return wp_tsdl_unexpected(parser, "an alignment");

	const guint64 bits = parser->lexer.token.number;

	wp_tsdl_lexer_advance(&parser->lexer);
	return wp_tsdl_expect(parser, ')') && set_align(parser, type, bits);
}

static gboolean lay_out_struct(WpTsdlParser *parser, WpCtfType *type)
{
	guint64 size = 0;

	for (guint i = 0; i < type->n_fields; i++) {
		const WpCtfType *field = type->fields[i].type;

		type->align = MAX(type->align, field->align);
		if (field->fixed == WP_CTF_DYNAMIC)
			size = WP_CTF_DYNAMIC;
		if (size != WP_CTF_DYNAMIC)
			size = round_up(size, field->align) + field->fixed;
		if (size != WP_CTF_DYNAMIC && size > WP_CTF_SIZE_MAX)
			return wp_tsdl_decline(parser, "a structure is too large");
	}
	type->fixed = size;
	return TRUE;
}

/* Behind `struct`, `variant` or `enum`: a name or none, written "struct NAME". */
static const gchar *parse_tag_name(WpTsdlParser *parser, const gchar *keyword)
{
	if (parser->lexer.token.kind != WP_TSDL_WORD)
		return NULL;

	const WpTsdlSpan *word = &parser->lexer.token.span;
	g_autofree gchar *name = g_strdup_printf("%s %.*s", keyword, (gint)word->length,
						 word->text);

	wp_tsdl_lexer_advance(&parser->lexer);
	return wp_arena_copy_text(&parser->trace->memory, name, strlen(name));
}

static gboolean lookup_tag_name(WpTsdlParser *parser, const WpTsdlScope *scope, const gchar *name,
				const WpCtfType **ret_type)
{
	*ret_type = name ? find_type(parser, scope, name) : NULL;
	if (!name)
		return wp_tsdl_unexpected(parser, "a body in braces");
	return *ret_type || unknown_type(parser, name);
}

static gboolean parse_struct(WpTsdlParser *parser, WpTsdlScope *scope, const WpCtfType **ret_type)
{
	const gchar *name = parse_tag_name(parser, "struct");
	Known known;

	if (!wp_tsdl_is_char(&parser->lexer, '{'))
		return lookup_tag_name(parser, scope, name, ret_type);
	if (recall(parser, WP_CTF_STRUCT, &known)) {
		if (name)
			name_type(parser, scope, name, known.type);
		*ret_type = known.type;
		return TRUE;
	}

	WpCtfType *type = new_type(parser, WP_CTF_STRUCT);

	if (!type || !parse_fields(parser, scope, type) || !parse_struct_align(parser, type) ||
	    !lay_out_struct(parser, type))
		return FALSE;
	remember(parser, &known, type);
	if (name)
		name_type(parser, scope, name, type);
	*ret_type = type;
	return TRUE;
}

static gboolean parse_variant_tag(WpTsdlParser *parser, const gchar **ret_path)
{
	if (!wp_tsdl_accept(&parser->lexer, '<'))
		return TRUE;
	return parse_field_path(parser, ret_path) && wp_tsdl_expect(parser, '>');
}

static gboolean parse_variant(WpTsdlParser *parser, WpTsdlScope *scope, const WpCtfType **ret_type)
{
	const gchar *name = parse_tag_name(parser, "variant");
	const gchar *path = NULL;
	WpCtfType *type;

	if (!parse_variant_tag(parser, &path))
		return FALSE;
	if (wp_tsdl_is_char(&parser->lexer, '{')) {
		type = new_type(parser, WP_CTF_VARIANT);
		if (!type || !parse_fields(parser, scope, type))
			return FALSE;
		if (name)
			name_type(parser, scope, name, type);
	} else {
		const WpCtfType *named;

		if (!lookup_tag_name(parser, scope, name, &named))
			return FALSE;
		type = new_type(parser, WP_CTF_VARIANT);
		if (!type)
			return FALSE;
		*type = *named;
	}
	/* A variant without a tag is a definition; each use of it is a copy with its own. */
	type->path = path ? path : type->path;
	*ret_type = type;
	return TRUE;
}

static gboolean parse_enum(WpTsdlParser *parser, WpTsdlScope *scope, const WpCtfType **ret_type)
{
	const gchar *name = parse_tag_name(parser, "enum");

	if (!wp_tsdl_is_char(&parser->lexer, '{') && !wp_tsdl_is_char(&parser->lexer, ':'))
		return lookup_tag_name(parser, scope, name, ret_type);

	WpCtfType *type = new_type(parser, WP_CTF_ENUM);

	if (!type || !parse_container(parser, scope, type) || !parse_mappings(parser, type))
		return FALSE;
	if (name)
		name_type(parser, scope, name, type);
	*ret_type = type;
	return TRUE;
}

/* ---- any type ---- */

/* A type that begins with a keyword; *ret_type stays NULL if the look-ahead is none. */
static gboolean parse_keyword_type(WpTsdlParser *parser, WpTsdlScope *scope,
				   const WpCtfType **ret_type)
{
	static const struct {
		const gchar *word;
		WpCtfKind kind;
	} keywords[] = {
		{"integer", WP_CTF_INTEGER}, {"floating_point", WP_CTF_FLOAT},
		{"string", WP_CTF_STRING},   {"struct", WP_CTF_STRUCT},
		{"variant", WP_CTF_VARIANT}, {"enum", WP_CTF_ENUM},
	};

	*ret_type = NULL;
	for (guint i = 0; i < G_N_ELEMENTS(keywords); i++) {
		if (!wp_tsdl_is_word(&parser->lexer, keywords[i].word))
			continue;
		wp_tsdl_lexer_advance(&parser->lexer);
		switch (keywords[i].kind) {
		case WP_CTF_STRUCT:
			return parse_struct(parser, scope, ret_type);
		case WP_CTF_VARIANT:
			return parse_variant(parser, scope, ret_type);
		case WP_CTF_ENUM:
			return parse_enum(parser, scope, ret_type);
		default:
			return parse_scalar(parser, keywords[i].kind, ret_type);
		}
	}
	return TRUE;
}

gboolean wp_tsdl_parse_type(WpTsdlParser *parser, WpTsdlScope *scope, const WpCtfType **ret_type)
{
	Words words;

	if (!nest(parser) || !parse_keyword_type(parser, scope, ret_type))
		return FALSE;
	parser->nesting--;
	return *ret_type || (parse_words(parser, &words) &&
			     lookup_words(parser, scope, &words, words.n, ret_type));
}

/*
 * The type of a field and, where that is a name of words, the field's own name,
 * which is the last of them; else *ret_name is NULL and the name comes next.
 */
static gboolean parse_field_type(WpTsdlParser *parser, WpTsdlScope *scope,
				 const WpCtfType **ret_type, const gchar **ret_name)
{
	Words words;

	*ret_name = NULL;
	if (!nest(parser) || !parse_keyword_type(parser, scope, ret_type))
		return FALSE;
	parser->nesting--;
	if (*ret_type)
		return TRUE;
	if (!parse_words(parser, &words))
		return FALSE;
	if (words.n < 2)
		return wp_tsdl_unexpected(parser, "a field's name");
	*ret_name = wp_tsdl_keep(parser, &words.words[words.n - 1]);
	return lookup_words(parser, scope, &words, words.n - 1, ret_type);
}

static gboolean parse_typealias(WpTsdlParser *parser, WpTsdlScope *scope)
{
	const WpCtfType *type;
	Words words;

	if (!wp_tsdl_parse_type(parser, scope, &type))
		return FALSE;
	if (parser->lexer.token.kind != WP_TSDL_ASSIGN_TYPE)
		return wp_tsdl_unexpected(parser, ":=");
	wp_tsdl_lexer_advance(&parser->lexer);
	if (!parse_words(parser, &words))
		return FALSE;

	name_type(parser, scope, join_words(parser, &words, words.n), type);
	return wp_tsdl_expect(parser, ';');
}

static gboolean parse_typedef(WpTsdlParser *parser, WpTsdlScope *scope)
{
	GArray *fields = parser->fields;
	const guint first = fields->len;

	if (!add_fields(parser, scope, first))
		return FALSE;
	for (guint i = first; i < fields->len; i++) {
		const WpCtfField *field = &g_array_index(fields, WpCtfField, i);

		name_type(parser, scope, field->name, field->type);
	}
	g_array_set_size(fields, first);
	return TRUE;
}

gboolean wp_tsdl_parse_definition(WpTsdlParser *parser, WpTsdlScope *scope, gboolean *ret_was)
{
	WpTsdlLexer *lexer = &parser->lexer;
	const WpCtfType *type;

	*ret_was = TRUE;
	if (wp_tsdl_is_word(lexer, "typealias")) {
		wp_tsdl_lexer_advance(lexer);
		return parse_typealias(parser, scope);
	}
	if (wp_tsdl_is_word(lexer, "typedef")) {
		wp_tsdl_lexer_advance(lexer);
		return parse_typedef(parser, scope);
	}
	if (wp_tsdl_is_word(lexer, "struct") || wp_tsdl_is_word(lexer, "variant") ||
	    wp_tsdl_is_word(lexer, "enum"))
		return wp_tsdl_parse_type(parser, scope, &type) && wp_tsdl_expect(parser, ';');
	*ret_was = FALSE;
	return TRUE;
}
