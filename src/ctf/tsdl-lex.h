/* SPDX-License-Identifier: MIT */
/* tsdl-lex.h: the words of TSDL: a token at a time, with one token's look-ahead. */
#ifndef WP_CTF_TSDL_LEX_H
#define WP_CTF_TSDL_LEX_H

#include <string.h>

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
	WP_TSDL_END,
	WP_TSDL_WORD, /* identifier or keyword */
	WP_TSDL_NUMBER,
	WP_TSDL_TEXT, /* "quoted" */
	WP_TSDL_ASSIGN_TYPE, /* := */
	WP_TSDL_ELLIPSIS, /* ... */
	WP_TSDL_CHAR, /* any other single character */
	WP_TSDL_BAD /* no token of the language */
} WpTsdlKind;

typedef struct {
	WpTsdlKind kind;
	const gchar *text; /* borrowed: into the source; of a text what is between the quotes */
	gsize length;
	guint64 number;
	gchar ch; /* of a WP_TSDL_CHAR */
	gboolean escaped; /* the text holds backslashes */
} WpTsdlToken;

typedef struct {
	const gchar *at, *end; /* borrowed: what is left of the source */
	guint line; /* of the look-ahead */
	WpTsdlToken token; /* the look-ahead */
} WpTsdlLexer;

void wp_tsdl_lexer_init(WpTsdlLexer *lexer, const gchar *text, gsize length);
/* Drops the look-ahead and reads the next one. */
void wp_tsdl_lexer_advance(WpTsdlLexer *lexer);

static inline gboolean wp_tsdl_is_char(const WpTsdlLexer *lexer, gchar ch)
{
	return lexer->token.kind == WP_TSDL_CHAR && lexer->token.ch == ch;
}

/* Inlined, so that a constant word's length is one. */
static inline gboolean wp_tsdl_is_word(const WpTsdlLexer *lexer, const gchar *word)
{
	const gsize length = strlen(word);

	return lexer->token.kind == WP_TSDL_WORD && lexer->token.length == length &&
	       memcmp(lexer->token.text, word, length) == 0;
}

/* Drops the look-ahead if it is ch. */
gboolean wp_tsdl_accept(WpTsdlLexer *lexer, gchar ch);

G_END_DECLS

#endif
