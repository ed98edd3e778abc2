// An atomic counter loses nothing.
// expect: true
// states: 11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *count(void *arg) {
  counter++;
  atomic_fetch_add(&counter, 2);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, count, NULL);
  count(NULL);
  pthread_join(t, NULL);
  assert(counter == 6);
}
