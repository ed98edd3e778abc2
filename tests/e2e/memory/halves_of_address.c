// A global holds an address, and the program reads its two halves. Objects lie above 4 GiB, so the
// upper half is not 0.
// expect: true
// run: --engine bmc => true
// run: --engine predicate => true
// run: --engine composite => true
// run: -- -DBUG => false(unreach-call)
// run: --engine bmc -- -DBUG => false(unreach-call)
// run: --engine composite -- -DBUG => false(unreach-call)
#include <stdint.h>
#ifdef BUG
#define WANTED ==
#else
#define WANTED !=
#endif
extern void reach_error(void);
static int number = 7;
static union {
  int *pointer;
  uint32_t half[2];
} both = {&number};
int main(void) {
  if (!(both.half[1] WANTED 0)) reach_error();
  return 0;
}
