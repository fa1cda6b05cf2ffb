/* SPDX-License-Identifier: MIT */
/* tsdl-lex.c: splits TSDL text into tokens; never reads outside it. */
#include "config.h"

#include <string.h>

#include "ctf/tsdl-lex.h"

static gboolean is_word_char(gchar c)
{
	return g_ascii_isalnum(c) || c == '_';
}

/* Past blanks and comments; FALSE when a comment has no end. */
static gboolean skip_blanks(WpTsdlLexer *lexer)
{
	while (lexer->at < lexer->end) {
		const gchar *at = lexer->at;
		gsize left = (gsize)(lexer->end - at);

		if (*at == '\n') {
			lexer->line++;
			lexer->at++;
		} else if (g_ascii_isspace(*at)) {
			lexer->at++;
		} else if (left >= 2 && at[0] == '/' && at[1] == '/') {
			const gchar *nl = memchr(at, '\n', left);

			lexer->at = nl ? nl : lexer->end;
		} else if (left >= 2 && at[0] == '/' && at[1] == '*') {
			const gchar *close = memmem(at + 2, left - 2, "*/", 2);

			lexer->at = close ? close + 2 : lexer->end;
			for (; at < lexer->at; at++)
				lexer->line += *at == '\n';
			if (!close)
				return FALSE;
		} else {
			break;
		}
	}
	return TRUE;
}

static gint digit_value(gchar c, guint base)
{
	gint value = g_ascii_xdigit_value(c);

	return value >= 0 && (guint)value < base ? value : -1;
}

static void lex_number(WpTsdlLexer *lexer)
{
	WpTsdlToken *token = &lexer->token;
	const gchar *at = lexer->at;
	guint base = 10;
	guint64 value = 0;
	gint digit;

	token->kind = WP_TSDL_NUMBER;
	if (*at == '0') {
		base = 8;
		if (at + 2 < lexer->end && (at[1] == 'x' || at[1] == 'X') &&
		    digit_value(at[2], 16) >= 0) {
			base = 16;
			at += 2;
		}
	}
	for (; at < lexer->end && (digit = digit_value(*at, base)) >= 0; at++)
		if (!g_uint64_checked_mul(&value, value, base) ||
		    !g_uint64_checked_add(&value, value, (guint64)digit))
			token->kind = WP_TSDL_BAD;
	while (at < lexer->end && strchr("uUlL", *at) && *at)
		at++;
	if (at < lexer->end && is_word_char(*at))
		token->kind = WP_TSDL_BAD;
	token->number = value;
	token->length = (gsize)(at - lexer->at);
	lexer->at = at;
}

static void lex_text(WpTsdlLexer *lexer)
{
	WpTsdlToken *token = &lexer->token;
	const gchar *at = lexer->at + 1;

	token->text = at;
	while (at < lexer->end && *at != '"' && *at != '\n') {
		if (*at == '\\') {
			token->escaped = TRUE;
			at++;
		}
		at++;
	}
	at = MIN(at, lexer->end);
	token->length = (gsize)(at - token->text);
	if (at == lexer->end) {
		token->kind = WP_TSDL_END;
	} else {
		token->kind = *at == '"' ? WP_TSDL_TEXT : WP_TSDL_BAD;
		at++;
	}
	lexer->at = at;
}

static void lex_word(WpTsdlLexer *lexer)
{
	const gchar *at = lexer->at;

	while (at < lexer->end && is_word_char(*at))
		at++;
	lexer->token.kind = WP_TSDL_WORD;
	lexer->token.length = (gsize)(at - lexer->at);
	lexer->at = at;
}

static void lex_symbol(WpTsdlLexer *lexer)
{
	WpTsdlToken *token = &lexer->token;
	gsize left = (gsize)(lexer->end - lexer->at);

	if (left >= 2 && memcmp(lexer->at, ":=", 2) == 0) {
		token->kind = WP_TSDL_ASSIGN_TYPE;
		token->length = 2;
	} else if (left >= 3 && memcmp(lexer->at, "...", 3) == 0) {
		token->kind = WP_TSDL_ELLIPSIS;
		token->length = 3;
	} else if (left == 2 && memcmp(lexer->at, "..", 2) == 0) {
		token->kind = WP_TSDL_END; /* two thirds of an ellipsis: the text is cut */
		token->length = 2;
	} else {
		token->kind = g_ascii_ispunct(*lexer->at) ? WP_TSDL_CHAR : WP_TSDL_BAD;
		token->ch = *lexer->at;
		token->length = 1;
	}
	lexer->at += token->length;
}

void wp_tsdl_lexer_advance(WpTsdlLexer *lexer)
{
	WpTsdlToken *token = &lexer->token;

	memset(token, 0, sizeof(*token));
	if (!skip_blanks(lexer) || lexer->at >= lexer->end) {
		token->kind = WP_TSDL_END;
		return;
	}
	token->text = lexer->at;
	if (g_ascii_isdigit(*lexer->at))
		lex_number(lexer);
	else if (is_word_char(*lexer->at))
		lex_word(lexer);
	else if (*lexer->at == '"')
		lex_text(lexer);
	else
		lex_symbol(lexer);
}

void wp_tsdl_lexer_init(WpTsdlLexer *lexer, const gchar *text, gsize length)
{
	lexer->at = text;
	lexer->end = text + length;
	lexer->line = 1;
	wp_tsdl_lexer_advance(lexer);
}

gboolean wp_tsdl_accept(WpTsdlLexer *lexer, gchar ch)
{
	if (!wp_tsdl_is_char(lexer, ch))
		return FALSE;
	wp_tsdl_lexer_advance(lexer);
	return TRUE;
}
