// A sleeping barber, NC customers, CH chairs. The twin of barber.pml: P and V are sem_wait and
// sem_post; each of them and each access to `waiting` is a step, there as here, and everybody is
// created in one step, as by the model's `init`. The states are the same.
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

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static sem_t customers, ready, mutex, done, acknowledged;
static _Atomic unsigned char waiting;

static void *customer(void *arg) {
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
  __VERIFIER_atomic_begin();
  sem_init(&customers, 0, 0);
  sem_init(&ready, 0, 0);
  sem_init(&mutex, 0, 1);
  sem_init(&done, 0, 0);
  sem_init(&acknowledged, 0, 0);
  for (int i = 0; i < NC; i++) pthread_create(&t, NULL, customer, NULL);
  __VERIFIER_atomic_end();
  barber();
}
