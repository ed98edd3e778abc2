// A fence that releases before a relaxed store, and one that acquires after a relaxed load, order what precedes the
// one before what follows the other (C11, 7.17.4). If one of them is missing, or on the wrong side, the message races.
// expect: true
// run: -- -DNO_RELEASE => conditional
// run: -- -DNO_ACQUIRE => conditional
// run: -- -DLATE => conditional
// run: -- -DEARLY => conditional
// run: -- -DFULL => true
// run: -- -DBUG => false(unreach-call)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FULL
#define RELEASE memory_order_seq_cst
#define ACQUIRE memory_order_acq_rel
#else
#define RELEASE memory_order_release
#define ACQUIRE memory_order_acquire
#endif

static int message;
static atomic_int sent, relayed;

static void *sender(void *p) {
#ifndef LATE
  message = 1;
#endif
#ifndef NO_RELEASE
  atomic_thread_fence(RELEASE);
#endif
#ifdef LATE
  message = 1;
#endif
  atomic_store_explicit(&sent, 1, memory_order_relaxed);
  return p;
}

/* The fence makes the relaxed load acquire, and the relaxed store release. */
static void *relay(void *p) {
#ifdef EARLY
  atomic_thread_fence(memory_order_acq_rel);
#endif
  if (atomic_load_explicit(&sent, memory_order_relaxed)) {
#ifndef EARLY
    atomic_thread_fence(memory_order_acq_rel);
#endif
    atomic_store_explicit(&relayed, 1, memory_order_relaxed);
  }
  return p;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, sender, 0);
  pthread_create(&threads[1], 0, relay, 0);
  if (atomic_load_explicit(&relayed, memory_order_relaxed)) {
#ifndef NO_ACQUIRE
    atomic_thread_fence(ACQUIRE);
#endif
#ifdef BUG
    assert(message == 2);
#else
    assert(message == 1);
#endif
  }
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
