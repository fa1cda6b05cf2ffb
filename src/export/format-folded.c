/* SPDX-License-Identifier: MIT */
/*
 * format-folded.c: a path as folded stacks, the input of flame graph tools: the
 * chain of waits is the stack, from the task asked for down to the one that the
 * path is on, then its state; the number is nanoseconds.
 */
#include "config.h"

#include <string.h>

#include "export/describe.h"
#include "export/format-private.h"
#include "export/walk.h"

static void append_frame(GString *stack, const WpGraph *graph, const WpTaskRef *task)
{
	gsize from = stack->len;
	WpActor actor;

	wp_actor_init(&actor, graph, task->host, task->task, WP_TIME_MAX);
	g_string_append_printf(stack, "%s@%s;", actor.comm, actor.host_name);
	/* A semicolon is the border of frames, a line end that of stacks. */
	for (gsize i = from; i + 1 < stack->len; i++)
		if (strchr(";\r\n", stack->str[i]))
			stack->str[i] = ':';
}

/* "client@hosta;server@hostb;", without the state. */
static void fold(GString *stack, const WpGraph *graph, const WpChains *chains, guint segment)
{
	WpTaskRef tasks[WP_CHAIN_MAX];
	guint n = wp_chains_get(chains, segment, tasks);

	g_string_truncate(stack, 0);
	for (guint i = 0; i < n; i++)
		append_frame(stack, graph, &tasks[i]);
}

static gint compare_stacks(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const gchar *const *)a, *(const gchar *const *)b);
}

static GHashTable *sum_up(const WpGraph *graph, const WpPath *path)
{
	GHashTable *times = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_autoptr(WpChains) chains = wp_chains_new(path);
	g_autoptr(GString) stack = g_string_new(NULL);

	for (guint i = 0; i < path->segments->len; i++) {
		const WpSegment *s = &g_array_index(path->segments, WpSegment, i);
		g_autofree gchar *key = NULL;
		WpTime *time;

		if (i == 0 || !wp_chains_equal(chains, i - 1, i))
			fold(stack, graph, chains, i);
		key = g_strconcat(stack->str, wp_state_key(s->state), NULL);
		time = g_hash_table_lookup(times, key);
		if (!time)
			g_hash_table_insert(times, g_steal_pointer(&key), time = g_new0(WpTime, 1));
		*time += s->end - s->begin;
	}
	return times;
}

void wp_folded_write_path(WpOut *out, const WpPathReport *report,
			  G_GNUC_UNUSED const WpTextStyle *style)
{
	g_autoptr(GHashTable) times = sum_up(report->graph, report->path);
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
