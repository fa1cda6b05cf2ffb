/* SPDX-License-Identifier: MIT */
/*
 * bt2-reader.c: a trace read through Babeltrace 2.
 *
 * Each stream is a port of a graph (bt2-graph.h) and keeps the messages that were
 * pulled and not yet used; bt2-stream.h makes records of them. The streams are shared out
 * over several graphs, so that several threads can pull at once: nothing of a graph,
 * not even a reference to a message, may be touched by two. Each stream has its own
 * findings, which become the reader's when all are at their end: in the order of the
 * streams, whoever read them.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "base/error.h"
#include "base/thread.h"
#include "bt2/bt2-graph.h"
#include "bt2/bt2-metadata.h"
#include "bt2/bt2-reader.h"
#include "bt2/bt2-stream.h"

/* Records after which a batch is given, when nothing needs it longer. */
#define BATCH_RECORDS 1024u
/* Messages after which an empty batch is given: a tenth of a second or so. */
#define BATCH_MESSAGES 100000u
/* Graphs of one trace: each has its own copy of what its metadata says. */
#define WORKERS_MAX 64u

/* A graph, and what belongs to its objects. */
typedef struct {
	WpMutex lock; /* of all below, and of the streams that it has */
	WpBt2Graph *graph; /* owned */
	WpBt2Decoder *decoder; /* owned */
} Share;

typedef struct {
	Share *share; /* borrowed */
	bt_message_array_const messages; /* borrowed from the graph; those from next on are owned */
	guint64 next, n_messages;
	gboolean ended;
	gboolean told; /* that it is at its end */
	WpBt2Stream stream;
	WpBt2Context context;
	WpFindings *findings; /* owned */
	guint64 n_bytes; /* of the trace that are this stream's share */
	guint64 n_given; /* of these, told as read */
} Stream;

typedef struct {
	WpReader head;
	guint n_workers;
	gboolean has_progress; /* ports have ranges in time, for the bytes that are told */
	Share *shares; /* owned, n_workers; those beyond the number of streams have no graph */
	Stream *streams; /* owned */
	WpMutex lock; /* of what follows, and of the reader's findings */
	guint n_ended; /* streams */
} Bt2Reader;

static void stream_drop_messages(Stream *stream)
{
	while (stream->next < stream->n_messages)
		bt_message_put_ref(stream->messages[stream->next++]);
	stream->next = stream->n_messages = 0;
}

/* A failure ends the stream and is told as a finding: the other streams are worth reading. */
static G_GNUC_NO_INLINE void stream_pull(Bt2Reader *reader, guint number)
{
	Stream *stream = &reader->streams[number];
	g_autoptr(GError) error = NULL;

	stream->next = stream->n_messages = 0;
	if (!wp_bt2_graph_pull(stream->share->graph, number, &stream->messages, &stream->n_messages,
			       &error))
		wp_findings_add(stream->findings, "stream-failed", WP_SEVERITY_ERROR, NULL,
				stream->stream.has_time ? stream->stream.time : WP_TIME_MIN, 1,
				"Stream %u is not read to its end: %s", number, error->message);
	stream->ended = stream->n_messages == 0;
}

/* FALSE at the end. */
static inline gboolean stream_has_message(Bt2Reader *reader, guint number)
{
	Stream *stream = &reader->streams[number];

	if (stream->next == stream->n_messages && !stream->ended)
		stream_pull(reader, number);
	return stream->next < stream->n_messages;
}

/* The stream's bytes that the time reached so far stands for and were not told yet. */
static guint64 stream_new_bytes(const Bt2Reader *reader, guint number)
{
	const Stream *stream = &reader->streams[number];
	const WpBt2Stream *s = &stream->stream;
	const WpBt2Port *port = wp_bt2_graph_get_port(reader->shares[0].graph, number);
	guint64 n = 0;

	if (stream->ended)
		n = stream->n_bytes;
	else if (s->has_time && port->end > port->begin && s->time > port->begin)
		n = (guint64)((gdouble)stream->n_bytes *
			      MIN(1.0, ((gdouble)s->time - (gdouble)port->begin) /
					       ((gdouble)port->end - (gdouble)port->begin)));
	return n > stream->n_given ? n - stream->n_given : 0;
}

/* The last stream that ends makes the findings of all the reader's. */
static void stream_tell_end(Bt2Reader *reader, Stream *stream)
{
	const guint n_streams = reader->head.info.n_streams;

	if (stream->told)
		return;
	stream->told = TRUE;
	wp_mutex_lock(&reader->lock);
	if (++reader->n_ended == n_streams)
		for (guint i = 0; i < n_streams; i++)
			wp_findings_merge(reader->head.findings, reader->streams[i].findings, NULL);
	wp_mutex_unlock(&reader->lock);
}

/* Takes the messages at hand, but what is not of an event, in front, alone; returns how many. */
static guint64 stream_take_messages(Stream *stream, WpBatch *batch)
{
	bt_message_array_const messages = stream->messages + stream->next;
	guint64 n = wp_bt2_stream_take_events(&stream->stream, &stream->context, messages,
					      stream->n_messages - stream->next, batch);

	if (n == 0) {
		wp_bt2_stream_take(&stream->stream, &stream->context, messages[0], batch);
		bt_message_put_ref(messages[0]);
		n = 1;
	}
	stream->next += n;
	return n;
}

static void stream_fill(Bt2Reader *reader, guint number, WpBatch *batch)
{
	Stream *stream = &reader->streams[number];
	const guint64 n_losses = stream->stream.n_losses;
	guint64 n = 0;

	while (!batch->more && (batch->n < BATCH_RECORDS || stream->stream.loss.open)) {
		if (!stream_has_message(reader, number)) {
			wp_bt2_stream_end(&stream->stream, &stream->context, batch);
			stream_tell_end(reader, stream);
			break;
		}
		n += stream_take_messages(stream, batch);
		batch->more = n >= BATCH_MESSAGES && batch->n == 0;
	}
	if (!stream->stream.went_back && stream->stream.n_losses == n_losses)
		batch->ordered_to = stream->stream.latest;
}

static gboolean bt2_next(WpReader *head, guint number, WpBatch *batch, guint64 *ret_bytes,
			 GError **error)
{
	Bt2Reader *reader = (Bt2Reader *)head;
	Stream *stream = &reader->streams[number];
	guint64 n_bytes;

	wp_mutex_lock(&stream->share->lock);
	stream_fill(reader, number, batch);
	n_bytes = stream_new_bytes(reader, number);
	stream->n_given += n_bytes;
	*ret_bytes += n_bytes;
	wp_mutex_unlock(&stream->share->lock);
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

/*
 * A trace is known from a stream's first message only. That is left for reading. NULL,
 * with an error, when no stream has one; of a trace without streams nothing is known.
 */
static const bt_trace *first_trace(Bt2Reader *reader, GError **error)
{
	for (guint i = 0; i < reader->head.info.n_streams; i++) {
		Stream *stream = &reader->streams[i];

		if (!stream_has_message(reader, i))
			continue;
		return bt_stream_borrow_trace_const(
			bt_message_stream_beginning_borrow_stream_const(stream->messages[0]));
	}
	for (guint i = 0; i < reader->head.info.n_streams; i++) {
		const WpFindings *findings = reader->streams[i].findings;

		if (wp_findings_n(findings) == 0)
			continue;
		g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "%s",
			    wp_findings_get(findings, 0)->text);
		return NULL;
	}
	g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "No stream has a beginning.");
	return NULL;
}

static gboolean share_open(Bt2Reader *reader, guint number, GError **error)
{
	Share *share = &reader->shares[number];
	const gchar *path = reader->head.info.path;

	share->graph = wp_bt2_graph_open(path, number, reader->n_workers,
					 reader->has_progress && number == 0, error);
	if (!share->graph)
		return FALSE;
	share->decoder = wp_bt2_decoder_new(reader->head.layout);
	if (wp_bt2_graph_n_ports(share->graph) == wp_bt2_graph_n_ports(reader->shares[0].graph))
		return TRUE;
	g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
		    "%s changes while it is read; read it again when its tracer has stopped.",
		    path);
	return FALSE;
}

static void stream_start(Bt2Reader *reader, guint number)
{
	const WpTraceInfo *info = &reader->head.info;
	Stream *stream = &reader->streams[number];

	stream->share = &reader->shares[number % reader->n_workers];
	stream->findings = wp_findings_new();
	stream->context = (WpBt2Context){.decoder = stream->share->decoder,
					 .findings = stream->findings,
					 .path = info->path,
					 .host = info->host};
	wp_bt2_stream_init(&stream->stream, number);
	stream->n_bytes = info->n_bytes / info->n_streams;
}

/* Opens the graphs, no more than there are streams, and resets these. */
static gboolean reader_start(Bt2Reader *reader, GError **error)
{
	WpTraceInfo *info = &reader->head.info;

	reader->shares = g_new0(Share, reader->n_workers);
	for (guint i = 0; i < reader->n_workers; i++)
		wp_mutex_init(&reader->shares[i].lock);
	if (!share_open(reader, 0, error))
		return FALSE;
	info->n_streams = wp_bt2_graph_n_ports(reader->shares[0].graph);
	for (guint i = 1; i < MIN(reader->n_workers, info->n_streams); i++)
		if (!share_open(reader, i, error))
			return FALSE;
	reader->n_ended = 0;
	reader->streams = g_new0(Stream, info->n_streams);
	for (guint i = 0; i < info->n_streams; i++)
		stream_start(reader, i);
	return TRUE;
}

static void reader_stop(Bt2Reader *reader)
{
	for (guint i = 0; reader->streams && i < reader->head.info.n_streams; i++) {
		stream_drop_messages(&reader->streams[i]);
		wp_bt2_stream_clear(&reader->streams[i].stream);
		wp_findings_free(reader->streams[i].findings);
	}
	g_clear_pointer(&reader->streams, g_free);
	for (guint i = 0; reader->shares && i < reader->n_workers; i++) {
		wp_bt2_decoder_free(reader->shares[i].decoder);
		wp_bt2_graph_free(reader->shares[i].graph);
		wp_mutex_clear(&reader->shares[i].lock);
	}
	g_clear_pointer(&reader->shares, g_free);
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
	Bt2Reader *reader = (Bt2Reader *)head;

	reader_stop(reader);
	wp_mutex_clear(&reader->lock);
	wp_reader_clear(head);
	g_free(head);
}

static const WpReaderClass bt2_class = {
	.name = "babeltrace",
	.next = bt2_next,
	.rewind = bt2_rewind,
	.free = bt2_free,
	.threads = TRUE,
};

WpReader *wp_bt2_reader_open(const gchar *directory, WpLayout *layout, GError **error)
{
	return wp_bt2_reader_open_parallel(directory, layout, 1, TRUE, error);
}

WpReader *wp_bt2_reader_open_parallel(const gchar *directory, WpLayout *layout, guint n_workers,
				      gboolean has_progress, GError **error)
{
	g_autoptr(WpReader) head = NULL;
	Bt2Reader *reader;
	const bt_trace *trace;

	if (!wp_bt2_metadata_check(directory, error))
		return NULL;
	reader = g_new0(Bt2Reader, 1);
	head = &reader->head;
	reader->has_progress = has_progress;
	reader->n_workers = CLAMP(n_workers, 1, WORKERS_MAX);
	head->n_shares = reader->n_workers;
	wp_mutex_init(&reader->lock);
	wp_reader_init(head, &bt2_class, layout, directory);
	head->info.n_bytes = directory_bytes(directory);
	if (!reader_start(reader, error))
		return NULL;
	if (head->info.n_streams == 0)
		return g_steal_pointer(&head);
	trace = first_trace(reader, error);
	if (!trace || !wp_bt2_info_fill(&head->info, trace, layout, error))
		return NULL;
	for (guint i = 0; i < head->info.n_streams; i++)
		reader->streams[i].context.host = head->info.host;
	return g_steal_pointer(&head);
}
