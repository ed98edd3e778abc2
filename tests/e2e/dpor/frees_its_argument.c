// Each thread frees what it was created with, while main allocates that for the next one. Nobody points to what was freed,
// in whatever order: the allocations are no events, and there is one execution. With -DKEPT main has kept the pointer to the
// first one, and drops it: before the free nothing is known, so that the address may come back.
// expect: true
// executions: 1
// args: --engine dpor --property unreach-call,valid-deref,valid-free
// run: --engine dpor --dependence conflict --peek 0 --prune 0 --property unreach-call => true executions=1
// run: --engine dpor --property unreach-call -- -DBUG => false(unreach-call) executions=0
// run: --engine dpor --property unreach-call -- -DKEPT => false(unreach-call) executions=65
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { N = 4 };
int done[N], *first;

void *work(void *arg) {
  int *mine = arg, number = *mine;
  free(mine);
  done[number] = 1;
#ifdef KEPT
  if (number == 1) {
    int *old = first, *new = malloc(sizeof *new);
    assert(new != old);
  }
#endif
  return 0;
}

int main(void) {
  pthread_t thread[N];
  for (int i = 0; i < N; i++) {
    int *number = malloc(sizeof *number);
    assert(!i || number != first);
    *number = i;
#ifdef KEPT
    if (!i) first = number;
#endif
    pthread_create(&thread[i], 0, work, number);
  }
  first = 0;
#ifndef BUG
  for (int i = 0; i < N; i++) pthread_join(thread[i], 0);
#endif
  for (int i = 0; i < N; i++) assert(done[i]);
  return 0;
}
