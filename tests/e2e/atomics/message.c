// Message passing through a sequentially consistent flag.
// expect: true
// states: 9
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int ready;

static void *send(void *arg) {
  message = 42;
  atomic_store(&ready, 1);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, send, NULL);
  if (atomic_load(&ready)) assert(message == 42);
  pthread_join(t, NULL);
}
