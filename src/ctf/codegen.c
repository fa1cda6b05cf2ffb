/* SPDX-License-Identifier: MIT */
/*
 * codegen.c: generates operations.
 *
 * What is known at any place is a power of two that divides the position. While
 * a field's alignment divides what is known of the begin of the open run, its
 * offset in the run is constant; else a new run begins, which aligns itself.
 */
#include "config.h"

#include "ctf/codegen.h"

#define DIRECT_MAX 256u
#define RUN_MAX (G_GUINT64_CONSTANT(1) << 61)

void wp_ctf_codegen_init(WpCtfCodegen *gen, WpCtfOrder native)
{
	*gen = (WpCtfCodegen){.native = native, .known = 1};
	gen->tables = g_array_new(FALSE, TRUE, sizeof(WpCtfTable));
	gen->enums = g_ptr_array_new();
}

void wp_ctf_codegen_clear(WpCtfCodegen *gen)
{
	for (guint i = 0; i < gen->tables->len; i++) {
		g_free(g_array_index(gen->tables, WpCtfTable, i).direct);
		g_free(g_array_index(gen->tables, WpCtfTable, i).cases);
	}
	g_free(gen->ops);
	g_array_unref(gen->tables);
	g_ptr_array_unref(gen->enums);
}

static WpCtfOp *op_at(WpCtfCodegen *gen, guint32 i)
{
	return &gen->ops[i];
}

/* Good until the next one. */
static WpCtfOp *emit(WpCtfCodegen *gen, WpCtfOpCode code)
{
	if (gen->n_ops >= WP_CTF_OPS_MAX) {
		gen->failure = "the description of its events is too large";
		gen->is_too_much = TRUE;
		gen->n_ops--;
	}
	if (gen->n_ops == gen->n_room) {
		gen->n_room = gen->n_room ? gen->n_room * 2 : 256;
		gen->ops = g_renew(WpCtfOp, gen->ops, gen->n_room);
	}

	WpCtfOp *op = &gen->ops[gen->n_ops++];

	*op = (WpCtfOp){.code = (guint8)code};
	return op;
}

static gboolean ok(const WpCtfCodegen *gen)
{
	return gen->failure == NULL;
}

/* The largest power of two that divides both a power of two and a size. */
static guint32 common_alignment(guint32 power, guint64 size)
{
	guint64 low = size & -size;

	return size && low < power ? (guint32)low : power;
}

static guint8 log2_of(guint32 power)
{
	return (guint8)(g_bit_storage(power) - 1);
}

/* ---- runs ---- */

static void close_run(WpCtfCodegen *gen)
{
	if (!gen->run)
		return;

	WpCtfOp *op = op_at(gen, gen->run - 1);

	op->value = gen->run_size;
	gen->known = common_alignment(gen->run_align, gen->run_size);
	if (gen->run == gen->n_ops && !gen->run_size && !op->bits)
		gen->n_ops--;
	gen->run = 0;
}

static void open_run(WpCtfCodegen *gen, guint32 align)
{
	WpCtfOp *op = emit(gen, WP_CTF_OP_RUN);

	op->bits = align > gen->known ? log2_of(align) : 0;
	gen->run = gen->n_ops;
	gen->run_align = MAX(align, gen->known);
	gen->run_size = 0;
}

/* Room for size bits at a multiple of align: its offset in the open run. */
static guint64 place(WpCtfCodegen *gen, guint32 align, guint64 size)
{
	if (gen->run && align > gen->run_align)
		close_run(gen);
	if (!gen->run)
		open_run(gen, align);

	guint64 at = (gen->run_size + align - 1) & ~(guint64)(align - 1);

	gen->run_size = at + size;
	if (gen->run_size > RUN_MAX) {
		gen->failure = "an event is too large";
		gen->run_size = 0;
	}
	return at;
}

static void set_present(WpCtfCodegen *gen, const WpCtfTarget *target)
{
	if (target->bank != WP_CTF_BANK_EVENT)
		return;
	if (target->shared)
		emit(gen, WP_CTF_OP_PRESENT)->slot = target->slot;
	else
		op_at(gen, gen->run - 1)->arg |= 1u << target->slot;
}

/* A target that competes for its slot: what follows is skipped unless it wins. */
static guint32 begin_priority(WpCtfCodegen *gen, const WpCtfTarget *target)
{
	if (!target->shared)
		return 0;

	WpCtfOp *op = emit(gen, WP_CTF_OP_PRIORITY);

	op->slot = target->slot;
	op->bits = target->priority;
	return gen->n_ops;
}

static void end_priority(WpCtfCodegen *gen, guint32 begun)
{
	if (begun)
		op_at(gen, begun - 1)->arg = gen->n_ops - begun;
}

/* ---- numbers ---- */

static WpCtfOrder order_of(const WpCtfCodegen *gen, const WpCtfType *type)
{
	return type->order == WP_CTF_ORDER_NATIVE ? gen->native : type->order;
}

/* The load for a whole number of bytes at a byte; WP_CTF_OP_END if there is none. */
static WpCtfOpCode load_code(const WpCtfType *type, WpCtfOrder order)
{
	gboolean be = order == WP_CTF_ORDER_BE, s = type->is_signed;

	switch (type->size) {
	case 8:
		return s ? WP_CTF_OP_S8 : WP_CTF_OP_U8;
	case 16:
		return be ? (s ? WP_CTF_OP_S16_BE : WP_CTF_OP_U16_BE)
			  : (s ? WP_CTF_OP_S16_LE : WP_CTF_OP_U16_LE);
	case 32:
		return be ? (s ? WP_CTF_OP_S32_BE : WP_CTF_OP_U32_BE)
			  : (s ? WP_CTF_OP_S32_LE : WP_CTF_OP_U32_LE);
	case 64:
		return be ? WP_CTF_OP_64_BE : WP_CTF_OP_64_LE;
	default:
		return WP_CTF_OP_END;
	}
}

static void emit_load(WpCtfCodegen *gen, const WpCtfType *type, guint64 at, guint bank, guint slot)
{
	WpCtfOrder order = order_of(gen, type);
	WpCtfOpCode code = load_code(type, order);
	gboolean bytes = code != WP_CTF_OP_END && gen->run_align >= 8 && at % 8 == 0;
	WpCtfOp *op;

	if (bytes) {
		op = emit(gen, code);
		op->value = at / 8;
	} else {
		op = emit(gen, order == WP_CTF_ORDER_BE ? WP_CTF_OP_BITS_BE : WP_CTF_OP_BITS_LE);
		op->value = at;
		op->bits = (guint8)type->size;
		op->arg = type->is_signed != 0;
	}
	op->bank = (guint8)bank;
	op->slot = (guint8)slot;
}

static guint32 enum_index(WpCtfCodegen *gen, const WpCtfType *type)
{
	for (guint i = gen->enums->len; i-- > 0;)
		if (g_ptr_array_index(gen->enums, i) == type)
			return i;
	g_ptr_array_add(gen->enums, (gpointer)type);
	return gen->enums->len - 1;
}

static void emit_label(WpCtfCodegen *gen, const WpCtfType *type, guint64 at, guint slot)
{
	guint32 index = enum_index(gen, type);

	emit_load(gen, type, at, WP_CTF_BANK_SPECIAL, WP_CTF_SCRATCH);

	WpCtfOp *op = emit(gen, WP_CTF_OP_LABEL);

	op->slot = (guint8)slot;
	op->arg = index;
}

static void emit_clock(WpCtfCodegen *gen, const WpCtfType *type, guint64 at)
{
	emit_load(gen, type, at, WP_CTF_BANK_SPECIAL, WP_CTF_TICKS);
	emit(gen, WP_CTF_OP_CLOCK)->bits = (guint8)type->size;
}

static void emit_bytes(WpCtfCodegen *gen, WpCtfOpCode code, const WpCtfNode *node, guint64 at,
		       const WpCtfTarget *target);

static void emit_number_target(WpCtfCodegen *gen, const WpCtfNode *node, guint64 at,
			       const WpCtfTarget *target)
{
	guint32 begun = begin_priority(gen, target);

	switch (target->kind) {
	case WP_CTF_TARGET_VALUE:
		emit_load(gen, node->type, at, target->bank, target->slot);
		set_present(gen, target);
		break;
	case WP_CTF_TARGET_LABEL:
		emit_label(gen, node->type, at, target->slot);
		break;
	case WP_CTF_TARGET_CLOCK:
		emit_clock(gen, node->type, at);
		break;
	case WP_CTF_TARGET_ADDRESS:
		if (node->type->fixed == 32)
			emit_bytes(gen, WP_CTF_OP_ADDRESS, node, at, target);
		break;
	default:
		break;
	}
	end_priority(gen, begun);
}

static void gen_number(WpCtfCodegen *gen, const WpCtfNode *node)
{
	guint64 at = place(gen, node->type->align, node->type->fixed);

	if (node->reg)
		emit_load(gen, node->type, at,
			  node->scope > WP_CTF_SCOPE_EVENT_HEADER ? WP_CTF_BANK_LOCAL
								  : WP_CTF_BANK_PACKET,
			  node->reg - 1u);
	for (const WpCtfTarget *target = node->targets; target; target = target->next)
		emit_number_target(gen, node, at, target);
}

/* ---- strings, arrays, sequences ---- */

static gboolean is_character(const WpCtfType *type)
{
	return type->kind == WP_CTF_INTEGER && type->size == 8 && type->align == 8;
}

/* The elements of an address: bytes, or larger numbers; else NULL. */
static const WpCtfType *address_element(const WpCtfType *type)
{
	const WpCtfType *element = type->element ? type->element : type;

	return element->kind == WP_CTF_INTEGER && element->size % 8 == 0 &&
			       element->align <= element->size
		       ? element
		       : NULL;
}

static void emit_bytes(WpCtfCodegen *gen, WpCtfOpCode code, const WpCtfNode *node, guint64 at,
		       const WpCtfTarget *target)
{
	const WpCtfType *element = address_element(node->type);

	if (!element || gen->run_align < 8 || at % 8 != 0)
		return;

	WpCtfOp *op = emit(gen, code);

	op->slot = target->slot;
	op->bits = (guint8)element->size;
	op->bank = (guint8)order_of(gen, element);
	op->arg = (guint32)(node->type->fixed / 8);
	op->value = at / 8;
}

static void gen_fixed_array(WpCtfCodegen *gen, const WpCtfNode *node)
{
	const WpCtfType *type = node->type;
	guint64 at = place(gen, type->align, type->fixed);

	for (const WpCtfTarget *target = node->targets; target; target = target->next) {
		guint32 begun = begin_priority(gen, target);

		if (target->kind == WP_CTF_TARGET_TEXT && is_character(type->element) &&
		    type->fixed / 8 <= G_MAXINT32)
			emit_bytes(gen, WP_CTF_OP_TEXT, node, at, target);
		else if (target->kind == WP_CTF_TARGET_ADDRESS &&
			 (type->fixed == 32 || type->fixed == 128))
			emit_bytes(gen, WP_CTF_OP_ADDRESS, node, at, target);
		else if (target->kind == WP_CTF_TARGET_UUID && type->fixed == 128)
			emit_bytes(gen, WP_CTF_OP_UUID, node, at, target);
		end_priority(gen, begun);
	}
}

static void gen_string(WpCtfCodegen *gen, const WpCtfNode *node)
{
	const WpCtfTarget *target = node->targets;

	while (target && target->kind != WP_CTF_TARGET_TEXT)
		target = target->next;
	close_run(gen);

	WpCtfOp *op = emit(gen, WP_CTF_OP_STRING);

	if (target) {
		/* A string is passed over in any case; a shared one is kept only when it wins. */
		op->slot = target->slot;
		op->bits = target->priority;
		op->arg = target->shared ? 2 : 1;
	}
	gen->known = 8;
}

/* The register of a node's length or tag. */
static void set_register(WpCtfOp *op, const WpCtfNode *node)
{
	const WpCtfNode *reference = node->reference;

	op->bank = reference->scope > WP_CTF_SCOPE_EVENT_HEADER ? WP_CTF_BANK_LOCAL
								: WP_CTF_BANK_PACKET;
	op->slot = (guint8)(reference->reg - 1u);
}

/* What keeps the bytes of a sequence comes before what passes them. */
static void gen_sequence_targets(WpCtfCodegen *gen, const WpCtfNode *node)
{
	if (!is_character(node->type->element))
		return;
	for (const WpCtfTarget *target = node->targets; target; target = target->next) {
		guint32 begun = begin_priority(gen, target);
		WpCtfOp *op;

		if (target->kind == WP_CTF_TARGET_TEXT)
			op = emit(gen, WP_CTF_OP_SEQUENCE_TEXT);
		else if (target->kind == WP_CTF_TARGET_ADDRESS)
			op = emit(gen, WP_CTF_OP_SEQUENCE_ADDRESS);
		else
			continue;
		set_register(op, node);
		op->arg = target->slot;
		end_priority(gen, begun);
	}
}

static void gen_fixed_sequence(WpCtfCodegen *gen, const WpCtfNode *node)
{
	const WpCtfType *element = node->type->element;
	guint64 stride = (element->fixed + element->align - 1) & ~(guint64)(element->align - 1);

	if (stride > G_MAXUINT32) {
		gen->failure = "an element of a sequence is too large";
		return;
	}
	close_run(gen);
	gen_sequence_targets(gen, node);

	WpCtfOp *op = emit(gen, WP_CTF_OP_SKIP);

	set_register(op, node);
	op->bits = log2_of(element->align);
	op->arg = (guint32)stride;
	op->value = element->fixed;
	gen->known = MAX(gen->known, element->align);
	gen->known = common_alignment(common_alignment(gen->known, stride), element->fixed);
}

static void gen_loop(WpCtfCodegen *gen, const WpCtfNode *node)
{
	const WpCtfType *type = node->type;

	if (++gen->loops > WP_CTF_LOOPS_MAX) {
		gen->failure = "its arrays are nested too deep";
		return;
	}
	place(gen, type->align, 0);
	close_run(gen);

	WpCtfOp *op = emit(gen, WP_CTF_OP_LOOP);
	guint32 loop = gen->n_ops - 1;

	if (type->kind == WP_CTF_ARRAY) {
		op->bits = 1;
		op->value = type->length;
	} else {
		set_register(op, node);
	}
	gen->known = 1; /* where the elements end varies */
	wp_ctf_codegen_node(gen, node->first);
	close_run(gen);
	emit(gen, WP_CTF_OP_NEXT)->arg = loop + 1;
	op_at(gen, loop)->arg = gen->n_ops;
	gen->known = 1;
	gen->loops--;
}

/* ---- variants ---- */

/* A label and an option are the same with or without an underscore in front. */
static const gchar *bare(const gchar *label)
{
	return label + (*label == '_');
}

/* Options by their bare name, each as a number from 1 on: of two of a name the first. */
static GHashTable *number_options(const WpCtfType *variant)
{
	GHashTable *numbers = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = variant->n_fields; i > 0; i--)
		g_hash_table_insert(numbers, (gpointer)bare(variant->fields[i - 1].name),
				    GUINT_TO_POINTER(i));
	return numbers;
}

static void add_case(GArray *cases, const WpCtfMapping *mapping, guint32 pc, WpCtfTable *table)
{
	WpCtfCase one = {mapping->low, mapping->high, pc};

	g_array_append_val(cases, one);
	if (mapping->low < DIRECT_MAX && (gint64)mapping->high >= 0)
		table->n_direct = MAX(table->n_direct, (guint32)MIN(mapping->high + 1, DIRECT_MAX));
}

/* The small values of a case, as far as no case before it has them. */
static void fill_direct(WpCtfTable *table, const WpCtfCase *one)
{
	const guint64 first = table->is_signed && (gint64)one->low < 0 ? 0 : one->low;

	if (table->is_signed && (gint64)one->high < 0)
		return;
	for (guint64 value = first; value < table->n_direct && value <= one->high; value++)
		if (!table->direct[value])
			table->direct[value] = one->pc;
}

/* pcs: where each option of the variant begins. */
static WpCtfTable make_table(const WpCtfType *variant, const WpCtfType *tag, const guint32 *pcs)
{
	GArray *cases = g_array_new(FALSE, FALSE, sizeof(WpCtfCase));
	g_autoptr(GHashTable) options = number_options(variant);
	WpCtfTable table = {.is_signed = tag->is_signed};

	for (guint m = 0; m < tag->n_mappings; m++) {
		const guint option = GPOINTER_TO_UINT(
			g_hash_table_lookup(options, bare(tag->mappings[m].label)));

		if (option > 0)
			add_case(cases, &tag->mappings[m], pcs[option - 1], &table);
	}
	table.n_cases = cases->len;
	table.cases = (WpCtfCase *)(gpointer)g_array_free(cases, FALSE);
	table.direct = g_new0(guint32, table.n_direct);
	for (guint i = 0; i < table.n_cases; i++)
		fill_direct(&table, &table.cases[i]);
	return table;
}

static void gen_variant(WpCtfCodegen *gen, const WpCtfNode *node)
{
	const WpCtfType *type = node->type;
	g_autofree guint32 *pcs = g_new(guint32, type->n_fields + 1);
	g_autofree guint32 *jumps = g_new(guint32, type->n_fields + 1);
	guint32 i = 0;

	if ((guint64)type->n_fields * node->reference->type->n_mappings > (1u << 24)) {
		gen->failure = "a variant has too many options";
		gen->is_too_much = TRUE;
		return;
	}
	close_run(gen);

	WpCtfOp *op = emit(gen, WP_CTF_OP_SWITCH);
	guint32 known = gen->known, after = gen->known;

	set_register(op, node);
	op->arg = gen->tables->len;
	g_array_set_size(gen->tables, gen->tables->len + 1);
	guint32 table = gen->tables->len - 1;

	for (const WpCtfNode *option = node->first; option; option = option->next, i++) {
		gen->known = known;
		pcs[i] = gen->n_ops;
		wp_ctf_codegen_node(gen, option);
		close_run(gen);
		after = MIN(after, gen->known);
		emit(gen, WP_CTF_OP_JUMP);
		jumps[i] = gen->n_ops - 1;
	}
	while (i-- > 0)
		op_at(gen, jumps[i])->arg = gen->n_ops;
	gen->known = after;
	g_array_index(gen->tables, WpCtfTable, table) = make_table(type, node->reference->type,
								   pcs);
}

/* ---- any ---- */

gboolean wp_ctf_codegen_node(WpCtfCodegen *gen, const WpCtfNode *node)
{
	if (!node || !ok(gen))
		return ok(gen);

	const WpCtfType *type = node->type;

	if (type->fixed != WP_CTF_DYNAMIC && !node->needed) {
		place(gen, type->align, type->fixed);
		return ok(gen);
	}
	switch (type->kind) {
	case WP_CTF_INTEGER:
	case WP_CTF_FLOAT:
	case WP_CTF_ENUM:
		gen_number(gen, node);
		break;
	case WP_CTF_STRING:
		gen_string(gen, node);
		break;
	case WP_CTF_STRUCT:
		place(gen, type->align, 0);
		for (const WpCtfNode *child = node->first; child; child = child->next)
			wp_ctf_codegen_node(gen, child);
		break;
	case WP_CTF_VARIANT:
		gen_variant(gen, node);
		break;
	case WP_CTF_ARRAY:
		if (type->fixed != WP_CTF_DYNAMIC)
			gen_fixed_array(gen, node);
		else
			gen_loop(gen, node);
		break;
	case WP_CTF_SEQUENCE:
		if (type->element->fixed != WP_CTF_DYNAMIC)
			gen_fixed_sequence(gen, node);
		else
			gen_loop(gen, node);
		break;
	}
	return ok(gen);
}

guint32 wp_ctf_codegen_begin(WpCtfCodegen *gen)
{
	close_run(gen);
	return gen->n_ops;
}

void wp_ctf_codegen_constant(WpCtfCodegen *gen, guint slot, guint64 value)
{
	WpCtfOp *op = emit(gen, WP_CTF_OP_CONSTANT);

	op->slot = (guint8)slot;
	op->value = value;
}

gboolean wp_ctf_codegen_end(WpCtfCodegen *gen)
{
	close_run(gen);
	emit(gen, WP_CTF_OP_END);
	return ok(gen);
}
