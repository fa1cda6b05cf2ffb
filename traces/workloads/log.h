/* SPDX-License-Identifier: MIT */
/*
 * log.h: what every workload is made of: clocks, work of a known length, and the log
 * that says what it really did (traces/README.md tells of its lines).
 *
 * The log is kept in memory while tracing runs and printed at the end, so that writing
 * it is no part of what is traced. All times are CLOCK_MONOTONIC, in ns.
 */
#ifndef WORKLOADS_LOG_H
#define WORKLOADS_LOG_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- clocks ---- */

int64_t now(void); /* CLOCK_MONOTONIC */
int64_t wall_clock(void); /* CLOCK_REALTIME */
int64_t own_cpu_time(void); /* of this thread */
int64_t process_cpu_time(void);
int thread_id(void);

/* ---- work ---- */

/* Computes until so many ms of wall time have passed; no system call. */
void burn_wall(double ms);
/* Computes until this thread has had so many ms of CPU time; a system call now and then. */
void burn_cpu(double ms);
void sleep_ms(double ms);
/* All of n bytes, or the end of the program. */
void read_all(int fd, void *bytes, size_t n);
void write_all(int fd, const void *bytes, size_t n);
/* This thread on this CPU only. */
void pin(int cpu);
/* Ends the program with what failed and why. */
void die(const char *what) __attribute__((noreturn));

/* ---- the log ---- */

/* Before all else, with the program's arguments. */
void log_begin(int argc, char **argv);
/* A whole line: threads share the log, and what one of them writes in parts others cut in two. */
void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Behind what text, of so many bytes, holds already; cut off where it does not fit. */
void text_append(char *text, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* In a child that was forked: drops what its parent had not written yet. */
void log_drop(void);
void log_flush(void);
/* Names this thread, and says so. */
void log_task(const char *role);
/* This thread did that from begin to end; asked_ms is what it was told to. */
void log_phase(const char *what, double asked_ms, int64_t begin, int64_t end);

/* Runs code and logs it as a phase. */
#define PHASE(what, asked_ms, code)                                                                \
	do {                                                                                       \
		int64_t phase_begin_ = now();                                                      \
		mark_begin(what);                                                                  \
		code;                                                                              \
		mark_end(what);                                                                    \
		log_phase(what, asked_ms, phase_begin_, now());                                    \
	} while (0)

/* User-space events at begin and end of a phase or request; nothing without lttng-ust. */
void mark_begin(const char *what);
void mark_end(const char *what);

#endif
