// Threads that wait for each other: two locks, a lock taken twice, a join, a semaphore, a signal that comes too early,
// a signal for another condition variable, the wrong one of two waiters. Each has a twin that goes on.
// run: --engine explicit --property no-deadlock => true
// run: --engine value --property no-deadlock => true
// run: --engine predicate --property no-deadlock => true
// run: --engine composite --property no-deadlock => true
// run: --engine value --property no-deadlock -- -DORDER => false(no-deadlock)
// run: --engine predicate --property no-deadlock -- -DORDER => false(no-deadlock)
// run: --engine composite --property no-deadlock -- -DORDER => false(no-deadlock)
// run: --engine composite --property no-deadlock -- -DORDERED => true
// run: --engine composite --property no-deadlock -- -DTWICE => false(no-deadlock)
// run: --engine composite --property no-deadlock -- -DLEFT => false(no-deadlock)
// run: --engine composite --property no-deadlock -- -DSPIN => false(no-deadlock)
// run: --engine composite --property no-deadlock -- -DJOIN => false(no-deadlock)
// run: --engine composite --property no-deadlock -- -DSEMAPHORE => false(no-deadlock)
// run: --engine composite --property no-deadlock -- -DPOSTED => true
// run: --engine explicit --property no-deadlock -- -DEARLY => false(no-deadlock)
// run: --engine value --property no-deadlock -- -DEARLY => false(no-deadlock)
// run: --engine predicate --property no-deadlock -- -DEARLY => false(no-deadlock)
// run: --engine composite --property no-deadlock -- -DEARLY => false(no-deadlock)
// run: --engine composite --property no-deadlock -- -DOTHER => false(no-deadlock)
// run: --engine explicit --property no-deadlock -- -DONE => false(no-deadlock)
// run: --engine composite --property no-deadlock -- -DONE => false(no-deadlock)
// run: --engine explicit --property no-deadlock -- -DALL => true
// run: --engine composite --property no-deadlock -- -DALL => true
// run: --engine explicit --property no-deadlock -- -DTIMED => true
// run: --engine composite --property no-deadlock -- -DTIMED => true
// run: --engine explicit --property no-deadlock -- -DTIMED -DLEFT => false(no-deadlock)
// run: --engine composite --property no-deadlock -- -DTIMED -DLEFT => false(no-deadlock)
// proof: none
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER, d = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t s;
static pthread_t first;
static int ready;
static void *work(void *argument) {
#if defined ORDER
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
#elif defined ORDERED
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
#elif defined TWICE
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&a);
#elif defined SPIN
  pthread_spin_lock(&spin);
#elif defined JOIN
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_join(first, 0);
#elif defined SEMAPHORE || defined POSTED
  sem_wait(&s);
#elif defined TIMED
  struct timespec when = {1, 0};
  pthread_mutex_lock(&a);
  pthread_cond_timedwait(&c, &a, &when);
  pthread_mutex_unlock(&a);
#elif defined ONE || defined ALL
  pthread_mutex_lock(&a);
  while (!ready) pthread_cond_wait(&c, &a);
  pthread_mutex_unlock(&a);
#else
  pthread_mutex_lock(&a);
  ready = 1;
#ifdef OTHER
  pthread_cond_signal(&d);
#else
  pthread_cond_signal(&c);
#endif
  pthread_mutex_unlock(&a);
#endif
#ifdef LEFT
  pthread_mutex_lock(&a);
#endif
  return argument;
}
int main(void) {
  pthread_t second;
  sem_init(&s, 0, 0);
  pthread_spin_init(&spin, 0);
  first = pthread_self();
#ifdef JOIN
  pthread_mutex_lock(&a);
#endif
#ifdef SPIN
  pthread_spin_lock(&spin);
#endif
  pthread_create(&second, 0, work, 0);
#if defined ONE || defined ALL
  pthread_t third;
  pthread_create(&third, 0, work, 0);
#endif
#if defined ORDER || defined ORDERED
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
#elif defined JOIN
  pthread_mutex_unlock(&a);
#elif defined POSTED
  sem_post(&s);
#elif defined LEFT
  pthread_mutex_lock(&a);
#elif defined ONE
  pthread_mutex_lock(&a);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&a);
#elif defined ALL
  pthread_mutex_lock(&a);
  ready = 1;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&a);
#elif defined EARLY
  pthread_mutex_lock(&a);
  pthread_cond_wait(&c, &a);
  pthread_mutex_unlock(&a);
#elif !defined TWICE && !defined SPIN && !defined SEMAPHORE && !defined TIMED
  pthread_mutex_lock(&a);
  while (!ready) pthread_cond_wait(&c, &a);
  pthread_mutex_unlock(&a);
#endif
  pthread_join(second, 0);
#if defined ONE || defined ALL
  pthread_join(third, 0);
#endif
  return 0;
}
