// A deadline is made by a function, with a time in milliseconds, and carried over once, or as often as it takes.
// Whoever forgets to carry has no deadline for some times of day.
// expect: true
// run: --engine explicit => true states=16
// run: --engine explicit -- -DMONOTONIC => true states=16
// run: --engine explicit -- -DLOOP => true states=16
// run: --engine explicit -- -DLOOP -DMONOTONIC => true states=16
// run: --engine explicit -- -DFORGETFUL => false(unreach-call)
// run: --engine explicit -- -DFORGETFUL -DMONOTONIC => false(unreach-call)
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#ifdef MONOTONIC
#  define CLOCK CLOCK_MONOTONIC
#else
#  define CLOCK CLOCK_REALTIME
#endif
static sem_t s;
static void *poster(void *u) {
  sem_post(&s);
  return u;
}
static void deadline(struct timespec *t, int ms) {
  clock_gettime(CLOCK, t);
  t->tv_sec += ms / 1000;
  t->tv_nsec += (ms % 1000) * 1000000L;
#if defined LOOP
  while (t->tv_nsec >= 1000000000L) {
    t->tv_sec++;
    t->tv_nsec -= 1000000000L;
  }
#elif !defined FORGETFUL
  if (t->tv_nsec >= 1000000000L) {
    t->tv_sec++;
    t->tv_nsec -= 1000000000L;
  }
#endif
}
int main(void) {
  pthread_t t;
  struct timespec d;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, poster, 0);
  deadline(&d, 1500);
  if (sem_timedwait(&s, &d)) assert(errno == ETIMEDOUT);
  pthread_join(t, 0);
  return 0;
}
