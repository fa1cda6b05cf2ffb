/* SPDX-License-Identifier: MIT */
/* cancel.c: see cancel.h. */
#include "config.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include "base/cancel.h"

WpCancel *wp_cancel_new(void)
{
	WpCancel *cancel = g_new(WpCancel, 1);

	atomic_init(&cancel->n_references, 1);
	atomic_init(&cancel->is_set, FALSE);
	atomic_init(&cancel->fd, -1);
	return cancel;
}

WpCancel *wp_cancel_ref(WpCancel *cancel)
{
	atomic_fetch_add(&cancel->n_references, 1);
	return cancel;
}

void wp_cancel_unref(WpCancel *cancel)
{
	int fd;

	if (!cancel || atomic_fetch_sub(&cancel->n_references, 1) > 1)
		return;
	fd = atomic_load(&cancel->fd);
	if (fd >= 0)
		close(fd);
	g_free(cancel);
}

/* Nobody reads, so once is enough; a second time, by who was quicker, only adds to the count. */
static void make_readable(int fd)
{
	(void)eventfd_write(fd, 1);
}

void wp_cancel_set(WpCancel *cancel)
{
	int fd;

	if (atomic_exchange(&cancel->is_set, TRUE))
		return;
	fd = atomic_load(&cancel->fd);
	if (fd >= 0)
		make_readable(fd);
}

int wp_cancel_get_fd(WpCancel *cancel)
{
	int fd = atomic_load(&cancel->fd), made;

	if (fd >= 0)
		return fd;
	made = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (made < 0)
		return -1;
	if (!atomic_compare_exchange_strong(&cancel->fd, &fd, made)) {
		/* Another thread has made one meanwhile. */
		close(made);
		return fd;
	}
	/* Who sets it from here on sees the descriptor; who did before is seen here. */
	if (atomic_load(&cancel->is_set))
		make_readable(made);
	return made;
}
