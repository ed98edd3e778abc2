// A barber and N - 1 customers. The barber opens the shop, where there is room for two, and calls one customer after the other to
// his chair, but calls the next one without waiting until the chair is free again. -DFIX: he waits. -DROUNDS=n: each customer comes n
// times. The barber counts the haircuts, so that there is no end of states; -DUNCOUNTED: he does not.
// Where bench/directed/generate may put calls is marked: `// call`.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#ifndef N
#  define N 3
#endif
#ifdef ROUNDS
#  define REPEAT for (int round = 0; round < ROUNDS; round++)
#else
#  define REPEAT for (;;)
#endif

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static sem_t places, customers, chair;
#ifdef FIX
static sem_t left;
#endif
#ifndef UNCOUNTED
static unsigned haircuts;
#endif
static _Atomic int in_chair;

static void haircut(void) {
  in_chair++;
  assert(in_chair == 1);
  in_chair--;
}

static void *customer(void *arg) {
  REPEAT {
    sem_wait(&places);
    // call
    // call
    sem_post(&customers);
    // call
    sem_wait(&chair);
    // call
    haircut();
    // call
#ifdef FIX
    sem_post(&left);
#endif
    // call
    sem_post(&places);
  }
  return arg;
}

static void *barber(void *arg) {
  sem_post(&places);
  sem_post(&places);
  for (;;) {
    sem_wait(&customers);
    // call
    sem_post(&chair);
    // call
#ifndef UNCOUNTED
    haircuts++;
#endif
#ifdef FIX
    sem_wait(&left);
#endif
  }
  return arg;
}

int main(void) {
  pthread_t t[N];
  __VERIFIER_atomic_begin();
  sem_init(&places, 0, 0);
  sem_init(&customers, 0, 0);
  sem_init(&chair, 0, 0);
#ifdef FIX
  sem_init(&left, 0, 0);
#endif
  pthread_create(&t[0], NULL, barber, NULL);
  for (int i = 1; i < N; i++) pthread_create(&t[i], NULL, customer, NULL);
  __VERIFIER_atomic_end();
  for (int i = 1; i < N; i++) pthread_join(t[i], NULL);
  return 0;
}
