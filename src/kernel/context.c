/* SPDX-License-Identifier: MIT */
/*
 * context.c: what a CPU executes: its task, and over it a stack of interrupts,
 * softirqs and timers; and from that what a wake-up made there was caused by.
 *
 * The innermost frame decides: a wake-up inside a timer's expiry is the timer's, one
 * inside the completion of a disk request the disk's; only one made on an empty
 * stack is the doing of the current task. While the stack is not empty, the time is
 * not the task's own: its segment becomes IRQ or SOFTIRQ.
 */
#include "config.h"

#include <string.h>

#include "kernel/model-private.h"

static const gchar *const softirq_names[SOFTIRQ_N] = {
	[SOFTIRQ_HI] = "HI",           [SOFTIRQ_TIMER] = "TIMER", [SOFTIRQ_NET_TX] = "NET_TX",
	[SOFTIRQ_NET_RX] = "NET_RX",   [SOFTIRQ_BLOCK] = "BLOCK", [SOFTIRQ_IRQ_POLL] = "IRQ_POLL",
	[SOFTIRQ_TASKLET] = "TASKLET", [SOFTIRQ_SCHED] = "SCHED", [SOFTIRQ_HRTIMER] = "HRTIMER",
	[SOFTIRQ_RCU] = "RCU",
};

void wp_context_init(WpModel *model)
{
	model->cpus = g_ptr_array_new_with_free_func(g_free);
	model->netifs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	wp_intmap_init(&model->cpu_index);
	model->cpu_direct = g_new0(Cpu *, CPUS_DIRECT + 1);
	wp_intmap_init(&model->irq_causes);
	wp_intmap_init(&model->irq_names);
	wp_intmap_init(&model->disk_names);
	wp_intmap_init(&model->requests);
	wp_intmap_init(&model->timers);
}

void wp_context_clear(WpModel *model)
{
	for (guint i = 0; i < model->cpus->len; i++) {
		Cpu *cpu = model_cpu(model, i);

		g_array_free(cpu->received, TRUE);
		wp_lost_cpu_clear(cpu);
	}
	g_ptr_array_unref(model->cpus);
	g_hash_table_destroy(model->netifs);
	wp_intmap_clear(&model->cpu_index);
	g_free(model->cpu_direct);
	wp_intmap_clear(&model->irq_causes);
	wp_intmap_clear(&model->irq_names);
	wp_intmap_clear(&model->disk_names);
	wp_intmap_clear(&model->requests);
	wp_intmap_clear(&model->timers);
}

static guint cpu_new(WpModel *model, guint32 number, GError **error)
{
	guint cpu = model->cpus->len;
	Cpu new = {.id = cpu,
		   .raised_last = -1,
		   .signal_tid = -1,
		   .first_task = WP_NONE,
		   .lost_end = WP_TIME_MIN,
		   .unseen_until = WP_TIME_MIN};
	guint32 *slot;

	slot = wp_column_push(&model->host->cpus, error);
	if (!slot)
		return WP_NONE;
	*slot = number;
	for (guint i = 0; i < SOFTIRQ_N; i++)
		new.raised[i] = new.raised_irq[i] = WP_TIME_MIN;
	new.received = g_array_new(FALSE, FALSE, sizeof(Received));
	new.bare = TRUE;
	/* What the first switch tells holds since the trace began. */
	wp_lost_cpu_init(&new, FALSE, model->host->begin, model->host->begin);
	g_ptr_array_add(model->cpus, g_memdup2(&new, sizeof(new)));
	wp_intmap_set(&model->cpu_index, number, cpu);
	return cpu;
}

guint wp_cpu_get_slow(WpModel *model, guint32 number, GError **error)
{
	guint cpu = wp_intmap_get(&model->cpu_index, number);

	return cpu != WP_NONE ? cpu : cpu_new(model, number, error);
}

/* What the CPU's task does, by the frames over it. */
static inline WpState cpu_state(const Cpu *cpu)
{
	return cpu->n_frames ? cpu->frames[cpu->n_frames - 1].state : WP_STATE_RUNNING;
}

/* The same when a frame of this type is laid upon them. */
static WpState state_over(const Cpu *cpu, FrameType type)
{
	switch (type) {
	case FRAME_IRQ:
	case FRAME_VECTOR:
		return WP_STATE_IRQ;
	case FRAME_SOFTIRQ:
		return WP_STATE_SOFTIRQ;
	case FRAME_HRTIMER:
	case FRAME_TIMER:
		/* A timer's time is that of what it runs in. */
		if (cpu->n_frames)
			break;
		return type == FRAME_TIMER ? WP_STATE_SOFTIRQ : WP_STATE_IRQ;
	case FRAME_NET:
		/* A bracket of packets is nobody's time. */
		break;
	}
	return cpu_state(cpu);
}

/* The frame whose time this is, or NULL: the task's own. */
static const Frame *taking_frame(const Cpu *cpu)
{
	for (guint i = cpu->n_frames; i-- > 0;) {
		const Frame *frame = &cpu->frames[i];

		if (frame->type == FRAME_NET)
			continue;
		if ((frame->type == FRAME_HRTIMER || frame->type == FRAME_TIMER) && i > 0)
			continue;
		return frame;
	}
	return NULL;
}

static WpId softirq_name(WpModel *model, gint32 vector)
{
	if (vector < 0 || vector >= SOFTIRQ_N)
		return 0;
	if (!model->softirq_names[vector])
		model->softirq_names[vector] = wp_strings_intern(model->host->strings,
								 softirq_names[vector]);
	return model->softirq_names[vector];
}

static WpId frame_cause_new(WpModel *model, const Frame *frame, GError **error)
{
	WpCause cause = {.source = WP_NONE};
	WpCauseDetail detail = {.name = 0};

	switch (frame->type) {
	case FRAME_IRQ:
		cause.kind = WP_CAUSE_IRQ;
		detail.name = frame->name;
		detail.number = (guint16)frame->number;
		break;
	case FRAME_VECTOR:
		cause.kind = WP_CAUSE_IRQ;
		detail.name = frame->name;
		break;
	case FRAME_SOFTIRQ:
		cause.kind = WP_CAUSE_SOFTIRQ;
		detail.name = softirq_name(model, frame->number);
		detail.number = (guint16)frame->number;
		break;
	case FRAME_HRTIMER:
	case FRAME_TIMER:
	case FRAME_NET:
		cause.kind = WP_CAUSE_TIMER;
		break;
	}
	return wp_cause_add(model, &cause, &detail, error);
}

/* The cause that all segments taken by the same interrupt share. */
static WpId frame_cause(WpModel *model, const Frame *frame, GError **error)
{
	guint32 number = frame->type == FRAME_VECTOR    ? frame->name
			 : frame->type == FRAME_HRTIMER ? 0
							: (guint32)frame->number;
	guint64 key = (guint64)(frame->type + 1) << 32 | number;
	CachedFrameCause *cached =
		&model->frame_causes[(number ^ frame->type << 3) % FRAME_CAUSES_CACHED];
	WpId id;

	if (G_LIKELY(cached->key == key))
		return cached->cause;
	id = wp_intmap_get(&model->irq_causes, key);
	if (id == WP_NONE) {
		id = frame_cause_new(model, frame, error);
		if (id == WP_NONE)
			return WP_NONE;
		wp_intmap_set(&model->irq_causes, key, id);
	}
	*cached = (CachedFrameCause){key, id};
	return id;
}

/* The stack has changed: is the current task's time still whose it was? */
static gboolean retake(WpModel *model, Cpu *cpu, WpState before, GError **error)
{
	const WpState state = cpu_state(cpu);
	const Frame *frame;
	WpId cause = WP_NONE;

	if (state == before || cpu->current == CURRENT_IDLE ||
	    (is_task(cpu->current) && model_task(model, cpu->current)->phase != TASK_RUNNING))
		return TRUE;
	frame = taking_frame(cpu);
	if (frame && (cause = frame_cause(model, frame, error)) == WP_NONE)
		return FALSE;
	if (cpu->current == CURRENT_UNKNOWN) {
		wp_lost_stretch(cpu, model->now, state, cause);
		return TRUE;
	}
	return wp_task_enter(model, cpu->current, state, cpu->id, cause, error);
}

gboolean wp_context_enter(WpModel *model, Cpu *cpu, FrameType type, gint32 number, WpId name,
			  GError **error)
{
	const WpState before = cpu_state(cpu);
	WpState state;

	/* Deeper nesting than any kernel has: exits were lost. */
	if (cpu->n_frames == FRAMES_MAX)
		cpu->n_frames = 0;
	/* A softirq begins over a task only; its own name has been seen. */
	if (type == FRAME_SOFTIRQ && !cpu->n_frames)
		cpu->base_known = TRUE;
	state = state_over(cpu, type);
	cpu->frames[cpu->n_frames++] = (Frame){.type = type,
					       .state = state,
					       .number = number,
					       .time = model->now,
					       .name = name,
					       .disk_origin = WP_NONE,
					       .queued = WP_NONE};
	if (type == FRAME_SOFTIRQ && number == SOFTIRQ_NET_RX)
		wp_network_bracket(cpu, FALSE);
	return state == before || retake(model, cpu, before, error);
}

/* The entry of what is left lies before the trace, or was lost. */
static gboolean left_unseen(WpModel *model, Cpu *cpu, FrameType type, gint32 number, GError **error)
{
	const WpId name = type == FRAME_IRQ ? wp_intmap_get(&model->irq_names, (guint32)number)
					    : WP_NONE;
	const Frame frame = {.type = type, .number = number, .name = name == WP_NONE ? 0 : name};
	const WpState state = type == FRAME_SOFTIRQ || type == FRAME_TIMER ? WP_STATE_SOFTIRQ
									   : WP_STATE_IRQ;
	WpId cause;

	if (cpu->current != CURRENT_UNKNOWN)
		return TRUE;
	cause = frame_cause(model, &frame, error);
	if (cause == WP_NONE)
		return FALSE;
	wp_lost_left_unseen(cpu, model->now, type, state, cause);
	return TRUE;
}

gboolean wp_context_leave(WpModel *model, Cpu *cpu, FrameType type, gint32 number, GError **error)
{
	const WpState before = cpu_state(cpu);
	gboolean numbered = type == FRAME_IRQ || type == FRAME_SOFTIRQ;

	for (guint i = cpu->n_frames; i-- > 0;) {
		const Frame *frame = &cpu->frames[i];

		if (frame->type != type || (numbered && frame->number != number))
			continue;
		/* What lies above it has lost its exit. */
		cpu->n_frames = i;
		if (type == FRAME_SOFTIRQ && number == SOFTIRQ_NET_RX)
			wp_network_bracket(cpu, TRUE);
		return cpu_state(cpu) == before || retake(model, cpu, before, error);
	}
	return left_unseen(model, cpu, type, number, error);
}

gboolean wp_context_flush(WpModel *model, Cpu *cpu, GError **error)
{
	const WpState before = cpu_state(cpu);

	wp_context_forget(cpu);
	return retake(model, cpu, before, error);
}

void wp_context_softirq_raised(WpModel *model, Cpu *cpu, gint32 vector)
{

	if (vector < 0 || vector >= SOFTIRQ_N)
		return;
	cpu->raised[vector] = cpu->raised_irq[vector] = model->now;
	cpu->raised_last = vector;
	for (guint i = 0; i < cpu->n_frames; i++)
		if (cpu->frames[i].type == FRAME_IRQ || cpu->frames[i].type == FRAME_VECTOR) {
			cpu->raised_irq[vector] = cpu->frames[i].time;
			break;
		}
}

void wp_context_disk_completed(WpModel *model, Cpu *cpu, guint64 device, guint64 sector,
			       guint64 n_sectors)
{
	/* A flush has no sectors and belongs to no request by its place. */
	WpId origin = n_sectors
			      ? wp_intmap_remove(&model->requests, disk_request_key(device, sector))
			      : WP_NONE;
	WpId name = wp_intmap_get(&model->disk_names, device);

	if (name == WP_NONE) {
		/* The kernel's dev_t: 12 bits of major over 20 of minor. */
		g_autofree gchar *text = g_strdup_printf("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT,
							 device >> 20, device & 0xfffff);

		name = wp_strings_intern(model->host->strings, text);
		wp_intmap_set(&model->disk_names, device, name);
	}
	if (!cpu->n_frames)
		return;

	Frame *frame = &cpu->frames[cpu->n_frames - 1];

	frame->disk = name;
	frame->disk_origin = origin;
}

/* Whether the interrupt's name begins with one of a list, behind any "virtio1-" and the like. */
static gboolean named(const gchar *name, const gchar *const *prefixes)
{
	for (guint i = 0; prefixes[i]; i++)
		if (g_str_has_prefix(name, prefixes[i]))
			return TRUE;
	return FALSE;
}

/* "virtio1-input.0" is a queue of a network device, "virtio0-input" an input device. */
static gboolean virtio_part(const gchar *name, const gchar *part)
{
	const gchar *dash;

	return g_str_has_prefix(name, "virtio") && (dash = strchr(name, '-')) &&
	       g_str_has_prefix(dash + 1, part);
}

static gboolean is_netif(WpModel *model, const gchar *name)
{
	g_autofree gchar *device = g_strdup(name);

	device[strcspn(device, "-: ")] = '\0';
	return g_hash_table_contains(model->netifs, device);
}

/* What kind of device an interrupt is for, by the name of its action: only where no event tells. */
static WpState device_of_irq(WpModel *model, const gchar *name)
{
	static const gchar *const disks[] = {"nvme",       "ahci",  "mmc",  "ufshcd", "megasas",
					     "megaraid",   "mpt",   "hpsa", "ata",    "scsi",
					     "aacraid",    "qla2",  "lpfc", "ide",    "pvscsi",
					     "virtio_blk", "sdhci", NULL};
	static const gchar *const nets[] = {"eth",     "enp", "eno",   "ens", "wlan",  "wlp",
					    "iwlwifi", "mlx", "e1000", "igb", "ixgbe", "i40e",
					    "bnx",     "tg3", "r8169", NULL};
	static const gchar *const inputs[] = {"i8042", "xhci", "ehci",    "uhci",
					      "ohci",  "hid",  "i2c_hid", NULL};
	static const gchar *const timers[] = {"arch_timer", "timer", "rtc", "hpet", NULL};

	if (virtio_part(name, "input.") || virtio_part(name, "output.") || is_netif(model, name) ||
	    named(name, nets))
		return WP_STATE_NETWORK;
	if (virtio_part(name, "req") || named(name, disks))
		return WP_STATE_DISK;
	if (virtio_part(name, "input") || named(name, inputs))
		return WP_STATE_INPUT;
	return named(name, timers) ? WP_STATE_TIMER : WP_STATE_BLOCKED;
}

static WpState irq_cause(WpModel *model, WpId name, gint32 number, Waking *waking)
{
	WpCause *cause = &waking->cause;
	WpState state = device_of_irq(model, wp_strings_get(model->host->strings, name));

	cause->kind = state == WP_STATE_DISK      ? WP_CAUSE_DISK
		      : state == WP_STATE_TIMER   ? WP_CAUSE_TIMER
		      : state == WP_STATE_NETWORK ? WP_CAUSE_PACKET
						  : WP_CAUSE_IRQ;
	if (state == WP_STATE_NETWORK)
		cause->flags |= WP_CAUSE_FLAG_NO_FLOW;
	waking->detail.name = name;
	waking->detail.number = (guint16)number;
	return state;
}

static WpState disk_cause(const Frame *frame, Waking *waking)
{
	WpCause *cause = &waking->cause;

	cause->kind = WP_CAUSE_DISK;
	waking->detail.name = frame->disk;
	cause->origin = frame->disk_origin;
	return WP_STATE_DISK;
}

static WpState timer_cause(WpModel *model, const Frame *frame, Waking *waking)
{
	WpCause *cause = &waking->cause;

	cause->kind = WP_CAUSE_TIMER;
	cause->origin = wp_intmap_get(&model->timers, frame->address);
	waking->detail.name = wp_function_name(model, frame->function);
	return WP_STATE_TIMER;
}

static WpState packet_cause(WpModel *model, Cpu *cpu, WpId target, Waking *waking)
{
	WpCause *cause = &waking->cause;
	gboolean space = FALSE;

	cause->kind = WP_CAUSE_PACKET;
	cause->packet = wp_network_waker(model, cpu, target, FALSE, &space);
	if (cause->packet == WP_NONE)
		cause->flags |= WP_CAUSE_FLAG_NO_FLOW;
	else
		cause->time = wp_host_packet(model->host, cause->packet)->time;
	if (space)
		cause->flags |= WP_CAUSE_FLAG_SPACE;
	return WP_STATE_NETWORK;
}

/* A softirq that has itself queued a packet wakes writers: their buffer has room again. */
static WpState queue_space_cause(Waking *waking)
{
	WpCause *cause = &waking->cause;

	cause->kind = WP_CAUSE_PACKET;
	cause->flags |= WP_CAUSE_FLAG_SPACE | WP_CAUSE_FLAG_NO_FLOW;
	return WP_STATE_NETWORK;
}

static WpState softirq_cause(WpModel *model, Cpu *cpu, WpId target, const Frame *frame,
			     Waking *waking)
{
	switch (frame->number) {
	case SOFTIRQ_TIMER:
	case SOFTIRQ_HRTIMER:
		return timer_cause(model, frame, waking);
	case SOFTIRQ_NET_RX:
	case SOFTIRQ_NET_TX:
		return packet_cause(model, cpu, target, waking);
	case SOFTIRQ_BLOCK:
	case SOFTIRQ_IRQ_POLL:
		return disk_cause(frame, waking);
	default:
		break;
	}
	if (frame->disk)
		return disk_cause(frame, waking);
	if (frame->queued != WP_NONE)
		return queue_space_cause(waking);
	waking->cause.kind = WP_CAUSE_SOFTIRQ;
	waking->detail.name = softirq_name(model, frame->number);
	waking->detail.number = (guint16)frame->number;
	return WP_STATE_BLOCKED;
}

static WpState vector_cause(WpModel *model, const Frame *frame, Waking *waking)
{
	WpCause *cause = &waking->cause;
	const gchar *name = wp_strings_get(model->host->strings, frame->name);

	waking->detail.name = frame->name;
	if (strstr(name, "timer")) {
		cause->kind = WP_CAUSE_TIMER;
		return WP_STATE_TIMER;
	}
	if (strstr(name, "resched") || strstr(name, "call_function") || strstr(name, "irq_work")) {
		cause->kind = WP_CAUSE_IPI;
		return WP_STATE_IPI;
	}
	cause->kind = WP_CAUSE_IRQ;
	return WP_STATE_BLOCKED;
}

/* In ksoftirqd a softirq runs late: when it was raised and when it began, before now. */
static void note_deferral(WpModel *model, const Cpu *cpu, const Frame *frame, Waking *waking)
{
	if (frame->type != FRAME_SOFTIRQ || frame->number < 0 || frame->number >= SOFTIRQ_N ||
	    !is_task(cpu->current) || model_task(model, cpu->current)->ksoftirqd < 0)
		return;

	WpTime raised = cpu->raised[frame->number];

	if (raised == WP_TIME_MIN || raised > frame->time || model->now - raised > G_MAXUINT32)
		return;
	waking->raised = (guint32)(model->now - raised);
	waking->entered = (guint32)(model->now - frame->time);
}

static WpState interrupt_cause(WpModel *model, Cpu *cpu, WpId target, Waking *waking)
{
	const Frame *frame = &cpu->frames[cpu->n_frames - 1];

	for (guint i = 0; i < cpu->n_frames; i++)
		note_deferral(model, cpu, &cpu->frames[i], waking);
	switch (frame->type) {
	case FRAME_HRTIMER:
	case FRAME_TIMER:
		return timer_cause(model, frame, waking);
	case FRAME_NET:
		return packet_cause(model, cpu, target, waking);
	case FRAME_SOFTIRQ:
		return softirq_cause(model, cpu, target, frame, waking);
	case FRAME_VECTOR:
		return vector_cause(model, frame, waking);
	case FRAME_IRQ:
		break;
	}
	return frame->disk ? disk_cause(frame, waking)
			   : irq_cause(model, frame->name, frame->number, waking);
}

/* A thread that handles interrupts ("irq/24-nvme0q1", "napi/eth0-8193") stands for its device. */
static gboolean interrupt_thread_cause(WpModel *model, Cpu *cpu, WpId target, Waking *waking,
				       WpState *ret_state)
{
	const gchar *comm = wp_strings_get(model->host->strings,
					   wp_host_task(model->host, cpu->current)->comm);
	const gchar *dash = strchr(comm, '-');

	if (g_str_has_prefix(comm, "napi/") && cpu->received->len) {
		*ret_state = packet_cause(model, cpu, target, waking);
		return TRUE;
	}
	if (!g_str_has_prefix(comm, "irq/") || !dash)
		return FALSE;
	if (cpu->received->len) {
		*ret_state = packet_cause(model, cpu, target, waking);
		return TRUE;
	}

	WpState state = device_of_irq(model, dash + 1);

	if (state == WP_STATE_BLOCKED)
		return FALSE;
	*ret_state = irq_cause(model, wp_strings_intern(model->host->strings, dash + 1), 0, waking);
	return TRUE;
}

/* Packets received on this CPU since its last switch, in a trace without softirqs. */
static gboolean bare_packet_cause(WpModel *model, Cpu *cpu, WpId target, Waking *waking)
{
	WpCause *cause = &waking->cause;
	gboolean space = FALSE;

	if (model->host->has_softirqs)
		return FALSE;
	cause->packet = WP_NONE;
	if (cpu->received->len)
		cause->packet = wp_network_waker(model, cpu, target, cpu->current != CURRENT_IDLE,
						 &space);
	if (cause->packet == WP_NONE && !model->seen_waking && cpu->current == CURRENT_IDLE)
		cause->packet = wp_network_waker_elsewhere(model, target);
	if (cause->packet == WP_NONE)
		return FALSE;
	cause->kind = WP_CAUSE_PACKET;
	cause->time = wp_host_packet(model->host, cause->packet)->time;
	if (space)
		cause->flags |= WP_CAUSE_FLAG_SPACE;
	return TRUE;
}

WpState wp_context_cause(WpModel *model, Cpu *cpu, WpId target, Waking *waking)
{
	const TaskState *target_state = model_task(model, target);
	WpCause *cause = &waking->cause;
	WpState state;

	waking->raised = waking->entered = 0;
	*cause = (WpCause){.time = model->now, .source = WP_NONE};
	waking->detail = (WpCauseDetail){.syscall = target_state->syscall};
	if (cpu->n_frames)
		return interrupt_cause(model, cpu, target, waking);

	/*
	 * ksoftirqd is woken at the end of an interrupt, after the last event of its exit:
	 * the current task has nothing to do with it.
	 */
	if (target_state->ksoftirqd >= 0 &&
	    (guint32)target_state->ksoftirqd == wp_host_cpu(model->host, cpu->id)) {
		cause->kind = WP_CAUSE_SOFTIRQ;
		waking->detail.name = softirq_name(model, cpu->raised_last);
		waking->detail.number = (guint16)MAX(cpu->raised_last, 0);
		return WP_STATE_BLOCKED;
	}
	if (bare_packet_cause(model, cpu, target, waking))
		return WP_STATE_NETWORK;
	if (cpu->current == CURRENT_UNKNOWN && cpu->lossy) {
		cause->kind = WP_CAUSE_LOST;
		return WP_STATE_LOST;
	}
	if (!is_task(cpu->current))
		return WP_STATE_BLOCKED;

	const TaskState *waker = model_task(model, cpu->current);

	if (waker->serves_device && interrupt_thread_cause(model, cpu, target, waking, &state))
		return state;

	cause->source = task_last(model, cpu->current);
	cause->kind = WP_CAUSE_TASK;
	if (waker->work) {
		cause->kind = WP_CAUSE_WORKQUEUE;
		waking->detail.name = waker->work;
	}
	if (cpu->signal_tid == target_state->row->tid) {
		cause->kind = WP_CAUSE_SIGNAL;
		waking->detail.number = (guint16)cpu->signal_number;
		return WP_STATE_SIGNAL;
	}
	return WP_STATE_BLOCKED;
}
