// The time of a wait is read: one that is none is refused, a freed one is an error, and so is one that others write meanwhile (true was said once).
// expect: false(unreach-call)
// args: --no-spurious --property unreach-call
// run: --engine dpor --property unreach-call => false(unreach-call)
// run: --property unreach-call -- -DFIX => true or conditional
// run: --property valid-deref -- -DFREED => false(valid-deref)
// run: --property valid-deref -- -DFREED -DLOCK => false(valid-deref)
// run: --property valid-deref -- -DFREED -DSEMAPHORE => false(valid-deref)
// run: --property valid-deref -- -DFREED -DRWLOCK => false(valid-deref)
// run: --property valid-deref -- -DFREED -DC11 => false(valid-deref)
// run: --property unreach-call -- -DLOCK => false(unreach-call)
// run: --property unreach-call -- -DSEMAPHORE => false(unreach-call)
// run: --property unreach-call -- -DRWLOCK => false(unreach-call)
// run: --property unreach-call -- -DC11 => false(unreach-call)
// run: --property no-data-race -- -DRACE => false(no-data-race)
// run: --engine dpor --property no-data-race -- -DRACE => false(no-data-race)
// run: --property no-data-race => true
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

static struct timespec *when;

static int waits(void) {
#if defined LOCK
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  int error = pthread_mutex_timedlock(&mutex, when); /* whoever need not wait does not look at it */
  return error ? error : pthread_mutex_timedlock(&mutex, when);
#elif defined SEMAPHORE
  static sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  return sem_timedwait(&semaphore, when) ? 22 : 0;
#elif defined RWLOCK
  static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  return pthread_rwlock_timedrdlock(&lock, when);
#elif defined C11
  static mtx_t mutex;
  static cnd_t condition;
  mtx_init(&mutex, mtx_plain);
  cnd_init(&condition);
  mtx_lock(&mutex);
  int error = cnd_timedwait(&condition, &mutex, when);
  mtx_unlock(&mutex);
  return error == thrd_error ? 22 : 0;
#else
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_mutex_lock(&mutex);
  int error = pthread_cond_timedwait(&condition, &mutex, when);
  pthread_mutex_unlock(&mutex);
  return error;
#endif
}

static void *other(void *arg) {
#ifdef RACE
  when->tv_sec = 1;
#endif
  return arg;
}

int main(void) {
  pthread_t thread;
  when = malloc(sizeof *when);
  when->tv_sec = 0;
#ifdef FIX
  when->tv_nsec = 999999999;
#else
  when->tv_nsec = 1000000000;
#endif
#ifdef FREED
  free(when);
#endif
  pthread_create(&thread, 0, other, 0);
  assert(waits() != 22); /* EINVAL */
  pthread_join(thread, 0);
  return 0;
}
