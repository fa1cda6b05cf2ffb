/* SPDX-License-Identifier: MIT */
/* cpu.c: sleeps of every kind, and who has the CPU. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "local.h"
#include "log.h"

#define N_SLEEPS 6
#define N_HOGS 2
#define N_VICTIM_ROUNDS 8
#define N_SPINS 12
#define N_BURSTS 10
#define N_QUOTA_ROUNDS 8
#define N_PACKETS 40
#define GAP 20000 /* ns */
#define CGROUP "/sys/fs/cgroup/waitpath-quota"

static void wait_timerfd(int fd, long ns)
{
	struct itimerspec time = {{0, 0}, {0, ns}};
	char count[8];

	timerfd_settime(fd, 0, &time, NULL);
	read_all(fd, count, sizeof(count));
}

static void wait_select(long us)
{
	struct timeval time = {0, us};

	select(0, NULL, NULL, NULL, &time);
}

/* One task waits in each kind of timed wait, with 3 ms of computing between. */
void run_timer(const char *argument)
{
	struct pollfd none = {.fd = -1};
	struct epoll_event event;
	int epoll = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, 0);

	(void)argument;
	log_task("timer-main");
	for (int i = 0; i < N_SLEEPS; i++) {
		PHASE("cpu", 3, burn_wall(3));
		PHASE("nanosleep", 10, sleep_ms(10));
		PHASE("poll_timeout", 8, poll(&none, 1, 8));
		PHASE("epoll_timeout", 9, epoll_wait(epoll, &event, 1, 9));
		PHASE("select_timeout", 7, wait_select(7000));
		PHASE("timerfd_read", 12, wait_timerfd(timer, 12000000));
	}
}

static pid_t fork_pinned(const char *role)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (pid == 0) {
		log_drop();
		log_task(role);
		pin(0);
	}
	return pid;
}

/* CPU 0 is shared by two hogs (120 ms each) and a victim that sleeps and computes in turn. */
void run_contention(const char *argument)
{
	(void)argument;
	log_task("ct-main");
	for (int k = 0; k < N_HOGS; k++) {
		char role[32];

		snprintf(role, sizeof(role), "ct-hog%d", k);
		if (fork_pinned(role) == 0) {
			PHASE("hog_cputime", 120, burn_cpu(120));
			log_flush();
			_exit(0);
		}
	}
	if (fork_pinned("ct-victim") == 0) {
		for (int i = 0; i < N_VICTIM_ROUNDS; i++) {
			PHASE("victim_sleep", 5, sleep_ms(5));
			PHASE("victim_cputime", 6, burn_cpu(6));
		}
		log_flush();
		_exit(0);
	}
	PHASE("main_waits", 0, {
		while (wait(NULL) > 0)
			continue;
	});
}

static void write_file(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die(name);
	close(fd);
}

/* A task may have 20 ms of CPU in 100 ms and wants 80: it is throttled most of the time. */
void run_quota(const char *argument)
{
	char text[16], c = 'm';
	int moved[2];
	pid_t pid;

	(void)argument;
	/* Fails where it is on already. */
	write_file("/sys/fs/cgroup/cgroup.subtree_control", "+cpu");
	if (mkdir(CGROUP, 0755) < 0)
		die("mkdir " CGROUP);
	write_file(CGROUP "/cpu.max", "20000 100000");
	if (pipe(moved) < 0)
		die("pipe");
	log_task("quota-main");
	pid = fork_pinned("quota-hog");
	if (pid == 0) {
		read_all(moved[0], &c, 1);
		for (int i = 0; i < N_QUOTA_ROUNDS; i++)
			PHASE("quota_cputime", 10, burn_cpu(10));
		log_flush();
		_exit(0);
	}
	/* That takes the kernel a while, which is no wait for the child. */
	snprintf(text, sizeof(text), "%d", pid);
	write_file(CGROUP "/cgroup.procs", text);
	write_all(moved[1], &c, 1);
	PHASE("main_waits", 0, wait(NULL));
	rmdir(CGROUP);
}

typedef struct {
	atomic_int turn;
} Spin;

static void *answer_spin(void *data)
{
	Spin *spin = data;

	log_task("spin-worker");
	for (int i = 0; i < N_SPINS; i++) {
		while (atomic_load(&spin->turn) != 2 * i + 1)
			sleep_ms(0.5);
		PHASE("cpu", 6, burn_wall(6));
		atomic_store(&spin->turn, 2 * i + 2);
	}
	return NULL;
}

/*
 * A task that waits by looking: what it waits for can't be seen in a trace of the kernel, its
 * path is its own CPU time.
 */
void run_spin(const char *argument)
{
	Spin spin = {0};
	pthread_t worker;

	(void)argument;
	log_task("spin-main");
	pthread_create(&worker, NULL, answer_spin, &spin);
	for (int i = 0; i < N_SPINS; i++) {
		PHASE("cpu", 2, burn_wall(2));
		PHASE("spin_cpu", 6, {
			atomic_store(&spin.turn, 2 * i + 1);
			while (atomic_load(&spin.turn) != 2 * i + 2)
				continue;
		});
	}
	PHASE("join", 0, pthread_join(worker, NULL));
}

static void send_burst(int fd, const struct sockaddr_in *to, int n)
{
	char bytes[1200] = {0};

	for (int i = 0; i < n; i++)
		(void)!sendto(fd, bytes, sizeof(bytes), 0, (const struct sockaddr *)to,
			      sizeof(*to));
}

/* Computes, and logs for how long it did not: a step from one look at the clock to the next that
 * took too long for a computation is a gap. */
static void burn_with_gaps(double ms)
{
	int64_t begin = now(), at = begin, gaps = 0;

	while (at < begin + (int64_t)(ms * 1e6)) {
		int64_t next = now();

		if (next - at > GAP)
			gaps += next - at;
		at = next;
	}
	log_line("{\"ev\":\"gaps\",\"tid\":%d,\"begin\":%lld,\"end\":%lld,\"gaps_ms\":%.3f}\n",
		 thread_id(), (long long)begin, (long long)at, (double)gaps / 1e6);
}

/* Which CPUs receive what this machine sends to itself, as a mask in hex; 0: that which sends. */
static void set_receivers(const char *mask)
{
	write_file("/sys/class/net/lo/queues/rx-0/rps_cpus", mask);
}

static void be_interrupted(const atomic_int *over)
{
	if (fork_pinned("si-victim") != 0)
		return;
	while (!atomic_load(over))
		PHASE("victim_cpu", 10, burn_with_gaps(10));
	log_flush();
	_exit(0);
}

/*
 * Bursts of packets to a closed port of this host. With "first" CPU 0 receives them, where they
 * interrupt a victim, and they come from CPU 1 (needs root and two CPUs). Else they are the
 * sender's own work, on the victim's CPU.
 */
void run_softirq(const char *argument)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
				 .sin_port = htons(9),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int first = strcmp(argument, "first") == 0, fd = socket(AF_INET, SOCK_DGRAM, 0);
	atomic_int *over = mmap(NULL, sizeof(*over), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (over == MAP_FAILED)
		die("mmap");
	if (first)
		set_receivers("1");
	log_task("si-main");
	be_interrupted(over);
	pin(first);
	sleep_ms(20); /* until it computes */
	for (int i = 0; i < N_BURSTS; i++) {
		PHASE(first ? "burst" : "cpu", 0, send_burst(fd, &to, N_PACKETS));
		PHASE("nanosleep", 5, sleep_ms(5));
	}
	atomic_store(over, 1);
	PHASE("main_waits", 0, wait(NULL));
	if (first)
		set_receivers("0");
}
