/* SPDX-License-Identifier: MIT */
/*
 * lttng-index.c: reads an index file. It is big-endian: magic number, major, minor, size
 * of an entry (32 bits each); then entries, which begin with offset in bytes and
 * packet size in bits (64 bits each).
 */
#include "config.h"

#include <string.h>

#include "ctf/lttng-index.h"

#define INDEX_MAGIC 0xc1f1dcc1u
#define HEADER_BYTES 16u
#define ENTRY_BYTES_MIN 16u
/* 72 bytes for each packet of 4 KiB in a stream of 900 GiB. */
#define INDEX_BYTES_MAX (1u << 24)

static guint32 load32(const gchar *p)
{
	guint32 value;

	memcpy(&value, p, sizeof(value));
	return GUINT32_FROM_BE(value);
}

static guint64 load64(const gchar *p)
{
	guint64 value;

	memcpy(&value, p, sizeof(value));
	return GUINT64_FROM_BE(value);
}

static gboolean fits(const gchar *index, gsize length, const WpCtfExtent *extents, guint n)
{
	if (length < HEADER_BYTES || load32(index) != INDEX_MAGIC)
		return FALSE;

	const gsize entry = load32(index + 12);

	if (entry < ENTRY_BYTES_MIN || (length - HEADER_BYTES) / entry != n)
		return FALSE;
	for (guint i = 0; i < n; i++) {
		const gchar *p = index + HEADER_BYTES + i * entry;

		if (load64(p) != extents[i].offset || load64(p + 8) / 8 != extents[i].size)
			return FALSE;
	}
	return TRUE;
}

WpCtfIndexState wp_ctf_lttng_index_check(const gchar *directory, const gchar *stream,
					 const WpCtfExtent *extents, guint n)
{
	g_autofree gchar *name = g_strconcat(stream, ".idx", NULL);
	g_autofree gchar *path = g_build_filename(directory, "index", name, NULL);
	g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, NULL);

	if (!file || g_mapped_file_get_length(file) > INDEX_BYTES_MAX)
		return WP_CTF_INDEX_NONE;
	return fits(g_mapped_file_get_contents(file), g_mapped_file_get_length(file), extents, n)
		       ? WP_CTF_INDEX_FITS
		       : WP_CTF_INDEX_STALE;
}
