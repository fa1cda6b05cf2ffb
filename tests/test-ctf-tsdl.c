/* SPDX-License-Identifier: MIT */
/* test-ctf-tsdl.c: the TSDL parser: what types come out as, and what it refuses. */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "ctf/tsdl.h"

#define U8 "integer { size = 8; align = 8; signed = false; }"
#define TRACE "trace { major = 1; minor = 8; byte_order = le; };\n"
#define STREAM "stream { id = 0; };\n"

static WpCtfTrace *parse(const gchar *text, GError **error)
{
	return wp_ctf_trace_parse(text, strlen(text), "metadata", error);
}

/* The fields of the only event, made of the given members. */
static const WpCtfType *parse_fields(const gchar *members, WpCtfTrace **ret_trace)
{
	g_autofree gchar *text = g_strdup_printf(TRACE STREAM "%s", members);
	g_autoptr(GError) error = NULL;

	*ret_trace = parse(text, &error);
	g_assert_no_error(error);

	const WpCtfStreamClass *stream = g_ptr_array_index((*ret_trace)->streams, 0);
	const WpCtfEventClass *event = g_ptr_array_index(stream->events, 0);

	return event->fields;
}

#define EVENT(members) "event { name = \"e\"; id = 0; fields := struct { " members " }; };"

static void test_integers(void)
{
	g_autoptr(WpCtfTrace) trace = NULL;
	const WpCtfType *fields = parse_fields(
		"typealias integer { size = 0x10; align = 16; signed = true; base = hex; } := "
		"short;"
		"typealias integer { size = 5; align = 1; byte_order = be; } := unsigned odd int;"
		"typealias integer { size = 8; encoding = UTF8; map = clock.mono.value; } := "
		"char_t;"
		"clock { name = mono; freq = 1000; };" EVENT(
			"short a; unsigned odd int b, c; char_t d; const short e;"
			"integer { size = 64; align = 8; signed = 1; byte_order = network; } f;"),
		&trace);

	g_assert_cmpuint(fields->n_fields, ==, 6);

	const WpCtfType *a = fields->fields[0].type, *b = fields->fields[1].type;
	const WpCtfType *d = fields->fields[3].type, *f = fields->fields[5].type;

	g_assert_cmpstr(fields->fields[0].name, ==, "a");
	g_assert_cmpuint(a->size, ==, 16);
	g_assert_cmpuint(a->align, ==, 16);
	g_assert_true(a->is_signed);
	g_assert_cmpint(a->order, ==, WP_CTF_ORDER_NATIVE);
	g_assert_cmpuint(b->size, ==, 5);
	g_assert_cmpuint(b->align, ==, 1);
	g_assert_false(b->is_signed);
	g_assert_cmpint(b->order, ==, WP_CTF_ORDER_BE);
	g_assert_true(fields->fields[2].type == b);
	/* The alignment of whole bytes is a byte unless said otherwise. */
	g_assert_cmpuint(d->align, ==, 8);
	g_assert_true(d->text);
	g_assert_cmpstr(d->clock, ==, "mono");
	g_assert_true(fields->fields[4].type == a);
	g_assert_cmpint(f->order, ==, WP_CTF_ORDER_BE);
	/* a 0-16, b 16-21, c 21-26, d 32-40, e 48-64, f 64-128 */
	g_assert_cmpuint(fields->fixed, ==, 128);
	g_assert_cmpuint(fields->align, ==, 16);
}

static void test_compounds(void)
{
	g_autoptr(WpCtfTrace) trace = NULL;
	const WpCtfType *fields = parse_fields(
		"typealias " U8 " := u8;"
		"typedef u8 triple[3], other;"
		"struct point { u8 x; u8 y; } align(32);"
		"enum kind : u8 { none, one = 5, \"two words\", range = 10 ... 20, after };"
		"variant either { string s; u8 n; };" EVENT(
			"triple a[2]; struct point b[2]; enum kind tag; variant either <tag> v;"
			"u8 len; u8 seq[len]; string { encoding = ASCII; } text;"
			"struct { string s; u8 n; } inner;"
			"floating_point { exp_dig = 8; mant_dig = 24; align = 32; } f;"
			"enum : u8 { x = 1 } anonymous; u8 none[0]; other last;"),
		&trace);
	const WpCtfField *field = fields->fields;

	g_assert_cmpuint(fields->fixed, ==, WP_CTF_DYNAMIC);
	g_assert_cmpint(field[0].type->kind, ==, WP_CTF_ARRAY);
	g_assert_cmpuint(field[0].type->length, ==, 2);
	g_assert_cmpuint(field[0].type->element->length, ==, 3);
	g_assert_cmpuint(field[0].type->fixed, ==, 48);
	/* The second point begins at the next multiple of 32. */
	g_assert_cmpuint(field[1].type->fixed, ==, 48);
	g_assert_cmpuint(field[1].type->align, ==, 32);

	const WpCtfType *tag = field[2].type, *v = field[3].type;

	g_assert_cmpuint(tag->n_mappings, ==, 5);
	g_assert_cmpstr(tag->mappings[2].label, ==, "two words");
	g_assert_cmpuint(tag->mappings[0].low, ==, 0);
	g_assert_cmpuint(tag->mappings[2].low, ==, 6);
	g_assert_cmpuint(tag->mappings[3].high, ==, 20);
	g_assert_cmpuint(tag->mappings[4].low, ==, 21);
	g_assert_cmpint(v->kind, ==, WP_CTF_VARIANT);
	g_assert_cmpstr(v->path, ==, "tag");
	g_assert_cmpuint(v->n_fields, ==, 2);
	g_assert_cmpuint(v->align, ==, 1);
	g_assert_cmpstr(field[5].type->path, ==, "len");
	g_assert_cmpint(field[6].type->kind, ==, WP_CTF_STRING);
	g_assert_cmpuint(field[7].type->fixed, ==, WP_CTF_DYNAMIC);
	g_assert_cmpuint(field[8].type->size, ==, 32);
	g_assert_cmpuint(field[9].type->size, ==, 8);
	g_assert_cmpuint(field[10].type->fixed, ==, 0);
	g_assert_cmpuint(field[11].type->size, ==, 8);
}

static void test_arrays_as_in_c(void)
{
	g_autoptr(WpCtfTrace) trace = NULL;
	const WpCtfType *fields = parse_fields("typealias " U8 " := u8;" EVENT("u8 n; u8 a[2][n];"),
					       &trace);
	const WpCtfType *a = fields->fields[1].type;

	g_assert_cmpint(a->kind, ==, WP_CTF_ARRAY);
	g_assert_cmpint(a->element->kind, ==, WP_CTF_SEQUENCE);
	g_assert_cmpuint(a->fixed, ==, WP_CTF_DYNAMIC);
}

/* Inner names hide outer ones, and only within their braces. */
static void test_scopes(void)
{
	g_autoptr(WpCtfTrace) trace = NULL;
	const WpCtfType *fields = parse_fields(
		"typealias " U8 " := t;" EVENT(
			"struct { typealias integer { size = 32; } := t; t a; } inner; t b;"),
		&trace);

	g_assert_cmpuint(fields->fields[0].type->fields[0].type->size, ==, 32);
	g_assert_cmpuint(fields->fields[1].type->size, ==, 8);
}

/* Two events whose fields are the same text, and what each may have before it. */
static WpCtfTrace *parse_twice(const gchar *before, const gchar *before_second, const gchar *body)
{
	g_autofree gchar *text = g_strdup_printf(TRACE STREAM
						 "event { id = 0; %s fields := struct {%s}; };\n"
						 "event { id = 1; %s fields := struct {%s}; };\n",
						 before, body, before_second, body);
	g_autoptr(GError) error = NULL;
	WpCtfTrace *trace = parse(text, &error);

	g_assert_no_error(error);
	return trace;
}

static const WpCtfType *fields_of(const WpCtfTrace *trace, guint i)
{
	const WpCtfStreamClass *stream = g_ptr_array_index(trace->streams, 0);
	const WpCtfEventClass *event = g_ptr_array_index(stream->events, i);

	return event->fields;
}

/* What is parsed once for all places where it stands must mean the same in all of them. */
static void test_same_text(void)
{
	g_autoptr(WpCtfTrace) plain = parse_twice("", "", U8 " n; integer { size = 16; } a[n];");
	/* A name of a type may mean another one; so may an enumeration, which lies in an int. */
	g_autoptr(WpCtfTrace) named = parse_twice("typealias integer { size = 8; } := t;",
						  "typealias integer { size = 32; } := t;", "t a;");
	g_autoptr(WpCtfTrace)
		hidden = parse_twice("typealias integer { size = 8; } := int;",
				     "typealias integer { size = 32; } := int;", "enum { x } a;");
	/* The first brace with a semicolon is not always the last one. */
	g_autoptr(WpCtfTrace) comment = parse_twice(
		"", "", U8 " a; /* }; */ integer { size = 16; /* } */ align = 8; } b; // };\n");

	g_assert_true(fields_of(plain, 0) == fields_of(plain, 1));
	g_assert_cmpuint(fields_of(plain, 1)->n_fields, ==, 2);
	g_assert_cmpint(fields_of(plain, 1)->fields[1].type->kind, ==, WP_CTF_SEQUENCE);
	g_assert_cmpuint(fields_of(named, 0)->fixed, ==, 8);
	g_assert_cmpuint(fields_of(named, 1)->fixed, ==, 32);
	g_assert_cmpuint(fields_of(hidden, 0)->fixed, ==, 8);
	g_assert_cmpuint(fields_of(hidden, 1)->fixed, ==, 32);
	for (guint i = 0; i < 2; i++) {
		g_assert_cmpuint(fields_of(comment, i)->n_fields, ==, 2);
		g_assert_cmpuint(fields_of(comment, i)->fixed, ==, 24);
	}
}

/* The line of an error is that of the text, whatever came before it. */
static void test_lines(void)
{
	static const gchar text[] = TRACE STREAM /* two lines */
		"event { id = 0; fields := struct {\n" U8 " a;\n};\n};\n"
		"event { id = 1; fields := struct {\n" U8 " a;\n};\n};\n"
		"/* a comment\n of two lines */ event { id = \"no\nnumber\"; };\n";
	g_autoptr(GError) error = NULL;
	g_autoptr(WpCtfTrace) trace = parse(text, &error);

	g_assert_null(trace);
	g_assert_nonnull(strstr(error->message, "line 12 "));
}

static void test_blocks(void)
{
	static const gchar text[] =
		"/* CTF 1.8 */\n"
		"typealias " U8 " := u8; // a comment\n"
		"trace { major = 1; minor = 8; uuid = \"00112233-4455-6677-8899-aabbccddeeff\";\n"
		"  byte_order = be; packet.header := struct { u8 magic; }; };\n"
		"env { hostname = \"a \\\"b\\\"\"; tracer_major = 2; negative = -3; };\n"
		"clock { name = \"m\"; uuid = \"u\"; freq = 1000000; offset_s = 7; offset = -5; "
		"};\n"
		"callsite { name = \"x\"; func = \"f\"; file = \"g.c\"; line = 3; };\n"
		"stream { id = 3; event.header := struct { u8 id; }; event.context := struct { u8 "
		"c; };\n"
		"  packet.context := struct { u8 p; }; };\n"
		"event { name = \"e\"; id = 9; stream_id = 3; loglevel = 13; model.emf.uri = "
		"\"x\";\n"
		"  context := struct { u8 d; }; fields := struct { u8 f; }; };\n"
		"event { name = nothing; id = 10; stream_id = 3; };";
	g_autoptr(GError) error = NULL;
	g_autoptr(WpCtfTrace) trace = parse(text, &error);

	g_assert_no_error(error);
	g_assert_cmpint(trace->order, ==, WP_CTF_ORDER_BE);
	g_assert_true(trace->has_uuid);
	g_assert_cmpuint(trace->uuid[15], ==, 0xff);
	g_assert_cmpuint(trace->uuid[1], ==, 0x11);
	g_assert_cmpstr(g_hash_table_lookup(trace->env, "hostname"), ==, "a \"b\"");
	g_assert_cmpstr(g_hash_table_lookup(trace->env, "tracer_major"), ==, "2");
	g_assert_cmpstr(g_hash_table_lookup(trace->env, "negative"), ==, "-3");

	const WpCtfClock *clock = wp_ctf_trace_find_clock(trace, "m");

	g_assert_true(clock == wp_ctf_trace_find_clock(trace, NULL));
	g_assert_null(wp_ctf_trace_find_clock(trace, "other"));
	g_assert_cmpuint(clock->freq, ==, 1000000);
	g_assert_cmpint(clock->offset_s, ==, 7);
	g_assert_cmpint(clock->offset, ==, -5);

	const WpCtfStreamClass *stream = g_ptr_array_index(trace->streams, 0);
	const WpCtfEventClass *event = g_ptr_array_index(stream->events, 0);

	g_assert_cmpuint(stream->id, ==, 3);
	g_assert_cmpuint(stream->events->len, ==, 2);
	g_assert_nonnull(stream->packet_context);
	g_assert_nonnull(stream->event_context);
	g_assert_cmpuint(event->id, ==, 9);
	g_assert_nonnull(event->context);
	event = g_ptr_array_index(stream->events, 1);
	g_assert_cmpstr(event->name, ==, "nothing");
	g_assert_null(event->fields);
}

/* ---- what is refused ---- */

static void assert_refused(const gchar *text, WpError code, const gchar *why)
{
	g_autoptr(GError) error = NULL;

	g_assert_null(parse(text, &error));
	g_assert_error(error, WP_ERROR, (gint)code);
	if (!strstr(error->message, why))
		g_error("\"%s\" does not say \"%s\"", error->message, why);
}

static void test_declined(void)
{
	static const struct {
		const gchar *text, *why;
	} cases[] = {
		{"nonsense here", "\"nonsense\""},
		{TRACE STREAM EVENT("unknown_t a;"), "no type unknown_t"},
		{TRACE STREAM EVENT("struct nowhere a;"), "no type struct nowhere"},
		{TRACE STREAM EVENT("integer { size = 65; } a;"), "size cannot be 65"},
		{TRACE STREAM EVENT("integer { size = 0; } a;"), "0 bits"},
		{TRACE STREAM EVENT("integer { signed = 1; } a;"), "0 bits"},
		{TRACE STREAM EVENT("integer { size = 8; align = 3; } a;"), "alignment"},
		{TRACE STREAM EVENT("integer { size = 8; colour = red; } a;"), "colour"},
		{TRACE STREAM EVENT("integer { size = 8; byte_order = pdp; } a;"), "pdp"},
		{TRACE STREAM EVENT(U8 " a[99999999999999999999];"), "99999999999"},
		{TRACE STREAM EVENT(U8 " a[0xffffffffffffffff];"), "too long"},
		{TRACE STREAM EVENT("struct { " U8 " a[1000000000000]; } b[1000000000000];"),
		 "too long"},
		{TRACE STREAM EVENT("enum { a } b;"), "in no integer"},
		{TRACE STREAM EVENT("enum : struct { } { a } b;"), "in no integer"},
		{TRACE STREAM EVENT("struct { } align(7) b;"), "alignment"},
		{TRACE STREAM "event { name = \"e\"; stream_id = 4; };", "no stream"},
		{TRACE STREAM STREAM, "two streams"},
		{TRACE STREAM "event { fields := integer { size = 8; }; };", "no structure"},
		{TRACE STREAM "clock { name = x; freq = 0; };", "freq is 0"},
		{"trace { major = 2; minor = 0; byte_order = le; };", "CTF 2"},
		{"trace { major = 1; byte_order = middle; };", "middle"},
		{"trace { major = 1; uuid = \"12\"; };", "UUID"},
		{TRACE "stream { id = 0; colour := struct { }; };", "stream.colour"},
		{TRACE STREAM "env { a = \"line\nbreak\"; };", "should follow"},
		{TRACE STREAM "\x01 x", "\\001"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_refused(cases[i].text, WP_ERROR_DECLINED, cases[i].why);
}

/* Nesting has a limit of its own, not that of the stack. */
static void test_nesting(void)
{
	for (guint depth = 1; depth < 100000; depth *= 7) {
		g_autoptr(GString) text = g_string_new(TRACE STREAM "event { fields := ");
		g_autoptr(GError) error = NULL;

		for (guint i = 0; i < depth; i++)
			g_string_append(text, "struct { ");
		for (guint i = 0; i < depth; i++)
			g_string_append(text, i + 1 < depth ? "} x; " : "}; };");

		g_autoptr(WpCtfTrace) trace = parse(text->str, &error);

		if (depth < 10)
			g_assert_nonnull(trace);
		if (depth > 100)
			g_assert_error(error, WP_ERROR, WP_ERROR_LIMIT);
	}
}

/* The same limit for types that grow by their names: 2^60 fields in 60 lines. */
static void test_growth_by_names(void)
{
	g_autoptr(GString) text = g_string_new(TRACE STREAM "struct s0 { string s; };");
	g_autoptr(GError) error = NULL;

	for (guint i = 1; i < 100; i++)
		g_string_append_printf(text, "struct s%u { struct s%u a; struct s%u b; };", i,
				       i - 1, i - 1);
	g_assert_null(parse(text->str, &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_LIMIT);
	g_assert_nonnull(strstr(error->message, "nested"));
}

/* A text that ends anywhere: what is whole before is there, and nothing crashes. */
static void test_cut_anywhere(void)
{
	static const gchar text[] = TRACE STREAM EVENT(
		U8 " a; enum : " U8
		   " { x = 1 ... 3, \"y\" } b; string s[2]; ") "event { name = \"f\"; id = 1; "
							       "fields := struct { " U8 " z; }; };";
	const gsize stream_end = strlen(TRACE STREAM);

	for (gsize length = 0; length <= strlen(text); length++) {
		/* A copy of exactly that length, so that reading behind it is seen. */
		g_autofree gchar *cut = g_memdup2(text, length);
		g_autoptr(GError) error = NULL;
		g_autoptr(WpCtfTrace) trace = wp_ctf_trace_parse(cut, length, "metadata", &error);

		if (length < stream_end - 1) {
			g_assert_null(trace);
			g_assert_nonnull(error);
			continue;
		}
		g_assert_no_error(error);

		const WpCtfStreamClass *stream = g_ptr_array_index(trace->streams, 0);

		g_assert_cmpuint(stream->events->len, <=, 2);
		g_assert_cmpuint(stream->events->len, ==,
				 length == strlen(text) ? 2 : stream->events->len);
	}
}

static void test_no_stream(void)
{
	assert_refused(TRACE, WP_ERROR_FAILED, "stream");
	assert_refused("stream { id = 0; };", WP_ERROR_FAILED, "byte order");
	assert_refused("", WP_ERROR_FAILED, "metadata");
}

gint main(gint argc, gchar **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/ctf/tsdl/integers", test_integers);
	g_test_add_func("/ctf/tsdl/compounds", test_compounds);
	g_test_add_func("/ctf/tsdl/arrays-as-in-c", test_arrays_as_in_c);
	g_test_add_func("/ctf/tsdl/scopes", test_scopes);
	g_test_add_func("/ctf/tsdl/same-text", test_same_text);
	g_test_add_func("/ctf/tsdl/lines", test_lines);
	g_test_add_func("/ctf/tsdl/blocks", test_blocks);
	g_test_add_func("/ctf/tsdl/declined", test_declined);
	g_test_add_func("/ctf/tsdl/nesting", test_nesting);
	g_test_add_func("/ctf/tsdl/growth-by-names", test_growth_by_names);
	g_test_add_func("/ctf/tsdl/cut-anywhere", test_cut_anywhere);
	g_test_add_func("/ctf/tsdl/no-stream", test_no_stream);
	return g_test_run();
}
