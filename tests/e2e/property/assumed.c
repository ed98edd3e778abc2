// What a run takes for granted is told in one line; what does not matter to the program is not.
// expect: true
// message: Taken for granted: allocation never fails (--malloc-may-fail); memory that is never freed is no error (--property valid-memtrack).
// run: --malloc-may-fail => false(valid-deref)
// run: --property valid-deref,valid-memtrack => false(valid-memtrack)
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  return 0;
}
