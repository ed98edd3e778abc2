// The result of a thread that ended points to a freed object until the thread is joined: it is still pointed to, so that its address may come back to
// the allocation of another thread (true was said once).
// expect: false(unreach-call)
// args: --engine dpor --property unreach-call
// run: --engine dpor --dpor source --property unreach-call => false(unreach-call)
// run: --engine dpor --dpor classic --property unreach-call => false(unreach-call)
// run: --engine dpor --dependence conflict --peek 0 --prune 0 --property unreach-call => false(unreach-call)
// run: --engine explicit --por none --property unreach-call => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DMAIN => false(unreach-call)
// run: --engine dpor --no-reuse --property unreach-call => conditional
// run: --engine dpor --property unreach-call -- -DFIX => true
// run: --engine dpor --property unreach-call -- -DFIX -DMAIN => true
// run: --engine explicit --por none --property unreach-call -- -DFIX => true
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *allocates(void *arg) {
  int *number = malloc(sizeof *number);
#ifndef FIX
  free(number);
#endif
  return number ? number : arg;
}

int main(void) {
  pthread_t thread[2];
  void *result[2];
  pthread_create(&thread[0], 0, allocates, 0);
#ifdef MAIN
  result[1] = malloc(sizeof(int));
#else
  pthread_create(&thread[1], 0, allocates, 0);
#endif
  pthread_join(thread[0], &result[0]);
#ifndef MAIN
  pthread_join(thread[1], &result[1]);
#endif
  assert(result[0] != result[1]);
  return 0;
}
