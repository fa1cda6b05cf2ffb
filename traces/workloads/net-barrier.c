/* SPDX-License-Identifier: MIT */
/*
 * net-barrier.c: bulk-synchronous: n ranks compute, then all meet at rank 0; in round i the
 * slow one is rank i modulo n.
 *
 *   rank=N n=N iters=N fast=MS slow=MS root=ADDRESS port=N
 */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "log.h"
#include "net.h"

#define PORT 5100
#define N_RANKS 8
#define WORD_SIZE 16

typedef struct {
	int rank, n;
	int fds[N_RANKS]; /* rank 0: of all others; else: [0], of rank 0 */
} Barrier;

static void gather(Barrier *barrier, const char *root, int port)
{
	char word[WORD_SIZE] = {(char)barrier->rank}, address[64];
	uint16_t peer_port;
	int listener;

	if (barrier->rank) {
		snprintf(address, sizeof(address), "%s/%d", root, port);
		barrier->fds[0] = dial(address, SOCK_STREAM);
		write_all(barrier->fds[0], word, sizeof(word));
		return;
	}
	listener = listen_on(port, SOCK_STREAM);
	for (int i = 1; i < barrier->n; i++) {
		int fd = accept_from(listener, &peer_port);

		read_all(fd, word, sizeof(word));
		barrier->fds[(int)word[0]] = fd;
	}
}

static void meet_as_root(Barrier *barrier)
{
	int there[N_RANKS] = {0};
	char word[WORD_SIZE];

	for (int left = barrier->n - 1; left;) {
		struct pollfd ready[N_RANKS];

		for (int i = 1; i < barrier->n; i++)
			ready[i - 1] = (struct pollfd){there[i] ? -1 : barrier->fds[i], POLLIN, 0};
		poll(ready, (nfds_t)(barrier->n - 1), -1);
		for (int i = 1; i < barrier->n; i++) {
			if (there[i] || !ready[i - 1].revents)
				continue;
			read_all(barrier->fds[i], word, sizeof(word));
			there[i] = 1;
			left--;
		}
	}
	for (int i = 1; i < barrier->n; i++)
		write_all(barrier->fds[i], word, sizeof(word));
}

static void meet(Barrier *barrier)
{
	char word[WORD_SIZE] = {0};

	if (barrier->rank == 0) {
		meet_as_root(barrier);
		return;
	}
	write_all(barrier->fds[0], word, sizeof(word));
	read_all(barrier->fds[0], word, sizeof(word));
}

int run_barrier(const Arguments *arguments)
{
	Barrier barrier = {.rank = get_int(arguments, "rank", 0), .n = get_int(arguments, "n", 3)};
	int rounds = get_int(arguments, "iters", 12);
	char role[32];

	snprintf(role, sizeof(role), "bsp-%d", barrier.rank);
	log_task(role);
	if (barrier.n < 2 || barrier.n > N_RANKS)
		return 2;
	gather(&barrier, get_text(arguments, "root", "10.0.0.1"), get_int(arguments, "port", PORT));
	for (int i = 0; i < rounds; i++) {
		int slow = i % barrier.n == barrier.rank;
		double ms = slow ? get_ms(arguments, "slow", 25) : get_ms(arguments, "fast", 6);
		int64_t begin = now(), cpu = own_cpu_time(), computed, end;

		burn_wall(ms);
		computed = now();
		cpu = own_cpu_time() - cpu;
		meet(&barrier);
		end = now();
		log_line("{\"ev\":\"iter\",\"tid\":%d,\"rank\":%d,\"i\":%d,\"slow_rank\":%d,"
			 "\"asked_ms\":%.1f,\"begin\":%lld,\"computed\":%lld,\"end\":%lld,"
			 "\"compute_ms\":%.3f,\"cpu_ms\":%.3f,\"barrier_ms\":%.3f}\n",
			 thread_id(), barrier.rank, i, i % barrier.n, ms, (long long)begin,
			 (long long)computed, (long long)end, (double)(computed - begin) / 1e6,
			 (double)cpu / 1e6, (double)(end - computed) / 1e6);
	}
	sleep_ms(20);
	return 0;
}
