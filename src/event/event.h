/* SPDX-License-Identifier: MIT */
/*
 * event.h: one trace event, flat: what both readers give and the model takes.
 *
 * A kind is what an event means (a task switch), whatever its tracer calls it.
 * Each kind has numbered slots for the field values that the analysis needs;
 * event layouts (layout.h) say which tracer's event and field fills which slot.
 *
 * Events travel in batches. A record is a header followed by as many values as
 * its kind has slots, so that a small event takes little room and a reader
 * writes only what it decoded; `present` has a bit for each slot that was.
 */
#ifndef WP_EVENT_EVENT_H
#define WP_EVENT_EVENT_H

#include "base/arena.h"
#include "base/types.h"

G_BEGIN_DECLS

/*
 * The kinds: K(KIND, layout name), its slots: S(KIND, SLOT, layout name, type).
 * Types: I signed or unsigned integer, S string, A address of 4 or 16 bytes
 * (two values: the first and last eight bytes, big-endian; an IPv4 address has
 * a first of 0 and is the second).
 * The text form of every slot name is what layouts and tests write.
 *
 * A LOST record lies where events are missing: between packets, or at a packet's end,
 * not over all the time of which the tracer's counter speaks.
 */
#define WP_EVENT_KINDS(K, S)                                                                           \
	K(SCHED_SWITCH, "sched-switch")                                                                \
	S(SCHED_SWITCH, PREV_COMM, "prev-comm", S)                                                     \
	S(SCHED_SWITCH, PREV_TID, "prev-tid", I)                                                       \
	S(SCHED_SWITCH, PREV_STATE, "prev-state", I)                                                   \
	S(SCHED_SWITCH, PREV_STATE_LABEL, "prev-state-label", S)                                       \
	S(SCHED_SWITCH, NEXT_COMM, "next-comm", S)                                                     \
	S(SCHED_SWITCH, NEXT_TID, "next-tid", I)                                                       \
	S(SCHED_SWITCH, NEXT_PRIO, "next-prio", I)                                                     \
	K(SCHED_WAKING, "sched-waking")                                                                \
	S(SCHED_WAKING, COMM, "comm", S)                                                               \
	S(SCHED_WAKING, TID, "tid", I)                                                                 \
	S(SCHED_WAKING, TARGET_CPU, "target-cpu", I)                                                   \
	K(SCHED_WAKEUP, "sched-wakeup")                                                                \
	S(SCHED_WAKEUP, COMM, "comm", S)                                                               \
	S(SCHED_WAKEUP, TID, "tid", I)                                                                 \
	S(SCHED_WAKEUP, TARGET_CPU, "target-cpu", I)                                                   \
	K(SCHED_WAKEUP_NEW, "sched-wakeup-new")                                                        \
	S(SCHED_WAKEUP_NEW, COMM, "comm", S)                                                           \
	S(SCHED_WAKEUP_NEW, TID, "tid", I)                                                             \
	S(SCHED_WAKEUP_NEW, TARGET_CPU, "target-cpu", I)                                               \
	K(SCHED_FORK, "sched-fork")                                                                    \
	S(SCHED_FORK, PARENT_TID, "parent-tid", I)                                                     \
	S(SCHED_FORK, PARENT_PID, "parent-pid", I)                                                     \
	S(SCHED_FORK, CHILD_COMM, "child-comm", S)                                                     \
	S(SCHED_FORK, CHILD_TID, "child-tid", I)                                                       \
	S(SCHED_FORK, CHILD_PID, "child-pid", I)                                                       \
	K(SCHED_EXEC, "sched-exec")                                                                    \
	S(SCHED_EXEC, FILENAME, "filename", S)                                                         \
	S(SCHED_EXEC, TID, "tid", I)                                                                   \
	S(SCHED_EXEC, OLD_TID, "old-tid", I)                                                           \
	K(SCHED_EXIT, "sched-exit")                                                                    \
	S(SCHED_EXIT, TID, "tid", I)                                                                   \
	K(SCHED_FREE, "sched-free")                                                                    \
	S(SCHED_FREE, TID, "tid", I)                                                                   \
	K(SCHED_MIGRATE, "sched-migrate")                                                              \
	S(SCHED_MIGRATE, TID, "tid", I)                                                                \
	S(SCHED_MIGRATE, DEST_CPU, "dest-cpu", I)                                                      \
	K(IRQ_ENTRY, "irq-entry")                                                                      \
	S(IRQ_ENTRY, IRQ, "irq", I)                                                                    \
	S(IRQ_ENTRY, NAME, "name", S)                                                                  \
	K(IRQ_EXIT, "irq-exit")                                                                        \
	S(IRQ_EXIT, IRQ, "irq", I)                                                                     \
	K(SOFTIRQ_RAISE, "softirq-raise")                                                              \
	S(SOFTIRQ_RAISE, VEC, "vec", I)                                                                \
	K(SOFTIRQ_ENTRY, "softirq-entry")                                                              \
	S(SOFTIRQ_ENTRY, VEC, "vec", I)                                                                \
	K(SOFTIRQ_EXIT, "softirq-exit")                                                                \
	S(SOFTIRQ_EXIT, VEC, "vec", I)                                                                 \
	/* an interrupt vector of its own (x86_irq_vectors, ipi): name "reschedule", ... */            \
	K(VECTOR_ENTRY, "vector-entry")                                                                \
	S(VECTOR_ENTRY, NAME, "name", S)                                                               \
	K(VECTOR_EXIT, "vector-exit")                                                                  \
	S(VECTOR_EXIT, NAME, "name", S)                                                                \
	K(HRTIMER_START, "hrtimer-start")                                                              \
	S(HRTIMER_START, TIMER, "timer", I)                                                            \
	S(HRTIMER_START, FUNCTION, "function", I)                                                      \
	S(HRTIMER_START, EXPIRES, "expires", I)                                                        \
	K(HRTIMER_ENTRY, "hrtimer-entry")                                                              \
	S(HRTIMER_ENTRY, TIMER, "timer", I)                                                            \
	S(HRTIMER_ENTRY, FUNCTION, "function", I)                                                      \
	K(HRTIMER_EXIT, "hrtimer-exit")                                                                \
	S(HRTIMER_EXIT, TIMER, "timer", I)                                                             \
	K(TIMER_START, "timer-start")                                                                  \
	S(TIMER_START, TIMER, "timer", I)                                                              \
	S(TIMER_START, FUNCTION, "function", I)                                                        \
	K(TIMER_ENTRY, "timer-entry")                                                                  \
	S(TIMER_ENTRY, TIMER, "timer", I)                                                              \
	S(TIMER_ENTRY, FUNCTION, "function", I)                                                        \
	K(TIMER_EXIT, "timer-exit")                                                                    \
	S(TIMER_EXIT, TIMER, "timer", I)                                                               \
	K(WORK_QUEUE, "work-queue")                                                                    \
	S(WORK_QUEUE, WORK, "work", I)                                                                 \
	S(WORK_QUEUE, FUNCTION, "function", I)                                                         \
	K(WORK_START, "work-start")                                                                    \
	S(WORK_START, WORK, "work", I)                                                                 \
	S(WORK_START, FUNCTION, "function", I)                                                         \
	K(WORK_END, "work-end")                                                                        \
	S(WORK_END, WORK, "work", I)                                                                   \
	K(NAPI_POLL, "napi-poll")                                                                      \
	S(NAPI_POLL, DEV, "dev", S)                                                                    \
	/* a bracket around the reception of packets: net_napi_gro_receive, net_if_receive_skb_list */ \
	K(NET_ENTRY, "net-entry")                                                                      \
	S(NET_ENTRY, SKB, "skb", I)                                                                    \
	S(NET_ENTRY, DEV, "dev", S)                                                                    \
	K(NET_EXIT, "net-exit")                                                                        \
	S(NET_EXIT, RET, "ret", I)                                                                     \
	/* a packet given to, or taken from, a network device; the slots of both are the same */       \
	K(NET_QUEUE, "net-queue")                                                                      \
	WP_EVENT_PACKET_SLOTS(S, NET_QUEUE)                                                            \
	K(NET_RECEIVE, "net-receive")                                                                  \
	WP_EVENT_PACKET_SLOTS(S, NET_RECEIVE)                                                          \
	K(NET_XMIT, "net-xmit")                                                                        \
	S(NET_XMIT, SKB, "skb", I)                                                                     \
	S(NET_XMIT, LEN, "len", I)                                                                     \
	S(NET_XMIT, DEV, "dev", S)                                                                     \
	S(NET_XMIT, RC, "rc", I)                                                                       \
	/* inet_sock_local_out/in of old modules: no addresses, no lengths */                          \
	K(SOCK_OUT, "sock-out")                                                                        \
	S(SOCK_OUT, SK, "sk", I)                                                                       \
	S(SOCK_OUT, SEQ, "seq", I)                                                                     \
	S(SOCK_OUT, ACK, "ack", I)                                                                     \
	S(SOCK_OUT, FLAGS, "flags", I)                                                                 \
	K(SOCK_IN, "sock-in")                                                                          \
	S(SOCK_IN, SK, "sk", I)                                                                        \
	S(SOCK_IN, SEQ, "seq", I)                                                                      \
	S(SOCK_IN, ACK, "ack", I)                                                                      \
	S(SOCK_IN, FLAGS, "flags", I)                                                                  \
	K(BLOCK_INSERT, "block-insert")                                                                \
	S(BLOCK_INSERT, DEVICE, "device", I)                                                           \
	S(BLOCK_INSERT, SECTOR, "sector", I)                                                           \
	S(BLOCK_INSERT, N_SECTORS, "n-sectors", I)                                                     \
	K(BLOCK_ISSUE, "block-issue")                                                                  \
	S(BLOCK_ISSUE, DEVICE, "device", I)                                                            \
	S(BLOCK_ISSUE, SECTOR, "sector", I)                                                            \
	S(BLOCK_ISSUE, N_SECTORS, "n-sectors", I)                                                      \
	K(BLOCK_COMPLETE, "block-complete")                                                            \
	S(BLOCK_COMPLETE, DEVICE, "device", I)                                                         \
	S(BLOCK_COMPLETE, SECTOR, "sector", I)                                                         \
	S(BLOCK_COMPLETE, N_SECTORS, "n-sectors", I)                                                   \
	K(SIGNAL, "signal")                                                                            \
	S(SIGNAL, SIG, "sig", I)                                                                       \
	S(SIGNAL, TID, "tid", I)                                                                       \
	/* name: what the layout's pattern leaves of the event's name ("read"), or its id */           \
	K(SYSCALL_ENTRY, "syscall-entry")                                                              \
	S(SYSCALL_ENTRY, NAME, "name", S)                                                              \
	S(SYSCALL_ENTRY, ID, "id", I)                                                                  \
	K(SYSCALL_EXIT, "syscall-exit")                                                                \
	S(SYSCALL_EXIT, RET, "ret", I)                                                                 \
	K(DUMP_PROCESS, "dump-process")                                                                \
	S(DUMP_PROCESS, TID, "tid", I)                                                                 \
	S(DUMP_PROCESS, PID, "pid", I)                                                                 \
	S(DUMP_PROCESS, PPID, "ppid", I)                                                               \
	S(DUMP_PROCESS, NAME, "name", S)                                                               \
	S(DUMP_PROCESS, TYPE, "type", I)                                                               \
	S(DUMP_PROCESS, STATUS, "status", I)                                                           \
	S(DUMP_PROCESS, CPU, "cpu", I)                                                                 \
	K(DUMP_INTERRUPT, "dump-interrupt")                                                            \
	S(DUMP_INTERRUPT, IRQ, "irq", I)                                                               \
	S(DUMP_INTERRUPT, NAME, "name", S)                                                             \
	S(DUMP_INTERRUPT, ACTION, "action", S)                                                         \
	S(DUMP_INTERRUPT, TID, "tid", I)                                                               \
	K(DUMP_BLOCK, "dump-block")                                                                    \
	S(DUMP_BLOCK, DEVICE, "device", I)                                                             \
	S(DUMP_BLOCK, NAME, "name", S)                                                                 \
	K(DUMP_NETIF, "dump-netif")                                                                    \
	S(DUMP_NETIF, NAME, "name", S)                                                                 \
	S(DUMP_NETIF, ADDRESS, "address", A)                                                           \
	K(DUMP_END, "dump-end")                                                                        \
	S(DUMP_END, NOTHING, "nothing", I)                                                             \
	K(CONTENTION_BEGIN, "contention-begin")                                                        \
	S(CONTENTION_BEGIN, LOCK, "lock", I)                                                           \
	S(CONTENTION_BEGIN, FLAGS, "flags", I)                                                         \
	K(CONTENTION_END, "contention-end")                                                            \
	S(CONTENTION_END, LOCK, "lock", I)                                                             \
	/* made by the readers: events of this stream were lost from begin to the event's time */      \
	K(LOST, "lost")                                                                                \
	S(LOST, BEGIN, "begin", I)                                                                     \
	S(LOST, COUNT, "count", I)                                                                     \
	S(LOST, PACKETS, "packets", I)                                                                 \
	/* any event that a caller asked for by name (wp_layout_add_marker) */                         \
	K(MARKER, "marker")                                                                            \
	S(MARKER, NAME, "name", S)                                                                     \
	S(MARKER, ID, "id", I)                                                                         \
	S(MARKER, ID_TEXT, "id-text", S)                                                               \
	S(MARKER, VTID, "vtid", I)

#define WP_EVENT_PACKET_SLOTS(S, K)                                                                \
	S(K, SKB, "skb", I)                                                                        \
	S(K, LEN, "len", I)                                                                        \
	S(K, DEV, "dev", S)                                                                        \
	S(K, PROTOCOL, "protocol", I) /* IPv4 protocol or IPv6 next header */                      \
	S(K, IP_ID, "ip-id", I) /* IPv4 only */                                                    \
	S(K, TOT_LEN, "tot-len", I) /* IPv4 only: header and payload, 0 for big TCP */             \
	S(K, IHL, "ihl", I) /* IPv4 only: 32-bit words */                                          \
	S(K, FRAG_OFF, "frag-off", I) /* IPv4 only */                                              \
	S(K, PAYLOAD_LEN, "payload-len", I) /* IPv6 only */                                        \
	S(K, SADDR, "saddr", A)                                                                    \
	S(K, DADDR, "daddr", A)                                                                    \
	S(K, SPORT, "sport", I)                                                                    \
	S(K, DPORT, "dport", I)                                                                    \
	S(K, SEQ, "seq", I)                                                                        \
	S(K, ACK, "ack", I)                                                                        \
	S(K, DATA_OFFSET, "data-offset", I) /* 32-bit words */                                     \
	S(K, FLAGS, "flags", I) /* TCP */                                                          \
	S(K, WINDOW, "window", I)                                                                  \
	S(K, UDP_LEN, "udp-len", I)                                                                \
	S(K, ICMP_TYPE, "icmp-type", I)                                                            \
	S(K, ICMP_CODE, "icmp-code", I)                                                            \
	S(K, ICMP_GATEWAY, "icmp-gateway", I) /* echo: id << 16 | sequence */

typedef enum {
#define K(kind, text) WP_EV_##kind,
#define S(kind, slot, text, type)
	WP_EVENT_KINDS(K, S)
#undef K
#undef S
		WP_EV_N
} WpEventKind;

typedef enum { WP_SLOT_INTEGER, WP_SLOT_STRING, WP_SLOT_ADDRESS } WpSlotType;

#define WP_EVENT_SLOTS_MAX 32

/*
 * Slot numbers: WP_SCHED_SWITCH_PREV_TID and so on. Each kind's begin at 0; an
 * address takes its number and the next one (its name with _LOW: the last
 * eight bytes).
 */
/* clang-format off */
enum {
#define WP_SLOTS_I(kind, slot) WP_##kind##_##slot,
#define WP_SLOTS_S(kind, slot) WP_##kind##_##slot,
#define WP_SLOTS_A(kind, slot) WP_##kind##_##slot, WP_##kind##_##slot##_LOW,
#define K(kind, text) WP_##kind##_SLOTS_END_OF_PREVIOUS_, WP_##kind##_SLOTS_RESTART_ = -1,
#define S(kind, slot, text, type) WP_SLOTS_##type(kind, slot)
	WP_EVENT_KINDS(K, S)
#undef K
#undef S
};
/* clang-format on */

typedef union {
	gint64 i;
	guint64 u;
	const gchar *s; /* NUL-terminated; good until its batch is filled anew */
} WpValue;

/* What a reader knows of an event's texts, for who compares them with each event. */
typedef enum {
	WP_EVENT_TEXTS_STAY =
		1 << 0, /* all are the layout's own: the same address, the same text */
	WP_EVENT_TEXTS_WIDE = 1 << 1 /* of each 16 bytes can be read, whatever its length */
} WpEventFlags;

typedef struct {
	WpTime time; /* ns since the epoch on the host's clock */
	guint32 present; /* bit n: v[n] was decoded */
	guint16 kind; /* WpEventKind */
	guint8 n_values; /* of v */
	guint8 flags; /* WpEventFlags */
	guint32 cpu; /* WP_NONE when the trace does not say */
	guint32 stream; /* of the host, in the order of its traces: breaks ties of time */
	WpValue v[];
} WpEvent;

#define WP_EVENT_HAS(event, slot) (((event)->present >> (slot)) & 1u)

/* Records one behind the other, and the room for strings that had to be copied. */
typedef struct {
	GByteArray *records; /* owned */
	guint room; /* bytes that records is known to have */
	WpArena texts; /* owned */
	guint n;
	gboolean more; /* though empty, not the end of its stream: ask again (reader.h) */
	guint64 n_seen; /* events of the trace that it took, also those that nobody asked for */
	/*
	 * The time of its last record, when the reader knows that none of the stream up to here lies
	 * before the one in front of it, and that none of the batch is of a loss; else WP_TIME_MIN,
	 * and the merge looks for itself.
	 */
	WpTime ordered_to;
} WpBatch;

void wp_batch_init(WpBatch *batch);
void wp_batch_clear(WpBatch *batch);
/* Empties the batch for filling. */
void wp_batch_reset(WpBatch *batch);
/* So that its records may take so many bytes. */
void wp_batch_make_room(WpBatch *batch, guint bytes);

/* A new record with room for n_values, present = 0, no flags; good until the next push. */
static inline WpEvent *wp_batch_push_values(WpBatch *batch, WpEventKind kind, guint n_values)
{
	const guint at = batch->records->len;
	const guint end = at + (guint)(sizeof(WpEvent) + n_values * sizeof(WpValue));
	WpEvent *event;

	if (G_UNLIKELY(end > batch->room))
		wp_batch_make_room(batch, end);
	/* Not by the array's function, which would look for room again. */
	batch->records->len = end;
	event = (WpEvent *)(gpointer)(batch->records->data + at);
	event->present = 0;
	event->kind = (guint16)kind;
	event->n_values = (guint8)n_values;
	event->flags = 0;
	batch->n++;
	return event;
}

/* The same, with room for all slots of its kind. */
WpEvent *wp_batch_push(WpBatch *batch, WpEventKind kind);
/*
 * Text of at most length bytes, up to its first NUL, copied into the batch: 16 bytes of it can be
 * read, with zeros behind its end (WP_EVENT_TEXTS_WIDE).
 */
const gchar *wp_batch_copy(WpBatch *batch, const gchar *text, gsize length);

static inline gsize wp_event_size(const WpEvent *event)
{
	return sizeof(WpEvent) + event->n_values * sizeof(WpValue);
}

/* Values of a kind (an address counts as two). */
guint wp_event_kind_n_values(WpEventKind kind);
const gchar *wp_event_kind_name(WpEventKind kind);
/* WP_EV_N when there is none. */
WpEventKind wp_event_kind_from_name(const gchar *name);
/* The slot's number, or -1; its type in *ret_type (may be NULL). */
gint wp_event_slot_from_name(WpEventKind kind, const gchar *name, WpSlotType *ret_type);
/* NULL when there is no such slot, or it is the low half of an address. */
const gchar *wp_event_slot_name(WpEventKind kind, guint slot, WpSlotType *ret_type);

G_END_DECLS

#endif
