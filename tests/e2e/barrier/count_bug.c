// The barrier waits for a thread that does not exist.
// expect: false(no-deadlock)
// states: 4
#include <pthread.h>

static pthread_barrier_t barrier;

static void *work(void *arg) {
  pthread_barrier_wait(&barrier);
  return arg;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 3);
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  work(NULL);
  pthread_join(t, NULL);
}
