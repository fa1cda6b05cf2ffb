/* SPDX-License-Identifier: MIT */
/*
 * trace-dat.h: a file of trace-cmd (trace.dat, versions 6 and 7), mapped: what it says of
 * itself, the event formats of its kernel, and the records of its ring buffers.
 *
 * The file is a head, the kernel's own description of each event (text, as in tracefs),
 * and for each CPU of each buffer the pages of the ring buffer as the kernel wrote them;
 * version 7 may hold all of it compressed. A stream is one CPU of one buffer; a cursor
 * walks its records, and any number of cursors may do so at once, on any threads.
 *
 * Format: trace-cmd.dat.v6(5), trace-cmd.dat.v7(5); ring buffer pages: the kernel's
 * Documentation/trace/ring-buffer-design and events/header_page, header_event.
 */
#ifndef WP_FTRACE_TRACE_DAT_H
#define WP_FTRACE_TRACE_DAT_H

#include "base/finding.h"

G_BEGIN_DECLS

typedef enum {
	WP_FTRACE_INTEGER,
	WP_FTRACE_TEXT, /* chars, up to the first NUL */
	WP_FTRACE_ARRAY /* of integers */
} WpFtraceType;

/* Where the bytes of a field are. */
typedef enum {
	WP_FTRACE_INLINE, /* at the offset; to the end of the record when size is 0 */
	WP_FTRACE_DATA_LOC, /* at the offset: offset (from the record) and length, 16 bits each */
	WP_FTRACE_REL_LOC /* the same, but the offset counts from behind these 4 bytes */
} WpFtracePlace;

typedef struct {
	gchar *name; /* owned */
	guint32 offset, size; /* bytes */
	guint32 element; /* of an array: bytes of each */
	guint8 type; /* WpFtraceType */
	guint8 place; /* WpFtracePlace */
	gboolean is_signed; /* the integer, or the elements */
	gboolean is_pointer;
} WpFtraceField;

typedef struct {
	guint32 id;
	gchar *name; /* owned: "sched_switch" */
	gchar *system; /* owned: "sched" */
	GArray *fields; /* owned: WpFtraceField; the first n_common are in every event */
	guint n_common;
} WpFtraceEvent;

typedef struct {
	gchar *buffer; /* owned: name of the buffer, "" for the main one */
	gchar *clock; /* owned: the trace clock of its times: "local", "mono" */
	guint32 cpu;
	guint64 n_bytes; /* in the file */
} WpFtraceStream;

typedef struct WpTraceDat WpTraceDat;

/* TRUE when a file begins as such a file does; FALSE also when it can't be read. */
gboolean wp_trace_dat_probe(const gchar *path);

/*
 * Opens a file. WP_ERROR_FAILED names what is wrong and where: not a trace.dat file, a
 * version or compression that this build does not know, cut before its ring buffers. A file
 * that is cut within them opens, with a finding.
 */
WpTraceDat *wp_trace_dat_open(const gchar *path, GError **error);
WpTraceDat *wp_trace_dat_ref(WpTraceDat *file);
void wp_trace_dat_unref(WpTraceDat *file);

/* All borrowed. NULL: the file does not say. */
const gchar *wp_trace_dat_get_path(const WpTraceDat *file);
const gchar *wp_trace_dat_get_host(const WpTraceDat *file);
const gchar *wp_trace_dat_get_kernel_release(const WpTraceDat *file);
const gchar *wp_trace_dat_get_tracer_version(const WpTraceDat *file);
/* Its times count from the Unix epoch (recorded with --date). */
gboolean wp_trace_dat_is_absolute(const WpTraceDat *file);
/* The time (ns) at which its clock was 0: what the file says to add to all times. */
gint64 wp_trace_dat_get_clock_offset(const WpTraceDat *file);
/* What was odd when it was opened. */
const WpFindings *wp_trace_dat_get_findings(const WpTraceDat *file);

guint wp_trace_dat_get_n_streams(const WpTraceDat *file);
const WpFtraceStream *wp_trace_dat_get_stream(const WpTraceDat *file, guint stream);
/* Any event, for the fields that all have in common; NULL: the file describes none. */
const WpFtraceEvent *wp_trace_dat_get_any_event(const WpTraceDat *file);
/* NULL when no event has this id. */
const WpFtraceEvent *wp_trace_dat_find_event(const WpTraceDat *file, guint32 id);
/* NULL when the event has no such field. */
const WpFtraceField *wp_ftrace_event_find_field(const WpFtraceEvent *event, const gchar *name);

typedef struct {
	WpTime time;
	const guint8 *data; /* borrowed, good until the cursor moves */
	guint32 size; /* bytes of data */
	guint32 id; /* of the event */
	guint64 n_lost; /* records that were lost before this one; G_MAXUINT64: some, unknown */
	WpTime lost_since; /* when some were: the time of what came before them */
} WpFtraceRecord;

typedef struct WpFtraceCursor WpFtraceCursor;

/* At the first record of the stream. findings (borrowed) gets what is odd in its pages. */
WpFtraceCursor *wp_ftrace_cursor_new(WpTraceDat *file, guint stream, WpFindings *findings);
void wp_ftrace_cursor_free(WpFtraceCursor *cursor);
/* FALSE at the end. */
gboolean wp_ftrace_cursor_next(WpFtraceCursor *cursor, WpFtraceRecord *ret_record);
/* Bytes of the file that lie behind the cursor. */
guint64 wp_ftrace_cursor_get_position(const WpFtraceCursor *cursor);

/* The field's bytes within the record: *ret_size of them; NULL when they are not all there. */
const guint8 *wp_ftrace_field_get_bytes(const WpTraceDat *file, const WpFtraceField *field,
					const WpFtraceRecord *record, gsize *ret_size);
/* The value of an integer field; 0 when the record is too short for it. */
gint64 wp_ftrace_field_get_integer(const WpTraceDat *file, const WpFtraceField *field,
				   const WpFtraceRecord *record);
/* An integer of 1, 2, 4 or 8 bytes in the byte order of the file. */
gint64 wp_trace_dat_read_integer(const WpTraceDat *file, const guint8 *bytes, gsize size,
				 gboolean is_signed);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpTraceDat, wp_trace_dat_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpFtraceCursor, wp_ftrace_cursor_free)

G_END_DECLS

#endif
