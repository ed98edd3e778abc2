// Two threads wait for each other's semaphore first.
// expect: false(no-deadlock)
// states: 2
#include <pthread.h>
#include <semaphore.h>

static sem_t a, b;

static void *work(void *arg) {
  sem_wait(&a);
  sem_post(&b);
  return arg;
}

int main(void) {
  sem_init(&a, 0, 0);
  sem_init(&b, 0, 0);
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  sem_wait(&b);
  sem_post(&a);
  pthread_join(t, NULL);
}
