// The cure of producer_consumer.c: `while` instead of `if`, so that a consumer looks again after
// every wake-up.
//
// expect: true
// states: 265
#include <assert.h>
#include <pthread.h>

enum { ITEMS = 2 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int buffer[ITEMS], count;

static void *consumer(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  while (count == 0) pthread_cond_wait(&not_empty, &mutex);
  assert(count > 0);
  count--;
  assert(buffer[count] > 0);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void *producer(void *unused) {
  (void)unused;
  for (int i = 1; i <= ITEMS; i++) {
    pthread_mutex_lock(&mutex);
    buffer[count++] = i;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t p, c1, c2;
  pthread_create(&c1, NULL, consumer, NULL);
  pthread_create(&c2, NULL, consumer, NULL);
  pthread_create(&p, NULL, producer, NULL);
  pthread_join(p, NULL);
  pthread_join(c1, NULL);
  pthread_join(c2, NULL);
  assert(count == 0);
  return 0;
}
