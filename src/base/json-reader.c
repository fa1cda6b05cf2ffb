/* SPDX-License-Identifier: MIT */
/* json-reader.c: see json-reader.h. */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "base/json-reader.h"

#define DEPTH_MAX 32u
#define NAME_MAX_BYTES 4096u

gboolean wp_json_reader_fail(const WpJsonReader *reader, const gchar *what, GError **error)
{
	g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
		    "%s is no %s: %s at byte %" G_GSIZE_FORMAT "; %s.", reader->path, reader->kind,
		    what, (gsize)(reader->at - reader->begin), reader->remedy);
	return FALSE;
}

gchar wp_json_reader_peek(WpJsonReader *reader)
{
	while (reader->at < reader->end && strchr(" \t\r\n", *reader->at))
		reader->at++;
	return reader->at < reader->end ? *reader->at : 0;
}

gboolean wp_json_reader_take(WpJsonReader *reader, gchar c)
{
	if (wp_json_reader_peek(reader) != c || c == 0)
		return FALSE;
	reader->at++;
	return TRUE;
}

gboolean wp_json_reader_expect(WpJsonReader *reader, gchar c, GError **error)
{
	const gchar what[] = {'\'', c,   '\'', ' ', 'i', 's', ' ', 'm',
			      'i',  's', 's',  'i', 'n', 'g', 0};

	return wp_json_reader_take(reader, c) || wp_json_reader_fail(reader, what, error);
}

/* Four hexadecimal digits, -1 when they are none. */
static gint32 read_hex(WpJsonReader *reader)
{
	gint32 value = 0;

	for (guint i = 0; i < 4; i++) {
		if (reader->at == reader->end || !g_ascii_isxdigit(*reader->at))
			return -1;
		value = value * 16 + g_ascii_xdigit_value(*reader->at++);
	}
	return value;
}

/* The character of a \u escape, or of a pair of them. */
static gunichar read_unicode(WpJsonReader *reader)
{
	const gint32 first = read_hex(reader);
	gint32 second;

	if (first < 0xd800 || first > 0xdfff)
		return first <= 0 ? 0xfffd : (gunichar)first;
	if (first > 0xdbff || reader->end - reader->at < 6 || reader->at[0] != '\\' ||
	    reader->at[1] != 'u')
		return 0xfffd;
	reader->at += 2;
	second = read_hex(reader);
	if (second < 0xdc00 || second > 0xdfff)
		return 0xfffd;
	return 0x10000 + (((gunichar)first & 0x3ff) << 10) + ((gunichar)second & 0x3ff);
}

static void read_escape(WpJsonReader *reader, GString *text)
{
	static const gchar from[] = "bfnrt", to[] = "\b\f\n\r\t";
	const gchar c = reader->at < reader->end ? *reader->at++ : 0;
	const gchar *known = c ? strchr(from, c) : NULL;

	if (c == 'u')
		g_string_append_unichar(text, read_unicode(reader));
	else if (known)
		g_string_append_c(text, to[known - from]);
	else if (c)
		g_string_append_c(text, c);
}

gchar *wp_json_reader_string(WpJsonReader *reader, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);

	if (!wp_json_reader_expect(reader, '"', error))
		return NULL;
	while (reader->at < reader->end && *reader->at != '"' && text->len < NAME_MAX_BYTES) {
		const gchar c = *reader->at++;

		if (c == '\\')
			read_escape(reader, text);
		else
			g_string_append_c(text, c);
	}
	if (!wp_json_reader_take(reader, '"')) {
		wp_json_reader_fail(reader, "a text has no end", error);
		return NULL;
	}
	return g_string_free(g_steal_pointer(&text), FALSE);
}

gboolean wp_json_reader_int(WpJsonReader *reader, gint64 *ret_value, GError **error)
{
	gchar digits[24], *end;
	gsize n = 0;

	wp_json_reader_peek(reader);
	while (reader->at < reader->end && n + 1 < sizeof(digits) &&
	       (g_ascii_isdigit(*reader->at) || (n == 0 && *reader->at == '-')))
		digits[n++] = *reader->at++;
	digits[n] = 0;
	*ret_value = g_ascii_strtoll(digits, &end, 10);
	if (n == 0 || *end || end == digits || !strchr(",] \t\r\n}", wp_json_reader_peek(reader)) ||
	    !wp_json_reader_peek(reader))
		return wp_json_reader_fail(reader, "a whole number is missing", error);
	return TRUE;
}

/* A string of any length. */
static gboolean skip_string(WpJsonReader *reader, GError **error)
{
	while (++reader->at < reader->end && *reader->at != '"')
		if (*reader->at == '\\' && reader->end - reader->at > 1)
			reader->at++;
	return wp_json_reader_take(reader, '"') ||
	       wp_json_reader_fail(reader, "a text has no end", error);
}

static gboolean skip_at(WpJsonReader *reader, guint depth, GError **error);

/* Members of an object or elements of an array, up to its end. */
static gboolean skip_container(WpJsonReader *reader, gchar last, guint depth, GError **error)
{
	reader->at++;
	if (depth == DEPTH_MAX)
		return wp_json_reader_fail(reader, "it nests too deep", error);
	if (wp_json_reader_take(reader, last))
		return TRUE;
	do {
		if (last == '}') {
			g_autofree gchar *key = wp_json_reader_string(reader, error);

			if (!key || !wp_json_reader_expect(reader, ':', error))
				return FALSE;
		}
		if (!skip_at(reader, depth + 1, error))
			return FALSE;
	} while (wp_json_reader_take(reader, ','));
	return wp_json_reader_expect(reader, last, error);
}

static gboolean skip_at(WpJsonReader *reader, guint depth, GError **error)
{
	const gchar c = wp_json_reader_peek(reader);
	const gchar *begin = reader->at;

	if (c == '"')
		return skip_string(reader, error);
	if (c == '{' || c == '[')
		return skip_container(reader, c == '{' ? '}' : ']', depth, error);
	while (reader->at < reader->end &&
	       (g_ascii_isalnum(*reader->at) || strchr("+-.", *reader->at)))
		reader->at++;
	return reader->at > begin || wp_json_reader_fail(reader, "a value is missing", error);
}

gboolean wp_json_reader_skip(WpJsonReader *reader, GError **error)
{
	return skip_at(reader, 0, error);
}

gboolean wp_json_reader_object(WpJsonReader *reader, WpJsonMemberFunc func, gpointer data,
			       GError **error)
{
	if (!wp_json_reader_expect(reader, '{', error))
		return FALSE;
	if (wp_json_reader_take(reader, '}'))
		return TRUE;
	do {
		g_autofree gchar *key = wp_json_reader_string(reader, error);

		if (!key || !wp_json_reader_expect(reader, ':', error) ||
		    !func(reader, key, data, error))
			return FALSE;
	} while (wp_json_reader_take(reader, ','));
	return wp_json_reader_expect(reader, '}', error);
}

gboolean wp_json_reader_array(WpJsonReader *reader, WpJsonElementFunc func, gpointer data,
			      GError **error)
{
	if (!wp_json_reader_expect(reader, '[', error))
		return FALSE;
	if (wp_json_reader_take(reader, ']'))
		return TRUE;
	do {
		if (!func(reader, data, error))
			return FALSE;
	} while (wp_json_reader_take(reader, ','));
	return wp_json_reader_expect(reader, ']', error);
}
