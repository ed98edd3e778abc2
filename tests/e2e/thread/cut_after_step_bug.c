// The same where the thread that is cut has done something visible before, which no other thread
// cares for.
//
// args: --property unreach-call
// expect: false(unreach-call)
// states: 4
// run: --engine dpor --property unreach-call => false(unreach-call) executions=0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int mine, x;

static void *worker(void *arg) {
  mine = 1;
  int *nothing = 0;
  *nothing = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  x = 1;
  assert(x == 2);
}
