/* SPDX-License-Identifier: MIT */
/*
 * thread.h: the few means by which threads of this library meet: pthread mutexes
 * and conditions, which helgrind and TSan understand (GLib's futex-based ones are
 * invisible to them and give false reports).
 */
#ifndef WP_BASE_THREAD_H
#define WP_BASE_THREAD_H

#include <glib.h>
#include <pthread.h>

G_BEGIN_DECLS

typedef pthread_mutex_t WpMutex;
typedef pthread_cond_t WpCond;

#define WP_MUTEX_INIT PTHREAD_MUTEX_INITIALIZER

/* None of these can fail on a mutex or condition that was initialised and not destroyed. */
static inline void wp_mutex_init(WpMutex *mutex)
{
	pthread_mutex_init(mutex, NULL);
}

static inline void wp_mutex_clear(WpMutex *mutex)
{
	pthread_mutex_destroy(mutex);
}

static inline void wp_mutex_lock(WpMutex *mutex)
{
	pthread_mutex_lock(mutex);
}

static inline void wp_mutex_unlock(WpMutex *mutex)
{
	pthread_mutex_unlock(mutex);
}

static inline void wp_cond_init(WpCond *cond)
{
	pthread_cond_init(cond, NULL);
}

static inline void wp_cond_clear(WpCond *cond)
{
	pthread_cond_destroy(cond);
}

static inline void wp_cond_wait(WpCond *cond, WpMutex *mutex)
{
	pthread_cond_wait(cond, mutex);
}

static inline void wp_cond_signal(WpCond *cond)
{
	pthread_cond_signal(cond);
}

static inline void wp_cond_broadcast(WpCond *cond)
{
	pthread_cond_broadcast(cond);
}

/* A joinable thread with the default attributes; FALSE when the system has no more. */
static inline gboolean wp_thread_start(pthread_t *ret_thread, void *(*func)(void *), void *data)
{
	return pthread_create(ret_thread, NULL, func, data) == 0;
}

G_END_DECLS

#endif
