/* SPDX-License-Identifier: MIT */
/*
 * interrupt.h: Ctrl+C, and what else asks a program to end: SIGINT, SIGTERM, SIGHUP.
 *
 * The signals are blocked in all threads and taken by one that does nothing else. The first
 * sets a cancellable, at which everything that takes long looks, so that the program ends where
 * it leaves nothing half done; the next ends it at once. There is no handler, so nothing is
 * bound to what handlers may do, and no system call is broken off. What was ignored when the
 * program began (nohup, a shell's background) stays ignored.
 *
 * Programs call this, the library never does: signals belong to the process.
 */
#ifndef WP_BASE_INTERRUPT_H
#define WP_BASE_INTERRUPT_H

#include "base/cancel.h"

G_BEGIN_DECLS

typedef struct WpInterrupt WpInterrupt;

/*
 * From now on; to be called before other threads are started, which would not know that the
 * signals are blocked. Programs that are started from here inherit that. NULL when there is no
 * thread to be had: the signals then do what they always do.
 */
WpInterrupt *wp_interrupt_begin(void);
/* Borrowed; NULL for NULL. */
WpCancel *wp_interrupt_get_cancellable(const WpInterrupt *interrupt);
/*
 * Notes, for who is interrupted, what is left behind from now on: half a sentence. On the thread
 * that began; NULL is nobody.
 */
void wp_interrupt_note(WpInterrupt *interrupt, const gchar *format, ...) G_GNUC_PRINTF(2, 3);
/*
 * The thread ends; the signals stay blocked. Returns the one that came, 0 for none, and what was
 * noted (owned, NULL: nothing).
 */
gint wp_interrupt_end(WpInterrupt *interrupt, gchar **ret_left);
/* Ends the program as the signal would have done. */
G_NORETURN void wp_interrupt_die(gint number);

G_END_DECLS

#endif
