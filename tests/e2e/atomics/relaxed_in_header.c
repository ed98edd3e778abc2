// A proviso names where the program uses an operation with a weak order, not the line of a header that has it, and is told
// once for all places. A seq_cst order needs none.
// expect: conditional
// proviso: the atomic operation at each of tests/e2e/atomics/relaxed_in_header.c:20, 21, 13 and 22 behaves as if it were sequentially consistent
// run: --engine dpor => conditional
// run: -- -DORDER=memory_order_seq_cst => true
#include <pthread.h>

#include "relaxed.h"
static atomic_int a, b;

static void *set(void *u) {
  SET(&a, 1), SET(&b, 1);
  return u;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  int x = look(&b);
  int y = look_again(&a);
  SET(&b, x + y);
  pthread_join(t, 0);
  return 0;
}
