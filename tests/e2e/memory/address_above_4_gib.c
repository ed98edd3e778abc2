// On a 64-bit machine objects lie above 4 GiB: a pointer that goes through 32 bits is lost.
// expect: false(valid-deref)
// run: --engine composite => false(valid-deref)
// run: -- -DWORD=uintptr_t => true
// run: --32 => true
// run: -- -DKIND=1 => false(valid-deref)
// run: -- -DKIND=2 => false(valid-deref)
#include <stdint.h>
#include <stdlib.h>
#ifndef WORD
#define WORD uint32_t
#endif
#ifndef KIND
#define KIND 0
#endif
static int global;
int main(void) {
  int local = 0, *heap = malloc(sizeof *heap);
  int *p = KIND == 0 ? heap : KIND == 1 ? &local : &global;
  int *q = (int *)(uintptr_t)(WORD)(uintptr_t)p;
  *q = 7;
  int r = *p == 7;
  free(heap);
  return !r;
}
