/* SPDX-License-Identifier: MIT */
/* tournament.c: begin and end of a tournament. */
#include "config.h"

#include "event/tournament.h"

void wp_tournament_init(WpTournament *tournament, guint32 n)
{
	guint bits = 0;

	while (((guint64)1 << bits) < n)
		bits++;
	*tournament = (WpTournament){.losers = g_new0(guint64, (gsize)1 << bits),
				     .base = WP_TIME_MIN,
				     .far = (G_MAXUINT64 >> bits) - 1,
				     .n_leaves = 1u << bits,
				     .bits = bits};
}

void wp_tournament_clear(WpTournament *tournament)
{
	g_free(tournament->losers);
}

void wp_tournament_play(WpTournament *tournament, const guint64 *keys)
{
	const guint32 n = tournament->n_leaves;
	g_autofree guint64 *winners = g_new(guint64, 2 * (gsize)n);

	for (guint32 i = 0; i < n; i++)
		winners[n + i] = keys[i];
	for (guint32 node = n - 1; node >= 1; node--) {
		const guint64 left = winners[2 * node], right = winners[2 * node + 1];

		winners[node] = MIN(left, right);
		tournament->losers[node] = MAX(left, right);
	}
	tournament->winner = winners[1];
}
