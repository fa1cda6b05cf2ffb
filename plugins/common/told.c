/* SPDX-License-Identifier: MIT */
/* told.c: what our own source tells our own sink and filters, in user attributes. */
#include "config.h"

#include "plugins/common/told.h"

#define OURS "waitpath"
#define LOSSES "losses"
#define FINDINGS "findings"
#define CORRECTED "corrected"

/* Numbers of a loss, members of a finding. */
#define LOSS_N 4
#define FINDING_N 5

/* An entry of our own of this type; NULL when there is none. */
static const bt_value *find_entry(const bt_value *attributes, const gchar *name, bt_value_type type)
{
	const bt_value *ours = bt_value_map_borrow_entry_value_const(attributes, OURS);
	const bt_value *entry = ours && bt_value_is_map(ours)
					? bt_value_map_borrow_entry_value_const(ours, name)
					: NULL;

	return entry && bt_value_get_type(entry) == type ? entry : NULL;
}

/* A copy of attributes in which our entry of this name is value; NULL: out of memory. */
static bt_value *with_entry(const bt_value *attributes, const gchar *name, const bt_value *value)
{
	bt_value *all = NULL, *ours;
	gboolean ok = value && bt_value_copy(attributes, &all) == BT_VALUE_COPY_STATUS_OK;

	ours = ok ? bt_value_map_borrow_entry_value(all, OURS) : NULL;
	if (ok && (!ours || !bt_value_is_map(ours)))
		ok = bt_value_map_insert_empty_map_entry(all, OURS, &ours) ==
		     BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK;
	ok = ok && bt_value_map_insert_entry(ours, name, (bt_value *)value) ==
			   BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK;
	if (!ok)
		BT_VALUE_PUT_REF_AND_RESET(all);
	return all;
}

/* Takes value over. */
static gboolean set_on_trace(bt_trace *trace, const gchar *name, bt_value *value)
{
	bt_value *all = with_entry(bt_trace_borrow_user_attributes_const(trace), name, value);

	if (all)
		bt_trace_set_user_attributes(trace, all);
	bt_value_put_ref(value);
	bt_value_put_ref(all);
	return all != NULL;
}

static gboolean append_number(bt_value *array, gint64 number)
{
	return bt_value_array_append_signed_integer_element(array, number) ==
	       BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK;
}

static gboolean append_text(bt_value *array, const gchar *text)
{
	return bt_value_array_append_string_element(array, text) ==
	       BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK;
}

static gint64 get_number(const bt_value *array, guint64 i)
{
	const bt_value *value = bt_value_array_borrow_element_by_index_const(array, i);

	return bt_value_is_signed_integer(value) ? bt_value_integer_signed_get(value) : 0;
}

static const gchar *get_text(const bt_value *array, guint64 i)
{
	const bt_value *value = bt_value_array_borrow_element_by_index_const(array, i);

	return bt_value_is_string(value) ? bt_value_string_get(value) : "";
}

gboolean wp_told_set_losses(bt_stream *stream, const GArray *losses)
{
	bt_value *array = bt_value_array_create(), *all = NULL;
	gboolean ok = array != NULL;

	for (guint i = 0; ok && i < losses->len; i++) {
		const WpToldLoss *loss = &g_array_index(losses, WpToldLoss, i);

		ok = append_number(array, loss->begin) && append_number(array, loss->end) &&
		     append_number(array, (gint64)loss->n_events) &&
		     append_number(array, (gint64)loss->n_packets);
	}
	if (ok)
		all = with_entry(bt_stream_borrow_user_attributes_const(stream), LOSSES, array);
	if (all)
		bt_stream_set_user_attributes(stream, all);
	bt_value_put_ref(array);
	bt_value_put_ref(all);
	return all != NULL;
}

GArray *wp_told_get_losses(const bt_stream *stream)
{
	const bt_value *array = find_entry(bt_stream_borrow_user_attributes_const(stream), LOSSES,
					   BT_VALUE_TYPE_ARRAY);
	GArray *losses;

	if (!array)
		return NULL;
	losses = g_array_new(FALSE, FALSE, sizeof(WpToldLoss));
	for (guint64 i = 0; i + LOSS_N <= bt_value_array_get_length(array); i += LOSS_N) {
		WpToldLoss loss = {get_number(array, i), get_number(array, i + 1),
				   (guint64)get_number(array, i + 2),
				   (guint64)get_number(array, i + 3)};

		g_array_append_val(losses, loss);
	}
	return losses;
}

static gboolean append_finding(bt_value *array, const WpFinding *finding)
{
	bt_value *one;

	return bt_value_array_append_empty_array_element(array, &one) ==
		       BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK &&
	       append_text(one, finding->code) && append_number(one, finding->severity) &&
	       append_number(one, finding->time) && append_number(one, (gint64)finding->count) &&
	       append_text(one, finding->text);
}

gboolean wp_told_set_findings(bt_trace *trace, const WpFindings *findings)
{
	bt_value *array = bt_value_array_create();
	gboolean ok = array != NULL;

	for (guint i = 0; ok && i < wp_findings_n(findings); i++)
		ok = append_finding(array, wp_findings_get(findings, i));
	if (!ok)
		BT_VALUE_PUT_REF_AND_RESET(array);
	return set_on_trace(trace, FINDINGS, array);
}

void wp_told_get_findings(const bt_trace *trace, WpFindings *findings)
{
	const bt_value *array = find_entry(bt_trace_borrow_user_attributes_const(trace), FINDINGS,
					   BT_VALUE_TYPE_ARRAY);

	for (guint64 i = 0; array && i < bt_value_array_get_length(array); i++) {
		const bt_value *one = bt_value_array_borrow_element_by_index_const(array, i);

		if (!bt_value_is_array(one) || bt_value_array_get_length(one) != FINDING_N)
			continue;
		wp_findings_add(findings, get_text(one, 0),
				CLAMP(get_number(one, 1), WP_SEVERITY_INFO, WP_SEVERITY_ERROR),
				NULL, get_number(one, 2), (guint64)get_number(one, 3), "%s",
				get_text(one, 4));
	}
}

gboolean wp_told_set_corrected(bt_trace *trace)
{
	return set_on_trace(trace, CORRECTED, bt_value_bool_create_init(BT_TRUE));
}

gboolean wp_told_is_corrected(const bt_trace *trace)
{
	const bt_value *entry = find_entry(bt_trace_borrow_user_attributes_const(trace), CORRECTED,
					   BT_VALUE_TYPE_BOOL);

	return entry && bt_value_bool_get(entry);
}
