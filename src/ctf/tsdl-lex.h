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

/* Some characters, without a NUL behind them. */
typedef struct {
	const gchar *text; /* borrowed: of the source, or of the trace */
	gsize length;
} WpTsdlSpan;

typedef struct {
	WpTsdlKind kind;
	gchar ch; /* of a WP_TSDL_CHAR */
	gboolean escaped; /* the text holds backslashes */
	WpTsdlSpan span; /* of a text what is between the quotes */
	guint64 number;
} WpTsdlToken;

typedef struct {
	const gchar *begin; /* borrowed: the source */
	const gchar *at, *end; /* borrowed: what is left of it */
	const gchar *behind; /* borrowed: the end of the token before the look-ahead */
	WpTsdlToken token; /* the look-ahead */
} WpTsdlLexer;

void wp_tsdl_lexer_init(WpTsdlLexer *lexer, const gchar *text, gsize length);
/* Drops the look-ahead and reads the next one. */
void wp_tsdl_lexer_advance(WpTsdlLexer *lexer);
/* The same, from at in the source on. */
void wp_tsdl_lexer_go_to(WpTsdlLexer *lexer, const gchar *at);
/* The line that the look-ahead is in, the first one being 1. */
guint wp_tsdl_lexer_line(const WpTsdlLexer *lexer);

/* Inlined, so that a constant word's length is one. */
static inline gboolean wp_tsdl_span_is(const WpTsdlSpan *span, const gchar *word)
{
	const gsize length = strlen(word);

	return span->length == length && memcmp(span->text, word, length) == 0;
}

static inline gboolean wp_tsdl_is_char(const WpTsdlLexer *lexer, gchar ch)
{
	return lexer->token.kind == WP_TSDL_CHAR && lexer->token.ch == ch;
}

static inline gboolean wp_tsdl_is_word(const WpTsdlLexer *lexer, const gchar *word)
{
	return lexer->token.kind == WP_TSDL_WORD && wp_tsdl_span_is(&lexer->token.span, word);
}

/* Drops the look-ahead if it is ch. */
static inline gboolean wp_tsdl_accept(WpTsdlLexer *lexer, gchar ch)
{
	if (!wp_tsdl_is_char(lexer, ch))
		return FALSE;
	wp_tsdl_lexer_advance(lexer);
	return TRUE;
}

G_END_DECLS

#endif
