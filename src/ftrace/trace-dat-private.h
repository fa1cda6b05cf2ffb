/* SPDX-License-Identifier: MIT */
/* trace-dat-private.h: what the files that read trace.dat share. */
#ifndef WP_FTRACE_TRACE_DAT_PRIVATE_H
#define WP_FTRACE_TRACE_DAT_PRIVATE_H

#include "base/error.h"
#include "ftrace/trace-dat.h"

G_BEGIN_DECLS

/* What one compressed piece may unpack to: formats of a kernel take some megabytes. */
#define WP_FTRACE_INFLATE_MAX (256u << 20)
#define WP_FTRACE_PAGE_MAX (16u << 20)

typedef enum { WP_FTRACE_PLAIN, WP_FTRACE_ZLIB, WP_FTRACE_ZSTD } WpFtraceCompression;

typedef struct {
	WpFtraceStream info;
	guint64 offset; /* of its pages, or of its count of chunks, in the file */
	guint64 size; /* bytes there, within the file */
	guint32 page_size;
	gboolean compressed;
} WpFtraceData;

/* How a page of the ring buffer begins; from the file's header_page. */
typedef struct {
	guint32 commit_offset, commit_size, data_offset;
} WpFtracePageHead;

struct WpTraceDat {
	gatomicrefcount ref_count;
	GMappedFile *mapped; /* reference */
	const guint8 *bytes; /* borrowed from mapped */
	gsize size;
	gchar *path; /* owned */
	gchar *host, *kernel_release, *tracer_version, *clock; /* owned or NULL */
	WpFindings *findings; /* owned */
	GHashTable *events; /* owned: id -> WpFtraceEvent * (owned) */
	const WpFtraceEvent *any_event; /* borrowed from events: the first of the file, NULL */
	GArray *data; /* owned: WpFtraceData, a stream each */
	WpFtracePageHead page_head;
	WpFtraceCompression compression;
	guint version;
	guint32 page_size, long_size; /* of the traced kernel */
	gboolean big_endian, absolute;
	gint64 time_offset; /* ns, added to every time */
	guint32 tsc_mult, tsc_shift; /* cycles to ns, mult 0: times are no cycles */
	guint64 tsc_offset;
};

/* A piece of memory that is read from its front; what is too short gives zeros and sets `bad`. */
typedef struct {
	const guint8 *at, *end;
	gboolean big_endian, bad;
} WpFtraceSpan;

const guint8 *wp_ftrace_span_take(WpFtraceSpan *span, guint64 n);
guint64 wp_ftrace_span_integer(WpFtraceSpan *span, gsize size);
/* A string that ends within the span; "" and `bad` otherwise. */
const gchar *wp_ftrace_span_string(WpFtraceSpan *span);

/* Loads what unpacks pieces of this kind; FALSE with WP_ERROR_FAILED when it isn't there. */
gboolean wp_ftrace_inflate_prepare(WpFtraceCompression compression, GError **error);
/* n bytes unpacked to exactly size; NULL with an error. */
GBytes *wp_ftrace_inflate(WpFtraceCompression compression, const guint8 *bytes, gsize n, gsize size,
			  GError **error);

/* Parses the text of an event's format, or of a header page. NULL when it is none. */
WpFtraceEvent *wp_ftrace_event_parse(const gchar *text, gsize length, const gchar *system,
				     guint32 long_size);
void wp_ftrace_event_free(WpFtraceEvent *event);

G_END_DECLS

#endif
