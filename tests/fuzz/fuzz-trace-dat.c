/* SPDX-License-Identifier: MIT */
/* fuzz-trace-dat.c: any bytes as a file of trace-cmd, read to its end, modelled and asked. */
#include "config.h"

#include "fuzz.h"
#include "ftrace/ftrace-reader.h"
#include "ftrace/trace-dat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const gchar *path = wp_fuzz_write("trace.dat", data, size);
	g_autoptr(WpLayout) layout = wp_layout_new(NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(WpReader) reader = NULL;

	wp_trace_dat_probe(path);
	reader = wp_ftrace_reader_open(path, layout, &error);
	g_assert_true((reader != NULL) == (error == NULL));
	if (reader)
		wp_fuzz_use_trace(reader);
	return 0;
}
