/* SPDX-License-Identifier: MIT */
/*
 * tasks.c: which task a tid means now, and the tables of tasks, causes and
 * vertices that grow from it.
 *
 * A tid is used again after its task has ended; each use is a task of its own, a
 * generation. What a tid means is the latest one: tids are numbers that the kernel gives one after
 * the other, so that a table in leaves is shorter than a map of them, and quicker.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/model-private.h"

gboolean wp_task_enter_at(WpModel *model, WpId task, WpTime time, WpState state, guint cpu,
			  WpId cause, GError **error)
{
	/* A task's first may be late: what it did before it was seen concerns nobody else. */
	if (task_open(model, task)) {
		time = MAX(time, task_open_time(model, task));
		if (time < model->now) {
			WpId *late = wp_column_push(&model->late, error);

			if (!late)
				return FALSE;
			*late = (WpId)model->host->vertices.n;
		}
	}
	return wp_task_append(model, task, time, state, cpu, cause, error);
}

WpId wp_waking_defer(WpModel *model, const Waking *waking, WpId cause, GError **error)
{
	WpDeferral *deferral = wp_column_push(&model->host->deferrals, error);

	if (!deferral)
		return WP_NONE;
	*deferral = (WpDeferral){cause, waking->raised, waking->entered};
	wp_host_cause(model->host, cause)->flags |= WP_CAUSE_FLAG_DEFERRED;
	return cause;
}

void wp_task_unlink(WpModel *model, WpId task)
{
	TaskState *t = model_task(model, task);

	if (!t->linked)
		return;
	if (t->next != WP_NONE)
		model_task(model, t->next)->before = t->before;
	if (t->before != WP_NONE)
		model_task(model, t->before)->next = t->next;
	else
		model_cpu(model, t->cpu)->first_task = t->next;
	t->linked = FALSE;
}

void wp_task_move_to_cpu(WpModel *model, WpId task, guint cpu)
{
	TaskState *t = model_task(model, task);

	wp_task_unlink(model, task);
	t->cpu = (guint16)MIN(cpu, G_MAXUINT16);
	if (cpu >= model->cpus->len)
		return;
	t->linked = TRUE;
	t->before = WP_NONE;
	t->next = model_cpu(model, cpu)->first_task;
	if (t->next != WP_NONE)
		model_task(model, t->next)->before = task;
	model_cpu(model, cpu)->first_task = task;
}

WpId wp_task_find(WpModel *model, gint32 tid)
{
	const guint32 number = (guint32)tid, leaf = number / TIDS_LEAF;

	if (G_UNLIKELY(number >= TIDS_MAX))
		return wp_intmap_get(&model->far_tids, number);
	return leaf < model->n_tid_leaves && model->tid_leaves[leaf]
		       ? model->tid_leaves[leaf][number % TIDS_LEAF]
		       : WP_NONE;
}

/* task: WP_NONE, it means none. */
static void set_tid(WpModel *model, gint32 tid, WpId task)
{
	const guint32 number = (guint32)tid, leaf = number / TIDS_LEAF;

	if (number >= TIDS_MAX) {
		if (task == WP_NONE)
			wp_intmap_remove(&model->far_tids, number);
		else
			wp_intmap_set(&model->far_tids, number, task);
		return;
	}
	if (leaf >= model->n_tid_leaves) {
		const guint n = MAX(leaf + 1, 2 * model->n_tid_leaves);

		model->tid_leaves = g_renew(WpId *, model->tid_leaves, n);
		memset(model->tid_leaves + model->n_tid_leaves, 0,
		       (n - model->n_tid_leaves) * sizeof(*model->tid_leaves));
		model->n_tid_leaves = n;
	}
	if (!model->tid_leaves[leaf]) {
		model->tid_leaves[leaf] = g_new(WpId, TIDS_LEAF);
		memset(model->tid_leaves[leaf], 0xff, TIDS_LEAF * sizeof(WpId));
	}
	model->tid_leaves[leaf][number % TIDS_LEAF] = task;
}

void wp_tids_clear(WpModel *model)
{
	for (guint i = 0; i < model->n_tid_leaves; i++)
		g_free(model->tid_leaves[i]);
	g_free(model->tid_leaves);
	wp_intmap_clear(&model->far_tids);
}

void wp_task_take_tid(WpModel *model, WpId task, gint32 old_tid, gint32 tid)
{
	set_tid(model, old_tid, WP_NONE);
	set_tid(model, tid, task);
}

WpId wp_task_new(WpModel *model, gint32 tid, WpTime begin, WpState state, WpId cause,
		 GError **error)
{
	WpHost *host = model->host;
	WpId before = wp_task_find(model, tid);
	WpId id = (WpId)host->tasks.n;
	WpTask *t = wp_column_push(&host->tasks, error);

	if (!t)
		return WP_NONE;
	t->tid = tid;
	t->pid = t->ppid = -1;
	t->parent = t->first = t->last = t->renamed = WP_NONE;
	t->begin = begin;
	t->kind = WP_TASK_KIND_UNKNOWN;
	t->generation = before == WP_NONE ? 0 : wp_host_task(host, before)->generation + 1;

	TaskState s = {.row = t,
		       .phase = TASK_UNKNOWN,
		       .cpu = G_MAXUINT16,
		       .ksoftirqd = -1,
		       .held_waking = WP_NONE,
		       .last_wait_end = begin};
	g_array_append_val(model->tasks, s);
	set_tid(model, tid, id);
	if (!wp_task_enter_at(model, id, begin, state, G_MAXUINT16, cause, error))
		return WP_NONE;
	return id;
}

/*
 * What a name says of its task: "ksoftirqd/3" serves the softirqs of CPU 3, "irq/24-nvme0q1" and
 * "napi/eth0-8193" a device.
 */
static void learn_from_name(CachedComm *cached, const gchar *comm)
{
	cached->serves_device = strncmp(comm, "irq/", 4) == 0 || strncmp(comm, "napi/", 5) == 0;
	cached->ksoftirqd = -1;
	if (strncmp(comm, "ksoftirqd/", 10) == 0 && g_ascii_isdigit(comm[10]))
		cached->ksoftirqd = (gint16)MIN(atoi(comm + 10), G_MAXINT16);
}

/* What is known of a name that is not empty; wide: 16 bytes of it can be read. */
static const CachedComm *get_comm(WpModel *model, const gchar *comm, gboolean wide)
{
	WpStrings *strings = model->host->strings;
	guint64 words[2] = {0};
	CachedComm *cached;

	if (wide)
		memcpy(words, comm, sizeof(words));
	else
		memcpy(words, comm, strnlen(comm, sizeof(words)));
	cached = &model->comms[wp_recent_mix(words[0] ^ words[1]) >> (64 - COMMS_CACHED_BITS)];
	if (memcmp(cached->text, words, sizeof(words)) == 0 &&
	    (cached->fits || strcmp(wp_strings_get(strings, cached->name), comm) == 0))
		return cached;
	memcpy(cached->text, words, sizeof(words));
	cached->fits = strnlen(comm, sizeof(words)) < sizeof(words);
	cached->name = wp_strings_intern(strings, comm);
	learn_from_name(cached, comm);
	return cached;
}

static gboolean change_name(WpHost *host, WpTask *task, WpTime time, WpId name, GError **error)
{
	WpCommChange *change = wp_column_push(&host->comms, error);

	if (!change)
		return FALSE;
	change->time = time;
	change->comm = name;
	change->prev = task->renamed;
	task->renamed = (WpId)(host->comms.n - 1);
	return TRUE;
}

gboolean wp_task_rename(WpModel *model, WpId task, const gchar *comm, gboolean wide, GError **error)
{
	WpHost *host = model->host;
	WpTask *t = wp_host_task(host, task);
	TaskState *state = model_task(model, task);
	const CachedComm *cached;

	if (!comm || !*comm)
		return TRUE;
	cached = get_comm(model, comm, wide);
	memcpy(state->comm, cached->text, sizeof(state->comm));
	/* What does not fit is never to be taken for equal by these bytes alone. */
	if (!cached->fits)
		state->comm[sizeof(state->comm) - 1] = '\0';
	state->serves_device = cached->serves_device;
	if (cached->ksoftirqd >= 0)
		state->ksoftirqd = cached->ksoftirqd;
	if (t->comm == cached->name)
		return TRUE;
	/* The first change of name keeps the one that it had until then. */
	if (t->comm && t->renamed == WP_NONE && !change_name(host, t, t->begin, t->comm, error))
		return FALSE;
	if (t->comm && !change_name(host, t, model->now, cached->name, error))
		return FALSE;
	t->comm = cached->name;
	return TRUE;
}

WpId wp_name_get_slow(WpModel *model, CachedName *cached, const gchar *text)
{
	if (!text)
		return 0;
	if (cached->address != text ||
	    strcmp(wp_strings_get(model->host->strings, cached->id), text) != 0) {
		cached->address = text;
		cached->id = wp_strings_intern(model->host->strings, text);
	}
	return cached->id;
}

WpId wp_function_name(WpModel *model, guint64 function)
{
	WpId name = function ? wp_intmap_get(&model->function_names, function) : 0;

	if (name == WP_NONE) {
		g_autofree gchar *text = g_strdup_printf("0x%" G_GINT64_MODIFIER "x", function);

		name = wp_strings_intern(model->host->strings, text);
		wp_intmap_set(&model->function_names, function, name);
	}
	return name;
}

WpId wp_task_get_slow(WpModel *model, gint32 tid, GError **error)
{
	WpId task = wp_task_find(model, tid);

	if (task == WP_NONE)
		task = wp_task_new(model, tid, model->host->begin, WP_STATE_UNKNOWN, WP_NONE,
				   error);
	else if (model_task(model, task)->phase == TASK_DEAD &&
		 !model_task(model, task)->maybe_dead)
		task = wp_task_new(model, tid, wp_host_task(model->host, task)->end,
				   WP_STATE_UNKNOWN, WP_NONE, error);
	return task;
}

WpId wp_task_get_named_slow(WpModel *model, gint32 tid, const WpEvent *event, guint slot,
			    GError **error)
{
	const WpId task = wp_task_get(model, tid, error);
	const gchar *comm = WP_EVENT_HAS(event, slot) ? event->v[slot].s : NULL;

	if (task == WP_NONE ||
	    !wp_task_rename(model, task, comm, event->flags & WP_EVENT_TEXTS_WIDE, error))
		return WP_NONE;
	return task;
}

gboolean wp_task_die(WpModel *model, WpId task, GError **error)
{
	WpTask *t = wp_host_task(model->host, task);

	if (!wp_task_enter(model, task, WP_STATE_UNKNOWN, G_MAXUINT16, WP_NONE, error))
		return FALSE;
	task_open(model, task)->flags |= WP_VERTEX_DEAD;
	model_task(model, task)->phase = TASK_DEAD;
	model_task(model, task)->held = FALSE;
	t->end = model->now;
	t->exited = TRUE;
	return TRUE;
}
