// Atomic accesses, but two of them for one increment: no race, yet an update can be lost.
// expect: false(unreach-call)
// states: 11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *count(void *arg) {
  counter = counter + 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, count, NULL);
  count(NULL);
  pthread_join(t, NULL);
  assert(counter == 2);
}
