/* SPDX-License-Identifier: MIT */
/*
 * test-ftrace.c: files of trace-cmd, written here entry by entry in each version, byte order,
 * long size and compression, so that what must be read is known; then files at hand, record by
 * record against libtracecmd.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef HAVE_TRACECMD
#include <trace-cmd.h>
#endif

#include "base/error.h"
#include "ftrace/ftrace-reader.h"
#include "ftrace/trace-dat.h"

#define PAGE 4096u

/* How a file is written. */
typedef struct {
	guint version;
	gboolean big_endian;
	guint long_size;
	const gchar *compression; /* "none", "zlib", "zstd" */
	const gchar *options; /* "date", "offset", "tsc" or NULL */
} Shape;

/*
 * Bytes
 */

static void put(GByteArray *out, const Shape *shape, guint64 value, guint size)
{
	for (guint i = 0; i < size; i++) {
		guint8 byte = (guint8)(value >> 8 * (shape->big_endian ? size - 1 - i : i));

		g_byte_array_append(out, &byte, 1);
	}
}

static void put_text(GByteArray *out, const gchar *text)
{
	g_byte_array_append(out, (const guint8 *)text, (guint)strlen(text) + 1);
}

static void put_bytes(GByteArray *out, const void *bytes, gsize n)
{
	g_byte_array_append(out, bytes, (guint)n);
}

static void pad_to(GByteArray *out, guint size)
{
	guint from = out->len;

	if (size > from) {
		g_byte_array_set_size(out, size);
		memset(out->data + from, 0, size - from);
	}
}

static void patch(GByteArray *out, const Shape *shape, guint at, guint64 value, guint size)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();

	put(bytes, shape, value, size);
	memcpy(out->data + at, bytes->data, size);
}

/*
 * Pages of a ring buffer
 */

static void put_head(GByteArray *page, const Shape *shape, guint kind, guint32 delta)
{
	put(page, shape, shape->big_endian ? kind << 27 | delta : delta << 5 | kind, 4);
}

static GByteArray *begin_page(const Shape *shape, guint64 time)
{
	GByteArray *page = g_byte_array_new();

	put(page, shape, time, 8);
	put(page, shape, 0, shape->long_size);
	return page;
}

/* What the kernel writes when it closes a page; lost: G_MAXUINT64 some, number unknown. */
static void end_page(GByteArray *page, const Shape *shape, guint64 lost)
{
	guint64 commit = page->len - 8 - shape->long_size;

	if (lost)
		commit |= G_GUINT64_CONSTANT(1) << 31;
	if (lost && lost != G_MAXUINT64) {
		commit |= G_GUINT64_CONSTANT(1) << 30;
		put(page, shape, lost, shape->long_size);
	}
	patch(page, shape, 8, commit, shape->long_size);
	pad_to(page, PAGE);
}

/* common_type, common_flags, common_preempt_count, common_pid */
static void put_common(GByteArray *out, const Shape *shape, guint id, gint pid)
{
	put(out, shape, id, 2);
	put(out, shape, 1, 1);
	put(out, shape, 0, 1);
	put(out, shape, (guint64)(gint64)pid, 4);
}

static void put_comm(GByteArray *out, const gchar *comm)
{
	gchar text[16] = {0};

	g_strlcpy(text, comm, sizeof(text));
	put_bytes(out, text, sizeof(text));
}

#define ID_SWITCH 300u
#define ID_EXEC 301u
#define ID_STACK 4u
#define ID_ODD 302u

/* 8 + 16 + 4 + 4 + long + 16 + 4 + 4 bytes */
static void put_switch(GByteArray *page, const Shape *shape, guint32 delta, gint prev, gint next,
		       gint64 state)
{
	guint size = 8 + 16 + 4 + 4 + 8 + 16 + 4 + 4;

	put_head(page, shape, size / 4, delta);
	put_common(page, shape, ID_SWITCH, prev);
	put_comm(page, "from");
	put(page, shape, (guint64)prev, 4);
	put(page, shape, 120, 4);
	if (shape->long_size == 4) {
		put(page, shape, (guint64)state, 4);
		put(page, shape, 0, 4);
	} else {
		put(page, shape, (guint64)state, 8);
	}
	put_comm(page, "a-name-of-15-by");
	put(page, shape, (guint64)next, 4);
	put(page, shape, 100, 4);
}

/* A long entry: its length does not fit in the head. A name and numbers of variable length. */
static void put_exec(GByteArray *page, const Shape *shape, guint32 delta, const gchar *name,
		     guint n_numbers)
{
	guint name_size = (guint)strlen(name) + 1;
	guint size = 8 + 4 + 4 + 4 + name_size + 4 * n_numbers;
	guint padded = (size + 3) & ~3u;

	put_head(page, shape, 0, delta);
	put(page, shape, padded + 4, 4);
	put_common(page, shape, ID_EXEC, 77);
	put(page, shape, 20 | name_size << 16, 4); /* name: from the record's begin */
	put(page, shape, (4 + name_size) | (n_numbers * 4) << 16, 4); /* from behind this word */
	put(page, shape, G_MAXUINT32, 4);
	put_text(page, name);
	for (guint i = 0; i < n_numbers; i++)
		put(page, shape, (guint64)(gint64)(-1 - (gint)i), 4);
	for (guint i = size; i < padded; i++)
		put(page, shape, 0, 1);
}

static void put_stack(GByteArray *page, const Shape *shape, guint32 delta, guint n)
{
	guint size = 16 + n * shape->long_size;

	put_head(page, shape, size / 4, delta);
	put_common(page, shape, ID_STACK, 5);
	put(page, shape, n, 4);
	put(page, shape, 0, 4);
	for (guint i = 0; i < n; i++)
		put(page, shape, 0x80000000u + i, shape->long_size);
}

static void put_unknown(GByteArray *page, const Shape *shape, guint32 delta)
{
	put_head(page, shape, 2, delta);
	put_common(page, shape, ID_ODD + 50, 9);
}

/*
 * Cpu 0: three pages. The raw time of each record, in order, is in cpu0_times. Entries that
 * carry no record: a discarded one, a time extension, an absolute time.
 */
static const guint64 cpu0_times[] = {
	1000000,    1000100,    1000107,    (G_GUINT64_CONSTANT(3) << 27) + 1000112 + 9,
	4000000000, 5000000001, 9000000000, 9000000000,
	9000000010,
};
static const guint64 cpu0_lost[] = {0, 0, 0, 0, 42, 0, G_MAXUINT64, 0, 0};

static GPtrArray *cpu0_pages(const Shape *shape)
{
	GPtrArray *pages = g_ptr_array_new_with_free_func((GDestroyNotify)g_byte_array_unref);
	GByteArray *page = begin_page(shape, 1000000);

	put_switch(page, shape, 0, 10, 11, 1);
	put_switch(page, shape, 100, 11, 10, -2);
	put_exec(page, shape, 7, "/bin/true", 3);
	/* discarded: 12 bytes of body, its delta counts */
	put_head(page, shape, 29, 5);
	put(page, shape, 12, 4);
	put(page, shape, 0, 8);
	put_head(page, shape, 30, 9);
	put(page, shape, 3, 4);
	put_stack(page, shape, 0, 5);
	/* the rest of the page is nothing */
	put_head(page, shape, 29, 0);
	end_page(page, shape, 0);
	g_ptr_array_add(pages, page);

	page = begin_page(shape, 4000000000);
	put_unknown(page, shape, 0);
	put_head(page, shape, 31, 5000000000 & ((1u << 27) - 1));
	put(page, shape, 5000000000 >> 27, 4);
	put_switch(page, shape, 1, 10, 0, 256);
	end_page(page, shape, 42);
	g_ptr_array_add(pages, page);

	page = begin_page(shape, 9000000000);
	put_switch(page, shape, 0, 0, 10, 0);
	put_exec(page, shape, 0, "", 0);
	put_exec(page, shape, 10,
		 "/usr/bin/a-path-that-is-long-enough-for-more-than-112-bytes/"
		 "of-one-record/so-that-it-needs-a-length-of-its-own",
		 20);
	end_page(page, shape, G_MAXUINT64);
	g_ptr_array_add(pages, page);
	return pages;
}

/*
 * The file around them
 */

static gchar *page_description(const Shape *shape)
{
	return g_strdup_printf("\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
			       "\tfield: local_t commit;\toffset:8;\tsize:%u;\tsigned:1;\n"
			       "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
			       "\tfield: char data;\toffset:%u;\tsize:4080;\tsigned:1;\n",
			       shape->long_size, 8 + shape->long_size);
}

#define COMMON                                                                                     \
	"format:\n"                                                                                \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static gchar *switch_format(const Shape *shape)
{
	return g_strdup_printf(
		"name: sched_switch\nID: %u\n" COMMON
		"\tfield:char prev_comm[TASK_COMM_LEN];\toffset:8;\tsize:16;\tsigned:1;\n"
		"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
		"\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
		"\tfield:long prev_state;\toffset:32;\tsize:%u;\tsigned:1;\n"
		"\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:1;\n"
		"\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
		"\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n\n"
		"print fmt: \"prev_comm=%%s field:int no;\\toffset:0;\\tsize:4;\", "
		"REC->prev_comm\n",
		ID_SWITCH, shape->long_size);
}

static gchar *exec_format(void)
{
	return g_strdup_printf(
		"name: sched_process_exec\nID: %u\n" COMMON
		"\tfield:__data_loc char[] filename;\toffset:8;\tsize:4;\tsigned:1;\n"
		"\tfield:__rel_loc s32[] numbers;\toffset:12;\tsize:4;\tsigned:1;\n"
		"\tfield:const void * where;\toffset:16;\tsize:4;\tsigned:0;\n\n"
		"print fmt: \"x\"\n",
		ID_EXEC);
}

static gchar *stack_format(const Shape *shape)
{
	return g_strdup_printf(
		"name: kernel_stack\nID: %u\n" COMMON
		"\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n"
		"\tfield:unsigned long caller[8];\toffset:16;\tsize:%u;\tsigned:0;\n\n"
		"print fmt: \"x\"\n",
		ID_STACK, 8 * shape->long_size);
}

static void put_format(GByteArray *out, const Shape *shape, gchar *text)
{
	put(out, shape, strlen(text), 8);
	put_bytes(out, text, strlen(text));
	g_free(text);
}

static GByteArray *header_info(const Shape *shape)
{
	GByteArray *out = g_byte_array_new();
	g_autofree gchar *page = page_description(shape);
	const gchar *event = "# compressed entry header\n\ttype_len    :    5 bits\n";

	put_text(out, "header_page");
	put(out, shape, strlen(page), 8);
	put_bytes(out, page, strlen(page));
	put_text(out, "header_event");
	put(out, shape, strlen(event), 8);
	put_bytes(out, event, strlen(event));
	return out;
}

static GByteArray *ftrace_formats(const Shape *shape)
{
	GByteArray *out = g_byte_array_new();

	put(out, shape, 1, 4);
	put_format(out, shape, stack_format(shape));
	return out;
}

static GByteArray *event_formats(const Shape *shape)
{
	GByteArray *out = g_byte_array_new();

	put(out, shape, 1, 4);
	put_text(out, "sched");
	put(out, shape, 3, 4);
	put_format(out, shape, switch_format(shape));
	put_format(out, shape, exec_format());
	put_format(out, shape, g_strdup("this is no format\n"));
	return out;
}

static void put_option(GByteArray *out, const Shape *shape, guint id, const void *data, gsize n)
{
	put(out, shape, id, 2);
	put(out, shape, n, 4);
	put_bytes(out, data, n);
}

static void put_text_option(GByteArray *out, const Shape *shape, guint id, const gchar *text)
{
	put_option(out, shape, id, text, strlen(text) + 1);
}

static void put_number_option(GByteArray *out, const Shape *shape, guint id, guint64 number)
{
	g_autoptr(GByteArray) data = g_byte_array_new();

	put(data, shape, number, 8);
	put_option(out, shape, id, data->data, data->len);
}

static void put_shared_options(GByteArray *out, const Shape *shape)
{
	put_text_option(out, shape, 4, "local global [mono] boot \n");
	put_text_option(out, shape, 5, "Linux tracee 6.1.0-test x86_64");
	put_text_option(out, shape, 9, "3.2.1 deadbeef");
	put_text_option(out, shape, 999, "an option of the future");
	if (g_strcmp0(shape->options, "date") == 0)
		put_text_option(out, shape, 1, "0x10");
	if (g_strcmp0(shape->options, "offset") == 0)
		put_text_option(out, shape, 7, "-500");
	if (g_strcmp0(shape->options, "tsc") == 0) {
		g_autoptr(GByteArray) data = g_byte_array_new();

		put(data, shape, 1000, 4);
		put(data, shape, 11, 4);
		put(data, shape, 50, 8);
		put_option(out, shape, 14, data->data, data->len);
	}
}

static GByteArray *file_head(const Shape *shape)
{
	GByteArray *out = g_byte_array_new();

	put_bytes(out, "\x17\x08\x44tracing", 10);
	put_text(out, shape->version == 6 ? "6" : "7");
	put(out, shape, shape->big_endian, 1);
	put(out, shape, 8, 1);
	put(out, shape, PAGE, 4);
	return out;
}

static void append_and_free(GByteArray *out, GByteArray *part)
{
	put_bytes(out, part->data, part->len);
	g_byte_array_unref(part);
}

/* Two CPUs, the second without a record, and a second buffer "side" with the same first CPU. */
static GByteArray *write_version_6(const Shape *shape)
{
	GByteArray *out = file_head(shape);
	g_autoptr(GPtrArray) pages = cpu0_pages(shape);
	guint tables[2], side, data;

	append_and_free(out, header_info(shape));
	append_and_free(out, ftrace_formats(shape));
	append_and_free(out, event_formats(shape));
	put(out, shape, 4, 4); /* kallsyms */
	put_bytes(out, "k\0\0\0", 4);
	put(out, shape, 0, 4); /* printk formats */
	put(out, shape, 0, 8); /* names of tasks */
	put(out, shape, 2, 4);
	put_bytes(out, "options  ", 10);
	put_shared_options(out, shape);
	side = out->len + 6;
	{
		g_autoptr(GByteArray) option = g_byte_array_new();

		put(option, shape, 0, 8);
		put_text(option, "side");
		put_option(out, shape, 3, option->data, option->len);
	}
	put(out, shape, 0, 2);
	put_bytes(out, "flyrecord", 10);
	tables[0] = out->len;
	pad_to(out, out->len + 32);
	/* what trace-cmd 3 writes behind the table */
	put(out, shape, 6, 8);
	put_bytes(out, "[mono]", 6);
	patch(out, shape, side, out->len, 8);
	put_bytes(out, "flyrecord", 10);
	tables[1] = out->len;
	pad_to(out, out->len + 32);
	pad_to(out, (out->len + PAGE - 1) / PAGE * PAGE);
	data = out->len;
	for (guint i = 0; i < pages->len; i++) {
		GByteArray *page = g_ptr_array_index(pages, i);

		put_bytes(out, page->data, page->len);
	}
	for (guint i = 0; i < 2; i++) {
		patch(out, shape, tables[i], data, 8);
		patch(out, shape, tables[i] + 8, pages->len * PAGE, 8);
		patch(out, shape, tables[i] + 16, out->len, 8);
	}
	return out;
}

static GByteArray *compress_bytes(const Shape *shape, const guint8 *bytes, gsize n)
{
	GByteArray *out = g_byte_array_new();
	gsize room = n + 4096, n_out = 0;

	g_byte_array_set_size(out, (guint)room);
	if (g_str_equal(shape->compression, "zlib")) {
		uLongf n_packed = room;

		g_assert_cmpint(compress2(out->data, &n_packed, bytes, n, 6), ==, Z_OK);
		n_out = n_packed;
	} else {
#ifdef HAVE_ZSTD
		n_out = ZSTD_compress(out->data, room, bytes, n, 3);
#endif
	}
	g_byte_array_set_size(out, (guint)n_out);
	return out;
}

/* Appends a section; where it begins. */
static guint put_section(GByteArray *out, const Shape *shape, guint id, GByteArray *part)
{
	guint at = out->len;
	gboolean compressed = !g_str_equal(shape->compression, "none") && id;
	g_autoptr(GByteArray) packed = compressed ? compress_bytes(shape, part->data, part->len)
						  : g_byte_array_ref(part);

	put(out, shape, id, 2);
	put(out, shape, compressed, 2);
	put(out, shape, 0, 4);
	put(out, shape, packed->len + (compressed ? 8 : 0), 8);
	if (compressed) {
		put(out, shape, packed->len, 4);
		put(out, shape, part->len, 4);
	}
	put_bytes(out, packed->data, packed->len);
	g_byte_array_unref(part);
	return at;
}

/* The pages, or chunks of two pages, from where *ret_offset says; as many bytes as *ret_size. */
static void put_flyrecord(GByteArray *out, const Shape *shape, GPtrArray *pages, guint *ret_offset,
			  guint *ret_size)
{
	gboolean compressed = !g_str_equal(shape->compression, "none");

	if (!compressed)
		pad_to(out, (out->len + PAGE - 1) / PAGE * PAGE);
	*ret_offset = out->len;
	if (compressed)
		put(out, shape, (pages->len + 1) / 2, 4);
	for (guint i = 0; i < pages->len; i += compressed ? 2 : 1) {
		g_autoptr(GByteArray) chunk = g_byte_array_new();

		for (guint j = i; j < MIN(i + (compressed ? 2 : 1), pages->len); j++) {
			GByteArray *page = g_ptr_array_index(pages, j);

			put_bytes(chunk, page->data, page->len);
		}
		if (compressed) {
			GByteArray *packed = compress_bytes(shape, chunk->data, chunk->len);

			put(out, shape, packed->len, 4);
			put(out, shape, chunk->len, 4);
			append_and_free(out, packed);
		} else {
			put_bytes(out, chunk->data, chunk->len);
		}
	}
	/* trace-cmd leaves the count of chunks out */
	*ret_size = out->len - *ret_offset - (compressed ? 4 : 0);
}

static void put_buffer_option(GByteArray *out, const Shape *shape, const gchar *name, guint section,
			      guint offset, guint size)
{
	g_autoptr(GByteArray) option = g_byte_array_new();

	put(option, shape, section, 8);
	put_text(option, name);
	put_text(option, "mono");
	put(option, shape, PAGE, 4);
	put(option, shape, 2, 4);
	put(option, shape, 0, 4);
	put(option, shape, offset, 8);
	put(option, shape, size, 8);
	put(option, shape, 1, 4);
	put(option, shape, offset, 8);
	put(option, shape, 0, 8);
	put_option(out, shape, 3, option->data, option->len);
}

static GByteArray *write_version_7(const Shape *shape)
{
	GByteArray *out = file_head(shape), *options = g_byte_array_new();
	g_autoptr(GPtrArray) pages = cpu0_pages(shape);
	guint options_at, next_at, section, offset, size;

	put_text(out, shape->compression);
	put_text(out, "1.0");
	options_at = out->len;
	put(out, shape, 0, 8);
	put_number_option(options, shape, 16, put_section(out, shape, 16, header_info(shape)));
	put_number_option(options, shape, 17, put_section(out, shape, 17, ftrace_formats(shape)));
	put_number_option(options, shape, 18, put_section(out, shape, 18, event_formats(shape)));
	put_shared_options(options, shape);
	next_at = options->len + 6;
	put_number_option(options, shape, 0, 0);
	patch(out, shape, options_at, out->len, 8);
	next_at += out->len + 16;
	put_section(out, shape, 0, options);
	/* the buffers come later, in options of their own, as trace-cmd writes them */
	section = out->len;
	put(out, shape, 3, 2);
	put(out, shape, !g_str_equal(shape->compression, "none"), 2);
	put(out, shape, 0, 4);
	put(out, shape, 0, 8);
	put_flyrecord(out, shape, pages, &offset, &size);
	options = g_byte_array_new();
	put_buffer_option(options, shape, "", section, offset, size);
	put_buffer_option(options, shape, "side", section, offset, size);
	put_number_option(options, shape, 0, 0);
	patch(out, shape, next_at, out->len, 8);
	put_section(out, shape, 0, options);
	return out;
}

static gchar *write_file(const Shape *shape)
{
	GByteArray *out = shape->version == 6 ? write_version_6(shape) : write_version_7(shape);
	g_autoptr(GError) error = NULL;
	gchar *path = g_build_filename(g_getenv("G_TEST_BUILDDIR") ?: g_get_tmp_dir(),
				       "waitpath-XXXXXX.dat", NULL);

	g_close(g_mkstemp(path), NULL);
	g_file_set_contents(path, (const gchar *)out->data, (gssize)out->len, &error);
	g_assert_no_error(error);
	g_byte_array_unref(out);
	return path;
}

/*
 * What is read
 */

static void assert_text(const WpTraceDat *file, const WpFtraceEvent *event, const gchar *name,
			const WpFtraceRecord *record, const gchar *expected)
{
	const WpFtraceField *field = wp_ftrace_event_find_field(event, name);
	gsize size = 0;
	const guint8 *bytes;
	g_autofree gchar *text = NULL;

	g_assert_nonnull(field);
	g_assert_cmpint(field->type, ==, WP_FTRACE_TEXT);
	bytes = wp_ftrace_field_get_bytes(file, field, record, &size);
	g_assert_nonnull(bytes);
	text = g_strndup((const gchar *)bytes, size);
	g_assert_cmpstr(text, ==, expected);
}

static void assert_integer(const WpTraceDat *file, const WpFtraceEvent *event, const gchar *name,
			   const WpFtraceRecord *record, gint64 expected)
{
	const WpFtraceField *field = wp_ftrace_event_find_field(event, name);

	g_assert_nonnull(field);
	g_assert_cmpint(field->type, ==, WP_FTRACE_INTEGER);
	g_assert_cmpint(wp_ftrace_field_get_integer(file, field, record), ==, expected);
}

static void assert_array(const WpTraceDat *file, const WpFtraceEvent *event, const gchar *name,
			 const WpFtraceRecord *record, guint n, gint64 first, gint64 step)
{
	const WpFtraceField *field = wp_ftrace_event_find_field(event, name);
	gsize size = 0;
	const guint8 *bytes;

	g_assert_nonnull(field);
	g_assert_cmpint(field->type, ==, WP_FTRACE_ARRAY);
	bytes = wp_ftrace_field_get_bytes(file, field, record, &size);
	g_assert_nonnull(bytes);
	g_assert_cmpuint(size, ==, n * field->element);
	for (guint i = 0; i < n; i++)
		g_assert_cmpint(wp_trace_dat_read_integer(file, bytes + i * field->element,
							  field->element, field->is_signed),
				==, first + step * (gint64)i);
}

static void check_fields(const WpTraceDat *file, guint n, const WpFtraceRecord *record)
{
	static const gint64 states[] = {1, -2, 0, 0, 0, 256, 0};
	const WpFtraceEvent *event = wp_trace_dat_find_event(file, record->id);

	if (record->id == ID_SWITCH) {
		g_assert_cmpstr(event->name, ==, "sched_switch");
		g_assert_cmpstr(event->system, ==, "sched");
		g_assert_cmpuint(event->n_common, ==, 4);
		g_assert_cmpuint(event->fields->len, ==, 11);
		assert_text(file, event, "prev_comm", record, "from");
		assert_text(file, event, "next_comm", record, "a-name-of-15-by");
		assert_integer(file, event, "prev_state", record, states[n]);
		assert_integer(file, event, "prev_pid", record, n == 1 ? 11 : n == 6 ? 0 : 10);
		assert_integer(file, event, "common_pid", record, n == 1 ? 11 : n == 6 ? 0 : 10);
		assert_integer(file, event, "next_prio", record, 100);
	} else if (record->id == ID_EXEC) {
		assert_integer(file, event, "where", record, G_MAXUINT32);
		g_assert_true(wp_ftrace_event_find_field(event, "where")->is_pointer);
		assert_array(file, event, "numbers", record, n == 2 ? 3 : n == 7 ? 0 : 20, -1, -1);
		if (n == 2)
			assert_text(file, event, "filename", record, "/bin/true");
		if (n == 7)
			assert_text(file, event, "filename", record, "");
	} else if (record->id == ID_STACK) {
		assert_array(file, event, "caller", record, 5, 0x80000000u, 1);
	} else {
		g_assert_null(event);
	}
}

static WpTime expected_time(const Shape *shape, guint64 raw)
{
	if (g_strcmp0(shape->options, "date") == 0)
		return (WpTime)raw + 16000;
	if (g_strcmp0(shape->options, "offset") == 0)
		return (WpTime)raw - 500;
	if (g_strcmp0(shape->options, "tsc") == 0)
		return (WpTime)(raw * 1000 / 2048) - 50;
	return (WpTime)raw;
}

static void check_stream(WpTraceDat *file, guint stream, const Shape *shape)
{
	g_autoptr(WpFindings) findings = wp_findings_new();
	g_autoptr(WpFtraceCursor) cursor = wp_ftrace_cursor_new(file, stream, findings);
	WpFtraceRecord record;
	WpTime last = 0;
	guint n = 0;

	for (; wp_ftrace_cursor_next(cursor, &record); n++) {
		g_assert_cmpuint(n, <, G_N_ELEMENTS(cpu0_times));
		g_assert_cmpint(record.time, ==, expected_time(shape, cpu0_times[n]));
		g_assert_cmpuint(record.n_lost, ==, cpu0_lost[n]);
		if (record.n_lost)
			g_assert_cmpint(record.lost_since, ==, last);
		check_fields(file, n, &record);
		last = record.time;
	}
	g_assert_cmpuint(n, ==, G_N_ELEMENTS(cpu0_times));
	g_assert_cmpuint(wp_findings_n(findings), ==, 0);
	g_assert_cmpuint(wp_ftrace_cursor_get_position(cursor), ==,
			 wp_trace_dat_get_stream(file, stream)->n_bytes);
}

static void check_file(const Shape *shape)
{
	g_autofree gchar *path = write_file(shape);
	g_autoptr(GError) error = NULL;
	g_autoptr(WpTraceDat) file = wp_trace_dat_open(path, &error);

	g_assert_no_error(error);
	g_assert_true(wp_trace_dat_probe(path));
	g_assert_cmpstr(wp_trace_dat_get_host(file), ==, "tracee");
	g_assert_cmpstr(wp_trace_dat_get_kernel_release(file), ==, "6.1.0-test");
	g_assert_cmpstr(wp_trace_dat_get_tracer_version(file), ==, "3.2.1 deadbeef");
	g_assert_cmpint(wp_trace_dat_is_absolute(file), ==, g_strcmp0(shape->options, "date") == 0);
	g_assert_cmpuint(wp_findings_n(wp_trace_dat_get_findings(file)), ==, 0);
	g_assert_cmpuint(wp_trace_dat_get_n_streams(file), ==, 4);
	for (guint i = 0; i < 4; i++) {
		const WpFtraceStream *stream = wp_trace_dat_get_stream(file, i);

		g_assert_cmpstr(stream->buffer, ==, i < 2 ? "" : "side");
		g_assert_cmpstr(stream->clock, ==, "mono");
		g_assert_cmpuint(stream->cpu, ==, i % 2);
		if (i % 2 == 0)
			check_stream(file, i, shape);
	}
	g_remove(path);
}

static const Shape shapes[] = {
	{6, FALSE, 8, "none", NULL}, {6, TRUE, 4, "none", NULL},     {6, FALSE, 4, "none", "date"},
	{7, FALSE, 8, "none", NULL}, {7, TRUE, 8, "none", "offset"}, {7, FALSE, 8, "zlib", "tsc"},
	{7, TRUE, 4, "zlib", NULL},  {7, FALSE, 8, "none", "date"},
#ifdef HAVE_ZSTD
	{7, FALSE, 8, "zstd", NULL},
#endif
};

static void test_shapes(void)
{
	for (guint i = 0; i < G_N_ELEMENTS(shapes); i++)
		check_file(&shapes[i]);
}

static void test_reader(void)
{
	const Shape shape = {7, FALSE, 8, "zlib", NULL};
	g_autofree gchar *path = write_file(&shape);
	g_autoptr(GError) error = NULL;
	g_autoptr(WpLayout) layout = wp_layout_new(&error);
	g_autoptr(WpReader) reader = wp_ftrace_reader_open(path, layout, &error);
	WpBatch batch;

	g_assert_no_error(error);
	g_assert_cmpstr(reader->info.tracer, ==, "trace-cmd");
	g_assert_cmpint(reader->info.tracer_major, ==, 3);
	g_assert_cmpint(reader->info.tracer_minor, ==, 2);
	g_assert_cmpuint(reader->info.n_cpus, ==, 1);
	/* of the formats only those that were recorded */
	g_assert_cmphex(reader->info.kinds, ==, 1u << WP_EV_SCHED_SWITCH | 1u << WP_EV_SCHED_EXEC);
	wp_batch_init(&batch);
	for (guint pass = 0; pass < 2; pass++) {
		guint64 n_bytes = 0;
		guint8 *at;
		guint kinds[WP_EV_N] = {0};

		g_assert_true(wp_reader_next(reader, 0, &batch, &n_bytes, &error));
		at = batch.records->data;
		for (guint i = 0; i < batch.n; i++) {
			const WpEvent *event = (const WpEvent *)(gconstpointer)at;

			kinds[event->kind]++;
			if (i == 1) {
				g_assert_cmpint(event->kind, ==, WP_EV_SCHED_SWITCH);
				g_assert_cmpint(event->time, ==, 1000100);
				g_assert_cmpuint(event->cpu, ==, 0);
				g_assert_cmpint(event->v[WP_SCHED_SWITCH_PREV_STATE].i, ==, -2);
				g_assert_cmpint(event->v[WP_SCHED_SWITCH_NEXT_TID].i, ==, 10);
				g_assert_cmpstr(event->v[WP_SCHED_SWITCH_NEXT_COMM].s, ==,
						"a-name-of-15-by");
				g_assert_false(
					WP_EVENT_HAS(event, WP_SCHED_SWITCH_PREV_STATE_LABEL));
			}
			at += wp_event_size(event);
		}
		g_assert_cmpuint(kinds[WP_EV_SCHED_SWITCH], ==, 4);
		g_assert_cmpuint(kinds[WP_EV_SCHED_EXEC], ==, 3);
		g_assert_cmpuint(kinds[WP_EV_LOST], ==, 2);
		wp_batch_reset(&batch);
		g_assert_true(wp_reader_next(reader, 0, &batch, &n_bytes, &error));
		g_assert_cmpuint(batch.n, ==, 0);
		g_assert_cmpuint(n_bytes, ==, reader->info.n_bytes / 2);
		/* the event without a format, told once */
		g_assert_cmpuint(wp_findings_n(reader->findings), ==, 1);
		g_assert_true(reader->klass->rewind(reader, &error));
	}
	wp_batch_clear(&batch);
	g_remove(path);
}

static void expect_error(const gchar *path, const gchar *words)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(WpTraceDat) file = wp_trace_dat_open(path, &error);

	g_assert_null(file);
	g_assert_error(error, WP_ERROR, WP_ERROR_FAILED);
	g_assert_nonnull(strstr(error->message, words));
	g_assert_nonnull(strstr(error->message, path));
}

/* A file cut at any length opens and gives what is there, or says that it can't be read. */
static void test_cut(void)
{
	for (guint i = 0; i < G_N_ELEMENTS(shapes); i++) {
		g_autofree gchar *path = write_file(&shapes[i]);
		g_autofree gchar *bytes = NULL;
		gsize size, n_opened = 0, n_told = 0;

		g_assert_true(g_file_get_contents(path, &bytes, &size, NULL));
		for (gsize cut = 0; cut < size; cut += cut < 4000 ? 37 : 501) {
			g_autoptr(GError) error = NULL;
			g_autoptr(WpTraceDat) file = NULL;
			g_autoptr(WpFindings) findings = wp_findings_new();

			g_assert_true(g_file_set_contents(path, bytes, (gssize)cut, NULL));
			file = wp_trace_dat_open(path, &error);
			g_assert_true((file != NULL) == (error == NULL));
			for (guint s = 0; file && s < wp_trace_dat_get_n_streams(file); s++) {
				g_autoptr(WpFtraceCursor)
					cursor = wp_ftrace_cursor_new(file, s, findings);
				WpFtraceRecord record;

				while (wp_ftrace_cursor_next(cursor, &record))
					;
			}
			n_opened += file != NULL;
			n_told += file && wp_findings_n(wp_trace_dat_get_findings(file)) +
						  wp_findings_n(findings);
		}
		/* version 6 has its pages last: a cut there is told and what is there is read */
		if (shapes[i].version == 6)
			g_assert_cmpuint(n_opened, >, 10);
		g_assert_cmpuint(n_told, ==, n_opened);
		g_remove(path);
	}
}

static void test_errors(void)
{
	const Shape shape = {7, FALSE, 8, "none", NULL};
	g_autofree gchar *path = write_file(&shape);
	g_autofree gchar *bytes = NULL;
	gsize size;
	g_autoptr(GError) error = NULL;

	g_assert_true(g_file_get_contents(path, &bytes, &size, NULL));
	g_file_set_contents(path, "no such thing", -1, NULL);
	g_assert_false(wp_trace_dat_probe(path));
	expect_error(path, "no file of trace-cmd");
	g_file_set_contents(path, "", 0, NULL);
	expect_error(path, "no file of trace-cmd");
	bytes[10] = '8';
	g_file_set_contents(path, bytes, (gssize)size, NULL);
	expect_error(path, "version '8'");
	bytes[10] = '7';
	memcpy(bytes + 18, "lzma", 4);
	g_file_set_contents(path, bytes, (gssize)size, NULL);
	expect_error(path, "'lzma'");
	g_remove(path);
	g_assert_null(wp_trace_dat_open(path, &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_FAILED);
	g_assert_false(wp_trace_dat_probe(path));
}

/* Bytes changed at random: nothing but an error, a finding or other values may come of it. */
static void test_damaged(void)
{
	for (guint i = 0; i < G_N_ELEMENTS(shapes); i++) {
		g_autofree gchar *path = write_file(&shapes[i]);
		g_autofree gchar *bytes = NULL;
		gsize size;
		g_autoptr(GRand) random = g_rand_new_with_seed(i);
		g_autoptr(WpLayout) layout = wp_layout_new(NULL);
		WpBatch batch;

		wp_batch_init(&batch);
		g_assert_true(g_file_get_contents(path, &bytes, &size, NULL));
		for (guint n = 0; n < 150; n++) {
			g_autofree gchar *damaged = g_memdup2(bytes, size);
			g_autoptr(WpReader) reader = NULL;
			guint64 n_bytes = 0;

			for (guint k = 0; k < 3; k++)
				damaged[g_rand_int_range(random, 0, (gint32)size)] = (gchar)
					g_rand_int_range(random, 0, 256);
			g_assert_true(g_file_set_contents(path, damaged, (gssize)size, NULL));
			reader = wp_ftrace_reader_open(path, layout, NULL);
			for (guint s = 0; reader && s < reader->info.n_streams; s++) {
				do {
					wp_batch_reset(&batch);
					g_assert_true(
						wp_reader_next(reader, s, &batch, &n_bytes, NULL));
				} while (batch.n);
			}
		}
		wp_batch_clear(&batch);
		g_remove(path);
	}
}

#ifdef HAVE_TRACECMD
static void compare_cpu(struct tracecmd_input *input, WpTraceDat *file, guint stream)
{
	g_autoptr(WpFindings) findings = wp_findings_new();
	g_autoptr(WpFtraceCursor) cursor = wp_ftrace_cursor_new(file, stream, findings);
	int cpu = (int)wp_trace_dat_get_stream(file, stream)->cpu;
	struct tep_record *theirs = tracecmd_read_cpu_first(input, cpu);
	WpFtraceRecord ours;

	while (wp_ftrace_cursor_next(cursor, &ours)) {
		g_assert_nonnull(theirs);
		g_assert_cmpint(ours.time, ==, (gint64)theirs->ts);
		g_assert_cmpmem(ours.data, ours.size, theirs->data, (gsize)theirs->size);
		g_assert_cmpint((gint64)ours.n_lost, ==, theirs->missed_events);
		tracecmd_free_record(theirs);
		theirs = tracecmd_read_data(input, cpu);
	}
	g_assert_null(theirs);
}

static void compare_file(const gchar *path)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(WpTraceDat) file = wp_trace_dat_open(path, &error);
	struct tracecmd_input *input;

	g_assert_no_error(error);
	tracecmd_set_loglevel(TEP_LOG_NONE);
	input = tracecmd_open(path, TRACECMD_FL_LOAD_NO_PLUGINS);
	g_assert_nonnull(input);
	for (guint i = 0; i < wp_trace_dat_get_n_streams(file); i++)
		if (!*wp_trace_dat_get_stream(file, i)->buffer)
			compare_cpu(input, file, i);
	tracecmd_close(input);
}
#endif

static void test_libtracecmd(void)
{
#ifdef HAVE_TRACECMD
	static const gchar *const files[] = {
		"public/ftrace-langraph.dat",
		"recorded/xfmt-mixed/hosta/trace.dat",
	};
	const gchar *shared = g_getenv("WAITPATH_SHARED");
	const gchar *sanitizers = g_getenv("WAITPATH_SANITIZERS");

	if (sanitizers && !g_str_equal(sanitizers, "no")) {
		g_test_skip("libtracecmd leaks memory, which a sanitizer would report");
		return;
	}
	for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree gchar *path = g_build_filename(shared ?: ".", "traces", files[i], NULL);

		if (g_file_test(path, G_FILE_TEST_EXISTS))
			compare_file(path);
		else
			g_test_message("%s is not here", path);
	}
	/* libtracecmd has no zlib on every system, and takes a long's size from user space */
	for (guint i = 0; i < G_N_ELEMENTS(shapes); i++) {
		g_autofree gchar *path = NULL;

		if (g_str_equal(shapes[i].compression, "zlib") || shapes[i].long_size != 8)
			continue;
		path = write_file(&shapes[i]);
		compare_file(path);
		g_remove(path);
	}
#else
	g_test_skip("built without libtracecmd");
#endif
}

/* --write FILE: only writes a file, for tests of other programs. */
static int write_only(const gchar *path)
{
	const Shape shape = {7, FALSE, 8, "zlib", "date"};
	g_autofree gchar *written = write_file(&shape);

	return g_rename(written, path) ? 1 : 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && g_str_equal(argv[1], "--write"))
		return write_only(argv[2]);
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/ftrace/shapes", test_shapes);
	g_test_add_func("/ftrace/reader", test_reader);
	g_test_add_func("/ftrace/errors", test_errors);
	g_test_add_func("/ftrace/cut", test_cut);
	g_test_add_func("/ftrace/damaged", test_damaged);
	g_test_add_func("/ftrace/libtracecmd", test_libtracecmd);
	return g_test_run();
}
