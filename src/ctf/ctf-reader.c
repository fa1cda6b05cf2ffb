/* SPDX-License-Identifier: MIT */
/*
 * ctf-reader.c: the reader of CTF traces: metadata to program, directory to index,
 * then packet by packet through the machine.
 *
 * Each stream is a small state machine of its own: open the next packet, decode
 * events, close the packet. Streams share only what never changes, and the list
 * of findings: each stream has its own, which come together at the end.
 *
 * Files stay mapped while the reader lives. Pages are mapped in ahead of the
 * decoder with MADV_POPULATE_READ, which also tells if a file was cut since it was
 * opened (such a packet is given up, without a SIGBUS), and are let go behind it.
 * A file that is cut in the very moment in which its pages are read is what base/bus.h
 * is for.
 */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/thread.h"
#include "ctf/ctf-reader.h"
#include "ctf/index.h"
#include "ctf/metadata.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22 /* Linux 5.14 */
#endif

#define BATCH_BYTES (16u << 10)
#define WINDOW_BYTES (1u << 19)
/* Pages are let go together: each time the other threads are interrupted. */
#define RELEASE_BYTES (1u << 20)
/* What the kernel maps beside a page that is asked for, at most. */
#define AROUND_BYTES ((guint64)1 << 18)
/* The same by default: so far apart pages are asked for. */
#define ASKED_BYTES ((guint64)1 << 16)
/* An empty batch is given after so many bytes without an event that the layout knows. */
#define QUIET_BYTES (16u << 20)
/* A packet's end, in bits, where an event may not fit any more: within these bounds. */
#define TAIL_MIN (128u * 8)
#define TAIL_MAX (512u * 8)

typedef enum { AT_PACKET_BEGIN, IN_PACKET, AT_PACKET_END, AT_END } StreamState;

typedef struct {
	const WpCtfStreamPlan *plan; /* borrowed of the program */
	const WpCtfIndexStream *packets; /* borrowed of the index */
	WpCtfTimescale scale;
	WpCtfMachine machine;
	WpCtfPacketFrame frame;
	WpCtfPacketHead head; /* of the packet at hand */
	StreamState state;
	guint packet; /* index of the packet at hand, or the next */
	guint64 consumed; /* bytes of the packet at hand that were told as read */
	gboolean given_up; /* the packet at hand could not be read to its end */
	/* Of the packet before, for what was lost in between. */
	gboolean has_before, switched_before;
	guint64 number_before, discarded_before, end_before;
	guint64 last_ticks; /* of the latest event, or the packet's begin */
	/* What the packet at hand lost, and where. */
	guint64 discarded, missing; /* events, packets before it */
	guint64 front; /* ticks between the packet before and this one */
	guint64 tail_begin, hole; /* ticks: from where on events may be missing; the longest gap */
	gboolean in_tail;
	/* What of which file is mapped in and not yet let go. */
	guint32 window_file; /* WP_NONE: none */
	guint64 window_begin, window_end; /* bytes */
	WpFindings *findings; /* owned: what is odd in it */
} Stream;

typedef struct {
	WpReader base;
	WpCtfTrace *trace; /* owned */
	WpCtfProgram *program; /* owned */
	WpCtfIndex *index; /* owned */
	Stream *streams; /* owned, base.info.n_streams */
	WpMutex lock; /* of the next */
	guint n_ended; /* streams that are at their end */
} CtfReader;

static void find_odd(const CtfReader *reader, const Stream *stream, const gchar *code,
		     WpSeverity severity, WpTime time, guint64 count, const gchar *text)
{
	wp_findings_add(stream->findings, code, severity, reader->base.info.host, time, count, "%s",
			text);
}

/*
 * The last stream to end brings the findings of all together, in the order of streams: so that
 * they are the same whichever thread read what when.
 */
static void end_stream(CtfReader *reader, Stream *stream)
{
	gboolean is_last;

	stream->state = AT_END;
	wp_mutex_lock(&reader->lock);
	is_last = ++reader->n_ended == reader->base.info.n_streams;
	wp_mutex_unlock(&reader->lock);
	for (guint i = 0; is_last && i < reader->base.info.n_streams; i++) {
		WpFindings *findings = reader->streams[i].findings;

		wp_findings_merge(reader->base.findings, findings, NULL);
		wp_findings_free(findings);
		reader->streams[i].findings = wp_findings_new();
	}
}

/* ---- pages ---- */

static const WpCtfFile *file_of(const CtfReader *reader, guint32 file)
{
	return &g_array_index(reader->index->files, WpCtfFile, file);
}

static void let_go(const CtfReader *reader, Stream *stream, guint64 up_to)
{
	const guint64 page = (guint64)sysconf(_SC_PAGESIZE);
	/* Since it was mapped, the kernel may have mapped pages before it anew that were let go. */
	const guint64 around = MIN(stream->window_begin, AROUND_BYTES);
	const guint64 begin = (stream->window_begin - around + page - 1) & ~(page - 1);
	const guint64 end = up_to & ~(page - 1);

	if (stream->window_file == WP_NONE || end <= stream->window_begin)
		return;
	madvise((guint8 *)file_of(reader, stream->window_file)->data + begin, end - begin,
		MADV_DONTNEED);
	stream->window_begin = end;
}

/* The size of a file now: of the one that was opened, if it is still there by its name. */
static guint64 size_now(const WpCtfFile *file)
{
	struct stat st;

	return stat(file->path, &st) == 0 && S_ISREG(st.st_mode) ? (guint64)st.st_size : file->size;
}

/*
 * Has the pages from begin to end (bytes in the file, the first a multiple of a page's) mapped in.
 * FALSE when the file ends before, or the kernel does not know how. To ask for one page brings those
 * around it, and takes less than to ask for each.
 */
static gboolean populate(const WpCtfFile *file, guint64 begin, guint64 end, guint64 page)
{
	const guint64 last = (end - 1) & ~(page - 1);
	guint8 *data = (guint8 *)file->data;

	for (guint64 at = begin; at < last; at = (at | (ASKED_BYTES - 1)) + 1)
		if (madvise(data + at, page, MADV_POPULATE_READ) != 0)
			return FALSE;
	/* Files are cut at the end, so the last one tells of all. */
	return madvise(data + last, page, MADV_POPULATE_READ) == 0;
}

/*
 * Maps in what is read next of a packet from offset (bytes in the file) on. FALSE when the
 * file has become shorter than that.
 */
static gboolean map_in(const CtfReader *reader, Stream *stream, const WpCtfPacket *packet,
		       guint64 offset)
{
	const WpCtfFile *file = file_of(reader, packet->file);
	const guint64 page = (guint64)sysconf(_SC_PAGESIZE);
	const guint64 begin = offset & ~(page - 1);
	const guint64 end = MIN(offset + WINDOW_BYTES, file->size);

	if (stream->window_file == packet->file && offset >= stream->window_begin &&
	    MIN(offset + WINDOW_BYTES / 4, packet->offset + packet->size) <= stream->window_end)
		return TRUE;
	if (stream->window_file != packet->file || offset < stream->window_begin ||
	    offset > stream->window_end) {
		let_go(reader, stream, stream->window_end);
		stream->window_file = packet->file;
		stream->window_begin = begin;
	} else if (offset - stream->window_begin >= RELEASE_BYTES) {
		let_go(reader, stream, offset);
	}
	stream->window_end = end;
	if (begin < end && populate(file, begin, end, page))
		return TRUE;
	/*
	 * An older kernel does not know how, or the file ends within the window: what can be found
	 * out is the size, for this packet alone.
	 */
	stream->window_end = offset;
	return size_now(file) >= MIN(packet->offset + packet->size, end);
}

/* ---- what was lost ---- */

/*
 * Where a tracer with ring buffers (LTTng in its discard mode) loses events.
 *
 * A packet is a sub-buffer. An event is lost when it does not fit in the rest of its
 * sub-buffer and the next one is not free yet; the counter in a packet's context is
 * taken when the packet is closed. So of the events that a packet's counter adds,
 *
 *  - some may have been lost in *front* of it, between the end of the packet before
 *    and its own begin, if these differ. They are the same tick when the event
 *    that did not fit any more opened the new packet; they differ when the
 *    packet before was filled to its last byte, or closed by a flush;
 *  - some may have been lost in its *tail*: from the first event on behind which the
 *    largest event so far would not have fit, to the packet's end. Smaller
 *    events may still be written there, at times long after the first was lost;
 *  - none in between, where everything fits.
 *
 * Seen in the recorded trace local-lost (57 packets lost 158,681 events): all places
 * at which the task that a sched_switch takes off a CPU is not the one that the
 * switch before put there lie in such fronts and tails; a test keeps it so. Where
 * both front and tail may have lost, how many each did is not known. The front
 * gets the number when it is longer than the whole packet, and the tail then counts
 * only if its own longest gap is much longer than the lost events' mean distance;
 * else the tail gets the number. The other one's record has a count of 0.
 */

static WpEvent *put_lost(Stream *stream, guint8 *out, guint64 begin, guint64 end, guint64 count,
			 guint64 packets)
{
	WpEvent *event = (WpEvent *)(gpointer)out;
	const WpTime from = wp_ctf_timescale_apply(&stream->scale, begin);
	const WpTime to = wp_ctf_timescale_apply(&stream->scale, end);

	memset(event, 0, sizeof(*event));
	event->time = MAX(from, to);
	stream->machine.went_back |= event->time < stream->machine.time;
	stream->machine.time = event->time;
	event->kind = WP_EV_LOST;
	event->n_values = (guint8)wp_event_kind_n_values(WP_EV_LOST);
	event->cpu = stream->frame.cpu;
	event->stream = stream->frame.number;
	event->v[WP_LOST_BEGIN].i = from;
	event->v[WP_LOST_COUNT].u = count;
	event->v[WP_LOST_PACKETS].u = packets;
	event->present = 1u << WP_LOST_BEGIN | 1u << WP_LOST_COUNT | 1u << WP_LOST_PACKETS;
	return event;
}

static const WpCtfPacket *packet_at_hand(const Stream *stream)
{
	return &g_array_index(stream->packets->packets, WpCtfPacket, stream->packet);
}

static gboolean has(const Stream *stream, WpCtfSpecial special)
{
	return (stream->head.has & WP_CTF_HAS(special)) != 0;
}

static guint64 ticks_between(guint64 from, guint64 to)
{
	return to > from ? to - from : 0;
}

/* Bits at the end of a packet within which an event may not have fit. */
static guint64 tail_bits(const Stream *stream)
{
	return CLAMP(stream->machine.largest, TAIL_MIN, TAIL_MAX);
}

/*
 * Packets missing before the one at hand. Where they have no numbers: a packet that
 * ended because an event did not fit is followed by the one that begins with that.
 */
static guint64 missing_packets(const Stream *stream)
{
	if (!stream->has_before)
		return 0;
	if (!has(stream, WP_CTF_SEQUENCE_NUMBER))
		return stream->switched_before &&
		       ticks_between(stream->end_before, stream->head.begin) >
			       wp_ctf_timescale_ticks(&stream->scale, WP_NS_PER_US);
	return stream->head.number > stream->number_before + 1
		       ? stream->head.number - stream->number_before - 1
		       : 0;
}

/* Events that were discarded since the packet before; a counter that went back counts anew. */
static guint64 discarded_events(const Stream *stream)
{
	if (!has(stream, WP_CTF_DISCARDED))
		return 0;
	return stream->has_before ? ticks_between(stream->discarded_before, stream->head.discarded)
				  : stream->head.discarded;
}

/* What is known of losses when the packet at hand begins. */
static void begin_losses(Stream *stream)
{
	const WpCtfPacketHead *head = &stream->head;

	stream->missing = missing_packets(stream);
	stream->discarded = discarded_events(stream);
	stream->front = stream->has_before && has(stream, WP_CTF_BEGIN)
				? ticks_between(stream->end_before, head->begin)
				: 0;
	stream->tail_begin = head->begin;
	stream->hole = 0;
	stream->in_tail = FALSE;
	stream->frame.stop = G_MAXUINT64;
	if (stream->discarded)
		stream->frame.stop = ticks_between(tail_bits(stream), head->packet);
}

/* In the tail of a packet that lost events: one event at a time, to find the longest gap. */
static void note_tail(Stream *stream)
{
	const guint64 ticks = stream->machine.ticks;

	if (!stream->in_tail)
		stream->tail_begin = ticks;
	else
		stream->hole = MAX(stream->hole, ticks_between(stream->last_ticks, ticks));
	stream->in_tail = TRUE;
	stream->frame.stop = stream->machine.pos + 1;
}

/* Whether the front is where most was lost. */
static gboolean lost_in_front(const Stream *stream)
{
	return stream->front > ticks_between(stream->head.begin, stream->head.end);
}

/* Whether the tail lost some, if the front is where most was lost. */
static gboolean lost_in_tail(const Stream *stream, guint64 end)
{
	const guint64 hole = MAX(stream->hole, ticks_between(stream->last_ticks, end));

	return !lost_in_front(stream) || hole > 4 * (stream->front / stream->discarded);
}

/* ---- a packet ---- */

static void tell_damage(CtfReader *reader, const Stream *stream, const gchar *why)
{
	const WpCtfPacket *packet = packet_at_hand(stream);
	g_autofree gchar *text = g_strdup_printf(
		"%s: the packet at byte %" G_GUINT64_FORMAT " is damaged from its byte "
		"%" G_GUINT64_FORMAT " on (%s); its events from there on are missing.",
		file_of(reader, packet->file)->path, packet->offset, stream->machine.pos / 8, why);

	find_odd(reader, stream, "damaged-packet", WP_SEVERITY_ERROR,
		 wp_ctf_timescale_apply(&stream->scale, stream->last_ticks), 1, text);
}

/* Whether a packet's content reaches behind what there is of it. */
static gboolean is_cut(const Stream *stream)
{
	return stream->head.content != G_MAXUINT64 &&
	       stream->head.content > packet_at_hand(stream)->size * 8;
}

static void tell_shorter(CtfReader *reader, const Stream *stream)
{
	const WpCtfPacket *packet = packet_at_hand(stream);
	g_autofree gchar *text = g_strdup_printf(
		"%s has become shorter while it was read; what is left of its packet at byte "
		"%" G_GUINT64_FORMAT " is missing.",
		file_of(reader, packet->file)->path, packet->offset);

	find_odd(reader, stream, "cut-stream", WP_SEVERITY_ERROR, WP_TIME_MIN, 1, text);
}

/* At the first event of the next packet; FALSE when it cannot be read any more. */
static gboolean open_packet(CtfReader *reader, Stream *stream)
{
	const WpCtfPacket *packet = packet_at_hand(stream);
	const WpCtfFile *file = file_of(reader, packet->file);

	stream->consumed = 0;
	if (!map_in(reader, stream, packet, packet->offset)) {
		tell_shorter(reader, stream);
		return FALSE;
	}

	WpCtfHeadStatus status = wp_ctf_packet_read_head(
		&stream->machine, file->data + packet->offset, packet->size, &stream->head);

	/* It was read before: only a file that is being written can say something else now. */
	if ((status != WP_CTF_HEAD_OK && status != WP_CTF_HEAD_UUID) ||
	    stream->head.stream != stream->packets->plan)
		return FALSE;
	stream->machine.end = MIN(stream->head.content, packet->size * 8);
	stream->frame.cpu = stream->head.cpu;
	stream->last_ticks = stream->head.begin;
	wp_ctf_packet_set_bounds(&stream->head, stream->plan, &stream->scale, &stream->frame);
	return TRUE;
}

/* What one step of a stream gave. */
typedef struct {
	gsize size; /* bytes of records */
	guint n; /* records */
	guint64 bytes; /* of the trace that are done with */
	gboolean has_lost; /* a record is of a loss */
} Step;

static void step_is_loss(Step *step, const WpEvent *lost)
{
	step->size = wp_event_size(lost);
	step->n = 1;
	step->has_lost = TRUE;
}

/* Counts what a record says is lost; nothing if count is 0. */
static void tell_lost(CtfReader *reader, const Stream *stream, const WpEvent *lost,
		      const gchar *code, guint64 count, const gchar *what)
{
	g_autofree gchar *text = g_strdup_printf(
		"%s: %s.", file_of(reader, packet_at_hand(stream)->file)->path, what);

	if (count)
		find_odd(reader, stream, code, WP_SEVERITY_WARNING, lost->v[WP_LOST_BEGIN].i, count,
			 text);
}

/* Opens the next packet; a gap in the numbers before it gives a record. */
static void begin_packet(CtfReader *reader, Stream *stream, guint8 *out, Step *step)
{
	if (stream->packet >= stream->packets->packets->len) {
		end_stream(reader, stream);
		let_go(reader, stream, stream->window_end);
		return;
	}
	if (!open_packet(reader, stream)) {
		step->bytes = packet_at_hand(stream)->size;
		stream->packet++;
		return;
	}
	stream->state = IN_PACKET;
	stream->given_up = FALSE;
	begin_losses(stream);
	if (!stream->missing && !(stream->front && stream->discarded))
		return;

	const guint64 discarded = lost_in_front(stream) ? stream->discarded : 0;
	const WpEvent *lost = put_lost(stream, out, stream->end_before, stream->head.begin,
				       discarded, stream->missing);

	tell_lost(reader, stream, lost, "lost-packets", stream->missing,
		  "packets of this stream are missing");
	tell_lost(reader, stream, lost, "lost-events", discarded, "the tracer discarded events");
	step_is_loss(step, lost);
}

/* The events of the packet at hand up to its end or as long as there is room. */
static void read_events(CtfReader *reader, Stream *stream, guint8 *out, gsize room, Step *step)
{
	const WpCtfPacket *packet = packet_at_hand(stream);

	if (!map_in(reader, stream, packet, packet->offset + stream->machine.pos / 8)) {
		tell_shorter(reader, stream);
		stream->given_up = TRUE;
		stream->state = AT_PACKET_END;
		return;
	}

	const guint64 n_before = stream->machine.n_events;
	WpCtfStatus status = wp_ctf_machine_decode(&stream->machine, &stream->frame, out, room,
						   &step->size, &step->n);
	const guint64 done = MIN(stream->machine.pos / 8, packet->size);

	stream->machine.batch->n_seen += stream->machine.n_events - n_before;
	if (status == WP_CTF_OK && stream->machine.pos >= stream->frame.stop)
		note_tail(stream);
	stream->last_ticks = stream->machine.ticks;
	if (status == WP_CTF_FULL ||
	    (status == WP_CTF_OK && stream->machine.pos < stream->machine.end)) {
		step->bytes = done - stream->consumed;
		stream->consumed = done;
		return;
	}
	stream->state = AT_PACKET_END;
	if (status == WP_CTF_OK && !is_cut(stream))
		return;
	stream->given_up = TRUE;
	/* That a file ends within a packet was told when it was indexed. */
	if (!is_cut(stream) || (status != WP_CTF_OK && status != WP_CTF_CUT))
		tell_damage(reader, stream, wp_ctf_status_reason(status));
}

/* Whether a packet ended because the next event did not fit: near its end, but not at it. */
static gboolean was_switched(const Stream *stream)
{
	const WpCtfPacketHead *head = &stream->head;

	return head->content < head->packet && head->packet - head->content < tail_bits(stream) &&
	       head->packet != G_MAXUINT64 && !stream->given_up;
}

/*
 * The end of the packet at hand: what it says, but not behind the begin of the next
 * one (LTTng before 2.2 closes a packet a microsecond after that).
 */
static guint64 packet_end(const Stream *stream)
{
	const GArray *packets = stream->packets->packets;
	guint64 end = has(stream, WP_CTF_END_TIME) ? stream->head.end : stream->last_ticks;

	if (stream->packet + 1 < packets->len && has(stream, WP_CTF_BEGIN))
		end = MIN(end, g_array_index(packets, WpCtfPacket, stream->packet + 1).begin);
	return MAX(end, stream->last_ticks);
}

/* Closes the packet at hand; what was lost before its end gives a record. */
static void end_packet(CtfReader *reader, Stream *stream, guint8 *out, Step *step)
{
	const WpCtfPacketHead *head = &stream->head;
	const guint64 end = packet_end(stream);
	const gboolean given_up = stream->given_up && end > stream->last_ticks;
	const WpEvent *lost = NULL;

	if (stream->discarded && lost_in_tail(stream, end)) {
		const guint64 discarded = lost_in_front(stream) ? 0 : stream->discarded;

		lost = put_lost(stream, out, stream->tail_begin, end, discarded, given_up);
		tell_lost(reader, stream, lost, "lost-events", discarded,
			  "the tracer discarded events");
	} else if (given_up) {
		lost = put_lost(stream, out, stream->last_ticks, end, 0, 1);
	}
	if (lost)
		step_is_loss(step, lost);
	step->bytes = packet_at_hand(stream)->size - stream->consumed;
	stream->has_before = TRUE;
	stream->switched_before = was_switched(stream);
	stream->number_before = head->number;
	stream->discarded_before = head->discarded;
	stream->end_before = end;
	stream->packet++;
	stream->state = AT_PACKET_BEGIN;
}

/* ---- the class ---- */

static gboolean ctf_next(WpReader *base, guint number, WpBatch *batch, guint64 *ret_bytes,
			 G_GNUC_UNUSED GError **error)
{
	CtfReader *reader = (CtfReader *)base;
	Stream *stream = &reader->streams[number];
	guint64 bytes = 0;
	gsize used = 0;
	gboolean has_lost = FALSE;

	wp_batch_reset(batch);
	g_byte_array_set_size(batch->records, BATCH_BYTES);
	stream->machine.batch = batch;
	while (stream->state != AT_END && BATCH_BYTES - used >= WP_CTF_EVENT_ROOM &&
	       (used || bytes < QUIET_BYTES)) {
		guint8 *out = batch->records->data + used;
		Step step = {0};

		switch (stream->state) {
		case AT_PACKET_BEGIN:
			begin_packet(reader, stream, out, &step);
			break;
		case IN_PACKET:
			read_events(reader, stream, out, BATCH_BYTES - used, &step);
			break;
		case AT_PACKET_END:
			end_packet(reader, stream, out, &step);
			break;
		case AT_END:
			break;
		}
		used += step.size;
		batch->n += step.n;
		bytes += step.bytes;
		has_lost |= step.has_lost;
	}
	*ret_bytes += bytes;
	batch->more = stream->state != AT_END;
	batch->ordered_to = stream->machine.went_back || has_lost ? WP_TIME_MIN
								  : stream->machine.time;
	g_byte_array_set_size(batch->records, (guint)used);
	return TRUE;
}

static void rewind_stream(Stream *stream)
{
	stream->state = AT_PACKET_BEGIN;
	stream->packet = 0;
	stream->has_before = FALSE;
	stream->machine.ticks = stream->machine.largest = 0;
	stream->machine.time = WP_TIME_MIN;
	stream->machine.went_back = FALSE;
	stream->window_file = WP_NONE;
	stream->window_begin = stream->window_end = 0;
}

static gboolean ctf_rewind(WpReader *base, G_GNUC_UNUSED GError **error)
{
	CtfReader *reader = (CtfReader *)base;

	reader->n_ended = 0;
	for (guint i = 0; i < base->info.n_streams; i++)
		rewind_stream(&reader->streams[i]);
	return TRUE;
}

static void ctf_free(WpReader *base)
{
	CtfReader *reader = (CtfReader *)base;

	for (guint i = 0; reader->streams && i < reader->index->streams->len; i++)
		wp_findings_free(reader->streams[i].findings);
	g_free(reader->streams);
	wp_ctf_index_free(reader->index);
	wp_ctf_program_free(reader->program);
	wp_ctf_trace_free(reader->trace);
	wp_mutex_clear(&reader->lock);
	wp_reader_clear(base);
	g_free(reader);
}

static const WpReaderClass ctf_class = {
	.name = "direct",
	.next = ctf_next,
	.rewind = ctf_rewind,
	.free = ctf_free,
	.threads = TRUE,
};

/* ---- opening ---- */

static gchar *env(const WpCtfTrace *trace, const gchar *key)
{
	return g_strdup(g_hash_table_lookup(trace->env, key));
}

static gint env_number(const WpCtfTrace *trace, const gchar *key)
{
	const gchar *text = g_hash_table_lookup(trace->env, key);
	guint64 value;

	return text && g_ascii_string_to_unsigned(text, 10, 0, G_MAXINT, &value, NULL) ? (gint)value
										       : -1;
}

static void fill_info(CtfReader *reader)
{
	WpTraceInfo *info = &reader->base.info;
	const WpCtfTrace *trace = reader->trace;
	const WpCtfClock *clock = wp_ctf_trace_find_clock(trace, NULL);
	WpCtfTimescale scale;

	/* perf's export says "host" and "release". */
	info->host = env(trace, "hostname");
	if (!info->host)
		info->host = env(trace, "host");
	info->domain = env(trace, "domain");
	info->tracer = env(trace, "tracer_name");
	info->tracer_major = env_number(trace, "tracer_major");
	info->tracer_minor = env_number(trace, "tracer_minor");
	info->kernel_release = env(trace, "kernel_release");
	if (!info->kernel_release)
		info->kernel_release = env(trace, "release");
	for (guint i = 0; i < reader->program->n_streams && !clock; i++)
		clock = reader->program->streams[i].clock;
	wp_ctf_timescale_init(&scale, clock);
	info->clock_offset = scale.base;
	info->clock_uuid = clock ? g_strdup(clock->uuid) : NULL;
	info->kinds = reader->program->kinds;
	info->n_bytes = reader->index->n_bytes;
	info->n_streams = reader->index->streams->len;
	info->n_cpus = reader->index->n_cpus;
}

static void make_streams(CtfReader *reader)
{
	const WpCtfIndex *index = reader->index;

	reader->streams = g_new0(Stream, index->streams->len);
	for (guint i = 0; i < index->streams->len; i++) {
		Stream *stream = &reader->streams[i];

		stream->packets = g_ptr_array_index(index->streams, i);
		stream->plan = &reader->program->streams[stream->packets->plan];
		wp_ctf_timescale_init(&stream->scale, stream->plan->clock);
		stream->machine.program = reader->program;
		stream->frame.stream = stream->plan;
		stream->frame.scale = &stream->scale;
		stream->frame.number = i;
		stream->findings = wp_findings_new();
		rewind_stream(stream);
	}
}

static gboolean open_metadata(CtfReader *reader, const gchar *directory, GError **error)
{
	g_autofree gchar *path = g_build_filename(directory, "metadata", NULL);
	WpFindings *findings = reader->base.findings;
	gsize length;
	g_autofree gchar *text = wp_ctf_metadata_read(path, findings, &length, error);

	if (!text)
		return FALSE;
	reader->trace = wp_ctf_trace_parse(text, length, path, error);
	if (!reader->trace)
		return FALSE;
	if (reader->trace->cut)
		wp_findings_add(findings, "cut-metadata", WP_SEVERITY_ERROR, NULL, WP_TIME_MIN, 1,
				"%s ends in the middle of a description: the events that would "
				"follow are not known, and what holds them cannot be read.",
				path);
	reader->program = wp_ctf_program_new(reader->trace, reader->base.layout, path, error);
	return reader->program != NULL;
}

gboolean wp_ctf_reader_may_try(const gchar *directory, GError **error)
{
	g_autofree gchar *path = g_build_filename(directory, "metadata", NULL);
	g_autoptr(WpFindings) findings = wp_findings_new();
	g_autoptr(GError) problem = NULL;
	gsize length;
	g_autofree gchar *text = wp_ctf_metadata_read(path, findings, &length, &problem);

	if (text)
		wp_ctf_trace_free(wp_ctf_trace_parse(text, length, path, &problem));
	if (!g_error_matches(problem, WP_ERROR, WP_ERROR_LIMIT))
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&problem));
	return FALSE;
}

WpReader *wp_ctf_reader_open(const gchar *directory, WpLayout *layout, GError **error)
{
	CtfReader *reader = g_new0(CtfReader, 1);

	wp_reader_init(&reader->base, &ctf_class, layout, directory);
	wp_mutex_init(&reader->lock);
	if (open_metadata(reader, directory, error))
		reader->index = wp_ctf_index_new(directory, reader->program, reader->base.findings,
						 error);
	if (!reader->index) {
		ctf_free(&reader->base);
		return NULL;
	}
	fill_info(reader);
	make_streams(reader);
	return &reader->base;
}
