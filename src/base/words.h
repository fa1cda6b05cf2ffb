/* SPDX-License-Identifier: MIT */
/* words.h: words that people type: patterns, and what a mistyped one may have been meant to be. */
#ifndef WP_BASE_WORDS_H
#define WP_BASE_WORDS_H

#include <glib.h>

G_BEGIN_DECLS

/* The candidate nearest to a word, or NULL when none is near. Borrowed from the candidates. */
const gchar *wp_nearest_word(const gchar *word, const gchar *const *candidates, guint n);

/* Whether `*` in the pattern can be filled so that it is the text. Bytes are compared. */
gboolean wp_word_matches(const gchar *pattern, const gchar *text);

G_END_DECLS

#endif
