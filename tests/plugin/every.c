/* SPDX-License-Identifier: MIT */
/*
 * every.c: source.waitpath-test.every: one of everything that the trace IR knows: each
 * field class, linked to a length or selector or not; each kind of message with and without
 * times and counts; two traces of one class; attributes wherever they can be.
 *
 * All messages are made at once and handed out two at a time; the iterator can be sent
 * back to its beginning.
 */
#include "config.h"

#include "tests/plugin/test-plugin.h"

#define N_MESSAGES_MAX 64

typedef struct {
	bt_self_component *self; /* weak */
	bt_trace_class *tc; /* reference */
	bt_clock_class *cycles; /* reference: 3 GHz, since the epoch */
	bt_clock_class *ticks; /* reference: 100 Hz, with an origin of its own */
	bt_stream_class *full, *bare, *untimed; /* references */
	bt_event_class *everything, *linked, *plain, *lone; /* references */
	bt_trace *traces[2]; /* references */
	bt_stream *streams[4]; /* references */
} Every;

typedef struct {
	bt_message *messages[N_MESSAGES_MAX]; /* references */
	guint n, next;
} EveryIterator;

/* {"of": WHAT, "n": {"deep": 7}}; the caller's reference */
static bt_value *attributes(const char *what)
{
	bt_value *map = bt_value_map_create(), *inner = NULL;

	bt_value_map_insert_string_entry(map, "of", what);
	bt_value_map_insert_empty_map_entry(map, "n", &inner);
	bt_value_map_insert_signed_integer_entry(inner, "deep", 7);
	return map;
}

#define SET_ATTRIBUTES(function, object, what)                                                     \
	do {                                                                                       \
		bt_value *value_ = attributes(what);                                               \
		function((object), value_);                                                        \
		bt_value_put_ref(value_);                                                          \
	} while (0)

static bt_integer_range_set_unsigned *unsigned_ranges(guint64 a, guint64 b, guint64 c, guint64 d)
{
	bt_integer_range_set_unsigned *set = bt_integer_range_set_unsigned_create();

	bt_integer_range_set_unsigned_add_range(set, a, b);
	bt_integer_range_set_unsigned_add_range(set, c, d);
	return set;
}

static bt_integer_range_set_signed *signed_ranges(gint64 a, gint64 b, gint64 c, gint64 d)
{
	bt_integer_range_set_signed *set = bt_integer_range_set_signed_create();

	bt_integer_range_set_signed_add_range(set, a, b);
	bt_integer_range_set_signed_add_range(set, c, d);
	return set;
}

/* Appends a member and gives its class up; it is borrowed from the structure from then on. */
static bt_field_class *member(bt_field_class *structure, const char *name, bt_field_class *fc)
{
	bt_field_class_structure_append_member(structure, name, fc);
	bt_field_class_put_ref(fc);
	return fc;
}

static bt_field_class *small_integer(bt_trace_class *tc, guint bits)
{
	bt_field_class *fc = bt_field_class_integer_unsigned_create(tc);

	bt_field_class_integer_set_field_value_range(fc, bits);
	return fc;
}

static bt_field_class *hexadecimal(bt_trace_class *tc)
{
	bt_field_class *fc = bt_field_class_integer_signed_create(tc);

	bt_field_class_integer_set_preferred_display_base(
		fc, BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_HEXADECIMAL);
	SET_ATTRIBUTES(bt_field_class_set_user_attributes, fc, "field class");
	return fc;
}

static bt_field_class *unsigned_enumeration(bt_trace_class *tc)
{
	bt_field_class *fc = bt_field_class_enumeration_unsigned_create(tc);
	bt_integer_range_set_unsigned *low = unsigned_ranges(0, 3, 9, 9);
	bt_integer_range_set_unsigned *high = unsigned_ranges(3, 5, 1000, G_MAXUINT64);

	bt_field_class_enumeration_unsigned_add_mapping(fc, "low", low);
	bt_field_class_enumeration_unsigned_add_mapping(fc, "high", high);
	bt_integer_range_set_unsigned_put_ref(low);
	bt_integer_range_set_unsigned_put_ref(high);
	return fc;
}

static bt_field_class *signed_enumeration(bt_trace_class *tc)
{
	bt_field_class *fc = bt_field_class_enumeration_signed_create(tc);
	bt_integer_range_set_signed *cold = signed_ranges(-50, -1, 1, 1);

	bt_field_class_enumeration_signed_add_mapping(fc, "cold", cold);
	bt_integer_range_set_signed_put_ref(cold);
	return fc;
}

static bt_field_class *static_array(bt_trace_class *tc, bt_field_class *element, guint64 length)
{
	bt_field_class *fc = bt_field_class_array_static_create(tc, element, length);

	bt_field_class_put_ref(element);
	return fc;
}

static bt_field_class *dynamic_array(bt_trace_class *tc, bt_field_class *element,
				     bt_field_class *length)
{
	bt_field_class *fc = bt_field_class_array_dynamic_create(tc, element, length);

	bt_field_class_put_ref(element);
	return fc;
}

/* Every class that is linked to no other. */
static bt_field_class *everything_payload(bt_trace_class *tc)
{
	bt_field_class *payload = bt_field_class_structure_create(tc), *fc, *inner;

	SET_ATTRIBUTES(bt_field_class_set_user_attributes, payload, "payload");
	member(payload, "bool", bt_field_class_bool_create(tc));
	member(payload, "bits", bt_field_class_bit_array_create(tc, 13));
	member(payload, "small", small_integer(tc, 5));
	member(payload, "hex", hexadecimal(tc));
	member(payload, "uenum", unsigned_enumeration(tc));
	member(payload, "senum", signed_enumeration(tc));
	member(payload, "float", bt_field_class_real_single_precision_create(tc));
	member(payload, "double", bt_field_class_real_double_precision_create(tc));
	member(payload, "text", bt_field_class_string_create(tc));
	member(payload, "three", static_array(tc, bt_field_class_string_create(tc), 3));
	member(payload, "any", dynamic_array(tc, small_integer(tc, 8), NULL));
	inner = bt_field_class_structure_create(tc);
	member(inner, "deep", static_array(tc, dynamic_array(tc, small_integer(tc, 64), NULL), 2));
	member(payload, "inner", inner);
	fc = bt_field_class_string_create(tc);
	member(payload, "maybe", bt_field_class_option_without_selector_create(tc, fc));
	bt_field_class_put_ref(fc);
	fc = bt_field_class_variant_create(tc, NULL);
	inner = small_integer(tc, 16);
	bt_field_class_variant_without_selector_append_option(fc, "number", inner);
	bt_field_class_put_ref(inner);
	inner = bt_field_class_string_create(tc);
	bt_field_class_variant_without_selector_append_option(fc, "words", inner);
	bt_field_class_put_ref(inner);
	SET_ATTRIBUTES(bt_field_class_variant_option_set_user_attributes,
		       bt_field_class_variant_borrow_option_by_index(fc, 1), "choice");
	member(payload, "either", fc);
	SET_ATTRIBUTES(bt_field_class_structure_member_set_user_attributes,
		       bt_field_class_structure_borrow_member_by_index(payload, 0), "member");
	return payload;
}

static bt_field_class *unsigned_variant(bt_trace_class *tc, bt_field_class *selector)
{
	bt_field_class *variant = bt_field_class_variant_create(tc, selector), *fc;
	bt_integer_range_set_unsigned *low = unsigned_ranges(0, 3, 9, 9);
	bt_integer_range_set_unsigned *high = unsigned_ranges(4, 5, 1000, 2000);

	fc = small_integer(tc, 32);
	bt_field_class_variant_with_selector_field_integer_unsigned_append_option(variant, "low",
										  fc, low);
	bt_field_class_put_ref(fc);
	fc = bt_field_class_string_create(tc);
	bt_field_class_variant_with_selector_field_integer_unsigned_append_option(variant, "high",
										  fc, high);
	bt_field_class_put_ref(fc);
	SET_ATTRIBUTES(bt_field_class_variant_option_set_user_attributes,
		       bt_field_class_variant_borrow_option_by_index(variant, 0), "low");
	bt_integer_range_set_unsigned_put_ref(low);
	bt_integer_range_set_unsigned_put_ref(high);
	return variant;
}

static bt_field_class *signed_variant(bt_trace_class *tc, bt_field_class *selector)
{
	bt_field_class *variant = bt_field_class_variant_create(tc, selector), *fc;
	bt_integer_range_set_signed *cold = signed_ranges(-50, -1, 1, 1);

	fc = bt_field_class_real_double_precision_create(tc);
	bt_field_class_variant_with_selector_field_integer_signed_append_option(variant, "cold", fc,
										cold);
	bt_field_class_put_ref(fc);
	bt_integer_range_set_signed_put_ref(cold);
	return variant;
}

static void add_linked_options(bt_trace_class *tc, bt_field_class *payload, bt_field_class *flag,
			       bt_field_class *number, bt_field_class *balance)
{
	bt_integer_range_set_unsigned *low = unsigned_ranges(0, 3, 9, 9);
	bt_integer_range_set_signed *cold = signed_ranges(-50, -1, 1, 1);
	bt_field_class *fc = bt_field_class_string_create(tc), *option;

	member(payload, "if-flag",
	       bt_field_class_option_with_selector_field_bool_create(tc, fc, flag));
	bt_field_class_put_ref(fc);
	fc = bt_field_class_string_create(tc);
	option = bt_field_class_option_with_selector_field_bool_create(tc, fc, flag);
	bt_field_class_option_with_selector_field_bool_set_selector_is_reversed(option, BT_TRUE);
	member(payload, "unless-flag", option);
	bt_field_class_put_ref(fc);
	fc = bt_field_class_string_create(tc);
	member(payload, "if-low",
	       bt_field_class_option_with_selector_field_integer_unsigned_create(tc, fc, number,
										 low));
	bt_field_class_put_ref(fc);
	fc = bt_field_class_string_create(tc);
	member(payload, "if-cold",
	       bt_field_class_option_with_selector_field_integer_signed_create(tc, fc, balance,
									       cold));
	bt_field_class_put_ref(fc);
	bt_integer_range_set_unsigned_put_ref(low);
	bt_integer_range_set_signed_put_ref(cold);
}

/* Every class that is linked to another: in the same scope, in another, in an array's element. */
static bt_field_class *linked_payload(bt_trace_class *tc, bt_field_class *context_length)
{
	bt_field_class *payload = bt_field_class_structure_create(tc), *element, *length;
	bt_field_class *flag = member(payload, "flag", bt_field_class_bool_create(tc));
	bt_field_class *number = member(payload, "number", unsigned_enumeration(tc));
	bt_field_class *balance = member(payload, "balance", signed_enumeration(tc));

	member(payload, "as-many", dynamic_array(tc, small_integer(tc, 8), number));
	member(payload, "context-many",
	       dynamic_array(tc, bt_field_class_string_create(tc), context_length));
	element = bt_field_class_structure_create(tc);
	length = member(element, "own", small_integer(tc, 8));
	member(element, "own-many", dynamic_array(tc, small_integer(tc, 16), length));
	member(payload, "rows", static_array(tc, element, 2));
	add_linked_options(tc, payload, flag, number, balance);
	member(payload, "by-number", unsigned_variant(tc, number));
	member(payload, "by-balance", signed_variant(tc, balance));
	return payload;
}

static void make_clocks(Every *every)
{
	static const guint8 uuid[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

	every->cycles = bt_clock_class_create(every->self);
	bt_clock_class_set_name(every->cycles, "cycles");
	bt_clock_class_set_description(every->cycles, "a fast clock");
	bt_clock_class_set_frequency(every->cycles, G_GUINT64_CONSTANT(3000000000));
	bt_clock_class_set_offset(every->cycles, 1500000000, 1500000001);
	bt_clock_class_set_precision(every->cycles, 6);
	bt_clock_class_set_uuid(every->cycles, uuid);
	SET_ATTRIBUTES(bt_clock_class_set_user_attributes, every->cycles, "clock class");
	every->ticks = bt_clock_class_create(every->self);
	bt_clock_class_set_frequency(every->ticks, 100);
	bt_clock_class_set_origin_is_unix_epoch(every->ticks, BT_FALSE);
	bt_clock_class_set_offset(every->ticks, -5, 50);
}

/* Packets with times and a context, discarded events and packets with times. */
static void make_full_class(Every *every)
{
	bt_trace_class *tc = every->tc;
	bt_field_class *context = bt_field_class_structure_create(tc);
	bt_field_class *common = bt_field_class_structure_create(tc);
	bt_field_class *specific = bt_field_class_structure_create(tc);
	bt_field_class *payload, *length;
	bt_stream_class *sc = bt_stream_class_create_with_id(tc, 17);

	bt_stream_class_set_name(sc, "full");
	bt_stream_class_set_assigns_automatic_event_class_id(sc, BT_FALSE);
	bt_stream_class_set_assigns_automatic_stream_id(sc, BT_FALSE);
	bt_stream_class_set_default_clock_class(sc, every->cycles);
	bt_stream_class_set_supports_packets(sc, BT_TRUE, BT_TRUE, BT_TRUE);
	bt_stream_class_set_supports_discarded_events(sc, BT_TRUE, BT_TRUE);
	bt_stream_class_set_supports_discarded_packets(sc, BT_TRUE, BT_TRUE);
	SET_ATTRIBUTES(bt_stream_class_set_user_attributes, sc, "stream class");
	member(context, "cpu_id", small_integer(tc, 32));
	length = member(context, "n", small_integer(tc, 8));
	bt_stream_class_set_packet_context_field_class(sc, context);
	member(common, "pid", hexadecimal(tc));
	bt_stream_class_set_event_common_context_field_class(sc, common);

	every->everything = bt_event_class_create_with_id(sc, 3);
	bt_event_class_set_name(every->everything, "everything");
	bt_event_class_set_log_level(every->everything, BT_EVENT_CLASS_LOG_LEVEL_DEBUG_UNIT);
	bt_event_class_set_emf_uri(every->everything, "https://example.org/everything");
	SET_ATTRIBUTES(bt_event_class_set_user_attributes, every->everything, "event class");
	payload = everything_payload(tc);
	bt_event_class_set_payload_field_class(every->everything, payload);
	bt_field_class_put_ref(payload);

	every->linked = bt_event_class_create_with_id(sc, 5);
	bt_event_class_set_name(every->linked, "linked");
	member(specific, "callstack", dynamic_array(tc, small_integer(tc, 64), length));
	bt_event_class_set_specific_context_field_class(every->linked, specific);
	payload = linked_payload(tc, length);
	bt_event_class_set_payload_field_class(every->linked, payload);
	bt_field_class_put_ref(payload);
	bt_field_class_put_ref(specific);
	bt_field_class_put_ref(common);
	bt_field_class_put_ref(context);
	every->full = sc;
}

/* Packets without times, losses without times; and a class without packets or a clock. */
static void make_other_classes(Every *every)
{
	bt_field_class *payload = bt_field_class_structure_create(every->tc);

	every->bare = bt_stream_class_create_with_id(every->tc, 2);
	bt_stream_class_set_default_clock_class(every->bare, every->ticks);
	bt_stream_class_set_supports_packets(every->bare, BT_TRUE, BT_FALSE, BT_FALSE);
	bt_stream_class_set_supports_discarded_events(every->bare, BT_TRUE, BT_FALSE);
	bt_stream_class_set_supports_discarded_packets(every->bare, BT_TRUE, BT_FALSE);
	every->plain = bt_event_class_create(every->bare);
	member(payload, "text", bt_field_class_string_create(every->tc));
	bt_event_class_set_payload_field_class(every->plain, payload);
	bt_field_class_put_ref(payload);
	every->untimed = bt_stream_class_create_with_id(every->tc, 40);
	bt_stream_class_set_supports_discarded_events(every->untimed, BT_TRUE, BT_FALSE);
	every->lone = bt_event_class_create(every->untimed);
}

static void make_traces(Every *every)
{
	static const guint8 uuid[16] = {16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1};

	every->traces[0] = bt_trace_create(every->tc);
	bt_trace_set_name(every->traces[0], "first");
	bt_trace_set_uuid(every->traces[0], uuid);
	bt_trace_set_environment_entry_string(every->traces[0], "hostname", "alpha");
	bt_trace_set_environment_entry_integer(every->traces[0], "answer", -42);
	SET_ATTRIBUTES(bt_trace_set_user_attributes, every->traces[0], "trace");
	every->traces[1] = bt_trace_create(every->tc);
	bt_trace_set_environment_entry_string(every->traces[1], "hostname", "beta");
	every->streams[0] = bt_stream_create_with_id(every->full, every->traces[0], 4);
	bt_stream_set_name(every->streams[0], "channel_4");
	SET_ATTRIBUTES(bt_stream_set_user_attributes, every->streams[0], "stream");
	every->streams[1] = bt_stream_create(every->bare, every->traces[0]);
	every->streams[2] = bt_stream_create_with_id(every->full, every->traces[1], 8);
	every->streams[3] = bt_stream_create(every->untimed, every->traces[1]);
}

static bt_field *member_field(bt_field *structure, const char *name)
{
	return bt_field_structure_borrow_member_field_by_name(structure, name);
}

static void set_numbers(bt_field *array, guint64 n, guint64 first)
{
	for (guint64 i = 0; i < n; i++)
		bt_field_integer_unsigned_set_value(
			bt_field_array_borrow_element_field_by_index(array, i), first + i);
}

static void fill_everything(bt_event *event, gboolean second)
{
	bt_field *p = bt_event_borrow_payload_field(event), *f;

	bt_field_bool_set_value(member_field(p, "bool"), !second);
	bt_field_bit_array_set_value_as_integer(member_field(p, "bits"), 0x1555);
	bt_field_integer_unsigned_set_value(member_field(p, "small"), 31);
	bt_field_integer_signed_set_value(member_field(p, "hex"), second ? G_MININT64 : -2);
	bt_field_integer_unsigned_set_value(member_field(p, "uenum"), second ? G_MAXUINT64 : 3);
	bt_field_integer_signed_set_value(member_field(p, "senum"), -7);
	bt_field_real_single_precision_set_value(member_field(p, "float"), 1.5f);
	bt_field_real_double_precision_set_value(member_field(p, "double"), -1e300);
	bt_field_string_set_value(member_field(p, "text"), second ? "" : "h\xc3\xa9 \"q\"\n");
	for (guint i = 0; i < 3; i++)
		bt_field_string_set_value(
			bt_field_array_borrow_element_field_by_index(member_field(p, "three"), i),
			i == 1 ? "one" : "other");
	bt_field_array_dynamic_set_length(member_field(p, "any"), second ? 0 : 300);
	set_numbers(member_field(p, "any"), second ? 0 : 300, 0);
	f = member_field(member_field(p, "inner"), "deep");
	for (guint i = 0; i < 2; i++) {
		bt_field *row = bt_field_array_borrow_element_field_by_index(f, i);

		bt_field_array_dynamic_set_length(row, i + 1);
		set_numbers(row, i + 1, G_MAXUINT64 - 3);
	}
	f = member_field(p, "maybe");
	bt_field_option_set_has_field(f, second);
	if (second)
		bt_field_string_set_value(bt_field_option_borrow_field(f), "yes");
	f = member_field(p, "either");
	(void)bt_field_variant_select_option_by_index(f, second);
	f = bt_field_variant_borrow_selected_option_field(f);
	if (second)
		bt_field_string_set_value(f, "words");
	else
		bt_field_integer_unsigned_set_value(f, 99);
}

static void fill_option(bt_field *option, gboolean has)
{
	bt_field_option_set_has_field(option, has);
	if (has)
		bt_field_string_set_value(bt_field_option_borrow_field(option), "there");
}

/* number 2 is low, 5 is high; balance -1 and 1 are both cold */
static void fill_linked(bt_event *event, guint64 number, guint64 n_context)
{
	bt_field *p = bt_event_borrow_payload_field(event), *f;
	bt_field *c = bt_event_borrow_specific_context_field(event);
	gboolean low = number == 2;

	bt_field_array_dynamic_set_length(member_field(c, "callstack"), n_context);
	set_numbers(member_field(c, "callstack"), n_context, 0xffffffff81000000);
	bt_field_bool_set_value(member_field(p, "flag"), low);
	bt_field_integer_unsigned_set_value(member_field(p, "number"), number);
	bt_field_integer_signed_set_value(member_field(p, "balance"), low ? -1 : 1);
	bt_field_array_dynamic_set_length(member_field(p, "as-many"), number);
	set_numbers(member_field(p, "as-many"), number, 10);
	bt_field_array_dynamic_set_length(member_field(p, "context-many"), n_context);
	for (guint64 i = 0; i < n_context; i++)
		bt_field_string_set_value(bt_field_array_borrow_element_field_by_index(
						  member_field(p, "context-many"), i),
					  "from the context");
	for (guint64 i = 0; i < 2; i++) {
		bt_field *row = bt_field_array_borrow_element_field_by_index(
			member_field(p, "rows"), i);

		bt_field_integer_unsigned_set_value(member_field(row, "own"), i * 2);
		bt_field_array_dynamic_set_length(member_field(row, "own-many"), i * 2);
		set_numbers(member_field(row, "own-many"), i * 2, 500);
	}
	fill_option(member_field(p, "if-flag"), low);
	fill_option(member_field(p, "unless-flag"), !low);
	fill_option(member_field(p, "if-low"), low);
	fill_option(member_field(p, "if-cold"), TRUE);
	f = member_field(p, "by-number");
	(void)bt_field_variant_select_option_by_index(f, low ? 0 : 1);
	f = bt_field_variant_borrow_selected_option_field(f);
	if (low)
		bt_field_integer_unsigned_set_value(f, 4000000000);
	else
		bt_field_string_set_value(f, "high");
	f = member_field(p, "by-balance");
	(void)bt_field_variant_select_option_by_index(f, 0);
	bt_field_real_double_precision_set_value(bt_field_variant_borrow_selected_option_field(f),
						 -0.25);
}

static bt_message *add(EveryIterator *iterator, bt_message *message)
{
	g_assert_nonnull(message);
	g_assert_cmpuint(iterator->n, <, N_MESSAGES_MAX);
	iterator->messages[iterator->n++] = message;
	return message;
}

static bt_packet *full_packet(bt_stream *stream, guint64 cpu, guint64 n)
{
	bt_packet *packet = bt_packet_create(stream);
	bt_field *context = bt_packet_borrow_context_field(packet);

	bt_field_integer_unsigned_set_value(member_field(context, "cpu_id"), cpu);
	bt_field_integer_unsigned_set_value(member_field(context, "n"), n);
	return packet;
}

static void add_full_packet(EveryIterator *it, bt_self_message_iterator *self, Every *every,
			    bt_stream *stream, guint64 time, guint64 n)
{
	bt_packet *packet = full_packet(stream, time % 7, n);
	bt_message *message;
	bt_event *event;

	add(it, bt_message_packet_beginning_create_with_default_clock_snapshot(self, packet, time));
	for (guint i = 0; i < 2; i++) {
		message = add(it, bt_message_event_create_with_packet_and_default_clock_snapshot(
					  self, every->everything, packet, time + i));
		event = bt_message_event_borrow_event(message);
		bt_field_integer_signed_set_value(
			member_field(bt_event_borrow_common_context_field(event), "pid"), i);
		fill_everything(event, i == 1);
		message = add(it, bt_message_event_create_with_packet_and_default_clock_snapshot(
					  self, every->linked, packet, time + i));
		event = bt_message_event_borrow_event(message);
		bt_field_integer_signed_set_value(
			member_field(bt_event_borrow_common_context_field(event), "pid"), -1);
		fill_linked(event, i ? 5 : 2, n);
	}
	add(it, bt_message_packet_end_create_with_default_clock_snapshot(self, packet, time + 10));
	bt_packet_put_ref(packet);
}

static void add_full_stream(EveryIterator *it, bt_self_message_iterator *self, Every *every,
			    bt_stream *stream, gboolean known)
{
	bt_message *message = add(it, bt_message_stream_beginning_create(self, stream));

	if (known)
		bt_message_stream_beginning_set_default_clock_snapshot(message, 50);
	add_full_packet(it, self, every, stream, 100, 0);
	message = add(it, bt_message_discarded_events_create_with_default_clock_snapshots(
				  self, stream, 110, 3000000200));
	if (known)
		bt_message_discarded_events_set_count(message, 12345);
	message = add(it, bt_message_discarded_packets_create_with_default_clock_snapshots(
				  self, stream, 110, 3000000200));
	if (!known)
		bt_message_discarded_packets_set_count(message, 2);
	add(it, bt_message_message_iterator_inactivity_create(self, every->cycles, 3000000200));
	add_full_packet(it, self, every, stream, 3000000200, 3);
	message = add(it, bt_message_stream_end_create(self, stream));
	if (known)
		bt_message_stream_end_set_default_clock_snapshot(message, 3000000300);
}

static void add_other_streams(EveryIterator *it, bt_self_message_iterator *self, Every *every)
{
	bt_packet *packet = bt_packet_create(every->streams[1]);
	bt_message *message;

	add(it, bt_message_stream_beginning_create(self, every->streams[1]));
	add(it, bt_message_packet_beginning_create(self, packet));
	message = add(it, bt_message_event_create_with_packet_and_default_clock_snapshot(
				  self, every->plain, packet, 700));
	bt_field_string_set_value(
		member_field(bt_event_borrow_payload_field(bt_message_event_borrow_event(message)),
			     "text"),
		"plain");
	add(it, bt_message_packet_end_create(self, packet));
	bt_packet_put_ref(packet);
	message = add(it, bt_message_discarded_events_create(self, every->streams[1]));
	bt_message_discarded_events_set_count(message, 9);
	add(it, bt_message_discarded_packets_create(self, every->streams[1]));
	add(it, bt_message_stream_end_create(self, every->streams[1]));
	add(it, bt_message_stream_beginning_create(self, every->streams[3]));
	add(it, bt_message_event_create(self, every->lone, every->streams[3]));
	add(it, bt_message_discarded_events_create(self, every->streams[3]));
	add(it, bt_message_stream_end_create(self, every->streams[3]));
}

bt_component_class_initialize_method_status
test_every_init(bt_self_component_source *self, bt_self_component_source_configuration *config,
		const bt_value *params, void *data)
{
	Every *every = g_new0(Every, 1);

	(void)config;
	(void)params;
	(void)data;
	every->self = bt_self_component_source_as_self_component(self);
	bt_self_component_set_data(every->self, every);
	every->tc = bt_trace_class_create(every->self);
	bt_trace_class_set_assigns_automatic_stream_class_id(every->tc, BT_FALSE);
	SET_ATTRIBUTES(bt_trace_class_set_user_attributes, every->tc, "trace class");
	make_clocks(every);
	make_full_class(every);
	make_other_classes(every);
	make_traces(every);
	bt_self_component_source_add_output_port(self, "out", NULL, NULL);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void test_every_finalize(bt_self_component_source *self)
{
	Every *every = bt_self_component_get_data(bt_self_component_source_as_self_component(self));

	for (guint i = 0; i < G_N_ELEMENTS(every->streams); i++)
		bt_stream_put_ref(every->streams[i]);
	for (guint i = 0; i < G_N_ELEMENTS(every->traces); i++)
		bt_trace_put_ref(every->traces[i]);
	bt_event_class_put_ref(every->everything);
	bt_event_class_put_ref(every->linked);
	bt_event_class_put_ref(every->plain);
	bt_event_class_put_ref(every->lone);
	bt_stream_class_put_ref(every->full);
	bt_stream_class_put_ref(every->bare);
	bt_stream_class_put_ref(every->untimed);
	bt_clock_class_put_ref(every->cycles);
	bt_clock_class_put_ref(every->ticks);
	bt_trace_class_put_ref(every->tc);
	g_free(every);
}

bt_message_iterator_class_initialize_method_status
test_every_iterator_init(bt_self_message_iterator *self,
			 bt_self_message_iterator_configuration *config,
			 bt_self_component_port_output *port)
{
	Every *every = bt_self_component_get_data(bt_self_message_iterator_borrow_component(self));
	EveryIterator *it = g_new0(EveryIterator, 1);

	(void)config;
	(void)port;
	bt_self_message_iterator_set_data(self, it);
	add_full_stream(it, self, every, every->streams[0], TRUE);
	add_other_streams(it, self, every);
	add_full_stream(it, self, every, every->streams[2], FALSE);
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void test_every_iterator_finalize(bt_self_message_iterator *self)
{
	EveryIterator *it = bt_self_message_iterator_get_data(self);

	for (guint i = 0; i < it->n; i++)
		bt_message_put_ref(it->messages[i]);
	g_free(it);
}

void test_every_iterator_rewind(bt_self_message_iterator *self)
{
	EveryIterator *it = bt_self_message_iterator_get_data(self);

	it->next = 0;
}

bt_message_iterator_class_next_method_status
test_every_iterator_next(bt_self_message_iterator *self, bt_message_array_const messages,
			 uint64_t capacity, uint64_t *count)
{
	EveryIterator *it = bt_self_message_iterator_get_data(self);

	if (it->next == it->n)
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END;
	for (*count = 0; *count < MIN(capacity, 2) && it->next < it->n; (*count)++) {
		messages[*count] = it->messages[it->next++];
		bt_message_get_ref(messages[*count]);
	}
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
}
