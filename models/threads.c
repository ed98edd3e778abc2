/* threads.c -- C11's threads.h over the same primitives as pthread.h. */
#include "model.h"

/* Values of glibc. */
enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };
enum { mtx_plain, mtx_recursive, mtx_timed };
typedef int (*thrd_start_t)(void *);

static int result(int error) {
  switch (error) {
  case 0: return thrd_success;
  case EBUSY: return thrd_busy;
  case ENOMEM: return thrd_nomem;
  case ETIMEDOUT: return thrd_timedout;
  default: return thrd_error;
  }
}

/* The function of a C11 thread returns int. The new thread finds the function under its own number.
 * Creator and thread use atomic sections and atomic accesses, so the table itself never races. */
enum { MAX_THREADS = 65 };
static thrd_start_t starts[MAX_THREADS];

static void *run(void *argument) {
  uintptr_t self = __proviso_thread_self();
  thrd_start_t start = __atomic_exchange_n(&starts[self], NULL, __ATOMIC_SEQ_CST);
  return (void *)(intptr_t)start(argument);
}
/* The thread begins after thrd_create has finished (C11, 7.26.5.1), so its id is stored. */
int thrd_create(uintptr_t *thread, thrd_start_t start, void *argument) {
  __proviso_atomic_begin();
  uintptr_t id = __proviso_thread_create(thread, run, argument, 0);
  bool created = id != PV_NO_THREAD;
  if (created) {
    if (id >= MAX_THREADS) __proviso_unsupported("thrd_create of more than 64 threads");
    __atomic_store_n(&starts[id], start, __ATOMIC_SEQ_CST);
  }
  __proviso_atomic_end();
  return created ? thrd_success : thrd_nomem;
}
int thrd_join(uintptr_t thread, int *value) {
  void *returned;
  int error = __proviso_has_cancel ? __proviso_cancel_join(thread, &returned)
                                   : __proviso_thread_join(thread, &returned);
  if (error == 0 && value) *value = (int)(intptr_t)returned;
  return result(error);
}
int thrd_detach(uintptr_t thread) {
  return result(__proviso_thread_detach(thread));
}
uintptr_t thrd_current(void) {
  return __proviso_thread_self();
}
int thrd_equal(uintptr_t a, uintptr_t b) {
  return a == b;
}
void thrd_yield(void) {
  __proviso_thread_yield();
}
int thrd_sleep(const struct timespec *duration, struct timespec *remaining) {
  (void)remaining;
  if (duration->tv_sec < 0 || duration->tv_nsec < 0 || duration->tv_nsec > 999999999) return -2;
  pv_cancel_point();
  __proviso_thread_yield();
  return 0;
}
_Noreturn void thrd_exit(int value) {
  if (__proviso_has_destructors) __proviso_unsupported("thrd_exit in C++");
  if (__proviso_has_cancel) __proviso_unwind((void *)(intptr_t)value);
  if (__proviso_has_cleanup) __proviso_unwind((void *)(intptr_t)value);
  if (__proviso_thread_self() == PV_FIRST_THREAD) __proviso_main_leaves();
  __proviso_run_thread_exits();
  __proviso_run_key_destructors();
  __proviso_thread_exit((void *)(intptr_t)value);
}

int mtx_init(void *m, int type) {
  if (type < 0 || type > (mtx_recursive | mtx_timed)) return thrd_error;
  return result(__proviso_mutex_init(m, type & mtx_recursive ? 1 : 0));
}
void mtx_destroy(void *m) {
  __proviso_mutex_destroy(m);
}
int mtx_lock(void *m) {
  return result(__proviso_mutex_lock(m));
}
int mtx_trylock(void *m) {
  return result(__proviso_mutex_trylock(m));
}
int mtx_timedlock(void *restrict m, const struct timespec *restrict when) {
  return result(pv_lock_until(m, when));
}
int mtx_unlock(void *m) {
  return result(__proviso_mutex_unlock(m));
}
int cnd_init(void *c) {
  return result(__proviso_cond_init(c));
}
void cnd_destroy(void *c) {
  __proviso_cond_destroy(c);
}
int cnd_wait(void *c, void *m) {
  if (__proviso_has_cancel) return result(__proviso_cancel_wait(c, m));
  return result(__proviso_cond_wait(c, m));
}
int cnd_timedwait(void *restrict c, void *restrict m, const struct timespec *restrict when) {
  if (!pv_is_time(when)) return result(EINVAL);
  if (__proviso_has_cancel) return result(__proviso_cancel_timedwait(c, m));
  return result(__proviso_cond_timedwait(c, m));
}
int cnd_signal(void *c) {
  return result(__proviso_cond_signal(c));
}
int cnd_broadcast(void *c) {
  return result(__proviso_cond_broadcast(c));
}

void call_once(int *once, void (*function)(void)) {
  if (__proviso_once_enter(once)) {
    if (__proviso_has_cancel) __proviso_in_once(1);
    function();
    if (__proviso_has_cancel) __proviso_in_once(-1);
    __proviso_once_leave(once);
  }
}
int tss_create(unsigned *key, void (*destructor)(void *)) {
  return result(__proviso_key_create(key, destructor));
}
void tss_delete(unsigned key) {
  __proviso_key_delete(key);
}
void *tss_get(unsigned key) {
  return __proviso_key_get(key);
}
int tss_set(unsigned key, void *value) {
  return result(__proviso_key_set(key, value));
}
