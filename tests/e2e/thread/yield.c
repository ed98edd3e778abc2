// Waiting for a flag by yielding.
// expect: true
// states: 8
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int ready;
static int value;

static void *work(void *arg) {
  value = 1;
  ready = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  while (!ready) sched_yield();
  assert(value == 1);
  pthread_join(t, NULL);
}
