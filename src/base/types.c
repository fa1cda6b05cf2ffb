/* SPDX-License-Identifier: MIT */
/* types.c: the tables behind the state and cause names. */
#include "config.h"

#include "base/error.h"
#include "base/types.h"

G_DEFINE_QUARK(wp - error - quark, wp_error)

typedef struct {
	const gchar *key, *words, *light, *dark;
} StateRow;

static const StateRow states[WP_STATE_N] = {
#define X(name, key, words, light, dark) [WP_STATE_##name] = {key, words, light, dark},
	WP_STATES(X)
#undef X
};

static const struct {
	const gchar *key, *words;
} cause_kinds[WP_CAUSE_N] = {
#define X(name, key, words) [WP_CAUSE_##name] = {key, words},
	WP_CAUSE_KINDS(X)
#undef X
};

static const StateRow *state_row(WpState state)
{
	return &states[(guint)state < WP_STATE_N ? state : WP_STATE_UNKNOWN];
}

const gchar *wp_state_key(WpState state)
{
	return state_row(state)->key;
}

const gchar *wp_state_words(WpState state)
{
	return state_row(state)->words;
}

const gchar *wp_state_colour(WpState state, gboolean dark)
{
	const StateRow *row = state_row(state);

	return dark ? row->dark : row->light;
}

WpState wp_state_from_key(const gchar *key)
{
	for (guint i = 0; i < WP_STATE_N; i++)
		if (g_str_equal(states[i].key, key))
			return i;
	return WP_STATE_N;
}

const gchar *wp_cause_kind_key(WpCauseKind kind)
{
	return (guint)kind < WP_CAUSE_N ? cause_kinds[kind].key : "unknown";
}

const gchar *wp_cause_kind_words(WpCauseKind kind)
{
	return (guint)kind < WP_CAUSE_N ? cause_kinds[kind].words : "unknown";
}

const gchar *wp_part_key(WpPart part)
{
	switch (part) {
	case WP_PART_SEND:
		return "send";
	case WP_PART_WIRE:
		return "wire";
	case WP_PART_RECEIVE:
		return "receive";
	case WP_PART_NONE:
		break;
	}
	return NULL;
}
