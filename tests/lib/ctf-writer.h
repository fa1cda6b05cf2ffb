/* SPDX-License-Identifier: MIT */
/*
 * ctf-writer.h: writes a CTF 1.8 trace as lttng-modules does: packetised metadata and
 * a stream file for each CPU, packets with their context, large or compact event
 * headers, either byte order, packed (as on x86) or naturally aligned (as on ARM).
 *
 * An event class is its name and one line of text that lists its fields; values come
 * in that order. Each stream holds one packet in memory and writes it when it is full,
 * so that a trace may be of any size.
 */
#ifndef WP_TESTS_CTF_WRITER_H
#define WP_TESTS_CTF_WRITER_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
	const gchar *name;
	/*
	 * "name:type" separated by blanks. Types: i8 to i64, u8 to u64, x32, x64 (to be
	 * shown in base 16); long, ulong and ptr (of the machine's word); be16, be32
	 * (big-endian whatever the trace is); text (char[16]), str (to its NUL); ints (a
	 * length and one 32-bit integer), bytes (a length of 0, no bytes); packet (the
	 * fields network_header_type and network_header).
	 */
	const gchar *fields;
} WpCtfClass;

/* The headers of a network packet, as net_dev_queue and net_if_receive_skb copy them. */
typedef struct {
	guint8 version; /* 4, 6, or 0: no headers */
	guint8 protocol; /* 6, 17, 1, 58, or another: no transport header */
	guint8 source[16], destination[16]; /* IPv4: the first four bytes */
	guint16 tot_len; /* IPv4: of headers and payload; IPv6: of what follows the header */
	guint16 ip_id, frag_off; /* IPv4 */
	guint16 sport, dport;
	guint32 seq, ack; /* TCP */
	guint16 flags, window; /* TCP */
	guint16 udp_len;
	guint8 icmp_type, icmp_code;
	guint32 icmp_gateway; /* echo: id << 16 | sequence */
} WpCtfPacket;

typedef union {
	gint64 i;
	const gchar *s; /* of text and str; NULL: empty */
	const WpCtfPacket *packet; /* NULL: no headers */
} WpCtfValue;

typedef struct {
	guint n_cpus; /* streams, one each */
	gboolean big_endian;
	gboolean aligned; /* natural alignment and 32-bit words; else packed and 64-bit words */
	gboolean compact; /* event headers of 5 + 27 bits; else 16 + 32 bits */
	gboolean old; /* packets have no sequence number, as before LTTng 2.7 */
	gsize packet_size; /* bytes, at least 4096; 0: 64 KiB */
	guint8 uuid[16];
	const gchar *clock_uuid; /* NULL: made of uuid */
	gint64 clock_offset; /* ns from the epoch to the clock's 0 */
	const gchar *env; /* lines of the environment, as "hostname = \"a\";\n" */
} WpCtfConfig;

typedef struct WpCtfWriter WpCtfWriter;

/*
 * Makes directory (its parents must be there) and the metadata in it. classes must
 * outlive the writer; a class's place among them is its event id.
 */
WpCtfWriter *wp_ctf_writer_new(const gchar *directory, const WpCtfConfig *config,
			       const WpCtfClass *classes, guint n_classes, GError **error);
/*
 * One event. time is a value of the clock, ns, not before the CPU's last one; values
 * are those of the class's fields. FALSE when the file can't be written.
 */
gboolean wp_ctf_writer_event(WpCtfWriter *writer, guint cpu, guint64 time, guint class_id,
			     const WpCtfValue *values, GError **error);
/*
 * The CPU lost n_lost events between its last event and time: its packet ends with the
 * last event, and one without events at time tells of the loss.
 */
gboolean wp_ctf_writer_lose(WpCtfWriter *writer, guint cpu, guint64 time, guint64 n_lost,
			    GError **error);
/* Writes what is left and frees the writer, also when it fails. */
gboolean wp_ctf_writer_close(WpCtfWriter *writer, GError **error);

G_END_DECLS

#endif
