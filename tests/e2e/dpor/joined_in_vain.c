// Who joins a thread that detached itself does not wait for its end (misuse, which goes on where it is not asked for): the join can come before what
// the thread does after that.
// expect: false(unreach-call)
// args: --engine dpor --property unreach-call
// run: --engine dpor --dpor source --property unreach-call => false(unreach-call)
// run: --engine dpor --dpor classic --property unreach-call => false(unreach-call)
// run: --engine dpor --dependence conflict --property unreach-call => false(unreach-call)
// run: --engine explicit --por none --property unreach-call => false(unreach-call)
// run: --engine dpor => false(def-behavior)
// run: --engine dpor --property unreach-call -- -DFIX => true
// run: --engine explicit --por none --property unreach-call -- -DFIX => true
#include <assert.h>
#include <pthread.h>

static int done;

static void *works(void *arg) {
#ifndef FIX
  pthread_detach(pthread_self());
#endif
  done = 1;
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, works, 0);
  pthread_join(thread, 0);
  assert(done);
  return 0;
}
