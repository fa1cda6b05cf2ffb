/* SPDX-License-Identifier: MIT */
/*
 * export-perfetto.c: a Perfetto trace: the few fields of its protocol buffers that tracks,
 * slices and flows take, encoded here.
 *
 * Tracks are nested by name, host over process over thread: Perfetto's own descriptors of
 * processes and threads know no hosts and would join equal numbers of two of them. The path is a
 * track of its own at the top. A hand-over is an instant on the track of who acted, with a flow
 * to the slice that it began.
 */
#include "config.h"

#include <string.h>

#include "export/exporter-private.h"

/* Numbers of fields, as in Perfetto's trace_packet, track_event and track_descriptor. */
enum {
	TRACE_PACKET = 1,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE_ID = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_TRACK_DESCRIPTOR = 60,
	DESCRIPTOR_UUID = 1,
	DESCRIPTOR_NAME = 2,
	DESCRIPTOR_PARENT = 5,
	EVENT_DEBUG_ANNOTATION = 4,
	EVENT_TYPE = 9,
	EVENT_TRACK = 11,
	EVENT_CATEGORIES = 22,
	EVENT_NAME = 23,
	EVENT_FLOW_IDS = 47,
	EVENT_TERMINATING_FLOW_IDS = 48,
	ANNOTATION_STRING = 6,
	ANNOTATION_NAME = 10
};

enum { TYPE_SLICE_BEGIN = 1, TYPE_SLICE_END = 2, TYPE_INSTANT = 3 };
enum { SEQUENCE_CLEARED = 1, SEQUENCE_ID = 1 };
enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2 };

#define PATH_TRACK G_GUINT64_CONSTANT(1)

typedef struct {
	WpOut *out; /* borrowed */
	const WpExportJob *job; /* borrowed */
	GHashTable *tracks; /* owned set of owned gint64 *: those that were described */
	GByteArray *packet, *message; /* owned: room for the ones being made */
	gboolean begun;
	guint64 n_flows;
} Perfetto;

/* ---- protocol buffers ---- */

static void put_varint(GByteArray *bytes, guint64 value)
{
	guint8 buffer[10];
	guint n = 0;

	do
		buffer[n++] = (guint8)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
	while (value >>= 7);
	g_byte_array_append(bytes, buffer, n);
}

static void put_tag(GByteArray *bytes, guint field, guint wire)
{
	put_varint(bytes, (guint64)field << 3 | wire);
}

static void put_number(GByteArray *bytes, guint field, guint64 value)
{
	put_tag(bytes, field, WIRE_VARINT);
	put_varint(bytes, value);
}

static void put_fixed(GByteArray *bytes, guint field, guint64 value)
{
	guint64 little = GUINT64_TO_LE(value);

	put_tag(bytes, field, WIRE_FIXED64);
	g_byte_array_append(bytes, (const guint8 *)&little, sizeof(little));
}

static void put_bytes(GByteArray *bytes, guint field, const void *data, gsize n)
{
	put_tag(bytes, field, WIRE_BYTES);
	put_varint(bytes, n);
	g_byte_array_append(bytes, data, (guint)n);
}

/* Text must be UTF-8 there. */
static void put_text(GByteArray *bytes, guint field, const gchar *text)
{
	g_autofree gchar *valid = g_utf8_make_valid(text, -1);

	put_bytes(bytes, field, valid, strlen(valid));
}

/* ---- packets ---- */

/* Sends perfetto->packet; the first one clears what the sequence may have said before. */
static void send_packet(Perfetto *perfetto)
{
	g_autoptr(GByteArray) head = g_byte_array_new();

	put_number(perfetto->packet, PACKET_SEQUENCE_ID, SEQUENCE_ID);
	if (!perfetto->begun)
		put_number(perfetto->packet, PACKET_SEQUENCE_FLAGS, SEQUENCE_CLEARED);
	perfetto->begun = TRUE;
	put_tag(head, TRACE_PACKET, WIRE_BYTES);
	put_varint(head, perfetto->packet->len);
	wp_out_put_len(perfetto->out, (const gchar *)head->data, head->len);
	wp_out_put_len(perfetto->out, (const gchar *)perfetto->packet->data, perfetto->packet->len);
	g_byte_array_set_size(perfetto->packet, 0);
}

static void describe_track(Perfetto *perfetto, guint64 uuid, guint64 parent, const gchar *name)
{
	GByteArray *message = perfetto->message;

	g_byte_array_set_size(message, 0);
	put_number(message, DESCRIPTOR_UUID, uuid);
	put_text(message, DESCRIPTOR_NAME, name);
	if (parent)
		put_number(message, DESCRIPTOR_PARENT, parent);
	put_bytes(perfetto->packet, PACKET_TRACK_DESCRIPTOR, message->data, message->len);
	send_packet(perfetto);
}

/* Begins perfetto->message; name is NULL for the end of a slice. */
static void begin_event(Perfetto *perfetto, guint type, guint64 track, const gchar *category,
			const gchar *name)
{
	GByteArray *message = perfetto->message;

	g_byte_array_set_size(message, 0);
	put_number(message, EVENT_TYPE, type);
	put_number(message, EVENT_TRACK, track);
	if (name) {
		put_text(message, EVENT_CATEGORIES, category);
		put_text(message, EVENT_NAME, name);
	}
}

static void send_event(Perfetto *perfetto, WpTime time)
{
	put_number(perfetto->packet, PACKET_TIMESTAMP, (guint64)time);
	put_bytes(perfetto->packet, PACKET_TRACK_EVENT, perfetto->message->data,
		  perfetto->message->len);
	send_packet(perfetto);
}

static void end_slice(Perfetto *perfetto, guint64 track, WpTime time)
{
	begin_event(perfetto, TYPE_SLICE_END, track, NULL, NULL);
	send_event(perfetto, time);
}

/* The event's details say why. */
static void annotate(Perfetto *perfetto, const gchar *cause)
{
	g_autoptr(GByteArray) annotation = g_byte_array_new();

	put_text(annotation, ANNOTATION_NAME, "cause");
	put_text(annotation, ANNOTATION_STRING, cause);
	put_bytes(perfetto->message, EVENT_DEBUG_ANNOTATION, annotation->data, annotation->len);
}

/* ---- tracks ---- */

/* Hosts, processes and threads have numbers that can't meet: a kind, the host, the id. */
static guint64 track_id(guint kind, guint32 host, guint32 id)
{
	return (guint64)kind << 62 | (guint64)(host & 0x3fffffff) << 32 | id;
}

/* TRUE when the track was not described yet; it is taken as described from now on. */
static gboolean is_new(Perfetto *perfetto, guint64 track)
{
	return g_hash_table_add(perfetto->tracks, g_memdup2(&track, sizeof(track)));
}

static guint64 thread_track(Perfetto *perfetto, guint32 host, WpId task)
{
	guint64 track = track_id(3, host, task), host_track = track_id(1, host, 0), process_track;
	WpActor actor;

	if (!is_new(perfetto, track))
		return track;
	wp_actor_init(&actor, perfetto->job->graph, host, task, WP_TIME_MAX);

	gint32 pid = actor.pid >= 0 ? actor.pid : actor.tid;
	g_autofree gchar *thread = g_strdup_printf("%s %d", actor.comm, actor.tid);

	if (is_new(perfetto, host_track))
		describe_track(perfetto, host_track, 0, actor.host_name);
	process_track = track_id(2, host, (guint32)pid);
	if (is_new(perfetto, process_track)) {
		g_autofree gchar *process = g_strdup_printf("%s (process %d)", actor.comm, pid);

		describe_track(perfetto, process_track, host_track, process);
	}
	describe_track(perfetto, track, process_track, thread);
	return track;
}

static void on_slice(gpointer data, const WpSlice *slice)
{
	Perfetto *perfetto = data;
	guint64 track = thread_track(perfetto, slice->host, slice->task), flow = 0;

	if (slice->by.host != WP_NONE) {
		flow = ++perfetto->n_flows;
		begin_event(perfetto, TYPE_INSTANT,
			    thread_track(perfetto, slice->by.host, slice->by.task), "handover",
			    slice->by.packet ? "packet" : "wake-up");
		put_fixed(perfetto->message, EVENT_FLOW_IDS, flow);
		send_event(perfetto, slice->by.time);
	}
	begin_event(perfetto, TYPE_SLICE_BEGIN, track, "state", wp_state_key(slice->state));
	if (flow)
		put_fixed(perfetto->message, EVENT_TERMINATING_FLOW_IDS, flow);
	send_event(perfetto, slice->begin);
	end_slice(perfetto, track, slice->end);
}

static gboolean is_over(gpointer data)
{
	return wp_out_is_failed(((const Perfetto *)data)->out);
}

static void put_path(Perfetto *perfetto)
{
	const WpPath *path = perfetto->job->path;
	WpGraph *graph = perfetto->job->graph;
	WpCauseInfo info;
	g_autofree gchar *title = wp_export_dup_title(perfetto->job);
	g_autofree gchar *name = g_strdup_printf("critical path of %s", title);

	describe_track(perfetto, PATH_TRACK, 0, name);
	wp_cause_info_init(&info);
	for (guint i = 0; i < path->segments.n && !is_over(perfetto); i++) {
		const WpSegment *s = wp_path_segment(path, i);
		WpActor actor;

		wp_actor_init(&actor, graph, s->host, s->task, s->begin);
		wp_cause_info_fill(&info, graph, s);

		g_autofree gchar *cause = wp_cause_info_dup_text(&info, graph, s);
		g_autofree gchar *who = wp_actor_dup_text(&actor, graph);
		g_autofree gchar *what = g_strdup_printf("%s: %s", who, wp_state_key(s->state));

		begin_event(perfetto, TYPE_SLICE_BEGIN, PATH_TRACK, "path", what);
		if (cause)
			annotate(perfetto, cause);
		send_event(perfetto, s->begin);
		end_slice(perfetto, PATH_TRACK, s->end);
	}
	wp_cause_info_clear(&info);
}

void wp_perfetto_write(WpOut *out, const WpExportJob *job)
{
	static const WpWalkFuncs funcs = {.slice = on_slice, .is_over = is_over};
	Perfetto perfetto = {.out = out, .job = job};

	perfetto.tracks = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	perfetto.packet = g_byte_array_new();
	perfetto.message = g_byte_array_new();
	put_path(&perfetto);
	wp_walk(job->graph, job->path, job->all, &funcs, &perfetto);
	g_hash_table_destroy(perfetto.tracks);
	g_byte_array_unref(perfetto.packet);
	g_byte_array_unref(perfetto.message);
}
