/* SPDX-License-Identifier: MIT */
/* words.c: patterns with `*`; and the distance of words, by Damerau and Levenshtein. */
#include "config.h"

#include <string.h>

#include "base/words.h"

#define WORD_MAX 64u

/*
 * Edits (insert, delete, replace, swap neighbours) from a to b: the usual table, of which
 * three rows are kept.
 */
static guint distance(const gchar *a, const gchar *b)
{
	guint rows[3][WORD_MAX + 1], *above = rows[0], *before = rows[1], *row = rows[2];
	guint n = (guint)strlen(a), m = (guint)strlen(b);

	if (n > WORD_MAX || m > WORD_MAX)
		return G_MAXUINT;
	for (guint j = 0; j <= m; j++)
		above[j] = before[j] = j;
	for (guint i = 1; i <= n; i++) {
		guint *oldest = above;

		row[0] = i;
		for (guint j = 1; j <= m; j++) {
			guint replace = before[j - 1] + (a[i - 1] != b[j - 1]);

			row[j] = MIN(replace, MIN(before[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = MIN(row[j], above[j - 2] + 1);
		}
		above = before;
		before = row;
		row = oldest;
	}
	return before[m];
}

const gchar *wp_nearest_word(const gchar *word, const gchar *const *candidates, guint n)
{
	/* A third of a word may be wrong, at least one letter and at most three. */
	guint limit = CLAMP((guint)strlen(word) / 3, 1, 3), best = limit + 1;
	const gchar *nearest = NULL;

	for (guint i = 0; i < n; i++) {
		guint d = distance(word, candidates[i]);

		if (d < best) {
			best = d;
			nearest = candidates[i];
		}
	}
	return nearest;
}

gboolean wp_word_matches(const gchar *pattern, const gchar *text)
{
	const gchar *star = NULL, *retry = NULL;

	while (*text) {
		if (*pattern == '*') {
			star = ++pattern;
			retry = text;
		} else if (*pattern == *text) {
			pattern++;
			text++;
		} else if (star) {
			/* The last star takes one more. */
			pattern = star;
			text = ++retry;
		} else {
			return FALSE;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}
