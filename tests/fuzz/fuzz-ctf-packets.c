/* SPDX-License-Identifier: MIT */
/*
 * fuzz-ctf-packets.c: any bytes as the stream file of a CTF trace. The first byte chooses
 * among a few descriptions that hold every construct between them; the rest is the
 * file, once decoded in memory of exactly its size, and once read by the reader as a
 * file: index, salvage, losses.
 *
 *   ./configure CC=clang --enable-fuzzing && make tests/fuzz/fuzz-ctf-packets
 *   tests/fuzz/fuzz-ctf-packets -max_len=4096 CORPUS tests/fuzz/ctf-packets
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glib/gstdio.h>

#include "ctf/ctf-reader.h"
#include "ctf/index.h"
#include "fuzz.h"

#define TYPES                                                                                      \
	"typealias integer { size = 8; align = 8; } := u8;"                                        \
	"typealias integer { size = 16; align = 8; } := u16;"                                      \
	"typealias integer { size = 32; align = 8; } := u32;"                                      \
	"typealias integer { size = 64; align = 8; } := u64;"                                      \
	"typealias integer { size = 32; align = 8; signed = 1; } := s32;"                          \
	"typealias integer { size = 8; align = 8; encoding = UTF8; } := ch;"                       \
	"clock { name = c; freq = 1000000000; offset = 1000; };"
#define TRACE(order)                                                                               \
	"trace { major = 1; minor = 8; byte_order = " order ";"                                    \
	" packet.header := struct { u32 magic; u32 stream_id; u64 stream_instance_id; }; };"
#define CONTEXT                                                                                    \
	" packet.context := struct { integer { size = 64; map = clock.c.value; } timestamp_begin;" \
	" integer { size = 64; map = clock.c.value; } timestamp_end; u64 content_size;"            \
	" u64 packet_size; u64 packet_seq_num; u64 events_discarded; u32 cpu_id; };"
#define HEADER(size, last, escape, time)                                                           \
	" event.header := struct { enum : integer { size = " size "; }"                            \
	" { compact = 0 ... " last ", extended = " escape " } id;"                                 \
	" variant <id> { struct { integer { size = " time "; align = 1; map = clock.c.value; }"    \
	" timestamp; } compact; struct { u32 id; integer { size = 64; align = 8;"                  \
	" map = clock.c.value; } timestamp; } extended; } v; } align(8);"
#define EVENTS                                                                                     \
	"event { name = sched_switch; id = 1; fields := struct { ch _prev_comm[16]; s32 "          \
	"_prev_tid;"                                                                               \
	" s32 _prev_prio; u64 _prev_state; ch _next_comm[16]; s32 _next_tid; s32 _next_prio; }; "  \
	"};"                                                                                       \
	"event { name = net_dev_queue; id = 2; fields := struct { u64 _skbaddr; u32 _len;"         \
	" string _name; enum : u8 { \"_unknown\" = 0, \"_ipv4\" = 1, \"_ipv6\" = 2 }"              \
	" _network_header_type; variant <_network_header_type> { struct { } _unknown; struct {"    \
	" integer { size = 4; align = 4; byte_order = be; } _version;"                             \
	" integer { size = 4; align = 4; byte_order = be; } _ihl; u8 _saddr[4]; u16 n;"            \
	" u8 _daddr[n]; } _ipv4; struct { integer { size = 16; byte_order = be; } _saddr[8];"      \
	" } _ipv6; } _network_header; }; };"                                                       \
	"event { name = irq_handler_entry; id = 3; fields := struct { s32 _irq; u8 n;"             \
	" struct { string s; u8 m; u16 x[m]; integer { size = 3; align = 1; } b;"                  \
	" struct { } align(32) e; } l[n]; string _name; }; };"                                     \
	"event { name = irq_handler_exit; id = 4; fields := struct { u64 n; struct { } x[n];"      \
	" floating_point { exp_dig = 8; mant_dig = 24; } f; integer { size = 13; align = 1; } "    \
	"_irq;"                                                                                    \
	" }; };"                                                                                   \
	"event { name = syscall_entry_read; id = 5; fields := struct { u16 n; ch _text[n]; }; };"  \
	"event { name = other; id = 6; fields := struct { u16 n; string x[n][2]; }; };"            \
	"event { name = fixed; id = 7; fields := struct { integer { size = 32; align = 32; } a; "  \
	"}; };"

static const gchar *const descriptions[] = {
	TYPES TRACE("le") "stream { id = 0;" CONTEXT HEADER("5", "30", "31", "27") "};" EVENTS,
	TYPES TRACE("be") "stream { id = 0;" CONTEXT HEADER("5", "30", "31", "27") "};" EVENTS,
	TYPES TRACE("le") "stream { id = 0;" CONTEXT HEADER("16", "65534", "65535",
							    "32") "};" EVENTS,
	/* Without sizes and times; an event's own CPU; an event of no size. */
	TYPES
	"trace { major = 1; minor = 8; byte_order = le; };"
	"stream { event.header := struct { u8 id; }; event.context := struct { u8 n; }; };" EVENTS
	"event { name = timer_start; id = 8; context := struct { u32 perf_cpu; };"
	" fields := struct { u64 _timer[stream.event.context.n]; }; };",
};

#define N_DESCRIPTIONS G_N_ELEMENTS(descriptions)

static WpLayout *layout;
static gchar *directories[N_DESCRIPTIONS];
static WpCtfTrace *traces[N_DESCRIPTIONS];
static WpCtfProgram *programs[N_DESCRIPTIONS];

static void remove_directories(void)
{
	for (guint i = 0; i < N_DESCRIPTIONS; i++) {
		g_autofree gchar *metadata = g_build_filename(directories[i], "metadata", NULL);
		g_autofree gchar *stream = g_build_filename(directories[i], "stream", NULL);

		g_unlink(metadata);
		g_unlink(stream);
		g_rmdir(directories[i]);
		g_free(directories[i]);
		wp_ctf_program_free(programs[i]);
		wp_ctf_trace_free(traces[i]);
	}
	wp_layout_unref(layout);
}

static void prepare(void)
{
	if (layout)
		return;
	atexit(remove_directories);
	layout = wp_layout_new(NULL);
	for (guint i = 0; i < N_DESCRIPTIONS; i++) {
		g_autofree gchar *path = NULL;
		GError *error = NULL;

		directories[i] = g_dir_make_tmp("waitpath-fuzz-XXXXXX", NULL);
		path = g_build_filename(directories[i], "metadata", NULL);
		g_file_set_contents(path, descriptions[i], -1, NULL);
		traces[i] = wp_ctf_trace_parse(descriptions[i], strlen(descriptions[i]), "metadata",
					       &error);
		if (traces[i])
			programs[i] = wp_ctf_program_new(traces[i], layout, "metadata", &error);
		if (error)
			g_error("%s", error->message);
	}
}

/* Every text is read to its end, every record lies within its batch. */
static void check_records(const guint8 *at, gsize size, guint n)
{
	const guint8 *const end = at + size;
	guint seen = 0;
	gsize length = 0;

	for (; at < end; seen++) {
		const WpEvent *event = (const WpEvent *)(gconstpointer)at;
		WpSlotType type;

		if (event->kind >= WP_EV_N ||
		    event->n_values != wp_event_kind_n_values((WpEventKind)event->kind))
			abort();
		for (guint i = 0; i < event->n_values; i++)
			if (WP_EVENT_HAS(event, i) && wp_event_slot_name(event->kind, i, &type) &&
			    type == WP_SLOT_STRING)
				length += strlen(event->v[i].s);
		at += wp_event_size(event);
	}
	if (at != end || seen != n || length == G_MAXSIZE)
		abort();
}

/* The first packet, in memory of exactly its size. */
static void try_memory(guint which, const uint8_t *data, size_t size)
{
	static WpCtfMachine machine;
	g_autofree guint8 *exact = g_malloc(MAX(size, 1));
	g_autofree guint8 *out = g_malloc(1u << 16);
	WpCtfTimescale scale;
	WpCtfPacketHead head;
	WpBatch batch;

	memcpy(exact, data, size);
	memset(&machine, 0, sizeof(machine));
	machine.program = programs[which];
	if (wp_ctf_packet_read_head(&machine, exact, size, &head) != WP_CTF_HEAD_OK)
		return;

	const WpCtfStreamPlan *stream = &programs[which]->streams[head.stream];
	WpCtfPacketFrame frame = {
		.stream = stream, .scale = &scale, .ticks_span = G_MAXUINT64, .stop = G_MAXUINT64};
	WpCtfStatus status;

	wp_ctf_timescale_init(&scale, stream->clock);
	wp_batch_init(&batch);
	machine.batch = &batch;
	machine.end = MIN(head.content, (guint64)size * 8);
	do {
		gsize used;
		guint n;

		status = wp_ctf_machine_decode(&machine, &frame, out, 1u << 16, &used, &n);
		check_records(out, used, n);
	} while (status == WP_CTF_FULL);
	wp_batch_clear(&batch);
}

static void try_file(guint which, const uint8_t *data, size_t size)
{
	g_autofree gchar *path = g_build_filename(directories[which], "stream", NULL);
	g_autoptr(WpReader) reader = NULL;
	guint64 bytes = 0;
	WpBatch batch;

	/* In place: to make a file anew takes longer than to read it. */
	FILE *file = fopen(path, "wb");

	if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
		abort();
	reader = wp_ctf_reader_open(directories[which], layout, NULL);
	if (!reader)
		abort();
	wp_batch_init(&batch);
	for (guint stream = 0; stream < reader->info.n_streams; stream++)
		do {
			if (!wp_reader_next(reader, stream, &batch, &bytes, NULL))
				abort();
			check_records(batch.records->data, batch.records->len, batch.n);
		} while (batch.n || batch.more);
	wp_batch_clear(&batch);
	if (bytes != reader->info.n_bytes)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	prepare();
	if (size < 1)
		return 0;

	const guint which = data[0] % N_DESCRIPTIONS;

	guint sum = 0;

	try_memory(which, data + 1, size - 1);
	/* A file takes ten times as long: one input in eight, always the same ones. */
	for (size_t i = 0; i < size; i++)
		sum = sum * 33 + data[i];
	if (sum % 8 == 0)
		try_file(which, data + 1, size - 1);
	return 0;
}
