// Message passing through a relaxed flag: nothing orders the accesses to the message.
// expect: false(no-data-race) or conditional
// states: 9
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int ready;

static void *send(void *arg) {
  message = 42;
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, send, NULL);
  if (atomic_load_explicit(&ready, memory_order_relaxed)) assert(message == 42);
  pthread_join(t, NULL);
}
