/* SPDX-License-Identifier: MIT */
/*
 * model.c: events in, graph out: task switches, wake-ups, fork, exec, exit, and what
 * the loss of events makes unknown.
 *
 * Each task has one open segment, its last vertex. A wake-up gives a waiting segment its
 * cause and state and opens a runnable one; a switch closes the segments of two tasks.
 * Where a later event proves what an open segment was, it is corrected in place; closed
 * ones never change.
 */
#include "config.h"

#include <string.h>

#include "kernel/model-private.h"

#define WORK_MAX 100000u
#define PENDING_MAX 1000000u
/* Tasks for whose states there is room from the begin: pages that none comes to are not touched. */
#define TASKS_ROOM 16384u

/* Of kinds that come often: what is in the layouts for others, or for rules that may yet come. */
void wp_model_trim_layout(WpLayout *layout)
{
	static const struct {
		guint8 kind, slot;
	} unused[] = {
		{WP_EV_SCHED_SWITCH, WP_SCHED_SWITCH_NEXT_PRIO},
		{WP_EV_VECTOR_EXIT, WP_VECTOR_EXIT_NAME},
		{WP_EV_HRTIMER_START, WP_HRTIMER_START_FUNCTION},
		{WP_EV_HRTIMER_START, WP_HRTIMER_START_EXPIRES},
		{WP_EV_HRTIMER_EXIT, WP_HRTIMER_EXIT_TIMER},
		{WP_EV_TIMER_START, WP_TIMER_START_FUNCTION},
		{WP_EV_TIMER_EXIT, WP_TIMER_EXIT_TIMER},
		{WP_EV_WORK_END, WP_WORK_END_WORK},
		{WP_EV_NAPI_POLL, WP_NAPI_POLL_DEV},
		{WP_EV_NET_ENTRY, WP_NET_ENTRY_SKB},
		{WP_EV_NET_ENTRY, WP_NET_ENTRY_DEV},
		{WP_EV_NET_EXIT, WP_NET_EXIT_RET},
		{WP_EV_NET_QUEUE, WP_NET_QUEUE_DEV},
		{WP_EV_NET_QUEUE, WP_NET_QUEUE_WINDOW},
		{WP_EV_NET_QUEUE, WP_NET_QUEUE_UDP_LEN},
		{WP_EV_NET_QUEUE, WP_NET_QUEUE_ICMP_CODE},
		{WP_EV_NET_RECEIVE, WP_NET_RECEIVE_DEV},
		{WP_EV_NET_RECEIVE, WP_NET_RECEIVE_WINDOW},
		{WP_EV_NET_RECEIVE, WP_NET_RECEIVE_UDP_LEN},
		{WP_EV_NET_RECEIVE, WP_NET_RECEIVE_ICMP_CODE},
		{WP_EV_NET_XMIT, WP_NET_XMIT_LEN},
		{WP_EV_NET_XMIT, WP_NET_XMIT_DEV},
		{WP_EV_NET_XMIT, WP_NET_XMIT_RC},
		{WP_EV_SYSCALL_ENTRY, WP_SYSCALL_ENTRY_ID},
		{WP_EV_SYSCALL_EXIT, WP_SYSCALL_EXIT_RET},
		{WP_EV_CONTENTION_BEGIN, WP_CONTENTION_BEGIN_LOCK},
		{WP_EV_CONTENTION_BEGIN, WP_CONTENTION_BEGIN_FLAGS},
		{WP_EV_CONTENTION_END, WP_CONTENTION_END_LOCK},
	};

	for (guint i = 0; i < G_N_ELEMENTS(unused); i++)
		wp_layout_leave_out(layout, unused[i].kind, unused[i].slot);
}

WpModel *wp_model_new(WpHost *host, const WpTraceInfo *const *infos, guint n_infos)
{
	WpModel *model = g_new0(WpModel, 1);

	model->host = host;
	model->tasks = g_array_sized_new(FALSE, FALSE, sizeof(TaskState), TASKS_ROOM);
	wp_column_init(&model->held, sizeof(Held), host->memory);
	wp_column_init(&model->late, sizeof(WpId), host->memory);
	wp_host_ends_init(&model->ends, host->memory);
	for (guint i = 0; i < DETAILS_CACHED; i++)
		model->details[i].id = WP_NONE;
	model->unseen_until = WP_TIME_MIN;
	model->queued = g_array_new(FALSE, FALSE, sizeof(QueuedWork));
	wp_intmap_init(&model->far_tids);
	wp_intmap_init(&model->function_names);
	wp_intmap_init(&model->work_items);
	wp_context_init(model);
	wp_network_init(model);
	for (guint i = 0; i < n_infos && model->encoding == STATES_UNDECIDED; i++)
		if (!infos[i]->domain || g_str_equal(infos[i]->domain, "kernel"))
			model->encoding = wp_state_guess_encoding(infos[i]);
	return model;
}

void wp_model_free(WpModel *model)
{
	if (!model)
		return;
	wp_context_clear(model);
	wp_network_clear(model);
	wp_tids_clear(model);
	wp_intmap_clear(&model->function_names);
	wp_intmap_clear(&model->work_items);
	g_array_free(model->tasks, TRUE);
	wp_column_clear(&model->held);
	wp_column_clear(&model->late);
	wp_host_ends_clear(&model->ends);
	g_array_free(model->queued, TRUE);
	g_free(model);
}

static const gchar *text_of(const WpEvent *event, guint slot)
{
	return WP_EVENT_HAS(event, slot) ? event->v[slot].s : NULL;
}

/* Of each of its texts 16 bytes can be read. */
static gboolean has_wide(const WpEvent *event)
{
	return (event->flags & WP_EVENT_TEXTS_WIDE) != 0;
}

static gint64 int_of(const WpEvent *event, guint slot, gint64 otherwise)
{
	return WP_EVENT_HAS(event, slot) ? event->v[slot].i : otherwise;
}

/* The CPU that an event names; WP_NONE when it names none, or one that is left out. */
static inline guint32 cpu_of(const WpModel *model, const WpEvent *event, guint slot)
{
	const guint32 number = (guint32)int_of(event, slot, WP_NONE);

	return number == WP_NONE || wp_cpu_is_beyond(model, number) ? WP_NONE : number;
}

/* Corrects what the open segment of a task was. */
static void amend(WpModel *model, WpId task, WpState state, WpId cause)
{
	WpVertex *open = task_open(model, task);

	open->state = (guint8)state;
	open->cause = cause;
}

/* ---------------------------------------------------------------- wake-ups */

/*
 * A task whose wait is about to end may have run unseen on a CPU that was losing events, and
 * then begun another wait: it has waited only since then.
 */
static gboolean split_wait(WpModel *model, WpId target, guint target_cpu, GError **error)
{
	TaskState *t = model_task(model, target);
	const WpTime since = task_open_time(model, target);
	const guint cpu = model->seen_waking ? target_cpu : t->cpu;
	WpTime until = WP_TIME_MIN;

	if (G_LIKELY(model->unseen_until <= since))
		return TRUE;
	if (!t->touched)
		until = model->unseen_until;
	else if (cpu < model->cpus->len && (t->phase == TASK_UNKNOWN || cpu != t->cpu))
		until = model_cpu(model, cpu)->unseen_until;
	if (until <= since)
		return TRUE;
	if (t->phase == TASK_BLOCKED && !wp_lost_wait(model, target, error))
		return FALSE;
	return wp_task_enter_at(model, target, until, WP_STATE_BLOCKED, t->cpu, WP_NONE, error);
}

/* The wait of target ends now for this cause; it becomes runnable. */
static gboolean end_wait(WpModel *model, Cpu *cpu, WpId target, WpState state, Waking *waking,
			 guint target_cpu, GError **error)
{
	const WpCauseKind kind = (WpCauseKind)waking->cause.kind;
	TaskState *t = model_task(model, target);
	WpId id;

	if (!split_wait(model, target, target_cpu, error))
		return FALSE;
	waking->detail.cpu = (guint16)(cpu->id + 1);
	id = wp_waking_add(model, waking, error);
	if (id == WP_NONE)
		return FALSE;
	t->touched = TRUE;
	/* A stopped task stays shown as stopped, whoever lets it go on. */
	if (task_open(model, target)->state == WP_STATE_STOPPED)
		state = WP_STATE_STOPPED;
	amend(model, target, state, id);
	if (G_UNLIKELY(waking->cause.time != model->now) &&
	    !wp_host_ends_add_wait(&model->ends, task_last(model, target), kind, model->now, error))
		return FALSE;
	if (cpu->current == CURRENT_UNKNOWN && !cpu->n_frames &&
	    (kind == WP_CAUSE_NONE || kind == WP_CAUSE_LOST))
		wp_lost_orphan(cpu, task_last(model, target), id);
	t->phase = TASK_RUNNABLE;
	t->last_wait_end = model->now;
	t->held = FALSE;
	wp_task_set_cpu(model, target, target_cpu);
	return wp_task_enter(model, target, WP_STATE_RUNNABLE, target_cpu, WP_NONE, error);
}

/* A wake-up of a task that runs: it counts if that is about to go to sleep. */
static gboolean hold(WpModel *model, Cpu *cpu, WpId target, GError **error)
{
	TaskState *t = model_task(model, target);
	Held *held;

	if (t->held_waking == WP_NONE) {
		if (!wp_column_push(&model->held, error))
			return FALSE;
		t->held_waking = (WpId)(model->held.n - 1);
	}
	held = model_held(model, t);
	wp_context_cause(model, cpu, target, &held->waking);
	held->losses = model->host->losses.n;
	t->held = TRUE;
	t->held_confirmed = FALSE;
	return TRUE;
}

/* A waking, or where a trace has none, a wakeup. */
static G_GNUC_NO_INLINE gboolean wake(WpModel *model, Cpu *cpu, const WpEvent *event,
				      GError **error)
{
	gint32 tid = (gint32)int_of(event, WP_SCHED_WAKING_TID, 0);
	WpId target;
	Waking waking;
	WpState state;

	if (tid <= 0)
		return TRUE;
	/* Whose name is known is asked for it again when it runs. */
	target = wp_task_get(model, tid, error);
	if (target == WP_NONE ||
	    (!*model_task(model, target)->comm &&
	     !wp_task_rename(model, target, text_of(event, WP_SCHED_WAKING_COMM), has_wide(event),
			     error)))
		return FALSE;

	TaskState *t = model_task(model, target);
	guint32 number = cpu_of(model, event, WP_SCHED_WAKING_TARGET_CPU);
	guint target_cpu = t->cpu;

	if (number != WP_NONE) {
		target_cpu = wp_cpu_get(model, number, error);
		if (target_cpu == WP_NONE)
			return FALSE;
		model_cpu(model, target_cpu)->n_woken++;
	}
	switch ((TaskPhase)t->phase) {
	case TASK_RUNNABLE:
		return TRUE;
	case TASK_RUNNING:
		/* Either it is about to go to sleep, or this wake-up is spurious. */
		return cpu_task_in_context(cpu) == target || hold(model, cpu, target, error);
	case TASK_DEAD:
		/* What is woken again was an idle kernel thread, not a dead task. */
		if (!t->maybe_dead)
			return TRUE;
		t->maybe_dead = FALSE;
		task_open(model, target)->flags &= (guint8)~WP_VERTEX_DEAD;
		wp_host_task(model->host, target)->exited = FALSE;
		if (!model->encoding_proven && model->encoding == STATES_UNDECIDED)
			model->encoding = STATES_INDEX;
		break;
	case TASK_UNKNOWN:
	case TASK_BLOCKED:
		break;
	}
	state = wp_context_cause(model, cpu, target, &waking);
	return end_wait(model, cpu, target, state, &waking, target_cpu, error);
}

static G_GNUC_NO_INLINE gboolean on_wakeup_new(WpModel *model, const WpEvent *event, GError **error)
{
	gint32 tid = (gint32)int_of(event, WP_SCHED_WAKEUP_NEW_TID, 0);
	guint32 number = cpu_of(model, event, WP_SCHED_WAKEUP_NEW_TARGET_CPU);
	WpId task;
	guint cpu = G_MAXUINT16;

	if (tid <= 0)
		return TRUE;
	task = wp_task_get_named(model, tid, event, WP_SCHED_WAKEUP_NEW_COMM, error);
	if (task == WP_NONE ||
	    (number != WP_NONE && (cpu = wp_cpu_get(model, number, error)) == WP_NONE))
		return FALSE;

	TaskState *t = model_task(model, task);

	if (t->phase == TASK_UNKNOWN) {
		/* Its fork was not traced: it begins here. */
		WpTask *row = wp_host_task(model->host, task);

		if (row->first == row->last) {
			/* That of its vertex with it. */
			row->begin = model->now;
			amend(model, task, WP_STATE_RUNNABLE, WP_NONE);
		} else if (!wp_task_enter(model, task, WP_STATE_RUNNABLE, cpu, WP_NONE, error)) {
			return FALSE;
		}
		t->phase = TASK_RUNNABLE;
	}
	if (t->phase == TASK_RUNNABLE && cpu != G_MAXUINT16) {
		task_open(model, task)->cpu = (guint16)cpu;
		wp_task_set_cpu(model, task, cpu);
	}
	return TRUE;
}

/* ---------------------------------------------------------------- task switches */

static gboolean leave_cpu(WpModel *model, Cpu *cpu, WpId task, const WpEvent *event, GError **error)
{
	TaskState *t = model_task(model, task);
	gint64 prev_state = int_of(event, WP_SCHED_SWITCH_PREV_STATE, 0);
	LeftState left = wp_state_decode(model, prev_state,
					 text_of(event, WP_SCHED_SWITCH_PREV_STATE_LABEL));

	t->touched = TRUE;
	if (t->exiting && left != LEFT_RUNNABLE)
		left = LEFT_DEAD;
	t->maybe_dead = left == LEFT_MAYBE_DEAD;
	switch (left) {
	case LEFT_RUNNABLE:
		t->phase = TASK_RUNNABLE;
		t->held = FALSE;
		return wp_task_enter(model, task, WP_STATE_PREEMPTED, cpu->id, WP_NONE, error);
	case LEFT_BLOCKED:
	case LEFT_STOPPED:
		t->phase = TASK_BLOCKED;
		t->held_confirmed = FALSE;
		return wp_task_enter(model, task,
				     left == LEFT_STOPPED ? WP_STATE_STOPPED : WP_STATE_BLOCKED,
				     cpu->id, WP_NONE, error);
	case LEFT_DEAD:
	case LEFT_MAYBE_DEAD:
		break;
	}
	return wp_task_die(model, task, error);
}

/*
 * A waiting task has become runnable though nobody was seen to wake it. If events were lost
 * meanwhile, on the CPU of whoever did, it was by then; since then it could have run.
 */
static gboolean missing_wakeup(WpModel *model, WpId task, GError **error)
{
	WpVertex *open = task_open(model, task);
	const WpCause cause = {.time = model->now, .source = WP_NONE};
	const WpCauseDetail detail = {.syscall = model_task(model, task)->syscall};
	WpTime since = model->now;

	model->host->n_missing_wakeups++;
	model_task(model, task)->last_wait_end = model->now;
	if (wp_lost_since(model, task_open_time(model, task), &since)) {
		if (!wp_lost_wait(model, task, error))
			return FALSE;
	} else {
		open->flags |= WP_VERTEX_NO_WAKEUP;
		open->cause = wp_cause_add(model, &cause, &detail, error);
		if (open->cause == WP_NONE)
			return FALSE;
	}
	if (!wp_task_enter_at(model, task, since, WP_STATE_RUNNABLE, open->cpu, WP_NONE, error))
		return FALSE;
	task_open(model, task)->flags |= WP_VERTEX_NO_WAKEUP;
	return TRUE;
}

/* What came early is still good. */
static gboolean is_held(const WpModel *model, const TaskState *t)
{
	return t->held && model_held(model, t)->losses == model->host->losses.n;
}

static G_GNUC_NO_INLINE gboolean on_wakeup(WpModel *model, Cpu *cpu, const WpEvent *event,
					   GError **error)
{
	WpId target;
	TaskState *t;

	if (!model->seen_waking)
		return wake(model, cpu, event, error);
	target = wp_task_find(model, (gint32)int_of(event, WP_SCHED_WAKEUP_TID, 0));
	if (target == WP_NONE || model_task(model, target)->phase != TASK_BLOCKED)
		return TRUE;
	t = model_task(model, target);
	if (is_held(model, t)) {
		t->held_confirmed = TRUE;
		return TRUE;
	}
	/* Its waking is missing, but from here on it is runnable. */
	t->phase = TASK_RUNNABLE;
	return missing_wakeup(model, target, error);
}

/* Whether the open segment begins where an interval of lost events ends. */
static gboolean follows_loss(WpModel *model, WpId task)
{
	const WpVertex *open = task_open(model, task);

	return open->prev != WP_NONE &&
	       (wp_host_vertex(model->host, open->prev)->flags & WP_VERTEX_LOST);
}

static gboolean enter_cpu(WpModel *model, Cpu *cpu, WpId task, GError **error)
{
	TaskState *t = model_task(model, task);

	t->touched = TRUE;
	if (t->phase == TASK_BLOCKED) {
		if (is_held(model, t) &&
		    (t->held_confirmed || !model->host->has_waking || !model->seen_wakeup)) {
			/* The wake-up came before it had gone to sleep: it never waited. */
			WpId id = wp_waking_add(model, &model_held(model, t)->waking, error);

			if (id == WP_NONE)
				return FALSE;
			amend(model, task, WP_STATE_RUNNABLE, id);
		} else if (!missing_wakeup(model, task, error)) {
			return FALSE;
		}
	} else if (t->phase == TASK_UNKNOWN && follows_loss(model, task)) {
		/* No wake-up since then: it was woken, or preempted, while events were lost. */
		WpTime since;

		if (!wp_lost_since(model, task_open_time(model, task), &since))
			amend(model, task, WP_STATE_RUNNABLE, WP_NONE);
		else if (!wp_task_enter_at(model, task, since, WP_STATE_RUNNABLE, t->cpu, WP_NONE,
					   error))
			return FALSE;
		task_open(model, task)->flags |= WP_VERTEX_NO_WAKEUP;
	}
	/* It was believed to be on another CPU, whose events of that are lost. */
	if (t->phase == TASK_RUNNING && t->cpu != cpu->id && t->cpu < model->cpus->len &&
	    model_cpu(model, t->cpu)->current == task)
		wp_lost_cpu_init(model_cpu(model, t->cpu), TRUE, model->now, model->now);
	t->held = FALSE;
	t->phase = TASK_RUNNING;
	wp_task_set_cpu(model, task, cpu->id);
	return wp_task_enter(model, task, WP_STATE_RUNNING, cpu->id, WP_NONE, error);
}

/* The task is on the CPU, though no event has said so: some were lost. */
static gboolean assume_running(WpModel *model, Cpu *cpu, WpId task, GError **error)
{
	TaskState *t = model_task(model, task);

	if (t->phase == TASK_RUNNING && t->cpu == cpu->id)
		return TRUE;
	if (t->phase == TASK_BLOCKED && !missing_wakeup(model, task, error))
		return FALSE;
	if (t->phase == TASK_RUNNABLE)
		task_open(model, task)->flags |= WP_VERTEX_NO_WAKEUP;
	t->phase = TASK_RUNNING;
	wp_task_set_cpu(model, task, cpu->id);
	t->held = FALSE;
	return wp_task_enter(model, task, WP_STATE_RUNNING, cpu->id, WP_NONE, error);
}

static G_GNUC_NO_INLINE gboolean on_switch(WpModel *model, Cpu *cpu, const WpEvent *event,
					   GError **error)
{
	gint32 prev_tid = (gint32)int_of(event, WP_SCHED_SWITCH_PREV_TID, -1);
	gint32 next_tid = (gint32)int_of(event, WP_SCHED_SWITCH_NEXT_TID, -1);
	WpId prev = CURRENT_IDLE, next = CURRENT_IDLE;

	if (prev_tid < 0 || next_tid < 0)
		return TRUE;
	if (prev_tid > 0) {
		prev = wp_task_get_named(model, prev_tid, event, WP_SCHED_SWITCH_PREV_COMM, error);
		if (prev == WP_NONE)
			return FALSE;
	}
	if (cpu->current == CURRENT_UNKNOWN &&
	    !wp_lost_recover(model, cpu, prev_tid > 0 ? prev : WP_NONE, error))
		return FALSE;
	if (cpu->current != prev && !wp_lost_task(model, cpu, error))
		return FALSE;
	cpu->current = prev;
	if (!cpu->n_frames)
		wp_context_forget(cpu);
	else if (!wp_context_flush(model, cpu, error))
		return FALSE;
	if (prev_tid > 0 && (!assume_running(model, cpu, prev, error) ||
			     !leave_cpu(model, cpu, prev, event, error)))
		return FALSE;
	if (next_tid > 0) {
		next = wp_task_get_named(model, next_tid, event, WP_SCHED_SWITCH_NEXT_COMM, error);
		if (next == WP_NONE || !enter_cpu(model, cpu, next, error))
			return FALSE;
	}
	cpu->current = next;
	return TRUE;
}

static G_GNUC_NO_INLINE gboolean on_migrate(WpModel *model, const WpEvent *event, GError **error)
{
	WpId task = wp_task_find(model, (gint32)int_of(event, WP_SCHED_MIGRATE_TID, 0));
	guint32 number = cpu_of(model, event, WP_SCHED_MIGRATE_DEST_CPU);
	guint cpu;

	if (task == WP_NONE || number == WP_NONE)
		return TRUE;
	cpu = wp_cpu_get(model, number, error);
	if (cpu == WP_NONE)
		return FALSE;

	TaskState *t = model_task(model, task);
	const WpVertex *open = task_open(model, task);

	if (t->phase == TASK_RUNNING || t->cpu == cpu)
		return TRUE;
	wp_task_set_cpu(model, task, cpu);
	if (t->phase != TASK_RUNNABLE)
		return TRUE;
	return wp_task_enter(model, task, open->state, cpu, open->cause, error) &&
	       (open->cause == WP_NONE ||
		wp_host_ends_add_begin(&model->ends, task_last(model, task), error));
}

/* ---------------------------------------------------------------- birth, change and end */

static G_GNUC_NO_INLINE gboolean on_fork(WpModel *model, const WpEvent *event, GError **error)
{
	WpHost *host = model->host;
	gint32 parent_tid = (gint32)int_of(event, WP_SCHED_FORK_PARENT_TID, 0);
	gint32 child_tid = (gint32)int_of(event, WP_SCHED_FORK_CHILD_TID, 0);
	const gchar *comm = text_of(event, WP_SCHED_FORK_CHILD_COMM);
	WpCause cause = {.time = model->now, .source = WP_NONE, .kind = WP_CAUSE_FORK};
	WpId parent = WP_NONE, child, id;

	if (child_tid <= 0)
		return TRUE;
	if (parent_tid > 0) {
		parent = wp_task_get(model, parent_tid, error);
		if (parent == WP_NONE)
			return FALSE;
		cause.source = task_last(model, parent);
	}
	id = wp_cause_add(model, &cause, &(WpCauseDetail){.name = 0}, error);
	if (id == WP_NONE)
		return FALSE;
	child = wp_task_new(model, child_tid, model->now, WP_STATE_RUNNABLE, id, error);
	if (child == WP_NONE || !wp_task_rename(model, child, comm, has_wide(event), error) ||
	    !wp_host_ends_add_begin(&model->ends, task_last(model, child), error))
		return FALSE;

	WpTask *c = wp_host_task(host, child);

	model_task(model, child)->phase = TASK_RUNNABLE;
	model_task(model, child)->touched = TRUE;
	c->parent = parent;
	c->pid = (gint32)int_of(event, WP_SCHED_FORK_CHILD_PID, -1);
	c->ppid = (gint32)int_of(event, WP_SCHED_FORK_PARENT_PID, parent_tid);
	if (parent != WP_NONE) {
		WpTask *p = wp_host_task(host, parent);

		c->kind = p->kind;
		if (p->pid < 0)
			p->pid = (gint32)int_of(event, WP_SCHED_FORK_PARENT_PID, -1);
	}
	return TRUE;
}

static G_GNUC_NO_INLINE gboolean on_exec(WpModel *model, const WpEvent *event, GError **error)
{
	gint32 tid = (gint32)int_of(event, WP_SCHED_EXEC_TID, 0);
	gint32 old_tid = (gint32)int_of(event, WP_SCHED_EXEC_OLD_TID, tid);
	const gchar *filename = text_of(event, WP_SCHED_EXEC_FILENAME);
	WpId task;

	if (tid <= 0)
		return TRUE;
	task = wp_task_get(model, old_tid > 0 ? old_tid : tid, error);
	if (task == WP_NONE)
		return FALSE;
	if (old_tid != tid && old_tid > 0) {
		/* A thread that was not the leader takes over the process and its tid. */
		WpId leader = wp_task_find(model, tid);

		if (leader != WP_NONE && leader != task &&
		    model_task(model, leader)->phase != TASK_DEAD &&
		    !wp_task_die(model, leader, error))
			return FALSE;
		wp_task_take_tid(model, task, old_tid, tid);
		wp_host_task(model->host, task)->tid = tid;
		wp_host_task(model->host, task)->pid = tid;
	}
	if (filename) {
		g_autofree gchar *base = g_path_get_basename(filename);

		/* The kernel's comm has 15 bytes. */
		if (strlen(base) > 15)
			base[15] = '\0';
		return wp_task_rename(model, task, base, FALSE, error);
	}
	return TRUE;
}

static G_GNUC_NO_INLINE void on_exit_task(WpModel *model, const WpEvent *event)
{
	WpId task = wp_task_find(model, (gint32)int_of(event, WP_SCHED_EXIT_TID, 0));

	if (task != WP_NONE)
		model_task(model, task)->exiting = TRUE;
}

static G_GNUC_NO_INLINE void on_free(WpModel *model, const WpEvent *event)
{
	gint32 tid = (gint32)int_of(event, WP_SCHED_FREE_TID, 0);
	WpId task = wp_task_find(model, tid);

	/* The tid may have been given to a new task before the old one's memory is freed. */
	if (task != WP_NONE && model_task(model, task)->phase == TASK_DEAD)
		model_task(model, task)->maybe_dead = FALSE;
}

/* ---------------------------------------------------------------- state dump */

static G_GNUC_NO_INLINE gboolean on_dump_process(WpModel *model, const WpEvent *event,
						 GError **error)
{
	enum { TYPE_USER = 0, TYPE_KERNEL = 1, STATUS_WAIT = 5 };
	gint32 tid = (gint32)int_of(event, WP_DUMP_PROCESS_TID, 0);
	WpId task;

	if (tid <= 0)
		return TRUE;
	task = wp_task_get(model, tid, error);
	if (task == WP_NONE)
		return FALSE;

	WpTask *row = wp_host_task(model->host, task);
	TaskState *t = model_task(model, task);
	const gchar *name = text_of(event, WP_DUMP_PROCESS_NAME);
	gint64 type = int_of(event, WP_DUMP_PROCESS_TYPE, -1);

	row->pid = (gint32)int_of(event, WP_DUMP_PROCESS_PID, row->pid);
	row->ppid = (gint32)int_of(event, WP_DUMP_PROCESS_PPID, row->ppid);
	if (type == TYPE_USER || type == TYPE_KERNEL)
		row->kind = type == TYPE_KERNEL ? WP_TASK_KERNEL : WP_TASK_USER;
	if (!row->comm && !wp_task_rename(model, task, name, has_wide(event), error))
		return FALSE;
	if (!t->touched && t->phase == TASK_UNKNOWN &&
	    int_of(event, WP_DUMP_PROCESS_STATUS, -1) == STATUS_WAIT) {
		amend(model, task, WP_STATE_BLOCKED, WP_NONE);
		t->phase = TASK_BLOCKED;
	}
	return TRUE;
}

static G_GNUC_NO_INLINE void on_dump_interrupt(WpModel *model, const WpEvent *event)
{
	const gchar *action = text_of(event, WP_DUMP_INTERRUPT_ACTION);
	guint32 irq = (guint32)int_of(event, WP_DUMP_INTERRUPT_IRQ, 0);

	if (action && *action)
		wp_intmap_set(&model->irq_names, irq,
			      wp_strings_intern(model->host->strings, action));
}

static G_GNUC_NO_INLINE void on_dump_block(WpModel *model, const WpEvent *event)
{
	const gchar *name = text_of(event, WP_DUMP_BLOCK_NAME);

	if (name && *name && WP_EVENT_HAS(event, WP_DUMP_BLOCK_DEVICE))
		wp_intmap_set(&model->disk_names, event->v[WP_DUMP_BLOCK_DEVICE].u,
			      wp_strings_intern(model->host->strings, name));
}

/* ---------------------------------------------------------------- interrupts, timers, disks, work */

static G_GNUC_NO_INLINE gboolean on_irq_entry(WpModel *model, Cpu *cpu, const WpEvent *event,
					      GError **error)
{
	gint32 irq = (gint32)int_of(event, WP_IRQ_ENTRY_IRQ, -1);
	const gchar *text = text_of(event, WP_IRQ_ENTRY_NAME);
	WpId name = wp_intmap_get(&model->irq_names, (guint32)irq);

	if (name == WP_NONE ||
	    (text && *text && strcmp(wp_strings_get(model->host->strings, name), text) != 0)) {
		name = wp_strings_intern(model->host->strings, text);
		wp_intmap_set(&model->irq_names, (guint32)irq, name);
	}
	return wp_context_enter(model, cpu, FRAME_IRQ, irq, name, error);
}

static void remember(WpIntMap *map, guint64 key, WpId value)
{
	if (value == WP_NONE)
		return;
	/* What a trace never completes must not pile up. */
	if (map->n >= PENDING_MAX)
		wp_intmap_clear(map);
	wp_intmap_set(map, key, value);
}

/* The open vertex of the task in whose own context the CPU is, WP_NONE. */
static WpId acting_vertex(WpModel *model, Cpu *cpu)
{
	WpId task = cpu_task_in_context(cpu);

	return task == WP_NONE ? WP_NONE : task_last(model, task);
}

static G_GNUC_NO_INLINE gboolean on_vector_entry(WpModel *model, Cpu *cpu, const WpEvent *event,
						 GError **error)
{
	const WpId name = wp_name_get(model, event, WP_VECTOR_ENTRY_NAME);

	return wp_context_enter(model, cpu, FRAME_VECTOR, 0, name, error);
}

/* The slots of both kinds of timers are numbered alike. */
G_STATIC_ASSERT((gint)WP_HRTIMER_START_TIMER == (gint)WP_TIMER_START_TIMER &&
		(gint)WP_HRTIMER_ENTRY_TIMER == (gint)WP_TIMER_ENTRY_TIMER &&
		(gint)WP_HRTIMER_ENTRY_FUNCTION == (gint)WP_TIMER_ENTRY_FUNCTION);

static G_GNUC_NO_INLINE void on_timer_start(WpModel *model, Cpu *cpu, const WpEvent *event)
{
	remember(&model->timers, (guint64)int_of(event, WP_TIMER_START_TIMER, 0),
		 acting_vertex(model, cpu));
}

static G_GNUC_NO_INLINE gboolean on_timer_entry(WpModel *model, Cpu *cpu, const WpEvent *event,
						FrameType type, GError **error)
{
	Frame *frame;

	if (!wp_context_enter(model, cpu, type, 0, 0, error))
		return FALSE;
	frame = &cpu->frames[cpu->n_frames - 1];
	frame->address = (guint64)int_of(event, WP_TIMER_ENTRY_TIMER, 0);
	frame->function = (guint64)int_of(event, WP_TIMER_ENTRY_FUNCTION, 0);
	return TRUE;
}

static G_GNUC_NO_INLINE void on_block(WpModel *model, Cpu *cpu, const WpEvent *event)
{
	guint64 device = (guint64)int_of(event, WP_BLOCK_ISSUE_DEVICE, 0);
	guint64 sector = (guint64)int_of(event, WP_BLOCK_ISSUE_SECTOR, 0);
	guint64 n_sectors = (guint64)int_of(event, WP_BLOCK_ISSUE_N_SECTORS, 0);

	if (event->kind == WP_EV_BLOCK_COMPLETE) {
		wp_context_disk_completed(model, cpu, device, sector, n_sectors);
	} else if (n_sectors) {
		guint64 key = disk_request_key(device, sector);

		/* Who inserted it wanted it; a kernel thread may issue it later. */
		if (event->kind == WP_EV_BLOCK_INSERT ||
		    wp_intmap_get(&model->requests, key) == WP_NONE)
			remember(&model->requests, key, acting_vertex(model, cpu));
	}
}

static G_GNUC_NO_INLINE void on_work_queue(WpModel *model, Cpu *cpu, const WpEvent *event)
{
	QueuedWork work = {.time = model->now,
			   .vertex = acting_vertex(model, cpu),
			   .function = wp_function_name(
				   model, (guint64)int_of(event, WP_WORK_QUEUE_FUNCTION, 0))};

	if (model->queued->len >= WORK_MAX) {
		g_array_set_size(model->queued, 0);
		wp_intmap_clear(&model->work_items);
	}
	wp_intmap_set(&model->work_items, (guint64)int_of(event, WP_WORK_QUEUE_WORK, 0),
		      model->queued->len);
	g_array_append_val(model->queued, work);
}

static G_GNUC_NO_INLINE gboolean on_work_start(WpModel *model, Cpu *cpu, const WpEvent *event,
					       GError **error)
{
	WpId task = cpu_task_in_context(cpu);
	guint32 i = wp_intmap_remove(&model->work_items,
				     (guint64)int_of(event, WP_WORK_START_WORK, 0));

	if (task == WP_NONE)
		return TRUE;

	TaskState *t = model_task(model, task);

	t->work = wp_function_name(model, (guint64)int_of(event, WP_WORK_START_FUNCTION, 0));
	if (i == WP_NONE)
		return TRUE;

	const QueuedWork *work = &g_array_index(model->queued, QueuedWork, i);

	if (!t->work)
		t->work = work->function;
	/* Had it slept when the item was queued, its wake-up tells all. */
	if (work->vertex == WP_NONE || t->last_wait_end > work->time || t->phase != TASK_RUNNING)
		return TRUE;

	const WpCause cause = {
		.time = work->time, .source = work->vertex, .kind = WP_CAUSE_WORKQUEUE};
	const WpCauseDetail detail = {.name = t->work};
	WpId id = wp_cause_add(model, &cause, &detail, error);

	return id != WP_NONE && wp_task_enter(model, task, WP_STATE_RUNNING, cpu->id, id, error) &&
	       wp_host_ends_add_begin(&model->ends, task_last(model, task), error);
}

static G_GNUC_NO_INLINE void on_work_end(WpModel *model, Cpu *cpu)
{
	WpId task = cpu_task_in_context(cpu);

	if (task != WP_NONE)
		model_task(model, task)->work = 0;
}

static G_GNUC_NO_INLINE void on_signal(WpModel *model, Cpu *cpu, const WpEvent *event)
{

	cpu->signal_tid = (gint32)int_of(event, WP_SIGNAL_TID, -1);
	cpu->signal_number = (gint32)int_of(event, WP_SIGNAL_SIG, 0);
	cpu->signal_time = model->now;
}

static G_GNUC_NO_INLINE void on_syscall_entry(WpModel *model, Cpu *cpu, const WpEvent *event)
{
	model->host->has_syscalls = TRUE;
	if (cpu->n_frames)
		return;
	/* No interrupt makes system calls. */
	cpu->base_known = TRUE;
	if (is_task(cpu->current))
		model_task(model, cpu->current)->syscall = wp_name_get(model, event,
								       WP_SYSCALL_ENTRY_NAME);
}

static void on_syscall_exit(WpModel *model, const Cpu *cpu)
{
	if (cpu_task_in_context(cpu) == WP_NONE)
		return;

	TaskState *t = model_task(model, cpu->current);

	t->syscall = 0;
	t->held = FALSE;
}

/* ---------------------------------------------------------------- markers, lost events */

/*
 * An event that the user named, of the kernel or of a program: it belongs to the task
 * that the CPU executes, so no context field is needed; that the event names its thread
 * helps where the CPU's task is not known.
 */
static G_GNUC_NO_INLINE gboolean on_marker(WpModel *model, Cpu *cpu, const WpEvent *event,
					   GError **error)
{
	WpHost *host = model->host;
	WpMarker *marker = wp_column_push(&host->markers, error);

	if (!marker)
		return FALSE;
	marker->time = model->now;
	marker->task = cpu_task_in_context(cpu);
	if (marker->task == WP_NONE && WP_EVENT_HAS(event, WP_MARKER_VTID))
		marker->task = wp_task_find(model, (gint32)int_of(event, WP_MARKER_VTID, 0));
	marker->name = wp_strings_intern(host->strings, text_of(event, WP_MARKER_NAME));
	marker->id = int_of(event, WP_MARKER_ID, 0);
	marker->id_text = wp_strings_intern(host->strings, text_of(event, WP_MARKER_ID_TEXT));
	marker->has_id = marker->id_text || WP_EVENT_HAS(event, WP_MARKER_ID);
	return TRUE;
}

static G_GNUC_NO_INLINE gboolean on_lost(WpModel *model, Cpu *cpu, const WpEvent *event,
					 GError **error)
{
	const guint64 count = (guint64)int_of(event, WP_LOST_COUNT, 0);
	const gboolean packets = int_of(event, WP_LOST_PACKETS, 0) != 0;

	const WpTime begin = int_of(event, WP_LOST_BEGIN, model->now);

	/* The event's own time is in order; this may be anything. */
	return wp_lost_events(model, cpu, CLAMP(begin, WP_TIME_EARLIEST, model->now), count,
			      packets || count == 0, error);
}

/* ---------------------------------------------------------------- dispatch */

/* Inlined twice: the loop over events knows it, so that many small ones need no call. */
static G_ALWAYS_INLINE inline gboolean dispatch(WpModel *model, Cpu *cpu, const WpEvent *event,
						GError **error)
{
	WpHost *host = model->host;

	model->now = MAX(model->now, event->time);
	host->n_events++;
	switch ((WpEventKind)event->kind) {
	case WP_EV_SCHED_SWITCH:
		return on_switch(model, cpu, event, error);
	case WP_EV_SCHED_WAKING:
		model->seen_waking = host->has_waking = TRUE;
		return wake(model, cpu, event, error);
	case WP_EV_SCHED_WAKEUP:
		model->seen_wakeup = TRUE;
		return on_wakeup(model, cpu, event, error);
	case WP_EV_SCHED_WAKEUP_NEW:
		return on_wakeup_new(model, event, error);
	case WP_EV_SCHED_FORK:
		return on_fork(model, event, error);
	case WP_EV_SCHED_EXEC:
		return on_exec(model, event, error);
	case WP_EV_SCHED_EXIT:
		on_exit_task(model, event);
		return TRUE;
	case WP_EV_SCHED_FREE:
		on_free(model, event);
		return TRUE;
	case WP_EV_SCHED_MIGRATE:
		return on_migrate(model, event, error);
	case WP_EV_IRQ_ENTRY:
		return on_irq_entry(model, cpu, event, error);
	case WP_EV_IRQ_EXIT:
		return wp_context_leave(model, cpu, FRAME_IRQ,
					(gint32)int_of(event, WP_IRQ_EXIT_IRQ, -1), error);
	case WP_EV_SOFTIRQ_RAISE:
		wp_context_softirq_raised(model, cpu,
					  (gint32)int_of(event, WP_SOFTIRQ_RAISE_VEC, -1));
		return TRUE;
	case WP_EV_SOFTIRQ_ENTRY:
		host->has_softirqs = TRUE;
		return wp_context_enter(model, cpu, FRAME_SOFTIRQ,
					(gint32)int_of(event, WP_SOFTIRQ_ENTRY_VEC, -1), 0, error);
	case WP_EV_SOFTIRQ_EXIT:
		return wp_context_leave(model, cpu, FRAME_SOFTIRQ,
					(gint32)int_of(event, WP_SOFTIRQ_EXIT_VEC, -1), error);
	case WP_EV_VECTOR_ENTRY:
		return on_vector_entry(model, cpu, event, error);
	case WP_EV_VECTOR_EXIT:
		return wp_context_leave(model, cpu, FRAME_VECTOR, 0, error);
	case WP_EV_HRTIMER_START:
		on_timer_start(model, cpu, event);
		return TRUE;
	case WP_EV_HRTIMER_ENTRY:
		host->has_timers = TRUE;
		return on_timer_entry(model, cpu, event, FRAME_HRTIMER, error);
	case WP_EV_HRTIMER_EXIT:
		return wp_context_leave(model, cpu, FRAME_HRTIMER, 0, error);
	case WP_EV_TIMER_START:
		on_timer_start(model, cpu, event);
		return TRUE;
	case WP_EV_TIMER_ENTRY:
		host->has_timers = TRUE;
		return on_timer_entry(model, cpu, event, FRAME_TIMER, error);
	case WP_EV_TIMER_EXIT:
		return wp_context_leave(model, cpu, FRAME_TIMER, 0, error);
	case WP_EV_WORK_QUEUE:
		on_work_queue(model, cpu, event);
		return TRUE;
	case WP_EV_WORK_START:
		return on_work_start(model, cpu, event, error);
	case WP_EV_WORK_END:
		on_work_end(model, cpu);
		return TRUE;
	case WP_EV_NET_ENTRY:
		return wp_context_enter(model, cpu, FRAME_NET, 0, 0, error);
	case WP_EV_NET_EXIT:
		return wp_context_leave(model, cpu, FRAME_NET, 0, error);
	case WP_EV_NET_QUEUE:
	case WP_EV_SOCK_OUT:
		return wp_network_queue(model, cpu, event, error);
	case WP_EV_NET_RECEIVE:
	case WP_EV_SOCK_IN:
		return wp_network_receive(model, cpu, event, error);
	case WP_EV_NET_XMIT:
		wp_network_transmitted(model, (guint64)int_of(event, WP_NET_XMIT_SKB, 0));
		return TRUE;
	case WP_EV_BLOCK_INSERT:
	case WP_EV_BLOCK_ISSUE:
	case WP_EV_BLOCK_COMPLETE:
		on_block(model, cpu, event);
		return TRUE;
	case WP_EV_SIGNAL:
		on_signal(model, cpu, event);
		return TRUE;
	case WP_EV_SYSCALL_ENTRY:
		on_syscall_entry(model, cpu, event);
		return TRUE;
	case WP_EV_SYSCALL_EXIT:
		on_syscall_exit(model, cpu);
		return TRUE;
	case WP_EV_DUMP_PROCESS:
		return on_dump_process(model, event, error);
	case WP_EV_DUMP_INTERRUPT:
		on_dump_interrupt(model, event);
		return TRUE;
	case WP_EV_DUMP_BLOCK:
		on_dump_block(model, event);
		return TRUE;
	case WP_EV_DUMP_NETIF:
		return wp_network_interface(model, event, error);
	case WP_EV_LOST:
		return on_lost(model, cpu, event, error);
	case WP_EV_MARKER:
		return on_marker(model, cpu, event, error);
	case WP_EV_NAPI_POLL:
	case WP_EV_DUMP_END:
	case WP_EV_CONTENTION_BEGIN:
	case WP_EV_CONTENTION_END:
	case WP_EV_N:
		break;
	}
	return TRUE;
}

/* An event of a CPU that none was of before, or whose number is high. */
static G_GNUC_NO_INLINE gboolean event_of_new_cpu(WpModel *model, const WpEvent *event,
						  GError **error)
{
	const guint32 number = event->cpu == WP_NONE ? 0 : event->cpu;
	Cpu *cpu;
	guint id;

	if (!model->begun) {
		model->begun = TRUE;
		model->host->begin = model->now = event->time;
	}
	if (wp_cpu_is_beyond(model, number)) {
		model->n_beyond++;
		return TRUE;
	}
	id = wp_cpu_get(model, number, error);
	if (id == WP_NONE)
		return FALSE;
	cpu = model_cpu(model, id);
	cpu->seen = TRUE;
	if (event->cpu == WP_NONE || event->cpu < CPUS_DIRECT)
		model->cpu_direct[event->cpu + 1] = cpu;
	return dispatch(model, cpu, event, error);
}

/* So many events ahead it is asked for records, and for the texts of those that have come. */
#define RECORDS_AHEAD 32u
#define TEXTS_AHEAD 12u
#define CACHE_LINE 64u

/*
 * What another core wrote comes from its cache, which takes as long as some events do. The begin of
 * a record comes with the one that lies in front of it.
 */
static inline void fetch_ahead(const WpEvent *const *events, gsize n_left)
{
	if (n_left > RECORDS_AHEAD)
		__builtin_prefetch((const guint8 *)events[RECORDS_AHEAD] + CACHE_LINE);
	if (n_left > TEXTS_AHEAD) {
		const WpEvent *event = events[TEXTS_AHEAD];

		if (event->kind == WP_EV_SCHED_SWITCH &&
		    WP_EVENT_HAS(event, WP_SCHED_SWITCH_NEXT_COMM))
			__builtin_prefetch(event->v[WP_SCHED_SWITCH_NEXT_COMM].s);
	}
}

gboolean wp_model_events(WpModel *model, const WpEvent *const *events, guint n, gboolean are_far,
			 GError **error)
{
	for (const WpEvent *const *end = events + n; events < end; events++) {
		const WpEvent *event = *events;
		/* An event that does not say its CPU comes first. */
		const guint32 slot = event->cpu + 1;
		Cpu *cpu = slot <= CPUS_DIRECT ? model->cpu_direct[slot] : NULL;

		if (are_far)
			fetch_ahead(events, (gsize)(end - events));
		if (G_UNLIKELY(!cpu)) {
			if (!event_of_new_cpu(model, event, error))
				return FALSE;
		} else if (!dispatch(model, cpu, event, error)) {
			return FALSE;
		}
	}
	model->host->end = model->now;
	return TRUE;
}

gboolean wp_model_event(const WpEvent *event, gpointer data, GError **error)
{
	return wp_model_events(data, &event, 1, FALSE, error);
}

static gint compare_numbers(gconstpointer a, gconstpointer b, gpointer data)
{
	WpHost *host = data;
	guint32 x = wp_host_cpu(host, *(const guint *)a), y = wp_host_cpu(host, *(const guint *)b);

	return x < y ? -1 : x > y;
}

/* The dense indexes of the CPUs, by their numbers. Owned by the caller. */
static GArray *sort_cpus(WpModel *model)
{
	GArray *order = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint i = 0; i < model->cpus->len; i++)
		g_array_append_val(order, i);
	g_array_sort_with_data(order, compare_numbers, model->host);
	return order;
}

/* What was lost, by CPU. */
static void report_losses(WpModel *model, const GArray *order)
{
	WpHost *host = model->host;
	g_autofree guint64 *lost = g_new0(guint64, model->cpus->len + 1);
	g_autofree WpTime *first = g_new(WpTime, model->cpus->len + 1);

	for (guint64 i = 0; i < host->losses.n; i++) {
		const WpLoss *loss = &WP_AT(&host->losses, WpLoss, i);

		if (loss->cpu >= model->cpus->len)
			continue;
		if (!lost[loss->cpu])
			first[loss->cpu] = loss->begin;
		lost[loss->cpu] += loss->count;
	}
	for (guint j = 0; j < order->len; j++) {
		guint i = g_array_index(order, guint, j);

		if (lost[i])
			wp_findings_add(
				host->findings, "lost-events", WP_SEVERITY_WARNING, host->name,
				first[i], lost[i],
				"The tracer lost events on CPU %u; what happened then is shown "
				"as lost. Larger or more buffers keep them (lttng enable-channel "
				"--subbuf-size, --num-subbuf).",
				wp_host_cpu(host, i));
	}
}

/*
 * CPUs that tasks were woken to run on, and that have no events themselves, so that nobody saw
 * them run. The last wake-up of a trace may be such a one.
 */
static void report_missing_streams(WpModel *model, const GArray *order)
{
	WpHost *host = model->host;

	for (guint j = 0; j < order->len; j++) {
		guint i = g_array_index(order, guint, j);
		const Cpu *cpu = model_cpu(model, i);

		if (!cpu->seen && cpu->n_woken > 1)
			wp_findings_add(host->findings, "missing-stream", WP_SEVERITY_WARNING,
					host->name, WP_TIME_MIN, cpu->n_woken,
					"Tasks were woken to run on CPU %u, of which there are no "
					"events: its stream is missing, and what ran there is not "
					"known.",
					wp_host_cpu(host, i));
	}
}

static void report(WpModel *model)
{
	g_autoptr(GArray) order = sort_cpus(model);
	WpHost *host = model->host;

	report_losses(model, order);
	report_missing_streams(model, order);
	if (host->n_missing_wakeups)
		wp_findings_add(
			host->findings, "missing-wakeups", WP_SEVERITY_WARNING, host->name,
			WP_TIME_MIN, host->n_missing_wakeups,
			"Waits ended without a wake-up in the trace; what ended them is not "
			"known.");
	if (host->begin == host->end)
		wp_findings_add(host->findings, "no-time", WP_SEVERITY_WARNING, host->name,
				host->begin, 1,
				"All events have the same time, so there is no time to tell of.");
	if (model->n_beyond)
		wp_findings_add(host->findings, "too-many-cpus", WP_SEVERITY_ERROR, host->name,
				WP_TIME_MIN, model->n_beyond,
				"There are events of more than %u CPUs: those of further ones are "
				"left out, and what tasks did there is not known.",
				CPUS_MAX);
	if (!host->has_waking && model->seen_wakeup)
		wp_findings_add(host->findings, "no-sched-waking", WP_SEVERITY_INFO, host->name,
				WP_TIME_MIN, 1,
				"The trace has no sched_waking; sched_wakeup is written on the CPU "
				"that is to run the task, so some wakers are not known. Enable it "
				"with: lttng enable-event --kernel sched_waking");
}

WpTime wp_model_get_settled(const WpModel *model)
{
	WpTime settled = model->now;

	for (guint i = 0; i < model->cpus->len; i++) {
		const Cpu *cpu = model_cpu(model, i);

		for (guint j = 0; cpu->orphans && j < cpu->orphans->len; j++) {
			WpId cause = g_array_index(cpu->orphans, WpId, j);

			settled = MIN(settled, wp_host_cause(model->host, cause)->time);
		}
	}
	return settled;
}

gboolean wp_model_finish(WpModel *model, GError **error)
{
	WpHost *host = model->host;

	for (guint i = 0; i < model->tasks->len; i++) {
		const TaskState *t = model_task(model, i);
		WpTask *row = wp_host_task(host, i);

		if (!row->exited)
			row->end = host->end;
		/* A wait that the trace does not see the end of still knows its system call. */
		if (t->phase == TASK_BLOCKED && t->syscall &&
		    task_open(model, i)->cause == WP_NONE) {
			const WpCause cause = {.time = host->end, .source = WP_NONE};
			const WpCauseDetail detail = {.syscall = t->syscall};
			WpId id = wp_cause_add(model, &cause, &detail, error);

			if (id == WP_NONE)
				return FALSE;
			task_open(model, i)->cause = id;
		}
	}
	report(model);
	if (!wp_lost_finish(model, error) ||
	    !wp_order_vertices(host, &model->late, &model->ends, error))
		return FALSE;
	if (!model->ends_unsure && host->losses.n == 0)
		wp_host_give_ends(host, &model->ends);
	return TRUE;
}
