// What follows an allocation, which may ask whether it fails, counts for the classes of an input, too.
// expect: true
// run: --engine explicit => conditional
// run: --engine explicit -- -DERROR => false(unreach-call)
// run: --engine explicit --malloc-may-fail -- -DERROR => false(unreach-call)
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int n = rand();
  void *p = malloc(3);
  if (!p) return 0;
  n %= 4;
#ifdef ERROR
  assert(n != 1);
#endif
  assert(n >= 0);
  free(p);
  return 0;
}
