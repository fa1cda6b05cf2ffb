/* SPDX-License-Identifier: MIT */
/*
 * strings.c: the texts lie in a GStringChunk and never move; a hash table finds the
 * id of a text, an array the text of an id.
 */
#include "config.h"

#include <string.h>

#include "base/strings.h"

#define TEXT_MAX 4096

struct WpStrings {
	GStringChunk *texts; /* owned */
	GPtrArray *by_id;    /* owned; const gchar *, owned by texts */
	GHashTable *ids;     /* owned; const gchar * (owned by texts) -> id */
};

WpStrings *wp_strings_new(void)
{
	WpStrings *strings = g_new0(WpStrings, 1);

	strings->texts = g_string_chunk_new(4096);
	strings->by_id = g_ptr_array_new();
	strings->ids = g_hash_table_new(g_str_hash, g_str_equal);
	wp_strings_intern(strings, "");
	return strings;
}

void wp_strings_free(WpStrings *strings)
{
	if (!strings)
		return;
	g_hash_table_destroy(strings->ids);
	g_ptr_array_free(strings->by_id, TRUE);
	g_string_chunk_free(strings->texts);
	g_free(strings);
}

WpId wp_strings_find(const WpStrings *strings, const gchar *text)
{
	gpointer id;

	if (!g_hash_table_lookup_extended(strings->ids, text, NULL, &id))
		return WP_NONE;
	return GPOINTER_TO_UINT(id);
}

WpId wp_strings_intern(WpStrings *strings, const gchar *text)
{
	if (!text)
		return 0;

	WpId id = wp_strings_find(strings, text);

	if (id != WP_NONE)
		return id;
	if (strlen(text) > TEXT_MAX) {
		g_autofree gchar *cut = g_strndup(text, TEXT_MAX);

		return wp_strings_intern(strings, cut);
	}
	text = g_string_chunk_insert(strings->texts, text);
	id = strings->by_id->len;
	g_ptr_array_add(strings->by_id, (gpointer)text);
	g_hash_table_insert(strings->ids, (gpointer)text, GUINT_TO_POINTER(id));
	return id;
}

const gchar *wp_strings_get(const WpStrings *strings, WpId id)
{
	return id < strings->by_id->len ? g_ptr_array_index(strings->by_id, id) : "";
}

guint32 wp_strings_n(const WpStrings *strings)
{
	return strings->by_id->len;
}
