/* SPDX-License-Identifier: MIT */
/*
 * fuzz-index.c: any bytes as the index that LTTng writes beside a stream, compared with one,
 * three and no packets. Beside the good seeds only chance makes it fit; what it must never
 * do is to read behind its end.
 */
#include "config.h"

#include <stdlib.h>

#include <glib/gstdio.h>

#include "ctf/lttng-index.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const WpCtfExtent extents[] = {{0, 4096}, {4096, 8192}, {12288, 4096}};
	static const guint counts[] = {0, 1, 3};
	g_autofree gchar *folder = g_build_filename(wp_fuzz_directory(), "index", NULL);

	g_mkdir(folder, 0700);
	wp_fuzz_write("index/stream.idx", data, size);
	for (guint i = 0; i < G_N_ELEMENTS(counts); i++)
		if (wp_ctf_lttng_index_check(wp_fuzz_directory(), "stream", extents, counts[i]) ==
		    (size ? WP_CTF_INDEX_NONE : WP_CTF_INDEX_FITS))
			abort();
	return 0;
}
