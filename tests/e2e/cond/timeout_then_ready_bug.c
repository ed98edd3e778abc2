// The time runs out while the producer holds the mutex: its signal reaches nobody, and the waiter
// is told ETIMEDOUT although the event has happened.
// expect: false(unreach-call)
// states: 19
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
  if (!is_ready) result = pthread_cond_timedwait(&ready, &lock, &soon);
  assert(!(result == ETIMEDOUT && is_ready));
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
}
