/* SPDX-License-Identifier: MIT */
/* disk.c: direct and asynchronous reads and writes, fsync, and a bit of everything. */
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "local.h"
#include "log.h"

#define BLOCK (1 << 16)
#define N_BLOCKS 12
#define N_SYNCS 10
#define SYNC_BYTES 20000
#define N_MIXED 4

static int open_in(const char *folder, const char *name, int flags)
{
	char path[200];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_CREAT | O_RDWR | O_TRUNC | flags, 0644);
	if (fd < 0)
		die(path);
	return fd;
}

static char *make_block(void)
{
	void *block;

	if (posix_memalign(&block, 4096, BLOCK) != 0)
		die("posix_memalign");
	memset(block, 'd', BLOCK);
	return block;
}

static void write_block(int fd, const char *block, int i)
{
	if (pwrite(fd, block, BLOCK, (off_t)i * BLOCK) != BLOCK)
		die("pwrite");
}

static void read_block(int fd, char *block, int i)
{
	if (pread(fd, block, BLOCK, (off_t)i * BLOCK) != BLOCK)
		die("pread");
}

/* Direct writes, direct reads, writes with fsync; 2 ms of computing before each. */
void run_disk(const char *folder)
{
	char *block = make_block();
	int fd = open_in(folder, "direct.bin", O_DIRECT);

	log_task("disk-main");
	for (int i = 0; i < N_BLOCKS; i++) {
		PHASE("cpu", 2, burn_wall(2));
		PHASE("odirect_write_64k", 0, write_block(fd, block, i));
	}
	fsync(fd);
	for (int i = 0; i < N_BLOCKS; i++) {
		PHASE("cpu", 2, burn_wall(2));
		PHASE("odirect_read_64k", 0, read_block(fd, block, i));
	}
	close(fd);
	fd = open_in(folder, "sync.bin", 0);
	for (int i = 0; i < N_SYNCS; i++) {
		PHASE("cpu", 2, burn_wall(2));
		(void)!pwrite(fd, block, SYNC_BYTES, (off_t)i * SYNC_BYTES);
		PHASE("fsync", 0, fsync(fd));
	}
	close(fd);
	free(block);
}

static void read_async(aio_context_t context, int fd, char *block, int i)
{
	struct iocb request = {
		.aio_fildes = (uint32_t)fd,
		.aio_lio_opcode = IOCB_CMD_PREAD,
		.aio_buf = (uint64_t)(uintptr_t)block,
		.aio_nbytes = BLOCK,
		.aio_offset = (int64_t)i * BLOCK,
	};
	struct iocb *requests[] = {&request};
	struct io_event event;

	if (syscall(SYS_io_submit, context, 1L, requests) != 1)
		die("io_submit");
	if (syscall(SYS_io_getevents, context, 1L, 1L, &event, NULL) != 1)
		die("io_getevents");
}

/* Reads that one call begins and another waits for. */
void run_aio(const char *folder)
{
	aio_context_t context = 0;
	char *block = make_block();
	int fd = open_in(folder, "aio.bin", O_DIRECT);

	log_task("aio-main");
	if (syscall(SYS_io_setup, 8L, &context) < 0)
		die("io_setup");
	for (int i = 0; i < N_BLOCKS; i++)
		write_block(fd, block, i);
	fsync(fd);
	for (int i = 0; i < N_BLOCKS; i++) {
		PHASE("cpu", 2, burn_wall(2));
		PHASE("aio_read_64k", 0, read_async(context, fd, block, i));
	}
	syscall(SYS_io_destroy, context);
	close(fd);
	free(block);
}

/* Two rings that the kernel shares with this program: of requests, and of what became of them. */
typedef struct {
	int fd;
	char *rings;
	struct io_uring_sqe *entries;
	struct io_uring_params params;
} Uring;

static void *map_ring(int fd, size_t n, off_t offset)
{
	void *at = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, offset);

	if (at == MAP_FAILED)
		die("mmap of io_uring");
	return at;
}

static void open_uring(Uring *ring)
{
	const struct io_uring_params *params = &ring->params;
	size_t n, replies;

	memset(ring, 0, sizeof(*ring));
	ring->fd = (int)syscall(SYS_io_uring_setup, 1, &ring->params);
	if (ring->fd < 0)
		die("io_uring_setup");
	n = params->sq_off.array + params->sq_entries * sizeof(uint32_t);
	replies = params->cq_off.cqes + params->cq_entries * sizeof(struct io_uring_cqe);
	/* Since Linux 5.4 both rings are in one mapping. */
	ring->rings = map_ring(ring->fd, n > replies ? n : replies, IORING_OFF_SQ_RING);
	ring->entries = map_ring(ring->fd, params->sq_entries * sizeof(*ring->entries),
				 IORING_OFF_SQES);
}

static _Atomic uint32_t *ring_word(Uring *ring, uint32_t offset)
{
	return (_Atomic uint32_t *)(void *)(ring->rings + offset);
}

/* The ring has one entry, number 0, which the array of requests names already: it is zero. */
static void read_by_uring(Uring *ring, int fd, char *block, int i)
{
	_Atomic uint32_t *head = ring_word(ring, ring->params.cq_off.head);
	struct io_uring_cqe *replies = (void *)(ring->rings + ring->params.cq_off.cqes);
	uint32_t n;

	ring->entries[0] = (struct io_uring_sqe){
		.opcode = IORING_OP_READ,
		.fd = fd,
		.addr = (uint64_t)(uintptr_t)block,
		.len = BLOCK,
		.off = (uint64_t)i * BLOCK,
	};
	atomic_fetch_add(ring_word(ring, ring->params.sq_off.tail), 1);
	if (syscall(SYS_io_uring_enter, ring->fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) != 1)
		die("io_uring_enter");
	n = atomic_load(head);
	if (replies[n & (ring->params.cq_entries - 1)].res != BLOCK)
		die("a read by io_uring");
	atomic_store(head, n + 1);
}

/* The same, asked for and answered in memory that is shared with the kernel. */
void run_uring(const char *folder)
{
	Uring ring;
	char *block = make_block();
	int fd = open_in(folder, "uring.bin", O_DIRECT);

	log_task("uring-main");
	open_uring(&ring);
	for (int i = 0; i < N_BLOCKS; i++)
		write_block(fd, block, i);
	fsync(fd);
	for (int i = 0; i < N_BLOCKS; i++) {
		PHASE("cpu", 2, burn_wall(2));
		PHASE("uring_read_64k", 0, read_by_uring(&ring, fd, block, i));
	}
	close(ring.fd);
	close(fd);
	free(block);
}

typedef struct {
	pthread_mutex_t lock;
	pthread_barrier_t held;
} Mixed;

static void *hold_lock(void *data)
{
	Mixed *mixed = data;

	log_task("mix-holder");
	pthread_mutex_lock(&mixed->lock);
	pthread_barrier_wait(&mixed->held);
	PHASE("holder_cpu", 15, burn_wall(15));
	pthread_mutex_unlock(&mixed->lock);
	return NULL;
}

__attribute__((noreturn)) static void mixed_child(void)
{
	log_drop();
	log_task("mix-child");
	PHASE("child_cpu", 8, burn_wall(8));
	PHASE("child_sleep", 6, sleep_ms(6));
	PHASE("child_cpu", 4, burn_wall(4));
	log_flush();
	_exit(0);
}

/* Computing, a sleep, a child, a lock and a disk, one after the other. */
void run_mixed(const char *folder)
{
	static const char bytes[8192] = {0};
	Mixed mixed = {.lock = PTHREAD_MUTEX_INITIALIZER};
	int fd = open_in(folder, "mixed.bin", 0);

	log_task("mix-main");
	pthread_barrier_init(&mixed.held, NULL, 2);
	for (int i = 0; i < N_MIXED; i++) {
		pthread_t holder;
		pid_t child;

		PHASE("cpu", 10, burn_wall(10));
		PHASE("nanosleep", 20, sleep_ms(20));
		child = fork();
		if (child == 0)
			mixed_child();
		PHASE("waitpid", 18, waitpid(child, NULL, 0));
		pthread_create(&holder, NULL, hold_lock, &mixed);
		pthread_barrier_wait(&mixed.held);
		PHASE("lock_wait", 15, pthread_mutex_lock(&mixed.lock));
		pthread_mutex_unlock(&mixed.lock);
		pthread_join(holder, NULL);
		(void)!pwrite(fd, bytes, sizeof(bytes), (off_t)i * (off_t)sizeof(bytes));
		PHASE("fsync", 0, fsync(fd));
		PHASE("cpu", 5, burn_wall(5));
	}
	close(fd);
}
