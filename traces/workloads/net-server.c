/* SPDX-License-Identifier: MIT */
/*
 * net-server.c: serves requests over TCP and UDP.
 *
 *   port=N        where
 *   name=TEXT     the task is called srv-TEXT
 *   pool=N        the main thread hands requests to so many workers
 *   epoll=1       waits with epoll instead of poll
 *   backend=A/P   whom FLAG_NEST calls
 *   fsync=FILE    what FLAG_FSYNC writes to
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "log.h"
#include "net.h"

#define N_CONNECTIONS 32
#define N_JOBS 64
#define N_WORKERS 16
#define SYNC_BYTES 16384

typedef struct {
	int fd;
	uint16_t peer_port;
	Request request;
} Job;

typedef struct {
	int stream, datagram; /* listening */
	int epoll; /* -1: poll */
	struct {
		int fd;
		uint16_t peer_port;
	} connections[N_CONNECTIONS];
	int n_connections;
	int quit;
	/* for requests */
	pthread_mutex_t lock, backend_lock;
	int backend, sync_file;
	/* a ring of jobs, for workers */
	Job jobs[N_JOBS];
	unsigned first, last;
	pthread_mutex_t jobs_lock;
	pthread_cond_t jobs_there;
	int n_workers;
} Server;

typedef struct {
	Server *server;
	int number;
} Worker;

/* Calls the backend; returns how long that took. */
static int64_t nest(Server *server, const Request *request)
{
	Request nested = {.seq = request->seq, .op = OP_CALL, .us = {request->us[1]}};
	int64_t begin, end;

	pthread_mutex_lock(&server->backend_lock);
	begin = now();
	write_all(server->backend, &nested, sizeof(nested));
	read_reply(server->backend, MIN_REPLY);
	end = now();
	pthread_mutex_unlock(&server->backend_lock);
	return end - begin;
}

static void sync_to_disk(int fd)
{
	static const char bytes[SYNC_BYTES] = {0};

	if (write(fd, bytes, sizeof(bytes)) < 0)
		die("write");
	fsync(fd);
}

/* What a server does for one request, and the line that says so. */
static void work(Server *server, const Request *request, const char *how, uint16_t peer_port)
{
	int64_t begin = now(), cpu = own_cpu_time(), locked, computed, nested = 0, posted, end;

	mark_begin("request");
	if (request->flags & FLAG_LOCK)
		pthread_mutex_lock(&server->lock);
	locked = now();
	if (request->us[0] && request->flags & FLAG_SLEEP)
		sleep_ms(request->us[0] / 1e3);
	else if (request->us[0])
		burn_wall(request->us[0] / 1e3);
	computed = now();
	if (request->flags & FLAG_NEST && server->backend >= 0) {
		nested = nest(server, request);
		burn_wall(request->us[2] / 1e3);
	}
	if (request->flags & FLAG_LOCK)
		pthread_mutex_unlock(&server->lock);
	posted = now();
	if (request->flags & FLAG_FSYNC && server->sync_file >= 0)
		sync_to_disk(server->sync_file);
	end = now();
	mark_end("request");
	log_line("{\"ev\":\"served\",\"how\":\"%s\",\"tid\":%d,\"seq\":%u,\"peer_port\":%d,"
		 "\"begin\":%lld,\"end\":%lld,\"lock_wait_ms\":%.3f,\"compute_ms\":%.3f,"
		 "\"nested_wait_ms\":%.3f,\"post_ms\":%.3f,\"fsync_ms\":%.3f,\"cpu_ms\":%.3f}\n",
		 how, thread_id(), request->seq, peer_port, (long long)begin, (long long)end,
		 (double)(locked - begin) / 1e6, (double)(computed - locked) / 1e6,
		 (double)nested / 1e6, nested ? (double)(posted - computed - nested) / 1e6 : 0.0,
		 request->flags & FLAG_FSYNC ? (double)(end - posted) / 1e6 : 0.0,
		 (double)(own_cpu_time() - cpu) / 1e6);
}

/* ---- workers ---- */

static void *run_worker(void *data)
{
	Worker *worker = data;
	Server *server = worker->server;
	char role[24];

	snprintf(role, sizeof(role), "srv-w%d", worker->number);
	log_task(role);
	for (;;) {
		Job job;

		pthread_mutex_lock(&server->jobs_lock);
		while (server->first == server->last && !server->quit)
			pthread_cond_wait(&server->jobs_there, &server->jobs_lock);
		if (server->first == server->last) {
			pthread_mutex_unlock(&server->jobs_lock);
			return NULL;
		}
		job = server->jobs[server->first++ % N_JOBS];
		pthread_mutex_unlock(&server->jobs_lock);
		work(server, &job.request, "pool", job.peer_port);
		write_reply(job.fd, job.request.reply_bytes);
	}
}

static void hand_over(Server *server, int fd, uint16_t peer_port, const Request *request)
{
	pthread_mutex_lock(&server->jobs_lock);
	server->jobs[server->last++ % N_JOBS] = (Job){fd, peer_port, *request};
	pthread_cond_signal(&server->jobs_there);
	pthread_mutex_unlock(&server->jobs_lock);
}

/* ---- connections ---- */

static void add_connection(Server *server)
{
	uint16_t port;
	int fd = accept_from(server->stream, &port);

	if (server->n_connections == N_CONNECTIONS) {
		close(fd);
		return;
	}
	server->connections[server->n_connections].fd = fd;
	server->connections[server->n_connections++].peer_port = port;
	if (server->epoll >= 0) {
		struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};

		epoll_ctl(server->epoll, EPOLL_CTL_ADD, fd, &event);
	}
}

static void drop_bytes(int fd, uint32_t n)
{
	char bytes[65536];

	while (n) {
		ssize_t got = read(fd, bytes, n < sizeof(bytes) ? n : sizeof(bytes));

		if (got <= 0)
			return;
		n -= (uint32_t)got;
	}
}

/* FALSE: the peer has gone. */
static int serve_connection(Server *server, int fd, uint16_t peer_port)
{
	Request request;
	ssize_t got = recv(fd, &request, sizeof(request), 0);

	if (got <= 0)
		return 0;
	if ((size_t)got < sizeof(request))
		read_all(fd, (char *)&request + got, sizeof(request) - (size_t)got);
	if (request.op == OP_SINK) {
		int64_t begin = now();

		drop_bytes(fd, request.more_bytes);
		log_line("{\"ev\":\"sunk\",\"tid\":%d,\"bytes\":%u,\"ms\":%.3f}\n", thread_id(),
			 request.more_bytes, (double)(now() - begin) / 1e6);
		write_reply(fd, 0);
		return 1;
	}
	drop_bytes(fd, request.more_bytes);
	if (request.op == OP_QUIT) {
		server->quit = 1;
		write_reply(fd, 0);
	} else if (server->n_workers) {
		hand_over(server, fd, peer_port, &request);
	} else {
		work(server, &request, "tcp", peer_port);
		write_reply(fd, request.reply_bytes);
	}
	return 1;
}

static void serve_datagram(Server *server)
{
	static const char bytes[MIN_REPLY] = {0};
	struct sockaddr_in6 peer;
	socklen_t n = sizeof(peer);
	Request request;

	if (recvfrom(server->datagram, &request, sizeof(request), 0, (struct sockaddr *)&peer,
		     &n) != sizeof(request))
		return;
	if (request.op == OP_QUIT)
		server->quit = 1;
	else
		work(server, &request, "udp", ntohs(peer.sin6_port));
	sendto(server->datagram, bytes, sizeof(bytes), 0, (struct sockaddr *)&peer, n);
}

static void serve_ready(Server *server, int fd)
{
	if (fd == server->stream)
		add_connection(server);
	else if (fd == server->datagram)
		serve_datagram(server);
	else
		for (int i = 0; i < server->n_connections; i++) {
			if (server->connections[i].fd != fd ||
			    serve_connection(server, fd, server->connections[i].peer_port))
				continue;
			close(fd);
			server->connections[i--] = server->connections[--server->n_connections];
		}
}

static void wait_with_epoll(Server *server)
{
	struct epoll_event events[N_CONNECTIONS];
	int n = epoll_wait(server->epoll, events, N_CONNECTIONS, -1);

	for (int i = 0; i < n; i++)
		serve_ready(server, events[i].data.fd);
}

static void wait_with_poll(Server *server)
{
	struct pollfd ready[N_CONNECTIONS + 2];
	int n = 2;

	ready[0] = (struct pollfd){server->stream, POLLIN, 0};
	ready[1] = (struct pollfd){server->datagram, POLLIN, 0};
	for (int i = 0; i < server->n_connections; i++)
		ready[n++] = (struct pollfd){server->connections[i].fd, POLLIN, 0};
	poll(ready, (nfds_t)n, -1);
	for (int i = 0; i < n; i++)
		if (ready[i].revents)
			serve_ready(server, ready[i].fd);
}

static void open_epoll(Server *server)
{
	int listeners[] = {server->stream, server->datagram};

	server->epoll = epoll_create1(0);
	for (int i = 0; i < 2; i++) {
		struct epoll_event event = {.events = EPOLLIN, .data.fd = listeners[i]};

		epoll_ctl(server->epoll, EPOLL_CTL_ADD, listeners[i], &event);
	}
}

int run_server(const Arguments *arguments)
{
	static Server server = {
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.backend_lock = PTHREAD_MUTEX_INITIALIZER,
		.jobs_lock = PTHREAD_MUTEX_INITIALIZER,
		.jobs_there = PTHREAD_COND_INITIALIZER,
		.epoll = -1,
		.backend = -1,
		.sync_file = -1,
	};
	const char *backend = get_text(arguments, "backend", NULL);
	const char *sync_file = get_text(arguments, "fsync", NULL);
	pthread_t threads[N_WORKERS];
	Worker workers[N_WORKERS];
	char role[32];

	snprintf(role, sizeof(role), "srv-%s", get_text(arguments, "name", "main"));
	log_task(role);
	server.stream = listen_on(get_int(arguments, "port", 5000), SOCK_STREAM);
	server.datagram = listen_on(get_int(arguments, "port", 5000), SOCK_DGRAM);
	if (get_int(arguments, "epoll", 0))
		open_epoll(&server);
	if (sync_file)
		server.sync_file = open(sync_file, O_CREAT | O_WRONLY | O_TRUNC, 0644);
	if (backend)
		server.backend = dial(backend, SOCK_STREAM);
	server.n_workers = get_int(arguments, "pool", 0);
	if (server.n_workers > N_WORKERS)
		server.n_workers = N_WORKERS;
	for (int i = 0; i < server.n_workers; i++) {
		workers[i] = (Worker){&server, i};
		pthread_create(&threads[i], NULL, run_worker, &workers[i]);
	}
	while (!server.quit)
		(server.epoll >= 0 ? wait_with_epoll : wait_with_poll)(&server);
	pthread_mutex_lock(&server.jobs_lock);
	pthread_cond_broadcast(&server.jobs_there);
	pthread_mutex_unlock(&server.jobs_lock);
	for (int i = 0; i < server.n_workers; i++)
		pthread_join(threads[i], NULL);
	sleep_ms(20); /* the last reply is to leave while tracing is on */
	return 0;
}
