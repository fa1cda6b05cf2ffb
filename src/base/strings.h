/* SPDX-License-Identifier: MIT */
/*
 * strings.h: interned strings: each distinct text once, named by a 32-bit id.
 * Id 0 is the empty string. Not thread-safe: each host has its own table.
 */
#ifndef WP_BASE_STRINGS_H
#define WP_BASE_STRINGS_H

#include "base/types.h"

G_BEGIN_DECLS

typedef struct WpStrings WpStrings;

WpStrings *wp_strings_new(void);
void wp_strings_free(WpStrings *strings);
/* The id of text; a text longer than 4096 bytes is cut. NULL gives 0. */
WpId wp_strings_intern(WpStrings *strings, const gchar *text);
/* WP_NONE when text was never interned. */
WpId wp_strings_find(const WpStrings *strings, const gchar *text);
/* Borrowed, good as long as the table; "" for an id out of range. */
const gchar *wp_strings_get(const WpStrings *strings, WpId id);
guint32 wp_strings_n(const WpStrings *strings);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpStrings, wp_strings_free)

G_END_DECLS

#endif
