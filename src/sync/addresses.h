/* SPDX-License-Identifier: MIT */
/*
 * addresses.h: which traced host has which address: one array of (address, host),
 * sorted. Private addresses may belong to several hosts.
 */
#ifndef WP_SYNC_ADDRESSES_H
#define WP_SYNC_ADDRESSES_H

#include "graph/graph.h"

G_BEGIN_DECLS

typedef struct WpAddresses WpAddresses;

/* Owner of an address that several hosts have (WP_NONE: no traced host has it). */
#define WP_ADDRESS_SHARED (WP_NONE - 1)

WpAddresses *wp_addresses_new(const WpGraph *graph);
void wp_addresses_free(WpAddresses *addresses);
guint32 wp_addresses_owner(const WpAddresses *addresses, const guint8 *address);
gboolean wp_addresses_has(const WpAddresses *addresses, guint32 host, const guint8 *address);
/* Whether packets to an address may go to more than one host, or never leave the sender. */
gboolean wp_address_is_group_or_local(const guint8 *address);
/* "10.0.0.1", "fd00::1". */
gchar *wp_address_to_text(const guint8 *address);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpAddresses, wp_addresses_free)

G_END_DECLS

#endif
