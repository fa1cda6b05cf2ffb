/* SPDX-License-Identifier: MIT */
/* raw-event.c: names and values of one event. */
#include "config.h"

#include <string.h>

#include "event/raw-event.h"

/* Of an event with more fields the rest is left out. */
#define FIELDS_MAX 256u

static void field_clear(gpointer data)
{
	WpRawField *field = data;

	g_free(field->name);
	g_free(field->value);
}

WpRawEvent *wp_raw_event_new(WpTime time, guint32 cpu, const gchar *name)
{
	WpRawEvent *event = g_new0(WpRawEvent, 1);

	event->time = time;
	event->cpu = cpu;
	event->name = g_utf8_make_valid(name, -1);
	event->fields = g_array_new(FALSE, FALSE, sizeof(WpRawField));
	g_array_set_clear_func(event->fields, field_clear);
	return event;
}

void wp_raw_event_free(WpRawEvent *event)
{
	if (!event)
		return;
	g_free(event->name);
	g_array_unref(event->fields);
	g_free(event);
}

void wp_raw_event_add(WpRawEvent *event, const gchar *name, gchar *value)
{
	WpRawField field;

	if (event->fields->len < FIELDS_MAX) {
		field.name = g_utf8_make_valid(name, -1);
		field.value = g_utf8_make_valid(value, -1);
		g_array_append_val(event->fields, field);
	}
	g_free(value);
}

const gchar *wp_raw_event_find(const WpRawEvent *event, const gchar *name)
{
	/* The payload stands last and wins over contexts. */
	for (guint i = event->fields->len; i-- > 0;) {
		const WpRawField *field = &g_array_index(event->fields, WpRawField, i);

		if (g_str_equal(field->name, name))
			return field->value;
	}
	return NULL;
}

gboolean wp_raw_event_mentions(const WpRawEvent *event, gint32 tid)
{
	for (guint i = 0; i < event->fields->len; i++) {
		const WpRawField *field = &g_array_index(event->fields, WpRawField, i);
		gint64 value;

		if ((g_str_has_suffix(field->name, "tid") ||
		     g_str_has_suffix(field->name, "pid")) &&
		    g_ascii_string_to_signed(field->value, 10, G_MININT64, G_MAXINT64, &value,
					     NULL) &&
		    value == tid)
			return TRUE;
	}
	return FALSE;
}

gchar *wp_raw_event_dup_text(const WpRawEvent *event)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < event->fields->len; i++) {
		const WpRawField *field = &g_array_index(event->fields, WpRawField, i);

		g_string_append_printf(text, "%s%s=%s", i ? " " : "", field->name, field->value);
	}
	if (event->damaged)
		g_string_append(text, text->len ? " (damaged)" : "(damaged)");
	return g_string_free(text, FALSE);
}
