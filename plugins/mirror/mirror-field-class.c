/* SPDX-License-Identifier: MIT */
/*
 * mirror-field-class.c: copies of field classes.
 *
 * A dynamic array, option or variant is linked to the class of the field that holds
 * its length or selector. The original names that field by a path from the root of a
 * scope; the path is walked in the original, and the table of selectors gives the copy
 * of what it leads to, which lies in front of its users and is therefore there already.
 */
#include "config.h"

#include "plugins/mirror/mirror-private.h"

/* Deeper nesting than any tracer writes; it bounds our recursion. */
#define DEPTH_MAX 64

typedef struct {
	MirrorClass *klass; /* borrowed */
	const bt_event_class *event_class; /* borrowed, NULL in the scopes of a stream class */
	const bt_stream_class *stream_class; /* borrowed */
	guint depth;
} Copy;

static bt_field_class *copy_any(Copy *copy, const bt_field_class *in);

static const bt_field_class *scope_root(const Copy *copy, bt_field_path_scope scope)
{
	switch (scope) {
	case BT_FIELD_PATH_SCOPE_PACKET_CONTEXT:
		return bt_stream_class_borrow_packet_context_field_class_const(copy->stream_class);
	case BT_FIELD_PATH_SCOPE_EVENT_COMMON_CONTEXT:
		return bt_stream_class_borrow_event_common_context_field_class_const(
			copy->stream_class);
	case BT_FIELD_PATH_SCOPE_EVENT_SPECIFIC_CONTEXT:
		return copy->event_class ? bt_event_class_borrow_specific_context_field_class_const(
						   copy->event_class)
					 : NULL;
	case BT_FIELD_PATH_SCOPE_EVENT_PAYLOAD:
		return copy->event_class
			       ? bt_event_class_borrow_payload_field_class_const(copy->event_class)
			       : NULL;
	}
	return NULL;
}

static const bt_field_class *step_by_index(const bt_field_class *fc, guint64 index)
{
	if (bt_field_class_get_type(fc) == BT_FIELD_CLASS_TYPE_STRUCTURE)
		return bt_field_class_structure_member_borrow_field_class_const(
			bt_field_class_structure_borrow_member_by_index_const(fc, index));
	return bt_field_class_variant_option_borrow_field_class_const(
		bt_field_class_variant_borrow_option_by_index_const(fc, index));
}

/* The copy of the field class at the end of path. */
static bt_field_class *find_linked(const Copy *copy, const bt_field_path *path)
{
	const bt_field_class *fc = scope_root(copy, bt_field_path_get_root_scope(path));
	guint64 n = bt_field_path_get_item_count(path);

	for (guint64 i = 0; fc && i < n; i++) {
		const bt_field_path_item *item = bt_field_path_borrow_item_by_index_const(path, i);

		switch (bt_field_path_item_get_type(item)) {
		case BT_FIELD_PATH_ITEM_TYPE_INDEX:
			fc = step_by_index(fc, bt_field_path_item_index_get_index(item));
			break;
		case BT_FIELD_PATH_ITEM_TYPE_CURRENT_ARRAY_ELEMENT:
			fc = bt_field_class_array_borrow_element_field_class_const(fc);
			break;
		case BT_FIELD_PATH_ITEM_TYPE_CURRENT_OPTION_CONTENT:
			fc = bt_field_class_option_borrow_field_class_const(fc);
			break;
		}
	}
	return fc ? g_hash_table_lookup(copy->klass->selectors, fc) : NULL;
}

static gboolean copy_unsigned_mappings(const bt_field_class *in, bt_field_class *out)
{
	guint64 n = bt_field_class_enumeration_get_mapping_count(in);

	for (guint64 i = 0; i < n; i++) {
		const bt_field_class_enumeration_unsigned_mapping *mapping =
			bt_field_class_enumeration_unsigned_borrow_mapping_by_index_const(in, i);
		const gchar *label = bt_field_class_enumeration_mapping_get_label(
			bt_field_class_enumeration_unsigned_mapping_as_mapping_const(mapping));

		if (bt_field_class_enumeration_unsigned_add_mapping(
			    out, label,
			    bt_field_class_enumeration_unsigned_mapping_borrow_ranges_const(
				    mapping)) != BT_FIELD_CLASS_ENUMERATION_ADD_MAPPING_STATUS_OK)
			return FALSE;
	}
	return TRUE;
}

static gboolean copy_signed_mappings(const bt_field_class *in, bt_field_class *out)
{
	guint64 n = bt_field_class_enumeration_get_mapping_count(in);

	for (guint64 i = 0; i < n; i++) {
		const bt_field_class_enumeration_signed_mapping *mapping =
			bt_field_class_enumeration_signed_borrow_mapping_by_index_const(in, i);
		const gchar *label = bt_field_class_enumeration_mapping_get_label(
			bt_field_class_enumeration_signed_mapping_as_mapping_const(mapping));

		if (bt_field_class_enumeration_signed_add_mapping(
			    out, label,
			    bt_field_class_enumeration_signed_mapping_borrow_ranges_const(
				    mapping)) != BT_FIELD_CLASS_ENUMERATION_ADD_MAPPING_STATUS_OK)
			return FALSE;
	}
	return TRUE;
}

static bt_field_class *copy_integer(Copy *copy, const bt_field_class *in, bt_field_class_type type)
{
	bt_trace_class *tc = copy->klass->out;
	bt_field_class *out;
	gboolean ok = TRUE;

	if (type == BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)
		out = bt_field_class_integer_unsigned_create(tc);
	else if (type == BT_FIELD_CLASS_TYPE_SIGNED_INTEGER)
		out = bt_field_class_integer_signed_create(tc);
	else if (type == BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION)
		out = bt_field_class_enumeration_unsigned_create(tc);
	else
		out = bt_field_class_enumeration_signed_create(tc);
	if (!out)
		return NULL;
	if (type == BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION)
		ok = copy_unsigned_mappings(in, out);
	else if (type == BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION)
		ok = copy_signed_mappings(in, out);
	if (!ok) {
		bt_field_class_put_ref(out);
		return NULL;
	}
	bt_field_class_integer_set_field_value_range(
		out, bt_field_class_integer_get_field_value_range(in));
	bt_field_class_integer_set_preferred_display_base(
		out, bt_field_class_integer_get_preferred_display_base(in));
	return out;
}

static bt_field_class *copy_structure(Copy *copy, const bt_field_class *in)
{
	bt_field_class *out = bt_field_class_structure_create(copy->klass->out);
	guint64 n = bt_field_class_structure_get_member_count(in);

	for (guint64 i = 0; out && i < n; i++) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(in, i);
		bt_field_class *fc = copy_any(
			copy, bt_field_class_structure_member_borrow_field_class_const(member));

		if (!fc || bt_field_class_structure_append_member(
				   out, bt_field_class_structure_member_get_name(member), fc) !=
				   BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK)
			BT_FIELD_CLASS_PUT_REF_AND_RESET(out);
		else
			bt_field_class_structure_member_set_user_attributes(
				bt_field_class_structure_borrow_member_by_index(out, i),
				bt_field_class_structure_member_borrow_user_attributes_const(
					member));
		bt_field_class_put_ref(fc);
	}
	return out;
}

static bt_field_class *copy_array(Copy *copy, const bt_field_class *in, bt_field_class_type type)
{
	bt_trace_class *tc = copy->klass->out;
	bt_field_class *element = copy_any(
		copy, bt_field_class_array_borrow_element_field_class_const(in));
	bt_field_class *length = NULL, *out = NULL;

	if (!element)
		return NULL;
	if (type == BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY_WITH_LENGTH_FIELD)
		length = find_linked(
			copy,
			bt_field_class_array_dynamic_with_length_field_borrow_length_field_path_const(
				in));
	if (type == BT_FIELD_CLASS_TYPE_STATIC_ARRAY)
		out = bt_field_class_array_static_create(
			tc, element, bt_field_class_array_static_get_length(in));
	else if (length || type == BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY_WITHOUT_LENGTH_FIELD)
		out = bt_field_class_array_dynamic_create(tc, element, length);
	bt_field_class_put_ref(element);
	return out;
}

static bt_field_class *copy_option(Copy *copy, const bt_field_class *in, bt_field_class_type type)
{
	bt_trace_class *tc = copy->klass->out;
	bt_field_class *content = copy_any(copy,
					   bt_field_class_option_borrow_field_class_const(in));
	bt_field_class *selector = NULL, *out = NULL;

	if (!content)
		return NULL;
	if (type == BT_FIELD_CLASS_TYPE_OPTION_WITHOUT_SELECTOR_FIELD) {
		out = bt_field_class_option_without_selector_create(tc, content);
	} else {
		selector = find_linked(
			copy,
			bt_field_class_option_with_selector_field_borrow_selector_field_path_const(
				in));
	}
	if (selector && type == BT_FIELD_CLASS_TYPE_OPTION_WITH_BOOL_SELECTOR_FIELD) {
		out = bt_field_class_option_with_selector_field_bool_create(tc, content, selector);
		if (out)
			bt_field_class_option_with_selector_field_bool_set_selector_is_reversed(
				out,
				bt_field_class_option_with_selector_field_bool_selector_is_reversed(
					in));
	} else if (selector &&
		   type == BT_FIELD_CLASS_TYPE_OPTION_WITH_UNSIGNED_INTEGER_SELECTOR_FIELD) {
		out = bt_field_class_option_with_selector_field_integer_unsigned_create(
			tc, content, selector,
			bt_field_class_option_with_selector_field_integer_unsigned_borrow_selector_ranges_const(
				in));
	} else if (selector) {
		out = bt_field_class_option_with_selector_field_integer_signed_create(
			tc, content, selector,
			bt_field_class_option_with_selector_field_integer_signed_borrow_selector_ranges_const(
				in));
	}
	bt_field_class_put_ref(content);
	return out;
}

static gboolean append_choice(bt_field_class *out, const bt_field_class *in, guint64 i,
			      const gchar *name, bt_field_class *fc, bt_field_class_type type)
{
	if (type == BT_FIELD_CLASS_TYPE_VARIANT_WITHOUT_SELECTOR_FIELD)
		return bt_field_class_variant_without_selector_append_option(out, name, fc) ==
		       BT_FIELD_CLASS_VARIANT_WITHOUT_SELECTOR_FIELD_APPEND_OPTION_STATUS_OK;
	if (type == BT_FIELD_CLASS_TYPE_VARIANT_WITH_UNSIGNED_INTEGER_SELECTOR_FIELD)
		return bt_field_class_variant_with_selector_field_integer_unsigned_append_option(
			       out, name, fc,
			       bt_field_class_variant_with_selector_field_integer_unsigned_option_borrow_ranges_const(
				       bt_field_class_variant_with_selector_field_integer_unsigned_borrow_option_by_index_const(
					       in, i))) ==
		       BT_FIELD_CLASS_VARIANT_WITH_SELECTOR_FIELD_APPEND_OPTION_STATUS_OK;
	return bt_field_class_variant_with_selector_field_integer_signed_append_option(
		       out, name, fc,
		       bt_field_class_variant_with_selector_field_integer_signed_option_borrow_ranges_const(
			       bt_field_class_variant_with_selector_field_integer_signed_borrow_option_by_index_const(
				       in, i))) ==
	       BT_FIELD_CLASS_VARIANT_WITH_SELECTOR_FIELD_APPEND_OPTION_STATUS_OK;
}

static bt_field_class *copy_variant(Copy *copy, const bt_field_class *in, bt_field_class_type type)
{
	bt_field_class *selector = NULL, *out;
	guint64 n = bt_field_class_variant_get_option_count(in);

	if (type != BT_FIELD_CLASS_TYPE_VARIANT_WITHOUT_SELECTOR_FIELD) {
		selector = find_linked(
			copy,
			bt_field_class_variant_with_selector_field_borrow_selector_field_path_const(
				in));
		if (!selector)
			return NULL;
	}
	out = bt_field_class_variant_create(copy->klass->out, selector);
	for (guint64 i = 0; out && i < n; i++) {
		const bt_field_class_variant_option *option =
			bt_field_class_variant_borrow_option_by_index_const(in, i);
		bt_field_class *fc = copy_any(
			copy, bt_field_class_variant_option_borrow_field_class_const(option));

		if (!fc || !append_choice(out, in, i,
					  bt_field_class_variant_option_get_name(option), fc, type))
			BT_FIELD_CLASS_PUT_REF_AND_RESET(out);
		else
			bt_field_class_variant_option_set_user_attributes(
				bt_field_class_variant_borrow_option_by_index(out, i),
				bt_field_class_variant_option_borrow_user_attributes_const(option));
		bt_field_class_put_ref(fc);
	}
	return out;
}

static bt_field_class *copy_by_type(Copy *copy, const bt_field_class *in)
{
	bt_trace_class *tc = copy->klass->out;
	bt_field_class_type type = bt_field_class_get_type(in);

	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_INTEGER))
		return copy_integer(copy, in, type);
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY))
		return copy_array(copy, in, type);
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_OPTION))
		return copy_option(copy, in, type);
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_VARIANT))
		return copy_variant(copy, in, type);
	if (type == BT_FIELD_CLASS_TYPE_STRUCTURE)
		return copy_structure(copy, in);
	if (type == BT_FIELD_CLASS_TYPE_STRING)
		return bt_field_class_string_create(tc);
	if (type == BT_FIELD_CLASS_TYPE_BOOL)
		return bt_field_class_bool_create(tc);
	if (type == BT_FIELD_CLASS_TYPE_BIT_ARRAY)
		return bt_field_class_bit_array_create(tc, bt_field_class_bit_array_get_length(in));
	if (type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL)
		return bt_field_class_real_single_precision_create(tc);
	return bt_field_class_real_double_precision_create(tc);
}

static gboolean may_select(const bt_field_class *fc)
{
	bt_field_class_type type = bt_field_class_get_type(fc);

	return type == BT_FIELD_CLASS_TYPE_BOOL ||
	       bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_INTEGER);
}

static bt_field_class *copy_any(Copy *copy, const bt_field_class *in)
{
	bt_field_class *out = NULL;

	if (copy->depth < DEPTH_MAX) {
		copy->depth++;
		out = copy_by_type(copy, in);
		copy->depth--;
	}
	if (!out)
		return NULL;
	bt_field_class_set_user_attributes(out, bt_field_class_borrow_user_attributes_const(in));
	if (may_select(in))
		g_hash_table_insert(copy->klass->selectors, (gpointer)in, out);
	return out;
}

bt_field_class *wp_mirror_field_class(MirrorClass *klass, const bt_event_class *event_class,
				      const bt_stream_class *stream_class, const bt_field_class *in)
{
	Copy copy = {.klass = klass, .event_class = event_class, .stream_class = stream_class};

	return copy_any(&copy, in);
}
