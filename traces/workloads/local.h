/* SPDX-License-Identifier: MIT */
/* local.h: the workloads of one host; each is run as `local NAME [FOLDER]`. */
#ifndef WORKLOADS_LOCAL_H
#define WORKLOADS_LOCAL_H

/* argument: a folder to write in, or a number; "" when none was given. */
typedef void (*WorkloadFunc)(const char *argument);

/* handoff.c: tasks that wait for each other */
void run_pingpong(const char *argument);
void run_condvar(const char *argument);
void run_chain(const char *argument);
void run_fork(const char *argument);
void run_burn(const char *argument);
void run_big(const char *argument);

/* locks.c */
void run_mutex(const char *argument);
void run_rwlock(const char *argument);
void run_inversion(const char *argument);
void run_inheritance(const char *argument);

/* cpu.c: who has the CPU */
void run_timer(const char *argument);
void run_contention(const char *argument);
void run_quota(const char *argument);
void run_spin(const char *argument);
void run_softirq(const char *argument);

/* disk.c */
void run_disk(const char *argument);
void run_aio(const char *argument);
void run_uring(const char *argument);
void run_mixed(const char *argument);

#endif
