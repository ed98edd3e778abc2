// Main fails in each execution, and before that it frees what the thread may then get. An
// allocation that gets an address again is ordered after all that was done before; that main failed
// is no reason for it, so that the path to the other error is there without that.
// expect: false(unreach-call)
// args: --engine dpor --property unreach-call --keep-going
// message: 2 errors; each path was replayed.
// run: --engine dpor --dependence conflict --peek 0 --prune 0 --property unreach-call => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DFIX => true
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *_Atomic given;

void *takes(void *arg) {
  int *p = malloc(sizeof *p);
  assert(p != given);
  return arg;
}

void *does_nothing(void *arg) {
  return arg;
}

int main(void) {
  pthread_t one, other;
  int *p = malloc(sizeof *p);
  given = p;
  pthread_create(&one, 0, takes, 0);
  int *q = given;
#ifndef FIX
  free(q);
#endif
  pthread_create(&other, 0, does_nothing, 0);
#ifdef FIX
  q = 0;
#endif
  assert(p != q);
  return 0;
}
