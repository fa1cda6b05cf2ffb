/* SPDX-License-Identifier: MIT */
/*
 * program.c: decides what is wanted of each scope and has its code generated.
 *
 * Event code is made first: it decides which fields of the packet are needed as
 * lengths and tags. Packet-level trees are therefore built before, and their code
 * is generated after all events.
 */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "ctf/codegen.h"

#define IDS_DIRECT (1u << 14)

typedef struct {
	WpCtfTree stream_context, context, fields;
	WpCtfNode *roots[WP_CTF_SCOPE_N]; /* borrowed */
} EventScopes;

static void event_scopes_clear(EventScopes *scopes)
{
	wp_ctf_tree_clear(&scopes->stream_context);
	wp_ctf_tree_clear(&scopes->context);
	wp_ctf_tree_clear(&scopes->fields);
}

typedef struct {
	WpCtfProgram *program; /* borrowed */
	WpLayout *layout; /* borrowed, NULL: nothing is wanted of any event */
	const gchar *name; /* borrowed: of the metadata, for messages */
	WpCtfCodegen gen;
	GArray *loads; /* owned: WpCtfLoad, of the quick event at hand */
	GArray *texts; /* owned: WpCtfText, likewise */
	GArray *found; /* owned: Found, of the slot at hand */
	WpCtfTree header; /* packet header */
	EventScopes scopes; /* of the event at hand */
	guint registers[2]; /* in use: outer scopes', the event's */
} Builder;

static gboolean decline(GError **error, const Builder *builder, const gchar *what,
			const gchar *which, const gchar *why)
{
	g_set_error(error, WP_ERROR, builder->gen.is_too_much ? WP_ERROR_LIMIT : WP_ERROR_DECLINED,
		    "%s: %s %s: %s.", builder->name, what, which, why);
	return FALSE;
}

/* Puts the file and the scope before what tree.c says of it. */
static gboolean decline_scope(GError **error, const Builder *builder, const gchar *what,
			      const gchar *which, GError *cause)
{
	g_set_error(error, WP_ERROR, cause->code, "%s: %s %s %s.", builder->name, what, which,
		    cause->message);
	g_error_free(cause);
	return FALSE;
}

/* ---- special fields ---- */

static const struct {
	const gchar *name;
	WpCtfSpecial special;
	WpCtfTargetKind kind;
} specials[] = {
	{"magic", WP_CTF_MAGIC, WP_CTF_TARGET_VALUE},
	{"uuid", WP_CTF_UUID_HIGH, WP_CTF_TARGET_UUID},
	{"stream_id", WP_CTF_STREAM_ID, WP_CTF_TARGET_VALUE},
	{"stream_instance_id", WP_CTF_INSTANCE_ID, WP_CTF_TARGET_VALUE},
	{"timestamp_begin", WP_CTF_BEGIN, WP_CTF_TARGET_VALUE},
	{"timestamp_end", WP_CTF_END_TIME, WP_CTF_TARGET_VALUE},
	{"content_size", WP_CTF_CONTENT_SIZE, WP_CTF_TARGET_VALUE},
	{"packet_size", WP_CTF_PACKET_SIZE, WP_CTF_TARGET_VALUE},
	{"events_discarded", WP_CTF_DISCARDED, WP_CTF_TARGET_VALUE},
	{"packet_seq_num", WP_CTF_SEQUENCE_NUMBER, WP_CTF_TARGET_VALUE},
};

static gboolean is_number(const WpCtfType *type)
{
	return type->kind == WP_CTF_INTEGER || type->kind == WP_CTF_ENUM;
}

static gboolean is_uuid(const WpCtfType *type)
{
	return type->kind == WP_CTF_ARRAY && type->fixed == 128 && type->align >= 8;
}

/* Which of specials[first, end) the scope has; their values are asked for. */
static guint32 want_specials(WpCtfTree *tree, guint first, guint end)
{
	guint32 has = 0;

	for (guint i = first; tree->root && i < end; i++) {
		gboolean always;
		WpCtfNode *node = wp_ctf_node_find(tree->root, specials[i].name, &always);

		if (!node || !always ||
		    !(specials[i].kind == WP_CTF_TARGET_UUID ? is_uuid(node->type)
							     : is_number(node->type)))
			continue;
		wp_ctf_tree_add_target(tree, node, specials[i].kind, WP_CTF_BANK_SPECIAL,
				       specials[i].special, 0, FALSE);
		has |= WP_CTF_HAS(specials[i].special);
	}
	return has;
}

/* The CPU of a packet, or of an event that says itself where it ran. */
static gboolean want_cpu(Builder *builder, WpCtfTree *tree)
{
	const gchar *const *names = builder->layout ? wp_layout_get_cpu_fields(builder->layout)
						    : NULL;

	for (guint i = 0; tree->root && names && names[i]; i++) {
		WpCtfNode *node = wp_ctf_node_find(tree->root, names[i], NULL);

		if (!node || !is_number(node->type))
			continue;
		wp_ctf_tree_add_target(tree, node, WP_CTF_TARGET_VALUE, WP_CTF_BANK_SPECIAL,
				       WP_CTF_CPU, 0, FALSE);
		return TRUE;
	}
	return FALSE;
}

/* Event ids and times; returns the name of their clock ("" if there is none), NULL: no time. */
static const gchar *want_event_header(WpCtfTree *tree)
{
	const gchar *clock = NULL;
	gboolean mapped = FALSE;

	for (guint i = 0; i < wp_ctf_tree_n_nodes(tree); i++) {
		const WpCtfNode *node = wp_ctf_tree_node(tree, i);

		mapped |= node->type->clock != NULL;
	}
	for (guint i = 0; i < wp_ctf_tree_n_nodes(tree); i++) {
		WpCtfNode *node = wp_ctf_tree_node(tree, i);
		const WpCtfType *type = node->type;

		if (!node->name || !is_number(type))
			continue;
		if (g_str_equal(node->name, "id"))
			wp_ctf_tree_add_target(tree, node, WP_CTF_TARGET_VALUE, WP_CTF_BANK_SPECIAL,
					       WP_CTF_EVENT_ID, 0, FALSE);
		if (mapped ? type->clock != NULL : g_str_equal(node->name, "timestamp")) {
			wp_ctf_tree_add_target(tree, node, WP_CTF_TARGET_CLOCK, WP_CTF_BANK_SPECIAL,
					       WP_CTF_TICKS, 0, FALSE);
			clock = type->clock ? type->clock : "";
		}
	}
	return clock;
}

/* ---- the fields that the layout wants of an event ---- */

typedef struct {
	WpCtfTree *trees[3]; /* borrowed, in the order in which names are looked for */
	guint n;
} EventTrees;

/* What of a slot's type and source fits a field's type; FALSE: nothing. */
static gboolean target_kind(const WpLayoutSlot *slot, const WpCtfType *type,
			    WpCtfTargetKind *ret_kind)
{
	const gboolean array = type->kind == WP_CTF_ARRAY || type->kind == WP_CTF_SEQUENCE;

	if (slot->source == WP_LAYOUT_LABEL) {
		*ret_kind = WP_CTF_TARGET_LABEL;
		return type->kind == WP_CTF_ENUM && slot->type == WP_SLOT_STRING;
	}
	switch (slot->type) {
	case WP_SLOT_INTEGER:
		*ret_kind = WP_CTF_TARGET_VALUE;
		return is_number(type);
	case WP_SLOT_STRING:
		*ret_kind = WP_CTF_TARGET_TEXT;
		return type->kind == WP_CTF_STRING ||
		       (array && type->element->kind == WP_CTF_INTEGER && type->element->text);
	default:
		*ret_kind = WP_CTF_TARGET_ADDRESS;
		return (array && type->element->kind == WP_CTF_INTEGER && !type->element->text) ||
		       (type->kind == WP_CTF_INTEGER && type->size == 32);
	}
}

typedef struct {
	WpCtfTree *tree; /* borrowed */
	WpCtfNode *node; /* borrowed */
	WpCtfTargetKind kind;
} Found;

/* All fields that may fill a slot, best first; those behind one that is always there are not. */
static void find_fields(EventTrees *trees, const WpLayoutSlot *slot, GArray *found)
{
	gboolean always = FALSE;

	for (guint i = 0; slot->paths && slot->paths[i] && !always; i++)
		for (guint t = 0; t < trees->n && !always; t++) {
			WpCtfTree *tree = trees->trees[t];
			WpCtfNode *node = tree->root ? wp_ctf_node_find(tree->root, slot->paths[i],
									&always)
						     : NULL;
			Found one = {tree, node, WP_CTF_TARGET_VALUE};

			if (node && target_kind(slot, node->type, &one.kind))
				g_array_append_val(found, one);
			else
				always = FALSE;
		}
}

static gboolean has_field(EventTrees *trees, const gchar *path)
{
	for (guint t = 0; t < trees->n; t++)
		if (trees->trees[t]->root && wp_ctf_node_find(trees->trees[t]->root, path, NULL))
			return TRUE;
	return FALSE;
}

static void want_slots(Builder *builder, EventTrees *trees, const WpLayoutEvent *event)
{
	for (guint i = 0; i < event->n_slots; i++) {
		const WpLayoutSlot *slot = &event->slots[i];
		GArray *found = builder->found;
		WpValue value = {0};

		if (wp_layout_is_left_out(builder->layout, event->kind, slot->slot))
			continue;
		if (slot->source == WP_LAYOUT_CONSTANT) {
			if (slot->type == WP_SLOT_STRING)
				value.s = slot->constant;
			else
				value.i = g_ascii_strtoll(slot->constant, NULL, 10);
			wp_ctf_codegen_constant(&builder->gen, slot->slot, value.u);
			continue;
		}
		g_array_set_size(found, 0);
		if (!slot->beside || has_field(trees, slot->beside))
			find_fields(trees, slot, found);
		for (guint f = 0; f < found->len; f++) {
			Found *one = &g_array_index(found, Found, f);

			wp_ctf_tree_add_target(one->tree, one->node, one->kind, WP_CTF_BANK_EVENT,
					       slot->slot, f, found->len > 1);
		}
	}
}

/* ---- events ---- */

static gboolean build_event(Builder *builder, const WpCtfStreamClass *stream,
			    const WpCtfEventClass *event, EventScopes *scopes, GError **error)
{
	GError *cause = NULL;

	if (!wp_ctf_tree_build(&scopes->stream_context, stream->event_context,
			       WP_CTF_SCOPE_STREAM_EVENT_CONTEXT, &cause) ||
	    !wp_ctf_tree_build(&scopes->context, event->context, WP_CTF_SCOPE_EVENT_CONTEXT,
			       &cause) ||
	    !wp_ctf_tree_build(&scopes->fields, event->fields, WP_CTF_SCOPE_EVENT_FIELDS, &cause))
		return decline_scope(error, builder, "event", event->name, cause);
	scopes->roots[WP_CTF_SCOPE_STREAM_EVENT_CONTEXT] = scopes->stream_context.root;
	scopes->roots[WP_CTF_SCOPE_EVENT_CONTEXT] = scopes->context.root;
	scopes->roots[WP_CTF_SCOPE_EVENT_FIELDS] = scopes->fields.root;
	builder->registers[1] = 0;
	if (!wp_ctf_tree_resolve(&scopes->stream_context, scopes->roots, builder->registers,
				 &cause) ||
	    !wp_ctf_tree_resolve(&scopes->context, scopes->roots, builder->registers, &cause) ||
	    !wp_ctf_tree_resolve(&scopes->fields, scopes->roots, builder->registers, &cause))
		return decline_scope(error, builder, "event", event->name, cause);
	return TRUE;
}

/* The code of one event under what its trees' targets ask for; at known: behind its header. */
static gboolean generate_event(Builder *builder, EventScopes *scopes, guint32 known)
{
	WpCtfCodegen *gen = &builder->gen;

	wp_ctf_tree_mark(&scopes->stream_context);
	wp_ctf_tree_mark(&scopes->context);
	wp_ctf_tree_mark(&scopes->fields);
	gen->known = known;
	return wp_ctf_codegen_node(gen, scopes->stream_context.root) &&
	       wp_ctf_codegen_node(gen, scopes->context.root) &&
	       wp_ctf_codegen_node(gen, scopes->fields.root) && wp_ctf_codegen_end(gen);
}

/* A class that is only skipped: when its code is one run or nothing, it needs no code. */
static void set_skip(Builder *builder, WpCtfEventPlan *plan, guint32 pc)
{
	WpCtfCodegen *gen = &builder->gen;
	const WpCtfOp *op = &gen->ops[pc];

	plan->skip_pc = pc;
	plan->fixed = WP_CTF_DYNAMIC;
	if (op->code == WP_CTF_OP_END) {
		plan->fixed = 0;
	} else if (op->code == WP_CTF_OP_RUN && op[1].code == WP_CTF_OP_END) {
		plan->fixed = op->value;
		plan->align_mask = (1u << op->bits) - 1;
	}
	if (plan->fixed != WP_CTF_DYNAMIC)
		gen->n_ops = pc;
}

/* Whether all texts of the event are the layout's. */
static gboolean has_own_texts(const WpLayoutEvent *wanted)
{
	for (guint i = 0; i < wanted->n_slots; i++)
		if (wanted->slots[i].type == WP_SLOT_STRING &&
		    wanted->slots[i].source != WP_LAYOUT_CONSTANT)
			return FALSE;
	return TRUE;
}

static gboolean add_record(Builder *builder, EventScopes *scopes, const WpLayoutEvent *wanted,
			   guint32 known, gboolean cpu_from_packet, WpCtfEventPlan *plan)
{
	EventTrees trees = {{&scopes->fields, &scopes->context, &scopes->stream_context},
			    wanted->kind == WP_EV_MARKER ? 3 : 1};
	WpCtfRecord *record = &plan->records[plan->n_records++];

	wp_ctf_tree_drop_targets(&scopes->stream_context);
	wp_ctf_tree_drop_targets(&scopes->context);
	wp_ctf_tree_drop_targets(&scopes->fields);
	record->pc = wp_ctf_codegen_begin(&builder->gen);
	record->kind = (guint16)wanted->kind;
	record->n_values = (guint8)wp_event_kind_n_values(wanted->kind);
	if (has_own_texts(wanted))
		record->flags = WP_EVENT_TEXTS_STAY;
	want_slots(builder, &trees, wanted);
	if (!cpu_from_packet)
		plan->has_cpu = want_cpu(builder, &scopes->fields) ||
				want_cpu(builder, &scopes->context) ||
				want_cpu(builder, &scopes->stream_context);
	return generate_event(builder, scopes, known);
}

/* ---- events that are read without code ---- */

/* The size in bits and the signedness of what an operation loads; FALSE: it is none of these. */
static gboolean load_size(const WpCtfOp *op, guint *ret_bits, gboolean *ret_signed)
{
	static const guint8 bits[] = {
		[WP_CTF_OP_U8] = 8,      [WP_CTF_OP_S8] = 8,      [WP_CTF_OP_U16_LE] = 16,
		[WP_CTF_OP_S16_LE] = 16, [WP_CTF_OP_U32_LE] = 32, [WP_CTF_OP_S32_LE] = 32,
		[WP_CTF_OP_64_LE] = 64,
	};

	if (op->code >= G_N_ELEMENTS(bits) || !bits[op->code])
		return FALSE;
	*ret_bits = bits[op->code];
	*ret_signed = op->code == WP_CTF_OP_S8 || op->code == WP_CTF_OP_S16_LE ||
		      op->code == WP_CTF_OP_S32_LE;
	return TRUE;
}

/* FALSE when it is no whole number of bytes, or too large. */
static gboolean set_quick_size(WpCtfQuick *quick, guint32 align_mask, guint64 bits)
{
	if (bits % 8 || bits / 8 >= G_MAXUINT32)
		return FALSE;
	quick->align_mask = align_mask / 8;
	quick->size = (guint32)(bits / 8);
	return TRUE;
}

/* Adds what an operation does to a quick record; FALSE when that can't. */
static gboolean add_quick(Builder *builder, const WpCtfOp *op, WpCtfQuick *quick)
{
	WpCtfLoad load = {.at = 0, .slot = op->slot};
	gboolean is_signed;
	guint bits;

	if (op->code == WP_CTF_OP_TEXT) {
		const guint32 at = (guint32)op->value;
		WpCtfText text = {.at = at, .last = at + op->arg - 1, .slot = op->slot};

		if (op->arg == 0)
			return FALSE;
		g_array_append_val(builder->texts, text);
		quick->present |= 1u << op->slot;
		return TRUE;
	}
	if (op->code == WP_CTF_OP_CONSTANT) {
		load.flip = op->value;
		quick->present |= 1u << op->slot;
	} else if (op->bank == WP_CTF_BANK_EVENT && load_size(op, &bits, &is_signed)) {
		load.at = (guint32)op->value;
		load.mask = G_MAXUINT64 >> (64 - bits);
		load.flip = load.less = is_signed ? G_GUINT64_CONSTANT(1) << (bits - 1) : 0;
	} else {
		return FALSE;
	}
	g_array_append_val(builder->loads, load);
	return TRUE;
}

/* Whether the texts of a quick record are as WP_EVENT_TEXTS_WIDE says. */
static gboolean has_wide_texts(const Builder *builder)
{
	for (guint i = 0; i < builder->texts->len; i++) {
		const WpCtfText *text = &g_array_index(builder->texts, WpCtfText, i);

		if (text->last - text->at < 15)
			return FALSE;
	}
	return TRUE;
}

/* A copy of the elements that belongs to the program; NULL, and their end too, if there are none. */
static gconstpointer keep_elements(Builder *builder, const GArray *array, gsize size,
				   gconstpointer *ret_end)
{
	guint8 *copy = wp_arena_copy(&builder->program->memory, array->data, array->len * size);

	*ret_end = copy ? copy + array->len * size : NULL;
	return copy;
}

/* If the code of the only record is constants, at most one run, and loads from it. */
static gboolean find_quick_record(Builder *builder, const WpCtfEventPlan *plan, WpCtfQuick *quick)
{
	const WpCtfRecord *record = &plan->records[0];
	gboolean has_run = FALSE, has_constants = FALSE;
	gconstpointer end;

	quick->n_records = 1;
	quick->kind = record->kind;
	quick->n_values = record->n_values;
	quick->flags = record->flags;
	g_array_set_size(builder->loads, 0);
	g_array_set_size(builder->texts, 0);
	for (const WpCtfOp *op = &builder->gen.ops[record->pc]; op->code != WP_CTF_OP_END; op++) {
		if (op->code == WP_CTF_OP_RUN && !has_run &&
		    set_quick_size(quick, (1u << op->bits) - 1, op->value)) {
			has_run = TRUE;
			quick->present |= op->arg;
		} else if (!add_quick(builder, op, quick)) {
			return FALSE;
		}
		has_constants |= op->code == WP_CTF_OP_CONSTANT;
	}
	if (!has_constants && has_wide_texts(builder))
		quick->flags |= WP_EVENT_TEXTS_WIDE;
	quick->loads = keep_elements(builder, builder->loads, sizeof(WpCtfLoad), &end);
	quick->loads_end = end;
	quick->texts = keep_elements(builder, builder->texts, sizeof(WpCtfText), &end);
	quick->texts_end = end;
	return TRUE;
}

/* How the event is read without code, if it can be. */
static WpCtfQuick find_quick(Builder *builder, const WpCtfEventPlan *plan)
{
	static const WpCtfQuick none = {.size = G_MAXUINT32};
	WpCtfQuick quick = {0};

	if (plan->n_records == 0)
		return set_quick_size(&quick, plan->align_mask, plan->fixed) ? quick : none;
	if (plan->n_records == 2 || plan->has_cpu || !find_quick_record(builder, plan, &quick))
		return none;
	return quick;
}

static gboolean plan_event(Builder *builder, WpCtfStreamPlan *stream, const WpCtfEventClass *event,
			   WpCtfNode *const *outer, guint32 known, WpCtfEventPlan *plan,
			   GError **error)
{
	const WpLayoutEvent *marker = NULL;
	const WpLayoutEvent *wanted = builder->layout ? wp_layout_find(builder->layout, event->name,
								       &marker)
						      : NULL;
	gboolean cpu_from_packet = (stream->context_has & WP_CTF_HAS(WP_CTF_CPU)) != 0;
	EventScopes *scopes = &builder->scopes;
	gboolean done = TRUE;

	memcpy(scopes->roots, outer, sizeof(scopes->roots));
	if (!build_event(builder, stream->klass, event, scopes, error))
		return FALSE;
	if (wanted) {
		builder->program->kinds |= G_GUINT64_CONSTANT(1) << wanted->kind;
		done = add_record(builder, scopes, wanted, known, cpu_from_packet, plan);
	}
	if (marker && done)
		done = add_record(builder, scopes, marker, known, cpu_from_packet, plan);
	if (!plan->n_records) {
		guint32 pc = wp_ctf_codegen_begin(&builder->gen);

		done = generate_event(builder, scopes, known);
		if (done)
			set_skip(builder, plan, pc);
	}
	return done || decline(error, builder, "event", event->name, builder->gen.failure);
}

/* ---- ids ---- */

/* Room for the ids of all events that are found by them. */
static void make_ids(WpCtfStreamPlan *stream, const GPtrArray *events)
{
	guint32 n = 0;

	for (guint i = 0; i < events->len; i++) {
		const WpCtfEventClass *event = g_ptr_array_index(events, i);

		if (event->id < IDS_DIRECT)
			n = MAX(n, (guint32)event->id + 1);
	}
	stream->n_ids = n;
	stream->by_id = g_new0(guint32, n);
	stream->quick = g_new(WpCtfQuick, n);
	for (guint32 i = 0; i < n; i++)
		stream->quick[i] = (WpCtfQuick){.size = G_MAXUINT32};
}

static void index_event(WpCtfStreamPlan *stream, guint64 id, guint32 index, const WpCtfQuick *quick)
{
	if (id < IDS_DIRECT) {
		if (!stream->by_id[id]) {
			stream->by_id[id] = index + 1;
			stream->quick[id] = *quick;
		}
		return;
	}
	if (!stream->by_large_id)
		stream->by_large_id = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
							    NULL);
	if (!g_hash_table_contains(stream->by_large_id, &id))
		g_hash_table_insert(stream->by_large_id, g_memdup2(&id, sizeof(id)),
				    GUINT_TO_POINTER(index + 1));
}

const WpCtfEventPlan *wp_ctf_stream_plan_find_slow(const WpCtfStreamPlan *stream, guint64 id)
{
	gpointer index = stream->by_large_id ? g_hash_table_lookup(stream->by_large_id, &id) : NULL;

	return index ? &stream->plans[GPOINTER_TO_UINT(index) - 1] : NULL;
}

/* ---- LTTng's event headers ---- */

/* The one number of a struct of one, with the name; else NULL. */
static const WpCtfType *member(const WpCtfType *type, guint i, const gchar *name, WpCtfKind kind)
{
	if (type->kind != WP_CTF_STRUCT || i >= type->n_fields ||
	    !g_str_equal(type->fields[i].name, name) || type->fields[i].type->kind != kind)
		return NULL;
	return type->fields[i].type;
}

/* Two labels: 0 to all but the last value give the short form, the last one the long form. */
static gboolean is_escape(const WpCtfType *id, const WpCtfType *v)
{
	const guint64 last = (G_GUINT64_CONSTANT(1) << id->size) - 1;
	const WpCtfMapping *m = id->mappings;

	return !id->is_signed && id->n_mappings == 2 && v->n_fields == 2 && m[0].low == 0 &&
	       m[0].high == last - 1 && m[1].low == last && m[1].high == last &&
	       g_str_equal(m[0].label, v->fields[0].name) &&
	       g_str_equal(m[1].label, v->fields[1].name) && v->path && g_str_equal(v->path, "id");
}

static guint64 up(guint64 value, guint64 align)
{
	return (value + align - 1) & ~(align - 1);
}

static gboolean is_le(const WpCtfProgram *program, const WpCtfType *type)
{
	return type->order == WP_CTF_ORDER_LE ||
	       (type->order == WP_CTF_ORDER_NATIVE && program->trace->order == WP_CTF_ORDER_LE);
}

/*
 * Recognises LTTng's compact and large event headers, where all offsets are constant
 * and the order is little-endian; others are run as code.
 */
static void find_fast_header(const WpCtfProgram *program, const WpCtfType *header,
			     WpCtfFastHeader *fast)
{
	const WpCtfType *id = header ? member(header, 0, "id", WP_CTF_ENUM) : NULL;
	const WpCtfType *v = header ? member(header, 1, "v", WP_CTF_VARIANT) : NULL;

	if (!id || !v || header->n_fields != 2 || id->size > 16 || !is_escape(id, v))
		return;

	const WpCtfType *shorter = v->fields[0].type, *longer = v->fields[1].type;
	const WpCtfType *short_ticks = member(shorter, 0, "timestamp", WP_CTF_INTEGER);
	const WpCtfType *long_id = member(longer, 0, "id", WP_CTF_INTEGER);
	const WpCtfType *long_ticks = member(longer, 1, "timestamp", WP_CTF_INTEGER);

	if (!short_ticks || !long_id || !long_ticks || shorter->n_fields != 1 ||
	    longer->n_fields != 2 || shorter->align > header->align ||
	    longer->align > header->align || header->align < 8)
		return;

	const guint64 short_at = up(id->size, shorter->align);
	const guint64 id_at = up(id->size, longer->align);
	const guint64 ticks_at = up(id_at + 32, long_ticks->align);

	if (short_at != id->size || short_at + short_ticks->size > 64 || short_ticks->size > 32 ||
	    long_id->size != 32 || long_ticks->size != 64 || id_at % 8 || ticks_at % 8 ||
	    ticks_at > 128 || short_ticks->is_signed || long_id->is_signed ||
	    long_ticks->is_signed || !short_ticks->clock || !long_ticks->clock ||
	    !g_str_equal(short_ticks->clock, long_ticks->clock) || !is_le(program, id) ||
	    !is_le(program, short_ticks) || !is_le(program, long_id) || !is_le(program, long_ticks))
		return;
	fast->id_bits = (guint8)id->size;
	fast->ticks_bits = (guint8)short_ticks->size;
	fast->short_bits = (guint8)(short_at + short_ticks->size);
	fast->long_id = (guint8)(id_at / 8);
	fast->long_ticks = (guint8)(ticks_at / 8);
	fast->long_bits = (guint8)(ticks_at + 64);
	fast->align_mask = header->align - 1;
}

/* ---- streams ---- */

typedef struct {
	WpCtfTree context, header;
} StreamScopes;

static void stream_scopes_clear(StreamScopes *scopes)
{
	wp_ctf_tree_clear(&scopes->context);
	wp_ctf_tree_clear(&scopes->header);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(StreamScopes, stream_scopes_clear)

static gboolean build_stream(Builder *builder, const WpCtfStreamClass *klass, StreamScopes *scopes,
			     WpCtfNode **roots, GError **error)
{
	g_autofree gchar *id = g_strdup_printf("%" G_GUINT64_FORMAT, klass->id);
	GError *cause = NULL;

	roots[WP_CTF_SCOPE_PACKET_HEADER] = builder->header.root;
	if (!wp_ctf_tree_build(&scopes->context, klass->packet_context, WP_CTF_SCOPE_PACKET_CONTEXT,
			       &cause) ||
	    !wp_ctf_tree_build(&scopes->header, klass->event_header, WP_CTF_SCOPE_EVENT_HEADER,
			       &cause))
		return decline_scope(error, builder, "stream", id, cause);
	roots[WP_CTF_SCOPE_PACKET_CONTEXT] = scopes->context.root;
	roots[WP_CTF_SCOPE_EVENT_HEADER] = scopes->header.root;
	if (!wp_ctf_tree_resolve(&scopes->context, roots, builder->registers, &cause) ||
	    !wp_ctf_tree_resolve(&scopes->header, roots, builder->registers, &cause))
		return decline_scope(error, builder, "stream", id, cause);
	return TRUE;
}

/* All ticks of a stream are of one clock: that of its events, else of its packets. */
static gboolean find_clock(Builder *builder, WpCtfStreamPlan *stream, const StreamScopes *scopes,
			   const gchar *name, GError **error)
{
	const WpCtfNode *begin = scopes->context.root ? wp_ctf_node_find(scopes->context.root,
									 "timestamp_begin", NULL)
						      : NULL;
	const gchar *packet_name = begin ? begin->type->clock : NULL;

	if (!name || !*name)
		name = packet_name;
	stream->clock = wp_ctf_trace_find_clock(builder->program->trace, name);
	if (name && !stream->clock)
		return decline(error, builder, "clock", name, "it is not described");
	if (name && packet_name && !g_str_equal(name, packet_name))
		return decline(error, builder, "clock", name, "a stream has two clocks");
	return TRUE;
}

static gboolean plan_events(Builder *builder, WpCtfStreamPlan *stream, WpCtfNode *const *roots,
			    guint32 known, GError **error)
{
	const GPtrArray *events = stream->klass->events;

	stream->plans = g_new0(WpCtfEventPlan, events->len);
	stream->n_plans = events->len;
	make_ids(stream, events);
	for (guint i = 0; i < events->len; i++) {
		const WpCtfEventClass *event = g_ptr_array_index(events, i);

		if (!plan_event(builder, stream, event, roots, known, &stream->plans[i], error))
			return FALSE;

		const WpCtfQuick quick = find_quick(builder, &stream->plans[i]);

		index_event(stream, event->id, i, &quick);
	}
	return TRUE;
}

/* What is known of the position behind an event header: by generating it and forgetting that. */
static guint32 known_behind(Builder *builder, WpCtfTree *header)
{
	WpCtfCodegen probe;
	guint32 known = 1;

	wp_ctf_codegen_init(&probe, builder->program->trace->order);
	wp_ctf_tree_mark(header);
	if (wp_ctf_codegen_node(&probe, header->root)) {
		wp_ctf_codegen_begin(&probe);
		known = probe.known;
	}
	wp_ctf_codegen_clear(&probe);
	return known;
}

/* A header whose fields serve as lengths or tags elsewhere must be run as code. */
static gboolean is_used_outside(const WpCtfTree *header)
{
	for (guint i = 0; i < wp_ctf_tree_n_nodes(header); i++)
		if (wp_ctf_tree_node(header, i)->outside)
			return TRUE;
	return FALSE;
}

static gboolean plan_stream(Builder *builder, const WpCtfStreamClass *klass,
			    WpCtfStreamPlan *stream, GError **error)
{
	const guint n_header = 4; /* of specials: those of packet headers come first */
	WpCtfCodegen *gen = &builder->gen;
	WpCtfNode *roots[WP_CTF_SCOPE_N] = {NULL};
	g_auto(StreamScopes) scopes = {0};
	g_autofree gchar *id = g_strdup_printf("%" G_GUINT64_FORMAT, klass->id);

	stream->klass = klass;
	if (!build_stream(builder, klass, &scopes, roots, error))
		return FALSE;
	stream->context_has = want_specials(&scopes.context, n_header, G_N_ELEMENTS(specials));
	if (want_cpu(builder, &scopes.context))
		stream->context_has |= WP_CTF_HAS(WP_CTF_CPU);

	const gchar *clock = want_event_header(&scopes.header);

	stream->has_ticks = clock != NULL;
	if (!find_clock(builder, stream, &scopes, clock, error) ||
	    !plan_events(builder, stream, roots, known_behind(builder, &scopes.header), error))
		return FALSE;

	wp_ctf_tree_mark(&scopes.context);
	wp_ctf_tree_mark(&scopes.header);
	stream->context_pc = wp_ctf_codegen_begin(gen);
	gen->known = 1;
	if (!wp_ctf_codegen_node(gen, scopes.context.root) || !wp_ctf_codegen_end(gen))
		return decline(error, builder, "stream", id, gen->failure);
	stream->header_pc = wp_ctf_codegen_begin(gen);
	gen->known = 1;
	if (!wp_ctf_codegen_node(gen, scopes.header.root) || !wp_ctf_codegen_end(gen))
		return decline(error, builder, "stream", id, gen->failure);
	if (!is_used_outside(&scopes.header))
		find_fast_header(builder->program, klass->event_header, &stream->fast);
	return TRUE;
}

static gboolean plan_all(Builder *builder, GError **error)
{
	WpCtfProgram *program = builder->program;
	const WpCtfTrace *trace = program->trace;
	WpCtfNode *roots[WP_CTF_SCOPE_N] = {NULL};
	WpCtfCodegen *gen = &builder->gen;
	GError *cause = NULL;

	if (!wp_ctf_tree_build(&builder->header, trace->packet_header, WP_CTF_SCOPE_PACKET_HEADER,
			       &cause))
		return decline_scope(error, builder, "the", "packet header", cause);
	roots[WP_CTF_SCOPE_PACKET_HEADER] = builder->header.root;
	if (!wp_ctf_tree_resolve(&builder->header, roots, builder->registers, &cause))
		return decline_scope(error, builder, "the", "packet header", cause);
	program->streams = g_new0(WpCtfStreamPlan, trace->streams->len);
	program->n_streams = trace->streams->len;
	program->header_has = want_specials(&builder->header, 0, 4);
	for (guint i = 0; i < trace->streams->len; i++)
		if (!plan_stream(builder, g_ptr_array_index(trace->streams, i),
				 &program->streams[i], error))
			return FALSE;
	wp_ctf_tree_mark(&builder->header);
	program->header_pc = wp_ctf_codegen_begin(gen);
	gen->known = 1;
	if (!wp_ctf_codegen_node(gen, builder->header.root) || !wp_ctf_codegen_end(gen))
		return decline(error, builder, "the", "packet header", gen->failure);
	return TRUE;
}

static void builder_init(Builder *builder)
{
	wp_ctf_codegen_init(&builder->gen, builder->program->trace->order);
	builder->loads = g_array_new(FALSE, FALSE, sizeof(WpCtfLoad));
	builder->texts = g_array_new(FALSE, FALSE, sizeof(WpCtfText));
	builder->found = g_array_new(FALSE, FALSE, sizeof(Found));
}

static void builder_clear(Builder *builder)
{
	wp_ctf_codegen_clear(&builder->gen);
	g_array_unref(builder->loads);
	g_array_unref(builder->texts);
	g_array_unref(builder->found);
	wp_ctf_tree_clear(&builder->header);
	event_scopes_clear(&builder->scopes);
}

static void steal_code(WpCtfProgram *program, Builder *builder)
{
	WpCtfCodegen *gen = &builder->gen;
	gsize n_enums;

	program->n_ops = gen->n_ops;
	program->ops = g_steal_pointer(&gen->ops);
	program->n_tables = gen->tables->len;
	program->tables = g_array_steal(gen->tables, NULL);
	program->enums = (const WpCtfType **)g_ptr_array_steal(gen->enums, &n_enums);
	program->n_enums = (guint32)n_enums;
}

WpCtfProgram *wp_ctf_program_new(const WpCtfTrace *trace, WpLayout *layout, const gchar *name,
				 GError **error)
{
	g_autoptr(WpCtfProgram) program = g_new0(WpCtfProgram, 1);
	Builder builder = {.program = program, .layout = layout, .name = name};

	program->trace = trace;
	builder_init(&builder);

	gboolean planned = plan_all(&builder, error);

	steal_code(program, &builder);
	builder_clear(&builder);
	return planned ? g_steal_pointer(&program) : NULL;
}

void wp_ctf_program_free(WpCtfProgram *program)
{
	if (!program)
		return;
	for (guint32 i = 0; i < program->n_tables; i++) {
		g_free(program->tables[i].direct);
		g_free(program->tables[i].cases);
	}
	for (guint32 i = 0; i < program->n_streams; i++) {
		g_free(program->streams[i].plans);
		g_free(program->streams[i].by_id);
		g_free(program->streams[i].quick);
		g_clear_pointer(&program->streams[i].by_large_id, g_hash_table_unref);
	}
	g_free(program->ops);
	wp_arena_clear(&program->memory);
	g_free(program->tables);
	g_free(program->enums);
	g_free(program->streams);
	g_free(program);
}
