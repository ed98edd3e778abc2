/* C-Thread-Pool: JOBS jobs for THREADS threads; main waits until all are done.
 *
 * Each job is done once by then. -DWRONG: main does not wait. */
#include <assert.h>
#include <stddef.h>
#include "thpool.h"

#ifndef JOBS
#  define JOBS 2
#endif
#ifndef THREADS
#  define THREADS 2
#endif

static int done[JOBS];

static void job(void *which) {
  *(int *)which += 1;
}

int main(void) {
  threadpool pool = thpool_init(THREADS);
  assert(pool != NULL);
  for (int i = 0; i < JOBS; i++) {
    int r = thpool_add_work(pool, job, &done[i]);
    assert(r == 0);
  }
#ifndef WRONG
  thpool_wait(pool);
#endif
  for (int i = 0; i < JOBS; i++) assert(done[i] == 1);
  return 0;
}
