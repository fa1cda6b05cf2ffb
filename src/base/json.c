/* SPDX-License-Identifier: MIT */
/* json.c: commas, indentation and escapes. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/json.h"

void wp_json_init(WpJson *json, WpOut *out)
{
	*json = (WpJson){.out = out};
}

static void newline(WpJson *json, guint depth)
{
	wp_out_putc(json->out, '\n');
	wp_out_repeat(json->out, "  ", depth);
}

static void quote(WpOut *out, const gchar *text)
{
	g_autofree gchar *valid = NULL;
	const gchar *run;

	if (!g_utf8_validate(text, -1, NULL))
		text = valid = g_utf8_make_valid(text, -1);
	wp_out_putc(out, '"');
	for (run = text; *text; text++) {
		guchar c = (guchar)*text;

		if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7f)
			continue;
		wp_out_put_len(out, run, (gsize)(text - run));
		run = text + 1;
		if (c == '"' || c == '\\') {
			wp_out_putc(out, '\\');
			wp_out_putc(out, (gchar)c);
		} else {
			wp_out_printf(out, "\\u%04x", c);
		}
	}
	wp_out_put_len(out, run, (gsize)(text - run));
	wp_out_putc(out, '"');
}

/* What comes before a value: comma, place, key. */
static void lead(WpJson *json, const gchar *key)
{
	guint32 bit = 1u << json->depth;

	if (json->depth > 0) {
		if (json->filled & bit)
			wp_out_putc(json->out, ',');
		if (!(json->line & bit))
			newline(json, json->depth);
		else if (json->filled & bit)
			wp_out_putc(json->out, ' ');
		json->filled |= bit;
	}
	if (key) {
		quote(json->out, key);
		wp_out_put(json->out, ": ");
	}
}

static void begin(WpJson *json, const gchar *key, gchar bracket, WpJsonStyle style)
{
	gboolean line = style == WP_JSON_LINE || (json->line >> json->depth & 1u);

	g_return_if_fail(json->depth < WP_JSON_DEPTH_MAX);
	lead(json, key);
	wp_out_putc(json->out, bracket);
	json->depth++;
	json->filled &= ~(1u << json->depth);
	json->line &= ~(1u << json->depth);
	if (line)
		json->line |= 1u << json->depth;
}

static void end(WpJson *json, gchar bracket)
{
	guint32 bit = 1u << json->depth;

	g_return_if_fail(json->depth > 0);
	json->depth--;
	if (json->filled & bit && !(json->line & bit))
		newline(json, json->depth);
	wp_out_putc(json->out, bracket);
}

void wp_json_begin_object(WpJson *json, const gchar *key, WpJsonStyle style)
{
	begin(json, key, '{', style);
}

void wp_json_end_object(WpJson *json)
{
	end(json, '}');
}

void wp_json_begin_array(WpJson *json, const gchar *key, WpJsonStyle style)
{
	begin(json, key, '[', style);
}

void wp_json_end_array(WpJson *json)
{
	end(json, ']');
}

void wp_json_null(WpJson *json, const gchar *key)
{
	lead(json, key);
	wp_out_put(json->out, "null");
}

void wp_json_string(WpJson *json, const gchar *key, const gchar *value)
{
	if (!value) {
		wp_json_null(json, key);
		return;
	}
	lead(json, key);
	quote(json->out, value);
}

void wp_json_int(WpJson *json, const gchar *key, gint64 value)
{
	lead(json, key);
	wp_out_int(json->out, value);
}

void wp_json_uint(WpJson *json, const gchar *key, guint64 value)
{
	lead(json, key);
	wp_out_uint(json->out, value);
}

void wp_json_double(WpJson *json, const gchar *key, gdouble value)
{
	static const gchar *const formats[] = {"%.15g", "%.16g", "%.17g"};
	gchar text[G_ASCII_DTOSTR_BUF_SIZE];

	if (!isfinite(value)) {
		wp_json_null(json, key);
		return;
	}
	for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
		g_ascii_formatd(text, sizeof(text), formats[i], value);
		if (!(g_ascii_strtod(text, NULL) < value) && !(g_ascii_strtod(text, NULL) > value))
			break;
	}
	lead(json, key);
	wp_out_put(json->out, text);
}

void wp_json_number(WpJson *json, const gchar *key, const gchar *digits)
{
	lead(json, key);
	wp_out_put(json->out, digits);
}

void wp_json_bool(WpJson *json, const gchar *key, gboolean value)
{
	lead(json, key);
	wp_out_put(json->out, value ? "true" : "false");
}

void wp_json_finish(WpJson *json)
{
	wp_out_putc(json->out, '\n');
}
