/* SPDX-License-Identifier: MIT */
/*
 * cursor.c: the records of one CPU, out of the pages of its ring buffer.
 *
 * A page begins with the time of its first record and the number of bytes that are used;
 * then come entries, each with a 32-bit head: 5 bits of length or kind, 27 bits of time
 * since the entry before. Kinds: data of 4 to 112 bytes, longer data, padding, a time
 * extension, an absolute time. Two of the high bits of the number of bytes say that
 * records were lost before this page, and that their number stands behind the last entry.
 */
#include "config.h"

#include "ftrace/trace-dat-private.h"

#define COMMIT_MASK ((G_GUINT64_CONSTANT(1) << 27) - 1)
#define LOST_FLAG (G_GUINT64_CONSTANT(1) << 31)
#define LOST_STORED (G_GUINT64_CONSTANT(1) << 30)
#define TIME_SHIFT 27
/* An absolute time has 59 bits; the rest is that of the page. */
#define ABSOLUTE_BITS 59

enum { ENTRY_LONG = 0, ENTRY_PADDING = 29, ENTRY_EXTEND = 30, ENTRY_STAMP = 31 };

struct WpFtraceCursor {
	WpTraceDat *file; /* reference */
	WpFindings *findings; /* borrowed */
	const WpFtraceData *data; /* borrowed from file */
	guint64 next; /* bytes of the stream that lie behind: pages, or chunks */
	guint64 n_chunks; /* that are left, when compressed */
	GBytes *chunk; /* owned: the unpacked one, NULL */
	gsize chunk_next; /* bytes of it that lie behind */
	const guint8 *page; /* borrowed from the file or from chunk; NULL before the first */
	gsize at, used; /* within the page */
	guint64 raw_time; /* of the entry before, as the kernel counts */
	WpTime last_time; /* of the record before, WP_TIME_MIN */
	guint64 n_lost; /* before the next record */
};

static void add_finding(WpFtraceCursor *cursor, const gchar *code, const gchar *what)
{
	wp_findings_add(cursor->findings, code, WP_SEVERITY_WARNING, cursor->file->host,
			cursor->last_time, 1, "%s: CPU %u: %s.", cursor->file->path,
			cursor->data->info.cpu, what);
}

WpFtraceCursor *wp_ftrace_cursor_new(WpTraceDat *file, guint stream, WpFindings *findings)
{
	WpFtraceCursor *cursor = g_new0(WpFtraceCursor, 1);

	cursor->file = wp_trace_dat_ref(file);
	cursor->findings = findings;
	cursor->data = &g_array_index(file->data, WpFtraceData, stream);
	cursor->last_time = WP_TIME_MIN;
	if (cursor->data->compressed && cursor->data->size >= 4) {
		cursor->n_chunks = (guint64)wp_trace_dat_read_integer(
			file, file->bytes + cursor->data->offset, 4, FALSE);
		cursor->next = 4;
	}
	return cursor;
}

void wp_ftrace_cursor_free(WpFtraceCursor *cursor)
{
	if (!cursor)
		return;
	if (cursor->chunk)
		g_bytes_unref(cursor->chunk);
	wp_trace_dat_unref(cursor->file);
	g_free(cursor);
}

guint64 wp_ftrace_cursor_get_position(const WpFtraceCursor *cursor)
{
	return cursor->next;
}

/* Unpacks the next chunk; one that is damaged is left out. FALSE: there is none left. */
static gboolean next_chunk(WpFtraceCursor *cursor)
{
	const WpTraceDat *file = cursor->file;
	WpFtraceSpan span = {.big_endian = file->big_endian};

	g_clear_pointer(&cursor->chunk, g_bytes_unref);
	cursor->chunk_next = 0;
	while (cursor->n_chunks) {
		guint64 packed, unpacked;
		const guint8 *bytes;

		cursor->n_chunks--;
		span.at = file->bytes + cursor->data->offset + cursor->next;
		span.end = file->bytes + cursor->data->offset + cursor->data->size;
		packed = wp_ftrace_span_integer(&span, 4);
		unpacked = wp_ftrace_span_integer(&span, 4);
		bytes = wp_ftrace_span_take(&span, packed);
		if (!bytes) {
			add_finding(cursor, "trace-cut", "the file ends within its records");
			cursor->n_chunks = 0;
			return FALSE;
		}
		cursor->next += 8 + packed;
		cursor->chunk = wp_ftrace_inflate(file->compression, bytes, packed, unpacked, NULL);
		if (cursor->chunk)
			return TRUE;
		add_finding(cursor, "trace-damaged", "a part of its records can't be unpacked");
		cursor->n_lost = G_MAXUINT64;
	}
	return FALSE;
}

/* The next page, of *ret_size bytes; NULL at the end. */
static const guint8 *take_page(WpFtraceCursor *cursor, gsize *ret_size)
{
	const WpFtraceData *data = cursor->data;
	const guint8 *page;
	gsize left;

	if (data->compressed) {
		const guint8 *bytes;
		gsize size = 0;

		while (!cursor->chunk || cursor->chunk_next >= g_bytes_get_size(cursor->chunk))
			if (!next_chunk(cursor))
				return NULL;
		bytes = g_bytes_get_data(cursor->chunk, &size);
		page = bytes + cursor->chunk_next;
		left = size - cursor->chunk_next;
		*ret_size = MIN(left, data->page_size);
		cursor->chunk_next += *ret_size;
		return page;
	}
	left = (gsize)(data->size - cursor->next);
	if (!left)
		return NULL;
	page = cursor->file->bytes + data->offset + cursor->next;
	*ret_size = MIN(left, data->page_size);
	cursor->next += *ret_size;
	return page;
}

/* Takes up what the head of a page says; FALSE: it can't be right. */
static gboolean open_page(WpFtraceCursor *cursor, const guint8 *page, gsize size)
{
	const WpTraceDat *file = cursor->file;
	const WpFtracePageHead *head = &file->page_head;
	guint64 commit, used;

	if (size < head->data_offset)
		return FALSE;
	commit = (guint64)wp_trace_dat_read_integer(file, page + head->commit_offset,
						    head->commit_size, FALSE);
	used = commit & COMMIT_MASK;
	if (used > size - head->data_offset)
		return FALSE;
	if (commit & LOST_FLAG) {
		cursor->n_lost = G_MAXUINT64;
		if (commit & LOST_STORED && used + head->commit_size <= size - head->data_offset)
			cursor->n_lost = (guint64)wp_trace_dat_read_integer(
				file, page + head->data_offset + used, head->commit_size, FALSE);
	}
	cursor->page = page;
	cursor->at = head->data_offset;
	cursor->used = head->data_offset + used;
	cursor->raw_time = (guint64)wp_trace_dat_read_integer(file, page, 8, FALSE);
	return TRUE;
}

static gboolean next_page(WpFtraceCursor *cursor)
{
	const guint8 *page;
	gsize size;

	while ((page = take_page(cursor, &size))) {
		if (open_page(cursor, page, size))
			return TRUE;
		if (size < cursor->data->page_size)
			add_finding(cursor, "trace-cut", "the file ends within a page");
		else
			add_finding(cursor, "trace-damaged",
				    "a page that can't be right was left out");
		cursor->n_lost = G_MAXUINT64;
	}
	cursor->page = NULL;
	return FALSE;
}

static WpTime to_time(const WpTraceDat *file, guint64 raw)
{
	gint64 time = (gint64)MIN(raw, (guint64)G_MAXINT64);

	if (file->tsc_mult)
		time = (gint64)((guint64)(((unsigned __int128)raw * file->tsc_mult) >>
					  file->tsc_shift) -
				file->tsc_offset);
	if (__builtin_add_overflow(time, file->time_offset, &time))
		return file->time_offset < 0 ? WP_TIME_MIN + 1 : WP_TIME_MAX;
	return time;
}

/* An entry of the page: its head and the rest that it may use. */
typedef struct {
	guint kind;
	guint64 delta;
	const guint8 *body;
	gsize room; /* bytes from body to the end of what is used */
} Entry;

static gboolean take_entry(WpFtraceCursor *cursor, Entry *entry)
{
	guint32 head;

	if (cursor->used - cursor->at < 4)
		return FALSE;
	head = (guint32)wp_trace_dat_read_integer(cursor->file, cursor->page + cursor->at, 4,
						  FALSE);
	if (cursor->file->big_endian) {
		entry->kind = head >> TIME_SHIFT;
		entry->delta = head & ((1u << TIME_SHIFT) - 1);
	} else {
		entry->kind = head & 31;
		entry->delta = head >> 5;
	}
	cursor->at += 4;
	entry->body = cursor->page + cursor->at;
	entry->room = cursor->used - cursor->at;
	return TRUE;
}

static guint32 body_word(const WpFtraceCursor *cursor, const Entry *entry)
{
	return (guint32)wp_trace_dat_read_integer(cursor->file, entry->body, 4, FALSE);
}

static guint64 absolute_time(guint64 stamp, guint64 page_time)
{
	const guint64 mask = (G_GUINT64_CONSTANT(1) << ABSOLUTE_BITS) - 1;
	guint64 time = (page_time & ~mask) | (stamp & mask);

	return time < page_time ? time + mask + 1 : time;
}

/*
 * Moves past an entry that has no data. FALSE: the rest of the page is padding, or can't be
 * right.
 */
static gboolean skip_entry(WpFtraceCursor *cursor, const Entry *entry)
{
	guint64 length;

	if (entry->kind == ENTRY_PADDING && !entry->delta)
		return FALSE;
	if (entry->room < 4)
		return FALSE;
	if (entry->kind == ENTRY_EXTEND) {
		cursor->raw_time += ((guint64)body_word(cursor, entry) << TIME_SHIFT) +
				    entry->delta;
		cursor->at += 4;
		return TRUE;
	}
	if (entry->kind == ENTRY_STAMP) {
		cursor->raw_time = absolute_time(((guint64)body_word(cursor, entry) << TIME_SHIFT) +
							 entry->delta,
						 cursor->raw_time);
		cursor->at += 4;
		return TRUE;
	}
	cursor->raw_time += entry->delta;
	length = body_word(cursor, entry);
	if (length < 4 || length > entry->room)
		return FALSE;
	cursor->at += length;
	return TRUE;
}

/* The data of an entry; FALSE: it reaches beyond what is used. */
static gboolean take_data(WpFtraceCursor *cursor, const Entry *entry, WpFtraceRecord *record)
{
	gsize length = entry->kind * 4;

	record->data = entry->body;
	if (entry->kind == ENTRY_LONG) {
		if (entry->room < 4)
			return FALSE;
		length = body_word(cursor, entry);
		if (length < 4 || length > entry->room)
			return FALSE;
		cursor->at += (length + 3) & ~(gsize)3;
		cursor->at = MIN(cursor->at, cursor->used);
		record->data += 4;
		length -= 4;
	} else {
		if (length > entry->room)
			return FALSE;
		cursor->at += length;
	}
	cursor->raw_time += entry->delta;
	record->size = (guint32)length;
	return TRUE;
}

/* The next entry with data in this page. */
static gboolean next_in_page(WpFtraceCursor *cursor, WpFtraceRecord *record)
{
	Entry entry;

	while (take_entry(cursor, &entry)) {
		gboolean ok;

		if (entry.kind < ENTRY_PADDING) {
			ok = take_data(cursor, &entry, record);
			if (ok)
				return TRUE;
		} else {
			ok = skip_entry(cursor, &entry);
		}
		if (!ok) {
			if (entry.kind != ENTRY_PADDING || entry.delta) {
				add_finding(cursor, "trace-damaged",
					    "the rest of a page can't be right and was left out");
				cursor->n_lost = G_MAXUINT64;
			}
			return FALSE;
		}
	}
	return FALSE;
}

gboolean wp_ftrace_cursor_next(WpFtraceCursor *cursor, WpFtraceRecord *ret_record)
{
	WpFtraceRecord record = {0};

	while (!cursor->page || !next_in_page(cursor, &record))
		if (!next_page(cursor))
			return FALSE;
	record.time = to_time(cursor->file, cursor->raw_time);
	if (record.size >= 2)
		record.id = (guint32)wp_trace_dat_read_integer(cursor->file, record.data, 2, FALSE);
	record.n_lost = cursor->n_lost;
	record.lost_since = cursor->last_time == WP_TIME_MIN ? record.time : cursor->last_time;
	cursor->n_lost = 0;
	cursor->last_time = record.time;
	*ret_record = record;
	return TRUE;
}

/* Where a field's bytes are that a 32-bit word tells: its length above, its offset below. */
static const guint8 *located_bytes(const WpTraceDat *file, const WpFtraceField *field,
				   const WpFtraceRecord *record, gsize *ret_size)
{
	guint32 word;
	gsize offset;

	if (field->size != 4 || (guint64)field->offset + 4 > record->size)
		return NULL;
	word = (guint32)wp_trace_dat_read_integer(file, record->data + field->offset, 4, FALSE);
	offset = word & 0xffff;
	if (field->place == WP_FTRACE_REL_LOC)
		offset += field->offset + 4;
	*ret_size = word >> 16;
	return offset + *ret_size <= record->size ? record->data + offset : NULL;
}

const guint8 *wp_ftrace_field_get_bytes(const WpTraceDat *file, const WpFtraceField *field,
					const WpFtraceRecord *record, gsize *ret_size)
{
	if (field->place != WP_FTRACE_INLINE)
		return located_bytes(file, field, record, ret_size);
	if (field->offset > record->size)
		return NULL;
	*ret_size = field->size ? field->size : record->size - field->offset;
	return *ret_size <= record->size - field->offset ? record->data + field->offset : NULL;
}

gint64 wp_ftrace_field_get_integer(const WpTraceDat *file, const WpFtraceField *field,
				   const WpFtraceRecord *record)
{
	if ((guint64)field->offset + field->size > record->size)
		return 0;
	return wp_trace_dat_read_integer(file, record->data + field->offset, field->size,
					 field->is_signed);
}
