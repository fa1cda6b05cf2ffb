/* SPDX-License-Identifier: MIT */
/*
 * test-base.c: arenas, columns, integer maps, strings, findings against plain arithmetic and
 * GHashTable.
 */
#include "config.h"

#include <string.h>

#include <unistd.h>

#include <glib/gstdio.h>

#include "base/arena.h"
#include "base/column.h"
#include "base/error.h"
#include "base/finding.h"
#include "base/intmap.h"
#include "base/strings.h"
#include "base/types.h"
#include "event/event.h"

static void push(WpColumn *column, guint64 value)
{
	g_autoptr(GError) error = NULL;
	guint64 *element = wp_column_push(column, &error);

	g_assert_no_error(error);
	g_assert_nonnull(element);
	g_assert_true(*element == 0);
	*element = value;
}

static void test_column_grows_without_moving(void)
{
	WpColumn column;
	const guint64 n = 2 * WP_COLUMN_CHUNK_ELEMENTS + 3;

	wp_column_init(&column, sizeof(guint64), NULL);
	for (guint64 i = 0; i < n; i++)
		push(&column, i * 7);
	guint64 *first = wp_column_at(&column, 0, sizeof(guint64));
	g_assert_cmpuint(column.n, ==, n);
	g_assert_cmpuint(column.n_chunks, ==, 3);
	for (guint64 i = 0; i < n; i++)
		g_assert_cmpuint(WP_AT(&column, guint64, i), ==, i * 7);
	push(&column, 0);
	g_assert_true(first == wp_column_at(&column, 0, sizeof(guint64)));
	wp_column_clear(&column);
}

/* Many elements at a time, between single ones and over the ends of chunks and of the limit. */
static void test_column_filled(void)
{
	const guint64 n = (guint64)WP_COLUMN_CHUNK_ELEMENTS + 5;
	g_autofree gchar *dir = g_dir_make_tmp("waitpath-test-XXXXXX", NULL);
	WpMemory *memory = wp_memory_new(4 << 20, dir);
	g_autoptr(GError) error = NULL;
	WpColumn column;

	wp_column_init(&column, sizeof(guint64), memory);
	push(&column, 1);
	g_assert_true(wp_column_push_filled(&column, n, 0xab, &error));
	push(&column, 2);
	g_assert_true(wp_column_push_filled(&column, n, 0, &error));
	g_assert_true(wp_column_push_filled(&column, 0, 0xff, &error));
	push(&column, 3);
	g_assert_cmpuint(column.n, ==, 2 * n + 3);
	for (guint64 i = 0; i < column.n; i++) {
		const guint64 wanted = i == 0          ? 1
				       : i < n + 1     ? G_GUINT64_CONSTANT(0xabababababababab)
				       : i == n + 1    ? 2
				       : i < 2 * n + 2 ? 0
						       : 3;

		if (WP_AT(&column, guint64, i) != wanted)
			g_error("element %" G_GUINT64_FORMAT " is another", i);
	}
	g_assert_cmpuint(wp_memory_get_spilled(memory), >, 0);
	wp_column_clear(&column);
	wp_memory_unref(memory);
	g_assert_cmpint(g_rmdir(dir), ==, 0);
}

/*
 * Columns that are large enough to be made ready ahead, of which one goes while the other grows:
 * every element is there and zeroed, with and without the thread.
 */
static void test_column_ahead(void)
{
	const guint64 n = (guint64)5 << WP_COLUMN_CHUNK_SHIFT;
	WpMemory *memory = wp_memory_new(0, NULL);
	WpColumn columns[2];

	wp_memory_start_ahead(memory);
	for (guint c = 0; c < 2; c++)
		wp_column_init(&columns[c], sizeof(guint64), memory);
	for (guint64 i = 0; i < n; i++)
		for (guint c = 0; c < 2; c++)
			push(&columns[c], i + c);
	wp_column_clear(&columns[0]);
	for (guint64 i = n; i < n + n / 4; i++) {
		if (i == n + n / 8)
			wp_memory_stop_ahead(memory);
		push(&columns[1], i + 1);
	}
	for (guint64 i = 0; i < n + n / 4; i++)
		if (WP_AT(&columns[1], guint64, i) != i + 1)
			g_error("element %" G_GUINT64_FORMAT " is another", i);
	wp_column_clear(&columns[1]);
	g_assert_cmpuint(wp_memory_get_total(memory), ==, 0);
	wp_memory_unref(memory);
}

static void test_column_spills(void)
{
	g_autofree gchar *dir = g_dir_make_tmp("waitpath-test-XXXXXX", NULL);
	const gsize chunk = sizeof(guint64) * WP_COLUMN_CHUNK_ELEMENTS;
	WpMemory *memory = wp_memory_new(chunk, dir);
	WpColumn column;

	wp_column_init(&column, sizeof(guint64), memory);
	for (guint64 i = 0; i <= WP_COLUMN_CHUNK_ELEMENTS; i++)
		push(&column, ~i);
	g_assert_cmpuint(wp_memory_get_total(memory) - wp_memory_get_spilled(memory), ==, chunk);
	g_assert_cmpuint(wp_memory_get_spilled(memory), >=, sizeof(guint64));
	g_assert_cmpuint(wp_memory_get_spilled(memory), <, chunk);
	g_assert_cmpuint(WP_AT(&column, guint64, WP_COLUMN_CHUNK_ELEMENTS), ==,
			 ~(guint64)WP_COLUMN_CHUNK_ELEMENTS);
	wp_column_clear(&column);
	wp_memory_unref(memory);

	/* The file has no name: the directory is empty. */
	g_autoptr(GDir) left = g_dir_open(dir, 0, NULL);
	g_assert_null(g_dir_read_name(left));
	g_assert_cmpint(g_rmdir(dir), ==, 0);
}

/* Many columns with little in each, one of which then grows past the limit within its first chunk. */
static void test_column_counts_what_is_used(void)
{
	g_autofree gchar *dir = g_dir_make_tmp("waitpath-test-XXXXXX", NULL);
	const guint64 limit = 2 << 20, n = limit / sizeof(guint64) * 3;
	WpMemory *memory = wp_memory_new(limit, dir);
	WpColumn columns[16];

	for (guint i = 0; i < G_N_ELEMENTS(columns); i++) {
		wp_column_init(&columns[i], sizeof(guint64), memory);
		push(&columns[i], i);
	}
	g_assert_cmpuint(wp_memory_get_spilled(memory), ==, 0);
	g_assert_cmpuint(wp_memory_get_total(memory), <=, limit / 4);
	for (guint64 i = 1; i < n; i++)
		push(&columns[0], i);
	g_assert_cmpuint(n, <, WP_COLUMN_CHUNK_ELEMENTS);
	g_assert_cmpuint(wp_memory_get_total(memory) - wp_memory_get_spilled(memory), <=, limit);
	g_assert_cmpuint(wp_memory_get_total(memory), >=, n * sizeof(guint64));
	g_assert_cmpuint(wp_memory_get_total(memory), <=, n * sizeof(guint64) * 9 / 8 + limit);
	for (guint64 i = 0; i < n; i++)
		g_assert_cmpuint(WP_AT(&columns[0], guint64, i), ==, i);
	for (guint i = 1; i < G_N_ELEMENTS(columns); i++)
		g_assert_cmpuint(WP_AT(&columns[i], guint64, 0), ==, i);
	for (guint i = 0; i < G_N_ELEMENTS(columns); i++)
		wp_column_clear(&columns[i]);
	g_assert_cmpuint(wp_memory_get_total(memory), ==, 0);
	g_assert_cmpuint(wp_memory_get_spilled(memory), ==, 0);
	wp_memory_unref(memory);
	g_assert_cmpint(g_rmdir(dir), ==, 0);
}

/* What is freed counts no longer; what lies in the file is there, zeroed, and as good as memory. */
static void test_block_spills(void)
{
	g_autofree gchar *dir = g_dir_make_tmp("waitpath-test-XXXXXX", NULL);
	/* in pages, of which a block takes whole ones */
	const gsize page = (gsize)sysconf(_SC_PAGESIZE), n = 4 * page;
	WpMemory *memory = wp_memory_new(10 * page, dir);
	g_autoptr(GError) error = NULL;
	WpBlock within = {0}, gone = {0}, beyond = {0}, none = {0};

	g_assert_true(wp_block_init(&within, 6 * page, memory, &error));
	g_assert_true(wp_block_init(&gone, n + 1, memory, &error));
	g_assert_true(wp_block_init(&beyond, n + 2, memory, &error));
	g_assert_no_error(error);
	g_assert_cmpuint(wp_memory_get_total(memory), ==, 16 * page);
	g_assert_cmpuint(wp_memory_get_spilled(memory), ==, 10 * page);
	for (gsize i = 0; i < n + 2; i++)
		g_assert_cmpuint(((guint8 *)beyond.data)[i], ==, 0);
	memset(beyond.data, 1, n + 2);

	wp_block_clear(&gone);
	wp_block_clear(&within);
	g_assert_cmpuint(wp_memory_get_total(memory), ==, 5 * page);
	g_assert_nonnull(wp_block_need(&within, 9 * page, memory));
	g_assert_cmpuint(wp_memory_get_spilled(memory), ==, 5 * page);
	for (gsize i = 0; i < n + 2; i++)
		g_assert_cmpuint(((guint8 *)beyond.data)[i], ==, 1);
	wp_block_clear(&beyond);
	wp_block_clear(&within);
	wp_block_clear(&none);
	g_assert_cmpuint(wp_memory_get_total(memory), ==, 0);
	g_assert_cmpuint(wp_memory_get_spilled(memory), ==, 0);

	/* Nothing, and without a limit. */
	g_assert_true(wp_block_init(&none, 0, NULL, &error));
	wp_block_clear(&none);
	wp_memory_unref(memory);
	g_assert_cmpint(g_rmdir(dir), ==, 0);
}

static gboolean below_ten(const void *elements, guint64 first, guint32 n, gconstpointer data)
{
	const guint32 *values = elements;

	g_assert_cmpuint(first, ==, 0);
	g_assert_true(data == NULL);
	for (guint32 i = 0; i < n; i++)
		if (values[i] >= 10)
			return FALSE;
	return TRUE;
}

/* A chunk is blank when its sum or its values are wrong, and only then. */
static void test_column_mapped(void)
{
	static const guint32 blank = 7, good[] = {3, 1, 4, 1, 5}, bad[] = {3, 1, 4, 1, 15};
	const WpColumnCheck check = {&blank, below_ten, NULL};
	const struct {
		const guint32 *data;
		guint64 sum;
		gboolean damaged;
	} cases[] = {{good, wp_checksum(good, sizeof(good)), FALSE},
		     {good, wp_checksum(bad, sizeof(bad)), TRUE},
		     {bad, wp_checksum(bad, sizeof(bad)), TRUE}};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		WpColumn column;

		wp_column_init_mapped(&column, sizeof(guint32), cases[i].data, 5, &cases[i].sum,
				      &check);
		g_assert_cmpuint(column.n, ==, 5);
		g_assert_false(wp_column_is_damaged(&column));
		g_assert_cmpuint(WP_AT(&column, guint32, 2), ==, cases[i].damaged ? 7 : 4);
		g_assert_cmpint(wp_column_is_damaged(&column), ==, cases[i].damaged);
		wp_column_clear(&column);
	}
}

/* One bit, one place, one length more: another sum. */
static void test_checksum(void)
{
	guint8 data[64] = {0};
	guint64 zero = wp_checksum(data, 64);

	g_assert_cmpuint(wp_checksum(data, 63), !=, zero);
	for (guint i = 0; i < 64 * 8; i++) {
		data[i / 8] ^= (guint8)(1u << i % 8);
		g_assert_cmpuint(wp_checksum(data, 64), !=, zero);
		data[i / 8] ^= (guint8)(1u << i % 8);
	}
}

static void test_intmap_against_hash_table(void)
{
	WpIntMap map;
	g_autoptr(GHashTable) oracle = g_hash_table_new(g_direct_hash, g_direct_equal);
	g_autoptr(GRand) rand = g_rand_new_with_seed(7);

	wp_intmap_init(&map);
	g_assert_cmpuint(wp_intmap_get(&map, 1), ==, WP_NONE);
	for (guint i = 0; i < 200000; i++) {
		guint64 key = g_rand_int_range(rand, 0, 5000);
		guint32 value = g_rand_int_range(rand, 1, 1 << 30);

		gpointer was = g_hash_table_lookup(oracle, GUINT_TO_POINTER(key));

		if (i % 3 == 0 && g_rand_boolean(rand)) {
			value = was ? GPOINTER_TO_UINT(was) : value;
			g_assert_cmpuint(wp_intmap_add(&map, key, was ? 1u << 30 : value), ==,
					 value);
			g_hash_table_insert(oracle, GUINT_TO_POINTER(key), GUINT_TO_POINTER(value));
		} else if (g_rand_boolean(rand)) {
			wp_intmap_set(&map, key, value);
			g_hash_table_insert(oracle, GUINT_TO_POINTER(key), GUINT_TO_POINTER(value));
		} else {
			g_assert_cmpuint(wp_intmap_remove(&map, key), ==,
					 was ? GPOINTER_TO_UINT(was) : WP_NONE);
			g_hash_table_remove(oracle, GUINT_TO_POINTER(key));
		}
	}
	g_assert_cmpuint(map.n, ==, g_hash_table_size(oracle));

	guint32 iter = 0, value, n = 0;
	guint64 key;
	while (wp_intmap_next(&map, &iter, &key, &value)) {
		g_assert_cmpuint(
			value, ==,
			GPOINTER_TO_UINT(g_hash_table_lookup(oracle, GUINT_TO_POINTER(key))));
		n++;
	}
	g_assert_cmpuint(n, ==, map.n);
	wp_intmap_clear(&map);
}

static void test_strings(void)
{
	g_autoptr(WpStrings) strings = wp_strings_new();
	g_autofree gchar *longest = g_strnfill(5000, 'x');
	WpId a = wp_strings_intern(strings, "a");

	g_assert_cmpuint(wp_strings_intern(strings, NULL), ==, 0);
	g_assert_cmpuint(wp_strings_intern(strings, ""), ==, 0);
	g_assert_cmpuint(a, ==, 1);
	g_assert_cmpuint(wp_strings_intern(strings, "b"), ==, 2);
	g_assert_cmpuint(wp_strings_intern(strings, "a"), ==, a);
	g_assert_cmpuint(wp_strings_find(strings, "c"), ==, WP_NONE);
	g_assert_cmpstr(wp_strings_get(strings, 2), ==, "b");
	g_assert_cmpstr(wp_strings_get(strings, 77), ==, "");
	g_assert_cmpuint(strlen(wp_strings_get(strings, wp_strings_intern(strings, longest))), ==,
			 4096);
}

/* Things of all sizes, large ones among them: each is zeroed, aligned, and nobody else's. */
static void test_arena(void)
{
	g_auto(WpArena) arena = {0};
	guint8 *things[600];
	static const gchar word[] = "several";

	g_assert_null(wp_arena_copy(&arena, word, 0));
	for (guint round = 0; round < 3; round++) {
		for (guint i = 0; i < G_N_ELEMENTS(things); i++) {
			const gsize size = i % 100 == 99 ? 100000 : i;

			things[i] = wp_arena_alloc0(&arena, size);
			g_assert_cmpuint(GPOINTER_TO_SIZE(things[i]) % sizeof(guint64), ==, 0);
			for (gsize at = 0; at < size; at++)
				g_assert_cmpuint(things[i][at], ==, 0);
			memset(things[i], (gint)(i % 251 + 1), size);
		}
		for (guint i = 0; i < G_N_ELEMENTS(things); i++)
			for (gsize at = 0; at < (i % 100 == 99 ? 100000 : i); at++)
				g_assert_cmpuint(things[i][at], ==, i % 251 + 1);
		g_assert_cmpstr(wp_arena_copy_text(&arena, word, 5), ==, "sever");
		g_assert_cmpstr(wp_arena_copy(&arena, word, sizeof(word)), ==, "several");
		if (round == 0)
			wp_arena_reset(&arena);
		else
			wp_arena_clear(&arena);
	}
	/* Nothing is left of what is too large for a chunk, nor of an arena that has none. */
	wp_arena_alloc0(&arena, 100000);
	wp_arena_reset(&arena);
	g_assert_null(arena.chunks);
	wp_arena_reset(&arena);
	g_assert_null(arena.chunks);
}

static void test_findings(void)
{
	g_autoptr(WpFindings) a = wp_findings_new(), b = wp_findings_new();

	wp_findings_add(a, "lost-events", WP_SEVERITY_WARNING, NULL, 5, 3, "%s lost", "s_0");
	wp_findings_add(a, "lost-events", WP_SEVERITY_WARNING, NULL, 9, 4, "s_0 lost");
	wp_findings_add(a, "lost-events", WP_SEVERITY_WARNING, NULL, 9, 4, "s_1 lost");
	g_assert_cmpuint(wp_findings_n(a), ==, 2);
	g_assert_cmpuint(wp_findings_get(a, 0)->count, ==, 7);
	g_assert_cmpint(wp_findings_get(a, 0)->time, ==, 5);

	wp_findings_merge(b, a, "hosta");
	wp_findings_merge(b, a, "hosta");
	g_assert_cmpuint(wp_findings_n(b), ==, 2);
	g_assert_cmpuint(wp_findings_get(b, 1)->count, ==, 8);
	g_assert_cmpstr(wp_findings_get(b, 1)->host, ==, "hosta");

	for (guint i = 0; i < WP_FINDINGS_MAX + 10; i++)
		wp_findings_add(b, "x", WP_SEVERITY_INFO, NULL, 0, 1, "%u", i);
	g_assert_cmpuint(wp_findings_n(b), ==, WP_FINDINGS_MAX + 1);
	g_assert_cmpuint(wp_findings_get(b, WP_FINDINGS_MAX)->count, ==, 12);
}

static void test_states(void)
{
	for (guint i = 0; i < WP_STATE_N; i++)
		g_assert_cmpint(wp_state_from_key(wp_state_key(i)), ==, i);
	g_assert_cmpint(wp_state_from_key("nothing"), ==, WP_STATE_N);
	g_assert_cmpstr(wp_state_key(WP_STATE_N), ==, "unknown");
}

static void test_event_slots(void)
{
	WpSlotType type;

	g_assert_cmpuint(wp_event_kind_n_values(WP_EV_SCHED_SWITCH), ==, 7);
	g_assert_cmpuint(wp_event_kind_n_values(WP_EV_NET_RECEIVE), ==, 24);
	g_assert_cmpint(wp_event_slot_from_name(WP_EV_NET_QUEUE, "daddr", &type), ==,
			WP_NET_QUEUE_SADDR + 2);
	g_assert_cmpint(type, ==, WP_SLOT_ADDRESS);
	g_assert_null(wp_event_slot_name(WP_EV_NET_QUEUE, WP_NET_QUEUE_DADDR_LOW, NULL));
	for (guint kind = 0; kind < WP_EV_N; kind++) {
		g_assert_cmpuint(wp_event_kind_from_name(wp_event_kind_name(kind)), ==, kind);
		g_assert_cmpuint(wp_event_kind_n_values(kind), <=, WP_EVENT_SLOTS_MAX);
	}

	WpBatch batch;
	wp_batch_init(&batch);
	wp_batch_push(&batch, WP_EV_IRQ_EXIT)->v[WP_IRQ_EXIT_IRQ].i = 9;
	WpEvent *event = wp_batch_push(&batch, WP_EV_SCHED_WAKING);
	event->v[WP_SCHED_WAKING_COMM].s = wp_batch_copy(&batch, "client\0junk", 11);
	const WpEvent *first = (const WpEvent *)(gconstpointer)batch.records->data;
	const WpEvent *second = (gconstpointer)((const guint8 *)first + wp_event_size(first));
	g_assert_cmpint(first->v[WP_IRQ_EXIT_IRQ].i, ==, 9);
	g_assert_cmpstr(second->v[WP_SCHED_WAKING_COMM].s, ==, "client");
	g_assert_cmpmem(second->v[WP_SCHED_WAKING_COMM].s, 16, "client\0\0\0\0\0\0\0\0\0", 16);
	g_assert_cmpuint(batch.n, ==, 2);

	/* Emptied it takes others, and as many as come. */
	wp_batch_reset(&batch);
	for (guint i = 0; i < 1000; i++)
		wp_batch_push(&batch, WP_EV_IRQ_EXIT)->v[WP_IRQ_EXIT_IRQ].i = i;
	g_assert_cmpuint(batch.n, ==, 1000);
	first = (const WpEvent *)(gconstpointer)batch.records->data;
	g_assert_cmpuint(batch.records->len, ==, 1000 * wp_event_size(first));
	for (guint i = 0; i < 1000; i++) {
		g_assert_cmpint(first->v[WP_IRQ_EXIT_IRQ].i, ==, i);
		first = (gconstpointer)((const guint8 *)first + wp_event_size(first));
	}
	wp_batch_clear(&batch);
}

gint main(gint argc, gchar **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/base/column/grows-without-moving", test_column_grows_without_moving);
	g_test_add_func("/base/column/filled", test_column_filled);
	g_test_add_func("/base/column/ahead", test_column_ahead);
	g_test_add_func("/base/column/spills", test_column_spills);
	g_test_add_func("/base/column/counts-what-is-used", test_column_counts_what_is_used);
	g_test_add_func("/base/block/spills", test_block_spills);
	g_test_add_func("/base/column/mapped", test_column_mapped);
	g_test_add_func("/base/checksum", test_checksum);
	g_test_add_func("/base/intmap/against-hash-table", test_intmap_against_hash_table);
	g_test_add_func("/base/strings", test_strings);
	g_test_add_func("/base/arena", test_arena);
	g_test_add_func("/base/findings", test_findings);
	g_test_add_func("/base/states", test_states);
	g_test_add_func("/event/slots", test_event_slots);
	return g_test_run();
}
