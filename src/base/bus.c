/* SPDX-License-Identifier: MIT */
/*
 * bus.c: a page of zeros where a file has ended.
 *
 * The handler maps the page in place, so that the instruction that failed succeeds when it is
 * run again; it calls nothing but mmap(), which is a plain system call.
 */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/bus.h"
#include "base/error.h"

/* A signal handler has no other way to know anything: set once, then only counted. */
static atomic_uint n_faults;
static gsize page_size;

static void on_bus_error(int number, siginfo_t *info, void *context)
{
	const gint saved = errno;
	void *page = (void *)((guintptr)info->si_addr & ~(guintptr)(page_size - 1));

	(void)context;
	if (info->si_code == BUS_ADRERR &&
	    mmap(page, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		 -1, 0) != MAP_FAILED) {
		atomic_fetch_add_explicit(&n_faults, 1, memory_order_relaxed);
		errno = saved;
		return;
	}
	/* Something else: it happens again at once, and ends the program. */
	signal(number, SIG_DFL);
}

void wp_bus_guard(void)
{
	struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};

	page_size = (gsize)sysconf(_SC_PAGESIZE);
	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, NULL);
}

guint wp_bus_n_faults(void)
{
	return atomic_load_explicit(&n_faults, memory_order_relaxed);
}

gboolean wp_bus_check(guint n_before, GError **error)
{
	if (wp_bus_n_faults() == n_before)
		return TRUE;
	g_set_error_literal(error, WP_ERROR, WP_ERROR_FAILED,
			    "A file was cut short while it was being read, so nothing of it can be "
			    "told; try again when nobody writes to the traces.");
	return FALSE;
}
