/* SPDX-License-Identifier: MIT */
/*
 * ctf-told.h: what our reader makes of a flawed trace, told to our own sink and filters.
 */
#ifndef WP_PLUGINS_CTF_CTF_TOLD_H
#define WP_PLUGINS_CTF_CTF_TOLD_H

#include "plugins/ctf/ctf-ir.h"

G_BEGIN_DECLS

/*
 * Reads the trace once by the reader of src/ctf, and puts what is odd in it, and where which
 * stream lost what, into user attributes of the trace and its streams (common/told.h). To be
 * called before any message is made of them; does nothing when it was done. *ret_stopped: the
 * user wants iterator to stop, and it is still to be done.
 */
gboolean wp_ctf_tell(WpCtfTraceIr *ir, bt_self_message_iterator *iterator, gboolean *ret_stopped,
		     GError **error);

G_END_DECLS

#endif
