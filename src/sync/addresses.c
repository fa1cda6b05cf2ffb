/* SPDX-License-Identifier: MIT */
/* addresses.c: who has an address. */
#include "config.h"

#include <arpa/inet.h>
#include <string.h>

#include "sync/addresses.h"

typedef struct {
	guint8 address[16];
	guint32 host;
} Entry;

struct WpAddresses {
	GArray *entries; /* owned: Entry, sorted by address, then host; none twice */
};

static gint compare_entries(gconstpointer a, gconstpointer b)
{
	const Entry *x = a, *y = b;
	const gint order = memcmp(x->address, y->address, sizeof(x->address));

	return order ? order : (x->host > y->host) - (x->host < y->host);
}

WpAddresses *wp_addresses_new(const WpGraph *graph)
{
	WpAddresses *addresses = g_new0(WpAddresses, 1);
	GArray *entries = g_array_new(FALSE, FALSE, sizeof(Entry));
	guint n = 0;

	for (guint h = 0; h < graph->n_hosts; h++) {
		WpColumn *column = &graph->hosts[h]->addresses;

		for (guint64 i = 0; i < column->n; i++) {
			Entry entry = {.host = h};

			memcpy(entry.address, wp_column_at(column, i, column->element),
			       sizeof(entry.address));
			g_array_append_val(entries, entry);
		}
	}
	g_array_sort(entries, compare_entries);
	for (guint i = 0; i < entries->len; i++) {
		Entry *entry = &g_array_index(entries, Entry, i);

		if (n == 0 || compare_entries(entry, &g_array_index(entries, Entry, n - 1)) != 0)
			g_array_index(entries, Entry, n++) = *entry;
	}
	g_array_set_size(entries, n);
	addresses->entries = entries;
	return addresses;
}

void wp_addresses_free(WpAddresses *addresses)
{
	if (!addresses)
		return;
	g_array_free(addresses->entries, TRUE);
	g_free(addresses);
}

/* The first entry that is not before (address, host). */
static guint find(const WpAddresses *addresses, const guint8 *address, guint32 host)
{
	Entry wanted = {.host = host};
	guint low = 0, high = addresses->entries->len;

	memcpy(wanted.address, address, sizeof(wanted.address));
	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (compare_entries(&g_array_index(addresses->entries, Entry, middle), &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static gboolean is_at(const WpAddresses *addresses, guint i, const guint8 *address)
{
	return i < addresses->entries->len &&
	       memcmp(g_array_index(addresses->entries, Entry, i).address, address, 16) == 0;
}

guint32 wp_addresses_owner(const WpAddresses *addresses, const guint8 *address)
{
	const guint i = find(addresses, address, 0);

	if (!is_at(addresses, i, address))
		return WP_NONE;
	if (is_at(addresses, i + 1, address))
		return WP_ADDRESS_SHARED;
	return g_array_index(addresses->entries, Entry, i).host;
}

gboolean wp_addresses_has(const WpAddresses *addresses, guint32 host, const guint8 *address)
{
	const guint i = find(addresses, address, host);

	return is_at(addresses, i, address) &&
	       g_array_index(addresses->entries, Entry, i).host == host;
}

static const guint8 mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

gboolean wp_address_is_group_or_local(const guint8 *address)
{
	static const guint8 loopback[16] = {[15] = 1};

	if (memcmp(address, mapped, sizeof(mapped)) == 0)
		return address[12] == 127 || address[12] >= 224 || address[12] == 0;
	return address[0] == 0xff || memcmp(address, loopback, sizeof(loopback)) == 0;
}

gchar *wp_address_to_text(const guint8 *address)
{
	gchar text[INET6_ADDRSTRLEN];

	if (memcmp(address, mapped, sizeof(mapped)) == 0)
		return g_strdup(inet_ntop(AF_INET, address + 12, text, sizeof(text)));
	return g_strdup(inet_ntop(AF_INET6, address, text, sizeof(text)));
}
