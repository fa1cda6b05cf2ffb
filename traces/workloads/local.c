/* SPDX-License-Identifier: MIT */
/* local.c: finds the workload by its name, and frames it in the log. */
#include "local.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "log.h"

static const struct {
	const char *name;
	WorkloadFunc run;
} workloads[] = {
	{"pingpong", run_pingpong},   {"mutex", run_mutex},
	{"condvar", run_condvar},     {"chain", run_chain},
	{"timer", run_timer},         {"contention", run_contention},
	{"disk", run_disk},           {"fork", run_fork},
	{"mixed", run_mixed},         {"big", run_big},
	{"burn", run_burn},           {"rwlock", run_rwlock},
	{"inversion", run_inversion}, {"inheritance", run_inheritance},
	{"quota", run_quota},         {"spin", run_spin},
	{"softirq", run_softirq},     {"aio", run_aio},
	{"uring", run_uring},
};

#define N_WORKLOADS (sizeof(workloads) / sizeof(workloads[0]))

static void log_end(const char *name, int64_t begin, int64_t cpu)
{
	log_line("{\"ev\":\"end\",\"what\":\"%s\",\"pid\":%d,\"mono\":%lld,\"real\":%lld,"
		 "\"wall_ms\":%.3f,\"proc_cpu_ms\":%.3f}\n",
		 name, getpid(), (long long)now(), (long long)wall_clock(),
		 (double)(now() - begin) / 1e6, (double)(process_cpu_time() - cpu) / 1e6);
	log_flush();
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	for (size_t i = 0; i < N_WORKLOADS; i++) {
		int64_t begin, cpu;

		if (strcmp(workloads[i].name, name) != 0)
			continue;
		signal(SIGPIPE, SIG_IGN);
		log_begin(argc, argv);
		/* A child is not to have the first line again; "burn" is a child itself. */
		if (workloads[i].run == run_burn)
			log_drop();
		else
			log_flush();
		begin = now();
		cpu = process_cpu_time();
		workloads[i].run(argc > 2 ? argv[2] : "");
		if (workloads[i].run != run_burn)
			log_end(name, begin, cpu);
		return 0;
	}
	fprintf(stderr, "usage: local WORKLOAD [ARGUMENT]\nworkloads:");
	for (size_t i = 0; i < N_WORKLOADS; i++)
		fprintf(stderr, " %s", workloads[i].name);
	fprintf(stderr, "\n");
	return 2;
}
