// That one thread's path is cut, by an error that was not asked for, does not hide what another one
// does before.
//
// args: --property unreach-call
// expect: false(unreach-call)
// states: 3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg) {
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
