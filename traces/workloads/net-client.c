/* SPDX-License-Identifier: MIT */
/*
 * net-client.c: callers.
 *
 * client: n calls. Each computes `pre` ms, calls, and sleeps `think` ms.
 *   to=A/P[+A/P]  one server, or several that are called at once
 *   ms=A[,B[,C]]  what the server computes, its backend, the server after that
 *   ms2=A         the second server's; swapped with ms in odd calls
 *   alt=1         double in odd calls
 *   flags=N       FLAG_...; bytes=N and reply=N: sizes; proto=udp; reconnect=1
 *   keep=1        does not tell the server to end
 * twins: one process, two threads, each a client of its own server (to=A/P+A/P, ms and ms2).
 * pooled: one process, `threads` threads that share `connections` connections to one server; each
 *   call takes one, and waits for one when all are taken.
 * bulk: n transfers of kb KiB.
 */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "log.h"
#include "net.h"

#define N_SERVERS 4
#define N_STAGES 3
#define N_POOLED 8
/* The calls of a pooled thread are numbered from its own number times this. */
#define POOLED_CALLS 1000

typedef struct {
	char addresses[N_SERVERS][64];
	int fds[N_SERVERS];
	int n_servers;
	int n_calls, type, alternate, reconnect, keep;
	double pre, think;
	uint32_t us[N_STAGES], other_us[N_STAGES];
	uint32_t flags, reply_bytes, more_bytes;
	uint16_t port; /* of a pooled connection, in the log of its calls; 0: it is not */
} Client;

static void get_stages(const char *text, uint32_t *us)
{
	double ms[N_STAGES] = {0};

	sscanf(text, "%lf,%lf,%lf", ms, ms + 1, ms + 2);
	for (int i = 0; i < N_STAGES; i++)
		us[i] = (uint32_t)(ms[i] * 1000);
}

static void get_addresses(Client *client, const char *text)
{
	while (client->n_servers < N_SERVERS && *text) {
		size_t n = strcspn(text, "+");

		snprintf(client->addresses[client->n_servers++], sizeof(client->addresses[0]),
			 "%.*s", (int)n, text);
		text += n + (text[n] == '+');
	}
}

static void client_init(Client *client, const Arguments *arguments)
{
	*client = (Client){
		.n_calls = get_int(arguments, "n", 10),
		.type = strcmp(get_text(arguments, "proto", "tcp"), "udp") == 0 ? SOCK_DGRAM
										: SOCK_STREAM,
		.alternate = get_int(arguments, "alt", 0),
		.reconnect = get_int(arguments, "reconnect", 0),
		.keep = get_int(arguments, "keep", 0),
		.pre = get_ms(arguments, "pre", 2),
		.think = get_ms(arguments, "think", 5),
		.flags = (uint32_t)get_int(arguments, "flags", 0),
		.reply_bytes = (uint32_t)get_int(arguments, "reply", 0),
		.more_bytes = (uint32_t)get_int(arguments, "bytes", 0),
	};
	get_addresses(client, get_text(arguments, "to", "127.0.0.1/5000"));
	get_stages(get_text(arguments, "ms", "20"), client->us);
	get_stages(get_text(arguments, "ms2", "0"), client->other_us);
}

static void dial_all(Client *client)
{
	for (int i = 0; i < client->n_servers; i++)
		client->fds[i] = dial(client->addresses[i], client->type);
}

static void send_request(Client *client, int server, int seq)
{
	int odd = seq & 1;
	const uint32_t *us = (client->n_servers > 1 && (server > 0) != odd) ? client->other_us
									    : client->us;
	Request request = {.seq = (uint32_t)seq,
			   .op = OP_CALL,
			   .flags = client->flags,
			   .reply_bytes = client->reply_bytes,
			   .more_bytes = client->more_bytes};
	size_t n = sizeof(request) + client->more_bytes;
	char *bytes = calloc(1, n);

	if (!bytes)
		die("request");
	for (int i = 0; i < N_STAGES; i++)
		request.us[i] = client->alternate && odd ? 2 * us[i] : us[i];
	memcpy(bytes, &request, sizeof(request));
	write_all(client->fds[server], bytes, n);
	free(bytes);
	log_line("{\"ev\":\"sent\",\"tid\":%d,\"seq\":%d,\"server\":\"%s\","
		 "\"asked_us\":[%u,%u,%u],\"mono\":%lld}\n",
		 thread_id(), seq, client->addresses[server], request.us[0], request.us[1],
		 request.us[2], (long long)now());
}

/* Of all servers, in the order in which they answer. */
static void await_replies(Client *client, int64_t *ret_times)
{
	for (int left = client->n_servers; left;) {
		struct pollfd ready[N_SERVERS];

		for (int i = 0; i < client->n_servers; i++)
			ready[i] = (struct pollfd){ret_times[i] ? -1 : client->fds[i], POLLIN, 0};
		poll(ready, (nfds_t)client->n_servers, -1);
		for (int i = 0; i < client->n_servers; i++) {
			if (ret_times[i] || !ready[i].revents)
				continue;
			read_reply(client->fds[i], client->reply_bytes);
			ret_times[i] = now();
			left--;
		}
	}
}

static void await_reply(Client *client)
{
	char bytes[MIN_REPLY];

	if (client->type == SOCK_STREAM)
		read_reply(client->fds[0], client->reply_bytes);
	else if (recv(client->fds[0], bytes, sizeof(bytes), 0) < 0)
		die("recv");
}

static void call(Client *client, int seq)
{
	int64_t reply_at[N_SERVERS] = {0}, begin = now(), computed, sent, replied, end;
	char more[192] = "";

	mark_begin("call");
	burn_wall(client->pre);
	computed = now();
	if (client->reconnect && seq) {
		close(client->fds[0]);
		client->fds[0] = dial(client->addresses[0], client->type);
	}
	for (int i = 0; i < client->n_servers; i++)
		send_request(client, i, seq);
	sent = now();
	if (client->n_servers > 1)
		await_replies(client, reply_at);
	else
		await_reply(client);
	replied = now();
	mark_end("call");
	sleep_ms(client->think);
	end = now();
	if (client->port)
		text_append(more, sizeof(more), ",\"local_port\":%d", client->port);
	for (int i = 0; client->n_servers > 1 && i < client->n_servers; i++)
		text_append(more, sizeof(more), "%s%lld%s", i ? "," : ",\"reply_at\":[",
			    (long long)reply_at[i], i + 1 < client->n_servers ? "" : "]");
	log_line("{\"ev\":\"call\",\"tid\":%d,\"seq\":%d,\"begin\":%lld,\"sent\":%lld,"
		 "\"replied\":%lld,\"end\":%lld,\"pre_ms\":%.3f,\"wait_ms\":%.3f,"
		 "\"think_ms\":%.3f%s}\n",
		 thread_id(), seq, (long long)begin, (long long)sent, (long long)replied,
		 (long long)end, (double)(computed - begin) / 1e6, (double)(replied - sent) / 1e6,
		 (double)(end - replied) / 1e6, more);
}

static void tell_to_end(int fd, int type)
{
	Request request = {.op = OP_QUIT};
	char bytes[MIN_REPLY];

	write_all(fd, &request, sizeof(request));
	if (type == SOCK_STREAM)
		read_reply(fd, 0);
	else
		(void)!recv(fd, bytes, sizeof(bytes), 0);
}

static void run_calls(Client *client)
{
	for (int i = 0; i < client->n_calls; i++)
		call(client, i);
	for (int i = 0; !client->keep && i < client->n_servers; i++)
		tell_to_end(client->fds[i], client->type);
}

int run_client(const Arguments *arguments)
{
	Client client;
	char role[32];

	snprintf(role, sizeof(role), "cli-%s", get_text(arguments, "name", "main"));
	log_task(role);
	client_init(&client, arguments);
	dial_all(&client);
	run_calls(&client);
	return 0;
}

static void *run_twin(void *data)
{
	Client *client = data;

	log_task(client->us[0] < client->other_us[0] ? "twin-quick" : "twin-slow");
	dial_all(client);
	run_calls(client);
	return NULL;
}

int run_twins(const Arguments *arguments)
{
	Client clients[2], both;
	pthread_t threads[2];

	log_task("twins-main");
	client_init(&both, arguments);
	if (both.n_servers != 2) {
		fprintf(stderr, "twins: to=ADDRESS/PORT+ADDRESS/PORT\n");
		return 2;
	}
	for (int i = 0; i < 2; i++) {
		clients[i] = both;
		clients[i].n_servers = 1;
		memcpy(clients[i].addresses[0], both.addresses[i], sizeof(both.addresses[i]));
		memcpy(clients[i].us, i ? both.other_us : both.us, sizeof(both.us));
		memcpy(clients[i].other_us, i ? both.us : both.other_us, sizeof(both.us));
		pthread_create(&threads[i], NULL, run_twin, &clients[i]);
	}
	PHASE("main_joins", 0, {
		for (int i = 0; i < 2; i++)
			pthread_join(threads[i], NULL);
	});
	return 0;
}

/* ---- connections that threads share ---- */

typedef struct {
	Client client;
	int fds[N_POOLED], n_free; /* the free ones are fds[0..n_free-1] */
	pthread_mutex_t lock;
	pthread_cond_t freed;
} Pool;

typedef struct {
	Pool *pool;
	int number;
} PoolUser;

static int take_connection(Pool *pool)
{
	int fd;

	pthread_mutex_lock(&pool->lock);
	while (!pool->n_free)
		pthread_cond_wait(&pool->freed, &pool->lock);
	fd = pool->fds[--pool->n_free];
	pthread_mutex_unlock(&pool->lock);
	return fd;
}

static void free_connection(Pool *pool, int fd)
{
	pthread_mutex_lock(&pool->lock);
	pool->fds[pool->n_free++] = fd;
	pthread_cond_signal(&pool->freed);
	pthread_mutex_unlock(&pool->lock);
}

/* The pause after a call is outside of it: meanwhile another may have the connection. */
static void *use_pool(void *data)
{
	PoolUser *user = data;
	Pool *pool = user->pool;
	Client client = pool->client;
	double think = client.think;
	char role[32];

	snprintf(role, sizeof(role), "pool-%d", user->number);
	log_task(role);
	client.think = 0;
	for (int i = 0; i < client.n_calls; i++) {
		PHASE("pool_wait", 0, client.fds[0] = take_connection(pool));
		client.port = (uint16_t)local_port(client.fds[0]);
		call(&client, user->number * POOLED_CALLS + i);
		free_connection(pool, client.fds[0]);
		PHASE("outside_sleep", think, sleep_ms(think));
	}
	return NULL;
}

int run_pooled(const Arguments *arguments)
{
	Pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .freed = PTHREAD_COND_INITIALIZER};
	int n_threads = get_int(arguments, "threads", 4), n = get_int(arguments, "connections", 2);
	pthread_t threads[N_POOLED];
	PoolUser users[N_POOLED];

	log_task("pool-main");
	client_init(&pool.client, arguments);
	if (pool.client.n_servers != 1 || n < 1 || n > N_POOLED || n_threads < 1 ||
	    n_threads > N_POOLED) {
		fprintf(stderr, "pooled: one server, 1 to %d threads and connections\n", N_POOLED);
		return 2;
	}
	for (int i = 0; i < n; i++)
		free_connection(&pool, dial(pool.client.addresses[0], SOCK_STREAM));
	for (int i = 0; i < n_threads; i++) {
		users[i] = (PoolUser){&pool, i};
		pthread_create(&threads[i], NULL, use_pool, &users[i]);
	}
	PHASE("main_joins", 0, {
		for (int i = 0; i < n_threads; i++)
			pthread_join(threads[i], NULL);
	});
	if (!pool.client.keep)
		tell_to_end(pool.fds[0], SOCK_STREAM);
	return 0;
}

static void send_bulk(int fd, uint32_t n, int seq)
{
	static const char bytes[65536] = {0};
	Request request = {.seq = (uint32_t)seq, .op = OP_SINK, .more_bytes = n};
	int64_t begin = now(), sent, end;

	write_all(fd, &request, sizeof(request));
	for (uint32_t left = n; left;) {
		uint32_t part = left < sizeof(bytes) ? left : (uint32_t)sizeof(bytes);

		write_all(fd, bytes, part);
		left -= part;
	}
	sent = now();
	read_reply(fd, 0);
	end = now();
	log_line("{\"ev\":\"bulk\",\"tid\":%d,\"seq\":%d,\"bytes\":%u,\"begin\":%lld,"
		 "\"sent\":%lld,\"end\":%lld,\"ms\":%.3f}\n",
		 thread_id(), seq, n, (long long)begin, (long long)sent, (long long)end,
		 (double)(end - begin) / 1e6);
}

int run_bulk(const Arguments *arguments)
{
	int n = get_int(arguments, "n", 1), fd;

	log_task("cli-bulk");
	fd = dial(get_text(arguments, "to", "127.0.0.1/5000"), SOCK_STREAM);
	for (int i = 0; i < n; i++) {
		send_bulk(fd, (uint32_t)get_int(arguments, "kb", 1024) * 1024, i);
		sleep_ms(5);
	}
	tell_to_end(fd, SOCK_STREAM);
	return 0;
}
