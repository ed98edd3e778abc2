// The size of an object that another thread frees is asked for: nobody is parked before that, so a proviso takes its place (true was said once).
// expect: conditional
// args: --property unreach-call
// run: --engine dpor --property unreach-call => conditional
// run: --property unreach-call -- -DFIX => true
// run: --engine dpor --property unreach-call -- -DFIX => true
#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>

static void *frees(void *object) {
  free(object);
  return 0;
}

int main(void) {
  pthread_t other;
  char *object = malloc(10);
#ifdef FIX
  assert(malloc_usable_size(object) >= 10);
#endif
  pthread_create(&other, 0, frees, object);
#ifndef FIX
  assert(malloc_usable_size(object) >= 10);
#endif
  pthread_join(other, 0);
  return 0;
}
