/* SPDX-License-Identifier: MIT */
/* json-value.c: a small parser of JSON that makes Babeltrace values. */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "plugins/common/json-value.h"

typedef struct {
	const gchar *begin, *at; /* borrowed; NUL-terminated */
	guint depth;
} Parser;

static bt_value *parse_value(Parser *parser);

static gchar peek(Parser *parser)
{
	while (*parser->at && strchr(" \t\r\n", *parser->at))
		parser->at++;
	return *parser->at;
}

static gboolean take(Parser *parser, gchar c)
{
	if (peek(parser) != c)
		return FALSE;
	parser->at++;
	return TRUE;
}

/* Behind "\u"; a surrogate pair is two of them. */
static gboolean parse_unicode(Parser *parser, gunichar *ret_char)
{
	*ret_char = 0;
	for (guint i = 0; i < 4; i++, parser->at++) {
		gint digit = g_ascii_xdigit_value(*parser->at);

		if (digit < 0)
			return FALSE;
		*ret_char = *ret_char << 4 | (gunichar)digit;
	}
	return TRUE;
}

static gboolean parse_escape(Parser *parser, GString *text)
{
	static const gchar from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const gchar *found = *parser->at ? strchr(from, *parser->at) : NULL;
	gunichar c, low;

	if (found) {
		g_string_append_c(text, to[found - from]);
		parser->at++;
		return TRUE;
	}
	if (*parser->at++ != 'u' || !parse_unicode(parser, &c))
		return FALSE;
	if (c >= 0xd800 && c < 0xdc00) {
		if (strncmp(parser->at, "\\u", 2))
			return FALSE;
		parser->at += 2;
		if (!parse_unicode(parser, &low) || low < 0xdc00 || low > 0xdfff)
			return FALSE;
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
	}
	g_string_append_unichar(text, c);
	return TRUE;
}

static gchar *parse_string(Parser *parser)
{
	g_autoptr(GString) text = g_string_new(NULL);

	if (!take(parser, '"'))
		return NULL;
	while (*parser->at && *parser->at != '"') {
		if (*parser->at != '\\')
			g_string_append_c(text, *parser->at++);
		else if (parser->at++, !parse_escape(parser, text))
			return NULL;
	}
	if (*parser->at++ != '"')
		return NULL;
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static bt_value *parse_number(Parser *parser)
{
	const gchar *end = parser->at;
	gboolean is_real = FALSE;
	g_autofree gchar *text = NULL;
	gint64 integer;

	while (*end && strchr("+-0123456789.eE", *end)) {
		is_real = is_real || strchr(".eE", *end);
		end++;
	}
	text = g_strndup(parser->at, (gsize)(end - parser->at));
	parser->at = end;
	if (!is_real && g_ascii_string_to_signed(text, 10, G_MININT64, G_MAXINT64, &integer, NULL))
		return bt_value_integer_signed_create_init(integer);
	return *text ? bt_value_real_create_init(g_ascii_strtod(text, NULL)) : NULL;
}

static bt_value *parse_word(Parser *parser)
{
	static const gchar *const words[] = {"true", "false", "null"};

	for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
		if (strncmp(parser->at, words[i], strlen(words[i])))
			continue;
		parser->at += strlen(words[i]);
		if (i < 2)
			return bt_value_bool_create_init(i == 0);
		bt_value_get_ref(bt_value_null);
		return bt_value_null;
	}
	return NULL;
}

static gboolean append_element(Parser *parser, bt_value *array)
{
	bt_value *element = parse_value(parser);
	gboolean ok = element && bt_value_array_append_element(array, element) ==
					 BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK;

	bt_value_put_ref(element);
	return ok;
}

static bt_value *parse_array(Parser *parser)
{
	bt_value *array = bt_value_array_create();
	gboolean ok = array && take(parser, '[');

	if (ok && take(parser, ']'))
		return array;
	do
		ok = ok && append_element(parser, array);
	while (ok && take(parser, ','));
	if (!ok || !take(parser, ']'))
		BT_VALUE_PUT_REF_AND_RESET(array);
	return array;
}

static gboolean insert_member(Parser *parser, bt_value *map)
{
	g_autofree gchar *key = parse_string(parser);
	bt_value *value = key && take(parser, ':') ? parse_value(parser) : NULL;
	gboolean ok = value && bt_value_map_insert_entry(map, key, value) ==
				       BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK;

	bt_value_put_ref(value);
	return ok;
}

static bt_value *parse_object(Parser *parser)
{
	bt_value *map = bt_value_map_create();
	gboolean ok = map && take(parser, '{');

	if (ok && take(parser, '}'))
		return map;
	do
		ok = ok && insert_member(parser, map);
	while (ok && take(parser, ','));
	if (!ok || !take(parser, '}'))
		BT_VALUE_PUT_REF_AND_RESET(map);
	return map;
}

static bt_value *parse_value(Parser *parser)
{
	g_autofree gchar *text = NULL;
	bt_value *value;

	if (parser->depth > WP_JSON_DEPTH_MAX)
		return NULL;
	parser->depth++;
	switch (peek(parser)) {
	case '{':
		value = parse_object(parser);
		break;
	case '[':
		value = parse_array(parser);
		break;
	case '"':
		text = parse_string(parser);
		value = text ? bt_value_string_create_init(text) : NULL;
		break;
	case 't':
	case 'f':
	case 'n':
		value = parse_word(parser);
		break;
	default:
		value = parse_number(parser);
		break;
	}
	parser->depth--;
	return value;
}

bt_value *wp_json_to_value(const gchar *text, GError **error)
{
	Parser parser = {.begin = text, .at = text};
	bt_value *value = parse_value(&parser);

	if (value && !peek(&parser))
		return value;
	bt_value_put_ref(value);
	g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "The report is no JSON at byte %td.",
		    parser.at - parser.begin);
	return NULL;
}
