// mtx_timedlock may answer thrd_timedout.
// expect: false(unreach-call)
// states: 9
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;

static int hold(void *arg) {
  (void)arg;
  mtx_lock(&lock);
  mtx_unlock(&lock);
  return 0;
}

int main(void) {
  struct timespec soon = {0, 0};
  mtx_init(&lock, mtx_timed);
  thrd_t t;
  thrd_create(&t, hold, NULL);
  int result = mtx_timedlock(&lock, &soon);
  assert(result != thrd_timedout);
  mtx_unlock(&lock);
  thrd_join(t, NULL);
}
