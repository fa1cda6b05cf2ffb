/* SPDX-License-Identifier: MIT */
/*
 * bt2-metadata.c: a walk over the packets of a metadata file.
 *
 * LTTng writes metadata in packets: a header of 37 bytes (magic number, UUID, checksum,
 * content and packet size in bits, ...), text, padding. Metadata may be plain text
 * instead. Babeltrace parses it and says what is wrong, but takes time with the square of
 * how much stands in one block, and with the third power in a variant: so that is limited.
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
/*
 * What stands in one block. At each limit Babeltrace 2.0.4 takes less than a second for it, and
 * for as many such blocks as there may be some minutes.
 */
#define OPTIONS_MAX 1024u /* of a variant */
#define ENTRIES_MAX 8192u /* of another block */
#define BLOCKS_MAX 32768u /* outside of all: streams, events, ... */
#define DEPTH_COUNTED 64u
#define READ_BYTES 65536u
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

/* ---- how much stands in a block ---- */

typedef enum { IN_TEXT, IN_STRING, IN_CHARACTER, IN_COMMENT, IN_LINE_COMMENT } Lexical;

/* A walk over the text, byte by byte, which may come in parts. */
typedef struct {
	guint entries[DEPTH_COUNTED]; /* of each open block; deeper ones count with the last */
	gboolean is_variant[DEPTH_COUNTED];
	guint depth;
	Lexical within;
	gchar before; /* the byte in front; 0 behind one that it escapes */
	gchar word[8]; /* the last word, as far as it has room */
	guint word_length;
	gboolean after_variant; /* the word was read since the last entry or block began */
	const gchar *excess; /* what there is too much of, NULL */
	guint most; /* of that */
} Walk;

static void walk_word(Walk *walk, gchar c)
{
	if (g_ascii_isalnum(c) || c == '_') {
		if (walk->word_length < sizeof(walk->word))
			walk->word[walk->word_length] = c;
		walk->word_length++;
		return;
	}
	if (walk->word_length == strlen("variant") && strncmp(walk->word, "variant", 7) == 0)
		walk->after_variant = TRUE;
	walk->word_length = 0;
}

static void walk_limit(Walk *walk, guint n, guint most, const gchar *what)
{
	if (n <= most || walk->excess)
		return;
	walk->excess = what;
	walk->most = most;
}

static void walk_entry(Walk *walk)
{
	const guint at = MIN(walk->depth, DEPTH_COUNTED - 1), n = ++walk->entries[at];

	walk->after_variant = FALSE;
	if (walk->depth == 0)
		walk_limit(walk, n, BLOCKS_MAX, "blocks");
	else if (walk->is_variant[at])
		walk_limit(walk, n, OPTIONS_MAX, "options in a variant");
	else
		walk_limit(walk, n, ENTRIES_MAX, "entries in a block");
}

static void walk_text(Walk *walk, gchar c)
{
	walk_word(walk, c);
	switch (c) {
	case '"':
		walk->within = IN_STRING;
		break;
	case '\'':
		walk->within = IN_CHARACTER;
		break;
	case '*':
		if (walk->before == '/')
			walk->within = IN_COMMENT;
		break;
	case '/':
		if (walk->before == '/')
			walk->within = IN_LINE_COMMENT;
		break;
	case '{':
		if (++walk->depth < DEPTH_COUNTED) {
			walk->entries[walk->depth] = 0;
			walk->is_variant[walk->depth] = walk->after_variant;
		}
		walk->after_variant = FALSE;
		break;
	case '}':
		walk->depth -= walk->depth > 0;
		break;
	case ';':
	case ',':
		walk_entry(walk);
		break;
	default:
		break;
	}
}

static void walk_byte(Walk *walk, gchar c)
{
	const Lexical within = walk->within;
	gboolean ends = FALSE;

	switch (within) {
	case IN_TEXT:
		walk_text(walk, c);
		break;
	case IN_STRING:
		ends = c == '"' && walk->before != '\\';
		break;
	case IN_CHARACTER:
		ends = c == '\'' && walk->before != '\\';
		break;
	case IN_COMMENT:
		ends = c == '/' && walk->before == '*';
		break;
	case IN_LINE_COMMENT:
		ends = c == '\n';
		break;
	}
	if (ends)
		walk->within = IN_TEXT;
	/* What begins or ends something is no part of what follows, nor is a backslash's backslash. */
	walk->before = walk->within != within || (c == '\\' && walk->before == '\\') ? '\0' : c;
}

/* The bytes from `at` to `end` of the file: FALSE when there is too much in a block, or no reading it. */
static gboolean walk_file(Walk *walk, gint fd, const gchar *path, guint64 at, guint64 end,
			  GError **error)
{
	g_autofree gchar *bytes = g_malloc(READ_BYTES);

	while (at < end) {
		const gssize n = pread(fd, bytes, MIN(end - at, READ_BYTES), (off_t)at);

		if (n < 0)
			return fail(path, error, "can't be read: %s", g_strerror(errno));
		if (n == 0)
			break;
		for (gssize i = 0; i < n; i++)
			walk_byte(walk, bytes[i]);
		at += (guint64)n;
	}
	if (!walk->excess)
		return TRUE;
	return fail(path, error, "has more than %u %s, for which Babeltrace would take too long",
		    walk->most, walk->excess);
}

/* ---- packets ---- */

/* All packets must lie in the file as a whole, and what they hold be no more than can be parsed. */
static gboolean check_packets(gint fd, const gchar *path, guint64 size, GError **error)
{
	guint8 header[HEADER_BYTES];
	gboolean swapped = FALSE;
	Walk walk = {0};

	for (guint64 at = 0; at < size;) {
		gssize n = pread(fd, header, sizeof(header), (off_t)at);

		if (n < 0)
			return fail(path, error, "can't be read: %s", g_strerror(errno));
		if (at == 0) {
			swapped = n < 4 || get_u32(header, FALSE) != METADATA_MAGIC;
			if (n < 4 || get_u32(header, swapped) != METADATA_MAGIC)
				return walk_file(&walk, fd, path, 0, size, error);
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
		if (!walk_file(&walk, fd, path, at + HEADER_BYTES, at + content / 8, error))
			return FALSE;
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
