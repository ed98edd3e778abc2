// Increment by compare-and-swap in a loop.
// expect: true
// states: 14
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *count(void *arg) {
  int old = atomic_load(&counter);
  while (!atomic_compare_exchange_strong(&counter, &old, old + 1)) continue;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, count, NULL);
  count(NULL);
  pthread_join(t, NULL);
  assert(counter == 2);
}
