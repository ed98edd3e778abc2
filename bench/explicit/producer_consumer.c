// N producers and N consumers share a ring of SLOTS places, guarded by one mutex and two condition
// variables; each producer puts ITEMS numbers in, each consumer takes as many out.
#include <assert.h>
#include <pthread.h>

#ifndef N
#  define N 1
#endif
#ifndef ITEMS
#  define ITEMS 2
#endif
#ifndef SLOTS
#  define SLOTS 1
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static int ring[SLOTS], first, count;

static void *producer(void *unused) {
  (void)unused;
  for (int i = 1; i <= ITEMS; i++) {
    pthread_mutex_lock(&mutex);
    while (count == SLOTS) pthread_cond_wait(&not_full, &mutex);
    ring[(first + count) % SLOTS] = i;
    count++;
    pthread_cond_broadcast(&not_empty);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

static void *consumer(void *unused) {
  (void)unused;
  for (int i = 1; i <= ITEMS; i++) {
    pthread_mutex_lock(&mutex);
    while (count == 0) pthread_cond_wait(&not_empty, &mutex);
    assert(ring[first] > 0);
    ring[first] = 0;
    first = (first + 1) % SLOTS;
    count--;
    pthread_cond_broadcast(&not_full);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2 * N];
  for (int i = 0; i < 2 * N; i++)
    pthread_create(&threads[i], NULL, i % 2 ? consumer : producer, NULL);
  for (int i = 0; i < 2 * N; i++) pthread_join(threads[i], NULL);
  assert(count == 0);
  return 0;
}
