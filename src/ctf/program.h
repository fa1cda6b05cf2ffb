/* SPDX-License-Identifier: MIT */
/*
 * program.h: what to do with the bytes of a trace, worked out once from its
 * metadata and the event layout.
 *
 * A program is one array of small operations. Each packet header, packet context,
 * event header and event class has its code in it. Neighbouring fields whose
 * distance is the same in all events form a run: one operation aligns, checks that
 * the whole run lies in the packet and moves the position behind it; the fields
 * of it that are wanted are loaded from fixed offsets, and the others cost
 * nothing. An event class that is not wanted and always has the same size has no
 * code at all. Only strings, sequences and variants begin a new run.
 *
 * Values go to one of four banks: the slots of the event, two sets of registers
 * (lengths and tags of the packet and of the event) and the special values below.
 */
#ifndef WP_CTF_PROGRAM_H
#define WP_CTF_PROGRAM_H

#include "base/arena.h"
#include "ctf/tsdl.h"
#include "event/layout.h"

G_BEGIN_DECLS

typedef enum {
	WP_CTF_BANK_EVENT, /* the slots of the event at hand */
	WP_CTF_BANK_PACKET, /* registers, kept from packet to event */
	WP_CTF_BANK_LOCAL, /* registers of one event */
	WP_CTF_BANK_SPECIAL,
	WP_CTF_BANK_N
} WpCtfBank;

#define WP_CTF_REGISTERS 256u

typedef enum {
	WP_CTF_MAGIC,
	WP_CTF_UUID_HIGH, /* two values: the first and last eight bytes, big-endian */
	WP_CTF_UUID_LOW,
	WP_CTF_STREAM_ID,
	WP_CTF_INSTANCE_ID,
	WP_CTF_BEGIN, /* ticks */
	WP_CTF_END_TIME, /* ticks */
	WP_CTF_CONTENT_SIZE, /* bits */
	WP_CTF_PACKET_SIZE, /* bits */
	WP_CTF_DISCARDED,
	WP_CTF_SEQUENCE_NUMBER,
	WP_CTF_CPU,
	WP_CTF_EVENT_ID,
	WP_CTF_TICKS, /* of an event header: as it was written */
	WP_CTF_SCRATCH,
	WP_CTF_SPECIALS
} WpCtfSpecial;

/* Bits for the specials that a packet header or context has. */
#define WP_CTF_HAS(special) (1u << (special))

typedef enum {
	WP_CTF_OP_END,
	WP_CTF_OP_RUN, /* align to 1 << bits; arg: slots present; value: size in bits */
	/* loads from value bytes behind the run's begin to bank, slot */
	WP_CTF_OP_U8,
	WP_CTF_OP_S8,
	WP_CTF_OP_U16_LE,
	WP_CTF_OP_S16_LE,
	WP_CTF_OP_U32_LE,
	WP_CTF_OP_S32_LE,
	WP_CTF_OP_64_LE,
	WP_CTF_OP_U16_BE,
	WP_CTF_OP_S16_BE,
	WP_CTF_OP_U32_BE,
	WP_CTF_OP_S32_BE,
	WP_CTF_OP_64_BE,
	/* of bits bits, from value bits behind the run's begin; arg: signed */
	WP_CTF_OP_BITS_LE,
	WP_CTF_OP_BITS_BE,
	WP_CTF_OP_TEXT, /* arg bytes at value bytes behind the run's begin */
	WP_CTF_OP_ADDRESS, /* arg bytes there, in elements of bits bits; bank is an element's WpCtfOrder */
	WP_CTF_OP_UUID, /* 16 bytes there to two specials */
	WP_CTF_OP_CONSTANT, /* value to slot */
	WP_CTF_OP_LABEL, /* of enumeration arg and the scratch value, to slot */
	WP_CTF_OP_CLOCK, /* the special ticks of bits bits are the time */
	WP_CTF_OP_PRIORITY, /* skip arg operations if slot holds a value of priority <= bits */
	WP_CTF_OP_PRESENT, /* slot holds a value */
	WP_CTF_OP_STRING, /* arg: 0 skip, 1 keep in slot, 2 keep if that has none of priority <= bits */
	WP_CTF_OP_SKIP, /* register bank, slot elements of value bits every arg bits, aligned to 1 << bits */
	WP_CTF_OP_SEQUENCE_TEXT, /* register bank, slot bytes to event slot arg */
	WP_CTF_OP_SEQUENCE_ADDRESS, /* the same */
	WP_CTF_OP_SWITCH, /* on register bank, slot by table arg */
	WP_CTF_OP_JUMP, /* to arg */
	WP_CTF_OP_LOOP, /* register bank, slot times (bits: value times) up to arg */
	WP_CTF_OP_NEXT /* to arg, if there are rounds left */
} WpCtfOpCode;

typedef struct {
	guint8 code, bank, slot, bits;
	guint32 arg;
	guint64 value;
} WpCtfOp;

#define WP_CTF_LOOPS_MAX 8u

typedef struct {
	guint64 low, high; /* as WpCtfMapping */
	guint32 pc;
} WpCtfCase;

/* Where the options of a variant begin. */
typedef struct {
	guint32 *direct; /* owned: for tags below n_direct; 0: no option */
	WpCtfCase *cases; /* owned */
	guint32 n_direct, n_cases;
	gboolean is_signed;
} WpCtfTable;

/* How one record of an event is made, by code. */
typedef struct {
	guint32 pc;
	guint16 kind; /* WpEventKind */
	guint8 n_values;
	guint8 flags; /* WpEventFlags */
} WpCtfRecord;

/*
 * A number at a fixed place, of any size up to eight bytes, or a constant: of the eight bytes
 * (little-endian) at `at` behind the run's begin, (bytes & mask ^ flip) - less. So there is
 * nothing to choose between.
 */
typedef struct {
	guint32 at, slot;
	guint64 mask, flip, less;
} WpCtfLoad;

/* A text at a fixed place. */
typedef struct {
	guint32 at, last, slot; /* last: its last byte */
} WpCtfText;

/*
 * Most events of a kernel are not wanted and of one size, or are one record of which all that
 * is wanted lies in one run. How these are read without code, in bytes, and together with the
 * short and long headers that LTTng writes.
 */
typedef struct {
	guint32 align_mask; /* of what is behind the header */
	guint32 size; /* of that; G_MAXUINT32: the event is not of this sort */
	/* As in WpEvent, so that they are copied at once: */
	guint32 present; /* slots */
	guint16 kind; /* WpEventKind */
	guint8 n_values;
	guint8 flags; /* WpEventFlags */
	guint8 n_records; /* 0, 1 */
	guint8 unused
		[15]; /* so that it is of 64 bytes, by which an id is multiplied for each event */
	const WpCtfLoad *loads, *loads_end; /* borrowed of the program */
	const WpCtfText *texts, *texts_end; /* borrowed of the program; NULL: none */
} WpCtfQuick;

typedef struct {
	guint64 fixed; /* bits to skip, when there are no records; WP_CTF_DYNAMIC: run skip_pc */
	guint32 align_mask; /* alignment minus one */
	guint32 skip_pc;
	guint8 n_records; /* what an event gives: 0, 1, 2 */
	gboolean has_cpu; /* its code sets the special CPU */
	WpCtfRecord records[2];
} WpCtfEventPlan;

/* The two event headers of LTTng: a short form in one word, else an escape and long values. */
typedef struct {
	guint8 id_bits, ticks_bits; /* id_bits 0: no such header */
	guint8 short_bits; /* size */
	guint8 long_id, long_ticks; /* bytes: where they are in the long form */
	guint8 long_bits; /* its size */
	guint32 align_mask;
} WpCtfFastHeader;

typedef struct {
	const WpCtfStreamClass *klass; /* borrowed of the trace */
	const WpCtfClock *clock; /* borrowed of the trace, NULL: nanoseconds from 0 */
	guint32 context_pc, header_pc;
	guint32 context_has; /* WP_CTF_HAS bits */
	gboolean has_ticks; /* events have a time */
	WpCtfFastHeader fast;
	WpCtfEventPlan *plans; /* owned, n_plans */
	guint32 *by_id; /* owned: index of plans plus 1 for ids below n_ids, 0: none */
	WpCtfQuick *quick; /* owned: of ids below n_ids */
	guint32 n_plans, n_ids;
	GHashTable *by_large_id; /* owned: guint64 * (owned) -> index plus 1; NULL: none */
} WpCtfStreamPlan;

typedef struct {
	const WpCtfTrace *trace; /* borrowed */
	WpCtfOp *ops; /* owned */
	guint32 n_ops;
	WpCtfTable *tables; /* owned */
	guint32 n_tables;
	WpArena memory; /* loads and texts of quick events */
	const WpCtfType **enums; /* owned; borrowed of the trace */
	guint32 n_enums;
	guint64 kinds; /* bits of the kinds that events are, as WpTraceInfo has them */
	guint32 header_pc;
	guint32 header_has; /* WP_CTF_HAS bits */
	WpCtfStreamPlan *streams; /* owned */
	guint32 n_streams;
} WpCtfProgram;

/*
 * Makes the program for a trace (borrowed) under a layout (borrowed during the call; NULL: it only passes
 * over events). name is for messages. WP_ERROR_DECLINED when a type, tag or length is not what this knows.
 */
WpCtfProgram *wp_ctf_program_new(const WpCtfTrace *trace, WpLayout *layout, const gchar *name,
				 GError **error);
void wp_ctf_program_free(WpCtfProgram *program);

/* NULL when there is no event with this id. */
const WpCtfEventPlan *wp_ctf_stream_plan_find_slow(const WpCtfStreamPlan *stream, guint64 id);

static inline const WpCtfEventPlan *wp_ctf_stream_plan_find(const WpCtfStreamPlan *stream,
							    guint64 id)
{
	if (G_LIKELY(id < stream->n_ids && stream->by_id[id]))
		return &stream->plans[stream->by_id[id] - 1];
	return wp_ctf_stream_plan_find_slow(stream, id);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpCtfProgram, wp_ctf_program_free)

G_END_DECLS

#endif
