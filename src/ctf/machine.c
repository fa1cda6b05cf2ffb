/* SPDX-License-Identifier: MIT */
/* machine.c: the inner loops of reading a trace. */
#include "config.h"

#include <string.h>

#include "ctf/bits.h"
#include "ctf/machine.h"

/* ---- bytes and bits ---- */

static inline guint16 load16(const guint8 *p)
{
	guint16 value;

	memcpy(&value, p, sizeof(value));
	return value;
}

static inline guint32 load32(const guint8 *p)
{
	guint32 value;

	memcpy(&value, p, sizeof(value));
	return value;
}

static inline guint64 load64(const guint8 *p)
{
	guint64 value;

	memcpy(&value, p, sizeof(value));
	return value;
}

static guint64 be_bytes(const guint8 *p, guint n)
{
	guint64 value = 0;

	while (n-- > 0)
		value = value << 8 | *p++;
	return value;
}

/* ---- values of events ---- */

/* The first NUL ends a text; one without is copied. */
static const gchar *text_at(WpCtfMachine *machine, const guint8 *p, guint64 length)
{
	if (length && (!p[length - 1] || memchr(p, 0, length)))
		return (const gchar *)p;
	if (!machine->batch)
		return "";
	return wp_batch_copy(machine->batch, (const gchar *)p, MIN(length, 4096));
}

/* 4 or 16 bytes in elements of bits bits. */
static void set_address(WpValue *v, const guint8 *p, guint32 length, guint bits, WpCtfOrder order)
{
	guint8 bytes[16];
	const guint size = bits / 8;

	if (G_LIKELY(size == 1 || order != WP_CTF_ORDER_LE)) {
		v[0].u = length == 16 ? GUINT64_FROM_BE(load64(p)) : 0;
		v[1].u = length == 16 ? GUINT64_FROM_BE(load64(p + 8)) : GUINT32_FROM_BE(load32(p));
		return;
	}
	for (guint i = 0; i < length; i++) {
		guint in_element = i % size;

		bytes[i] = p[order == WP_CTF_ORDER_LE ? i - in_element + size - 1 - in_element : i];
	}
	v[0].u = length == 16 ? be_bytes(bytes, 8) : 0;
	v[1].u = length == 16 ? be_bytes(bytes + 8, 8) : be_bytes(bytes, 4);
}

static const gchar *label_of(const WpCtfType *type, guint64 value)
{
	for (guint i = 0; i < type->n_mappings; i++) {
		const WpCtfMapping *m = &type->mappings[i];

		if (type->is_signed
			    ? (gint64)m->low <= (gint64)value && (gint64)value <= (gint64)m->high
			    : m->low <= value && value <= m->high)
			return m->label;
	}
	return NULL;
}

static guint32 find_case(const WpCtfTable *table, guint64 value)
{
	if (value < table->n_direct)
		return table->direct[value];
	for (guint32 i = 0; i < table->n_cases; i++) {
		const WpCtfCase *one = &table->cases[i];

		if (table->is_signed ? (gint64)one->low <= (gint64)value &&
					       (gint64)value <= (gint64)one->high
				     : one->low <= value && value <= one->high)
			return one->pc;
	}
	return 0;
}

/* A time of fewer bits wraps: it is the first such one not before the latest. */
static inline guint64 extend(guint64 latest, guint64 value, guint bits)
{
	if (bits == 64)
		return value;

	const guint64 size = G_GUINT64_CONSTANT(1) << bits;
	guint64 ticks = (latest & ~(size - 1)) | value;

	return ticks < latest ? ticks + size : ticks;
}

/* n elements: FALSE when they do not fit between pos and end. */
static gboolean skip_elements(guint64 *pos, guint64 end, guint64 n, const WpCtfOp *op)
{
	const guint64 mask = (G_GUINT64_CONSTANT(1) << op->bits) - 1;
	guint64 size = 0;

	*pos = (*pos + mask) & ~mask;
	if (n && (!g_uint64_checked_mul(&size, n - 1, op->arg) ||
		  !g_uint64_checked_add(&size, size, op->value)))
		return FALSE;
	if (*pos > end || size > end - *pos)
		return FALSE;
	*pos += size;
	return TRUE;
}

/* Where the position is behind the string that begins at the byte pos; 0 if it has no end. */
static inline guint64 behind_string(const guint8 *data, guint64 pos, guint64 end)
{
	const guint8 *p = data + (pos >> 3);
	const guint8 *nul = pos < end ? memchr(p, 0, (gsize)((end - pos) >> 3)) : NULL;

	return nul ? (guint64)(nul + 1 - data) << 3 : 0;
}

/* The bytes of a sequence as a text or an address; returns the slots that are present by it. */
static guint32 keep_bytes(WpCtfMachine *machine, const WpCtfOp *op, const guint8 *p, guint64 length,
			  WpValue *v)
{
	if (op->code == WP_CTF_OP_SEQUENCE_TEXT) {
		v[op->arg].s = text_at(machine, p, length);
		return 1u << op->arg;
	}
	if (length != 4 && length != 16)
		return 0;
	set_address(v + op->arg, p, (guint32)length, 8, WP_CTF_ORDER_BE);
	return 3u << op->arg;
}

/* ---- code ---- */

typedef struct {
	guint64 left; /* rounds, the one at hand included */
	guint64 pos; /* where it began */
} Loop;

/*
 * Runs code from pc to its end; out (NULL: none) gets what it decodes. pos moves only on
 * success.
 */
static WpCtfStatus run(WpCtfMachine *machine, guint32 pc, WpEvent *out)
{
	const WpCtfProgram *program = machine->program;
	const WpCtfOp *op = &program->ops[pc];
	const guint8 *const data = machine->data;
	const guint64 end = machine->end;
	guint64 pos = machine->pos, base = pos;
	const guint8 *p = data + (base >> 3);
	WpValue *v = out ? out->v : (WpValue *)machine->special;
	guint64 *const banks[WP_CTF_BANK_N] = {(guint64 *)v, machine->packet, machine->local,
					       machine->special};
	guint8 levels[WP_EVENT_SLOTS_MAX];
	Loop loops[WP_CTF_LOOPS_MAX];
	guint n_loops = 0;
	guint32 present = 0;

	for (;; op++) {
		switch ((WpCtfOpCode)op->code) {
		case WP_CTF_OP_END:
			machine->pos = pos;
			if (out)
				out->present = present;
			return WP_CTF_OK;
		case WP_CTF_OP_RUN: {
			const guint64 mask = (G_GUINT64_CONSTANT(1) << op->bits) - 1;

			base = (pos + mask) & ~mask;
			pos = base + op->value;
			if (G_UNLIKELY(pos > end))
				return WP_CTF_CUT;
			p = data + (base >> 3);
			present |= op->arg;
			break;
		}
		case WP_CTF_OP_U8:
			banks[op->bank][op->slot] = p[op->value];
			break;
		case WP_CTF_OP_S8:
			banks[op->bank][op->slot] = (guint64)(gint8)p[op->value];
			break;
		case WP_CTF_OP_U16_LE:
			banks[op->bank][op->slot] = GUINT16_FROM_LE(load16(p + op->value));
			break;
		case WP_CTF_OP_S16_LE:
			banks[op->bank][op->slot] = (guint64)(gint16)GUINT16_FROM_LE(
				load16(p + op->value));
			break;
		case WP_CTF_OP_U32_LE:
			banks[op->bank][op->slot] = GUINT32_FROM_LE(load32(p + op->value));
			break;
		case WP_CTF_OP_S32_LE:
			banks[op->bank][op->slot] = (guint64)(gint32)GUINT32_FROM_LE(
				load32(p + op->value));
			break;
		case WP_CTF_OP_64_LE:
			banks[op->bank][op->slot] = GUINT64_FROM_LE(load64(p + op->value));
			break;
		case WP_CTF_OP_U16_BE:
			banks[op->bank][op->slot] = GUINT16_FROM_BE(load16(p + op->value));
			break;
		case WP_CTF_OP_S16_BE:
			banks[op->bank][op->slot] = (guint64)(gint16)GUINT16_FROM_BE(
				load16(p + op->value));
			break;
		case WP_CTF_OP_U32_BE:
			banks[op->bank][op->slot] = GUINT32_FROM_BE(load32(p + op->value));
			break;
		case WP_CTF_OP_S32_BE:
			banks[op->bank][op->slot] = (guint64)(gint32)GUINT32_FROM_BE(
				load32(p + op->value));
			break;
		case WP_CTF_OP_64_BE:
			banks[op->bank][op->slot] = GUINT64_FROM_BE(load64(p + op->value));
			break;
		case WP_CTF_OP_BITS_LE: {
			guint64 value = wp_ctf_bits_le(data, base + op->value, op->bits);

			banks[op->bank][op->slot] = op->arg ? wp_ctf_sign_extend(value, op->bits)
							    : value;
			break;
		}
		case WP_CTF_OP_BITS_BE: {
			guint64 value = wp_ctf_bits_be(data, base + op->value, op->bits);

			banks[op->bank][op->slot] = op->arg ? wp_ctf_sign_extend(value, op->bits)
							    : value;
			break;
		}
		case WP_CTF_OP_TEXT:
			v[op->slot].s = text_at(machine, p + op->value, op->arg);
			present |= 1u << op->slot;
			break;
		case WP_CTF_OP_ADDRESS:
			set_address(v + op->slot, p + op->value, op->arg, op->bits,
				    (WpCtfOrder)op->bank);
			present |= 3u << op->slot;
			break;
		case WP_CTF_OP_UUID:
			machine->special[op->slot] = be_bytes(p + op->value, 8);
			machine->special[op->slot + 1] = be_bytes(p + op->value + 8, 8);
			break;
		case WP_CTF_OP_CONSTANT:
			v[op->slot].u = op->value;
			present |= 1u << op->slot;
			break;
		case WP_CTF_OP_LABEL: {
			const gchar *label = label_of(program->enums[op->arg],
						      machine->special[WP_CTF_SCRATCH]);

			if (label) {
				v[op->slot].s = label;
				present |= 1u << op->slot;
			}
			break;
		}
		case WP_CTF_OP_CLOCK:
			machine->ticks = extend(machine->ticks, machine->special[WP_CTF_TICKS],
						op->bits);
			break;
		case WP_CTF_OP_PRIORITY:
			if (((present >> op->slot) & 1) && levels[op->slot] <= op->bits)
				op += op->arg;
			else
				levels[op->slot] = op->bits;
			break;
		case WP_CTF_OP_PRESENT:
			present |= 1u << op->slot;
			break;
		case WP_CTF_OP_STRING:
			pos = (pos + 7) & ~G_GUINT64_CONSTANT(7);
			p = data + (pos >> 3);
			pos = behind_string(data, pos, end);
			if (G_UNLIKELY(!pos))
				return WP_CTF_CUT;
			if (op->arg == 0 || (op->arg == 2 && ((present >> op->slot) & 1) &&
					     levels[op->slot] <= op->bits))
				break;
			v[op->slot].s = (const gchar *)p;
			levels[op->slot] = op->bits;
			present |= 1u << op->slot;
			break;
		case WP_CTF_OP_SKIP:
			if (G_UNLIKELY(!skip_elements(&pos, end, banks[op->bank][op->slot], op)))
				return WP_CTF_CUT;
			break;
		case WP_CTF_OP_SEQUENCE_TEXT:
		case WP_CTF_OP_SEQUENCE_ADDRESS: {
			const guint64 length = banks[op->bank][op->slot];
			const guint64 begin = (pos + 7) & ~G_GUINT64_CONSTANT(7);

			if (begin > end || length > (end - begin) >> 3)
				return WP_CTF_CUT;
			present |= keep_bytes(machine, op, data + (begin >> 3), length, v);
			break;
		}
		case WP_CTF_OP_SWITCH: {
			const guint32 to = find_case(&program->tables[op->arg],
						     banks[op->bank][op->slot]);

			if (G_UNLIKELY(!to))
				return WP_CTF_BAD_TAG;
			op = &program->ops[to] - 1;
			break;
		}
		case WP_CTF_OP_JUMP:
			op = &program->ops[op->arg] - 1;
			break;
		case WP_CTF_OP_LOOP: {
			const guint64 n = op->bits ? op->value : banks[op->bank][op->slot];

			if (n)
				loops[n_loops++] = (Loop){n, pos};
			else
				op = &program->ops[op->arg] - 1;
			break;
		}
		case WP_CTF_OP_NEXT: {
			Loop *loop = &loops[n_loops - 1];

			/* A round that read nothing would do so for ever. */
			if (--loop->left && pos != loop->pos) {
				loop->pos = pos;
				op = &program->ops[op->arg] - 1;
			} else {
				n_loops--;
			}
			break;
		}
		}
	}
}

WpCtfStatus wp_ctf_machine_run(WpCtfMachine *machine, guint32 pc)
{
	return run(machine, pc, NULL);
}

/* ---- events ---- */

/*
 * What the loop over a packet's events has at hand. It lives in registers: the
 * machine itself is written to, and read, only where code is run.
 */
typedef struct {
	WpCtfMachine *machine;
	const WpCtfPacketFrame *frame;
	const guint8 *data;
	guint64 pos, end, ticks;
	guint8 *out;
	WpTime time; /* as of the machine */
	gboolean went_back;
} Cursor;

static WpCtfStatus run_at(Cursor *at, guint32 pc, WpEvent *out)
{
	WpCtfMachine *machine = at->machine;

	machine->pos = at->pos;
	machine->ticks = at->ticks;

	WpCtfStatus status = run(machine, pc, out);

	at->pos = machine->pos;
	at->ticks = machine->ticks;
	return status;
}

static WpCtfStatus run_header(Cursor *at, guint64 *ret_id)
{
	WpCtfMachine *machine = at->machine;

	machine->special[WP_CTF_EVENT_ID] = 0;

	WpCtfStatus status = run_at(at, at->frame->stream->header_pc, NULL);

	*ret_id = machine->special[WP_CTF_EVENT_ID];
	return status;
}

/* Reads an event header: the id goes to *ret_id, the time to ticks. */
static inline WpCtfStatus read_header(Cursor *at, const WpCtfFastHeader *fast, guint64 *ret_id)
{
	const guint64 pos = (at->pos + fast->align_mask) & ~(guint64)fast->align_mask;

	/* 24 bytes, so that all of the longest form and eight bytes more can be read. */
	if (G_UNLIKELY(!fast->id_bits || pos + 192 > at->end))
		return run_header(at, ret_id);

	const guint8 *p = at->data + (pos >> 3);
	const guint64 word = GUINT64_FROM_LE(load64(p));
	const guint64 escape = (G_GUINT64_CONSTANT(1) << fast->id_bits) - 1;
	const guint64 size = G_GUINT64_CONSTANT(1) << fast->ticks_bits;

	*ret_id = word & escape;
	if (G_LIKELY(*ret_id != escape)) {
		const guint64 ticks = (at->ticks & ~(size - 1)) |
				      ((word >> fast->id_bits) & (size - 1));

		at->ticks = ticks < at->ticks ? ticks + size : ticks;
		at->pos = pos + fast->short_bits;
	} else {
		*ret_id = GUINT32_FROM_LE(load32(p + fast->long_id));
		at->ticks = GUINT64_FROM_LE(load64(p + fast->long_ticks));
		at->pos = pos + fast->long_bits;
	}
	return WP_CTF_OK;
}

static inline WpCtfStatus skip_event(Cursor *at, const WpCtfEventPlan *plan)
{
	if (plan->fixed == WP_CTF_DYNAMIC)
		return run_at(at, plan->skip_pc, NULL);
	at->pos = ((at->pos + plan->align_mask) & ~(guint64)plan->align_mask) + plan->fixed;
	return G_LIKELY(at->pos <= at->end) ? WP_CTF_OK : WP_CTF_CUT;
}

/* One record of the event at hand, whose payload begins at pos; it is complete on WP_CTF_OK. */
static inline WpCtfStatus put_record(Cursor *at, const WpCtfEventPlan *plan,
				     const WpCtfRecord *record)
{
	WpEvent *event = (WpEvent *)(gpointer)at->out;
	const WpTime time = wp_ctf_timescale_apply(at->frame->scale, at->ticks);
	guint64 *cpu = &at->machine->special[WP_CTF_CPU];

	if (plan->has_cpu)
		*cpu = WP_NONE;

	WpCtfStatus status = run_at(at, record->pc, event);

	if (G_UNLIKELY(status != WP_CTF_OK))
		return status;
	at->went_back |= time < at->time;
	at->time = time;
	event->time = time;
	event->kind = record->kind;
	event->n_values = record->n_values;
	event->flags = record->flags;
	event->cpu = plan->has_cpu ? (guint32)*cpu : at->frame->cpu;
	event->stream = at->frame->number;
	at->out += sizeof(WpEvent) + record->n_values * sizeof(WpValue);
	return WP_CTF_OK;
}

static inline WpCtfStatus put_records(Cursor *at, const WpCtfEventPlan *plan)
{
	const guint64 begin = at->pos;
	WpCtfStatus status = put_record(at, plan, &plan->records[0]);

	if (G_LIKELY(plan->n_records == 1) || status != WP_CTF_OK)
		return status;
	at->pos = begin;
	return put_record(at, plan, &plan->records[1]);
}

/* The header of an event; *ret_plan: what to do with what follows. */
static inline WpCtfStatus read_event_head(Cursor *at, const WpCtfFastHeader *fast,
					  const WpCtfEventPlan **ret_plan)
{
	const WpCtfPacketFrame *frame = at->frame;
	WpCtfStatus status;
	guint64 id;

	*ret_plan = NULL;
	status = read_header(at, fast, &id);
	if (G_UNLIKELY(status != WP_CTF_OK))
		return status;
	if (G_UNLIKELY(at->ticks - frame->ticks_min > frame->ticks_span))
		return WP_CTF_OUT_OF_TIME;
	*ret_plan = wp_ctf_stream_plan_find(frame->stream, id);
	return G_LIKELY(*ret_plan) ? WP_CTF_OK : WP_CTF_UNKNOWN_ID;
}

/*
 * One event: its records, if the layout knows it, go to out. What of at has changed when it
 * fails is the caller's to take back.
 */
static G_NO_INLINE WpCtfStatus read_event(Cursor *at, const WpCtfFastHeader *fast, guint *n)
{
	const guint64 begin = at->pos;
	const WpCtfEventPlan *plan;
	WpCtfStatus status = read_event_head(at, fast, &plan);

	if (G_UNLIKELY(status != WP_CTF_OK))
		return status;
	status = plan->n_records ? put_records(at, plan) : skip_event(at, plan);
	if (G_UNLIKELY(status != WP_CTF_OK))
		return status;
	if (G_UNLIKELY(at->pos == begin))
		return WP_CTF_EMPTY_EVENT;
	*n += plan->n_records;
	return WP_CTF_OK;
}

/* ---- quick events ---- */

/* Bytes that are there from an event's begin on, and behind its end, so that eight can be loaded at once. */
#define QUICK_HEAD 24u
#define QUICK_TAIL 8u
/* How far ahead bytes are asked for: over the end of a page, where the processor does not go by itself. */
#define QUICK_AHEAD 1024

/* What the events of one call have in common, at hand; all positions in bytes. */
typedef struct {
	guint64 header_mask, short_size, long_size;
	guint long_id, long_ticks; /* where they are in the long form */
	guint id_bits;
	guint64 escape; /* the last id, which is of the long form */
	guint64 ticks_mask; /* of the short form's */
	const WpCtfQuick *plans; /* borrowed of the stream's plan, n_ids */
	guint64 n_ids;
	const guint8 *last; /* borrowed: up to where there is room for an event */
	guint64 stop; /* none is begun there or behind */
	guint64 end; /* none ends behind it */
} Quick;

/* Where no event of the stream can be read so, the stop is at once. */
static Quick quick_make(const Cursor *at, guint64 stop, const guint8 *last)
{
	const WpCtfStreamPlan *stream = at->frame->stream;
	const WpCtfFastHeader *fast = &stream->fast;
	const guint64 end = at->end / 8, head = QUICK_HEAD + fast->align_mask / 8;
	const gboolean possible = fast->id_bits && fast->short_bits % 8 == 0 &&
				  fast->long_bits % 8 == 0 &&
				  at->frame->scale->freq == (guint64)WP_NS_PER_S && end > head;

	return (Quick){.header_mask = fast->align_mask / 8,
		       .short_size = fast->short_bits / 8,
		       .long_size = fast->long_bits / 8,
		       .long_id = fast->long_id,
		       .long_ticks = fast->long_ticks,
		       .id_bits = fast->id_bits,
		       .escape = (G_GUINT64_CONSTANT(1) << fast->id_bits) - 1,
		       .ticks_mask = (G_GUINT64_CONSTANT(1) << fast->ticks_bits) - 1,
		       .plans = stream->quick,
		       .n_ids = stream->n_ids,
		       .last = last,
		       .stop = possible ? MIN((stop + 7) / 8, end - head) : 0,
		       .end = end - MIN(end, QUICK_TAIL)};
}

static inline void load_values(const WpCtfQuick *plan, const guint8 *p, WpValue *v)
{
	for (const WpCtfLoad *load = plan->loads; load < plan->loads_end; load++)
		v[load->slot].u = ((GUINT64_FROM_LE(load64(p + load->at)) & load->mask) ^
				   load->flip) -
				  load->less;
}

/* FALSE when one does not end in its bytes, so that it must be looked at more closely. */
static inline gboolean find_texts(const WpCtfQuick *plan, const guint8 *p, WpValue *v)
{
	guint8 ends = 0;

	for (const WpCtfText *text = plan->texts; text < plan->texts_end; text++) {
		ends |= p[text->last];
		v[text->slot].s = (const gchar *)p + text->at;
	}
	return !ends;
}

static inline guint64 align_up(guint64 pos, guint64 mask)
{
	return (pos + mask) & ~mask;
}

/*
 * The header at p: its id and time, from that of the event before; returns its size. Only a long one
 * can be of a time before that, which sets *went_back.
 */
static inline guint64 read_quick_head(const Quick *quick, const guint8 *p, guint64 latest,
				      guint64 *ret_id, guint64 *ret_ticks, gboolean *went_back)
{
	const guint64 word = GUINT64_FROM_LE(load64(p));

	if (G_UNLIKELY((word & quick->escape) == quick->escape)) {
		*ret_id = GUINT32_FROM_LE(load32(p + quick->long_id));
		*ret_ticks = GUINT64_FROM_LE(load64(p + quick->long_ticks));
		*went_back |= *ret_ticks < latest;
		return quick->long_size;
	}
	*ret_id = word & quick->escape;
	*ret_ticks = latest + (((word >> quick->id_bits) - latest) & quick->ticks_mask);
	return quick->short_size;
}

/* What plan and frame have of an event lies in them as in it: two words, each copied at once. */
G_STATIC_ASSERT(offsetof(WpEvent, flags) - offsetof(WpEvent, present) == 7 &&
		offsetof(WpCtfQuick, flags) - offsetof(WpCtfQuick, present) == 7 &&
		offsetof(WpEvent, stream) - offsetof(WpEvent, cpu) == 4 &&
		offsetof(WpCtfPacketFrame, number) - offsetof(WpCtfPacketFrame, cpu) == 4);

/* The record of an event whose payload is at p; FALSE as find_texts(). */
static inline gboolean put_quick_record(const WpCtfQuick *plan, const WpCtfPacketFrame *frame,
					const guint8 *p, WpTime time, guint8 *out)
{
	WpEvent *event = (WpEvent *)(gpointer)out;

	event->time = time;
	memcpy(out + offsetof(WpEvent, present),
	       (const guint8 *)plan + offsetof(WpCtfQuick, present), 8);
	memcpy(out + offsetof(WpEvent, cpu),
	       (const guint8 *)frame + offsetof(WpCtfPacketFrame, cpu), 8);
	load_values(plan, p, event->v);
	return !plan->texts || find_texts(plan, p, event->v);
}

static inline WpTime time_of(const guint8 *record)
{
	return ((const WpEvent *)(gconstpointer)record)->time;
}

/*
 * Reads events as long as they are quick (program.h), right, and not at the packet's very end;
 * returns how many, and adds to *n their records. What is left is read_event()'s.
 */
static guint64 read_quick_events(Cursor *cursor, const Quick *quick, guint64 *largest, guint *n)
{
	const WpCtfPacketFrame *const frame = cursor->frame;
	const guint64 base = (guint64)frame->scale->base;
	const guint8 *last = NULL; /* record */
	Cursor at = *cursor; /* a copy that nothing points to stays in registers */
	guint64 pos = (at.pos + 7) / 8, size = *largest / 8;
	guint n_records = 0, n_skipped = 0;

	while (pos < quick->stop && at.out <= quick->last) {
		const guint64 begin = align_up(pos, quick->header_mask);
		guint64 id, ticks, payload, end;
		const WpCtfQuick *plan;

		__builtin_prefetch(at.data + begin + QUICK_AHEAD);
		payload = begin + read_quick_head(quick, at.data + begin, at.ticks, &id, &ticks,
						  &at.went_back);
		if (G_UNLIKELY(id >= quick->n_ids || ticks - frame->ticks_min > frame->ticks_span))
			break;
		plan = &quick->plans[id];
		payload = align_up(payload, plan->align_mask);
		end = payload + plan->size;
		if (G_UNLIKELY(end > quick->end))
			break;
		if (plan->n_records) {
			if (G_UNLIKELY(!put_quick_record(plan, frame, at.data + payload,
							 (WpTime)(ticks + base), at.out)))
				break;
			last = at.out;
			at.out += sizeof(WpEvent) + plan->n_values * sizeof(WpValue);
			n_records++;
		} else {
			n_skipped++;
		}
		if (G_UNLIKELY(end - pos > size))
			size = end - pos;
		pos = end;
		at.ticks = ticks;
	}
	if (n_records + n_skipped) {
		/* Those behind the first one are not before it, or it was noticed. */
		if (n_records) {
			at.went_back |= time_of(cursor->out) < at.time;
			at.time = time_of(last);
		}
		at.pos = pos * 8;
		*largest = MAX(*largest, size * 8);
		*n += n_records;
		*cursor = at;
	}
	return n_records + n_skipped;
}

WpCtfStatus wp_ctf_machine_pass(WpCtfMachine *machine, const WpCtfPacketFrame *frame,
				const WpCtfEventPlan **ret_plan, guint64 *ret_content)
{
	const guint64 begin = machine->pos, ticks = machine->ticks;
	const WpCtfEventPlan *plan;
	Cursor at = {.machine = machine,
		     .frame = frame,
		     .data = machine->data,
		     .pos = begin,
		     .end = machine->end,
		     .ticks = ticks};
	WpCtfStatus status = read_event_head(&at, &frame->stream->fast, &plan);

	*ret_plan = plan;
	*ret_content = at.pos;
	if (status == WP_CTF_OK)
		status = skip_event(&at, plan);
	if (status == WP_CTF_OK && at.pos == begin)
		status = WP_CTF_EMPTY_EVENT;
	machine->pos = status == WP_CTF_OK ? at.pos : begin;
	machine->ticks = status == WP_CTF_OK ? at.ticks : ticks;
	return status;
}

WpCtfStatus wp_ctf_machine_decode(WpCtfMachine *machine, const WpCtfPacketFrame *frame, guint8 *out,
				  gsize room, gsize *ret_size, guint *ret_n)
{
	const WpCtfFastHeader *fast = &frame->stream->fast;
	const guint64 stop = MIN(frame->stop, machine->end);
	const guint8 *const last = out + room - WP_CTF_EVENT_ROOM;
	guint64 largest = machine->largest, n_events = machine->n_events;
	WpCtfStatus status = WP_CTF_OK;
	guint n = 0;
	Cursor at = {.machine = machine,
		     .frame = frame,
		     .data = machine->data,
		     .pos = machine->pos,
		     .end = machine->end,
		     .ticks = machine->ticks,
		     .out = out,
		     .time = machine->time,
		     .went_back = machine->went_back};
	const Quick quick = quick_make(&at, stop, last);

	while (at.pos < stop) {
		Cursor before;

		n_events += read_quick_events(&at, &quick, &largest, &n);
		if (at.pos >= stop)
			break;
		before = at;
		status = G_LIKELY(at.out <= last) ? read_event(&at, fast, &n) : WP_CTF_FULL;
		if (G_UNLIKELY(status != WP_CTF_OK)) {
			at = before;
			break;
		}
		largest = MAX(largest, at.pos - before.pos);
		n_events++;
	}
	machine->pos = at.pos;
	machine->ticks = at.ticks;
	machine->time = at.time;
	machine->went_back = at.went_back;
	machine->largest = largest;
	machine->n_events = n_events;
	*ret_size = (gsize)(at.out - out);
	*ret_n = n;
	return status;
}

const gchar *wp_ctf_status_reason(WpCtfStatus status)
{
	switch (status) {
	case WP_CTF_CUT:
		return "an event reaches behind its end";
	case WP_CTF_BAD_TAG:
		return "a variant has no such option";
	case WP_CTF_UNKNOWN_ID:
		return "no event has this id";
	case WP_CTF_OUT_OF_TIME:
		return "an event's time lies outside the packet's";
	case WP_CTF_EMPTY_EVENT:
		return "an event has no size";
	default:
		return "its content is larger than itself";
	}
}

/* ---- times ---- */

void wp_ctf_timescale_init(WpCtfTimescale *scale, const WpCtfClock *clock)
{
	*scale = (WpCtfTimescale){.freq = clock ? clock->freq : (guint64)WP_NS_PER_S};
	if (!clock)
		return;

	const guint64 ticks = (guint64)(clock->offset < 0 ? -(guint64)clock->offset
							  : (guint64)clock->offset);
	const guint64 ns = (guint64)wp_ctf_timescale_apply(scale, ticks);

	scale->base = (WpTime)((guint64)clock->offset_s * (guint64)WP_NS_PER_S +
			       (clock->offset < 0 ? -ns : ns));
}

guint64 wp_ctf_timescale_ticks(const WpCtfTimescale *scale, guint64 ns)
{
	return (guint64)((gdouble)ns * (gdouble)scale->freq / 1e9) + 1;
}
