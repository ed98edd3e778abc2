// A value is handed over with the usual loop around the wait.
// expect: true
// states: 21
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int is_ready, value;

static void *produce(void *arg) {
  pthread_mutex_lock(&lock);
  value = 42;
  is_ready = 1;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, produce, NULL);
  pthread_mutex_lock(&lock);
  while (!is_ready) pthread_cond_wait(&ready, &lock);
  assert(value == 42);
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
}
