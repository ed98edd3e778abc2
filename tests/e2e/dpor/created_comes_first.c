// What the properties do not depend on goes on by itself: the thread that main creates last takes
// the token that main posts behind, before the one that has waited for it. The path says the same.
// expect: false(unreach-call)
// args: --engine dpor --dependence predicate --keep-going --property unreach-call
// message: created_comes_first.c:18 in first
// message: created_comes_first.c:33 in last
// run: --engine dpor --dependence predicate --keep-going --property unreach-call -- -DORDERED => conditional
// run: --engine dpor --keep-going --property unreach-call -- -DORDERED => true
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
extern void reach_error(void);
static atomic_int s;
static sem_t f;

static void *first(void *arg) {
  sem_wait(&f);
  if (s == 0) reach_error();
  sem_post(&f);
  return arg;
}

static void *waits(void *arg) {
  sem_wait(&f);
  return arg;
}

static void *last(void *arg) {
#ifdef ORDERED
  s = 1;
#endif
  sem_wait(&f);
  if (s == 0) reach_error();
  return arg;
}

int main(void) {
  pthread_t t[3];
  sem_init(&f, 0, 1);
#ifdef ORDERED
  s = 1;
#endif
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, waits, 0);
  pthread_create(&t[2], 0, last, 0);
  sem_post(&f);
  s = 1;
  sem_post(&f);
  sem_wait(&f);
  if (s == 0) reach_error();
  return 0;
}
