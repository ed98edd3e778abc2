// The last pointer to a freed object is dropped by a store that does not matter, or by the end of a thread that is no event; until then its address may
// come back (true was said once, by all of the stateless engine behind the end).
// expect: false(unreach-call)
// args: --engine dpor --property unreach-call
// run: --engine dpor --dpor source --property unreach-call => false(unreach-call)
// run: --engine dpor --dependence conflict --property unreach-call => false(unreach-call)
// run: --engine explicit --por none --property unreach-call => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DENDS => false(unreach-call)
// run: --engine dpor --dpor classic --property unreach-call -- -DENDS => false(unreach-call)
// run: --engine dpor --dependence conflict --property unreach-call -- -DENDS => false(unreach-call)
// run: --engine explicit --por none --property unreach-call -- -DENDS => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DFIX => true
// run: --engine dpor --property unreach-call -- -DFIX -DENDS => true
// run: --engine explicit --por none --property unreach-call -- -DFIX => true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static int *shared;
static atomic_int there, kept;
#ifdef ENDS
static _Thread_local int *own;
#endif

static void *frees(void *arg) {
  int *old = malloc(sizeof *old);
  uintptr_t number = (uintptr_t)old >> 4;
  shared = old;
  there = 1;
  if (kept) {
#ifdef ENDS
    shared = 0;
#endif
    free(old);
    int *new = malloc(sizeof *new);
#ifndef FIX
    assert((uintptr_t)new >> 4 != number);
#endif
    free(new);
  }
  return (void *)(number != 0 ? arg : 0);
}

static void *keeps(void *arg) {
  if (there) {
#ifdef ENDS
    own = shared;
#endif
    kept = 1;
#ifndef ENDS
    shared = 0;
#endif
  }
  return arg;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, frees, 0);
  pthread_create(&other, 0, keeps, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
