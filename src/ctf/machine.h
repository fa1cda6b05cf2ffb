/* SPDX-License-Identifier: MIT */
/*
 * machine.h: runs the code of a program (program.h) on the bytes of a packet.
 *
 * A machine belongs to one stream and is used by one thread at a time. All
 * positions are in bits from the packet's begin. It reads nothing at or behind
 * `end`, whatever the bytes say.
 */
#ifndef WP_CTF_MACHINE_H
#define WP_CTF_MACHINE_H

#include "ctf/program.h"

G_BEGIN_DECLS

typedef enum {
	WP_CTF_OK, /* to the end of what was asked */
	WP_CTF_FULL, /* no room for more events */
	WP_CTF_CUT, /* a field reaches behind the end */
	WP_CTF_BAD_TAG, /* a variant's tag selects nothing */
	WP_CTF_UNKNOWN_ID, /* no event class has this id */
	WP_CTF_OUT_OF_TIME, /* an event's time lies outside the packet's */
	WP_CTF_EMPTY_EVENT /* an event has no size: there would be no end of them */
} WpCtfStatus;

/*
 * Why a packet could not be read to its end, as words behind "it is damaged"; WP_CTF_OK: all that
 * there is of it was.
 */
const gchar *wp_ctf_status_reason(WpCtfStatus status);

typedef struct {
	const WpCtfProgram *program; /* borrowed */
	const guint8 *data; /* borrowed: the packet */
	guint64 pos, end; /* bits */
	guint64 ticks; /* of the latest event, or the packet's begin */
	guint64 largest; /* bits of the largest event so far */
	guint64 n_events; /* so far, those that are skipped too */
	WpTime time; /* of the latest record */
	gboolean went_back; /* a record may have a time before that of the one in front of it */
	guint64 packet[WP_CTF_REGISTERS], local[WP_CTF_REGISTERS];
	guint64 special[WP_CTF_SPECIALS];
	WpBatch *batch; /* borrowed: for texts that must be copied */
} WpCtfMachine;

/* Ticks of a clock to nanoseconds since the epoch. */
typedef struct {
	guint64 freq;
	WpTime base;
} WpCtfTimescale;

void wp_ctf_timescale_init(WpCtfTimescale *scale, const WpCtfClock *clock);

static inline WpTime wp_ctf_timescale_apply(const WpCtfTimescale *scale, guint64 ticks)
{
	if (G_LIKELY(scale->freq == (guint64)WP_NS_PER_S))
		return (WpTime)(ticks + (guint64)scale->base);

	guint64 rest = ticks % scale->freq;
	guint64 ns = scale->freq <= G_MAXUINT64 / (guint64)WP_NS_PER_S
			     ? rest * (guint64)WP_NS_PER_S / scale->freq
			     : (guint64)((gdouble)rest * 1e9 / (gdouble)scale->freq);

	return (WpTime)(ticks / scale->freq * (guint64)WP_NS_PER_S + ns + (guint64)scale->base);
}

/* The ticks nearest behind nanoseconds of length (a duration). */
guint64 wp_ctf_timescale_ticks(const WpCtfTimescale *scale, guint64 ns);

/* What the events of a packet have in common. */
typedef struct {
	const WpCtfStreamPlan *stream; /* borrowed */
	const WpCtfTimescale *scale; /* borrowed */
	guint64 ticks_min, ticks_span; /* events' times must lie in [min, min + span] */
	guint64 stop; /* bits: no event is begun there or behind */
	guint32 cpu; /* WP_NONE: unknown */
	guint32 number; /* of the stream, for WpEvent */
} WpCtfPacketFrame;

/* Bytes of room that decoding one event may need. */
#define WP_CTF_EVENT_ROOM (2 * (sizeof(WpEvent) + WP_EVENT_SLOTS_MAX * sizeof(WpValue)))

/* Code that gives no event: headers and contexts. */
WpCtfStatus wp_ctf_machine_run(WpCtfMachine *machine, guint32 pc);

/*
 * Decodes events from machine->pos on into room bytes at out (aligned for WpEvent) until the packet's
 * end or the frame's stop (WP_CTF_OK), until room is short (WP_CTF_FULL) or until one fails, at which
 * pos stays.
 * *ret_size and *ret_n: bytes and records written.
 */
WpCtfStatus wp_ctf_machine_decode(WpCtfMachine *machine, const WpCtfPacketFrame *frame, guint8 *out,
				  gsize room, gsize *ret_size, guint *ret_n);

/*
 * Passes over the event at machine->pos, of a program made without a layout, for who decodes it
 * himself: what it is (of the stream's plans), and the bit where it begins behind its header.
 * All of it lies in the packet on WP_CTF_OK; else pos stays.
 */
WpCtfStatus wp_ctf_machine_pass(WpCtfMachine *machine, const WpCtfPacketFrame *frame,
				const WpCtfEventPlan **ret_plan, guint64 *ret_content);

G_END_DECLS

#endif
