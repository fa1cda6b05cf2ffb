/* SPDX-License-Identifier: MIT */
/* wpv-dump.h: what the first screen shows, as JSON: for tests, documents and scripts. */
#ifndef WPV_DUMP_H
#define WPV_DUMP_H

#include "base/out.h"
#include "viewer/model/wpv-session.h"

G_BEGIN_DECLS

/*
 * Schema waitpath-view/1: document, visible window, task, the answer's sentence, the path's
 * band (at most 100,000 segments, "omitted" says how many more) and the rows with their
 * place in the tree, names, and ns of the path.
 */
void wpv_dump_rows(WpvSession *session, WpOut *out);

G_END_DECLS

#endif
