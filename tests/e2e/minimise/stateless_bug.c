// Engine dpor comes to the error in an order with more context switches than it needs; the path that is shown is the shortest.
// expect: false(unreach-call)
// args: --engine dpor --minimise --property unreach-call
// message: Minimised:
// message: no path is shorter.
// run: --engine dpor --minimise --dependence conflict --property unreach-call => false(unreach-call)
// run: --engine dpor --minimise --property unreach-call -- -DFIX => true executions=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int set, seen;

static void *writes(void *arg) {
  set = 1;
#ifndef FIX
  set = 2;
#endif
  return arg;
}

static void *reads(void *arg) {
  seen = set;
  if (seen == 1) seen = set;
  assert(seen != 2);
  return arg;
}

int main(void) {
  pthread_t writer, reader;
  pthread_create(&writer, 0, writes, 0);
  pthread_create(&reader, 0, reads, 0);
  pthread_join(writer, 0);
  pthread_join(reader, 0);
  return 0;
}
