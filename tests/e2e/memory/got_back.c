// The second allocation of a byte may get the address of the first one back, which is still pointed to; whether it may is
// not the same at all calls of one function.
// expect: false(unreach-call)
// run: --no-reuse => conditional
#include <assert.h>
#include <stdlib.h>

int main(void) {
  void **place = malloc(64);
  *place = malloc(1);
  free(*place);
  void *fresh = malloc(1);
  assert(fresh != *place);
  free(fresh);
  free(place);
  return 0;
}
