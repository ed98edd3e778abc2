// Two threads count without a lock: a data race, and an update can be lost.
// expect: false(no-data-race)
// states: 4
// message: counter
// run: --property unreach-call => false(unreach-call) states=16
// run: --property no-deadlock => true states=29
#include <assert.h>
#include <pthread.h>

static int counter;

static void *count(void *arg) {
  (void)arg;
  counter++;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, count, NULL);
  pthread_create(&b, NULL, count, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(counter == 2);
}
