/* SPDX-License-Identifier: MIT */
/*
 * ftrace-reader.c: records of the ring buffer to WpEvent, by an event layout.
 *
 * For each event that the file holds a plan says which fields fill which slots. Plans are
 * made when the file is opened and only read afterwards, and a stream's cursor belongs to
 * whoever reads that stream: different streams may be read on different threads.
 */
#include "config.h"

#include <string.h>

#include "base/thread.h"
#include "ftrace/ftrace-reader.h"
#include "ftrace/trace-dat.h"

#define BATCH_EVENTS 2048
/* Records that a batch may pass, so that one without events comes back in good time. */
#define BATCH_RECORDS 65536

typedef struct {
	guint slot;
	WpSlotType type;
	const WpFtraceField *field; /* borrowed from the file; NULL: a constant */
	WpValue constant; /* text is borrowed from the layout */
} PlanSlot;

/* What one WpLayoutEvent comes to in one event. */
typedef struct {
	WpEventKind kind;
	GArray *slots; /* owned: PlanSlot */
} Part;

typedef struct {
	Part parts[2];
	guint n_parts; /* 0: skip; 2: with a marker */
} Plan;

typedef struct {
	WpFtraceCursor *cursor; /* owned */
	WpFindings *findings; /* owned; given to the reader at the stream's first end */
	guint64 position; /* of the cursor, as far as it was told */
	guint32 cpu;
	gboolean told; /* findings are the reader's */
} Stream;

typedef struct {
	WpReader head;
	WpTraceDat *file; /* reference */
	GHashTable *plans; /* owned: id of an event -> Plan * (owned) */
	Stream *streams; /* owned: head.info.n_streams of them */
	WpMutex lock; /* guards head.findings */
} FtraceReader;

static gboolean fits(const WpFtraceField *field, WpSlotType type)
{
	switch (type) {
	case WP_SLOT_INTEGER:
		return field->type == WP_FTRACE_INTEGER;
	case WP_SLOT_STRING:
		return field->type == WP_FTRACE_TEXT;
	case WP_SLOT_ADDRESS:
		return field->type == WP_FTRACE_ARRAY && field->element == 1 &&
		       (field->size == 4 || field->size == 16);
	}
	return FALSE;
}

/* The first alternative that the event has; NULL when it has none that fits. */
static const WpFtraceField *find_field(const WpFtraceEvent *event, const WpLayoutSlot *slot)
{
	if (slot->beside && !wp_ftrace_event_find_field(event, slot->beside))
		return NULL;
	for (gchar **path = slot->paths; *path; path++) {
		const WpFtraceField *field = wp_ftrace_event_find_field(event, *path);

		if (field && fits(field, slot->type))
			return field;
	}
	return NULL;
}

static void plan_part(Plan *plan, const WpFtraceEvent *event, const WpLayoutEvent *layout)
{
	Part *part = &plan->parts[plan->n_parts++];

	part->kind = layout->kind;
	part->slots = g_array_new(FALSE, FALSE, sizeof(PlanSlot));
	for (guint i = 0; i < layout->n_slots; i++) {
		const WpLayoutSlot *slot = &layout->slots[i];
		PlanSlot planned = {.slot = slot->slot, .type = slot->type};

		if (slot->source == WP_LAYOUT_FIELD)
			planned.field = find_field(event, slot);
		else if (slot->source == WP_LAYOUT_CONSTANT && slot->type == WP_SLOT_STRING)
			planned.constant.s = slot->constant;
		else if (slot->source == WP_LAYOUT_CONSTANT)
			planned.constant.i = g_ascii_strtoll(slot->constant, NULL, 10);
		if (planned.field || slot->source == WP_LAYOUT_CONSTANT)
			g_array_append_val(part->slots, planned);
	}
}

static void plan_free(gpointer data)
{
	Plan *plan = data;

	for (guint i = 0; i < plan->n_parts; i++)
		g_array_unref(plan->parts[i].slots);
	g_free(plan);
}

static void add_plan(FtraceReader *reader, const WpFtraceEvent *event)
{
	const WpLayoutEvent *marker = NULL;
	const WpLayoutEvent *layout = wp_layout_find(reader->head.layout, event->name, &marker);
	Plan *plan = g_new0(Plan, 1);

	if (layout)
		plan_part(plan, event, layout);
	if (marker)
		plan_part(plan, event, marker);
	g_hash_table_insert(reader->plans, GUINT_TO_POINTER(event->id), plan);
	wp_trace_info_add_event(&reader->head.info, layout);
}

/* Which events there are: the formats alone do not tell. */
static void find_events(FtraceReader *reader)
{
	g_autoptr(WpFindings) findings = wp_findings_new();

	for (guint i = 0; i < reader->head.info.n_streams; i++) {
		g_autoptr(WpFtraceCursor) cursor = wp_ftrace_cursor_new(reader->file, i, findings);
		WpFtraceRecord record;

		while (wp_ftrace_cursor_next(cursor, &record)) {
			const WpFtraceEvent *event;

			if (g_hash_table_contains(reader->plans, GUINT_TO_POINTER(record.id)))
				continue;
			event = wp_trace_dat_find_event(reader->file, record.id);
			if (event)
				add_plan(reader, event);
		}
	}
}

static void set_address(WpValue *values, const guint8 *bytes, gsize size)
{
	guint64 half[2] = {0, 0};

	for (gsize i = 0; i < size; i++)
		half[size == 16 && i < 8 ? 0 : 1] = half[size == 16 && i < 8 ? 0 : 1] << 8 |
						    bytes[i];
	values[0].u = half[0];
	values[1].u = half[1];
}

static void fill_slot(const FtraceReader *reader, const PlanSlot *slot,
		      const WpFtraceRecord *record, WpBatch *batch, WpEvent *event)
{
	const guint8 *bytes;
	gsize size = 0;

	if (!slot->field) {
		event->v[slot->slot] = slot->constant;
		event->present |= 1u << slot->slot;
		return;
	}
	bytes = wp_ftrace_field_get_bytes(reader->file, slot->field, record, &size);
	if (!bytes)
		return;
	if (slot->type == WP_SLOT_INTEGER)
		event->v[slot->slot].i = wp_trace_dat_read_integer(reader->file, bytes, size,
								   slot->field->is_signed);
	else if (slot->type == WP_SLOT_STRING)
		event->v[slot->slot].s = wp_batch_copy(batch, (const gchar *)bytes, size);
	else
		set_address(&event->v[slot->slot], bytes, size);
	event->present |= 1u << slot->slot;
}

static void add_event(const FtraceReader *reader, const Part *part, const WpFtraceRecord *record,
		      guint stream, WpBatch *batch)
{
	WpEvent *event = wp_batch_push(batch, part->kind);

	event->time = record->time;
	event->cpu = reader->streams[stream].cpu;
	event->stream = stream;
	for (guint i = 0; i < part->slots->len; i++)
		fill_slot(reader, &g_array_index(part->slots, PlanSlot, i), record, batch, event);
}

static void add_loss(const FtraceReader *reader, const WpFtraceRecord *record, guint stream,
		     WpBatch *batch)
{
	WpEvent *event = wp_batch_push(batch, WP_EV_LOST);

	event->time = record->time;
	event->cpu = reader->streams[stream].cpu;
	event->stream = stream;
	event->v[WP_LOST_BEGIN].i = record->lost_since;
	/* 0: a number that is not known */
	event->v[WP_LOST_COUNT].u = record->n_lost == G_MAXUINT64 ? 0 : record->n_lost;
	event->v[WP_LOST_PACKETS].u = 0;
	event->present = 1u << WP_LOST_BEGIN | 1u << WP_LOST_COUNT | 1u << WP_LOST_PACKETS;
}

static void end_stream(FtraceReader *reader, Stream *stream)
{
	if (stream->told)
		return;
	stream->told = TRUE;
	wp_mutex_lock(&reader->lock);
	wp_findings_merge(reader->head.findings, stream->findings, NULL);
	wp_mutex_unlock(&reader->lock);
}

static gboolean ftrace_next(WpReader *head, guint index, WpBatch *batch, guint64 *ret_bytes,
			    GError **error)
{
	FtraceReader *reader = (FtraceReader *)head;
	Stream *stream = &reader->streams[index];
	WpFtraceRecord record;
	guint64 position;

	(void)error;
	batch->more = TRUE;
	while (batch->n < BATCH_EVENTS && batch->n_seen < BATCH_RECORDS) {
		const Plan *plan;

		if (!wp_ftrace_cursor_next(stream->cursor, &record)) {
			batch->more = FALSE;
			end_stream(reader, stream);
			break;
		}
		batch->n_seen++;
		if (record.n_lost)
			add_loss(reader, &record, index, batch);
		plan = g_hash_table_lookup(reader->plans, GUINT_TO_POINTER(record.id));
		if (!plan)
			wp_findings_add(stream->findings, "event-unknown", WP_SEVERITY_WARNING,
					head->info.host, record.time, 1,
					"%s: it has no format for its events of number %u.",
					head->info.path, record.id);
		for (guint i = 0; plan && i < plan->n_parts; i++)
			add_event(reader, &plan->parts[i], &record, index, batch);
	}
	position = wp_ftrace_cursor_get_position(stream->cursor);
	*ret_bytes += position - stream->position;
	stream->position = position;
	return TRUE;
}

static void open_stream(FtraceReader *reader, guint index)
{
	Stream *stream = &reader->streams[index];

	wp_ftrace_cursor_free(stream->cursor);
	stream->cursor = wp_ftrace_cursor_new(reader->file, index, stream->findings);
	stream->position = 0;
}

static gboolean ftrace_rewind(WpReader *head, GError **error)
{
	FtraceReader *reader = (FtraceReader *)head;

	(void)error;
	for (guint i = 0; i < head->info.n_streams; i++)
		open_stream(reader, i);
	return TRUE;
}

static void ftrace_free(WpReader *head)
{
	FtraceReader *reader = (FtraceReader *)head;

	for (guint i = 0; i < head->info.n_streams; i++) {
		wp_ftrace_cursor_free(reader->streams[i].cursor);
		wp_findings_free(reader->streams[i].findings);
	}
	g_free(reader->streams);
	g_hash_table_destroy(reader->plans);
	wp_trace_dat_unref(reader->file);
	wp_mutex_clear(&reader->lock);
	wp_reader_clear(head);
	g_free(reader);
}

static void fill_info(WpTraceInfo *info, const WpTraceDat *file)
{
	const gchar *version = wp_trace_dat_get_tracer_version(file);
	g_autoptr(GHashTable) cpus = g_hash_table_new(NULL, NULL);

	info->host = g_strdup(wp_trace_dat_get_host(file));
	info->domain = g_strdup("kernel");
	info->tracer = g_strdup("trace-cmd");
	info->kernel_release = g_strdup(wp_trace_dat_get_kernel_release(file));
	if (version && g_ascii_isdigit(*version)) {
		g_auto(GStrv) parts = g_strsplit(version, ".", 3);

		info->tracer_major = (gint)g_ascii_strtoll(parts[0], NULL, 10);
		info->tracer_minor = parts[1] ? (gint)g_ascii_strtoll(parts[1], NULL, 10) : -1;
	}
	info->clock_offset = wp_trace_dat_get_clock_offset(file);
	info->n_streams = wp_trace_dat_get_n_streams(file);
	for (guint i = 0; i < info->n_streams; i++) {
		const WpFtraceStream *stream = wp_trace_dat_get_stream(file, i);

		info->n_bytes += stream->n_bytes;
		if (stream->n_bytes)
			g_hash_table_add(cpus, GUINT_TO_POINTER(stream->cpu));
	}
	info->n_cpus = g_hash_table_size(cpus);
}

static const WpReaderClass ftrace_reader_class = {
	.name = "ftrace",
	.next = ftrace_next,
	.rewind = ftrace_rewind,
	.free = ftrace_free,
	.threads = TRUE,
};

WpReader *wp_ftrace_reader_open(const gchar *path, WpLayout *layout, GError **error)
{
	WpTraceDat *file = wp_trace_dat_open(path, error);
	FtraceReader *reader;

	if (!file)
		return NULL;
	reader = g_new0(FtraceReader, 1);
	wp_reader_init(&reader->head, &ftrace_reader_class, layout, path);
	wp_mutex_init(&reader->lock);
	reader->file = file;
	reader->plans = g_hash_table_new_full(NULL, NULL, NULL, plan_free);
	fill_info(&reader->head.info, file);
	wp_findings_merge(reader->head.findings, wp_trace_dat_get_findings(file), NULL);
	reader->streams = g_new0(Stream, MAX(reader->head.info.n_streams, 1));
	for (guint i = 0; i < reader->head.info.n_streams; i++) {
		reader->streams[i].findings = wp_findings_new();
		reader->streams[i].cpu = wp_trace_dat_get_stream(file, i)->cpu;
		open_stream(reader, i);
	}
	find_events(reader);
	return &reader->head;
}
