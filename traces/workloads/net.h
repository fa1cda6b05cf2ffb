/* SPDX-License-Identifier: MIT */
/*
 * net.h: the workloads between hosts, run as `net serve|client|twins|pooled|bulk|barrier
 * KEY=VALUE...`.
 *
 * A client says in each request how long each tier is to compute, so its own arguments hold
 * what should happen; each server logs what it really did.
 */
#ifndef WORKLOADS_NET_H
#define WORKLOADS_NET_H

#include <netinet/in.h>
#include <stdint.h>

typedef enum { OP_CALL = 1, OP_QUIT, OP_SINK } Operation;

/* What a server is to do besides computing. */
#define FLAG_FSYNC 1u /* write to disk after it */
#define FLAG_LOCK 2u /* hold the server's lock meanwhile */
#define FLAG_NEST 4u /* call the backend in the middle */
#define FLAG_SLEEP 8u /* sleep instead */

#define MIN_REPLY 64u /* bytes */

typedef struct {
	uint32_t seq, op, flags;
	uint32_t us[3]; /* computing before the nested call, in the backend, after it */
	uint32_t reply_bytes, more_bytes; /* behind this request */
	uint32_t pad[8];
} Request;

/* ---- arguments: KEY=VALUE behind the first ---- */

typedef struct {
	int n;
	char **words;
} Arguments;

const char *get_text(const Arguments *arguments, const char *key, const char *otherwise);
int get_int(const Arguments *arguments, const char *key, int otherwise);
double get_ms(const Arguments *arguments, const char *key, double otherwise);

/* ---- sockets; type is SOCK_STREAM or SOCK_DGRAM ---- */

/* HOST/PORT; tries for five seconds. Logs the connection. */
int dial(const char *address, int type);
int local_port(int fd);
int listen_on(int port, int type);
/* Logs the connection. */
int accept_from(int listener, uint16_t *ret_peer_port);
/* n bytes from MIN_REPLY on, and not less. */
void write_reply(int fd, uint32_t n);
void read_reply(int fd, uint32_t n);

/* ---- programs ---- */

int run_server(const Arguments *arguments);
int run_client(const Arguments *arguments);
int run_twins(const Arguments *arguments);
int run_pooled(const Arguments *arguments);
int run_bulk(const Arguments *arguments);
int run_barrier(const Arguments *arguments);

#endif
