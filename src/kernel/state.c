/* SPDX-License-Identifier: MIT */
/*
 * state.c: what prev_state of a task switch says.
 *
 * Two encodings are in use. *Raw*: the kernel's state bits; a preempted task is 0
 * or has the kernel's TASK_STATE_MAX (1024, 2048 or 4096) alone, an idle kernel
 * thread is 1026 (D with "no load"), 64 and 128 mean dead. *Index*: one bit for the
 * letter of the state (1 S, 2 D, 4 T, 8 t, 16 X, 32 Z, 64 P, 128 I), 256 preempted.
 * So 128 is dead in one and a waiting kernel thread in the other. The tracer's
 * version gives a first guess; values that only one encoding has prove it.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "kernel/model-private.h"

StateEncoding wp_state_guess_encoding(const WpTraceInfo *info)
{
	gint major = 0, minor = 0;

	if (info->kernel_release && sscanf(info->kernel_release, "%d.%d", &major, &minor) == 2 &&
	    (major < 4 || (major == 4 && minor < 14)))
		return STATES_RAW;
	/* lttng-modules give the index since 2.12 (commit 27e6eda7, September 2019). */
	if (info->tracer && g_str_equal(info->tracer, "lttng-modules"))
		return info->tracer_major > 2 ||
				       (info->tracer_major == 2 && info->tracer_minor >= 12)
			       ? STATES_INDEX
			       : STATES_RAW;
	/* The kernel's own event (perf, ftrace) gives the index since 4.14. */
	return major > 4 || (major == 4 && minor >= 14) ? STATES_INDEX : STATES_UNDECIDED;
}

static void prove(WpModel *model, StateEncoding encoding)
{
	if (!model->encoding_proven) {
		model->encoding = encoding;
		model->encoding_proven = TRUE;
	}
}

static LeftState decode_label(const gchar *label)
{
	static const struct {
		const gchar *word;
		LeftState left;
	} words[] = {
		{"DEAD", LEFT_DEAD},         {"ZOMBIE", LEFT_DEAD},      {"STOPPED", LEFT_STOPPED},
		{"TRACED", LEFT_STOPPED},    {"PARKED", LEFT_STOPPED},   {"IDLE", LEFT_BLOCKED},
		{"INTERRUPT", LEFT_BLOCKED}, {"RUNNING", LEFT_RUNNABLE},
	};

	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		if (strstr(label, words[i].word))
			return words[i].left;
	switch (label[0]) {
	case 'R':
		return LEFT_RUNNABLE;
	case 'X':
	case 'Z':
		return LEFT_DEAD;
	case 'T':
	case 't':
	case 'P':
		return LEFT_STOPPED;
	default:
		return LEFT_BLOCKED;
	}
}

static LeftState decode_index(gint64 state)
{
	if (state & 256)
		return LEFT_RUNNABLE;
	if (state & (1 | 2))
		return LEFT_BLOCKED;
	if (state & (16 | 32))
		return LEFT_DEAD;
	if (state & (4 | 8 | 64))
		return LEFT_STOPPED;
	return LEFT_BLOCKED;
}

static LeftState decode_raw(gint64 state)
{
	if (state & (1 | 2))
		return LEFT_BLOCKED;
	if (state & (4 | 8))
		return LEFT_STOPPED;
	if (state & (16 | 32))
		return LEFT_DEAD;
	if (state & (64 | 128))
		return LEFT_MAYBE_DEAD;
	return LEFT_RUNNABLE;
}

LeftState wp_state_decode(WpModel *model, gint64 prev_state, const gchar *label)
{
	if (label && *label)
		return decode_label(label);
	if (prev_state == 0)
		return LEFT_RUNNABLE;
	if (prev_state >= 512 || prev_state == 258)
		prove(model, STATES_RAW);
	else if (prev_state == 256)
		prove(model, STATES_INDEX);

	if (model->encoding == STATES_RAW)
		return decode_raw(prev_state);
	if (model->encoding == STATES_UNDECIDED && prev_state == 128)
		return LEFT_MAYBE_DEAD;
	return decode_index(prev_state);
}
