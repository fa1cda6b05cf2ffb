/* SPDX-License-Identifier: MIT */
/*
 * trace-dat.c: the head of a trace.dat file.
 *
 * Version 6 is one piece: initial head, header page, event formats, symbols, options, and
 * where each CPU's data lies. Version 7 is sections, of which the options say where they
 * are. Both are read by the same functions, from a span over the part in question.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "ftrace/trace-dat-private.h"

#define MAGIC "\x17\x08\x44tracing"
#define MAGIC_LENGTH 10
/* Bounds on what a file can make grow. */
#define EVENTS_MAX 100000
#define STREAMS_MAX 65536
#define OPTION_SECTIONS_MAX 1000

enum {
	OPTION_DONE = 0,
	OPTION_DATE = 1,
	OPTION_BUFFER = 3,
	OPTION_TRACECLOCK = 4,
	OPTION_UNAME = 5,
	OPTION_OFFSET = 7,
	OPTION_VERSION = 9,
	OPTION_TSC2NSEC = 14,
	OPTION_HEADER_INFO = 16,
	OPTION_FTRACE_EVENTS = 17,
	OPTION_EVENT_FORMATS = 18
};

#define SECTION_COMPRESSED 1u

const guint8 *wp_ftrace_span_take(WpFtraceSpan *span, guint64 n)
{
	const guint8 *at = span->at;

	if (span->bad || n > (guint64)(span->end - span->at)) {
		span->bad = TRUE;
		return NULL;
	}
	span->at += n;
	return at;
}

static guint64 read_unsigned(const guint8 *bytes, gsize size, gboolean big_endian)
{
	guint16 two;
	guint32 four;
	guint64 eight;

	switch (size) {
	case 1:
		return *bytes;
	case 2:
		memcpy(&two, bytes, 2);
		return big_endian ? GUINT16_FROM_BE(two) : GUINT16_FROM_LE(two);
	case 4:
		memcpy(&four, bytes, 4);
		return big_endian ? GUINT32_FROM_BE(four) : GUINT32_FROM_LE(four);
	default:
		memcpy(&eight, bytes, 8);
		return big_endian ? GUINT64_FROM_BE(eight) : GUINT64_FROM_LE(eight);
	}
}

guint64 wp_ftrace_span_integer(WpFtraceSpan *span, gsize size)
{
	const guint8 *at = wp_ftrace_span_take(span, size);

	return at ? read_unsigned(at, size, span->big_endian) : 0;
}

const gchar *wp_ftrace_span_string(WpFtraceSpan *span)
{
	const guint8 *nul = span->bad ? NULL : memchr(span->at, 0, (gsize)(span->end - span->at));

	if (!nul) {
		span->bad = TRUE;
		return "";
	}
	return (const gchar *)wp_ftrace_span_take(span, (guint64)(nul + 1 - span->at));
}

gint64 wp_trace_dat_read_integer(const WpTraceDat *file, const guint8 *bytes, gsize size,
				 gboolean is_signed)
{
	guint64 value = read_unsigned(bytes, size, file->big_endian);

	if (is_signed && size < 8 && value >> (size * 8 - 1))
		value |= G_MAXUINT64 << (size * 8);
	return (gint64)value;
}

static WpFtraceSpan span_at(const WpTraceDat *file, guint64 offset)
{
	WpFtraceSpan span = {.big_endian = file->big_endian};

	span.bad = offset > file->size;
	span.at = file->bytes + (span.bad ? 0 : offset);
	span.end = file->bytes + file->size;
	return span;
}

/* A span of its own over the next n bytes. */
static WpFtraceSpan sub_span(WpFtraceSpan *span, guint64 n)
{
	WpFtraceSpan sub = {.big_endian = span->big_endian};

	sub.at = wp_ftrace_span_take(span, n);
	sub.bad = !sub.at;
	sub.end = sub.at ? sub.at + n : NULL;
	return sub;
}

static gboolean fail(const WpTraceDat *file, GError **error, const gchar *format, ...)
	G_GNUC_PRINTF(3, 4);

static gboolean fail(const WpTraceDat *file, GError **error, const gchar *format, ...)
{
	g_autofree gchar *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "%s: %s.", file->path, text);
	return FALSE;
}

static gboolean read_page_head(WpTraceDat *file, const gchar *text, gsize length, GError **error)
{
	WpFtraceEvent *page = wp_ftrace_event_parse(text, length, "", 8);
	const WpFtraceField *commit = page ? wp_ftrace_event_find_field(page, "commit") : NULL;
	const WpFtraceField *data = page ? wp_ftrace_event_find_field(page, "data") : NULL;
	gboolean ok = commit && data && (commit->size == 4 || commit->size == 8) &&
		      commit->offset >= 8 && commit->offset <= 64 &&
		      data->offset >= commit->offset + commit->size && data->offset <= 128;

	if (ok) {
		file->page_head.commit_offset = commit->offset;
		file->page_head.commit_size = commit->size;
		file->page_head.data_offset = data->offset;
		/* the kernel's own, where user space may have been a 32-bit one */
		file->long_size = commit->size;
	}
	wp_ftrace_event_free(page);
	return ok || fail(file, error, "the description of a ring buffer page is not understood");
}

static gboolean read_header_info(WpTraceDat *file, WpFtraceSpan *span, GError **error)
{
	const guint8 *tag = wp_ftrace_span_take(span, 12);
	guint64 length = wp_ftrace_span_integer(span, 8);
	const guint8 *text = wp_ftrace_span_take(span, length);

	if (!text || memcmp(tag, "header_page", 12))
		return fail(file, error, "the description of a ring buffer page is missing");
	if (!read_page_head(file, (const gchar *)text, length, error))
		return FALSE;
	tag = wp_ftrace_span_take(span, 13);
	length = wp_ftrace_span_integer(span, 8);
	wp_ftrace_span_take(span, length);
	return (tag && !span->bad) || fail(file, error, "it ends within its head");
}

static gboolean read_format(WpTraceDat *file, WpFtraceSpan *span, const gchar *system,
			    GError **error)
{
	guint64 length = wp_ftrace_span_integer(span, 8);
	const guint8 *text = wp_ftrace_span_take(span, length);
	WpFtraceEvent *event;

	if (!text)
		return fail(file, error, "it ends within the formats of its events");
	event = wp_ftrace_event_parse((const gchar *)text, length, system, file->long_size);
	/* what can't be understood is left out: its records are counted when they come */
	if (!event || !event->name || g_hash_table_size(file->events) >= EVENTS_MAX ||
	    g_hash_table_contains(file->events, GUINT_TO_POINTER(event->id))) {
		wp_ftrace_event_free(event);
		return TRUE;
	}
	g_hash_table_insert(file->events, GUINT_TO_POINTER(event->id), event);
	if (!file->any_event)
		file->any_event = event;
	return TRUE;
}

static gboolean read_ftrace_events(WpTraceDat *file, WpFtraceSpan *span, GError **error)
{
	guint64 n = wp_ftrace_span_integer(span, 4);

	while (n-- && !span->bad)
		if (!read_format(file, span, "ftrace", error))
			return FALSE;
	return !span->bad || fail(file, error, "it ends within the formats of its events");
}

static gboolean read_event_formats(WpTraceDat *file, WpFtraceSpan *span, GError **error)
{
	guint64 n_systems = wp_ftrace_span_integer(span, 4);

	while (n_systems-- && !span->bad) {
		const gchar *system = wp_ftrace_span_string(span);
		guint64 n = wp_ftrace_span_integer(span, 4);

		while (n-- && !span->bad)
			if (!read_format(file, span, system, error))
				return FALSE;
	}
	return !span->bad || fail(file, error, "it ends within the formats of its events");
}

/* "Linux NAME RELEASE MACHINE" */
static void read_uname(WpTraceDat *file, const gchar *text)
{
	g_auto(GStrv) words = g_strsplit(text, " ", 4);

	if (g_strv_length(words) < 3)
		return;
	g_free(file->host);
	file->host = *words[1] ? g_strdup(words[1]) : NULL;
	g_free(file->kernel_release);
	file->kernel_release = g_strdup(words[2]);
}

/* "local global [mono] boot": the one in brackets */
static void read_clock(WpTraceDat *file, const gchar *text)
{
	const gchar *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;

	if (!close)
		return;
	g_free(file->clock);
	file->clock = g_strndup(open + 1, (gsize)(close - open) - 1);
}

static gint64 add_saturated(gint64 a, gint64 b)
{
	gint64 sum;

	if (__builtin_add_overflow(a, b, &sum))
		return a < 0 ? G_MININT64 : G_MAXINT64;
	return sum;
}

static gint64 multiply_saturated(gint64 a, gint64 b)
{
	gint64 product;

	if (__builtin_mul_overflow(a, b, &product))
		return (a < 0) != (b < 0) ? G_MININT64 : G_MAXINT64;
	return product;
}

static void read_tsc(WpTraceDat *file, WpFtraceSpan *span)
{
	guint32 mult = (guint32)wp_ftrace_span_integer(span, 4);
	guint32 shift = (guint32)wp_ftrace_span_integer(span, 4);
	guint64 offset = wp_ftrace_span_integer(span, 8);

	if (span->bad || shift > 63)
		return;
	file->tsc_mult = mult;
	file->tsc_shift = shift;
	file->tsc_offset = offset;
}

static WpFtraceData *add_stream(WpTraceDat *file, const gchar *buffer, const gchar *clock,
				guint32 cpu)
{
	WpFtraceData data = {.page_size = file->page_size};

	data.info.buffer = g_strdup(buffer);
	data.info.clock = g_strdup(clock);
	data.info.cpu = cpu;
	g_array_append_val(file->data, data);
	return &g_array_index(file->data, WpFtraceData, file->data->len - 1);
}

/* Where a stream's pages are; what is not in the file is cut off, and told. */
static void place_stream(WpTraceDat *file, WpFtraceData *data, guint64 offset, guint64 size)
{
	guint64 available = offset < file->size ? file->size - offset : 0;

	data->offset = MIN(offset, file->size);
	data->size = MIN(size, available);
	data->info.n_bytes = data->size;
	if (data->size < size)
		wp_findings_add(file->findings, "trace-cut", WP_SEVERITY_WARNING, file->host,
				WP_TIME_MIN, 1,
				"%s: of the %" G_GUINT64_FORMAT
				" bytes of CPU %u %" G_GUINT64_FORMAT
				" are there: the file is cut.",
				file->path, size, data->info.cpu, data->size);
}

static gboolean page_size_ok(guint64 size)
{
	return size >= 256 && size <= WP_FTRACE_PAGE_MAX;
}

/* Version 7: a buffer with all its CPUs. */
static gboolean read_buffer(WpTraceDat *file, WpFtraceSpan *span, GError **error)
{
	guint64 section = wp_ftrace_span_integer(span, 8);
	const gchar *name = wp_ftrace_span_string(span);
	const gchar *clock = wp_ftrace_span_string(span);
	guint64 page_size = wp_ftrace_span_integer(span, 4);
	guint64 n_cpus = wp_ftrace_span_integer(span, 4);
	WpFtraceSpan head = span_at(file, section);
	guint64 flags;

	(void)wp_ftrace_span_integer(&head, 2);
	flags = wp_ftrace_span_integer(&head, 2);
	if (span->bad || head.bad || !page_size_ok(page_size))
		return fail(file, error, "the description of its buffer '%s' is damaged", name);
	for (guint64 i = 0; i < n_cpus; i++) {
		guint64 cpu = wp_ftrace_span_integer(span, 4);
		guint64 offset = wp_ftrace_span_integer(span, 8);
		guint64 size = wp_ftrace_span_integer(span, 8);
		WpFtraceData *data;

		if (span->bad || file->data->len >= STREAMS_MAX)
			return fail(file, error, "the description of its buffer '%s' is damaged",
				    name);
		data = add_stream(file, name, clock, (guint32)cpu);
		data->page_size = (guint32)page_size;
		data->compressed = (flags & SECTION_COMPRESSED) != 0;
		/* trace-cmd leaves the count of chunks out of the size */
		if (data->compressed && size && size < G_MAXUINT64 - 4)
			size += 4;
		place_stream(file, data, offset, size);
	}
	return TRUE;
}

/* Version 6: where the data of all CPUs of a buffer are. */
static gboolean read_cpu_table(WpTraceDat *file, WpFtraceSpan *span, const gchar *name,
			       guint64 n_cpus, GError **error)
{
	for (guint64 cpu = 0; cpu < n_cpus; cpu++) {
		guint64 offset = wp_ftrace_span_integer(span, 8);
		guint64 size = wp_ftrace_span_integer(span, 8);

		if (span->bad || file->data->len >= STREAMS_MAX)
			return fail(file, error, "it ends within its table of CPUs");
		place_stream(file, add_stream(file, name, file->clock, (guint32)cpu), offset, size);
	}
	return TRUE;
}

/* The options that mean the same in both versions. */
static void read_common_option(WpTraceDat *file, guint id, WpFtraceSpan *span)
{
	g_autofree gchar *text = NULL;

	if (id == OPTION_TSC2NSEC) {
		read_tsc(file, span);
		return;
	}
	text = g_strndup((const gchar *)span->at, (gsize)(span->end - span->at));
	g_strchomp(text);
	switch (id) {
	case OPTION_DATE: /* microseconds */
		file->time_offset = add_saturated(
			file->time_offset,
			multiply_saturated(g_ascii_strtoll(text, NULL, 0), WP_NS_PER_US));
		file->absolute = TRUE;
		break;
	case OPTION_OFFSET:
		file->time_offset = add_saturated(file->time_offset,
						  g_ascii_strtoll(text, NULL, 0));
		break;
	case OPTION_TRACECLOCK:
		read_clock(file, text);
		break;
	case OPTION_UNAME:
		read_uname(file, text);
		break;
	case OPTION_VERSION:
		g_free(file->tracer_version);
		file->tracer_version = g_steal_pointer(&text);
		break;
	default: /* nothing that is needed here */
		break;
	}
}

/* What a section holds, in memory that *ret_bytes keeps when it had to be unpacked. */
static gboolean open_section(WpTraceDat *file, guint64 offset, WpFtraceSpan *ret_span,
			     GBytes **ret_bytes, GError **error)
{
	WpFtraceSpan head = span_at(file, offset);
	guint64 flags, size, packed, unpacked;
	const guint8 *bytes;
	g_autoptr(GError) failed = NULL;

	(void)wp_ftrace_span_integer(&head, 2);
	flags = wp_ftrace_span_integer(&head, 2);
	(void)wp_ftrace_span_integer(&head, 4);
	size = wp_ftrace_span_integer(&head, 8);
	*ret_bytes = NULL;
	*ret_span = sub_span(&head, size);
	if (ret_span->bad)
		return fail(file, error, "it ends within the section at byte %" G_GUINT64_FORMAT,
			    offset);
	if (!(flags & SECTION_COMPRESSED))
		return TRUE;
	packed = wp_ftrace_span_integer(ret_span, 4);
	unpacked = wp_ftrace_span_integer(ret_span, 4);
	bytes = wp_ftrace_span_take(ret_span, packed);
	if (!bytes)
		return fail(file, error, "the section at byte %" G_GUINT64_FORMAT " is damaged",
			    offset);
	*ret_bytes = wp_ftrace_inflate(file->compression, bytes, packed, unpacked, &failed);
	if (!*ret_bytes)
		return fail(file, error, "the section at byte %" G_GUINT64_FORMAT ": %s", offset,
			    failed->message);
	ret_span->at = g_bytes_get_data(*ret_bytes, NULL);
	ret_span->end = ret_span->at + g_bytes_get_size(*ret_bytes);
	return TRUE;
}

typedef gboolean (*SectionFunc)(WpTraceDat *file, WpFtraceSpan *span, GError **error);

static gboolean read_section(WpTraceDat *file, guint64 offset, SectionFunc func, GError **error)
{
	WpFtraceSpan span;
	g_autoptr(GBytes) bytes = NULL;

	return open_section(file, offset, &span, &bytes, error) && func(file, &span, error);
}

/* Where the parts are; 0: not in the file. */
typedef struct {
	guint64 header_info, ftrace_events, event_formats;
	guint64 next_options;
	guint n_buffers;
} Parts;

static gboolean read_option_7(WpTraceDat *file, guint id, WpFtraceSpan *span, Parts *parts,
			      GError **error)
{
	switch (id) {
	case OPTION_DONE:
		parts->next_options = wp_ftrace_span_integer(span, 8);
		return TRUE;
	case OPTION_BUFFER:
		parts->n_buffers++;
		return read_buffer(file, span, error);
	case OPTION_HEADER_INFO:
		parts->header_info = wp_ftrace_span_integer(span, 8);
		return TRUE;
	case OPTION_FTRACE_EVENTS:
		parts->ftrace_events = wp_ftrace_span_integer(span, 8);
		return TRUE;
	case OPTION_EVENT_FORMATS:
		parts->event_formats = wp_ftrace_span_integer(span, 8);
		return TRUE;
	default:
		read_common_option(file, id, span);
		return TRUE;
	}
}

static gboolean read_options_7(WpTraceDat *file, guint64 offset, Parts *parts, GError **error)
{
	for (guint i = 0; offset; i++) {
		WpFtraceSpan span;
		g_autoptr(GBytes) bytes = NULL;
		guint64 id;

		if (i == OPTION_SECTIONS_MAX)
			return fail(file, error, "its options go in a circle");
		if (!open_section(file, offset, &span, &bytes, error))
			return FALSE;
		parts->next_options = 0;
		do {
			guint64 size;
			WpFtraceSpan option;

			id = wp_ftrace_span_integer(&span, 2);
			size = wp_ftrace_span_integer(&span, 4);
			option = sub_span(&span, size);
			if (span.bad)
				return fail(file, error, "it ends within its options");
			if (!read_option_7(file, (guint)id, &option, parts, error))
				return FALSE;
		} while (id != OPTION_DONE);
		offset = parts->next_options;
	}
	return TRUE;
}

static gboolean read_compression(WpTraceDat *file, const gchar *name, GError **error)
{
	if (!*name || g_str_equal(name, "none")) {
		file->compression = WP_FTRACE_PLAIN;
	} else if (g_str_equal(name, "zlib")) {
		file->compression = WP_FTRACE_ZLIB;
	} else if (g_str_equal(name, "zstd")) {
		file->compression = WP_FTRACE_ZSTD;
#ifndef HAVE_ZSTD
		return fail(file, error,
			    "it is compressed with zstd, and this waitpath was built without "
			    "libzstd; `trace-cmd convert --compression none` unpacks it");
#endif
	} else {
		return fail(file, error,
			    "it is compressed with '%.20s', which is not known here; `trace-cmd "
			    "convert --compression none` unpacks it",
			    name);
	}
	return wp_ftrace_inflate_prepare(file->compression, error);
}

static gboolean read_version_7(WpTraceDat *file, WpFtraceSpan *span, GError **error)
{
	const gchar *compression = wp_ftrace_span_string(span);
	guint64 options;
	Parts parts = {0};

	(void)wp_ftrace_span_string(span);
	options = wp_ftrace_span_integer(span, 8);
	if (span->bad || !options)
		return fail(file, error, "it ends within its head: it was never finished");
	if (!read_compression(file, compression, error) ||
	    !read_options_7(file, options, &parts, error))
		return FALSE;
	if (!parts.header_info)
		return fail(file, error, "the description of a ring buffer page is missing");
	if (!read_section(file, parts.header_info, read_header_info, error))
		return FALSE;
	if (parts.ftrace_events &&
	    !read_section(file, parts.ftrace_events, read_ftrace_events, error))
		return FALSE;
	return !parts.event_formats ||
	       read_section(file, parts.event_formats, read_event_formats, error);
}

typedef struct {
	guint64 offset;
	const gchar *name; /* borrowed from the file */
} Instance;

/* Reads the options of version 6; further buffers are collected. */
static gboolean read_options_6(WpTraceDat *file, WpFtraceSpan *span, GArray *instances,
			       GError **error)
{
	for (;;) {
		guint64 id = wp_ftrace_span_integer(span, 2), size;
		WpFtraceSpan option;

		if (!id && !span->bad)
			return TRUE;
		size = wp_ftrace_span_integer(span, 4);
		option = sub_span(span, size);
		if (span->bad)
			return fail(file, error, "it ends within its options");
		if (id == OPTION_BUFFER) {
			Instance instance;

			instance.offset = wp_ftrace_span_integer(&option, 8);
			instance.name = wp_ftrace_span_string(&option);
			if (!option.bad && instances->len < STREAMS_MAX)
				g_array_append_val(instances, instance);
		} else {
			read_common_option(file, (guint)id, &option);
		}
	}
}

static gboolean is_tag(const guint8 *tag, const gchar *text)
{
	return tag && !memcmp(tag, text, 10);
}

static gboolean read_buffers_6(WpTraceDat *file, WpFtraceSpan *span, GError **error)
{
	guint64 n_cpus = wp_ftrace_span_integer(span, 4);
	const guint8 *tag = wp_ftrace_span_take(span, 10);
	g_autoptr(GArray) instances = g_array_new(FALSE, FALSE, sizeof(Instance));

	if (is_tag(tag, "options  ")) {
		if (!read_options_6(file, span, instances, error))
			return FALSE;
		tag = wp_ftrace_span_take(span, 10);
	}
	if (is_tag(tag, "latency  "))
		return fail(file, error,
			    "it holds the text of a latency tracer, no events; record events with "
			    "`trace-cmd record -e sched`");
	if (!is_tag(tag, "flyrecord"))
		return fail(file, error, "it ends before its events");
	if (!read_cpu_table(file, span, "", n_cpus, error))
		return FALSE;
	for (guint i = 0; i < instances->len; i++) {
		const Instance *instance = &g_array_index(instances, Instance, i);
		WpFtraceSpan table = span_at(file, instance->offset);

		if (!is_tag(wp_ftrace_span_take(&table, 10), "flyrecord"))
			return fail(file, error, "the description of its buffer '%s' is damaged",
				    instance->name);
		if (!read_cpu_table(file, &table, instance->name, n_cpus, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean read_version_6(WpTraceDat *file, WpFtraceSpan *span, GError **error)
{
	if (!read_header_info(file, span, error) || !read_ftrace_events(file, span, error) ||
	    !read_event_formats(file, span, error))
		return FALSE;
	/* symbols, printk formats, names of tasks: not needed */
	wp_ftrace_span_take(span, wp_ftrace_span_integer(span, 4));
	wp_ftrace_span_take(span, wp_ftrace_span_integer(span, 4));
	wp_ftrace_span_take(span, wp_ftrace_span_integer(span, 8));
	if (span->bad)
		return fail(file, error, "it ends before its events");
	return read_buffers_6(file, span, error);
}

static gboolean read_head(WpTraceDat *file, GError **error)
{
	WpFtraceSpan span = span_at(file, 0);
	const guint8 *magic = wp_ftrace_span_take(&span, MAGIC_LENGTH);
	const gchar *version;

	if (!magic || memcmp(magic, MAGIC, MAGIC_LENGTH))
		return fail(file, error, "it is no file of trace-cmd");
	version = wp_ftrace_span_string(&span);
	file->version = (guint)g_ascii_strtoull(version, NULL, 10);
	file->big_endian = span.big_endian = wp_ftrace_span_integer(&span, 1) == 1;
	file->long_size = (guint32)wp_ftrace_span_integer(&span, 1);
	file->page_size = (guint32)wp_ftrace_span_integer(&span, 4);
	if (span.bad || !page_size_ok(file->page_size))
		return fail(file, error, "its head is damaged");
	if (file->version == 6)
		return read_version_6(file, &span, error);
	if (file->version == 7)
		return read_version_7(file, &span, error);
	return fail(
		file, error,
		"it is of version '%.10s'; 6 and 7 are known, and `trace-cmd convert` makes them",
		version);
}

/* Names of clocks whose times do not count nanoseconds, or not the same on every CPU. */
static void judge_clock(WpTraceDat *file)
{
	const gchar *clock = file->data->len ? g_array_index(file->data, WpFtraceData, 0).info.clock
					     : NULL;

	if (!clock)
		return;
	if (g_str_equal(clock, "counter") || g_str_equal(clock, "uptime") ||
	    (g_str_equal(clock, "x86-tsc") && !file->tsc_mult))
		wp_findings_add(file->findings, "clock-no-time", WP_SEVERITY_WARNING, file->host,
				WP_TIME_MIN, 1,
				"%s: its clock '%s' does not count nanoseconds, so durations mean "
				"nothing; record with `trace-cmd record -C mono`.",
				file->path, clock);
	else if (g_str_equal(clock, "local"))
		wp_findings_add(file->findings, "clock-local", WP_SEVERITY_INFO, file->host,
				WP_TIME_MIN, 1,
				"%s: its clock 'local' may differ from CPU to CPU; record with "
				"`trace-cmd record -C mono`.",
				file->path);
}

static void data_clear(gpointer element)
{
	WpFtraceData *data = element;

	g_free(data->info.buffer);
	g_free(data->info.clock);
}

gboolean wp_trace_dat_probe(const gchar *path)
{
	gchar head[MAGIC_LENGTH];
	FILE *stream = fopen(path, "re");
	gboolean is;

	if (!stream)
		return FALSE;
	is = fread(head, sizeof(head), 1, stream) == 1 && !memcmp(head, MAGIC, MAGIC_LENGTH);
	fclose(stream);
	return is;
}

WpTraceDat *wp_trace_dat_open(const gchar *path, GError **error)
{
	g_autoptr(WpTraceDat) file = g_new0(WpTraceDat, 1);
	g_autoptr(GError) failed = NULL;

	g_atomic_ref_count_init(&file->ref_count);
	file->path = g_strdup(path);
	file->findings = wp_findings_new();
	file->events = g_hash_table_new_full(NULL, NULL, NULL,
					     (GDestroyNotify)wp_ftrace_event_free);
	file->data = g_array_new(FALSE, TRUE, sizeof(WpFtraceData));
	g_array_set_clear_func(file->data, data_clear);
	if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
		fail(file, error, "it is a directory, no file of trace-cmd");
		return NULL;
	}
	file->mapped = g_mapped_file_new(path, FALSE, &failed);
	if (!file->mapped) {
		g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "%s.", failed->message);
		return NULL;
	}
	/* Of an empty file GLib maps nothing. */
	file->bytes = (const guint8 *)(g_mapped_file_get_contents(file->mapped) ?: "");
	file->size = g_mapped_file_get_length(file->mapped);
	if (!read_head(file, error))
		return NULL;
	judge_clock(file);
	return g_steal_pointer(&file);
}

WpTraceDat *wp_trace_dat_ref(WpTraceDat *file)
{
	g_atomic_ref_count_inc(&file->ref_count);
	return file;
}

void wp_trace_dat_unref(WpTraceDat *file)
{
	if (!file || !g_atomic_ref_count_dec(&file->ref_count))
		return;
	if (file->mapped)
		g_mapped_file_unref(file->mapped);
	g_hash_table_destroy(file->events);
	g_array_unref(file->data);
	wp_findings_free(file->findings);
	g_free(file->host);
	g_free(file->kernel_release);
	g_free(file->tracer_version);
	g_free(file->clock);
	g_free(file->path);
	g_free(file);
}

const gchar *wp_trace_dat_get_path(const WpTraceDat *file)
{
	return file->path;
}

const gchar *wp_trace_dat_get_host(const WpTraceDat *file)
{
	return file->host;
}

const gchar *wp_trace_dat_get_kernel_release(const WpTraceDat *file)
{
	return file->kernel_release;
}

const gchar *wp_trace_dat_get_tracer_version(const WpTraceDat *file)
{
	return file->tracer_version;
}

gboolean wp_trace_dat_is_absolute(const WpTraceDat *file)
{
	return file->absolute;
}

gint64 wp_trace_dat_get_clock_offset(const WpTraceDat *file)
{
	return file->time_offset;
}

const WpFtraceEvent *wp_trace_dat_get_any_event(const WpTraceDat *file)
{
	return file->any_event;
}

const WpFindings *wp_trace_dat_get_findings(const WpTraceDat *file)
{
	return file->findings;
}

guint wp_trace_dat_get_n_streams(const WpTraceDat *file)
{
	return file->data->len;
}

const WpFtraceStream *wp_trace_dat_get_stream(const WpTraceDat *file, guint stream)
{
	return &g_array_index(file->data, WpFtraceData, stream).info;
}

const WpFtraceEvent *wp_trace_dat_find_event(const WpTraceDat *file, guint32 id)
{
	return g_hash_table_lookup(file->events, GUINT_TO_POINTER(id));
}
