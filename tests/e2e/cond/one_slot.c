// A one-slot buffer between a producer and two consumers; two conditions, so that signals arrive
// where they help.
// expect: true
// states: 174
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int full;

static void *consume(void *arg) {
  pthread_mutex_lock(&lock);
  while (!full) pthread_cond_wait(&not_empty, &lock);
  full = 0;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, consume, NULL);
  pthread_create(&b, NULL, consume, NULL);
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    while (full) pthread_cond_wait(&not_full, &lock);
    full = 1;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
  }
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
