/* SPDX-License-Identifier: MIT */
/*
 * bt2-decode.c: plans of event classes, and fields to values.
 *
 * A plan has, for each slot of the layout, the *fields* that the event class really
 * has, in the layout's order. A field is a way down from a root (the payload or a
 * context) by member indexes, with option indexes where it passes a variant: such a
 * field exists in an event only if the variant has that option selected. The first
 * field that exists fills the slot.
 */
#include "config.h"

#include "base/recent.h"
#include "bt2/bt2-decode.h"

#define STEPS_MAX 16

typedef enum { ROOT_PAYLOAD, ROOT_SPECIFIC_CONTEXT, ROOT_COMMON_CONTEXT, ROOT_N } Root;

/* How a field's value becomes a slot's. The simple ones, up to texts, always fill one slot. */
typedef enum {
	READ_CONSTANT,
	READ_UNSIGNED,
	READ_SIGNED,
	READ_TEXT,
	READ_LABEL_UNSIGNED,
	READ_LABEL_SIGNED,
	READ_ADDRESS_INTEGER, /* IPv4, in host order */
	READ_ADDRESS_ARRAY, /* of integers, the first one the most significant */
	READ_NOT
} Reading;

typedef struct {
	guint16 index;
	guint16 is_option; /* of a variant, else a member of a structure */
} Step;

typedef struct {
	guint8 slot;
	guint8 reading; /* Reading */
	guint8 root; /* Root */
	guint8 last; /* the next field fills another slot */
	guint bits; /* of an array's elements */
	guint n_steps;
	Step steps[STEPS_MAX];
	WpValue constant; /* borrowed from the layout */
} Field;

/* What alone fills its slot, by a simple reading, as most fields do: a member of the payload. */
typedef struct {
	guint8 slot;
	guint8 reading; /* a simple one */
	guint16 index; /* in the payload */
	WpValue constant; /* instead of it; borrowed from the layout */
} Member;

/* What one WpLayoutEvent comes to in one event class. */
typedef struct {
	WpEventKind kind;
	guint8 n_values; /* of that kind */
	guint8 flags; /* of its records: WpEventFlags */
	guint n_members;
	guint32 members_present; /* the slots that they fill */
	Member *members; /* owned */
	GArray *fields; /* owned: Field, by slot: all others */
} Part;

typedef struct {
	const bt_event_class *klass; /* reference: keeps the address from being used again */
	guint n_parts; /* 0: skip; 2: with a marker */
	Part parts[2];
	GArray *cpu; /* owned: Field: where the event may tell its CPU */
} Plan;

struct WpBt2Decoder {
	WpLayout *layout; /* reference */
	GHashTable *plans; /* owned: bt_event_class to Plan (owned) */
	const Plan *recent[WP_RECENT_N]; /* borrowed from plans, NULL */
};

/* The member or option of this name, its number to *ret_index; NULL when there is none. */
static const bt_field_class *find_below(const bt_field_class *klass, const gchar *name,
					guint16 *ret_index)
{
	bt_field_class_type type = bt_field_class_get_type(klass);

	if (type == BT_FIELD_CLASS_TYPE_STRUCTURE) {
		guint64 n = bt_field_class_structure_get_member_count(klass);

		for (guint64 i = 0; i < MIN(n, G_MAXUINT16); i++) {
			const bt_field_class_structure_member *member =
				bt_field_class_structure_borrow_member_by_index_const(klass, i);

			*ret_index = (guint16)i;
			if (g_str_equal(bt_field_class_structure_member_get_name(member), name))
				return bt_field_class_structure_member_borrow_field_class_const(
					member);
		}
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_VARIANT)) {
		guint64 n = bt_field_class_variant_get_option_count(klass);

		for (guint64 i = 0; i < MIN(n, G_MAXUINT16); i++) {
			const bt_field_class_variant_option *option =
				bt_field_class_variant_borrow_option_by_index_const(klass, i);

			*ret_index = (guint16)i;
			if (g_strcmp0(bt_field_class_variant_option_get_name(option), name) == 0)
				return bt_field_class_variant_option_borrow_field_class_const(
					option);
		}
	}
	return NULL;
}

/* Follows path from klass; NULL when it does not exist. */
static const bt_field_class *find_path(const bt_field_class *klass, const gchar *path,
				       Field *ret_field)
{
	g_auto(GStrv) names = g_strsplit(path, "/", STEPS_MAX + 1);

	ret_field->n_steps = 0;
	for (guint i = 0; klass && names[i]; i++) {
		Step *step = &ret_field->steps[i];

		if (i == STEPS_MAX)
			return NULL;
		step->is_option = bt_field_class_get_type(klass) != BT_FIELD_CLASS_TYPE_STRUCTURE;
		klass = find_below(klass, names[i], &step->index);
		ret_field->n_steps++;
	}
	return klass;
}

static const bt_field_class *event_class_root(const bt_event_class *klass, Root root)
{
	switch (root) {
	case ROOT_PAYLOAD:
		return bt_event_class_borrow_payload_field_class_const(klass);
	case ROOT_SPECIFIC_CONTEXT:
		return bt_event_class_borrow_specific_context_field_class_const(klass);
	case ROOT_COMMON_CONTEXT:
		return bt_stream_class_borrow_event_common_context_field_class_const(
			bt_event_class_borrow_stream_class_const(klass));
	case ROOT_N:
	default:
		return NULL;
	}
}

static const bt_field *event_root(const bt_event *event, Root root)
{
	switch (root) {
	case ROOT_PAYLOAD:
		return bt_event_borrow_payload_field_const(event);
	case ROOT_SPECIFIC_CONTEXT:
		return bt_event_borrow_specific_context_field_const(event);
	case ROOT_COMMON_CONTEXT:
		return bt_event_borrow_common_context_field_const(event);
	case ROOT_N:
	default:
		return NULL;
	}
}

/*
 * Addresses: an integer of up to 32 bits, or an array of unsigned integers of 4 or 16
 * bytes in all.
 */
static Reading address_reading(const bt_field_class *klass, guint *ret_bits)
{
	bt_field_class_type type = bt_field_class_get_type(klass);

	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		return bt_field_class_integer_get_field_value_range(klass) <= 32
			       ? READ_ADDRESS_INTEGER
			       : READ_NOT;
	if (type != BT_FIELD_CLASS_TYPE_STATIC_ARRAY)
		return READ_NOT;

	const bt_field_class *element = bt_field_class_array_borrow_element_field_class_const(
		klass);

	if (!bt_field_class_type_is(bt_field_class_get_type(element),
				    BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		return READ_NOT;

	guint64 n = bt_field_class_array_static_get_length(klass);

	*ret_bits = (guint)bt_field_class_integer_get_field_value_range(element);
	return *ret_bits <= 32 && (n * *ret_bits == 32 || n * *ret_bits == 128) ? READ_ADDRESS_ARRAY
										: READ_NOT;
}

static Reading reading_of(const bt_field_class *klass, const WpLayoutSlot *slot, guint *ret_bits)
{
	bt_field_class_type type = bt_field_class_get_type(klass);

	if (slot->source == WP_LAYOUT_LABEL) {
		if (type == BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION)
			return READ_LABEL_UNSIGNED;
		return type == BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION ? READ_LABEL_SIGNED
								      : READ_NOT;
	}
	switch (slot->type) {
	case WP_SLOT_STRING:
		return type == BT_FIELD_CLASS_TYPE_STRING ? READ_TEXT : READ_NOT;
	case WP_SLOT_ADDRESS:
		return address_reading(klass, ret_bits);
	case WP_SLOT_INTEGER:
	default:
		if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
			return READ_UNSIGNED;
		return bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER)
			       ? READ_SIGNED
			       : READ_NOT;
	}
}

static void add_constant(GArray *fields, const WpLayoutSlot *slot)
{
	Field field = {.slot = (guint8)slot->slot, .reading = READ_CONSTANT, .last = TRUE};

	if (slot->type == WP_SLOT_INTEGER)
		field.constant.i = g_ascii_strtoll(slot->constant, NULL, 10);
	else
		field.constant.s = slot->constant;
	g_array_append_val(fields, field);
}

/* Adds the alternatives of a slot that exist below one root; whether there are any. */
static gboolean add_alternatives(GArray *fields, const WpLayoutSlot *slot,
				 const bt_event_class *klass, Root root)
{
	const bt_field_class *top = event_class_root(klass, root);
	guint n = fields->len;

	for (guint i = 0; top && slot->paths[i]; i++) {
		Field field = {.slot = (guint8)slot->slot, .root = (guint8)root};
		const bt_field_class *found = find_path(top, slot->paths[i], &field);

		field.reading = (guint8)(found ? reading_of(found, slot, &field.bits) : READ_NOT);
		if (field.reading != READ_NOT)
			g_array_append_val(fields, field);
	}
	if (fields->len == n)
		return FALSE;
	g_array_index(fields, Field, fields->len - 1).last = TRUE;
	return TRUE;
}

static gboolean has_beside(const WpLayoutSlot *slot, const bt_event_class *klass)
{
	const bt_field_class *payload = event_class_root(klass, ROOT_PAYLOAD);
	Field field;

	return !slot->beside || (payload && find_path(payload, slot->beside, &field));
}

/* What is known of the texts of its records: all are copied into the batch, or all the layout's. */
static guint8 flags_of(const Part *part)
{
	gboolean are_copied = TRUE, are_constant = TRUE;

	for (guint i = 0; i < part->fields->len; i++) {
		const Reading reading = g_array_index(part->fields, Field, i).reading;

		are_copied &= reading != READ_LABEL_UNSIGNED && reading != READ_LABEL_SIGNED &&
			      reading != READ_CONSTANT;
		are_constant &= reading != READ_LABEL_UNSIGNED && reading != READ_LABEL_SIGNED &&
				reading != READ_TEXT;
	}
	return (guint8)((are_copied ? WP_EVENT_TEXTS_WIDE : 0) |
			(are_constant ? WP_EVENT_TEXTS_STAY : 0));
}

static gboolean is_member(const Field *field)
{
	if (field->reading == READ_CONSTANT)
		return TRUE;
	return field->reading <= READ_TEXT && field->root == ROOT_PAYLOAD && field->n_steps == 1 &&
	       !field->steps[0].is_option;
}

/* Whether the field with this number is the only one of its slot. */
static gboolean is_alone(const GArray *fields, guint number)
{
	const Field *field = &g_array_index(fields, Field, number);

	return field->last && (number == 0 || g_array_index(fields, Field, number - 1).last);
}

/* Takes the members out of the fields. */
static void part_take_members(Part *part)
{
	GArray *others = g_array_new(FALSE, TRUE, sizeof(Field));

	part->members = g_new(Member, part->fields->len);
	for (guint i = 0; i < part->fields->len; i++) {
		const Field *field = &g_array_index(part->fields, Field, i);

		if (!is_member(field) || !is_alone(part->fields, i)) {
			g_array_append_val(others, *field);
			continue;
		}
		part->members[part->n_members++] = (Member){field->slot, field->reading,
							    field->steps[0].index, field->constant};
		part->members_present |= 1u << field->slot;
	}
	g_array_unref(part->fields);
	part->fields = others;
}

static void part_init(Part *part, const WpLayoutEvent *event, const bt_event_class *klass)
{
	/* A kernel event's slots are never taken from contexts: they tell of the current task. */
	guint n_roots = event->kind == WP_EV_MARKER ? ROOT_N : ROOT_PAYLOAD + 1;

	part->kind = event->kind;
	part->fields = g_array_new(FALSE, TRUE, sizeof(Field));
	for (guint i = 0; i < event->n_slots; i++) {
		const WpLayoutSlot *slot = &event->slots[i];

		if (slot->source == WP_LAYOUT_CONSTANT) {
			add_constant(part->fields, slot);
			continue;
		}
		if (!has_beside(slot, klass))
			continue;
		for (guint root = 0; root < n_roots; root++)
			if (add_alternatives(part->fields, slot, klass, root))
				break;
	}
	part->n_values = (guint8)wp_event_kind_n_values(part->kind);
	part->flags = flags_of(part);
	part_take_members(part);
}

static Plan *plan_new(WpBt2Decoder *decoder, const bt_event_class *klass)
{
	const gchar *name = bt_event_class_get_name(klass);
	const WpLayoutEvent *found[2] = {NULL, NULL};
	WpLayoutSlot cpu = {.source = WP_LAYOUT_FIELD, .type = WP_SLOT_INTEGER};
	Plan *plan = g_new0(Plan, 1);

	plan->klass = klass;
	bt_event_class_get_ref(klass);
	plan->cpu = g_array_new(FALSE, TRUE, sizeof(Field));
	if (name)
		found[0] = wp_layout_find(decoder->layout, name, &found[1]);
	for (guint i = 0; i < G_N_ELEMENTS(found); i++)
		if (found[i])
			part_init(&plan->parts[plan->n_parts++], found[i], klass);
	cpu.paths = (gchar **)wp_layout_get_cpu_fields(decoder->layout);
	for (guint root = 0; root < ROOT_N; root++)
		if (add_alternatives(plan->cpu, &cpu, klass, root))
			break;
	return plan;
}

static void plan_free(gpointer data)
{
	Plan *plan = data;

	bt_event_class_put_ref(plan->klass);
	for (guint i = 0; i < plan->n_parts; i++) {
		g_free(plan->parts[i].members);
		g_array_unref(plan->parts[i].fields);
	}
	g_array_unref(plan->cpu);
	g_free(plan);
}

/* The field below its root; NULL when a variant on the way has another option. */
static inline const bt_field *field_borrow(const Field *field, const bt_field *at)
{
	for (const Step *step = field->steps; step < field->steps + field->n_steps; step++) {
		const guint16 index = step->index;

		if (!step->is_option)
			at = bt_field_structure_borrow_member_field_by_index_const(at, index);
		else if (bt_field_variant_get_selected_option_index(at) == index)
			at = bt_field_variant_borrow_selected_option_field_const(at);
		else
			return NULL;
	}
	return at;
}

/* Two values, as event.h says of addresses. */
static void read_address(const bt_field *at, guint bits, WpValue *value)
{
	guint64 n = bt_field_array_get_length(at);

	value[0].u = value[1].u = 0;
	for (guint64 i = 0; i < n; i++) {
		const bt_field *element = bt_field_array_borrow_element_field_by_index_const(at, i);

		value[0].u = value[0].u << bits | value[1].u >> (64 - bits);
		value[1].u = value[1].u << bits | bt_field_integer_unsigned_get_value(element);
	}
}

/* The first label of the enumeration's value, NULL when it has none. */
static const gchar *read_label(const bt_field *at, Reading reading)
{
	bt_field_class_enumeration_mapping_label_array labels;
	guint64 n = 0;
	bt_field_enumeration_get_mapping_labels_status status =
		reading == READ_LABEL_UNSIGNED
			? bt_field_enumeration_unsigned_get_mapping_labels(at, &labels, &n)
			: bt_field_enumeration_signed_get_mapping_labels(at, &labels, &n);

	return status == BT_FIELD_ENUMERATION_GET_MAPPING_LABELS_STATUS_OK && n > 0 ? labels[0]
										    : NULL;
}

static inline const gchar *read_text(const bt_field *at, WpBatch *batch)
{
	return wp_batch_copy(batch, bt_field_string_get_value(at), bt_field_string_get_length(at));
}

/* Puts the field's value in place; the bits of the slots that it fills. */
static inline guint32 read_field(const Field *field, const bt_field *root, WpBatch *batch,
				 WpValue *value)
{
	const bt_field *at = field_borrow(field, root);

	if (!at)
		return 0;
	switch ((Reading)field->reading) {
	case READ_UNSIGNED:
		value->u = bt_field_integer_unsigned_get_value(at);
		return 1u;
	case READ_SIGNED:
		value->i = bt_field_integer_signed_get_value(at);
		return 1u;
	case READ_TEXT:
		value->s = read_text(at, batch);
		return 1u;
	case READ_ADDRESS_INTEGER:
		value[0].u = 0;
		value[1].u = bt_field_integer_unsigned_get_value(at);
		return 3u;
	case READ_ADDRESS_ARRAY:
		read_address(at, field->bits, value);
		return 3u;
	case READ_LABEL_UNSIGNED:
	case READ_LABEL_SIGNED:
		value->s = read_label(at, field->reading);
		return value->s ? 1u : 0;
	case READ_CONSTANT:
	case READ_NOT:
	default:
		return 0;
	}
}

static inline void read_members(const Part *part, const bt_event *event, WpBatch *batch, WpValue *v)
{
	const bt_field *payload = bt_event_borrow_payload_field_const(event);

	for (const Member *m = part->members, *end = m + part->n_members; m < end; m++) {
		const bt_field *at;

		if (m->reading == READ_CONSTANT) {
			v[m->slot] = m->constant;
			continue;
		}
		at = bt_field_structure_borrow_member_field_by_index_const(payload, m->index);
		if (m->reading == READ_SIGNED)
			v[m->slot].i = bt_field_integer_signed_get_value(at);
		else if (m->reading == READ_UNSIGNED)
			v[m->slot].u = bt_field_integer_unsigned_get_value(at);
		else
			v[m->slot].s = read_text(at, batch);
	}
}

/* Fills each slot from the first of its fields that exists in the event. */
static G_GNUC_NO_INLINE guint32 read_fields(const GArray *fields, const bt_event *event,
					    WpBatch *batch, WpValue *v)
{
	const Field *field = (const Field *)(gconstpointer)fields->data;
	const bt_field *root = NULL;
	guint32 present = 0, filled = 0;
	guint at_root = ROOT_N;

	for (const Field *end = field + fields->len; field < end; field++) {
		if (!filled) {
			if (field->root != at_root)
				root = event_root(event, at_root = field->root);
			filled = read_field(field, root, batch, &v[field->slot]) << field->slot;
		}
		if (field->last) {
			present |= filled;
			filled = 0;
		}
	}
	return present;
}

static guint32 event_cpu(const Plan *plan, const bt_event *event, WpBatch *batch)
{
	WpValue value[2]; /* the second for an address, which it is not */

	return read_fields(plan->cpu, event, batch, value) && value[0].u < WP_NONE
		       ? (guint32)value[0].u
		       : WP_NONE;
}

WpBt2Decoder *wp_bt2_decoder_new(WpLayout *layout)
{
	WpBt2Decoder *decoder = g_new0(WpBt2Decoder, 1);

	decoder->layout = wp_layout_ref(layout);
	decoder->plans = g_hash_table_new_full(NULL, NULL, NULL, plan_free);
	return decoder;
}

void wp_bt2_decoder_free(WpBt2Decoder *decoder)
{
	if (!decoder)
		return;
	g_hash_table_unref(decoder->plans);
	wp_layout_unref(decoder->layout);
	g_free(decoder);
}

guint32 wp_bt2_decoder_packet_cpu(WpBt2Decoder *decoder, const bt_packet *packet)
{
	const bt_field *context = bt_packet_borrow_context_field_const(packet);
	const gchar *const *names = wp_layout_get_cpu_fields(decoder->layout);

	for (guint i = 0; context && names[i]; i++) {
		const bt_field *field = bt_field_structure_borrow_member_field_by_name_const(
			context, names[i]);

		if (!field || !bt_field_class_type_is(bt_field_get_class_type(field),
						      BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
			continue;

		guint64 cpu = bt_field_integer_unsigned_get_value(field);

		return cpu < WP_NONE ? (guint32)cpu : WP_NONE;
	}
	return WP_NONE;
}

static G_GNUC_NO_INLINE const Plan *find_plan(WpBt2Decoder *decoder, const bt_event_class *klass)
{
	Plan *plan = g_hash_table_lookup(decoder->plans, klass);

	if (!plan) {
		plan = plan_new(decoder, klass);
		g_hash_table_insert(decoder->plans, (gpointer)klass, plan);
	}
	return plan;
}

static inline const Plan *get_plan(WpBt2Decoder *decoder, const bt_event *event)
{
	const bt_event_class *klass = bt_event_borrow_class_const(event);
	const Plan **recent = &decoder->recent[wp_recent_slot(klass)];

	if (!*recent || (*recent)->klass != klass)
		*recent = find_plan(decoder, klass);
	return *recent;
}

guint32 wp_bt2_decoder_event_cpu(WpBt2Decoder *decoder, const bt_event *event)
{
	/* integers need no room for texts */
	return event_cpu(get_plan(decoder, event), event, NULL);
}

static inline void add_part(const Part *part, const bt_event *event, WpTime time, guint32 cpu,
			    guint32 stream, WpBatch *batch)
{
	WpEvent *record = wp_batch_push_values(batch, part->kind, part->n_values);

	record->time = time;
	record->cpu = cpu;
	record->stream = stream;
	record->flags = part->flags;
	record->present = part->members_present;
	if (part->n_members > 0)
		read_members(part, event, batch, record->v);
	if (part->fields->len > 0)
		record->present |= read_fields(part->fields, event, batch, record->v);
}

gboolean wp_bt2_decoder_add(WpBt2Decoder *decoder, const bt_event *event, WpTime time, guint32 cpu,
			    guint32 stream, WpBatch *batch)
{
	const Plan *plan = get_plan(decoder, event);

	if (plan->n_parts == 0)
		return FALSE;
	if (cpu == WP_NONE)
		cpu = event_cpu(plan, event, batch);
	for (const Part *part = plan->parts; part < plan->parts + plan->n_parts; part++)
		add_part(part, event, time, cpu, stream, batch);
	return TRUE;
}
