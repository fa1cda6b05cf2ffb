/* SPDX-License-Identifier: MIT */
/* machine.c: the inner loops of reading a trace. */
#include "config.h"

#include <string.h>

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

static guint64 sign_extend(guint64 value, guint bits)
{
	const guint64 sign = G_GUINT64_CONSTANT(1) << (bits - 1);

	return (value ^ sign) - sign;
}

/* At most 64 bits from any bit on: the first bit is the lowest of its byte. */
static guint64 bits_le(const guint8 *data, guint64 at, guint bits)
{
	const guint8 *p = data + (at >> 3);
	guint have = 8 - (guint)(at & 7);
	guint64 value = (guint64)*p++ >> (at & 7);

	while (have < bits) {
		value |= (guint64)*p++ << have;
		have += 8;
	}
	return bits == 64 ? value : value & ((G_GUINT64_CONSTANT(1) << bits) - 1);
}

/* The same: the first bit is the highest of its byte. */
static guint64 bits_be(const guint8 *data, guint64 at, guint bits)
{
	const guint8 *p = data + (at >> 3);
	guint have = 8 - (guint)(at & 7);
	guint64 value = *p++ & ((1u << have) - 1);

	if (bits < have)
		return value >> (have - bits);
	while (bits - have >= 8) {
		value = value << 8 | *p++;
		have += 8;
	}
	if (bits > have)
		value = value << (bits - have) | (guint64)(*p >> (8 - (bits - have)));
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
			guint64 value = bits_le(data, base + op->value, op->bits);

			banks[op->bank][op->slot] = op->arg ? sign_extend(value, op->bits) : value;
			break;
		}
		case WP_CTF_OP_BITS_BE: {
			guint64 value = bits_be(data, base + op->value, op->bits);

			banks[op->bank][op->slot] = op->arg ? sign_extend(value, op->bits) : value;
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
		case WP_CTF_OP_STRING: {
			pos = (pos + 7) & ~G_GUINT64_CONSTANT(7);
			p = data + (pos >> 3);

			const guint8 *nul = pos < end ? memchr(p, 0, (gsize)((end - pos) >> 3))
						      : NULL;

			if (G_UNLIKELY(!nul))
				return WP_CTF_CUT;
			pos = (guint64)(nul + 1 - data) << 3;
			if (op->arg == 0 || (op->arg == 2 && ((present >> op->slot) & 1) &&
					     levels[op->slot] <= op->bits))
				break;
			v[op->slot].s = (const gchar *)p;
			levels[op->slot] = op->bits;
			present |= 1u << op->slot;
			break;
		}
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
			if (op->code == WP_CTF_OP_SEQUENCE_TEXT) {
				v[op->arg].s = text_at(machine, data + (begin >> 3), length);
				present |= 1u << op->arg;
			} else if (length == 4 || length == 16) {
				set_address(v + op->arg, data + (begin >> 3), (guint32)length, 8,
					    WP_CTF_ORDER_BE);
				present |= 3u << op->arg;
			}
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

/* Reads an event header: the id goes to *ret_id, the time to ticks. */
static inline WpCtfStatus read_header(WpCtfMachine *machine, const WpCtfStreamPlan *stream,
				      guint64 *ret_id)
{
	const WpCtfFastHeader *fast = &stream->fast;
	const guint64 pos = (machine->pos + fast->align_mask) & ~(guint64)fast->align_mask;

	if (G_LIKELY(fast->id_bits && pos + 192 <= machine->end)) {
		const guint8 *p = machine->data + (pos >> 3);
		const guint64 word = GUINT64_FROM_LE(load64(p));
		const guint64 escape = (G_GUINT64_CONSTANT(1) << fast->id_bits) - 1;
		const guint64 ticks_mask = (G_GUINT64_CONSTANT(1) << fast->ticks_bits) - 1;

		*ret_id = word & escape;
		if (G_LIKELY(*ret_id != escape)) {
			machine->ticks = extend(machine->ticks,
						(word >> fast->id_bits) & ticks_mask,
						fast->ticks_bits);
			machine->pos = pos + fast->short_bits;
		} else {
			*ret_id = GUINT32_FROM_LE(load32(p + fast->long_id));
			machine->ticks = GUINT64_FROM_LE(load64(p + fast->long_ticks));
			machine->pos = pos + fast->long_bits;
		}
		return WP_CTF_OK;
	}
	machine->special[WP_CTF_EVENT_ID] = 0;

	WpCtfStatus status = run(machine, stream->header_pc, NULL);

	*ret_id = machine->special[WP_CTF_EVENT_ID];
	return status;
}

static inline WpCtfStatus skip_event(WpCtfMachine *machine, const WpCtfEventPlan *plan)
{
	if (plan->fixed == WP_CTF_DYNAMIC)
		return run(machine, plan->skip_pc, NULL);
	machine->pos = ((machine->pos + plan->align_mask) & ~(guint64)plan->align_mask) +
		       plan->fixed;
	return G_LIKELY(machine->pos <= machine->end) ? WP_CTF_OK : WP_CTF_CUT;
}

/* The records of one event, from the position behind its header on. */
static inline WpCtfStatus decode_event(WpCtfMachine *machine, const WpCtfPacketFrame *frame,
				       const WpCtfEventPlan *plan, guint8 *out, gsize *ret_size)
{
	const guint64 begin = machine->pos;
	const WpTime time = wp_ctf_timescale_apply(frame->scale, machine->ticks);
	gsize size = 0;

	for (guint i = 0; i < plan->n_records; i++) {
		const WpCtfRecord *record = &plan->records[i];
		WpEvent *event = (WpEvent *)(gpointer)(out + size);

		machine->pos = begin;
		machine->special[WP_CTF_CPU] = WP_NONE;

		WpCtfStatus status = run(machine, record->pc, event);

		if (G_UNLIKELY(status != WP_CTF_OK))
			return status;
		event->time = time;
		event->cpu = plan->has_cpu ? (guint32)machine->special[WP_CTF_CPU] : frame->cpu;
		event->kind = record->kind;
		event->n_values = record->n_values;
		event->stream = frame->number;
		size += sizeof(WpEvent) + record->n_values * sizeof(WpValue);
	}
	*ret_size = size;
	return WP_CTF_OK;
}

WpCtfStatus wp_ctf_machine_decode(WpCtfMachine *machine, const WpCtfPacketFrame *frame, guint8 *out,
				  gsize room, gsize *ret_size, guint *ret_n)
{
	const WpCtfStreamPlan *stream = frame->stream;
	WpCtfStatus status = WP_CTF_OK;
	const guint64 stop = MIN(frame->stop, machine->end);
	guint64 begin = machine->pos, ticks = machine->ticks;
	gsize used = 0;
	guint n = 0;

	while (machine->pos < stop) {
		const WpCtfEventPlan *plan;
		guint64 id;
		gsize size = 0;

		begin = machine->pos;
		ticks = machine->ticks;
		if (G_UNLIKELY(room - used < WP_CTF_EVENT_ROOM)) {
			status = WP_CTF_FULL;
			break;
		}
		status = read_header(machine, stream, &id);
		if (G_UNLIKELY(status != WP_CTF_OK))
			break;
		if (G_UNLIKELY(machine->ticks - frame->ticks_min > frame->ticks_span)) {
			status = WP_CTF_OUT_OF_TIME;
			break;
		}
		plan = wp_ctf_stream_plan_find(stream, id);
		if (G_UNLIKELY(!plan)) {
			status = WP_CTF_UNKNOWN_ID;
			break;
		}
		status = plan->n_records ? decode_event(machine, frame, plan, out + used, &size)
					 : skip_event(machine, plan);
		if (G_UNLIKELY(status != WP_CTF_OK))
			break;
		if (G_UNLIKELY(machine->pos == begin)) {
			status = WP_CTF_EMPTY_EVENT;
			break;
		}
		machine->largest = MAX(machine->largest, machine->pos - begin);
		machine->n_events++;
		used += size;
		n += plan->n_records;
	}
	if (status != WP_CTF_OK) {
		machine->pos = begin;
		machine->ticks = ticks;
	}
	*ret_size = used;
	*ret_n = n;
	return status;
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
