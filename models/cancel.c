/* cancel.c -- cancellation of threads, and handlers that run when a thread ends.
 *
 * pthread_cleanup_push passes a buffer that setjmp has filled (__pthread_register_cancel). A thread
 * that ends, by cancellation or pthread_exit, jumps to its buffers from the innermost one outwards
 * (__pthread_unwind_next continues). Then the destructors of its keys run, and it ends.
 *
 * Cancellation is deferred: a request is a bit of the scheduler's record of the thread, and is read
 * only at cancellation points. Those that wait use primitives of their own, which end with
 * ECANCELED. In programs without pthread_cancel all of this is removed (file_use.c). */
#include "model.h"

struct cleanup { /* within the buffer of pthread_cleanup_push */
  struct pv_jump_buffer jump;
  struct cleanup *outer;
};
_Static_assert(sizeof(struct cleanup) <= (sizeof(void *) == 8 ? 104 : 44),
               "__pthread_unwind_buf_t");

static _Thread_local struct cleanup *innermost;
static _Thread_local void *ends_with;
static _Thread_local bool is_ending; /* not cancelled any more */
static _Thread_local int cancel_state, cancel_type;
static _Thread_local unsigned in_once;
#define CANCELED ((void *)-1)
enum { ENABLE, DISABLE };
enum { DEFERRED, ASYNCHRONOUS };

/* ---- handlers ---- */

static void enter(struct cleanup *c) {
  c->outer = innermost;
  innermost = c;
}
void __pthread_register_cancel(void *buffer) {
  if (__proviso_has_cleanup) enter(buffer);
}
void __pthread_unregister_cancel(void *buffer) {
  if (__proviso_has_cleanup) innermost = ((struct cleanup *)buffer)->outer;
}
/* Only deferred cancellation is modelled: there is no type to keep. */
void __pthread_register_cancel_defer(void *buffer) {
  __pthread_register_cancel(buffer);
}
void __pthread_unregister_cancel_restore(void *buffer) {
  __pthread_unregister_cancel(buffer);
}

/* Runs the next handler, which returns here. */
static _Noreturn void unwind(void) {
  struct cleanup *c = innermost;
  if (c == NULL) __proviso_leave(ends_with);
  innermost = c->outer;
  __proviso_jump(&c->jump, 1);
}
_Noreturn void __pthread_unwind_next(void *buffer) {
  (void)buffer;
  unwind();
}
_Noreturn void __proviso_unwind(void *result) {
  __proviso_check(!is_ending, "a thread that is ending calls pthread_exit");
  is_ending = true;
  ends_with = result;
  if (__proviso_has_cleanup) unwind();
  __proviso_leave(result);
}
void __proviso_ends(void) {
  is_ending = true;
}

/* ---- requests ---- */

int pthread_cancel(uintptr_t thread) {
  if (!__proviso_has_cancel) __proviso_unsupported("pthread_cancel"); /* C++ */
  return __proviso_thread_cancel(thread);
}
int pthread_setcancelstate(int state, int *old) {
  if (state != ENABLE && state != DISABLE) return EINVAL;
  if (old) *old = cancel_state;
  cancel_state = state;
  return 0;
}
int pthread_setcanceltype(int type, int *old) {
  if (type != DEFERRED && type != ASYNCHRONOUS) return EINVAL;
  if (__proviso_has_cancel) {
    if (type == ASYNCHRONOUS) __proviso_unsupported("asynchronous cancellation");
  }
  if (old) *old = cancel_type;
  cancel_type = type;
  return 0;
}

/* ---- cancellation points ---- */

static bool can_be_cancelled(void) {
  return cancel_state == ENABLE && !is_ending;
}
/* Acts on the request. */
static _Noreturn void cancelled(void) {
  if (in_once > 0) __proviso_unsupported("cancellation of a thread inside pthread_once");
  __proviso_unwind(CANCELED);
}
void __proviso_in_once(int more) {
  in_once += (unsigned)more;
}
void __proviso_test_cancel(void) {
  if (can_be_cancelled() && __proviso_thread_is_cancelled()) cancelled();
}
/* In a function that may be a cancellation point (POSIX.1-2017, 2.9.5.2); in glibc it is one where
 * a buffer is filled or emptied. */
void __proviso_may_cancel(void) {
  if (can_be_cancelled() && __proviso_thread_is_cancelled() &&
      __proviso_pick(0, 1, "cancelled in a function of stdio.h"))
    cancelled();
}
void __proviso_await_cancel(void) {
  if (!can_be_cancelled()) return;
  __proviso_assume(__proviso_thread_is_cancelled() != 0);
  cancelled();
}
int __proviso_cancel_join(uintptr_t thread, void **result) {
  if (!can_be_cancelled()) return __proviso_thread_join(thread, result);
  __proviso_test_cancel();
  int error = __proviso_thread_join_cancel(thread, result);
  if (error == ECANCELED) cancelled();
  return error;
}
int __proviso_cancel_wait(void *cond, void *mutex) {
  if (!can_be_cancelled()) return __proviso_cond_wait(cond, mutex);
  int error = __proviso_cond_wait_cancel(cond, mutex);
  if (error == ECANCELED) cancelled();
  return error;
}
int __proviso_cancel_timedwait(void *cond, void *mutex) {
  if (!can_be_cancelled()) return __proviso_cond_timedwait(cond, mutex);
  int error = __proviso_cond_timedwait_cancel(cond, mutex);
  if (error == ECANCELED) cancelled();
  return error;
}
int __proviso_cancel_sem_wait(void *semaphore) {
  if (__atomic_load_n(&__proviso_signals_caught, __ATOMIC_SEQ_CST))
    __proviso_unsupported("sem_wait in a program with handlers of signals that cancels threads");
  if (!can_be_cancelled()) return __proviso_sem_wait(semaphore);
  __proviso_test_cancel();
  int error = __proviso_sem_wait_cancel(semaphore);
  if (error == ECANCELED) cancelled();
  return error;
}

void pthread_testcancel(void) {
  pv_cancel_point();
}
