/* SPDX-License-Identifier: MIT */
/*
 * fuzz-ctf-packets.c: any bytes as the stream file of a CTF trace. The first byte chooses
 * among a few descriptions that hold every construct between them; the rest is the
 * file, once decoded in memory of exactly its size, and once read by the reader as a
 * file: index, salvage, losses; and the events in the middle of it once more, in words.
 *
 *   ./configure CC=clang --enable-fuzzing && make tests/fuzz/fuzz-ctf-packets
 *   tests/fuzz/fuzz-ctf-packets -max_len=4096 CORPUS tests/fuzz/ctf-packets
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glib/gstdio.h>

#include "ctf-descriptions.h"
#include "ctf/ctf-reader.h"
#include "ctf/excerpt.h"
#include "ctf/index.h"
#include "fuzz.h"

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

/* What is shown of the events around a time is text that can be shown. */
static void try_excerpt(guint which, WpTime time)
{
	g_autoptr(WpCtfExcerpt) excerpt = wp_ctf_excerpt_open(directories[which], layout, NULL);
	g_autoptr(GPtrArray)
		events = g_ptr_array_new_with_free_func((GDestroyNotify)wp_raw_event_free);

	if (!excerpt || !wp_ctf_excerpt_read(excerpt, time, 20, events, NULL, NULL))
		abort();
	for (guint i = 0; i < events->len; i++) {
		g_autofree gchar *text = wp_raw_event_dup_text(events->pdata[i]);

		if (!g_utf8_validate(text, -1, NULL))
			abort();
	}
}

static void try_file(guint which, const uint8_t *data, size_t size)
{
	g_autofree gchar *path = g_build_filename(directories[which], "stream", NULL);
	g_autoptr(WpReader) reader = NULL;
	guint64 bytes = 0;
	WpTime middle = 0;
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
			if (batch.n)
				middle =
					((const WpEvent *)(gconstpointer)batch.records->data)->time;
		} while (batch.n || batch.more);
	wp_batch_clear(&batch);
	if (bytes != reader->info.n_bytes)
		abort();
	try_excerpt(which, middle);
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
