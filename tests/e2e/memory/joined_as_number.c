// Pointers that joins write are told apart as numbers: an address that comes back is the same number.
//
// expect: false(unreach-call)
// args: --property unreach-call
// run: --engine explicit --por none --property unreach-call => false(unreach-call)
// run: --engine dpor --property unreach-call => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DFIX => true
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

union seen {
  void *pointer;
  unsigned long number;
};

static void *allocates(void *unused) {
  (void)unused;
  return malloc(4);
}

int main(void) {
  pthread_t t;
  union seen a, b;
  pthread_create(&t, 0, allocates, 0);
  pthread_join(t, &a.pointer);
#ifndef FIX
  free(a.pointer);
#endif
  pthread_create(&t, 0, allocates, 0);
  pthread_join(t, &b.pointer);
  assert(a.number != b.number);
#ifdef FIX
  free(a.pointer);
#endif
  free(b.pointer);
}
