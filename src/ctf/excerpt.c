/* SPDX-License-Identifier: MIT */
/*
 * excerpt.c: passes over the events of a packet or two, and notes where those lie that are
 * wanted; only these are then read field by field.
 */
#include "config.h"

#include <sys/stat.h>

#include "base/error.h"
#include "ctf/excerpt.h"
#include "ctf/field-text.h"
#include "ctf/index.h"
#include "ctf/metadata.h"

/* The cancellable is asked once in so many events. */
#define CANCEL_MASK 8191u

struct WpCtfExcerpt {
	WpCtfTrace *trace; /* owned */
	WpCtfProgram *program; /* owned */
	WpCtfIndex *index; /* owned */
	gchar **cpu_fields; /* owned */
	guint64 n_packets; /* read so far */
};

/* Where an event lies. */
typedef struct {
	guint packet; /* of the stream */
	guint64 header, content; /* bits */
	const WpCtfEventPlan *plan; /* borrowed of the program */
	WpTime time; /* trace clock */
} Place;

/* What is at hand of one stream. */
typedef struct {
	WpCtfExcerpt *excerpt; /* borrowed */
	const WpCtfIndexStream *stream; /* borrowed of the index */
	const WpCtfStreamPlan *plan; /* borrowed of the program */
	WpCtfTimescale scale;
	WpTime time; /* that is asked for */
	guint n; /* wanted on each side */
	WpCancel *cancellable; /* borrowed, NULL */
} Look;

void wp_ctf_excerpt_free(WpCtfExcerpt *excerpt)
{
	if (!excerpt)
		return;
	wp_ctf_index_free(excerpt->index);
	wp_ctf_program_free(excerpt->program);
	wp_ctf_trace_free(excerpt->trace);
	g_strfreev(excerpt->cpu_fields);
	g_free(excerpt);
}

WpCtfExcerpt *wp_ctf_excerpt_open(const gchar *directory, WpLayout *layout, GError **error)
{
	g_autoptr(WpCtfExcerpt) excerpt = g_new0(WpCtfExcerpt, 1);
	/* What is odd in the trace was told when it was analysed. */
	g_autoptr(WpFindings) findings = wp_findings_new();
	g_autofree gchar *path = g_build_filename(directory, "metadata", NULL);
	gsize length;
	g_autofree gchar *text = wp_ctf_metadata_read(path, findings, &length, error);

	excerpt->trace = text ? wp_ctf_trace_parse(text, length, path, error) : NULL;
	if (!excerpt->trace)
		return NULL;
	excerpt->program = wp_ctf_program_new(excerpt->trace, NULL, path, error);
	if (!excerpt->program)
		return NULL;
	excerpt->index = wp_ctf_index_new(directory, excerpt->program, findings, error);
	if (!excerpt->index)
		return NULL;
	excerpt->cpu_fields = g_strdupv((gchar **)wp_layout_get_cpu_fields(layout));
	return g_steal_pointer(&excerpt);
}

/* As the reader chooses it. */
static const WpCtfClock *clock_of(const WpCtfExcerpt *excerpt)
{
	const WpCtfClock *clock = wp_ctf_trace_find_clock(excerpt->trace, NULL);

	for (guint i = 0; i < excerpt->program->n_streams && !clock; i++)
		clock = excerpt->program->streams[i].clock;
	return clock;
}

const gchar *wp_ctf_excerpt_get_clock_uuid(const WpCtfExcerpt *excerpt)
{
	const WpCtfClock *clock = clock_of(excerpt);

	return clock ? clock->uuid : NULL;
}

gint64 wp_ctf_excerpt_get_clock_offset(const WpCtfExcerpt *excerpt)
{
	WpCtfTimescale scale;

	wp_ctf_timescale_init(&scale, clock_of(excerpt));
	return scale.base;
}

guint64 wp_ctf_excerpt_get_n_packets(const WpCtfExcerpt *excerpt, guint64 *ret_n_all)
{
	*ret_n_all = excerpt->index->n_packets;
	return excerpt->n_packets;
}

/* ---- packets ---- */

static const WpCtfPacket *packet_of(const Look *look, guint i)
{
	return &g_array_index(look->stream->packets, WpCtfPacket, i);
}

/* NULL: the file is not what it was any more. */
static const guint8 *packet_data(const Look *look, guint i)
{
	const WpCtfPacket *packet = packet_of(look, i);
	const WpCtfFile *file = &g_array_index(look->excerpt->index->files, WpCtfFile,
					       packet->file);
	struct stat st;

	if (stat(file->path, &st) == 0 && S_ISREG(st.st_mode) &&
	    (guint64)st.st_size < packet->offset + packet->size)
		return NULL;
	return file->data + packet->offset;
}

/* The last packet that begins at or before the time; the first where none does. */
static guint find_packet(const Look *look)
{
	guint low = 0, high = look->stream->packets->len;

	while (high - low > 1) {
		const guint middle = low + (high - low) / 2;

		if (wp_ctf_timescale_apply(&look->scale, packet_of(look, middle)->begin) <=
		    look->time)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Puts the machine at the first event of a packet. */
static gboolean open_packet(Look *look, guint i, WpCtfMachine *machine, WpCtfPacketFrame *frame)
{
	const WpCtfPacket *packet = packet_of(look, i);
	const guint8 *data = packet_data(look, i);
	WpCtfPacketHead head;

	if (!data)
		return FALSE;
	look->excerpt->n_packets++;
	machine->program = look->excerpt->program;

	WpCtfHeadStatus status = wp_ctf_packet_read_head(machine, data, packet->size, &head);

	if ((status != WP_CTF_HEAD_OK && status != WP_CTF_HEAD_UUID) ||
	    head.stream != look->stream->plan)
		return FALSE;
	machine->end = MIN(head.content, packet->size * 8);
	*frame = (WpCtfPacketFrame){.stream = look->plan, .scale = &look->scale};
	wp_ctf_packet_set_bounds(&head, look->plan, &look->scale, frame);
	return TRUE;
}

/* Says with FALSE that no more is wanted of the packet. */
typedef gboolean (*PlaceFunc)(Look *look, const Place *place, GArray *places);

/* The places of a packet's events up to its end, or to where it is damaged. */
static gboolean pass_packet(Look *look, guint i, PlaceFunc func, GArray *places, GError **error)
{
	g_autofree WpCtfMachine *machine = g_new0(WpCtfMachine, 1);
	WpCtfPacketFrame frame;
	Place place = {.packet = i};

	if (!open_packet(look, i, machine, &frame))
		return TRUE;
	for (guint64 n = 0; machine->pos < machine->end; n++) {
		place.header = machine->pos;
		if ((n & CANCEL_MASK) == 0 && wp_cancel_is_cancelled(look->cancellable)) {
			g_set_error(error, WP_ERROR, WP_ERROR_CANCELLED, "Reading was cancelled.");
			return FALSE;
		}
		if (wp_ctf_machine_pass(machine, &frame, &place.plan, &place.content) != WP_CTF_OK)
			return TRUE;
		place.time = wp_ctf_timescale_apply(&look->scale, machine->ticks);
		if (!func(look, &place, places))
			return TRUE;
	}
	return TRUE;
}

/* Keeps the last n up to the time. */
static gboolean take_before(Look *look, const Place *place, GArray *places)
{
	if (place->time > look->time)
		return FALSE;
	/* Half of what is kept is dropped at a time, and the rest in the end. */
	if (places->len >= 2 * look->n)
		g_array_remove_range(places, 0, look->n);
	g_array_append_val(places, *place);
	return TRUE;
}

/* Keeps the first n behind the time. */
static gboolean take_after(Look *look, const Place *place, GArray *places)
{
	if (place->time > look->time)
		g_array_append_val(places, *place);
	return places->len < look->n;
}

static gboolean look_before(Look *look, guint packet, GArray *places, GError **error)
{
	for (guint i = 0; i <= WP_EXCERPT_PACKETS_MAX && places->len < look->n; i++) {
		g_autoptr(GArray) here = g_array_new(FALSE, FALSE, sizeof(Place));
		guint n;

		if (i > packet)
			break;
		if (!pass_packet(look, packet - i, take_before, here, error))
			return FALSE;
		n = MIN(here->len, look->n - places->len);
		if (n)
			g_array_prepend_vals(places, &g_array_index(here, Place, here->len - n), n);
	}
	return TRUE;
}

static gboolean look_after(Look *look, guint packet, GArray *places, GError **error)
{
	for (guint i = 0; i <= WP_EXCERPT_PACKETS_MAX && places->len < look->n; i++)
		if (packet + i >= look->stream->packets->len)
			break;
		else if (!pass_packet(look, packet + i, take_after, places, error))
			return FALSE;
	return TRUE;
}

/* ---- fields ---- */

/* Packet header and context; only then are lengths and tags in them known. */
static gboolean read_packet_scopes(Look *look, guint i, WpCtfFieldReader *reader)
{
	const WpCtfPacket *packet = packet_of(look, i);
	const guint8 *data = packet_data(look, i);

	if (!data)
		return FALSE;
	wp_ctf_field_reader_begin(reader, data, packet->size * 8);
	return wp_ctf_field_reader_read(reader, WP_CTF_SCOPE_PACKET_HEADER,
					look->excerpt->trace->packet_header, NULL) &&
	       wp_ctf_field_reader_read(reader, WP_CTF_SCOPE_PACKET_CONTEXT,
					look->plan->klass->packet_context, NULL);
}

/* The CPU's number: of the packet, else of the event. */
static guint32 find_cpu(const Look *look, const WpCtfFieldReader *reader)
{
	static const WpCtfScope scopes[] = {WP_CTF_SCOPE_PACKET_CONTEXT,
					    WP_CTF_SCOPE_STREAM_EVENT_CONTEXT,
					    WP_CTF_SCOPE_EVENT_CONTEXT, WP_CTF_SCOPE_EVENT_FIELDS};
	guint64 cpu;

	for (guint s = 0; s < G_N_ELEMENTS(scopes); s++)
		for (guint i = 0; look->excerpt->cpu_fields[i]; i++) {
			const gchar *name = look->excerpt->cpu_fields[i];
			g_autofree gchar *other = g_strconcat("_", name, NULL);

			if (wp_ctf_field_reader_find(reader, scopes[s], name, &cpu) ||
			    wp_ctf_field_reader_find(reader, scopes[s], other, &cpu))
				return (guint32)cpu;
		}
	return WP_NONE;
}

static WpRawEvent *read_event(const Look *look, const Place *place, WpCtfFieldReader *reader)
{
	const WpCtfStreamClass *stream = look->plan->klass;
	const WpCtfEventClass *klass = g_ptr_array_index(stream->events,
							 place->plan - look->plan->plans);
	WpRawEvent *event = wp_raw_event_new(place->time, WP_NONE, klass->name);

	reader->pos = place->header;
	event->damaged = !wp_ctf_field_reader_read(reader, WP_CTF_SCOPE_EVENT_HEADER,
						   stream->event_header, NULL);
	reader->pos = place->content;
	event->damaged = event->damaged ||
			 !wp_ctf_field_reader_read(reader, WP_CTF_SCOPE_STREAM_EVENT_CONTEXT,
						   stream->event_context, event) ||
			 !wp_ctf_field_reader_read(reader, WP_CTF_SCOPE_EVENT_CONTEXT,
						   klass->context, event) ||
			 !wp_ctf_field_reader_read(reader, WP_CTF_SCOPE_EVENT_FIELDS, klass->fields,
						   event);
	event->cpu = find_cpu(look, reader);
	return event;
}

static void read_events(Look *look, const GArray *places, GPtrArray *events)
{
	g_auto(WpCtfFieldReader) reader;
	guint packet = G_MAXUINT;

	wp_ctf_field_reader_init(&reader, look->excerpt->trace->order);
	for (guint i = 0; i < places->len; i++) {
		const Place *place = &g_array_index(places, Place, i);

		if (place->packet != packet && !read_packet_scopes(look, place->packet, &reader))
			continue;
		packet = place->packet;
		g_ptr_array_add(events, read_event(look, place, &reader));
	}
}

static gboolean look_at(Look *look, GPtrArray *events, GError **error)
{
	g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(Place));
	g_autoptr(GArray) after = g_array_new(FALSE, FALSE, sizeof(Place));
	const guint packet = find_packet(look);

	if (!look_before(look, packet, places, error) || !look_after(look, packet, after, error))
		return FALSE;
	read_events(look, places, events);
	read_events(look, after, events);
	return TRUE;
}

gboolean wp_ctf_excerpt_read(WpCtfExcerpt *excerpt, WpTime time, guint n, GPtrArray *events,
			     WpCancel *cancellable, GError **error)
{
	for (guint i = 0; i < excerpt->index->streams->len; i++) {
		const WpCtfIndexStream *stream = g_ptr_array_index(excerpt->index->streams, i);
		Look look = {.excerpt = excerpt,
			     .stream = stream,
			     .plan = &excerpt->program->streams[stream->plan],
			     .time = time,
			     .n = CLAMP(n, 1, WP_EXCERPT_LOOKS_MAX),
			     .cancellable = cancellable};

		/* Packets without times do not say where to look. */
		if (!(look.plan->context_has & WP_CTF_HAS(WP_CTF_BEGIN)) || !look.plan->has_ticks)
			continue;
		wp_ctf_timescale_init(&look.scale, look.plan->clock);
		if (!look_at(&look, events, error))
			return FALSE;
	}
	return TRUE;
}
