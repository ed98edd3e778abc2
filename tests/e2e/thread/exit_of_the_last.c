// Main ends before the last thread, which would run the handlers of exit: they are not reached, and a proviso says so (true was said once).
// expect: conditional
// args: --property unreach-call
// proviso: handlers of exit in a program whose first thread ended before it
// run: --engine dpor --property unreach-call => conditional
// run: --property unreach-call -- -DC11 => conditional
// run: --property unreach-call -- -DRETURNS => false(unreach-call)
// run: --property unreach-call -- -DNONE => true
// run: --engine dpor --property unreach-call -- -DNONE => true
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

static void handler(void) {
  assert(0);
}

static void *works(void *arg) {
  return arg;
}

int main(void) {
  pthread_t worker;
#ifndef NONE
  atexit(handler);
#endif
  pthread_create(&worker, 0, works, 0);
#if defined C11
  thrd_exit(0);
#elif defined RETURNS
  return 0;
#else
  pthread_exit(0);
#endif
}
