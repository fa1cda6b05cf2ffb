/* SPDX-License-Identifier: MIT */
/*
 * format-folded.c: a path as folded stacks, the input of flame graph tools: the
 * chain of waits is the stack, from the task asked for down to the one that the
 * path is on, then its state; the number is nanoseconds.
 *
 * The path's segments tell only their own task and depth. Read backwards in time
 * they tell the chain too: a segment at depth d lies in the wait of the task that
 * goes on, at a lower depth, behind it.
 */
#include "config.h"

#include <string.h>

#include "export/describe.h"
#include "export/format-private.h"

/* Deeper chains are cut here, their end kept. */
#define FRAMES_MAX 128

typedef struct {
	WpActor actors[FRAMES_MAX]; /* by depth; host WP_NONE where the path never was there */
	guint n; /* frames in use */
} Chain;

/* The chain of the segment before, in time, to which `chain` belonged. */
static void chain_enter(Chain *chain, const WpGraph *graph, const WpSegment *s)
{
	guint depth = MIN(s->depth, FRAMES_MAX - 1u);

	while (chain->n < depth)
		chain->actors[chain->n++].host = WP_NONE;
	chain->n = depth + 1;
	wp_actor_init(&chain->actors[depth], graph, s->host, s->task, WP_TIME_MAX);
}

static void append_frame(GString *stack, const WpActor *actor)
{
	gsize from = stack->len;

	g_string_append_printf(stack, "%s@%s;", actor->comm, actor->host_name);
	/* A semicolon is the border of frames, a line end that of stacks. */
	for (gsize i = from; i + 1 < stack->len; i++)
		if (strchr(";\r\n", stack->str[i]))
			stack->str[i] = ':';
}

static gchar *fold(const Chain *chain, const WpSegment *s)
{
	GString *stack = g_string_new(NULL);

	for (guint i = 0; i < chain->n; i++)
		if (chain->actors[i].host != WP_NONE)
			append_frame(stack, &chain->actors[i]);
	g_string_append(stack, wp_state_key(s->state));
	return g_string_free(stack, FALSE);
}

static gint compare_stacks(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const gchar *const *)a, *(const gchar *const *)b);
}

void wp_folded_write_path(WpOut *out, const WpPathReport *report,
			  G_GNUC_UNUSED const WpTextStyle *style)
{
	const GArray *segments = report->path->segments;
	g_autoptr(GHashTable)
		times = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	Chain *chain = g_new0(Chain, 1);

	for (guint i = segments->len; i-- > 0;) {
		const WpSegment *s = &g_array_index(segments, WpSegment, i);
		g_autofree gchar *stack = NULL;
		WpTime *time;

		chain_enter(chain, report->graph, s);
		stack = fold(chain, s);
		time = g_hash_table_lookup(times, stack);
		if (!time)
			g_hash_table_insert(times, g_steal_pointer(&stack),
					    time = g_new0(WpTime, 1));
		*time += s->end - s->begin;
	}
	g_free(chain);

	guint n;
	g_autofree const gchar **stacks = (const gchar **)g_hash_table_get_keys_as_array(times, &n);

	qsort(stacks, n, sizeof(*stacks), compare_stacks);
	for (guint i = 0; i < n; i++) {
		wp_out_put(out, stacks[i]);
		wp_out_putc(out, ' ');
		wp_out_int(out, *(WpTime *)g_hash_table_lookup(times, stacks[i]));
		wp_out_putc(out, '\n');
	}
}
