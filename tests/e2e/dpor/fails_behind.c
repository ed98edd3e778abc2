// What is freed is written to, which no assertion depends on and ends the thread's path. The search
// does it in one step with the free, which is there for the other thread all the same.
// expect: false(unreach-call)
// args: --engine dpor --property unreach-call
// run: --engine dpor --dependence predicate --property unreach-call => false(unreach-call)
// run: --engine dpor --dependence conflict --peek 0 --prune 0 --property unreach-call => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DFIX => conditional
// run: --engine dpor --property unreach-call,valid-deref -- -DFIX => false(valid-deref)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *_Atomic given;

void *takes(void *arg) {
  int *p = malloc(sizeof *p);
#ifdef FIX
  assert(p || !given);
#else
  assert(p != given);
#endif
  return arg;
}

void *gives_back(void *arg) {
  int *p = given;
  free(p);
  if (p) *p = 2;
  return arg;
}

int main(void) {
  pthread_t one, other;
  given = malloc(sizeof *given);
  pthread_create(&one, 0, takes, 0);
  pthread_create(&other, 0, gives_back, 0);
  return 0;
}
