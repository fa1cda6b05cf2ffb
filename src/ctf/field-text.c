/* SPDX-License-Identifier: MIT */
/* field-text.c: types and bytes to words. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "ctf/bits.h"
#include "ctf/field-text.h"

/* Of one event and its scopes: more is no event that anybody could read. */
#define FIELDS_MAX 65536u
#define SEEN_MAX 4096u

typedef struct {
	WpCtfScope scope;
	gchar *path; /* owned: "network_header._ipv4.version" */
	const WpCtfType *type; /* borrowed of the trace */
	guint64 value; /* signed ones are extended */
} Seen;

static void seen_clear(gpointer data)
{
	g_free(((Seen *)data)->path);
}

void wp_ctf_field_reader_init(WpCtfFieldReader *reader, WpCtfOrder order)
{
	*reader = (WpCtfFieldReader){.order = order};
	reader->seen = g_array_new(FALSE, FALSE, sizeof(Seen));
	g_array_set_clear_func(reader->seen, seen_clear);
	reader->path = g_string_new(NULL);
}

void wp_ctf_field_reader_clear(WpCtfFieldReader *reader)
{
	g_clear_pointer(&reader->seen, g_array_unref);
	if (reader->path)
		g_string_free(g_steal_pointer(&reader->path), TRUE);
}

void wp_ctf_field_reader_begin(WpCtfFieldReader *reader, const guint8 *data, guint64 end)
{
	reader->data = data;
	reader->pos = 0;
	reader->end = end;
	g_array_set_size(reader->seen, 0);
}

/* ---- lengths and tags ---- */

static void note(WpCtfFieldReader *reader, const WpCtfType *type, guint64 value)
{
	Seen seen = {reader->scope, NULL, type, value};

	if (reader->seen->len >= SEEN_MAX)
		return;
	seen.path = g_strdup(reader->path->str);
	g_array_append_val(reader->seen, seen);
}

static const Seen *seen_at(const WpCtfFieldReader *reader, WpCtfScope scope, const gchar *prefix,
			   gsize n_prefix, const gchar *path)
{
	for (guint i = reader->seen->len; i-- > 0;) {
		const Seen *seen = &g_array_index(reader->seen, Seen, i);

		if (seen->scope == scope && strncmp(seen->path, prefix, n_prefix) == 0 &&
		    g_str_equal(seen->path + n_prefix, path))
			return seen;
	}
	return NULL;
}

/* The length or tag of the field at hand: in its structure, in those around, in outer scopes. */
static const Seen *find_reference(const WpCtfFieldReader *reader, const gchar *path)
{
	const gchar *at = reader->path->str, *rest;
	const Seen *seen = NULL;
	gsize n = reader->path->len;
	WpCtfScope of;

	if (wp_ctf_path_is_absolute(path, &of, &rest))
		seen = seen_at(reader, of, "", 0, rest);
	while (!seen && n > 0) {
		/* up to and with the dot before the last name */
		for (n--; n > 0 && at[n - 1] != '.'; n--)
			;
		seen = seen_at(reader, reader->scope, at, n, path);
	}
	for (gint scope = (gint)reader->scope; !seen && scope >= 0; scope--)
		seen = seen_at(reader, (WpCtfScope)scope, "", 0, path);
	return seen;
}

/* ---- values ---- */

static gboolean read_type(WpCtfFieldReader *reader, const WpCtfType *type, GString *text);

/* The type's alignment, and bits behind it. */
static gboolean take(WpCtfFieldReader *reader, guint64 align, guint64 bits)
{
	const guint64 mask = MAX(align, 1) - 1;

	if (reader->budget == 0)
		return FALSE;
	reader->budget--;
	reader->pos = (reader->pos + mask) & ~mask;
	return reader->pos <= reader->end && bits <= reader->end - reader->pos;
}

static guint64 load(WpCtfFieldReader *reader, const WpCtfType *type)
{
	const WpCtfOrder order = type->order == WP_CTF_ORDER_NATIVE ? reader->order : type->order;
	guint64 value = order == WP_CTF_ORDER_LE
				? wp_ctf_bits_le(reader->data, reader->pos, type->size)
				: wp_ctf_bits_be(reader->data, reader->pos, type->size);

	reader->pos += type->size;
	return value;
}

static const gchar *plain(const gchar *name)
{
	return *name == '_' && name[1] ? name + 1 : name;
}

/* A label of the value; wanted: this one, NULL: the first. NULL when it has none. */
static const gchar *label_of(const WpCtfType *type, guint64 value, const gchar *wanted)
{
	for (guint i = 0; i < type->n_mappings; i++) {
		const WpCtfMapping *m = &type->mappings[i];

		if ((type->is_signed
			     ? (gint64)value >= (gint64)m->low && (gint64)value <= (gint64)m->high
			     : value >= m->low && value <= m->high) &&
		    (!wanted || g_str_equal(m->label, wanted)))
			return m->label;
	}
	return NULL;
}

static void append_integer(GString *text, const WpCtfType *type, guint64 value)
{
	const gchar *label = type->kind == WP_CTF_ENUM ? label_of(type, value, NULL) : NULL;

	if (label)
		g_string_append_printf(text, "%s(", label);
	if (type->base == 16)
		g_string_append_printf(text, "0x%" PRIx64,
				       type->size < 64
					       ? value & ((G_GUINT64_CONSTANT(1) << type->size) - 1)
					       : value);
	else if (type->base == 8 && value)
		g_string_append_printf(text, "0%" PRIo64, value);
	else if (type->is_signed)
		g_string_append_printf(text, "%" PRId64, (gint64)value);
	else
		g_string_append_printf(text, "%" PRIu64, value);
	if (label)
		g_string_append_c(text, ')');
}

/* named: it may be a length or tag; an element of an array is none. */
static gboolean read_integer(WpCtfFieldReader *reader, const WpCtfType *type, gboolean named,
			     GString *text)
{
	guint64 value;

	if (!take(reader, type->align, type->size))
		return FALSE;
	value = load(reader, type);
	if (type->is_signed)
		value = wp_ctf_sign_extend(value, type->size);
	if (named)
		note(reader, type, value);
	if (text)
		append_integer(text, type, value);
	return TRUE;
}

static gboolean read_float(WpCtfFieldReader *reader, const WpCtfType *type, GString *text)
{
	guint64 bits;
	guint32 narrow;
	gfloat single;
	gdouble real;

	if ((type->size != 32 && type->size != 64) || !take(reader, type->align, type->size))
		return FALSE;
	bits = load(reader, type);
	if (type->size == 32) {
		narrow = (guint32)bits;
		memcpy(&single, &narrow, sizeof(single));
		real = (gdouble)single;
	} else {
		memcpy(&real, &bits, sizeof(real));
	}
	if (text)
		g_string_append_printf(text, "%.9g", real);
	return TRUE;
}

static void append_text(GString *text, const guint8 *bytes, gsize length)
{
	const guint8 *nul = length ? memchr(bytes, 0, length) : NULL;
	g_autofree gchar *copy = g_strndup((const gchar *)bytes,
					   nul ? (gsize)(nul - bytes) : length);
	g_autofree gchar *escaped = g_strescape(copy, NULL);

	g_string_append_printf(text, "\"%s\"",
			       g_utf8_validate(copy, -1, NULL) && !strpbrk(copy, "\"\\\n\r\t\b\f\v")
				       ? copy
				       : escaped);
}

static gboolean read_string(WpCtfFieldReader *reader, GString *text)
{
	const guint8 *begin, *nul;

	if (!take(reader, 8, 8))
		return FALSE;
	begin = reader->data + (reader->pos >> 3);
	nul = memchr(begin, 0, (gsize)((reader->end - reader->pos) >> 3));
	if (!nul)
		return FALSE;
	reader->pos += (guint64)(nul + 1 - begin) << 3;
	if (text)
		append_text(text, begin, (gsize)(nul - begin));
	return TRUE;
}

static gboolean is_character(const WpCtfType *type)
{
	return type->kind == WP_CTF_INTEGER && type->text && type->size == 8 && type->align <= 8;
}

static gboolean read_characters(WpCtfFieldReader *reader, const WpCtfType *type, guint64 length,
				GString *text)
{
	if (length > (reader->end >> 3) || !take(reader, MAX(type->align, 8), length * 8))
		return FALSE;
	if (text)
		append_text(text, reader->data + (reader->pos >> 3), (gsize)length);
	reader->pos += length * 8;
	return TRUE;
}

static gboolean read_array(WpCtfFieldReader *reader, const WpCtfType *type, guint64 length,
			   GString *text)
{
	const gboolean is_integer = type->element->kind == WP_CTF_INTEGER ||
				    type->element->kind == WP_CTF_ENUM;
	gboolean ok = TRUE;

	if (is_character(type->element))
		return read_characters(reader, type, length, text);
	if (!take(reader, type->align, 0))
		return FALSE;
	if (text)
		g_string_append_c(text, '[');
	for (guint64 i = 0; ok && i < length; i++) {
		/* What is long is read on, for what stands behind it, but not told. */
		gboolean tell = text && text->len < WP_RAW_VALUE_MAX;

		if (tell && i)
			g_string_append_c(text, ' ');
		ok = is_integer ? read_integer(reader, type->element, FALSE, tell ? text : NULL)
				: read_type(reader, type->element, tell ? text : NULL);
	}
	if (text)
		g_string_append_c(text, ']');
	return ok;
}

static gboolean read_sequence(WpCtfFieldReader *reader, const WpCtfType *type, GString *text)
{
	const Seen *length = type->path ? find_reference(reader, type->path) : NULL;

	return length && read_array(reader, type, length->value, text);
}

/* A member, under its name. */
static gboolean read_member(WpCtfFieldReader *reader, const WpCtfField *member, GString *text)
{
	const gsize n_path = reader->path->len;
	gboolean ok;

	g_string_append_printf(reader->path, "%s%s", n_path ? "." : "", member->name);
	ok = read_type(reader, member->type, text);
	g_string_truncate(reader->path, n_path);
	return ok;
}

static gboolean read_struct(WpCtfFieldReader *reader, const WpCtfType *type, GString *text)
{
	if (!take(reader, type->align, 0))
		return FALSE;
	if (text)
		g_string_append_c(text, '{');
	for (guint i = 0; i < type->n_fields; i++) {
		gboolean tell = text && text->len < WP_RAW_VALUE_MAX;

		if (tell)
			g_string_append_printf(text, "%s%s=", i ? " " : "",
					       plain(type->fields[i].name));
		if (!read_member(reader, &type->fields[i], tell ? text : NULL))
			return FALSE;
	}
	if (text)
		g_string_append_c(text, '}');
	return TRUE;
}

static gboolean read_variant(WpCtfFieldReader *reader, const WpCtfType *type, GString *text)
{
	const Seen *tag = type->path ? find_reference(reader, type->path) : NULL;

	if (reader->budget == 0)
		return FALSE;
	reader->budget--;
	if (!tag || tag->type->kind != WP_CTF_ENUM)
		return FALSE;
	for (guint i = 0; i < type->n_fields; i++) {
		if (!label_of(tag->type, tag->value, type->fields[i].name))
			continue;
		if (text)
			g_string_append_printf(text, "%s:", plain(type->fields[i].name));
		return read_member(reader, &type->fields[i], text);
	}
	return FALSE;
}

/* Recursion is as deep as types are, at most WP_CTF_DEPTH_MAX. */
static gboolean read_type(WpCtfFieldReader *reader, const WpCtfType *type, GString *text)
{
	switch (type->kind) {
	case WP_CTF_INTEGER:
	case WP_CTF_ENUM:
		return read_integer(reader, type, TRUE, text);
	case WP_CTF_FLOAT:
		return read_float(reader, type, text);
	case WP_CTF_STRING:
		return read_string(reader, text);
	case WP_CTF_STRUCT:
		return read_struct(reader, type, text);
	case WP_CTF_VARIANT:
		return read_variant(reader, type, text);
	case WP_CTF_ARRAY:
		return read_array(reader, type, type->length, text);
	case WP_CTF_SEQUENCE:
		return read_sequence(reader, type, text);
	}
	return FALSE;
}

/* ---- scopes ---- */

static void forget(WpCtfFieldReader *reader, WpCtfScope from)
{
	guint n = reader->seen->len;

	while (n > 0 && g_array_index(reader->seen, Seen, n - 1).scope >= from)
		n--;
	g_array_set_size(reader->seen, n);
}

gboolean wp_ctf_field_reader_read(WpCtfFieldReader *reader, WpCtfScope scope, const WpCtfType *type,
				  WpRawEvent *event)
{
	forget(reader, scope);
	reader->scope = scope;
	reader->budget = FIELDS_MAX;
	g_string_truncate(reader->path, 0);
	if (!type)
		return TRUE;
	if (type->kind != WP_CTF_STRUCT)
		return read_type(reader, type, NULL);
	if (!take(reader, type->align, 0))
		return FALSE;
	for (guint i = 0; i < type->n_fields; i++) {
		g_autoptr(GString) value = event ? g_string_new(NULL) : NULL;

		if (!read_member(reader, &type->fields[i], value))
			return FALSE;
		if (!event)
			continue;
		wp_raw_event_add(event, plain(type->fields[i].name),
				 g_string_free(g_steal_pointer(&value), FALSE));
	}
	return TRUE;
}

gboolean wp_ctf_field_reader_find(const WpCtfFieldReader *reader, WpCtfScope scope,
				  const gchar *name, guint64 *ret_value)
{
	const Seen *seen = seen_at(reader, scope, "", 0, name);

	if (seen)
		*ret_value = seen->value;
	return seen != NULL;
}
