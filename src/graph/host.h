/* SPDX-License-Identifier: MIT */
/*
 * host.h: the execution graph of one host, in its own clock.
 *
 * A *vertex* is the moment at which a task enters a state; its segment lasts to
 * the task's next vertex. The vertices of all tasks lie in one column, in the
 * order of time, linked backwards by `prev`; 20 bytes each, since of its time a vertex holds the
 * lower half: the rest follows from its *block* of 256 vertices. Those whose time lies too far from
 * that of their block are *far*, with a table of their own.
 * Only a task's first vertex may have a time before that of the vertex in front of it:
 * first seen waiting, it has waited since the trace began.
 *
 * A waiting segment has a *cause*: what ended it, with the vertex of the waker or
 * the packet that was received. A runnable segment has none: who had the CPU
 * follows from the running segments of that CPU. A running segment may have one of
 * kind WP_CAUSE_WORKQUEUE or WP_CAUSE_FORK: the path goes on there when it
 * reaches the segment's begin.
 *
 * Everything here is immutable once the model has finished, and may be read from
 * several threads; the indexes at the end are made on demand under a lock.
 */
#ifndef WP_GRAPH_HOST_H
#define WP_GRAPH_HOST_H

#include "base/column.h"
#include "base/finding.h"
#include "base/intmap.h"
#include "base/strings.h"
#include "base/types.h"

G_BEGIN_DECLS

typedef struct {
	guint32 clock; /* lower half of its time, the begin of the segment: wp_host_vertex_time() */
	WpId task;
	WpId prev; /* the same task's vertex before, WP_NONE for its first */
	WpId cause; /* in causes, WP_NONE */
	guint16 cpu; /* in cpus (a dense index), G_MAXUINT16 unknown */
	guint8 state; /* WpState */
	guint8 flags; /* WP_VERTEX_... */
} WpVertex;

/* The segment overlaps an interval in which its CPU lost events. */
#define WP_VERTEX_LOST 1u
/* The segment ended (a runnable one: began) without a wake-up that the trace explains. */
#define WP_VERTEX_NO_WAKEUP 2u
/* The task has ended: the segment is not part of its life. */
#define WP_VERTEX_DEAD 4u
/* A first vertex, whose time is its task's begin. */
#define WP_VERTEX_AT_BEGIN 8u
/* Its time is in far. */
#define WP_VERTEX_FAR 16u

G_STATIC_ASSERT(sizeof(WpVertex) == 20);

#define WP_VERTEX_BLOCK_SHIFT 8
/* The vertex that begins a block is by so much later than the least time that can be told in it. */
#define WP_VERTEX_BLOCK_MARGIN (G_GINT64_CONSTANT(1) << 30)

/* The time of a vertex that is not within 2^32 ns from its block's least one. */
typedef struct {
	WpTime time;
	WpId vertex;
	guint32 unused;
} WpFarTime;

/* 16 bytes: what it refers to depends on its kind; where that is none of these, to WP_NONE. */
typedef struct {
	WpTime time; /* when the source acted: the waking; for a packet its reception */
	union {
		WpId source; /* TASK, WORKQUEUE, SIGNAL, FORK: vertex of who acted, then; WP_NONE */
		WpId packet; /* PACKET: the received one, WP_NONE */
		WpId origin; /* DISK, TIMER: vertex of who issued or armed it, WP_NONE */
	};
	guint32 kind : 4; /* WpCauseKind */
	guint32 flags : 4; /* WP_CAUSE_FLAG_... */
	guint32 detail : 24; /* in details */
} WpCause;

G_STATIC_ASSERT(sizeof(WpCause) == 16 && WP_CAUSE_N <= 16);

/* What many causes have in common: there are few of them, each once. */
typedef struct {
	WpId name; /* string: device, interrupt, timer function, softirq, work function, 0 */
	WpId syscall; /* string: the system call that the wait sits in, 0 */
	guint16 number; /* interrupt, softirq vector or signal number */
	guint16 cpu; /* 1 + the dense index of the CPU that ended the wait, 0: not known */
} WpCauseDetail;

#define WP_CAUSE_DETAILS_MAX (1u << 24)

/* Waiting for buffer space, ended by an acknowledgement (NETWORK). */
#define WP_CAUSE_FLAG_SPACE 1u
/* The packet's path cannot be followed back: no packet with headers was seen. */
#define WP_CAUSE_FLAG_NO_FLOW 2u
/* The wake-up came of a softirq that ran late: it has a WpDeferral. */
#define WP_CAUSE_FLAG_DEFERRED 4u

/* Of the few causes of which a softirq was deferred. */
typedef struct {
	WpId cause;
	guint32 raised; /* ns before the wake at which the softirq was raised, not 0 */
	guint32 entered; /* ns before the wake at which it began to run */
} WpDeferral;

typedef enum {
	WP_TASK_USER,
	WP_TASK_KERNEL, /* a kernel thread */
	WP_TASK_KIND_UNKNOWN
} WpTaskKind;

typedef struct {
	gint32 tid;
	gint32 pid; /* -1 unknown */
	gint32 ppid; /* -1 unknown */
	WpId comm; /* string: the latest name */
	WpId renamed; /* the latest change of name, WP_NONE: it always had this one */
	WpId parent; /* task, WP_NONE unknown */
	WpId first, last; /* vertices, WP_NONE */
	WpTime begin; /* fork, or the trace's begin */
	WpTime end; /* exit (switch-out as dead), or the trace's end */
	guint64 n_segments;
	guint8 kind; /* WpTaskKind */
	guint8 exited; /* end is its exit */
	guint16 generation; /* counts tasks of the same tid, from 0 */
} WpTask;

/* A task that changed its name has a change for each name, the first from its begin on. */
typedef struct {
	WpTime time;
	WpId comm; /* string: its name from then on */
	WpId prev; /* the change before, WP_NONE for the first */
} WpCommChange;

/* Network flow in one direction. */
typedef struct {
	guint8 src[16], dst[16]; /* IPv4 as ::ffff:a.b.c.d; a socket without addresses: zero */
	guint64 sk; /* socket address where the trace has no addresses, else 0 */
	guint16 sport, dport;
	guint8 protocol; /* 6 TCP, 17 UDP, 1 ICMP, 58 ICMPv6 */
	guint8 version; /* 4, 6; 0: no addresses */
	guint16 unused;
	WpId reverse; /* flow, WP_NONE */
} WpFlow;

typedef struct {
	WpTime time; /* of net_dev_queue or net_if_receive_skb */
	WpId flow;
	guint32 seq; /* TCP: of the first byte; ICMP echo: id << 16 | sequence */
	guint32 ack; /* TCP */
	guint32 length; /* payload bytes */
	WpId vertex; /* send in task context: the sender's vertex then; else WP_NONE */
	WpId parent; /* send in another context: the packet that caused it, WP_NONE */
	guint32 lag; /* send: ns to the device's transmit; receive: ns since the interrupt; 0 unknown */
	guint16 ip_id;
	guint8 tcp_flags;
	guint8 flags; /* WP_PACKET_... */
} WpPacket;

#define WP_PACKET_SEND 1u
#define WP_PACKET_HAS_ID 2u /* ip_id is valid */
#define WP_PACKET_HOP 4u /* seen again on another device of this host: not the end of its flight */
#define WP_PACKET_NEXT 8u /* receive: brought the next byte that the receiver had not got */
#define WP_PACKET_NO_SENDER 32u /* send: by whom is not known, since events were lost */
#define WP_PACKET_RESENT 16u /* send: its last byte was sent before (parent: that first send) */

typedef struct {
	WpTime begin, end;
	guint64 count; /* events, 0: packets of them, number unknown */
	guint32 cpu; /* dense index, WP_NONE: all */
} WpLoss;

/* An event that the user asked for by name, to split tasks' lives by. */
typedef struct {
	WpTime time;
	gint64 id; /* value of its id field, when that is a number */
	WpId task; /* that its CPU executed, WP_NONE: none, or an interrupt */
	WpId name; /* string */
	WpId id_text; /* string: value of its id field, when that is text, else 0 */
	gboolean has_id;
} WpMarker;

/* A trace that the host's events came from: for who wants to see them again. */
typedef struct {
	gchar *path; /* owned: absolute; of a saved graph as far as it is known */
	gint64 clock_offset; /* ns: of the trace's clock to the epoch: each session's is its own */
	gint64 clock_shift; /* ns: host clock minus the trace's */
} WpHostTrace;

/* Segments of a task in time order, and of a CPU: made on demand. */
typedef struct WpHostIndex WpHostIndex;
/* When waits end: ends.h. */
typedef struct WpHostEnds WpHostEnds;

typedef struct {
	gchar *name; /* owned */
	gchar *clock_uuid; /* owned or NULL */
	WpTime begin, end; /* first and last event */
	guint64 n_events, n_lost;
	guint64 n_missing_wakeups;
	gboolean has_waking, has_timers, has_softirqs, has_packets, has_syscalls;
	WpStrings *strings; /* owned */
	WpFindings *findings; /* owned */
	WpColumn vertices; /* WpVertex */
	WpColumn bases; /* WpTime: of each block of vertices the least time */
	WpColumn far_times; /* WpFarTime, by vertex */
	WpColumn causes; /* WpCause */
	WpColumn details; /* WpCauseDetail */
	WpColumn deferrals; /* WpDeferral, by cause */
	WpColumn tasks; /* WpTask */
	WpColumn comms; /* WpCommChange */
	WpColumn flows; /* WpFlow */
	WpColumn packets; /* WpPacket, by time */
	WpColumn losses; /* WpLoss */
	WpColumn cpus; /* guint32: the CPU number of each dense index */
	WpColumn markers; /* WpMarker, by time */
	WpColumn
		addresses; /* guint8[16]: of this host's interfaces, from its sends and statedump */
	GArray *traces; /* owned: WpHostTrace, cleared by the array */
	WpMemory *memory; /* reference, NULL: of what is made on demand */
	WpHostIndex *index; /* owned, private to host.c */
	WpTime last_base; /* the last of bases, while it is being made */
	WpIntMap detail_index; /* hash of a detail -> the detail, private to host.c */
	gpointer file; /* owned or NULL: the saved graph in which the tables lie (file.c) */
	GDestroyNotify file_free;
} WpHost;

WpHost *wp_host_new(const gchar *name, WpMemory *memory);
/* Where what is made on demand gets its memory, for a host that lies in a file. */
void wp_host_set_memory(WpHost *host, WpMemory *memory);
void wp_host_free(WpHost *host);
/* Notes where events of the host came from; the path is made absolute. */
void wp_host_add_trace(WpHost *host, const gchar *path, gint64 clock_offset, gint64 clock_shift);
/* Forgets what was made on demand: to be called before more events come. Not thread-safe. */
void wp_host_drop_index(WpHost *host);

#define wp_host_vertex(host, i) (&WP_AT(&(host)->vertices, WpVertex, (i)))
#define wp_host_cause(host, i) (&WP_AT(&(host)->causes, WpCause, (i)))
/* What it has in common with others. */
#define wp_host_cause_detail(host, cause) (&WP_AT(&(host)->details, WpCauseDetail, (cause)->detail))
#define wp_host_task(host, i) (&WP_AT(&(host)->tasks, WpTask, (i)))
#define wp_host_flow(host, i) (&WP_AT(&(host)->flows, WpFlow, (i)))
#define wp_host_packet(host, i) (&WP_AT(&(host)->packets, WpPacket, (i)))
#define wp_host_marker(host, i) (&WP_AT(&(host)->markers, WpMarker, (i)))
#define wp_host_cpu(host, i) (WP_AT(&(host)->cpus, guint32, (i)))

/* What is rare of it: AT_BEGIN, and FAR. */
WpTime wp_host_odd_time(const WpHost *host, const WpVertex *vertex, WpId id);

/* The time of vertex id. The same for who has the vertex. */
static inline WpTime wp_host_time_of(const WpHost *host, const WpVertex *vertex, WpId id)
{
	const WpTime base = WP_AT(&host->bases, WpTime, id >> WP_VERTEX_BLOCK_SHIFT);

	if (G_UNLIKELY(vertex->flags & (WP_VERTEX_AT_BEGIN | WP_VERTEX_FAR)))
		return wp_host_odd_time(host, vertex, id);
	return base + (guint32)(vertex->clock - (guint32)base);
}

static inline WpTime wp_host_vertex_time(const WpHost *host, WpId id)
{
	return wp_host_time_of(host, wp_host_vertex(host, id), id);
}

/* Whether in a block of this base the lower half of a time tells all of it. */
static inline gboolean wp_vertex_is_near(WpTime base, WpTime time)
{
	return ((guint64)time - (guint64)base) >> 32 == 0;
}

gboolean wp_host_begin_block(WpHost *host, WpTime time, GError **error);
/* The last vertex is its task's first, or far. FALSE with an error when memory is out. */
gboolean wp_host_mark_odd(WpHost *host, WpVertex *vertex, WpTask *row, WpTime time, GError **error);

/*
 * Appends a vertex of the task whose row is given, at a time; what is given of it are the task, the
 * cause, the CPU and the state. NULL with an error when memory is out.
 */
static inline WpVertex *wp_host_add_vertex(WpHost *host, WpTask *row, WpTime time, WpVertex vertex,
					   GError **error)
{
	const guint64 id = host->vertices.n;
	WpVertex *v = wp_column_push(&host->vertices, error);

	if (G_UNLIKELY(!v) || (G_UNLIKELY((id & ((1u << WP_VERTEX_BLOCK_SHIFT) - 1)) == 0) &&
			       !wp_host_begin_block(host, time, error)))
		return NULL;
	vertex.clock = (guint32)time;
	vertex.prev = row->last;
	vertex.flags = 0;
	*v = vertex;
	row->last = (WpId)id;
	row->n_segments++;
	if (G_UNLIKELY(vertex.prev == WP_NONE || !wp_vertex_is_near(host->last_base, time)) &&
	    !wp_host_mark_odd(host, v, row, time, error))
		return NULL;
	return v;
}

/* Whether its kind has a source, unless that is not known. */
static inline gboolean wp_cause_has_source(const WpCause *cause)
{
	return cause->kind == WP_CAUSE_TASK || cause->kind == WP_CAUSE_WORKQUEUE ||
	       cause->kind == WP_CAUSE_SIGNAL || cause->kind == WP_CAUSE_FORK;
}
/*
 * The number of a detail, made when there is none such; WP_NONE with WP_ERROR_LIMIT or _FAILED when
 * there are too many, or memory is out.
 */
WpId wp_host_add_detail(WpHost *host, const WpCauseDetail *detail, GError **error);
/* How the softirq behind a cause with WP_CAUSE_FLAG_DEFERRED was deferred; NULL: it was not. */
const WpDeferral *wp_host_deferral(const WpHost *host, WpId cause);

/* The name that a task had at a time (host clock). Borrowed. */
const gchar *wp_host_task_comm(const WpHost *host, WpId task, WpTime time);

/*
 * A task's vertices in time order: *ret_vertices is borrowed, good as long as the
 * host. Made for all tasks at the first call (linear, thread-safe).
 */
guint32 wp_host_task_vertices(WpHost *host, WpId task, const WpId **ret_vertices);
/* The position in a task's vertices of the segment that holds time, or is it before the first: -1. */
gint64 wp_host_task_find(WpHost *host, WpId task, WpTime time);
/*
 * The three below do without that table for as long as looking for what they are asked costs less
 * than making it would: for the path of one task it is never needed. Thread-safe.
 *
 * A task's segment that holds time, WP_NONE: it is before the first. *ret_end: when that segment
 * ends, or the first begins.
 */
WpId wp_host_task_at(WpHost *host, WpId task, WpTime time, WpTime *ret_end);
/* The same task's vertex after this one, WP_NONE. */
WpId wp_host_vertex_next(WpHost *host, WpId vertex);
/* End of a vertex's segment: the time of the task's next vertex, or the end of the host's trace. */
WpTime wp_host_vertex_end(WpHost *host, WpId vertex);
/* The running segments (RUNNING, IRQ, SOFTIRQ) on a CPU (dense index), in time order. */
guint32 wp_host_cpu_vertices(WpHost *host, guint cpu, const WpId **ret_vertices);

/*
 * When waits end, and which segments somebody made begin (ends.h): borrowed, good as long as the
 * host. Made at the first call unless it was given (linear, thread-safe); NULL with an error when
 * memory is out.
 */
const WpHostEnds *wp_host_get_ends(WpHost *host, GError **error);
/* Gives them in any order; ends is empty then. To be called once, when no vertex will change. */
void wp_host_give_ends(WpHost *host, WpHostEnds *ends);

/*
 * Verifies every invariant of the graph (links, order, ranges, states); the error
 * names the first that fails. Linear.
 */
gboolean wp_host_check(WpHost *host, GError **error);
/*
 * Whether a part of a saved graph that was used so far is damaged: what was computed from it
 * is not to be trusted. Always FALSE for a graph that was not loaded from a file.
 */
gboolean wp_host_is_damaged(const WpHost *host);
/* The same as WP_ERROR_FAILED. */
gboolean wp_host_check_damage(const WpHost *host, GError **error);
/* The same of all of it: every chunk is verified now. For what is to be told as it is found. */
gboolean wp_host_load(const WpHost *host, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpHost, wp_host_free)

G_END_DECLS

#endif
