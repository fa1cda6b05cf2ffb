/* SPDX-License-Identifier: MIT */
/* interrupt.c: see interrupt.h. */
#include "config.h"

#include <signal.h>
#include <stdatomic.h>

#include "base/interrupt.h"
#include "base/thread.h"

struct WpInterrupt {
	WpCancel *cancellable; /* owned */
	gchar *left; /* owned, NULL */
	sigset_t signals;
	pthread_t thread;
	atomic_int number; /* the first that came, 0 */
	atomic_bool ending; /* the next is no interrupt, but means that the thread may end */
};

static void get_signals(sigset_t *set)
{
	static const gint numbers[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction now;

	sigemptyset(set);
	for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
		/* A blocked signal waits even when it is ignored. */
		if (sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			sigaddset(set, numbers[i]);
}

static void take(WpInterrupt *interrupt, gint number)
{
	if (atomic_load(&interrupt->number))
		wp_interrupt_die(number);
	atomic_store(&interrupt->number, number);
	wp_cancel_set(interrupt->cancellable);
}

static void *watch(void *data)
{
	WpInterrupt *interrupt = data;
	gint number;

	while (sigwait(&interrupt->signals, &number) == 0 && !atomic_load(&interrupt->ending))
		take(interrupt, number);
	return NULL;
}

WpInterrupt *wp_interrupt_begin(void)
{
	static const struct timespec at_once = {0, 0};
	WpInterrupt *interrupt = g_new0(WpInterrupt, 1);
	gint number;

	interrupt->cancellable = wp_cancel_new();
	get_signals(&interrupt->signals);
	/* Wakes the thread at the end; from elsewhere it asks for the end, as without us. */
	sigaddset(&interrupt->signals, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &interrupt->signals, NULL);
	/* What came while they were blocked already is not left to when the thread runs first. */
	number = sigtimedwait(&interrupt->signals, NULL, &at_once);
	if (number > 0)
		take(interrupt, number);
	if (wp_thread_start(&interrupt->thread, watch, interrupt))
		return interrupt;
	pthread_sigmask(SIG_UNBLOCK, &interrupt->signals, NULL);
	wp_cancel_unref(interrupt->cancellable);
	g_free(interrupt);
	return NULL;
}

WpCancel *wp_interrupt_get_cancellable(const WpInterrupt *interrupt)
{
	return interrupt ? interrupt->cancellable : NULL;
}

void wp_interrupt_note(WpInterrupt *interrupt, const gchar *format, ...)
{
	va_list args;

	if (!interrupt)
		return;
	va_start(args, format);
	g_free(interrupt->left);
	interrupt->left = g_strdup_vprintf(format, args);
	va_end(args);
}

gint wp_interrupt_end(WpInterrupt *interrupt, gchar **ret_left)
{
	gint number;

	*ret_left = NULL;
	if (!interrupt)
		return 0;
	atomic_store(&interrupt->ending, TRUE);
	pthread_kill(interrupt->thread, SIGUSR1);
	pthread_join(interrupt->thread, NULL);
	number = atomic_load(&interrupt->number);
	*ret_left = g_steal_pointer(&interrupt->left);
	wp_cancel_unref(interrupt->cancellable);
	g_free(interrupt);
	return number;
}

void wp_interrupt_die(gint number)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, number);
	signal(number, SIG_DFL);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	/* Once will do, but where a debugger holds it back. */
	for (;;)
		raise(number);
}
