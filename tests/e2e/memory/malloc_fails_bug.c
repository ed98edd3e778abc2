// The result of malloc is not looked at.
// expect: true
// states: 1
// run: --malloc-may-fail => false(valid-deref) states=2
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  free(p);
}
