/* SPDX-License-Identifier: MIT */
/* log.c: see log.h. */
#include "log.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifdef HAVE_UST
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "marks.h"
#endif

#define LOG_SIZE (4u << 20)
/* Steps between looks at the clock: about a tenth of a millisecond of an emulated CPU. */
#define STEPS 3000
#define CHUNKS_A_LOOK 8

/* The one log of the process; the lock is free but for a moment. */
static struct {
	pthread_mutex_t lock;
	char *text;
	size_t n;
} the_log = {PTHREAD_MUTEX_INITIALIZER, NULL, 0};

static int64_t read_clock(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t now(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

int64_t wall_clock(void)
{
	return read_clock(CLOCK_REALTIME);
}

int64_t own_cpu_time(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

int64_t process_cpu_time(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

int thread_id(void)
{
	return (int)syscall(SYS_gettid);
}

void die(const char *what)
{
	perror(what);
	exit(9);
}

static void chunk(void)
{
	/* volatile: the loop is the purpose. */
	volatile uint64_t x = 1;

	for (int i = 0; i < STEPS; i++)
		x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
}

void burn_wall(double ms)
{
	int64_t end = now() + (int64_t)(ms * 1e6);

	while (now() < end)
		chunk();
}

void burn_cpu(double ms)
{
	int64_t end = own_cpu_time() + (int64_t)(ms * 1e6);

	while (own_cpu_time() < end)
		for (int i = 0; i < CHUNKS_A_LOOK; i++)
			chunk();
}

void sleep_ms(double ms)
{
	int64_t ns = (int64_t)(ms * 1e6);
	struct timespec time = {ns / 1000000000, ns % 1000000000};

	if (ns > 0) /* even a sleep of nothing may take a while */
		nanosleep(&time, NULL);
}

void read_all(int fd, void *bytes, size_t n)
{
	for (char *at = bytes; n;) {
		ssize_t got = read(fd, at, n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			die("read");
		at += got;
		n -= (size_t)got;
	}
}

void write_all(int fd, const void *bytes, size_t n)
{
	for (const char *at = bytes; n;) {
		ssize_t put = write(fd, at, n);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			die("write");
		at += put;
		n -= (size_t)put;
	}
}

void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		die("sched_setaffinity");
}

/* ---- the log ---- */

void text_append(char *text, size_t size, const char *format, ...)
{
	size_t n = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + n, size - n, format, arguments);
	va_end(arguments);
}

void log_begin(int argc, char **argv)
{
	char joined[1024] = "";

	the_log.text = calloc(1, LOG_SIZE); /* touched now, not while tracing */
	if (!the_log.text)
		die("log");
	memset(the_log.text, ' ', LOG_SIZE);
	for (int i = 1; i < argc; i++)
		text_append(joined, sizeof(joined), "%s%s", i > 1 ? " " : "", argv[i]);
	log_line("{\"ev\":\"start\",\"what\":\"%s\",\"pid\":%d,\"mono\":%lld,\"real\":%lld,"
		 "\"args\":\"%s\"}\n",
		 argc > 1 ? argv[1] : "", getpid(), (long long)now(), (long long)wall_clock(),
		 joined);
}

void log_line(const char *format, ...)
{
	va_list arguments;
	int n;

	pthread_mutex_lock(&the_log.lock);
	va_start(arguments, format);
	n = vsnprintf(the_log.text + the_log.n, LOG_SIZE - the_log.n, format, arguments);
	va_end(arguments);
	if (n > 0 && the_log.n + (size_t)n < LOG_SIZE)
		the_log.n += (size_t)n;
	pthread_mutex_unlock(&the_log.lock);
}

void log_drop(void)
{
	the_log.n = 0;
}

void log_flush(void)
{
	size_t n = the_log.n;

	the_log.n = 0;
	write_all(STDOUT_FILENO, the_log.text, n);
}

void log_task(const char *role)
{
	prctl(PR_SET_NAME, role);
	log_line("{\"ev\":\"task\",\"role\":\"%s\",\"pid\":%d,\"tid\":%d,\"mono\":%lld}\n", role,
		 getpid(), thread_id(), (long long)now());
}

void log_phase(const char *what, double asked_ms, int64_t begin, int64_t end)
{
	log_line("{\"ev\":\"phase\",\"tid\":%d,\"what\":\"%s\",\"asked_ms\":%.3f,\"begin\":%lld,"
		 "\"end\":%lld,\"ms\":%.3f}\n",
		 thread_id(), what, asked_ms, (long long)begin, (long long)end,
		 (double)(end - begin) / 1e6);
}

void mark_begin(const char *what)
{
#ifdef HAVE_UST
	lttng_ust_tracepoint(waitpath_workload, begin, what);
#else
	(void)what;
#endif
}

void mark_end(const char *what)
{
#ifdef HAVE_UST
	lttng_ust_tracepoint(waitpath_workload, end, what);
#else
	(void)what;
#endif
}
