/* SPDX-License-Identifier: MIT */
/*
 * wpv-row.h: the name of a row of the timeline: what it shows, apart from whether and
 * where it is shown.
 */
#ifndef WPV_ROW_H
#define WPV_ROW_H

#include "graph/graph.h"

G_BEGIN_DECLS

typedef enum {
	WPV_ROW_HOST,
	WPV_ROW_PROCESS, /* id: index of the host's processes */
	WPV_ROW_THREAD, /* id: task */
	WPV_ROW_KERNEL, /* the host's kernel threads */
	WPV_ROW_CPUS, /* the host's CPUs */
	WPV_ROW_CPU, /* id: dense index of the CPU */
	WPV_ROW_INTERRUPTS, /* what interrupts take of a CPU; id as above */
	WPV_ROW_KIND_N
} WpvRowKind;

typedef struct {
	guint32 host;
	guint32 id; /* 0 where the kind needs none */
	WpvRowKind kind;
} WpvRowKey;

#define WPV_ROW_KEY_NONE ((WpvRowKey){WP_NONE, WP_NONE, WPV_ROW_KIND_N})

/* One integer for each key: for maps. Hosts are fewer than 2^24. */
static inline guint64 wpv_row_key_pack(WpvRowKey key)
{
	return (guint64)key.kind << 56 | (guint64)(key.host & 0xffffffu) << 32 | key.id;
}

static inline gboolean wpv_row_key_equal(WpvRowKey a, WpvRowKey b)
{
	return a.kind == b.kind && a.host == b.host && a.id == b.id;
}

static inline WpvRowKey wpv_row_key_thread(guint32 host, WpId task)
{
	return (WpvRowKey){host, task, WPV_ROW_THREAD};
}

static inline gboolean wpv_row_key_is_none(WpvRowKey key)
{
	return key.kind == WPV_ROW_KIND_N;
}

G_END_DECLS

#endif
