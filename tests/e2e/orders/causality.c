// One thread writes x, a second one reads it and writes y, a third one reads both. That the second one reads x relaxed does
// not matter, because the third one reads the same location (coherence); relaxed accesses to y do.
// expect: true
// run: -- -DX=relaxed => true
// run: -- -DY=memory_order_relaxed => conditional
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef X
#define X acquire
#endif
#define ORDER_(o) memory_order_##o
#define ORDER(o) ORDER_(o)
#ifdef Y
#define STORE_Y Y
#define LOAD_Y Y
#else
#define STORE_Y memory_order_release
#define LOAD_Y memory_order_acquire
#endif

static atomic_int x, y;

static void *first(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_release);
  return unused;
}

static void *second(void *unused) {
  if (atomic_load_explicit(&x, ORDER(X))) atomic_store_explicit(&y, 1, STORE_Y);
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  if (atomic_load_explicit(&y, LOAD_Y)) assert(atomic_load_explicit(&x, memory_order_relaxed));
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
}
