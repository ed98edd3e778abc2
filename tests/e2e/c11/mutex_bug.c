// One C11 thread forgets to lock.
// expect: false(no-data-race)
// states: 11
#include <threads.h>

static mtx_t lock;
static int counter;

static int count(void *arg) {
  (void)arg;
  mtx_lock(&lock);
  counter++;
  mtx_unlock(&lock);
  return 0;
}

int main(void) {
  thrd_t t;
  mtx_init(&lock, mtx_plain);
  thrd_create(&t, count, NULL);
  counter++;
  thrd_join(t, NULL);
  mtx_destroy(&lock);
}
