// Each of two threads announces itself, then looks for the other: only seq_cst keeps both from seeing nobody.
// expect: conditional
// proviso: the atomic operation at
// run: -- -DSTORE=release -DLOAD=acquire => conditional
// run: -- -DSTORE=seq_cst -DLOAD=acquire => conditional
// run: -- -DSTORE=seq_cst -DLOAD=seq_cst => true
// run: --engine dpor --preemptions 3 => conditional
// proviso: the atomic operation at
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef STORE
#define STORE relaxed
#endif
#ifndef LOAD
#define LOAD relaxed
#endif
#define ORDER_(o) memory_order_##o
#define ORDER(o) ORDER_(o)

static atomic_int there[2];
static atomic_int seen[2];

static void *enter(void *argument) {
  long me = (long)argument;
  atomic_store_explicit(&there[me], 1, ORDER(STORE));
  seen[me] = atomic_load_explicit(&there[1 - me], ORDER(LOAD));
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, enter, (void *)1);
  enter(0);
  pthread_join(t, 0);
  assert(seen[0] || seen[1]);
}
