// The data are written even where the lock was not had in time.
// expect: false(no-data-race)
// states: 14
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *work(void *arg) {
  struct timespec soon = {0, 0};
  int result = pthread_mutex_timedlock(&lock, &soon);
  data = result;
  if (result == 0) pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  work(NULL);
  pthread_join(t, NULL);
}
