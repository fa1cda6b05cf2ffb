/* SPDX-License-Identifier: MIT */
/*
 * bt2-reader.c: a trace read through Babeltrace 2.
 *
 * Each stream is a port of the graph (bt2-graph.h) and keeps the messages that were
 * pulled and not yet used. Events go through the decoder into batches; packet messages
 * give the CPU; messages of discarded events and packets become LOST records.
 *
 * A tracer counts lost events by packet: those of a packet were lost before its first or
 * behind its last event, for a ring buffer loses nothing inside. Babeltrace's own
 * interval, the end of the packet before to the end of this one, is far too wide and
 * need not even hold them (the last may be lost after the packet is closed). So the
 * record goes to the longer of the two gaps, which needs the packet's events to be held
 * in one batch until the event behind them is known.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "base/error.h"
#include "bt2/bt2-decode.h"
#include "bt2/bt2-graph.h"
#include "bt2/bt2-metadata.h"
#include "bt2/bt2-reader.h"

/* Records after which a batch is given, when nothing needs it longer. */
#define BATCH_RECORDS 1024u
/* Messages after which an empty batch is given: a tenth of a second or so. */
#define BATCH_MESSAGES 100000u

/* Losses that a packet tells of and that wait for their place. */
typedef struct {
	gboolean open;
	guint64 n_events;
	WpTime begin, end; /* the gap in front of the packet */
	guint at; /* byte of the batch where its record goes */
} Loss;

typedef struct {
	bt_message_array_const messages; /* borrowed from the graph; those from next on are owned */
	guint64 next, n_messages;
	gboolean ended;
	guint32 cpu; /* of the packet */
	gchar *name; /* owned: as Babeltrace calls the stream, its file */
	WpTime time; /* of the last event or, in front of a packet's first, of its begin */
	gboolean has_time;
	WpTime packet_end; /* of the last whole packet */
	guint64 n_lost_events, n_lost_packets; /* told in front of the packet at hand */
	Loss loss;
	guint64 n_bytes; /* of the trace that are this stream's share */
	guint64 n_given; /* of these, told as read */
} Stream;

typedef struct {
	WpReader head;
	WpBt2Graph *graph; /* owned */
	WpBt2Decoder *decoder; /* owned */
	Stream *streams; /* owned */
} Bt2Reader;

static void stream_drop_messages(Stream *stream)
{
	while (stream->next < stream->n_messages)
		bt_message_put_ref(stream->messages[stream->next++]);
	stream->next = stream->n_messages = 0;
}

/*
 * The next message, owned; NULL at the end. A failure ends the stream and is told as a
 * finding: the other streams are worth reading.
 */
static const bt_message *stream_take_message(Bt2Reader *reader, guint number)
{
	Stream *stream = &reader->streams[number];
	g_autoptr(GError) error = NULL;

	if (stream->next == stream->n_messages && !stream->ended) {
		stream->next = stream->n_messages = 0;
		if (!wp_bt2_graph_pull(reader->graph, number, &stream->messages,
				       &stream->n_messages, &error))
			wp_findings_add(reader->head.findings, "stream-failed", WP_SEVERITY_ERROR,
					NULL, stream->has_time ? stream->time : WP_TIME_MIN, 1,
					"Stream %u is not read to its end: %s", number,
					error->message);
		stream->ended = stream->n_messages == 0;
	}
	return stream->next < stream->n_messages ? stream->messages[stream->next++] : NULL;
}

static void set_lost(WpEvent *record, const Stream *stream, WpTime begin, WpTime end,
		     guint64 n_events, guint64 n_packets)
{
	record->kind = WP_EV_LOST;
	record->n_values = (guint16)wp_event_kind_n_values(WP_EV_LOST);
	record->time = end;
	record->cpu = stream->cpu;
	record->stream = 0;
	record->present = 1u << WP_LOST_BEGIN | 1u << WP_LOST_COUNT | 1u << WP_LOST_PACKETS;
	record->v[WP_LOST_BEGIN].i = MIN(begin, end);
	record->v[WP_LOST_COUNT].u = n_events;
	record->v[WP_LOST_PACKETS].u = n_packets;
}

/*
 * Puts the waiting LOST record into the batch: in front of its packet's events, or behind
 * them if the gap to next (where the next packet begins) is longer.
 */
static void stream_close_loss(Stream *stream, WpTime next, WpBatch *batch)
{
	Loss *loss = &stream->loss;
	WpEvent *record = wp_batch_push(batch, WP_EV_LOST);
	gsize size = wp_event_size(record);

	/* Neither is negative; their differences may exceed the range of signed ones. */
	if ((guint64)next - (guint64)stream->time > (guint64)loss->end - (guint64)loss->begin) {
		set_lost(record, stream, stream->time, next, loss->n_events, 0);
	} else {
		guint8 *at = batch->records->data + loss->at;

		memmove(at + size, at, batch->records->len - size - loss->at);
		set_lost((WpEvent *)(gpointer)at, stream, loss->begin, loss->end, loss->n_events,
			 0);
	}
	*loss = (Loss){0};
}

static void find_lost(Bt2Reader *reader, const Stream *stream, const gchar *code, WpTime time,
		      guint64 n, const gchar *what)
{
	wp_findings_add(reader->head.findings, code, WP_SEVERITY_WARNING, reader->head.info.host,
			time, n, "%s: %s.", stream->name ? stream->name : reader->head.info.path,
			what);
}

/* A packet that begins at time: closes the loss of the one before, opens its own. */
static void stream_lose(Bt2Reader *reader, Stream *stream, WpTime time, WpBatch *batch)
{
	if (stream->loss.open)
		stream_close_loss(stream, time, batch);
	if (stream->n_lost_packets > 0) {
		set_lost(wp_batch_push(batch, WP_EV_LOST), stream,
			 MAX(stream->packet_end, stream->time), time, 0, stream->n_lost_packets);
		find_lost(reader, stream, "lost-packets", time, stream->n_lost_packets,
			  "packets of this stream are missing");
	}
	if (stream->n_lost_events > 0) {
		stream->loss.open = TRUE;
		stream->loss.n_events = stream->n_lost_events;
		stream->loss.begin = stream->time;
		stream->loss.end = time;
		stream->loss.at = batch->records->len;
		find_lost(reader, stream, "lost-events", time, stream->n_lost_events,
			  "the tracer discarded events");
	}
	stream->n_lost_events = stream->n_lost_packets = 0;
}

/* No packet follows: the end of the last one takes its place. */
static void stream_end(Bt2Reader *reader, Stream *stream, WpBatch *batch)
{
	WpTime end = MAX(stream->packet_end, stream->time);

	if (stream->n_lost_events > 0 || stream->n_lost_packets > 0)
		stream_lose(reader, stream, end, batch);
	if (stream->loss.open)
		stream_close_loss(stream, end, batch);
}

/* The snapshot in ns since the epoch; FALSE, with a finding, when that is out of range. */
static gboolean get_time(Bt2Reader *reader, const bt_clock_snapshot *snapshot, WpTime *ret_time)
{
	if (bt_clock_snapshot_get_ns_from_origin(snapshot, ret_time) ==
	    BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK)
		return TRUE;
	wp_findings_add(reader->head.findings, "time-overflow", WP_SEVERITY_WARNING, NULL,
			WP_TIME_MIN, 1,
			"%s has times further than 292 years from 1970; they are left out.",
			reader->head.info.path);
	return FALSE;
}

static void stream_add_event(Bt2Reader *reader, Stream *stream, const bt_message *message,
			     WpBatch *batch)
{
	WpTime time;

	if (!get_time(reader, bt_message_event_borrow_default_clock_snapshot_const(message), &time))
		return;
	stream->has_time = TRUE;
	stream->time = time;
	wp_bt2_decoder_add(reader->decoder, bt_message_event_borrow_event_const(message), time,
			   stream->cpu, batch);
}

static void stream_begin_packet(Bt2Reader *reader, Stream *stream, const bt_message *message,
				WpBatch *batch)
{
	const bt_packet *packet = bt_message_packet_beginning_borrow_packet_const(message);
	WpTime time = stream->time;

	stream->cpu = wp_bt2_decoder_packet_cpu(reader->decoder, packet);
	if (bt_stream_class_packets_have_beginning_default_clock_snapshot(
		    bt_stream_borrow_class_const(bt_packet_borrow_stream_const(packet))) &&
	    get_time(reader,
		     bt_message_packet_beginning_borrow_default_clock_snapshot_const(message),
		     &time)) {
		if (!stream->has_time)
			stream->time = time;
		stream->has_time = TRUE;
	}
	time = MAX(time, stream->time);
	stream_lose(reader, stream, time, batch);
	stream->time = time;
}

static void stream_set_name(Stream *stream, const bt_message *message)
{
	g_free(stream->name);
	stream->name = g_strdup(
		bt_stream_get_name(bt_message_stream_beginning_borrow_stream_const(message)));
}

static void stream_end_packet(Bt2Reader *reader, Stream *stream, const bt_message *message)
{
	const bt_packet *packet = bt_message_packet_end_borrow_packet_const(message);
	WpTime time;

	if (bt_stream_class_packets_have_end_default_clock_snapshot(
		    bt_stream_borrow_class_const(bt_packet_borrow_stream_const(packet))) &&
	    get_time(reader, bt_message_packet_end_borrow_default_clock_snapshot_const(message),
		     &time))
		stream->packet_end = time;
}

/* A counter of the tracer that goes back comes as a loss of nearly 2^64. */
static void stream_add_lost_events(Bt2Reader *reader, Stream *stream, guint64 n)
{
	if (n <= G_MAXINT64)
		stream->n_lost_events += n;
	else
		wp_findings_add(reader->head.findings, "lost-counter-went-back",
				WP_SEVERITY_WARNING, NULL, stream->time, 1,
				"Stream %u of %s counts fewer lost events than before; what was "
				"lost there is not known.",
				(guint)(stream - reader->streams), reader->head.info.path);
}

static void stream_take(Bt2Reader *reader, Stream *stream, const bt_message *message,
			WpBatch *batch)
{
	guint64 n;

	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		batch->n_seen++;
		stream_add_event(reader, stream, message, batch);
		break;
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		stream_set_name(stream, message);
		break;
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		stream_begin_packet(reader, stream, message, batch);
		break;
	case BT_MESSAGE_TYPE_PACKET_END:
		stream_end_packet(reader, stream, message);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		if (bt_message_discarded_events_get_count(message, &n) ==
		    BT_PROPERTY_AVAILABILITY_AVAILABLE)
			stream_add_lost_events(reader, stream, n);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		if (bt_message_discarded_packets_get_count(message, &n) ==
		    BT_PROPERTY_AVAILABILITY_AVAILABLE)
			stream->n_lost_packets += n;
		break;
	default:
		break;
	}
}

/* The stream's bytes that the time reached so far stands for and were not told yet. */
static guint64 stream_new_bytes(const Bt2Reader *reader, guint number)
{
	const Stream *stream = &reader->streams[number];
	const WpBt2Port *port = wp_bt2_graph_get_port(reader->graph, number);
	guint64 n = 0;

	if (stream->ended)
		n = stream->n_bytes;
	else if (stream->has_time && port->end > port->begin && stream->time > port->begin)
		n = (guint64)((gdouble)stream->n_bytes *
			      MIN(1.0, ((gdouble)stream->time - (gdouble)port->begin) /
					       ((gdouble)port->end - (gdouble)port->begin)));
	return n > stream->n_given ? n - stream->n_given : 0;
}

static gboolean bt2_next(WpReader *head, guint number, WpBatch *batch, guint64 *ret_bytes,
			 GError **error)
{
	Bt2Reader *reader = (Bt2Reader *)head;
	Stream *stream = &reader->streams[number];
	guint64 n_bytes;

	for (guint n = 0; batch->n < BATCH_RECORDS || stream->loss.open; n++) {
		const bt_message *message;

		if (n >= BATCH_MESSAGES && batch->n == 0) {
			batch->more = TRUE;
			break;
		}
		message = stream_take_message(reader, number);
		if (!message) {
			stream_end(reader, stream, batch);
			break;
		}
		stream_take(reader, stream, message, batch);
		bt_message_put_ref(message);
	}
	n_bytes = stream_new_bytes(reader, number);
	stream->n_given += n_bytes;
	*ret_bytes += n_bytes;
	return TRUE;
}

/* Sizes of the stream files: all regular files but metadata and hidden ones. */
static guint64 directory_bytes(const gchar *directory)
{
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
	const gchar *name;
	guint64 n = 0;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree gchar *path = g_build_filename(directory, name, NULL);
		GStatBuf status;

		if (name[0] != '.' && !g_str_equal(name, "metadata") &&
		    g_stat(path, &status) == 0 && S_ISREG(status.st_mode))
			n += (guint64)status.st_size;
	}
	return n;
}

/* An entry of the trace's environment as text; NULL when there is none. */
static gchar *env_text(const bt_trace *trace, const gchar *name)
{
	const bt_value *value = bt_trace_borrow_environment_entry_value_by_name_const(trace, name);

	if (!value)
		return NULL;
	if (bt_value_is_string(value))
		return g_strdup(bt_value_string_get(value));
	return g_strdup_printf("%" G_GINT64_FORMAT, bt_value_integer_signed_get(value));
}

/* An entry that is a small number, or text that is one; -1 otherwise. */
static gint env_number(const bt_trace *trace, const gchar *name)
{
	g_autofree gchar *text = env_text(trace, name);
	gint64 number;

	return text && g_ascii_string_to_signed(text, 10, 0, G_MAXINT, &number, NULL) ? (gint)number
										      : -1;
}

static void set_clock(WpTraceInfo *info, const bt_clock_class *clock)
{
	bt_uuid uuid = bt_clock_class_get_uuid(clock);
	GString *text;

	if (bt_clock_class_cycles_to_ns_from_origin(clock, 0, &info->clock_offset) !=
	    BT_CLOCK_CLASS_CYCLES_TO_NS_FROM_ORIGIN_STATUS_OK)
		info->clock_offset = 0;
	if (!uuid)
		return;
	text = g_string_new(NULL);
	for (guint i = 0; i < 16; i++)
		g_string_append_printf(
			text, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", uuid[i]);
	info->clock_uuid = g_string_free(text, FALSE);
}

/* FALSE when some stream class has no clock: its events would have no time. */
static gboolean set_classes(WpTraceInfo *info, const bt_trace_class *trace, GError **error)
{
	for (guint64 i = 0; i < bt_trace_class_get_stream_class_count(trace); i++) {
		const bt_stream_class *stream = bt_trace_class_borrow_stream_class_by_index_const(
			trace, i);
		const bt_clock_class *clock = bt_stream_class_borrow_default_clock_class_const(
			stream);

		if (!clock) {
			g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
				    "%s has events without times, since its metadata names no "
				    "clock for them.",
				    info->path);
			return FALSE;
		}
		if (i == 0)
			set_clock(info, clock);
		for (guint64 e = 0; e < bt_stream_class_get_event_class_count(stream); e++) {
			const gchar *name = bt_event_class_get_name(
				bt_stream_class_borrow_event_class_by_index_const(stream, e));

			if (name)
				g_hash_table_add(info->event_names, g_strdup(name));
		}
	}
	return TRUE;
}

/* perf's export says "host" and "release" where LTTng says "hostname" and "kernel_release". */
static void set_environment(WpTraceInfo *info, const bt_trace *trace)
{
	info->host = env_text(trace, "hostname");
	if (!info->host)
		info->host = env_text(trace, "host");
	info->kernel_release = env_text(trace, "kernel_release");
	if (!info->kernel_release)
		info->kernel_release = env_text(trace, "release");
	info->domain = env_text(trace, "domain");
	info->tracer = env_text(trace, "tracer_name");
	info->tracer_major = env_number(trace, "tracer_major");
	info->tracer_minor = env_number(trace, "tracer_minor");
}

/*
 * A trace is known from a stream's first message only. That is left for reading. NULL,
 * with an error, when no stream has one; of a trace without streams nothing is known.
 */
static const bt_trace *first_trace(Bt2Reader *reader, GError **error)
{
	for (guint i = 0; i < reader->head.info.n_streams; i++) {
		Stream *stream = &reader->streams[i];

		if (!stream_take_message(reader, i))
			continue;
		stream->next--;
		return bt_stream_borrow_trace_const(
			bt_message_stream_beginning_borrow_stream_const(stream->messages[0]));
	}
	g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "%s",
		    wp_findings_n(reader->head.findings)
			    ? wp_findings_get(reader->head.findings, 0)->text
			    : "No stream has a beginning.");
	return NULL;
}

/* Opens the graph and resets the streams. */
static gboolean reader_start(Bt2Reader *reader, GError **error)
{
	WpTraceInfo *info = &reader->head.info;

	reader->graph = wp_bt2_graph_open(info->path, error);
	if (!reader->graph)
		return FALSE;
	reader->decoder = wp_bt2_decoder_new(reader->head.layout);
	info->n_streams = wp_bt2_graph_n_ports(reader->graph);
	reader->streams = g_new0(Stream, info->n_streams);
	for (guint i = 0; i < info->n_streams; i++) {
		reader->streams[i].cpu = WP_NONE;
		reader->streams[i].n_bytes = info->n_bytes / info->n_streams;
	}
	return TRUE;
}

static void reader_stop(Bt2Reader *reader)
{
	for (guint i = 0; reader->streams && i < reader->head.info.n_streams; i++) {
		stream_drop_messages(&reader->streams[i]);
		g_free(reader->streams[i].name);
	}
	g_clear_pointer(&reader->streams, g_free);
	g_clear_pointer(&reader->decoder, wp_bt2_decoder_free);
	g_clear_pointer(&reader->graph, wp_bt2_graph_free);
}

static gboolean bt2_rewind(WpReader *head, GError **error)
{
	Bt2Reader *reader = (Bt2Reader *)head;

	reader_stop(reader);
	wp_findings_free(head->findings);
	head->findings = wp_findings_new();
	return reader_start(reader, error);
}

static void bt2_free(WpReader *head)
{
	reader_stop((Bt2Reader *)head);
	wp_reader_clear(head);
	g_free(head);
}

static const WpReaderClass bt2_class = {
	.name = "babeltrace",
	.next = bt2_next,
	.rewind = bt2_rewind,
	.free = bt2_free,
	.threads = FALSE,
};

WpReader *wp_bt2_reader_open(const gchar *directory, WpLayout *layout, GError **error)
{
	g_autoptr(WpReader) head = NULL;
	Bt2Reader *reader;
	const bt_trace *trace;

	if (!wp_bt2_metadata_check(directory, error))
		return NULL;
	reader = g_new0(Bt2Reader, 1);
	head = &reader->head;
	wp_reader_init(head, &bt2_class, layout, directory);
	head->info.n_bytes = directory_bytes(directory);
	if (!reader_start(reader, error))
		return NULL;
	if (head->info.n_streams == 0)
		return g_steal_pointer(&head);
	trace = first_trace(reader, error);
	if (!trace || !set_classes(&head->info, bt_trace_borrow_class_const(trace), error))
		return NULL;
	set_environment(&head->info, trace);
	return g_steal_pointer(&head);
}
