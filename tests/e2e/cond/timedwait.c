// A wait with a time limit, both of whose ends are handled.
// expect: true
// states: 33
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int is_ready;

static void *produce(void *arg) {
  pthread_mutex_lock(&lock);
  is_ready = 1;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  struct timespec soon = {0, 0};
  pthread_t t;
  pthread_create(&t, NULL, produce, NULL);
  pthread_mutex_lock(&lock);
  int result = 0;
  while (!is_ready && result == 0) result = pthread_cond_timedwait(&ready, &lock, &soon);
  assert(is_ready || result == ETIMEDOUT);
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
}
