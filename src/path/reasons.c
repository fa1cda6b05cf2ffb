/* SPDX-License-Identifier: MIT */
/*
 * reasons.c: means of two classes of requests, and their bootstrap.
 *
 * The bootstrap draws requests with replacement from each class and takes the
 * difference of the means anew, N_DRAWS times; the middle 95 % of these differences
 * are the interval. It looks only at the reasons that will be told.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "path/reasons.h"

#define N_DRAWS 1000u
/* Of larger classes every k-th request is drawn from, which makes intervals wider, never narrower. */
#define CLASS_MAX 4000u

/* The requests of one class, and what they have of each reason. */
typedef struct {
	const WpRequests *requests; /* borrowed */
	guint32 *members; /* owned: indexes of requests */
	guint n;
	gdouble *sums; /* owned: ns, by group */
	gdouble duration; /* ns: sum */
} Class;

static WpRequest *request_at(const WpRequests *requests, guint i)
{
	return &g_array_index(requests->requests, WpRequest, i);
}

static gint compare_times(gconstpointer a, gconstpointer b)
{
	WpTime x = *(const WpTime *)a, y = *(const WpTime *)b;

	return x < y ? -1 : x > y;
}

gboolean wp_requests_find_split(const WpRequests *requests, WpTime *ret_split)
{
	guint n = requests->requests->len;
	g_autofree WpTime *times = g_new(WpTime, n);
	gdouble total = 0, below = 0, best = 0;

	for (guint i = 0; i < n; i++) {
		times[i] = wp_request_duration(request_at(requests, i));
		total += (gdouble)times[i];
	}
	if (n)
		qsort(times, n, sizeof(*times), compare_times);
	for (guint i = 1; i < n; i++) {
		below += (gdouble)times[i - 1];
		if (times[i] == times[i - 1])
			continue;
		gdouble gap = (total - below) / (n - i) - below / i;
		gdouble variance = gap * gap * i * (n - i);

		if (variance > best) {
			best = variance;
			*ret_split = times[i - 1] + (times[i] - times[i - 1]) / 2;
		}
	}
	return best > 0;
}

static void class_init(Class *class, const WpRequests *requests)
{
	class->requests = requests;
	class->members = g_new(guint32, requests->requests->len);
	class->n = 0;
	class->sums = g_new0(gdouble, wp_breakdown_n_groups(requests->breakdown));
	class->duration = 0;
}

static void class_clear(Class *class)
{
	g_free(class->members);
	g_free(class->sums);
}

static void class_add(Class *class, guint i)
{
	const WpRequest *request = request_at(class->requests, i);

	class->members[class->n++] = i;
	class->duration += (gdouble)wp_request_duration(request);
	for (guint j = 0; j < request->n_amounts; j++) {
		const WpBreakdownRow *row = wp_breakdown_row(
			class->requests->breakdown,
			wp_request_amount(class->requests, request, j)->row);

		class->sums[row->group] +=
			(gdouble)wp_request_amount(class->requests, request, j)->time;
	}
}

static gint compare_reasons(gconstpointer a, gconstpointer b)
{
	const WpReason *x = a, *y = b;

	if (fabs(x->difference) != fabs(y->difference))
		return fabs(x->difference) > fabs(y->difference) ? -1 : 1;
	return x->group < y->group ? -1 : 1;
}

static void find_reasons(WpReasons *reasons, const Class *slow, const Class *fast)
{
	guint n_groups = wp_breakdown_n_groups(slow->requests->breakdown);

	for (guint32 group = 0; group < n_groups; group++) {
		WpReason reason = {
			.group = group,
			.slow = slow->sums[group] / slow->n,
			.fast = fast->sums[group] / fast->n,
		};

		reason.difference = reason.slow - reason.fast;
		reason.share = reason.difference / reasons->difference;
		if (reason.slow != 0 || reason.fast != 0)
			g_array_append_val(reasons->reasons, reason);
	}
	g_array_sort(reasons->reasons, compare_reasons);
	if (reasons->reasons->len > WP_REASONS_MAX)
		g_array_set_size(reasons->reasons, WP_REASONS_MAX);
}

/* ---------------------------------------------------------------- bootstrap */

/* SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): small, and the same everywhere. */
static guint64 next_random(guint64 *state)
{
	guint64 z = (*state += G_GUINT64_CONSTANT(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* A dense table: what each request drawn from has of each reason. */
typedef struct {
	gfloat *times; /* owned: n rows of n_reasons, ns */
	guint n, n_reasons;
} Sample;

static void sample_init(Sample *sample, const Class *class, const WpReasons *reasons,
			const guint32 *reason_of_group)
{
	guint step = (class->n + CLASS_MAX - 1) / CLASS_MAX;

	sample->n = class->n / step;
	sample->n_reasons = reasons->reasons->len;
	sample->times = g_new0(gfloat, (gsize)sample->n * sample->n_reasons);
	for (guint i = 0; i < sample->n; i++) {
		const WpRequest *request = request_at(class->requests, class->members[i * step]);

		for (guint j = 0; j < request->n_amounts; j++) {
			guint32 group = wp_breakdown_row(
						class->requests->breakdown,
						wp_request_amount(class->requests, request, j)->row)
						->group;

			if (reason_of_group[group] != WP_NONE)
				sample->times[(gsize)i * sample->n_reasons +
					      reason_of_group[group]] +=
					(gfloat)wp_request_amount(class->requests, request, j)
						->time;
		}
	}
}

/* Adds sign times the mean of as many requests as there are, drawn with replacement. */
static void draw(const Sample *sample, guint64 *random, gdouble sign, gdouble *means)
{
	for (guint i = 0; i < sample->n; i++) {
		const gfloat *times = sample->times +
				      next_random(random) % sample->n * (gsize)sample->n_reasons;

		for (guint j = 0; j < sample->n_reasons; j++)
			means[j] += sign * (gdouble)times[j] / sample->n;
	}
}

static gint compare_doubles(gconstpointer a, gconstpointer b)
{
	gdouble x = *(const gdouble *)a, y = *(const gdouble *)b;

	return x < y ? -1 : x > y;
}

static void bootstrap(WpReasons *reasons, const Class *slow, const Class *fast)
{
	guint n_groups = wp_breakdown_n_groups(slow->requests->breakdown);
	guint n = reasons->reasons->len;
	g_autofree guint32 *reason_of_group = g_new(guint32, n_groups);
	g_autofree gdouble *differences = g_new(gdouble, N_DRAWS * (gsize)n);
	g_autofree gdouble *means = g_new(gdouble, n);
	guint64 random = 1;
	Sample samples[2];

	for (guint i = 0; i < n_groups; i++)
		reason_of_group[i] = WP_NONE;
	for (guint i = 0; i < n; i++)
		reason_of_group[g_array_index(reasons->reasons, WpReason, i).group] = i;
	sample_init(&samples[0], slow, reasons, reason_of_group);
	sample_init(&samples[1], fast, reasons, reason_of_group);
	for (guint i = 0; i < N_DRAWS; i++) {
		for (guint j = 0; j < n; j++)
			means[j] = 0;
		draw(&samples[0], &random, 1, means);
		draw(&samples[1], &random, -1, means);
		for (guint j = 0; j < n; j++)
			differences[j * (gsize)N_DRAWS + i] = means[j];
	}
	for (guint j = 0; j < n; j++) {
		WpReason *reason = &g_array_index(reasons->reasons, WpReason, j);
		gdouble *sorted = differences + j * (gsize)N_DRAWS;

		qsort(sorted, N_DRAWS, sizeof(*sorted), compare_doubles);
		reason->low = sorted[N_DRAWS / 40];
		reason->high = sorted[N_DRAWS - 1 - N_DRAWS / 40];
	}
	g_free(samples[0].times);
	g_free(samples[1].times);
}

WpReasons *wp_reasons_compute(const WpRequests *requests, WpTime split)
{
	WpReasons *reasons = NULL;
	Class slow, fast;

	class_init(&slow, requests);
	class_init(&fast, requests);
	for (guint i = 0; i < requests->requests->len; i++)
		class_add(wp_request_duration(request_at(requests, i)) > split ? &slow : &fast, i);
	if (slow.n && fast.n) {
		reasons = g_new0(WpReasons, 1);
		reasons->split = split;
		reasons->n_slow = slow.n;
		reasons->n_fast = fast.n;
		reasons->difference = slow.duration / slow.n - fast.duration / fast.n;
		reasons->reasons = g_array_new(FALSE, FALSE, sizeof(WpReason));
		find_reasons(reasons, &slow, &fast);
		bootstrap(reasons, &slow, &fast);
	}
	class_clear(&slow);
	class_clear(&fast);
	return reasons;
}

void wp_reasons_free(WpReasons *reasons)
{
	if (!reasons)
		return;
	g_array_unref(reasons->reasons);
	g_free(reasons);
}
