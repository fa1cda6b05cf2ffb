/* SPDX-License-Identifier: MIT */
/*
 * bt2-metadata.c: a walk over the packets of a metadata file.
 *
 * LTTng writes metadata in packets: a header of 37 bytes (magic number, UUID, checksum,
 * content and packet size in bits, ...), text, padding. Metadata may be plain text
 * instead, which needs no check: Babeltrace parses it and says what is wrong.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "bt2/bt2-metadata.h"

#define METADATA_MAGIC 0x75d11d57u
#define HEADER_BYTES 37
/* Babeltrace takes some thirty times as much memory, and more than there is ends it. */
#define SIZE_MAX_BYTES (16 << 20)
#define CONTENT_SIZE_AT 24
#define PACKET_SIZE_AT 28

static guint32 get_u32(const guint8 *at, gboolean swapped)
{
	guint32 value;

	memcpy(&value, at, sizeof(value));
	return swapped ? GUINT32_SWAP_LE_BE(value) : value;
}

G_GNUC_PRINTF(3, 4)
static gboolean fail(const gchar *path, GError **error, const gchar *format, ...)
{
	g_autofree gchar *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "%s %s.", path, text);
	return FALSE;
}

/* All packets must lie in the file as a whole. */
static gboolean check_packets(gint fd, const gchar *path, guint64 size, GError **error)
{
	guint8 header[HEADER_BYTES];
	gboolean swapped = FALSE;

	for (guint64 at = 0; at < size;) {
		gssize n = pread(fd, header, sizeof(header), (off_t)at);

		if (n < 0)
			return fail(path, error, "can't be read: %s", g_strerror(errno));
		if (at == 0) {
			if (n < 4)
				return TRUE;
			swapped = get_u32(header, FALSE) != METADATA_MAGIC;
			if (get_u32(header, swapped) != METADATA_MAGIC)
				return TRUE;
		}
		if (n < HEADER_BYTES)
			return fail(path, error,
				    "ends inside a packet's header, at byte %" G_GUINT64_FORMAT,
				    size);
		if (get_u32(header, swapped) != METADATA_MAGIC)
			return fail(path, error, "has no packet at byte %" G_GUINT64_FORMAT, at);

		guint64 content = get_u32(header + CONTENT_SIZE_AT, swapped);
		guint64 packet = get_u32(header + PACKET_SIZE_AT, swapped);

		if (content < HEADER_BYTES * 8 || content > packet || packet % 8 != 0)
			return fail(path, error,
				    "has a packet of impossible size at byte %" G_GUINT64_FORMAT,
				    at);
		if (packet / 8 > size - at)
			return fail(path, error,
				    "ends inside the packet that begins at byte %" G_GUINT64_FORMAT,
				    at);
		at += packet / 8;
	}
	return TRUE;
}

gboolean wp_bt2_metadata_check(const gchar *directory, GError **error)
{
	g_autofree gchar *path = g_build_filename(directory, "metadata", NULL);
	/* Not to wait for a writer if it is a pipe. */
	gint fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;
	gboolean ok;

	if (fd < 0)
		return fail(path, error, "can't be opened: %s", g_strerror(errno));
	if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
		ok = fail(path, error, "is no regular file");
	else if (status.st_size == 0)
		ok = fail(path, error, "is empty");
	else if (status.st_size > SIZE_MAX_BYTES)
		ok = fail(path, error, "is larger than %d MiB, too large for Babeltrace",
			  SIZE_MAX_BYTES >> 20);
	else
		ok = check_packets(fd, path, (guint64)status.st_size, error);
	close(fd);
	return ok;
}
