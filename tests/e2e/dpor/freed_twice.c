// The second free fails, which changes nothing: the allocation that gets the address comes after both, and owes the second
// one nothing, so that the path to the error is there without it.
// expect: false(unreach-call)
// executions: 1
// args: --engine dpor --property unreach-call
// run: --engine dpor --dependence conflict --property unreach-call => false(unreach-call) executions=1
// run: --engine dpor --property unreach-call -- -DFIX => true executions=1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *old;

void *gives_back(void *arg) {
  free(old);
  return arg;
}

void *takes(void *arg) {
  int *new = malloc(sizeof *new);
  assert(new != old);
  return arg;
}

int main(void) {
  pthread_t a, b, c;
  old = malloc(sizeof *old);
#ifdef FIX
  pthread_create(&c, 0, takes, 0);
  pthread_join(c, 0);
  pthread_create(&a, 0, gives_back, 0);
#else
  pthread_create(&a, 0, gives_back, 0);
  pthread_create(&b, 0, gives_back, 0);
  pthread_create(&c, 0, takes, 0);
#endif
  return 0;
}
