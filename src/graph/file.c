/* SPDX-License-Identifier: MIT */
/*
 * file.c: the columns of hosts, as they lie in memory, one behind the other.
 *
 *   header      64 bytes
 *   sections    each column's elements and each host's description, 64-byte aligned
 *   sums        of the chunks of all sections, eight bytes each
 *   directory   one Section for each section
 *
 * The header's sum covers itself, the sums and the directory, so that a file that opens
 * is known to be whole in its outline; the sections' own sums are compared when a chunk
 * is touched first. What is not a column (names, counts, findings) is a GVariant, which
 * reads untrusted bytes safely.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "base/bus.h"
#include "base/error.h"
#include "base/whole-file.h"
#include "graph/check.h"
#include "graph/file.h"

#define MAGIC "WPGRAPH\n"
#define FORMAT_VERSION 4u
#define BYTE_ORDER_MARK 0x01020304u
#define ALIGNMENT 64u
#define HOSTS_MAX 65536u
#define SUMMARY_MAX (256u << 20) /* bytes of one host's description */

/*
 * name, clock uuid, (begin, end), events, lost, missing wake-ups, flags, strings, findings,
 * traces (path as bytes, clock offset, clock shift)
 */
#define SUMMARY_TYPE "(ss(xx)tttuasa(sussxt)a(ayxx))"

typedef struct {
	gchar magic[8];
	guint32 version, byte_order;
	guint64 size; /* of the whole file */
	guint64 outline; /* where the sums begin; the directory lies behind them */
	guint64 n_sums;
	guint32 n_sections, n_hosts;
	guint64 sum; /* of this header with sum = 0, then of all from outline to the end */
	guint64 unused;
} Header;

G_STATIC_ASSERT(sizeof(Header) == 64);

typedef enum {
	SECTION_SUMMARY,
	SECTION_VERTICES,
	SECTION_CAUSES,
	SECTION_TASKS,
	SECTION_COMMS,
	SECTION_FLOWS,
	SECTION_PACKETS,
	SECTION_LOSSES,
	SECTION_CPUS,
	SECTION_ADDRESSES,
	SECTION_MARKERS,
	SECTION_DEFERRALS,
	SECTION_DETAILS,
	SECTION_BASES,
	SECTION_FAR_TIMES,
	SECTION_N
} SectionKind;

typedef struct {
	guint32 host, kind;
	guint64 offset; /* bytes from the file's begin */
	guint64 n; /* elements */
	guint64 first_sum; /* in the sums */
	guint32 element; /* bytes */
	guint32 unused;
} Section;

enum { HAS_WAKING = 1, HAS_TIMERS = 2, HAS_SOFTIRQS = 4, HAS_PACKETS = 8, HAS_SYSCALLS = 16 };

static WpColumn *column_of(WpHost *host, SectionKind kind)
{
	switch (kind) {
	case SECTION_VERTICES:
		return &host->vertices;
	case SECTION_CAUSES:
		return &host->causes;
	case SECTION_TASKS:
		return &host->tasks;
	case SECTION_COMMS:
		return &host->comms;
	case SECTION_FLOWS:
		return &host->flows;
	case SECTION_PACKETS:
		return &host->packets;
	case SECTION_LOSSES:
		return &host->losses;
	case SECTION_CPUS:
		return &host->cpus;
	case SECTION_ADDRESSES:
		return &host->addresses;
	case SECTION_MARKERS:
		return &host->markers;
	case SECTION_DEFERRALS:
		return &host->deferrals;
	case SECTION_DETAILS:
		return &host->details;
	case SECTION_BASES:
		return &host->bases;
	case SECTION_FAR_TIMES:
		return &host->far_times;
	case SECTION_SUMMARY:
	case SECTION_N:
		break;
	}
	return NULL;
}

gboolean wp_graph_file_probe(const gchar *path)
{
	gchar magic[8];
	gint fd = g_open(path, O_RDONLY | O_CLOEXEC, 0);
	gboolean is = fd >= 0 && read(fd, magic, sizeof(magic)) == sizeof(magic) &&
		      memcmp(magic, MAGIC, sizeof(magic)) == 0;

	if (fd >= 0)
		close(fd);
	return is;
}

/* ---------------------------------------------------------------- saving */

typedef struct {
	FILE *file; /* owned */
	guint64 offset;
	GArray *sums; /* owned; guint64 */
	GArray *sections; /* owned; Section */
	WpCancel *cancellable; /* borrowed, NULL */
} Writer;

static void write_bytes(Writer *w, const void *data, gsize n)
{
	/* A failure sticks to the stream; it is asked for once, at the end. */
	if (n)
		fwrite(data, 1, n, w->file);
	w->offset += n;
}

static void align(Writer *w)
{
	static const guint8 zeros[ALIGNMENT];

	write_bytes(w, zeros, (ALIGNMENT - w->offset % ALIGNMENT) % ALIGNMENT);
}

static void begin_section(Writer *w, guint32 host, SectionKind kind, guint64 n, guint32 element)
{
	align(w);

	Section section = {.host = host,
			   .kind = kind,
			   .offset = w->offset,
			   .n = n,
			   .first_sum = w->sums->len,
			   .element = element};

	g_array_append_val(w->sections, section);
}

static void write_chunk(Writer *w, const void *data, gsize n)
{
	guint64 sum = wp_checksum(data, n);

	g_array_append_val(w->sums, sum);
	write_bytes(w, data, n);
}

static void write_column(Writer *w, guint32 host, SectionKind kind, const WpColumn *column)
{
	begin_section(w, host, kind, column->n, column->element);
	for (guint64 i = 0; i < column->n && !wp_cancel_is_cancelled(w->cancellable);
	     i += WP_COLUMN_CHUNK_ELEMENTS)
		write_chunk(w, wp_column_at(column, i, column->element),
			    (gsize)MIN(column->n - i, WP_COLUMN_CHUNK_ELEMENTS) * column->element);
}

static GVariant *summary_of(const WpHost *host)
{
	GVariantBuilder strings, findings, traces;

	g_variant_builder_init(&strings, G_VARIANT_TYPE("as"));
	for (guint32 i = 0; i < wp_strings_n(host->strings); i++) {
		/* A tracer may write any bytes; what is no UTF-8 is kept as escapes. */
		const gchar *text = wp_strings_get(host->strings, i);
		g_autofree gchar *valid = g_utf8_validate(text, -1, NULL) ? NULL
									  : g_strescape(text, NULL);

		g_variant_builder_add(&strings, "s", valid ? valid : text);
	}
	g_variant_builder_init(&findings, G_VARIANT_TYPE("a(sussxt)"));
	for (guint i = 0; i < wp_findings_n(host->findings); i++) {
		const WpFinding *f = wp_findings_get(host->findings, i);

		g_variant_builder_add(&findings, "(sussxt)", f->code, (guint32)f->severity,
				      f->host ? f->host : "", f->text, f->time, f->count);
	}
	g_variant_builder_init(&traces, G_VARIANT_TYPE("a(ayxx)"));
	for (guint i = 0; i < host->traces->len; i++) {
		const WpHostTrace *trace = &g_array_index(host->traces, WpHostTrace, i);

		g_variant_builder_add(&traces, "(^ayxx)", trace->path, trace->clock_offset,
				      trace->clock_shift);
	}
	return g_variant_ref_sink(g_variant_new(
		SUMMARY_TYPE, host->name, host->clock_uuid ? host->clock_uuid : "", host->begin,
		host->end, host->n_events, host->n_lost, host->n_missing_wakeups,
		(guint32)((host->has_waking ? HAS_WAKING : 0) |
			  (host->has_timers ? HAS_TIMERS : 0) |
			  (host->has_softirqs ? HAS_SOFTIRQS : 0) |
			  (host->has_packets ? HAS_PACKETS : 0) |
			  (host->has_syscalls ? HAS_SYSCALLS : 0)),
		&strings, &findings, &traces));
}

static void write_host(Writer *w, guint32 i, WpHost *host)
{
	g_autoptr(GVariant) summary = summary_of(host);
	gsize size = g_variant_get_size(summary);

	begin_section(w, i, SECTION_SUMMARY, size, 1);
	write_chunk(w, g_variant_get_data(summary), size);
	for (guint kind = SECTION_VERTICES; kind < SECTION_N; kind++)
		write_column(w, i, kind, column_of(host, kind));
}

static guint64 outline_sum(const Header *header, const void *outline, gsize size)
{
	Header bare = *header;

	bare.sum = 0;
	return wp_checksum(&bare, sizeof(bare)) ^ wp_checksum(outline, size);
}

/* Sums and directory behind the sections, then the header over the room left for it. */
static void write_outline(Writer *w, guint32 n_hosts)
{
	g_autoptr(GByteArray) outline = g_byte_array_new();
	Header header = {.version = FORMAT_VERSION,
			 .byte_order = BYTE_ORDER_MARK,
			 .n_sums = w->sums->len,
			 .n_sections = w->sections->len,
			 .n_hosts = n_hosts};

	align(w);
	memcpy(header.magic, MAGIC, sizeof(header.magic));
	header.outline = w->offset;
	g_byte_array_append(outline, (const guint8 *)w->sums->data,
			    w->sums->len * (guint)sizeof(guint64));
	g_byte_array_append(outline, (const guint8 *)w->sections->data,
			    w->sections->len * (guint)sizeof(Section));
	write_bytes(w, outline->data, outline->len);
	header.size = w->offset;
	header.sum = outline_sum(&header, outline->data, outline->len);
	if (fseeko(w->file, 0, SEEK_SET) == 0)
		fwrite(&header, sizeof(header), 1, w->file);
}

static gboolean save(Writer *w, WpHost *const *hosts, guint n_hosts)
{
	const Header room = {.unused = 0};

	write_bytes(w, &room, sizeof(room));
	for (guint i = 0; i < n_hosts; i++)
		write_host(w, i, hosts[i]);
	write_outline(w, n_hosts);
	return fflush(w->file) == 0 && !ferror(w->file);
}

/* What was saved may itself come from a file, and that be damaged, or cut meanwhile. */
static gboolean check_sources(WpHost *const *hosts, guint n_hosts, guint n_faults, GError **error)
{
	for (guint i = 0; i < n_hosts; i++)
		if (!wp_host_check_damage(hosts[i], error))
			return FALSE;
	return wp_bus_check(n_faults, error);
}

gboolean wp_graph_file_save(WpHost *const *hosts, guint n_hosts, const gchar *path,
			    WpCancel *cancellable, GError **error)
{
	g_autoptr(WpWholeFile) whole = wp_whole_file_new(path, error);
	/* The stream closes a descriptor of its own. */
	int fd = whole ? dup(wp_whole_file_get_fd(whole)) : -1;
	Writer w = {.file = fd < 0 ? NULL : fdopen(fd, "w"), .cancellable = cancellable};
	const guint n_faults = wp_bus_n_faults();
	gboolean saved = FALSE;
	gint failed = errno;

	if (!whole)
		return FALSE;
	if (w.file) {
		w.sums = g_array_new(FALSE, FALSE, sizeof(guint64));
		w.sections = g_array_new(FALSE, FALSE, sizeof(Section));
		errno = 0;
		saved = save(&w, hosts, n_hosts);
		failed = errno;
		if (fclose(w.file) != 0 && saved) {
			saved = FALSE;
			failed = errno;
		}
		g_array_free(w.sums, TRUE);
		g_array_free(w.sections, TRUE);
	} else if (fd >= 0) {
		close(fd);
	}
	if (wp_cancel_is_cancelled(cancellable)) {
		g_set_error_literal(error, WP_ERROR, WP_ERROR_CANCELLED,
				    "The saving of the graph was cancelled.");
		return FALSE;
	}
	if (saved)
		return check_sources(hosts, n_hosts, n_faults, error) &&
		       wp_whole_file_commit(whole, TRUE, error);
	g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "Cannot write the graph to %s: %s.", path,
		    g_strerror(failed ? failed : EIO));
	return FALSE;
}

/* ---------------------------------------------------------------- opening */

/* What all hosts of an open file share. */
typedef struct {
	gint refs; /* atomic */
	GMappedFile *mapped; /* owned */
} OpenFile;

/* The checks of one host's columns, kept as long as the host. */
typedef struct {
	OpenFile *file; /* reference */
	WpColumnCheck checks[SECTION_N];
} HostFile;

static void open_file_unref(OpenFile *file)
{
	if (!g_atomic_int_dec_and_test(&file->refs))
		return;
	g_mapped_file_unref(file->mapped);
	g_free(file);
}

static void host_file_free(gpointer data)
{
	HostFile *file = data;

	open_file_unref(file->file);
	g_free(file);
}

/* A check of a chunk, element by element; the expression sees host, element, first and i. */
#define DEFINE_CHECK(name, type, expression)                                                       \
	static gboolean name(const void *elements, guint64 first, guint32 n, gconstpointer data)   \
	{                                                                                          \
		G_GNUC_UNUSED const WpHost *host = data;                                           \
		const type *element = elements;                                                    \
                                                                                                   \
		for (guint64 i = first; i < first + n; i++, element++)                             \
			if ((expression) != NULL)                                                  \
				return FALSE;                                                      \
		return TRUE;                                                                       \
	}

DEFINE_CHECK(check_vertices, WpVertex, wp_check_vertex(host, element, i))
DEFINE_CHECK(check_causes, WpCause, wp_check_cause(host, element))
DEFINE_CHECK(check_bases, WpTime, wp_check_base(*element))
DEFINE_CHECK(check_far_times, WpFarTime, wp_check_far_time(host, element))
DEFINE_CHECK(check_details, WpCauseDetail, wp_check_detail(host, element))
DEFINE_CHECK(check_deferrals, WpDeferral, wp_check_deferral(host, element))
DEFINE_CHECK(check_tasks, WpTask, wp_check_task(host, element))
DEFINE_CHECK(check_comms, WpCommChange, wp_check_comm(host, element, i))
DEFINE_CHECK(check_flows, WpFlow, wp_check_flow(host, element))
DEFINE_CHECK(check_packets, WpPacket, wp_check_packet(host, element, i))
DEFINE_CHECK(check_losses, WpLoss, wp_check_loss(host, element))
DEFINE_CHECK(check_markers, WpMarker, wp_check_marker(host, element))

static const WpVertex blank_vertex = {
	.prev = WP_NONE, .cause = WP_NONE, .cpu = G_MAXUINT16, .state = WP_STATE_LOST};
static const WpCause blank_cause = {.source = WP_NONE};
static const WpTime blank_base = 0;
static const WpFarTime blank_far_time = {.vertex = WP_NONE};
static const WpCauseDetail blank_detail = {.name = 0};
static const WpDeferral blank_deferral = {.cause = WP_NONE};
static const WpTask blank_task = {.pid = -1, .ppid = -1, .renamed = WP_NONE, .parent = WP_NONE};
static const WpCommChange blank_comm = {.prev = WP_NONE};
static const WpFlow blank_flow = {.reverse = WP_NONE};
static const WpPacket blank_packet = {.vertex = WP_NONE, .parent = WP_NONE};
static const WpLoss blank_loss = {.cpu = WP_NONE};
static const WpMarker blank_marker = {.task = WP_NONE};

static const WpColumnCheck checks[SECTION_N] = {
	[SECTION_VERTICES] = {&blank_vertex, check_vertices, NULL},
	[SECTION_CAUSES] = {&blank_cause, check_causes, NULL},
	[SECTION_BASES] = {&blank_base, check_bases, NULL},
	[SECTION_FAR_TIMES] = {&blank_far_time, check_far_times, NULL},
	[SECTION_DETAILS] = {&blank_detail, check_details, NULL},
	[SECTION_DEFERRALS] = {&blank_deferral, check_deferrals, NULL},
	[SECTION_TASKS] = {&blank_task, check_tasks, NULL},
	[SECTION_COMMS] = {&blank_comm, check_comms, NULL},
	[SECTION_FLOWS] = {&blank_flow, check_flows, NULL},
	[SECTION_PACKETS] = {&blank_packet, check_packets, NULL},
	[SECTION_LOSSES] = {&blank_loss, check_losses, NULL},
	[SECTION_MARKERS] = {&blank_marker, check_markers, NULL},
};

typedef struct {
	const gchar *path; /* borrowed */
	OpenFile *file; /* reference */
	const guint8 *data; /* borrowed: of file */
	gsize size;
	const Header *header; /* borrowed: in data */
	const guint64 *sums; /* borrowed: in data */
	const Section *sections; /* borrowed: in data */
} Opening;

static gboolean refuse(const Opening *o, const gchar *why, GError **error)
{
	g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
		    "The graph file %s can't be used: %s. Make it anew with waitpath graph.",
		    o->path, why);
	return FALSE;
}

static gboolean check_section(const Opening *o, const Section *s)
{
	guint64 n_chunks = s->kind == SECTION_SUMMARY
				   ? 1
				   : s->n / WP_COLUMN_CHUNK_ELEMENTS +
					     (s->n % WP_COLUMN_CHUNK_ELEMENTS != 0);

	return s->kind < SECTION_N && s->host < o->header->n_hosts && s->element > 0 &&
	       s->offset % ALIGNMENT == 0 && s->offset <= o->header->outline && s->n < WP_NONE &&
	       s->n <= (o->header->outline - s->offset) / s->element &&
	       s->first_sum <= o->header->n_sums && n_chunks <= o->header->n_sums - s->first_sum;
}

static gboolean check_outline(Opening *o, GError **error)
{
	const Header *h = o->header = (const Header *)(gconstpointer)o->data;
	guint64 outline_size;

	if (o->size < sizeof(Header) || memcmp(h->magic, MAGIC, sizeof(h->magic)) != 0)
		return refuse(o, "it is none", error);
	if (h->byte_order != BYTE_ORDER_MARK)
		return refuse(o, "it was made on a machine with another byte order", error);
	if (h->version != FORMAT_VERSION)
		return refuse(o, "it was made by another version of waitpath", error);
	if (h->size != o->size)
		return refuse(o, "it is cut or has grown", error);
	if (h->outline < sizeof(Header) || h->outline > o->size || h->outline % ALIGNMENT ||
	    h->n_hosts > HOSTS_MAX || h->n_sums > o->size / sizeof(guint64) ||
	    h->n_sections != h->n_hosts * SECTION_N)
		return refuse(o, "its header is damaged", error);
	outline_size = o->size - h->outline;
	if (h->n_sums * sizeof(guint64) + h->n_sections * sizeof(Section) != outline_size ||
	    outline_sum(h, o->data + h->outline, outline_size) != h->sum)
		return refuse(o, "its directory is damaged", error);
	o->sums = (const guint64 *)(gconstpointer)(o->data + h->outline);
	o->sections = (const Section *)(gconstpointer)(o->sums + h->n_sums);
	for (guint32 i = 0; i < h->n_sections; i++)
		if (!check_section(o, &o->sections[i]) || o->sections[i].host != i / SECTION_N ||
		    o->sections[i].kind != i % SECTION_N)
			return refuse(o, "its directory is damaged", error);
	return TRUE;
}

static void take_traces(WpHost *host, GVariantIter *traces)
{
	const gchar *path;
	gint64 offset, shift;

	while (g_variant_iter_next(traces, "(^&ayxx)", &path, &offset, &shift))
		if (g_path_is_absolute(path))
			wp_host_add_trace(host, path, offset, shift);
}

static void take_summary(WpHost *host, GVariant *summary)
{
	g_autoptr(GVariantIter) strings = NULL, findings = NULL, traces = NULL;
	const gchar *name, *uuid, *text, *code, *about;
	guint32 flags, severity;
	gint64 time;
	guint64 count;

	g_variant_get_child(summary, 0, "&s", &name);
	g_variant_get_child(summary, 1, "&s", &uuid);
	g_variant_get_child(summary, 2, "(xx)", &host->begin, &host->end);
	g_variant_get_child(summary, 3, "t", &host->n_events);
	g_variant_get_child(summary, 4, "t", &host->n_lost);
	g_variant_get_child(summary, 5, "t", &host->n_missing_wakeups);
	g_variant_get_child(summary, 6, "u", &flags);
	g_variant_get_child(summary, 7, "as", &strings);
	g_variant_get_child(summary, 8, "a(sussxt)", &findings);
	g_variant_get_child(summary, 9, "a(ayxx)", &traces);
	g_free(host->name);
	host->name = g_strdup(name);
	host->clock_uuid = *uuid ? g_strdup(uuid) : NULL;
	host->has_waking = (flags & HAS_WAKING) != 0;
	host->has_timers = (flags & HAS_TIMERS) != 0;
	host->has_softirqs = (flags & HAS_SOFTIRQS) != 0;
	host->has_packets = (flags & HAS_PACKETS) != 0;
	host->has_syscalls = (flags & HAS_SYSCALLS) != 0;
	while (g_variant_iter_next(strings, "&s", &text))
		wp_strings_intern(host->strings, text);
	while (g_variant_iter_next(findings, "(&su&s&sxt)", &code, &severity, &about, &text, &time,
				   &count))
		wp_findings_add(host->findings, code, MIN(severity, (guint32)WP_SEVERITY_ERROR),
				*about ? about : NULL, time, count, "%s", text);
	take_traces(host, traces);
}

static gboolean open_summary(const Opening *o, const Section *s, WpHost *host, GError **error)
{
	const void *data = o->data + s->offset;
	g_autoptr(GVariant) summary = NULL;

	if (s->n > SUMMARY_MAX || s->element != 1 ||
	    wp_checksum(data, s->n) != o->sums[s->first_sum])
		return refuse(o, "the description of a host is damaged", error);
	summary = g_variant_ref_sink(g_variant_new_from_data(G_VARIANT_TYPE(SUMMARY_TYPE), data,
							     s->n, FALSE, NULL, NULL));
	if (!g_variant_is_normal_form(summary))
		return refuse(o, "the description of a host is damaged", error);
	take_summary(host, summary);
	if (host->begin > host->end || host->begin < WP_TIME_EARLIEST || host->end > WP_TIME_LATEST)
		return refuse(o, "the description of a host is damaged", error);
	return TRUE;
}

static guint64 n_blocks(guint64 n_vertices)
{
	return (n_vertices + (1u << WP_VERTEX_BLOCK_SHIFT) - 1) >> WP_VERTEX_BLOCK_SHIFT;
}

static gboolean open_columns(const Opening *o, const Section *sections, WpHost *host,
			     GError **error)
{
	HostFile *file = g_new0(HostFile, 1);

	host->file = file;
	host->file_free = host_file_free;
	file->file = o->file;
	g_atomic_int_inc(&o->file->refs);
	for (guint kind = SECTION_VERTICES; kind < SECTION_N; kind++) {
		const Section *s = &sections[kind];
		WpColumn *column = column_of(host, kind);
		guint32 element = column->element;

		if (s->element != element)
			return refuse(o, "it was made by another version of waitpath", error);
		file->checks[kind] = checks[kind];
		file->checks[kind].data = host;
		wp_column_clear(column);
		wp_column_init_mapped(column, element, o->data + s->offset, s->n,
				      o->sums + s->first_sum, &file->checks[kind]);
	}
	/* Blank vertices belong to task 0, packets to flow 0, causes have detail 0: they must be there. */
	if (host->bases.n != n_blocks(host->vertices.n) || (host->causes.n && !host->details.n) ||
	    (host->vertices.n && !host->tasks.n) || (host->tasks.n && !host->vertices.n) ||
	    (host->packets.n && !host->flows.n))
		return refuse(o, "a table of it is missing", error);
	return TRUE;
}

static gboolean open_hosts(Opening *o, GPtrArray *hosts, GError **error)
{
	if (!check_outline(o, error))
		return FALSE;
	for (guint32 i = 0; i < o->header->n_hosts; i++) {
		const Section *sections = &o->sections[i * SECTION_N];
		WpHost *host = wp_host_new("", NULL);

		g_ptr_array_add(hosts, host);
		if (!open_summary(o, &sections[SECTION_SUMMARY], host, error) ||
		    !open_columns(o, sections, host, error))
			return FALSE;
	}
	return TRUE;
}

GPtrArray *wp_graph_file_open(const gchar *path, GError **error)
{
	g_autoptr(GPtrArray) hosts = g_ptr_array_new_with_free_func((GDestroyNotify)wp_host_free);
	g_autoptr(GError) local = NULL;
	GMappedFile *mapped = g_mapped_file_new(path, FALSE, &local);
	OpenFile *file;
	gboolean opened;

	if (!mapped) {
		g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "Cannot read the graph file %s: %s.",
			    path, local->message);
		return NULL;
	}
	file = g_new0(OpenFile, 1);
	file->refs = 1;
	file->mapped = mapped;

	Opening o = {.path = path,
		     .file = file,
		     .data = (const guint8 *)g_mapped_file_get_contents(mapped),
		     .size = g_mapped_file_get_length(mapped)};

	opened = open_hosts(&o, hosts, error);
	open_file_unref(file);
	if (!opened)
		return NULL;
	g_ptr_array_set_free_func(hosts, NULL);
	return g_steal_pointer(&hosts);
}
