/* SPDX-License-Identifier: MIT */
/*
 * types.h: the words that every other folder speaks: times, ids, task states
 * and wait causes.
 *
 * States and causes are X-macro tables: the text for people, the JSON key, the
 * CSS class and the colours all come from the one row, so that no list of them
 * is written twice.
 */
#ifndef WP_BASE_TYPES_H
#define WP_BASE_TYPES_H

#include <glib.h>

G_BEGIN_DECLS

/* Nanoseconds. Points in time count from the Unix epoch on some host's clock. */
typedef gint64 WpTime;
#define WP_TIME_MIN G_MININT64
#define WP_TIME_MAX G_MAXINT64
/*
 * What traces and graphs hold lies between these, 146 years before and after the epoch: so that
 * the difference of any two of their times is a time, too.
 */
#define WP_TIME_LATEST ((G_GINT64_CONSTANT(1) << 62) - 1)
#define WP_TIME_EARLIEST (-WP_TIME_LATEST)

#define WP_NS_PER_US G_GINT64_CONSTANT(1000)
#define WP_NS_PER_MS G_GINT64_CONSTANT(1000000)
#define WP_NS_PER_S G_GINT64_CONSTANT(1000000000)

/* Index of a vertex, task, cause, packet, string or host in its table. */
typedef guint32 WpId;
#define WP_NONE G_MAXUINT32

/*
 * What a task does, or waits for, in one segment of its life.
 * X(NAME, json key, words for people, light colour, dark colour)
 */
#define WP_STATES(X)                                                                               \
	X(RUNNING, "running", "running", "#3a9d4e", "#57b96a")                                     \
	X(IRQ, "irq", "interrupted", "#b5433c", "#d6655d")                                         \
	X(SOFTIRQ, "softirq", "interrupted by a softirq", "#d0803a", "#e09a5c")                    \
	X(RUNNABLE, "runnable", "woken, waiting for a CPU", "#d9b72b", "#e4c74f")                  \
	X(PREEMPTED, "preempted", "preempted", "#b08d12", "#c9a83a")                               \
	X(BLOCKED, "blocked", "blocked", "#8e8e93", "#9a9aa0")                                     \
	X(TIMER, "timer", "waiting for a timer", "#6f8fc9", "#86a5dc")                             \
	X(DISK, "disk", "waiting for a disk", "#7a55a6", "#9a78c4")                                \
	X(NETWORK, "network", "waiting for the network", "#2f86b5", "#55a6d1")                     \
	X(INPUT, "input", "waiting for input", "#b65b97", "#cd7fb2")                               \
	X(IPI, "ipi", "waiting for an interrupt between CPUs", "#a0522d", "#bd7350")               \
	X(SIGNAL, "signal", "waiting for a signal", "#4f9a94", "#70b5af")                          \
	X(STOPPED, "stopped", "stopped", "#5c5c66", "#777781")                                     \
	X(DEFERRED, "deferred", "waiting for deferred work", "#c46f6f", "#d68d8d")                 \
	X(LOST, "lost", "events lost", "#e0218a", "#f04ca5")                                       \
	X(UNKNOWN, "unknown", "unknown", "#c9c9cf", "#505058")

typedef enum {
#define X(name, key, words, light, dark) WP_STATE_##name,
	WP_STATES(X)
#undef X
		WP_STATE_N
} WpState;

/* Does the task wait in this state for something other than a CPU? */
static inline gboolean wp_state_is_wait(WpState state)
{
	const guint others = 1u << WP_STATE_RUNNING | 1u << WP_STATE_IRQ | 1u << WP_STATE_SOFTIRQ |
			     1u << WP_STATE_RUNNABLE | 1u << WP_STATE_PREEMPTED;

	return state >= WP_STATE_N || !(others >> state & 1);
}

/*
 * What ended a wait, or what keeps a task from running.
 * X(NAME, json key, words for people)
 */
#define WP_CAUSE_KINDS(X)                                                                          \
	X(NONE, "none", "unknown")                                                                 \
	X(TASK, "task", "woken by a task")                                                         \
	X(PACKET, "packet", "a network packet")                                                    \
	X(TIMER, "timer", "a timer")                                                               \
	X(DISK, "disk", "a disk")                                                                  \
	X(IRQ, "irq", "an interrupt")                                                              \
	X(SOFTIRQ, "softirq", "a softirq")                                                         \
	X(IPI, "ipi", "an interrupt between CPUs")                                                 \
	X(WORKQUEUE, "workqueue", "a work item")                                                   \
	X(SIGNAL, "signal", "a signal")                                                            \
	X(FORK, "fork", "the parent")                                                              \
	X(PREEMPTOR, "preemptor", "other tasks on the CPU")                                        \
	X(THROTTLED, "throttled", "a CPU quota")                                                   \
	X(LOST, "lost", "lost events")

typedef enum {
#define X(name, key, words) WP_CAUSE_##name,
	WP_CAUSE_KINDS(X)
#undef X
		WP_CAUSE_N
} WpCauseKind;

/* Where in a packet's flight a network segment lies. */
typedef enum {
	WP_PART_NONE,
	WP_PART_SEND,	/* queued, not yet given to the device */
	WP_PART_WIRE,	/* from the device to the receiver's interrupt */
	WP_PART_RECEIVE /* from the receiver's interrupt to the wake-up */
} WpPart;

/* All four return static strings; out of range gives "unknown". */
const gchar *wp_state_key(WpState state);
const gchar *wp_state_words(WpState state);
const gchar *wp_cause_kind_key(WpCauseKind kind);
const gchar *wp_cause_kind_words(WpCauseKind kind);
/* "#rrggbb"; out of range gives the colour of unknown. */
const gchar *wp_state_colour(WpState state, gboolean dark);
/* WP_STATE_N when the key names no state. */
WpState wp_state_from_key(const gchar *key);
/* "send", "wire", "receive"; NULL for WP_PART_NONE. */
const gchar *wp_part_key(WpPart part);

G_END_DECLS

#endif
