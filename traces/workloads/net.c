/* SPDX-License-Identifier: MIT */
/* net.c: arguments, sockets, and the choice of a program. */
#include "net.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "log.h"

#define N_TRIES 100
#define TRY_AGAIN_MS 50
#define BACKLOG 16
#define REPLY_CHUNK 65536

const char *get_text(const Arguments *arguments, const char *key, const char *otherwise)
{
	size_t n = strlen(key);

	for (int i = 0; i < arguments->n; i++)
		if (strncmp(arguments->words[i], key, n) == 0 && arguments->words[i][n] == '=')
			return arguments->words[i] + n + 1;
	return otherwise;
}

int get_int(const Arguments *arguments, const char *key, int otherwise)
{
	const char *text = get_text(arguments, key, NULL);

	return text ? atoi(text) : otherwise;
}

double get_ms(const Arguments *arguments, const char *key, double otherwise)
{
	const char *text = get_text(arguments, key, NULL);

	return text ? atof(text) : otherwise;
}

static void no_delay(int fd)
{
	int one = 1;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
}

int local_port(int fd)
{
	struct sockaddr_storage address;
	socklen_t n = sizeof(address);

	getsockname(fd, (struct sockaddr *)&address, &n);
	return ntohs(address.ss_family == AF_INET ? ((struct sockaddr_in *)&address)->sin_port
						  : ((struct sockaddr_in6 *)&address)->sin6_port);
}

/* "HOST/PORT", both in numbers; the length of the address, 0 when it is none. */
static socklen_t parse_address(const char *text, char host[64], struct sockaddr_storage *ret)
{
	struct sockaddr_in *v4 = (struct sockaddr_in *)ret;
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)ret;
	const char *slash = strrchr(text, '/');
	uint16_t port;

	if (!slash)
		return 0;
	snprintf(host, 64, "%.*s", (int)(slash - text), text);
	port = htons((uint16_t)atoi(slash + 1));
	memset(ret, 0, sizeof(*ret));
	if (inet_pton(AF_INET, host, &v4->sin_addr) == 1) {
		v4->sin_family = AF_INET;
		v4->sin_port = port;
		return sizeof(*v4);
	}
	if (inet_pton(AF_INET6, host, &v6->sin6_addr) != 1)
		return 0;
	v6->sin6_family = AF_INET6;
	v6->sin6_port = port;
	return sizeof(*v6);
}

int dial(const char *address, int type)
{
	struct sockaddr_storage peer;
	char host[64];
	socklen_t n = parse_address(address, host, &peer);

	if (n == 0) {
		fprintf(stderr, "%s is no ADDRESS/PORT\n", address);
		exit(3);
	}
	for (int i = 0; i < N_TRIES; i++) {
		int fd = socket(peer.ss_family, type, 0);

		if (connect(fd, (const struct sockaddr *)&peer, n) == 0) {
			if (type == SOCK_STREAM)
				no_delay(fd);
			log_line("{\"ev\":\"connect\",\"tid\":%d,\"to\":\"%s\",\"port\":%s,"
				 "\"local_port\":%d,\"type\":\"%s\",\"tries\":%d,\"mono\":%lld}\n",
				 thread_id(), host, strrchr(address, '/') + 1, local_port(fd),
				 type == SOCK_STREAM ? "tcp" : "udp", i + 1, (long long)now());
			return fd;
		}
		close(fd);
		sleep_ms(TRY_AGAIN_MS);
	}
	die(address);
}

int listen_on(int port, int type)
{
	struct sockaddr_in6 any = {.sin6_family = AF_INET6,
				   .sin6_addr = in6addr_any,
				   .sin6_port = htons((uint16_t)port)};
	int fd = socket(AF_INET6, type, 0), one = 1, zero = 0;

	setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &zero, sizeof(zero));
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, (struct sockaddr *)&any, sizeof(any)) < 0)
		die("bind");
	if (type == SOCK_STREAM)
		listen(fd, BACKLOG);
	return fd;
}

int accept_from(int listener, uint16_t *ret_peer_port)
{
	struct sockaddr_in6 peer;
	socklen_t n = sizeof(peer);
	int fd = accept(listener, (struct sockaddr *)&peer, &n);
	char text[64];

	if (fd < 0)
		die("accept");
	no_delay(fd);
	inet_ntop(AF_INET6, &peer.sin6_addr, text, sizeof(text));
	*ret_peer_port = ntohs(peer.sin6_port);
	log_line("{\"ev\":\"accept\",\"tid\":%d,\"from\":\"%s\",\"peer_port\":%d,"
		 "\"mono\":%lld}\n",
		 thread_id(), text, *ret_peer_port, (long long)now());
	return fd;
}

static uint32_t reply_size(uint32_t n)
{
	return n < MIN_REPLY ? MIN_REPLY : n;
}

void write_reply(int fd, uint32_t n)
{
	static const char bytes[REPLY_CHUNK] = {0};

	for (uint32_t left = reply_size(n); left;) {
		uint32_t part = left < REPLY_CHUNK ? left : REPLY_CHUNK;

		write_all(fd, bytes, part);
		left -= part;
	}
}

void read_reply(int fd, uint32_t n)
{
	char bytes[4096];

	for (uint32_t left = reply_size(n); left;) {
		uint32_t part = left < sizeof(bytes) ? left : (uint32_t)sizeof(bytes);

		read_all(fd, bytes, part);
		left -= part;
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(const Arguments *arguments);
	} programs[] = {
		{"serve", run_server}, {"client", run_client},   {"twins", run_twins},
		{"bulk", run_bulk},    {"barrier", run_barrier}, {"pooled", run_pooled},
	};
	Arguments arguments = {argc - 2, argv + 2};

	for (size_t i = 0; argc > 1 && i < sizeof(programs) / sizeof(programs[0]); i++)
		if (strcmp(programs[i].name, argv[1]) == 0) {
			int status;

			signal(SIGPIPE, SIG_IGN);
			log_begin(argc, argv);
			status = programs[i].run(&arguments);
			log_flush();
			return status;
		}
	fprintf(stderr, "usage: net serve|client|twins|pooled|bulk|barrier KEY=VALUE...\n");
	return 2;
}
