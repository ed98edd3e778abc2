/* threadpool: JOBS jobs for THREADS threads. Jobs count down under a lock of ours, main waits for
 * the last one.
 *
 * Each job is done once by then, and no job is refused: the queue is long enough. -DWRONG: it is
 * too short by one. -DEND: the pool is destroyed at the end (which destroys a mutex that is locked:
 * def-behavior). */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include "threadpool.h"

#ifndef JOBS
#  define JOBS 2
#endif
#ifndef THREADS
#  define THREADS 2
#endif
#ifdef WRONG
enum { SIZE = JOBS - 1 };
#else
enum { SIZE = JOBS };
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t none_left = PTHREAD_COND_INITIALIZER;
static int done[JOBS], left = JOBS;

static void job(void *which) {
  *(int *)which += 1;
  pthread_mutex_lock(&lock);
  if (--left == 0) pthread_cond_signal(&none_left);
  pthread_mutex_unlock(&lock);
}

int main(void) {
  threadpool_t *pool = threadpool_create(THREADS, SIZE, 0);
  assert(pool != NULL);
  for (int i = 0; i < JOBS; i++) {
    int r = threadpool_add(pool, job, &done[i], 0);
    assert(r == 0);
  }
  pthread_mutex_lock(&lock);
  while (left) pthread_cond_wait(&none_left, &lock);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < JOBS; i++) assert(done[i] == 1);
#ifdef END
  threadpool_destroy(pool, threadpool_graceful);
#endif
  return 0;
}
