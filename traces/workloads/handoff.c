/* SPDX-License-Identifier: MIT */
/* handoff.c: tasks that wait for each other: pipes, a condition variable, children. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "local.h"
#include "log.h"

#define N_TURNS 25
#define N_ITEMS 15
#define N_STAGES 4
#define N_CHILDREN 9
#define N_PAIRS 4

static void make_pipe(int ends[2])
{
	if (pipe(ends) < 0)
		die("pipe");
}

/* In the child: forgets what its parent logged. */
static pid_t fork_task(const char *role)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (pid == 0) {
		log_drop();
		log_task(role);
	}
	return pid;
}

__attribute__((noreturn)) static void end_child(void)
{
	log_flush();
	_exit(0);
}

/* Two processes take turns: the parent computes 2 ms, then waits for the child's 5 ms. */
void run_pingpong(const char *argument)
{
	int there[2], back[2];
	char c = 'x';
	pid_t child;

	(void)argument;
	make_pipe(there);
	make_pipe(back);
	child = fork_task("pp-child");
	if (child == 0) {
		for (int i = 0; i < N_TURNS; i++) {
			read_all(there[0], &c, 1);
			PHASE("child_cpu", 5, burn_wall(5));
			write_all(back[1], &c, 1);
		}
		end_child();
	}
	log_task("pp-parent");
	for (int i = 0; i < N_TURNS; i++) {
		PHASE("parent_cpu", 2, burn_wall(2));
		write_all(there[1], &c, 1);
		PHASE("parent_wait_child", 5, read_all(back[0], &c, 1));
	}
	waitpid(child, NULL, 0);
}

/* A place for one item, between a producer and a consumer. */
typedef struct {
	pthread_mutex_t lock;
	pthread_cond_t filled, emptied;
	int full;
} Slot;

static void *consume(void *data)
{
	Slot *slot = data;

	log_task("cv-cons");
	for (int i = 0; i < N_ITEMS; i++) {
		int64_t begin = now();

		pthread_mutex_lock(&slot->lock);
		while (!slot->full)
			pthread_cond_wait(&slot->filled, &slot->lock);
		slot->full = 0;
		pthread_cond_signal(&slot->emptied);
		pthread_mutex_unlock(&slot->lock);
		log_phase("wait_item", 6, begin, now());
		PHASE("consume_cpu", 2, burn_wall(2));
	}
	return NULL;
}

/* A producer computes 8 ms an item; the consumer computes 2 ms and waits for the rest. */
void run_condvar(const char *argument)
{
	Slot slot = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER,
		     0};
	pthread_t consumer;

	(void)argument;
	log_task("cv-prod");
	pthread_create(&consumer, NULL, consume, &slot);
	for (int i = 0; i < N_ITEMS; i++) {
		PHASE("produce_cpu", 8, burn_wall(8));
		pthread_mutex_lock(&slot.lock);
		while (slot.full)
			pthread_cond_wait(&slot.emptied, &slot.lock);
		slot.full = 1;
		pthread_cond_signal(&slot.filled);
		pthread_mutex_unlock(&slot.lock);
	}
	PHASE("join", 0, pthread_join(consumer, NULL));
}

__attribute__((noreturn)) static void run_stage(int stage, double ms, int from, int to)
{
	char role[32], c;

	snprintf(role, sizeof(role), "chain-%d", stage);
	log_task(role);
	for (int i = 0; i < N_ITEMS; i++) {
		read_all(from, &c, 1);
		PHASE("stage_cpu", ms, burn_wall(ms));
		write_all(to, &c, 1);
	}
	end_child();
}

/* One item goes round four processes, which compute 3, 5, 7 and 2 ms. */
void run_chain(const char *argument)
{
	static const double ms[N_STAGES] = {3, 5, 7, 2};
	int pipes[N_STAGES][2];
	pid_t pids[N_STAGES];
	char c = 'c';

	(void)argument;
	for (int i = 0; i < N_STAGES; i++)
		make_pipe(pipes[i]);
	for (int i = 1; i < N_STAGES; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			log_drop();
			run_stage(i, ms[i], pipes[i - 1][0], pipes[i][1]);
		}
	}
	log_task("chain-0");
	for (int i = 0; i < N_ITEMS; i++) {
		PHASE("stage_cpu", ms[0], burn_wall(ms[0]));
		write_all(pipes[0][1], &c, 1);
		PHASE("wait_ack", 14, read_all(pipes[N_STAGES - 1][0], &c, 1));
	}
	for (int i = 1; i < N_STAGES; i++)
		waitpid(pids[i], NULL, 0);
}

/* What the children of run_fork() do. */
void run_burn(const char *argument)
{
	burn_wall(atof(argument));
}

/* Forks, executes and waits for children of 5, 10 and 15 ms, with 4 ms of its own between. */
void run_fork(const char *argument)
{
	(void)argument;
	log_task("fk-main");
	for (int i = 0; i < N_CHILDREN; i++) {
		int64_t begin = now();
		int ms = 5 + 5 * (i % 3);
		pid_t child = fork();

		if (child == 0) {
			char text[8];

			snprintf(text, sizeof(text), "%d", ms);
			execl("/proc/self/exe", "local", "burn", text, (char *)NULL);
			_exit(1);
		}
		waitpid(child, NULL, 0);
		log_phase("fork_exec_wait", ms, begin, now());
		log_line("{\"ev\":\"child\",\"tid\":%d,\"burn_ms\":%d}\n", child, ms);
		PHASE("cpu", 4, burn_wall(4));
	}
}

__attribute__((noreturn)) static void big_pong(int from, int to)
{
	char c;

	while (read(from, &c, 1) == 1)
		write_all(to, &c, 1);
	_exit(0);
}

__attribute__((noreturn)) static void big_ping(int from, int to, int64_t end)
{
	long n = 0;
	char c = 'b';

	while (now() < end) {
		write_all(to, &c, 1);
		read_all(from, &c, 1);
		if (++n % 64 == 0)
			sleep_ms(1);
	}
	log_line("{\"ev\":\"count\",\"tid\":%d,\"roundtrips\":%ld}\n", thread_id(), n);
	end_child();
}

/* Load for a big trace: eight tasks that ping each other, for so many seconds. */
void run_big(const char *argument)
{
	int64_t end = now() + (int64_t)(atof(argument) * 1e9);

	log_task("big-main");
	for (int k = 0; k < N_PAIRS; k++) {
		int there[2], back[2];

		make_pipe(there);
		make_pipe(back);
		if (fork_task("big-pong") == 0) {
			close(there[1]);
			big_pong(there[0], back[1]);
		}
		if (fork_task("big-ping") == 0) {
			close(there[0]);
			big_ping(back[0], there[1], end);
		}
		close(there[0]);
		close(there[1]);
		close(back[0]);
		close(back[1]);
	}
	while (wait(NULL) > 0)
		continue;
}
