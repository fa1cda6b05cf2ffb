/* SPDX-License-Identifier: MIT */
/* bits.h: integers of any size at any bit. */
#ifndef WP_CTF_BITS_H
#define WP_CTF_BITS_H

#include <glib.h>

G_BEGIN_DECLS

static inline guint64 wp_ctf_sign_extend(guint64 value, guint bits)
{
	const guint64 sign = G_GUINT64_CONSTANT(1) << (bits - 1);

	return (value ^ sign) - sign;
}

/* At most 64 bits from any bit on: the first bit is the lowest of its byte. */
static inline guint64 wp_ctf_bits_le(const guint8 *data, guint64 at, guint bits)
{
	const guint8 *p = data + (at >> 3);
	guint have = 8 - (guint)(at & 7);
	guint64 value = (guint64)*p++ >> (at & 7);

	while (have < bits) {
		value |= (guint64)*p++ << have;
		have += 8;
	}
	return bits == 64 ? value : value & ((G_GUINT64_CONSTANT(1) << bits) - 1);
}

/* The same: the first bit is the highest of its byte. */
static inline guint64 wp_ctf_bits_be(const guint8 *data, guint64 at, guint bits)
{
	const guint8 *p = data + (at >> 3);
	guint have = 8 - (guint)(at & 7);
	guint64 value = *p++ & ((1u << have) - 1);

	if (bits < have)
		return value >> (have - bits);
	while (bits - have >= 8) {
		value = value << 8 | *p++;
		have += 8;
	}
	if (bits > have)
		value = value << (bits - have) | (guint64)(*p >> (8 - (bits - have)));
	return value;
}

G_END_DECLS

#endif
