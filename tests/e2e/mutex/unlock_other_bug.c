// A thread unlocks a mutex that another one holds.
// expect: false(def-behavior)
// states: 2
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *meddle(void *arg) {
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_mutex_lock(&lock);
  pthread_t t;
  pthread_create(&t, NULL, meddle, NULL);
  pthread_join(t, NULL);
}
