// What one thread frees the other one may be given, and nothing else tells in which order they do that. The error needs the
// free first; in the first execution the allocation is (docs/dpor.md, "Allocations").
// expect: false(unreach-call)
// executions: 2
// args: --engine dpor --dependence conflict --property unreach-call
// run: --engine dpor --property unreach-call => false(unreach-call) executions=2
// run: --engine dpor --dependence predicate --property unreach-call => false(unreach-call) executions=2
// run: --engine dpor --dpor classic --property unreach-call => false(unreach-call) executions=2
// run: --engine dpor --no-reuse --property unreach-call => conditional executions=1
// run: --engine dpor --property unreach-call -- -DOTHER_SIZE => true executions=1
// run: --engine dpor --property unreach-call -- -DBEFORE => true executions=1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef OTHER_SIZE
enum { SIZE = 8 };
#else
enum { SIZE = 4 };
#endif
int *old;

void *gives_back(void *arg) {
  free(old);
  return arg;
}

void *takes(void *arg) {
  int *new = malloc(SIZE);
  assert(new != old);
  return arg;
}

int main(void) {
  pthread_t a, b;
  old = malloc(4);
  pthread_create(&a, 0, takes, 0);
#ifdef BEFORE
  pthread_join(a, 0);
#endif
  pthread_create(&b, 0, gives_back, 0);
#ifndef BEFORE
  pthread_join(a, 0);
#endif
  pthread_join(b, 0);
  return 0;
}
