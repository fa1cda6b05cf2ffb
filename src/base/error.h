/* SPDX-License-Identifier: MIT */
/*
 * error.h: the library's error domain.
 *
 * A message is one sentence that names the file, event or value and says what
 * to do. The code decides the exit status of the command line.
 */
#ifndef WP_BASE_ERROR_H
#define WP_BASE_ERROR_H

#include <glib.h>

G_BEGIN_DECLS

#define WP_ERROR (wp_error_quark())
GQuark wp_error_quark(void);

typedef enum {
	WP_ERROR_FAILED, /* exit 1: reading or analysing failed */
	WP_ERROR_USAGE, /* exit 2: an option or argument is wrong, no such task */
	WP_ERROR_CANNOT_ANSWER, /* exit 3: the trace lacks what the question needs */
	WP_ERROR_DECLINED, /* a reader can't take this trace; another one may */
	WP_ERROR_LIMIT, /* exit 1: a bound on what a trace can make grow */
	WP_ERROR_BROKEN_PIPE, /* exit 0: the reader of the output has gone, as readers may */
	WP_ERROR_CANCELLED /* exit 1: the caller cancelled */
} WpError;

G_END_DECLS

#endif
