// A semaphore is destroyed while a thread may still use it.
// expect: false(def-behavior)
// states: 3
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;

static void *produce(void *arg) {
  sem_post(&ready);
  return arg;
}

int main(void) {
  sem_init(&ready, 0, 0);
  pthread_t t;
  pthread_create(&t, NULL, produce, NULL);
  sem_destroy(&ready);
  pthread_join(t, NULL);
}
