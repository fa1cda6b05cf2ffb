/* SPDX-License-Identifier: MIT */
/*
 * shared.c: talks to the other guests through the memory of QEMU's ivshmem-plain device.
 *
 *   shared ppm N                    lets this host's clock run N ppm fast
 *   shared barrier RANK N STEP      waits until all N guests are at this step
 *   shared clock RANK N STEP MS     for so long, bounds the offsets of the clocks
 *
 * For the last, each guest writes its clock into its slot and reads the others'. What is
 * read of a peer's clock is a lower bound of (peer - own) at that instant; the best bound
 * of each 10 ms is printed with its time, and the peers' own lines give upper bounds.
 */
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/timex.h>
#include <unistd.h>

#include "log.h"

#define N_GUESTS 8
#define N_WINDOWS 200
#define WINDOW_NS 10000000
#define PCI "/sys/bus/pci/devices"
#define VENDOR 0x1af4
#define DEVICE 0x1110

/* One a guest, on a cache line of its own. */
typedef struct {
	_Atomic int64_t clock; /* 0: not now */
	_Atomic uint64_t step;
	uint64_t pad[6];
} Slot;

typedef struct {
	int64_t at, bound;
	int known;
} Bound;

static long read_number(const char *device, const char *name)
{
	char path[400], text[16] = "";
	int fd;

	snprintf(path, sizeof(path), PCI "/%s/%s", device, name);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return -1;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(fd);
	return strtol(text, NULL, 0);
}

static void enable(const char *device)
{
	char path[400];
	int fd;

	snprintf(path, sizeof(path), PCI "/%s/enable", device);
	fd = open(path, O_WRONLY);
	if (fd >= 0) {
		(void)!write(fd, "1", 1);
		close(fd);
	}
}

static Slot *map_device(const char *device)
{
	char path[400];
	void *memory;
	int fd;

	enable(device);
	snprintf(path, sizeof(path), PCI "/%s/resource2_wc", device);
	fd = open(path, O_RDWR);
	if (fd < 0) {
		snprintf(path, sizeof(path), PCI "/%s/resource2", device);
		fd = open(path, O_RDWR);
	}
	memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		die("mmap");
	return memory;
}

static Slot *map_slots(void)
{
	DIR *folder = opendir(PCI);
	struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		if (read_number(entry->d_name, "vendor") == VENDOR &&
		    read_number(entry->d_name, "device") == DEVICE)
			return map_device(entry->d_name);
	fprintf(stderr, "shared: there is no ivshmem device\n");
	exit(3);
}

static int slew(const char *ppm)
{
	struct timex change = {.modes = ADJ_FREQUENCY | ADJ_STATUS,
			       .freq = (long)(atof(ppm) * 65536)};

	if (adjtimex(&change) < 0)
		die("adjtimex");
	return 0;
}

static void meet(Slot *slots, int me, int n, uint64_t step, double pause_ms)
{
	atomic_store(&slots[me].step, step);
	for (int k = 0; k < n; k++)
		while (atomic_load(&slots[k].step) < step)
			if (pause_ms > 0)
				sleep_ms(pause_ms);
}

static void measure(Slot *slots, int me, int n, uint64_t step, double ms,
		    Bound bounds[N_GUESTS][N_WINDOWS])
{
	int64_t begin = now(), end = begin + (int64_t)(ms * 1e6);

	for (int64_t own = begin; own < end; own = now()) {
		int64_t window = (own - begin) / WINDOW_NS;

		atomic_store(&slots[me].clock, own);
		for (int k = 0; k < n; k++) {
			int64_t peer = atomic_load(&slots[k].clock), at = now();
			Bound *best = &bounds[k][window < N_WINDOWS ? window : N_WINDOWS - 1];

			if (k == me || !peer || atomic_load(&slots[k].step) < step)
				continue;
			if (!best->known || peer - at > best->bound)
				*best = (Bound){at, peer - at, 1};
		}
	}
	atomic_store(&slots[me].clock, 0);
}

static void print_bounds(int me, int n, uint64_t step, Bound bounds[N_GUESTS][N_WINDOWS])
{
	const char *comma = "";

	printf("{\"ev\":\"clock\",\"rank\":%d,\"step\":%" PRIu64 ",\"mono\":%" PRId64
	       ",\"real_minus_mono\":%" PRId64 ",\"lower_bounds\":{",
	       me, step, now(), wall_clock() - now());
	for (int k = 0; k < n; k++) {
		const char *between = "";

		if (k == me)
			continue;
		printf("%s\"%d_minus_%d\":[", comma, k, me);
		comma = ",";
		for (int w = 0; w < N_WINDOWS; w++) {
			if (!bounds[k][w].known)
				continue;
			printf("%s[%" PRId64 ",%" PRId64 "]", between, bounds[k][w].at,
			       bounds[k][w].bound);
			between = ",";
		}
		printf("]");
	}
	printf("}}\n");
}

int main(int argc, char **argv)
{
	static Bound bounds[N_GUESTS][N_WINDOWS];
	int me, n, clock;
	uint64_t step;
	Slot *slots;

	if (argc == 3 && strcmp(argv[1], "ppm") == 0)
		return slew(argv[2]);
	clock = argc == 6 && strcmp(argv[1], "clock") == 0;
	if (!clock && !(argc == 5 && strcmp(argv[1], "barrier") == 0)) {
		fprintf(stderr,
			"usage: shared ppm N | barrier RANK N STEP | clock RANK N STEP MS\n");
		return 2;
	}
	me = atoi(argv[2]);
	n = atoi(argv[3]);
	step = strtoull(argv[4], NULL, 10);
	if (me < 0 || n > N_GUESTS || me >= n)
		return 2;
	slots = map_slots();
	/* Before a clock measurement nobody sleeps: all begin together. */
	meet(slots, me, n, step, clock ? 0 : 2);
	if (clock) {
		measure(slots, me, n, step, atof(argv[5]), bounds);
		print_bounds(me, n, step, bounds);
	}
	return 0;
}
