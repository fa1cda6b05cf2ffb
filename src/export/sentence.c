/* SPDX-License-Identifier: MIT */
/*
 * sentence.c: the path's time is dealt out to claimants: the task's own CPU time,
 * its wait for a CPU, each other kind of wait of its own, and every group of other
 * tasks of one name on one host. The greatest is what the sentence says; only for
 * that one are the causes of its segments looked at.
 */
#include "config.h"

#include "base/intmap.h"
#include "export/describe.h"
#include "export/sentence.h"
#include "export/units.h"

typedef enum { CLAIM_OWN_CPU, CLAIM_CPU_WAIT, CLAIM_OWN_WAIT, CLAIM_OTHERS } ClaimKind;

typedef struct {
	ClaimKind kind;
	WpState state; /* of CLAIM_OWN_WAIT */
	guint32 host;
	WpId task; /* of CLAIM_OTHERS: the one with most of it, whose total is the next */
	const WpTaskTotal *most; /* borrowed; else NULL */
	guint n_tasks; /* of this name */
	WpTime time;
	WpTime by_state[WP_STATE_N];
} Claim;

/* What is worth naming behind the first, and how many of these. */
#define NEXT_SHARE_MIN 20 /* one part in so many */
#define NEXT_MAX 2

static gboolean is_cpu(WpState state)
{
	return state == WP_STATE_RUNNING || state == WP_STATE_IRQ || state == WP_STATE_SOFTIRQ;
}

static gboolean is_cpu_wait(WpState state)
{
	return state == WP_STATE_RUNNABLE || state == WP_STATE_PREEMPTED;
}

/* ---- dealing out ---- */

static void claim_own(GArray *claims, const WpTaskTotal *own)
{
	Claim cpu = {.kind = CLAIM_OWN_CPU, .host = own->host, .task = own->task};
	Claim wait = {.kind = CLAIM_CPU_WAIT, .host = own->host, .task = own->task};

	for (guint state = 0; state < WP_STATE_N; state++) {
		WpTime time = own->by_state[state];

		if (is_cpu(state)) {
			cpu.by_state[state] = time;
			cpu.time += time;
		} else if (is_cpu_wait(state)) {
			wait.by_state[state] = time;
			wait.time += time;
		} else if (time > 0) {
			Claim other = {.kind = CLAIM_OWN_WAIT,
				       .state = state,
				       .host = own->host,
				       .task = own->task,
				       .time = time};

			g_array_append_val(claims, other);
		}
	}
	if (cpu.time > 0)
		g_array_append_val(claims, cpu);
	if (wait.time > 0)
		g_array_append_val(claims, wait);
}

/* groups: what tasks of one name have in common -> their claim. */
static void claim_others(GArray *claims, WpIntMap *groups, const WpTaskTotal *task,
			 const WpGraph *graph)
{
	guint32 at = wp_intmap_add(groups, wp_task_total_group(task, graph), claims->len);

	if (at == claims->len) {
		Claim new = {.kind = CLAIM_OTHERS, .most = task, .host = task->host};

		g_array_append_val(claims, new);
	}

	Claim *claim = &g_array_index(claims, Claim, at);

	if (wp_task_total_compare(task, claim->most) <= 0) {
		claim->most = task;
		claim->task = task->task;
	}
	claim->n_tasks++;
	claim->time += task->time;
	for (guint state = 0; state < WP_STATE_N; state++)
		claim->by_state[state] += task->by_state[state];
}

static gint compare_claims(gconstpointer a, gconstpointer b)
{
	const Claim *x = a, *y = b;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->state != y->state)
		return x->state < y->state ? -1 : 1;
	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	return x->task < y->task ? -1 : x->task > y->task;
}

static GArray *deal_out(const WpPath *path, const WpGraph *graph, const WpTotals *totals)
{
	GArray *claims = g_array_new(FALSE, FALSE, sizeof(Claim));
	WpIntMap groups;

	wp_intmap_init(&groups);
	for (guint i = 0; i < totals->tasks->len; i++) {
		const WpTaskTotal *task = &g_array_index(totals->tasks, WpTaskTotal, i);

		if (task->host == path->host && task->task == path->task)
			claim_own(claims, task);
		else
			claim_others(claims, &groups, task, graph);
	}
	wp_intmap_clear(&groups);
	g_array_sort(claims, compare_claims);
	return claims;
}

/* ---- what most of a wait was for ---- */

/* Who had the CPU longest while the path's own task waited for one. */
static gchar *cpu_wait_words(const WpPath *path, WpGraph *graph)
{
	g_autoptr(GHashTable) times = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	WpCauseInfo info;
	WpTime idle = 0, most = 0;
	WpId who = WP_NONE;
	WpText text;

	wp_cause_info_init(&info);
	for (guint i = 0; i < path->segments.n; i++) {
		const WpSegment *s = wp_path_segment(path, i);

		if (s->host != path->host || s->task != path->task || !is_cpu_wait(s->state))
			continue;
		wp_cause_info_fill(&info, graph, s);
		idle += info.idle;
		for (guint j = 0; j < info.preemptors->len; j++) {
			const WpPreemptor *p = &g_array_index(info.preemptors, WpPreemptor, j);
			gpointer key = GUINT_TO_POINTER(p->task);
			WpTime *time = g_hash_table_lookup(times, key);

			if (!time)
				g_hash_table_insert(times, key, time = g_new0(WpTime, 1));
			*time += p->time;
			if (*time > most) {
				most = *time;
				who = p->task;
			}
		}
	}
	wp_cause_info_clear(&info);
	if (idle > most)
		return g_strdup_printf("waiting for a CPU that was idle for %s of it",
				       wp_duration_text(&text, idle));
	if (who == WP_NONE)
		return g_strdup("waiting for a CPU");

	WpActor actor;

	wp_actor_init(&actor, graph, path->host, who, WP_TIME_MAX);
	return g_strdup_printf("waiting for a CPU, which %s (%d) had for %s", actor.comm, actor.tid,
			       wp_duration_text(&text, most));
}

/*
 * What one segment of a wait is for: as the whole answer ("waiting for the disk vda") and as a
 * part of it ("for the disk vda"). Both owned by the caller; FALSE when there is nothing to add.
 */
static gboolean wait_object(const WpCauseInfo *info, WpState state, gchar **ret_whole,
			    gchar **ret_part)
{
	const gchar *verb = "waiting";
	gchar *part = NULL;

	if (state == WP_STATE_DISK && info->device) {
		part = g_strdup_printf("for the disk %s", info->device);
	} else if (state == WP_STATE_TIMER && info->syscall) {
		part = g_strdup_printf("in %s()", info->syscall);
		verb = "asleep until a timer";
	} else if (state == WP_STATE_NETWORK && *info->peer) {
		part = g_strdup_printf("for %s, whose host is not traced", info->peer);
	} else if (state == WP_STATE_NETWORK && info->from.host != WP_NONE && !info->local) {
		part = g_strdup_printf("for packets from %s", info->from.host_name);
	} else if (state == WP_STATE_BLOCKED && info->name) {
		part = g_strdup_printf("until the %s %s", wp_cause_kind_key(info->kind),
				       info->name);
		verb = "blocked";
	} else if (state == WP_STATE_BLOCKED && info->syscall) {
		part = g_strdup_printf("in %s(), on what the trace does not explain",
				       info->syscall);
		verb = "blocked";
	}
	if (!part)
		return FALSE;
	*ret_whole = g_strdup_printf("%s %s", verb, part);
	*ret_part = part;
	return TRUE;
}

static const gchar *wait_words(WpState state)
{
	switch (state) {
	case WP_STATE_TIMER:
		return "asleep until a timer";
	case WP_STATE_BLOCKED:
		return "blocked, on what the trace does not explain";
	case WP_STATE_LOST:
		return "where events were lost";
	case WP_STATE_UNKNOWN:
		return "in a state that the trace does not tell";
	default:
		return wp_state_words(state);
	}
}

/* What the waits of a claim were for, and how long each. */
typedef struct {
	gchar *whole, *part; /* owned */
	WpTime time;
} Object;

static void object_free(gpointer data)
{
	Object *object = data;

	g_free(object->whole);
	g_free(object->part);
	g_free(object);
}

static void add_object(GHashTable *objects, gchar *whole, gchar *part, WpTime time)
{
	Object *object = g_hash_table_lookup(objects, whole);

	if (object) {
		g_free(whole);
		g_free(part);
	} else {
		object = g_new0(Object, 1);
		object->whole = whole;
		object->part = part;
		g_hash_table_insert(objects, whole, object);
	}
	object->time += time;
}

static const Object *greatest_object(GHashTable *objects)
{
	const Object *greatest = NULL;
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, objects);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const Object *object = value;

		/* Of equals the first by name, so that the answer is always the same. */
		if (!greatest || object->time > greatest->time ||
		    (object->time == greatest->time &&
		     g_strcmp0(object->whole, greatest->whole) < 0))
			greatest = object;
	}
	return greatest;
}

static gboolean is_of_claim(const Claim *claim, const WpPath *path, const WpSegment *s,
			    const WpGraph *graph)
{
	const WpHost *host = graph->hosts[s->host];

	if (claim->kind != CLAIM_OTHERS)
		return s->host == path->host && s->task == path->task;
	return s->host == claim->host &&
	       wp_host_task(host, s->task)->comm == wp_host_task(host, claim->task)->comm;
}

/* What the claimant's waits of one kind were for; Object by its whole words. Owned by the caller. */
static GHashTable *objects_of(const Claim *claim, WpState state, const WpPath *path, WpGraph *graph)
{
	GHashTable *objects = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, object_free);
	WpCauseInfo info;

	wp_cause_info_init(&info);
	for (guint i = 0; i < path->segments.n; i++) {
		const WpSegment *s = wp_path_segment(path, i);
		gchar *whole, *part;

		if (s->state != state || !is_of_claim(claim, path, s, graph))
			continue;
		wp_cause_info_fill(&info, graph, s);
		if (wait_object(&info, s->state, &whole, &part))
			add_object(objects, whole, part, s->end - s->begin);
	}
	wp_cause_info_clear(&info);
	return objects;
}

static gchar *own_wait_words(const Claim *claim, const WpPath *path, WpGraph *graph)
{
	g_autoptr(GHashTable) objects = objects_of(claim, claim->state, path, graph);
	const Object *most = greatest_object(objects);
	WpText text;

	/* Nearly all: say it alone. A good part: say how much. Little: nothing. */
	if (most && most->time > claim->time - claim->time / 10)
		return g_strdup(most->whole);
	if (most && most->time > claim->time / 3)
		return g_strdup_printf("%s, %s of it %s", wait_words(claim->state),
				       wp_duration_text(&text, most->time), most->part);
	return g_strdup(wait_words(claim->state));
}

/* ---- the sentence ---- */

static gchar *claim_name(const Claim *claim, const WpGraph *graph)
{
	WpActor actor;

	wp_actor_init(&actor, graph, claim->host, claim->task, WP_TIME_MAX);

	g_autofree gchar *name = wp_actor_dup_text(&actor, graph);

	if (claim->n_tasks > 1)
		return g_strdup_printf("%u tasks called %s", claim->n_tasks, name);
	return g_steal_pointer(&name);
}

/* "which waited 375 ms for the disk vda": what for, when that is known of nearly all of it. */
static gchar *others_waited(const Claim *claim, WpState state, WpTime time, const WpPath *path,
			    WpGraph *graph)
{
	g_autoptr(GHashTable) objects = objects_of(claim, state, path, graph);
	const Object *most = greatest_object(objects);
	WpText text;

	return g_strdup_printf("which waited %s %s", wp_duration_text(&text, time),
			       most && most->time > time - time / 10 ? most->part
			       : state == WP_STATE_DISK              ? "for a disk"
								     : "for the network");
}

/* "which was running for 402 ms": what the others did with most of the time. */
static gchar *others_did(const Claim *claim, const WpPath *path, WpGraph *graph)
{
	WpTime sums[WP_STATE_N] = {0};
	WpState order[WP_STATE_N];
	const gchar *was = claim->n_tasks > 1 ? "were" : "was";
	WpText text;

	/* Interrupts come on top of running; both waits for a CPU are one. */
	for (guint state = 0; state < WP_STATE_N; state++)
		sums[is_cpu(state)        ? WP_STATE_RUNNING
		     : is_cpu_wait(state) ? WP_STATE_RUNNABLE
					  : state] += claim->by_state[state];
	if (wp_states_by_time(sums, order) == 0)
		return g_strdup("which took no time");

	const gchar *time = wp_duration_text(&text, sums[order[0]]);

	switch (order[0]) {
	case WP_STATE_RUNNING:
		return g_strdup_printf("which %s running for %s", was, time);
	case WP_STATE_RUNNABLE:
		return g_strdup_printf("which waited %s for a CPU", time);
	case WP_STATE_TIMER:
		return g_strdup_printf("which slept for %s until a timer", time);
	case WP_STATE_DISK:
	case WP_STATE_NETWORK:
		return others_waited(claim, order[0], sums[order[0]], path, graph);
	default:
		return g_strdup_printf("which %s %s for %s", was, wp_state_words(order[0]), time);
	}
}

/*
 * The system call in which the path's own task waited for most of the claimant's time, NULL when
 * system calls were not traced or it is not one call mostly. Owned by the caller.
 */
static gchar *others_syscall(const Claim *claim, const WpPath *path, const WpGraph *graph)
{
	g_autoptr(GHashTable) times = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	const gchar *call = NULL, *last = NULL;
	const WpSegment *own = NULL;
	WpTime *time = NULL;

	/* Backwards in time: what follows a wait tells in which call it was. */
	for (guint i = path->segments.n; i-- > 0;) {
		const WpSegment *s = wp_path_segment(path, i);

		if (s->depth == 0) {
			own = s;
			continue;
		}
		if (!is_of_claim(claim, path, s, graph))
			continue;
		if (own) {
			call = wp_segment_wait_syscall(graph, own);
			own = NULL;
		}
		if (!call)
			continue;
		if (call != last)
			time = g_hash_table_lookup(times, call);
		if (!time)
			g_hash_table_insert(times, (gpointer)call, time = g_new0(WpTime, 1));
		last = call;
		*time += s->end - s->begin;
		if (*time > claim->time / 3 * 2) /* no other one can have as much */
			return g_strdup(call);
	}
	return NULL;
}

static gchar *main_words(const Claim *claim, const WpPath *path, WpGraph *graph)
{
	WpTime stolen = claim->by_state[WP_STATE_IRQ] + claim->by_state[WP_STATE_SOFTIRQ];
	WpText text;

	switch (claim->kind) {
	case CLAIM_OWN_CPU:
		if (stolen > claim->time / 20)
			return g_strdup_printf("on a CPU itself, %s of it taken by interrupts",
					       wp_duration_text(&text, stolen));
		return g_strdup("running itself");
	case CLAIM_CPU_WAIT:
		return cpu_wait_words(path, graph);
	case CLAIM_OWN_WAIT:
		return own_wait_words(claim, path, graph);
	case CLAIM_OTHERS:
		break;
	}

	g_autofree gchar *name = claim_name(claim, graph);
	g_autofree gchar *did = others_did(claim, path, graph);
	g_autofree gchar *call = others_syscall(claim, path, graph);

	return g_strdup_printf("waiting %s%s%sfor %s, %s", call ? "in " : "", call ? call : "",
			       call ? "() " : "", name, did);
}

/* A claimant behind the first, as a noun. */
static gchar *short_words(const Claim *claim, const WpGraph *graph)
{
	switch (claim->kind) {
	case CLAIM_OWN_CPU:
		return g_strdup("its own CPU time");
	case CLAIM_CPU_WAIT:
		return g_strdup("waiting for a CPU");
	case CLAIM_OTHERS:
		return claim_name(claim, graph);
	case CLAIM_OWN_WAIT:
		break;
	}
	switch (claim->state) {
	case WP_STATE_TIMER:
		return g_strdup("timers");
	case WP_STATE_DISK:
		return g_strdup("the disk");
	case WP_STATE_NETWORK:
		return g_strdup("the network");
	case WP_STATE_BLOCKED:
		return g_strdup("unexplained waits");
	case WP_STATE_LOST:
		return g_strdup("lost events");
	case WP_STATE_UNKNOWN:
		return g_strdup("unknown time");
	default:
		return g_strdup(wp_state_words(claim->state));
	}
}

static void append_next(GString *sentence, const GArray *claims, const WpGraph *graph, WpTime whole)
{
	guint n = 0;
	WpText share;

	while (n < NEXT_MAX && n + 1 < claims->len &&
	       g_array_index(claims, Claim, n + 1).time > whole / NEXT_SHARE_MIN)
		n++;
	if (n > 0)
		g_string_append(sentence, "; then ");
	for (guint i = 1; i <= n; i++) {
		const Claim *claim = &g_array_index(claims, Claim, i);
		g_autofree gchar *words = short_words(claim, graph);

		g_string_append_printf(sentence, "%s%s (%s)", i > 1 ? " and " : "", words,
				       wp_share_words(&share, claim->time, whole));
	}
}

gchar *wp_path_dup_sentence(const WpPath *path, WpGraph *graph, const WpTotals *totals)
{
	g_autoptr(GArray) claims = deal_out(path, graph, totals);
	GString *sentence = g_string_new(NULL);
	WpText share, whole;
	WpActor self;

	wp_actor_init(&self, graph, path->host, path->task, WP_TIME_MAX);
	if (claims->len == 0) { /* an empty window: nothing to deal out */
		g_string_append_printf(sentence, "%s has no time in this window.", self.comm);
		return g_string_free(sentence, FALSE);
	}

	const Claim *first = &g_array_index(claims, Claim, 0);
	g_autofree gchar *words = main_words(first, path, graph);

	g_string_append_printf(sentence, "%s spent %s of %s %s", self.comm,
			       wp_share_words(&share, first->time, totals->time),
			       wp_duration_text(&whole, totals->time), words);
	append_next(sentence, claims, graph, totals->time);
	g_string_append_c(sentence, '.');
	return g_string_free(sentence, FALSE);
}
