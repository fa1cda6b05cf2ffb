/* SPDX-License-Identifier: MIT */
/* event.c: the tables of kinds and slots, and batches. */
#include "config.h"

#include <string.h>

#include "event/event.h"

typedef struct {
	guint16 kind, slot;
	WpSlotType type;
	const gchar *name;
} SlotRow;

/* Bytes of a text that can be read in any case. */
#define WIDE 16u
/* Bytes that a batch has room for at first. */
#define RECORDS_FIRST 4096u

#define WP_TYPE_I WP_SLOT_INTEGER
#define WP_TYPE_S WP_SLOT_STRING
#define WP_TYPE_A WP_SLOT_ADDRESS

static const SlotRow slots[] = {
#define K(kind, text)
#define S(kind, slot, text, type) {WP_EV_##kind, WP_##kind##_##slot, WP_TYPE_##type, text},
	WP_EVENT_KINDS(K, S)
#undef K
#undef S
};

static const gchar *const kind_names[WP_EV_N] = {
#define K(kind, text) [WP_EV_##kind] = text,
#define S(kind, slot, text, type)
	WP_EVENT_KINDS(K, S)
#undef K
#undef S
};

/*
 * Values of each kind, at its number plus one: each kind's row begins with a 0 that
 * its slots add to, an address twice.
 */
#define WP_COUNT_I +1
#define WP_COUNT_S +1
#define WP_COUNT_A +2
static const guint8 kind_n_values[WP_EV_N + 1] = {
	/* clang-format off */
	0
#define K(kind, text) , 0
#define S(kind, slot, text, type) WP_COUNT_##type
	WP_EVENT_KINDS(K, S)
#undef K
#undef S
	/* clang-format on */
};

guint wp_event_kind_n_values(WpEventKind kind)
{
	return (guint)kind < WP_EV_N ? kind_n_values[kind + 1] : 0;
}

const gchar *wp_event_kind_name(WpEventKind kind)
{
	return (guint)kind < WP_EV_N ? kind_names[kind] : "unknown";
}

WpEventKind wp_event_kind_from_name(const gchar *name)
{
	for (guint i = 0; i < WP_EV_N; i++)
		if (g_str_equal(kind_names[i], name))
			return i;
	return WP_EV_N;
}

gint wp_event_slot_from_name(WpEventKind kind, const gchar *name, WpSlotType *ret_type)
{
	for (guint i = 0; i < G_N_ELEMENTS(slots); i++)
		if (slots[i].kind == kind && g_str_equal(slots[i].name, name)) {
			if (ret_type)
				*ret_type = slots[i].type;
			return slots[i].slot;
		}
	return -1;
}

const gchar *wp_event_slot_name(WpEventKind kind, guint slot, WpSlotType *ret_type)
{
	for (guint i = 0; i < G_N_ELEMENTS(slots); i++)
		if (slots[i].kind == kind && slots[i].slot == slot) {
			if (ret_type)
				*ret_type = slots[i].type;
			return slots[i].name;
		}
	return NULL;
}

void wp_batch_init(WpBatch *batch)
{
	batch->records = g_byte_array_new();
	batch->room = 0;
	batch->texts = (WpArena){NULL};
	batch->n = 0;
	batch->n_seen = 0;
	batch->more = FALSE;
	batch->ordered_to = WP_TIME_MIN;
}

void wp_batch_clear(WpBatch *batch)
{
	g_clear_pointer(&batch->records, g_byte_array_unref);
	wp_arena_clear(&batch->texts);
	batch->room = 0;
	batch->n = 0;
	batch->n_seen = 0;
}

void wp_batch_reset(WpBatch *batch)
{
	g_byte_array_set_size(batch->records, 0);
	wp_arena_reset(&batch->texts);
	batch->n = 0;
	batch->n_seen = 0;
	batch->more = FALSE;
	batch->ordered_to = WP_TIME_MIN;
}

void wp_batch_make_room(WpBatch *batch, guint bytes)
{
	batch->room = MAX(2 * bytes, RECORDS_FIRST);
	g_byte_array_set_size(batch->records, batch->room);
}

WpEvent *wp_batch_push(WpBatch *batch, WpEventKind kind)
{
	return wp_batch_push_values(batch, kind, kind_n_values[kind + 1]);
}

const gchar *wp_batch_copy(WpBatch *batch, const gchar *text, gsize length)
{
	const gsize n = strnlen(text, length);
	gchar *copy = wp_arena_take(&batch->texts, MAX(n + 1, WIDE));

	memset(copy, 0, WIDE);
	memcpy(copy, text, n);
	copy[n] = '\0';
	return copy;
}
