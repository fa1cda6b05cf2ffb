/* SPDX-License-Identifier: MIT */
/* inflate.c: unpacks what trace-cmd compressed. */
#include "config.h"

#define ZLIB_CONST
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "base/late-library.h"
#include "ftrace/trace-dat-private.h"

#define ZLIB_FUNCTIONS(F) F(inflate) F(inflateEnd) F(inflateInit_)
WP_LATE_FUNCTIONS(ZlibFunctions, get_zlib, ZLIB_FUNCTIONS, WP_SONAME_ZLIB, "zlib1g",
		  "A file of trace-cmd that zlib compressed")

#ifdef HAVE_ZSTD
#define ZSTD_FUNCTIONS(F) F(ZSTD_decompress)
WP_LATE_FUNCTIONS(ZstdFunctions, get_zstd, ZSTD_FUNCTIONS, WP_SONAME_ZSTD, "libzstd1",
		  "A file of trace-cmd that zstd compressed")
#endif

gboolean wp_ftrace_inflate_prepare(WpFtraceCompression compression, GError **error)
{
	if (compression == WP_FTRACE_ZLIB)
		return get_zlib(error) != NULL;
#ifdef HAVE_ZSTD
	if (compression == WP_FTRACE_ZSTD)
		return get_zstd(error) != NULL;
#endif
	return TRUE;
}

/* What is behind the first size bytes doesn't matter. */
static gboolean inflate_zlib(const guint8 *bytes, gsize n, guint8 *out, gsize size)
{
	const ZlibFunctions *zlib = get_zlib(NULL);
	z_stream stream = {
		.next_in = bytes,
		.avail_in = (uInt)MIN(n, G_MAXUINT),
		.next_out = out,
		.avail_out = (uInt)size,
	};
	int result;

	if (size == 0)
		return TRUE;
	if (!zlib || zlib->inflateInit_(&stream, ZLIB_VERSION, (int)sizeof(stream)) != Z_OK)
		return FALSE;
	result = zlib->inflate(&stream, Z_NO_FLUSH);
	zlib->inflateEnd(&stream);
	return (result == Z_OK || result == Z_STREAM_END) && stream.avail_out == 0;
}

static gboolean inflate_zstd(const guint8 *bytes, gsize n, guint8 *out, gsize size)
{
#ifdef HAVE_ZSTD
	const ZstdFunctions *zstd = get_zstd(NULL);

	return zstd && zstd->ZSTD_decompress(out, size, bytes, n) == size;
#else
	/* wp_trace_dat_open() has declined such a file */
	(void)bytes, (void)n, (void)out, (void)size;
	return FALSE;
#endif
}

GBytes *wp_ftrace_inflate(WpFtraceCompression compression, const guint8 *bytes, gsize n, gsize size,
			  GError **error)
{
	guint8 *out;
	gboolean ok;

	if (size > WP_FTRACE_INFLATE_MAX) {
		g_set_error(error, WP_ERROR, WP_ERROR_LIMIT,
			    "a piece claims to unpack to %" G_GSIZE_FORMAT
			    " bytes, more than the %u that are allowed",
			    size, WP_FTRACE_INFLATE_MAX);
		return NULL;
	}
	out = g_try_malloc(MAX(size, 1));
	if (!out) {
		g_set_error(error, WP_ERROR, WP_ERROR_LIMIT,
			    "no memory for a piece of %" G_GSIZE_FORMAT " bytes", size);
		return NULL;
	}
	ok = compression == WP_FTRACE_ZSTD ? inflate_zstd(bytes, n, out, size)
					   : inflate_zlib(bytes, n, out, size);
	if (!ok) {
		g_free(out);
		g_set_error_literal(error, WP_ERROR, WP_ERROR_FAILED,
				    "a compressed piece can't be unpacked");
		return NULL;
	}
	return g_bytes_new_take(out, size);
}
