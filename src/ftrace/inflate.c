/* SPDX-License-Identifier: MIT */
/* inflate.c: unpacks what trace-cmd compressed. */
#include "config.h"

#include <gio/gio.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "ftrace/trace-dat-private.h"

static gboolean inflate_zlib(const guint8 *bytes, gsize n, guint8 *out, gsize size)
{
	g_autoptr(GZlibDecompressor) zlib = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_ZLIB);
	gsize n_read = 0, n_written = 0, n_in, n_out;
	GConverterResult result = G_CONVERTER_CONVERTED;

	while (result == G_CONVERTER_CONVERTED && n_written < size) {
		result = g_converter_convert(G_CONVERTER(zlib), bytes + n_read, n - n_read,
					     out + n_written, size - n_written,
					     G_CONVERTER_INPUT_AT_END, &n_in, &n_out, NULL);
		if (result == G_CONVERTER_ERROR)
			return FALSE;
		n_read += n_in;
		n_written += n_out;
	}
	return n_written == size;
}

static gboolean inflate_zstd(const guint8 *bytes, gsize n, guint8 *out, gsize size)
{
#ifdef HAVE_ZSTD
	return ZSTD_decompress(out, size, bytes, n) == size;
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
