// With --keep-going the others see what a thread did right before its error, too.
// expect: false(unreach-call)
// args: --keep-going --property unreach-call
// message: assertion `y == 2` fails
// message: assertion `x == 0` fails
// run: --engine dpor --keep-going --property unreach-call => false(unreach-call)
// run: --keep-going --por none --property unreach-call -- -DFIX => true
// run: --engine dpor --keep-going --property unreach-call -- -DFIX => true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *fails(void *arg) {
  int y = arg != 0;
  x = 1;
#ifndef FIX
  assert(y == 2);
#endif
  x = y;
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, fails, 0);
#ifdef FIX
  pthread_join(thread, 0);
#endif
  assert(x == 0);
  return 0;
}
