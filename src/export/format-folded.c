/* SPDX-License-Identifier: MIT */
/*
 * format-folded.c: folded stacks, the input of flame graph tools: a stack a line, then its
 * nanoseconds; of a comparison those of both sides, which the tools draw as a difference.
 */
#include "config.h"

#include "export/format-private.h"
#include "export/stacks.h"

static void write_stacks(WpOut *out, const WpStacks *stacks, guint n_sides)
{
	g_autoptr(GArray) list = wp_stacks_list(stacks);

	for (guint i = 0; i < list->len; i++) {
		const WpStack *stack = &g_array_index(list, WpStack, i);

		wp_out_put(out, stack->stack);
		for (guint side = 0; side < n_sides; side++) {
			wp_out_putc(out, ' ');
			wp_out_int(out, stack->time[side]);
		}
		wp_out_putc(out, '\n');
	}
}

void wp_folded_write_path(WpOut *out, const WpPathReport *report,
			  G_GNUC_UNUSED const WpTextStyle *style)
{
	g_autoptr(WpStacks) stacks = wp_stacks_new();

	wp_stacks_add_path(stacks, 0, report->graph, report->path);
	write_stacks(out, stacks, 1);
}

void wp_folded_write_compare(WpOut *out, const WpCompareReport *report,
			     G_GNUC_UNUSED const WpTextStyle *style)
{
	write_stacks(out, report->stacks, WP_STACKS_SIDES);
}
