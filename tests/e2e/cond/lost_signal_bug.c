// The signal may come before the wait, and nobody remembers it.
// expect: false(no-deadlock)
// states: 20
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

static void *produce(void *arg) {
  pthread_mutex_lock(&lock);
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, produce, NULL);
  pthread_mutex_lock(&lock);
  pthread_cond_wait(&ready, &lock);
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
}
