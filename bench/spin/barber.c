// A sleeping barber, NC customers, CH chairs. The twin of barber.pml: P and V are sem_wait and
// sem_post; each of them and each access to `waiting` is a step, there as here.
//
// What differs: threads have to be started. The shop (`mutex`) opens when everybody waits at the
// door, so that what follows has the very states of the model; the start adds a few.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#ifndef NC
#  define NC 5
#endif
#ifndef CH
#  define CH 3
#endif

static sem_t customers, ready, mutex, done, acknowledged, arrived;
static _Atomic unsigned char waiting;

static void *customer(void *arg) {
  sem_post(&arrived);
  for (;;) {
    sem_wait(&mutex);
    if (waiting < CH) {
      waiting++;
      assert(waiting <= CH);
      sem_post(&customers);
      sem_post(&mutex);
      sem_wait(&ready);
      sem_post(&done);
      sem_wait(&acknowledged);
    } else {
      sem_post(&mutex);
    }
  }
  return arg;
}

static void barber(void) {
  for (;;) {
    sem_wait(&customers);
    sem_wait(&mutex);
    waiting--;
    sem_post(&ready);
    sem_post(&mutex);
    sem_wait(&done);
    sem_post(&acknowledged);
  }
}

int main(void) {
  pthread_t t;
  sem_init(&customers, 0, 0);
  sem_init(&ready, 0, 0);
  sem_init(&mutex, 0, 0);
  sem_init(&done, 0, 0);
  sem_init(&acknowledged, 0, 0);
  sem_init(&arrived, 0, 0);
  for (int i = 0; i < NC; i++) {
    pthread_create(&t, NULL, customer, NULL);
    sem_wait(&arrived);
  }
  sem_post(&mutex);
  barber();
}
