// The message names the object that an address just misses, and on which side.
// expect: false(valid-deref)
// message: 4 bytes before the object allocated at outside_names.c:
// run: -- -DAT=4 => false(valid-deref)
#include <stdlib.h>
#ifndef AT
#define AT -1
#endif
static int get(const int *p) {
  return *p;
}
int main(void) {
  int *v = calloc(4, sizeof *v);
  int r = v ? get(v + AT) : 0;
  free(v);
  return r;
}
