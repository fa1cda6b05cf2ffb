/* SPDX-License-Identifier: MIT */
/* field-plan.c: field classes from CTF types, and the decoding of their fields. */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "ctf/bits.h"
#include "plugins/ctf/field-plan.h"

typedef enum {
	FIELD_INTEGER, /* enumerations too */
	FIELD_FLOAT,
	FIELD_STRING,
	FIELD_TEXT, /* an array of characters */
	FIELD_TEXT_SEQUENCE,
	FIELD_STRUCT,
	FIELD_VARIANT,
	FIELD_ARRAY,
	FIELD_SEQUENCE
} FieldKind;

/* Which option of a variant tags from low to high select. */
typedef struct {
	guint64 low, high; /* as WpCtfMapping */
	guint option;
} Choice;

#define NOT_IN_IR G_MAXUINT
#define NO_REGISTER G_MAXUINT
/*
 * libbabeltrace2 compares each label of an enumeration with all others, and with each option that is
 * added to a variant the ranges of all options with each other, of which some 32 take it as long as
 * a label: so many times take some ten seconds.
 */
#define COMPARED_MAX (G_GUINT64_CONSTANT(1) << 30)
#define RANGES_AS_LABEL 32u

struct WpFieldPlan {
	FieldKind kind;
	const WpCtfType *type; /* borrowed */
	gboolean little; /* endian */
	guint keep; /* register that the value goes to, NO_REGISTER */
	guint use; /* register of the length or tag */
	guint n_children; /* members, options, or the element */
	WpFieldPlan *children; /* owned array */
	guint member; /* index in the structure that it is a member of; NOT_IN_IR */
	GArray *choices; /* owned: Choice; of a variant */
	gboolean is_signed; /* the tag of a variant */
};

static const gchar *const hidden[] = {
	"timestamp_begin", "timestamp_end",    "content_size",
	"packet_size",     "events_discarded", "packet_seq_num",
};

static guint register_of(const WpCtfNode *node)
{
	if (!node || !node->reg)
		return NO_REGISTER;
	return node->reg - 1u + (node->scope > WP_CTF_SCOPE_EVENT_HEADER ? WP_CTF_REGISTERS : 0);
}

static void plan_clear(WpFieldPlan *plan)
{
	for (guint i = 0; i < plan->n_children; i++)
		plan_clear(&plan->children[i]);
	g_free(plan->children);
	g_clear_pointer(&plan->choices, g_array_unref);
}

void wp_field_plan_free(WpFieldPlan *plan)
{
	if (!plan)
		return;
	plan_clear(plan);
	g_free(plan);
}

/* ---- field classes ---- */

static bt_field_class *decline(GError **error, const WpCtfNode *node, const gchar *why)
{
	if (error && !*error)
		g_set_error(error, WP_ERROR, WP_ERROR_DECLINED, "the field \"%s\" %s",
			    node && node->name ? node->name : "", why);
	return NULL;
}

/* Whether n more labels or options, each of which counts `each` times, can still be compared. */
static gboolean can_compare(WpFieldPlanner *planner, const WpCtfNode *node, guint n, guint each,
			    GError **error)
{
	planner->n_compared += (guint64)n * n * each;
	return planner->n_compared <= COMPARED_MAX ||
	       decline(error, node,
		       "comes after so many labels and options of others, or has so many, that "
		       "Babeltrace would take too long for it") != NULL;
}

static bt_field_class *no_memory(GError **error)
{
	if (error && !*error)
		g_set_error_literal(error, WP_ERROR, WP_ERROR_FAILED,
				    "there is no memory for its fields");
	return NULL;
}

static gboolean add_range(const WpCtfMapping *m, bt_integer_range_set_unsigned *unsigned_ranges,
			  bt_integer_range_set_signed *signed_ranges)
{
	if (unsigned_ranges)
		return bt_integer_range_set_unsigned_add_range(unsigned_ranges, m->low, m->high) ==
		       BT_INTEGER_RANGE_SET_ADD_RANGE_STATUS_OK;
	return bt_integer_range_set_signed_add_range(signed_ranges, (gint64)m->low,
						     (gint64)m->high) ==
	       BT_INTEGER_RANGE_SET_ADD_RANGE_STATUS_OK;
}

static gboolean is_empty(const WpCtfType *type, const WpCtfMapping *m)
{
	return type->is_signed ? (gint64)m->low > (gint64)m->high : m->low > m->high;
}

static void free_group(gpointer group)
{
	g_array_unref(group);
}

/* The mappings of an enumeration that are not empty, by label: GArray of guint, in order. Owned by the caller. */
static GHashTable *group_mappings(const WpCtfType *type)
{
	GHashTable *groups = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_group);

	for (guint i = 0; i < type->n_mappings; i++) {
		const WpCtfMapping *m = &type->mappings[i];
		GArray *group;

		if (is_empty(type, m))
			continue;
		group = g_hash_table_lookup(groups, m->label);
		if (!group) {
			group = g_array_sized_new(FALSE, FALSE, sizeof(guint), 1);
			g_hash_table_insert(groups, (gpointer)m->label, group);
		}
		g_array_append_val(group, i);
	}
	return groups;
}

/* Adds the ranges of the mappings of a group; FALSE: out of memory. */
static gboolean add_ranges(const WpCtfType *type, const GArray *group,
			   bt_integer_range_set_unsigned *unsigned_ranges,
			   bt_integer_range_set_signed *signed_ranges)
{
	for (guint i = 0; i < group->len; i++)
		if (!add_range(&type->mappings[g_array_index(group, guint, i)], unsigned_ranges,
			       signed_ranges))
			return FALSE;
	return TRUE;
}

/* A label that several ranges have is one mapping of the trace IR. */
static gboolean add_mapping(bt_field_class *klass, const WpCtfType *type, const gchar *label,
			    const GArray *group)
{
	bt_integer_range_set_unsigned *unsigned_ranges =
		type->is_signed ? NULL : bt_integer_range_set_unsigned_create();
	bt_integer_range_set_signed *signed_ranges = type->is_signed
							     ? bt_integer_range_set_signed_create()
							     : NULL;
	gboolean ok = (unsigned_ranges || signed_ranges) &&
		      add_ranges(type, group, unsigned_ranges, signed_ranges);

	if (ok && unsigned_ranges)
		ok = bt_field_class_enumeration_unsigned_add_mapping(klass, label,
								     unsigned_ranges) ==
		     BT_FIELD_CLASS_ENUMERATION_ADD_MAPPING_STATUS_OK;
	else if (ok)
		ok = bt_field_class_enumeration_signed_add_mapping(klass, label, signed_ranges) ==
		     BT_FIELD_CLASS_ENUMERATION_ADD_MAPPING_STATUS_OK;
	bt_integer_range_set_unsigned_put_ref(unsigned_ranges);
	bt_integer_range_set_signed_put_ref(signed_ranges);
	return ok;
}

static gboolean add_mappings(bt_field_class *klass, const WpCtfType *type)
{
	g_autoptr(GHashTable) groups = group_mappings(type);

	for (guint i = 0; i < type->n_mappings; i++) {
		const gchar *label = type->mappings[i].label;
		const GArray *group = g_hash_table_lookup(groups, label);

		/* with the first of them */
		if (group && g_array_index(group, guint, 0) == i &&
		    !add_mapping(klass, type, label, group))
			return FALSE;
	}
	return TRUE;
}

static bt_field_class *create_integer(const WpFieldPlanner *planner, const WpCtfType *type)
{
	bt_trace_class *tc = planner->trace_class;
	bt_field_class *klass;

	if (type->kind == WP_CTF_ENUM)
		klass = type->is_signed ? bt_field_class_enumeration_signed_create(tc)
					: bt_field_class_enumeration_unsigned_create(tc);
	else
		klass = type->is_signed ? bt_field_class_integer_signed_create(tc)
					: bt_field_class_integer_unsigned_create(tc);
	if (!klass)
		return NULL;
	bt_field_class_integer_set_field_value_range(klass, type->size);
	if (type->base)
		bt_field_class_integer_set_preferred_display_base(
			klass, (bt_field_class_integer_preferred_display_base)type->base);
	if (type->kind == WP_CTF_ENUM && !add_mappings(klass, type))
		BT_FIELD_CLASS_PUT_REF_AND_RESET(klass);
	return klass;
}

/* ---- plans ---- */

static gboolean make(WpFieldPlanner *planner, const WpCtfNode *node, const WpCtfType *type,
		     gboolean in_ir, WpFieldPlan *plan, bt_field_class **ret_class, GError **error);

/*
 * What the trace IR calls the members of a structure or the options of a variant: without a leading
 * underscore, unless another has that name. A name that comes twice ends Babeltrace, so the later
 * one gets a number.
 */
static GPtrArray *names_in_ir(const WpCtfType *type)
{
	g_autoptr(GHashTable) given = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GHashTable) used = g_hash_table_new(g_str_hash, g_str_equal);
	GPtrArray *names = g_ptr_array_new_full(type->n_fields, g_free);
	guint number = 1;

	for (guint i = 0; i < type->n_fields; i++)
		g_hash_table_add(given, (gpointer)type->fields[i].name);
	for (guint i = 0; i < type->n_fields; i++) {
		const gchar *field = type->fields[i].name;
		const gboolean strip = field[0] == '_' && field[1] &&
				       !g_hash_table_contains(given, field + 1);
		gchar *name = g_strdup(strip ? field + 1 : field);

		while (g_hash_table_contains(used, name)) {
			g_free(name);
			name = g_strdup_printf("%s_%u", field, ++number);
		}
		g_hash_table_add(used, name);
		g_ptr_array_add(names, name);
	}
	return names;
}

static gboolean is_hidden(const WpCtfNode *child)
{
	if (child->scope != WP_CTF_SCOPE_PACKET_CONTEXT || child->parent->parent)
		return FALSE;
	for (guint i = 0; i < G_N_ELEMENTS(hidden); i++)
		if (g_str_equal(child->name, hidden[i]) &&
		    (child->type->kind == WP_CTF_INTEGER || child->type->kind == WP_CTF_ENUM))
			return TRUE;
	return FALSE;
}

static guint count_children(const WpCtfNode *node)
{
	guint n = 0;

	for (const WpCtfNode *child = node->first; child; child = child->next)
		n++;
	return n;
}

static gboolean make_members(WpFieldPlanner *planner, const WpCtfNode *node, bt_field_class *klass,
			     WpFieldPlan *plan, GError **error)
{
	g_autoptr(GPtrArray) names = names_in_ir(node->type);
	guint n_in_ir = 0;

	plan->children = g_new0(WpFieldPlan, MAX(count_children(node), 1));
	for (const WpCtfNode *child = node->first; child; child = child->next) {
		const gchar *name = g_ptr_array_index(names, plan->n_children);
		WpFieldPlan *member = &plan->children[plan->n_children++];
		gboolean in_ir = klass && !is_hidden(child);
		bt_field_class *member_class = NULL;
		gboolean ok = make(planner, child, child->type, in_ir, member,
				   in_ir ? &member_class : NULL, error);

		member->member = in_ir ? n_in_ir++ : NOT_IN_IR;
		if (ok && in_ir &&
		    bt_field_class_structure_append_member(klass, name, member_class) !=
			    BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK)
			ok = no_memory(error) != NULL;
		bt_field_class_put_ref(member_class);
		if (!ok)
			return FALSE;
	}
	return TRUE;
}

/* A structure of a fixed size within an array has no nodes: nothing refers to its fields. */
static gboolean make_plain_members(WpFieldPlanner *planner, const WpCtfType *type,
				   bt_field_class *klass, WpFieldPlan *plan, GError **error)
{
	g_autoptr(GPtrArray) names = names_in_ir(type);

	plan->children = g_new0(WpFieldPlan, MAX(type->n_fields, 1));
	for (guint i = 0; i < type->n_fields; i++) {
		WpFieldPlan *member = &plan->children[plan->n_children++];
		bt_field_class *member_class = NULL;
		gboolean ok = make(planner, NULL, type->fields[i].type, klass != NULL, member,
				   klass ? &member_class : NULL, error);

		member->member = klass ? i : NOT_IN_IR;
		if (ok && klass &&
		    bt_field_class_structure_append_member(klass, g_ptr_array_index(names, i),
							   member_class) !=
			    BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK)
			ok = no_memory(error) != NULL;
		bt_field_class_put_ref(member_class);
		if (!ok)
			return FALSE;
	}
	return TRUE;
}

static gboolean make_struct(WpFieldPlanner *planner, const WpCtfNode *node, const WpCtfType *type,
			    gboolean in_ir, WpFieldPlan *plan, bt_field_class **ret_class,
			    GError **error)
{
	bt_field_class *klass = in_ir ? bt_field_class_structure_create(planner->trace_class)
				      : NULL;
	gboolean ok = !in_ir || klass || no_memory(error);

	plan->kind = FIELD_STRUCT;
	ok = ok && (node ? make_members(planner, node, klass, plan, error)
			 : make_plain_members(planner, type, klass, plan, error));
	if (!ok)
		BT_FIELD_CLASS_PUT_REF_AND_RESET(klass);
	else if (in_ir)
		*ret_class = klass;
	return ok;
}

/* groups: of the tag's mappings. */
static void find_choices(const WpCtfNode *node, GHashTable *groups, WpFieldPlan *plan)
{
	const WpCtfType *tag = node->reference->type;
	guint option = 0;

	plan->is_signed = tag->is_signed;
	plan->choices = g_array_new(FALSE, FALSE, sizeof(Choice));
	for (const WpCtfNode *child = node->first; child; child = child->next, option++) {
		const GArray *group = g_hash_table_lookup(groups, child->name);

		for (guint i = 0; group && i < group->len; i++) {
			const WpCtfMapping *m = &tag->mappings[g_array_index(group, guint, i)];
			Choice choice = {m->low, m->high, option};

			g_array_append_val(plan->choices, choice);
		}
	}
}

static gint compare_unsigned(gconstpointer a, gconstpointer b)
{
	const guint64 x = ((const Choice *)a)->low, y = ((const Choice *)b)->low;

	return (x > y) - (x < y);
}

static gint compare_signed(gconstpointer a, gconstpointer b)
{
	const gint64 x = (gint64)((const Choice *)a)->low, y = (gint64)((const Choice *)b)->low;

	return (x > y) - (x < y);
}

static gboolean is_behind(const WpFieldPlan *plan, guint64 low, guint64 high)
{
	return plan->is_signed ? (gint64)low > (gint64)high : low > high;
}

/* Whether each option has a range, and no value two options, as the trace IR asks for. */
static gboolean can_select(const WpFieldPlan *plan, guint n_options)
{
	g_autoptr(GArray) sorted = g_array_copy(plan->choices);
	guint n_named = 0;

	for (guint i = 0; i < sorted->len; i++)
		n_named += i == 0 || g_array_index(sorted, Choice, i - 1).option !=
					     g_array_index(sorted, Choice, i).option;
	g_array_sort(sorted, plan->is_signed ? compare_signed : compare_unsigned);
	for (guint i = 1; i < sorted->len; i++)
		if (!is_behind(plan, g_array_index(sorted, Choice, i).low,
			       g_array_index(sorted, Choice, i - 1).high))
			return FALSE;
	return n_named == n_options;
}

/* group: of the tag's mappings, those with the option's label; NULL: without a selector. */
static gboolean append_option(bt_field_class *variant, const gchar *name, bt_field_class *klass,
			      const WpCtfType *tag, const GArray *group)
{
	bt_integer_range_set_unsigned *unsigned_ranges;
	bt_integer_range_set_signed *signed_ranges;
	gboolean ok;

	if (!group)
		return bt_field_class_variant_without_selector_append_option(variant, name,
									     klass) ==
		       BT_FIELD_CLASS_VARIANT_WITHOUT_SELECTOR_FIELD_APPEND_OPTION_STATUS_OK;
	if (tag->is_signed) {
		signed_ranges = bt_integer_range_set_signed_create();
		ok = signed_ranges && add_ranges(tag, group, NULL, signed_ranges) &&
		     bt_field_class_variant_with_selector_field_integer_signed_append_option(
			     variant, name, klass, signed_ranges) ==
			     BT_FIELD_CLASS_VARIANT_WITH_SELECTOR_FIELD_APPEND_OPTION_STATUS_OK;
		bt_integer_range_set_signed_put_ref(signed_ranges);
		return ok;
	}
	unsigned_ranges = bt_integer_range_set_unsigned_create();
	ok = unsigned_ranges && add_ranges(tag, group, unsigned_ranges, NULL) &&
	     bt_field_class_variant_with_selector_field_integer_unsigned_append_option(
		     variant, name, klass, unsigned_ranges) ==
		     BT_FIELD_CLASS_VARIANT_WITH_SELECTOR_FIELD_APPEND_OPTION_STATUS_OK;
	bt_integer_range_set_unsigned_put_ref(unsigned_ranges);
	return ok;
}

/* groups: of the tag's mappings; NULL: the options are not selected by it. */
static gboolean make_options(WpFieldPlanner *planner, const WpCtfNode *node, bt_field_class *klass,
			     GHashTable *groups, WpFieldPlan *plan, GError **error)
{
	g_autoptr(GPtrArray) names = names_in_ir(node->type);

	for (const WpCtfNode *child = node->first; child; child = child->next) {
		const gchar *name = g_ptr_array_index(names, plan->n_children);
		WpFieldPlan *option = &plan->children[plan->n_children++];
		bt_field_class *option_class = NULL;
		gboolean ok = make(planner, child, child->type, klass != NULL, option,
				   klass ? &option_class : NULL, error);

		option->member = NOT_IN_IR;
		if (ok && klass &&
		    !append_option(klass, name, option_class, node->reference->type,
				   groups ? g_hash_table_lookup(groups, child->name) : NULL))
			ok = no_memory(error) != NULL;
		bt_field_class_put_ref(option_class);
		if (!ok)
			return FALSE;
	}
	return TRUE;
}

static gboolean make_variant(WpFieldPlanner *planner, const WpCtfNode *node, gboolean in_ir,
			     WpFieldPlan *plan, bt_field_class **ret_class, GError **error)
{
	const guint n = count_children(node);
	g_autoptr(GHashTable) groups = group_mappings(node->reference->type);
	bt_field_class *klass = NULL, *selector;

	plan->kind = FIELD_VARIANT;
	plan->use = register_of(node->reference);
	find_choices(node, groups, plan);
	if (!n)
		return decline(error, node, "is a variant without options") != NULL;
	plan->children = g_new0(WpFieldPlan, n);
	selector = g_hash_table_lookup(planner->classes, node->reference);
	if (!can_select(plan, n))
		selector = NULL;
	if (in_ir) {
		if (!can_compare(planner, node, n, 1 + n / RANGES_AS_LABEL, error))
			return FALSE;
		klass = bt_field_class_variant_create(planner->trace_class, selector);
		if (!klass)
			return no_memory(error) != NULL;
	}
	if (!make_options(planner, node, klass, selector ? groups : NULL, plan, error)) {
		bt_field_class_put_ref(klass);
		return FALSE;
	}
	if (in_ir)
		*ret_class = klass;
	return TRUE;
}

static gboolean is_character(const WpCtfType *element)
{
	return element->kind == WP_CTF_INTEGER && element->text && element->size == 8 &&
	       element->align <= 8;
}

static bt_field_class *create_array(const WpFieldPlanner *planner, const WpCtfNode *node,
				    const WpCtfType *type, bt_field_class *element)
{
	bt_field_class *length = NULL;

	if (type->kind == WP_CTF_ARRAY)
		return bt_field_class_array_static_create(planner->trace_class, element,
							  type->length);
	/* a length must be without a sign to be one for the trace IR */
	if (!node->reference->type->is_signed)
		length = g_hash_table_lookup(planner->classes, node->reference);
	return bt_field_class_array_dynamic_create(planner->trace_class, element, length);
}

static gboolean make_array(WpFieldPlanner *planner, const WpCtfNode *node, const WpCtfType *type,
			   gboolean in_ir, WpFieldPlan *plan, bt_field_class **ret_class,
			   GError **error)
{
	const gboolean sequence = type->kind == WP_CTF_SEQUENCE;
	bt_field_class *element = NULL;
	gboolean ok;

	plan->use = sequence ? register_of(node->reference) : NO_REGISTER;
	if (is_character(type->element)) {
		plan->kind = sequence ? FIELD_TEXT_SEQUENCE : FIELD_TEXT;
		if (in_ir)
			*ret_class = bt_field_class_string_create(planner->trace_class);
		return !in_ir || *ret_class || no_memory(error);
	}
	plan->kind = sequence ? FIELD_SEQUENCE : FIELD_ARRAY;
	plan->children = g_new0(WpFieldPlan, 1);
	plan->n_children = 1;
	ok = make(planner, node ? node->first : NULL, type->element, in_ir, &plan->children[0],
		  in_ir ? &element : NULL, error);
	if (ok && in_ir) {
		*ret_class = create_array(planner, node, type, element);
		ok = *ret_class || no_memory(error);
	}
	bt_field_class_put_ref(element);
	return ok;
}

static gboolean make_scalar(WpFieldPlanner *planner, const WpCtfNode *node, const WpCtfType *type,
			    gboolean in_ir, WpFieldPlan *plan, bt_field_class **ret_class,
			    GError **error)
{
	bt_trace_class *tc = planner->trace_class;
	bt_field_class *klass = NULL;

	plan->kind = type->kind == WP_CTF_STRING  ? FIELD_STRING
		     : type->kind == WP_CTF_FLOAT ? FIELD_FLOAT
						  : FIELD_INTEGER;
	plan->little = type->order == WP_CTF_ORDER_LE ||
		       (type->order == WP_CTF_ORDER_NATIVE && planner->native == WP_CTF_ORDER_LE);
	if (type->kind == WP_CTF_FLOAT && type->size != 32 && type->size != 64)
		return decline(error, node, "is a real number of a size that is not known") != NULL;
	if (!in_ir)
		return TRUE;
	if (!can_compare(planner, node, type->n_mappings, 1, error))
		return FALSE;
	if (type->kind == WP_CTF_STRING)
		klass = bt_field_class_string_create(tc);
	else if (type->kind == WP_CTF_FLOAT)
		klass = type->size == 32 ? bt_field_class_real_single_precision_create(tc)
					 : bt_field_class_real_double_precision_create(tc);
	else
		klass = create_integer(planner, type);
	if (klass && node && node->reg && plan->kind == FIELD_INTEGER)
		g_hash_table_insert(planner->classes, (gpointer)node, klass);
	*ret_class = klass;
	return klass || no_memory(error);
}

/* Recursion is as deep as types are. */
static gboolean make(WpFieldPlanner *planner, const WpCtfNode *node, const WpCtfType *type,
		     gboolean in_ir, WpFieldPlan *plan, bt_field_class **ret_class, GError **error)
{
	plan->type = type;
	plan->keep = register_of(node);
	plan->use = NO_REGISTER;
	plan->member = NOT_IN_IR;
	switch (type->kind) {
	case WP_CTF_STRUCT:
		return make_struct(planner, node, type, in_ir, plan, ret_class, error);
	case WP_CTF_VARIANT:
		return make_variant(planner, node, in_ir, plan, ret_class, error);
	case WP_CTF_ARRAY:
	case WP_CTF_SEQUENCE:
		return make_array(planner, node, type, in_ir, plan, ret_class, error);
	case WP_CTF_INTEGER:
	case WP_CTF_ENUM:
	case WP_CTF_FLOAT:
	case WP_CTF_STRING:
		break;
	}
	return make_scalar(planner, node, type, in_ir, plan, ret_class, error);
}

WpFieldPlan *wp_field_plan_new(WpFieldPlanner *planner, const WpCtfNode *root, gboolean in_ir,
			       bt_field_class **ret_class, GError **error)
{
	g_autoptr(WpFieldPlan) plan = g_new0(WpFieldPlan, 1);

	return make(planner, root, root->type, in_ir, plan, ret_class, error)
		       ? g_steal_pointer(&plan)
		       : NULL;
}

/* ---- decoding ---- */

static void align(WpFieldCursor *cursor, guint32 bits)
{
	cursor->pos = (cursor->pos + bits - 1) & ~(guint64)(bits - 1);
}

static gboolean has_bits(const WpFieldCursor *cursor, guint64 bits)
{
	return cursor->pos <= cursor->end && bits <= cursor->end - cursor->pos;
}

static guint64 load(const WpFieldCursor *cursor, const WpFieldPlan *plan)
{
	const guint size = plan->type->size;
	const guint8 *p = cursor->data + (cursor->pos >> 3);
	guint64 wide;
	guint32 narrow;

	if (plan->little && !(cursor->pos & 7)) {
		switch (size) {
		case 8:
			return *p;
		case 32:
			memcpy(&narrow, p, sizeof(narrow));
			return GUINT32_FROM_LE(narrow);
		case 64:
			memcpy(&wide, p, sizeof(wide));
			return GUINT64_FROM_LE(wide);
		default:
			break;
		}
	}
	return plan->little ? wp_ctf_bits_le(cursor->data, cursor->pos, size)
			    : wp_ctf_bits_be(cursor->data, cursor->pos, size);
}

static WpFieldStatus decode_integer(const WpFieldPlan *plan, WpFieldCursor *cursor, bt_field *field)
{
	const WpCtfType *type = plan->type;
	guint64 value;

	align(cursor, type->align);
	if (!has_bits(cursor, type->size))
		return WP_FIELD_DAMAGED;
	value = load(cursor, plan);
	if (type->is_signed)
		value = wp_ctf_sign_extend(value, type->size);
	cursor->pos += type->size;
	if (plan->keep != NO_REGISTER)
		cursor->registers[plan->keep] = value;
	if (field && type->is_signed)
		bt_field_integer_signed_set_value(field, (gint64)value);
	else if (field)
		bt_field_integer_unsigned_set_value(field, value);
	return WP_FIELD_OK;
}

static WpFieldStatus decode_float(const WpFieldPlan *plan, WpFieldCursor *cursor, bt_field *field)
{
	const guint32 size = plan->type->size;
	guint64 bits;
	guint32 narrow;
	gfloat single;
	gdouble real;

	align(cursor, plan->type->align);
	if (!has_bits(cursor, size))
		return WP_FIELD_DAMAGED;
	bits = load(cursor, plan);
	cursor->pos += size;
	if (!field)
		return WP_FIELD_OK;
	if (size == 32) {
		narrow = (guint32)bits;
		memcpy(&single, &narrow, sizeof(single));
		bt_field_real_single_precision_set_value(field, single);
	} else {
		memcpy(&real, &bits, sizeof(real));
		bt_field_real_double_precision_set_value(field, real);
	}
	return WP_FIELD_OK;
}

/* The first NUL ends it. Clearing alone would leave the text of an event before. */
static WpFieldStatus set_text(bt_field *field, const guint8 *bytes, guint64 length)
{
	const guint8 *nul = length ? memchr(bytes, 0, length) : NULL;

	if (nul || !length)
		return bt_field_string_set_value(field, length ? (const gchar *)bytes : "") ==
				       BT_FIELD_STRING_SET_VALUE_STATUS_OK
			       ? WP_FIELD_OK
			       : WP_FIELD_NO_MEMORY;
	bt_field_string_clear(field);
	return bt_field_string_append_with_length(field, (const gchar *)bytes, length) ==
			       BT_FIELD_STRING_APPEND_STATUS_OK
		       ? WP_FIELD_OK
		       : WP_FIELD_NO_MEMORY;
}

static WpFieldStatus decode_string(WpFieldCursor *cursor, bt_field *field)
{
	const guint8 *begin, *nul;

	align(cursor, 8);
	if (cursor->pos >= cursor->end)
		return WP_FIELD_DAMAGED;
	begin = cursor->data + (cursor->pos >> 3);
	nul = memchr(begin, 0, (gsize)((cursor->end - cursor->pos) >> 3));
	if (!nul)
		return WP_FIELD_DAMAGED;
	cursor->pos += (guint64)(nul + 1 - begin) << 3;
	return field ? set_text(field, begin, (guint64)(nul - begin) + 1) : WP_FIELD_OK;
}

static WpFieldStatus decode_text(const WpFieldPlan *plan, WpFieldCursor *cursor, guint64 length,
				 bt_field *field)
{
	const guint8 *begin;

	/* characters need not begin at a byte only where a length of bits stands before */
	align(cursor, MAX(plan->type->align, 8));
	if (cursor->pos > cursor->end || length > (cursor->end - cursor->pos) >> 3)
		return WP_FIELD_DAMAGED;
	begin = cursor->data + (cursor->pos >> 3);
	cursor->pos += length << 3;
	return field ? set_text(field, begin, length) : WP_FIELD_OK;
}

static WpFieldStatus decode_struct(const WpFieldPlan *plan, WpFieldCursor *cursor, bt_field *field)
{
	align(cursor, plan->type->align);
	for (guint i = 0; i < plan->n_children; i++) {
		const WpFieldPlan *child = &plan->children[i];
		bt_field *member = field && child->member != NOT_IN_IR
					   ? bt_field_structure_borrow_member_field_by_index(
						     field, child->member)
					   : NULL;
		WpFieldStatus status = wp_field_plan_decode(child, cursor, member);

		if (status != WP_FIELD_OK)
			return status;
	}
	return WP_FIELD_OK;
}

static WpFieldStatus decode_variant(const WpFieldPlan *plan, WpFieldCursor *cursor, bt_field *field)
{
	const guint64 tag = cursor->registers[plan->use];

	for (guint i = 0; i < plan->choices->len; i++) {
		const Choice *choice = &g_array_index(plan->choices, Choice, i);

		if (plan->is_signed ? (gint64)tag < (gint64)choice->low ||
					      (gint64)tag > (gint64)choice->high
				    : tag < choice->low || tag > choice->high)
			continue;
		if (field && bt_field_variant_select_option_by_index(field, choice->option) !=
				     BT_FIELD_VARIANT_SELECT_OPTION_STATUS_OK)
			return WP_FIELD_NO_MEMORY;
		return wp_field_plan_decode(
			&plan->children[choice->option], cursor,
			field ? bt_field_variant_borrow_selected_option_field(field) : NULL);
	}
	return WP_FIELD_DAMAGED;
}

static WpFieldStatus decode_array(const WpFieldPlan *plan, WpFieldCursor *cursor, guint64 length,
				  bt_field *field)
{
	align(cursor, plan->type->align);
	/* an element has at least a bit, or nothing says that there are so many */
	if (!has_bits(cursor, length))
		return WP_FIELD_DAMAGED;
	if (field && plan->kind == FIELD_SEQUENCE &&
	    bt_field_array_dynamic_set_length(field, length) !=
		    BT_FIELD_DYNAMIC_ARRAY_SET_LENGTH_STATUS_OK)
		return WP_FIELD_NO_MEMORY;
	for (guint64 i = 0; i < length; i++) {
		bt_field *element = field ? bt_field_array_borrow_element_field_by_index(field, i)
					  : NULL;
		WpFieldStatus status = wp_field_plan_decode(&plan->children[0], cursor, element);

		if (status != WP_FIELD_OK)
			return status;
	}
	return WP_FIELD_OK;
}

WpFieldStatus wp_field_plan_decode(const WpFieldPlan *plan, WpFieldCursor *cursor, bt_field *field)
{
	switch (plan->kind) {
	case FIELD_INTEGER:
		return decode_integer(plan, cursor, field);
	case FIELD_FLOAT:
		return decode_float(plan, cursor, field);
	case FIELD_STRING:
		return decode_string(cursor, field);
	case FIELD_TEXT:
		return decode_text(plan, cursor, plan->type->length, field);
	case FIELD_TEXT_SEQUENCE:
		return decode_text(plan, cursor, cursor->registers[plan->use], field);
	case FIELD_STRUCT:
		return decode_struct(plan, cursor, field);
	case FIELD_VARIANT:
		return decode_variant(plan, cursor, field);
	case FIELD_ARRAY:
		return decode_array(plan, cursor, plan->type->length, field);
	case FIELD_SEQUENCE:
		return decode_array(plan, cursor, cursor->registers[plan->use], field);
	}
	return WP_FIELD_DAMAGED;
}
