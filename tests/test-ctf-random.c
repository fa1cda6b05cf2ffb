/* SPDX-License-Identifier: MIT */
/*
 * test-ctf-random.c: random descriptions with random events, read by our own reader and
 * through Babeltrace: both must give the same events with the same values.
 *
 * A random type is a tree. It is written out as TSDL once, and its values are written
 * bit by bit by rules of CTF that are put down here a second time, in the simplest way.
 * WAITPATH_RANDOM_TRACES sets how many traces are made (the seed is the trace's number);
 * WAITPATH_RANDOM_KEEP names a directory in which they are left, for other tests.
 */
#include "config.h"

#include <string.h>

#include <glib/gstdio.h>

#include "bt2/bt2-reader.h"
#include "ctf/ctf-reader.h"

#define CHILDREN_MAX 6u
#define PACKET_BYTES 4096u

typedef enum { INTEGER, ENUM, FLOAT, STRING, TEXT, ADDRESS, STRUCT, VARIANT, ARRAY, SEQUENCE } Kind;

typedef struct Type Type;
struct Type {
	Kind kind;
	gchar *name; /* owned, NULL: an element */
	guint size, align; /* bits */
	gboolean is_signed, be;
	guint length; /* TEXT, ARRAY */
	gint reference; /* SEQUENCE, VARIANT: which field before it in the same structure */
	Type *children[CHILDREN_MAX]; /* owned: fields, options, the element */
	guint n_children;
	guint64 value; /* INTEGER, ENUM: the last one written */
};

typedef struct {
	GRand *rand; /* owned */
	gboolean be; /* the trace's order */
	guint8 bytes[PACKET_BYTES];
	guint64 at; /* bits */
	gboolean full;
} Writer;

static void type_free(Type *type)
{
	for (guint i = 0; i < type->n_children; i++)
		type_free(type->children[i]);
	g_free(type->name);
	g_free(type);
}

static guint dice(Writer *w, guint n)
{
	return (guint)g_rand_int_range(w->rand, 0, (gint32)n);
}

/* ---- random types ---- */

static Type *new_integer(Writer *w, guint max_size)
{
	static const guint whole[] = {8, 16, 32, 64};
	Type *type = g_new0(Type, 1);

	type->size = dice(w, 3) ? whole[dice(w, 4)] : 1 + dice(w, 64);
	type->size = MIN(type->size, max_size);
	type->align = type->size % 8 == 0 && dice(w, 4) ? 8u << dice(w, 4) : 1u << dice(w, 3);
	type->is_signed = dice(w, 2) == 1;
	/* Within a byte the order cannot change. */
	type->be = type->align >= 8 && type->size % 8 == 0 && !dice(w, 4) ? !w->be : w->be;
	return type;
}

static Type *new_enum(Writer *w)
{
	Type *type = new_integer(w, 16);

	type->kind = ENUM;
	type->is_signed = FALSE;
	type->size = MAX(type->size, 3);
	return type;
}

static Type *new_type(Writer *w, guint depth);

static void add_child(Type *parent, Type *child, const gchar *name)
{
	child->name = g_strdup(name);
	parent->children[parent->n_children++] = child;
}

static Type *new_struct(Writer *w, guint depth)
{
	static const gchar *const names[] = {"_f0", "f1", "_f2", "f3", "_f4", "f5"};
	static const gchar *const address_names[] = {"_a0", "a1", "_a2", "a3", "_a4", "a5"};
	Type *type = g_new0(Type, 1);
	guint n = dice(w, CHILDREN_MAX + 1);

	type->kind = STRUCT;
	type->align = dice(w, 4) ? 1 : 8u << dice(w, 3);
	while (type->n_children < n) {
		guint i = type->n_children;
		Type *before = i ? type->children[i - 1] : NULL;
		Type *child = NULL;

		if (before && before->kind == ENUM && dice(w, 3)) {
			child = g_new0(Type, 1);
			child->kind = VARIANT;
			for (guint o = 0; o < 3; o++) {
				static const gchar *const options[] = {"x", "_y", "z"};

				add_child(child, new_type(w, depth + 1), options[o]);
			}
			child->reference = (gint)i - 1;
		} else if (before && before->kind == INTEGER && !before->is_signed && dice(w, 2)) {
			child = g_new0(Type, 1);
			child->kind = SEQUENCE;
			add_child(child, new_type(w, depth + 1), NULL);
			child->reference = (gint)i - 1;
		} else {
			child = new_type(w, depth + 1);
		}
		add_child(type, child, child->kind == ADDRESS ? address_names[i] : names[i]);
	}
	return type;
}

static Type *new_type(Writer *w, guint depth)
{
	Type *type;

	switch (dice(w, depth < 3 ? 12 : 8)) {
	case 0:
	case 1:
	case 2:
		return new_integer(w, 64);
	case 3:
		return new_enum(w);
	case 8:
	case 9:
		return new_struct(w, depth);
	default:
		break;
	}
	type = g_new0(Type, 1);
	type->align = 8;
	switch (dice(w, depth < 3 ? 5 : 4)) {
	case 0:
		type->kind = FLOAT;
		type->size = dice(w, 2) ? 32 : 64;
		break;
	case 1:
		type->kind = STRING;
		break;
	case 2:
		type->kind = TEXT;
		type->length = 1 + dice(w, 6);
		break;
	case 3:
		type->kind = ADDRESS;
		break;
	default:
		type->kind = ARRAY;
		type->length = dice(w, 4);
		add_child(type, new_type(w, depth + 1), NULL);
		break;
	}
	return type;
}

/* ---- as TSDL ---- */

static void print_type(const Type *type, const Type *parent, GString *text);

static void print_number(const Type *type, GString *text)
{
	g_string_append_printf(
		text, "%sinteger { size = %u; align = %u; signed = %d; byte_order = %s; }%s",
		type->kind == ENUM ? "enum : " : "", type->size, type->align, type->is_signed,
		type->be ? "be" : "le",
		type->kind == ENUM ? " { x = 0 ... 1, _y = 2, z = 3 ... 4, none = 5 }" : "");
}

static void print_fields(const Type *type, const Type *parent, GString *text)
{
	if (type->kind == STRUCT)
		g_string_append(text, "struct { ");
	else
		g_string_append_printf(text, "variant <%s> { ",
				       parent->children[type->reference]->name);
	for (guint i = 0; i < type->n_children; i++)
		print_type(type->children[i], type, text);
	g_string_append(text, "}");
	if (type->kind == STRUCT && type->align > 1)
		g_string_append_printf(text, " align(%u)", type->align);
}

/* The brackets of an array and, from the outside in, of those that are its elements. */
static void print_brackets(const Type *type, const Type *parent, GString *text)
{
	for (; type; parent = NULL, type = type->n_children ? type->children[0] : NULL) {
		if (type->kind == TEXT)
			g_string_append_printf(text, "[%u]", type->length);
		else if (type->kind == ADDRESS)
			g_string_append(text, "[4]");
		else if (type->kind == ARRAY)
			g_string_append_printf(text, "[%u]", type->length);
		else if (type->kind == SEQUENCE)
			g_string_append_printf(text, "[%s]",
					       parent->children[type->reference]->name);
		if (type->kind != ARRAY && type->kind != SEQUENCE)
			return;
	}
}

/* A field of a structure, or an option of a variant, up to its semicolon. */
static void print_type(const Type *type, const Type *parent, GString *text)
{
	const Type *inner = type;

	while (inner->kind == ARRAY || inner->kind == SEQUENCE)
		inner = inner->children[0];
	switch (inner->kind) {
	case INTEGER:
	case ENUM:
		print_number(inner, text);
		break;
	case FLOAT:
		g_string_append_printf(text,
				       "floating_point { exp_dig = %u; mant_dig = %u; align = 8; }",
				       inner->size == 32 ? 8 : 11, inner->size == 32 ? 24 : 53);
		break;
	case STRING:
		g_string_append(text, "string");
		break;
	case TEXT:
		g_string_append(text, "integer { size = 8; align = 8; encoding = UTF8; }");
		break;
	case ADDRESS:
		g_string_append(text, "integer { size = 8; align = 8; }");
		break;
	default:
		print_fields(inner, parent, text);
		break;
	}
	if (type->name) {
		g_string_append_printf(text, " %s", type->name);
		print_brackets(type, parent, text);
		g_string_append(text, "; ");
	}
}

/* ---- as bits ---- */

static guint alignment(const Type *type)
{
	guint align = type->align;

	if (type->kind == VARIANT)
		return 1;
	if (type->kind == ARRAY || type->kind == SEQUENCE)
		return alignment(type->children[0]);
	for (guint i = 0; i < type->n_children; i++)
		align = MAX(align, alignment(type->children[i]));
	return MAX(align, 1);
}

static void put_bit(Writer *w, gboolean be, guint bit)
{
	guint in_byte = (guint)(w->at % 8);

	if (w->at / 8 >= PACKET_BYTES) {
		w->full = TRUE;
		return;
	}
	w->bytes[w->at / 8] |= (guint8)(bit << (be ? 7 - in_byte : in_byte));
	w->at++;
}

/* The lowest bit first, or the highest. */
static void put_bits(Writer *w, gboolean be, guint64 value, guint size)
{
	for (guint i = 0; i < size; i++)
		put_bit(w, be, value >> (be ? size - 1 - i : i) & 1);
}

static void align_to(Writer *w, guint align)
{
	while (w->at % align != 0 && !w->full)
		put_bit(w, w->be, 0);
}

static guint64 random_value(Writer *w, guint size)
{
	guint64 value = (guint64)g_rand_int(w->rand) << 32 | g_rand_int(w->rand);

	return size == 64 ? value : value & ((G_GUINT64_CONSTANT(1) << size) - 1);
}

static void put_type(Writer *w, Type *type, const Type *parent);

/* An integer that counts a sequence's elements is small. */
static gboolean is_length(const Type *type, const Type *parent)
{
	for (guint i = 0; parent && parent->kind == STRUCT && i < parent->n_children; i++) {
		const Type *child = parent->children[i];

		if (child->kind == SEQUENCE && parent->children[child->reference] == type)
			return TRUE;
	}
	return FALSE;
}

static void put_chars(Writer *w, guint n, gboolean end)
{
	for (guint i = 0; i < n; i++)
		put_bits(w, w->be, 'a' + dice(w, 26), 8);
	if (end)
		put_bits(w, w->be, 0, 8);
}

static void put_elements(Writer *w, Type *element, guint64 n)
{
	for (guint64 i = 0; i < n && !w->full; i++)
		put_type(w, element, NULL);
}

static void put_type(Writer *w, Type *type, const Type *parent)
{
	align_to(w, alignment(type));
	switch (type->kind) {
	case INTEGER:
		type->value = random_value(w, type->size);
		if (is_length(type, parent))
			type->value %= 4;
		put_bits(w, type->be, type->value, type->size);
		break;
	case ENUM:
		type->value = dice(w, 5);
		put_bits(w, type->be, type->value, type->size);
		break;
	case FLOAT:
		put_bits(w, w->be, random_value(w, type->size), type->size);
		break;
	case STRING:
		put_chars(w, dice(w, 6), TRUE);
		break;
	case TEXT: {
		guint n = dice(w, type->length + 1);

		put_chars(w, n, FALSE);
		for (; n < type->length; n++)
			put_bits(w, w->be, 0, 8);
		break;
	}
	case ADDRESS:
		put_bits(w, w->be, random_value(w, 32), 32);
		break;
	case STRUCT:
		for (guint i = 0; i < type->n_children; i++)
			put_type(w, type->children[i], type);
		break;
	case VARIANT: {
		static const guint option_of[] = {0, 0, 1, 2, 2};

		put_type(w, type->children[option_of[parent->children[type->reference]->value]],
			 NULL);
		break;
	}
	case ARRAY:
		put_elements(w, type->children[0], type->length);
		break;
	case SEQUENCE:
		put_elements(w, type->children[0], parent->children[type->reference]->value);
		break;
	}
}

/* ---- a trace ---- */

typedef struct {
	const gchar *header; /* TSDL of the event header */
	guint id_bits, time_bits; /* of the short form */
	gboolean variant; /* LTTng's: an id of all ones is followed by long values */
} Header;

#define LTTNG(size, last, escape, time)                                                            \
	"struct { enum : integer { size = " size "; align = 1; } { compact = 0 ... " last          \
	", extended = " escape " } id; variant <id> { struct { integer { size = " time             \
	"; align = 1; map = clock.c.value; } timestamp; } compact;"                                \
	" struct { integer { size = 32; align = 8; } id; integer { size = 64; align = 8;"          \
	" map = clock.c.value; } timestamp; } extended; } v; } align(8)"

static const Header headers[] = {
	{LTTNG("5", "30", "31", "27"), 5, 27, TRUE},
	{LTTNG("16", "65534", "65535", "32"), 16, 32, TRUE},
	{"struct { integer { size = 11; align = 1; } id; integer { size = 37; align = 1;"
	 " map = clock.c.value; } timestamp; }",
	 11, 37, FALSE},
	{"struct { integer { size = 16; align = 8; } id; integer { size = 64; align = 64;"
	 " map = clock.c.value; } timestamp; }",
	 16, 64, FALSE},
};

#define N_EVENTS 5u

static void put_header(Writer *w, const Header *header, guint id, guint64 time)
{
	if (header->variant) {
		gboolean in_full = dice(w, 8) == 0;

		align_to(w, 8);
		put_bits(w, w->be, in_full ? (1u << header->id_bits) - 1 : id, header->id_bits);
		if (!in_full) {
			put_bits(w, w->be, time, header->time_bits);
			return;
		}
		align_to(w, 8);
		put_bits(w, w->be, id, 32);
		put_bits(w, w->be, time, 64);
		return;
	}
	align_to(w, header->time_bits == 64 ? 64 : 1);
	put_bits(w, w->be, id, header->id_bits);
	align_to(w, header->time_bits == 64 ? 64 : 1);
	put_bits(w, w->be, time, header->time_bits);
}

static void print_metadata(const Writer *w, const Header *header, Type *const *types, Type *context,
			   GString *text)
{
	g_string_append_printf(
		text,
		"/* CTF 1.8 */\n"
		"typealias integer { size = 32; align = 8; } := u32;\n"
		"trace { major = 1; minor = 8; byte_order = %s;"
		" packet.header := struct { u32 magic; u32 stream_id; }; };\n"
		"clock { name = c; freq = 1000000000; offset = 5000; };\n"
		"stream { id = 0; packet.context := struct { integer { size = 64; align = 8;"
		" map = clock.c.value; } timestamp_begin; integer { size = 64; align = 8;"
		" map = clock.c.value; } timestamp_end; u32 content_size; u32 packet_size; u32 "
		"cpu_id; };"
		" event.header := %s; event.context := ",
		w->be ? "be" : "le", header->header);
	print_type(context, NULL, text);
	g_string_append(text, "; };\n");
	for (guint i = 0; i < N_EVENTS; i++) {
		g_string_append_printf(
			text, "event { name = \"e%u\"; id = %u; stream_id = 0; fields := ", i, i);
		print_type(types[i], NULL, text);
		g_string_append(text, "; };\n");
	}
}

/* One packet of events with ever later times; the last one that does not fit is taken back. */
static void put_packet(Writer *w, const Header *header, Type *const *types, Type *context)
{
	const guint64 begin = 1000000 + random_value(w, 20);
	guint64 time = begin, good = 0;

	w->at = 288;
	for (guint n = 0; n < 200; n++) {
		guint id = dice(w, N_EVENTS);
		guint64 keep = w->at;

		put_header(w, header, id, time);
		put_type(w, context, NULL);
		put_type(w, types[id], NULL);
		if (w->full) {
			good = keep;
			break;
		}
		good = w->at;
		time += dice(w, 8) ? random_value(w, 10) : random_value(w, 26);
	}
	/* What the event that did not fit has left behind the content does not count. */
	w->at = 0;
	w->full = FALSE;
	memset(w->bytes, 0, 36);
	put_bits(w, w->be, 0xc1fc1fc1, 32);
	put_bits(w, w->be, 0, 32);
	put_bits(w, w->be, begin, 64);
	put_bits(w, w->be, time, 64);
	put_bits(w, w->be, good, 32);
	put_bits(w, w->be, PACKET_BYTES * 8, 32);
	put_bits(w, w->be, 3, 32);
}

/* ---- both readers ---- */

/* Slots for what the random types may hold, at the top and one or two levels down. */
static const gchar layout_text[] =
	"<layouts>"
	"<event kind='net-queue' name='e0 e1 e2 e3'>"
	"<slot name='skb' field='f0'/><slot name='len' field='f1 f0/f1'/>"
	"<slot name='protocol' field='f2 f1/x f1/y'/><slot name='ip-id' field='f3 f3/f0 f2/f1'/>"
	"<slot name='tot-len' field='f4 f4/x/f0 f4/z f3/y'/><slot name='ihl' field='f5 f5/f2/f1'/>"
	"<slot name='dev' field='f0 f1 f2 f3 f4 f5 f1/x f2/y f3/f0'/>"
	"<slot name='saddr' field='a5 a4 a3 a2 a1 a0 f0/a0 f1/a1 f1/x/a0'/>"
	"</event>"
	"<event kind='sched-switch' name='e*'>"
	"<slot name='prev-state' field='f0 f1 f2 f3 f4 f5'/>"
	"<slot name='prev-state-label' field='f5 f4 f3 f2 f1 f0 f0/f0' as='label'/>"
	"<slot name='prev-comm' field='f3/x f3/y f3/z f1 f2'/>"
	"</event>"
	"</layouts>";

/* Appends a batch's records; their texts, which are good only for that long, go to texts. */
static void keep(GByteArray *records, GStringChunk *texts, const WpBatch *batch)
{
	guint at = records->len;

	g_byte_array_append(records, batch->records->data, batch->records->len);
	while (at < records->len) {
		WpEvent *event = (WpEvent *)(gpointer)(records->data + at);
		WpSlotType type;

		for (guint slot = 0; slot < event->n_values; slot++)
			if (WP_EVENT_HAS(event, slot) &&
			    wp_event_slot_name(event->kind, slot, &type) && type == WP_SLOT_STRING)
				event->v[slot].s = g_string_chunk_insert(texts, event->v[slot].s);
		at += (guint)wp_event_size(event);
	}
}

static void read_all(WpReader *reader, GByteArray *records, GStringChunk *texts)
{
	WpBatch batch;
	guint64 bytes = 0;

	g_assert_cmpuint(reader->info.n_streams, ==, 1);
	wp_batch_init(&batch);
	do {
		wp_batch_reset(&batch);
		g_assert_true(wp_reader_next(reader, 0, &batch, &bytes, NULL));
		keep(records, texts, &batch);
	} while (batch.n || batch.more);
	wp_batch_clear(&batch);
}

static void assert_same_value(const WpEvent *a, const WpEvent *b, guint slot, WpSlotType type)
{
	if (type == WP_SLOT_STRING)
		g_assert_cmpstr(a->v[slot].s, ==, b->v[slot].s);
	else
		g_assert_cmpint(a->v[slot].i, ==, b->v[slot].i);
	if (type == WP_SLOT_ADDRESS)
		g_assert_cmpint(a->v[slot + 1].i, ==, b->v[slot + 1].i);
}

static guint compare(const GByteArray *ours, const GByteArray *theirs)
{
	guint n = 0;
	guint at = 0;

	for (; at < MIN(ours->len, theirs->len); n++) {
		const WpEvent *a = (const WpEvent *)(gconstpointer)(ours->data + at);
		const WpEvent *b = (const WpEvent *)(gconstpointer)(theirs->data + at);

		g_assert_cmpuint(a->kind, ==, b->kind);
		g_assert_cmpint(a->time, ==, b->time);
		g_assert_cmpuint(a->cpu, ==, b->cpu);
		for (guint slot = 0; slot < a->n_values; slot++) {
			WpSlotType type;

			if (!wp_event_slot_name(a->kind, slot, &type))
				continue;
			if (WP_EVENT_HAS(a, slot) != WP_EVENT_HAS(b, slot))
				g_error("event %u, slot %s: ours %d, theirs %d", n,
					wp_event_slot_name(a->kind, slot, NULL),
					WP_EVENT_HAS(a, slot), WP_EVENT_HAS(b, slot));
			if (WP_EVENT_HAS(a, slot))
				assert_same_value(a, b, slot, type);
		}
		at += (guint)wp_event_size(a);
	}
	g_assert_cmpuint(ours->len, ==, theirs->len);
	return n;
}

static guint compare_readers(const gchar *directory)
{
	g_autofree gchar *path = g_build_filename(directory, "layout.xml", NULL);
	g_autoptr(WpLayout) layout = wp_layout_new(NULL);
	g_autoptr(GByteArray) ours = g_byte_array_new(), theirs = g_byte_array_new();
	g_autoptr(GError) error = NULL;

	g_assert_true(g_file_set_contents(path, layout_text, -1, NULL));
	g_assert_true(wp_layout_add_file(layout, path, NULL));
	g_unlink(path);

	g_autoptr(WpReader) a = wp_ctf_reader_open(directory, layout, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(wp_findings_n(a->findings), ==, 1); /* no stream of CPUs 0 to 2 */

	g_autoptr(WpReader) b = wp_bt2_reader_open(directory, layout, &error);

	g_assert_no_error(error);

	GStringChunk *texts = g_string_chunk_new(4096);

	read_all(a, ours, texts);
	read_all(b, theirs, texts);

	guint n = compare(ours, theirs);

	g_string_chunk_free(texts);
	g_assert_cmpuint(wp_findings_n(a->findings), ==, 1);
	return n;
}

static guint try_trace(guint number)
{
	const gchar *kept = g_getenv("WAITPATH_RANDOM_KEEP");
	g_autofree gchar *directory = kept ? g_strdup_printf("%s/%u", kept, number)
					   : g_dir_make_tmp("waitpath-random-XXXXXX", NULL);
	g_autofree gchar *metadata = g_build_filename(directory, "metadata", NULL);
	g_autofree gchar *stream = g_build_filename(directory, "stream", NULL);
	g_autoptr(GString) text = g_string_new(NULL);
	Writer *w = g_new0(Writer, 1);
	Type *types[N_EVENTS], *context;
	const Header *header;

	g_assert_cmpint(g_mkdir_with_parents(directory, 0777), ==, 0);
	w->rand = g_rand_new_with_seed(number);
	w->be = dice(w, 2) == 1;
	header = &headers[dice(w, G_N_ELEMENTS(headers))];
	context = new_struct(w, 2);
	for (guint i = 0; i < N_EVENTS; i++)
		types[i] = new_struct(w, 0);
	print_metadata(w, header, types, context, text);
	put_packet(w, header, types, context);
	g_assert_true(g_file_set_contents(metadata, text->str, -1, NULL));
	g_assert_true(g_file_set_contents(stream, (const gchar *)w->bytes, PACKET_BYTES, NULL));
	g_test_message("trace %u in %s", number, directory);

	guint n = compare_readers(directory);

	if (!kept) {
		g_unlink(metadata);
		g_unlink(stream);
		g_rmdir(directory);
	}
	type_free(context);
	for (guint i = 0; i < N_EVENTS; i++)
		type_free(types[i]);
	g_rand_free(w->rand);
	g_free(w);
	return n;
}

static void test_random(void)
{
	const gchar *asked = g_getenv("WAITPATH_RANDOM_TRACES");
	guint n_traces = asked ? (guint)g_ascii_strtoull(asked, NULL, 10) : 60;
	guint64 n_events = 0;

	for (guint i = 0; i < n_traces; i++)
		n_events += try_trace(i);
	/* Most traces hold dozens of events: not all of them were lost on the way. */
	g_assert_cmpuint(n_events, >, (guint64)n_traces * 10);
}

gint main(gint argc, gchar **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/ctf/random", test_random);
	return g_test_run();
}
