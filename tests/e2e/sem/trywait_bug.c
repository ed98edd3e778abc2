// A trywait may come too early.
// expect: false(unreach-call)
// states: 2
#include <assert.h>
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
  int result = sem_trywait(&ready);
  assert(result == 0);
  pthread_join(t, NULL);
}
