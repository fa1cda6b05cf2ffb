/* SPDX-License-Identifier: MIT */
/*
 * packets.h: the packets and events of a stream, one after the other, as messages.
 *
 * The trace IR wants the times of a stream's messages never to go back, and a packet to
 * hold its events. Tracers are not as strict (LTTng before 2.2 closes a packet a microsecond
 * after the next has begun): so a packet begins no later than its first event, ends no earlier than
 * its last one, and no later than the next begins. What can't be decoded ends its packet.
 */
#ifndef WP_PLUGINS_CTF_PACKETS_H
#define WP_PLUGINS_CTF_PACKETS_H

#include "plugins/ctf/ctf-ir.h"

G_BEGIN_DECLS

typedef struct WpCtfPackets WpCtfPackets;

/* ir is borrowed; stream is a number of its index. */
WpCtfPackets *wp_ctf_packets_new(WpCtfTraceIr *ir, guint stream,
				 bt_self_message_iterator *iterator);
void wp_ctf_packets_free(WpCtfPackets *packets);
void wp_ctf_packets_rewind(WpCtfPackets *packets);
/* The next message, the caller's reference; NULL: the end, or *ret_no_memory is set. */
bt_message *wp_ctf_packets_next(WpCtfPackets *packets, gboolean *ret_no_memory);
/* Borrowed: what was odd so far. */
const WpFindings *wp_ctf_packets_get_findings(const WpCtfPackets *packets);

G_END_DECLS

#endif
