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

G_GNUC_PRINTF(3, 0)
static gboolean fail(WpTsdlParser *parser, WpError code, const gchar *format, va_list args)
{
	g_autofree gchar *text = NULL;

	if (parser->error)
		return FALSE;
	text = g_strdup_vprintf(format, args);
	g_set_error(&parser->error, WP_ERROR, code, "%s, line %u of its text: %s.", parser->name,
		    parser->lexer.line, text);
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

	g_autofree gchar *found = g_strndup(token->text, MIN(token->length, 40));
	g_autofree gchar *shown = g_strescape(found, NULL);

	return wp_tsdl_decline(parser, "there is \"%s\" where %s should follow", shown, expected);
}

gboolean wp_tsdl_expect(WpTsdlParser *parser, gchar ch)
{
	const gchar expected[] = {ch, '\0'};

	return wp_tsdl_accept(&parser->lexer, ch) || wp_tsdl_unexpected(parser, expected);
}

static const gchar *keep_text(WpTsdlParser *parser, const gchar *text, gsize length)
{
	return g_string_chunk_insert_len(parser->trace->texts, text, (gssize)length);
}

const gchar *wp_tsdl_take_text(WpTsdlParser *parser)
{
	const WpTsdlToken *token = &parser->lexer.token;
	const gchar *text;

	if (token->escaped) {
		g_autofree gchar *raw = g_strndup(token->text, token->length);
		g_autofree gchar *plain = g_strcompress(raw);

		text = g_string_chunk_insert(parser->trace->texts, plain);
	} else {
		text = keep_text(parser, token->text, token->length);
	}
	wp_tsdl_lexer_advance(&parser->lexer);
	return text;
}

gboolean wp_tsdl_parse_path(WpTsdlParser *parser, const gchar *expected, const gchar **ret_path)
{
	g_autoptr(GString) path = NULL;
	const gchar *single;

	do {
		if (parser->lexer.token.kind != WP_TSDL_WORD)
			return wp_tsdl_unexpected(parser, expected);

		const gchar *word = wp_tsdl_take_text(parser);

		single = word;
		if (path)
			g_string_append_printf(path, ".%s", word);
		else if (wp_tsdl_is_char(&parser->lexer, '.'))
			path = g_string_new(word);
	} while (wp_tsdl_accept(&parser->lexer, '.'));
	*ret_path = path ? g_string_chunk_insert_const(parser->trace->texts, path->str) : single;
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

/* In decimal, however it is written; NULL when it is none. */
static const gchar *take_number(WpTsdlParser *parser)
{
	gchar digits[24], *at = digits + sizeof(digits);
	gboolean negative = FALSE;
	guint64 value = 0;

	if (!wp_tsdl_parse_number(parser, &value, &negative))
		return NULL;
	value = negative ? -value : value;
	do {
		*--at = (gchar)('0' + value % 10);
		value /= 10;
	} while (value);
	if (negative)
		*--at = '-';
	return keep_text(parser, at, (gsize)(digits + sizeof(digits) - at));
}

/* What follows the first word or number of a value: a.b.c, and UTF-8 without quotes. */
static gboolean parse_rest_of_value(WpTsdlParser *parser, const gchar *first,
				    const gchar **ret_text)
{
	g_autoptr(GString) whole = g_string_new(first);
	gboolean behind_word = !parser->number;

	for (;; behind_word = TRUE) {
		if (behind_word) {
			const gchar *number = "";

			if (wp_tsdl_accept(&parser->lexer, '.'))
				g_string_append_c(whole, '.');
			else if (wp_tsdl_accept(&parser->lexer, '-'))
				g_string_append_c(whole, '-');
			else
				break;
			if (parser->lexer.token.kind == WP_TSDL_NUMBER)
				number = take_number(parser);
			if (!number)
				return FALSE;
			g_string_append(whole, number);
		}
		if (parser->lexer.token.kind != WP_TSDL_WORD)
			break;
		g_string_append(whole, wp_tsdl_take_text(parser));
	}
	*ret_text = g_string_chunk_insert_const(parser->trace->texts, whole->str);
	return TRUE;
}

gboolean wp_tsdl_parse_value(WpTsdlParser *parser, const gchar **ret_text)
{
	const WpTsdlLexer *lexer = &parser->lexer;
	const WpTsdlKind kind = lexer->token.kind;
	const gchar *text;

	parser->number = kind != WP_TSDL_TEXT && kind != WP_TSDL_WORD;
	text = parser->number ? take_number(parser) : wp_tsdl_take_text(parser);
	if (!text)
		return FALSE;
	if (parser->number ? lexer->token.kind == WP_TSDL_WORD
			   : kind == WP_TSDL_WORD &&
				     (wp_tsdl_is_char(lexer, '.') || wp_tsdl_is_char(lexer, '-')))
		return parse_rest_of_value(parser, text, ret_text);
	*ret_text = text;
	return TRUE;
}

/* ---- entries of blocks ---- */

/*
 * Called for each entry of a block: value is the text behind =, or type what stands
 * behind :=; the other is NULL.
 */
typedef gboolean (*EntryFunc)(WpTsdlParser *parser, gpointer data, const gchar *key,
			      const gchar *value, const WpCtfType *type);

static gboolean parse_entry(WpTsdlParser *parser, WpTsdlScope *scope, EntryFunc func, gpointer data)
{
	const gchar *key, *value = NULL;
	const WpCtfType *type = NULL;

	if (parser->lexer.token.kind == WP_TSDL_TEXT)
		key = wp_tsdl_take_text(parser);
	else if (!wp_tsdl_parse_path(parser, "a name", &key))
		return FALSE;
	if (parser->lexer.token.kind == WP_TSDL_ASSIGN_TYPE) {
		wp_tsdl_lexer_advance(&parser->lexer);
		if (!wp_tsdl_parse_type(parser, scope, &type))
			return FALSE;
	} else if (!wp_tsdl_expect(parser, '=') || !wp_tsdl_parse_value(parser, &value)) {
		return FALSE;
	}
	return wp_tsdl_expect(parser, ';') && func(parser, data, key, value, type);
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

static gboolean to_number(WpTsdlParser *parser, const gchar *key, const gchar *value,
			  guint64 *ret_number)
{
	if (!value || !g_ascii_string_to_unsigned(value, 10, 0, G_MAXUINT64, ret_number, NULL))
		return wp_tsdl_decline(parser, "%s is no number", key);
	return TRUE;
}

static gboolean to_signed(WpTsdlParser *parser, const gchar *key, const gchar *value,
			  gint64 *ret_number)
{
	if (!value ||
	    !g_ascii_string_to_signed(value, 10, G_MININT64, G_MAXINT64, ret_number, NULL))
		return wp_tsdl_decline(parser, "%s is no number", key);
	return TRUE;
}

static gboolean to_struct(WpTsdlParser *parser, const gchar *key, const WpCtfType *type,
			  const WpCtfType **ret_type)
{
	if (!type || type->kind != WP_CTF_STRUCT)
		return wp_tsdl_decline(parser, "%s is no structure", key);
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

static gboolean trace_entry(WpTsdlParser *parser, gpointer data, const gchar *key,
			    const gchar *value, const WpCtfType *type)
{
	WpCtfTrace *trace = data;

	if (g_str_equal(key, "packet.header"))
		return to_struct(parser, key, type, &trace->packet_header);
	if (!value)
		return wp_tsdl_decline(parser, "trace.%s is not known", key);
	if (g_str_equal(key, "major") && !g_str_equal(value, "1"))
		return wp_tsdl_decline(parser, "CTF %s is not known", value);
	if (g_str_equal(key, "uuid")) {
		trace->has_uuid = wp_ctf_uuid_parse(value, trace->uuid);
		return trace->has_uuid || wp_tsdl_decline(parser, "%s is no UUID", value);
	}
	if (g_str_equal(key, "byte_order")) {
		if (g_str_equal(value, "le"))
			trace->order = WP_CTF_ORDER_LE;
		else if (g_str_equal(value, "be") || g_str_equal(value, "network"))
			trace->order = WP_CTF_ORDER_BE;
		else
			return wp_tsdl_decline(parser, "the byte order %s is not known", value);
	}
	return TRUE;
}

/* ---- env, clock, callsite ---- */

static gboolean env_entry(WpTsdlParser *parser, gpointer data, const gchar *key, const gchar *value,
			  const WpCtfType *type)
{
	WpCtfTrace *trace = data;

	if (type)
		return wp_tsdl_decline(parser, "env.%s is a type", key);
	gchar *name = g_string_chunk_insert_const(trace->texts, key);

	if (g_hash_table_insert(trace->env, name, (gpointer)value))
		g_ptr_array_add(trace->env_names, name);
	if (parser->number)
		g_hash_table_add(trace->env_numbers, name);
	return TRUE;
}

static gboolean clock_entry(WpTsdlParser *parser, gpointer data, const gchar *key,
			    const gchar *value, const WpCtfType *type)
{
	WpCtfClock *clock = data;

	if (type)
		return wp_tsdl_decline(parser, "clock.%s is a type", key);
	if (g_str_equal(key, "name"))
		clock->name = value;
	else if (g_str_equal(key, "uuid"))
		clock->uuid = value;
	else if (g_str_equal(key, "freq"))
		return to_number(parser, key, value, &clock->freq) &&
		       (clock->freq || wp_tsdl_decline(parser, "a clock's freq is 0"));
	else if (g_str_equal(key, "description"))
		clock->description = value;
	else if (g_str_equal(key, "absolute"))
		clock->absolute = !g_ascii_strcasecmp(value, "true") || g_str_equal(value, "1");
	else if (g_str_equal(key, "precision"))
		(void)g_ascii_string_to_unsigned(value, 10, 0, G_MAXUINT64, &clock->precision,
						 NULL);
	else if (g_str_equal(key, "offset_s"))
		return to_signed(parser, key, value, &clock->offset_s);
	else if (g_str_equal(key, "offset"))
		return to_signed(parser, key, value, &clock->offset);
	return TRUE;
}

static gboolean parse_clock(WpTsdlParser *parser, const WpTsdlScope *scope)
{
	GPtrArray *clocks = parser->trace->clocks;
	WpCtfClock *clock = g_new0(WpCtfClock, 1);

	g_ptr_array_add(parser->trace->memory, clock);
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
			      G_GNUC_UNUSED const gchar *key, G_GNUC_UNUSED const gchar *value,
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

static gboolean stream_entry(WpTsdlParser *parser, gpointer data, const gchar *key,
			     const gchar *value, const WpCtfType *type)
{
	WpCtfStreamClass *stream = data;

	if (g_str_equal(key, "id"))
		return to_number(parser, key, value, &stream->id);
	if (g_str_equal(key, "packet.context"))
		return to_struct(parser, key, type, &stream->packet_context);
	if (g_str_equal(key, "event.header"))
		return to_struct(parser, key, type, &stream->event_header);
	if (g_str_equal(key, "event.context"))
		return to_struct(parser, key, type, &stream->event_context);
	return value || wp_tsdl_decline(parser, "stream.%s is not known", key);
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
static gint to_loglevel(const gchar *value)
{
	guint64 level;

	return g_ascii_string_to_unsigned(value, 10, 0, 14, &level, NULL) ? (gint)level : -1;
}

static gboolean event_entry(WpTsdlParser *parser, gpointer data, const gchar *key,
			    const gchar *value, const WpCtfType *type)
{
	WpCtfEventClass *event = data;

	if (g_str_equal(key, "id"))
		return to_number(parser, key, value, &event->id);
	if (g_str_equal(key, "stream_id")) {
		event->has_stream_id = TRUE;
		return to_number(parser, key, value, &event->stream_id);
	}
	if (g_str_equal(key, "context"))
		return to_struct(parser, key, type, &event->context);
	if (g_str_equal(key, "fields"))
		return to_struct(parser, key, type, &event->fields);
	if (!value)
		return wp_tsdl_decline(parser, "event.%s is not known", key);
	if (g_str_equal(key, "name"))
		event->name = value;
	else if (g_str_equal(key, "model.emf.uri"))
		event->uri = value;
	else if (g_str_equal(key, "loglevel"))
		event->loglevel = to_loglevel(value);
	return TRUE;
}

/* Events are given to their streams at the end: a stream may follow its events. */
static gboolean parse_event(WpTsdlParser *parser, const WpTsdlScope *scope, GPtrArray *events)
{
	WpCtfEventClass *event = g_new0(WpCtfEventClass, 1);

	g_ptr_array_add(parser->trace->memory, event);
	event->name = "";
	event->loglevel = -1;
	if (!parse_block(parser, scope, event_entry, event))
		return FALSE;
	if (events->len >= CLASSES_MAX)
		return wp_tsdl_refuse(parser, "there are more than %u events", CLASSES_MAX);
	g_ptr_array_add(events, event);
	return TRUE;
}

static gboolean assign_events(WpTsdlParser *parser, GPtrArray *events)
{
	WpCtfTrace *trace = parser->trace;

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
		if (stream)
			g_ptr_array_add(stream->events, event);
	}
	return TRUE;
}

/* ---- the whole text ---- */

static gboolean parse_top(WpTsdlParser *parser, WpTsdlScope *scope, GPtrArray *events)
{
	static const gchar *const words[] = {"trace",  "env",   "clock",
					     "stream", "event", "callsite"};
	WpCtfTrace *trace = parser->trace;
	gboolean was;
	guint i;

	if (wp_tsdl_accept(&parser->lexer, ';'))
		return TRUE;
	if (!wp_tsdl_parse_definition(parser, scope, &was))
		return FALSE;
	if (was)
		return TRUE;
	for (i = 0; i < G_N_ELEMENTS(words); i++)
		if (wp_tsdl_is_word(&parser->lexer, words[i]))
			break;
	if (i == G_N_ELEMENTS(words))
		return wp_tsdl_unexpected(parser, "a trace, stream, event or other block");
	wp_tsdl_lexer_advance(&parser->lexer);
	switch (i) {
	case 0:
		return parse_block(parser, scope, trace_entry, trace);
	case 1:
		return parse_block(parser, scope, env_entry, trace);
	case 2:
		return parse_clock(parser, scope);
	case 3:
		return parse_stream(parser, scope);
	case 4:
		return parse_event(parser, scope, events);
	default:
		return parse_block(parser, scope, ignored_entry, NULL);
	}
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
	trace->memory = g_ptr_array_new_with_free_func(g_free);
	trace->texts = g_string_chunk_new(16384);
	return trace;
}

WpCtfTrace *wp_ctf_trace_parse(const gchar *text, gsize length, const gchar *name, GError **error)
{
	g_autoptr(WpCtfTrace) trace = trace_new();
	g_autoptr(GHashTable) integers = wp_tsdl_integers_new();
	WpTsdlParser parser = {.trace = trace, .name = name, .integers = integers};

	wp_tsdl_lexer_init(&parser.lexer, text, length);

	gboolean parsed = parse_all(&parser);

	/* A cut text leaves its error behind even when enough was parsed. */
	if (!parsed) {
		g_propagate_error(error, parser.error);
		return NULL;
	}
	g_clear_error(&parser.error);
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
	g_ptr_array_unref(trace->memory);
	g_string_chunk_free(trace->texts);
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
