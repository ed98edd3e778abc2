// N producers and N consumers share a buffer of SLOTS places. The twin of buffer.pml: P and V are
// sem_wait and sem_post; each of them and each access to `count` is a step, there as here, and all
// are created in one step, as by the model's `init`. The states are the same.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#ifndef N
#  define N 3
#endif
#ifndef SLOTS
#  define SLOTS 3
#endif

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static sem_t places, items, mutex;
static _Atomic unsigned char count;

static void *producer(void *arg) {
  for (;;) {
    sem_wait(&places);
    sem_wait(&mutex);
    count++;
    assert(count <= SLOTS);
    sem_post(&mutex);
    sem_post(&items);
  }
  return arg;
}

static void *consumer(void *arg) {
  for (;;) {
    sem_wait(&items);
    sem_wait(&mutex);
    count--;
    sem_post(&mutex);
    sem_post(&places);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  __VERIFIER_atomic_begin();
  sem_init(&places, 0, SLOTS);
  sem_init(&items, 0, 0);
  sem_init(&mutex, 0, 1);
  for (int i = 0; i < N; i++) pthread_create(&t, NULL, producer, NULL);
  for (int i = 1; i < N; i++) pthread_create(&t, NULL, consumer, NULL);
  __VERIFIER_atomic_end();
  consumer(NULL);
}
