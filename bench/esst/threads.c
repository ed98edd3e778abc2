/* threads.c -- preemptive threads: each adds one to a counter that begins with any small value.
 * LOCK: under a lock, and then no addition is lost. Without, some may be, and the counter is in a
 * range. BUG: one less is expected. */
#include <pthread.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

#ifndef THREADS
#define THREADS 3
#endif
#ifdef BUG
enum { MISSING = 1 };
#else
enum { MISSING = 0 };
#endif

static int x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
#ifdef LOCK
  pthread_mutex_lock(&lock);
  x++;
  pthread_mutex_unlock(&lock);
#else
  int now = x;
  x = now + 1;
#endif
  return unused;
}

int main(void) {
  pthread_t ids[THREADS];
  x = __VERIFIER_nondet_int() & 15;
  int before = x;
  for (int i = 0; i < THREADS; i++) pthread_create(&ids[i], 0, work, 0);
  for (int i = 0; i < THREADS; i++) pthread_join(ids[i], 0);
#ifdef LOCK
  if (x != before + THREADS - MISSING) reach_error();
#else
  if (x < before + 1 || x > before + THREADS - MISSING) reach_error();
#endif
  return 0;
}
