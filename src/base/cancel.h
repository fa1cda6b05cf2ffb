/* SPDX-License-Identifier: MIT */
/*
 * cancel.h: tells other threads that what they are about is no longer wanted.
 *
 * Whatever takes long is given one, or NULL, looks at it every now and then, and ends with
 * WP_ERROR_CANCELLED once it is set; it stays set. Who waits for a descriptor waits for that of
 * the cancellable, too.
 *
 * GCancellable is the same and more, but would be all that the library needs GIO for: to load that,
 * GObject and what is behind them took a third of the time in which `waitpath --version` is done.
 */
#ifndef WP_BASE_CANCEL_H
#define WP_BASE_CANCEL_H

#include <glib.h>
#include <stdatomic.h>

G_BEGIN_DECLS

typedef struct {
	atomic_uint n_references;
	atomic_bool is_set;
	atomic_int fd; /* owned: readable once it is set; -1: nobody has asked for it */
} WpCancel;

/* All are thread-safe. */
WpCancel *wp_cancel_new(void);
WpCancel *wp_cancel_ref(WpCancel *cancel);
/* Also of NULL. */
void wp_cancel_unref(WpCancel *cancel);
/* From now on it is cancelled; what is already stays so. */
void wp_cancel_set(WpCancel *cancel);
/*
 * A descriptor that poll() finds readable once it is cancelled, and which nobody reads; good as long
 * as the reference. -1 when the system has none left.
 */
int wp_cancel_get_fd(WpCancel *cancel);

/* NULL is never cancelled. */
static inline gboolean wp_cancel_is_cancelled(const WpCancel *cancel)
{
	return cancel && atomic_load_explicit(&cancel->is_set, memory_order_acquire);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpCancel, wp_cancel_unref)

G_END_DECLS

#endif
