// A semaphore orders a write before a read.
// expect: true
// states: 7
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;
static int value;

static void *produce(void *arg) {
  value = 42;
  sem_post(&ready);
  return arg;
}

int main(void) {
  sem_init(&ready, 0, 0);
  pthread_t t;
  pthread_create(&t, NULL, produce, NULL);
  sem_wait(&ready);
  assert(value == 42);
  pthread_join(t, NULL);
  sem_destroy(&ready);
}
