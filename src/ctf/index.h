/* SPDX-License-Identifier: MIT */
/*
 * index.h: the files, packets and streams of a trace directory.
 *
 * Every file is mapped, and the headers of its packets are walked once. Packets
 * are given to streams (by class and instance, else by file) and put in the order
 * of their begin; what is no packet is passed over up to the next one. A packet
 * takes 32 bytes here; the rest of its header is read again when its turn comes.
 */
#ifndef WP_CTF_INDEX_H
#define WP_CTF_INDEX_H

#include "base/finding.h"
#include "ctf/machine.h"

G_BEGIN_DECLS

#define WP_CTF_PACKETS_MAX (1u << 25)
#define WP_CTF_FILES_MAX 60000u /* a process may have about 65,000 mappings */

typedef struct {
	gchar *name; /* owned: in the directory */
	gchar *path; /* owned */
	const guint8 *data; /* owned mapping */
	guint64 size; /* bytes, when it was opened */
} WpCtfFile;

/* What a packet header and context say. */
typedef struct {
	guint32 has; /* WP_CTF_HAS bits */
	guint32 stream; /* index of the program's streams */
	guint64 instance; /* of the stream */
	guint64 begin, end; /* ticks */
	guint64 content, packet; /* bits; G_MAXUINT64 where it does not say */
	guint64 discarded, number;
	guint32 cpu; /* WP_NONE: unknown */
	guint64 events; /* bits: where they begin */
} WpCtfPacketHead;

typedef struct {
	guint64 offset; /* bytes */
	guint64 size; /* bytes that belong to it, within the file */
	guint64 begin; /* ticks, 0 when unknown */
	guint32 file; /* index */
	guint32 repeated; /* the same bytes are another packet too: not to be read */
} WpCtfPacket;

typedef struct {
	guint32 plan; /* index of the program's streams */
	GArray *packets; /* owned: WpCtfPacket */
} WpCtfIndexStream;

typedef struct {
	const WpCtfProgram *program; /* borrowed */
	GArray *files; /* owned: WpCtfFile */
	GPtrArray *streams; /* owned: WpCtfIndexStream */
	guint64 n_packets, n_bytes;
	guint n_cpus;
} WpCtfIndex;

/*
 * Indexes the files of directory. Fails (WP_ERROR_FAILED, _LIMIT) only when the directory cannot be
 * read or is too large; what is odd becomes a finding.
 */
WpCtfIndex *wp_ctf_index_new(const gchar *directory, const WpCtfProgram *program,
			     WpFindings *findings, GError **error);
void wp_ctf_index_free(WpCtfIndex *index);

typedef enum {
	WP_CTF_HEAD_OK,
	WP_CTF_HEAD_CUT, /* reaches behind the end */
	WP_CTF_HEAD_FOREIGN, /* no packet of this trace's streams */
	WP_CTF_HEAD_UUID /* right but for the UUID */
} WpCtfHeadStatus;

/* Reads the head of the packet in size bytes at data; machine is left at the first event. */
WpCtfHeadStatus wp_ctf_packet_read_head(WpCtfMachine *machine, const guint8 *data, guint64 size,
					WpCtfPacketHead *head);

/* The times that the packet's events may have: any, where its head does not tell. */
void wp_ctf_packet_set_bounds(const WpCtfPacketHead *head, const WpCtfStreamPlan *plan,
			      const WpCtfTimescale *scale, WpCtfPacketFrame *frame);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpCtfIndex, wp_ctf_index_free)

G_END_DECLS

#endif
