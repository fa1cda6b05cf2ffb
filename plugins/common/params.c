/* SPDX-License-Identifier: MIT */
/* params.c: parameters by table. */
#include "config.h"

#include "base/error.h"
#include "plugins/common/params.h"

typedef struct {
	const WpParam *table; /* borrowed */
	guint n_table;
	gpointer options; /* borrowed */
	GError *error; /* owned: the first */
} Reading;

static const gchar *type_words(const WpParam *param)
{
	switch (param->type) {
	case WP_PARAM_BOOLEAN:
		return "`yes` or `no`";
	case WP_PARAM_INTEGER:
		return "an integer";
	case WP_PARAM_STRING:
		return "a string";
	case WP_PARAM_CHOICE:
		return "one of";
	case WP_PARAM_TIME:
		return "a time: nanoseconds since the epoch, \"SECONDS.frac\", "
		       "\"HH:MM:SS.frac\", an ISO date or \"+SECONDS\"";
	case WP_PARAM_WORD:
		return "a string or an integer";
	case WP_PARAM_STRINGS:
		return "an array of strings";
	case WP_PARAM_OFFSETS:
		return "a map of integers, as {hosta=-1200}";
	}
	return "";
}

/* Integers as Babeltrace has them, signed or not, that fit into 64 bits with a sign. */
static gboolean get_integer(const bt_value *value, gint64 *ret_number)
{
	if (bt_value_is_signed_integer(value)) {
		*ret_number = bt_value_integer_signed_get(value);
		return TRUE;
	}
	if (!bt_value_is_unsigned_integer(value) ||
	    bt_value_integer_unsigned_get(value) > (guint64)G_MAXINT64)
		return FALSE;
	*ret_number = (gint64)bt_value_integer_unsigned_get(value);
	return TRUE;
}

static gchar *get_word(const bt_value *value)
{
	gint64 number;

	if (bt_value_is_string(value))
		return g_strdup(bt_value_string_get(value));
	return get_integer(value, &number) ? g_strdup_printf("%" G_GINT64_FORMAT, number) : NULL;
}

static GPtrArray *get_strings(const bt_value *value)
{
	g_autoptr(GPtrArray) strings = g_ptr_array_new_with_free_func(g_free);

	if (!bt_value_is_array(value))
		return NULL;
	for (guint64 i = 0; i < bt_value_array_get_length(value); i++) {
		const bt_value *element = bt_value_array_borrow_element_by_index_const(value, i);

		if (!bt_value_is_string(element))
			return NULL;
		g_ptr_array_add(strings, g_strdup(bt_value_string_get(element)));
	}
	return g_steal_pointer(&strings);
}

static bt_value_map_foreach_entry_const_func_status add_offset(const char *name,
							       const bt_value *value, void *data)
{
	GPtrArray *offsets = data;
	gint64 number;

	if (!get_integer(value, &number))
		return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_INTERRUPT;
	g_ptr_array_add(offsets, g_strdup_printf("%s=%" G_GINT64_FORMAT, name, number));
	return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_OK;
}

static gint compare_strings(gconstpointer a, gconstpointer b)
{
	return g_strcmp0(*(const gchar *const *)a, *(const gchar *const *)b);
}

static GPtrArray *get_offsets(const bt_value *value)
{
	g_autoptr(GPtrArray) offsets = g_ptr_array_new_with_free_func(g_free);

	if (!bt_value_is_map(value) ||
	    bt_value_map_foreach_entry_const(value, add_offset, offsets) !=
		    BT_VALUE_MAP_FOREACH_ENTRY_CONST_STATUS_OK)
		return NULL;
	/* a map has no order: errors should not depend on it */
	g_ptr_array_sort(offsets, compare_strings);
	return g_steal_pointer(&offsets);
}

static gboolean get_choice(const WpParam *param, const bt_value *value, guint *ret_choice)
{
	if (!bt_value_is_string(value))
		return FALSE;
	for (guint i = 0; param->choices[i]; i++) {
		if (!g_str_equal(param->choices[i], bt_value_string_get(value)))
			continue;
		*ret_choice = i;
		return TRUE;
	}
	return FALSE;
}

static gboolean take_string(gchar **member, gchar *text)
{
	if (!text)
		return FALSE;
	g_free(*member);
	*member = text;
	return TRUE;
}

static gboolean take_array(GPtrArray **member, GPtrArray *array)
{
	if (!array)
		return FALSE;
	g_clear_pointer(member, g_ptr_array_unref);
	*member = array;
	return TRUE;
}

static gboolean read_value(const WpParam *param, const bt_value *value, gpointer member)
{
	switch (param->type) {
	case WP_PARAM_BOOLEAN:
		if (!bt_value_is_bool(value))
			return FALSE;
		*(gboolean *)member = bt_value_bool_get(value) != BT_FALSE;
		return TRUE;
	case WP_PARAM_INTEGER:
		return get_integer(value, member);
	case WP_PARAM_STRING:
		return take_string(member, bt_value_is_string(value)
						   ? g_strdup(bt_value_string_get(value))
						   : NULL);
	case WP_PARAM_CHOICE:
		return get_choice(param, value, member);
	case WP_PARAM_TIME:
	case WP_PARAM_WORD:
		return take_string(member, get_word(value));
	case WP_PARAM_STRINGS:
		return take_array(member, get_strings(value));
	case WP_PARAM_OFFSETS:
		return take_array(member, get_offsets(value));
	}
	return FALSE;
}

static void set_unknown(Reading *reading, const char *name)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (guint i = 0; i < reading->n_table; i++)
		g_string_append_printf(names, "%s%s", i ? ", " : "", reading->table[i].name);
	g_set_error(&reading->error, WP_ERROR, WP_ERROR_USAGE,
		    "There is no parameter '%s'; there are: %s.", name, names->str);
}

static void set_wrong(Reading *reading, const WpParam *param)
{
	g_autofree gchar *choices = param->choices ? g_strjoinv(", ", (gchar **)param->choices)
						   : g_strdup("");

	g_set_error(&reading->error, WP_ERROR, WP_ERROR_USAGE, "The parameter '%s' must be %s%s%s.",
		    param->name, type_words(param), *choices ? " " : "", choices);
}

static bt_value_map_foreach_entry_const_func_status read_entry(const char *name,
							       const bt_value *value, void *data)
{
	Reading *reading = data;
	const WpParam *param = NULL;

	for (guint i = 0; i < reading->n_table && !param; i++)
		if (g_str_equal(reading->table[i].name, name))
			param = &reading->table[i];
	if (!param)
		set_unknown(reading, name);
	else if (!read_value(param, value, (guint8 *)reading->options + param->offset))
		set_wrong(reading, param);
	return reading->error ? BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_INTERRUPT
			      : BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_OK;
}

gboolean wp_params_read(const bt_value *params, const WpParam *table, guint n_table,
			gpointer options, GError **error)
{
	Reading reading = {.table = table, .n_table = n_table, .options = options};

	/* what it returns but OK is our own interruption */
	(void)bt_value_map_foreach_entry_const(params, read_entry, &reading);
	for (guint i = 0; i < n_table && !reading.error; i++)
		if (table[i].needed && !bt_value_map_has_entry(params, table[i].name))
			g_set_error(&reading.error, WP_ERROR, WP_ERROR_USAGE,
				    "The parameter '%s' is needed: %s.", table[i].name,
				    type_words(&table[i]));
	if (!reading.error)
		return TRUE;
	g_propagate_error(error, reading.error);
	return FALSE;
}

void wp_params_clear(const WpParam *table, guint n_table, gpointer options)
{
	for (guint i = 0; i < n_table; i++) {
		gpointer member = (guint8 *)options + table[i].offset;

		switch (table[i].type) {
		case WP_PARAM_STRING:
		case WP_PARAM_TIME:
		case WP_PARAM_WORD:
			g_clear_pointer((gchar **)member, g_free);
			break;
		case WP_PARAM_STRINGS:
		case WP_PARAM_OFFSETS:
			g_clear_pointer((GPtrArray **)member, g_ptr_array_unref);
			break;
		case WP_PARAM_BOOLEAN:
		case WP_PARAM_INTEGER:
		case WP_PARAM_CHOICE:
			break;
		}
	}
}
