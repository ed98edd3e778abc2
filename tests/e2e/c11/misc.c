// thrd_current, thrd_equal, thrd_yield, thrd_sleep, thrd_detach.
// expect: true
// states: 7
#include <assert.h>
#include <threads.h>
#include <time.h>

static int work(void *arg) {
  return arg != NULL;
}

int main(void) {
  thrd_t t;
  assert(thrd_equal(thrd_current(), thrd_current()));
  thrd_create(&t, work, NULL);
  assert(!thrd_equal(t, thrd_current()));
  thrd_detach(t);
  thrd_yield();
  thrd_sleep(&(struct timespec){.tv_nsec = 1}, NULL);
}
