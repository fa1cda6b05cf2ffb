/* SPDX-License-Identifier: MIT */
/*
 * lost.c: what the loss of events makes unknown, for how long, and what later events prove.
 *
 * A CPU that has lost events (or whose trace has just begun) is *recovering*: its task is not
 * known, nor whether an interrupt was going on. What it is seen to do until its next task switch
 * is kept as a list of *stretches*, each a state from a time on; the switch names the task that
 * they belong to. An exit of an interrupt whose entry was not seen tells that the stretches up to
 * then were that interrupt's. Wake-ups made meanwhile on the bare stack are *orphans*: lost, until
 * the switch proves that they were its task's.
 *
 * Of the tasks only those are lost that the lost events can be about. A CPU's own task may have
 * gone with a single one. For another to have run unseen takes three, for it was woken, came and
 * went; then all that were last on this CPU are not known until an event tells. A task elsewhere may have
 * been woken from here: that shows when it runs without a wake-up (wp_lost_wakeup()).
 *
 * A wait is lost from its begin on when it is not known what ended it: its own state was known,
 * but not what it waited for, which is what the path is about.
 */
#include "config.h"

#include "base/error.h"
#include "kernel/model-private.h"

#define STRETCHES_MAX 1024u
/* Fewer lost events than this cannot hide that another task was woken, came and went. */
#define EVENTS_TO_COME_AND_GO 3u

/* ---------------------------------------------------------------- a CPU that recovers */

void wp_lost_cpu_init(Cpu *cpu, gboolean lossy, WpTime lost_begin, WpTime now)
{
	const Stretch first = {.time = now, .state = WP_STATE_RUNNING, .cause = WP_NONE};

	if (cpu->current != CURRENT_UNKNOWN || !cpu->lossy)
		cpu->chain_begin = lost_begin;
	cpu->current = CURRENT_UNKNOWN;
	cpu->base_known = FALSE;
	cpu->lossy = lossy;
	cpu->lost_begin = lost_begin;
	cpu->first_base = 0;
	cpu->since = now;
	if (!cpu->stretches)
		cpu->stretches = g_array_new(FALSE, FALSE, sizeof(Stretch));
	g_array_set_size(cpu->stretches, 0);
	g_array_append_val(cpu->stretches, first);
	if (cpu->orphans)
		g_array_set_size(cpu->orphans, 0);
}

void wp_lost_cpu_clear(Cpu *cpu)
{
	g_clear_pointer(&cpu->stretches, g_array_unref);
	g_clear_pointer(&cpu->orphans, g_array_unref);
}

void wp_lost_stretch(Cpu *cpu, WpTime now, WpState state, WpId cause)
{
	Stretch stretch = {.time = now, .state = state, .cause = cause};

	if (cpu->current != CURRENT_UNKNOWN || cpu->stretches->len >= STRETCHES_MAX)
		return;
	if (cpu->stretches->len == STRETCHES_MAX - 1)
		stretch.state = WP_STATE_UNKNOWN;
	g_array_append_val(cpu->stretches, stretch);
}

void wp_lost_left_unseen(Cpu *cpu, WpTime now, FrameType type, WpState state, WpId cause)
{
	if (cpu->current != CURRENT_UNKNOWN || cpu->base_known)
		return;
	/* Made in an interrupt of which nothing is known. */
	if (cpu->orphans)
		g_array_set_size(cpu->orphans, 0);
	if (type == FRAME_NET)
		return;
	for (guint i = cpu->stretches->len; i-- > cpu->first_base;) {
		Stretch *stretch = &g_array_index(cpu->stretches, Stretch, i);

		if (stretch->state != WP_STATE_RUNNING)
			continue;
		stretch->state = state;
		stretch->cause = cause;
	}
	cpu->first_base = cpu->stretches->len;
	wp_lost_stretch(cpu, now, WP_STATE_RUNNING, WP_NONE);
	/* An interrupt may lie over a softirq, a softirq only over the task. */
	cpu->base_known = type == FRAME_SOFTIRQ;
}

static void add_orphan(Cpu *cpu, const Orphan *orphan)
{
	if (!cpu->orphans)
		cpu->orphans = g_array_new(FALSE, FALSE, sizeof(Orphan));
	g_array_append_vals(cpu->orphans, orphan, 1);
}

void wp_lost_orphan(Cpu *cpu, WpId vertex, WpId cause)
{
	add_orphan(cpu, &(Orphan){.vertex = vertex, .cause = cause, .packet = WP_NONE});
}

void wp_lost_orphan_send(Cpu *cpu, WpId packet)
{
	add_orphan(cpu, &(Orphan){.vertex = WP_NONE, .cause = WP_NONE, .packet = packet});
}

/* The vertex of a task at a time. */
static WpId vertex_at(const WpHost *host, WpId task, WpTime time)
{
	WpId id = wp_host_task(host, task)->last;

	while (wp_host_vertex_time(host, id) > time && wp_host_vertex(host, id)->prev != WP_NONE)
		id = wp_host_vertex(host, id)->prev;
	return id;
}

static void blame_for_wait(WpModel *model, const Orphan *orphan, WpId task)
{
	WpCause *cause = wp_host_cause(model->host, orphan->cause);
	WpVertex *wait = wp_host_vertex(model->host, orphan->vertex);

	if (wait->state == WP_STATE_LOST)
		wait->state = WP_STATE_BLOCKED;
	cause->kind = task == WP_NONE ? WP_CAUSE_NONE : WP_CAUSE_TASK;
	cause->source = task == WP_NONE ? WP_NONE : vertex_at(model->host, task, cause->time);
}

/* What nobody was known for was the task's doing, or of an idle CPU. */
static void blame(WpModel *model, const Cpu *cpu, WpId task)
{
	WpHost *host = model->host;

	/* Where the trace shows no softirqs, a packet may have been received and lost. */
	if (!host->has_softirqs && cpu->lossy)
		return;
	for (guint i = 0; cpu->orphans && i < cpu->orphans->len; i++) {
		const Orphan *orphan = &g_array_index(cpu->orphans, Orphan, i);

		if (orphan->packet == WP_NONE)
			blame_for_wait(model, orphan, task);
		else if (task != WP_NONE)
			wp_network_sent_by(
				model, orphan->packet,
				vertex_at(host, task, wp_host_packet(host, orphan->packet)->time));
	}
}

/* What the task was seen to do since the CPU recovers, behind its first stretch. */
static gboolean enter_stretches(WpModel *model, Cpu *cpu, WpId task, guint first, GError **error)
{
	const GArray *stretches = cpu->stretches;

	for (guint i = first; i < stretches->len; i++) {
		const Stretch *s = &g_array_index(stretches, Stretch, i);

		if (!wp_task_enter_at(model, task, s->time, s->state, cpu->id, s->cause, error))
			return FALSE;
	}
	return TRUE;
}

/* Whether the task was seen to run elsewhere since the CPU recovers: then more was lost than is told. */
static gboolean ran_elsewhere(const WpModel *model, Cpu *cpu, WpId task)
{
	const WpTime since = cpu->since;

	for (WpId id = wp_host_task(model->host, task)->last; id != WP_NONE;) {
		const WpVertex *v = wp_host_vertex(model->host, id);

		if (wp_host_time_of(model->host, v, id) < since)
			break;
		if (v->cpu != cpu->id && v->cpu != G_MAXUINT16 && v->state == WP_STATE_RUNNING)
			return TRUE;
		id = v->prev;
	}
	return FALSE;
}

/* It was here, whatever it was believed to do: a wake-up may have come while it ran. */
static guint overwrite(WpModel *model, Cpu *cpu, WpId task)
{
	const Stretch *first = &g_array_index(cpu->stretches, Stretch, 0);
	guint n = 0;

	for (WpId id = wp_host_task(model->host, task)->last; id != WP_NONE; n++) {
		WpVertex *v = wp_host_vertex(model->host, id);

		if (wp_host_time_of(model->host, v, id) < cpu->since)
			break;
		v->state = (guint8)first->state;
		v->cause = first->cause;
		v->cpu = (guint16)cpu->id;
		id = v->prev;
	}
	return n;
}

/* The task has been on this CPU since it recovers; before, it came there unseen. */
static gboolean adopt(WpModel *model, Cpu *cpu, WpId task, GError **error)
{
	TaskState *t = model_task(model, task);
	const guint n = overwrite(model, cpu, task);

	if (t->phase == TASK_BLOCKED && n == 0 && !wp_lost_wait(model, task, error))
		return FALSE;
	t->phase = TASK_RUNNING;
	t->held = FALSE;
	wp_task_set_cpu(model, task, cpu->id);
	if (n > 1)
		return TRUE;
	if (n == 1)
		return enter_stretches(model, cpu, task, 1, error);
	if (cpu->lossy) {
		/* It may have come in any loss since the CPU's task was known. */
		if (!wp_task_enter_at(model, task, cpu->chain_begin, WP_STATE_LOST, cpu->id,
				      WP_NONE, error))
			return FALSE;
		task_open(model, task)->flags |= WP_VERTEX_LOST;
	}
	return enter_stretches(model, cpu, task, 0, error);
}

gboolean wp_lost_recover(WpModel *model, Cpu *cpu, WpId task, GError **error)
{

	if (task == WP_NONE || !ran_elsewhere(model, cpu, task)) {
		if (task != WP_NONE && !adopt(model, cpu, task, error))
			return FALSE;
		blame(model, cpu, task);
	}
	g_array_set_size(cpu->stretches, 0);
	if (cpu->orphans)
		g_array_set_size(cpu->orphans, 0);
	return TRUE;
}

/* ---------------------------------------------------------------- tasks of which something is lost */

gboolean wp_lost_wait(WpModel *model, WpId task, GError **error)
{
	WpVertex *open = task_open(model, task);
	const WpCause cause = {.time = model->now, .source = WP_NONE, .kind = WP_CAUSE_LOST};
	const WpCauseDetail detail = {.syscall = model_task(model, task)->syscall};

	model->ends_unsure = TRUE;
	open->flags |= WP_VERTEX_NO_WAKEUP | WP_VERTEX_LOST;
	open->cause = wp_cause_add(model, &cause, &detail, error);
	/* A stopped task stays shown as stopped. */
	if (open->state != WP_STATE_STOPPED)
		open->state = WP_STATE_LOST;
	return open->cause != WP_NONE;
}

/* What a task did while its CPU lost events is lost; what it does after that, not known. */
static gboolean lose_task(WpModel *model, WpId task, WpTime begin, GError **error)
{
	TaskState *t = model_task(model, task);
	const gboolean waited = t->phase == TASK_BLOCKED;

	if (t->phase == TASK_DEAD || t->phase == TASK_UNKNOWN)
		return TRUE;
	if (waited && !wp_lost_wait(model, task, error))
		return FALSE;

	WpVertex *open = task_open(model, task);

	t->phase = TASK_UNKNOWN;
	t->held = FALSE;
	t->syscall = t->work = 0;
	if (task_open_time(model, task) >= begin) {
		open->state = WP_STATE_LOST;
	} else if (open->state != WP_STATE_LOST) {
		if (!wp_task_enter_at(model, task, begin, WP_STATE_LOST, t->cpu, WP_NONE, error))
			return FALSE;
		open = task_open(model, task);
	}
	open->flags |= WP_VERTEX_LOST;
	return wp_task_enter(model, task, WP_STATE_UNKNOWN, t->cpu, WP_NONE, error);
}

gboolean wp_lost_task(WpModel *model, Cpu *cpu, GError **error)
{
	const WpId task = cpu->current;

	if (!is_task(task) || model_task(model, task)->phase != TASK_RUNNING ||
	    model_task(model, task)->cpu != cpu->id)
		return TRUE;
	return lose_task(model, task, model->now, error);
}

/* All tasks that were last on this CPU; each once, until something tells of it again. */
static gboolean lose_all(WpModel *model, Cpu *cpu, WpTime begin, GError **error)
{
	while (cpu->first_task != WP_NONE) {
		const WpId task = cpu->first_task;

		wp_task_unlink(model, task);
		if (!lose_task(model, task, begin, error))
			return FALSE;
	}
	return TRUE;
}

gboolean wp_lost_events(WpModel *model, Cpu *cpu, WpTime begin, guint64 count, gboolean uncounted,
			GError **error)
{
	WpLoss *loss = wp_column_push(&model->host->losses, error);
	gboolean many;

	if (!loss)
		return FALSE;
	begin = CLAMP(begin, MAX(model->host->begin, cpu->lost_end), model->now);
	many = uncounted || count >= EVENTS_TO_COME_AND_GO;
	*loss = (WpLoss){.begin = begin, .end = model->now, .count = count, .cpu = cpu->id};
	model->host->n_lost += count;
	if (many ? !lose_all(model, cpu, begin, error)
		 : is_task(cpu->current) && !lose_task(model, cpu->current, begin, error))
		return FALSE;
	if (many)
		cpu->unseen_until = model->unseen_until = model->now;
	cpu->lost_end = model->now;
	wp_context_forget(cpu);
	wp_lost_cpu_init(cpu, TRUE, begin, model->now);
	return TRUE;
}

gboolean wp_lost_since(const WpModel *model, WpTime since, WpTime *ret_end)
{
	const WpColumn *losses = &model->host->losses;

	/* Losses lie in the order of their ends. */
	if (losses->n == 0 || WP_AT(losses, WpLoss, losses->n - 1).end <= since)
		return FALSE;
	*ret_end = WP_AT(losses, WpLoss, losses->n - 1).end;
	return TRUE;
}

/* ---------------------------------------------------------------- what losses say of what lies in them */

typedef struct {
	WpTime begin, end;
} Span;

/* When events were lost: in order, apart. */
typedef struct {
	GArray **by_cpu; /* owned array of owned Span arrays, NULL for a CPU that lost none */
	guint n_cpus;
	GArray *any; /* owned; Span: on some CPU */
} Spans;

static gint compare_spans(gconstpointer a, gconstpointer b)
{
	const Span *x = a, *y = b;

	return x->begin != y->begin ? (x->begin < y->begin ? -1 : 1) : 0;
}

/* Sorts, and puts together what touches. */
static void unite(GArray *spans)
{
	guint n = 0;

	g_array_sort(spans, compare_spans);
	for (guint i = 0; i < spans->len; i++) {
		const Span span = g_array_index(spans, Span, i);
		Span *last = n ? &g_array_index(spans, Span, n - 1) : NULL;

		if (last && span.begin <= last->end)
			last->end = MAX(last->end, span.end);
		else
			g_array_index(spans, Span, n++) = span;
	}
	g_array_set_size(spans, n);
}

static void spans_init(Spans *spans, const WpHost *host)
{
	spans->n_cpus = (guint)host->cpus.n;
	spans->by_cpu = g_new0(GArray *, spans->n_cpus);
	spans->any = g_array_new(FALSE, FALSE, sizeof(Span));
	for (guint64 i = 0; i < host->losses.n; i++) {
		const WpLoss *loss = &WP_AT(&host->losses, WpLoss, i);
		const Span span = {loss->begin, loss->end};
		GArray **own = &spans->by_cpu[loss->cpu];

		if (!*own)
			*own = g_array_new(FALSE, FALSE, sizeof(Span));
		/* Those of one CPU come in order and do not overlap. */
		g_array_append_val(*own, span);
		g_array_append_val(spans->any, span);
	}
	unite(spans->any);
}

static void spans_clear(Spans *spans)
{
	for (guint cpu = 0; cpu < spans->n_cpus; cpu++)
		if (spans->by_cpu[cpu])
			g_array_unref(spans->by_cpu[cpu]);
	g_free(spans->by_cpu);
	g_array_unref(spans->any);
}

/* Whether one of the spans (NULL: none) has something in common with (begin, end). */
static gboolean overlap(const GArray *spans, WpTime begin, WpTime end)
{
	guint low = 0, high = spans ? spans->len : 0;

	while (low < high) { /* the first that ends after begin */
		const guint middle = low + (high - low) / 2;

		if (g_array_index(spans, Span, middle).end <= begin)
			low = middle + 1;
		else
			high = middle;
	}
	return spans && low < spans->len && g_array_index(spans, Span, low).begin < end;
}

static const GArray *spans_of_cpu(const Spans *spans, guint cpu)
{
	return cpu < spans->n_cpus ? spans->by_cpu[cpu] : NULL;
}

/*
 * A wait that ended while the CPU of whoever ended it was losing events, some here and some
 * there: who that was may be hidden by what was lost between.
 */
static gboolean ended_in_loss(const WpHost *host, const Spans *spans, const WpCause *cause,
			      WpTime end)
{
	/* Where it was not by a wake-up, no CPU's. */
	const guint cpu = wp_host_cause_detail(host, cause)->cpu - 1u;

	/* Within, not at the end: what was told last before a loss, and first after it, is good. */
	return overlap(spans_of_cpu(spans, cpu), end, end + 1) &&
	       overlap(spans_of_cpu(spans, cpu), end - 1, end);
}

static void judge_vertex(WpModel *model, const Spans *spans, WpVertex *v, WpTime begin, WpTime end)
{
	WpHost *host = model->host;
	WpCause *cause = v->cause == WP_NONE ? NULL : wp_host_cause(host, v->cause);

	if (overlap(spans_of_cpu(spans, v->cpu), begin, end))
		v->flags |= WP_VERTEX_LOST;
	/* Believed to wait for a CPU only because no wake-up was seen, which may be lost after all. */
	if (v->state == WP_STATE_RUNNABLE && (v->flags & WP_VERTEX_NO_WAKEUP)) {
		if (overlap(spans->any, begin, end))
			v->state = WP_STATE_LOST;
		v->flags &= (guint8)~WP_VERTEX_NO_WAKEUP;
		return;
	}
	if (!cause || v->state == WP_STATE_STOPPED || v->state == WP_STATE_LOST)
		return;
	/* Its wake-up is missing, and only now it is known that events were lost. */
	if ((v->flags & WP_VERTEX_NO_WAKEUP) ? overlap(spans->any, begin, end)
					     : ended_in_loss(host, spans, cause, end)) {
		v->state = WP_STATE_LOST;
		v->flags |= WP_VERTEX_LOST;
		cause->kind = WP_CAUSE_LOST;
		cause->source = WP_NONE;
	}
}

gboolean wp_lost_finish(WpModel *model, GError **error)
{
	WpHost *host = model->host;
	g_autofree WpTime *ends = NULL;
	Spans spans;

	if (host->losses.n == 0)
		return TRUE;
	ends = g_try_new(WpTime, host->tasks.n);
	if (!ends && host->tasks.n) {
		g_set_error(error, WP_ERROR, WP_ERROR_LIMIT,
			    "Out of memory for the lost events of host %s.", host->name);
		return FALSE;
	}
	for (guint64 i = 0; i < host->tasks.n; i++)
		ends[i] = host->end;
	spans_init(&spans, host);
	/* Of each task the last comes first, so that its end is known. */
	for (guint64 i = host->vertices.n; i-- > 0;) {
		WpVertex *v = wp_host_vertex(host, i);

		const WpTime begin = wp_host_time_of(host, v, (WpId)i);

		judge_vertex(model, &spans, v, begin, ends[v->task]);
		ends[v->task] = begin;
	}
	spans_clear(&spans);
	return TRUE;
}
