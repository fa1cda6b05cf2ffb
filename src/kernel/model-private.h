/* SPDX-License-Identifier: MIT */
/*
 * model-private.h: the live state behind a WpModel, shared by the files of this
 * folder:
 *   model.c    dispatch, task switches, wake-ups, fork, exec, exit, lost events
 *   tasks.c    which task a tid means now; the tables of tasks and vertices
 *   context.c  what a CPU executes: the stack of interrupts over its task, and
 *              what a wake-up made there was caused by
 *   network.c  flows, packets, and which packet woke a task
 *   lost.c     what lost events make unknown, and what later ones prove
 *   state.c    the two encodings of prev_state
 *   order.c    puts in order what was learnt late
 *
 * The rules are those of "events to task states and wait causes" (doc/HACKING.md).
 */
#ifndef WP_KERNEL_MODEL_PRIVATE_H
#define WP_KERNEL_MODEL_PRIVATE_H

#include <string.h>

#include "base/intmap.h"
#include "base/recent.h"
#include "graph/ends.h"
#include "kernel/model.h"

G_BEGIN_DECLS

/* Linux's softirq vectors, in the order of their numbers. */
enum {
	SOFTIRQ_HI,
	SOFTIRQ_TIMER,
	SOFTIRQ_NET_TX,
	SOFTIRQ_NET_RX,
	SOFTIRQ_BLOCK,
	SOFTIRQ_IRQ_POLL,
	SOFTIRQ_TASKLET,
	SOFTIRQ_SCHED,
	SOFTIRQ_HRTIMER,
	SOFTIRQ_RCU,
	SOFTIRQ_N
};

/* The current task of a CPU, where it is no task of ours. */
#define CURRENT_UNKNOWN WP_NONE
#define CURRENT_IDLE (WP_NONE - 1)

typedef enum {
	FRAME_IRQ, /* hard interrupt: number, name */
	FRAME_VECTOR, /* an interrupt vector of its own: name */
	FRAME_SOFTIRQ, /* number */
	FRAME_HRTIMER, /* address: the timer */
	FRAME_TIMER, /* address: the timer */
	FRAME_NET /* bracket around the reception of packets */
} FrameType;

/* One level of what a CPU executes above its task. */
typedef struct {
	FrameType type;
	WpState state; /* of the task below while this is the innermost */
	gint32 number;
	WpTime time; /* entered */
	guint64 address, function;
	WpId name; /* string, 0 */
	WpId disk; /* string: device of the last request completed in it, 0 */
	WpId disk_origin; /* vertex of the task that issued that request */
	WpId queued; /* packet queued in it last, WP_NONE */
} Frame;

#define FRAMES_MAX 32

/* Numbers of CPUs, names of system calls and causes that are looked up without a hash. */
#define CPUS_DIRECT 1024u
/* CPUs that vertices can name; the events of further ones are left out, and told. */
#define CPUS_MAX (G_MAXUINT16 - 1u)
#define NAMES_CACHED_BITS 10
#define NAMES_CACHED (1u << NAMES_CACHED_BITS)
#define COMMS_CACHED_BITS 8
#define COMMS_CACHED (1u << COMMS_CACHED_BITS)
/* Tids that Linux gives are below (PID_MAX_LIMIT); so many neighbours lie in one leaf. */
#define TIDS_MAX (1u << 22)
#define TIDS_LEAF 64u
#define FRAME_CAUSES_CACHED 64u
#define DETAILS_CACHED 256u

/* A packet received in the current bracket of a CPU. */
typedef struct {
	WpId packet;
	gboolean used; /* has explained a wake-up */
} Received;

/* What a CPU whose task is not known was seen to do, from a time on (lost.c). */
typedef struct {
	WpTime time;
	WpState state;
	WpId cause; /* WP_NONE */
} Stretch;

/* What was done on such a CPU by nobody knows whom: a wait ended for a cause, or a packet sent. */
typedef struct {
	WpId vertex, cause; /* the wait's, WP_NONE for a packet */
	WpId packet; /* WP_NONE for a wait */
} Orphan;

typedef struct {
	guint id; /* dense index */
	WpId current; /* task, CURRENT_IDLE or CURRENT_UNKNOWN */
	guint n_frames;
	gboolean seen; /* it has events */
	guint32 n_woken; /* wake-ups of tasks that were to run here */
	Frame frames[FRAMES_MAX];
	WpTime raised[SOFTIRQ_N]; /* when each softirq was raised last, WP_TIME_MIN */
	WpTime raised_irq[SOFTIRQ_N]; /* entry of the hard interrupt that raised it */
	gint32 raised_last; /* vector, -1 */
	GArray *received; /* owned; Received: of the current bracket */
	gboolean
		bare; /* that bracket is none that the trace shows: packets since the last switch */
	WpId first_task; /* of those that were last here, WP_NONE: linked by TaskState.next */
	/* While the current task is not known: */
	WpTime since; /* when its events begin to be complete */
	WpTime lost_begin; /* of the loss before that */
	gboolean lossy; /* there was one; else the trace begins there */
	WpTime chain_begin; /* of the first loss since the task was known */
	gboolean base_known; /* no interrupt goes on but those in frames */
	guint first_base; /* stretches before it are an interrupt's that is over */
	GArray *stretches; /* owned; Stretch */
	GArray *orphans; /* owned or NULL; Orphan */
	/* Ever: */
	WpTime lost_end; /* of the last loss, WP_TIME_MIN */
	WpTime unseen_until; /* of the last in which a task may have come and gone, WP_TIME_MIN */
	gint32 signal_tid, signal_number; /* the last signal sent here, tid -1 */
	WpTime signal_time;
} Cpu;

typedef enum {
	TASK_UNKNOWN, /* nothing proves what it does */
	TASK_RUNNING,
	TASK_RUNNABLE,
	TASK_BLOCKED, /* stopped, too */
	TASK_DEAD
} TaskPhase;

/* What ended a wait. */
typedef struct {
	WpCause cause;
	WpCauseDetail detail;
	guint32 raised, entered; /* of a softirq that ran late, as in WpDeferral; else 0 */
} Waking;

/* A wake-up of a task that ran: few tasks ever have one. */
typedef struct {
	Waking waking;
	guint64 losses; /* losses by then: any further one may have used it up unseen */
} Held;

/* What the model keeps of a task beside its row in the host's table. */
typedef struct {
	WpVertex *open; /* borrowed: its last vertex, in the host's column, where it stays */
	WpTask *row; /* borrowed: in the host's table, likewise */
	guint16 cpu; /* dense index of the last one, G_MAXUINT16; set by wp_task_set_cpu() */
	gint16 ksoftirqd; /* CPU number whose softirqs it runs, or -1 */
	guint8 phase; /* TaskPhase */
	guint8 linked; /* in that CPU's list of tasks */
	guint8 exiting; /* sched_process_exit was seen */
	guint8 maybe_dead; /* dead by a number that may also mean idle */
	guint8 touched; /* by an event of the scheduler */
	guint8 serves_device; /* by its name a thread that handles interrupts */
	guint8 held; /* held_waking came while it ran */
	guint8 held_confirmed; /* and a wakeup since it blocked */
	WpId syscall; /* string, 0 */
	WpId work; /* string: function of the work item it executes, 0 */
	gchar comm[16]; /* its name as it is now, as far as it fits, and what lay behind its end */
	/* What fewer events ask for: */
	WpId next, before; /* in its CPU's list, WP_NONE */
	WpId held_waking; /* in the model's table, WP_NONE: there never was one */
	WpTime last_wait_end; /* of its last wait */
} TaskState;

/* There may be hundreds of thousands: what few of them need is to lie elsewhere. */
G_STATIC_ASSERT(sizeof(TaskState) <= 72);

/* The id of the text that was at an address last: to be compared before it is believed. */
typedef struct {
	const gchar *address; /* not to be followed */
	WpId id;
} CachedName;

/* What is known of a task's name that came lately: tasks by the thousand have few names. */
typedef struct {
	gchar text[16]; /* as in TaskState, but without an end when it does not fit */
	WpId name; /* string, 0: empty */
	gint16 ksoftirqd; /* as in TaskState, as is the next */
	guint8 serves_device;
	guint8 fits; /* text is all of it */
} CachedComm;

/* A cause that all segments taken by interrupts of one kind and number share. */
typedef struct {
	guint64 key; /* 0: empty */
	WpId cause;
} CachedFrameCause;

/* A detail of causes that came lately. */
typedef struct {
	WpCauseDetail detail;
	WpId id; /* WP_NONE: empty */
} CachedDetail;

/* A work item that waits in a queue. */
typedef struct {
	WpTime time;
	WpId vertex; /* of the task that queued it, WP_NONE */
	WpId function; /* string */
} QueuedWork;

typedef enum { STATES_UNDECIDED, STATES_RAW, STATES_INDEX } StateEncoding;

/* Bytes [seq, seq + length) in a flow. */
typedef struct {
	guint32 seq, end;
	WpId packet;
} Range;

typedef struct {
	guint32 next; /* receiving: the next byte not yet got */
	gboolean started; /* next is known */
	guint64 n_losses; /* of the host by then: bytes may have come unseen since */
	GArray *ahead; /* owned or NULL; Range: received beyond next, sorted */
	GArray *unacknowledged; /* owned or NULL; Range: sent, in order of sending */
	guint first_unacknowledged; /* in that array: those before are acknowledged */
	guint32 sent_end; /* behind the last byte ever sent */
	gboolean sent_any;
	WpId last_task_send; /* last packet sent by a task, WP_NONE */
	WpId last_received; /* last packet received, WP_NONE */
} FlowState;

struct WpModel {
	WpHost *host; /* borrowed */
	WpTime now;
	gboolean begun;
	gboolean seen_waking; /* sched_waking occurs: wake-ups count where they are made */
	gboolean seen_wakeup; /* sched_wakeup occurs: it confirms a waking that came early */
	StateEncoding encoding;
	gboolean encoding_proven;
	GPtrArray
		*cpus; /* owned; Cpu, by dense index: they stay where they are when one is added */
	WpIntMap cpu_index; /* CPU number -> dense index */
	/* owned array of Cpu borrowed from cpus: by 1 + number, 0: not said; NULL: has no events yet */
	Cpu **cpu_direct;
	guint64 n_beyond; /* events of CPUs beyond CPUS_MAX */
	GArray *tasks; /* owned; TaskState, by task id */
	WpColumn held; /* Held: one for each task that has had one */
	WpColumn late; /* WpId: vertices of a time that was over when they were made */
	WpHostEnds ends; /* of the vertices made so far */
	gboolean ends_unsure; /* a wait may have ended at a time that was not known when it did */
	WpTime unseen_until; /* the latest of all CPUs */
	/* What each tid means now: owned array of owned leaves of task ids, NULL where there is none. */
	WpId **tid_leaves;
	guint n_tid_leaves;
	WpIntMap far_tids; /* the same for those from TIDS_MAX on: tid -> task id */
	WpIntMap irq_causes; /* frame type and number or name -> shared cause */
	WpIntMap irq_names; /* irq -> string, from statedump and entries */
	WpIntMap disk_names; /* dev -> string */
	WpIntMap function_names; /* address of a kernel function -> string */
	WpIntMap requests; /* (dev, sector) -> vertex of the issuer */
	WpIntMap timers; /* timer address -> vertex of the task that armed it */
	WpIntMap work_items; /* work address -> index in queued */
	GArray *queued; /* owned; QueuedWork */
	WpIntMap flow_index; /* hash of the flow's key -> first flow; chained by flow_chain */
	GArray *flow_chain; /* owned; WpId: the next flow with the same hash */
	GArray *flow_states; /* owned; FlowState, by flow */
	WpIntMap users; /* (task or process, flow) -> 1 */
	WpIntMap skbs; /* skb address -> packet queued, not yet transmitted */
	WpIntMap known_addresses; /* hash of an address of this host -> 1 */
	GHashTable *netifs; /* owned; set of gchar *: names of network devices */
	WpId softirq_names[SOFTIRQ_N]; /* strings, 0: not asked for yet */
	CachedName names[NAMES_CACHED];
	CachedComm comms[COMMS_CACHED];
	CachedFrameCause frame_causes[FRAME_CAUSES_CACHED];
	CachedDetail details[DETAILS_CACHED];
};

static inline Cpu *model_cpu(const WpModel *model, guint cpu)
{
	return g_ptr_array_index(model->cpus, cpu);
}

static inline TaskState *model_task(WpModel *model, WpId task)
{
	return &g_array_index(model->tasks, TaskState, task);
}

/* What the task, which has one, was woken by while it ran. */
static inline Held *model_held(const WpModel *model, const TaskState *t)
{
	return &WP_AT(&model->held, Held, t->held_waking);
}

static inline gboolean is_task(WpId current)
{
	return current < CURRENT_IDLE;
}

/* The task that a CPU executes in its own context now, or WP_NONE. */
static inline WpId cpu_task_in_context(const Cpu *cpu)
{
	return !cpu->n_frames && is_task(cpu->current) ? cpu->current : WP_NONE;
}

/* The open segment of a task. */
static inline WpVertex *task_open(WpModel *model, WpId task)
{
	return model_task(model, task)->open;
}

/* When that began. */
static inline WpTime task_open_time(WpModel *model, WpId task)
{
	const TaskState *t = model_task(model, task);

	return wp_host_time_of(model->host, t->open, t->row->last);
}

/* Its number. */
static inline WpId task_last(WpModel *model, WpId task)
{
	return model_task(model, task)->row->last;
}

/* tasks.c */

/* The task's next segment, from a time on. */
static inline gboolean wp_task_append(WpModel *model, WpId task, WpTime time, WpState state,
				      guint cpu, WpId cause, GError **error)
{
	TaskState *t = model_task(model, task);
	WpVertex *v = wp_host_add_vertex(model->host, t->row, time,
					 (WpVertex){.task = task,
						    .cause = cause,
						    .cpu = (guint16)MIN(cpu, G_MAXUINT16),
						    .state = (guint8)state},
					 error);

	t->open = v;
	return v != NULL;
}

/* The task's next segment begins now. cpu: dense index, WP_NONE; FALSE when a table is full. */
static inline gboolean wp_task_enter(WpModel *model, WpId task, WpState state, guint cpu,
				     WpId cause, GError **error)
{
	return wp_task_append(model, task, model->now, state, cpu, cause, error);
}

/* The same, but it began at a time that may be over, though not before the task's last segment. */
gboolean wp_task_enter_at(WpModel *model, WpId task, WpTime time, WpState state, guint cpu,
			  WpId cause, GError **error);
/* The task of a tid if that is easily said, else WP_NONE. */
static inline WpId wp_task_peek(WpModel *model, gint32 tid)
{
	const guint32 number = (guint32)tid, leaf = number / TIDS_LEAF;
	WpId task;

	if (G_UNLIKELY(leaf >= model->n_tid_leaves || !model->tid_leaves[leaf]))
		return WP_NONE;
	task = model->tid_leaves[leaf][number % TIDS_LEAF];
	return G_LIKELY(task != WP_NONE && model_task(model, task)->phase != TASK_DEAD) ? task
											: WP_NONE;
}
WpId wp_task_get_slow(WpModel *model, gint32 tid, GError **error);
/* The task that tid means now, made when it is new; WP_NONE with an error. Not for tid 0. */
static inline WpId wp_task_get(WpModel *model, gint32 tid, GError **error)
{
	const WpId task = wp_task_peek(model, tid);

	return G_LIKELY(task != WP_NONE) ? task : wp_task_get_slow(model, tid, error);
}
WpId wp_task_get_named_slow(WpModel *model, gint32 tid, const WpEvent *event, guint slot,
			    GError **error);
/* The same, whose name at this time is the text of a slot, if there is one. */
static inline WpId wp_task_get_named(WpModel *model, gint32 tid, const WpEvent *event, guint slot,
				     GError **error)
{
	const WpId task = wp_task_peek(model, tid);

	/* Nearly always it is the one that it had: two comparisons, as long as nothing is called. */
	if (G_LIKELY(task != WP_NONE && WP_EVENT_HAS(event, slot) &&
		     (event->flags & WP_EVENT_TEXTS_WIDE))) {
		const TaskState *t = model_task(model, task);

		if (G_LIKELY(memcmp(t->comm, event->v[slot].s, sizeof(t->comm)) == 0))
			return task;
	}
	return wp_task_get_named_slow(model, tid, event, slot, error);
}
/* WP_NONE when there is none. */
WpId wp_task_find(WpModel *model, gint32 tid);
void wp_tids_clear(WpModel *model);
/* From now on tid means task, and old_tid nothing. */
void wp_task_take_tid(WpModel *model, WpId task, gint32 old_tid, gint32 tid);
/* A new generation of tid that begins at time in state. */
WpId wp_task_new(WpModel *model, gint32 tid, WpTime begin, WpState state, WpId cause,
		 GError **error);
/* No name, NULL or empty, changes nothing. wide: its first 16 bytes can be read in any case. */
gboolean wp_task_rename(WpModel *model, WpId task, const gchar *comm, gboolean wide,
			GError **error);
WpId wp_name_get_slow(WpModel *model, CachedName *cached, const gchar *text);
/* The id of a slot's text that comes again and again, like a system call's name; none gives 0. */
static inline WpId wp_name_get(WpModel *model, const WpEvent *event, guint slot)
{
	const gchar *text = WP_EVENT_HAS(event, slot) ? event->v[slot].s : NULL;
	/* Names of event classes stand at the same place for every event of the class. */
	CachedName *cached = &model->names[wp_recent_hash(text) >> (64 - NAMES_CACHED_BITS)];

	return G_LIKELY(text && cached->address == text && (event->flags & WP_EVENT_TEXTS_STAY))
		       ? cached->id
		       : wp_name_get_slow(model, cached, text);
}
/* The id of a kernel function's name, which is its address; 0 for none. */
WpId wp_function_name(WpModel *model, guint64 function);
gboolean wp_task_die(WpModel *model, WpId task, GError **error);
/* The number of a detail, from the cache of those that came last if it can be. */
static inline WpId wp_cause_detail(WpModel *model, const WpCauseDetail *detail, GError **error)
{
	const guint32 mixed = detail->name * 5 + detail->syscall * 17 + detail->number +
			      detail->cpu * 3;
	CachedDetail *cached = &model->details[mixed % DETAILS_CACHED];

	if (G_UNLIKELY(cached->id == WP_NONE ||
		       memcmp(&cached->detail, detail, sizeof(*detail)) != 0)) {
		cached->detail = *detail;
		cached->id = wp_host_add_detail(model->host, detail, error);
	}
	return cached->id;
}

/* The cause with its detail; WP_NONE with an error. */
static inline WpId wp_cause_add(WpModel *model, const WpCause *cause, const WpCauseDetail *detail,
				GError **error)
{
	WpColumn *causes = &model->host->causes;
	const WpId id = wp_cause_detail(model, detail, error);
	WpCause *c = id == WP_NONE ? NULL : wp_column_push(causes, error);

	if (G_UNLIKELY(!c))
		return WP_NONE;
	*c = *cause;
	c->detail = id & (WP_CAUSE_DETAILS_MAX - 1);
	return (WpId)(causes->n - 1);
}
WpId wp_waking_defer(WpModel *model, const Waking *waking, WpId cause, GError **error);
/* The same, with the deferral that belongs to it. */
static inline WpId wp_waking_add(WpModel *model, const Waking *waking, GError **error)
{
	const WpId id = wp_cause_add(model, &waking->cause, &waking->detail, error);

	return G_LIKELY(!waking->raised || id == WP_NONE)
		       ? id
		       : wp_waking_defer(model, waking, id, error);
}

void wp_task_move_to_cpu(WpModel *model, WpId task, guint cpu);
/* The CPU that the task is on, or waits for, or was on last; puts it into that CPU's list. */
static inline void wp_task_set_cpu(WpModel *model, WpId task, guint cpu)
{
	const TaskState *t = model_task(model, task);

	if (!t->linked || t->cpu != cpu)
		wp_task_move_to_cpu(model, task, cpu);
}
/* Takes the task out of the list of its CPU. */
void wp_task_unlink(WpModel *model, WpId task);

/* lost.c */

/* The CPU's task is not known from now on: the trace begins, or it has lost events since lost_begin. */
void wp_lost_cpu_init(Cpu *cpu, gboolean lossy, WpTime lost_begin, WpTime now);
void wp_lost_cpu_clear(Cpu *cpu);
/* The CPU, whose task is not known, changes to another state. */
void wp_lost_stretch(Cpu *cpu, WpTime now, WpState state, WpId cause);
/* An interrupt ends whose entry was not seen; its state and cause. */
void wp_lost_left_unseen(Cpu *cpu, WpTime now, FrameType type, WpState state, WpId cause);
/* A wait was ended on the CPU, whose task is not known; for this cause, that says nothing yet. */
void wp_lost_orphan(Cpu *cpu, WpId vertex, WpId cause);
/* A packet was sent there, as far as is known by the task. */
void wp_lost_orphan_send(Cpu *cpu, WpId packet);
/* The task of the CPU, which was not known, is told by a switch; WP_NONE: idle. */
gboolean wp_lost_recover(WpModel *model, Cpu *cpu, WpId task, GError **error);
/* The CPU's task is seen to be another than was known: whatever it did last is not known. */
gboolean wp_lost_task(WpModel *model, Cpu *cpu, GError **error);
/* What ended the open wait of a task is lost. */
gboolean wp_lost_wait(WpModel *model, WpId task, GError **error);
/* Whether some CPU has lost events since a time, and until when. */
gboolean wp_lost_since(const WpModel *model, WpTime since, WpTime *ret_end);
/* A CPU has lost count events since begin; uncounted: and others that nobody counted. */
gboolean wp_lost_events(WpModel *model, Cpu *cpu, WpTime begin, guint64 count, gboolean uncounted,
			GError **error);
/* At the end: marks what lies in intervals of lost events. */
gboolean wp_lost_finish(WpModel *model, GError **error);

/* context.c */

/* A new bracket of packets begins on this CPU; bare: none that the trace shows. */
static inline void wp_network_bracket(Cpu *cpu, gboolean bare)
{
	if (cpu->received->len)
		g_array_set_size(cpu->received, 0);
	cpu->bare = bare;
}

guint wp_cpu_get_slow(WpModel *model, guint32 number, GError **error);
/* Whether there are CPUS_MAX others; asked before the following of any number from a trace. */
static inline gboolean wp_cpu_is_beyond(const WpModel *model, guint32 number)
{
	return G_UNLIKELY(model->cpus->len >= CPUS_MAX) &&
	       wp_intmap_get(&model->cpu_index, number) == WP_NONE;
}
/* The dense index of a CPU, made when it is new; WP_NONE with an error. */
static inline guint wp_cpu_get(WpModel *model, guint32 number, GError **error)
{
	if (G_LIKELY(number < CPUS_DIRECT && model->cpu_direct[number + 1]))
		return model->cpu_direct[number + 1]->id;
	return wp_cpu_get_slow(model, number, error);
}
/* Lays a frame upon the stack, of whose name depends what its time is. */
gboolean wp_context_enter(WpModel *model, Cpu *cpu, FrameType type, gint32 number, WpId name,
			  GError **error);
gboolean wp_context_leave(WpModel *model, Cpu *cpu, FrameType type, gint32 number, GError **error);
/* Forgets the stack: lost events. */
static inline void wp_context_forget(Cpu *cpu)
{
	cpu->n_frames = 0;
	cpu->signal_tid = -1;
	wp_network_bracket(cpu, TRUE);
}
/* The same at a task switch, when it is not empty: the task's own time begins again. */
gboolean wp_context_flush(WpModel *model, Cpu *cpu, GError **error);
/* What a wake-up of target made on cpu now is caused by, and the state of the wait that it ends. */
WpState wp_context_cause(WpModel *model, Cpu *cpu, WpId target, Waking *ret_waking);
void wp_context_disk_completed(WpModel *model, Cpu *cpu, guint64 device, guint64 sector,
			       guint64 n_sectors);
/* A request is known by its place on its device. */
static inline guint64 disk_request_key(guint64 device, guint64 sector)
{
	return device << 44 ^ sector;
}
void wp_context_softirq_raised(WpModel *model, Cpu *cpu, gint32 vector);
void wp_context_init(WpModel *model);
void wp_context_clear(WpModel *model);

/* network.c */

gboolean wp_network_queue(WpModel *model, Cpu *cpu, const WpEvent *event, GError **error);
gboolean wp_network_receive(WpModel *model, Cpu *cpu, const WpEvent *event, GError **error);
void wp_network_transmitted(WpModel *model, guint64 skb);
gboolean wp_network_interface(WpModel *model, const WpEvent *event, GError **error);
/* A packet whose sender was not known was sent by the task, in this segment of it. */
void wp_network_sent_by(WpModel *model, WpId packet, WpId vertex);
/*
 * The packet that woke target, out of those received in the CPU's bracket; with strict
 * only one of a flow that the target's thread or process uses. Marks it used.
 * WP_NONE: none; *ret_space: it was an acknowledgement that made room.
 */
WpId wp_network_waker(WpModel *model, Cpu *cpu, WpId target, gboolean strict, gboolean *ret_space);
/* For traces without sched_waking: received on any CPU within the last millisecond. */
WpId wp_network_waker_elsewhere(WpModel *model, WpId target);
void wp_network_init(WpModel *model);
void wp_network_clear(WpModel *model);

/* order.c */

/*
 * Sorts the vertices by time, for a host whose graph is complete. late: WpId, ascending: those that
 * may lie behind one of a later time; the others are in order, but for tasks' first ones. ends: of
 * the vertices as they are; they are numbered anew.
 */
gboolean wp_order_vertices(WpHost *host, const WpColumn *late, WpHostEnds *ends, GError **error);

/* state.c */

typedef enum {
	LEFT_RUNNABLE, /* preempted */
	LEFT_BLOCKED,
	LEFT_STOPPED,
	LEFT_DEAD,
	LEFT_MAYBE_DEAD /* dead, or an idle kernel thread: the trace must tell */
} LeftState;

/* What prev_state, or its label (may be NULL), says; learns the encoding of the trace. */
LeftState wp_state_decode(WpModel *model, gint64 prev_state, const gchar *label);
/* The encoding to be expected from a tracer and kernel. */
StateEncoding wp_state_guess_encoding(const WpTraceInfo *info);

G_END_DECLS

#endif
