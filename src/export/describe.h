/* SPDX-License-Identifier: MIT */
/*
 * describe.h: what a segment of a path shows, by name: the task, the CPU, and the
 * cause with its device, function, flow and tasks. All writers and the viewer take
 * their words from here. Texts that are borrowed live as long as the graph.
 */
#ifndef WP_EXPORT_DESCRIBE_H
#define WP_EXPORT_DESCRIBE_H

#include "path/path.h"

G_BEGIN_DECLS

/* A task, or only a host (task WP_NONE), by name. */
typedef struct {
	guint32 host; /* WP_NONE: nobody */
	WpId task; /* WP_NONE: not known which */
	const gchar *host_name; /* borrowed */
	const gchar *comm; /* borrowed: its name at the time asked for */
	gint32 tid, pid; /* -1 unknown */
} WpActor;

/* WP_TIME_MAX as the time (reference clock) asks for the latest name. */
void wp_actor_init(WpActor *actor, const WpGraph *graph, guint32 host, WpId task, WpTime time);
/* "back@hostc", or "back" where the graph has one host only. Owned by the caller. */
gchar *wp_actor_dup_text(const WpActor *actor, const WpGraph *graph);

/* Who had the CPU that a task waited for. */
typedef struct {
	WpId task; /* of the segment's host */
	WpTime time;
} WpPreemptor;

typedef struct {
	WpCauseKind kind;
	const gchar *name; /* borrowed, NULL: interrupt, softirq */
	const gchar *device; /* borrowed, NULL: disk */
	const gchar *function; /* borrowed, NULL: of a timer or a work item */
	const gchar *syscall; /* borrowed, NULL: that the wait sits in */
	gint number; /* interrupt, softirq vector or signal; -1 unknown */
	WpActor from; /* waker, sender, issuer of the request, who armed the timer, parent */
	gchar flow[128]; /* "tcp 10.0.0.2:5200 > 10.0.0.1:59286"; "" */
	gchar peer[64]; /* the sender's address where its host is not traced; "" */
	guint32 bytes; /* payload of the packet received */
	WpPart part;
	WpTime clock_error;
	gboolean local; /* the packet stayed on its host */
	gboolean space; /* waiting for buffer space */
	GArray *preemptors; /* owned: WpPreemptor by time, descending */
	WpTime idle; /* of a wait for a CPU: the CPU was idle */
	WpTime unseen; /* of it: the trace does not tell who ran */
	guint cpu; /* of it: the CPU's number, WP_NONE unknown */
} WpCauseInfo;

void wp_cause_info_init(WpCauseInfo *info);
void wp_cause_info_clear(WpCauseInfo *info);
/*
 * What a segment waits for, or why the path came to it. kind is WP_CAUSE_NONE when there
 * is nothing to tell. The info may be used again for another segment.
 */
void wp_cause_info_fill(WpCauseInfo *info, WpGraph *graph, const WpSegment *segment);
/*
 * What ended the wait that lies before a segment of the path, or that the segment shows the
 * end of: the reason why the path came back to its task. FALSE when there was none.
 */
gboolean wp_cause_info_fill_wait(WpCauseInfo *info, WpGraph *graph, const WpSegment *segment);
/* The system call that this wait sat in (borrowed from the graph), NULL when there is none. */
const gchar *wp_segment_wait_syscall(const WpGraph *graph, const WpSegment *segment);
/*
 * The same in words, to stand behind those for the state: "vda, in fsync()", "tcp ... from
 * back@hostc, wire"; NULL when there are none. Owned by the caller.
 */
gchar *wp_cause_info_dup_text(const WpCauseInfo *info, const WpGraph *graph,
			      const WpSegment *segment);

/* The number of the CPU that a segment holds; WP_NONE when it holds none or it is not known. */
guint32 wp_segment_cpu(const WpGraph *graph, const WpSegment *segment);
/* "tcp 10.0.0.2:5200 > 10.0.0.1:59286", IPv6 addresses in brackets. */
void wp_flow_text(const WpFlow *flow, gchar *buffer, gsize size);

G_END_DECLS

#endif
