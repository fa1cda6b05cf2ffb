/* SPDX-License-Identifier: MIT */
/* stacks.c: a hash table from the text of a stack to its times. */
#include "config.h"

#include <string.h>

#include "export/describe.h"
#include "export/stacks.h"
#include "export/walk.h"

struct WpStacks {
	GHashTable *times; /* owned: owned gchar * -> owned WpTime[WP_STACKS_SIDES] */
};

WpStacks *wp_stacks_new(void)
{
	WpStacks *stacks = g_new0(WpStacks, 1);

	stacks->times = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	return stacks;
}

void wp_stacks_free(WpStacks *stacks)
{
	if (!stacks)
		return;
	g_hash_table_destroy(stacks->times);
	g_free(stacks);
}

void wp_stack_append_frame(GString *stack, const gchar *comm, const gchar *host)
{
	gsize from = stack->len;

	g_string_append_printf(stack, "%s@%s;", comm, host);
	/* A semicolon is the border of frames, a line end that of stacks. */
	for (gsize i = from; i + 1 < stack->len; i++)
		if (strchr(";\r\n", stack->str[i]))
			stack->str[i] = ':';
}

void wp_stacks_add(WpStacks *stacks, guint side, const gchar *stack, WpTime time)
{
	WpTime *times = g_hash_table_lookup(stacks->times, stack);

	if (!times) {
		times = g_new0(WpTime, WP_STACKS_SIDES);
		g_hash_table_insert(stacks->times, g_strdup(stack), times);
	}
	times[side] += time;
}

void wp_stacks_add_segments(WpStacks *stacks, guint side, const WpPath *path, WpFrameFunc func,
			    gconstpointer data)
{
	g_autoptr(WpChains) chains = wp_chains_new(path);
	g_autoptr(GString) stack = g_string_new(NULL);
	gsize length = 0; /* of the frames, without the state */

	for (guint i = 0; i < path->segments.n; i++) {
		const WpSegment *s = wp_path_segment(path, i);

		if (i == 0 || !wp_chains_equal(chains, i - 1, i)) {
			WpTaskRef tasks[WP_CHAIN_MAX];
			guint n = wp_chains_get(chains, i, tasks);

			g_string_truncate(stack, 0);
			for (guint j = 0; j < n; j++)
				func(stack, &tasks[j], data);
			length = stack->len;
		}
		g_string_truncate(stack, length);
		g_string_append(stack, wp_state_key(s->state));
		wp_stacks_add(stacks, side, stack->str, s->end - s->begin);
	}
}

static void append_actor(GString *stack, const WpTaskRef *task, gconstpointer data)
{
	WpActor actor;

	wp_actor_init(&actor, data, task->host, task->task, WP_TIME_MAX);
	wp_stack_append_frame(stack, actor.comm, actor.host_name);
}

void wp_stacks_add_path(WpStacks *stacks, guint side, const WpGraph *graph, const WpPath *path)
{
	wp_stacks_add_segments(stacks, side, path, append_actor, graph);
}

static gint compare_stacks(gconstpointer a, gconstpointer b)
{
	return strcmp(((const WpStack *)a)->stack, ((const WpStack *)b)->stack);
}

GArray *wp_stacks_list(const WpStacks *stacks)
{
	GArray *list = g_array_sized_new(FALSE, FALSE, sizeof(WpStack),
					 g_hash_table_size(stacks->times));
	GHashTableIter iter;
	gpointer key, value;

	g_hash_table_iter_init(&iter, stacks->times);
	while (g_hash_table_iter_next(&iter, &key, &value)) {
		WpStack stack = {.stack = key};

		memcpy(stack.time, value, sizeof(stack.time));
		g_array_append_val(list, stack);
	}
	g_array_sort(list, compare_stacks);
	return list;
}
