/* SPDX-License-Identifier: MIT */
/*
 * steps.h: clocks that were set, or stood still while their machine was suspended.
 *
 * Such a step is no drift: no line and no cone holds across it. It shows as packets of the
 * two directions that no believable rate can bring together. What lies before and what
 * lies behind it are then two times, each with packets and clocks of its own; between the
 * last packet that must be of the one and the first that must be of the other nothing is
 * known but that the clocks are as before or as after.
 *
 * That a set of points allows a rate depends on each two of them only, so cutting as late
 * as possible, from the first point on, needs the fewest cuts; and so does cutting as early
 * as possible from the last point back. Every cut lies between the two.
 */
#ifndef WP_SYNC_STEPS_H
#define WP_SYNC_STEPS_H

#include "sync/pair.h"

G_BEGIN_DECLS

/* A step on one host's clock: no time up to `from` is of after it, none from `to` on of before. */
typedef struct {
	WpTime from, to;
} WpCut;

typedef struct {
	guint a, b; /* hosts */
	WpCut at_a, at_b; /* on their clocks */
	gint64 jump; /* ns, about: what b's offset to a gained */
	guint cut; /* the number of the cut that has it, after wp_steps_cut() */
} WpStep;

/* Packets this near to a cut may have been under way during the step; they are left out. */
#define WP_STEP_MARGIN (10 * WP_NS_PER_MS)
#define WP_STEP_BLOCK (100 * WP_NS_PER_MS)
/* In more parts than this a trace is not cut. */
#define WP_STEPS_MAX 16u

/* Whether drift alone explains a settled pair's packets badly or not at all. */
gboolean wp_steps_suspected(const WpPair *pair);
/*
 * Appends the steps (WpStep) of a pair: looked for around the rate `line` of all its packets, and,
 * with all the drift that the prior allows, around `centre`. FALSE, and none appended, when there
 * are none, or so many that they are no steps. Here and below pairs hold their points in blocks
 * of WP_STEP_BLOCK: across a step a point would hide others that are true.
 */
gboolean wp_steps_find(const WpPair *pair, gint64 line, gint64 centre, GArray *steps);
/*
 * The cuts of `n` hosts from the steps of all pairs among them (pairs: n_all * n_all, of
 * (a, b) with a < b): appended to cuts[host] (WpCut) for each of `hosts`, sorted, and as
 * many for each. FALSE, and none appended, when it can't be said when they were for some host, or when a
 * clock would be set back by more than a second.
 */
gboolean wp_steps_cut(GArray *steps, WpPair *const *pairs, guint n_all, const guint *hosts, guint n,
		      GArray *const *cuts);
/* The part of a host's time, from 0, that a time lies in; WP_NONE too near to a cut to say. */
guint wp_steps_part(const GArray *cuts, WpTime time);

G_END_DECLS

#endif
