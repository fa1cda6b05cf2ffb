/* SPDX-License-Identifier: MIT */
/*
 * test-readers.c: what the readers make of traces: fixtures in every format, a trace put
 * together byte by byte, broken ones, and public ones of which the counts are known.
 * Each test runs with each reader that can be asked.
 */
#include "config.h"

#include <string.h>

#include <glib/gstdio.h>

#include "base/error.h"
#include "bt2/bt2-reader.h"
#include "ctf/ctf-reader.h"
#include "event/merge.h"
#include "lib/event-text.h"
#include "lib/fixture.h"

typedef struct {
	const gchar *name;
	WpReader *(*open)(const gchar *directory, WpLayout *layout, GError **error);
} Kind;

static WpReader *open_shared_out(const gchar *directory, WpLayout *layout, GError **error)
{
	return wp_bt2_reader_open_parallel(directory, layout, 3, FALSE, error);
}

static const Kind kinds[] = {
	{"babeltrace", wp_bt2_reader_open},
	{"babeltrace-shared-out", open_shared_out},
	{"direct", wp_ctf_reader_open},
};

/* A temporary directory with all that is in it, two levels deep. */
static void remove_tree(const gchar *path)
{
	GDir *dir = g_dir_open(path, 0, NULL);
	const gchar *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree gchar *child = g_build_filename(path, name, NULL);

		if (g_file_test(child, G_FILE_TEST_IS_DIR))
			remove_tree(child);
		else
			g_unlink(child);
	}
	if (dir)
		g_dir_close(dir);
	g_assert_cmpint(g_rmdir(path), ==, 0);
}

static gchar *temp_dir(void)
{
	gchar *dir = g_dir_make_tmp("waitpath-readers-XXXXXX", NULL);

	g_assert_nonnull(dir);
	return dir;
}

static void write_file(const gchar *directory, const gchar *name, gconstpointer data, gsize size)
{
	g_autofree gchar *path = g_build_filename(directory, name, NULL);
	g_autoptr(GError) error = NULL;

	g_file_set_contents(path, data, (gssize)size, &error);
	g_assert_no_error(error);
}

static WpLayout *layout_new(void)
{
	g_autoptr(GError) error = NULL;
	WpLayout *layout = wp_layout_new(&error);

	g_assert_no_error(error);
	return layout;
}

static WpReader *reader_new(const Kind *kind, const gchar *directory, WpLayout *layout)
{
	g_autoptr(GError) error = NULL;
	WpReader *reader = kind->open(directory, layout, &error);

	g_assert_no_error(error);
	g_assert_true(g_str_has_prefix(kind->name, reader->klass->name));
	return reader;
}

static gboolean append_event(const WpEvent *event, gpointer data, GError **error)
{
	wp_event_append_text(event, data);
	return TRUE;
}

/* All events in order; owned. */
static gchar *read_all(WpReader *reader)
{
	g_autoptr(WpFindings) findings = wp_findings_new();
	g_autoptr(GError) error = NULL;
	GString *text = g_string_new(NULL);

	wp_merge_run(&reader, 1, 1, append_event, text, NULL, NULL, findings, NULL, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(wp_findings_n(findings), ==, 0);
	return g_string_free(text, FALSE);
}

static const gchar fixture_text[] =
	"task 101 client\n"
	"task 102 server pid=100\n"
	"1 0 sched_switch prev_tid=0 next_tid=101\n"
	"110.5 1 sched_switch prev_tid=102 prev_state=1 next_tid=0\n"
	"120 1 irq_softirq_entry vec=3\n"
	"125 1 sched_pi_setprio\n"
	"300 1 lost 12\n"
	"305 1 sched_process_fork parent_tid=102 child_tid=105\n"
	"310 0 net_dev_queue skbaddr=0xff name=eth0 tcp 10.0.0.1:1000>10.0.0.2:80 seq=1 ack=2 "
	"len=100 id=5 flags=PA\n"
	"320 0 net_if_receive_skb name=eth0 udp [fd00::1]:1000>[fd00::2]:80 len=10\n"
	"330 0 net_if_receive_skb name=eth0 icmp 10.0.0.1>10.0.0.2 type=8 echo=3:4 len=10\n"
	"340 0 net_dev_queue name=eth0 len=42\n"
	"350 0 irq_handler_entry irq=25 name=virtio0-req.0\n"
	"360 0 syscall_entry_read fd=3\n"
	"370 0 syscall_exit_read ret=-4\n"
	"6000000000 0 lttng_statedump_network_interface name=eth0 address_ipv4=0x0a000001\n"
	"6000000000 1 x86_irq_vectors_local_timer_entry\n";

/*
 * The same by hand: the fixture's times are microseconds from 1700001000 s; a length of
 * 154 is that of 14 bytes of Ethernet, 20 of IP, 20 of TCP and 100 of payload. The 12
 * events were lost from the one at 125 (which the layout does not know) to 300.
 */
static const gchar fixture_events[] =
	"1700001000000001000 0 sched-switch prev-comm=\"swapper/0\" prev-tid=0 prev-state=0 "
	"next-comm=\"client\" next-tid=101 next-prio=20\n"
	"1700001000000110500 1 sched-switch prev-comm=\"server\" prev-tid=102 prev-state=1 "
	"next-comm=\"swapper/1\" next-tid=0 next-prio=20\n"
	"1700001000000120000 1 softirq-entry vec=3\n"
	"1700001000000300000 1 lost begin=1700001000000125000 count=12 packets=0\n"
	"1700001000000305000 1 sched-fork parent-tid=102 parent-pid=100 child-comm=\"task\" "
	"child-tid=105 child-pid=105\n"
	"1700001000000310000 0 net-queue skb=255 len=154 dev=\"eth0\" protocol=6 ip-id=5 "
	"tot-len=140 ihl=5 frag-off=0 saddr=0000000000000000000000000a000001 "
	"daddr=0000000000000000000000000a000002 sport=1000 dport=80 seq=1 ack=2 data-offset=5 "
	"flags=24 window=500\n"
	"1700001000000320000 0 net-receive skb=0 len=58 dev=\"eth0\" protocol=17 payload-len=18 "
	"saddr=fd000000000000000000000000000001 daddr=fd000000000000000000000000000002 "
	"sport=1000 dport=80 udp-len=18\n"
	"1700001000000330000 0 net-receive skb=0 len=38 dev=\"eth0\" protocol=1 ip-id=0 "
	"tot-len=38 ihl=5 frag-off=0 saddr=0000000000000000000000000a000001 "
	"daddr=0000000000000000000000000a000002 icmp-type=8 icmp-code=0 icmp-gateway=196612\n"
	"1700001000000340000 0 net-queue skb=0 len=42 dev=\"eth0\"\n"
	"1700001000000350000 0 irq-entry irq=25 name=\"virtio0-req.0\"\n"
	"1700001000000360000 0 syscall-entry name=\"read\"\n"
	"1700001000000370000 0 syscall-exit ret=-4\n"
	"1700007000000000000 0 dump-netif name=\"eth0\" "
	"address=0000000000000000000000000a000001\n"
	"1700007000000000000 1 vector-entry name=\"local_timer\"\n";

static const gchar *const fixture_formats[] = {
	"",
	"order=be",
	"layout=aligned",
	"header=compact",
	"packet=4096",
	"layout=aligned header=compact",
	"order=be layout=aligned header=compact packet=4096",
};

/* Writes the fixture in one format below dir; returns the trace's directory. */
static gchar *write_fixture(const gchar *dir, const gchar *format, const gchar *text)
{
	g_autofree gchar *path = g_build_filename(dir, "events.txt", NULL);
	g_autofree gchar *all = g_strdup_printf("host hosta cpus=2 %s\n%s", format, text);
	g_autoptr(GError) error = NULL;
	g_auto(GStrv) hosts = NULL;

	write_file(dir, "events.txt", all, strlen(all));
	hosts = wp_fixture_write(path, dir, &error);
	g_assert_no_error(error);
	return g_build_filename(dir, hosts[0], NULL);
}

static void test_formats(gconstpointer data)
{
	g_autoptr(WpLayout) layout = layout_new();

	for (guint i = 0; i < G_N_ELEMENTS(fixture_formats); i++) {
		g_autofree gchar *dir = temp_dir();
		g_autofree gchar *trace = write_fixture(dir, fixture_formats[i], fixture_text);
		g_autoptr(WpReader) reader = reader_new(data, trace, layout);
		g_autofree gchar *first = read_all(reader);
		g_autofree gchar *second = NULL;

		g_test_message("%s", fixture_formats[i]);
		g_assert_cmpstr(first, ==, fixture_events);
		g_assert_true(reader->klass->rewind(reader, NULL));
		second = read_all(reader);
		g_assert_cmpstr(second, ==, fixture_events);
		/* Read twice: 12 events each time. */
		g_assert_cmpuint(wp_findings_n(reader->findings), ==, 1);
		g_assert_cmpstr(wp_findings_get(reader->findings, 0)->code, ==, "lost-events");
		remove_tree(dir);
	}
}

static void test_info(gconstpointer data)
{
	g_autoptr(WpLayout) layout = layout_new();
	g_autofree gchar *dir = temp_dir();
	g_autofree gchar *trace = write_fixture(dir, "tracer=2.13 kernel=6.1.0", fixture_text);
	g_autoptr(WpReader) reader = reader_new(data, trace, layout);
	const WpTraceInfo *info = &reader->info;
	guint64 n_bytes = 0, bytes = 0;
	WpBatch batch;

	g_assert_cmpstr(info->path, ==, trace);
	g_assert_cmpstr(info->host, ==, "hosta");
	g_assert_cmpstr(info->domain, ==, "kernel");
	g_assert_cmpstr(info->tracer, ==, "lttng-modules");
	g_assert_cmpint(info->tracer_major, ==, 2);
	g_assert_cmpint(info->tracer_minor, ==, 13);
	g_assert_cmpstr(info->kernel_release, ==, "6.1.0");
	g_assert_cmpint(info->clock_offset, ==, G_GINT64_CONSTANT(1700000000000000000));
	g_assert_nonnull(info->clock_uuid);
	g_assert_cmpuint(strlen(info->clock_uuid), ==, 36);
	g_assert_cmpuint(info->n_streams, ==, 2);
	/* What is declared and never happens, and what is not declared. */
	g_assert_true(info->kinds >> WP_EV_HRTIMER_ENTRY & 1);
	g_assert_false(info->kinds >> WP_EV_CONTENTION_BEGIN & 1);
	for (guint i = 0; i < 2; i++) {
		g_autofree gchar *name = g_strdup_printf("channel0_%u", i);
		g_autofree gchar *path = g_build_filename(trace, name, NULL);
		GStatBuf status;

		g_assert_cmpint(g_stat(path, &status), ==, 0);
		bytes += (guint64)status.st_size;
	}
	g_assert_cmpuint(info->n_bytes, ==, bytes);

	/* All of them are told as read in the end, and no more. */
	wp_batch_init(&batch);
	for (guint i = 0; i < 2; i++)
		do {
			wp_batch_reset(&batch);
			g_assert_true(wp_reader_next(reader, i, &batch, &n_bytes, NULL));
			g_assert_cmpuint(n_bytes, <=, info->n_bytes);
		} while (batch.n > 0);
	wp_batch_clear(&batch);
	g_assert_cmpuint(n_bytes, ==, info->n_bytes);
	remove_tree(dir);
}

/* A trace that no LTTng writes: a clock in MHz, labels, the CPU in the event, contexts. */
static const gchar hand_metadata[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 32; align = 8; signed = false; } := u32;\n"
	"typealias integer { size = 64; align = 8; signed = false; } := u64;\n"
	"typealias integer { size = 32; align = 8; signed = true; } := i32;\n"
	"trace { major = 1; minor = 8; byte_order = be;\n"
	"	packet.header := struct { u32 magic; u32 stream_id; }; };\n"
	"env { host = \"board\"; release = \"4.9\"; tracer_name = \"hand\"; tracer_major = 3; };\n"
	"clock { name = c; freq = 1000000; offset_s = 100; offset = 5; };\n"
	"typealias integer { size = 64; align = 8; signed = false; map = clock.c.value; } := "
	"time;\n"
	"stream { id = 0;\n"
	"	packet.context := struct { time timestamp_begin; time timestamp_end;\n"
	"		u64 content_size; u64 packet_size; u64 events_discarded; };\n"
	"	event.header := struct { u32 id; time timestamp; };\n"
	"	event.context := struct { i32 vtid; i32 tid; }; };\n"
	"event { id = 0; stream_id = 0; name = \"sched:sched_switch\"; fields := struct {\n"
	"	i32 prev_pid; enum : i32 { running = 0, sleeping = 1 } prev_state; i32 next_pid;\n"
	"	u32 perf_cpu; }; };\n"
	"event { id = 1; stream_id = 0; name = \"app:request\"; fields := struct {\n"
	"	u64 _id; string label; }; };\n"
	"event { id = 2; stream_id = 0; name = \"sched_process_fork\"; fields := struct {\n"
	"	i32 parent_pid; i32 child_pid; }; };\n"
	"event { id = 3; stream_id = 0; name = \"lttng_statedump_interrupt\"; fields := struct {\n"
	"	u32 irq; }; };\n";

static void put32(GByteArray *bytes, guint32 value)
{
	value = GUINT32_TO_BE(value);
	g_byte_array_append(bytes, (const guint8 *)&value, sizeof(value));
}

static void put64(GByteArray *bytes, guint64 value)
{
	put32(bytes, (guint32)(value >> 32));
	put32(bytes, (guint32)value);
}

/* The header of an event and its context: vtid 77, tid 99. */
static void put_event(GByteArray *bytes, guint32 id, guint64 time)
{
	put32(bytes, id);
	put64(bytes, time);
	put32(bytes, 77);
	put32(bytes, 99);
}

/* The stream's one packet. */
static GByteArray *hand_stream(void)
{
	GByteArray *bytes = g_byte_array_new();
	guint64 bits;

	put32(bytes, 0xc1fc1fc1);
	put32(bytes, 0);
	put64(bytes, 6);
	put64(bytes, 20);
	put64(bytes, 0);
	put64(bytes, 0);
	put64(bytes, 0);
	put_event(bytes, 0, 7);
	put32(bytes, 11);
	put32(bytes, 1);
	put32(bytes, 12);
	put32(bytes, 5);
	put_event(bytes, 0, 8);
	put32(bytes, 12);
	put32(bytes, 2);
	put32(bytes, (guint32)-1);
	put32(bytes, 5);
	put_event(bytes, 1, 9);
	put64(bytes, 0xfedcba9876543210);
	g_byte_array_append(bytes, (const guint8 *)"a\"b", 4);
	put_event(bytes, 2, 10);
	put32(bytes, 12);
	put32(bytes, 13);
	put_event(bytes, 3, 11);
	put32(bytes, 4);
	bits = GUINT64_TO_BE(bytes->len * 8);
	memcpy(bytes->data + 24, &bits, sizeof(bits));
	memcpy(bytes->data + 32, &bits, sizeof(bits));
	return bytes;
}

/*
 * A cycle is 1 us, and cycle 0 is at 100 s and 5 us. The label of 2 is not declared. Without
 * child_tid the kernel's pids are threads. A context's tid is not the interrupt's thread.
 */
static const gchar hand_events[] =
	"100000012000 5 sched-switch prev-tid=11 prev-state=1 prev-state-label=\"sleeping\" "
	"next-tid=12\n"
	"100000013000 5 sched-switch prev-tid=12 prev-state=2 next-tid=-1\n"
	"100000014000 -1 marker name=\"app:request\" id=-81985529216486896 vtid=77\n"
	"100000015000 -1 sched-fork parent-tid=12 child-tid=13\n"
	"100000016000 -1 dump-interrupt irq=4\n";

static gchar *write_hand(void)
{
	gchar *dir = temp_dir();
	g_autoptr(GByteArray) stream = hand_stream();

	write_file(dir, "metadata", hand_metadata, strlen(hand_metadata));
	write_file(dir, "stream", stream->data, stream->len);
	return dir;
}

static void test_by_hand(gconstpointer data)
{
	g_autoptr(WpLayout) layout = layout_new();
	g_autofree gchar *dir = write_hand();
	g_autoptr(WpReader) reader = NULL;
	g_autofree gchar *text = NULL;

	wp_layout_add_marker(layout, "app:*", "id");
	reader = reader_new(data, dir, layout);
	g_assert_cmpint(reader->info.clock_offset, ==, G_GINT64_CONSTANT(100000005000));
	g_assert_cmpstr(reader->info.host, ==, "board");
	g_assert_cmpstr(reader->info.kernel_release, ==, "4.9");
	g_assert_cmpint(reader->info.tracer_major, ==, 3);
	g_assert_cmpint(reader->info.tracer_minor, ==, -1);
	g_assert_null(reader->info.domain);
	g_assert_null(reader->info.clock_uuid);
	text = read_all(reader);
	g_assert_cmpstr(text, ==, hand_events);
	remove_tree(dir);
}

/* A text id, and a marker beside an ordinary event, which comes first. */
static void test_markers(gconstpointer data)
{
	g_autoptr(WpLayout) layout = layout_new();
	g_autofree gchar *dir = write_hand();
	g_autoptr(WpReader) reader = NULL;
	g_autofree gchar *text = NULL;

	wp_layout_add_marker(layout, "app:request", "label");
	wp_layout_add_marker(layout, "sched_process_fork", NULL);
	reader = reader_new(data, dir, layout);
	text = read_all(reader);
	g_assert_nonnull(strstr(
		text, "100000014000 -1 marker name=\"app:request\" id-text=\"a\\\"b\" vtid=77\n"
		      "100000015000 -1 sched-fork parent-tid=12 child-tid=13\n"
		      "100000015000 -1 marker name=\"sched_process_fork\" vtid=77\n"));
	remove_tree(dir);
}

/* No directory, no metadata, empty metadata, and metadata that ends within a packet. */
static void test_bad_metadata(gconstpointer data)
{
	const Kind *kind = data;
	g_autoptr(WpLayout) layout = layout_new();
	g_autofree gchar *dir = temp_dir();
	g_autofree gchar *trace = write_fixture(dir, "", fixture_text);
	g_autofree gchar *path = g_build_filename(trace, "metadata", NULL);
	g_autofree gchar *metadata = NULL;
	gsize size;
	const gsize cuts[] = {0, 20, 36, 37, 100, 4095, 4097, 4100};

	g_assert_true(g_file_get_contents(path, &metadata, &size, NULL));
	g_assert_cmpuint(size, >, 4100);
	for (guint i = 0; i <= G_N_ELEMENTS(cuts); i++) {
		g_autoptr(GError) error = NULL;

		if (i < G_N_ELEMENTS(cuts))
			write_file(trace, "metadata", metadata, cuts[i]);
		else
			g_assert_cmpint(g_unlink(path), ==, 0);
		g_assert_null(kind->open(trace, layout, &error));
		g_test_message("%s", error->message);
		g_assert_error(error, WP_ERROR, WP_ERROR_FAILED);
		g_assert_nonnull(strstr(error->message, trace));
		g_assert_true(g_str_has_suffix(error->message, "."));
	}
	remove_tree(dir);
}

/* Babeltrace refuses a whole trace for a stream that is cut. */
static void test_cut_stream(gconstpointer data)
{
	const Kind *kind = data;
	g_autoptr(WpLayout) layout = layout_new();
	g_autofree gchar *dir = temp_dir();
	g_autofree gchar *trace = write_fixture(dir, "", fixture_text);
	g_autoptr(GError) error = NULL;

	write_file(trace, "channel0_1", "\xc1\x1f\xfc\xc1", 4);
	g_assert_null(kind->open(trace, layout, &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_FAILED);
	g_assert_nonnull(strstr(error->message, trace));
	remove_tree(dir);
}

/* Traces that tests need and that may be absent; NULL after skipping. */
static gchar *shared_trace(const gchar *name)
{
	const gchar *shared = g_getenv("WAITPATH_SHARED");
	g_autofree gchar *path = g_build_filename(shared ? shared : "../shared", "traces", name,
						  NULL);

	if (g_file_test(path, G_FILE_TEST_IS_DIR))
		return g_steal_pointer(&path);
	g_test_skip("the trace is not here (WAITPATH_SHARED)");
	return NULL;
}

/* Where a trace is, and how many events it has, as its README says. */
typedef struct {
	const gchar *path;
	guint64 n_events, n_lost;
} CountRow;

static const CountRow count_rows[] = {
	{"public/scp_src", 110771, 0},
	{"public/scp_dest", 85729, 0},
	{"public/wget-115043", 28383, 0},
	{"public/wget-115406", 17702, 0},
	{"public/many-threads", 240644, 0},
	{"public/bug446190", 31556, 0},
	{"public/flipping-endianness", 14310, 0},
	{"public/uneven-streams", 50618, 0},
	{"public/tracefile-rotation", 12305, 0},
	{"public/lttng-2.0.0/kernel", 9881, 0},
	{"public/perf-taskset2", 1500, 0},
	{"recorded/local-chain/hosta/trace/kernel", 5561, 0},
	{"recorded/local-lost/hosta/trace/kernel", 12249, 158681},
};

typedef struct {
	guint64 n_markers, n_lost;
	WpTime last;
} Counted;

static gboolean count_event(const WpEvent *event, gpointer data, GError **error)
{
	Counted *counted = data;

	counted->n_markers += event->kind == WP_EV_MARKER;
	if (event->kind == WP_EV_LOST)
		counted->n_lost += event->v[WP_LOST_COUNT].u;
	g_assert_cmpint(event->time, >=, counted->last);
	counted->last = event->time;
	return TRUE;
}

/* Every event of real traces comes, in order of time. */
static void test_counts(gconstpointer data)
{
	g_autoptr(WpLayout) layout = layout_new();

	wp_layout_add_marker(layout, "*", NULL);
	for (guint i = 0; i < G_N_ELEMENTS(count_rows); i++) {
		g_autofree gchar *trace = shared_trace(count_rows[i].path);
		g_autoptr(WpFindings) findings = wp_findings_new();
		g_autoptr(WpReader) reader = NULL;
		g_autoptr(GError) error = NULL;
		Counted counted = {0, 0, WP_TIME_MIN};

		if (!trace)
			return;
		g_test_message("%s", count_rows[i].path);
		reader = reader_new(data, trace, layout);
		wp_merge_run(&reader, 1, 2, count_event, &counted, NULL, NULL, findings, NULL,
			     &error);
		g_assert_no_error(error);
		g_assert_cmpuint(counted.n_markers, ==, count_rows[i].n_events);
		g_assert_cmpuint(counted.n_lost, ==, count_rows[i].n_lost);
		g_assert_cmpuint(wp_findings_n(findings), ==, 0);
	}
}

/* Losses of a real trace: no event of the stream lies inside what is told as lost. */
static void test_lost_gaps(gconstpointer data)
{
	g_autoptr(WpLayout) layout = layout_new();
	g_autofree gchar *trace = shared_trace("recorded/local-lost/hosta/trace/kernel");
	g_autoptr(WpReader) reader = NULL;
	WpBatch batch;
	guint64 n_bytes;

	if (!trace)
		return;
	wp_layout_add_marker(layout, "*", NULL);
	reader = reader_new(data, trace, layout);
	wp_batch_init(&batch);
	for (guint stream = 0; stream < reader->info.n_streams; stream++) {
		WpTime last = WP_TIME_MIN;

		do {
			const guint8 *at;

			wp_batch_reset(&batch);
			g_assert_true(wp_reader_next(reader, stream, &batch, &n_bytes, NULL));
			at = batch.records->data;
			for (guint i = 0; i < batch.n; i++) {
				const WpEvent *event = (const WpEvent *)(gconstpointer)at;

				at += wp_event_size(event);
				if (event->kind != WP_EV_LOST)
					g_assert_cmpint(event->time, >=, last);
				else if (event->v[WP_LOST_BEGIN].i < last)
					/* Two packets may tell of losses in one gap. */
					g_assert_cmpint(event->time, ==, last);
				last = event->time;
			}
		} while (batch.n > 0);
	}
	wp_batch_clear(&batch);
}

static void add(const gchar *name, guint n_kinds, GTestDataFunc func)
{
	for (guint i = 0; i < n_kinds; i++) {
		g_autofree gchar *path = g_strdup_printf("/readers/%s/%s", kinds[i].name, name);

		g_test_add_data_func(path, &kinds[i], func);
	}
}

int main(int argc, char **argv)
{
	const guint n_kinds = G_N_ELEMENTS(kinds);

	g_test_init(&argc, &argv, NULL);
	add("formats", n_kinds, test_formats);
	add("info", n_kinds, test_info);
	add("by-hand", n_kinds, test_by_hand);
	add("markers", n_kinds, test_markers);
	add("counts", n_kinds, test_counts);
	/* Of broken traces and losses the direct reader makes more: test-ctf-traces.c. */
	add("lost-gaps", 1, test_lost_gaps);
	add("bad-metadata", 1, test_bad_metadata);
	add("cut-stream", 1, test_cut_stream);
	return g_test_run();
}
