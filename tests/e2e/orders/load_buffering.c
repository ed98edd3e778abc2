// Each thread reads what the other one writes afterwards. C11 allows both relaxed loads to read 1; a pair of acquire and
// release forbids it.
// expect: conditional
// run: -- -DLOAD=acquire -DSTORE=release => true
// run: -- -DLOAD=acquire => conditional
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

static atomic_int x[2];
static int read[2];

static void *echo(void *argument) {
  long me = (long)argument;
  read[me] = atomic_load_explicit(&x[me], ORDER(LOAD));
  atomic_store_explicit(&x[1 - me], 1, ORDER(STORE));
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, echo, (void *)1);
  echo(0);
  pthread_join(t, 0);
  assert(!read[0] || !read[1]);
}
