/* SPDX-License-Identifier: MIT */
/*
 * fuzz-trace.c: any bytes as a CTF trace: through our own reader, the merge, the model,
 * and the paths of what comes out. The input is a metadata file with a stream file behind
 * it; the first magic number of a stream packet parts them, so `cat metadata channel0_0`
 * makes a seed.
 */
#include "config.h"

#include <string.h>

#include "bt2/bt2-metadata.h"
#include "ctf/ctf-reader.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const size_t stream = wp_fuzz_find_stream(data, size);
	g_autoptr(WpLayout) layout = wp_layout_new(NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(WpReader) reader = NULL;

	wp_fuzz_write("metadata", data, stream);
	wp_fuzz_write("channel0_0", data + stream, size - stream);
	/* What would go to Babeltrace is looked at first. */
	wp_bt2_metadata_check(wp_fuzz_directory(), NULL);
	reader = wp_ctf_reader_open(wp_fuzz_directory(), layout, &error);
	if (reader)
		wp_fuzz_use_trace(reader);
	else
		g_assert_nonnull(error);
	return 0;
}
