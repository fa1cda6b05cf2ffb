/* SPDX-License-Identifier: MIT */
/*
 * wpv-cancel.h: what a GTask is cancelled with, for the library.
 *
 * The viewer cancels as all of GTK does, with a GCancellable for each GTask; the library, which
 * does without GIO, looks at a WpCancel. Where a task's thread enters the library, the one is
 * tied to the other.
 */
#ifndef WPV_CANCEL_H
#define WPV_CANCEL_H

#include <gio/gio.h>

#include "base/cancel.h"

G_BEGIN_DECLS

/*
 * A reference to one that is set when the cancellable is cancelled, or has been already; NULL for
 * NULL. The cancellable holds it, too: once per task is enough.
 */
WpCancel *wpv_cancel_new(GCancellable *cancellable);

G_END_DECLS

#endif
