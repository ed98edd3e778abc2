// The result of malloc is not looked at.
// expect: true
// run: --malloc-may-fail => false(valid-deref)
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  free(p);
}
