// Any of the threads may be the serial one, not only the last to come.
// expect: false(unreach-call)
// states: 7
#include <assert.h>
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
  int result = pthread_barrier_wait(&barrier);
  assert(result == 0);
  pthread_join(t, NULL);
}
