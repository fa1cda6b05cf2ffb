/* SPDX-License-Identifier: MIT */
/* event-text.c: events as text. */
#include "config.h"

#include "event-text.h"

static void append_slot(const WpEvent *event, guint slot, GString *text)
{
	WpSlotType type;
	const gchar *name = wp_event_slot_name(event->kind, slot, &type);
	g_autofree gchar *escaped = NULL;

	/* The low half of an address comes with its high half. */
	if (!name || !WP_EVENT_HAS(event, slot))
		return;
	switch (type) {
	case WP_SLOT_STRING:
		escaped = g_strescape(event->v[slot].s, NULL);
		g_string_append_printf(text, " %s=\"%s\"", name, escaped);
		break;
	case WP_SLOT_ADDRESS:
		g_string_append_printf(text,
				       " %s=%016" G_GINT64_MODIFIER "x%016" G_GINT64_MODIFIER "x",
				       name, event->v[slot].u, event->v[slot + 1].u);
		break;
	case WP_SLOT_INTEGER:
	default:
		g_string_append_printf(text, " %s=%" G_GINT64_FORMAT, name, event->v[slot].i);
		break;
	}
}

void wp_event_append_text(const WpEvent *event, GString *text)
{
	g_string_append_printf(text, "%" G_GINT64_FORMAT " %d %s", event->time, (gint)event->cpu,
			       wp_event_kind_name(event->kind));
	for (guint slot = 0; slot < event->n_values; slot++)
		append_slot(event, slot, text);
	g_string_append_c(text, '\n');
}

gboolean wp_reader_append_text(WpReader *reader, guint stream, GString *text, GError **error)
{
	WpBatch batch;
	guint64 n_bytes = 0;
	gboolean ok;

	wp_batch_init(&batch);
	while ((ok = wp_reader_next(reader, stream, &batch, &n_bytes, error)) &&
	       (batch.n > 0 || batch.more)) {
		const guint8 *at = batch.records->data;

		for (guint i = 0; i < batch.n; i++) {
			const WpEvent *event = (const WpEvent *)(gconstpointer)at;

			wp_event_append_text(event, text);
			at += wp_event_size(event);
		}
		wp_batch_reset(&batch);
	}
	wp_batch_clear(&batch);
	return ok;
}
