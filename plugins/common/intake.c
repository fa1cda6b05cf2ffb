/* SPDX-License-Identifier: MIT */
/* intake.c: messages of a pipeline to an analysis. */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "base/recent.h"
#include "bt2/bt2-stream.h"
#include "plugins/common/intake.h"
#include "plugins/common/told.h"

/* Records that may wait for the place of a loss; then it is taken to lie in front. */
#define WAITING_MAX (1u << 20)
/* Times that a queue is emptied before its room for texts is. */
#define DRAINS_MAX 256

typedef struct Queue Queue;
typedef struct Trace Trace;

typedef struct {
	WpBt2Stream stream;
	const bt_stream *in; /* weak: the table's key */
	Trace *trace; /* weak: it owns this */
	Queue *queue; /* borrowed: of its host; NULL before the first record */
	GArray *losses; /* owned: WpToldLoss; NULL: not told, or gone to the queue */
} Stream;

/* A loss that a stream is told to have (told.h). */
typedef struct {
	WpToldLoss loss;
	guint stream; /* number of the intake */
	guint trace; /* of the feed */
	guint32 cpu; /* of the stream */
} Loss;

/* Records of a host. */
struct Queue {
	WpBatch batch;
	guint n_drains; /* since room for texts was emptied */
	GArray *losses; /* owned: Loss, by time and stream */
	guint next_loss; /* of losses: those in front are done with */
	WpTime time; /* of the latest message that has one, WP_TIME_MIN */
	GPtrArray *open; /* owned: Stream * (borrowed) with an open loss */
};

struct Trace {
	guint number; /* of the feed */
	gchar *name, *host; /* owned, for findings; host may be NULL */
	WpBt2Context context;
	bt_listener_id listener;
	const bt_trace *trace; /* weak */
	GHashTable *streams; /* owned: const bt_stream * (weak) -> Stream * (owned) */
	WpIntake *intake; /* weak: it owns this */
};

struct WpIntake {
	WpOptions *options; /* borrowed */
	WpFeed *feed; /* owned */
	WpBt2Decoder *decoder; /* owned */
	GHashTable *traces; /* owned: const bt_trace * (weak) -> Trace * (owned) */
	GPtrArray *queues; /* owned: Queue * (owned) by host, NULL while it has none */
	guint n_streams;
	Stream *recent[WP_RECENT_N]; /* borrowed from the traces' tables, NULL */
	GPtrArray *looked; /* owned: const bt_trace * (reference): that were looked at */
	gboolean look_done;
	gboolean live; /* wp_intake_set_live() was called */
	gboolean aligned; /* lanes are in order by the time since the hosts' first messages */
	GArray *bases; /* owned: WpTime by host: where that time is 0, WP_TIME_MIN not known */
	WpTime reached; /* time of the last message that was pulled, WP_TIME_MIN: none */
};

static void looked_free(gpointer data)
{
	bt_trace_put_ref(data);
}

static void stream_free(gpointer data)
{
	Stream *stream = data;

	if (stream->queue)
		g_ptr_array_remove_fast(stream->queue->open, stream);
	wp_bt2_stream_clear(&stream->stream);
	g_clear_pointer(&stream->losses, g_array_unref);
	g_free(stream);
}

static void trace_free(gpointer data)
{
	Trace *trace = data;

	/* removing fails only when memory is out; the listener itself can't outlive the trace */
	if (trace->trace)
		(void)bt_trace_remove_destruction_listener(trace->trace, trace->listener);
	g_hash_table_destroy(trace->streams);
	g_free(trace->name);
	g_free(trace->host);
	g_free(trace);
}

static void queue_free(gpointer data)
{
	Queue *queue = data;

	if (!queue)
		return;
	wp_batch_clear(&queue->batch);
	g_array_unref(queue->losses);
	g_ptr_array_unref(queue->open);
	g_free(queue);
}

WpIntake *wp_intake_new(WpOptions *options, GError **error)
{
	WpFeed *feed = wp_feed_new(options, error);
	WpIntake *intake;

	if (!feed)
		return NULL;
	intake = g_new0(WpIntake, 1);
	intake->options = options;
	intake->feed = feed;
	intake->decoder = wp_bt2_decoder_new(wp_feed_get_layout(feed));
	intake->traces = g_hash_table_new_full(NULL, NULL, NULL, trace_free);
	intake->looked = g_ptr_array_new_with_free_func(looked_free);
	intake->queues = g_ptr_array_new_with_free_func(queue_free);
	intake->bases = g_array_new(FALSE, FALSE, sizeof(WpTime));
	intake->reached = WP_TIME_MIN;
	return intake;
}

void wp_intake_free(WpIntake *intake)
{
	if (!intake)
		return;
	g_ptr_array_unref(intake->looked);
	g_hash_table_destroy(intake->traces);
	g_ptr_array_unref(intake->queues);
	g_array_unref(intake->bases);
	wp_bt2_decoder_free(intake->decoder);
	wp_feed_free(intake->feed);
	g_free(intake);
}

WpFeed *wp_intake_get_feed(WpIntake *intake)
{
	return intake->feed;
}

/* What waits of a trace that is gone stays in the queue: records do not refer to it. */
static void trace_destroyed(const bt_trace *in, void *data)
{
	Trace *trace = data;

	trace->trace = NULL;
	memset(trace->intake->recent, 0, sizeof(trace->intake->recent));
	g_hash_table_remove(trace->intake->traces, in);
}

static Trace *trace_new(WpIntake *intake, const bt_trace *in, GError **error)
{
	const gchar *name = bt_trace_get_name(in);
	WpTraceInfo info = {0};
	Trace *trace;

	info.path = g_strdup(name ?: "");
	trace = g_new0(Trace, 1);
	trace->intake = intake;
	trace->streams = g_hash_table_new_full(NULL, NULL, NULL, stream_free);
	trace->name = g_strdup(name ?: "A trace without a name");
	if (!wp_bt2_info_fill(&info, in, wp_feed_get_layout(intake->feed), error) ||
	    bt_trace_add_destruction_listener(in, trace_destroyed, trace, &trace->listener) !=
		    BT_TRACE_ADD_LISTENER_STATUS_OK) {
		if (error && !*error)
			g_set_error_literal(error, WP_ERROR, WP_ERROR_FAILED,
					    "Out of memory for a trace.");
		wp_trace_info_clear(&info);
		trace_free(trace);
		return NULL;
	}
	trace->trace = in;
	trace->host = g_strdup(info.host);
	trace->number = wp_feed_add_trace(intake->feed, &info);
	trace->context = (WpBt2Context){
		.decoder = intake->decoder,
		.findings = wp_feed_get_findings(intake->feed, trace->number),
		.path = trace->name,
		.host = trace->host};
	wp_told_get_findings(in, wp_feed_get_findings(intake->feed, trace->number));
	g_hash_table_insert(intake->traces, (gpointer)in, trace);
	return trace;
}

static Trace *get_trace(WpIntake *intake, const bt_trace *in, GError **error)
{
	Trace *trace = g_hash_table_lookup(intake->traces, in);

	return trace ?: trace_new(intake, in, error);
}

static Stream *find_stream(WpIntake *intake, const bt_stream *in, GError **error)
{
	Trace *trace = get_trace(intake, bt_stream_borrow_trace_const(in), error);
	Stream *stream = trace ? g_hash_table_lookup(trace->streams, in) : NULL;

	if (stream || !trace)
		return stream;
	stream = g_new0(Stream, 1);
	wp_bt2_stream_init(&stream->stream, intake->n_streams++);
	stream->in = in;
	stream->trace = trace;
	stream->losses = wp_told_get_losses(in);
	stream->stream.losses_are_known = stream->losses != NULL;
	g_hash_table_insert(trace->streams, (gpointer)in, stream);
	return stream;
}

/* Streams live as long as their trace. */
static Stream *get_stream(WpIntake *intake, const bt_stream *in, GError **error)
{
	Stream **recent = &intake->recent[wp_recent_slot(in)];

	if (!*recent || (*recent)->in != in)
		*recent = find_stream(intake, in, error);
	return *recent;
}

void wp_intake_look(WpIntake *intake, const bt_message *message)
{
	const bt_stream *stream = wp_message_get_stream(message);
	const bt_trace *trace = stream ? bt_stream_borrow_trace_const(stream) : NULL;

	if (!trace || g_ptr_array_find(intake->looked, trace, NULL))
		return;
	bt_trace_get_ref(trace);
	g_ptr_array_add(intake->looked, (gpointer)trace);
}

static const gchar *host_of(const bt_trace *trace)
{
	const bt_value *value = bt_trace_borrow_environment_entry_value_by_name_const(trace,
										      "hostname");

	return value && bt_value_is_string(value) ? bt_value_string_get(value) : "";
}

static gint compare_looked(gconstpointer a, gconstpointer b)
{
	const bt_trace *x = *(const bt_trace *const *)a, *y = *(const bt_trace *const *)b;
	gint by_host = strcmp(host_of(x), host_of(y));

	return by_host ?: g_strcmp0(bt_trace_get_name(x), bt_trace_get_name(y));
}

/* An offset of 0 for each host: times are right as they are. */
static void keep_times(WpIntake *intake)
{
	GPtrArray *offsets = intake->options->offsets;

	if (!intake->looked->len || offsets->len || intake->options->sync_file)
		return;
	for (guint i = 0; i < intake->looked->len; i++)
		if (!wp_told_is_corrected(intake->looked->pdata[i]))
			return;
	for (guint i = 0; i < wp_feed_get_n_hosts(intake->feed); i++)
		g_ptr_array_add(offsets,
				g_strdup_printf("%s=0", wp_feed_get_host_name(intake->feed, i)));
}

gboolean wp_intake_look_done(WpIntake *intake, GError **error)
{
	g_ptr_array_sort(intake->looked, compare_looked);
	for (guint i = 0; i < intake->looked->len; i++)
		if (!get_trace(intake, intake->looked->pdata[i], error))
			return FALSE;
	keep_times(intake);
	g_ptr_array_set_size(intake->looked, 0);
	intake->look_done = TRUE;
	return TRUE;
}

gboolean wp_intake_announce(WpIntake *intake, const bt_message *message, GError **error)
{
	const bt_stream *stream = wp_message_get_stream(message);

	return !stream || get_trace(intake, bt_stream_borrow_trace_const(stream), error);
}

static Queue *get_queue(WpIntake *intake, Stream *stream)
{
	guint host;

	if (stream->queue)
		return stream->queue;
	host = wp_feed_get_host(intake->feed, stream->trace->number);
	if (host >= intake->queues->len)
		g_ptr_array_set_size(intake->queues, (gint)host + 1);
	if (!intake->queues->pdata[host]) {
		Queue *queue = g_new0(Queue, 1);

		wp_batch_init(&queue->batch);
		queue->losses = g_array_new(FALSE, FALSE, sizeof(Loss));
		queue->time = WP_TIME_MIN;
		queue->open = g_ptr_array_new();
		intake->queues->pdata[host] = queue;
	}
	stream->queue = intake->queues->pdata[host];
	return stream->queue;
}

static gint compare_losses(gconstpointer a, gconstpointer b)
{
	const Loss *x = a, *y = b;

	if (x->loss.end != y->loss.end)
		return x->loss.end < y->loss.end ? -1 : 1;
	return x->stream < y->stream ? -1 : x->stream > y->stream;
}

/*
 * The losses of a stream go to the queue with its first packet, which tells its CPU. Those in
 * front of what has come in, where the trace was cut by somebody upstream, are nobody's.
 */
static void queue_losses(Queue *queue, Stream *stream, WpTime time)
{
	g_array_remove_range(queue->losses, 0, queue->next_loss);
	queue->next_loss = 0;
	for (guint i = 0; i < stream->losses->len; i++) {
		Loss loss = {.loss = g_array_index(stream->losses, WpToldLoss, i),
			     .stream = stream->stream.number,
			     .trace = stream->trace->number,
			     .cpu = stream->stream.cpu};

		if (loss.loss.end >= time)
			g_array_append_val(queue->losses, loss);
	}
	g_array_sort(queue->losses, compare_losses);
	g_clear_pointer(&stream->losses, g_array_unref);
}

static void put_loss(Queue *queue, const Loss *loss)
{
	WpEvent *record = wp_batch_push(&queue->batch, WP_EV_LOST);

	record->time = loss->loss.end;
	record->cpu = loss->cpu;
	record->stream = loss->trace;
	record->present = 1u << WP_LOST_BEGIN | 1u << WP_LOST_COUNT | 1u << WP_LOST_PACKETS;
	record->v[WP_LOST_BEGIN].i = loss->loss.begin;
	record->v[WP_LOST_COUNT].u = loss->loss.n_events;
	record->v[WP_LOST_PACKETS].u = loss->loss.n_packets;
}

/*
 * Puts the losses that come before a message at time of a stream: of equal times by stream, as a
 * merge of the files would have it, and of one stream between the packets that they separate.
 */
static void put_losses(Queue *queue, WpTime time, guint stream, gboolean between_packets)
{
	while (queue->next_loss < queue->losses->len) {
		const Loss *loss = &g_array_index(queue->losses, Loss, queue->next_loss);

		if (loss->loss.end > time ||
		    (loss->loss.end == time && loss->stream >= stream + between_packets))
			return;
		put_loss(queue, loss);
		queue->next_loss++;
	}
}

/* The losses that had begun when all was over: a packet that was cut may say that it ended later. */
static void put_last_losses(Queue *queue)
{
	for (; queue->next_loss < queue->losses->len; queue->next_loss++) {
		const Loss *loss = &g_array_index(queue->losses, Loss, queue->next_loss);

		if (loss->loss.begin <= queue->time)
			put_loss(queue, loss);
	}
}

/* Emptying the room for texts costs more than an event does. */
static void reset_queue(Queue *queue)
{
	if (++queue->n_drains % DRAINS_MAX)
		g_byte_array_set_size(queue->batch.records, 0);
	else
		wp_batch_reset(&queue->batch);
}

/* Gives what no open loss holds back. */
static gboolean drain(WpIntake *intake, Queue *queue, GError **error)
{
	WpBatch *batch = &queue->batch;
	gsize end = batch->records->len, at = 0;

	if (!end)
		return TRUE;
	for (guint i = 0; i < queue->open->len; i++)
		end = MIN(end, ((const Stream *)queue->open->pdata[i])->stream.loss.at);
	while (at < end) {
		WpEvent *event = (WpEvent *)(gpointer)(batch->records->data + at);
		guint trace = event->stream;

		at += wp_event_size(event);
		batch->n--;
		if (!wp_feed_event(intake->feed, trace, event, error))
			return FALSE;
	}
	for (guint i = 0; i < queue->open->len; i++)
		((Stream *)queue->open->pdata[i])->stream.loss.at -= at;
	if (!batch->n)
		reset_queue(queue);
	else if (at)
		g_byte_array_remove_range(batch->records, 0, (guint)at);
	return TRUE;
}

/* Where a record was put in, what other streams wait for moves up. */
static void shift_open(Queue *queue, const Stream *mover)
{
	for (guint i = 0; i < queue->open->len; i++) {
		Stream *other = queue->open->pdata[i];

		if (other != mover && other->stream.loss.at >= mover->stream.moved_at)
			other->stream.loss.at += mover->stream.moved_by;
	}
}

/* Takes note of what a call of bt2-stream did to the queue. */
static void settle(Queue *queue, Stream *stream, gboolean was_open)
{
	if (stream->stream.moved_by)
		shift_open(queue, stream);
	if (was_open && !stream->stream.loss.open)
		g_ptr_array_remove_fast(queue->open, stream);
	else if (!was_open && stream->stream.loss.open)
		g_ptr_array_add(queue->open, stream);
}

/* Records name their stream; the feed must be told of which trace they are. */
static void name_traces(const Queue *queue, gsize from, const Stream *stream)
{
	const WpBatch *batch = &queue->batch;

	/* a record that was put in lies before `from` */
	if (stream->stream.moved_by)
		((WpEvent *)(gpointer)(batch->records->data + stream->stream.moved_at))->stream =
			stream->trace->number;
	for (gsize at = from + stream->stream.moved_by; at < batch->records->len;) {
		WpEvent *event = (WpEvent *)(gpointer)(batch->records->data + at);

		event->stream = stream->trace->number;
		at += wp_event_size(event);
	}
}

/* The oldest loss is given up when too much waits for it. */
static void limit_waiting(Queue *queue)
{
	Stream *first;

	if (queue->batch.n <= WAITING_MAX || !queue->open->len)
		return;
	first = queue->open->pdata[0];
	for (guint i = 1; i < queue->open->len; i++) {
		Stream *stream = queue->open->pdata[i];

		if (stream->stream.loss.at < first->stream.loss.at)
			first = stream;
	}
	wp_bt2_stream_give_up(&first->stream, &queue->batch);
	name_traces(queue, queue->batch.records->len, first);
	settle(queue, first, TRUE);
}

/* Losses of the host come in their places; and how far its messages are is kept in mind. */
static void take_losses(Queue *queue, const Stream *stream, const bt_message *message)
{
	WpTime time;

	if (!wp_message_get_time(message, &time))
		return;
	queue->time = MAX(queue->time, time);
	put_losses(queue, time, stream->stream.number,
		   bt_message_get_type(message) != BT_MESSAGE_TYPE_EVENT);
}

gboolean wp_intake_message(WpIntake *intake, const bt_message *message, GError **error)
{
	const bt_stream *in = wp_message_get_stream(message);
	gboolean was_open;
	bt_message_type type = bt_message_get_type(message);
	const Trace *trace;
	Stream *stream;
	Queue *queue;
	gsize from;

	if (!in)
		return TRUE;
	stream = get_stream(intake, in, error);
	if (!stream)
		return FALSE;
	trace = stream->trace;
	if (type == BT_MESSAGE_TYPE_EVENT)
		wp_feed_count(intake->feed, trace->number, 1);
	/* hosts are sorted when the first queue is made: all traces should have begun by then */
	if (type == BT_MESSAGE_TYPE_STREAM_BEGINNING) {
		wp_bt2_stream_take(&stream->stream, &trace->context, message, NULL);
		return TRUE;
	}
	queue = get_queue(intake, stream);
	if (queue->losses->len || stream->losses)
		take_losses(queue, stream, message);
	from = queue->batch.records->len;
	was_open = stream->stream.loss.open;
	if (type == BT_MESSAGE_TYPE_STREAM_END)
		wp_bt2_stream_end(&stream->stream, &trace->context, &queue->batch);
	else
		wp_bt2_stream_take(&stream->stream, &trace->context, message, &queue->batch);
	name_traces(queue, from, stream);
	settle(queue, stream, was_open);
	limit_waiting(queue);
	if (type == BT_MESSAGE_TYPE_PACKET_BEGINNING && stream->losses)
		queue_losses(queue, stream, stream->stream.time);
	return drain(intake, queue, error);
}

gboolean wp_intake_end(WpIntake *intake, GError **error)
{
	for (guint i = 0; i < intake->queues->len; i++) {
		Queue *queue = intake->queues->pdata[i];

		while (queue && queue->open->len) {
			Stream *stream = queue->open->pdata[0];

			wp_bt2_stream_give_up(&stream->stream, &queue->batch);
			name_traces(queue, queue->batch.records->len, stream);
			settle(queue, stream, TRUE);
		}
		if (queue)
			put_last_losses(queue);
		if (queue && !drain(intake, queue, error))
			return FALSE;
	}
	return TRUE;
}

gboolean wp_intake_locate(WpIntake *intake, const bt_message *message, WpPlace *ret_place)
{
	const bt_stream *in = wp_message_get_stream(message);
	const Trace *trace = in ? g_hash_table_lookup(intake->traces,
						      bt_stream_borrow_trace_const(in))
				: NULL;
	Stream *stream = trace ? g_hash_table_lookup(trace->streams, in) : NULL;
	guint32 cpu;
	WpTime time;

	if (!stream)
		return FALSE;
	if (bt_message_get_type(message) == BT_MESSAGE_TYPE_PACKET_BEGINNING)
		stream->stream.cpu = wp_bt2_decoder_packet_cpu(
			intake->decoder, bt_message_packet_beginning_borrow_packet_const(message));
	if (bt_message_get_type(message) != BT_MESSAGE_TYPE_EVENT ||
	    !wp_message_get_time(message, &time))
		return FALSE;
	cpu = stream->stream.cpu;
	if (cpu == WP_NONE)
		cpu = wp_bt2_decoder_event_cpu(intake->decoder,
					       bt_message_event_borrow_event_const(message));
	*ret_place = (WpPlace){.host = wp_feed_get_host(intake->feed, trace->number),
			       .cpu = cpu,
			       .time = wp_feed_get_host_time(intake->feed, trace->number, time)};
	return cpu != WP_NONE;
}

static gboolean on_look(guint lane, const bt_message *message, gpointer data, GError **error)
{
	(void)lane;
	(void)error;
	wp_intake_look(data, message);
	return TRUE;
}

void wp_intake_set_live(WpIntake *intake)
{
	intake->live = TRUE;
}

/* What begins the lanes is looked at first, which tells the hosts. */
static WpLanesStatus look(WpIntake *intake, WpLanes *lanes, GError **error)
{
	WpLanesStatus status = wp_lanes_prime(lanes, on_look, error);

	if (status != WP_LANES_OK)
		return status;
	if (!wp_intake_look_done(intake, error))
		return WP_LANES_ERROR;
	intake->aligned = intake->live && wp_feed_needs_packets(intake->feed);
	return WP_LANES_OK;
}

WpLanesStatus wp_intake_pull(WpIntake *intake, WpLanes *lanes, WpTime *ret_time, GError **error)
{
	const bt_message *message;
	WpLanesStatus status = intake->look_done ? WP_LANES_OK : look(intake, lanes, error);
	WpTime time;
	guint lane;

	if (status != WP_LANES_OK)
		return status;
	status = wp_lanes_next(lanes, &message, &lane, &time, error);
	if (status == WP_LANES_END && !wp_intake_end(intake, error))
		return WP_LANES_ERROR;
	if (status != WP_LANES_OK)
		return status;
	if (!wp_intake_message(intake, message, error))
		status = WP_LANES_ERROR;
	bt_message_put_ref(message);
	intake->reached = time;
	if (ret_time)
		*ret_time = time;
	return status;
}

/* Where the time by which lanes are in order is 0 on a host's clock; a new host begins now. */
static WpTime *get_base(WpIntake *intake, guint host, WpTime now)
{
	const WpTime unknown = WP_TIME_MIN;
	WpTime *base;

	while (intake->bases->len <= host)
		g_array_append_val(intake->bases, unknown);
	base = &g_array_index(intake->bases, WpTime, host);
	if (*base == WP_TIME_MIN)
		*base = now - MAX(intake->reached, 0);
	return base;
}

gboolean wp_intake_on_lane(guint lane, const bt_message **message, WpTime *time, gpointer data,
			   GError **error)
{
	WpIntake *intake = data;
	const bt_stream *stream = wp_message_get_stream(*message);
	const bt_trace *trace;
	guint32 host;
	WpTime own;

	(void)lane;
	if (!intake->aligned || !wp_message_get_time(*message, &own))
		return TRUE;
	if (!wp_intake_announce(intake, *message, error))
		return FALSE;
	trace = stream ? bt_stream_borrow_trace_const(stream)
		       : wp_intake_find_trace_of_clock(
				 intake,
				 bt_clock_snapshot_borrow_clock_class_const(
					 bt_message_message_iterator_inactivity_borrow_clock_snapshot_const(
						 *message)));
	host = wp_intake_find_host(intake, trace);
	*time = host == WP_NONE ? MAX(intake->reached, 0) : own - *get_base(intake, host, own);
	return TRUE;
}

WpTime wp_intake_get_reached(const WpIntake *intake, guint host)
{
	WpTime base;

	if (!intake->aligned || intake->reached == WP_TIME_MIN)
		return intake->reached;
	base = host < intake->bases->len ? g_array_index(intake->bases, WpTime, host) : WP_TIME_MIN;
	return base == WP_TIME_MIN ? WP_TIME_MIN : base + intake->reached;
}

guint32 wp_intake_find_host(WpIntake *intake, const bt_trace *in)
{
	const Trace *trace = g_hash_table_lookup(intake->traces, in);

	return trace ? wp_feed_get_host(intake->feed, trace->number) : WP_NONE;
}

WpTime wp_intake_get_shift(WpIntake *intake, const bt_trace *in)
{
	const Trace *trace = g_hash_table_lookup(intake->traces, in);

	return trace ? wp_feed_get_host_time(intake->feed, trace->number, 0) : 0;
}

static gboolean has_clock(const bt_trace *trace, const bt_clock_class *clock)
{
	const bt_trace_class *klass = bt_trace_borrow_class_const(trace);

	for (guint64 i = 0; i < bt_trace_class_get_stream_class_count(klass); i++)
		if (bt_stream_class_borrow_default_clock_class_const(
			    bt_trace_class_borrow_stream_class_by_index_const(klass, i)) == clock)
			return TRUE;
	return FALSE;
}

const bt_trace *wp_intake_find_trace_of_clock(WpIntake *intake, const bt_clock_class *clock)
{
	GHashTableIter iter;
	gpointer in;

	g_hash_table_iter_init(&iter, intake->traces);
	while (g_hash_table_iter_next(&iter, &in, NULL))
		if (has_clock(in, clock))
			return in;
	return NULL;
}

const bt_trace *wp_intake_get_trace(WpIntake *intake, guint number)
{
	GHashTableIter iter;
	gpointer trace;

	g_hash_table_iter_init(&iter, intake->traces);
	while (g_hash_table_iter_next(&iter, NULL, &trace))
		if (((const Trace *)trace)->number == number)
			return ((const Trace *)trace)->trace;
	return NULL;
}
