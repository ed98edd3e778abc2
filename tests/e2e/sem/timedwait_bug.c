// A wait with a time limit may end without the semaphore.
// expect: false(no-data-race)
// states: 3
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t ready;
static int value;

static void *produce(void *arg) {
  value = 1;
  sem_post(&ready);
  return arg;
}

int main(void) {
  struct timespec soon = {0, 0};
  sem_init(&ready, 0, 0);
  pthread_t t;
  pthread_create(&t, NULL, produce, NULL);
  sem_timedwait(&ready, &soon);
  int seen = value;
  pthread_join(t, NULL);
  return seen > 1;
}
