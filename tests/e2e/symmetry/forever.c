// Threads that never end and whose ids are forgotten: customers of a shop with two chairs. The states
// grow with the number of ways to divide them among their places, not with who is where.
//
// args: --por none --symmetry threads --property unreach-call,no-deadlock
// expect: true
// states: 137
// run: --por none --property unreach-call,no-deadlock => true states=656
// run: --por sleep --symmetry threads --property unreach-call,no-deadlock => true states=137
// run: --symmetry threads --property unreach-call,no-deadlock => true states=105
// run: --por none --property unreach-call,no-deadlock -- -DBUG => false(unreach-call) states=39
// run: --por none --symmetry threads --property unreach-call,no-deadlock -- -DBUG => false(unreach-call) states=43
// run: --symmetry threads --property unreach-call,no-deadlock -- -DBUG => false(unreach-call) states=21
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#ifndef N
#  define N 4
#endif
#ifdef BUG
#  define CHAIRS 1
#else
#  define CHAIRS 2
#endif

static sem_t chairs, mutex;
static int sitting;

static void *customer(void *arg) {
  for (;;) {
    sem_wait(&chairs);
    sem_wait(&mutex);
    sitting++;
    assert(sitting <= CHAIRS);
    sem_post(&mutex);
    sem_wait(&mutex);
    sitting--;
    sem_post(&mutex);
    sem_post(&chairs);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&chairs, 0, 2);
  sem_init(&mutex, 0, 1);
  for (int i = 0; i < N; i++) pthread_create(&t, NULL, customer, NULL);
  for (;;) sem_wait(&chairs), sem_post(&chairs);
}
