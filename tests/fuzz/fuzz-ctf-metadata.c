/* SPDX-License-Identifier: MIT */
/*
 * fuzz-ctf-metadata.c: any bytes as the metadata file of a CTF trace, in packets or not:
 * refused with a sentence, or made into a program.
 *
 *   ./configure CC=clang --enable-fuzzing && make tests/fuzz/fuzz-ctf-metadata
 *   tests/fuzz/fuzz-ctf-metadata -max_len=16384 CORPUS tests/fuzz/ctf-metadata
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ctf/metadata.h"
#include "ctf/program.h"
#include "fuzz.h"

/* What cannot be must come with an error, what can must not. */
static void check(gconstpointer result, const GError *error)
{
	if (!result == !error)
		abort();
}

static void try_text(const gchar *text, gsize length)
{
	static WpLayout *layout;
	g_autoptr(GError) error = NULL;
	g_autoptr(WpCtfTrace) trace = wp_ctf_trace_parse(text, length, "metadata", &error);

	check(trace, error);
	if (!trace)
		return;
	if (!layout) {
		layout = wp_layout_new(NULL);
		wp_layout_add_marker(layout, "*", "id");
	}

	g_autoptr(WpCtfProgram) program = wp_ctf_program_new(trace, layout, "metadata", &error);

	check(program, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	gint fd = memfd_create("metadata", MFD_CLOEXEC);
	g_autofree gchar *path = g_strdup_printf("/proc/self/fd/%d", fd);
	g_autoptr(WpFindings) findings = wp_findings_new();
	g_autoptr(GError) error = NULL;
	g_autofree gchar *text = NULL;
	gsize length = 0;

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	text = wp_ctf_metadata_read(path, findings, &length, &error);
	close(fd);
	check(text, error);
	if (text) {
		/* Of exactly its size, so that reading behind it is seen. */
		g_autofree gchar *exact = g_malloc(MAX(length, 1));

		memcpy(exact, text, length);
		try_text(exact, length);
	}
	return 0;
}
