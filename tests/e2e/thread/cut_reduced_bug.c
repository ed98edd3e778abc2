// A thread that reads an input, which no other cares for, is cut right after it, by an error that
// was not asked for: what the others do before that is looked at all the same.
//
// args: --property unreach-call
// expect: false(unreach-call)
// states: 11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Bool __VERIFIER_nondet_bool(void);

static atomic_int shared;

static void *cut(void *arg) {
  int *nothing = 0;
  *nothing = __VERIFIER_nondet_bool();
  return arg;
}

static void *writer(void *arg) {
  shared = 1;
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, cut, 0);
  pthread_create(&u, 0, writer, 0);
  shared = 2;
  assert(shared == 2);
  return 0;
}
