/* SPDX-License-Identifier: MIT */
/*
 * trace-dat.c: source.waitpath.trace-dat: a file of trace-cmd as a source, one port a stream.
 *
 * The iterator is a small machine: each step yields the next message. A file knows no packets;
 * each stretch of records without a loss is given as one, and the first record behind a loss
 * as one of its own, so that the loss lies between the end of one packet and the end of the
 * next, as a CTF writer needs it.
 */
#include "config.h"

#include "base/error.h"
#include "plugins/common/cause.h"
#include "plugins/common/params.h"
#include "plugins/trace-dat/trace-dat-ir.h"
#include "plugins/trace-dat/trace-dat.h"

typedef struct {
	GPtrArray *inputs; /* owned */
	gint64 clock_offset_ns;
	gint64 clock_offset_s;
	gboolean force_epoch;
} Options;

static const WpParam params_table[] = {
	{"inputs", WP_PARAM_STRINGS, TRUE, G_STRUCT_OFFSET(Options, inputs), NULL},
	{"clock-class-offset-ns", WP_PARAM_INTEGER, FALSE,
	 G_STRUCT_OFFSET(Options, clock_offset_ns), NULL},
	{"clock-class-offset-s", WP_PARAM_INTEGER, FALSE, G_STRUCT_OFFSET(Options, clock_offset_s),
	 NULL},
	{"force-clock-class-origin-unix-epoch", WP_PARAM_BOOLEAN, FALSE,
	 G_STRUCT_OFFSET(Options, force_epoch), NULL},
};

typedef struct {
	bt_self_component *self; /* weak */
	WpTraceDat *file; /* reference */
	WpTraceDatIr *ir; /* owned */
} TraceDat;

typedef enum {
	STATE_BEGIN, /* the stream has not begun */
	STATE_BETWEEN, /* between packets; a record waits or the end has come */
	STATE_LOSS, /* as BETWEEN, the loss in front of the record was told */
	STATE_PACKET, /* in a packet */
	STATE_ENDED
} State;

typedef struct {
	TraceDat *source; /* weak */
	bt_self_message_iterator *self; /* weak */
	guint stream;
	WpFindings *findings; /* owned */
	gboolean told; /* the findings were logged */
	WpFtraceCursor *cursor; /* owned */
	WpFtraceRecord record; /* the next one, when has_record */
	gboolean has_record;
	State state;
	bt_packet *packet; /* reference: the current one */
	gboolean single; /* the packet holds the one record behind a loss */
	guint64 n_events; /* in the packet */
	WpTime last_time; /* of the record before */
} Iterator;

static gboolean open_file(TraceDat *source, const Options *options, GError **error)
{
	WpTraceDatClock clock = {.force_epoch = options->force_epoch};
	gint64 seconds;

	if (options->inputs->len != 1) {
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
			    "The parameter 'inputs' must name one file of trace-cmd, not %u.",
			    options->inputs->len);
		return FALSE;
	}
	if (__builtin_mul_overflow(options->clock_offset_s, WP_NS_PER_S, &seconds) ||
	    __builtin_add_overflow(seconds, options->clock_offset_ns, &clock.offset)) {
		g_set_error_literal(error, WP_ERROR, WP_ERROR_USAGE,
				    "The offset of the clock is more than 292 years.");
		return FALSE;
	}
	source->file = wp_trace_dat_open(g_ptr_array_index(options->inputs, 0), error);
	if (!source->file)
		return FALSE;
	wp_log_findings(source->self, wp_trace_dat_get_findings(source->file), 0);
	source->ir = wp_trace_dat_ir_new(source->self, source->file, &clock);
	if (!source->ir)
		g_set_error_literal(error, WP_ERROR, WP_ERROR_FAILED,
				    "Out of memory while making trace classes.");
	return source->ir != NULL;
}

static gboolean add_ports(TraceDat *source, bt_self_component_source *self, GError **error)
{
	for (guint i = 0; i < wp_trace_dat_get_n_streams(source->file); i++) {
		const gchar *name = bt_stream_get_name(wp_trace_dat_ir_get_stream(source->ir, i));

		if (bt_self_component_source_add_output_port(self, name, GUINT_TO_POINTER(i),
							     NULL) !=
		    BT_SELF_COMPONENT_ADD_PORT_STATUS_OK) {
			g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
				    "Can't add the output port '%s'.", name);
			return FALSE;
		}
	}
	return TRUE;
}

static void source_free(TraceDat *source)
{
	wp_trace_dat_ir_free(source->ir);
	wp_trace_dat_unref(source->file);
	g_free(source);
}

bt_component_class_initialize_method_status
wp_trace_dat_init(bt_self_component_source *self, bt_self_component_source_configuration *config,
		  const bt_value *params, void *data)
{
	TraceDat *source = g_new0(TraceDat, 1);
	Options options = {0};
	GError *error = NULL;
	gboolean ok;

	(void)config;
	(void)data;
	source->self = bt_self_component_source_as_self_component(self);
	ok = wp_params_read(params, params_table, G_N_ELEMENTS(params_table), &options, &error) &&
	     open_file(source, &options, &error) && add_ports(source, self, &error);
	wp_params_clear(params_table, G_N_ELEMENTS(params_table), &options);
	if (!ok) {
		wp_cause_from_component(source->self, error);
		source_free(source);
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	bt_self_component_set_data(source->self, source);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void wp_trace_dat_finalize(bt_self_component_source *self)
{
	source_free(bt_self_component_get_data(bt_self_component_source_as_self_component(self)));
}

static bt_component_class_query_method_status
query_support_info(bt_self_component_class_source *self, const bt_value *params,
		   const bt_value **result)
{
	const bt_value *type = NULL, *input = NULL;
	gboolean ours;

	if (bt_value_is_map(params)) {
		type = bt_value_map_borrow_entry_value_const(params, "type");
		input = bt_value_map_borrow_entry_value_const(params, "input");
	}
	if (!type || !bt_value_is_string(type) || !input || !bt_value_is_string(input)) {
		wp_cause_from_class(
			bt_self_component_class_source_as_self_component_class(self),
			g_error_new(WP_ERROR, WP_ERROR_USAGE,
				    "The query needs the parameters 'type' and 'input', strings."));
		return BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_ERROR;
	}
	ours = g_str_equal(bt_value_string_get(type), "file") &&
	       wp_trace_dat_probe(bt_value_string_get(input));
	*result = bt_value_real_create_init(ours ? 0.95 : 0.0);
	return *result ? BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_OK
		       : BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_MEMORY_ERROR;
}

bt_component_class_query_method_status
wp_trace_dat_query(bt_self_component_class_source *self, bt_private_query_executor *executor,
		   const char *object, const bt_value *params, void *data, const bt_value **result)
{
	(void)executor;
	(void)data;
	if (g_str_equal(object, "babeltrace.support-info"))
		return query_support_info(self, params, result);
	return BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_UNKNOWN_OBJECT;
}

static void advance(Iterator *it)
{
	it->has_record = wp_ftrace_cursor_next(it->cursor, &it->record);
}

static void rewind_iterator(Iterator *it)
{
	BT_PACKET_PUT_REF_AND_RESET(it->packet);
	wp_ftrace_cursor_free(it->cursor);
	it->cursor = wp_ftrace_cursor_new(it->source->file, it->stream, it->findings);
	it->state = STATE_BEGIN;
	advance(it);
}

bt_message_iterator_class_initialize_method_status
wp_trace_dat_iterator_init(bt_self_message_iterator *self,
			   bt_self_message_iterator_configuration *config,
			   bt_self_component_port_output *port)
{
	Iterator *it = g_new0(Iterator, 1);

	(void)config;
	it->source = bt_self_component_get_data(bt_self_message_iterator_borrow_component(self));
	it->self = self;
	it->stream = GPOINTER_TO_UINT(bt_self_component_port_get_data(
		bt_self_component_port_output_as_self_component_port(port)));
	it->findings = wp_findings_new();
	rewind_iterator(it);
	bt_self_message_iterator_set_data(self, it);
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void wp_trace_dat_iterator_finalize(bt_self_message_iterator *self)
{
	Iterator *it = bt_self_message_iterator_get_data(self);

	bt_packet_put_ref(it->packet);
	wp_ftrace_cursor_free(it->cursor);
	wp_findings_free(it->findings);
	g_free(it);
}

static guint64 value_at(const Iterator *it, WpTime time)
{
	return wp_trace_dat_ir_clock_value(it->source->ir, time);
}

static bt_message *begin_packet(Iterator *it)
{
	it->packet = wp_trace_dat_ir_create_packet(it->source->ir, it->stream);
	if (!it->packet)
		return NULL;
	it->single = it->state == STATE_LOSS;
	it->state = STATE_PACKET;
	it->n_events = 0;
	it->last_time = it->record.time;
	return bt_message_packet_beginning_create_with_default_clock_snapshot(
		it->self, it->packet, value_at(it, it->record.time));
}

static bt_message *end_packet(Iterator *it)
{
	bt_message *message = bt_message_packet_end_create_with_default_clock_snapshot(
		it->self, it->packet, value_at(it, it->last_time));

	BT_PACKET_PUT_REF_AND_RESET(it->packet);
	it->state = STATE_BETWEEN;
	return message;
}

static bt_message *tell_loss(Iterator *it)
{
	bt_message *message = bt_message_discarded_events_create_with_default_clock_snapshots(
		it->self, wp_trace_dat_ir_get_stream(it->source->ir, it->stream),
		value_at(it, it->record.lost_since), value_at(it, it->record.time));

	if (message && it->record.n_lost != G_MAXUINT64)
		bt_message_discarded_events_set_count(message, it->record.n_lost);
	it->state = STATE_LOSS;
	return message;
}

/* The record's event, or NULL with has_record still set when memory is out. */
static bt_message *tell_event(Iterator *it)
{
	while (it->has_record && (it->n_events == 0 || !it->record.n_lost)) {
		gboolean unknown;
		bt_message *message = wp_trace_dat_ir_create_event(
			it->source->ir, it->self, it->stream, it->packet, &it->record, &unknown);

		if (!message && !unknown)
			return NULL;
		if (unknown)
			wp_findings_add(it->findings, "event-unknown", WP_SEVERITY_WARNING, NULL,
					it->record.time, 1,
					"%s: it has no format for its events of number %u.",
					wp_trace_dat_get_path(it->source->file), it->record.id);
		it->n_events++;
		it->last_time = it->record.time;
		advance(it);
		if (message)
			return message;
		if (it->single)
			break;
	}
	return end_packet(it);
}

/* The next message: the caller's reference. NULL: out of memory. Not after the end. */
static bt_message *step(Iterator *it)
{
	bt_stream *stream = wp_trace_dat_ir_get_stream(it->source->ir, it->stream);

	switch (it->state) {
	case STATE_BEGIN:
		it->state = STATE_BETWEEN;
		return bt_message_stream_beginning_create(it->self, stream);
	case STATE_BETWEEN:
		if (!it->has_record) {
			it->state = STATE_ENDED;
			if (!it->told)
				wp_log_findings(it->source->self, it->findings, 0);
			it->told = TRUE;
			return bt_message_stream_end_create(it->self, stream);
		}
		return it->record.n_lost ? tell_loss(it) : begin_packet(it);
	case STATE_LOSS:
		return begin_packet(it);
	case STATE_PACKET:
		if (!it->has_record || (it->n_events && (it->single || it->record.n_lost)))
			return end_packet(it);
		return tell_event(it);
	case STATE_ENDED:
		break;
	}
	return NULL;
}

bt_message_iterator_class_next_method_status
wp_trace_dat_iterator_next(bt_self_message_iterator *self, bt_message_array_const messages,
			   uint64_t capacity, uint64_t *count)
{
	Iterator *it = bt_self_message_iterator_get_data(self);
	guint64 n = 0;

	if (it->state == STATE_ENDED)
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END;
	while (n < capacity && it->state != STATE_ENDED) {
		messages[n] = step(it);
		if (!messages[n])
			break;
		n++;
	}
	if (n == capacity || it->state == STATE_ENDED) {
		*count = n;
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
	}
	while (n)
		bt_message_put_ref(messages[--n]);
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_MEMORY_ERROR;
}

bt_message_iterator_class_seek_beginning_method_status
wp_trace_dat_iterator_seek_beginning(bt_self_message_iterator *self)
{
	rewind_iterator(bt_self_message_iterator_get_data(self));
	return BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_OK;
}
