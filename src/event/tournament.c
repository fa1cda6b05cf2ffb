/* SPDX-License-Identifier: MIT */
/* tournament.c: begin and end of a tournament. */
#include "config.h"

#include "event/tournament.h"

void wp_tournament_init(WpTournament *tournament, guint32 n)
{
	guint32 n_leaves = 1;

	while (n_leaves < n)
		n_leaves *= 2;
	*tournament = (WpTournament){.times = g_new(WpTime, n_leaves),
				     .losers = g_new0(guint32, n_leaves),
				     .n_leaves = n_leaves};
	for (guint32 i = 0; i < n_leaves; i++)
		tournament->times[i] = WP_TOURNAMENT_NEVER;
}

void wp_tournament_clear(WpTournament *tournament)
{
	g_free(tournament->times);
	g_free(tournament->losers);
}

void wp_tournament_play(WpTournament *tournament)
{
	const guint32 n = tournament->n_leaves;
	g_autofree guint32 *winners = g_new(guint32, 2 * (gsize)n);

	for (guint32 i = 0; i < n; i++)
		winners[n + i] = i;
	for (guint32 node = n - 1; node >= 1; node--) {
		const guint32 left = winners[2 * node], right = winners[2 * node + 1];
		const gboolean is_right = tournament->times[right] < tournament->times[left];

		winners[node] = is_right ? right : left;
		tournament->losers[node] = is_right ? left : right;
	}
	tournament->winner = winners[1];
}
