/* SPDX-License-Identifier: MIT */
/*
 * out.h: where a report is written: bytes collected in a buffer that goes on to a
 * function, file descriptor or string whenever it is full.
 *
 * An error sticks: after the first one everything is dropped, and wp_out_finish()
 * tells it, so that writers need not look after each word. A report of any length
 * takes one buffer of memory.
 */
#ifndef WP_BASE_OUT_H
#define WP_BASE_OUT_H

#include "base/cancel.h"

G_BEGIN_DECLS

typedef struct WpOut WpOut;

/* Takes n bytes; FALSE with an error when it can't. */
typedef gboolean (*WpOutFunc)(gpointer data, const gchar *bytes, gsize n, GError **error);

WpOut *wp_out_new(WpOutFunc func, gpointer data);
/* fd is borrowed, as is the string. */
WpOut *wp_out_new_fd(int fd);
WpOut *wp_out_new_string(GString *string);
/*
 * For one with a descriptor, before anything is put: nothing is written any more once this is set, even when a
 * reader keeps the output waiting. The error is then WP_ERROR_CANCELLED.
 */
void wp_out_set_cancellable(WpOut *out, WpCancel *cancellable);
/* Drops what was not flushed. */
void wp_out_free(WpOut *out);

void wp_out_put(WpOut *out, const gchar *text);
void wp_out_put_len(WpOut *out, const gchar *text, gsize n);
void wp_out_putc(WpOut *out, gchar c);
void wp_out_printf(WpOut *out, const gchar *format, ...) G_GNUC_PRINTF(2, 3);
/* A number in decimal, quicker than printf. */
void wp_out_int(WpOut *out, gint64 value);
void wp_out_uint(WpOut *out, guint64 value);
/* n times the text. */
void wp_out_repeat(WpOut *out, const gchar *text, guint n);
/* TRUE after an error: all further work on the report is in vain. */
gboolean wp_out_is_failed(const WpOut *out);
/* Whether anything has gone to the descriptor. */
gboolean wp_out_has_begun(const WpOut *out);
/*
 * Writes what is left. FALSE with the first error: WP_ERROR_FAILED, or WP_ERROR_BROKEN_PIPE
 * when the reader of a pipe has gone.
 */
gboolean wp_out_finish(WpOut *out, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpOut, wp_out_free)

G_END_DECLS

#endif
