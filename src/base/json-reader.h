/* SPDX-License-Identifier: MIT */
/*
 * json-reader.h: reads back the JSON that this program writes: a cursor over the text, which
 * knows just as much JSON as it takes to find what is wanted, in a file of any size, and to
 * pass over the rest. No tree is made; how deep values nest is limited.
 */
#ifndef WP_BASE_JSON_READER_H
#define WP_BASE_JSON_READER_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
	const gchar *at, *end; /* borrowed */
	const gchar *begin; /* borrowed */
	const gchar *path; /* borrowed: for messages, as are the next two */
	const gchar *kind; /* what the file should be: "file of saved clocks" */
	const gchar *remedy; /* "make it anew with ..." */
} WpJsonReader;

/* Says what is wrong at the cursor; always FALSE, with WP_ERROR_FAILED. */
gboolean wp_json_reader_fail(const WpJsonReader *reader, const gchar *what, GError **error);
/* The next character that is no space, 0 at the end. */
gchar wp_json_reader_peek(WpJsonReader *reader);
/* Passes over the character if it is the next one. */
gboolean wp_json_reader_take(WpJsonReader *reader, gchar c);
gboolean wp_json_reader_expect(WpJsonReader *reader, gchar c, GError **error);
/* A string's text, the caller's; NULL with an error. */
gchar *wp_json_reader_string(WpJsonReader *reader, GError **error);
gboolean wp_json_reader_int(WpJsonReader *reader, gint64 *ret_value, GError **error);
/* Passes over a value of any kind. */
gboolean wp_json_reader_skip(WpJsonReader *reader, GError **error);

/* Reads the value of one member of an object; data is what is being filled. */
typedef gboolean (*WpJsonMemberFunc)(WpJsonReader *reader, const gchar *key, gpointer data,
				     GError **error);
gboolean wp_json_reader_object(WpJsonReader *reader, WpJsonMemberFunc func, gpointer data,
			       GError **error);
/* Reads one element of an array. */
typedef gboolean (*WpJsonElementFunc)(WpJsonReader *reader, gpointer data, GError **error);
gboolean wp_json_reader_array(WpJsonReader *reader, WpJsonElementFunc func, gpointer data,
			      GError **error);

G_END_DECLS

#endif
