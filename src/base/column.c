/* SPDX-License-Identifier: MIT */
/*
 * column.c: chunks of columns, in anonymous memory or in an unlinked file.
 *
 * Each chunk is a mapping of its own, of anonymous memory that is committed piece by piece, so that a
 * column of a few elements costs some pages, not a chunk. When the limit of memory is reached, the
 * pieces still to come are mappings of the file, laid over that memory. Where there are other
 * threads anyway one may have the next pages of large columns committed before they are needed
 * (wp_memory_start_ahead()): whoever fills them then need not wait while they are zeroed.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "base/column.h"
#include "base/error.h"
#include "base/thread.h"
#include "base/types.h"

/* Bytes that a column commits at once; of the file more, since each time is a mapping. */
#define COMMIT_MIN ((gsize)16384)
#define COMMIT_MAX ((gsize)1 << 20)
#define COMMIT_FILE ((gsize)4 << 20)
#define HUGE_PAGE ((gsize)2 << 20)
#define HUGE_FROM HUGE_PAGE
/* A huge page that takes so long is not one that only had to be zeroed, which takes a quarter. */
#define HUGE_SLOW_US 1000
/* How many times small pages are taken then, before another one is tried. */
#define SMALL_TIMES 15u
/* Columns from here on have their next huge page made ready ahead: an eighth more at most. */
#define AHEAD_FROM ((gsize)16 << 20)
#define AHEAD_MAX 16u
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

typedef struct {
	guint8 *begin;
	gsize bytes;
} Range;

struct WpMemory {
	gint refs;
	WpMutex lock; /* of all below */
	guint64 limit; /* bytes of anonymous memory, 0: none */
	guint64 total, spilled; /* bytes in use */
	guint64 spill_end; /* bytes of the file that were handed out ever: it is not filled again */
	gchar *spill_dir; /* owned, NULL: the user's cache directory */
	gint spill_fd; /* of an unlinked file, -1 until needed */
	guint n_small; /* how many times more small pages are taken, since huge ones were slow */
	/* Made ready by a thread of its own: */
	pthread_t ahead;
	gboolean has_ahead; /* of the thread that starts and stops it */
	gboolean ahead_stop;
	Range wanted[AHEAD_MAX]; /* borrowed of chunks */
	guint n_wanted;
	gboolean ahead_busy; /* with one that it has taken off the list */
	WpCond ahead_wanted, ahead_done;
};

WpMemory *wp_memory_new(guint64 limit, const gchar *spill_dir)
{
	WpMemory *memory = g_new0(WpMemory, 1);

	memory->refs = 1;
	wp_mutex_init(&memory->lock);
	wp_cond_init(&memory->ahead_wanted);
	wp_cond_init(&memory->ahead_done);
	memory->limit = limit;
	memory->spill_dir = g_strdup(spill_dir);
	memory->spill_fd = -1;
	return memory;
}

WpMemory *wp_memory_ref(WpMemory *memory)
{
	g_atomic_int_inc(&memory->refs);
	return memory;
}

void wp_memory_unref(WpMemory *memory)
{
	if (!memory || !g_atomic_int_dec_and_test(&memory->refs))
		return;
	if (memory->spill_fd >= 0)
		close(memory->spill_fd);
	wp_cond_clear(&memory->ahead_done);
	wp_cond_clear(&memory->ahead_wanted);
	wp_mutex_clear(&memory->lock);
	g_free(memory->spill_dir);
	g_free(memory);
}

/* ---- memory that is made ready ahead ---- */

/* Whether small pages are taken, this time. Without a memory nothing is known of slow ones. */
static gboolean take_small(WpMemory *memory)
{
	gboolean small;

	if (!memory)
		return FALSE;
	wp_mutex_lock(&memory->lock);
	small = memory->n_small > 0;
	memory->n_small -= small ? 1 : 0;
	wp_mutex_unlock(&memory->lock);
	return small;
}

static void tell_slow(WpMemory *memory)
{
	if (!memory)
		return;
	wp_mutex_lock(&memory->lock);
	memory->n_small = SMALL_TIMES;
	wp_mutex_unlock(&memory->lock);
}

/* What the calling thread has computed: while others have its CPU, nothing is slow. */
static gint64 thread_time_us(void)
{
	struct timespec time;

	return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
		       ? 0
		       : (gint64)time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

/*
 * Has pages provided at once: huge ones, unless those are slow. They are in a virtual machine that
 * gives memory back to its host, which it does by the huge page: each is then asked back for,
 * while of small ones there are always some at hand.
 */
static void make_ready(WpMemory *memory, guint8 *begin, gsize bytes)
{
	const gboolean small = take_small(memory);
	const gint64 before = small ? 0 : thread_time_us();

	if (!small)
		madvise(begin, bytes, MADV_HUGEPAGE);
	madvise(begin, bytes, MADV_POPULATE_WRITE);
	if (!small && bytes >= HUGE_PAGE &&
	    (gsize)(thread_time_us() - before) > bytes / HUGE_PAGE * HUGE_SLOW_US)
		tell_slow(memory);
}

static void *ahead_run(void *data)
{
	WpMemory *memory = data;

	wp_mutex_lock(&memory->lock);
	while (!memory->ahead_stop) {
		if (memory->n_wanted == 0) {
			wp_cond_wait(&memory->ahead_wanted, &memory->lock);
			continue;
		}

		const Range range = memory->wanted[--memory->n_wanted];

		memory->ahead_busy = TRUE;
		wp_mutex_unlock(&memory->lock);
		make_ready(memory, range.begin, range.bytes);
		wp_mutex_lock(&memory->lock);
		memory->ahead_busy = FALSE;
		wp_cond_broadcast(&memory->ahead_done);
	}
	wp_mutex_unlock(&memory->lock);
	return NULL;
}

void wp_memory_start_ahead(WpMemory *memory)
{
	memory->ahead_stop = FALSE;
	memory->has_ahead = wp_thread_start(&memory->ahead, ahead_run, memory);
}

void wp_memory_stop_ahead(WpMemory *memory)
{
	if (!memory->has_ahead)
		return;
	wp_mutex_lock(&memory->lock);
	memory->ahead_stop = TRUE;
	memory->n_wanted = 0;
	wp_cond_signal(&memory->ahead_wanted);
	wp_mutex_unlock(&memory->lock);
	pthread_join(memory->ahead, NULL);
	memory->has_ahead = FALSE;
}

/* Without a thread that does it, or with too much to do, nothing comes of it. */
static void want_ahead(WpMemory *memory, guint8 *begin, gsize bytes)
{
	wp_mutex_lock(&memory->lock);
	if (memory->n_wanted < AHEAD_MAX) {
		memory->wanted[memory->n_wanted++] = (Range){begin, bytes};
		wp_cond_signal(&memory->ahead_wanted);
	}
	wp_mutex_unlock(&memory->lock);
}

/* No range of the chunk is on the list, or being made ready; with the lock. */
static void forget_ahead(WpMemory *memory, const guint8 *chunk, gsize bytes)
{
	guint n = 0;

	for (guint i = 0; i < memory->n_wanted; i++)
		if (memory->wanted[i].begin < chunk || memory->wanted[i].begin >= chunk + bytes)
			memory->wanted[n++] = memory->wanted[i];
	memory->n_wanted = n;
	while (memory->ahead_busy)
		wp_cond_wait(&memory->ahead_done, &memory->lock);
}

guint64 wp_memory_get_total(WpMemory *memory)
{
	wp_mutex_lock(&memory->lock);
	guint64 total = memory->total;
	wp_mutex_unlock(&memory->lock);
	return total;
}

guint64 wp_memory_get_spilled(WpMemory *memory)
{
	wp_mutex_lock(&memory->lock);
	guint64 spilled = memory->spilled;
	wp_mutex_unlock(&memory->lock);
	return spilled;
}

static gboolean open_spill_file(WpMemory *memory, GError **error)
{
	g_autofree gchar *dir = memory->spill_dir ? g_strdup(memory->spill_dir)
						  : g_build_filename(g_get_user_cache_dir(),
								     "waitpath", NULL);
	g_autofree gchar *path = g_build_filename(dir, "spill-XXXXXX", NULL);

	if (g_mkdir_with_parents(dir, 0700) == 0) {
		memory->spill_fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
		if (memory->spill_fd >= 0)
			return TRUE;
		/* Not every file system has files without a name. */
		memory->spill_fd = g_mkstemp_full(path, O_RDWR | O_CLOEXEC, 0600);
	}
	if (memory->spill_fd < 0) {
		g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
			    "Cannot make a file for large graphs in %s: %s.", dir,
			    g_strerror(errno));
		return FALSE;
	}
	g_unlink(path);
	return TRUE;
}

/*
 * Bytes of the spill file, at an address or, where that is NULL, anywhere; the disk space is claimed
 * now, so that a full disk is an error, not a SIGBUS.
 */
static void *map_spilled(WpMemory *memory, void *at, gsize bytes, GError **error)
{
	if (memory->spill_fd < 0 && !open_spill_file(memory, error))
		return NULL;

	gint failed = posix_fallocate(memory->spill_fd, (off_t)memory->spill_end, (off_t)bytes);
	void *data = failed ? MAP_FAILED
			    : mmap(at, bytes, PROT_READ | PROT_WRITE,
				   MAP_SHARED | (at ? MAP_FIXED : 0), memory->spill_fd,
				   (off_t)memory->spill_end);

	if (data == MAP_FAILED) {
		g_set_error(error, WP_ERROR, WP_ERROR_LIMIT,
			    "The memory limit is reached and its file cannot grow beyond "
			    "%" G_GUINT64_FORMAT " bytes: %s.",
			    memory->spill_end, g_strerror(failed ? failed : errno));
		return NULL;
	}
	memory->spilled += bytes;
	memory->spill_end += bytes;
	return data;
}

static void *map_anonymous(gsize bytes, GError **error)
{
	void *data = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (data == MAP_FAILED) {
		g_set_error(error, WP_ERROR, WP_ERROR_LIMIT,
			    "Out of memory for the graph (%s); --max-memory lets it use a file.",
			    g_strerror(errno));
		return NULL;
	}
	return data;
}

/* Whether so many bytes more must lie in the file, which for_good means even if they need not. */
static gboolean must_spill(const WpMemory *memory, gsize bytes, gboolean for_good)
{
	return for_good ||
	       (memory->limit && memory->total - memory->spilled + bytes > memory->limit);
}

/* Memory of a block; *ret_spilled: whether it lies in the file. */
static void *map_bytes(WpMemory *memory, gsize bytes, gboolean *ret_spilled, GError **error)
{
	void *data;

	*ret_spilled = FALSE;
	if (!memory)
		return map_anonymous(bytes, error);

	wp_mutex_lock(&memory->lock);
	*ret_spilled = must_spill(memory, bytes, FALSE);
	data = *ret_spilled ? map_spilled(memory, NULL, bytes, error) : map_anonymous(bytes, error);
	if (data)
		memory->total += bytes;
	wp_mutex_unlock(&memory->lock);
	return data;
}

/*
 * Counts bytes of an anonymous mapping that are to be used now, or puts the file in their place.
 * *spilled: whether it must be the file on the way in, whether it is on the way out.
 */
static gboolean claim_bytes(WpMemory *memory, void *at, gsize bytes, gboolean *spilled,
			    GError **error)
{
	gboolean claimed = TRUE;

	if (!memory)
		return TRUE;
	wp_mutex_lock(&memory->lock);
	*spilled = must_spill(memory, bytes, *spilled);
	if (*spilled) {
		forget_ahead(memory, at, bytes);
		claimed = map_spilled(memory, at, bytes, error) != NULL;
	}
	if (claimed)
		memory->total += bytes;
	wp_mutex_unlock(&memory->lock);
	return claimed;
}

/* They are no longer used. */
static void uncount_bytes(WpMemory *memory, guint64 bytes, guint64 spilled)
{
	if (!memory)
		return;
	wp_mutex_lock(&memory->lock);
	memory->total -= bytes;
	memory->spilled -= spilled;
	wp_mutex_unlock(&memory->lock);
}

/* Nobody needs it on the disk: it need not be written there, and takes no room. */
static void forget_spilled(void *data, gsize bytes)
{
	(void)madvise(data, bytes, MADV_REMOVE);
}

gboolean wp_block_init(WpBlock *block, gsize bytes, WpMemory *memory, GError **error)
{
	/* A page of the file belongs to one block only. */
	const gsize page = (gsize)sysconf(_SC_PAGESIZE);
	const gsize size = (MAX(bytes, 1) + page - 1) & ~(page - 1);
	gboolean spilled;
	void *data = map_bytes(memory, size, &spilled, error);

	if (!data)
		return FALSE;
	if (size >= HUGE_FROM && !spilled)
		make_ready(memory, data, size);
	*block = (WpBlock){.data = data,
			   .bytes = size,
			   .spilled = spilled,
			   .memory = memory ? wp_memory_ref(memory) : NULL};
	return TRUE;
}

gpointer wp_block_need(WpBlock *block, gsize bytes, WpMemory *memory)
{
	if (!wp_block_init(block, bytes, memory, NULL))
		*block = (WpBlock){.data = g_malloc0(bytes)};
	return block->data;
}

void wp_block_clear(WpBlock *block)
{
	if (block->bytes) {
		if (block->spilled)
			forget_spilled(block->data, block->bytes);
		munmap(block->data, block->bytes);
		uncount_bytes(block->memory, block->bytes, block->spilled ? block->bytes : 0);
	} else {
		g_free(block->data);
	}
	wp_memory_unref(block->memory);
	memset(block, 0, sizeof(*block));
}

void wp_column_init(WpColumn *column, gsize element, WpMemory *memory)
{
	memset(column, 0, sizeof(*column));
	column->element = (guint32)element;
	column->memory = memory ? wp_memory_ref(memory) : NULL;
}

struct WpColumnMapping {
	const guint8 *data; /* borrowed */
	const guint64 *sums; /* borrowed: one a chunk */
	const WpColumnCheck *check; /* borrowed, may be NULL */
	WpMutex lock; /* of the loading of chunks */
	guint8 *replaced; /* owned: one byte a chunk: it is a blank of our own */
	gint damaged; /* atomic */
};

void wp_column_init_mapped(WpColumn *column, gsize element, const void *data, guint64 n,
			   const guint64 *sums, const WpColumnCheck *check)
{
	WpColumnMapping *mapping = g_new0(WpColumnMapping, 1);

	wp_column_init(column, element, NULL);
	column->n = n;
	column->n_chunks = (guint32)((n + WP_COLUMN_CHUNK_ELEMENTS - 1) >> WP_COLUMN_CHUNK_SHIFT);
	column->chunks = g_new0(guint8 *, column->n_chunks);
	column->mapping = mapping;
	mapping->data = data;
	mapping->sums = sums;
	mapping->check = check;
	mapping->replaced = g_new0(guint8, column->n_chunks);
	wp_mutex_init(&mapping->lock);
}

guint64 wp_checksum(const void *data, gsize n)
{
	const guint8 *bytes = data;
	guint64 sum = n * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15), word;

	/* A multiply and a shift for each eight bytes: every bit reaches those above and below. */
	for (; n >= sizeof(word); bytes += sizeof(word), n -= sizeof(word)) {
		memcpy(&word, bytes, sizeof(word));
		sum = (sum ^ GUINT64_FROM_LE(word)) * G_GUINT64_CONSTANT(0xd6e8feb86659fd93);
		sum ^= sum >> 32;
	}
	word = 0;
	memcpy(&word, bytes, n);
	sum = (sum ^ GUINT64_FROM_LE(word)) * G_GUINT64_CONSTANT(0xd6e8feb86659fd93);
	return sum ^ sum >> 32;
}

static guint32 chunk_elements(const WpColumn *column, guint32 chunk)
{
	guint64 first = (guint64)chunk << WP_COLUMN_CHUNK_SHIFT;

	return (guint32)MIN(column->n - first, WP_COLUMN_CHUNK_ELEMENTS);
}

/* Blank elements instead of a chunk that can't be trusted. */
static guint8 *make_blank(const WpColumn *column, guint32 n)
{
	guint8 *chunk = g_malloc0((gsize)n * column->element);
	const WpColumnCheck *check = column->mapping->check;

	for (guint32 i = 0; check && check->blank && i < n; i++)
		memcpy(chunk + (gsize)i * column->element, check->blank, column->element);
	return chunk;
}

guint8 *wp_column_load(const WpColumn *column, guint32 chunk)
{
	WpColumnMapping *mapping = column->mapping;
	guint32 n = chunk_elements(column, chunk);
	guint64 first = (guint64)chunk << WP_COLUMN_CHUNK_SHIFT;
	guint8 *data = (guint8 *)mapping->data + first * column->element;

	wp_mutex_lock(&mapping->lock);
	if (!column->chunks[chunk]) {
		if (wp_checksum(data, (gsize)n * column->element) != mapping->sums[chunk] ||
		    (mapping->check && mapping->check->check &&
		     !mapping->check->check(data, first, n, mapping->check->data))) {
			data = make_blank(column, n);
			mapping->replaced[chunk] = 1;
			g_atomic_int_set(&mapping->damaged, 1);
		}
		__atomic_store_n(&column->chunks[chunk], data, __ATOMIC_RELEASE);
	}
	data = column->chunks[chunk];
	wp_mutex_unlock(&mapping->lock);
	return data;
}

guint64 wp_column_find_number(const WpColumn *column, gsize offset, guint32 number)
{
	guint64 low = 0, high = column->n;

	while (low < high) {
		const guint64 middle = low + (high - low) / 2;
		const guint8 *element = wp_column_at(column, middle, column->element);

		if (*(const guint32 *)(gconstpointer)(element + offset) < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

gboolean wp_column_is_damaged(const WpColumn *column)
{
	return column->mapping && g_atomic_int_get(&column->mapping->damaged);
}

static gsize chunk_size(const WpColumn *column)
{
	return (gsize)column->element << WP_COLUMN_CHUNK_SHIFT;
}

/* Gives back a column's own chunks. */
static void unmap_chunks(WpColumn *column)
{
	const gsize size = chunk_size(column);

	for (guint32 i = 0; i < column->n_chunks; i++) {
		const guint64 first = (guint64)i * size;
		const guint64 end = MIN(first + size, column->committed);
		const guint64 begin = MAX(first, column->anonymous);

		if (column->spilled && begin < end)
			forget_spilled(column->chunks[i] + (begin - first), (gsize)(end - begin));
		if (column->memory) {
			wp_mutex_lock(&column->memory->lock);
			forget_ahead(column->memory, column->chunks[i], size);
			wp_mutex_unlock(&column->memory->lock);
		}
		munmap(column->chunks[i], size);
	}
	uncount_bytes(column->memory, column->committed,
		      column->spilled ? column->committed - column->anonymous : 0);
}

void wp_column_clear(WpColumn *column)
{
	WpColumnMapping *mapping = column->mapping;

	if (!mapping)
		unmap_chunks(column);
	else
		for (guint32 i = 0; i < column->n_chunks; i++)
			if (mapping->replaced[i])
				g_free(column->chunks[i]);
	if (mapping) {
		wp_mutex_clear(&mapping->lock);
		g_free(mapping->replaced);
		g_free(mapping);
	}
	g_free(column->chunks);
	wp_memory_unref(column->memory);
	memset(column, 0, sizeof(*column));
}

static gboolean add_chunk(WpColumn *column, GError **error)
{
	guint8 *chunk = map_anonymous(chunk_size(column), error);

	if (!chunk)
		return FALSE;
	/* The directory doubles: it is copied, the elements never are. */
	if ((column->n_chunks & (column->n_chunks - 1)) == 0)
		column->chunks = g_renew(guint8 *, column->chunks,
					 column->n_chunks ? column->n_chunks * 2 : 1);
	column->chunks[column->n_chunks++] = chunk;
	column->next = chunk;
	return TRUE;
}

/* How far the last chunk is to be committed next, of which `begin` bytes are. */
static gsize next_commit(const WpColumn *column, gsize begin)
{
	const gsize page = (gsize)sysconf(_SC_PAGESIZE);
	const guint64 before = column->committed; /* of all chunks */
	const gsize most = column->spilled ? COMMIT_FILE : COMMIT_MAX;
	const gsize chunk = (gsize)column->chunks[column->n_chunks - 1];
	/* Of the huge page that begins here, or in which this is. */
	const gsize huge_end = ((chunk + begin) & ~(HUGE_PAGE - 1)) + HUGE_PAGE - chunk;
	gsize end = begin + CLAMP((gsize)(before / 8) & ~(page - 1), COMMIT_MIN, most);

	/* Small pages reach into none that might be huge. */
	if (!column->spilled)
		end = before >= HUGE_FROM ? huge_end : MIN(end, huge_end);
	return MIN(end, chunk_size(column));
}

/*
 * Commits the next pages of the last chunk, at most an eighth more than is used, or up to the end
 * of a huge page: counts them, or, past the limit, lays the file over them. What stays anonymous
 * the kernel is told to provide at once, which costs a third of a fault for each page; from
 * HUGE_FROM bytes on in huge pages, for a third of that again. Where it does not know how (before
 * Linux 5.14), the pages come by themselves.
 */
static gboolean commit_some(WpColumn *column, GError **error)
{
	const guint64 first = (guint64)(column->n_chunks - 1) << WP_COLUMN_CHUNK_SHIFT;
	const gsize begin = (gsize)(column->committed - first * column->element);
	const gsize end = next_commit(column, begin);
	const guint64 before = column->committed;
	guint8 *const at = column->chunks[column->n_chunks - 1] + begin;

	if (!claim_bytes(column->memory, at, end - begin, &column->spilled, error))
		return FALSE;
	column->committed += end - begin;
	column->ready = first + end / column->element;
	if (column->spilled)
		return TRUE;
	column->anonymous = column->committed;
	if (before >= HUGE_FROM)
		make_ready(column->memory, at, end - begin);
	else
		madvise(at, end - begin, MADV_POPULATE_WRITE);
	if (column->memory && end < chunk_size(column) && before >= AHEAD_FROM)
		want_ahead(column->memory, at + (end - begin),
			   MIN(HUGE_PAGE, chunk_size(column) - end));
	return TRUE;
}

/* Makes room for one element more, or many. */
static gboolean make_room(WpColumn *column, GError **error)
{
	g_return_val_if_fail(!column->mapping, FALSE);

	if (column->n >= (guint64)WP_NONE - WP_COLUMN_CHUNK_ELEMENTS) {
		g_set_error(error, WP_ERROR, WP_ERROR_LIMIT,
			    "The trace is too long: a table of its graph has 2^32 entries; "
			    "analyse a part of it with --begin and --end.");
		return FALSE;
	}
	if (column->n >> WP_COLUMN_CHUNK_SHIFT >= column->n_chunks && !add_chunk(column, error))
		return FALSE;
	return commit_some(column, error);
}

gpointer wp_column_push_slow(WpColumn *column, GError **error)
{
	return make_room(column, error) ? wp_column_push(column, error) : NULL;
}

gboolean wp_column_push_filled(WpColumn *column, guint64 n, guint8 byte, GError **error)
{
	while (n > 0) {
		guint64 n_now;

		if (column->n >= column->ready && !make_room(column, error))
			return FALSE;
		n_now = MIN(n, column->ready - column->n);
		if (byte) /* new memory is zero */
			memset(column->next, byte, n_now * column->element);
		column->n += n_now;
		column->next += n_now * column->element;
		n -= n_now;
	}
	return TRUE;
}
