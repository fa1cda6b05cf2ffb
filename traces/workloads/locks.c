/* SPDX-License-Identifier: MIT */
/* locks.c: a mutex, a readers-writer lock, and priorities turned upside down. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "local.h"
#include "log.h"

#define N_THREADS 4
#define N_ROUNDS 8
#define N_READERS 3
/* A wait that is shorter is no wait to speak of. */
#define INVERSION_ROUNDS 6

/* ---- mutex: thread k holds it for 3 + k ms, then sleeps 4 ms outside ---- */

typedef struct {
	pthread_mutex_t *lock;
	pthread_barrier_t *barrier;
	int k;
} MutexUser;

static void *use_mutex(void *data)
{
	MutexUser *user = data;
	char role[32];

	snprintf(role, sizeof(role), "mx-%d", user->k);
	log_task(role);
	pthread_barrier_wait(user->barrier);
	for (int i = 0; i < N_ROUNDS; i++) {
		PHASE("lock_wait", 0, pthread_mutex_lock(user->lock));
		PHASE("holding_cpu", 3 + user->k, burn_wall(3 + user->k));
		pthread_mutex_unlock(user->lock);
		PHASE("outside_sleep", 4, sleep_ms(4));
	}
	return NULL;
}

void run_mutex(const char *argument)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_barrier_t barrier;
	pthread_t threads[N_THREADS];
	MutexUser users[N_THREADS];

	(void)argument;
	log_task("mx-main");
	pthread_barrier_init(&barrier, NULL, N_THREADS + 1);
	for (int k = 0; k < N_THREADS; k++) {
		users[k] = (MutexUser){&lock, &barrier, k};
		pthread_create(&threads[k], NULL, use_mutex, &users[k]);
	}
	pthread_barrier_wait(&barrier);
	PHASE("main_joins", 0, {
		for (int k = 0; k < N_THREADS; k++)
			pthread_join(threads[k], NULL);
	});
}

/* ---- readers-writer lock: readers share it for 6 ms, a writer waits for all of them ---- */

typedef struct {
	pthread_rwlock_t *lock;
	int k;
} RwUser;

static void *read_rwlock(void *data)
{
	RwUser *user = data;
	char role[32];

	snprintf(role, sizeof(role), "rw-reader%d", user->k);
	log_task(role);
	for (int i = 0; i < N_ROUNDS; i++) {
		PHASE("lock_wait", 0, pthread_rwlock_rdlock(user->lock));
		PHASE("holding_cpu", 6, burn_wall(6));
		pthread_rwlock_unlock(user->lock);
		PHASE("outside_sleep", 3 + user->k, sleep_ms(3 + user->k));
	}
	return NULL;
}

static void *write_rwlock(void *data)
{
	RwUser *user = data;

	log_task("rw-writer");
	for (int i = 0; i < N_ROUNDS; i++) {
		PHASE("outside_sleep", 2, sleep_ms(2));
		PHASE("lock_wait", 0, pthread_rwlock_wrlock(user->lock));
		PHASE("holding_cpu", 8, burn_wall(8));
		pthread_rwlock_unlock(user->lock);
	}
	return NULL;
}

void run_rwlock(const char *argument)
{
	pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
	pthread_t threads[N_READERS + 1];
	RwUser users[N_READERS + 1];

	(void)argument;
	log_task("rw-main");
	for (int k = 0; k <= N_READERS; k++) {
		users[k] = (RwUser){&lock, k};
		pthread_create(&threads[k], NULL, k < N_READERS ? read_rwlock : write_rwlock,
			       &users[k]);
	}
	PHASE("main_joins", 0, {
		for (int k = 0; k <= N_READERS; k++)
			pthread_join(threads[k], NULL);
	});
}

/* ---- priorities, all on CPU 0: low holds a lock that high wants, while medium computes ---- */

typedef struct {
	pthread_mutex_t lock;
	pthread_barrier_t held; /* low has the lock */
	pthread_barrier_t round; /* all have done */
} Inversion;

static void set_priority(int priority)
{
	struct sched_param param = {.sched_priority = priority};

	pin(0);
	if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &param) != 0)
		die("pthread_setschedparam: real-time priorities need root");
}

static void *run_low(void *data)
{
	Inversion *inversion = data;

	log_task("pi-low");
	set_priority(10);
	for (int i = 0; i < INVERSION_ROUNDS; i++) {
		pthread_mutex_lock(&inversion->lock);
		pthread_barrier_wait(&inversion->held);
		PHASE("holding_cputime", 6, burn_cpu(6));
		pthread_mutex_unlock(&inversion->lock);
		pthread_barrier_wait(&inversion->round);
	}
	return NULL;
}

static void *run_medium(void *data)
{
	Inversion *inversion = data;

	log_task("pi-medium");
	set_priority(20);
	for (int i = 0; i < INVERSION_ROUNDS; i++) {
		pthread_barrier_wait(&inversion->held);
		PHASE("victim_sleep", 3, sleep_ms(3));
		PHASE("hog_cputime", 12, burn_cpu(12));
		pthread_barrier_wait(&inversion->round);
	}
	return NULL;
}

static void *run_high(void *data)
{
	Inversion *inversion = data;

	log_task("pi-high");
	set_priority(30);
	for (int i = 0; i < INVERSION_ROUNDS; i++) {
		pthread_barrier_wait(&inversion->held);
		PHASE("victim_sleep", 1, sleep_ms(1));
		PHASE("lock_wait", 5, pthread_mutex_lock(&inversion->lock));
		PHASE("holding_cpu", 2, burn_wall(2));
		pthread_mutex_unlock(&inversion->lock);
		pthread_barrier_wait(&inversion->round);
	}
	return NULL;
}

static void invert(int protocol)
{
	void *(*const run[])(void *) = {run_low, run_medium, run_high};
	pthread_t threads[3];
	pthread_mutexattr_t attributes;
	Inversion inversion;

	log_task("pi-main");
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setprotocol(&attributes, protocol);
	pthread_mutex_init(&inversion.lock, &attributes);
	pthread_barrier_init(&inversion.held, NULL, 3);
	pthread_barrier_init(&inversion.round, NULL, 3);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, run[i], &inversion);
	PHASE("main_joins", 0, {
		for (int i = 0; i < 3; i++)
			pthread_join(threads[i], NULL);
	});
}

/* Without inheritance high waits until medium is done, though they share nothing. */
void run_inversion(const char *argument)
{
	(void)argument;
	invert(PTHREAD_PRIO_NONE);
}

/* With it low has high's priority for as long as high waits. */
void run_inheritance(const char *argument)
{
	(void)argument;
	invert(PTHREAD_PRIO_INHERIT);
}
