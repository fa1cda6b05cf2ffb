/* SPDX-License-Identifier: MIT */
/*
 * path-oracle.h: what the path of a task is, told a second time: an independent,
 * slow and simple form of the backward walk, to hold the real one against.
 *
 * It keeps all segments of a task in a plain array, moves one segment at a time and
 * looks everything up from the beginning, so that it can be read against the
 * definition of the path.
 */
#ifndef WP_TESTS_PATH_ORACLE_H
#define WP_TESTS_PATH_ORACLE_H

#include "path/path.h"

G_BEGIN_DECLS

/* A part of a path; neighbours that agree in all but time are one. */
typedef struct {
	WpTime begin, end; /* reference clock */
	guint host;
	WpId task;
	guint depth;
	WpState state;
} WpOraclePiece;

/* WpOraclePiece, the latest first, without gaps from end to begin. Owned by the caller. */
GArray *wp_oracle_path(WpGraph *graph, guint host, WpId task, WpTime begin, WpTime end,
		       WpPathMode mode);

G_END_DECLS

#endif
