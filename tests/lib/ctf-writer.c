/* SPDX-License-Identifier: MIT */
/*
 * ctf-writer.c: each class's field list is parsed once into an array of WpCtfField;
 * an event is encoded by walking it. An event that does not fit into its packet is
 * taken back, the packet is written, and the event begins the next one.
 */
#include "config.h"

#include <errno.h>
#include <string.h>

#include <glib/gstdio.h>

#include "ctf-writer.h"

#define CTF_MAGIC 0xc1fc1fc1u
#define METADATA_MAGIC 0x75d11d57u
#define METADATA_PACKET 4096u
#define METADATA_HEADER 37u

typedef enum {
	FIELD_INTEGER,
	FIELD_TEXT, /* char[16] */
	FIELD_STRING,
	FIELD_INTS,
	FIELD_BYTES,
	FIELD_PACKET
} FieldType;

typedef struct {
	gchar *name; /* owned */
	FieldType type;
	guint8 size; /* bytes of an integer */
	guint8 base;
	gboolean is_signed;
	gboolean big_endian; /* always */
} Field;

typedef struct {
	const gchar *name; /* borrowed from the caller's class */
	GArray *fields; /* owned: Field */
	gsize align; /* bytes: of the widest field, when the trace is aligned */
} Class;

typedef struct {
	FILE *file; /* owned */
	gchar *path; /* owned */
	guint8 *packet; /* owned: packet_size bytes */
	gsize at; /* bytes written into packet, 0: none begun */
	gsize header_end; /* where its first event begins */
	gboolean full; /* the event being encoded does not fit */
	guint64 begin, last; /* clock: of the packet, of its last event */
	guint64 n_lost, n_packets;
} Stream;

struct WpCtfWriter {
	WpCtfConfig config; /* its strings are not used after wp_ctf_writer_new() */
	GPtrArray *classes; /* owned: Class */
	Stream *streams; /* owned: config.n_cpus */
	guint64 last; /* clock: of the event written last */
};

static void class_free(gpointer data)
{
	Class *class = data;

	for (guint i = 0; i < class->fields->len; i++)
		g_free(g_array_index(class->fields, Field, i).name);
	g_array_unref(class->fields);
	g_free(class);
}

/* What the type words of WpCtfClass mean; sizes of 0 are the machine's word. */
static const struct {
	const gchar *word;
	FieldType type;
	guint8 size, base;
	gboolean is_signed, big_endian;
} types[] = {
	{"i8", FIELD_INTEGER, 1, 10, TRUE, FALSE},   {"i16", FIELD_INTEGER, 2, 10, TRUE, FALSE},
	{"i32", FIELD_INTEGER, 4, 10, TRUE, FALSE},  {"i64", FIELD_INTEGER, 8, 10, TRUE, FALSE},
	{"u8", FIELD_INTEGER, 1, 10, FALSE, FALSE},  {"u16", FIELD_INTEGER, 2, 10, FALSE, FALSE},
	{"u32", FIELD_INTEGER, 4, 10, FALSE, FALSE}, {"u64", FIELD_INTEGER, 8, 10, FALSE, FALSE},
	{"x32", FIELD_INTEGER, 4, 16, FALSE, FALSE}, {"x64", FIELD_INTEGER, 8, 16, FALSE, FALSE},
	{"long", FIELD_INTEGER, 0, 10, TRUE, FALSE}, {"ulong", FIELD_INTEGER, 0, 10, FALSE, FALSE},
	{"ptr", FIELD_INTEGER, 0, 16, FALSE, FALSE}, {"be16", FIELD_INTEGER, 2, 16, FALSE, TRUE},
	{"be32", FIELD_INTEGER, 4, 16, FALSE, TRUE}, {"text", FIELD_TEXT, 0, 0, FALSE, FALSE},
	{"str", FIELD_STRING, 0, 0, FALSE, FALSE},   {"ints", FIELD_INTS, 0, 0, FALSE, FALSE},
	{"bytes", FIELD_BYTES, 0, 0, FALSE, FALSE},  {"packet", FIELD_PACKET, 0, 0, FALSE, FALSE},
};

static Class *class_new(const WpCtfClass *described, const WpCtfConfig *config)
{
	Class *class = g_new0(Class, 1);
	g_auto(GStrv) words = g_strsplit(described->fields, " ", -1);

	class->name = described->name;
	class->fields = g_array_new(FALSE, TRUE, sizeof(Field));
	class->align = 1;
	for (guint i = 0; words[i] && *words[i]; i++) {
		g_auto(GStrv) pair = g_strsplit(words[i], ":", 2);
		Field field = {0};
		guint t = 0;

		while (t < G_N_ELEMENTS(types) && g_strcmp0(types[t].word, pair[1]) != 0)
			t++;
		if (t == G_N_ELEMENTS(types))
			g_error("event %s has no type word in \"%s\"", class->name, words[i]);
		field.name = g_strdup(pair[0]);
		field.type = types[t].type;
		field.size = types[t].size ? types[t].size : (config->aligned ? 4 : 8);
		field.base = types[t].base;
		field.is_signed = types[t].is_signed;
		field.big_endian = types[t].big_endian;
		g_array_append_val(class->fields, field);
		if (field.type == FIELD_INTEGER)
			class->align = MAX(class->align, field.size);
		else if (field.type == FIELD_INTS || field.type == FIELD_BYTES)
			class->align = MAX(class->align, 4);
	}
	return class;
}

/* ---- Metadata ---- */

typedef struct {
	const WpCtfConfig *config;
	GString *text;
} Metadata;

/* Alignment in bits of an integer of so many bytes. */
static guint alignment(const WpCtfConfig *config, guint size)
{
	return config->aligned ? size * 8 : 8;
}

static void put_integer_type(Metadata *md, guint size, gboolean is_signed, const gchar *encoding,
			     guint base, gboolean big_endian)
{
	g_string_append_printf(md->text,
			       "integer { size = %u; align = %u; signed = %d; encoding = %s; "
			       "base = %u; %s}",
			       size * 8, alignment(md->config, size), is_signed ? 1 : 0, encoding,
			       base, big_endian ? "byte_order = be; " : "");
}

static void put_be_fields(Metadata *md, const gchar *indent, const gchar *const *lines)
{
	/* Each line: name, bits, alignment in bits, base, and what follows the name. */
	for (guint i = 0; lines[i]; i++) {
		g_auto(GStrv) f = g_strsplit(lines[i], " ", 5);
		guint align = (guint)g_ascii_strtoull(f[2], NULL, 10);

		if (!md->config->aligned && align > 8)
			align = 8;
		if (f[4])
			g_string_append_printf(md->text, "%sstruct { } align(%u) _%s_padding;\n",
					       indent, align, f[0]);
		g_string_append_printf(md->text,
				       "%sinteger { size = %s; align = %u; signed = 0; encoding = "
				       "none; base = %s; byte_order = be; } _%s%s;\n",
				       indent, f[1], align, f[3], f[0], f[4] ? f[4] : "");
	}
}

static void put_transport_header(Metadata *md)
{
	static const gchar *const tcp[] = {"source_port 16 16 10",
					   "dest_port 16 16 10",
					   "seq 32 32 10",
					   "ack_seq 32 32 10",
					   "data_offset 4 4 10",
					   "reserved 3 1 10",
					   "flags 9 1 16",
					   "window_size 16 16 10",
					   "checksum 16 16 16",
					   "urg_ptr 16 16 10",
					   NULL};
	static const gchar *const udp[] = {"source_port 16 16 10", "dest_port 16 16 10",
					   "len 16 16 10", "check 16 16 10", NULL};
	static const gchar *const icmp[] = {"type 8 8 10", "code 8 8 10", "checksum 16 16 10",
					    "gateway 32 32 10", NULL};

	g_string_append(md->text, "				enum : ");
	put_integer_type(md, 1, FALSE, "none", 10, FALSE);
	g_string_append(md->text,
			" {\n"
			"					\"_unknown\" = 0,\n"
			"					\"_tcp\" = 1,\n"
			"					\"_udp\" = 2,\n"
			"					\"_icmp\" = 3,\n"
			"				} _transport_header_type;\n"
			"				variant <_transport_header_type> {\n"
			"					struct {\n"
			"					} _unknown;\n"
			"					struct {\n");
	put_be_fields(md, "						", tcp);
	g_string_append(md->text, "					} _tcp;\n"
				  "					struct {\n");
	put_be_fields(md, "						", udp);
	g_string_append(md->text, "					} _udp;\n"
				  "					struct {\n");
	put_be_fields(md, "						", icmp);
	g_string_append(md->text, "					} _icmp;\n"
				  "				} _transport_header;\n");
}

static void put_protocol_enum(Metadata *md, const gchar *name)
{
	g_string_append(md->text, "				enum : ");
	put_integer_type(md, 1, FALSE, "none", 10, TRUE);
	g_string_append_printf(
		md->text,
		" {\n"
		"					\"_unknown\" = 0,\n"
		"					\"_icmp\" = 1,\n"
		"					\"_unknown\" = 2 ... 5,\n"
		"					\"_tcp\" = 6,\n"
		"					\"_unknown\" = 7 ... 16,\n"
		"					\"_udp\" = 17,\n"
		"					\"_unknown\" = 18 ... 255,\n"
		"				} _%s;\n",
		name);
}

static void put_packet_type(Metadata *md)
{
	static const gchar *const v4_begin[] = {
		"version 4 4 10", "ihl 4 4 10",        "tos 8 8 10", "tot_len 16 16 10",
		"id 16 16 16",    "frag_off 16 16 10", "ttl 8 8 10", NULL};
	static const gchar *const v4_end[] = {"checksum 16 16 16", "saddr 8 8 10 [4]",
					      "daddr 8 8 10 [4]", NULL};
	static const gchar *const v6_begin[] = {"version 4 4 10", "prio 4 4 10",
						"flow_lbl 8 8 16 [3]", "payload_len 16 16 10",
						NULL};
	static const gchar *const v6_end[] = {"hop_limit 8 8 10", "saddr 16 16 16 [8]",
					      "daddr 16 16 16 [8]", NULL};
	const gchar *indent = "				";

	g_string_append(md->text, "		enum : ");
	put_integer_type(md, 1, FALSE, "none", 10, FALSE);
	g_string_append(md->text, " {\n"
				  "			\"_unknown\" = 0,\n"
				  "			\"_ipv4\" = 1,\n"
				  "			\"_ipv6\" = 2,\n"
				  "		} _network_header_type;\n"
				  "		variant <_network_header_type> {\n"
				  "			struct {\n"
				  "			} _unknown;\n"
				  "			struct {\n");
	put_be_fields(md, indent, v4_begin);
	put_protocol_enum(md, "protocol");
	put_be_fields(md, indent, v4_end);
	put_transport_header(md);
	g_string_append(md->text, "			} _ipv4;\n"
				  "			struct {\n");
	put_be_fields(md, indent, v6_begin);
	put_protocol_enum(md, "nexthdr");
	put_be_fields(md, indent, v6_end);
	put_transport_header(md);
	g_string_append(md->text, "			} _ipv6;\n"
				  "		} _network_header;\n");
}

static void put_field(Metadata *md, const Field *field)
{
	if (field->type == FIELD_PACKET) {
		put_packet_type(md);
		return;
	}
	g_string_append(md->text, "		");
	switch (field->type) {
	case FIELD_INTEGER:
		put_integer_type(md, field->size, field->is_signed, "none", field->base,
				 field->big_endian);
		g_string_append_printf(md->text, " _%s;\n", field->name);
		break;
	case FIELD_TEXT:
		put_integer_type(md, 1, TRUE, "UTF8", 10, FALSE);
		g_string_append_printf(md->text, " _%s[16];\n", field->name);
		break;
	case FIELD_STRING:
		g_string_append_printf(md->text, "string _%s;\n", field->name);
		break;
	case FIELD_INTS:
		put_integer_type(md, 1, FALSE, "none", 10, FALSE);
		g_string_append_printf(md->text, " __%s_length;\n		", field->name);
		put_integer_type(md, 4, TRUE, "none", 10, FALSE);
		g_string_append_printf(md->text, " _%s[ __%s_length ];\n", field->name,
				       field->name);
		break;
	case FIELD_BYTES:
		put_integer_type(md, 4, FALSE, "none", 10, FALSE);
		g_string_append_printf(md->text, " __%s_length;\n		", field->name);
		put_integer_type(md, 1, FALSE, "none", 16, FALSE);
		g_string_append_printf(md->text, " _%s[ __%s_length ];\n", field->name,
				       field->name);
		break;
	case FIELD_PACKET:
	default:
		g_assert_not_reached();
	}
}

static gchar *uuid_text(const guint8 uuid[16])
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < 16; i++)
		g_string_append_printf(text, "%s%02x",
				       i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
	return g_string_free(text, FALSE);
}

static void put_preamble(Metadata *md)
{
	const WpCtfConfig *config = md->config;
	const guint a16 = alignment(config, 2), a32 = alignment(config, 4);
	const guint a64 = alignment(config, 8), word = config->aligned ? 4 : 8;
	g_autofree gchar *uuid = uuid_text(config->uuid);

	g_string_append_printf(
		md->text,
		"/* CTF 1.8 */\n\n"
		"typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
		"typealias integer { size = 16; align = %u; signed = false; } := uint16_t;\n"
		"typealias integer { size = 32; align = %u; signed = false; } := uint32_t;\n"
		"typealias integer { size = 64; align = %u; signed = false; } := uint64_t;\n"
		"typealias integer { size = %u; align = %u; signed = false; } := unsigned long;\n"
		"typealias integer { size = 5; align = 1; signed = false; } := uint5_t;\n"
		"typealias integer { size = 27; align = 1; signed = false; } := uint27_t;\n\n"
		"trace {\n"
		"	major = 1;\n"
		"	minor = 8;\n"
		"	uuid = \"%s\";\n"
		"	byte_order = %s;\n"
		"	packet.header := struct {\n"
		"		uint32_t magic;\n"
		"		uint8_t  uuid[16];\n"
		"		uint32_t stream_id;\n"
		"%s"
		"	};\n"
		"};\n\n"
		"env {\n%s};\n\n",
		a16, a32, a64, word * 8, alignment(config, word), uuid,
		config->big_endian ? "be" : "le",
		config->old ? "" : "		uint64_t stream_instance_id;\n",
		config->env ? config->env : "");
	g_string_append_printf(md->text,
			       "clock {\n"
			       "	name = \"monotonic\";\n"
			       "	uuid = \"%s\";\n"
			       "	description = \"Monotonic Clock\";\n"
			       "	freq = 1000000000; /* Frequency, in Hz */\n"
			       "	/* clock value offset from Epoch is: offset * (1/freq) */\n"
			       "	offset = %" G_GINT64_FORMAT ";\n"
			       "};\n\n"
			       "typealias integer {\n"
			       "	size = 27; align = 1; signed = false;\n"
			       "	map = clock.monotonic.value;\n"
			       "} := uint27_clock_monotonic_t;\n\n"
			       "typealias integer {\n"
			       "	size = 32; align = %u; signed = false;\n"
			       "	map = clock.monotonic.value;\n"
			       "} := uint32_clock_monotonic_t;\n\n"
			       "typealias integer {\n"
			       "	size = 64; align = %u; signed = false;\n"
			       "	map = clock.monotonic.value;\n"
			       "} := uint64_clock_monotonic_t;\n\n",
			       config->clock_uuid ? config->clock_uuid : uuid, config->clock_offset,
			       a32, a64);
	g_string_append_printf(
		md->text,
		"struct packet_context {\n"
		"	uint64_clock_monotonic_t timestamp_begin;\n"
		"	uint64_clock_monotonic_t timestamp_end;\n"
		"	uint64_t content_size;\n"
		"	uint64_t packet_size;\n"
		"%s"
		"	unsigned long events_discarded;\n"
		"	uint32_t cpu_id;\n"
		"};\n\n"
		"struct event_header_compact {\n"
		"	enum : uint5_t { compact = 0 ... 30, extended = 31 } id;\n"
		"	variant <id> {\n"
		"		struct {\n"
		"			uint27_clock_monotonic_t timestamp;\n"
		"		} compact;\n"
		"		struct {\n"
		"			uint32_t id;\n"
		"			uint64_clock_monotonic_t timestamp;\n"
		"		} extended;\n"
		"	} v;\n"
		"} align(%u);\n\n"
		"struct event_header_large {\n"
		"	enum : uint16_t { compact = 0 ... 65534, extended = 65535 } id;\n"
		"	variant <id> {\n"
		"		struct {\n"
		"			uint32_clock_monotonic_t timestamp;\n"
		"		} compact;\n"
		"		struct {\n"
		"			uint32_t id;\n"
		"			uint64_clock_monotonic_t timestamp;\n"
		"		} extended;\n"
		"	} v;\n"
		"} align(%u);\n\n"
		"stream {\n"
		"	id = 0;\n"
		"	event.header := struct event_header_%s;\n"
		"	packet.context := struct packet_context;\n"
		"};\n\n",
		config->old ? "" : "	uint64_t packet_seq_num;\n", a32, a16,
		config->compact ? "compact" : "large");
}

static gchar *metadata_text(const WpCtfConfig *config, const GPtrArray *classes)
{
	Metadata md = {config, g_string_new(NULL)};

	put_preamble(&md);
	for (guint i = 0; i < classes->len; i++) {
		const Class *class = g_ptr_array_index(classes, i);

		g_string_append_printf(md.text,
				       "event {\n"
				       "	name = \"%s\";\n"
				       "	id = %u;\n"
				       "	stream_id = 0;\n"
				       "	fields := struct {\n",
				       class->name, i);
		for (guint f = 0; f < class->fields->len; f++)
			put_field(&md, &g_array_index(class->fields, Field, f));
		g_string_append(md.text, "	};\n};\n\n");
	}
	return g_string_free(md.text, FALSE);
}

/* ---- Bytes ---- */

static inline void store(guint8 *to, guint64 value, guint size, gboolean big_endian)
{
	const guint64 ordered = big_endian ? GUINT64_TO_BE(value << (64 - 8 * size))
					   : GUINT64_TO_LE(value);

	switch (size) {
	case 1:
		*to = (guint8)value;
		break;
	case 2:
		memcpy(to, &ordered, 2);
		break;
	case 4:
		memcpy(to, &ordered, 4);
		break;
	default:
		memcpy(to, &ordered, 8);
		break;
	}
}

static gboolean write_metadata(const gchar *directory, const WpCtfConfig *config,
			       const GPtrArray *classes, GError **error)
{
	g_autofree gchar *path = g_build_filename(directory, "metadata", NULL);
	g_autofree gchar *text = metadata_text(config, classes);
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	const gsize length = strlen(text), room = METADATA_PACKET - METADATA_HEADER;

	for (gsize at = 0; at < length; at += room) {
		guint8 packet[METADATA_PACKET] = {0};
		const gsize n = MIN(room, length - at);

		store(packet, METADATA_MAGIC, 4, config->big_endian);
		memcpy(packet + 4, config->uuid, 16);
		/* A checksum of 0; then content and packet size in bits. */
		store(packet + 24, (METADATA_HEADER + n) * 8, 4, config->big_endian);
		store(packet + 28, METADATA_PACKET * 8, 4, config->big_endian);
		/* No compression, encryption or checksum scheme; version 1.8. */
		packet[35] = 1;
		packet[36] = 8;
		memcpy(packet + METADATA_HEADER, text + at, n);
		g_byte_array_append(bytes, packet, METADATA_PACKET);
	}
	return g_file_set_contents(path, (const gchar *)bytes->data, bytes->len, error);
}

/* Room for n bytes at an alignment of as many (when the trace is aligned), or NULL: full. */
static guint8 *reserve(const WpCtfWriter *writer, Stream *stream, gsize n, gsize align)
{
	if (writer->config.aligned && align > 1)
		stream->at = (stream->at + align - 1) & ~(align - 1);
	if (stream->at + n > writer->config.packet_size) {
		stream->full = TRUE;
		return NULL;
	}
	stream->at += n;
	return stream->packet + stream->at - n;
}

static void put(const WpCtfWriter *writer, Stream *stream, guint64 value, guint size)
{
	guint8 *to = reserve(writer, stream, size, size);

	if (to)
		store(to, value, size, writer->config.big_endian);
}

static void put_bytes(const WpCtfWriter *writer, Stream *stream, const void *bytes, gsize n,
		      gsize align)
{
	guint8 *to = reserve(writer, stream, n, align);

	if (to)
		memcpy(to, bytes, n);
}

static void put_text(const WpCtfWriter *writer, Stream *stream, const gchar *text)
{
	guint8 *to = reserve(writer, stream, 16, 1);
	const gsize length = text ? strnlen(text, 15) : 0;

	if (!to)
		return;
	memset(to, 0, 16);
	if (length)
		memcpy(to, text, length);
}

static void put_transport(const WpCtfWriter *writer, Stream *stream, const WpCtfPacket *packet)
{
	guint8 header[20] = {0};

	switch (packet->protocol) {
	case 6:
		put(writer, stream, 1, 1);
		store(header, packet->sport, 2, TRUE);
		store(header + 2, packet->dport, 2, TRUE);
		store(header + 4, packet->seq, 4, TRUE);
		store(header + 8, packet->ack, 4, TRUE);
		/* Five words of header, three reserved bits, nine flags. */
		store(header + 12, 5u << 12 | (packet->flags & 0x1ffu), 2, TRUE);
		store(header + 14, packet->window, 2, TRUE);
		put_bytes(writer, stream, header, 20, 4);
		break;
	case 17:
		put(writer, stream, 2, 1);
		store(header, packet->sport, 2, TRUE);
		store(header + 2, packet->dport, 2, TRUE);
		store(header + 4, packet->udp_len, 2, TRUE);
		put_bytes(writer, stream, header, 8, 2);
		break;
	case 1:
		put(writer, stream, 3, 1);
		header[0] = packet->icmp_type;
		header[1] = packet->icmp_code;
		store(header + 4, packet->icmp_gateway, 4, TRUE);
		put_bytes(writer, stream, header, 8, 4);
		break;
	default:
		put(writer, stream, 0, 1);
		break;
	}
}

static void put_packet(const WpCtfWriter *writer, Stream *stream, const WpCtfPacket *packet)
{
	guint8 header[40] = {0};

	put(writer, stream,
	    !packet                ? 0
	    : packet->version == 4 ? 1
	    : packet->version == 6 ? 2
				   : 0,
	    1);
	if (!packet || packet->version == 0)
		return;
	if (packet->version == 4) {
		header[0] = 0x45;
		store(header + 2, packet->tot_len, 2, TRUE);
		store(header + 4, packet->ip_id, 2, TRUE);
		store(header + 6, packet->frag_off, 2, TRUE);
		header[8] = 64;
		header[9] = packet->protocol;
		memcpy(header + 12, packet->source, 4);
		memcpy(header + 16, packet->destination, 4);
		put_bytes(writer, stream, header, 20, 2);
	} else {
		header[0] = 0x60;
		store(header + 4, packet->tot_len, 2, TRUE);
		header[6] = packet->protocol;
		header[7] = 64;
		memcpy(header + 8, packet->source, 16);
		memcpy(header + 24, packet->destination, 16);
		put_bytes(writer, stream, header, 40, 2);
	}
	put_transport(writer, stream, packet);
}

static void put_value(const WpCtfWriter *writer, Stream *stream, const Field *field,
		      const WpCtfValue *value)
{
	switch (field->type) {
	case FIELD_INTEGER: {
		guint8 *to = reserve(writer, stream, field->size, field->size);

		if (to)
			store(to, (guint64)value->i, field->size,
			      field->big_endian || writer->config.big_endian);
		break;
	}
	case FIELD_TEXT:
		put_text(writer, stream, value->s);
		break;
	case FIELD_STRING:
		put_bytes(writer, stream, value->s ? value->s : "",
			  value->s ? strlen(value->s) + 1 : 1, 1);
		break;
	case FIELD_INTS:
		put(writer, stream, 1, 1);
		put(writer, stream, (guint64)value->i, 4);
		break;
	case FIELD_BYTES:
		put(writer, stream, 0, 4);
		break;
	case FIELD_PACKET:
		put_packet(writer, stream, value->packet);
		break;
	default:
		g_assert_not_reached();
	}
}

/* The id and the time, as long as the tracer must write it since the event before. */
static void put_event_header(const WpCtfWriter *writer, Stream *stream, guint64 time, guint id)
{
	const WpCtfConfig *config = &writer->config;
	const guint64 passed = time - stream->last;

	if (config->compact) {
		const gboolean extended = id > 30 || passed >> 27;
		guint64 bits;

		if (config->big_endian)
			bits = (guint64)(extended ? 31 : id) << 27 | (time & 0x7ffffff);
		else
			bits = (extended ? 31 : id) | (time & 0x7ffffff) << 5;
		if (!extended) {
			put(writer, stream, bits, 4);
			return;
		}
		/* Only the five bits of the id, padded to the structure behind them. */
		put(writer, stream, config->big_endian ? 31u << 3 : 31u, 1);
		reserve(writer, stream, 0, 8);
		put(writer, stream, id, 4);
		put(writer, stream, time, 8);
		return;
	}
	if (passed >> 32 || id > 65534) {
		put(writer, stream, 65535, 2);
		/* As its widest member aligns the structure. */
		reserve(writer, stream, 0, 8);
		put(writer, stream, id, 4);
		put(writer, stream, time, 8);
	} else {
		put(writer, stream, id, 2);
		put(writer, stream, time & 0xffffffff, 4);
	}
}

/* ---- Packets and files ---- */

static void begin_packet(const WpCtfWriter *writer, Stream *stream, guint64 time)
{
	const WpCtfConfig *config = &writer->config;

	stream->at = 0;
	stream->begin = stream->last = time;
	put(writer, stream, CTF_MAGIC, 4);
	put_bytes(writer, stream, config->uuid, 16, 1);
	put(writer, stream, 0, 4);
	if (!config->old)
		put(writer, stream, (guint64)(stream - writer->streams), 8);
	/* The context's values are known at the end: see end_packet(). */
	stream->header_end = 0;
	for (guint i = 0; i < (config->old ? 4 : 5); i++)
		put(writer, stream, 0, 8);
	put(writer, stream, 0, config->aligned ? 4 : 8);
	put(writer, stream, 0, 4);
	stream->header_end = stream->at;
}

static gboolean end_packet(WpCtfWriter *writer, Stream *stream, GError **error)
{
	const WpCtfConfig *config = &writer->config;
	const gsize content = stream->at;

	if (content == 0)
		return TRUE;
	/* Back over the packet header. */
	stream->at = config->old ? 24 : 32;
	put(writer, stream, stream->begin, 8);
	put(writer, stream, stream->last, 8);
	put(writer, stream, content * 8, 8);
	put(writer, stream, config->packet_size * 8, 8);
	if (!config->old)
		put(writer, stream, stream->n_packets, 8);
	put(writer, stream, stream->n_lost, config->aligned ? 4 : 8);
	put(writer, stream, (guint64)(stream - writer->streams), 4);
	memset(stream->packet + content, 0, config->packet_size - content);
	stream->at = 0;
	if (fwrite(stream->packet, config->packet_size, 1, stream->file) != 1) {
		g_set_error(error, G_FILE_ERROR, (gint)g_file_error_from_errno(errno), "%s: %s",
			    stream->path, g_strerror(errno));
		return FALSE;
	}
	stream->n_packets++;
	return TRUE;
}

WpCtfWriter *wp_ctf_writer_new(const gchar *directory, const WpCtfConfig *config,
			       const WpCtfClass *classes, guint n_classes, GError **error)
{
	WpCtfWriter *writer = g_new0(WpCtfWriter, 1);

	writer->config = *config;
	writer->config.packet_size = MAX(config->packet_size ? config->packet_size : 65536, 4096);
	writer->classes = g_ptr_array_new_with_free_func(class_free);
	for (guint i = 0; i < n_classes; i++)
		g_ptr_array_add(writer->classes, class_new(&classes[i], config));
	writer->streams = g_new0(Stream, config->n_cpus);
	if (g_mkdir(directory, 0777) != 0 && errno != EEXIST) {
		g_set_error(error, G_FILE_ERROR, (gint)g_file_error_from_errno(errno), "%s: %s",
			    directory, g_strerror(errno));
		goto fail;
	}
	for (guint i = 0; i < config->n_cpus; i++) {
		Stream *stream = &writer->streams[i];
		g_autofree gchar *name = g_strdup_printf("channel0_%u", i);

		stream->path = g_build_filename(directory, name, NULL);
		stream->packet = g_malloc(writer->config.packet_size);
		stream->file = g_fopen(stream->path, "wb");
		if (!stream->file) {
			g_set_error(error, G_FILE_ERROR, (gint)g_file_error_from_errno(errno),
				    "%s: %s", stream->path, g_strerror(errno));
			goto fail;
		}
	}
	if (!write_metadata(directory, config, writer->classes, error))
		goto fail;
	return writer;
fail:
	wp_ctf_writer_close(writer, NULL);
	return NULL;
}

gboolean wp_ctf_writer_event(WpCtfWriter *writer, guint cpu, guint64 time, guint class_id,
			     const WpCtfValue *values, GError **error)
{
	const Class *class = g_ptr_array_index(writer->classes, class_id);
	Stream *stream = &writer->streams[cpu];

	for (;;) {
		gsize begin;

		if (stream->at == 0)
			begin_packet(writer, stream, time);
		begin = stream->at;
		stream->full = FALSE;
		/* The header's structure is aligned as its widest small member. */
		if (writer->config.aligned)
			reserve(writer, stream, 0, writer->config.compact ? 4 : 2);
		put_event_header(writer, stream, time, class_id);
		reserve(writer, stream, 0, class->align);
		for (guint i = 0; i < class->fields->len; i++)
			put_value(writer, stream, &g_array_index(class->fields, Field, i),
				  &values[i]);
		if (!stream->full)
			break;
		g_assert(begin > stream->header_end); /* or it would never fit */
		stream->at = begin;
		if (!end_packet(writer, stream, error))
			return FALSE;
	}
	stream->last = writer->last = time;
	return TRUE;
}

gboolean wp_ctf_writer_lose(WpCtfWriter *writer, guint cpu, guint64 time, guint64 n_lost,
			    GError **error)
{
	Stream *stream = &writer->streams[cpu];

	if (!end_packet(writer, stream, error))
		return FALSE;
	stream->n_lost += n_lost;
	/* A packet's count is of when it ended: one without events, so that this is time. */
	begin_packet(writer, stream, time);
	return end_packet(writer, stream, error);
}

gboolean wp_ctf_writer_close(WpCtfWriter *writer, GError **error)
{
	gboolean good = TRUE;

	for (guint i = 0; i < writer->config.n_cpus; i++) {
		Stream *stream = &writer->streams[i];

		if (stream->file) {
			/* A CPU without events has one packet without events. */
			if (stream->at == 0 && stream->n_packets == 0)
				begin_packet(writer, stream, writer->last);
			if (good)
				good = end_packet(writer, stream, error);
			if (fclose(stream->file) != 0 && good) {
				g_set_error(error, G_FILE_ERROR,
					    (gint)g_file_error_from_errno(errno), "%s: %s",
					    stream->path, g_strerror(errno));
				good = FALSE;
			}
		}
		g_free(stream->path);
		g_free(stream->packet);
	}
	g_free(writer->streams);
	g_ptr_array_unref(writer->classes);
	g_free(writer);
	return good;
}
