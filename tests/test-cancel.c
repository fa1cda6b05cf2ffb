/* SPDX-License-Identifier: MIT */
/* test-cancel.c: a cancellable is set once and for all, and wakes who waits for its descriptor. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>

#include "base/cancel.h"
#include "base/thread.h"

#define ROUNDS 2000
/* Never waited for: long enough that only a failure is seen to last. */
#define TOO_LONG_MS 60000

static gboolean is_readable(int fd, int ms)
{
	struct pollfd room = {.fd = fd, .events = POLLIN};

	return poll(&room, 1, ms) == 1 && room.revents == POLLIN;
}

static void test_none(void)
{
	g_assert_false(wp_cancel_is_cancelled(NULL));
	wp_cancel_unref(NULL);
}

static void test_set(void)
{
	g_autoptr(WpCancel) cancel = wp_cancel_new();

	g_assert_false(wp_cancel_is_cancelled(cancel));
	for (guint i = 0; i < 3; i++) {
		wp_cancel_set(cancel);
		g_assert_true(wp_cancel_is_cancelled(cancel));
	}
}

/* One descriptor, whether it is asked for before or after. */
static void test_descriptor(void)
{
	for (guint before = 0; before < 2; before++) {
		g_autoptr(WpCancel) cancel = wp_cancel_new();
		const int fd = before ? wp_cancel_get_fd(cancel) : -1;

		if (before) {
			g_assert_cmpint(fd, >=, 0);
			g_assert_false(is_readable(fd, 0));
		}
		wp_cancel_set(cancel);
		g_assert_true(is_readable(wp_cancel_get_fd(cancel), 0));
		if (before)
			g_assert_cmpint(wp_cancel_get_fd(cancel), ==, fd);
		/* It stays so. */
		wp_cancel_set(cancel);
		g_assert_true(is_readable(wp_cancel_get_fd(cancel), 0));
	}
}

/* The last reference closes the descriptor, which no other program gets. */
static void test_references(void)
{
	WpCancel *cancel = wp_cancel_new();
	const int fd = wp_cancel_get_fd(cancel);

	g_assert_true(wp_cancel_ref(cancel) == cancel);
	wp_cancel_unref(cancel);
	g_assert_cmpint(fcntl(fd, F_GETFD), ==, FD_CLOEXEC);
	wp_cancel_unref(cancel);
	g_assert_cmpint(fcntl(fd, F_GETFD), ==, -1);
	g_assert_cmpint(errno, ==, EBADF);
}

typedef struct {
	WpCancel *cancel; /* reference */
	int fd; /* the cancellable's */
	gboolean woken;
} Waiter;

static void *wait_for_it(void *data)
{
	Waiter *waiter = data;

	waiter->fd = wp_cancel_get_fd(waiter->cancel);
	waiter->woken = is_readable(waiter->fd, TOO_LONG_MS) &&
			wp_cancel_is_cancelled(waiter->cancel);
	wp_cancel_unref(waiter->cancel);
	return NULL;
}

/*
 * Two threads ask for the descriptor and wait, while a third sets it: whoever comes first, both
 * wait for the same one and are woken.
 */
static void test_wakes(void)
{
	for (guint i = 0; i < ROUNDS; i++) {
		g_autoptr(WpCancel) cancel = wp_cancel_new();
		Waiter waiters[2];
		pthread_t threads[G_N_ELEMENTS(waiters)];

		for (guint t = 0; t < G_N_ELEMENTS(waiters); t++) {
			waiters[t] = (Waiter){.cancel = wp_cancel_ref(cancel), .fd = -1};
			g_assert_true(wp_thread_start(&threads[t], wait_for_it, &waiters[t]));
		}
		wp_cancel_set(cancel);
		for (guint t = 0; t < G_N_ELEMENTS(waiters); t++) {
			g_assert_cmpint(pthread_join(threads[t], NULL), ==, 0);
			g_assert_true(waiters[t].woken);
		}
		g_assert_cmpint(waiters[0].fd, ==, waiters[1].fd);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/cancel/none", test_none);
	g_test_add_func("/cancel/set", test_set);
	g_test_add_func("/cancel/descriptor", test_descriptor);
	g_test_add_func("/cancel/references", test_references);
	g_test_add_func("/cancel/wakes", test_wakes);
	return g_test_run();
}
