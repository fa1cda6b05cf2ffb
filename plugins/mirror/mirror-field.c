/* SPDX-License-Identifier: MIT */
/*
 * mirror-field.c: copies of field values: the class of the copy is a copy of the class.
 *
 * What events have most of, structures of integers and texts, is copied by a plan, which knows the
 * members' types once for all events of a class; everything else by the type that a field says
 * that it has.
 */
#include "config.h"

#include "plugins/mirror/mirror-private.h"

typedef enum { COPY_UNSIGNED, COPY_SIGNED, COPY_TEXT, COPY_BY_TYPE } Copying;

struct MirrorPlan {
	guint64 n;
	guint8 members[]; /* Copying */
};

static Copying copying_of(const bt_field_class *fc)
{
	bt_field_class_type type = bt_field_class_get_type(fc);

	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		return COPY_UNSIGNED;
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
		return COPY_SIGNED;
	return type == BT_FIELD_CLASS_TYPE_STRING ? COPY_TEXT : COPY_BY_TYPE;
}

MirrorPlan *wp_mirror_plan_new(const bt_field_class *structure)
{
	guint64 n = structure ? bt_field_class_structure_get_member_count(structure) : 0;
	MirrorPlan *plan;

	if (!structure)
		return NULL;
	plan = g_malloc(sizeof(*plan) + n);
	plan->n = n;
	for (guint64 i = 0; i < n; i++)
		plan->members[i] = (guint8)copying_of(
			bt_field_class_structure_member_borrow_field_class_const(
				bt_field_class_structure_borrow_member_by_index_const(structure,
										      i)));
	return plan;
}

static gboolean copy_structure(const bt_field *in, bt_field *out, GError **error)
{
	guint64 n = bt_field_class_structure_get_member_count(bt_field_borrow_class_const(in));

	for (guint64 i = 0; i < n; i++)
		if (!wp_mirror_field_copy(
			    bt_field_structure_borrow_member_field_by_index_const(in, i),
			    bt_field_structure_borrow_member_field_by_index(out, i), error))
			return FALSE;
	return TRUE;
}

static gboolean copy_elements(const bt_field *in, bt_field *out, GError **error)
{
	guint64 n = bt_field_array_get_length(in);

	for (guint64 i = 0; i < n; i++)
		if (!wp_mirror_field_copy(bt_field_array_borrow_element_field_by_index_const(in, i),
					  bt_field_array_borrow_element_field_by_index(out, i),
					  error))
			return FALSE;
	return TRUE;
}

static gboolean copy_dynamic_array(const bt_field *in, bt_field *out, GError **error)
{
	if (bt_field_array_dynamic_set_length(out, bt_field_array_get_length(in)) !=
	    BT_FIELD_DYNAMIC_ARRAY_SET_LENGTH_STATUS_OK)
		return wp_mirror_no_memory(error);
	return copy_elements(in, out, error);
}

/*
 * By the length: where a string is empty, bt_field_string_get_value() of Babeltrace 2.0 may
 * give the text that the field held before.
 */
static gboolean copy_string(const bt_field *in, bt_field *out, GError **error)
{
	guint64 length = bt_field_string_get_length(in);

	if (bt_field_string_set_value(out, length ? bt_field_string_get_value(in) : "") !=
	    BT_FIELD_STRING_SET_VALUE_STATUS_OK)
		return wp_mirror_no_memory(error);
	return TRUE;
}

static gboolean copy_option(const bt_field *in, bt_field *out, GError **error)
{
	const bt_field *content = bt_field_option_borrow_field_const(in);

	bt_field_option_set_has_field(out, content != NULL);
	return !content || wp_mirror_field_copy(content, bt_field_option_borrow_field(out), error);
}

static gboolean copy_variant(const bt_field *in, bt_field *out, GError **error)
{
	/* selecting can't fail: the copy has the same options */
	(void)bt_field_variant_select_option_by_index(
		out, bt_field_variant_get_selected_option_index(in));
	return wp_mirror_field_copy(bt_field_variant_borrow_selected_option_field_const(in),
				    bt_field_variant_borrow_selected_option_field(out), error);
}

gboolean wp_mirror_field_copy(const bt_field *in, bt_field *out, GError **error)
{
	bt_field_class_type type = bt_field_get_class_type(in);

	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		bt_field_integer_unsigned_set_value(out, bt_field_integer_unsigned_get_value(in));
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
		bt_field_integer_signed_set_value(out, bt_field_integer_signed_get_value(in));
	else if (type == BT_FIELD_CLASS_TYPE_STRUCTURE)
		return copy_structure(in, out, error);
	else if (type == BT_FIELD_CLASS_TYPE_STRING)
		return copy_string(in, out, error);
	else if (type == BT_FIELD_CLASS_TYPE_STATIC_ARRAY)
		return copy_elements(in, out, error);
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY))
		return copy_dynamic_array(in, out, error);
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_VARIANT))
		return copy_variant(in, out, error);
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_OPTION))
		return copy_option(in, out, error);
	else if (type == BT_FIELD_CLASS_TYPE_BOOL)
		bt_field_bool_set_value(out, bt_field_bool_get_value(in));
	else if (type == BT_FIELD_CLASS_TYPE_BIT_ARRAY)
		bt_field_bit_array_set_value_as_integer(
			out, bt_field_bit_array_get_value_as_integer(in));
	else if (type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL)
		bt_field_real_single_precision_set_value(
			out, bt_field_real_single_precision_get_value(in));
	else
		bt_field_real_double_precision_set_value(
			out, bt_field_real_double_precision_get_value(in));
	return TRUE;
}

gboolean wp_mirror_plan_copy(const MirrorPlan *plan, const bt_field *in, bt_field *out,
			     GError **error)
{
	for (guint64 i = 0; i < plan->n; i++) {
		const bt_field *from = bt_field_structure_borrow_member_field_by_index_const(in, i);
		bt_field *to = bt_field_structure_borrow_member_field_by_index(out, i);
		gboolean ok = TRUE;

		switch ((Copying)plan->members[i]) {
		case COPY_UNSIGNED:
			bt_field_integer_unsigned_set_value(
				to, bt_field_integer_unsigned_get_value(from));
			break;
		case COPY_SIGNED:
			bt_field_integer_signed_set_value(to,
							  bt_field_integer_signed_get_value(from));
			break;
		case COPY_TEXT:
			ok = copy_string(from, to, error);
			break;
		case COPY_BY_TYPE:
			ok = wp_mirror_field_copy(from, to, error);
			break;
		}
		if (!ok)
			return FALSE;
	}
	return TRUE;
}
