/* SPDX-License-Identifier: MIT */
/*
 * index.c: finds the packets of all files and gives them to streams.
 *
 * Where a packet's size cannot be right, or bytes are no packet, the next place
 * that holds the magic number and a right header is searched for; each byte is
 * looked at once, so that this too is linear in the size of the file.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "ctf/index.h"
#include "ctf/lttng-index.h"

#define PACKET_MAGIC 0xc1fc1fc1u
/* No buffer of a tracer is as large: a header that says so is damaged, its file not just cut. */
#define PACKET_BITS_MAX (G_GUINT64_CONSTANT(1) << 43)

/* Where a head is only tried, so much of the file may belong to it. */
#define HEAD_BYTES (G_GUINT64_CONSTANT(1) << 16)
/* So many bytes hold the head of nearly all packets. */
#define HEAD_BYTES_USUAL 512u
/* A CPU number from here on is none; so many missing ones are named. */
#define CPUS_MAX 65536u
#define CPUS_NAMED 8u
/*
 * How far an event's time may lie outside its packet's bounds. Tracers are off by
 * some microseconds (LTTng before 2.11 may close a packet with a time from before
 * its last event); garbage is off by more, soon.
 */
#define SLACK_NS (10 * WP_NS_PER_MS)

typedef struct {
	WpCtfIndex *index; /* borrowed: being filled */
	WpFindings *findings; /* borrowed */
	WpCtfMachine *machine; /* owned */
	GHashTable *by_key; /* owned: stream key (owned) -> WpCtfIndexStream (borrowed) */
	GHashTable *cpus; /* owned: set of (stream plan << 32 | CPU) keys, owned */
	GError *error; /* owned: a limit was passed */
} Walk;

/* ---- the head of a packet ---- */

/* -1: the id is of no stream. */
static gint find_stream(const WpCtfProgram *program, guint32 has, guint64 id)
{
	if (!(has & WP_CTF_HAS(WP_CTF_STREAM_ID)))
		return program->n_streams == 1 ? 0 : -1;
	for (guint32 i = 0; i < program->n_streams; i++)
		if (program->streams[i].klass->id == id)
			return (gint)i;
	return -1;
}

static gboolean same_uuid(const WpCtfMachine *machine)
{
	const WpCtfTrace *trace = machine->program->trace;
	guint64 uuid[2];

	memcpy(uuid, trace->uuid, sizeof(uuid));
	return !trace->has_uuid ||
	       (GUINT64_FROM_BE(uuid[0]) == machine->special[WP_CTF_UUID_HIGH] &&
		GUINT64_FROM_BE(uuid[1]) == machine->special[WP_CTF_UUID_LOW]);
}

static void fill_head(const WpCtfMachine *machine, guint32 has, WpCtfPacketHead *head)
{
	const guint64 *special = machine->special;

	head->has = has;
	head->instance = special[WP_CTF_INSTANCE_ID];
	head->begin = has & WP_CTF_HAS(WP_CTF_BEGIN) ? special[WP_CTF_BEGIN] : 0;
	head->end = special[WP_CTF_END_TIME];
	head->packet = has & WP_CTF_HAS(WP_CTF_PACKET_SIZE)    ? special[WP_CTF_PACKET_SIZE]
		       : has & WP_CTF_HAS(WP_CTF_CONTENT_SIZE) ? special[WP_CTF_CONTENT_SIZE]
							       : G_MAXUINT64;
	head->content = has & WP_CTF_HAS(WP_CTF_CONTENT_SIZE) ? special[WP_CTF_CONTENT_SIZE]
							      : head->packet;
	head->discarded = special[WP_CTF_DISCARDED];
	head->number = special[WP_CTF_SEQUENCE_NUMBER];
	head->cpu = has & WP_CTF_HAS(WP_CTF_CPU) ? (guint32)special[WP_CTF_CPU] : WP_NONE;
	head->events = machine->pos;
}

WpCtfHeadStatus wp_ctf_packet_read_head(WpCtfMachine *machine, const guint8 *data, guint64 size,
					WpCtfPacketHead *head)
{
	const WpCtfProgram *program = machine->program;
	guint32 has = program->header_has;

	machine->data = data;
	machine->pos = 0;
	machine->end = size * 8;
	if (wp_ctf_machine_run(machine, program->header_pc) != WP_CTF_OK)
		return WP_CTF_HEAD_CUT;
	if ((has & WP_CTF_HAS(WP_CTF_MAGIC)) && machine->special[WP_CTF_MAGIC] != PACKET_MAGIC)
		return WP_CTF_HEAD_FOREIGN;

	gint stream = find_stream(program, has, machine->special[WP_CTF_STREAM_ID]);

	if (stream < 0)
		return WP_CTF_HEAD_FOREIGN;
	head->stream = (guint32)stream;
	has |= program->streams[stream].context_has;
	if (wp_ctf_machine_run(machine, program->streams[stream].context_pc) != WP_CTF_OK)
		return WP_CTF_HEAD_CUT;
	fill_head(machine, has, head);
	machine->ticks = head->begin;
	if ((has & WP_CTF_HAS(WP_CTF_UUID_HIGH)) && !same_uuid(machine))
		return WP_CTF_HEAD_UUID;
	return WP_CTF_HEAD_OK;
}

void wp_ctf_packet_set_bounds(const WpCtfPacketHead *head, const WpCtfStreamPlan *plan,
			      const WpCtfTimescale *scale, WpCtfPacketFrame *frame)
{
	const guint32 both = WP_CTF_HAS(WP_CTF_BEGIN) | WP_CTF_HAS(WP_CTF_END_TIME);
	const guint64 slack = wp_ctf_timescale_ticks(scale, (guint64)SLACK_NS);

	frame->ticks_min = 0;
	frame->ticks_span = G_MAXUINT64;
	if ((head->has & both) != both || head->end < head->begin || !plan->has_ticks)
		return;
	frame->ticks_min = head->begin > slack ? head->begin - slack : 0;
	frame->ticks_span = head->end - frame->ticks_min;
	frame->ticks_span += MIN(slack, G_MAXUINT64 - frame->ticks_span);
}

/* ---- the packets of one file ---- */

/* The magic number as it lies in the file. */
static guint32 magic_bytes(const Walk *walk)
{
	return walk->index->program->trace->order == WP_CTF_ORDER_LE ? GUINT32_TO_LE(PACKET_MAGIC)
								     : GUINT32_TO_BE(PACKET_MAGIC);
}

/* The next right packet head at or behind from; the file's size if there is none. */
static guint64 find_packet(Walk *walk, const WpCtfFile *file, guint64 from)
{
	const guint32 magic = magic_bytes(walk);
	WpCtfPacketHead head;

	if (!(walk->index->program->header_has & WP_CTF_HAS(WP_CTF_MAGIC)))
		return file->size;
	while (from < file->size) {
		const guint8 *hit = memmem(file->data + from, file->size - from, &magic, 4);

		if (!hit)
			break;
		from = (guint64)(hit - file->data);
		if (wp_ctf_packet_read_head(walk->machine, hit, MIN(file->size - from, HEAD_BYTES),
					    &head) == WP_CTF_HEAD_OK &&
		    head.content <= head.packet)
			return from;
		from++;
	}
	return file->size;
}

static WpCtfIndexStream *stream_of(Walk *walk, const WpCtfPacketHead *head, guint32 file)
{
	const gboolean has_id = (head->has & WP_CTF_HAS(WP_CTF_INSTANCE_ID)) != 0;
	g_autofree gchar *key = g_strdup_printf("%u %c %" G_GUINT64_FORMAT, head->stream,
						has_id ? 'i' : 'f', has_id ? head->instance : file);
	WpCtfIndexStream *stream = g_hash_table_lookup(walk->by_key, key);

	if (!stream) {
		stream = g_new0(WpCtfIndexStream, 1);
		stream->plan = head->stream;
		stream->packets = g_array_new(FALSE, FALSE, sizeof(WpCtfPacket));
		g_ptr_array_add(walk->index->streams, stream);
		g_hash_table_insert(walk->by_key, g_steal_pointer(&key), stream);
	}
	return stream;
}

static void note_cpu(Walk *walk, const WpCtfPacketHead *head)
{
	guint64 key = (guint64)head->stream << 32 | head->cpu;

	if (head->cpu != WP_NONE && !g_hash_table_contains(walk->cpus, &key) &&
	    g_hash_table_size(walk->cpus) < 65536)
		g_hash_table_add(walk->cpus, g_memdup2(&key, sizeof(key)));
}

static gboolean add_packet(Walk *walk, const WpCtfPacketHead *head, guint32 file, guint64 offset,
			   guint64 size)
{
	WpCtfPacket packet = {.offset = offset, .size = size, .begin = head->begin, .file = file};

	if (walk->index->n_packets >= WP_CTF_PACKETS_MAX) {
		g_set_error(&walk->error, WP_ERROR, WP_ERROR_LIMIT,
			    "%s: there are more than %u packets; record with larger buffers.",
			    g_array_index(walk->index->files, WpCtfFile, file).path,
			    WP_CTF_PACKETS_MAX);
		return FALSE;
	}
	g_array_append_val(stream_of(walk, head, file)->packets, packet);
	walk->index->n_packets++;
	note_cpu(walk, head);
	return TRUE;
}

/*
 * The bytes that belong to the packet at offset. What its header says, if that can be;
 * else all up to the next packet, or to the file's end.
 */
static guint64 packet_size(Walk *walk, const WpCtfFile *file, const WpCtfPacketHead *head,
			   guint64 offset)
{
	const guint64 left = file->size - offset;

	if (head->packet == G_MAXUINT64)
		return left;
	if (head->packet % 8 == 0 && head->packet >= head->events && head->packet / 8 <= left &&
	    head->packet > 0) {
		if (head->content > head->packet)
			wp_findings_add(walk->findings, "damaged-packet", WP_SEVERITY_ERROR, NULL,
					WP_TIME_MIN, 1,
					"%s: the packet at byte %" G_GUINT64_FORMAT
					" says that its content is larger than itself; it is read "
					"as far as it makes sense.",
					file->path, offset);
		return head->packet / 8;
	}

	const guint64 next = find_packet(walk, file, offset + (head->events + 7) / 8);

	if (next < file->size || head->packet / 8 <= left || head->packet > PACKET_BITS_MAX)
		wp_findings_add(walk->findings, "damaged-packet", WP_SEVERITY_ERROR, NULL,
				WP_TIME_MIN, 1,
				"%s: the packet at byte %" G_GUINT64_FORMAT
				" gives a size that cannot be; it is read up to byte "
				"%" G_GUINT64_FORMAT " at most.",
				file->path, offset, next);
	else
		wp_findings_add(walk->findings, "cut-stream", WP_SEVERITY_WARNING, NULL,
				WP_TIME_MIN, 1,
				"%s ends within its packet at byte %" G_GUINT64_FORMAT
				"; the events that are whole are read.",
				file->path, offset);
	return next - offset;
}

static gboolean has_magic_at(const Walk *walk, const WpCtfFile *file, guint64 offset)
{
	const guint32 magic = magic_bytes(walk);

	return !(walk->index->program->header_has & WP_CTF_HAS(WP_CTF_MAGIC)) ||
	       (file->size - offset >= 4 && memcmp(file->data + offset, &magic, 4) == 0);
}

/* Bytes from offset on that are no packet: where to go on. any: the file has packets. */
static guint64 pass_over(Walk *walk, const WpCtfFile *file, guint64 offset, gboolean cut,
			 gboolean any)
{
	const guint64 next = find_packet(walk, file, offset + 1);

	if (cut && next == file->size && has_magic_at(walk, file, offset))
		wp_findings_add(
			walk->findings, "cut-stream", WP_SEVERITY_WARNING, NULL, WP_TIME_MIN, 1,
			"%s ends within the header of its packet at byte %" G_GUINT64_FORMAT ".",
			file->path, offset);
	else if (!any && next == file->size)
		wp_findings_add(walk->findings, "foreign-file", WP_SEVERITY_WARNING, NULL,
				WP_TIME_MIN, 1, "%s is no stream of this trace; it is not read.",
				file->path);
	else
		wp_findings_add(walk->findings, "skipped-bytes", WP_SEVERITY_ERROR, NULL,
				WP_TIME_MIN, 1,
				"%s: %" G_GUINT64_FORMAT " bytes from byte %" G_GUINT64_FORMAT
				" on are no packet; they are passed over.",
				file->path, next - offset, offset);
	return next;
}

/* Packets with another UUID count if the file has right ones too: then it is damage. */
static void tell_uuid(Walk *walk, const WpCtfFile *file, guint64 n_right, guint64 n_wrong)
{
	if (!n_wrong)
		return;
	if (n_right)
		wp_findings_add(walk->findings, "foreign-uuid", WP_SEVERITY_WARNING, NULL,
				WP_TIME_MIN, n_wrong,
				"%s has packets with the UUID of another trace; they are read all "
				"the same.",
				file->path);
	else
		wp_findings_add(walk->findings, "foreign-uuid", WP_SEVERITY_ERROR, NULL,
				WP_TIME_MIN, n_wrong,
				"%s has the UUID of another trace; it is not read.", file->path);
}

typedef struct {
	WpCtfPacketHead head;
	guint64 offset, size;
} Pending;

static void check_lttng_index(Walk *walk, const gchar *directory, const WpCtfFile *file,
			      const GArray *extents)
{
	if (wp_ctf_lttng_index_check(directory, file->name,
				     (const WpCtfExtent *)(gconstpointer)extents->data,
				     extents->len) == WP_CTF_INDEX_STALE)
		wp_findings_add(walk->findings, "stale-index", WP_SEVERITY_INFO, NULL, WP_TIME_MIN,
				1,
				"%s/index/%s.idx does not fit its stream; it is not needed, but "
				"other tools may go astray by it.",
				directory, file->name);
}

/*
 * The head of the packet at offset. It is read, which costs less than half of what it costs that the
 * kernel maps its page, with those around it, and unmaps them later.
 */
static WpCtfHeadStatus read_head(Walk *walk, gint fd, const WpCtfFile *file, guint64 offset,
				 WpCtfPacketHead *head)
{
	const guint64 left = file->size - offset;
	guint8 bytes[HEAD_BYTES_USUAL];
	const gssize n = pread(fd, bytes, MIN(left, sizeof(bytes)), (off_t)offset);

	if (n > 0) {
		const WpCtfHeadStatus status = wp_ctf_packet_read_head(walk->machine, bytes,
								       (guint64)n, head);

		if (status != WP_CTF_HEAD_CUT)
			return status;
	}
	return wp_ctf_packet_read_head(walk->machine, file->data + offset, left, head);
}

/* fd: of the file of that number. FALSE at a limit, with walk->error. */
static gboolean walk_file(Walk *walk, const gchar *directory, guint32 number, gint fd)
{
	const WpCtfFile file = g_array_index(walk->index->files, WpCtfFile, number);
	g_autoptr(GArray) extents = g_array_new(FALSE, FALSE, sizeof(WpCtfExtent));
	g_autoptr(GArray) foreign = g_array_new(FALSE, FALSE, sizeof(Pending));
	guint64 n_right = 0, n_wrong = 0;

	for (guint64 offset = 0; offset < file.size;) {
		Pending one = {.offset = offset};
		const WpCtfHeadStatus status = read_head(walk, fd, &file, offset, &one.head);

		if (status == WP_CTF_HEAD_CUT || status == WP_CTF_HEAD_FOREIGN) {
			offset = pass_over(walk, &file, offset, status == WP_CTF_HEAD_CUT,
					   n_right + n_wrong > 0);
			continue;
		}
		one.size = packet_size(walk, &file, &one.head, offset);
		offset += one.size;

		const WpCtfExtent extent = {one.offset, one.size};

		g_array_append_val(extents, extent);
		if (status == WP_CTF_HEAD_UUID) {
			n_wrong++;
			if (foreign->len < 65536)
				g_array_append_val(foreign, one);
			continue;
		}
		n_right++;
		if (!add_packet(walk, &one.head, number, one.offset, one.size))
			return FALSE;
	}
	tell_uuid(walk, &file, n_right, n_wrong);
	if (n_right)
		check_lttng_index(walk, directory, &file, extents);
	for (guint i = 0; n_right && i < foreign->len; i++) {
		const Pending *one = &g_array_index(foreign, Pending, i);

		if (!add_packet(walk, &one->head, number, one->offset, one->size))
			return FALSE;
	}
	return TRUE;
}

/* ---- the order of packets ---- */

static gint by_place(gconstpointer a, gconstpointer b)
{
	const WpCtfPacket *pa = a, *pb = b;

	if (pa->file != pb->file)
		return pa->file < pb->file ? -1 : 1;
	return pa->offset < pb->offset ? -1 : pa->offset > pb->offset;
}

static gint by_begin(gconstpointer a, gconstpointer b)
{
	const WpCtfPacket *pa = a, *pb = b;

	if (pa->begin != pb->begin)
		return pa->begin < pb->begin ? -1 : 1;
	return by_place(a, b);
}

static void order_stream(Walk *walk, WpCtfIndexStream *stream)
{
	const WpCtfStreamPlan *plan = &walk->index->program->streams[stream->plan];

	g_array_sort(stream->packets, by_place);
	if (!(plan->context_has & WP_CTF_HAS(WP_CTF_BEGIN)))
		return;
	for (guint i = 1; i < stream->packets->len; i++) {
		const WpCtfPacket *packet = &g_array_index(stream->packets, WpCtfPacket, i);

		if (packet[0].begin >= packet[-1].begin || packet[0].file != packet[-1].file)
			continue;
		wp_findings_add(walk->findings, "packets-out-of-order", WP_SEVERITY_WARNING, NULL,
				WP_TIME_MIN, 1,
				"%s: packets do not lie in the order of their times; they are read "
				"in that order.",
				g_array_index(walk->index->files, WpCtfFile, packet->file).path);
	}
	g_array_sort(stream->packets, by_begin);
}

static gint by_size(gconstpointer a, gconstpointer b)
{
	const WpCtfPacket *pa = *(const WpCtfPacket *const *)a,
			  *pb = *(const WpCtfPacket *const *)b;

	if (pa->begin != pb->begin)
		return pa->begin < pb->begin ? -1 : 1;
	if (pa->size != pb->size)
		return pa->size < pb->size ? -1 : 1;
	return by_place(pa, pb);
}

static void drop_if_repeated(Walk *walk, const WpCtfPacket *first, WpCtfPacket *other)
{
	const WpCtfFile *files = (const WpCtfFile *)(gconstpointer)walk->index->files->data;

	if (memcmp(files[first->file].data + first->offset, files[other->file].data + other->offset,
		   first->size) != 0)
		return;
	other->repeated = TRUE;
	wp_findings_add(walk->findings, "repeated-packets", WP_SEVERITY_WARNING, NULL, WP_TIME_MIN,
			1, "%s repeats packets of %s; they are read once.", files[other->file].path,
			files[first->file].path);
}

/*
 * A packet whose bytes are those of another one (a copy of a file, a packet written
 * twice) is read once. Of packets with the same begin and size each is compared with
 * the first that is not a copy, which is enough for copies.
 */
static void drop_repeated(Walk *walk)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();

	for (guint s = 0; s < walk->index->streams->len; s++) {
		WpCtfIndexStream *stream = g_ptr_array_index(walk->index->streams, s);
		const WpCtfStreamPlan *plan = &walk->index->program->streams[stream->plan];

		if (plan->context_has & WP_CTF_HAS(WP_CTF_BEGIN))
			for (guint i = 0; i < stream->packets->len; i++)
				g_ptr_array_add(all,
						&g_array_index(stream->packets, WpCtfPacket, i));
	}
	g_ptr_array_sort(all, by_size);
	for (guint i = 1, first = 0; i < all->len; i++) {
		WpCtfPacket *packet = g_ptr_array_index(all, i);
		const WpCtfPacket *before = g_ptr_array_index(all, first);

		if (packet->begin == before->begin && packet->size == before->size)
			drop_if_repeated(walk, before, packet);
		if (!packet->repeated)
			first = i;
	}
}

static void drop_copies_and_empty(Walk *walk)
{
	GPtrArray *streams = walk->index->streams;

	drop_repeated(walk);
	for (guint s = 0; s < streams->len;) {
		GArray *packets = ((WpCtfIndexStream *)g_ptr_array_index(streams, s))->packets;
		guint n = 0;

		for (guint i = 0; i < packets->len; i++) {
			const WpCtfPacket packet = g_array_index(packets, WpCtfPacket, i);

			if (packet.repeated)
				continue;
			g_array_index(packets, WpCtfPacket, n++) = packet;
			walk->index->n_bytes += packet.size;
		}
		g_array_set_size(packets, n);
		if (n)
			s++;
		else
			g_ptr_array_remove_index(streams, s);
	}
}

/* ---- CPUs ---- */

/* CPUs are numbered from 0: where some below the last are missing, streams may be. */
static void tell_missing(Walk *walk, const gchar *directory, GHashTable *all, guint32 last)
{
	const guint n_missing = last + 1 - g_hash_table_size(all);
	g_autoptr(GString) first = g_string_new(NULL);

	for (guint32 cpu = 0, n = 0; cpu < last && n < CPUS_NAMED; cpu++)
		if (!g_hash_table_contains(all, GUINT_TO_POINTER(cpu)))
			g_string_append_printf(first, "%s%u", n++ ? ", " : "", cpu);
	wp_findings_add(
		walk->findings, "missing-stream", WP_SEVERITY_WARNING, NULL, WP_TIME_MIN, n_missing,
		"%s has a stream of CPU %u, but none of %u below it (%s%s): what ran there "
		"is not in the trace, or files are missing.",
		directory, last, n_missing, first->str, n_missing > CPUS_NAMED ? ", ..." : "");
}

static void count_cpus(Walk *walk, const gchar *directory)
{
	g_autoptr(GHashTable) all = g_hash_table_new(g_direct_hash, g_direct_equal);
	GHashTableIter iter;
	gpointer key;
	guint32 last = 0;

	g_hash_table_iter_init(&iter, walk->cpus);
	while (g_hash_table_iter_next(&iter, &key, NULL)) {
		const guint64 *cpu_key = key;
		guint32 cpu = (guint32)*cpu_key;

		g_hash_table_add(all, GUINT_TO_POINTER(cpu));
		last = MAX(last, cpu);
	}
	walk->index->n_cpus = g_hash_table_size(all);
	if (walk->index->n_cpus && last < CPUS_MAX && walk->index->n_cpus <= last)
		tell_missing(walk, directory, all, last);
}

/* ---- files ---- */

static void file_clear(gpointer data)
{
	WpCtfFile *file = data;

	if (file->data)
		munmap((void *)file->data, (gsize)file->size);
	g_free(file->name);
	g_free(file->path);
}

/* A finding says why a file that should be a stream is not read. */
static void tell_unreadable(Walk *walk, const gchar *path, const gchar *why)
{
	wp_findings_add(walk->findings, "unreadable-file", WP_SEVERITY_ERROR, NULL, WP_TIME_MIN, 1,
			"%s cannot be read: %s.", path, why);
}

static void map_file(Walk *walk, gint fd, WpCtfFile *file)
{
	struct stat st;

	if (fstat(fd, &st) != 0) {
		tell_unreadable(walk, file->path, g_strerror(errno));
		return;
	}
	if (!S_ISREG(st.st_mode))
		return;
	if (st.st_size == 0) {
		wp_findings_add(walk->findings, "empty-stream", WP_SEVERITY_INFO, NULL, WP_TIME_MIN,
				1, "%s is empty: it holds no events.", file->path);
		return;
	}

	void *data = mmap(NULL, (gsize)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);

	if (data == MAP_FAILED) {
		tell_unreadable(walk, file->path, g_strerror(errno));
		return;
	}
	file->data = data;
	file->size = (guint64)st.st_size;
}

/* Maps the file, if it can be read, and indexes its packets. FALSE at a limit, with walk->error. */
static gboolean open_file(Walk *walk, const gchar *directory, const gchar *name)
{
	WpCtfFile file = {.name = g_strdup(name), .path = g_build_filename(directory, name, NULL)};
	/* Not to wait for the other end of a FIFO that lies there. */
	gint fd = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	gboolean ok = TRUE;

	if (fd < 0)
		tell_unreadable(walk, file.path, g_strerror(errno));
	else
		map_file(walk, fd, &file);
	if (file.data) {
		g_array_append_val(walk->index->files, file);
		ok = walk_file(walk, directory, walk->index->files->len - 1, fd);
	} else {
		file_clear(&file);
	}
	if (fd >= 0)
		close(fd);
	return ok;
}

static gint by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const gchar *const *)a, *(const gchar *const *)b);
}

static gboolean list_directory(const gchar *directory, GPtrArray *names, GError **error)
{
	g_autoptr(GError) cause = NULL;
	g_autoptr(GDir) dir = g_dir_open(directory, 0, &cause);
	const gchar *name;

	if (!dir) {
		g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "%s cannot be read: %s.", directory,
			    cause->message);
		return FALSE;
	}
	while ((name = g_dir_read_name(dir))) {
		if (*name == '.' || g_str_equal(name, "metadata"))
			continue;
		if (names->len >= WP_CTF_FILES_MAX) {
			g_set_error(
				error, WP_ERROR, WP_ERROR_LIMIT,
				"%s holds more than %u files; give the traces in it one by one.",
				directory, WP_CTF_FILES_MAX);
			return FALSE;
		}
		g_ptr_array_add(names, g_strdup(name));
	}
	g_ptr_array_sort(names, by_name);
	return TRUE;
}

static void index_stream_free(gpointer data)
{
	WpCtfIndexStream *stream = data;

	g_array_unref(stream->packets);
	g_free(stream);
}

static gboolean walk_directory(Walk *walk, const gchar *directory, GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);

	if (!list_directory(directory, names, error))
		return FALSE;
	for (guint i = 0; i < names->len; i++)
		if (!open_file(walk, directory, g_ptr_array_index(names, i))) {
			g_propagate_error(error, g_steal_pointer(&walk->error));
			return FALSE;
		}
	for (guint i = 0; i < walk->index->streams->len; i++)
		order_stream(walk, g_ptr_array_index(walk->index->streams, i));
	drop_copies_and_empty(walk);
	count_cpus(walk, directory);
	return TRUE;
}

WpCtfIndex *wp_ctf_index_new(const gchar *directory, const WpCtfProgram *program,
			     WpFindings *findings, GError **error)
{
	g_autoptr(WpCtfIndex) index = g_new0(WpCtfIndex, 1);
	Walk walk = {.index = index, .findings = findings};

	index->program = program;
	index->files = g_array_new(FALSE, TRUE, sizeof(WpCtfFile));
	g_array_set_clear_func(index->files, file_clear);
	index->streams = g_ptr_array_new_with_free_func(index_stream_free);
	walk.machine = g_new0(WpCtfMachine, 1);
	walk.machine->program = program;
	walk.by_key = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	walk.cpus = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);

	gboolean walked = walk_directory(&walk, directory, error);

	g_free(walk.machine);
	g_hash_table_unref(walk.by_key);
	g_hash_table_unref(walk.cpus);
	return walked ? g_steal_pointer(&index) : NULL;
}

void wp_ctf_index_free(WpCtfIndex *index)
{
	if (!index)
		return;
	g_array_unref(index->files);
	g_ptr_array_unref(index->streams);
	g_free(index);
}
