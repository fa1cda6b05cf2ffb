/* SPDX-License-Identifier: MIT */
/*
 * tsdl-parser.h: what the two halves of the TSDL parser share: tsdl-type.c
 * (types and their names) and tsdl.c (blocks).
 */
#ifndef WP_CTF_TSDL_PARSER_H
#define WP_CTF_TSDL_PARSER_H

#include "ctf/tsdl-lex.h"
#include "ctf/tsdl.h"

G_BEGIN_DECLS

/* The types that are named in one pair of braces; inner ones see those of outer ones. */
typedef struct WpTsdlScope WpTsdlScope;
struct WpTsdlScope {
	const WpTsdlScope *up; /* borrowed, NULL: the outermost */
	GHashTable *types; /* owned, NULL: none; "struct x" or "unsigned long" -> WpCtfType */
};

typedef struct {
	WpTsdlLexer lexer;
	WpCtfTrace *trace; /* borrowed: being filled */
	const gchar *name; /* borrowed: for messages */
	guint nesting; /* of braces and types at the look-ahead */
	guint n_made; /* types, lists of members, classes and clocks so far */
	guint n_names; /* of types, looked for so far */
	GArray *fields; /* owned: WpCtfField of the structs that are open, those of inner ones last */
	GString *words; /* owned: the name that was looked for last */
	GHashTable *known; /* owned: set of types by their text, see tsdl-type.c */
	WpArena memory; /* what that set holds */
	gboolean at_end; /* what failed is that the text ends */
	GError *error; /* owned: the first failure */
} WpTsdlParser;

/* The value of an attribute. */
typedef struct {
	const gchar *text; /* owned by the trace; NULL: it is a number and nothing else */
	guint64 number;
	gboolean negative; /* the number has a minus sign */
	gboolean is_number; /* it begins with a number */
} WpTsdlValue;

void wp_tsdl_parser_init(WpTsdlParser *parser, WpCtfTrace *trace, const gchar *name,
			 const gchar *text, gsize length);
void wp_tsdl_parser_clear(WpTsdlParser *parser);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WpTsdlParser, wp_tsdl_parser_clear)

/* The set for WpTsdlParser.known. */
GHashTable *wp_tsdl_known_new(void);

void wp_tsdl_scope_clear(WpTsdlScope *scope);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WpTsdlScope, wp_tsdl_scope_clear)

/* Fails with WP_ERROR_DECLINED at the look-ahead's line; always FALSE. */
gboolean wp_tsdl_decline(WpTsdlParser *parser, const gchar *format, ...) G_GNUC_PRINTF(2, 3);
/* The same for what is beyond a limit: then no other reader should try (WP_ERROR_LIMIT). */
gboolean wp_tsdl_refuse(WpTsdlParser *parser, const gchar *format, ...) G_GNUC_PRINTF(2, 3);
/* As above, for a look-ahead that does not belong here. */
gboolean wp_tsdl_unexpected(WpTsdlParser *parser, const gchar *expected);
gboolean wp_tsdl_expect(WpTsdlParser *parser, gchar ch);
/* The text of the look-ahead (without escapes), owned by the trace; drops the look-ahead. */
const gchar *wp_tsdl_take_text(WpTsdlParser *parser);
/* A number with an optional sign, as 64 bits; *ret_negative may be NULL. */
gboolean wp_tsdl_parse_number(WpTsdlParser *parser, guint64 *ret_value, gboolean *ret_negative);
/* A copy of characters, owned by the trace. */
const gchar *wp_tsdl_keep(WpTsdlParser *parser, const WpTsdlSpan *span);
/* Words with dots between them; expected: what it says is missing if there is none. */
gboolean wp_tsdl_parse_path(WpTsdlParser *parser, const gchar *expected, WpTsdlSpan *ret_path);
/* A word, a dotted path, a text or a number. */
gboolean wp_tsdl_parse_value(WpTsdlParser *parser, WpTsdlValue *ret_value);
/* What it is as text, a number in decimal however it was written; owned by the trace. */
const gchar *wp_tsdl_value_text(WpTsdlParser *parser, const WpTsdlValue *value);
/* FALSE when the value is no such number. */
gboolean wp_tsdl_value_to_unsigned(const WpTsdlValue *value, guint64 max, guint64 *ret_number);

/*
 * Parses `typealias`, `typedef`, or the definition of a named struct, variant or
 * enum, if the look-ahead begins one; *ret_was tells.
 */
gboolean wp_tsdl_parse_definition(WpTsdlParser *parser, WpTsdlScope *scope, gboolean *ret_was);
/* Parses a type without declarator, up to what follows it. */
gboolean wp_tsdl_parse_type(WpTsdlParser *parser, WpTsdlScope *scope, const WpCtfType **ret_type);

G_END_DECLS

#endif
