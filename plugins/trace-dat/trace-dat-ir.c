/* SPDX-License-Identifier: MIT */
/* trace-dat-ir.c: trace.dat's events as trace IR. */
#include "config.h"

#include <string.h>

#include "plugins/trace-dat/trace-dat-ir.h"

/* An event of the file and what it became. */
typedef struct {
	bt_event_class *klass; /* borrowed from the stream class */
	const WpFtraceEvent *event; /* borrowed from the file */
	GArray *payload; /* owned: const WpFtraceField *, a member each */
	GArray *common; /* owned: const WpFtraceField * (NULL: the event lacks it) */
} EventPlan;

/* A buffer. */
typedef struct {
	const gchar *name; /* borrowed from the file */
	bt_stream_class *klass; /* reference */
	GHashTable *plans; /* owned: id -> EventPlan * (owned) */
} BufferClass;

struct WpTraceDatIr {
	WpTraceDat *file; /* reference */
	bt_trace_class *trace_class; /* reference */
	bt_trace *trace; /* reference */
	GPtrArray *buffers; /* owned: BufferClass * (owned) */
	GPtrArray *streams; /* owned: bt_stream * (reference) */
	GPtrArray *stream_buffers; /* owned: BufferClass * (borrowed), a stream each */
	gint64 base; /* time of the file at which all clocks are 0: no record is earlier */
};

static gboolean is_in_common_context(const WpFtraceField *field)
{
	/* the type is the event's class */
	return !g_str_equal(field->name, "common_type") && field->type == WP_FTRACE_INTEGER;
}

static bt_field_class *integer_class(bt_trace_class *tc, guint bytes, gboolean is_signed,
				     gboolean hexadecimal)
{
	bt_field_class *fc = is_signed ? bt_field_class_integer_signed_create(tc)
				       : bt_field_class_integer_unsigned_create(tc);

	if (!fc)
		return NULL;
	bt_field_class_integer_set_field_value_range(fc, bytes * 8);
	if (hexadecimal)
		bt_field_class_integer_set_preferred_display_base(
			fc, BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_HEXADECIMAL);
	return fc;
}

static bt_field_class *array_class(bt_trace_class *tc, const WpFtraceField *field)
{
	/* arrays of unsigned longs are addresses: callers of a stack */
	bt_field_class *element = integer_class(tc, field->element, field->is_signed,
						field->is_pointer ||
							(field->element == 8 && !field->is_signed));
	bt_field_class *fc;

	if (!element)
		return NULL;
	if (field->place == WP_FTRACE_INLINE && field->size)
		fc = bt_field_class_array_static_create(tc, element, field->size / field->element);
	else
		fc = bt_field_class_array_dynamic_create(tc, element, NULL);
	bt_field_class_put_ref(element);
	return fc;
}

static bt_field_class *field_class(bt_trace_class *tc, const WpFtraceField *field)
{
	switch ((WpFtraceType)field->type) {
	case WP_FTRACE_INTEGER:
		return integer_class(tc, field->size, field->is_signed && !field->is_pointer,
				     field->is_pointer);
	case WP_FTRACE_TEXT:
		return bt_field_class_string_create(tc);
	case WP_FTRACE_ARRAY:
		return array_class(tc, field);
	}
	return NULL;
}

/* Appends a member for the field; two fields of one name can't both be members. */
static gboolean append_member(bt_trace_class *tc, bt_field_class *structure,
			      const WpFtraceField *field)
{
	bt_field_class *fc = field_class(tc, field);
	gboolean ok = fc && bt_field_class_structure_append_member(structure, field->name, fc) ==
				    BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK;

	bt_field_class_put_ref(fc);
	return ok;
}

static bt_clock_class *create_clock(WpTraceDatIr *ir, bt_self_component *component,
				    const gchar *name, const WpTraceDatClock *options)
{
	bt_clock_class *clock = bt_clock_class_create(component);
	gint64 origin, seconds;

	if (!clock)
		return NULL;
	if (__builtin_add_overflow(ir->base, options->offset, &origin))
		origin = options->offset < 0 ? G_MININT64 : G_MAXINT64;
	seconds = origin / WP_NS_PER_S - (origin % WP_NS_PER_S < 0);
	bt_clock_class_set_offset(clock, seconds, (guint64)(origin - seconds * WP_NS_PER_S));
	bt_clock_class_set_origin_is_unix_epoch(clock, wp_trace_dat_is_absolute(ir->file) ||
							       options->force_epoch);
	if ((name && *name &&
	     bt_clock_class_set_name(clock, name) != BT_CLOCK_CLASS_SET_NAME_STATUS_OK) ||
	    bt_clock_class_set_description(clock, "Trace clock of ftrace") !=
		    BT_CLOCK_CLASS_SET_DESCRIPTION_STATUS_OK)
		BT_CLOCK_CLASS_PUT_REF_AND_RESET(clock);
	return clock;
}

static gboolean set_contexts(WpTraceDatIr *ir, bt_stream_class *klass)
{
	bt_trace_class *tc = ir->trace_class;
	bt_field_class *packet = bt_field_class_structure_create(tc);
	bt_field_class *common = bt_field_class_structure_create(tc);
	bt_field_class *cpu = integer_class(tc, 4, FALSE, FALSE);
	const WpFtraceEvent *event = wp_trace_dat_get_any_event(ir->file);
	gboolean ok = packet && common && cpu &&
		      bt_field_class_structure_append_member(packet, "cpu_id", cpu) ==
			      BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK &&
		      bt_stream_class_set_packet_context_field_class(klass, packet) ==
			      BT_STREAM_CLASS_SET_FIELD_CLASS_STATUS_OK;

	for (guint i = 0; ok && event && i < event->n_common; i++) {
		const WpFtraceField *field = &g_array_index(event->fields, WpFtraceField, i);

		if (is_in_common_context(field) &&
		    !bt_field_class_structure_borrow_member_by_name_const(common, field->name))
			ok = append_member(tc, common, field);
	}
	ok = ok && bt_stream_class_set_event_common_context_field_class(klass, common) ==
			   BT_STREAM_CLASS_SET_FIELD_CLASS_STATUS_OK;
	bt_field_class_put_ref(cpu);
	bt_field_class_put_ref(common);
	bt_field_class_put_ref(packet);
	return ok;
}

static void plan_free(gpointer data)
{
	EventPlan *plan = data;

	g_array_unref(plan->payload);
	g_array_unref(plan->common);
	g_free(plan);
}

static void buffer_free(gpointer data)
{
	BufferClass *buffer = data;

	bt_stream_class_put_ref(buffer->klass);
	g_hash_table_destroy(buffer->plans);
	g_free(buffer);
}

static BufferClass *buffer_new(WpTraceDatIr *ir, bt_self_component *component,
			       const WpFtraceStream *stream, const WpTraceDatClock *options)
{
	BufferClass *buffer = g_new0(BufferClass, 1);
	bt_clock_class *clock = create_clock(ir, component, stream->clock, options);
	bt_stream_class *klass = bt_stream_class_create(ir->trace_class);
	gboolean ok;

	buffer->name = stream->buffer;
	buffer->klass = klass;
	buffer->plans = g_hash_table_new_full(NULL, NULL, NULL, plan_free);
	ok = clock && klass &&
	     (!*stream->buffer || bt_stream_class_set_name(klass, stream->buffer) ==
					  BT_STREAM_CLASS_SET_NAME_STATUS_OK) &&
	     bt_stream_class_set_default_clock_class(klass, clock) ==
		     BT_STREAM_CLASS_SET_DEFAULT_CLOCK_CLASS_STATUS_OK;
	if (ok) {
		bt_stream_class_set_assigns_automatic_event_class_id(klass, BT_FALSE);
		bt_stream_class_set_assigns_automatic_stream_id(klass, BT_FALSE);
		bt_stream_class_set_supports_packets(klass, BT_TRUE, BT_TRUE, BT_TRUE);
		bt_stream_class_set_supports_discarded_events(klass, BT_TRUE, BT_TRUE);
		ok = set_contexts(ir, klass);
	}
	bt_clock_class_put_ref(clock);
	if (!ok) {
		buffer_free(buffer);
		return NULL;
	}
	g_ptr_array_add(ir->buffers, buffer);
	return buffer;
}

static BufferClass *find_buffer(WpTraceDatIr *ir, bt_self_component *component,
				const WpFtraceStream *stream, const WpTraceDatClock *options)
{
	for (guint i = 0; i < ir->buffers->len; i++) {
		BufferClass *buffer = g_ptr_array_index(ir->buffers, i);

		if (g_str_equal(buffer->name, stream->buffer))
			return buffer;
	}
	return buffer_new(ir, component, stream, options);
}

static gboolean add_stream(WpTraceDatIr *ir, bt_self_component *component, guint index,
			   const WpTraceDatClock *options)
{
	const WpFtraceStream *info = wp_trace_dat_get_stream(ir->file, index);
	BufferClass *buffer = find_buffer(ir, component, info, options);
	g_autofree gchar *name = g_strdup_printf("%s%scpu%u", info->buffer,
						 *info->buffer ? "/" : "", info->cpu);
	bt_stream *stream;

	if (!buffer)
		return FALSE;
	stream = bt_stream_create_with_id(buffer->klass, ir->trace, index);
	if (!stream)
		return FALSE;
	g_ptr_array_add(ir->streams, stream);
	g_ptr_array_add(ir->stream_buffers, buffer);
	return bt_stream_set_name(stream, name) == BT_STREAM_SET_NAME_STATUS_OK;
}

static gboolean set_text(bt_trace *trace, const gchar *name, const gchar *value)
{
	return !value || bt_trace_set_environment_entry_string(trace, name, value) ==
				 BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK;
}

/* Under the names that LTTng uses, so that whoever knows one knows the other. */
static gboolean set_environment(WpTraceDatIr *ir)
{
	static const gchar *const parts[] = {"tracer_major", "tracer_minor", "tracer_patchlevel"};
	const gchar *version = wp_trace_dat_get_tracer_version(ir->file);
	g_auto(GStrv) numbers = g_strsplit_set(version ?: "", ". ", 4);
	gboolean ok = set_text(ir->trace, "hostname", wp_trace_dat_get_host(ir->file)) &&
		      set_text(ir->trace, "domain", "kernel") &&
		      set_text(ir->trace, "sysname", "Linux") &&
		      set_text(ir->trace, "kernel_release",
			       wp_trace_dat_get_kernel_release(ir->file)) &&
		      set_text(ir->trace, "tracer_name", "trace-cmd");

	for (guint i = 0; ok && i < G_N_ELEMENTS(parts) && numbers[i]; i++) {
		if (!g_ascii_isdigit(*numbers[i]))
			break;
		ok = bt_trace_set_environment_entry_integer(
			     ir->trace, parts[i], g_ascii_strtoll(numbers[i], NULL, 10)) ==
		     BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK;
	}
	return ok;
}

static gboolean fill(WpTraceDatIr *ir, bt_self_component *component, const WpTraceDatClock *options)
{
	g_autofree gchar *name = g_path_get_basename(wp_trace_dat_get_path(ir->file));

	ir->trace_class = bt_trace_class_create(component);
	ir->trace = ir->trace_class ? bt_trace_create(ir->trace_class) : NULL;
	if (!ir->trace || bt_trace_set_name(ir->trace, name) != BT_TRACE_SET_NAME_STATUS_OK ||
	    !set_environment(ir))
		return FALSE;
	for (guint i = 0; i < wp_trace_dat_get_n_streams(ir->file); i++)
		if (!add_stream(ir, component, i, options))
			return FALSE;
	return TRUE;
}

WpTraceDatIr *wp_trace_dat_ir_new(bt_self_component *component, WpTraceDat *file,
				  const WpTraceDatClock *clock)
{
	WpTraceDatIr *ir = g_new0(WpTraceDatIr, 1);

	ir->file = wp_trace_dat_ref(file);
	ir->base = wp_trace_dat_get_clock_offset(file);
	ir->buffers = g_ptr_array_new_with_free_func(buffer_free);
	ir->streams = g_ptr_array_new_with_free_func((GDestroyNotify)bt_stream_put_ref);
	ir->stream_buffers = g_ptr_array_new();
	if (!fill(ir, component, clock)) {
		wp_trace_dat_ir_free(ir);
		return NULL;
	}
	return ir;
}

void wp_trace_dat_ir_free(WpTraceDatIr *ir)
{
	if (!ir)
		return;
	g_ptr_array_unref(ir->stream_buffers);
	g_ptr_array_unref(ir->streams);
	g_ptr_array_unref(ir->buffers);
	bt_trace_put_ref(ir->trace);
	bt_trace_class_put_ref(ir->trace_class);
	wp_trace_dat_unref(ir->file);
	g_free(ir);
}

bt_stream *wp_trace_dat_ir_get_stream(WpTraceDatIr *ir, guint stream)
{
	return g_ptr_array_index(ir->streams, stream);
}

guint64 wp_trace_dat_ir_clock_value(const WpTraceDatIr *ir, WpTime time)
{
	return time > ir->base ? (guint64)time - (guint64)ir->base : 0;
}

bt_packet *wp_trace_dat_ir_create_packet(WpTraceDatIr *ir, guint stream)
{
	bt_packet *packet = bt_packet_create(g_ptr_array_index(ir->streams, stream));

	if (packet)
		bt_field_integer_unsigned_set_value(
			bt_field_structure_borrow_member_field_by_index(
				bt_packet_borrow_context_field(packet), 0),
			wp_trace_dat_get_stream(ir->file, stream)->cpu);
	return packet;
}

static gboolean plan_payload(WpTraceDatIr *ir, EventPlan *plan, bt_field_class *payload)
{
	const WpFtraceEvent *event = plan->event;

	for (guint i = event->n_common; i < event->fields->len; i++) {
		const WpFtraceField *field = &g_array_index(event->fields, WpFtraceField, i);

		if (bt_field_class_structure_borrow_member_by_name_const(payload, field->name))
			continue;
		if (!append_member(ir->trace_class, payload, field))
			return FALSE;
		g_array_append_val(plan->payload, field);
	}
	return TRUE;
}

/* Which field of this event fills each member of the common context. */
static void plan_common(const BufferClass *buffer, EventPlan *plan)
{
	const bt_field_class *common =
		bt_stream_class_borrow_event_common_context_field_class_const(buffer->klass);
	guint64 n = bt_field_class_structure_get_member_count(common);

	for (guint64 i = 0; i < n; i++) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(common, i);
		const WpFtraceField *field = wp_ftrace_event_find_field(
			plan->event, bt_field_class_structure_member_get_name(member));

		if (field && field->type != WP_FTRACE_INTEGER)
			field = NULL;
		g_array_append_val(plan->common, field);
	}
}

static EventPlan *plan_new(WpTraceDatIr *ir, BufferClass *buffer, const WpFtraceEvent *event)
{
	EventPlan *plan = g_new0(EventPlan, 1);
	bt_field_class *payload = bt_field_class_structure_create(ir->trace_class);
	gboolean ok;

	plan->event = event;
	plan->payload = g_array_new(FALSE, FALSE, sizeof(const WpFtraceField *));
	plan->common = g_array_new(FALSE, FALSE, sizeof(const WpFtraceField *));
	plan->klass = bt_event_class_create_with_id(buffer->klass, event->id);
	/* the stream class owns it from now on */
	bt_event_class_put_ref(plan->klass);
	ok = plan->klass && payload &&
	     bt_event_class_set_name(plan->klass, event->name) ==
		     BT_EVENT_CLASS_SET_NAME_STATUS_OK &&
	     plan_payload(ir, plan, payload) &&
	     bt_event_class_set_payload_field_class(plan->klass, payload) ==
		     BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK;
	bt_field_class_put_ref(payload);
	if (!ok) {
		plan_free(plan);
		return NULL;
	}
	plan_common(buffer, plan);
	g_hash_table_insert(buffer->plans, GUINT_TO_POINTER(event->id), plan);
	return plan;
}

static void set_integer(bt_field *out, guint64 value)
{
	if (bt_field_class_type_is(bt_field_get_class_type(out),
				   BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
		bt_field_integer_signed_set_value(out, (gint64)value);
	else
		bt_field_integer_unsigned_set_value(out, value);
}

static gboolean set_string(bt_field *out, const guint8 *bytes, gsize size)
{
	const guint8 *nul = bytes ? memchr(bytes, 0, size) : NULL;
	gsize length = !bytes ? 0 : nul ? (gsize)(nul - bytes) : size;

	/* clearing alone leaves the text of an event before, for whoever asks no length */
	if (bt_field_string_set_value(out, "") != BT_FIELD_STRING_SET_VALUE_STATUS_OK)
		return FALSE;
	return !length || bt_field_string_append_with_length(out, (const char *)bytes, length) ==
				  BT_FIELD_STRING_APPEND_STATUS_OK;
}

static gboolean set_array(const WpTraceDat *file, bt_field *out, const WpFtraceField *field,
			  const guint8 *bytes, gsize size)
{
	guint64 n = bytes ? size / field->element : 0, n_out;

	if (bt_field_get_class_type(out) == BT_FIELD_CLASS_TYPE_STATIC_ARRAY) {
		n_out = bt_field_array_get_length(out);
	} else {
		n_out = n;
		if (bt_field_array_dynamic_set_length(out, n) !=
		    BT_FIELD_DYNAMIC_ARRAY_SET_LENGTH_STATUS_OK)
			return FALSE;
	}
	for (guint64 i = 0; i < n_out; i++)
		set_integer(
			bt_field_array_borrow_element_field_by_index(out, i),
			i < n ? (guint64)wp_trace_dat_read_integer(file, bytes + i * field->element,
								   field->element, field->is_signed)
			      : 0);
	return TRUE;
}

/* What the record is too short for becomes 0 or empty. */
static gboolean set_field(const WpTraceDat *file, bt_field *out, const WpFtraceField *field,
			  const WpFtraceRecord *record)
{
	const guint8 *bytes;
	gsize size = 0;

	if (field->type == WP_FTRACE_INTEGER) {
		guint64 value = (guint64)wp_ftrace_field_get_integer(file, field, record);

		/* a pointer that is declared signed is one that is not */
		if (field->is_pointer && field->size < 8)
			value &= (G_GUINT64_CONSTANT(1) << field->size * 8) - 1;
		set_integer(out, value);
		return TRUE;
	}
	bytes = wp_ftrace_field_get_bytes(file, field, record, &size);
	if (field->type == WP_FTRACE_TEXT)
		return set_string(out, bytes, size);
	return set_array(file, out, field, bytes, size);
}

static gboolean set_fields(const WpTraceDat *file, const EventPlan *plan, bt_event *event,
			   const WpFtraceRecord *record)
{
	bt_field *common = bt_event_borrow_common_context_field(event);
	bt_field *payload = bt_event_borrow_payload_field(event);

	for (guint i = 0; i < plan->common->len; i++) {
		const WpFtraceField *field = g_array_index(plan->common, const WpFtraceField *, i);
		bt_field *out = bt_field_structure_borrow_member_field_by_index(common, i);

		if (field)
			(void)set_field(file, out, field, record);
		else
			set_integer(out, 0);
	}
	for (guint i = 0; i < plan->payload->len; i++)
		if (!set_field(file, bt_field_structure_borrow_member_field_by_index(payload, i),
			       g_array_index(plan->payload, const WpFtraceField *, i), record))
			return FALSE;
	return TRUE;
}

bt_message *wp_trace_dat_ir_create_event(WpTraceDatIr *ir, bt_self_message_iterator *iterator,
					 guint stream, bt_packet *packet,
					 const WpFtraceRecord *record, gboolean *ret_unknown)
{
	BufferClass *buffer = g_ptr_array_index(ir->stream_buffers, stream);
	EventPlan *plan = g_hash_table_lookup(buffer->plans, GUINT_TO_POINTER(record->id));
	bt_message *message;

	*ret_unknown = FALSE;
	if (!plan) {
		const WpFtraceEvent *event = wp_trace_dat_find_event(ir->file, record->id);

		if (!event) {
			*ret_unknown = TRUE;
			return NULL;
		}
		plan = plan_new(ir, buffer, event);
		if (!plan)
			return NULL;
	}
	message = bt_message_event_create_with_packet_and_default_clock_snapshot(
		iterator, plan->klass, packet, wp_trace_dat_ir_clock_value(ir, record->time));
	if (message && !set_fields(ir->file, plan, bt_message_event_borrow_event(message), record))
		BT_MESSAGE_PUT_REF_AND_RESET(message);
	return message;
}
