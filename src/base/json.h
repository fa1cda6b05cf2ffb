/* SPDX-License-Identifier: MIT */
/*
 * json.h: the one writer of JSON: streaming, on a WpOut, so that a path of a
 * million segments needs no tree in memory.
 *
 * Objects and arrays are laid out one member a line; those begun with _LINE stay,
 * with all that is in them, on one line: a table of records reads well and can be
 * cut with grep. Text that is not UTF-8 (a task may call itself anything) gets
 * U+FFFD where it is broken.
 */
#ifndef WP_BASE_JSON_H
#define WP_BASE_JSON_H

#include "base/out.h"

G_BEGIN_DECLS

#define WP_JSON_DEPTH_MAX 31

typedef struct {
	WpOut *out; /* borrowed */
	guint depth;
	guint32 filled; /* bit n: the container at depth n has a member already */
	guint32 line; /* bit n: the container at depth n is on one line */
} WpJson;

typedef enum { WP_JSON_BLOCK, WP_JSON_LINE } WpJsonStyle;

void wp_json_init(WpJson *json, WpOut *out);

/* In all that follow key is the member's name in an object, NULL in an array and at the top. */
void wp_json_begin_object(WpJson *json, const gchar *key, WpJsonStyle style);
void wp_json_end_object(WpJson *json);
void wp_json_begin_array(WpJson *json, const gchar *key, WpJsonStyle style);
void wp_json_end_array(WpJson *json);
/* NULL gives null. */
void wp_json_string(WpJson *json, const gchar *key, const gchar *value);
void wp_json_int(WpJson *json, const gchar *key, gint64 value);
void wp_json_uint(WpJson *json, const gchar *key, guint64 value);
/* The shortest text that reads back as the same number; what is no number gives null. */
void wp_json_double(WpJson *json, const gchar *key, gdouble value);
/* A number that is text already: digits, with a point maybe. */
void wp_json_number(WpJson *json, const gchar *key, const gchar *digits);
void wp_json_bool(WpJson *json, const gchar *key, gboolean value);
void wp_json_null(WpJson *json, const gchar *key);
/* After the top value: the last line's end. */
void wp_json_finish(WpJson *json);

G_END_DECLS

#endif
