/* SPDX-License-Identifier: MIT */
/* tsdl-lex.c: splits TSDL text into tokens; never reads outside it. */
#include "config.h"

#include <string.h>

#include "ctf/tsdl-lex.h"

/* What a character may be part of. */
enum { NOTHING, BLANK, SYMBOL, DIGIT, LETTER };

static guint class_of(gchar c)
{
	/* clang-format off */
	static const guint8 classes[256] = { /* 32 characters a line */
		0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2,
		2, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 2, 2, 2, 2, 4,
		2, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 2, 2, 2, 2, 0,
	};
	/* clang-format on */

	return classes[(guchar)c];
}

/* Of a word, or a number with what may stand behind it. */
static gboolean is_word_char(gchar c)
{
	return class_of(c) >= DIGIT;
}

/* Past a comment; FALSE when it has no end. Kept apart, so that the lexer itself calls nothing. */
static G_GNUC_NO_INLINE gboolean skip_comment(WpTsdlLexer *lexer)
{
	const gchar *at = lexer->at;
	const gsize left = (gsize)(lexer->end - at);
	const gboolean is_line = at[1] == '/';
	const gchar *close = is_line ? memchr(at, '\n', left) : memmem(at + 2, left - 2, "*/", 2);

	lexer->at = !close ? lexer->end : is_line ? close : close + 2;
	return is_line || close;
}

/* Past blanks and comments; FALSE when a comment has no end. */
static gboolean skip_blanks(WpTsdlLexer *lexer)
{
	for (;;) {
		const gchar *at = lexer->at, *const end = lexer->end;

		while (at < end && class_of(*at) == BLANK)
			at++;
		lexer->at = at;
		if (at == end || *at != '/' || end - at < 2 || (at[1] != '/' && at[1] != '*'))
			return TRUE;
		if (!skip_comment(lexer))
			return FALSE;
	}
}

/* 16 or more: it is none, or none of a smaller base. */
static guint digit_value(gchar c)
{
	if (class_of(c) == DIGIT)
		return (guint)(c - '0');
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? (guint)(c - 'a') + 10 : G_MAXUINT;
}

static G_GNUC_NO_INLINE void lex_number(WpTsdlLexer *lexer)
{
	WpTsdlToken *token = &lexer->token;
	const gchar *at = lexer->at, *const end = lexer->end;
	guint base = 10;
	guint64 value = 0;
	guint digit;

	token->kind = WP_TSDL_NUMBER;
	if (*at == '0') {
		base = 8;
		if (end - at > 2 && (at[1] == 'x' || at[1] == 'X') && digit_value(at[2]) < 16) {
			base = 16;
			at += 2;
		}
	}
	for (; at < end && (digit = digit_value(*at)) < base; at++)
		if (!g_uint64_checked_mul(&value, value, base) ||
		    !g_uint64_checked_add(&value, value, digit))
			token->kind = WP_TSDL_BAD;
	while (at < end && class_of(*at) == LETTER && strchr("uUlL", *at))
		at++;
	if (at < end && is_word_char(*at))
		token->kind = WP_TSDL_BAD;
	token->number = value;
	token->span.length = (gsize)(at - lexer->at);
	lexer->at = at;
}

static void lex_text(WpTsdlLexer *lexer)
{
	WpTsdlToken *token = &lexer->token;
	const gchar *at = lexer->at + 1, *const end = lexer->end;

	token->span.text = at;
	while (at < end && *at != '"' && *at != '\n') {
		if (*at == '\\') {
			token->escaped = TRUE;
			at++;
		}
		at++;
	}
	at = MIN(at, end);
	token->span.length = (gsize)(at - token->span.text);
	if (at == end) {
		token->kind = WP_TSDL_END;
	} else {
		token->kind = *at == '"' ? WP_TSDL_TEXT : WP_TSDL_BAD;
		at++;
	}
	lexer->at = at;
}

static void lex_word(WpTsdlLexer *lexer)
{
	const gchar *at = lexer->at, *const end = lexer->end;

	while (at < end && is_word_char(*at))
		at++;
	lexer->token.kind = WP_TSDL_WORD;
	lexer->token.span.length = (gsize)(at - lexer->at);
	lexer->at = at;
}

static void lex_symbol(WpTsdlLexer *lexer)
{
	WpTsdlToken *token = &lexer->token;
	const gchar *at = lexer->at;
	const gsize left = (gsize)(lexer->end - at);

	token->span.length = 1;
	if (*at == ':' && left >= 2 && at[1] == '=') {
		token->kind = WP_TSDL_ASSIGN_TYPE;
		token->span.length = 2;
	} else if (*at == '.' && left >= 3 && at[1] == '.' && at[2] == '.') {
		token->kind = WP_TSDL_ELLIPSIS;
		token->span.length = 3;
	} else if (*at == '.' && left == 2 && at[1] == '.') {
		token->kind = WP_TSDL_END; /* two thirds of an ellipsis: the text is cut */
		token->span.length = 2;
	} else {
		token->kind = class_of(*at) == SYMBOL ? WP_TSDL_CHAR : WP_TSDL_BAD;
		token->ch = *at;
	}
	lexer->at += token->span.length;
}

void wp_tsdl_lexer_advance(WpTsdlLexer *lexer)
{
	WpTsdlToken *token = &lexer->token;

	lexer->behind = lexer->at;
	*token = (WpTsdlToken){.kind = WP_TSDL_END};
	if (!skip_blanks(lexer) || lexer->at >= lexer->end)
		return;
	token->span.text = lexer->at;
	switch (class_of(*lexer->at)) {
	case DIGIT:
		lex_number(lexer);
		break;
	case LETTER:
		lex_word(lexer);
		break;
	default:
		if (*lexer->at == '"')
			lex_text(lexer);
		else
			lex_symbol(lexer);
	}
}

void wp_tsdl_lexer_go_to(WpTsdlLexer *lexer, const gchar *at)
{
	lexer->at = at;
	wp_tsdl_lexer_advance(lexer);
}

guint wp_tsdl_lexer_line(const WpTsdlLexer *lexer)
{
	const gchar *const text = lexer->token.span.text;
	const gchar *const end = text ? text : lexer->at;
	guint line = 1;

	for (const gchar *at = lexer->begin; at < end; at++)
		line += *at == '\n';
	return line;
}

void wp_tsdl_lexer_init(WpTsdlLexer *lexer, const gchar *text, gsize length)
{
	lexer->begin = lexer->at = text;
	lexer->end = text + length;
	wp_tsdl_lexer_advance(lexer);
}
