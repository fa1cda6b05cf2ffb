/* SPDX-License-Identifier: MIT */
/* metadata.c: reads a metadata file and takes its text out of the packets. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "ctf/metadata.h"

#define PACKET_MAGIC 0x75d11d57u
#define HEADER_BYTES 37u

static gboolean fail(GError **error, const gchar *path, gint errnum)
{
	g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "%s cannot be read: %s.", path,
		    g_strerror(errnum));
	return FALSE;
}

/* Everything up to the file's end or the limit; a file that is no regular one is refused. */
static gboolean read_fd(gint fd, const gchar *path, GByteArray *bytes, GError **error)
{
	struct stat st;
	gssize n;

	if (fstat(fd, &st) != 0)
		return fail(error, path, errno);
	if (!S_ISREG(st.st_mode))
		return fail(error, path, S_ISDIR(st.st_mode) ? EISDIR : EINVAL);

	/* All at once; a file that grows meanwhile takes more rounds. */
	const guint room = (guint)CLAMP(st.st_size + 1, 4096, 1 << 18);

	for (;;) {
		guint at = bytes->len;

		if (at > WP_CTF_METADATA_MAX) {
			g_set_error(error, WP_ERROR, WP_ERROR_LIMIT,
				    "%s is larger than %u MiB, which is no metadata of a trace.",
				    path, WP_CTF_METADATA_MAX >> 20);
			return FALSE;
		}
		g_byte_array_set_size(bytes, at + room);
		n = read(fd, bytes->data + at, room);
		g_byte_array_set_size(bytes, at + (guint)MAX(n, 0));
		if (n == 0)
			return TRUE;
		if (n < 0 && errno != EINTR)
			return fail(error, path, errno);
	}
}

static gboolean read_file(const gchar *path, GByteArray *bytes, GError **error)
{
	gint fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return fail(error, path, errno);

	gboolean done = read_fd(fd, path, bytes, error);

	close(fd);
	return done;
}

static guint32 load32(const guint8 *p, gboolean swap)
{
	guint32 value;

	memcpy(&value, p, sizeof(value));
	return swap ? GUINT32_SWAP_LE_BE(value) : value;
}

typedef struct {
	guint32 content, packet; /* bytes */
	guint8 compression, encryption, major;
} PacketHeader;

static gboolean read_header(const guint8 *p, gsize left, PacketHeader *header)
{
	if (left < HEADER_BYTES)
		return FALSE;

	gboolean swap = load32(p, FALSE) != PACKET_MAGIC;

	if (load32(p, swap) != PACKET_MAGIC)
		return FALSE;
	header->content = load32(p + 24, swap) / 8;
	header->packet = load32(p + 28, swap) / 8;
	header->compression = p[32];
	header->encryption = p[33];
	header->major = p[35];
	return TRUE;
}

static void tell_cut(WpFindings *findings, const gchar *path, gsize at)
{
	wp_findings_add(findings, "cut-metadata", WP_SEVERITY_ERROR, NULL, WP_TIME_MIN, 1,
			"%s is cut or damaged in its packet at byte %" G_GSIZE_FORMAT
			"; what stands before is used.",
			path, at);
}

/*
 * Moves the text of all whole packets, and of a last one that is cut, to the front of bytes, which
 * then hold nothing else.
 */
static gboolean unwrap(GByteArray *bytes, const gchar *path, WpFindings *findings, GError **error)
{
	gsize at = 0, n_text = 0;

	while (at < bytes->len) {
		const gsize left = bytes->len - at;
		PacketHeader header;

		if (!read_header(bytes->data + at, left, &header)) {
			tell_cut(findings, path, at);
			break;
		}
		if (header.major != 1 || header.compression || header.encryption) {
			g_set_error(error, WP_ERROR, WP_ERROR_DECLINED,
				    "%s holds packets of CTF %u%s, which only Babeltrace may know.",
				    path, header.major,
				    header.compression || header.encryption
					    ? ", compressed or encrypted"
					    : "");
			return FALSE;
		}

		const gsize content = MIN(header.content, left);

		if (content > HEADER_BYTES) {
			memmove(bytes->data + n_text, bytes->data + at + HEADER_BYTES,
				content - HEADER_BYTES);
			n_text += content - HEADER_BYTES;
		}
		if (header.content < HEADER_BYTES || header.content > header.packet ||
		    header.packet > left) {
			tell_cut(findings, path, at);
			break;
		}
		at += header.packet;
	}
	g_byte_array_set_size(bytes, (guint)n_text);
	return TRUE;
}

static gboolean is_json(const GByteArray *text)
{
	guint at = 0;

	while (at < text->len && g_ascii_isspace(text->data[at]))
		at++;
	return at < text->len && text->data[at] && strchr("\x1e{[", text->data[at]);
}

gchar *wp_ctf_metadata_read(const gchar *path, WpFindings *findings, gsize *ret_length,
			    GError **error)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();

	if (!read_file(path, bytes, error))
		return NULL;
	if (bytes->len == 0) {
		g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
			    "%s is empty; without it nothing of the trace can be read.", path);
		return NULL;
	}
	if (bytes->len >= 4 &&
	    (load32(bytes->data, FALSE) == PACKET_MAGIC ||
	     load32(bytes->data, TRUE) == PACKET_MAGIC) &&
	    !unwrap(bytes, path, findings, error))
		return NULL;
	if (is_json(bytes)) {
		g_set_error(error, WP_ERROR, WP_ERROR_DECLINED,
			    "%s is of CTF 2, which only Babeltrace may know.", path);
		return NULL;
	}
	*ret_length = bytes->len;
	g_byte_array_append(bytes, (const guint8 *)"", 1);
	return (gchar *)g_byte_array_free(g_steal_pointer(&bytes), FALSE);
}
