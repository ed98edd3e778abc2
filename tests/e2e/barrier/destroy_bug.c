// A barrier is destroyed while a thread may wait at it.
// expect: false(def-behavior)
// states: 4
#include <pthread.h>

static pthread_barrier_t barrier;

static void *work(void *arg) {
  pthread_barrier_wait(&barrier);
  return arg;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_barrier_destroy(&barrier);
}
