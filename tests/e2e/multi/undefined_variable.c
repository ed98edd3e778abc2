// A variable that no file defines may begin with any value: it begins as zero, under a proviso.
// run: => conditional
// run: --engine bmc => conditional
// run: --engine predicate --property unreach-call => conditional
// run: -- -DDEFINED => true
// run: -- -DUNUSED => true
// message: the variable `limit`, which no file defines, is zero at first
#include <assert.h>
#ifdef DEFINED
int limit;
#else
extern int limit;
#endif
int main(void) {
#ifndef UNUSED
  assert(limit == 0);
#endif
  return 0;
}
