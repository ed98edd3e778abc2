// The semaphore starts at one: nobody waits for the write.
// expect: false(no-data-race)
// states: 3
// run: --property unreach-call => false(unreach-call) states=3
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
  sem_init(&ready, 0, 1);
  pthread_t t;
  pthread_create(&t, NULL, produce, NULL);
  sem_wait(&ready);
  assert(value == 42);
  pthread_join(t, NULL);
  sem_destroy(&ready);
}
