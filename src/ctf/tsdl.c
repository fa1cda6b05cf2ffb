/* SPDX-License-Identifier: MIT */
/*
 * tsdl.c: parses the blocks of TSDL text (trace, env, clock, stream, event,
 * callsite) into a WpCtfTrace.
 *
 * A text that ends within a block (a cut metadata file) gives what stood before
 * that block; anything else that does not parse is declined.
 */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "ctf/tsdl-parser.h"

#define CLASSES_MAX (1u << 20)

/* ---- what both halves of the parser use ---- */

void wp_tsdl_parser_init(WpTsdlParser *parser, WpCtfTrace *trace, const gchar *name,
			 const gchar *text, gsize length)
{
	*parser = (WpTsdlParser){.trace = trace, .name = name};
	parser->fields = g_array_new(FALSE, FALSE, sizeof(WpCtfField));
	parser->words = g_string_new(NULL);
	parser->known = wp_tsdl_known_new();
	wp_tsdl_lexer_init(&parser->lexer, text, length);
}

void wp_tsdl_parser_clear(WpTsdlParser *parser)
{
	g_array_unref(parser->fields);
	g_string_free(parser->words, TRUE);
	g_hash_table_unref(parser->known);
	wp_arena_clear(&parser->memory);
	/* A cut text leaves its error behind even when enough was parsed. */
	g_clear_error(&parser->error);
}

G_GNUC_PRINTF(3, 0)
static gboolean fail(WpTsdlParser *parser, WpError code, const gchar *format, va_list args)
{
	g_autofree gchar *text = NULL;

	if (parser->error)
		return FALSE;
	text = g_strdup_vprintf(format, args);
	g_set_error(&parser->error, WP_ERROR, code, "%s, line %u of its text: %s.", parser->name,
		    wp_tsdl_lexer_line(&parser->lexer), text);
	return FALSE;
}

gboolean wp_tsdl_decline(WpTsdlParser *parser, const gchar *format, ...)
{
	va_list args;

	va_start(args, format);
	fail(parser, WP_ERROR_DECLINED, format, args);
	va_end(args);
	return FALSE;
}

gboolean wp_tsdl_refuse(WpTsdlParser *parser, const gchar *format, ...)
{
	va_list args;

	va_start(args, format);
	fail(parser, WP_ERROR_LIMIT, format, args);
	va_end(args);
	return FALSE;
}

gboolean wp_tsdl_unexpected(WpTsdlParser *parser, const gchar *expected)
{
	const WpTsdlToken *token = &parser->lexer.token;

	/* The last word of a text that was cut may be half of one. */
	parser->at_end |= parser->lexer.at >= parser->lexer.end;
	if (token->kind == WP_TSDL_END)
		return wp_tsdl_decline(parser, "the text ends where %s should follow", expected);

	g_autofree gchar *found = g_strndup(token->span.text, MIN(token->span.length, 40));
	g_autofree gchar *shown = g_strescape(found, NULL);

	return wp_tsdl_decline(parser, "there is \"%s\" where %s should follow", shown, expected);
}

gboolean wp_tsdl_expect(WpTsdlParser *parser, gchar ch)
{
	if (wp_tsdl_accept(&parser->lexer, ch))
		return TRUE;

	const gchar expected[] = {ch, '\0'};

	return wp_tsdl_unexpected(parser, expected);
}

const gchar *wp_tsdl_keep(WpTsdlParser *parser, const WpTsdlSpan *span)
{
	return wp_arena_copy_text(&parser->trace->memory, span->text, span->length);
}

const gchar *wp_tsdl_take_text(WpTsdlParser *parser)
{
	const WpTsdlToken *token = &parser->lexer.token;
	const gchar *text;

	if (token->escaped) {
		g_autofree gchar *raw = g_strndup(token->span.text, token->span.length);
		g_autofree gchar *plain = g_strcompress(raw);
		const WpTsdlSpan span = {plain, strlen(plain)};

		text = wp_tsdl_keep(parser, &span);
	} else {
		text = wp_tsdl_keep(parser, &token->span);
	}
	wp_tsdl_lexer_advance(&parser->lexer);
	return text;
}

gboolean wp_tsdl_parse_path(WpTsdlParser *parser, const gchar *expected, WpTsdlSpan *ret_path)
{
	WpTsdlLexer *lexer = &parser->lexer;
	g_autoptr(GString) path = NULL;

	if (lexer->token.kind != WP_TSDL_WORD)
		return wp_tsdl_unexpected(parser, expected);
	*ret_path = lexer->token.span;
	wp_tsdl_lexer_advance(lexer);
	while (wp_tsdl_accept(lexer, '.')) {
		if (lexer->token.kind != WP_TSDL_WORD)
			return wp_tsdl_unexpected(parser, expected);
		if (!path)
			path = g_string_new_len(ret_path->text, (gssize)ret_path->length);
		g_string_append_c(path, '.');
		g_string_append_len(path, lexer->token.span.text, (gssize)lexer->token.span.length);
		wp_tsdl_lexer_advance(lexer);
	}
	if (path) {
		*ret_path = (WpTsdlSpan){path->str, path->len};
		ret_path->text = wp_tsdl_keep(parser, ret_path);
	}
	return TRUE;
}

gboolean wp_tsdl_parse_number(WpTsdlParser *parser, guint64 *ret_value, gboolean *ret_negative)
{
	gboolean negative = wp_tsdl_accept(&parser->lexer, '-');

	if (!negative)
		wp_tsdl_accept(&parser->lexer, '+');
	if (parser->lexer.token.kind != WP_TSDL_NUMBER)
		return wp_tsdl_unexpected(parser, "a number");

	guint64 value = parser->lexer.token.number;

	wp_tsdl_lexer_advance(&parser->lexer);
	*ret_value = negative ? -value : value;
	if (ret_negative)
		*ret_negative = negative;
	return TRUE;
}

/* In decimal; number is as wp_tsdl_parse_number() gives it. */
static void append_number(GString *text, guint64 number, gboolean negative)
{
	g_string_append_printf(text, "%s%" G_GUINT64_FORMAT, negative ? "-" : "",
			       negative ? -number : number);
}

const gchar *wp_tsdl_value_text(WpTsdlParser *parser, const WpTsdlValue *value)
{
	g_autoptr(GString) text = NULL;

	if (value->text)
		return value->text;
	text = g_string_new(NULL);
	append_number(text, value->number, value->negative);
	return wp_arena_copy_text(&parser->trace->memory, text->str, text->len);
}

gboolean wp_tsdl_value_to_unsigned(const WpTsdlValue *value, guint64 max, guint64 *ret_number)
{
	if (value->text)
		return g_ascii_string_to_unsigned(value->text, 10, 0, max, ret_number, NULL);
	if (value->negative || value->number > max)
		return FALSE;
	*ret_number = value->number;
	return TRUE;
}

/* What follows the first word or number of a value: a.b.c, and UTF-8 without quotes. */
static gboolean parse_rest_of_value(WpTsdlParser *parser, WpTsdlValue *value)
{
	WpTsdlLexer *lexer = &parser->lexer;
	g_autoptr(GString) whole = g_string_new(wp_tsdl_value_text(parser, value));
	gboolean behind_word = !value->is_number;

	for (;; behind_word = TRUE) {
		if (behind_word) {
			guint64 number;
			gboolean negative;

			if (wp_tsdl_accept(lexer, '.'))
				g_string_append_c(whole, '.');
			else if (wp_tsdl_accept(lexer, '-'))
				g_string_append_c(whole, '-');
			else
				break;
			if (lexer->token.kind == WP_TSDL_NUMBER) {
				if (!wp_tsdl_parse_number(parser, &number, &negative))
					return FALSE;
				append_number(whole, number, negative);
			}
		}
		if (lexer->token.kind != WP_TSDL_WORD)
			break;
		g_string_append_len(whole, lexer->token.span.text,
				    (gssize)lexer->token.span.length);
		wp_tsdl_lexer_advance(lexer);
	}
	value->text = wp_arena_copy_text(&parser->trace->memory, whole->str, whole->len);
	return TRUE;
}

gboolean wp_tsdl_parse_value(WpTsdlParser *parser, WpTsdlValue *ret_value)
{
	const WpTsdlLexer *lexer = &parser->lexer;
	const WpTsdlKind kind = lexer->token.kind;
	WpTsdlValue value = {.is_number = kind != WP_TSDL_TEXT && kind != WP_TSDL_WORD};

	if (!value.is_number)
		value.text = wp_tsdl_take_text(parser);
	else if (!wp_tsdl_parse_number(parser, &value.number, &value.negative))
		return FALSE;
	if (value.is_number ? lexer->token.kind == WP_TSDL_WORD
			    : kind == WP_TSDL_WORD &&
				      (wp_tsdl_is_char(lexer, '.') || wp_tsdl_is_char(lexer, '-')))
		if (!parse_rest_of_value(parser, &value))
			return FALSE;
	*ret_value = value;
	return TRUE;
}

/* ---- entries of blocks ---- */

/*
 * Called for each entry of a block: value is what stands behind =, or type what stands
 * behind :=; the other is NULL.
 */
typedef gboolean (*EntryFunc)(WpTsdlParser *parser, gpointer data, const WpTsdlSpan *key,
			      const WpTsdlValue *value, const WpCtfType *type);

static gboolean parse_key(WpTsdlParser *parser, WpTsdlSpan *ret_key)
{
	if (parser->lexer.token.kind != WP_TSDL_TEXT)
		return wp_tsdl_parse_path(parser, "a name", ret_key);
	ret_key->text = wp_tsdl_take_text(parser);
	ret_key->length = strlen(ret_key->text);
	return TRUE;
}

static gboolean parse_entry(WpTsdlParser *parser, WpTsdlScope *scope, EntryFunc func, gpointer data)
{
	const WpCtfType *type = NULL;
	WpTsdlValue value;
	WpTsdlSpan key;

	if (!parse_key(parser, &key))
		return FALSE;
	if (parser->lexer.token.kind == WP_TSDL_ASSIGN_TYPE) {
		wp_tsdl_lexer_advance(&parser->lexer);
		if (!wp_tsdl_parse_type(parser, scope, &type))
			return FALSE;
	} else if (!wp_tsdl_expect(parser, '=') || !wp_tsdl_parse_value(parser, &value)) {
		return FALSE;
	}
	return wp_tsdl_expect(parser, ';') && func(parser, data, &key, type ? NULL : &value, type);
}

static gboolean parse_block(WpTsdlParser *parser, const WpTsdlScope *up, EntryFunc func,
			    gpointer data)
{
	g_auto(WpTsdlScope) scope = {.up = up};

	if (!wp_tsdl_expect(parser, '{'))
		return FALSE;
	while (!wp_tsdl_accept(&parser->lexer, '}')) {
		gboolean was;

		if (!wp_tsdl_parse_definition(parser, &scope, &was))
			return FALSE;
		if (!was && !parse_entry(parser, &scope, func, data))
			return FALSE;
	}
	return wp_tsdl_expect(parser, ';');
}

/* The same for what is wrong with an entry: its key comes first. */
static gboolean decline_entry(WpTsdlParser *parser, const gchar *block, const WpTsdlSpan *key,
			      const gchar *what)
{
	return wp_tsdl_decline(parser, "%s%.*s %s", block, (gint)key->length, key->text, what);
}

static gboolean to_number(WpTsdlParser *parser, const WpTsdlSpan *key, const WpTsdlValue *value,
			  guint64 *ret_number)
{
	if (!value || !wp_tsdl_value_to_unsigned(value, G_MAXUINT64, ret_number))
		return decline_entry(parser, "", key, "is no number");
	return TRUE;
}

static gboolean to_signed(WpTsdlParser *parser, const WpTsdlSpan *key, const WpTsdlValue *value,
			  gint64 *ret_number)
{
	if (!value || !g_ascii_string_to_signed(wp_tsdl_value_text(parser, value), 10, G_MININT64,
						G_MAXINT64, ret_number, NULL))
		return decline_entry(parser, "", key, "is no number");
	return TRUE;
}

static gboolean to_struct(WpTsdlParser *parser, const WpTsdlSpan *key, const WpCtfType *type,
			  const WpCtfType **ret_type)
{
	if (!type || type->kind != WP_CTF_STRUCT)
		return decline_entry(parser, "", key, "is no structure");
	*ret_type = type;
	return TRUE;
}

/* ---- trace ---- */

gboolean wp_ctf_uuid_parse(const gchar *text, guint8 *uuid)
{
	guint n = 0;

	for (; *text && n < 16; text++) {
		if (*text == '-')
			continue;

		gint high = g_ascii_xdigit_value(text[0]);
		gint low = high < 0 ? -1 : g_ascii_xdigit_value(text[1]);

		if (low < 0)
			return FALSE;
		uuid[n++] = (guint8)(high << 4 | low);
		text++;
	}
	return n == 16 && !*text;
}

static gboolean trace_entry(WpTsdlParser *parser, gpointer data, const WpTsdlSpan *key,
			    const WpTsdlValue *value, const WpCtfType *type)
{
	WpCtfTrace *trace = data;
	const gchar *text;

	if (wp_tsdl_span_is(key, "packet.header"))
		return to_struct(parser, key, type, &trace->packet_header);
	if (!value)
		return decline_entry(parser, "trace.", key, "is not known");
	text = wp_tsdl_value_text(parser, value);
	if (wp_tsdl_span_is(key, "major") && !g_str_equal(text, "1"))
		return wp_tsdl_decline(parser, "CTF %s is not known", text);
	if (wp_tsdl_span_is(key, "uuid")) {
		trace->has_uuid = wp_ctf_uuid_parse(text, trace->uuid);
		return trace->has_uuid || wp_tsdl_decline(parser, "%s is no UUID", text);
	}
	if (wp_tsdl_span_is(key, "byte_order")) {
		if (g_str_equal(text, "le"))
			trace->order = WP_CTF_ORDER_LE;
		else if (g_str_equal(text, "be") || g_str_equal(text, "network"))
			trace->order = WP_CTF_ORDER_BE;
		else
			return wp_tsdl_decline(parser, "the byte order %s is not known", text);
	}
	return TRUE;
}

/* ---- env, clock, callsite ---- */

static gboolean env_entry(WpTsdlParser *parser, gpointer data, const WpTsdlSpan *key,
			  const WpTsdlValue *value, const WpCtfType *type)
{
	WpCtfTrace *trace = data;

	if (type)
		return decline_entry(parser, "env.", key, "is a type");

	const gchar *name = wp_tsdl_keep(parser, key);

	if (g_hash_table_insert(trace->env, (gpointer)name,
				(gpointer)wp_tsdl_value_text(parser, value)))
		g_ptr_array_add(trace->env_names, (gpointer)name);
	if (value->is_number)
		g_hash_table_add(trace->env_numbers, (gpointer)name);
	return TRUE;
}

static gboolean clock_entry(WpTsdlParser *parser, gpointer data, const WpTsdlSpan *key,
			    const WpTsdlValue *value, const WpCtfType *type)
{
	WpCtfClock *clock = data;
	const gchar *text;

	if (type)
		return decline_entry(parser, "clock.", key, "is a type");
	text = wp_tsdl_value_text(parser, value);
	if (wp_tsdl_span_is(key, "name"))
		clock->name = text;
	else if (wp_tsdl_span_is(key, "uuid"))
		clock->uuid = text;
	else if (wp_tsdl_span_is(key, "freq"))
		return to_number(parser, key, value, &clock->freq) &&
		       (clock->freq || wp_tsdl_decline(parser, "a clock's freq is 0"));
	else if (wp_tsdl_span_is(key, "description"))
		clock->description = text;
	else if (wp_tsdl_span_is(key, "absolute"))
		clock->absolute = !g_ascii_strcasecmp(text, "true") || g_str_equal(text, "1");
	else if (wp_tsdl_span_is(key, "precision"))
		(void)wp_tsdl_value_to_unsigned(value, G_MAXUINT64, &clock->precision);
	else if (wp_tsdl_span_is(key, "offset_s"))
		return to_signed(parser, key, value, &clock->offset_s);
	else if (wp_tsdl_span_is(key, "offset"))
		return to_signed(parser, key, value, &clock->offset);
	return TRUE;
}

static gboolean parse_clock(WpTsdlParser *parser, const WpTsdlScope *scope)
{
	GPtrArray *clocks = parser->trace->clocks;
	WpCtfClock *clock = wp_arena_new0(&parser->trace->memory, WpCtfClock);

	parser->n_made++;
	clock->freq = (guint64)WP_NS_PER_S;
	if (!parse_block(parser, scope, clock_entry, clock))
		return FALSE;
	if (!clock->name)
		return wp_tsdl_decline(parser, "a clock has no name");
	if (clocks->len >= CLASSES_MAX)
		return wp_tsdl_refuse(parser, "there are more than %u clocks", CLASSES_MAX);
	g_ptr_array_add(clocks, clock);
	return TRUE;
}

static gboolean ignored_entry(G_GNUC_UNUSED WpTsdlParser *parser, G_GNUC_UNUSED gpointer data,
			      G_GNUC_UNUSED const WpTsdlSpan *key,
			      G_GNUC_UNUSED const WpTsdlValue *value,
			      G_GNUC_UNUSED const WpCtfType *type)
{
	return TRUE;
}

/* ---- stream ---- */

static void stream_free(gpointer data)
{
	WpCtfStreamClass *stream = data;

	g_ptr_array_unref(stream->events);
	g_free(stream);
}

static gboolean stream_entry(WpTsdlParser *parser, gpointer data, const WpTsdlSpan *key,
			     const WpTsdlValue *value, const WpCtfType *type)
{
	WpCtfStreamClass *stream = data;

	if (wp_tsdl_span_is(key, "id"))
		return to_number(parser, key, value, &stream->id);
	if (wp_tsdl_span_is(key, "packet.context"))
		return to_struct(parser, key, type, &stream->packet_context);
	if (wp_tsdl_span_is(key, "event.header"))
		return to_struct(parser, key, type, &stream->event_header);
	if (wp_tsdl_span_is(key, "event.context"))
		return to_struct(parser, key, type, &stream->event_context);
	return value || decline_entry(parser, "stream.", key, "is not known");
}

static WpCtfStreamClass *find_stream(const WpCtfTrace *trace, guint64 id)
{
	for (guint i = 0; i < trace->streams->len; i++) {
		WpCtfStreamClass *stream = g_ptr_array_index(trace->streams, i);

		if (stream->id == id)
			return stream;
	}
	return NULL;
}

static gboolean parse_stream(WpTsdlParser *parser, const WpTsdlScope *scope)
{
	WpCtfTrace *trace = parser->trace;
	WpCtfStreamClass *stream = g_new0(WpCtfStreamClass, 1);

	stream->events = g_ptr_array_new();
	if (!parse_block(parser, scope, stream_entry, stream)) {
		stream_free(stream);
		return FALSE;
	}
	if (find_stream(trace, stream->id) || trace->streams->len >= 4096) {
		wp_tsdl_decline(parser, "there are two streams %" G_GUINT64_FORMAT " or too many",
				stream->id);
		stream_free(stream);
		return FALSE;
	}
	g_ptr_array_add(trace->streams, stream);
	return TRUE;
}

/* ---- event ---- */

/* -1 for what is none: nothing depends on it. */
static gint to_loglevel(const WpTsdlValue *value)
{
	guint64 level;

	return wp_tsdl_value_to_unsigned(value, 14, &level) ? (gint)level : -1;
}

static gboolean event_entry(WpTsdlParser *parser, gpointer data, const WpTsdlSpan *key,
			    const WpTsdlValue *value, const WpCtfType *type)
{
	WpCtfEventClass *event = data;

	if (wp_tsdl_span_is(key, "id"))
		return to_number(parser, key, value, &event->id);
	if (wp_tsdl_span_is(key, "stream_id")) {
		event->has_stream_id = TRUE;
		return to_number(parser, key, value, &event->stream_id);
	}
	if (wp_tsdl_span_is(key, "context"))
		return to_struct(parser, key, type, &event->context);
	if (wp_tsdl_span_is(key, "fields"))
		return to_struct(parser, key, type, &event->fields);
	if (!value)
		return decline_entry(parser, "event.", key, "is not known");
	if (wp_tsdl_span_is(key, "name"))
		event->name = wp_tsdl_value_text(parser, value);
	else if (wp_tsdl_span_is(key, "model.emf.uri"))
		event->uri = wp_tsdl_value_text(parser, value);
	else if (wp_tsdl_span_is(key, "loglevel"))
		event->loglevel = to_loglevel(value);
	return TRUE;
}

/* Events are given to their streams at the end: a stream may follow its events. */
static gboolean parse_event(WpTsdlParser *parser, const WpTsdlScope *scope, GPtrArray *events)
{
	WpCtfEventClass *event = wp_arena_new0(&parser->trace->memory, WpCtfEventClass);

	parser->n_made++;
	event->name = "";
	event->loglevel = -1;
	if (!parse_block(parser, scope, event_entry, event))
		return FALSE;
	if (events->len >= CLASSES_MAX)
		return wp_tsdl_refuse(parser, "there are more than %u events", CLASSES_MAX);
	g_ptr_array_add(events, event);
	return TRUE;
}

static guint64 count_fields(const WpCtfType *type)
{
	return type ? (guint64)type->n_places + type->n_labels : 0;
}

static gboolean assign_events(WpTsdlParser *parser, GPtrArray *events)
{
	WpCtfTrace *trace = parser->trace;
	guint64 n_fields = 0;

	for (guint i = 0; i < events->len; i++) {
		WpCtfEventClass *event = g_ptr_array_index(events, i);
		WpCtfStreamClass *stream = NULL;

		if (event->has_stream_id)
			stream = find_stream(trace, event->stream_id);
		else if (trace->streams->len == 1)
			stream = g_ptr_array_index(trace->streams, 0);
		if (!stream && !trace->cut)
			return wp_tsdl_decline(parser, "event %s belongs to no stream",
					       event->name);
		if (!stream)
			continue;
		g_ptr_array_add(stream->events, event);
		n_fields += count_fields(stream->event_context) + count_fields(event->context) +
			    count_fields(event->fields);
	}
	return n_fields <= WP_CTF_FIELDS_MAX ||
	       wp_tsdl_refuse(parser, "its events have more than %u fields and labels in all",
			      WP_CTF_FIELDS_MAX);
}

/* ---- the whole text ---- */

static gboolean accept_word(WpTsdlLexer *lexer, const gchar *word)
{
	if (!wp_tsdl_is_word(lexer, word))
		return FALSE;
	wp_tsdl_lexer_advance(lexer);
	return TRUE;
}

static gboolean parse_top(WpTsdlParser *parser, WpTsdlScope *scope, GPtrArray *events)
{
	WpTsdlLexer *lexer = &parser->lexer;
	gboolean was;

	if (wp_tsdl_accept(lexer, ';'))
		return TRUE;
	if (accept_word(lexer, "event"))
		return parse_event(parser, scope, events);
	if (!wp_tsdl_parse_definition(parser, scope, &was))
		return FALSE;
	if (was)
		return TRUE;
	if (accept_word(lexer, "trace"))
		return parse_block(parser, scope, trace_entry, parser->trace);
	if (accept_word(lexer, "env"))
		return parse_block(parser, scope, env_entry, parser->trace);
	if (accept_word(lexer, "clock"))
		return parse_clock(parser, scope);
	if (accept_word(lexer, "stream"))
		return parse_stream(parser, scope);
	if (accept_word(lexer, "callsite"))
		return parse_block(parser, scope, ignored_entry, NULL);
	return wp_tsdl_unexpected(parser, "a trace, stream, event or other block");
}

static gboolean check_complete(WpTsdlParser *parser)
{
	WpCtfTrace *trace = parser->trace;

	if (trace->order == WP_CTF_ORDER_NATIVE || trace->streams->len == 0) {
		g_clear_error(&parser->error);
		g_set_error(&parser->error, WP_ERROR, WP_ERROR_FAILED,
			    "%s %s a %s; without it nothing of the trace can be read.",
			    parser->name, trace->cut ? "ends before" : "does not describe",
			    trace->streams->len ? "byte order" : "stream");
		return FALSE;
	}
	return TRUE;
}

static gboolean parse_all(WpTsdlParser *parser)
{
	g_autoptr(GPtrArray) events = g_ptr_array_new();
	g_auto(WpTsdlScope) scope = {0};

	while (parser->lexer.token.kind != WP_TSDL_END) {
		if (parse_top(parser, &scope, events))
			continue;
		if (!parser->at_end)
			return FALSE;
		parser->trace->cut = TRUE;
		break;
	}
	return check_complete(parser) && assign_events(parser, events);
}

static WpCtfTrace *trace_new(void)
{
	WpCtfTrace *trace = g_new0(WpCtfTrace, 1);

	trace->clocks = g_ptr_array_new();
	trace->streams = g_ptr_array_new_with_free_func(stream_free);
	trace->env = g_hash_table_new(g_str_hash, g_str_equal);
	trace->env_names = g_ptr_array_new();
	trace->env_numbers = g_hash_table_new(g_str_hash, g_str_equal);
	return trace;
}

WpCtfTrace *wp_ctf_trace_parse(const gchar *text, gsize length, const gchar *name, GError **error)
{
	g_autoptr(WpCtfTrace) trace = trace_new();
	g_auto(WpTsdlParser) parser;

	wp_tsdl_parser_init(&parser, trace, name, text, length);
	if (!parse_all(&parser)) {
		g_propagate_error(error, g_steal_pointer(&parser.error));
		return NULL;
	}
	return g_steal_pointer(&trace);
}

void wp_ctf_trace_free(WpCtfTrace *trace)
{
	if (!trace)
		return;
	g_ptr_array_unref(trace->clocks);
	g_ptr_array_unref(trace->streams);
	g_hash_table_unref(trace->env);
	g_ptr_array_unref(trace->env_names);
	g_hash_table_unref(trace->env_numbers);
	wp_arena_clear(&trace->memory);
	g_free(trace);
}

const WpCtfClock *wp_ctf_trace_find_clock(const WpCtfTrace *trace, const gchar *name)
{
	if (!name)
		return trace->clocks->len == 1 ? g_ptr_array_index(trace->clocks, 0) : NULL;
	for (guint i = 0; i < trace->clocks->len; i++) {
		const WpCtfClock *clock = g_ptr_array_index(trace->clocks, i);

		if (g_str_equal(clock->name, name))
			return clock;
	}
	return NULL;
}
