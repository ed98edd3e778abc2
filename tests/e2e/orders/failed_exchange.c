// The order of a compare-and-exchange that fails is its second one. Here it reads x without synchronising, so the thread may
// be before the other one in the order of writes to y.
// expect: conditional
// proviso: the atomic operation at tests/e2e/orders/failed_exchange.c:28
// run: -DFAILS=memory_order_seq_cst => true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef FAILS
#define FAILS memory_order_relaxed
#endif
static atomic_int x, y;
static int seen, replaced;

static void *first(void *unused) {
  atomic_store(&y, 2);
  return unused;
}

static void *second(void *unused) {
  if (atomic_load(&y) == 2) atomic_store(&x, 2);
  return unused;
}

static void *third(void *unused) {
  int expected = 3;
  atomic_compare_exchange_strong_explicit(&x, &expected, 4, memory_order_seq_cst, FAILS);
  seen = expected;
  replaced = atomic_exchange(&y, 3);
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  third(0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  assert(seen != 2 || replaced == 2);
}
