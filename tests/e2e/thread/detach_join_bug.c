// A detached thread is joined.
// expect: false(def-behavior)
// states: 3
#include <pthread.h>

static void *work(void *arg) {
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_detach(t);
  pthread_join(t, NULL);
}
