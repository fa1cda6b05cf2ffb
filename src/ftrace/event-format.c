/* SPDX-License-Identifier: MIT */
/*
 * event-format.c: the kernel's own description of an event, as text:
 *
 *   name: sched_waking
 *   ID: 316
 *   format:
 *           field:unsigned short common_type;  offset:0;  size:2;  signed:0;
 *           ...
 *
 *           field:char comm[16];  offset:8;  size:16;  signed:0;
 *
 *   print fmt: ...
 *
 * An empty line parts the fields that all events have from the event's own. How to print
 * an event is of no concern here.
 */
#include "config.h"

#include <string.h>

#include "ftrace/trace-dat-private.h"

/* More than any kernel has: it bounds what a file can make grow. */
#define FIELDS_MAX 512

void wp_ftrace_event_free(WpFtraceEvent *event)
{
	if (!event)
		return;
	g_free(event->name);
	g_free(event->system);
	g_array_unref(event->fields);
	g_free(event);
}

static void field_clear(gpointer data)
{
	g_free(((WpFtraceField *)data)->name);
}

/* The text between key and the next ';' of a line, in *ret_length bytes; NULL without it. */
static const gchar *find_value(const gchar *line, gsize length, const gchar *key, gsize *ret_length)
{
	const gchar *at = g_strstr_len(line, (gssize)length, key), *end;

	if (!at)
		return NULL;
	at += strlen(key);
	end = memchr(at, ';', (gsize)(line + length - at));
	if (!end)
		return NULL;
	*ret_length = (gsize)(end - at);
	return at;
}

static gboolean find_number(const gchar *line, gsize length, const gchar *key, guint32 *ret_number)
{
	gsize n;
	const gchar *at = find_value(line, length, key, &n);
	guint64 number = 0;

	if (!at || !n || n > 9)
		return FALSE;
	for (gsize i = 0; i < n; i++) {
		if (!g_ascii_isdigit(at[i]))
			return FALSE;
		number = number * 10 + (guint64)(at[i] - '0');
	}
	*ret_number = (guint32)number;
	return TRUE;
}

/* Bytes of the integer that a C type names, 0 when it names none that is known. */
static guint32 type_size(const gchar *type, guint32 long_size)
{
	static const struct {
		const gchar *word;
		guint8 size; /* 0: that of a long */
	} words[] = {
		{"long long", 8}, {"u64", 8},      {"s64", 8},     {"uint64_t", 8}, {"int64_t", 8},
		{"long", 0},      {"size_t", 0},   {"pointer", 0}, {"short", 2},    {"u16", 2},
		{"s16", 2},       {"uint16_t", 2}, {"int16_t", 2}, {"be16", 2},     {"char", 1},
		{"u8", 1},        {"s8", 1},       {"bool", 1},    {"uint8_t", 1},  {"int8_t", 1},
		{"int", 4},       {"u32", 4},      {"s32", 4},     {"unsigned", 4}, {"pid_t", 4},
		{"be32", 4},      {"gfp_t", 4},    {"dev_t", 4},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (strstr(type, words[i].word))
			return words[i].size ? words[i].size : long_size;
	return 0;
}

/*
 * Takes "unsigned long caller[8]", "__data_loc char[] filename" or "void * ptr" apart: the
 * type with all its words, the name, and the text of the brackets (NULL: no array).
 */
static gboolean split_declaration(const gchar *text, gsize length, gchar **ret_type,
				  gchar **ret_name, gchar **ret_count)
{
	g_autofree gchar *all = g_strndup(text, length);
	gchar *bracket, *close, *name;

	*ret_count = NULL;
	bracket = strchr(all, '[');
	if (bracket) {
		close = strchr(bracket, ']');
		if (!close)
			return FALSE;
		*close = '\0';
		*ret_count = g_strdup(bracket + 1);
		memset(bracket, ' ', (gsize)(close - bracket) + 1);
	}
	g_strchomp(all);
	name = all + strlen(all);
	while (name > all && (g_ascii_isalnum(name[-1]) || name[-1] == '_'))
		name--;
	*ret_name = g_strdup(name);
	*name = '\0';
	*ret_type = g_strdup(g_strstrip(all));
	return **ret_name && **ret_type;
}

static void set_type(WpFtraceField *field, const gchar *type, const gchar *count, guint32 long_size)
{
	guint64 n = count ? g_ascii_strtoull(count, NULL, 10) : 0;
	gboolean whole = field->size == 1 || field->size == 2 || field->size == 4 ||
			 field->size == 8;

	if (g_str_has_prefix(type, "__data_loc "))
		field->place = WP_FTRACE_DATA_LOC;
	else if (g_str_has_prefix(type, "__rel_loc "))
		field->place = WP_FTRACE_REL_LOC;
	field->is_pointer = strchr(type, '*') != NULL;
	if (field->place == WP_FTRACE_INLINE && !count && whole) {
		field->type = WP_FTRACE_INTEGER;
		return;
	}
	if (count && strstr(type, "char") && !strstr(type, "signed") && !field->is_pointer) {
		field->type = WP_FTRACE_TEXT;
		field->element = 1;
		return;
	}
	field->type = WP_FTRACE_ARRAY;
	if (count)
		field->element = field->is_pointer ? long_size : type_size(type, long_size);
	/* a count says more than the name of a type */
	if (n && n <= field->size && field->size % n == 0 && field->place == WP_FTRACE_INLINE)
		field->element = (guint32)(field->size / n);
	if (field->element != 2 && field->element != 4 && field->element != 8)
		field->element = 1;
}

static gboolean parse_field(const gchar *line, gsize length, guint32 long_size,
			    WpFtraceField *ret_field)
{
	g_autofree gchar *type = NULL, *name = NULL, *count = NULL;
	WpFtraceField field = {0};
	gsize n;
	guint32 is_signed = 0;
	const gchar *declaration = find_value(line, length, "field:", &n);

	if (!declaration || !find_number(line, length, "offset:", &field.offset) ||
	    !find_number(line, length, "size:", &field.size))
		return FALSE;
	(void)find_number(line, length, "signed:", &is_signed);
	if (!split_declaration(declaration, n, &type, &name, &count))
		return FALSE;
	field.is_signed = is_signed != 0;
	set_type(&field, type, count, long_size);
	field.name = g_steal_pointer(&name);
	*ret_field = field;
	return TRUE;
}

/*
 * A kernel stack is declared with eight callers, and recorded with as many as there were: up
 * to the end of the record.
 */
static void open_kernel_stack(WpFtraceEvent *event)
{
	WpFtraceField *last;

	if (!event->fields->len || g_strcmp0(event->name, "kernel_stack") ||
	    g_strcmp0(event->system, "ftrace"))
		return;
	last = &g_array_index(event->fields, WpFtraceField, event->fields->len - 1);
	if (last->type == WP_FTRACE_ARRAY && last->place == WP_FTRACE_INLINE)
		last->size = 0;
}

static gboolean parse_line(WpFtraceEvent *event, const gchar *line, gsize length, guint32 long_size,
			   gboolean *parted)
{
	WpFtraceField field;

	if (length > 6 && !memcmp(line, "name: ", 6) && !event->name) {
		event->name = g_strstrip(g_strndup(line + 6, length - 6));
	} else if (length > 4 && !memcmp(line, "ID: ", 4)) {
		g_autofree gchar *id = g_strndup(line + 4, length - 4);

		event->id = (guint32)g_ascii_strtoull(id, NULL, 10);
	} else if (event->fields->len && !length && !*parted) {
		event->n_common = event->fields->len;
		*parted = TRUE;
	} else if (parse_field(line, length, long_size, &field)) {
		if (event->fields->len == FIELDS_MAX) {
			g_free(field.name);
			return FALSE;
		}
		g_array_append_val(event->fields, field);
	}
	return TRUE;
}

WpFtraceEvent *wp_ftrace_event_parse(const gchar *text, gsize length, const gchar *system,
				     guint32 long_size)
{
	WpFtraceEvent *event = g_new0(WpFtraceEvent, 1);
	const gchar *end = text + length, *line = text;
	gboolean parted = FALSE, ok = TRUE;

	event->system = g_strdup(system);
	event->fields = g_array_new(FALSE, FALSE, sizeof(WpFtraceField));
	g_array_set_clear_func(event->fields, field_clear);
	while (ok && line < end) {
		const gchar *newline = memchr(line, '\n', (gsize)(end - line));
		gsize n = (gsize)((newline ?: end) - line);

		if (n >= 10 && !memcmp(line, "print fmt:", 10))
			break;
		ok = parse_line(event, line, n, long_size, &parted);
		line += n + 1;
	}
	if (!ok || !event->fields->len) {
		wp_ftrace_event_free(event);
		return NULL;
	}
	open_kernel_stack(event);
	return event;
}

const WpFtraceField *wp_ftrace_event_find_field(const WpFtraceEvent *event, const gchar *name)
{
	for (guint i = 0; i < event->fields->len; i++) {
		const WpFtraceField *field = &g_array_index(event->fields, WpFtraceField, i);

		if (g_str_equal(field->name, name))
			return field;
	}
	return NULL;
}
