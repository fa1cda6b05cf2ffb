/* SPDX-License-Identifier: MIT */
/* out.c: the buffer of a report, and the ways it goes. */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/out.h"
#include "base/phase.h"

#define BUFFER_BYTES 65536u

struct WpOut {
	WpOutFunc func;
	gpointer data; /* borrowed; the GString, the output itself, or func's own */
	int fd;
	WpCancel *cancellable; /* reference, NULL */
	GPollFD room[2]; /* with a cancellable: of the descriptor, and of that */
	gsize most; /* bytes that may go in one write */
	gboolean begun; /* something went on */
	gsize n; /* bytes in buffer */
	GError *error; /* owned: the first */
	gchar buffer[BUFFER_BYTES];
};

/*
 * A reader that takes nothing would hold a write for ever: so no more is written than there is
 * room for, and the wait for room ends when the cancellable is set.
 */
static gboolean wait_for_room(WpOut *out, GError **error)
{
	while (out->cancellable && !wp_cancel_is_cancelled(out->cancellable))
		if (g_poll(out->room, G_N_ELEMENTS(out->room), -1) > 0 && out->room[0].revents)
			return TRUE;
	if (!out->cancellable)
		return TRUE;
	g_set_error_literal(error, WP_ERROR, WP_ERROR_CANCELLED, "The writing was cancelled.");
	return FALSE;
}

static gboolean put_to_fd(gpointer data, const gchar *bytes, gsize n, GError **error)
{
	WpOut *out = data;

	while (n > 0) {
		gssize written;

		if (!wait_for_room(out, error))
			return FALSE;
		written = write(out->fd, bytes, MIN(n, out->most));
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0 && errno == EPIPE) {
			g_set_error_literal(error, WP_ERROR, WP_ERROR_BROKEN_PIPE,
					    "The reader of the output has gone.");
			return FALSE;
		}
		if (written < 0) {
			g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
				    "The output can't be written: %s.", g_strerror(errno));
			return FALSE;
		}
		out->begun = TRUE;
		bytes += written;
		n -= (gsize)written;
	}
	return TRUE;
}

static gboolean put_to_string(gpointer data, const gchar *bytes, gsize n,
			      G_GNUC_UNUSED GError **error)
{
	g_string_append_len(data, bytes, (gssize)n);
	return TRUE;
}

WpOut *wp_out_new(WpOutFunc func, gpointer data)
{
	WpOut *out = g_new(WpOut, 1);

	out->func = func;
	out->data = data;
	out->fd = -1;
	out->cancellable = NULL;
	out->most = SSIZE_MAX;
	out->begun = FALSE;
	out->n = 0;
	out->error = NULL;
	return out;
}

WpOut *wp_out_new_fd(int fd)
{
	WpOut *out = wp_out_new(put_to_fd, NULL);

	out->fd = fd;
	out->data = out;
	return out;
}

void wp_out_set_cancellable(WpOut *out, WpCancel *cancellable)
{
	const int fd = cancellable ? wp_cancel_get_fd(cancellable) : -1;
	struct stat st;

	g_return_if_fail(out->fd >= 0 && !out->cancellable);
	/* Without a descriptor to wait with it can't be waited for: a write may then hold. */
	if (fd < 0)
		return;
	out->cancellable = wp_cancel_ref(cancellable);
	out->room[0] = (GPollFD){.fd = out->fd, .events = G_IO_OUT};
	out->room[1] = (GPollFD){.fd = fd, .events = G_IO_IN};
	/* A pipe with room takes so much without waiting for more; a file never waits. */
	if (fstat(out->fd, &st) != 0 || !S_ISREG(st.st_mode))
		out->most = PIPE_BUF;
}

WpOut *wp_out_new_string(GString *string)
{
	return wp_out_new(put_to_string, string);
}

void wp_out_free(WpOut *out)
{
	if (!out)
		return;
	wp_cancel_unref(out->cancellable);
	g_clear_error(&out->error);
	g_free(out);
}

static void flush(WpOut *out)
{
	WP_PHASE(WP_PHASE_WRITE);

	if (!out->error && out->n > 0)
		out->func(out->data, out->buffer, out->n, &out->error);
	out->n = 0;
}

void wp_out_put_len(WpOut *out, const gchar *text, gsize n)
{
	while (n > BUFFER_BYTES - out->n) {
		gsize part = BUFFER_BYTES - out->n;

		memcpy(out->buffer + out->n, text, part);
		out->n += part;
		text += part;
		n -= part;
		flush(out);
	}
	memcpy(out->buffer + out->n, text, n);
	out->n += n;
}

void wp_out_put(WpOut *out, const gchar *text)
{
	wp_out_put_len(out, text, strlen(text));
}

void wp_out_putc(WpOut *out, gchar c)
{
	if (out->n == BUFFER_BYTES)
		flush(out);
	out->buffer[out->n++] = c;
}

void wp_out_printf(WpOut *out, const gchar *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree gchar *text = g_strdup_vprintf(format, args);
	va_end(args);
	wp_out_put(out, text);
}

void wp_out_uint(WpOut *out, guint64 value)
{
	gchar digits[20];
	guint at = sizeof(digits);

	do
		digits[--at] = (gchar)('0' + value % 10);
	while (value /= 10);
	wp_out_put_len(out, digits + at, sizeof(digits) - at);
}

void wp_out_int(WpOut *out, gint64 value)
{
	if (value < 0)
		wp_out_putc(out, '-');
	wp_out_uint(out, value < 0 ? 0 - (guint64)value : (guint64)value);
}

void wp_out_repeat(WpOut *out, const gchar *text, guint n)
{
	for (; n > 0; n--)
		wp_out_put(out, text);
}

gboolean wp_out_is_failed(const WpOut *out)
{
	return out->error != NULL;
}

gboolean wp_out_has_begun(const WpOut *out)
{
	return out->begun;
}

gboolean wp_out_finish(WpOut *out, GError **error)
{
	flush(out);
	if (!out->error)
		return TRUE;
	if (error)
		*error = g_error_copy(out->error);
	return FALSE;
}
