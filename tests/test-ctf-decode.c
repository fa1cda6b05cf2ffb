/* SPDX-License-Identifier: MIT */
/*
 * test-ctf-decode.c: traces of a few bytes, written out by hand, through our own CTF
 * reader: every construct, both byte orders, odd alignments, and lies.
 *
 * Unless a test says otherwise, a packet is: magic number, content_size and
 * packet_size of 32 bits each (12 bytes), then events with a header of two bytes,
 * id and time. Nearly every trace holds its event twice, so that the second one shows
 * whether the first was passed exactly.
 */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "base/error.h"
#include "ctf/ctf-reader.h"

#define TYPES                                                                                      \
	"typealias integer { size = 8; align = 8; } := u8;"                                        \
	"typealias integer { size = 16; align = 8; } := u16;"                                      \
	"typealias integer { size = 32; align = 8; } := u32;"                                      \
	"typealias integer { size = 64; align = 8; } := u64;"                                      \
	"typealias integer { size = 8; align = 8; signed = 1; } := s8;"                            \
	"typealias integer { size = 16; align = 8; signed = 1; } := s16;"                          \
	"typealias integer { size = 32; align = 8; signed = 1; } := s32;"                          \
	"typealias integer { size = 64; align = 8; signed = 1; } := s64;"                          \
	"typealias integer { size = 8; align = 8; encoding = UTF8; } := ch;"                       \
	"typealias integer { size = 8; align = 8; map = clock.c.value; } := time8;"                \
	"clock { name = c; freq = 1000000000; offset = 1000; };"

#define TRACE_LE                                                                                   \
	TYPES "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 "      \
	      "magic; }; };"
#define TRACE_BE                                                                                   \
	TYPES "trace { major = 1; minor = 8; byte_order = be; packet.header := struct { u32 "      \
	      "magic; }; };"
#define STREAM                                                                                     \
	"stream { id = 0; packet.context := struct { u32 content_size; u32 packet_size; };"        \
	" event.header := struct { u8 id; time8 timestamp; }; };"
#define EVENT(members) "event { name = \"e\"; id = 0; fields := struct { " members " }; };"

/* The slots that events called "e" (numbers, texts, addresses) and "l" (labels) fill. */
static const gchar layout_text[] = "<layouts>"
				   "<event kind='net-queue' name='e'>"
				   "<slot name='skb' field='a v/x/a v/y/a in/a'/>"
				   "<slot name='len' field='b v/x/b v/y/b in/b'/>"
				   "<slot name='protocol' field='c v/y/c'/>"
				   "<slot name='ip-id' field='d'/>"
				   "<slot name='dev' field='s v/x/s'/>"
				   "<slot name='saddr' field='source'/>"
				   "<slot name='daddr' field='dest'/>"
				   "</event>"
				   "<event kind='sched-switch' name='l'>"
				   "<slot name='prev-state' field='tag'/>"
				   "<slot name='prev-state-label' field='tag' as='label'/>"
				   "<slot name='prev-comm' value='fixed'/>"
				   "<slot name='next-prio' value='-7'/>"
				   "</event>"
				   "</layouts>";

typedef struct {
	gchar *directory; /* owned */
	WpReader *reader; /* owned */
	WpBatch batch; /* all records of stream 0 */
	guint32 left_out; /* slots of net-queue, set before it is made */
	const WpEvent *event[64]; /* borrowed of the batch */
} Made;

static void made_clear(Made *made)
{
	static const gchar *const names[] = {"metadata", "stream", "stream2", "layout.xml"};

	wp_reader_free(made->reader);
	wp_batch_clear(&made->batch);
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree gchar *path = g_build_filename(made->directory, names[i], NULL);

		g_unlink(path);
	}
	g_assert_cmpint(g_rmdir(made->directory), ==, 0);
	g_free(made->directory);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Made, made_clear)

static void write_file(const Made *made, const gchar *name, gconstpointer data, gsize size)
{
	g_autofree gchar *path = g_build_filename(made->directory, name, NULL);

	g_assert_true(g_file_set_contents(path, data, (gssize)size, NULL));
}

static void read_all(Made *made)
{
	guint64 bytes = 0;
	guint n = 0;

	g_assert_true(wp_reader_next(made->reader, 0, &made->batch, &bytes, NULL));
	for (guint at = 0; at < made->batch.records->len && n < G_N_ELEMENTS(made->event);) {
		made->event[n] = (const WpEvent *)(gconstpointer)(made->batch.records->data + at);
		at += (guint)wp_event_size(made->event[n++]);
	}
	g_assert_cmpuint(bytes, ==, made->reader->info.n_bytes);
}

/* Opens a trace of one stream file and reads it; *error stays when it does not open. */
static void try_make(Made *made, const gchar *metadata, const guint8 *bytes, gsize size,
		     GError **error)
{
	g_autofree gchar *layout_path = NULL;
	g_autoptr(WpLayout) layout = wp_layout_new(NULL);

	made->directory = g_dir_make_tmp("waitpath-decode-XXXXXX", NULL);
	layout_path = g_build_filename(made->directory, "layout.xml", NULL);
	write_file(made, "layout.xml", layout_text, strlen(layout_text));
	g_assert_true(wp_layout_add_file(layout, layout_path, NULL));
	g_unlink(layout_path);
	for (guint slot = 0; slot < 32; slot++)
		if ((made->left_out >> slot) & 1)
			wp_layout_leave_out(layout, WP_EV_NET_QUEUE, slot);
	write_file(made, "metadata", metadata, strlen(metadata));
	write_file(made, "stream", bytes, size);
	wp_batch_init(&made->batch);
	made->reader = wp_ctf_reader_open(made->directory, layout, error);
	if (made->reader && made->reader->info.n_streams)
		read_all(made);
}

static void make(Made *made, const gchar *metadata, const guint8 *bytes, gsize size)
{
	g_autoptr(GError) error = NULL;

	try_make(made, metadata, bytes, size, &error);
	g_assert_no_error(error);
	g_assert_nonnull(made->reader);
}

#define MAGIC_LE 0xc1, 0x1f, 0xfc, 0xc1
#define MAGIC_BE 0xc1, 0xfc, 0x1f, 0xc1
/* A packet's head; sizes in bits, at most 255 bytes. */
#define HEAD_LE(bits) MAGIC_LE, (bits)&0xff, (bits) >> 8, 0, 0, (bits)&0xff, (bits) >> 8, 0, 0
#define HEAD_BE(bits) MAGIC_BE, 0, 0, (bits) >> 8, (bits)&0xff, 0, 0, (bits) >> 8, (bits)&0xff

static void assert_integers(const WpEvent *event, gint64 a, gint64 b, gint64 c, gint64 d)
{
	g_assert_cmpuint(event->present & 0xf & ~(1u << WP_NET_QUEUE_DEV), ==,
			 (1u << WP_NET_QUEUE_SKB | 1u << WP_NET_QUEUE_LEN |
			  1u << WP_NET_QUEUE_PROTOCOL | 1u << WP_NET_QUEUE_IP_ID) &
				 0xf);
	g_assert_cmpint(event->v[WP_NET_QUEUE_SKB].i, ==, a);
	g_assert_cmpint(event->v[WP_NET_QUEUE_LEN].i, ==, b);
	g_assert_cmpint(event->v[WP_NET_QUEUE_PROTOCOL].i, ==, c);
	g_assert_cmpint(event->v[WP_NET_QUEUE_IP_ID].i, ==, d);
}

static gboolean found(const Made *made, const gchar *code)
{
	for (guint i = 0; i < wp_findings_n(made->reader->findings); i++)
		if (g_str_equal(wp_findings_get(made->reader->findings, i)->code, code))
			return TRUE;
	return FALSE;
}

#define A(event) ((event)->v[WP_NET_QUEUE_SKB].i)
#define B(event) ((event)->v[WP_NET_QUEUE_LEN].i)
#define DEV(event) ((event)->v[WP_NET_QUEUE_DEV].s)

/* ---- numbers ---- */

static void test_integers_le(void)
{
	static const guint8 bytes[] = {
		/* clang-format off */
		HEAD_LE(8 * 46),
		0, 1, 0xfe, 0xfe, 0xff, 0x01, 0x02, 0x03, 0x84, 1, 2, 3, 4, 5, 6, 7, 0x88,
		0, 2, 0x80, 0x00, 0x80, 0xff, 0xff, 0xff, 0xff, 8, 7, 6, 5, 4, 3, 2, 1,
		/* clang-format on */
	};
	g_auto(Made) made = {0};

	make(&made, TRACE_LE STREAM EVENT("s8 a; s16 b; u32 c; u64 d;"), bytes, sizeof(bytes));
	g_assert_cmpuint(made.batch.n, ==, 2);
	g_assert_cmpint(made.event[0]->time, ==, 1001);
	g_assert_cmpuint(made.event[0]->cpu, ==, WP_NONE);
	g_assert_cmpint(made.event[1]->time, ==, 1002);
	assert_integers(made.event[0], -2, -2, 0x84030201, (gint64)0x8807060504030201u);
	assert_integers(made.event[1], -128, -32768, 0xffffffff, 0x0102030405060708);
}

static void test_integers_be(void)
{
	static const guint8 bytes[] = {
		/* clang-format off */
		HEAD_BE(8 * 46),
		0, 1, 0xfe, 0xff, 0xfe, 0x81, 0x02, 0x03, 0x04, 0x81, 2, 3, 4, 5, 6, 7, 8,
		0, 2, 0x7f, 0x80, 0x00, 0xff, 0xff, 0xff, 0xff, 8, 7, 6, 5, 4, 3, 2, 1,
		/* clang-format on */
	};
	g_auto(Made) made = {0};

	make(&made, TRACE_BE STREAM EVENT("s8 a; s16 b; s32 c; s64 d;"), bytes, sizeof(bytes));
	g_assert_cmpuint(made.batch.n, ==, 2);
	assert_integers(made.event[0], -2, -2, (gint32)0x81020304, (gint64)0x8102030405060708u);
	assert_integers(made.event[1], 127, -32768, -1, 0x0807060504030201);
}

/* One order within a trace of the other. */
static void test_foreign_order(void)
{
	static const guint8 bytes[] = {
		HEAD_LE(8 * 28),
		0,
		1,
		0x12,
		0x34,
		0x12,
		0x34,
		0x56,
		0x78,
		0,
		2,
		0x80,
		0x00,
		0x80,
		0x00,
		0x00,
		0x01,
	};
	g_auto(Made) made = {0};

	make(&made,
	     TRACE_LE STREAM EVENT("integer { size = 16; byte_order = be; signed = 1; } a;"
				   "integer { size = 32; byte_order = network; signed = 1; } b;"),
	     bytes, sizeof(bytes));
	g_assert_cmpint(A(made.event[0]), ==, 0x1234);
	g_assert_cmpint(B(made.event[0]), ==, 0x12345678);
	g_assert_cmpint(A(made.event[1]), ==, -32768);
	g_assert_cmpint(B(made.event[1]), ==, (gint32)0x80000001);
}

#define BITS                                                                                       \
	"integer { size = 3; align = 1; } a; integer { size = 5; align = 1; signed = 1; } b;"      \
	"integer { size = 13; align = 1; } c; integer { size = 3; align = 1; } d;"

/*
 * a = 5 (101), b = -3 (11101), c = 0x1abc (1101010111100), d = 6 (110).
 * Little-endian, from the lowest bit of each byte: 11101 101, bc, 110 11010.
 * Big-endian, from the highest: 101 11101, 11010101, 11100 110.
 */
static void test_bits(void)
{
	static const guint8 le[] = {
		HEAD_LE(8 * 22), 0, 1, 0xed, 0xbc, 0xda, 0, 2, 0xed, 0xbc, 0xda};
	static const guint8 be[] = {
		HEAD_BE(8 * 22), 0, 1, 0xbd, 0xd5, 0xe6, 0, 2, 0xbd, 0xd5, 0xe6};
	g_auto(Made) made_le = {0};
	g_auto(Made) made_be = {0};

	make(&made_le, TRACE_LE STREAM EVENT(BITS), le, sizeof(le));
	make(&made_be, TRACE_BE STREAM EVENT(BITS), be, sizeof(be));
	for (guint i = 0; i < 2; i++) {
		assert_integers(made_le.event[i], 5, -3, 0x1abc, 6);
		assert_integers(made_be.event[i], 5, -3, 0x1abc, 6);
	}
}

/*
 * An event of 27 bits in all, header included, nothing aligned: the second begins in
 * the middle of a byte, and so does a number of 64 bits in it.
 */
static void test_unaligned_events(void)
{
	/* id 3 bits, time 5 bits, a 12 bits, b 64 bits: 84 bits an event; packet head 96 bits */
	static const gchar metadata[] = TRACE_LE
		"stream { id = 0; packet.context := struct { u32 content_size; u32 packet_size; };"
		"event.header := struct { integer { size = 3; align = 1; } id;"
		"integer { size = 5; align = 1; map = clock.c.value; } timestamp; }; };" EVENT(
			"integer { size = 12; align = 1; } a;"
			"integer { size = 64; align = 1; } b;");
	const guint64 values[2] = {0x8000000000000001, 0x0123456789abcdef};
	guint8 bytes[12 + 21] = {HEAD_LE(8 * 33)};
	g_auto(Made) made = {0};
	guint at = 96;

	/* Bit by bit, the lowest first. */
	for (guint i = 0; i < 2; i++) {
		const struct {
			guint64 value;
			guint bits;
		} parts[] = {{0, 3}, {7 + i, 5}, {0xabc + i, 12}, {values[i], 64}};

		for (guint p = 0; p < G_N_ELEMENTS(parts); p++)
			for (guint bit = 0; bit < parts[p].bits; bit++, at++)
				bytes[at / 8] |= (guint8)((parts[p].value >> bit & 1) << at % 8);
	}
	g_assert_cmpuint(at, ==, sizeof(bytes) * 8);
	make(&made, metadata, bytes, sizeof(bytes));
	g_assert_cmpuint(made.batch.n, ==, 2);
	for (guint i = 0; i < 2; i++) {
		g_assert_cmpint(made.event[i]->time, ==, 1007 + i);
		g_assert_cmpint(A(made.event[i]), ==, 0xabc + i);
		g_assert_cmpuint(made.event[i]->v[WP_NET_QUEUE_LEN].u, ==, values[i]);
	}
}

/* Naturally aligned: how much is left out depends on where the event begins. */
static void test_alignment(void)
{
	static const guint8 bytes[] = {
		/* clang-format off */
		HEAD_LE(8 * 44),
		0, 1, 0xaa, 0xaa,                /* header at 12, to 16 */
		7, 0xaa, 0xaa, 0xaa, 9, 0, 0, 0, /* a at 16, b at 20 */
		5, 0,                            /* c at 24 */
		0, 2,                            /* header at 26: nothing to leave out */
		8, 0xaa, 0xaa, 0xaa, 10, 0, 0, 0,
		6, 0,
		0, 3, 9, 0xaa, 0xaa, 0xaa,       /* header at 38; b at 44: cut */
		/* clang-format on */
	};
	g_auto(Made) made = {0};

	make(&made,
	     TRACE_LE STREAM EVENT("u8 a; integer { size = 32; align = 32; } b;"
				   "integer { size = 16; align = 16; } c;"),
	     bytes, sizeof(bytes));
	g_assert_cmpuint(made.batch.n, ==, 2);
	for (guint i = 0; i < 2; i++) {
		g_assert_cmpint(A(made.event[i]), ==, 7 + i);
		g_assert_cmpint(B(made.event[i]), ==, 9 + i);
		g_assert_cmpint(made.event[i]->v[WP_NET_QUEUE_PROTOCOL].i, ==, 5 + i);
	}
	/* The third event reaches behind the packet's end. */
	g_assert_true(found(&made, "damaged-packet"));
}

/* Structures align even when they are empty, arrays even when they have no elements. */
static void test_empty_aligns(void)
{
	static const guint8 bytes[] = {
		/* clang-format off */
		HEAD_LE(8 * 21),
		0, 1, 0xaa, 0xaa, /* the whole has the array's alignment: it begins at 16 */
		7, 0xaa,          /* a; the empty structure at 18 */
		9, 0xaa,          /* b; the array of none at 20 */
		3,
		/* clang-format on */
	};
	g_auto(Made) made = {0};

	make(&made,
	     TRACE_LE STREAM EVENT("u8 a; struct { } align(16) e; u8 b;"
				   "integer { size = 32; align = 32; } none[0]; u8 c;"),
	     bytes, sizeof(bytes));
	g_assert_cmpuint(made.batch.n, ==, 1);
	g_assert_cmpint(A(made.event[0]), ==, 7);
	g_assert_cmpint(B(made.event[0]), ==, 9);
	g_assert_cmpint(made.event[0]->v[WP_NET_QUEUE_PROTOCOL].i, ==, 3);
}

/* ---- strings, arrays, sequences ---- */

static void test_strings(void)
{
	static const guint8 bytes[] = {
		/* clang-format off */
		HEAD_LE(8 * 32),
		0, 1, 'a', 'b', 0, 'x', 0, 5,
		0, 2, 0, 0, 6,
		0, 3, 'c', 0, 'y', 'z', 0,
		/* clang-format on */
	};
	g_auto(Made) made = {0};

	make(&made, TRACE_LE STREAM EVENT("string s; string t; u8 a;"), bytes, sizeof(bytes));
	g_assert_cmpuint(made.batch.n, ==, 2);
	g_assert_cmpstr(DEV(made.event[0]), ==, "ab");
	g_assert_cmpint(A(made.event[0]), ==, 5);
	g_assert_cmpstr(DEV(made.event[1]), ==, "");
	g_assert_cmpint(A(made.event[1]), ==, 6);
	/* The third one's number lies behind the end. */
	g_assert_true(found(&made, "damaged-packet"));
}

static void test_texts(void)
{
	static const guint8 bytes[] = {
		/* clang-format off */
		HEAD_LE(8 * 31),
		0, 1, 'a', 'b', 0, 1,
		0, 2, 'a', 'b', 'c', 2,
		0, 3, 0, 'x', 0, 3,
		0,
		/* clang-format on */
	};
	g_auto(Made) made = {0};

	make(&made, TRACE_LE STREAM EVENT("ch s[3]; u8 a;"), bytes, sizeof(bytes));
	g_assert_cmpuint(made.batch.n, ==, 3);
	g_assert_cmpstr(DEV(made.event[0]), ==, "ab");
	g_assert_cmpstr(DEV(made.event[1]), ==, "abc");
	g_assert_cmpint(A(made.event[1]), ==, 2);
	g_assert_cmpstr(DEV(made.event[2]), ==, "");
}

static void test_sequences(void)
{
	static const guint8 bytes[] = {
		/* clang-format off */
		HEAD_LE(8 * 36),
		0, 1, 2, 1, 0, 2, 0, 3, 'x', 'y', 'z', 7,
		0, 2, 0, 0, 8,
		0, 3, 1, 9, 9, 1, 0, 9,
		/* clang-format on */
	};
	g_auto(Made) made = {0};

	make(&made, TRACE_LE STREAM EVENT("u8 n; u16 numbers[n]; u8 m; ch s[m]; u8 a;"), bytes,
	     sizeof(bytes) - 1);
	g_assert_cmpuint(made.batch.n, ==, 2);
	g_assert_cmpstr(DEV(made.event[0]), ==, "xyz");
	g_assert_cmpint(A(made.event[0]), ==, 7);
	g_assert_cmpstr(DEV(made.event[1]), ==, "");
	g_assert_cmpint(A(made.event[1]), ==, 8);
}

/* Elements that differ in size, in arrays within sequences. */
static void test_loops(void)
{
	static const guint8 bytes[] = {
		/* clang-format off */
		HEAD_LE(8 * 37),
		0, 1, 2, 'a', 0, 0, 'b', 'c', 0, 'd', 0, 3, 7, 7, 7, 5,
		0, 2, 0, 1, 7, 6,
		0, 3, 0,
		/* clang-format on */
	};
	g_auto(Made) made = {0};

	/* n pairs of strings; then structures with their own lengths */
	make(&made,
	     TRACE_LE STREAM EVENT("u8 n; string pairs[n][2];"
				   "struct { u8 k; u8 bytes[k]; } one[1]; u8 a;"),
	     bytes, sizeof(bytes));
	g_assert_cmpuint(made.batch.n, ==, 2);
	g_assert_cmpint(A(made.event[0]), ==, 5);
	g_assert_cmpint(A(made.event[1]), ==, 6);
}

/* Lengths that lie: no time or memory is spent on them. */
static void test_huge_lengths(void)
{
	static const gchar *const fields[] = {
		"u64 n; u8 x[n]; u8 a;",
		"u64 n; u64 x[n]; u8 a;",
		"u64 n; string x[n]; u8 a;",
		"u64 n; ch s[n]; u8 a;",
		"s64 n; struct { u64 m; struct { u64 k; u8 y[k]; } x[m]; } x[n]; u8 a;",
	};
	static const guint8 bytes[] = {
		HEAD_LE(8 * 40),
		0,
		1,
		0xff,
		0xff,
		0xff,
		0xff,
		0xff,
		0xff,
		0xff,
		0xff,
		0xff,
		0xff,
		0xff,
		0xff,
		0xff,
		0xff,
		0xff,
		0xff,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
	};

	for (guint i = 0; i < G_N_ELEMENTS(fields); i++) {
		g_autofree gchar *event = g_strdup_printf(
			"%s event { name = \"e\"; id = 0; fields := struct { %s }; };",
			TRACE_LE STREAM, fields[i]);
		g_auto(Made) made = {0};

		make(&made, event, bytes, sizeof(bytes));
		g_assert_cmpuint(made.batch.n, ==, 0);
		g_assert_true(found(&made, "damaged-packet"));
	}
}

/* 2^64 elements of nothing are passed in no time. */
static void test_elements_of_nothing(void)
{
	static const guint8 bytes[] = {
		HEAD_LE(8 * 23), 0, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 7};
	static const gchar *const fields[] = {
		"u64 n; struct { } x[n]; u8 a;",
		"u64 n; struct { struct { } y[n]; } x[n]; u8 a;",
		"enum : u64 { full = 0 ... 0xffffffffffffffff } n; struct { variant <n> { struct { "
		"} "
		"full; } v; } x[n]; u8 a;",
	};

	for (guint i = 0; i < G_N_ELEMENTS(fields); i++) {
		g_autofree gchar *event = g_strdup_printf(
			"%s event { name = \"e\"; id = 0; fields := struct { %s }; };",
			TRACE_LE STREAM, fields[i]);
		g_auto(Made) made = {0};

		make(&made, event, bytes, sizeof(bytes));
		g_assert_cmpuint(made.batch.n, ==, 1);
		g_assert_cmpint(A(made.event[0]), ==, 7);
	}
}

static void test_addresses(void)
{
	static const guint8 bytes[] = {
		/* clang-format off */
		HEAD_LE(8 * 34),
		0, 1, 10, 0, 0, 1,
		0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2,
		/* clang-format on */
	};
	static const guint8 swapped[] = {
		/* clang-format off */
		HEAD_LE(8 * 34),
		0, 1, 1, 0, 0, 10,
		1, 0x20, 0xb8, 0xd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0,
		/* clang-format on */
	};
	static const guint8 counted[] = {
		HEAD_LE(8 * 27), 0, 1, 4, 10, 0, 0, 1, 3, 1, 2, 3, 0, 2, 0, 0};
	g_auto(Made) made = {0};
	g_auto(Made) made_le = {0};
	g_auto(Made) made_counted = {0};

	make(&made,
	     TRACE_LE STREAM EVENT(
		     "u8 source[4]; integer { size = 16; byte_order = be; } dest[8];"),
	     bytes, sizeof(bytes));
	make(&made_le, TRACE_LE STREAM EVENT("u32 source; u16 dest[8];"), swapped, sizeof(swapped));
	for (guint i = 0; i < 2; i++) {
		const WpEvent *event = i ? made_le.event[0] : made.event[0];

		g_assert_true(WP_EVENT_HAS(event, WP_NET_QUEUE_SADDR));
		g_assert_true(WP_EVENT_HAS(event, WP_NET_QUEUE_DADDR));
		g_assert_cmpuint(event->v[WP_NET_QUEUE_SADDR].u, ==, 0);
		g_assert_cmpuint(event->v[WP_NET_QUEUE_SADDR_LOW].u, ==, 0x0a000001);
		g_assert_cmpuint(event->v[WP_NET_QUEUE_DADDR].u, ==, 0x20010db800000000u);
		g_assert_cmpuint(event->v[WP_NET_QUEUE_DADDR_LOW].u, ==, 2);
	}
	/* By a length: 4 bytes are an address, 3 are none. */
	make(&made_counted, TRACE_LE STREAM EVENT("u8 n; u8 source[n]; u8 m; u8 dest[m];"), counted,
	     sizeof(counted));
	g_assert_cmpuint(made_counted.batch.n, ==, 2);
	g_assert_cmpuint(made_counted.event[0]->v[WP_NET_QUEUE_SADDR_LOW].u, ==, 0x0a000001);
	g_assert_false(WP_EVENT_HAS(made_counted.event[0], WP_NET_QUEUE_DADDR));
	g_assert_false(WP_EVENT_HAS(made_counted.event[1], WP_NET_QUEUE_SADDR));
}

/* ---- enumerations and variants ---- */

static void test_labels(void)
{
	static const guint8 bytes[] = {HEAD_LE(8 * 24), 0, 1, 0xff, 0, 2, 7, 0, 3, 3, 0, 4, 100};
	g_auto(Made) made = {0};

	make(&made,
	     TRACE_LE STREAM
	     "event { name = \"l\"; id = 0; fields := struct {"
	     "enum : s8 { \"below\" = -5 ... -1, first = 0 ... 9, second = 7 } _tag; }; };",
	     bytes, sizeof(bytes));
	g_assert_cmpuint(made.batch.n, ==, 4);
	g_assert_cmpint(made.event[0]->v[WP_SCHED_SWITCH_PREV_STATE].i, ==, -1);
	g_assert_cmpstr(made.event[0]->v[WP_SCHED_SWITCH_PREV_STATE_LABEL].s, ==, "below");
	g_assert_cmpstr(made.event[1]->v[WP_SCHED_SWITCH_PREV_STATE_LABEL].s, ==, "first");
	g_assert_cmpint(made.event[3]->v[WP_SCHED_SWITCH_PREV_STATE].i, ==, 100);
	g_assert_false(WP_EVENT_HAS(made.event[3], WP_SCHED_SWITCH_PREV_STATE_LABEL));
	/* Constants of the layout. */
	g_assert_cmpstr(made.event[3]->v[WP_SCHED_SWITCH_PREV_COMM].s, ==, "fixed");
	g_assert_cmpint(made.event[3]->v[WP_SCHED_SWITCH_NEXT_PRIO].i, ==, -7);
}

/* What nobody asks for is passed, and not given. */
static void test_left_out(void)
{
	static const guint8 bytes[] = {
		HEAD_LE(8 * 28), 0, 1, 'h', 'i', 0, 7, 8, 9, 0, 2, 0, 10, 11, 12};
	g_auto(Made) made = {.left_out = 1u << WP_NET_QUEUE_DEV | 1u << WP_NET_QUEUE_LEN};

	make(&made, TRACE_LE STREAM EVENT("string s; u8 a; u8 b; u8 c;"), bytes, sizeof(bytes));
	g_assert_cmpuint(made.batch.n, ==, 2);
	for (guint i = 0; i < 2; i++)
		g_assert_cmpuint(made.event[i]->present, ==,
				 1u << WP_NET_QUEUE_SKB | 1u << WP_NET_QUEUE_PROTOCOL);
	g_assert_cmpint(A(made.event[0]), ==, 7);
	g_assert_cmpint(A(made.event[1]), ==, 10);
	g_assert_cmpint(made.event[1]->v[WP_NET_QUEUE_PROTOCOL].i, ==, 12);
}

#define OPTIONS "{ struct { u8 a; string s; } _x; struct { u8 c; u16 a; } y; struct { } z; }"

static void test_variant(void)
{
	static const guint8 bytes[] = {
		/* clang-format off */
		HEAD_LE(8 * 34),
		0, 1, 1, 7, 'h', 'i', 0, 50,
		0, 2, 2, 8, 9, 1, 51,
		0, 3, 4, 52, /* z, by its second range */
		0, 4, 9, /* none */
		/* clang-format on */
	};
	g_auto(Made) made = {0};

	make(&made,
	     TRACE_LE STREAM EVENT("enum : u8 { x = 1, _y = 2, z = 3, z = 4 ... 5 } tag;"
				   "variant <tag> " OPTIONS " _v; u8 b;"),
	     bytes, sizeof(bytes));
	g_assert_cmpuint(made.batch.n, ==, 3);
	g_assert_cmpint(A(made.event[0]), ==, 7);
	g_assert_cmpstr(DEV(made.event[0]), ==, "hi");
	g_assert_cmpint(B(made.event[0]), ==, 50);
	g_assert_cmpint(A(made.event[1]), ==, 0x109);
	g_assert_cmpint(made.event[1]->v[WP_NET_QUEUE_PROTOCOL].i, ==, 8);
	g_assert_false(WP_EVENT_HAS(made.event[1], WP_NET_QUEUE_DEV));
	g_assert_cmpint(B(made.event[1]), ==, 51);
	g_assert_false(WP_EVENT_HAS(made.event[2], WP_NET_QUEUE_SKB));
	g_assert_cmpint(B(made.event[2]), ==, 52);
	g_assert_true(found(&made, "damaged-packet"));
}

/* Tags and lengths in other scopes, by absolute and relative paths. */
static void test_scopes(void)
{
	static const gchar metadata[] = TRACE_LE
		"stream { id = 0; packet.context := struct { u32 content_size; u32 packet_size; u8 "
		"p; };"
		" event.header := struct { u8 id; time8 timestamp; struct { u8 n; } h; };"
		" event.context := struct { u8 sc; enum : u8 { x = 1, y = 2 } st; }; };"
		"event { name = \"e\"; id = 0; context := struct { u8 ec; };"
		" fields := struct { ch s[stream.event.header.h.n]; u8 "
		"one[stream.packet.context.p];"
		" u8 two[sc]; u8 three[event.context.ec];"
		" struct { u8 k; struct { u8 four[k]; u8 five[event.fields.in.k]; } deep; u8 b; } "
		"in;"
		" variant <stream.event.context.st> " OPTIONS " v; }; };";
	static const guint8 bytes[] = {
		/* clang-format off */
		MAGIC_LE, 0, 1, 0, 0, 0, 1, 0, 0, 1, /* 256 bits; p = 1 */
		0, 1, 2, /* header: n = 2 */
		1, 2, /* sc = 1, st = y */
		2, /* ec = 2 */
		'o', 'k', 9, 8, 7, 7, 1, 6, 6, 77, 42, 3, 1,
		/* clang-format on */
	};
	g_auto(Made) made = {0};

	make(&made, metadata, bytes, sizeof(bytes) - 1);
	g_assert_cmpuint(made.batch.n, ==, 0);
	g_assert_true(found(&made, "cut-stream"));

	g_auto(Made) whole = {0};

	make(&whole, metadata, bytes, sizeof(bytes));
	g_assert_cmpuint(whole.batch.n, ==, 1);
	g_assert_cmpstr(DEV(whole.event[0]), ==, "ok");
	g_assert_cmpint(B(whole.event[0]), ==, 77);
	g_assert_cmpint(whole.event[0]->v[WP_NET_QUEUE_PROTOCOL].i, ==, 42);
	g_assert_cmpint(A(whole.event[0]), ==, 0x103);
}

static void test_bad_references(void)
{
	static const gchar *const fields[] = {
		"u8 a[later]; u8 later;",
		"u8 a[nowhere];",
		"string n; u8 a[n];",
		"u8 tag; variant <tag> { u8 x; } v;",
		"variant { u8 x; } v;",
		"u8 a[event.fields.a];",
		"floating_point { exp_dig = 8; mant_dig = 24; } n; u8 a[n];",
	};
	static const guint8 bytes[] = {HEAD_LE(8 * 12)};

	for (guint i = 0; i < G_N_ELEMENTS(fields); i++) {
		g_autofree gchar *metadata = g_strdup_printf(
			"%s event { name = \"e\"; id = 0; fields := struct { %s }; };",
			TRACE_LE STREAM, fields[i]);
		g_autoptr(GError) error = NULL;
		g_auto(Made) made = {0};

		try_make(&made, metadata, bytes, sizeof(bytes), &error);
		g_assert_error(error, WP_ERROR, WP_ERROR_DECLINED);
		g_assert_null(made.reader);
	}
}

/* ---- LTTng's event headers ---- */

#define LTTNG_HEADER(id_size, ids, escape, time_size, align, id_align)                             \
	"stream { id = 0; packet.context := struct { u64 timestamp_begin; u32 content_size;"       \
	" u32 packet_size; };"                                                                     \
	" event.header := struct { enum : integer { size = " id_size "; align = " id_align "; }"   \
	" { compact = 0 ... " ids ", extended = " escape " } id; variant <id> {"                   \
	" struct { integer { size = " time_size "; align = " align "; map = clock.c.value; }"      \
	" timestamp; } compact; struct { integer { size = 32; align = 8; } id;"                    \
	" integer { size = 64; align = 8; map = clock.c.value; } timestamp; } extended; } v; }"    \
	" align(8); };"                                                                            \
	"event { name = \"e\"; id = 2; fields := struct { u8 a; }; };"                             \
	"event { name = \"e\"; id = 300; fields := struct { u16 a; }; };"

static void put(GByteArray *bytes, guint64 value, guint size, gboolean be)
{
	for (guint i = 0; i < size; i++) {
		guint8 byte = (guint8)(value >> 8 * (be ? size - 1 - i : i));

		g_byte_array_append(bytes, &byte, 1);
	}
}

typedef struct {
	guint id_bits, time_bits;
	gboolean be;
	guint padding; /* bytes behind the content: with many the fast way is taken */
} HeaderCase;

/* One event: the short form where a 32- or 48-bit head holds it, else the long one. */
static void put_event(GByteArray *bytes, const HeaderCase *c, gboolean short_form, guint64 ticks)
{
	const guint64 time = ticks & ((G_GUINT64_CONSTANT(1) << c->time_bits) - 1);
	const guint64 id = short_form ? 2 : (1u << c->id_bits) - 1;

	if (c->id_bits == 16) {
		put(bytes, id, 2, c->be);
		if (short_form)
			put(bytes, time, 4, c->be);
	} else if (short_form) {
		put(bytes, c->be ? id << 27 | time : time << 5 | id, 4, c->be);
	} else {
		put(bytes, c->be ? id << 3 : id, 1, c->be);
	}
	if (!short_form) {
		put(bytes, 300, 4, c->be);
		put(bytes, ticks, 8, c->be);
	}
	put(bytes, short_form ? 7 : 0x109, short_form ? 1 : 2, c->be);
}

/* Short times wrap: each is the first such one not before the event before. */
static void test_lttng_headers(void)
{
	static const HeaderCase cases[] = {
		{5, 27, FALSE, 64}, {5, 27, TRUE, 64}, {16, 32, FALSE, 64}, {16, 32, TRUE, 64},
		{5, 27, FALSE, 0},  {5, 27, TRUE, 0},  {16, 32, FALSE, 0},  {16, 32, TRUE, 0},
	};
	static const struct {
		gboolean short_form;
		guint64 ticks;
	} events[] = {{TRUE, 0x1007fffff0},
		      {TRUE, 0x1008000005},
		      {TRUE, 0x1008000005},
		      {FALSE, 0x1123456789},
		      {TRUE, 0x1123456790}};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		const HeaderCase *c = &cases[i];
		g_autoptr(GByteArray) events_bytes = g_byte_array_new();
		g_autoptr(GByteArray) bytes = g_byte_array_new();
		g_auto(Made) made = {0};

		for (guint e = 0; e < G_N_ELEMENTS(events); e++)
			put_event(events_bytes, c, events[e].short_form, events[e].ticks);
		put(bytes, 0xc1fc1fc1, 4, c->be);
		put(bytes, 0x1007ffffe0, 8, c->be);
		put(bytes, (20 + events_bytes->len) * 8, 4, c->be);
		put(bytes, (20 + events_bytes->len + c->padding) * 8, 4, c->be);
		g_byte_array_append(bytes, events_bytes->data, events_bytes->len);
		for (guint p = 0; p < c->padding; p++)
			put(bytes, 0xff, 1, FALSE);
		make(&made,
		     c->id_bits == 5
			     ? c->be ? TRACE_BE LTTNG_HEADER("5", "30", "31", "27", "1", "1")
				     : TRACE_LE LTTNG_HEADER("5", "30", "31", "27", "1", "1")
		     : c->be ? TRACE_BE LTTNG_HEADER("16", "65534", "65535", "32", "8", "8")
			     : TRACE_LE LTTNG_HEADER("16", "65534", "65535", "32", "8", "8"),
		     bytes->data, bytes->len);
		g_assert_cmpuint(made.batch.n, ==, G_N_ELEMENTS(events));
		for (guint e = 0; e < G_N_ELEMENTS(events); e++) {
			g_assert_cmpint(made.event[e]->time, ==, 1000 + (gint64)events[e].ticks);
			g_assert_cmpint(A(made.event[e]), ==, events[e].short_form ? 7 : 0x109);
		}
	}
}

/* ---- clocks, contexts, CPUs ---- */

static void test_clock(void)
{
	static const guint8 bytes[] = {
		HEAD_LE(8 * 26), 0, 10, 0, 0, 0, 7, 0, 0x40, 0x42, 0x0f, 0, 8};
	g_auto(Made) made = {0};

	/* 1 MHz: 10 ticks are 10 us, 1,000,000 ticks a second. */
	make(&made,
	     TYPES
	     "trace { major = 1; minor = 8; byte_order = le; packet.header := struct {"
	     " u32 magic; }; };"
	     "clock { name = m; freq = 1000000; offset_s = 5; offset = -3; };"
	     "stream { packet.context := struct { u32 content_size; u32 packet_size; };"
	     " event.header := struct { u8 id; integer { size = 32; map = clock.m.value; } t; };"
	     " };" EVENT("u8 a;"),
	     bytes, sizeof(bytes) - 2);
	g_assert_cmpuint(made.batch.n, ==, 1);
	g_assert_cmpint(made.event[0]->time, ==, 5 * WP_NS_PER_S + 7 * WP_NS_PER_US);
	g_assert_cmpint(A(made.event[0]), ==, 7);
}

/* The CPU: of the packet's context, else of the event. */
static void test_cpu(void)
{
	static const guint8 in_packet[] = {MAGIC_LE, 8 * 16, 0, 0, 0, 8 * 16, 0, 0, 0, 5, 0, 1, 7};
	static const guint8 in_event[] = {HEAD_LE(8 * 20), 0, 1, 7, 3, 0, 2, 8, 4};
	g_auto(Made) packet = {0};
	g_auto(Made) event = {0};

	make(&packet,
	     TRACE_LE
	     "stream { packet.context := struct { u32 content_size; u32 packet_size;"
	     " u8 cpu_id; }; event.header := struct { u8 id; time8 timestamp; }; };" EVENT("u8 a;"),
	     in_packet, sizeof(in_packet));
	g_assert_cmpuint(packet.event[0]->cpu, ==, 5);
	g_assert_cmpuint(packet.reader->info.n_cpus, ==, 1);
	make(&event, TRACE_LE STREAM EVENT("u8 a; u8 perf_cpu;"), in_event, sizeof(in_event));
	g_assert_cmpuint(event.batch.n, ==, 2);
	g_assert_cmpuint(event.event[0]->cpu, ==, 3);
	g_assert_cmpuint(event.event[1]->cpu, ==, 4);
}

/* What a trace need not have: ids, sizes of packets, times, headers at all. */
static void test_bare(void)
{
	static const guint8 bytes[] = {7, 8, 9};
	g_auto(Made) made = {0};

	make(&made,
	     TYPES "trace { major = 1; minor = 8; byte_order = le; }; stream { };"
		   "event { name = \"e\"; fields := struct { u8 a; }; };",
	     bytes, sizeof(bytes));
	g_assert_cmpuint(made.batch.n, ==, 3);
	g_assert_cmpint(A(made.event[0]), ==, 7);
	g_assert_cmpint(A(made.event[2]), ==, 9);
}

/* Events that no layout knows are passed by their size, whatever it depends on. */
static void test_skipped(void)
{
	static const guint8 bytes[] = {
		/* clang-format off */
		HEAD_LE(8 * 46),
		1, 1, 0xee, 0xee, 0xee, 0xee,
		2, 2, 'x', 0, 2, 1, 2,
		0, 3, 7,
		3, 4, 1, 0xee, 0, 9, 9, 9,
		0, 5, 8,
		4, 6,
		0, 7, 9,
		9, 8,
		/* clang-format on */
	};
	g_auto(Made) made = {0};

	make(&made,
	     TRACE_LE STREAM EVENT(
		     "u8 a;") "event { name = \"p\"; id = 1; fields := struct { u32 x; }; };"
			      "event { name = \"q\"; id = 2; fields := struct { string s; u8 n; u8 "
			      "x[n]; }; };"
			      "event { name = \"r\"; id = 3; fields := struct { enum : u8 { one = "
			      "1 } tag;"
			      " variant <tag> { u8 one; string two; } v; u8 n[4]; }; };"
			      "event { name = \"s\"; id = 4; };",
	     bytes, sizeof(bytes));
	g_assert_cmpuint(made.batch.n, ==, 3);
	for (guint i = 0; i < 3; i++)
		g_assert_cmpint(A(made.event[i]), ==, 7 + i);
	/* Id 9 is of no event. */
	g_assert_true(found(&made, "damaged-packet"));
}

/* An event without any size would come for ever. */
static void test_empty_event(void)
{
	static const guint8 bytes[] = {HEAD_LE(8 * 13), 1};
	g_auto(Made) made = {0};

	make(&made,
	     TRACE_LE "stream { packet.context := struct { u32 content_size; u32 packet_size; }; };"
		      "event { name = \"e\"; };",
	     bytes, sizeof(bytes));
	g_assert_cmpuint(made.batch.n, ==, 0);
	g_assert_true(found(&made, "damaged-packet"));
}

/* The first alternative that the event has, in the layout's order, not in the event's. */
static void test_alternatives(void)
{
	static const guint8 bytes[] = {HEAD_LE(8 * 24), 0, 1, 1, 40, 41, 42, 0, 2, 2, 41, 42};
	g_auto(Made) made = {0};

	/* skb is "a v/x/a v/y/a in/a": the variant's comes before in/a if x is selected */
	make(&made,
	     TRACE_LE STREAM EVENT("enum : u8 { x = 1, z = 2 } tag;"
				   "variant <tag> { struct { u8 a; } x; struct { } z; } v;"
				   "struct { u8 a; u8 b; } in;"),
	     bytes, sizeof(bytes) - 1);
	g_assert_cmpuint(made.batch.n, ==, 1);
	g_assert_cmpint(A(made.event[0]), ==, 40);
	g_assert_cmpint(B(made.event[0]), ==, 42);

	g_auto(Made) whole = {0};
	g_auto(Made) reversed = {0};

	make(&whole,
	     TRACE_LE STREAM EVENT("enum : u8 { x = 1, z = 2 } tag;"
				   "variant <tag> { struct { u8 a; } x; struct { } z; } v;"
				   "struct { u8 a; u8 b; } in;"),
	     bytes, sizeof(bytes));
	g_assert_cmpint(A(whole.event[0]), ==, 40);
	/* The other way round in the event: in/a comes first, the variant's wins all the same. */
	make(&reversed,
	     TRACE_LE STREAM EVENT("enum : u8 { x = 1, z = 2 } tag; struct { u8 a; u8 b; } in;"
				   "variant <tag> { struct { u8 a; } x; struct { } z; } v;"),
	     bytes, sizeof(bytes) - 0);
	g_assert_cmpint(A(reversed.event[0]), ==, 42);
	g_assert_cmpint(B(reversed.event[0]), ==, 41);
}

/* ---- packets ---- */

#define BOUNDED                                                                                    \
	"stream { packet.context := struct { u8 timestamp_begin; u8 timestamp_end;"                \
	" u8 content_size; u8 packet_size; u8 packet_seq_num; u8 events_discarded; };"             \
	" event.header := struct { u8 id; time8 timestamp; }; };"

/* Packets 1 and 4 of 13 bytes: two are missing, and the second lost 3 events. */
static void test_lost(void)
{
	static const guint8 bytes[] = {
		/* clang-format off */
		MAGIC_LE, 10, 20, 8 * 13, 8 * 13, 1, 0, 0, 12, 7,
		MAGIC_LE, 40, 60, 8 * 13, 8 * 13, 4, 3, 0, 45, 8,
		/* clang-format on */
	};
	g_auto(Made) made = {0};

	make(&made, TRACE_LE BOUNDED EVENT("u8 a;"), bytes, sizeof(bytes));
	g_assert_cmpuint(made.batch.n, ==, 4);
	g_assert_cmpint(made.event[0]->time, ==, 1012);

	const WpEvent *packets = made.event[1], *events = made.event[3];

	g_assert_cmpint(packets->kind, ==, WP_EV_LOST);
	g_assert_cmpint(packets->v[WP_LOST_BEGIN].i, ==, 1020);
	g_assert_cmpint(packets->time, ==, 1040);
	g_assert_cmpuint(packets->v[WP_LOST_PACKETS].u, ==, 2);
	g_assert_cmpint(made.event[2]->time, ==, 1045);
	/* The 3 events: before the packet (20 ticks) or in it (20 ticks): in all, 3. */
	g_assert_cmpint(events->kind, ==, WP_EV_LOST);
	g_assert_cmpint(events->time, ==, 1060);
	g_assert_cmpint(events->v[WP_LOST_BEGIN].i, <=, 1045);
	g_assert_cmpuint(packets->v[WP_LOST_COUNT].u + events->v[WP_LOST_COUNT].u, ==, 3);
	g_assert_true(found(&made, "lost-events"));
	g_assert_true(found(&made, "lost-packets"));
}

/* In the order of their times, one that is there twice once. */
static void test_order(void)
{
	static const guint8 bytes[] = {
		/* clang-format off */
		MAGIC_LE, 40, 60, 8 * 13, 8 * 13, 2, 0, 0, 45, 8,
		MAGIC_LE, 10, 20, 8 * 13, 8 * 13, 1, 0, 0, 12, 7,
		MAGIC_LE, 40, 60, 8 * 13, 8 * 13, 2, 0, 0, 45, 8,
		/* clang-format on */
	};
	g_auto(Made) made = {0};

	make(&made, TRACE_LE BOUNDED EVENT("u8 a;"), bytes, sizeof(bytes));
	g_assert_cmpuint(made.batch.n, ==, 2);
	g_assert_cmpint(made.event[0]->time, ==, 1012);
	g_assert_cmpint(made.event[1]->time, ==, 1045);
	g_assert_true(found(&made, "packets-out-of-order"));
	g_assert_true(found(&made, "repeated-packets"));
}

/* Bytes that are no packet lie between, and before the first one. */
static void test_resync(void)
{
	static const guint8 bytes[] = {
		/* clang-format off */
		1, 2, 3,
		MAGIC_LE, 10, 20, 8 * 13, 8 * 13, 1, 0, 0, 12, 7,
		0xc1, 0xc1, 0x1f, 0xfc,
		MAGIC_LE, 40, 60, 8 * 13, 8 * 13, 2, 0, 0, 45, 8,
		/* clang-format on */
	};
	g_auto(Made) made = {0};

	make(&made, TRACE_LE BOUNDED EVENT("u8 a;"), bytes, sizeof(bytes));
	g_assert_cmpuint(made.batch.n, ==, 2);
	g_assert_cmpint(A(made.event[0]), ==, 7);
	g_assert_cmpint(A(made.event[1]), ==, 8);
	g_assert_true(found(&made, "skipped-bytes"));
}

/*
 * A file that becomes shorter after it was opened: what is still there is read, and there
 * is no SIGBUS. Packets of 64 KiB, so that each has pages of its own; an event in each.
 */
static void test_shortened(void)
{
	const guint32 size = 1u << 16, n = 4;
	g_autofree guint8 *bytes = g_malloc0((gsize)size * n);
	g_autofree gchar *path = NULL;
	g_autofree gchar *layout_path = NULL;
	g_autoptr(WpLayout) layout = wp_layout_new(NULL);
	g_auto(Made) made = {0};
	guint64 done = 0;

	for (guint32 i = 0; i < n; i++) {
		const guint32 head[] = {GUINT32_TO_LE(0xc1fc1fc1), GUINT32_TO_LE(15 * 8),
					GUINT32_TO_LE(size * 8)};
		const guint8 event[] = {0, (guint8)i, 7};

		memcpy(bytes + (gsize)i * size, head, sizeof(head));
		memcpy(bytes + (gsize)i * size + sizeof(head), event, sizeof(event));
	}
	made.directory = g_dir_make_tmp("waitpath-decode-XXXXXX", NULL);
	layout_path = g_build_filename(made.directory, "layout.xml", NULL);
	path = g_build_filename(made.directory, "stream", NULL);
	write_file(&made, "layout.xml", layout_text, strlen(layout_text));
	g_assert_true(wp_layout_add_file(layout, layout_path, NULL));
	write_file(&made, "metadata", TRACE_LE STREAM EVENT("u8 a;"),
		   strlen(TRACE_LE STREAM EVENT("u8 a;")));
	write_file(&made, "stream", bytes, (gsize)size * n);
	wp_batch_init(&made.batch);
	made.reader = wp_ctf_reader_open(made.directory, layout, NULL);
	g_assert_nonnull(made.reader);
	/* Two packets and a piece of the third, whose event is gone too. */
	g_assert_cmpint(truncate(path, (off_t)size * 2 + 8), ==, 0);
	g_assert_true(wp_reader_next(made.reader, 0, &made.batch, &done, NULL));
	g_assert_cmpuint(made.batch.n, ==, 2);
	g_assert_cmpuint(done, ==, made.reader->info.n_bytes);
	g_assert_true(found(&made, "cut-stream"));
}

/* Every byte changed to several others, one after the other: it opens and ends, or it is refused. */
static void test_any_byte(void)
{
	static const guint8 good[] = {
		/* clang-format off */
		HEAD_LE(8 * 39),
		0, 1, 1, 2, 'h', 'i', 0, 3, 'x', 'y', 'z', 50, 1, 9,
		0, 2, 0, 0, 51, 2, 'q', 0,
		0, 3, 0, 0, 1,
		/* clang-format on */
	};
	static const guint8 values[] = {0, 1, 2, 0x7f, 0x80, 0xff};

	for (guint at = 0; at < sizeof(good); at++)
		for (guint v = 0; v < G_N_ELEMENTS(values); v++) {
			guint8 bytes[sizeof(good)];
			g_auto(Made) made = {0};

			memcpy(bytes, good, sizeof(good));
			bytes[at] = values[v];
			make(&made,
			     TRACE_LE STREAM EVENT(
				     "u8 n; struct { u8 k; ch s[k]; u8 m; u16 y[m]; } l[n]; u8 a;"
				     "enum : u8 { x = 0 ... 1, z = 2 } tag;"
				     "variant <tag> { u8 x; string z; } v;"),
			     bytes, sizeof(bytes));
			g_assert_cmpuint(made.batch.n, <=, 16);
		}
}

gint main(gint argc, gchar **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/ctf/decode/integers-le", test_integers_le);
	g_test_add_func("/ctf/decode/integers-be", test_integers_be);
	g_test_add_func("/ctf/decode/foreign-order", test_foreign_order);
	g_test_add_func("/ctf/decode/bits", test_bits);
	g_test_add_func("/ctf/decode/unaligned-events", test_unaligned_events);
	g_test_add_func("/ctf/decode/alignment", test_alignment);
	g_test_add_func("/ctf/decode/empty-aligns", test_empty_aligns);
	g_test_add_func("/ctf/decode/strings", test_strings);
	g_test_add_func("/ctf/decode/texts", test_texts);
	g_test_add_func("/ctf/decode/sequences", test_sequences);
	g_test_add_func("/ctf/decode/loops", test_loops);
	g_test_add_func("/ctf/decode/huge-lengths", test_huge_lengths);
	g_test_add_func("/ctf/decode/elements-of-nothing", test_elements_of_nothing);
	g_test_add_func("/ctf/decode/addresses", test_addresses);
	g_test_add_func("/ctf/decode/labels", test_labels);
	g_test_add_func("/ctf/decode/left-out", test_left_out);
	g_test_add_func("/ctf/decode/variant", test_variant);
	g_test_add_func("/ctf/decode/scopes", test_scopes);
	g_test_add_func("/ctf/decode/bad-references", test_bad_references);
	g_test_add_func("/ctf/decode/lttng-headers", test_lttng_headers);
	g_test_add_func("/ctf/decode/clock", test_clock);
	g_test_add_func("/ctf/decode/cpu", test_cpu);
	g_test_add_func("/ctf/decode/bare", test_bare);
	g_test_add_func("/ctf/decode/skipped", test_skipped);
	g_test_add_func("/ctf/decode/empty-event", test_empty_event);
	g_test_add_func("/ctf/decode/alternatives", test_alternatives);
	g_test_add_func("/ctf/decode/lost", test_lost);
	g_test_add_func("/ctf/decode/order", test_order);
	g_test_add_func("/ctf/decode/resync", test_resync);
	g_test_add_func("/ctf/decode/shortened", test_shortened);
	g_test_add_func("/ctf/decode/any-byte", test_any_byte);
	return g_test_run();
}
