// Misuse of objects of the scheduler, and indeterminate values, in programs with threads. The correct twin has no proviso.
// run: --engine explicit --property def-behavior => true
// run: --engine value --property def-behavior => true
// run: --engine predicate --property def-behavior => true
// run: --engine composite --property def-behavior => true
// run: --engine composite --integers bitvector --property def-behavior => true
// run: --engine explicit --property def-behavior -- -DTWICE => false(def-behavior)
// run: --engine value --property def-behavior -- -DTWICE => false(def-behavior)
// run: --engine composite --property def-behavior -- -DTWICE => false(def-behavior)
// run: --engine explicit --property def-behavior -- -DAGAIN => true
// run: --engine composite --property def-behavior -- -DAGAIN => true
// run: --engine explicit --property def-behavior -- -DUNSET => false(def-behavior)
// run: --engine value --property def-behavior -- -DUNSET => false(def-behavior)
// run: --engine composite --property def-behavior -- -DUNSET => false(def-behavior)
// run: --engine composite --property def-behavior -- -DSTATIC => true
// run: --engine explicit --property def-behavior -- -DAWAITED => false(def-behavior)
// run: --engine composite --property def-behavior -- -DAWAITED => false(def-behavior)
// run: --engine explicit --property def-behavior -- -DSEMAPHORE => false(def-behavior)
// run: --engine composite --property def-behavior -- -DSEMAPHORE => false(def-behavior)
// run: --engine explicit --property def-behavior -- -DENDS => true
// run: --engine composite --property def-behavior -- -DENDS => true
// run: --engine explicit --property def-behavior -- -DARGUMENT => false(def-behavior)
// run: --engine value --property def-behavior -- -DARGUMENT => false(def-behavior)
// run: --engine predicate --property def-behavior -- -DARGUMENT => false(def-behavior)
// run: --engine composite --property def-behavior -- -DARGUMENT => false(def-behavior)
// run: --engine composite --property def-behavior -- -DSHARED => false(def-behavior)
// run: --engine composite --property def-behavior -- -DCOPIED => true
// proof: none
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t m;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s;
static int shared, *place;
static void *work(void *argument) {
  pthread_mutex_lock(&m);
#ifdef AWAITED
  pthread_cond_wait(&c, &m);
#endif
#ifdef SHARED
  if (*place) shared++;
#elif defined COPIED
  shared = *place;
#endif
  shared++;
  pthread_mutex_unlock(&m);
  return argument;
}
static void leaves(void) {
  pthread_mutex_t local;
  pthread_mutex_init(&local, 0);
#ifdef ENDS
  pthread_mutex_lock(&local);
#endif
}
int main(void) {
  pthread_t t;
  int unset;
  place = &unset;
  pthread_mutex_init(&m, 0);
#ifdef AGAIN
  pthread_mutex_destroy(&m);
  pthread_mutex_init(&m, 0);
#endif
#if defined UNSET || defined STATIC
#ifdef UNSET
  pthread_mutex_t local;
#else
  pthread_mutex_t local = PTHREAD_MUTEX_INITIALIZER;
#endif
  pthread_mutex_lock(&local);
  pthread_mutex_unlock(&local);
#endif
  sem_init(&s, 0, 1);
#ifdef SEMAPHORE
  sem_init(&s, 0, 1);
#endif
  leaves();
#ifdef ARGUMENT
  void *argument;
  pthread_create(&t, 0, work, argument);
#else
  pthread_create(&t, 0, work, 0);
#endif
#ifdef TWICE
  pthread_mutex_init(&m, 0);
#endif
#ifdef AWAITED
  pthread_mutex_lock(&m);
  pthread_cond_destroy(&c);
  pthread_mutex_unlock(&m);
#else
  pthread_join(t, 0);
  pthread_mutex_destroy(&m);
#endif
  return 0;
}
