/* SPDX-License-Identifier: MIT */
/*
 * sample-graph.h: a small execution of three hosts whose path is known by hand: what
 * the viewer's tests look at.
 *
 *	ms            0    10  12    20  22            78  80    88  90 91    100
 *	hosta client  |run |        waits for the network            |rd|run |
 *	hostb front   |wait       |run |      waits            |run |   wait  |
 *	hostc back    |wait                |run            |   wait          |
 *
 * client sends at 9, front gets it at 11; front sends at 19 and 88, back at 78. hosta
 * has besides: a daemon that waits all the time, a process of three threads, one of them
 * idle, a kernel thread that wakes one of them, and interrupts on CPU 1.
 */
#ifndef WP_TESTS_SAMPLE_GRAPH_H
#define WP_TESTS_SAMPLE_GRAPH_H

#include "graph/graph.h"

G_BEGIN_DECLS

/* Begin of the execution: all times are SAMPLE_BEGIN and some of SAMPLE_MS. */
#define SAMPLE_BEGIN G_GINT64_CONSTANT(1772442049000000000)
#define SAMPLE_MS WP_NS_PER_MS
#define SAMPLE_AT(ms) (SAMPLE_BEGIN + (ms)*SAMPLE_MS)

enum { SAMPLE_HOSTA, SAMPLE_HOSTB, SAMPLE_HOSTC, SAMPLE_HOSTS };
/* Tasks of hosta; front and back are task 0 of their hosts. */
enum {
	SAMPLE_CLIENT,
	SAMPLE_DAEMON,
	SAMPLE_POOL,
	SAMPLE_POOL_WORKER,
	SAMPLE_POOL_IDLE,
	SAMPLE_KWORKER
};

/* A part of the path of the client over the whole execution. */
typedef struct {
	gint begin, end; /* ms */
	guint host;
	WpId task;
	WpState state;
	guint depth;
} WpSamplePiece;

extern const WpSamplePiece wp_sample_path[];
extern const guint wp_sample_path_n;

/* Owned by the caller. */
WpGraph *wp_sample_graph_new(void);

/*
 * One host with n_tasks tasks that share n segments of five states, interleaved as the
 * tasks of a real trace are: for the benchmark, and tests of what is large.
 */
WpGraph *wp_large_graph_new(guint n_tasks, guint64 n);

G_END_DECLS

#endif
