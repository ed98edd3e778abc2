// The mutex is unlocked even where it was not had in time.
// expect: false(def-behavior)
// states: 9
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  struct timespec soon = {0, 0};
  pthread_mutex_timedlock(&lock, &soon);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  work(NULL);
  pthread_join(t, NULL);
}
