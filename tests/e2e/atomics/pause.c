// What <immintrin.h> has for loops that wait, and its fences.
// expect: true
// args: --engine dpor
// run: --por none => true
// run: -- -DBUGGY => false(unreach-call)
// run: --engine dpor -- -DBUGGY => false(unreach-call)
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int value;

static void *sets(void *arg) {
#ifndef BUGGY
  value = 1;
#endif
  _mm_mfence();
  ready = 1;
  _mm_sfence();
  return arg;
}

int main(void) {
  pthread_t one;
  pthread_create(&one, 0, sets, 0);
  while (!ready) _mm_pause();
  _mm_lfence();
  assert(value == 1);
  pthread_join(one, 0);
  return 0;
}
